#include "graph/topology/tree.h"
#include "texts/topo.h"

/* XGFT(3; K/2, K/2, K; 1, K/2, K/2): hosts first, then edge, aggregation and core switches, pod by pod. */
static int open_fattree(struct net *net, const struct spec *spec, struct err *err)
{
    int64_t k;
    int half;

    if (spec_int(&k, spec, 2, 2000, "number of ports", err) < 0)
        return -1;
    if (k % 2)
        return err_set(err, ERR_USAGE, "'%.80s': a fat tree's switches have an even number of ports", spec->text);
    half = (int)k / 2;
    if (tree_open(net, &(struct tree){ .h = 3, .m = { half, half, (int)k }, .w = { 1, half, half },
                                       .cables = { 1, 1, 1 } }, spec, err) < 0)
        return -1;
    return spec_append(&net->spec, err, "fattree:%d", (int)k);
}

const struct topo topo_fattree = {
    TOPO_FATTREE_ENTRY, TREE, .open = open_fattree
};
