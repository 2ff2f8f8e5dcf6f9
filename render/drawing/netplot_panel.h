/* netplot_panel.h -- one network of a figure of networks. */
#pragma once

#include "render/figure/colour_bar.h"
#include "render/drawing/netplot.h"

/* What colours and widths mean, the same in all panels. */
struct netplot_look {
    const struct colour_bar *node, *link;   /* NULL: values do not colour them */
    size_t ncategory;                       /* of nodes: their values are indices of categories; 0: they are numbers */
    bool by_width;
    double widest, widest_value;            /* points of the widest line, and the value it stands for */
    size_t columns;
};
/* How nodes are named: in or beside them, in lines of letters of that size; in a grid too fine for that, in its first
 * row and column; by numbers that the foot of the figure explains; not at all. */
enum netplot_naming { NAMES_FULL, NAMES_MARGINS, NAMES_NUMBERS, NAMES_NONE };
struct netplot_names {
    enum netplot_naming how;
    double size;
    int lines;
    bool inside;
    double radius;              /* of nodes at most, with names beside them; 0: as it is */
    int every[2];               /* margins: rows and columns */
    double left, top;           /* points that names take at the sides of the panel */
};
double netplot_width(const struct netplot_look *look, double value);
/* What is zero stands back: colours of links, light grey at the low end. */
struct rgb netplot_ramp(const struct canvas *c, double t);
struct rgb netplot_category(const struct canvas *c, size_t k, size_t n);
/* Whether a link's two directions have values of their own: then each is half of the line, from the node it leaves. */
bool netplot_halves(const struct sketch_link *l);
/* Into that rectangle, at `scale` points per layout unit. */
void netplot_panel(struct canvas *c, const struct netplot_look *look, const struct net_drawing *d,
                   const struct sketch *s, const struct rect *at, double scale, const struct netplot_names *names);
