#include "analysis/metapath/rows.h"
#include "graph/base/clones.h"

#define AHEAD 6                 /* rows prefetched before their turn: they are scattered */

static inline void prefetch(const void *row, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)row + i);
}

/* Sums of `most` rows fit a byte. */
SIMD_CLONES static void sum_in_bytes(uint32_t *sum, const uint8_t *row, const int *member, int n, int most)
{
    for (int from = 0; from < n; from += most) {
        int to = n - from < most ? n : from + most;
        uint8_t part[DIST_BLOCK] = { 0 };

        for (int i = from; i < to; i++) {
            const uint8_t *at = row + (size_t)member[i] * DIST_BLOCK;

            if (i + AHEAD < n)
                prefetch(row + (size_t)member[i + AHEAD] * DIST_BLOCK, DIST_BLOCK);
            for (int b = 0; b < DIST_BLOCK; b++)
                part[b] = (uint8_t)(part[b] + at[b]);
        }
        for (int b = 0; b < DIST_BLOCK; b++)
            sum[b] += part[b];
    }
}

SIMD_CLONES static void sum_in_words(uint32_t *sum, const uint8_t *row, const int *member, int n)
{
    for (int from = 0; from < n; from += 256) {             /* 257 bytes fill 16 bits */
        int to = n - from < 256 ? n : from + 256;
        uint16_t part[DIST_BLOCK] = { 0 };

        for (int i = from; i < to; i++) {
            const uint8_t *at = row + (size_t)member[i] * DIST_BLOCK;

            if (i + AHEAD < n)
                prefetch(row + (size_t)member[i + AHEAD] * DIST_BLOCK, DIST_BLOCK);
            for (int b = 0; b < DIST_BLOCK; b++)
                part[b] = (uint16_t)(part[b] + at[b]);
        }
        for (int b = 0; b < DIST_BLOCK; b++)
            sum[b] += part[b];
    }
}

void rows_sum8(uint32_t *sum, const uint8_t *row, const int *member, int n, uint32_t longest)
{
    memset(sum, 0, DIST_BLOCK * sizeof *sum);
    if (longest < 32)
        sum_in_bytes(sum, row, member, n, (int)(255 / (longest ? longest : 1)));
    else
        sum_in_words(sum, row, member, n);
}

SIMD_CLONES void rows_sum32(uint32_t *sum, const uint32_t *row, const int *member, int n)
{
    memset(sum, 0, DIST_BLOCK * sizeof *sum);
    for (int i = 0; i < n; i++) {
        const uint32_t *at = row + (size_t)member[i] * DIST_BLOCK;

        for (int b = 0; b < DIST_BLOCK; b++)
            sum[b] += at[b];
    }
}

SIMD_CLONES void rows_or8(uint8_t *any, const uint8_t *row, const int *member, int n)
{
    memset(any, 0, DIST_BLOCK);
    for (int i = 0; i < n; i++) {
        const uint8_t *at = row + (size_t)member[i] * DIST_BLOCK;

        for (int b = 0; b < DIST_BLOCK; b++)
            any[b] |= at[b];
    }
}

SIMD_CLONES void rows_count8(uint8_t *count, const uint8_t *mask, uint8_t with)
{
    for (int b = 0; b < DIST_BLOCK; b++) {          /* bits of a byte added in pairs, fours, eights */
        uint8_t x = mask[b] | with;

        x = (uint8_t)(x - ((x >> 1) & 0x55));
        x = (uint8_t)((x & 0x33) + ((x >> 2) & 0x33));
        count[b] = (uint8_t)(count[b] + ((x + (x >> 4)) & 0x0f));
    }
}

SIMD_CLONES void rows_total(struct rows_total *t, const uint32_t *value, uint32_t base, const uint8_t *keep)
{
    uint64_t sum = 0, squares = 0;
    uint32_t n = 0, least = UINT32_MAX, greatest = 0;

    for (int b = 0; b < DIST_BLOCK; b++) {
        uint32_t mask = (uint32_t)-(int32_t)keep[b], x = (value[b] + base) & mask, low = x | ~mask;

        n += keep[b];
        sum += x;
        squares += (uint64_t)x * x;
        least = low < least ? low : least;
        greatest = x > greatest ? x : greatest;
    }
    *t = (struct rows_total){ n, sum, squares, least, greatest };
}
