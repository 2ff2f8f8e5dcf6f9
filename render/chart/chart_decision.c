#include "render/chart/chart.h"
#include "render/map/map.h"
#include "render/page/palette.h"

#define LEVELS_MOST 6
#define LEVELS_RANGE 50.0       /* from the greatest gain down: nearer to the boundary there are no lines */
#define WORK_MOST 4e7           /* cells looked at for contour lines */
#define CELLS_MOST 150          /* a map of as many is drawn smooth: between them every competitor is interpolated */
#define PARTS 120.0             /* into which cells are cut then, along an axis */

struct decision {
    struct lattices lattices;
    struct frame frame;
    struct contest *contest;    /* by panel */
    struct contest *fine;       /* the same between the cells, where it is smooth; */
    size_t (*times)[2];         /* each cell cut into so many parts */
    bool *wins;                 /* by series: somewhere */
    size_t several, blank, ties;        /* cells: with means; without competitors; with two that are best */
    double least, most;         /* gain in %, over all cells with one */
    bool smooth;                /* numbers along both axes, and many of them */
    bool lines;                 /* there are contour lines of the gain */
    bool cells;                 /* each cell says its gain, where it has room */
    char note[320];
};

/* Takes what one contest says: the winner, and by how much. */
static void take_gains(struct decision *d, const struct contest *k, size_t cells)
{
    for (size_t cell = 0; cell < cells; cell++) {
        const double gain = 100 * contest_gain(k, cell, d->lattices.chart->best_most);

        d->blank += k->winner[cell] < 0;
        if (k->winner[cell] >= 0)
            d->wins[k->winner[cell]] = true;
        d->ties += gain == 0;
        d->least = fmin(d->least, gain);                /* passes over NaN */
        d->most = isfinite(gain) ? fmax(d->most, gain) : d->most;
    }
}

static size_t parts_of(size_t cells)
{
    return (double)cells >= PARTS ? 1 : 2 * (size_t)ceil(PARTS / 2 / (double)cells);
}

/* The winners between the cells of a panel. */
static int refine(struct decision *d, size_t panel, struct err *err)
{
    const struct lattice *grid = &d->lattices.panel[panel];
    const size_t cells = lattice_cells(grid);

    d->times[panel][0] = parts_of(grid->x.n);
    d->times[panel][1] = parts_of(grid->y.n);
    if (!cells || contest_refine(&d->fine[panel], &d->lattices, panel, d->times[panel], err) < 0)
        return cells ? -1 : 0;
    for (size_t k = 0; k < cells * d->times[panel][0] * d->times[panel][1]; k++)
        if (d->fine[panel].winner[k] >= 0)
            d->wins[d->fine[panel].winner[k]] = true;
    return 0;
}

static int decision_fill(struct decision *d, struct err *err)
{
    struct lattices *l = &d->lattices;
    const bool words = l->chart->x.ncategory || l->chart->y.ncategory;

    if (TAKE("the chart", err, ZEROS(d->contest, l->npanel), ZEROS(d->fine, l->npanel), ZEROS(d->times, l->npanel),
             ZEROS(d->wins, l->chart->nseries + 1)) < 0)
        return -1;
    d->least = INFINITY;
    d->most = -INFINITY;
    for (size_t i = 0; i < l->npanel; i++) {
        struct contest *k = &d->contest[i];
        const struct lattice *grid = &l->panel[i];

        if (contest_hold(k, l, i, err) < 0 || lattices_show(l, i, k->best, err) < 0)
            return -1;
        d->several += k->several;
        take_gains(d, k, lattice_cells(grid));
        d->smooth = d->smooth || (!words && grid->x.n >= 3 && grid->y.n >= 3 && lattice_cells(grid) >= CELLS_MOST);
    }
    for (size_t i = 0; d->smooth && i < l->npanel; i++)
        if (refine(d, i, err) < 0)
            return -1;
    d->lines = d->smooth && d->most > 0;
    d->cells = !d->smooth && d->most > 0;
    return 0;
}

