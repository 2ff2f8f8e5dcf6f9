/* What cables are like (cables.h); which of them failed is in cables_fail.c.
 *   kinds     the keys bandwidth and latency, a value for all, one per dimension, or one per class of the family; each
 *             class is a kind. Which links are of which kind is worked out when the graph is.
 *   values    the same from a file, edge by edge: equal ones are one kind
 *   measures  rates and times, and what they are in unit links and cycles */
#include "graph/cables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/num.h"
#include "graph/base/quantity.h"
#include "graph/base/spec.h"
#include "graph/topology/topo.h"

const struct spec_key cables_keys[] = {             /* the first two as in cables_value */
    { "bandwidth", "B[+B...]", "of every link, in unit links, as in 2, or as a rate, as in 200Gb/s; per dimension, "
      "where there are several (default 1)" },
    { "latency", "CYCLES[+CYCLES...]", "that a link's length adds to the hop time, or a time, as in 100ns; likewise "
      "(default 0)" },
    { "fail", "A-B|A-B:PORT|switch:A|random:K:SEED[+...]", "what is out: a cable, one of several (by the port at A or "
      "its number from 1), a node, K cables drawn at random (not those to hosts)" },
    { NULL, NULL, NULL }
};

void cables_release(struct cables *c)
{
    mem_free_list(c->port, c->nport);
    FREE(c->kind, c->of, c->down, c->gone);
    *c = (struct cables){ 0 };
}

bool cables_down(const struct cables *c, int node)
{
    return c->ndown && bsearch(&node, c->down, (size_t)c->ndown, sizeof node, num_ascending);
}

struct link_kind cables_least(const struct cables *c)
{
    struct link_kind k = c->kind ? c->kind[0] : (struct link_kind){ 1, 0 };

    for (int i = 1; i < c->nkind; i++)
        k = (struct link_kind){ fmin(k.bandwidth, c->kind[i].bandwidth), fmin(k.length, c->kind[i].length) };
    return k;
}

struct link_kind cables_most(const struct cables *c)
{
    struct link_kind k = c->kind ? c->kind[0] : (struct link_kind){ 1, 0 };

    for (int i = 1; i < c->nkind; i++)
        k = (struct link_kind){ fmax(k.bandwidth, c->kind[i].bandwidth), fmax(k.length, c->kind[i].length) };
    return k;
}

bool cables_uneven(const struct cables *c, size_t nedge)
{
    for (size_t e = 0; c->of && e < nedge; e++)
        if (c->of[2 * e] != c->of[2 * e + 1])
            return true;
    return false;
}

double cables_bandwidth(const struct cables *c, size_t edge)
{
    return !c->kind ? 1 : !c->of ? c->kind->bandwidth :
        (c->kind[c->of[2 * edge]].bandwidth + c->kind[c->of[2 * edge + 1]].bandwidth) / 2;
}

int cables_value(double *out, bool *unit, const char *text, int b, struct err *err)
{
    static const struct { double least, most; const char *says; } limit[2][2] = {
        { { CABLES_LEAST, CABLES_MOST, "1e-6 to 1e6 unit links" }, { 1, 1e18, "1 to 1e18 b/s" } },
        { { 0, CABLES_LONGEST, "0 to 1e12 cycles" }, { 0, 1e6, "0 to 1e6 s" } }
    };

    if (quantity_parse(out, unit, text, b ? QUANTITY_TIME : QUANTITY_RATE, cables_keys[b].name, err) < 0)
        return -1;
    return *out >= limit[b][*unit].least && *out <= limit[b][*unit].most ? 0 :
        err_set(err, ERR_USAGE, "%s is %.40s; it must be from %s", cables_keys[b].name, text, limit[b][*unit].says);
}

/* ---- kinds by keys ---- */

static int cables_classes(const struct net *net)
{
    int n = 0;

    while (net->topo->cable_class && net->topo->cable_class[n])
        n++;
    return n ? n : net_dimensions(net) ? net_dimensions(net) : 1;
}

/* The family's class, or its dimension. */
int cables_class(const struct net *net, int a, int b)
{
    int c[2][NET_DIMENSIONS], d = 0;

    if (net->topo->class_of)
        return net->topo->class_of(net, a, b);
    if (net->lines == LINES_JUMPS) {
        const int jump = a < b ? b - a : a - b;

        while (d + 1 < net->group->ngen && net->group->gen[d] != jump && net->n - net->group->gen[d] != jump)
            d++;
        return d;
    }
    net_coordinates(net, a, c[0]);
    net_coordinates(net, b, c[1]);
    while (d + 1 < net->ndim && c[0][d] == c[1][d])
        d++;
    return d;
}

/* What the keys of a spec give, in unit links and cycles or with units: all of them alike. */
struct keyed {
    struct link_kind *kind;     /* by class */
    bool given[2], unit[2];     /* of bandwidth, of latency */
};

