#include <cairo-pdf.h>
#include <string.h>

#include "render/canvas.h"

static cairo_surface_t *open_pdf(struct sink *sink, double width, double height)
{
    cairo_surface_t *s = cairo_pdf_surface_create_for_stream(sink_write, sink, width, height);

    /* cairo always writes a date; a fixed one is the same tomorrow, and `finish` takes it out. */
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    return s;
}

/* Blanks in place of the entry: every offset of the file stays what it was. */
static int finish(cairo_surface_t *surface, struct sink *sink)
{
    static const char entry[] = "/CreationDate (";
    unsigned char *at, *close;

    cairo_surface_finish(surface);
    at = sink->n ? memmem(sink->bytes, sink->n, entry, sizeof entry - 1) : NULL;
    close = at ? memchr(at, ')', sink->n - (size_t)(at - sink->bytes)) : NULL;
    if (close)
        memset(at, ' ', (size_t)(close - at) + 1);
    return 0;
}

const struct plot_format plot_pdf = {
    .name = "pdf", .extension = ".pdf", .summary = "for papers; text can be searched", .open = open_pdf,
    .finish = finish };
