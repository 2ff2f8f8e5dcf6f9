/* from_table.c -- from the columns of a table to a chart (from_table.h).
 * 1. columns          found by name, and checked against what the kind of chart needs
 * 2. axes and order   titles of axes, points sorted along x, means where a place has several
 * 3. looks            series with parts of their names in common share a colour
 * 4. the whole        panels and points (table_points.c), then the above in that order */
#include "render/chart/from_table.h"

#include <glib.h>

#include "render/chart/table_points.h"
#include "render/figure/axis_time.h"
#include "render/page/canvas.h"
#include "render/table/cells.h"
#include "render/table/dates.h"
#include "render/table/from_csv.h"

/* ---- columns ----------------------------------------------------------------------------------------- */

static int from_table_find(size_t *at, const struct table *t, const char *name, struct err *err)
{
    int i = table_find(t, name);

    if (i < 0)
        return table_unknown(t, name, err);
    *at = (size_t)i;
    return 0;
}

int chart_check_numbers(const struct table *t, size_t column, struct err *err)
{
    for (size_t r = 0; r < table_rows(t); r++) {
        const struct cell *cell = table_at(t, r, column);

        if (cell->type == CELL_TEXT && csv_cell(cell->u.text).type == CELL_TEXT)
            return err_set(err, ERR_FORMAT, "%s %zu, column '%.60s', has '%.60s', which is no number",
                           t->line ? "line" : "row", t->line ? t->line[r] : r + 1, t->column[column].name,
                           cell->u.text);
    }
    if (table_has_text(t, column))
        return err_set(err, ERR_FORMAT, "column '%.60s' has no finite number", t->column[column].name);
    return 0;
}

/* NONE where no column is named. */
static int find_number(size_t *at, const struct table *t, const char *name, struct err *err)
{
    *at = NONE;
    return name && (from_table_find(at, t, name, err) < 0 || chart_check_numbers(t, *at, err) < 0) ? -1 : 0;
}

/* `numbers`: all must be, and names may be lacking; of no columns, the first is NONE. */
static int find_all(size_t **at, size_t n, const struct table *t, const char *const *name, bool numbers,
                    struct err *err)
{
    if (TAKE("the chart", err, ARRAY(*at, n + 1)) < 0)
        return -1;
    **at = NONE;
    for (size_t i = 0; i < n; i++)
        if ((numbers ? find_number(&(*at)[i], t, name ? name[i] : NULL, err) :
             from_table_find(&(*at)[i], t, name[i], err)) < 0)
            return -1;
    return 0;
}

static bool has_z(const struct plan *p)
{
    return (p->kind->needs & ROLE_Z) || (p->kind->pairs && p->given->z);
}

static int check_needs(const struct plan *p, struct err *err)
{
    const struct chart_columns *g = p->given;
    const struct {
        unsigned role;
        bool there;
        const char *option, *what;
    } role[] = { { ROLE_X, g->x != NULL, "--x", "the column along the horizontal axis" },
                 { ROLE_Y, g->ny > 0, "--y", "the column up the vertical axis" },
                 { ROLE_Z, g->z != NULL, "--z", "the column that colour or height shows" },
                 { ROLE_GROUP, g->ngroup > 0, "--group", "the column that names the competitors" } };

    for (size_t i = 0; i < sizeof role / sizeof *role; i++)
        if ((p->kind->needs & role[i].role) && !role[i].there)
            return err_set(err, ERR_USAGE, "a chart of kind '%s' needs %s, %s", p->kind->name, role[i].option,
                           role[i].what);
    if (p->kind->intervals && g->ny > 2)
        return err_set(err, ERR_USAGE, "a chart of kind '%s' has --y FROM,TO, the lanes where a row starts and ends; "
                       "there are %zu columns", p->kind->name, g->ny);
    if (((p->kind->needs & ROLE_Z) || p->kind->pairs) && g->ny > 1)
        return err_set(err, ERR_USAGE, "a chart of kind '%s' has one --y", p->kind->name);
    return 0;
}

