#include "analysis/bound/simple_bounds.h"
#include "analysis/bound/capacity.h"
#include "analysis/network/bisection.h"
#include "analysis/network/topo_report.h"
#include "graph/topology/topo.h"

static int by_bisection(double *bound, struct net *net, double of_each, const struct tick *tick, struct err *err)
{
    const double half = floor(net->nterminal / 2.0),
        across = 2 * half * (net->nterminal - half) / (net->nterminal - 1.0);
    struct topo_facts f;
    double cut;

    topo_facts(&f, net);
    cut = f.bisection;
    if (isnan(cut) && bisection_split(&cut, net, tick, err) < 0)
        return -1;
    *bound = of_each * cut * (net->directed ? 1 : 2) / across;
    return 0;
}

static double by_moore(const struct net *net, const struct csr *c, double all)
{
    double degree = 0, diameter, mean;

    for (int v = 0; v < c->n; v++)
        degree = fmax(degree, (double)(c->first[v + 1] - c->first[v]));
    moore_bounds(net->n, degree, net->directed, &diameter, &mean);
    return all / (net->n * mean);
}

int simple_bounds(struct simple_bounds *out, struct net *net, const double *capacity, const struct tick *tick,
                  struct err *err)
{
    struct simple_bounds b = { NAN, NAN };
    double all = 0, least = INFINITY, most = 0;
    struct trunks t;
    int ret = 0;

    if (trunks_open_net(&t, net, false, err) < 0)
        return -1;
    for (size_t l = 0; l < t.nlink; l++) {
        all += capacity_of(capacity, l);
        least = fmin(least, capacity_of(capacity, l));
        most = fmax(most, capacity_of(capacity, l));
    }
    if (net->n >= 2 && net->nterminal == net->n)
        b.moore = by_moore(net, t.csr, all);
    if (net->nterminal >= 2 && least == most)
        ret = by_bisection(&b.bisection, net, least, tick, err);
    trunks_release(&t);
    if (ret == 0)
        *out = b;
    return ret;
}
