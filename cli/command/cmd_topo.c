#include "analysis/network/diversity.h"
#include "analysis/network/topo_report.h"
#include "cli/command/cmd.h"
#include "cli/command/topo_export.h"
#include "cli/sweep/network_cells.h"
#include "cli/request/drawing.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    bool no_symmetry, exact_connectivity, no_bisection;
    int sources;
    struct drawing_request drawing;
    const char *export, *routing;
    bool direct;                /* networks without hosts of their own were among them */
};

static const struct option_field topo_options[] = {
    { .help = "Model:", .group = 0 },
    { CMD_TOPO_SYMMETRY, 0, INTO(no_symmetry) },
    { CMD_TOPO_CONNECTIVITY, 0, INTO(exact_connectivity) },
    { CMD_TOPO_BISECTION, 0, INTO(no_bisection) }, SOURCES_OPTION,
    { CMD_TOPO_EXPORT, 0, INTO(export), .writes = true },
    { CMD_TOPO_ROUTING, 0, INTO(routing) }, { 0 }
};

/* ---- tables ---- */

#define N(m) MEMBER(0, struct net, m)
#define R(m) MEMBER(1, struct topo_report, m)
#define R_WHOLE(m) WHOLE(1, struct topo_report, m)

static const struct column topo_columns[] = {
    { "topology", NULL, NULL, 0, N(spec) }, { "nodes", NULL, NULL, 0, N(n) },
    { "terminals", NULL, NULL, 0, N(nterminal) }, PLAIN("cables"),
    { "links", "Links, one way", NULL, COLUMN_ASIDE, LOOSE },
    { "degree_min", "Least degree", NULL, COLUMN_ASIDE, R_WHOLE(degree_min) },
    { "degree_max", "Greatest degree", NULL, COLUMN_ASIDE, R_WHOLE(degree_max) },
    { "switches", NULL, NULL, 0, R_WHOLE(switches) },
    { "switch_ports", "Ports of a switch, at most", NULL, 0, R_WHOLE(switch_ports) },
    { "switch_cables", "Cables between switches", NULL, COLUMN_ASIDE, LOOSE },
    { "host_cables", "Cables to hosts", NULL, COLUMN_ASIDE, LOOSE },
    { "cables_per_host", "Cables per host", NULL, 2, LOOSE }, HARDWARE_SOME(1),
    { "parts", "Connected parts", NULL, COLUMN_ASIDE, R(parts) },
    { "diameter_hops", "Diameter", "hops", 0, LOOSE },
    { "diameter_lower_hops", "Diameter, at least", "hops", IF_FILLED(0), LOOSE },
    { "mean_distance_hops", "Mean distance", "hops", 4, R(mean_hops) },
    ESTIMATED("mean_distance", "_hops", "hops", -1), SOURCES_COLUMN,
    { "moore_diameter_hops", "Moore bound of diameter", "hops", COLUMN_ASIDE, R_WHOLE(moore_diameter) },
    { "cerf_mean_distance_hops", "Cerf bound of mean distance", "hops", COLUMN_ASIDE, R(moore_mean) },
    { "symmetry", "Symmetry", NULL, COLUMN_ASIDE, LOOSE },
    { "bisection_lower", "Bisection, at least", "cables", COLUMN_ASIDE, R_WHOLE(bisection_lower) },
    { "bisection_upper", "Bisection", "cables", 0, R_WHOLE(bisection_upper) },
    { "bisection_quality", "Bisection is", NULL, 0, LOOSE },
    { "bisection_bandwidth_lower", "Bisection bandwidth, at least", "unit links", COLUMN_ASIDE, R(bandwidth_lower) },
    { "bisection_bandwidth_upper", "Bisection bandwidth, at most", "unit links", COLUMN_ASIDE, R(bandwidth_upper) },
    { "edge_connectivity_lower", "Edge connectivity, at least", NULL, COLUMN_ASIDE, R_WHOLE(connectivity_lower) },
    { "edge_connectivity_upper", "Edge connectivity, at most", NULL, COLUMN_ASIDE, R_WHOLE(connectivity_upper) },
    ASIDE("quality")
};

