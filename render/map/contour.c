/* contour.c -- contour lines by marching squares (contour.h has definition and source).
 * 1. marching   a row of cells at a time: crossings of grid edges, each joined to the next one of its line
 * 2. lines      crossings followed from end to end or round; a ridge as high as the level is drawn once
 * Beside it: contour_partition.c has boundaries of categories, contour_label.c levels and places for labels. */
#include "render/map/contour.h"

#define NONE SIZE_MAX

void contour_release(struct contour *c)
{
    FREE(c->point, c->line);
    *c = (struct contour){ 0 };
}

/* ---- marching ---------------------------------------------------------------------------------------- */

/* A crossing of a grid edge. Lines have a direction, so that each has one crossing before and one behind it at most. */
struct crossing {
    struct xy at;
    size_t node;                /* of the grid, that it falls on; NONE: between nodes */
    size_t next;
    bool led_to;                /* some crossing's next */
};
struct march {
    const double *x, *y, *z;
    size_t nx, ny;
    double level;
    struct crossing *crossing;
    size_t n, room;
    /* Crossing on each edge that the current row of cells touches: below and above it, and upright. A row at a time
     * is all that joining needs. */
    size_t *below, *above, *upright;
    unsigned char *low, *high;  /* nodes of the row below and above: INSIDE, HOLE or 0 */
};
enum { INSIDE = 1, HOLE = 16 };

/* Corners count 0..3 from (i, j) counter-clockwise, edge k leads from corner k to the next. A line enters a cell where
 * the walk round it leaves the inside, and goes out where the walk comes back. */
static const signed char way[16][2] = {
    { -1, -1 }, { 0, 3 }, { 1, 0 }, { 1, 3 }, { 2, 1 }, { -1, -1 }, { 2, 0 }, { 2, 3 },
    { 3, 2 }, { 0, 2 }, { -1, -1 }, { 1, 2 }, { 3, 1 }, { 0, 1 }, { 3, 0 }, { -1, -1 },
};

static double contour_between(double a, double b, double t)
{
    return fmin(fmax((1 - t) * a + t * b, fmin(a, b)), fmax(a, b));
}

/* Part of the way from a to b at which the level is reached, also where b - a is beyond the largest double. */
static double contour_reached(double a, double b, double level)
{
    return isfinite(b - a) ? (level - a) / (b - a) : (level / 2 - a / 2) / (b / 2 - a / 2);
}

static int crossing_add(struct march *m, size_t *slot, size_t from, size_t to, struct err *err)
{
    double a = m->z[from], b = m->z[to], t = contour_reached(a, b, m->level);
    size_t i = from % m->nx, j = from / m->nx;
    struct crossing *c;

    if (*slot != NONE)
        return 0;
    if (GROW(&m->room, m->n + 1, "contour lines", err, GROWN(m->crossing)) < 0)
        return -1;
    c = &m->crossing[m->n];
    *c = (struct crossing){ .node = a == m->level ? from : b == m->level ? to : NONE, .next = NONE };
    c->at.x = to == from + 1 ? contour_between(m->x[i], m->x[i + 1], t) : m->x[i];
    c->at.y = to == from + 1 ? m->y[j] : contour_between(m->y[j], m->y[j + 1], t);
    *slot = m->n++;
    return 0;
}

/* The crossing on edge k of cell i, j. */
static int crossing_on(size_t *out, struct march *m, size_t i, size_t j, int k, struct err *err)
{
    size_t node = j * m->nx + i, *slot = k == 0 ? &m->below[i] : k == 1 ? &m->upright[i + 1] :
                                         k == 2 ? &m->above[i] : &m->upright[i];
    size_t from = k == 1 ? node + 1 : k == 2 ? node + m->nx : node;

    if (crossing_add(m, slot, from, k % 2 ? from + m->nx : from + 1, err) < 0)
        return -1;
    *out = *slot;
    return 0;
}

static int contour_join(struct march *m, size_t i, size_t j, int from, int to, struct err *err)
{
    size_t a, b;

    if (crossing_on(&a, m, i, j, from, err) < 0 || crossing_on(&b, m, i, j, to, err) < 0)
        return -1;
    m->crossing[a].next = b;
    m->crossing[b].led_to = true;
    return 0;
}

