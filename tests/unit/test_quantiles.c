/* Percentiles of latency (latency_quantiles.h) against counted distances, a queue known in closed form, and what the
 * flit-level simulator counted. */
#include "analysis/latency/latency_quantiles.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"

static struct err err;

static void solve(struct latency_study *s, struct scene *scene, const struct latency_options *o, double part,
                  struct load *load)
{
    assert_int_equal(latency_open(s, &scene->traffic, &scene->routing, 1, o, &err), 0);
    *load = (struct load){ load->interval, 1 };
    if (o->open && part > 0) {
        assert_int_equal(latency_saturation(s, &err), 0);
        *load = (struct load){ 1, part * s->saturation_factor };
    }
    assert_int_equal(latency_solve(s, load, &err), 0);
}

/* Links between terminals of which so many parts of all pairs are no further apart: on a 4x4 torus 4, 6, 4 and 1 of 15
 * nodes are 1 to 4 hops away, on the fat tree of 16 hosts 1, 2 and 12 of 15 2, 4 and 6, on the dragonfly of three
 * groups of two switches with two hosts each 1, 4, 4 and 2 of 11 2 to 5. */
static void zero_load(void **state)
{
    static const struct {
        const char *net;
        double median, p95, p99;
    } row[] = { { "torus:4x4", 2, 4, 4 }, { "fattree:4", 6, 6, 6 }, { "dragonfly,a=2,p=2,h=1", 4, 5, 5 },
                { "ring:40", 10, 19, 20 } };        /* 39 others: 2 of each distance to 19, 1 of 20 */

    (void)state;
    EACH_ROW(i, row)
        for (size_t w = 0; switching_all[w]; w++)
            for (int open = 0; open < 2 && !switching_all[w]->sets_up; open++) {
                const struct latency_options o = {
                    .collide = { .switching = switching_all[w], .time = 10, .hop_time = 3 }, .open = open
                };
                struct load load = { 1e12, 1 };
                const double one = switching_time(switching_all[w], 10, 1, 3),
                    each = switching_time(switching_all[w], 10, 2, 3) - one;
                struct latency_quantiles q;
                struct latency_study s;
                struct scene scene;

                scene_open(&scene, row[i].net, "uniform", "ecmp");
                solve(&s, &scene, &o, 0, &load);
                assert_int_equal(latency_quantiles(&q, &s, VALIDITY_GOOD, &err), 0);
                scene_near("median", q.median, one + (row[i].median - 1) * each, 1e-12);
                scene_near("95 %", q.p95, one + (row[i].p95 - 1) * each, 1e-12);
                scene_near("99 %", q.p99, one + (row[i].p99 - 1) * each, 1e-12);
                latency_close(&s);
                scene_release(&scene);
            }
}

/* Probability that an M/D/1 queue's wait is at most t (A. K. Erlang 1909). */
static double erlang(double rate, double time, double t)
{
    double sum = 0;

    for (int k = 0; k <= (int)floor(t / time); k++) {
        const double y = rate * (k * time - t);

        sum += k == 0 ? exp(-y) : pow(y, k) * exp(-y - lgamma(k + 1));
    }
    return (1 - rate * time) * sum;
}

/* On a complete network nothing collides: latency is a message's time and a wait of M/D/1 at its source. */
static void queue(void **state)
{
    static const double part[] = { 0.2, 0.4, 0.5, 0.6, 0.7, 0.8 };

    (void)state;
    EACH_ROW(i, part) {
        const struct latency_options o = { .collide = { .switching = &switching_cut_through, .time = 10 },
                                           .open = true };
        struct load load = { 10 / part[i], 1 };
        double want[3];
        struct latency_quantiles q;
        struct latency_study s;
        struct scene scene;

        for (int j = 0; j < 3; j++) {
            const double share[] = { 0.5, 0.95, 0.99 };
            double lo = 0, hi = 200;             /* its terms cancel beyond */

            while (hi - lo > 1e-6)
                *(erlang(part[i] / 10, 10, (lo + hi) / 2) < share[j] ? &lo : &hi) = (lo + hi) / 2;
            want[j] = 10 + hi;
        }
        scene_open(&scene, "complete:8", "uniform", "dor");
        solve(&s, &scene, &o, 0, &load);
        assert_int_equal(latency_quantiles(&q, &s, VALIDITY_GOOD, &err), 0);
        scene_near("median of M/D/1", q.median, want[0], 0.04);
        scene_near("95 % of M/D/1", q.p95, want[1], 0.04);
        scene_near("99 % of M/D/1", q.p99, want[2], 0.04);
        latency_close(&s);
        scene_release(&scene);
    }
}

