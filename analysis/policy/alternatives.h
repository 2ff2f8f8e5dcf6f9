/* alternatives.h -- what messages of policies that look at the load choose among, their shares, and what they cost:
 * for balance.c. Costs and their rules are those of balance.h; shares sum to 1 over a choice.
 * Errors  ERR_MEMORY; ERR_INTERNAL where flows are not those of the rule. */
#pragma once

#include "analysis/policy/balance.h"

struct part {                   /* of what an alternative is: an edge, or nedge + an injection */
    size_t at;
    double whole;               /* its share where the alternative's is 1 */
};
struct alternative {
    size_t first;               /* part; those of the next begin where these end */
    double share, given;        /* given: to begin with */
    double kept, below;         /* the last shares that had a solution; those of the last load that was settled */
    double cost, slope;         /* slope: of the cost by the share, where all shares move alike */
    double hops;                /* of ways: links between switches, mean */
};
struct choice {
    size_t first;               /* alternative, likewise */
    size_t state;               /* of hops: where messages are; SIZE_MAX: at their source */
    double weight;              /* messages per cycle */
};
struct queue {
    double flits, slope;
};
struct balance {
    enum balance_rule rule;
    struct choice *choice;      /* one more than there are, and so of the next two; NULL: not found yet */
    struct alternative *item;
    struct part *part;
    size_t nchoice, nitem, npart, choice_room, item_room, part_room;
    double *mass;               /* by state: messages per cycle */
    double *busy, *wait;        /* by link: part of the time that it transmits; mean wait of messages that want it */
    struct queue *queue, *credits, *ahead;      /* by link: what waits for it, and what its credits show; by state: on
                                                 * all links to come */
    double damp;
    double *chosen;             /* of hops: `part` of collide.h */
};

/* Once; flows have the shares to begin with. */
int alternatives_find(struct balance *b, const struct flows *f, struct err *err);
/* The shares of the alternatives become those of the flows. */
int alternatives_put(const struct balance *b, struct policy *p, struct err *err);
/* Costs and slopes of a solution; what is lost against the cheapest alternatives, in parts of all costs. */
double alternatives_cost(struct balance *b, const struct latency_study *s);
/* What is waited for by messages that take the hop with the shortest queue of the moment: their wait at one is
 * exponential, if others hold the link; of several, independent ones, the least counts. */
void alternatives_choose(struct balance *b, const struct latency_study *s);
