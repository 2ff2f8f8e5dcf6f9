/* Primitives: what is executed comes to the closed forms, with igraph's eccentricities; any number under way is
 * delivered once and in order; the printed texts fail where it is said that they do; times of stored messages. */
#include <igraph.h>
#include <igraph/igraph.h>
#include <string.h>

#include "graph/topology/topo.h"
#include "model/protocol/primitive.h"
#include "tests/support/check.h"

#define NODES_MOST 40

static struct err err;
static struct rng rng;

/* ---- graphs ---- */

struct graph {
    struct wiring w;
    struct primitive_scene s;
};

/* spans: links have orders that are drawn, and the tree is the least by them; else by breadth. */
static void graph_lay(struct graph *g, int n, const int (*edge)[2], size_t m, int origin, int target, bool spans)
{
    struct wire wire[NODES_MOST * NODES_MOST];
    bool within[NODES_MOST * NODES_MOST];

    for (size_t k = 0; k < m; k++)
        wire[k] = (struct wire){ .a = edge[k][0], .b = edge[k][1], .latency = 1,
                                 .order = spans ? 1 + rng_uniform(&rng) : 0 };
    *g = (struct graph){ 0 };
    assert_int_equal(wiring_open(&g->w, n, wire, m, &err), 0);
    assert_int_equal(primitive_spanning(within, &g->w, &err), 0);
    assert_int_equal(primitive_scene_open(&g->s, &g->w, spans ? within : NULL, origin, &err), 0);
    primitive_aim(&g->s, target);
}

static void graph_open(struct graph *g, int n, const int (*edge)[2], size_t m, int origin, int target)
{
    graph_lay(g, n, edge, m, origin, target, false);
}

static void graph_close(struct graph *g)
{
    primitive_scene_release(&g->s);
    wiring_release(&g->w);
}

static void graph_draw(struct graph *g)
{
    const int n = 2 + (int)rng_below(&rng, NODES_MOST - 1), more = (int)rng_below(&rng, (uint64_t)(2 * n));
    int edge[3 * NODES_MOST][2];
    bool joined[NODES_MOST][NODES_MOST] = { { false } };
    size_t m = 0;

    for (int k = 1; k < n + more; k++) {
        int a = k < n ? k : (int)rng_below(&rng, (uint64_t)n), b = (int)rng_below(&rng, (uint64_t)(k < n ? k : n));

        if (a == b || joined[a][b])
            continue;
        joined[a][b] = joined[b][a] = true;
        edge[m][0] = a;
        edge[m++][1] = b;
    }
    const int origin = (int)rng_below(&rng, (uint64_t)n), target = (int)rng_below(&rng, (uint64_t)n);

    graph_lay(g, n, (const int (*)[2])edge, m, origin, target, rng_below(&rng, 2));
}

static double graph_eccentricity(const struct graph *g)
{
    igraph_vector_int_t ends;
    igraph_vector_t e;
    igraph_t graph;
    double out;

    igraph_vector_int_init(&ends, 0);
    igraph_vector_init(&e, 0);
    for (size_t h = 0; h < 2 * g->w.m; h++)
        if (g->w.from[h] < g->w.to[h]) {
            igraph_vector_int_push_back(&ends, g->w.from[h]);
            igraph_vector_int_push_back(&ends, g->w.to[h]);
        }
    igraph_create(&graph, &ends, g->w.n, false);
    igraph_eccentricity(&graph, &e, igraph_vss_1(g->s.origin), IGRAPH_ALL);
    out = VECTOR(e)[0];
    igraph_destroy(&graph);
    igraph_vector_destroy(&e);
    igraph_vector_int_destroy(&ends);
    return out;
}

