/* frame_parts.h -- what the parts of a frame know of each other, and no chart needs to. */
#pragma once

#include "render/figure/frame.h"

#define LEGEND_GAP 12.0         /* from the panels to a legend or colour bar right of them */

/* frame_data.c. Collects what the axes have to show in xs, ys and zs. ERR_MEMORY. */
int frame_gather(struct frame *f, struct err *err);
/* Scales of all axes but a numeric y, because its ticks wait for the page; keeps the points that have a place. */
void frame_fit(struct frame *f);

/* Y axes: one, or one for every panel, of its own values, with the kind of scale that these ask for; ERR_MEMORY. */
int frame_own_open(struct frame *f, struct err *err);
void frame_own_fit(struct frame *f);
void frame_own_release(struct frame *f);
/* The y axis of the present panel, as the chart has it. */
const struct axis *frame_own_axis(const struct frame *f, size_t panel);

/* frame_draw.c. The foot of the page: which points are not shown, and the notes of the chart. */
#define FOOT_ROOM 1500
struct text frame_foot(const struct frame *f, char out[FOOT_ROOM]);

struct text frame_panel_title(const struct frame *f, size_t panel);
/* frame_rule.c. Where a rule stands in the present panel, which is that one; NaN: nowhere. */
double frame_rule_at(const struct frame *f, size_t panel, size_t i);
/* Makes a panel the present one. */
void frame_enter(struct frame *f, size_t panel);

/* frame_room.c -- what lies on data. Points, lines, bands, error bars and bars of the present panel. */
bool frame_on_data(const struct frame *f, size_t panel, const struct rect *r);
/* Where the names of series stand beside their lines, and a legend among the data: places are found for the panels as
 * laid out now, and kept. False: there is none for all of them. */
bool frame_names_place(struct frame *f);
bool frame_legend_inside(struct frame *f);
/* Marks the entries of the legend that such names replace (`tell` false: none), and counts them. */
size_t frame_names_tell(struct frame *f, bool tell);
/* The width that the longest of these names takes. */
double frame_names_width(const struct frame *f);
void frame_names_draw(const struct frame *f);
/* Keeps text that has a choice off the names and off a legend among the data. */
void frame_names_keep_off(const struct frame *f);

/* Do bars lie, from the left to the right? Then numbers are along x. */
static inline bool frame_lies(const struct frame *f)
{
    return f->want.bars && f->chart->y.ncategory;
}
static inline bool frame_fitted(const struct frame *f)
{
    return f->canvas->page && f->canvas->page->fitted;
}
static inline bool frame_has_bar(const struct frame *f)
{
    return f->want.colour_bar && f->drawn;
}
/* The right end of all panels. */
static inline double frame_right(const struct frame *f)
{
    return f->first.x + (double)(f->columns - 1) * f->step_x + f->first.w;
}
