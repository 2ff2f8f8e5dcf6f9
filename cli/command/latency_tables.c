#include "cli/command/latency_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

static const struct column main_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "routing", NULL, NULL, 0 },
    { "switching", NULL, NULL, COLUMN_ASIDE },
    { "loop", NULL, NULL, COLUMN_ASIDE },
    { "closure", NULL, NULL, COLUMN_ASIDE },
    { "packet_flits", "Packet", "flits", COLUMN_ASIDE },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "rate_per_cycle", "Rate", "messages per cycle", COLUMN_ASIDE },
    { "load", "Load", NULL, 4 },
    { "accepted_load", "Accepted", NULL, COLUMN_ASIDE },
    { "mean_latency_cycles", "Mean latency", "cycles", 2 },
    { "latency_ratio", "Ratio", NULL, COLUMN_ASIDE },
    { "sd_latency_cycles", "Deviation", "cycles", 2 },
    { "max_latency_cycles", "Max", "cycles", 2 },
    { "slowest_channel", NULL, NULL, COLUMN_ASIDE },
    { "longest_way_cycles", "Longest way", "cycles", COLUMN_ASIDE },
    { "mean_wait_cycles", "Mean wait", "cycles", COLUMN_ASIDE },
    { "source_wait_cycles", "Source wait", "cycles", COLUMN_ASIDE },
    { "mean_hops", NULL, "hops", COLUMN_ASIDE },
    { "bottleneck", NULL, NULL, 0 },
    { "busy", NULL, NULL, 3 },
    { "utilisation", NULL, NULL, 3 },
    { "capacity_interval_cycles", "Capacity", "cycles", -1 },
    { "knee_interval_cycles", "Knee", "cycles", COLUMN_ASIDE },
    { "saturation_interval_cycles", "Saturation", "cycles", -1 },
    { "capacity_scale", NULL, NULL, COLUMN_ASIDE },
    { "saturation_scale", NULL, NULL, COLUMN_ASIDE },
    { "closes_cycles", NULL, NULL, COLUMN_ASIDE },
    { "policy", NULL, NULL, COLUMN_ASIDE },
    { "policy_rounds", "Policy rounds", NULL, COLUMN_ASIDE },
    { "policy_period", "Period", NULL, COLUMN_ASIDE },
    { "stuck", NULL, NULL, COLUMN_ASIDE },
    { "configurations", NULL, NULL, COLUMN_ASIDE },
    { "rounds", NULL, NULL, COLUMN_ASIDE },
    { "residual", NULL, NULL, COLUMN_ASIDE },
    { "validity", NULL, NULL, 0 },
    { "valid", NULL, NULL, COLUMN_ASIDE },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column channel_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "routing", NULL, NULL, 0 },
    { "channel", NULL, NULL, 0 },
    { "source", NULL, NULL, 0 },
    { "target", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "time_cycles", "Time", "cycles", COLUMN_ASIDE },
    { "latency_cycles", "Latency", "cycles", 2 },
    { "wait_cycles", "Wait", "cycles", 2 },
    { "spread_cycles", "Spread", "cycles", 2 },
    { "least_cycles", "Least", "cycles", COLUMN_ASIDE },
    { "most_cycles", "Most", "cycles", COLUMN_ASIDE },
    { "source_wait_cycles", "Source wait", "cycles", COLUMN_ASIDE },
    { "accepted_rate_per_cycle", "Accepted", "messages per cycle", -1 },
    { "ways", NULL, NULL, 0 },
    { "metapath_latency_cycles", "Metapath latency", "cycles", COLUMN_ASIDE },
    { "static_latency_cycles", "Static", "cycles", COLUMN_ASIDE },
    { "configuration", NULL, NULL, COLUMN_ASIDE },
    { "verdict", NULL, NULL, COLUMN_ASIDE },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column link_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "routing", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "from", NULL, NULL, 0 },
    { "to", NULL, NULL, 0 },
    { "rate_per_cycle", "Rate", "messages per cycle", 5 },
    { "busy", NULL, NULL, 4 },
    { "utilisation", NULL, NULL, 4 },
    { "wait_cycles", "Wait", "cycles", 3 },
    { "ports", NULL, NULL, 0 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column node_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, 0 },
    { "routing", NULL, NULL, 0 },
    { "interval_cycles", "Interval", "cycles", -1 },
    { "node", NULL, NULL, 0 },
    { "row", NULL, NULL, COLUMN_ASIDE },
    { "column", NULL, NULL, COLUMN_ASIDE },
    { "wait_cycles", "Wait at its links", "cycles", 3 },
    { "utilisation", NULL, NULL, 4 },
    { "sent_latency_cycles", "Latency of what it sends", "cycles", 2 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};

