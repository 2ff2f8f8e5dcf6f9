#include <stdlib.h>

#include "graph/topology/grid.h"

/* "4x5x6" behind a family's name, in canonical form. */
static int open_torus(struct net *net, const struct spec *spec, struct err *err)
{
    int *size, ndim;
    bool wrap[32];
    char text[256];
    size_t len = 0;

    if (topo_sizes(spec->params, &size, &ndim, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    for (int d = 0; d < ndim; d++)
        wrap[d] = true;
    if (grid_open(net, size, ndim, wrap, err) < 0)          /* sizes whose product is an int make a short text */
        return err_at(err, "'%.80s'", spec->text);
    for (int d = 0; d < ndim; d++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", d ? "x" : "", size[d]);
    return topo_spec(net, err, "torus:%s", text);
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
