/* conv.c -- sums over balls of a group by Fourier transforms (conv.h).
 * 1. transforms    a row at a time along the last cyclic factor; Hartley's where all factors are Z_2
 * 2. rounding      whole numbers come out, or the error bound says that they may not (Higham 2002, section 24.1)
 * 3. balls         small ones node by node, others by one transform's product, or in digits small enough to be exact
 * 4. windows       sums along one line of the group, sliding */
#include "graph/distance/conv.h"

#include <complex.h>
#include <fftw3.h>

#include "graph/base/clones.h"

#define SMALL 64                /* nodes of a ball: so many rows are added sooner than transformed */
#define ROW 64                  /* nodes of a row, from which on that is so */

/* Layout: rows of the last dimension, padded to hold the half spectrum in place; all dimensions of size 2
 * (hypercubes) use real Hartley transforms instead, which need no padding. */
struct conv {
    const struct group *g;
    const uint32_t *D;
    uint32_t longest;           /* of D */
    bool real;                  /* Hartley: spectra are real */
    size_t row, pad, nrow;      /* doubles in a row, the same padded, rows */
    size_t size;                /* doubles in a buffer */
    double centre;              /* whole number taken off D before transforming */
    double norm;                /* l2 norm of D - centre */
    double tolerance;           /* rounding error put up with, less than half of 1 */
    double *spectrum, *work;            /* spectrum and plans: NULL until the first transform */
    fftw_plan forward, backward;        /* in place, on any buffer of fftw_malloc */
};

/* ---- transforms ---- */

static void conv_layout(struct conv *c)
{
    const struct group *g = c->g;

    c->real = true;
    for (int d = 0; d < g->ndim; d++)
        c->real = c->real && g->order[d] == 2;
    c->row = (size_t)(c->real ? g->n : g->order[g->ndim - 1]);
    c->pad = c->real ? c->row : 2 * (c->row / 2 + 1);
    c->nrow = (size_t)g->n / c->row;
    c->size = c->nrow * c->pad;
}

double conv_bytes(const struct group *g)
{
    struct conv c = { .g = g };

    conv_layout(&c);
    return (double)c.size * 2 * sizeof(double);
}

static bool conv_plan(struct conv *c)
{
    if (c->real) {
        fftw_r2r_kind kind[32];

        for (int d = 0; d < c->g->ndim; d++)
            kind[d] = FFTW_DHT;
        c->forward = fftw_plan_r2r(c->g->ndim, c->g->order, c->work, c->work, kind, FFTW_ESTIMATE);
        return c->forward != NULL;
    }
    c->forward = fftw_plan_dft_r2c(c->g->ndim, c->g->order, c->work, (fftw_complex *)c->work, FFTW_ESTIMATE);
    c->backward = fftw_plan_dft_c2r(c->g->ndim, c->g->order, (fftw_complex *)c->work, c->work, FFTW_ESTIMATE);
    return c->forward && c->backward;
}

static void conv_forward(const struct conv *c, double *buffer)
{
    if (c->real)
        fftw_execute_r2r(c->forward, buffer, buffer);
    else
        fftw_execute_dft_r2c(c->forward, buffer, (fftw_complex *)buffer);
}

static void conv_backward(const struct conv *c, double *buffer)
{
    if (c->real)
        fftw_execute_r2r(c->forward, buffer, buffer);       /* its own inverse, but for the factor n */
    else
        fftw_execute_dft_c2r(c->backward, (fftw_complex *)buffer, buffer);
}

int conv_open(struct conv **out, const struct group *g, const uint32_t *D, struct err *err)
{
    struct conv *c = calloc(1, sizeof *c);
    double sum = 0;

    if (!c)
        return err_memory(err);
    c->g = g;
    c->D = D;
    c->tolerance = 0.3;
    conv_layout(c);
    c->work = fftw_malloc(c->size * sizeof(double));
    if (!c->work) {
        conv_close(c);
        return err_memory(err);
    }
    for (int v = 0; v < g->n; v++) {
        sum += D[v];
        c->longest = D[v] > c->longest ? D[v] : c->longest;
    }
    c->centre = round(sum / g->n);
    *out = c;
    return 0;
}

/* What transforms need, made for the first. */
static int conv_prepare(struct conv *c, struct err *err)
{
    double squares = 0;

    if (c->spectrum)
        return 0;
    c->spectrum = fftw_malloc(c->size * sizeof(double));
    if (!c->spectrum || !conv_plan(c))
        return err_memory(err);
    for (size_t r = 0; r < c->nrow; r++)
        for (size_t i = 0; i < c->row; i++) {
            double d = c->D[r * c->row + i] - c->centre;

            c->spectrum[r * c->pad + i] = d;
            squares += d * d;
        }
    c->norm = sqrt(squares);
    conv_forward(c, c->spectrum);
    return 0;
}

void conv_tolerate(struct conv *c, double error)
{
    c->tolerance = error;
}

