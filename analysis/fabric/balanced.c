/* balanced.c -- forwarding tables, tree by tree (balanced.h).
 * 1. ways       which nodes can go down to a terminal, and how far the others are, up and then down
 * 2. placing    one source after the other takes the way that is least full
 * 3. rounds     trees out and back; the best is kept
 * 4. routing    what the tables answer */
#include "analysis/fabric/balanced.h"
#include "analysis/fabric/cluster.h"
#include "graph/numeric/rng.h"

struct cost {
    double most, sum;           /* of what is on the links of a way, with what is added */
    int link;
};
struct balanced {                  /* arrays by node, but for those said otherwise */
    struct cluster c;
    int n, *slot, *node;        /* those that choose: all but hosts with one cable, slot -1; and back */
    int *hops;                  /* from the node of most neighbours */
    bool by_hops;               /* levels do not matter */
    int *enter;                 /* terminals whose messages enter here: its own, and hosts with one cable */
    int *out;                   /* [terminal * n + slot]: the link; -1: none is needed */
    double *load;               /* by link: messages while each terminal sends one to each, over its bandwidth */
    int *left, *queue, *order;
    bool *down;                 /* goes down to the terminal at hand */
    unsigned *seen, stamp;      /* cost[] is of the source at hand */
    struct cost *cost;
};

static void balanced_close(void *state)
{
    struct balanced *t = state;

    cluster_close(&t->c);
    FREE(t->slot, t->node, t->hops, t->enter, t->out, t->load, t->left, t->queue, t->order, t->down, t->seen, t->cost);
}

/* ---- ways ---- */

/* The switch that a host with one cable hangs on; else the terminal itself. */
static int balanced_anchor(const struct balanced *t, int terminal)
{
    const struct csr *c = t->c.trunks.csr;

    return t->slot[terminal] < 0 ? c->to[c->first[terminal]] : terminal;
}

static bool balanced_up(const struct balanced *t, int from, int to)
{
    const int level = t->by_hops ? 0 : t->c.at[to].level - t->c.at[from].level, nearer = t->hops[from] - t->hops[to];

    return level ? level > 0 : nearer ? nearer > 0 : from < to;
}

/* left[v]: links to the anchor, down where `down`, else up and then down; -1: no way. Backwards from there: over links
 * that go down, then from the nearest of all that are known over links that go up. */
static void balanced_ways(struct balanced *t, int anchor)
{
    const struct csr *c = t->c.trunks.csr;
    int *low = t->queue, *high = t->queue + c->n, nlow = 0, nhigh = 0;

    memset(t->left, 0xff, (size_t)c->n * sizeof *t->left);
    memset(t->down, 0, (size_t)c->n * sizeof *t->down);
    t->left[anchor] = 0;
    t->down[anchor] = true;
    low[nlow++] = anchor;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0, k = 0; i < nlow || k < nhigh;) {
            const bool from_low = k == nhigh || (i < nlow && t->left[low[i]] <= t->left[high[k]]);
            const int at = from_low ? low[i++] : high[k++];

            for (size_t e = c->first[at]; e < c->first[at + 1]; e++) {
                const int v = c->to[e];

                if (t->left[v] >= 0 || t->slot[v] < 0 || balanced_up(t, v, at) != (pass == 1) ||
                    (t->c.at[at].level == 0 && at != anchor))           /* hosts pass nothing on */
                    continue;
                t->left[v] = t->left[at] + 1;
                t->down[v] = pass == 0;
                *(pass == 0 ? &low[nlow++] : &high[nhigh++]) = v;
            }
        }
}

/* ---- placing ---- */

