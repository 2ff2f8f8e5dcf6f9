/* throughput_columns.c -- few columns at a time (Dantzig and Wolfe 1960). A column is a load vector: what one source's
 * whole demand, sent over cheapest paths, puts on every class. The master program minimises the congestion L where
 * every source splits its demand over its columns, and every class of links carries at most L times its capacity.
 * 1. columns                  one more
 * 2. multiplicative weights   (Garg and Konemann 1998): often enough of an answer, else columns to begin with
 * 3. the master program       its prices ask for columns, until flow and prices prove the gap
 * 4. for others to read       the program at hand as one of throughput */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/lp.h"
#include "analysis/bound/throughput_program.h"
#include "graph/base/mem.h"

#define WEIGHT_ROUNDS 400       /* of multiplicative weights, before the program is solved at all ... */
#define HOPE 0.75               /* ... as long as twice as many of them shrink the gap to this part of itself */
#define LOOK 10                 /* rounds between two looks at what the weights prove */
#define COLUMN_ROUNDS 20        /* of multiplicative weights, each a column per source to begin with ... */
#define COLUMNS_IN_ALL 40       /* ... and with those that prices ask for later, about */
#define STEEP 1.0               /* how weights grow with load, and how this becomes less from round to round */
#define CALM 0.02
#define MOST_WEIGHT 1e200
#define MASTER_STEPS 500        /* of the simplex method between two looks at the gap */
#define MASTER_ROUNDS 5000
#define MASTER_IDLE 40          /* such looks in a row that find nothing better: enough */
#define SMOOTH 0.7              /* part of the best prices so far in those that are tried */
#define EXACT 1e-9              /* what a gap of 0 is taken for */

struct columns {
    struct program *p;
    struct found *f;
    struct lp *lp;
    size_t nclass, nsource;
    double *length, *trial, *load;      /* by class */
    double *activity;           /* of the program's rows */
    double *sum;                /* loads of all rounds of weights so far */
    double *first;              /* loads of the sources' first columns together */
    int weighed;                /* rounds */
    int *row;                   /* of a column's entries */
    double *value;
};

/* ---- columns ---- */

static bool near_enough(const struct columns *c)
{
    return c->f->least >= (1 - fmax(c->p->gap, EXACT)) * c->f->congestion;
}

static int columns_report(struct columns *c, struct err *err)
{
    const double gap = 1 - c->f->least / c->f->congestion, start = 0.5, goal = fmax(c->p->gap, 1e-6);

    c->p->done = gap > 0 ? fmin(fmax(log(start / gap) / log(start / goal), 0), 0.99) : 0.99;
    tick_say(c->p->o->tick, "gap %.3g %%, round %zu", 100 * gap, c->f->rounds);
    return tick(c->p->o->tick, c->p->done) ? err_stopped(err) : 0;
}

/* Adds the column of source i whose load stands in c->load. */
static int add_column(struct columns *c, size_t i, struct err *err)
{
    size_t n = 1;

    c->row[0] = (int)i;
    c->value[0] = 1;
    for (size_t k = 0; k < c->nclass; k++)
        if (c->load[k] > 0) {
            c->row[n] = (int)(c->nsource + k);
            c->value[n++] = c->load[k] / c->p->fold.class_capacity[k];
        }
    return lp_column(c->lp, 0, INFINITY, 0, NULL, n, c->row, c->value, err) < 0 ? -1 : 0;
}

/* ---- multiplicative weights ---- */

static double columns_relative(const struct columns *c, const double *load, size_t k)
{
    return load[k] / c->p->fold.class_capacity[k];
}

/* Lengths exponential in the load so far, of all rounds together; returns what a unit of load adds to the exponent. */
static double columns_weigh(struct columns *c)
{
    const double rate = STEEP / (c->f->congestion * sqrt(1 + CALM * c->weighed));
    double fullest = 0;

    for (size_t k = 0; k < c->nclass; k++)
        fullest = fmax(fullest, columns_relative(c, c->sum, k));
    for (size_t k = 0; k < c->nclass; k++)
        c->length[k] = exp(rate * (columns_relative(c, c->sum, k) -
                                   fullest)) * c->p->fold.class_size[k] / c->p->fold.class_capacity[k];
    return rate;
}

/* Whether all columns will fit in memory, once the first ones of sources 0..i are there; asked again and again. The
 * column of congestion stands before them, with an entry for every class. */
static int forecast(const struct columns *c, size_t i, struct err *err)
{
    const double columns = COLUMNS_IN_ALL * (double)c->nsource,
        each = (double)(lp_entries(c->lp) - c->nclass) / (double)(i + 1);

    return i & (i - 1) ? 0 : mem_need(lp_bytes((double)lp_rows(c->lp), columns + 1, columns * each + (double)c->nclass),
                                      "a linear program with columns of all sources", err);
}

/* Every source in turn sends its demand where it is cheapest and makes it dearer there. The mean of all rounds is a
 * flow. */
