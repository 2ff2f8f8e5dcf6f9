#include <math.h>

#include "render/device_cairo.h"

#define DOTS 200.0              /* per inch */

static int begin(struct canvas *c, const struct figure *figure, struct err *err)
{
    double scale = (c->page && c->page->dpi > 0 ? c->page->dpi : DOTS) / 72, w = c->width * scale, h = c->height * scale;
    cairo_surface_t *s;

    (void)figure;
    if (!(w * h <= 1e8 && w <= 30000 && h <= 30000 && w >= 1 && h >= 1))
        return err_set(err, ERR_USAGE, "%.4g dots per inch make a picture of %.0f x %.0f pixels; up to 100 million, and "
                       "30000 a side, can be drawn", scale * 72, w, h);
    s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(w + 0.5), (int)(h + 0.5));
    cairo_surface_set_device_scale(s, scale, scale);
    return cairo_begin(c, s, err);
}

static int end(struct canvas *c, bool abandon, struct err *err)
{
    int ret = abandon ? -1 : cairo_end(c, err);

    if (ret == 0 && cairo_surface_write_to_png_stream(cairo_surface_of(c), cairo_to_sink, c->sink) != CAIRO_STATUS_SUCCESS)
        ret = err_memory(err);
    cairo_release(c);
    return ret;
}

const struct plot_format plot_png = { .name = "png", .extension = ".png", .summary = "pixels (--dpi: 200 per inch)",
                                      .begin = begin, .end = end };
