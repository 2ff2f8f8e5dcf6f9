/* choose.c -- what to draw of a table, and how, where that is left open (from_table.h).
 * 1. columns  what a column holds: numbers, words, dates, names of rows, repetitions, spreads of others
 * 2. rows     do they make a grid, are they in order, do some differ in one column alone
 * 3. choices  x, series, y and panels, kind */
#include "graph/base/csv.h"
#include <strings.h>

#include "render/chart/from_table.h"
#include "render/chart/spread.h"
#include "render/table/dates.h"

#define NONE SIZE_MAX           /* no such column */
#define FEW 6                   /* values of a column of numbers that makes series */
#define ALIKE 30                /* times greater are numbers without a unit that still share an axis, at most */
#define LABELLED 40             /* points that names stand beside, at most */
#define SHOWN 12                /* columns, the first, of more than twice as many */
#define SAMPLES 10              /* values that make a box, at least */
#define NAMES 100               /* bars with names below, at most */

/* ---- columns ----------------------------------------------------------------------------------------- */

static bool is_number(const struct cell *c)
{
    return c->type == CELL_INT || c->type == CELL_REAL;
}

static bool varies(const struct table *t, size_t column)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (!cell_same(table_at(t, r, column), table_at(t, r - 1, column)))
            return true;
    return table_rows(t) == 1;          /* what one row has is all there is */
}

static bool has_numbers(const struct table *t, size_t column)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (is_number(table_at(t, r, column)))
            return !table_has_text(t, column);
    return false;
}

static bool has_whole(const struct table *t, size_t column)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (table_at(t, r, column)->type == CELL_REAL)
            return false;
    return true;
}

static bool same_column(const struct table *t, size_t a, size_t b)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (!cell_same(table_at(t, r, a), table_at(t, r, b)))
            return false;
    return true;
}

/* Numbers that only identify a row, or one of several repetitions. */
static bool is_repetition(const char *name)
{
    static const char *const word[] = { "seed", "run", "rep", "repeat", "repetition", "replica", "replicate", "trial",
                                        "", "id", "index", "no", "nr" };

    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcasecmp(name, word[i]) == 0)
            return true;
    return false;
}

/* Numbers that may be drawn by themselves. */
static bool has_data(const struct table *t, size_t column)
{
    return has_numbers(t, column) && varies(t, column) && !spread_is(t, column);
}

static int column_at(const struct table *t, const char *name)
{
    return name ? table_find(t, name) : -1;
}

static bool is_named(const struct table *t, size_t i, const char *const *name, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (name[k] && strcmp(t->column[i].name, name[k]) == 0)
            return true;
    return false;
}

/* The first column of numbers that vary, is not taken and does not repeat one that is; measured ones (fractions, or
 * with a unit) before counts, when `measured`, and repetitions last. NULL: none. */
static const char *next_number(const struct table *t, const char *const *taken, size_t ntaken, bool measured)
{
    const char *count = NULL, *repetition = NULL;

    for (size_t i = 0; i < t->ncolumn; i++) {
        bool free_yet = has_data(t, i);

        for (size_t k = 0; k < ntaken && free_yet; k++) {
            int other = column_at(t, taken[k]);

            free_yet = other < 0 || !same_column(t, i, (size_t)other);
        }
        if (!free_yet)
            continue;
        if (is_repetition(t->column[i].name))
            repetition = repetition ? repetition : t->column[i].name;
        else if (!measured || t->column[i].unit || !has_whole(t, i))
            return t->column[i].name;
        else if (!count)
            count = t->column[i].name;
    }
    return count ? count : repetition;
}

/* The first column of numbers behind `from` that are all the same; NULL: none. */
static const char *next_constant(const struct table *t, int from)
{
    for (size_t i = (size_t)(from + 1); i < t->ncolumn; i++)
        if (has_numbers(t, i) && !varies(t, i) && !spread_is(t, i) && !is_repetition(t->column[i].name))
            return t->column[i].name;
    return NULL;
}

