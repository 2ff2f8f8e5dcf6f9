/* Bisection and edge connectivity: closed forms and bounds against every split into halves, one after the other. */
#include <igraph.h>
#include <string.h>

#include "analysis/network/bisection.h"
#include "analysis/network/topo_report.h"
#include "graph/symmetry.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

static struct err err;

/* ---- the least cut, by trying ---- */

/* Fewest edges between `side` and the rest when the switches stand where they suit best: a minimum cut, by igraph,
 * between a node joined to the terminals of one side and a node joined to the others. */
static double cut_with_switches(struct net *net, uint32_t side, const double *weight)
{
    const igraph_t *graph = measure_graph(net);
    igraph_integer_t m = igraph_ecount(graph), n = net->n, at = 0;
    igraph_vector_int_t ends;
    igraph_vector_t capacity;
    igraph_t with;
    igraph_real_t flow;

    assert_int_equal(igraph_vector_int_init(&ends, 2 * (m + net->nterminal)), 0);
    assert_int_equal(igraph_vector_init(&capacity, m + net->nterminal), 0);
    for (igraph_integer_t e = 0; e < m; e++) {
        VECTOR(ends)[at++] = IGRAPH_FROM(graph, e);
        VECTOR(ends)[at++] = IGRAPH_TO(graph, e);
        VECTOR(capacity)[e] = weight ? weight[e] : 1;
    }
    for (int k = 0; k < net->nterminal; k++) {
        VECTOR(ends)[at++] = net_terminal(net, k);
        VECTOR(ends)[at++] = side >> k & 1 ? n : n + 1;
        VECTOR(capacity)[m + k] = 100 * (double)m + 1;
    }
    assert_int_equal(igraph_create(&with, &ends, n + 2, IGRAPH_UNDIRECTED), 0);
    assert_int_equal(igraph_maxflow_value(&with, &flow, n, n + 1, &capacity, NULL), 0);
    igraph_destroy(&with);
    igraph_vector_destroy(&capacity);
    igraph_vector_int_destroy(&ends);
    return flow;
}

static double cut_of_nodes(const igraph_t *graph, uint32_t side, const double *weight)
{
    double cut = 0;

    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
        if ((side >> IGRAPH_FROM(graph, e) & 1) != (side >> IGRAPH_TO(graph, e) & 1))
            cut += weight ? weight[e] : 1;
    return cut;
}

/* Over every choice of half of the terminals; weight of each edge, NULL: 1. */
static double least_weight(struct net *net, const double *weight)
{
    const igraph_t *graph = measure_graph(net);
    int n = net->nterminal, half = n / 2;
    double least = INFINITY;

    assert_true(n <= 18);
    for (uint32_t side = 0; side < (uint32_t)1 << n; side++) {
        if (__builtin_popcount(side) != half || (n % 2 == 0 && !(side & 1)))
            continue;
        least = fmin(least, net->terminal ? cut_with_switches(net, side, weight) :
                     cut_of_nodes(graph, side, weight));
    }
    return least;
}

static double least_cut(struct net *net)
{
    return least_weight(net, NULL);
}

/* ---- closed forms and bounds ---- */

static void check_bounds(struct net *net, double exact, bool by_group)
{
    struct bisection_bounds b;
    uint32_t *D = NULL;

    if (by_group) {
        D = malloc((size_t)net->n * sizeof *D);
        assert_non_null(D);
        assert_int_equal(group_distances(net->group, D, &err), 0);
    }
    assert_int_equal(bisection_bounds(&b, net, D, false, NULL, &err), 0);
    free(D);
    if (b.lower > exact || b.upper < exact || isnan(b.lower) || isnan(b.upper))
        fail_msg("%s: %g is not within %g and %g", net->spec, exact, b.lower, b.upper);
    if (net->n <= 24 && (b.lower != exact || b.upper != exact))
        fail_msg("%s: %g is said to be between %g and %g", net->spec, exact, b.lower, b.upper);
}

/* What the report says, equal where it claims to know. */
static void check_report(struct net *net, double exact)
{
    struct topo_report r;
    const struct topo_report_options o = { .bisection = true, .jobs = 1 };

    assert_int_equal(topo_report(&r, net, &o, &err), 0);
    if (r.bisection_lower > exact || exact > r.bisection_upper)
        fail_msg("%s: the report says %g to %g; the least cut is %g", net->spec, r.bisection_lower, r.bisection_upper,
                 exact);
    topo_report_release(&r);
}

