/* latency_tables.h -- the tables of `metapath latency`: a row per load and routing, or per channel, link or node of
 * it. */
#pragma once

#include "analysis/policy/drb_cost.h"
#include "analysis/policy/policy.h"
#include "analysis/simulate/judge.h"
#include "cli/request/frame.h"

/* How messages are sent, of this command and of what else sends them so: columns, of which a struct router is the
 * of_-th of MEMBERS, and loose cells. */
#define HOW_COLUMNS(of_)                                                                                        \
    { "packet_flits", "Packet", "flits", COLUMN_ASIDE, LOOSE },                                                 \
    { "hop_time_cycles", "Hop time", "cycles", COLUMN_ASIDE, LOOSE },                                           \
    { "router_time_cycles", "Router time", "cycles", COLUMN_ASIDE, MEMBER(of_, struct router, time) },          \
    { "virtual_channels", NULL, NULL, COLUMN_ASIDE, FINITE(of_, struct router, vcs) },                          \
    { "buffer_flits", "Buffer", "flits", COLUMN_ASIDE, FINITE(of_, struct router, buffer) },                    \
    { "credit_loop_cycles", "Credit loop", "cycles", COLUMN_ASIDE, MEMBER(of_, struct router, credit_loop) },   \
    ASIDE("classes"), ASIDE("crossbar"), ASIDE("interleave"), ASIDE("terminals")
#define HOW_CELLS(flits, hop_time, r, linked)                                                                   \
    cell_real("packet_flits", flits), cell_real("hop_time_cycles", hop_time),                                   \
    cell_count("classes", (r)->classes ? (double)(r)->classes : NAN),                                           \
    cell_text("crossbar", (r)->speedup ? "speedup" : "none"),                                                   \
    cell_text("interleave", (r)->packets ? "packets" : "flits"),                                                \
    cell_text("terminals", (linked) ? "links" : "free")

enum latency_table { LATENCY_MAIN, LATENCY_CHANNELS, LATENCY_LINKS, LATENCY_NODES, LATENCY_COSTS, LATENCY_TRAFFIC };
/* Whether a table has loads and waits; others are of routings or of the traffic alone. */
static inline bool latency_models(int which)
{
    return which != LATENCY_COSTS && which != LATENCY_TRAFFIC;
}

struct latency_request {        /* what a row is about */
    const struct net *net;
    const char *traffic, *routing;      /* canonical */
    const struct latency_options *o;
    const struct policy *policy;        /* NULL: a routing */
    const struct policy_outcome *outcome;
    const struct judge *judge;          /* the same simulated; NULL: it was not */
    double simulated_saturation;        /* load; NAN: it was not asked for */
};
extern const struct frame_table latency_table[];
/* Columns of the job's table that are shown only where there is something to see. */
void latency_columns(struct job *j, bool compare, bool policies);
/* Whether nobody sees percentiles of latency, nor the longest way. */
bool latency_brief(const struct options *o);

/* Rows of a solved study. */
int latency_rows(struct table *t, int which, const struct latency_request *q, const struct latency_study *s,
                 const struct load *load, struct latency_summary *summary, struct err *err);
/* Of the last row of the table of loads. */
void latency_ratio(struct table *t, double ratio);
/* What a configuration (NULL: a routing) costs. */
void latency_cost_row(struct table *t, const struct net *net, const struct traffic *traffic, const char *routing,
                      const char *configuration, const struct drb_cost *cost);
/* Sources and their destinations: a row for each pair with a share. */
int latency_pair_rows(struct table *t, const struct net *net, const struct traffic *traffic, const struct tick *tick,
                      struct err *err);
/* A row that could not be computed: what is known of it, and why, as a note. `study` NULL: not even that. */
void latency_refused(struct job *j, const struct latency_request *q, const struct latency_study *study,
                     const struct load *load, const struct err *why);
