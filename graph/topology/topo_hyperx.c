#include "graph/topology/topo.h"
#include "texts/topo.h"

#define MOST (1 << 20)          /* nodes on a line: their cables are beyond 10^11 already */

/* Steps of every dimension: 1 to floor(k/2) times its unit vector. */
static int hyperx_group(struct net *net, struct err *err)
{
    int *gen, n = 0, stride = net->n, ret;
    double steps = 0;

    for (int d = 0; d < net->ndim; d++)
        steps += net->size[d] / 2;
    if (TAKE(net->spec, err, ARRAY(gen, steps), ZEROS(net->group, 1)) < 0)
        return -1;
    for (int d = 0; d < net->ndim; d++) {
        stride /= net->size[d];
        for (int i = 1; i <= net->size[d] / 2; i++)
            gen[n++] = i * stride;
    }
    ret = group_init(net->group, net->ndim, net->size, n, gen, false, err);
    free(gen);
    return ret;
}

/* The key cables=: one number for all dimensions, or one each. */
static int hyperx_trunks(struct net *net, const struct spec *spec, struct err *err)
{
    int *trunk, n;

    if (TAKE(net->spec, err, ARRAY(trunk, NET_DIMENSIONS)) < 0)
        return -1;
    net->param = trunk;
    if (topo_numbers(trunk, &n, net->ndim, spec_get(spec, "cables"), 1, 1000, "cables", err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    if (n > 1 && n < net->ndim)
        return err_set(err, ERR_USAGE, "'%.80s': %d numbers of cables for %d dimensions; write one for all, or one "
                       "each", spec->text, n, net->ndim);
    for (int d = 0; d < net->ndim; d++) {
        trunk[d] = trunk[d < n ? d : 0];
        net->cables.parallel = net->cables.parallel || trunk[d] > 1;
    }
    for (int d = 0; d < net->ndim && net->cables.parallel; d++)
        if (spec_append(&net->spec, err, "%s%d", d ? "+" : ",cables=", trunk[d]) < 0)
            return -1;
    return 0;
}

static int hyperx_open(struct net *net, const struct spec *spec, struct err *err)
{
    if (topo_sizes(spec->params, &net->size, &net->ndim, err) < 0 || topo_count(net->size, net->ndim, &net->n, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    for (int d = 0; d < net->ndim; d++)
        if (net->size[d] > MOST)
            return err_set(err, ERR_USAGE, "'%.80s': size is %d; it must be from 2 to %d", spec->text, net->size[d],
                           MOST);
    if (topo_sizes_spec(net, err) < 0)
        return -1;
    if (TAKE("the network", err, ARRAY(net->wrap, net->ndim)) < 0)
        return -1;
    for (int d = 0; d < net->ndim; d++)
        net->wrap[d] = true;
    if (spec_get(spec, "cables") && hyperx_trunks(net, spec, err) < 0)
        return -1;
    return net->cables.parallel ? 0 : hyperx_group(net, err);
}

/* Of trunks alone; else the group says all. */
static int hyperx_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const int *trunk = net->param;
    igraph_integer_t *end;
    double cables = 0;
    size_t n = 0;

    for (int d = 0; d < net->ndim; d++)
        cables += (double)net->n * (net->size[d] - 1) / 2 * trunk[d];
    end = topo_ends(cables, net, err);
    if (!end)
        return -1;
    for (int v = 0; v < net->n; v++)
        for (int d = 0; d < net->ndim; d++)
            for (int i = 1; i < net->size[d] - v / net_unit(net, d) % net->size[d]; i++)
                for (int k = 0; k < trunk[d]; k++) {
                    end[n++] = v;
                    end[n++] = v + i * net_unit(net, d);
                }
    return topo_from_edges(graph, end, n, net, err);
}

/* Every step sets one coordinate right: hops are the coordinates that differ, each with probability (k-1)/k over all
 * pairs.
 *
 * Bisection where the least size k is even: parting each of the n/k shortest lines in the middle cuts k/2 * k/2 cables
 * of each, n k / 4 in all. No split into halves cuts fewer: with f = 1 on one half and -1 on the other, 4 cut = f'Lf >=
 * k f'f = k n, for k is the least nonzero eigenvalue of the Laplacian L (a complete graph has its size, a product the
 * sums). Of other sizes none is proved. */
static void hyperx_facts(const struct net *net, struct topo_facts *f)
{
    double differ = 0;
    int least = net->size[0];

    f->nodes = f->terminals = net->n;
    f->degree_min = 0;
    for (int d = 0; d < net->ndim; d++) {
        f->degree_min += (net->size[d] - 1) * (net->cables.parallel ? ((const int *)net->param)[d] : 1);
        differ += 1 - 1.0 / net->size[d];
        least = net->size[d] < least ? net->size[d] : least;
    }
    f->degree_max = f->degree_min;
    f->edges = f->nodes * f->degree_min / 2;
    f->diameter = net->ndim;
    f->mean_hops = differ * f->nodes / (f->nodes - 1);
    if (net->cables.parallel)
        return;
    if (net->ndim == 1)
        f->bisection = floor(f->nodes / 2) * ceil(f->nodes / 2);
    else if (least % 2 == 0)
        f->bisection = f->nodes * least / 4;
    if (!isnan(f->bisection))
        f->bisection_source = net->ndim == 1 ? "every pair across the cut is a cable" :
            "the least eigenvalue of the Laplacian (Fiedler 1973), attained by parting the shortest lines";
}

const struct topo topo_hyperx = {
    TOPO_HYPERX_ENTRY, .vertex_transitive = true, .layout = "grid", .open = hyperx_open, .build = hyperx_build,
    .facts = hyperx_facts
};
