/* The flit-level simulator against what is known of messages otherwise: the exact chain of two closed sources that share a
 * link; simulations message by message (wormhole.h, messages.h), where flits' time over links is left out; bounds on
 * throughput; who is served by which allocator. */
#include <string.h>

#include "model/contention/contention.h"
#include "tests/support/check.h"
#include "tests/support/messages.h"
#include "tests/support/scene.h"
#include "tests/support/simulated.h"
#include "tests/support/wormhole.h"

static struct err err;

/* A scene's network and traffic, simulated. */
static void scene_simulated(struct simulated *m, struct scene *s, const char *routing, const struct simulate_options *o,
                            double interval)
{
    *m = (struct simulated){ .net = s->net, .traffic = s->traffic };
    if (simulated_try(m, routing, o, &err) < 0 || simulate_run(&m->r, m->s, &(struct load){ interval, 1 }, &err) < 0)
        fail_msg("%s: %s", s->name, err.msg);
}

static void simulated_leave(struct simulated *m)
{
    m->net = NULL;
    m->traffic = (struct traffic){ 0 };
    simulated_release(m);
}

/* Two closed sources at the ends of a star, over its hub to a third. A message holds the link out of the hub for its flits;
 * the cycles that it takes there and back stand in the chain's time of computing. */
static void two_share_a_link(void **state)
{
    static const int stream[][2] = { { 1, 3 }, { 2, 3 } };
    static const struct contender rows[][2] = {
        { { 400, 100 }, { 400, 100 } }, { { 100, 100 }, { 100, 100 } }, { { 200, 100 }, { 1000, 100 } },
        { { 300, 150 }, { 150, 50 } }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = simulated_usual("wormhole");
        struct contender exact[2] = { rows[i][0], rows[i][1] };
        struct simulated m;
        struct scene s;
        struct net *net;
        double wait[2], mean = 0, many = 0;

        assert_int_equal(net_open(&net, "star:4", &err), 0);
        scene_list(&s, net, "minimal", stream, 2);
        for (int k = 0; k < 2; k++) {
            s.traffic.stream[k].interval = rows[i][k].interval;
            s.traffic.stream[k].time = rows[i][k].hold;
            exact[k].interval += 1;                 /* a hop before the shared link */
        }
        assert_int_equal(contention_find("exact", &err)->wait(wait, exact, &err), 0);
        o.source = SOURCE_CLOSED;
        o.terminals = false;
        o.replications = 8;
        o.warmup = 5000;
        o.cycles = 200000;
        scene_simulated(&m, &s, "minimal", &o, NAN);
        for (int k = 0; k < 2; k++) {
            mean += m.r.source_many[k] * (wait[k] + rows[i][k].hold + 1);
            many += m.r.source_many[k];
        }
        mean /= many;
        printf("%g and %g: simulated %.3f +- %.3f, exact %.3f\n", rows[i][0].interval, rows[i][1].interval, m.r.mean,
               m.r.mean_half, mean);
        check_near(m.r.mean, mean, 3 * m.r.mean_half);
        simulated_leave(&m);
        scene_release(&s);
    }
}

/* Messages of many flits, so that the cycles over links (hops and terminals, which the twin leaves out) and links let go
 * one after the other are little beside them: that is the tolerance. */
static void closed_wormhole(void **state)
{
    static const struct { const char *net, *traffic; double interval; } rows[] = {
        { "mesh:4x4", "uniform", 2000 }, { "mesh:4x4", "uniform", 500 }, { "mesh:4x4", "transpose", 500 },
        { "mesh:5x4", "complement", 1000 }
    };
    const double flits = 200;

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = simulated_usual("wormhole");
        double *latency, twin = 0, ours = 0, n = 0;
        struct simulated m;
        struct scene s;
        struct paths p;
        struct rng rng;

        scene_open(&s, rows[i].net, rows[i].traffic, "dor");
        paths_open(&p, &s.traffic, &s.routing, true);
        latency = scene_reals((size_t)p.nsource);
        rng_seed(&rng, i + 1);
        wormhole_run(latency, &p, rows[i].interval, flits, 200000, &rng);
        o.source = SOURCE_CLOSED;
        o.flits = flits;
        o.warmup = 20000;
        o.cycles = 300000;
        scene_simulated(&m, &s, "dor", &o, rows[i].interval);
        for (size_t k = 0; k < m.r.nsource; k++) {
            twin += latency[k];
            ours += m.r.source_mean[k];
            n++;
        }
        ours = ours / n - (m.r.hops + 1);           /* cycles over links */
        twin /= n;
        printf("%s, %s, %g: flits %.1f, messages %.1f, %.1f %%\n", rows[i].net, rows[i].traffic, rows[i].interval, ours,
               twin, 100 * (ours / twin - 1));
        scene_near("closed", ours, twin, 0.02);
        free(latency);
        simulated_leave(&m);
        paths_release(&p);
        scene_release(&s);
    }
}

