/* Latency and deadlock agree: on every network, routing and scheme of classes, how many classes divide the channels and
 * whether messages may block each other for good. Where it is published what these are, that is what they are. */
#include <stdlib.h>
#include <string.h>

#include "analysis/deadlock/dependencies.h"
#include "analysis/latency/latency_domain.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"

static struct err err;

static int opened(struct latency_study *s, struct scene *scene, const char *switching, const char *classes, double vcs)
{
    const struct latency_options o = {
        .collide = { .switching = switching_find(switching, &err), .time = 10, .router = { .vcs = vcs, .buffer = 8 } },
        .open = true, .classes = classes
    };

    return latency_open(s, &scene->traffic, &scene->routing, 1, &o, &err);
}

static enum validity validity(const struct latency_study *s)
{
    return latency_judge(s, 0.1, 0.1);
}

/* With as many channels as classes each class has one, and what closes cycles is not believed; with one less there is
 * no study. */
static void check_classes(struct scene *scene, const char *classes, const struct deadlock *d, int channels,
                          const char *what)
{
    struct latency_study s;
    char need[40];

    for (double vcs = channels; vcs <= 64; vcs += 64 - channels) {
        if (opened(&s, scene, "virtual-channel", classes, vcs) < 0)
            fail_msg("%s: %s", what, err.msg);
        if (s.o.collide.router.classes != channels || latency_lacks_classes(&s) != d->cyclic ||
            (validity(&s) == VALIDITY_DEADLOCK) != (d->cyclic && vcs < 2 * channels))
            fail_msg("%s, %g channels: %d classes, not %d; %s, and %s", what, vcs, s.o.collide.router.classes, channels,
                     latency_lacks_classes(&s) ? "lacks classes" : "lacks none", validity_name[validity(&s)]);
        latency_close(&s);
    }
    if (channels > 1) {
        snprintf(need, sizeof need, "needs %d ", channels);
        err = (struct err){ 0 };
        if (opened(&s, scene, "virtual-channel", classes, channels - 1) == 0 || err.code != ERR_DOMAIN ||
            !strstr(err.msg, need))
            fail_msg("%s: %d channels do (%s)", what, channels - 1, err.msg);
        assert_int_equal(opened(&s, scene, "wormhole", classes, 0), -1);
    } else {
        assert_int_equal(opened(&s, scene, "wormhole", classes, 0), 0);
        assert_int_equal(validity(&s) == VALIDITY_DEADLOCK, d->cyclic);
        latency_close(&s);
    }
}

static void agree(void **state)
{
    static const char *const nets[] = {
        "ring:5", "mesh:5x4", "torus:3x3", "torus:5x4", "mesh:4x5,wrap=2", "hypercube:4", "complete:6", "hyperx:4x3",
        "fattree:4", "dragonfly,a=2,p=2,h=1", "dragonfly,a=4,p=2,h=2", "random:20,degree=3", "circulant:13,jumps=1+5"
    }, *const routings[] = { "dor", "minimal", "ecmp", "updown", "valiant", "romm", "metapath:sga:1" },
        *const schemes[] = { "none", "dateline", "phases", "phases,within=none", "layers", "updown", "hops" };
    int seen = 0, cyclic = 0, refused = 0;

    (void)state;
    EACH_ROW(n, nets)
        EACH_ROW(r, routings) {
            struct net *net = measure_open(nets[n]);
            struct routing routing;
            struct scene scene;
            bool fits;

            fits = routing_open(&routing, net, routings[r], &err) == 0;
            if (fits)
                routing_close(&routing);
            net_close(net);
            if (!fits)
                continue;
            scene_open(&scene, nets[n], "uniform", routings[r]);
            EACH_ROW(c, schemes) {
                const struct deadlock_options o = { .classes = schemes[c] };
                struct deadlock d = { 0 };
                struct deadlock_need need = { 0 };
                struct latency_study s;
                char what[200];

                /* 360,000 ways, each tried in up to 48 layers: the smaller dragonfly stands for it */
                if (scene.net->n > 100 && strcmp(routings[r], "valiant") == 0 && strcmp(schemes[c], "layers") == 0)
                    continue;
                snprintf(what, sizeof what, "%s, %s, %s", nets[n], routings[r], schemes[c]);
                seen++;
                if (deadlock_open(&d, scene.net, &scene.routing, 1, &o, &err) < 0) {
                    refused++;
                    assert_int_equal(err.code, ERR_DOMAIN);
                    if (opened(&s, &scene, "virtual-channel", schemes[c], 64) == 0 || err.code != ERR_DOMAIN)
                        fail_msg("%s: deadlock refuses it and latency does not", what);
                    continue;
                }
                cyclic += d.cyclic;
                if (!d.cyclic)
                    assert_int_equal(deadlock_need(&need, &d, &err), 0);
                check_classes(&scene, schemes[c], &d, d.cyclic ? deadlock_classes_used(&d) : need.channels, what);
                assert_int_equal(opened(&s, &scene, "cut-through", NULL, 0), 0);
                assert_int_not_equal(validity(&s), VALIDITY_DEADLOCK);
                if (c == 0 && s.flows.cyclic != d.cyclic)       /* flows are gathered by other code */
                    fail_msg("%s: of flows %d, of dependencies %d", what, s.flows.cyclic, d.cyclic);
                latency_close(&s);
                deadlock_need_release(&need);
                deadlock_close(&d);
            }
            scene_release(&scene);
        }
    print_message("%d cases, %d of them cyclic, %d refused\n", seen, cyclic, refused);
    assert_true(seen > 300 && cyclic > 30 && refused > 10 && cyclic + refused < seen / 2);
}