static const struct column cost_columns[] = {
    { "topology", NULL, NULL, 0 },
    { "traffic", NULL, NULL, COLUMN_ASIDE },
    { "routing", NULL, NULL, 0 },
    { "configuration", NULL, NULL, 0 },
    { "pairs", NULL, NULL, COLUMN_ASIDE },
    { "ways", NULL, NULL, 2 },
    { "max_ways", "Most ways", NULL, 0 },
    { "header_bits", "Header", "bits", 1 },
    { "max_header_bits", "Largest header", "bits", 0 },
    { "extra_header_bits", "More than plain", "bits", 1 },
    { "carried_bits", "Carried for the acknowledgement", "bits", COLUMN_ASIDE },
    { "acknowledgement_bits", "Acknowledgement", "bits", 1 },
    { "state_bits", "State of a pair", "bits", 1 },
    { "max_state_bits", "Largest state", "bits", 0 },
    { "extra_decisions", "Decisions more", "per message", 2 },
    { "max_extra_decisions", "Most decisions", NULL, 0 },
    { "acknowledgements", "Acknowledgements", "per message", 0 },
    { "path_choices", "Choices of a path", "per message", COLUMN_ASIDE },
    { "configuration_decisions", "Configurings", "per acknowledgement", COLUMN_ASIDE },
    { "latency_field_bits", "Latency field", "bits", COLUMN_ASIDE },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct {
    const char *title;
    const struct column *column;
    size_t n;
} tables[] = {
    [LATENCY_MAIN] = { "Latency against load", main_columns, COUNT(main_columns) },
    [LATENCY_CHANNELS] = { "Latency of channels", channel_columns, COUNT(channel_columns) },
    [LATENCY_LINKS] = { "Waits at links", link_columns, COUNT(link_columns) },
    [LATENCY_NODES] = { "Waits at nodes", node_columns, COUNT(node_columns) },
    [LATENCY_COSTS] = { "What spreading messages costs", cost_columns, COUNT(cost_columns) }
};

const char *latency_title(enum latency_table which)
{
    return tables[which].title;
}

/* Columns that are shown only where there is something to see. */
static const struct {
    enum latency_table which;
    const char *name;
    int decimals;
    enum { WHERE_COMPARED, WHERE_OPEN, WHERE_POLICIES } where;
} extra[] = {
    { LATENCY_MAIN, "latency_ratio", 3, WHERE_COMPARED },
    { LATENCY_MAIN, "source_wait_cycles", 2, WHERE_OPEN },
    { LATENCY_CHANNELS, "source_wait_cycles", 2, WHERE_OPEN },
    { LATENCY_MAIN, "policy", 0, WHERE_POLICIES },
    { LATENCY_MAIN, "policy_rounds", 0, WHERE_POLICIES },
    { LATENCY_MAIN, "stuck", 0, WHERE_POLICIES },
    { LATENCY_MAIN, "configurations", 0, WHERE_POLICIES },
    { LATENCY_CHANNELS, "metapath_latency_cycles", 2, WHERE_POLICIES },
    { LATENCY_CHANNELS, "static_latency_cycles", 2, WHERE_POLICIES },
    { LATENCY_CHANNELS, "configuration", 0, WHERE_POLICIES },
    { LATENCY_CHANNELS, "verdict", 0, WHERE_POLICIES }
};

size_t latency_columns(struct column *column, enum latency_table which, bool open, bool compare, bool policies)
{
    const bool holds[] = { [WHERE_COMPARED] = compare, [WHERE_OPEN] = open, [WHERE_POLICIES] = policies };

    for (size_t i = 0; i < tables[which].n; i++) {
        column[i] = tables[which].column[i];
        for (size_t k = 0; k < COUNT(extra); k++)
            if (extra[k].which == which && holds[extra[k].where] && strcmp(extra[k].name, column[i].name) == 0)
                column[i].decimals = extra[k].decimals;
    }
    return tables[which].n;
}

static const char *quality(enum validity v)
{
    return v == VALIDITY_GOOD ? "model" : v == VALIDITY_UNKNOWN ? "model, validity unknown" : "outside the model's validity";
}

/* "1.2>1.3"; where all nodes are alike, the link of that kind at node 0. */
static void put_link(struct table *t, const struct flows *f, size_t link)
{
    char from[NET_LABEL], *text = NULL;

    if (f->link_to[link] >= 0)
        text = net_label_pair(f->net, f->link_from[link], ">", f->link_to[link]);
    else if (asprintf(&text, "out of %s", net_label(f->net, f->link_from[link], from)) < 0)
        text = NULL;
    table_take(t, text);
}

static void put_channel(struct table *t, const struct latency_study *s, int channel, int node)
{
    char name[NET_LABEL];

    if (channel >= 0)
        table_take(t, traffic_channel_label(s->flows.traffic, (size_t)channel));
    else
        table_text(t, node < 0 ? NULL : net_label(s->flows.net, node, name));
}

static void add_request(struct table *t, const struct latency_request *q, const char *topology)
{
    table_text(t, topology);
    table_text(t, q->traffic);
    table_text(t, q->routing);
}

static void add_models(struct table *t, const struct latency_request *q)
{
    table_text(t, q->o->collide.switching->name);
    table_text(t, q->o->open ? "open" : "closed");
    table_text(t, q->o->open ? "M/G/1" : q->o->collide.closure->name);
    table_real(t, q->o->collide.time);
}

/* "static 2, sga:1 4": sources by configuration. */
static const char *configurations(const struct latency_request *q, char *out, size_t size)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < q->policy->conf.n && len < size; i++)
        if (q->outcome->count[i])
            len += (size_t)snprintf(out + len, size - len, "%s%s: %zu", len ? ", " : "", q->policy->conf.name[i],
                                    q->outcome->count[i]);
    return out;
}