static int resolve(struct plan *p, struct err *err)
{
    const struct chart_columns *g = p->given;
    const struct table *t = p->table;
    const bool z = has_z(p);

    p->z = p->label = p->valid = p->x = NONE;
    if (check_needs(p, err) < 0)
        return -1;
    if ((g->x && from_table_find(&p->x, t, g->x, err) < 0) || find_all(&p->y, g->ny, t, g->y, false, err) < 0 ||
        find_all(&p->group, g->ngroup, t, g->group, false, err) < 0 ||
        find_all(&p->facet, g->nfacet, t, g->facet, false, err) < 0 ||
        find_all(&p->lo, g->ny, t, g->lo, true, err) < 0 || find_all(&p->hi, g->ny, t, g->hi, true, err) < 0 ||
        find_number(&p->x_end, t, g->x_end, err) < 0 ||
        (p->kind->intervals && find_number(&p->z, t, g->z, err) < 0) ||
        (g->label && from_table_find(&p->label, t, g->label, err) < 0) ||
        (g->valid && from_table_find(&p->valid, t, g->valid, err) < 0) ||
        (z && from_table_find(&p->z, t, g->z, err) < 0))
        return -1;
    p->ny = g->ny;
    p->ngroup = g->ngroup;
    p->nfacet = g->nfacet;
    for (size_t i = 0; !z && !p->kind->intervals && !p->kind->pairs && i < p->ny; i++)
        if (chart_check_numbers(t, p->y[i], err) < 0)
            return -1;
    if ((p->kind->numbers_x && chart_check_numbers(t, p->x, err) < 0) ||
        (z && !p->kind->words_z && chart_check_numbers(t, p->z, err) < 0))
        return -1;
    return 0;
}

/* ---- axes and order ------------------------------------------------------------------------------------ */

/* "From process" and "To process" are on an axis of "process"; NULL: they end differently. */
static const char *common_end(const char *a, const char *b)
{
    const char *end = a + strlen(a), *to = b + strlen(b), *word = NULL;

    while (end > a && to > b && end[-1] == to[-1]) {
        to--;
        if (*--end == ' ')
            word = end + 1;
    }
    return end == a && to == b ? a : word;
}

/* Loads keep a linear scale: a logarithm hides the distance to saturation. */
static void keep_linear(struct axis *a, const char *column)
{
    const size_t n = strlen(column);

    if (a->scale == SCALE_AUTO && (strcmp(column, "load") == 0 || (n > 5 && strcmp(column + n - 5, "_load") == 0)))
        a->scale = SCALE_LINEAR;
}

static int name_axes(const struct plan *p)
{
    const struct column *column = p->table->column;
    struct chart *c = p->chart;

    if (p->x != NONE)
        keep_linear(&c->x, column[p->x].name);
    if (p->ny == 1)
        keep_linear(&c->y, column[p->y[0]].name);
    if (p->kind->intervals && p->ny == 2 && !c->y.title) {
        const char *lane = common_end(p->heading[p->y[0]], p->heading[p->y[1]]);

        if (lane && chart_axis(&c->y, lane, NULL) < 0)
            return -1;
        if (lane)
            *c->y.title = g_ascii_toupper(*c->y.title);
    }
    if (!c->x.title && p->x_end != NONE && chart_axis(&c->x, "Time", column[p->x_end].unit) < 0)
        return -1;
    if (!c->x.title && p->x != NONE && chart_axis(&c->x, p->heading[p->x], column[p->x].unit) < 0)
        return -1;
    if (!c->z.title && p->z != NONE && chart_axis(&c->z, p->heading[p->z], column[p->z].unit) < 0)
        return -1;
    if (c->y.title || p->ny == 0)
        return 0;
    return chart_axis(&c->y, p->ny == 1 ? p->heading[p->y[0]] : NULL,
                      points_same_unit(p) ? column[p->y[0]].unit : NULL);
}

/* By x; points of equal x keep their order. */
static int from_table_by_x(const void *a, const void *b)
{
    const struct datum *const *p = a, *const *q = b;

    return (*p)->x != (*q)->x ? ((*p)->x > (*q)->x) - ((*p)->x < (*q)->x) : (*p > *q) - (*p < *q);
}

static bool is_sorted(const struct series *s)
{
    for (size_t i = 1; i < s->n; i++)
        if (s->at[i].x < s->at[i - 1].x)
            return false;
    return true;
}

static int sort_series(struct series *s)
{
    const struct datum **order;
    struct datum *sorted;

    if (is_sorted(s))
        return 0;
    order = malloc(s->n * sizeof *order);
    sorted = malloc(s->n * sizeof *sorted);
    if (order && sorted) {
        for (size_t i = 0; i < s->n; i++)
            order[i] = &s->at[i];
        qsort(order, s->n, sizeof *order, from_table_by_x);
        for (size_t i = 0; i < s->n; i++)
            sorted[i] = *order[i];
        memcpy(s->at, sorted, s->n * sizeof *sorted);
    }
    FREE(order, sorted);
    return order && sorted ? 0 : -1;
}

/* n points of one x as one: the mean of the finite y, a standard deviation (of a sample: n - 1) on either side, but not
 * below `floor`. Two passes, because large values may vary little. Returns how many y are finite. */
