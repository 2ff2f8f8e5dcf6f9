#include "render/chart/from_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph/base/num.h"
#include "graph/base/text.h"
#include "render/page/canvas.h"
#include "render/table/cells.h"
#include "render/table/filter.h"
#include "render/table/from_csv.h"

#define SERIES_MOST 1000
#define PANELS_MOST 100
#define NONE SIZE_MAX           /* no such column */

struct plan {
    struct chart *chart;
    const struct table *table;
    const struct chart_columns *given;
    const struct chart_kind *kind;
    size_t x, z, lo, hi, error, label, valid;       /* columns */
    size_t *y, ny, *group, ngroup, *facet, nfacet;
    bool categories, y_categories, z_categories;
    double *number;             /* of categories that are numbers, ascending; NULL: words */
    size_t nnumber;
    char **title, **heading;    /* of every column, with and without unit */
};

/* ---- columns ----------------------------------------------------------------------------------------- */

static int find(size_t *at, const struct table *t, const char *name, struct err *err)
{
    int i = table_find(t, name);

    if (i < 0)
        return table_unknown(t, name, err);
    *at = (size_t)i;
    return 0;
}

/* Refuses a y that holds text, naming the first cell that is no number: a whole column read from a file is text
 * because of one such cell. */
static int check_numbers(const struct table *t, size_t column, struct err *err)
{
    for (size_t r = 0; r < table_rows(t); r++) {
        const struct cell *cell = table_at(t, r, column);

        if (cell->type == CELL_TEXT && csv_cell(cell->u.text).type == CELL_TEXT)
            return err_set(err, ERR_FORMAT, "%s %zu, column '%.60s', has '%.60s' where a number is wanted",
                           t->line ? "line" : "row", t->line ? t->line[r] : r + 1, t->column[column].name,
                           cell->u.text);
    }
    if (table_has_text(t, column))
        return err_set(err, ERR_FORMAT, "column '%.60s' has no finite number", t->column[column].name);
    return 0;
}

static int find_all(size_t **at, size_t n, const struct table *t, const char *const *name, struct err *err)
{
    *at = malloc((n + 1) * sizeof **at);
    if (!*at)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        if (find(&(*at)[i], t, name[i], err) < 0)
            return -1;
    return 0;
}

/* NONE where no column is named. */
static int find_number(size_t *at, const struct table *t, const char *name, struct err *err)
{
    *at = NONE;
    return name && (find(at, t, name, err) < 0 || check_numbers(t, *at, err) < 0) ? -1 : 0;
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
    if ((p->kind->needs & ROLE_Z) && g->ny > 1)
        return err_set(err, ERR_USAGE, "a chart of kind '%s' has one --y", p->kind->name);
    if ((g->lo || g->hi || g->error) && g->ny > 1)
        return err_set(err, ERR_USAGE, "error bars and bands are for one --y; there are %zu", g->ny);
    if (!g->lo != !g->hi)
        return err_set(err, ERR_USAGE, "a band needs two columns, its lower and its upper end");
    return 0;
}