/* Two opposite corners inside: a middle that is inside joins them, else each is cut off. */
static int join_saddle(struct march *m, size_t i, size_t j, int first, struct err *err)
{
    const double *z = m->z + j * m->nx + i;
    bool inside = z[0] / 4 + z[1] / 4 + z[m->nx] / 4 + z[m->nx + 1] / 4 >= m->level;
    int turn = inside ? 1 : 3;

    if (contour_join(m, i, j, first, (first + turn) % 4, err) < 0)
        return -1;
    return contour_join(m, i, j, first + 2, (first + 2 + turn) % 4, err);
}

static void look_at_row(unsigned char *node, const struct march *m, size_t j)
{
    const double *z = m->z + j * m->nx;

    for (size_t i = 0; i < m->nx; i++)
        node[i] = (unsigned char)(isfinite(z[i]) ? z[i] >= m->level : HOLE);
}

static int march_row(struct march *m, size_t j, struct err *err)
{
    for (size_t i = 0; i + 1 < m->nx; i++) {
        unsigned any = (unsigned)(m->low[i] | m->low[i + 1] | m->high[i] | m->high[i + 1]);
        unsigned which = (unsigned)(m->low[i] | m->low[i + 1] << 1 | m->high[i + 1] << 2 | m->high[i] << 3);

        if (any != INSIDE || which == 15)           /* a hole, or all corners alike */
            continue;
        if (which == 5 || which == 10) {
            if (join_saddle(m, i, j, which == 5 ? 0 : 1, err) < 0)
                return -1;
        } else if (contour_join(m, i, j, way[which][0], way[which][1], err) < 0) {
            return -1;
        }
    }
    return 0;
}

static void forget(size_t *slot, size_t n)
{
    memset(slot, 0xff, n * sizeof *slot);           /* NONE */
}

