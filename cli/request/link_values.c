#include "cli/request/link_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"

int link_values_open(struct link_values *l, struct net *net, struct err *err)
{
    const igraph_t *graph;

    *l = (struct link_values){ .net = net };
    if (net_graph(net, &graph, err) < 0)
        return -1;
    l->nedge = (size_t)igraph_ecount(graph);
    l->v = malloc((2 * l->nedge + 1) * sizeof *l->v);
    l->rows = net->cables.parallel ? calloc(2 * l->nedge + 1, sizeof *l->rows) : NULL;
    if (!l->v || (net->cables.parallel && !l->rows))
        return err_memory(err);
    for (size_t i = 0; i < 2 * l->nedge; i++)
        l->v[i] = NAN;
    return 0;
}

/* The larger value; NaN gives way. */
static void put_edge(struct link_values *l, int64_t edge, bool down, double value)
{
    for (size_t back = 0; back < 2; back++)
        if (l->net->directed || back == down)
            l->v[2 * (size_t)edge + back] = fmax(l->v[2 * (size_t)edge + back], value);
}

static bool at_port(const struct net *net, int64_t edge, int from, const char *port, int nth)
{
    const bool end = IGRAPH_FROM(&net->graph, edge) == from;
    const bool higher = net->directed ? !end : from > (end ? IGRAPH_TO(&net->graph, edge) : IGRAPH_FROM(&net->graph, edge));
    struct err ignored;
    int64_t number;

    if (net->cables.port && net->cables.port[2 * edge + higher])
        return strcmp(net->cables.port[2 * edge + higher], port) == 0;
    return num_int(&number, port, 1, INT32_MAX, "port", &ignored) == 0 && number == nth;
}

int link_values_put(struct link_values *l, int from, int to, const char *port, double value, struct err *err)
{
    const bool down = from > to;
    igraph_vector_int_t edge;
    char name[2][NET_LABEL];
    int64_t first;
    int ret = -1;

    if (net_link(&first, l->net, from, to, err) < 0)
        return -1;
    if (!l->rows && (!port || !*port)) {
        put_edge(l, first, down, value);
        return 0;
    }
    if (net_status(igraph_vector_int_init(&edge, 0), "parallel cables", err) < 0)
        return -1;
    if (net_status(igraph_get_all_eids_between(&l->net->graph, &edge, from, to, l->net->directed), "parallel cables",
                   err) < 0)
        goto done;
    igraph_vector_int_sort(&edge);
    if (port && *port) {
        for (igraph_integer_t i = 0; ret < 0 && i < igraph_vector_int_size(&edge); i++)
            if (at_port(l->net, VECTOR(edge)[i], from, port, (int)i + 1)) {
                put_edge(l, VECTOR(edge)[i], down, value);
                ret = 0;
            }
        if (ret < 0)
            err_set(err, ERR_USAGE, "of the cables from %s to %s (%lld) none is at port '%.60s'",
                    net_label(l->net, from, name[0]), net_label(l->net, to, name[1]),
                    (long long)igraph_vector_int_size(&edge), port);
        goto done;
    }
    first = l->rows[2 * VECTOR(edge)[0] + down]++;
    put_edge(l, VECTOR(edge)[first < igraph_vector_int_size(&edge) ? first : igraph_vector_int_size(&edge) - 1], down,
             value);
    ret = 0;
done:
    igraph_vector_int_destroy(&edge);
    return ret;
}

/* One row for several cables is about each of them. */
static int spread_single(struct link_values *l, struct err *err)
{
    igraph_vector_int_t edge;
    int ret = 0;

    if (net_status(igraph_vector_int_init(&edge, 0), "parallel cables", err) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < 2 * l->nedge; i++) {
        const igraph_integer_t e = (igraph_integer_t)(i / 2);

        if (l->rows[i] != 1)
            continue;
        ret = net_status(igraph_get_all_eids_between(&l->net->graph, &edge, IGRAPH_FROM(&l->net->graph, e),
                         IGRAPH_TO(&l->net->graph, e), l->net->directed), "parallel cables", err);
        for (igraph_integer_t k = 0; ret == 0 && k < igraph_vector_int_size(&edge); k++)
            put_edge(l, VECTOR(edge)[k], i % 2, l->v[i]);
    }
    igraph_vector_int_destroy(&edge);
    return ret;
}

int link_values_end(struct link_values *l, struct err *err)
{
    const int ret = l->rows ? spread_single(l, err) : 0;

    free(l->rows);
    l->rows = NULL;
    for (size_t e = 0, n = cables_uneven(&l->net->cables, l->nedge) ? 0 : l->nedge; e < n; e++)
        l->v[2 * e] = l->v[2 * e + 1] = fmax(l->v[2 * e], l->v[2 * e + 1]);
    return ret;
}

int link_values_own(double **out, struct net *net, bool bandwidth, struct err *err)
{
    const struct cables *c = &net->cables;
    const igraph_t *graph;
    size_t n;

    if (net_graph(net, &graph, err) < 0)
        return -1;
    n = 2 * (size_t)igraph_ecount(graph);
    *out = malloc((n + 1) * sizeof **out);
    if (!*out)
        return err_memory(err);
    for (size_t i = 0; i < n; i++) {
        const struct link_kind k = c->kind ? c->kind[c->of ? c->of[i] : 0] : (struct link_kind){ 1, 0 };

        (*out)[i] = bandwidth ? k.bandwidth : k.length;
    }
    return 0;
}