static void bisection_holds(void **state)
{
    struct net *net = measure_open(*state);
    struct topo_facts f;
    double exact = least_cut(net);

    topo_facts(&f, net);
    if (!isnan(f.bisection) && f.bisection != exact)
        fail_msg("%s: topology %s states a bisection of %g; the least cut is %g", net->spec, net->topo->name,
                 f.bisection, exact);
    check_bounds(net, exact, false);
    if (net->group)
        check_bounds(net, exact, true);
    check_report(net, exact);
    net_close(net);
}

static const char *const networks[] = {
    "torus:3", "torus:2x2", "torus:3x3", "torus:4x3", "torus:4x4", "torus:5x3", "torus:4x2", "torus:2x2x4", "torus:3x2",
    "torus:3x3x2", "torus:2^4", "torus:4x2x2", "mesh:7", "mesh:8", "mesh:3x3", "mesh:3x4", "mesh:4x4", "mesh:5x3",
    "mesh:2x3x2", "mesh:2x2x3", "mesh:3x3x2", "mesh:2x8", "mesh:3x5", "mesh:4x4,wrap=1", "mesh:3x5,wrap=2",
    "mesh:5x3,wrap=2", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "ring:2", "ring:3", "ring:10",
    "ring:11", "ring:2,directed=yes", "ring:3,directed=yes", "ring:9,directed=yes", "star:2", "star:3", "star:10",
    "star:11", "complete:2", "complete:3", "complete:9", "complete:10", "hyperx:4x4", "hyperx:4x3", "hyperx:2x3",
    "hyperx:2x3x3", "hyperx:2x2x4", "hyperx:3x5", "midimew:5", "midimew:9", "midimew:13", "midimew:16",
    "circulant:15,jumps=3+5", "circulant:16,jumps=1+8", "circulant:14,jumps=2+7", "circulant:12,jumps=4+6+9",
    "circulant:16,jumps=1+6", "fattree:2", "fattree:4", "dragonfly,a=1,p=1,h=1", "dragonfly,a=2,p=1,h=1",
    "dragonfly,a=2,p=2,h=1", "dragonfly,a=2,p=1,h=2", "dragonfly,a=3,p=1,h=1,arrangement=absolute",
    "random:10,degree=3,seed=1", "random:14,degree=3,seed=2", "random:16,degree=4,seed=3", "random:13,degree=4,seed=4",
    "random:15,degree=2", "random:12,degree=7",
};

static void bounds_hold_at_random(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 2026);
    for (int i = 0; i < 300; i++) {
        int n = 2 + (int)rng_below(&rng, 10);
        struct net *net = nets_random(&rng, n, (int)rng_below(&rng, (uint64_t)(2 * n)), i % 2);

        check_bounds(net, least_cut(net), false);
        net_close(net);
    }
}

/* Terminals that are some of the nodes, anywhere. */
static void bounds_hold_with_switches(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 7);
    for (int i = 0; i < 60; i++) {
        int n = 6 + (int)rng_below(&rng, 8);
        struct net *net = nets_random(&rng, n, n, false);

        net->terminal = malloc((size_t)n * sizeof *net->terminal);
        assert_non_null(net->terminal);
        net->nterminal = 0;
        for (int v = 0; v < n; v++)
            if (rng_below(&rng, 2) && net->nterminal < 8)
                net->terminal[net->nterminal++] = v;
        if (net->nterminal >= 2)
            check_bounds(net, least_cut(net), false);
        net_close(net);
    }
}

/* ---- cables as they are ---- */

/* Parallel cables with bandwidths of their own, each way; terminals that are some of the nodes, in one case of two. The
 * bisection in bandwidth is that of the means of the two ways, tried over all halves. */
