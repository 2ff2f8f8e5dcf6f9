#include "graph/topology/grid.h"
#include "texts/topo.h"

static int open_torus(struct net *net, const struct spec *spec, struct err *err)
{
    int *size, ndim;

    if (topo_sizes(spec->params, &size, &ndim, err) < 0 || grid_open(net, size, ndim, NULL, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    return topo_sizes_spec(net, err);
}

const struct topo topo_torus = {
    TOPO_TORUS_ENTRY, .vertex_transitive = true, .layout = "grid", .open = open_torus, .facts = grid_facts
};
