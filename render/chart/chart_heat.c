/* chart_heat.c -- values as colours of cells (map.h and lattice.h have what maps share).
 * 1. data           one series a panel, as a lattice; notes on what cells hide, entries of the legend
 * 2. cells          an image where they are many, rectangles where they are few, colours of words
 * 3. on the cells   numbers where they fit, else contour lines
 * 4. the whole      panel by panel */
#include "render/chart/chart.h"
#include "render/map/map.h"

#define IMAGE_CELLS 4096        /* a map of more cells is one image */
#define PIXEL 0.25              /* points, of an image of cells that are not evenly spaced */
#define VALUE_CELLS 1200        /* most with their values written in them */
#define VALUE_WIDTH 26.0        /* least size of these */
#define VALUE_HEIGHT 12.0
#define DARK 0.22               /* luminance below which white has more contrast than INK */
#define LEVELS_MOST 8           /* of contour lines */
#define LOOKS_MOST 42           /* of categories that can be told apart */

struct heat {
    struct lattices lattices;
    struct frame frame;
    double **value;             /* by panel: of every cell, or NaN */
    bool words;                 /* values are categories */
    double least, most;         /* values, of all panels */
    size_t several, missing;    /* cells with more than one point; with none */
    char note[160];
};

/* ---- data -------------------------------------------------------------------------------------------- */

/* One series for each panel, whatever is laid over. */
static int check_groups(const struct chart *c, struct err *err)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t k = 0; k < i; k++)
            if (c->series[i].panel == c->series[k].panel && !c->series[i].over && !c->series[k].over)
                return err_set(err, ERR_USAGE, "a heat map has one value in a cell, but '%.60s' and '%.60s' are two "
                               "groups; give each a panel of its own with --facet", c->series[k].name,
                               c->series[i].name);
    return 0;
}

static int heat_fill(struct heat *h, struct err *err)
{
    struct lattices *l = &h->lattices;

    h->least = INFINITY;
    h->most = -INFINITY;
    if (TAKE("the chart", err, ZEROS(h->value, l->npanel)) < 0)
        return -1;
    for (size_t i = 0; i < l->npanel; i++) {
        size_t n = lattice_cells(&l->panel[i]);

        h->value[i] = malloc((n + 1) * sizeof **h->value);
        if (!h->value[i])
            return err_memory(err);
        if (lattice_values(h->value[i], &h->several, l, i, h->words, err) < 0 ||
            lattices_show(l, i, h->value[i], err) < 0)
            return -1;
        for (size_t k = 0; k < n; k++) {
            h->missing += isnan(h->value[i][k]) != 0;
            h->least = fmin(h->least, h->value[i][k]);          /* passes over NaN */
            h->most = fmax(h->most, h->value[i][k]);
        }
    }
    return 0;
}

static void heat_take_notes(struct heat *h)
{
    const char *are = h->several == 1 ? "cell has several values" : "cells have several values";
    char several[120] = "";

    if (h->several)
        snprintf(several, sizeof several, "%zu %s: %s.", h->several, are,
                 h->words ? "the first is shown" : "their mean is shown");
    snprintf(h->note, sizeof h->note, "%s%s%s", h->missing && !h->words ? "Hatched: no value." : "",
             h->missing && !h->words && h->several ? " " : "", several);
    if (*h->note)
        h->frame.aside = h->note;
}

