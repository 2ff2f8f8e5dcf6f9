#include "analysis/policy/split.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/lp.h"
#include "analysis/load/flows_spread.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"

#define PRICED 1e-7             /* prices of a round sum to 1 */
#define MEETS 1e-7
#define SLACK 1e-9              /* of bounds that rounding made unreachable */

/* The ways as columns, before the solver sees them. */
struct program {
    const struct latency_study *s;
    const struct flows *f;
    double scale;               /* the largest demand: the program's is 1 */
    double *demand;             /* by source, scaled */
    size_t n, *injection;            /* columns */
    size_t *first, nentry, room;
    int *link;                  /* by entry: a link in use, by its number among them */
    double *value;              /* part of the way's messages that cross it, times demand */
    size_t npair;
    size_t *pair;               /* npair + 1: the columns of a pair are consecutive */
    double *part;
    size_t nused;
    int *number, *used;         /* of a link among those in use, -1: none; and back */
    double *capacity;           /* by link in use */

    struct lp *lp;
    bool *fixed;                /* by link in use */
    double *bound, *weight;
};

static void program_release(struct program *p)
{
    lp_close(p->lp);
    free(p->demand);
    free(p->injection);
    free(p->first);
    free(p->link);
    free(p->value);
    free(p->pair);
    free(p->part);
    free(p->number);
    free(p->used);
    free(p->capacity);
    free(p->fixed);
    free(p->bound);
    free(p->weight);
}

/* ---- demand --------------------------------------------------------------------------------------------------- */

/* In transmission times per interval: 1 of a source without a time or interval of its own. */
static void split_demands(double *demand, const struct latency_study *s)
{
    flows_offered(demand, &s->flows, (struct traffic_pace){ s->o.collide.time, s->o.collide.time });
}

static int check_intervals(const struct flows *f, struct err *err)
{
    return traffic_own(f->traffic) != OWN_SOME ? 0 :
        err_set(err, ERR_DOMAIN, "some channels have intervals of their own and others have none: what each adds to a link's load is not "
                "known; give all of them one, or none");
}

int split_loads(double *load, const struct latency_study *s, struct err *err)
{
    const struct flows *f = &s->flows;
    double *demand;
    int ret;

    if (check_intervals(f, err) < 0)
        return -1;
    demand = malloc((f->nsource + 1) * sizeof *demand);
    if (!demand)
        return err_memory(err);
    split_demands(demand, s);
    ret = flows_load(f, demand, load, NULL, err);
    free(demand);
    return ret;
}

/* ---- ways as columns ------------------------------------------------------------------------------------------ */

static bool allowed(const struct latency_study *s, size_t injection)
{
    return s->flows.injection_option[injection] == s->option[s->flows.injection_source[injection]];
}

static int add_entry(struct program *p, int link, double value, struct err *err)
{
    for (size_t i = p->first[p->n]; i < p->nentry; i++)         /* a folded way may take links of a kind again and again */
        if (p->link[i] == link) {
            p->value[i] += value;
            return 0;
        }
    if (GROW(&p->room, p->nentry + 1, "a linear program of shares", err, GROWN(p->link), GROWN(p->value)) < 0)
        return -1;
    p->link[p->nentry] = link;
    p->value[p->nentry++] = value;
    return 0;
}

static int add_links(struct program *p, size_t injection, struct flows_spread *w, struct err *err)
{
    const struct flows *f = p->f;
    double mass = p->demand[f->injection_source[injection]];
    int s = f->injection_state[injection], ret = add_entry(p, f->port_link[f->injection_port[injection]], mass, err);

    flows_spread_add(w, s, mass);
    while (flows_spread_next(w, &s, &mass))
        for (uint32_t e = f->edge_first[s]; ret == 0 && e < f->edge_first[s + 1]; e++)
            ret = add_entry(p, f->port_link[f->edge_port[e]], mass * f->edge_share[e], err);
    return ret;
}

