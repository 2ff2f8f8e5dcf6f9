/* twins.h -- symmetries that need no search. Nodes of one colour with the same neighbours are twins: any permutation of
 * them is a symmetry, and every symmetry takes twins to twins; so one of them stands for all, in a colour that tells
 * how many they are. A leaf goes where its only neighbour goes; so it is taken off, and its neighbour gets a colour
 * that tells what hung there. Both are repeated while they find something: hosts, cores and the switches of a pod of a
 * fat tree, whole trees. What is left has a symmetry for each that the network has, but for the permutations of twins.
 * Where refinement of colours (Weisfeiler and Leman 1968) leaves every node alone, there are neither and no search is
 * needed.
 * Marks (symmetry.h) count as links of their colour and direction.
 * Errors  ERR_MEMORY before it is taken. */
#pragma once

#include "graph/symmetry.h"

struct twins {
    int n;
    bool alone;                 /* no two nodes are alike: there is no symmetry but the identity, colours say nothing */
    int *colour;                /* by node, from 0 and below n; -1: taken off */
    int *into;                  /* of one taken off: what it was taken to, a twin or its neighbour */
    int *step;                  /* and when: even steps take twins, odd ones leaves */
    int noff, *off;             /* those taken off, in their order */
    int *child_first, *child;   /* n + 1: what was taken to a node, in that order; alike in nodes of one colour */
    int *place;                 /* by node of those taken off: where it is among them */
};

/* Terminals are told from switches. `graph`: the network's. */
int twins_open(struct twins *out, struct net *net, const igraph_t *graph, const struct marks *marks, struct err *err);
void twins_close(struct twins *t);              /* a zeroed struct is fine */
/* map[v] is known of all but the first `many` taken off: where those go along. */
void twins_lift(int *map, const struct twins *t, int many);