static int add_entries(struct heat *h, struct err *err)
{
    const struct chart *c = h->lattices.chart;
    struct legend_entry e = { .sample = SAMPLE_TILE };

    for (size_t i = 0; h->words && i < c->z.ncategory; i++) {
        e.text = c->z.category[i];
        e.look = i % LOOKS_MOST;
        if (legend_add(&h->frame.legend, e, err) < 0)
            return -1;
    }
    e = (struct legend_entry){ .text = "no value", .sample = SAMPLE_CELL, .colour = grey(1) };
    if (h->words && h->missing && legend_add(&h->frame.legend, e, err) < 0)
        return -1;
    for (size_t i = 0; i < c->nseries; i++) {
        e = (struct legend_entry){ .text = c->series[i].name, .sample = SAMPLE_RING, .look = c->series[i].look };
        if (c->series[i].over && legend_add_once(&h->frame.legend, e, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* The colour of a value as 0xrrggbb; false where it has none. */
static bool colour_of(const struct frame *f, double v, unsigned *colour)
{
    if (isnan(v))
        return false;
    *colour = rgb_hex(colour_bar_at(&f->bar, f->canvas, v));
    return true;
}

/* Edges that are a tenth of a cell or less off evenly spaced ones. */
static bool is_even(const double *edge, size_t n)
{
    const double each = (edge[n] - edge[0]) / (double)n;

    for (size_t i = 0; i <= n; i++)
        if (!(fabs(edge[i] - edge[0] - (double)i * each) <= 0.1 * fabs(each)) || fabs(edge[i]) > 2e4)
            return false;
    return true;
}

/* Which cell each pixel along an axis shows. */
struct pixels {
    size_t n, *cell;            /* SIZE_MAX: none */
    double from, to;            /* on the page */
};

/* One pixel for each cell where these are evenly spaced, else so many that nobody sees them. Places rise or fall. */
static int cut_pixels(struct pixels *p, const double *edge, size_t n, double from, double to, struct err *err)
{
    const bool even = is_even(edge, n), rise = edge[n] > edge[0];
    size_t at = 0;

    p->n = even ? n : (size_t)ceil((to - from) / PIXEL);
    p->from = !even ? from : rise ? edge[0] : edge[n];
    p->to = !even ? to : rise ? edge[n] : edge[0];
    if (TAKE("the chart", err, ARRAY(p->cell, p->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < p->n; i++) {
        const double middle = from + ((double)i + 0.5) / (double)p->n * (to - from);

        while (!even && at < n && (rise ? edge[at + 1] : edge[n - at - 1]) <= middle)
            at++;
        at = even ? i : at;
        p->cell[i] = at == n || (!even && (rise ? edge[0] : edge[n]) > middle) ? SIZE_MAX : rise ? at : n - 1 - at;
    }
    return 0;
}

/* Pixels of cells without a value make diagonal stripes. */
static unsigned pixel_of(const struct frame *f, const double *value, size_t nx, size_t i, size_t j)
{
    unsigned colour;

    if (i == SIZE_MAX || j == SIZE_MAX)
        return 0xffffff;
    return colour_of(f, value[j * nx + i], &colour) ? colour : (i + j) % 4 == 0 ? 0xb0b0b0 : 0xffffff;
}

static int chart_heat_draw_image(const struct frame *f, const double *value, const struct spots *s, struct err *err)
{
    const struct rect *d = &f->data;
    struct pixels x = { 0 }, y = { 0 };
    uint32_t *pixel = NULL;
    int ret = cut_pixels(&x, s->x, s->nx, d->x, d->x + d->w, err);

    ret = ret < 0 ? -1 : cut_pixels(&y, s->y, s->ny, d->y, d->y + d->h, err);
    if (ret == 0 && !(pixel = malloc(x.n * y.n * sizeof *pixel)))
        ret = err_memory(err);
    for (size_t k = 0; pixel && k < x.n * y.n; k++)         /* what a pixel repeats need not be coloured again */
        pixel[k] = k % x.n && x.cell[k % x.n] == x.cell[k % x.n - 1] ? pixel[k - 1] :
                   k >= x.n && y.cell[k / x.n] == y.cell[k / x.n - 1] ? pixel[k - x.n] :
                   pixel_of(f, value, s->nx, x.cell[k % x.n], y.cell[k / x.n]);
    if (ret == 0)
        canvas_image(f->canvas, &(struct rect){ x.from, y.from, x.to - x.from, y.to - y.from }, (int)x.n, (int)y.n,
                     pixel);
    FREE(pixel, x.cell, y.cell);
    return ret;
}

/* Cells of one colour side by side are one rectangle, unless each says its value. */
static void heat_draw_cells(const struct frame *f, const double *value, const struct spots *s, const struct lattice *l)
{
    const bool down = s->ny && s->y[s->ny] > s->y[0];

    for (size_t row = 0; row < s->ny; row++) {          /* from the top of the page */
        const size_t j = down ? row : s->ny - 1 - row;
        const double *v = value + j * s->nx, *under = row + 1 < s->ny ? (down ? v + s->nx : v - s->nx) : NULL;

        for (size_t i = 0, to; i < s->nx; i = to) {
            bool below = under != NULL;
            unsigned colour, next = 0;
            const struct datum d = { .x = l->x.at[i], .y = l->y.at[j], .z = v[i], .lo = NAN, .hi = NAN };
            struct rect r;

            to = i + 1;
            if (!colour_of(f, v[i], &colour))
                continue;
            while (!f->tips && to < s->nx && colour_of(f, v[to], &next) && next == colour)
                to++;
            for (size_t k = i; below && k < to; k++)
                below = colour_of(f, under[k], &next);
            if (spots_cell(&r, s, &f->data, i, to - 1, j, to < s->nx && colour_of(f, v[to], &next), below)) {
                frame_tip_begin(f, NULL, &d, NULL);
                canvas_rect(f->canvas, &r);
                canvas_fill(f->canvas, rgb_of(colour), 1);
                frame_tip_end(f);
            }
        }
    }
}

static int draw_words(const struct frame *f, const double *value, const struct spots *s, struct err *err)
{
    const struct pen pen = pen_grey(0.6, INK);
    int *look = malloc((s->nx * s->ny + 1) * sizeof *look), ret;

    if (!look)
        return err_memory(err);
    for (size_t k = 0; k < s->nx * s->ny; k++)
        look[k] = value[k] >= 0 && value[k] < 1e9 ? (int)value[k] % LOOKS_MOST : -1;
    ret = map_regions(f, look, s, &pen, NULL, err);
    free(look);
    return ret;
}

/* ---- on the cells ------------------------------------------------------------------------------------ */

static bool large_cells(const struct spots *s)
{
    for (size_t i = 0; i < s->nx; i++)
        if (s->x[i + 1] - s->x[i] < VALUE_WIDTH)
            return false;
    for (size_t j = 0; j < s->ny; j++)
        if (fabs(s->y[j + 1] - s->y[j]) < VALUE_HEIGHT)
            return false;
    return s->nx * s->ny <= VALUE_CELLS;
}

/* All values of all panels; *n of them. */
static double *all_values(const struct heat *h, size_t *n)
{
    double *all;

    *n = 0;
    for (size_t i = 0; i < h->lattices.npanel; i++)
        *n += lattice_cells(&h->lattices.panel[i]);
    all = malloc((*n + 1) * sizeof *all);
    *n = 0;
    for (size_t i = 0; all && i < h->lattices.npanel; i++)
        for (size_t k = 0; k < lattice_cells(&h->lattices.panel[i]); k++)
            if (!isnan(h->value[i][k]))
                all[(*n)++] = h->value[i][k];
    return all;
}

/* The digits that all panels are labelled with. 1, or 0 where labels do not fit the cells of this one, -1: memory. */
static int choose_digits(const struct heat *h, const struct spots *s, struct digits *d, struct err *err)
{
    const struct frame *f = &h->frame;
    double narrow = INFINITY;
    size_t n;
    double *all = all_values(h, &n);
    int ret = all ? digits_choose(d, all, n, f->bar.ticks.exponent, err) : err_memory(err);

    for (size_t i = 0; i < s->nx; i++)
        narrow = fmin(narrow, s->x[i + 1] - s->x[i]);
    ret = ret < 0 ? -1 : 1;
    for (size_t i = 0; ret > 0 && i < n; i++) {
        char label[NUMBER_ROOM];
        const struct text t = { .text = label, .size = SIZE_NOTE, .markup = true };

        number_label(label, all[i], d);
        ret = text_width(f->canvas, &t) <= narrow - 3;
    }
    free(all);
    return ret;
}

/* 1, or 0 where cells are too small, -1: memory. */
static int draw_values(const struct heat *h, const double *value, const struct spots *s, struct err *err)
{
    const struct frame *f = &h->frame;
    struct digits d;
    int ret = large_cells(s) ? choose_digits(h, s, &d, err) : 0;

    for (size_t k = 0; ret > 0 && k < s->nx * s->ny; k++) {
        const size_t i = k % s->nx, j = k / s->nx;
        char label[NUMBER_ROOM];
        struct text t = { .text = label, .size = SIZE_NOTE, .markup = true };
        unsigned colour;

        if (!colour_of(f, value[k], &colour))
            continue;
        number_label(label, value[k], &d);
        text_on(&t, rgb_of(colour));
        text_try(f->canvas, &t, (s->x[i] + s->x[i + 1]) / 2, (s->y[j] + s->y[j + 1]) / 2, 0.5, 0.5, 0, &f->data, 0);
    }
    return ret;
}

/* The same levels in all panels. The cells under a line have the colour of its level. */
static int draw_contours(const struct heat *h, const double *value, const struct spots *s, struct err *err)
{
    const struct frame *f = &h->frame;
    const bool logarithmic = f->bar.scale.kind == LOGARITHMIC;
    double level[LEVELS_MOST], *z = malloc((s->nx * s->ny + 1) * sizeof *z);
    struct isoline line[LEVELS_MOST];
    struct isolines g = { s->cx, s->cy, z, s->nx, s->ny, line, 0, &f->data, NULL, false };
    int ret;

    if (!z)
        return err_memory(err);
    for (size_t k = 0; k < s->nx * s->ny; k++)
        z[k] = !logarithmic ? value[k] : value[k] > 0 ? log10(value[k]) : (double)NAN;
    g.n = isolines_levels(level, LEVELS_MOST, f, logarithmic && h->least <= 0 ? pow(10, f->bar.scale.lo) : h->least,
                          h->most, logarithmic);
    for (size_t i = 0; i < g.n; i++) {
        line[i].level = logarithmic ? log10(level[i]) : level[i];
        line[i].white = rgb_luminance(colour_bar_at(&f->bar, f->canvas, level[i])) < DARK;
        number_shortest(line[i].label, level[i], f->bar.ticks.exponent);
    }
    ret = isolines_draw(f->canvas, &g, err);
    free(z);
    return ret;
}

static int heat_draw_panel(void *map, size_t panel, struct err *err)
{
    const struct heat *h = map;
    const struct frame *f = &h->frame;
    const struct chart *c = h->lattices.chart;
    const double *value = h->value[panel];
    struct spots s = { 0 };
    int ret = spots_find(&s, f, &h->lattices.panel[panel], err);
    const size_t n = s.nx * s.ny;

    if (ret < 0 || n == 0)
        goto done;
    if (h->words) {
        ret = draw_words(f, value, &s, err);
    } else if (n > IMAGE_CELLS) {
        ret = chart_heat_draw_image(f, value, &s, err);
    } else {
        map_hatch(f, value, &s);
        heat_draw_cells(f, value, &s, &h->lattices.panel[panel]);
    }
    if (ret == 0 && !h->words)
        ret = draw_values(h, value, &s, err);
    if (ret == 0 && !h->words && !c->x.ncategory && !c->y.ncategory && s.nx >= 4 && s.ny >= 4)
        ret = draw_contours(h, value, &s, err);
    map_marks(f, c, panel);
done:
    spots_release(&s);
    return ret < 0 ? -1 : 0;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static int heat_draw_all(struct heat *h, struct canvas *canvas, struct err *err)
{
    struct frame *f = &h->frame;

    frame_begin(f, canvas, &h->lattices.view);
    f->want.colour_bar = !h->words;
    f->want.no_legend = f->want.no_grid = f->want.filled = true;
    heat_take_notes(h);
    return add_entries(h, err) < 0 ? -1 : map_show(f, heat_draw_panel, h, err);
}

static int heat_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct heat h = { .words = chart->z.ncategory > 0 };
    int ret = -1;

    if (check_groups(chart, err) == 0 && lattices_make(&h.lattices, chart, err) == 0 && heat_fill(&h, err) == 0)
        ret = heat_draw_all(&h, canvas, err);
    frame_release(&h.frame);
    mem_free_list(h.value, h.lattices.npanel);
    lattices_release(&h.lattices);
    return ret;
}

const struct chart_kind chart_heat = {
    .name = "heat", .summary = "a map of colours, with contour lines, or with values where cells are large",
    .sought = "surface", .needs = ROLE_X | ROLE_Y | ROLE_Z, .words_z = true, .draw = heat_draw };
