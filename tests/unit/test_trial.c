/* What chapter 6 of the thesis on Distributed Routing Balancing is held against (drb_trial.h): the hot spot by hand and
 * as table 6-6 has it; verdicts of statements, and what their reasons say, by a twin of the runs that they compare. */
#include <string.h>

#include "analysis/claim/drb_trial.h"
#include "graph/net.h"
#include "tests/support/check.h"

#define MESSAGES 1e4                    /* as in drb_trial.c: the same runs */
static struct err err;

/* ---- runs ---- */

static void measured(struct trial_point *p, const struct trial_group *g, int method, int setting, size_t n)
{
    const struct trial_run run = { g, (enum trial_method)method, trial_intervals, n, MESSAGES };

    if (trial_measure(p, &run, setting, NULL, &err) < 0)
        fail_msg("%s", err.msg);
}

/* Four channels of 10 flits share a link in equal turns, each a message in 40 cycles: at intervals of 10 they offer
 * four times what it bears, of 20 twice. The others as printed: 86.0 and 75.84. */
static void a_hot_spot_by_hand(void **state)
{
    static const struct trial_group hot = { "torus:8x8", "drb-hotspot", 0, 0, NULL };
    struct trial_point p[2];

    (void)state;
    measured(p, &hot, TRIAL_STATIC, 0, COUNT(p));
    EACH_ROW(i, p) {
        print_message("%g: %g %%, %g a cycle, %g +- %g, %g at most\n", trial_intervals[i], p[i].percent, p[i].rate,
                      p[i].mean, p[i].half, p[i].most);
        check_near(p[i].rate, 1. / 40, 0.01 / 40);
        check_near(p[i].percent, 100 * trial_intervals[i] / 40, trial_intervals[i] / 40);
        assert_true(p[i].drained == 0 && p[i].half <= 0.02 * p[i].mean);
    }
    check_near(p[0].most, 86, 0);
    check_near(p[0].mean, 75.84, 0.01 * 75.84);
}

/* Times and lengths are a group's: intervals twice as long, of messages twice as long, on the same link. */
static void groups_have_their_own(void **state)
{
    static const struct trial_group usual = { "torus:8x8", "drb-hotspot", 0, 0, NULL },
        late = { "torus:8x8", "drb-hotspot", 0, 2, NULL }, large = { "torus:8x8", "drb-hotspot", 20, 2, NULL };
    struct trial_point p[2], q, r;

    (void)state;
    measured(p, &usual, TRIAL_STATIC, 0, 2);
    measured(&q, &late, TRIAL_STATIC, 0, 1);
    measured(&r, &large, TRIAL_STATIC, 0, 1);
    assert_memory_equal(&p[1], &q, sizeof q);
    check_near(r.rate, 1. / 80, 0.01 / 80);
    check_near(r.percent, p[0].percent, 0.5);
    check_near(trial_differs(p, 2, TRIAL_STATIC, TRIAL_SETTINGS - 1), 0, 0);    /* nothing was drained */
    p[1].drained = 1;
    assert_true(trial_differs(p, 2, TRIAL_STATIC, TRIAL_SETTINGS - 1));
    for (int k = 1; k < TRIAL_SETTINGS - 1; k++)
        assert_false(trial_differs(p, 2, TRIAL_STATIC, k));
}

/* ---- statements ---- */

enum { GROUPS = 2, LOADS = 2 };
static const struct trial_group groups[GROUPS] = { { "torus:4x4", "transpose", 0, 0, NULL },
                                                   { "torus:4x4", "transpose", 20, 0, NULL } };
