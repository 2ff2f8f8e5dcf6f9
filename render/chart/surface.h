/* surface.h -- what a chart of surfaces has to show, as heights over a grid in a box, before there is a page. */
#ifndef RENDER_CHART_SURFACE_H
#define RENDER_CHART_SURFACE_H

#include "render/map/scene_axes.h"
#include "render/map/scene_relief.h"

#define LEVELS_MOST LABELS_MOST

struct surface {
    struct canvas *canvas;
    const struct chart *chart;
    struct scene_axes axes;
    struct relief *relief;      /* of every panel; z is w */
    size_t npanel, columns, rows;
    struct scene scene;         /* of the first panel */
    struct rect cell;           /* likewise */
    double step_x, step_y;
    size_t drawn, infinite, negative;
    size_t shared, most_u, most_v, seen_u, seen_v;      /* for the foot */
    bool loose;
    struct level level[LEVELS_MOST];
    size_t nlevel;
    struct rect bar;            /* w is 0 where there is none */
    struct text title, foot;
    double title_height, foot_height;
    char note[500];
};

/* ERR_USAGE where two surfaces would stand in one box, and hide each other. */
int surface_check(const struct chart *c, struct err *err);
/* From canvas, chart, axes and npanel: scales, a relief for every panel (0..1 along every axis), what is left out, and
 * the view in which heights hide least. ERR_MEMORY. */
int surface_read(struct surface *f, struct err *err);

#endif
