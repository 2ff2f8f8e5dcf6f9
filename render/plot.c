/* plot.c -- from a chart to the bytes of a file. */
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph/base/file.h"
#include "graph/base/text.h"
#include "render/canvas.h"

#define X(name) extern const struct plot_format plot_##name;
#include "registry/plot.inc"
#undef X
const struct plot_format *const plot_all[] = {
#define X(name) &plot_##name,
#include "registry/plot.inc"
#undef X
    NULL };

#define NPLOT (sizeof plot_all / sizeof *plot_all - 1)
#define MM (72 / 25.4)

static const struct plot_format *format_for(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && plot_all[i]; i++)
        if (strcasecmp(dot, plot_all[i]->extension) == 0)
            return plot_all[i];
    return NULL;
}

/* ".pdf, .png or .svg" */
static void list_extensions(char out[120])
{
    size_t n = 0;

    for (size_t i = 0; i < NPLOT && n < 120; i++)
        n += (size_t)snprintf(out + n, 120 - n, "%s%s", i == 0 ? "" : i + 1 < NPLOT ? ", " : " or ",
                              plot_all[i]->extension);
}

int chart_check_path(const char *path, struct err *err)
{
    const char *dot = strrchr(path, '.'), *name[NPLOT];
    char known[120], nearest[80] = "";

    if (format_for(path))
        return 0;
    list_extensions(known);
    for (size_t i = 0; i < NPLOT; i++)
        name[i] = plot_all[i]->extension;
    if (dot && !strchr(dot, '/'))
        text_suggest(nearest, dot, name, NPLOT);
    return err_set(err, ERR_USAGE, "the figure '%.200s' must end in %s%s", path, known, nearest);
}

static int drawing_failed(cairo_status_t status, struct err *err)
{
    if (status == CAIRO_STATUS_NO_MEMORY)
        return err_memory(err);
    return err_set(err, ERR_INTERNAL, "cannot draw: %s", cairo_status_to_string(status));
}

static int draw_on(cairo_surface_t *surface, const struct chart_kind *kind, const struct chart *c, double width,
                   double height, struct err *err)
{
    struct canvas canvas = { 0 };
    int ret = canvas_open(&canvas, surface, width, height, err);

    if (ret == 0) {
        cairo_set_source_rgb(canvas.cr, 1, 1, 1);
        cairo_paint(canvas.cr);
        ret = kind->draw(&canvas, c, err);
        cairo_show_page(canvas.cr);
    }
    if (ret == 0 && cairo_status(canvas.cr) != CAIRO_STATUS_SUCCESS)
        ret = drawing_failed(cairo_status(canvas.cr), err);
    canvas_close(&canvas);
    return ret;
}

int chart_draw(struct sink *sink, const struct chart *c, const struct plot_format *f, struct err *err)
{
    const struct chart_kind *kind = chart_kind_by_name(c->kind);
    double width = (c->width_mm > 0 ? c->width_mm : 160) * MM, height = (c->height_mm > 0 ? c->height_mm : 100) * MM;
    cairo_surface_t *surface;
    int ret;

    *sink = (struct sink){ 0 };
    if (!kind)
        return err_set(err, ERR_USAGE, "there is no kind of chart '%.60s'", c->kind);
    if (!(width >= 40 * MM && height >= 40 * MM && width <= 2000 * MM && height <= 2000 * MM))
        return err_set(err, ERR_USAGE, "a figure of %.4g x %.4g mm is too small or too large; sides of 40 to 2000 mm "
                       "can be drawn", width / MM, height / MM);
    surface = f->open(sink, width, height);
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
        ret = drawing_failed(cairo_surface_status(surface), err);
    else
        ret = draw_on(surface, kind, c, width, height, err);
    if (ret == 0 && (f->finish(surface, sink) < 0 || sink->failed))
        ret = err_memory(err);
    if (ret == 0 && cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
        ret = drawing_failed(cairo_surface_status(surface), err);
    cairo_surface_destroy(surface);
    if (ret < 0) {
        free(sink->bytes);
        *sink = (struct sink){ 0 };
    }
    return ret;
}

int chart_write(const struct chart *c, const char *path, struct err *err)
{
    struct sink sink;
    struct output out;

    if (chart_check_path(path, err) < 0 || chart_draw(&sink, c, format_for(path), err) < 0)
        return -1;
    if (output_open(&out, path, err) < 0) {
        free(sink.bytes);
        return -1;
    }
    fwrite(sink.bytes, 1, sink.n, out.stream);      /* output_commit looks at the stream */
    free(sink.bytes);
    return output_commit(&out, err);
}

/* Not cairo_debug_reset_static_data() and FcFini(): pango looks for fonts in threads of its own, which may still hold
 * some, and cairo aborts then. What those two would free is reachable to the end, so no leak. */
void chart_teardown(void)
{
    pango_cairo_font_map_set_default(NULL);
}
