#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/capacity.h"
#include "analysis/latency/latency.h"
#include "analysis/metapath/metapath.h"
#include "analysis/bound/throughput.h"
#include "analysis/network/topo_report.h"
#include "cli/command/cmd.h"
#include "cli/request/load.h"

struct request {
    struct options common;
    struct load_request load;
    struct strings spec;
    const char *supernode;
};
enum { KEY_SUPERNODE = 's' };

static const struct argp_option option[] = {
    LOAD_TRAFFIC_OPTIONS,
    { "supernode", KEY_SUPERNODE, "SUPERNODE", 0, "whose metapaths are counted (default: sga:1; `metapath list supernode`)", 1 },
    { "routing", KEY_ROUTING, "ROUTING", 0, "what latency and throughput are of, as in ecmp (default: dor where there are dimensions, else ecmp)", 1 },
    LOAD_MODEL_OPTIONS,
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_SUPERNODE: q->supernode = arg; return 0;
    default: return load_option(&q->load, key, arg, err);
    }
}

/* One network and all that is asked of it. */
struct candidate {
    const char *asked;
    struct net *net;
    struct traffic traffic;
    struct demand demand;
    double *capacity;
    struct routing routing;
    struct supernode supernode;
    struct latency_study study;
    struct topo_report report;
    struct metapath_stats metapath;
    struct throughput bound, reached;
    struct latency_summary latency;
    struct err why;             /* it could not be done; ERR_NONE: it was */
    struct err no_latency;      /* the rest was */
};

static void candidate_close(struct candidate *c)
{
    latency_close(&c->study);
    topo_report_release(&c->report);
    metapath_stats_release(&c->metapath);
    throughput_close(&c->bound);
    throughput_close(&c->reached);
    supernode_release(&c->supernode);
    routing_close(&c->routing);
    free(c->capacity);
    demand_close(&c->demand);
    traffic_release(&c->traffic);
    net_close(c->net);
}

static int open_candidate(struct candidate *c, const struct request *q, const struct tick *tick, struct err *err)
{
    const struct worst_options worst = { .jobs = q->common.jobs, .tick = tick };

    return net_open(&c->net, c->asked, err) < 0 || capacity_open(&c->capacity, c->net, NULL, err) < 0 ||
        load_traffic(&c->traffic, c->net, q->load.traffic.n ? q->load.traffic.item[0] : "uniform", c->capacity, &worst, err) < 0 ||
        load_suits(&q->load, &c->traffic, err) < 0 || demand_open(&c->demand, &c->traffic, q->load.packet, tick, err) < 0 ||
        routing_open(&c->routing, c->net, q->load.routing.n ? q->load.routing.item[0] :
                                          c->net->lines == LINES_GRID ? "dor" : "ecmp", err) < 0 ||
        supernode_open(&c->supernode, q->supernode ? q->supernode : "sga:1", c->net, err) < 0 ? -1 : 0;
}

/* All but the latency, which waits for the load. */
static int examine(struct candidate *c, const struct request *q, const struct tick *tick, struct err *err)
{
    const struct tick part[] = { tick_part(tick, 0, 0.2), tick_part(tick, 0.2, 0.5), tick_part(tick, 0.5, 0.9), tick_part(tick, 0.9, 1) };
    const struct topo_report_options report = { .jobs = q->common.jobs, .tick = part[0] };
    const struct metapath_options metapath = { .jobs = q->common.jobs, .tick = part[1] };
    struct throughput_options bound = { .gap = NAN, .unfolded = q->load.unfolded, .tick = &part[2] };
    struct latency_options latency;

    load_options(&latency, &q->load, &q->common, &part[3]);
    if (open_candidate(c, q, tick, err) < 0)
        return -1;
    bound.capacity = c->capacity;
    if (topo_report(&c->report, c->net, &report, err) < 0 ||
        metapath_stats(&c->metapath, c->net, &c->supernode, 1, &metapath, err) < 0 ||
        throughput_open(&c->bound, c->net, &c->demand, &bound, err) < 0 ||
        throughput_of_routing(&c->reached, c->net, &c->demand, &c->routing, &bound, err) < 0 ||
        latency_open(&c->study, &c->traffic, &c->routing, 1, &latency, err) < 0 || latency_saturation(&c->study, err) < 0)
        return -1;
    c->study.o.collide.tick = c->study.collide.o.tick = NULL;
    return 0;
}

