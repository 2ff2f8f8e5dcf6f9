#include "render/map/contour.h"
#include "render/figure/axis.h"

/* ---- levels ------------------------------------------------------------------------------------------ */

size_t contour_levels(double *level, size_t most, double lo, double hi)
{
    struct step step;
    double first;
    size_t n = 0;

    if (!isfinite(lo) || !isfinite(hi) || !(lo < hi) || most == 0)
        return 0;
    step = step_nice(lo, hi, most < 1000 ? (int)most : 1000);
    first = floor(lo / step_at(step, 1));
    /* Far from zero the quotient is coarse and levels may coincide: what is out of order is passed over. */
    for (size_t i = 0; i < most + 3 && n < most; i++) {
        double v = step_at(step, first + (double)i);

        if (v > lo && v < hi && (n == 0 || v > level[n - 1]))
            level[n++] = v;
    }
    return n;
}

/* Those of the factors times every stride-th power of ten; most + 1 when there are more. */
static size_t contour_label_powers(double *level, size_t most, double lo, double hi, int nfactor, int stride)
{
    static const int factor[] = { 1, 2, 5 };
    int first = (int)floor(log10(lo) / stride) * stride;
    size_t n = 0;

    for (int e = first; e <= 308; e += stride)
        for (int f = 0; f < nfactor; f++) {
            double v = step_at((struct step){ factor[f], e }, 1);

            if (!(v < hi) || n > most)
                return n;
            if (v > lo && n++ < most)
                level[n - 1] = v;
        }
    return n;
}

size_t contour_levels_log(double *level, size_t most, double lo, double hi)
{
    static const int stride[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500 };
    size_t n;

    if (!isfinite(lo) || !isfinite(hi) || !(lo < hi) || lo <= 0)
        return contour_levels(level, most, lo, hi);
    n = contour_label_powers(level, most, lo, hi, 3, 1);
    for (size_t i = 0; n > most && i < sizeof stride / sizeof *stride; i++)
        n = contour_label_powers(level, most, lo, hi, 1, stride[i]);
    return n < 2 || n > most ? contour_levels(level, most, lo, hi) : n;
}

/* ---- labels ------------------------------------------------------------------------------------------ */

#define STRAIGHT 0.95           /* chord to length, at least */

/* A place on a line that only moves on. */
struct walker {
    const struct xy *p;
    size_t n, piece, pieces;    /* piece i leads from point i to the next */
    double into;                /* the piece */
};

static double piece_length(const struct walker *w)
{
    struct xy a = w->p[w->piece % w->n], b = w->p[(w->piece + 1) % w->n];

    return hypot(b.x - a.x, b.y - a.y);
}

static double contour_label_rest(const struct walker *w)
{
    return fmax(piece_length(w) - w->into, 0);
}

static void contour_label_move(struct walker *w, double way_on)
{
    while (w->piece + 1 < w->pieces && way_on >= contour_label_rest(w)) {
        way_on -= contour_label_rest(w);
        w->piece++;
        w->into = 0;
    }
    w->into += way_on;
}

static struct xy contour_label_where(const struct walker *w)
{
    struct xy a = w->p[w->piece % w->n], b = w->p[(w->piece + 1) % w->n];
    double length = piece_length(w), t = length > 0 ? fmin(w->into / length, 1) : 0;

    return (struct xy){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) };
}

/* A walker may go round a closed line twice: once for the start of the stretch, once more for its end. */
static struct walker walker_at(const struct xy *p, size_t n, bool closed, double from)
{
    struct walker w = { .p = p, .n = n, .pieces = closed ? 2 * n : n - 1 };

    contour_label_move(&w, from);
    return w;
}

static double line_length(const struct xy *p, size_t n, bool closed)
{
    double sum = 0;

    for (size_t i = 0; i + !closed < n; i++)
        sum += hypot(p[(i + 1) % n].x - p[i].x, p[(i + 1) % n].y - p[i].y);
    return sum;
}

static double contour_label_chord(const struct walker *a, const struct walker *b)
{
    struct xy p = contour_label_where(a), q = contour_label_where(b);

    return hypot(q.x - p.x, q.y - p.y);
}

/* Where the longest chord begins. While neither end passes a point both move evenly, so that the square of the chord
 * is convex there: it is greatest where one of them is at a point. */
static double straightest(double *best, const struct xy *p, size_t n, bool closed, double length, double from,
                          double to)
{
    double start = closed ? from : (from + to) / 2, at = from;
    struct walker a = walker_at(p, n, closed, start), b = walker_at(p, n, closed, start + length);

    *best = contour_label_chord(&a, &b);
    a = walker_at(p, n, closed, from);
    b = walker_at(p, n, closed, from + length);
    for (size_t i = 0; i < 4 * n + 4 && at <= to; i++) {
        double c = contour_label_chord(&a, &b),
            on = contour_label_rest(&a) < contour_label_rest(&b) ? contour_label_rest(&a) : contour_label_rest(&b);

        if (c > *best + 1e-9 * length) {
            *best = c;
            start = at;
        }
        if (at == to)
            break;
        on = fmin(on, to - at);
        at = on < to - at ? at + on : to;
        contour_label_move(&a, on);
        contour_label_move(&b, on);
    }
    return start;
}

bool contour_place(struct contour_place *out, const struct xy *point, size_t n, bool closed, double length,
                   double margin)
{
    double total, start, best, angle;
    struct walker a, b, middle;
    struct xy p, q;

    if (n < 2 || !(length > 0) || !(margin >= 0))
        return false;
    total = line_length(point, n, closed);
    if (!(total >= length + 2 * margin))
        return false;
    start = closed ? straightest(&best, point, n, true, length, 0, total) :
                     straightest(&best, point, n, false, length, margin, total - margin - length);
    if (best < STRAIGHT * length)
        return false;
    a = walker_at(point, n, closed, start);
    b = walker_at(point, n, closed, start + length);
    middle = walker_at(point, n, closed, start + length / 2);
    p = contour_label_where(&a);
    q = contour_label_where(&b);
    angle = atan2(q.y - p.y, q.x - p.x) * (180 / M_PI);
    *out = (struct contour_place){ contour_label_where(&middle),
                                   angle > 90 ? angle - 180 : angle < -90 ? angle + 180 : angle,
                                   start, start + length };
    return true;
}
