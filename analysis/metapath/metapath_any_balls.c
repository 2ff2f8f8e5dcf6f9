/* Sums over gravity areas from those over smaller ones. Let V_k(s) be the sum of the rows of the terminals within k hops
 * of s. A node within k - 2 hops of s is within k - 1 of every neighbour of s; one at k - 1 or k hops of at least one
 * of them, and no other is. So where links go both ways
 *     V_k(s) = sum of V_{k-1}(u) over the neighbours u of s - (degree - 1) V_{k-2}(s) - the rows counted again,
 * which are few where few ways of the same length lead to a node, as in random networks.
 * 1. opening   who is near whom, and which rows are counted again
 * 2. sums      a few targets at a time, so that what is summed stays in the cache */
#include "analysis/metapath/metapath_any.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/clones.h"
#include "graph/base/grow.h"

#define MOST_RADIUS 16          /* beyond, areas of networks with few ways hold all nodes */
#define AHEAD 12                /* rows asked of memory before their turn */
#define TRIAL 64                /* nodes after which what is gained shows */

/* ---- opening ---- */

/* The nodes within radius - 1 hops of every node, nearest first: node[near_end(v, -1)] .. node[near_end(v, k) - 1] are
 * those within k hops of v. */
struct near {
    int radius;
    size_t *end, room;          /* 1 + n x radius */
    int *node;
    int *times;                 /* n, 0 between uses */
    unsigned char *terminal;    /* n flags */
};

static size_t near_end(const struct near *b, int v, int k)
{
    return b->end[(size_t)v * (size_t)b->radius + (size_t)(k + 1)];
}

static int near_open(struct near *b, const struct any *a, const char *what, struct err *err)
{
    const struct csr *c = &a->forward;

    b->end = calloc((size_t)c->n * (size_t)b->radius + 1, sizeof *b->end);
    b->times = calloc((size_t)c->n, sizeof *b->times);
    b->terminal = calloc((size_t)c->n, 1);
    if (!b->end || !b->times || !b->terminal)
        return err_memory(err);
    for (int k = 0; k < a->nterminal; k++)
        b->terminal[net_terminal(a->net, k)] = 1;
    for (int v = 0; v < c->n; v++) {
        const size_t begin = near_end(b, v, -1);
        size_t from = begin, to = begin;

        if (GROW(&b->room, begin + (size_t)c->n, what, err, GROWN(b->node)) < 0)
            return -1;
        b->node[to++] = v;
        b->times[v] = 1;
        for (int k = 0; k < b->radius; k++) {
            const size_t end = to;

            b->end[(size_t)v * (size_t)b->radius + (size_t)(k + 1)] = end;
            for (; k + 1 < b->radius && from < end; from++)
                for (size_t e = c->first[b->node[from]]; e < c->first[b->node[from] + 1]; e++)
                    if (!b->times[c->to[e]]) {
                        b->times[c->to[e]] = 1;
                        b->node[to++] = c->to[e];
                    }
        }
        for (size_t i = begin; i < to; i++)
            b->times[b->node[i]] = 0;
    }
    return 0;
}

static void near_close(struct near *b)
{
    free(b->end);
    free(b->node);
    free(b->times);
    free(b->terminal);
}

/* Appends the terminals that V_k(s) counts again, as often as it does; room is for all that are summed. Returns how many nodes are within k hops, and
 * in *size how many terminals. */
static size_t count_again(const struct near *b, const struct csr *c, int s, int k, int *again, size_t *nagain,
                          size_t *size)
{
    const int *const begin = c->to + c->first[s], *const end = c->to + c->first[s + 1];
    size_t nodes = 0, terminals = 0;

    for (size_t i = near_end(b, s, -1); i < near_end(b, s, k - 2); i++)
        b->times[b->node[i]] = 1 - (int)(end - begin);
    for (const int *u = begin; u < end; u++)
        for (size_t i = near_end(b, *u, -1); i < near_end(b, *u, k - 1); i++) {
            const int m = b->node[i], times = ++b->times[m];

            nodes += times == 1;
            terminals += times == 1 && b->terminal[m];
            again[*nagain] = m;
            *nagain += times > 1 && b->terminal[m];
        }
    for (const int *u = begin; u < end; u++)
        for (size_t i = near_end(b, *u, -1); i < near_end(b, *u, k - 1); i++)
            b->times[b->node[i]] = 0;
    *size = terminals;
    return nodes;
}

