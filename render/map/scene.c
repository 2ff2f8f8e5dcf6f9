#include "render/map/scene.h"

#include <math.h>

#define AZIMUTH (52 * G_PI / 180)
#define FLAT_VIEW (22 * G_PI / 180)     /* elevations of the eye: in a wide room, and in a high one */
#define STEEP_VIEW (33 * G_PI / 180)
#define LOW 0.38                /* heights of the data, likewise */
#define HIGH 0.66
#define GAP 0.60                /* between them and the floor, in such heights */

void scene_look(struct scene *s, int view)
{
    s->eye[0] = cos(AZIMUTH) * (view & 1 ? -1 : 1);
    s->eye[1] = sin(AZIMUTH) * (view & 2 ? 1 : -1);
}

/* To the right of who looks. */
static double right_of(const struct scene *s, double u, double v)
{
    return -s->eye[1] * u + s->eye[0] * v;
}

/* Width and height on the page for a floor of side 1. */
static double width_of(const struct scene *s)
{
    return fabs(s->eye[0]) + fabs(s->eye[1]);
}

static double height_of(const struct scene *s)
{
    return width_of(s) * s->rise + s->high * (1 - s->floor) * s->flat;
}

static void scene_shape(struct scene *s, double t)
{
    const double elevation = FLAT_VIEW + t * (STEEP_VIEW - FLAT_VIEW);

    s->rise = sin(elevation);
    s->flat = cos(elevation);
    s->high = LOW + t * (HIGH - LOW);
    s->floor = -GAP;
}

void scene_fit(struct scene *s, const struct rect *room)
{
    const double w = fmax(room->w, 1), h = fmax(room->h, 1);
    double lo = 0, hi = 1;

    for (int i = 0; i < 30; i++) {
        double t = (lo + hi) / 2;

        scene_shape(s, t);
        *(height_of(s) / width_of(s) < h / w ? &lo : &hi) = t;
    }
    s->size = fmin(w / width_of(s), h / height_of(s));
    s->x = room->x + room->w / 2;
    s->y = room->y + room->h / 2 + s->size * (height_of(s) - width_of(s) * s->rise) / 2;
}

struct rect scene_bounds(const struct scene *s)
{
    const double w = s->size * width_of(s), h = s->size * height_of(s);

    return (struct rect){ s->x - w / 2, s->y + s->size * width_of(s) * s->rise / 2 - h, w, h };
}

struct xy scene_at(const struct scene *s, struct spot p)
{
    const double u = p.at[0] - 0.5, v = p.at[1] - 0.5, up = s->high * (p.at[2] - s->floor);

    return (struct xy){ s->x + s->size * right_of(s, u, v),
                        s->y + s->size * ((s->eye[0] * u + s->eye[1] * v) * s->rise - up * s->flat) };
}

void scene_corners(const struct scene *s, struct spot corner[4])
{
    const double u = s->eye[0] > 0 ? 1 : 0, v = s->eye[1] > 0 ? 1 : 0;     /* the nearest */
    const bool left = right_of(s, 1 - 2 * u, 0) < 0;                       /* is the other end of its side along u? */

    corner[1] = (struct spot){ { u, v, s->floor } };
    corner[left ? 0 : 2] = (struct spot){ { 1 - u, v, s->floor } };
    corner[left ? 2 : 0] = (struct spot){ { u, 1 - v, s->floor } };
    corner[3] = (struct spot){ { 1 - u, 1 - v, s->floor } };
}

/* ---- clipping ---------------------------------------------------------------------------------------- */

static struct spot scene_between(const struct spot *a, const struct spot *b, double t)
{
    struct spot p;

    for (int k = 0; k < 3; k++)
        p.at[k] = a->at[k] + t * (b->at[k] - a->at[k]);
    return p;
}

/* How far within the half space of axis k, below 1 or above 0. */
static double scene_within(const struct spot *p, int k, bool below)
{
    return below ? 1 - p->at[k] : p->at[k];
}

/* Sutherland and Hodgman 1974, by one plane after the other. */
size_t scene_clip(struct spot corner[SCENE_CORNERS], size_t n)
{
    for (int plane = 0; plane < 6; plane++) {
        struct spot in[SCENE_CORNERS];
        size_t m = 0;

        for (size_t i = 0; i < n; i++) {
            const struct spot *a = &corner[i], *b = &corner[(i + 1) % n];
            double da = scene_within(a, plane / 2, plane & 1), db = scene_within(b, plane / 2, plane & 1);

            if (da >= 0 && m < SCENE_CORNERS)
                in[m++] = *a;
            if ((da >= 0) != (db >= 0) && m < SCENE_CORNERS) {
                in[m] = scene_between(a, b, da / (da - db));
                in[m++].at[plane / 2] = plane & 1;
            }
        }
        n = m;
        for (size_t i = 0; i < n; i++)
            corner[i] = in[i];
    }
    return n;
}

bool scene_clip_line(struct spot *a, struct spot *b)
{
    for (int plane = 0; plane < 6; plane++) {
        double da = scene_within(a, plane / 2, plane & 1), db = scene_within(b, plane / 2, plane & 1);

        if (da < 0 && db < 0)
            return false;
        if (da < 0)
            *a = scene_between(a, b, da / (da - db));
        else if (db < 0)
            *b = scene_between(a, b, da / (da - db));
    }
    return true;
}

/* ---- light ------------------------------------------------------------------------------------------- */

double scene_light(const struct scene *s, const double along_u[3], const double along_v[3])
{
    static const double from[3] = { -0.55, 0.25, 0.8 };         /* right, towards the eye, up */
    const double a[3] = { along_u[0], along_u[1], along_u[2] * s->high };
    const double b[3] = { along_v[0], along_v[1], along_v[2] * s->high };
    const double n[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double right = right_of(s, n[0], n[1]), towards = s->eye[0] * n[0] + s->eye[1] * n[1];

    if (!(size > 0))
        return 0;
    return (right * from[0] + towards * from[1] + n[2] * from[2]) / size - from[2];
}
