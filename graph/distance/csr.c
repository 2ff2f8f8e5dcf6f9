#include <igraph.h>

#include "graph/base/bisect.h"
#include "graph/distance/sweep.h"
#include "graph/distance/towards.h"

#define AHEAD 4                     /* nodes, between two steps of what is fetched */

static int csr_alloc(struct csr *c, int n, size_t m, struct err *err)
{
    *c = (struct csr){ .n = n, .m = m };
    return TAKE("the compressed graph", err, ZEROS(c->first, (size_t)n + 1), ARRAY(c->to, m));
}

void csr_release(struct csr *c)
{
    FREE(c->first, c->to);
    *c = (struct csr){ .n = 0 };
}

/* From counts (first[v + 1] = links out of v) to beginnings. */
static void add_up(struct csr *c)
{
    for (int v = 0; v < c->n; v++)
        c->first[v + 1] += c->first[v];
}

/* Filling moves first[v] to where v ends, which is where v + 1 begins: shift back. */
static void move_back(struct csr *c)
{
    memmove(c->first + 1, c->first, (size_t)c->n * sizeof *c->first);
    c->first[0] = 0;
}

int csr_reverse(struct csr *r, const struct csr *c, struct err *err)
{
    if (csr_alloc(r, c->n, c->m, err) < 0)
        return -1;
    for (size_t e = 0; e < c->m; e++)
        r->first[c->to[e] + 1]++;
    add_up(r);
    for (int v = 0; v < c->n; v++)          /* tails in ascending order: so are the lists */
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            r->to[r->first[c->to[e]]++] = v;
    move_back(r);
    return 0;
}

bool csr_same(const struct csr *a, const struct csr *b)
{
    return a->n == b->n && a->m == b->m && memcmp(a->first, b->first, ((size_t)a->n + 1) * sizeof *a->first) == 0 &&
        memcmp(a->to, b->to, a->m * sizeof *a->to) == 0;
}

/* Equal entries of a node stand together: they become one. */
static void csr_join_parallel(struct csr *c)
{
    size_t kept = 0, e = 0;

    while (e < c->m && !(e > 0 && c->to[e] == c->to[e - 1]))        /* hardly a network has any */
        e++;
    if (e == c->m)
        return;
    e = 0;
    for (int v = 0; v < c->n; v++) {
        const size_t end = c->first[v + 1], first = kept;

        for (; e < end; e++)
            if (kept == first || c->to[kept - 1] != c->to[e])
                c->to[kept++] = c->to[e];
        c->first[v + 1] = kept;
    }
    c->m = kept;
}

double csr_bytes(const struct csr *c)
{
    return ((double)c->n + 1) * sizeof *c->first + (double)c->m * sizeof *c->to;
}

double csr_init_bytes(const igraph_t *graph)
{
    const struct csr c =
        { .n = (int)igraph_vcount(graph), .m = (size_t)igraph_ecount(graph) * (igraph_is_directed(graph) ? 1 : 2) };

    return 2 * csr_bytes(&c);
}

int csr_init_each(struct csr *c, const igraph_t *graph, bool reverse, struct err *err)
{
    const igraph_integer_t n = igraph_vcount(graph), edges = igraph_ecount(graph);
    const bool directed = igraph_is_directed(graph);
    const bool turn = reverse && directed;
    struct csr turned = { .n = 0 };
    int ret;

    *c = (struct csr){ .n = 0 };
    if (n > INT_MAX - DIST_BLOCK)
        return err_set(err, ERR_NETWORK, "%lld nodes are more than distances are computed for (%d)", (long long)n,
                       INT_MAX - DIST_BLOCK);
    if (csr_alloc(&turned, (int)n, (size_t)edges * (directed ? 1 : 2), err) < 0)
        return -1;
    /* Every link turned round, in any order; reversing then sorts as it goes. */
    for (igraph_integer_t e = 0; e < edges; e++) {
        turned.first[(turn ? IGRAPH_FROM(graph, e) : IGRAPH_TO(graph, e)) + 1]++;
        if (!directed)
            turned.first[IGRAPH_FROM(graph, e) + 1]++;
    }
    add_up(&turned);
    for (igraph_integer_t e = 0; e < edges; e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);

        turned.to[turned.first[turn ? from : to]++] = turn ? to : from;
        if (!directed)
            turned.to[turned.first[from]++] = to;
    }
    move_back(&turned);
    ret = csr_reverse(c, &turned, err);
    csr_release(&turned);
    return ret;
}

int csr_init(struct csr *c, const igraph_t *graph, bool reverse, struct err *err)
{
    if (csr_init_each(c, graph, reverse, err) < 0)
        return -1;
    csr_join_parallel(c);
    return 0;
}

