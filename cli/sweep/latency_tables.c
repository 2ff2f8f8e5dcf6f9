/* The five tables of `metapath latency`: their columns; which of these are shown for open loops, comparisons and
 * policies (latency_columns); and the rows of a solved study, one function each: the whole (main), channels, links,
 * nodes, and what spreading costs. latency_refused is the row of what could not be solved. */
#include "cli/sweep/latency_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/latency/latency_quantiles.h"
#include "cli/request/load.h"
#include "graph/base/mem.h"

static const struct column main_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("routing"), ASIDE("switching"), ASIDE("loop"), ASIDE("closure"),
    HOW_COLUMNS,
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE },
    { "rate_per_cycle", "Rate", "messages per cycle", COLUMN_ASIDE },
    { "load", "Load", NULL, 4 },
    { "accepted_load", "Accepted load", NULL, COLUMN_ASIDE },
    { "zero_load_latency_cycles", "Zero-load latency", "cycles", YIELDS(2) },
    { "network_wait_cycles", "Network wait", "cycles", YIELDS(2) },
    { "source_wait_cycles", "Source wait", "cycles", COLUMN_ASIDE },
    { "packet_latency_cycles", "Packet latency", "cycles", 2 },
    { "simulated_latency_cycles", "Simulated", "cycles", IF_FILLED(2) },
    { "simulated_latency_confidence_cycles", "+-", "cycles", IF_FILLED(2) },
    { "error_percent", "Error", "%", IF_FILLED(1) }, { "simulation", NULL, NULL, IF_FILLED(0) },
    { "median_latency_cycles", "Median", "cycles", COLUMN_ASIDE },
    { "p95_latency_cycles", "95 %", "cycles", COLUMN_ASIDE }, { "p99_latency_cycles", "99 %", "cycles", COLUMN_ASIDE },
    { "latency_ratio", "Ratio", NULL, COLUMN_ASIDE },
    { "sd_latency_cycles", "Deviation", "cycles", YIELDS(2) },
    { "max_latency_cycles", "Max", "cycles", YIELDS(2) },
    ASIDE("slowest_channel"),
    { "longest_way_cycles", "Longest way", "cycles", COLUMN_ASIDE },
    { "mean_hops", NULL, "hops", COLUMN_ASIDE },
    { "bottleneck", NULL, NULL, YIELDS_LAST(0) }, { "busy", NULL, NULL, YIELDS(3) },
    { "utilisation", NULL, NULL, COLUMN_ASIDE },
    { "capacity_interval_cycles", "Capacity", "cycles", COLUMN_ASIDE },
    { "capacity_load", "Capacity", NULL, COLUMN_ASIDE },
    { "knee_interval_cycles", "Knee", "cycles", COLUMN_ASIDE },
    { "saturation_interval_cycles", "Saturation", "cycles", COLUMN_ASIDE },
    { "saturation_load", "Saturation", NULL, COLUMN_ASIDE },
    ASIDE("capacity_scale"), ASIDE("saturation_scale"), ASIDE("closes_cycles"), ASIDE("policy"),
    { "policy_rounds", "Policy rounds", NULL, COLUMN_ASIDE },
    { "policy_period", "Period", NULL, COLUMN_ASIDE },
    ASIDE("stuck"), ASIDE("configurations"), ASIDE("rounds"), ASIDE("residual"), PLAIN("validity"), ASIDE("valid"),
    ASIDE("quality")
};
static const struct conclusion main_conclusion = {
    .score = "packet_latency_cycles", .noun = "packet latency", .contender = { "routing" },
    .scope = { "topology", "traffic", "load" }, .saturation = "saturation_load", .where = "bottleneck",
    .family = "metapath:", .family_noun = "metapath"
};
static const struct column stream_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("routing"), PLAIN("channel"), PLAIN("source"), PLAIN("target"),
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE },
    { "load", "Load", NULL, COLUMN_ASIDE },
    { "time_cycles", "Time", "cycles", COLUMN_ASIDE },
    { "latency_cycles", "Latency", "cycles", 2 },
    { "zero_load_latency_cycles", "Zero-load latency", "cycles", COLUMN_ASIDE },
    { "wait_cycles", "Wait", "cycles", 2 },
    { "spread_cycles", "Spread", "cycles", YIELDS(2) },
    { "least_cycles", "Least", "cycles", COLUMN_ASIDE },
    { "most_cycles", "Most", "cycles", COLUMN_ASIDE },
    { "source_wait_cycles", "Source wait", "cycles", COLUMN_ASIDE },
    { "accepted_rate_per_cycle", "Accepted", "messages per cycle", YIELDS(-1) },
    { "ways", NULL, NULL, YIELDS(0) },
    { "metapath_latency_cycles", "Metapath latency", "cycles", COLUMN_ASIDE },
    { "static_latency_cycles", "Static", "cycles", COLUMN_ASIDE },
    ASIDE("configuration"), ASIDE("verdict"), ASIDE("quality")
};
static const struct column link_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("routing"),
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE },
    { "load", "Load", NULL, COLUMN_ASIDE },
    PLAIN("from"), PLAIN("to"),
    { "rate_per_cycle", "Rate", "messages per cycle", 5 },
    { "busy", NULL, NULL, 4 }, { "utilisation", NULL, NULL, 4 },
    { "wait_cycles", "Wait", "cycles", 3 },
    PLAIN("ports"), ASIDE("quality")
};
static const struct column node_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("routing"),
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE },
    { "load", "Load", NULL, COLUMN_ASIDE },
    PLAIN("node"), ASIDE("row"), ASIDE("column"),
    { "wait_cycles", "Wait at its links", "cycles", 3 },
    { "utilisation", NULL, NULL, 4 },
    { "sent_latency_cycles", "Latency of what it sends", "cycles", 2 },
    ASIDE("quality")
};