/* A link's bandwidth (b 0) or length (b 1) by a key. */
static int cables_number(struct keyed *k, int class, int b, const char *text, struct err *err)
{
    double v;
    bool unit;

    if (cables_value(&v, &unit, text, b, err) < 0)
        return -1;
    if (k->given[b] && k->unit[b] != unit)
        return err_set(err, ERR_USAGE, "%s is %s, beside one %s unit; write one behind all or behind none",
                       cables_keys[b].name, text, unit ? "without" : "with a");
    *(b ? &k->kind[class].length : &k->kind[class].bandwidth) = v;
    k->given[b] = true;
    k->unit[b] = unit;
    return 0;
}

/* One value for all n classes, or n of them joined by +. */
static int cables_list(struct keyed *k, int n, const char *text, int b, struct err *err)
{
    const char *p = text;

    for (int i = 0; i < n; i++) {
        const size_t len = strcspn(p, "+");
        char number[40];

        snprintf(number, sizeof number, "%.*s", (int)(len < 39 ? len : 39), p);
        if (cables_number(k, i, b, number, err) < 0)
            return -1;
        if (p[len] == '+' && i + 1 < n)
            p += len + 1;
        else if (p[len] == '+' || (p != text && i + 1 < n))
            return err_set(err, ERR_USAGE, "%s is '%.60s'; it must be one value, or %d joined by +",
                           cables_keys[b].name, text, n);
    }
    return 0;
}

/* The key of a class: "global-latency". */
static const char *cables_key(char out[40], const char *name, int length)
{
    snprintf(out, 40, "%s-%s", name, length ? "latency" : "bandwidth");
    return out;
}

/* What the keys give takes the place of what a file says. */
static int cables_take(struct net *net, const struct keyed *k, int n, struct err *err)
{
    struct cables *c = &net->cables;

    if (!c->kind) {
        if (TAKE("the kinds of links", err, ARRAY(c->kind, n)) < 0)
            return -1;
        memcpy(c->kind, k->kind, (size_t)n * sizeof *c->kind);
        c->nkind = 1;
        for (int i = 1; i < n; i++)
            if (c->kind[i].bandwidth != c->kind[0].bandwidth || c->kind[i].length != c->kind[0].length)
                c->nkind = n;
    } else {
        for (int i = 0; i < c->nkind; i++) {
            if (k->given[0])
                c->kind[i].bandwidth = k->kind[0].bandwidth;
            if (k->given[1])
                c->kind[i].length = k->kind[0].length;
        }
    }
    if (k->given[0])
        c->rate = k->unit[0];           /* bits per second, until the unit link is known */
    if (k->given[1])
        c->times = k->unit[1];
    return 0;
}

static int cables_by_keys(struct net *net, const struct spec *spec, struct err *err)
{
    const char *const *name = net->topo->cable_class;
    const int n = cables_classes(net);
    struct keyed k = { .kind = malloc((size_t)n * sizeof *k.kind) };
    int ret = k.kind ? 0 : err_memory(err);

    for (int i = 0; ret == 0 && i < n; i++)
        k.kind[i] = (struct link_kind){ 1, 0 };
    for (int b = 0; ret == 0 && b < 2; b++)
        if (spec_get(spec, cables_keys[b].name))
            ret = cables_list(&k, name ? 1 : n, spec_get(spec, cables_keys[b].name), b, err);
    for (int i = 1; ret == 0 && name && i < n; i++)
        k.kind[i] = k.kind[0];
    for (int i = 0; ret == 0 && name && i < n; i++)
        for (int b = 0; ret == 0 && b < 2; b++) {
            char key[40];
            const char *value = spec_get(spec, cables_key(key, name[i], b));

            if (value && cables_number(&k, i, b, value, err) < 0)
                ret = err_at(err, "%s", key);
        }
    for (int i = 0; ret == 0 && name && i < n && k.unit[0]; i++)
        if (k.kind[i].bandwidth == 1 && !spec_get(spec, "bandwidth"))
            ret = err_set(err, ERR_USAGE, "%s links have no bandwidth, beside others with a rate; give bandwidth= too",
                          name[i]);
    if (ret == 0 && (k.given[0] || k.given[1]))
        ret = cables_take(net, &k, n, err);
    else if (ret < 0)
        err_at(err, "'%.80s'", spec->text);
    free(k.kind);
    return ret;
}

int cables_of(struct net *net, struct err *err)
{
    struct cables *c = &net->cables;
    const size_t nedge = (size_t)igraph_ecount(&net->graph);

    if (cables_alike(c) || c->of)
        return 0;
    if (TAKE("the kinds of links", err, ARRAY(c->of, 2 * nedge + 1)) < 0)
        return -1;
    for (size_t e = 0; e < nedge; e++)
        c->of[2 * e] = c->of[2 * e + 1] = cables_class(net, (int)IGRAPH_FROM(&net->graph, (igraph_integer_t)e),
                                                       (int)IGRAPH_TO(&net->graph, (igraph_integer_t)e));
    return 0;
}

/* ---- kinds by values ---- */

