/* distances.c -- distances between all nodes, 512 sources at a time (distances.h).
 * 1. counting     the graph in an order that keeps neighbours near, shared by all threads
 * 2. one block    its sweep (sweep.h), level by level, pairs counted
 * 3. all blocks   threads take blocks; whole numbers are added, whatever the order
 * 4. rows         of distances themselves, for few sources */
#include "graph/distance/distances.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/distance/sweep.h"

/* ---- counting: what every thread shares, and what each has of its own ---- */

struct shared {
    struct csr out, in;         /* numbered as csr_order says; in has no arrays of its own where links go both ways */
    int *order, *place;         /* csr_order and its inverse */
    int *source, *weight;       /* in that order and numbering; weight NULL: 1 each */
    int *original;              /* where each stood in the caller's list */
    unsigned char *target;      /* flags in that numbering */
    int nsource;
};
struct own {
    struct sweep *sweep;
    uint64_t *pairs;
    size_t room;
    int longest;
    int lost;                   /* least of the caller's positions of a source that misses a target, or INT_MAX */
    bool failed;
};

static void *aligned_zero(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (p)
        memset(p, 0, bytes);
    return p;
}

static void shared_release(struct shared *s)
{
    csr_release(&s->out);
    csr_release(&s->in);
    free(s->order);
    free(s->place);
    free(s->source);
    free(s->weight);
    free(s->original);
    free(s->target);
}

/* `c` with node v called place[v]. */
static int renumber(struct csr *out, const struct csr *c, const int *order, const int *place, struct err *err)
{
    size_t m = 0;

    *out = (struct csr){ .n = c->n, .m = c->m };
    out->first = malloc(((size_t)c->n + 1) * sizeof *out->first);
    out->to = malloc((c->m ? c->m : 1) * sizeof *out->to);
    if (!out->first || !out->to)
        return err_memory(err);
    for (int i = 0; i < c->n; i++) {
        out->first[i] = m;
        for (size_t e = c->first[order[i]]; e < c->first[order[i] + 1]; e++)
            out->to[m++] = place[c->to[e]];
    }
    out->first[c->n] = m;
    return 0;
}

/* The graph in its own numbering, and turned round where that makes a difference. */
static int share_graph(struct shared *s, const struct csr *c, struct err *err)
{
    struct csr turned = { .n = 0 };
    int ret = -1;

    if (csr_order(c, s->order, err) < 0)
        return -1;
    for (int i = 0; i < c->n; i++)
        s->place[s->order[i]] = i;
    if (renumber(&s->out, c, s->order, s->place, err) < 0 || csr_reverse(&turned, c, err) < 0)
        goto done;
    if (!csr_same(&turned, c) && renumber(&s->in, &turned, s->order, s->place, err) < 0)
        goto done;
    ret = 0;
done:
    csr_release(&turned);
    return ret;
}

/* The sources in the new numbering, ascending, so that those of a block lie together. */
static int share_sources(struct shared *s, int n, const int *source, const int *weight, int nsource, struct err *err)
{
    int *at = malloc((size_t)(n + 1) * sizeof *at);     /* new number -> position in the caller's list */
    int k = 0;

    if (!at)
        return err_memory(err);
    for (int v = 0; v < n; v++)
        at[v] = -1;
    for (int i = 0; i < nsource; i++)
        at[s->place[source[i]]] = i;
    for (int v = 0; v < n; v++)
        if (at[v] >= 0) {
            s->source[k] = v;
            s->original[k] = at[v];
            if (weight)
                s->weight[k] = weight[at[v]];
            k++;
        }
    s->nsource = k;
    free(at);
    return 0;
}

static int share(struct shared *s, const struct csr *c, const int *source, const int *weight, int nsource,
                 const unsigned char *is_target, struct err *err)
{
    const size_t n = (size_t)c->n + 1, k = (size_t)nsource + 1;

    s->order = malloc(n * sizeof *s->order);
    s->place = malloc(n * sizeof *s->place);
    s->source = malloc(k * sizeof *s->source);
    s->original = malloc(k * sizeof *s->original);
    s->weight = weight ? malloc(k * sizeof *s->weight) : NULL;
    s->target = malloc(n);
    if (!s->order || !s->place || !s->source || !s->original || (weight && !s->weight) || !s->target)
        return err_memory(err);
    if (share_graph(s, c, err) < 0)
        return -1;
    for (int i = 0; i < c->n; i++)
        s->target[i] = !is_target || is_target[s->order[i]];
    return share_sources(s, c->n, source, weight, nsource, err);
}

/* ---- one block ---- */

/* Least of the caller's positions among the block's sources that miss a target. */
static int first_lost(const struct shared *s, const struct sweep *w, int begin, int end)
{
    uint64_t missed[SWEEP_WORDS] = { 0 };
    int lost = INT_MAX;

    for (int v = 0; v < s->out.n; v++)
        if (s->target[v])
            for (int k = 0; k < SWEEP_WORDS; k++)
                missed[k] |= w->full[k] & ~w->now[v][k];
    for (int i = 0; i < end - begin; i++)
        if (missed[i / 64] >> i % 64 & 1 && s->original[begin + i] < lost)
            lost = s->original[begin + i];
    return lost;
}

