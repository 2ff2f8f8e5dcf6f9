/* canvas.h -- what figures draw with: paths, text by pango, and the colours, dashes and marks of series. A canvas draws
 * on a device, one per figure format. Units are points; y grows downwards. */
#pragma once

#include "graph/base/names.h"
#include "render/page/colour.h"
#include "render/page/plot.h"

struct rect {
    double x, y, w, h;
};

/* ---- devices ----------------------------------------------------------------------------------------- */

/* Bytes that grow; what a device writes to. */
struct sink {
    unsigned char *bytes;
    size_t n, room;
    bool failed;                /* memory ran out */
};
void sink_put(struct sink *s, const void *bytes, size_t n);

/* A path: MOVE and LINE take one point of `at`, CURVE three, CIRCLE two (centre; radius and nothing), CLOSE none. */
enum path_op { PATH_MOVE, PATH_LINE, PATH_CURVE, PATH_CIRCLE, PATH_CLOSE };
struct path {
    unsigned char *op;
    double *at;                 /* x, y, x, y, ... */
    size_t nop, nat, room;
};
enum pen_end { END_BUTT, END_ROUND };
struct pen {
    struct rgb colour;
    double width;
    double dash[4];
    int ndash;
    enum pen_end end;
};
struct canvas;
struct device {
    /* Fills with `fill` (NULL: not) of that opacity, then strokes with `pen` (NULL: not). */
    void (*path)(struct canvas *c, const struct path *p, const struct rgb *fill, double opacity, const struct pen *pen);
    /* The layout of c, its top left at (x, y) of a page turned by `angle` about (ox, oy). */
    void (*text)(struct canvas *c, double ox, double oy, double angle, double x, double y, const struct rgb *ink,
                 double halo);
    /* w x h pixels 0xrrggbb, first row on top, each a sharp rectangle. */
    void (*image)(struct canvas *c, const struct rect *r, int w, int h, const uint32_t *pixel);
    void (*clip)(struct canvas *c, const struct rect *r);
    void (*unclip)(struct canvas *c);
    /* NULL: the device knows no groups. */
    void (*begin)(struct canvas *c, const char *name, const char *tip, const struct rect *at);
    void (*end)(struct canvas *c);
};

/* ---- the canvas -------------------------------------------------------------------------------------- */

/* The four corners of a text's box, in order round it; or of something else that text which has a choice keeps off. */
struct text_box {
    double x[4], y[4];
    bool text;
};
/* The box around a text, and where its first baseline lies below its top. */
struct text_extent {
    double w, h, baseline;
    double left, top;           /* of the box within the layout: right-to-left text stands at the far end of a width */
    bool single, cut;           /* one line; cut short */
    int number;                 /* among those kept; -1: it is not */
};
struct canvas {
    double width, height;
    const struct page *page;    /* the caller's */
    const struct palette *palette;
    const struct device *device;
    void *own;                  /* the device's */
    struct sink *sink;
    struct _PangoLayout *layout;        /* pango's */
    double scale;               /* of all sizes of text, 1 for 8 points */
    double ascent, descent, capital;    /* of the font, in font sizes */
    struct names texts;         /* that were laid out, and how; by number: */
    struct text_extent *extent;
    size_t extent_room;
    int laid;                   /* the one that `layout` has now; -1: another */
    struct _GStringChunk *shorter;      /* glib's: names made shorter */
    struct path path;
    struct text_box *box;       /* of all text put so far, and what it keeps off */
    size_t nbox, box_room;
    unsigned steps;             /* lines and texts, for looking now and then whether to stop */
    double wanted;              /* height that what is drawn would like the page to have; 0: any */
    bool failed;                /* memory ran out, or the user asked to stop: the figure is not to be used */
    bool stopped;               /* the latter */
    /* How it turned out, for figure_draw. */
    size_t nameless;            /* names of points that had no room */
    size_t cut;                 /* texts that were cut short */
    bool cramped;               /* little of the page is left to the data */
    char told[PAGE_TOLD];       /* sentences on what was asked for and has no room */
};
/* Without a device: measures, draws nothing. `page` may be NULL. */
int canvas_open(struct canvas *c, const struct page *page, struct err *err);
void canvas_close(struct canvas *c);
void canvas_forget(struct canvas *c);           /* what is known of texts */
/* The size of the labels of axes on that page (not NULL), in points. */
double canvas_letters(const struct page *page);
/* Says that the data have a place of that size; less than CRAMPED of the page's width or height is little. */
void canvas_data(struct canvas *c, double width, double height);
/* Adds a sentence to what is told, once. */
void canvas_tell(struct canvas *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether there is a device, and still a use for the figure: asks page->tick now and then. */
bool canvas_draws(struct canvas *c);

void canvas_move(struct canvas *c, double x, double y);
void canvas_line(struct canvas *c, double x, double y);
void canvas_curve(struct canvas *c, double x1, double y1, double x2, double y2, double x, double y);
void canvas_circle(struct canvas *c, double x, double y, double radius);
void canvas_rect(struct canvas *c, const struct rect *r);
void canvas_close_path(struct canvas *c);
/* Adds a line of its own to the path. */
void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1);
/* Each of these takes the path; the next begins afresh. */
void canvas_stroke(struct canvas *c, const struct pen *pen);
void canvas_stroke_grey(struct canvas *c, double width, double level);      /* by pen_grey */
void canvas_fill(struct canvas *c, struct rgb colour, double opacity);
void canvas_paint(struct canvas *c, struct rgb fill, double opacity, const struct pen *pen);
void canvas_image(struct canvas *c, const struct rect *r, int w, int h, const uint32_t *pixel);
void canvas_clip(struct canvas *c, const struct rect *r);
void canvas_unclip(struct canvas *c);
/* What is drawn between belongs together under a name; `tip` (may be NULL) is what a viewer says of it, `at` what part
 * of the page it is about. */
