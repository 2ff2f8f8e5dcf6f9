/* rows.h -- the inner loops over blocks of DIST_BLOCK distances: sums and unions of the rows of a set of nodes. */
#pragma once

#include "graph/distance/distances.h"
#include "graph/numeric/moments.h"

/* sum[b] = sum over the members m of row[m * DIST_BLOCK + b]; no value that counts exceeds `longest`. */
void rows_sum8(uint32_t *sum, const uint8_t *row, const int *member, int n, uint32_t longest);
void rows_sum32(uint32_t *sum, const uint32_t *row, const int *member, int n);
/* any[b] = union of the bits. */
void rows_or8(uint8_t *any, const uint8_t *row, const int *member, int n);

/* count[b] += number of bits set in either mask. */
void rows_count8(uint8_t *count, const uint8_t *mask, uint8_t with);

/* Totals of base + value[b] over the b with keep[b] (0 or 1): count, sum, sum of squares, least, greatest.
 * base + value[b] < 2^27, so that the squares of a block fit. */
struct rows_total {
    uint64_t n, sum, squares;
    uint32_t least, greatest;   /* UINT32_MAX, 0 when n = 0 */
};
void rows_total(struct rows_total *t, const uint32_t *value, uint32_t base, const uint8_t *keep);
static inline void rows_add(struct moments *m, const struct rows_total *t)
{
    m->n += t->n;
    m->sum += (wide_int)t->sum;
    m->squares += (wide_int)t->squares;
    if (t->n) {
        m->least = t->least < m->least ? t->least : m->least;
        m->greatest = t->greatest > m->greatest ? t->greatest : m->greatest;
    }
}
