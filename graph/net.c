/* A spec or a path becomes a spec, its family opens it (open_spec), and what the family left is checked against
 * what all others rely on (net_check): sizes, lines, group, terminals, names. Names are sorted, so that nodes are
 * found by them. The graph of a network with a group is built from its steps on first need, that of others by the
 * family. Below: what coordinates and jumps mean (dimensions, lines, units), and labels of nodes, made and read. */
#include "graph/net.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/base/bisect.h"
#include "graph/base/mem.h"
#include "graph/base/num.h"
#include "graph/base/text.h"
#include "graph/topology/topo.h"

/* A bare path stands for file:PATH: it has a slash, a dot, or is there; - is standard input. */
static bool is_path(const char *text)
{
    const size_t len = strcspn(text, ",");
    char path[PATH_MAX];

    if (strcspn(text, "/.") < len || (len == 1 && *text == '-'))
        return true;
    snprintf(path, sizeof path, "%.*s", (int)(len < sizeof path ? len : 0), text);     /* no path is longer */
    return access(path, F_OK) == 0;
}

static int by_name(const void *a, const void *b, void *names)
{
    const int v = *(const int *)a, w = *(const int *)b;
    char **name = names;
    const int order = strcmp(name[v], name[w]);

    return order ? order : (v > w) - (v < w);
}

static int sort_names(struct net *net, struct err *err)
{
    if (TAKE("names of nodes", err, ARRAY(net->by_name, net->n)) < 0)
        return -1;
    for (int v = 0; v < net->n; v++)
        net->by_name[v] = v;
    qsort_r(net->by_name, (size_t)net->n, sizeof *net->by_name, by_name, net->name);
    return 0;
}

static int net_wrong(const struct net *net, struct err *err, const char *what)
{
    return err_set(err, ERR_INTERNAL, "topology %s left %.200s: %s", net->topo->name,
                   net->spec ? net->spec : "a network", what);
}

/* Steps must differ and lead somewhere, or edges are counted twice. */
static int net_check_steps(const struct net *net, struct err *err)
{
    const struct group *g = net->group;
    int *step, degree;
    bool twice = false;

    for (int i = 0; i < g->ngen; i++)
        if (g->gen[i] < 1 || g->gen[i] >= g->n)
            return net_wrong(net, err, "a generator of the group is not one of its elements, or the neutral one");
    if (g->unit)
        return 0;
    degree = group_degree(g);
    if (TAKE("steps of a group", err, ARRAY(step, degree)) < 0)
        return -1;
    group_steps(g, step, NULL);
    qsort(step, (size_t)degree, sizeof *step, num_ascending);
    for (int i = 1; i < degree; i++)
        twice = twice || step[i] == step[i - 1];
    free(step);
    return twice ? net_wrong(net, err, "the group has a generator twice, or with its negative") : 0;
}

static int net_check_group(const struct net *net, struct err *err)
{
    const struct group *g = net->group;
    double order = 1;

    for (int d = 0; d < g->ndim; d++)
        order *= g->order[d] > 0 ? g->order[d] : 0;
    if (g->n != net->n || fabs(order - net->n) > 0.5)
        return net_wrong(net, err, "the order of the group is not the number of nodes");
    if (g->directed != net->directed)
        return net_wrong(net, err, "network and group do not agree about links one way");
    if (net->ndim && g->ndim != net->ndim)
        return net_wrong(net, err, "the group has not the dimensions of the coordinates");
    for (int d = 0; d < net->ndim; d++)
        if (g->order[d] != net->size[d])
            return net_wrong(net, err, "the group has not the sizes of the coordinates");
    if (net->ndim && !net_rings(net))
        return net_wrong(net, err, "a group, and a dimension that does not wrap");
    return net_check_steps(net, err);
}