static void bandwidth_bounds_hold(void **state)
{
    static const double some[] = { 1, 2, 4, 0.5, 0.3 };
    struct rng rng;

    (void)state;
    rng_seed(&rng, 88);
    for (int i = 0; i < 300; i++) {
        const int n = 3 + (int)rng_below(&rng, 7), nedge = n - 1 + (int)rng_below(&rng, (uint64_t)(2 * n));
        const bool directed = i % 4 == 3;
        int end[80];
        double bandwidth[80], mean[40], exact, slowest = INFINITY;
        struct bisection_bounds b;
        struct net *net;

        for (int e = 0; e < nedge; e++) {
            int u = e + 1, v = (int)rng_below(&rng, (uint64_t)(e + 1));

            if (e >= n - 1)
                do {
                    u = (int)rng_below(&rng, (uint64_t)n);
                    v = (int)rng_below(&rng, (uint64_t)n);
                } while (u == v);
            end[2 * e] = u;
            end[2 * e + 1] = v;
            bandwidth[2 * e] = bandwidth[2 * e + 1] = some[rng_below(&rng, i % 3 ? 5 : 3)];
            if (!directed && i % 2)
                bandwidth[2 * e + 1] = some[rng_below(&rng, 4)];
            mean[e] = (bandwidth[2 * e] + bandwidth[2 * e + 1]) / 2;
            slowest = fmin(slowest, mean[e]);
        }
        if (directed)           /* there and back, so that it is strongly connected */
            for (int e = 0; e < n - 1; e++) {
                end[2 * (nedge - n + 1 + e)] = end[2 * e + 1];
                end[2 * (nedge - n + 1 + e) + 1] = end[2 * e];
            }
        if (directed && nedge < 2 * (n - 1))
            continue;
        net = nets_from_edges(n, end, nedge, directed);
        net->cables.parallel = true;
        assert_int_equal(cables_values(&net->cables, (size_t)nedge, bandwidth, NULL, &err), 0);
        if (!directed && i % 5 < 2)
            nets_switch(&rng, net);
        exact = least_weight(net, mean);
        assert_int_equal(bisection_bounds(&b, net, NULL, true, NULL, &err), 0);
        if (!(b.lower <= exact * (1 + 1e-9)) || !(b.upper >= exact * (1 - 1e-9)))
            fail_msg("case %d: %.9g is not within %.9g and %.9g", i, exact, b.lower, b.upper);
        if (!(b.lower == b.upper))
            fail_msg("case %d: %.9g is said to be between %.9g and %.9g", i, exact, b.lower, b.upper);
        check_bounds(net, least_cut(net), false);
        net_close(net);
    }
}

static const char *const unlike[] = {
    "torus:4x3,bandwidth=2+1", "torus:3x2x2,bandwidth=1+3+2", "hyperx:4x4,bandwidth=4+1", "mesh:3x4,bandwidth=1+3",
    "circulant:13,jumps=1+5,bandwidth=2+1", "circulant:14,jumps=2+7,bandwidth=0.5+3", "midimew:13,bandwidth=1+4",
    "fattree:4,core-bandwidth=3,edge-bandwidth=2", "fattree:4,host-bandwidth=4", "torus:4x4,bandwidth=1+2,fail=0-1",
    "dragonfly,a=2,p=1,h=1,global-bandwidth=2", "ring:9,directed=yes,bandwidth=3", "hypercube:4,bandwidth=1+2+1+2",
    "complete:9,bandwidth=0.3", "examples/networks/leaf-spine.csv,terminals=leaves"
};

/* By the keys of families: over the graph, and over one node of a group. */
static void bandwidth_holds(void **state)
{
    struct net *net = measure_open(*state);
    const igraph_integer_t m = igraph_ecount(measure_graph(net));
    double *weight = malloc((size_t)m * sizeof *weight), exact, sum = 0;
    uint32_t *D = NULL;
    struct topo_report r;

    assert_non_null(weight);
    for (igraph_integer_t e = 0; e < m; e++)
        sum += weight[e] = cables_bandwidth(&net->cables, (size_t)e);
    exact = least_weight(net, weight);
    if (net->group) {
        D = malloc((size_t)net->n * sizeof *D);
        assert_non_null(D);
        assert_int_equal(group_distances(net->group, D, &err), 0);
    }
    for (int by_group = 0; by_group <= (D != NULL); by_group++) {
        struct bisection_bounds b;

        assert_int_equal(bisection_bounds(&b, net, by_group ? D : NULL, true, NULL, &err), 0);
        if (!(b.lower <= exact * (1 + 1e-9)) || !(b.upper >= exact * (1 - 1e-9)))
            fail_msg("%s: %.9g is not within %.9g and %.9g", net->spec, exact, b.lower, b.upper);
    }
    for (int no_symmetry = 0; no_symmetry < 2; no_symmetry++) {
        const struct topo_report_options o = { .bisection = true, .jobs = 1, .no_symmetry = no_symmetry };

        assert_int_equal(topo_report(&r, net, &o, &err), 0);
        assert_true(r.bandwidth_lower <= exact * (1 + 1e-9) && exact <= r.bandwidth_upper * (1 + 1e-9));
        assert_true(fabs(r.bandwidth - sum) <= 1e-9 * sum);
        topo_report_release(&r);
    }
    free(weight);
    free(D);
    net_close(net);
}

