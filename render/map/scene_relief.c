/* scene_relief.c -- a surface in its box by the painter's algorithm: what is farther off is drawn first
 * (scene_relief.h).
 * 1. beginning                 which lines of the grid are drawn, and the silhouette as yet empty
 * 2. colours                   of heights, lit from one side
 * 3. what the surface covers   the silhouette: how far down it reaches, by column of the page
 * 4. faces                     quadrilaterals between four nodes, cut off at the top and bottom of the box
 * 5. what has no faces         nodes beside holes: lines to neighbours, posts to the floor
 * 6. contour lines             on the floor, and 7. their labels where they are seen */
#include "render/map/scene_relief.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/mem.h"

#define MESH_MOST 60            /* lines of the mesh each way */
#define MESH_APART 3.2          /* points between them, at least */
#define NEAR 0.25               /* points of a contour line that are nearer than this are one */
#define LIT 0.30                /* how much light brightens, and shade darkens */
#define SHADED 0.45
#define POSTS_MOST 400

/* ---- beginning --------------------------------------------------------------------------------------- */

/* Every how many lines of n, when all of them take that length. */
static size_t every(size_t n, double length)
{
    const double most = fmin(MESH_MOST, fmax(length / MESH_APART, 4));

    return n > 1 ? (size_t)fmax(1, ceil((double)(n - 1) / most - 1e-9)) : 1;
}

int scene_relief_begin(struct scene_relief *d, struct canvas *canvas, const struct scene *s, const struct relief *r,
                       struct err *err)
{
    *d = (struct scene_relief){ .canvas = canvas, .scene = s, .relief = r, .nlow = (size_t)ceil(canvas->width) + 1 };
    d->every_u = every(r->nu, s->size * fabs(s->eye[1]));
    d->every_v = every(r->nv, s->size * fabs(s->eye[0]));
    if (TAKE("the surface", err, ARRAY(d->low, d->nlow)) < 0)
        return -1;
    for (size_t i = 0; i < d->nlow; i++)
        d->low[i] = -INFINITY;
    return 0;
}

void scene_relief_release(struct scene_relief *d)
{
    free(d->low);
    *d = (struct scene_relief){ 0 };
}

/* ---- colours ----------------------------------------------------------------------------------------- */

static struct rgb height_colour(const struct scene_relief *d, double w)
{
    return ramp_colour(d->canvas, fmin(fmax(w, 0), 1));
}

/* Dark enough for a line on paper. */
static struct rgb line_colour(const struct scene_relief *d, double w)
{
    struct rgb c = height_colour(d, w);

    for (int i = 0; i < 12 && rgb_luminance(c) > 0.42; i++)
        c = rgb_mix(c, grey(0), 0.08);
    return c;
}

/* Of a face: lighter or darker by the light that falls on it. */
static struct rgb lit(struct rgb c, double light)
{
    return light > 0 ? rgb_mix(c, grey(1), LIT * light) : rgb_mix(c, grey(0), -SHADED * light);
}

/* Seen on light faces and on dark ones. */
static struct rgb mesh_colour(struct rgb c)
{
    return rgb_luminance(c) > 0.10 ? rgb_mix(c, grey(0), 0.45) : rgb_mix(c, grey(1), 0.40);
}

/* ---- what the surface covers ------------------------------------------------------------------------- */

static void scene_relief_cover(struct scene_relief *d, struct xy a, struct xy b)
{
    const double x0 = fmin(a.x, b.x), x1 = fmax(a.x, b.x);

    for (double x = fmax(floor(x0), 0); x <= ceil(x1) && x < (double)d->nlow; x++) {
        double t = x1 - x0 > 1e-9 ? fmin(fmax((x - a.x) / (b.x - a.x), 0), 1) : 0;

        d->low[(size_t)x] = fmax(d->low[(size_t)x], a.y + t * (b.y - a.y));
    }
}

static bool is_seen(const struct scene_relief *d, double x, double y, double margin)
{
    for (double k = floor(x - margin); k <= ceil(x + margin); k++)
        if (k >= 0 && k < (double)d->nlow && d->low[(size_t)k] > y - margin)
            return false;
    return true;
}

/* ---- faces ------------------------------------------------------------------------------------------- */

