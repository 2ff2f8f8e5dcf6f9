#include "cli/latency_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/from_table.h"
#include "render/netplot.h"

#define MOST_PANELS 36

static const struct cell *cell_at(const struct table *t, size_t row, const char *column)
{
    const int at = table_find(t, column);

    return at < 0 ? NULL : &t->cell[row * t->ncolumn + (size_t)at];
}

static const char *text_at(const struct table *t, size_t row, const char *column)
{
    const struct cell *c = cell_at(t, row, column);

    return c && c->type == CELL_TEXT ? c->u.text : "";
}

static double real_at(const struct table *t, size_t row, const char *column)
{
    const struct cell *c = cell_at(t, row, column);

    return c && c->type == CELL_REAL ? c->u.real : (double)NAN;
}

static bool same(const struct table *t, size_t a, size_t b, const char *column)
{
    const double x = real_at(t, a, column), y = real_at(t, b, column);

    return strcmp(text_at(t, a, column), text_at(t, b, column)) == 0 && (x == y || (isnan(x) && isnan(y)));
}

static bool varies(const struct table *t, const char *column)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (!same(t, 0, r, column))
            return true;
    return false;
}

/* The columns that tell rows apart, of those that may; the first where none does. */
static size_t varying(const char **out, const struct table *t, const char *const *column, size_t n)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        if (varies(t, column[i]))
            out[found++] = column[i];
    if (found == 0)
        out[found++] = column[0];
    return found;
}

/* ---- loads ------------------------------------------------------------------------------------------- */

/* "dor, transpose": what a row's series is called. */
static const char *series_name(char out[600], const struct table *t, size_t row, const char *const *by, size_t nby)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < nby && len < 600; i++)
        len += (size_t)snprintf(out + len, 600 - len, "%s%s", i ? ", " : "", text_at(t, row, by[i]));
    return out;
}

static int mark_saturation(struct chart *c, const struct table *t, const char *const *by, size_t nby, struct err *err)
{
    char name[600];

    for (size_t i = 0; i < c->nseries; i++)
        for (size_t r = 0; r < table_rows(t); r++) {
            const double at = real_at(t, r, "saturation_interval_cycles");

            if (isnan(at) || strcmp(series_name(name, t, r, by, nby), c->series[i].name) != 0)
                continue;
            if (chart_rule(c, at, c->nseries > 3 ? NULL : "saturation", c->series[i].look, RULE_EVERYWHERE) < 0)
                return err_memory(err);
            break;
        }
    return 0;
}

static int plot_loads(const struct options *o, const struct table *t, struct err *err)
{
    static const char *const y[] = { "mean_latency_cycles" }, *const may[] = { "routing", "traffic", "topology" };
    const char *by[3];
    const size_t nby = varying(by, t, may, 3);
    const struct natural lines = { .kind = "line", .x = "interval_cycles", .y = y, .ny = 1, .group = by, .ngroup = nby,
                                   .valid = "valid" };
    struct chart c;
    int ret;

    chart_init(&c, lines.kind);
    ret = options_chart(o, t, &lines, &c, err);
    if (ret == 0)
        ret = mark_saturation(&c, t, by, nby, err);
    if (ret == 0)
        ret = options_write_chart(o, &c, err);
    chart_release(&c);
    return ret;
}

/* ---- channels ---------------------------------------------------------------------------------------- */

