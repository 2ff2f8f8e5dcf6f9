/* The chart that `metapath plot` draws of a file: data are read and filtered (plot_data_read); they choose the columns
 * and kind that the request leaves open (plot_columns), which a note tells (plot_note_choice); the foot has what the
 * figure itself does not show (plot_say); other files are laid over (plot_lay_over). */
#include "cli/plot/plot.h"
#include "render/table/dates.h"
#include "render/table/filter.h"

/* ---- data -------------------------------------------------------------------------------------------- */

int plot_data_read(struct csv_table *d, const char *path, const struct strings *where, bool over, struct err *err)
{
    if (csv_table_open_any(d, path, err) < 0)
        return -1;
    for (size_t i = 0; i < where->n; i++)
        if (table_filter(&d->table, where->item[i], err) < 0) {
            if (!over && err->code == ERR_FORMAT)
                return err_at(err, "%.200s", path);
            if (!over || (err->code != ERR_USAGE && err->code != ERR_FORMAT))
                return -1;
            *err = (struct err){ 0 };
        }
    return 0;
}

/* The names of the list that the table has. */
static size_t present(const char **out, size_t room, const struct table *t, const char *const *name, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n && k < room; i++)
        if (table_find(t, name[i]) >= 0)
            out[k++] = name[i];
    return k;
}

