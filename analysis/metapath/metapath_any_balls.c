/* Sums over gravity areas from those over smaller ones. Let V_k(s) be the sum of the rows of the terminals within k
 * hops of s. A node within k - 2 hops of s is within k - 1 of every neighbour of s; one at k - 1 or k hops of at least
 * one of them, and no other is. So where links go both ways
 *     V_k(s) = sum of V_{k-1}(u) over the neighbours u of s - (degree - 1) V_{k-2}(s) - the rows counted again,
 * which are few where few shortest paths lead to a node, as in random networks; V_1(s) is V_0 of s and its neighbours.
 * Sums are modulo 2^16, over a few targets at a time, so that they stay in the cache. */
#include "analysis/metapath/metapath_any.h"
#include "graph/base/clones.h"
#include "graph/distance/search.h"

#define MOST_RADIUS 16          /* larger areas of such networks contain all nodes */
#define AHEAD 12                /* rows prefetched before their turn */
#define TRIAL 64                /* nodes after which the gain is judged */

/* The terminals within radius - 1 hops of every node, nearest first: terminal[near_end(v, -1)] ..
 * terminal[near_end(v, k) - 1] are those within k hops of v. */
struct near {
    int radius, *terminal, *times;      /* times: n, 0 between uses */
    size_t *end, n, room;               /* n x (radius + 1); 0 of those not asked for yet */
    struct search search;
};

static size_t near_end(const struct near *b, int v, int k)
{
    return b->end[(size_t)v * (size_t)(b->radius + 1) + (size_t)(k + 1)];
}

static int near_open(struct near *b, const struct any *a, const char *what, struct err *err)
{
    const size_t n = (size_t)a->net->n;

    b->n = 1;                           /* none begins at 0 */
    return search_open(&b->search, a->net, what, err) < 0 ||
        TAKE("metapaths", err, ZEROS(b->end, n * (size_t)(b->radius + 1)), ZEROS(b->times, n)) < 0 ? -1 : 0;
}

static void near_close(struct near *b)
{
    search_close(&b->search);
    FREE(b->end, b->terminal, b->times);
}

/* Those of one node, unless they are known. */
static int near_find(struct near *b, const struct any *a, int v, const char *what, struct err *err)
{
    struct search *q = &b->search;

    if (near_end(b, v, -1) > 0)
        return 0;
    if (GROW(&b->room, b->n + (size_t)a->net->n, what, err, GROWN(b->terminal)) < 0)
        return -1;
    search_begin(q, v, false);
    for (int k = -1, i = 0; k < b->radius; k++) {
        for (; k >= 0 && i < q->tail; i++)
            if (net_terminal_index(a->net, q->queue[i]) >= 0)
                b->terminal[b->n++] = q->queue[i];
        b->end[(size_t)v * (size_t)(b->radius + 1) + (size_t)(k + 1)] = b->n;
        if (k >= 0 && k + 1 < b->radius)
            search_level(q);
    }
    return 0;
}

/* Appends the terminals that V_k(s) counts again, as often as it does; there is room for all of them. Returns the
 * number of terminals within k hops. */
static size_t count_again(const struct near *b, const struct csr *c, int s, int k, int *again, size_t *nagain)
{
    const int *const begin = c->to + c->first[s], *const end = c->to + c->first[s + 1];
    size_t size = 0;

    for (size_t i = near_end(b, s, -1); i < near_end(b, s, k - 2); i++)
        b->times[b->terminal[i]] = 1 - (int)(end - begin);
    for (const int *u = begin; u < end; u++)
        for (size_t i = near_end(b, *u, -1); i < near_end(b, *u, k - 1); i++) {
            const int times = ++b->times[b->terminal[i]];

            size += times == 1;
            again[*nagain] = b->terminal[i];
            *nagain += times > 1;
        }
    for (const int *u = begin; u < end; u++)
        for (size_t i = near_end(b, *u, -1); i < near_end(b, *u, k - 1); i++)
            b->times[b->terminal[i]] = 0;
    return size;
}

