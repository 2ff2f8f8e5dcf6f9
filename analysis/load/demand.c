/* demand.c -- what pairs of nodes ask for (demand.h).
 * 1. lists     pairs of a traffic's matrix or streams, by source; those of the same ends added up
 * 2. routings  told what is asked for, pair by pair
 * 3. marks     pairs by amount, for symmetries that keep the demand */
#include "analysis/load/demand.h"
#include "graph/base/bisect.h"
#include "graph/base/order.h"

#define MOST_AMOUNTS 1000       /* that differ, of a traffic that symmetry is looked for in */

/* ---- lists ---- */

struct pair {
    int source, target;
    double amount;
};

ORDER(by_ends, struct pair, UP(source) UP(target))

/* Sorted; pairs of the same ends add up. */
static size_t merge(struct pair *pair, size_t n)
{
    size_t kept = 0;

    qsort(pair, n, sizeof *pair, by_ends);
    for (size_t i = 0; i < n; i++)
        if (kept && by_ends(&pair[kept - 1], &pair[i]) == 0)
            pair[kept - 1].amount += pair[i].amount;
        else
            pair[kept++] = pair[i];
    return kept;
}

double demand_stream(const struct demand *d, size_t k)
{
    const struct traffic_pace p = traffic_pace(d->traffic, (int)k, (struct traffic_pace){ d->time, d->time });

    return d->traffic->stream[k].share * (p.time / p.interval);
}

/* Whether at no node two sources send, and each asks for 1 in all. */
static int demand_single(bool *single, const struct demand *d, struct err *err)
{
    const struct traffic *t = d->traffic;
    bool *sends;

    if (TAKE("the senders", err, ZEROS(sends, d->net->n)) < 0)
        return -1;
    *single = true;
    for (size_t i = 0; i < traffic_sources(t); i++) {
        const struct stream *c = &t->stream[traffic_first(t, i)];

        *single = *single && !sends[c->source] && demand_stream(d, traffic_first(t, i)) == c->share;
        sends[c->source] = true;
    }
    free(sends);
    return 0;
}

static int streams(struct pair **out, size_t *n, struct demand *d, struct err *err)
{
    const struct traffic *t = d->traffic;
    const enum traffic_own own = traffic_own(t);

    if (own == OWN_SOME)
        return err_set(err, ERR_USAGE, "some channels of %.200s have an interval of their own and others not: what "
                       "each asks for is not said", t->spec);
    if (TAKE("the senders", err, ARRAY(*out, t->nstream)) < 0)
        return -1;
    d->unit = own == OWN_ALL ? DEMAND_GIVEN : DEMAND_STREAM;
    for (size_t i = 0; i < t->nstream; i++)
        (*out)[i] = (struct pair){ t->stream[i].source, t->stream[i].target, demand_stream(d, i) };
    *n = merge(*out, t->nstream);
    if (own == OWN_NONE) {
        bool single = false;

        if (demand_single(&single, d, err) < 0)
            return -1;
        d->unit = single ? DEMAND_NODE : DEMAND_STREAM;
    }
    return 0;
}

static int lists(struct demand *d, size_t sources, size_t n, struct err *err)
{
    return TAKE("the traffic", err, ARRAY(d->source, sources + 1), ARRAY(d->first, sources + 1),
                ARRAY(d->target, n), ARRAY(d->amount, n));
}

static int matrix(struct demand *d, const struct tick *t, struct err *err)
{
    const int terminals = d->net->nterminal;
    const size_t most = (size_t)terminals * (size_t)terminals;
    size_t n = 0;

    if (lists(d, (size_t)terminals, most, err) < 0)
        return -1;
    for (int i = 0; i < terminals; i++) {
        const int source = net_terminal(d->net, i);

        if (tick_check(t, 0, err) < 0)
            return -1;
        d->source[d->nsource] = source;
        d->first[d->nsource] = n;
        for (int k = 0; k < terminals; k++) {
            const int target = net_terminal(d->net, k);
            const double share = source == target ? 0 : d->traffic->kind->share(d->traffic, source, target);

            if (share > 0) {
                d->target[n] = target;
                d->amount[n++] = share;
            }
        }
        d->nsource += n > d->first[d->nsource];         /* what sends nothing is no source */
    }
    d->first[d->nsource] = n;
    return 0;
}

static int keep(struct demand *d, const struct pair *pair, size_t n, struct err *err)
{
    if (lists(d, n, n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || pair[i].source != pair[i - 1].source) {
            d->first[d->nsource] = i;
            d->source[d->nsource++] = pair[i].source;
        }
        d->target[i] = pair[i].target;
        d->amount[i] = pair[i].amount;
    }
    d->first[d->nsource] = n;
    return 0;
}

static int every_terminal(struct demand *d, struct err *err)
{
    d->nsource = (size_t)d->net->nterminal;
    if (TAKE("the senders", err, ARRAY(d->source, d->nsource)) < 0)
        return -1;
    for (int i = 0; i < d->net->nterminal; i++)
        d->source[i] = net_terminal(d->net, i);
    return 0;
}

