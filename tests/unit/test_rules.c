/* Rules of libraries: drawn tables of times, joined, written, read back and asked at every cell; how few the rules of a
 * row are, by trying all ways to cut it; where bounds lie; files that are refused, with place and reason; bases. */
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
                (k == 0 || (n->segments && s.algorithm->segments) || (n->segment == segment[k] && s.algorithm->segments)))
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

            *c = (struct join_cell){ d->processes[p], d->bytes[b], d->time[d->ncell], 0, false };
            for (size_t k = 0; k < d->nsetting; k++) {
                const bool serves = k == 0 || rules_takes(rules_name(r, d->operation, &d->setting[k]), c->processes);

                d->time[d->ncell][k] = !serves || (k > 1 && rng_below(&rng, 4) == 0) ? (double)NAN :
                    1 + 0.1 * (double)rng_below(&rng, 8);
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
    r->onto = "tests/mpi/mpich.json";
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
    static const struct join_cell cell[] = {
        { 4, 64, few, 1, false }, { 4, 1024, many, 0, false }, { 8, 64, few, 1, false },
        { 8, 256, few, 1, false }, { 8, 1024, many, 0, false } };
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
#define V3(rules) "{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {" rules "}}"
#define V3_BOTH V3("\"bcast\": [{\"comm_size_min\": 64, \"comm_size_max\": 128, \"comm_rank_distribution\": \"any\",\n" \
    "\"rules\": [{\"msg_size_min\": 0, \"msg_size_max\": 1024, \"alg\": 6, \"faninout\": 4, \"reqs\": 1},\n" \
    "{\"msg_size_min\": 1025, \"msg_size_max\": \"inf\", \"seg_size\": 512, \"alg\": \"chain\"}]}], \"scan\": []")
    { "ompi-json:", V3_BOTH, BROADCAST, 64, 1024, "6", 0 }, { "", V3_BOTH, BROADCAST, 128, 1025, "chain", 512 },
    { "", V3_BOTH, BROADCAST, 129, 1, NULL, 0 }, { "", V3_BOTH, BROADCAST, 63, 1, NULL, 0 },
    { "", V3("\"bcast\": [{\"comm_rank_distribution\": \"single-node\", \"rules\": [{\"alg\": 1}]}, {\"rules\": [{\"alg\": 2}]}]"),
      BROADCAST, 4, 1, "2", 0 },
#define CSEL "{\"collective=allgather\": {\"comm_type=inter\": {\"algorithm=MPIR_Allgather_inter_local_gather_remote_bcast\": {}},\n" \
    "\"comm_type=intra\": {\"comm_size=pow2\": {\"total_msg_size<512\": {\"algorithm=MPIR_Allgather_intra_recursive_doubling\": {}}," \
    "\"total_msg_size=any\": {\"algorithm=MPIR_Allgather_intra_ring\": {}}},\n" \
    "\"comm_size=any\": {\"algorithm=MPIR_Allgather_intra_brucks\": {}}}},\n" \
    "\"collective=bcast\": {\"comm_type=intra\": {\"composition=MPIDI_Bcast_intra_composition_alpha\": {}}}, \"collective=scan\": " \
    "{\"algorithm=MPIR_Scan_intra_smp\": {}}}"
    { "mpich:", CSEL, ALLGATHER, 8, 63, "MPIR_Allgather_intra_recursive_doubling", 0 },
    { "", CSEL, ALLGATHER, 8, 64, "MPIR_Allgather_intra_ring", 0 },
    { "", CSEL, ALLGATHER, 6, 1, "MPIR_Allgather_intra_brucks", 0 }, { "", CSEL, BROADCAST, 6, 1, NULL, 0 },
    /* contrib/ucc.conf of UCC has such lines. */
