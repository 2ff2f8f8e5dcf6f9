/* grid.c -- from the rows of a table to text that formats only have to place (grid.h).
 * 1. constants    columns that are the same in every row go into the title
 * 2. headings     each in up to two lines, its unit below
 * 3. the whole    the other columns as lines of cells, or, upright, one property a line
 * 4. fitting      columns left out until the rest fits a width */
#include "render/table/grid.h"

#include <glib.h>

#include "graph/base/utf8.h"
#include "render/table/cells.h"

size_t grid_width(const char *text)
{
    size_t n = 0;

    for (; *text; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);

        n += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return n;
}

/* A fresh text; NULL: memory. */
static char *cell_words(const struct cell *cell, int decimals)
{
    char digits[CELL_DIGITS + 1];

    if (cell->type == CELL_TEXT)
        return utf8_line(cell->u.text);
    digits[0] = '*';
    cell_number(digits + 1, cell, decimals);
    return text_copy(digits + !cell->marked, strlen(digits + !cell->marked));
}

/* ---- constants --------------------------------------------------------------------------------------- */

#define RESULTS_MOVE 4          /* rows from which a result that never changes is no column either */

static bool is_blank(const struct cell *c)
{
    return c->type == CELL_NONE || (c->type == CELL_TEXT && !*c->u.text);
}

static bool is_constant(const struct table *t, size_t column)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (!cell_same(table_at(t, r, column), table_at(t, 0, column)))
            return false;
    return true;
}

/* How many columns lead that say what rows are about: words, and counts that do not change, before any quantity. */
static size_t leading(const struct table *t)
{
    size_t n = 0;

    while (n < t->ncolumn && !t->column[n].unit && table_at(t, 0, n)->type != CELL_REAL &&
           (table_has_text(t, n) || is_constant(t, n)))
        n++;
    return n;
}

/* Does any row have a value beyond the columns that say what it is about? */
static bool has_results(const struct table *t, size_t lead)
{
    for (size_t i = 0; i < t->ncell; i++)
        if (i % t->ncolumn >= lead && !is_blank(&t->cell[i]))
            return true;
    return false;
}

/* "torus:8x8" for names, "capacity 12.7 cycles" for others, behind what there is. */
static int say_constant(char **out, const char *begin, const char *joint, const struct table *t, size_t column,
                        bool bare)
{
    const struct column *c = &t->column[column];
    char *heading = column_heading(c), *value = cell_words(table_at(t, 0, column), c->decimals), *said = NULL;
    const char *unit = c->unit ? c->unit : "";

    if (heading && (*out || *begin) && !(heading[0] && isupper((unsigned char)heading[1])))
        heading[0] = (char)tolower((unsigned char)heading[0]);
    if (!heading || !value ||
        asprintf(&said, "%s%s%s%s%s%s%s", *out ? *out : "", *out ? joint : begin, bare ? "" : heading,
                 bare ? "" : " ", value, !*unit || strcmp(unit, "%") == 0 ? "" : " ", bare ? "" : unit) < 0)
        said = NULL;
    FREE(heading, value);
    if (!said)
        return -1;
    free(*out);
    *out = said;
    return 0;
}

/* Columns up to `lead`, and the hidden ones from `shown` on, belong into the title. */
static int move_constants(struct grid_plan *p, const struct table *t, const bool *constant, size_t lead, size_t shown)
{
    bool bare = true, named = p->title != NULL;

    p->ncolumn = 0;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const bool heads = i < lead || i >= shown;

        bare = bare && (p->text[i] || (lead == 0 && i < shown));
        if (!constant[i] && i < shown)
            p->column[p->ncolumn++] = i;
        if (!constant[i] || is_blank(table_at(t, 0, i)))
            continue;
        if (say_constant(heads ? &p->title : &p->common, heads ? "" : "In every row: ",
                         heads && named ? ": " : ", ", t, i, heads && bare && p->title) < 0)
            return -1;
        named = named && !heads;
    }
    return 0;
}

int grid_plan(struct grid_plan *p, const struct table *t, const char *title, bool whole, bool fixed, size_t hidden,
              struct err *err)
{
    const size_t n = t->ncolumn, shown = n - hidden, rows = table_rows(t), lead = rows && !fixed ? leading(t) : 0;
    bool *constant = calloc(n + 1, sizeof *constant), known = has_results(t, lead);
    size_t moved = 0;

