#include "analysis/collective/bound.h"
#include "analysis/broadcast/broadcast_bound.h"
#include "graph/base/heap.h"
#include "graph/distance/trunks.h"
#include "graph/topology/topo.h"

/* ---- growth ------------------------------------------------------------------------------------------ */

#define SOONER(c, a, b) ((void)(c), (a) < (b))
HEAP(begins, void *, double, SOONER, HEAP_NOWHERE)

/* Until n processes have heard of one. */
static int growth(double *out, const struct cost *c, double bytes, struct err *err)
{
    const double way = c->kind->alone(c, bytes);
    double *heap, heard = 0;
    size_t n = 0;

    *out = way;
    if (c->copies)             /* one message may tell all */
        return 0;
    if (TAKE("the bound", err, ARRAY(heap, 2 * (size_t)c->n)) < 0)
        return -1;
    begins_push(NULL, heap, &n, 0);
    for (int heirs = 1; heirs < c->n; heirs++) {        /* the process that may begin first does */
        const double begin = begins_pop(NULL, heap, &n);

        heard = begin + way;
        begins_push(NULL, heap, &n, begin + c->kind->gap(c, bytes));
        begins_push(NULL, heap, &n, heard);
    }
    *out = heard;
    FREE(heap);
    return 0;
}

/* ---- volume ------------------------------------------------------------------------------------------ */

/* Bytes that some process sends at least; all together, as over one bus. Where the network copies, one message is
 * enough for what all must have. */
static double volume_sent(enum operation operation, double n, double m, bool all, bool copies)
{
    switch (operation) {
    case BROADCAST:
        return all && !copies ? (n - 1) * m : m;
    case REDUCE:
    case GATHER:
        return all ? (n - 1) * m : m;
    case SCATTER:
        return (n - 1) * m;
    case ALLGATHER:
    case ALLTOALL:
        return (all ? n : 1) * (copies && operation == ALLGATHER ? 1 : n - 1) * m;
    case REDUCE_SCATTER:
        return (n - 1) * m / (all ? 1 : n);
    case ALLREDUCE:
        return (copies ? n : 2 * (n - 1)) * m / (all ? 1 : n);
    default:
        return 0;
    }
}

/* ---- the network ------------------------------------------------------------------------------------- */

/* Bytes that enter a side of a cut with k processes, and not the root; of reduce and gather, leave it. */
static double crossing(enum operation operation, double n, double k, double m)
{
    switch (operation) {
    case BROADCAST:
    case REDUCE:
    case ALLREDUCE:
        return m;
    case GATHER:
    case SCATTER:
        return k * m;
    case ALLGATHER:
        return (n - k) * m;
    case REDUCE_SCATTER:
        return k * floor(m / n);
    case ALLTOALL:
        return k * (n - k) * m;
    default:
        return 0;
    }
}

/* All-to-all: seconds a byte of each pair. */
static void pairs_time(struct collective_cuts *c, const struct cost_network *w, const struct trunks *links)
{
    const double n = w->placement->n, half = floor(n / 2);
    struct topo_facts f;
    double all = 0;

    for (size_t k = 0; k < links->csr->m; k++)
        all += w->rate * trunks_bandwidth(links, k);
    c->pairs = c->rate.hops / all;
    topo_facts(&f, w->net);
    if (n == w->net->nterminal && cables_alike(&w->net->cables) && f.bisection > 0)
        c->pairs = fmax(c->pairs, 2 * half * (n - half) / (f.bisection * (w->net->directed ? 1 : 2) *
                        (w->net->cables.kind ? w->net->cables.kind->bandwidth : 1) * w->rate));
}

static double node_out(const struct trunks *links, int node, double rate)
{
    double sum = 0;

    for (size_t k = links->csr->first[node]; k < links->csr->first[node + 1]; k++)
        sum += rate * trunks_bandwidth(links, k);
    return sum;
}

/* What all processes' links carry, which processes share the root's node, and whether any node has several. */
static int nodes_look(struct collective_cuts *c, const struct trunks *links, int root, const struct cost_network *w,
                      struct err *err)
{
    const struct placement *place = w->placement;
    unsigned char *taken;

    if (TAKE("the bound", err, ZEROS(taken, w->net->n)) < 0)
        return -1;
    for (int p = 0; p < place->n; p++) {
        c->crowded = c->crowded || taken[place->node[p]];
        taken[place->node[p]] = 1;
        c->beside += place->node[p] == place->node[root];
        c->all_out += node_out(links, place->node[p], w->rate);
    }
    c->out = node_out(links, place->node[root], w->rate);
    FREE(taken);
    return 0;
}

