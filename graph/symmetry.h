/* symmetry.h -- orbits of a network's automorphism group: nodes that no distance tells apart.
 * Twins, and what hangs at a node, are known at sight (twins.h); the rest is found by igraph's search (BLISS), which is
 * given up after a fixed number of steps so that answers do not depend on the machine. What was found by then are true
 * symmetries; only a finished search proves that there are no more. */
#pragma once

#include "graph/net.h"

struct orbits {
    int *of;                    /* n: the smallest node of the orbit */
    int count;                  /* orbits among the terminals */
    bool all_nodes;             /* every node that is up is in one orbit: vertex-transitive */
    bool finished;              /* the search ended by itself */
};

/* Terminals are only mapped to terminals, links to links of their kind, parallel ones to as many. */
int orbits_find(struct orbits *out, struct net *net, const struct tick *tick, struct err *err);
void orbits_release(struct orbits *o);

/* Limit on links (one way) of networks whose symmetries are searched for, since the search cannot be stopped at once;
 * symmetries of the group are known for any size. */
#define SYMMETRY_LINKS 6e5

/* Permutations of the nodes that leave the network as it is; they and what they make together are its symmetries, all
 * of them where `finished`. Of twins they hold two permutations for all sets that others take to each other. */
struct symmetries {
    int n;
    size_t count;
    int *map;                   /* count * n: permutation i takes node v to map[i * n + v] */
    bool finished;
};
/* What a symmetry must leave as it is besides the links: ordered pairs of nodes, each only taken to one of its
 * colour. */
struct marks {
    size_t n;
    int *from, *to, *colour;    /* colours from 0 */
};
/* Terminals are only mapped to terminals. NULL: no marks. */
int symmetries_find(struct symmetries *out, struct net *net, const struct marks *marks, const struct tick *tick,
                    struct err *err);
void symmetries_release(struct symmetries *s);
/* Where cables differ, or are several: every link with its kind, each as good as another of equal value; else none. */
int marks_of_cables(struct marks *m, struct net *net, struct err *err);
void marks_release(struct marks *m);        /* where its lists are the caller's from malloc */
