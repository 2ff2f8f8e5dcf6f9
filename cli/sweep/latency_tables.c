/* The six tables of `metapath latency`: their columns; which of these are shown for open loops, comparisons and
 * policies (latency_columns); and the rows of a solved study, one function each: the whole (main), channels, links,
 * nodes, what spreading costs, and of the traffic its sources and destinations. latency_refused is the row of what could not be
 * solved. */
#include "cli/sweep/latency_tables.h"
#include "analysis/latency/latency_quantiles.h"
#include "cli/request/load.h"

#define PAIRS_MOST 4e6          /* rows of a traffic */

/* What rows are made of, in this order: the request, what was solved, and what of it a row is about. */
#define Q(m) MEMBER(0, struct latency_request, m)
#define Y(m) MEMBER(1, struct latency_summary, m)
#define J(m) MEMBER(2, struct judge, m)
#define OF(m) MEMBER(3, struct latency_quantiles, m)
#define O(m) MEMBER(4, struct policy_outcome, m)
#define S(m) MEMBER(1, struct latency_stream, m)
#define L(m) MEMBER(2, struct latency_link, m)
#define V(m) MEMBER(2, struct latency_node, m)
#define C(m) MEMBER(0, struct drb_cost, m)
#define C_WHOLE(m) WHOLE(0, struct drb_cost, m)

