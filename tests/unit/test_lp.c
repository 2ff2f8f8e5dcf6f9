/* Programs whose answers are known by hand, and what goes wrong: said in one line, never an abort. */
#include <glpk.h>
#include <string.h>
#include <unistd.h>

#include "analysis/bound/lp.h"
#include "tests/support/check.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static struct err err;

static struct lp *open_lp(bool maximise)
{
    struct lp *lp = NULL;

    assert_int_equal(lp_open(&lp, "test", maximise, &err), 0);
    return lp;
}

static int column(struct lp *lp, double lo, double up, double cost, const char *name, double in_first, double in_second)
{
    static const int row[] = { 0, 1 };
    const double value[] = { in_first, in_second };

    return lp_column(lp, &(struct lp_column){ .lo = lo, .up = up, .cost = cost, .name = name, .n = 2, .row = row,
                     .value = value }, &err);
}

/* A workshop: 3 x + 5 y most, x + 2 y <= 14, 3 x + 4 y <= 36. The best is x = 8, y = 3, 39 in all; an hour more of
 * the first kind is worth 1.5, of the second 0.5. */
static struct lp *workshop(void)
{
    struct lp *lp = open_lp(true);

    assert_int_equal(lp_row(lp, -INFINITY, 14, "first", &err), 0);
    assert_int_equal(lp_row(lp, -INFINITY, 36, "second", &err), 1);
    assert_int_equal(column(lp, 0, INFINITY, 3, "x", 1, 3), 0);
    assert_int_equal(column(lp, 0, INFINITY, 5, "y", 2, 4), 1);
    return lp;
}

static void optimum(void **state)
{
    struct lp *lp = workshop();
    double sum[2] = { 0 };
    enum lp_end end;

    (void)state;
    for (int m = 0; m < 2; m++) {
        assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
        assert_int_equal(end, LP_OPTIMAL);
        NEAR(lp_objective(lp), 39);
        NEAR(lp_value(lp, 0), 8);
        NEAR(lp_value(lp, 1), 3);
        NEAR(lp_price(lp, 0), 1.5);
        NEAR(lp_price(lp, 1), 0.5);
    }
    assert_int_equal(lp_add_column(sum, lp, 0, lp_value(lp, 0), &err), 0);
    assert_int_equal(lp_add_column(sum, lp, 1, lp_value(lp, 1), &err), 0);
    NEAR(sum[0], 14);
    NEAR(sum[1], 36);
    /* A third product for 4, an hour of each kind: 14 of it take all hours of the first kind. */
    assert_int_equal(column(lp, 0, INFINITY, 4, "z", 1, 1), 2);
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
    NEAR(lp_objective(lp), 56);
    NEAR(lp_value(lp, 2), 14);
    assert_int_equal(lp_rows(lp), 2);
    assert_int_equal(lp_columns(lp), 3);
    assert_int_equal(lp_entries(lp), 6);
    lp_close(lp);
}

static void begins_where_it_is_told(void **state)
{
    struct lp *lp = workshop();
    enum lp_end end;

    (void)state;
    assert_int_equal(lp_place_row(lp, 0, LP_AT_UPPER, &err), 0);
    assert_int_equal(lp_place_row(lp, 1, LP_AT_UPPER, &err), 0);
    assert_int_equal(lp_place_column(lp, 0, LP_BASIC, &err), 0);
    assert_int_equal(lp_place_column(lp, 1, LP_BASIC, &err), 0);
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
    NEAR(lp_objective(lp), 39);
    /* A basis of the wrong size is no obstacle. */
    assert_int_equal(lp_place_column(lp, 0, LP_AT_LOWER, &err), 0);
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
    NEAR(lp_objective(lp), 39);
    lp_close(lp);
}

/* More of the first kind than the second allows; and without bounds on either. */
static void no_optimum(void **state)
{
    for (int k = 0; k < 2; k++) {
        struct lp *lp = open_lp(true);
        enum lp_end end;

        (void)state;
        assert_int_equal(lp_row(lp, k ? -INFINITY : 30, INFINITY, "first", &err), 0);
        assert_int_equal(lp_row(lp, -INFINITY, k ? INFINITY : 36, "second", &err), 1);
        assert_int_equal(column(lp, 0, INFINITY, 3, "x", 1, 3), 0);
        assert_int_equal(column(lp, 0, INFINITY, 5, "y", 2, 4), 1);
        assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
        assert_int_equal(end, k ? LP_UNBOUNDED : LP_INFEASIBLE);
        lp_close(lp);
    }
}

