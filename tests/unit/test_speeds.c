/* Waits of open sources where links have several speeds and a class has few channels (collide_router.c).
 * limits       a stream alone waits as at its slowest link, whatever the lengths of its messages; links that are 1 %
 *              faster are alike
 * simulation   flit by flit, at a tenth and three tenths of capacity
 * guard        waits and saturations that no queue has are not called valid */
#include "analysis/latency/latency.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"
#include "tests/support/simulated.h"

#define FLITS 10

static struct err err;

static void open_study(struct latency_study *y, struct scene *s, double channels, int classes)
{
    const struct latency_options o = {
        .collide = { .switching = &switching_virtual_channel, .time = FLITS, .hop_time = 1, .jobs = 1,
                     .router = { .vcs = channels * classes, .buffer = 8, .classes = classes } },
        .open = true, .terminals = true
    };

    if (latency_open(y, &s->traffic, &s->routing, 1, &o, &err) < 0 || latency_saturation(y, &err) < 0)
        fail_msg("%s: %s", s->name, err.msg);
}

static void solve(struct latency_summary *out, struct latency_study *y, double part)
{
    const struct load load = { 1, part * y->capacity_factor };

    if (latency_solve(y, &load, &err) < 0 || latency_summary(out, y, &load, &err) < 0)
        fail_msg("%g of capacity: %s", part, err.msg);
}

/* ---- limits ---- */

/* Over a line of links, at light load: behind links as fast or slower nothing, and in all what M/D/1 has at the slowest
 * link; messages that take turns there, a flit each, wait up to twice that. The other stream has short messages: those
 * of the first are then longer than the mean before, and as long. */
static void alone(void **state)
{
    static const int end[] = { 0, 1, 1, 2, 2, 3 }, stream[2][2] = { { 0, 3 }, { 0, 1 } };
    static const double speed[][3] = { { 1, 1, 1 }, { 4, 1, 1 }, { 1.01, 1, 1 }, { 4, 2, 1 }, { 1, 2, 4 } };

    (void)state;
    for (size_t i = 0; i < COUNT(speed) * 8; i++) {
        const double *b = speed[i / 8];
        const int classes = (int)(i % 8 / 4) + 1, channels = (int)(i % 4 / 2) + 1, streams = (int)(i % 2) + 1;
        struct net *net = nets_from_edges(4, end, 3, true);
        double bandwidth[6], most;
        struct latency_summary y;
        struct latency_study s;
        struct scene scene;

        for (int k = 0; k < 6; k++)
            bandwidth[k] = b[k / 2];
        assert_int_equal(cables_values(&net->cables, 3, bandwidth, NULL, &err), 0);
        scene_list(&scene, net, "minimal", stream, (size_t)streams);
        for (int k = 0; streams > 1 && k < 2; k++) {
            scene.traffic.stream[k].interval = 100;
            scene.traffic.stream[k].time = k ? 1 : FLITS;
        }
        open_study(&s, &scene, channels, classes);
        solve(&y, &s, 0.1);
        most = 0.1 * FLITS / (2 * (1 - 0.1)) * 2.2;
        if (!(y.wait + y.source_wait < most) || !(y.saturation_load > 0.4 * y.capacity_load) ||
            y.validity != VALIDITY_GOOD)
            fail_msg("speeds %zu, %d classes of %d channels, %d streams: wait %g of %g at most, saturation %g of %g, "
                     "%s", i / 8, classes, channels, streams, y.wait + y.source_wait, most, y.saturation_load,
                     y.capacity_load, validity_name[y.validity]);
        latency_close(&s);
        scene_release(&scene);
    }
}

static double latency(const char *net, const char *traffic, double channels, int classes, double part)
{
    struct latency_summary y;
    struct latency_study s;
    struct scene scene;

    scene_open(&scene, net, traffic, "dor");
    scene.terminals = true;
    open_study(&s, &scene, channels, classes);
    solve(&y, &s, part);
    latency_close(&s);
    scene_release(&scene);
    return y.mean;
}