static struct spot node(const struct relief *r, size_t i, size_t j)
{
    return (struct spot){ { r->u[i], r->v[j], r->z[j * r->nu + i] } };
}

static bool is_there(const struct relief *r, size_t i, size_t j)
{
    return i < r->nu && j < r->nv && !isnan(r->z[j * r->nu + i]);
}

static bool is_outside(const struct spot *p)
{
    for (int k = 0; k < 3; k++)
        if (p->at[k] < 0 || p->at[k] > 1)
            return true;
    return false;
}

/* The path of what is seen of a polygon; false: nothing is. */
static bool scene_relief_trace(struct scene_relief *d, const struct spot *corner, size_t n)
{
    struct spot in[SCENE_CORNERS];
    struct xy first = { 0, 0 }, last = { 0, 0 };
    bool clip = false;

    for (size_t i = 0; i < n; i++) {
        in[i] = corner[i];
        clip = clip || is_outside(&corner[i]);
    }
    if (clip)
        n = scene_clip(in, n);
    for (size_t i = 0; i < n; i++) {
        struct xy at = scene_at(d->scene, in[i]);

        (i ? canvas_line : canvas_move)(d->canvas, at.x, at.y);
        if (i)
            scene_relief_cover(d, last, at);
        else
            first = at;
        last = at;
    }
    if (n) {
        scene_relief_cover(d, last, first);
        canvas_close_path(d->canvas);
    }
    return n > 0;
}

