#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/capacity.h"
#include "analysis/bound/simple_bounds.h"
#include "analysis/bound/throughput.h"
#include "cli/bound/bound.h"
#include "cli/request/link_panels.h"
#include "cli/request/load.h"
#include "cli/request/look.h"
#include "cli/request/options.h"
#include "graph/base/num.h"

struct request {
    struct options common;
    struct strings spec, traffic, paths, routing;
    const char *capacity, *write;
    enum throughput_method method;
    double gap, packet;
    int64_t tries;              /* cables of which to find the gain */
    bool unfolded;
};
enum { KEY_PATHS = 0x100, KEY_METHOD, KEY_GAP, KEY_CAPACITY, KEY_WRITE, KEY_TRY };      /* the others are those of load.h */

static const struct argp_option option[] = {
    { "traffic", KEY_TRAFFIC, "LIST", 0, "who sends to whom, as in uniform,transpose,file:channels.csv (default: uniform; "
      "`metapath list traffic`); worst:ROUTING is what that routing serves worst", 1 },
    { "paths", KEY_PATHS, "LIST", 0, "what paths may be taken: any, shortest, shortest+K (at most K hops more), k-shortest:K (the K shortest "
      "of each pair), or the ways of a routing in any shares, as in metapath:sga:1 or table:FILE (default: any)", 1 },
    { "routing", KEY_ROUTING, "LIST", 0, "beside it, what these routings reach with shares of their own, as in dor,ecmp,valiant", 1 },
    { "capacity", KEY_CAPACITY, "WHAT", 0, "of links: unit (1 each), weights (of the network file) or a FILE.csv with from,to,capacity (a row "
      "is about both directions unless the other has its own; links without one have 1) (default: weights where the file says "
      "weight=capacity, else unit)", 1 },
    { "packet", KEY_PACKET, "FLITS", 0, "transmission time in cycles of channels that have an interval but no time of their own (default: "
      "10)", 1 },
    { "method", KEY_METHOD, "auto|arcs|columns", 0, "arcs: the whole program at once, exact; columns: paths as they are needed, until the gap "
      "is closed (default: arcs where it is small)", 2 },
    { "gap", KEY_GAP, "PERCENT", 0, "of columns: how far apart what is reached and what is proved may be, as in 0.1%; 0 for none (default: "
      "none for small programs, else 1%)", 2 },
    { "symmetry", KEY_SYMMETRY, "auto|none", 0, "none: every source for itself, even where they are alike (default: auto)", 2 },
    { "try", KEY_TRY, "N", 0, "with --show prices: what a second cable beside each of the N dearest really gains, a program each", 3 },
    { "write-lp", KEY_WRITE, "FILE", 0, "write the linear program for other solvers: CPLEX LP (.lp) or free MPS (.mps, where a maximum "
      "has its sign changed); of columns, those at hand in the end", 3 },
    { 0 }
};

static int gap_of(double *gap, const char *arg, struct err *err)
{
    const size_t len = strlen(arg);
    char text[40];

    if (len == 0 || len >= sizeof text)
        return err_set(err, ERR_USAGE, "--gap '%.40s' is no percentage", arg);
    memcpy(text, arg, len + 1);
    if (text[len - 1] == '%')
        text[len - 1] = '\0';
    if (option_real(gap, text, 0, 99, "--gap", err) < 0)
        return -1;
    *gap /= 100;
    return 0;
}

static int parse(int key, char *arg, void *own, struct err *err)
{
    static const char *const methods[] = { "auto", "arcs", "columns", NULL }, *const symmetry[] = { "auto", "none", NULL };
    struct request *q = own;
    int which;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_TRAFFIC: return strings_add_list(&q->traffic, arg, err);
    case KEY_PATHS: return strings_add_list(&q->paths, arg, err);
    case KEY_ROUTING: return strings_add_list(&q->routing, arg, err);
    case KEY_CAPACITY: q->capacity = arg; return 0;
    case KEY_PACKET: return option_real(&q->packet, arg, 1e-9, 1e12, "--packet", err);
    case KEY_GAP: return gap_of(&q->gap, arg, err);
    case KEY_WRITE: q->write = arg; return 0;
    case KEY_TRY: return num_int(&q->tries, arg, 1, 1000000, "--try", err);
    case KEY_METHOD:
        which = option_choice("--method", arg, methods, err);
        q->method = (enum throughput_method)which;
        return which < 0 ? -1 : 0;
    case KEY_SYMMETRY:
        which = option_choice("--symmetry", arg, symmetry, err);
        q->unfolded = which == 1;
        return which < 0 ? -1 : 0;
    default: return 1;
    }
}

