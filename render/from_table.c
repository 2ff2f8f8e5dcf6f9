#include "render/from_table.h"

#include "render/canvas.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"
#include "graph/base/text.h"
#include "render/cells.h"
#include "render/from_csv.h"

#define SERIES_MOST 1000

struct plan {
    struct chart *chart;
    const struct table *table;
    size_t x, *y, ny, *group, ngroup;
    bool categories;
    double *number;             /* of categories that are numbers, ascending; NULL: words */
    size_t nnumber;
};

/* ---- columns ----------------------------------------------------------------------------------------- */

static int unknown(const struct table *t, const char *name, struct err *err)
{
    const char **list = calloc(t->ncolumn + 1, sizeof *list);
    char near[80], all[240] = "";
    size_t len = 0;

    if (!list)
        return err_memory(err);
    for (size_t i = 0; i < t->ncolumn; i++) {
        list[i] = t->column[i].name;
        if (len < sizeof all)
            len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", i ? ", " : "", list[i]);
    }
    text_suggest(near, name, list, t->ncolumn);
    free(list);
    return err_set(err, ERR_USAGE, "there is no column '%.60s'%s; the columns are %s%s", name, near, all,
                   len >= sizeof all ? "..." : "");
}

static int find(size_t *at, const struct table *t, const char *name, struct err *err)
{
    int i = table_find(t, name);

    if (i < 0)
        return unknown(t, name, err);
    *at = (size_t)i;
    return 0;
}

static bool has_text(const struct table *t, size_t column)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (table_at(t, r, column)->type == CELL_TEXT)
            return true;
    return false;
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
    if (has_text(t, column))
        return err_set(err, ERR_FORMAT, "column '%.60s' has no finite number", t->column[column].name);
    return 0;
}

static int resolve(struct plan *p, const char *x, const char *const *y, const char *const *group, struct err *err)
{
    p->y = malloc((p->ny + 1) * sizeof *p->y);
    p->group = malloc((p->ngroup + 1) * sizeof *p->group);
    if (!p->y || !p->group)
        return err_memory(err);
    if (p->ny == 0)
        return err_set(err, ERR_USAGE, "no column is named to be drawn");
    if (find(&p->x, p->table, x, err) < 0)
        return -1;
    for (size_t i = 0; i < p->ny; i++)
        if (find(&p->y[i], p->table, y[i], err) < 0 || check_numbers(p->table, p->y[i], err) < 0)
            return -1;
    for (size_t i = 0; i < p->ngroup; i++)
        if (find(&p->group[i], p->table, group[i], err) < 0)
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

/* Where a row stands along x; NaN: nowhere. */
static int x_of(double *x, const struct plan *p, size_t row, struct err *err)
{
    const struct cell *cell = table_at(p->table, row, p->x);
    char digits[32];
    double *at;
    int category;

    *x = value_of(cell);
    if (!p->categories || cell->type == CELL_NONE)
        return 0;
    if (p->number) {
        at = bsearch(x, p->number, p->nnumber, sizeof *x, compare);
        *x = at ? (double)(at - p->number) : *x;
        return 0;
    }
    category = chart_category(&p->chart->x, words_of(digits, cell));
    *x = category;
    return category < 0 ? err_memory(err) : 0;
}

/* ---- series ------------------------------------------------------------------------------------------ */

/* "torus, Ports 2, Mean length [hops]" */
static void print_name(FILE *f, const struct plan *p, size_t row, size_t y, bool units, char *const *title,
                       char *const *heading)
{
    for (size_t i = 0; i < p->ngroup; i++) {
        const struct cell *cell = table_at(p->table, row, p->group[i]);
        const char *unit = p->table->column[p->group[i]].unit;
        char digits[32];

        fputs(i ? ", " : "", f);
        if (cell->type == CELL_INT || cell->type == CELL_REAL)
            fprintf(f, "%s %s%s%s", heading[p->group[i]], words_of(digits, cell), unit ? " " : "", unit ? unit : "");
        else
            fputs(words_of(digits, cell), f);
    }
    if (p->ny > 1)
        fprintf(f, "%s%s", p->ngroup ? ", " : "", units ? title[p->y[y]] : heading[p->y[y]]);
}

static int series_for(const struct plan *p, size_t row, size_t y, bool units, char *const *title, char *const *heading,
                      struct err *err)
{
    char *name = NULL;
    size_t len;
    FILE *f = open_memstream(&name, &len);
    int s = -1;

    if (!f)
        return err_memory(err);
    print_name(f, p, row, y, units, title, heading);
    if (fclose(f) == 0)
        s = chart_series(p->chart, name);
    free(name);
    if (s < 0)
        return err_memory(err);
    if (s >= SERIES_MOST)
        return err_set(err, ERR_DOMAIN, "there are more than %d series to draw; group by fewer columns", SERIES_MOST);
    return s;
}

static bool same_unit(const struct plan *p)
{
    const char *first = p->table->column[p->y[0]].unit;

    for (size_t i = 1; i < p->ny; i++) {
        const char *unit = p->table->column[p->y[i]].unit;

        if (strcmp(first ? first : "", unit ? unit : "") != 0)
            return false;
    }
    return true;
}

static int add_points(const struct plan *p, char *const *title, char *const *heading, struct err *err)
{
    bool units = !same_unit(p);

    for (size_t r = 0; r < table_rows(p->table); r++) {
        double x;

        if (x_of(&x, p, r, err) < 0)
            return -1;
        for (size_t i = 0; i < p->ny && !isnan(x); i++) {
            int s = series_for(p, r, i, units, title, heading, err);

            if (s < 0)
                return -1;
            if (chart_point(p->chart, s, x, value_of(table_at(p->table, r, p->y[i]))) < 0)
                return err_memory(err);
        }
    }
    return 0;
}

static int name_axes(const struct plan *p, char *const *heading)
{
    const struct column *column = p->table->column;
    bool one = p->ny == 1;

    if (chart_axis(&p->chart->x, heading[p->x], column[p->x].unit) < 0)
        return -1;
    return chart_axis(&p->chart->y, one ? heading[p->y[0]] : NULL, same_unit(p) ? column[p->y[0]].unit : NULL);
}

struct point {
    double x, y;
    size_t at;
};

/* By x, and for equal x as they came. */
static int by_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;

    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->at > q->at) - (p->at < q->at);
}