static const struct column main_columns[] = {
    PLAIN("topology"), { "traffic", NULL, NULL, 0, Q(traffic) }, { "routing", NULL, NULL, 0, Q(routing) },
    ASIDE("switching"), ASIDE("loop"), ASIDE("closure"),
    HOW_COLUMNS(5),
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, Y(interval) },
    { "rate_per_cycle", "Rate", "messages per cycle", COLUMN_ASIDE, Y(rate) },
    { "load", "Load", NULL, 4, Y(load) },
    { "accepted_load", "Accepted load", NULL, COLUMN_ASIDE, Y(accepted_load) },
    { "zero_load_latency_cycles", "Zero-load latency", "cycles", YIELDS(2), Y(zero) },
    { "network_wait_cycles", "Network wait", "cycles", YIELDS(2), Y(wait) },
    { "source_wait_cycles", "Source wait", "cycles", COLUMN_ASIDE, Y(source_wait) },
    { "packet_latency_cycles", "Packet latency", "cycles", 2, Y(mean) },
    { "simulated_latency_cycles", "Simulated", "cycles", IF_FILLED(2), J(latency) },
    { "simulated_latency_confidence_cycles", "+-", "cycles", IF_FILLED(2), J(half) },
    { "error_percent", "Error", "%", IF_FILLED(1), LOOSE }, { "simulation", NULL, NULL, IF_FILLED(0), J(state) },
    { "median_latency_cycles", "Median", "cycles", COLUMN_ASIDE, OF(median) },
    { "p95_latency_cycles", "95 %", "cycles", COLUMN_ASIDE, OF(p95) },
    { "p99_latency_cycles", "99 %", "cycles", COLUMN_ASIDE, OF(p99) },
    { "latency_ratio", "Ratio", NULL, COLUMN_ASIDE, LOOSE },
    { "sd_latency_cycles", "Deviation", "cycles", YIELDS(2), Y(sd) },
    { "max_latency_cycles", "Max", "cycles", YIELDS(2), Y(most) },
    ASIDE("slowest_channel"),
    { "longest_way_cycles", "Longest way", "cycles", COLUMN_ASIDE, Y(longest) },
    { "mean_hops", NULL, "hops", COLUMN_ASIDE, Y(hops) },
    { "bottleneck", NULL, NULL, YIELDS_LAST(0), LOOSE }, { "busy", NULL, NULL, YIELDS(3), Y(busy) },
    { "utilisation", NULL, NULL, COLUMN_ASIDE, Y(utilisation) },
    { "capacity_interval_cycles", "Capacity", "cycles", COLUMN_ASIDE, Y(capacity_interval) },
    { "capacity_load", "Capacity", NULL, COLUMN_ASIDE, Y(capacity_load) },
    { "knee_interval_cycles", "Knee", "cycles", COLUMN_ASIDE, Y(knee_interval) },
    { "saturation_interval_cycles", "Saturation", "cycles", COLUMN_ASIDE, Y(saturation_interval) },
    { "saturation_load", "Saturation", NULL, COLUMN_ASIDE, Y(saturation_load) },
    { "simulated_saturation_load", "Simulated saturation", NULL, IF_FILLED(4), Q(simulated_saturation) },
    { "capacity_scale", NULL, NULL, COLUMN_ASIDE, Y(capacity_scale) },
    { "saturation_scale", NULL, NULL, COLUMN_ASIDE, Y(saturation_scale) }, ASIDE("closes_cycles"), ASIDE("policy"),
    { "policy_rounds", "Policy rounds", NULL, COLUMN_ASIDE, O(rounds) },
    { "policy_period", "Period", NULL, COLUMN_ASIDE, O(period) },
    { "stuck", NULL, NULL, COLUMN_ASIDE, O(nstuck) }, ASIDE("configurations"), ASIDE("rounds"), ASIDE("residual"),
    PLAIN("validity"), ASIDE("valid"),
    ASIDE("quality")
};
static const struct conclusion main_conclusion = {
    .score = "packet_latency_cycles", .noun = "packet latency", .contender = { "routing" },
    .scope = { "topology", "traffic", "load" }, .saturation = "saturation_load", .where = "bottleneck",
    .family = "metapath:", .family_noun = "metapath"
};
static const struct column stream_columns[] = {
    PLAIN("topology"), { "traffic", NULL, NULL, 0, Q(traffic) }, { "routing", NULL, NULL, 0, Q(routing) },
    PLAIN("channel"), PLAIN("source"), PLAIN("target"),
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, S(interval) },
    { "load", "Load", NULL, COLUMN_ASIDE, S(load) },
    { "time_cycles", "Time", "cycles", COLUMN_ASIDE, S(time) },
    { "latency_cycles", "Latency", "cycles", 2, S(latency) },
    { "zero_load_latency_cycles", "Zero-load latency", "cycles", COLUMN_ASIDE, S(zero) },
    { "wait_cycles", "Wait", "cycles", 2, S(wait) },
    { "spread_cycles", "Spread", "cycles", YIELDS(2), S(spread) },
    { "least_cycles", "Least", "cycles", COLUMN_ASIDE, S(least) },
    { "most_cycles", "Most", "cycles", COLUMN_ASIDE, S(most) },
    { "source_wait_cycles", "Source wait", "cycles", COLUMN_ASIDE, S(source_wait) },
    { "accepted_rate_per_cycle", "Accepted", "messages per cycle", YIELDS(-1), S(accepted_rate) },
    { "ways", NULL, NULL, YIELDS(0), S(ways) },
    { "metapath_latency_cycles", "Metapath latency", "cycles", COLUMN_ASIDE, LOOSE },
    { "static_latency_cycles", "Static", "cycles", COLUMN_ASIDE, LOOSE },
    ASIDE("configuration"), ASIDE("verdict"), ASIDE("quality")
};
static const struct column link_columns[] = {
    PLAIN("topology"), { "traffic", NULL, NULL, 0, Q(traffic) }, { "routing", NULL, NULL, 0, Q(routing) },
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, Y(interval) },
    { "load", "Load", NULL, COLUMN_ASIDE, Y(load) },
    PLAIN("from"), PLAIN("to"),
    { "rate_per_cycle", "Rate", "messages per cycle", 5, L(rate) },
    { "busy", NULL, NULL, 4, L(busy) }, { "utilisation", NULL, NULL, 4, L(utilisation) },
    { "wait_cycles", "Wait", "cycles", 3, L(wait) },
    { "ports", NULL, NULL, 0, L(ports) }, ASIDE("quality")
};
static const struct column node_columns[] = {
    PLAIN("topology"), { "traffic", NULL, NULL, 0, Q(traffic) }, { "routing", NULL, NULL, 0, Q(routing) },
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, Y(interval) },
    { "load", "Load", NULL, COLUMN_ASIDE, Y(load) },
    PLAIN("node"), ASIDE("row"), ASIDE("column"),
    { "wait_cycles", "Wait at its links", "cycles", 3, V(wait) },
    { "utilisation", NULL, NULL, 4, V(utilisation) },
    { "sent_latency_cycles", "Latency of what it sends", "cycles", 2, V(sent) },
    ASIDE("quality")
};

