/* Hosts at the switches of a direct network, by the key hosts= of any family whose nodes are all terminals. Hosts have
 * the numbers 0 to PS-1, those of switch s from Ps on; the S switches follow in the order that the family gives them.
 * What the family says of its own network (net->switches) is passed on. */
#include <igraph.h>

#include "graph/topology/topo.h"

/* The switch that a node is, or hangs at. */
static int switch_of(const struct net *net, int node)
{
    const int hosts = net->n - net->switches->n;

    return node < hosts ? node / net->hosts : node - hosts;
}

static bool is_host(const struct net *net, int node)
{
    return node < net->n - net->switches->n;
}

static int hosts_build(igraph_t *graph, const struct net *net, struct err *err)
{
    struct net *inner = net->switches;
    const int hosts = net->n - inner->n;
    const igraph_t *between;
    igraph_integer_t *end;
    size_t n = 0;

    if (net_graph(inner, &between, err) < 0)
        return -1;
    end = topo_ends((net->directed ? 2.0 : 1) * hosts + (double)igraph_ecount(between), net, err);
    if (!end)
        return -1;
    for (int h = 0; h < hosts; h++)
        for (int back = 0; back <= net->directed; back++) {
            end[n + (size_t)back] = h;
            end[n + 1 - (size_t)back] = hosts + h / net->hosts;
            n += 2;
        }
    for (igraph_integer_t e = 0; e < igraph_ecount(between); e++) {
        end[n++] = hosts + IGRAPH_FROM(between, e);
        end[n++] = hosts + IGRAPH_TO(between, e);
    }
    igraph_destroy(&inner->graph);
    inner->has_graph = false;
    return topo_from_edges(graph, end, n, net, err);
}

static int hosts_class(const struct net *net, int a, int b)
{
    return is_host(net, a) || is_host(net, b) ? 0 : 1 + cables_class(net->switches, switch_of(net, a),
                                                                     switch_of(net, b));
}

static int hosts_radix(const struct net *net, int node)
{
    const int ports = is_host(net, node) ? 0 : net_radix(net->switches, switch_of(net, node));

    return ports ? ports - 1 + net->hosts : 0;        /* the one of its own host is among them */
}

static int hosts_group(const struct net *net, int node)
{
    return net_group(net->switches, switch_of(net, node));
}

static int hosts_alike(const struct net *net, int node)
{
    const int as = topo_alike(net->switches, switch_of(net, node));

    return as < 0 ? -1 : is_host(net, node) ? as * net->hosts : net->n - net->switches->n + as;
}

/* Two hops more between switches, and two between hosts of one. */
static void hosts_facts(const struct net *net, struct topo_facts *f)
{
    const double p = net->hosts, s = net->switches->n;

    topo_facts(f, net->switches);
    f->nodes = net->n;
    f->terminals = p * s;
    f->edges += p * s * (net->directed ? 2 : 1);
    f->degree_min = 1;
    f->degree_max += p;
    f->diameter += 2;
    f->mean_hops = (2 * (p - 1) + (f->mean_hops + 2) * (s - 1) * p) / (p * s - 1);
    f->bisection = NAN;
    f->bisection_source = NULL;
}

static int hosts_pairs(uint64_t pairs[TOPO_HOPS], const struct net *net)
{
    const uint64_t p = (uint64_t)net->hosts;
    const int longest = topo_pairs(pairs, net->switches);

    for (int d = longest; d > 0; d--)
        pairs[d + 2] = pairs[d] * p * p;
    pairs[1] = 0;
    pairs[2] = (uint64_t)net->switches->n * p * (p - 1);
    return longest < 0 ? -1 : longest + 2;
}

#define HOSTS                                                                                                        \
    .name = "hosts", .build = hosts_build, .class_of = hosts_class, .radix = hosts_radix, .facts = hosts_facts,      \
    .alike = hosts_alike, .pairs = hosts_pairs
static const struct topo topo_hosts = { HOSTS },
    topo_hosts_grouped = { HOSTS, .group = hosts_group, .layout = "groups" };

int topo_hosts_hang(struct net *net, const struct spec *spec, struct err *err)
{
    struct net *inner;
    int64_t hosts;

    if (net->terminal || net->topo->takes_path)
        return err_set(err, ERR_USAGE, "'%.80s': %s", spec->text, net->topo->takes_path ?
                       "hosts of a file's network stand in the file; hosts= is for families whose nodes are switches" :
                       "hosts= is for families whose nodes are all terminals; this one has hosts of its own");
    if (spec_key_int(&hosts, spec, "hosts", 1, 10000, 0, err) < 0)
        return -1;
    if ((double)net->n * (1 + (double)hosts) > INT32_MAX)
        return err_set(err, ERR_USAGE, "'%.80s' would have more than %d nodes", spec->text, INT32_MAX);
    if (TAKE("the network", err, ZEROS(inner, 1)) < 0)
        return -1;
    *inner = *net;
    inner->nterminal = inner->n;
    *net = (struct net){ .topo = net_grouped(inner) ? &topo_hosts_grouped : &topo_hosts, .directed = inner->directed,
                         .n = inner->n * (1 + (int)hosts), .nterminal = inner->n * (int)hosts, .hosts = (int)hosts,
                         .switches = inner };
    return topo_first_terminals(net, (double)net->nterminal, spec->text, err) < 0 ? -1 :
        spec_append(&net->spec, err, "%s", inner->spec);
}
