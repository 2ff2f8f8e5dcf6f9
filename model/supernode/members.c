#include "model/supernode/members.h"

#include <stdint.h>
#include <stdlib.h>

#include "graph/base/mem.h"

/* Nodes within the radius of 0, in ascending order. */
static int ball_at_zero(struct members *m, struct err *err)
{
    const struct group *group = m->net->group;
    const size_t n = (size_t)group->n;
    uint32_t *hops;
    int ret;

    if (mem_need(8.0 * (double)n, "a supernode", err) < 0)
        return -1;
    hops = malloc(n * sizeof *hops);
    m->ball = malloc(n * sizeof *m->ball);
    ret = hops && m->ball ? group_distances(group, hops, err) : err_memory(err);
    for (int v = 0; ret == 0 && v < group->n; v++)
        if (hops[v] <= (uint32_t)m->sn->radius)
            m->ball[m->nball++] = v;
    free(hops);
    return ret;
}

int members_open(struct members *m, struct net *net, const struct supernode *sn, struct err *err)
{
    *m = (struct members){ .net = net, .sn = sn };
    if (sn->shape != SHAPE_BALL)
        return 0;
    if ((net->group ? ball_at_zero(m, err) : search_open(&m->search, net, "a supernode", err)) == 0)
        return 0;
    members_close(m);
    return -1;
}

void members_close(struct members *m)
{
    search_close(&m->search);
    free(m->ball);
    *m = (struct members){ 0 };
}

static int ball(struct members *m, int node, bool into, int *member)
{
    struct search *s = &m->search;
    int n = 0;

    search_begin(s, node, into);
    for (int i = s->hops[s->queue[s->tail - 1]]; i < m->sn->radius && search_level(s); i++)
        ;
    for (int i = 0; i < s->tail; i++)
        if (!m->net->terminal || net_terminal_index(m->net, s->queue[i]) >= 0)
            member[n++] = s->queue[i];
    return n;
}

int members_of(struct members *m, int node, bool into, int *member)
{
    const struct net *net = m->net;
    int n = 0;

    switch (m->sn->shape) {
    case SHAPE_BALL:
        if (into && !m->sn->both)
            break;
        if (!net->group)
            return ball(m, node, into, member);
        for (int i = 0; i < m->nball; i++) {
            const int v = into ? group_negative(net->group, m->ball[i]) : m->ball[i];
            const int at = group_add(net->group, node, v);

            if (!net->terminal || net_terminal_index(net, at) >= 0)
                member[n++] = at;
        }
        return n;
    case SHAPE_ALL:
        for (; !into && n < net->nterminal; n++)
            member[n] = net_terminal(net, n);
        break;
    case SHAPE_BOX:
        n = into ? 0 : supernode_box(m->sn, net, node, member);
        break;
    case SHAPE_POINT:
        break;
    }
    if (n == 0)
        member[n++] = node;
    return n;
}
