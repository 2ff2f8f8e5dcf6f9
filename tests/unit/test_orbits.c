/* Networks folded by their symmetries have the latencies that they have unfolded: of families with switches, with links
 * as they are, and of files made of copies of a random network, whose symmetries are known. SEED=n repeats. */
#include <string.h>
#include <unistd.h>

#include "analysis/latency/latency.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"

static struct err err;
static double slack;            /* cycles: of one channel, what rounds leave of waits */
static double close_to = 1e-9;  /* relative */

static void near(const char *what, const struct scene *s, double got, double want)
{
    if (!(fabs(got - want) <= close_to * fabs(want) + slack) && !(got > 1e12 && want > 1e12))    /* a source just full */
        fail_msg("%s, %s: %s is %.17g, wanted %.17g", s->net->spec, s->traffic.spec, what, got, want);
}

/* How messages share links: every switching, and routers whose channels and credits are short. */
struct how {
    const struct switching *switching;
    struct router router;       /* vcs 0: what the switching means */
};
#define HOWS 8

static struct how how_at(size_t i)
{
    static const struct how routers[] = {
        { &switching_virtual_channel, { .vcs = 1, .buffer = 4, .time = 1, .classes = 1, .speedup = true } },
        { &switching_virtual_channel, { .vcs = 2, .buffer = 20, .credit_loop = 25, .classes = 2, .packets = true } },
        { &switching_virtual_channel, { .vcs = 5, .buffer = 3, .credit_loop = 4, .classes = 2 } }
    };
    size_t n = 0;

    while (switching_all[n])
        n++;
    assert_int_equal(n + COUNT(routers), HOWS);
    return i < n ? (struct how){ .switching = switching_all[i] } : routers[i - n];
}

static bool legs;               /* over any terminal in two legs */

static void open_study(struct latency_study *y, struct scene *s, struct how how, bool unfolded)
{
    const struct latency_options o = { .collide = { .switching = how.switching, .router = how.router, .time = 10,
                                                    .hop_time = 2, .tolerance = 1e-10, .jobs = 1 },
                                       .open = true, .terminals = s->terminals, .unfolded = unfolded, .orbits = true,
                                       .legs = legs };

    if (latency_open(y, &s->traffic, &s->routing, 1, &o, &err) < 0)
        fail_msg("%s: %s", s->name, err.msg);
}

static void same_streams(struct scene *s, const struct latency_study *one, const struct latency_study *all)
{
    struct latency_stream *x, *y;
    size_t n, m;

    assert_int_equal(latency_streams(&x, &n, one, &err), 0);
    assert_int_equal(latency_streams(&y, &m, all, &err), 0);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(x[i].node, y[i].node);
        assert_int_equal(x[i].source, y[i].source);
        assert_int_equal(x[i].ways, y[i].ways);
        near("latency of a source", s, x[i].latency, y[i].latency);
        near("zero-load latency", s, x[i].zero, y[i].zero);
        near("wait", s, x[i].wait, y[i].wait);
        near("time", s, x[i].time, y[i].time);
        near("source wait", s, x[i].source_wait, y[i].source_wait);
        near("least", s, x[i].least, y[i].least);
        near("most", s, x[i].most, y[i].most);
        if (fabs(x[i].spread - y[i].spread) > 1e-6 * y[i].latency)      /* a root of what cancels */
            fail_msg("%s: spread %.17g, wanted %.17g", s->name, x[i].spread, y[i].spread);
    }
    free(x);
    free(y);
}

static void same_links(struct scene *s, const struct latency_study *one, const struct latency_study *all)
{
    struct latency_link *x, *y;
    size_t n, m;

    assert_int_equal(latency_links(&x, &n, one, &err), 0);
    assert_int_equal(latency_links(&y, &m, all, &err), 0);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        char a[24], b[24];

        assert_true(x[i].from == y[i].from && x[i].to == y[i].to && x[i].ports == y[i].ports);
        assert_string_equal(flows_cable_name(&one->flows, x[i].link, a),
                            flows_cable_name(&all->flows, y[i].link, b));
        near("rate of a link", s, x[i].rate, y[i].rate);
        near("busy", s, x[i].busy, y[i].busy);
        near("utilisation", s, x[i].utilisation, y[i].utilisation);
        near("wait at a link", s, x[i].wait, y[i].wait);
    }
    free(x);
    free(y);
}