/* ---- tables ---- */

static const struct column main_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "paths", NULL, NULL, 0 },
    { "per_node", "Per node", "of a link", -1 },
    { "per_channel", "Per channel", "of a link", -1 },
    { "scale", "Times the demand", NULL, -1 },
    { "per_pair", "Per pair", "of a link", -1 },
    { "upper_bound", "Proved bound", NULL, -1 },
    { "gap_percent", "Gap", "%", 3 },
    { "of_first", "Of the first", NULL, 3 },
    { "mean_hops", NULL, "hops", 3 },
    { "distance_bound", "By distance", NULL, -1 },
    { "bisection_bound", "By bisection", NULL, -1 },
    { "moore_bound", "By Moore", NULL, -1 },
    { "method", NULL, NULL, 0 },
    { "lp_rows", NULL, NULL, COLUMN_ASIDE },
    { "lp_columns", NULL, NULL, COLUMN_ASIDE },
    { "rounds", NULL, NULL, COLUMN_ASIDE },
    { "distinct_sources", NULL, NULL, COLUMN_ASIDE },
    { "distinct_links", NULL, NULL, COLUMN_ASIDE },
    { "quality", NULL, NULL, 0 }
};
static const struct column link_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "paths", NULL, NULL, 0 },
    { "from", NULL, NULL, 0 },
    { "to", NULL, NULL, 0 },
    { "capacity", NULL, NULL, -1 },
    { "load", "Load", "of its capacity", 4 },
    { "price", "Price", NULL, -1 },
    { "gain", "Gain by a second", NULL, -1 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
enum { COLUMNS = sizeof main_columns / sizeof *main_columns };

struct place {                  /* where a row stands */
    const struct request *q;
    struct table *t;
    struct refused *refused;
    bool links;                 /* --show links */
    struct net *net;
    const struct traffic *traffic;
    const struct demand *d;
    const char *paths;
    double first;               /* theta of the first row about this traffic, 0 before it */
    struct simple_bounds simple;
};

static void name_row(const struct place *p)
{
    table_text(p->t, p->net->spec);
    table_text(p->t, p->traffic->spec);
    table_text(p->t, p->paths);
}

static const char *quality(const struct throughput *r)
{
    return r->method == THROUGHPUT_ROUTING || r->gap <= 1e-7 ? "exact" : "bound";
}

static void link_rows(const struct place *p, const struct throughput *r, const double *gain)
{
    char label[96];

    for (size_t l = 0; l < r->nlink; l++) {
        name_row(p);
        table_text(p->t, net_label(p->net, r->from[l], label));
        table_text(p->t, net_label(p->net, r->to[l], label));
        table_real(p->t, r->capacity[l]);
        table_real(p->t, r->load[l]);
        table_real(p->t, r->price[l]);
        table_real(p->t, gain ? gain[l] : NAN);
        table_text(p->t, quality(r));
    }
}

static void main_row(const struct place *p, const struct throughput *r)
{
    const enum demand_unit unit = p->d->unit;
    const bool routing = r->method == THROUGHPUT_ROUTING;
    const double pairs = p->net->nterminal - 1.0;

    name_row(p);
    table_real(p->t, unit == DEMAND_NODE ? r->theta : NAN);
    table_real(p->t, unit == DEMAND_STREAM ? r->theta : NAN);
    table_real(p->t, unit == DEMAND_GIVEN ? r->theta : NAN);
    table_real(p->t, p->d->uniform ? r->theta / pairs : NAN);
    table_real(p->t, r->bound);
    table_real(p->t, 100 * r->gap);
    table_real(p->t, p->first > 0 ? r->theta / p->first : NAN);
    table_real(p->t, r->hops);
    table_real(p->t, r->distance_bound);
    table_real(p->t, routing ? NAN : p->simple.bisection);
    table_real(p->t, routing ? NAN : p->simple.moore);
    table_text(p->t, throughput_method_name[r->method]);
    table_int(p->t, (int64_t)r->rows);
    table_int(p->t, (int64_t)r->columns);
    table_int(p->t, (int64_t)r->rounds);
    table_int(p->t, (int64_t)r->sources);
    table_int(p->t, (int64_t)r->links);
    table_text(p->t, quality(r));
}

/* Cells after the name, up to the last, which says `what`. */
static void marked_row(const struct place *p, double theta, const char *what)
{
    const size_t columns = p->t->ncolumn;

    name_row(p);
    for (size_t i = 3; i + 1 < columns; i++)
        if (i == 3 && !p->links && !isnan(theta))
            table_real(p->t, theta);
        else
            table_none(p->t);
    table_text(p->t, what);
}

static void add_result(struct place *p, const struct throughput *r, const double *gain)
{
    char a[96], b[96];

    if (r->lost[0] >= 0) {
        marked_row(p, 0, "exact");
        table_note(p->t, "%s, %s: throughput is 0, for there is no path from %s to %s.", p->net->spec, p->traffic->spec,
                   net_label(p->net, r->lost[0], a), net_label(p->net, r->lost[1], b));
        return;
    }
    if (!(p->first > 0))
        p->first = r->theta;
    if (p->links)
        link_rows(p, r, gain);
    else
        main_row(p, r);
}

/* ---- rows ---- */

/* "shortest+2", "k-shortest:4", "metapath:sga:1"; the name that the row gets. */
static int paths_of(struct throughput_options *o, struct routing *ways, const char **name, const char *text, struct net *net,
                    struct err *err)
{
    int64_t n = 0;

    *name = text;
    if (strcmp(text, "any") == 0) {
        o->paths = PATHS_ANY;
        return 0;
    }
    if (strcmp(text, "shortest") == 0 || strncmp(text, "shortest+", 9) == 0) {
        if (text[8] && num_int(&n, text + 9, 0, 1000, "the hops of --paths shortest+K", err) < 0)
            return -1;
        o->paths = PATHS_SLACK;
        o->extra = (int)n;
        return 0;
    }
    if (strncmp(text, "k-shortest:", 11) == 0) {
        if (num_int(&n, text + 11, 1, 10000, "the number of --paths k-shortest:K", err) < 0)
            return -1;
        o->paths = PATHS_FEWEST;
        o->extra = (int)n;
        return 0;
    }
    if (routing_open(ways, net, text, err) < 0)
        return err->code == ERR_USAGE ? err_at(err, "--paths '%.80s' is none of any, shortest, shortest+K and k-shortest:K", text) : -1;
    if (!ways->route->ways) {
        err_set(err, ERR_USAGE, "routing '%.100s' chooses hop by hop and leaves nothing open: --paths takes metapath:SUPERNODE, table:FILE or "
                "valiant, whose ways may have any shares; --routing tells what this one reaches", ways->spec);
        routing_close(ways);
        return -1;
    }
    *name = ways->spec;
    o->paths = PATHS_WAYS;
    o->ways = ways;
    return 0;
}

static int try_cables(double **gain, const struct place *p, const struct throughput *r, const struct throughput_options *o, struct err *err)
{
    *gain = malloc((r->nlink + 1) * sizeof **gain);
    return *gain ? throughput_gain(*gain, r, p->net, p->d, o, (size_t)p->q->tries, err) : err_memory(err);
}

/* One row: the best over `text`'s paths, or (`fixed`) what that routing reaches. */
static int one_row(struct place *p, const char *text, bool fixed, const struct throughput_options *common, struct err *err)
{
    struct throughput_options o = *common;
    struct throughput r = { 0 };
    struct routing routing = { 0 };
    double *gain = NULL;
    int ret;

    p->paths = text;
    if (fixed) {
        ret = routing_open(&routing, p->net, text, err);
        if (ret == 0) {
            p->paths = routing.spec;
            ret = throughput_of_routing(&r, p->net, p->d, &routing, &o, err);
        }
    } else {
        ret = paths_of(&o, &routing, &p->paths, text, p->net, err);
        if (ret == 0)
            ret = throughput_open(&r, p->net, p->d, &o, err);
    }
    if (ret == 0 && p->q->tries && !fixed && r.lost[0] < 0)
        ret = try_cables(&gain, p, &r, &o, err);
    if (ret == 0) {
        add_result(p, &r, gain);
    } else if (refused_take(p->refused, p->q->spec.n + p->q->traffic.n + p->q->paths.n + p->q->routing.n > 1, err)) {
        marked_row(p, NAN, "refused");
        table_note(p->t, "%s, %s, %s: %s.", p->net->spec, p->traffic->spec, p->paths, err->msg);
        ret = 0;
    }
    free(gain);
    throughput_close(&r);
    routing_close(&routing);
    return ret;
}

static int all_rows(struct place *p, const double *capacity, const struct tick *whole, struct err *err)
{
    const struct request *q = p->q;
    const size_t n = q->paths.n + q->routing.n;

    if (p->d->uniform && !capacity && !p->links && simple_bounds(&p->simple, p->net, whole, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)n, (double)(i + 1) / (double)n);
        const struct throughput_options o = { .method = q->method, .gap = q->gap, .unfolded = q->unfolded, .capacity = capacity,
                                              .write = q->write, .tick = &part };
        const bool fixed = i >= q->paths.n;

        if (one_row(p, fixed ? q->routing.item[i - q->paths.n] : q->paths.item[i], fixed, &o, err) < 0)
            return -1;
    }
    return 0;
}