/* The best way on from node v for `mass` messages more, in cost[v]. */
static void balanced_best(struct balanced *t, const int *out, int v, double mass)
{
    const struct csr *c = t->c.trunks.csr;
    const int fixed = out[t->slot[v]];
    struct cost best = { INFINITY, INFINITY, -1 };

    if (t->seen[v] == t->stamp)
        return;
    t->seen[v] = t->stamp;
    if (t->left[v] == 0)
        best = (struct cost){ 0, 0, fixed };
    for (size_t k = c->first[v]; t->left[v] > 0 && k < c->first[v + 1]; k++) {
        const int to = c->to[k];

        if (t->left[to] != t->left[v] - 1 || (t->down[v] && !t->down[to]) || balanced_up(t, v, to) == t->down[v] ||
            (fixed >= 0 && t->c.head[fixed] != to))
            continue;
        balanced_best(t, out, to, mass);
        for (size_t l = trunks_first(&t->c.trunks, k); l < trunks_first(&t->c.trunks, k + 1); l++) {
            const double full = t->load[l] + mass / trunks_kind(&t->c.trunks, l).bandwidth;
            const struct cost way = { fmax(full, t->cost[to].most), full + t->cost[to].sum, (int)l };

            if ((fixed < 0 || (int)l == fixed) &&
                (way.most < best.most || (way.most == best.most && way.sum < best.sum)))
                best = way;
        }
    }
    t->cost[v] = best;
}

/* Adds messages from v along its way to a terminal. */
static void balanced_walk(struct balanced *t, const int *out, int v, int terminal, double mass)
{
    for (; v != terminal; v = t->c.head[out[t->slot[v]]])
        t->load[out[t->slot[v]]] += mass / trunks_kind(&t->c.trunks, (size_t)out[t->slot[v]]).bandwidth;
}

static int balanced_place(struct balanced *t, int index, struct rng *rng, struct err *err)
{
    const int terminal = net_terminal(t->c.net, index), anchor = balanced_anchor(t, terminal);
    int *out = t->out + (size_t)index * (size_t)t->n, n = 0;
    char a[NET_LABEL], b[NET_LABEL];

    balanced_ways(t, anchor);
    if (anchor != terminal)
        out[t->slot[anchor]] = t->c.back[trunks_first(&t->c.trunks, t->c.trunks.csr->first[terminal])];
    for (int s = 0; s < t->n; s++)
        if (t->enter[t->node[s]] && t->node[s] != terminal)
            t->order[n++] = t->node[s];
    rng_shuffle(rng, t->order, (size_t)n);
    for (int i = 0; i < n; i++) {
        const int v = t->order[i], mass = t->enter[v] - (v == anchor);

        if (t->left[v] < 0)
            return err_set(err, ERR_NETWORK, "%.200s: there is no way from %s to %s", t->c.net->spec,
                           net_label(t->c.net, v, a), net_label(t->c.net, terminal, b));
        t->stamp++;
        balanced_best(t, out, v, mass);
        for (int at = v; t->left[at] > 0; at = t->c.head[out[t->slot[at]]])
            out[t->slot[at]] = t->cost[at].link;
        balanced_walk(t, out, v, terminal, mass);
    }
    return 0;
}

static void balanced_remove(struct balanced *t, int index)
{
    const int terminal = net_terminal(t->c.net, index), anchor = balanced_anchor(t, terminal);
    int *out = t->out + (size_t)index * (size_t)t->n;

    for (int s = 0; s < t->n; s++)
        if (t->enter[t->node[s]] && t->node[s] != terminal)
            balanced_walk(t, out, t->node[s], terminal, (t->node[s] == anchor) - t->enter[t->node[s]]);
    memset(out, 0xff, (size_t)t->n * sizeof *out);
}

/* ---- rounds ---- */

static double balanced_fullest(const struct balanced *t)
{
    double most = 0;

    for (size_t l = 0; l < t->c.trunks.nlink; l++)
        most = fmax(most, t->load[l]);
    return most;
}

static int balanced_round(struct balanced *t, int *order, bool again, struct rng *rng, const struct tick *tick,
                       struct err *err)
{
    const int n = t->c.net->nterminal;

    rng_shuffle(rng, order, (size_t)n);
    for (int i = 0; i < n; i++) {
        if (again)
            balanced_remove(t, order[i]);
        if (balanced_place(t, order[i], rng, err) < 0 || (i % 64 == 0 && tick_check(tick, (double)i / n, err) < 0))
            return -1;
    }
    return 0;
}

