/* Dimension order: one dimension after the other, the last one first; half-way round a ring goes up.
 * A group whose steps are not its unit vectors (a circulant) has its generators for dimensions: a step is
 * taken where it lies on a minimal path, and steps are tried in the order of group_steps(). */
#include <stdint.h>
#include <stdlib.h>

#include "graph/base/mem.h"
#include "model/route.h"

struct generators {
    uint32_t *hops;                 /* hops[v]: from 0 to v */
    int *step;
    int nstep;
};

static bool is_grid(const struct net *net)
{
    return net->ndim > 0 && (!net->group || net->group->unit);
}

static bool fits(const struct net *net)
{
    return net->ndim > 0 || net->group;
}

static void release(struct routing *r)
{
    struct generators *g = r->state;

    if (g) {
        free(g->hops);
        free(g->step);
        free(g);
    }
    r->state = NULL;
}

static int open(struct routing *r, struct err *err)
{
    const struct group *group = r->net->group;
    struct generators *g;

    r->invariant = group != NULL;
    if (is_grid(r->net))
        return 0;
    if (mem_need(8.0 * group->n, "dimension order on a circulant", err) < 0)
        return -1;
    g = calloc(1, sizeof *g);
    if (!g)
        return err_memory(err);
    r->state = g;
    g->nstep = group_degree(group);
    g->step = malloc((size_t)g->nstep * sizeof *g->step);
    g->hops = malloc((size_t)group->n * sizeof *g->hops);
    if (!g->step || !g->hops) {
        release(r);
        return err_memory(err);
    }
    group_steps(group, g->step, NULL);
    if (group_distances(group, g->hops, err) < 0) {
        release(r);
        return -1;
    }
    return 0;
}

/* The neighbour of `node` along the last dimension in which it differs from the target. */
static int grid_next(const struct net *net, int node, int target)
{
    int stride = 1;

    for (int d = net->ndim - 1;; d--) {
        int k = net->size[d], a = node / stride % k, b = target / stride % k;

        if (a != b) {
            int ahead = b > a ? b - a : b - a + k;
            bool up = net->wrap[d] ? net->directed || ahead <= k - ahead : b > a;
            int to = up ? (a + 1 < k ? a + 1 : 0) : (a > 0 ? a - 1 : k - 1);

            return node + (to - a) * stride;
        }
        stride *= k;
    }
}

static int group_next(const struct generators *g, const struct group *group, int node, int target)
{
    int left = group_add(group, target, group_negative(group, node));

    if (g->hops[left] == 1)
        return target;
    for (int i = 0; i < g->nstep; i++) {
        int after = group_add(group, left, group_negative(group, g->step[i]));

        if (g->hops[after] + 1 == g->hops[left])
            return group_add(group, node, g->step[i]);
    }
    return -1;
}

static int next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err)
{
    char name[2][96];

    (void)in;
    *n = 1;
    hop->share = 1;
    hop->node = r->state ? group_next(r->state, r->net->group, node, target) : grid_next(r->net, node, target);
    if (hop->node < 0)
        return err_set(err, ERR_NETWORK, "%.200s is not connected: there is no path from %s to %s", r->net->spec,
                       net_label(r->net, node, name[0]), net_label(r->net, target, name[1]));
    return 0;
}

const struct route route_dor = {
    .name = "dor",
    .summary = "dimension order, the last dimension first; half-way round a ring goes up",
    .source = "Dally and Towles 2004, section 8.4",
    .minimal = true,
    .fits = fits,
    .needs = "dimensions",
    .open = open,
    .close = release,
    .next = next
};