static const struct column cost_columns[] = {
    PLAIN("topology"), ASIDE("traffic"), PLAIN("routing"), PLAIN("configuration"), ASIDE("pairs"),
    { "ways", NULL, NULL, 2 },
    { "max_ways", "Most ways", NULL, YIELDS(0) },
    { "header_bits", "Header", "bits", 1 },
    { "max_header_bits", "Largest header", "bits", YIELDS(0) },
    { "extra_header_bits", "More than plain", "bits", 1 },
    { "carried_bits", "Carried for the acknowledgement", "bits", COLUMN_ASIDE },
    { "acknowledgement_bits", "Acknowledgement", "bits", YIELDS(1) },
    { "state_bits", "State of a pair", "bits", 1 },
    { "max_state_bits", "Largest state", "bits", YIELDS(0) },
    { "extra_decisions", "Decisions more", "per message", 2 },
    { "max_extra_decisions", "Most decisions", NULL, YIELDS(0) },
    { "acknowledgements", "Acknowledgements", "per message", YIELDS(0) },
    { "path_choices", "Choices of a path", "per message", COLUMN_ASIDE },
    { "configuration_decisions", "Configurings", "per acknowledgement", COLUMN_ASIDE },
    { "latency_field_bits", "Latency field", "bits", COLUMN_ASIDE },
    ASIDE("quality")
};

const struct frame_table latency_table[] = {
    [LATENCY_MAIN] = { NULL, "Latency against load", COLUMNS(main_columns), .conclusion = &main_conclusion },
    [LATENCY_CHANNELS] = { "channels", "Latency of channels", COLUMNS(stream_columns),
                           .words = "channel,source,target" },
    [LATENCY_LINKS] = { "links", "Waits at links", COLUMNS(link_columns), .words = "from,to" },
    [LATENCY_NODES] = { "nodes", "Waits at nodes", COLUMNS(node_columns) },
    [LATENCY_COSTS] = { "costs", "What spreading messages costs", COLUMNS(cost_columns) }, { 0 }
};

/* Columns that are shown only where there is something to see. */
static const struct {
    int which;
    const char *name;
    int decimals;
    enum { WHERE_COMPARED, WHERE_POLICIES } where;
} extra[] = {
    { LATENCY_MAIN, "latency_ratio", 3, WHERE_COMPARED },
    { LATENCY_MAIN, "policy", 0, WHERE_POLICIES },
    { LATENCY_MAIN, "policy_rounds", YIELDS(0), WHERE_POLICIES },
    { LATENCY_MAIN, "stuck", YIELDS(0), WHERE_POLICIES },
    { LATENCY_MAIN, "configurations", YIELDS(0), WHERE_POLICIES },
    { LATENCY_CHANNELS, "metapath_latency_cycles", 2, WHERE_POLICIES },
    { LATENCY_CHANNELS, "static_latency_cycles", 2, WHERE_POLICIES },
    { LATENCY_CHANNELS, "configuration", 0, WHERE_POLICIES },
    { LATENCY_CHANNELS, "verdict", 0, WHERE_POLICIES }
};

