/* igraph_bytes.h -- what igraph takes for its own structures, in bytes, to forecast memory. Counted in igraph 0.10's
 * words of 8 bytes (igraph_integer_t and igraph_real_t) and held against the peaks measured on random graphs of up to
 * 2e6 edges, which they meet within a tenth. */
#pragma once

/* A graph while igraph_create makes it: the list of ends it is made from (2 words an edge), both ends and both orders
 * of the edges (4), and what sorts them (1 an edge, 1 a node); where each node's edges begin, in both orders (2 a
 * node). */
static inline double igraph_bytes_create(double nodes, double edges)
{
    return 8 * (7 * edges + 3 * nodes);
}

/* igraph_maxflow beside a directed graph of such arcs: the capacities it is given, and its own arcs, each there
 * twice. */
static inline double igraph_bytes_flow(double nodes, double arcs)
{
    return 8 * (14 * arcs + 8 * nodes);
}

/* igraph_automorphism_group beside the graph, without the generators, the number of which is not known before. */
static inline double igraph_bytes_symmetry(double nodes, double edges)
{
    return 8 * (2 * edges + 31 * nodes);
}
