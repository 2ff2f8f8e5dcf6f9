#include "analysis/demand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

struct pair {
    int source, target;
    double amount;
};

static int by_ends(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    return p->source != q->source ? (p->source > q->source) - (p->source < q->source) : (p->target > q->target) - (p->target < q->target);
}

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

double demand_channel(const struct demand *d, size_t k)
{
    const struct channel *c = &d->traffic->channel[k];
    const double holds = isnan(c->time) ? d->time : c->time;

    return holds / (isnan(c->interval) ? d->time : c->interval);
}

static int channels(struct pair **out, size_t *n, struct demand *d, struct err *err)
{
    const struct traffic *t = d->traffic;
    size_t own = 0;

    for (size_t i = 0; i < t->nchannel; i++)
        own += isnan(t->channel[i].interval) ? 0 : 1;
    if (own && own < t->nchannel)
        return err_set(err, ERR_USAGE, "some channels of %.200s have an interval of their own and others not: what each asks for is not "
                       "said", t->spec);
    *out = malloc(t->nchannel * sizeof **out);
    if (!*out)
        return err_memory(err);
    d->unit = own ? DEMAND_GIVEN : DEMAND_CHANNEL;
    for (size_t i = 0; i < t->nchannel; i++)
        (*out)[i] = (struct pair){ t->channel[i].source, t->channel[i].target, demand_channel(d, i) };
    *n = merge(*out, t->nchannel);
    if (!own && *n == t->nchannel) {            /* a permutation, or part of one */
        bool single = true;

        for (size_t i = 0; i < *n; i++)
            single = single && (*out)[i].amount == 1 && (i == 0 || (*out)[i].source != (*out)[i - 1].source);
        d->unit = single ? DEMAND_NODE : DEMAND_CHANNEL;
    }
    return 0;
}

static int matrix(struct pair **out, size_t *n, const struct demand *d, struct err *err)
{
    const int terminals = d->net->nterminal;
    const size_t most = (size_t)terminals * (size_t)terminals;

    if (mem_need((double)most * (sizeof **out + sizeof *d->target + sizeof *d->amount), "the traffic's matrix", err) < 0)
        return -1;
    *out = malloc(most * sizeof **out);
    if (!*out)
        return err_memory(err);
    *n = 0;
    for (int i = 0; i < terminals; i++)
        for (int k = 0; k < terminals; k++) {
            const int s = net_terminal(d->net, i), t = net_terminal(d->net, k);
            const double share = s == t ? 0 : d->traffic->kind->share(d->traffic, s, t);

            if (share > 0)
                (*out)[(*n)++] = (struct pair){ s, t, share };
        }
    return 0;
}

static int keep(struct demand *d, const struct pair *pair, size_t n, struct err *err)
{
    d->source = malloc((n + 1) * sizeof *d->source);
    d->first = malloc((n + 1) * sizeof *d->first);
    d->target = malloc((n + 1) * sizeof *d->target);
    d->amount = malloc((n + 1) * sizeof *d->amount);
    if (!d->source || !d->first || !d->target || !d->amount)
        return err_memory(err);
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
    d->source = malloc(d->nsource * sizeof *d->source);
    if (!d->source)
        return err_memory(err);
    for (int i = 0; i < d->net->nterminal; i++)
        d->source[i] = net_terminal(d->net, i);
    return 0;
}

int demand_open(struct demand *d, const struct traffic *traffic, double time, struct err *err)
{
    struct pair *pair = NULL;
    size_t n = 0;
    int ret;

    *d = (struct demand){ .traffic = traffic, .net = traffic->net, .unit = DEMAND_NODE, .time = time, .uniform = traffic->matrix && strcmp(traffic->kind->name, "uniform") == 0 };
    if (d->uniform)
        ret = every_terminal(d, err);
    else
        ret = (traffic->matrix ? matrix(&pair, &n, d, err) : channels(&pair, &n, d, err)) < 0 ? -1 : keep(d, pair, n, err);
    free(pair);
    if (ret < 0)
        demand_close(d);
    return ret;
}

void demand_close(struct demand *d)
{
    free(d->source);
    free(d->first);
    free(d->target);
    free(d->amount);
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

/* ---- marks ---- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Each amount that occurs is a colour; the most frequent needs no marks where it is that of most pairs. */
int demand_marks(struct marks *out, bool *any, const struct demand *d, struct err *err)
{
    const size_t n = d->uniform ? 0 : d->first[d->nsource], all = (size_t)d->net->nterminal * (size_t)(d->net->nterminal - 1);
    int *from = malloc((n + 1) * sizeof *from), *to = malloc((n + 1) * sizeof *to), *colour = malloc((n + 1) * sizeof *colour);
    double *value = malloc((n + 1) * sizeof *value);
    size_t values = 0, kept = 0, run = 0, longest = 0;
    double usual = NAN;

    *any = false;
    if (!from || !to || !colour || !value) {
        free(from);
        free(to);
        free(colour);
        free(value);
        return err_memory(err);
    }
    if (n)
        memcpy(value, d->amount, n * sizeof *value);
    qsort(value, n, sizeof *value, by_value);
    for (size_t i = 0; i < n; i++) {
        run = i && value[i] == value[i - 1] ? run + 1 : 1;
        if (run > longest) {
            longest = run;
            usual = value[i];
        }
    }
    if (n < all || 2 * longest < all)           /* pairs without demand are the usual ones */
        usual = NAN;
    for (size_t i = 0; i < n; i++)
        if (values == 0 || value[i] != value[values - 1])
            value[values++] = value[i];
    for (size_t s = 0; n && s < d->nsource; s++)
        for (size_t k = d->first[s]; k < d->first[s + 1]; k++)
            if (d->amount[k] != usual) {
                const double *at = bsearch(&d->amount[k], value, values, sizeof *value, by_value);

                from[kept] = d->source[s];
                to[kept] = d->target[k];
                colour[kept++] = (int)(at - value);
            }
    free(value);
    *out = (struct marks){ kept, from, to, colour };
    *any = kept > 0;
    return 0;
}
