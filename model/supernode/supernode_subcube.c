#include "model/supernode/supernode.h"
#include "texts/supernode.h"

/* The last K dimensions, all of two nodes. */
static int subcube_bind(struct supernode *s, const struct net *net, const struct spec *spec, struct err *err)
{
    int64_t k;

    s->aligned = true;
    if (spec_int(&k, spec, 0, 30, "dimension", err) < 0)
        return -1;
    if (net->ndim == 0)
        return err_set(err, ERR_DOMAIN, "subcube needs a hypercube; %.80s has no coordinates", net->spec);
    if (k > net->ndim)
        return err_set(err, ERR_DOMAIN, "subcube:%d does not fit %.80s, which has %d dimension%s", (int)k, net->spec,
                       net->ndim, net->ndim == 1 ? "" : "s");
    for (int d = net->ndim - (int)k; d < net->ndim; d++) {
        if (supernode_side(s, net, d, 2, err) < 0)
            return -1;
        if (net->size[d] != 2)
            return err_set(err, ERR_DOMAIN, "subcube:%d needs a hypercube; dimension %d of %.80s has %d nodes", (int)k,
                           d + 1, net->spec, net->size[d]);
    }
    return spec_append(&s->spec, err, "subcube:%d", (int)k);
}

const struct supernode_kind supernode_subcube = {
    SUPERNODE_SUBCUBE_ENTRY,
    .shape = SHAPE_BOX,
    .bind = subcube_bind,
    .size = supernode_box_size,
    .members = supernode_box
};
