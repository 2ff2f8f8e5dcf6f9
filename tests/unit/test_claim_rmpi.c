/* Published numbers: how a verdict is reached, and which cells of the broadcast tables come out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/claim/claim.h"
#include "analysis/claim/verdicts.h"
#include "graph/net.h"
#include "tests/support/check.h"

#define HOPS "examples/published/broadcast_hops.csv"

static struct err err;

static const struct verdict_row {
    const char *name, *printed;
    double computed;
    enum claim_verdict want;
} verdicts[] = {
    { "rounded down", "16.8", 16.8387, CLAIM_REPRODUCED },
    { "rounded up", "16.9", 16.8587, CLAIM_REPRODUCED },
    { "a half may go up", "0.13", 0.125, CLAIM_REPRODUCED },
    { "a half may go down", "0.12", 0.125, CLAIM_REPRODUCED },
    { "cut off", "1.48", 1.4852, CLAIM_TRUNCATED },
    { "cut off, negative", "-1.4", -1.48, CLAIM_TRUNCATED },
    { "too far below", "1.48", 1.4749, CLAIM_UNEXPLAINED },
    { "too far above", "1.48", 1.4901, CLAIM_UNEXPLAINED },
    { "zeros printed count as digits", "4.00", 4.006, CLAIM_TRUNCATED },
    { "an integer", "4", 4, CLAIM_REPRODUCED },
    { "an integer missed", "4", 5, CLAIM_UNEXPLAINED },
    { "not a number is no agreement", "4", 0.0 / 0.0, CLAIM_UNEXPLAINED },
};

static void verdict_holds(void **state)
{
    const struct verdict_row *row = *state;
    struct claim_cell cell;

    assert_int_equal(claim_cell_init(&cell, "hops", row->printed, row->computed, &err), 0);
    assert_int_equal(cell.verdict, row->want);
    assert_string_equal(cell.printed, row->printed);
    assert_null(cell.reason);
}

static void an_explanation_must_predict(void **state)
{
    struct claim_cell cell;

    (void)state;
    assert_int_equal(claim_cell_init(&cell, "hops", "7.5", 9, &err), 0);
    claim_explain(&cell, 7.6, "wrong");
    assert_int_equal(cell.verdict, CLAIM_UNEXPLAINED);
    claim_explain(&cell, 7.49, "right");
    assert_int_equal(cell.verdict, CLAIM_EXPLAINED);
    claim_explain(&cell, 7.5, "late");
    assert_string_equal(cell.reason, "right");
    assert_int_equal(claim_cell_init(&cell, "hops", "7.5", 7.5, &err), 0);
    claim_explain(&cell, 7.5, "not needed");
    assert_int_equal(cell.verdict, CLAIM_REPRODUCED);
    assert_int_equal(claim_cell_init(&cell, "hops", "high", 7.5, &err), -1);
    assert_int_equal(err.code, ERR_FORMAT);
    assert_int_equal(claim_cell_init(&cell, "hops", "1e3", 1000, &err), -1);
    assert_int_equal(claim_digits("0.250"), 3);
    assert_int_equal(claim_digits("12"), 0);
    assert_null(claim_find("rmpi:9", &err));
    assert_int_equal(err.code, ERR_USAGE);
}

/* Made-up claims: "lower by ours", of which 20 is without a condition and 15 with one, and so on. */
static const struct lower_row {
    const char *name;
    double ours[2], rival, weaker;
    enum claim_verdict want;
    int which;
    double ratio;
} lowers[] = {
    { "lower in any case", { 20, 15 }, 25, 30, CLAIM_HOLDS, 0, 0.8 },
    { "lower under the condition alone", { 20, 15 }, 18.75, 30, CLAIM_HOLDS_IF, 1, 0.8 },
    { "lower than the weaker rival alone", { 20, 15 }, 10, 25, CLAIM_OTHER, 0, 0.8 },
    { "the same, and under the condition alone", { INFINITY, 15 }, 10, 20, CLAIM_OTHER, 1, 0.75 },
    { "lower than neither", { 20, 15 }, 10, 15, CLAIM_FAILS, 0, 2 },
    { "no value of ours", { INFINITY, INFINITY }, 10, 15, CLAIM_FAILS, 0, NAN },
    { "equal to what is computed", { 20 - 1e-6, 20 }, 20, 20, CLAIM_FAILS, 0, 1 }
};

static void lower_than_a_rival(void **state)
{
    const struct lower_row *row = *state;
    double ratio;
    int which;

    assert_int_equal(claim_lower(&which, &ratio, row->ours, 2, row->rival, row->weaker), row->want);
    assert_int_equal(which, row->which);
    assert_true(isnan(row->ratio) ? isnan(ratio) : fabs(ratio - row->ratio) < 1e-6);
}