static int one_traffic(struct place *p, const char *text, const struct tick *part, struct err *err)
{
    const struct worst_options worst = { .unfolded = p->q->unfolded, .jobs = p->q->common.jobs, .tick = part };
    struct traffic traffic = { 0 };
    struct demand d = { 0 };
    double *capacity = NULL;
    int ret = -1;

    p->first = 0;
    p->simple = (struct simple_bounds){ NAN, NAN };
    if (capacity_open(&capacity, p->net, p->q->capacity, err) == 0 &&
        load_traffic(&traffic, p->net, text, capacity, &worst, err) == 0 &&
        demand_open(&d, &traffic, p->q->packet, part, err) == 0) {
        p->traffic = &traffic;
        p->d = &d;
        table_request(p->t, "traffic", traffic.spec);
        ret = all_rows(p, capacity, part, err);
    }
    free(capacity);
    demand_close(&d);
    traffic_release(&traffic);
    return ret;
}

/* A traffic or network that cannot be had: in a sweep, a row says so. */
static int pass_over(struct place *p, const char *topology, const char *traffic, struct err *err)
{
    if (!refused_take(p->refused, p->q->spec.n + p->q->traffic.n > 2, err))
        return -1;
    table_text(p->t, topology);
    table_text(p->t, traffic);
    for (size_t i = 2; i + 1 < p->t->ncolumn; i++)
        table_none(p->t);
    table_text(p->t, "refused");
    table_note(p->t, "%s, %s: %s.", topology, traffic, err->msg);
    return 0;
}

