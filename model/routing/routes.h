/* routes.h -- all routes to a target as one acyclic graph of states (follow.h), each after its successors, so that
 * values from a state onwards follow from its steps. Hop by hop, states are shared; of ways each has its own, the ways
 * of a source consecutive as the routing lists them.
 * Errors  those of follow.h; ERR_MEMORY. */
#pragma once

#include "model/routing/follow.h"

struct routes {
    size_t n, nstep;
    int *from, *to;                 /* by state: the nodes of its link */
    bool *begins;                   /* whether a message enters the network with it */
    size_t *first;                  /* by state, and one more: its steps; none: its link is the last */
    int *next;                      /* by step: the state */
    size_t room, step_room;
};

/* Adds those to one target. The follow carries no marks and no arrivals. */
int routes_add(struct routes *s, struct follow *f, struct routing *r, int target, struct err *err);
/* The most links of any route; by way of the first target alone where the routing looks the same from every node. */
int routes_longest(int *hops, struct follow *f, struct routing *r, struct err *err);
void routes_release(struct routes *s);
static inline void routes_clear(struct routes *s)
{
    s->n = s->nstep = 0;
}
