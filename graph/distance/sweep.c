/* sweep.c -- breadth-first search from 512 sources at once, a bit each (sweep.h has the method and its source).
 * 1. bit planes to bytes   distances kept in binary, spread out in one pass at the end
 * 2. the kernels           one level, compiled per instruction set and chosen when it runs
 * 3. memory                aligned, in huge pages
 * 4. levels                which nodes may still grow: marks, and lists of them */
#include "graph/distance/sweep.h"

#include <sys/mman.h>

#include "graph/base/simd.h"

/* CLOSED: full in both copies. FULL: reached by every source at the last level, so next[] is behind.
 * OPEN: reached by some. VIRGIN: by none yet. */
enum { CLOSED, FULL, OPEN, VIRGIN };

#define AHEAD 16                /* nodes to fetch before their turn; the list has room for reading as far */
#define FAR_AHEAD 64            /* links to fetch words for before their turn */
#define FAR (1 << 13)           /* nodes: 512 KiB of words, about half of a cache that two threads do not share */
#define PATIENCE 8              /* links: asking for full words before costs more in wrong guesses than it spares */
#define PUSH 3                  /* times as many nodes to visit as grew, from which on these push */
#define HUGE_PAGE ((size_t)2 << 20)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are also read as bytes, source 0 first");

/* ---- bit planes to bytes: 255 where no source's bit is set in now[v] ---- */

/* Bit i of `bits` to the lowest bit of byte i. */
static inline uint64_t eight_bytes(uint64_t bits)
{
    return (((bits * 0x0101010101010101u & 0x8040201008040201u) + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u) >> 7;
}

static void spread_plain(const struct sweep *s, uint8_t *row, int planes)
{
    for (int v = 0; v < s->out->n; v++, row += DIST_BLOCK) {
        uint8_t plane[8][DIST_BLOCK / 8], reached[DIST_BLOCK / 8];

        memcpy(plane, row, sizeof plane);
        memcpy(reached, s->now[v], sizeof reached);
        for (int i = 0; i < DIST_BLOCK / 8; i++) {
            uint64_t bytes = eight_bytes((uint8_t)~reached[i]) * 0xff;

            for (int k = 0; k < planes; k++)
                bytes |= eight_bytes(plane[k][i]) << k;
            memcpy(row + 8 * i, &bytes, 8);
        }
    }
}

#if SIMD_X86
static SIMD_AVX512 void spread_avx512(const struct sweep *s, uint8_t *row, int planes)
{
    for (int v = 0; v < s->out->n; v++, row += DIST_BLOCK) {
        uint64_t plane[8][SWEEP_WORDS];

        memcpy(plane, row, (size_t)planes * sizeof plane[0]);
        for (int i = 0; i < SWEEP_WORDS; i++) {
            __m512i bytes = _mm512_maskz_set1_epi8(~s->now[v][i], -1);

            for (int k = 0; k < planes; k++)
                bytes = _mm512_mask_add_epi8(bytes, plane[k][i], bytes, _mm512_set1_epi8((char)(1 << k)));
            _mm512_storeu_si512(row + 64 * i, bytes);
        }
    }
}
#endif

/* ---- the kernels ---- */

static inline void sweep_close(struct sweep *s, int v)
{
    memcpy(s->next[v], s->now[v], sizeof s->next[v]);
    s->state[v] = CLOSED;
    s->mark[v] = 0;
}

static inline void sweep_touch(struct sweep *s, int v)
{
    s->state[v] = OPEN;
    s->touched[s->ntouched++] = v;
}

#define KERNEL(name) name##_plain
#define TARGET
#define WIDTH 16
#define ANY(v) (((v)[0] | (v)[1]) != 0)
#include "graph/distance/sweep_kernel.h"
#undef KERNEL
#undef TARGET
#undef WIDTH
#undef ANY

static bool anywhere(void)
{
    return true;
}
static const struct sweep_kernel plain = { "plain", anywhere, push_plain, pull_plain, spread_plain };

#if SIMD_X86
#define KERNEL(name) name##_avx2
#define TARGET SIMD_AVX2
#define WIDTH 32
#define ANY(v) (!_mm256_testz_si256((__m256i)(v), (__m256i)(v)))
#include "graph/distance/sweep_kernel.h"
#undef KERNEL
#undef TARGET
#undef WIDTH
#undef ANY

#define KERNEL(name) name##_avx512
#define TARGET SIMD_AVX512
#define WIDTH 64
#define ANY(v) (_mm512_test_epi64_mask((__m512i)(v), (__m512i)(v)) != 0)
#include "graph/distance/sweep_kernel.h"

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}
static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}
static const struct sweep_kernel avx2 = { "avx2", has_avx2, push_avx2, pull_avx2, spread_plain };
static const struct sweep_kernel avx512 = { "avx512", has_avx512, push_avx512, pull_avx512, spread_avx512 };
#endif

