#include "graph/numeric/regress.h"

#include "registry/regress.inc"

KIND(regress, regress, struct regress_kind, .name = "fit", .rank = 20)

/* ---- fitting ----------------------------------------------------------------------------------------- */

/* What is fitted: u = x or ln x and w = y or ln y, scaled by powers of two to below 1, which costs no digits. */
struct points {
    const struct regress_kind *kind;
    const double *x, *y;
    size_t n;
    int u_exponent, w_exponent;
    double u_mean, w_mean;      /* scaled */
    double spread;              /* largest |u - u_mean|, scaled */
};

static bool usable(const struct points *p, size_t i)
{
    return isfinite(p->x[i]) && isfinite(p->y[i]) && (!p->kind->log_x || p->x[i] > 0) &&
           (!p->kind->log_y || p->y[i] > 0);
}

static double u_at(const struct points *p, size_t i)
{
    return ldexp(p->kind->log_x ? log(p->x[i]) : p->x[i], -p->u_exponent);
}

static double w_at(const struct points *p, size_t i)
{
    return ldexp(p->kind->log_y ? log(p->y[i]) : p->y[i], -p->w_exponent);
}

/* -1..1, about the mean. */
static double t_at(const struct points *p, size_t i)
{
    return (u_at(p, i) - p->u_mean) / p->spread;
}

/* Points used, their ends, and how many different u there are, up to three. */
static int survey(struct regress *r, struct points *p)
{
    double first = NAN, second = NAN, u_most = 0, w_most = 0;
    int different = 0;

    r->lo = INFINITY;
    r->hi = -INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        double u;

        if (!usable(p, i)) {
            r->left_out++;
            continue;
        }
        r->used++;
        r->lo = fmin(r->lo, p->x[i]);
        r->hi = fmax(r->hi, p->x[i]);
        r->size = fmax(r->size, fabs(p->y[i]));
        u = u_at(p, i);
        u_most = fmax(u_most, fabs(u));
        w_most = fmax(w_most, fabs(w_at(p, i)));
        if (different == 0)
            first = u;
        else if (different == 1 && u != first)
            second = u;
        else if (different != 2 || u == first || u == second)
            continue;
        different += different < 3;
    }
    frexp(u_most, &p->u_exponent);
    frexp(w_most, &p->w_exponent);
    return different;
}

/* Means in two passes: the second takes away what rounding left in the first. */
static void centre(struct points *p, size_t used)
{
    for (int pass = 0; pass < 2; pass++) {
        double u = 0, w = 0;

        for (size_t i = 0; i < p->n; i++)
            if (usable(p, i)) {
                u += u_at(p, i) - p->u_mean;
                w += w_at(p, i) - p->w_mean;
            }
        p->u_mean += u / (double)used;
        p->w_mean += w / (double)used;
    }
    for (size_t i = 0; i < p->n; i++)
        if (usable(p, i))
            p->spread = fmax(p->spread, fabs(u_at(p, i) - p->u_mean));
}

static double polynomial(const double local[3], double t)
{
    return local[0] + t * (local[1] + t * local[2]);
}

/* Fits the residuals by g0 + g1 t + g2 (t^2 - alpha t - beta), terms that are orthogonal over the points, so that each
 * coefficient is found by itself, and adds this to the fit. False: too few different x. */
static bool regress_improve(double local[3], const struct points *p, size_t used)
{
    double tt = 0, ttt = 0, left = 0, tleft = 0, g0, g1, g2 = 0, alpha, beta, qq = 0, qleft = 0;

    for (size_t i = 0; i < p->n; i++)
        if (usable(p, i)) {
            double t = t_at(p, i), d = w_at(p, i) - polynomial(local, t);

            tt += t * t;
            ttt += t * t * t;
            left += d;
            tleft += t * d;
        }
    g0 = left / (double)used;
    g1 = tleft / tt;
    alpha = ttt / tt;
    beta = tt / (double)used;
    for (size_t i = 0; p->kind->degree == 2 && i < p->n; i++)
        if (usable(p, i)) {
            double t = t_at(p, i), q = t * t - alpha * t - beta;

            qq += q * q;
            qleft += q * (w_at(p, i) - polynomial(local, t) - g0 - g1 * t);
        }
    if (p->kind->degree == 2) {
        if (!(qq > 1e-28 * (double)used))
            return false;
        g2 = qleft / qq;
    }
    local[0] += g0 - g2 * beta;
    local[1] += g1 - g2 * alpha;
    local[2] += g2;
    return true;
}

