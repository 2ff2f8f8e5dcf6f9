#include "graph/group.h"

int group_init(struct group *g, int ndim, const int *order, int ngen, const int *gen, bool directed, struct err *err)
{
    struct group new = { .n = 1, .ndim = ndim, .ngen = ngen, .directed = directed, .unit = ngen == ndim };
    int stride;

    if (TAKE("the group", err, ARRAY(new.order, ndim), ARRAY(new.gen, ngen)) < 0)
        return -1;
    memcpy(new.order, order, (size_t)ndim * sizeof *order);
    memcpy(new.gen, gen, (size_t)ngen * sizeof *gen);
    for (int d = 0; d < ndim; d++)
        new.n *= order[d];
    stride = new.n;
    for (int d = 0; d < ndim && new.unit; d++) {
        stride /= order[d];
        new.unit = gen[d] == stride;
    }
    *g = new;
    return 0;
}

void group_release(struct group *g)
{
    FREE(g->order, g->gen);
    *g = (struct group){ 0 };
}

int group_add(const struct group *g, int a, int b)
{
    int sum = 0, stride = 1;

    if (g->ndim == 1)
        return a < g->n - b ? a + b : a - (g->n - b);
    for (int d = g->ndim - 1; d >= 0; d--) {
        int k = g->order[d], c = a % k + b % k;

        sum += (c < k ? c : c - k) * stride;
        stride *= k;
        a /= k;
        b /= k;
    }
    return sum;
}

int group_negative(const struct group *g, int a)
{
    int sum = 0, stride = 1;

    for (int d = g->ndim - 1; d >= 0; d--) {
        int k = g->order[d], c = a % k;

        sum += (c ? k - c : 0) * stride;
        stride *= k;
        a /= k;
    }
    return sum;
}

int group_order_of(const struct group *g, int a)
{
    int order = 1, stride = g->n;

    for (int d = 0; d < g->ndim; d++)
        if ((stride /= g->order[d]) == a)           /* a unit vector */
            return g->order[d];
    for (int v = a; v != 0; v = group_add(g, v, a))
        order++;
    return order;
}

int group_degree(const struct group *g)
{
    int degree = 0;

    for (int i = 0; i < g->ngen; i++)
        degree += g->directed || group_negative(g, g->gen[i]) == g->gen[i] ? 1 : 2;
    return degree;
}

void group_steps(const struct group *g, int *step, int *of)
{
    int n = 0;

    for (int i = g->ngen - 1; i >= 0; i--)
        for (int sign = 0; sign < 2; sign++) {
            int s = sign ? group_negative(g, g->gen[i]) : g->gen[i];

            if (sign && (g->directed || s == g->gen[i]))
                continue;
            if (of)
                of[n] = i;
            step[n++] = s;
        }
}

/* Breadth-first from 0 by the given steps, over the nodes that are UINT32_MAX so far: at most `most`. */
static int search(const struct group *g, const int *step, int nstep, int most, uint32_t *D, struct err *err)
{
    int *queue = malloc((size_t)most * sizeof *queue), head = 0, tail = 0;

    if (!queue)
        return err_memory(err);
    D[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        const int v = queue[head++];

        for (int i = 0; i < nstep; i++) {
            const int w = group_add(g, v, step[i]);

            if (D[w] == UINT32_MAX) {
                D[w] = D[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    free(queue);
    return 0;
}

/* The only dimension in which an element is not 0, -1 where it is not the only one. */
static int axis_of(const struct group *g, int a)
{
    int axis = -1;

    for (int d = g->ndim - 1; d >= 0; d--) {
        if (a % g->order[d] && axis >= 0)
            return -1;
        axis = a % g->order[d] ? d : axis;
        a /= g->order[d];
    }
    return axis;
}

/* D at the multiples of dimension d's unit vector, by the steps along it: a ring and a complete line need no search. */
static int axis_distances(const struct group *g, int d, int unit, const int *step, int nstep, uint32_t *D,
                          struct err *err)
{
    const int k = g->order[d];
    const bool ring = nstep == (g->directed || k == 2 ? 1 : 2) && (step[0] == unit || step[nstep - 1] == unit);

    for (int c = 1; c < k; c++) {
        const int round = g->directed || c <= k / 2 ? c : k - c;

        D[(size_t)c * (size_t)unit] = ring ? (uint32_t)round : nstep == k - 1 ? 1 : UINT32_MAX;
    }
    return ring || nstep == k - 1 ? 0 : search(g, step, nstep, k, D, err);
}

/* Where every generator lies along one dimension, hops are summed over dimensions; 1 where it is not so. The generators
 * of a dimension are consecutive, those of the last dimension first. */
static int separable(const struct group *g, const int *step, int degree, uint32_t *D, struct err *err)
{
    size_t filled = 1;

    D[0] = 0;
    for (int d = g->ndim - 1; d >= 0; d--) {        /* copies of the part filled so far, one per coordinate */
        int n = 0;

        while (n < degree && axis_of(g, step[n]) == d)
            n++;
        if (n == 0 || axis_distances(g, d, (int)filled, step, n, D, err) < 0)
            return n == 0 ? 1 : -1;
        step += n;
        degree -= n;
        for (int c = g->order[d] - 1; c > 0; c--) {
            uint32_t *part = D + (size_t)c * filled;
            const uint32_t hops = *part;

            for (size_t i = 0; i < filled; i++)
                part[i] = D[i] == UINT32_MAX || hops == UINT32_MAX ? UINT32_MAX : D[i] + hops;
        }
        filled *= (size_t)g->order[d];
    }
    return degree > 0;
}

int group_distances(const struct group *g, uint32_t *D, struct err *err)
{
    const int degree = group_degree(g);
    int *step = malloc((size_t)degree * sizeof *step), ret;

    if (!step)
        return err_memory(err);
    group_steps(g, step, NULL);
    ret = separable(g, step, degree, D, err);
    if (ret > 0) {
        memset(D, 0xff, (size_t)g->n * sizeof *D);
        ret = search(g, step, degree, g->n, D, err);
    }
    free(step);
    return ret;
}