static void conditions_and_factors(void **state)
{
    (void)state;
    assert_int_equal(claim_if(true, true), CLAIM_HOLDS);
    assert_int_equal(claim_if(false, true), CLAIM_HOLDS_IF);
    assert_int_equal(claim_if(false, false), CLAIM_FAILS);
    assert_int_equal(claim_ratio(5.5, 4, 8, 1), CLAIM_HOLDS);           /* "about 6" */
    assert_int_equal(claim_ratio(16, 4, 8, 1), CLAIM_ORDER);
    assert_int_equal(claim_ratio(0.9, 4, 8, 1), CLAIM_FAILS);
    assert_int_equal(claim_ratio(0.4, 0.4, 0.6, -1), CLAIM_HOLDS);      /* "about half" */
    assert_int_equal(claim_ratio(0.9, 0.4, 0.6, -1), CLAIM_ORDER);
    assert_int_equal(claim_ratio(1.1, 0.4, 0.6, -1), CLAIM_FAILS);
    assert_int_equal(claim_ratio(NAN, 0.4, 0.6, -1), CLAIM_FAILS);
}

/* A verdict that is conditioned names its condition, first of all; one that is not does not. */
static int named(void *arg, const struct claim_cell *c, struct err *e)
{
    static const char *const begins[] = { "if ", "with ", "within ", "against ", "at ", "by ", "largest ", "for the " };
    bool condition = strstr(c->why, "; holds: ") != NULL;

    (void)e;
    EACH_ROW(i, begins)
        condition |= strncmp(c->why, begins[i], strlen(begins[i])) == 0;
    if ((c->verdict == CLAIM_HOLDS_IF || c->verdict == CLAIM_OTHER) && !condition)
        fail_msg("%s, %s: no condition in '%s'", (const char *)arg, c->where, c->why);
    return 0;
}

static void conditions_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; claim_all[i]; i++) {
        const struct claim *claim = claim_all[i];
        const struct claim_sink sink = { .cell = named, .arg = (void *)(uintptr_t)claim->name };
        struct csv csv = { 0 };
        char path[100];

        if (claim->simulated)
            continue;
        snprintf(path, sizeof path, "examples/published/%s", claim->file ? claim->file : "");
        if ((claim->file && csv_read(&csv, path, &err) < 0) || claim_run(claim, claim->file ? &csv : NULL, &sink, &err) < 0)
            fail_msg("%s: %s", claim->name, err.msg);
        csv_release(&csv);
    }
}

/* Verdicts of a claim's cells, for one network or for all. */
struct tally {
    const char *network;
    int verdict[CLAIM_VERDICTS];
};

static int count(void *arg, const struct claim_cell *cell, struct err *e)
{
    struct tally *t = arg;
    size_t len = t->network ? strlen(t->network) : 0;

    (void)e;
    if (t->network && (strncmp(cell->where, t->network, len) != 0 || cell->where[len] != ' '))
        return 0;
    t->verdict[cell->verdict]++;
    assert_int_equal(cell->reason != NULL, cell->verdict == CLAIM_EXPLAINED || cell->verdict == CLAIM_SHIFTED);
    return 0;
}

static const struct table_row {
    const char *name, *id, *network;
    int verdict[CLAIM_VERDICTS];    /* reproduced, truncated, explained, shifted, ... */
} tables[] = {
    { "table 1: fully connected, 81 of 90", "rmpi:1", "fully_connected", { 81, 0, 9, 0 } },
    { "table 2: star, 90 of 90", "rmpi:2", "star", { 90, 0, 0, 0 } },
    { "table 3a: mesh, 30 of 90", "rmpi:3", "mesh", { 30, 0, 42, 18 } },
    { "table 3b: mesh with wraparound, 68 of 90", "rmpi:3", "mesh_wrap", { 68, 0, 22 } },
    { "table 4: ring, 70 of 90", "rmpi:4", "ring", { 70, 0, 20 } },
    { "numbers in the text, 3 of 3", "rmpi:text", NULL, { 3, 0, 0, 0 } },
};

static void table_holds(void **state)
{
    const struct table_row *row = *state;
    const struct claim *claim = claim_find(row->id, &err);
    struct tally tally = { .network = row->network };
    struct claim_sink sink = { .cell = count, .arg = &tally };
    struct csv csv = { 0 };

    assert_non_null(claim);
    assert_int_equal(csv_read(&csv, HOPS, &err), 0);
    if (claim_run(claim, claim->file ? &csv : NULL, &sink, &err) < 0)
        fail_msg("%s", err.msg);
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        assert_int_equal(tally.verdict[v], row->verdict[v]);
    csv_release(&csv);
}

