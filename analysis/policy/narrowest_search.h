/* narrowest_search.h -- what both searches for the narrowest metapaths know: sources, offers, assignment at hand. */
#pragma once

#include "analysis/policy/narrowest.h"

struct narrowest_search {
    struct routing *routing;
    size_t nrouting, noffer;
    struct latency_study study;
    const struct flows *f;
    const struct load *load;
    size_t n, npair;            /* sources; pairs of one routing */
    int *width;                 /* [source * noffer + offer]: ways; 0 where an offer before has the same */
    size_t *pairs;              /* by source */
    int *at;
};

/* What the fullest link transmits of the time, with the shares at hand. */
static inline double narrowest_busiest(const struct narrowest_search *s)
{
    return s->load->factor / s->load->interval / s->study.capacity_factor;
}

/* narrowest_capacity.c: the narrowest assignment that links can carry, by an integer program of choices and shares. */
int narrowest_by_capacity(struct narrowest *out, struct narrowest_search *s, struct err *err);
