/* scene.h -- a box seen from above: places in it, 0..1 along each side (u, v on the floor, w upwards), on the page.
 * The projection is orthographic, so that parallels stay parallel and equal lengths along an axis equal. The floor of
 * the box lies below w = 0, for what is projected on it to be seen under a surface that hovers above. Knows no data. */
#ifndef RENDER_MAP_SCENE_H
#define RENDER_MAP_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "render/page/canvas.h"
#include "render/map/contour.h"

struct spot {
    double at[3];               /* u, v, w */
};
struct scene {
    double eye[2];              /* towards the eye, on the floor: a vector of length 1 */
    double rise, flat;          /* sine and cosine of the eye's elevation */
    double size;                /* of a side of the floor, in points */
    double high;                /* of w = 0..1, in sides of the floor */
    double floor;               /* w of the floor, negative */
    double x, y;                /* of the middle of the floor, on the page */
};
#define SCENE_VIEWS 4
/* Looks from one of the four quarters; the first is the usual one, where u and v both grow to the right. */
void scene_look(struct scene *s, int view);
/* As large as fits into the room: lower and seen more from the side where the room is wide. */
void scene_fit(struct scene *s, const struct rect *room);
struct rect scene_bounds(const struct scene *s);
struct xy scene_at(const struct scene *s, struct spot p);
/* The corners of the floor from the left, nearest, right, farthest. */
void scene_corners(const struct scene *s, struct spot corner[4]);

/* Surfaces over a grid are painted from its farthest node to its nearest: the k-th of n lines along u (axis 0) or v.
 * A face whose nearest node comes later, in whatever nesting of both, is never hidden by one whose node came before. */
static inline size_t scene_order(const struct scene *s, int axis, size_t k, size_t n)
{
    return s->eye[axis] > 0 ? k : n - 1 - k;
}

/* What of a polygon lies within the box above the floor, w = 0..1; the room is for six corners more than n. */
#define SCENE_CORNERS 10
size_t scene_clip(struct spot corner[SCENE_CORNERS], size_t n);
/* The same for a line; false: nothing does. */
bool scene_clip_line(struct spot *a, struct spot *b);
/* How much light falls on a face with these sides (in places of the box) compared to a level one: -1..1; it comes from
 * above and from the left of who looks. */
double scene_light(const struct scene *s, const double along_u[3], const double along_v[3]);

#endif
