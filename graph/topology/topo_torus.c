#include <stdlib.h>

#include "graph/topology/grid.h"

/* "4x5x6" behind a family's name, in canonical form. */
static int open_torus(struct net *net, const struct spec *spec, struct err *err)
{
    int *size, ndim;
    bool wrap[NET_DIMENSIONS];
    char *text;
    int ret;

    if (topo_sizes(spec->params, &size, &ndim, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    for (int d = 0; d < ndim; d++)
        wrap[d] = true;
    if (grid_open(net, size, ndim, wrap, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    text = topo_sizes_text(size, ndim);
    ret = text ? topo_spec(net, err, "torus:%s", text) : err_memory(err);
    free(text);
    return ret;
}

const struct topo topo_torus = {
    .name = "torus",
    .synopsis = "torus:K1xK2x... or torus:K^M",
    .summary = "a ring in every dimension (k-ary n-cube)",
    .example = "torus:5x4x3",
    .source = "Dally and Towles 2004, chapter 5",
    .notes = "A ring of two nodes is one cable.",
    .vertex_transitive = true,
    .layout = "grid",
    .open = open_torus,
    .facts = grid_facts
};
