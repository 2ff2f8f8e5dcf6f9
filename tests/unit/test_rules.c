/* Rules of libraries: drawn tables of times, joined, written, read back and asked at every cell; how few the rules of a
 * row are, by trying all ways to cut it; where bounds lie; files that are refused, with place and reason. */
#include <string.h>
#include <unistd.h>

#include "analysis/rules/join.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

enum { DRAWN = 200, MOST = 8, SETTINGS = 60 };
#define FILE_NAME "rules.test"
static struct err err;
static struct rng rng;

struct drawn {
    enum operation operation;
    int nprocesses, nbytes, processes[MOST];
    int64_t bytes[MOST];
    size_t nsetting, ncell;
    struct setting setting[SETTINGS];
    struct join_cell cell[MOST * MOST];
    double time[MOST * MOST][SETTINGS], loss;
};

static void *must(void *p)
{
    if (!p)
        fail_msg("%s", err.msg);
    return p;
}

/* A few settings of an operation that the format has, with times that are level now and then, and one that it lacks. */
static void draw(struct drawn *d, const struct rules *r)
{
    static const struct collective lacking = { .name = "lacking", .segments = true };
    static const int64_t segment[] = { 0, 4096, 65536 };

    *d = (struct drawn){ .loss = rng_below(&rng, 2) ? 0 : 0.2 * check_uniform(&rng) };
    do
        d->operation = (enum operation)rng_below(&rng, OPERATIONS);
    while (!r->format->operation[d->operation]);
    d->setting[d->nsetting++] = (struct setting){ &lacking, 0, 4 };
    for (size_t i = 0; i < r->nname; i++)
        for (int k = 0; k < 3; k++) {
            const struct rules_name *n = &r->name[i];
            const struct setting s = { n->algorithm, segment[k], 4 };

            if (n->operation == d->operation && s.algorithm && rules_name(r, d->operation, &s) == n &&
                (k == 0 || (n->segments && s.algorithm->segments)))
                d->setting[d->nsetting++] = s;
        }
    d->nprocesses = 1 + (int)rng_below(&rng, MOST);
    d->nbytes = d->operation == BARRIER ? 1 : 1 + (int)rng_below(&rng, MOST);
    for (int i = 0; i < MOST; i++) {
        d->processes[i] = (i ? d->processes[i - 1] : 1) + 1 + (int)rng_below(&rng, 9);
        d->bytes[i] = d->operation == BARRIER ? 0 : i ? d->bytes[i - 1] * (2 + (int64_t)rng_below(&rng, 15)) : 1;
    }
    for (int p = 0; p < d->nprocesses; p++)
        for (int b = 0; b < d->nbytes; b++) {
            struct join_cell *c = &d->cell[d->ncell];

            *c = (struct join_cell){ d->processes[p], d->bytes[b], d->time[d->ncell], 0 };
            for (size_t k = 0; k < d->nsetting; k++) {
                d->time[d->ncell][k] = k > 1 && rng_below(&rng, 4) == 0 ? (double)NAN : 1 + 0.1 * (double)rng_below(&rng, 8);
                c->best = d->time[d->ncell][k] < d->time[d->ncell][c->best] ? k : c->best;
            }
            d->ncell++;
        }
}

static double least(const struct drawn *d, size_t cell)
{
    double t = INFINITY;

    for (size_t k = 1; k < d->nsetting; k++)
        t = fmin(t, d->time[cell][k]);
    return t;
}

/* Whether a rule is what some setting within the loss is there. */
static void serves(const struct rules *r, const struct rules_rule *u, const struct drawn *d, size_t cell)
{
    for (size_t k = 1; u && k < d->nsetting; k++)
        if (rules_name(r, d->operation, &d->setting[k]) && u->name &&
            u->name->algorithm == d->setting[k].algorithm &&
            (!u->name->segments || !u->name->algorithm->segments || u->segment == d->setting[k].segment) &&
            d->time[cell][k] <= (1 + d->loss) * least(d, cell) * (1 + 1e-8))
            return;
    fail_msg("%s: %s of %lld bytes, %d processes: %s", r->format->name, operation_name[d->operation],
             (long long)d->cell[cell].bytes, d->cell[cell].processes, u ? "another algorithm" : "no rule");
}

