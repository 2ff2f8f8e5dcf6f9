/* frame_tip.c -- what a viewer says of a point under the cursor: "dor: load 0.12 flits per cycle, latency 27 cycles" */
#include <time.h>

#include "render/figure/frame.h"

#define TIP_ROOM 400

static void add(char tip[TIP_ROOM], const char *text)
{
    const size_t n = strlen(tip);

    snprintf(tip + n, TIP_ROOM - n, "%s", text);
}

static void add_value(char tip[TIP_ROOM], const struct axis *a, double v)
{
    char text[40] = "";
    struct tm day;

    if (v >= 0 && v < (double)a->ncategory) {
        add(tip, a->category[(size_t)v]);
        return;
    }
    if (!a->time || !(fabs(v) < 1e15) || !gmtime_r(&(time_t){ (time_t)v }, &day) ||
        !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &day))
        snprintf(text, sizeof text, "%.6g", v);
    add(tip, text);
}

/* "mean length 4.06 hops": a title amid a sentence begins small unless it is an abbreviation. */
static void add_quantity(char tip[TIP_ROOM], const struct axis *a, double from, double to)
{
    const char *title = a->title ? a->title : "";
    const size_t n = strlen(tip);

    add(tip, title);
    if (n < TIP_ROOM - 2 && islower((unsigned char)tip[n + (*title != '\0')]))
        tip[n] = (char)tolower((unsigned char)tip[n]);
    add(tip, *title ? " " : "");
    add_value(tip, a, from);
    if (isfinite(to) && to != from) {
        add(tip, " to ");
        add_value(tip, a, to);
    }
    add(tip, a->unit && *a->unit ? " " : "");
    add(tip, a->unit ? a->unit : "");
}

void frame_tip_begin(const struct frame *f, const struct series *s, const struct datum *from, const struct datum *to)
{
    const struct chart *c = f->chart;
    const struct axis *y = c->panel_y && s ? &c->panel_y[s->panel] : &c->y;
    char tip[TIP_ROOM] = "";

    if (!f->tips)
        return;
    add(tip, s ? s->name : "");
    add(tip, *tip ? ": " : "");
    add_quantity(tip, &c->x, from->x, to ? to->x : from->x);
    add(tip, ", ");
    add_quantity(tip, y, from->y, to ? to->y : from->y);
    if (isfinite(from->lo) && isfinite(from->hi)) {
        add(tip, " (");
        add_quantity(tip, &(struct axis){ .title = NULL }, from->lo, from->hi);
        add(tip, ")");
    }
    if (isfinite(from->z)) {
        add(tip, ", ");
        add_quantity(tip, &c->z, from->z, from->z);
    }
    canvas_begin(f->canvas, "point", tip);
}

void frame_tip_end(const struct frame *f)
{
    if (f->tips)
        canvas_end(f->canvas);
}
