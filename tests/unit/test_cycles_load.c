/* Broadcasts in cycles among a background: closed forms, what scale and series of links must not change, and the
 * simulation message by message (cycles_twin.h). */
#include <string.h>

#include "analysis/broadcast/cycles_load.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"
#include "tests/support/simulated.h"
#include "tests/support/stage.h"

static struct err err;

/* A background's scene, a tree, and what comes of them. */
struct among {
    const char *switching, *tree;
    double time, hop_time, interval;
    bool open;
    int ports;
    struct cycles_load_options o;
};

static int among_run(struct cycles_load *out, const struct among *a, struct scene *s, const int *node, int n)
{
    const struct switching *how = switching_find(a->switching, NULL);
    const struct latency_options options = { .collide = { .switching = how, .time = a->time, .hop_time = a->hop_time,
                                                          .tolerance = 1e-9 }, .open = a->open, .unfolded = true };
    const struct cycles_how hold = { how, a->time, a->hop_time, a->ports, a->ports == 1 };
    const struct load load = { a->interval, 1 };
    struct cycles_background b = { 0 };
    struct latency_study study = { 0 };
    struct cycles_links links = { 0 };
    struct cycles_ways ways = { 0 };
    struct tree_shape tree = { 0 };
    struct placement where = { 0 };
    const int root = 0;
    int ret = -1;

    err = (struct err){ 0 };
    if ((node ? placement_from(&where, s->net, node, n, &err) :
         placement_init(&where, s->net, NULL, n, 1, 1, &err)) == 0 &&
            tree_shape_init(&tree, tree_find(a->tree, &err), where.n, NULL, &err) == 0 &&
            cycles_links_open(&links, s->net, &err) == 0 &&
            cycles_ways_open(&ways, &links, &(struct cycles_trees){ &tree, &where, &root, 1, &s->routing }, NULL,
                             &err) == 0 &&
            latency_open(&study, &s->traffic, &s->routing, 1, &options, &err) == 0 &&
            cycles_background_open(&b, &study, &links, &load, &err) == 0)
        ret = cycles_load(out, &b, &ways, 0, &hold, &a->o, &err);
    cycles_background_release(&b);
    latency_close(&study);
    cycles_ways_release(&ways);
    cycles_links_release(&links);
    tree_shape_release(&tree);
    placement_release(&where);
    return ret;
}

static void run(struct cycles_load *out, const struct among *a, struct scene *s, const int *node, int n)
{
    if (among_run(out, a, s, node, n) < 0)
        fail_msg("%s, %s: %s", s->name, a->tree, err.msg);
}

/* Within the confidence intervals' doubles. */
static void known(const struct cycles_load *l, double mean)
{
    check_near(l->completion.mean, mean, 2 * l->completion.half);
}

/* ---- closed forms ---- */

static void two_nodes(void **state)
{
    static const int both[][2] = { { 0, 1 }, { 1, 0 } }, ends[] = { 0, 1 };
    const struct among a = { "wormhole", "chain", 25, 0, 100, false, 1, { .draws = 100000, .precision = 1e-4 } };
    struct cycles_load l;
    struct scene s;

    (void)state;
    scene_list(&s, nets_from_edges(2, ends, 1, false), "minimal", both, 2);
    run(&l, &a, &s, NULL, 0);
    known(&l, 27.5);
    check_near(l.sd, 5.951, 0.05);
    assert_int_equal(l.draws, 100000);
    check_near(l.idle, 25, 0);
    check_near(l.held, 0.2, 1e-9);
    check_near(l.p95, 25 + 25 * 0.75, 0.2);      /* held 0.2 of the time, for an even rest */
    assert_true(l.validity == VALIDITY_GOOD);
    cycles_load_release(&l);
    scene_release(&s);
}

/* Messages to 1, 2, 3 on a line, one channel from 0 to 1: the first link is the only one that is shared. */
static void three_messages(void **state)
{
    static const int one[][2] = { { 0, 1 } }, ends[] = { 0, 1, 1, 2, 2, 3 };
    struct among a = { "wormhole", "sequential", 25, 0, 100, false, 1, { .draws = 100000, .precision = 1e-4 } };
    struct cycles_load l;
    struct scene s;

    (void)state;
    scene_list(&s, nets_from_edges(4, ends, 3, false), "minimal", one, 1);
    for (int i = 0; i < 2; i++) {
        a.switching = i ? "cut-through" : "wormhole";
        run(&l, &a, &s, NULL, 0);
        known(&l, 88.560);
        assert_int_equal(l.worst_link, 0);
        check_near(l.worst_wait, l.completion.mean - 75, 1e-9);
        check_near(l.waited, l.worst_wait, 1e-9);
        cycles_load_release(&l);
    }
    scene_release(&s);
}

