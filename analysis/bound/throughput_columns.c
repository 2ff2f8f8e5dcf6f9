/* throughput_columns.c -- few columns at a time (Dantzig and Wolfe 1960). A column is a load vector: what one source's
 * whole demand, sent over cheapest paths, puts on every class. The master program minimises the congestion L where
 * every source splits its demand over its columns, and every class of links carries at most L times its capacity.
 * 1. columns                one more; those to begin with, from flows at equilibrium, which often are answer enough
 * 2. the master program     its prices ask for columns, until flow and prices prove the gap
 * 3. for others to read     the program at hand as one of throughput */
#include "analysis/bound/equilibrium.h"
#include "analysis/bound/lp.h"
#include "analysis/bound/throughput_program.h"

#define MORE_COLUMNS 2          /* with those that prices ask for, times as many as to begin with, about */
#define MASTER_STEPS 500        /* of the simplex method between two looks at the gap */
#define MASTER_ROUNDS 5000
#define MASTER_IDLE 40          /* such looks in a row that find nothing better: enough */
#define SMOOTH 0.7              /* part of the best prices so far in those that are tried */

struct columns {
    struct program *p;
    struct found *f;
    struct lp *lp;
    size_t nclass, nsource;
    double *length, *trial;     /* by class */
    double *relative;           /* a column's loads over capacities */
    double *activity;           /* of the program's rows */
    int *begin;                 /* by source: its column of the basis to begin with */
    int *row;                   /* of a column's entries */
    double *value;
};

/* ---- columns ---- */

/* Adds the column of source i that stands in c->relative. */
static int add_column(struct columns *c, size_t i, struct err *err)
{
    size_t n = 1;

    c->row[0] = (int)i;
    c->value[0] = 1;
    for (size_t k = 0; k < c->nclass; k++)
        if (c->relative[k] > 0) {
            c->row[n] = (int)(c->nsource + k);
            c->value[n++] = c->relative[k];
        }
    return lp_column(c->lp, &(struct lp_column){ .up = INFINITY, .n = n, .row = c->row, .value = c->value },
                     err) < 0 ? -1 : 0;
}

/* Whether all columns will fit in memory, and as many again, once those of sources 0..i are there; asked again and
 * again. The column of congestion stands before them, with an entry for every class. */
static int forecast(const struct columns *c, size_t i, struct err *err)
{
    const double times = MORE_COLUMNS * (double)c->nsource / (double)(i + 1);

    return i & (i - 1) ? 0 : mem_need(lp_bytes((double)lp_rows(c->lp), times * (double)lp_columns(c->lp),
                                               times * (double)(lp_entries(c->lp) - c->nclass) + (double)c->nclass),
                                      "a linear program with columns of all sources", err);
}

/* Of every source what it sends at equilibrium, and the ways that it may send by. The former are the basis to begin
 * with; where corners are to be round numbers, the ways found first, which are the shortest. */
static int add_first(struct columns *c, const struct equilibrium *e, struct err *err)
{
    const bool corner = program_corner(c->p);

    for (size_t i = 0; i < c->nsource; i++) {
        c->begin[i] = (int)lp_columns(c->lp);
        for (size_t j = corner;; j++) {
            memset(c->relative, 0, c->nclass * sizeof *c->relative);
            if (!equilibrium_column(c->relative, e, i, j))
                break;
            if (corner)
                c->begin[i] = (int)lp_columns(c->lp);
            if (add_column(c, i, err) < 0)
                return -1;
        }
        if (forecast(c, i, err) < 0)
            return -1;
    }
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
    return lp_column(c->lp, &(struct lp_column){ .up = INFINITY, .cost = 1, .n = n, .row = c->row,
                     .value = c->value }, err) < 0 ? -1 : 0;
}

