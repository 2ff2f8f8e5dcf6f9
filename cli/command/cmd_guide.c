/* `metapath guide`: the smallest metapath that keeps latency below a limit. What is offered, supernodes or the first
 * paths of a table, is written as routings (guide_offer.h); at each load guide_same_for_all solves them all, a row
 * each, guide_without_metapath the routings of the catalogue, and guide_each_its_own tells of the assignment that gives
 * every source its own (--exact), as a row or source by source. */
#include "analysis/policy/guide.h"
#include "analysis/policy/narrowest.h"
#include "cli/command/cmd.h"
#include "cli/request/latency_lines.h"
#include "cli/sweep/guide_offer.h"
#include "cli/request/load.h"
#include "cli/request/look.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    struct load_request load;
    struct strings supernode;
    const char *table;
    double limit;                   /* NAN: not said */
    bool worst, uniform, exact;
};

static const struct option_field guide_options[] = {
    { .help = "Question:", .group = 0 },
    { CMD_GUIDE_LATENCY, 0, INTO(limit), .from = 1e-9, .to = 1e15, .quantity = QUANTITY_TIME },
    { CMD_GUIDE_WORST, 0, INTO(worst) },
    { CMD_GUIDE_EXACT, 0, INTO(exact) },
    { CMD_GUIDE_SUPERNODE, 0, INTO(supernode) },
    { CMD_GUIDE_TABLE, 0, INTO(table) },
    { CMD_GUIDE_SHARES, 0, INTO(uniform) },
    { CMD_GUIDE_ROUTING, 0, INTO(load.routing) }, { 0 }
};

/* ---- tables ---- */

/* What the rows of one metapath for all and of one for each have in common. */
struct guide_line {
    const char *metapath, *routing, *meets, *choice;    /* without a metapath both name the routing */
    const struct latency_summary *summary;      /* NULL: no latency */
    double ways, hops, capacity_interval;
    const struct err *why;                      /* there is none; NULL: there is no metapath either */
};

#define L(m) MEMBER(0, struct guide_line, m)
#define Y(m) MEMBER(1, struct latency_summary, m)

static const struct column guide_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), { "metapath", NULL, NULL, 0, L(metapath) },
    { "routing", NULL, NULL, COLUMN_ASIDE, L(routing) },
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, LOOSE },
    { "load", "Load", NULL, COLUMN_ASIDE, LOOSE },
    { "ways", "Ways", NULL, YIELDS(2), L(ways) },
    { "mean_hops", "Mean length", "hops", YIELDS(3), L(hops) },
    { "mean_latency_cycles", "Mean latency", "cycles", 2, Y(mean) },
    { "max_latency_cycles", "Max", "cycles", YIELDS(2), Y(most) },
    { "limit_cycles", "Limit", "cycles", COLUMN_ASIDE, LOOSE },
    { "meets", "Within the limit", NULL, 0, L(meets) },
    { "choice", NULL, NULL, 0, L(choice) },
    { "capacity_interval_cycles", "Capacity", "cycles", COLUMN_ASIDE, L(capacity_interval) },
    { "capacity_load", "Capacity", NULL, COLUMN_ASIDE, LOOSE },
    { "saturation_interval_cycles", "Saturation", "cycles", COLUMN_ASIDE, Y(saturation_interval) },
    { "saturation_load", "Saturation", NULL, COLUMN_ASIDE, Y(saturation_load) },
    PLAIN("validity"), ASIDE("quality")
};
static const struct column source_columns[] = {
    PLAIN("topology"), PLAIN("traffic"),
    { "interval_cycles", "Interval", "cycles", -1, LOOSE },
    PLAIN("channel"), PLAIN("source"), PLAIN("target"), PLAIN("metapath"), { "ways", NULL, NULL, 2, LOOSE },
    { "latency_cycles", "Latency", "cycles", 2, LOOSE }
};
enum { GUIDE_MAIN, GUIDE_SOURCES, GUIDE_CAPACITY };
static const struct frame_table guide_tables[] = {
    [GUIDE_MAIN] = { NULL, "Metapaths within a limit of latency", COLUMNS(guide_columns) },
    [GUIDE_SOURCES] = { "sources", "The narrowest metapath of each source", COLUMNS(source_columns) },
    [GUIDE_CAPACITY] = { NULL, "Metapaths within the capacity of links", COLUMNS(guide_columns) }, { 0 }
};

