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
    .name = "torus",
    .synopsis = "torus:K1xK2x... or torus:K^M",
    TOPO_TORUS_TEXT,
    .example = "torus:5x4x3",
    .source = "Dally and Towles 2004, chapter 5",
    .vertex_transitive = true,
    .layout = "grid",
    .open = open_torus,
    .facts = grid_facts
};