static int one_round(struct columns *c, bool keep, bool first, struct err *err)
{
    const double rate = columns_weigh(c);

    for (size_t i = 0; i < c->nsource; i++) {
        double cost;

        memset(c->load, 0, c->nclass * sizeof *c->load);
        if (program_price(c->p, c->load, &cost, i, c->length, err) < 0 || (keep && add_column(c, i, err) < 0) ||
            (first && forecast(c, i, err) < 0))
            return -1;
        for (size_t k = 0; k < c->nclass; k++)
            if (c->load[k] > 0) {
                c->sum[k] += c->load[k];
                c->length[k] = fmin(c->length[k] * exp(rate * columns_relative(c, c->load, k)), MOST_WEIGHT);
                if (first)
                    c->first[k] += c->load[k];
            }
    }
    c->weighed++;
    c->f->rounds++;
    for (size_t k = 0; k < c->nclass; k++)
        c->trial[k] = c->sum[k] / c->weighed;
    found_flow(c->f, c->p, c->trial);
    return columns_report(c, err);
}

static int columns_weights(struct columns *c, struct err *err)
{
    double last = INFINITY;
    int next = 2 * LOOK;

    for (int r = 1; r <= WEIGHT_ROUNDS && c->p->gap > EXACT && !c->p->write; r++) {
        if (near_enough(c))
            return 0;
        if (one_round(c, false, false, err) < 0)
            return -1;
        if (r % LOOK)
            continue;
        columns_weigh(c);
        if (program_prove(c->f, c->p, c->load, c->length, err) < 0)
            return -1;
        if (r < next)
            continue;
        if (1 - c->f->least / c->f->congestion > HOPE * last)
            break;
        last = 1 - c->f->least / c->f->congestion;
        next = 2 * r;
    }
    for (int r = 0; r < COLUMN_ROUNDS && (c->p->write || !near_enough(c)); r++)
        if (one_round(c, true, r == 0, err) < 0)
            return -1;
    return 0;
}

/* ---- the master program ---- */

static int throughput_columns_add_rows(struct columns *c, struct err *err)
{
    const bool named = c->p->write;
    size_t n = 0;
    char name[60];

    for (size_t i = 0; i < c->nsource; i++) {
        snprintf(name, sizeof name, "source_%d", c->p->d->source[c->p->fold.source[i]]);
        if (lp_row(c->lp, 1, 1, named ? name : NULL, err) < 0)
            return -1;
    }
    for (size_t k = 0; k < c->nclass; k++) {
        snprintf(name, sizeof name, "link_%zu", k);
        if (lp_row(c->lp, -INFINITY, 0, named ? name : NULL, err) < 0)
            return -1;
        c->row[n] = (int)(c->nsource + k);
        c->value[n++] = -1;
    }
    return lp_column(c->lp, 0, INFINITY, 1, NULL, n, c->row, c->value, err) < 0 ? -1 : 0;
}

/* The basis to begin with: every source's first column, and the congestion that they make on the fullest class. */
static int place_first(struct columns *c, struct err *err)
{
    size_t fullest = 0;
    int ret = lp_place_column(c->lp, 0, LP_BASIC, err);

    for (size_t k = 0; k < c->nclass; k++)
        if (columns_relative(c, c->first, k) > columns_relative(c, c->first, fullest))
            fullest = k;
    for (size_t i = 0; ret == 0 && i < c->nsource; i++)
        ret = lp_place_row(c->lp, (int)i, LP_AT_UPPER, err) < 0 ||
            lp_place_column(c->lp, (int)i + 1, LP_BASIC, err) < 0 ? -1 : 0;
    return ret < 0 ? -1 : lp_place_row(c->lp, (int)(c->nsource + fullest), LP_AT_UPPER, err);
}

/* The flow that the program holds, added up from its columns: what the solver holds for feasible may be a little below
 * 0. */
static int read_flow(struct columns *c, struct err *err)
{
    double fewest = INFINITY;

    memset(c->activity, 0, (c->nsource + c->nclass) * sizeof *c->activity);
    for (size_t j = 1; j < lp_columns(c->lp); j++)
        if (lp_value(c->lp, (int)j) > 0 && lp_add_column(c->activity, c->lp, (int)j, lp_value(c->lp, (int)j), err) < 0)
            return -1;
    for (size_t i = 0; i < c->nsource; i++)             /* 1, but for rounding */
        fewest = fmin(fewest, c->activity[i]);
    for (size_t k = 0; k < c->nclass; k++)
        c->trial[k] = c->activity[c->nsource + k] * c->p->fold.class_capacity[k] / fewest;
    if (fewest > 0)
        found_flow(c->f, c->p, c->trial);
    return 0;
}

static void read_lengths(struct columns *c)
{
    double worth = 0;

    for (size_t k = 0; k < c->nclass; k++)
        worth += c->length[k] = fmax(-lp_price(c->lp, (int)(c->nsource + k)), 0);
    for (size_t k = 0; k < c->nclass; k++)              /* all capacities together are worth 1 */
        c->length[k] /= (worth > 0 ? worth : 1) * c->p->fold.class_capacity[k];
}

/* Columns that are cheaper at the program's prices than what their sources pay, looked for at prices between these and
 * the best so far (`smooth` of them). Returns how many were added, -1 for an error. */