/* Returns how many sources stood for all. */
static size_t same(struct scene *s, struct how how)
{
    struct latency_study one, all;
    size_t sources;
    bool rounds;

    open_study(&one, s, how, false);
    open_study(&all, s, how, true);
    assert_true(!all.flows.orbits);
    near("capacity", s, one.capacity_factor, all.capacity_factor);
    sources = one.flows.nsource;
    if (!how.switching->hold)
        assert_int_equal(latency_saturation(&all, &err), 0);
    rounds = !how.switching->hold && router_channels(&all.o.collide.router) == 1;
    slack = rounds ? 1e-7 : 1e-12;
    for (int k = 0; k < 2; k++) {
        const struct load load = { 1, fmin((k ? 0.3 : 0.05) * all.capacity_factor,
                                           (k ? 0.8 : 0.2) * all.saturation_factor) };
        const bool solved = latency_solve(&all, &load, &err) == 0;      /* else beyond saturation */
        struct latency_summary x, y;

        if ((latency_solve(&one, &load, &err) == 0) != solved) {
            if (!rounds)
                fail_msg("%s: solved folded or unfolded alone", s->name);
            continue;
        }
        if (!solved)
            continue;
        assert_int_equal(latency_summary(&x, &one, &load, &err), 0);
        assert_int_equal(latency_summary(&y, &all, &load, &err), 0);
        near("mean latency", s, x.mean, y.mean);
        near("hops", s, x.hops, y.hops);
        near("load", s, x.load, y.load);
        near("accepted load", s, x.accepted_load, y.accepted_load);
        near("busy", s, x.busy, y.busy);
        near("utilisation", s, x.utilisation, y.utilisation);
        same_links(s, &one, &all);
        if (legs)                       /* what one source sends is near what they all do */
            continue;
        near("largest", s, x.most, y.most);
        near("longest way", s, x.longest, y.longest);
        if (fabs(x.sd - y.sd) > 1e-6 * y.mean)
            fail_msg("%s: deviation %.17g, wanted %.17g", s->name, x.sd, y.sd);
        same_streams(s, &one, &all);
    }
    latency_close(&one);
    latency_close(&all);
    return sources;
}

static void families(void **state)
{
    static const struct {
        const char *net, *traffic;
        size_t sources;         /* orbits of terminals; 0: as it may be */
        const char *routing;
    } rows[] = {
        { "fattree:4", "uniform", 1, "ecmp" }, { "fattree:6", "uniform", 1, "ecmp" },
        { "fattree:4", "hotspot:0", 4, "ecmp" }, { "mesh:4x4", "uniform", 3, "ecmp" },
        { "fattree:4,core-bandwidth=2,host-latency=3", "uniform", 1, "ecmp" }, { "star:7", "uniform", 2, "ecmp" },
        { "dragonfly,a=4,p=2,h=2", "uniform", 0, "ecmp" }, { "dragonfly,a=4,p=2,h=2", "hotspot:0", 0, "ecmp" },
        { "dragonfly,a=3,p=1,h=1,global-bandwidth=4,local-latency=5", "uniform", 0, "ecmp" },
        { "mesh:3x3x3", "uniform", 4, "ecmp" }, { "hyperx:3x4,bandwidth=4+1", "hotspot:0.0", 4, "ecmp" },
        { "torus:4x4", "hotspot:0.0", 5, "ecmp" },
        { "dragonfly,a=4,p=2,h=2", "uniform", 2, "lgl" }, { "dragonfly,a=4,p=2,h=2", "hotspot:0", 0, "lgl" },
        { "dragonfly,a=3,p=1,h=1", "uniform", 0, "lgl" },
        { "dragonfly,a=3,p=1,h=1,arrangement=absolute,global-bandwidth=4", "uniform", 0, "lgl" },
        /* a ring of six switches, whose symmetries exchange what is within groups and between them */
        { "dragonfly,a=2,p=1,h=1", "uniform", 0, "lgl" }, { "dragonfly,a=2,p=1,h=1", "uniform", 0, "valiant,by=group" },
        { "dragonfly,a=4,p=2,h=2", "uniform", 2, "valiant,by=group" },
        { "dragonfly,a=4,p=2,h=2,arrangement=absolute", "uniform", 0, "valiant,by=group" },
        { "dragonfly,a=3,p=1,h=1", "uniform", 0, "valiant,by=group" },
        { "dragonfly,a=3,p=1,h=1", "hotspot:0", 0, "valiant,by=group" },
        { "dragonfly,a=3,p=1,h=1,global-bandwidth=4,local-latency=5", "uniform", 0, "valiant,by=group" },
        { "dragonfly,a=3,p=1,h=1", "uniform", 0, "valiant,base=lgl" }
    };

    (void)state;
    EACH_ROW(i, rows)
        for (size_t w = 0; w < HOWS; w++) {
            struct scene s;
            size_t sources;

            scene_open(&s, rows[i].net, rows[i].traffic, rows[i].routing);
            s.terminals = w & 1;
            sources = same(&s, how_at(w));
            if (rows[i].sources && sources != rows[i].sources)
                fail_msg("%s, %s: %zu sources, wanted %zu", rows[i].net, rows[i].traffic, sources, rows[i].sources);
            scene_release(&s);
        }
}

