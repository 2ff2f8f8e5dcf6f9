/* The order that is kept while edges come, against reachability searched anew for every edge. SEED=n repeats. */
#include <string.h>

#include "graph/numeric/order.h"
#include "tests/support/check.h"

static struct err err;
static uint64_t seed;

#define MOST 16                 /* vertices of the twin */
#define EDGES 200

struct twin {
    int n, nedge, edge[EDGES][2];
};

/* Whether edges lead from a to b, none of them included: all vertices reached, again and again until no more come. */
static bool reaches(const struct twin *t, int a, int b)
{
    bool reached[MOST] = { false };

    reached[a] = true;
    for (bool more = true; more;) {
        more = false;
        for (int e = 0; e < t->nedge; e++)
            if (reached[t->edge[e][0]] && !reached[t->edge[e][1]])
                more = reached[t->edge[e][1]] = true;
    }
    return reached[b];
}

static void check_places(const struct order *o, const struct twin *t)
{
    assert_int_equal(o->nedge, t->nedge);
    for (int v = 0; v < t->n; v++)
        if (o->place[v] < 0 || o->place[v] >= t->n || o->vertex[o->place[v]] != v)
            fail_msg("SEED=%llu: vertex %d is at place %d", (unsigned long long)seed, v, o->place[v]);
    for (int e = 0; e < t->nedge; e++)
        if (o->place[t->edge[e][0]] >= o->place[t->edge[e][1]])
            fail_msg("SEED=%llu: edge %d->%d leads from place %d to %d", (unsigned long long)seed, t->edge[e][0],
                     t->edge[e][1], o->place[t->edge[e][0]], o->place[t->edge[e][1]]);
}

/* As many edges as undos on the average, more or less by rounds, so that graphs are thin and full. */
static void edges_come_and_go(void **state)
{
    struct rng rng;
    size_t refused = 0, taken = 0, undone = 0;

    (void)state;
    rng_seed(&rng, seed);
    for (int round = 0; round < 400; round++) {
        struct twin t = { .n = 1 + (int)rng_below(&rng, MOST) };
        const uint64_t undos = rng_below(&rng, 6);
        struct order o;

        assert_int_equal(order_open(&o, (size_t)t.n, &err), 0);
        for (int step = 0; step < EDGES; step++) {
            const int from = (int)rng_below(&rng, (uint64_t)t.n), to = (int)rng_below(&rng, (uint64_t)t.n);
            int before[MOST];
            bool cyclic;

            if (t.nedge > 0 && rng_below(&rng, 10) < undos) {
                order_undo(&o);
                t.nedge--;
                undone++;
            } else {
                memcpy(before, o.place, (size_t)t.n * sizeof *before);
                assert_int_equal(order_add(&cyclic, &o, from, to, &err), 0);
                if (cyclic != reaches(&t, to, from))
                    fail_msg("SEED=%llu: round %d, step %d: the edge %d->%d %s a cycle", (unsigned long long)seed,
                             round, step, from, to, cyclic ? "closes no" : "closes");
                if (cyclic) {
                    assert_memory_equal(before, o.place, (size_t)t.n * sizeof *before);
                    refused++;
                } else {
                    memcpy(t.edge[t.nedge++], (int[]){ from, to }, sizeof *t.edge);
                    taken++;
                }
            }
            check_places(&o, &t);
        }
        while (t.nedge > 0) {
            order_undo(&o);
            t.nedge--;
            check_places(&o, &t);
        }
        order_close(&o);
    }
    assert_true(refused > 1000 && taken > 1000 && undone > 1000);
}

/* A path that comes from its end to its beginning, and in any order: the edge back closes it, whichever it is. */
static void a_path_closes(void **state)
{
    enum { N = 3000 };
    static int from[N - 1];
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    for (int way = 0; way < 2; way++) {
        struct order o;
        bool cyclic;

        assert_int_equal(order_open(&o, N, &err), 0);
        for (int i = 0; i < N - 1; i++)
            from[i] = i;
        if (way)
            rng_shuffle(&rng, from, N - 1);
        for (int i = 0; i < N - 1; i++) {               /* N-1 -> N-2 -> ... -> 0 */
            assert_int_equal(order_add(&cyclic, &o, from[i] + 1, from[i], &err), 0);
            assert_false(cyclic);
        }
        for (int v = 0; v < N; v++)
            assert_int_equal(o.place[v], N - 1 - v);
        assert_int_equal(order_add(&cyclic, &o, 0, N - 1, &err), 0);
        assert_true(cyclic);
        order_undo(&o);                                 /* an edge is lacking: the way back is free, once more */
        assert_int_equal(order_add(&cyclic, &o, 0, N - 1, &err), 0);
        assert_false(cyclic);
        assert_int_equal(order_add(&cyclic, &o, from[N - 2] + 1, from[N - 2], &err), 0);
        assert_true(cyclic);
        order_close(&o);
    }
}

/* Edges that agree with an order nobody told, then each of them the other way round. */
static void many_edges_are_quick(void **state)
{
    enum { N = 10000, E = 300000 };
    static int hidden[N], edge[E][2];
    struct order o;
    struct rng rng;
    clock_t begin, middle;
    double taken, refused;
    bool cyclic;

    (void)state;
    rng_seed(&rng, seed + 2);
    for (int i = 0; i < N; i++)
        hidden[i] = i;
    rng_shuffle(&rng, hidden, N);
    for (int e = 0; e < E; e++) {
        const int a = (int)rng_below(&rng, N), b = (int)rng_below(&rng, N - 1), c = b + (b >= a);

        edge[e][0] = hidden[a < c ? a : c];
        edge[e][1] = hidden[a < c ? c : a];
    }
    assert_int_equal(order_open(&o, N, &err), 0);
    begin = clock();
    for (int e = 0; e < E; e++) {
        assert_int_equal(order_add(&cyclic, &o, edge[e][0], edge[e][1], &err), 0);
        assert_false(cyclic);
    }
    middle = clock();
    for (int e = 0; e < E; e++) {
        assert_int_equal(order_add(&cyclic, &o, edge[e][1], edge[e][0], &err), 0);
        assert_true(cyclic);
    }
    taken = (double)(middle - begin) / CLOCKS_PER_SEC;
    refused = (double)(clock() - middle) / CLOCKS_PER_SEC;
    print_message("%d edges on %d vertices: %.2f s; the same backwards, refused: %.2f s\n", E, N, taken, refused);
    assert_true(taken + refused < 60);
    for (int e = 0; e < E; e++)
        assert_true(o.place[edge[e][0]] < o.place[edge[e][1]]);
    order_close(&o);
}

static void no_vertices_and_too_many(void **state)
{
    struct order o;

    (void)state;
    assert_int_equal(order_open(&o, 0, &err), 0);
    assert_int_equal(o.n, 0);
    order_close(&o);
    assert_int_equal(order_open(&o, (size_t)1 << 40, &err), -1);
    assert_int_equal(err.code, ERR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_come_and_go),
        cmocka_unit_test(a_path_closes),
        cmocka_unit_test(many_edges_are_quick),
        cmocka_unit_test(no_vertices_and_too_many),
    };

    seed = check_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