int net_check(struct net *net, struct err *err)
{
    const size_t len = strlen(net->topo->name);
    double product = 1;

    if (!net->spec || strncmp(net->spec, net->topo->name, len) != 0 || !strchr(":,", net->spec[len]))
        return net_wrong(net, err, "its spec does not begin with the family's name");
    if (net->n < 1)
        return net_wrong(net, err, "no nodes");
    if (net->ndim < 0 || net->ndim > NET_DIMENSIONS)
        return net_wrong(net, err, "a number of dimensions that is none");
    if (net->ndim && (!net->size || !net->wrap))
        return net_wrong(net, err, net->size ? "dimensions without wrap" : "dimensions without sizes");
    for (int d = 0; d < net->ndim; d++)
        product *= net->size[d] > 0 ? net->size[d] : 0;
    if (net->ndim && fabs(product - net->n) > 0.5)
        return net_wrong(net, err, "the product of the sizes is not the number of nodes");
    if (net->group ? net_check_group(net, err) < 0 : !net->topo->build)
        return net->group ? -1 : net_wrong(net, err, "neither a group nor a function that builds the graph");
    for (int i = 0; net->terminal && i < net->nterminal; i++)
        if (net->terminal[i] < 0 || net->terminal[i] >= net->n || (i && net->terminal[i] <= net->terminal[i - 1]))
            return net_wrong(net, err, "terminals that are not ascending nodes");
    if (net->terminal ? net->nterminal < 1 : net->nterminal && net->nterminal != net->n)
        return net_wrong(net, err, "a number of terminals without the terminals");
    for (int v = 0; net->name && v < net->n; v++)
        if (!net->name[v])
            return net_wrong(net, err, "a node without a name among nodes with names");
    if (net->ndim && net->lines == LINES_NONE)
        net->lines = net->group && net->group->unit ? LINES_GRID : LINES_SETS;
    if (net->lines == LINES_JUMPS ? !net->group || net->group->ndim != 1 || net->ndim
                                  : (net->lines != LINES_NONE) != (net->ndim > 0))
        return net_wrong(net, err, "lines without what they run along");
    if (net->lines == LINES_GRID && net->group && !net->group->unit)
        return net_wrong(net, err, "a grid whose generators are not its unit vectors");
    return 0;
}

static int net_open_spec(struct net *net, const char *text, struct err *err)
{
    struct spec spec = { 0 };
    int ret;

    net->topo = (const struct topo *)kind_spec(&spec, &kind_topo, text, err);
    if (!net->topo)
        return -1;
    ret = net->topo->open(net, &spec, err);
    if (ret == 0)
        ret = net_check(net, err);
    if (ret == 0 && net->name)
        ret = sort_names(net, err);
    if (ret == 0 && !net->terminal)
        net->nterminal = net->n;
    if (ret == 0)
        ret = cables_open(net, &spec, err);
    spec_release(&spec);
    return ret;
}

int net_open(struct net **out, const char *text, struct err *err)
{
    struct net *net = calloc(1, sizeof *net);
    size_t name = strcspn(text, ":,");
    char *with_file = NULL;
    int ret;

    if (!net)
        return err_memory(err);
    if (text[name] != ':' && !kind_named(&kind_topo, text) && is_path(text) &&
        asprintf(&with_file, "file:%s", text) < 0) {
        free(net);
        return err_memory(err);
    }
    ret = net_open_spec(net, with_file ? with_file : text, err);
    free(with_file);
    if (ret < 0) {
        net_close(net);
        return -1;
    }
    *out = net;
    return 0;
}

void net_close(struct net *net)
{
    if (!net)
        return;
    cables_release(&net->cables);
    if (net->has_graph)
        igraph_destroy(&net->graph);
    if (net->group)
        group_release(net->group);
    mem_free_list(net->name, (size_t)net->n);
    FREE(net->by_name, net->group, net->param, net->size, net->wrap, net->terminal, net->weight, net->at,
         net->spec, net);
}

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

int net_terminal_index(const struct net *net, int node)
{
    int at;

    if (!net->terminal)
        return node;
    BISECT(at, 0, net->nterminal, i, net->terminal[i] < node);
    return at < net->nterminal && net->terminal[at] == node ? at : -1;
}

void net_coordinates(const struct net *net, int node, int *c)
{
    for (int d = net->ndim - 1; d >= 0; d--) {
        c[d] = node % net->size[d];
        node /= net->size[d];
    }
}

bool net_grouped(const struct net *net)
{
    return net->topo && net->topo->group;
}

int net_group(const struct net *net, int node)
{
    return net_grouped(net) ? net->topo->group(net, node) : -1;
}

int net_radix(const struct net *net, int node)
{
    return net->topo->radix ? net->topo->radix(net, node) : 0;
}

bool net_rings(const struct net *net)
{
    for (int d = 0; d < net->ndim; d++)
        if (!net->wrap[d] && net->size[d] > 2)
            return false;
    return net->ndim > 0;
}

int net_dimensions(const struct net *net)
{
    return net->lines == LINES_JUMPS ? net->group->ngen : net->lines == LINES_NONE ? 0 : net->ndim;
}

int net_unit(const struct net *net, int d)
{
    int stride = 1;

    if (net->lines == LINES_JUMPS)
        return net->group->gen[d];
    for (int e = d + 1; e < net->ndim; e++)
        stride *= net->size[e];
    return stride;
}

int net_line(const struct net *net, int d)
{
    return net->lines == LINES_JUMPS ? group_order_of(net->group, net->group->gen[d]) : net->size[d];
}

const char *net_label(const struct net *net, int node, char out[NET_LABEL])
{
    int c[NET_DIMENSIONS];
    size_t len = 0;

    if (net->name)
        return net->name[node];
    if (net->ndim > 1) {
        net_coordinates(net, node, c);
        for (int d = 0; d < net->ndim; d++)         /* sizes whose product is an int */
            len += (size_t)snprintf(out + len, NET_LABEL - len, "%s%d", d ? "." : "", c[d]);
    } else {
        snprintf(out, NET_LABEL, "%d", node);
    }
    return out;
}