/* The first column of words that vary; NULL: none. */
static const char *next_words(const struct table *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (table_has_text(t, i) && varies(t, i))
            return t->column[i].name;
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    const struct cell *const *p = a, *const *q = b;

    if (is_number(*p) && is_number(*q))
        return (cell_value(*p) > cell_value(*q)) - (cell_value(*p) < cell_value(*q));
    if ((*p)->type == CELL_TEXT && (*q)->type == CELL_TEXT)
        return strcmp((*p)->u.text, (*q)->u.text);
    return ((*p)->type > (*q)->type) - ((*p)->type < (*q)->type);
}

/* How many values a column has; all rows' number where memory is out. */
static size_t distinct(const struct table *t, size_t column)
{
    const size_t rows = table_rows(t);
    const struct cell **cell = malloc((rows + 1) * sizeof *cell);
    size_t n = rows > 0;

    if (!cell)
        return rows;
    for (size_t r = 0; r < rows; r++)
        cell[r] = table_at(t, r, column);
    qsort(cell, rows, sizeof *cell, by_value);
    for (size_t r = 1; r < rows; r++)
        n += by_value(&cell[r], &cell[r - 1]) != 0;
    free(cell);
    return n;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static bool alike(const struct table *t, size_t a, size_t b, const char *const *name, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const int column = column_at(t, name[k]);

        if (column >= 0 && !cell_same(table_at(t, a, (size_t)column), table_at(t, b, (size_t)column)))
            return false;
    }
    return true;
}

/* Are there two rows alike in all of the columns `name`, and (unless NONE) not in that other one? Quadratic, so only
 * the first rows are looked at. */
static bool ambiguous(const struct table *t, const char *const *name, size_t n, size_t other)
{
    const size_t rows = table_rows(t) < 500 ? table_rows(t) : 500;

    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b < a; b++)
            if ((other == NONE || !cell_same(table_at(t, a, other), table_at(t, b, other))) && alike(t, a, b, name, n))
                return true;
    return false;
}

/* Is x monotone along the rows of every series, or do most rows share theirs with others? */
static bool in_order(const struct table *t, const char *x, const char *const *group, size_t ngroup)
{
    const size_t at = (size_t)table_find(t, x), rows = table_rows(t);
    bool up = true, down = true;

    for (size_t r = 1; r < rows; r++) {
        const double a = cell_value(table_at(t, r - 1, at)), b = cell_value(table_at(t, r, at));

        if (!alike(t, r, r - 1, group, ngroup))
            continue;
        up = up && !(b < a);
        down = down && !(b > a);
    }
    return up || down || 2 * distinct(t, at) <= rows;
}

/* Do most series have a second value and no third where they have one at an x? `least`: so many has each place. */
static bool repeats(const struct table *t, const char *const *name, size_t n, size_t *least)
{
    const size_t rows = table_rows(t) < 500 ? table_rows(t) : 500;
    double places = 0, three = 0;

    *least = rows;
    for (size_t a = 0; a < rows; a++) {
        size_t same = 0;

        for (size_t b = 0; b < rows; b++)
            same += alike(t, a, b, name, n);
        places += 1 / (double)same;
        three += same > 2 ? 1 / (double)same : 0;
        *least = same < *least ? same : *least;
    }
    return places < (double)rows - 0.5 && 2 * three < places;
}

/* How many times the least value the greatest is; 0: not all are positive. */
static double span(const struct table *t, size_t column)
{
    double least = INFINITY, most = 0;

    for (size_t r = 0; r < table_rows(t); r++)
        if (is_number(table_at(t, r, column))) {
            least = fmin(least, cell_value(table_at(t, r, column)));
            most = fmax(most, cell_value(table_at(t, r, column)));
        }
    return least > 0 && most > 0 ? most / least : 0;
}