void canvas_begin(struct canvas *c, const char *name, const char *tip);
void canvas_begin_at(struct canvas *c, const char *name, const struct rect *at);
void canvas_end(struct canvas *c);
/* Parallel lines within a rectangle. */
void canvas_hatch(struct canvas *c, const struct rect *r, double step, bool rising, const struct pen *pen);

/* ---- text -------------------------------------------------------------------------------------------- */

#define INK 0.15                /* grey levels: text and axes, asides, grid */
#define PALE 0.40
#define FAINT 0.88
static inline struct rgb grey(double level)
{
    return (struct rgb){ level, level, level };
}
/* A pen of that width and grey level. */
static inline struct pen pen_grey(double width, double level)
{
    return (struct pen){ .colour = { level, level, level }, .width = width };
}

struct pen pen_dashed(double width);
/* Of what failed: dashed lines in red (of a grey palette, dark); a cross; a node, hollow and crossed out. */
struct pen pen_failed(const struct canvas *c, double width);
void canvas_cross(struct canvas *c, double x, double y, double arm, double width);
void canvas_crossed(struct canvas *c, double x, double y, double radius);

#define SIZE_TICK 8.0           /* of fonts, in points at scale 1 */
#define SIZE_TITLE 8.5
#define SIZE_HEAD 9.5
#define SIZE_NOTE 7.0
#define SIZE_LEAST 6.0          /* to which letters shrink before words are cut */

struct text {
    const char *text;           /* any bytes; with `markup`, what markup_of and axis.h made */
    double size;                /* of the font, at scale 1 */
    bool bold, markup;
    double width;               /* cut or wrapped to this; 0: as long as it is */
    bool middle;                /* cut in the middle rather than at the end */
    bool shortened;             /* text_shorten has taken something out of it */
    int lines;                  /* at most, when `width` is set; 0: one */
    double grey;                /* 0: INK */
    bool centre;                /* lines, each in the middle of the width */
    bool white, halo;           /* white ink; a rim of paper around the letters */
    bool inked;                 /* in the colour of `ink` */
    struct rgb ink;
};
/* The height of a line is that of the font, whatever its letters, so that labels of one axis stand level. */
double text_height(const struct canvas *c, double size);
void text_measure(struct canvas *c, const struct text *t, double *width, double *height);
double text_width(struct canvas *c, const struct text *t);
double text_high(struct canvas *c, const struct text *t);        /* of all its lines */
bool text_cut(struct canvas *c, const struct text *t);           /* It has no room in its lines. */
/* The names of one figure: those without room lose what they have in common before what tells them apart, and differ
 * after it. What is left is the canvas'. How many had no room. */
enum { SHORTEN_MOST = 200 };        /* names: more are cut as any text is */
size_t text_shorten(struct canvas *c, struct text *const *name, size_t n);
/* Puts the point (along, across) of the text's box, each 0..1, at x, y, turned by `angle` (radians, clockwise)
 * about it. 0.5 across is the middle of a capital letter. */
void text_put(struct canvas *c, const struct text *t, double x, double y, double along, double across, double angle);
/* Puts it only where its box, `gap` wider on each side, lies within `bounds` and touches no text put before. */
bool text_try(struct canvas *c, const struct text *t, double x, double y, double along, double across, double angle,
              const struct rect *bounds, double gap);
/* Does text put so far lie on other text, or off the page? Sorts the boxes. */
bool text_crowded(struct canvas *c);
/* Keeps text_try off a rectangle. */
void text_keep_off(struct canvas *c, const struct rect *r);
/* Makes its ink white, black or INK, with a contrast of 4.5 or more with the ground (WCAG 2.1). */
void text_on(struct text *t, struct rgb ground);
/* Any text as markup that shows it; free with g_free. NULL: memory, and the canvas has failed. */
char *markup_of(struct canvas *c, const char *text);
/* utf8_line, as markup_of: to be freed. */
char *line_of(struct canvas *c, const char *text);

/* ---- series ------------------------------------------------------------------------------------------ */

/* How a series looks is one number: its colour is look % LOOK_COLOURS, its dashes (hatching of bars) look /
 * LOOK_COLOURS. Series have colours that the colour-blind can tell apart, marks of different shape and, from the eighth
 * on (in grey at once), other dashes; lines without marks have other dashes from the second on. */
#define LOOK_COLOURS 7
#define LOOK_DASHES 4
struct rgb series_colour(const struct canvas *c, size_t look);
struct rgb series_ink(const struct canvas *c, size_t look);     /* its colour, dark enough for letters */
struct pen series_pen(const struct canvas *c, size_t look, double width);
struct pen series_pen_unmarked(const struct canvas *c, size_t look, double width);
void series_mark(struct canvas *c, size_t look, double x, double y, bool hollow);
/* The mark without a rim, to be seen through: where many lie on each other it is darker. */
void series_dot(struct canvas *c, size_t look, double x, double y, double opacity);
void series_fill(struct canvas *c, size_t look, const struct rect *r);
/* The surface of a region on a map, of n rectangles: paler than a line, so that lines and text can be read on it,
 * without a rim, and with stripes that run through all of them. */
void series_tile(struct canvas *c, size_t look, const struct rect *r, size_t n);
bool series_tile_dark(const struct canvas *c, size_t look);     /* white lines are read better on it */
/* A colour of the palette's ramp, 0 the low end, 1 the high one. */
struct rgb ramp_colour(const struct canvas *c, double t);
/* Of its diverging one, 0.5 the middle; for palettes that are not grey. */
struct rgb ramp_diverging(const struct canvas *c, double t);
