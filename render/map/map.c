/* map.c -- what maps have in common on the page (map.h).
 * 1. cells           their rectangles, runs of one look along a row, hatching, marks and the rim
 * 2. numbers         as labels: as few digits as tell the values of a map apart
 * 3. contour lines   with specks taken out, and values written where no other line crosses them */
#include "render/map/map.h"

#define MINUS "\xe2\x88\x92"
#define OVERLAP 0.35            /* of neighbouring cells, in points */
#define LINES_MOST 160          /* on one map */
#define SHORTEST 6.0            /* line that is drawn */
#define LABEL_GAP 2.5           /* between a label and the ends of its line */
#define LABEL_MARGIN 6.0        /* of line, to either side of a label */

/* ---- cells ------------------------------------------------------------------------------------------- */

int spots_find(struct spots *s, const struct frame *f, const struct lattice *l, struct err *err)
{
    *s = (struct spots){ .nx = l->x.n, .ny = l->y.n };
    if (TAKE("the map", err, ARRAY(s->x, s->nx + 1), ARRAY(s->y, s->ny + 1), ARRAY(s->cx, s->nx + 1),
             ARRAY(s->cy, s->ny + 1)) < 0)
        return -1;
    for (size_t i = 0; i <= s->nx && s->nx; i++) {
        s->x[i] = frame_x(f, scale_at(&f->x, l->x.edge[i]));
        s->cx[i] = i < s->nx ? frame_x(f, scale_at(&f->x, l->x.at[i])) : 0;
    }
    for (size_t j = 0; j <= s->ny && s->ny; j++) {
        s->y[j] = frame_y(f, scale_at(&f->up->scale, l->y.edge[j]));
        s->cy[j] = j < s->ny ? frame_y(f, scale_at(&f->up->scale, l->y.at[j])) : 0;
    }
    return 0;
}

void spots_release(struct spots *s)
{
    FREE(s->x, s->y, s->cx, s->cy);
    *s = (struct spots){ 0 };
}

/* Edges and middles of parts, of which cells have `times` each. */
static void cut_parts(double *edge, double *middle, const double *x, const double *cx, size_t n, size_t times)
{
    for (size_t k = 0; k <= 2 * n * times; k++) {       /* each part has an edge and a middle */
        const size_t i = k == 2 * n * times ? n - 1 : k / (2 * times);
        const double part = (double)(k - 2 * i * times) / (double)times,
            at = part <= 1 ? x[i] + part * (cx[i] - x[i]) : cx[i] + (part - 1) * (x[i + 1] - cx[i]);

        *(k % 2 ? &middle[k / 2] : &edge[k / 2]) = at;
    }
}

int spots_refine(struct spots *s, const size_t times[2], struct err *err)
{
    struct spots fine = { .nx = s->nx * times[0], .ny = s->ny * times[1] };

    if (TAKE("the map", err, ARRAY(fine.x, fine.nx + 1), ARRAY(fine.y, fine.ny + 1), ARRAY(fine.cx, fine.nx + 1),
             ARRAY(fine.cy, fine.ny + 1)) < 0)
        return -1;
    cut_parts(fine.x, fine.cx, s->x, s->cx, s->nx, times[0]);
    cut_parts(fine.y, fine.cy, s->y, s->cy, s->ny, times[1]);
    spots_release(s);
    *s = fine;
    return 0;
}

bool spots_cell(struct rect *out, const struct spots *s, const struct rect *seen, size_t first, size_t last, size_t row,
                bool on_right, bool on_below)
{
    double x0 = s->x[first], x1 = s->x[last + 1] + (on_right ? OVERLAP : 0);
    double y0 = fmin(s->y[row], s->y[row + 1]), y1 = fmax(s->y[row], s->y[row + 1]) + (on_below ? OVERLAP : 0);

    x0 = fmax(x0, seen->x);
    y0 = fmax(y0, seen->y);
    x1 = fmin(x1, seen->x + seen->w);
    y1 = fmin(y1, seen->y + seen->h);
    *out = (struct rect){ x0, y0, x1 - x0, y1 - y0 };
    return x1 > x0 && y1 > y0;
}

