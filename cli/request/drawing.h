/* drawing.h -- networks drawn, by `metapath topo --plot` and others: what the options say about them. */
#pragma once

#include "cli/request/options.h"
#include "render/drawing/netplot.h"

struct drawing_request {
    const char *layout;                 /* NULL: the natural one */
    const char *nodes, *links;          /* CSV files with values; NULL: none */
    const char *node_colour, *link_colour, *link_width;         /* their columns */
    struct strings highlight;           /* phrases of analysis/network/selection.h */
    bool no_labels;
    const struct highlight *found;      /* what a command has found; NULL: nothing */
    const char *found_in;               /* the network where, as its specification is written out */
};
extern const struct option_field drawing_options[];     /* about a struct drawing_request */
/* Whether anything was asked for that only a drawing shows. */
bool drawing_asked(const struct drawing_request *r);
/* Draws the networks to the file that --plot names. Values and highlights are for one network. */
int drawing_write(const struct drawing_request *r, const struct options *o, const struct strings *spec,
                  struct err *err);