static int guide_pick(const void *request)
{
    const struct request *q = request;

    return q->common.show ? GUIDE_SOURCES : isnan(q->limit) && q->exact ? GUIDE_CAPACITY : GUIDE_MAIN;
}

struct scene {
    struct job *j;
    const struct request *q;
    const struct traffic *traffic;
    const struct guide_offer *offer;
    double limit;                   /* NAN: none */
};

static void guide_row(const struct scene *s, const struct guide_line *l, const struct load *load)
{
    const struct latency_summary *y = l->summary;
    const double interval = load_interval(load, s->traffic);
    const char *refused = l->why && l->why->code != ERR_NONE ? "refused" : NULL;

    table_add(s->j->t, ROW(
        MEMBERS(l, y), cell_text("topology", s->j->net->spec), cell_text("traffic", s->traffic->spec),
        cell_real("interval_cycles", y ? y->interval : interval),
        cell_real("load", y ? y->load : s->q->load.packet / interval), cell_real("limit_cycles", s->limit),
        cell_real("capacity_load", y ? y->capacity_load : s->q->load.packet / l->capacity_interval),
        cell_text("validity", y ? validity_name[y->validity] : refused),
        cell_text("quality", !y ? refused : y->validity == VALIDITY_GOOD ? "model" : "outside the model's validity")));
}

/* The row's metapath has no latency. */
static void guide_refused(const struct scene *s, const struct guide_line *l)
{
    struct err why = l->why ? *l->why : (struct err){ .code = ERR_NONE };

    if (why.code == ERR_NONE)
        return;
    table_note(s->j->t, "%s: %s.", l->routing ? l->routing : l->metapath, why.msg);
    job_passes(s->j, true, &why);
}

/* How many sources take what. */
static void guide_exact_note(struct table *t, const struct narrowest *e, const char *const *label,
                             const struct traffic *traffic)
{
    char text[600] = "";
    size_t len = 0;

    if (!e->found && e->every) {
        table_note(t, "%s, exact: no assignment of these metapaths keeps the limit.", traffic->spec);
        return;
    }
    if (!e->found) {
        table_note(t, "%s, exact: none of the %zu narrowest assignments keeps the limit; those not tried have %.4g "
            "ways or more.", traffic->spec, e->tries, e->ways);
        return;
    }
    for (size_t k = 0; k < e->noffer && len + 1 < sizeof text; k++)
        if (e->count[k])
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%zu with %.80s", len ? ", " : "", e->count[k],
                                    label[k]);
    table_note(t, "%s, exact: sources %s; %zu assignment%s tried.", traffic->spec, text, e->tries,
               e->tries == 1 ? " was" : "s were");
}

static void guide_exact_row(const struct scene *s, const struct narrowest *e, const struct load *load)
{
    const struct guide_line line = {
        .metapath = "exact", .meets = e->found ? "yes" : e->every ? "no" : NULL,
        .choice = e->found ? "narrowest" : NULL,
        .summary = e->found && e->why.code == ERR_NONE ? &e->summary : NULL, .ways = e->found ? e->ways : (double)NAN,
        .hops = e->found ? e->hops : (double)NAN, .capacity_interval = e->found ? e->capacity_interval : (double)NAN,
        .why = e->found ? &e->why : NULL
    };

    guide_row(s, &line, load);
    if (!line.summary)
        guide_refused(s, &line);
}