void latency_columns(struct job *j, bool compare, bool policies)
{
    const bool holds[] = { [WHERE_COMPARED] = compare, [WHERE_POLICIES] = policies };

    for (size_t k = 0; k < sizeof extra / sizeof *extra; k++)
        if (extra[k].which == j->which && holds[extra[k].where])
            j->column[table_find(j->t, extra[k].name)].decimals = extra[k].decimals;
}

static const char *latency_quality(enum validity v)
{
    return v == VALIDITY_GOOD ? "model" :
        v == VALIDITY_UNKNOWN ? "model, validity unknown" : "outside the model's validity";
}

/* "1.2>1.3"; where all nodes are alike, the link of that kind at node 0. */
static struct named_cell latency_link_cell(const char *column, const struct flows *f, size_t link)
{
    return cell_take(column, flows_link_label(f, link));
}

/* What every row begins with. */
#define LATENCY_REQUEST(q) \
    cell_text("topology", (q)->net->spec), cell_text("traffic", (q)->traffic), cell_text("routing", (q)->routing)

/* "static 2, sga:1 4": sources by configuration. */
static const char *configurations(const struct latency_request *q, char *out, size_t size)
{
    const struct policy_outcome *o = q->outcome;
    const size_t n = o->shared && q->policy->conf.n == 1 ? 0 : q->policy->conf.n;
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < n && len < size; i++)
        if (o->shared)
            len += (size_t)snprintf(out + len, size - len, "%s%s: %.3f", len ? ", " : "", q->policy->conf.name[i],
                                    o->part[i]);
        else if (o->count[i])
            len += (size_t)snprintf(out + len, size - len, "%s%s: %zu", len ? ", " : "", q->policy->conf.name[i],
                                    q->outcome->count[i]);
    return out;
}

static int latency_main_row(struct table *t, const struct latency_request *q, const struct latency_study *s,
                            const struct latency_summary *y, struct err *err)
{
    char counts[600];
    const struct policy_outcome *outcome = q->policy ? q->outcome : NULL;
    const struct router *r = &s->o.collide.router;
    const struct judge *judge = q->judge;
    struct latency_quantiles of;

    if (latency_quantiles(&of, s, y->validity, err) < 0)
        return -1;
    table_add(t, ROW(
        LATENCY_REQUEST(q), cell_text("switching", q->o->collide.switching->name),
        cell_text("loop", q->o->open ? "open" : "closed"),
        cell_text("closure", !q->o->open ? q->o->collide.closure->name : q->o->collide.switching->hold ? "M/G/1" :
                  router_channels(r) == 1 ? "pairwise" : "merging"),
        HOW_CELLS(q->o->collide.time, q->o->collide.hop_time, r, q->o->terminals),
        cell_real("interval_cycles", y->interval), cell_real("rate_per_cycle", y->rate), cell_real("load", y->load),
        cell_real("accepted_load", y->accepted_load),
        cell_real("zero_load_latency_cycles", y->zero), cell_real("network_wait_cycles", y->wait),
        cell_real("source_wait_cycles", y->source_wait), cell_real("packet_latency_cycles", y->mean),
        cell_real("simulated_latency_cycles", judge ? judge->latency : NAN),
        cell_real("simulated_latency_confidence_cycles", judge ? judge->half : NAN),
        cell_real("error_percent", judge ? 100 * judge_error(y->mean, judge->latency) : NAN),
        cell_text("simulation", judge ? judge->state : NULL),
        cell_real("median_latency_cycles", of.median), cell_real("p95_latency_cycles", of.p95),
        cell_real("p99_latency_cycles", of.p99),
        cell_real("latency_ratio", y->mean / (isnan(q->reference) ? y->mean : q->reference)),
        cell_real("sd_latency_cycles", y->sd), cell_real("max_latency_cycles", y->most),
        y->sd > 0 ? cell_take("slowest_channel", traffic_source_label(s->flows.traffic, y->slowest)) :
            cell_none("slowest_channel"),
        cell_real("longest_way_cycles", y->longest), cell_real("mean_hops", y->hops),
        latency_link_cell("bottleneck", &s->flows, y->bottleneck), cell_real("busy", y->busy),
        cell_real("utilisation", y->utilisation), cell_real("capacity_interval_cycles", y->capacity_interval),
        cell_real("capacity_load", y->capacity_load), cell_real("knee_interval_cycles", y->knee_interval),
        cell_real("saturation_interval_cycles", y->saturation_interval),
        cell_real("saturation_load", y->saturation_load), cell_real("capacity_scale", y->capacity_scale),
        cell_real("saturation_scale", y->saturation_scale), cell_text("closes_cycles", s->flows.cyclic ? "yes" : "no"),
        cell_text("policy", outcome ? policy_end_name[outcome->end] : NULL),
        cell_count("policy_rounds", outcome ? outcome->rounds : (double)NAN),
        cell_count("policy_period", outcome ? outcome->period : (double)NAN),
        cell_count("stuck", outcome ? (double)outcome->nstuck : NAN),
        cell_text("configurations", outcome ? configurations(q, counts, sizeof counts) : NULL),
        cell_int("rounds", (int64_t)s->collide.rounds), cell_real("residual", s->collide.residual),
        cell_text("validity", validity_name[y->validity]),
        cell_text("valid", y->validity == VALIDITY_GOOD ? "yes" : "no"),
        cell_text("quality", latency_quality(y->validity))));
    return 0;
}

