#include "tests/support/check.h"

#include <math.h>

#include "cli/request/scores.h"

static void the_least_and_all_that_tie_are_named(void **state)
{
    static const struct {
        struct score score[4];
        double tie;
        size_t best;
        const char *names;
    } rows[] = {
        { { { "a", 3, 0 }, { "b", 2, 0 }, { "c", 2, 0 }, { "d", NAN, 0 } }, 0, 1, "b+c" },
        { { { "a", 2.5, 0.2 }, { "b", 2, 0.3 }, { "c", 2.7, 0.3 }, { "d", 9, 1 } }, 0, 1, "a+b" },      /* intervals */
        { { { "a", 2.002, 0 }, { "b", 2.0005, 0 }, { "c", 2, 0 }, { "d", 2.0011, 0 } }, 5e-4, 2, "b+c" },
        { { { "a", 2.41, 0 }, { "b", 2, 0.3 }, { "c", 2.42, 0 }, { "d", 9, 1 } }, 0.05, 1, "a+b" },     /* to 1.05 x 2.3 */
        { { { "a", NAN, 0 }, { "b", INFINITY, 0 }, { "c", NAN, 0 }, { "d", NAN, 0 } }, 0, 4, "" },
        { { { "a", 0.1 + 0.2, 0 }, { "b", 0.3, 0 }, { "c", 1, 0 }, { "d", 1, 0 } }, 1e-9, 0, "a+b" }    /* rounding */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char names[BEST_NAMES];

        assert_int_equal(best_of(names, rows[i].score, 4, rows[i].tie), rows[i].best);
        assert_string_equal(names, rows[i].names);
        assert_int_equal(best_of(NULL, rows[i].score, 4, rows[i].tie), rows[i].best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_least_and_all_that_tie_are_named) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
