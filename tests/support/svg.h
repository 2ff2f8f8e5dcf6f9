/* svg.h -- figures read back from the SVG that the program wrote: what stands where, in points of the page. It reads
 * what render/page/plot_svg.c writes and no other SVG; failures are cmocka's. */
#pragma once

#include "render/page/canvas.h"

#define SVG_NONE 0xffffffffu    /* neither filled nor stroked */

/* <g class="series"><title>dor</title>, and what is cut to a rectangle. */
struct svg_group {
    char name[24], title[400];
    struct rect at;             /* data-at, or that of a clip; zeros: not said */
    bool clip;
    int parent;                 /* -1: the page */
};
struct svg_item {
    int group;                  /* -1: the page */
    bool image;
    unsigned fill, stroke;      /* 0xrrggbb */
    char dash[40];
    char *text;                 /* of <text>, else NULL */
    struct text_box box;        /* of text: about its ink, by the length it was measured to have */
};
struct svg {
    double width, height;
    struct svg_group *group;
    struct svg_item *item;      /* in the order of drawing */
    size_t ngroup, nitem, group_room, item_room;
};
void svg_read(struct svg *s, const char *path);
void svg_release(struct svg *s);
/* The nearest group of that name that the group is in, or is; -1: none. */
int svg_within(const struct svg *s, int group, const char *name);
/* How many clips it is within. */
int svg_clips(const struct svg *s, int group);
