/* Turns and states of messages, explored target by target (follow.h).
 *   marks       classes of channels that messages carry with them
 *   hop by hop  sources inject, then every link reached is asked what follows, until nothing new is found; a routing
 *               that does not look back is asked once a node
 *   sorting     states by depth-first search, children first; a cycle is the routing's fault
 *   cycles      links without a successor are removed again and again */
#include "model/routing/follow.h"
#include "model/routing/classes.h"

#define LEGS_MOST 4e8           /* bytes of what is known of legs */

int follow_open(struct follow *out, struct net *net, bool arrivals, struct err *err)
{
    struct follow f = { .net = net, .arrivals = arrivals, .nend = net->nterminal, .end = net->terminal, .marks = 1 };

    if (trunks_open_net(&f.trunks, net, net->cables.parallel, err) < 0)
        return -1;
    f.links = *f.trunks.csr;
    f.cables = f.trunks.nlink;
    f.nlink = f.cables + (arrivals ? (size_t)net->n : 0);
    if (f.nlink > INT_MAX) {
        err_set(err, ERR_MEMORY, "%.200s has more than 2^31 links", net->spec);
        goto fail;
    }
    if (TAKE("the links of messages", err, ARRAY(f.tail, f.nlink), ARRAY(f.head, f.cables), ZEROS(f.seen, f.nlink),
             ZEROS(f.answer, net->n), ARRAY(f.own_switch, net->n)) < 0)
        goto fail;
    for (int v = 0; v < net->n; v++) {
        const size_t first = f.links.first[v], end = f.links.first[v + 1];

        f.own_switch[v] = end - first != 1 || net_terminal_index(net, f.links.to[first]) >= 0;
        for (size_t k = first; k < end; k++)
            for (size_t l = trunks_first(&f.trunks, k); l < trunks_first(&f.trunks, k + 1); l++) {
                f.tail[l] = v;
                f.head[l] = f.links.to[k];
            }
    }
    for (size_t l = f.cables; l < f.nlink; l++)
        f.tail[l] = (int)(l - f.cables);
    *out = f;
    return 0;
fail:
    follow_close(&f);
    return -1;
}

void follow_close(struct follow *f)
{
    trunks_release(&f->trunks);
    towards_close(&f->towards);
    FREE(f->tail, f->head, f->link, f->first, f->to, f->share, f->mark, f->order, f->place, f->hop, f->own_switch,
         f->answer, f->next, f->next_share, f->enter, f->seen, f->stack, f->at, f->up, f->leg, f->taken, f->came,
         f->asked);
    route_path_release(&f->path);
    ways_release(&f->ways);
    *f = (struct follow){ 0 };
}

int follow_tick(struct follow *f, struct err *err)
{
    return ++f->steps % 256 == 0 ? tick_check(&f->tick, f->done, err) : 0;
}

int follow_links(int *link, int *n, const struct follow *f, const struct routing *r, int from, const struct hop *hop,
                 struct err *err)
{
    const size_t k = csr_link(&f->links, from, hop->node), first = k < f->links.m ? trunks_first(&f->trunks, k) : 0;
    const size_t cables = k < f->links.m ? trunks_cables(&f->trunks, k) : 0;
    char name[2][96];

    *link = (int)first + (hop->cable > 0 ? hop->cable - 1 : 0);
    *n = hop->cable > 0 ? 1 : (int)cables;
    return cables > 0 && (size_t)hop->cable <= cables ? 0 :
        err_set(err, ERR_INTERNAL, "routing '%s' goes from %s to %s on %.200s, where there is no link", r->spec,
                net_label(f->net, from, name[0]), net_label(f->net, hop->node, name[1]), f->net->spec);
}

void follow_widest(double *wide, const struct follow *f)
{
    const size_t nodes = (size_t)f->net->n;

    for (size_t v = 0; v < 2 * nodes; v++)
        wide[v] = 0;
    for (size_t v = 0; v < nodes; v++)
        for (size_t k = f->links.first[v]; k < f->links.first[v + 1]; k++) {
            const size_t to = (size_t)f->links.to[k];
            const double bandwidth = trunks_bandwidth(&f->trunks, k);

            wide[to] = bandwidth > wide[to] ? bandwidth : wide[to];
            wide[nodes + v] = bandwidth > wide[nodes + v] ? bandwidth : wide[nodes + v];
        }
    for (size_t v = 0; v < nodes; v++)
        if (net_terminal_index(f->net, (int)v) < 0 || !follow_own_switch(f, (int)v))
            wide[v] = wide[nodes + v] = 0;
}