/* Counted by analysis/simulate (30,000 messages and more, two runs): packets of 10 flits, a cycle a hop, links to
 * terminals; 4 channels of 8 flits where there are channels. Open: part of the model's saturation. */
static const struct row {
    const char *net, *traffic, *routing;
    const struct switching *switching;
    double part, interval, median, p95, p99;
} rows[] = {
    { "mesh:8x8", "uniform", "dor", &switching_virtual_channel, 0.1, 0, 17, 27, 33 },
    { "mesh:8x8", "uniform", "dor", &switching_virtual_channel, 0.3, 0, 21, 39, 50 },
    { "mesh:8x8", "uniform", "dor", &switching_virtual_channel, 0.5, 0, 27, 54, 72 },
    { "mesh:8x8", "uniform", "dor", &switching_virtual_channel, 0.65, 0, 33, 72, 97 },
    { "torus:8x8", "uniform", "dor", &switching_virtual_channel, 0.3, 0, 21, 36, 47 },
    { "torus:8x8", "uniform", "dor", &switching_virtual_channel, 0.65, 0, 33, 75, 106 },
    { "mesh:8x8", "transpose", "dor", &switching_virtual_channel, 0.3, 0, 17, 31, 40 },
    { "mesh:8x8", "transpose", "dor", &switching_virtual_channel, 0.65, 0, 21, 49, 68 },
    { "mesh:8x8", "hotspot:27", "dor", &switching_virtual_channel, 0.3, 0, 17, 27, 34 },
    { "mesh:8x8", "hotspot:27", "dor", &switching_virtual_channel, 0.65, 0, 19, 36, 53 },
    { "fattree:4", "uniform", "ecmp", &switching_virtual_channel, 0.3, 0, 21, 38, 49 },
    { "fattree:4", "uniform", "ecmp", &switching_virtual_channel, 0.5, 0, 28, 55, 72 },
    { "dragonfly,a=4,p=2,h=2", "uniform", "minimal", &switching_virtual_channel, 0.3, 0, 17, 32, 41 },
    { "dragonfly,a=4,p=2,h=2", "uniform", "minimal", &switching_virtual_channel, 0.65, 0, 27, 54, 74 },
    { "dragonfly,a=4,p=2,h=2", "group-shift", "minimal", &switching_virtual_channel, 0.3, 0, 13, 27, 38 },
    { "dragonfly,a=4,p=2,h=2", "group-shift", "minimal", &switching_virtual_channel, 0.65, 0, 20, 54, 82 },
    { "mesh:8x8", "uniform", "dor", &switching_cut_through, 0.3, 0, 19, 37, 49 },
    { "mesh:8x8", "uniform", "dor", &switching_cut_through, 0.65, 0, 31, 78, 107 },
    { "torus:8x8", "transpose", "dor", &switching_cut_through, 0.3, 0, 17, 28, 38 },
    { "torus:8x8", "transpose", "dor", &switching_cut_through, 0.65, 0, 22, 54, 77 },
    { "torus:8x8", "tornado", "dor", &switching_cut_through, 0.5, 0, 30, 64, 84 },
    { "fattree:4", "uniform", "ecmp", &switching_cut_through, 0.5, 0, 28, 60, 79 },
    { "fattree:4", "uniform", "ecmp", &switching_cut_through, 0.65, 0, 41, 90, 118 },
    { "mesh:8x8", "uniform", "dor", &switching_wormhole, 0.3, 0, 17, 28, 36 },
    { "mesh:8x8", "uniform", "dor", &switching_wormhole, 0.65, 0, 19, 42, 63 },
    { "mesh:8x8", "uniform", "dor", &switching_wormhole, 0.8, 0, 21, 55, 84 },
    { "mesh:8x8", "transpose", "dor", &switching_wormhole, 0.65, 0, 18, 33, 46 },
    { "fattree:4", "uniform", "ecmp", &switching_wormhole, 0.5, 0, 15, 36, 52 },
    { "mesh:8x8", "uniform", "dor", &switching_wormhole, 0, 40, 19, 44, 63 },
    { "mesh:8x8", "uniform", "dor", &switching_wormhole, 0, 80, 18, 32, 42 },
    { "mesh:8x8", "transpose", "dor", &switching_wormhole, 0, 80, 18, 35, 49 },
    { "fattree:4", "uniform", "ecmp", &switching_wormhole, 0, 20, 16, 35, 49 },
    { "fattree:4", "uniform", "ecmp", &switching_wormhole, 0, 40, 15, 28, 37 },
    { "torus:8x8", "transpose", "dor", &switching_cut_through, 0, 40, 18, 33, 40 },
    { "torus:8x8", "uniform", "dor", &switching_cut_through, 0, 20, 18, 34, 45 },
    { "torus:8x8", "uniform", "dor", &switching_cut_through, 0, 80, 16, 25, 32 },
};

