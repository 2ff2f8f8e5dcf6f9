/* scene_axes.h -- what stands around the box of a scene: its back planes with their grid; the axes along the nearer
 * edges of the floor and up the left corner, with ticks, labels and names. */
#ifndef RENDER_MAP_SCENE_AXES_H
#define RENDER_MAP_SCENE_AXES_H

#include "render/figure/axis.h"
#include "render/figure/frame.h"
#include "render/map/scene.h"

struct mark {
    double at;                  /* 0..1 along the axis */
    struct place place;         /* of its label; without text where there is none */
};
struct scene_axis {
    const struct axis *axis;
    struct scale scale;
    bool whole;                 /* all values are whole numbers */
    struct ticks ticks;
    struct mark *mark;          /* the ticks that are drawn */
    size_t nmark;
    char *name;                 /* markup, by g_malloc; NULL: none */
    struct place title;
};
struct scene_axes {
    struct canvas *canvas;
    struct scene_axis axis[3];
    bool empty;                 /* there are no data: neither ticks nor labels of numbers */
};
/* The scales are to be set next. */
int scene_axes_begin(struct scene_axes *a, struct canvas *canvas, const struct chart *chart, struct err *err);
void scene_axes_release(struct scene_axes *a);
/* Chooses ticks, labels and places of names for that scene within its cell of the page. */
void scene_axes_lay(struct scene_axes *a, const struct scene *s, const struct rect *cell);
/* The box and all that stands around it. */
struct rect scene_axes_hull(const struct scene_axes *a, const struct scene *s);
/* Planes, grid, axes and ticks, for a scene that may stand elsewhere. */
void scene_axes_draw(const struct scene_axes *a, const struct scene *s);
/* Names and labels, moved by that much; what would touch another text is left out. */
void scene_axes_label(const struct scene_axes *a, double dx, double dy);

#endif