/* Each link after the first is a cable more, or where that is quicker a message more of a process on the way; or a
 * step. */
static double way_time(double hops, const struct cost *cost, const struct cost_network *w)
{
    const double one = cost->kind->alone(cost, 0);

    return cost->kind->steps ? hops : hops > 0 ? one + (hops - 1) * fmin(one, w->cable) : 0;
}

int collective_cuts(struct collective_cuts *out, enum operation operation, int root, const struct cost *cost,
                    const struct cost_network *w, const struct tick *t, struct err *err)
{
    const int n = w->placement->n;
    struct collective_cuts c = { .directed = w->net->directed };
    struct broadcast_bound bound = { .steps = NAN };
    struct broadcast_reach reach = { 0 };
    struct trunks links = { 0 };
    bool flows;
    int ret = -1;

    if (trunks_open_net(&links, w->net, false, err) < 0 || nodes_look(&c, &links, root, w, err) < 0)
        goto done;
    flows = !c.crowded && (n * (double)links.csr->m <= COLLECTIVE_FLOWS || (w->net->group && n == w->net->n));
    if ((flows && broadcast_rate(&c.rate, w->net, w->placement, root, 0, 1, t, err) < 0) ||
        broadcast_reach(&reach, w->net, w->placement, root, err) < 0 ||
        (cost->kind->steps && operation == BROADCAST &&
         broadcast_bound(&bound, &reach, (struct broadcast_how){ 0, false }, err) < 0))
        goto done;
    if (flows && operation == ALLTOALL)
        pairs_time(&c, w, &links);
    c.rate.cut.capacity *= w->rate;
    c.rate.all_cut.capacity *= w->rate;
    c.broadcast_steps = bound.steps;
    c.far = way_time(reach.eccentricity, cost, w);
    c.across = way_time(c.rate.diameter, cost, w);
    *out = c;
    ret = 0;
done:
    broadcast_reach_release(&reach);
    trunks_release(&links);
    return ret;
}

/* ---- the largest ------------------------------------------------------------------------------------- */

static void bound_take(struct collective_bound *b, double time, const char *reason)
{
    if (time > 0 && !(time <= b->time))
        *b = (struct collective_bound){ time, reason };
}

/* Bytes over a cut of that capacity. */
static void bound_cut(struct collective_bound *b, const struct cost *cost, double bytes, double capacity)
{
    if (capacity > 0)
        bound_take(b, cost->before + bytes / capacity, "links");
}

static void bound_network(struct collective_bound *b, enum operation operation, const struct cost *cost, double m,
                          const struct collective_cuts *c)
{
    const double n = cost->n;
    const bool rooted = operation_rooted(operation),    /* ways to the root may be others than those from it */
        known = !c->directed || (operation != REDUCE && operation != GATHER);

    bound_take(b, c->broadcast_steps, "steps");
    bound_take(b, !rooted ? c->across : known ? c->far : NAN, "distance");
    if (cost->kind->steps || operation == BARRIER || !known)
        return;
    bound_cut(b, cost, crossing(operation, n, c->rate.cut.processes, m), c->rate.cut.capacity);
    if (c->beside < cost->n)
        bound_cut(b, cost, crossing(operation, n, n - c->beside, m), c->out);
    if (!c->crowded)
        bound_cut(b, cost, volume_sent(operation, n, m, true, cost->copies), c->all_out);
    if (!rooted)
        bound_cut(b, cost, crossing(operation, n, c->rate.all_cut.processes, m), c->rate.all_cut.capacity);
    if (operation == ALLTOALL)
        bound_take(b, c->pairs * m, "links");
}

int collective_bound(struct collective_bound *out, enum operation operation, int64_t bytes, const struct cost *cost,
                     const struct collective_cuts *cuts, struct err *err)
{
    const struct cost_kind *kind = cost->kind;
    const double m = operation == BARRIER ? 0 : (double)bytes, n = cost->n;
    struct collective_bound b = { NAN, NULL };
    double time;

    if (n > 1) {
        if (!(cuts && cuts->crowded)) {         /* within a node a message takes less than `alone` */
            if (growth(&time, cost, fmin(m, 1), err) < 0)
                return -1;
            bound_take(&b, time, "growth");
        }
        if (!kind->steps && !kind->network)
            bound_take(&b, kind->alone(cost, operation == GATHER && !kind->take ? (n - 1) * m :
                                       volume_sent(operation, n, m, kind->shared, cost->copies)), "volume");
    }
    if (n > 1 && cuts)
        bound_network(&b, operation, cost, m, cuts);
    *out = b;
    return 0;
}
