/* chart_surface.c -- heights over a plane, seen from above (surface.h has what is shown, surface.c reads it).
 * 1. levels     contour lines at round values, named as the ticks are
 * 2. the page   title, foot, colour bar and panels; margins grow from pass to pass until labels have room
 * 3. drawing    axes, contours on the floor, the surface, the bar */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/chart/chart.h"
#include "render/chart/surface.h"
#include "render/figure/panels.h"

#define LEVEL_APART 11.0        /* points of the floor's side for each level, at least */
#define FINE 2.1                /* points on the page from line to line of the grid, at least */
#define LEAST_BOX 24.0          /* width of a box, with others beside it */
#define BAR_WIDTH 7.0
#define BAR_LEAST 300.0         /* width of a page that has one */

/* ---- levels ------------------------------------------------------------------------------------------ */

/* 20 or 2x10^4, as the ticks of the axis have it, and in its unit; levels of one step have the same decimals. */
static void name_level(char out[112], const struct scene_axis *z, double v, double step)
{
    const char *minus = "\xe2\x88\x92";
    const double unit = pow(10, z->ticks.exponent);
    const int decimals = (int)fmax(0, -floor(log10(step / unit) + 1e-9));
    char times[16] = "";
    int k, factor;

    if (z->scale.kind != LOGARITHMIC || z->scale.hi - z->scale.lo < 1.05) {
        snprintf(out, 112, "%s%.*f", v < 0 ? minus : "", decimals > 12 ? 12 : decimals, fabs(v / unit));
        return;
    }
    if (z->scale.lo > -3.2 && z->scale.hi < 5.2) {
        snprintf(out, 112, "%.6g", v);
        return;
    }
    k = (int)floor(log10(v) + 1e-9);
    factor = (int)(v / pow(10, k) + 0.5);
    if (factor != 1)
        snprintf(times, sizeof times, "%d\xc3\x97", factor);
    snprintf(out, 112, "%s10%s%s%d%s", times, RAISED, k < 0 ? minus : "", abs(k), RAISED_END);
}