/* Columns, pairs and entries; ways that the routing gives no messages are ways nevertheless. */
static int add_columns(struct program *p, struct err *err)
{
    const struct flows *f = p->f;
    struct flows_spread w = { 0 };
    int last = -1, ret = flows_spread_open(&w, f, err);

    for (size_t i = 0; ret == 0 && i < f->ninjection; i++) {
        if (!allowed(p->s, i))
            continue;
        if (f->injection_pair[i] != last) {
            p->pair[p->npair] = p->n;
            p->part[p->npair++] = 0;
            last = f->injection_pair[i];
        }
        p->part[p->npair - 1] += f->injection_given[i];
        p->injection[p->n] = i;
        p->first[p->n] = p->nentry;
        ret = add_links(p, i, &w, err);
        p->n++;
        if (ret == 0 && (double)p->nentry > SPLIT_ENTRIES)
            ret = err_set(err, ERR_DOMAIN, "the ways of these messages cross links more than %g times: too much for a linear program; offer "
                          "fewer ways or messages", SPLIT_ENTRIES);
    }
    p->pair[p->npair] = p->n;
    p->first[p->n] = p->nentry;
    flows_spread_close(&w);
    return ret;
}

static int number_links(struct program *p, const double *capacity, struct err *err)
{
    for (size_t l = 0; l < p->f->nlink; l++)
        p->number[l] = -1;
    for (size_t i = 0; i < p->nentry; i++) {
        const int l = p->link[i];

        if (p->number[l] < 0) {
            p->capacity[p->nused] = capacity ? capacity[l] : 1;
            if (!(p->capacity[p->nused] > 0 && isfinite(p->capacity[p->nused])))
                return err_set(err, ERR_DOMAIN, "a link's capacity is %g; it must be positive", p->capacity[p->nused]);
            p->used[p->nused] = l;
            p->number[l] = (int)p->nused++;
        }
        p->link[i] = p->number[l];
    }
    return 0;
}

/* Rows are one per pair and two per link, columns the shares, a load per link and L: before anything is built. */
static int check_size(const struct program *p, struct err *err)
{
    const struct flows *f = p->f;
    size_t columns = 0, pairs = 0;
    int last = -1;
    double rows;

    for (size_t i = 0; i < f->ninjection; i++)
        if (allowed(p->s, i)) {
            columns++;
            pairs += f->injection_pair[i] != last;
            last = f->injection_pair[i];
        }
    rows = (double)pairs + 2 * (double)f->nlink;
    if (rows <= SPLIT_ROWS && columns <= SPLIT_COLUMNS)
        return mem_need(24.0 * (double)f->ninjection + 24.0 * (double)f->nstate + 60.0 * (double)f->nlink, "a linear program of shares", err);
    return err_set(err, ERR_DOMAIN, "a linear program of %.0f rows (pairs, links) and %zu columns (ways) is too large here; %d and %d are "
                   "taken: fewer ways or messages, or a smaller network", rows, columns, SPLIT_ROWS, SPLIT_COLUMNS);
}

