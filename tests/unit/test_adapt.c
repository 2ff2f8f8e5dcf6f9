/* A tree that processes keep least: after every check it is igraph's of the latencies of now, whatever failed,
 * recovered, went or came back, whatever the delays. */
#include <igraph.h>
#include <igraph/igraph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/numeric/union_find.h"
#include "model/protocol/adapt.h"
#include "tests/support/check.h"

static struct err err;

static int by_process(const void *a, const void *b)
{
    const struct wire *x = a, *y = b;

    return x->latency != y->latency ? (x->latency < y->latency ? -1 : 1) : x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* The tree of igraph over the links as they are, ranked by (latency, smaller, larger process): which of the wires. */
static void peer(bool *in, int n, struct wire *wire, size_t m)
{
    igraph_t graph;
    igraph_vector_int_t ends, tree;
    igraph_vector_t weight;

    qsort(wire, m, sizeof *wire, by_process);
    igraph_vector_int_init(&ends, (igraph_integer_t)(2 * m));
    igraph_vector_int_init(&tree, 0);
    igraph_vector_init(&weight, (igraph_integer_t)m);
    for (size_t k = 0; k < m; k++) {
        VECTOR(ends)[2 * k] = wire[k].a;
        VECTOR(ends)[2 * k + 1] = wire[k].b;
        VECTOR(weight)[k] = (double)k;
        in[k] = false;
    }
    igraph_create(&graph, &ends, n, false);
    igraph_minimum_spanning_tree(&graph, &tree, &weight);
    for (igraph_integer_t e = 0; e < igraph_vector_int_size(&tree); e++)
        in[VECTOR(tree)[e]] = true;
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&ends);
    igraph_vector_int_destroy(&tree);
    igraph_vector_destroy(&weight);
}

/* Beside the links: everybody's way leads to the root that it knows, one for each part. */
static void check_spanning(const struct spanning *s, struct wire *wire, size_t m, const char *what)
{
    const struct wiring *w = &s->w;
    bool *in = calloc(m + 1, sizeof *in), *is = calloc((size_t)w->n * (size_t)w->n, sizeof *is);
    int *part = calloc((size_t)w->n, sizeof *part);

    peer(in, w->n, wire, m);
    union_find_alone(part, (size_t)w->n);
    for (size_t h = 0; h < 2 * w->m; h++)
        is[(size_t)w->from[h] * (size_t)w->n + (size_t)w->to[h]] = spanning_has(s, h);
    for (size_t k = 0; k < m; k++) {
        const size_t a = (size_t)wire[k].a, b = (size_t)wire[k].b, n = (size_t)w->n;

        if (is[a * n + b] != in[k] || is[b * n + a] != in[k])
            fail_msg("%s: the link %d-%d (%g) is %s the tree", what, wire[k].a, wire[k].b, wire[k].latency,
                     in[k] ? "not in" : "in");
        union_find_join(part, in[k] ? wire[k].a : 0, in[k] ? wire[k].b : 0);
    }
    for (int v = 0; v < w->n; v++) {
        int at = v, steps = 0;

        while (s->g.process[at].in >= 0 && steps++ <= w->n) {
            if (!spanning_has(s, (size_t)s->g.process[at].in))
                fail_msg("%s: process %d goes over a link that is not in the tree", what, at);
            at = w->to[s->g.process[at].in];
        }
        if (steps > w->n || at != s->g.process[v].root || union_find_root(part, at) != union_find_root(part, v))
            fail_msg("%s: process %d ends at %d, and knows the root %d", what, v, at, s->g.process[v].root);
    }
    assert_int_equal(w->m, m);
    free(in);
    free(is);
    free(part);
}

/* Links that are there: latency > 0. */
static size_t present(struct wire *out, const struct wire *wire, size_t m)
{
    size_t n = 0;

    for (size_t k = 0; k < m; k++)
        if (wire[k].latency > 0)
            out[n++] = wire[k];
    return n;
}

