/* lattice.c -- points as cells of a map (lattice.h).
 * 1. places     the distinct coordinates of a panel's points, and edges half way between them
 * 2. cells      which cell a point is in, and what of a panel's points the frame is shown
 * 3. values     means of the points of a cell
 * 4. contests   which series wins each cell, and by how much */
#include "render/map/lattice.h"
#include "graph/base/bisect.h"
#include "render/figure/axis.h"

#define CELLS_MOST 4000000
#define CELLS_SPARSE 10000      /* with more cells than these, one in 50 at least must have a point */
#define LARGEST 1.7e308

/* ---- places ------------------------------------------------------------------------------------------ */

static bool takes_part(const struct series *s, size_t panel)
{
    return s->panel == panel && !s->over;
}

static bool is_whole(const struct datum *d)
{
    return isfinite(d->x) && isfinite(d->y) && isfinite(d->z);
}

static int count_categories(struct ladder *l, size_t n, struct err *err)
{
    if (GROW(&(size_t){ l->n }, n + 1, "categories", err, GROWN(l->at)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        l->at[i] = (double)i;
    l->n = n;
    return 0;
}

/* Values often come in runs, which need not be sorted. */
static void lattice_collect(struct ladder *l, double v)
{
    if (l->n == 0 || l->at[l->n - 1] != v)
        l->at[l->n++] = v;
}

static int find_places(struct lattice *l, const struct chart *c, size_t panel, struct err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < c->nseries; i++)
        n += takes_part(&c->series[i], panel) ? c->series[i].n : 0;
    if (TAKE("the map", err, ARRAY(l->x.at, n + 1), ARRAY(l->y.at, n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; takes_part(&c->series[i], panel) && p < c->series[i].n; p++)
            if (is_whole(&c->series[i].at[p])) {
                lattice_collect(&l->x, c->series[i].at[p].x);
                lattice_collect(&l->y, c->series[i].at[p].y);
            }
    l->x.n = numbers_distinct(l->x.at, l->x.n, 0);
    l->y.n = numbers_distinct(l->y.at, l->y.n, 0);
    if ((c->x.ncategory && count_categories(&l->x, c->x.ncategory, err) < 0) ||
        (c->y.ncategory && count_categories(&l->y, c->y.ncategory, err) < 0))
        return -1;
    return 0;
}

static double clamp(double v, double lo, double hi)
{
    return fmin(fmax(v, lo), hi);
}

/* A single cell reaches half as far to either side as its value is from zero, like an axis with one value. */
static int find_edges(struct ladder *l, bool category, bool logarithmic, struct err *err)
{
    const double least = logarithmic ? 4.9e-324 : -LARGEST;
    size_t drop = 0;

    while (logarithmic && drop < l->n && l->at[drop] <= 0)
        drop++;
    l->n -= drop;
    memmove(l->at, l->at + drop, l->n * sizeof *l->at);
    if (TAKE("the map", err, ARRAY(l->edge, l->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i <= l->n && l->n; i++) {
        size_t a = i ? i - 1 : 0, b = i < l->n ? i : l->n - 1;
        double u = l->at[a], v = l->at[b], out = fabs(u) > 1e-290 ? fabs(u) / 2 : 0.5;

        if (logarithmic) {
            u = log2(u);
            v = log2(v);
            out = 0.5;
        }
        if (a == b && l->n > 1) {               /* as far out as the edge of the other side is in */
            double w = logarithmic ? log2(l->at[i ? a - 1 : 1]) : l->at[i ? a - 1 : 1];

            out = i ? u / 2 - w / 2 : w / 2 - u / 2;
        }
        if (category)
            l->edge[i] = (double)i - 0.5;
        else if (a != b)
            l->edge[i] = u / 2 + v / 2;
        else
            l->edge[i] = i ? u + out : u - out;
        if (logarithmic)
            l->edge[i] = exp2(l->edge[i]);
        l->edge[i] = clamp(l->edge[i], least, LARGEST);
    }
    return 0;
}

/* All panels have one scale along each axis. */
static int decide_scales(struct lattices *l, struct err *err)
{
    const struct chart *c = l->chart;

    for (int k = 0; k < 2; k++) {
        const struct axis *a = k ? &c->y : &c->x;
        const struct fit how = { .wanted = a->scale, .axis = a };
        size_t n = 0;
        double *all;

        for (size_t i = 0; i < l->npanel; i++)
            n += k ? l->panel[i].y.n : l->panel[i].x.n;
        if (TAKE("the map", err, ARRAY(all, n + 1)) < 0)
            return -1;
        n = 0;
        for (size_t i = 0; i < l->npanel; i++) {
            const struct ladder *from = k ? &l->panel[i].y : &l->panel[i].x;

            memcpy(all + n, from->at, from->n * sizeof *all);
            n += from->n;
        }
        *(k ? &l->ylog : &l->xlog) = !a->ncategory && scale_is_log(all, n, &how);
        free(all);
    }
    return 0;
}

static int check_size(const struct lattices *l, struct err *err)
{
    const size_t points = chart_points(l->chart);
    double cells = 0;

    for (size_t i = 0; i < l->npanel; i++)
        cells += (double)l->panel[i].x.n * (double)l->panel[i].y.n;
    if (cells <= CELLS_SPARSE || (cells <= CELLS_MOST && cells <= 50 * (double)points))
        return 0;
    return err_set(err, ERR_DOMAIN, "%zu points at %zu different x and %zu different y make a map of %.0f cells, "
                   "too many to draw or nearly all of them empty; round x and y to a grid", points,
                   l->panel[0].x.n, l->panel[0].y.n, cells);
}

/* Ends of the outermost cells of all panels. */
static void take_range(struct axis *a, const struct lattices *l, bool up)
{
    double lo = INFINITY, hi = -INFINITY;

    for (size_t i = 0; i < l->npanel; i++) {
        const struct ladder *k = up ? &l->panel[i].y : &l->panel[i].x;

        lo = k->n ? fmin(lo, k->edge[0]) : lo;
        hi = k->n ? fmax(hi, k->edge[k->n]) : hi;
    }
    a->scale = (up ? l->ylog : l->xlog) ? SCALE_LOG : SCALE_LINEAR;
    if (!(lo < hi) || a->ncategory)
        return;
    a->from = isnan(a->from) ? lo : a->from;
    a->to = isnan(a->to) ? hi : a->to;
}

int lattices_make(struct lattices *l, const struct chart *chart, struct err *err)
{
    *l = (struct lattices){ .chart = chart, .view = *chart };
    l->view.series = NULL;
    l->view.nseries = 0;
    l->npanel = chart->npanel ? chart->npanel : 1;
    if (TAKE("the map", err, ZEROS(l->panel, l->npanel), ZEROS(l->view.series, l->npanel)) < 0)
        return -1;
    for (size_t i = 0; i < l->npanel; i++)
        if (find_places(&l->panel[i], chart, i, err) < 0)
            return -1;
    if (check_size(l, err) < 0 || decide_scales(l, err) < 0)
        return -1;
    for (size_t i = 0; i < l->npanel; i++)
        if (find_edges(&l->panel[i].x, chart->x.ncategory, l->xlog, err) < 0 ||
            find_edges(&l->panel[i].y, chart->y.ncategory, l->ylog, err) < 0)
            return -1;
    take_range(&l->view.x, l, false);
    take_range(&l->view.y, l, true);
    return 0;
}

void lattices_release(struct lattices *l)
{
    for (size_t i = 0; l->panel && i < l->npanel; i++)
        FREE(l->panel[i].x.at, l->panel[i].x.edge, l->panel[i].y.at, l->panel[i].y.edge);
    for (size_t i = 0; i < l->view.nseries; i++)
        free(l->view.series[i].at);
    FREE(l->view.series, l->panel);
    *l = (struct lattices){ 0 };
}

/* ---- cells ------------------------------------------------------------------------------------------- */

static bool step_of(const struct ladder *l, double v, size_t *at)
{
    BISECT(*at, 0, l->n, i, l->at[i] < v);
    return *at < l->n && l->at[*at] == v;
}

static bool cell_of(const struct lattice *l, const struct datum *d, size_t *cell)
{
    size_t i, j;

    if (!is_whole(d) || !step_of(&l->x, d->x, &i) || !step_of(&l->y, d->y, &j))
        return false;
    *cell = j * l->x.n + i;
    return true;
}

/* The frame leaves out what is infinite, and counts it: z counts here although the frame may not look at it. */
static bool show_left_out(struct datum *out, const struct lattices *l, const struct datum *d)
{
    const bool below = (l->xlog && d->x <= 0) || (l->ylog && d->y <= 0);

    if (isnan(d->x) || isnan(d->y) || isnan(d->z) || (is_whole(d) && !below))
        return false;
    *out = *d;
    if (isinf(d->z))
        out->x = INFINITY;
    return true;
}

int lattices_show(struct lattices *l, size_t panel, const double *value, struct err *err)
{
    const struct lattice *grid = &l->panel[panel];
    struct series *s = &l->view.series[l->view.nseries];
    const size_t cells = lattice_cells(grid);
    size_t left = 0, cell;

    for (size_t i = 0; i < l->chart->nseries; i++)
        for (size_t p = 0; takes_part(&l->chart->series[i], panel) && p < l->chart->series[i].n; p++)
            left += !cell_of(grid, &l->chart->series[i].at[p], &cell);
    *s = (struct series){ .name = "", .panel = panel, .at = malloc((cells + left + 1) * sizeof *s->at) };
    if (!s->at)
        return err_memory(err);
    l->view.nseries++;
    for (size_t k = 0; k < cells; k++)
        if (!isnan(value[k]))
            s->at[s->n++] = (struct datum){ .x = grid->x.at[k % grid->x.n], .y = grid->y.at[k / grid->x.n],
                                            .z = value[k], .lo = NAN, .hi = NAN };
    for (size_t i = 0; left && i < l->chart->nseries; i++)
        for (size_t p = 0; takes_part(&l->chart->series[i], panel) && p < l->chart->series[i].n; p++) {
            const struct datum *d = &l->chart->series[i].at[p];

            if (!cell_of(grid, d, &cell) && show_left_out(&s->at[s->n], l, d))
                s->n++;
        }
    return 0;
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* Sums of the points of one series, by cell. */
struct tally {
    long double *sum;
    uint32_t *count;
};

static int tally_open(struct tally *t, size_t cells, struct err *err)
{
    return TAKE("the map", err, ZEROS(t->sum, cells + 1), ZEROS(t->count, cells + 1));
}

static void tally_close(struct tally *t)
{
    FREE(t->sum, t->count);
}

static void tally_add(struct tally *t, const struct lattice *grid, const struct series *s)
{
    size_t cell;

    for (size_t p = 0; p < s->n; p++)
        if (cell_of(grid, &s->at[p], &cell)) {
            t->sum[cell] += s->at[p].z;
            t->count[cell]++;
        }
}

/* Moves the mean of a cell to the caller: the cell is empty then. */
static double tally_take(struct tally *t, size_t cell, size_t *several)
{
    double mean = (double)(t->sum[cell] / t->count[cell]);

    *several += t->count[cell] > 1;
    t->sum[cell] = 0;
    t->count[cell] = 0;
    return mean;
}

int lattice_values(double *value, size_t *several, const struct lattices *l, size_t panel, bool first, struct err *err)
{
    const struct lattice *grid = &l->panel[panel];
    const struct chart *c = l->chart;
    struct tally t;
    size_t cell;
    int ret = tally_open(&t, lattice_cells(grid), err);

    for (size_t k = 0; k < lattice_cells(grid); k++)
        value[k] = NAN;
    for (size_t i = 0; ret == 0 && i < c->nseries; i++) {
        if (!takes_part(&c->series[i], panel))
            continue;
        for (size_t p = 0; first && p < c->series[i].n; p++)
            if (cell_of(grid, &c->series[i].at[p], &cell) && isnan(value[cell]))
                value[cell] = c->series[i].at[p].z;
        tally_add(&t, grid, &c->series[i]);
    }
    for (size_t k = 0; ret == 0 && k < lattice_cells(grid); k++)
        if (t.count[k]) {
            double mean = tally_take(&t, k, several);

            value[k] = first ? value[k] : mean;
        }
    tally_close(&t);
    return ret;
}

/* ---- contests ---------------------------------------------------------------------------------------- */

/* The first series of the chart with the same name. */
static size_t first_of_name(const struct chart *c, size_t series)
{
    size_t k = 0;

    while (k < series && (c->series[k].over || strcmp(c->series[k].name, c->series[series].name) != 0))
        k++;
    return k;
}

static void compete(struct contest *c, size_t cell, double value, int name, bool most)
{
    bool leads = c->winner[cell] < 0 || (most ? value > c->best[cell] : value < c->best[cell]) ||
                 (value == c->best[cell] && name < c->winner[cell]);
    double loser = leads ? c->best[cell] : value;

    if (leads) {
        c->best[cell] = value;
        c->winner[cell] = name;
    }
    if (!isnan(loser) && !(most ? loser <= c->second[cell] : loser >= c->second[cell]))
        c->second[cell] = loser;
}

int contest_hold(struct contest *c, const struct lattices *l, size_t panel, struct err *err)
{
    const struct lattice *grid = &l->panel[panel];
    const struct chart *chart = l->chart;
    const size_t n = lattice_cells(grid);
    struct tally t;
    size_t cell;
    int ret = tally_open(&t, n, err);

    *c = (struct contest){ 0 };
    if (ret == 0)
        ret = TAKE("the map", err, ARRAY(c->winner, n + 1), ARRAY(c->best, n + 1), ARRAY(c->second, n + 1));
    for (size_t k = 0; ret == 0 && k < n; k++) {
        c->winner[k] = -1;
        c->best[k] = c->second[k] = NAN;
    }
    for (size_t i = 0; ret == 0 && i < chart->nseries; i++) {
        const struct series *s = &chart->series[i];
        const int name = (int)first_of_name(chart, i);

        if (!takes_part(s, panel))
            continue;
        tally_add(&t, grid, s);
        for (size_t p = 0; p < s->n; p++)
            if (cell_of(grid, &s->at[p], &cell) && t.count[cell])
                compete(c, cell, tally_take(&t, cell, &c->several), name, chart->best_most);
    }
    tally_close(&t);
    return ret;
}

void contest_release(struct contest *c)
{
    FREE(c->winner, c->best, c->second);
    *c = (struct contest){ 0 };
}

/* a / b, where that says anything. */
static double lattice_ratio(double a, double b)
{
    double r = a / b;

    return a > 0 && b > 0 && isfinite(r) && r > 0 ? r : (double)NAN;
}

double contest_gain(const struct contest *c, size_t cell, bool most)
{
    return (most ? lattice_ratio(c->best[cell], c->second[cell]) : lattice_ratio(c->second[cell], c->best[cell])) - 1;
}

/* Values of cells at a place between their middles, (0, 0) that of the first; of the nearest where a neighbour has
 * none. */
static double between(const double *v, const struct lattice *grid, double x, double y)
{
    const double u = fmin(fmax(x, 0), (double)grid->x.n - 1), w = fmin(fmax(y, 0), (double)grid->y.n - 1);
    const size_t i = (size_t)u, j = (size_t)w, right = i + 1 < grid->x.n, up = j + 1 < grid->y.n ? grid->x.n : 0;
    const double du = u - (double)i, dw = w - (double)j, *at = v + j * grid->x.n + i;
    const double near = at[(dw >= 0.5 ? up : 0) + (du >= 0.5 ? right : 0)];
    const double corner[] = { at[0], at[right], at[up], at[up + right] },
        weight[] = { (1 - du) * (1 - dw), du * (1 - dw), (1 - du) * dw, du * dw };
    double sum = 0;

    for (int k = 0; k < 4; k++)
        sum += weight[k] * (isnan(corner[k]) ? near : corner[k]);
    return isnan(near) ? near : sum;
}

static bool all_positive(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; !c->series[i].over && p < c->series[i].n; p++)
            if (c->series[i].at[p].z <= 0)
                return false;
    return true;
}

int contest_refine(struct contest *c, const struct lattices *l, size_t panel, const size_t times[2], struct err *err)
{
    const struct lattice *grid = &l->panel[panel];
    const struct chart *chart = l->chart;
    const size_t n = lattice_cells(grid), nx = grid->x.n * times[0], all = n * times[0] * times[1];
    const bool logs = all_positive(chart);
    double *mean = NULL;
    struct tally t;
    size_t cell;
    int ret = tally_open(&t, n, err);

    *c = (struct contest){ 0 };
    if (ret == 0)
        ret = TAKE("the map", err, ARRAY(mean, n + 1), ARRAY(c->winner, all + 1), ARRAY(c->best, all + 1),
                   ARRAY(c->second, all + 1));
    for (size_t k = 0; ret == 0 && k < all; k++) {
        c->winner[k] = -1;
        c->best[k] = c->second[k] = NAN;
    }
    for (size_t i = 0; ret == 0 && i < chart->nseries; i++) {
        const struct series *s = &chart->series[i];

        if (!takes_part(s, panel))
            continue;
        for (size_t k = 0; k < n; k++)
            mean[k] = NAN;
        tally_add(&t, grid, s);
        for (size_t p = 0; p < s->n; p++)
            if (cell_of(grid, &s->at[p], &cell) && t.count[cell]) {
                mean[cell] = tally_take(&t, cell, &c->several);
                mean[cell] = logs ? log(mean[cell]) : mean[cell];
            }
        for (size_t k = 0; k < all; k++) {
            const double v = between(mean, grid, ((double)(k % nx) + 0.5) / (double)times[0] - 0.5,
                                     ((double)(k / nx) + 0.5) / (double)times[1] - 0.5);

            if (!isnan(v))
                compete(c, k, logs ? exp(v) : v, (int)first_of_name(chart, i), chart->best_most);
        }
    }
    free(mean);
    tally_close(&t);
    return ret;
}
