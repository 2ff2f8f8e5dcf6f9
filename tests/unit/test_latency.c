/* What is said of a solution: spreads, what is fullest, what is not to be believed, where all are alike and where
 * not. */
#include <string.h>

#include "analysis/latency/latency.h"
#include "model/contention/contention.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
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

/* Cycles a message of 10 flits takes over so many links where it waits for nothing, a hop 3 cycles: flits follow each
 * other (Dally and Towles 2004, section 2.2.4 with 3.1); stored and forwarded they are sent again on every link; a
 * circuit's header goes there and is answered. */
static double alone(const char *switching, double links)
{
    if (strcmp(switching, "store-and-forward") == 0)
        return 10 * links + 3 * (links - 1);
    return 10 + 3 * (links - 1) + (strcmp(switching, "circuit") == 0 ? 6 * links : 0);
}

/* Mean links between terminals. On a 4x4 torus 4, 6, 4 and 1 of 15 nodes are 1 to 4 hops away; a node is its own switch
 * and has two links more. On the fat tree of 16 hosts 1, 2 and 12 of 15 are 2, 4 and 6 links away; on the dragonfly of
 * three groups of two switches with two hosts each 1, 4, 4 and 2 of 11 are 2 to 5. */
static const struct distance { const char *net; double hops, links; } distance[] = {
    { "torus:4x4", 32.0 / 15, 62.0 / 15 },
    { "fattree:4", 82.0 / 15, 82.0 / 15 },
    { "dragonfly,a=2,p=2,h=1", 40.0 / 11, 40.0 / 11 },
};

static void zero_load(void **state)
{
    (void)state;
    EACH_ROW(i, distance)
        for (size_t w = 0; switching_all[w]; w++)
            for (int how = 0; how < 8; how++) {
                const bool open = how & 1, terminals = how & 2;
                const struct load none = { 1e12, 1 };
                struct latency_options o = { .collide = { .switching = switching_all[w], .time = 10, .hop_time = 3 },
                                             .open = open, .unfolded = how & 4, .terminals = terminals };
                const double want = alone(switching_all[w]->name, terminals ? distance[i].links : distance[i].hops);
                struct latency_summary y;
                struct latency_study s;
                struct scene scene;

                scene_open(&scene, distance[i].net, "uniform", "ecmp");
                assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
                assert_int_equal(latency_solve(&s, &none, &err), 0);
                assert_int_equal(latency_summary(&y, &s, &none, &err), 0);
                scene_near(distance[i].net, y.zero, want, 1e-9);
                scene_near(switching_all[w]->name, y.mean, want, 1e-9);
                scene_near("hops", y.hops, distance[i].hops, 1e-9);
                latency_close(&s);
                scene_release(&scene);
            }
}

/* Two channels of one node to two others, or of two nodes to one, on a network where no other link is shared: they
 * wait for each other on the terminal's own link, exactly as two sources at one link do. */
static void links_of_terminals(void **state)
{
    static const int stream[2][2][2] = { { { 0, 1 }, { 0, 2 } }, { { 1, 0 }, { 2, 0 } } };
    const struct contender two[2] = { { 40, 10 }, { 40, 10 } };
    double wait[2];

    (void)state;
    assert_int_equal(contention_find("exact", &err)->wait(wait, two, &err), 0);
    for (int k = 0; k < 4; k++) {
        const struct latency_options o = { .collide = { .switching = switching_find("wormhole", &err), .time = 10 },
                                           .terminals = k & 1 };
        const struct load load = { 40, 1 };
        struct latency_stream *c;
        struct latency_link *l;
        struct latency_study s;
        struct scene scene;
        struct net *net;
        size_t n;

        assert_int_equal(net_open(&net, "complete:4", &err), 0);
        scene_list(&scene, net, "minimal", stream[k / 2], 2);
        assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
        assert_int_equal(latency_solve(&s, &load, &err), 0);
        assert_int_equal(latency_streams(&c, &n, &s, &err), 0);
        for (size_t i = 0; i < n; i++)
            scene_near("two channels", c[i].latency, 10 + (k & 1 ? wait[i] : 0), 1e-8);
        free(c);
        assert_int_equal(latency_links(&l, &n, &s, &err), 0);
        assert_int_equal(n, 12 + (k & 1 ? 3 : 0));      /* into and out of the three terminals that take part */
        for (size_t i = 12; i < n; i++)
            assert_true((l[i].from < 0) != (l[i].to < 0));
        free(l);
        latency_close(&s);
        scene_release(&scene);
    }
}

