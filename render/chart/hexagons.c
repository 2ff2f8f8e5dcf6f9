#include "render/chart/hexagons.h"

#define ACROSS 44.0             /* cells across a wide panel */
#define LEAST_SIDE 2.2          /* of a cell, in points */
#define ROOT3 1.7320508075688772

/* ---- the honeycomb ------------------------------------------------------------------------------------- */

int hexagons_make(struct hexagons *x, double w, double h, double side, size_t npanel, struct err *err)
{
    *x = (struct hexagons){ .side = side, .w = w, .h = h, .columns = (size_t)(w / (ROOT3 * side)) + 2,
                            .rows = (size_t)(h / (1.5 * side)) + 2, .npanel = npanel };
    return TAKE("the chart", err, ZEROS(x->count, npanel * x->columns * x->rows));
}

void hexagons_release(struct hexagons *x)
{
    free(x->count);
    *x = (struct hexagons){ 0 };
}

struct rect hexagons_centre(const struct hexagons *x, size_t cell)
{
    const size_t row = cell / x->columns;

    return (struct rect){ .x = ((double)(cell % x->columns) + (row % 2 ? 0.5 : 0)) * ROOT3 * x->side,
                          .y = (double)row * 1.5 * x->side };
}

static size_t nearest(double at, size_t n)
{
    return (size_t)fmin(fmax(round(at), 0), (double)n - 1);
}

/* Even and odd rows are two rectangular lattices; the nearest centre is the nearer of the two nearest ones. */
size_t hexagons_at(const struct hexagons *x, double px, double py)
{
    size_t best = 0;
    double least = INFINITY;

    for (size_t odd = 0; odd < 2; odd++) {
        const size_t column = nearest(px / (ROOT3 * x->side) - 0.5 * (double)odd, x->columns),
            row = 2 * nearest(py / (3 * x->side) - 0.5 * (double)odd, (x->rows + 1 - odd) / 2) + odd,
            cell = row * x->columns + column;
        const struct rect c = hexagons_centre(x, cell);
        const double far = (px - c.x) * (px - c.x) + (py - c.y) * (py - c.y);

        if (far < least) {
            least = far;
            best = cell;
        }
    }
    return best;
}

/* ---- of a chart ---------------------------------------------------------------------------------------- */

/* The place of a datum's count; NULL: it has none. */
static double *count_of(const struct hexagons *x, const struct frame *f, const struct series *s, const struct datum *d)
{
    struct rect at;

    if (s->over || s->panel >= x->npanel || !frame_point(f, d->x, d->y, &at) || !frame_inside(f, &at))
        return NULL;
    return &x->count[s->panel * x->columns * x->rows + hexagons_at(x, at.x - f->data.x, at.y - f->data.y)];
}

/* Copies of the series, for their z. */
static int own_series(struct chart *view, const struct chart *c, struct err *err)
{
    *view = *c;
    view->nseries = 0;
    if (TAKE("the chart", err, ZEROS(view->series, c->nseries)) < 0)
        return -1;
    for (size_t i = 0; i < c->nseries; i++) {
        struct series *s = &view->series[view->nseries++];

        *s = c->series[i];
        s->at = NULL;
        if (TAKE("the chart", err, ARRAY(s->at, s->n + 1)) < 0)
            return -1;
        for (size_t p = 0; p < s->n; p++) {
            s->at[p] = c->series[i].at[p];
            s->at[p].z = 1;
        }
    }
    return 0;
}

int hexagons_count(struct hexagons *x, struct chart *view, const struct frame *f, struct err *err)
{
    static char title[] = "Points";
    const struct chart *c = f->chart;
    const struct fit how = { .wanted = c->z.scale };
    size_t used = 0;
    double most = 1, *cell = NULL;

    *x = (struct hexagons){ 0 };
    *view = (struct chart){ 0 };
    if (own_series(view, c, err) < 0 ||
        hexagons_make(x, f->data.w, f->data.h, fmax(f->data.w / ACROSS / ROOT3, LEAST_SIDE),
                      f->npanel, err) < 0)
        return -1;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < c->nseries; i++)
            for (size_t p = 0; p < c->series[i].n; p++) {
                double *count = count_of(x, f, &c->series[i], &c->series[i].at[p]);

                if (!count)
                    continue;
                if (pass)
                    view->series[i].at[p].z = *count;
                *count += !pass;
                x->points += !pass;
            }
    if (TAKE("the chart", err, ARRAY(cell, x->npanel * x->columns * x->rows + 1)) < 0)
        return -1;
    for (size_t k = 0; k < x->npanel * x->columns * x->rows; k++)
        if (x->count[k] > 0) {
            cell[used++] = x->count[k];
            most = fmax(most, x->count[k]);
        }
    view->z = (struct axis){ .title = title, .scale = scale_is_log(cell, used, &how) ? SCALE_LOG : SCALE_LINEAR,
                             .from = isnan(c->z.from) ? 1 : c->z.from,
                             .to = isnan(c->z.to) ? fmax(most, 2) : c->z.to, .whole = true };
    free(cell);
    return 0;
}

void hexagons_release_view(struct chart *view)
{
    for (size_t i = 0; i < view->nseries; i++)
        free(view->series[i].at);
    free(view->series);
}

/* The colour bar may leave the panel less width than the counts assumed: cells are then narrower by that factor. */
void hexagons_draw(const struct frame *f, const struct hexagons *x, size_t panel)
{
    const double sx = f->data.w / x->w, sy = f->data.h / x->h, side = 1.02 * x->side;    /* no seams */
    const double *count = x->count + panel * x->columns * x->rows;

    for (size_t k = 0; k < x->columns * x->rows; k++) {
        const struct rect c = hexagons_centre(x, k);

        if (count[k] <= 0)
            continue;
        for (int i = 0; i < 6; i++)
            (i ? canvas_line : canvas_move)(f->canvas, f->data.x + sx * (c.x + side * sin(i * M_PI / 3)),
                                            f->data.y + sy * (c.y + side * cos(i * M_PI / 3)));
        canvas_close_path(f->canvas);
        canvas_fill(f->canvas, colour_bar_at(&f->bar, f->canvas, count[k]), 1);
    }
}