#define UCC "# Skylake\nUCC_CL_BASIC_TLS=^sharp,nccl\n[vendor=intel model=skylake team_size=40 ppn=40 nnodes=1]\n" \
    "UCC_TL_UCP_TUNE=allreduce:0-2k:@0#allreduce:2k-inf:@1\n[team_size=8]\nUCC_TL_UCP_TUNE=allreduce:0-4k:host:inf:@ring#" \
    "allgather:0-64:cuda:@ring#allgather:64-inf:[8-15]:@bruck#alltoallv:@0\n"
    { "ucc:", UCC, ALLREDUCE, 40, 2047, "0", 0 }, { "", UCC, ALLREDUCE, 40, 2048, "1", 0 },
    { "", UCC, ALLREDUCE, 41, 1, NULL, 0 }, { "", UCC, ALLREDUCE, 8, 4095, "ring", 0 },
    { "", UCC, ALLREDUCE, 8, 4096, NULL, 0 }, { "", UCC, ALLGATHER, 8, 7, NULL, 0 },
    { "", UCC, ALLGATHER, 15, 5, "bruck", 0 },
#define NCCL "# coll,min,max,algo,proto,channels,nNodes,nRanks\nallreduce,65537,1048576,ring,simple,4,4,32,1,0\n" \
    "allreduce,0,65536,tree,ll128,-1,-1,-1\nallreduce,0,4294967295,ring,simple,-1,-1,-1\n"
    { "nccl:", NCCL, ALLREDUCE, 32, 65537, "ring", 0 }, { "", NCCL, ALLREDUCE, 31, 65536, "tree", 65536 },
    { "", NCCL, ALLREDUCE, 31, (int64_t)1 << 40, "ring", 0 },
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
    { "mpich:", BCAST, "is a file of ompi, not of mpich" }, { "ompi:", V3_BOTH, "is a file of ompi-json, not of ompi" },
    { "ompi-json:", CSEL, "is a file of mpich, not of ompi-json" }, { "nccl:", UCC, "is a file of ucc, not of nccl" },
    { "ucc:", NCCL, "is a file of nccl, not of ucc" },
    /* JSON is strict: no comma behind the last, no comment, no key twice. */
    { "", V3("\"bcast\": [{\"rules\": [{\"alg\": 1}],\n}]"), ":2: string or '}' expected near '}'" },
    { "", V3("\"bcast\": [{\"rules\": [{\"alg\": 1},]}]"), ":1: unexpected token near ']'" },
    { "", V3("\"bcast\": [], // none\n"), ":1: string or '}' expected" },
    { "", V3("\"bcast\": [],\n\"bcast\": []"), ":2: duplicate object key" },
    { "", V3("\"bcast\": [{\"rules\": [\n{\"alg\": 17}]}]"), ":2: ompi-json has no broadcast that it calls '17'" },
    { "", V3("\"bcast\": [{\"rules\": [{\"alg\": \"binomial\"},\n{\"alg\": \"mesh\"}]}]"), ":2: ompi-json has no broadcast that it calls 'mesh'" },
    { "", V3("\"bcast\": [{\"rules\": [{\"msg_size_min\": 9, \"msg_size_max\": 8, \"alg\": 1}]}]"), ":1: sizes from 9 to 8 descend" },
    { "", V3("\"bcast\": [{\"rules\": [{\"msg_size_min\": -1, \"alg\": 1}]}]"), ":1: msg_size_min is a whole number" },
    { "", V3("\"bcast\": [{\"comm_size\": 4}]"), ":1: Open MPI's rules have no 'comm_size' here" },
    { "", V3("\"bcast\": [{\"rules\": [{\"msg_size_min\": 1}]}]"), "names no alg" },
    { "", "{\"rule_file_version\": 2, \"collectives\": {}}", "\"rule_file_version\" is to be 3" },
    { "", "{\"collective=bcast\":\n{\"algorithm=MPI_Bcast\": {}}}", ":2: MPICH has no algorithm 'MPI_Bcast'" },
    { "", "{\"collective=bcast\":\n{\"weather=any\": {}}}", ":2: 'weather=any' is no condition of MPICH" },
    { "", "{\"collective=bcast\":\n{\"comm_size<=x\": {}}}", ":2: comm_size<=x is 'x'" },
    { "", "{\"collective=bcast\": 3}", ":1: behind 'collective=bcast' an object is expected" },
    { "", "UCC_TL_UCP_TUNE=bcast:0-4k:@0#\\\nbcast:4k-inf:@sag", ":2: UCC_NAME=VALUE or [section] is expected" },
    { "", "\nUCC_TL_UCP_TUNE=bcast:4k-inf:@sag", ":2: ucc has no broadcast that it calls 'sag'" },
    { "", "UCC_TL_UCP_TUNE=bcast:4k-1k:@0", ":1: sizes from 4096 to 1023 descend" },
    { "", "UCC_TL_UCP_TUNE=bcast:4k-x:@0", ":1: a range's end is 'X'" },
    { "", "[team_size=8-4]", ":1: teams from 8 to 4 descend" },
    { "", "coll,min,max,algo,proto,channels,nNodes,nRanks\n", ":1: 'coll' is no collective of NCCL" },
    { "", "allreduce,0,1,ring,simple,-1,-1\n", ":1: there are 7 fields" },
    { "", "allreduce,2,1,ring,simple,-1,-1,-1\n", ":1: sizes from 2 to 1 descend" },
    { "", "#\nallreduce,0,1,Ring-2,simple,-1,-1,-1\n", ":2: nccl has no allreduce that it calls 'Ring-2'" },
    { "", "allreduce,0,1,ring,fast,-1,-1,-1\n", ":1: 'fast' is no protocol of NCCL" },
    { "", "allreduce,0,1,ring,ll,-1,-1,x\n", ":1: nRanks is 'x'" },
};