/* The fewest rules of the cells from `at` to `end` of a row, by every way to cut it. */
static int fewest(const struct drawn *d, size_t at, size_t end)
{
    int best = (int)(end - at);

    if (at == end)
        return 0;
    for (size_t to = at + 1; to <= end; to++)
        for (size_t k = 1; k < d->nsetting; k++) {
            bool all = true;

            for (size_t i = at; i < to; i++)
                all = all && d->time[i][k] <= (1 + d->loss) * least(d, i) * (1 + 1e-8);
            if (all && 1 + fewest(d, to, end) < best)
                best = 1 + fewest(d, to, end);
        }
    return best;
}

static void write_rules(struct rules *r)
{
    FILE *f = must(fopen(FILE_NAME, "w"));

    r->title = "drawn\nat random";
    if (r->format->write(f, r, &err) < 0)
        fail_msg("%s", err.msg);
    fclose(f);
}

static void drawn_tables_come_back(void **state)
{
    const struct rules_format *format = *state;

    rng_seed(&rng, check_seed());
    for (int i = 0; i < DRAWN; i++) {
        struct rules r = { 0 }, back = { 0 };
        struct join_loss lost = { 0 };
        struct drawn d;
        double worst = 0;

        assert_int_equal(rules_begin(&r, format, &err), 0);
        draw(&d, &r);
        if (rules_join(&r, &lost, d.operation, d.cell, d.ncell, d.setting, d.nsetting, d.loss, &err) < 0)
            fail_msg("%s", err.msg);
        write_rules(&r);
        if (rules_read(&back, FILE_NAME, &err) < 0)
            fail_msg("%s", err.msg);
        for (size_t c = 0; c < d.ncell; c++) {
            serves(&r, rules_choose(&r, d.operation, d.cell[c].processes, d.cell[c].bytes), &d, c);
            serves(&back, rules_choose(&back, d.operation, d.cell[c].processes, d.cell[c].bytes), &d, c);
            worst = fmax(worst, least(&d, c) / d.time[c][d.cell[c].best] - 1);
        }
        check_near(lost.lack_most, worst, 1e-9);
        assert_true(lost.join_most <= d.loss + 1e-8 && lost.join <= lost.join_most && lost.n == d.ncell);
        if (d.nprocesses == 1)
            assert_int_equal(r.n, fewest(&d, 0, d.ncell));
        rules_release(&r);
        rules_release(&back);
    }
    unlink(FILE_NAME);
}

/* Two settings that change at 1024 bytes of 4 processes and 8: bounds half-way, the second count's from 6 on. */
static void bounds_lie_half_way(void **state)
{
    const struct setting setting[] = { { must((void *)collective_find("pairwise", &err)), 0, 2 },
                                       { must((void *)collective_find("bruck", &err)), 0, 2 } };
    static const double few[] = { 2, 1 }, many[] = { 1, 2 };
    static const struct join_cell cell[] = { { 4, 64, few, 1 }, { 4, 1024, many, 0 }, { 8, 64, few, 1 },
                                             { 8, 256, few, 1 }, { 8, 1024, many, 0 } };
    const struct { int processes; int64_t bytes; int setting; } want[] = {
        { 2, 1, 1 }, { 4, 255, 1 }, { 4, 256, 0 }, { 5, 205, 0 }, { 5, 204, 1 }, { 6, 682, 1 }, { 6, 683, 0 },
        { 8, 511, 1 }, { 8, 512, 0 }, { 100, 1, 1 }, { 100, 1 << 20, 0 } };
    struct rules r = { 0 };
    struct join_loss lost = { 0 };

    (void)state;
    assert_int_equal(rules_begin(&r, rules_find("ompi", &err), &err), 0);
    assert_int_equal(rules_join(&r, &lost, ALLTOALL, cell, COUNT(cell), setting, 2, 0, &err), 0);
    EACH_ROW(i, want) {
        const struct rules_rule *u = rules_choose(&r, ALLTOALL, want[i].processes, want[i].bytes);

        assert_true(u && u->name->algorithm == setting[want[i].setting].algorithm);
    }
    assert_int_equal(r.n, 4);
    rules_release(&r);
}