/* ---- marks ---- */

int follow_classes(struct follow *f, const struct classes *classes, struct err *err)
{
    const size_t marks = classes ? (size_t)classes->marks : 1, n = (size_t)f->net->n;
    const double legs = (double)marks * (double)n * (double)n;
    struct follow_seen *seen;

    if (TAKE("the states of messages", err, ZEROS(seen, f->nlink * marks)) < 0)
        return -1;
    FREE(f->seen, f->leg);
    f->seen = seen;
    f->block = 0;
    for (size_t v = 0; v < n; v++)
        f->answer[v].block = 0;
    f->classes = classes;
    f->marks = (int)marks;
    f->leg = NULL;
    if (legs * sizeof *f->leg < LEGS_MOST && !f->trunks.first)
        f->leg = calloc((size_t)legs, sizeof *f->leg);         /* without it, legs are walked again */
    return 0;
}

int follow_all(struct follow *f, struct err *err)
{
    int n = 0;

    if (!f->up && TAKE("all nodes", err, ARRAY(f->up, f->net->n)) < 0)
        return -1;
    for (int v = 0; v < f->net->n; v++)
        if (!cables_down(&f->net->cables, v))
            f->up[n++] = v;
    f->end = f->up;
    f->nend = n;
    return 0;
}

/* ---- hop by hop ---- */

int follow_begin(struct follow *f, const struct routing *r, int target, struct err *err)
{
    f->target = target;
    f->n = f->nedge = f->nnext = 0;
    f->block++;
    return GROW(&f->hop_room, r->most, "next hops", err, GROWN(f->hop));
}

static int follow_state(int *state, struct follow *f, int link, int mark, struct err *err)
{
    struct follow_seen *seen = &f->seen[(size_t)link * (size_t)f->marks + (size_t)mark];

    if (mark >= f->marks)
        return err_set(err, ERR_INTERNAL, "a message on %.200s carries the mark %d of %d", f->net->spec, mark,
                       f->marks);
    if (seen->block == f->block) {
        *state = seen->state;
        return 0;
    }
    if (GROW(&f->state_room, f->n + 2, "states of messages", err, GROWN(f->link), GROWN(f->mark),
             GROWN(f->first)) < 0)
        return -1;
    *seen = (struct follow_seen){ f->block, (int)f->n };
    *state = (int)f->n;
    f->mark[f->n] = mark;
    f->link[f->n++] = link;
    return 0;
}

static int follow_next(struct follow *f, int link, double share, struct err *err)
{
    if (GROW(&f->next_room, f->nnext + 1, "next hops", err, GROWN(f->next), GROWN(f->next_share)) < 0)
        return -1;
    f->next[f->nnext] = link;
    f->next_share[f->nnext++] = share;
    return 0;
}

/* What follows at `node` on what came in by link `in` with a mark (-1: injected with it): entry[0..nentry). */
static int follow_ask(struct follow *f, struct routing *r, int node, int in, int mark, struct err *err)
{
    struct follow_answer *a = &f->answer[node];
    size_t nhop = 0;

    if (r->route->looks_back || a->block != f->block) {
        const size_t first = f->nnext;

        if (node == f->target && f->arrivals && follow_own_switch(f, node) &&
            follow_next(f, (int)f->cables + node, 1, err) < 0)
            return -1;
        if (node != f->target &&
            r->route->next(f->hop, &nhop, r, node, in < 0 ? -1 : f->tail[in], f->target, err) < 0)
            return -1;
        for (size_t i = 0; i < nhop; i++) {
            int link, n;

            if (follow_links(&link, &n, f, r, node, &f->hop[i], err) < 0)
                return -1;
            for (int k = 0; k < n; k++)
                if (follow_next(f, link + k, f->hop[i].share / n, err) < 0)
                    return -1;
        }
        *a = (struct follow_answer){ f->block, (uint32_t)first, (uint32_t)(f->nnext - first) };
    }
    if (GROW(&f->enter_room, a->n, "next hops", err, GROWN(f->enter)) < 0)
        return -1;
    for (uint32_t k = 0; k < a->n; k++) {
        const int link = f->next[a->first + k];
        const bool out = (size_t)link >= f->cables;

        if (follow_state(&f->enter[k], f, link, out ? 0 : classes_cross(f->classes, mark, in, link), err) < 0)
            return -1;
    }
    f->entry = f->enter;
    f->entry_share = f->next_share + a->first;
    f->nentry = a->n;
    return 0;
}