static int sort_series(struct series *s)
{
    struct point *v = malloc((s->n + 1) * sizeof *v);

    if (!v)
        return -1;
    for (size_t i = 0; i < s->n; i++)
        v[i] = (struct point){ s->x[i], s->y[i], i };
    qsort(v, s->n, sizeof *v, by_x);
    for (size_t i = 0; i < s->n; i++) {
        s->x[i] = v[i].x;
        s->y[i] = v[i].y;
    }
    free(v);
    return 0;
}

static int fill(struct plan *p, char **title, char **heading, struct err *err)
{
    const struct table *t = p->table;
    bool words = has_text(t, p->x);

    for (size_t i = 0; i < t->ncolumn; i++) {
        title[i] = column_title(&t->column[i]);
        heading[i] = column_heading(&t->column[i]);
        if (!title[i] || !heading[i])
            return err_memory(err);
    }
    p->categories = words || strcmp(p->chart->kind, "bar") == 0;
    if (p->categories && !words && number_categories(p, err) < 0)
        return -1;
    if (name_axes(p, heading) < 0)
        return err_memory(err);
    if (add_points(p, title, heading, err) < 0)
        return -1;
    for (size_t i = 0; !p->categories && i < p->chart->nseries; i++)
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

int chart_from_table(struct chart *c, const struct table *t, const char *x, const char *const *y, size_t ny,
                     const char *const *group, size_t ngroup, struct err *err)
{
    struct plan p = { .chart = c, .table = t, .ny = ny, .ngroup = ngroup };
    char **title = calloc(t->ncolumn + 1, sizeof *title), **heading = calloc(t->ncolumn + 1, sizeof *heading);
    int ret = -1;

    if (!title || !heading || t->failed)
        err_memory(err);
    else if (resolve(&p, x, y, group, err) == 0)
        ret = fill(&p, title, heading, err);
    if (ret == 0 && ngroup > 1)
        pair_looks(c);
    for (size_t i = 0; title && heading && i < t->ncolumn; i++) {
        free(title[i]);
        free(heading[i]);
    }
    free(title);
    free(heading);
    free(p.number);
    free(p.y);
    free(p.group);
    return ret;
}