static const struct column cost_columns[] = {
    PLAIN("topology"), ASIDE("traffic"), PLAIN("routing"), PLAIN("configuration"),
    { "pairs", NULL, NULL, COLUMN_ASIDE, C(pairs) },
    { "ways", NULL, NULL, 2, C(ways.mean) },
    { "max_ways", "Most ways", NULL, YIELDS(0), C_WHOLE(ways.most) },
    { "header_bits", "Header", "bits", 1, C(header.mean) },
    { "max_header_bits", "Largest header", "bits", YIELDS(0), C_WHOLE(header.most) },
    { "extra_header_bits", "More than plain", "bits", 1, C(extra.mean) },
    { "carried_bits", "Carried for the acknowledgement", "bits", COLUMN_ASIDE, C(carried.mean) },
    { "acknowledgement_bits", "Acknowledgement", "bits", YIELDS(1), C(acknowledgement.mean) },
    { "state_bits", "State of a pair", "bits", 1, C(state.mean) },
    { "max_state_bits", "Largest state", "bits", YIELDS(0), C_WHOLE(state.most) },
    { "extra_decisions", "Decisions more", "per message", 2, C(decisions.mean) },
    { "max_extra_decisions", "Most decisions", NULL, YIELDS(0), C_WHOLE(decisions.most) },
    { "acknowledgements", "Acknowledgements", "per message", YIELDS(0), C(acknowledgements) },
    { "path_choices", "Choices of a path", "per message", COLUMN_ASIDE, C(choices) },
    { "configuration_decisions", "Configurings", "per acknowledgement", COLUMN_ASIDE, C(configurings) },
    { "latency_field_bits", "Latency field", "bits", COLUMN_ASIDE, C(latency_bits) },
    ASIDE("quality")
};

static const struct column pair_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("source"), PLAIN("target"),
    { "message_share", "Share of the source's messages", NULL, 4, LOOSE }, ASIDE("quality")
};

const struct frame_table latency_table[] = {
    [LATENCY_MAIN] = { NULL, "Latency against load", COLUMNS(main_columns), .conclusion = &main_conclusion },
    [LATENCY_CHANNELS] = { "channels", "Latency of channels", COLUMNS(stream_columns),
                           .words = "channel,source,target" },
    [LATENCY_LINKS] = { "links", "Waits at links", COLUMNS(link_columns), .words = "from,to" },
    [LATENCY_NODES] = { "nodes", "Waits at nodes", COLUMNS(node_columns) },
    [LATENCY_COSTS] = { "costs", "What spreading messages costs", COLUMNS(cost_columns) },
    [LATENCY_TRAFFIC] = { "traffic", "Messages by source and destination", COLUMNS(pair_columns),
                          .words = "source,target" }, { 0 }
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

bool latency_brief(const struct options *o)
{
    bool shown = !o->format->people || o->wide || o->sort.n || o->plot;

    for (size_t i = 0; i < o->columns.n; i++)
        shown = shown || strncmp(o->columns.item[i], "median", 6) == 0 || strncmp(o->columns.item[i], "p9", 2) == 0 ||
            strncmp(o->columns.item[i], "longest", 7) == 0;
    return !shown;
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

void latency_ratio(struct table *t, double ratio)
{
    const int at = table_find(t, "latency_ratio");

    if (at >= 0 && table_rows(t))
        t->cell[t->ncell - t->ncolumn + (size_t)at] = cell_real(NULL, ratio).cell;
}

static int latency_main_row(struct table *t, const struct latency_request *q, const struct latency_study *s,
                            const struct latency_summary *y, struct err *err)
{
    char counts[600];
    const struct policy_outcome *outcome = q->policy ? q->outcome : NULL;
    const struct router *r = &s->o.collide.router;
    const struct judge *judge = q->judge;
    struct latency_quantiles of = { NAN, NAN, NAN };

    if (!s->o.brief && latency_quantiles(&of, s, y->validity, err) < 0)
        return -1;
    table_add(t, ROW(
        MEMBERS(q, y, judge, &of, outcome, r), cell_text("topology", q->net->spec),
        cell_text("switching", q->o->collide.switching->name), cell_text("loop", q->o->open ? "open" : "closed"),
        cell_text("closure", !q->o->open ? q->o->collide.closure->name : q->o->collide.switching->hold ? "M/G/1" :
                  router_channels(r) == 1 ? "pairwise" : "merging"),
        HOW_CELLS(q->o->collide.time, q->o->collide.hop_time, r, q->o->terminals),
        cell_real("error_percent", judge ? 100 * judge_error(y->mean, judge->latency) : NAN),
        cell_none("latency_ratio"),
        y->sd > 0 ? cell_take("slowest_channel", traffic_source_label(s->flows.traffic, y->slowest)) :
            cell_none("slowest_channel"),
        latency_link_cell("bottleneck", &s->flows, y->bottleneck),
        cell_text("closes_cycles", s->flows.cyclic ? "yes" : "no"),
        cell_text("policy", outcome ? policy_end_name[outcome->end] : NULL),
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
            MEMBERS(q, &c[i]), cell_text("topology", q->net->spec),
            cell_take("channel", traffic_source_label(traffic, c[i].source)),
            cell_text("source", net_label(q->net, c[i].node, from)),
            cell_text("target", only ? net_label(q->net, only->target, to) : NULL),
            cell_real("metapath_latency_cycles", p ? p[i].tested : tested ? c[i].bandwidth_latency : NAN),
            cell_real("static_latency_cycles", p ? p[i].before : NAN),
            cell_text("configuration", p ? p[i].name : NULL),
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
            MEMBERS(q, y, &l[i]), cell_text("topology", q->net->spec),
            cell_text("from", l[i].from < 0 ? NULL : net_label(q->net, l[i].from, from)),
            load_link_end("to", &s->flows, l[i].link, l[i].to, to),
            cell_text("quality", latency_quality(y->validity))));
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
            MEMBERS(q, y, &v[i]), cell_text("topology", q->net->spec),
            cell_text("node", net_label(q->net, v[i].node, name)), cell_count("row", plane ? at[0] : (double)NAN),
            cell_count("column", plane ? at[1] : (double)NAN), cell_text("quality", latency_quality(y->validity))));
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
    case LATENCY_COSTS:
    case LATENCY_TRAFFIC: break;
    }
    return 0;
}

