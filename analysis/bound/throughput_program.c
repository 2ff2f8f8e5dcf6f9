/* throughput_program.c -- what both methods of concurrent flow share (throughput_program.h).
 * 1. prices and flows   by linear duality (Shahrokhi and Matula 1990): any flow bounds the congestion from above, any
 *                       prices of links from below
 * 2. setting up         walks or listed paths of every source, demands of mean 1 */
#include "analysis/bound/throughput_program.h"

/* ---- prices and flows ---- */

static void price_lists(struct program *p, double *load, double *cost, size_t i, const double *length)
{
    const struct path_lists *l = &p->lists;
    double sum = 0;

    for (size_t k = l->source[i]; k < l->source[i + 1]; k++) {
        const double amount = l->amount[k] / p->mean * p->fold.copies[i];
        double least;
        const size_t best = path_lists_cheapest(&least, l, k, length);

        for (size_t x = l->path[best]; x < l->path[best + 1]; x++)
            load[l->link[x]] += amount;
        sum += amount * least;
    }
    *cost = sum;
}

int program_search(struct program *p, size_t i, const double *length, struct err *err)
{
    if (tick(p->o->tick, p->done))
        return err_stopped(err);
    if (!p->listed)
        shortest_find(&p->search, &p->walks[i], length);
    return 0;
}

int program_price(struct program *p, double *load, double *cost, size_t i, const double *length, struct err *err)
{
    if (program_search(p, i, length, err) < 0)
        return -1;
    if (p->listed)
        price_lists(p, load, cost, i, length);
    else
        *cost = shortest_send(load, &p->search, &p->walks[i], p->at[i], fold_view(&p->fold, i)->n,
                              p->fold.copies[i], &p->lost);
    return 0;
}

int program_report(struct program *p, const struct found *f, struct err *err)
{
    const double gap = found_gap(f), start = 0.5, goal = fmax(p->gap, 1e-6);

    p->done = gap > 0 ? fmin(fmax(log(start / gap) / log(start / goal), 0), 0.99) : 0.99;
    tick_say(p->o->tick, "gap %.3g %%, round %zu", 100 * gap, f->rounds);
    return tick(p->o->tick, p->done) ? err_stopped(err) : 0;
}

void found_flow(struct found *f, const struct program *p, const double *load)
{
    double fullest = 0;

    for (size_t c = 0; c < p->fold.nclass; c++)
        fullest = fmax(fullest, load[c] / p->fold.class_capacity[c]);
    if (!(fullest < f->congestion))
        return;
    f->congestion = fullest;
    memcpy(f->load, load, p->fold.nclass * sizeof *load);
}

void found_prices(struct found *f, const struct program *p, const double *length, double cost)
{
    double worth = 0;

    for (size_t c = 0; c < p->fold.nclass; c++)
        worth += length[c] * p->fold.class_capacity[c];
    if (!(cost > f->least * worth))
        return;
    f->least = cost / worth;
    for (size_t c = 0; c < p->fold.nclass; c++)
        f->price[c] = length[c] / worth;
}

int program_prove(struct found *f, struct program *p, double *load, const double *length, struct err *err)
{
    double all = 0, cost;

    for (size_t i = 0; i < p->fold.nsource; i++, all += cost)
        if (program_price(p, load, &cost, i, length, err) < 0)
            return -1;
    found_prices(f, p, length, all);
    return 0;
}

/* ---- setting up ---- */

