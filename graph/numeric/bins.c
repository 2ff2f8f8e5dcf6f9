/* bins.c -- empirical distributions and histograms of weighted values (bins.h).
 * 1. cumulative shares   values sorted, their weights added up; quantiles
 * 2. choosing            how many bins (Freedman and Diaconis 1981), their edges at nice steps, whole numbers or
 *                        decades
 * 3. counting            weights into bins */
#include "graph/numeric/bins.h"

#include <float.h>

#include "graph/base/bisect.h"
#include "graph/base/order.h"
#include "graph/numeric/step.h"

#define WHOLE_EACH 100          /* whole numbers that get a bin each */
#define WHOLE_LARGEST 1e15      /* well below where doubles have no halves any more */
#define LEAST_SPAN 1e-10        /* of the values: below it they are as good as equal */

static double weight_of(const double *weight, size_t i)
{
    return weight ? weight[i] : 1;
}

static bool counts(const double *v, const double *weight, size_t i)
{
    return isfinite(v[i]) && (!weight || (isfinite(weight[i]) && weight[i] >= 0));
}

/* ---- cumulative shares ------------------------------------------------------------------------------- */

struct weighed {
    double value, weight;
};

ORDER(by_value, struct weighed, UP(value))

void ecdf_release(struct ecdf *e)
{
    FREE(e->value, e->share);
    *e = (struct ecdf){ 0 };
}

static void accumulate(struct ecdf *e, const struct weighed *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        e->total += w[i].weight;
        if (e->n == 0 || e->value[e->n - 1] < w[i].value)
            e->value[e->n++] = w[i].value + 0.0;        /* no -0 */
        e->share[e->n - 1] = e->total;
    }
    for (size_t i = 0; i < e->n; i++)
        e->share[i] /= e->total;
}

int ecdf_make(struct ecdf *out, const double *v, const double *weight, size_t n, struct err *err)
{
    struct ecdf e = { 0 };
    struct weighed *w;
    size_t m = 0;

    if (TAKE("the distribution", err, ARRAY(w, n + 1), ARRAY(e.value, n + 1), ARRAY(e.share, n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!counts(v, weight, i))
            e.left_out++;
        else if (weight_of(weight, i) > 0)
            w[m++] = (struct weighed){ v[i], weight_of(weight, i) };
    }
    qsort(w, m, sizeof *w, by_value);
    accumulate(&e, w, m);
    *out = e;
    free(w);
    return 0;
}

double ecdf_quantile(const struct ecdf *e, double p)
{
    size_t at;

    if (e->n == 0)
        return NAN;
    BISECT(at, 0, e->n - 1, i, !(e->share[i] >= p - 1e-12));       /* sums of shares are rounded */
    return e->value[at];
}

/* ---- choosing ---------------------------------------------------------------------------------------- */

void bins_release(struct bins *b)
{
    FREE(b->edge, b->count);
    *b = (struct bins){ 0 };
}

/* Half the difference: the whole may be beyond the largest double. */
static double half(double lo, double hi)
{
    return hi / 2 - lo / 2;
}

/* How many bins of even width the values want. */
static double wanted(const struct ecdf *e, double number)
{
    double lo = e->value[0], hi = e->value[e->n - 1];
    double q1 = ecdf_quantile(e, 0.25), q3 = ecdf_quantile(e, 0.75);
    double n = q3 > q1 ? half(lo, hi) / half(q1, q3) * cbrt(number) / 2 : 1 + ceil(log2(number));

    return n > 1 ? fmin(n, BINS_MOST) : 1;              /* a NaN, of 0 / 0, too */
}

/* Kish: as many equal weights would say as much. */
static double effective_number(const double *v, const double *weight, size_t n)
{
    double most = 0, sum = 0, square = 0;

    for (size_t i = 0; i < n; i++)
        if (counts(v, weight, i))
            most = fmax(most, weight_of(weight, i));
    for (size_t i = 0; i < n; i++)
        if (counts(v, weight, i) && most > 0) {
            double w = weight_of(weight, i) / most;

            sum += w;
            square += w * w;
        }
    return square > 0 ? sum * sum / square : 1;
}

static bool all_whole(const struct ecdf *e)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->value[i] != floor(e->value[i]) || fabs(e->value[i]) > WHOLE_LARGEST)
            return false;
    return true;
}