void latency_cost_row(struct table *t, const struct net *net, const struct traffic *traffic, const char *routing,
                      const char *configuration, const struct drb_cost *c)
{
    table_add(t, ROW(
        MEMBERS(c), cell_text("topology", net->spec), cell_text("traffic", traffic->spec),
        cell_text("routing", routing), cell_text("configuration", configuration), cell_text("quality", "exact")));
}

static void latency_pair_row(struct table *t, const struct net *net, const struct traffic *traffic, int source,
                             int target, double share)
{
    char from[NET_LABEL], to[NET_LABEL];

    table_add(t, ROW(cell_text("topology", net->spec), cell_text("traffic", traffic->spec),
                     cell_text("source", net_label(net, source, from)), cell_text("target", net_label(net, target, to)),
                     cell_real("message_share", share), cell_text("quality", "exact")));
}

int latency_pair_rows(struct table *t, const struct net *net, const struct traffic *traffic, const struct tick *tick,
                      struct err *err)
{
    const double n = net->nterminal, all = n * (n - 1);

    for (size_t i = 0; i < traffic->nstream; i++)
        latency_pair_row(t, net, traffic, traffic->stream[i].source, traffic->stream[i].target,
                         traffic->stream[i].share);
    if (traffic->matrix && all > PAIRS_MOST)
        return err_set(err, ERR_DOMAIN, "%.80s on %.80s has %.0f pairs; --show traffic lists up to %.0f", traffic->spec,
                       net->spec, all, PAIRS_MOST);
    for (int s = 0; traffic->matrix && s < net->nterminal; s++) {
        const int source = net_terminal(net, s);

        if (tick_check(tick, s / n, err) < 0)
            return -1;
        for (int d = 0; d < net->nterminal; d++) {
            const int target = net_terminal(net, d);
            const double share = d == s ? 0 : traffic->kind->even ? 1 / (n - 1) :
                traffic->kind->share(traffic, source, target);

            if (share > 0)
                latency_pair_row(t, net, traffic, source, target, share);
        }
    }
    return 0;
}

void latency_refused(struct job *j, const struct latency_request *q, const struct latency_study *s,
                     const struct load *load, const struct err *why)
{
    const bool common = s && traffic_own(s->flows.traffic) == OWN_NONE;
    const double interval = common ? load->interval / load->factor : NAN, time = q->o->collide.time;
    const bool full = s && s->collide.full_link >= 0;

    job_refused_row(j, ROW(
        cell_text("topology", q->net->spec), cell_text("traffic", q->traffic), cell_text("routing", q->routing),
        cell_real("packet_flits", common ? time : NAN), cell_real("interval_cycles", interval),
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
