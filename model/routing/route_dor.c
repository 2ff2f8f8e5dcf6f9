/* Dimension order: one dimension after the other, the last one first unless `order` says otherwise; half-way round a
 * ring goes up unless `tie` says otherwise. Other networks with a group (circulants, HyperX) have their generators for
 * dimensions: a step is taken where it lies on a minimal path, and steps are tried in the order of group_steps(). Where
 * all nodes of a line are joined that is one hop a dimension, the last one first. */
#include "model/routing/route.h"
#include "texts/route.h"

enum tie { TIE_UP, TIE_DOWN, TIE_SPLIT };

struct dor {
    enum tie tie;
    int ndim, *dim, *stride;        /* grids: dimensions in the order they are crossed, and node numbers between
                                     * steps */
    uint32_t *hops;                 /* other networks with a group: hops[v] from 0 to v */
    int *step;
    int nstep;
    struct {                        /* grids: the last node asked about, and how its message goes on along the dimension
                                     * */
        int node, target, left;     /* hops along it */
        int step, edge, across;     /* what a hop adds to the node; but once, after `edge` more, across the end */
    } leg;
};

static bool is_grid(const struct net *net)
{
    return net->lines == LINES_GRID;
}

static bool route_dor_fits(const struct net *net)
{
    return is_grid(net) || net->group;
}

static void route_dor_release(void *state)
{
    struct dor *d = state;

    FREE(d->dim, d->stride, d->hops, d->step);
}

/* "2+1" -> 1, 0: every dimension once. */
static int read_order(struct dor *d, const char *text, const struct net *net, struct err *err)
{
    const char *at = text;
    int64_t v;

    for (int i = 0; i < d->ndim; i++) {
        size_t len = strcspn(at, "+");

        if (num_int_part(&v, at, len, 1, d->ndim, "dimension", err) < 0)
            return err_at(err, "order=%.80s of %.200s", text, net->spec);
        for (int k = 0; k < i; k++)
            if (d->dim[k] == v - 1)
                return err_set(err, ERR_USAGE, "order=%.80s names dimension %d twice", text, (int)v);
        d->dim[i] = (int)v - 1;
        at += len;
        if ((*at != '\0') != (i + 1 < d->ndim))
            return err_set(err, ERR_USAGE, "order=%.80s must name all %d dimensions of %.200s once, as in order=1+2",
                           text, d->ndim, net->spec);
        at += *at == '+';
    }
    return 0;
}

static int open_grid(struct routing *r, struct dor *d, const char *order, struct err *err)
{
    const struct net *net = r->net;

    d->ndim = net->ndim;
    if (TAKE("dimension order", err, ARRAY(d->dim, d->ndim), ARRAY(d->stride, d->ndim)) < 0)
        return -1;
    for (int i = 0; i < d->ndim; i++)
        d->dim[i] = d->ndim - 1 - i;
    if (order && read_order(d, order, net, err) < 0)
        return -1;
    for (int i = 0; i < d->ndim; i++)
        d->stride[i] = net_unit(net, d->dim[i]);
    r->most = d->tie == TIE_SPLIT ? 2 : 1;
    return 0;
}

static int open_group(struct routing *r, struct dor *d, struct err *err)
{
    const struct group *group = r->net->group;

    d->nstep = group_degree(group);
    if (TAKE("dimension order by steps of a group", err, ARRAY(d->step, d->nstep), ARRAY(d->hops, group->n)) < 0)
        return -1;
    group_steps(group, d->step, NULL);
    return group_distances(group, d->hops, err);
}

static int route_dor_open(struct routing *r, const struct spec *spec, struct err *err)
{
    static const char *const ties[] = { "up", "down", "split", NULL };
    const char *order = spec_get(spec, "order");
    struct dor *d = r->state;
    int tie;

    if (spec_no_params(spec, err) < 0 || spec_choice(&tie, spec, "tie", ties, err) < 0)
        return -1;
    if (!is_grid(r->net) && (order || tie))
        return err_set(err, ERR_USAGE, "dor has keys order and tie on grids only; %.200s is none", r->net->spec);
    r->invariant = r->net->group != NULL;
    d->tie = (enum tie)tie;
    if ((is_grid(r->net) ? open_grid(r, d, order, err) : open_group(r, d, err)) < 0)
        return -1;
    return spec_append(&r->spec, err, "dor%s%s%s%s", order ? ",order=" : "", order ? order : "", tie ? ",tie=" : "",
                       tie ? ties[tie] : "");
}

/* Begins with the first dimension in the order in which node and target differ; true half-way round a ring where both
 * directions are taken. */
static bool grid_turn(struct dor *d, const struct net *net, int node, int target)
{
    int i = 0, k, a, b, ahead;
    bool up, half;

    while (k = net->size[d->dim[i]], a = node / d->stride[i] % k, b = target / d->stride[i] % k, a == b)
        i++;
    ahead = b > a ? b - a : b - a + k;
    half = net->wrap[d->dim[i]] && !net->directed && 2 * ahead == k;
    up = half ? d->tie != TIE_DOWN : net->wrap[d->dim[i]] ? net->directed || 2 * ahead < k : b > a;
    d->leg.left = up ? ahead : k - ahead;
    d->leg.step = up ? d->stride[i] : -d->stride[i];
    d->leg.edge = up ? k - 1 - a : a;
    d->leg.across = (1 - k) * d->leg.step;
    d->leg.node = node;
    d->leg.target = target;
    return half && d->tie == TIE_SPLIT && k > 2;
}

/* The neighbour of `node` along the first dimension in the order in which it differs from the target, or both
 * neighbours there. Coordinates are divided for at a turn alone. */
static size_t grid_next(struct hop *hop, struct dor *d, const struct net *net, int node, int target)
{
    const bool both = (node != d->leg.node || target != d->leg.target || d->leg.left == 0) &&
        grid_turn(d, net, node, target);

    if (both)                       /* the second goes down, across the end from coordinate 0 */
        hop[1] = (struct hop){ node - (d->leg.across + d->leg.edge * d->leg.step ? d->leg.step : d->leg.across), 0.5,
                               0 };
    d->leg.node += d->leg.edge-- ? d->leg.step : d->leg.across;
    d->leg.left = both ? 0 : d->leg.left - 1;
    *hop = (struct hop){ d->leg.node, both ? 0.5 : 1, 0 };
    return both ? 2 : 1;
}

static int group_next(const struct dor *g, const struct group *group, int node, int target)
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

static int route_dor_next(struct hop *hop, size_t *n, struct routing *r, int node, int, int target, struct err *err)
{
    if (is_grid(r->net)) {
        *n = grid_next(hop, r->state, r->net, node, target);
        return 0;
    }
    *n = 1;
    *hop = (struct hop){ group_next(r->state, r->net->group, node, target), 1, 0 };
    return hop->node < 0 ? routing_no_path(r, node, target, err) : 0;
}

const struct route route_dor = {
    ROUTE_DOR_ENTRY,
    .minimal = true,
    .ordered = true,
    .fits = route_dor_fits,
    .state = sizeof(struct dor),
    .open = route_dor_open,
    .close = route_dor_release,
    .next = route_dor_next
};
