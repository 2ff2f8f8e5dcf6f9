/* netplot_file.c -- networks drawn to files: pages that leave their height open have the shape of what is drawn
 * (netplot.h). */
#include "render/drawing/netplot_parts.h"

#define COLUMN_LEAST 38.0       /* mm, of networks side by side on a page as high as they want */

/* The figure in words. */
static char *netplot_describe(const struct netplot *p)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    if (!f)
        return NULL;
    fprintf(f, "Network%s drawn:", p->n > 1 ? "s" : "");
    for (size_t i = 0; i < p->n; i++) {
        const struct net_drawing *d = &p->drawing[i];

        fprintf(f, "%s %s, %d nodes", i ? ";" : "", d->what.net->spec, d->what.net->n);
        for (size_t h = 0; h < d->nhighlight; h++)
            fprintf(f, "%s %s", h ? "," : ", highlighted:", d->highlight[h].name);
    }
    fprintf(f, ".");
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* A request with its layouts made, since the page's height depends on them. */
struct ready {
    struct netplot plot;
    struct net_drawing *drawing;
    struct layout *layout;
};

static int draw_figure(struct canvas *c, const void *data, struct err *err)
{
    return netplot_on(c, &((const struct ready *)data)->plot, err);
}

/* As high as networks of that shape, in as many columns as have room for their titles, want the page to be, with what
 * stands beside and below them. */
static int netplot_shape(const void *data, struct page *page, struct err *err)
{
    const struct ready *r = data;
    const size_t n = r->plot.n;
    size_t columns = n < 3 ? n : 3;
    double aspect = 0, most;
    struct sheet s = { .plot = &r->plot };
    struct canvas c;
    int ret;

    if (page->height_mm > 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        aspect = fmax(aspect, (r->layout[i].height + 1) / (r->layout[i].width + 1));
    if (!(page->width_mm > 0))
        page->width_mm = n == 1 ? 130 : 160;
    while (columns > 1 && page->width_mm / (double)columns < COLUMN_LEAST)
        columns--;
    most = page->width_mm * fmax(1.1, 0.55 * (double)((n + columns - 1) / columns));
    page->height_mm = fmax(fmin(page->width_mm / (double)columns * aspect * (double)((n + columns - 1) / columns),
                                  most), 40);
    if (canvas_open(&c, page, err) < 0)
        return -1;
    s.canvas = &c;
    ret = netplot_sheet(&s, err);
    if (ret == 0 && c.failed)
        ret = c.stopped ? err_stopped(err) : err_memory(err);
    if (ret == 0) {
        const double beside = c.height - s.panels.h, rows = (double)((n + columns - 1) / columns);
        const double w = (s.panels.w - (double)(columns - 1) * GAP) / (double)columns;

        page->height_mm = (beside + rows * (w * aspect + s.strip) + (rows - 1) * GAP) * 25.4 / 72;
        page->height_mm = fmax(fmin(fmax(page->height_mm, 45), most + beside * 25.4 / 72), 40);
    }
    netplot_sheet_release(&s);
    canvas_close(&c);
    return ret;
}

static int ready_make(struct ready *r, const struct netplot *p, struct err *err)
{
    *r = (struct ready){ .plot = *p };
    if (TAKE("drawing the network", err, ZEROS(r->drawing, p->n + 1), ZEROS(r->layout, p->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < p->n; i++) {
        const struct sketch_request *what = &p->drawing[i].what;

        if (layout_open(&r->layout[i], what->net, what->layout, what->seed, err) < 0)
            return -1;
        r->drawing[i] = p->drawing[i];
        r->drawing[i].what.placed = &r->layout[i];
    }
    r->plot.drawing = r->drawing;
    return 0;
}

int netplot_write(const struct netplot *p, const struct page *page, const char *path, struct err *err)
{
    struct ready r;
    const struct figure f = { .draw = draw_figure, .data = &r, .shape = netplot_shape,
        .description = netplot_describe(p),
        .title = strdup(p->title ? p->title : p->n == 1 ? p->drawing[0].what.net->spec : "Networks") };
    int ret = ready_make(&r, p, err);

    if (ret == 0)
        ret = f.title && f.description ? figure_write(&f, page, path, err) : err_memory(err);
    for (size_t i = 0; r.layout && i < p->n; i++)
        layout_release(&r.layout[i]);
    FREE(r.layout, r.drawing, f.title, f.description);
    return ret;
}
