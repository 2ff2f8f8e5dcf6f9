/* The model's own saturation of open sources, found along the curve of solutions, against halving. SEED=n repeats
 * the random part. */
#include "analysis/simulate/saturation.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

/* The greatest load that has a solution, by halving. */
static double bisected(struct solver *v, double interval)
{
    double lo = 0, hi = 1;

    while (collide_open_solve(&v->collide, &(struct load){ interval, hi }, &err) == 0)
        hi *= 2;
    while (hi - lo > 1e-6 * hi) {
        const double mid = (lo + hi) / 2;

        if (collide_open_solve(&v->collide, &(struct load){ interval, mid }, &err) == 0)
            lo = mid;
        else {
            assert_int_equal(err.code, ERR_NETWORK);
            hi = mid;
        }
    }
    return lo;
}

static void saturations(void **state)
{
    double slowest = 0, most = 0;
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 2);
    for (int trial = 0; trial < 20; trial++) {
        struct scene s;
        struct solver v;
        double factor, want, begin, interval;
        const char *switching = trial % 4 ? "wormhole" : "cut-through";

        scene_random(&s, &rng, 64);
        if (trial % 5 == 0)
            scene_own_times(&s, &rng);
        solver_open(&v, &s, switching, trial % 2);
        interval = scene_interval(&v.flows, 1);
        begin = scene_seconds();
        if (collide_saturation(&factor, &v.collide, &(struct load){ interval, 1 }, &err) < 0)
            fail_msg("%s: %s", s.name, err.msg);
        slowest = fmax(slowest, scene_seconds() - begin);
        want = bisected(&v, interval);
        most = fmax(most, fabs(factor / want - 1));
        if (!(fabs(factor / want - 1) < 1e-4))
            fail_msg("%s, %s: saturation %.9g, by halving %.9g", s.name, switching, factor, want);
        solver_release(&v);
        scene_release(&s);
    }
    printf("saturations: off by %.2g at most, the slowest after %.3f s\n", most, slowest);
#ifndef __SANITIZE_ADDRESS__
    assert_true(slowest < 2);
#endif
}

static void check_saturation(struct scene *s, const char *what)
{
    struct solver v;
    double factor, want;

    solver_open(&v, s, "wormhole", true);
    assert_int_equal(collide_saturation(&factor, &v.collide, &(struct load){ 25, 1 }, &err), 0);
    want = bisected(&v, 25);
    if (!(fabs(factor / want - 1) < 1e-4))
        fail_msg("%s: saturation %.9g, by halving %.9g", what, factor, want);
    solver_release(&v);
}

/* Where a link without collisions is full first, held by messages that wait further on: a way in to a line that
 * two others join, and a hot spot in the middle of three nodes. */
static void full_without_collisions(void **state)
{
    static const int line[] = { 0, 1, 1, 2, 2, 3, 4, 2, 5, 2 }, stream[][2] = { { 0, 3 }, { 4, 3 }, { 5, 3 } };
    static const int middle[] = { 0, 1, 1, 2 };
    struct scene s;

    (void)state;
    scene_list(&s, nets_from_edges(6, line, 5, false), "minimal", stream, 3);
    s.traffic.stream[0].interval = 12;
    s.traffic.stream[1].interval = s.traffic.stream[2].interval = 200;
    check_saturation(&s, "a busy channel that two others join");
    scene_release(&s);
    s = (struct scene){ .net = nets_from_edges(3, middle, 2, false), .terminals = true, .name = "a line of three" };
    assert_int_equal(traffic_open(&s.traffic, s.net, "hotspot:1", &err), 0);
    assert_int_equal(routing_open(&s.routing, s.net, "minimal", &err), 0);
    check_saturation(&s, s.name);
    scene_release(&s);
}

/* A link is full before those that collide send anything to speak of: the search over waits has no end to reach. */
static void next_to_no_collisions(void **state)
{
    static const int edge[] = { 0, 1, 2, 3, 4, 3, 3, 5 }, stream[][2] = { { 0, 1 }, { 2, 5 }, { 4, 5 } };
    static const double interval[] = { 1e9, 1e100, 1e300 };
    struct scene s;
    struct solver v;
    double factor;

    (void)state;
    scene_list(&s, nets_from_edges(6, edge, 4, false), "minimal", stream, 3);
    s.traffic.stream[0].interval = 50;
    EACH_ROW(i, interval) {
        s.traffic.stream[1].interval = s.traffic.stream[2].interval = interval[i];
        solver_open(&v, &s, "wormhole", false);
        assert_int_equal(collide_saturation(&factor, &v.collide, &(struct load){ 1, 1 }, &err), 0);
        scene_near("a full link beside others that hardly send", factor, 2, 1e-8);
        solver_release(&v);
    }
    scene_release(&s);
}

/* Simulated: one Poisson source of messages of 10 flits on one link is M/D/1, whose wait at utilisation u is
 * 10 u / (2 (1 - u)); it is three idle latencies more at u = 6 idle / (10 + 6 idle). From guesses on either side. */