/* Folded: the one source stands for all, which the streams of a solution tell; without one there is only itself. */
static void guide_source_rows(const struct scene *s, const struct narrowest *e, const char *const *label,
                              const struct load *load)
{
    const struct net *net = s->j->net;
    const struct traffic *traffic = s->traffic;
    const size_t n = e->found ? traffic_sources(traffic) : 0;

    for (size_t i = 0; i < n; i++) {
        const struct stream *c = traffic->matrix ? NULL : &traffic->stream[traffic_first(traffic, i)],
                            *only = traffic_only(traffic, i);
        const size_t source = e->nsource == n ? i : 0;
        const struct traffic_pace pace = traffic_pace(traffic, c ? (int)traffic_first(traffic, i) : -1,
                                                      (struct traffic_pace){ .interval = load->interval });
        char from[NET_LABEL], to[NET_LABEL];

        table_add(s->j->t, ROW(
            cell_text("topology", net->spec), cell_text("traffic", traffic->spec),
            cell_real("interval_cycles", pace.interval / load->factor),
            c ? cell_take("channel", traffic_source_label(traffic, i)) : cell_none("channel"),
            cell_text("source", net_label(net, c ? c->source : net_terminal(net, (int)i), from)),
            cell_text("target", only ? net_label(net, only->target, to) : NULL),
            cell_text("metapath", label[e->at[source]]), cell_real("ways", e->width[source]),
            cell_real("latency_cycles", e->stream ? e->stream[i].latency : NAN)));
    }
}

/* ---- the work ---- */

static struct guide_request guide_asked(const struct scene *s, const struct load *load, const struct latency_options *o)
{
    return (struct guide_request){ (const char *const *)s->offer->spec.item, s->offer->spec.n, s->traffic, s->j->net,
                                   load, s->limit, s->q->worst, o };
}

static int guide_same_for_all(const struct scene *s, const struct load *load, const struct latency_options *o,
                              struct err *err)
{
    const struct guide_request asked = guide_asked(s, load, o);
    struct guide g;

    if (guide_open(&g, &asked, err) < 0)
        return -1;
    for (size_t k = 0; k < g.n; k++) {
        const struct guide_row *r = &g.row[k];
        const struct guide_line line = {
            .metapath = s->offer->label.item[r->offer], .routing = r->routing, .meets = r->meets ? "yes" : "no",
            .choice = (int64_t)k != g.choice ? NULL : r->meets ? "smallest" : "closest",
            .summary = r->why.code == ERR_NONE ? &r->summary : NULL, .ways = r->ways, .hops = r->hops,
            .capacity_interval = r->capacity_interval, .why = &r->why
        };

        guide_row(s, &line, load);
        if (!line.summary)
            guide_refused(s, &line);
    }
    guide_close(&g);
    return 0;
}

/* What the routings of the catalogue do without a metapath: the best of them, and those with no latency. */
struct without {
    const char *best;
    double latency, hops;
    bool meets;
    char refused[200];
};

static void guide_note_without(const struct scene *s, const struct without *w, const struct load *load)
{
    const double interval = load_interval(load, s->traffic);
    struct table *t = s->j->t;
    char at[60];

    if (isnan(interval))
        snprintf(at, sizeof at, "%.4g times its rates", load->factor);
    else if (s->q->load.said.closed)
        snprintf(at, sizeof at, "interval %.6g", interval);
    else
        snprintf(at, sizeof at, "load %.4g", s->q->load.packet / interval);
    if (w->best)
        table_note(t, "%s, %s: without a metapath, %s %s: %.4g cycles%s over %.4g hops.", s->traffic->spec, at, w->best,
                   w->meets ? "keeps the limit" : "comes closest to the limit", w->latency,
                   s->q->worst ? " in the slowest channel" : "", w->hops);
    if (w->refused[0])
        table_note(t, "%s, %s: no latency for %s: beyond saturation, or without a solution.", s->traffic->spec, at,
                   w->refused);
}

#define MOST_VIA 100            /* terminals of networks without a group, for routings over nodes between: n^3 ways */

/* Whether a routing of the catalogue is tried unasked: it needs no supernode or table, and where all nodes are alike it
 * looks alike from all, as sensible ones do there and one source tells. */
static int guide_tries(bool *yes, const struct route *route, struct net *net, struct err *err)
{
    struct routing r = { 0 };

    *yes = !(route->nested && route->example) && !route->takes_path && route->fits(net) &&
        (net->group || !route->ways || net->nterminal <= MOST_VIA);
    if (!*yes || !net->group)
        return 0;
    if (routing_open(&r, net, route->name, err) < 0)
        return -1;
    *yes = r.invariant;
    routing_close(&r);
    return 0;
}

/* A row for each routing of the catalogue that fits the network. That one cannot carry the load is no failure. Of that
 * which leads from stop to stop it is noted where its busiest link carries much. */
