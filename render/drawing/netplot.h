/* netplot.h -- networks drawn: nodes and links where their layout says, coloured and weighted by values, with routes
 * and sets of nodes highlighted. Large networks are drawn coarsely, and the figure says so. */
#pragma once

#include "graph/layout/sketch.h"
#include "render/figure/chart_data.h"
#include "render/page/plot.h"

/* A set of nodes and links in a colour of its own, with its name in the legend. */
struct highlight {
    char *name;
    int *node;                  /* filled */
    size_t nnode;
    int (*link)[3];             /* from, to, the edge between them (-1: any); drawn with arrows, which need not be links
                                 * of the network */
    size_t nlink;
    bool way;                   /* it leads from one node to another: `from` filled, `to` ringed */
    int from, to;
};
struct net_drawing {
    struct sketch_request what;
    const char *title;          /* over its panel, when there are several; NULL: none */
    const struct highlight *highlight;
    size_t nhighlight;
};
struct netplot {
    const char *title;          /* NULL: none */
    const struct net_drawing *drawing;
    size_t n;
    /* What colour of nodes, colour and width of links mean; shared by all panels. Nodes may have categories. */
    struct axis node, link, width;
    const char *note;           /* a sentence more at the foot; NULL: none */
    bool no_labels;
};

/* A node's name as figures have it: 0101 in hypercubes, where tables have 0.1.0.1. */
const char *netplot_label(const struct net *net, int v, char out[NET_LABEL]);
/* Width and height in mm where `page` leaves them open: as the networks' shapes say. */
int netplot_write(const struct netplot *p, const struct page *page, const char *path, struct err *err);
/* Draws on a canvas that is there (without a device: only measures). */
int netplot_on(struct canvas *c, const struct netplot *p, struct err *err);