static const struct column distribution_columns[] = {
    PLAIN("topology"),
    { "distance_hops", "Distance", "hops", 0, LOOSE },
    { "pairs", "Ordered pairs", NULL, 0, LOOSE },
    { "fraction", "Fraction of pairs", NULL, 5, LOOSE }, ESTIMATED("fraction", "", NULL, 5),
    { "cumulative", "Fraction of pairs, cumulative", NULL, 5, LOOSE }
};
static const struct column part_columns[] = {
    PLAIN("topology"), PLAIN("part"), PLAIN("nodes"),
    { "first_node", "A node of it", NULL, 0, LOOSE }
};
static const struct column diversity_columns[] = {
    PLAIN("topology"), PLAIN("paths"),
    { "paths_mean", "Mean", NULL, 2, LOOSE }, ESTIMATED("paths_mean", "", NULL, 2),
    { "paths_mean_at_most", "Mean, at most", NULL, IF_FILLED(2), LOOSE }, { "paths_least", "Least", NULL, 0, LOOSE },
    { "fraction_none", "None", NULL, IF_FILLED(4), LOOSE }, { "fraction_one", "One", NULL, 4, LOOSE },
    ESTIMATED("fraction_one", "", NULL, 4), { "fraction_two", "Two", NULL, 4, LOOSE },
    { "fraction_more", "Three and more", NULL, 4, LOOSE }, SOURCES_COLUMN
};

enum { TOPO_MAIN, TOPO_DISTRIBUTION, TOPO_PARTS, TOPO_DIVERSITY };
static const struct frame_table topo_tables[] = {
    [TOPO_MAIN] = { NULL, "Topologies", COLUMNS(topo_columns), .upright = true },
    [TOPO_DISTRIBUTION] = { "distribution", "Ordered pairs of terminals by distance", COLUMNS(distribution_columns) },
    [TOPO_PARTS] = { "parts", "Connected parts", COLUMNS(part_columns) },
    [TOPO_DIVERSITY] = { "diversity", "Paths of a pair of switches, and pairs with one, two, and more",
                         COLUMNS(diversity_columns) }, { 0 }
};

static void topo_row(struct job *j, const struct net *net, const struct topo_report *r)
{
    const int drawn = r->sample.sources;
    const char *bisection = r->bisection_source || r->bisection_lower == r->bisection_upper ? "exact" : "bound";

    hardware_show(j, r);
    if (r->parts > 1)
        column_show(j, 0, (const char *const[]){ "parts", NULL });
    if (((const struct request *)j->request)->exact_connectivity)
        column_show(j, 0, (const char *const[]){ "edge_connectivity_lower", "edge_connectivity_upper", NULL });
    if (net->cables.kind)
        column_show(j, -1, (const char *const[]){ "bisection_bandwidth_lower", "bisection_bandwidth_upper", NULL });
    table_add(j->t, ROW(
        MEMBERS(net, r), cell_count("cables", r->directed ? NAN : r->edges),
        cell_count("links", r->directed ? r->edges : 2 * r->edges), HARDWARE_CELLS(r),
        cell_count("diameter_hops", drawn ? NAN : r->diameter),
        cell_count("diameter_lower_hops", drawn ? r->diameter : NAN),
        ESTIMATE_CELLS("mean_distance", "_hops", drawn ? r->sample.error : NULL, METAPATH_MEAN),
        cell_count("sources", drawn ? (double)drawn : NAN), cell_text("symmetry", symmetry_name[r->symmetry]),
        cell_text("bisection_quality", isnan(r->bisection_lower) ? NULL : bisection),
        cell_text("quality", drawn ? "sampled" : "exact")));
}

static void topo_notes(struct table *t, const struct net *net, const struct topo_report *r)
{
    if (net->nterminal < net->n && table_shows(t, "diameter_hops,mean_distance_hops,distance_hops"))
        table_note(t, "%s: hops are between %s.", net->spec, r->host_cables == r->terminals ?
                   "hosts and count the links to both" : "terminals");
    if (net->cables.ndown) {
        char label[NET_LABEL], names[200] = "";
        size_t len = 0;
        int i = 0;

        for (; i < net->cables.ndown && len < 100; i++)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s%.60s", i ? ", " : "",
                                    net_label(net, net->cables.down[i], label));
        table_note(t, "%s: %s%s failed; %s counted among the nodes, but neither as switches nor as parts.", net->spec,
                   names, i < net->cables.ndown ? " and more" : "", net->cables.ndown > 1 ? "they are" : "it is");
    }
    if (r->parts > 1) {
        char sizes[120] = "";
        size_t len = 0;

        for (int i = 0; i < r->parts && i < 8; i++)
            len += (size_t)snprintf(sizes + len, sizeof sizes - len, "%s%d", i ? ", " : "", r->part_size[i]);
        table_note(t, "%s is not%s connected: %d parts of %s%s nodes (--show parts lists them).", net->spec,
                   net->directed ? " strongly" : "", r->parts, sizes, r->parts > 8 ? ", ..." : "");
    }
}