static int guide_without_metapath(const struct scene *s, const struct load *load, const struct latency_options *o,
                                  struct err *err)
{
    const struct load_request *q = &s->q->load;
    const char *base = routing_usual(q->routing.n ? q->routing.item[0] : NULL, s->j->net, ROUTING_FOR_STOPS);
    const struct tick *whole = o->collide.tick;
    struct without w = { .latency = INFINITY };
    const size_t n = kind_count(&kind_route);
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct route *route = route_all[i];
        const struct tick part = tick_step(whole, i, n);
        const char *name = route->name;
        struct latency_options own = *o;
        struct guide_request asked = guide_asked(s, load, &own);
        struct guide g;
        double even;
        bool tried;

        if (guide_tries(&tried, route, s->j->net, err) < 0)
            return -1;
        if (!tried)
            continue;
        own.collide.tick = &part;
        asked.offer = &name;
        asked.noffer = 1;
        if (guide_open(&g, &asked, err) < 0) {
            if (err->code != ERR_MEMORY || !job_passes(s->j, true, err))
                return -1;
            table_note(s->j->t, "%s: %s.", name, err->msg);
            *err = (struct err){ 0 };
            continue;
        }
        guide_row(s, &(struct guide_line){
            .metapath = name, .routing = name, .meets = g.row->meets ? "yes" : "no",
            .choice = g.row->meets ? "needs no metapath" : NULL,
            .summary = g.row->why.code == ERR_NONE ? &g.row->summary : NULL, .ways = NAN, .hops = g.row->hops,
            .capacity_interval = g.row->capacity_interval, .why = &g.row->why }, load);
        if (g.row->latency < w.latency) {
            w.best = name;
            w.latency = g.row->latency;
            w.hops = g.row->hops;
            w.meets = g.row->meets;
        }
        if (g.row->why.code != ERR_NONE)
            snprintf(w.refused + strlen(w.refused), sizeof w.refused - strlen(w.refused), "%s%s",
                     w.refused[0] ? ", " : "", name);
        if (strcmp(base, name) == 0)
            ret = load_even(&even, s->j->net, s->traffic, o->collide.time, whole, err);
        if (strcmp(base, name) == 0 && ret == 0)
            load_note_uneven(s->j->t, s->j->net, s->traffic, name, g.row->busiest, even);
        guide_close(&g);
    }
    if (ret < 0)
        return -1;
    guide_note_without(s, &w, load);
    return 0;
}

static void guide_each_its_own(const struct scene *s, const struct narrowest *e, const struct load *load)
{
    const char *const *label = (const char *const *)s->offer->label.item;

    if (s->j->which == GUIDE_SOURCES)
        guide_source_rows(s, e, label, load);
    else
        guide_exact_row(s, e, load);
    guide_exact_note(s->j->t, e, label, s->traffic);
}

/* Where none is said: as much longer than what messages take that wait for nothing. */
#define IDLE_TIMES 1.5

static int guide_limit(struct scene *s, const struct load *load, const struct latency_options *o, struct err *err)
{
    const char *first = s->offer->spec.item[0];
    const struct load idle = { load->interval, 1e-3 * load->factor };
    const struct guide_request asked = { &first, 1, s->traffic, s->j->net, &idle, INFINITY, false, o };
    struct guide g;

    if (guide_open(&g, &asked, err) < 0)
        return -1;
    s->limit = g.row->why.code == ERR_NONE ? IDLE_TIMES * g.row->summary.zero : INFINITY;
    table_note(s->j->t, "Limit: %.4g cycles, %g times the idle latency; --latency says another.", s->limit, IDLE_TIMES);
    guide_close(&g);
    return 0;
}

/* Where none is said: the load at which ecmp would keep its busiest link busy for so much of the time. */
#define BUSY 0.15

static int guide_load(struct load_point **point, const struct scene *s, const struct tick *whole, struct err *err)
{
    struct load_point *p = realloc(*point, sizeof *p);
    double even;

    if (!p)
        return err_memory(err);
    *point = p;
    *p = load_as_it_is;
    if (load_even(&even, s->j->net, s->traffic, s->q->load.packet, whole, err) < 0)
        return -1;
    p->interval = ceil(even / BUSY);
    return 0;
}

