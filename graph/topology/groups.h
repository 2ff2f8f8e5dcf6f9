/* groups.h -- groups of routers with global cables between every two: dragonfly and megafly (Dragonfly+). Terminals
 * have the first numbers, router by router; routers follow, group by group, a megafly's leaves before its spines.
 * The global ports of a group are numbered router by router; of these, port c (G-1) + o of group i has cable c of those
 * to the group that the arrangement gives for o = 0 .. G-2:
 *     relative  i+o+1      absolute  o, leaving out i      palmtree  i-o-1      circulant  i+1, i-1, i+2, i-2, ...
 * (relative, absolute, circulant: Hastings et al. 2015; palmtree: Camarero, Vallejo and Beivide 2014). */
#pragma once

#include "graph/topology/topo.h"

enum arrangement { RELATIVE, ABSOLUTE, PALMTREE, CIRCULANT };
struct groups {
    int leaves, spines;         /* of a group: routers with p terminals each, and routers with h global ports each */
    bool same;                  /* they are the same, and all joined to each other; else each leaf to each spine */
    int p, h;
    int g, links;               /* groups; cables between two of them */
    int arrangement;
};

/* Takes leaves, spines, same, p and h, which the family has read and appended to the spec; reads the rest. */
int groups_open(struct net *net, const struct spec *spec, struct groups *d, struct err *err);
int groups_build(igraph_t *graph, const struct net *net, struct err *err);
int groups_of(const struct net *net, int node);
int groups_radix(const struct net *net, int node);
int groups_class(const struct net *net, int a, int b);
void groups_facts(const struct net *net, struct topo_facts *f);
/* Where a router, or that of a terminal, stands in its group. */
int groups_place(const struct net *net, int node);
/* Not net->nterminal: some may have failed. */
int groups_hosts(const struct groups *d);

extern const char *const groups_classes[];
