/* canvas.c -- what is drawn on, whatever the format (canvas.h).
 * 1. opening    fonts, their measures, and the size of the page
 * 2. paths      collected operation by operation, then stroked or filled by the device
 * 3. groups     images, clipping, named groups with tips, hatching */
#include "render/page/canvas.h"

#include <pango/pangocairo.h>

#include "render/page/palette.h"

#define FAILED 0xc8102e         /* red, with a contrast of 5.9 to paper */
#define MM (72 / 25.4)
#define NOMINAL 8.0             /* points that sizes of text are stated for */
#define SMALL 70.0              /* mm: pages narrower than that have letters of */
#define SMALL_SIZE 7.0
#define CRAMPED 0.3

void sink_put(struct sink *s, const void *bytes, size_t n)
{
    struct err ignored;

    s->failed = s->failed || GROW(&s->room, s->n + n, "a figure", &ignored, GROWN(s->bytes)) < 0;
    if (s->failed)
        return;
    memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
}

/* ---- opening ----------------------------------------------------------------------------------------- */

/* Without hints, text is as wide in every format and at every resolution. */
static PangoContext *new_context(void)
{
    PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
    cairo_font_options_t *options = cairo_font_options_create();

    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    pango_cairo_context_set_resolution(context, 72);
    pango_context_set_round_glyph_positions(context, FALSE);
    cairo_font_options_destroy(options);
    return context;
}

static void set_font(struct canvas *c, double size, bool bold)
{
    const char *family = c->page && c->page->font ? c->page->font : "DejaVu Sans";
    PangoFontDescription *font = pango_font_description_new();
    char *list = g_strdup_printf("%s,Sans", family);

    pango_font_description_set_family(font, list);
    pango_font_description_set_absolute_size(font, size * c->scale * PANGO_SCALE);
    pango_font_description_set_weight(font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(c->layout, font);
    pango_font_description_free(font);
    g_free(list);
}

static void measure_font(struct canvas *c)
{
    PangoRectangle ink, logical;
    double size = 100 * c->scale, baseline;

    set_font(c, 100, false);
    pango_layout_set_text(c->layout, "H", -1);
    pango_layout_get_extents(c->layout, &ink, &logical);
    baseline = pango_units_to_double(pango_layout_get_baseline(c->layout));
    c->ascent = baseline / size;
    c->descent = (pango_units_to_double(logical.height) - baseline) / size;
    c->capital = (baseline - pango_units_to_double(ink.y)) / size;
}

/* Some other font would stand in silently, on this machine and on the reader's. */
static int check_font(const char *family, struct err *err)
{
    PangoFontFamily **all;
    bool there = false;
    int n;

    pango_font_map_list_families(pango_cairo_font_map_get_default(), &all, &n);
    for (int i = 0; i < n; i++)
        there = there || g_ascii_strcasecmp(pango_font_family_get_name(all[i]), family) == 0;
    g_free(all);
    if (there)
        return 0;
    return err_set(err, ERR_USAGE, "no font family '%.60s' is installed here; `fc-list : family` names them", family);
}

/* Without any font pango complains of every letter, and leaves it out. */
static int check_any_font(const struct canvas *c, struct err *err)
{
    PangoFont *font = pango_context_load_font(pango_layout_get_context(c->layout),
                                              pango_layout_get_font_description(c->layout));

    if (!font)
        return err_set(err, ERR_IO, "no fonts are installed, so figures cannot have text; install some, such as the "
                       "package fonts-dejavu-core");
    g_object_unref(font);
    return 0;
}

double canvas_letters(const struct page *page)
{
    return page->font_size > 0 ? page->font_size : page->width_mm > 0 && page->width_mm < SMALL ? SMALL_SIZE : NOMINAL;
}

int canvas_open(struct canvas *c, const struct page *page, struct err *err)
{
    double width = page && page->width_mm > 0 ? page->width_mm : PAGE_WIDTH;
    double height = page && page->height_mm > 0 ? page->height_mm : fmax(0.625 * width, 40);
    double size = page ? canvas_letters(page) : NOMINAL;
    PangoContext *context;

    *c = (struct canvas){ .width = width * MM, .height = height * MM, .page = page, .scale = size / NOMINAL, .laid = -1 };
    c->palette = page && page->palette ? page->palette : &palette_viridis;
    if (!(width >= PAGE_LEAST && height >= PAGE_LEAST && width <= PAGE_MOST && height <= PAGE_MOST))
        return err_set(err, ERR_USAGE, "a figure of %.4g x %.4g mm is too small or too large; sides of %.0f to %.0f mm "
                       "can be drawn", width, height, PAGE_LEAST, PAGE_MOST);
    if (!(size >= 3 && size <= 72))
        return err_set(err, ERR_USAGE, "letters of %.4g points are too small or too large; 3 to 72 can be drawn", size);
    if (page && page->font && check_font(page->font, err) < 0)
        return -1;
    context = new_context();
    c->layout = pango_layout_new(context);
    g_object_unref(context);
    pango_layout_set_auto_dir(c->layout, TRUE);
    set_font(c, 100, false);
    if (check_any_font(c, err) < 0) {
        canvas_close(c);
        return -1;
    }
    measure_font(c);
    c->shorter = g_string_chunk_new(256);
    return 0;
}

void canvas_forget(struct canvas *c)
{
    for (int i = 0; i < c->texts.n; i++)
        free((void *)(uintptr_t)c->texts.name[i].text);
    names_release(&c->texts);
    FREE(c->extent);
    c->extent = NULL;
    c->extent_room = 0;
    c->laid = -1;
}

void canvas_close(struct canvas *c)
{
    if (c->layout)
        g_object_unref(c->layout);
    if (c->shorter)
        g_string_chunk_free(c->shorter);
    canvas_forget(c);
    FREE(c->path.op, c->path.at, c->box);
    *c = (struct canvas){ 0 };
}

void canvas_data(struct canvas *c, double width, double height)
{
    c->cramped = c->cramped || width < CRAMPED * c->width || height < CRAMPED * c->height;
}

void canvas_tell(struct canvas *c, const char *format, ...)
{
    char text[PAGE_TOLD];
    const size_t len = strlen(c->told);
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!strstr(c->told, text) && len + strlen(text) + 2 < sizeof c->told)
        snprintf(c->told + len, sizeof c->told - len, "%s%s", len ? " " : "", text);
}

