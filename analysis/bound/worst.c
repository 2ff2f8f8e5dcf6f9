/* The worst permutation of an oblivious routing (worst.h), link by link.
 *   parts        what part of each pair's messages crosses a link (parts.h), one link at a time
 *   alike        links that symmetries take to each other, where the routing has those of the network
 *   bounds       what no assignment of targets to sources can put on a link: the links are taken in that order
 *   assignments  the most that one can, until no bound of those left is above the best found
 *   report       loads, lengths and uniform traffic beside it */
#include "analysis/bound/worst.h"

#include <float.h>
#include <omp.h>

#include "analysis/bound/capacity.h"
#include "analysis/bound/fold.h"
#include "analysis/bound/parts.h"
#include "graph/base/order.h"
#include "graph/numeric/assignment.h"

#define ALIKE 1e-10             /* loads that differ by less are one: of links alike it is the first in their order */
#define MOST_AT_ONCE 8          /* links looked at side by side */

struct job {
    struct net *net;
    struct flows flows;
    bool folded;
    bool over_any;              /* flows are those of the legs: from terminal to terminal by the base */
    int n;                      /* terminals */
    size_t nlink;
    const double *capacity;     /* by link of the flows; NULL: 1 each */
    struct parts parts;
    size_t *alike;              /* by link: the first that some symmetry takes it to, which answers for it */
    double *bound;              /* by link: no assignment puts more on it, by its capacity */
    struct answer *answer;      /* by link */
    size_t norder, *order;      /* links, one of those alike, the largest bound first */
};
struct answer {
    bool looked_at;
    double load, bound;         /* of the assignment, and by its prices */
    int *target;                /* terminal by terminal, -1 */
    double *part;               /* of those that send */
};

/* How much more than one leg all legs of a pair come to: of n stops, the source and the target each spare one. */
static double both_legs(const struct job *j)
{
    return j->over_any ? 2.0 * (j->n - 1) / j->n : 1;
}

static double load_by_capacity(const struct job *j, size_t link)
{
    return j->answer[link].load / capacity_of(j->capacity, link);
}

static void forget(struct answer *a)
{
    FREE(a->target, a->part);
    a->target = NULL;
    a->part = NULL;
}

/* ---- alike ---- */

/* Symmetries of network and capacities are the routing's as well where it does not ask for numbers; cables that differ
 * are left alone, and routings by groups, which not all of them keep. */
static int find_alike(struct job *j, const struct routing *routing, const struct traffic *traffic, bool unfolded,
                      const struct tick *go, struct err *err)
{
    struct fold fold = { 0 };
    struct demand d = { 0 };
    size_t *first;
    int ret = -1;

    if (TAKE("the worst traffic", err, ARRAY(j->alike, j->nlink + 1)) < 0)
        return -1;
    for (size_t l = 0; l < j->nlink; l++)
        j->alike[l] = l;
    if (unfolded || !routing->symmetric || routing->by_group || !cables_alike(&j->net->cables) ||
        j->net->cables.parallel)
        return 0;
    if (demand_open(&d, traffic, 1, go, err) < 0 || fold_open(&fold, j->net, &d, j->capacity, false, go, err) < 0)
        goto done;
    if (TAKE("the worst traffic", err, ARRAY(first, fold.nclass + 1)) < 0)
        goto done;
    memset(first, -1, fold.nclass * sizeof *first);
    for (size_t l = 0; l < j->nlink; l++) {         /* folded, a link is node 0's: those are the first */
        size_t *f = &first[fold_class(&fold, l)];

        *f = *f == SIZE_MAX ? l : *f;
        j->alike[l] = *f;
    }
    free(first);
    ret = 0;
done:
    fold_close(&fold);
    demand_close(&d);
    return ret;
}

/* ---- bounds ---- */

/* Three sets of prices that any assignment respects: of rows alone, of columns alone, and of columns at their mean,
 * which is right where a part is a sum of what belongs to the source and to the target. */