static int distances_note(struct own *o, int level, uint64_t pairs)
{
    const size_t before = o->room;
    struct err ignored;

    if (GROW(&o->room, (size_t)level + 1, "pairs by distance", &ignored, GROWN(o->pairs)) < 0)
        return -1;
    memset(o->pairs + before, 0, (o->room - before) * sizeof *o->pairs);
    o->pairs[level] += pairs;
    if (level > o->longest)
        o->longest = level;
    return 0;
}

static void count_block(struct own *o, const struct shared *s, int begin)
{
    const int end = begin + DIST_BLOCK < s->nsource ? begin + DIST_BLOCK : s->nsource;
    struct sweep *w = o->sweep;

    sweep_start(w, s->source + begin, s->weight ? s->weight + begin : NULL, end - begin);
    while (sweep_step(w))
        if (w->sum && distances_note(o, w->level, w->sum) < 0) {
            o->failed = true;
            return;
        }
    if (w->nfull < (size_t)s->out.n) {
        const int lost = first_lost(s, w, begin, end);

        o->lost = lost < o->lost ? lost : o->lost;
    }
}

/* ---- all blocks ---- */

static int threads_for(int threads, int nsource)
{
    const int nblock = (nsource + DIST_BLOCK - 1) / DIST_BLOCK;
    const int wanted = threads > 0 ? threads : omp_get_max_threads();

    return nblock < 1 ? 1 : wanted < nblock ? wanted : nblock;
}

double dist_count_bytes(const struct csr *c, int threads)
{
    const double lists = ((double)c->n + 1) * (5 * sizeof(int) + 1);
    const double ordering = csr_order_bytes(c), turned = csr_bytes(c);      /* one after the other */

    return 3 * csr_bytes(c) + lists + (ordering > turned ? ordering : turned) +
        threads_for(threads, c->n) * sweep_bytes(c->n);
}

static int own_init(struct own *o, int threads, const struct shared *s)
{
    for (int t = 0; t < threads; t++) {
        o[t].lost = INT_MAX;
        o[t].sweep = aligned_zero(sizeof *o[t].sweep);
        if (!o[t].sweep || sweep_init(o[t].sweep, &s->out, s->in.first ? &s->in : &s->out) < 0)
            return -1;
        o[t].sweep->counted = s->target;
    }
    return 0;
}

static void own_release(struct own *o, int threads)
{
    for (int t = 0; o && t < threads; t++) {
        if (o[t].sweep)
            sweep_release(o[t].sweep);
        free(o[t].sweep);
        free(o[t].pairs);
    }
    free(o);
}

/* Shares the blocks out; true when the user asked to stop. */
static bool sweep_all(struct own *own, int threads, const struct shared *s, const struct tick *progress)
{
    const int nblock = (s->nsource + DIST_BLOCK - 1) / DIST_BLOCK;
    int ndone = 0, stop = 0;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int b = 0; b < nblock; b++) {
        int stopping;

#pragma omp atomic read
        stopping = stop;
        if (stopping)
            continue;
        count_block(&own[omp_get_thread_num()], s, b * DIST_BLOCK);
#pragma omp critical(dist_tick)
        if (!stop) {
            const int answer = tick(progress, (double)++ndone / nblock);

#pragma omp atomic write
            stop = answer != 0;
        }
    }
    return stop;
}

/* The source and the least target it misses. */
static int find_lost(int lost[2], const struct csr *c, int source, const unsigned char *is_target, struct err *err)
{
    int *hops = malloc(2 * ((size_t)c->n + 1) * sizeof *hops);

    if (!hops)
        return err_memory(err);
    csr_bfs(c, source, hops, hops + c->n);
    for (int v = 0; v < c->n && lost[0] < 0; v++)
        if (hops[v] < 0 && (!is_target || is_target[v])) {
            lost[0] = source;
            lost[1] = v;
        }
    free(hops);
    return 0;
}

/* Adds up what the threads found; pairs that nobody found are those without a path. */
static int distances_gather(struct dist_count *d, const struct own *own, int threads, const struct shared *s,
                            struct err *err)
{
    uint64_t targets = 0, all = 0, found = 0;

    for (int t = 0; t < threads; t++) {
        if (own[t].failed)
            return err_memory(err);
        if (own[t].longest > d->longest)
            d->longest = own[t].longest;
    }
    d->pairs = calloc((size_t)d->longest + 1, sizeof *d->pairs);
    if (!d->pairs)
        return err_memory(err);
    for (int t = 0; t < threads; t++)
        for (int l = 1; l <= own[t].longest; l++) {
            d->pairs[l] += own[t].pairs[l];
            found += own[t].pairs[l];
        }
    for (int v = 0; v < s->out.n; v++)
        targets += s->target[v];
    for (int i = 0; i < s->nsource; i++)
        all += (uint64_t)(s->weight ? s->weight[i] : 1) * (targets - s->target[s->source[i]]);
    d->unreachable = all - found;
    return 0;
}

