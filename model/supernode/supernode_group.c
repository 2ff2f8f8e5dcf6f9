#include "graph/topology/topo.h"
#include "model/supernode/members.h"
#include "texts/supernode.h"

/* The terminals, group by group: those of group g are member[first[g]] .. member[first[g + 1] - 1]. */
struct groups {
    int n, *first, *member;
};

static void group_close(struct supernode *s)
{
    struct groups *g = s->state;

    FREE(g->first, g->member, g);
    s->state = NULL;
}

static int group_bind(struct supernode *s, const struct net *net, const struct spec *spec, struct err *err)
{
    struct groups *g;

    if (spec_no_params(spec, err) < 0)
        return -1;
    if (!net->topo->group)
        return err_set(err, ERR_DOMAIN,
                       "group needs a network whose nodes are grouped, such as a dragonfly; those of %.80s are not",
                       net->spec);
    if (mem_need(2.0 * net->n * sizeof *g->member, "groups of terminals", err) < 0)
        return -1;
    s->state = g = calloc(1, sizeof *g);
    if (!g)
        return err_memory(err);
    for (int v = 0; v < net->n; v++) {
        const int of = net->topo->group(net, v);

        if (of < 0 && net_terminal_index(net, v) >= 0)
            return err_set(err, ERR_INTERNAL, "topology %s: terminal %d has no group", net->topo->name, v);
        g->n = of >= g->n ? of + 1 : g->n;
    }
    if (TAKE("groups of terminals", err, ZEROS(g->first, (size_t)g->n + 2), ARRAY(g->member, net->nterminal)) < 0)
        return -1;
    for (int k = 0; k < net->nterminal; k++)
        g->first[net->topo->group(net, net_terminal(net, k)) + 2]++;
    for (int i = 0; i < g->n; i++)
        g->first[i + 2] += g->first[i + 1];
    for (int k = 0; k < net->nterminal; k++)
        g->member[g->first[net->topo->group(net, net_terminal(net, k)) + 1]++] = net_terminal(net, k);
    return spec_append(&s->spec, err, "group");
}

static int group_members(struct members *m, int node, bool, int *member)
{
    const struct groups *g = m->sn->state;
    const int of = m->net->topo->group(m->net, node), n = of < 0 ? 0 : g->first[of + 1] - g->first[of];

    for (int i = 0; i < n; i++)
        member[i] = g->member[g->first[of] + i];
    return n;
}

/* Where all groups have as many. */
static double group_size(const struct supernode *s, const struct net *net)
{
    const struct groups *g = s->state;
    const double each = (double)net->nterminal / g->n;

    for (int i = 0; i < g->n; i++)
        if (g->first[i + 1] - g->first[i] != each)
            return NAN;
    return each;
}

const struct supernode_kind supernode_group = {
    SUPERNODE_GROUP_ENTRY,
    .bind = group_bind,
    .members = group_members,
    .close = group_close,
    .size = group_size
};