static int compute(struct place *p, struct err *err)
{
    const struct request *q = p->q;
    const size_t n = q->spec.n * q->traffic.n;
    struct progress progress;
    int ret = 0;

    progress_begin(&progress, q->common.progress);
    for (size_t i = 0; ret == 0 && i < q->spec.n; i++) {
        ret = net_open(&p->net, q->spec.item[i], err);
        if (ret < 0) {
            ret = pass_over(p, q->spec.item[i], NULL, err);
            continue;
        }
        table_request(p->t, "topology", p->net->spec);
        for (size_t k = 0; ret == 0 && k < q->traffic.n; k++) {
            const struct tick whole = progress_tick(&progress), part =
                tick_part(&whole, (double)(i * q->traffic.n + k) / (double)n, (double)(i * q->traffic.n + k + 1) / (double)n);

            ret = one_traffic(p, q->traffic.item[k], &part, err);
            if (ret < 0)
                ret = pass_over(p, p->net->spec, q->traffic.item[k], err);
        }
        net_close(p->net);
    }
    progress_end(&progress);
    return ret;
}

/* ---- figures ---- */

static int plot_main(const struct request *q, const struct table *t, struct err *err)
{
    static const char *const units[] = { "per_node", "per_channel", "scale" }, *const may[] = { "topology", "traffic", "paths" };
    const char *y[1] = { units[0] }, *by[3], *group[2];
    struct natural bars = { .kind = "bar", .y = y, .ny = 1, .group = group, .y_scale = SCALE_LINEAR };
    const size_t n = look_varying(by, t, may, 3);

    for (size_t r = 0; r < table_rows(t); r++)
        for (size_t i = 0; i < 3; i++)
            if (r == 0 && !isnan(look_real(t, r, units[i])))
                y[0] = units[i];
    bars.x = by[0];
    for (size_t i = 1; i < n; i++)
        group[bars.ngroup++] = by[i];
    return options_plot(&q->common, t, &bars, err);
}

