/* series.c -- how a series looks: its colour, dashes, mark and filling. */
#include "render/page/canvas.h"
#include "render/page/palette.h"

struct rgb series_colour(const struct canvas *c, size_t look)
{
    return rgb_of(c->palette->series[look % LOOK_COLOURS]);
}

/* The contrast of letters on paper is to be 4.5 at least. */
struct rgb series_ink(const struct canvas *c, size_t look)
{
    struct rgb ink = series_colour(c, look);

    for (int i = 0; i < 20 && 1.05 / (rgb_luminance(ink) + 0.05) < 4.5; i++)
        ink = rgb_mix(ink, grey(0), 0.08);
    return ink;
}

static struct rgb between(const unsigned ramp[PALETTE_RAMP], double t)
{
    double at = fmin(fmax(t, 0), 1) * (PALETTE_RAMP - 1);
    int i = at >= PALETTE_RAMP - 1 ? PALETTE_RAMP - 2 : (int)at;

    return rgb_mix(rgb_of(ramp[i]), rgb_of(ramp[i + 1]), at - i);
}

struct rgb ramp_colour(const struct canvas *c, double t)
{
    return between(c->palette->ramp, t);
}

struct rgb ramp_diverging(const struct canvas *c, double t)
{
    return between(c->palette->diverging, t);
}

static struct pen dashed(const struct canvas *c, size_t look, double width, size_t dash)
{
    static const struct pen dashes[LOOK_DASHES] = { { .ndash = 0 }, { .dash = { 5, 2 }, .ndash = 2 },
        { .dash = { 1.6, 1.6 }, .ndash = 2 }, { .dash = { 6, 2, 1.6, 2 }, .ndash = 4 } };
    struct pen pen = dashes[dash % LOOK_DASHES];

    pen.colour = series_colour(c, look);
    pen.width = width;
    return pen;
}

struct pen series_pen(const struct canvas *c, size_t look, double width)
{
    return dashed(c, look, width, look / LOOK_COLOURS + (c->palette->grey ? look % LOOK_COLOURS : 0));
}

/* The four dashes and the seven colours have no common factor, so that 28 series differ. */
struct pen series_pen_unmarked(const struct canvas *c, size_t look, double width)
{
    return dashed(c, look, width, look);
}

/* A regular polygon, or with inner < 1 a star, first corner `turn` from straight up. */
static void polygon(struct canvas *c, double x, double y, double radius, int corners, double inner, double turn)
{
    int n = inner < 1 ? 2 * corners : corners;

    for (int i = 0; i < n; i++) {
        double a = turn + 2 * M_PI * i / n, r = inner < 1 && i % 2 ? radius * inner : radius;

        (i ? canvas_line : canvas_move)(c, x + r * sin(a), y - r * cos(a));
    }
    canvas_close_path(c);
}

/* Radii make the areas look alike. The eight shapes and the seven colours have no common factor, so that 56
 * series differ. */
static void mark_shape(struct canvas *c, size_t look, double x, double y, double s)
{
    switch (look % 8) {
    case 0: canvas_circle(c, x, y, 2.4 * s); break;
    case 1: canvas_rect(c, &(struct rect){ x - 2.2 * s, y - 2.2 * s, 4.4 * s, 4.4 * s }); break;
    case 2: polygon(c, x, y + 0.4, 3.1 * s, 3, 1, 0); break;
    case 3: polygon(c, x, y, 3.0 * s, 4, 1, 0); break;
    case 4: polygon(c, x, y - 0.4, 3.1 * s, 3, 1, M_PI); break;
    case 5: polygon(c, x, y, 3.5 * s, 5, 0.42, 0); break;
    case 6: polygon(c, x, y, 3.3 * s, 4, 0.30, M_PI / 4); break;
    default: polygon(c, x, y, 2.7 * s, 6, 1, 0); break;
    }
}

void series_dot(struct canvas *c, size_t look, double x, double y, double opacity)
{
    mark_shape(c, look, x, y, 0.8);
    canvas_fill(c, series_colour(c, look), opacity);
}

/* A rim of paper keeps marks apart. */
void series_mark(struct canvas *c, size_t look, double x, double y, bool hollow)
{
    const struct rgb colour = series_colour(c, look);
    struct pen rim = { .colour = hollow ? colour : grey(1), .width = hollow ? 0.9 : 0.6 };

    mark_shape(c, look, x, y, hollow ? 0.9 : 1);
    canvas_paint(c, hollow ? grey(1) : colour, 1, &rim);
}