/* "published/broadcast_hops.csv" -> "broadcast_hops" */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

    return text_copy(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* Dates make an axis of time, unless the kind stands them side by side. */
static void plot_take_dates(struct csv_table *d, const char *x, const struct chart_kind *kind)
{
    const int at = x && !kind->x_categories ? table_find(&d->table, x) : -1;

    if (at >= 0 && (table_has_dates(&d->table, (size_t)at) || table_has_epochs(&d->table, (size_t)at)))
        table_take_dates(&d->table, d->columns, (size_t)at);
}

static int plot_lay_one(struct chart *chart, const struct request *q, const char *path,
                        const struct chart_columns *like, struct err *err)
{
    const char *group[16], *facet[16];
    struct chart_columns columns = *like;
    struct csv_table d = { 0 };
    char *name = stem_of(path);
    int ret = name ? plot_data_read(&d, path, &q->where, true, err) : err_memory(err);

    if (ret == 0) {
        columns.over = name;
        columns.group = group;
        columns.ngroup = present(group, 16, &d.table, like->group, like->ngroup);
        columns.facet = facet;
        columns.nfacet = present(facet, 16, &d.table, like->facet, like->nfacet);
        if (like->nfacet && columns.nfacet < like->nfacet)
            ret = err_set(err, ERR_USAGE, "%s lacks a column that panels are made by", path);
        columns.label = columns.valid = NULL;
        columns.means = false;
        plot_take_dates(&d, columns.x, chart_find(chart->kind, NULL));
        for (size_t i = 0; columns.lo && i < columns.ny; i++)
            if (columns.lo[i] && (table_find(&d.table, columns.lo[i]) < 0 || table_find(&d.table, columns.hi[i]) < 0))
                columns.lo = columns.hi = NULL;
        if (ret == 0 && chart_from_table(chart, &d.table, &columns, err) < 0)
            ret = err_at(err, "%s", path);
    }
    free(name);
    csv_table_release(&d);
    return ret;
}

int plot_lay_over(struct chart *chart, const struct request *q, const struct chart_columns *like, struct err *err)
{
    for (size_t i = 0; i < q->over.n; i++)
        if (plot_lay_one(chart, q, q->over.item[i], like, err) < 0)
            return -1;
    return 0;
}

bool plot_said(const struct request *q)
{
    return q->x || q->z || q->kind || q->y.n || q->group.n || q->facet.n || q->error.n || q->band.n || q->mark ||
        q->valid || q->stack || q->residuals || q->fit || q->bins || q->columns ||
        q->best[0] != BEST_UNSAID || q->complement;
}

/* ---- notes ------------------------------------------------------------------------------------------- */

/* Appends to the note, as far as it has room. */
static void plot_put(char note[NOTE], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void plot_put(char note[NOTE], const char *format, ...)
{
    const size_t len = strlen(note);
    va_list args;

    va_start(args, format);
    vsnprintf(note + len, NOTE - len, format, args);
    va_end(args);
}

/* The kind and columns that were chosen. */
static void plot_note_choice(char note[NOTE], const struct chart_columns *c, const struct chart_choice *choice,
                             const char *kind)
{
    plot_put(note, "%s of ", kind);
    if (c->z)
        plot_put(note, "%.80s over %.80s and %.80s", c->z, c->x, c->y[0]);
    else if (c->ny == 0)
        plot_put(note, "%.80s", c->x);
    for (size_t i = 0; !c->z && i < c->ny && i < 5; i++)
        plot_put(note, "%s%.80s", i ? ", " : "", c->y[i]);
    if (!c->z && c->ny)
        plot_put(note, "%s against %.80s%s%.80s", c->ny > 5 ? ", ..." : "", c->x, c->x_end ? " to " : "",
                 c->x_end ? c->x_end : "");
    for (size_t i = 0; i < c->ngroup; i++)
        plot_put(note, "%s %.40s", i ? " and" : ", by", c->group[i]);
    if (choice->nleft > CHOICE_LEFT)
        plot_put(note, "; %zu of %zu columns drawn: name others with -y", choice->ny, choice->ny + choice->nleft);
    for (size_t i = 0; choice->nleft <= CHOICE_LEFT && i < choice->nleft; i++)
        plot_put(note, "%s%.40s", i ? ", " : "; left out: ", choice->left[i]);
}

/* At the foot of a chart that was chosen: the columns of bands or bars, where their names said so; the number of rows
 * without a number for any y, or without x. */
static int plot_say(struct chart *chart, const struct table *t, const struct chart_columns *c, bool spread)
{
    const struct chart_kind *kind = chart_find(chart->kind, NULL);
    const int x = c->x ? table_find(t, c->x) : -1;
    char *old = chart->note;
    size_t rows = 0, first = 0;

    while (spread && !c->lo[first])
        first++;
    if (spread && !old && asprintf(&chart->note, "%s: %s%s%s.", chart->spread == SPREAD_BAND ? "Band" : "Bars",
                                  c->lo[first], c->lo[first] == c->hi[first] ? " on either side" : " to ",
                                  c->lo[first] == c->hi[first] ? "" : c->hi[first]) < 0)
        goto memory;
    old = chart->note;
    for (size_t r = 0; !(kind->needs & ROLE_Z) && !kind->pairs && !kind->intervals && r < table_rows(t); r++) {
        bool none = c->ny > 0;

        for (size_t i = 0; i < c->ny; i++)
            none = none && table_at(t, r, (size_t)table_find(t, c->y[i]))->type == CELL_NONE;
        rows += none || (x >= 0 && table_at(t, r, (size_t)x)->type == CELL_NONE);
    }
    if (rows && asprintf(&chart->note, "%s%s%zu row%s without a number left out.", old ? old : "", old ? " " : "", rows,
                         rows > 1 ? "s" : "") < 0)
        goto memory;
    if (rows)
        free(old);
    return 0;
memory:
    chart->note = old;
    return -1;
}

/* ---- what is drawn ----------------------------------------------------------------------------------- */

/* Nothing can be chosen: links need their network, and a column with a word is no column of numbers. */
static int plot_refuse(const struct request *q, const struct csv_table *d, struct err *err)
{
    const struct table *t = &d->table;
    struct err why;
    int pair[2];

    if (csv_pair(pair, &d->csv, q->data, &why) == 0)
        return err_set(err, ERR_USAGE, "%.200s has links, or pairs, of a network, which it does not name: `metapath "
                       "topo SPEC --links FILE --link-colour COLUMN --plot FILE` draws them; -k matrix the mean of "
                       "each pair; for a chart name columns with -x and -y", q->data);
    for (size_t i = 0; i < t->ncolumn; i++)
        for (size_t r = 0; table_has_text(t, i) && r < table_rows(t); r++)
            if (table_at(t, r, i)->type == CELL_TEXT && csv_cell(table_at(t, r, i)->u.text).type != CELL_TEXT) {
                chart_check_numbers(t, i, &why);
                return err_set(err, ERR_USAGE, "%.200s has no two columns of numbers that vary (%s); name them with -x "
                               "and -y", q->data, why.msg);
            }
    return err_set(err, ERR_USAGE, "%.200s has no two columns of numbers that vary; name them with -x and -y", q->data);
}

/* Columns and kind of a chart as the request has them, or else as the data suggest: `choice`, which they may be of. */
static int plot_columns(struct chart_columns *c, struct chart_choice *choice, bool *open, char note[NOTE],
                        const struct request *q, const struct csv_table *d, struct err *err)
{
    const bool one = q->group.n == 1 && strcmp(q->group.item[0], "none") == 0 && table_find(&d->table, "none") < 0;
    const char *named = q->kind ? q->kind->name : q->z ? "heat" : q->stack ? "bar" : NULL;
    const struct chart_kind *kind = named ? chart_find(named, NULL) : NULL;
    struct err none;
    int pair[2];
    bool z;

    c->ngroup = one ? 0 : c->ngroup;
    chart_choose(choice, &d->table, c, kind);
    if (!choice->kind || (!plot_said(q) && !chart_find(choice->kind, NULL)->pairs &&
                          csv_pair(pair, &d->csv, q->data, &none) == 0))
        return plot_refuse(q, d, err);
    kind = chart_find(choice->kind, NULL);
    if (plot_check_kind_options(q, choice->kind, err) < 0)
        return -1;
    z = kind->needs & ROLE_Z;
    *open = !c->x || (c->ny == 0 && (kind->needs & ROLE_Y)) || (z && !c->z);
    if (c->ny > 1 && c->nfacet == 0 && kind->bands &&
        chart_share(choice->panel, &d->table, c->y, c->ny) > 1)
        c->panel = choice->panel;
    if (!*open && kind->bands && !one && c->ngroup + c->nfacet == 0 && choice->ngroup) {
        c->group = choice->group;
        c->ngroup = choice->ngroup;
        plot_put(note, "a line for each %.40s%s%.40s: several rows share a %.40s (-g none: one line)", choice->group[0],
                 choice->ngroup > 1 ? " and " : "", choice->ngroup > 1 ? choice->group[1] : "", c->x);
    }
    if (kind->fronts && c->x && c->ny)
        c->label = c->label ? c->label : choice->label;
    if (!*open)
        return 0;
    c->x = choice->x;
    c->x_end = c->x_end ? c->x_end : choice->x_end;
    if (c->ny == 0 && (kind->needs & ROLE_Y)) {
        c->y = choice->y;
        c->ny = choice->ny;
        c->panel = choice->npanel > 1 ? choice->panel : NULL;
        if (choice->spread && !q->error.n && !q->band.n) {
            c->lo = choice->lo;
            c->hi = choice->hi;
            c->means = false;
        }
    }
    c->z = z || kind->pairs ? choice->z : c->z;
    c->label = c->label ? c->label : choice->label;
    if (c->ngroup == 0 && !z && !one) {
        c->group = choice->group;
        c->ngroup = choice->ngroup;
    }
    if (!c->x || (c->ny == 0 && (kind->needs & ROLE_Y)))
        return plot_refuse(q, d, err);
    return 0;
}

/* Which end of x and y is the better one, where nobody said so: by what columns are called. */
static void plot_take_front(struct chart *chart, const struct chart_columns *c, char note[NOTE])
{
    static const char *const most[] = { "throughput", "bandwidth", "saturation_load", "bisection", "speed",
                                        "efficiency", "part_of_bound" };
    const char *const of[] = { c->x, c->y[0] };

    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof most / sizeof *most; i++)
            chart->front_most[k] = chart->front_most[k] || strstr(of[k], most[i]);
        plot_put(note, "%s the %s %.80s", k ? " and" : *note ? "; the front has" : "the front has",
                 chart->front_most[k] ? "most" : "least", of[k]);
    }
    plot_put(note, " (--best)");
}