/* ---- paths ------------------------------------------------------------------------------------------- */

/* Room for one more operation with at most three points. */
static bool path_room(struct canvas *c)
{
    struct path *p = &c->path;
    struct err ignored;

    c->failed = c->failed || GROW(&p->room, p->nop + 2, "a path on the page", &ignored, GROWN(p->op),
                                  GROWN_OF(p->at, 6)) < 0;
    return !c->failed;
}

static void path_add(struct canvas *c, enum path_op op, const double *at, size_t n)
{
    struct path *p = &c->path;

    if (!path_room(c))
        return;
    p->op[p->nop++] = (unsigned char)op;
    for (size_t i = 0; i < n; i++)          /* farther off, cairo's fixed-point numbers overflow */
        p->at[p->nat++] = fmin(fmax(at[i], -1e5), 1e5);
}

void canvas_move(struct canvas *c, double x, double y)
{
    path_add(c, PATH_MOVE, (double[]){ x, y }, 2);
}

void canvas_line(struct canvas *c, double x, double y)
{
    path_add(c, c->path.nop ? PATH_LINE : PATH_MOVE, (double[]){ x, y }, 2);
}

void canvas_curve(struct canvas *c, double x1, double y1, double x2, double y2, double x, double y)
{
    path_add(c, PATH_CURVE, (double[]){ x1, y1, x2, y2, x, y }, 6);
}

void canvas_circle(struct canvas *c, double x, double y, double radius)
{
    path_add(c, PATH_CIRCLE, (double[]){ x, y, radius, 0 }, 4);
}

void canvas_close_path(struct canvas *c)
{
    path_add(c, PATH_CLOSE, NULL, 0);
}