/* An open source, whose messages do not mind: an M/D/1 queue seen at random. */
static void open_source(void **state)
{
    static const int one[][2] = { { 0, 1 } }, ends[] = { 0, 1 };
    const struct among a = { "wormhole", "chain", 25, 0, 100, true, 1, { .draws = 100000, .precision = 1e-4 } };
    struct cycles_load l;
    struct scene s;

    (void)state;
    scene_list(&s, nets_from_edges(2, ends, 1, false), "minimal", one, 1);
    run(&l, &a, &s, NULL, 0);
    known(&l, 25 + 0.25 * 12.5);                /* one message out at a time: the rest of the one that is there */
    cycles_load_release(&l);
    scene_release(&s);
}

/* ---- what must not change anything ---- */

static const char *const trees[] = { "sequential", "binary", "binomial", "chain" };

static void light_and_scaled(void **state)
{
    struct among a = { "wormhole", NULL, 25, 0, 1e7, false, 1, { .draws = 512 } };
    struct cycles_load l, twice;
    struct scene s;

    (void)state;
    scene_open(&s, "mesh:4x3", "uniform", NULL);
    EACH_ROW(t, trees) {
        a.tree = trees[t];
        a.interval = 1e7;
        run(&l, &a, &s, NULL, 0);
        check_near(l.slowdown, 1, 1e-3);
        cycles_load_release(&l);
        a.interval = 80;
        run(&l, &a, &s, NULL, 0);
        assert_true(l.slowdown > 1.05);
        a.time *= 2;
        a.interval *= 2;
        run(&twice, &a, &s, NULL, 0);
        a.time /= 2;
        check_near(twice.completion.mean / 2, l.completion.mean, 1e-6 * l.completion.mean);
        check_near(twice.sd / 2, l.sd, 1e-5 * l.sd);
        check_near(twice.p95 / 2, l.p95, 1e-5 * l.p95);
        cycles_load_release(&l);
        cycles_load_release(&twice);
    }
    scene_release(&s);
}

/* A link, and two in series with a node between them that sends and receives nothing. */
/* Messages that hold their links: turns of the background close a cycle, and it stands still when it is simulated flit
 * by flit; only those of both do, of channels round a ring from which one turn is missing, which the broadcast has. */
static void blocked(void **state)
{
    static const int round[][2] = { { 1, 3 }, { 2, 4 }, { 3, 0 }, { 4, 1 } };
    static const struct {
        const char *net, *switching, *tree;
        double interval;
        int channels;           /* of the ring; 0: uniform */
        bool blocks, stands;
    } row[] = {
        { "random:22,degree=3,seed=2", "wormhole", "binomial", 200, 0, true, false },
        { "random:22,degree=3,seed=2", "wormhole", "binomial", 60, 0, true, true },
        { "random:22,degree=3,seed=2", "cut-through", "binomial", 200, 0, false, false },
        { "mesh:4x4", "wormhole", "binomial", 400, 0, false, false },
        { "ring:5", "wormhole", "chain", 400, 4, false, false },
        { "ring:5", "wormhole", "sequential", 400, 4, true, false },
        { "ring:5", "circuit", "sequential", 400, 4, true, false },
        { "ring:5", "wormhole", "sequential", 400, 3, false, false }
    };

    (void)state;
    EACH_ROW(i, row) {
        const struct among a = { row[i].switching, row[i].tree, 25, 0, row[i].interval, false, 1, { .draws = 256 } };
        struct simulate_options o = simulated_usual("wormhole");
        struct simulated m;
        struct cycles_load l;
        struct scene s;

        if (row[i].channels) {
            struct net *ring;

            assert_int_equal(net_open(&ring, "ring:5", &err), 0);
            scene_list(&s, ring, "minimal", round, (size_t)row[i].channels);
        } else {
            scene_open(&s, row[i].net, "uniform", strcmp(row[i].net, "mesh:4x4") == 0 ? "dor" : "minimal");
        }
        run(&l, &a, &s, NULL, 0);
        if ((l.validity == VALIDITY_DEADLOCK) != row[i].blocks)
            fail_msg("row %zu: %s", i, validity_name[l.validity]);
        if (row[i].stands) {
            o.flits = 25;
            o.source = SOURCE_CLOSED;
            simulated_nets(&m, row[i].net, "uniform");
            assert_int_equal(simulated_try(&m, "minimal", &o, &err), 0);
            simulated_run(&m, 25 / row[i].interval, 25);
            assert_true(m.r.deadlocks > 0);
            simulated_release(&m);
        }
        cycles_load_release(&l);
        scene_release(&s);
    }
}