/* Dally and Seitz 1987 (datelines); Dally and Towles 2004, chapter 14 (a class for each phase of Valiant's, with
 * datelines within each on tori); Schroeder et al. 1991 (up and down need one). */
static void published(void **state)
{
    static const struct {
        const char *net, *routing, *classes;
        int channels;
        bool blocks;
    } row[] = {
        { "torus:8x8", "dor", "dateline", 2, false }, { "torus:5x4x3", "dor", "dateline", 2, false },
        { "torus:8x8", "dor", "none", 1, true }, { "mesh:5x4x3", "dor", "none", 1, false },
        { "torus:3x3", "dor", "dateline", 1, false },   /* rings of three have no routes of two links */
        { "torus:5x5", "valiant", "phases", 4, false }, { "hypercube:4", "valiant", "phases", 2, false },
        { "hypercube:4", "valiant", "none", 1, true }, { "torus:5x4", "updown", "none", 1, false },
        { "mesh:4x4", "valiant", "layers", 2, false }
    };

    (void)state;
    EACH_ROW(i, row) {
        struct latency_study s;
        struct scene scene;

        scene_open(&scene, row[i].net, "uniform", row[i].routing);
        if (opened(&s, &scene, "virtual-channel", row[i].classes, 8) < 0)
            fail_msg("%s, %s: %s", row[i].net, row[i].routing, err.msg);
        if (s.o.collide.router.classes != row[i].channels || latency_lacks_classes(&s) != row[i].blocks)
            fail_msg("%s, %s, %s: %d classes, not %d", row[i].net, row[i].routing, row[i].classes,
                     s.o.collide.router.classes, row[i].channels);
        latency_close(&s);
        scene_release(&scene);
    }
}

/* Messages that take no cycle are safe with any scheme, though others would not be; the classes are the routing's. */
static void calm_traffic(void **state)
{
    static const int stream[][2] = { { 0, 2 }, { 1, 3 }, { 9, 27 } };
    struct latency_study s;
    struct scene scene;

    (void)state;
    scene_list(&scene, measure_open("torus:8x8"), "valiant", stream, 1);
    assert_int_equal(opened(&s, &scene, "virtual-channel", "phases", 4), 0);
    assert_int_equal(s.o.collide.router.classes, 4);
    latency_close(&s);
    scene_release(&scene);
    scene_list(&scene, measure_open("torus:8x8"), "dor", stream, COUNT(stream));
    assert_int_equal(opened(&s, &scene, "virtual-channel", "none", 1), 0);
    assert_true(s.blocks && !s.flows.cyclic && !latency_lacks_classes(&s));
    assert_int_not_equal(validity(&s), VALIDITY_DEADLOCK);
    latency_close(&s);
    scene_release(&scene);
}

/* Sources that choose among routings share the channels: dimension order alone needs two classes, with Valiant's
 * routing beside it the four of that. */
static void together(void **state)
{
    static const char *const names[] = { "dor", "valiant" };
    const struct latency_options o = {
        .collide = { .switching = switching_find("virtual-channel", &err), .time = 10, .router = router_usual },
        .open = true, .classes = "phases"
    };
    struct routing both[2];
    struct latency_study s;
    struct scene scene;

    (void)state;
    scene_open(&scene, "torus:5x5", "uniform", "dor");
    for (int i = 0; i < 2; i++)
        assert_int_equal(routing_open(&both[i], scene.net, names[i], &err), 0);
    for (size_t n = 1; n <= 2; n++) {
        assert_int_equal(latency_open(&s, &scene.traffic, both, n, &o, &err), 0);
        assert_int_equal(s.o.collide.router.classes, n == 1 ? 2 : 4);
        assert_false(latency_lacks_classes(&s));
        latency_close(&s);
    }
    for (int i = 0; i < 2; i++)
        routing_close(&both[i]);
    scene_release(&scene);
}

/* A number says how many classes there are, and is taken for datelines where dimension order goes round rings. */
static void by_number(void **state)
{
    static const struct {
        const char *net, *routing;
        int classes;
        bool lacks;
    } row[] = {
        { "torus:8x8", "dor", 0, false }, { "torus:8x8", "dor", 1, true }, { "torus:8x8", "dor", 2, false },
        { "torus:8x8", "valiant", 4, true }, { "mesh:4x4", "dor", 1, false }
    };

    (void)state;
    EACH_ROW(i, row) {
        struct latency_options o = {
            .collide = { .switching = switching_find("virtual-channel", &err), .time = 10, .router = router_usual },
            .open = true
        };
        struct latency_study s;
        struct scene scene;

        o.collide.router.classes = row[i].classes;
        scene_open(&scene, row[i].net, "uniform", row[i].routing);
        assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
        assert_int_equal(latency_lacks_classes(&s), row[i].lacks);
        latency_close(&s);
        scene_release(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agree), cmocka_unit_test(published), cmocka_unit_test(calm_traffic),
        cmocka_unit_test(together), cmocka_unit_test(by_number)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