static int64_t columns_improve(struct columns *c, double smooth, struct err *err)
{
    int64_t added = 0;
    double all = 0;

    for (size_t k = 0; k < c->nclass; k++)
        c->trial[k] = smooth * c->f->price[k] + (1 - smooth) * c->length[k];
    for (size_t i = 0; i < c->nsource; i++) {
        double cost = 0, tried;

        memset(c->load, 0, c->nclass * sizeof *c->load);
        if (program_price(c->p, c->load, &tried, i, c->trial, err) < 0)
            return -1;
        all += tried;
        for (size_t k = 0; k < c->nclass; k++)
            cost += c->load[k] * c->length[k];
        if (cost < lp_price(c->lp, (int)i) * (1 - 1e-10)) {
            if (add_column(c, i, err) < 0)
                return -1;
            added++;
        }
    }
    c->f->rounds++;
    found_prices(c->f, c->p, c->trial, all);
    return added;
}

static int columns_master(struct columns *c, struct err *err)
{
    double reached = INFINITY, proved = 0;
    int idle = 0;

    for (int r = 0; r < MASTER_ROUNDS; r++) {
        enum lp_end end;
        int64_t added;

        if (lp_solve(c->lp, MASTER_STEPS, &end, c->p->o->tick, err) < 0)
            return -1;
        if (end != LP_OPTIMAL && end != LP_LIMIT)
            return err_set(err, ERR_INTERNAL, "the linear program of throughput has no optimum, which cannot be");
        idle = lp_objective(c->lp) < reached * (1 - EXACT) || c->f->least > proved * (1 + EXACT) ? 0 : idle + 1;
        if (idle == MASTER_IDLE)                /* numbers too unlike for the solver: the gap stays as it is */
            return 0;
        reached = fmin(reached, lp_objective(c->lp));
        proved = c->f->least;
        if (read_flow(c, err) < 0)
            return -1;
        read_lengths(c);
        if (near_enough(c) && (end == LP_OPTIMAL || !c->p->write))
            return 0;
        if (end == LP_LIMIT) {
            if (columns_report(c, err) < 0)
                return -1;
            continue;
        }
        added = columns_improve(c, SMOOTH, err);
        if (added == 0 && !near_enough(c))
            added = columns_improve(c, 0, err);
        if (added <= 0 || near_enough(c))
            return added < 0 ? -1 : 0;
        if (columns_report(c, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- for others to read ---- */

/* The program at hand turned into one of throughput, which it is when all is divided by the congestion: maximise theta
 * where every source's columns carry theta times its demand, and no link more than its capacity (rows of links are in
 * parts of it). */
static int write_program(struct columns *c, struct err *err)
{
    struct plain units;

    program_plain(&units, c->p, c->f);
    for (size_t i = 0; i < c->nsource; i++) {
        c->row[i] = (int)i;
        c->value[i] = -units.demand / units.flow;
        if (lp_bound_row(c->lp, (int)i, 0, 0, err) < 0)
            return -1;
    }
    for (size_t k = 0; k < c->nclass; k++)
        if (lp_bound_row(c->lp, (int)(c->nsource + k), -INFINITY, 1, err) < 0)
            return -1;
    return lp_replace_column(c->lp, 0, 1, units.theta, c->nsource, c->row, c->value, err) < 0 ||
        lp_maximise(c->lp, err) < 0 ? -1 : lp_write(c->lp, c->p->write, err);
}

int columns_solve(struct found *f, struct program *p, struct err *err)
{
    struct columns c = { .p = p, .f = f, .nclass = p->fold.nclass, .nsource = p->fold.nsource };
    const size_t n = c.nclass + 1;
    int ret = -1;

    c.length = malloc(n * sizeof *c.length);
    c.trial = malloc(n * sizeof *c.trial);
    c.load = malloc(n * sizeof *c.load);
    c.activity = malloc((c.nsource + n) * sizeof *c.activity);
    c.sum = calloc(n, sizeof *c.sum);
    c.first = calloc(n, sizeof *c.first);
    c.row = malloc((c.nsource + n) * sizeof *c.row);
    c.value = malloc((c.nsource + n) * sizeof *c.value);
    if (((!c.length || !c.trial || !c.load || !c.activity || !c.sum || !c.first || !c.row || !c.value) &&
         err_memory(err) < 0) || lp_open(&c.lp, "throughput", false, err) < 0 ||
        throughput_columns_add_rows(&c, err) < 0 || columns_weights(&c, err) < 0)
        goto done;
    if (p->write || !near_enough(&c)) {
        if (place_first(&c, err) < 0 || columns_master(&c, err) < 0)
            goto done;
        f->rows = lp_rows(c.lp);
        f->columns = lp_columns(c.lp);
    }
    ret = p->write ? write_program(&c, err) : 0;
done:
    lp_close(c.lp);
    free(c.length);
    free(c.trial);
    free(c.load);
    free(c.activity);
    free(c.sum);
    free(c.first);
    free(c.row);
    free(c.value);
    return ret;
}
