/* Spreading over given ways: shares by the routing, by bandwidth, by a policy, beside the shares that are best. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bound/bound.h"
#include "cli/request/link_panels.h"
#include "cli/request/look.h"
#include "cli/bound/split_scene.h"

enum { KEY_SUPERNODE = 's', KEY_TABLE = 0x100, KEY_POLICY, KEY_WRITE, KEY_FIRST };

static const struct argp_option option[] = {
    LOAD_TRAFFIC_OPTIONS,
    { "supernode", KEY_SUPERNODE, "LIST", 0, "metapaths, as in sga:1,row:4 (`metapath list supernode`)", 0 },
    { "table", KEY_TABLE, "FILE", 0, "or the paths of each channel in FILE (`metapath help table`)", 0 },
    { "routing", KEY_ROUTING, "ROUTING", 0, "what leads from stop to stop: dor or minimal, with keys as in dor,order=1+2", 1 },
    { "policy", KEY_POLICY, "POLICY", 0, "what chooses between the first way and all: its name, with keys as in drb,threshold=20 "
      "(default: drb; `metapath list policy`)", 1 },
    { "first-round", KEY_FIRST, NULL, 0, "only the largest load is made as small as can be: sooner, for large problems", 1 },
    { "write-lp", KEY_WRITE, "FILE", 0, "write the program of the largest load, for other solvers: .lp (CPLEX LP) or .mps", 1 },
    LOAD_MODEL_OPTIONS,
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct split_request *q = own;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_SUPERNODE: return strings_add_list(&q->supernode, arg, err);
    case KEY_TABLE: q->table = arg; return 0;
    case KEY_POLICY: q->policy = arg; return 0;
    case KEY_WRITE: q->write = arg; return 0;
    case KEY_FIRST: q->first = true; return 0;
    default: return load_option(&q->load, key, arg, err);
    }
}


/* ---- the whole ---- */

static int one_metapath(struct split_scene *s, const struct tick *whole, struct err *err)
{
    const struct tick opening = tick_part(whole, 0, 0.6), solving = tick_part(whole, 0.6, 1);
    const size_t n = s->npoint ? s->npoint : 1;
    int ret;

    load_options(&s->o, &s->q->load, &s->q->common, NULL);
    ret = split_schemes_open(s, &opening, err);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_part(&solving, (double)i / (double)n, (double)(i + 1) / (double)n);
        const struct load load = s->npoint ? load_at(&s->point[i], NAN) : (struct load){ 0 };

        ret = split_schemes_solve(s, s->npoint ? &load : NULL, &part, err);
        if (ret == 0)
            ret = split_rows(s, s->npoint ? &load : NULL, err);
    }
    if (ret == 0)
        split_notes(s);
    split_schemes_close(s);
    return ret;
}

static int read_points(struct split_scene *s, struct err *err)
{
    if (load_points(&s->point, &s->npoint, &s->q->load, &s->traffic, err) < 0)
        return -1;
    if (s->npoint && !isnan(s->point[0].part))
        return err_set(err, ERR_USAGE, "shares are compared at equal loads; a percentage would be another for each");
    return 0;
}

static int one_traffic(struct split_scene *s, const char *text, const struct tick *whole, struct err *err)
{
    const struct split_request *q = s->q;
    const size_t n = q->table ? 1 : q->supernode.n;
    int ret = -1;

    if (load_traffic(&s->traffic, s->net, text, NULL, &(struct worst_options){ .jobs = q->common.jobs, .tick = whole }, err) == 0 &&
        load_suits(&q->load, &s->traffic, err) == 0 && read_points(s, err) == 0) {
        table_request(s->t, "traffic", s->traffic.spec);
        ret = q->table && s->traffic.matrix ? err_set(err, ERR_USAGE, "--table needs a traffic of channels; %s is a matrix", s->traffic.spec) : 0;
    }
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        s->label = q->table ? "table" : q->supernode.item[i];
        ret = one_metapath(s, &part, err);
    }
    free(s->point);
    s->point = NULL;
    traffic_release(&s->traffic);
    return ret;
}

static int compute(const struct split_request *q, enum split_table which, struct table *t, struct refused *refused, struct err *err)
{
    const size_t n = q->load.traffic.n ? q->load.traffic.n : 1;
    char base[300];
    struct split_scene s = { .q = q, .which = which, .t = t, .refused = refused, .base = base };
    struct progress p;
    int ret = load_base_keys(base, sizeof base, &q->load, "bound split", err);

    progress_begin(&p, q->common.progress);
    if (ret == 0)
        ret = net_open(&s.net, q->spec.item[0], err);
    if (ret == 0)
        table_request(t, "topology", s.net->spec);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick whole = progress_tick(&p), part = tick_part(&whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        ret = one_traffic(&s, q->load.traffic.n ? q->load.traffic.item[i] : "uniform", &part, err);
    }
    progress_end(&p);
    net_close(s.net);
    return ret;
}