static void series(void **state)
{
    static const int stream[][2] = { { 0, 2 }, { 1, 3 }, { 3, 0 }, { 4, 2 }, { 4, 1 } };
    static const int ends[] = { 0, 1, 1, 2, 2, 3, 1, 4 }, more[] = { 0, 1, 1, 5, 5, 2, 2, 3, 1, 4 };
    static const int node[] = { 0, 1, 2, 3, 4 };
    static const char *const switching[] = { "wormhole", "cut-through" };
    struct among a = { NULL, NULL, 25, 0, 60, false, 1, { .draws = 40000, .precision = 1e-4 } };

    (void)state;
    EACH_ROW(i, switching)
        EACH_ROW(t, trees) {
            struct cycles_load whole, split;
            struct scene s, u;

            a.switching = switching[i];
            a.tree = trees[t];
            scene_list(&s, nets_from_edges(5, ends, 4, false), "minimal", stream, COUNT(stream));
            scene_list(&u, nets_from_edges(6, more, 5, false), "minimal", stream, COUNT(stream));
            run(&whole, &a, &s, node, 5);
            run(&split, &a, &u, node, 5);
            check_near(split.completion.mean, whole.completion.mean,
                       1.5 * (whole.completion.half + split.completion.half));
            cycles_load_release(&whole);
            cycles_load_release(&split);
            scene_release(&s);
            scene_release(&u);
        }
}

static void same_bytes(void **state)
{
    struct among a = { "wormhole", "binomial", 25, 1, 90, false, 1, { .seed = 7, .draws = 700 } };
    struct cycles_load first, l;
    struct scene s;

    (void)state;
    scene_open(&s, "mesh:4x3", "uniform", NULL);
    a.o.jobs = 1;
    run(&first, &a, &s, NULL, 0);
    for (int jobs = 1; jobs <= 5; jobs += 2) {
        a.o.jobs = jobs;
        run(&l, &a, &s, NULL, 0);
        assert_memory_equal(&l.completion, &first.completion, sizeof l.completion);
        assert_memory_equal(l.arrival, first.arrival, (size_t)l.n * sizeof *l.arrival);
        assert_true(l.p95 == first.p95 && l.worst_wait == first.worst_wait && l.waited == first.waited);
        cycles_load_release(&l);
    }
    a.o.seed = 8;
    run(&l, &a, &s, NULL, 0);
    assert_true(l.completion.mean != first.completion.mean);
    check_near(l.completion.mean, first.completion.mean, 2 * (l.completion.half + first.completion.half));
    cycles_load_release(&l);
    cycles_load_release(&first);
    scene_release(&s);
}

