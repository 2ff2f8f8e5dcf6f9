/* Bounds on bisections (bisection.h).
 * 1. lower bound    the greatest load of shortest paths: of a group from one source, else by igraph
 * 2. upper bound    splits by orders of the nodes, improved by exchanges; an entry weighs 1, or its bandwidth
 * 3. all splits     of small networks, by branch and bound from there
 * 4. both           in cables or in bandwidth, rounded to a possible cut */
#include "analysis/network/bisection.h"

#include <igraph.h>

#include "graph/distance/distances.h"

#define MOST_EDGES 2e7          /* of networks that are split */
#define MOST_WORK 4e7           /* nodes x links: seconds of edge betweenness in igraph */
#define MOST_EXCHANGE 3000      /* nodes: exchanges are quadratic */
#define MOST_EXACT 24           /* nodes of which all splits are looked at */

/* ---- lower bound ---- */

/* Weight of a cable of generator i: 1, or its bandwidth. */
static double group_width(const struct net *net, int i, bool bandwidth)
{
    const struct cables *c = &net->cables;

    return !bandwidth || !c->kind ? 1 :
        c->kind[cables_alike(c) ? 0 : cables_class(net, 0, net->group->gen[i])].bandwidth;
}

/* Translation-invariant: the loads that source 0 puts on the cables of each generator, summed, are the load of every
 * cable of it. Brandes 2001, from one source. */
static int group_load(double *load, const struct net *net, const uint32_t *D, bool bandwidth, struct err *err)
{
    const struct group *g = net->group;
    int degree = group_degree(g), *step, *of, *order, *start;
    double *paths, *flow, *sum;
    uint32_t longest = 0;

    for (int v = 0; v < g->n; v++)
        longest = D[v] > longest ? D[v] : longest;
    if (TAKE("the bisection", err, ARRAY(step, degree), ARRAY(of, degree), ARRAY(order, g->n), ZEROS(paths, g->n),
             ZEROS(flow, g->n), ZEROS(sum, g->ngen), ZEROS(start, (size_t)longest + 2)) < 0)
        return -1;
    group_steps(g, step, of);
    for (int v = 0; v < g->n; v++)
        start[D[v] + 1]++;
    for (uint32_t d = 0; d <= longest; d++)
        start[d + 1] += start[d];
    for (int v = 0; v < g->n; v++)
        order[start[D[v]]++] = v;
    paths[0] = 1;
    for (int i = 0; i < g->n; i++)
        for (int e = 0; e < degree; e++) {
            int w = group_add(g, order[i], step[e]);

            if (D[w] == D[order[i]] + 1)
                paths[w] += paths[order[i]];
        }
    for (int i = g->n - 1; i > 0; i--)
        for (int e = 0; e < degree; e++) {
            int v = order[i], w = group_add(g, v, group_negative(g, step[e]));

            if (D[w] + 1 == D[v]) {
                double part = (1 + flow[v]) * paths[w] / paths[v];

                flow[w] += part;
                sum[of[e]] += part;
            }
        }
    *load = 0;
    for (int i = 0; i < g->ngen; i++)           /* a generator that is its own inverse has half as many cables */
        *load = fmax(*load, (group_negative(g, g->gen[i]) == g->gen[i] ? 2 * sum[i] : sum[i]) /
                     group_width(net, i, bandwidth));
    FREE(step, of, order, start, paths, flow, sum);
    return 0;
}

/* The greatest load per unit of bandwidth; parallel cables share theirs. */
static int trunk_load(double *most, const struct net *net, const igraph_t *graph, const igraph_vector_t *loads,
                      struct err *err)
{
    struct csr c = { 0 };
    double *load, *width;

    if (csr_init(&c, graph, false, err) < 0)
        return -1;
    if (TAKE("the bisection", err, ZEROS(load, c.m), ZEROS(width, c.m)) < 0) {
        csr_release(&c);
        return -1;
    }
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
        const size_t k = net->directed || from < to ? csr_link(&c, from, to) : csr_link(&c, to, from);

