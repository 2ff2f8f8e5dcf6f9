/* Messages over trees of processes, and scenarios of latencies that change: closed forms, paths searched through, and
 * what a strategy cannot know. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/collective/scenario.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

static struct err err;

enum { N = 12, M = N * (N - 1) / 2 };

/* A complete network of processes, or `part` of it. */
static size_t random_wires(struct wire *wire, struct rng *rng, double part)
{
    size_t m = 0;

    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++)
            if (rng_uniform(rng) < part)
                wire[m++] = (struct wire){ a, b, 1 + (double)rng_below(rng, 100), 0, 1 + (double)rng_below(rng, 4) };
    return m;
}

static void random_tree(struct tree_shape *t, struct rng *rng)
{
    int parent[N] = { -1 };

    for (int v = 1; v < N; v++)
        parent[v] = (int)rng_below(rng, (uint64_t)v);
    assert_int_equal(tree_shape_from(t, parent, N, false, &err), 0);
}

/* By words: all pairs, then each rank by its own. */
static void messages_are_as_their_words_say(void **state)
{
    const uint64_t seed = check_seed();
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int k = 0; k < 400; k++) {
        struct relay_how how = { (double)rng_below(&rng, 50), (double)rng_below(&rng, 5), rng_below(&rng, 2) };
        const int root = (int)rng_below(&rng, N);
        double way[N][N], wide[N][N], at[N] = { 0 }, most = 0, up[N];
        struct wire wire[M];
        const size_t m = random_wires(wire, &rng, k % 2 ? 1 : 0.3);
        struct tree_shape t;
        struct wiring w;
        struct relay r;
        int lost = 0;

        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++) {
                way[a][b] = a == b ? 0 : INFINITY;
                wide[a][b] = INFINITY;
            }
        for (size_t e = 0; e < m; e++) {
            way[wire[e].a][wire[e].b] = way[wire[e].b][wire[e].a] = wire[e].latency;
            wide[wire[e].a][wire[e].b] = wide[wire[e].b][wire[e].a] = wire[e].bandwidth;
        }
        if (k % 2 == 0)                 /* where no link joins two, the quickest way; links stand for themselves */
            for (int round = 0; round < N; round++)
                for (int a = 0; a < N; a++)
                    for (int b = 0; b < N; b++)
                        for (size_t e = 0; e < m; e++)
                            for (int turn = 0; turn < 2; turn++) {
                                const int from = turn ? wire[e].b : wire[e].a, to = turn ? wire[e].a : wire[e].b;

                                if (b == to && way[a][from] + wire[e].latency < way[a][b]) {
                                    way[a][b] = way[a][from] + wire[e].latency;
                                    wide[a][b] = fmin(wide[a][from], wire[e].bandwidth);
                                }
                            }
        for (size_t e = 0; e < m; e++)
            way[wire[e].a][wire[e].b] = way[wire[e].b][wire[e].a] = wire[e].latency;
        if (k % 2 == 0)
            how.size = 0;               /* of ways that are alike the width is open */
        random_tree(&t, &rng);
        assert_int_equal(wiring_open(&w, N, wire, m, &err), 0);
        assert_int_equal(relay_open(&r, &w, &t, root, NULL, &err), 0);
        assert_int_equal(relay_run(&r, &how, false, &err), 0);
        for (int v = 1; v < N; v++) {   /* children of greater rank are served later */
            const int p = t.parent[v], from = tree_process(p, root, N), to = tree_process(v, root, N);
            double before = 0;

            for (int o = 1; o < v && how.serial; o++)
                if (t.parent[o] == p && !isinf(way[from][tree_process(o, root, N)]))
                    before += how.overhead + how.size / wide[from][tree_process(o, root, N)];
            at[v] = at[p] + before + how.overhead + (how.size > 0 ? how.size / wide[from][to] : 0) + way[from][to];
            most = isinf(at[v]) ? most : fmax(most, at[v]);
            lost += isinf(at[v]);
            check_near(isinf(r.at[v]) ? -1 : r.at[v], isinf(at[v]) ? -1 : at[v], 1e-9);
        }
        check_near(r.broadcast, most, 1e-9);
        assert_int_equal(r.lost, lost);
        if (!how.serial && lost == 0) {
            check_near(r.reduce, r.broadcast, 1e-9);
            for (int v = N - 1; v >= 0; v--) {
                up[v] = 0;
                for (int c = v + 1; c < N; c++)
                    if (t.parent[c] == v)
                        up[v] = fmax(up[v], up[c] + r.way[c] + how.overhead);
            }
            check_near(r.barrier, 2 * up[0], 1e-9);
        }
        relay_close(&r);
        tree_shape_release(&t);
        wiring_release(&w);
    }
}