static int resolve(struct plan *p, struct err *err)
{
    const struct chart_columns *g = p->given;
    const struct table *t = p->table;
    const bool z = p->kind->needs & ROLE_Z;

    p->z = p->label = p->valid = p->x = NONE;
    if (check_needs(p, err) < 0)
        return -1;
    if ((g->x && find(&p->x, t, g->x, err) < 0) || find_all(&p->y, g->ny, t, g->y, err) < 0 ||
        find_all(&p->group, g->ngroup, t, g->group, err) < 0 || find_all(&p->facet, g->nfacet, t, g->facet, err) < 0 ||
        find_number(&p->lo, t, g->lo, err) < 0 || find_number(&p->hi, t, g->hi, err) < 0 ||
        find_number(&p->error, t, g->error, err) < 0 || (g->label && find(&p->label, t, g->label, err) < 0) ||
        (g->valid && find(&p->valid, t, g->valid, err) < 0) || (z && find(&p->z, t, g->z, err) < 0))
        return -1;
    p->ny = g->ny;
    p->ngroup = g->ngroup;
    p->nfacet = g->nfacet;
    for (size_t i = 0; !z && i < p->ny; i++)
        if (check_numbers(t, p->y[i], err) < 0)
            return -1;
    if ((p->kind->numbers_x && check_numbers(t, p->x, err) < 0) || (z && !p->kind->words_z && check_numbers(t, p->z, err) < 0))
        return -1;
    return 0;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static double value_of(const struct cell *cell)
{
    return cell->type == CELL_INT ? (double)cell->u.integer : cell->type == CELL_REAL ? cell->u.real : NAN;
}

static const char *words_of(char digits[32], const struct cell *cell)
{
    if (cell->type == CELL_TEXT)
        return cell->u.text;
    if (cell->type == CELL_INT)
        snprintf(digits, 32, "%" PRId64, cell->u.integer);
    else if (cell->type == CELL_REAL)
        num_shortest(digits, cell->u.real);
    else
        strcpy(digits, "-");
    return digits;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Categories for bars over numbers, in their order rather than the table's. */
static int number_categories(struct plan *p, struct err *err)
{
    size_t n = 0;

    p->number = malloc((table_rows(p->table) + 1) * sizeof *p->number);
    if (!p->number)
        return err_memory(err);
    for (size_t r = 0; r < table_rows(p->table); r++) {
        double v = value_of(table_at(p->table, r, p->x));

        if (isfinite(v))
            p->number[n++] = v;
    }
    qsort(p->number, n, sizeof *p->number, compare);
    for (size_t i = 0; i < n; i++) {
        char digits[32];

        if (p->nnumber && p->number[i] == p->number[p->nnumber - 1])
            continue;
        p->number[p->nnumber++] = p->number[i];
        if (chart_category(&p->chart->x, num_shortest(digits, p->number[i])) < 0)
            return err_memory(err);
    }
    return 0;
}

/* Where a cell stands along an axis of categories; NaN: nowhere. */
static int category_of(double *at, struct axis *a, const struct cell *cell, struct err *err)
{
    char digits[32];
    int category;

    *at = NAN;
    if (cell->type == CELL_NONE)
        return 0;
    category = chart_category(a, words_of(digits, cell));
    *at = category;
    return category < 0 ? err_memory(err) : 0;
}

static int x_of(double *x, const struct plan *p, size_t row, struct err *err)
{
    const struct cell *cell = table_at(p->table, row, p->x);
    double *at;

    *x = value_of(cell);
    if (!p->categories || cell->type == CELL_NONE)
        return 0;
    if (!p->number)
        return category_of(x, &p->chart->x, cell, err);
    at = bsearch(x, p->number, p->nnumber, sizeof *x, compare);
    *x = at ? (double)(at - p->number) : *x;
    return 0;
}

/* ---- series ------------------------------------------------------------------------------------------ */

/* "torus, Ports 2" */
static void print_values(FILE *f, const struct plan *p, size_t row, const size_t *column, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct cell *cell = table_at(p->table, row, column[i]);
        const char *unit = p->table->column[column[i]].unit;
        char digits[32];

        fputs(i ? ", " : "", f);
        if (cell->type == CELL_INT || cell->type == CELL_REAL)
            fprintf(f, "%s %s%s%s", p->heading[column[i]], words_of(digits, cell), unit ? " " : "", unit ? unit : "");
        else
            fputs(words_of(digits, cell), f);
    }
}

/* What is laid over looks like the series of its own name, where there is one. */
static void look_alike(struct chart *c, size_t over, const char *suffix)
{
    const size_t len = strlen(c->series[over].name), end = strlen(suffix) + 3;       /* " (...)" */

    for (size_t i = 0; i < c->nseries && len > end; i++)
        if (!c->series[i].over && strncmp(c->series[i].name, c->series[over].name, len - end) == 0 &&
            !c->series[i].name[len - end])
            c->series[over].look = c->series[i].look;
}

/* The y's heading follows when there are several. */
static void print_name(FILE *f, const struct plan *p, size_t row, size_t y, bool units)
{
    const char *over = p->given->over;

    print_values(f, p, row, p->group, p->ngroup);
    if (p->ny > 1)
        fprintf(f, "%s%s", p->ngroup ? ", " : "", units ? p->title[p->y[y]] : p->heading[p->y[y]]);
    if (over)
        fprintf(f, "%s%s%s", p->ny > 1 || p->ngroup ? " (" : "", over, p->ny > 1 || p->ngroup ? ")" : "");
}

static int panel_for(const struct plan *p, size_t row, struct err *err)
{
    char *name = NULL;
    size_t len;
    FILE *f;
    int at = -1;

    if (p->nfacet == 0)
        return 0;
    f = open_memstream(&name, &len);
    if (!f)
        return err_memory(err);
    print_values(f, p, row, p->facet, p->nfacet);
    if (fclose(f) == 0)
        at = chart_panel(p->chart, name);
    free(name);
    if (at < 0)
        return err_memory(err);
    if (at >= PANELS_MOST)
        return err_set(err, ERR_DOMAIN, "there are more than %d panels to draw; facet by fewer values", PANELS_MOST);
    return at;
}

static int series_for(const struct plan *p, size_t row, size_t y, bool units, struct err *err)
{
    char *name = NULL;
    size_t len;
    int s = -1, panel = panel_for(p, row, err);
    FILE *f;

    if (panel < 0)
        return -1;
    f = open_memstream(&name, &len);
    if (!f)
        return err_memory(err);
    print_name(f, p, row, y, units);
    if (fclose(f) == 0)
        s = chart_series(p->chart, name, (size_t)panel);
    if (s >= 0 && p->given->over && p->chart->series[s].n && !p->chart->series[s].over) {
        char *other = g_strdup_printf("%s (%s)", name, p->given->over);     /* a group happens to be called so */

        s = chart_series(p->chart, other, (size_t)panel);
        g_free(other);
    }
    free(name);
    if (s < 0)
        return err_memory(err);
    if (s >= SERIES_MOST)
        return err_set(err, ERR_DOMAIN, "there are more than %d series to draw; group by fewer columns", SERIES_MOST);
    return s;
}

/* Rows of one series mostly follow each other; making its name anew for each takes most of the time. */
static bool same_series(const struct plan *p, size_t row)
{
    for (size_t i = 0; i < p->ngroup + p->nfacet; i++) {
        size_t column = i < p->ngroup ? p->group[i] : p->facet[i - p->ngroup];

        if (!cell_same(table_at(p->table, row, column), table_at(p->table, row - 1, column)))
            return false;
    }
    return true;
}

static bool same_unit(const struct plan *p)
{
    const char *first = p->ny ? p->table->column[p->y[0]].unit : NULL;

    for (size_t i = 1; i < p->ny; i++) {
        const char *unit = p->table->column[p->y[i]].unit;

        if (strcmp(first ? first : "", unit ? unit : "") != 0)
            return false;
    }
    return true;
}

static double number_at(const struct plan *p, size_t row, size_t column)
{
    return column == NONE ? (double)NAN : value_of(table_at(p->table, row, column));
}

/* 0, no and false, in whatever case. */
static bool is_no(const struct cell *cell)
{
    if (cell->type == CELL_TEXT)
        return strcasecmp(cell->u.text, "no") == 0 || strcasecmp(cell->u.text, "false") == 0;
    return cell->type != CELL_NONE && value_of(cell) == 0;
}

static int datum_of(struct datum *d, const struct plan *p, size_t row, size_t y, struct err *err)
{
    char digits[32];

    *d = (struct datum){ .y = p->ny ? number_at(p, row, p->y[y]) : 1, .z = number_at(p, row, p->z),
                         .lo = number_at(p, row, p->lo), .hi = number_at(p, row, p->hi) };
    if (x_of(&d->x, p, row, err) < 0)
        return -1;
    if (p->y_categories && category_of(&d->y, &p->chart->y, table_at(p->table, row, p->y[y]), err) < 0)
        return -1;
    if (p->z_categories && category_of(&d->z, &p->chart->z, table_at(p->table, row, p->z), err) < 0)
        return -1;
    if (p->error != NONE) {
        d->lo = d->y - number_at(p, row, p->error);
        d->hi = d->y + number_at(p, row, p->error);
    }
    if (p->valid != NONE)
        d->outside = is_no(table_at(p->table, row, p->valid));
    if (p->label != NONE && table_at(p->table, row, p->label)->type != CELL_NONE &&
        !(d->label = chart_word(p->chart, words_of(digits, table_at(p->table, row, p->label)))))
        return err_memory(err);
    return 0;
}

/* Words that both axes have stand in one order on both, so that a diagonal is one. */
static int align_categories(const struct plan *p, struct err *err)
{
    const struct table *t = p->table;

    for (size_t r = 0; r < table_rows(t); r++) {
        const struct cell *y = table_at(t, r, p->y[0]);

        for (size_t k = 0; y->type == CELL_TEXT && k < table_rows(t) && t->ncell < 200000; k++) {
            const struct cell *x = table_at(t, k, p->x);

            if (x->type == CELL_TEXT && strcmp(x->u.text, y->u.text) == 0) {
                if (chart_category(&p->chart->x, x->u.text) < 0)
                    return err_memory(err);
                break;
            }
        }
    }
    return 0;
}

static int add_points(const struct plan *p, struct err *err)
{
    const bool units = !same_unit(p);
    const size_t n = p->ny ? p->ny : 1;
    int *series = calloc(n, sizeof *series);
    bool known = false;
    int ret = 0;

    if (!series)
        return err_memory(err);
    for (size_t r = 0; ret == 0 && r < table_rows(p->table); r++) {
        known = known && same_series(p, r);
        for (size_t i = 0; ret == 0 && i < n; i++) {
            struct datum d;

            ret = datum_of(&d, p, r, i, err);
            if (ret < 0 || isnan(d.x) || (p->z != NONE && p->ngroup && isnan(d.z))) {
                known = known && ret == 0;
                continue;
            }
            if (!known)
                series[i] = series_for(p, r, i, units, err);
            if (series[i] < 0)
                ret = -1;
            else if (chart_datum(p->chart, series[i], d) < 0)
                ret = err_memory(err);
            else if (p->given->over && !p->chart->series[series[i]].over) {
                p->chart->series[series[i]].over = true;
                look_alike(p->chart, (size_t)series[i], p->given->over);
            }
            if (i + 1 == n)
                known = true;
        }
    }
    free(series);
    return ret;
}

static int name_axes(const struct plan *p)
{
    const struct column *column = p->table->column;
    struct chart *c = p->chart;

    if (!c->x.title && p->x != NONE && chart_axis(&c->x, p->heading[p->x], column[p->x].unit) < 0)
        return -1;
    if (!c->z.title && p->z != NONE && chart_axis(&c->z, p->heading[p->z], column[p->z].unit) < 0)
        return -1;
    if (c->y.title || p->ny == 0)
        return 0;
    return chart_axis(&c->y, p->ny == 1 ? p->heading[p->y[0]] : NULL, same_unit(p) ? column[p->y[0]].unit : NULL);
}

/* By x, and for equal x as they came. */
static int by_x(const void *a, const void *b)
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
        qsort(order, s->n, sizeof *order, by_x);
        for (size_t i = 0; i < s->n; i++)
            sorted[i] = *order[i];
        memcpy(s->at, sorted, s->n * sizeof *sorted);
    }
    free(order);
    free(sorted);
    return order && sorted ? 0 : -1;
}

