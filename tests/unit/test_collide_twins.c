/* Waits over a network against slow twins, and what must not change them: folding, the order of streams, links in
 * series, threads, where the iteration begins. SEED=n repeats the random part. */
#include <string.h>

#include "model/contention/contend.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/paths.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

/* By which the first collision of two costs half a message. */
static const char *any_switching(struct rng *rng)
{
    static const char *const name[] = { "wormhole", "cut-through", "circuit" };

    return name[rng_below(rng, COUNT(name))];
}

static const char *all_switchings(struct rng *rng)
{
    return rng_below(rng, 3) ? any_switching(rng) : "virtual-channel";
}

/* ---- twins ------------------------------------------------------------------------------------------------- */

static void check_latencies(const struct solver *v, const double *want, const char *what, const char *name)
{
    for (size_t i = 0; i < v->flows.nsource; i++)
        if (!(fabs(v->collide.latency[i] - want[i]) <= 2e-7 * want[i]))
            fail_msg("%s: %s: source %zu %.12g, wanted %.12g", name, what, i, v->collide.latency[i], want[i]);
}

static void closed_twin(void **state)
{
    struct rng rng;
    int settled = 0;

    (void)state;
    rng_seed(&rng, seed);
    for (int trial = 0; trial < 60; trial++) {
        struct scene s;
        struct solver v;
        struct paths p;
        const char *switching = all_switchings(&rng);
        double *want, interval;

        scene_random(&s, &rng, 16);
        if (trial % 3 == 0)
            scene_own_times(&s, &rng);
        solver_open(&v, &s, switching, true);
        paths_open(&p, &s.traffic, &s.routing, s.terminals);
        want = scene_reals((size_t)p.nsource);
        interval = scene_interval(&v.flows, scene_between(&rng, 0.02, 0.6));
        if (paths_closed(&p, interval, 25, v.collide.o.switching, want)) {
            solver_closed(&v, interval);
            check_latencies(&v, want, switching, s.name);
            settled++;
        }
        free(want);
        paths_release(&p);
        solver_release(&v);
        scene_release(&s);
    }
    assert_true(settled >= 50);
}

static void open_twin(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    for (int trial = 0; trial < 60; trial++) {
        struct scene s;
        struct solver v;
        struct paths p;
        const char *switching = all_switchings(&rng);
        double *want, interval;
        struct load load;
        bool fits;

        scene_random(&s, &rng, 16);
        if (trial % 3 == 0)
            scene_own_times(&s, &rng);
        solver_open(&v, &s, switching, true);
        paths_open(&p, &s.traffic, &s.routing, s.terminals);
        want = scene_reals((size_t)p.nsource);
        interval = scene_interval(&v.flows, scene_between(&rng, 0.05, 1));
        load = (struct load){ interval, 1 };
        fits = paths_open_sources(&p, interval, 25, v.collide.o.switching, want);
        if ((collide_open_solve(&v.collide, &load, &err) == 0) != fits)
            fail_msg("%s, %s: %s", s.name, switching, fits ? err.msg : "no error");
        if (fits)
            check_latencies(&v, want, switching, s.name);
        else
            assert_int_equal(err.code, ERR_NETWORK);
        free(want);
        paths_release(&p);
        solver_release(&v);
        scene_release(&s);
    }
}

/* ---- what changes nothing ---------------------------------------------------------------------------------- */

static void folded(void **state)
{
    static const char *const net[][2] = { { "torus:5x4", "dor" }, { "torus:4x6", "dor,tie=split" }, { "hypercube:4",
        "dor" },
                                          { "ring:7", "dor" }, { "circulant:13,jumps=1+5", "dor" }, { "torus:3x4x3",
                                            "dor" } };
    static const char *const traffic[] = { "uniform", "tornado", "neighbour", "broadcast:binomial,root=all" };

    (void)state;
    EACH_ROW(i, net)
        EACH_ROW(k, traffic) {
            struct net *probe;
            struct traffic t;
            struct scene s;
            bool fits;

            assert_int_equal(net_open(&probe, net[i][0], &err), 0);
            fits = traffic_open(&t, probe, traffic[k], &err) == 0;
            if (fits) {
                fits = t.invariant;
                assert_true(fits || strncmp(traffic[k], "broadcast", 9) == 0);
                traffic_release(&t);
            }
            net_close(probe);
            if (!fits)
                continue;
            scene_open(&s, net[i][0], traffic[k], net[i][1]);
            for (size_t w = 0; switching_all[w]; w++) {
                s.terminals = (i + k + w) % 2;
                scene_folds(&s, switching_all[w]->name, 0.3);
            }
            scene_release(&s);
        }
}

