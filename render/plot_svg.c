#include <cairo-svg.h>
#include <ctype.h>
#include <string.h>

#include "render/canvas.h"

static cairo_surface_t *open_svg(struct sink *sink, double width, double height)
{
    return cairo_svg_surface_create_for_stream(sink_write, sink, width, height);
}

/* cairo numbers its surfaces through the life of the process and writes that number into ids ("surface12"):
 * without the digits, the second drawing of a chart has the bytes of the first. */
static int finish(cairo_surface_t *surface, struct sink *sink)
{
    static const char id[] = "\"surface";
    size_t from = 0, to = 0;

    cairo_surface_finish(surface);
    while (from < sink->n) {
        size_t left = sink->n - from;

        if (left > sizeof id && memcmp(sink->bytes + from, id, sizeof id - 1) == 0) {
            memmove(sink->bytes + to, sink->bytes + from, sizeof id - 1);
            from += sizeof id - 1;
            to += sizeof id - 1;
            while (from < sink->n && isdigit(sink->bytes[from]))
                from++;
            continue;
        }
        sink->bytes[to++] = sink->bytes[from++];
    }
    sink->n = to;
    return 0;
}

const struct plot_format plot_svg = {
    .name = "svg", .extension = ".svg", .summary = "scalable graphics for the web", .open = open_svg,
    .finish = finish };
