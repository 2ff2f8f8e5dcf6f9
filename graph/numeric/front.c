#include "graph/numeric/front.h"
#include "graph/base/order.h"

struct candidate {
    double x, y;                /* the less the better */
    size_t place;
};

ORDER(by_merit, struct candidate, UP(x) UP(y) UP(place))

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
