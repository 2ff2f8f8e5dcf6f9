/* What is said of a solution: spreads, what is fullest, what is not to be believed, where all are alike and where
 * not. */
#include <string.h>

#include "analysis/latency/latency.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"

static struct err err;

static void study(struct latency_study *s, struct scene *scene, const char *switching, bool open, bool unfolded)
{
    const struct latency_options o = {
        .collide = { .switching = switching_find(switching, &err), .time = 10, .hop_time = 3 }, .open = open,
            .unfolded = unfolded
    };

    assert_int_equal(latency_open(s, &scene->traffic, &scene->routing, 1, &o, &err), 0);
    assert_int_equal(latency_saturation(s, &err), 0);
}

/* Flit by flit at no load: latency is the packet and 3 cycles for every hop after the first. On a 4x4 torus 4, 6, 4
 * and 1 of 15 nodes are 1, 2, 3 and 4 hops away: mean 32/15, variance 80/15 - (32/15)^2. */
static void spread_of_hops(void **state)
{
    struct scene scene;
    struct latency_study s;
    struct latency_stream *c;
    size_t n;

    (void)state;
    scene_open(&scene, "torus:4x4", "uniform", "dor");
    study(&s, &scene, "wormhole-pipelined", false, false);
    assert_int_equal(latency_solve(&s, &(struct load){ 1e12, 1 }, &err), 0);
    assert_int_equal(latency_streams(&c, &n, &s, &err), 0);
    assert_int_equal(n, 16);
    for (size_t i = 0; i < n; i++) {
        scene_near("latency", c[i].latency, 10 + 3 * (32.0 / 15 - 1), 1e-9);
        scene_near("spread", c[i].spread, 3 * sqrt(80.0 / 15 - 32.0 / 15 * 32 / 15), 1e-6);
        scene_near("least", c[i].least, 10, 1e-9);
        scene_near("most", c[i].most, 10 + 3 * 3, 1e-9);
    }
    free(c);
    latency_close(&s);
    scene_release(&scene);
}

/* Tables of streams, links and nodes are the same where one source stands for all. */
static void folded_tables(void **state)
{
    struct scene scene;
    struct latency_study s[2];
    struct latency_link *l[2];
    struct latency_node *v[2];
    size_t n[2];

    (void)state;
    scene_open(&scene, "torus:5x4", "uniform", "dor");
    for (int k = 0; k < 2; k++) {
        study(&s[k], &scene, "wormhole", false, k == 1);
        assert_int_equal(latency_solve(&s[k], &(struct load){ 40, 1 }, &err), 0);
        assert_int_equal(latency_links(&l[k], &n[k], &s[k], &err), 0);
    }
    assert_int_equal(n[0], 80);
    assert_int_equal(n[1], 80);
    for (size_t i = 0; i < 80; i++) {           /* in whatever order */
        size_t j = 0;

        while (j < 80 && (l[1][j].from != l[0][i].from || l[1][j].to != l[0][i].to))
            j++;
        assert_true(j < 80);
        assert_true(fabs(l[0][i].wait - l[1][j].wait) < 1e-7 && fabs(l[0][i].utilisation - l[1][j].utilisation) < 1e-9);
    }
    for (int k = 0; k < 2; k++)
        assert_int_equal(latency_nodes(&v[k], &n[k], &s[k], &err), 0);
    for (size_t i = 0; i < 20; i++)
        assert_true(fabs(v[0][i].wait - v[1][i].wait) < 1e-7 && fabs(v[0][i].sent - v[1][i].sent) < 1e-7);
    for (int k = 0; k < 2; k++) {
        free(l[k]);
        free(v[k]);
        latency_close(&s[k]);
    }
    scene_release(&scene);
}

/* All send to node 0 of a 4x4 mesh: the fullest link comes from the row, and carries 12 of 15 streams. */
static void bottleneck_and_validity(void **state)
{
    struct scene scene;
    struct latency_study s;
    struct latency_summary y;
    const struct load light = { 4000, 1 }, heavy = { 60, 1 };

    (void)state;
    scene_open(&scene, "mesh:4x4", "hotspot:0,share=1", "dor");
    study(&s, &scene, "wormhole", false, false);
    assert_int_equal(latency_solve(&s, &light, &err), 0);
    assert_int_equal(latency_summary(&y, &s, &light, &err), 0);
    assert_int_equal(s.flows.link_from[y.bottleneck], 4);
    assert_int_equal(s.flows.link_to[y.bottleneck], 0);
    /* node 0 spreads its own messages evenly over the others, which bring 12 streams over the row's end */
    scene_near("capacity", y.capacity_interval, 12 * 10, 1e-9);
    assert_int_equal(y.validity, VALIDITY_GOOD);
    assert_int_equal(latency_solve(&s, &heavy, &err), 0);
    assert_int_equal(latency_summary(&y, &s, &heavy, &err), 0);
    assert_int_equal(s.flows.link_from[y.bottleneck], 4);
    assert_true(y.busy <= 1 && y.utilisation > 0.8);
    assert_int_equal(y.validity, VALIDITY_SATURATED);
    assert_false(s.flows.cyclic);
    latency_close(&s);
    scene_release(&scene);
}

/* On a complete network nothing collides: a source is an M/D/1 queue, and saturates where its messages take all its
 * time. */
static void sources_saturate(void **state)
{
    struct scene scene;
    struct latency_study s;
    struct latency_summary y;
    const struct load free_load = { 15, 1 }, full = { 8, 1 };

    (void)state;
    scene_open(&scene, "complete:8", "uniform", "dor");
    study(&s, &scene, "wormhole", true, false);
    assert_int_equal(latency_solve(&s, &free_load, &err), 0);
    assert_int_equal(latency_summary(&y, &s, &free_load, &err), 0);
    scene_near("M/D/1", y.source_wait, 100.0 / 15 / (2 * (1 - 10.0 / 15)), 1e-9);
    assert_int_equal(y.validity, VALIDITY_GOOD);
    assert_int_equal(latency_solve(&s, &full, &err), 0);
    assert_int_equal(latency_summary(&y, &s, &full, &err), 0);
    assert_true(isinf(y.source_wait));
    assert_int_equal(y.validity, VALIDITY_SOURCES);
    latency_close(&s);
    scene_release(&scene);
}

/* Whether routes close cycles of links: rings do under dimension order, meshes and trees do not, up*-down* nowhere. */
static void cycles(void **state)
{
    static const struct {
        const char *net, *routing;
        bool cyclic;
    } rows[] = {
        { "ring:4", "dor", true }, { "ring:3", "dor", false }, { "torus:8x8", "dor", true }, { "mesh:5x4x3", "dor",
          false },
        { "hypercube:5", "dor", false }, { "fattree:4", "minimal", false }, { "torus:5x4", "updown", false },
        { "complete:6", "valiant", true }, { "mesh:4x4", "ecmp", true }, { "complete:6", "dor", false }
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int unfolded = 0; unfolded < 2; unfolded++) {
            struct scene scene;
            struct flows f;

            scene_open(&scene, rows[i].net, "uniform", rows[i].routing);
            scene_flows(&f, &scene, unfolded);
            if (f.cyclic != rows[i].cyclic)
                fail_msg("%s, %s: cyclic %d", rows[i].net, rows[i].routing, f.cyclic);
            flows_release(&f);
            scene_release(&scene);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_of_hops), cmocka_unit_test(folded_tables), cmocka_unit_test(bottleneck_and_validity),
        cmocka_unit_test(sources_saturate), cmocka_unit_test(cycles)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
