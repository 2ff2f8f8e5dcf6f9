#include "render/canvas.h"

#define SCALE (200 / 72.0)              /* 200 dots per inch */

static cairo_surface_t *open_png(struct sink *sink, double width, double height)
{
    cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(width * SCALE + 0.5),
                                                    (int)(height * SCALE + 0.5));

    (void)sink;
    cairo_surface_set_device_scale(s, SCALE, SCALE);
    return s;
}

static int finish(cairo_surface_t *surface, struct sink *sink)
{
    return cairo_surface_write_to_png_stream(surface, sink_write, sink) == CAIRO_STATUS_SUCCESS ? 0 : -1;
}

const struct plot_format plot_png = {
    .name = "png", .extension = ".png", .summary = "pixels, 200 per inch", .open = open_png, .finish = finish };
