/* order.h -- a topological order that is kept while edges come, and that says which edge would close a cycle (Pearce
 * and Kelly 2006, "A dynamic topological sort algorithm for directed acyclic graphs", ACM Journal of Experimental
 * Algorithmics 11). Vertices are numbered from 0; two of them may have several edges.
 * Time   an edge that agrees with the order as it is: constant. Another: searches forward from its head and backward
 *        from its tail, among the vertices that stand between the two, and a pass over these (there: a sort of
 *        those found). The searches take turns (there, one follows the other) and stop where they meet: an edge that would close a
 *        cycle costs no more.
 *        What an edge moved stays where it is when the edge is taken back.
 * Errors ERR_MEMORY, and then the graph is as it was. */
#pragma once

#include "graph/base/base.h"

struct order_edge {
    int end[2];                 /* from, to */
    int next[2];                /* the edge before it out of the same vertex, and into the same; -1: none */
};
struct order {
    int n;
    int *place;                 /* by vertex: 0..n-1; every edge leads to a higher one */
    int *vertex;                /* by place */
    struct order_edge *edge;    /* in the order they were added */
    size_t nedge, room;
    int *last[2];               /* by vertex: the latest edge out of it, and into it; -1: none */
    int *found, *moved;         /* room for a search, and for what it puts elsewhere */
    unsigned char *seen;        /* by vertex, by which of the searches; all 0 between them */
};

/* Of n vertices and no edges, every vertex at the place of its number. */
int order_open(struct order *out, size_t n, struct err *err);
void order_close(struct order *o);
/* Adds the edge from -> to unless it would close a cycle, as one from a vertex to itself does. */
int order_add(bool *cyclic, struct order *o, int from, int to, struct err *err);
/* Takes away the edge that was added last; there is one. */
void order_undo(struct order *o);