static void simulated_on_one_link(void **state)
{
    static const int edge[] = { 0, 1 }, stream[][2] = { { 0, 1 } };
    struct simulate_options o = simulate_usual;
    struct scene s;

    (void)state;
    o.terminals = false;
    o.cycles = 3e5;
    o.replications = 3;
    scene_list(&s, nets_from_edges(2, edge, 1, false), "minimal", stream, 1);
    for (int late = 0; late < 2; late++) {
        struct simulate_saturated x;
        struct simulation *run;
        double want;

        assert_int_equal(simulate_open(&run, s.net, &s.traffic, "minimal", &o, &err), 0);
        if (simulate_saturation(&x, run, &(struct load){ 10, 1 }, late ? 0.98 : 0.5, 1, &err) < 0)
            fail_msg("%s", err.msg);
        want = 6 * x.idle / (10 + 6 * x.idle);
        print_message("idle %g, sustained %g, not %g, M/D/1 %g, %d runs\n", x.idle, x.low, x.high, want, x.runs);
        assert_true(x.high <= 1.02 * x.low && x.low < 1.02 * want && x.high > 0.98 * want);
        simulate_close(run);
    }
    scene_release(&s);
}

/* Networks and traffics of all sorts, each with messages that hold links and with such that leave them. */
static void networks(void **state)
{
    static const struct {
        const char *net, *traffic, *routing;
    } row[] = {
        { "mesh:5x4x3", "uniform", "dor" },         { "mesh:4x4", "transpose", "dor" },
        { "torus:5x4", "uniform", "dor" },          { "torus:7x3", "hotspot:2", "ecmp" },
        { "ring:9", "uniform", "ecmp" },            { "hypercube:5", "uniform", "dor" },
        { "hypercube:5", "bit-reversal", "dor" },   { "fattree:4", "uniform", "ecmp" },
        { "dragonfly,a=4,p=2,h=2", "uniform", "minimal" },  { "random:48,degree=3", "uniform", "ecmp" },
        { "random:40,degree=4", "hotspot:3", "minimal" },   { "midimew:26", "uniform", "ecmp" },
        { "random:40,degree=4", "uniform", "updown" },  { "torus:4x4", "uniform", "valiant" },
        { "star:7", "uniform", "ecmp" },            { "hyperx:4x4,bandwidth=4+1,latency=0+20", "uniform", "dor" },
    };
    int lost = 0;

    (void)state;
    EACH_ROW(i, row)
        for (int hold = 0; hold < 2; hold++) {
            const char *switching = hold ? "wormhole" : "cut-through";
            double factor, want;
            struct scene s;
            struct solver v;

            scene_open(&s, row[i].net, row[i].traffic, row[i].routing);
            solver_open(&v, &s, switching, false);
            assert_int_equal(collide_saturation(&factor, &v.collide, &(struct load){ 25, 1 }, &err), 0);
            want = bisected(&v, 25);
            if (!(fabs(factor / want - 1) < 1e-4)) {
                print_error("%s, %s, %s: saturation %.9g, by halving %.9g\n", s.name, row[i].routing, switching,
                            factor, want);
                lost++;
            }
            solver_release(&v);
            scene_release(&s);
        }
    assert_int_equal(lost, 0);
}

/* Messages that leave their links hold them for their own time alone: the first link that is full ends it all, exactly
 * where the loads say. */
static void full_where_it_is_left(void **state)
{
    struct scene s;
    struct solver v;
    double factor, *link;

    (void)state;
    scene_open(&s, "random:60,degree=3", "uniform", "ecmp");
    solver_open(&v, &s, "cut-through", false);
    link = scene_reals(v.flows.nlink);
    assert_int_equal(flows_load(&v.flows, NULL, link, NULL, &err), 0);
    for (size_t l = 1; l < v.flows.nlink; l++)
        link[0] = fmax(link[0], link[l]);
    assert_int_equal(collide_saturation(&factor, &v.collide, &(struct load){ 1, 1 }, &err), 0);
    scene_near("where messages leave their links", factor * link[0] * v.collide.least_time, 1, 1e-12);
    free(link);
    solver_release(&v);
    scene_release(&s);
}

/* All pairs of a 4x4 mesh, and busy streams beside it that nobody meets: the mean wait over all messages is small
 * when the mesh is past its saturation. */
static void few_that_collide(void **state)
{
    enum { BESIDE = 1000, PAIRS = 240, NODES = 16 + 2 * BESIDE };
    int *end = calloc(2 * (24 + BESIDE), sizeof *end), (*stream)[2] = calloc(PAIRS + BESIDE, sizeof *stream);
    int nedge = 0, n = 0;
    struct scene s;

    (void)state;
    assert_true(end && stream);
    for (int v = 0; v < 16; v++)
        for (int down = 0; down < 2; down++)
            if (down ? v < 12 : v % 4 < 3) {
                end[2 * nedge] = v;
                end[2 * nedge++ + 1] = v + (down ? 4 : 1);
            }
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            if (i != j) {
                stream[n][0] = i;
                stream[n++][1] = j;
            }
    for (int v = 16; v < NODES; v += 2) {
        end[2 * nedge] = stream[n][0] = v;
        end[2 * nedge++ + 1] = stream[n++][1] = v + 1;
    }
    scene_list(&s, nets_from_edges(NODES, end, nedge, false), "minimal", (const int (*)[2])stream, (size_t)n);
    for (int i = 0; i < PAIRS; i++)
        s.traffic.stream[i].interval = 1000;
    check_saturation(&s, "few that collide");
    scene_release(&s);
    free(end);
    free(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturations), cmocka_unit_test(full_without_collisions), cmocka_unit_test(few_that_collide),
        cmocka_unit_test(next_to_no_collisions), cmocka_unit_test(simulated_on_one_link), cmocka_unit_test(networks),
        cmocka_unit_test(full_where_it_is_left),
    };
    int failed;

    net_setup();
    seed = check_seed();
    failed = cmocka_run_group_tests_name("saturation", tests, NULL, NULL);
    net_teardown();
    return failed;
}