/* Does each value of a column of three values and more double that before it, once or several times? */
static bool doubles(const struct table *t, size_t column)
{
    const double first = span(t, column) > 0 ? cell_value(table_at(t, 0, column)) : NAN;
    int exponent;

    for (size_t r = 0; r < table_rows(t); r++)
        if (!(frexp(cell_value(table_at(t, r, column)) / first, &exponent) == 0.5))
            return false;
    return table_rows(t) && distinct(t, column) >= 3;
}

/* Do two columns make a grid: each pair of values once, with too many of each for lines? */
static bool is_grid(const struct table *t, size_t x, size_t y)
{
    static const char *const places[][2] = { { "x", "y" }, { "column", "row" }, { "row", "column" }, { "i", "j" } };
    const char *const pair[] = { t->column[x].name, t->column[y].name };
    const size_t nx = distinct(t, x), ny = distinct(t, y);
    size_t least = 4;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcasecmp(pair[0], places[i][0]) == 0 && strcasecmp(pair[1], places[i][1]) == 0)
            least = 2;
    return nx >= least && ny >= least && nx * ny == table_rows(t) && !ambiguous(t, pair, 2, NONE);
}

/* ---- choices ----------------------------------------------------------------------------------------- */

/* Columns of words, then of a few whole numbers, without which rows of one x would be the same point. */
static void choose_series(struct chart_choice *out, const struct table *t, bool numbers)
{
    const char *key[8] = { out->x };
    size_t nkey = 1;

    for (size_t i = 0; i < t->ncolumn && out->ngroup < 3; i++)
        if (table_has_text(t, i) && !is_named(t, i, &out->x, 1) && 2 * distinct(t, i) <= table_rows(t) &&
            ambiguous(t, key, nkey, i))
            key[nkey++] = out->group[out->ngroup++] = t->column[i].name;
    for (size_t i = 0; numbers && i < t->ncolumn && nkey < 6; i++)
        if (has_numbers(t, i) && is_repetition(t->column[i].name))
            key[nkey++] = t->column[i].name;
    for (size_t i = 0; numbers && i < t->ncolumn && out->ngroup < 3 && ambiguous(t, key, nkey, NONE); i++)
        if (has_data(t, i) && has_whole(t, i) && !is_repetition(t->column[i].name) && !is_named(t, i, &out->x, 1) &&
            !t->column[i].unit && distinct(t, i) <= FEW &&
            2 * distinct(t, i) <= table_rows(t)) {
            key[nkey] = t->column[i].name;
            if (!ambiguous(t, key, nkey + 1, NONE))
                out->group[out->ngroup++] = key[nkey++];
        }
}

static double greatest(const struct table *t, size_t column)
{
    double most = 0;

    for (size_t r = 0; r < table_rows(t); r++)
        if (isfinite(cell_value(table_at(t, r, column))))
            most = fmax(most, fabs(cell_value(table_at(t, r, column))));
    return most;
}

/* Numbers of one unit, or without one and of like size. */
static bool share_axis(const struct table *t, size_t a, size_t b)
{
    const char *one = t->column[a].unit, *other = t->column[b].unit;
    const double p = greatest(t, a), q = greatest(t, b);

    if (one || other)
        return one && other && strcmp(one, other) == 0;
    return p == 0 || q == 0 || (p <= ALIKE * q && q <= ALIKE * p);
}

static void leave_out(struct chart_choice *out, const char *name)
{
    if (out->nleft < CHOICE_LEFT)
        out->left[out->nleft] = name;
    out->nleft++;
}

/* Columns that are neither x nor y, nor shown by colour or series. */
static void leave_others(struct chart_choice *out, const struct table *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (has_data(t, i) && !is_repetition(t->column[i].name) && !is_named(t, i, out->y, out->ny) &&
            !is_named(t, i, (const char *[]){ out->x, out->z }, 2) && !is_named(t, i, out->group, out->ngroup))
            leave_out(out, t->column[i].name);
}

