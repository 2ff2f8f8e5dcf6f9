/* Equal shares among all cables to next nodes that lie on a shortest path, hop by hop: paths are never listed. Networks
 * with a group need one array of distances. */
#include "model/routing/chosen.h"
#include "graph/distance/towards.h"
#include "graph/distance/trunks.h"
#include "texts/route.h"

struct ecmp {
    uint32_t *hops;                 /* with a group: from 0 to v */
    int *step;
    struct towards towards;         /* without */
    struct trunks trunks;           /* of its links, where some are of several cables that count */
};

static void route_ecmp_release(void *state)
{
    struct ecmp *e = state;

    trunks_release(&e->trunks);
    towards_close(&e->towards);
    FREE(e->hops, e->step);
}

static int open_group(struct routing *r, struct ecmp *e, struct err *err)
{
    const struct group *group = r->net->group;

    r->invariant = true;
    r->most = (size_t)group_degree(group);
    if (TAKE("equal-cost paths", err, ARRAY(e->step, r->most), ARRAY(e->hops, group->n)) < 0)
        return -1;
    group_steps(group, e->step, NULL);
    return group_distances(group, e->hops, err);
}

static int open_graph(struct routing *r, struct ecmp *e, struct err *err)
{
    if (towards_open(&e->towards, r->net, "equal-cost paths", err) < 0)
        return -1;
    for (int v = 0; v < r->net->n; v++) {
        const size_t degree = e->towards.ahead->first[v + 1] - e->towards.ahead->first[v];

        r->most = degree > r->most ? degree : r->most;
    }
    return 0;
}

static int route_ecmp_open(struct routing *r, const struct spec *spec, struct err *err)
{
    static const char *const choices[] = { "cable", "neighbour", NULL };
    struct ecmp *e = r->state;
    int per;

    if (spec_no_params(spec, err) < 0 || spec_choice(&per, spec, "per", choices, err) < 0)
        return -1;
    if ((r->net->group ? open_group : open_graph)(r, e, err) < 0 ||
        (per == 0 && r->net->cables.parallel && trunks_open(&e->trunks, r->net, e->towards.ahead, false, err) < 0))
        return -1;
    return per ? spec_append(&r->spec, err, "ecmp,per=neighbour") : 0;
}

size_t route_ecmp_cables(const struct routing *r, int from, int to)
{
    const struct trunks *t = &((const struct ecmp *)r->state)->trunks;

    return t->first ? trunks_cables(t, csr_link(t->csr, from, to)) : 1;
}

static size_t group_next(struct hop *hop, const struct ecmp *e, const struct group *group, int node, int target)
{
    const int left = group_add(group, target, group_negative(group, node)), degree = group_degree(group);
    size_t n = 0;

    if (e->hops[left] == UINT32_MAX)
        return 0;
    if (e->hops[left] == 1) {
        hop->node = target;
        return 1;
    }
    for (int i = 0; i < degree; i++)
        if (e->hops[group_add(group, left, group_negative(group, e->step[i]))] + 1 == e->hops[left])
            hop[n++].node = group_add(group, node, e->step[i]);
    return n;
}

static int graph_next(struct hop *hop, size_t *n, struct towards *t, int node, int target, struct err *err)
{
    const size_t end = t->ahead->first[node + 1];
    int hops;

    *n = 0;
    if (towards_begin(t, target, err) < 0)
        return -1;
    hops = towards_hops(t, node);
    for (size_t i = t->ahead->first[node]; hops > 0 && (i = towards_nearer(t, node, hops, i)) < end; i++)
        hop[(*n)++].node = t->ahead->to[i];
    return 0;
}

static int route_ecmp_next(struct hop *hop, size_t *n, struct routing *r, int node, int, int target, struct err *err)
{
    struct ecmp *e = r->state;
    const bool several = e->trunks.first;
    double cables = 0;

    if (r->net->group)
        *n = group_next(hop, e, r->net->group, node, target);
    else if (graph_next(hop, n, &e->towards, node, target, err) < 0)
        return -1;
    for (size_t i = 0; i < *n; i++)
        cables += several ? (double)route_ecmp_cables(r, node, hop[i].node) : 1;
    for (size_t i = 0; i < *n; i++)
        hop[i] = (struct hop){ hop[i].node, (several ? (double)route_ecmp_cables(r, node, hop[i].node) : 1) / cables,
                               0 };
    return *n ? 0 : routing_no_path(r, node, target, err);
}

const struct route route_ecmp = {
    ROUTE_ECMP_ENTRY,
    .minimal = true,
    .nearer = true,
    .evens = true,
    .symmetric = true,
    .fits = route_fits_any,
    .state = sizeof(struct ecmp),
    .open = route_ecmp_open,
    .close = route_ecmp_release,
    .next = route_ecmp_next
};
