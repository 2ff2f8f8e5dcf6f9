/* topo_report.c -- properties of a network (topo_report.h).
 * 1. parts       components, degrees, cables and ports; Moore's bounds for comparison
 * 2. distances   in closed form, from one node of a group, between all, or from a sample
 * 3. the rest    connectivity, symmetry, bisection
 * 4. the whole   by group or by graph */
#include "analysis/network/topo_report.h"

#include <igraph.h>

#include "analysis/network/bisection.h"
#include "graph/numeric/union_find.h"
#include "graph/topology/grid.h"
#include "graph/symmetry.h"
#include "graph/topology/topo.h"

#define FLOW_NODES 2000         /* edge connectivity by flows up to here unless asked for */
#define SEARCH_EDGES 4000000    /* symmetries are searched up to here */
#define PROFILES 32             /* nodes with distances compared to disprove symmetry */

const char *const symmetry_name[] = { "unknown", "no", "vertex-transitive", "translation-invariant" };

void moore_bounds(double n, double degree, bool directed, double *diameter, double *mean)
{
    double left = n - 1, ring = degree, sum = 0, i = 0;

    if (!directed && degree == 2) {             /* a ring; one by one would take too long */
        double half = floor(left / 2);

        *diameter = ceil(left / 2);
        *mean = (half * (half + 1) + (left > 2 * half ? half + 1 : 0)) / left;
        return;
    }
    if (degree < 2) {
        *diameter = directed ? left : 1;
        *mean = directed ? n / 2 : 1;
        return;
    }
    while (left > 0) {
        double here = ring < left ? ring : left;

        sum += here * ++i;
        left -= here;
        ring *= directed ? degree : degree - 1;
    }
    *diameter = i;
    *mean = sum / (n - 1);
}

/* ---- parts ---- */

