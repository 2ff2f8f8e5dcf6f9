#include "render/map/contour.h"

enum { EAST, NORTH, WEST, SOUTH };

struct partition {
    const double *x, *y;
    size_t nx, ny;              /* places */
    unsigned char *open;        /* by node: directions in which a boundary leaves that has not been drawn */
    bool *passed;               /* by node: one boundary goes through, and no other meets it */
    struct contour made;
    size_t point_room, line_room;
};

static void contour_partition_wall(struct partition *p, size_t from, size_t to, int direction)
{
    p->open[from] |= (unsigned char)(1u << direction);
    p->open[to] |= (unsigned char)(1u << (direction + 2) % 4);
}

static void contour_partition_walls(struct partition *p, const int *cell)
{
    size_t nx = p->nx - 1, ny = p->ny - 1;

    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            size_t node = j * p->nx + i;

            if (i > 0 && cell[j * nx + i] != cell[j * nx + i - 1])
                contour_partition_wall(p, node, node + p->nx, NORTH);
            if (j > 0 && cell[j * nx + i] != cell[(j - 1) * nx + i])
                contour_partition_wall(p, node, node + 1, EAST);
        }
    for (size_t v = 0; v < p->nx * p->ny; v++)
        p->passed[v] = __builtin_popcount(p->open[v]) == 2;
}

static int contour_partition_put_point(struct partition *p, size_t node, struct err *err)
{
    if (GROW(&p->point_room, p->made.npoint + 1, "contour lines", err, GROWN(p->made.point)) < 0)
        return -1;
    p->made.point[p->made.npoint++] = (struct xy){ p->x[node % p->nx], p->y[node / p->nx] };
    return 0;
}

static int contour_partition_put_line(struct partition *p, size_t first, bool closed, struct err *err)
{
    if (GROW(&p->line_room, p->made.nline + 1, "contour lines", err, GROWN(p->made.line)) < 0)
        return -1;
    p->made.line[p->made.nline++] = (struct contour_line){ first, p->made.npoint - first, closed };
    return 0;
}

/* Draws the boundary that leaves a node in a direction, up to where others meet it or to its beginning. */
static int contour_partition_draw(struct partition *p, size_t start, int direction, struct err *err)
{
    size_t first = p->made.npoint, at = start;

    if (contour_partition_put_point(p, start, err) < 0)
        return -1;
    for (int before = direction;; before = direction) {
        p->open[at] &= (unsigned char)~(1u << direction);
        at = direction == EAST ? at + 1 : direction == WEST ? at - 1 : direction == NORTH ? at + p->nx : at - p->nx;
        p->open[at] &= (unsigned char)~(1u << (direction + 2) % 4);
        if (!p->passed[at] || at == start)
            break;
        direction = __builtin_ctz(p->open[at]);
        if (direction != before && contour_partition_put_point(p, at, err) < 0)
            return -1;
    }
    /* A loop through a node where boundaries meet is left open there: that node is its first point and its last. */
    if (!p->passed[at] && contour_partition_put_point(p, at, err) < 0)
        return -1;
    return contour_partition_put_line(p, first, p->passed[at], err);
}

static int contour_partition_draw_all(struct partition *p, bool passed, struct err *err)
{
    for (size_t v = 0; v < p->nx * p->ny; v++)
        while (p->open[v] && p->passed[v] == passed)
            if (contour_partition_draw(p, v, __builtin_ctz(p->open[v]), err) < 0)
                return -1;
    return 0;
}

int contour_partition(struct contour *out, const double *x, size_t nx, const double *y, size_t ny, const int *cell,
                      struct err *err)
{
    struct partition p = { .x = x, .y = y, .nx = nx + 1, .ny = ny + 1 };
    int status = -1;

    if (TAKE("the contours", err, ZEROS(p.open, p.nx * p.ny), ZEROS(p.passed, p.nx * p.ny)) < 0)
        return -1;
    contour_partition_walls(&p, cell);
    /* What is left when no line with ends is left are loops; the first node of one, by rows, is a corner. */
    if (contour_partition_draw_all(&p, false, err) < 0 || contour_partition_draw_all(&p, true, err) < 0)
        goto done;
    *out = p.made;
    p.made = (struct contour){ 0 };
    status = 0;
done:
    contour_release(&p.made);
    FREE(p.open, p.passed);
    return status;
}
