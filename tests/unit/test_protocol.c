/* Protocols of processes: the tree that they build is igraph's, whatever the delays; messages within their bounds. */
#include <igraph.h>
#include <igraph/igraph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/protocol/ghs.h"
#include "tests/support/check.h"

static struct err err;

/* Ranks of the links of a minimum spanning forest, marked. */
static void peer_tree(bool *in, const struct wiring *w)
{
    igraph_t graph;
    igraph_vector_int_t ends, tree;
    igraph_vector_t weight;
    uint32_t *of = calloc(w->m + 1, sizeof *of);
    size_t k = 0;

    igraph_vector_int_init(&ends, (igraph_integer_t)(2 * w->m));
    igraph_vector_int_init(&tree, 0);
    igraph_vector_init(&weight, (igraph_integer_t)w->m);
    for (size_t h = 0; h < 2 * w->m; h++)
        if (w->from[h] < w->to[h]) {
            VECTOR(ends)[2 * k] = w->from[h];
            VECTOR(ends)[2 * k + 1] = w->to[h];
            VECTOR(weight)[k] = w->rank[h];
            of[k++] = w->rank[h];
        }
    igraph_create(&graph, &ends, w->n, false);
    igraph_minimum_spanning_tree(&graph, &tree, &weight);
    for (size_t e = 0; e < w->m; e++)
        in[e] = false;
    for (igraph_integer_t e = 0; e < igraph_vector_int_size(&tree); e++)
        in[of[VECTOR(tree)[e]]] = true;
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&ends);
    igraph_vector_int_destroy(&tree);
    igraph_vector_destroy(&weight);
    free(of);
}

static size_t check_tree(const struct protocol *r, const struct ghs *g, const char *what)
{
    const struct wiring *w = r->w;
    bool *in = calloc(w->m + 1, sizeof *in);
    size_t links = 0;

    peer_tree(in, w);
    for (size_t h = 0; h < 2 * w->m; h++) {
        if ((g->link[h] == GHS_BRANCH) != in[w->rank[h]])
            fail_msg("%s: the link between %d and %d is %s the tree", what, w->from[h], w->to[h],
                     in[w->rank[h]] ? "not in" : "in");
        links += in[w->rank[h]] && w->from[h] < w->to[h];
    }
    for (int p = 0; p < w->n; p++)
        if (g->process[p].root < 0)
            fail_msg("%s: process %d knows no root", what, p);
    assert_int_equal(r->kept, 0);
    free(in);
    return links;
}

/* Messages without Gosleep are at most 5 n log2 n + 2 m; of that one for each link of the tree. */
static void check_count(const struct protocol *r, size_t links, const char *what)
{
    const double n = r->w->n, all = protocol_messages(r) - r->count[GHS_GOSLEEP];

    if (all > 5 * n * log2(n > 1 ? n : 2) + 2 * (double)r->w->m || r->count[GHS_GOSLEEP] != (double)links ||
        (double)r->peak > 2 * (double)r->w->m)
        fail_msg("%s: %g messages, %g of Gosleep, a queue of %zu", what, all, r->count[GHS_GOSLEEP], r->peak);
}

static void the_published_five(void **state)
{
    static const struct wire wire[] = { { 0, 1, 10, 0, 0 }, { 0, 2, 80, 0, 0 }, { 0, 3, 70, 0, 0 }, { 0, 4, 40, 0, 0 }, { 1, 2, 50, 0, 0 },
                                        { 1, 3, 20, 0, 0 }, { 1, 4, 60, 0, 0 }, { 2, 3, 5, 0, 0 }, { 2, 4, 90, 0, 0 }, { 3, 4, 35, 0, 0 } };
    struct wiring w;
    struct ghs g;
    struct protocol r;

    (void)state;
    assert_int_equal(wiring_open(&w, 5, wire, COUNT(wire), &err), 0);
    assert_int_equal(ghs_open(&g, &w, &err), 0);
    assert_int_equal(protocol_open(&r, &w, &ghs_machine, &g, 0, &err), 0);
    assert_int_equal(protocol_run(&r, NULL, &err), 0);
    check_count(&r, check_tree(&r, &g, "table 2.1"), "table 2.1");
    for (size_t h = 0; h < 2 * w.m; h++)        /* 2-3, 0-1, 1-3, 3-4 */
        assert_int_equal(g.link[h] == GHS_BRANCH, w.latency[h] == 5 || w.latency[h] == 10 || w.latency[h] == 20 ||
                         w.latency[h] == 35);
    for (int p = 0; p < 5; p++)
        for (size_t h = w.first[p]; h < w.first[p + 1]; h++)
            if (w.rank[h] == g.process[p].fragment)
                check_near(w.latency[h], 20, 0);
    protocol_release(&r);
    ghs_release(&g);
    wiring_release(&w);
}

static void random_graphs(void **state)
{
    struct rng rng;
    const uint64_t seed = check_seed();

    (void)state;
    rng_seed(&rng, seed);
    for (int k = 0; k < 3000; k++) {
        const int n = 1 + (int)rng_below(&rng, k % 20 ? 30 : 200);
        const double part = rng_uniform(&rng);
        struct wire *wire = calloc((size_t)n * (size_t)n / 2 + 1, sizeof *wire);
        size_t m = 0;
        struct wiring w;
        struct ghs g;
        struct protocol r;
        char what[80];

        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                if (rng_uniform(&rng) < part)
                    wire[m++] = (struct wire){ a, b, (double)(1 + rng_below(&rng, k % 3 ? 1000000 : 3)), 0, 0 };
        snprintf(what, sizeof what, "graph %d, %d processes (seed %llu)", k, n, (unsigned long long)seed);
        assert_int_equal(wiring_open(&w, n, wire, m, &err), 0);
        assert_int_equal(ghs_open(&g, &w, &err), 0);
        assert_int_equal(protocol_open(&r, &w, &ghs_machine, &g, (uint64_t)k, &err), 0);
        assert_int_equal(protocol_run(&r, NULL, &err), 0);
        check_count(&r, check_tree(&r, &g, what), what);
        protocol_release(&r);
        ghs_release(&g);
        wiring_release(&w);
        free(wire);
    }
}

static void wirings_that_are_none(void **state)
{
    static const struct wire twice[] = { { 0, 1, 2, 0, 0 }, { 1, 0, 3, 0, 0 } }, loop = { 1, 1, 2, 0, 0 }, less = { 0, 1, -1, 0, 0 },
        far = { 0, 7, 1, 0, 0 };
    struct wiring w;

    (void)state;
    assert_int_equal(wiring_open(&w, 2, twice, 2, &err), -1);
    assert_non_null(strstr(err.msg, "joined twice"));
    assert_int_equal(wiring_open(&w, 2, &loop, 1, &err), -1);
    assert_int_equal(wiring_open(&w, 2, &less, 1, &err), -1);
    assert_int_equal(wiring_open(&w, 2, &far, 1, &err), -1);
    assert_int_equal(wiring_open(&w, 0, NULL, 0, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_five), cmocka_unit_test(random_graphs), cmocka_unit_test(wirings_that_are_none)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
