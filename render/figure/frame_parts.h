/* frame_parts.h -- what the parts of a frame know of each other, and no chart needs to. */
#ifndef RENDER_FIGURE_FRAME_PARTS_H
#define RENDER_FIGURE_FRAME_PARTS_H

#include "render/figure/frame.h"

#define LEGEND_GAP 12.0         /* from the panels to a legend or colour bar right of them */

/* frame_data.c. Collects what the axes have to show in xs, ys and zs. ERR_MEMORY. */
int frame_gather(struct frame *f, struct err *err);
/* Scales of all axes but a numeric y, whose ticks wait for the page; keeps the points that have a place. */
void frame_fit(struct frame *f);

/* frame_draw.c. What the foot of the page says: which points are not shown, and what the chart has to add. */
struct text frame_foot(const struct frame *f, char out[600]);

static inline bool frame_has_bar(const struct frame *f)
{
    return f->want.colour_bar && f->drawn;
}
/* The right end of all panels. */
static inline double frame_right(const struct frame *f)
{
    return f->first.x + (double)(f->columns - 1) * f->step_x + f->first.w;
}

#endif
