/* What stands for what, while flows are made.
 *   classes   links by the step they take, or by their orbit; sources by theirs
 *   merging   by orbits, states with the same ways to go become one, from the last link on: they need not be on links
 *             that are alike, since their ports say where messages are */
#include "analysis/load/flows_builder.h"
#include "graph/base/order.h"

/* ---- classes ---- */

/* Every link by its step: which of the first node's links goes the same way. */
int builder_steps(struct builder *b, struct err *err)
{
    const struct group *g = b->net->group;
    const size_t n = (size_t)b->net->n, degree = b->follow.links.first[1];
    int *way;                                   /* which of them leads to a node */

    b->by_steps = true;
    if (TAKE("links by their steps", err, ZEROS(way, n), ARRAY(b->class, b->follow.cables + 2 * n),
             ARRAY(b->first, degree + 2)) < 0)
        return -1;
    for (size_t k = 0; k < degree; k++) {
        way[b->follow.head[k]] = (int)k;
        b->first[k] = (int)k;
    }
    for (size_t l = 0; l < b->follow.cables; l++)
        b->class[l] = way[group_add(g, b->follow.head[l], group_negative(g, b->follow.tail[l]))];
    for (size_t v = 0; v < 2 * n; v++)          /* out of the network, and into it */
        b->class[b->follow.cables + v] = (int)(degree + (v >= n));
    for (size_t k = 0; k < 2; k++)
        b->first[degree + k] = (int)(b->follow.cables + k * n);
    b->nclass = degree + 2 * b->follow.arrivals;
    free(way);
    return 0;
}

/* Sources and links by their orbits. */
int builder_orbits(struct builder *b, struct err *err)
{
    const struct follow *w = &b->follow;
    const struct alike *a = &b->alike;
    const size_t n = (size_t)b->net->n, nsource = (size_t)b->net->nterminal, cables = w->cables,
        nlink = cables + 2 * n * w->arrivals;
    struct flows_orbits *o = b->f->orbits = calloc(1, sizeof *o);

    if (!o)
        return err_memory(err);
    o->nsource = nsource;
    o->nlink = nlink;
    if (TAKE("the orbits of links", err, ARRAY(o->source_of, nsource), ARRAY(o->source_first, nsource),
             ZEROS(o->source_many, nsource), ARRAY(o->from, nlink), ARRAY(o->to, nlink), ARRAY(o->link_of, nlink),
             ARRAY(o->link_first, nlink), ZEROS(o->link_many, nlink)) < 0)
        return -1;
    for (size_t i = 0; i < nsource; i++) {
        const int like = net_terminal_index(b->net, a->node[net_terminal(b->net, (int)i)]);

        if ((size_t)like == i)
            o->source_first[b->f->nsource++] = (int)i;
        o->source_of[i] = (size_t)like == i ? (int)b->f->nsource - 1 : o->source_of[like];
        o->source_many[o->source_of[i]]++;
    }
    for (size_t l = 0; l < nlink; l++) {
        size_t like = l;

        if (l < cables) {
            like = trunks_first(&w->trunks, (size_t)a->trunk[alike_trunk(w, l)]);
            while (alike_kind(a, w, like) != alike_kind(a, w, l))
                like++;
        } else {
            like = cables + (l < cables + n ? 0 : n) + (size_t)a->node[(l - cables) % n];
        }
        o->from[l] = l < cables ? w->tail[l] : l < cables + n ? (int)(l - cables) : -1;
        o->to[l] = l < cables ? w->head[l] : l < cables + n ? -1 : (int)(l - cables - n);
        if (like == l)
            o->link_first[b->nclass++] = (int)l;
        o->link_of[l] = like == l ? (int)b->nclass - 1 : o->link_of[like];
        o->link_many[o->link_of[l]]++;
    }
    b->class = o->link_of;
    b->first = o->link_first;
    return 0;
}

/* ---- merging ---- */

struct step {                   /* an edge, or an injection: to a state over a port */
    int state, port, source, pair;
    double share, ways;
};

ORDER(by_step, struct step, UP(pair) UP(source) UP(state) UP(port))

/* Those to one state over one port are one. */
static size_t steps_merge(struct step *step, size_t n)
{
    size_t kept = 0;

    qsort(step, n, sizeof *step, by_step);
    for (size_t i = 0; i < n; i++)
        if (kept && by_step(&step[kept - 1], &step[i]) == 0) {
            step[kept - 1].share += step[i].share;
            step[kept - 1].ways += step[i].ways;
        } else {
            step[kept++] = step[i];
        }
    return kept;
}