/* A ring in which every second pair has two cables looks the same from every node, which has three; two cut it. */
static void doubled_rings_part_by_two(void **state)
{
    static const int end[] = { 0, 1, 1, 0, 1, 2, 2, 3, 3, 2, 3, 0 };
    static const double alike[12] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, one[12] = { 2, 2, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1 };

    (void)state;
    for (int other = 0; other < 2; other++) {
        struct net *net = nets_from_edges(4, end, 6, false);
        struct topo_report r;

        net->cables.parallel = true;
        assert_int_equal(cables_values(&net->cables, 6, other ? one : alike, NULL, &err), 0);
        assert_int_equal(topo_report(&r, net, &(struct topo_report_options){ .jobs = 1, .bisection = true }, &err), 0);
        assert_int_equal(r.symmetry, other ? SYMMETRY_NONE : SYMMETRY_VERTEX);
        assert_true(r.connectivity_lower == 2 && r.connectivity_upper == 2);
        assert_true(r.joined_pairs == 4 && r.edges == 6 && r.bandwidth == 6 + other);
        assert_true(r.bisection_upper == 2 && r.bandwidth_upper == 2);
        topo_report_release(&r);
        net_close(net);
    }
}

/* Whether the permutation keeps how many links of each bandwidth lead from one node to another. */
static bool keeps_links(int many[5][5][3], int n, const int *to)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (memcmp(many[a][b], many[to[a]][to[b]], sizeof many[a][b]) != 0)
                return false;
    return true;
}

/* Orbits of multigraphs whose links are of two kinds, against every permutation of up to five nodes. */
static void orbits_keep_cables(void **state)
{
    static const double some[] = { 1, 2, 2 };           /* the same twice: one kind */
    struct rng rng;

    (void)state;
    rng_seed(&rng, 5);
    for (int i = 0; i < 400; i++) {
        const int n = 2 + (int)rng_below(&rng, 4), nedge = 1 + (int)rng_below(&rng, 9);
        const bool directed = i % 3 == 2;
        int end[18], many[5][5][3] = { { { 0 } } }, orbit[5] = { 0, 1, 2, 3, 4 }, to[5];
        double bandwidth[18];
        struct orbits o;
        struct net *net;

        for (int e = 0; e < nedge; e++) {
            const int a = end[2 * e] = (int)rng_below(&rng, (uint64_t)n);
            const int b = end[2 * e + 1] = (a + 1 + (int)rng_below(&rng, (uint64_t)(n - 1))) % n;

            for (int back = 0; back < 2; back++) {
                const size_t kind = back && directed ? 3 : rng_below(&rng, i % 2 ? 3 : 1);
                const int low = a < b ? a : b, high = a < b ? b : a;

                bandwidth[2 * e + back] = kind == 3 ? bandwidth[2 * e] : some[kind];
                if (kind == 3)
                    continue;
                if (directed)
                    many[a][b][bandwidth[2 * e] > 1]++;
                else                    /* the first is to the higher node */
                    many[back ? high : low][back ? low : high][bandwidth[2 * e + back] > 1]++;
            }
        }
        net = nets_from_edges(n, end, nedge, directed);
        net->cables.parallel = true;
        assert_int_equal(cables_values(&net->cables, (size_t)nedge, bandwidth, NULL, &err), 0);
        for (int code = 0; code < 3125; code++) {
            bool seen[5] = { false }, is = true;

            for (int v = 0, rest = code; v < 5; v++, rest /= 5) {
                to[v] = rest % 5;
                is = is && !seen[to[v]] && (v < n ? to[v] < n : to[v] == v);
                seen[to[v]] = true;
            }
            for (int v = 0; is && keeps_links(many, n, to) && v < n; v++)
                orbit[v] = to[v] < orbit[v] ? to[v] : orbit[v];
        }
        assert_int_equal(orbits_find(&o, net, NULL, &err), 0);
        for (int v = 0; v < n; v++)
            if (o.of[v] != orbit[v])
                fail_msg("case %d: node %d is in the orbit of %d, by all permutations in that of %d", i, v, o.of[v],
                         orbit[v]);
        orbits_release(&o);
        net_close(net);
    }
}

/* ---- edge connectivity ---- */