int any_balls_open(const struct any *a, struct any_sets *set, const struct supernode *sn, struct err *err)
{
    const struct csr *c = &a->forward;
    const size_t n = (size_t)c->n, radius = (size_t)sn->radius;
    struct near b = { .radius = sn->radius };
    size_t room = 0, nagain = 0, members = 0;
    int ret = -1;

    if (sn->shape != SHAPE_BALL || sn->both || a->net->directed || a->net->lines == LINES_GRID || !a->narrow ||
        radius < 2 || radius > MOST_RADIUS)
        return 0;
    if (TAKE(sn->spec, err, ZEROS(set->first, n), ZEROS(set->many, n), ZEROS(set->base, n),
             ZEROS(set->again_first, n * radius + 1)) < 0 ||
        near_open(&b, a, sn->spec, err) < 0)
        goto done;
    for (int s = 0; s < c->n; s++) {
        size_t most = AHEAD, size = 0, rows;

        if (near_find(&b, a, s, sn->spec, err) < 0)
            goto done;
        for (size_t e = c->first[s]; e < c->first[s + 1]; e++)
            if (near_find(&b, a, c->to[e], sn->spec, err) < 0)
                goto done;
        for (size_t e = c->first[s]; e < c->first[s + 1]; e++)
            most += near_end(&b, c->to[e], b.radius - 1) - near_end(&b, c->to[e], -1);
        if (GROW(&room, nagain + most * radius, sn->spec, err, GROWN(set->again)) < 0)
            goto done;
        for (int k = 1; k <= sn->radius; k++) {
            size = count_again(&b, c, s, k, set->again, &nagain);
            set->again_first[(size_t)s * radius + (size_t)k] = nagain;
        }
        members += size;
        if (net_terminal_index(a->net, s) >= 0) {
            set->many[s] = (int)size;
            for (int k = 0; k < sn->radius; k++)            /* a hop for all that are farther than k */
                set->base[s] += size - (near_end(&b, s, k) - near_end(&b, s, -1));
        }
        rows = nagain + 2 * radius * (c->first[s + 1] + (size_t)s + 1);         /* so far; a sum is as wide as two */
        if (2 * set->base[s] > UINT16_MAX || ((s >= TRIAL || s == c->n - 1) && 2 * rows > members))
            ret = 0;
        else if (s % 4096 == 0 && tick(&a->o->tick, 0))
            err_stopped(err);
        else
            continue;
        goto done;
    }
    memset(set->again + nagain, 0, AHEAD * sizeof *set->again);
    ret = 1;
done:
    near_close(&b);
    return ret;
}

/* V_k of all nodes into `to`, a stride apart; it may be where V_{k-2} was. `most` rows fit a byte. */
SIMD_CLONES static void sum_level(const struct csr *c, const struct any_sets *set, int radius, int k,
                                  const uint8_t *row, size_t most, const uint16_t *const ball[2], uint16_t *to,
                                  size_t stride)
{
    const uint16_t *below = ball[(k - 1) % 2], *least = ball[k > 1 ? k % 2 : 0];

    for (size_t s = 0; s < (size_t)c->n; s++) {
        const size_t level = s * (size_t)radius + (size_t)k, end = set->again_first[level];
        const uint16_t times = (uint16_t)(k > 1 ? 1 - (c->first[s + 1] - c->first[s]) : 1);
        uint16_t sum[ANY_STRIPE];

        for (size_t b = 0; b < ANY_STRIPE; b++)
            sum[b] = (uint16_t)((unsigned)times * least[s * ANY_STRIPE + b]);
        for (size_t e = c->first[s]; e < c->first[s + 1]; e++) {
            const uint16_t *at = below + (size_t)c->to[e] * ANY_STRIPE;
            const uint16_t *later = below + (size_t)c->to[e + AHEAD < c->m ? e + AHEAD : e] * ANY_STRIPE;

            __builtin_prefetch(later);
            __builtin_prefetch(later + ANY_STRIPE / 2);
            for (size_t b = 0; b < ANY_STRIPE; b++)
                sum[b] = (uint16_t)(sum[b] + at[b]);
        }
        for (size_t i = set->again_first[level - 1]; i < end;) {
            const size_t stop = end - i < most ? end : i + most;
            uint8_t part[ANY_STRIPE] = { 0 };

            for (; i < stop; i++) {
                const uint8_t *at = row + (size_t)set->again[i] * ANY_STRIPE;

                __builtin_prefetch(row + (size_t)set->again[i + AHEAD] * ANY_STRIPE);
                for (size_t b = 0; b < ANY_STRIPE; b++)
                    part[b] = (uint8_t)(part[b] + at[b]);
            }
            for (size_t b = 0; b < ANY_STRIPE; b++)
                sum[b] = (uint16_t)(sum[b] - part[b]);
        }
        memcpy(to + s * stride, sum, sizeof sum);
    }
}

void any_balls_sum(const struct any *a, struct any_thread *w, size_t i)
{
    const int n = a->net->n, radius = a->sn[i].radius;
    const size_t all = (size_t)n * ANY_STRIPE;
    uint16_t *const ball[2] = { w->stripe, w->stripe + all };
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
            sum_level(&a->forward, &a->set[i], radius, k, row, 255 / a->longest,
                      (const uint16_t *const[]){ ball[0], ball[1] }, k < radius ? ball[k % 2] : w->ball[i] + from,
                      k < radius ? ANY_STRIPE : DIST_BLOCK);
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
