#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "graph/base/catalogue.h"
#include "graph/base/csv.h"
#include "graph/base/text.h"
#include "render/from_csv.h"
#include "render/from_table.h"

struct request {
    struct options common;
    const char *data, *x, *kind, *title;
    struct strings y, group;
};
enum { KEY_X = 'x', KEY_Y = 'y', KEY_GROUP = 'g', KEY_KIND = 'k', KEY_TITLE = 't' };

static const struct argp_option option[] = {
    { "x", KEY_X, "COLUMN", 0, "column along the horizontal axis (required)", 0 },
    { "y", KEY_Y, "COLUMN,...", 0, "columns of values, a series each (required)", 0 },
    { "group", KEY_GROUP, "COLUMN,...", 0, "columns whose values make further series", 0 },
    { "kind", KEY_KIND, "line|bar", 0, "kind of chart (default: line where x is a number, else bar)", 0 },
    { "title", KEY_TITLE, "TEXT", 0, "a title above the chart (default: none)", 0 },
    { 0 }
};

static CATALOGUE_FIND(find_kind, struct chart_kind, chart_all, name, "kind of chart", "metapath list chart")

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;
    const struct chart_kind *kind;

    switch (key) {
    case OPTION_ARGUMENT:
        if (q->data)
            return err_set(err, ERR_USAGE, "plot takes one data file; '%.60s' is a second", arg);
        q->data = arg;
        return 0;
    case KEY_X: q->x = arg; return 0;
    case KEY_Y: return strings_add_list(&q->y, arg, err);
    case KEY_GROUP: return strings_add_list(&q->group, arg, err);
    case KEY_KIND:
        kind = find_kind(arg, err);
        q->kind = kind ? kind->name : NULL;
        return kind ? 0 : -1;
    case KEY_TITLE: q->title = arg; return 0;
    default: return 1;
    }
}

static bool is_number(const struct table *t, const char *column)
{
    int at = table_find(t, column);

    for (size_t i = 0; at >= 0 && i < table_rows(t); i++)
        if (t->cell[i * t->ncolumn + (size_t)at].type == CELL_TEXT)
            return false;
    return true;
}

static int draw(struct request *q, struct err *err)
{
    struct csv csv = { 0 };
    struct table t = { 0 };
    struct column *columns = NULL;
    struct chart chart = { 0 };
    int ret = -1;

    if (csv_read(&csv, q->data, err) < 0 || table_from_csv(&t, &columns, &csv, err) < 0)
        goto done;
    chart_init(&chart, q->kind ? q->kind : is_number(&t, q->x) ? "line" : "bar");
    if (q->title && !(chart.title = text_copy(q->title, strlen(q->title)))) {
        err_memory(err);
        goto done;
    }
    if (chart_from_table(&chart, &t, q->x, (const char *const *)q->y.item, q->y.n,
                         (const char *const *)q->group.item, q->group.n, err) < 0) {
        err_at(err, "%s", q->data);
        goto done;
    }
    ret = chart_write(&chart, q->common.output, err);
done:
    chart_release(&chart);
    table_release(&t);
    free(columns);
    csv_release(&csv);
    return ret;
}

static int run(int argc, char **argv, struct err *err)
{
    struct request q = { .common = { .draws = true } };
    const struct option_run r = { option, parse, "DATA.csv",
        "Draws columns of any CSV file (- for standard input) to the file that -o names: .svg, .pdf or .png.", &q };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    if (!q.data || !q.x || q.y.n == 0 || !q.common.output)
        err_set(err, ERR_USAGE, "plot needs a data file, --x, --y and -o, as in `metapath plot data.csv --x nodes --y "
                "mean_length_hops -o figure.svg`");
    else
        ret = draw(&q, err);
done:
    strings_free(&q.y);
    strings_free(&q.group);
    return ret;
}

const struct cmd cmd_plot = {
    .name = "plot",
    .group = "Output",
    .synopsis = "metapath plot DATA.csv --x COLUMN --y COLUMN[,COLUMN...] -o FILE",
    .summary = "line and bar charts of any CSV file",
    .run = run
};
