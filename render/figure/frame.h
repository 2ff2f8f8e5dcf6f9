/* frame.h -- what all charts in a plane have in common: the page cut into titles, axes, legend, colour bar and the
 * places for the data (several for small multiples, which share their axes); and everything that is drawn but the data.
 *
 *     frame_begin(&f, canvas, chart);  f.want...;  legend_add(&f.legend, ...);   what the chart wants
 *     frame_lay(&f, err);  frame_draw(&f);                                 these and the panels: frame_show
 *     for (size_t i = 0; i < f.npanel; i++) { frame_panel(&f, i); ... frame_point ... frame_panel_end(&f); }
 *     frame_release(&f);                                                   whatever happened */
#pragma once

#include "render/figure/axis.h"
#include "render/page/canvas.h"
#include "render/page/place.h"
#include "render/figure/chart_data.h"
#include "render/figure/colour_bar.h"

/* A text and where it stands, as text_put takes it; w and h are those of its unturned box. */
struct place {
    struct text text;
    double x, y, along, across, angle, w, h;
};

/* What stands left of a name in the legend. */
enum sample { SAMPLE_LINE, SAMPLE_BAR, SAMPLE_MARK, SAMPLE_PLAIN, SAMPLE_UNMARKED, SAMPLE_CELL, SAMPLE_HATCH,
              SAMPLE_RING, SAMPLE_WIDTH, SAMPLE_TILE, SAMPLE_RULE, SAMPLE_OUTSIDE, SAMPLE_DASH, SAMPLE_CROSS,
              SAMPLE_HOLLOW, SAMPLE_DOT, SAMPLE_LEVEL,
              SAMPLE_BEYOND };
struct legend_entry {
    const char *text;
    bool markup;
    enum sample sample;
    size_t look;
    struct rgb colour;          /* of a cell, a dot */
    double width;               /* of a line of no series */
    bool told;                  /* its name stands beside its line instead */
    double x, y, w, full;       /* within the legend; of the name, as far as there is room, and in full */
    const char *shorter;        /* what of the name has room; NULL: all */
};
struct legend {
    struct legend_entry *entry;
    size_t n, room;
    int wanted, place;          /* enum legend_place: AUTO is right of the data where names are few and short, or below;
                                 * where it stands */
    double squeeze;             /* takes rows away below the data; 0 is as good as 1 */
    size_t nshown, columns, rows;       /* names shown; columns that would fit with full names */
    size_t shortened;           /* names that are not shown in full */
    int lines;                  /* of a name */
    double row, swatch, w, h;
    double x, y;                /* top left */
};

/* The name of a series beside its line; with a thin line to the end of that where it could not stand there. */
struct name_place {
    size_t series;
    struct text_spot at;
    bool leader;
    double from_x, from_y;
};

/* The y axis of all panels, or of one, where each has its own. */
struct frame_y {
    struct scale scale;
    struct ticks tick;
    struct place *label, title;
    size_t nlabel;
    char *name;                 /* "Mean length [hops]" as markup, by g_malloc; NULL: none */
    double name_h;              /* its height, which may be that of two lines */
    double *v;                  /* n values that it has to show, while the page is laid out */
    size_t n;
    struct fit how;
    char tag[160];              /* "(a)", and the panel's title where it is not the axis' */
};

struct frame_want {
    enum sample sample;         /* of every named series, when the chart names no entries of its own */
    bool bars;                  /* y starts at zero, x has room for bars */
    bool colour_bar;            /* z is shown by colour */
    bool no_legend, no_grid;
    bool lanes;                 /* categories along y are thinned out to every second, fourth, fifth, ... */
    double left, right;         /* least margins, to stand in line with another frame */
    bool rules, rule_texts;     /* the chart's rules are drawn; with their texts */
    bool bare_x;                /* neither labels nor a title along x: the frame below has them */
    bool direct;                /* names may stand beside the lines of their series */
    bool filled;                /* the data leave no free place in a panel */
    bool square;                /* panels are as wide as high */
};
struct frame {
    struct canvas *canvas;
    const struct chart *chart;
    struct frame_want want;
    struct rect page;           /* of the canvas: what the frame may use */
    size_t npanel, columns, rows;
    struct rect first, data;    /* where the data of the first panel, and of the present one, go */
    double step_x, step_y;      /* from one panel to the next */
    double spare_w, spare_h;    /* what a square panel leaves of its place */
    struct scale x;
    struct ticks xtick;
    struct place *xlabel;       /* of the first panel */
    size_t nxlabel;
    struct frame_y *side, *up;  /* y axes, nside of them; that of the present panel */
    size_t nside;
    bool own;                   /* panels have axes of their own */
    struct legend legend;
    struct colour_bar bar;
    bool zeros, below;          /* values that a logarithmic one has no colour for: any; any below zero */
    struct place title, xtitle; /* without text when there are none */
    char *xname;                /* as that of a y axis */
    size_t drawn, infinite, negative;       /* points: drawn; left out as infinite, or not positive on a log axis */
    size_t beyond;              /* rules that no axis reaches */
    bool *rule_told;            /* of each rule: its text has no room beside it and stands in the legend */
    char **rule_name;           /* there; NULL: elsewhere */
    size_t nspread;             /* ends of error bars, behind the points in xs and ys */
    double *xs, *ys, *zs;       /* of the `drawn` points, while the page is laid out */
    bool settled;               /* the step of y's ticks does not change any more */
    double squeeze;             /* 1, or less where the page is too low for all labels and names */
    bool tips;                  /* points say their values, where the device knows groups and they are few */
    const char *aside;          /* sentences at the foot of the page; NULL: none */
    double margin_left, margin_right;   /* as laid out */
    double pad, tick, gap;      /* round the page; of ticks; between these and their labels */
    double xname_h;
    double strip;               /* height of the titles of panels */
    bool beside;                /* names of series stand in the right margin, at the ends of their lines */
    struct name_place *name;    /* of the series that are named there or beside their lines; nname of them */
    size_t nname;
    bool right_fails;           /* a legend right of the data leaves them too little */
    size_t shortened;           /* names of categories without room; those of the legend are counted there */
    bool terse;                 /* the foot has no room for the names that the legend has none for */
    bool on_top;                /* the name of the y axis, which is too long for its height */
    int above;                  /* lines that names of categories would take above bars that lie; 0: they stand left */
    double above_h;             /* what they have there */
    bool bar_below;             /* the colour bar lies below the data, */
    double bar_y;               /* there */
};

