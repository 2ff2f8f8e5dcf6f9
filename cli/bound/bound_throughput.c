/* `metapath bound throughput`: a row for each network, traffic and set of paths, and for each routing beside them. The
 * traffic becomes a demand (throughput_traffic), what --paths says options of the program (throughput_paths_of), its
 * answer the row or, with --show, the rows of links with their loads, prices and gains. Columns that say nothing are
 * set aside at the end. */
#include "analysis/bound/capacity.h"
#include "analysis/bound/even_load.h"
#include "analysis/bound/simple_bounds.h"
#include "analysis/bound/throughput.h"
#include "analysis/policy/policy.h"
#include "cli/bound/bound.h"
#include "cli/request/link_panels.h"
#include "cli/request/load.h"
#include "cli/request/look.h"
#include "texts/bound.h"

struct request {
    struct options common;
    struct strings traffic, paths, routing;
    const char *capacity, *write;
    int method;                 /* enum throughput_method */
    double gap, packet;
    int64_t tries;              /* cables of which to find the gain */
    bool unfolded;
};

/* "0.1%" */
static int take_gap(void *about, const char *arg, struct err *err)
{
    return option_percent(&((struct request *)about)->gap, arg, 0, 99, "--gap", err);
}

static const struct option_field throughput_options[] = {
    { .help = "Load:", .group = 1 },
    { .help = "Question:", .group = 0 },
    { .help = "Method:", .group = 2 },
    { BOUND_THROUGHPUT_TRAFFIC, 1, INTO(traffic) },
    { BOUND_THROUGHPUT_PATHS, 0, INTO(paths) },
    { BOUND_THROUGHPUT_ROUTING, 0, INTO(routing) },
    CAPACITY_OPTION,
    { BOUND_THROUGHPUT_PACKET, 1, INTO(packet), .from = 1e-9, .to = 1e12, .quantity = QUANTITY_SIZE },
    { BOUND_THROUGHPUT_METHOD, 2, INTO(method) },
    { BOUND_THROUGHPUT_GAP, 2, .take = take_gap },
    { BOUND_THROUGHPUT_SYMMETRY, 2, INTO(unfolded) },
    { BOUND_THROUGHPUT_TRY, 3, INTO(tries), .least = 1, .most = 1000000 },
    { BOUND_THROUGHPUT_WRITE_LP, 3, INTO(write), .writes = true }, { 0 }
};

/* ---- tables ---- */

#define R(m) MEMBER(0, struct throughput, m)

static const struct column main_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("paths"),
    { "per_node", "Per node", "of a link", -1, LOOSE },
    { "per_channel", "Per channel", "of a link", -1, LOOSE },
    { "scale", "Times the demand", NULL, -1, LOOSE },
    { "per_pair", "Per pair", "of a link", YIELDS(-1), LOOSE },
    { "upper_bound", "Proved bound", NULL, YIELDS(-1), R(bound) },
    { "gap_percent", "Gap", "%", 3, LOOSE },
    { "of_first", "Of the first", NULL, 3, LOOSE },
    { "mean_hops", NULL, "hops", YIELDS(3), R(hops) },
    { "distance_bound", "By distance", NULL, YIELDS(-1), R(distance_bound) },
    { "bisection_bound", "By bisection", NULL, YIELDS(-1), LOOSE },
    { "moore_bound", "By Moore", NULL, YIELDS(-1), LOOSE },
    { "method", NULL, NULL, YIELDS(0), LOOSE }, { "lp_rows", NULL, NULL, COLUMN_ASIDE, R(rows) },
    { "lp_columns", NULL, NULL, COLUMN_ASIDE, R(columns) }, { "rounds", NULL, NULL, COLUMN_ASIDE, R(rounds) },
    { "distinct_sources", NULL, NULL, COLUMN_ASIDE, R(sources) },
    { "distinct_links", NULL, NULL, COLUMN_ASIDE, R(links) }, PLAIN("quality")
};
#define LINK_COLUMNS                                                                    \
    PLAIN("topology"), PLAIN("traffic"), PLAIN("paths"), PLAIN("from"), PLAIN("to"),    \
    { "capacity", NULL, NULL, -1, LOOSE },                                              \
    { "load", "Load", "of its capacity", 4, LOOSE }, { "price", "Price", NULL, -1, LOOSE }
static const struct column link_columns[] = { LINK_COLUMNS, ASIDE("quality") };
static const struct column price_columns[] = { LINK_COLUMNS, { "gain", "Gain by a second", NULL, -1, LOOSE },
                                               ASIDE("quality") };
