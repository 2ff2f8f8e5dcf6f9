#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/network/topo_report.h"
#include "cli/command/cmd.h"
#include "cli/request/drawing.h"
#include "cli/request/options.h"
#include "graph/topology/topo.h"

struct request {
    struct options common;
    struct strings spec;
    struct topo_report_options o;
    struct drawing_request drawing;
    bool no_bisection;
};
enum { KEY_SYMMETRY = 0x100, KEY_CONNECTIVITY, KEY_BISECTION, KEY_LAYOUT, KEY_NODES, KEY_NODE_COLOUR, KEY_LINKS,
       KEY_LINK_COLOUR, KEY_LINK_WIDTH, KEY_HIGHLIGHT, KEY_LABELS };

static const struct argp_option option[] = {
    { "symmetry", KEY_SYMMETRY, "auto|none", 0,
      "none: distances from every node, whatever is known of the network (default: auto)", 0 },
    { "connectivity", KEY_CONNECTIVITY, "auto|exact", 0,
      "exact: edge connectivity by maximum flows on any size (default: up to 2000 nodes, beyond that bounds)", 0 },
    { "bisection", KEY_BISECTION, "auto|none", 0, "none: no search for bounds (default: auto)", 0 },
    { NULL, 0, NULL, 0, "The drawing (--plot):", 1 },
    { "highlight", KEY_HIGHLIGHT, "WHAT", 0, "nodes:A,B  path:A-B-C  cycle:A-B-C  route:A-B  supernode:sga:1:A  metapath:sga:1:A-B  "
      "tree:binomial:A; may be repeated", 1 },
    { "nodes", KEY_NODES, "FILE.csv", 0, "values of nodes, by a column `node`", 1 },
    { "node-colour", KEY_NODE_COLOUR, "COLUMN", 0, "of that file: the colour of nodes", 1 },
    { "links", KEY_LINKS, "FILE.csv", 0, "values of links, by columns `from` and `to`; of two directions the larger counts", 1 },
    { "link-colour", KEY_LINK_COLOUR, "COLUMN", 0, "of that file: the colour of links", 1 },
    { "link-width", KEY_LINK_WIDTH, "COLUMN", 0, "of that file: the width of links", 1 },
    { "layout", KEY_LAYOUT, "NAME", 0, "`metapath list layout` names them (default: as is natural to the family)", 1 },
    { "labels", KEY_LABELS, "auto|none", 0, "of nodes (default: auto, where they fit)", 1 },
    { 0 }
};

static int parse_drawing(int key, char *arg, struct drawing_request *d, struct err *err)
{
    static const char *const labels[] = { "auto", "none", NULL };
    int which;

    switch (key) {
    case KEY_HIGHLIGHT: return strings_add(&d->highlight, arg, err);
    case KEY_NODES: d->nodes = arg; return 0;
    case KEY_LINKS: d->links = arg; return 0;
    case KEY_NODE_COLOUR: d->node_colour = arg; return 0;
    case KEY_LINK_COLOUR: d->link_colour = arg; return 0;
    case KEY_LINK_WIDTH: d->link_width = arg; return 0;
    case KEY_LAYOUT: d->layout = arg; return 0;
    case KEY_LABELS:
        which = option_choice("--labels", arg, labels, err);
        d->no_labels = which == 1;
        return which < 0 ? -1 : 0;
    default: return 1;
    }
}

static int parse(int key, char *arg, void *own, struct err *err)
{
    static const char *const symmetry[] = { "auto", "none", NULL }, *const connectivity[] = { "auto", "exact", NULL };
    struct request *q = own;
    int which = 0;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_SYMMETRY:
        which = option_choice("--symmetry", arg, symmetry, err);
        q->o.no_symmetry = which == 1;
        break;
    case KEY_CONNECTIVITY:
        which = option_choice("--connectivity", arg, connectivity, err);
        q->o.exact_connectivity = which == 1;
        break;
    case KEY_BISECTION:
        which = option_choice("--bisection", arg, symmetry, err);
        q->no_bisection = which == 1;
        break;
    default: return parse_drawing(key, arg, &q->drawing, err);
    }
    return which < 0 ? -1 : 0;
}

