#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/policy/guide.h"
#include "analysis/policy/narrowest.h"
#include "cli/command/cmd.h"
#include "cli/request/load.h"

struct request {
    struct options common;
    struct load_request load;
    struct strings spec, supernode;
    const char *table;
    double limit;                   /* NAN: not said */
    bool worst, uniform, exact;
};
enum { KEY_SUPERNODE = 's', KEY_LATENCY = 'l', KEY_WORST = 0x100, KEY_TABLE, KEY_SHARES, KEY_EXACT };

static const struct argp_option option[] = {
    LOAD_TRAFFIC_OPTIONS,
    { "latency", KEY_LATENCY, "CYCLES", 0, "what mean latency is to stay below (required, but with --exact)", 0 },
    { "worst", KEY_WORST, NULL, 0, "the latency of the worst channel is to stay below it, not only the mean", 0 },
    { "exact", KEY_EXACT, NULL, 0, "also the narrowest assignment of all, each source with a metapath of its own; without --latency "
      "those with which no link transmits more than all the time, for the best shares", 0 },
    { "supernode", KEY_SUPERNODE, "LIST", 0, "metapaths offered, as in static,sga:1,row:4 (default: static,sga:1,dga:1,sga:2,"
      "dga:2)", 1 },
    { "table", KEY_TABLE, "FILE", 0, "instead: the first one, two, ... paths of each channel in FILE (`metapath help table`)", 1 },
    { "shares", KEY_SHARES, "bandwidth|uniform", 0, "how messages are spread over the paths of a metapath (default: bandwidth)", 1 },
    { "routing", KEY_ROUTING, "ROUTING", 0, "what leads from stop to stop: dor or minimal, with keys as in dor,order=1+2", 1 },
    LOAD_MODEL_OPTIONS,
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    static const char *const shares[] = { "bandwidth", "uniform", NULL };
    struct request *q = own;
    int which;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_SUPERNODE: return strings_add_list(&q->supernode, arg, err);
    case KEY_LATENCY: return option_real(&q->limit, arg, 1e-9, 1e15, "--latency", err);
    case KEY_WORST: q->worst = true; return 0;
    case KEY_EXACT: q->exact = true; return 0;
    case KEY_TABLE: q->table = arg; return 0;
    case KEY_SHARES:
        which = option_choice("--shares", arg, shares, err);
        q->uniform = which == 1;
        return which < 0 ? -1 : 0;
    default: return load_option(&q->load, key, arg, err);
    }
}

static const struct column columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "metapath", NULL, NULL, 0 },
    { "routing", NULL, NULL, COLUMN_ASIDE },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "load", "Load", NULL, COLUMN_ASIDE },
    { "ways", "Ways", NULL, 2 },
    { "mean_hops", "Mean length", "hops", 3 },
    { "mean_latency_cycles", "Mean latency", "cycles", 2 },
    { "max_latency_cycles", "Max", "cycles", 2 },
    { "limit_cycles", "Limit", "cycles", COLUMN_ASIDE },
    { "meets", "Within the limit", NULL, 0 },
    { "choice", NULL, NULL, 0 },
    { "capacity_interval_cycles", "Capacity", "cycles", -1 },
    { "saturation_interval_cycles", "Saturation", "cycles", -1 },
    { "validity", NULL, NULL, 0 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column source_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "channel", NULL, NULL, 0 },
    { "source", NULL, NULL, 0 },
    { "target", NULL, NULL, 0 },
    { "metapath", NULL, NULL, 0 },
    { "ways", NULL, NULL, 2 },
    { "latency_cycles", "Latency", "cycles", 2 }
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static void add_row(struct table *t, const struct request *q, const struct net *net, const struct traffic *traffic,
                    const struct guide *g, size_t i, const char *label, const struct load *load, struct refused *refused)
{
    const struct guide_row *r = &g->row[i];
    const bool solved = r->why.code == ERR_NONE;
    const struct latency_summary *s = &r->summary;
    struct err why = r->why;
    const double interval = load_interval(load, traffic);

    table_text(t, net->spec);
    table_text(t, traffic->spec);
    table_text(t, label);
    table_text(t, r->routing);
    table_real(t, solved ? s->interval : interval);
    table_real(t, solved ? s->load : q->load.packet / interval);
    table_real(t, r->ways);
    table_real(t, r->hops);
    table_real(t, solved ? s->mean : NAN);
    table_real(t, solved ? s->most : NAN);
    table_real(t, q->limit);
    table_text(t, r->meets ? "yes" : "no");
    table_text(t, (int64_t)i != g->choice ? NULL : r->meets ? "smallest" : "closest");
    table_real(t, r->capacity_interval);
    table_real(t, solved ? s->saturation_interval : NAN);
    table_text(t, solved ? validity_name[s->validity] : "refused");
    table_text(t, !solved ? "refused" : s->validity == VALIDITY_GOOD ? "model" : "outside the model's validity");
    if (!solved) {
        table_note(t, "%s: %s.", r->routing, r->why.msg);
        refused_take(refused, true, &why);
    }
}