/* n - 1 children of one root, all alike: each is taken up after the other. */
static void a_star_takes_one_after_the_other(void **state)
{
    struct wire wire[M];
    size_t m = 0;
    struct tree_shape t;
    struct wiring w;
    struct relay r;

    (void)state;
    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++)
            wire[m++] = (struct wire){ a, b, 100, 0, 4 };
    assert_int_equal(wiring_open(&w, N, wire, m, &err), 0);
    assert_int_equal(tree_shape_init(&t, tree_find("sequential", &err), N, NULL, &err), 0);
    assert_int_equal(relay_open(&r, &w, &t, 3, NULL, &err), 0);
    assert_int_equal(relay_run(&r, &(struct relay_how){ 40, 2, true }, false, &err), 0);
    check_near(r.broadcast, 100 + (N - 1) * 12, 1e-9);
    check_near(r.reduce, 100 + (N - 1) * 12, 1e-9);
    check_near(r.barrier, 2 * (100 + (N - 1) * 2), 1e-9);
    assert_int_equal(r.last, N - 1);
    relay_close(&r);
    tree_shape_release(&t);
    wiring_release(&w);
}

/* ---- scenarios: four processes on two nodes, 0 and 1, 2 and 3 ---- */

struct stage {
    struct net *net;
    struct placement where;
    struct tree_shape star;
};
static const struct wire wires[] = { { 0, 1, 1, 0, 0 }, { 0, 2, 10, 0, 0 }, { 0, 3, 20, 0, 0 }, { 1, 2, 30, 0, 0 },
                                     { 1, 3, 40, 0, 0 }, { 2, 3, 2, 0, 0 } };

static void stage_open(struct stage *s)
{
    assert_int_equal(net_open(&s->net, "complete:2", &err), 0);
    assert_int_equal(placement_init(&s->where, s->net, NULL, 0, 2, 1, &err), 0);
    assert_int_equal(tree_shape_init(&s->star, tree_find("sequential", &err), 4, NULL, &err), 0);
}

static void stage_close(struct stage *s)
{
    tree_shape_release(&s->star);
    placement_release(&s->where);
    net_close(s->net);
}

static int scene(struct scenario *c, const struct stage *s, const char *rows, int broadcasts)
{
    struct csv csv;
    int ret = csv_parse(&csv, rows, strlen(rows), "rows", &err);

    assert_int_equal(ret, 0);
    *c = (struct scenario){ .where = &s->where, .wire = wires, .m = COUNT(wires), .broadcasts = broadcasts };
    ret = scenario_from(c, &csv, NULL, "rows", &err);
    csv_release(&csv);
    return ret;
}

static struct played played(const struct stage *s, const char *rows, int broadcasts, const struct strategy *by)
{
    struct scenario c;
    struct played p;

