/* map.h -- what maps have in common: cells of a lattice on the page, contour lines with their values, numbers as
 * labels. */
#pragma once

#include "render/map/contour.h"
#include "render/figure/frame.h"
#include "render/map/lattice.h"

/* Where the cells of a panel stand on the page: n + 1 edges and n places of values along x, and along y. */
struct spots {
    double *x, *y, *cx, *cy;
    size_t nx, ny;
};
int spots_find(struct spots *s, const struct frame *f, const struct lattice *l, struct err *err);
void spots_release(struct spots *s);
/* Cuts each cell into times[0] x times[1] parts, alike on either side of its middle where these are even numbers. */
int spots_refine(struct spots *s, const size_t times[2], struct err *err);
/* The part of cells first..last of a row that is seen; where a neighbour follows to the right or below it goes on a
 * little under that one, to be drawn later: else paper shows through between them. False: nothing is seen. */
bool spots_cell(struct rect *out, const struct spots *s, const struct rect *seen, size_t first, size_t last, size_t row,
                bool on_right, bool on_below);

/* Light hatching under the cells without a value. */
void map_hatch(const struct frame *f, const double *value, const struct spots *s);
/* Regions of cells of one look (-1: left as they are), and the boundaries between them, kept in *boundary unless that
 * is NULL. */
int map_regions(const struct frame *f, const int *look, const struct spots *s, const struct pen *pen,
                struct contour *boundary, struct err *err);
/* What is laid over: rings. */
void map_marks(const struct frame *f, const struct chart *c, size_t panel);
/* Lays out and draws a map, the cells of each panel by `panel`, with a line around them, for they cover the axes in
 * part. */
int map_show(struct frame *f, int (*panel)(void *map, size_t panel, struct err *err), void *map, struct err *err);

/* How numbers are written: a number of decimals in units of 10^exponent, or of significant digits. */
struct digits {
    int n;
    bool significant;
    int exponent;
};
#define NUMBER_ROOM 128
void number_label(char markup[NUMBER_ROOM], double value, const struct digits *d);
/* Least digits that tell n values apart (four significant ones at most, else three). */
int digits_choose(struct digits *d, const double *value, size_t n, int exponent, struct err *err);
/* All its digits, but for crumbs, in units of 10^exponent. */
void number_shortest(char markup[NUMBER_ROOM], double value, int exponent);

/* Contour lines of z over points of the page, in dark or white; each is interrupted by its label where there is a place
 * for one within `bounds` that no other line crosses. A map so rough that lines would fill it has none. */
struct isoline {
    double level;
    char label[NUMBER_ROOM];
    bool white;
};
struct isolines {
    const double *x, *y, *z;
    size_t nx, ny;
    const struct isoline *line;
    size_t n;
    const struct rect *bounds;
    const struct contour *avoid;        /* other lines that labels keep off; NULL: none */
    bool halo;                          /* a rim of paper around lines and labels */
};
/* Round levels between lo and hi, as many as a panel has room for. */
size_t isolines_levels(double *level, size_t most, const struct frame *f, double lo, double hi, bool logarithmic);
int isolines_draw(struct canvas *c, const struct isolines *lines, struct err *err);
/* All its lines added to the path. */
void contour_trace(struct canvas *c, const struct contour *lines);
