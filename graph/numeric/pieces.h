/* pieces.h -- a curve as straight lines one beside the other: y = a + b x from each break to the next, fitted so that
 * relative errors are least in squares.
 * Breaks are those of the least sum of squares, by dynamic programming (Bellman 1961; Bai and Perron 2003), their number
 * the one with the least BIC: n ln(mean square) + (3 k - 1) ln n of k pieces (Schwarz 1978), where mean squares below
 * that of `floor` count as that. A piece has three points at least, and b >= 0.
 * Of more than PIECES_GROUPS points breaks lie between groups of neighbours at first, and are moved then.
 * Weights stand for how far points are believed (1: wholly); a point that is off by more than PIECES_OFF and by three
 * deviations (of the median of residuals) counts by that distance only (Huber 1964), in pieces of six points and more.
 * Errors  ERR_DOMAIN: fewer than three points; ERR_MEMORY. */
#pragma once

#include "graph/base/base.h"

enum { PIECES_LEAST = 3, PIECES_MOST = 12, PIECES_GROUPS = 128, PIECES_ROBUST = 6 };
#define PIECES_OFF 0.20
struct piece {
    size_t from, to;            /* points from .. to - 1 */
    double a, b;
    double worst;               /* greatest |a + b x - y| / y */
};
static inline double piece_at(const struct piece *p, double x)
{
    return p->a + p->b * x;
}
/* x ascending, y > 0, weights > 0. Into piece[0..n-1], n PIECES_MOST at most. */
int pieces_fit(struct piece piece[PIECES_MOST], size_t *npiece, const double *x, const double *y, const double *weight,
               size_t n, double floor, struct err *err);
/* One line through points p->from .. p->to - 1; `free`: a and b may be anything, b negative too. */
void piece_fit(struct piece *p, const double *x, const double *y, const double *weight, bool free);
/* Beyond what a point of p is off too far: PIECES_OFF, or three deviations by the median; scratch: as many as p has. */
double piece_bound(const struct piece *p, const double *x, const double *y, double *scratch);
/* How a and b of that line follow y: da = sum by_a[i] dy[i], db = sum by_b[i] dy[i], i from p->from. */
void piece_follows(double *by_a, double *by_b, const struct piece *p, const double *x, const double *y,
                   const double *weight);