    *p = (struct grid_plan){ .column = calloc(n + 1, sizeof *p->column), .text = calloc(n + 1, sizeof *p->text),
                             .ncolumn = shown, .title = title ? utf8_line(title) : NULL };
    if (!constant || !p->column || !p->text || (title && !p->title))
        goto memory;
    for (size_t i = 0; i < n; i++) {
        p->column[i] = i;
        p->text[i] = table_has_text(t, i);
        if (i < shown)
            constant[i] = whole && !fixed && rows > 1 && is_constant(t, i) &&
                          (i < lead || (known && (rows >= RESULTS_MOVE || is_blank(table_at(t, 0, i)))));
        else
            constant[i] = whole && rows > 0 && is_constant(t, i);
        moved += constant[i] && i < shown;
    }
    if ((moved > 0 || hidden) && moved < n && move_constants(p, t, constant, lead, shown) < 0)
        goto memory;
    free(constant);
    return 0;
memory:
    free(constant);
    return err_memory(err);
}

void grid_plan_release(struct grid_plan *p)
{
    FREE(p->column, p->text, p->title, p->common, p->left_out, p->every);
    *p = (struct grid_plan){ 0 };
}

/* ---- headings ---------------------------------------------------------------------------------------- */

#define LEAST_SAVED 2           /* places that a second line has to make a heading narrower by */

/* Cuts a text in two where it is best, and says where the second begins: 1. Where that makes a column of at least
 * `least` no narrower: 0. */
static size_t cut(char *text, size_t least, char **second)
{
    const size_t whole = grid_width(text);
    size_t narrowest = whole;
    char *best = NULL;

    for (char *blank = text; (blank = strchr(blank, ' ')) != NULL; blank++) {
        const size_t right = grid_width(blank + 1), left = whole - right - 1, wider = left > right ? left : right;

        if ((wider > least ? wider : least) + LEAST_SAVED <= whole && wider < narrowest) {
            narrowest = wider;
            best = blank;
        }
    }
    if (!best)
        return 0;
    *best = '\0';
    *second = best + 1;
    return 1;
}

/* A heading and below it its unit, each in two lines where the column is narrower for it (the unit only where the
 * heading is in one), in the lowest lines of the grid's head. -1: memory. */
static int head_lines(struct grid *g, size_t column, const struct column *c, size_t body)
{
    char *title = column_title(c), *text = title ? utf8_line(title) : NULL, *line[HEADING_LINES + 1];
    char *unit = text && c->unit && *c->unit ? strrchr(text, '[') : NULL;
    size_t n = 0;
    int ret = text ? 0 : -1;

    if (unit && unit > text)
        unit[-1] = '\0';
    if (text && unit != text) {
        line[n++] = text;
        n += cut(text, unit && grid_width(unit) > body ? grid_width(unit) : body, &line[n]);
    }
    if (unit) {
        line[n++] = unit;
        n += n < HEADING_LINES ? cut(unit, n > 1 && grid_width(text) > body ? grid_width(text) : body, &line[n]) : 0;
    }
    for (size_t k = 0; ret == 0 && k < HEADING_LINES; k++) {
        const char *from = k + n < HEADING_LINES ? "" : line[k + n - HEADING_LINES];
        char **to = &g->cell[k * g->ncolumn + column].text;

        *to = text_copy(from, strlen(from));
        ret = *to ? 0 : -1;
    }
    FREE(title, text);
    return ret;
}

