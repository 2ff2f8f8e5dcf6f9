#include "analysis/bound/path_lists.h"

#include <igraph.h>

#include "graph/distance/distances.h"
#include "graph/igraph_bytes.h"

struct room {
    size_t pairs, paths, links;
};

static int path_lists_begin(struct path_lists *p, const struct fold *f, struct room *room, struct err *err)
{
    *room = (struct room){ 0 };
    *p = (struct path_lists){ .nsource = f->nsource };
    return TAKE("the paths", err, ZEROS(p->source, f->nsource + 1), ZEROS(p->pair, 1), ZEROS(p->path, 1));
}

/* Where the n-th ends stands at [n], so lists of ends have one entry more. */
static int add_pair(struct path_lists *p, struct room *room, double amount, struct err *err)
{
    if (GROW(&room->pairs, p->npair + 2, "the paths", err, GROWN(p->amount), GROWN(p->pair)) < 0)
        return -1;
    p->amount[p->npair++] = amount;
    p->pair[p->npair] = p->npath;
    return 0;
}

static int add_path(struct path_lists *p, struct room *room, const struct fold *f, const struct csr *c, const int *node,
                    size_t nnode, struct err *err)
{
    size_t links = p->path[p->npath];

    if (GROW(&room->links, links + nnode, "the paths", err, GROWN(p->link)) < 0 ||
        GROW(&room->paths, p->npath + 2, "the paths", err, GROWN(p->path)) < 0)
        return -1;
    for (size_t k = 0; k + 1 < nnode; k++) {
        const size_t link = csr_link(c, node[k], node[k + 1]);

        if (link == c->m)
            return err_set(err, ERR_INTERNAL, "a path goes from node %d to node %d, where there is no link", node[k],
                           node[k + 1]);
        p->link[links++] = (int)fold_class(f, link);
    }
    p->path[++p->npath] = links;
    p->pair[p->npair] = p->npath;
    return 0;
}

static int no_path(const struct net *net, int source, int target, struct err *err)
{
    char a[96], b[96];

    return err_set(err, ERR_NETWORK, "there is no path from %s to %s in %.200s", net_label(net, source, a),
                   net_label(net, target, b), net->spec);
}

/* ---- the shortest ones ---- */

struct listing {                /* lists of the shortest paths */
    struct path_lists *p;
    struct room room;
    const struct fold *f;
    const struct net *net;
    const igraph_t *graph;
    const struct csr *c;
};

static int shortest_of_pair(struct listing *m, int source, int target, int most, struct err *err)
{
    igraph_vector_int_list_t found;
    int *node = malloc((size_t)m->net->n * sizeof *node), ret = -1;
    igraph_integer_t n;

    if (!node)
        return err_memory(err);
    if (net_status(igraph_vector_int_list_init(&found, 0), "paths", err) < 0) {
        free(node);
        return -1;
    }
    /* Without igraph's interruption handler: left in the middle, this search of igraph 0.10 crashes. */
    if (net_status(igraph_get_k_shortest_paths(m->graph, NULL, &found, NULL, most, source, target, IGRAPH_OUT), "paths",
                   err) < 0)
        goto done;
    n = igraph_vector_int_list_size(&found);
    if (n == 0) {
        no_path(m->net, source, target, err);
        goto done;
    }
    for (igraph_integer_t i = 0; i < n; i++) {
        const igraph_vector_int_t *path = igraph_vector_int_list_get_ptr(&found, i);
        const igraph_integer_t len = igraph_vector_int_size(path);

        for (igraph_integer_t k = 0; k < len; k++)
            node[k] = (int)VECTOR(*path)[k];
        if (add_path(m->p, &m->room, m->f, m->c, node, (size_t)len, err) < 0)
            goto done;
    }
    ret = 0;
done:
    igraph_vector_int_list_destroy(&found);
    free(node);
    return ret;
}

/* A copy with one edge for each pair of nodes: igraph lists a path once for each cable of a pair. */
static int joined_once(igraph_t *out, const igraph_t *graph, struct err *err)
{
    const double nodes = (double)igraph_vcount(graph), edges = (double)igraph_ecount(graph);

    if (mem_need(igraph_bytes_create(nodes, edges), "the paths", err) < 0 ||
        net_status(igraph_copy(out, graph), "paths", err) < 0)
        return -1;
    if (net_status(igraph_simplify(out, true, false, NULL), "paths", err) == 0)
        return 0;
    igraph_destroy(out);
    return -1;
}

int path_lists_fewest(struct path_lists *p, struct net *net, const struct fold *f, const struct demand *d, int most,
                      const struct tick *t, struct err *err)
{
    struct listing m = { .p = p, .f = f, .net = net };
    igraph_t simple;
    double *row = malloc((size_t)net->n * sizeof *row);
    int ret = -1;

    if (path_lists_begin(p, f, &m.room, err) < 0 || (!row && err_memory(err) < 0) ||
        net_graph(net, &m.graph, err) < 0 || csr_kept(&m.c, net, err) < 0)
        goto done;
    if (net->cables.parallel) {
        if (joined_once(&simple, m.graph, err) < 0)
            goto done;
        m.graph = &simple;
    }
    for (size_t i = 0; i < f->nsource; i++) {
        const int source = d->source[f->source[i]];

        demand_row(d, f->source[i], row);
        for (int v = 0; v < net->n; v++) {
            if (!(row[v] > 0))
                continue;
            if (tick_check(t, ((double)i + (double)v / net->n) / (double)f->nsource, err) < 0)
                goto done;
            if (add_pair(p, &m.room, row[v], err) < 0 || shortest_of_pair(&m, source, v, most, err) < 0)
                goto done;
        }
        p->source[i + 1] = p->npair;
    }
    ret = 0;
done:
    if (m.graph == &simple)
        igraph_destroy(&simple);
    free(row);
    if (ret < 0)
        path_lists_release(p);
    return ret;
}