static int add_walks(struct program *p, struct err *err)
{
    const int slack = p->o->paths == PATHS_SLACK ? p->o->extra : -1;
    double *row;
    int ret = -1;

    if (TAKE("the walks of all sources", err, ARRAY(row, p->fold.net->n), ZEROS(p->walks, p->fold.nsource + 1),
             ZEROS(p->at, p->fold.nsource + 1)) < 0)
        return -1;
    for (size_t i = 0; i < p->fold.nsource; i++) {
        const struct quotient *q = fold_view(&p->fold, i);
        const double bytes = (double)q->n * sizeof **p->at + walks_bytes(q, slack);

        /* Asked again and again, of as many as are still to come: some sources see more than others. */
        if ((tick(p->o->tick, 0) && err_stopped(err) < 0) || ((i & (i - 1)) == 0 &&
            mem_need(bytes * (double)(p->fold.nsource - i), "the walks of all sources", err) < 0))
            goto done;
        if (TAKE("the walks of all sources", err, ARRAY(p->at[i], q->n)) < 0 ||
            walks_open(&p->walks[i], q, fold_root(&p->fold, p->d, i), slack, err) < 0)
            goto done;
        fold_demand(p->at[i], row, &p->fold, p->d, i);
        for (int x = 0; x < q->n; x++)
            p->at[i][x] /= p->mean;
        p->states = p->walks[i].n > p->states ? p->walks[i].n : p->states;
    }
    ret = shortest_open(&p->search, p->states, err);
done:
    free(row);
    return ret;
}

static double pairs_of(const struct demand *d)
{
    return d->uniform ? (double)d->nsource * ((double)d->nsource - 1) : (double)d->first[d->nsource];
}

/* By their geometric mean: narrow and wide links are then as far from 1. Where all are the same they are 1 exactly. */
static void scale_capacities(struct program *p)
{
    bool same = true;
    double sum = 0;

    p->wide = 1;
    if (!p->fold.capacity)
        return;
    for (size_t l = 0; l < p->fold.nlink; l++) {
        sum += log(p->fold.capacity[l]) / (double)p->fold.nlink;
        same = same && p->fold.capacity[l] == p->fold.capacity[0];
    }
    p->wide = same && p->fold.nlink ? p->fold.capacity[0] : exp(sum);
    for (size_t c = 0; c < p->fold.nclass; c++)
        p->fold.class_capacity[c] /= p->wide;
    for (size_t l = 0; l < p->fold.nlink; l++)
        p->fold.capacity[l] /= p->wide;
}

int program_open(struct program *p, struct net *net, const struct demand *d, const struct throughput_options *o,
                        struct err *err)
{
    *p = (struct program){ .o = o, .d = d, .lost = -1, .listed = o->paths == PATHS_FEWEST || o->paths == PATHS_WAYS };
    if (p->listed && o->method == THROUGHPUT_ARCS)
        return err_set(err, ERR_USAGE, "paths that are given one by one need --method columns; arcs is for walks over "
                       "all links");
    p->mean = demand_total(d) / pairs_of(d);
    p->total = demand_total(d) / p->mean;
    /* Which of several shortest paths are listed is no matter of symmetry. */
    if ((o->paths == PATHS_WAYS ? path_lists_ways(&p->lists, &p->fold, net, d, o, err) :
         fold_open(&p->fold, net, d, o->capacity, o->unfolded || p->listed, o->tick, err)) < 0)
        return -1;
    scale_capacities(p);
    if (o->paths == PATHS_WAYS)
        return 0;
    return p->listed ? path_lists_fewest(&p->lists, net, &p->fold, d, o->extra, o->tick, err) : add_walks(p, err);
}

void program_close(struct program *p)
{
    for (size_t i = 0; p->walks && i < p->fold.nsource; i++)
        walks_close(&p->walks[i]);
    free(p->walks);
    mem_free_list(p->at, p->fold.nsource);
    shortest_close(&p->search);
    path_lists_release(&p->lists);
    fold_close(&p->fold);
}

static int far_from_one(double x)
{
    const double e = round(log10(x));

    return isfinite(e) && fabs(e) > 3 ? (int)e : 0;
}

void program_plain(struct plain *out, const struct program *p, const struct found *f)
{
    const int theta = far_from_one(program_theta(p, f->least)), flow = far_from_one(p->wide);

    out->flow = p->wide * pow(10, -flow);
    out->demand = p->mean * pow(10, theta - flow);
    snprintf(out->theta, sizeof out->theta, theta ? "theta_e%s%d" : "theta", theta < 0 ? "m" : "", abs(theta));
}
