#include "analysis/broadcast/broadcast_all.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/mem.h"
#include "graph/distance/distances.h"

int broadcast_root(int root, int ranks, const struct placement *where, struct err *err)
{
    if (ranks != where->n)
        return err_set(err, ERR_DOMAIN, "a tree of %d ranks does not fit %d processes", ranks, where->n);
    if (root < 0 || root >= where->n)
        return err_set(err, ERR_DOMAIN, "root %d is not among processes 0 to %d", root, where->n - 1);
    return 0;
}

void broadcast_release(struct broadcast *b)
{
    free(b->received);
    *b = (struct broadcast){ 0 };
}

/* ---- flooding ---- */

/* Hops from `source` to every node; -1 out of reach. `sent`: messages in all. */
static int flood(int *hops, double *sent, const struct csr *c, int source, struct err *err)
{
    int *heard = malloc((size_t)c->n * sizeof *heard);          /* first the search's queue, then from whom */

    if (!heard)
        return err_memory(err);
    csr_bfs(c, source, hops, heard);
    for (int v = 0; v < c->n; v++)
        heard[v] = -1;
    for (int v = c->n - 1; v >= 0; v--)
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            if (hops[v] >= 0 && hops[c->to[e]] == hops[v] + 1)
                heard[c->to[e]] = v;
    *sent = 0;
    for (int v = 0; v < c->n; v++)
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            *sent += hops[v] >= 0 && c->to[e] != heard[v];
    free(heard);
    return 0;
}

static int farthest(double *most, const struct net *net, const int *hops, int source, struct err *err)
{
    char from[96], to[96];

    *most = 0;
    for (int i = 0; i < net->nterminal; i++) {
        int v = net_terminal(net, i);

        if (hops[v] < 0)
            return err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", net->spec,
                           net_label(net, source, from), net_label(net, v, to));
        *most = fmax(*most, hops[v]);
    }
    return 0;
}

/* An undirected group needs no graph: its nodes all have the same neighbours, relative to themselves. */
static int flood_group(int *hops, double *sent, const struct group *g, int source, struct err *err)
{
    const int back = group_negative(g, source);
    uint32_t *D = malloc((size_t)g->n * sizeof *D);
    double reached = 0;
    int ret = D ? group_distances(g, D, err) : err_memory(err);

    for (int v = 0; ret == 0 && v < g->n; v++) {
        uint32_t away = D[group_add(g, v, back)];

        hops[v] = away == UINT32_MAX ? -1 : (int)away;
        reached += away != UINT32_MAX;
    }
    *sent = reached * group_degree(g) - (reached - 1);
    free(D);
    return ret;
}

static int flood_graph(int *hops, double *sent, struct net *net, int source, struct err *err)
{
    const igraph_t *graph;
    struct csr csr = { 0 };
    int ret = -1;

    if (net_graph(net, &graph, err) < 0 ||
        mem_need(csr_init_bytes(graph) + (double)net->n * sizeof *hops, net->spec, err) < 0)
        return -1;
    if (csr_init(&csr, graph, false, err) == 0)
        ret = flood(hops, sent, &csr, source, err);
    csr_release(&csr);
    return ret;
}

int broadcast_flood(struct broadcast *out, struct net *net, const struct placement *where, int root, struct err *err)
{
    struct broadcast b = { .n = where->n };
    int *hops = NULL, ret = -1, source;

    if (broadcast_root(root, where->n, where, err) < 0 || broadcast_whole(net, err) < 0)
        return -1;
    source = where->node[root];
    if (TAKE(net->spec, err, ARRAY(hops, net->n), ARRAY(b.received, where->n)) < 0 ||
        (net->group && !net->directed ? flood_group(hops, &b.messages, net->group, source, err) :
                                        flood_graph(hops, &b.messages, net, source, err)) < 0 ||
        farthest(&b.makespan_steps, net, hops, source, err) < 0)
        goto done;
    for (int p = 0; p < where->n; p++)
        b.received[p] = hops[where->node[p]];
    b.serial_hops = b.messages;
    *out = b;
    ret = 0;
done:
    if (ret < 0)
        broadcast_release(&b);
    free(hops);
    return ret;
}

/* ---- comparison ---- */

static void add_row(struct broadcast_table *t, const char *name, struct broadcast *b)
{
    t->row[t->n++] = (struct broadcast_row){ .name = name, .serial_hops = b->serial_hops,
                                             .makespan_steps = b->makespan_steps };
    broadcast_release(b);
}

/* The least of the first `n` rows, and who attains it. */
static void crown(struct broadcast_table *t, size_t n)
{
    t->serial_hops = t->makespan_steps = INFINITY;
    for (size_t i = 0; i < n; i++) {
        t->serial_hops = fmin(t->serial_hops, t->row[i].serial_hops);
        t->makespan_steps = fmin(t->makespan_steps, t->row[i].makespan_steps);
    }
    for (size_t i = 0; i < n; i++) {
        t->row[i].fewest_serial = t->row[i].serial_hops <= t->serial_hops;
        t->row[i].fewest_makespan = t->row[i].makespan_steps <= t->makespan_steps;
    }
}

int broadcast_compare(struct broadcast_table *out, const struct tree *const *trees, const struct tree_shape *shape,
                      const struct placement *where, int root, struct routing *routing, struct broadcast_how how,
                      enum broadcast_flooding flooding, const struct tick *t, struct err *err)
{
    struct broadcast_table table = { 0 };
    struct broadcast b;
    size_t ntree = 0;

    while (trees[ntree])
        ntree++;
    if (TAKE("a broadcast", err, ZEROS(table.row, ntree + 1)) < 0)
        return -1;
    for (size_t i = 0; i < ntree; i++) {
        struct tick part = tick_step(t, i, ntree);

        if (shape[i].n == 0)
            continue;
        if (broadcast_run(&b, &shape[i], where, root, routing, how, NULL, &part, err) < 0)
            goto failed;
        add_row(&table, trees[i]->name, &b);
    }
    if (flooding != FLOODING_NONE) {
        if (broadcast_flood(&b, routing->net, where, root, err) < 0)
            goto failed;
        add_row(&table, "flooding", &b);
    }
    crown(&table, flooding == FLOODING_SHOWN ? table.n - 1 : table.n);
    *out = table;
    return 0;
failed:
    broadcast_table_release(&table);
    return -1;
}

void broadcast_table_release(struct broadcast_table *t)
{
    free(t->row);
    *t = (struct broadcast_table){ 0 };
}
