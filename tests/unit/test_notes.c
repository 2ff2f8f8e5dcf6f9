/* Notes that say the same are put together; each rule on notes made by hand. */
#include <string.h>

#include "cli/request/notes.h"
#include "tests/support/check.h"

static const struct column columns[] = { { "a", NULL, NULL, 0, LOOSE } };

static const struct given {
    const char *name, *note[12], *says[4];
} given[] = {
    { "two subjects", { "A: slow", "B: fast", "C: slow" }, { "A and C: slow", "B: fast" } },
    { "three", { "A: slow", "B: slow", "C: slow" }, { "A, B and C: slow" } },
    { "subjects with commas", { "t, dor: slow", "u: slow", "t, ecmp: slow" }, { "t, dor; u; t, ecmp: slow" } },
    { "the same again", { "A: slow", "A: slow", "B: slow", "B: slow" }, { "A and B: slow" } },
    { "sentences", { "All is well.", "A: well", "All is well." }, { "All is well.", "A: well" } },
    { "a colon without a blank is part of a name", { "sga:1: slow", "sga:2: slow" }, { "sga:1 and sga:2: slow" } },
    { "other texts", { "A: 1.5 times", "B: 1.6 times" }, { "A: 1.5 times", "B: 1.6 times" } },
    { "many", { "A: x", "B: x", "C: x", "D: x", "E: x", "F: x", "G: x", "H: x", "I: x", "J: x", "K: x" },
      { "A, B, C, D, E, F, G, H and 3 more: x" } },
    { "none", { NULL }, { NULL } }
};

static void notes_are_joined(void **state)
{
    (void)state;
    EACH_ROW(i, given) {
        struct table t;
        size_t n = 0;

        table_init(&t, NULL, columns, 1);
        for (size_t k = 0; given[i].note[k]; k++)
            table_note(&t, "%s", given[i].note[k]);
        notes_join(&t);
        for (; given[i].says[n]; n++)
            if (n >= t.nnote || strcmp(t.note[n], given[i].says[n]) != 0)
                fail_msg("%s: '%s' for '%s'", given[i].name, n < t.nnote ? t.note[n] : "", given[i].says[n]);
        assert_int_equal(t.nnote, n);
        table_release(&t);
    }
}

static void a_reason_names_its_network_once(void **state)
{
    static const struct {
        const char *spec, *reason, *says;
    } refused[] = {
        { "ring:1", "'ring:1': too small", "ring:1: too small." },
        { "x.csv", "cannot read x.csv", "cannot read x.csv." },
        { "ring:4", "no path", "ring:4: no path." }
    };

    (void)state;
    EACH_ROW(i, refused) {
        struct table t;

        table_init(&t, NULL, columns, 1);
        assert_false(notes_tell(&t, refused[i].reason));
        notes_refused(&t, refused[i].spec, refused[i].reason);
        assert_string_equal(t.note[0], refused[i].says);
        assert_true(notes_tell(&t, refused[i].reason));
        table_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(notes_are_joined),
                                        cmocka_unit_test(a_reason_names_its_network_once) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
