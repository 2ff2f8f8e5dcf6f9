/* throughput.c -- concurrent flow: which method, and its results (throughput.h).
 * 1. which method       arcs where the program is small, else columns
 * 2. results            by link, in the units of the request */
#include "analysis/bound/lp.h"
#include "analysis/bound/throughput_program.h"

#define ARCS_ROWS 1000          /* the largest program that is solved at once unasked ... */
#define ARCS_COLUMNS 5000
#define MOST_ROWS 30000         /* ... and at all */
#define MOST_COLUMNS 1e6
#define ARCS_GAP 1e-7           /* that rounding may leave of them */
#define EXACT_ROWS 600          /* the largest that columns solve without a gap unasked */
#define ROUNDING 1e-13          /* a link's part of all prices times capacities, below which it has none */

const char *const throughput_method_name[] = { "auto", "arcs", "columns", "routing" };

/* ---- which method ---- */

static int throughput_choose(enum throughput_method *out, const struct program *p, struct err *err)
{
    const enum throughput_method asked = p->o->method;
    double rows, columns;

    *out = THROUGHPUT_COLUMNS;
    if (p->listed || asked == THROUGHPUT_COLUMNS)
        return 0;
    arcs_size(&rows, &columns, p);
    if (asked == THROUGHPUT_AUTO) {
        *out = rows <= ARCS_ROWS && columns <= ARCS_COLUMNS ? THROUGHPUT_ARCS : THROUGHPUT_COLUMNS;
        return 0;
    }
    *out = THROUGHPUT_ARCS;
    if (rows > MOST_ROWS || columns > MOST_COLUMNS)
        return err_set(err, ERR_USAGE, "with --method arcs the linear program has %.0f rows and %.0f columns; more "
                       "than %d and %.0f are not tried: --method columns would do%s", rows, columns, MOST_ROWS,
                       MOST_COLUMNS, p->o->unfolded ? ", or symmetry" : "");
    return mem_need(lp_bytes(rows, columns, 3 * columns), "the linear program of throughput", err);
}

/* ---- results ---- */

int throughput_links(struct throughput *t, size_t nlink, struct err *err)
{
    t->nlink = nlink;
    return TAKE("loads of links", err, ARRAY(t->from, nlink), ARRAY(t->to, nlink), ARRAY(t->capacity, nlink),
                ARRAY(t->load, nlink), ARRAY(t->price, nlink));
}

static int throughput_results(struct throughput *t, const struct program *p, const struct found *f, struct err *err)
{
    const struct fold *fold = &p->fold;
    double crossed = 0;

    if (throughput_links(t, fold->nlink, err) < 0)
        return -1;
    t->theta = program_theta(p, fmax(f->congestion, f->least));     /* which may cross by rounding */
    t->bound = program_theta(p, f->least);
    t->gap = f->least > f->congestion ? 0 : 1 - f->least / f->congestion;
    for (size_t c = 0; c < fold->nclass; c++)
        crossed += f->load[c];
    t->hops = crossed / p->total;
    t->shortest = t->hops <= p->distance * (1 + 1e-6);
    for (size_t l = 0; l < t->nlink; l++) {
        const size_t c = fold_class(fold, l);

        t->from[l] = fold->link_from[l];
        t->to[l] = fold->link_to[l];
        t->capacity[l] = fold_capacity(fold, l) * p->wide;
        t->load[l] = f->load[c] / (fold->class_capacity[c] * f->congestion);
        t->price[l] = f->price[c] * fold_capacity(fold, l) > ROUNDING ? t->theta * f->price[c] / p->wide : 0;
    }
    t->sources = fold->nsource;
    t->links = fold->nclass;
    t->rows = f->rows;
    t->columns = f->columns;
    t->rounds = f->rounds;
    return 0;
}

/* The pair of nodes that the search from source i missed. */
static void name_lost(int lost[2], const struct program *p, size_t i)
{
    const struct quotient *q = fold_view(&p->fold, i);

    lost[0] = p->d->source[p->fold.source[i]];
    for (int v = 0; v < p->fold.net->n; v++)
        if ((q->of ? q->of[v] : v) == p->lost) {
            lost[1] = v;
            return;
        }
}