/* The tree has n - 1 links, the least sum of orders that igraph finds, and the depth that going up from each node has. */
static void check_tree(const struct graph *g)
{
    igraph_vector_int_t ends, edge;
    igraph_vector_t weight;
    igraph_t graph;
    double least = 0, sum = 0;
    int depth = 0;

    igraph_vector_int_init(&ends, 0);
    igraph_vector_int_init(&edge, 0);
    igraph_vector_init(&weight, 0);
    for (size_t k = 0; k < g->w.m; k++) {
        igraph_vector_int_push_back(&ends, g->w.from[g->w.half[k]]);
        igraph_vector_int_push_back(&ends, g->w.to[g->w.half[k]]);
        igraph_vector_push_back(&weight, g->w.order[g->w.half[k]]);
    }
    igraph_create(&graph, &ends, g->w.n, false);
    igraph_minimum_spanning_tree(&graph, &edge, &weight);
    for (igraph_integer_t k = 0; k < igraph_vector_int_size(&edge); k++)
        least += VECTOR(weight)[VECTOR(edge)[k]];
    for (int v = 0; v < g->w.n; v++) {
        int deep = 0;

        sum += v == g->s.origin ? 0 : g->w.order[g->s.up[v]];
        for (int u = v; u != g->s.origin; deep++)
            u = g->w.to[g->s.up[u]];
        depth = deep > depth ? deep : depth;
    }
    check_near(sum, least, 1e-9);
    check_near(g->s.depth, depth, 0);
    igraph_destroy(&graph);
    igraph_vector_destroy(&weight);
    igraph_vector_int_destroy(&edge);
    igraph_vector_int_destroy(&ends);
}

static const struct primitive_how unit = { .service = { .ack = NAN }, .repeat = 1, .back = true };

static struct primitive_outcome run(const char *name, const struct graph *g, const struct primitive_how *how)
{
    const struct primitive *p = primitive_find(name, &err);
    struct primitive_outcome o;

    assert_non_null(p);
    if (primitive_execute(&o, p, &g->s, how, &err) < 0)
        fail_msg("%s: %s", name, err.msg);
    return o;
}

/* ---- closed forms ---- */

static void closed_forms(void **state)
{
    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 2000; k++) {
        struct primitive_facts f;
        struct graph g;

        graph_draw(&g);
        primitive_facts(&f, &g.s);
        check_near(f.eccentricity, graph_eccentricity(&g), 0);
        check_tree(&g);
        for (size_t i = 0; primitive_all[i]; i++)
            for (int drawn = 0; drawn < 2; drawn++)
                for (int back = 0; back < 2; back++) {
                    const struct primitive *p = primitive_all[i];
                    struct primitive_closed want = { 0, 0, NAN, NAN };
                    struct primitive_how how = unit;
                    struct primitive_outcome o;

                    how.back = back;
                    how.seed = drawn ? rng_next(&rng) | 1 : 0;
                    o = run(p->name, &g, &how);
                    f.back = back;
                    p->closed(&want, &f);
                    check_near(o.messages, want.messages, 0);
                    check_near(o.control, want.control, 0);
                    check_near(o.lost + o.twice + o.late + o.early, 0, 0);
                    if (drawn)
                        continue;
                    if (!isnan(want.time))
                        check_near(o.time, want.time, 0);
                    assert_int_equal(isnan(o.known), isnan(want.known));
                    if (!isnan(want.known))
                        check_near(o.known, want.known, 0);
                }
        graph_close(&g);
    }
}

/* On an example of every family, from its first and its last terminal, to the farthest node. */
static void closed_forms_of_every_family(void **state)
{
    int families = 0;

    (void)state;
    for (size_t i = 0; topo_all[i]; i++) {
        struct wire *wire = NULL;
        struct net *net;
        struct wiring w;
        size_t m = 0;

        if (!topo_all[i]->example || net_open(&net, topo_all[i]->example, &err) < 0)
            continue;
        if (wires_nodes(&wire, &m, net, 1, 0, &err) == 0) {     /* else it has links of one way */
            assert_int_equal(wiring_open(&w, net->n, wire, m, &err), 0);
            for (int last = 0; last < 2; last++) {
                struct primitive_scene s = { 0 };
                struct primitive_facts f;

                assert_int_equal(primitive_scene_open(&s, &w, NULL, net_terminal(net, last ? net->nterminal - 1 : 0), &err), 0);
                for (int v = 0; v < w.n; v++)
                    primitive_aim(&s, s.hops[v] > s.hops[s.target] ? v : s.target);
                primitive_facts(&f, &s);
                for (size_t k = 0; primitive_all[k]; k++) {
                    struct primitive_closed want = { 0, 0, NAN, NAN };
                    struct primitive_outcome o;

                    f.back = true;
                    primitive_all[k]->closed(&want, &f);
                    if (primitive_execute(&o, primitive_all[k], &s, &unit, &err) < 0)
                        fail_msg("%s, %s: %s", net->spec, primitive_all[k]->name, err.msg);
                    if (o.messages != want.messages || o.control != want.control ||
                        (!isnan(want.time) && o.time != want.time) || (!isnan(want.known) && o.known != want.known))
                        fail_msg("%s, %s: %g and %g messages at %g, %g; not %g and %g at %g, %g", net->spec,
                                 primitive_all[k]->name, o.messages, o.control, o.time, o.known, want.messages,
                                 want.control, want.time, want.known);
                }
                primitive_scene_release(&s);
            }
            wiring_release(&w);
            families++;
        }
        free(wire);
        net_close(net);
    }
    print_message("%d families\n", families);
    assert_true(families > 10);
}

