/* diversity.h -- how many ways there are between two switches: shortest paths, and link-disjoint paths.
 *
 * Pairs are ordered, of different nodes that terminals are, or hang at by their only cable: that cable is part of every
 * way of its host, and is left out. Paths differ where any cable differs. Disjoint paths share no link (a cable is two,
 * one each way); those of at most so many hops more than the shortest are counted by augmenting paths in the layered
 * graph, whose nodes are (node, hops from the source) (Ford and Fulkerson 1962). Of shortest paths, of any length, and
 * up to 3 hops the number is exact; beyond, it is hard to find (Itai, Perl and Shiloach 1982): what was found there is a
 * lower bound, and the flow where a link may be passed once at every layer, or over the links in reach without layers,
 * an upper one.
 * A source stands for all that symmetries take it to, where they are found.
 * Without two such nodes all means are NaN.
 * Errors  ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "graph/net.h"
#include "graph/numeric/sample.h"

enum diversity_what { DIVERSITY_PATHS, DIVERSITY_SHORTEST, DIVERSITY_ONE_MORE, DIVERSITY_TWO_MORE, DIVERSITY_ANY,
                      DIVERSITY_WHATS };
enum diversity_number {
    DIVERSITY_MEAN,             /* over pairs; of disjoint paths what was found */
    DIVERSITY_BOUND,            /* mean of what flows allow; that mean where it is exact */
    DIVERSITY_NONE, DIVERSITY_ONE, DIVERSITY_TWO, DIVERSITY_MORE,       /* shares of pairs with so many */
    DIVERSITY_NUMBERS
};
struct diversity {
    int sources;                /* which were drawn; 0: all count */
    double of[DIVERSITY_WHATS][DIVERSITY_NUMBERS], least[DIVERSITY_WHATS];
    struct estimate error[DIVERSITY_WHATS][DIVERSITY_NUMBERS];          /* where sources were drawn */
};
struct diversity_options {
    bool no_symmetry;
    int sources;                /* drawn by the seed where more count; 0: all */
    double work;                /* fewer are drawn where links times pairs are more than that; 0: no limit */
    uint64_t seed;
    int jobs;
    struct tick tick;
};
int diversity(struct diversity *out, struct net *net, const struct diversity_options *o, struct err *err);