/* In whole numbers, with 13 and 31 hours: against trying them all. */
static void whole_numbers(void **state)
{
    struct lp *lp = workshop();
    enum lp_end end;
    double best = 0;

    (void)state;
    assert_int_equal(lp_bound_row(lp, 0, -INFINITY, 13, &err), 0);
    assert_int_equal(lp_bound_row(lp, 1, -INFINITY, 31, &err), 0);
    assert_int_equal(lp_integer(lp, 0, &err), 0);
    assert_int_equal(lp_integer(lp, 1, &err), 0);
    assert_int_equal(lp_solve_integer(lp, &end, NULL, &err), 0);
    assert_int_equal(end, LP_OPTIMAL);
    for (int x = 0; x < 20; x++)
        for (int y = 0; y < 20; y++)
            if (x + 2 * y <= 13 && 3 * x + 4 * y <= 31)
                best = fmax(best, 3 * x + 5 * y);
    NEAR(lp_objective(lp), best);
    NEAR(lp_value(lp, 0) * 3 + lp_value(lp, 1) * 5, best);
    lp_close(lp);
}

static void refused(void **state)
{
    struct lp *lp = workshop();

    (void)state;
    assert_int_equal(column(lp, 0, 1, 1, NULL, NAN, 1), -1);
    assert_non_null(strstr(err.msg, "nan"));
    assert_int_equal(column(lp, 0, 1, INFINITY, NULL, 1, 1), -1);
    assert_int_equal(lp_row(lp, 2, 1, NULL, &err), -1);
    assert_int_equal(lp_row(lp, NAN, 1, NULL, &err), -1);
    lp_close(lp);
}

/* What GLPK itself will not have, it aborts for; here it is an error, and the next program is unharmed. */
static void misuse(void **state)
{
    static const int twice[] = { 1, 1 };
    static const double value[] = { 1, 2 };
    struct lp *lp = workshop();
    enum lp_end end;
    double sum;

    (void)state;
    assert_int_equal(lp_column(lp, &(struct lp_column){ .up = 1, .cost = 1, .n = 2, .row = twice,
                     .value = value }, &err), -1);
    assert_int_equal(err.code, ERR_INTERNAL);
    assert_null(strchr(err.msg, '\n'));
    print_message("%s\n", err.msg);
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), -1);
    assert_int_equal(lp_add_column(&sum, lp, 0, 1, &err), -1);
    lp_close(lp);
    lp = workshop();
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
    NEAR(lp_objective(lp), 39);
    lp_close(lp);
}

static int stop(void *arg, double done)
{
    (void)done;
    ++*(int *)arg;
    return 1;
}

static void stopped(void **state)
{
    struct lp *lp = workshop();
    int calls = 0;
    const struct tick tick = { stop, &calls, 0, 1, NULL };
    enum lp_end end;

    (void)state;
    assert_int_equal(lp_solve(lp, 0, &end, &tick, &err), -1);
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_equal(calls, 1);
    lp_close(lp);
    lp = workshop();
    lp_close(lp);
}

/* What is written, GLPK's own readers take for the same program. */
static void written(void **state)
{
    static const char *const suffix[] = { ".lp", ".mps" };
    struct lp *lp = workshop();
    char path[100];

    (void)state;
    for (int k = 0; k < 2; k++) {
        glp_prob *p = glp_create_prob();

        snprintf(path, sizeof path, "/tmp/metapath_test_lp.%ld%s", (long)getpid(), suffix[k]);
        assert_int_equal(lp_write(lp, path, &err), 0);
        glp_term_out(GLP_OFF);
        assert_int_equal(k ? glp_read_mps(p, GLP_MPS_FILE, NULL, path) : glp_read_lp(p, NULL, path), 0);
        assert_int_equal(glp_simplex(p, NULL), 0);
        NEAR(fabs(glp_get_obj_val(p)), 39);
        assert_int_equal(glp_get_obj_dir(p), k ? GLP_MIN : GLP_MAX);
        glp_term_out(GLP_ON);
        glp_delete_prob(p);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(lp_write(lp, "/tmp/metapath_test.txt", &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    assert_int_equal(lp_write(lp, "/nowhere/at/all.lp", &err), -1);
    assert_int_equal(err.code, ERR_IO);
    lp_close(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimum), cmocka_unit_test(begins_where_it_is_told), cmocka_unit_test(no_optimum),
            cmocka_unit_test(whole_numbers), cmocka_unit_test(refused),
        cmocka_unit_test(misuse), cmocka_unit_test(stopped), cmocka_unit_test(written),
    };

    return cmocka_run_group_tests_name("lp", tests, NULL, NULL);
}