static uint64_t steps_key(const struct step *step, size_t n)
{
    uint64_t key = n;

    for (size_t i = 0; i < n; i++) {
        uint64_t share;

        memcpy(&share, &step[i].share, sizeof share);
        key = (key ^ (uint64_t)(uint32_t)step[i].state) * 0x100000001b3u;
        key = (key ^ (uint64_t)(uint32_t)step[i].port) * 0x100000001b3u;
        key = (key ^ (share >> 3)) * 0x100000001b3u;
    }
    return key ^ key >> 29;
}

static bool steps_are(const struct flows *f, size_t state, const struct step *step, size_t n)
{
    const uint32_t first = f->edge_first[state];

    for (size_t i = 0; i < n; i++)
        if (f->edge_child[first + i] != step[i].state || f->edge_port[first + i] != step[i].port ||
            f->edge_share[first + i] != step[i].share)
            return false;
    return f->edge_first[state + 1] - first == n;
}

/* The state with these steps among those from `first` on; a new one is put after the last. */
static int merged_state(int *out, struct builder *b, const struct step *step, size_t n, struct err *err)
{
    struct flows *f = b->f;
    uint64_t key = steps_key(step, n);

    for (;; key++) {
        *out = map_put(&b->way, key, (int)f->nstate, err);
        if (*out < 0)
            return -1;
        if ((size_t)*out == f->nstate)
            break;
        if (steps_are(f, (size_t)*out, step, n))
            return 0;
    }
    f->edge_first[f->nstate++] = (uint32_t)f->nedge;        /* of those there were before: there is room */
    for (size_t i = 0; i < n; i++, f->nedge++) {
        f->edge_child[f->nedge] = step[i].state;
        f->edge_port[f->nedge] = step[i].port;
        f->edge_share[f->nedge] = step[i].share;
    }
    f->edge_first[f->nstate] = (uint32_t)f->nedge;
    return 0;
}

int builder_merge(struct builder *b, size_t state, size_t edge, size_t injection, struct err *err)
{
    struct flows *f = b->f;
    const size_t nstate = f->nstate, ninjection = f->ninjection;
    size_t most = ninjection - injection + 1;
    struct step *step;
    int *now, ret = -1;             /* what a state has become */
    uint32_t to = (uint32_t)edge;

    for (size_t s = state; s < nstate; s++) {
        const size_t n = (s + 1 < nstate ? f->edge_first[s + 1] : f->nedge) - f->edge_first[s];

        most = n > most ? n : most;
    }
    if (builder_state_room(b, nstate + 1, err) < 0 ||
        TAKE("steps of messages", err, ARRAY(now, nstate - state), ARRAY(step, most)) < 0)
        return -1;
    f->edge_first[nstate] = (uint32_t)f->nedge;
    map_clear(&b->way);
    f->nstate = state;
    f->nedge = edge;
    for (size_t s = state; s < nstate; s++) {
        const uint32_t from = to;
        size_t n = 0;

        to = f->edge_first[s + 1];
        for (uint32_t e = from; e < to; e++)
            step[n++] = (struct step){ (size_t)f->edge_child[e] < state ? f->edge_child[e] :
                                       now[(size_t)f->edge_child[e] - state], f->edge_port[e], 0, 0,
                                       f->edge_share[e], 0 };
        if (merged_state(&now[s - state], b, step, steps_merge(step, n), err) < 0)
            goto done;
    }
    for (size_t i = injection; i < ninjection; i++)
        step[i - injection] = (struct step){ now[(size_t)f->injection_state[i] - state], f->injection_port[i],
                                             f->injection_source[i], b->pairs ? f->injection_pair[i] : 0,
                                             f->injection_share[i], f->orbits->injection_ways[i] };
    f->ninjection = injection + steps_merge(step, ninjection - injection);
    for (size_t i = injection; i < f->ninjection; i++) {
        const struct step *x = &step[i - injection];

        f->injection_state[i] = x->state;
        f->injection_port[i] = x->port;
        f->injection_source[i] = x->source;
        f->injection_share[i] = x->share;
        f->injection_pair[i] = b->pairs ? x->pair : (int)i;
        f->orbits->injection_ways[i] = x->ways;
    }
    ret = 0;
done:
    FREE(now, step);
    return ret;
}