/* Hops from s to the terminals within `radius` hops, of whom there are `size`. */
static uint64_t hops_within(const struct near *b, int s, size_t size)
{
    uint64_t hops = 0, left = size;

    for (int k = 0; k < b->radius; k++) {
        for (size_t i = near_end(b, s, k - 1); i < near_end(b, s, k); i++)
            left -= b->terminal[b->node[i]];
        hops += left;           /* those farther than k hops */
    }
    return hops;
}

int any_balls_open(const struct any *a, struct any_sets *set, const struct supernode *sn, struct err *err)
{
    const struct csr *c = &a->forward;
    const size_t n = (size_t)c->n, radius = (size_t)sn->radius;
    struct near b = { .radius = sn->radius };
    size_t room = 0, nagain = 0, members = 0, rows = 0;
    int ret = -1;

    if (sn->shape != SHAPE_BALL || sn->both || a->net->directed || a->net->lines == LINES_GRID || !a->narrow ||
        radius < 2 || radius > MOST_RADIUS)
        return 0;
    set->first = calloc(n + 1, sizeof *set->first);
    set->base = calloc(n, sizeof *set->base);
    set->again_first = calloc(n * radius + 1, sizeof *set->again_first);
    if (((!set->first || !set->base || !set->again_first) && err_memory(err) < 0) ||
        near_open(&b, a, sn->spec, err) < 0)
        goto done;
    for (int s = 0; s < c->n; s++) {
        size_t most = AHEAD, nodes = 0, size = 0;

        for (size_t e = c->first[s]; e < c->first[s + 1]; e++)
            most += near_end(&b, c->to[e], b.radius - 1) - near_end(&b, c->to[e], -1);
        if (GROW(&room, nagain + most * radius, sn->spec, err, GROWN(set->again)) < 0)
            goto done;
        for (int k = 1; k <= sn->radius; k++) {
            nodes = count_again(&b, c, s, k, set->again, &nagain, &size);
            set->again_first[(size_t)s * radius + (size_t)k] = nagain;
        }
        if (!b.terminal[s])
            size = 0;
        set->first[s + 1] = set->first[s] + size;
        set->base[s] = size ? hops_within(&b, s, size) : 0;
        members += nodes;
        rows += nagain - set->again_first[(size_t)s * radius] + radius * 2 * (c->first[s + 1] - c->first[s] + 1);
        if (2 * set->base[s] > UINT16_MAX || ((s >= TRIAL || s == c->n - 1) && 2 * rows > members)) {
            ret = 0;
            goto done;
        }
        if (s % 4096 == 0 && tick(&a->o->tick, 0)) {
            err_stopped(err);
            goto done;
        }
    }
    memset(set->again + nagain, 0, AHEAD * sizeof *set->again);
    ret = 1;
done:
    near_close(&b);
    if (ret < 1)
        any_sets_release(set);
    return ret;
}

/* ---- sums ---- */

struct level {
    const struct csr *c;
    const size_t *first;        /* rows counted again at s: again[first[s * step]] .. again[first[s * step + 1] - 1] */
    size_t step;
    const int *again;
    const uint8_t *row;         /* n x ANY_STRIPE: the distances; `most` of them fit a byte */
    size_t most;
    bool innermost;             /* V_1 = V_0 of s and its neighbours */
    const uint16_t *less, *least;       /* n x ANY_STRIPE: V_{k-1} and V_{k-2} (V_0 for V_1) */
    uint16_t *to;               /* n x stride: V_k; may be where V_{k-2} was */
    size_t stride;
};

