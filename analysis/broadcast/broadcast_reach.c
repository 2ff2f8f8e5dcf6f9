/* broadcast_reach.c -- what bounds of broadcasts have to know of a network (broadcast_bound.h).
 * 1. undirected   a least spanning tree of the processes under distances (sight.h)
 * 2. directed     a least arborescence from the root (Chu and Liu 1965, Edmonds 1967)
 * 3. reach        distances, links of processes, and nodes that messages pass through */
#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/broadcast_all.h"
#include "graph/distance/distances.h"
#include "model/process/sight.h"

/* ---- undirected ---- */

static int spanning_tree(struct broadcast_reach *r, struct net *net, const struct placement *where, struct err *err)
{
    const struct tree_scene scene = { .net = net, .where = where, .hop = 1 };
    struct sight_join *join = NULL;
    struct sight s;
    int ret;

    if (sight_open(&s, &scene, err) < 0)
        return -1;
    ret = sight_spanning(&join, &s, err);
    for (int i = 0; ret == 0 && i < where->n - 1; i++)
        r->hops += join[i].way;
    if (ret == 0)
        r->nearest = (int)join[0].way;
    free(join);
    sight_close(&s);
    return ret;
}

/* ---- directed ---- */

#define OUT_OF_REACH ((int64_t)1 << 40)

struct arborescence {
    int n, root;                    /* as contracted so far */
    int64_t *hops;                  /* n x n, from row to column, less what was paid already */
    int64_t *least;
    int *from, *label, *seen;
};

static void cheapest_in(struct arborescence *a)
{
    for (int v = 0; v < a->n; v++) {
        a->least[v] = INT64_MAX;
        for (int u = 0; u < a->n; u++)
            if (u != v && a->hops[(size_t)u * (size_t)a->n + (size_t)v] < a->least[v]) {
                a->least[v] = a->hops[(size_t)u * (size_t)a->n + (size_t)v];
                a->from[v] = u;
            }
    }
    a->least[a->root] = 0;
}

/* Gives nodes of a circle of cheapest links one label, the others one each; how many there are. */
static int label_circles(struct arborescence *a, bool *circle)
{
    int labels = 0;

    *circle = false;
    for (int v = 0; v < a->n; v++)
        a->label[v] = a->seen[v] = -1;
    for (int v = 0; v < a->n; v++) {
        int u = v;

        while (u != a->root && a->seen[u] != v && a->label[u] < 0) {
            a->seen[u] = v;
            u = a->from[u];
        }
        if (u != a->root && a->label[u] < 0) {
            for (int w = a->from[u]; w != u; w = a->from[w])
                a->label[w] = labels;
            a->label[u] = labels++;
            *circle = true;
        }
    }
    for (int v = 0; v < a->n; v++)
        if (a->label[v] < 0)
            a->label[v] = labels++;
    return labels;
}

static int contract(struct arborescence *a, int labels, struct err *err)
{
    int64_t *hops = malloc((size_t)labels * (size_t)labels * sizeof *hops);

    if (!hops)
        return err_memory(err);
    for (size_t i = 0; i < (size_t)labels * (size_t)labels; i++)
        hops[i] = OUT_OF_REACH;
    for (int u = 0; u < a->n; u++)
        for (int v = 0; v < a->n; v++) {
            int64_t *to = &hops[(size_t)a->label[u] * (size_t)labels + (size_t)a->label[v]];
            const int64_t left = a->hops[(size_t)u * (size_t)a->n + (size_t)v] - a->least[v];

            if (a->label[u] != a->label[v] && left < *to)
                *to = left;
        }
    free(a->hops);
    a->hops = hops;
    a->root = a->label[a->root];
    a->n = labels;
    return 0;
}

static int arborescence(struct broadcast_reach *r, const struct csr *c, const struct placement *where, int root,
                        struct err *err)
{
    const size_t n = (size_t)where->n;
    struct arborescence a = { .n = where->n, .root = root };
    int *hops, *queue, ret = -1;
    bool circle = n > 1;

    if (TAKE("the least tree of processes", err, ARRAY(hops, c->n), ARRAY(queue, c->n), ARRAY(a.hops, n * n),
             ARRAY(a.least, n), ARRAY(a.from, n), ARRAY(a.label, n), ARRAY(a.seen, n)) < 0)
        return -1;
    r->nearest = c->n;
    for (size_t u = 0; u < n; u++) {
        csr_bfs(c, where->node[u], hops, queue);
        for (size_t v = 0; v < n; v++) {
            const int h = hops[where->node[v]];

            a.hops[u * n + v] = h < 0 ? OUT_OF_REACH : h;
            if (u != v && h >= 0 && h < r->nearest)
                r->nearest = h;
        }
    }
    while (circle) {
        int labels;

        cheapest_in(&a);
        for (int v = 0; v < a.n; v++)
            r->hops += (double)a.least[v];
        labels = label_circles(&a, &circle);
        if (circle && contract(&a, labels, err) < 0)
            goto done;
    }
    ret = 0;
done:
    FREE(hops, queue, a.hops, a.least, a.from, a.label, a.seen);
    return ret;
}

/* ---- reach ---- */

