/* Forecasts worked by hand: what each forecaster says and is off by, step by step, and which of them is taken. */
#include <math.h>

#include "graph/numeric/forecast.h"
#include "tests/support/check.h"

static const struct row {
    double value[8];
    int n;
    double next;
} rows[] = {
    { { 7 }, 1, 7 },
    { { 10, 20, 30, 40 }, 4, 40 },              /* last 30; mean and median 10 + 15 + 20; windows stay at 1: 30 */
    { { 10, 10, 10, 90, 90, 90 }, 6, 90 },      /* last 80; mean 80 + 60 + 48; median 80 + 80 + 80; windows of 1: 80 */
    /* last 2 + 1 + 19 + 18 + 1; mean 2 + 0 + 19 + 3.75 + 4; median 2 + 0 + 19 + 0.5 + 1 = 22.5, the least; the mean of a
     * window 2 + 1 + 18.5 (of 2) + 8.5 (of 2) + 6.67 (of 3); its median 2 + 1 + 18.5 + 8.5 + 1. Of all six: 11.5 */
    { { 10, 12, 11, 30, 12, 11 }, 6, 11.5 },
    /* last 10; mean 2 + 1 + 4/3 + 1 + 6/5 = 6.53, the least; median 8; the mean of a window 2 + 2 + 1 + 1 + 1 */
    { { 1, 3, 1, 3, 1, 3 }, 6, 2 },
    /* last 14; mean 6.53 + 1 + 10/7 = 8.96, the least; median 8 + 1 + 2; the mean of a window 7 + 1 + 1 */
    { { 1, 3, 1, 3, 1, 3, 1, 3 }, 8, 2 },
    /* up and down around a level that shifts: last 20; mean 2 + 1 + 4/3 + 9 + 5.2 + 6.33 + 3.43; median 2 + 1 + 2 + 9 + 6 +
     * 8 + 6; mean and median of a window 2 + 2 + 1 (of 2) + 9 (of 2) + 2 (of 1) + 2 (of 1) + 1 (of 2) = 19: of two, 10 */
    { { 1, 3, 1, 3, 11, 9, 11, 9 }, 8, 10 },
    /* a spike every third: last 9 + 9 + 0 + 9 + 9; mean 9 + 4.5 + 3 + 6.75 + 3.6; median 9 + 4.5 + 0 + 9 + 0, the least;
     * median of a window 9 + 9 + 4.5 (of 2) + 9 (of 1, for its 0) + 9 */
    { { 1, 10, 1, 1, 10, 1 }, 6, 1 },
};

static void forecast_by_hand(void **state)
{
    (void)state;
    EACH_ROW(i, rows)
        if (fabs(forecast_next(rows[i].value, rows[i].n) - rows[i].next) > 1e-12)
            fail_msg("row %zu: %g, should be %g", i, forecast_next(rows[i].value, rows[i].n), rows[i].next);
}

static void middles_by_hand(void **state)
{
    static const double value[] = { 50, 4, 1, 7, 2 };

    (void)state;
    check_near(forecast_middle(value, 5, 4, false), 3.5, 1e-15);
    check_near(forecast_middle(value, 5, 4, true), 3, 1e-15);
    check_near(forecast_middle(value, 5, 3, true), 2, 1e-15);
    check_near(forecast_middle(value, 5, 9, false), 12.8, 1e-15);
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(forecast_by_hand), cmocka_unit_test(middles_by_hand) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
