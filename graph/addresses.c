#include "graph/addresses.h"
#include "graph/base/order.h"

#include <igraph.h>

struct cable_end {
    int node, other;
    int64_t order, at;          /* among the node's cables; place in addresses.port */
};

ORDER(addresses_by_node, struct cable_end, UP(node) UP(order) UP(at))

/* Along dimension after dimension, the next node before the one before; without dimensions by the other's number. */
static int64_t addresses_order(const struct net *net, int node, int other)
{
    int v[NET_DIMENSIONS], w[NET_DIMENSIONS];

    if (net->lines == LINES_NONE || net->ndim == 0)
        return other;
    net_coordinates(net, node, v);
    net_coordinates(net, other, w);
    for (int d = 0; d < net->ndim; d++)
        if (v[d] != w[d])
            return (int64_t)d * net->n + (w[d] - v[d] + net->size[d]) % net->size[d];
    return 0;
}

static int addresses_ports(struct addresses *a, struct cable_end *end, size_t nend, struct net *net, struct err *err)
{
    bool named = net->cables.port != NULL;
    char label[NET_LABEL];

    for (size_t i = 0; i < nend && named; i++)
        named = net_port_number(net, end[i].at / 2, end[i].node) > 0;
    for (size_t i = 0, rank = 0; i < nend; i++) {
        rank = i && end[i].node == end[i - 1].node ? rank + 1 : 1;
        const int port = named ? net_port_number(net, end[i].at / 2, end[i].node) : (int)rank;

        a->port[end[i].at] = port;
        if (port > a->nport[end[i].node])
            a->nport[end[i].node] = port;
        if (port >= ADDRESS_PORTS)
            return err_set(err, ERR_DOMAIN, "%.200s: node %s has more cables or a higher port than a switch of a fabric "
                           "(%d)", net->spec, net_label(net, end[i].node, label), ADDRESS_PORTS - 1);
    }
    return 0;
}

/* Whose guids are not known: counted, a number for each port of an adapter behind it. */
static void addresses_guids(struct addresses *a, const struct net *net)
{
    uint64_t next = 1;

    for (int v = 0; v < net->n; v++) {
        const bool known = net->devices.guid != NULL;

        a->guid[v] = known ? net->devices.guid[v] : next++;
        a->port_guid[v] = known ? net->devices.port_guid[v] : a->adapter[v] ? next++ : a->guid[v];
        next += a->adapter[v] > 0 && !known;                /* its own adapter has a guid before its port's */
        if (a->adapter[v] > 0 && !known)
            a->port_guid[v] = next - 1;
    }
}

int addresses_open(struct addresses *out, struct net *net, struct err *err)
{
    struct addresses a = { 0 };
    struct cable_end *end = NULL;
    const igraph_t *graph;
    size_t n = (size_t)net->n, nend;

    if (net_graph(net, &graph, err) < 0)
        return -1;
    nend = 2 * (size_t)igraph_ecount(graph);
    if (TAKE("addresses", err, ARRAY(a.guid, n), ARRAY(a.port_guid, n), ZEROS(a.nport, n), ZEROS(a.adapter, n),
             ARRAY(a.port, nend + 1), ARRAY(end, nend + 1)) < 0)
        return -1;
    for (size_t i = 0; i < nend; i++) {
        int node[2];

        net_ends(node, net, (int64_t)i / 2);
        end[i] = (struct cable_end){ node[i % 2], node[1 - i % 2], 0, (int64_t)i };
        end[i].order = addresses_order(net, end[i].node, end[i].other);
    }
    qsort(end, nend, sizeof *end, addresses_by_node);
    for (int v = 0; v < net->n; v++)
        a.nport[v] = net->devices.nport ? net->devices.nport[v] : 1;
    if (addresses_ports(&a, end, nend, net, err) < 0) {
        addresses_release(&a);
        free(end);
        return -1;
    }
    for (int i = 0; i < net->nterminal; i++)
        a.adapter[net_terminal(net, i)] = -1;
    for (size_t i = 0; i < nend; i++)                       /* several cables, or one to a terminal */
        if (a.adapter[end[i].node] < 0 && (net_terminal_index(net, end[i].other) >= 0 ||
                                           (i && end[i - 1].node == end[i].node)))
            a.adapter[end[i].node] = ++a.nport[end[i].node];
    free(end);
    addresses_guids(&a, net);
    *out = a;
    return 0;
}

void addresses_release(struct addresses *a)
{
    FREE(a->guid, a->port_guid, a->nport, a->adapter, a->port);
    *a = (struct addresses){ 0 };
}