static void simulated(void **state)
{
    (void)state;
    EACH_ROW(i, rows) {
        const struct row *r = &rows[i];
        const struct latency_options o = { .collide = { .switching = r->switching, .time = 10, .hop_time = 1,
                                                        .closure = &closure_pairwise },
                                           .open = r->part > 0, .terminals = true };
        struct load load = { r->interval, 1 };
        struct latency_summary y, brief;
        struct latency_quantiles q;
        struct latency_study s;
        struct scene scene;

        scene_open(&scene, r->net, r->traffic, r->routing);
        solve(&s, &scene, &o, r->part, &load);
        assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
        s.o.brief = true;
        assert_int_equal(latency_summary(&brief, &s, &load, &err), 0);
        assert_true(isnan(brief.longest) && y.longest >= y.most * (1 - 1e-12));
        assert_true(brief.mean == y.mean && brief.most == y.most && brief.source_wait == y.source_wait);
        assert_int_equal(latency_quantiles(&q, &s, y.validity, &err), 0);
        scene_near("median", q.median, r->median, 0.1);
        scene_near("95 %", q.p95, r->p95, 0.1);
        scene_near("99 %", q.p99, r->p99, 0.1);
        latency_close(&s);
        scene_release(&scene);
    }
}

/* The same whether sources, links and states are folded or not. */
static void folded(void **state)
{
    static const char *const net[] = { "torus:4x4", "fattree:4", "mesh:4x4" };

    (void)state;
    EACH_ROW(i, net)
        for (int hold = 0; hold < 2; hold++) {
            struct latency_quantiles q[3];

            for (int how = 0; how < 3; how++) {
                const struct latency_options o = {
                    .collide = { .switching = hold ? &switching_wormhole : &switching_virtual_channel, .time = 10,
                                 .hop_time = 1, .jobs = 1 },
                    .open = true, .unfolded = how == 1, .orbits = how == 2
                };
                struct latency_study s;
                struct scene scene;
                struct load load;

                scene_open(&scene, net[i], "uniform", "ecmp");
                solve(&s, &scene, &o, 0.5, &load);
                assert_int_equal(latency_quantiles(&q[how], &s, VALIDITY_GOOD, &err), 0);
                scene_near("median, folded", q[how].median, q[0].median, 2e-3);
                scene_near("95 %, folded", q[how].p95, q[0].p95, 2e-3);
                scene_near("99 %, folded", q[how].p99, q[0].p99, 2e-3);
                latency_close(&s);
                scene_release(&scene);
            }
        }
}

/* Not known: beyond what is valid, where a class has one channel with a buffer of few flits, where the crossbar has
 * speedup, and of circuits. */
static void left_empty(void **state)
{
    const struct latency_options one = { .collide = { .switching = &switching_virtual_channel, .time = 10,
                                                      .router = { .vcs = 1, .buffer = 8 } }, .open = true },
        fast = { .collide = { .switching = &switching_virtual_channel, .time = 10,
                              .router = { .vcs = 4, .buffer = 8, .speedup = true } }, .open = true },
        circuit = { .collide = { .switching = switching_find("circuit", &err), .time = 10 }, .open = true },
        four = { .collide = { .switching = &switching_virtual_channel, .time = 10 }, .open = true };
    struct load load = { 200, 1 };
    struct latency_quantiles q;
    struct latency_study s;
    struct scene scene;

    (void)state;
    scene_open(&scene, "mesh:4x4", "uniform", "dor");
    for (int i = 0; i < 3; i++) {
        solve(&s, &scene, i == 0 ? &one : i == 1 ? &fast : &circuit, 0, &load);
        assert_int_equal(latency_quantiles(&q, &s, VALIDITY_GOOD, &err), 0);
        assert_true(isnan(q.median) && isnan(q.p95) && isnan(q.p99));
        latency_close(&s);
    }
    solve(&s, &scene, &four, 0, &load);
    assert_int_equal(latency_quantiles(&q, &s, VALIDITY_UNTESTED, &err), 0);
    assert_true(isnan(q.median) && isnan(q.p95) && isnan(q.p99));
    assert_int_equal(latency_quantiles(&q, &s, VALIDITY_GOOD, &err), 0);
    assert_true(q.median <= q.p95 && q.p95 <= q.p99);
    latency_close(&s);
    scene_release(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_load), cmocka_unit_test(queue), cmocka_unit_test(simulated), cmocka_unit_test(folded),
        cmocka_unit_test(left_empty)
    };

    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