int dist_count(struct dist_count *out, const struct csr *c, const int *source, const int *weight, int nsource,
               const unsigned char *is_target, int threads, const struct tick *progress, struct err *err)
{
    struct dist_count d = { .lost = { -1, -1 } };
    struct shared s = { .nsource = 0 };
    struct own *own = NULL;
    int ret = -1, lost = INT_MAX;

    threads = threads_for(threads, nsource);
    if (mem_need(dist_count_bytes(c, threads), "counting distances", err) < 0)
        return -1;
    own = calloc((size_t)threads, sizeof *own);
    if (!own) {
        err_memory(err);
        goto done;
    }
    if (share(&s, c, source, weight, nsource, is_target, err) < 0)
        goto done;
    if (own_init(own, threads, &s) < 0) {
        err_memory(err);
        goto done;
    }
    if (sweep_all(own, threads, &s, progress)) {
        err_stopped(err);
        goto done;
    }
    if (distances_gather(&d, own, threads, &s, err) < 0)
        goto done;
    for (int t = 0; t < threads; t++)
        lost = own[t].lost < lost ? own[t].lost : lost;
    if (lost < INT_MAX && find_lost(d.lost, c, source[lost], is_target, err) < 0)
        goto done;
    *out = d;
    ret = 0;
done:
    if (ret < 0)
        dist_count_release(&d);
    own_release(own, threads);
    shared_release(&s);
    return ret;
}

void dist_count_release(struct dist_count *d)
{
    free(d->pairs);
    *d = (struct dist_count){ .lost = { -1, -1 } };
}

/* ---- rows ---- */

struct dist_work {
    struct sweep sweep;
    struct csr in;              /* no arrays where links go both ways */
};

double dist_work_bytes(const struct csr *c)
{
    return csr_bytes(c) + sizeof(struct dist_work) + sweep_bytes(c->n);
}

struct dist_work *dist_work_new(const struct csr *c)
{
    struct dist_work *w = aligned_zero(sizeof *w);
    struct err unsaid;

    if (!w)
        return NULL;
    if (csr_reverse(&w->in, c, &unsaid) < 0) {
        free(w);
        return NULL;
    }
    if (csr_same(&w->in, c))
        csr_release(&w->in);
    if (sweep_init(&w->sweep, c, w->in.first ? &w->in : c) < 0) {
        csr_release(&w->in);
        free(w);
        return NULL;
    }
    return w;
}

void dist_work_free(struct dist_work *w)
{
    if (!w)
        return;
    sweep_release(&w->sweep);
    csr_release(&w->in);
    free(w);
}

/* The caller's graph may have moved since the work was made; its links may not have changed. */
static void distances_use(struct dist_work *w, const struct csr *c)
{
    w->sweep.out = c;
    w->sweep.in = w->in.first ? &w->in : c;
}

/* Levels are kept in binary, one plane of 512 bits for each digit, in the place of the row they become: a level touches
 * 64 bytes of a node for each of its binary ones instead of up to 512, and one pass at the end makes bytes. */
int dist_rows8(uint8_t *row, struct dist_work *w, const struct csr *c, const int *source, int nsource)
{
    struct sweep *s = &w->sweep;
    int planes = 0;

    distances_use(w, c);
    sweep_start(s, source, NULL, nsource);
    s->plane = row;
    do {
        if (s->level + 1 == 1 << planes) {  /* the next level is the first with this digit */
            for (size_t v = 0; v < (size_t)c->n; v++)
                memset(row + v * DIST_BLOCK + (size_t)planes * (DIST_BLOCK / 8), 0, DIST_BLOCK / 8);
            planes++;
        }
    } while (sweep_step(s) && s->level < 255);
    s->plane = NULL;
    if (s->level == 255 && s->nlist > 0)
        return -1;
    s->kernel->spread(s, row, planes);
    return 0;
}

void dist_rows32(uint32_t *row, struct dist_work *w, const struct csr *c, const int *source, int nsource)
{
    struct sweep *s = &w->sweep;

    distances_use(w, c);
    memset(row, 0xff, (size_t)c->n * DIST_BLOCK * sizeof *row);
    for (int i = 0; i < nsource; i++)
        row[(size_t)source[i] * DIST_BLOCK + (size_t)i] = 0;
    sweep_start(s, source, NULL, nsource);
    while (sweep_step(s))
        for (size_t j = 0; j < s->nlist; j++) {
            const int v = s->list[j];

            for (int k = 0; k < SWEEP_WORDS; k++)
                for (uint64_t fresh = s->now[v][k] & ~s->next[v][k]; fresh; fresh &= fresh - 1)
                    row[(size_t)v * DIST_BLOCK + (size_t)(64 * k + __builtin_ctzll(fresh))] = (uint32_t)s->level;
        }
}
