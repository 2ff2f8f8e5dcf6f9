#include "graph/topology/grid.h"

#include <igraph.h>

/* A ring of two is a path of two: one cable. */
static bool is_ring(const struct net *net, int d)
{
    return net->wrap[d] && net->size[d] > 2;
}

static int make_group(struct net *net, struct err *err)
{
    int *gen = malloc((size_t)net->ndim * sizeof *gen), stride = net->n, ret;

    if (!gen || !(net->group = calloc(1, sizeof *net->group))) {
        free(gen);
        return err_memory(err);
    }
    for (int d = 0; d < net->ndim; d++)
        gen[d] = stride /= net->size[d];
    ret = group_init(net->group, net->ndim, net->size, net->ndim, gen, net->directed, err);
    free(gen);
    return ret;
}

int grid_open(struct net *net, int *size, int ndim, const bool *wrap, struct err *err)
{
    net->size = size;
    net->ndim = ndim;
    net->lines = LINES_GRID;
    if (TAKE("the network", err, ARRAY(net->wrap, ndim)) < 0)
        return -1;
    for (int d = 0; d < ndim; d++)
        net->wrap[d] = !wrap || wrap[d];
    if (topo_count(size, ndim, &net->n, err) < 0)
        return -1;
    return net_rings(net) ? make_group(net, err) : 0;
}

int grid_build(igraph_t *graph, const struct net *net, struct err *err)
{
    size_t n = 0;
    igraph_integer_t *end = topo_ends((double)net->n * net->ndim, net, err);

    if (!end)
        return -1;
    for (int v = 0; v < net->n; v++) {
        int stride = 1;

        for (int d = net->ndim - 1; d >= 0; d--) {
            int k = net->size[d], c = v / stride % k;

            if (c + 1 < k || is_ring(net, d)) {
                end[n++] = v;
                end[n++] = c + 1 < k ? v + stride : v - c * stride;
            }
            stride *= k;
        }
    }
    return topo_from_edges(graph, end, n, net, err);
}

/* Sizes k1 >= k2 >= ...: sum of the products k_{i+1}..k_m for i up to the first even k_i; twice that for
 * rings. Proved for all paths and for all rings; anything else is left to bounds. */
static void bisection(const struct net *net, struct topo_facts *f)
{
    int k[32], rings = 0;
    double sum = 0;

    for (int d = 0; d < net->ndim; d++) {
        rings += is_ring(net, d);
        k[d] = net->size[d];
    }
    if (net->directed || (rings && rings != net->ndim))
        return;
    qsort(k, (size_t)net->ndim, sizeof *k, num_ascending);
    for (int i = net->ndim - 1; i >= 0; i--) {
        double product = 1;

        for (int j = i - 1; j >= 0; j--)
            product *= k[j];
        sum += product;
        if (k[i] % 2 == 0)
            break;
    }
    f->bisection = rings ? 2 * sum : sum;
    f->bisection_source = "Azizoglu and Egecioglu 2003";
}

void grid_facts(const struct net *net, struct topo_facts *f)
{
    double n = net->n, sum = 0;

    f->nodes = f->terminals = n;
    f->edges = f->degree_min = f->degree_max = f->diameter = 0;
    for (int d = 0; d < net->ndim; d++) {
        double k = net->size[d], pairs;        /* hops summed over the ordered pairs of one line */

        if (net->directed) {
            pairs = k * k * (k - 1) / 2;
            f->diameter += k - 1;
        } else if (is_ring(net, d)) {
            pairs = net->size[d] % 2 ? k * (k * k - 1) / 4 : k * k * k / 4;
            f->diameter += floor(k / 2);
        } else {
            pairs = k * (k * k - 1) / 3;
            f->diameter += k - 1;
        }
        sum += pairs * (n / k) * (n / k);
        f->edges += n / k * (is_ring(net, d) || net->directed ? k : k - 1);
        f->degree_min += is_ring(net, d) && !net->directed ? 2 : 1;
        f->degree_max += net->size[d] > 2 && !net->directed ? 2 : 1;
    }
    f->mean_hops = sum / (n * (n - 1));
    bisection(net, f);
}

/* Ordered pairs of one line at distance h. */
static uint64_t line_pairs(const struct net *net, int d, int h)
{
    uint64_t k = (uint64_t)net->size[d];

    if (h == 0 || net->directed)
        return k;
    if (is_ring(net, d))
        return 2 * h == net->size[d] ? k : 2 * k;
    return 2 * (k - (uint64_t)h);
}

int grid_count(struct dist_count *out, const struct net *net, struct err *err)
{
    struct dist_count c = { .lost = { -1, -1 } };
    struct topo_facts f;
    size_t room;
    uint64_t *next;

    grid_facts(net, &f);
    room = (size_t)f.diameter + 1;
    if (TAKE(net->spec, err, ZEROS(c.pairs, room), ZEROS(next, room)) < 0)
        return -1;
    c.pairs[0] = 1;
    for (int d = 0; d < net->ndim; d++) {
        int most = net->directed || !is_ring(net, d) ? net->size[d] - 1 : net->size[d] / 2;
        uint64_t *swap = next;

        memset(next, 0, room * sizeof *next);
        for (int i = 0; i <= c.longest; i++)
            for (int h = 0; h <= most; h++)
                next[i + h] += c.pairs[i] * line_pairs(net, d, h);
        next = c.pairs;
        c.pairs = swap;
        c.longest += most;
    }
    free(next);
    c.pairs[0] = 0;             /* a node with itself */
    *out = c;
    return 0;
}