/* An explanation may not survive data it does not predict. */
static void other_data_gets_other_verdicts(void **state)
{
    static const char *const bad[] = {
        "network,N,pattern,degree,hops\nring,8,seqential,first,28\n",
        "network,N,pattern,degree,hops\nring,17,chain,first,16\n",
        "network,N,pattern,degree,hops\nring,8,chain,second,7\n",
        "network,N,pattern,degree,hops\nring,8,chain,first,many\n",
        "network,N,pattern,degree\nring,8,chain,first\n" };
    const char *text = "network,N,pattern,degree,hops\nring,14,sequential,first,91\nring,15,sequential,first,105\n"
                       "ring,16,sequential,first,118\nring,16,binary,first,71\nring,16,rmbcast,first,14\n";
    const struct claim *claim = claim_find("rmpi:4", &err);
    struct tally tally = { .network = "ring N=16" };
    struct claim_sink sink = { .cell = count, .arg = &tally };
    struct csv csv = { 0 };

    (void)state;
    assert_int_equal(csv_parse(&csv, text, strlen(text), "made", &err), 0);
    assert_int_equal(claim_run(claim, &csv, &sink, &err), 0);
    assert_int_equal(tally.verdict[CLAIM_REPRODUCED], 1);       /* binary */
    assert_int_equal(tally.verdict[CLAIM_UNEXPLAINED], 2);      /* 118 is not 105 + 14, nor 14 the least printed */
    csv_release(&csv);
    EACH_ROW(i, bad) {
        assert_int_equal(csv_parse(&csv, bad[i], strlen(bad[i]), "made", &err), 0);
        assert_int_equal(claim_run(claim, &csv, &sink, &err), -1);
        assert_true(err.msg[0] != '\0');
        csv_release(&csv);
    }
}

/* ---- documented verdicts ---- */

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void verdicts_are_held_cell_by_cell(void **state)
{
    static const char *const bad[][2] = {
        { "claim,cell,quantity,verdict\n", "no column 'published'" },
        { "claim,cell,quantity,published,verdict\nrmpi:9,a,hops,1,explained\n", ":2: no published table is called" },
        { "claim,cell,quantity,published,verdict\nrmpi:4,a,hops,1,guessed\n", ":2: there is no verdict 'guessed'" },
    };
    struct claim_cell cell = { .where = "ring N=8 binary first", .quantity = "hops", .printed = "16",
                               .verdict = CLAIM_EXPLAINED };
    char path[] = "/tmp/metapath-verdicts-XXXXXX", how[160];
    struct verdicts v;
    size_t at = 0;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    EACH_ROW(i, bad) {
        put(path, bad[i][0]);
        assert_int_equal(verdicts_read(&v, path, &err), -1);
        if (!strstr(err.msg, bad[i][1]))
            fail_msg("%s", err.msg);
    }
    put(path, "claim,cell,quantity,published,verdict\nrmpi:4,all,cells reproduced,70,holds\n"
        "rmpi:4,ring N=8 binary first,hops,16,explained\nrmpi:4,ring N=8 binary optimal,hops,16,explained\n");
    assert_int_equal(verdicts_read(&v, path, &err), 0);
    unlink(path);
    assert_true(verdicts_hold(&v, "rmpi:4", &cell, how));
    assert_false(verdicts_hold(&v, "rmpi:3", &cell, how));          /* another table's cell */
    assert_string_equal(how, "explained, documented as reproduced");
    cell.verdict = CLAIM_REPRODUCED;
    assert_false(verdicts_hold(&v, "rmpi:4", &cell, how));
    assert_string_equal(how, "reproduced, documented as explained");
    strcpy(cell.printed, "18");
    assert_false(verdicts_hold(&v, "rmpi:4", &cell, how));
    assert_string_equal(how, "is 18, documented as 16");
    strcpy(cell.where, "ring N=8 chain first");
    assert_true(verdicts_hold(&v, "rmpi:4", &cell, how));
    verdicts_total(&cell, 70);
    assert_true(verdicts_hold(&v, "rmpi:4", &cell, how));
    assert_false(verdicts_hold(&v, "rmpi:3", &cell, how));          /* which has no row at all */
    assert_int_equal(verdicts_unmet(&v, "rmpi:4", &at), 2);
    assert_int_equal(verdicts_unmet(&v, "rmpi:4", &at), -1);
    verdicts_release(&v);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(verdicts) + COUNT(tables) + COUNT(lowers) + 5] = {
        { .name = "an explanation must predict", .test_func = an_explanation_must_predict },
        { .name = "other data gets other verdicts", .test_func = other_data_gets_other_verdicts },
        { .name = "verdicts are held cell by cell", .test_func = verdicts_are_held_cell_by_cell },
        { .name = "conditions and factors", .test_func = conditions_and_factors },
        { .name = "conditions are named", .test_func = conditions_are_named },
    };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;
    int failed;

    net_setup();
    EACH_ROW(i, verdicts)
        tests[n++] = (struct CMUnitTest){ .name = verdicts[i].name, .test_func = verdict_holds,
                                          .initial_state = (void *)(uintptr_t)&verdicts[i] };
    EACH_ROW(i, lowers)
        tests[n++] = (struct CMUnitTest){ .name = lowers[i].name, .test_func = lower_than_a_rival,
                                          .initial_state = (void *)(uintptr_t)&lowers[i] };
    EACH_ROW(i, tables)
        tests[n++] = (struct CMUnitTest){ .name = tables[i].name, .test_func = table_holds,
                                          .initial_state = (void *)(uintptr_t)&tables[i] };
    failed = _cmocka_run_group_tests("published broadcast tables", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