/* Tables of what each stream, link or node does may be long. */
static int latency_room_rows(const struct table *t, size_t n, struct err *err)
{
    const double text = 5 * 32, cells = 2.0 * (double)t->ncolumn * sizeof *t->cell;

    return mem_need((double)n * (cells + text), "the rows of the table", err);
}

static int latency_stream_rows(struct table *t, const struct latency_request *q, const struct latency_study *s,
                                const struct latency_summary *y, struct err *err)
{
    struct policy_stream *p = NULL;
    struct latency_stream *c;
    size_t n;

    if (latency_streams(&c, &n, s, err) < 0)
        return -1;
    if (latency_room_rows(t, n, err) < 0 || (q->policy && policy_streams(&p, &n, q->policy, err) < 0)) {
        free(c);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        const struct traffic *traffic = s->flows.traffic;
        const struct stream *only = traffic_only(traffic, c[i].source);
        const bool tested = !traffic->matrix && s->routing->route->ways;
        char from[NET_LABEL], to[NET_LABEL];

        table_add(t, ROW(
            LATENCY_REQUEST(q), cell_take("channel", traffic_source_label(traffic, c[i].source)),
            cell_text("source", net_label(q->net, c[i].node, from)),
            cell_text("target", only ? net_label(q->net, only->target, to) : NULL),
            cell_real("interval_cycles", c[i].interval), cell_real("load", c[i].load),
            cell_real("time_cycles", c[i].time),
            cell_real("latency_cycles", c[i].latency), cell_real("zero_load_latency_cycles", c[i].zero),
            cell_real("wait_cycles", c[i].wait),
            cell_real("spread_cycles", c[i].spread), cell_real("least_cycles", c[i].least),
            cell_real("most_cycles", c[i].most), cell_real("source_wait_cycles", c[i].source_wait),
            cell_real("accepted_rate_per_cycle", c[i].accepted_rate), cell_int("ways", c[i].ways),
            cell_real("metapath_latency_cycles", p ? p[i].tested : tested ? c[i].bandwidth_latency : NAN),
            cell_real("static_latency_cycles", p ? p[i].before : NAN), cell_text("configuration", p ? p[i].name : NULL),
            cell_text("verdict", p ? policy_verdict_name[p[i].verdict] : NULL),
            cell_text("quality", latency_quality(y->validity))));
    }
    FREE(c, p);
    return 0;
}

static int latency_link_rows(struct table *t, const struct latency_request *q, const struct latency_study *s,
                             const struct latency_summary *y, struct err *err)
{
    struct latency_link *l;
    size_t n;

    if (latency_links(&l, &n, s, err) < 0)
        return -1;
    if (latency_room_rows(t, n, err) < 0) {
        free(l);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        char from[NET_LABEL], to[NET_LABEL];

        table_add(t, ROW(
            LATENCY_REQUEST(q), cell_real("interval_cycles", y->interval), cell_real("load", y->load),
            cell_text("from", l[i].from < 0 ? NULL : net_label(q->net, l[i].from, from)),
            load_link_end("to", &s->flows, l[i].link, l[i].to, to),
            cell_real("rate_per_cycle", l[i].rate), cell_real("busy", l[i].busy),
            cell_real("utilisation", l[i].utilisation), cell_real("wait_cycles", l[i].wait),
            cell_int("ports", l[i].ports), cell_text("quality", latency_quality(y->validity))));
    }
    free(l);
    return 0;
}

