#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/latency_figures.h"
#include "cli/load.h"

struct request {
    struct options common;
    struct load_request load;
    struct strings spec;
    bool compare;
};
enum { KEY_COMPARE = 0x100 };

static const struct argp_option option[] = {
    LOAD_TRAFFIC_OPTIONS,
    { "routing", KEY_ROUTING, "LIST", 0, "as in dor,ecmp,metapath:sga:1 (default: dor where there are dimensions, else minimal; "
      "`metapath list routing`)", 1 },
    LOAD_MODEL_OPTIONS,
    { "compare", KEY_COMPARE, NULL, 0, "the ratio of each mean latency to that of the first routing", 3 },
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_COMPARE: q->compare = true; return 0;
    default: return load_option(&q->load, key, arg, err);
    }
}

/* One network and traffic, sent by all routings. */
struct scene {
    const struct request *q;
    enum latency_table which;
    struct table *t;
    struct refused *refused;
    bool sweep;
    struct net *net;
    struct traffic traffic;
    struct latency_options o;
    struct routing *routing;
    struct latency_study *study;
    struct err *why;            /* of studies that could not be opened */
    size_t n;
    struct load_point *point;
    size_t npoint;
};

static const char *asked_routing(const struct request *q, size_t i)
{
    return q->load.routing.n ? q->load.routing.item[i] : "auto";
}

static int open_studies(struct scene *s, const struct tick *whole, struct err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        struct tick part = tick_part(whole, (double)i / (double)s->n, (double)(i + 1) / (double)s->n);

        s->o.collide.tick = &part;
        if (routing_open(&s->routing[i], s->net, asked_routing(s->q, i), err) < 0 ||
            latency_open(&s->study[i], &s->traffic, &s->routing[i], &s->o, err) < 0 ||
            latency_saturation(&s->study[i], err) < 0) {
            if (!refused_take(s->refused, s->sweep, err))
                return -1;
            latency_close(&s->study[i]);
            s->why[i] = *err;
        } else {
            s->study[i].collide.o.tick = NULL;
        }
    }
    return 0;
}

/* Twelve loads, evenly up to the model's own saturation: of the routing that saturates last, or, for sources that do not
 * wait, of the one that saturates first and not quite up to it. Channels with intervals of their own: as they are. */
static int usual_points(struct scene *s, struct err *err)
{
    enum { LOADS = 12 };
    const bool open = s->q->load.open;
    double saturation = 0;

    s->npoint = load_own(&s->traffic) == OWN_ALL ? 1 : LOADS;
    s->point = calloc(LOADS, sizeof *s->point);
    if (!s->point)
        return err_memory(err);
    for (size_t i = 0; i < s->n; i++) {
        const double f = s->study[i].saturation_factor;

        if (s->why[i].code == ERR_NONE && f > 0)
            saturation = saturation == 0 ? f : open ? fmin(saturation, f) : fmax(saturation, f);
    }
    for (size_t k = 0; k < s->npoint; k++)
        s->point[k] = (struct load_point){ s->npoint == 1 ? NAN : LOADS / (saturation * (open ? 0.99 : 1)) / (double)(k + 1), 1, NAN };
    if (saturation == 0)
        s->npoint = 0;
    return 0;
}

static int one_row(struct scene *s, size_t i, const struct load_point *point, double *reference, struct err *err)
{
    const struct latency_request r = { s->net, s->traffic.spec, s->routing[i].spec ? s->routing[i].spec : asked_routing(s->q, i),
                                       &s->o, *reference };
    struct latency_study *study = &s->study[i];
    struct latency_summary summary;
    struct load load;

    if (s->why[i].code != ERR_NONE) {
        latency_refused(s->t, &r, s->net->spec, NULL, NULL, &s->why[i]);
        return 0;
    }
    load = load_at(point, study->saturation_factor);
    if (latency_solve(study, &load, err) < 0) {
        if (!refused_take(s->refused, s->sweep || s->npoint > 1, err))
            return -1;
        latency_refused(s->t, &r, s->net->spec, study, &load, err);
        return 0;
    }
    if (latency_rows(s->t, s->which, &r, study, &load, &summary, err) < 0)
        return -1;
    if (i == 0)
        *reference = summary.mean;
    return 0;
}

static int all_points(struct scene *s, const struct tick *whole, struct err *err)
{
    for (size_t k = 0; k < s->npoint; k++) {
        double reference = NAN;

        for (size_t i = 0; i < s->n; i++) {
            const double done = (double)(k * s->n + i) / (double)(s->npoint * s->n);
            struct tick part = tick_part(whole, done, done);

            if (tick(&part, 0))
                return err_stopped(err);
            s->study[i].collide.o.tick = &part;
            if (one_row(s, i, &s->point[k], &reference, err) < 0)
                return -1;
        }
    }
    return 0;
}