int follow_inject(struct follow *f, struct routing *r, int source, struct err *err)
{
    f->entry_mark = classes_begin(f->classes, source, f->target, 0, 0, 0);
    return follow_ask(f, r, source, -1, f->entry_mark, err);
}

int follow_from(struct follow *f, struct routing *r, size_t state, struct err *err)
{
    const int link = f->link[state];

    f->nentry = 0;
    return (size_t)link >= f->cables ? 0 : follow_tick(f, err) < 0 ? -1 :
        follow_ask(f, r, f->head[link], link, f->mark[state], err);
}

/* What may follow on each link that is reached, until nothing new is. */
int follow_explore(struct follow *f, struct routing *r, struct err *err)
{
    for (size_t s = 0; s < f->n; s++) {
        f->first[s] = (uint32_t)f->nedge;
        if (follow_from(f, r, s, err) < 0 ||
            GROW(&f->edge_room, f->nedge + f->nentry, "steps of messages", err, GROWN(f->to), GROWN(f->share)) < 0)
            return -1;
        for (size_t k = 0; k < f->nentry; k++, f->nedge++) {
            f->to[f->nedge] = f->entry[k];
            f->share[f->nedge] = f->entry_share[k];
        }
    }
    if (f->n)
        f->first[f->n] = (uint32_t)f->nedge;
    return 0;
}

/* ---- sorting ---- */

/* Depth-first search: a state is finished after all its successors. */
int follow_sort(struct follow *f, const struct routing *r, struct err *err)
{
    enum { NEW = -2, OPEN = -1 };
    size_t done = 0, depth = 0;

    if (GROW(&f->order_room, f->n, "states of messages", err, GROWN(f->order), GROWN(f->place), GROWN(f->stack),
             GROWN(f->at)) < 0)
        return -1;
    for (size_t s = 0; s < f->n; s++)
        f->place[s] = NEW;
    for (size_t from = 0; from < f->n; from++) {
        if (f->place[from] != NEW)
            continue;
        f->stack[depth++] = (int)from;
        f->place[from] = OPEN;
        f->at[from] = f->first[from];
        while (depth) {
            const int s = f->stack[depth - 1];

            if (f->at[s] == f->first[s + 1]) {
                f->place[s] = (int)done;
                f->order[done++] = s;
                depth--;
                continue;
            }
            const int child = f->to[f->at[s]++];

            if (f->place[child] == OPEN)
                return err_set(err, ERR_INTERNAL, "routing '%s' sends messages round in circles on %.200s", r->spec,
                               f->net->spec);
            if (f->place[child] == NEW) {
                f->place[child] = OPEN;
                f->at[child] = f->first[child];
                f->stack[depth++] = child;
            }
        }
    }
    return 0;
}

/* ---- cycles ---- */

/* Links that lead to no other link are removed again and again; what is left lies on cycles. */
int follow_cyclic(bool *cyclic, size_t nlink, size_t n, const int *in, const int *out, struct err *err)
{
    int *behind, *stack, *first, *next;
    size_t depth = 0, gone = 0;

    if (TAKE("cycles of links", err, ZEROS(behind, nlink), ARRAY(stack, nlink), ARRAY(first, nlink),
             ARRAY(next, n)) < 0)
        return -1;
    for (size_t l = 0; l < nlink; l++)
        first[l] = -1;
    for (size_t i = 0; i < n; i++)
        if (in[i] >= 0) {
            next[i] = first[in[i]];
            first[in[i]] = (int)i;
            behind[out[i]]++;
        }
    for (size_t l = 0; l < nlink; l++)
        if (behind[l] == 0)
            stack[depth++] = (int)l;
    for (; depth > 0; gone++)
        for (int i = first[stack[--depth]]; i >= 0; i = next[i])
            if (--behind[out[i]] == 0)
                stack[depth++] = out[i];
    *cyclic = gone < nlink;
    FREE(behind, stack, first, next);
    return 0;
}