int demand_open(struct demand *d, const struct traffic *traffic, double time, const struct tick *tick, struct err *err)
{
    struct pair *pair = NULL;
    size_t n = 0;
    int ret;

    *d = (struct demand){ .traffic = traffic, .net = traffic->net, .unit = DEMAND_NODE, .time = time,
                          .uniform = traffic->matrix && traffic->kind->even };
    if (d->uniform)
        ret = every_terminal(d, err);
    else if (traffic->matrix)
        ret = matrix(d, tick, err);
    else
        ret = streams(&pair, &n, d, err) < 0 ? -1 : keep(d, pair, n, err);
    free(pair);
    if (ret < 0)
        demand_close(d);
    return ret;
}

void demand_close(struct demand *d)
{
    FREE(d->source, d->first, d->target, d->amount);
    *d = (struct demand){ 0 };
}

void demand_row(const struct demand *d, size_t i, double *row)
{
    memset(row, 0, (size_t)d->net->n * sizeof *row);
    if (!d->uniform) {
        for (size_t k = d->first[i]; k < d->first[i + 1]; k++)
            row[d->target[k]] = d->amount[k];
        return;
    }
    for (int k = 0; k < d->net->nterminal; k++)
        row[net_terminal(d->net, k)] = 1.0 / (d->net->nterminal - 1);
    row[d->source[i]] = 0;
}

double demand_total(const struct demand *d)
{
    double sum = 0;

    for (size_t k = 0; !d->uniform && k < d->first[d->nsource]; k++)
        sum += d->amount[k];
    return d->uniform ? (double)d->nsource : sum;
}

/* ---- routings ---- */

static int tell_one(struct routing *r, const struct demand *d, const struct tick *tick, struct err *err)
{
    const size_t most = d->uniform ? d->nsource * d->nsource : d->first[d->nsource];
    struct routing_demand *pair;
    size_t n = 0;
    double *row;
    int ret;

    if (TAKE("the traffic", err, ARRAY(row, d->net->n), ARRAY(pair, most)) < 0)
        return -1;
    for (size_t i = 0; i < d->nsource; i++) {
        demand_row(d, i, row);
        for (int v = 0; v < d->net->n; v++)
            if (row[v] > 0)
                pair[n++] = (struct routing_demand){ d->source[i], v, row[v] };
    }
    ret = r->tell(r, pair, n, tick, err);
    FREE(row, pair);
    return ret;
}

int demand_tell(struct routing *routing, size_t n, const struct traffic *traffic, double time, const struct tick *tick,
                struct err *err)
{
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(tick, i, n);
        struct demand d;

        if (!routing[i].tell)
            continue;
        ret = demand_open(&d, traffic, time, &part, err) < 0 ? err_at(err, "'%.100s'", routing[i].spec) :
            tell_one(&routing[i], &d, &part, err);
        demand_close(&d);
    }
    return ret;
}

/* ---- marks ---- */

/* Amounts that differ, ascending, and how often each occurs. */
struct amounts {
    double value[MOST_AMOUNTS];
    size_t count[MOST_AMOUNTS];
    int n;
};

/* The first that is not below the value. */
static int amount_at(const struct amounts *a, double value)
{
    int at;

    BISECT(at, 0, a->n, i, a->value[i] < value);
    return at;
}

/* Whether there was room for it. */
static bool add_amount(struct amounts *a, double value)
{
    const int at = amount_at(a, value);

    if (at == a->n || a->value[at] != value) {
        if (a->n == MOST_AMOUNTS)
            return false;
        memmove(a->value + at + 1, a->value + at, (size_t)(a->n - at) * sizeof *a->value);
        memmove(a->count + at + 1, a->count + at, (size_t)(a->n - at) * sizeof *a->count);
        a->value[at] = value;
        a->count[at] = 0;
        a->n++;
    }
    a->count[at]++;
    return true;
}

/* The colour that needs no marks: what most pairs ask for, where all ask for something; else it is nothing, -1. */
static int usual_amount(const struct amounts *a, size_t n, size_t all)
{
    for (int i = 0; i < a->n && n == all; i++)
        if (2 * a->count[i] >= all)
            return i;
    return -1;
}

int demand_marks(struct marks *out, const struct demand *d, struct err *err)
{
    const size_t n = d->uniform ? 0 : d->first[d->nsource],
        all = (size_t)d->net->nterminal * (size_t)(d->net->nterminal - 1);
    struct amounts *a;
    struct marks m = { 0 };
    int usual;

    if (TAKE("the traffic", err, ZEROS(a, 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!add_amount(a, d->amount[i])) {
            free(a);
            *out = (struct marks){ .n = SIZE_MAX };
            return 0;
        }
    usual = usual_amount(a, n, all);
    m.n = usual < 0 ? n : n - a->count[usual];
    if (TAKE("the traffic", err, ARRAY(m.from, m.n), ARRAY(m.to, m.n), ARRAY(m.colour, m.n)) < 0) {
        free(a);
        return -1;
    }
    m.n = 0;
    for (size_t s = 0; n && s < d->nsource; s++)
        for (size_t k = d->first[s]; k < d->first[s + 1]; k++) {
            const int colour = amount_at(a, d->amount[k]);

            if (colour == usual)
                continue;
            m.from[m.n] = d->source[s];
            m.to[m.n] = d->target[k];
            m.colour[m.n++] = colour;
        }
    free(a);
    *out = m;
    return 0;
}
