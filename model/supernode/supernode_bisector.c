#include "graph/base/bisect.h"
#include "model/supernode/members.h"
#include "texts/supernode.h"

static int bisector_bind(struct supernode *s, const struct net *, const struct spec *spec, struct err *err)
{
    int64_t slack = 2;

    if (*spec->params && spec_int(&slack, spec, 0, INT32_MAX / 4, "number of extra hops", err) < 0)
        return -1;
    s->radius = (int)slack;
    return spec_append(&s->spec, err, "bisector:%d", s->radius);
}

/* Nodes in the order of their hops from the source; where there is a group all is seen from node 0. */
static int bisector_between(struct between *b, struct members *m, int source, int target, int *member, struct err *err)
{
    const struct group *g = m->net->group;
    struct search *from = &m->search;
    const int far = g ? group_add(g, target, group_negative(g, source)) : target;
    int k;

    search_begin(from, g ? 0 : source, false);
    while (search_level(from))
        ;
    if (!g && towards_begin(&m->to, target, err) < 0)
        return -1;
    *b = (struct between){ .direct = from->hops[far] };
    BISECT(k, 0, from->tail, i, 2 * from->hops[from->queue[i]] < b->direct - 1);
    for (; k < from->tail; k++) {
        const int i = from->queue[k], here = from->hops[i], v = g ? group_add(g, source, i) : i;
        const int left = g ? from->hops[group_add(g, far, group_negative(g, i))] : towards_hops(&m->to, i);

        if (2 * here > b->direct + m->sn->radius + 1)
            break;
        if (left < 0 || abs(here - left) > 1 || here + left > b->direct + m->sn->radius ||
            net_terminal_index(m->net, v) < 0)
            continue;
        member[b->n++] = v;
        b->hops += (uint64_t)(here + left);
    }
    return 0;
}

const struct supernode_kind supernode_bisector = {
    SUPERNODE_BISECTOR_ENTRY,
    .shape = SHAPE_BETWEEN,
    .bind = bisector_bind,
    .between = bisector_between
};