/* The basis to begin with: a column of every source, and the congestion that they make on the fullest class. */
static int place_first(struct columns *c, struct err *err)
{
    size_t fullest = c->nsource;
    int ret = lp_place_column(c->lp, 0, LP_BASIC, err);

    memset(c->activity, 0, (c->nsource + c->nclass) * sizeof *c->activity);
    for (size_t i = 0; ret == 0 && i < c->nsource; i++)
        ret = lp_place_row(c->lp, (int)i, LP_AT_UPPER, err) < 0 ||
            lp_place_column(c->lp, c->begin[i], LP_BASIC, err) < 0 ||
            lp_add_column(c->activity, c->lp, c->begin[i], 1, err) < 0 ? -1 : 0;
    for (size_t k = c->nsource; k < c->nsource + c->nclass; k++)
        if (c->activity[k] > c->activity[fullest])
            fullest = k;
    return ret < 0 ? -1 : lp_place_row(c->lp, (int)fullest, LP_AT_UPPER, err);
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

        memset(c->relative, 0, c->nclass * sizeof *c->relative);
        if (program_price(c->p, c->relative, &tried, i, c->trial, err) < 0)
            return -1;
        all += tried;
        for (size_t k = 0; k < c->nclass; k++) {
            cost += c->relative[k] * c->length[k];
            c->relative[k] /= c->p->fold.class_capacity[k];
        }
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
        if (read_flow(c, err) < 0)
            return -1;
        idle = lp_objective(c->lp) < reached * (1 - EXACT) || c->f->least > proved * (1 + EXACT) ? 0 : idle + 1;
        if (idle == MASTER_IDLE || (end != LP_OPTIMAL && end != LP_LIMIT))
            return 0;                           /* numbers too unlike for the solver: the gap stays as it is */
        reached = fmin(reached, lp_objective(c->lp));
        proved = c->f->least;
        read_lengths(c);
        if (found_enough(c->f, c->p) && (end == LP_OPTIMAL || !c->p->write))
            return 0;
        if (end == LP_LIMIT) {
            if (program_report(c->p, c->f, err) < 0)
                return -1;
            continue;
        }
        added = columns_improve(c, SMOOTH, err);
        if (added == 0 && !found_enough(c->f, c->p))
            added = columns_improve(c, 0, err);
        if (added <= 0 || found_enough(c->f, c->p))
            return added < 0 ? -1 : 0;
        if (program_report(c->p, c->f, err) < 0)
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
    return lp_replace_column(c->lp, 0, &(struct lp_column){ .cost = 1, .name = units.theta, .n = c->nsource,
                             .row = c->row, .value = c->value }, err) < 0 ||
        lp_maximise(c->lp, err) < 0 ? -1 : lp_write(c->lp, c->p->write, err);
}

int columns_solve(struct found *f, struct program *p, struct err *err)
{
    struct columns c = { .p = p, .f = f, .nclass = p->fold.nclass, .nsource = p->fold.nsource };
    struct equilibrium *e = NULL;
    const size_t n = c.nclass + 1;
    int ret = -1;

    if (TAKE("the linear program", err, ARRAY(c.length, n), ARRAY(c.trial, n), ARRAY(c.relative, n),
             ARRAY(c.activity, c.nsource + n), ARRAY(c.begin, c.nsource + 1), ARRAY(c.row, c.nsource + n),
             ARRAY(c.value, c.nsource + n)) < 0 || equilibrium_open(&e, f, p, err) < 0)
        goto done;
    if (p->write || found_gap(f) > found_goal(p)) {
        if (lp_open(&c.lp, "throughput", false, err) < 0 || throughput_columns_add_rows(&c, err) < 0 ||
            add_first(&c, e, err) < 0)
            goto done;
        if (program_corner(p))      /* which is to be the flow, however near the one at hand is */
            f->congestion = INFINITY;
        equilibrium_close(e);
        e = NULL;
        if (place_first(&c, err) < 0 || columns_master(&c, err) < 0)
            goto done;
        f->rows = lp_rows(c.lp);
        f->columns = lp_columns(c.lp);
    }
    ret = p->write ? write_program(&c, err) : 0;
done:
    equilibrium_close(e);
    lp_close(c.lp);
    FREE(c.length, c.trial, c.relative, c.activity, c.begin, c.row, c.value);
    return ret;
}