/* The streams, all of node 0 one source that sends to each equally often. */
static void one_source(struct scene *s)
{
    struct traffic *t = &s->traffic;

    assert_int_equal(traffic_group_nodes(t, &err), 0);
    for (size_t i = 0; i < t->nsource; i++)
        for (size_t k = t->first[i]; k < t->first[i + 1]; k++)
            t->stream[k].share = 1.0 / (double)(t->first[i + 1] - t->first[i]);
}

static struct scene line(const int (*stream)[2], size_t n, bool grouped)
{
    struct net *net;
    struct scene s;

    assert_int_equal(net_open(&net, "mesh:4", &err), 0);
    scene_list(&s, net, "dor", stream, n);
    if (grouped)
        one_source(&s);
    return s;
}

/* On a line, from node 0 to 2 and 3: as two sources they wait for each other on the way into the network, as the exact
 * chain of two says; as one source never. Node 1 on its way to 2 meets that one source as it would meet one channel. */
static void sources_do_not_meet_themselves(void **state)
{
    static const int stream[][2] = { { 0, 2 }, { 0, 3 }, { 1, 2 } };

    (void)state;
    for (double interval = 1; interval < 1e4; interval *= 10) {
        const struct contender two[2] = { { interval, 25 }, { interval, 25 } };
        double wait[2];
        struct solver v;
        struct scene s;

        assert_int_equal(contend_chain(wait, two, 2, &err), 0);
        for (int grouped = 0; grouped < 2; grouped++) {
            s = line(stream, 2, grouped);
            solver_open(&v, &s, "wormhole", false);
            assert_int_equal(v.flows.nsource, 2 - grouped);
            scene_near("two channels of a node", solver_closed(&v, interval), 25 + (grouped ? 0 : wait[0]),
                       grouped ? 0 : 1e-6);
            solver_release(&v);
            scene_release(&s);
        }
        s = line(stream, 3, true);
        solver_open(&v, &s, "wormhole", false);
        solver_closed(&v, interval);
        scene_near("a source of two channels", v.collide.latency[0], 25 + wait[0], 1e-6);
        scene_near("who meets it", v.collide.latency[1], 25 + wait[1], 1e-6);
        solver_release(&v);
        scene_release(&s);
    }
}

/* All pairs, those of a node one source. */
static void groups_of_all_pairs_are_uniform(void **state)
{
    static const char *const nets[] = { "mesh:3x4", "star:7", "ring:6" };

    (void)state;
    EACH_ROW(i, nets)
        for (size_t w = 0; switching_all[w]; w++) {
            int pair[12 * 11][2];
            struct scene s, uniform;
            struct solver v, u;
            struct net *net;
            size_t n = 0;

            scene_open(&uniform, nets[i], "uniform", "minimal");
            for (int a = 0; a < uniform.net->n; a++)
                for (int b = 0; b < uniform.net->n; b++)
                    if (a != b) {
                        pair[n][0] = a;
                        pair[n++][1] = b;
                    }
            assert_int_equal(net_open(&net, nets[i], &err), 0);
            scene_list(&s, net, "minimal", (const int (*)[2])pair, n);
            one_source(&s);
            s.terminals = uniform.terminals = w % 2;
            solver_open(&v, &s, switching_all[w]->name, true);
            solver_open(&u, &uniform, switching_all[w]->name, true);
            for (double load = 0.1; load < 0.5; load *= 2) {
                const double interval = scene_interval(&u.flows, load);

                scene_near(nets[i], solver_closed(&v, interval), solver_closed(&u, interval), 1e-9);
                for (size_t k = 0; k < u.flows.nsource; k++)
                    scene_near("of a source", v.collide.latency[k], u.collide.latency[k], 1e-8);
                scene_near(nets[i], solver_open_sources(&v, 2 * interval), solver_open_sources(&u, 2 * interval), 1e-9);
            }
            solver_release(&v);
            solver_release(&u);
            scene_release(&s);
            scene_release(&uniform);
        }
}