/* Of a group, node by node, each list in order. */
static int csr_group(struct csr *c, const struct group *g, struct err *err)
{
    const size_t degree = (size_t)group_degree(g);
    int *step;

    if (TAKE("the steps of a network", err, ARRAY(step, degree + 1)) < 0 ||
        csr_alloc(c, g->n, (size_t)g->n * degree, err) < 0) {
        free(step);
        return -1;
    }
    group_steps(g, step, NULL);
    for (int v = 0; v < g->n; v++) {
        int *to = c->to + (size_t)v * degree;

        c->first[v + 1] = (size_t)(v + 1) * degree;
        for (size_t i = 0; i < degree; i++) {
            const int u = group_add(g, v, step[i]);
            size_t at = i;

            for (; at > 0 && to[at - 1] > u; at--)
                to[at] = to[at - 1];
            to[at] = u;
        }
    }
    free(step);
    return 0;
}

static int csr_net(struct csr *c, struct net *net, struct err *err)
{
    const igraph_t *graph;

    if (net->group)
        return csr_group(c, net->group, err);
    return net_graph(net, &graph, err) < 0 || mem_need(csr_init_bytes(graph), net->spec, err) < 0 ? -1 :
        csr_init(c, graph, false, err);
}

static void kept_close(struct hops *h)
{
    csr_release(&h->ahead);
    free(h);
}

int csr_kept(const struct csr **out, struct net *net, struct err *err)
{
    int ret = 0;

#pragma omp critical(hops)
    if (!net->hops) {
        struct hops *h = calloc(1, sizeof *h);

        ret = h ? csr_net(&h->ahead, net, err) : err_memory(err);
        if (ret < 0)
            free(h);
        else
            net->hops = h;
        net->hops_close = kept_close;
    }
    *out = ret < 0 ? NULL : &net->hops->ahead;
    return ret;
}

size_t csr_link(const struct csr *c, int from, int to)
{
    size_t at;

    BISECT(at, c->first[from], c->first[from + 1], i, c->to[i] < to);
    return at < c->first[from + 1] && c->to[at] == to ? at : c->m;
}

/* Whether a node is new is not branched upon, since hardly anybody could guess it; none is once all are in the queue. */
/* What is scattered in memory is fetched before its turn. */
void csr_bfs(const struct csr *c, int source, int *hops, int *queue)
{
    const int n = c->n;
    int head = 0, tail = 0;

    memset(hops, -1, (size_t)n * sizeof *hops);
    hops[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const int v = queue[head++], further = hops[v] + 1;

        if (head + 3 * AHEAD < tail) {
            const int *const soon = queue + head;

            __builtin_prefetch(&c->first[soon[3 * AHEAD]]);
            __builtin_prefetch(&c->to[c->first[soon[2 * AHEAD]]]);
            for (size_t e = c->first[soon[AHEAD]], end = c->first[soon[AHEAD] + 1]; e < end; e++)
                __builtin_prefetch(&hops[c->to[e]], 1);
        }
        for (size_t e = c->first[v], end = c->first[v + 1]; e < end && tail < n; e++) {
            const int u = c->to[e], known = hops[u];

            queue[tail] = u;
            tail += known < 0;
            hops[u] = known < 0 ? further : known;
        }
    }
}

size_t csr_leaves(unsigned char *leaf, const struct csr *c)
{
    size_t many = 0;

    for (int v = 0; v < c->n; v++) {
        const int u = c->first[v + 1] - c->first[v] == 1 ? c->to[c->first[v]] : v;

        leaf[v] = u != v && (c->first[u + 1] - c->first[u] > 1 || u < v);
        many += leaf[v];
    }
    return many;
}

int csr_core(struct csr *core, int *at, const unsigned char *leaf, const struct csr *c, struct err *err)
{
    int n = 0;

    for (int v = 0; v < c->n; v++)
        if (!leaf[v])
            at[v] = n++;
    for (int v = 0; v < c->n; v++)
        if (leaf[v])
            at[v] = at[c->to[c->first[v]]];
    *core = (struct csr){ .n = n };
    if (TAKE("distances", err, ARRAY(core->first, (size_t)n + 1), ARRAY(core->to, c->m + 1)) < 0)
        return -1;
    for (int v = 0; v < c->n; v++) {
        if (leaf[v])
            continue;
        core->first[at[v]] = core->m;
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            if (!leaf[c->to[e]])
                core->to[core->m++] = at[c->to[e]];
    }
    core->first[n] = core->m;
    return 0;
}
