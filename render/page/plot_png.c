#include <png.h>

#include "render/page/device_cairo.h"

#define DOTS 300.0              /* per inch */
#define EFFORT 3                /* of compressing, 1 to 9: beyond, files get no smaller to speak of */

static double dots_of(const struct canvas *c)
{
    return c->page && c->page->dpi > 0 ? c->page->dpi : DOTS;
}

static int plot_png_begin(struct canvas *c, const struct figure *, struct err *err)
{
    double scale = dots_of(c) / 72, w = c->width * scale, h = c->height * scale;
    cairo_surface_t *s;

    if (!(w * h <= 1e8 && w <= 30000 && h <= 30000 && w >= 1 && h >= 1))
        return err_set(err, ERR_USAGE,
                       "%.4g dots per inch make a picture of %.0f x %.0f pixels; up to 100 million, and "
                       "30000 a side, can be drawn", scale * 72, w, h);
    s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(w + 0.5), (int)(h + 0.5));
    cairo_surface_set_device_scale(s, scale, scale);
    return cairo_begin(c, s, err);
}

static void write_bytes(png_structp png, png_bytep bytes, png_size_t n)
{
    sink_put(png_get_io_ptr(png), bytes, n);
}

static void flush(png_structp)
{
}

/* Cairo's pixels are 0xrrggbb in the machine's own order; a row of them as bytes. */
static void write_rows(png_structp png, cairo_surface_t *s, png_bytep row)
{
    const unsigned char *data = cairo_image_surface_get_data(s);
    const int w = cairo_image_surface_get_width(s), h = cairo_image_surface_get_height(s);

    for (int j = 0; j < h; j++, data += cairo_image_surface_get_stride(s)) {
        const uint32_t *pixel = (const void *)data;

        for (int i = 0; i < w; i++) {
            row[3 * i] = (png_byte)(pixel[i] >> 16);
            row[3 * i + 1] = (png_byte)(pixel[i] >> 8);
            row[3 * i + 2] = (png_byte)pixel[i];
        }
        png_write_row(png, row);
    }
}

/* With its size in pixels a metre, so that a page shows it as large as it was asked for. */
static int write_png(struct canvas *c, cairo_surface_t *s)
{
    const png_uint_32 w = (png_uint_32)cairo_image_surface_get_width(s),
        h = (png_uint_32)cairo_image_surface_get_height(s);
    const png_uint_32 metre = (png_uint_32)(dots_of(c) / 0.0254 + 0.5);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    png_bytep row = malloc(3 * (size_t)w);
    volatile int ret = -1;

    if (!info || !row)
        goto done;
    if (setjmp(png_jmpbuf(png)))        /* libpng found no memory */
        goto done;
    png_set_write_fn(png, c->sink, write_bytes, flush);
    png_set_IHDR(png, info, w, h, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_pHYs(png, info, metre, metre, PNG_RESOLUTION_METER);
    png_set_compression_level(png, EFFORT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);     /* drawings have few colours */
    png_write_info(png, info);
    write_rows(png, s, row);
    png_write_end(png, info);
    ret = 0;
done:
    png_destroy_write_struct(&png, &info);
    free(row);
    return ret;
}

static int plot_png_end(struct canvas *c, bool abandon, struct err *err)
{
    int ret = abandon ? -1 : cairo_end(c, err);

    if (ret == 0) {
        cairo_surface_flush(cairo_surface_of(c));
        ret = write_png(c, cairo_surface_of(c)) < 0 ? err_memory(err) : 0;
    }
    cairo_release(c);
    return ret;
}

const struct plot_format plot_png =
    { .name = "png", .synopsis = ".png", .extension = ".png", .summary = "pixels (--dpi: 300 per inch)",
                                      .begin = plot_png_begin, .end = plot_png_end };
