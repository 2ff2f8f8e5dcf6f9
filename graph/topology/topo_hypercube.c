#include "graph/topology/grid.h"
#include "texts/topo.h"

static int open_hypercube(struct net *net, const struct spec *spec, struct err *err)
{
    int64_t dim;
    int *size;

    if (spec_int(&dim, spec, 1, 30, "dimension", err) < 0)
        return -1;
    if (TAKE("the network", err, ARRAY(size, dim)) < 0)
        return -1;
    for (int d = 0; d < dim; d++)
        size[d] = 2;
    return grid_open(net, size, (int)dim, NULL, err) < 0 ? -1 : spec_append(&net->spec, err, "hypercube:%d", (int)dim);
}

const struct topo topo_hypercube = {
    TOPO_HYPERCUBE_ENTRY, .vertex_transitive = true, .layout = "cube", .open = open_hypercube, .facts = grid_facts
};
