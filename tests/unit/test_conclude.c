/* The sentence under a table, on tables made by hand: a winner, a tie, several cases, saturation, refused rows. */
#include <string.h>

#include "cli/request/winners.h"
#include "tests/support/check.h"

static const struct column columns[] = {
    { "topology", NULL, NULL, -1, LOOSE }, { "routing", NULL, NULL, -1, LOOSE }, { "load", NULL, NULL, -1, LOOSE },
    { "latency", NULL, "cycles", 2, LOOSE }, { "saturation", NULL, NULL, 3, LOOSE }, { "link", NULL, NULL, -1, LOOSE },
    { "validity", NULL, NULL, -1, LOOSE }
};
static const struct conclusion rules = {
    .score = "latency", .noun = "mean latency", .contender = { "routing" }, .scope = { "topology", "load" },
    .but = "best",
    .saturation = "saturation", .where = "link", .family = "metapath:", .family_noun = "metapath"
};

struct row {
    const char *topology, *routing;
    double load, latency, saturation;
    const char *validity;
};

static const struct given {
    const char *name;
    struct row row[8];
    const char *says;                   /* NULL: nothing */
} given[] = {
    { "a winner", { { "t", "dor", 0.1, 10, 0.5, "valid" }, { "t", "ecmp", 0.1, 8, 0.8, "valid" } },
      "dor saturates first, at a load of 0.5, on link a-b. ecmp has the lowest mean latency: 8 cycles, 20 % less than "
      "dor." },
    { "nothing saturates", { { "t", "dor", 0.1, 10, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" } },
      "Nothing saturates. ecmp has the lowest mean latency: 8 cycles, 20 % less than dor." },
    { "a tie", { { "t", "dor", 0.1, 8, NAN, "valid" }, { "t", "ecmp", 0.1, 8.001, NAN, "valid" },
                 { "t", "valiant", 0.1, 16, NAN, "valid" } },
      "Nothing saturates. dor and ecmp have the lowest mean latency: 8 cycles, 50 % less than valiant." },
    { "all tie", { { "t", "dor", 0.1, 8, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" } },
      "Nothing saturates. dor and ecmp have the lowest mean latency: 8 cycles." },
    { "a metapath that does not pay", { { "t", "dor", 0.1, 10, NAN, "valid" },
                                        { "t", "metapath:sga:1", 0.1, 12, NAN, "valid" } },
      "Nothing saturates. dor has the lowest mean latency: 10 cycles, 16.7 % less than metapath:sga:1. Every metapath "
      "is "
      "worse than dor: the best of them, metapath:sga:1, has 12 cycles." },
    { "a metapath that pays", { { "t", "dor", 0.1, 10, 0.5, "valid" },
                                { "t", "metapath:sga:1", 0.1, 8, 0.6, "valid" } },
      "dor saturates first, at a load of 0.5, on link a-b. metapath:sga:1 has the lowest mean latency: 8 cycles, 20 % "
      "less "
      "than dor." },
    { "a refused row", { { "t", "dor", 0.1, 10, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" },
                         { "t", "romm", 0.1, NAN, NAN, "refused" } },
      "Nothing saturates. ecmp has the lowest mean latency: 8 cycles, 20 % less than dor. 1 row was refused." },
    { "two saturate alike", { { "t", "dor", 0.1, 10, 0.5, "valid" }, { "t", "ecmp", 0.1, 8, 0.50001, "valid" } },
      "dor and ecmp saturate alike, at a load of 0.5, on link a-b. ecmp has the lowest mean latency: 8 cycles, "
      "20 % less than dor." },
    { "two saturate before a third", { { "t", "dor", 0.1, 10, 0.5, "valid" }, { "t", "ecmp", 0.1, 8, 0.5, "valid" },
                                       { "t", "romm", 0.1, 16, 0.8, "valid" } },
      "dor and ecmp saturate first, at a load of 0.5, on link a-b. ecmp has the lowest mean latency: 8 cycles, "
      "20 % less than dor." },
    { "alike, but not on the same link", { { "t", "own", 0.1, 8, 1, "valid" },
                                           { "t", "ecmp", 0.1, 8, 1, "valid" } },
      "own and ecmp saturate alike, at a load of 1. own and ecmp have the lowest mean latency: 8 cycles." },
    { "one routing on two networks", { { "t", "dor", 0.1, 8, 0.5, "valid" }, { "u", "dor", 0.1, 9, 0.25, "valid" } },
      "Saturation comes first on u, at a load of 0.25, on link a-b." },
    { "alike on two networks", { { "t", "dor", 0.1, 8, 0.25, "valid" }, { "t", "ecmp", 0.1, 9, 0.5, "valid" },
                                 { "u", "dor", 0.1, 8, 0.25, "valid" }, { "u", "ecmp", 0.1, 9, 0.5, "valid" } },
      "dor saturates first, at a load of 0.25. dor has the lowest mean latency in both cases, by 11.1 %." },
    { "the link of a terminal", { { "t", "own", 0.1, 8, 1, "valid" } },
      "Saturation is at a load of 1, on the link out of a." },
    { "the refused one saturates", { { "t", "dor", 0.1, NAN, 0.05, "refused" }, { "t", "ecmp", 0.1, 8, 0.8, "valid" } },
      "dor saturates first, at a load of 0.05, on link a-b. 1 row was refused." },
    { "saturated without a number", { { "t", "drb", 0.1, 10, NAN, "saturated" }, { "t", "dor", 0.1, 8, NAN, "valid" } },
      "dor has the lowest mean latency: 8 cycles, 20 % less than drb." },
    { "two cases", { { "t", "dor", 0.1, 10, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" },
                     { "u", "dor", 0.1, 5, NAN, "valid" }, { "u", "ecmp", 0.1, 10, NAN, "valid" } },
      "Nothing saturates. ecmp has the lowest mean latency on t: 8 cycles, 20 % less than dor. dor has the lowest mean "
      "latency on u: 5 cycles, 50 % less than ecmp." },
    { "one wins all", { { "t", "dor", 0.1, 10, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" },
                        { "u", "dor", 0.1, 10, NAN, "valid" }, { "u", "ecmp", 0.1, 5, NAN, "valid" } },
      "Nothing saturates. ecmp has the lowest mean latency in both cases, by 20 to 50 %." },
    { "by as much in all three", { { "t", "dor", 0.1, 10, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" },
                                   { "t", "dor", 0.2, 20, NAN, "valid" }, { "t", "ecmp", 0.2, 16, NAN, "valid" },
                                   { "t", "dor", 0.3, 30, NAN, "valid" }, { "t", "ecmp", 0.3, 24, NAN, "valid" } },
      "Nothing saturates. ecmp has the lowest mean latency in all 3 cases, by 20 %." },
    { "four cases", { { "t", "dor", 0.1, 10, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" },
                      { "t", "dor", 0.2, 11, NAN, "valid" }, { "t", "ecmp", 0.2, 9, NAN, "valid" },
                      { "t", "dor", 0.3, 12, NAN, "valid" }, { "t", "ecmp", 0.3, 12, NAN, "valid" },
                      { "t", "dor", 0.4, 13, NAN, "valid" }, { "t", "ecmp", 0.4, 14, NAN, "valid" } },
      "Nothing saturates. Of 4 cases, the lowest mean latency is that of ecmp in 2, dor in 1, several alike in 1." },
    { "the best of all is no contender", { { "t", "best", 0.1, 8, NAN, "valid" }, { "t", "dor", 0.1, 9, NAN, "valid" },
                                           { "t", "ecmp", 0.1, 8, NAN, "valid" } },
      "Nothing saturates. ecmp has the lowest mean latency: 8 cycles, 11.1 % less than dor." },
    { "one alone", { { "t", "dor", 0.1, 8, 0.5, "valid" } }, "Saturation is at a load of 0.5, on link a-b." },
    { "none", { { "t", "dor", 0.1, NAN, NAN, "refused" } }, NULL },
};

/* The bottleneck: of the routing "own" a terminal's link into the network. */
static const char *link_of(const char *routing)
{
    return strcmp(routing, "own") == 0 ? "out of a" : "a-b";
}

static void conclude_given(const struct given *g, const struct conclusion *c)
{
    struct table t;

    table_init(&t, NULL, columns, COUNT(columns));
    table_note(&t, "noted before");
    for (size_t i = 0; i < COUNT(g->row) && g->row[i].topology; i++)
        table_add(&t, ROW(cell_text("topology", g->row[i].topology), cell_text("routing", g->row[i].routing),
                          cell_real("load", g->row[i].load), cell_real("latency", g->row[i].latency),
                          cell_real("saturation", g->row[i].saturation), cell_text("link", link_of(g->row[i].routing)),
                          cell_text("validity", g->row[i].validity)));
    assert_int_equal(t.why.code, ERR_NONE);
    conclude(&t, c);
    assert_int_equal(t.nnote, g->says ? 2 : 1);
    assert_string_equal(t.note[t.nnote - 1], "noted before");
    if (g->says)
        assert_string_equal(t.note[0], g->says);
    table_release(&t);
}

static void says_what_the_rows_say(void **state)
{
    conclude_given(*state, &rules);
}

static void says_their_of_several(void **state)
{
    static const struct given worst = {
        "their worst traffic", { { "t", "dor", 0.1, 8, NAN, "valid" }, { "t", "ecmp", 0.1, 8, NAN, "valid" } },
        "Nothing saturates. dor and ecmp have the lowest latency under their worst traffic: 8 cycles."
    };
    struct conclusion c = rules;

    (void)state;
    c.noun = "latency under its worst traffic";
    conclude_given(&worst, &c);
}

/* Intervals that overlap tell nothing apart, and what is not valid is no contender. */
static void says_what_is_sure(void **state)
{
    static const struct given sure[] = {
        { "apart", { { "t", "dor", 0.1, 10, 0.4, "" }, { "t", "ecmp", 0.1, 9, 0.5, "" } },
          "ecmp has the lowest mean latency: 9 cycles, 10 % less than dor." },
        { "overlapping", { { "t", "dor", 0.1, 10, 0.6, "" }, { "t", "ecmp", 0.1, 9, 0.5, "" },
                           { "t", "romm", 0.1, 12, NAN, "" } },
          "dor and ecmp have the lowest mean latency: 9 cycles, 25 % less than romm." },
        { "not valid", { { "t", "dor", 0.1, 10, 0, "yes" }, { "t", "ecmp", 0.1, 9, 0, "no" },
                         { "t", "romm", 0.1, 20, 0, "yes" } },
          "dor has the lowest mean latency: 10 cycles, 50 % less than romm." }
    };
    struct conclusion c = rules;

    (void)state;
    c.saturation = c.where = NULL;
    c.half = "saturation";              /* columns as good as any */
    c.valid = "validity";
    EACH_ROW(i, sure)
        conclude_given(&sure[i], &c);
}

/* On t two tie, and best repeats one of them: it goes. On u best has another number: it stays, and a word that is asked
 * for keeps it as well. Where nothing is compared nothing is marked. */
static void marks_who_wins(void **state)
{
    static const struct row rows[] = {
        { "t", "dor", 0.1, 8, 1, "valid" }, { "t", "ecmp", 0.1, 8.001, 2, "valid" },
        { "t", "romm", 0.1, 9, 1, "valid" }, { "t", "best", 0.1, 8, 1, "dor" }, { "u", "dor", 0.1, 8, 1, "valid" },
        { "u", "ecmp", 0.1, NAN, 1, "valid" }, { "u", "best", 0.1, 8, 3, "valid" }, { "v", "dor", 0.1, 7, 1, "valid" }
    };
    static const struct { int column; size_t kept; const char *marked; } cases[] = {
        { -1, 7, "**-*---" }, { 1, 7, "**-*---" }, { 6, 8, "**--*---" }
    };
    char *column[] = { NULL };

    (void)state;
    EACH_ROW(i, cases) {
        struct table t;

        table_init(&t, NULL, columns, COUNT(columns));
        EACH_ROW(k, rows)
            table_add_some(&t, ROW(cell_text("topology", rows[k].topology), cell_text("routing", rows[k].routing),
                                   cell_real("load", rows[k].load), cell_real("latency", rows[k].latency),
                                   cell_real("saturation", rows[k].saturation),
                                   cell_text("validity", rows[k].validity)));
        column[0] = cases[i].column < 0 ? NULL : (char *)(uintptr_t)columns[cases[i].column].name;
        assert_int_equal(winners_mark(&t, &rules, &(struct seen){ column, cases[i].column >= 0, false }),
                         cases[i].column < 0);
        assert_int_equal(table_rows(&t), cases[i].kept);
        for (size_t r = 0; r < cases[i].kept; r++)
            assert_int_equal(table_at(&t, r, 3)->marked, cases[i].marked[r] == '*');
        table_release(&t);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(given) + 3] = { [COUNT(given)] = cmocka_unit_test(says_their_of_several),
                                                  cmocka_unit_test(says_what_is_sure),
                                                  cmocka_unit_test(marks_who_wins) };

    EACH_ROW(i, given)
        tests[i] = (struct CMUnitTest){ given[i].name, says_what_the_rows_say, NULL, NULL,
                                        (void *)(uintptr_t)&given[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