static int balanced_rounds(struct balanced *t, int rounds, uint64_t seed, const struct tick *tick, struct err *err)
{
    const size_t n = (size_t)t->c.net->nterminal, all = n * (size_t)t->n;
    int *order, *best, ret = 0;
    double least = INFINITY;
    struct rng rng;

    if (TAKE("tables", err, ARRAY(order, n), ARRAY(best, all + 1)) < 0)
        return -1;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++)
        order[i] = (int)i;
    for (int i = 0; i <= rounds && ret == 0; i++) {
        const struct tick part = tick_step(tick, (size_t)i, (size_t)rounds + 1);

        ret = balanced_round(t, order, i > 0, &rng, &part, err);
        if (ret < 0 && i == 0 && err->code == ERR_NETWORK) {
            t->by_hops = true;
            memset(t->out, 0xff, all * sizeof *t->out);
            memset(t->load, 0, t->c.trunks.nlink * sizeof *t->load);
            ret = balanced_round(t, order, false, &rng, &part, err);
        }
        if (ret == 0 && balanced_fullest(t) < least) {
            least = balanced_fullest(t);
            memcpy(best, t->out, all * sizeof *best);
        }
    }
    if (ret == 0)
        memcpy(t->out, best, all * sizeof *best);
    FREE(order, best);
    return ret;
}

/* ---- routing ---- */

static int balanced_next(struct hop *hop, size_t *n, struct routing *r, int node, int, int target, struct err *err)
{
    const struct balanced *t = r->state;
    const struct csr *c = t->c.trunks.csr;
    const int index = net_terminal_index(r->net, target);
    const int link = t->slot[node] < 0 ? (int)trunks_first(&t->c.trunks, c->first[node]) :
        index < 0 ? -1 : t->out[(size_t)index * (size_t)t->n + (size_t)t->slot[node]];
    size_t trunk;

    if (link < 0)
        return routing_no_path(r, node, target, err);
    trunk = csr_link(c, node, t->c.head[link]);
    *n = 1;
    *hop = (struct hop){ t->c.head[link], 1, trunks_cables(&t->c.trunks, trunk) == 1 ? 0 :
                         link - (int)trunks_first(&t->c.trunks, trunk) + 1 };
    return 0;
}

/* `looks_back`: a switch that no message to a terminal crosses has no way there. */
static const struct route balanced_route = {
    .name = "balanced", .looks_back = true, .close = balanced_close, .next = balanced_next
};

static int balanced_begin(struct balanced *t, struct net *net, struct err *err)
{
    const size_t n = (size_t)net->n;
    const struct csr *c;
    int root = 0;

    if (cluster_open(&t->c, net, err) < 0 ||
        TAKE("tables", err, ARRAY(t->slot, n), ARRAY(t->node, n), ARRAY(t->hops, n), ZEROS(t->enter, n),
             ZEROS(t->load, t->c.trunks.nlink + 1), ARRAY(t->left, n), ARRAY(t->queue, 2 * n), ARRAY(t->order, n),
             ARRAY(t->down, n), ZEROS(t->seen, n), ARRAY(t->cost, n)) < 0)
        return -1;
    c = t->c.trunks.csr;
    for (int v = 0; v < net->n; v++) {
        const bool one = t->c.at[v].level == 0 && c->first[v + 1] - c->first[v] == 1 &&
            trunks_cables(&t->c.trunks, c->first[v]) == 1;

        t->slot[v] = one ? -1 : t->n;
        t->node[t->n] = v;
        t->n += !one;
        root = c->first[v + 1] - c->first[v] > c->first[root + 1] - c->first[root] ? v : root;
    }
    csr_bfs(c, root, t->hops, t->queue);
    for (int i = 0; i < net->nterminal; i++)
        t->enter[balanced_anchor(t, net_terminal(net, i))]++;
    if (TAKE("tables", err, ARRAY(t->out, (size_t)t->n * (size_t)net->nterminal + 1)) < 0)
        return -1;
    memset(t->out, 0xff, (size_t)t->n * (size_t)net->nterminal * sizeof *t->out);
    return 0;
}

int balanced_open(struct routing *out, struct net *net, int rounds, uint64_t seed, const struct tick *tick,
               struct err *err)
{
    *out = (struct routing){ .route = &balanced_route, .net = net, .most = 1 };
    out->state = calloc(1, sizeof(struct balanced));
    out->spec = strdup("balanced");
    if (!out->state || !out->spec)
        err_memory(err);
    else if (balanced_begin(out->state, net, err) == 0 && balanced_rounds(out->state, rounds, seed, tick, err) == 0)
        return 0;
    routing_close(out);
    return -1;
}