static int one_traffic(struct scene *s, const char *text, const struct tick *whole, struct err *err)
{
    const struct request *q = s->q;
    const struct tick open = tick_part(whole, 0, 0.4), solve = tick_part(whole, 0.4, 1);
    int ret = -1;

    s->n = q->load.routing.n ? q->load.routing.n : 1;
    s->routing = calloc(s->n, sizeof *s->routing);
    s->study = calloc(s->n, sizeof *s->study);
    s->why = calloc(s->n, sizeof *s->why);
    if (!s->routing || !s->study || !s->why) {
        err_memory(err);
        goto done;
    }
    if (traffic_open(&s->traffic, s->net, text, err) < 0 || load_suits(&q->load, &s->traffic, err) < 0)
        goto done;
    table_request(s->t, "traffic", s->traffic.spec);
    if (open_studies(s, &open, err) < 0 || load_points(&s->point, &s->npoint, &q->load, err) < 0 ||
        (s->npoint == 0 && usual_points(s, err) < 0))
        goto done;
    for (size_t i = 0; i < s->n; i++)
        table_request(s->t, "routing", s->routing[i].spec);
    ret = all_points(s, &solve, err);
done:
    for (size_t i = 0; s->study && s->routing && i < s->n; i++) {
        latency_close(&s->study[i]);
        routing_close(&s->routing[i]);
    }
    traffic_release(&s->traffic);
    free(s->routing);
    free(s->study);
    free(s->why);
    free(s->point);
    s->routing = NULL;
    s->study = NULL;
    s->why = NULL;
    s->point = NULL;
    return ret;
}

static int one_network(const struct request *q, const char *text, enum latency_table which, struct table *t,
                       struct refused *refused, const struct tick *whole, struct err *err)
{
    const size_t n = q->load.traffic.n ? q->load.traffic.n : 1;
    struct scene s = { .q = q, .which = which, .t = t, .refused = refused,
                       .sweep = q->spec.n > 1 || n > 1 || q->load.routing.n > 1 };
    const struct latency_request r = { NULL, NULL, NULL, NULL, NAN };
    int ret = 0;

    load_options(&s.o, &q->load, &q->common, NULL);
    if (net_open(&s.net, text, err) < 0) {
        if (!refused_take(refused, s.sweep, err))
            return -1;
        latency_refused(t, &r, text, NULL, NULL, err);
        return 0;
    }
    table_request(t, "topology", s.net->spec);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        ret = one_traffic(&s, q->load.traffic.n ? q->load.traffic.item[i] : "uniform", &part, err);
    }
    net_close(s.net);
    return ret;
}

/* What the reader must know of rows that are not to be believed. */
static void add_notes(struct table *t)
{
    static const struct {
        const char *validity, *text;
    } all[] = {
        { "near saturation", "within 20 % of the model's own saturation: true waits are shorter there" },
        { "saturated", "a link is held more than 0.8 of the time: latencies of single channels may be off by tens of percent" },
        { "outside", "cut-through with a link in use more than 0.7 of the time: closed sources queue in buffers, which the model "
          "leaves out" }
    };
    const int at = table_find(t, "validity");
    const size_t n = table_rows(t);

    for (size_t k = 0; at >= 0 && k < sizeof all / sizeof *all; k++)
        for (size_t r = 0; r < n; r++) {
            const struct cell *c = &t->cell[r * t->ncolumn + (size_t)at];

            if (c->type == CELL_TEXT && strcmp(c->u.text, all[k].validity) == 0) {
                table_note(t, "%s: %s.", all[k].validity, all[k].text);
                break;
            }
        }
}

static int compute(struct request *q, struct table *t, enum latency_table which, struct err *err)
{
    struct refused refused = { 0 };
    struct progress p;
    int ret = 0;

    progress_begin(&p, q->common.progress);
    for (size_t i = 0; ret == 0 && i < q->spec.n; i++) {
        struct tick tick = progress_tick(&p),
                    part = tick_part(&tick, (double)i / (double)q->spec.n, (double)(i + 1) / (double)q->spec.n);

        ret = one_network(q, q->spec.item[i], which, t, &refused, &part, err);
    }
    progress_end(&p);
    add_notes(t);
    if (ret == 0)
        ret = latency_plot(&q->common, t, which, err);
    return ret == 0 ? options_sweep(&q->common, t, &refused, err) : -1;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "channels", "links", "nodes", NULL };
    struct request q = { .common = { .shows = shows, .plots = true } };
    const struct option_run r = { option, parse, "SPEC...",
        "Latency against load: waits where messages collide.\vA row for each load and routing. Mean, deviation and maximum are "
        "over channels (the sources of a matrix); all times are in cycles, a flit a cycle. Capacity is the interval at which the "
        "fullest link transmits all the time, saturation the interval at which the model for sources that do not wait has no "
        "solution any more. Without a load: twelve, up to saturation.", &q };
    struct column column[LATENCY_COLUMNS];
    enum latency_table which = LATENCY_MAIN;
    struct table t = { 0 };
    int ret = -1;

    load_init(&q.load);
    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    if (q.spec.n == 0) {
        err_set(err, ERR_USAGE, "latency needs a topology, as in `metapath latency torus:8x8 --routing dor,ecmp`");
        goto done;
    }
    for (int i = 0; q.common.show && shows[i]; i++)
        if (strcmp(shows[i], q.common.show) == 0)
            which = (enum latency_table)(i + 1);
    if (q.compare && which != LATENCY_MAIN) {
        err_set(err, ERR_USAGE, "--compare is for the table of loads, not for --show %s", q.common.show);
        goto done;
    }
    table_init(&t, latency_title(which), column, latency_columns(column, which, q.load.open, q.compare));
    ret = compute(&q, &t, which, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    load_release(&q.load);
    return ret;
}

const struct cmd cmd_latency = {
    .name = "latency",
    .group = "Load",
    .synopsis = "metapath latency SPEC... [--traffic LIST] [--routing LIST] [--interval LIST]",
    .summary = "latency against load: where messages collide, who waits how long",
    .run = run
};