/* What goes over any terminal, in two legs and folded by hosts alone, or by all symmetries where the base has them; pair
 * by pair. */
static void over_any_in_two_legs(void **state)
{
    static const char *const rows[][2] = {
        { "dragonfly,a=4,p=2,h=2", "valiant" }, { "dragonfly,a=4,p=2,h=2", "valiant,base=lgl" },
        { "dragonfly,a=3,p=3,h=1,global-bandwidth=4,local-latency=5,host-bandwidth=2", "valiant" },
        { "fattree:4", "valiant" }, { "fattree:4,core-bandwidth=2", "valiant,base=updown" },
        { "fattree:6,host-latency=3", "valiant" }
    };

    (void)state;
    legs = true;
    EACH_ROW(i, rows)
        for (size_t w = 0; w < HOWS; w++) {
            struct scene s;

            scene_open(&s, rows[i][0], "uniform", rows[i][1]);
            s.terminals = w & 1;
            close_to = 0.2 / s.net->nterminal;          /* of held links: a source never sends to itself */
            if (2 * same(&s, how_at(w)) > (size_t)s.net->nterminal)
                fail_msg("%s, %s: not folded", rows[i][0], rows[i][1]);
            scene_release(&s);
        }
    legs = false;
    close_to = 1e-9;
}

/* Copies of a random network, nodes of the same place joined to each other (at some places): copies may be exchanged.
 * Cables of unlike kinds, some of them side by side, each alike in all copies; directed, back by another kind. */
static void write_copies(FILE *f, struct rng *rng, int nodes, int copies, bool directed)
{
    fputs("source,target,bandwidth,latency\n", f);
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < a; b++) {
            if (b + 1 < a && rng_below(rng, 3))
                continue;
            for (int cables = 1 + (int)(rng_below(rng, 5) == 0); cables > 0; cables--) {
                const int bandwidth = 1 << rng_below(rng, 3), latency = 3 * (int)rng_below(rng, 2);

                for (int c = 0; c < copies; c++) {
                    fprintf(f, "%d.%d,%d.%d,%d,%d\n", a, c, b, c, bandwidth, latency);
                    if (directed)
                        fprintf(f, "%d.%d,%d.%d,%d,%d\n", b, c, a, c, 3 * bandwidth, latency);
                }
            }
        }
    for (int a = 0; a < nodes; a++) {
        const int bandwidth = 1 << rng_below(rng, 2);

        if (a > 0 && rng_below(rng, 2))
            continue;
        for (int c = 0; c < copies; c++)
            for (int d = 0; d < copies; d++)
                if (d < c || (directed && d > c))
                    fprintf(f, "%d.%d,%d.%d,%d,0\n", a, c, a, d, bandwidth);
    }
}

static void copies_of_a_network(void **state)
{
    static const char *const routing[] = { "ecmp", "ecmp,per=neighbour" };
    const uint64_t seed = check_seed();
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 60; i++) {
        char path[] = "/tmp/metapath-orbits-XXXXXX";
        const int fd = mkstemp(path), nodes = 2 + (int)rng_below(&rng, 5), copies = 2 + (int)rng_below(&rng, 3);
        FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
        const bool directed = rng_below(&rng, 4) == 0;
        char *spec = nets_spec(directed ? "%,directed=yes" : "%", path);
        struct scene s;

        assert_non_null(f);
        write_copies(f, &rng, nodes, copies, directed);
        assert_int_equal(fclose(f), 0);
        scene_open(&s, spec, rng_below(&rng, 3) ? "uniform" : "hotspot:0.0", routing[rng_below(&rng, 2)]);
        s.terminals = rng_below(&rng, 2);
        assert_in_range(same(&s, how_at((size_t)i % HOWS)), 1, (size_t)(nodes * copies));
        if (strcmp(s.traffic.spec, "uniform") == 0)
            assert_in_range(same(&s, how_at((size_t)i % HOWS)), 1, (size_t)nodes);
        scene_release(&s);
        free(spec);
        unlink(path);
    }
}

/* Nothing alike, or routing that goes by numbers: unfolded. */
static void what_is_not_folded(void **state)
{
    static const char *const rows[][2] = { { "random:20,degree=3", "ecmp" }, { "fattree:4", "minimal" },
                                           { "fattree:4", "dmodk" }, { "mesh:4x4", "dor" }, { "fattree:4", "spread" } };

    (void)state;
    EACH_ROW(i, rows) {
        struct latency_study y;
        struct scene s;

        scene_open(&s, rows[i][0], "uniform", rows[i][1]);
        open_study(&y, &s, how_at(0), false);
        assert_null(y.flows.orbits);
        latency_close(&y);
        scene_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families), cmocka_unit_test(over_any_in_two_legs), cmocka_unit_test(copies_of_a_network),
        cmocka_unit_test(what_is_not_folded)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
