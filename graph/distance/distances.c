/* distances.c -- distances between all nodes, 512 sources at a time (distances.h).
 * 1. counting     the graph without its leaves, in an order that keeps neighbours near, shared by all threads
 * 2. one block    its sweep (sweep.h), level by level, pairs counted
 * 3. all blocks   threads take blocks; whole numbers are added, whatever the order */
#include "graph/distance/distances.h"

#include <omp.h>

#include "graph/distance/sweep.h"

/* ---- counting: what every thread shares, and what each has of its own ---- */

struct shared {
    struct csr out, in;         /* numbered as csr_order says; in has no arrays of its own where links go both ways */
    struct csr core;            /* without its leaves, before it was ordered; no arrays where it has them still */
    int *order, *place;         /* csr_order and its inverse */
    int *at;                    /* where each of the caller's nodes is then, or what it is a leaf of */
    unsigned char *leaf;        /* flags by the caller's node */
    unsigned char *target;      /* flags in that numbering */
    int *leaves;                /* in that numbering: targets among the leaves; NULL: no leaves */
    int *source, *weight;       /* in that order and numbering: nodes, then those that stand for their leaves */
    int *original;              /* the first place of either in the caller's list */
    int nown, nsource;          /* how many of the first kind, and of both */
    int own_blocks, blocks;     /* a block is of one kind: all begin as many hops from the nodes they are at */
    uint64_t self;              /* sources that are leaves and targets: to themselves it is not two hops */
};
struct own {
    struct sweep *sweep;
    uint64_t *pairs;
    size_t room;
    int longest;
    int lost;                   /* least of the caller's positions of a source that misses a target, or INT_MAX */
    bool failed;
};

static void shared_release(struct shared *s)
{
    csr_release(&s->out);
    csr_release(&s->in);
    csr_release(&s->core);
    FREE(s->order, s->place, s->at, s->leaf, s->target, s->leaves, s->source, s->weight, s->original);
}

/* `c` with node v called place[v]. */
static int renumber(struct csr *out, const struct csr *c, const int *order, const int *place, struct err *err)
{
    size_t m = 0;

    *out = (struct csr){ .n = c->n, .m = c->m };
    if (TAKE("distances", err, ARRAY(out->first, (size_t)c->n + 1), ARRAY(out->to, c->m)) < 0)
        return -1;
    for (int i = 0; i < c->n; i++) {
        out->first[i] = m;
        for (size_t e = c->first[order[i]]; e < c->first[order[i] + 1]; e++)
            out->to[m++] = place[c->to[e]];
    }
    out->first[c->n] = m;
    return 0;
}

/* A leaf is one hop further from all others than its neighbour: where there are many they are not searched but counted
 * with it. (Where there are few nothing is gained: a node and its leaves are a search each.) Then at[] numbers the
 * core. */
static int strip_leaves(struct shared *s, const struct csr *c, struct err *err)
{
    if (2 * csr_leaves(s->leaf, c) < (size_t)c->n) {
        memset(s->leaf, 0, (size_t)c->n);
        return 0;
    }
    return csr_core(&s->core, s->at, s->leaf, c, err) < 0 ? -1 : TAKE("distances", err, ZEROS(s->leaves, s->core.n));
}

/* The graph in its own numbering, and turned round where that makes a difference. */
static int share_graph(struct shared *s, const struct csr *c, struct err *err)
{
    struct csr turned = { .n = 0 };
    const struct csr *core = c;
    bool same;
    int ret = -1;

    if (csr_reverse(&turned, c, err) < 0)
        return -1;
    same = csr_same(&turned, c);
    for (int v = 0; v < c->n; v++)
        s->at[v] = v;
    if (same) {
        csr_release(&turned);
        if (strip_leaves(s, c, err) < 0)
            goto done;
        core = s->leaves ? &s->core : c;
    }
    if (csr_order(core, s->order, err) < 0)
        goto done;
    for (int i = 0; i < core->n; i++)
        s->place[s->order[i]] = i;
    if (renumber(&s->out, core, s->order, s->place, err) < 0 ||
        (!same && renumber(&s->in, &turned, s->order, s->place, err) < 0))
        goto done;
    for (int v = 0; v < c->n; v++)
        s->at[v] = s->place[s->at[v]];
    ret = 0;
done:
    csr_release(&turned);
    return ret;
}

