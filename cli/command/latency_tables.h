/* latency_tables.h -- the tables of `metapath latency`: a row per load and routing, or per channel, link or node of it. */
#ifndef CLI_COMMAND_LATENCY_TABLES_H
#define CLI_COMMAND_LATENCY_TABLES_H

#include "analysis/policy/drb_cost.h"
#include "analysis/policy/policy.h"
#include "render/table/table.h"

enum latency_table { LATENCY_MAIN, LATENCY_CHANNELS, LATENCY_LINKS, LATENCY_NODES, LATENCY_COSTS };

struct latency_request {        /* what a row is about */
    const struct net *net;
    const char *traffic, *routing;      /* canonical */
    const struct latency_options *o;
    double reference;           /* mean latency of the first routing at this load, or NaN */
    const struct policy *policy;        /* NULL: a routing */
    const struct policy_outcome *outcome;
};
/* Columns as the request wants them to be shown, in `column`, which has room for LATENCY_COLUMNS; returns how many. */
#define LATENCY_COLUMNS 40
size_t latency_columns(struct column *column, enum latency_table which, bool open, bool compare, bool policies);
const char *latency_title(enum latency_table which);

/* Rows of a solved study. */
int latency_rows(struct table *t, enum latency_table which, const struct latency_request *q, const struct latency_study *s,
                 const struct load *load, struct latency_summary *summary, struct err *err);
/* What a configuration (NULL: a routing) costs. */
void latency_cost_row(struct table *t, const struct net *net, const struct traffic *traffic, const char *routing,
                      const char *configuration, const struct drb_cost *cost);
/* A row that could not be computed: what is known of it, and why, as a note. `study` NULL: not even that. */
void latency_refused(struct table *t, const struct latency_request *q, const char *topology, const struct latency_study *study,
                     const struct load *load, const struct err *why);

#endif