/* Each where what it explains is shown: `details` of columns that stand aside. */
static void topo_bound_notes(struct table *t, const struct net *net, const struct topo_report *r, bool details)
{
    static const char bisection[] = "bisection_lower,bisection_upper,bisection_quality,bisection_bandwidth_lower,"
                                    "bisection_bandwidth_upper";

    if (r->bisection_source && table_shows(t, bisection))
        table_note(t, "%s: bisection by closed form (%s).", net->spec, r->bisection_source);
    else if (r->bisection_lower < r->bisection_upper && table_shows(t, bisection))
        table_note(t, "%s: bisection: the best split found; at least %.0f by %s.", net->spec, r->bisection_lower,
                   r->bisection_lower > r->connectivity_lower ? "the load of shortest paths" : "edge connectivity");
    if (r->bandwidth_lower < r->bandwidth_upper && !cables_alike(&net->cables) && table_shows(t, bisection))
        table_note(t, "%s: bisection bandwidth between bounds: greatest load of shortest paths below, best split found "
                   "above.", net->spec);
    if (details && r->connectivity_lower < r->connectivity_upper &&
        table_shows(t, "edge_connectivity_lower,edge_connectivity_upper"))
        table_note(t, "%s: edge connectivity is bounded by the least degree; --connectivity exact computes it.",
                   net->spec);
    if (details && r->symmetry == SYMMETRY_UNKNOWN && table_shows(t, "symmetry"))
        table_note(t, "%s: the search for symmetries was not finished.", net->spec);
}

static void topo_distribution_rows(struct table *t, const struct net *net, const struct topo_report *r)
{
    double total = (double)r->pairs.unreachable, sum = 0;

    for (int d = 1; d <= r->pairs.longest; d++)
        total += (double)r->pairs.pairs[d];
    for (int d = 1; d <= r->pairs.longest; d++) {
        sum += (double)r->pairs.pairs[d];
        table_add(t, ROW(cell_text("topology", net->spec), cell_int("distance_hops", d),
                         r->sample.sources ? cell_none("pairs") : cell_int("pairs", (int64_t)r->pairs.pairs[d]),
                         cell_real("fraction", (double)r->pairs.pairs[d] / total),
                         ESTIMATE_CELLS("fraction", "", r->sample.bin_error, d),
                         cell_real("cumulative", sum / total)));
    }
    if (r->pairs.unreachable)
        table_note(t, "%s: %llu ordered pairs have no path.", net->spec, (unsigned long long)r->pairs.unreachable);
}

static void topo_part_rows(struct table *t, const struct net *net, const struct topo_report *r)
{
    char label[NET_LABEL];

    for (int i = 0; i < r->parts; i++)
        table_add(t, ROW(cell_text("topology", net->spec), cell_int("part", i + 1), cell_int("nodes", r->part_size[i]),
                         cell_text("first_node", net_label(net, r->part_node[i], label))));
}

/* ---- the work ---- */

static int topo_diversity(struct job *j, struct err *err)
{
    static const char *const name[DIVERSITY_WHATS] = { "shortest", "disjoint, shortest", "disjoint, +1 hop",
                                                       "disjoint, +2 hops", "disjoint, any length" };
    const struct request *q = j->request;
    const struct diversity_options o = { .no_symmetry = q->no_symmetry, .sources = q->sources, .jobs = q->common.jobs,
                                         .seed = q->common.seed, .tick = j->tick };
    struct diversity d;

    if (diversity(&d, j->net, &o, err) < 0)
        return -1;
    for (int w = 0; w < DIVERSITY_WHATS; w++) {
        const double *c = d.of[w];
        const struct estimate *e = d.sources ? d.error[w] : NULL;

        table_add(j->t, ROW(cell_text("topology", j->net->spec), cell_text("paths", name[w]),
            cell_real("paths_mean", c[DIVERSITY_MEAN]), ESTIMATE_CELLS("paths_mean", "", e, DIVERSITY_MEAN),
            cell_real("paths_mean_at_most", c[DIVERSITY_BOUND] > c[DIVERSITY_MEAN] ? c[DIVERSITY_BOUND] : (double)NAN),
            cell_count("paths_least", d.least[w]),
            cell_real("fraction_none", c[DIVERSITY_NONE] > 0 ? c[DIVERSITY_NONE] : (double)NAN),
            cell_real("fraction_one", c[DIVERSITY_ONE]), ESTIMATE_CELLS("fraction_one", "", e, DIVERSITY_ONE),
            cell_real("fraction_two", c[DIVERSITY_TWO]), cell_real("fraction_more", c[DIVERSITY_MORE]),
            cell_count("sources", d.sources ? (double)d.sources : NAN)));
    }
    sources_note(j, q->sources, d.sources, j->net->spec, "means and fractions are estimates");
    return 0;
}