/* Bases without what is to be replaced: MPICH aborts at an operation without an algorithm. */
static const struct {
    const char *base, *message;
} bases[] = {
    { "{\"collective=bcast\": {\"comm_type=intra\": {\"algorithm=x\": {}}}}", "no branch comm_type=intra of collective=barrier" },
    { "{\"comm_type=inter\": {\"collective=barrier\": {\"algorithm=x\": {}}}}", "no branch comm_type=intra of collective=barrier" },
    { "{\"collective=barrier\":\n{\"comm_type=intra\": {},}}", FILE_NAME ":2: string or '}' expected" },
    { "[]", FILE_NAME ":1: the file is no object" },
    { "{\"comm_type=intra\": {\"collective=barrier\": {}, \"collective=ibarrier\": {\"a\": {}}}}", NULL },
};

static void bases_are_judged(void **state)
{
    (void)state;
    EACH_ROW(i, bases) {
        const struct setting dissemination = { must((void *)collective_find("dissemination", &err)), 0, 2 };
        struct rules r = { 0 };
        struct rules_rule u = rule_of(BARRIER, 0);
        char *text = NULL;
        size_t size = 0;
        FILE *f = must(open_memstream(&text, &size));

        child_write(FILE_NAME, bases[i].base);
        assert_int_equal(rules_begin(&r, rules_find("mpich", &err), &err), 0);
        u.name = rules_name(&r, BARRIER, &dissemination);
        r.onto = FILE_NAME;
        assert_int_equal(rules_add(&r, &u, &err), 0);
        assert_int_equal(r.format->write(f, &r, &err), bases[i].message ? -1 : 0);
        fclose(f);
        if (bases[i].message && !strstr(err.msg, bases[i].message))
            fail_msg("row %zu: %s", i, err.msg);
        if (!bases[i].message)          /* what is beside stays */
            assert_true(strstr(text, "MPIR_Barrier_intra_dissemination") && strstr(text, "\"a\""));
        free(text);
        rules_release(&r);
    }
    unlink(FILE_NAME);
}

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
    enum { OWN = 4 };
    struct CMUnitTest tests[OWN + 20] = { cmocka_unit_test(bounds_lie_half_way), cmocka_unit_test(files_are_read),
                                          cmocka_unit_test(bad_files_are_refused),
                                          cmocka_unit_test(bases_are_judged) };
    size_t n = OWN;

    for (const struct rules_format *const *f = rules_all; *f; f++)
        tests[n++] = (struct CMUnitTest){ (*f)->name, drawn_tables_come_back, NULL, NULL, (void *)(uintptr_t)*f };
    return _cmocka_run_group_tests("rules", tests, n, NULL, NULL);
}
