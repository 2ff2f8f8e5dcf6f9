/* Shares that make loads small (split.h): the level of the fullest links is brought down, those that stay full are
 * fixed, and so on with the others; then lengths. Every round is certified by its prices. The program is that of
 * split_program.h. */
#include "analysis/policy/split.h"
#include "analysis/policy/split_program.h"

#define PRICED 1e-7             /* prices of a round sum to 1 */
#define MEETS 1e-7
#define SLACK 1e-9              /* of bounds that rounding made unreachable */

int split_loads(double *load, const struct latency_study *s, struct err *err)
{
    const struct flows *f = &s->flows;
    double *demand;
    int ret;

    if (split_check_intervals(f, err) < 0)
        return -1;
    if (TAKE("the best shares", err, ARRAY(demand, f->nsource + 1)) < 0)
        return -1;
    split_demands(demand, s);
    ret = flows_load(f, demand, load, NULL, err);
    for (size_t l = 0; ret == 0 && l < f->nlink; l++)
        load[l] /= flows_bandwidth(f, l);
    free(demand);
    return ret;
}

/* All messages over the first way of their pair, L as large as that takes: a basis that is feasible. */
static int split_begin(struct split_program *p, struct err *err)
{
    size_t fullest = 0;
    bool ok = true;

    for (size_t k = 0; k < p->nused; k++)
        p->weight[k] = 0;
    for (size_t i = 0; i < p->npair; i++)
        for (size_t e = p->first[p->pair[i]]; e < p->first[p->pair[i] + 1]; e++)
            p->weight[p->link[e]] += p->part[i] * p->value[e];
    for (size_t k = 1; k < p->nused; k++)
        if (p->weight[k] / p->capacity[k] > p->weight[fullest] / p->capacity[fullest])
            fullest = k;
    for (size_t i = 0; ok && i < p->npair; i++)
        ok = lp_place_row(p->lp, (int)i, LP_AT_LOWER, err) == 0 &&
            lp_place_column(p->lp, (int)p->pair[i], LP_BASIC, err) == 0;
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_place_row(p->lp, split_load_row(p, k), LP_AT_LOWER, err) == 0 &&
             lp_place_column(p->lp, split_load_column(p, k), LP_BASIC, err) == 0;
    return ok && lp_place_row(p->lp, split_level_row(p, fullest), LP_AT_UPPER, err) == 0 &&
        lp_place_column(p->lp, split_level_column(p), LP_BASIC, err) == 0 ? 0 : -1;
}

/* ---- rounds ---- */

/* Weights of the links: the prices of bounds, none of the wrong sign. */
static void split_read_weights(struct split_program *p)
{
    for (size_t k = 0; k < p->nused; k++)
        p->weight[k] = fmax(0, p->fixed[k] ? -lp_reduced_cost(p->lp, split_load_column(p, k)) :
                            -lp_price(p->lp, split_level_row(p, k)));
}

/* sum over pairs of part x its cheapest way, where a way costs its links' weights, and its length where that counts;
 * less what the fixed links may carry. */
static double split_bound_below(const struct split_program *p, bool lengths)
{
    double sum = 0;

    for (size_t i = 0; i < p->npair; i++) {
        double least = INFINITY;

        for (size_t c = p->pair[i]; c < p->pair[i + 1]; c++) {
            double cost = lengths ? p->f->injection_hops[p->injection[c]] : 0;

            for (size_t e = p->first[c]; e < p->first[c + 1]; e++)
                cost += p->value[e] * p->weight[p->link[e]];
            least = fmin(least, cost);
        }
        sum += p->part[i] * least;
    }
    for (size_t k = 0; k < p->nused; k++)
        if (p->fixed[k])
            sum -= p->weight[k] * p->bound[k];
    return sum;
}

static int split_certify(double *gap, double value, double bound, double unit, const char *what, struct err *err)
{
    const double off = fabs(value - bound) / unit;

    *gap = fmax(*gap, off);
    return off <= MEETS ? 0 : err_set(err, ERR_INTERNAL, "the linear program of the %s gave %.12g, but its prices "
                                      "prove %.12g", what, value, bound);
}

/* Where rounding left no way to keep the bounds, they give way by a billionth. */
static int split_solve(struct split_program *p, const struct tick *tick, struct err *err)
{
    enum lp_end end;

    if (lp_solve(p->lp, 0, &end, tick, err) < 0)
        return -1;
    for (size_t k = 0; end == LP_INFEASIBLE && k < p->nused; k++)
        if (p->fixed[k]) {
            p->bound[k] += SLACK * fmax(p->bound[k], p->capacity[k]);
            if (lp_bound_column(p->lp, split_load_column(p, k), 0, p->bound[k], err) < 0)
                return -1;
        }
    if (end == LP_INFEASIBLE && lp_solve(p->lp, 0, &end, tick, err) < 0)
        return -1;
    return end == LP_OPTIMAL ? 0 : err_set(err, ERR_INTERNAL, "a linear program of shares has no solution, though it "
                                           "must have one");
}

static int split_fix(struct split_program *p, size_t k, double bound, struct err *err)
{
    p->fixed[k] = true;
    p->bound[k] = bound;
    return lp_bound_row(p->lp, split_level_row(p, k), -INFINITY, INFINITY, err) < 0 ? -1 :
        lp_bound_column(p->lp, split_load_column(p, k), 0, bound, err);
}