static inline void ask_for(const uint16_t *sum)
{
    for (size_t b = 0; b < ANY_STRIPE; b += 64 / sizeof *sum)
        __builtin_prefetch(sum + b);
}

/* Modulo 2^16. */
SIMD_CLONES static void sum_level(const struct level *l)
{
    const struct csr *c = l->c;

    for (size_t s = 0; s < (size_t)c->n; s++) {
        const size_t end = l->first[s * l->step + 1];
        const uint16_t times = (uint16_t)(l->innermost ? 1 : 1 - (c->first[s + 1] - c->first[s]));
        uint16_t sum[ANY_STRIPE];

        for (size_t b = 0; b < ANY_STRIPE; b++)
            sum[b] = (uint16_t)(times * l->least[s * ANY_STRIPE + b]);
        for (size_t e = c->first[s]; e < c->first[s + 1]; e++) {
            const uint16_t *less = l->less + (size_t)c->to[e] * ANY_STRIPE;

            ask_for(l->less + (size_t)c->to[e + AHEAD < c->m ? e + AHEAD : e] * ANY_STRIPE);
            for (size_t b = 0; b < ANY_STRIPE; b++)
                sum[b] = (uint16_t)(sum[b] + less[b]);
        }
        for (size_t i = l->first[s * l->step]; i < end;) {
            const size_t stop = end - i < l->most ? end : i + l->most;
            uint8_t part[ANY_STRIPE] = { 0 };

            for (; i < stop; i++) {
                const uint8_t *row = l->row + (size_t)l->again[i] * ANY_STRIPE;

                __builtin_prefetch(l->row + (size_t)l->again[i + AHEAD] * ANY_STRIPE);
                for (size_t b = 0; b < ANY_STRIPE; b++)
                    part[b] = (uint8_t)(part[b] + row[b]);
            }
            for (size_t b = 0; b < ANY_STRIPE; b++)
                sum[b] = (uint16_t)(sum[b] - part[b]);
        }
        memcpy(l->to + s * l->stride, sum, sizeof sum);
    }
}

void any_balls_sum(const struct any *a, struct any_thread *w, size_t i)
{
    const struct any_sets *set = &a->set[i];
    const int n = a->net->n, radius = a->sn[i].radius;
    const size_t all = (size_t)n * ANY_STRIPE;
    uint16_t *const ball[2] = { w->ball + (size_t)n * DIST_BLOCK, w->ball + (size_t)n * DIST_BLOCK + all };
    uint8_t *row = (uint8_t *)(ball[1] + all);

    for (int from = 0; from < w->ntarget; from += ANY_STRIPE) {
        for (int v = 0; v < n; v++)
            memcpy(row + (size_t)v * ANY_STRIPE, w->row8 + (size_t)v * DIST_BLOCK + from, ANY_STRIPE);
        memset(ball[0], 0, all * sizeof *ball[0]);
        for (int k = 0; k < a->nterminal; k++) {
            const size_t at = (size_t)net_terminal(a->net, k) * ANY_STRIPE;

            for (size_t b = at; b < at + ANY_STRIPE; b++)
                ball[0][b] = row[b];
        }
        for (int k = 1; k <= radius; k++)
            sum_level(&(struct level){
                .c = &a->forward, .first = set->again_first + k - 1, .step = (size_t)radius, .again = set->again,
                .row = row, .most = 255 / a->longest, .innermost = k == 1, .less = ball[(k - 1) % 2],
                .least = ball[k > 1 ? k % 2 : 0], .to = k < radius ? ball[k % 2] : w->ball + from,
                .stride = k < radius ? ANY_STRIPE : DIST_BLOCK });
    }
}

/* The sum over n members is n times the source's own distance, but for the hops to them at most. */
SIMD_CLONES void any_balls_load(uint32_t *sum, const uint16_t *ball, const uint32_t *dist, uint32_t n, uint32_t base)
{
    for (int b = 0; b < DIST_BLOCK; b++) {
        const uint32_t least = n * dist[b] - base;

        sum[b] = least + (uint16_t)(ball[b] - least);
    }
}