/* Every other column of numbers that vary, by the axis that it shares. */
static void choose_ys(struct chart_choice *out, const struct table *t, bool one_panel)
{
    size_t nseries = 1, held[CHOICE_PANELS] = { 0 }, first[CHOICE_PANELS];

    for (size_t i = 0; i < out->ngroup; i++)
        nseries *= distinct(t, (size_t)table_find(t, out->group[i]));
    for (size_t i = 0; i < t->ncolumn; i++) {
        bool draws = has_data(t, i) && !is_repetition(t->column[i].name) &&
            !is_named(t, i, &out->x, 1) && !is_named(t, i, out->group, out->ngroup);
        size_t p = 0;

        for (size_t k = 0; k < out->ny && draws; k++)
            draws = !same_column(t, i, (size_t)table_find(t, out->y[k]));
        if (!draws || same_column(t, i, (size_t)table_find(t, out->x)))
            continue;
        while (p < out->npanel && !share_axis(t, first[p], i))
            p++;
        if (p == (one_panel ? 1 : CHOICE_PANELS) || (p < out->npanel && (held[p] + 1) * nseries > CHOICE_SERIES)) {
            leave_out(out, t->column[i].name);
            continue;
        }
        if (p == out->npanel) {
            first[p] = i;
            out->npanel++;
        }
        held[p]++;
        out->panel[out->ny] = p;
        out->y[out->ny++] = t->column[i].name;
    }
    if (out->ny + out->nleft <= 2 * SHOWN || out->ny <= SHOWN)
        return;
    out->nleft += out->ny - SHOWN;
    out->ny = SHOWN;
    out->npanel = 0;
    for (size_t i = 0; i < out->ny; i++)
        out->npanel = out->panel[i] < out->npanel ? out->npanel : out->panel[i] + 1;
}

size_t chart_share(size_t panel[CHOICE_Y], const struct table *t, const char *const *y, size_t ny)
{
    size_t first[CHOICE_Y], n = 0;

    for (size_t i = 0; i < ny && ny <= CHOICE_Y; i++) {
        const int at = table_find(t, y[i]);

        if (at < 0)                     /* said elsewhere */
            return 0;
        panel[i] = 0;
        while (panel[i] < n && !share_axis(t, first[panel[i]], (size_t)at))
            panel[i]++;
        if (panel[i] == n)
            first[n++] = (size_t)at;
    }
    return n;
}

/* The first column of words of which each row has its own; NONE: none, or too many. */
static size_t row_names(const struct table *t)
{
    for (size_t i = 0; table_rows(t) <= NAMES && i < t->ncolumn; i++)
        if (table_has_text(t, i) && !table_has_dates(t, i) && distinct(t, i) == table_rows(t) && table_rows(t) > 1)
            return i;
    return NONE;
}

/* Numbers that vary, repetitions apart; and whether all of them are in one unit, or many share an axis. */
static size_t count_numbers(const struct table *t, bool *one_unit)
{
    size_t n = 0, first = NONE;
    bool unit = true;

    *one_unit = true;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (has_data(t, i) && !is_repetition(t->column[i].name)) {
            first = n++ ? first : i;
            *one_unit = *one_unit && share_axis(t, first, i);
            unit = unit && t->column[i].unit;
        }
    *one_unit = *one_unit && (unit || n > 2);
    return n;
}

/* The first column with a name that begins with the word, by itself or before a unit. */
static size_t column_called(const struct table *t, const char *word)
{
    const size_t n = strlen(word);

    for (size_t i = 0; i < t->ncolumn; i++)
        if (strncasecmp(t->column[i].name, word, n) == 0 && strchr("_ [", t->column[i].name[n]) && has_numbers(t, i))
            return i;
    return NONE;
}