static struct trial_point at[GROUPS][TRIAL_METHODS][TRIAL_SETTINGS][LOADS];
static struct trial_claim claims[] = {
    { 3, "lower", TRIAL_MEAN, TRIAL_DRB, TRIAL_STATIC, 0, 0, 0, 1, 0, 0.98 },
    { 1, "higher", TRIAL_MEAN, TRIAL_DRB, TRIAL_STATIC, 0, 0, 0, 0, 1.01, INFINITY },
    { 1, "much lower", TRIAL_MEAN, TRIAL_DRB, TRIAL_STATIC, 0, 0, 0, 0, 0, NAN },       /* by the runs */
    { 1, "grows to the last point", TRIAL_RATE, TRIAL_STATIC, TRIAL_STATIC, 0, 1, 0, 0, 1.05, INFINITY },
    { 2, "more with the length", TRIAL_DEVIATION, TRIAL_DRB, TRIAL_DRB, -1, 0, 0, 1, 1.05, INFINITY },
    { 2, "gains more", TRIAL_GAIN, TRIAL_DRB, TRIAL_STATIC, -1, 0, 0, 1, 0, 1 },
    { 1, "less at the busiest link", TRIAL_WAIT, TRIAL_DRB, TRIAL_STATIC, 0, 0, 1, 1, 0, 0.95 },
    { 1, "more is accepted", TRIAL_PERCENT, TRIAL_DRB, TRIAL_STATIC, 0, 0, 0, 1, 1.01, INFINITY }
};
static struct claim_cell cell[COUNT(claims) + 2];
static char quantity[COUNT(cell)][160];
static size_t cells;

static int keep(void *arg, const struct claim_cell *c, struct err *e)
{
    (void)arg, (void)e;
    assert_true(cells < COUNT(cell));
    snprintf(quantity[cells], sizeof *quantity, "%s", c->quantity);
    cell[cells++] = *c;
    return 0;
}

static double value(const struct trial_point *p, enum trial_value of)
{
    return of == TRIAL_MEAN ? p->mean : of == TRIAL_DEVIATION ? p->deviation : of == TRIAL_PERCENT ? p->percent :
        of == TRIAL_RATE ? p->rate : p->wait;
}

static double twin(const struct trial_claim *c, int group, int setting, int load)
{
    const int g = group + c->offset, l = load + c->shift;

    if (c->value == TRIAL_GAIN)
        return at[group][c->method][setting][load].mean / at[group][c->than][setting][load].mean *
            at[g][c->than][setting][l].mean / at[g][c->method][setting][l].mean;
    return value(&at[group][c->method][setting][load], c->value) / value(&at[g][c->than][setting][l], c->value);
}

/* A setting stands in the reason where what it changes changes the runs, with the ratio that is nearest to failing, on
 * the side of those by which the statement holds or of those by which it does not. */
static void check_cell(const struct claim_cell *got, const struct trial_claim *c, int group)
{
    const char *not = strstr(got->why, "; not: "), *holds = strstr(got->why, "; holds: ");
    int held = 0, all = 0;

    for (int k = 0; k < TRIAL_SETTINGS; k++) {
        const int g = group + c->offset;
        const bool own = memcmp(at[group][c->method][k], at[group][c->method][0], sizeof at[0][0][0]) == 0,
            than = memcmp(at[g][c->than][k], at[g][c->than][0], sizeof at[0][0][0]) == 0,
            others = memcmp(at[group][c->than][k], at[group][c->than][0], sizeof at[0][0][0]) == 0 &&
                memcmp(at[g][c->method][k], at[g][c->method][0], sizeof at[0][0][0]) == 0,
            same = k > 0 && own && than && (c->value != TRIAL_GAIN || others);
        double worst = twin(c, group, k, c->first);
        char said[60], *where;
        bool good;

        for (int l = c->first + 1; l <= c->last; l++) {
            const double r = twin(c, group, k, l);

            worst = fmax(r / c->most, c->least / r) > fmax(worst / c->most, c->least / worst) ? r : worst;
        }
        good = worst >= c->least && worst <= c->most;
        snprintf(said, sizeof said, "%s %.2f", trial_setting_name(k), worst);
        where = strstr(got->why, said);
        if (same ? where != NULL : !where || (good ? !holds || (not && where > not) : !not || where < not))
            fail_msg("%s: '%s' in '%s'", got->where, said, got->why);
        all += !same;
        held += !same && good;
    }
    assert_int_equal(got->verdict, held == all ? CLAIM_HOLDS : held ? CLAIM_HOLDS_IF : CLAIM_FAILS);
    assert_string_equal(got->printed, c->printed);
    if (c->first == c->last)
        check_near(got->computed, twin(c, group, 0, c->first), 0);
}