void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1)
{
    canvas_move(c, x0, y0);
    canvas_line(c, x1, y1);
}

void canvas_rect(struct canvas *c, const struct rect *r)
{
    canvas_move(c, r->x, r->y);
    canvas_line(c, r->x + r->w, r->y);
    canvas_line(c, r->x + r->w, r->y + r->h);
    canvas_line(c, r->x, r->y + r->h);
    canvas_close_path(c);
}

bool canvas_draws(struct canvas *c)
{
    if (c->page && ++c->steps % 64 == 0 && !c->stopped && tick(&c->page->tick, 0))
        c->stopped = c->failed = true;
    return c->device && !c->failed;
}

static void paint(struct canvas *c, const struct rgb *fill, double opacity, const struct pen *pen)
{
    if (canvas_draws(c) && c->path.nop)
        c->device->path(c, &c->path, fill, opacity, pen);
    c->path.nop = c->path.nat = 0;
}

void canvas_stroke(struct canvas *c, const struct pen *pen)
{
    paint(c, NULL, 1, pen);
}

void canvas_stroke_grey(struct canvas *c, double width, double level)
{
    const struct pen pen = pen_grey(width, level);

    canvas_stroke(c, &pen);
}

void canvas_fill(struct canvas *c, struct rgb colour, double opacity)
{
    paint(c, &colour, opacity, NULL);
}

void canvas_paint(struct canvas *c, struct rgb fill, double opacity, const struct pen *pen)
{
    paint(c, &fill, opacity, pen);
}

struct pen pen_dashed(double width)
{
    struct pen pen = pen_grey(width, 0.55);

    pen.dash[0] = 3;
    pen.dash[1] = 2;
    pen.ndash = 2;
    return pen;
}

struct pen pen_failed(const struct canvas *c, double width)
{
    struct pen pen = pen_dashed(width);

    pen.colour = c->palette->grey ? grey(INK) : rgb_of(FAILED);
    return pen;
}

void canvas_cross(struct canvas *c, double x, double y, double arm, double width)
{
    struct pen pen = pen_failed(c, width);

    pen.ndash = 0;
    canvas_segment(c, x - arm, y - arm, x + arm, y + arm);
    canvas_segment(c, x - arm, y + arm, x + arm, y - arm);
    canvas_stroke(c, &pen);
}

void canvas_crossed(struct canvas *c, double x, double y, double radius)
{
    struct pen pen = pen_failed(c, radius < 2.5 ? 0.3 : 0.7);

    pen.dash[0] = pen.dash[1] = fmin(2, radius / 2);
    canvas_circle(c, x, y, radius);
    canvas_paint(c, grey(1), 1, &pen);
    canvas_cross(c, x, y, 0.7 * radius, pen.width);
}

/* ---- groups ------------------------------------------------------------------------------------------ */

void canvas_image(struct canvas *c, const struct rect *r, int w, int h, const uint32_t *pixel)
{
    if (canvas_draws(c))
        c->device->image(c, r, w, h, pixel);
}

void canvas_clip(struct canvas *c, const struct rect *r)
{
    if (c->device)
        c->device->clip(c, r);
}

void canvas_unclip(struct canvas *c)
{
    if (c->device)
        c->device->unclip(c);
}

void canvas_begin(struct canvas *c, const char *name, const char *tip)
{
    if (c->device && c->device->begin)
        c->device->begin(c, name, tip, NULL);
}

void canvas_begin_at(struct canvas *c, const char *name, const struct rect *at)
{
    if (c->device && c->device->begin)
        c->device->begin(c, name, NULL, at);
}

void canvas_end(struct canvas *c)
{
    if (c->device && c->device->end)
        c->device->end(c);
}

void canvas_hatch(struct canvas *c, const struct rect *r, double step, bool rising, const struct pen *pen)
{
    canvas_clip(c, r);
    for (double d = -r->h; d < r->w + r->h; d += step)
        canvas_segment(c, r->x + d, rising ? r->y + r->h : r->y, r->x + d + r->h, rising ? r->y : r->y + r->h);
    canvas_stroke(c, pen);
    canvas_unclip(c);
}