    if (scene(&c, s, rows, broadcasts) < 0 || scenario_play(&p, &c, by, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    scenario_release(&c);
    check_near(p.total[broadcasts], p.building + p.adapting + p.broadcasting, 1e-9);
    return p;
}
#define ROWS "before,a,b,latency\n"

static void what_stays_pays_for_every_change(void **state)
{
    struct stage s;
    struct played p;

    (void)state;
    stage_open(&s);
    /* the star from 0 ends at 3 after 20; from broadcast 3 on after 50, from 5 on after 30 (to 2) */
    p = played(&s, ROWS "3,3,0,50\n5,0,3,5\n5,2,0,30\n", 6, &(struct strategy){ .tree = &s.star });
    check_near(p.broadcasting, 2 * 20 + 2 * 50 + 2 * 30, 1e-12);
    check_near(p.total[3], 90, 1e-12);
    check_near(p.broadcast, 18, 0);
    played_release(&p);
    /* a link that is gone is gone round: 0-1-3 takes 41, 0-2-3 12 */
    p = played(&s, ROWS "1,0,3,down\n", 2, &(struct strategy){ .tree = &s.star });
    check_near(p.broadcasting, 24, 1e-12);
    assert_int_equal(p.lost, 0);
    played_release(&p);
    p = played(&s, ROWS "2,0,3,down\n2,1,3,down\n2,2,3,down\n", 2, &(struct strategy){ .tree = &s.star });
    check_near(p.broadcasting, 20 + 10, 1e-12);
    assert_int_equal(p.lost, 1);
    played_release(&p);
    stage_close(&s);
}

/* The tree is 0-1, 2-3, 0-2: 12 a broadcast. 0-2 fails (100): 0-3 takes its place, 22. */
static void what_adapts_goes_by_what_it_sees(void **state)
{
    static const char *const rows = ROWS "3,0,2,100\n", *const inner = ROWS "3,0,2,9\n3,1,3,3\n";
    struct stage s;
    struct played p;

    (void)state;
    stage_open(&s);
    p = played(&s, rows, 6, &(struct strategy){ .every = 1, .check = 7 });
    check_near(p.broadcasting, 2 * 12 + 4 * 22, 1e-12);
    assert_int_equal(p.checks, 6);
    assert_int_equal(p.changed, 1);
    assert_true(p.adapting > 6 * 7);
    check_near(p.probes, 2 * 6 * 7, 0);         /* six links, there and back, when it is built and six times */
    played_release(&p);
    /* checks before 1 and 5 */
    p = played(&s, rows, 6, &(struct strategy){ .every = 4 });
    check_near(p.broadcasting, 2 * 12 + 2 * 102 + 2 * 22, 1e-12);
    assert_int_equal(p.checks, 2);
    played_release(&p);
    /* it never looks */
    p = played(&s, rows, 6, &(struct strategy){ .every = 0 });
    check_near(p.broadcasting, 2 * 12 + 4 * 102, 1e-12);
    played_release(&p);
    /* a change of 900 per cent is left alone from 901 on */
    p = played(&s, rows, 6, &(struct strategy){ .every = 1, .threshold = 9.01 });
    assert_int_equal(p.changed, 0);
    played_release(&p);
    p = played(&s, rows, 6, &(struct strategy){ .every = 1, .threshold = 8.99 });
    assert_int_equal(p.changed, 1);
    played_release(&p);
    /* measured once, before anything happens */
    p = played(&s, rows, 6, &(struct strategy){ .every = 1, .probe = 1e9 });
    assert_int_equal(p.changed, 0);
    check_near(p.probes, 2 * 6, 0);
    played_release(&p);
    /* the mean of the last four comes nearer with each check: 32.5, 55, 77.5, 100; the median of three lags by one */
    p = played(&s, rows, 6, &(struct strategy){ .every = 1, .value = VALUE_MEAN, .window = 4 });
    check_near(p.broadcasting, 2 * 12 + 4 * 22, 1e-12);
    played_release(&p);
    p = played(&s, rows, 6, &(struct strategy){ .every = 1, .value = VALUE_MEDIAN, .window = 3 });
    check_near(p.broadcasting, 2 * 12 + 102 + 3 * 22, 1e-12);
    played_release(&p);
    /* forecasts: 10, 10, 10, 100, ...: the last value is off by 90, means and medians by more, so nothing lags */
    p = played(&s, rows, 6, &(struct strategy){ .every = 1, .value = VALUE_BEST, .window = 64 });
    check_near(p.broadcasting, 2 * 12 + 4 * 22, 1e-12);
    played_release(&p);
    /* a link that comes and goes, 100 and 10 in turn: from the second check on the mean of all is off by the least, and
     * believed are 100, 40, 55, 46, 55, 48.6, never below the 20 of 0-3, which stays in the tree */
    for (int best = 0; best < 2; best++) {
        p = played(&s, ROWS "1,0,2,100\n2,0,2,10\n3,0,2,100\n4,0,2,10\n5,0,2,100\n6,0,2,10\n", 6,
                   &(struct strategy){ .every = 1, .value = best ? VALUE_BEST : VALUE_LAST, .window = 64 });
        check_near(p.broadcasting, best ? 6 * 22 : 3 * 22 + 3 * 12, 1e-12);
        played_release(&p);
    }
    /* what was measured to build the tree counts: the mean of 10 and 1000 is 495 more than 10 */
    p = played(&s, ROWS "1,0,2,1000\n", 1, &(struct strategy){ .every = 1, .value = VALUE_MEAN, .window = 2,
                                                              .threshold = 49.6 });
    assert_int_equal(p.changed, 0);
    played_release(&p);
    p = played(&s, ROWS "1,0,2,1000\n", 1, &(struct strategy){ .every = 1, .threshold = 49.6 });
    assert_int_equal(p.changed, 1);
    played_release(&p);
    /* 0 and 2 hear nothing of each other, and so nobody of the other node is believed to be there */
    p = played(&s, ROWS "2,0,2,down\n", 2, &(struct strategy){ .every = 1, .cliques = true });
    assert_int_equal(p.lost, 2);
    check_near(p.broadcasting, 12 + 1, 1e-12);
    played_release(&p);
    /* children change their order when a link of the tree gets quicker: 2 before 1, each 5 */
    p = played(&s, ROWS "2,0,1,9\n2,2,3,1\n", 2, &(struct strategy){ .every = 1, .how = { 0, 5, true } });
    check_near(p.broadcasting, (5 + 10 + 5 + 2) + (5 + 10 + 5 + 1), 1e-12);
    played_release(&p);
    /* between nodes 0 and 2 measure for all: 1-3 is not looked at */
    p = played(&s, inner, 6, &(struct strategy){ .every = 1 });
    check_near(p.broadcasting, 2 * 12 + 4 * 6, 1e-12);
    played_release(&p);
    p = played(&s, inner, 6, &(struct strategy){ .every = 1, .cliques = true });
    check_near(p.broadcasting, 2 * 12 + 4 * 11, 1e-12);
    check_near(p.probes, 2 * 3 * 7, 0);
    played_release(&p);
    stage_close(&s);
}

static void rows_that_are_none(void **state)
{
    static const struct { const char *rows, *says; } bad[] = {
        { "before,a,b\n1,0,1\n", "line 1: there is no column 'latency'" },
        { ROWS "1,0,1,5\n0,0,1,5\n", "line 3: broadcast 0 comes after broadcast 1" },
        { ROWS "7,0,1,5\n", "line 2: before (a broadcast) is 7" },
        { ROWS "1,0,4,5\n", "line 2: a process is 4" },
        { ROWS "1,-1,3,5\n", "line 2: a process is -1" },
        { ROWS "1,1,1,5\n", "line 2: no link joins processes 1 and 1" },
        { ROWS "1,0,1,-5\n", "line 2: the latency is -5" },
        { ROWS "1,0,1,inf\n", "line 2" },
        { ROWS "1,0,1,1e13\n", "line 2: the latency is 1e13" },
        { ROWS "1,0,1,5ms\n", "line 2: the latency is 5ms, those of the network are numbers" },
        { ROWS "1,0,1,\n", "line 2" },
        { "scenario,before,a,b,latency\nx,1,0,1,5\n", "scenarios by name: FILE:x is one of x" }
    };
    struct scenario c;
    struct stage s;

    (void)state;
    stage_open(&s);
    EACH_ROW(k, bad)
        if (scene(&c, &s, bad[k].rows, 6) == 0 || err.code != ERR_FORMAT || !strstr(err.msg, bad[k].says))
            fail_msg("row %zu: %s", k, err.msg);
    stage_close(&s);
}

/* From which broadcast on one has taken less for good, by looking at all. */
static void it_pays_from_where_it_has_taken_less(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 500; k++) {
        double a[400], b[400];
        struct played p = { .total = a }, q = { .total = b };
        const int n = 20;
        int from = 0;

        a[0] = (double)rng_below(&rng, 300);
        b[0] = 0;
        for (int i = 1; i < 400; i++) {
            const int like = i < n ? 1 : 0;     /* as in the end */

            a[i] = a[i - 1] + (like ? (double)rng_below(&rng, 30) : a[n - 1] - a[n - 2]);
            b[i] = b[i - 1] + (like ? (double)rng_below(&rng, 40) : b[n - 1] - b[n - 2]);
        }
        for (int i = 0; i < 400; i++)
            if (a[i] >= b[i])
                from = i + 1;
        if (a[n - 1] - a[n - 2] < b[n - 1] - b[n - 2] && from < 400)
            check_near(played_even(&p, &q, n - 1, 1), from, 0);
        else if (a[n - 1] >= b[n - 1] && a[n - 1] - a[n - 2] >= b[n - 1] - b[n - 2])
            assert_true(isinf(played_even(&p, &q, n - 1, 1)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_as_their_words_say), cmocka_unit_test(a_star_takes_one_after_the_other),
        cmocka_unit_test(what_stays_pays_for_every_change), cmocka_unit_test(what_adapts_goes_by_what_it_sees),
        cmocka_unit_test(rows_that_are_none), cmocka_unit_test(it_pays_from_where_it_has_taken_less)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
