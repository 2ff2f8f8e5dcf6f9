/* The keys of a spec about cables (cables.h).
 *   kinds     bandwidth and latency, a value for all, one per dimension, or one per class of the family: each class is
 *             a kind
 *   measures  rates and times, and what they are in unit links and cycles
 *   spec      all keys in their order, at the end of the canonical spec */
#include "graph/cables.h"

#include <igraph.h>

#include "graph/base/spec.h"
#include "graph/topology/topo.h"

/* ---- kinds ---- */

/* Classes with names; hosts that hang at switches are the first of theirs. */
static int cables_named(const struct net *net)
{
    int n = net->switches ? 1 + cables_named(net->switches) : 0;

    while (net->topo->cable_class && net->topo->cable_class[n])
        n++;
    return n;
}

static const char *cables_name(const struct net *net, int class)
{
    return class >= cables_named(net) ? NULL : !net->switches ? net->topo->cable_class[class] :
        class ? cables_name(net->switches, class - 1) : "host";
}

/* Classes that are dimensions, or all cables in one. */
static int cables_nameless(const struct net *net)
{
    const struct net *of = net->switches ? net->switches : net;

    return of->topo->cable_class ? 0 : net_dimensions(of) ? net_dimensions(of) : 1;
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

/* One value for all classes, or one for each of the n from `first`, joined by +. */
static int cables_list(struct keyed *k, int first, int n, const char *text, int b, struct err *err)
{
    const char *p = text;

    for (int i = strchr(text, '+') ? 0 : -first; i < n; i++) {
        const size_t len = strcspn(p, "+");
        char number[40];

        snprintf(number, sizeof number, "%.*s", (int)(len < 39 ? len : 39), p);
        if (cables_number(k, first + i, b, number, err) < 0)
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
    const int named = cables_named(net), nameless = cables_nameless(net), n = named + nameless;
    struct keyed k = { .kind = malloc((size_t)n * sizeof *k.kind) };
    int ret = k.kind ? 0 : err_memory(err);

    for (int i = 0; ret == 0 && i < n; i++)
        k.kind[i] = (struct link_kind){ 1, 0 };
    for (int b = 0; ret == 0 && b < 2; b++)
        if (spec_get(spec, cables_keys[b].name))
            ret = cables_list(&k, nameless ? named : n - 1, nameless ? nameless : 1, spec_get(spec, cables_keys[b].name),
                              b, err);
    for (int i = 0; ret == 0 && i < named; i++)
        for (int b = 0; ret == 0 && b < 2; b++) {
            char key[40];
            const char *value = spec_get(spec, cables_key(key, cables_name(net, i), b));

            if (value && cables_number(&k, i, b, value, err) < 0)
                ret = err_at(err, "%s", key);
        }
    for (int i = 0; ret == 0 && i < n && named && k.unit[0]; i++)
        if (k.kind[i].bandwidth == 1 && !spec_get(spec, "bandwidth"))
            ret = err_set(err, ERR_USAGE, "%s links have no bandwidth, beside others with a rate; give bandwidth= too",
                          i < named ? cables_name(net, i) : "other");
    if (ret == 0 && (k.given[0] || k.given[1]))
        ret = cables_take(net, &k, n, err);
    else if (ret < 0)
        err_at(err, "'%.80s'", spec->text);
    free(k.kind);
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

/* ---- spec ---- */

static int cables_append(struct net *net, const struct spec *spec, const char *key, struct err *err)
{
    const char *value = spec_get(spec, key);

    return value ? spec_append(&net->spec, err, ",%s=%s", key, value) : 0;
}

int cables_open(struct net *net, const struct spec *spec, struct err *err)
{
    const char *fail = spec_get(spec, "fail");
    const int named = cables_named(net);
    double unit;

    for (int b = 0; b < 2 && !(named && strcmp(cables_name(net, 0), "host") == 0); b++) {
        char key[40];

        if (spec_get(spec, cables_key(key, "host", b)))
            return err_set(err, ERR_USAGE, "'%.80s': %s is of links to hosts, and there are none; add hosts=",
                           spec->text, key);
    }
    if (cables_by_keys(net, spec, err) < 0 ||
        (net->cables.rate > 0 && (cables_slowest(&unit, net, err) < 0 || cables_divide(net, unit, err) < 0)) ||
        (fail && cables_fail(net, fail, err) < 0))
        return -1;
    if (net->switches && cables_append(net, spec, "hosts", err) < 0)
        return -1;
    for (int i = 0; i < named; i++)
        for (int b = 0; b < 2; b++) {
            char key[40];

            if (cables_append(net, spec, cables_key(key, cables_name(net, i), b), err) < 0)
                return -1;
        }
    for (const struct spec_key *k = cables_keys; k->name; k++)
        if (strncmp(k->name, "host", 4) != 0 && cables_append(net, spec, k->name, err) < 0)
            return -1;
    return 0;
}