/* Edges go here before it is known how many there are. */
struct edges {
    double v[BINS_MOST + 2];
    size_t n;
};

/* Rising and finite, whatever rounding did to them. */
static void edge_add(struct edges *to, double v)
{
    v = fmin(fmax(v, -DBL_MAX), DBL_MAX);
    if (to->n < BINS_MOST + 1 && (to->n == 0 || v > to->v[to->n - 1]))
        to->v[to->n++] = v + 0.0;                       /* no -0 */
}

/* The number of the step at or below v (of values far from zero, quotients are too coarse to trust). */
static double step_below(double v, struct step s)
{
    double n = floor(v / s.m / step_value(1, s.k) + 1e-9);

    return step_at(s, n) > v ? n - 1 : n;
}

static double step_above(double v, struct step s)
{
    return -step_below(-v, s);
}

/* The nice step nearest to that many pieces, and few enough of it: *first and *last count them. */
static struct step round_steps(double lo, double hi, double number, double *first, double *last)
{
    double most = fmax(fmin(round(M_SQRT2 * number), BINS_MOST), 1);
    struct step s;

    do {
        s = step_nice(lo, hi, (int)most);
        *first = step_below(lo, s);
        *last = step_above(hi, s);
        most = fmax(floor(most / 2), 1);
    } while (*last - *first > BINS_MOST && most > 1);
    return s;
}

/* All values are equal within rounding. */
static bool bins_narrow(double lo, double hi)
{
    double size = fmax(fabs(lo), fabs(hi));

    return half(lo, hi) <= LEAST_SPAN * size / 2 || size < 1e-290;
}

static void around(struct edges *to, double lo, double hi)
{
    double size = fmax(fabs(lo), fabs(hi));
    struct step s;

    if (size < 1e-290) {                                /* zero, and what rounding cannot tell from it */
        edge_add(to, -0.5);
        edge_add(to, 0.5);
        return;
    }
    s = step_nice(0, size, 5);
    edge_add(to, step_at(s, step_below(lo, s)));
    edge_add(to, step_at(s, step_below(hi, s) + 1));
}

static void linear_edges(struct edges *to, double lo, double hi, double number)
{
    double first, last;
    struct step s;

    if (bins_narrow(lo, hi)) {
        around(to, lo, hi);
        return;
    }
    s = round_steps(lo, hi, number, &first, &last);
    for (double c = first; c <= last && c < first + BINS_MOST + 1; c++)
        edge_add(to, step_at(s, c));
}

static void even_edges(struct edges *to, double lo, double hi, int count)
{
    if (bins_narrow(lo, hi)) {
        around(to, lo, hi);
        return;
    }
    for (int i = 0; i <= count; i++) {
        double t = (double)i / count;

        edge_add(to, i == count ? hi : (1 - t) * lo + t * hi);
    }
}

static void whole_edges(struct edges *to, double lo, double hi, double number, int count)
{
    double numbers = hi - lo + 1, width = 1, first = lo, last;

    if (count > 0) {
        width = ceil(numbers / count);
    } else if (numbers > WHOLE_EACH) {
        width = fmax(step_at(round_steps(lo, hi + 1, number, &first, &last), 1), 1);
        first = floor(lo / width) * width;
    }
    for (int i = 0; i <= BINS_MOST; i++) {
        edge_add(to, first + i * width - 0.5);
        if (first + i * width > hi)
            break;
    }
}

/* 10^u; whole powers exactly, and never 0. */
static double ten_to(double u)
{
    double v = u == floor(u) && fabs(u) < 400 ? step_value(1, (int)u) : pow(10, u);

    return fmax(v, DBL_TRUE_MIN);
}

/* Even in the exponent `u`; whole decades round values that are as good as equal. The ends hold lo and hi however
 * log10 rounds. */
