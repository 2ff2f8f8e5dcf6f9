#include "model/supernode/supernode.h"
#include "texts/supernode.h"

static int static_bind(struct supernode *s, const struct net *, const struct spec *spec, struct err *err)
{
    return spec_no_params(spec, err) < 0 ? -1 : spec_append(&s->spec, err, "static");
}

static double static_size(const struct supernode *s, const struct net *net)
{
    (void)s, (void)net;
    return 1;
}

static int static_members(struct members *m, int node, bool into, int *member)
{
    (void)m, (void)into;
    *member = node;
    return 1;
}

const struct supernode_kind supernode_static = {
    SUPERNODE_STATIC_ENTRY,
    .shape = SHAPE_POINT,
    .bind = static_bind,
    .size = static_size,
    .members = static_members
};
