/* Handing the table over, with the columns and rows that were asked for, and its figure. */
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/request/options.h"
#include "graph/base/file.h"
#include "render/chart/from_table.h"
#include "render/table/filter.h"

void options_request(const struct options *o, struct table *t)
{
    char seed[24];

    table_request(t, "command", o->command);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->seed);
    table_request(t, "seed", seed);
}

/* Standard output where it is a screen; where it is a pipe standard error, if that is one. -1: there is none. */
static int screen(void)
{
    struct stat s;

    if (isatty(STDOUT_FILENO))
        return STDOUT_FILENO;
    return fstat(STDOUT_FILENO, &s) == 0 && S_ISFIFO(s.st_mode) && isatty(STDERR_FILENO) ? STDERR_FILENO : -1;
}

struct table_view options_view(const struct options *o)
{
    struct table_view v = { .column = (const char *const *)o->columns.item, .ncolumn = o->columns.n, .wide = o->wide,
                            .page = &o->page, .paper = o->paper };
    const char *columns = getenv("COLUMNS");
    const int at = o->output ? -1 : screen();
    struct winsize size;

    if (at < 0)
        return v;
    v.colour = at == STDOUT_FILENO && !getenv("NO_COLOR") && terminal_shows(STDOUT_FILENO);
    if (ioctl(at, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        v.width = size.ws_col;
    else
        v.width = columns && atoi(columns) > 0 ? (size_t)atoi(columns) : 80;
    return v;
}

/* "-load" -> "load" */
static const char *sort_column(const char *key)
{
    return key + (key[0] == '-');
}

int options_check_table(const struct options *o, const struct table *t, struct err *err)
{
    const struct table_view v = options_view(o);

    for (size_t i = 0; i < o->sort.n; i++)
        if (table_find(t, sort_column(o->sort.item[i])) < 0)
            return table_unknown(t, sort_column(o->sort.item[i]), err);
    return table_view_check(t, &v, err);
}

int options_rows(const struct options *o, struct table *t, struct err *err)
{
    const size_t rows = table_rows(t);

    for (size_t i = o->sort.n; i-- > 0;)
        if (table_sort(t, o->sort.item[i], err) < 0)
            return -1;
    if (o->top && (size_t)o->top < rows) {
        table_top(t, (size_t)o->top);
        table_note(t, "The first %lld of %zu rows.", (long long)o->top, rows);
    }
    return 0;
}

int options_table(const struct options *o, struct table *t, struct err *err)
{
    const struct table_view view = options_view(o);
    struct output out;

    options_request(o, t);
    if (options_rows(o, t, err) < 0 || output_open(&out, o->output, err) < 0)
        return -1;
    if (table_write(t, o->format, out.stream, &view, err) < 0) {
        output_abort(&out);
        return -1;
    }
    return output_commit(&out, err);
}

int options_figure(struct picture *f, const struct table *t, const struct natural *n, struct err *err)
{
    const struct chart_columns columns = { .x = n->x, .y = n->y, .ny = n->ny, .group = n->group, .ngroup = n->ngroup,
                                           .lo = n->half, .hi = n->half, .valid = n->valid, .label = n->label,
                                           .x_end = n->x_end, .z = n->z,
                                           .facet = n->facet, .nfacet = n->nfacet };

    f->chart.kind = n->kind;
    f->chart.x.scale = n->x_scale;
    f->chart.y.scale = n->y_scale;
    if (chart_from_table(&f->chart, t, &columns, err) < 0)
        return -1;
    if (!chart_has_points(&f->chart))
        return err_set(err, ERR_USAGE, "the figure would be empty: no row has a value under '%s' and '%s'", n->x, n->y[0]);
    return f->then ? f->then(f, &columns, err) : 0;
}