void conv_close(struct conv *c)
{
    if (!c)
        return;
    if (c->forward)
        fftw_destroy_plan(c->forward);
    if (c->backward)
        fftw_destroy_plan(c->backward);
    fftw_free(c->spectrum);
    fftw_free(c->work);
    free(c);
}

/* a = a * b (times a once more: squared). */
static void conv_multiply(const struct conv *c, double *a, const double *b, bool squared)
{
    if (c->real) {
        for (size_t i = 0; i < c->size; i++)
            a[i] = (squared ? a[i] * a[i] : a[i]) * b[i];
        return;
    }
    for (size_t i = 0; i < c->size; i += 2) {
        double re = a[i], im = a[i + 1];

        if (squared) {
            double re2 = re * re - im * im;

            im = 2 * re * im;
            re = re2;
        }
        a[i] = re * b[i] - im * b[i + 1];
        a[i + 1] = re * b[i + 1] + im * b[i];
    }
}

static void load_ball(const struct conv *c, uint32_t radius, double *to)
{
    for (size_t r = 0; r < c->nrow; r++)
        for (size_t i = 0; i < c->row; i++)
            to[r * c->pad + i] = c->D[r * c->row + i] <= radius;
}

/* ---- rounding ---- */

/* To whole numbers, rows closed up; the largest distance from a whole number found. */
static double conv_settle(const struct conv *c, double *buffer, double add)
{
    double n = (double)c->g->n, worst = 0;

    for (size_t r = 0; r < c->nrow; r++)
        for (size_t i = 0; i < c->row; i++) {
            double x = buffer[r * c->pad + i] / n, whole = nearbyint(x), off = fabs(x - whole);

            worst = off > worst ? off : worst;
            buffer[r * c->row + i] = whole + add;
        }
    return worst;
}

/* A bound on the error of a value that is a product of transforms with these norms multiplied: each transform
 * errs by at most some log2(n) units in the last place, in the l2 sense (Higham 2002, section 24.1). */
static double error_bound(const struct conv *c, double norms)
{
    return 4 * log2((double)c->g->n + 1) * 0x1p-53 * norms;
}

/* ---- balls ---- */

/* work = S * y, y (n whole numbers, closed up; lost) being taken in digits of a base so small that each transform is
 * exact. norm: l2 norm of S. */
static int in_digits(struct conv *c, uint32_t radius, double *y, double norm, struct err *err)
{
    double *set = fftw_malloc(c->size * sizeof(double)), *sum = NULL;
    double most = 0, base, scale = 1;
    int ret = -1;

    if ((!set && err_memory(err) < 0) || TAKE("summing in digits", err, ZEROS(sum, c->g->n)) < 0)
        goto done;
    for (int v = 0; v < c->g->n; v++)
        most = fmax(most, fabs(y[v]));
    base = exp2(floor(log2(c->tolerance / error_bound(c, norm * sqrt(c->g->n)))));     /* digits: up to half of it */
    if (base < 4) {
        err_set(err, ERR_MEMORY, "%d nodes are too many for exact sums", c->g->n);
        goto done;
    }
    load_ball(c, radius, set);
    conv_forward(c, set);
    for (; most >= 0.5; most /= base, scale *= base) {
        for (size_t r = 0; r < c->nrow; r++)
            for (size_t i = 0; i < c->row; i++) {
                double *rest = &y[r * c->row + i], high = nearbyint(*rest / base);

                c->work[r * c->pad + i] = *rest - high * base;
                *rest = high;
            }
        conv_forward(c, c->work);
        conv_multiply(c, c->work, set, false);
        conv_backward(c, c->work);
        if (conv_settle(c, c->work, 0) > 0.4) {
            err_set(err, ERR_INTERNAL, "a sum of distances did not come out whole");
            goto done;
        }
        for (int v = 0; v < c->g->n; v++)
            sum[v] += scale * c->work[v];
    }
    memcpy(c->work, sum, (size_t)c->g->n * sizeof *sum);
    ret = 0;
done:
    fftw_free(set);
    free(sum);
    return ret;
}

/* Too large for one transform: one ball after the other, each in digits. */
static int ball_in_digits(struct conv *c, uint32_t radius, bool twice, double size, struct err *err)
{
    const size_t n = (size_t)c->g->n;
    const double add = c->centre * size * (twice ? size : 1);
    double *y;
    int ret;

    if (mem_need(((double)c->size + 2 * (double)n) * sizeof *y, "summing in digits", err) < 0)
        return -1;
    if (TAKE("summing in digits", err, ARRAY(y, n)) < 0)
        return -1;
    for (size_t v = 0; v < n; v++)
        y[v] = c->D[v] - c->centre;
    ret = in_digits(c, radius, y, sqrt(size), err);
    if (ret == 0 && twice) {
        memcpy(y, c->work, n * sizeof *y);
        ret = in_digits(c, radius, y, sqrt(size), err);
    }
    free(y);
    for (size_t v = 0; ret == 0 && v < n; v++)
        c->work[v] += add;
    return ret;
}

SIMD_CLONES static void add_row(uint32_t *sum, const uint32_t *more, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += more[i];
}

