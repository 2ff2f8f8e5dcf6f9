#include "graph/numeric/front.h"

struct candidate {
    double x, y;                /* the less the better */
    size_t place;
};

static int by_merit(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;

    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

int front_find(size_t *front, size_t *nfront, const double *x, const double *y, size_t n, const bool most[2],
               struct err *err)
{
    struct candidate *all = NULL, last = { NAN, INFINITY, 0 };
    size_t k = 0, found = 0;

    if (TAKE("the Pareto front", err, ARRAY(all, n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]) && !isnan(y[i]))
            all[k++] = (struct candidate){ most[0] ? -x[i] : x[i], most[1] ? -y[i] : y[i], i };
    qsort(all, k, sizeof *all, by_merit);
    for (size_t i = 0; i < k; i++)
        if (all[i].y < last.y || i == 0 || (all[i].y == last.y && all[i].x == last.x)) {
            last = all[i];
            front[found++] = all[i].place;
        }
    *nfront = found;
    free(all);
    return 0;
}