static void add_outcome(struct table *t, const struct latency_request *q)
{
    char text[600];

    if (!q->policy) {
        for (int i = 0; i < 5; i++)
            table_none(t);
        return;
    }
    table_text(t, policy_end_name[q->outcome->end]);
    table_int(t, q->outcome->rounds);
    table_int(t, q->outcome->period);
    table_int(t, (int64_t)q->outcome->nstuck);
    table_text(t, configurations(q, text, sizeof text));
}

static void main_row(struct table *t, const struct latency_request *q, const struct latency_study *s,
                    const struct latency_summary *y)
{
    const struct flow_source *slowest = &s->flows.source[y->slowest];

    add_request(t, q, q->net->spec);
    add_models(t, q);
    table_real(t, y->interval);
    table_real(t, y->rate);
    table_real(t, y->load);
    table_real(t, y->accepted_load);
    table_real(t, y->mean);
    table_real(t, y->mean / (isnan(q->reference) ? y->mean : q->reference));
    table_real(t, y->sd);
    table_real(t, y->most);
    put_channel(t, s, y->sd > 0 ? slowest->channel : -1, y->sd > 0 ? slowest->node : -1);
    table_real(t, y->longest);
    table_real(t, y->wait);
    table_real(t, y->source_wait);
    table_real(t, y->hops);
    put_link(t, &s->flows, y->bottleneck);
    table_real(t, y->busy);
    table_real(t, y->utilisation);
    table_real(t, y->capacity_interval);
    table_real(t, y->knee_interval);
    table_real(t, y->saturation_interval);
    table_real(t, y->capacity_scale);
    table_real(t, y->saturation_scale);
    table_text(t, s->flows.cyclic ? "yes" : "no");
    add_outcome(t, q);
    table_int(t, (int64_t)s->collide.rounds);
    table_real(t, s->collide.residual);
    table_text(t, validity_name[y->validity]);
    table_text(t, y->validity == VALIDITY_GOOD ? "yes" : "no");
    table_text(t, quality(y->validity));
}

