#include "model/supernode/supernode.h"

static int bind(struct supernode *s, const struct net *net, const struct spec *spec, struct err *err)
{
    (void)net;
    s->shape = SHAPE_ALL;
    return spec_no_params(spec, err) < 0 ? -1 : supernode_spec(s, err, "random");
}

static double size(const struct supernode *s, const struct net *net)
{
    (void)s;
    return net->nterminal;
}

const struct supernode_kind supernode_random = {
    .name = "random",
    .synopsis = "random",
    .summary = "every terminal is an intermediate node (Valiant and Brebner 1981)",
    .example = "random",
    .example_net = "torus:5x4",
    .bind = bind,
    .size = size
};