static double scene_relief_turn(struct xy a, struct xy b, struct xy c)
{
    return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

/* Do the corners turn one way all around? Then the four sides are the outline of the face on the page. */
static bool is_convex(const struct xy p[4])
{
    bool left = false, right = false;

    for (int i = 0; i < 4; i++) {
        double t = scene_relief_turn(p[i], p[(i + 1) % 4], p[(i + 2) % 4]);

        left = left || t > 0;
        right = right || t < 0;
    }
    return !(left && right);
}

static struct rgb face_colour(const struct scene_relief *d, const struct spot corner[4], bool below)
{
    const double mean = (corner[0].at[2] + corner[1].at[2] + corner[2].at[2] + corner[3].at[2]) / 4;
    double side[2][3], light;

    for (int k = 0; k < 3; k++) {       /* 0 1 2 3 go round from the nearest: along u, along v */
        side[0][k] = corner[0].at[k] - corner[1].at[k] + corner[3].at[k] - corner[2].at[k];
        side[1][k] = corner[0].at[k] - corner[3].at[k] + corner[1].at[k] - corner[2].at[k];
    }
    light = scene_light(d->scene, side[0], side[1]);
    if ((side[0][0] > 0) != (side[1][1] > 0))           /* the normal pointed down */
        light = scene_light(d->scene, side[1], side[0]);
    return below ? rgb_mix(height_colour(d, mean), grey(0.45), 0.55) : lit(height_colour(d, mean), light);
}

/* Lines of the mesh along the sides of a face; i and j are of its nearest node, k and l of the farthest. */
static void draw_mesh(const struct scene_relief *d, const struct spot corner[4], const size_t line_v[2],
                      const size_t line_u[2], struct rgb colour)
{
    const struct relief *r = d->relief;
    const struct pen pen = { .colour = colour, .width = 0.35, .end = END_ROUND };
    bool any = false;

    for (int i = 0; i < 4; i++) {       /* side 0 lies on line_v[0], 1 on line_u[1], 2 on line_v[1], 3 on line_u[0] */
        const bool along_u = i % 2 == 0;
        const size_t at = along_u ? line_v[i / 2] : line_u[i == 1], step = along_u ? d->every_v : d->every_u;
        const size_t last = (along_u ? r->nv : r->nu) - 1;
        struct spot a = corner[i], b = corner[(i + 1) % 4];

        if ((at % step && at != last) || !scene_clip_line(&a, &b))
            continue;
        canvas_move(d->canvas, scene_at(d->scene, a).x, scene_at(d->scene, a).y);
        canvas_line(d->canvas, scene_at(d->scene, b).x, scene_at(d->scene, b).y);
        any = true;
    }
    if (any)
        canvas_stroke(d->canvas, &pen);
}

static void draw_face(struct scene_relief *d, size_t i, size_t j, size_t k, size_t l)
{
    const struct relief *r = d->relief;
    const struct spot c[4] = { node(r, i, j), node(r, k, j), node(r, k, l), node(r, i, l) };
    struct xy page[4];
    struct rgb colour;
    struct pen seam = { .width = 0.25 };        /* closes the gap that smooth edges leave between faces */
    double area;
    bool below;

    for (int n = 0; n < 4; n++)
        page[n] = scene_at(d->scene, c[n]);
    area = scene_relief_turn(page[0], page[1], page[2]) + scene_relief_turn(page[0], page[2], page[3]);
    /* The order of the corners on the floor, seen from above, is that of the page unless the lower side is seen. */
    below = (area > 0) == ((c[0].at[0] > c[1].at[0]) == (c[0].at[1] > c[3].at[1]));
    colour = seam.colour = face_colour(d, c, below);
    if (is_convex(page)) {
        if (scene_relief_trace(d, c, 4))
            canvas_paint(d->canvas, colour, 1, &seam);
    } else {                            /* folded: the farther half first */
        if (scene_relief_trace(d, (const struct spot[]){ c[1], c[2], c[3] }, 3))
            canvas_paint(d->canvas, colour, 1, &seam);
        if (scene_relief_trace(d, (const struct spot[]){ c[3], c[0], c[1] }, 3))
            canvas_paint(d->canvas, colour, 1, &seam);
    }
    draw_mesh(d, c, (const size_t[]){ j, l }, (const size_t[]){ i, k }, mesh_colour(colour));
}

/* ---- what has no faces ------------------------------------------------------------------------------- */

static bool has_face(const struct relief *r, size_t i, size_t j, size_t k, size_t l)
{
    return is_there(r, i, j) && is_there(r, k, j) && is_there(r, i, l) && is_there(r, k, l);
}

static void draw_line(struct scene_relief *d, struct spot a, struct spot b)
{
    const struct pen pen = { .colour = line_colour(d, (a.at[2] + b.at[2]) / 2), .width = 1, .end = END_ROUND };
    struct xy from, to;

    if (!scene_clip_line(&a, &b))
        return;
    from = scene_at(d->scene, a);
    to = scene_at(d->scene, b);
    scene_relief_cover(d, from, to);
    canvas_segment(d->canvas, from.x, from.y, to.x, to.y);
    canvas_stroke(d->canvas, &pen);
}

static void draw_post(struct scene_relief *d, struct spot head, bool post)
{
    const struct pen rim = { .colour = line_colour(d, head.at[2]), .width = 0.5 };
    const struct xy at = scene_at(d->scene, head);
    const struct xy foot = scene_at(d->scene, (struct spot){ { head.at[0], head.at[1], d->scene->floor } });

    if (is_outside(&head))
        return;
    if (post) {
        canvas_segment(d->canvas, foot.x, foot.y, at.x, at.y);
        canvas_stroke_grey(d->canvas, 0.5, 0.6);
        scene_relief_cover(d, at, foot);
    }
    canvas_circle(d->canvas, at.x, at.y, post ? 1.7 : 0.9);
    canvas_paint(d->canvas, height_colour(d, head.at[2]), 1, &rim);
}

/* Lines to the farther neighbours with which a node shares no face, and a post where it is part of none at all. Indices
 * below 0 wrap to what is_there does not find. */
static void draw_bare(struct scene_relief *d, size_t i, size_t j, size_t k, size_t l, bool posts)
{
    const struct relief *r = d->relief;
    const size_t i2 = 2 * i - k, j2 = 2 * j - l;       /* the nearer neighbours */
    bool any = false;

    if (is_there(r, k, j) && !has_face(r, i, j, k, l) && !has_face(r, i, j, k, j2))
        draw_line(d, node(r, k, j), node(r, i, j));
    if (is_there(r, i, l) && !has_face(r, i, j, k, l) && !has_face(r, i, j, i2, l))
        draw_line(d, node(r, i, l), node(r, i, j));
    for (int q = 0; q < 4; q++)
        any = any || has_face(r, i, j, q & 1 ? k : i2, q & 2 ? l : j2);
    if (!any)
        draw_post(d, node(r, i, j), posts);
}

static size_t count_bare(const struct relief *r)
{
    size_t n = 0;

    for (size_t j = 0; j < r->nv; j++)
        for (size_t i = 0; i < r->nu; i++)
            n += is_there(r, i, j) && !has_face(r, i, j, i + 1, j + 1) && !has_face(r, i, j, i - 1, j + 1) &&
                 !has_face(r, i, j, i + 1, j - 1) && !has_face(r, i, j, i - 1, j - 1);
    return n;
}

void scene_relief_draw(struct scene_relief *d)
{
    const struct relief *r = d->relief;
    const size_t back_u = d->scene->eye[0] > 0 ? (size_t)-1 : 1, back_v = d->scene->eye[1] > 0 ? (size_t)-1 : 1;
    const bool posts = count_bare(r) <= POSTS_MOST;

    for (size_t b = 0; b < r->nv; b++)
        for (size_t a = 0; a < r->nu; a++) {
            size_t i = scene_order(d->scene, 0, a, r->nu), j = scene_order(d->scene, 1, b, r->nv);

            if (!is_there(r, i, j))
                continue;
            draw_bare(d, i, j, i + back_u, j + back_v, posts);
            if (has_face(r, i, j, i + back_u, j + back_v))
                draw_face(d, i, j, i + back_u, j + back_v);
        }
}

/* ---- contour lines ----------------------------------------------------------------------------------- */

/* On the page, from place to place of the floor, but where it lies beyond it. */
static void trace_contour(const struct scene_relief *d, const struct contour *c, const struct contour_line *line)
{
    const double floor = d->scene->floor;
    struct xy last = { -1e9, -1e9 };
    bool any = false;

    for (size_t k = 1; k < line->n + line->closed; k++) {
        const struct xy *p = &c->point[line->first + k - 1], *q = &c->point[line->first + k % line->n];
        struct spot a = { { p->x, p->y, 0 } }, b = { { q->x, q->y, 0 } };
        bool whole = !is_outside(&a) && !is_outside(&b);
        struct xy from, to;

        if (!whole && !scene_clip_line(&a, &b)) {
            any = false;
            continue;
        }
        a.at[2] = b.at[2] = floor;
        from = scene_at(d->scene, a);
        to = scene_at(d->scene, b);
        if (!any || !whole) {
            canvas_move(d->canvas, from.x, from.y);
            last = from;
            any = true;
        }
        if (hypot(to.x - last.x, to.y - last.y) >= NEAR || k + 1 == line->n + line->closed) {
            canvas_line(d->canvas, to.x, to.y);
            last = to;
        }
    }
}

int scene_relief_contours(const struct scene_relief *d, const struct relief *r, const struct level *level, size_t n,
                          struct err *err)
{
    for (size_t i = 0; i < n && r->nu > 1 && r->nv > 1; i++) {
        const struct pen pen = { .colour = line_colour(d, level[i].at), .width = d->scene->size < 120 ? 0.6 : 0.9,
                                 .end = END_ROUND };
        struct contour c = { 0 };

        if (contour_lines(&c, r->u, r->nu, r->v, r->nv, r->z, level[i].at, err) < 0)
            return -1;
        for (size_t k = 0; k < c.nline; k++)
            trace_contour(d, &c, &c.line[k]);
        canvas_stroke(d->canvas, &pen);
        contour_release(&c);
    }
    return 0;
}

/* ---- their labels ------------------------------------------------------------------------------------ */

static bool on_floor(const struct scene *s, double x, double y)
{
    struct spot corner[4];
    struct xy p = { x, y }, page[4];

    scene_corners(s, corner);
    for (int i = 0; i < 4; i++)
        page[i] = scene_at(s, corner[i]);
    for (int i = 0; i < 4; i++)         /* left, nearest, right, farthest go round against the clock */
        if (scene_relief_turn(page[i], page[(i + 1) % 4], p) > 0)
            return false;
    return true;
}

struct placing {
    const struct scene_relief *d;
    const struct text *text;
    double w, h;                        /* of it */
    struct xy *run;                     /* a stretch of a contour line that is seen, on the page */
    struct {
        struct xy at;
        double radius;                  /* around a label */
    } put[LABELS_MOST];
    size_t nput;
};

/* The corners of a label. */
static void corners_of(struct xy out[4], const struct contour_place *place, double w, double h)
{
    const double angle = place->angle * G_PI / 180, c = cos(angle), s = sin(angle);

    for (int k = 0; k < 4; k++) {
        double u = (k == 0 || k == 3 ? -0.5 : 0.5) * w, v = (k < 2 ? -0.5 : 0.5) * h;

        out[k] = (struct xy){ place->at.x + c * u - s * v, place->at.y + s * u + c * v };
    }
}

/* Would the label stand on the floor, where it is seen, and off the others? */
static bool has_room(const struct placing *p, const struct contour_place *place)
{
    struct xy corner[4];

    corners_of(corner, place, p->w, p->h);
    for (int k = 0; k < 4; k++)
        if (!on_floor(p->d->scene, corner[k].x, corner[k].y) || !is_seen(p->d, corner[k].x, corner[k].y, 1))
            return false;
    for (size_t i = 0; i < p->nput; i++) {
        const struct xy *at = &p->put[i].at;

        if (hypot(at->x - place->at.x, at->y - place->at.y) < p->put[i].radius + hypot(p->w, p->h) / 2)
            return false;
    }
    return is_seen(p->d, place->at.x, place->at.y - p->h / 2, p->w / 2);
}

/* On a patch of paper, for the line would run through it. */
static bool try_label(struct placing *p, size_t n)
{
    struct canvas *canvas = p->d->canvas;
    const struct rect page = { 0, 0, canvas->width, canvas->height };
    struct contour_place place;
    struct xy corner[4];

    if (n < 2 || p->nput == LABELS_MOST || !contour_place(&place, p->run, n, false, p->w + 2, 4) ||
        !has_room(p, &place))
        return false;
    corners_of(corner, &place, p->w + 1.5, 0.7 * p->h);
    for (int k = 0; k < 4; k++)
        (k ? canvas_line : canvas_move)(canvas, corner[k].x, corner[k].y);
    canvas_close_path(canvas);
    canvas_fill(canvas, grey(1), 1);
    text_try(canvas, p->text, place.at.x, place.at.y, 0.5, 0.5, place.angle * G_PI / 180, &page, 0);
    p->put[p->nput].at = place.at;
    p->put[p->nput++].radius = hypot(p->w, p->h) / 2;
    return true;
}

/* Along the first stretch of a line that is seen and has room. */
static bool label_line(struct placing *p, const struct contour *c, const struct contour_line *line)
{
    size_t n = 0;

    for (size_t k = 0; k <= line->n; k++) {
        const struct xy *q = &c->point[line->first + k % line->n];
        struct spot at = { { q->x, q->y, 0 } };
        struct xy page;
        bool seen = !is_outside(&at) && (k < line->n || line->closed);

        at.at[2] = p->d->scene->floor;
        page = scene_at(p->d->scene, at);
        seen = seen && is_seen(p->d, page.x, page.y, 2);
        if (!seen && try_label(p, n))
            return true;
        if (!seen)
            n = 0;
        else if (n == 0 || hypot(page.x - p->run[n - 1].x, page.y - p->run[n - 1].y) >= NEAR)
            p->run[n++] = page;
    }
    return try_label(p, n);
}

int scene_relief_labels(const struct scene_relief *d, const struct relief *r, const struct level *level, size_t n,
                        struct err *err)
{
    struct placing p = { .d = d };

    for (size_t i = 0; i < n && r->nu > 1 && r->nv > 1; i++) {
        const struct text t = { .text = level[i].label, .size = SIZE_NOTE - 0.5, .markup = true };
        struct contour c = { 0 };
        bool done = false;

        if (contour_lines(&c, r->u, r->nu, r->v, r->nv, r->z, level[i].at, err) < 0)
            return -1;
        p.text = &t;
        text_measure(d->canvas, &t, &p.w, &p.h);
        p.run = malloc((c.npoint + 2) * sizeof *p.run);
        for (size_t k = 0; p.run && !done && k < c.nline; k++)
            done = label_line(&p, &c, &c.line[k]);
        contour_release(&c);
        if (!p.run)
            return err_memory(err);
        free(p.run);
    }
    return 0;
}
