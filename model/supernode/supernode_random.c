#include "model/supernode/members.h"
#include "texts/supernode.h"

static int random_bind(struct supernode *s, const struct net *, const struct spec *spec, struct err *err)
{
    return spec_no_params(spec, err) < 0 ? -1 : spec_append(&s->spec, err, "random");
}

static double random_size(const struct supernode *, const struct net *net)
{
    return net->nterminal;
}

static int random_members(struct members *m, int node, bool into, int *member)
{
    (void)node, (void)into;
    for (int k = 0; k < m->net->nterminal; k++)
        member[k] = net_terminal(m->net, k);
    return m->net->nterminal;
}

const struct supernode_kind supernode_random = {
    SUPERNODE_RANDOM_ENTRY,
    .shape = SHAPE_ALL,
    .bind = random_bind,
    .size = random_size,
    .members = random_members
};
