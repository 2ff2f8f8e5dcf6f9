/* table_points.c -- from the rows of a table to the points of a chart (table_points.h).
 * 1. values   cells as numbers or words, and places along axes of categories
 * 2. series   the panel and series that a row's groups and facets name; its points, with error bars and labels */
#include "render/chart/table_points.h"

#include <glib.h>
#include <inttypes.h>
#include <strings.h>

#include "render/page/canvas.h"

#define SERIES_MOST 1000
#define PANELS_MOST 100

/* ---- values ------------------------------------------------------------------------------------------ */

/* Numbers that agree to twelve digits are one category or name: 0.06 is 0.05999999999999999. */
static double twelve_digits(double v)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%.12g", v);
    return strtod(digits, NULL);
}

static const char *words_of(char digits[32], const struct cell *cell)
{
    if (cell->type == CELL_TEXT)
        return cell->u.text;
    if (cell->type == CELL_INT)
        snprintf(digits, 32, "%" PRId64, cell->u.integer);
    else if (cell->type == CELL_REAL)
        num_shortest(digits, twelve_digits(cell->u.real));
    else
        strcpy(digits, "-");
    return digits;
}

int points_number_categories(struct plan *p, struct err *err)
{
    size_t n = 0;

    if (TAKE("the chart", err, ARRAY(p->number, table_rows(p->table) + 1)) < 0)
        return -1;
    for (size_t r = 0; r < table_rows(p->table); r++) {
        double v = cell_value(table_at(p->table, r, p->x));

        if (isfinite(v))
            p->number[n++] = twelve_digits(v);
    }
    p->nnumber = numbers_distinct(p->number, n, 0);
    for (size_t i = 0; i < p->nnumber; i++) {
        char digits[32];

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

    *x = cell_value(cell);
    if (!p->categories || cell->type == CELL_NONE)
        return 0;
    if (!p->number)
        return category_of(x, &p->chart->x, cell, err);
    *x = twelve_digits(*x);
    at = bsearch(x, p->number, p->nnumber, sizeof *x, num_ascending_reals);
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

/* Points laid over look like the series of the same name, where there is one. */
static void look_alike(struct chart *c, size_t over, const char *suffix)
{
    const size_t len = strlen(c->series[over].name), end = strlen(suffix) + 3;       /* " (...)" */

    for (size_t i = 0; i < c->nseries && len > end; i++)
        if (!c->series[i].over && strncmp(c->series[i].name, c->series[over].name, len - end) == 0 &&
            !c->series[i].name[len - end])
            c->series[over].look = c->series[i].look;
}

/* Some of them share a panel. */
static bool several_y(const struct plan *p)
{
    const size_t *panel = p->given->panel;

    for (size_t i = 1; i < p->ny && !p->kind->intervals; i++)
        for (size_t k = 0; k < i; k++)
            if (!panel || panel[i] == panel[k])
                return true;
    return false;
}

/* The y's heading follows when there are several: a file's own columns are called as it writes them, `dor`, not
 * `Dor`. */
static void print_name(FILE *f, const struct plan *p, size_t row, size_t y, bool units)
{
    const char *over = p->given->over, *name = p->ny ? units ? p->title[p->y[y]] : p->heading[p->y[y]] : "";
    const bool several = several_y(p);

    print_values(f, p, row, p->group, p->ngroup);
    if (several && *name) {
        const bool own = p->table->line && g_ascii_toupper(*p->table->column[p->y[y]].name) == *name;

        fprintf(f, "%s%c%s", p->ngroup ? ", " : "", own ? *p->table->column[p->y[y]].name : *name, name + 1);
    }
    if (over)
        fprintf(f, "%s%s%s", several || p->ngroup ? " (" : "", over, several || p->ngroup ? ")" : "");
}

static int panel_for(const struct plan *p, size_t row, size_t y, struct err *err)
{
    char *name = NULL;
    size_t len;
    FILE *f;
    int at = -1;

    if (p->given->panel)
        return (int)p->given->panel[y];
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
    int s = -1, panel = panel_for(p, row, y, err);
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

bool points_same_unit(const struct plan *p)
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
    return column == NONE ? (double)NAN : cell_value(table_at(p->table, row, column));
}

/* 0, no and false, in whatever case. */
static bool is_no(const struct cell *cell)
{
    if (cell->type == CELL_TEXT)
        return strcasecmp(cell->u.text, "no") == 0 || strcasecmp(cell->u.text, "false") == 0;
    return cell->type != CELL_NONE && cell_value(cell) == 0;
}

static int datum_of(struct datum *d, const struct plan *p, size_t row, size_t y, struct err *err)
{
    char digits[32];

    *d = (struct datum){ .y = p->ny ? number_at(p, row, p->y[y]) : 1, .z = number_at(p, row, p->z),
                         .lo = number_at(p, row, p->lo[y]), .hi = number_at(p, row, p->hi[y]) };
    if (x_of(&d->x, p, row, err) < 0)
        return -1;
    if (p->y_categories && category_of(&d->y, &p->chart->y, table_at(p->table, row, p->y[y]), err) < 0)
        return -1;
    if (p->z_categories && category_of(&d->z, &p->chart->z, table_at(p->table, row, p->z), err) < 0)
        return -1;
    if (p->lo[y] != NONE && p->lo[y] == p->hi[y]) {
        d->lo = d->y - d->hi;
        d->hi += d->y;
    }
    if (p->valid != NONE)
        d->outside = is_no(table_at(p->table, row, p->valid));
    if (p->label != NONE && table_at(p->table, row, p->label)->type != CELL_NONE &&
        !(d->label = chart_word(p->chart, words_of(digits, table_at(p->table, row, p->label)))))
        return err_memory(err);
    return 0;
}

int points_align_categories(const struct plan *p, struct err *err)
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

/* The end of the interval that starts at *d, from the same row. */
static int end_of(struct datum *end, const struct datum *d, const struct plan *p, size_t row, struct err *err)
{
    if (datum_of(end, p, row, p->ny - 1, err) < 0)
        return -1;
    end->x = p->x_end == NONE ? d->x : number_at(p, row, p->x_end);
    end->y = isnan(end->y) ? d->y : end->y;
    return 0;
}

int points_add(const struct plan *p, struct err *err)
{
    const bool units = !p->given->panel && !points_same_unit(p), pairs = p->kind->intervals;
    const size_t n = p->ny && !pairs ? p->ny : 1;
    int *series = calloc(n, sizeof *series);
    bool known = false;
    int ret = 0;

    if (!series)
        return err_memory(err);
    for (size_t r = 0; ret == 0 && r < table_rows(p->table); r++) {
        known = known && same_series(p, r);
        for (size_t i = 0; ret == 0 && i < n; i++) {
            struct datum d, end;

            ret = datum_of(&d, p, r, i, err);
            if (ret == 0 && pairs)
                ret = end_of(&end, &d, p, r, err);
            if (ret < 0 || isnan(d.x) || (p->z != NONE && p->ngroup && !pairs && isnan(d.z))) {
                known = known && ret == 0;
                continue;
            }
            if (!known)
                series[i] = series_for(p, r, i, units, err);
            if (series[i] < 0)
                ret = -1;
            else if (chart_datum(p->chart, series[i], d) < 0 || (pairs && chart_datum(p->chart, series[i], end) < 0))
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
