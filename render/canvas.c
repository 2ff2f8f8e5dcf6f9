#include "render/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/utf8.h"

#define ASCENT 0.928            /* of DejaVu Sans, in font sizes; as are the next two */
#define DESCENT 0.236
#define CAPITAL 0.729

cairo_status_t sink_write(void *to, const unsigned char *bytes, unsigned int n)
{
    struct sink *s = to;

    if (s->n + n > s->room) {
        size_t room = 2 * (s->n + n) + 4096;
        unsigned char *more = realloc(s->bytes, room);

        if (!more) {
            s->failed = true;
            return CAIRO_STATUS_NO_MEMORY;
        }
        s->bytes = more;
        s->room = room;
    }
    memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
    return CAIRO_STATUS_SUCCESS;
}

int canvas_open(struct canvas *c, cairo_surface_t *surface, double width, double height, struct err *err)
{
    cairo_font_options_t *options = cairo_font_options_create();
    PangoContext *context;

    *c = (struct canvas){ .cr = cairo_create(surface), .width = width, .height = height };
    if (cairo_status(c->cr) != CAIRO_STATUS_SUCCESS) {
        cairo_font_options_destroy(options);
        return err_set(err, ERR_INTERNAL, "cannot draw: %s", cairo_status_to_string(cairo_status(c->cr)));
    }
    /* Without hints, text is as wide in every format and at every resolution. */
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    context = pango_cairo_create_context(c->cr);
    pango_cairo_context_set_font_options(context, options);
    pango_cairo_context_set_resolution(context, 72);
    pango_context_set_round_glyph_positions(context, FALSE);
    c->layout = pango_layout_new(context);
    pango_layout_set_auto_dir(c->layout, TRUE);
    g_object_unref(context);
    cairo_font_options_destroy(options);
    return 0;
}

void canvas_close(struct canvas *c)
{
    if (c->layout)
        g_object_unref(c->layout);
    if (c->cr)
        cairo_destroy(c->cr);
    *c = (struct canvas){ 0 };
}

char *markup_of(const char *text)
{
    char *line = utf8_line(text), *markup = line ? g_markup_escape_text(line, -1) : NULL;

    free(line);
    return markup;
}

double text_height(double size)
{
    return size * (ASCENT + DESCENT);
}

