/* Sums of distances over balls and windows against direct sums, for groups of every shape; and the way that only huge
 * groups take, on small ones. */
#include <string.h>

#include "graph/numeric/rng.h"
#include "graph/distance/conv.h"
#include "tests/support/check.h"

static struct err err;

/* ---- groups, and their arithmetic once more ---- */

static const struct row {
    const char *name;
    int ndim, order[6];
    int ngen, gen[6];           /* 0: unit vectors */
    bool directed;
} rows[] = {
    { "ring of 7", 1, { 7 }, 0, { 0 }, false },
    { "ring of 8", 1, { 8 }, 0, { 0 }, false },
    { "ring of 2", 1, { 2 }, 0, { 0 }, false },
    { "ring of 9, one way", 1, { 9 }, 0, { 0 }, true },
    { "ring of 251", 1, { 251 }, 0, { 0 }, false },
    { "torus 5x4", 2, { 5, 4 }, 0, { 0 }, false },
    { "torus 4x5", 2, { 4, 5 }, 0, { 0 }, false },
    { "torus 5x4x3", 3, { 5, 4, 3 }, 0, { 0 }, false },
    { "torus 3x2x5x2", 4, { 3, 2, 5, 2 }, 0, { 0 }, false },
    { "torus 2x2x7", 3, { 2, 2, 7 }, 0, { 0 }, false },
    { "torus 7x2x2", 3, { 7, 2, 2 }, 0, { 0 }, false },
    { "torus 7x70", 2, { 7, 70 }, 0, { 0 }, false },
    { "torus 2x3x65, one way", 3, { 2, 3, 65 }, 0, { 0 }, true },
    { "torus 13x16", 2, { 13, 16 }, 0, { 0 }, false },
    { "cube of 1", 1, { 2 }, 0, { 0 }, false },
    { "cube of 5", 5, { 2, 2, 2, 2, 2 }, 0, { 0 }, false },
    { "circulant 23: 3 5", 1, { 23 }, 2, { 3, 5 }, false },
    { "circulant 24: 3 4", 1, { 24 }, 2, { 3, 4 }, false },
    { "circulant 30: 6 10 15", 1, { 30 }, 3, { 6, 10, 15 }, false },
    { "circulant 128: 7 8", 1, { 128 }, 2, { 7, 8 }, false },
    { "complete 6", 1, { 6 }, 3, { 1, 2, 3 }, false },
};

struct space {
    struct group g;
    uint32_t *D;
};

static void open_space(struct space *s, const struct row *row)
{
    int unit[6], stride = 1;

    for (int d = row->ndim - 1; d >= 0; d--) {
        unit[d] = stride;
        stride *= row->order[d];
    }
    assert_int_equal(group_init(&s->g, row->ndim, row->order, row->ngen ? row->ngen : row->ndim,
                                row->ngen ? row->gen : unit, row->directed, &err), 0);
    s->D = malloc((size_t)s->g.n * sizeof *s->D);
    assert_non_null(s->D);
    assert_int_equal(group_distances(&s->g, s->D, &err), 0);
}

static void close_space(struct space *s)
{
    group_release(&s->g);
    free(s->D);
}

/* a - b, coordinate by coordinate. */
static int minus(const struct row *row, int a, int b)
{
    int c = 0, stride = 1;

    for (int d = row->ndim - 1; d >= 0; d--) {
        int k = row->order[d];

        c += ((a % k - b % k + k) % k) * stride;
        stride *= k;
        a /= k;
        b /= k;
    }
    return c;
}

static uint32_t farthest(const struct space *s)
{
    uint32_t most = 0;

    for (int v = 0; v < s->g.n; v++)
        most = s->D[v] > most ? s->D[v] : most;
    return most;
}

/* to[v] = sum over the ball's members i of from[v - i]. */
static void add_ball(const struct row *row, const struct space *s, uint32_t radius, const int64_t *from, int64_t *to)
{
    for (int v = 0; v < s->g.n; v++) {
        to[v] = 0;
        for (int i = 0; i < s->g.n; i++)
            if (s->D[i] <= radius)
                to[v] += from[minus(row, v, i)];
    }
}

static void same(const double *got, const int64_t *want, int n, uint32_t radius, double tolerance)
{
    for (int v = 0; v < n; v++)
        if (got[v] != (double)want[v])
            fail_msg("radius %u, tolerance %g: at %d %.17g, should be %lld", radius, tolerance, v, got[v],
                     (long long)want[v]);
}