/* The load at which all are compared; where none is asked for, half of that at which the first of them saturates. */
static int the_load(struct load_point *out, const struct request *q, const struct candidate *c, size_t n, struct err *err)
{
    struct load_point *point;
    double least = INFINITY;
    size_t npoint;

    if (load_points(&point, &npoint, &q->load, NULL, err) < 0)
        return -1;
    if (npoint > 1) {
        free(point);
        return err_set(err, ERR_USAGE, "compare compares at one load; %zu were given", npoint);
    }
    *out = npoint ? *point : load_as_it_is;
    free(point);
    if (npoint)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (c[i].why.code == ERR_NONE) {
            if (traffic_own(&c[i].traffic) == OWN_ALL)
                return 0;
            least = fmin(least, c[i].study.saturation_factor);
        }
    out->interval = isfinite(least) ? 2 / least : 1;
    return 0;
}

/* ---- the table ---- */

static const struct column columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, COLUMN_ASIDE },
    { "terminals", NULL, NULL, 0 },
    { "links", NULL, NULL, 0 },
    { "diameter_hops", "Diameter", "hops", 0 },
    { "mean_distance_hops", "Mean distance", "hops", 3 },
    { "supernode", NULL, NULL, 0 },
    { "metapath_width", "Metapath width", NULL, 2 },
    { "metapath_length_hops", "Metapath length", "hops", 3 },
    { "routing", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "load", "Load", NULL, COLUMN_ASIDE },
    { "mean_latency_cycles", "Mean latency", "cycles", 2 },
    { "saturation_interval_cycles", "Saturation", "cycles", -1 },
    { "routing_throughput", "Throughput by it", "of a link", -1 },
    { "bound_throughput", "By any at most", "of a link", -1 },
    { "bound_reached", NULL, NULL, COLUMN_ASIDE },
    { "part_of_bound", "Part of that", NULL, 3 },
    { "validity", NULL, NULL, 0 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};

static void refuse(struct table *t, const struct candidate *c)
{
    table_text(t, c->net ? c->net->spec : c->asked);
    for (size_t i = 1; i + 2 < t->ncolumn; i++)
        table_none(t);
    table_text(t, "refused");
    table_text(t, "refused");
    table_note(t, "%s: %s.", c->net ? c->net->spec : c->asked, c->why.msg);
}

static void add_row(struct table *t, const struct candidate *c, struct refused *refused)
{
    const bool solved = c->no_latency.code == ERR_NONE;
    const struct latency_summary *s = &c->latency;
    struct err why = c->no_latency;

    table_text(t, c->net->spec);
    table_text(t, c->traffic.spec);
    table_int(t, c->net->nterminal);
    table_int(t, (int64_t)c->bound.nlink);
    table_int(t, (int64_t)c->report.diameter);
    table_real(t, c->report.mean_hops);
    table_text(t, c->supernode.spec);
    table_real(t, c->metapath.width);
    table_real(t, c->metapath.mean_hops);
    table_text(t, c->routing.spec);
    table_real(t, solved ? s->interval : NAN);
    table_real(t, solved ? s->load : NAN);
    table_real(t, solved ? s->mean : NAN);
    table_real(t, 1 / c->study.saturation_factor);
    table_real(t, c->reached.theta);
    table_real(t, c->bound.bound);
    table_real(t, c->bound.theta);
    table_real(t, c->reached.theta / c->bound.bound);
    table_text(t, solved ? validity_name[s->validity] : "refused");
    table_text(t, !solved ? "refused" : s->validity == VALIDITY_GOOD ? "model" : "outside the model's validity");
    if (c->capacity)
        table_note(t, "%s: throughputs are by its links' capacities; the latency takes all links as alike.", c->net->spec);
    if (c->demand.unit == DEMAND_GIVEN)
        table_note(t, "%s: throughputs are times the demands of %s.", c->net->spec, c->traffic.spec);
    if (!solved) {
        table_note(t, "%s: %s.", c->net->spec, c->no_latency.msg);
        refused_take(refused, true, &why);
    }
}

static int compute(const struct request *q, struct candidate *c, struct table *t, struct refused *refused, struct err *err)
{
    const size_t n = q->spec.n;
    struct load_point point;
    struct progress p;
    int ret = 0;

    progress_begin(&p, q->common.progress);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick whole = progress_tick(&p), part = tick_part(&whole, (double)i / (double)n, (double)(i + 1) / (double)n);

        c[i].asked = q->spec.item[i];
        if (examine(&c[i], q, &part, err) == 0)
            continue;
        if (n == 1 || !refused_take(refused, true, err))
            ret = -1;
        c[i].why = *err;
    }
    if (ret == 0)
        ret = the_load(&point, q, c, n, err);
    for (size_t i = 0; ret == 0 && i < n; i++) {
        struct load load;

        if (c[i].why.code != ERR_NONE) {
            refuse(t, &c[i]);
            continue;
        }
        load = load_at(&point, c[i].study.saturation_factor);
        table_request(t, "topology", c[i].net->spec);
        if ((latency_solve(&c[i].study, &load, err) < 0 || latency_summary(&c[i].latency, &c[i].study, &load, err) < 0)) {
            if (err->code == ERR_STOPPED || err->code == ERR_MEMORY)
                ret = -1;
            c[i].no_latency = *err;
        }
        if (ret == 0)
            add_row(t, &c[i], refused);
    }
    progress_end(&p);
    return ret;
}