static void decision_take_notes(struct decision *d)
{
    const char *gain = d->lattices.chart->best_most ?
        "(best \xe2\x88\x92 second) / second." : "(second \xe2\x88\x92 best) / best.";
    const bool words = d->lattices.chart->x.ncategory || d->lattices.chart->y.ncategory;
    size_t n = 0;
    char *to = d->note;

    if (d->lines || d->cells)
        n += (size_t)snprintf(to + n, sizeof d->note - n, "%s: gain over the second best%s, %s",
                              d->lines ? "Lines" : "Numbers", d->lines || words ? "" : " in %", gain);
    if (d->ties)
        n += (size_t)snprintf(to + n, sizeof d->note - n,
                              "%sIn %zu cell%s two are equally good: shown is the first of the "
                              "legend.", n ? " " : "", d->ties, d->ties == 1 ? "" : "s");
    if (d->blank)
        n += (size_t)snprintf(to + n, sizeof d->note - n, "%sBlank: no value.", n ? " " : "");
    if (d->several)
        n += (size_t)snprintf(to + n, sizeof d->note - n, "%s%zu value%s the mean of several.", n ? " " : "",
                              d->several, d->several == 1 ? " is" : "s are");
    if (n)
        d->frame.aside = d->note;
}

/* Entries of the legend: those that win somewhere. */
static int add_entries(struct decision *d, struct err *err)
{
    const struct chart *c = d->lattices.chart;

    for (size_t i = 0; i < c->nseries; i++) {
        const struct series *s = &c->series[i];
        struct legend_entry e = { .text = s->name, .sample = s->over ? SAMPLE_RING : SAMPLE_TILE, .look = s->look };

        if ((s->over || d->wins[i]) && legend_add_once(&d->frame.legend, e, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- gain -------------------------------------------------------------------------------------------- */

/* Contour lines of the gain of one competitor, where it wins. */
static int draw_gain(const struct decision *d, size_t panel, const struct spots *s, int winner,
                     const struct contour *avoid, struct err *err)
{
    const struct frame *f = &d->frame;
    const struct contest *k = &d->fine[panel];
    const bool white = series_tile_dark(f->canvas, d->lattices.chart->series[winner].look);
    double level[LEVELS_MOST], *z = malloc((s->nx * s->ny + 1) * sizeof *z);
    struct isoline line[LEVELS_MOST];
    struct isolines g = { s->cx, s->cy, z, s->nx, s->ny, line, 0, &f->data, avoid, true };
    int ret;

    if (!z)
        return err_memory(err);
    for (size_t cell = 0; cell < s->nx * s->ny; cell++)        /* no kink where regions meet */
        z[cell] = (k->winner[cell] == winner ? 1 : -1) * log1p(contest_gain(k, cell, d->lattices.chart->best_most));
    g.n = isolines_levels(level, LEVELS_MOST, f, fmax(d->least, d->most / LEVELS_RANGE), d->most, true);
    for (size_t i = 0; i < g.n; i++) {
        char number[NUMBER_ROOM];

        number_shortest(number, level[i], 0);
        snprintf(line[i].label, NUMBER_ROOM, "%.108s %%", number);
        line[i].level = log1p(level[i] / 100);
        line[i].white = white;
    }
    ret = isolines_draw(f->canvas, &g, err);
    free(z);
    return ret;
}

static int draw_gains(const struct decision *d, size_t panel, const struct spots *s, const struct contour *avoid,
                      struct err *err)
{
    const size_t nseries = d->lattices.chart->nseries, cells = s->nx * s->ny;
    const int *winner = d->fine[panel].winner;
    bool *wins = calloc(nseries + 1, sizeof *wins);
    double work = 0;
    int ret = wins ? 0 : err_memory(err);

    for (size_t k = 0; ret == 0 && k < cells; k++)
        if (winner[k] >= 0)
            wins[winner[k]] = true;
    for (size_t i = 0; ret == 0 && i < nseries; i++)
        if (wins[i] && (work += (double)cells * LEVELS_MOST) <= WORK_MOST)
            ret = draw_gain(d, panel, s, (int)i, avoid, err);
    free(wins);
    return ret;
}

/* "12 %" in every cell that has room for it, centred on its visible part: the value itself may be near an edge. */
static void write_gains(const struct decision *d, size_t panel, const struct spots *s)
{
    const struct frame *f = &d->frame;
    const struct contest *k = &d->contest[panel];

    for (size_t cell = 0; cell < s->nx * s->ny; cell++) {
        const size_t i = cell % s->nx, j = cell / s->nx;
        const double gain = 100 * contest_gain(k, cell, d->lattices.chart->best_most);
        char label[40];
        struct text t = { .text = label, .size = SIZE_NOTE };
        struct rect r;
        double w, h;

        if (!isfinite(gain) || !spots_cell(&r, s, &f->data, i, i, j, false, false))
            continue;
        snprintf(label, sizeof label, gain >= 9.95 || gain == 0 ? "%.0f %%" : "%.1f %%", gain);
        text_measure(f->canvas, &t, &w, &h);
        if (w + 3 > r.w) {                      /* without its unit, which the foot says */
            *strchr(label, ' ') = '\0';
            text_measure(f->canvas, &t, &w, &h);
        }
        t.white = series_tile_dark(f->canvas, d->lattices.chart->series[k->winner[cell]].look);
        t.halo = f->canvas->palette->grey && !t.white;      /* over hatching */
        if (w + 1 <= r.w && h + 1 <= r.h)
            text_put(f->canvas, &t, r.x + r.w / 2, r.y + r.h / 2, 0.5, 0.5, 0);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static int decision_draw_panel(void *map, size_t panel, struct err *err)
{
    const struct decision *d = map;
    const struct frame *f = &d->frame;
    const struct chart *c = d->lattices.chart;
    const struct pen pen = pen_grey(1.1, INK);
    const struct contest *contest = d->smooth ? &d->fine[panel] : &d->contest[panel];
    struct contour boundary = { 0 };
    struct spots s = { 0 };
    int ret = spots_find(&s, f, &d->lattices.panel[panel], err), *look = NULL;
    size_t cells = s.nx * s.ny;

    if (ret == 0 && cells && d->smooth)
        ret = spots_refine(&s, d->times[panel], err);
    cells = s.nx * s.ny;
    if (ret < 0 || cells == 0)
        goto done;
    look = malloc(cells * sizeof *look);
    ret = look ? 0 : err_memory(err);
    for (size_t k = 0; look && k < cells; k++) {
        int w = contest->winner[k];

        look[k] = w < 0 ? -1 : (int)c->series[w].look;
    }
    if (ret == 0)
        ret = map_regions(f, look, &s, &pen, &boundary, err);
    if (ret == 0 && d->lines)
        ret = draw_gains(d, panel, &s, &boundary, err);
    if (ret == 0 && d->cells)
        write_gains(d, panel, &s);
    map_marks(f, c, panel);
done:
    free(look);
    contour_release(&boundary);
    spots_release(&s);
    return ret;
}

static int decision_draw_all(struct decision *d, struct canvas *canvas, struct err *err)
{
    struct frame *f = &d->frame;

    frame_begin(f, canvas, &d->lattices.view);
    f->want.no_legend = f->want.no_grid = f->want.filled = true;
    decision_take_notes(d);
    return add_entries(d, err) < 0 ? -1 : map_show(f, decision_draw_panel, d, err);
}

static int decision_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct decision d = { 0 };
    int ret = -1;

    if (lattices_make(&d.lattices, chart, err) == 0 && decision_fill(&d, err) == 0)
        ret = decision_draw_all(&d, canvas, err);
    frame_release(&d.frame);
    for (size_t i = 0; d.wins && i < d.lattices.npanel; i++) {
        contest_release(&d.contest[i]);
        contest_release(&d.fine[i]);
    }
    FREE(d.contest, d.fine, d.times, d.wins);
    lattices_release(&d.lattices);
    return ret;
}

const struct chart_kind chart_decision = {
    .name = "decision", .summary = "a map of which alternative is best where, with contour lines of its lead in "
        "percent",
    .needs = ROLE_X | ROLE_Y | ROLE_Z | ROLE_GROUP, .draw = decision_draw };