static int topo_network(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const struct topo_report_options o = { .jobs = q->common.jobs, .tick = j->tick, .no_symmetry = q->no_symmetry,
                                           .exact_connectivity = q->exact_connectivity,
                                           .bisection = !q->no_bisection && j->which == TOPO_MAIN,
                                           .sources = q->sources, .seed = q->common.seed };
    struct topo_report r;
    bool direct = false;

    if (q->export && topo_export(j, q->export, q->routing, err) < 0)
        return -1;
    if (j->which == TOPO_DIVERSITY)
        return topo_diversity(j, err);
    if (topo_report(&r, j->net, &o, err) < 0)
        return -1;
    if (j->which == TOPO_MAIN) {
        direct = r.host_cables == 0;
        topo_row(j, j->net, &r);
        topo_notes(j->t, j->net, &r);
        topo_bound_notes(j->t, j->net, &r, j->o->wide || j->o->columns.n || !j->o->format->people);
    } else if (j->which == TOPO_DISTRIBUTION) {
        topo_distribution_rows(j->t, j->net, &r);
    } else {
        topo_part_rows(j->t, j->net, &r);
    }
    if (j->which != TOPO_PARTS)
        sources_note(j, r.parts > 1 ? 0 : q->sources, r.sample.sources, j->net->spec, "distances are estimates");
    topo_report_release(&r);
    return direct ? job_fact(j, err, "direct") : 0;
}

static int topo_fact(struct job *j, const char *text, struct err *)
{
    ((struct request *)j->request)->direct |= strcmp(text, "direct") == 0;
    return 0;
}

static int topo_finish(struct job *j, struct err *)
{
    if (((const struct request *)j->request)->direct && table_shows(j->t, "switch_ports,cables_per_host,host_cables"))
        table_note(j->t, "Without cables to hosts a node is a switch with its host within: a port, but no cable.");
    return 0;
}

/* The plain table's figure is a drawing of the networks; that of a distribution, its chart. */
static int topo_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const y[] = { "fraction" }, *const group[] = { "topology" },
        *const share[] = { "fraction_one", "fraction_two", "fraction_more" };
    static const struct natural chart = { .kind = "line", .x = "distance_hops", .y = y, .ny = 1, .group = group,
                                          .ngroup = 1, .y_scale = SCALE_LINEAR };
    static const struct natural shares = { .kind = "bar", .x = "paths", .y = share, .ny = 3, .facet = group, .nfacet = 1,
                                           .y_scale = SCALE_LINEAR };
    const struct request *q = f->request;

    if (which == TOPO_DISTRIBUTION)
        return options_figure(f, t, &chart, err);
    if (which == TOPO_DIVERSITY)
        return options_figure(f, t, &shares, err) < 0 ? -1 :
            chart_axis(&f->chart.y, "Share of pairs", NULL) < 0 ? err_memory(err) : 0;
    if (!q)
        return err_set(err, ERR_USAGE, "these are networks: `metapath topo SPEC... --plot FILE` draws them; to compare "
                       "their numbers name columns, as in -x topology -y mean_distance_hops");
    f->drawn = true;
    return drawing_write(&q->drawing, f->o, &f->o->spec, err);
}

static int topo_check(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const bool chart = j->which == TOPO_DISTRIBUTION || j->which == TOPO_DIVERSITY;

    if (q->export && j->o->spec.n > 1)
        return err_set(err, ERR_USAGE, "--export writes one network, but there are %zu", j->o->spec.n);
    if (q->routing && !q->export)
        return err_set(err, ERR_USAGE, "--routing is that whose tables --export opensm:FILE writes; add that");
    if (drawing_asked(&q->drawing) && (!j->o->plot || chart))
        return err_set(err, ERR_USAGE, "highlights, layouts and values of nodes and links are for the drawing of a "
                       "network: add --plot FILE%s%s", chart ? " without --show " : "", chart ? j->o->show : "");
    return 0;
}

static const struct frame topo_frame = {
    CMD_TOPO_FRAME, .option = topo_options,
    .shared = (const struct option_part[]){ { drawing_options, offsetof(struct request, drawing) }, { 0 } },
    FRAME_REQUEST(struct request, .common = { 0 }), .table = topo_tables, .plots = true, .check = topo_check,
    .network = topo_network, .fact = topo_fact, .finish = topo_finish, .figure = topo_figure
};

const struct cmd cmd_topo = { CMD_TOPO_ENTRY, .frame = &topo_frame };
