#include "cli/sweep/latency_figures.h"
#include "cli/request/latency_lines.h"
#include "cli/request/link_panels.h"
#include "cli/request/load.h"
#include "cli/request/look.h"
#include "render/chart/from_table.h"

/* ---- loads ------------------------------------------------------------------------------------------- */

static int latency_simulated(struct picture *f, const struct table *t, const struct natural *lines, const char *y,
                             const char *half, struct err *err)
{
    const struct chart_columns points = { .x = lines->x, .y = &y, .ny = 1, .lo = &half, .hi = &half,
                                          .group = lines->group, .ngroup = lines->ngroup, .over = "simulated" };

    return look_varies(t, y) ? chart_from_table(&f->chart, t, &points, err) : 0;
}

static int latency_figure_loads(struct picture *f, const struct table *t, const char *axis, struct err *err)
{
    static const char *const y[] = { "packet_latency_cycles" }, *const may[] = { "routing", "traffic", "topology" };
    const char *by[3];
    const size_t nby = look_varying(by, t, may, 3);
    const struct natural lines = { .kind = "line", .x = axis, .y = y, .ny = 1, .group = by, .ngroup = nby,
                                   .valid = "valid" };

    if (latency_figure_lines(f, t, &lines, err) < 0)
        return -1;
    return latency_simulated(f, t, &lines, "simulated_latency_cycles", "simulated_latency_confidence_cycles", err);
}

/* ---- streams ---------------------------------------------------------------------------------------- */

static int latency_figure_streams(struct picture *f, const struct table *t, const char *axis, struct err *err)
{
    static const char *const y[] = { "latency_cycles" }, *const may[] = { "routing", "traffic", "topology",
                                                                          "interval_cycles" },
                      *const over[] = { "channel", "routing", "traffic", "topology" };
    const bool several = look_varies(t, "interval_cycles");
    const char *by[4];
    const struct natural figure = {
        .kind = several ? "line" : "bar", .x = several ? axis : "channel", .y = y, .ny = 1, .group = by,
        .ngroup = look_varying(by, t, several ? over : may, several ? 4 : 3), .y_scale = several ? SCALE_AUTO :
        SCALE_LINEAR
    };

    return options_figure(f, t, &figure, err);
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

static int latency_figure_nodes(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const y[] = { "row" }, *const may[] = { "routing", "traffic", "topology", "interval_cycles" };
    const char *facet[4];
    struct natural map = { .kind = "heat", .x = "column", .y = y, .ny = 1, .z = "wait_cycles", .facet = facet };

    for (size_t r = 0; r < table_rows(t); r++)
        if (look_cell(t, r, "row")->type == CELL_NONE)
            return err_set(err, ERR_USAGE, "a map of nodes needs a network of two dimensions; %.200s has others (leave "
                           "out --plot, or take --show links)", look_text(t, r, "topology"));
    map.nfacet = look_varying(facet, t, may, 4);
    if (!look_varies(t, facet[0]))
        map.nfacet = 0;
    return options_figure(f, t, &map, err);
}

/* ---- links ------------------------------------------------------------------------------------------- */

static int latency_figure_links(struct picture *f, const struct table *t, const char *axis, struct err *err)
{
    const struct panel_column column[] = {
        { "topology", NULL, false }, { "traffic", NULL, false }, { "routing", NULL, true },
          { axis, strcmp(axis, "load") == 0 ? "load %.4g" : "every %.4g %s", false }
    };
    static const char *const value[] = { "utilisation" };
    const struct link_panels panels = { column, 4, value, 1, "Utilisation", NULL, false };

    return link_panels_figure(f, t, &panels, err);
}

/* ---- costs ------------------------------------------------------------------------------------------- */

static int latency_figure_costs(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const y[] = { "state_bits" }, *const may[] = { "routing", "traffic", "topology" };
    const bool policies = look_varies(t, "configuration");
    const char *by[3];
    const struct natural bars = { .kind = "bar", .x = policies ? "configuration" : "routing", .y = y, .ny = 1,
                                  .group = by, .ngroup = look_varying(by, t, may + !policies, policies ? 3 : 2),
                                  .y_scale = SCALE_LINEAR };

    return options_figure(f, t, &bars, err);
}

/* ---- traffic ----------------------------------------------------------------------------------------- */

static int latency_figure_traffic(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const y[] = { "source" }, *const may[] = { "traffic", "topology" };
    const char *facet[2];
    struct natural map = { .kind = "matrix", .x = "target", .y = y, .ny = 1, .z = "message_share", .facet = facet,
                           .nfacet = look_varying(facet, t, may, 2) };

    if (!look_varies(t, facet[0]))
        map.nfacet = 0;
    if (options_figure(f, t, &map, err) < 0)
        return -1;
    f->chart.ordered = true;
    f->chart.z.from = isnan(f->chart.z.from) ? 0 : f->chart.z.from;
    return 0;
}

int latency_figure(struct picture *f, const struct table *t, enum latency_table which, const char *axis,
                   struct err *err)
{
    switch (which) {
    case LATENCY_MAIN: return latency_figure_loads(f, t, axis, err);
    case LATENCY_CHANNELS: return latency_figure_streams(f, t, axis, err);
    case LATENCY_LINKS: return latency_figure_links(f, t, load_axis(NULL, t), err);
    case LATENCY_NODES: return latency_figure_nodes(f, t, err);
    case LATENCY_COSTS: return latency_figure_costs(f, t, err);
    case LATENCY_TRAFFIC: return latency_figure_traffic(f, t, err);
    }
    return 0;
}
