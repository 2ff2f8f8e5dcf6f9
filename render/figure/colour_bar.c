#include "render/figure/colour_bar.h"

#include <math.h>
#include <stdlib.h>

#include "render/figure/frame.h"

#define WIDTH 9.0
#define STEPS 128
#define NAME_GAP 5.0
#define TICK 2.5

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

static void draw_ramp(struct canvas *c, const struct rect *bar, struct rgb (*ramp)(const struct canvas *c, double t))
{
    uint32_t pixel[STEPS];

    for (int i = 0; i < STEPS; i++)
        pixel[i] = rgb_hex(ramp(c, 1 - (i + 0.5) / STEPS));
    canvas_image(c, bar, 1, STEPS, pixel);
    canvas_rect(c, bar);
}

static struct rgb (*ramp_of(const struct colour_bar *b))(const struct canvas *c, double t)
{
    return b->ramp ? b->ramp : ramp_colour;
}

void colour_bar_ramp(struct canvas *c, const struct rect *bar)
{
    draw_ramp(c, bar, ramp_colour);
}

void colour_bar_draw(const struct colour_bar *b, struct canvas *c, double x, double y)
{
    draw_ramp(c, &(struct rect){ x, y, WIDTH, b->height }, ramp_of(b));
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

struct rgb colour_bar_at(const struct colour_bar *b, const struct canvas *c, double value)
{
    if (b->scale.kind == LOGARITHMIC && !(value > 0))
        return ramp_of(b)(c, 0);
    return ramp_of(b)(c, scale_at(&b->scale, value));
}