static int plot_links(const struct request *q, const struct table *t, struct err *err)
{
    static const struct panel_column column[] = { { "topology", NULL, false }, { "traffic", NULL, false }, { "paths", NULL, true } };
    const bool price = strcmp(q->common.show, "prices") == 0, gain = price && q->tries;
    const char *const value[] = { gain ? "gain" : price ? "price" : "load" };
    const struct link_panels panels = { column, 3, value, 1, gain ? "Gain by a second cable" : price ? "Price" : "Load",
                                        price ? NULL : "of capacity", !price };

    return link_panels_plot(&q->common, t, &panels, err);
}

/* Columns that say nothing in any row stand aside. */
static void set_aside(struct column *column, const struct table *t, bool compared)
{
    static const char *const may[] = { "gain", "per_node", "per_channel", "scale", "per_pair", "of_first", "bisection_bound", "moore_bound" };

    for (size_t i = 0; i < sizeof may / sizeof *may; i++) {
        const int at = table_find(t, may[i]);
        bool any = false;

        if (at < 0)
            continue;
        for (size_t r = 0; r < table_rows(t); r++)
            any = any || !isnan(look_real(t, r, may[i]));
        if (!any || (!compared && strcmp(may[i], "of_first") == 0))
            column[at].decimals = COLUMN_ASIDE;
    }
}

/* ---- the command ---- */

static int check(struct request *q, struct err *err)
{
    if (q->spec.n == 0)
        return err_set(err, ERR_USAGE, "bound throughput needs a topology, as in `metapath bound throughput torus:8x8`");
    if (q->traffic.n == 0 && strings_add(&q->traffic, "uniform", err) < 0)
        return -1;
    if (q->paths.n == 0 && strings_add(&q->paths, "any", err) < 0)
        return -1;
    if (q->tries && (!q->common.show || strcmp(q->common.show, "prices") != 0))
        return err_set(err, ERR_USAGE, "--try belongs to --show prices");
    if (q->write && q->spec.n * q->traffic.n * q->paths.n > 1)
        return err_set(err, ERR_USAGE, "--write-lp writes one linear program; with several topologies, traffics or paths there would be %zu",
                       q->spec.n * q->traffic.n * q->paths.n);
    return 0;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "links", "prices", NULL };
    struct request q = { .common = { .plots = true, .shows = shows }, .gap = NAN, .packet = 10 };
    const struct option_run r = { option, parse, "SPEC...",
        "The most that any routing could deliver: maximum concurrent flow.\v"
        "Per node: what each may inject, in parts of a link, when all send as the traffic says; per pair, for uniform traffic, what it is "
        "for each destination; per channel, for files of channels, what each may send; where these have intervals of their own, by what "
        "factor all their rates may grow. The bound is proved by the prices of links, whatever the solver says, and the gap is what "
        "lies between it and the flow that was found. The price of a link is what the throughput gains at most by a unit more of "
        "capacity there alone: links without a price gain nothing, links of one cut share theirs, and --try 10 finds where a second "
        "cable really helps. --show links: a row per link, drawn by its load (prices: by its price, with --try by the gain). A "
        "program that is written maximises theta, the throughput printed (theta_e6: in units of 10^6, theta_em6 of 10^-6).", &q };
    struct refused refused = { 0 };
    struct column column[COLUMNS], links[sizeof link_columns / sizeof *link_columns];
    struct table t = { 0 };
    struct place p = { .q = &q, .t = &t, .refused = &refused };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0 || check(&q, err) < 0)
        goto done;
    p.links = q.common.show;
    memcpy(column, main_columns, sizeof main_columns);
    memcpy(links, link_columns, sizeof link_columns);
    if (p.links)
        table_init(&t, "Links at the bound of throughput", links, sizeof links / sizeof *links);
    else
        table_init(&t, "Bounds on throughput", column, COLUMNS);
    ret = compute(&p, err);
    if (ret == 0)
        set_aside(p.links ? links : column, &t, q.paths.n + q.routing.n > 1);
    if (ret == 0)
        ret = p.links ? plot_links(&q, &t, err) : plot_main(&q, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    strings_free(&q.traffic);
    strings_free(&q.paths);
    strings_free(&q.routing);
    return ret;
}

const struct bound bound_throughput = {
    .name = "throughput",
    .synopsis = "metapath bound throughput SPEC... [--traffic LIST] [--paths LIST] [--routing LIST]",
    .summary = "the most that any routing could deliver: maximum concurrent flow",
    .source = "Shahrokhi and Matula 1990; Jyothi, Singla, Godfrey and Kolla 2016",
    .run = run
};