/* Tables of what each channel, link or node does may be long. */
static int room_rows(const struct table *t, size_t n, struct err *err)
{
    const double text = 5 * 32, cells = 2.0 * (double)t->ncolumn * sizeof *t->cell;

    return mem_need((double)n * (cells + text), "the rows of the table", err);
}

static int channel_rows(struct table *t, const struct latency_request *q, const struct latency_study *s,
                        const struct latency_summary *y, struct err *err)
{
    struct policy_stream *p = NULL;
    struct latency_stream *c;
    size_t n;

    if (latency_streams(&c, &n, s, err) < 0)
        return -1;
    if (room_rows(t, n, err) < 0 || (q->policy && policy_streams(&p, &n, q->policy, err) < 0)) {
        free(c);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        char name[NET_LABEL];

        add_request(t, q, q->net->spec);
        put_channel(t, s, c[i].channel, c[i].node);
        table_text(t, net_label(q->net, c[i].node, name));
        table_text(t, c[i].channel < 0 ? NULL : net_label(q->net, s->flows.traffic->channel[c[i].channel].target, name));
        table_real(t, c[i].interval);
        table_real(t, c[i].time);
        table_real(t, c[i].latency);
        table_real(t, c[i].wait);
        table_real(t, c[i].spread);
        table_real(t, c[i].least);
        table_real(t, c[i].most);
        table_real(t, c[i].source_wait);
        table_real(t, c[i].accepted_rate);
        table_int(t, c[i].ways);
        table_real(t, p ? p[i].tested : c[i].channel < 0 || !s->routing->route->ways ? NAN : c[i].bandwidth_latency);
        table_real(t, p ? p[i].before : NAN);
        table_text(t, p ? p[i].name : NULL);
        table_text(t, p ? policy_verdict_name[p[i].verdict] : NULL);
        table_text(t, quality(y->validity));
    }
    free(c);
    free(p);
    return 0;
}

static int link_rows(struct table *t, const struct latency_request *q, const struct latency_study *s,
                     const struct latency_summary *y, struct err *err)
{
    struct latency_link *l;
    size_t n;

    if (latency_links(&l, &n, s, err) < 0)
        return -1;
    if (room_rows(t, n, err) < 0) {
        free(l);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        char name[96];

        add_request(t, q, q->net->spec);
        table_real(t, y->interval);
        table_text(t, net_label(q->net, l[i].from, name));
        table_text(t, l[i].to < 0 ? NULL : net_label(q->net, l[i].to, name));
        table_real(t, l[i].rate);
        table_real(t, l[i].busy);
        table_real(t, l[i].utilisation);
        table_real(t, l[i].wait);
        table_int(t, l[i].ports);
        table_text(t, quality(y->validity));
    }
    free(l);
    return 0;
}