/* How many sources take what. */
static void exact_note(struct table *t, const struct narrowest *e, const char *const *label, const struct traffic *traffic)
{
    char text[600] = "";
    size_t len = 0;

    if (!e->found && e->every) {
        table_note(t, "%s, exact: no assignment of these metapaths will do.", traffic->spec);
        return;
    }
    if (!e->found) {
        table_note(t, "%s, exact: none of the %zu narrowest assignments will do; those left have %.4g ways or more.", traffic->spec,
                   e->tries, e->ways);
        return;
    }
    for (size_t k = 0; k < e->noffer && len + 1 < sizeof text; k++)
        if (e->count[k])
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%zu with %.80s", len ? ", " : "", e->count[k], label[k]);
    table_note(t, "%s, exact: sources %s; %zu assignment%s tried.", traffic->spec, text, e->tries, e->tries == 1 ? " was" : "s were");
}

static void exact_row(struct table *t, const struct request *q, const struct net *net, const struct traffic *traffic,
                      const struct narrowest *e, const struct load *load, struct refused *refused)
{
    const bool solved = e->found && e->why.code == ERR_NONE;
    const struct latency_summary *s = &e->summary;
    const double interval = load_interval(load, traffic);
    struct err why = e->why;

    table_text(t, net->spec);
    table_text(t, traffic->spec);
    table_text(t, "exact");
    table_none(t);
    table_real(t, solved ? s->interval : interval);
    table_real(t, solved ? s->load : q->load.packet / interval);
    table_real(t, e->found ? e->ways : NAN);
    table_real(t, e->found ? e->hops : NAN);
    table_real(t, solved ? s->mean : NAN);
    table_real(t, solved ? s->most : NAN);
    table_real(t, q->limit);
    table_text(t, e->found ? "yes" : e->every ? "no" : NULL);
    table_text(t, e->found ? "narrowest" : NULL);
    table_real(t, e->found ? e->capacity_interval : NAN);
    table_real(t, solved ? s->saturation_interval : NAN);
    table_text(t, solved ? validity_name[s->validity] : e->found ? "refused" : NULL);
    table_text(t, !solved ? e->found ? "refused" : NULL : s->validity == VALIDITY_GOOD ? "model" : "outside the model's validity");
    if (e->found && !solved) {
        table_note(t, "exact: %s.", e->why.msg);
        refused_take(refused, true, &why);
    }
}