static int larger_first(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return x[0] != y[0] ? (x[0] < y[0]) - (x[0] > y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Numbers the part of every node. */
static int part_of(int *of, int *count, const struct net *net, const igraph_t *graph, struct err *err)
{
    igraph_vector_int_t strong;
    igraph_integer_t n = 0;
    int ret;

    if (!net->directed) {
        union_find_alone(of, (size_t)net->n);
        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
            union_find_join(of, (int)IGRAPH_FROM(graph, e), (int)IGRAPH_TO(graph, e));
        *count = (int)union_find_number(of, (size_t)net->n);
        return 0;
    }
    if (net_status(igraph_vector_int_init(&strong, 0), "parts", err) < 0)
        return -1;
    ret = net_status(igraph_connected_components(graph, &strong, NULL, &n, IGRAPH_STRONG), "parts", err);
    for (int v = 0; ret == 0 && v < net->n; v++)
        of[v] = (int)VECTOR(strong)[v];
    *count = (int)n;
    igraph_vector_int_destroy(&strong);
    return ret;
}

static int find_parts(struct topo_report *r, const struct net *net, const igraph_t *graph, struct err *err)
{
    int *of, n = 0, (*list)[2] = NULL, ret = -1;

    if (TAKE("parts", err, ARRAY(of, net->n)) < 0 || part_of(of, &n, net, graph, err) < 0 ||
        TAKE("parts", err, ZEROS(list, n), ARRAY(r->part_size, n), ARRAY(r->part_node, n)) < 0)
        goto done;
    r->parts = n - net->cables.ndown;
    for (int v = net->n - 1; v >= 0; v--) {
        list[of[v]][0]++;
        list[of[v]][1] = v;
    }
    for (int i = 0; i < net->cables.ndown; i++)         /* parts that do not count */
        list[of[net->cables.down[i]]][0] = 0;
    qsort(list, (size_t)n, sizeof *list, larger_first);
    for (int i = 0; i < r->parts; i++) {
        r->part_size[i] = list[i][0];
        r->part_node[i] = list[i][1];
    }
    ret = 0;
done:
    FREE(list, of);
    return ret;
}

/* Whether all cables of a terminal lead to one node, which is no terminal. */
static bool is_host(const struct net *net, const struct csr *c, int v)
{
    return net->nterminal < net->n && net_terminal_index(net, v) >= 0 && c->first[v + 1] - c->first[v] == 1 &&
        net_terminal_index(net, c->to[c->first[v]]) < 0;
}

/* A cable of switches of one group, or pod; or of one host. */
static bool is_within(const struct net *net, int a, int b)
{
    if ((net_terminal_index(net, a) >= 0) != (net_terminal_index(net, b) >= 0))
        return false;
    return net->topo->cable_class ? net->topo->class_of(net, a, b) < 2 :
        net_grouped(net) && net_group(net, a) == net_group(net, b);
}

static int find_degrees(struct topo_report *r, const struct net *net, const igraph_t *graph, const struct csr *c,
                        struct err *err)
{
    igraph_vector_int_t degree = { 0 };
    int ret = -1;

    if (net_status(igraph_vector_int_init(&degree, 0), "degrees", err) < 0 ||
        net_status(igraph_degree(graph, &degree, igraph_vss_all(), net->directed ? IGRAPH_OUT : IGRAPH_ALL,
                                 IGRAPH_LOOPS), "degrees", err) < 0)
        goto done;
    r->degree_min = INFINITY;
    for (int v = 0; v < net->n; v++) {
        const double ports = (double)VECTOR(degree)[v], radix = net_radix(net, v);
        const bool terminal = net_terminal_index(net, v) >= 0;

        if (cables_down(&net->cables, v))
            continue;
        r->degree_min = fmin(r->degree_min, ports);
        r->degree_max = fmax(r->degree_max, ports);
        if (is_host(net, c, v)) {
            r->host_cables += ports;
            continue;
        }
        if (terminal && net->topo->radix && radix == 0) {       /* a host of several cables, some to other hosts */
            for (size_t i = c->first[v]; i < c->first[v + 1]; i++)
                r->host_cables += net_terminal_index(net, c->to[i]) < 0;
            continue;
        }
        r->switches++;
        r->switch_ports = fmax(r->switch_ports, ports + terminal);
        r->ports_used += ports + terminal;
        r->ports_free += radix > 0 ? radix - ports - terminal : (double)NAN;
    }
    ret = 0;
done:
    igraph_vector_int_destroy(&degree);
    return ret;
}

/* ---- distances ---- */

/* The distances of one source stand for all. */
static int count_group(struct dist_count *out, const uint32_t *D, int n, struct err *err)
{
    struct dist_count c = { .lost = { -1, -1 } };

    for (int v = 0; v < n; v++)
        c.longest = (int)D[v] > c.longest ? (int)D[v] : c.longest;
    if (TAKE("pairs by distance", err, ZEROS(c.pairs, c.longest + 1)) < 0)
        return -1;
    for (int v = 0; v < n; v++)
        if (D[v])
            c.pairs[D[v]] += (uint64_t)n;
    *out = c;
    return 0;
}

/* In closed form, where the family has one; 0: it has none. */
static int count_known(struct dist_count *out, const struct net *net, struct err *err)
{
    uint64_t pairs[TOPO_HOPS];
    struct dist_count c = { .lost = { -1, -1 } };

    c.longest = topo_pairs(pairs, net);
    if (c.longest < 0)
        return 0;
    while (c.longest > 1 && pairs[c.longest] == 0)
        c.longest--;
    if (TAKE("pairs by distance", err, ARRAY(c.pairs, c.longest + 1)) < 0)
        return -1;
    memcpy(c.pairs, pairs, ((size_t)c.longest + 1) * sizeof *pairs);
    c.pairs[0] = 0;
    *out = c;
    return 1;
}

/* From one terminal of every orbit, or from all. */
static int count_graph(struct topo_report *r, const struct net *net, const struct csr *c, const struct orbits *orbits,
                       const struct topo_report_options *o, const struct tick *t, struct err *err)
{
    int *source, *weight, n = 0, ret = -1;
    unsigned char *target;

    if (TAKE("distances", err, ARRAY(source, net->nterminal), ZEROS(weight, net->n), ZEROS(target, net->n)) < 0)
        return -1;
    for (int k = 0; k < net->nterminal; k++) {
        int v = net_terminal(net, k), stands = orbits ? orbits->of[v] : v;

        target[v] = 1;
        if (stands == v)
            source[n++] = v;
        weight[stands]++;
    }
    for (int i = 0; i < n; i++)                 /* from per node to per source; sources ascend */
        weight[i] = weight[source[i]];
    if (mem_need(dist_count_bytes(c, o->jobs), net->spec, err) == 0)
        ret = dist_count(&r->pairs, c, &(struct dist_ends){ n, source, orbits ? weight : NULL, target }, o->jobs, t,
                         err);
    FREE(source, weight, target);
    return ret;
}

static bool from_some(const struct net *net, const struct topo_report_options *o)
{
    return o->sources && o->sources < net->nterminal &&
        (o->no_symmetry || (!net->group && net->lines != LINES_GRID));
}

/* Nothing where the network is disconnected: some pairs have no path. */
static int count_some(struct topo_report *r, struct net *net, const struct topo_report_options *o, const struct tick *t,
                      struct err *err)
{
    const struct metapath_options m = { .bins_per_hop = 1, .jobs = o->jobs, .no_symmetry = true, .tick = *t,
                                        .sources = o->sources, .seed = o->seed };
    struct supernode sn;
    int ret;

    if (r->parts > 1)
        return 0;
    if (supernode_open(&sn, "static", net, err) < 0)
        return -1;
    ret = metapath_stats(&r->sample, net, &sn, 1, &m, err);
    supernode_release(&sn);
    if (ret < 0)
        return -1;
    r->pairs.pairs = r->sample.bin;
    r->pairs.longest = (int)r->sample.greatest_hops;
    r->sample.bin = NULL;
    return 0;
}

static void summarise(struct topo_report *r)
{
    double sum = 0, n = 0;

    r->diameter = r->mean_hops = NAN;
    if (r->pairs.unreachable || r->terminals < 2 || r->pairs.longest == 0)
        return;
    for (int d = 1; d <= r->pairs.longest; d++) {
        sum += (double)d * (double)r->pairs.pairs[d];
        n += (double)r->pairs.pairs[d];
    }
    r->diameter = r->pairs.longest;
    r->mean_hops = sum / n;
}

/* ---- the rest ---- */

/* By maximum flows; nodes that are down are left out. */
static int flow_connectivity(igraph_integer_t *flow, const struct net *net, const igraph_t *graph, struct err *err)
{
    igraph_vector_int_t down;
    igraph_t up;
    int ret;

    if (!net->cables.ndown)
        return net_status(igraph_edge_connectivity(graph, flow, true), "edge connectivity", err);
    if (net_status(igraph_copy(&up, graph), "edge connectivity", err) < 0)
        return -1;
    ret = net_status(igraph_vector_int_init(&down, net->cables.ndown), "edge connectivity", err);
    if (ret == 0) {
        for (int i = 0; i < net->cables.ndown; i++)
            VECTOR(down)[i] = net->cables.down[i];
        if (net_status(igraph_delete_vertices(&up, igraph_vss_vector(&down)), "edge connectivity", err) < 0 ||
            net_status(igraph_edge_connectivity(&up, flow, true), "edge connectivity", err) < 0)
            ret = -1;
        igraph_vector_int_destroy(&down);
    }
    igraph_destroy(&up);
    return ret;
}

static int find_connectivity(struct topo_report *r, const struct net *net, const igraph_t *graph,
                             const struct topo_report_options *o, struct err *err)
{
    igraph_integer_t flow;

    r->connectivity_lower = fmin(1, r->degree_min);         /* a single node has no cable */
    r->connectivity_upper = r->degree_min;
    if (r->parts > 1)
        r->connectivity_lower = r->connectivity_upper = 0;
    else if (r->symmetry >= SYMMETRY_VERTEX && !net->cables.parallel)   /* Mader 1971: of one cable a pair */
        r->connectivity_lower = r->degree_min;
    else if (!r->directed && r->degree_min <= 1)
        r->connectivity_upper = r->degree_min;
    else if (graph && (r->nodes <= FLOW_NODES || o->exact_connectivity)) {
        if (flow_connectivity(&flow, net, graph, err) < 0)
            return -1;
        r->connectivity_lower = r->connectivity_upper = (double)flow;
    }
    return 0;
}

/* Where all links are alike, bandwidth is proportional to cables. */
static int find_bisection(struct topo_report *r, struct net *net, const uint32_t *D, const struct topo_facts *f,
                          const struct topo_report_options *o, const struct tick *t, struct err *err)
{
    const struct cables *c = &net->cables;
    const double slowest = cables_least(c).bandwidth, fastest = cables_most(c).bandwidth;
    struct bisection_bounds b;
    const bool look = o->bisection && r->parts == 1 && r->terminals >= 2;

    r->bisection_lower = r->bisection_upper = r->bandwidth_lower = r->bandwidth_upper = NAN;
    if (!isnan(f->bisection)) {
        r->bisection_lower = r->bisection_upper = f->bisection;
        r->bisection_source = f->bisection_source;
    } else if (look) {
        if (bisection_bounds(&b, net, D, false, t, err) < 0)
            return -1;
        r->bisection_lower = fmax(b.lower, r->connectivity_lower);
        r->bisection_upper = b.upper;
    }
    if (cables_alike(c)) {
        r->bandwidth_lower = slowest * r->bisection_lower;
        r->bandwidth_upper = slowest * r->bisection_upper;
    } else if (look) {
        if (bisection_bounds(&b, net, D, true, t, err) < 0)
            return -1;
        r->bandwidth_lower = fmax(b.lower, slowest * r->bisection_lower);
        r->bandwidth_upper = fmin(b.upper, fastest * r->bisection_upper);
    }
    return 0;
}

/* Two of the first nodes with different numbers of nodes at some distance: then no symmetry maps one to the other. This
 * settles most cases in which the search for symmetries gives up. */
static int compare_profiles(struct topo_report *r, const struct net *net, const struct csr *c, struct err *err)
{
    const size_t n = (size_t)c->n;
    int *hops, *queue, *profile;
    bool any = false;

    if (TAKE("distances", err, ARRAY(hops, n), ARRAY(queue, n), ZEROS(profile, 2 * n)) < 0)
        return -1;
    for (int v = 0; v < c->n && v < PROFILES && r->symmetry == SYMMETRY_UNKNOWN; v++) {
        int *own = any ? profile + n : profile;

        if (cables_down(&net->cables, v))
            continue;
        any = true;
        memset(own, 0, n * sizeof *own);
        csr_bfs(c, v, hops, queue);
        for (size_t u = 0; u < n; u++)
            if (hops[u] >= 0)
                own[hops[u]]++;
        if (memcmp(profile, own, n * sizeof *own) != 0)
            r->symmetry = SYMMETRY_NONE;
    }
    FREE(hops, queue, profile);
    return 0;
}

/* Orbits, where they help: the families that are symmetric by construction need no search. */
static int find_symmetry(struct topo_report *r, struct orbits *orbits, struct net *net, const struct csr *c,
                         const struct topo_report_options *o, const struct tick *t, struct err *err)
{
    if (net->group || (net->topo->vertex_transitive && !net->cables.failed && cables_alike(&net->cables))) {
        r->symmetry = net->group ? SYMMETRY_TRANSLATION : SYMMETRY_VERTEX;
        return 0;
    }
    if (r->degree_min != r->degree_max)
        r->symmetry = SYMMETRY_NONE;
    if (!o->no_symmetry && !from_some(net, o) && r->edges <= SEARCH_EDGES) {
        if (orbits_find(orbits, net, t, err) < 0)
            return -1;
        r->orbits = orbits->count;
        if (orbits->all_nodes)
            r->symmetry = SYMMETRY_VERTEX;
        else if (orbits->finished)
            r->symmetry = SYMMETRY_NONE;
    }
    return r->symmetry == SYMMETRY_UNKNOWN ? compare_profiles(r, net, c, err) : 0;
}

/* Families known by their group: no graph is built. */
static int report_group(struct topo_report *r, struct net *net, const struct topo_facts *f,
                        const struct topo_report_options *o, struct err *err)
{
    const struct tick t = o->tick;
    const struct cables *c = &net->cables;
    uint32_t *D = NULL;
    int ret = -1;

    r->symmetry = SYMMETRY_TRANSLATION;
    r->degree_min = r->degree_max = group_degree(net->group);
    r->switches = net->n;
    r->switch_ports = r->degree_max + 1;
    r->ports_used = r->switches * r->switch_ports;
    r->ports_free = NAN;
    for (int i = 0; !cables_alike(c) && i < net->group->ngen; i++) {    /* its own inverse: half as many cables */
        const int gen = net->group->gen[i];

        r->bandwidth += net->n * c->kind[cables_class(net, 0, gen)].bandwidth /
            (!net->directed && group_negative(net->group, gen) == gen ? 2 : 1);
    }
    r->parts = 1;
    if (TAKE("parts", err, ARRAY(r->part_size, 1), ARRAY(r->part_node, 1)) < 0)
        return -1;
    r->part_size[0] = net->n;
    r->part_node[0] = 0;
    if (net->lines == LINES_GRID) {
        if (grid_count(&r->pairs, net, err) < 0)
            return -1;
    } else {
        if (mem_need(2.0 * net->n * sizeof *D, net->spec, err) < 0 || TAKE(net->spec, err, ARRAY(D, net->n)) < 0)
            return -1;
        if (group_distances(net->group, D, err) < 0 || count_group(&r->pairs, D, net->n, err) < 0)
            goto done;
    }
    summarise(r);
    if (find_connectivity(r, net, NULL, o, err) == 0)
        ret = find_bisection(r, net, D, f, o, &t, err);
done:
    free(D);
    return ret;
}

/* Whether all is known of a fat tree by its levels: hosts have one cable each, and all cables are alike. */
static bool by_levels(const struct net *net, const struct topo_facts *f)
{
    return topo_tree_levels(net) > 1 && !net->cables.failed && !net->cables.parallel && cables_alike(&net->cables) &&
        topo_tree_cables(net, 0) == net->nterminal && f->degree_min < f->degree_max;
}

static int report_levels(struct topo_report *r, struct net *net, const struct topo_facts *f,
                         const struct topo_report_options *o, struct err *err)
{
    const int levels = topo_tree_levels(net);

    r->degree_min = f->degree_min;
    r->degree_max = r->switch_ports = f->degree_max;
    r->switches = net->n - net->nterminal;
    r->host_cables = net->nterminal;
    r->ports_used = 2 * r->edges - net->nterminal;
    r->within = r->edges - net->nterminal - topo_tree_cables(net, levels - 1);
    r->orbits = 1;
    r->symmetry = SYMMETRY_NONE;
    r->parts = 1;
    if (TAKE("parts", err, ARRAY(r->part_size, 1), ARRAY(r->part_node, 1)) < 0)
        return -1;
    r->part_size[0] = net->n;
    r->part_node[0] = 0;
    if (count_known(&r->pairs, net, err) < 0)
        return -1;
    summarise(r);
    return find_connectivity(r, net, NULL, o, err) < 0 ? -1 : find_bisection(r, net, NULL, f, o, &o->tick, err);
}

static int report_graph(struct topo_report *r, struct net *net, const struct topo_facts *f,
                        const struct topo_report_options *o, struct err *err)
{
    const struct tick search = tick_part(&o->tick, 0, 0.1), count = tick_part(&o->tick, 0.1, 0.9),
                      rest = tick_part(&o->tick, 0.9, 1);
    struct orbits orbits = { 0 };
    const bool grid = net->lines == LINES_GRID && !o->no_symmetry;
    struct csr c = { 0 };
    const igraph_t *graph;
    int ret = -1, known = o->no_symmetry ? 0 : count_known(&r->pairs, net, err);

    if (known < 0)
        return -1;
    /* Other grids have closed forms, no hosts, and ends that prove them unsymmetric. */
    if (net_graph(net, &graph, err) < 0 || ((!grid || net_rings(net)) && csr_init(&c, graph, false, err) < 0) ||
        find_parts(r, net, graph, err) < 0 || find_degrees(r, net, graph, &c, err) < 0)
        goto done;
    if (net->cables.parallel)
        r->joined_pairs = (double)c.m / (net->directed ? 1 : 2);
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        r->bandwidth += cables_alike(&net->cables) ? 0 : cables_bandwidth(&net->cables, (size_t)e);
        r->within += is_within(net, (int)IGRAPH_FROM(graph, e), (int)IGRAPH_TO(graph, e));
    }
    if (find_symmetry(r, &orbits, net, &c, o, &search, err) < 0 ||
        (known ? 0 : grid ? grid_count(&r->pairs, net, err) : from_some(net, o) ? count_some(r, net, o, &count, err) :
         count_graph(r, net, &c, orbits.of ? &orbits : NULL, o, &count, err)) < 0)
        goto done;
    summarise(r);
    if (find_connectivity(r, net, graph, o, err) == 0)
        ret = find_bisection(r, net, NULL, f, o, &rest, err);
done:
    orbits_release(&orbits);
    csr_release(&c);
    return ret;
}

/* ---- the whole ---- */

int topo_report(struct topo_report *r, struct net *net, const struct topo_report_options *o, struct err *err)
{
    struct topo_facts f;
    int ret;

    *r = (struct topo_report){ .nodes = net->n, .terminals = net->nterminal, .directed = net->directed,
                               .failed_nodes = net->cables.ndown, .failed_cables = (double)net->cables.ngone };
    topo_facts(&f, net);
    r->edges = isnan(f.edges) || o->no_symmetry ? net_edges(net, err) : f.edges;
    if (r->edges < 0)
        return -1;
    r->joined_pairs = r->edges;
    if (cables_alike(&net->cables))
        r->bandwidth = r->edges * (net->cables.kind ? net->cables.kind->bandwidth : 1);
    ret = net->group && !o->no_symmetry ? report_group(r, net, &f, o, err) :
        by_levels(net, &f) && !o->no_symmetry ? report_levels(r, net, &f, o, err) : report_graph(r, net, &f, o, err);
    if (ret < 0) {
        topo_report_release(r);
        return -1;
    }
    r->moore_diameter = r->moore_mean = NAN;
    if (net->nterminal == net->n - net->cables.ndown && net->nterminal > 1 && r->parts == 1)
        moore_bounds(net->nterminal, r->degree_max, net->directed, &r->moore_diameter, &r->moore_mean);
    return 0;
}

void topo_report_release(struct topo_report *r)
{
    FREE(r->part_size, r->part_node);
    dist_count_release(&r->pairs);
    metapath_stats_release(&r->sample);
    *r = (struct topo_report){ 0 };
}
