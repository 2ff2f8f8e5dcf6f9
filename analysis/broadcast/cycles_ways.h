/* cycles_ways.h -- paths of the messages of broadcasts, link by link, for all roots asked about.
 * Shapes  way w = i * n + v is that of the message to rank v of the broadcast from root[i], by a process tree over n
 *         ranks; of rank 0 it is empty. Its links are trunk[first[w]] .. trunk[first[w + 1] - 1] (graph/distance/
 *         trunks.h), of which it takes cable[...], from 1, or any: 0.
 * Units   cycles: a message of F flits takes F/bandwidth over a link, and is later by the link's length.
 * Errors  ERR_USAGE for a routing without single paths, ERR_DOMAIN for a root that is no process, ERR_NETWORK where
 *         there is no path, ERR_MEMORY before allocating too much. */
#pragma once

#include "graph/distance/trunks.h"
#include "model/process/placement.h"
#include "model/process/tree.h"
#include "model/routing/route.h"

struct cycles_links {               /* of one network; serve all its trees and placements */
    struct trunks trunks;           /* with a csr of their own */
    int *from;                      /* by trunk: the node that it leaves */
    double *slowness, *length;      /* by link: 1/bandwidth, cycles; NULL: all are unit links */
};
int cycles_links_open(struct cycles_links *l, struct net *net, struct err *err);
void cycles_links_release(struct cycles_links *l);

struct cycles_ways {
    const struct cycles_links *links;
    const struct tree_shape *tree;  /* outlives them, as the links do */
    int n, nroot;
    int *root;                      /* processes */
    size_t *first;                  /* nroot * n + 1 */
    int *trunk;
    int *cable;                     /* NULL: any, everywhere */
};
struct cycles_trees {               /* broadcasts by one tree from several roots */
    const struct tree_shape *tree;
    const struct placement *where;
    const int *root;
    int nroot;
    struct routing *routing;
};
int cycles_ways_open(struct cycles_ways *w, const struct cycles_links *links, const struct cycles_trees *trees,
                     const struct tick *tick, struct err *err);
/* One more, for messages posted one by one: n is 1, nroot how many there are; *room and *room_first, 0 at first, are
 * kept from call to call. */
int cycles_ways_add(struct cycles_ways *w, const struct route_path *path, size_t *room, size_t *room_first,
                    struct err *err);
void cycles_ways_release(struct cycles_ways *w);
