/* 1. points   rows of the logs, executed on their networks under the cost
 * 2. factors  of operations and algorithms, on the rows of --on
 * 3. rows     errors, order and choice by operation */
#include "cli/fit/fit.h"
#include "analysis/collective/execute.h"
#include "analysis/collective/fitted.h"
#include "model/collective/collective.h"
#include "model/process/tree.h"

#define NEAR 1.1                        /* a choice that is so much slower is as good as right */

struct point {
    const struct collective *algorithm;
    int operation;
    size_t net;
    double bytes, measured, model;
    bool on;                            /* a row that factors come from */
};
struct points {
    struct point *at;
    size_t n;
};

const struct column fit_collective_columns[FIT_COLLECTIVE_COLUMNS] = {
    PLAIN("operation"), PLAIN("rows"), { "median_error_percent", "Median error", "%", 1, LOOSE },
    { "greatest_error_percent", "Greatest", "%", 0, LOOSE }, { "tau", "Kendall's tau", NULL, 2, LOOSE },
    { "choices", NULL, NULL, 0, LOOSE }, { "right_percent", "Right", "%", 0, LOOSE },
    { "near_percent", "Within 10 %", "%", 0, LOOSE }
};

/* ---- points ------------------------------------------------------------------------------------------ */

static int point_run(struct point *p, struct cost *cost, const struct cost_network *w, const struct tick *t,
                     struct err *err)
{
    const double wire = p->bytes / w->rate;
    const struct tree_scene scene = { .net = w->net, .where = w->placement, .hop = w->cable, .size = wire,
                                      .start = 2 * w->overhead, .gap = fmax(w->overhead, wire), .cut = true,
                                      .tick = t };
    struct schedule s;
    struct execution x;
    int ret;

    if (schedule_open(&s, &(struct schedule){ .algorithm = p->algorithm, .operation = (enum operation)p->operation,
            .n = cost->n, .bytes = (int64_t)p->bytes, .radix = 4, .scene = &scene }, err) < 0)
        return -1;
    ret = execute(&x, &s, cost, 0, t, err);
    schedule_close(&s);
    p->model = x.time;
    return ret;
}

static bool named_on(const char *spec, const char *on)
{
    const char *colon = strchr(spec, ':');

    return on && (strcmp(spec, on) == 0 || (colon && strcmp(colon + 1, on) == 0));
}

/* The rows that belong to network k. */
static int network_points(struct points *p, struct job *j, const struct request *q, size_t k, const char *text,
                          struct err *err)
{
    struct cost_network w = { .rate = 25e9, .cable = 100e-9, .overhead = 1e-6, .jobs = 1 };
    struct placement place = { 0 };
    struct cost cost = { 0 };
    const struct log *l = &q->read;
    struct net *net;
    int ret;

    if (net_open(&net, q->spec[k], err) < 0)
        return -1;
    w.net = net;
    w.placement = &place;
    w.rate = net->cables.rate > 0 ? net->cables.rate / 8 : w.rate;
    w.rate_given = net->cables.rate > 0;
    ret = placement_init(&place, net, NULL, 0, 0, 0, err) < 0 ||
        cost_open(&cost, text, place.n, &w, err) < 0 ? -1 : 0;
    if (ret == 0 && cost.kind->steps)
        ret = err_set(err, ERR_USAGE, "'%.60s' counts steps; measured times are held against seconds", text);
    for (size_t i = 0; ret == 0 && i < l->nrow; i++) {
        const struct log_block *b = &l->block[l->row[i].block];
        const int n = b->processes ? b->processes : q->processes ? q->processes : place.n;
        struct point *at = &p->at[p->n];

        if (b->what != LOG_COLLECTIVE || n != place.n)
            continue;
        *at = (struct point){ collective_find(b->algorithm, NULL), b->operation, k, l->row[i].bytes, l->row[i].time,
                              0, named_on(q->spec[k], q->on) };
        if (!at->algorithm || !collective_program(at->algorithm, (enum operation)at->operation))
            continue;
        ret = point_run(at, &cost, &w, &j->tick, err);
        p->n++;
    }
    cost_close(&cost);
    placement_release(&place);
    net_close(net);
    return ret;
}

/* ---- factors ----------------------------------------------------------------------------------------- */

