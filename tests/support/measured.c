#include "tests/support/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/collective/execute.h"
#include "model/collective/blocks.h"
#include "model/collective/trees.h"

/* ---- SMPI's own orders, where they are not ours ---- */

/* Open MPI's binomial scatter: the smallest subtree is served first. */
static int rising_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t up = schedule_rank(s, p) > 0;

    a->program = &trees_down;
    return trees_down.action(a, s, p, i < up ? i : trees_down.length(s, p) - 1 - (i - up), err);
}

static int64_t rising_length(const struct schedule *s, int p)
{
    return trees_down.length(s, p);
}

/* reduce-rab.cpp, steps 6: a process that differs from the root in a bit sends in the step of that bit, also where it has
 * sent before, so that twice as much is sent as a tree needs. */
static int64_t rab_length(const struct schedule *s, int p)
{
    (void)p;
    return __builtin_ctz((unsigned)s->n);
}

static int rab_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int bit = s->n >> (i + 1);

    a->what = p & bit ? ACTION_SEND : ACTION_RECEIVE;
    a->peer = p ^ bit;
    return action_run(a, 0, (int64_t)1 << i, 0, err);
}

static int rab_open(struct schedule *s, struct err *err)
{
    return blocks_core(s, 0, true, err) < 0 ? -1 : 0;
}

static const struct program rising = { .open = trees_open, .length = rising_length, .action = rising_action },
    at_once = { .open = trees_open, .parts = trees_to_root, .posted = true },
    rab_gather = { .length = rab_length, .action = rab_action },
    rab = { .open = rab_open, .parts = (const struct program *const[]){ &blocks_halving, &rab_gather, NULL } };
static const struct collective others[] = {
    { .name = "binomial", .serves = { [SCATTER] = &rising } },
    { .name = "rabenseifner", .serves = { [REDUCE] = &rab } }
};

/* ---- runs ---- */

struct scene {
    struct net *net;
    struct placement where;
    struct cost cost[MEASURED_SENDS];
    double combine;
};

static void scene_close(struct scene *s)
{
    for (int k = 0; k < MEASURED_SENDS; k++)
        cost_close(&s->cost[k]);
    placement_release(&s->where);
    net_close(s->net);
    *s = (struct scene){ 0 };
}

static int scene_open(struct scene *s, const char *spec, const char *const *model, const struct cost_network *like,
                      struct err *err)
{
    struct cost_network w = *like;

    *s = (struct scene){ 0 };
    if (net_open(&s->net, spec, err) < 0 || placement_init(&s->where, s->net, NULL, 0, 1, 1, err) < 0)
        return -1;
    w.net = s->net;
    w.placement = &s->where;
    for (int k = 0; k < MEASURED_SENDS && model[k]; k++)
        if (cost_open(&s->cost[k], model[k], s->where.n, &w, err) < 0)
            return -1;
    return 0;
}

static int scene_run(double *us, struct scene *s, int sends, const struct collective *a, enum operation o, int64_t bytes,
                     struct err *err)
{
    struct schedule schedule;
    struct execution x;
    int ret;

    if (!a || schedule_open(&schedule, &(struct schedule){ .algorithm = a, .operation = o, .n = s->where.n,
                                                           .bytes = bytes }, err) < 0)
        return -1;
    ret = execute(&x, &schedule, &s->cost[sends], s->combine, NULL, err);
    schedule_close(&schedule);
    *us = 1e6 * x.time;
    return ret;
}

/* ---- the tables ---- */

static enum operation operation_of(const char *name)
{
    int o = 0;

    while (strcmp(operation_name[o], name) != 0)
        o++;
    return (enum operation)o;
}