static void log_edges(struct edges *to, const struct ecdf *u, double lo, double hi, double number, int count)
{
    double a = u->value[0], b = u->value[u->n - 1];
    struct edges exponent = { .n = 0 };

    if (b - a < 1e-6) {
        edge_add(&exponent, floor(a));
        edge_add(&exponent, floor(b) + 1);
    } else if (count > 0) {
        even_edges(&exponent, a, b, count);
    } else {
        linear_edges(&exponent, a, b, wanted(u, number));
    }
    for (size_t i = 0; i < exponent.n; i++)
        edge_add(to, ten_to(exponent.v[i]));
    to->v[0] = fmin(to->v[0], lo);
    to->v[to->n - 1] = fmax(to->v[to->n - 1], hi);
}

static int bins_from(struct bins *out, const double *edge, size_t n, struct err *err)
{
    struct bins b = { .n = n };

    if (TAKE("the distribution", err, ARRAY(b.edge, n + 1), ZEROS(b.count, n + 1)) < 0) {
        bins_release(&b);
        return -1;
    }
    if (n > 0)
        memcpy(b.edge, edge, (n + 1) * sizeof *edge);
    *out = b;
    return 0;
}

/* The logarithms of the values that have one; lo and hi are the ends of the values themselves. False: none has. */
static bool to_logarithms(struct ecdf *e, double *lo, double *hi)
{
    size_t skip = 0;
    double under;

    while (skip < e->n && e->value[skip] <= 0)
        skip++;
    if (skip == e->n)
        return false;
    *lo = e->value[skip];
    *hi = e->value[e->n - 1];
    under = skip > 0 ? e->share[skip - 1] : 0;
    e->n -= skip;
    for (size_t i = 0; i < e->n; i++) {
        e->value[i] = log10(e->value[i + skip]);
        e->share[i] = (e->share[i + skip] - under) / (1 - under);
    }
    return true;
}

int bins_choose(struct bins *out, const double *v, const double *weight, size_t n, const struct bins_how *how,
                struct err *err)
{
    int count = how->count < 0 ? 0 : how->count > BINS_MOST ? BINS_MOST : how->count;
    double number = effective_number(v, weight, n), lo, hi;
    struct edges edges = { .n = 0 };
    struct ecdf e = { 0 };
    bool whole;
    int status;

    if (ecdf_make(&e, v, weight, n, err) < 0)
        return -1;
    whole = !how->logarithmic && e.n > 0 && all_whole(&e);
    if (how->logarithmic) {
        if (to_logarithms(&e, &lo, &hi))
            log_edges(&edges, &e, lo, hi, number, count);
    } else if (e.n > 0) {
        lo = e.value[0];
        hi = e.value[e.n - 1];
        if (whole)
            whole_edges(&edges, lo, hi, wanted(&e, number), count);
        else if (count > 0)
            even_edges(&edges, lo, hi, count);
        else
            linear_edges(&edges, lo, hi, wanted(&e, number));
    }
    ecdf_release(&e);
    status = bins_from(out, edges.v, edges.n > 0 ? edges.n - 1 : 0, err);
    if (status == 0) {
        out->logarithmic = how->logarithmic;
        out->whole = whole;
    }
    return status;
}

/* ---- counting ---------------------------------------------------------------------------------------- */

int bins_like(struct bins *out, const struct bins *b, struct err *err)
{
    if (bins_from(out, b->edge, b->n, err) < 0)
        return -1;
    out->logarithmic = b->logarithmic;
    out->whole = b->whole;
    return 0;
}

static size_t bin_of(const struct bins *b, double v)
{
    size_t at;

    BISECT(at, 1, b->n, i, v >= b->edge[i]);
    return at - 1;
}

void bins_add(struct bins *b, const double *v, const double *weight, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double w = weight_of(weight, i);

        if (!counts(v, weight, i))
            b->left_out++;
        else if (b->n == 0 || v[i] < b->edge[0])
            b->below += w;
        else if (v[i] > b->edge[b->n])
            b->above += w;
        else
            b->count[bin_of(b, v[i])] += w;
    }
}