/* ---- the figure: every quantity in parts of the first network's ---- */

static int plot(const struct request *q, const struct candidate *c, struct err *err)
{
    static const struct column quantity[] = { { "quantity", NULL, NULL, 0 }, { "topology", NULL, NULL, 0 }, { "relative", NULL, NULL, 3 } };
    static const char *const y[] = { "relative" }, *const group[] = { "topology" },
                      *const name[] = { "mean distance", "metapath width", "mean latency", "best throughput" };
    const struct natural bars = { .kind = "bar", .x = "quantity", .y = y, .ny = 1, .group = group, .ngroup = 1, .y_scale = SCALE_LINEAR };
    struct column column[3];
    char heading[300];
    struct table t;
    size_t first = 0;
    int ret;

    while (first < q->spec.n && c[first].why.code != ERR_NONE)
        first++;
    memcpy(column, quantity, sizeof column);
    snprintf(heading, sizeof heading, "In parts of %.250s", first < q->spec.n ? c[first].net->spec : "the first");
    column[2].heading = heading;
    table_init(&t, NULL, column, 3);
    for (size_t k = 0; k < 4; k++)
        for (size_t i = first; i < q->spec.n; i++) {
            const struct candidate *of[] = { &c[i], &c[first] };
            double value[2];

            if (c[i].why.code != ERR_NONE)
                continue;
            for (int j = 0; j < 2; j++)
                value[j] = k == 0 ? of[j]->report.mean_hops : k == 1 ? of[j]->metapath.width :
                    k == 2 ? (of[j]->no_latency.code == ERR_NONE ? of[j]->latency.mean : NAN) : of[j]->bound.bound;
            table_text(&t, name[k]);
            table_text(&t, c[i].net->spec);
            table_real(&t, value[0] / value[1]);
        }
    ret = options_plot(&q->common, &t, &bars, err);
    table_release(&t);
    return ret;
}

/* ---- the command ---- */

static int check(const struct request *q, struct err *err)
{
    if (q->spec.n == 0)
        return err_set(err, ERR_USAGE, "compare needs topologies, as in `metapath compare torus:8x8 hypercube:6 --interval 50`");
    if (q->load.traffic.n > 1 || q->load.routing.n > 1)
        return err_set(err, ERR_USAGE, "compare takes one --traffic and one --routing for all networks");
    return 0;
}

static int run(int argc, char **argv, struct err *err)
{
    struct request q = { .common = { .plots = true } };
    const struct option_run r = { option, parse, "SPEC...",
        "Networks side by side: distances, metapaths, latency under load, and the best throughput.\v"
        "A row per network. Mean distance is over pairs of terminals; width and length are those of the supernode's metapaths (as `metapath "
        "stats`); latency is the collision model's at one load for all (as `metapath latency`; default: half of the load at which the first "
        "of them saturates); throughput is what each terminal may inject, in parts of a link, by this routing and, as proved, by any (as "
        "`metapath bound throughput`). One traffic, one routing and one load serve all networks. The figure shows each quantity in parts of the first network's.", &q };
    struct refused refused = { 0 };
    struct candidate *c = NULL;
    struct table t = { 0 };
    int ret = -1;

    load_init(&q.load);
    if (options_parse(&q.common, &r, argc, argv, err) < 0 || check(&q, err) < 0)
        goto done;
    c = calloc(q.spec.n, sizeof *c);
    if (!c) {
        err_memory(err);
        goto done;
    }
    table_init(&t, "Networks side by side", columns, sizeof columns / sizeof *columns);
    ret = compute(&q, c, &t, &refused, err);
    if (ret == 0)
        ret = plot(&q, c, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    for (size_t i = 0; c && i < q.spec.n; i++)
        candidate_close(&c[i]);
    free(c);
    table_release(&t);
    strings_free(&q.spec);
    load_release(&q.load);
    return ret;
}

const struct cmd cmd_compare = {
    .name = "compare",
    .group = "Network",
    .synopsis = "metapath compare SPEC... [--supernode SUPERNODE] [--routing ROUTING] [--interval CYCLES]",
    .summary = "networks side by side: distances, metapaths, latency, the best throughput",
    .run = run
};
