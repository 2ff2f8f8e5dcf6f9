#include <stdint.h>
#include <string.h>

#include "render/device_cairo.h"

#define DOTS 200.0              /* per inch */

static double dots_of(const struct canvas *c)
{
    return c->page && c->page->dpi > 0 ? c->page->dpi : DOTS;
}

static int begin(struct canvas *c, const struct figure *figure, struct err *err)
{
    double scale = dots_of(c) / 72, w = c->width * scale, h = c->height * scale;
    cairo_surface_t *s;

    (void)figure;
    if (!(w * h <= 1e8 && w <= 30000 && h <= 30000 && w >= 1 && h >= 1))
        return err_set(err, ERR_USAGE, "%.4g dots per inch make a picture of %.0f x %.0f pixels; up to 100 million, and "
                       "30000 a side, can be drawn", scale * 72, w, h);
    s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(w + 0.5), (int)(h + 0.5));
    cairo_surface_set_device_scale(s, scale, scale);
    return cairo_begin(c, s, err);
}

static uint32_t crc_of(const unsigned char *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

static void put_word(unsigned char *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(v >> (24 - 8 * i));
}

/* How large the picture is meant to be: a chunk pHYs, in pixels a metre, behind the header that cairo writes (PNG
 * specification, 11.3.4.3). */
static void say_size(struct sink *sink, double dots)
{
    enum { HEADER = 8 + 25, CHUNK = 4 + 4 + 9 + 4 };
    unsigned char chunk[CHUNK] = { 0, 0, 0, 9, 'p', 'H', 'Y', 's' };
    const uint32_t metre = (uint32_t)(dots / 0.0254 + 0.5);

    if (sink->failed || sink->n < HEADER)
        return;
    put_word(chunk + 8, metre);
    put_word(chunk + 12, metre);
    chunk[16] = 1;
    put_word(chunk + 17, crc_of(chunk + 4, 13));
    sink_put(sink, chunk, CHUNK);               /* room for it */
    if (sink->failed)
        return;
    memmove(sink->bytes + HEADER + CHUNK, sink->bytes + HEADER, sink->n - CHUNK - HEADER);
    memcpy(sink->bytes + HEADER, chunk, CHUNK);
}

static int end(struct canvas *c, bool abandon, struct err *err)
{
    int ret = abandon ? -1 : cairo_end(c, err);

    if (ret == 0 && cairo_surface_write_to_png_stream(cairo_surface_of(c), cairo_to_sink, c->sink) != CAIRO_STATUS_SUCCESS)
        ret = err_memory(err);
    if (ret == 0)
        say_size(c->sink, dots_of(c));
    cairo_release(c);
    return ret;
}

const struct plot_format plot_png = { .name = "png", .extension = ".png", .summary = "pixels (--dpi: 200 per inch)",
                                      .begin = begin, .end = end };