/* Several under way, each node delivers each once, in order, whatever the delays. */
static void any_number_under_way(void **state)
{
    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 500; k++) {
        struct graph g;

        graph_draw(&g);
        for (size_t i = 0; primitive_all[i]; i++) {
            struct primitive_how how = unit;
            struct primitive_outcome o;

            how.repeat = 2 + (int)rng_below(&rng, 5);
            how.seed = rng_next(&rng) | 1;
            how.back = rng_below(&rng, 2);
            o = run(primitive_all[i]->name, &g, &how);
            if (o.lost + o.twice + o.early > 0)
                fail_msg("%s, %d at once: %g lost, %g twice, %g told early", primitive_all[i]->name, how.repeat, o.lost,
                         o.twice, o.early);
        }
        graph_close(&g);
    }
}

/* ---- where the printed texts fail ---- */

static struct primitive_outcome printed(const char *name, enum primitive_text text, bool back, int repeat, int n,
                                        const int (*edge)[2], size_t m)
{
    struct primitive_how how = unit;
    struct primitive_outcome o;
    struct graph g;

    graph_open(&g, n, edge, m, 0, 0);
    how.text = text;
    how.back = back;
    how.repeat = repeat;
    how.every = 100;
    o = run(name, &g, &how);
    graph_close(&g);
    return o;
}

/* Figure III.9: a root with two leaves completes 0, 1, 2, 2, 3, 4 of its first 1 to 6 convergecasts. */
static void converge_counts_its_own_channel(void **state)
{
    static const int star[][2] = { { 0, 1 }, { 0, 2 } }, completed[] = { 0, 1, 2, 2, 3, 4 };

    (void)state;
    for (int k = 1; k <= 6; k++) {
        check_near(printed("converge", TEXT_PUBLISHED, true, k, 3, star, 2).told, completed[k - 1], 0);
        check_near(printed("converge", TEXT_MENDED, true, k, 3, star, 2).told, k, 0);
    }
}

/* Figure III.11: four floods from 0 on the path 0-1-2: node 1 delivers two, node 2 one. On ring:4: two each. */
static void flood_counts_its_own_channel(void **state)
{
    static const int path[][2] = { { 0, 1 }, { 1, 2 } }, ring[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } };

    (void)state;
    check_near(printed("flood", TEXT_PUBLISHED, true, 4, 3, path, 2).lost, 2 + 3, 0);
    check_near(printed("flood", TEXT_PUBLISHED, true, 4, 4, ring, 4).lost, 3 * 2, 0);
    check_near(printed("flood", TEXT_COUNTED, true, 4, 3, path, 2).lost, 0, 0);
    check_near(printed("flood", TEXT_COUNTED, true, 4, 4, ring, 4).lost, 0, 0);
}