static int program_fill(struct program *p, const double *capacity, struct err *err)
{
    const struct flows *f = p->f;

    if (check_intervals(f, err) < 0 || check_size(p, err) < 0)
        return -1;
    p->demand = malloc((f->nsource + 1) * sizeof *p->demand);
    p->injection = malloc((f->ninjection + 1) * sizeof *p->injection);
    p->first = malloc((f->ninjection + 1) * sizeof *p->first);
    p->pair = malloc((f->ninjection + 1) * sizeof *p->pair);
    p->part = malloc((f->ninjection + 1) * sizeof *p->part);
    p->number = malloc((f->nlink + 1) * sizeof *p->number);
    p->used = malloc((f->nlink + 1) * sizeof *p->used);
    p->capacity = malloc((f->nlink + 1) * sizeof *p->capacity);
    p->fixed = calloc(f->nlink + 1, sizeof *p->fixed);
    p->bound = calloc(f->nlink + 1, sizeof *p->bound);
    p->weight = calloc(f->nlink + 1, sizeof *p->weight);
    if (!p->demand || !p->injection || !p->first || !p->pair || !p->part || !p->number || !p->used || !p->capacity || !p->fixed || !p->bound ||
        !p->weight)
        return err_memory(err);
    split_demands(p->demand, p->s);
    for (size_t i = 0; i < f->nsource; i++)
        p->scale = fmax(p->scale, p->demand[i]);
    for (size_t i = 0; i < f->nsource; i++)
        p->demand[i] /= p->scale;
    return add_columns(p, err) < 0 ? -1 : number_links(p, capacity, err);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Rows: pairs; what makes up a load; load <= L x capacity. Columns: shares; loads; L. */
static int load_row(const struct program *p, size_t k)
{
    return (int)(p->npair + k);
}

static int level_row(const struct program *p, size_t k)
{
    return (int)(p->npair + p->nused + k);
}

static int load_column(const struct program *p, size_t k)
{
    return (int)(p->n + k);
}

static int level_column(const struct program *p)
{
    return (int)(p->n + p->nused);
}

/* What both file formats take as a name; where something had to go, or others may be called the same, a number makes it one of
 * its own. */
static const char *plain(char *name, size_t size, size_t number, bool changed)
{
    for (char *c = name; *c; c++)
        if (!((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || strchr("()/,._", *c))) {
            changed = changed || *c != '-';
            *c = *c == '-' ? '/' : '_';
        }
    if (changed) {
        const size_t len = strlen(name);

        snprintf(name + len, size - len, "#%zu", number);
    }
    return name;
}

#define NAME 256                /* no more is taken */
#define CUT 230                 /* of labels, before a number that makes up for what is lost */

/* However it branches, a way ends at its target: the first node where flows are folded. */
static int target_of(const struct flows *f, size_t injection)
{
    int state = f->injection_state[injection], port = f->injection_port[injection];
    size_t link;

    for (; f->edge_first[state] < f->edge_first[state + 1]; state = f->edge_child[f->edge_first[state]])
        port = f->edge_port[f->edge_first[state]];
    link = (size_t)f->port_link[port];
    return f->copies > 1 ? 0 : f->link_to[link] < 0 ? f->link_from[link] : f->link_to[link];
}

static const char *way_name(char out[NAME], const struct program *p, size_t column, size_t pair, bool numbered)
{
    const struct flows *f = p->f;
    const size_t injection = p->injection[column];
    const int channel = f->source[f->injection_source[injection]].channel;
    char *label = NULL, number[30] = "";
    int len;

    if (numbered)
        snprintf(number, sizeof number, ",%zu", column - p->pair[pair] + 1);
    if (channel >= 0)
        label = traffic_channel_label(f->traffic, (size_t)channel);
    else
        label = net_label_pair(f->net, f->injection_node ? f->injection_node[injection] : f->source[f->injection_source[injection]].node, ",",
                               target_of(f, injection));
    len = snprintf(out, CUT, "%s(%s%s)", numbered ? "share" : "pair", label ? label : "", number);
    free(label);
    return plain(out, NAME, numbered ? column : pair,
                 len >= CUT || (channel >= 0 && !f->traffic->channel[channel].name));
}

static const char *link_name(char out[NAME], const struct program *p, size_t k, const char *what)
{
    const struct flows *f = p->f;
    const int l = p->used[k];
    char label[2][NET_LABEL];
    const int len = snprintf(out, CUT, "%s(%s,%s)", what, net_label(f->net, f->link_from[l], label[0]),
                             f->link_to[l] < 0 ? "out" : net_label(f->net, f->link_to[l], label[1]));

    return plain(out, NAME, k, len >= CUT);
}

static int build_rows(struct program *p, struct err *err)
{
    char name[NAME];
    bool ok = true;

    for (size_t i = 0; ok && i < p->npair; i++)
        ok = lp_row(p->lp, p->part[i], p->part[i], way_name(name, p, p->pair[i], i, false), err) >= 0;
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_row(p->lp, 0, 0, link_name(name, p, k, "sum"), err) >= 0;
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_row(p->lp, -INFINITY, 0, link_name(name, p, k, "level"), err) >= 0;
    return ok ? 0 : -1;
}

static int build_columns(struct program *p, struct err *err)
{
    int *row = malloc((p->nused + 2) * sizeof *row);
    double *value = malloc((p->nused + 2) * sizeof *value);
    bool ok = row && value;
    char name[NAME];

    if (!ok)
        err_memory(err);
    for (size_t i = 0, pair = 0; ok && i < p->n; i++) {
        size_t n = 1;

        while (i >= p->pair[pair + 1])
            pair++;
        row[0] = (int)pair;
        value[0] = 1;
        for (size_t e = p->first[i]; e < p->first[i + 1]; e++, n++) {
            row[n] = load_row(p, (size_t)p->link[e]);
            value[n] = p->value[e];
        }
        ok = lp_column(p->lp, 0, INFINITY, 0, way_name(name, p, i, pair, true), n, row, value, err) >= 0;
    }
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_column(p->lp, 0, INFINITY, 0, link_name(name, p, k, "load"), 2, (const int[]){ load_row(p, k), level_row(p, k) },
                       (const double[]){ -1, 1 }, err) >= 0;
    for (size_t k = 0; ok && k < p->nused; k++) {
        row[k] = level_row(p, k);
        value[k] = -p->capacity[k];
    }
    ok = ok && lp_column(p->lp, 0, INFINITY, 1, "largest", p->nused, row, value, err) >= 0;
    free(row);
    free(value);
    return ok ? 0 : -1;
}

/* All messages over the first way of their pair, L as large as that takes: a basis that is feasible. */
static int begin(struct program *p, struct err *err)
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
        ok = lp_place_row(p->lp, (int)i, LP_AT_LOWER, err) == 0 && lp_place_column(p->lp, (int)p->pair[i], LP_BASIC, err) == 0;
    for (size_t k = 0; ok && k < p->nused; k++)
        ok = lp_place_row(p->lp, load_row(p, k), LP_AT_LOWER, err) == 0 && lp_place_column(p->lp, load_column(p, k), LP_BASIC, err) == 0;
    return ok && lp_place_row(p->lp, level_row(p, fullest), LP_AT_UPPER, err) == 0 &&
        lp_place_column(p->lp, level_column(p), LP_BASIC, err) == 0 ? 0 : -1;
}

/* ---- rounds --------------------------------------------------------------------------------------------------- */

/* Weights of the links: the prices of bounds, none of the wrong sign. */
static void read_weights(struct program *p)
{
    for (size_t k = 0; k < p->nused; k++)
        p->weight[k] = fmax(0, p->fixed[k] ? -lp_reduced_cost(p->lp, load_column(p, k)) : -lp_price(p->lp, level_row(p, k)));
}

/* sum over pairs of part x its cheapest way, where a way costs its links' weights, and its length where that counts; less what
 * the fixed links may carry. */
static double bound_below(const struct program *p, bool lengths)
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

static int certify(double *gap, double value, double bound, double unit, const char *what, struct err *err)
{
    const double off = fabs(value - bound) / unit;

    *gap = fmax(*gap, off);
    return off <= MEETS ? 0 : err_set(err, ERR_INTERNAL, "the linear program of the %s gave %.12g, but its prices prove %.12g", what, value,
                                      bound);
}

/* Where rounding left no way to keep the bounds, they give way by a billionth. */
static int solve(struct program *p, const struct tick *tick, struct err *err)
{
    enum lp_end end;

    if (lp_solve(p->lp, 0, &end, tick, err) < 0)
        return -1;
    for (size_t k = 0; end == LP_INFEASIBLE && k < p->nused; k++)
        if (p->fixed[k]) {
            p->bound[k] += SLACK * fmax(p->bound[k], p->capacity[k]);
            if (lp_bound_column(p->lp, load_column(p, k), 0, p->bound[k], err) < 0)
                return -1;
        }
    if (end == LP_INFEASIBLE && lp_solve(p->lp, 0, &end, tick, err) < 0)
        return -1;
    return end == LP_OPTIMAL ? 0 : err_set(err, ERR_INTERNAL, "a linear program of shares has no solution, though it must have one");
}

static int fix(struct program *p, size_t k, double bound, struct err *err)
{
    p->fixed[k] = true;
    p->bound[k] = bound;
    return lp_bound_row(p->lp, level_row(p, k), -INFINITY, INFINITY, err) < 0 ? -1 :
        lp_bound_column(p->lp, load_column(p, k), 0, bound, err);
}

/* The links that are full in every optimum; how many. All of them where L is 0. */
static int fix_full(size_t *n, struct program *p, double level, bool empty, struct err *err)
{
    double most = 0;

    *n = 0;
    for (size_t k = 0; k < p->nused; k++)
        most = fmax(most, p->fixed[k] ? 0 : p->weight[k] * p->capacity[k]);
    for (size_t k = 0; k < p->nused; k++)
        if (!p->fixed[k] && (empty || p->weight[k] * p->capacity[k] > fmin(PRICED, most / 2))) {
            if (fix(p, k, empty ? 0 : level * p->capacity[k], err) < 0)
                return -1;
            ++*n;
        }
    return 0;
}

static void first_prices(struct split *y, const struct program *p, double level)
{
    for (size_t k = 0; k < p->nused; k++)
        y->price[p->used[k]] = p->weight[k] * level * p->scale;
}

static int levels(struct split *y, struct program *p, const struct split_options *o, struct err *err)
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
        if (solve(p, &here, err) < 0)
            return -1;
        level = lp_value(p->lp, level_column(p));
        read_weights(p);
        for (size_t k = 0; k < p->nused; k++)
            open += p->fixed[k] ? 0 : p->weight[k] * p->capacity[k];
        if (y->rounds++ == 0) {
            unit = level;
            first_prices(y, p, level);
        }
        empty = level <= SLACK * unit;          /* no load is less than none: nothing to prove */
        if (!empty && certify(&y->gap, level, bound_below(p, false) / open, unit, "largest load", err) < 0)
            return -1;
        if (o->first)
            return 0;
        if (fix_full(&n, p, level, empty, err) < 0)
            return -1;
    }
    return 0;
}

