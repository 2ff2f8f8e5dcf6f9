/* pieces.c -- straight lines one beside the other (pieces.h).
 * 1. sums      what least squares of relative errors need of points that stand together
 * 2. one line  through a range, with Huber's weights
 * 3. breaks    groups, their costs, the least sum for each number of pieces, BIC; breaks moved */
#include "graph/numeric/pieces.h"

/* ---- sums: of w u^2, w u v, w v^2, w u, w v and w, u = 1/y, v = x/y: a u + b v is to be 1 ------------- */

struct sums {
    double uu, uv, vv, u, v, w;
};

static void sums_add(struct sums *s, const struct sums *other)
{
    s->uu += other->uu;
    s->uv += other->uv;
    s->vv += other->vv;
    s->u += other->u;
    s->v += other->v;
    s->w += other->w;
}

/* Of points from .. to - 1. */
static struct sums sums_of(const double *x, const double *y, const double *weight, size_t from, size_t to)
{
    struct sums s = { 0 };

    for (size_t i = from; i < to; i++) {
        const double u = 1 / y[i], v = x[i] / y[i], w = weight[i];

        sums_add(&s, &(struct sums){ w * u * u, w * u * v, w * v * v, w * u, w * v, w });
    }
    return s;
}

/* The line, and what is left of squares. */
static double sums_solve(const struct sums *s, bool free, double *a, double *b)
{
    const double det = s->uu * s->vv - s->uv * s->uv;

    *b = det > 1e-14 * s->uu * s->vv ? (s->uu * s->v - s->uv * s->u) / det : 0;
    if (*b < 0 && !free)
        *b = 0;
    *a = (s->u - *b * s->uv) / s->uu;
    return fmax(0, s->w + *a * *a * s->uu + *b * *b * s->vv + 2 * (*a * *b * s->uv - *a * s->u - *b * s->v));
}

/* ---- one line ---------------------------------------------------------------------------------------- */

static double off(const struct piece *p, const double *x, const double *y, size_t i)
{
    return fabs(piece_at(p, x[i]) / y[i] - 1);
}

void piece_fit(struct piece *p, const double *x, const double *y, const double *weight, bool free)
{
    const struct sums s = sums_of(x, y, weight, p->from, p->to);

    sums_solve(&s, free, &p->a, &p->b);
    p->worst = 0;
    for (size_t i = p->from; i < p->to; i++)
        p->worst = fmax(p->worst, off(p, x, y, i));
}

void piece_follows(double *by_a, double *by_b, const struct piece *p, const double *x, const double *y,
                   const double *weight)
{
    const struct sums s = sums_of(x, y, weight, p->from, p->to);
    const double det = s.uu * s.vv - s.uv * s.uv;

    for (size_t i = p->from; i < p->to; i++) {      /* the weights 1/y^2 are held */
        const double w = weight[i] / (y[i] * y[i]);

        by_a[i - p->from] = det > 0 ? w * (s.vv - s.uv * x[i]) / det : 0;
        by_b[i - p->from] = det > 0 ? w * (s.uu * x[i] - s.uv) / det : 0;
    }
}

double piece_bound(const struct piece *p, const double *x, const double *y, double *scratch)
{
    const size_t n = p->to - p->from;

    for (size_t i = 0; i < n; i++)
        scratch[i] = off(p, x, y, p->from + i);
    qsort(scratch, n, sizeof *scratch, num_ascending_reals);
    return fmax(PIECES_OFF, 3 * 1.4826 * scratch[n / 2] * sqrt((double)n / fmax(1, (double)n - 2)));
}

/* Huber's weights of one piece, times those given, until the line stays. */
static void piece_robust(struct piece *p, const double *x, const double *y, double *weight, double *scratch)
{
    if (p->to - p->from < PIECES_ROBUST)
        return;
    for (int round = 0; round < 20; round++) {
        const double a = p->a, b = p->b, bound = piece_bound(p, x, y, scratch);

        if (round == 0 && p->worst <= bound)
            return;
        for (size_t i = p->from; i < p->to; i++)
            weight[i] = fmin(weight[i], bound / fmax(bound, off(p, x, y, i)));
        piece_fit(p, x, y, weight, false);
        if (fabs(p->a - a) <= 1e-12 * fabs(a) && fabs(p->b - b) <= 1e-12 * fabs(b))
            return;
    }
}

/* ---- breaks ------------------------------------------------------------------------------------------ */