static int fill(struct plan *p, struct err *err)
{
    const struct table *t = p->table;
    const bool z = p->kind->needs & ROLE_Z, words = p->x != NONE && table_has_text(t, p->x);

    for (size_t i = 0; i < t->ncolumn; i++) {
        p->title[i] = column_title(&t->column[i]);
        p->heading[i] = column_heading(&t->column[i]);
        if (!p->title[i] || !p->heading[i])
            return err_memory(err);
    }
    if (p->given->over && words && !p->chart->x.ncategory && check_numbers(t, p->x, err) < 0)
        return -1;
    p->categories = words || p->kind->x_categories || p->chart->x.ncategory;
    p->y_categories = z && table_has_text(t, p->y[0]);
    p->z_categories = z && table_has_text(t, p->z);
    if (p->categories && !words && !p->given->over && number_categories(p, err) < 0)
        return -1;
    if (name_axes(p) < 0)
        return err_memory(err);
    if (words && p->y_categories && !p->given->over && align_categories(p, err) < 0)
        return -1;
    if (add_points(p, err) < 0)
        return -1;
    for (size_t i = 0; !p->categories && !z && i < p->chart->nseries; i++)
        if (sort_series(&p->chart->series[i]) < 0)
            return err_memory(err);
    return 0;
}