        load[k] += VECTOR(*loads)[e];
        width[k] += cables_bandwidth(&net->cables, (size_t)e);
    }
    *most = 0;
    for (size_t k = 0; k < c.m; k++)
        *most = width[k] > 0 ? fmax(*most, load[k] / width[k]) : *most;
    FREE(load, width);
    csr_release(&c);
    return 0;
}

/* The greatest load over ordered pairs of terminals, by igraph. */
static int graph_load(double *load, struct net *net, const igraph_t *graph, bool bandwidth, struct err *err)
{
    igraph_vector_t loads = { 0 };
    igraph_vector_int_t terminal = { 0 };
    int ret = -1;

    if (net_status(igraph_vector_init(&loads, 0), "bisection", err) < 0 ||
        net_status(igraph_vector_int_init(&terminal, net->nterminal), "bisection", err) < 0)
        goto done;
    for (int k = 0; k < net->nterminal; k++)
        VECTOR(terminal)[k] = net_terminal(net, k);
    if (net_status(igraph_edge_betweenness_subset(graph, &loads, igraph_ess_all(IGRAPH_EDGEORDER_ID), net->directed,
                                                  igraph_vss_vector(&terminal), igraph_vss_vector(&terminal), NULL),
                   "bisection", err) < 0)
        goto done;
    *load = igraph_vector_max(&loads);
    ret = bandwidth ? trunk_load(load, net, graph, &loads, err) : 0;
    *load *= net->directed ? 1 : 2;             /* it counts unordered pairs once */
done:
    igraph_vector_int_destroy(&terminal);
    igraph_vector_destroy(&loads);
    return ret;
}

/* ---- upper bound ---- */

struct split {
    const struct net *net;
    const struct csr *c;        /* both ways where directed: a cut link counts whichever way it goes */
    double *weight;             /* by entry of c; NULL: 1 each */
    uint8_t *side;
    double *gain;               /* cut that is saved when the node changes sides */
};

static double split_weight(const struct split *s, size_t entry)
{
    return s->weight ? s->weight[entry] : 1;
}

static double cut_of(const struct split *s)
{
    double cut = 0;

    for (int v = 0; v < s->c->n; v++)
        for (size_t i = s->c->first[v]; i < s->c->first[v + 1]; i++)
            cut += s->side[v] != s->side[s->c->to[i]] ? split_weight(s, i) : 0;
    return cut / 2;
}

static void gains(const struct split *s)
{
    for (int v = 0; v < s->c->n; v++) {
        s->gain[v] = 0;
        for (size_t i = s->c->first[v]; i < s->c->first[v + 1]; i++)
            s->gain[v] += s->side[v] != s->side[s->c->to[i]] ? split_weight(s, i) : -split_weight(s, i);
    }
}

static void bisection_move(const struct split *s, int v)
{
    s->side[v] ^= 1;
    s->gain[v] = -s->gain[v];
    for (size_t i = s->c->first[v]; i < s->c->first[v + 1]; i++)
        s->gain[s->c->to[i]] += s->side[v] != s->side[s->c->to[i]] ? 2 * split_weight(s, i) : -2 * split_weight(s, i);
}

/* The best node of a side to move, by gain; switches or terminals only. -1: none. */
static int best_of(const struct split *s, int side, bool terminals)
{
    int best = -1;

    for (int v = 0; v < s->c->n; v++)
        if (s->side[v] == side && (net_terminal_index(s->net, v) >= 0) == terminals &&
            (best < 0 || s->gain[v] > s->gain[best]))
            best = v;
    return best;
}

