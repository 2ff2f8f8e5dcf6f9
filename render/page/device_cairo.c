#include "render/page/device_cairo.h"

#include <pango/pangocairo.h>

static void set_colour(cairo_t *cr, const struct rgb *colour, double opacity)
{
    if (opacity < 1)
        cairo_set_source_rgba(cr, colour->r, colour->g, colour->b, opacity);
    else
        cairo_set_source_rgb(cr, colour->r, colour->g, colour->b);
}

static void device_trace(cairo_t *cr, const struct path *p)
{
    const double *at = p->at;

    cairo_new_path(cr);
    for (size_t i = 0; i < p->nop; i++)
        switch ((enum path_op)p->op[i]) {
        case PATH_MOVE: cairo_move_to(cr, at[0], at[1]); at += 2; break;
        case PATH_LINE: cairo_line_to(cr, at[0], at[1]); at += 2; break;
        case PATH_CURVE: cairo_curve_to(cr, at[0], at[1], at[2], at[3], at[4], at[5]); at += 6; break;
        case PATH_CIRCLE:
            cairo_new_sub_path(cr);
            cairo_arc(cr, at[0], at[1], at[2], 0, 2 * M_PI);
            cairo_close_path(cr);
            at += 4;
            break;
        case PATH_CLOSE: cairo_close_path(cr); break;
        }
}

#define PIECE 12                /* points of a long line that pixels are made of at once */

/* Pixels of a line that turns back and forth over itself take time that grows with the square of its points: such a
 * line is stroked in pieces. Each begins a segment before the end of the last, so that every corner is joined in
 * one. */
static bool stroke_in_pieces(cairo_t *cr, const struct path *p, const struct pen *pen)
{
    const double *at = p->at;
    size_t on = 0;              /* points of the piece */

    if (p->nop <= 4 * PIECE || pen->ndash || cairo_surface_get_type(cairo_get_target(cr)) != CAIRO_SURFACE_TYPE_IMAGE)
        return false;
    for (size_t i = 0; i < p->nop; i++)
        if (p->op[i] > PATH_LINE)
            return false;
    cairo_new_path(cr);
    for (size_t i = 0; i < p->nop; i++, at += 2) {
        if (p->op[i] == PATH_MOVE) {
            cairo_move_to(cr, at[0], at[1]);
            on = 1;
            continue;
        }
        cairo_line_to(cr, at[0], at[1]);
        if (++on == PIECE) {
            cairo_stroke(cr);
            cairo_move_to(cr, at[-2], at[-1]);
            cairo_line_to(cr, at[0], at[1]);
            on = 2;
        }
    }
    cairo_stroke(cr);
    return true;
}

static void draw_path(struct canvas *c, const struct path *p, const struct rgb *fill, double opacity,
                      const struct pen *pen)
{
    cairo_t *cr = c->own;

    device_trace(cr, p);
    if (fill) {
        set_colour(cr, fill, opacity);
        cairo_fill_preserve(cr);
    }
    if (pen) {
        set_colour(cr, &pen->colour, 1);
        cairo_set_line_width(cr, pen->width);
        cairo_set_dash(cr, pen->dash, pen->ndash, 0);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_cap(cr, pen->end == END_ROUND ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
        if (!stroke_in_pieces(cr, p, pen))
            cairo_stroke_preserve(cr);
    }
    cairo_new_path(cr);
}

static void draw_text(struct canvas *c, double ox, double oy, double angle, double x, double y, const struct rgb *ink,
                      double halo)
{
    cairo_t *cr = c->own;

    cairo_save(cr);
    cairo_translate(cr, ox, oy);
    cairo_rotate(cr, angle);
    cairo_translate(cr, x - ox, y - oy);
    cairo_move_to(cr, 0, 0);
    if (halo > 0) {
        pango_cairo_layout_path(cr, c->layout);
        cairo_set_source_rgb(cr, 1, 1, 1);
        cairo_set_line_width(cr, halo);
        cairo_set_dash(cr, NULL, 0, 0);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke(cr);
        cairo_move_to(cr, 0, 0);
    }
    set_colour(cr, ink, 1);
    pango_cairo_show_layout(cr, c->layout);
    cairo_new_path(cr);
    cairo_restore(cr);
}

cairo_surface_t *cairo_image_of(int w, int h, const uint32_t *pixel)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
    unsigned char *row = cairo_image_surface_get_data(image);

    cairo_surface_flush(image);
    for (int j = 0; row && j < h; j++, row += cairo_image_surface_get_stride(image))
        memcpy(row, pixel + (size_t)j * (size_t)w, (size_t)w * sizeof *pixel);
    cairo_surface_mark_dirty(image);
    return image;
}

static void device_cairo_draw_image(struct canvas *c, const struct rect *r, int w, int h, const uint32_t *pixel)
{
    cairo_t *cr = c->own;
    cairo_surface_t *image = cairo_image_of(w, h, pixel);

    cairo_save(cr);
    cairo_translate(cr, r->x, r->y);
    cairo_scale(cr, r->w / w, r->h / h);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cr, 0, 0, w, h);
    cairo_fill(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);
}

static void draw_clip(struct canvas *c, const struct rect *r)
{
    cairo_save(c->own);
    cairo_rectangle(c->own, r->x, r->y, r->w, r->h);
    cairo_clip(c->own);
}

static void draw_unclip(struct canvas *c)
{
    cairo_restore(c->own);
}

static const struct device device_cairo = { .path = draw_path, .text = draw_text, .image = device_cairo_draw_image,
                                            .clip = draw_clip, .unclip = draw_unclip };

cairo_status_t cairo_to_sink(void *sink, const unsigned char *bytes, unsigned int n)
{
    struct sink *s = sink;

    sink_put(s, bytes, n);
    return s->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static int device_failed(cairo_status_t status, struct err *err)
{
    if (status == CAIRO_STATUS_NO_MEMORY)
        return err_memory(err);
    return err_set(err, ERR_INTERNAL, "cannot draw: %s", cairo_status_to_string(status));
}

int cairo_begin(struct canvas *c, cairo_surface_t *surface, struct err *err)
{
    cairo_t *cr = cairo_create(surface);

    cairo_surface_destroy(surface);         /* cr holds it */
    c->own = cr;
    if (cairo_status(cr) != CAIRO_STATUS_SUCCESS)
        return device_failed(cairo_status(cr), err);
    c->device = &device_cairo;
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    return 0;
}

cairo_surface_t *cairo_surface_of(struct canvas *c)
{
    return cairo_get_target(c->own);
}

int cairo_end(struct canvas *c, struct err *err)
{
    cairo_show_page(c->own);
    if (cairo_status(c->own) != CAIRO_STATUS_SUCCESS)
        return device_failed(cairo_status(c->own), err);
    return 0;
}

void cairo_release(struct canvas *c)
{
    if (c->own)
        cairo_destroy(c->own);
    c->own = NULL;
}