static int node_rows(struct table *t, const struct latency_request *q, const struct latency_study *s,
                     const struct latency_summary *y, struct err *err)
{
    struct latency_node *v;
    size_t n;

    if (latency_nodes(&v, &n, s, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        char name[96];
        int at[2];

        add_request(t, q, q->net->spec);
        table_real(t, y->interval);
        table_text(t, net_label(q->net, v[i].node, name));
        if (q->net->ndim == 2) {
            net_coordinates(q->net, v[i].node, at);
            table_int(t, at[0]);
            table_int(t, at[1]);
        } else {
            table_none(t);
            table_none(t);
        }
        table_real(t, v[i].wait);
        table_real(t, v[i].utilisation);
        table_real(t, v[i].sent);
        table_text(t, quality(y->validity));
    }
    free(v);
    return 0;
}

int latency_rows(struct table *t, enum latency_table which, const struct latency_request *q, const struct latency_study *s,
                 const struct load *load, struct latency_summary *summary, struct err *err)
{
    if (latency_summary(summary, s, load, err) < 0)
        return -1;
    switch (which) {
    case LATENCY_MAIN: main_row(t, q, s, summary); return 0;
    case LATENCY_CHANNELS: return channel_rows(t, q, s, summary, err);
    case LATENCY_LINKS: return link_rows(t, q, s, summary, err);
    case LATENCY_NODES: return node_rows(t, q, s, summary, err);
    case LATENCY_COSTS: break;
    }
    return 0;
}

void latency_cost_row(struct table *t, const struct net *net, const struct traffic *traffic, const char *routing,
                      const char *configuration, const struct drb_cost *c)
{
    table_text(t, net->spec);
    table_text(t, traffic->spec);
    table_text(t, routing);
    table_text(t, configuration);
    table_int(t, (int64_t)c->pairs);
    table_real(t, c->ways.mean);
    table_int(t, (int64_t)c->ways.most);
    table_real(t, c->header.mean);
    table_int(t, (int64_t)c->header.most);
    table_real(t, c->extra.mean);
    table_real(t, c->carried.mean);
    table_real(t, c->acknowledgement.mean);
    table_real(t, c->state.mean);
    table_int(t, (int64_t)c->state.most);
    table_real(t, c->decisions.mean);
    table_int(t, (int64_t)c->decisions.most);
    table_int(t, c->acknowledgements);
    table_int(t, c->choices);
    table_int(t, c->configurings);
    table_int(t, c->latency_bits);
    table_text(t, "exact");
}

/* What is known of a row that could not be computed, by column. */
static double known(const char *column, const struct latency_request *q, const struct latency_study *s, const struct load *load)
{
    const double interval = load->interval / load->factor, time = q->o->collide.time;
    const struct {
        const char *column;
        double value;
    } all[] = {
        { "packet_flits", time }, { "interval_cycles", interval }, { "rate_per_cycle", 1 / interval }, { "load", time / interval },
        { "capacity_interval_cycles", 1 / s->capacity_factor }, { "saturation_interval_cycles", 1 / s->saturation_factor },
        { "rounds", (double)s->collide.rounds }, { "residual", s->collide.residual }
    };

    for (size_t i = 0; i < COUNT(all); i++)
        if (strcmp(all[i].column, column) == 0)
            return all[i].value;
    return NAN;
}

void latency_refused(struct table *t, const struct latency_request *q, const char *topology, const struct latency_study *study,
                     const struct load *load, const struct err *why)
{
    const bool common = study && load && traffic_own(study->flows.traffic) == OWN_NONE;

    add_request(t, q, topology);
    for (size_t i = 3; i < t->ncolumn; i++) {
        const char *name = t->column[i].name;

        if (strcmp(name, "validity") == 0 || strcmp(name, "quality") == 0)
            table_text(t, "refused");
        else if (strcmp(name, "bottleneck") == 0 && study && study->collide.full_link >= 0)
            put_link(t, &study->flows, (size_t)study->collide.full_link);
        else
            table_real(t, common ? known(name, q, study, load) : NAN);
    }
    table_note(t, "%s: %s.", q->routing ? q->routing : topology, why->msg);
}