const struct sweep_kernel *const sweep_kernels[] = {
#if SIMD_X86
    &avx512, &avx2,
#endif
    &plain, NULL
};

/* ---- memory ---- */

static size_t padded(int n)
{
    return ((size_t)n + 63) / 64 * 64;
}

double sweep_bytes(int n)
{
    const double rows = (double)padded(n);

    return sizeof(struct sweep) + (double)HUGE_PAGE + rows * (2.0 * DIST_BLOCK / 8 + 3 + 2 * sizeof(int)) +
        2 * DIST_BLOCK * sizeof(int);
}

/* Whether more than a quarter of the links lead far from their node. */
static bool leads_far(const struct csr *c)
{
    size_t far = 0;

    for (int v = 0; v < c->n; v++)
        for (size_t e = c->first[v]; e < c->first[v + 1]; e++)
            far += abs(c->to[e] - v) > FAR;
    return c->m > FAR_AHEAD + 4 && far > c->m / 4;
}

int sweep_init(struct sweep *s, const struct csr *out, const struct csr *in)
{
    const size_t n = padded(out->n), words = n * sizeof *s->now;

    memset(s, 0, sizeof *s);
    s->out = out;
    s->in = in;
    s->far = leads_far(in);
    for (int k = 0; !s->kernel; k++)
        if (sweep_kernels[k]->runs_here())
            s->kernel = sweep_kernels[k];
    /* Words are read all over the place: large pages spare address translations. */
    s->pages = (2 * words + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (2 * words < HUGE_PAGE)
        s->pages = 2 * words + 64;
    s->now = aligned_alloc(s->pages < HUGE_PAGE ? 64 : HUGE_PAGE, s->pages);
    s->list = calloc(n + DIST_BLOCK, sizeof *s->list);
    s->touched = malloc((n + DIST_BLOCK) * sizeof *s->touched);
    s->state = malloc(n + n + n / 64 + 64);
    if (!s->now || !s->list || !s->touched || !s->state) {
        sweep_release(s);
        return -1;
    }
    if (s->pages >= HUGE_PAGE)
        (void)madvise(s->now, s->pages, MADV_HUGEPAGE);     /* advice only: without it the sweep is slower, not wrong */
    s->next = s->now + n;
    s->mark = s->state + n;
    s->group = s->mark + n;
    memset(s->state, CLOSED, n + n + n / 64 + 64);      /* no node marked, padding closed */
    return 0;
}

void sweep_release(struct sweep *s)
{
    /* The two swap places; what was allocated is the lower one. */
    FREE(s->next && s->next < s->now ? s->next : s->now, s->list, s->touched, s->state);
    s->now = s->next = NULL;
    s->list = s->touched = NULL;
    s->state = NULL;
}

/* ---- levels ---- */

/* Marks and groups to none. */
static void unmark(struct sweep *s)
{
    const size_t n = padded(s->out->n);

    memset(s->mark, 0, n + n / 64);
}

static void set_bit(struct sweep *s, int i, unsigned weight)
{
    const uint64_t bit = (uint64_t)1 << (i % 64);

    s->full[i / 64] |= bit;
    for (unsigned k = 0; weight; k++, weight >>= 1)
        if (weight & 1) {
            s->mask[k][i / 64] |= bit;
            if (k >= s->nmask)
                s->nmask = k + 1;
        }
}

void sweep_start(struct sweep *s, const int *source, const int *weight, int nsource)
{
    const size_t n = (size_t)s->out->n;

    memset(s->now < s->next ? s->now : s->next, 0, 2 * padded(s->out->n) * sizeof *s->now);
    memset(s->state, VIRGIN, n);
    unmark(s);
    memset(s->full, 0, sizeof s->full);
    memset(s->mask, 0, sizeof s->mask);
    memset(s->bits, 0, sizeof s->bits);
    s->nmask = 0;
    s->ntouched = s->nfull = s->nlist = 0;
    for (int i = 0; i < nsource; i++) {
        const int v = source[i];

        s->now[v][i / 64] |= (uint64_t)1 << (i % 64);
        set_bit(s, i, weight ? (unsigned)weight[i] : 1);
        if (s->state[v] == VIRGIN) {
            sweep_touch(s, v);
            s->list[s->nlist++] = v;
        }
    }
    s->nvirgin = n - s->nlist;
    s->lasting = true;
    s->sum = 0;
    s->level = 0;
}

/* Marks the nodes of a list and those they are linked to; returns how many were not marked before. */
static size_t mark_beside(struct sweep *s, const int *list, size_t nlist)
{
    const struct csr *out = s->out;
    unsigned char *mark = s->mark, *group = s->group;
    size_t fresh = 0;

    for (size_t i = 0; i < nlist; i++) {
        const int v = list[i];

        mark[v] = 1;
        group[v / 64] = 1;
        for (size_t e = out->first[v]; e < out->first[v + 1]; e++) {
            const int u = out->to[e];

            fresh += !mark[u];
            mark[u] = 1;
            group[u / 64] = 1;
        }
    }
    return fresh;
}

static void mark_open(struct sweep *s)
{
    for (int v = 0; v < s->out->n; v++)
        s->mark[v] = s->state[v] != CLOSED;
    memset(s->group, 1, padded(s->out->n) / 64);
}

/* The marked nodes in ascending order, many at once where all or none are; marks are forgotten unless they last. */
static size_t sweep_collect(struct sweep *s)
{
    static const unsigned char every[8] = { 1, 1, 1, 1, 1, 1, 1, 1 }, none[8] = { 0 };
    const size_t ngroup = padded(s->out->n) / 64;
    int *list = s->list;
    size_t k = 0;

    for (size_t g = 0; g < ngroup; g++) {
        const size_t before = k;

        if (g % 8 == 0 && memcmp(s->group + g, none, 8) == 0) {
            g += 7;
            continue;
        }
        if (!s->group[g])
            continue;
        for (size_t v = 64 * g; v < 64 * g + 64; v += 8) {
            const unsigned char *mark = s->mark + v;

            if (memcmp(mark, none, 8) == 0)
                continue;
            if (memcmp(mark, every, 8) == 0) {
                for (size_t j = 0; j < 8; j++)
                    list[k + j] = (int)(v + j);
                k += 8;
                continue;
            }
            for (size_t j = 0; j < 8; j++) {
                list[k] = (int)(v + j);
                k += mark[j];
            }
        }
        if (!s->lasting)
            memset(s->mark + 64 * g, 0, 64);
        s->group[g] = s->lasting && k > before;
    }
    return k;
}

/* Marks the nodes that this level must visit.
 * A node takes part from when the first source reaches it, which is one level after a neighbour's first at most,
 * until all have. While most such nodes grow at every level, as they do when the sources lie together, marks last
 * from level to level and only the neighbours of nodes just touched are added. Where many wait in vain, marks
 * are made afresh from the nodes that grew. */
static void sweep_mark(struct sweep *s)
{
    const size_t n = (size_t)s->out->n;
    size_t visits = 0;                      /* beyond those of the level before */

    if (s->lasting && n - s->nvirgin - s->nfull > 4 * s->nlist) {
        s->lasting = false;
        unmark(s);
    }
    if (s->lasting && s->nvirgin == 0 && s->level > 0) {
        /* all that are not full are marked */
    } else if (s->lasting && (double)s->ntouched * (double)s->out->m >= 2.0 * (double)s->nvirgin * (double)n) {
        visits = s->nvirgin;                /* nearly all are about to be touched */
        mark_open(s);
        s->nvirgin = 0;
    } else if (s->lasting) {
        visits = mark_beside(s, s->touched, s->ntouched);
    } else if (2 * s->nlist >= n - s->nfull) {
        mark_open(s);
    } else {
        visits = mark_beside(s, s->list, s->nlist);
    }
    s->ntouched = 0;
    s->pushed = visits > PUSH * s->nlist;
    if (s->pushed)
        s->kernel->push(s);
}

bool sweep_step(struct sweep *s)
{
    uint64_t (*before)[SWEEP_WORDS] = s->now;

    if (s->nfull == (size_t)s->out->n)
        return false;
    sweep_mark(s);
    s->level++;
    s->sum = s->leaf_sum = 0;
    s->nlist = s->kernel->pull(s, sweep_collect(s));
    s->nvirgin -= s->ntouched < s->nvirgin ? s->ntouched : s->nvirgin;
    s->now = s->next;
    s->next = before;
    return s->nlist > 0;
}