static size_t mean_of(struct datum *out, const struct datum *at, size_t n, double floor)
{
    double mean = 0, squares = 0;
    size_t known = 0;

    *out = at[0];
    for (size_t i = 0; i < n; i++) {
        out->outside = out->outside || at[i].outside;
        known += isfinite(at[i].y) != 0;
    }
    for (size_t i = 0; i < n; i++)
        mean += isfinite(at[i].y) ? at[i].y / (double)known : 0;
    for (size_t i = 0; i < n; i++)
        squares += isfinite(at[i].y) ? (at[i].y - mean) * (at[i].y - mean) : 0;
    out->y = known ? mean : NAN;
    if (known > 1) {
        out->lo = fmax(mean - sqrt(squares / (double)(known - 1)), floor);
        out->hi = mean + sqrt(squares / (double)(known - 1));
    }
    return known;
}

/* Several y at one x of a series become their mean, noted as "Mean of 3 to 10, band: 1 standard deviation." Deviations
 * end at zero where no y is negative. */
static int take_means(const struct plan *p)
{
    const bool bars = !p->kind->bands, any = p->given->means && p->kind->means;
    size_t least = SIZE_MAX, most = 0, end;
    double floor = 0;
    bool cut = false;
    char to[32] = "";

    for (size_t s = 0; any && s < p->chart->nseries; s++)
        for (size_t i = 0; i < p->chart->series[s].n; i++)
            floor = p->chart->series[s].at[i].y < 0 ? -INFINITY : floor;
    for (size_t s = 0; any && s < p->chart->nseries; s++) {
        struct datum *at = p->chart->series[s].at, mean;
        const size_t n = p->chart->series[s].n;
        size_t kept = 0;

        if (sort_series(&p->chart->series[s]) < 0)
            return -1;
        for (size_t i = 0; i < n; i = end) {
            size_t known;

            for (end = i + 1; end < n && at[end].x == at[i].x;)
                end++;
            known = mean_of(&mean, &at[i], end - i, floor);
            at[kept++] = end == i + 1 ? at[i] : mean;
            least = known && known < least ? known : least;
            most = known > most ? known : most;
            cut = cut || (known > 1 && mean.y > 0 && mean.lo == 0);
        }
        p->chart->series[s].n = kept;
    }
    if (most < 2)
        return 0;
    if (least < most)
        snprintf(to, sizeof to, " to %zu", most);
    p->chart->spread = bars ? SPREAD_BARS : SPREAD_BAND;
    free(p->chart->note);
    return asprintf(&p->chart->note, "Mean of %zu%s%s%s.", least, to, p->chart->stacked ? "" : bars ?
                    ", bars: 1 standard deviation" : ", band: 1 standard deviation",
                    cut && !p->chart->stacked ? ", not below zero" : "") < 0 ? -1 : 0;
}

/* The title of the axis has the part that all dates along x share. */
static int say_day(const struct plan *p)
{
    struct axis *x = &p->chart->x;
    double lo = INFINITY, hi = -INFINITY;
    char unit[40];

    if (!x->time || x->unit)
        return 0;
    for (size_t i = 0; i < p->chart->nseries; i++)
        for (size_t k = 0; k < p->chart->series[i].n; k++) {
            lo = fmin(lo, p->chart->series[i].at[k].x);
            hi = fmax(hi, p->chart->series[i].at[k].x);
        }
    axis_time_unit(unit, lo, hi);
    x->unit = *unit ? text_copy(unit, strlen(unit)) : NULL;
    return *unit && !x->unit ? -1 : 0;
}

/* A panel, with an axis of its own, for each quantity; named by its column, or the first two. */
static int add_panels(const struct plan *p)
{
    struct chart *c = p->chart;
    const size_t *panel = p->given->panel;

    for (size_t i = 0; i < p->ny; i++) {
        const struct column *first = &p->table->column[p->y[i]];
        size_t others = 0, second = i;
        char title[120];

        if (panel[i] < c->npanel)
            continue;
        if (GROW_BY(c->npanel, 1, "panels", &(struct err){ 0 }, GROWN(c->panel_y)) < 0)
            return -1;
        c->panel_y[c->npanel] = (struct axis){ .scale = c->y.scale, .from = c->y.from, .to = c->y.to };
        for (size_t k = p->ny; k-- > i + 1;)
            if (panel[k] == panel[i]) {
                others++;
                second = k;
            }
        if (chart_axis(&c->panel_y[c->npanel], others ? NULL : p->heading[p->y[i]], first->unit) < 0)
            return -1;
        snprintf(title, sizeof title, "%.50s, %.50s%s", p->heading[p->y[i]], p->heading[p->y[second]],
                 others > 1 ? ", ..." : "");
        if (chart_panel(c, others ? title : p->heading[p->y[i]]) == (int)panel[i])
            continue;
        if (chart_panel(c, first->name) != (int)panel[i])       /* another is called so */
            return -1;
    }
    return 0;
}