enum { THROUGHPUT_MAIN, THROUGHPUT_LINKS, THROUGHPUT_PRICES };
static const struct conclusion throughput_conclusion = {
    .score = "per_node", .most = true, .noun = "throughput per node", .contender = { "paths" },
    .scope = { "topology", "traffic" }
};
static const struct frame_table throughput_tables[] = {
    [THROUGHPUT_MAIN] = { NULL, "Bounds on throughput", COLUMNS(main_columns),
                          .conclusion = &throughput_conclusion },
    [THROUGHPUT_LINKS] = { "links", "Links at the bound of throughput", COLUMNS(link_columns), .words = "from,to" },
    [THROUGHPUT_PRICES] = { "prices", "Links at the bound of throughput", COLUMNS(price_columns), .words = "from,to" },
    { 0 }
};

struct place {                  /* where a row stands */
    struct job *j;
    const struct request *q;
    struct net *net;
    const struct traffic *traffic;
    const struct demand *d;
    const char *paths;
    double first;               /* theta of the first row about this traffic, 0 before it */
    double even;                /* the busiest link's load by ecmp; NAN: not asked for, or not known */
    struct simple_bounds simple;
};

/* What every row begins with. */
#define THROUGHPUT_PLACE(p) \
    cell_text("topology", (p)->net->spec), cell_text("traffic", (p)->traffic->spec), cell_text("paths", (p)->paths)

static const char *throughput_quality(const struct throughput *r)
{
    return r->method == THROUGHPUT_ROUTING || r->gap <= 1e-7 ? "exact" : "bound";
}

static void throughput_link_rows(const struct place *p, const struct throughput *r, const double *gain)
{
    char from[NET_LABEL], to[NET_LABEL];

    for (size_t l = 0; l < r->nlink; l++)
        table_add(p->j->t, ROW(
            THROUGHPUT_PLACE(p), cell_text("from", net_label(p->net, r->from[l], from)),
            cell_text("to", net_label(p->net, r->to[l], to)), cell_real("capacity", r->capacity[l]),
            cell_real("load", r->load[l]), cell_real("price", r->price[l]),
            cell_text("quality", throughput_quality(r)), p->j->which == THROUGHPUT_PRICES ?
            cell_real("gain", gain ? gain[l] : NAN) : (struct named_cell){ 0 }));
}

/* Whether people asked for a column, or for none by its name. */
static bool shows(const struct options *o, const char *column)
{
    bool named = o->columns.n == 0;

    for (size_t i = 0; i < o->columns.n; i++)
        named = named || strcmp(o->columns.item[i], column) == 0;
    return named;
}

static void throughput_main_row(const struct place *p, const struct throughput *r)
{
    const enum demand_unit unit = p->d->unit;
    const bool routing = r->method == THROUGHPUT_ROUTING;

    table_add(p->j->t, ROW(
        MEMBERS(r), THROUGHPUT_PLACE(p), cell_real("per_node", unit == DEMAND_NODE ? r->theta : NAN),
        cell_real("per_channel", unit == DEMAND_STREAM ? r->theta : NAN),
        cell_real("scale", unit == DEMAND_GIVEN ? r->theta : NAN),
        cell_real("per_pair", p->d->uniform ? r->theta / (p->net->nterminal - 1.0) : NAN),
        cell_real("gap_percent", 100 * r->gap), cell_real("of_first", p->first > 0 ? r->theta / p->first : NAN),
        cell_real("bisection_bound", routing ? NAN : p->simple.bisection),
        cell_real("moore_bound", routing ? NAN : p->simple.moore),
        cell_text("method", throughput_method_name[r->method]), cell_text("quality", throughput_quality(r))));
    if (!r->shortest && shows(p->j->o, "mean_hops"))
        table_note(p->j->t, "%s: paths %s: mean hops are of one flow of many that reach it; others may have fewer.",
                   p->net->spec, p->paths);
}

static void throughput_result_rows(struct place *p, const struct throughput *r, const double *gain)
{
    char a[NET_LABEL], b[NET_LABEL];

    if (r->lost[0] >= 0) {
        if (p->j->which == THROUGHPUT_MAIN)
            table_add_some(p->j->t, ROW(THROUGHPUT_PLACE(p), cell_real("per_node", 0), cell_text("quality", "exact")));
        else
            table_add_some(p->j->t, ROW(THROUGHPUT_PLACE(p), cell_text("quality", "exact")));
        table_note(p->j->t, "%s, %s: throughput is 0, because there is no path from %s to %s.", p->net->spec,
                   p->traffic->spec, net_label(p->net, r->lost[0], a), net_label(p->net, r->lost[1], b));
        return;
    }
    if (!(p->first > 0))
        p->first = r->theta;
    if (p->j->which == THROUGHPUT_MAIN)
        throughput_main_row(p, r);
    else
        throughput_link_rows(p, r, gain);
}

