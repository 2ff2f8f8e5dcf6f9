/* scene_relief.h -- a surface in the box of a scene by the painter's algorithm, and its contour lines on the floor. */
#ifndef RENDER_MAP_SCENE_RELIEF_H
#define RENDER_MAP_SCENE_RELIEF_H

#include "render/map/relief.h"
#include "render/map/scene.h"

struct level {
    double at;                  /* of a contour line: w */
    char label[112];             /* markup */
};
struct scene_relief {
    struct canvas *canvas;
    const struct scene *scene;
    const struct relief *relief;        /* its z is w, 0..1 within the box; as many lines as the page shows */
    size_t every_u, every_v;            /* lines of the mesh that are drawn */
    double *low;                /* by the point across the page: down to where the surface covers it */
    size_t nlow;
};
int scene_relief_begin(struct scene_relief *d, struct canvas *canvas, const struct scene *s, const struct relief *r,
                       struct err *err);
void scene_relief_release(struct scene_relief *d);
/* Faces from the farthest to the nearest, in the ramp's colours; lines where a node has no face, and a post under one
 * that is part of none. */
void scene_relief_draw(struct scene_relief *d);
/* Contour lines of `r`, which may be finer. Before the surface. */
int scene_relief_contours(const struct scene_relief *d, const struct relief *r, const struct level *level, size_t n,
                          struct err *err);
#define LABELS_MOST 10
/* Labels of theirs, one each and LABELS_MOST in all, where the floor is seen. After the surface. */
int scene_relief_labels(const struct scene_relief *d, const struct relief *r, const struct level *level, size_t n,
                        struct err *err);

#endif