/* Pollaczek and Khinchine: what messages that come at random wait for a server that takes `mean` for each, with that
 * variance. */
static double queue(double rate, double mean, double variance)
{
    return rate * (mean * mean + variance) / (2 * (1 - rate * mean));
}

/* A lone channel over one link is an M/D/1 queue at its source, whatever hops take, and waits nowhere else. Saturation
 * where links have buffers is found to a thousandth. */
static void a_queue_at_the_source(void **state)
{
    static const int end[] = { 0, 1 }, stream[][2] = { { 0, 1 } };

    (void)state;
    for (size_t w = 0; switching_all[w]; w++)
        for (int terminals = 0; terminals < 2; terminals++)
            for (double interval = 11; interval < 200; interval *= 1.7) {
                const struct latency_options o = { .collide = { .switching = switching_all[w], .time = 10,
                                                                .hop_time = 9 }, .open = true, .terminals = terminals };
                const struct load load = { interval, 1 };
                struct latency_summary y;
                struct latency_study s;
                struct scene scene;

                scene_list(&scene, nets_from_edges(2, end, 1, false), "minimal", stream, 1);
                assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
                assert_int_equal(latency_saturation(&s, &err), 0);
                scene_near("saturation", s.saturation_factor, 0.1, isinf(o.collide.switching->router->vcs) ||
                           o.collide.switching->hold ? 1e-9 : 1e-3);
                assert_int_equal(latency_solve(&s, &load, &err), 0);
                assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
                scene_near("M/D/1", y.source_wait, queue(1 / interval, 10, 0), 1e-9);
                assert_true(y.wait == 0);
                scene_near("packet latency", y.mean, y.zero + y.source_wait, 1e-12);
                latency_close(&s);
                scene_release(&scene);
            }
}

/* Two channels meet on their second link. Where links are held meanwhile, what each waits there is half of an M/D/1
 * queue's wait, and that is service at the source: M/G/1 with the deviation that Draper and Ghosh (1994) give it, the
 * wait. Where they are not, it is that queue's wait less what each would wait for its own messages alone (work is
 * conserved: L. Shalmon and M. Kaplan 1984), flits that take turns delay both, and the source stays M/D/1. Hops are no
 * service. */
static void service_is_what_is_held(void **state)
{
    static const int end[] = { 0, 2, 1, 2, 2, 3 }, stream[][2] = { { 0, 3 }, { 1, 3 } };

    (void)state;
    for (size_t w = 0; switching_all[w]; w++)
        for (double hop = 0; hop < 10; hop += 4) {
            const struct latency_options o = { .collide = { .switching = switching_all[w], .time = 10,
                                                            .hop_time = hop }, .open = true };
            const struct load load = { 50, 1 };
            const bool hold = switching_all[w]->hold, turns = !hold && !switching_all[w]->router->packets;
            const double both = queue(2 / 50.0, 10, 0), wait = hold ? both / 2 : both - queue(1 / 50.0, 10, 0),
                held = hold ? wait : 0;
            struct latency_summary y;
            struct latency_study s;
            struct scene scene;

            scene_list(&scene, nets_from_edges(4, end, 3, false), "minimal", stream, 2);
            assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
            assert_int_equal(latency_solve(&s, &load, &err), 0);
            assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
            if (!(y.wait >= wait * (1 - 1e-8) && y.wait <= (turns ? 2 : 1) * wait * (1 + 1e-8)))
                fail_msg("%s: waits %.12g, wanted %.12g", switching_all[w]->name, y.wait, wait);
            scene_near("wait at the source", y.source_wait, queue(1 / 50.0, 10 + held, held * held), 1e-8);
            latency_close(&s);
            scene_release(&scene);
        }
}