/* Equal prices for equal capacities: the demand times its distances, over all capacities. What arcs are scaled by.
 * Ends where a pair has no path. */
static int throughput_begin(struct found *f, double *distance_bound, int lost[2], struct program *p, struct err *err)
{
    const size_t n = p->fold.nclass;
    double *length, *load, all = 0, cost;
    int ret = 0;

    *f = (struct found){ .congestion = INFINITY };
    if (TAKE("a bound of throughput", err, ARRAY(length, n + 1), ZEROS(load, n + 1), ZEROS(f->load, n + 1),
             ZEROS(f->price, n + 1)) < 0)
        return -1;
    for (size_t c = 0; c < n; c++)
        length[c] = 1;
    for (size_t i = 0; ret == 0 && lost[0] < 0 && i < p->fold.nsource; i++) {
        ret = program_price(p, load, &cost, i, length, err);
        if (ret == 0)
            all += cost;
        if (ret == 0 && p->lost >= 0)
            name_lost(lost, p, i);
    }
    if (ret == 0 && lost[0] < 0) {
        found_prices(f, p, length, all);
        found_flow(f, p, load);
        *distance_bound = program_theta(p, f->least);
        p->distance = all / p->total;
    }
    FREE(length, load);
    return ret;
}

/* Of work that may have taken an hour, what it came to is said. */
static int throughput_so_far(const struct program *p, const struct found *f, struct err *err)
{
    static const char *const unit[] = { [DEMAND_NODE] = "of a link per node", [DEMAND_STREAM] = "of a link per channel",
                                        [DEMAND_GIVEN] = "times the traffic" };

    if (err->code == ERR_STOPPED && isfinite(f->congestion))
        err_set(err, ERR_STOPPED, "interrupted; until then %.4g %s was reached, and %.4g proved to be the most "
                "(%.3g %% apart)", program_theta(p, f->congestion), unit[p->d->unit], program_theta(p, f->least),
                100 * fmax(1 - f->least / f->congestion, 0));
    return -1;
}

/* By arcs or columns. What rounding leaves open of arcs, where capacities or demands are very unlike, columns close. */
static int throughput_solve(struct found *f, struct throughput *t, struct program *p, struct err *err)
{
    p->write = p->o->write;
    if (t->method == THROUGHPUT_ARCS) {
        if (arcs_solve(f, p, err) < 0)
            return -1;
        if (f->least >= (1 - ARCS_GAP) * f->congestion)
            return 0;
        t->method = THROUGHPUT_COLUMNS;
        p->gap = 0;
        p->write = NULL;
    }
    if (columns_solve(f, p, err) < 0)
        return throughput_so_far(p, f, err);
    return isfinite(f->congestion) && f->least <= f->congestion * (1 + 1e-9) ? 0 :
        err_set(err, ERR_INTERNAL, "the flow found and the bound proved contradict each other: demands or capacities "
                "are too unlike");
}

int throughput_open(struct throughput *out, struct net *net, const struct demand *d, const struct throughput_options *o,
                    struct err *err)
{
    struct program p = { 0 };
    struct found f = { 0 };
    struct throughput t = { .lost = { -1, -1 } };
    int ret = -1;

    if (net->nterminal < 2)
        return err_set(err, ERR_USAGE, "%.200s has one terminal: there is nothing to send", net->spec);
    if (program_open(&p, net, d, o, err) < 0)
        goto done;
    p.gap = !isnan(o->gap) ? o->gap : p.fold.nsource + p.fold.nclass <= EXACT_ROWS ? 0 : 0.01;
    if (throughput_choose(&t.method, &p, err) < 0 || throughput_begin(&f, &t.distance_bound, t.lost, &p, err) < 0 ||
        (t.lost[0] < 0 && (throughput_solve(&f, &t, &p, err) < 0 || throughput_results(&t, &p, &f, err) < 0)))
        goto done;
    *out = t;
    t = (struct throughput){ 0 };
    ret = 0;
done:
    if (ret < 0)
        throughput_close(&t);
    FREE(f.load, f.price);
    program_close(&p);
    return ret;
}

void throughput_close(struct throughput *t)
{
    FREE(t->from, t->to, t->capacity, t->load, t->price);
    *t = (struct throughput){ 0 };
}
