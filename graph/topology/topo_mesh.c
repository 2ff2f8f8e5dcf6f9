#include <string.h>

#include "graph/base/num.h"
#include "graph/topology/grid.h"
#include "texts/topo.h"

/* "1+3": the dimensions that wrap, counted from 1. */
static int parse_wrap(bool *wrap, int ndim, const char *text, struct err *err)
{
    const char *p = text;

    for (;;) {
        size_t len = strcspn(p, "+");
        int64_t d;

        if (num_int_part(&d, p, len, 1, ndim, "wrap", err) < 0)
            return -1;
        if (wrap[d - 1])
            return err_set(err, ERR_USAGE, "wrap names dimension %d twice", (int)d);
        wrap[d - 1] = true;
        p += len;
        if (!*p)
            return 0;
        p++;
    }
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

static const struct spec_key keys[] = {
    { "wrap", "D+D+...", "dimensions (from 1) whose ends are joined; none by default" },
    { NULL, NULL, NULL }
};

const struct topo topo_mesh = {
    .name = "mesh",
    .synopsis = "mesh:K1xK2x...[,wrap=D+D...]",
    TOPO_MESH_TEXT,
    .example = "mesh:5x4x3,wrap=2",
    .source = "Dally and Towles 2004, chapter 5",
    .keys = keys,
    .layout = "grid",
    .open = open_mesh,
    .build = grid_build,
    .facts = grid_facts
};
