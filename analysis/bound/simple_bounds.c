#include "analysis/bound/simple_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/network/bisection.h"
#include "analysis/network/topo_report.h"
#include "graph/distance/distances.h"
#include "graph/topology/topo.h"

static int by_bisection(double *bound, struct net *net, const struct tick *tick, struct err *err)
{
    const double half = floor(net->nterminal / 2.0),
        across = 2 * half * (net->nterminal - half) / (net->nterminal - 1.0);
    struct topo_facts f;
    double cut;

    topo_facts(&f, net);
    cut = f.bisection;
    if (isnan(cut) && bisection_split(&cut, net, tick, err) < 0)
        return -1;
    *bound = cut * (net->directed ? 1 : 2) / across;
    return 0;
}

static int by_moore(double *bound, struct net *net, struct err *err)
{
    const igraph_t *graph;
    struct csr c = { 0 };
    double degree = 0, diameter, mean;

    if (net_graph(net, &graph, err) < 0 || csr_init(&c, graph, false, err) < 0)
        return -1;
    for (int v = 0; v < c.n; v++)
        degree = fmax(degree, (double)(c.first[v + 1] - c.first[v]));
    moore_bounds(net->n, degree, net->directed, &diameter, &mean);
    *bound = (double)c.m / (net->n * mean);
    csr_release(&c);
    return 0;
}

int simple_bounds(struct simple_bounds *out, struct net *net, const struct tick *tick, struct err *err)
{
    struct simple_bounds b = { NAN, NAN };

    if (net->nterminal >= 2 && by_bisection(&b.bisection, net, tick, err) < 0)
        return -1;
    if (net->n >= 2 && net->nterminal == net->n && by_moore(&b.moore, net, err) < 0)
        return -1;
    *out = b;
    return 0;
}