static double bound_link(const struct job *j, const struct parts_of *link, double *row, double *column, double *price)
{
    const struct part *from = link->part, *to = link->n ? link->part + link->n : from;
    double sum[3] = { 0, 0, 0 }, least = INFINITY, legs = 0;

    memset(row, 0, (size_t)j->n * sizeof *row);
    memset(column, 0, (size_t)j->n * sizeof *column);
    memset(price, 0, (size_t)j->n * sizeof *price);
    for (const struct part *e = from; e < to; e++) {
        row[e->row] = fmax(row[e->row], e->part);
        column[e->column] = fmax(column[e->column], e->part);
        price[e->column] += e->part / j->n;
        legs += 2 * e->part / j->n;
    }
    if (j->over_any)
        return legs;
    for (int i = 0; i < j->n; i++) {
        sum[0] += row[i];
        sum[1] += column[i];
        sum[2] += price[i];
        least = fmin(least, price[i]);
    }
    for (int i = 0; i < j->n; i++)
        row[i] = -least;                /* a pair of which nothing crosses */
    for (const struct part *e = from; e < to; e++)
        row[e->row] = fmax(row[e->row], e->part - price[e->column]);
    for (int i = 0; i < j->n; i++)
        sum[2] += row[i];
    return fmin(fmin(sum[0], sum[1]), sum[2]);
}

struct ordered {
    double bound;
    size_t link;
};

ORDER(by_bound, struct ordered, DOWN(bound) UP(link))

static int order_links(struct job *j, const struct tick *go, struct err *err)
{
    const size_t n = (size_t)j->n + 1;
    double *work;
    struct ordered *all;
    struct parts_of link = { 0 };
    int ret = -1;

    if (TAKE("the worst traffic", err, ARRAY(work, 3 * n), ARRAY(all, j->nlink + 1), ARRAY(j->bound, j->nlink + 1),
             ARRAY(j->order, j->nlink + 1), ZEROS(j->answer, j->nlink + 1)) < 0)
        return -1;
    if (parts_of_open(&link, &j->parts, err) < 0)
        goto done;
    for (size_t l = 0; l < j->nlink; l++) {
        if (tick_check(go, (double)l / (double)j->nlink, err) < 0)
            goto done;
        if (j->alike[l] != l)
            continue;
        if (parts_of_link(&link, l, err) < 0)
            goto done;
        j->bound[l] = bound_link(j, &link, work, work + n, work + 2 * n) / capacity_of(j->capacity, l);
        all[j->norder++] = (struct ordered){ (float)j->bound[l], l };   /* no order should follow rounding's noise */
    }
    qsort(all, j->norder, sizeof *all, by_bound);
    for (size_t l = 0; l < j->norder; l++)
        j->order[l] = all[l].link;
    ret = 0;
done:
    parts_of_close(&link);
    FREE(work, all);
    return ret;
}

/* ---- assignments ---- */

/* The rows and columns of a link that have entries, numbered; the fewer of the two become the assignment's rows. */
struct dense {
    int *row, *column;          /* by terminal: its number, or -1 */
    int *row_of, *column_of;    /* back */
    int rows, columns;
    bool turned;
    double *weight;
    struct parts_of link;
};

static void dense_close(struct dense *d)
{
    FREE(d->row, d->weight);
    parts_of_close(&d->link);
    *d = (struct dense){ 0 };
}

/* Those marked, in their order: what comes out does not depend on how links were met. */
static int number(int *of, int *back, int n)
{
    int many = 0;

    for (int i = 0; i < n; i++)
        if (of[i] == 0) {
            back[many] = i;
            of[i] = many++;
        }
    return many;
}

