#include "graph/group.h"

#include <stdlib.h>
#include <string.h>

int group_init(struct group *g, int ndim, const int *order, int ngen, const int *gen, bool directed,
               struct err *err)
{
    struct group new = { .n = 1, .ndim = ndim, .ngen = ngen, .directed = directed, .unit = ngen == ndim };
    int stride;

    new.order = malloc((size_t)ndim * sizeof *order);
    new.gen = malloc((size_t)ngen * sizeof *gen);
    if (!new.order || !new.gen) {
        group_release(&new);
        return err_memory(err);
    }
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
    free(g->order);
    free(g->gen);
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

/* Unit generators: hops are the sum over dimensions of the hops round each ring. */
static void separable(const struct group *g, uint32_t *D)
{
    size_t filled = 1;

    D[0] = 0;
    for (int d = g->ndim - 1; d >= 0; d--) {        /* copies of the part filled so far, one per coordinate */
        int k = g->order[d];

        for (int c = k - 1; c >= 0; c--) {
            uint32_t hops = (uint32_t)(g->directed || c <= k / 2 ? c : k - c);
            uint32_t *part = D + (size_t)c * filled;

            for (size_t i = 0; i < filled; i++)
                part[i] = D[i] + hops;
        }
        filled *= (size_t)k;
    }
}

static int search(const struct group *g, uint32_t *D, struct err *err)
{
    int degree = group_degree(g), head = 0, tail = 0;
    int *step = malloc((size_t)degree * sizeof *step);
    int *queue = malloc((size_t)g->n * sizeof *queue);

    if (!step || !queue) {
        free(step);
        free(queue);
        return err_memory(err);
    }
    group_steps(g, step, NULL);
    memset(D, 0xff, (size_t)g->n * sizeof *D);
    D[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int v = queue[head++];

        for (int i = 0; i < degree; i++) {
            int w = group_add(g, v, step[i]);

            if (D[w] == UINT32_MAX) {
                D[w] = D[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    free(step);
    free(queue);
    return 0;
}

int group_distances(const struct group *g, uint32_t *D, struct err *err)
{
    if (g->unit) {
        separable(g, D);
        return 0;
    }
    if (group_degree(g) == g->n - 1) {              /* complete: no need to look at N^2 steps */
        for (int v = 0; v < g->n; v++)
            D[v] = v > 0;
        return 0;
    }
    return search(g, D, err);
}