static void random_changes(void **state)
{
    struct rng rng;
    const uint64_t seed = check_seed();
    double rejoined = 0, parted = 0, replaced = 0, failed = 0;

    (void)state;
    rng_seed(&rng, seed);
    for (int k = 0; k < 1500; k++) {
        const int n = 1 + (int)rng_below(&rng, k % 50 ? 14 : 200), spread = k % 3 ? 1000 : 3;
        const double part = rng_uniform(&rng) * (n > 50 ? 0.1 : 1), change = rng_uniform(&rng),
            gone = k % 4 == 0 ? rng_uniform(&rng) * 0.7 : 0;
        struct wire *wire = calloc((size_t)n * (size_t)n / 2 + 1, sizeof *wire), *now = calloc((size_t)n * (size_t)n /
                                                                                              2 + 1, sizeof *now);
        size_t m = 0, there;
        struct spanning s;
        struct protocol_cost cost = { .time = 0 };
        char what[120];

        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                if (rng_uniform(&rng) < part)
                    wire[m++] = (struct wire){ a, b, (double)(1 + (int)rng_below(&rng, (uint32_t)spread)), 0, 0 };
        assert_int_equal(spanning_build(&s, n, wire, m, &(struct protocol_how){ (uint64_t)k, NULL, &cost, NULL },
                                        &err), 0);
        for (int round = 0; round < 6; round++) {
            const double before = cost.count[ADAPT_REPLACE];
            size_t trees = 0;

            for (size_t e = 0; e < m; e++)
                if (rng_uniform(&rng) < change)
                    wire[e].latency = rng_uniform(&rng) < gone ? 0 : 1 + (int)rng_below(&rng, (uint32_t)spread);
            there = present(now, wire, m);
            snprintf(what, sizeof what, "graph %d, %d processes, %zu links, round %d (seed %llu)", k, n, there, round,
                     (unsigned long long)seed);
            if (spanning_adapt(&s, now, there,
                               &(struct protocol_how){ (uint64_t)(k % 5 ? k + round : 0), NULL, &cost, NULL },
                               &err) < 0)
                fail_msg("%s: %s", what, err.msg);
            check_spanning(&s, now, there, what);
            for (int v = 0; v < n; v++)
                trees += s.g.process[v].root == v;
            parted += trees > 1;
            replaced += cost.count[ADAPT_REPLACE] > before;
        }
        failed += (double)cost.failed;
        rejoined += cost.count[ADAPT_FAILURE];
        spanning_release(&s);
        free(wire);
        free(now);
    }
    printf("SEED=%llu: parted %g, replaced %g, failed %g, told %g\n", (unsigned long long)seed, parted, replaced,
           failed, rejoined);
    assert_true(parted > 100 && replaced > 1000 && failed > 10000);
}

/* The tree before and the links now, checked for many delays. */
static void change_checked(int n, const struct wire *before, const struct wire *now, size_t m, uint64_t seeds,
                           const char *what)
{
    struct wire *copy = calloc(m, sizeof *copy);

    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct protocol_cost cost = { .time = 0 };
        struct spanning s;
        char text[120];

        snprintf(text, sizeof text, "%s, delays %llu", what, (unsigned long long)seed);
        memcpy(copy, now, m * sizeof *now);
        assert_int_equal(spanning_build(&s, n, before, m, &(struct protocol_how){ seed, NULL, &cost, NULL }, &err), 0);
        assert_int_equal(spanning_adapt(&s, now, m, &(struct protocol_how){ seed, NULL, &cost, NULL }, &err), 0);
        check_spanning(&s, copy, m, text);
        spanning_release(&s);
    }
    free(copy);
}

/* The least tree among those that keep some links and lack others: what a rule can reach. */
enum { FREE_LINK, KEPT_LINK, LACKING_LINK };
static double least(int n, struct wire *wire, size_t m, const int *rule)
{
    double sum = 0;
    int set[8];

    union_find_alone(set, (size_t)n);
    for (int kept = 1; kept >= 0; kept--)
        for (size_t k = 0; k < m; k++) {        /* sorted */
            const int is = rule ? rule[k] : FREE_LINK;

            if (is != LACKING_LINK && (is == KEPT_LINK || !kept) && union_find_join(set, wire[k].a, wire[k].b))
                sum += wire[k].latency;
        }
    return sum;
}

/* Published: a failed link is rejected. Three processes, the tree 0-1 (1), 1-2 (2); 1-2 takes 3 now, 0-2 takes 9. */
static void the_failed_link_is_still_the_best(void **state)
{
    static const struct wire before[] = { { 0, 1, 1, 0, 0 }, { 1, 2, 2, 0, 0 }, { 0, 2, 9, 0, 0 } };
    struct wire now[] = { { 0, 1, 1, 0, 0 }, { 1, 2, 3, 0, 0 }, { 0, 2, 9, 0, 0 } };

    (void)state;
    change_checked(3, before, now, 3, 50, "the failed link is still the best");
    check_near(least(3, now, 3, NULL), 4, 0);
    check_near(least(3, now, 3, (int[]){ FREE_LINK, LACKING_LINK, FREE_LINK }), 10, 0);
}

/* Published: what recovered competes with its new latency when failures are mended, and is in the tree then, so that no
 * cycle is looked at. The tree is 1-2 (1), 0-1 (4), 0-3 (5). 1-2 fails (2) and 0-2 recovers (9, now 1): the parts
 * {0, 1, 3} and {2} join over 0-2, which leaves 0-1 in the tree, worse than 1-2. */