/* Folded: the one source stands for all, which the channels of a solution tell; without one there is only itself. */
static void source_rows(struct table *t, const struct net *net, const struct traffic *traffic, const struct narrowest *e,
                        const char *const *label, const struct load *load)
{
    const size_t n = !e->found ? 0 : traffic->matrix ? (size_t)net->nterminal : traffic->nchannel;

    for (size_t i = 0; i < n; i++) {
        const struct channel *c = traffic->matrix ? NULL : &traffic->channel[i];
        const struct traffic_pace request = { .interval = load->interval };
        const size_t source = e->nsource == n ? i : 0;
        char name[NET_LABEL];

        table_text(t, net->spec);
        table_text(t, traffic->spec);
        table_real(t, traffic_pace(traffic, c ? (int)i : -1, request).interval / load->factor);
        if (c)
            table_take(t, traffic_channel_label(traffic, i));
        else
            table_none(t);
        table_text(t, net_label(net, c ? c->source : net_terminal(net, (int)i), name));
        table_text(t, c ? net_label(net, c->target, name) : NULL);
        table_text(t, label[e->at[source]]);
        table_real(t, e->width[source]);
        table_real(t, e->channel ? e->channel[i].latency : NAN);
    }
}

struct offers {                 /* metapaths as routings, and what they are called */
    struct strings spec, label;
};

/* The first one, two, ... paths of a table, until no channel has more. */
static int offer_table(struct offers *offer, const struct request *q, const char *shares, const char *base, struct net *net,
                       const struct traffic *traffic, struct err *err)
{
    struct ways ways = { 0 };
    struct routing r = { 0 };
    size_t most = 0;
    char text[1000];
    int ret = -1;

    snprintf(text, sizeof text, "table:%.600s%s", q->table, base);
    if (traffic->matrix)
        return err_set(err, ERR_USAGE, "--table needs a traffic of channels; %s is a matrix", traffic->spec);
    if (routing_open(&r, net, text, err) < 0)
        return -1;
    for (size_t i = 0; i < traffic->nchannel; i++) {
        const struct channel *c = &traffic->channel[i];

        ways_clear(&ways);
        if (r.route->ways(&ways, &r, c->name, c->source, c->target, err) < 0)
            goto done;
        most = ways.n > most ? ways.n : most;
    }
    for (size_t k = 1; k <= most; k++) {
        snprintf(text, sizeof text, "table:%.600s,first=%zu%s%s", q->table, k, shares, base);
        if (strings_add(&offer->spec, text, err) < 0)
            goto done;
        snprintf(text, sizeof text, "%zu path%s", k, k > 1 ? "s" : "");
        if (strings_add(&offer->label, text, err) < 0)
            goto done;
    }
    ret = 0;
done:
    ways_release(&ways);
    routing_close(&r);
    return ret;
}

static int offer_supernodes(struct offers *offer, const struct request *q, const char *shares, const char *base, struct err *err)
{
    static const char *const usual[] = { "static", "sga:1", "dga:1", "sga:2", "dga:2" };
    const size_t n = q->supernode.n ? q->supernode.n : sizeof usual / sizeof *usual;
    char text[1000];

    for (size_t i = 0; i < n; i++) {
        snprintf(text, sizeof text, "metapath:%.600s%s%s", q->supernode.n ? q->supernode.item[i] : usual[i], shares, base);
        if (strings_add(&offer->spec, text, err) < 0 ||
            strings_add(&offer->label, q->supernode.n ? q->supernode.item[i] : usual[i], err) < 0)
            return -1;
    }
    return 0;
}

struct scene {
    const struct request *q;
    struct table *t;
    struct net *net;
    const struct traffic *traffic;
    const struct offers *offer;
    struct refused *refused;
};

static int same_for_all(const struct scene *s, const struct load *load, const struct latency_options *o, struct err *err)
{
    const struct request *q = s->q;
    struct guide g;

    if (guide_open(&g, (const char *const *)s->offer->spec.item, s->offer->spec.n, s->traffic, s->net, load, q->limit, q->worst, o, err) < 0)
        return -1;
    for (size_t k = 0; k < g.n; k++)
        add_row(s->t, q, s->net, s->traffic, &g, k, s->offer->label.item[g.row[k].offer], load, s->refused);
    guide_close(&g);
    return 0;
}