static int march(struct march *m, struct err *err)
{
    forget(m->below, m->nx);
    look_at_row(m->low, m, 0);
    for (size_t j = 0; j + 1 < m->ny; j++) {
        size_t *slot = m->below;
        unsigned char *node = m->low;

        forget(m->above, m->nx);
        forget(m->upright, m->nx);
        look_at_row(m->high, m, j + 1);
        if (march_row(m, j, err) < 0)
            return -1;
        m->below = m->above;
        m->above = slot;
        m->low = m->high;
        m->high = node;
    }
    return 0;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static bool contour_same(struct xy a, struct xy b)
{
    return a.x == b.x && a.y == b.y;
}

/* Crossings in the order of their lines. */
struct walk {
    size_t *order;              /* crossings */
    size_t n;
    struct contour_line *line;  /* of places in `order` */
    size_t nline;
    bool *cut;                  /* by place in `order`: what leads on from there is drawn already */
    bool any_cut;
};

/* Follows a line to its end or round, points that coincide taken once; what has been walked leads nowhere any more. */
static void contour_follow(struct walk *w, struct crossing *c, size_t start, bool closed)
{
    struct contour_line line = { w->n, 0, closed };

    for (size_t at = start, next; at != NONE; at = next) {
        next = c[at].next;
        c[at].next = NONE;
        if (line.n == 0 || !contour_same(c[w->order[w->n - 1]].at, c[at].at)) {
            w->order[w->n++] = at;
            line.n++;
        }
        if (next == start)
            break;
    }
    if (closed && line.n > 1 && contour_same(c[w->order[w->n - 1]].at, c[w->order[line.first]].at)) {
        w->n--;
        line.n--;
    }
    if (line.n < 2)
        w->n = line.first;
    else
        w->line[w->nline++] = line;
}

static void follow_all(struct walk *w, struct march *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (!m->crossing[i].led_to)
            contour_follow(w, m->crossing, i, false);
    for (size_t i = 0; i < m->n; i++)
        if (m->crossing[i].next != NONE)
            contour_follow(w, m->crossing, i, true);
}

/* A piece of line from node to node. Two of them can coincide: the two sides of a ridge as high as the level. */
struct along {
    size_t a, b, place;         /* a < b */
};

static int along_order(const void *p, const void *q)
{
    const struct along *s = p, *t = q;

    if (s->a != t->a)
        return s->a < t->a ? -1 : 1;
    if (s->b != t->b)
        return s->b < t->b ? -1 : 1;
    return s->place < t->place ? -1 : s->place > t->place;
}

/* Writes, where `out` is not NULL, and counts the pieces from node to node. */
static size_t along_find(struct along *out, const struct walk *w, const struct crossing *c)
{
    size_t found = 0;

    for (size_t l = 0; l < w->nline; l++) {
        const struct contour_line *line = &w->line[l];

        for (size_t k = 0; k + !line->closed < line->n; k++) {
            size_t a = c[w->order[line->first + k]].node, b = c[w->order[line->first + (k + 1) % line->n]].node;

            if (a == NONE || b == NONE)
                continue;
            if (out)
                out[found] = (struct along){ a < b ? a : b, a < b ? b : a, line->first + k };
            found++;
        }
    }
    return found;
}

static int cut_doubled(struct walk *w, const struct crossing *c, struct err *err)
{
    size_t n = along_find(NULL, w, c);
    struct along *v;

    if (n < 2)
        return 0;
    if (TAKE("the contours", err, ARRAY(v, n)) < 0)
        return -1;
    along_find(v, w, c);
    qsort(v, n, sizeof *v, along_order);
    for (size_t i = 1; i < n; i++)
        if (v[i].a == v[i - 1].a && v[i].b == v[i - 1].b)
            w->cut[v[i].place] = w->any_cut = true;
    free(v);
    return 0;
}

/* Ends the line that began at point `first`, unless it is none. */
static void line_end(struct contour *out, size_t first, bool closed)
{
    size_t n = out->npoint - first;

    if (n < (closed ? 3 : 2))
        out->npoint = first;
    else
        out->line[out->nline++] = (struct contour_line){ first, n, closed };
}

static void line_copy(struct contour *out, const struct walk *w, const struct crossing *c,
                      const struct contour_line *line)
{
    size_t turn = 0, first = out->npoint;
    bool closed = line->closed;

    for (size_t k = 0; closed && w->any_cut && k < line->n; k++)
        if (w->cut[line->first + k]) {
            closed = false;
            turn = k + 1;
        }
    for (size_t k = 0; k < line->n; k++) {
        size_t place = line->first + (turn + k) % line->n;

        out->point[out->npoint++] = c[w->order[place]].at;
        if (w->cut[place]) {
            line_end(out, first, false);
            first = out->npoint;
        }
    }
    line_end(out, first, closed);
}

/* Lines of two crossings or more each: half as many as crossings, and so are the pieces that cuts leave. */
static int lines(struct contour *out, struct march *m, struct err *err)
{
    struct contour made = { 0 };
    struct walk w = { 0 };
    int status = -1;

    if (m->n == 0) {
        *out = made;
        return 0;
    }
    if (TAKE("the contours", err, ARRAY(w.order, m->n), ARRAY(w.line, m->n / 2 + 1), ZEROS(w.cut, m->n),
             ARRAY(made.point, m->n), ARRAY(made.line, m->n / 2 + 1)) < 0)
        goto done;
    follow_all(&w, m);
    if (cut_doubled(&w, m->crossing, err) < 0)
        goto done;
    for (size_t l = 0; l < w.nline; l++)
        line_copy(&made, &w, m->crossing, &w.line[l]);
    *out = made;
    made = (struct contour){ 0 };
    status = 0;
done:
    contour_release(&made);
    FREE(w.order, w.line, w.cut);
    return status;
}

int contour_lines(struct contour *out, const double *x, size_t nx, const double *y, size_t ny, const double *z,
                  double level, struct err *err)
{
    struct march m = { .x = x, .y = y, .z = z, .nx = nx, .ny = ny, .level = level };
    size_t *slots;
    unsigned char *nodes;
    int status;

    if (nx < 2 || ny < 2 || !isfinite(level)) {
        *out = (struct contour){ 0 };
        return 0;
    }
    if (TAKE("the contours", err, ZEROS(slots, 3 * nx), ZEROS(nodes, 2 * nx)) < 0)
        return -1;
    m.below = slots;
    m.above = slots + nx;
    m.upright = slots + 2 * nx;
    m.low = nodes;
    m.high = nodes + nx;
    status = march(&m, err) < 0 ? -1 : lines(out, &m, err);
    FREE(slots, nodes, m.crossing);
    return status;
}