/* Rows that last from a start to an end, in lanes: those named by words, else by whole numbers. */
static bool choose_timeline(struct chart_choice *out, const struct table *t)
{
    static const char *const ends[][2] = { { "start", "end" }, { "begin", "end" }, { "start", "finish" },
                                           { "start", "stop" } };
    size_t from = NONE, to = NONE, lane = NONE;

    for (size_t i = 0; i < sizeof ends / sizeof *ends && (from == NONE || to == NONE); i++) {
        from = column_called(t, ends[i][0]);
        to = column_called(t, ends[i][1]);
    }
    if (from == NONE || to == NONE || from == to)
        return false;
    for (size_t r = 0; r < table_rows(t); r++)
        if (!(cell_value(table_at(t, r, from)) <= cell_value(table_at(t, r, to))))
            return false;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (table_has_text(t, i) && (lane == NONE || distinct(t, i) < distinct(t, lane)))
            lane = i;
    for (size_t i = 0; lane == NONE && i < t->ncolumn; i++)
        if (i != from && i != to && has_numbers(t, i) && has_whole(t, i) && !t->column[i].unit &&
            distinct(t, i) < table_rows(t))
            lane = i;
    if (lane == NONE)
        return false;
    out->kind = "timeline";
    out->x = t->column[from].name;
    out->x_end = t->column[to].name;
    out->y[out->ny++] = t->column[lane].name;
    return true;
}

/* Of lines and points. */
static void choose_scales(struct chart_choice *out, const struct table *t)
{
    bool wide = out->ny > 0 && doubles(t, (size_t)table_find(t, out->x));

    out->x_scale = wide ? SCALE_LOG : SCALE_AUTO;
    for (size_t i = 0; i < out->ny; i++)
        wide = wide && span(t, (size_t)table_find(t, out->y[i])) > 20;
    out->y_scale = wide ? SCALE_LOG : SCALE_AUTO;
}

/* Where nothing is said. */
static void choose_all(struct chart_choice *out, const struct table *t)
{
    bool one_unit;
    const size_t numbers = count_numbers(t, &one_unit), names = row_names(t);
    const char *x = next_number(t, NULL, 0, false), *y = next_number(t, &x, 1, false),
        *words = next_words(t), *dates = NULL, *z;
    size_t least;
    bool few;

    if (choose_timeline(out, t))
        return;
    for (size_t i = 0; i < t->ncolumn && !dates; i++)
        dates = (table_has_dates(t, i) || table_has_epochs(t, i)) && varies(t, i) ? t->column[i].name : NULL;
    out->x = dates ? dates : x;
    if (!dates && x && !y && !words && in_order(t, x, NULL, 0) &&
        distinct(t, (size_t)table_find(t, x)) == table_rows(t))
        y = next_constant(t, table_find(t, x));
    else if (dates && !x)
        y = next_constant(t, -1);
    z = y ? next_number(t, (const char *[]){ x, y }, 2, false) : NULL;
    if (!dates && z && !is_repetition(y) && !is_repetition(z) && !words &&
        is_grid(t, (size_t)table_find(t, x), (size_t)table_find(t, y))) {
        out->kind = "heat";
        out->y[out->ny++] = y;
        out->z = z;
        leave_others(out, t);
        return;
    }
    if (words && distinct(t, (size_t)table_find(t, words)) > NAMES)
        words = NULL;
    if (!dates && words && (numbers < 2 || (names != NONE && one_unit))) {
        out->x = names != NONE && one_unit ? t->column[names].name : words;
        choose_series(out, t, false);
        choose_ys(out, t, true);
        out->kind = out->ny ? "bar" : NULL;
        repeats(t, (const char *[]){ out->x, out->group[0], out->group[1], out->group[2] }, 4, &least);
        if (out->ny == 1 && least >= SAMPLES)
            out->kind = "box";
        return;
    }
    if (!out->x || (!dates && !y)) {            /* one column of numbers, or none */
        out->kind = out->x ? "histogram" : NULL;
        return;
    }
    choose_series(out, t, true);
    out->kind = "line";
    if (dates || in_order(t, out->x, out->group, out->ngroup)) {
        few = !dates && repeats(t, (const char *[]){ out->x, out->group[0], out->group[1], out->group[2] }, 4, &least);
        out->kind = few ? "scatter" : "line";
        choose_ys(out, t, few);
        if (out->ny == 0 && y)
            out->y[out->ny++] = y;
        choose_scales(out, t);
        return;
    }
    out->kind = "scatter";
    out->y[out->ny++] = y;
    out->npanel = 1;
    if (names != NONE && table_rows(t) <= LABELLED)
        out->label = t->column[names].name;
    leave_others(out, t);
}