/* ---- rows ---- */

/* "shortest+2", "k-shortest:4", "metapath:sga:1"; the name that the row gets. */
static int throughput_paths_of(struct throughput_options *o, struct routing *ways, const char **name, const char *text,
                               struct net *net, struct err *err)
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
    if (policy_plain_routing(ways, net, text, err) < 0)
        return err->code == ERR_USAGE ? err_at(err, "--paths '%.80s' is none of any, shortest, shortest+K and "
                                               "k-shortest:K", text) : -1;
    if (!ways->route->ways) {
        err_set(err, ERR_USAGE, "routing '%.100s' has fixed shares: --paths takes metapath:SUPERNODE, table:FILE or "
            "valiant, whose paths may have any shares; --routing shows what this one reaches", ways->spec);
        routing_close(ways);
        return -1;
    }
    *name = ways->spec;
    o->paths = PATHS_WAYS;
    o->ways = ways;
    return 0;
}

static int throughput_try_cables(double **gain, const struct place *p, const struct throughput *r,
                                 const struct throughput_options *o, struct err *err)
{
    *gain = malloc((r->nlink + 1) * sizeof **gain);
    return *gain ? throughput_gain(*gain, r, p->net, p->d, o, (size_t)p->q->tries, err) : err_memory(err);
}

/* One row: the best over `text`'s paths, or (`fixed`) what that routing reaches. */
static int throughput_one_row(struct place *p, const char *text, bool fixed, const struct throughput_options *common,
                              struct err *err)
{
    struct throughput_options o = *common;
    struct throughput r = { 0 };
    struct routing routing = { 0 };
    double *gain = NULL;
    int ret;

    p->paths = text;
    if (fixed) {
        ret = policy_plain_routing(&routing, p->net, routing_usual(text, p->net, ROUTING_FOR_LOAD), err);
        if (ret == 0) {
            p->paths = routing.spec;
            ret = throughput_of_routing(&r, p->net, p->d, &routing, &o, err);
        }
        if (ret == 0 && isnan(p->even))
            ret = even_load_busiest(&p->even, p->net, p->d, o.capacity, o.tick, err);
        if (ret == 0)
            load_note_uneven(p->j->t, p->net, p->traffic, p->paths, 1 / r.theta, p->even);
    } else {
        ret = throughput_paths_of(&o, &routing, &p->paths, text, p->net, err);
        if (ret == 0)
            ret = throughput_open(&r, p->net, p->d, &o, err);
    }
    if (ret == 0 && p->q->tries && !fixed && r.lost[0] < 0)
        ret = throughput_try_cables(&gain, p, &r, &o, err);
    if (ret == 0) {
        throughput_result_rows(p, &r, gain);
    } else {
        ret = job_refuse(p->j, true, ROW(THROUGHPUT_PLACE(p)), err, "%s, %s, %s: %s.", p->net->spec, p->traffic->spec,
                         p->paths, err->msg);
    }
    free(gain);
    throughput_close(&r);
    routing_close(&routing);
    return ret;
}

