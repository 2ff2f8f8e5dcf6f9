/* tree.h -- fat trees with levels: XGFT(h; m_1..m_h; w_1..w_h), and p_1..p_h cables each (PGFT). A node of level i is a
 * subtree of m_1..m_i hosts and one of its w_1..w_i roots: number A W_i + B within the level, where A counts subtrees
 * and B roots, the last digit of B to base w_i being the port of level i-1 that leads there. Hosts are level 0 and have
 * the first numbers; levels follow each other. Node (A, B) has the parents (A / m_{i+1}, B w_{i+1} + port).
 * (XGFT: Ohring, Ibel, Das and Kumar 1995; PGFT: Zahavi 2010.) */
#pragma once

#include "graph/topology/topo.h"

#define TREE_LEVELS 16
struct tree {
    int h;
    int m[TREE_LEVELS], w[TREE_LEVELS], cables[TREE_LEVELS];        /* from level i to i + 1, i = 0 .. h-1 */
    int first[TREE_LEVELS + 2];     /* node of each level; of h + 1: all */
    int roots[TREE_LEVELS + 1];     /* W_i */
};

/* Takes h, m, w and cables, copied to net->param; the family appends its spec. */
int tree_open(struct net *net, const struct tree *t, const struct spec *spec, struct err *err);
int tree_build(igraph_t *graph, const struct net *net, struct err *err);
int tree_radix(const struct net *net, int node);
int tree_class(const struct net *net, int a, int b);
void tree_facts(const struct net *net, struct topo_facts *f);
int tree_pairs(uint64_t pairs[TOPO_HOPS], const struct net *net);
int tree_alike(const struct net *net, int node);
int tree_level(const struct tree *t, int node);

extern const char *const tree_classes[];

/* What a family of them has in its struct. */
#define TREE                                                                                                        \
    .cable_class = tree_classes, .class_of = tree_class, .radix = tree_radix, .layout = "layers",                   \
    .build = tree_build, .facts = tree_facts, .alike = tree_alike, .pairs = tree_pairs