/* The links that are full in every optimum; how many. All of them where L is 0. */
static int split_fix_full(size_t *n, struct split_program *p, double level, bool empty, struct err *err)
{
    double most = 0;

    *n = 0;
    for (size_t k = 0; k < p->nused; k++)
        most = fmax(most, p->fixed[k] ? 0 : p->weight[k] * p->capacity[k]);
    for (size_t k = 0; k < p->nused; k++)
        if (!p->fixed[k] && (empty || p->weight[k] * p->capacity[k] > fmin(PRICED, most / 2))) {
            if (split_fix(p, k, empty ? 0 : level * p->capacity[k], err) < 0)
                return -1;
            ++*n;
        }
    return 0;
}

static void split_first_prices(struct split *y, const struct split_program *p, double level)
{
    for (size_t k = 0; k < p->nused; k++)
        y->price[p->used[k]] = p->weight[k] * level * p->scale;
}

static int split_levels(struct split *y, struct split_program *p, const struct split_options *o, struct err *err)
{
    size_t left = p->nused, n;
    double unit = 0;

    for (y->rounds = 0; left; left -= n) {
        const double done = 1 - (double)left / (double)p->nused;
        const struct tick here = tick_part(o->tick, done, done);
        double level, open = 0;
        bool empty;

        if (tick(&here, 0))
            return err_stopped(err);
        if (split_solve(p, &here, err) < 0)
            return -1;
        level = lp_value(p->lp, split_level_column(p));
        split_read_weights(p);
        for (size_t k = 0; k < p->nused; k++)
            open += p->fixed[k] ? 0 : p->weight[k] * p->capacity[k];
        if (y->rounds++ == 0) {
            unit = level;
            split_first_prices(y, p, level);
        }
        empty = level <= SLACK * unit;          /* no load is less than none: nothing to prove */
        if (!empty && split_certify(&y->gap, level, split_bound_below(p, false) / open, unit, "largest load", err) < 0)
            return -1;
        if (o->first)
            return 0;
        if (split_fix_full(&n, p, level, empty, err) < 0)
            return -1;
    }
    return 0;
}

static int split_shortest(struct split *y, struct split_program *p, const struct split_options *o, struct err *err)
{
    const struct tick here = tick_part(o->tick, 1, 1);
    double length;
    bool ok = lp_cost(p->lp, split_level_column(p), 0, err) == 0 &&
         lp_bound_column(p->lp, split_level_column(p), 0, INFINITY, err) == 0;

    for (size_t i = 0; ok && i < p->n; i++)
        ok = lp_cost(p->lp, (int)i, p->f->injection_hops[p->injection[i]], err) == 0;
    if (!ok || split_solve(p, &here, err) < 0)
        return -1;
    length = lp_objective(p->lp);
    split_read_weights(p);
    return split_certify(&y->gap, length, split_bound_below(p, true), length, "mean length", err);
}

/* ---- results ---- */

static void split_read_shares(struct split *y, const struct split_program *p)
{
    for (size_t i = 0; i < p->npair; i++) {
        double sum = 0;

        for (size_t c = p->pair[i]; c < p->pair[i + 1]; c++) {
            double x = lp_value(p->lp, (int)c);

            if (x < 1e-12 * p->part[i])
                x = 0;
            y->share[p->injection[c]] = x;
            sum += x;
        }
        for (size_t c = p->pair[i]; c < p->pair[i + 1]; c++)
            y->share[p->injection[c]] *= fabs(sum - p->part[i]) > 1e-15 * p->part[i] ? p->part[i] / sum : 1;
    }
    for (size_t c = 0; c < p->n; c++) {
        const double x = y->share[p->injection[c]];

        y->hops += x * p->f->injection_hops[p->injection[c]] / (double)p->f->nsource;
        for (size_t e = p->first[c]; e < p->first[c + 1]; e++)
            y->load[p->used[p->link[e]]] += x * p->value[e] * p->scale;
    }
    for (size_t k = 0; k < p->nused; k++)
        y->largest = fmax(y->largest, y->load[p->used[k]] / p->capacity[k]);
}

int split_open(struct split *out, const struct latency_study *s, const struct split_options *o, struct err *err)
{
    struct split y = { 0 };
    struct split_program p = { 0 };
    int ret = -1;

    if (TAKE("the best shares", err, ZEROS(y.share, s->flows.ninjection + 1), ZEROS(y.load, s->flows.nlink + 1),
             ZEROS(y.price, s->flows.nlink + 1)) < 0)
        return -1;
    if (split_program_open(&p, s, o->capacity, err) == 0 && (!o->write || lp_write(p.lp, o->write, err) == 0) &&
        split_begin(&p, err) == 0 && split_levels(&y, &p, o, err) == 0 &&
        (o->first || split_shortest(&y, &p, o, err) == 0)) {
        split_read_shares(&y, &p);
        ret = 0;
    }
    split_program_close(&p);
    if (ret < 0)
        split_release(&y);
    else
        *out = y;
    return ret;
}

void split_release(struct split *p)
{
    FREE(p->share, p->load, p->price);
    *p = (struct split){ 0 };
}

int split_apply(struct latency_study *s, const struct split *p, struct err *err)
{
    memcpy(s->flows.injection_share, p->share, s->flows.ninjection * sizeof *p->share);
    s->collide.warm = false;
    return flows_overlap(&s->flows, s->o.collide.tick, err) < 0 ? -1 : latency_capacity(s, err);
}
