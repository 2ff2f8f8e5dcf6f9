/* selection.h -- nodes and links that a phrase picks out of a network, to be highlighted in a drawing:
 *
 *     nodes:A,B,...               those nodes
 *     path:A-B-C...               a walk over links (of parallel cables one to B:PORT); `cycle:` comes back to its
 *                                 beginning
 *     route:A-B                   the route of a message (by dimension order where it has one, else a shortest path)
 *     supernode:SUPERNODE:A       the supernode of a node, as in supernode:sga:1:0.0
 *     metapath:SUPERNODE:A-B      intermediate nodes of a pair, and the links of all its multistep paths
 *     tree:ALGORITHM[:ROOT]       the process tree of a broadcast over all terminals, an arrow per message
 *
 * Nodes are named as everywhere: by name, coordinates or number. */
#pragma once

#include "graph/net.h"

struct selection {
    int *node;
    size_t nnode;
    int (*link)[3];             /* from, to, and its edge of net_graph(); -1: any, or none */
    size_t nlink;
    bool way;                   /* a path, route or metapath: it leads from `from` to `to` */
    int from, to;
};
/* ERR_USAGE for an empty phrase, an unknown node or a missing link; ERR_DOMAIN for a supernode that
 * does not fit or a metapath of more than a million paths. Release either way. */
int selection_open(struct selection *out, struct net *net, const char *phrase, struct err *err);
void selection_release(struct selection *s);