/* Adds the nodes that are sources, or those with leaves that are, ascending, so that those of a block lie together. */
static int share_sources(struct shared *s, bool leaf, const struct dist_ends *ends, struct err *err)
{
    const int n = s->out.n, *source = ends->source;
    int *all, *first;           /* weights, position in the caller's list */

    if (TAKE("distances", err, ZEROS(all, n), ZEROS(first, n)) < 0)
        return -1;
    for (int i = ends->n - 1; i >= 0; i--)
        if (s->leaf[source[i]] == leaf) {
            all[s->at[source[i]]] += ends->weight ? ends->weight[i] : 1;
            first[s->at[source[i]]] = i;
        }
    for (int v = 0; v < n; v++)
        if (all[v] > 0) {
            s->source[s->nsource] = v;
            s->original[s->nsource] = first[v];
            s->weight[s->nsource++] = all[v];
        }
    FREE(all, first);
    return 0;
}

static int share(struct shared *s, const struct csr *c, const struct dist_ends *ends, struct err *err)
{
    const size_t n = (size_t)c->n + 1, k = (size_t)ends->n + 1;
    const unsigned char *is_target = ends->is_target;

    if (TAKE("distances", err, ARRAY(s->order, n), ARRAY(s->place, n), ARRAY(s->at, n), ZEROS(s->leaf, n),
             ARRAY(s->source, k), ARRAY(s->original, k), ARRAY(s->weight, k), ZEROS(s->target, n)) < 0)
        return -1;
    if (share_graph(s, c, err) < 0)
        return -1;
    for (int v = 0; v < c->n; v++)
        if (s->leaf[v])
            s->leaves[s->at[v]] += !is_target || is_target[v];
        else
            s->target[s->at[v]] = !is_target || is_target[v];
    for (int i = 0; i < ends->n; i++)
        if (s->leaf[ends->source[i]] && (!is_target || is_target[ends->source[i]]))
            s->self += (uint64_t)(ends->weight ? ends->weight[i] : 1);
    if (share_sources(s, false, ends, err) < 0)
        return -1;
    s->nown = s->nsource;
    if (share_sources(s, true, ends, err) < 0)
        return -1;
    s->own_blocks = (s->nown + DIST_BLOCK - 1) / DIST_BLOCK;
    s->blocks = s->own_blocks + (s->nsource - s->nown + DIST_BLOCK - 1) / DIST_BLOCK;
    return 0;
}

/* ---- one block ---- */

/* Least of the caller's positions among the block's sources that miss a target. */
static int first_lost(const struct shared *s, const struct sweep *w, int begin, int end)
{
    uint64_t missed[SWEEP_WORDS] = { 0 };
    int lost = INT_MAX;

    for (int v = 0; v < s->out.n; v++)
        if (s->target[v] || (s->leaves && s->leaves[v]))
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

    if (pairs == 0)
        return 0;
    if (GROW(&o->room, (size_t)level + 1, "pairs by distance", &ignored, GROWN(o->pairs)) < 0)
        return -1;
    memset(o->pairs + before, 0, (o->room - before) * sizeof *o->pairs);
    o->pairs[level] += pairs;
    if (level > o->longest)
        o->longest = level;
    return 0;
}