static void order_of_streams(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 3);
    for (int trial = 0; trial < 20; trial++) {
        const size_t n = 2 + rng_below(&rng, 40);
        struct scene s;
        struct solver v;
        struct stream *kept = calloc(n, sizeof *kept);
        int *place = calloc(n, sizeof *place);
        double *latency = scene_reals(n), interval;

        assert_true(kept && place);
        scene_streams(&s, &rng, trial % 2 ? "mesh:5x5" : "mesh:3x4x3", "dor", n);
        scene_own_times(&s, &rng);
        solver_open(&v, &s, any_switching(&rng), false);
        interval = scene_interval(&v.flows, 0.4);
        solver_closed(&v, interval);
        memcpy(latency, v.collide.latency, n * sizeof *latency);
        memcpy(kept, s.traffic.stream, n * sizeof *kept);
        for (size_t i = 0; i < n; i++)
            place[i] = (int)i;
        rng_shuffle(&rng, place, n);
        for (size_t i = 0; i < n; i++)
            s.traffic.stream[place[i]] = kept[i];
        const struct switching *same = v.collide.o.switching;
        solver_release(&v);
        solver_open(&v, &s, same->name, false);
        solver_closed(&v, interval);
        for (size_t i = 0; i < n; i++)
            scene_near("in another order", v.collide.latency[place[i]], latency[i], 1e-7);
        solver_release(&v);
        scene_release(&s);
        free(kept);
        free(place);
        free(latency);
    }
}

/* A tree, where there is one path, and the same with some of its cables made of several in series. */
static void links_in_series(void **state)
{
    enum { NODES = 12, MOST = 4 * NODES };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 4);
    for (int trial = 0; trial < 20; trial++) {
        int end[2][2 * MOST], nedge[2] = { 0, 0 }, nodes = NODES, stream[20][2];
        const char *switching = any_switching(&rng);
        double latency[20], interval = scene_between(&rng, 50, 2000);

        for (int v = 1; v < NODES; v++) {
            int from = (int)rng_below(&rng, (uint64_t)v);

            end[0][2 * nedge[0]] = from;
            end[0][2 * nedge[0]++ + 1] = v;
            for (int more = (int)rng_below(&rng, 4); more > 0; more--) {
                end[1][2 * nedge[1]] = from;
                end[1][2 * nedge[1]++ + 1] = from = nodes++;
            }
            end[1][2 * nedge[1]] = from;
            end[1][2 * nedge[1]++ + 1] = v;
        }
        for (int i = 0; i < 20; i++) {
            stream[i][0] = (int)rng_below(&rng, NODES);
            stream[i][1] = (stream[i][0] + 1 + (int)rng_below(&rng, NODES - 1)) % NODES;
        }
        for (int k = 0; k < 2; k++) {
            struct scene s;
            struct solver v;

            scene_list(&s, nets_from_edges(k ? nodes : NODES, end[k], nedge[k], false), "minimal",
                       (const int (*)[2])stream, 20);
            solver_open(&v, &s, switching, false);
            solver_closed(&v, interval);
            for (int i = 0; i < 20; i++)
                if (k)
                    scene_near("in series", v.collide.latency[i], latency[i], 1e-7);
                else
                    latency[i] = v.collide.latency[i];
            solver_release(&v);
            scene_release(&s);
        }
    }
}