/* Position of text[0..len) among the parts met so far; SIZE_MAX when there are more than `most` of them. */
static size_t part_at(const char **part, size_t *length, size_t *n, size_t most, const char *text, size_t len)
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

    for (int set = 0; set < 2; set++)           /* first whether it works out, then for good */
        for (size_t i = 0; i < c->nseries; i++) {
            const char *name = c->series[i].name, *rest = strstr(name, ", ");
            size_t f, v;

            if (!rest)
                return;
            f = part_at(family, family_len, &nfamily, LOOK_COLOURS, name, (size_t)(rest - name));
            v = part_at(variant, variant_len, &nvariant, LOOK_DASHES, rest, strlen(rest));
            if (f == SIZE_MAX || v == SIZE_MAX)
                return;
            if (set)
                c->series[i].look = f + LOOK_COLOURS * v;
        }
}

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
        ret = fill(&p, err);
    if (ret == 0 && columns->ngroup > 1 && !columns->over)
        pair_looks(c);
    for (size_t i = 0; p.title && p.heading && i < t->ncolumn; i++) {
        free(p.title[i]);
        free(p.heading[i]);
    }
    free(p.title);
    free(p.heading);
    free(p.number);
    free(p.y);
    free(p.group);
    free(p.facet);
    return ret;
}
