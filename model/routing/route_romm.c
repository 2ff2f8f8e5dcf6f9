/* Over a node drawn from the minimal box between source and target, by dimension order to it and from it. The box holds
 * the nodes whose coordinate in each dimension is one that dimension order passes on its way from source to target: so
 * it lies on that side of a ring on which dor goes, half-way round too. */
#include "model/routing/route.h"
#include "texts/route.h"

struct romm {
    struct route_path path;         /* by dor */
    int *node;                      /* the box: its nodes, one dimension after the other */
    size_t room;
};

static bool route_romm_fits(const struct net *net)
{
    return net->lines == LINES_GRID;
}

static void route_romm_release(void *state)
{
    struct romm *m = state;

    route_path_release(&m->path);
    free(m->node);
}

static int route_romm_open(struct routing *r, const struct spec *spec, struct err *err)
{
    char base[160];

    if (spec_no_params(spec, err) < 0 || routing_base(r, spec, NULL, err) < 0 ||
        spec_append(&r->spec, err, "romm%s", routing_base_spec(spec, base)) < 0)
        return -1;
    r->invariant = r->base->invariant;
    return 0;
}

/* The dimension in which neighbours differ leaves their difference: each step of the path moves the nodes that were
 * made in the dimensions before. */
static int fill_box(struct romm *m, size_t *count, const struct net *net, struct err *err)
{
    const int *path = m->path.node;
    size_t n = 1, from = 0;         /* nodes; those at the beginning of the dimension at hand are node[0 .. n) */

    if (GROW(&m->room, 1, "a minimal box", err, GROWN(m->node)) < 0)
        return -1;
    m->node[0] = path[0];
    while (from + 1 < m->path.n) {
        const size_t base = n;
        int stride = 1, dim = net->ndim - 1;
        size_t to = from + 1;

        while (path[from] / stride % net->size[dim] == path[to] / stride % net->size[dim])
            stride *= net->size[dim--];
        for (; to < m->path.n && path[from] % stride == path[to] % stride &&
               path[from] / stride / net->size[dim] == path[to] / stride / net->size[dim]; to++) {
            if (GROW(&m->room, n + base, "a minimal box", err, GROWN(m->node)) < 0)
                return -1;
            for (size_t i = 0; i < base; i++)
                m->node[n++] = m->node[i] + path[to] - path[from];
        }
        from = to - 1;
    }
    *count = n;
    return 0;
}

static int route_romm_ways(struct ways *w, struct routing *r, const char *, int source, int target, struct err *err)
{
    struct romm *m = r->state;
    size_t n;

    if (route_path(&m->path, r->base, source, target, err) < 0 || fill_box(m, &n, r->net, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (m->node[i] != source && m->node[i] != target &&
            ways_add(w, (const int[]){ m->node[i], target }, 2, 1 / (double)n, err) < 0)
            return -1;
    return ways_add(w, &target, 1, 2 / (double)n, err);
}

const struct route route_romm = {
    ROUTE_ROMM_ENTRY,
    .minimal = true,
    .fits = route_romm_fits,
    .state = sizeof(struct romm),
    .open = route_romm_open,
    .close = route_romm_release,
    .ways = route_romm_ways
};