/* work[v] = sum of from[v - i] over the n members -away[0], ...: row by row, each shifted along the last dimension. */
static void add_members(struct conv *c, const uint32_t *from, const int *away, int n, uint32_t *sum)
{
    for (size_t first = 0; first < (size_t)c->g->n; first += c->row) {
        memset(sum, 0, c->row * sizeof *sum);
        for (int k = 0; k < n; k++) {
            const size_t begin = (size_t)group_add(c->g, (int)first, away[k]), along = begin % c->row;

            add_row(sum, from + begin, c->row - along);
            add_row(sum + c->row - along, from + begin - along, along);
        }
        for (size_t i = 0; i < c->row; i++)
            c->work[first + i] = sum[i];
    }
}

SIMD_CLONES static int ball_size(const uint32_t *D, int n, uint32_t radius)
{
    int size = 0;

    for (int v = 0; v < n; v++)
        size += D[v] <= radius;
    return size;
}

static int ball_by_node(struct conv *c, uint32_t radius, bool twice, struct err *err)
{
    const struct group *g = c->g;
    int away[SMALL], n = 0;
    uint32_t *sum, *once;

    if (TAKE("summing over a ball", err, ARRAY(sum, c->row), ARRAY_IF(twice, once, g->n)) < 0)
        return -1;
    for (size_t first = 0; first < (size_t)g->n; first += c->row)
        for (size_t v = first; v < first + c->row && (v > first || ball_size(c->D + v, (int)c->row, radius) > 0); v++)
            if (c->D[v] <= radius)
                away[n++] = group_negative(g, (int)v);
    add_members(c, c->D, away, n, sum);
    if (twice) {
        for (int v = 0; v < g->n; v++)
            once[v] = (uint32_t)c->work[v];
        add_members(c, once, away, n, sum);
    }
    FREE(sum, once);
    return 0;
}

/* Whether rows are long enough for that, and sums fit. */
static bool by_node(const struct conv *c, double size, bool twice)
{
    return !c->real && c->row >= ROW && size <= SMALL && size * (twice ? size : 1) * c->longest <= UINT32_MAX;
}

int conv_ball(struct conv *c, uint32_t radius, bool twice, const double **value, struct err *err)
{
    const double size = ball_size(c->D, c->g->n, radius);

    if (size * (twice ? size : 1) * (c->centre + 1) * 2 > 0x1p53)
        return err_set(err, ERR_MEMORY, "a ball of %.0f nodes is too large for exact sums", size);
    *value = c->work;
    if (by_node(c, size, twice))
        return ball_by_node(c, radius, twice, err);
    if (conv_prepare(c, err) < 0)
        return -1;
    if (error_bound(c, sqrt(size) * (twice ? size : 1) * c->norm) > c->tolerance)
        return ball_in_digits(c, radius, twice, size, err);
    load_ball(c, radius, c->work);
    conv_forward(c, c->work);
    conv_multiply(c, c->work, c->spectrum, twice);
    conv_backward(c, c->work);
    if (conv_settle(c, c->work, c->centre * size * (twice ? size : 1)) > 0.4)
        return err_set(err, ERR_INTERNAL, "a sum of distances did not come out whole");
    return 0;
}

/* ---- windows ---- */

/* Sliding sum round one line of `length` values, `line` holding a copy of them. */
static void slide(double *value, size_t stride, int length, int start, int window, double *line)
{
    double sum = 0;

    for (int i = 0; i < length; i++)
        line[i] = value[(size_t)i * stride];
    start = (start % length + length) % length;
    for (int i = 0; i < window; i++)            /* the window of position 0: -start, -start-1, ... */
        sum += line[((length - start - i) % length + length) % length];
    for (int i = 0, in = (length - start) % length, out = ((length - start - window + 1) % length + length) % length;
         i < length; i++) {
        value[(size_t)i * stride] = sum;
        in = in + 1 == length ? 0 : in + 1;
        sum += line[in] - line[out];
        out = out + 1 == length ? 0 : out + 1;
    }
}

void conv_window(const struct group *g, int step, int start, int length, double *value, double *line)
{
    const int L = group_order_of(g, step), lines = g->n / L;
    size_t stride = (size_t)g->n;
    double *result = line + L;

    for (int d = 0; d < g->ndim; d++) {
        const size_t block = stride;

        stride /= (size_t)g->order[d];
        if (stride != (size_t)step)
            continue;
        for (size_t base = 0; base < (size_t)g->n; base += block)
            for (size_t i = 0; i < stride; i++)
                slide(value + base + i, stride, L, start, length, line);
        return;
    }
    /* One dimension, a jump: its multiples run through n/L cosets of 0..n/L-1, each a line of L. */
    for (int first = 0; first < lines; first++) {
        for (int i = 0, v = first; i < L; i++, v = group_add(g, v, step))
            result[i] = value[v];
        slide(result, 1, L, start, length, line);
        for (int i = 0, v = first; i < L; i++, v = group_add(g, v, step))
            value[v] = result[i];
    }
}