static int dense_open(struct dense *d, const struct job *j, size_t link, struct err *err)
{
    const size_t n = (size_t)j->n;

    *d = (struct dense){ 0 };
    if (TAKE("an assignment", err, ARRAY(d->row, 4 * n)) < 0 || parts_of_open(&d->link, &j->parts, err) < 0 ||
        parts_of_link(&d->link, link, err) < 0)
        return -1;
    d->column = d->row + n;
    d->row_of = d->column + n;
    d->column_of = d->row_of + n;
    memset(d->row, -1, 2 * n * sizeof *d->row);
    for (const struct part *e = d->link.part; e < d->link.part + d->link.n; e++)
        d->row[e->row] = d->column[e->column] = 0;
    d->rows = number(d->row, d->row_of, j->n);
    d->columns = number(d->column, d->column_of, j->n);
    d->turned = d->rows > d->columns;
    if (TAKE("an assignment", err, ZEROS(d->weight, (size_t)d->rows * (size_t)d->columns + 1)) < 0)
        return -1;
    for (const struct part *e = d->link.part; e < d->link.part + d->link.n; e++) {
        const size_t r = (size_t)d->row[e->row], c = (size_t)d->column[e->column];

        d->weight[d->turned ? c * (size_t)d->rows + r : r * (size_t)d->columns + c] = e->part;
    }
    return 0;
}

/* Over any of n terminals, what crosses a link is a sum of what belongs to the source, its first legs, and to the
 * target, its second ones, unless both are one: every permutation that leaves none in place is as bad, and none is
 * worse. */
static int solve_legs(struct answer *out, const struct job *j, size_t link, struct err *err)
{
    struct parts_of w = { 0 };
    int ret = -1;

    if (parts_of_open(&w, &j->parts, err) < 0 || parts_of_link(&w, link, err) < 0)
        goto done;
    for (const struct part *e = w.part; e < w.part + w.n; e++) {
        out->part[e->row] += e->part / j->n;
        out->part[(e->column + j->n - 1) % j->n] += e->part / j->n;
    }
    for (int i = 0; i < j->n; i++) {
        out->load += out->part[i];
        out->target[i] = out->part[i] > 0 ? (i + 1) % j->n : -1;
    }
    out->bound = out->load;
    out->looked_at = true;
    ret = 0;
done:
    parts_of_close(&w);
    return ret;
}

/* enough: loads of no interest. */
static int solve_link(struct answer *out, const struct job *j, size_t link, double enough, const struct tick *go,
                      struct err *err)
{
    struct assignment a = { 0 };
    struct dense d;
    int ret = -1;

    if (TAKE("the worst traffic", err, ARRAY(out->target, (size_t)j->n + 1), ZEROS(out->part, (size_t)j->n + 1)) < 0)
        return -1;
    for (int i = 0; i < j->n; i++)
        out->target[i] = -1;
    if (j->over_any)
        return solve_legs(out, j, link, err);
    if (dense_open(&d, j, link, err) == 0 &&
        assignment_open(&a, d.weight, d.turned ? d.columns : d.rows, d.turned ? d.rows : d.columns, enough, go,
                        err) == 0) {
        for (int i = 0; !a.given_up && i < a.rows; i++) {
            const double part = d.weight[(size_t)i * (size_t)a.columns + (size_t)a.to[i]];
            const int row = d.row_of[d.turned ? a.to[i] : i];

            if (part > 0) {
                out->target[row] = d.column_of[d.turned ? i : a.to[i]];
                out->part[row] = part;
            }
        }
        out->load = a.value;            /* 0 where given up */
        out->bound = a.bound;
        out->looked_at = true;
        ret = 0;
    }
    assignment_close(&a);
    dense_close(&d);
    return ret;
}

/* tick is for one thread at a time. */
static int one_at_a_time(void *arg, double done)
{
    int stop;

#pragma omp critical(worst_tick)
    stop = tick(arg, done);
    return stop;
}

/* Links in their order, some side by side: how many, and which are left out, does not depend on the threads. `best`
 * is the most found, by capacity. */