/* Cost of groups i .. j - 1 in one piece; INFINITY where it has too few points. */
static void costs(double *cost, const struct sums *group, const size_t *first, size_t g)
{
    double a, b;

    for (size_t i = 0; i < g; i++) {
        struct sums s = { 0 };

        for (size_t j = i + 1; j <= g; j++) {
            sums_add(&s, &group[j - 1]);
            cost[i * (g + 1) + j] = first[j] - first[i] < PIECES_LEAST ? INFINITY : sums_solve(&s, false, &a, &b);
        }
    }
}

/* The break between two pieces to where both together leave least. */
static void move_break(struct piece *p, const double *x, const double *y, const double *weight, size_t reach)
{
    const size_t at = p[0].to, begin = p[0].from + PIECES_LEAST, end = p[1].to - PIECES_LEAST;
    const size_t lo = at > begin + reach ? at - reach : begin, hi = at + reach < end ? at + reach : end;
    double least = INFINITY, a, b;

    for (size_t k = lo; k <= hi; k++) {
        const struct sums before = sums_of(x, y, weight, p[0].from, k), behind = sums_of(x, y, weight, k, p[1].to);
        const double left = sums_solve(&before, false, &a, &b) + sums_solve(&behind, false, &a, &b);

        if (left < least) {
            least = left;
            p[0].to = p[1].from = k;
        }
    }
}

/* best[k][j]: least sum of k + 1 pieces over the first j groups; came[k][j]: where the last of them begins. Returns the
 * number of pieces with the least BIC. */
static size_t choose(double *best, size_t *came, const double *cost, size_t g, size_t n, double floor)
{
    double least = INFINITY;
    size_t pieces = 1;

    for (size_t k = 0; k < PIECES_MOST; k++) {
        double *now = best + k * (g + 1), bic;
        const double *before = now - (g + 1);

        now[0] = INFINITY;
        for (size_t j = 1; j <= g; j++) {
            now[j] = k == 0 ? cost[j] : INFINITY;
            for (size_t i = 1; k > 0 && i < j; i++)
                if (before[i] + cost[i * (g + 1) + j] < now[j]) {
                    now[j] = before[i] + cost[i * (g + 1) + j];
                    came[k * (g + 1) + j] = i;
                }
        }
        if (!isfinite(now[g]))
            break;
        bic = (double)n * log(fmax(now[g] / (double)n, floor * floor)) + (3 * (double)k + 2) * log((double)n);
        if (bic < least) {
            least = bic;
            pieces = k + 1;
        }
    }
    return pieces;
}

int pieces_fit(struct piece piece[PIECES_MOST], size_t *npiece, const double *x, const double *y, const double *weight,
               size_t n, double floor, struct err *err)
{
    const size_t g = n < PIECES_GROUPS ? n : PIECES_GROUPS;
    struct sums *group;
    size_t *first, *came, k, at = g;
    double *cost, *best, *own, *scratch;

    if (n < PIECES_LEAST)
        return err_set(err, ERR_DOMAIN, "%zu different sizes; a line and what it leaves need three", n);
    if (TAKE("pieces", err, ARRAY(group, g), ARRAY(first, g + 1), ARRAY(came, PIECES_MOST * (g + 1)),
             ARRAY(cost, (g + 1) * (g + 1)), ARRAY(best, PIECES_MOST * (g + 1)), ARRAY(own, n), ARRAY(scratch, n)) < 0)
        return -1;
    for (size_t i = 0; i <= g; i++)
        first[i] = i * n / g;
    for (size_t i = 0; i < g; i++)
        group[i] = sums_of(x, y, weight, first[i], first[i + 1]);
    costs(cost, group, first, g);
    *npiece = k = choose(best, came, cost, g, n, floor);
    while (k-- > 0) {
        const size_t from = k ? came[k * (g + 1) + at] : 0;

        piece[k] = (struct piece){ .from = first[from], .to = first[at] };
        at = from;
    }
    for (size_t i = 0; g < n && i + 1 < *npiece; i++)
        move_break(&piece[i], x, y, weight, n / g + 1);
    memcpy(own, weight, n * sizeof *own);
    for (size_t i = 0; i < *npiece; i++) {
        piece_fit(&piece[i], x, y, own, false);
        piece_robust(&piece[i], x, y, own, scratch);
    }
    FREE(group, first, came, cost, best, own, scratch);
    return 0;
}
