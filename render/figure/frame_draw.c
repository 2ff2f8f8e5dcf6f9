#include "render/figure/frame_parts.h"
#include "render/figure/panels.h"

/* ---- panels ------------------------------------------------------------------------------------------ */

void frame_enter(struct frame *f, size_t panel)
{
    f->data = f->first;
    f->data.x += (double)(panel % f->columns) * f->step_x;
    f->data.y += (double)(panel / f->columns) * f->step_y;
    f->up = &f->side[f->own ? panel : 0];
}

/* Where a range was asked for, what lies beyond is cut off; elsewhere marks may stand on the edge. */
void frame_panel(struct frame *f, size_t panel)
{
    const struct axis *x = &f->chart->x, *y = &f->chart->y;
    const double mx = isnan(x->from) && isnan(x->to) ? 5 : 0, my = isnan(y->from) && isnan(y->to) ? 5 : 0;

    frame_enter(f, panel);
    canvas_begin_at(f->canvas, "panel", &f->data);
    canvas_clip(f->canvas, &(struct rect){ f->data.x - mx, f->data.y - my, f->data.w + 2 * mx, f->data.h + 2 * my });
}

void frame_panel_end(struct frame *f)
{
    canvas_unclip(f->canvas);
    canvas_end(f->canvas);
}
/* ---- the foot ---------------------------------------------------------------------------------------- */

/* "Not in the legend: chain, binary and 3 more. " */
static void names_left_out(char out[400], const struct frame *f)
{
    const struct legend *l = &f->legend;
    const size_t most = f->canvas->width < PAGE_NARROW ? 90 : 300, all = legend_names(l);
    size_t seen = 0, told = l->nshown, len = 0;

    *out = '\0';
    for (size_t i = 0; i < l->n && len < most; i++)
        if (!l->entry[i].told && seen++ >= l->nshown) {
            len += (size_t)snprintf(out + len, 400 - len, "%s%.60s", len ? ", " : "Not in the legend: ",
                                    l->entry[i].text);
            told++;
        }
    if (len && told < all)
        snprintf(out + len, 400 - len, " and %zu more. ", all - told);
    else if (len)
        snprintf(out + len, 400 - len, ". ");
}

/* The foot of the page: the points and names that are not shown, and the notes of the chart. */
struct text frame_foot(const struct frame *f, char out[FOOT_ROOM])
{
    const char *note = f->chart->note, *aside = f->aside;
    const size_t nameless = f->canvas->page ? f->canvas->page->nameless : 0;
    char points[160] = "", rules[80] = "", names[400] = "", labels[60] = "";

    if (!f->terse)
        names_left_out(names, f);
    if (nameless)
        snprintf(labels, sizeof labels, nameless == NAMELESS_SOME ? "Some names left out: no room. " :
                 nameless == 1 ? "1 name left out: no room. " : "%zu names left out: no room. ", nameless);
    panels_left_out(points, f->infinite, f->negative, f->beyond || note || aside);
    if (f->beyond)
        snprintf(rules, sizeof rules, "Vertical lines not shown: %zu beyond the axis.%s", f->beyond,
                 note || aside ? " " : "");
    snprintf(out, FOOT_ROOM, "%s%s%s%s%s%s%s%s", f->shortened + f->legend.shortened && !f->terse ?
             "Names are shortened. " : "", names, labels, points, rules, note ? note : "", note && aside ? " " : "",
             aside ? aside : "");
    return (struct text){ .text = out, .size = SIZE_NOTE, .grey = PALE, .width = f->page.w - 2 * f->pad,
                          .lines = frame_fitted(f) && f->canvas->width < PAGE_NARROW ? 6 : 3 };
}
/* ---- drawing ----------------------------------------------------------------------------------------- */

static void draw_grid(const struct frame *f)
{
    struct canvas *c = f->canvas;
    const double x0 = f->data.x, x1 = f->data.x + f->data.w;

    for (size_t i = 0; i < f->up->tick.n; i++)
        canvas_segment(c, x0, frame_y(f, f->up->tick.major[i].at), x1, frame_y(f, f->up->tick.major[i].at));
    for (size_t i = 0; frame_lies(f) && i < f->xtick.n; i++)
        canvas_segment(c, frame_x(f, f->xtick.major[i].at), f->data.y, frame_x(f, f->xtick.major[i].at),
                       f->data.y + f->data.h);
    canvas_stroke_grey(c, 0.6, FAINT);
    if (f->up->scale.kind == LINEAR && f->up->scale.lo < 0 && f->up->scale.hi > 0) {
        canvas_segment(c, x0, frame_y(f, scale_at(&f->up->scale, 0)), x1, frame_y(f, scale_at(&f->up->scale, 0)));
        canvas_stroke_grey(c, 0.6, PALE);
    }
}