/* Figure III.14: told at 4, when not all have it; right: 10. */
static void confirmed_is_told_early(void **state)
{
    static const int tree[][2] = { { 0, 1 }, { 1, 2 }, { 1, 3 }, { 3, 4 }, { 4, 5 }, { 5, 6 } };
    const struct primitive_outcome p = printed("flood-confirmed", TEXT_PUBLISHED, true, 1, 7, tree, 6),
        right = printed("flood-confirmed", TEXT_COUNTED, true, 1, 7, tree, 6);

    (void)state;
    check_near(p.early, 1, 0);
    check_near(p.first_told, 4, 0);
    check_near(right.early, 0, 0);
    check_near(right.known, 10, 0);
}

/* Figure III.14 never wraps `first`: with one column of `pending` the second flood is not confirmed. III.18 stores no way
 * back at leaves: a circuit over a tree is never confirmed. */
static void tables_are_left_as_they_are(void **state)
{
    static const int path[][2] = { { 0, 1 }, { 1, 2 } };
    struct primitive_how how = unit;
    struct graph g;

    (void)state;
    graph_open(&g, 3, path, 2, 0, 2);
    how.repeat = 2;
    how.every = 100;
    how.floods = 1;
    check_near(run("flood-confirmed", &g, &how).told, 2, 0);
    how.text = TEXT_PUBLISHED;
    check_near(run("flood-confirmed", &g, &how).told, 1, 0);
    how.repeat = 1;
    check_near(run("tree-circuit", &g, &how).lost, 2, 0);
    how.text = TEXT_MENDED;
    check_near(run("tree-circuit", &g, &how).lost, 0, 0);
    graph_close(&g);
}

/* How many random graphs of 1,000 a text fails on with some instructions at once: some for what is known to be wrong,
 * none for the mended one. */
static int failures(const char *name, enum primitive_text text, bool back, int most)
{
    int bad = 0;

    for (int k = 0; k < 1000; k++) {
        struct primitive_how how = unit;
        struct primitive_outcome o;
        struct graph g;

        graph_draw(&g);
        how.text = text;
        how.back = back;
        how.repeat = most == 1 ? 1 : 2 + (int)rng_below(&rng, (uint64_t)most - 1);
        how.seed = rng_next(&rng) | 1;
        o = run(name, &g, &how);
        bad += o.early + o.lost + o.twice > 0;
        graph_close(&g);
    }
    return bad;
}

static void counters_pass_for_others(void **state)
{
    static const struct {
        const char *name;
        enum primitive_text text;
        bool back;
        int most;
    } wrong[] = {
        { "flood-confirmed", TEXT_PUBLISHED, true, 1 }, { "flood-confirmed", TEXT_COUNTED, true, 5 },
        { "flood", TEXT_COUNTED, false, 5 }, { "flood", TEXT_PUBLISHED, true, 5 },
        { "flood-confirmed", TEXT_PUBLISHED, true, 5 }, { "converge", TEXT_PUBLISHED, true, 5 }
    };

    (void)state;
    rng_seed(&rng, check_seed());
    EACH_ROW(i, wrong) {
        const int bad = failures(wrong[i].name, wrong[i].text, wrong[i].back, wrong[i].most);

        print_message("%s, %s, up to %d at once: wrong on %d graphs of 1,000\n", wrong[i].name,
                      primitive_text_name[wrong[i].text], wrong[i].most, bad);
        assert_true(bad > 50);
    }
    assert_int_equal(failures("flood-confirmed", TEXT_COUNTED, true, 1), 0);
    assert_int_equal(failures("flood", TEXT_COUNTED, true, 5), 0);
    assert_int_equal(failures("converge", TEXT_COUNTED, true, 5), 0);
}

/* ---- time ---- */

/* n messages over d channels: T = (d+1) r + d (w + m/B) + (n-1)(r + m/B + 2w + ack/B). */
static void stored_messages_take_their_formula(void **state)
{
    static const int path[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 6 } };

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 200; k++) {
        const int d = 1 + (int)rng_below(&rng, 6), n = 1 + (int)rng_below(&rng, 20);
        const double r = check_uniform(&rng) + 0.01, w = 1, m = 20 * check_uniform(&rng), ack = check_uniform(&rng);
        struct primitive_how how = { .service = { .decide = r, .ack = ack }, .message = m, .repeat = n };
        struct primitive_outcome o;
        struct graph g;

        graph_open(&g, d + 1, path, (size_t)d, 0, d);
        o = run("send", &g, &how);
        check_near(o.time, (d + 1) * r + d * (w + m) + (n - 1) * (r + m + 2 * w + ack), 1e-12 * o.time);
        check_near(o.lost + o.twice + o.late, 0, 0);
        graph_close(&g);
    }
}