static void lay_out(struct canvas *c, const struct text *t)
{
    PangoFontDescription *font = pango_font_description_from_string("DejaVu Sans, Sans");
    char *line;

    pango_font_description_set_absolute_size(font, t->size * PANGO_SCALE);
    pango_font_description_set_weight(font, t->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(c->layout, font);
    pango_font_description_free(font);
    pango_layout_set_width(c->layout, t->width > 0 ? (int)(t->width * PANGO_SCALE) : -1);
    pango_layout_set_height(c->layout, t->width > 0 && t->lines > 1 ? -t->lines : -1);
    pango_layout_set_wrap(c->layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_ellipsize(c->layout, t->width <= 0 ? PANGO_ELLIPSIZE_NONE :
                               t->middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
    pango_layout_set_single_paragraph_mode(c->layout, TRUE);
    if (t->markup) {
        pango_layout_set_markup(c->layout, t->text, -1);
        return;
    }
    line = utf8_line(t->text);
    pango_layout_set_attributes(c->layout, NULL);
    pango_layout_set_text(c->layout, line ? line : "", -1);
    free(line);
}

static double points(int pango)
{
    return (double)pango / PANGO_SCALE;
}

/* Size of the box around what is laid out, and where its first baseline lies below its top. */
static void box_of(struct canvas *c, const struct text *t, double *w, double *h, double *baseline)
{
    PangoRectangle logical;

    pango_layout_get_extents(c->layout, NULL, &logical);
    *w = points(logical.width);
    if (pango_layout_get_line_count(c->layout) > 1) {
        *h = points(logical.height);
        *baseline = points(pango_layout_get_baseline(c->layout) - logical.y);
    } else {
        *h = text_height(t->size);
        *baseline = t->size * ASCENT;
    }
}

void text_measure(struct canvas *c, const struct text *t, double *width, double *height)
{
    double baseline;

    lay_out(c, t);
    box_of(c, t, width, height, &baseline);
}

void text_put(struct canvas *c, const struct text *t, double x, double y, double along, double across,
              double angle)
{
    double w, h, baseline, top, grey = t->grey > 0 ? t->grey : INK;
    PangoRectangle logical;

    lay_out(c, t);
    box_of(c, t, &w, &h, &baseline);
    pango_layout_get_extents(c->layout, NULL, &logical);
    top = -across * h;
    if (across == 0.5 && pango_layout_get_line_count(c->layout) == 1)
        top = t->size * CAPITAL / 2 - baseline;
    cairo_save(c->cr);
    cairo_translate(c->cr, x, y);
    cairo_rotate(c->cr, angle);
    /* Right-to-left text stands at the far end of a layout that has a width. */
    cairo_translate(c->cr, -along * w - points(logical.x),
                    top + baseline - points(pango_layout_get_baseline(c->layout)));
    cairo_set_source_rgb(c->cr, grey, grey, grey);
    pango_cairo_update_layout(c->cr, c->layout);
    pango_cairo_show_layout(c->cr, c->layout);
    cairo_new_path(c->cr);
    cairo_restore(c->cr);
}

/* Okabe and Ito 2008, without yellow, which a white page swallows. */
static const double palette[][3] = {
    { 0.000, 0.447, 0.698 },    /* blue */
    { 0.835, 0.369, 0.000 },    /* vermilion */
    { 0.000, 0.620, 0.451 },    /* bluish green */
    { 0.800, 0.475, 0.655 },    /* reddish purple */
    { 0.902, 0.624, 0.000 },    /* orange */
    { 0.337, 0.706, 0.914 },    /* sky blue */
    { 0.000, 0.000, 0.000 },
};
_Static_assert(sizeof palette / sizeof *palette == LOOK_COLOURS, "a colour for every look");

void series_colour(struct canvas *c, size_t look)
{
    const double *p = palette[look % LOOK_COLOURS];

    cairo_set_source_rgb(c->cr, p[0], p[1], p[2]);
}

void series_dash(struct canvas *c, size_t look)
{
    static const struct {
        double dash[4];
        int n;
    } dashes[] = { { { 0 }, 0 }, { { 5, 2 }, 2 }, { { 1.6, 1.6 }, 2 }, { { 6, 2, 1.6, 2 }, 4 } };
    size_t d = look / LOOK_COLOURS % (sizeof dashes / sizeof *dashes);

    cairo_set_dash(c->cr, dashes[d].dash, dashes[d].n, 0);
}

/* A regular polygon, or with inner < 1 a star, first corner `turn` from straight up. */
static void polygon(cairo_t *cr, double x, double y, double radius, int corners, double inner, double turn)
{
    int n = inner < 1 ? 2 * corners : corners;

    for (int i = 0; i < n; i++) {
        double a = turn + 2 * G_PI * i / n, r = inner < 1 && i % 2 ? radius * inner : radius;

        cairo_line_to(cr, x + r * sin(a), y - r * cos(a));
    }
    cairo_close_path(cr);
}

/* Radii make the areas look alike. The eight shapes and the seven colours have no common factor, so that 56
 * series differ. */
void series_mark(struct canvas *c, size_t look, double x, double y)
{
    cairo_t *cr = c->cr;

    cairo_save(cr);
    cairo_new_path(cr);
    switch (look % 8) {
    case 0: cairo_arc(cr, x, y, 2.3, 0, 2 * G_PI); break;
    case 1: cairo_rectangle(cr, x - 2.1, y - 2.1, 4.2, 4.2); break;
    case 2: polygon(cr, x, y + 0.4, 3.0, 3, 1, 0); break;
    case 3: polygon(cr, x, y, 2.9, 4, 1, 0); break;
    case 4: polygon(cr, x, y - 0.4, 3.0, 3, 1, G_PI); break;
    case 5: polygon(cr, x, y, 3.4, 5, 0.42, 0); break;
    case 6: polygon(cr, x, y, 3.2, 4, 0.30, G_PI / 4); break;
    default: polygon(cr, x, y, 2.6, 6, 1, 0); break;
    }
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_width(cr, 1.2);              /* a rim of paper keeps marks apart */
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_stroke_preserve(cr);
    series_colour(c, look);
    cairo_fill(cr);
    cairo_restore(cr);
}

static void hatch(cairo_t *cr, const struct rect *r, bool rising)
{
    const double step = 3.5;

    for (double d = -r->h; d < r->w + r->h; d += step) {
        double x = r->x + d;

        cairo_move_to(cr, x, rising ? r->y + r->h : r->y);
        cairo_line_to(cr, x + r->h, rising ? r->y : r->y + r->h);
    }
    cairo_stroke(cr);
}

/* Beyond the seven colours: a tint, stripes, stripes the other way, crossed stripes. */
void series_fill(struct canvas *c, size_t look, const struct rect *r)
{
    cairo_t *cr = c->cr;
    const double *p = palette[look % LOOK_COLOURS];
    size_t style = look / LOOK_COLOURS % 5;

    cairo_save(cr);
    cairo_rectangle(cr, r->x, r->y, r->w, r->h);
    if (style == 0) {
        series_colour(c, look);
        cairo_fill(cr);
        cairo_restore(cr);
        return;
    }
    if (style == 1)
        cairo_set_source_rgb(cr, (1 + p[0]) / 2, (1 + p[1]) / 2, (1 + p[2]) / 2);
    else
        cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_fill_preserve(cr);
    cairo_clip(cr);
    series_colour(c, look);
    cairo_set_line_width(cr, 0.9);
    if (style == 2 || style == 4)
        hatch(cr, r, true);
    if (style == 3 || style == 4)
        hatch(cr, r, false);
    cairo_rectangle(cr, r->x, r->y, r->w, r->h);
    cairo_stroke(cr);
    cairo_restore(cr);
}