/* What may be too large comes first; what is told first comes after it. */
static int guide_one_load(struct scene *s, const struct load *load, const struct tick *whole, struct err *err)
{
    const struct request *q = s->q;
    const double cut = q->common.show ? 1 : q->exact ? 0.7 : 0;
    const struct tick each = tick_part(whole, 0, cut), all = tick_part(whole, cut, cut + 0.7 * (1 - cut)),
        others = tick_part(whole, cut + 0.7 * (1 - cut), 1);
    struct narrowest e = { 0 };
    struct latency_options o;
    struct guide_request asked;
    int ret = 0;

    if (load_options(&o, &q->load, s->traffic, &q->common, &each, err) < 0)
        return -1;
    if (load_say(s->j, &o, err) < 0 || (isnan(s->limit) && !q->exact && guide_limit(s, load, &o, err) < 0))
        return -1;
    asked = guide_asked(s, load, &o);
    if (q->exact)
        ret = narrowest_open(&e, &asked, err);
    o.collide.tick = &all;
    if (ret == 0 && !q->common.show)
        ret = guide_same_for_all(s, load, &o, err);
    o.collide.tick = &others;
    if (ret == 0 && s->j->which == GUIDE_MAIN)
        ret = guide_without_metapath(s, load, &o, err);
    if (ret == 0 && q->exact)
        guide_each_its_own(s, &e, load);
    if (ret == 0)
        ret = load_note_own(s->j->t, s->j->net, s->traffic, &o, load, err);
    narrowest_close(&e);
    return ret;
}

static int guide_all_points(struct scene *s, const struct tick *whole, struct err *err)
{
    struct load_point *point;
    size_t npoint;
    int ret = 0;

    if (load_points(&point, &npoint, &s->q->load, s->j->net, s->traffic, whole, err) < 0)
        return -1;
    if (npoint == 0 && guide_load(&point, s, whole, err) < 0)
        return -1;
    npoint = npoint ? npoint : 1;
    for (size_t i = 0; ret == 0 && i < npoint; i++) {
        const struct tick part = tick_step(whole, i, npoint);

        if (!job_turn(s->j, 2, i))
            continue;
        ret = !isnan(point[i].part) ? err_set(err, ERR_USAGE, "guide compares metapaths at the same load; a "
            "percentage would be a different load for each")
                                    : guide_one_load(s, &(struct load){ point[i].interval, point[i].factor },
                                                     &part, err);
    }
    free(point);
    return ret;
}

static int guide_traffic(struct job *j, const char *text, const struct tick *part, struct err *err)
{
    const struct request *q = j->request;
    const char *shares = q->uniform || (isnan(q->limit) && q->exact) ? "" : ",shares=bandwidth";      /* or the best, found later */
    struct traffic traffic = { 0 };
    struct guide_offer offer = { 0 };
    const struct worst_options worst = { .jobs = q->common.jobs, .tick = part };
    char base[300];
    int ret = -1;

    if (load_traffic(&traffic, j->net, text, NULL, &worst, err) == 0 &&
        load_suits(&q->load, &traffic, err) == 0 &&
        load_base_keys(base, sizeof base, &q->load, "guide", err) == 0 &&
        (q->table ? guide_offer_table(&offer, q->table, shares, base, j->net, &traffic, err) :
         guide_offer_supernodes(&offer, &q->supernode, shares, base, err)) == 0) {
        table_request(j->t, "traffic", traffic.spec);
        load_note_caution(j->t, &traffic);
        ret = guide_all_points(&(struct scene){ j, q, &traffic, &offer, q->limit }, part, err);
    }
    guide_offer_release(&offer);
    traffic_release(&traffic);
    return ret;
}

static int guide_network(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    if (load_each_traffic(j, &q->load, guide_traffic, err) < 0)
        return -1;
    load_note_base(j->t, j->net, &q->load);
    return 0;
}

/* Of rows alone: whether the slowest channel is what meets the limit. */
static bool guide_of_slowest(const struct table *t)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (look_real(t, r, "mean_latency_cycles") <= look_real(t, r, "limit_cycles") &&
            strcmp(look_text(t, r, "meets"), "no") == 0)
            return true;
    return false;
}