static int rows_read(struct measured *m, const char *path, const char *const *column, struct err *err)
{
    int at[7];

    *m = (struct measured){ 0 };
    if (csv_read(&m->csv, path, err) < 0)
        return -1;
    for (int k = 0; k < 7; k++) {
        at[k] = csv_column(&m->csv, column[k]);
        if (at[k] < 0)
            return err_set(err, ERR_FORMAT, "%s has no column %s", path, column[k]);
    }
    m->row = calloc(m->csv.nrow + 1, sizeof *m->row);
    if (!m->row)
        return err_memory(err);
    for (size_t r = 0; r < m->csv.nrow; r++)
        if (*csv_at(&m->csv, r, at[5]))
            m->row[m->n++] = (struct measured_row){
                .where = csv_at(&m->csv, r, at[0]), .operation = csv_at(&m->csv, r, at[1]),
                .algorithm = csv_at(&m->csv, r, at[2]), .other = csv_at(&m->csv, r, at[3]),
                .bytes = strtoll(csv_at(&m->csv, r, at[4]), NULL, 10),
                .measured = { strtod(csv_at(&m->csv, r, at[5]), NULL), strtod(csv_at(&m->csv, r, at[6]), NULL) }
            };
    return 0;
}

void measured_close(struct measured *m)
{
    csv_release(&m->csv);
    free(m->row);
    *m = (struct measured){ 0 };
}

double measured_limit(const struct measured_row *r)
{
    return r->bytes < 4096 ? 0.15 : 0.05;
}

static bool row_meets(const struct measured_row *r, int sends)
{
    return fabs(r->model[sends] / r->measured[sends] - 1) <= measured_limit(r);
}

/* By SMPI's order. Its `redbcast` receives from all at once, and then broadcasts. */
static int row_other(struct measured_row *r, struct scene *s, int sends, struct err *err)
{
    const enum operation o = operation_of(r->operation);
    struct collective reduce = { .name = "sequential", .serves = { [REDUCE] = &at_once } };
    double more;

    r->left[sends] = true;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].name, r->algorithm) == 0 && others[k].serves[o]) {
            struct collective a = others[k];

            a.tree = tree_find("binomial", err);
            return scene_run(&r->model[sends], s, sends, &a, o, r->bytes, err);
        }
    reduce.tree = tree_find("sequential", err);
    if (o != ALLREDUCE || scene_run(&r->model[sends], s, sends, &reduce, REDUCE, r->bytes, err) < 0 ||
        scene_run(&more, s, sends, collective_find("binomial", err), BROADCAST, r->bytes, err) < 0)
        return -1;
    r->model[sends] += more;
    return 0;
}

/* Ours of that order: an allreduce by `binomial` is a reduce and a broadcast, and an allgather by SMPI's `ring`
 * (allgather-ring.cpp) sends each process's own block over k places in step k, and nothing that it got. */
static const char *row_name(const struct measured_row *r)
{
    return strcmp(r->operation, "allreduce") == 0 && strcmp(r->algorithm, "binomial") == 0 ? "reduce-broadcast" :
        strcmp(r->operation, "allgather") == 0 && strcmp(r->other, "ring") == 0 ? "circular" : r->algorithm;
}

int measured_smpi(struct measured *m, struct err *err)
{
    static const char *const column[] = { "platform", "operation", "algorithm", "smpi_algorithm", "bytes",
                                          "smpi_detached_us", "smpi_blocking_us" };
    static const char *const model[] = { "links", "links,sends=blocking" };
    static const struct cost_network w = { .rate = 12.5e9, .cable = 1e-7 },
        torus = { .rate = 12.5e9, .cable = 1e-7, .routing = "table:tests/fidelity/simgrid-torus44.csv" };
    struct scene s[2] = { { 0 } };
    int ret = rows_read(m, "tests/fidelity/smpi.csv", column, err) < 0 ||
        scene_open(&s[0], "file:tests/fidelity/switch16.csv,terminals=leaves", model, &w, err) < 0 ||
        scene_open(&s[1], "torus:4x4", model, &torus, err) < 0 ? -1 : 0;

    for (size_t i = 0; ret == 0 && i < m->n; i++)
        for (int k = 0; ret == 0 && k < MEASURED_SENDS; k++) {
            struct measured_row *r = &m->row[i];
            struct scene *at = &s[strcmp(r->where, "star16") != 0];

            ret = scene_run(&r->model[k], at, k, collective_find(row_name(r), err), operation_of(r->operation), r->bytes,
                            err);
            if (ret == 0 && !row_meets(r, k))
                ret = row_other(r, at, k, err);
        }
    scene_close(&s[0]);
    scene_close(&s[1]);
    return ret;
}

