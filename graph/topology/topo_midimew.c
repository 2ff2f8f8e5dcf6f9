#include "graph/topology/circulant.h"
#include "texts/topo.h"

/* Jumps b-1 and b, b the smallest integer with 2 b^2 >= N. */
static int open_midimew(struct net *net, const struct spec *spec, struct err *err)
{
    int64_t n;
    int jump[2], b = 1;

    if (spec_int(&n, spec, 5, INT32_MAX, "number of nodes", err) < 0)
        return -1;
    while (2 * (int64_t)b * b < n)
        b++;
    jump[0] = b - 1;
    jump[1] = b;
    if (circulant_open(net, (int)n, jump, 2, LINES_JUMPS, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    return spec_append(&net->spec, err, "midimew:%d", (int)n);
}

/* It attains what no graph of degree 4 on the plane can better: 4i nodes at distance i, the rest one further. */
static void topo_midimew_facts(const struct net *net, struct topo_facts *f)
{
    double left = net->n - 1, sum = 0, i = 0;

    circulant_facts(net, f);
    while (left > 0) {
        double here = 4 * ++i < left ? 4 * i : left;

        sum += here * i;
        left -= here;
    }
    f->diameter = i;
    f->mean_hops = sum / (net->n - 1);
}

const struct topo topo_midimew = {
    TOPO_MIDIMEW_ENTRY, .vertex_transitive = true, .layout = "circle", .open = open_midimew,
    .facts = topo_midimew_facts
};
