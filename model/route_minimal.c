/* Minimal paths whose next node is the smallest. A search from the target, against the links, level by level,
 * ends where a neighbour of the node asked about is reached, and is kept until another target is asked for. */
#include <stdlib.h>

#include "graph/base/mem.h"
#include "graph/distances.h"
#include "model/route.h"

struct search {
    struct csr ahead, behind;       /* links as they are, and turned round: the same arrays where undirected */
    bool directed;
    int target;                     /* -1: none yet */
    int *hops;                      /* to the target; -1 not reached so far */
    int *queue;                     /* the nodes reached, in order; those before `head` have been left */
    int head, tail;
};

static bool fits(const struct net *net)
{
    (void)net;
    return true;
}

static void release(struct routing *r)
{
    struct search *s = r->state;

    if (s) {
        csr_release(&s->ahead);
        if (s->directed)
            csr_release(&s->behind);
        free(s->hops);
        free(s->queue);
        free(s);
    }
    r->state = NULL;
}

static int init(struct search *s, struct net *net, struct err *err)
{
    const igraph_t *graph;
    const size_t n = (size_t)net->n;

    s->target = -1;
    if (net_graph(net, &graph, err) < 0 ||
        mem_need(4.0 * (double)igraph_ecount(graph) * sizeof(int) + 24.0 * net->n, "minimal paths", err) < 0)
        return -1;
    s->hops = malloc(n * sizeof *s->hops);
    s->queue = malloc(n * sizeof *s->queue);
    if (!s->hops || !s->queue)
        return err_memory(err);
    for (size_t v = 0; v < n; v++)
        s->hops[v] = -1;
    if (csr_init(&s->ahead, graph, false, err) < 0)
        return -1;
    if (!net->directed) {
        s->behind = s->ahead;
        return 0;
    }
    s->directed = true;
    return csr_init(&s->behind, graph, true, err);
}

static int open(struct routing *r, const struct spec *spec, struct err *err)
{
    if (spec_no_params(spec, err) < 0)
        return -1;
    r->state = calloc(1, sizeof(struct search));
    if (!r->state)
        return err_memory(err);
    if (init(r->state, r->net, err) < 0) {
        release(r);
        return -1;
    }
    return 0;
}

static void retarget(struct search *s, int target)
{
    while (s->tail > 0)
        s->hops[s->queue[--s->tail]] = -1;
    s->head = 0;
    s->queue[s->tail++] = target;
    s->hops[target] = 0;
    s->target = target;
}

/* One more level. Between calls every node up to the level of queue[head] is reached, and none beyond. */
static void search_level(struct search *s)
{
    const struct csr *c = &s->behind;
    const int end = s->tail;

    while (s->head < end) {
        int v = s->queue[s->head++];

        for (size_t i = c->first[v]; i < c->first[v + 1]; i++)
            if (s->hops[c->to[i]] < 0) {
                s->hops[c->to[i]] = s->hops[v] + 1;
                s->queue[s->tail++] = c->to[i];
            }
    }
}

/* The smallest neighbour nearer to the target, as far as the search knows; -1 for none. A node not reached is
 * at least one hop beyond the last level: any neighbour that is reached is nearer. */
static int nearer(const struct search *s, int node)
{
    const struct csr *c = &s->ahead;
    const int hops = s->hops[node];

    if (hops == 1)
        return s->target;
    for (size_t i = c->first[node]; i < c->first[node + 1]; i++)    /* `to` ascends */
        if (hops < 0 ? s->hops[c->to[i]] >= 0 : s->hops[c->to[i]] == hops - 1)
            return c->to[i];
    return -1;
}

static int next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err)
{
    char name[2][96];
    struct search *s = r->state;

    (void)in;
    if (s->target != target)
        retarget(s, target);
    *n = 1;
    hop->share = 1;
    while ((hop->node = nearer(s, node)) < 0 && s->head < s->tail)
        search_level(s);
    if (hop->node < 0)
        return err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", r->net->spec,
                       net_label(r->net, node, name[0]), net_label(r->net, target, name[1]));
    return 0;
}

const struct route route_minimal = {
    .name = "minimal",
    .synopsis = "minimal",
    .summary = "a shortest path; among the next nodes of such paths, the smallest",
    .source = "breadth-first search from the target",
    .minimal = true,
    .fits = fits,
    .needs = "",
    .open = open,
    .close = release,
    .next = next
};