static int shortest(struct split *y, struct program *p, const struct split_options *o, struct err *err)
{
    const struct tick here = tick_part(o->tick, 1, 1);
    double length;
    bool ok = lp_cost(p->lp, level_column(p), 0, err) == 0 && lp_bound_column(p->lp, level_column(p), 0, INFINITY, err) == 0;

    for (size_t i = 0; ok && i < p->n; i++)
        ok = lp_cost(p->lp, (int)i, p->f->injection_hops[p->injection[i]], err) == 0;
    if (!ok || solve(p, &here, err) < 0)
        return -1;
    length = lp_objective(p->lp);
    read_weights(p);
    return certify(&y->gap, length, bound_below(p, true), length, "mean length", err);
}

/* ---- results -------------------------------------------------------------------------------------------------- */

static void read_shares(struct split *y, const struct program *p)
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
    struct split y = { .share = calloc(s->flows.ninjection + 1, sizeof *y.share), .load = calloc(s->flows.nlink + 1, sizeof *y.load),
                       .price = calloc(s->flows.nlink + 1, sizeof *y.price) };
    struct program p = { .s = s, .f = &s->flows };
    int ret = -1;

    if (!y.share || !y.load || !y.price)
        err_memory(err);
    else if (program_fill(&p, o->capacity, err) == 0 && lp_open(&p.lp, "split", false, err) == 0 && build_rows(&p, err) == 0 &&
             build_columns(&p, err) == 0 && (!o->write || lp_write(p.lp, o->write, err) == 0) && begin(&p, err) == 0 &&
             levels(&y, &p, o, err) == 0 && (o->first || shortest(&y, &p, o, err) == 0)) {
        read_shares(&y, &p);
        ret = 0;
    }
    program_release(&p);
    if (ret < 0)
        split_release(&y);
    else
        *out = y;
    return ret;
}

void split_release(struct split *p)
{
    free(p->share);
    free(p->load);
    free(p->price);
    *p = (struct split){ 0 };
}

int split_apply(struct latency_study *s, const struct split *p, struct err *err)
{
    memcpy(s->flows.injection_share, p->share, s->flows.ninjection * sizeof *p->share);
    s->collide.warm = false;
    return flows_overlap(&s->flows, s->o.collide.tick, err) < 0 ? -1 : latency_capacity(s, err);
}