/* Sources that send 0.3 of what they could into a fat tree wait 16.8 cycles; taking the time of hops for service made
 * that 40.6. */
static void hops_are_no_service(void **state)
{
    const struct load load = { 10 / 0.3, 1 };
    struct latency_summary y;
    struct latency_study s;
    struct scene scene;
    const struct latency_options o = { .collide = { .switching = switching_find("wormhole", &err), .time = 10,
                                                    .hop_time = 1 }, .open = true, .terminals = true };

    (void)state;
    scene_open(&scene, "fattree:4", "uniform", "ecmp");
    assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
    assert_int_equal(latency_solve(&s, &load, &err), 0);
    assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
    scene_near("wait at the source", y.source_wait, 16.8, 0.003);
    latency_close(&s);
    scene_release(&scene);
}

/* Channels of 10 and of 30 flits, stored and forwarded over 3 links: the longest way is each one's own. */
static void stored_messages_of_two_lengths(void **state)
{
    static const int end[] = { 0, 1, 1, 2, 2, 3 }, stream[][2] = { { 0, 3 }, { 3, 0 }, { 1, 0 } };
    const struct latency_options o = { .collide = { .switching = switching_find("store-and-forward", &err), .time = 10,
                                                    .hop_time = 3 } };
    const double want[] = { 3 * 10 + 2 * 3, 3 * 30 + 2 * 3, 30 };
    const struct load none = { 1e12, 1 };
    struct latency_stream *c;
    struct latency_study s;
    struct scene scene;
    size_t n;

    (void)state;
    scene_list(&scene, nets_from_edges(4, end, 3, false), "minimal", stream, 3);
    scene.traffic.stream[1].time = scene.traffic.stream[2].time = 30;
    assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
    assert_int_equal(latency_solve(&s, &none, &err), 0);
    assert_int_equal(latency_streams(&c, &n, &s, &err), 0);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        scene_near("latency", c[i].latency, want[i], 1e-9);
        scene_near("least", c[i].least, want[i], 1e-9);
        scene_near("most", c[i].most, want[i], 1e-9);
    }
    free(c);
    latency_close(&s);
    scene_release(&scene);
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
    study(&s, &scene, "wormhole", false, false);
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

/* How near their saturation open sources are believed, by what holds links: as far as models were held against
 * simulation. Routes round rings close cycles: where each link holds one message at a time nothing is believed, where
 * it has channels for the two classes that dimension order needs there (W. Dally and C. Seitz 1987) it is. */