void map_hatch(const struct frame *f, const double *value, const struct spots *s)
{
    const struct pen pen = pen_grey(0.5, 0.72);
    bool missing = false;

    for (size_t k = 0; k < s->nx * s->ny && !missing; k++)
        missing = isnan(value[k]);
    if (missing)
        canvas_hatch(f->canvas, &f->data, 4, true, &pen);
}

/* The cells of one look, in runs along the rows, from the top of the page. */
static size_t map_collect_runs(struct rect *out, const struct frame *f, const int *look, const struct spots *s,
                               int which)
{
    const bool down = s->y[s->ny] > s->y[0];
    size_t n = 0;

    for (size_t row = 0; row < s->ny; row++) {
        const size_t j = down ? row : s->ny - 1 - row;
        const int *at = look + j * s->nx, *next = row + 1 == s->ny ? NULL : down ? at + s->nx : at - s->nx;

        for (size_t i = 0, to; i < s->nx; i = to) {
            bool below = next != NULL;

            for (to = i; to < s->nx && at[to] == which; to++)
                below = below && next[to] >= 0;
            if (to == i) {
                to++;
                continue;
            }
            n += spots_cell(&out[n], s, &f->data, i, to - 1, j, to < s->nx && at[to] >= 0, below);
        }
    }
    return n;
}

int map_regions(const struct frame *f, const int *look, const struct spots *s, const struct pen *pen,
                struct contour *boundary, struct err *err)
{
    struct rect *run = malloc((s->nx * s->ny + 1) * sizeof *run);
    struct contour lines = { 0 };
    int most = -1, ret = run ? 0 : err_memory(err);

    for (size_t k = 0; k < s->nx * s->ny; k++)
        most = look[k] > most ? look[k] : most;
    for (int which = 0; ret == 0 && which <= most; which++)
        series_tile(f->canvas, (size_t)which, run, map_collect_runs(run, f, look, s, which));
    if (ret == 0)
        ret = contour_partition(&lines, s->x, s->nx, s->y, s->ny, look, err);
    if (ret == 0) {
        contour_trace(f->canvas, &lines);
        canvas_stroke(f->canvas, pen);
    }
    free(run);
    if (boundary && ret == 0)
        *boundary = lines;
    else
        contour_release(&lines);
    return ret;
}

void map_marks(const struct frame *f, const struct chart *c, size_t panel)
{
    struct rect at;

    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; c->series[i].over && !c->series[i].level && c->series[i].panel == panel && p < c->series[i].n; p++)
            if (frame_point(f, c->series[i].at[p].x, c->series[i].at[p].y, &at) && frame_inside(f, &at)) {
                frame_tip_begin(f, &c->series[i], &c->series[i].at[p], NULL);
                series_mark(f->canvas, c->series[i].look, at.x, at.y, true);
                frame_tip_end(f);
            }
}

static void map_rim(const struct frame *f)
{
    canvas_rect(f->canvas, &f->data);
    canvas_stroke_grey(f->canvas, 0.8, INK);
}