/* ---- those of a routing ---- */

struct making {                 /* lists of a routing's ways */
    struct path_lists *p;
    struct room room;
    const struct fold *f;
    const struct demand *d;
    struct routing *routing;
    const struct csr *c;
    struct ways ways;
    struct route_path path;
};

/* All cables between two nodes are one to the program. */
static int no_ports(const struct making *m, struct err *err)
{
    char a[NET_LABEL];

    for (size_t i = 1; i < m->path.n; i++)
        if (m->path.cable[i])
            return err_set(err, ERR_USAGE, "routing '%.100s' names the cable that its paths take to %s: --paths knows "
                           "all cables between two nodes as one; --routing shows what it reaches", m->routing->spec,
                           net_label(m->d->net, m->path.node[i], a));
    return 0;
}

static int ways_of_pair(struct making *m, const char *stream, int source, int target, double amount, struct err *err)
{
    ways_clear(&m->ways);
    if (add_pair(m->p, &m->room, amount, err) < 0 ||
        m->routing->route->ways(&m->ways, m->routing, stream, source, target, err) < 0)
        return -1;
    if (m->ways.n == 0)
        return no_path(m->d->net, source, target, err);
    for (size_t k = 0; k < m->ways.n; k++)
        if (route_way(&m->path, m->routing, &m->ways, k, source, err) < 0 || no_ports(m, err) < 0 ||
            add_path(m->p, &m->room, m->f, m->c, m->path.node, m->path.n, err) < 0)
            return -1;
    return 0;
}

/* Streams each have ways of their own, even where their ends are the same. */
static int ways_of_source(struct making *m, size_t i, double *row, struct err *err)
{
    const struct traffic *t = m->d->traffic;
    const int source = m->d->source[m->f->source[i]];

    for (size_t k = 0; !t->matrix && k < t->nstream; k++)
        if (t->stream[k].source == source &&
            ways_of_pair(m, t->stream[k].name, source, t->stream[k].target, demand_stream(m->d, k), err) < 0)
            return -1;
    if (!t->matrix)
        return 0;
    demand_row(m->d, m->f->source[i], row);
    for (int v = 0; v < m->d->net->n; v++)
        if (row[v] > 0 && ways_of_pair(m, NULL, source, v, row[v], err) < 0)
            return -1;
    return 0;
}

int path_lists_ways(struct path_lists *p, struct fold *f, struct net *net, const struct demand *d,
                    const struct throughput_options *o, struct err *err)
{
    struct routing *routing = o->ways;
    const struct tick *t = o->tick;
    const struct tick telling = tick_part(t, 0, 0.5), listing = tick_part(t, routing->tell ? 0.5 : 0, 1);
    struct making m = { .p = p, .f = f, .d = d, .routing = routing };
    double *row = malloc((size_t)net->n * sizeof *row);
    const igraph_t *graph;
    bool alike;
    int ret = -1;

    *p = (struct path_lists){ 0 };
    *f = (struct fold){ 0 };
    if (!routing->route->ways) {
        err_set(err, ERR_USAGE, "routing '%.100s' chooses hop by hop: --paths takes routings with ways, such as "
                "metapath:SUPERNODE or table:FILE", routing->spec);
        goto done;
    }
    if ((!row && err_memory(err) < 0) || demand_tell(routing, 1, d->traffic, d->time, &telling, err) < 0)
        goto done;
    alike = !o->unfolded && net->group && routing->invariant && (d->uniform || d->traffic->invariant);
    if ((alike ? fold_by_steps(f, net, d, o->capacity, err) :
         fold_open(f, net, d, o->capacity, true, &listing, err)) < 0 ||
        path_lists_begin(p, f, &m.room, err) < 0 || net_graph(net, &graph, err) < 0 ||
        csr_kept(&m.c, net, err) < 0)
        goto done;
    for (size_t i = 0; i < f->nsource; i++) {
        if (tick_check(&listing, (double)i / (double)f->nsource, err) < 0)
            goto done;
        if (ways_of_source(&m, i, row, err) < 0)
            goto done;
        p->source[i + 1] = p->npair;
    }
    ret = 0;
done:
    free(row);
    ways_release(&m.ways);
    route_path_release(&m.path);
    if (ret < 0) {
        path_lists_release(p);
        fold_close(f);
    }
    return ret;
}

size_t path_lists_cheapest(double *cost, const struct path_lists *p, size_t k, const double *length)
{
    size_t best = p->pair[k];

    *cost = INFINITY;
    for (size_t path = p->pair[k]; path < p->pair[k + 1]; path++) {
        double along = 0;

        for (size_t x = p->path[path]; x < p->path[path + 1]; x++)
            along += length[p->link[x]];
        if (along < *cost) {
            *cost = along;
            best = path;
        }
    }
    return best;
}

void path_lists_release(struct path_lists *p)
{
    FREE(p->source, p->amount, p->pair, p->path, p->link);
    *p = (struct path_lists){ 0 };
}
