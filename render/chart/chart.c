#include "render/chart/chart.h"
#include "render/page/canvas.h"

#include "registry/chart.inc"

KIND(chart, chart, struct chart_kind, .name = "chart", .what = "kind of chart", .rank = 17)

/* ---- in words ---------------------------------------------------------------------------------------- */

static void print_range(FILE *f, const char *which, const struct axis *a, double lo, double hi)
{
    char from[32], to[32];

    if (a->ncategory) {
        fprintf(f, " %s: %s; %zu categories from %s to %s.", which, a->title ? a->title : "", a->ncategory,
                a->category[0], a->category[a->ncategory - 1]);
        return;
    }
    if (!(lo <= hi))
        return;
    snprintf(from, sizeof from, "%.6g", lo);
    snprintf(to, sizeof to, "%.6g", hi);
    fprintf(f, " %s: %s%s%s%s%sfrom %s to %s.", which, a->title ? a->title : "", a->title ? " " : "",
            a->unit ? "[" : "", a->unit ? a->unit : "", a->unit ? "] " : "", from, to);
}

static void print_rules(FILE *f, const struct chart *c)
{
    for (size_t i = 0; i < c->nrule && i < 20; i++)
        fprintf(f, "%s%s%sat %.6g", i == 0 ? " Vertical lines: " : ", ", c->rule[i].text, *c->rule[i].text ? " " : "",
                c->rule[i].x);
    if (c->nrule > 20)
        fprintf(f, " and %zu more", c->nrule - 20);
    if (c->nrule)
        fputs(".", f);
}

char *chart_describe(const struct chart *c)
{
    const struct chart_kind *kind = chart_find(c->kind, NULL);
    double lo[3] = { INFINITY, INFINITY, INFINITY }, hi[3] = { -INFINITY, -INFINITY, -INFINITY };
    char *text = NULL;
    size_t len, points = 0;
    FILE *f = open_memstream(&text, &len);

    if (!f)
        return NULL;
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++) {
            const struct datum *d = &c->series[i].at[p];
            const double v[3] = { d->x, d->y, d->z };

            points++;
            for (int k = 0; k < 3; k++)
                if (isfinite(v[k])) {
                    lo[k] = fmin(lo[k], v[k]);
                    hi[k] = fmax(hi[k], v[k]);
                }
        }
    fprintf(f, "%s: %s. %zu %s.", c->kind, kind ? kind->summary : "", kind && kind->intervals ? points / 2 : points,
            kind && kind->intervals ? "intervals" : "points");
    print_range(f, "Across", &c->x, lo[0], hi[0]);
    print_range(f, "Up", &c->y, lo[1], hi[1]);
    print_range(f, "Value", &c->z, lo[2], hi[2]);
    if (kind && kind->rules && !c->x.ncategory)
        print_rules(f, c);
    for (size_t i = 0; i < c->nseries && i < 20; i++)
        if (*c->series[i].name)
            fprintf(f, "%s%s", i == 0 ? " Series: " : ", ", c->series[i].name);
    if (c->nseries > 20)
        fprintf(f, " and %zu more", c->nseries - 20);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static int draw(struct canvas *canvas, const void *data, struct err *err)
{
    const struct chart *c = data;
    const struct chart_kind *kind = chart_find(c->kind, NULL);

    if (!kind)
        return err_set(err, ERR_USAGE, "there is no kind of chart '%.60s'", c->kind);
    return kind->draw(canvas, c, err);
}

/* "Mean length against nodes" where there is no title. */
static char *name_of(const struct chart *c)
{
    const char *x = c->x.title ? c->x.title : "x";
    char *text = NULL;

    if (c->title && *c->title)
        return text_copy(c->title, strlen(c->title));
    return (c->z.title ? asprintf(&text, "%s against %s and %s", c->z.title, x, c->y.title ? c->y.title : "y") :
            asprintf(&text, "%s against %s", c->y.title ? c->y.title : "Values", x)) < 0 ? NULL : text;
}

/* Where only a width is given: as high as the kind asks; a narrow page grows until what is drawn has its room, which a
 * rehearsal tells. In mm; -1: err. */
static double height_for(const struct chart *c, const struct chart_kind *kind, const struct page *page,
                         struct err *err)
{
    const double width = page->width_mm > 0 ? page->width_mm : PAGE_WIDTH;
    const double asked = kind && kind->height ? kind->height(c, width) : 0;
    const double least = asked > 0 ? asked : fmax(0.625 * width, 40);
    struct page own = *page;
    struct canvas canvas;
    double height = c->panel_y ? fmax(least, 0.24 * width * (double)c->npanel) : least;

    if (asked < 0) {
        err_memory(err);
        return -1;
    }
    own.width_mm = width;
    for (int pass = 0; kind && width * 72 / 25.4 < PAGE_NARROW && pass < 8; pass++) {
        double wanted;
        int ret;

        own.height_mm = height;
        if (canvas_open(&canvas, &own, err) < 0)
            return -1;
        ret = kind->draw(&canvas, c, err);
        wanted = canvas.wanted * 25.4 / 72;
        canvas_close(&canvas);
        if (ret < 0)
            return -1;
        if (wanted <= 1.005 * height)
            break;
        height = fmin(wanted, 1.2 * height);            /* what fits changes on the way: the lowest that will do */
    }
    return height;
}

static int shape(const void *data, struct page *page, struct err *err)
{
    const struct chart *c = data;

    if (page->height_mm > 0)
        return 0;
    page->fitted = true;
    page->height_mm = height_for(c, chart_find(c->kind, NULL), page, err);
    return page->height_mm < 0 ? -1 : 0;
}

/* Into the sink, or (NULL) to the path. */
static int figure_of(const struct chart *c, const struct page *page, struct sink *sink,
                     const struct plot_format *format, const char *path, struct err *err)
{
    const struct figure f = { .draw = draw, .data = c, .title = name_of(c), .description = chart_describe(c),
                              .shape = shape };
    const int ret = !f.title || !f.description ? err_memory(err) :
        sink ? figure_draw(sink, &f, page, format, err) : figure_write(&f, page, path, err);

    FREE(f.title, f.description);
    return ret;
}

int chart_draw(struct sink *sink, const struct chart *c, const struct page *page, const struct plot_format *format,
               struct err *err)
{
    return figure_of(c, page, sink, format, NULL, err);
}

int chart_write(const struct chart *c, const struct page *page, const char *path, struct err *err)
{
    return figure_of(c, page, NULL, NULL, path, err);
}
