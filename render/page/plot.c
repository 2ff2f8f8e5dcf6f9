/* plot.c -- from something to draw to the bytes of a file. */
#include "render/page/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph/base/file.h"
#include "graph/base/num.h"
#include "graph/base/text.h"
#include "render/page/canvas.h"

#include "registry/plot.inc"

KIND(plot, plot, struct plot_format, .name = "plot-format", .rank = 18)

#define NPLOT (sizeof plot_all / sizeof *plot_all - 1)

static const struct plot_format *format_for(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && plot_all[i]; i++)
        if (strcasecmp(dot, plot_all[i]->extension) == 0)
            return plot_all[i];
    return NULL;
}

int figure_check_path(const char *path, struct err *err)
{
    const char *dot = strrchr(path, '.'), *name[NPLOT];
    char known[120], nearest[80] = "";

    if (format_for(path))
        return 0;
    for (size_t i = 0; i < NPLOT; i++)
        name[i] = plot_all[i]->extension;
    if (dot && !strchr(dot, '/'))
        text_suggest(nearest, dot, name, NPLOT);
    return err_set(err, ERR_USAGE, "the figure '%.200s' must end in %s%s", path,
                   text_list(known, sizeof known, name, NPLOT, " or "), nearest);
}

int page_size(struct page *page, const char *text, struct err *err)
{
    static const struct {
        const char *name;
        double width_mm;
    } named[] = { { "column", 84 }, { "one-and-half", 127 }, { "two-columns", 174 } };
    char width[40];
    const char *x = strchr(text, 'x');
    size_t len = x ? (size_t)(x - text) : strlen(text);

    page->height_mm = 0;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(text, named[i].name) == 0) {
            page->width_mm = named[i].width_mm;
            return 0;
        }
    if (len == 0 || len >= sizeof width || !strchr("0123456789.", text[0]))
        return err_set(err, ERR_USAGE, "--size is '%.40s'; it is a width in mm (140), WIDTHxHEIGHT (140x90), column, "
                       "one-and-half or two-columns", text);
    memcpy(width, text, len);
    width[len] = '\0';
    if (num_real(&page->width_mm, width, "the width of --size", err) < 0 ||
        (x && num_real(&page->height_mm, x + 1, "the height of --size", err) < 0))
        return -1;
    if (page->width_mm < 40 || page->width_mm > 2000 || (x && (page->height_mm < 40 || page->height_mm > 2000)))
        return err_set(err, ERR_USAGE, "--size is '%.40s'; sides of 40 to 2000 mm can be drawn", text);
    return 0;
}

int figure_draw(struct sink *sink, const struct figure *f, const struct page *page, const struct plot_format *format,
                struct err *err)
{
    struct canvas c;
    int ret;

    *sink = (struct sink){ 0 };
    if (canvas_open(&c, page, err) < 0)
        return -1;
    c.sink = sink;
    ret = format->begin(&c, f, err);
    if (ret == 0)
        ret = f->draw(&c, f->data, err);
    if (ret == 0 && c.failed)
        ret = c.stopped ? err_stopped(err) : err_memory(err);
    if (format->end(&c, ret < 0, err) < 0)
        ret = -1;
    if (ret == 0 && sink->failed)
        ret = err_memory(err);
    canvas_close(&c);
    if (ret < 0) {
        free(sink->bytes);
        *sink = (struct sink){ 0 };
    }
    return ret;
}

int figure_write(const struct figure *f, const struct page *page, const char *path, struct err *err)
{
    struct sink sink;
    struct output out;

    if (figure_check_path(path, err) < 0 || figure_draw(&sink, f, page, format_for(path), err) < 0)
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
void figure_teardown(void)
{
    pango_cairo_font_map_set_default(NULL);
}