/* Lines of latency against the interval; bars at one; of loads where there is none. */
static int plot(const struct split_request *q, const struct table *t, struct err *err)
{
    static const char *const latency[] = { "mean_latency_cycles" }, *const load[] = { "largest_load" };
    static const char *const by_shares[] = { "shares", "metapath", "traffic" }, *const by_metapath[] = { "metapath", "traffic" };
    const int interval = table_find(t, "interval_cycles");
    const size_t traffics = q->load.traffic.n > 1, metapaths = q->supernode.n > 1 || traffics;
    struct natural figure = { .kind = "bar", .x = "shares", .y = latency, .ny = 1, .group = by_metapath, .ngroup = metapaths + traffics,
                              .y_scale = SCALE_LINEAR };
    bool any = false, several = false;

    for (size_t r = 0; r < table_rows(t); r++) {
        const struct cell *c = table_at(t, r, (size_t)interval), *first = table_at(t, 0, (size_t)interval);

        any = any || (c->type == CELL_REAL && !isnan(c->u.real));
        several = several || !cell_same(c, first);
    }
    if (!any)
        figure.y = load;
    if (several)
        figure = (struct natural){ .kind = "line", .x = "interval_cycles", .y = latency, .ny = 1, .group = by_shares,
                                   .ngroup = 1 + metapaths + traffics, .valid = "valid" };
    return options_plot(&q->common, t, &figure, err);
}

/* A panel for each kind of shares that is known. */
static int plot_links(const struct split_request *q, const struct table *t, struct err *err)
{
    static const struct panel_column panel[] = { { "metapath", NULL, false }, { "traffic", NULL, false },
                                                 { "interval_cycles", "every %.4g cycles", false } };
    static const char *const all[] = { "load_static", "load_uniform", "load_bandwidth", "load_policy", "load_optimal" };
    const char *value[5];
    struct link_panels links = { panel, 3, value, 0, "Load", NULL, false };

    for (size_t k = 0; k < 5; k++)
        for (size_t r = 0; r < table_rows(t); r++)
            if (!isnan(look_real(t, r, all[k]))) {
                value[links.nvalue++] = all[k];
                break;
            }
    return link_panels_plot(&q->common, t, &links, err);
}

static int check(const struct split_request *q, struct err *err)
{
    if (q->spec.n != 1)
        return err_set(err, ERR_USAGE, "bound split needs one topology, as in `metapath bound split torus:8x8 --traffic transpose "
                       "--supernode sga:1`");
    if (!q->table == !q->supernode.n)
        return err_set(err, ERR_USAGE, "bound split needs ways to spread over: either --supernode, as in sga:1, or --table");
    if (q->write && (q->supernode.n > 1 || q->load.traffic.n > 1))
        return err_set(err, ERR_USAGE, "--write-lp is for one program: give one traffic and one metapath");
    return 0;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "shares", "links", NULL };
    struct split_request q = { .common = { .shows = shows, .plots = true } };
    const struct option_run r = { option, parse, "SPEC",
        "How far shares of messages are from the best for the same ways.\vA row for each way to share: static (all over the first way, "
        "of supernodes the straight one), uniform (as metapath: and table: give them), bandwidth (in proportion to 1/latency, at the "
        "interval), policy (where it settles), optimal (the least largest link load, then the least next largest, and so on, then the "
        "least mean length; by linear programs whose answers are proved by their prices). Loads are in transmission times per "
        "interval, so that the fullest link transmits all the time at an interval of that many: the capacity; of channels with intervals of "
        "their own, in parts of the time. Latencies are those of the collision model. The price of a link (--show links) is what "
        "the largest load falls by per cable more there, at the margin.", &q };
    struct refused refused = { 0 };
    struct table t = { 0 };
    enum split_table which = SPLIT_MAIN;
    int ret = -1;

    load_init(&q.load);
    if (options_parse(&q.common, &r, argc, argv, err) < 0 || check(&q, err) < 0)
        goto done;
    for (int i = 0; q.common.show && shows[i]; i++)
        if (strcmp(shows[i], q.common.show) == 0)
            which = (enum split_table)(i + 1);
    if (which == SPLIT_SHARES && q.common.plot) {
        err_set(err, ERR_USAGE, "there is no figure of shares: leave out --plot or --show shares");
        goto done;
    }
    split_table_init(&t, which);
    ret = compute(&q, which, &t, &refused, err);
    if (ret == 0)
        ret = which == SPLIT_LINKS ? plot_links(&q, &t, err) : plot(&q, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    strings_free(&q.supernode);
    load_release(&q.load);
    return ret;
}

const struct bound bound_split = {
    .name = "split",
    .synopsis = "metapath bound split SPEC --supernode LIST [--traffic LIST] [--interval LIST]",
    .summary = "shares of messages over the ways of a metapath, beside the best there are",
    .source = "for the ways and their use: Franco, Garces and Luque 1999 (Distributed Routing Balancing)",
    .run = run
};