static const struct column columns[] = {
    { "topology", NULL, NULL, 0 },
    { "nodes", NULL, NULL, 0 },
    { "terminals", NULL, NULL, 0 },
    { "cables", NULL, NULL, 0 },
    { "links", "Links, one way", NULL, 0 },
    { "degree_min", "Least degree", NULL, 0 },
    { "degree_max", "Greatest degree", NULL, 0 },
    { "parts", "Connected parts", NULL, 0 },
    { "diameter_hops", "Diameter", "hops", 0 },
    { "mean_distance_hops", "Mean distance", "hops", 4 },
    { "moore_diameter_hops", "Moore bound of diameter", "hops", 0 },
    { "cerf_mean_distance_hops", "Cerf bound of mean distance", "hops", 4 },
    { "symmetry", "Symmetry", NULL, 0 },
    { "bisection_lower", "Bisection, at least", "cables", 0 },
    { "bisection_upper", "Bisection, at most", "cables", 0 },
    { "bisection_quality", "Bisection is", NULL, 0 },
    { "edge_connectivity_lower", "Edge connectivity, at least", NULL, 0 },
    { "edge_connectivity_upper", "Edge connectivity, at most", NULL, 0 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};

static void count_or_none(struct table *t, double x)
{
    if (isnan(x) || isinf(x))
        table_none(t);
    else
        table_int(t, (int64_t)x);
}

static void add_row(struct table *t, const struct net *net, const struct topo_report *r)
{
    table_text(t, net->spec);
    table_int(t, net->n);
    table_int(t, net->nterminal);
    count_or_none(t, r->directed ? NAN : r->edges);
    count_or_none(t, r->directed ? r->edges : 2 * r->edges);
    count_or_none(t, r->degree_min);
    count_or_none(t, r->degree_max);
    table_int(t, r->parts);
    count_or_none(t, r->diameter);
    table_real(t, r->mean_hops);
    count_or_none(t, r->moore_diameter);
    table_real(t, r->moore_mean);
    table_text(t, symmetry_name[r->symmetry]);
    count_or_none(t, r->bisection_lower);
    count_or_none(t, r->bisection_upper);
    table_text(t, isnan(r->bisection_lower) ? NULL : r->bisection_source || r->bisection_lower == r->bisection_upper
                                                       ? "exact" : "bounds");
    count_or_none(t, r->connectivity_lower);
    count_or_none(t, r->connectivity_upper);
    table_text(t, "exact");
}

static void add_notes(struct table *t, const struct net *net, const struct topo_report *r)
{
    if (net->nterminal < net->n)
        table_note(t, "%s: %d of its nodes are switches; hops, pairs and bisection are between terminals.", net->spec,
                   net->n - net->nterminal);
    if (r->parts > 1) {
        char sizes[120] = "";
        size_t len = 0;

        for (int i = 0; i < r->parts && i < 8; i++)
            len += (size_t)snprintf(sizes + len, sizeof sizes - len, "%s%d", i ? ", " : "", r->part_size[i]);
        table_note(t, "%s is not%s connected: %d parts of %s%s nodes (--show parts lists them).", net->spec,
                   net->directed ? " strongly" : "", r->parts, sizes, r->parts > 8 ? ", ..." : "");
    }
    if (r->bisection_source)
        table_note(t, "%s: bisection by closed form (%s).", net->spec, r->bisection_source);
    else if (r->bisection_lower < r->bisection_upper)
        table_note(t, "%s: bisection between bounds: %s below, best split found above.", net->spec,
                   r->bisection_lower > r->connectivity_lower ? "greatest load of shortest paths" : "edge connectivity");
    if (r->connectivity_lower < r->connectivity_upper)
        table_note(t, "%s: edge connectivity is bounded by the least degree; --connectivity exact computes it.",
                   net->spec);
    if (r->symmetry == SYMMETRY_UNKNOWN)
        table_note(t, "%s: the search for symmetries was not finished.", net->spec);
}

static const struct column distribution[] = {
    { "topology", NULL, NULL, 0 },
    { "distance_hops", "Distance", "hops", 0 },
    { "pairs", "Ordered pairs", NULL, 0 },
    { "fraction", "Fraction of pairs", NULL, 5 },
    { "cumulative", "Fraction of pairs, cumulative", NULL, 5 }
};
static const struct column parts[] = {
    { "topology", NULL, NULL, 0 },
    { "part", NULL, NULL, 0 },
    { "nodes", NULL, NULL, 0 },
    { "first_node", "A node of it", NULL, 0 }
};

static void add_distribution(struct table *t, const struct net *net, const struct topo_report *r)
{
    double total = (double)r->pairs.unreachable, sum = 0;

    for (int d = 1; d <= r->pairs.longest; d++)
        total += (double)r->pairs.pairs[d];
    for (int d = 1; d <= r->pairs.longest; d++) {
        sum += (double)r->pairs.pairs[d];
        table_text(t, net->spec);
        table_int(t, d);
        table_int(t, (int64_t)r->pairs.pairs[d]);
        table_real(t, (double)r->pairs.pairs[d] / total);
        table_real(t, sum / total);
    }
    if (r->pairs.unreachable)
        table_note(t, "%s: %llu ordered pairs have no path.", net->spec, (unsigned long long)r->pairs.unreachable);
}

static void add_parts(struct table *t, const struct net *net, const struct topo_report *r)
{
    char label[96];

    for (int i = 0; i < r->parts; i++) {
        table_text(t, net->spec);
        table_int(t, i + 1);
        table_int(t, r->part_size[i]);
        table_text(t, net_label(net, r->part_node[i], label));
    }
}

static int one_network(struct table *t, const struct request *q, const char *spec, struct tick tick, struct err *err)
{
    struct topo_report_options o = q->o;
    struct topo_report r;
    struct net *net;

    o.jobs = q->common.jobs;
    o.tick = tick;
    o.bisection = !q->no_bisection && !q->common.show;
    if (net_open(&net, spec, err) < 0)
        return -1;
    if (topo_report(&r, net, &o, err) < 0) {
        net_close(net);
        return -1;
    }
    table_request(t, "topology", net->spec);
    if (!q->common.show) {
        add_row(t, net, &r);
        add_notes(t, net, &r);
    } else if (strcmp(q->common.show, "distribution") == 0) {
        add_distribution(t, net, &r);
    } else {
        add_parts(t, net, &r);
    }
    topo_report_release(&r);
    net_close(net);
    return 0;
}

/* A network of a sweep that could not be looked at: its name, and why. */
static void add_refused(struct table *t, const char *spec, const struct err *err)
{
    table_text(t, spec);
    for (size_t i = 2; i < t->ncolumn; i++)
        table_none(t);
    table_text(t, t->column[t->ncolumn - 1].decimals == COLUMN_ASIDE ? "refused" : NULL);    /* quality */
    table_note(t, "%s", err->msg);
}

static int fill(struct table *t, const struct request *q, struct progress *p, struct refused *refused, struct err *err)
{
    const struct tick whole = progress_tick(p);
    const double n = (double)q->spec.n;

    for (size_t i = 0; i < q->spec.n; i++)
        if (one_network(t, q, q->spec.item[i], tick_part(&whole, (double)i / n, (double)(i + 1) / n), err) < 0) {
            if (!refused_take(refused, q->spec.n > 1, err))
                return -1;
            add_refused(t, q->spec.item[i], err);
        }
    return 0;
}

/* The plain table's figure is a drawing of the networks; that of a distribution, its chart. */
static int plot(struct request *q, const struct table *shown, struct err *err)
{
    static const char *const y[] = { "fraction" }, *const group[] = { "topology" };
    static const struct natural chart = { .kind = "line", .x = "distance_hops", .y = y, .ny = 1, .group = group, .ngroup = 1,
                                          .y_scale = SCALE_LINEAR };

    if (!q->common.plot)
        return 0;
    if (q->common.show && strcmp(q->common.show, "distribution") == 0)
        return options_plot(&q->common, shown, &chart, err);
    return drawing_write(&q->drawing, &q->common, &q->spec, err);
}

static int check_drawing(const struct request *q, struct err *err)
{
    bool chart = q->common.show && strcmp(q->common.show, "distribution") == 0;

    if (drawing_asked(&q->drawing) && (!q->common.plot || chart))
        return err_set(err, ERR_USAGE, "highlights, layouts and values of nodes and links are for the drawing of a network: "
                       "add --plot FILE%s", chart ? " without --show distribution" : "");
    return 0;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "distribution", "parts", NULL };
    struct request q = { .common = { .shows = shows, .plots = true } };
    const struct option_run r = { option, parse, "SPEC...",
        "Sizes, distances and bounds of networks.\vSPEC names a topology (`metapath list topology`) or a file. Hops are "
        "links crossed, weights ignored; averages are over ordered pairs of different terminals.", &q };
    struct refused refused = { 0 };
    struct progress p;
    struct table t = { 0 };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    if (q.spec.n == 0) {
        err_set(err, ERR_USAGE, "topo needs a topology, as in `metapath topo torus:8x8`");
        goto done;
    }
    if (check_drawing(&q, err) < 0)
        goto done;
    progress_begin(&p, q.common.progress);
    if (!q.common.show)
        table_init(&t, "Topologies", columns, sizeof columns / sizeof *columns);
    else if (strcmp(q.common.show, "distribution") == 0)
        table_init(&t, "Ordered pairs of terminals by distance", distribution, sizeof distribution / sizeof *distribution);
    else
        table_init(&t, "Connected parts", parts, sizeof parts / sizeof *parts);
    t.upright = !q.common.show;
    ret = fill(&t, &q, &p, &refused, err);
    if (ret == 0)
        ret = plot(&q, &t, err);
    progress_end(&p);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    drawing_release(&q.drawing);
    return ret;
}

const struct cmd cmd_topo = {
    .name = "topo",
    .group = "Network",
    .synopsis = "metapath topo SPEC...",
    .summary = "sizes, distances, bisection, connectivity and bounds of networks; networks drawn",
    .run = run
};