/* Lines of the head that no heading needs go; one stays. */
static void drop_empty_lines(struct grid *g)
{
    size_t n = 0, empty = 0;

    while (n < (HEADING_LINES - 1) * g->ncolumn && !*g->cell[n].text)
        n++;
    for (; (empty + 1) * g->ncolumn <= n && empty + 1 < HEADING_LINES; empty++)
        for (size_t i = 0; i < g->ncolumn; i++)
            free(g->cell[empty * g->ncolumn + i].text);
    g->nhead -= empty;
    memmove(g->cell, &g->cell[empty * g->ncolumn], (g->nhead + g->nrow) * g->ncolumn * sizeof *g->cell);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static int grid_size(struct grid *g, size_t ncolumn, size_t nhead, size_t nrow, struct err *err)
{
    *g = (struct grid){ .ncolumn = ncolumn, .nhead = nhead, .nrow = nrow };
    return TAKE("the table", err, ZEROS(g->cell, (nhead + nrow) * ncolumn + 1), ZEROS(g->left, ncolumn + 1));
}

static int make_upright(struct grid *g, const struct table *t, const struct grid_plan *p, struct err *err)
{
    const size_t rows = table_rows(t), n = p->every ? p->nevery : p->ncolumn, *every = p->every ? p->every : p->column;

    if (grid_size(g, rows + 1, n > 0, n - (n > 0), err) < 0)
        return -1;
    for (size_t i = 0; i <= rows; i++)
        g->left[i] = true;
    for (size_t k = 0; k < n; k++) {
        const struct column *c = &t->column[every[k]];
        struct grid_cell *line = &g->cell[k * g->ncolumn];
        char *title = column_title(c);

        line[0].text = title ? utf8_line(title) : NULL;
        free(title);
        for (size_t r = 0; r < rows; r++) {
            const struct cell *cell = table_at(t, r, every[k]);

            line[r + 1] = (struct grid_cell){ cell_words(cell, c->decimals), cell->type != CELL_TEXT };
            if (!line[r + 1].text)
                return err_memory(err);
        }
        if (!line[0].text)
            return err_memory(err);
    }
    return 0;
}

static int make_rows(struct grid *g, const struct table *t, const struct grid_plan *p, struct err *err)
{
    const size_t rows = table_rows(t);

    if (grid_size(g, p->ncolumn, HEADING_LINES, rows, err) < 0)
        return -1;
    for (size_t i = 0; i < p->ncolumn; i++) {
        const struct column *c = &t->column[p->column[i]];
        size_t width = 0;

        g->left[i] = p->text[p->column[i]];
        for (size_t r = 0; r < rows; r++) {
            const struct cell *from = table_at(t, r, p->column[i]);
            struct grid_cell *cell = &g->cell[(HEADING_LINES + r) * g->ncolumn + i];

            *cell = (struct grid_cell){ cell_words(from, c->decimals), from->type != CELL_TEXT };
            if (!cell->text)
                return err_memory(err);
            width = grid_width(cell->text) > width ? grid_width(cell->text) : width;
        }
        if (head_lines(g, i, c, width) < 0)
            return err_memory(err);
    }
    drop_empty_lines(g);
    return 0;
}

int grid_make(struct grid *g, const struct table *t, const struct grid_plan *p, bool upright, struct err *err)
{
    *g = (struct grid){ 0 };
    return upright ? make_upright(g, t, p, err) : make_rows(g, t, p, err);
}

void grid_release(struct grid *g)
{
    for (size_t i = 0; g->cell && i < (g->nhead + g->nrow) * g->ncolumn; i++)
        free(g->cell[i].text);
    FREE(g->cell, g->left);
    *g = (struct grid){ 0 };
}

size_t grid_measure(size_t *width, const struct grid *g, size_t gap)
{
    size_t sum = 0;

    for (size_t i = 0; i < g->ncolumn; i++) {
        for (size_t r = 0; r < g->nhead + g->nrow; r++) {
            const size_t n = grid_width(grid_at(g, r, i)->text);

            width[i] = n > width[i] ? n : width[i];
        }
        sum += width[i] + (i ? gap : 0);
    }
    return sum;
}

/* ---- fitting ----------------------------------------------------------------------------------------- */

/* One more behind those that there are. */
static int name_left_out(struct grid_plan *p, const struct column *c)
{
    char *heading = column_heading(c), *names = NULL;
    const size_t len = p->left_out ? strlen(p->left_out) - 1 : 0;       /* without the bracket */

    if (!heading || asprintf(&names, "%.*s%s%s)", (int)len, len ? p->left_out : "", len ? ", " : "(--wide also shows ",
                             heading) < 0)
        names = NULL;
    free(heading);
    if (!names)
        return -1;
    free(p->left_out);
    p->left_out = names;
    return 0;
}

int grid_fit(struct grid_plan *p, const struct table *t, const int *yields, size_t width, struct err *err)
{
    size_t *wide = calloc(p->ncolumn + 1, sizeof *wide), *kept = calloc(p->ncolumn + 1, sizeof *kept), sum = 0, n;
    struct grid grid = { 0 };
    int ret = wide && kept ? grid_make(&grid, t, p, false, err) : err_memory(err);

    if (ret == 0)
        sum = grid_measure(wide, &grid, GAP);
    if (sum && grid.left[grid.ncolumn - 1] && wide[grid.ncolumn - 1] > WRAPPED) {
        sum -= wide[grid.ncolumn - 1] - WRAPPED;
        wide[grid.ncolumn - 1] = WRAPPED;
    }
    for (int turn = 1; turn <= 2; turn++)
        for (size_t i = grid.ncolumn; i-- > 0 && sum > width;)
            if (yields[p->column[i]] == turn) {
                sum -= wide[i] + GAP;
                wide[i] = 0;
            }
    n = 0;
    for (size_t i = 0; i < grid.ncolumn; i++)
        if (wide[i])
            kept[n++] = p->column[i];
        else if (ret == 0)
            ret = name_left_out(p, &t->column[p->column[i]]) < 0 ? err_memory(err) : 0;
    if (ret == 0 && p->left_out) {
        p->every = p->column;
        p->nevery = p->ncolumn;
        p->column = kept;
        p->ncolumn = n;
        kept = NULL;
    }
    grid_release(&grid);
    FREE(wide, kept);
    return ret < 0 ? -1 : sum <= width;
}
