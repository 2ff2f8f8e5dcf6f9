/* netplot_parts.h -- what the files that draw networks share. For netplot*.c. */
#pragma once

#include "render/drawing/netplot_panel.h"
#include "render/figure/frame.h"

#define GAP 12.0                /* between panels */

#define NUMBERS_MOST 60         /* nodes with numbers instead of names, and a key below */

struct panel {
    struct canvas *c;
    const struct netplot_look *look;
    const struct net_drawing *d;
    const struct sketch *s;
    struct rect at;
    double scale, dx, dy;       /* page = layout * scale + (dx, dy) */
    double radius, base;        /* of nodes; width of plain links */
    const int *by;              /* which highlight fills each sketch node: the first that names it, + 1 */
    bool titled;                /* links and nodes are few, and apart: viewers say what they are */
    const struct rgb *fill;     /* of each sketch node; NULL: only measured */
};
static inline double px(const struct panel *p, double x)
{
    return x * p->scale + p->dx;
}
static inline double py(const struct panel *p, double y)
{
    return y * p->scale + p->dy;
}
/* A panel for measuring, too: where its network stands, and how large. */
struct panel netplot_panel_open(struct canvas *c, const struct netplot_look *look, const struct net_drawing *d,
                                const struct sketch *s, const struct rect *at, double scale);

/* The first way from `from` on that has room for the names of all nodes. */
struct netplot_names netplot_names_choose(const struct panel *p, enum netplot_naming from);
void netplot_names_draw(const struct panel *p, const struct netplot_names *n);
/* How many cables a line stands for, on it where there is room; of equal hosts where they have no names. */
void netplot_names_counts(const struct panel *p, const struct netplot_names *n);
/* The hosts drawn once at the end of a link, 1: one. */
int netplot_equal_hosts(const struct sketch *s, size_t link);

/* The page: a title, panels in rows, a legend below them, up to two colour bars at the right, a foot. */
struct sheet {
    struct canvas *canvas;
    const struct netplot *plot;
    struct sketch *sketch;      /* one a panel */
    struct legend legend;
    struct netplot_look look;
    struct colour_bar node, link;
    bool has_node, has_link, has_width;
    size_t columns, rows;
    struct rect panels;
    struct place title;
    double strip;               /* of the titles over panels */
    struct netplot_names *names;        /* one a panel */
    struct axis link_axis;
    char width_text[3][64];
    char *notes, *foot;         /* what coarsening says; that and what names say. By malloc; NULL: nothing */
};
/* Lays out what s->plot has on s->canvas. Release either way. */
int netplot_sheet(struct sheet *s, struct err *err);
void netplot_sheet_release(struct sheet *s);
