#include "model/supernode/members.h"

/* Nodes within the radius of 0, in ascending order. */
static int ball_at_zero(struct members *m, struct err *err)
{
    const struct group *group = m->net->group;
    const size_t n = (size_t)group->n;
    uint32_t *hops;
    int ret;

    if (TAKE("a supernode", err, ARRAY(hops, n), ARRAY(m->ball, n)) < 0)
        return -1;
    ret = group_distances(group, hops, err);
    for (int v = 0; ret == 0 && v < group->n; v++)
        if (hops[v] <= (uint32_t)m->sn->radius)
            m->ball[m->nball++] = v;
    free(hops);
    return ret;
}

int members_open(struct members *m, struct net *net, const struct supernode *sn, struct err *err)
{
    *m = (struct members){ .net = net, .sn = sn };
    if (sn->shape != SHAPE_BALL && sn->shape != SHAPE_BETWEEN)
        return 0;
    if (net->group && sn->shape == SHAPE_BALL) {
        if (ball_at_zero(m, err) == 0)
            return 0;
    } else if (search_open(&m->search, net, "a supernode", err) == 0 &&
               (net->group || sn->shape == SHAPE_BALL || towards_open(&m->to, net, "a supernode", err) == 0)) {
        return 0;
    }
    members_close(m);
    return -1;
}

void members_close(struct members *m)
{
    search_close(&m->search);
    towards_close(&m->to);
    free(m->ball);
    *m = (struct members){ 0 };
}

int members_of(struct members *m, int node, bool into, int *member)
{
    if (!into || m->sn->both)
        return m->sn->kind->members(m, node, into, member);
    *member = node;
    return 1;
}

int members_towards(struct members *m, int source, int target, int *member, struct err *err)
{
    struct between b;

    if (m->sn->shape != SHAPE_BETWEEN)
        return members_of(m, source, false, member);
    if (m->sn->kind->between(&b, m, source, target, member, err) < 0)
        return -1;
    if (b.n == 0)
        member[b.n++] = source;
    return b.n;
}