/* Spreads of what goes up y, as names say so; columns without anything are left out. */
static void choose_spreads(struct chart_choice *out, const struct table *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (table_rows(t) && table_at(t, 0, i)->type == CELL_NONE && !varies(t, i))
            leave_out(out, t->column[i].name);
    for (size_t i = 0; i < out->ny; i++) {
        size_t at[2];

        if (!spread_find(at, t, (size_t)table_find(t, out->y[i])))
            continue;
        out->spread = true;
        out->lo[i] = t->column[at[0]].name;
        out->hi[i] = t->column[at[1]].name;
    }
}

/* Two columns that are called from,to or the like; false: none. */
static bool find_pair(const char *pair[2], const struct table *t)
{
    for (size_t i = 0; i + 1 < t->ncolumn; i++) {
        pair[0] = t->column[i].name;
        pair[1] = t->column[i + 1].name;
        if (csv_names_pair(pair[0], strlen(pair[0]), pair[1], strlen(pair[1])))
            return true;
    }
    return false;
}

void chart_choose(struct chart_choice *out, const struct table *t, const struct chart_columns *given,
                  const struct chart_kind *kind)
{
    const bool open = !kind && !given->x && !given->ny && !given->z && !given->ngroup && !given->nfacet;
    const char *y = given->ny ? given->y[0] : NULL, *pair[2];
    const bool paired = find_pair(pair, t);
    bool z;

    if (open && paired && !ambiguous(t, pair, 2, NONE))
        kind = chart_find("matrix", NULL);
    *out = (struct chart_choice){ .kind = kind ? kind->name : NULL, .x = given->x, .z = given->z };
    if (open && !kind) {
        choose_all(out, t);
        choose_spreads(out, t);
        return;
    }
    z = kind && (kind->needs & ROLE_Z);
    if (kind && kind->pairs && !given->x && !y && t->ncolumn >= 2) {    /* as they are called, or the first two */
        out->x = paired ? pair[1] : t->column[1].name;
        y = paired ? pair[0] : t->column[0].name;
    }
    if (!out->x && kind && kind->x_categories)
        out->x = next_words(t);
    if (!out->x)
        out->x = next_number(t, (const char *[]){ y, out->z }, 2, false);
    if (!given->x && !z && next_words(t) && !(kind && (kind->numbers_x || kind->pairs)) &&
        !next_number(t, (const char *[]){ out->x }, 1, false))
        out->x = next_words(t);             /* the only numbers go up the axis */
    if (!out->x && t->ncolumn)
        out->x = t->column[0].name;
    if (!y)
        y = next_number(t, (const char *[]){ out->x, out->z }, 2, !z);
    if (!y && out->x && !z)
        y = next_constant(t, table_find(t, out->x));
    if (y)
        out->y[out->ny++] = y;
    if (!out->z && (z || (kind && kind->pairs && !given->x)))
        out->z = next_number(t, (const char *[]){ out->x, y }, 2, true);
    if (!kind) {
        const int at = column_at(t, out->x);

        out->kind = at >= 0 && table_has_text(t, (size_t)at) && !table_has_dates(t, (size_t)at) ? "bar" : "line";
    }
    if (!z && given->ngroup + given->nfacet == 0)
        choose_series(out, t, false);
    if (!given->ny && !z)
        choose_spreads(out, t);
    if (kind && kind->fronts && !given->ngroup && row_names(t) != NONE)
        out->label = t->column[row_names(t)].name;
}
