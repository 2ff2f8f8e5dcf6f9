/* union_find.h -- disjoint sets that are joined: union-find, a parent for each member (Tarjan 1975, with halved paths).
 * A member that is its own parent stands for its set; it is the smallest of them. */
#pragma once

#include "graph/base/base.h"

static inline void union_find_alone(int *parent, size_t n)
{
    for (size_t i = 0; i < n; i++)
        parent[i] = (int)i;
}

static inline int union_find_root(int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* Whether they were two. */
static inline bool union_find_join(int *parent, int u, int v)
{
    u = union_find_root(parent, u);
    v = union_find_root(parent, v);
    if (u < v)
        parent[v] = u;
    else
        parent[u] = v;
    return u != v;
}

/* Numbers the sets 0, 1, ... by their smallest member, in the place of parents; returns how many. */
static inline size_t union_find_number(int *parent, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)              /* all point to their smallest member ... */
        parent[i] = union_find_root(parent, (int)i);
    for (size_t i = 0; i < n; i++)              /* ... which comes first, and has its number when the others ask */
        parent[i] = parent[i] == (int)i ? (int)count++ : parent[parent[i]];
    return count;
}
