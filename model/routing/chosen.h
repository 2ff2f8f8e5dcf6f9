/* chosen.h -- routings that take one of the next hops on shortest paths, by a rule of their own: a single path, as
 * short as there is, whatever the rule. What there is to choose from are the cables that ecmp shares among. On a fat tree
 * with failures it is, for a host, the ports of the whole tree, as a subnet manager keeps them: of those that a shortest
 * path is left through, the one chosen, else the next of the group, round it. So what crossed nothing that failed goes as
 * before.
 * Errors  as the routing ecmp's. */
#pragma once

#include "graph/distance/towards.h"
#include "model/routing/route.h"

/* Which of n >= 2 cables to next hops (in ascending order of nodes, then of cables) a message for `target` takes at
 * `node`: 0..n-1. */
typedef size_t chosen_rule(const struct net *net, int node, int target, size_t n);

/* Cables between two nodes that are next to each other, for an opened ecmp. */
size_t route_ecmp_cables(const struct routing *r, int from, int to);

struct chosen {                     /* a route's state */
    struct routing all;             /* ecmp */
    struct hop *hop;                /* its answer */
    struct towards towards;         /* where each next node is one cable of a graph: only these are asked for */
    chosen_rule *rule;
};
/* Opens what there is to choose from; chosen_all leaves it in c->hop, ascending by node. */
int chosen_begin(struct chosen *c, struct net *net, struct err *err);
int chosen_all(size_t *n, struct chosen *c, int node, int in, int target, struct err *err);
/* For a route's functions of the same names. */
int chosen_open(struct routing *r, const struct spec *spec, chosen_rule *rule, struct err *err);
void chosen_close(void *state);
int chosen_next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err);