int plot_fill(struct chart *chart, const struct request *q, struct csv_table *d, char note[NOTE], struct err *err)
{
    const struct strings *spread = q->error.n ? &q->error : &q->band;
    const char *const end = q->span.n > 1 ? q->span.item[1] : NULL;
    struct chart_columns c = { .x = q->span.n ? q->span.item[0] : q->x, .x_end = end,
        .y = (const char *const *)q->y.item, .ny = q->y.n, .z = q->z,
        .group = (const char *const *)q->group.item, .ngroup = q->group.n, .facet = (const char *const *)q->facet.item,
        .nfacet = q->facet.n, .label = q->mark, .valid = q->valid,
        .as_rows = q->common.sort.n > 0, .means = spread->n == 0 && !q->mark && !(q->kind && q->kind->intervals) };
    struct chart_choice choice;
    bool open = false;

    if (plot_columns(&c, &choice, &open, note, q, d, err) < 0)
        return -1;
    chart->kind = choice.kind;
    if (spread->n && c.ny > 1)
        return err_set(err, ERR_USAGE, "%s: error bars and bands are for one --y; there are %zu", q->data, c.ny);
    if (spread->n) {
        c.lo = (const char *const *)spread->item;
        c.hi = c.lo + (spread->n == 2);
    }
    chart->spread = q->band.n || (!q->error.n && chart_find(chart->kind, NULL)->bands) ? SPREAD_BAND : SPREAD_BARS;
    if (open) {
        chart->x.scale = choice.x_scale;
        chart->y.scale = choice.y_scale;
    }
    if (plot_take_axes(chart, q, err) < 0)
        return -1;
    plot_take_dates(d, c.x, chart_find(chart->kind, NULL));
    if (chart_from_table(chart, &d->table, &c, err) < 0)
        return err_at(err, "%s", q->data);
    if (open) {
        plot_note_choice(note, &c, &choice, chart->kind);
        if (plot_say(chart, &d->table, &c, c.lo == choice.lo) < 0)
            return err_memory(err);
    }
    if (chart_find(chart->kind, NULL)->fronts && q->best[0] == BEST_UNSAID)
        plot_take_front(chart, &c, note);
    if (d->headless)
        plot_put(note, "%sthe first row is numbers: columns are called `column 1`, ...", *note ? "; " : "");
    if (!plot_said(q) && chart_find(chart->kind, NULL)->pairs)
        plot_put(note, "; on its network: `metapath topo SPEC --links %.200s --link-colour COLUMN --plot FILE`",
                 q->data);
    if (chart->note)
        plot_put(note, "%s%c%.*s", *note ? "; " : "", tolower((unsigned char)*chart->note),
                 (int)strlen(chart->note) - 2, chart->note + 1);
    if (table_rows(&d->table) == 0)
        snprintf(note, NOTE, "the file has no rows");
    return plot_lay_over(chart, q, &c, err) < 0 ? -1 : plot_take_rules(chart, &q->rule, c.x, err);
}