int map_show(struct frame *f, int (*panel)(void *map, size_t panel, struct err *err), void *map, struct err *err)
{
    int ret = frame_lay(f, err);

    if (ret == 0)
        frame_draw(f);
    for (size_t i = 0; ret == 0 && f->drawn && i < f->npanel; i++) {
        frame_panel(f, i);
        canvas_begin(f->canvas, "map", f->chart->npanel ? f->chart->panel[i] : NULL);
        ret = panel(map, i, err);
        canvas_end(f->canvas);
        frame_panel_end(f);
        map_rim(f);
    }
    return ret;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* m x 10^k */
static void put_power(char markup[NUMBER_ROOM], const char *sign, const char *mantissa, int exponent)
{
    snprintf(markup, NUMBER_ROOM, "%s%.20s\xc3\x97" "10%s%s%d%s", sign, mantissa, RAISED, exponent < 0 ? MINUS : "",
             abs(exponent), RAISED_END);
}

/* Without an exponent where people read it more easily so. */
static void put_significant(char markup[NUMBER_ROOM], double value, int n)
{
    const char *sign = value < 0 ? MINUS : "";
    char text[40], *e;
    int exponent;

    snprintf(text, sizeof text, "%.*e", n - 1, fabs(value));
    e = strchr(text, 'e');
    if (!e)
        return;
    *e = '\0';
    exponent = atoi(e + 1);
    if (exponent >= -3 && exponent <= 4)
        snprintf(markup, NUMBER_ROOM, "%s%.*f", sign, n - 1 > exponent ? n - 1 - exponent : 0, fabs(value));
    else
        put_power(markup, sign, text, exponent);
}

void number_label(char markup[NUMBER_ROOM], double value, const struct digits *d)
{
    double v = value / pow(10, d->exponent);

    strcpy(markup, "0");
    if (d->significant && value != 0) {
        put_significant(markup, value, d->n);
    } else if (!d->significant) {
        char text[48];

        snprintf(text, sizeof text, "%.*f", d->n, fmin(fabs(v), 1e15));
        snprintf(markup, NUMBER_ROOM, "%s%s", v < 0 && strpbrk(text, "123456789") ? MINUS : "", text);
    }
}

void number_shortest(char markup[NUMBER_ROOM], double value, int exponent)
{
    char text[32], digits[40];
    double v = value / pow(10, exponent);

    snprintf(digits, sizeof digits, "%.12g", v);       /* dividing leaves crumbs */
    num_shortest(text, fabs(strtod(digits, NULL)));
    if (strchr(text, 'e'))
        put_significant(markup, value, 2);
    else
        snprintf(markup, NUMBER_ROOM, "%s%s", v < 0 ? MINUS : "", text);
}

/* Relative error of rounding a value; relative to the largest value where all have the same decimals. */
static double lost(double v, double most, const struct digits *d)
{
    char text[400];
    double u = v / pow(10, d->exponent);

    if (d->significant)
        snprintf(text, sizeof text, "%.*e", d->n - 1, v);
    else
        snprintf(text, sizeof text, "%.*f", d->n, u);
    if (d->significant)
        return fabs(strtod(text, NULL) / v - 1);
    return fabs(strtod(text, NULL) - u) / (most / pow(10, d->exponent));
}

/* Do labels tell rising values apart, with a small error of rounding? */
static bool told_apart(const double *v, size_t n, double most, const struct digits *d)
{
    char last[NUMBER_ROOM] = "", label[NUMBER_ROOM];

    for (size_t i = 0; i < n; i++) {
        number_label(label, v[i], d);
        if (i && v[i] - v[i - 1] > 1e-12 * fabs(v[i]) && strcmp(label, last) == 0)
            return false;
        if (v[i] != 0 && lost(v[i], most, d) > (d->significant ? 0.05 : 0.005))
            return false;
        strcpy(last, label);
    }
    return true;
}

/* Values over decades are written with significant digits, others with one number of decimals. */
int digits_choose(struct digits *d, const double *value, size_t n, int exponent, struct err *err)
{
    double *v = malloc((n + 1) * sizeof *v), least = INFINITY, most = 0;
    int whole;

    *d = (struct digits){ .n = 0, .exponent = exponent };
    if (!v)
        return err_memory(err);
    memcpy(v, value, n * sizeof *v);
    qsort(v, n, sizeof *v, num_ascending_reals);
    for (size_t i = 0; i < n; i++) {
        least = v[i] != 0 ? fmin(least, fabs(v[i])) : least;
        most = fmax(most, fabs(v[i]));
    }
    whole = most > 0 ? (int)floor(log10(most)) - exponent + 1 : 1;      /* digits before the point */
    d->significant = most > 0 && (most / least > 1e4 || whole > 5 || whole < -3);
    if (d->significant)
        for (d->n = 1; d->n < 4 && !told_apart(v, n, most, d); d->n++)
            ;
    else
        while (d->n < 4 - whole && !told_apart(v, n, most, d))
            d->n++;
    if (!told_apart(v, n, most, d))
        d->n = d->significant ? 2 : whole < 3 ? 3 - whole : 0;
    free(v);
    return 0;
}

/* ---- contour lines ----------------------------------------------------------------------------------- */

static struct xy at_index(const struct contour *k, const struct contour_line *l, size_t i)
{
    return k->point[l->first + i % l->n];
}

static size_t segments(const struct contour_line *l)
{
    return l->closed ? l->n : l->n - 1;
}

void contour_trace(struct canvas *c, const struct contour *lines)
{
    for (size_t i = 0; i < lines->nline; i++) {
        const struct contour_line *l = &lines->line[i];

        for (size_t k = 0; k < l->n; k++)
            (k ? canvas_line : canvas_move)(c, at_index(lines, l, k).x, at_index(lines, l, k).y);
        if (l->closed)
            canvas_close_path(c);
    }
}

/* Along its first n segments. */
static double length_of(const struct contour *k, const struct contour_line *l, size_t n)
{
    double length = 0;

    for (size_t i = 0; i < n; i++)
        length += hypot(at_index(k, l, i + 1).x - at_index(k, l, i).x, at_index(k, l, i + 1).y - at_index(k, l, i).y);
    return length;
}

static struct xy map_between(struct xy a, struct xy b, double t)
{
    return (struct xy){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) };
}

