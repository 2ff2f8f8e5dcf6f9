/* flows_spread.h -- how injections spread: from the states they enter over all that follow, each state once, when all
 * that comes over the ones before it is there.
 *   flows_spread_add(&w, state, mass);             any number of times; one at a time where f->chain
 *   while (flows_spread_next(&w, &state, &mass))   every state that messages are on, with how many: parents first
 * Over edge e of that state go on mass x f->edge_share[e]. Shapes: flows.h. Memory: 12 bytes a state, none where
 * f->chain. */
#pragma once

#include "analysis/load/flows.h"

struct flows_spread {
    const struct flows *f;
    double *mass;               /* by state; where no state branches, of the one at hand */
    int *heap;                  /* states with mass, the largest on top */
    size_t n;
};

int flows_spread_open(struct flows_spread *w, const struct flows *f, struct err *err);
void flows_spread_close(struct flows_spread *w);        /* a zeroed struct is fine */
void flows_spread_add(struct flows_spread *w, int state, double mass);
/* flows_spread_next where states branch. */
bool flows_spread_largest(struct flows_spread *w, int *state, double *mass);

static inline bool flows_spread_next(struct flows_spread *w, int *state, double *mass)
{
    const struct flows *f = w->f;
    uint32_t e;

    if (w->n == 0)
        return false;
    if (!f->chain)
        return flows_spread_largest(w, state, mass);
    *state = w->heap[0];
    *mass = w->mass[0];
    e = f->edge_first[*state];
    if (e < f->edge_first[*state + 1])
        w->heap[0] = f->edge_child[e];
    else
        w->mass[0] = (double)(w->n = 0);
    return true;
}
