/* Process trees: every one of the catalogue spans, for 1 to 33 processes and every root; those built for
 * a network, on networks at random (test_sight.c has what they are). */
#include <string.h>

#include "model/process/placement.h"
#include "model/process/tree.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

static struct err err;

/* From every rank the parents lead to the root, and every other rank is somebody's child once. */
static void check_spans(const struct tree_shape *s)
{
    char *seen = calloc((size_t)s->n, 1);

    assert_non_null(seen);
    assert_int_equal(s->parent[0], -1);
    assert_int_equal(s->first[0], 0);
    assert_int_equal(s->first[s->n], s->n - 1);
    for (int v = 0; v < s->n; v++)
        for (int i = s->first[v]; i < s->first[v + 1]; i++) {
            assert_int_equal(s->parent[s->child[i]], v);
            assert_false(seen[s->child[i]]);
            seen[s->child[i]] = 1;
        }
    for (int v = 1; v < s->n; v++) {
        int up = v, steps = 0;

        while (up != 0 && steps++ < s->n)
            up = s->parent[up];
        assert_int_equal(up, 0);
        assert_true(seen[v]);
    }
    free(seen);
}

/* Ranks and processes correspond one to one, rank 0 being the root. */
static void check_roots(int n)
{
    for (int root = 0; root < n; root++) {
        uint64_t seen = 0;

        assert_int_equal(tree_process(0, root, n), root);
        for (int v = 0; v < n; v++) {
            assert_int_equal(tree_process(v, root, n), (v + root) % n);
            seen |= (uint64_t)1 << tree_process(v, root, n);
        }
        assert_true(seen == ((uint64_t)1 << n) - 1);
    }
}

static void check_order(const struct tree_shape *s, const struct tree *tree)
{
    for (int v = 0; v < s->n; v++)
        for (int i = s->first[v] + 1; i < s->first[v + 1]; i++)
            assert_true(tree->largest_first ? s->child[i] < s->child[i - 1] : s->child[i] > s->child[i - 1]);
}

static int subtree(const struct tree_shape *s, int v)
{
    int size = 1;

    for (int i = s->first[v]; i < s->first[v + 1]; i++)
        size += subtree(s, s->child[i]);
    return size;
}

/* On networks at random, with switches in every other, from every root. */
static void spans_networks(const struct tree *tree, int n)
{
    const uint64_t seed = check_seed() + (uint64_t)n;
    struct rng rng;

    rng_seed(&rng, seed);
    for (int more = 0; more < 3; more++) {
        struct net *net = nets_random(&rng, 2 * n + 3, more * n, false);
        struct placement where;
        struct tree_shape s;

        if (more)
            nets_switch(&rng, net);
        assert_int_equal(placement_init(&where, net, "random", n < net->nterminal ? n : net->nterminal, 1 + n % 3, seed,
                                        &err), 0);
        for (int root = 0; root < where.n; root++) {
            const struct tree_scene scene = { .net = net, .where = &where, .root = root, .hop = more, .gap = 1,
                                              .size = 2 };

            if (tree_shape_init(&s, tree, where.n, &scene, &err) < 0)
                fail_msg("SEED=%llu: %s", (unsigned long long)seed, err.msg);
            assert_int_equal(s.n, where.n);
            check_spans(&s);
            tree_shape_release(&s);
        }
        placement_release(&where);
        net_close(net);
    }
}

static void entry_spans(void **state)
{
    const struct tree *tree = *state;
    struct tree_shape s;

    assert_non_null(tree->summary);
    assert_non_null(tree->source);
    for (int n = 1; tree->build && n <= 33; n++)
        spans_networks(tree, n);
    for (int n = 1; !tree->build && n <= 33; n++) {
        assert_int_equal(tree_shape_init(&s, tree, n, NULL, &err), 0);
        assert_int_equal(s.n, n);
        check_spans(&s);
        check_order(&s, tree);
        if (tree->largest_first && (n & (n - 1)) == 0)
            for (int v = 0; v < n; v++)
                for (int i = s.first[v] + 1; i < s.first[v + 1]; i++)
                    assert_true(subtree(&s, s.child[i]) <= subtree(&s, s.child[i - 1]));
        tree_shape_release(&s);
        check_roots(n);
    }
}

static const struct row {
    const char *name, *tree;
    int n, rank;
    const char *children;
} rows[] = {
    { "the sequential root serves all, in order", "sequential", 5, 0, "1 2 3 4" },
    { "sequential others serve none", "sequential", 5, 3, "" },
    { "binary 1 of 8", "binary", 8, 1, "3 4" },
    { "binary 3 of 8 has one child", "binary", 8, 3, "7" },
    { "binomial root of 16: largest subtree first", "binomial", 16, 0, "8 4 2 1" },
    { "binomial root of 11: in the order of a full tree", "binomial", 11, 0, "8 4 2 1" },
    { "binomial 8 of 16", "binomial", 16, 8, "12 10 9" },
    { "binomial 8 of 11", "binomial", 11, 8, "10 9" },
    { "chain 3 of 5", "chain", 5, 3, "4" },
    { "the chain ends", "chain", 5, 4, "" },
    { "one process has nobody to serve", "binomial", 1, 0, "" },
};

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct tree_shape s;
    char text[64] = "";
    size_t len = 0;

    assert_int_equal(tree_shape_init(&s, tree_find(row->tree, &err), row->n, NULL, &err), 0);
    for (int i = s.first[row->rank]; i < s.first[row->rank + 1]; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", len ? " " : "", s.child[i]);
    assert_string_equal(text, row->children);
    assert_int_equal(len == 0, tree_nchild(&s, row->rank) == 0);
    tree_shape_release(&s);
}

static void bad_trees_are_refused(void **state)
{
    static const int late[] = { 0, 0, 2 }, negative[] = { 0, -1 }, good[] = { 7, 0, 0, 1 };
    struct tree_shape s;

    (void)state;
    assert_null(tree_find("binomal", &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.msg, "binomial"));
    assert_int_equal(tree_shape_init(&s, tree_find("chain", &err), 0, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(tree_shape_init(&s, tree_find("breadth-first", &err), 4, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_non_null(strstr(err.msg, "breadth-first follows a network"));
    assert_int_equal(tree_shape_from(&s, late, 3, false, &err), -1);
    assert_non_null(strstr(err.msg, "rank 2"));
    assert_int_equal(tree_shape_from(&s, negative, 2, false, &err), -1);
    assert_int_equal(tree_shape_from(&s, good, 4, true, &err), 0);
    check_spans(&s);
    assert_int_equal(s.child[0], 2);
    tree_shape_release(&s);
}

int main(void)
{
    struct CMUnitTest tests[64] = { { .name = "bad trees are refused", .test_func = bad_trees_are_refused } };
    size_t n = 0;
    int failed;

    net_setup();
    while (tests[n].test_func)          /* those listed above */
        n++;

    for (size_t i = 0; tree_all[i] && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = tree_all[i]->name, .test_func = entry_spans,
                                          .initial_state = (void *)(uintptr_t)tree_all[i] };
    for (size_t i = 0; i < COUNT(rows) && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = row_holds,
                                          .initial_state = (void *)(uintptr_t)&rows[i] };
    failed = _cmocka_run_group_tests("trees", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