/* The limit as a line, where it is one, and rings round what is chosen. */
static int guide_marks(struct chart *c, const struct table *t, const char *x, const char *y, bool bars, struct err *err)
{
    const double limit = look_real(t, 0, "limit_cycles");
    char name[80];
    int series;

    snprintf(name, sizeof name, "limit: %.4g %s", limit, t->column[table_find(t, "limit_cycles")].unit);
    for (size_t r = 0; r < table_rows(t); r++) {
        const char *choice = look_text(t, r, "choice");
        const double at = bars ? chart_category(&c->x, look_text(t, r, "metapath")) : look_real(t, r, x);
        const bool chosen = *choice && strcmp(choice, "needs no metapath") != 0;

        for (int level = chosen ? 0 : 1; level < 2; level++) {
            if (level && (!isfinite(limit) || look_varies(t, "limit_cycles")))
                continue;
            series = chart_series(c, level ? name : "choice", 0);
            if (series < 0 || chart_point(c, series, at, level ? limit : look_real(t, r, y)) < 0)
                return err_memory(err);
            c->series[series].over = true;
            c->series[series].level = level;
        }
    }
    return 0;
}

/* Bars for the metapaths at one load, of what is asked about; lines of latency over several. */
static int guide_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const capacity[] = { "capacity_interval_cycles" };
    static const char *const by_metapath[] = { "metapath", "traffic" }, *const by_traffic[] = { "traffic" };
    const struct request *q = f->request;
    const bool limited = q ? !isnan(q->limit) || !q->exact : look_varies(t, "limit_cycles") ||
        !isnan(look_real(t, 0, "limit_cycles"));
    const char *y[] = { (q ? q->worst : guide_of_slowest(t)) ? "max_latency_cycles" : "mean_latency_cycles" };
    struct natural figure = { .kind = "bar", .x = "metapath", .y = limited ? y : capacity, .ny = 1,
                              .group = by_traffic, .ngroup = 1, .y_scale = SCALE_LINEAR };

    if (which == GUIDE_SOURCES)
        return 0;
    if (look_varies(t, "interval_cycles")) {
        figure = (struct natural){ .kind = "line", .x = load_axis(q ? &q->load : NULL, t), .y = y, .ny = 1,
                                   .group = by_metapath, .ngroup = look_varies(t, "traffic") ? 2 : 1 };
        if (strcmp(figure.x, "load") == 0 && latency_figure_lines(f, t, &figure, err) < 0)    /* of open sources alone */
            return -1;
    }
    if (!f->chart.kind && options_figure(f, t, &figure, err) < 0)
        return -1;
    return limited ? guide_marks(&f->chart, t, figure.x, *y, !look_varies(t, "interval_cycles"), err) : 0;
}

static int guide_check(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    if (q->common.spec.n != 1)
        return err_set(err, ERR_USAGE, "guide needs one topology, as in `metapath guide torus:8x8 --traffic transpose "
                       "--load 0.1 --latency 30`");
    if (isnan(q->limit) && q->exact && (q->worst || q->uniform))
        return err_set(err, ERR_USAGE, "%s is about the limit of latency: give --latency too",
                       q->worst ? "--worst" : "--shares uniform");
    if (q->common.show && (!q->exact || q->common.plot))
        return err_set(err, ERR_USAGE, q->exact ? "--plot draws the table of metapaths, not --show sources" :
                       "--show sources lists what --exact gives each source: give --exact too");
    if (q->table && q->supernode.n)
        return err_set(err, ERR_USAGE, "--table and --supernode both name the metapaths to choose from; give one of "
            "them");
    j->walk.turns[1] = q->load.traffic.n;
    return isnan(q->limit) && !q->exact ? 0 : load_count(j, 2, &q->load, err);   /* the first load's limit */
}

static const struct frame guide_frame = {
    CMD_GUIDE_FRAME, .option = guide_options,
    .shared = (const struct option_part[]){ LOAD_OPTIONS(struct request, equal), LOAD_ROUTER_OPTIONS(struct request),
        { 0 } },
    FRAME_REQUEST(struct request, .load = LOAD_USUAL, .limit = NAN), .table = guide_tables, .plots = true,
    .pick = guide_pick, .check = guide_check, .network = guide_network, .fact = load_fact,
    .figure = guide_figure
};

const struct cmd cmd_guide = { CMD_GUIDE_ENTRY, .frame = &guide_frame };
