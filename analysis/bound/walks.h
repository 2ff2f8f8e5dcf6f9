/* walks.h -- the walks that a source's traffic may take, as a graph of states: every walk from the root to the sink
 * of a place is allowed, no other.
 *   any walk         a state per place of the quotient (fold.h), which is shared, not copied;
 *   slack k          a state (place, j), j = 0..k: hops made beyond the shortest so far. A hop from u to v adds 1 +
 *                    D(u) - D(v); to stand still from j to j + 1 is free, so that all that ends at a place ends at
 *                    (place, k).
 * No walk returns to the root. */
#pragma once

#include "analysis/bound/fold.h"

struct walks {
    int n;                      /* states */
    int root;
    int per;                    /* states of a place: its sink is the last of them */
    const size_t *first;        /* n + 1: steps that leave a state */
    const int *to, *class;      /* class -1: standing still */
    size_t *own_first;          /* what is its own of these, else NULL */
    int *own_to, *own_class;
};
/* slack -1: any walk; ERR_USAGE where there are too many states to number. The quotient must outlive the walks. */
int walks_open(struct walks *w, const struct quotient *q, int root, int slack, struct err *err);
void walks_close(struct walks *w);
double walks_bytes(const struct quotient *q, int slack);
static inline int walks_sink(const struct walks *w, int place)
{
    return place * w->per + w->per - 1;
}

/* Shortest walks from the root; for the widest of several graphs of states. */
struct shortest {
    double *distance;           /* by state; INFINITY out of reach */
    int *via_state;             /* the state before, -1 */
    size_t *via;                /* and the step from there */
    int *order;                 /* states in reach, by ascending distance */
    int reached;
    int *heap, *place;          /* scratch */
    double *flow;
};
int shortest_open(struct shortest *s, int states, struct err *err);
void shortest_close(struct shortest *s);
/* length[class]: at least 0. */
void shortest_find(struct shortest *s, const struct walks *w, const double *length);
/* Sends at[place] to every place over the walks found: adds times * flow to load[class]. Returns the sum of amount
 * times distance, times `times`. *lost is a place out of reach that was to have something, else -1. */
double shortest_send(double *load, struct shortest *s, const struct walks *w, const double *at, int places,
                     double times, int *lost);