static int from_table_fill(struct plan *p, struct err *err)
{
    const struct table *t = p->table;
    const bool z = has_z(p), words = p->x != NONE && table_has_text(t, p->x);

    for (size_t i = 0; i < t->ncolumn; i++) {
        p->title[i] = column_title(&t->column[i]);
        p->heading[i] = column_heading(&t->column[i]);
        if (!p->title[i] || !p->heading[i])
            return err_memory(err);
    }
    if (p->given->over && words && !p->chart->x.ncategory && chart_check_numbers(t, p->x, err) < 0)
        return -1;
    p->categories = words || p->kind->x_categories || p->chart->x.ncategory;
    for (size_t i = 0; (z || p->kind->intervals || p->kind->pairs) && i < p->ny; i++)
        p->y_categories = p->y_categories || table_has_text(t, p->y[i]);
    p->z_categories = z && table_has_text(t, p->z);
    if (p->categories && !words && !p->given->over && !p->given->as_rows && points_number_categories(p, err) < 0)
        return -1;
    if (name_axes(p) < 0)
        return err_memory(err);
    if (words && p->y_categories && !p->given->over && points_align_categories(p, err) < 0)
        return -1;
    p->chart->x.time = p->chart->x.time || (p->x != NONE && !p->categories && t->column[p->x].decimals == COLUMN_DATES);
    if (p->given->panel && add_panels(p) < 0)
        return err_memory(err);
    if (points_add(p, err) < 0)
        return -1;
    for (size_t i = 0; !p->categories && !z && !p->kind->intervals && !p->kind->unsorted && i < p->chart->nseries; i++)
        if (sort_series(&p->chart->series[i]) < 0)
            return err_memory(err);
    return take_means(p) < 0 || say_day(p) < 0 ? err_memory(err) : 0;
}

/* ---- looks ------------------------------------------------------------------------------------------- */

/* Position of text[0..len) among the parts met so far; SIZE_MAX when there are more than `most` of them. */
static size_t from_table_part_at(const char **part, size_t *length, size_t *n, size_t most, const char *text,
                                 size_t len)
{
    for (size_t i = 0; i < *n; i++)
        if (length[i] == len && strncmp(part[i], text, len) == 0)
            return i;
    if (*n == most)
        return SIZE_MAX;
    part[*n] = text;
    length[*n] = len;
    return (*n)++;
}

/* Grouped by several columns: a colour for each value of the first, dashes for the rest, where there are enough of
 * both ("binary, 1 port" and "binary, all ports" are seen to belong together). */
static void pair_looks(struct chart *c)
{
    const char *family[LOOK_COLOURS], *variant[LOOK_DASHES];
    size_t family_len[LOOK_COLOURS], variant_len[LOOK_DASHES], nfamily = 0, nvariant = 0;

    for (int set = 0; set < 2; set++) {         /* first whether it works out, then for good */
        if (set && nfamily * nvariant > c->nseries)     /* few of each kind: colours of their own say more */
            return;
        for (size_t i = 0; i < c->nseries; i++) {
            const char *name = c->series[i].name, *rest = strstr(name, ", ");
            size_t f, v;

            if (!rest)
                return;
            f = from_table_part_at(family, family_len, &nfamily, LOOK_COLOURS, name, (size_t)(rest - name));
            v = from_table_part_at(variant, variant_len, &nvariant, LOOK_DASHES, rest, strlen(rest));
            if (f == SIZE_MAX || v == SIZE_MAX)
                return;
            if (set)
                c->series[i].look = f + LOOK_COLOURS * v;
        }
    }
}

/* ---- the whole --------------------------------------------------------------------------------------- */

int chart_from_table(struct chart *c, const struct table *t, const struct chart_columns *columns, struct err *err)
{
    struct plan p = { .chart = c, .table = t, .given = columns, .kind = chart_find(c->kind, NULL) };
    int ret = -1;

    p.title = calloc(t->ncolumn + 1, sizeof *p.title);
    p.heading = calloc(t->ncolumn + 1, sizeof *p.heading);
    if (t->why.code != ERR_NONE)
        *err = t->why;
    else if (!p.title || !p.heading)
        err_memory(err);
    else if (!p.kind)
        err_set(err, ERR_USAGE, "there is no kind of chart '%.60s'", c->kind);
    else if (resolve(&p, err) == 0)
        ret = from_table_fill(&p, err);
    if (ret == 0 && columns->ngroup > 1 && !columns->over)
        pair_looks(c);
    mem_free_list(p.title, t->ncolumn);
    mem_free_list(p.heading, t->ncolumn);
    FREE(p.number, p.y, p.lo, p.hi, p.group, p.facet);
    return ret;
}