static int solve_links(struct job *j, bool all, int jobs, const struct tick *go, struct err *err)
{
    double best = 0;
    size_t batch = 1;
    struct err why[MOST_AT_ONCE];
    int bad[MOST_AT_ONCE];

    for (size_t from = 0; from < j->norder; from += batch, batch = batch < MOST_AT_ONCE ? 2 * batch : MOST_AT_ONCE) {
        struct tick part = tick_part(go, (double)from / (double)j->norder, (double)from / (double)j->norder);
        const struct tick calls = { one_at_a_time, &part, 0, 1, NULL };
        const size_t many = j->norder - from < batch ? j->norder - from : batch;
        const int threads = jobs > 0 ? jobs : omp_get_max_threads();

        if (tick(&part, 0))
            return err_stopped(err);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (many > 1)
        for (size_t k = 0; k < many; k++) {
            const size_t link = j->order[from + k];
            const double enough = all ? -INFINITY : best * (1 + ALIKE);

            why[k] = (struct err){ 0 };
            bad[k] = j->bound[link] > enough && j->bound[link] > 0 ?
                solve_link(&j->answer[link], j, link, enough * capacity_of(j->capacity, link), &calls, &why[k]) : 0;
        }
        for (size_t k = 0; k < many; k++) {
            const size_t link = j->order[from + k];

            if (bad[k] < 0) {
                *err = why[k];
                return -1;
            }
            best = fmax(best, load_by_capacity(j, link));
        }
        for (size_t k = 0; k < from + many; k++)
            if (load_by_capacity(j, j->order[k]) < best * (1 - ALIKE))
                forget(&j->answer[j->order[k]]);
        if (!all && j->bound[j->order[from + many - 1]] * (1 + 4 * (double)FLT_EPSILON) <= best)
            break;
    }
    return 0;
}

/* ---- what comes of it ---- */

static size_t worst_link(const struct job *j)
{
    double most = 0;
    size_t l;

    for (l = 0; l < j->nlink; l++)
        most = fmax(most, load_by_capacity(j, l));
    for (l = 0; load_by_capacity(j, j->order[l]) < most * (1 - ALIKE);)
        l++;
    return j->order[l];
}

/* Hops of the pairs that send, and of all pairs under uniform traffic. Over any terminal: the mean of the first legs of
 * the source and of the second ones to the target. */
static int find_hops(struct worst *w, const struct job *j, struct err *err)
{
    const struct flows *f = &j->flows;
    double sum = 0, all = 0, *legs;
    size_t pairs = 0;

    if (TAKE("the worst traffic", err, ZEROS_IF(j->over_any, legs, 2 * (size_t)j->n)) < 0)
        return -1;
    for (size_t injection = 0; injection < f->ninjection; pairs++) {
        const struct pair p = parts_pair(&j->parts, injection);
        double hops = 0;

        for (; injection < p.to; injection++)
            hops += f->injection_hops[injection] * f->injection_share[injection] / p.all;
        all += hops;
        for (int k = 0; k < (j->folded ? j->n : 1); k++) {      /* the pairs it stands for */
            const int s = j->folded ? group_add(j->net->group, p.source, k) : p.source,
                      t = j->folded ? group_add(j->net->group, p.target, k) : p.target;

            if (legs) {
                legs[s] += hops / j->n;
                legs[j->n + t] += hops / j->n;
            } else if (w->target[s] == net_terminal(j->net, t)) {
                w->distance[s] = hops;
            }
        }
    }
    for (int i = 0; i < j->n; i++)
        if (w->target[i] >= 0) {
            if (legs)
                w->distance[i] = legs[i] + legs[j->n + net_terminal_index(j->net, w->target[i])];
            sum += w->distance[i];
            w->senders++;
        }
    w->hops = sum / w->senders;
    w->uniform_hops = all / (double)pairs * both_legs(j);
    free(legs);
    return 0;
}

static int find_uniform(struct worst *w, double **load, const struct job *j, struct err *err)
{
    if (TAKE("the worst traffic", err, ARRAY(*load, j->nlink + 1)) < 0 ||
        flows_load(&j->flows, NULL, *load, NULL, err) < 0)
        return -1;
    w->uniform = INFINITY;
    for (size_t l = 0; l < j->nlink; l++)
        if (((*load)[l] *= both_legs(j)) > 0)
            w->uniform = fmin(w->uniform, capacity_of(j->capacity, l) / (*load)[l]);
    return 0;
}

struct step {
    int to;
    size_t link;
};

ORDER(by_end, struct step, UP(to))