/* Moves switches freely and exchanges terminals while that cuts less. */
static int bisection_improve(const struct split *s, const struct tick *t, struct err *err)
{
    gains(s);
    for (int turn = 0; turn < 4 * s->c->n; turn++) {
        int moved = -1, u, v;
        double before;

        if (tick_check(t, 0, err) < 0)
            return -1;
        for (int side = 0; side < 2 && moved < 0; side++)
            if ((v = best_of(s, side, false)) >= 0 && s->gain[v] > 0)
                bisection_move(s, moved = v);
        if (moved >= 0)
            continue;
        u = best_of(s, 0, true);
        if (u < 0)
            break;
        before = s->gain[u];
        bisection_move(s, u);
        v = best_of(s, 1, true);
        if (v == u || v < 0 || before + s->gain[v] <= 0) {
            bisection_move(s, u);
            break;
        }
        bisection_move(s, v);
    }
    return 0;
}

/* The first half of the terminals in `order` on one side; a switch with those around it in the order. */
static void cut_order(const struct split *s, const int *order)
{
    int half = s->net->nterminal / 2, met = 0;

    for (int i = 0; i < s->c->n; i++) {
        int v = order ? order[i] : i;

        s->side[v] = met >= half;
        met += net_terminal_index(s->net, v) >= 0;
    }
}

/* Weights by bandwidth: all cables of a pair together, on the first of its entries. */
static int split_weights(struct split *s, const igraph_t *graph, struct err *err)
{
    if (TAKE("the bisection", err, ZEROS(s->weight, s->c->m)) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
        const double w = cables_bandwidth(&s->net->cables, (size_t)e);

        s->weight[csr_link(s->c, from, to)] += w;
        s->weight[csr_link(s->c, to, from)] += w;
    }
    return 0;
}

/* Nodes plane by plane along dimension d. */
static void order_along(int *order, const struct net *net, int d)
{
    const int size = net->size[d], each = net->n / size, stride = net_unit(net, d);

    for (int v = 0; v < net->n; v++)
        order[v / stride % size * each + v / stride / size * stride + v % stride] = v;
}

/* ---- all splits ---- */

struct exact {
    const struct split *s;
    const int *order;
    double weight[MOST_EXACT][MOST_EXACT];
    double to[2][MOST_EXACT];           /* by node: weight to those that are on a side already */
    int terminals[2];                   /* on either side */
    double best;
};

/* The least cut of all splits in which the first k nodes of the order stand as they do and cut `cut`. No split cuts
 * less than that and, of every other node, the smaller of its weights to both sides. */
static void exact_split(struct exact *x, int k, double cut)
{
    const int n = x->s->c->n;
    double least = cut;

    for (int i = k; i < n; i++)
        least += fmin(x->to[0][x->order[i]], x->to[1][x->order[i]]);
    if (least >= x->best * (1 - 1e-12))
        return;
    if (k == n) {
        x->best = cut;
        return;
    }
    for (int side = 0; side < (k ? 2 : 1); side++) {
        const int v = x->order[k], terminal = net_terminal_index(x->s->net, v) >= 0;

        if (x->terminals[side] + terminal > (x->s->net->nterminal + 1) / 2)
            continue;
        x->terminals[side] += terminal;
        for (int u = 0; u < n; u++)
            x->to[side][u] += x->weight[v][u];
        exact_split(x, k + 1, cut + x->to[!side][v]);
        x->terminals[side] -= terminal;
        for (int u = 0; u < n; u++)
            x->to[side][u] -= x->weight[v][u];
    }
}

/* The least cut, below *upper if there is one; the order is one in which neighbours follow each other. */
static void exact_least(double *upper, const struct split *s, const int *order)
{
    struct exact x = { .s = s, .order = order, .best = *upper };

    for (int v = 0; v < s->c->n; v++)
        for (size_t i = s->c->first[v]; i < s->c->first[v + 1]; i++)
            x.weight[v][s->c->to[i]] += split_weight(s, i);
    exact_split(&x, 0, 0);
    *upper = x.best;
}