/* Beyond the seven colours, and in grey from the first on: a tint, stripes, stripes the other way, crossed stripes. */
void series_fill(struct canvas *c, size_t look, const struct rect *r)
{
    const struct rgb colour = series_colour(c, look);
    const struct pen pen = { .colour = colour, .width = 0.8 };
    size_t style = (c->palette->grey ? look : look / LOOK_COLOURS) % 5;

    canvas_rect(c, r);
    canvas_fill(c, style == 0 ? colour : style == 1 ? rgb_mix(colour, grey(1), 0.5) : grey(1), 1);
    if (style == 2 || style == 4)
        canvas_hatch(c, r, 3.5, true, &pen);
    if (style == 3 || style == 4)
        canvas_hatch(c, r, 3.5, false, &pen);
    if (style == 0 || r->w <= pen.width || r->h <= pen.width)
        return;
    canvas_rect(c, &(struct rect){ r->x + pen.width / 2, r->y + pen.width / 2, r->w - pen.width, r->h - pen.width });
    canvas_stroke(c, &pen);
}

/* ---- regions of maps --------------------------------------------------------------------------------- */

enum stripes { PLAIN, RISING, FALLING, CROSSED, LEVEL, UPRIGHT };
struct tile {
    struct rgb ground, stroke;
    enum stripes stripes;
};

/* Greys far enough apart are few: stripes tell more of them apart. */
static struct tile grey_tile(size_t look)
{
    static const struct tile table[] = {
        { { 0.86, 0.86, 0.86 }, { 0, 0, 0 }, PLAIN }, { { 0.56, 0.56, 0.56 }, { 0, 0, 0 }, PLAIN },
        { { 1, 1, 1 }, { 0.45, 0.45, 0.45 }, RISING }, { { 0.30, 0.30, 0.30 }, { 0, 0, 0 }, PLAIN },
        { { 1, 1, 1 }, { 0.45, 0.45, 0.45 }, FALLING }, { { 0.86, 0.86, 0.86 }, { 0.35, 0.35, 0.35 }, CROSSED },
        { { 0.72, 0.72, 0.72 }, { 1, 1, 1 }, RISING }, { { 1, 1, 1 }, { 0.45, 0.45, 0.45 }, LEVEL },
        { { 0.30, 0.30, 0.30 }, { 0.9, 0.9, 0.9 }, FALLING }, { { 0.86, 0.86, 0.86 }, { 0.4, 0.4, 0.4 }, UPRIGHT },
        { { 0.56, 0.56, 0.56 }, { 1, 1, 1 }, CROSSED }, { { 1, 1, 1 }, { 0.45, 0.45, 0.45 }, CROSSED },
        { { 0.30, 0.30, 0.30 }, { 0.9, 0.9, 0.9 }, LEVEL }, { { 0.72, 0.72, 0.72 }, { 0.2, 0.2, 0.2 }, FALLING } };

    return table[look % (sizeof table / sizeof *table)];
}

static struct tile tile_of(const struct canvas *c, size_t look)
{
    static const enum stripes stripes[] = { PLAIN, RISING, FALLING, CROSSED, LEVEL, UPRIGHT };
    const struct rgb colour = series_colour(c, look);
    size_t style = look / LOOK_COLOURS % 6;

    if (c->palette->grey)
        return grey_tile(look);
    return (struct tile){ rgb_mix(colour, grey(1), style ? 0.72 : 0.3), rgb_mix(colour, grey(1), 0.1), stripes[style] };
}

bool series_tile_dark(const struct canvas *c, size_t look)
{
    return rgb_luminance(tile_of(c, look).ground) < 0.22;
}

/* Lines x + y = k step (x - y = k step) within a rectangle: the same ones whatever the rectangle. */
static void slanted(struct canvas *c, const struct rect *r, double step, double sign)
{
    const double a = sign > 0 ? r->y : -r->y - r->h, lo = r->x + a, hi = r->x + r->w + a + r->h;

    for (double s = ceil(lo / step) * step; s < hi; s += step) {
        double x0 = fmax(r->x, s - a - r->h), x1 = fmin(r->x + r->w, s - a);

        canvas_segment(c, x0, sign * (s - x0), x1, sign * (s - x1));
    }
}

static void straight(struct canvas *c, const struct rect *r, double step, bool level)
{
    const double from = level ? r->y : r->x, to = from + (level ? r->h : r->w);

    for (double s = ceil(from / step) * step; s < to; s += step)
        canvas_segment(c, level ? r->x : s, level ? s : r->y, level ? r->x + r->w : s, level ? s : r->y + r->h);
}

void series_tile(struct canvas *c, size_t look, const struct rect *r, size_t n)
{
    const struct tile t = tile_of(c, look);
    const struct pen pen = { .colour = t.stroke, .width = 0.7 };

    for (size_t i = 0; i < n; i++)
        canvas_rect(c, &r[i]);
    canvas_fill(c, t.ground, 1);
    for (size_t i = 0; i < n; i++) {
        if (t.stripes == RISING || t.stripes == CROSSED)
            slanted(c, &r[i], 4.2, 1);
        if (t.stripes == FALLING || t.stripes == CROSSED)
            slanted(c, &r[i], 4.2, -1);
        if (t.stripes == LEVEL || t.stripes == UPRIGHT)
            straight(c, &r[i], 3, t.stripes == LEVEL);
    }
    canvas_stroke(c, &pen);
}