/* What messages wait in the network; the twin has no time for hops, which shifts them alone. */
static void open_cut_through(void **state)
{
    static const struct { const char *net, *traffic; double load; } rows[] = {
        { "mesh:4x4", "uniform", 0.2 }, { "mesh:4x4", "uniform", 0.5 }, { "mesh:5x5", "transpose", 0.15 },
        { "torus:5x4", "uniform", 0.5 }, { "fattree:4", "uniform", 0.5 }
    };
    const double flits = 20;

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = simulated_usual("cut-through");
        const double interval = flits / rows[i].load;
        struct simulated m;
        struct messages t;
        struct scene s;
        struct paths p;
        struct rng rng;
        double ours;

        scene_open(&s, rows[i].net, rows[i].traffic, strncmp(rows[i].net, "fat", 3) == 0 ? "ecmp" : "dor");
        paths_open(&p, &s.traffic, &s.routing, true);
        rng_seed(&rng, i + 1);
        messages_run(&t, &p, interval, flits, 400000, &rng);
        o.flits = flits;
        o.warmup = 5000;
        o.cycles = 200000;
        scene_simulated(&m, &s, s.routing.spec, &o, interval);
        ours = m.r.network - flits - (m.r.hops + (strncmp(rows[i].net, "fat", 3) == 0 ? -1 : 1));
        printf("%s, %s, %g: waits flit by flit %.3f, by messages %.3f (sigma %.3f), %.1f %%\n", rows[i].net,
               rows[i].traffic, rows[i].load, ours, t.wait, t.error, 100 * (ours / t.wait - 1));
        check_near(ours, t.wait, 0.03 * t.wait + 5 * t.error);
        messages_release(&t);
        simulated_leave(&m);
        paths_release(&p);
        scene_release(&s);
    }
}

/* Uniform traffic on a mesh of 8x8: of what 32 nodes send 32/63 crosses the middle, over 8 links. */
static void below_capacity(void **state)
{
    const double capacity = 8 / (32 * 32 / 63.0);
    double last = 0;

    (void)state;
    for (int vcs = 1; vcs <= 4; vcs *= 2) {
        struct simulate_options o = simulated_usual("virtual-channel");
        struct simulated m;

        o.router.vcs = vcs;
        o.warmup = 2000;
        o.cycles = 8000;
        simulated_once(&m, "mesh:8x8", "uniform", "dor", &o, 1);
        printf("%d channels: accepted %.4f of %.4f, offered %.4f\n", vcs, m.r.accepted, capacity, m.r.offered);
        assert_true(m.r.accepted < capacity && m.r.accepted > last && m.r.accepted > 0.2 && !m.r.steady);
        last = m.r.accepted;
        simulated_release(&m);
    }
}

/* A row of nodes, all to the last, and each as much as it can: who is far has a half of a half by round robin, and as much
 * as any where the channel that waited longest is served. */
static void far_sources(void **state)
{
    static const int stream[][2] = { { 0, 3 }, { 1, 3 }, { 2, 3 } };
    double least[2], most[2];

    (void)state;
    for (int fair = 0; fair < 2; fair++) {
        struct simulate_options o = simulated_usual("virtual-channel");
        struct simulated m;
        struct scene s;
        struct net *net;

        assert_int_equal(net_open(&net, "mesh:4", &err), 0);
        scene_list(&s, net, "dor", stream, 3);
        o.allocator = fair ? ALLOCATE_CHANNEL : ALLOCATE_ISLIP;
        o.warmup = 5000;
        o.cycles = 60000;
        scene_simulated(&m, &s, "dor", &o, 10);
        least[fair] = most[fair] = m.r.source_many[0];
        for (int k = 0; k < 3; k++) {
            least[fair] = fmin(least[fair], m.r.source_many[k]);
            most[fair] = fmax(most[fair], m.r.source_many[k]);
        }
        printf("%s: %g, %g, %g messages\n", fair ? "channel" : "islip", m.r.source_many[0], m.r.source_many[1],
               m.r.source_many[2]);
        check_near(m.r.source_many[0] + m.r.source_many[1] + m.r.source_many[2], 6000, 30);
        simulated_leave(&m);
        scene_release(&s);
    }
    assert_true(most[1] <= 1.03 * least[1]);
    assert_true(most[0] > 1.5 * least[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_share_a_link), cmocka_unit_test(closed_wormhole), cmocka_unit_test(open_cut_through),
        cmocka_unit_test(below_capacity), cmocka_unit_test(far_sources)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
