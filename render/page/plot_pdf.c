#include <cairo-pdf.h>

#include "render/page/device_cairo.h"

static void set_metadata(struct canvas *c, cairo_surface_t *s, cairo_pdf_metadata_t which, const char *text)
{
    char *line = text ? line_of(c, text) : NULL;

    if (line)
        cairo_pdf_surface_set_metadata(s, which, line);
    free(line);
}

static int pdf_begin(struct canvas *c, const struct figure *figure, struct err *err)
{
    cairo_surface_t *s = cairo_pdf_surface_create_for_stream(cairo_to_sink, c->sink, c->width, c->height);

    /* cairo always writes a date; a fixed one is the same tomorrow, and `end` takes it out. */
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    set_metadata(c, s, CAIRO_PDF_METADATA_TITLE, figure->title);
    set_metadata(c, s, CAIRO_PDF_METADATA_SUBJECT, figure->description);
    return cairo_begin(c, s, err);
}

/* Blanks in place of the entry: every offset of the file stays what it was. */
static void take_out_date(struct sink *sink)
{
    static const char entry[] = "/CreationDate (";
    unsigned char *at, *close;

    at = sink->n ? memmem(sink->bytes, sink->n, entry, sizeof entry - 1) : NULL;
    close = at ? memchr(at, ')', sink->n - (size_t)(at - sink->bytes)) : NULL;
    if (close)
        memset(at, ' ', (size_t)(close - at) + 1);
}

static int pdf_end(struct canvas *c, bool abandon, struct err *err)
{
    int ret = abandon ? -1 : cairo_end(c, err);

    if (c->own)
        cairo_surface_finish(cairo_surface_of(c));
    cairo_release(c);
    take_out_date(c->sink);
    return ret;
}

const struct plot_format plot_pdf = { .name = "pdf", .synopsis = ".pdf", .extension = ".pdf", .begin = pdf_begin,
                                      .end = pdf_end, .summary = "for papers: fonts embedded, text can be searched" };