char *net_label_pair(const struct net *net, int from, const char *between, int to)
{
    char a[NET_LABEL], b[NET_LABEL], *text;

    return asprintf(&text, "%s%s%s", net_label(net, from, a), between, net_label(net, to, b)) < 0 ? NULL : text;
}

static int node_by_coordinates(const struct net *net, const char *text, int *node, struct err *err)
{
    const char *p = text;
    int v = 0;

    for (int d = 0; d < net->ndim; d++) {
        size_t len = strcspn(p, ".");
        int64_t c;

        if ((p[len] == '.') != (d + 1 < net->ndim))
            return err_set(err, ERR_USAGE, "node '%.60s' of %.80s: it must have %d coordinates", text, net->spec,
                           net->ndim);
        if (num_int_part(&c, p, len, 0, net->size[d] - 1, "coordinate", err) < 0)
            return err_at(err, "node '%.60s' of %.80s", text, net->spec);
        v = v * net->size[d] + (int)c;
        p += len + 1;
    }
    *node = v;
    return 0;
}

int net_node(const struct net *net, const char *text, int *node, struct err *err)
{
    int at;
    int64_t v;

    BISECT(at, 0, net->name ? net->n : 0, i, strcmp(net->name[net->by_name[i]], text) < 0);
    if (net->name && at < net->n && strcmp(net->name[net->by_name[at]], text) == 0) {
        *node = net->by_name[at];
        return 0;
    }
    if (net->ndim > 1 && strchr(text, '.'))
        return node_by_coordinates(net, text, node, err);
    if (num_int(&v, text, 0, net->n - 1, "number", err) < 0)
        return err_at(err, "node of %.80s", net->spec);
    *node = (int)v;
    return 0;
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
    const size_t e = (size_t)edge;
    const int a = (int)IGRAPH_FROM(&net->graph, edge), b = (int)IGRAPH_TO(&net->graph, edge);

    if (!net->cables.port)
        return NULL;
    return net->cables.port[2 * e + (net->directed ? from != a : from != (a < b ? a : b))];
}

/* The edges that lead from one node to another, in their order. */
static int net_cables(igraph_vector_int_t *edge, struct net *net, int from, int to, struct err *err)
{
    const igraph_t *graph;

    if (net_graph(net, &graph, err) < 0 ||
        net_status(igraph_get_all_eids_between(graph, edge, from, to, true), "looking for cables", err) < 0)
        return -1;
    igraph_vector_int_sort(edge);
    return 0;
}

/* Which of the edges is at a port, from 0; -1: none. */
static int net_at_port(const igraph_vector_int_t *edge, const struct net *net, int from, const char *port)
{
    int64_t number = 0;
    struct err ignored;

    if (num_int(&number, port, 1, INT32_MAX, "port", &ignored) < 0)
        number = 0;
    for (igraph_integer_t i = 0; i < igraph_vector_int_size(edge); i++) {
        const char *name = net_port(net, VECTOR(*edge)[i], from);

        if (name ? strcmp(name, port) == 0 : i + 1 == number)
            return (int)i;
    }
    return -1;
}

int net_cable(int64_t *edge, int *cable, struct net *net, int from, int *to, const char *text, struct err *err)
{
    const char *colon = strrchr(text, ':');
    igraph_vector_int_t between;
    char name[NET_LABEL];
    struct err ignored;
    char *node;
    int ret, at;

    *cable = 0;
    if (!colon || net_node(net, text, to, &ignored) == 0)
        return net_node(net, text, to, err) < 0 ? -1 : net_link(edge, net, from, *to, err);
    node = text_copy(text, (size_t)(colon - text));
    if (!node)
        return err_memory(err);
    ret = net_node(net, node, to, err);
    free(node);
    if (ret < 0 || net_link(edge, net, from, *to, err) < 0 ||
        net_status(igraph_vector_int_init(&between, 0), "looking for cables", err) < 0)
        return -1;
    ret = net_cables(&between, net, from, *to, err);
    at = ret < 0 ? -1 : net_at_port(&between, net, from, colon + 1);
    if (at >= 0) {
        *edge = VECTOR(between)[at];
        *cable = at + 1;
    } else if (ret == 0) {
        ret = err_set(err, ERR_USAGE, "of the cables from %s to %.*s (%lld) none is at port '%.60s'",
                      net_label(net, from, name), (int)(colon - text < 60 ? colon - text : 60), text,
                      (long long)igraph_vector_int_size(&between), colon + 1);
    }
    igraph_vector_int_destroy(&between);
    return ret;
}