static void nearly_alike(void **state)
{
    static const char *const net[] = { "torus:3x3", "torus:4x4", "mesh:2x2", "mesh:4x4", "hyperx:3x3" },
        *const traffic[] = { "uniform", "transpose", "neighbour" };

    (void)state;
    EACH_ROW(i, net)
        EACH_ROW(t, traffic)
            for (int k = 0; k < 8; k++) {
                const int classes = k / 4 + 1;
                char faster[60];

                if (classes == 1 && i == 1)     /* may deadlock */
                    continue;
                snprintf(faster, sizeof faster, "%s,bandwidth=1.01+1", net[i]);
                scene_near(faster, latency(faster, traffic[t], k % 4 + 1, classes, 0.3),
                           latency(net[i], traffic[t], k % 4 + 1, classes, 0.3), 0.02);
            }
}

/* ---- simulation ---- */

/* Waits alone: without any, flits that cross a slow link go on as soon as their hop time is over in the simulator. */
static void simulated(void **state)
{
    static const struct {
        const char *net, *traffic;
        int channels, classes;
    } row[] = {
        { "torus:4x4,bandwidth=2+1", "uniform", 1, 2 }, { "torus:4x4,bandwidth=4+1", "neighbour", 1, 2 },
        { "torus:4x4,bandwidth=1+2", "transpose", 1, 2 }, { "torus:4x4,bandwidth=1+0.25", "tornado", 1, 2 },
        { "torus:4x4,bandwidth=2+1", "uniform", 2, 2 }, { "torus:3x3,bandwidth=1.01+1", "uniform", 1, 2 },
        { "mesh:2x2,bandwidth=2+1", "uniform", 1, 1 }, { "mesh:4x4,bandwidth=4+1", "uniform", 1, 1 },
        { "mesh:4x4,bandwidth=1+2", "transpose", 2, 1 }, { "hyperx:3x3,bandwidth=2+1", "uniform", 3, 1 }
    };

    (void)state;
    EACH_ROW(i, row) {
        struct latency_summary y;
        struct latency_study s;
        struct scene scene;
        struct simulate_options o = simulated_usual("virtual-channel");
        double part[] = { 0.001, 0.1, 0.3 }, zero = 0;

        scene_open(&scene, row[i].net, row[i].traffic, "dor");
        open_study(&s, &scene, row[i].channels, row[i].classes);
        o.router.vcs = row[i].channels * row[i].classes;
        o.router.classes = 0;
        o.terminals = true;
        o.cycles = 150000;
        EACH_ROW(k, part) {
            struct simulated m;

            solve(&y, &s, part[k]);
            simulated_once(&m, row[i].net, row[i].traffic, "dor", &o, y.load);
            if (k == 0)
                zero = m.r.mean - y.mean;
            else if (fabs((y.mean + zero) / m.r.mean - 1) > 0.1 || (k == 1 && y.validity != VALIDITY_GOOD))
                fail_msg("%s, %s, %d classes of %d channels at %g of capacity: %g, %s, and simulated %g", row[i].net,
                         row[i].traffic, row[i].classes, row[i].channels, part[k], y.mean + zero,
                         validity_name[y.validity], m.r.mean);
            simulated_release(&m);
        }
        latency_close(&s);
        scene_release(&scene);
    }
}

/* ---- guard ---- */

static void implausible(void **state)
{
    struct latency_summary y;
    struct latency_study s;
    struct scene scene;
    struct load load;

    (void)state;
    scene_open(&scene, "torus:4x4", "uniform", "dor");
    open_study(&s, &scene, 1, 2);
    load = (struct load){ 1, 0.02 * s.capacity_factor };
    solve(&y, &s, 0.02);
    assert_int_equal(y.validity, VALIDITY_GOOD);
    for (size_t g = 0; g < s.flows.nport; g++)
        s.collide.wait[g] += 1000 * FLITS;
    collide_rests(&s.collide);
    collide_latencies(&s.collide);
    assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
    assert_int_equal(y.validity, VALIDITY_IMPLAUSIBLE);
    solve(&y, &s, 0.02);
    assert_int_equal(y.validity, VALIDITY_GOOD);
    s.saturation_factor = s.capacity_factor / 11;
    assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
    assert_int_equal(y.validity, VALIDITY_IMPLAUSIBLE);
    latency_close(&s);
    scene_release(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone), cmocka_unit_test(nearly_alike), cmocka_unit_test(simulated),
        cmocka_unit_test(implausible)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
