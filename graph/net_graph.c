/* The graph of a network (net.h), made on first need: from the steps of its group, or by its family. What is found in
 * it: links, cables and their ports. */
#include "graph/net.h"

#include <igraph.h>

#include "graph/topology/topo.h"

/* The Cayley graph of the group, edge by edge. */
static int build_cayley(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct group *g = net->group;
    size_t n = 0;
    igraph_integer_t *end = topo_ends((double)g->n * g->ngen, net, err);

    if (!end)
        return -1;
    for (int v = 0; v < g->n; v++)
        for (int i = 0; i < g->ngen; i++) {
            int w = group_add(g, v, g->gen[i]);

            if (!g->directed && w < v && group_negative(g, g->gen[i]) == g->gen[i])
                continue;               /* its own inverse: one cable, seen from its lower end */
            end[n++] = v;
            end[n++] = w;
        }
    return topo_from_edges(graph, end, n, net, err);
}

int net_graph(struct net *net, const igraph_t **graph, struct err *err)
{
    if (!net->has_graph) {
        if ((net->group ? build_cayley : net->topo->build)(&net->graph, net, err) < 0)
            return -1;
        net->has_graph = true;
        if (cables_of(net, err) < 0)
            return -1;
    }
    *graph = &net->graph;
    return 0;
}

double net_edges(struct net *net, struct err *err)
{
    const igraph_t *graph;

    if (net->group)
        return (double)net->n * group_degree(net->group) / (net->directed ? 1 : 2);
    if (net_graph(net, &graph, err) < 0)
        return -1;
    return (double)igraph_ecount(graph);
}

void net_ends(int end[2], const struct net *net, int64_t edge)
{
    end[0] = (int)IGRAPH_FROM(&net->graph, edge);
    end[1] = (int)IGRAPH_TO(&net->graph, edge);
}

int net_link(int64_t *edge, struct net *net, int from, int to, struct err *err)
{
    const igraph_t *graph;
    igraph_integer_t e = -1;
    char a[NET_LABEL], b[NET_LABEL];

    if (net_graph(net, &graph, err) < 0 ||
        net_status(igraph_get_eid(graph, &e, from, to, true, false), "looking for a link", err) < 0)
        return -1;
    if (e < 0)
        return err_set(err, ERR_USAGE, "there is no link from %s to %s", net_label(net, from, a), net_label(net, to,
                       b));
    *edge = e;
    return 0;
}

const char *net_port(const struct net *net, int64_t edge, int from)
{
    int end[2];

    if (!net->cables.port)
        return NULL;
    net_ends(end, net, edge);
    return net->cables.port[2 * edge + (from != end[!net->directed && end[1] < end[0]])];
}

int net_port_number(const struct net *net, int64_t edge, int from)
{
    const char *name = net_port(net, edge, from);
    int64_t number = 0;
    struct err ignored;

    return name && num_int(&number, name, 1, INT32_MAX, "port", &ignored) == 0 ? (int)number : 0;
}

int net_cables(int64_t **edge, int *n, struct net *net, int from, int to, struct err *err)
{
    const igraph_t *graph;
    igraph_vector_int_t between;
    int ret = -1;

    if (net_graph(net, &graph, err) < 0 ||
        net_status(igraph_vector_int_init(&between, 0), "looking for cables", err) < 0)
        return -1;
    if (net_status(igraph_get_all_eids_between(graph, &between, from, to, true), "looking for cables", err) < 0 ||
        TAKE("cables", err, ARRAY(*edge, igraph_vector_int_size(&between) + 1)) < 0)
        goto done;
    igraph_vector_int_sort(&between);
    *n = (int)igraph_vector_int_size(&between);
    for (int i = 0; i < *n; i++)
        (*edge)[i] = VECTOR(between)[i];
    ret = 0;
done:
    igraph_vector_int_destroy(&between);
    return ret;
}

/* Which of the edges is at a port, from 0; -1: none. */
static int net_at_port(const int64_t *edge, int n, const struct net *net, int from, const char *port)
{
    int64_t number = 0;
    struct err ignored;

    if (num_int(&number, port, 1, INT32_MAX, "port", &ignored) < 0)
        number = 0;
    for (int i = 0; i < n; i++) {
        const char *name = net_port(net, edge[i], from);

        if (name ? strcmp(name, port) == 0 : i + 1 == number)
            return i;
    }
    return -1;
}

int net_cable(int64_t *edge, int *cable, struct net *net, int from, int *to, const char *text, struct err *err)
{
    const char *colon = strrchr(text, ':');
    int64_t *between;
    char name[NET_LABEL];
    struct err ignored;
    char *node;
    int n, ret, at;

    *cable = 0;
    if (!colon || net_node(net, text, to, &ignored) == 0)
        return net_node(net, text, to, err) < 0 ? -1 : net_link(edge, net, from, *to, err);
    node = text_copy(text, (size_t)(colon - text));
    if (!node)
        return err_memory(err);
    ret = net_node(net, node, to, err);
    free(node);
    if (ret < 0 || net_link(edge, net, from, *to, err) < 0 || net_cables(&between, &n, net, from, *to, err) < 0)
        return -1;
    at = net_at_port(between, n, net, from, colon + 1);
    if (at >= 0) {
        *edge = between[at];
        *cable = at + 1;
    } else {
        ret = err_set(err, ERR_USAGE, "of the cables from %s to %.*s (%d) none is at port '%.60s'",
                      net_label(net, from, name), (int)(colon - text < 60 ? colon - text : 60), text,
                      n, colon + 1);
    }
    free(between);
    return ret;
}
