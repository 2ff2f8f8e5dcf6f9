/* Links as they are, to bounds and broadcasts: cables in parallel are one as wide as all of them, twice the bandwidth
 * is twice the throughput, a network with failures is the network without what failed; and what ecmp puts on cables, by
 * hand. SEED=n repeats the random parts. */
#include <igraph.h>
#include <string.h>
#include <unistd.h>

#include "analysis/bound/capacity.h"
#include "analysis/bound/even_load.h"
#include "analysis/bound/simple_bounds.h"
#include "analysis/bound/throughput.h"
#include "analysis/bound/worst.h"
#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/broadcast_rate.h"
#include "analysis/collective/steps.h"
#include "analysis/metapath/metapath.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"

#define MOST_FACTS 140

static struct err err;

/* All numbers that are to agree, by name. */
struct facts {
    size_t n;
    char name[MOST_FACTS][80];
    double value[MOST_FACTS];

};

static void add(struct facts *f, const char *name, const char *of, double value)
{
    assert_true(f->n < MOST_FACTS);
    snprintf(f->name[f->n], sizeof f->name[f->n], "%s %s", name, of);
    f->value[f->n++] = value;
}

static void add_throughput(struct facts *f, struct net *net, const double *capacity, const char *spec)
{
    static const struct { const char *name; struct throughput_options o; } way[] = {
        { "arcs", { .method = THROUGHPUT_ARCS } },
        { "columns", { .method = THROUGHPUT_COLUMNS } },
        { "unfolded", { .method = THROUGHPUT_ARCS, .unfolded = true } },
        { "shortest", { .paths = PATHS_SLACK } },
        { "three paths", { .paths = PATHS_FEWEST, .extra = 3 } }
    };
    struct traffic traffic = { 0 };
    struct demand d;

    if (traffic_open(&traffic, net, spec, &err) < 0 || demand_open(&d, &traffic, 10, NULL, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    EACH_ROW(i, way) {
        struct throughput_options o = way[i].o;
        struct throughput t;

        o.capacity = capacity;
        if (throughput_open(&t, net, &d, &o, &err) < 0)
            fail_msg("%s, %s: %s", net->spec, way[i].name, err.msg);
        add(f, way[i].name, spec, t.theta);
        add(f, "proved bound by", way[i].name, t.bound);
        if (i < 2)                  /* equal prices for classes: as links are folded */
            add(f, "distances", spec, t.distance_bound);
        throughput_close(&t);
    }
    demand_close(&d);
    traffic_release(&traffic);
}

static void add_routing(struct facts *f, struct net *net, const double *capacity, const char *routing)
{
    const struct throughput_options o = { .capacity = capacity };
    const struct worst_options all = { .every_link = true };
    struct traffic traffic = { 0 };
    struct routing r = { 0 };
    struct throughput t;
    struct worst w;
    struct demand d;

    if (traffic_open(&traffic, net, "uniform", &err) < 0 || demand_open(&d, &traffic, 10, NULL, &err) < 0 ||
        routing_open(&r, net, routing, &err) < 0 || throughput_of_routing(&t, net, &d, &r, &o, &err) < 0 ||
        worst_open(&w, net, &r, capacity, &all, &err) < 0)
        fail_msg("%s, %s: %s", net->spec, routing, err.msg);
    add(f, routing, "uniform", t.theta);
    add(f, routing, "at worst", w.theta);
    add(f, routing, "of worst", w.uniform);
    worst_close(&w);
    throughput_close(&t);
    routing_close(&r);
    demand_close(&d);
    traffic_release(&traffic);
}

static void add_rates(struct facts *f, struct net *net)
{
    struct placement where;

    assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
    for (int ports = 0; ports < 3; ports++) {
        char name[20];
        struct broadcast_rate r;

        snprintf(name, sizeof name, "%d ports", ports);
        if (broadcast_rate(&r, net, &where, 0, ports, 1, NULL, &err) < 0)
            fail_msg("%s: %s", net->spec, err.msg);
        add(f, "broadcast", name, r.rate);
        add(f, "all to all", name, r.all_rate);
    }
    placement_release(&where);
}

static void add_steps(struct facts *f, struct net *net)
{
    struct placement where;
    struct routing r = { 0 };
    struct broadcast_reach reach;

    assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
    if (routing_open(&r, net, "minimal", &err) < 0 || broadcast_reach(&reach, net, &where, 0, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    for (int ports = 0; ports < 3; ports++)
        for (size_t i = 0; tree_all[i]; i++) {
            const struct broadcast_how how = { ports, ports == 1 };
            struct broadcast_rate rate;
            struct broadcast_bound bound;
            struct tree_shape tree;
            struct broadcast b;
            char name[30];

            snprintf(name, sizeof name, "%d ports %zu", ports, i);
            if (tree_all[i]->build)             /* it follows what the facts are to be the same without */
                continue;
            assert_int_equal(tree_shape_init(&tree, tree_all[i], where.n, NULL, &err), 0);
            if (steps_broadcast(&b, &tree, 0, &(struct steps){ &where, &r, how, NULL }, NULL, &err) < 0 ||
                broadcast_bound(&bound, &reach, how, &err) < 0 ||
                broadcast_rate(&rate, net, &where, 0, ports, 1, NULL, &err) < 0)
                fail_msg("%s: %s", net->spec, err.msg);
            add(f, "makespan", name, b.makespan_steps);
            add(f, "its bound", name, bound.steps);
            add(f, "all-to-all steps", name, rate.all_steps);
            add(f, "hops", name, bound.hops);
            if (bound.steps > b.makespan_steps)
                fail_msg("%s: %g steps, at least %g", net->spec, b.makespan_steps, bound.steps);
            broadcast_release(&b);
            tree_shape_release(&tree);
        }
    broadcast_reach_release(&reach);
    routing_close(&r);
    placement_release(&where);
}

/* Hops know neighbours alone, however many cables lead there. */
static void add_hops(struct facts *f, struct net *net)
{
    static const char *const supernode[] = { "static", "sga:1", "sga:2" };
    const struct metapath_options o = { .bins_per_hop = 1 };
    struct placement where;
    struct broadcast b;

    EACH_ROW(i, supernode) {
        struct metapath_stats s;
        struct supernode sn;

        if (supernode_open(&sn, supernode[i], net, &err) < 0 || metapath_stats(&s, net, &sn, 1, &o, &err) < 0)
            fail_msg("%s: %s", net->spec, err.msg);
        add(f, "mean hops", supernode[i], s.mean_hops);
        add(f, "deviation", supernode[i], s.sd_hops);
        add(f, "most hops", supernode[i], s.greatest_hops);
        add(f, "pairs", supernode[i], s.pairs);
        metapath_stats_release(&s);
        supernode_release(&sn);
    }
    assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
    if (broadcast_flood(&b, net, &where, 0, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    add(f, "flooding", "steps", b.makespan_steps);
    add(f, "flooding", "messages", b.messages);
    broadcast_release(&b);
    placement_release(&where);
}

/* `steps`: links pass whole messages; and hops. */
static void facts_of(struct facts *f, struct net *net, bool rates, bool steps)
{
    struct simple_bounds simple;
    double *capacity;

    *f = (struct facts){ 0 };
    if (capacity_open(&capacity, net, NULL, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    if (rates) {
        add_throughput(f, net, capacity, "uniform");
        add_throughput(f, net, capacity, "complement");
        add_routing(f, net, capacity, "minimal");
        add_routing(f, net, capacity, "ecmp,per=neighbour");
        assert_int_equal(simple_bounds(&simple, net, capacity, NULL, &err), 0);
        if (!isnan(simple.moore))
            add(f, "moore", "", simple.moore);
        add_rates(f, net);
    }
    if (steps) {
        add_steps(f, net);
        add_hops(f, net);
    }
    free(capacity);
}

static void agree(const char *what, const struct facts *got, const struct facts *want, double factor, double within)
{
    assert_int_equal(got->n, want->n);
    for (size_t i = 0; i < got->n; i++)
        if (!(fabs(got->value[i] - factor * want->value[i]) <= within * fabs(factor * want->value[i])) &&
            !(isnan(got->value[i]) && isnan(want->value[i])))
            fail_msg("%s, %s: %.17g for %g times %.17g", what, got->name[i], got->value[i], factor, want->value[i]);
}

/* ---- cables in parallel ---- */

/* The edges of a network, each `times[e]` times in any order, or once and as wide; terminals likewise. */
static struct net *again(struct net *net, const int *times, bool wide, struct rng *rng)
{
    const igraph_t *graph;
    int *end, n = 0;
    double *bandwidth;
    struct net *out;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    const size_t nedge = (size_t)igraph_ecount(graph);

    end = calloc(2 * nedge * 8 + 1, sizeof *end);
    bandwidth = scene_reals(2 * nedge + 1);
    for (size_t e = 0; e < nedge; e++) {
        bandwidth[2 * e] = bandwidth[2 * e + 1] = times[e];
        for (int k = 0; k < (wide ? 1 : times[e]); k++) {
            end[2 * n] = (int)IGRAPH_FROM(graph, (igraph_integer_t)e);
            end[2 * n++ + 1] = (int)IGRAPH_TO(graph, (igraph_integer_t)e);
        }
    }
    for (int i = n - 1; !wide && i > 0; i--) {
        const int k = (int)rng_below(rng, (uint64_t)i + 1);

        for (int x = 0; x < 2; x++) {
            const int swap = end[2 * i + x];

            end[2 * i + x] = end[2 * k + x];
            end[2 * k + x] = swap;
        }
    }
    out = nets_from_edges(net->n, end, n, net->directed);
    if (wide)
        assert_int_equal(cables_values(&out->cables, nedge, bandwidth, NULL, &err), 0);
    out->cables.parallel = !wide;
    if (net->terminal) {
        out->terminal = malloc((size_t)net->nterminal * sizeof *out->terminal);
        assert_non_null(out->terminal);
        memcpy(out->terminal, net->terminal, (size_t)net->nterminal * sizeof *out->terminal);
        out->nterminal = net->nterminal;
    }
    free(end);
    free(bandwidth);
    return out;
}

static void parallel_cables_are_one_as_wide(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 60; i++) {
        struct net *net = nets_random(&rng, 3 + (int)rng_below(&rng, 6), (int)rng_below(&rng, 9), i % 2), *made[2];
        struct facts facts[2];
        int times[64];
        char what[40];

        if (rng_below(&rng, 2))
            nets_switch(&rng, net);
        EACH_ROW(e, times)
            times[e] = 1 + (int)rng_below(&rng, i % 3 ? 4 : 2);
        for (int wide = 0; wide < 2; wide++) {
            made[wide] = again(net, times, wide, &rng);
            facts_of(&facts[wide], made[wide], true, true);
        }
        snprintf(what, sizeof what, "trial %d", i);
        agree(what, &facts[0], &facts[1], 1, 1e-9);
        net_close(made[0]);
        net_close(made[1]);
        net_close(net);
    }
}

static struct net *open_net(const char *spec)
{
    struct net *net = NULL;

    if (net_open(&net, spec, &err) < 0)
        fail_msg("%s: %s", spec, err.msg);
    return net;
}

static void doubled_cables_are_a_bandwidth_of_two(void **state)
{
    static const char *const pair[][2] = {
        { "fattree:4", "fattree:4,bandwidth=2" }, { "mesh:3x4", "mesh:3x4,bandwidth=2" },
        { "dragonfly,a=2,p=1,h=1", "dragonfly,a=2,p=1,h=1,bandwidth=2" }, { "torus:4x3", "torus:4x3,bandwidth=2" }
    };
    struct rng rng;
    int twice[200];

    (void)state;
    rng_seed(&rng, 1);
    EACH_ROW(e, twice)
        twice[e] = 2;
    EACH_ROW(i, pair) {
        struct net *net = open_net(pair[i][0]), *doubled = again(net, twice, false, &rng), *wide = open_net(pair[i][1]);
        struct facts facts[2];

        facts_of(&facts[0], doubled, true, true);
        facts_of(&facts[1], wide, true, true);
        agree(pair[i][0], &facts[0], &facts[1], 1, 1e-9);
        net_close(net);
        net_close(doubled);
        net_close(wide);
    }
}

/* ---- bandwidths ---- */

static void twice_the_bandwidth_is_twice_the_throughput(void **state)
{
    static const char *const specs[] = { "torus:4x3", "hypercube:3", "fattree:4", "mesh:3x3,wrap=1",
                                         "ring:5,directed=yes", "hyperx:3x2", "circulant:9,jumps=1+2",
                                         "dragonfly,a=2,p=1,h=1",
                                         "random:10,degree=3" };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = open_net(specs[i]), *wide;
        struct facts facts[2];
        char spec[100];

        snprintf(spec, sizeof spec, "%s,bandwidth=2", specs[i]);
        wide = open_net(spec);
        facts_of(&facts[0], net, true, false);
        facts_of(&facts[1], wide, true, false);
        agree(spec, &facts[1], &facts[0], 2, 0);
        net_close(net);
        net_close(wide);
    }
}

/* Bandwidths by dimension leave translations, and folded is unfolded. */
static void dimensions_may_differ(void **state)
{
    static const struct { const char *spec; size_t sources; double theta; } row[] = {
        /* uniform, wide dimension idle: the narrow one of k nodes alone bears it, k^2/4 over k links for k even */
        { "torus:4x4,bandwidth=1+2", 1, 1.875 }, { "torus:4x4,bandwidth=2+1", 1, 1.875 },
        { "torus:4x4,bandwidth=4+4", 1, 7.5 }, { "hypercube:4,bandwidth=1+2+3+4", 1, 1.875 },
    };

    (void)state;
    EACH_ROW(i, row) {
        struct net *net = open_net(row[i].spec);
        struct traffic traffic = { 0 };
        double *capacity;
        struct demand d;

        assert_int_equal(capacity_open(&capacity, net, NULL, &err), 0);
        assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
        assert_int_equal(demand_open(&d, &traffic, 10, NULL, &err), 0);
        for (int unfolded = 0; unfolded < 2; unfolded++) {
            const struct throughput_options o = { .capacity = capacity, .unfolded = unfolded };
            struct throughput t;

            assert_int_equal(throughput_open(&t, net, &d, &o, &err), 0);
            scene_near(row[i].spec, t.theta, row[i].theta, 1e-9);
            if (!unfolded)
                assert_int_equal(t.sources, row[i].sources);
            throughput_close(&t);
        }
        free(capacity);
        demand_close(&d);
        traffic_release(&traffic);
        net_close(net);
    }
}

/* ---- cables of different bandwidth ---- */

/* What ecmp's flows put on cables is what even_load says without them. */
static void even_loads_are_those_of_ecmp(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 60; i++) {
        struct net *base = nets_random(&rng, 3 + (int)rng_below(&rng, 8), (int)rng_below(&rng, 12), i % 2), *net;
        double bandwidth[200], *capacity, busiest;
        struct throughput_options o = { 0 };
        struct traffic traffic = { 0 };
        struct routing r = { 0 };
        const igraph_t *graph;
        struct throughput t;
        struct demand d;
        int times[64];

        if (rng_below(&rng, 2))
            nets_switch(&rng, base);
        EACH_ROW(e, times)
            times[e] = 1 + (int)rng_below(&rng, 3);
        net = again(base, times, false, &rng);
        assert_int_equal(net_graph(net, &graph, &err), 0);
        for (size_t e = 0; e < 2 * (size_t)igraph_ecount(graph); e++)
            bandwidth[e] = net->directed && e % 2 ? bandwidth[e - 1] : 1 + (double)rng_below(&rng, 4);
        assert_int_equal(cables_values(&net->cables, (size_t)igraph_ecount(graph), bandwidth, NULL, &err), 0);
        assert_int_equal(capacity_open(&capacity, net, NULL, &err), 0);
        o.capacity = capacity;
        assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
        assert_int_equal(demand_open(&d, &traffic, 10, NULL, &err), 0);
        assert_int_equal(routing_open(&r, net, "ecmp", &err), 0);
        assert_int_equal(throughput_of_routing(&t, net, &d, &r, &o, &err), 0);
        assert_int_equal(even_load_busiest(&busiest, net, &d, capacity, NULL, &err), 0);
        scene_near("busiest", t.theta * busiest, 1, 1e-9);
        free(capacity);
        throughput_close(&t);
        routing_close(&r);
        demand_close(&d);
        traffic_release(&traffic);
        net_close(net);
        net_close(base);
    }
}

/* From 0 to 3 over 1 by cables of 2 and 1, then 4; over 2 by cables of 1 and 1. Cables get equal shares: four out of 0
 * get a quarter each, the two on to node 3 half each. */
static void shares_follow_cables(void **state)
{
    static const int end[] = { 0, 1, 0, 1, 1, 3, 0, 2, 0, 2, 2, 3 };
    static const double bandwidth[] = { 2, 2, 1, 1, 4, 4, 1, 1, 1, 1, 1, 1 };
    struct net *net = nets_from_edges(4, end, 6, true);
    struct traffic list = { .net = net };
    double *capacity, busiest;
    struct demand d;

    (void)state;
    net->cables.parallel = true;
    assert_int_equal(cables_values(&net->cables, 6, bandwidth, NULL, &err), 0);
    assert_int_equal(traffic_room(&list, 1, &err), 0);
    traffic_add(&list, 0, 3);
    assert_int_equal(capacity_open(&capacity, net, NULL, &err), 0);
    assert_int_equal(demand_open(&d, &list, 10, NULL, &err), 0);
    assert_int_equal(even_load_busiest(&busiest, net, &d, capacity, NULL, &err), 0);
    check_near(busiest, 0.5, 1e-15);            /* 2 to 3 */
    free(capacity);
    assert_int_equal(capacity_open(&capacity, net, "unit", &err), 0);
    assert_null(capacity);
    assert_int_equal(even_load_busiest(&busiest, net, &d, NULL, NULL, &err), 0);
    check_near(busiest, 0.5, 1e-15);
    demand_close(&d);
    traffic_release(&list);
    net_close(net);
}

/* Cables of 4 and 1: any shares bear 5, equal ones 2, of which the narrow cable is full. */
static void equal_shares_wait_for_the_narrow_cable(void **state)
{
    static const int end[] = { 0, 1, 0, 1 };
    static const double bandwidth[] = { 4, 4, 1, 1 };
    struct net *net = nets_from_edges(2, end, 2, false);
    struct facts f = { 0 };
    double *capacity;

    (void)state;
    net->cables.parallel = true;
    assert_int_equal(cables_values(&net->cables, 2, bandwidth, NULL, &err), 0);
    assert_int_equal(capacity_open(&capacity, net, NULL, &err), 0);
    add_throughput(&f, net, capacity, "uniform");
    check_near(f.value[0], 5, 1e-9);
    f.n = 0;
    add_routing(&f, net, capacity, "minimal");
    for (size_t i = 0; i < f.n; i++)
        check_near(f.value[i], 2, 1e-9);
    free(capacity);
    net_close(net);
}

/* Dimension order on wide rows is served worst by what fills columns: half of what one unit link carries. */
static void the_worst_traffic_knows_bandwidths(void **state)
{
    const struct worst_options as_it_is = { 0 }, unit = { .unit = true };
    struct net *net = open_net("torus:4x4,bandwidth=1+8");

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct traffic traffic = { 0 };
        struct routing r = { 0 };
        struct throughput_options o = { 0 };
        struct throughput t;
        struct demand d;
        double *capacity;

        assert_int_equal(capacity_open(&capacity, net, NULL, &err), 0);
        o.capacity = capacity;
        assert_int_equal(routing_open(&r, net, "dor", &err), 0);
        assert_int_equal(worst_traffic(&traffic, net, "dor", NULL, i ? &unit : &as_it_is, &err), 0);
        assert_int_equal(demand_open(&d, &traffic, 10, NULL, &err), 0);
        assert_int_equal(throughput_of_routing(&t, net, &d, &r, &o, &err), 0);
        if (i)
            assert_true(t.theta > 0.5);
        else
            check_near(t.theta, 0.5, 1e-12);
        throughput_close(&t);
        demand_close(&d);
        traffic_release(&traffic);
        routing_close(&r);
        free(capacity);
    }
    net_close(net);
}

/* ---- failures ---- */

/* The file of a network as it is, without its group or lines, nodes by number. */
static struct net *as_file(struct net *net)
{
    char path[] = "/tmp/linksXXXXXX.gml", spec[40];
    const int fd = mkstemps(path, 4);
    FILE *f = fdopen(fd, "w");
    const igraph_t *graph;
    struct net *out;

    assert_non_null(f);
    assert_int_equal(net_graph(net, &graph, &err), 0);
    fprintf(f, "graph [ directed %d\n", net->directed);
    for (int v = 0; v < net->n; v++)
        fprintf(f, "node [ id %d kind \"%s\" ]\n", v, net_terminal_index(net, v) < 0 ? "switch" : "host");
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
        fprintf(f, "edge [ source %d target %d ]\n", (int)IGRAPH_FROM(graph, e), (int)IGRAPH_TO(graph, e));
    fprintf(f, "]\n");
    assert_int_equal(fclose(f), 0);
    snprintf(spec, sizeof spec, "file:%s", path);
    out = open_net(spec);
    unlink(path);
    return out;
}

static void failures_are_another_network(void **state)
{
    static const char *const specs[] = {
        "torus:4x4,fail=0-1+5-6", "hypercube:4,fail=0-1", "circulant:11,jumps=1+3,fail=random:3:2",
        "fattree:4,fail=random:3:1", "dragonfly,a=3,p=1,h=1,fail=switch:1", "hyperx:3x3,fail=switch:4",
        "mesh:4x4,fail=5-6", "ring:6,fail=0-5", "complete:7,fail=random:5:3", "midimew:13,fail=random:2:5",
        "torus:4x4,fail=switch:5", "torus:2x5,fail=0-1"
    };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = open_net(specs[i]), *file = as_file(net);
        struct facts facts[2];

        facts_of(&facts[0], net, true, true);
        facts_of(&facts[1], file, true, true);
        agree(specs[i], &facts[0], &facts[1], 1, 1e-9);
        net_close(net);
        net_close(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_cables_are_one_as_wide),
        cmocka_unit_test(doubled_cables_are_a_bandwidth_of_two),
        cmocka_unit_test(twice_the_bandwidth_is_twice_the_throughput),
        cmocka_unit_test(dimensions_may_differ),
        cmocka_unit_test(even_loads_are_those_of_ecmp),
        cmocka_unit_test(shares_follow_cables),
        cmocka_unit_test(equal_shares_wait_for_the_narrow_cable),
        cmocka_unit_test(the_worst_traffic_knows_bandwidths),
        cmocka_unit_test(failures_are_another_network),
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