static void statements_by_their_runs(void **state)
{
    static const char *const where[] = { "torus:4x4 transpose, intervals 10 to 20", "torus:4x4 transpose, 20 flits, intervals 10 to 20",
                                         "torus:4x4 transpose, interval 10" };
    const struct trial_table table = { groups, GROUPS, claims, COUNT(claims), 1 << TRIAL_STATIC | 1 << TRIAL_DRB,
                                       LOADS };
    const struct claim claim = { .name = "trial", .table = &table, .run = trial_state_all };
    const struct claim_sink sink = { .cell = keep };
    size_t n = 0;

    (void)state;
    for (int g = 0; g < GROUPS; g++)
        for (int method = TRIAL_STATIC; method <= TRIAL_DRB; method += TRIAL_DRB)
            for (int k = 0; k < TRIAL_SETTINGS; k++) {
                if (k == 0 || trial_differs(at[g][method][0], LOADS, (enum trial_method)method, k))
                    measured(at[g][method][k], &groups[g], method, k, LOADS);
                else
                    memcpy(at[g][method][k], at[g][method][0], sizeof at[0][0][0]);
            }
    claims[2].most = (twin(&claims[2], 0, 0, 0) + twin(&claims[2], 0, 1, 0)) / 2;
    cells = 0;
    if (claim_run(&claim, NULL, &sink, &err) < 0)
        fail_msg("%s", err.msg);
    EACH_ROW(k, claims)
        for (int g = 0; g < GROUPS; g++)
            if (claims[k].groups >> g & 1) {
                assert_true(n < cells);
                print_message("%s; %s: %s\n", cell[n].where, quantity[n], cell[n].why);
                check_cell(&cell[n++], &claims[k], g);
            }
    assert_int_equal(n, cells);
    EACH_ROW(k, where)
        assert_string_equal(cell[k].where, where[k]);
    assert_true(cell[0].verdict == CLAIM_HOLDS && cell[2].verdict == CLAIM_FAILS && cell[3].verdict == CLAIM_HOLDS_IF);
    assert_non_null(strstr(cell[3].why, "; not: threshold 20 "));
    assert_string_equal(quantity[0], "mean latency of DRB, in parts of dor");
    assert_string_equal(quantity[5], "deviation of latency of DRB, in parts of DRB on torus:4x4 transpose");
}

/* A sink that has enough ends the run. */
static int enough(void *arg, const struct claim_cell *c, struct err *e)
{
    (void)arg, (void)c;
    return err_set(e, ERR_STOPPED, "enough");
}

static void better_at_first_and_alike_then(void **state)
{
    static const struct { struct trial_start a, b; enum claim_verdict peak, first, then; } rows[] = {
        { { { 95, 50 }, { 1, 1 }, 90 }, { { 100, 50 }, { 1, 1 }, 100 }, CLAIM_HOLDS, CLAIM_HOLDS, CLAIM_HOLDS },
        { { { 95, 50 }, { 4, 1 }, 98 }, { { 100, 51 }, { 4, 1 }, 100 }, CLAIM_FAILS, CLAIM_FAILS, CLAIM_HOLDS },
        { { { 105, 50 }, { 1, 1 }, 110 }, { { 100, 52 }, { 1, 1 }, 100 }, CLAIM_FAILS, CLAIM_FAILS, CLAIM_FAILS },
        { { { 95, 50 }, { 3, 1 }, 90 }, { { 100, 48 }, { 3, 1 }, 100 }, CLAIM_HOLDS, CLAIM_HOLDS, CLAIM_FAILS }
    };
    const struct claim_sink sink = { .cell = keep }, short_sink = { .cell = enough };

    (void)state;
    EACH_ROW(i, rows) {
        cells = 0;
        assert_int_equal(trial_compare(&rows[i].a, &rows[i].b, "here", "lower", true, &sink, &err), 0);
        assert_int_equal(cells, 3);
        if (cell[0].verdict != rows[i].peak || cell[1].verdict != rows[i].first || cell[2].verdict != rows[i].then)
            fail_msg("row %zu: %s, %s, %s", i, cell[0].why, cell[1].why, cell[2].why);
        check_near(cell[1].computed, rows[i].a.mean[0] / rows[i].b.mean[0], 1e-12);
    }
    assert_true(trial_compare(&rows[0].a, &rows[0].b, "here", "lower", true, &short_sink, &err) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hot_spot_by_hand), cmocka_unit_test(groups_have_their_own),
        cmocka_unit_test(statements_by_their_runs), cmocka_unit_test(better_at_first_and_alike_then)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