/* A file as the library's own documentation has them: what each size takes. */
static const struct {
    const char *from, *text;
    enum operation operation;
    int processes;
    int64_t bytes;
    const char *called;                 /* NULL: left to the library */
    int64_t segment;
} chosen[] = {
#define BCAST "2 # collectives\n7\n2\n4\n2\n0 6 0 0\n4096 3 0 1024 # chain\n8 1\n0 0 0 0\n 4 1 2 1 0 1 0 0"
    { "", BCAST, BROADCAST, 2, 4095, "6", 0 }, { "", BCAST, BROADCAST, 7, 4096, "3", 1024 },
    { "", BCAST, BROADCAST, 8, 1, NULL, 0 }, { "", BCAST, ALLREDUCE, 8, 1, NULL, 0 },
    { "ompi:", "rule-file-version-2\n1 0 1 1 2\n0 2 0 0 5\n64 4 0 0 0\n", ALLGATHER, 4, 16, "4", 0 },
    { "", "1 0 1 1 2\n0 2 0 0\n64 4 0 0\n", ALLGATHER, 3, 21, "2", 0 },
};

static void files_are_read(void **state)
{
    (void)state;
    EACH_ROW(i, chosen) {
        struct rules r = { 0 };
        const struct rules_rule *u;
        char path[80];

        child_write(FILE_NAME, chosen[i].text);
        snprintf(path, sizeof path, "%s" FILE_NAME, chosen[i].from);
        if (rules_read(&r, path, &err) < 0)
            fail_msg("%s", err.msg);
        u = rules_choose(&r, chosen[i].operation, chosen[i].processes, chosen[i].bytes);
        if (chosen[i].called) {
            assert_true(u && u->name);
            assert_string_equal(u->name->called, chosen[i].called);
            assert_int_equal(u->segment, chosen[i].segment);
        } else {
            assert_true(!u || !u->name);
        }
        rules_release(&r);
    }
    unlink(FILE_NAME);
}

static const struct {
    const char *from, *text, *message;
} refused[] = {
    { "", "", "is no file of rules" },
    { "", "<system/>", "is no file of rules" },
    { "", "1 7 1 2 2\n0 6 0 0\n0 1 0 0", ":3: size 0 comes after 0; sizes ascend" },
    { "", "1 7 1 2 2\n0 6 0 0\n4096 1 0 0\n64 1 0 0", ":4: '64 1 0 0' stands behind the last of 1 collectives" },
    { "", "1 7 1 2 3\n0 6 0 0\n4096 1 0 0\n64 1 0 0", ":4: size 64 comes after 4096" },
    { "", "1 7 1 2 1\n8 6 0 0", ":2: the first size is 8; it must be 0" },
    { "", "1 7 2\n4 1 0 6 0 0\n2 1 0 6 0 0", ":3: count 2 comes after 4" },
    { "", "1 7 1 2 1\n0 17 0 0", ":2: no version of Open MPI has a broadcast algorithm 17" },
    { "", "1 7 1 2 1\n0 6 0", ":2: a segment is expected, not 'the file's end'" },
    { "", "1 7 1 2 1\n0 six 0 0", ":2: an algorithm is expected, not 'six'" },
    { "", "1 7 1 2 1\n0 6 0 -5", ":2: a segment is -5; it is 0 at least" },
    { "", "rule-file-version-3 1 7 1 2 1\n0 6 0 0", "of version 3 are not known" },
};

static void bad_files_are_refused(void **state)
{
    (void)state;
    EACH_ROW(i, refused) {
        struct rules r = { 0 };
        char path[80];

        child_write(FILE_NAME, refused[i].text);
        snprintf(path, sizeof path, "%s" FILE_NAME, refused[i].from);
        assert_int_equal(rules_read(&r, path, &err), -1);
        if (!strstr(err.msg, refused[i].message))
            fail_msg("row %zu: %s", i, err.msg);
        rules_release(&r);
    }
    unlink(FILE_NAME);
}

int main(void)
{
    enum { OWN = 3 };
    struct CMUnitTest tests[OWN + 20] = { cmocka_unit_test(bounds_lie_half_way), cmocka_unit_test(files_are_read),
                                          cmocka_unit_test(bad_files_are_refused) };
    size_t n = OWN;

    for (const struct rules_format *const *f = rules_all; *f; f++)
        tests[n++] = (struct CMUnitTest){ (*f)->name, drawn_tables_come_back, NULL, NULL, (void *)(uintptr_t)*f };
    return _cmocka_run_group_tests("rules", tests, n, NULL, NULL);
}