static void check_balls(const struct row *row, const struct space *s, double tolerance)
{
    size_t n = (size_t)s->g.n;
    int64_t *plain = malloc(3 * n * sizeof *plain), *once = plain + n, *twice = once + n;
    struct conv *c;
    const double *value;

    assert_non_null(plain);
    for (size_t v = 0; v < n; v++)
        plain[v] = s->D[v];
    assert_int_equal(conv_open(&c, &s->g, s->D, &err), 0);
    if (tolerance > 0)
        conv_tolerate(c, tolerance);
    for (uint32_t radius = 0; radius <= farthest(s) + 1; radius += 1 + radius / 8) {
        add_ball(row, s, radius, plain, once);
        add_ball(row, s, radius, once, twice);
        for (int again = 0; again < 2; again++) {       /* one call leaves nothing behind for the next */
            if (conv_ball(c, radius, false, &value, &err) < 0)
                fail_msg("radius %u, tolerance %g: %s", radius, tolerance, err.msg);
            same(value, once, s->g.n, radius, tolerance);
            if (conv_ball(c, radius, true, &value, &err) < 0)
                fail_msg("radius %u, tolerance %g: %s", radius, tolerance, err.msg);
            same(value, twice, s->g.n, radius, tolerance);
        }
    }
    conv_close(c);
    free(plain);
}

static void balls_come_out(void **state)
{
    struct space s;

    open_space(&s, *state);
    check_balls(*state, &s, 0);
    close_space(&s);
}

/* Tolerances that leave digits of some bits only, fewer and fewer. */
static void balls_come_out_in_digits(void **state)
{
    struct space s;
    double least;               /* what the transform of a digit of base 1 may err by, for the largest ball */

    open_space(&s, *state);
    least = 4 * log2((double)s.g.n + 1) * 0x1p-53 * (double)s.g.n;
    check_balls(*state, &s, least * 5);
    check_balls(*state, &s, least * 20);
    check_balls(*state, &s, least * 150);
    close_space(&s);
}

static void hopeless_tolerance_is_refused(void **state)
{
    struct space s;
    struct conv *c;
    const double *value;

    (void)state;
    open_space(&s, &rows[5]);
    assert_int_equal(conv_open(&c, &s.g, s.D, &err), 0);
    conv_tolerate(c, 1e-15);
    assert_int_equal(conv_ball(c, 2, true, &value, &err), -1);
    assert_int_equal(err.code, ERR_MEMORY);
    conv_close(c);
    close_space(&s);
}

/* ---- windows ---- */

static int times(const struct row *row, const struct group *g, int gen, int k)
{
    int v = 0, n = group_order_of(g, g->gen[gen]);

    for (int i = (k % n + n) % n; i > 0; i--)
        v = minus(row, v, minus(row, 0, g->gen[gen]));
    return v;
}

static int line_length(const struct row *row, const struct group *g, int gen)
{
    int v = g->gen[gen], n = 1;

    for (; v != 0; n++)
        v = minus(row, v, minus(row, 0, g->gen[gen]));
    return n;
}

static void check_window(const struct row *row, const struct space *s, struct rng *rng, int gen, int start, int length)
{
    size_t n = (size_t)s->g.n;
    double *value = malloc(2 * n * sizeof *value), *from = value + n;
    double *line = malloc(2 * (size_t)group_order_of(&s->g, s->g.gen[gen]) * sizeof *line);

    assert_true(value && line);
    for (size_t v = 0; v < n; v++)
        value[v] = from[v] = (double)rng_below(rng, 1000);
    conv_window(&s->g, s->g.gen[gen], start, length, value, line);
    for (int v = 0; v < s->g.n; v++) {
        double sum = 0;

        for (int i = start; i < start + length; i++)
            sum += from[minus(row, v, times(row, &s->g, gen, i))];
        if (value[v] != sum)
            fail_msg("generator %d, window %d of %d: at %d %g, should be %g", gen, start, length, v, value[v], sum);
    }
    free(line);
    free(value);
}

static void windows_come_out(void **state)
{
    const struct row *row = *state;
    struct space s;
    struct rng rng;

    rng_seed(&rng, 5);
    open_space(&s, row);
    for (int gen = 0; gen < s.g.ngen; gen++) {
        int most = line_length(row, &s.g, gen);

        assert_int_equal(group_order_of(&s.g, s.g.gen[gen]), most);
        for (int i = 0; i < 12; i++) {
            int length = 1 + (int)rng_below(&rng, (uint64_t)most);

            check_window(row, &s, &rng, gen, (int)rng_below(&rng, (uint64_t)(4 * most)) - 2 * most, length);
        }
        check_window(row, &s, &rng, gen, 0, 1);
        check_window(row, &s, &rng, gen, 0, most);
        check_window(row, &s, &rng, gen, -most, most);
    }
    close_space(&s);
}

int main(void)
{
    static struct CMUnitTest tests[3 * COUNT(rows) + 1] = {
        { .name = "a hopeless tolerance is refused", .test_func = hopeless_tolerance_is_refused } };
    static char names[COUNT(rows)][3][64];
    static const CMUnitTestFunction f[3] = { balls_come_out, balls_come_out_in_digits, windows_come_out };
    static const char *const what[3] = { "balls", "balls in digits", "windows" };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    EACH_ROW(i, rows)
        for (int k = 0; k < 3; k++) {
            snprintf(names[i][k], sizeof names[i][k], "%s: %s", rows[i].name, what[k]);
            tests[n++] = (struct CMUnitTest){ .name = names[i][k], .test_func = f[k],
                                              .initial_state = (void *)(uintptr_t)&rows[i] };
        }
    return _cmocka_run_group_tests("convolutions", tests, n, NULL, NULL);
}