static int plot_channels(const struct options *o, const struct table *t, struct err *err)
{
    static const char *const y[] = { "latency_cycles" }, *const may[] = { "routing", "traffic", "topology", "interval_cycles" },
                      *const over[] = { "channel", "routing", "traffic", "topology" };
    const bool several = varies(t, "interval_cycles");
    const char *by[4];
    const struct natural figure = {
        .kind = several ? "line" : "bar", .x = several ? "interval_cycles" : "channel", .y = y, .ny = 1, .group = by,
        .ngroup = varying(by, t, several ? over : may, several ? 4 : 3), .y_scale = several ? SCALE_AUTO : SCALE_LINEAR
    };

    return options_plot(o, t, &figure, err);
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

static int plot_nodes(const struct options *o, const struct table *t, struct err *err)
{
    static const char *const y[] = { "row" }, *const may[] = { "routing", "traffic", "topology", "interval_cycles" };
    const char *facet[4];
    struct chart_columns columns = { .x = "column", .y = y, .ny = 1, .z = "wait_cycles", .facet = facet };
    struct chart c;
    int ret = -1;

    if (!o->plot)
        return 0;
    for (size_t r = 0; r < table_rows(t); r++)
        if (cell_at(t, r, "row")->type == CELL_NONE)
            return err_set(err, ERR_USAGE, "a map of nodes needs a network of two dimensions; %.200s has others (leave out --plot, or "
                           "take --show links)", text_at(t, r, "topology"));
    columns.nfacet = varying(facet, t, may, 4);
    if (!varies(t, facet[0]))
        columns.nfacet = 0;
    chart_init(&c, "heat");
    if (chart_from_table(&c, t, &columns, err) == 0)
        ret = chart_write(&c, &o->page, o->plot, err);
    chart_release(&c);
    return ret;
}

/* ---- links ------------------------------------------------------------------------------------------- */

struct panels {
    struct net **net;
    struct net_drawing *drawing;
    double **value;
    char (*title)[400];
    size_t n;
};

static void panels_release(struct panels *p)
{
    for (size_t i = 0; i < p->n; i++) {
        net_close(p->net[i]);
        free(p->value[i]);
    }
    free(p->net);
    free(p->drawing);
    free(p->value);
    free(p->title);
}

static const char *const panel_columns[] = { "topology", "traffic", "routing", "interval_cycles" };

static bool same_panel(const struct table *t, size_t a, size_t b)
{
    for (size_t i = 0; i < 4; i++)
        if (!same(t, a, b, panel_columns[i]))
            return false;
    return true;
}

static void name_panel(char title[400], const struct table *t, size_t row)
{
    size_t len = 0;

    title[0] = '\0';
    for (size_t i = 0; i < 4 && len < 400; i++)
        if (i < 3 && (varies(t, panel_columns[i]) || (i == 2 && len == 0)))
            len += (size_t)snprintf(title + len, 400 - len, "%s%s", len ? ", " : "", text_at(t, row, panel_columns[i]));
        else if (i == 3 && varies(t, panel_columns[i]))
            len += (size_t)snprintf(title + len, 400 - len, "%severy %.4g cycles", len ? ", " : "", real_at(t, row, panel_columns[i]));
}

/* The rows from..to of the table are one panel. Of the two directions of a cable, the larger value is drawn. */
static int add_panel(struct panels *p, const struct options *o, const struct table *t, size_t from, size_t to, struct err *err)
{
    double edges, *value;
    struct net *net;

    if (net_open(&p->net[p->n], text_at(t, from, "topology"), err) < 0)
        return -1;
    net = p->net[p->n++];
    edges = net_edges(net, err);
    if (edges < 0)
        return -1;
    p->value[p->n - 1] = value = malloc(((size_t)edges + 1) * sizeof *value);
    if (!value)
        return err_memory(err);
    for (size_t e = 0; e < (size_t)edges; e++)
        value[e] = NAN;
    for (size_t r = from; r < to; r++) {
        int64_t edge;
        int a, b;

        if (cell_at(t, r, "to")->type == CELL_NONE)         /* out of the network */
            continue;
        if (net_node(net, text_at(t, r, "from"), &a, err) < 0 || net_node(net, text_at(t, r, "to"), &b, err) < 0 ||
            net_link(&edge, net, a, b, err) < 0)
            return -1;
        value[edge] = fmax(value[edge], real_at(t, r, "utilisation"));
    }
    name_panel(p->title[p->n - 1], t, from);
    p->drawing[p->n - 1] = (struct net_drawing){ .what = { .net = net, .seed = o->seed, .link_value = value },
                                                 .title = p->title[p->n - 1] };
    return 0;
}

static int plot_links(const struct options *o, const struct table *t, struct err *err)
{
    const struct axis open = { .from = NAN, .to = NAN };
    struct netplot plot = { .node = open, .link = open, .width = open };
    struct panels p = { 0 };
    int ret = -1;

    if (!o->plot)
        return 0;
    p.net = calloc(MOST_PANELS, sizeof *p.net);
    p.drawing = calloc(MOST_PANELS, sizeof *p.drawing);
    p.value = calloc(MOST_PANELS, sizeof *p.value);
    p.title = calloc(MOST_PANELS, sizeof *p.title);
    if (!p.net || !p.drawing || !p.value || !p.title || chart_axis(&plot.link, "Utilisation", NULL) < 0) {
        err_memory(err);
        goto done;
    }
    for (size_t from = 0, to; from < table_rows(t); from = to) {
        for (to = from + 1; to < table_rows(t) && same_panel(t, from, to);)
            to++;
        if (cell_at(t, from, "from")->type == CELL_NONE)    /* refused */
            continue;
        if (p.n == MOST_PANELS) {
            err_set(err, ERR_DOMAIN, "up to %d networks fit on one drawing; ask for fewer loads or routings", MOST_PANELS);
            goto done;
        }
        if (add_panel(&p, o, t, from, to, err) < 0)
            goto done;
    }
    plot.drawing = p.drawing;
    plot.n = p.n;
    ret = p.n ? netplot_write(&plot, &o->page, o->plot, err) :
        err_set(err, ERR_DOMAIN, "there is nothing to draw: no load could be computed");
done:
    free(plot.link.title);
    free(plot.link.unit);
    panels_release(&p);
    return ret;
}

/* ---- costs ------------------------------------------------------------------------------------------- */

static int plot_costs(const struct options *o, const struct table *t, struct err *err)
{
    static const char *const y[] = { "state_bits" }, *const may[] = { "routing", "traffic", "topology" };
    const bool policies = varies(t, "configuration");
    const char *by[3];
    const struct natural bars = { .kind = "bar", .x = policies ? "configuration" : "routing", .y = y, .ny = 1, .group = by,
                                  .ngroup = varying(by, t, may + !policies, policies ? 3 : 2), .y_scale = SCALE_LINEAR };

    return options_plot(o, t, &bars, err);
}

int latency_plot(const struct options *o, const struct table *t, enum latency_table which, struct err *err)
{
    switch (which) {
    case LATENCY_MAIN: return plot_loads(o, t, err);
    case LATENCY_CHANNELS: return plot_channels(o, t, err);
    case LATENCY_LINKS: return plot_links(o, t, err);
    case LATENCY_NODES: return plot_nodes(o, t, err);
    case LATENCY_COSTS: return plot_costs(o, t, err);
    }
    return 0;
}