static int latency_node_rows(struct table *t, const struct latency_request *q, const struct latency_study *s,
                             const struct latency_summary *y, struct err *err)
{
    struct latency_node *v;
    size_t n;

    if (latency_nodes(&v, &n, s, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const bool plane = q->net->ndim == 2;
        char name[NET_LABEL];
        int at[2] = { 0 };

        if (plane)
            net_coordinates(q->net, v[i].node, at);
        table_add(t, ROW(
            LATENCY_REQUEST(q), cell_real("interval_cycles", y->interval), cell_real("load", y->load),
            cell_text("node", net_label(q->net, v[i].node, name)), cell_count("row", plane ? at[0] : (double)NAN),
            cell_count("column", plane ? at[1] : (double)NAN), cell_real("wait_cycles", v[i].wait),
            cell_real("utilisation", v[i].utilisation), cell_real("sent_latency_cycles", v[i].sent),
            cell_text("quality", latency_quality(y->validity))));
    }
    free(v);
    return 0;
}

int latency_rows(struct table *t, int which, const struct latency_request *q, const struct latency_study *s,
                 const struct load *load, struct latency_summary *summary, struct err *err)
{
    if (latency_summary(summary, s, load, err) < 0)
        return -1;
    switch ((enum latency_table)which) {
    case LATENCY_MAIN: return latency_main_row(t, q, s, summary, err);
    case LATENCY_CHANNELS: return latency_stream_rows(t, q, s, summary, err);
    case LATENCY_LINKS: return latency_link_rows(t, q, s, summary, err);
    case LATENCY_NODES: return latency_node_rows(t, q, s, summary, err);
    case LATENCY_COSTS: break;
    }
    return 0;
}

void latency_cost_row(struct table *t, const struct net *net, const struct traffic *traffic, const char *routing,
                      const char *configuration, const struct drb_cost *c)
{
    table_add(t, ROW(
        cell_text("topology", net->spec), cell_text("traffic", traffic->spec), cell_text("routing", routing),
        cell_text("configuration", configuration), cell_int("pairs", (int64_t)c->pairs),
        cell_real("ways", c->ways.mean), cell_count("max_ways", c->ways.most), cell_real("header_bits", c->header.mean),
        cell_count("max_header_bits", c->header.most), cell_real("extra_header_bits", c->extra.mean),
        cell_real("carried_bits", c->carried.mean), cell_real("acknowledgement_bits", c->acknowledgement.mean),
        cell_real("state_bits", c->state.mean), cell_count("max_state_bits", c->state.most),
        cell_real("extra_decisions", c->decisions.mean), cell_count("max_extra_decisions", c->decisions.most),
        cell_int("acknowledgements", c->acknowledgements), cell_int("path_choices", c->choices),
        cell_int("configuration_decisions", c->configurings), cell_int("latency_field_bits", c->latency_bits),
        cell_text("quality", "exact")));
}

void latency_refused(struct job *j, const struct latency_request *q, const struct latency_study *s,
                     const struct load *load, const struct err *why)
{
    const bool common = s && traffic_own(s->flows.traffic) == OWN_NONE;
    const double interval = common ? load->interval / load->factor : NAN, time = q->o->collide.time;
    const bool full = s && s->collide.full_link >= 0;

    job_refused_row(j, ROW(
        LATENCY_REQUEST(q), cell_real("packet_flits", common ? time : NAN), cell_real("interval_cycles", interval),
        cell_real("rate_per_cycle", 1 / interval), cell_real("load", time / interval),
        cell_real("capacity_interval_cycles", common ? 1 / s->capacity_factor : NAN),
        cell_real("capacity_load", common ? time * s->capacity_factor : NAN),
        cell_real("saturation_interval_cycles", common ? 1 / s->saturation_factor : NAN),
        cell_real("saturation_load", common ? time * s->saturation_factor : NAN),
        cell_text("switching", q->o->collide.switching->name), cell_text("loop", q->o->open ? "open" : "closed"),
        cell_real("rounds", common ? (double)s->collide.rounds : NAN),
        cell_real("residual", common ? s->collide.residual : NAN),
        full ? latency_link_cell("bottleneck", &s->flows, (size_t)s->collide.full_link) : cell_none("bottleneck")));
    table_note(j->t, "%s: %s.", q->routing, why->msg);
}