int measured_machine(struct measured *m, const struct measured_set *set, const char *where, struct err *err)
{
    static const char *const column[] = { "torus", "operation", "algorithm", "library_name", "buffer_bytes",
                                          "median_us", "processes" };
    const struct cost_network w = { .rate = set->rate / 8 * 1e9, .cable = 1e-7, .overhead = set->overhead * 1e-6 };
    char cost[100];
    const char *const model[] = { cost, NULL };
    struct scene s[2] = { { 0 } };
    size_t n = 0;
    int ret;

    snprintf(cost, sizeof cost, "links,receives=at-once,injection=%gGb/s,pack=%gus", set->rate * set->injection, set->pack);
    ret = rows_read(m, "tests/fidelity/fugaku.csv", column, err) < 0 ||
        scene_open(&s[0], "torus:2x2x2", model, &w, err) < 0 ||
        scene_open(&s[1], "torus:4x4x4", model, &w, err) < 0 ? -1 : 0;

    s[0].combine = s[1].combine = 1 / (set->combine * w.rate);
    for (size_t i = 0; where && i < m->n; i++)
        if (strcmp(m->row[i].where, where) == 0)
            m->row[n++] = m->row[i];
    m->n = where ? n : m->n;
    for (size_t i = 0; ret == 0 && i < m->n; i++) {
        struct measured_row *r = &m->row[i];
        struct scene *at = &s[strcmp(r->where, "2x2x2") != 0];
        const enum operation o = operation_of(r->operation);
        const bool blocks = o == GATHER || o == SCATTER || o == ALLGATHER || o == ALLTOALL;

        ret = scene_run(&r->model[0], at, 0, collective_find(r->algorithm, err), o,
                        blocks ? r->bytes / at->where.n : r->bytes, err);
    }
    scene_close(&s[0]);
    scene_close(&s[1]);
    return ret;
}

/* ---- choices ---- */

static int rising_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool same_case(const struct measured_row *a, const struct measured_row *b)
{
    return a->bytes == b->bytes && strcmp(a->where, b->where) == 0 && strcmp(a->operation, b->operation) == 0;
}

struct measured_choice measured_choices(const struct measured *m, int sends, const char *where)
{
    double *ratio = calloc(m->n + 1, sizeof *ratio);
    struct measured_choice c = { 0 };
    size_t n = 0;

    for (size_t i = 0; ratio && i < m->n; i++) {
        const struct measured_row *best = &m->row[i], *chosen = best;
        size_t rows = 0, first = i;

        if (where && strcmp(m->row[i].where, where) != 0)
            continue;
        ratio[n++] = m->row[i].model[sends] / m->row[i].measured[sends];
        for (size_t k = 0; k < m->n; k++) {
            const struct measured_row *r = &m->row[k];

            if (!same_case(r, &m->row[i]))
                continue;
            first = rows++ ? first : k;
            best = r->measured[sends] < best->measured[sends] ? r : best;
            chosen = r->model[sends] < chosen->model[sends] ? r : chosen;
        }
        if (first < i || rows < 2)
            continue;
        c.cases++;
        c.good += chosen->measured[sends] <= 1.1 * best->measured[sends];
        c.loss += chosen->measured[sends] / best->measured[sends] - 1;
    }
    if (n)
        qsort(ratio, n, sizeof *ratio, rising_order);
    c.ratio = n ? (ratio[(n - 1) / 2] + ratio[n / 2]) / 2 : NAN;
    c.loss /= fmax((double)c.cases, 1);
    free(ratio);
    return c;
}