static int cables_order(const void *a, const void *b, void *values)
{
    const struct link_kind *v = values, x = v[*(const size_t *)a], y = v[*(const size_t *)b];

    return x.bandwidth != y.bandwidth ? (x.bandwidth > y.bandwidth) - (x.bandwidth < y.bandwidth) :
        (x.length > y.length) - (x.length < y.length);
}

int cables_values(struct cables *c, size_t nedge, const double *bandwidth, const double *length, struct err *err)
{
    const size_t n = 2 * nedge;
    struct link_kind *value;
    size_t *at;
    int ret = -1;

    if (TAKE("the kinds of links", err, ARRAY(value, n + 1), ARRAY(at, n + 1), ARRAY(c->of, n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        value[i] = (struct link_kind){ bandwidth ? bandwidth[i] : 1, length ? length[i] : 0 };
        at[i] = i;
    }
    qsort_r(at, n, sizeof *at, cables_order, value);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || cables_order(&at[i - 1], &at[i], value) != 0) {
            size_t room = (size_t)c->nkind;

            if (GROW_BY(room, 1, "kinds of links", err, GROWN(c->kind)) < 0)
                goto done;
            c->kind[c->nkind++] = value[at[i]];
        }
        c->of[at[i]] = c->nkind - 1;
    }
    if (c->nkind == 1) {
        free(c->of);
        c->of = NULL;
    }
    ret = 0;
done:
    FREE(value, at);
    return ret;
}

/* ---- measures ---- */

/* The slowest link at a terminal. */
static int cables_slowest(double *out, struct net *net, struct err *err)
{
    const struct cables *c = &net->cables;
    const igraph_t *graph;
    double least = INFINITY;

    if (!net->terminal || cables_alike(c)) {
        least = cables_least(c).bandwidth;
    } else {
        if (net_graph(net, &graph, err) < 0)
            return -1;
        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
            if (net_terminal_index(net, (int)IGRAPH_FROM(graph, e)) >= 0 ||
                net_terminal_index(net, (int)IGRAPH_TO(graph, e)) >= 0)
                for (int i = 0; i < 2; i++)
                    least = fmin(least, c->kind[c->of[2 * e + i]].bandwidth);
    }
    *out = least;
    return isfinite(least) ? 0 : err_set(err, ERR_NETWORK, "%.80s: no link is at a terminal", net->spec);
}

/* Bandwidths as numbers of links of that rate. */
static int cables_divide(struct net *net, double rate, struct err *err)
{
    struct cables *c = &net->cables;

    for (int i = 0; i < c->nkind; i++) {
        const double b = c->kind[i].bandwidth * c->rate / rate;

        if (!(b >= CABLES_LEAST && b <= CABLES_MOST))
            return err_set(err, ERR_USAGE, "%.80s: a link of %g b/s is %g times the unit link's rate; it may be 1e-6 "
                           "to 1e6 times", net->spec, c->kind[i].bandwidth * c->rate, b);
    }
    for (int i = 0; i < c->nkind; i++)
        c->kind[i].bandwidth = c->kind[i].bandwidth * c->rate / rate;
    c->rate = rate;
    return 0;
}

int cables_measure(struct net *net, double rate, double cycle, double more, struct err *err)
{
    struct cables *c = &net->cables;

    if (c->rate > 0 && !isnan(rate) && cables_divide(net, rate, err) < 0)
        return -1;
    if (!isnan(rate))
        c->rate = rate;
    for (int i = 0; c->times && !isnan(cycle) && i < c->nkind; i++)
        c->kind[i].length /= cycle;
    c->times = c->times && isnan(cycle);
    if (more > 0 && !c->kind) {
        if (TAKE("the kinds of links", err, ARRAY(c->kind, 1)) < 0)
            return -1;
        *c->kind = (struct link_kind){ 1, 0 };
        c->nkind = 1;
    }
    for (int i = 0; i < c->nkind; i++)
        c->kind[i].length += more;
    return 0;
}

/* ---- a spec ---- */

static int cables_append(struct net *net, const struct spec *spec, const char *key, struct err *err)
{
    const char *value = spec_get(spec, key);

    return value ? spec_append(&net->spec, err, ",%s=%s", key, value) : 0;
}

int cables_open(struct net *net, const struct spec *spec, struct err *err)
{
    const char *const *name = net->topo->cable_class, *fail = spec_get(spec, "fail");
    double unit;

    if (cables_by_keys(net, spec, err) < 0 ||
        (net->cables.rate > 0 && (cables_slowest(&unit, net, err) < 0 || cables_divide(net, unit, err) < 0)) ||
        (fail && cables_fail(net, fail, err) < 0))
        return -1;
    for (int i = 0; name && name[i]; i++)
        for (int b = 0; b < 2; b++) {
            char key[40];

            if (cables_append(net, spec, cables_key(key, name[i], b), err) < 0)
                return -1;
        }
    for (const struct spec_key *k = cables_keys; k->name; k++)
        if (cables_append(net, spec, k->name, err) < 0)
            return -1;
    return 0;
}