/* Nobody else sends, and parts of the message's ways meet again: nothing to wait for. */
static void alone(void **state)
{
    static const struct { const char *net; int to; } lone[] = { { "torus:4x4", 10 }, { "torus:4x6x4",
        2 * 24 + 3 * 4 + 2 } };

    (void)state;
    EACH_ROW(i, lone)
        for (int w = 0; w < 2; w++) {
            const int stream[1][2] = { { 0, lone[i].to } };
            struct net *net;
            struct scene s;
            struct solver v;

            assert_int_equal(net_open(&net, lone[i].net, &err), 0);
            scene_list(&s, net, "dor,tie=split", stream, 1);
            s.terminals = w;
            solver_open(&v, &s, w ? "cut-through" : "wormhole", false);
            assert_true(v.flows.noverlap > 0);
            for (double interval = 1; interval < 1e4; interval *= 10)
                scene_near("alone", solver_closed(&v, interval), 25, 1e-9);
            solver_release(&v);
            scene_release(&s);
        }
}

/* Equal places, equal waits: all sources of a torus under uniform traffic, rotations of a mesh. */
static void symmetry(void **state)
{
    struct scene s;
    struct solver v;

    (void)state;
    scene_open(&s, "torus:5x5", "uniform", "dor");
    solver_open(&v, &s, "wormhole", true);
    solver_closed(&v, 150);
    for (size_t i = 1; i < v.flows.nsource; i++)
        scene_near("torus", v.collide.latency[i], v.collide.latency[0], 1e-9);
    solver_release(&v);
    scene_release(&s);
    scene_open(&s, "mesh:6x4", "uniform", "dor");
    solver_open(&v, &s, "wormhole", true);
    solver_closed(&v, 60);
    for (int i = 0; i < 24; i++) {
        scene_near("mesh turned round", v.collide.latency[i], v.collide.latency[23 - i], 1e-7);
        scene_near("mesh mirrored", v.collide.latency[i], v.collide.latency[i / 4 * 4 + 3 - i % 4], 1e-7);
    }
    solver_release(&v);
    scene_release(&s);
}

static void threads(void **state)
{
    static const char *const net[] = { "torus:17x15", "mesh:16x16" };

    (void)state;
    EACH_ROW(i, net) {
        struct scene s;
        struct solver v[2];
        double factor[2];

        scene_open(&s, net[i], "uniform", "dor");
        for (int k = 0; k < 2; k++) {
            solver_open(&v[k], &s, "wormhole", true);
            v[k].collide.o.jobs = k ? 4 : 1;
            solver_closed(&v[k], 1000);
        }
        assert_true(v[0].flows.nchunk > 1);
        assert_memory_equal(v[0].collide.latency, v[1].collide.latency, v[0].flows.nsource * sizeof(double));
        assert_memory_equal(v[0].collide.wait, v[1].collide.wait, v[0].flows.nport * sizeof(double));
        for (int k = 0; k < 2; k++)
            solver_open_sources(&v[k], 1000);
        assert_memory_equal(v[0].collide.latency, v[1].collide.latency, v[0].flows.nsource * sizeof(double));
        for (int k = 0; k < 2; k++)
            assert_int_equal(collide_saturation(&factor[k], &v[k].collide, &(struct load){ 25, 1 }, &err), 0);
        assert_true(factor[0] == factor[1]);
        for (int k = 0; k < 2; k++)
            solver_release(&v[k]);
        scene_release(&s);
    }
}

/* A sweep from load to load, against each load by itself; and no latency falls as the interval does. */
static void sweeps(void **state)
{
    static const char *const net[][2] = { { "mesh:6x6", "uniform" }, { "mesh:4x4", "transpose" }, { "mesh:4x4x4",
        "uniform" },
                                          { "torus:6x6", "uniform" } };

    (void)state;
    EACH_ROW(i, net) {
        struct scene s;
        struct solver warm, cold;
        double *before;

        scene_open(&s, net[i][0], net[i][1], "dor");
        solver_open(&warm, &s, "wormhole", true);
        before = scene_reals(warm.flows.nsource);
        for (double load = 0.02; load < (i == 3 ? 0.3 : 0.5); load *= 1.3) {
            const double interval = scene_interval(&warm.flows, load);

            solver_open(&cold, &s, "wormhole", true);
            solver_closed(&warm, interval);
            solver_closed(&cold, interval);
            for (size_t k = 0; k < warm.flows.nsource; k++) {
                assert_true(fabs(warm.collide.latency[k] - cold.collide.latency[k]) < 1e-7 * 25);
                assert_true(warm.collide.latency[k] >= before[k] * (1 - 1e-9));
                before[k] = warm.collide.latency[k];
            }
            solver_release(&cold);
        }
        free(before);
        solver_release(&warm);
        scene_release(&s);
    }
}