/* T_c of n messages; and the crossovers that the defaults of the command come to. */
static void circuits_take_their_formula(void **state)
{
    static const int path[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 6 } };
    static const struct {
        int hops, repeat;
        double bytes;
    } row[] = {
        { 2, 1, 135112 }, { 3, 1, 95092 }, { 6, 1, 71080 }, { 30, 1, 57832 }, { 6, 2, 70078 }, { 6, 4, 68075 },
        { 6, 16, 56056 }
    };

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 200; k++) {
        const int d = 1 + (int)rng_below(&rng, 6);
        struct primitive_how how = { .service = { .decide = check_uniform(&rng) + 0.01, .ack = check_uniform(&rng) } };
        struct primitive_outcome o;
        struct graph g;

        how.repeat = 1 + (int)rng_below(&rng, 20);
        how.flit = check_uniform(&rng);
        how.message = how.flit + 20 * check_uniform(&rng);
        how.request = check_uniform(&rng);
        how.confirm = check_uniform(&rng);
        graph_open(&g, d + 1, path, (size_t)d, 0, d);
        o = run("circuit", &g, &how);
        check_near(o.time, primitive_circuit_time(&how, d, 1), 1e-12 * o.time);
        if (how.repeat == 1)            /* the tree of a path is the path */
            check_near(run("tree-circuit", &g, &how).time, o.time, 1e-12 * o.time);
        graph_close(&g);
    }
    EACH_ROW(i, row) {                  /* 25 bytes a ns, 1 us of decisions, 100 ns a channel */
        const struct primitive_how how = { .service = { .decide = 1000, .ack = 8 / 25. }, .flit = 32 / 25.,
                                           .request = 32 / 25., .confirm = 8 / 25., .repeat = row[i].repeat };

        check_near(25 * primitive_crossover(&how, row[i].hops, 100), row[i].bytes, 0.6);
    }
    assert_true(isnan(primitive_crossover(&(struct primitive_how){ .repeat = 1 }, 1, 100)));
    /* `bcast mesh:7 -p 2 --hop-time 2 --packet 100` from node 0 to 6 takes 610 cycles stored and forwarded, and 134 over a
     * circuit: there the first link takes no hop time */
    check_near(primitive_stored_time(&(struct primitive_how){ .repeat = 1, .message = 100 }, 6, 2) - 2, 610, 0);
    check_near(primitive_circuit_time(&(struct primitive_how){ .repeat = 1, .message = 100 }, 6, 2) - 2, 134, 0);
}

static void refuses_trees_that_do_not_span(void **state)
{
    static const int apart[][2] = { { 0, 1 }, { 2, 3 } };
    struct primitive_outcome o;
    struct graph g;

    (void)state;
    graph_open(&g, 4, apart, 2, 0, 3);
    for (size_t i = 0; primitive_all[i]; i++) {
        const struct primitive *p = primitive_all[i];

        err = (struct err){ 0 };
        if (p->spans || p->expects == EXPECT_TARGET) {
            assert_int_equal(primitive_execute(&o, p, &g.s, &unit, &err), -1);
            assert_int_equal(err.code, ERR_DOMAIN);
        } else {
            assert_int_equal(primitive_execute(&o, p, &g.s, &unit, &err), 0);
        }
    }
    graph_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(closed_forms_of_every_family),
        cmocka_unit_test(any_number_under_way),
        cmocka_unit_test(converge_counts_its_own_channel), cmocka_unit_test(flood_counts_its_own_channel),
        cmocka_unit_test(confirmed_is_told_early), cmocka_unit_test(tables_are_left_as_they_are),
        cmocka_unit_test(counters_pass_for_others),
        cmocka_unit_test(stored_messages_take_their_formula), cmocka_unit_test(circuits_take_their_formula),
        cmocka_unit_test(refuses_trees_that_do_not_span)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