static void count_block(struct own *o, const struct shared *s, int block)
{
    const int leaf = block >= s->own_blocks, last = leaf ? s->nsource : s->nown;
    const int begin = leaf ? s->nown + (block - s->own_blocks) * DIST_BLOCK : block * DIST_BLOCK;
    const int end = last - begin < DIST_BLOCK ? last : begin + DIST_BLOCK;
    struct sweep *w = o->sweep;
    uint64_t here = 0, leaves = 0;

    for (int i = begin; i < end; i++) {
        here += leaf ? (uint64_t)s->weight[i] * s->target[s->source[i]] : 0;
        leaves += s->leaves ? (uint64_t)s->weight[i] * (uint64_t)s->leaves[s->source[i]] : 0;
    }
    o->failed = o->failed || distances_note(o, leaf, here) < 0 || distances_note(o, leaf + 1, leaves) < 0;
    sweep_start(w, s->source + begin, s->weight + begin, end - begin);
    while (!o->failed && sweep_step(w))
        o->failed = distances_note(o, w->level + leaf, w->sum) < 0 ||
            distances_note(o, w->level + leaf + 1, w->leaf_sum) < 0;
    if (!o->failed && w->nfull < (size_t)s->out.n) {
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
    const double lists = ((double)c->n + 1) * (9 * sizeof(int) + 2);

    return 3 * csr_bytes(c) + lists + csr_order_bytes(c) +
        threads_for(threads, c->n) * sweep_bytes(c->n);
}

static int own_init(struct own *o, int threads, const struct shared *s)
{
    for (int t = 0; t < threads; t++) {
        o[t].lost = INT_MAX;
        o[t].sweep = aligned_alloc(64, sizeof *o[t].sweep);
        if (!o[t].sweep || sweep_init(o[t].sweep, &s->out, s->in.first ? &s->in : &s->out) < 0)
            return -1;
        o[t].sweep->counted = s->target;
        o[t].sweep->leaves = s->leaves;
    }
    return 0;
}

static void own_release(struct own *o, int threads)
{
    for (int t = 0; o && t < threads; t++) {
        if (o[t].sweep)
            sweep_release(o[t].sweep);
        FREE(o[t].sweep, o[t].pairs);
    }
    free(o);
}

/* Shares the blocks out; true when the user asked to stop. */
static bool sweep_all(struct own *own, int threads, const struct shared *s, const struct tick *progress)
{
    int ndone = 0, stop = 0;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int b = 0; b < s->blocks; b++) {
        int stopping;

#pragma omp atomic read
        stopping = stop;
        if (stopping)
            continue;
        count_block(&own[omp_get_thread_num()], s, b);
#pragma omp critical(dist_tick)
        if (!stop) {
            const int answer = tick(progress, (double)++ndone / s->blocks);

#pragma omp atomic write
            stop = answer != 0;
        }
    }
    return stop;
}

/* The source and the least target it misses. */
static int find_lost(int lost[2], const struct csr *c, int source, const unsigned char *is_target, struct err *err)
{
    int *hops, *queue;

    if (TAKE("distances", err, ARRAY(hops, c->n), ARRAY(queue, c->n)) < 0)
        return -1;
    csr_bfs(c, source, hops, queue);
    for (int v = 0; v < c->n && lost[0] < 0; v++)
        if (hops[v] < 0 && (!is_target || is_target[v])) {
            lost[0] = source;
            lost[1] = v;
        }
    FREE(hops, queue);
    return 0;
}

/* Sums over the threads; pairs that no search found have no path. */
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
    if (TAKE("distances", err, ZEROS(d->pairs, (size_t)d->longest + 1)) < 0)
        return -1;
    for (int t = 0; t < threads; t++)
        for (int l = 1; l <= own[t].longest; l++) {
            d->pairs[l] += own[t].pairs[l];
            found += own[t].pairs[l];
        }
    for (int v = 0; v < s->out.n; v++)
        targets += s->target[v] + (s->leaves ? (uint64_t)s->leaves[v] : 0);
    for (int i = 0; i < s->nsource; i++)
        all += (uint64_t)s->weight[i] * (targets - (i < s->nown ? s->target[s->source[i]] : 0));
    d->unreachable = all - found;
    if (s->self > 0)
        d->pairs[2] -= s->self;
    while (d->longest > 0 && d->pairs[d->longest] == 0)
        d->longest--;
    return 0;
}

int dist_count(struct dist_count *out, const struct csr *c, const struct dist_ends *ends, int threads,
               const struct tick *progress, struct err *err)
{
    struct dist_count d = { .lost = { -1, -1 } };
    struct shared s = { .nsource = 0 };
    struct own *own = NULL;
    int ret = -1, lost = INT_MAX;

    threads = threads_for(threads, ends->n);
    if (mem_need(dist_count_bytes(c, threads), "counting distances", err) < 0)
        return -1;
    if (TAKE("counting distances", err, ZEROS(own, threads)) < 0 ||
        share(&s, c, ends, err) < 0 || (own_init(own, threads, &s) < 0 && err_memory(err) < 0))
        goto done;
    if (sweep_all(own, threads, &s, progress)) {
        err_stopped(err);
        goto done;
    }
    if (distances_gather(&d, own, threads, &s, err) < 0)
        goto done;
    for (int t = 0; t < threads; t++)
        lost = own[t].lost < lost ? own[t].lost : lost;
    if (lost < INT_MAX && find_lost(d.lost, c, ends->source[lost], ends->is_target, err) < 0)
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