/* The mean of t is 0 but for rounding, which tells where x is far from 0 or the points are near to too few: the second
 * and third time take it away. */
static bool regress_solve(double local[3], const struct points *p, size_t used)
{
    local[0] = p->w_mean;
    for (int pass = 0; pass < 3; pass++)
        if (!regress_improve(local, p, used))
            return false;
    return true;
}

/* Of y as it is; scaled by a power of two of the largest, so that squares stay in range. */
static double r_squared(const struct regress *r, const struct points *p)
{
    double total = 0, rest = 0;

    for (size_t i = 0; i < p->n; i++)
        if (usable(p, i)) {
            double w = w_at(p, i), d = w - ldexp(polynomial(r->local, t_at(p, i)), -p->w_exponent);

            total += (w - p->w_mean) * (w - p->w_mean);
            rest += d * d;
        }
    return fmax(1 - rest / total, 0);       /* no fit is farther off than its own mean, but for rounding */
}

/* a, b, c of the equation from the fit about its centre. */
static bool regress_expand(struct regress *r)
{
    double k = r->centre / r->spread;
    const double *l = r->local;

    r->a = l[0] - k * (l[1] - k * l[2]);
    r->b = (l[1] - 2 * k * l[2]) / r->spread;
    r->c = l[2] / r->spread / r->spread;
    if (r->kind->log_y)
        r->a = exp(r->a);
    return isfinite(r->a) && isfinite(r->b) && isfinite(r->c) && (!r->kind->log_y || r->a > 0);
}

/* There is one. */
static size_t first_usable(const struct points *p)
{
    size_t i = 0;

    while (!usable(p, i))
        i++;
    return i;
}

static bool all_equal(const struct points *p)
{
    double y = p->y[first_usable(p)];

    for (size_t i = 0; i < p->n; i++)
        if (usable(p, i) && p->y[i] != y)
            return false;
    return true;
}

static int too_few(const struct regress *r, struct err *err)
{
    int need = r->kind->degree + 1;

    if (r->used < (size_t)need)
        return err_set(err, ERR_DOMAIN, "no %s fit: it takes %d points, and %zu can be used", r->kind->name, need,
                       r->used);
    return err_set(err, ERR_DOMAIN, "no %s fit: it takes %d clearly different x, and the %zu points have fewer",
                   r->kind->name, need, r->used);
}

int regress_fit(struct regress *out, const struct regress_kind *kind, const double *x, const double *y, size_t n,
                struct err *err)
{
    struct points p = { .kind = kind, .x = x, .y = y, .n = n };
    struct regress r = { .kind = kind };
    bool equal;

    if (survey(&r, &p) <= kind->degree)
        return too_few(&r, err);
    centre(&p, r.used);
    equal = all_equal(&p);
    if (!(p.spread > 0) || !regress_solve(r.local, &p, r.used))
        return too_few(&r, err);
    if (equal) {                            /* exactly, whatever the mean was rounded to */
        r.local[0] = w_at(&p, first_usable(&p));
        r.local[1] = r.local[2] = 0;
    }
    r.centre = ldexp(p.u_mean, p.u_exponent);
    r.spread = ldexp(p.spread, p.u_exponent);
    for (int i = 0; i < 3; i++)
        r.local[i] = ldexp(r.local[i], p.w_exponent);
    r.r2 = equal ? 1 : r_squared(&r, &p);
    if (!regress_expand(&r))
        return err_set(err, ERR_DOMAIN, "no %s fit: its coefficients are beyond the range of numbers", kind->name);
    *out = r;
    return 0;
}

double regress_at(const struct regress *r, double x)
{
    double u = r->kind->log_x ? log(x) : x, d = u - r->centre, w;

    if (isnan(u) || (r->kind->log_x && x <= 0))
        return NAN;
    w = polynomial(r->local, isfinite(d) ? d / r->spread : u / r->spread - r->centre / r->spread);
    return r->kind->log_y ? exp(w) : w;
}
