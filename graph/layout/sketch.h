/* sketch.h -- a network as it is to be drawn: nodes and links in layout units, merged where the page could not show
 * them apart. */
#pragma once

#include "graph/layout/layout.h"

/* What a drawing shows of a network. Values: one per node; two per edge of net_graph(), of the links to its higher node
 * and to the lower one (directed: both the same); NaN: not known; NULL: none. */
struct sketch_request {
    struct net *net;
    const char *layout;         /* NULL: the natural one */
    const struct layout *placed;        /* made already, the caller's; NULL: sketch_make makes it */
    const double *node_value, *link_value, *link_width;
    bool categories;            /* node values count categories: of nodes that are merged the first one's is taken */
    uint64_t seed;              /* of layouts that need one */
};
struct sketch_node {
    double x, y, value;
    int node;                   /* of the network; the first of those merged */
    int count;                  /* nodes it stands for */
    bool terminal;
    bool down;                  /* it failed */
};
struct sketch_link {
    int a, b;                   /* sketch nodes */
    double bend;
    double value[2], width[2];  /* of the links from a to b and back; the same where they are not told apart */
    int count;                  /* links it stands for */
};
struct sketch {
    struct layout layout;
    bool borrowed;              /* the layout is the caller's */
    const igraph_t *graph;
    struct sketch_node *node;
    size_t n;
    struct sketch_link *link;
    size_t nlink;
    struct sketch_link *gone;   /* cables that failed, without values */
    size_t ngone;
    double *bend;               /* of every edge, where sketch_bundle put some side by side; else NULL */
    int *of;                    /* the sketch node of every node */
    double x0, y0, x1, y1;      /* bounds of nodes and links */
    double spacing;             /* the distance to the nearest that nine in ten nodes keep at least */
    bool coarse, gathered;
    int most;                   /* nodes in the fullest sketch node */
    double left_out;            /* links not drawn: those between the sketch nodes with fewest of them */
};
#define SKETCH_LINKS 12000      /* drawn at most */

/* One sketch node a node. */
int sketch_make(struct sketch *s, const struct sketch_request *d, struct err *err);
/* Parallel cables, those that failed among them, `gap` apart where they are up to `most`; else one line, of the largest
 * value and all their widths, and one for those that failed. For sketches that are not coarse. */
int sketch_bundle(struct sketch *s, const struct net *net, double gap, int most, struct err *err);
/* Of the hosts of a switch those with one cable each, of the same values, become one node in their middle, where the
 * layout has them beside each other. Spacing is what is left between nodes. For sketches that are not coarse, without
 * values of nodes. */
int sketch_gather(struct sketch *s, const struct net *net, struct err *err);
/* Merges nodes nearer than that; `least` in layout units. */
int sketch_coarsen(struct sketch *s, const struct sketch_request *d, double least, struct err *err);
void sketch_release(struct sketch *s);
/* The bend of a link: from, to, edge (-1: any of those between them); where there is none, of an arc. */
double sketch_bend(const struct sketch *s, const int link[3]);
/* Widens the bounds so that this link or arc lies within them. */
void sketch_include(struct sketch *s, const int link[3]);