static void each_its_own(const struct scene *s, const struct narrowest *e, const struct load *load)
{
    const char *const *label = (const char *const *)s->offer->label.item;

    if (s->q->common.show)
        source_rows(s->t, s->net, s->traffic, e, label, load);
    else
        exact_row(s->t, s->q, s->net, s->traffic, e, load, s->refused);
    exact_note(s->t, e, label, s->traffic);
}

/* What may be too large comes first; what is told first comes after it. */
static int one_load(const struct scene *s, const struct load *load, const struct tick *whole, struct err *err)
{
    const struct request *q = s->q;
    const double cut = q->common.show ? 1 : q->exact ? 0.7 : 0;
    const struct tick each = tick_part(whole, 0, cut), all = tick_part(whole, cut, 1);
    struct narrowest e = { 0 };
    struct latency_options o;
    int ret = 0;

    load_options(&o, &q->load, &q->common, &each);
    if (q->exact)
        ret = narrowest_open(&e, (const char *const *)s->offer->spec.item, s->offer->spec.n, s->traffic, s->net, load, q->limit, q->worst, &o,
                             err);
    o.collide.tick = &all;
    if (ret == 0 && !q->common.show)
        ret = same_for_all(s, load, &o, err);
    if (ret == 0 && q->exact)
        each_its_own(s, &e, load);
    narrowest_close(&e);
    return ret;
}

static int all_points(const struct scene *s, const struct tick *whole, struct err *err)
{
    struct load_point *point;
    size_t npoint;
    int ret = 0;

    if (load_points(&point, &npoint, &s->q->load, s->traffic, err) < 0)
        return -1;
    if (npoint == 0)
        return err_set(err, ERR_USAGE, "guide needs a load: --interval, --rate or --load");
    for (size_t i = 0; ret == 0 && i < npoint; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)npoint, (double)(i + 1) / (double)npoint);
        const struct load load = load_at(&point[i], NAN);

        ret = !isnan(point[i].part) ? err_set(err, ERR_USAGE, "guide compares metapaths at one load; a percentage would be another for each")
                                    : one_load(s, &load, &part, err);
    }
    free(point);
    return ret;
}

static int one_traffic(const struct request *q, struct table *t, struct net *net, const char *text, struct refused *refused,
                       const struct tick *part, struct err *err)
{
    const char *shares = q->uniform || isnan(q->limit) ? "" : ",shares=bandwidth";      /* or the best, found later */
    struct traffic traffic = { 0 };
    struct offers offer = { 0 };
    char base[300];
    int ret = -1;

    if (load_traffic(&traffic, net, text, NULL, &(struct worst_options){ .jobs = q->common.jobs, .tick = part }, err) == 0 &&
        load_suits(&q->load, &traffic, err) == 0 &&
        load_base_keys(base, sizeof base, &q->load, "guide", err) == 0 &&
        (q->table ? offer_table(&offer, q, shares, base, net, &traffic, err) : offer_supernodes(&offer, q, shares, base, err)) == 0) {
        table_request(t, "traffic", traffic.spec);
        ret = all_points(&(struct scene){ q, t, net, &traffic, &offer, refused }, part, err);
    }
    strings_free(&offer.spec);
    strings_free(&offer.label);
    traffic_release(&traffic);
    return ret;
}

static int compute(const struct request *q, struct table *t, struct refused *refused, struct err *err)
{
    const size_t n = q->load.traffic.n ? q->load.traffic.n : 1;
    struct net *net = NULL;
    struct progress p;
    int ret;

    progress_begin(&p, q->common.progress);
    ret = net_open(&net, q->spec.item[0], err);
    if (ret == 0)
        table_request(t, "topology", net->spec);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick whole = progress_tick(&p),
                          part = tick_part(&whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        ret = one_traffic(q, t, net, q->load.traffic.n ? q->load.traffic.item[i] : "uniform", refused, &part, err);
    }
    progress_end(&p);
    net_close(net);
    return ret;
}

