/* plot.h -- the sheet a figure is drawn on, and writing it to a file. */
#pragma once

#include "graph/base/entry.h"

struct palette;
struct canvas;
struct sink;

/* Where the names of series stand: right of the data, below them, in a free place among them, at the ends of lines. */
enum legend_place { LEGEND_AUTO, LEGEND_RIGHT, LEGEND_BELOW, LEGEND_INSIDE, LEGEND_DIRECT, LEGEND_NONE };
#define LEGEND_WORDS "auto|right|below|inside|direct|none"      /* as in enum legend_place */

/* What the figure looks like, whatever it shows. Zeros are the defaults. */
struct page {
    double width_mm, height_mm; /* 160 wide; 0.625 of the width high */
    const char *font;           /* a family: "DejaVu Sans" */
    double font_size;           /* of the labels of axes, in points: 8, below 70 mm of width 7; the rest follows */
    const struct palette *palette;
    double dpi;                 /* of pixel formats: 300 */
    int legend;                 /* enum legend_place */
    bool fitted;                /* the height is made to suit what is drawn, not asked for */
    struct tick tick;           /* asked while drawing: a figure that is stopped is ERR_STOPPED */
    char *told;                 /* PAGE_TOLD bytes: sentences on what was asked for and has no room; or NULL */
    size_t nameless;            /* names of points that are said to be left out; NAMELESS_SOME: some; figure_draw's */
};
#define PAGE_TOLD 400
#define NAMELESS_SOME SIZE_MAX
#define PAGE_WIDTH 160.0        /* mm, where nothing is said */
#define PAGE_NARROW 300.0       /* points (106 mm): a page this narrow needs its width for the data */
#define PAGE_LEAST 10.0         /* mm, of a side; figures with axes take 40 */
#define PAGE_MOST 2000.0
#define LETTERS_LEAST 5.0       /* points: to which labels of axes shrink where they have no room */
/* "140", "140x90", "column" (84), "one-and-half" (127), "two-columns" (174): widths that journals ask for, in mm. */
int page_size(struct page *page, const char *text, struct err *err);

/* Whatever can be drawn: `draw` sees a canvas of the page's size. With `shape` (else NULL), which sets the sides of a
 * page that leaves them open, no text lies on other text or off the page: letters larger than usual shrink before words
 * are cut, all shrink down to LETTERS_LEAST before they touch, and page->told gets a sentence on that; where even these
 * have no room the page is refused (ERR_DOMAIN), with a size that would do. */
struct figure {
    int (*draw)(struct canvas *canvas, const void *data, struct err *err);
    const void *data;
    char *title, *description;  /* for those who cannot see it; may be NULL; not owned */
    int (*shape)(const void *data, struct page *page, struct err *err);
};

struct plot_format {
    ENTRY;
    const char *extension;      /* ".svg" */
    /* Gives the canvas a device that writes to canvas->sink. */
    int (*begin)(struct canvas *canvas, const struct figure *figure, struct err *err);
    /* Completes the bytes (`abandon`: only releases). They depend on the figure alone. */
    int (*end)(struct canvas *canvas, bool abandon, struct err *err);
};
KIND_HEADER(plot, plot, struct plot_format);

/* Draws to a file; its extension picks the format. figure_check_path refuses others, with ERR_USAGE, before the
 * work that a figure may need. */
int figure_check_path(const char *path, struct err *err);
int figure_write(const struct figure *f, const struct page *page, const char *path, struct err *err);
/* The whole file as bytes; release sink->bytes with free. */
int figure_draw(struct sink *sink, const struct figure *f, const struct page *page, const struct plot_format *format,
                struct err *err);
/* Gives back what the drawing libraries keep, at the end of the program. */
void figure_teardown(void);