/* Adds the line to the path but for the stretch from..to along it, which on a closed line may pass the end. */
static void trace_around(struct canvas *c, const struct contour *k, const struct contour_line *l, double from,
                         double to)
{
    const double length = length_of(k, l, segments(l));
    double s = 0;
    bool on = false;

    for (size_t i = 0; i < segments(l); i++) {
        const struct xy a = at_index(k, l, i), b = at_index(k, l, i + 1);
        const double step = hypot(b.x - a.x, b.y - a.y);
        const double stop[] = { from - length, to - length, from, to, s + step };       /* rising */
        double done = s;

        for (int q = 0; q < 5 && step > 0; q++) {
            double next = fmin(fmax(stop[q], s), s + step), mid = (done + next) / 2;
            bool hidden = (mid > from && mid < to) || (mid > from - length && mid < to - length);
            struct xy p = map_between(a, b, (done - s) / step), e = map_between(a, b, (next - s) / step);

            if (next <= done)
                continue;
            if (!hidden && !on)
                canvas_move(c, p.x, p.y);
            if (!hidden)
                canvas_line(c, e.x, e.y);
            on = !hidden;
            done = next;
        }
        s += step;
    }
}

/* Drops lines too short to be seen as lines. */
static void drop_specks(struct contour *k)
{
    size_t n = 0;

    for (size_t i = 0; i < k->nline; i++)
        if (length_of(k, &k->line[i], segments(&k->line[i])) >= SHORTEST)
            k->line[n++] = k->line[i];
    k->nline = n;
}

/* Part of a line, by distances along it. */
struct stretch {
    double from, to;
};

/* A rectangle of the page, turned. */
struct label_box {
    double x, y, cos, sin, half_w, half_h;
};

static bool meets(const struct label_box *q, struct xy a, struct xy b)
{
    const struct rect box = { -q->half_w, -q->half_h, 2 * q->half_w, 2 * q->half_h };

    return segment_crosses(&box, (a.x - q->x) * q->cos + (a.y - q->y) * q->sin,
                           (a.y - q->y) * q->cos - (a.x - q->x) * q->sin,
                           (b.x - q->x) * q->cos + (b.y - q->y) * q->sin,
                           (b.y - q->y) * q->cos - (b.x - q->x) * q->sin);
}

static bool crossed(const struct label_box *q, const struct contour *k, const struct contour_line *except)
{
    for (size_t i = 0; i < k->nline; i++)
        for (size_t s = 0; &k->line[i] != except && s < segments(&k->line[i]); s++)
            if (meets(q, at_index(k, &k->line[i], s), at_index(k, &k->line[i], s + 1)))
                return true;
    return false;
}

struct contour_label {
    const struct isolines *g;
    const struct contour *all;
    const struct contour_line *line;    /* the label's own */
    double half_w, half_h;
};

static bool is_label_crossed(const void *arg, const struct text *, const struct text_spot *s)
{
    const struct contour_label *k = arg;
    const struct label_box q = { s->x, s->y, cos(s->angle), sin(s->angle), k->half_w, k->half_h };

    for (size_t i = 0; i < k->g->n; i++)
        if (crossed(&q, &k->all[i], k->line))
            return true;
    return k->g->avoid && crossed(&q, k->g->avoid, NULL);
}

