#include "graph/topology/grid.h"
#include "texts/topo.h"

/* "1+3": the dimensions that wrap, counted from 1. */
static int parse_wrap(bool *wrap, int ndim, const char *text, struct err *err)
{
    int dim[NET_DIMENSIONS], n;

    if (topo_numbers(dim, &n, NET_DIMENSIONS, text, 1, ndim, "wrap", err) < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        if (wrap[dim[i] - 1])
            return err_set(err, ERR_USAGE, "wrap names dimension %d twice", dim[i]);
        wrap[dim[i] - 1] = true;
    }
    return 0;
}

static int open_mesh(struct net *net, const struct spec *spec, struct err *err)
{
    int *size, ndim, wraps = 0;
    bool wrap[32] = { false };

    if (topo_sizes(spec->params, &size, &ndim, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    net->size = size;           /* released with the network, whatever comes */
    if (spec_get(spec, "wrap") && parse_wrap(wrap, ndim, spec_get(spec, "wrap"), err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    if (grid_open(net, size, ndim, wrap, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    if (topo_sizes_spec(net, err) < 0)
        return -1;
    for (int d = 0; d < ndim; d++)
        if (wrap[d] && spec_append(&net->spec, err, "%s%d", wraps++ ? "+" : ",wrap=", d + 1) < 0)
            return -1;
    return 0;
}

const struct topo topo_mesh = {
    TOPO_MESH_ENTRY, .layout = "grid", .open = open_mesh, .build = grid_build, .facts = grid_facts
};