/* Contour lines at round values within what is shown. */
static void choose_levels(struct surface *f)
{
    const struct scene_axis *z = &f->axes.axis[2];
    const size_t most = (size_t)fmin(fmax(f->scene.size / LEVEL_APART, 3), LEVELS_MOST);
    double value[LEVELS_MOST], step;

    if (f->axes.empty)
        return;
    f->nlevel = z->scale.kind == LOGARITHMIC ?
                contour_levels_log(value, most, pow(10, z->scale.lo), pow(10, z->scale.hi)) :
                contour_levels(value, most, z->scale.lo, z->scale.hi);
    step = f->nlevel > 1 ? fmin(fabs(value[1] / 2 - value[0] / 2), 8e307) * 2 : f->nlevel ? fabs(value[0]) : 1;
    for (size_t i = 0; i < f->nlevel; i++) {
        f->level[i].at = scale_at(&z->scale, value[i]);
        name_level(f->level[i].label, z, value[i], step > 0 ? step : 1);
    }
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static void put_foot(struct surface *f)
{
    char points[160], thin[160] = "";

    panels_left_out(points, f->infinite, f->negative, true);
    if (f->seen_u * f->seen_v < f->most_u * f->most_v)
        snprintf(thin, sizeof thin, "Of %zu \xc3\x97 %zu points, %zu \xc3\x97 %zu are drawn, each the mean of those "
                 "around it. ", f->most_u, f->most_v, f->seen_u, f->seen_v);
    snprintf(f->note, sizeof f->note, "%s%s%s", points,
             f->loose ? "The points lie on no grid; means over an even one are drawn. " :
             f->shared ? "Where several points share a place, their mean is drawn. " : "", thin);
    f->foot = (struct text){ .text = f->note, .size = SIZE_NOTE, .grey = PALE, .lines = 3,
                             .width = f->canvas->width - 2 * FRAME_PAD };
    f->foot_height = *f->note ? text_high(f->canvas, &f->foot) + 2 : 0;
}

static void surface_put_title(struct surface *f)
{
    if (!f->chart->title || !*f->chart->title)
        return;
    f->title = (struct text){ .text = f->chart->title, .size = SIZE_HEAD, .bold = true,
                              .width = f->canvas->width - 2 * FRAME_PAD, .lines = 2 };
    f->title_height = text_high(f->canvas, &f->title) + 5;
}

/* Right of the panels, where the page is wide; takes its room from theirs. */
static void put_bar(struct surface *f, struct rect *room)
{
    double most = 0;

    f->bar = (struct rect){ 0 };
    if (f->canvas->width < BAR_LEAST || f->nlevel == 0)
        return;
    for (size_t i = 0; i < f->nlevel; i++) {
        struct text t = { .text = f->level[i].label, .size = SIZE_TICK, .markup = true };

        most = fmax(most, text_width(f->canvas, &t));
    }
    f->bar.w = BAR_WIDTH;
    f->bar.h = fmin(0.55 * room->h, 150 * f->canvas->scale);
    f->bar.y = room->y + (room->h - f->bar.h) / 2;
    room->w -= 8 + BAR_WIDTH + FRAME_TICK + FRAME_LABEL_GAP + most;
    f->bar.x = room->x + room->w + 8;
}

static double strip_height(const struct surface *f)
{
    return f->chart->npanel ? text_height(f->canvas, SIZE_TICK) + 3 : 0;
}

/* Cuts the page into cells, and lays the box and what is around it into the first. How much room labels need depends on
 * the size of the box: margins only grow from pass to pass. */
static void surface_settle(struct surface *f)
{
    const double gap = 9, strip = strip_height(f), columns = (double)f->columns, rows = (double)f->rows;
    double left = 20, right = 10, top = 0, bottom = 20;
    struct rect room = { FRAME_PAD, FRAME_PAD + f->title_height, f->canvas->width - 2 * FRAME_PAD,
                         f->canvas->height - 2 * FRAME_PAD - f->title_height - f->foot_height };

    put_bar(f, &room);
    f->cell = (struct rect){ room.x, room.y + strip, (room.w - (columns - 1) * gap) / columns,
                             (room.h - (rows - 1) * gap) / rows - strip };
    f->step_x = f->cell.w + gap;
    f->step_y = f->cell.h + gap + strip;
    for (int pass = 0; pass < 6; pass++) {
        struct rect hull, box, in = { f->cell.x + left, f->cell.y + top, f->cell.w - left - right,
                                      f->cell.h - top - bottom };

        scene_fit(&f->scene, &in);
        scene_axes_lay(&f->axes, &f->scene, &f->cell);
        if (pass == 5)
            return;
        hull = scene_axes_hull(&f->axes, &f->scene);
        box = scene_bounds(&f->scene);
        left = pass ? fmax(left, box.x - hull.x) : box.x - hull.x;
        top = pass ? fmax(top, box.y - hull.y) : box.y - hull.y;
        right = fmax(pass ? right : 0, hull.x + hull.w - box.x - box.w);
        bottom = fmax(pass ? bottom : 0, hull.y + hull.h - box.y - box.h);
    }
}

/* Lines of a grid that the page can show along an edge of that length. */
static size_t lines_shown(double length)
{
    return (size_t)fmax(16, floor(length / FINE)) + 1;
}

static void count_lines(struct surface *f)
{
    f->most_u = f->most_v = 0;
    for (size_t i = 0; i < f->npanel; i++) {
        f->most_u = f->relief[i].nu > f->most_u ? f->relief[i].nu : f->most_u;
        f->most_v = f->relief[i].nv > f->most_v ? f->relief[i].nv : f->most_v;
    }
    f->seen_u = lines_shown(f->scene.size * fabs(f->scene.eye[1]));
    f->seen_v = lines_shown(f->scene.size * fabs(f->scene.eye[0]));
    f->seen_u = f->seen_u < f->most_u ? f->seen_u : f->most_u;
    f->seen_v = f->seen_v < f->most_v ? f->seen_v : f->most_v;
}

static int surface_lay(struct surface *f, struct err *err)
{
    surface_put_title(f);
    put_foot(f);
    panels_arrange(&f->columns, &f->rows, f->chart, f->canvas->width - 40, f->canvas->height - f->title_height - 20,
                   1.15);
    for (int pass = 0; pass < 2; pass++) {      /* the foot says how many lines there was room for */
        surface_settle(f);
        choose_levels(f);                       /* whose labels depend on the ticks, and the bar on them */
        surface_settle(f);
        count_lines(f);
        put_foot(f);
    }
    if (f->npanel > 1 && scene_bounds(&f->scene).w < LEAST_BOX)
        return panels_refuse(f->npanel, f->canvas, err);
    return 0;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static int draw_surface(struct surface *f, const struct scene *s, size_t panel, struct err *err)
{
    struct scene_relief d = { 0 };
    struct relief thin = { 0 };
    int ret = relief_thin(&thin, &f->relief[panel], f->seen_u, f->seen_v, err);

    if (ret == 0)
        ret = scene_relief_begin(&d, f->canvas, s, &thin, err);
    if (ret == 0) {
        canvas_begin(f->canvas, "contours", NULL);
        ret = scene_relief_contours(&d, &f->relief[panel], f->level, f->nlevel, err);
        canvas_end(f->canvas);
    }
    if (ret == 0) {
        canvas_begin(f->canvas, "surface", f->chart->npanel ? f->chart->panel[panel] : NULL);
        scene_relief_draw(&d);
        canvas_end(f->canvas);
        ret = scene_relief_labels(&d, &f->relief[panel], f->level, f->nlevel, err);
    }
    scene_relief_release(&d);
    relief_release(&thin);
    return ret;
}

static int surface_draw_panel(struct surface *f, size_t panel, struct err *err)
{
    const struct text none = { .text = "no data", .size = SIZE_HEAD, .grey = PALE };
    const double dx = (double)(panel % f->columns) * f->step_x, dy = (double)(panel / f->columns) * f->step_y;
    struct scene s = f->scene;
    int ret = 0;

    s.x += dx;
    s.y += dy;
    canvas_begin(f->canvas, "axes", NULL);
    scene_axes_draw(&f->axes, &s);
    if (f->chart->npanel) {
        const struct text t = { .text = f->chart->panel[panel], .size = SIZE_TICK, .width = f->cell.w, .middle = true,
                                .bold = true };

        text_put(f->canvas, &t, f->cell.x + dx + f->cell.w / 2, f->cell.y + dy - 3, 0.5, 1, 0);
    }
    scene_axes_label(&f->axes, dx, dy);
    if (f->axes.empty)
        text_put(f->canvas, &none, s.x, s.y - s.size * s.high / 2, 0.5, 0.5, 0);
    canvas_end(f->canvas);
    if (!f->axes.empty)
        ret = draw_surface(f, &s, panel, err);
    return ret;
}

/* The ramp, with the heights of the contour lines. */
static void draw_bar(struct surface *f)
{
    const struct rect page = { 0, 0, f->canvas->width, f->canvas->height };
    struct canvas *c = f->canvas;

    if (f->bar.w <= 0)
        return;
    colour_bar_ramp(c, &f->bar);
    for (size_t i = 0; i < f->nlevel; i++) {
        struct text t = { .text = f->level[i].label, .size = SIZE_TICK, .markup = true };
        double x = f->bar.x + f->bar.w, y = f->bar.y + (1 - f->level[i].at) * f->bar.h;

        canvas_segment(c, x, y, x + FRAME_TICK - 1, y);
        text_try(c, &t, x + FRAME_TICK + FRAME_LABEL_GAP - 1, y, 0, 0.5, 0, &page, 0.5);
    }
    canvas_stroke_grey(c, 0.6, INK);
}

static int surface_draw_all(struct surface *f, struct err *err)
{
    const struct rect at = scene_bounds(&f->scene);
    int ret = 0;

    canvas_data(f->canvas, (double)f->columns * at.w, (double)f->rows * at.h);
    if (f->title.text)
        text_put(f->canvas, &f->title, FRAME_PAD, FRAME_PAD, 0, 0, 0);
    if (f->foot_height > 0)
        text_put(f->canvas, &f->foot, FRAME_PAD, f->canvas->height - FRAME_PAD + 1, 0, 1, 0);
    for (size_t i = 0; ret == 0 && i < f->npanel; i++)
        ret = surface_draw_panel(f, i, err);
    draw_bar(f);
    return ret;
}

static int surface_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct surface f = { .canvas = canvas, .chart = chart, .npanel = chart->npanel ? chart->npanel : 1 };
    int ret = -1;

    if (surface_check(chart, err) == 0 && scene_axes_begin(&f.axes, canvas, chart, err) == 0 &&
        surface_read(&f, err) == 0 && surface_lay(&f, err) == 0)
        ret = surface_draw_all(&f, err);
    for (size_t i = 0; f.relief && i < f.npanel; i++)
        relief_release(&f.relief[i]);
    free(f.relief);
    scene_axes_release(&f.axes);
    return ret;
}

const struct chart_kind chart_surface = {
    .name = "surface", .summary = "heights over a plane, seen from above, with contour lines on the floor",
    .needs = ROLE_X | ROLE_Y | ROLE_Z, .draw = surface_draw };
