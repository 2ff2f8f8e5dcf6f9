/* What cables are like (cables.h): which link is of which kind, worked out by class of the family when the graph is
 * made, or by the values of a file, where equal ones are one kind. Keys of a spec are in cables_open.c, failures in
 * cables_fail.c. */
#include "graph/cables.h"

#include <igraph.h>

#include "graph/base/quantity.h"
#include "graph/topology/topo.h"

const struct spec_key cables_keys[] = {             /* the first two as in cables_value */
    { "bandwidth", "B[+B...]", "of every link, in unit links, as in 2, or as a rate, as in 200Gb/s; per dimension, "
      "where there are several (default 1)" },
    { "latency", "CYCLES[+CYCLES...]", "that a link's length adds to the hop time, or a time, as in 100ns; likewise "
      "(default 0)" },
    { "hosts", "P", "of every switch, where the family's nodes are switches and terminals in one: P terminals hang at each "
      "instead (default: none)" },
    TOPO_CLASS_KEYS("host", "to hosts"),
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

bool cables_uneven(const struct net *net)
{
    const int *of = net->cables.of;

    for (igraph_integer_t e = 0; of && net->has_graph && e < igraph_ecount(&net->graph); e++)
        if (of[2 * e] != of[2 * e + 1])
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
    static const struct { double least, most; const char *says; } limit[2] = {
        { CABLES_LEAST, CABLES_MOST, "1e-6 to 1e6 unit links" }, { 0, CABLES_LONGEST, "0 to 1e12 cycles" }
    };
    const enum quantity kind = b ? QUANTITY_TIME : QUANTITY_RATE;
    const char *what = cables_keys[b].name;

    if (quantity_parse(out, unit, text, kind, what, err) < 0)
        return -1;
    if (*unit)
        return quantity_limit(*out, text, kind, what, err);
    return *out >= limit[b].least && *out <= limit[b].most ? 0 :
        err_set(err, ERR_USAGE, "%s is %.40s; it must be from %s", what, text, limit[b].says);
}

/* ---- kinds by class ---- */

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