static int throughput_all_rows(struct place *p, const double *capacity, const struct tick *whole, struct err *err)
{
    const struct request *q = p->q;
    const size_t n = q->paths.n + q->routing.n;

    if (p->d->uniform && p->j->which == THROUGHPUT_MAIN &&
        simple_bounds(&p->simple, p->net, capacity, whole, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_step(whole, i, n);
        const struct throughput_options o = { .method = (enum throughput_method)q->method, .gap = q->gap,
                                              .unfolded = q->unfolded,
                                              .capacity = capacity, .write = q->write, .tick = &part };
        const bool fixed = i >= q->paths.n;

        if (throughput_one_row(p, fixed ? q->routing.item[i - q->paths.n] : q->paths.item[i], fixed, &o, err) < 0)
            return -1;
    }
    return 0;
}

static int throughput_traffic(struct job *j, const char *text, const struct tick *part, struct err *err)
{
    const struct request *q = j->request;
    struct worst_options worst = { .unfolded = q->unfolded, .jobs = q->common.jobs, .tick = part };
    struct traffic traffic = { 0 };
    struct demand d = { 0 };
    struct place p = { .j = j, .q = q, .net = j->net, .traffic = &traffic, .d = &d, .even = NAN,
                       .simple = { NAN, NAN } };
    double *capacity = NULL;
    int ret = -1;

    if (capacity_open(&capacity, j->net, q->capacity, err) < 0)
        return -1;
    worst.unit = !capacity;
    if (load_traffic(&traffic, j->net, text, capacity, &worst, err) == 0 &&
        demand_open(&d, &traffic, q->packet, part, err) == 0) {
        table_request(j->t, "traffic", traffic.spec);
        ret = throughput_all_rows(&p, capacity, part, err);
    }
    free(capacity);
    demand_close(&d);
    traffic_release(&traffic);
    return ret;
}

/* A traffic that cannot be had: in a sweep, a row says so. */
static int throughput_network(struct job *j, struct err *err)
{
    const struct strings *traffic = &((const struct request *)j->request)->traffic;

    for (size_t k = 0; k < traffic->n; k++) {
        const struct tick part = tick_step(&j->tick, k, traffic->n);

        if (throughput_traffic(j, traffic->item[k], &part, err) == 0)
            continue;
        if (job_refuse(j, j->sweep, ROW(cell_text("topology", j->net->spec), cell_text("traffic", traffic->item[k])),
                       err, "%s, %s: %s.", j->net->spec, traffic->item[k], err->msg) < 0)
            return -1;
    }
    return 0;
}

/* ---- figures ---- */

static int throughput_figure_main(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const units[] = { "per_node", "per_channel", "scale" },
        *const may[] = { "topology", "traffic", "paths" };
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
    return options_figure(f, t, &bars, err);
}

static int throughput_figure_links(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const struct panel_column column[] = {
        { "topology", NULL, false }, { "traffic", NULL, false }, { "paths", NULL, true }
    };
    const struct request *q = f->request;
    const bool gain = q ? q->tries > 0 : which == THROUGHPUT_PRICES && look_varies(t, "gain"),
        price = which == THROUGHPUT_PRICES;
    const char *const value[] = { gain ? "gain" : price ? "price" : "load" };
    const struct link_panels panels = { column, 3, value, 1, gain ? "Gain by a second cable" : price ? "Price" : "Load",
                                        price ? NULL : "of capacity", !price };

    return link_panels_figure(f, t, &panels, err);
}

static int throughput_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    return which == THROUGHPUT_MAIN ? throughput_figure_main(f, t, err) : throughput_figure_links(f, t, which, err);
}

/* Columns that say nothing in any row stand aside. */
static void throughput_set_aside(struct job *j, bool compared)
{
    static const char *const may[] = { "gain", "per_node", "per_channel", "scale", "per_pair", "of_first",
                                       "bisection_bound", "moore_bound" };

    for (size_t i = 0; i < sizeof may / sizeof *may; i++) {
        const int at = table_find(j->t, may[i]);
        bool any = false;

        for (size_t r = 0; r < table_rows(j->t); r++)
            any = any || !isnan(look_real(j->t, r, may[i]));
        if (at >= 0 && (!any || (!compared && strcmp(may[i], "of_first") == 0)))
            j->column[at].decimals = COLUMN_ASIDE;
    }
}

/* ---- the command ---- */

static int throughput_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const size_t networks = q->common.spec.n;

    if (q->traffic.n == 0 && strings_add(&q->traffic, "uniform", err) < 0)
        return -1;
    if (q->paths.n == 0 && strings_add(&q->paths, "any", err) < 0)
        return -1;
    if (q->tries && j->which != THROUGHPUT_PRICES)
        return err_set(err, ERR_USAGE, "--try belongs to --show prices");
    if (q->write && networks * q->traffic.n * q->paths.n > 1)
        return err_set(err, ERR_USAGE, "--write-lp writes one linear program; with several topologies, traffics or "
                       "paths there would be %zu", networks * q->traffic.n * q->paths.n);
    j->sweep = networks + q->traffic.n > 2;
    return 0;
}

static int throughput_finish(struct job *j, struct err *)
{
    const struct request *q = j->request;
    char rate[40];

    throughput_set_aside(j, q->paths.n + q->routing.n > 1);
    if (q->common.units.rate > 0)
        table_note(j->t, "Numbers without a unit are in parts of a unit link, of %s.",
                   quantity_text(rate, q->common.units.rate, QUANTITY_RATE));
    return 0;
}

static const struct frame throughput_frame = {
    BOUND_THROUGHPUT_FRAME, .option = throughput_options,
    .shared = (const struct option_part[]){ { units_options, 0 }, { 0 } },
    FRAME_REQUEST(struct request, .gap = NAN, .packet = 10), .table = throughput_tables, .plots = true,
    .check = throughput_check, .network = throughput_network, .finish = throughput_finish, .figure = throughput_figure
};

const struct cmd bound_throughput = { BOUND_THROUGHPUT_ENTRY, .frame = &throughput_frame };