static void draw_axes(const struct frame *f)
{
    struct canvas *c = f->canvas;
    const double x0 = f->data.x, y0 = f->data.y + f->data.h;
    const bool xnumbers = f->drawn && !f->chart->x.ncategory, ynumbers = f->drawn && !f->chart->y.ncategory;

    canvas_segment(c, x0, f->data.y, x0, y0);
    canvas_segment(c, x0, y0, x0 + f->data.w, y0);
    for (size_t i = 0; ynumbers && i < f->up->tick.n; i++)
        canvas_segment(c, x0 - f->tick, frame_y(f, f->up->tick.major[i].at), x0, frame_y(f, f->up->tick.major[i].at));
    for (size_t i = 0; xnumbers && i < f->xtick.n; i++)
        canvas_segment(c, frame_x(f, f->xtick.major[i].at), y0, frame_x(f, f->xtick.major[i].at), y0 + f->tick);
    for (size_t i = 0; !f->want.bars && f->chart->x.ncategory && i < f->nxlabel; i++) {
        double x = f->xlabel[i].x - f->first.x + x0;

        canvas_segment(c, x, y0, x, y0 + f->tick);
    }
    canvas_stroke_grey(c, 0.8, INK);
    for (size_t i = 0; ynumbers && i < f->up->tick.nminor; i++)
        canvas_segment(c, x0 - f->tick / 2, frame_y(f, f->up->tick.minor[i]), x0, frame_y(f, f->up->tick.minor[i]));
    for (size_t i = 0; xnumbers && i < f->xtick.nminor; i++)
        canvas_segment(c, frame_x(f, f->xtick.minor[i]), y0, frame_x(f, f->xtick.minor[i]), y0 + f->tick / 2);
    canvas_stroke_grey(c, 0.6, INK);
}

static void draw_place(const struct frame *f, const struct place *p, double dx, double dy)
{
    if (p->text.text)
        text_put(f->canvas, &p->text, p->x + dx, p->y + dy, p->along, p->across, p->angle);
}

struct text frame_panel_title(const struct frame *f, size_t panel)
{
    return (struct text){ .text = f->own ? f->side[panel].tag : f->chart->panel[panel], .size = SIZE_TICK,
                          .width = f->first.w, .lines = 2, .bold = true };
}

/* Labels stand left of the first panel of a row and below the last one of a column. */
static void draw_panel_labels(const struct frame *f, size_t panel)
{
    const double dx = f->data.x - f->first.x, dy = f->data.y - f->first.y;

    for (size_t i = 0; panel + f->columns >= f->npanel && i < f->nxlabel; i++)
        draw_place(f, &f->xlabel[i], dx, dy);
    for (size_t i = 0; panel % f->columns == 0 && i < f->up->nlabel; i++)
        draw_place(f, &f->up->label[i], dx, dy);
    if (f->chart->npanel) {
        const struct text t = frame_panel_title(f, panel);

        text_put(f->canvas, &t, f->data.x + (f->own ? 0 : f->data.w / 2), f->data.y - 3, f->own ? 0 : 0.5, 1, 0);
    }
    if (f->own || panel == 0)
        draw_place(f, &f->up->title, 0, 0);
}

static void draw_foot(const struct frame *f)
{
    char text[FOOT_ROOM];
    const struct text note = frame_foot(f, text);

    if (*text)
        text_put(f->canvas, &note, f->page.x + f->pad, f->page.y + f->page.h - f->pad + 1, 0, 1, 0);
}

void frame_draw(struct frame *f)
{
    const struct text none = { .text = "no data", .size = SIZE_HEAD, .grey = PALE };

    canvas_begin(f->canvas, "axes", NULL);
    for (size_t i = 0; i < f->npanel; i++) {
        frame_enter(f, i);
        if (f->drawn && !f->want.no_grid)
            draw_grid(f);
        draw_axes(f);
        draw_panel_labels(f, i);
        if (!f->drawn)
            text_put(f->canvas, &none, f->data.x + f->data.w / 2, f->data.y + f->data.h / 2, 0.5, 0.5, 0);
    }
    draw_place(f, &f->title, 0, 0);
    draw_place(f, &f->xtitle, 0, 0);
    if (frame_has_bar(f) && f->bar_below)
        colour_bar_draw(&f->bar, f->canvas, f->first.x, f->bar_y);
    else if (frame_has_bar(f))
        colour_bar_draw(&f->bar, f->canvas, frame_right(f) + LEGEND_GAP, f->first.y);
    canvas_end(f->canvas);
    if (f->legend.nshown) {
        if (f->legend.place == LEGEND_INSIDE)
            legend_clear(&f->legend, f->canvas);
        canvas_begin(f->canvas, "legend", NULL);
        legend_draw(&f->legend, f->canvas);
        canvas_end(f->canvas);
    }
    frame_names_keep_off(f);
    draw_foot(f);
    frame_enter(f, 0);
}

int frame_show(struct frame *f, void (*panel)(const struct frame *f, size_t panel, const void *arg), const void *arg,
               struct err *err)
{
    if (frame_lay(f, err) < 0)
        return -1;
    frame_draw(f);
    for (size_t i = 0; i < f->npanel; i++) {
        frame_panel(f, i);
        panel(f, i, arg);
        frame_panel_end(f);
    }
    frame_names_draw(f);
    return 0;
}