/* ---- limits ------------------------------------------------------------------------------------------------ */

/* Long intervals: TD^2/2 MI for every other stream at every link where the two meet over different ports. */
static void light_loads(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 5);
    for (int trial = 0; trial < 20; trial++) {
        const double interval = 1e7;
        struct scene s;
        struct solver v;
        struct paths p;

        scene_streams(&s, &rng, trial % 2 ? "mesh:5x5" : "torus:4x5", "dor", 10 + rng_below(&rng, 30));
        solver_open(&v, &s, any_switching(&rng), true);
        v.collide.o.tolerance = 1e-13;
        paths_open(&p, &s.traffic, &s.routing, false);
        solver_closed(&v, interval);
        for (size_t a = 0; a < p.npath; a++) {
            int meetings = 0;

            for (size_t b = 0; b < p.npath; b++)
                for (int i = 0; i < p.path[a].n; i++)
                    for (int j = 0; j < p.path[b].n; j++)
                        meetings += p.path[a].port[i] != p.path[b].port[j] &&
                                    p.port_link[p.path[a].port[i]] == p.port_link[p.path[b].port[j]];
            if (fabs(v.collide.latency[a] - 25 - meetings * 25.0 * 25 / 2 / interval) > 1e-3 * 625 / 2 / interval)
                fail_msg("%s: channel %zu waits %.9g, meets %d", s.name, a, v.collide.latency[a] - 25, meetings);
        }
        paths_release(&p);
        solver_release(&v);
        scene_release(&s);
    }
}

/* Short intervals, on meshes: finite, and no less than where messages wait for nothing. */
static void heavy_loads(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 6);
    for (int trial = 0; trial < 12; trial++) {
        struct scene s;
        struct solver v;

        scene_streams(&s, &rng, "mesh:5x5", "dor", 10 + rng_below(&rng, 20));
        solver_open(&v, &s, trial % 2 ? "wormhole" : "cut-through", true);
        for (double interval = 100; interval > 0.05; interval /= 4) {
            const double begin = scene_seconds();
            const int ret = collide_closed_solve(&v.collide, &(struct load){ interval, 1 }, &err);

            if (ret < 0)
                fail_msg("%s: %s, %s", s.name, trial % 2 ? "wormhole" : "cut-through", err.msg);
            for (size_t i = 0; i < v.flows.nsource; i++)
                assert_true(isfinite(v.collide.latency[i]) && v.collide.latency[i] >= 25);
            if (scene_seconds() - begin > 1)
                printf("%s at %g: %.1f s, %zu rounds\n", s.name, interval, scene_seconds() - begin, v.collide.rounds);
        }
        solver_release(&v);
        scene_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_twin), cmocka_unit_test(open_twin),
        cmocka_unit_test(folded), cmocka_unit_test(sources_do_not_meet_themselves),
        cmocka_unit_test(groups_of_all_pairs_are_uniform), cmocka_unit_test(order_of_streams),
        cmocka_unit_test(links_in_series),
        cmocka_unit_test(alone), cmocka_unit_test(symmetry), cmocka_unit_test(threads), cmocka_unit_test(sweeps),
        cmocka_unit_test(light_loads), cmocka_unit_test(heavy_loads),
    };
    int failed;

    net_setup();
    seed = check_seed();
    failed = cmocka_run_group_tests_name("collide against slow twins", tests, NULL, NULL);
    net_teardown();
    return failed;
}
