/* broadcast_all.h -- all-to-all by steps, beside its rate (broadcast_rate.h has the rules and sources). */
#pragma once

#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/broadcast_rate.h"

struct broadcast_request {
    struct net *net;
    const struct placement *where;
    int root, ports;
    bool shortcuts;
    const struct tick *tick;
};

static inline int broadcast_descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* Hops between processes into r->diameter and r->hops. ERR_MEMORY, ERR_STOPPED. */
int broadcast_all_diameter(struct broadcast_rate *r, const struct broadcast_request *q, int jobs, struct err *err);
/* Fewest steps, by diameter, growth, and cuts: some process gets at most `fewest_in` messages a step, r->all_cut is
 * known. NAN with links that are narrower. ERR_MEMORY. */
int broadcast_all_steps(struct broadcast_rate *r, const struct broadcast_request *q, double fewest_in, struct err *err);
