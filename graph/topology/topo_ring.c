#include "graph/topology/grid.h"
#include "texts/topo.h"

static int open_ring(struct net *net, const struct spec *spec, struct err *err)
{
    static const char *const yesno[] = { "no", "yes", NULL };
    int64_t n;
    int directed, *size;

    if (spec_int(&n, spec, 2, INT32_MAX, "number of nodes", err) < 0 ||
        spec_choice(&directed, spec, "directed", yesno, err) < 0)
        return -1;
    if (TAKE("the network", err, ARRAY(size, 1)) < 0)
        return -1;
    *size = (int)n;
    net->directed = directed;
    if (grid_open(net, size, 1, NULL, err) < 0)
        return -1;
    return spec_append(&net->spec, err, "ring:%d%s", (int)n, directed ? ",directed=yes" : "");
}

const struct topo topo_ring = {
    TOPO_RING_ENTRY, .vertex_transitive = true, .layout = "circle", .open = open_ring, .facts = grid_facts
};