/* The frame may use the whole page, until f->page says less. Safe to release from here on. */
void frame_begin(struct frame *f, struct canvas *canvas, const struct chart *chart);
/* One entry for every name of a series, none for a single one; what frame_lay does when there are no others. */
int frame_default_entries(struct frame *f, struct err *err);
int frame_lay(struct frame *f, struct err *err);
void frame_release(struct frame *f);
/* Does the colour bar lie below the data? It does on narrow pages of open height. */
bool frame_bar_lies(const struct frame *f);
/* Draws all but the data. */
void frame_draw(struct frame *f);
/* Makes a panel the present one and keeps what is drawn within it. */
void frame_panel(struct frame *f, size_t panel);
void frame_panel_end(struct frame *f);
/* Lays out and draws, the data of each panel by `panel`. */
int frame_show(struct frame *f, void (*panel)(const struct frame *f, size_t panel, const void *arg), const void *arg,
               struct err *err);
/* Where a point stands, perhaps outside the panel; false when it has no place (NaN, infinite, not positive on a log
 * axis, no such category). */
bool frame_point(const struct frame *f, double x, double y, struct rect *at);
bool frame_inside(const struct frame *f, const struct rect *at);
double frame_x(const struct frame *f, double part);     /* 0..1 along the axis, on the page */
double frame_y(const struct frame *f, double part);

/* frame_series.c. The line of a series: its parts within the model's validity, or those outside it (dashed). */
void frame_line(const struct frame *f, const struct series *s, struct pen pen, bool outside);
void frame_error_bars(const struct frame *f, const struct series *s);
/* The band between the ends of the error bars. */
void frame_band(const struct frame *f, const struct series *s, double opacity);
/* The lines of series that are levels. */
void frame_levels(const struct frame *f, size_t panel);
/* Where an end of an error bar stands; what lies below a logarithmic axis ends at its foot. */
double frame_end(const struct frame *f, double v);
/* frame_label.c. Marks the points of a panel that have a label: a ring, and the label where there is room beside it. */
void frame_mark_points(const struct frame *f, size_t panel);
/* Puts labels beside their points, in a grey each (0: INK), where there is room and no other point is as near, else off
 * it, at the end of a thin line; the first have the first choice. Those that have no room are counted by the canvas. */
struct point_label {
    const struct datum *at;
    const char *text;
    double ink;
};
void frame_labels(const struct frame *f, size_t panel, struct point_label *label, size_t n);

/* frame_tip.c. What is drawn between says the values of a point to a viewer, where the device knows groups and points
 * are few; with `to` (may be NULL) of an interval. `s` may be NULL: without a name. */
#define FRAME_TIPS 2000         /* most points of a figure that do: files stay small */
void frame_tip_begin(const struct frame *f, const struct series *s, const struct datum *from, const struct datum *to);
void frame_tip_end(const struct frame *f);

/* frame_rule.c. Rules of the present panel, to be drawn before the data, and their texts, after them. */
void frame_rules(const struct frame *f, size_t panel);
void frame_rule_texts(const struct frame *f, size_t panel);
/* Whether the axis reaches the rule. */
bool frame_rule_inside(const struct frame *f, const struct rule *r);
/* Which texts have no room beside their lines go to the legend (with `all`, every text). How many that are that were
 * not there before: then the page is to be laid out again. -1: memory. */
int frame_rules_tell(struct frame *f, bool all, struct err *err);
/* Takes texts of rules out of the legend again; releases what was kept of them. */
void frame_rules_forget(struct frame *f);
struct pen frame_rule_pen(const struct canvas *c, size_t look);

/* frame_axis.c: labels of the axes, for the present size of the panel; names of the axes with units and exponents. */
void frame_label_x(struct frame *f);
void frame_label_y(struct frame *f);            /* of the present one */
void frame_measure(struct frame *f, struct place *p);
char *axis_name(struct canvas *c, const struct axis *a, int exponent);    /* "Mean length [10^3 hops]" as markup */

/* legend.c. An entry more; its text is not copied. */
int legend_add(struct legend *l, struct legend_entry entry, struct err *err);
/* Unless there is one with that text and sample. */
int legend_add_once(struct legend *l, struct legend_entry entry, struct err *err);
/* Names that it has to tell. */
size_t legend_names(const struct legend *l);
void legend_size(struct legend *l, struct canvas *canvas, bool never_right);
/* Takes the grid away where it stands. */
void legend_clear(const struct legend *l, struct canvas *canvas);
void legend_draw(const struct legend *l, struct canvas *canvas);

#define FRAME_PAD 7.0           /* around the page, where it is not narrow */
#define FRAME_TICK 3.5
#define FRAME_LABEL_GAP 3.0     /* between a tick and its label */
