#include "render/figure/colour_bar.h"

#include <glib.h>

#include "render/figure/frame.h"
#include "render/page/palette.h"

#define WIDTH 9.0
#define STEPS 128
#define NAME_GAP 5.0
#define TICK 2.5
#define LEAST_SIDE 1e-3         /* of a scale of both signs, in parts of the other side */

int colour_bar_fit(struct colour_bar *b, const struct axis *a, const double *v, size_t n, struct err *err)
{
    struct fit how = { .wanted = a->scale, .exact = true, .axis = a };
    double *finite = malloc((n + 1) * sizeof *finite);
    size_t k = 0;

    *b = (struct colour_bar){ .axis = a };
    if (!finite)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i]))
            finite[k++] = v[i];
    scale_fit(&b->scale, finite, k, &how);
    free(finite);
    return 0;
}

static double label_height(void *canvas, const char *)
{
    return text_height(canvas, SIZE_TICK);
}

static double label_width(void *canvas, const char *markup)
{
    const struct text t = { .text = markup, .size = SIZE_TICK, .markup = true };

    return text_width(canvas, &t);
}

static struct text colour_bar_label(const char *markup)
{
    return (struct text){ .text = markup, .size = SIZE_TICK, .markup = true };
}

static struct text name(const struct colour_bar *b)
{
    return (struct text){ .text = b->name, .size = SIZE_TITLE, .markup = true, .width = b->height + b->above,
                          .lines = 2 };
}

void colour_bar_lay(struct colour_bar *b, struct canvas *c, double length, bool across)
{
    const struct ruler up = { length, 5, 26 * c->scale, label_height, c },
        right = { length, 7, 36 * c->scale, label_width, c };
    double name_w, name_h = 0;

    b->height = length;
    b->across = across;
    b->labels = across ? text_height(c, SIZE_TICK) : 0;
    ticks_choose(&b->ticks, &b->scale, across ? &right : &up);
    for (size_t i = 0; !across && i < b->ticks.n; i++)
        b->labels = fmax(b->labels, label_width(c, b->ticks.major[i].label));
    b->beyond = 0;
    for (size_t i = 0; across && i < b->ticks.n; i++)
        b->beyond = fmax(b->beyond, label_width(c, b->ticks.major[i].label) / 2 - (1 - b->ticks.major[i].at) * length);
    g_free(b->name);
    b->name = axis_name(c, b->axis, b->ticks.exponent);
    if (b->name) {
        const struct text t = name(b);

        text_measure(c, &t, &name_w, &name_h);
    }
    b->w = WIDTH + TICK + FRAME_LABEL_GAP + b->labels + (b->name ? (across ? 2 : NAME_GAP) + name_h : 0);
}

static void draw_ramp(const struct colour_bar *b, struct canvas *c, const struct rect *bar)
{
    const bool across = bar->w > bar->h;
    uint32_t pixel[STEPS];

    for (int i = 0; i < STEPS; i++)
        pixel[i] = rgb_hex(colour_bar_colour(b, c, across ? (i + 0.5) / STEPS : 1 - (i + 0.5) / STEPS));
    canvas_image(c, bar, across ? STEPS : 1, across ? 1 : STEPS, pixel);
    canvas_rect(c, bar);
}

/* The point `along` the bar (0..1) and `out` of its foot: below it, or right of it. */
static struct rect at_bar(const struct colour_bar *b, double x, double y, double along, double out)
{
    return b->across ? (struct rect){ .x = x + along * b->height, .y = y + out } :
        (struct rect){ .x = x + out, .y = y + (1 - along) * b->height };
}

void colour_bar_draw(const struct colour_bar *b, struct canvas *c, double x, double y)
{
    const double labels = WIDTH + TICK + FRAME_LABEL_GAP;

    draw_ramp(b, c, &(struct rect){ x, y, b->across ? b->height : WIDTH, b->across ? WIDTH : b->height });
    for (size_t i = 0; i < b->ticks.n; i++) {
        const struct rect from = at_bar(b, x, y, b->ticks.major[i].at, WIDTH),
                          to = at_bar(b, x, y, b->ticks.major[i].at, WIDTH + TICK);

        canvas_segment(c, from.x, from.y, to.x, to.y);
    }
    canvas_stroke_grey(c, 0.6, INK);
    for (size_t i = 0; i < b->ticks.n; i++) {
        const struct text t = colour_bar_label(b->ticks.major[i].label);
        const struct rect at = at_bar(b, x, y, b->ticks.major[i].at, labels);

        if (*t.text)
            text_put(c, &t, at.x, at.y, b->across ? 0.5 : 0, b->across ? 0 : 0.5, 0);
    }
    if (b->name) {
        const struct text t = name(b);

        if (b->across)
            text_put(c, &t, x + b->height / 2, y + labels + b->labels + 2, 0.5, 0, 0);
        else
            text_put(c, &t, x + labels + b->labels + NAME_GAP, y + b->height - fmax(b->height, text_width(c, &t)) / 2,
                     0.5, 0, -M_PI / 2);
    }
}

void colour_bar_release(struct colour_bar *b)
{
    g_free(b->name);
    *b = (struct colour_bar){ 0 };
}

/* A linear scale with values of both signs has the diverging ramp of the palette, if it has one, with zero in its
 * middle: what is as far from zero is as dark, whatever the ends are. A side of less than a thousandth of the other is
 * taken to be zero. */
static bool diverges(const struct scale *s, const struct canvas *c)
{
    return !c->palette->grey && s->kind == LINEAR && s->lo < -LEAST_SIDE * s->hi && s->hi > -LEAST_SIDE * s->lo;
}

struct rgb colour_bar_colour(const struct colour_bar *b, const struct canvas *c, double part)
{
    const struct scale *s = &b->scale;
    const double far = fmax(-s->lo, s->hi), lo = s->lo / far, hi = s->hi / far;

    part = fmin(fmax(part, 0), 1);
    if (diverges(s, c))
        return ramp_diverging(c, 0.5 + 0.5 * (lo + part * (hi - lo)));
    return b->ramp ? b->ramp(c, part) : ramp_colour(c, part);
}

struct rgb colour_bar_zero(const struct colour_bar *b)
{
    return grey(b->ramp ? FAINT : 1);
}

struct rgb colour_bar_at(const struct colour_bar *b, const struct canvas *c, double value)
{
    if (b->scale.kind == LOGARITHMIC && !(value > 0))
        return colour_bar_zero(b);
    return colour_bar_colour(b, c, scale_at(&b->scale, value));
}