/* Bars for the metapaths at one load, of what is asked about; lines of latency over several. */
static int plot(const struct request *q, const struct table *t, struct err *err)
{
    static const char *const capacity[] = { "capacity_interval_cycles" };
    const char *y[] = { q->worst ? "max_latency_cycles" : "mean_latency_cycles" };
    static const char *const by_metapath[] = { "metapath", "traffic" }, *const by_traffic[] = { "traffic" };
    const int interval = table_find(t, "interval_cycles");
    bool several = false;
    struct natural figure = { .kind = "bar", .x = "metapath",
                              .y = isnan(q->limit) ? capacity : y, .ny = 1, .group = by_traffic, .ngroup = 1, .y_scale = SCALE_LINEAR };

    for (size_t r = 1; r < table_rows(t); r++)
        several = several || t->cell[r * t->ncolumn + (size_t)interval].u.real != t->cell[interval].u.real;
    if (several)
        figure = (struct natural){ .kind = "line", .x = "interval_cycles", .y = y, .ny = 1, .group = by_metapath,
                                   .ngroup = q->load.traffic.n > 1 ? 2 : 1 };
    return options_plot(&q->common, t, &figure, err);
}

static int check(const struct request *q, struct err *err)
{
    if (q->spec.n != 1)
        return err_set(err, ERR_USAGE, "guide needs one topology, as in `metapath guide torus:8x8 --traffic transpose --interval 30 "
                       "--latency 20`");
    if (isnan(q->limit) && !q->exact)
        return err_set(err, ERR_USAGE, "guide needs --latency, what the mean is to stay below");
    if (isnan(q->limit) && (q->worst || q->uniform))
        return err_set(err, ERR_USAGE, "%s is about latency: give --latency", q->worst ? "--worst" : "--shares uniform");
    if (q->common.show && (!q->exact || q->common.plot))
        return err_set(err, ERR_USAGE, q->exact ? "--plot draws the table of metapaths, not --show sources" :
                       "--show sources tells what --exact gives each source: give --exact as well");
    if (q->table && q->supernode.n)
        return err_set(err, ERR_USAGE, "--table and --supernode both say what metapaths are offered; give one of them");
    return 0;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "sources", NULL };
    struct request q = { .common = { .shows = shows, .plots = true }, .limit = NAN };
    const struct option_run r = { option, parse, "SPEC",
        "The smallest metapath that keeps latency below a limit.\vA row for each metapath offered, from narrow to wide; `choice` "
        "names the narrowest whose mean latency (with --worst: that of the worst channel) is within the limit, or else the one "
        "that comes closest. Width is the mean number of different ways from a source to a destination. With --exact, sources may "
        "differ: of all assignments of these metapaths to sources the narrowest that will do, by an integer program (without --latency) or by "
        "trying up to 2000 in the order of their width. --show sources tells what each takes.", &q };
    struct refused refused = { 0 };
    struct table t = { 0 };
    int ret = -1;

    load_init(&q.load);
    if (options_parse(&q.common, &r, argc, argv, err) < 0 || check(&q, err) < 0)
        goto done;
    if (q.common.show)
        table_init(&t, "The narrowest metapath of each source", source_columns, COUNT(source_columns));
    else
        table_init(&t, isnan(q.limit) ? "Metapaths within the capacity of links" : "Metapaths within a limit of latency", columns, COUNT(columns));
    ret = compute(&q, &t, &refused, err);
    if (ret == 0 && !q.common.show)
        ret = plot(&q, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    strings_free(&q.supernode);
    load_release(&q.load);
    return ret;
}

const struct cmd cmd_guide = {
    .name = "guide",
    .group = "Load",
    .synopsis = "metapath guide SPEC --traffic LIST --interval LIST --latency CYCLES [--exact]",
    .summary = "the smallest metapath that keeps latency below a limit",
    .run = run
};
