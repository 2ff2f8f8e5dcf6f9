/* What a network's coordinates, lines and groups of nodes mean (net.h), and labels of nodes, made and read. */
#include "graph/net.h"
#include "graph/base/bisect.h"
#include "graph/topology/topo.h"

int net_terminal_search(const struct net *net, int node)
{
    int at;

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
    return net->topo->radix ? net->topo->radix(net, node) :
        net->devices.nport && net_terminal_index(net, node) < 0 ? net->devices.nport[node] : 0;
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
