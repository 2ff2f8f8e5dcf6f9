/* Communities: modularity by hand, the best partition of small graphs by trying all, known graphs. */
#include <stdlib.h>
#include <string.h>

#include "graph/community.h"
#include "graph/net.h"
#include "graph/numeric/rng.h"
#include "tests/support/check.h"

/* Zachary 1977: the karate club, 34 members, 78 ties. */
static const int karate[] = {
    0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 10, 0, 11, 0, 12, 0, 13, 0, 17, 0, 19, 0, 21, 0, 31, 1, 2, 1, 3,
    1, 7, 1, 13, 1, 17, 1, 19, 1, 21, 1, 30, 2, 3, 2, 7, 2, 8, 2, 9, 2, 13, 2, 27, 2, 28, 2, 32, 3, 7, 3, 12, 3, 13, 4,
    6, 4, 10, 5, 6, 5, 10, 5, 16, 6, 16, 8, 30, 8, 32, 8, 33, 9, 33, 13, 33, 14, 32, 14, 33, 15, 32, 15, 33, 18, 32, 18,
    33, 19, 33, 20, 32, 20, 33, 22, 32, 22, 33, 23, 25, 23, 27, 23, 29, 23, 32, 23, 33, 24, 25, 24, 27, 24, 31, 25, 31,
    26, 29, 26, 33, 27, 33, 28, 31, 28, 33, 29, 32, 29, 33, 30, 32, 30, 33, 31, 32, 31, 33, 32, 33
};

static void karate_club(void **state)
{
    int of[34], count;
    double q;
    struct err err;

    (void)state;
    assert_int_equal(COUNT(karate), 2 * 78);
    count = community_find(of, &q, 34, 78, karate, NULL, &err);
    assert_int_equal(count, 4);
    assert_true(q > 0.4188 - 5e-5 && q < 0.4198 + 5e-5);       /* the best: 0.4198 (Brandes et al. 2008) */
    assert_true(of[0] != of[33]);
}

/* Two cliques of k joined by one link: they are the communities, 1/2 - 1/w with w links. */
static void two_cliques(void **state)
{
    (void)state;
    for (int k = 3; k < 12; k++) {
        int end[400], of[24], m = 0;
        double q, w;
        struct err err;

        for (int side = 0; side < 2; side++)
            for (int a = 0; a < k; a++)
                for (int b = 0; b < a; b++) {
                    end[2 * m] = side * k + a;
                    end[2 * m++ + 1] = side * k + b;
                }
        end[2 * m] = 0;
        end[2 * m++ + 1] = k;
        w = m;
        assert_int_equal(community_find(of, &q, 2 * k, (size_t)m, end, NULL, &err), 2);
        assert_true(fabs(q - (0.5 - 1 / w)) < 1e-12);
        for (int v = 0; v < 2 * k; v++)
            assert_int_equal(of[v], v / k);
    }
}

static void random_graph(struct rng *rng, int n, int m, int *end, double *weight)
{
    for (int e = 0; e < m; e++) {
        end[2 * e] = (int)rng_below(rng, (uint64_t)n);
        end[2 * e + 1] = (int)rng_below(rng, (uint64_t)n);
        weight[e] = (double)(1 + rng_below(rng, 5));
    }
}

/* The sum over communities of the part of weight within them, less the square of their part of all ends. */
static double modularity(const int *of, int n, int m, const int *end, const double *weight)
{
    double all = 0, q = 0;

    for (int e = 0; e < m; e++)
        all += end[2 * e] == end[2 * e + 1] ? 0 : weight[e];
    for (int c = 0; c < n && all > 0; c++) {
        double within = 0, ends = 0;

        for (int e = 0; e < m; e++) {
            const int a = of[end[2 * e]], b = of[end[2 * e + 1]];

            if (end[2 * e] == end[2 * e + 1])
                continue;
            within += a == c && b == c ? weight[e] : 0;
            ends += ((a == c) + (b == c)) * weight[e];
        }
        q += within / all - ends / (2 * all) * (ends / (2 * all));
    }
    return q;
}

/* The largest modularity of all partitions, by restricted growth strings. */
static double best_of_all(int *of, int at, int used, int n, int m, const int *end, const double *weight)
{
    double best = -INFINITY;

    if (at == n)
        return modularity(of, n, m, end, weight);
    for (of[at] = 0; of[at] <= used; of[at]++) {
        const int was = of[at];

        best = fmax(best, best_of_all(of, at + 1, used + (was == used), n, m, end, weight));
        of[at] = was;
    }
    return best;
}

/* Never better than the best, seldom much worse; found again. */
static void small_graphs(void **state)
{
    struct rng rng;
    double lost = 0, had = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 60; i++) {
        const int n = 2 + (int)rng_below(&rng, 7), m = 1 + (int)rng_below(&rng, 16);
        int end[40], of[8], again[8], all[8];
        double weight[20], q, best;
        struct err err;

        random_graph(&rng, n, m, end, weight);
        assert_true(community_find(of, &q, n, (size_t)m, end, weight, &err) >= 1);
        community_find(again, &best, n, (size_t)m, end, weight, &err);
        assert_memory_equal(of, again, (size_t)n * sizeof *of);
        best = best_of_all(all, 0, 0, n, m, end, weight);
        if (!(q <= best + 1e-12 && q >= best - 0.15))
            fail_msg("%d nodes, %d links: modularity %g, the best is %g", n, m, q, best);
        lost += best - q;
        had += best;
    }
    assert_true(lost < 0.05 * had);
}

/* Of larger graphs, with links given several times and loops: modularity as above, the largest community first, not
 * less than by chance. */
static void larger_graphs(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 20; i++) {
        const int n = 5 + (int)rng_below(&rng, 200), m = n + (int)rng_below(&rng, (uint64_t)(3 * n));
        int *end = malloc((size_t)m * 2 * sizeof *end), *of = malloc((size_t)n * sizeof *of), count, largest = n;
        double *weight = malloc((size_t)m * sizeof *weight), q;
        struct err err;

        random_graph(&rng, n, m, end, weight);
        count = community_find(of, &q, n, (size_t)m, end, weight, &err);
        for (int c = 0; c < count; c++) {
            int size = 0;

            for (int v = 0; v < n; v++)
                size += of[v] == c;
            assert_true(size >= 1 && size <= largest);
            largest = size;
        }
        assert_true(q > -1e-9 && fabs(q - modularity(of, n, m, end, weight)) < 1e-9);
        free(end);
        free(of);
        free(weight);
    }
}

/* No links, loops, weights that are none. */
static void awkward_graphs(void **state)
{
    const int end[] = { 0, 0, 0, 1, 1, 2 };
    const double weight[] = { 1, (double)NAN, -1 };
    int of[3];
    double q;
    struct err err;

    (void)state;
    assert_int_equal(community_find(of, &q, 1, 0, NULL, NULL, &err), 1);
    assert_true(q == 0 && of[0] == 0);
    assert_int_equal(community_find(of, &q, 3, 3, end, weight, &err), 3);
    assert_true(q == 0 && of[0] == 0 && of[2] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(karate_club), cmocka_unit_test(two_cliques), cmocka_unit_test(small_graphs),
        cmocka_unit_test(larger_graphs), cmocka_unit_test(awkward_graphs)
    };

    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