/* Puts the label on the whole of the line, or on some part of it, and says which stretch it takes. */
static struct stretch label_line(struct canvas *c, const struct isolines *g, const struct contour *all, size_t which,
                                 const struct contour_line *l)
{
    const struct isoline *iso = &g->line[which];
    const struct text t = { .text = iso->label, .size = SIZE_NOTE, .markup = true, .white = iso->white,
                            .halo = g->halo && !iso->white };
    struct contour_label what = { .g = g, .all = all, .line = l };
    struct stretch gap[8];
    struct text_spot spot[8];
    size_t n = 0, at;
    double w, h;

    text_measure(c, &t, &w, &h);
    what.half_w = w / 2 + 1;
    what.half_h = h / 2;
    for (size_t k = 0; k < 8; k++) {
        const struct contour_line part = k == 0 ? *l :
            (struct contour_line){ l->first + (k - 1) * l->n / 8, l->n / 4 + 1, false };
        const double before = length_of(&all[which], l, part.first - l->first);
        struct contour_place place;

        if (part.first + part.n > l->first + l->n || !contour_place(&place, all[which].point + part.first, part.n,
                                                                    part.closed, w + 2 * LABEL_GAP, LABEL_MARGIN))
            continue;
        spot[n] = (struct text_spot){ place.at.x, place.at.y, 0.5, 0.5, place.angle * (M_PI / 180), (double)k };
        gap[n++] = (struct stretch){ before + place.from, before + place.to };
    }
    at = text_place(c, &t, spot, n, &(struct text_placer){ g->bounds, 1, is_label_crossed, &what });
    return at < n ? gap[at] : (struct stretch){ -INFINITY, -INFINITY };
}

static void draw_level(struct canvas *c, const struct isolines *g, const struct contour *all, size_t which)
{
    const bool white = g->line[which].white;
    const struct pen pen = pen_grey(0.7, white ? 1 : INK), halo = pen_grey(1.9, white ? INK : 1);
    struct stretch *gap = malloc((all[which].nline + 1) * sizeof *gap);

    if (!gap) {
        c->failed = true;
        return;
    }
    for (size_t i = 0; i < all[which].nline; i++)
        gap[i] = label_line(c, g, all, which, &all[which].line[i]);
    for (int over = g->halo ? 0 : 1; over < 2; over++) {
        for (size_t i = 0; i < all[which].nline; i++)
            trace_around(c, &all[which], &all[which].line[i], gap[i].from, gap[i].to);
        canvas_stroke(c, over ? &pen : &halo);
    }
    free(gap);
}

/* Values that stand on the same spot of the page have no lines between them. */
static bool monotone(const double *v, size_t n)
{
    for (size_t i = 2; i < n; i++)
        if (!((v[i] - v[i - 1]) * (v[1] - v[0]) > 0))
            return false;
    return n > 1 && v[0] != v[1];
}

size_t isolines_levels(double *level, size_t most, const struct frame *f, double lo, double hi, bool logarithmic)
{
    const double room = fmin(f->data.w, f->data.h) / (22 * f->canvas->scale);
    const size_t wanted = room < 2 ? 2 : room < (double)most ? (size_t)room : most;
    size_t n, stride, kept = 0;

    if (!logarithmic)
        return contour_levels(level, wanted, lo, hi);
    n = contour_levels_log(level, most, lo, hi);
    stride = (n + wanted - 1) / wanted;
    for (size_t i = 0; i < n; i += stride)
        level[kept++] = level[i];
    return kept;
}

int isolines_draw(struct canvas *c, const struct isolines *g, struct err *err)
{
    struct contour *all = calloc(g->n + 1, sizeof *all);
    size_t lines = 0;
    int ret = all ? 0 : err_memory(err);

    if (ret == 0 && monotone(g->x, g->nx) && monotone(g->y, g->ny))
        for (size_t i = 0; ret == 0 && i < g->n; i++) {
            ret = contour_lines(&all[i], g->x, g->nx, g->y, g->ny, g->z, g->line[i].level, err);
            drop_specks(&all[i]);
            lines += all[i].nline;
        }
    for (size_t i = 0; ret == 0 && i < g->n && lines <= LINES_MOST; i++)
        draw_level(c, g, all, i);
    for (size_t i = 0; all && i < g->n; i++)
        contour_release(&all[i]);
    free(all);
    return ret;
}
