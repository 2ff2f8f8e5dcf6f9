/* plot_svg.c -- drawing as SVG 1.1. Text stays text, each piece with the length it was measured to have, so that
 * nothing collides where the reader has other fonts. No ids: several figures may share a page.
 * 1. writing    numbers, attributes and escaped text into the canvas's bytes
 * 2. paths      points, circles and paths with their pens
 * 3. text       pango's runs, each as a piece at its place
 * 4. the rest   images as PNG in base64, clipping, groups, the document around it */
#include <pango/pango.h>

#include "render/page/canvas.h"
#include "render/page/device_cairo.h"

/* ---- writing ------------------------------------------------------------------------------------------ */

static void svg_put(struct canvas *c, const char *text)
{
    sink_put(c->sink, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void putf(struct canvas *c, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    svg_put(c, text);
}

/* A hundredth of a point is finer than any printer; zeros at the end say nothing. */
static void svg_put_number(struct canvas *c, double v)
{
    long long hundredths = llround(fmin(fmax(v, -1e9), 1e9) * 100);
    unsigned long long u = hundredths < 0 ? (unsigned long long)-hundredths : (unsigned long long)hundredths;
    char digits[32], *at = digits + sizeof digits;
    unsigned rest = (unsigned)(u % 100);

    if (rest % 10)
        *--at = (char)('0' + rest % 10);
    if (rest) {
        *--at = (char)('0' + rest / 10);
        *--at = '.';
    }
    u /= 100;
    do
        *--at = (char)('0' + u % 10);
    while (u /= 10);
    if (hundredths < 0)
        *--at = '-';
    sink_put(c->sink, at, (size_t)(digits + sizeof digits - at));
}

static void put_numbers(struct canvas *c, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        svg_put(c, i ? " " : "");
        svg_put_number(c, v[i]);
    }
}

static void put_attribute(struct canvas *c, const char *name, double v)
{
    putf(c, " %s=\"", name);
    svg_put_number(c, v);
    svg_put(c, "\"");
}

static void put_rect(struct canvas *c, double x, double y, double w, double h)
{
    put_attribute(c, "x", x);
    put_attribute(c, "y", y);
    put_attribute(c, "width", w);
    put_attribute(c, "height", h);
}

/* What XML takes as text: no markup, none of the two code points that it forbids. */
static void put_escaped(struct canvas *c, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        switch (text[i]) {
        case '<': svg_put(c, "&lt;"); break;
        case '>': svg_put(c, "&gt;"); break;
        case '&': svg_put(c, "&amp;"); break;
        case '"': svg_put(c, "&quot;"); break;
        default:
            if (i + 2 < len && (unsigned char)text[i] == 0xef && (unsigned char)text[i + 1] == 0xbf &&
                (unsigned char)text[i + 2] >= 0xbe) {
                svg_put(c, "\xef\xbf\xbd");
                i += 2;
            } else {
                sink_put(c->sink, &text[i], 1);
            }
        }
}

static void put_element(struct canvas *c, const char *name, const char *text)
{
    char *line = text ? line_of(c, text) : NULL;

    if (line && *line) {
        putf(c, "<%s>", name);
        put_escaped(c, line, strlen(line));
        putf(c, "</%s>", name);
    }
    free(line);
}

/* ---- paths ------------------------------------------------------------------------------------------- */

static void put_points(struct canvas *c, char op, const double *at, size_t n)
{
    sink_put(c->sink, &op, 1);
    put_numbers(c, at, n);
}

/* Two half circles. */
static void put_circle(struct canvas *c, const double *at)
{
    double r = at[2];

    put_points(c, 'M', (double[]){ at[0] - r, at[1] }, 2);
    put_points(c, 'a', (double[]){ r, r, 0, 1, 0, 2 * r, 0 }, 7);
    put_points(c, 'a', (double[]){ r, r, 0, 1, 0, -2 * r, 0 }, 7);
    svg_put(c, "Z");
}

static void put_path(struct canvas *c, const struct path *p)
{
    const double *at = p->at;

    for (size_t i = 0; i < p->nop; i++)
        switch ((enum path_op)p->op[i]) {
        case PATH_MOVE: put_points(c, 'M', at, 2); at += 2; break;
        case PATH_LINE: put_points(c, 'L', at, 2); at += 2; break;
        case PATH_CURVE: put_points(c, 'C', at, 6); at += 6; break;
        case PATH_CIRCLE: put_circle(c, at); at += 4; break;
        case PATH_CLOSE: svg_put(c, "Z"); break;
        }
}

static void put_pen(struct canvas *c, const struct pen *pen)
{
    putf(c, " stroke=\"#%06x\"", rgb_hex(pen->colour));
    put_attribute(c, "stroke-width", pen->width);
    if (pen->ndash) {
        svg_put(c, " stroke-dasharray=\"");
        put_numbers(c, pen->dash, (size_t)pen->ndash);
        svg_put(c, "\"");
    }
    if (pen->end == END_ROUND)
        svg_put(c, " stroke-linecap=\"round\"");
}

static void draw_path(struct canvas *c, const struct path *p, const struct rgb *fill, double opacity,
                      const struct pen *pen)
{
    svg_put(c, "<path");
    if (fill)
        putf(c, " fill=\"#%06x\"", rgb_hex(*fill));
    if (fill && opacity < 1)
        put_attribute(c, "fill-opacity", opacity);
    if (pen)
        put_pen(c, pen);
    svg_put(c, " d=\"");
    put_path(c, p);
    svg_put(c, "\"/>\n");
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* A run of letters of one font and size. */
static void put_run(struct canvas *c, PangoLayoutIter *at, double x, double y, bool alone)
{
    const PangoItem *item = pango_layout_iter_get_run_readonly(at)->item;
    PangoFontDescription *font = pango_font_describe_with_absolute_size(item->analysis.font);
    PangoRectangle logical;

    pango_layout_iter_get_run_extents(at, NULL, &logical);
    if (!alone)
        svg_put(c, "<tspan");
    put_attribute(c, "x", x + (double)logical.x / PANGO_SCALE);
    put_attribute(c, "y", y + (double)pango_layout_iter_get_run_baseline(at) / PANGO_SCALE);
    put_attribute(c, "font-size", (double)pango_font_description_get_size(font) / PANGO_SCALE);
    if (pango_font_description_get_weight(font) >= PANGO_WEIGHT_BOLD)
        svg_put(c, " font-weight=\"bold\"");
    if (item->num_chars > 1)
        put_attribute(c, "textLength", (double)logical.width / PANGO_SCALE);
    svg_put(c, ">");
    if (item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS)
        svg_put(c, "\xe2\x80\xa6");
    else
        put_escaped(c, pango_layout_get_text(c->layout) + item->offset, (size_t)item->length);
    if (!alone)
        svg_put(c, "</tspan>");
    pango_font_description_free(font);
}

static void draw_text(struct canvas *c, double ox, double oy, double angle, double x, double y, const struct rgb *ink,
                      double halo)
{
    PangoLayoutIter *at = pango_layout_get_iter(c->layout);
    PangoLayoutLine *open = NULL;

    do {
        PangoLayoutLine *line = pango_layout_iter_get_line_readonly(at);
        bool alone = line->runs && !line->runs->next;

        if (!pango_layout_iter_get_run_readonly(at))
            continue;                   /* the end of a line */
        if (open && open != line)
            svg_put(c, "</text>\n");
        if (open != line) {
            putf(c, "<text fill=\"#%06x\"", rgb_hex(*ink));
            if (angle != 0) {
                svg_put(c, " transform=\"rotate(");
                put_numbers(c, (double[]){ angle * 180 / M_PI, ox, oy }, 3);
                svg_put(c, ")\"");
            }
            if (halo > 0) {
                svg_put(c, " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-linejoin=\"round\"");
                put_attribute(c, "stroke-width", halo);
            }
            svg_put(c, alone ? "" : ">");
        }
        open = line;
        put_run(c, at, x, y, alone);
    } while (pango_layout_iter_next_run(at));
    if (open)
        svg_put(c, "</text>\n");
    pango_layout_iter_free(at);
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

static void plot_svg_draw_image(struct canvas *c, const struct rect *r, int w, int h, const uint32_t *pixel)
{
    struct sink png = { 0 };
    cairo_surface_t *s = cairo_image_of(w, h, pixel);
    char *text;

    if (cairo_surface_write_to_png_stream(s, cairo_to_sink, &png) != CAIRO_STATUS_SUCCESS) {
        c->failed = true;
        goto done;
    }
    text = g_base64_encode(png.bytes, png.n);
    svg_put(c, "<image preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"");
    put_rect(c, r->x, r->y, r->w, r->h);
    svg_put(c, " xlink:href=\"data:image/png;base64,");
    svg_put(c, text);
    svg_put(c, "\"/>\n");
    g_free(text);
done:
    free(png.bytes);
    cairo_surface_destroy(s);
}

/* A picture within the picture cuts at its own edges. */
static void draw_clip(struct canvas *c, const struct rect *r)
{
    const double w = fmax(r->w, 0.01), h = fmax(r->h, 0.01);

    svg_put(c, "<svg");
    put_rect(c, r->x, r->y, w, h);
    svg_put(c, " viewBox=\"");
    put_numbers(c, (double[]){ r->x, r->y, w, h }, 4);
    svg_put(c, "\">\n");
}

static void draw_unclip(struct canvas *c)
{
    svg_put(c, "</svg>\n");
}

static void draw_begin(struct canvas *c, const char *name, const char *tip, const struct rect *at)
{
    svg_put(c, "<g class=\"");
    put_escaped(c, name, strlen(name));
    if (at) {
        svg_put(c, "\" data-at=\"");
        put_numbers(c, (double[]){ at->x, at->y, at->w, at->h }, 4);
    }
    svg_put(c, "\">");
    put_element(c, "title", tip);
    svg_put(c, "\n");
}

static void draw_end(struct canvas *c)
{
    svg_put(c, "</g>\n");
}

static const struct device device_svg = { .path = draw_path, .text = draw_text, .image = plot_svg_draw_image,
                                          .clip = draw_clip, .unclip = draw_unclip, .begin = draw_begin,
                                          .end = draw_end };

static int svg_begin(struct canvas *c, const struct figure *figure, struct err *)
{
    c->device = &device_svg;
    svg_put(c, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
               "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" role=\"img\" xml:space=\"preserve\" "
               "width=\"");
    svg_put_number(c, c->width);
    svg_put(c, "pt\" height=\"");
    svg_put_number(c, c->height);
    svg_put(c, "pt\" viewBox=\"0 0 ");
    put_numbers(c, (double[]){ c->width, c->height }, 2);
    svg_put(c, "\" fill=\"none\" stroke-linejoin=\"round\" font-family=\"");
    if (c->page && c->page->font) {
        char *family = line_of(c, c->page->font);

        put_escaped(c, family ? family : "", family ? strlen(family) : 0);
        svg_put(c, ", ");
        free(family);
    }
    svg_put(c, "DejaVu Sans, Verdana, sans-serif\">\n");
    put_element(c, "title", figure->title);
    put_element(c, "desc", figure->description);
    svg_put(c, "\n");
    canvas_rect(c, &(struct rect){ 0, 0, c->width, c->height });
    canvas_fill(c, (struct rgb){ 1, 1, 1 }, 1);
    return 0;
}

static int svg_end(struct canvas *c, bool abandon, struct err *)
{
    if (!abandon)
        svg_put(c, "</svg>\n");
    return 0;
}

const struct plot_format plot_svg =
    { .name = "svg", .synopsis = ".svg", .extension = ".svg", .begin = svg_begin, .end = svg_end,
                                      .summary = "scalable graphics for the web: text is text, described for readers" };