static void a_recovered_link_joins_too_soon(void **state)
{
    static const struct wire before[] = { { 0, 1, 4, 0, 0 }, { 1, 2, 1, 0, 0 }, { 0, 2, 9, 0, 0 }, { 0, 3, 5, 0, 0 },
                                          { 2, 3, 20, 0, 0 }, { 1, 3, 21, 0, 0 } };
    struct wire now[] = { { 0, 2, 1, 0, 0 }, { 1, 2, 2, 0, 0 }, { 0, 1, 4, 0, 0 }, { 0, 3, 5, 0, 0 },
                          { 2, 3, 20, 0, 0 }, { 1, 3, 21, 0, 0 } };
    /* 0-1 and 0-3 are kept; parts {0, 1, 3} and {2} join over 0-2. Then 1-2 is no recovery. */
    const int rule[] = { FREE_LINK, FREE_LINK, KEPT_LINK, KEPT_LINK, FREE_LINK, FREE_LINK };

    (void)state;
    change_checked(4, before, now, COUNT(now), 50, "a recovered link joins too soon");
    check_near(least(4, now, COUNT(now), rule), 10, 0);
    check_near(least(4, now, COUNT(now), NULL), 8, 0);
}

/* A ring whose chords all recover at once, so that most cycles share links. */
static void recoveries_whose_cycles_overlap(void **state)
{
    struct wire before[66], now[66];
    size_t m = 0;

    (void)state;
    for (int a = 0; a < 12; a++)
        for (int b = a + 1; b < 12; b++) {
            const bool ring = b == a + 1 || (a == 0 && b == 11);

            before[m] = (struct wire){ a, b, ring ? 10 + a : 100 + a + b, 0, 0 };
            now[m] = before[m];
            now[m++].latency = ring ? 10 + a : 1 + (7 * a + 5 * b) % 23;
        }
    change_checked(12, before, now, m, 200, "recoveries whose cycles overlap");
}

/* Found by the random tests while the protocol was written. */
static void found_at_random(void **state)
{
    /* 2 has had its word from below when the one above says that it is quiet: it was quiet twice */
    static const struct wire quiet[] = {
        { 0, 1, 464, 0, 0 }, { 0, 2, 258, 0, 0 }, { 0, 3, 213, 0, 0 }, { 1, 2, 433, 0, 0 },
        { 1, 3, 805, 0, 0 }, { 2, 3, 338, 0, 0 }
    };
    static const struct wire quiet_now[] = {
        { 0, 1, 564, 0, 0 }, { 0, 2, 258, 0, 0 }, { 0, 3, 1, 0, 0 }, { 1, 2, 433, 0, 0 },
        { 1, 3, 905, 0, 0 }, { 2, 3, 48, 0, 0 }
    };
    /* the privilege went from 3 to 2 and back for ever, while others waited behind both */
    static const struct wire back[] = {
        { 0, 4, 2, 0, 0 }, { 0, 2, 3, 0, 0 }, { 0, 3, 3, 0, 0 }, { 1, 2, 1, 0, 0 },
        { 1, 3, 1, 0, 0 }, { 1, 4, 3, 0, 0 }, { 2, 3, 1, 0, 0 }, { 3, 4, 3, 0, 0 }
    };
    static const struct wire back_now[] = {
        { 0, 2, 3, 0, 0 }, { 0, 3, 2, 0, 0 }, { 0, 4, 1, 0, 0 }, { 1, 2, 2, 0, 0 },
        { 1, 3, 3, 0, 0 }, { 1, 4, 1, 0, 0 }, { 2, 3, 1, 0, 0 }, { 3, 4, 1, 0, 0 }
    };

    (void)state;
    change_checked(4, quiet, quiet_now, COUNT(quiet), 300, "quiet twice");
    change_checked(5, back, back_now, COUNT(back), 300, "the privilege back and forth");
}

/* Nothing has changed: two waves. */
static void a_check_of_nothing(void **state)
{
    static const int type[] = { ADAPT_NOT_FAIL, ADAPT_NOT_FAIL_ACK, ADAPT_GOSLEEP_FAL, ADAPT_NOT_REC,
                                ADAPT_NOT_REC_ACK, ADAPT_GOSLEEP_REC }, each[] = { 2, 1, 1, 2, 1, 1 };

    (void)state;
    for (int n = 1; n < 40; n++) {
        struct wire *wire = calloc((size_t)n * (size_t)n, sizeof *wire);
        struct protocol_cost cost = { .time = 0 }, none = { .time = 0 };
        struct spanning s;
        size_t m = 0;

        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                wire[m++] = (struct wire){ a, b, 1 + (a * 31 + b * 17) % 50, 0, 0 };
        assert_int_equal(spanning_build(&s, n, wire, m, &(struct protocol_how){ 0, NULL, &cost, NULL }, &err), 0);
        assert_int_equal(spanning_adapt(&s, wire, m, &(struct protocol_how){ (uint64_t)n, NULL, &none, NULL },
                                        &err), 0);
        check_spanning(&s, wire, m, "nothing has changed");
        EACH_ROW(k, type)
            assert_int_equal(none.count[type[k]], each[k] * (n - 1));
        assert_int_equal(none.failed + none.recovered, 0);
        spanning_release(&s);
        free(wire);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_changes), cmocka_unit_test(the_failed_link_is_still_the_best),
        cmocka_unit_test(a_recovered_link_joins_too_soon), cmocka_unit_test(recoveries_whose_cycles_overlap),
        cmocka_unit_test(found_at_random), cmocka_unit_test(a_check_of_nothing)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