/* All links of the network, from those of node 0 where folded. */
static int spread_links(struct worst *w, const struct job *j, const double *uniform, struct err *err)
{
    const struct flows *f = &j->flows;
    const int nodes = j->folded ? j->net->n : 1;
    const size_t n = j->nlink * (size_t)nodes;
    struct step *step;

    if (TAKE("loads of links", err, ARRAY(w->link_from, n), ARRAY(w->link_to, n), ARRAY(w->link_worst, n),
             ARRAY(w->link_uniform, n), ARRAY(step, j->nlink)) < 0)
        return -1;
    w->nall = n;
    for (int v = 0; v < nodes; v++) {
        for (size_t l = 0; l < j->nlink; l++)
            step[l] = (struct step){ j->folded ? group_add(j->net->group, v, f->link_to[l]) : f->link_to[l], l };
        if (j->folded)
            qsort(step, j->nlink, sizeof *step, by_end);
        for (size_t l = 0; l < j->nlink; l++) {
            const size_t at = (size_t)v * j->nlink + l;

            w->link_from[at] = j->folded ? v : f->link_from[l];
            w->link_to[at] = step[l].to;
            w->link_worst[at] = j->answer[j->alike[step[l].link]].load;
            w->link_uniform[at] = uniform[step[l].link];
        }
    }
    free(step);
    return 0;
}

static int report(struct worst *w, const struct job *j, const struct worst_options *o, struct err *err)
{
    const size_t n = (size_t)j->n, best = worst_link(j);
    const struct answer *a = &j->answer[best];
    double *uniform = NULL;
    int ret = -1;

    w->n = j->n;
    w->nlink = j->nlink;
    if (TAKE("the worst traffic", err, ARRAY(w->target, n + 1), ZEROS(w->part, n + 1), ARRAY(w->distance, n + 1)) < 0)
        return -1;
    w->from = j->flows.link_from[best];
    w->to = j->flows.link_to[best];
    w->capacity = capacity_of(j->capacity, best);
    w->load = a->load;
    w->theta = w->capacity / a->load;
    for (size_t k = 0; k < j->norder; k++) {
        const size_t l = j->order[k];
        const struct answer *b = &j->answer[l];

        w->solved += b->looked_at;
        w->bound = fmax(w->bound, b->looked_at ? b->bound / capacity_of(j->capacity, l) : j->bound[l]);
    }
    w->gap = w->bound * w->theta < 1 ? 0 : w->bound * w->theta - 1;
    for (size_t i = 0; i < n; i++) {
        w->target[i] = a->target[i] < 0 ? -1 : net_terminal(j->net, a->target[i]);
        w->part[i] = a->part[i];
        w->distance[i] = NAN;
    }
    if (find_hops(w, j, err) == 0 && find_uniform(w, &uniform, j, err) == 0)
        ret = o->every_link ? spread_links(w, j, uniform, err) : 0;
    free(uniform);
    return ret;
}

static void job_close(struct job *j)
{
    for (size_t l = 0; j->answer && l < j->nlink; l++)
        forget(&j->answer[l]);
    FREE(j->answer, j->alike, j->bound, j->order);
    parts_close(&j->parts);
    flows_release(&j->flows);
}

/* Capacities that differ make links differ that would look alike. */
static int worst_check(bool *invariant, struct net *net, const double *capacity, struct err *err)
{
    struct trunks t;
    int ret = 0;

    *invariant = true;
    if (!capacity)
        return 0;
    if (trunks_open_net(&t, net, false, err) < 0)
        return -1;
    *invariant = capacity_invariant(net, &t, capacity);
    for (size_t l = 0; ret == 0 && l < t.nlink; l++)
        if (!(capacity[l] > 0) || isinf(capacity[l]))
            ret = err_set(err, ERR_DOMAIN, "the capacity of link %zu of %.200s is %g; it must be above 0 and finite",
                          l, net->spec, capacity[l]);
    trunks_release(&t);
    return ret;
}

/* Routings with ways have an injection for each: what they come to, by the ways of one pair, before they are listed.
 * States come on top: ways that end alike share them. */
