/* A spec or a path becomes a spec, its family opens it (net_open_spec), and what the family left is checked against what
 * all others rely on (net_check): sizes, lines, group, terminals, names. Names are sorted, so that nodes are found by
 * them. */
#include "graph/net.h"

#include <igraph.h>
#include <unistd.h>

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

static bool net_has_key(const struct topo *topo, const char *name)
{
    for (const struct spec_key *k = topo->keys; k && k->name; k++)
        if (strcmp(k->name, name) == 0)
            return true;
    return false;
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
    if (ret == 0 && spec_get(&spec, "hosts") && !net_has_key(net->topo, "hosts"))
        ret = topo_hosts_hang(net, &spec, err);
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
    if (net->hops)
        net->hops_close(net->hops);
    net_close(net->switches);
    cables_release(&net->cables);
    devices_release(&net->devices);
    if (net->has_graph)
        igraph_destroy(&net->graph);
    if (net->group)
        group_release(net->group);
    mem_free_list(net->name, (size_t)net->n);
    FREE(net->by_name, net->group, net->param, net->size, net->wrap, net->terminal, net->weight, net->unread, net->told, net->at,
         net->spec, net);
}