/* Nodes all alike, a process on each: nothing has to be looked for. */
static int reach_group(struct broadcast_reach *r, const struct net *net, struct err *err)
{
    uint32_t *D = malloc((size_t)net->n * sizeof *D);
    const int degree = group_degree(net->group);
    int ret = D ? group_distances(net->group, D, err) : err_memory(err);

    for (int v = 0; ret == 0 && v < net->n; v++) {
        r->eccentricity = fmax(r->eccentricity, D[v] == UINT32_MAX ? INFINITY : (double)D[v]);
        r->links[v] = degree;
    }
    free(D);
    if (ret == 0 && isinf(r->eccentricity))
        return err_set(err, ERR_NETWORK, "%.200s is not connected: no broadcast reaches every process", net->spec);
    r->farthest = r->eccentricity;
    r->hops = r->n - 1;
    return ret;
}

static int reach_distances(struct broadcast_reach *r, const struct net *net, const struct csr *c,
                           const struct placement *where, int root, struct err *err)
{
    int *hops, *queue, ret = 0;
    char from[NET_LABEL], to[NET_LABEL];

    if (TAKE("the least tree of processes", err, ARRAY(hops, c->n), ARRAY(queue, c->n)) < 0)
        return -1;
    csr_bfs(c, where->node[root], hops, queue);
    for (int p = 0; ret == 0 && p < where->n; p++) {
        r->eccentricity = fmax(r->eccentricity, hops[where->node[p]]);
        if (hops[where->node[p]] < 0)
            ret = err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", net->spec,
                          net_label(net, where->node[root], from), net_label(net, where->node[p], to));
    }
    for (int i = 0; i < net->nterminal && !isnan(r->farthest); i++)
        r->farthest = hops[net_terminal(net, i)] < 0 ? NAN : fmax(r->farthest, hops[net_terminal(net, i)]);
    FREE(hops, queue);
    return ret;
}

/* Links of processes, and what passes through others: a message a terminal that has several neighbours, as many as
 * links pass between switches. */
static int reach_links(struct broadcast_reach *r, struct net *net, const struct csr *c, const struct placement *where,
                       int root, struct err *err)
{
    unsigned char *taken = calloc((size_t)c->n, 1), *terminal = malloc((size_t)c->n);
    struct trunks t = { 0 };
    int ret = taken && terminal ? 0 : err_memory(err);

    if (ret < 0 || (net->terminal && trunks_open(&t, net, c, false, err) < 0)) {
        FREE(taken, terminal);
        return -1;
    }
    memset(terminal, !net->terminal, (size_t)c->n);
    for (int i = 0; i < net->nterminal; i++)
        terminal[net_terminal(net, i)] = 1;
    for (int p = 0; p < where->n; p++) {
        const int v = where->node[p];
        int64_t messages = 0;

        taken[v] = 1;
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            messages += terminal[c->to[e]] ? 1 : broadcast_messages(&t, e);
        r->links[p] = (int)fmin((double)messages, INT_MAX);
    }
    for (int v = 0; v < c->n; v++) {                /* directed: a link in and a link out */
        r->through += terminal[v] && !taken[v] && c->first[v + 1] - c->first[v] >= (r->directed ? 1 : 2);
        for (size_t e = c->first[v]; !terminal[v] && e < c->first[v + 1]; e++)
            r->through += terminal[c->to[e]] ? 0 : broadcast_messages(&t, e);
    }
    trunks_release(&t);
    FREE(taken, terminal);
    if (root) {
        const int own = r->links[root];

        r->links[root] = r->links[0];
        r->links[0] = own;
    }
    qsort(r->links + 1, (size_t)r->n - 1, sizeof *r->links, broadcast_descending);
    return 0;
}

static int reach_graph(struct broadcast_reach *r, struct net *net, const struct placement *where, int root,
                       struct err *err)
{
    const struct csr *c;
    int ret = csr_kept(&c, net, err) < 0 || reach_distances(r, net, c, where, root, err) < 0 ||
        reach_links(r, net, c, where, root, err) < 0 ? -1 : 0;

    if (ret == 0 && r->n < net->n && r->n > 1 && !net->directed)
        ret = spanning_tree(r, net, where, err);
    else if (ret == 0 && r->n < net->n && r->n > 1 && r->n <= BROADCAST_ARBORESCENCE)
        ret = arborescence(r, c, where, root, err);
    else                            /* where every node has a process, one hop is enough for each */
        r->hops = r->n - 1;
    return ret;
}

int broadcast_reach(struct broadcast_reach *out, struct net *net, const struct placement *where, int root,
                    struct err *err)
{
    struct err crowded;
    struct broadcast_reach r =
        { .n = where->n, .nodes = net->n, .terminals = net->nterminal, .directed = net->directed,
          .switched = net->terminal, .nearest = 1,
          .narrow = broadcast_narrow(net) };

    if (broadcast_root(root, where->n, where, err) < 0 || TAKE(net->spec, err, ARRAY(r.links, r.n)) < 0)
        return -1;
    if ((net->group && r.n == net->n && placement_single(where, net, &crowded) == 0 ? reach_group(&r, net, err) :
         reach_graph(&r, net, where, root, err)) < 0) {
        broadcast_reach_release(&r);
        return -1;
    }
    *out = r;
    return 0;
}

void broadcast_reach_release(struct broadcast_reach *r)
{
    free(r->links);
    *r = (struct broadcast_reach){ 0 };
}