static void connectivity_holds(void **state)
{
    struct net *net = measure_open(*state);
    igraph_integer_t exact;

    assert_int_equal(igraph_edge_connectivity(measure_graph(net), &exact, false), 0);
    for (int no_symmetry = 0; no_symmetry < 2; no_symmetry++) {
        struct topo_report r;
        const struct topo_report_options o = { .no_symmetry = no_symmetry, .exact_connectivity = true, .jobs = 1 };

        assert_int_equal(topo_report(&r, net, &o, &err), 0);
        if (r.connectivity_lower != (double)exact || r.connectivity_upper != (double)exact)
            fail_msg("%s: a connectivity of %g to %g; igraph says %d", net->spec, r.connectivity_lower,
                     r.connectivity_upper, (int)exact);
        topo_report_release(&r);
    }
    net_close(net);
}

static void connectivity_holds_at_random(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 11);
    for (int i = 0; i < 200; i++) {
        int n = 1 + (int)rng_below(&rng, 12);
        struct net *net = nets_random(&rng, n, (int)rng_below(&rng, (uint64_t)(3 * n)), i % 2 && n > 1);
        struct topo_report r;
        igraph_integer_t exact = 0;

        if (n > 1)
            assert_int_equal(igraph_edge_connectivity(measure_graph(net), &exact, false), 0);
        assert_int_equal(topo_report(&r, net, &(struct topo_report_options){ .jobs = 1, .no_symmetry = i % 3 == 0 },
                                     &err), 0);
        if (r.connectivity_lower > (double)exact || r.connectivity_upper < (double)exact)
            fail_msg("%d nodes, %g edges: %d is not within %g and %g", n, r.edges, (int)exact, r.connectivity_lower,
                     r.connectivity_upper);
        assert_true(r.connectivity_lower == r.connectivity_upper);
        topo_report_release(&r);
        net_close(net);
    }
}

/* In pieces: nothing to bisect, no cable needed to part them. */
static void pieces_are_said_to_be_pieces(void **state)
{
    static const int end[] = { 0, 1, 2, 3, 3, 4, 2, 4 };
    struct net *net = nets_from_edges(6, end, 4, false);
    struct topo_report r;

    (void)state;
    assert_int_equal(topo_report(&r, net, &(struct topo_report_options){ .jobs = 1, .bisection = true }, &err), 0);
    assert_int_equal(r.parts, 3);
    assert_int_equal(r.part_size[0], 3);
    assert_int_equal(r.part_node[0], 2);
    assert_int_equal(r.part_size[1], 2);
    assert_int_equal(r.part_node[1], 0);
    assert_int_equal(r.part_size[2], 1);
    assert_int_equal(r.part_node[2], 5);
    assert_true(isnan(r.diameter) && isnan(r.mean_hops) && isnan(r.bisection_lower) && isnan(r.moore_diameter));
    assert_true(r.connectivity_lower == 0 && r.connectivity_upper == 0);
    assert_true(r.pairs.unreachable == 30 - 2 - 6);
    assert_true(r.pairs.pairs[1] == 8);
    topo_report_release(&r);
    net_close(net);
}

int main(void)
{
    struct CMUnitTest tests[2 * COUNT(networks) + COUNT(unlike) + 7] = {
        { .name = "bandwidth bounds hold", .test_func = bandwidth_bounds_hold },
        { .name = "orbits keep cables", .test_func = orbits_keep_cables },
        { .name = "doubled rings part by two", .test_func = doubled_rings_part_by_two },
        { .name = "bounds hold at random", .test_func = bounds_hold_at_random },
        { .name = "bounds hold with switches", .test_func = bounds_hold_with_switches },
        { .name = "connectivity holds at random", .test_func = connectivity_holds_at_random },
        { .name = "pieces are said to be pieces", .test_func = pieces_are_said_to_be_pieces },
    };
    static char name[COUNT(networks)][64];
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;
    int failed;

    net_setup();
    EACH_ROW(i, networks) {
        void *spec = (void *)(uintptr_t)networks[i];

        snprintf(name[i], sizeof name[i], "connectivity of %s", networks[i]);
        tests[n++] = (struct CMUnitTest){ .name = networks[i], .test_func = bisection_holds, .initial_state = spec };
        tests[n++] = (struct CMUnitTest){ .name = name[i], .test_func = connectivity_holds, .initial_state = spec };
    }
    EACH_ROW(i, unlike)
        tests[n++] = (struct CMUnitTest){ .name = unlike[i], .test_func = bandwidth_holds,
                                          .initial_state = (void *)(uintptr_t)unlike[i] };
    failed = _cmocka_run_group_tests("bisection and connectivity", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
