/* layout.h -- where the nodes of a network stand in a drawing, and how its links run. One file layout_NAME.c per kind.
 * The unit is the usual distance of neighbouring nodes. Least x and y are 0; y grows downwards. The same request gives
 * the same positions. */
#pragma once

#include "graph/base/entry.h"
#include "graph/net.h"

/* A set of nodes that belong together, as far out as its outermost nodes. */
struct layout_box {
    double x0, y0, x1, y1;
};
struct layout {
    const struct layout_kind *kind;
    int n;
    double *x, *y;              /* n each; no two nodes in the same place */
    double width, height;       /* largest x and y; bent links may reach half a unit beyond */
    /* One per edge of net_graph(): how far the middle of the link stands aside of the straight line, in the unit,
     * positive to the left as seen from IGRAPH_FROM to IGRAPH_TO. NULL: all are straight. Parallel cables have one
     * bend (sketch.h draws them side by side). */
    double *bend;
    double *gone_bend;          /* likewise of every failed cable (cables.h): all stand as in the whole network */
    struct layout_box *box;     /* nbox sets that hang together by what is not on top, from left to right: pods, racks.
                                 * No node of another lies within 0.4 units of one */
    size_t nbox;
    bool pods;                  /* of more than one layer of switches */
    double spacing;             /* least distance between two nodes, in the unit; 1 when there is but one node */
    double near;                /* the distance to its nearest node that nine in ten nodes keep at least: says how large
                                 * nodes may be drawn */
};

struct layout_kind {
    ENTRY;
    const char *takes;          /* "networks with coordinates", for the message to those it refuses */
    bool (*accepts)(const struct net *net);     /* NULL: every network */
    /* Whether it is natural to a network of a family that names no layout; -1 on error. NULL: it is not. */
    int (*suits)(struct net *net, struct err *err);
    bool beside;                /* the hosts of a switch stand side by side, with nobody between them */
    bool hops;                  /* distances are like those in hops: of many nodes all that shows is a cloud */
    bool rows;                  /* nodes stand in straight rows and columns by their coordinates */
    bool bends;                 /* links are straight, or bent where they would run over nodes */
    /* Fills x and y in any position, and bend where links are bent. l->n and the arrays are there, all zero. */
    int (*place)(struct layout *l, struct net *net, uint64_t seed, struct err *err);
};
KIND_HEADER(layout, layout, struct layout_kind);

/* The kind a network's family names; where it names none, the first that suits, else `force`. NULL on error. */
const struct layout_kind *layout_natural(struct net *net, struct err *err);
/* name NULL: the natural kind. The seed matters to `force` alone. ERR_USAGE for a name that there is not and for a
 * network that the kind does not take. */
int layout_open(struct layout *l, struct net *net, const char *name, uint64_t seed, struct err *err);
void layout_release(struct layout *l);
/* Sets spacing and near by x and y. */
int layout_measure(struct layout *l, struct err *err);

/* How a link is drawn: from (x[0], y[0]) to (x[n-1], y[n-1]), where n is the answer: 2, a straight line; or 10,
 * three cubic Bezier pieces that share their ends (points 0-3, 3-6, 6-9). Long bent links run parallel to the straight
 * line but for their ends, so that they pass between rows of nodes. */
#define LAYOUT_CURVE 10
int layout_curve(double x[LAYOUT_CURVE], double y[LAYOUT_CURVE], const struct layout *l, const igraph_t *graph,
                 igraph_integer_t edge);
/* The same of any straight line, x[0], y[0], x[1], y[1] on entry. */
int layout_bow(double x[LAYOUT_CURVE], double y[LAYOUT_CURVE], double bend);

/* Corners of a line along such a curve, near enough for measuring; returns how many. */
#define LAYOUT_TRACE 31
int layout_trace(double tx[LAYOUT_TRACE], double ty[LAYOUT_TRACE], const double *x, const double *y, int n);
/* From (px, py) to the line between (x[0], y[0]) and (x[1], y[1]). */
double layout_distance(double px, double py, const double *x, const double *y);

/* For the kinds' place: a bend of 0 for every edge. */
int layout_bends(struct layout *l, const igraph_t *graph, struct err *err);
/* Bends links that pass nodes of others nearer than `clear`: of some bends, all of which stay within half a unit of the
 * nodes, the smallest that keeps clear, else the one that keeps clearest. Networks with too many pairs of a link and a
 * node stay as they are. */
int layout_clear(struct layout *l, const igraph_t *graph, double clear, struct err *err);
