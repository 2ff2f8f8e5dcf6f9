#include "render/figure/colour_bar.h"

#include <math.h>
#include <stdlib.h>

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

static double label_height(void *canvas, const char *markup)
{
    (void)markup;
    return text_height(canvas, SIZE_TICK);
}

static struct text colour_bar_label(const char *markup)
{
    return (struct text){ .text = markup, .size = SIZE_TICK, .markup = true };
}

static struct text name(const struct colour_bar *b)
{
    return (struct text){ .text = b->name, .size = SIZE_TITLE, .markup = true, .width = b->height + b->above,
                          .middle = true };
}

void colour_bar_lay(struct colour_bar *b, struct canvas *c, double height)
{
    struct ruler r = { height, 5, 26 * c->scale, label_height, c };

    b->height = height;
    b->labels = 0;
    ticks_choose(&b->ticks, &b->scale, &r);
    for (size_t i = 0; i < b->ticks.n; i++) {
        struct text t = colour_bar_label(b->ticks.major[i].label);

        b->labels = fmax(b->labels, text_width(c, &t));
    }
    g_free(b->name);
    b->name = axis_name(c, b->axis, b->ticks.exponent);
    b->w = WIDTH + TICK + FRAME_LABEL_GAP + b->labels + (b->name ? NAME_GAP + text_height(c, SIZE_TITLE) : 0);
}

void colour_bar_ramp(struct canvas *c, const struct rect *bar, const struct scale *s)
{
    uint32_t pixel[STEPS];

    for (int i = 0; i < STEPS; i++)
        pixel[i] = rgb_hex(s ? colour_bar_part(s, c, 1 - (i + 0.5) / STEPS) : ramp_colour(c, 1 - (i + 0.5) / STEPS));
    canvas_image(c, bar, 1, STEPS, pixel);
    canvas_rect(c, bar);
}

void colour_bar_draw(const struct colour_bar *b, struct canvas *c, double x, double y)
{
    colour_bar_ramp(c, &(struct rect){ x, y, WIDTH, b->height }, &b->scale);
    for (size_t i = 0; i < b->ticks.n; i++) {
        double at = y + (1 - b->ticks.major[i].at) * b->height;

        canvas_segment(c, x + WIDTH, at, x + WIDTH + TICK, at);
    }
    canvas_stroke_grey(c, 0.6, INK);
    for (size_t i = 0; i < b->ticks.n; i++) {
        struct text t = colour_bar_label(b->ticks.major[i].label);

        if (*t.text)
            text_put(c, &t, x + WIDTH + TICK + FRAME_LABEL_GAP, y + (1 - b->ticks.major[i].at) * b->height, 0, 0.5, 0);
    }
    if (b->name) {
        struct text t = name(b);

        text_put(c, &t, x + WIDTH + TICK + FRAME_LABEL_GAP + b->labels + NAME_GAP,
                 y + b->height - fmax(b->height, text_width(c, &t)) / 2, 0.5, 0, -G_PI / 2);
    }
}

void colour_bar_release(struct colour_bar *b)
{
    g_free(b->name);
    *b = (struct colour_bar){ 0 };
}

bool colour_bar_diverges(const struct scale *s, const struct canvas *c)
{
    return !c->palette->grey && s->kind == LINEAR && s->lo < -LEAST_SIDE * s->hi && s->hi > -LEAST_SIDE * s->lo;
}

struct rgb colour_bar_part(const struct scale *s, const struct canvas *c, double part)
{
    const double far = fmax(-s->lo, s->hi), lo = s->lo / far, hi = s->hi / far;

    part = fmin(fmax(part, 0), 1);
    if (!colour_bar_diverges(s, c))
        return ramp_colour(c, part);
    return ramp_diverging(c, 0.5 + 0.5 * (lo + part * (hi - lo)));
}

struct rgb colour_bar_at(const struct colour_bar *b, const struct canvas *c, double value)
{
    if (b->scale.kind == LOGARITHMIC && !(value > 0))
        return ramp_colour(c, 0);
    return colour_bar_part(&b->scale, c, scale_at(&b->scale, value));
}