static void near_saturation(void **state)
{
    static const double part[] = { 0.3, 0.6, 0.601, 0.649, 0.65, 0.651, 0.699, 0.7, 0.701, 0.79, 0.8, 0.81, 0.95 };
    static const struct {
        const char *net, *switching;
        double vcs, most;       /* channels; 0: what the switching means */
        enum validity beyond;
    } row[] = {
        { "mesh:4x4", "wormhole", 0, 0.8, VALIDITY_NEAR }, { "mesh:4x4", "circuit", 0, 0.8, VALIDITY_NEAR },
        { "torus:8x8", "wormhole", 0, 0, VALIDITY_DEADLOCK }, { "torus:8x8", "circuit", 0, 0, VALIDITY_DEADLOCK },
        { "torus:8x8", "cut-through", 0, 0.8, VALIDITY_UNTESTED },
        { "torus:8x8", "store-and-forward", 0, 0.8, VALIDITY_UNTESTED },
        { "torus:8x8", "virtual-channel", 0, 0.65, VALIDITY_UNTESTED },
        { "torus:8x8", "virtual-channel", 1, 0, VALIDITY_DEADLOCK },
        { "torus:8x8", "virtual-channel", 2, 0.6, VALIDITY_UNTESTED },
        { "mesh:4x4", "virtual-channel", 0, 0.65, VALIDITY_UNTESTED },
        { "mesh:4x4", "virtual-channel", 1, 0.7, VALIDITY_UNTESTED },
    };

    (void)state;
    EACH_ROW(w, row) {
        const struct switching *how = switching_find(row[w].switching, &err);
        const struct latency_options o = {
            .collide = { .switching = how, .time = 10, .router = { .vcs = row[w].vcs, .buffer = 8 } }, .open = true
        };
        struct latency_summary y;
        struct latency_study s;
        struct scene scene;

        scene_open(&scene, row[w].net, "uniform", "dor");
        assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
        assert_int_equal(latency_saturation(&s, &err), 0);
        EACH_ROW(i, part) {
            const struct load load = { 1, part[i] * s.saturation_factor };

            assert_int_equal(latency_solve(&s, &load, &err), 0);
            assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
            if (y.validity != (part[i] <= row[w].most ? VALIDITY_GOOD : row[w].beyond))
                fail_msg("%s, %s (%g channels) at %g of saturation: %s", row[w].net, row[w].switching, row[w].vcs,
                         part[i], validity_name[y.validity]);
            scene_near("load", y.load, part[i] * y.saturation_load, 1e-9);
            scene_near("capacity", y.capacity_load, 10 / y.capacity_interval, 1e-9);
        }
        latency_close(&s);
        scene_release(&scene);
    }
}

/* Beyond saturation is what a load is said to be, whatever fails to settle there. */
static void beyond_is_said(void **state)
{
    static const struct { const char *routing, *switching; bool open; } row[] = {
        { "dor", "wormhole", false }, { "dor", "wormhole", true }, { "dor", "cut-through", true },
        { "metapath:sga:1,shares=bandwidth", "wormhole", true },
        { "metapath:sga:1,shares=bandwidth", "wormhole", false }
    };

    (void)state;
    EACH_ROW(i, row) {
        struct latency_options o;
        struct latency_study s;
        struct scene scene;

        scene_open(&scene, "torus:8x8", "uniform", row[i].routing);
        o = (struct latency_options){ .collide = { .switching = switching_find(row[i].switching, &err), .time = 10 },
                                      .open = row[i].open };
        for (int terminals = 0; terminals < 2; terminals++) {
            o.terminals = terminals;
            assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
            assert_int_equal(latency_saturation(&s, &err), 0);
            for (double interval = 2; interval > 0.01; interval /= 10) {
                err = (struct err){ 0 };
                assert_int_equal(latency_solve(&s, &(struct load){ interval, 1 }, &err), -1);
                assert_int_equal(err.code, ERR_NETWORK);
                if (!strstr(err.msg, "is beyond saturation, which the model puts at") || strstr(err.msg, "settle"))
                    fail_msg("%s: %s", row[i].routing, err.msg);
            }
            latency_close(&s);
        }
        scene_release(&scene);
    }
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
        cmocka_unit_test(zero_load), cmocka_unit_test(links_of_terminals), cmocka_unit_test(a_queue_at_the_source),
        cmocka_unit_test(service_is_what_is_held), cmocka_unit_test(hops_are_no_service),
        cmocka_unit_test(stored_messages_of_two_lengths), cmocka_unit_test(spread_of_hops),
        cmocka_unit_test(folded_tables), cmocka_unit_test(bottleneck_and_validity),
        cmocka_unit_test(sources_saturate), cmocka_unit_test(near_saturation), cmocka_unit_test(beyond_is_said),
        cmocka_unit_test(cycles)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