/* Measured over model, the geometric mean of the rows of --on that are like this one; NaN: there is none. */
static double factor(const struct points *p, const struct point *like)
{
    double sum = 0, n = 0;

    for (const struct point *at = p->at; at < p->at + p->n; at++)
        if (at->on && at->operation == like->operation && at->algorithm == like->algorithm && at->model > 0) {
            sum += log(at->measured / at->model);
            n++;
        }
    return n > 0 ? exp(sum / n) : NAN;
}

/* Factors into the models of the rows elsewhere, which alone are left. */
static int calibrate(struct job *j, struct points *p, const char *on, struct err *err)
{
    size_t kept = 0, used = 0;

    for (size_t i = 0; i < p->n; i++) {
        used += p->at[i].on;
        p->at[i].model *= p->at[i].on ? 1 : factor(p, &p->at[i]);
    }
    if (!used)
        return err_set(err, ERR_USAGE, "--on is '%.60s', and no row is on such a network", on);
    for (size_t i = 0; i < p->n; i++)
        if (!p->at[i].on && !isnan(p->at[i].model))
            p->at[kept++] = p->at[i];
    table_note(j->t, "A factor for each operation and algorithm, from %zu rows on %s; %zu other rows are reported, %zu "
               "have no factor.", used, on, kept, p->n - used - kept);
    p->n = kept;
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static bool point_beside(const struct point *a, const struct point *b)
{
    return a->operation == b->operation && a->net == b->net && a->bytes == b->bytes;
}

static void operation_row(struct table *t, const struct points *p, int operation, double *errors)
{
    size_t n = 0, choices = 0, right = 0, near = 0;
    double pairs = 0, order = 0;

    for (size_t i = 0; i < p->n; i++) {
        const struct point *a = &p->at[i], *measured = a, *model = a;
        bool first = true, beside = false;

        if (a->operation != operation)
            continue;
        errors[n++] = fabs(a->model / a->measured - 1);
        for (size_t k = 0; k < p->n; k++) {
            const struct point *b = &p->at[k];

            if (k == i || !point_beside(a, b))
                continue;
            first &= k > i;
            beside = true;
            measured = b->measured < measured->measured ? b : measured;
            model = b->model < model->model ? b : model;
            if (k > i) {
                pairs++;
                order += (a->measured < b->measured) == (a->model < b->model) ? 1 : -1;
            }
        }
        if (!first || !beside)          /* one algorithm alone is no choice */
            continue;
        choices++;
        right += measured == model;
        near += model->measured <= NEAR * measured->measured;
    }
    if (!n)
        return;
    qsort(errors, n, sizeof *errors, num_ascending_reals);
    table_add(t, ROW(cell_text("operation", operation_name[operation]), cell_int("rows", (int64_t)n),
        cell_real("median_error_percent", 100 * errors[n / 2]),
        cell_real("greatest_error_percent", 100 * errors[n - 1]), cell_real("tau", order / pairs),
        cell_int("choices", (int64_t)choices), cell_real("right_percent", 100 * (double)right / (double)choices),
        cell_real("near_percent", 100 * (double)near / (double)choices)));
}

int fit_collective(struct job *j, const struct request *q, struct err *err)
{
    struct points p = { 0 };
    struct fitted f = { 0 };
    double *errors = NULL;
    const size_t rows = q->read.nrow, most = rows * q->nspec + 1;
    int ret = TAKE("the rows of a log", err, ARRAY(p.at, most), ARRAY(errors, most));

    if (ret == 0 && q->cost && *q->cost == '@')
        ret = fitted_read(&f, q->cost + 1, err);
    for (size_t k = 0; ret == 0 && k < q->nspec; k++)
        ret = network_points(&p, j, q, k, f.spec ? f.spec : q->cost ? q->cost : "links", err);
    if (ret == 0 && p.n < rows)
        table_note(j->t, "%zu of %zu rows are used: the others are on no such network, or say no algorithm that is "
                   "known.", p.n, rows);
    if (ret == 0 && !p.n)
        ret = err_set(err, ERR_DOMAIN, "no row of the logs is a collective with its algorithm on as many processes as "
                      "a network here has terminals");
    if (ret == 0 && q->on)
        ret = calibrate(j, &p, q->on, err);
    for (int o = 0; ret == 0 && o < OPERATIONS; o++)
        operation_row(j->t, &p, o, errors);
    fitted_release(&f);
    FREE(p.at, errors);
    return ret;
}