static int upper_bound(double *upper, const struct net *net, const igraph_t *graph, bool bandwidth,
                       const struct tick *t, struct err *err)
{
    struct csr c = { 0 };
    struct split s = { .net = net, .c = &c };
    igraph_t both;
    int *order = NULL, ret = -1;
    bool copied = false;

    if (net->directed) {
        if (net_status(igraph_copy(&both, graph), "bisection", err) < 0)
            return -1;
        copied = true;
        if (net_status(igraph_to_undirected(&both, IGRAPH_TO_UNDIRECTED_EACH, NULL), "bisection", err) < 0)
            goto done;
        graph = &both;
    }
    if (csr_init_each(&c, graph, false, err) < 0 ||        /* every cable counts */
        (bandwidth && split_weights(&s, graph, err) < 0) ||
        TAKE("the bisection", err, ARRAY(order, net->n), ARRAY(s.side, net->n), ARRAY(s.gain, net->n)) < 0 ||
        csr_order(&c, order, err) < 0)
        goto done;
    *upper = INFINITY;
    for (int by = 0; by < 2 + (bandwidth ? net->ndim : 0); by++) {     /* number, search, dimension */
        if (by > 1)
            order_along(order, net, by - 2);
        cut_order(&s, by ? order : NULL);
        if (net->n <= MOST_EXCHANGE && bisection_improve(&s, t, err) < 0)
            goto done;
        *upper = fmin(*upper, cut_of(&s));
    }
    if (net->n <= MOST_EXACT && csr_order(&c, order, err) == 0)
        exact_least(upper, &s, order);
    ret = 0;
done:
    if (copied)
        igraph_destroy(&both);
    csr_release(&c);
    FREE(order, s.weight, s.side, s.gain);
    return ret;
}

/* ---- both ---- */

/* No cut has less than `least`: nor, where every cable has a multiple of the slowest one's bandwidth, less than the
 * next multiple. */
static double next_possible(double least, const struct net *net, bool bandwidth)
{
    const struct cables *c = &net->cables;
    double unit = bandwidth ? cables_least(c).bandwidth : 1;

    for (int k = 0; bandwidth && k < c->nkind; k++)
        if (c->kind[k].bandwidth != unit * round(c->kind[k].bandwidth / unit))
            return least * (1 - 1e-9);
    if (bandwidth && !net->directed && cables_uneven(net))
        unit /= 2;              /* a mean of two directions */
    return unit * ceil(least / unit * (1 - 1e-9));
}

int bisection_bounds(struct bisection_bounds *b, struct net *net, const uint32_t *D, bool bandwidth,
                     const struct tick *tick, struct err *err)
{
    double half = floor(net->nterminal / 2.0), load = NAN, edges;
    const igraph_t *graph;

    *b = (struct bisection_bounds){ NAN, NAN };
    if (net->nterminal < 2)
        return 0;
    if (D) {
        if (group_load(&load, net, D, bandwidth, err) < 0)
            return -1;
        edges = (double)net->n * group_degree(net->group);
    } else {
        edges = net_edges(net, err);
        if (edges < 0 || (edges * net->nterminal <= MOST_WORK &&
                          (net_graph(net, &graph, err) < 0 || graph_load(&load, net, graph, bandwidth, err) < 0)))
            return -1;
    }
    /* on directed networks load is that of the links one way, and half of the pairs cross each way */
    b->lower = next_possible(isnan(load) ? 0 : 2 * half * (net->nterminal - half) / load, net, bandwidth);
    if (isnan(load) && !bandwidth)
        b->lower = 1;
    if (edges > MOST_EDGES)
        return 0;
    if (net_graph(net, &graph, err) < 0)
        return -1;
    if (upper_bound(&b->upper, net, graph, bandwidth, tick, err) < 0)
        return -1;
    b->lower = net->n <= MOST_EXACT ? b->upper : b->lower;
    return 0;
}

int bisection_split(double *cut, struct net *net, const struct tick *tick, struct err *err)
{
    const igraph_t *graph;

    *cut = NAN;
    if (net->nterminal < 2)
        return 0;
    if (net_graph(net, &graph, err) < 0)
        return -1;
    return (double)igraph_ecount(graph) > MOST_EDGES ? 0 : upper_bound(cut, net, graph, false, tick, err);
}