static int forecast(struct net *net, struct routing *routing, bool folded, struct err *err)
{
    const double n = net->nterminal;
    struct ways ways = { 0 };
    int ret = 0;

    if (routing->route->ways && n > 1) {
        ret = routing->route->ways(&ways, routing, NULL, net_terminal(net, 0), net_terminal(net, net->nterminal - 1),
                                   err);
        if (ret == 0)
            ret = mem_need(flows_injection_bytes() * (double)ways.n * n * (folded ? 1 : n), "the ways of all pairs",
                           err);
        ways_release(&ways);
    }
    return ret;
}

int worst_open(struct worst *out, struct net *net, struct routing *routing, const double *capacity,
               const struct worst_options *o, struct err *err)
{
    const struct tick building = tick_part(o->tick, 0, 0.3), walking = tick_part(o->tick, 0.3, 0.6),
                      solving = tick_part(o->tick, 0.6, 1);
    struct flows_options fo = { .apart = true, .tick = &building };
    struct job j = { .net = net, .n = net->nterminal, .capacity = capacity, .over_any = routing->over_any };
    struct routing *flowing = j.over_any ? routing->base : routing;
    struct traffic traffic = { 0 };
    struct worst w = { 0 };
    bool invariant;
    int ret = -1;

    if (routing->tell)
        return err_set(err, ERR_USAGE, "routing '%.200s' chooses its paths for a traffic and so is not oblivious: it "
                       "has no worst case; `metapath latency --traffic` shows what it makes of one", routing->spec);
    if (routing->by_bandwidth)
        return err_set(err, ERR_USAGE, "routing '%.200s' chooses by waits (shares=bandwidth) and so is not oblivious: "
                       "leave out shares for a worst case", routing->spec);
    if (worst_check(&invariant, net, capacity, err) < 0)
        return -1;
    fo.unfolded = !invariant || o->unfolded;
    if (traffic_open(&traffic, net, "uniform", err) < 0 ||
        forecast(net, flowing, traffic.invariant && flowing->invariant && !fo.unfolded, err) < 0 ||
        flows_open(&j.flows, &traffic, flowing, 1, &fo, err) < 0)
        goto done;
    j.folded = j.flows.state_node != NULL;
    j.nlink = j.flows.nlink;
    if (parts_open(&j.parts, net, &j.flows, err) == 0 &&
        find_alike(&j, routing, &traffic, o->unfolded, &walking, err) == 0 && order_links(&j, &walking, err) == 0 &&
        solve_links(&j, o->every_link, o->jobs, &solving, err) == 0)
        ret = report(&w, &j, o, err);
done:
    job_close(&j);
    traffic_release(&traffic);
    if (ret < 0)
        worst_close(&w);
    else
        *out = w;
    return ret;
}

void worst_close(struct worst *w)
{
    FREE(w->target, w->part, w->distance, w->link_from, w->link_to, w->link_worst, w->link_uniform);
    *w = (struct worst){ 0 };
}

int worst_traffic(struct traffic *out, struct net *net, const char *routing, const double *capacity,
                  const struct worst_options *o, struct err *err)
{
    struct traffic t = { .kind = traffic_find("worst", err), .net = net };
    struct routing r = { 0 };
    struct worst w = { 0 };
    int *to = NULL, ret = -1;
    double *own = NULL;

    if (!capacity && !o->unit && capacity_open(&own, net, NULL, err) < 0)
        goto done;
    if (TAKE("the worst traffic", err, ARRAY(to, net->nterminal)) < 0 || routing_open(&r, net, routing, err) < 0 ||
        worst_open(&w, net, &r, own ? own : capacity, o, err) < 0 ||
        spec_append(&t.spec, err, "worst:%s", r.spec) < 0)
        goto done;
    for (int i = 0; i < w.n; i++)
        to[i] = w.target[i] < 0 ? i : net_terminal_index(net, w.target[i]);
    ret = traffic_permutation(&t, to, err);
done:
    if (ret == 0)
        *out = t;
    else
        traffic_release(&t);
    FREE(own, to);
    worst_close(&w);
    routing_close(&r);
    return ret;
}