static void refused(void **state)
{
    static const int one[][2] = { { 0, 1 } }, ends[] = { 0, 1, 0, 1 };
    struct among a = { "store-and-forward", "chain", 25, 0, 100, false, 1, { .draws = 10 } };
    struct cycles_load l;
    struct net *twice;
    struct scene s;

    (void)state;
    scene_open(&s, "mesh:3x3", "uniform", NULL);
    assert_int_equal(among_run(&l, &a, &s, NULL, 0), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_non_null(strstr(err.msg, "store-and-forward"));
    scene_release(&s);
    a.switching = "wormhole";
    twice = nets_from_edges(2, ends, 2, false);
    twice->cables.parallel = true;
    scene_list(&s, twice, "minimal", one, 1);
    assert_int_equal(among_run(&l, &a, &s, NULL, 0), -1);
    assert_non_null(strstr(err.msg, "side by side"));
    scene_release(&s);
}

/* Links of unlike bandwidth: a message of 100 flits over one of bandwidth 4 is as one of 25 over one of 1. */
static void bandwidths(void **state)
{
    struct among a = { "wormhole", "binary", 100, 0, 160, false, 1, { .draws = 1000 } };
    struct cycles_load fast, l;
    struct scene s;

    (void)state;
    scene_open(&s, "mesh:4x3,bandwidth=4", "uniform", NULL);
    run(&fast, &a, &s, NULL, 0);
    scene_release(&s);
    scene_open(&s, "mesh:4x3", "uniform", NULL);
    a.time = 25;
    run(&l, &a, &s, NULL, 0);
    scene_release(&s);
    check_near(fast.completion.mean, l.completion.mean, 1e-6 * l.completion.mean);
    cycles_load_release(&fast);
    cycles_load_release(&l);
}

/* ---- simulated ---- */

/* By another program; sequential, binary, binomial, chain. */
static void published(void **state)
{
    static const struct {
        double interval, within, mean[4];
    } row[] = { { 150, 0.03, { 453, 201, 128, 420 } }, { 40, 0.06, { 656, 266, 179, 527 } } };
    struct among a = { "wormhole", NULL, 25, 0, 0, false, 1, { 0 } };
    struct scene s;

    (void)state;
    scene_open(&s, "mesh:4x4", "uniform", NULL);
    EACH_ROW(i, row)
        EACH_ROW(t, trees) {
            struct cycles_load l;

            a.interval = row[i].interval;
            a.tree = trees[t];
            run(&l, &a, &s, NULL, 0);
            scene_near(trees[t], l.completion.mean, row[i].mean[t], row[i].within);
            cycles_load_release(&l);
        }
    scene_release(&s);
}

/* Message by message, on networks that nothing was fitted to: means within so much. */
static const struct held {
    const char *name, *spec, *switching;
    enum twin_switching how;
    double hop_time, interval;
    bool open;
    int ports;
    double within;
} simulated[] = {
    { "simulated: hypercube", "hypercube:4", "wormhole", TWIN_WORMHOLE, 0, 60, false, 1, 0.03 },
    { "simulated: mesh", "mesh:5x3", "wormhole", TWIN_WORMHOLE, 0, 90, false, 1, 0.03 },
    { "simulated: star, all ports", "star:12", "wormhole", TWIN_WORMHOLE, 0, 100, false, 0, 0.03 },
    { "simulated: mesh, hop times", "mesh:5x3", "wormhole", TWIN_WORMHOLE, 1, 150, false, 1, 0.04 },
    { "simulated: torus, cut-through", "torus:4x4", "cut-through", TWIN_CUT_THROUGH, 0, 100, false, 1, 0.04 },
    { "simulated: fat tree", "fattree:4", "wormhole", TWIN_WORMHOLE, 0, 90, false, 1, 0.03 },
    { "simulated: mesh, two bandwidths", "mesh:4x3,bandwidth=1+2", "wormhole", TWIN_WORMHOLE, 0, 90, false, 1, 0.04 },
    { "simulated: mesh, open", "mesh:5x3", "wormhole", TWIN_WORMHOLE, 0, 140, true, 1, 0.03 },
};

static void held_to_simulation(void **state)
{
    enum { N = 800 };
    const struct held *row = *state;
    const struct twin_root root = { 0, 2000, N, TWIN_AFTER, 1200 };

    EACH_ROW(t, trees) {
        const struct among a = { row->switching, trees[t], 25, row->hop_time, row->interval, row->open, row->ports,
                                 { 0 } };
        struct cycles_load l;
        struct twin_result r;
        struct trial c;
        struct stage g;
        struct scene s;
        struct rng rng;
        double sum = 0, squares = 0, sd;

        trial_open(&c, row->spec, trees[t], 0, row->ports, row->ports == 1);
        routing_close(&c.routing);
        if (routing_open(&c.routing, c.net, routing_usual(NULL, c.net, ROUTING_FOR_TREES), &err) < 0)
            fail_msg("%s", err.msg);
        stage_open(&g, &c, row->how, 25, row->hop_time);
        stage_traffic(&g, &c, "uniform", c.routing.spec, row->interval, row->open);
        g.scene.root = &root;
        g.scene.nroot = 1;
        rng_seed(&rng, 5 + t);
        twin_run(&r, &g.scene, (struct twin_how){ .enough = N, .rng = &rng });
        for (int i = 0; i < N; i++) {
            const double took = r.broadcast[i].complete - r.broadcast[i].start;

            sum += took / N;
            squares += took * took / N;
        }
        sd = sqrt(squares - sum * sum);
        scene_open(&s, row->spec, "uniform", c.routing.spec);
        run(&l, &a, &s, NULL, 0);
        if (l.validity != VALIDITY_GOOD)
            fail_msg("held %g of the time: not among those to be believed", l.held);
        scene_near(trees[t], l.completion.mean, sum, row->within + 2 * sd / sqrt(N) / sum);
        scene_near(trees[t], l.sd, sd, 0.25);
        cycles_load_release(&l);
        scene_release(&s);
        twin_release(&r);
        stage_release(&g);
        trial_release(&c);
    }
}

int main(void)
{
    struct CMUnitTest tests[32] = {
        cmocka_unit_test(two_nodes), cmocka_unit_test(three_messages), cmocka_unit_test(open_source),
        cmocka_unit_test(light_and_scaled), cmocka_unit_test(blocked), cmocka_unit_test(series),
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(refused), cmocka_unit_test(bandwidths), cmocka_unit_test(published),
    };
    size_t n = 10;
    int failed;

    net_setup();
    EACH_ROW(i, simulated)
        tests[n++] = (struct CMUnitTest){ simulated[i].name, held_to_simulation, NULL, NULL,
                                          (void *)(uintptr_t)&simulated[i] };
    failed = _cmocka_run_group_tests("broadcasts under load", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
