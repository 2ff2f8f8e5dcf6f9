/* metapath_any.c -- any connected network. Threads take blocks; all sums are whole numbers, so their order does not
 * matter.
 * 1. one block      up to 512 targets, distances of all nodes to them, sums over every source's supernode
 * 2. progress       reported within a block, where it may also be interrupted
 * 3. areas on both sides    sums over T(t) first, then over S(s)
 * 4. all blocks
 * 5. random         every terminal an intermediate node: from row and column sums of the distances
 * 6. results        sums of the threads merged, then statistics */
#include <omp.h>
#include <stdatomic.h>

#include "analysis/metapath/metapath_any.h"
#include "analysis/metapath/metapath_links.h"

/* ---- one block ---- */

static void load_row(const struct any *a, const struct any_thread *w, int node, uint32_t *to)
{
    if (a->narrow) {
        const uint8_t *row = w->row8 + (size_t)node * DIST_BLOCK;

        for (int b = 0; b < DIST_BLOCK; b++)
            to[b] = row[b];
    } else {
        memcpy(to, w->row32 + (size_t)node * DIST_BLOCK, DIST_BLOCK * sizeof *to);
    }
}

static void sum_rows(const struct any *a, const struct any_thread *w, const int *member, int n, uint32_t *sum)
{
    if (a->narrow)
        rows_sum8(sum, w->row8, member, n, a->longest);
    else
        rows_sum32(sum, w->row32, member, n);
}

static void distances(const struct any *a, struct any_thread *w, const int *target, int n)
{
    if (a->narrow)
        dist_rows8(w->row8, w->work, &a->backward, target, n);
    else
        dist_rows32(w->row32, w->work, &a->backward, target, n);
}

/* Adds the kept values of one source, each weighted by its target. */
static void metapath_any_add(const struct any *a, const struct any_thread *w, const uint32_t *value, uint64_t base,
                const uint8_t *keep, struct moments *m)
{
    struct rows_total t;

    if (a->most_numerator < 1u << 27 && !a->weight) {
        rows_total(&t, value, (uint32_t)base, keep);
        rows_add(m, &t);
        return;
    }
    for (int b = 0; b < w->ntarget; b++)
        if (keep[b])
            metapath_count(m, (int64_t)(base + value[b]), w->weight[b]);
}

static void add_bins(const struct any *a, const struct any_thread *w, const uint32_t *value, uint64_t base,
                     const uint8_t *keep, uint64_t denominator, uint64_t *bin)
{
    if (!bin)
        return;
    for (int b = 0; b < w->ntarget; b++)
        if (keep[b])
            bin[(base + value[b]) * (uint64_t)a->o->bins_per_hop / denominator] += (uint64_t)w->weight[b];
}

/* Destinations that are not farther than `within` are left out; the source itself always (distance 0). */
static void keep_beyond(const struct any_thread *w, uint32_t within, uint8_t *keep)
{
    memset(keep, 0, DIST_BLOCK);
    for (int b = 0; b < w->ntarget; b++)
        keep[b] = w->dist[b] > within;
}

static void drop_members(const struct any *a, const struct any_thread *w, const struct supernode *sn,
                         const int *member, int n, int s, uint8_t *keep)
{
    for (int i = 0; i < n; i++)
        if (w->place[member[i]] >= 0)
            keep[w->place[member[i]]] = 0;
    if (sn->exclude_line) {
        int d = sn->side[0].dim, k = a->net->size[d], stride = net_unit(a->net, d), c[NET_DIMENSIONS];

        net_coordinates(a->net, s, c);
        for (int x = 0; x < k; x++) {
            int t = s + (x - c[d]) * stride;

            if (w->place[t] >= 0)
                keep[w->place[t]] = 0;
        }
    }
}

/* Sizes of the two link sets of every kept pair, into the sums by degree. */
static void add_links(const struct any *a, struct any_thread *w, size_t i, int s, const int *member, int n,
                      const uint8_t *keep)
{
    const struct supernode *sn = &a->sn[i];
    struct any_links *sum = &w->links[i];
    uint8_t in[DIST_BLOCK] = { 0 }, out[DIST_BLOCK] = { 0 }, mask[DIST_BLOCK];
    int there = a->degree[s];

    for (int plane = 0; plane < a->nplane; plane++) {
        rows_or8(mask, w->last + (size_t)plane * (size_t)a->net->n * DIST_BLOCK, member, n);
        rows_count8(in, mask, 0);
        if (sn->shape == SHAPE_BALL)
            continue;
        any_directions(a, w, s, plane, true, mask);
        rows_count8(out, mask, a->fixed[i][(size_t)s * (size_t)a->nplane + (size_t)plane]);
    }
    for (int b = 0; b < w->ntarget; b++)
        if (keep[b]) {
            uint64_t weight = (uint64_t)w->weight[b];
            int degree = a->degree[w->target[b]];

            sum->out_pairs[there] += weight;
            sum->out_used[there] += weight * (sn->shape == SHAPE_BALL ? (uint64_t)there : out[b]);
            sum->in_pairs[degree] += weight;
            sum->in_used[degree] += weight * in[b];
        }
}

static void single_source(const struct any *a, struct any_thread *w, int s)
{
    uint8_t keep[DIST_BLOCK];

    load_row(a, w, s, w->dist);
    for (int b = 0; b < w->ntarget; b++)
        a->in_sum[w->first + b] += w->dist[b];              /* this block's targets are this thread's alone */
    if (a->net->directed)
        for (int b = 0; b < w->ntarget; b++)
            w->out_sum[net_terminal_index(a->net, s)] += w->dist[b];
    for (size_t i = 0; i < a->n; i++) {
        const struct supernode *sn = &a->sn[i];
        const struct any_sets *set = &a->set[i];
        uint32_t *const sum = w->sum + i * DIST_BLOCK;
        const int *member;
        int n;

        if (sn->both || sn->shape == SHAPE_ALL)
            continue;
        keep_beyond(w, sn->shape == SHAPE_BALL ? (uint32_t)sn->radius : 0, keep);
        if (sn->shape == SHAPE_POINT) {
            metapath_any_add(a, w, w->dist, 0, keep, &w->moments[i][0]);
            add_bins(a, w, w->dist, 0, keep, 1, w->bin[i]);
            continue;
        }
        member = set->member ? set->member + set->first[s] : NULL;
        n = set->many[s];
        if (w->ball[i])
            any_balls_load(sum, w->ball[i] + (size_t)s * DIST_BLOCK, w->dist, (uint32_t)n, (uint32_t)set->base[s]);
        else if (w->summed[i] != set->first[s])
            sum_rows(a, w, member, n, sum);
        w->summed[i] = set->first[s];
        if (sn->shape != SHAPE_BALL)
            drop_members(a, w, sn, member, n, s, keep);
        metapath_any_add(a, w, sum, set->base[s], keep, &w->moments[i][set->class_of[s]]);
        add_bins(a, w, sum, set->base[s], keep, (uint64_t)n, w->bin[i]);
        if (a->nplane)
            add_links(a, w, i, s, member, n, keep);
    }
}

/* ---- progress ---- */

/* A block may take seconds where supernodes are large: progress and interrupts are handled within it. */
struct any_pace {
    atomic_bool stop;
    double done, all;           /* sources, over all blocks and passes */
};
enum { PACE = 64 };             /* sources between two checks */

/* Counts `sources` more as done; true when the work is to end. */
static bool stopped(const struct any *a, int sources)
{
    struct any_pace *p = a->pace;

#pragma omp critical(metapath_tick)
    {
        p->done += sources;
        if (!atomic_load(&p->stop) && tick(&a->o->tick, p->done / p->all))
            atomic_store(&p->stop, true);
    }
    return atomic_load(&p->stop);
}

/* Called before source k of a pass; checks once in PACE sources. */
static bool stopped_at(const struct any *a, int k)
{
    return k % PACE == 0 && k > 0 && stopped(a, PACE);
}

/* ---- areas on both sides ---- */

/* near[v * B + b] = sum over j in T(target b) of d(v,j); dist_to keeps d(v, target b). */
static void sum_targets(const struct any *a, struct any_thread *w, const struct any_sets *T)
{
    int nj = 0;

    memset(w->near, 0, (size_t)a->net->n * DIST_BLOCK * sizeof *w->near);
    for (int b = 0; b < w->ntarget; b++)                    /* the union of the areas, each member once */
        for (size_t k = T->first[w->target[b]], end = k + (size_t)T->many[w->target[b]]; k < end; k++)
            if (!w->seen[T->member[k]]) {
                w->seen[T->member[k]] = 1;
                w->joint[nj++] = T->member[k];
            }
    for (int from = 0; from < nj && !stopped(a, 0); from += DIST_BLOCK) {
        int n = nj - from < DIST_BLOCK ? nj - from : DIST_BLOCK, npair = 0;

        for (int c = 0; c < n; c++)
            w->column[w->joint[from + c]] = c;
        for (int b = 0; b < w->ntarget; b++)
            for (size_t k = T->first[w->target[b]], end = k + (size_t)T->many[w->target[b]]; k < end; k++)
                if (w->column[T->member[k]] >= 0) {
                    w->pair[npair].column = (uint16_t)w->column[T->member[k]];
                    w->pair[npair++].target = (uint16_t)b;
                }
        distances(a, w, w->joint + from, n);
        for (int v = 0; v < a->net->n; v++) {
            uint32_t *near = w->near + (size_t)v * DIST_BLOCK;

            for (int p = 0; p < npair; p++)
                near[w->pair[p].target] += a->narrow ? w->row8[(size_t)v * DIST_BLOCK + w->pair[p].column]
                                                     : w->row32[(size_t)v * DIST_BLOCK + w->pair[p].column];
        }
        for (int c = 0; c < n; c++) {
            w->column[w->joint[from + c]] = -1;
            w->seen[w->joint[from + c]] = 0;
        }
    }
}

static void double_sources(const struct any *a, struct any_thread *w, size_t i)
{
    const struct any_sets *S = &a->set[i], *T = a->reverse[i].first ? &a->reverse[i] : S;
    uint32_t sum[DIST_BLOCK];

    sum_targets(a, w, T);
    distances(a, w, w->target, w->ntarget);
    for (int k = 0; k < a->nterminal && !stopped_at(a, k); k++) {
        int s = net_terminal(a->net, k), ns = S->many[s];

        load_row(a, w, s, w->dist);
        rows_sum32(sum, w->near, S->member + S->first[s], ns);
        for (int b = 0; b < w->ntarget; b++) {
            int t = w->target[b], nt = T->many[t];
            int64_t x, weight = w->weight[b];

            if (w->dist[b] <= 2 * (uint32_t)a->sn[i].radius - 1)
                continue;
            x = (int64_t)S->base[s] * nt + sum[b] + (int64_t)T->base[t] * ns;
            metapath_count(&w->moments[i][(size_t)S->class_of[s] * T->nclass + (size_t)T->class_of[t]], x, weight);
            if (w->bin[i])
                w->bin[i][x * a->o->bins_per_hop / ((int64_t)ns * nt)] += (uint64_t)weight;
        }
    }
}

/* ---- all blocks ---- */

static void one_block(const struct any *a, struct any_thread *w, int block)
{
    w->first = block * DIST_BLOCK;
    w->ntarget = a->ntarget - w->first < DIST_BLOCK ? a->ntarget - w->first : DIST_BLOCK;
    w->target = a->target + w->first;
    for (int b = 0; b < w->ntarget; b++) {
        w->place[w->target[b]] = b;
        w->weight[b] = a->weight ? a->weight[w->first + b] : 1;
    }
    distances(a, w, w->target, w->ntarget);
    if (a->nplane)
        any_last_links(a, w);
    memset(w->summed, 0xff, a->n * sizeof *w->summed);
    for (size_t i = 0; i < a->n; i++)
        if (w->ball[i])
            any_balls_sum(a, w, i);
    for (int k = 0; k < a->nterminal && !stopped_at(a, k); k++)
        single_source(a, w, net_terminal(a->net, k));
    for (size_t i = 0; i < a->n; i++)
        if (a->sn[i].both)
            double_sources(a, w, i);
    for (int b = 0; b < w->ntarget; b++)
        w->place[w->target[b]] = -1;
}

static int all_blocks(struct any *a, struct err *err)
{
    int blocks = (a->ntarget + DIST_BLOCK - 1) / DIST_BLOCK, passes = 1;
    struct any_pace pace = { .stop = false };

    for (size_t i = 0; i < a->n; i++)
        passes += a->sn[i].both;
    pace.all = (double)blocks * passes * a->nterminal;
    a->pace = &pace;
#pragma omp parallel for schedule(dynamic, 1) num_threads(a->nthread)
    for (int block = 0; block < blocks; block++) {
        if (atomic_load(&pace.stop))
            continue;
        one_block(a, &a->thread[omp_get_thread_num()], block);
        /* the last sources of each pass, which it has not counted */
        stopped(a, passes * ((a->nterminal - 1) % PACE + 1));
    }
    a->pace = NULL;
    return pace.stop ? err_stopped(err) : 0;
}

/* ---- random ---- */

/* Lengths are (out(s) + in(t)) / n: no need for N^2 of them. */

/* The least and greatest of v, and the same without one of those that attain it. */
struct extremes {
    uint64_t least[2], greatest[2];
    int at_least, at_greatest;
};

static struct extremes extremes_of(const uint64_t *v, int n)
{
    struct extremes e = { { UINT64_MAX, UINT64_MAX }, { 0, 0 }, -1, -1 };

    for (int k = 0; k < n; k++) {
        if (v[k] < e.least[0]) {
            e.least[1] = e.least[0];
            e.least[0] = v[k];
            e.at_least = k;
        } else if (v[k] < e.least[1]) {
            e.least[1] = v[k];
        }
        if (v[k] > e.greatest[0] || e.at_greatest < 0) {
            e.greatest[1] = e.greatest[0];
            e.greatest[0] = v[k];
            e.at_greatest = k;
        } else if (v[k] > e.greatest[1]) {
            e.greatest[1] = v[k];
        }
    }
    return e;
}

static void add_all(const struct any *a, struct moments *m)
{
    struct extremes e = extremes_of(a->out_sum, a->nterminal);
    wide_int sum = 0, squares = 0;

    for (int k = 0; k < a->nterminal; k++) {
        sum += a->out_sum[k];
        squares += (wide_int)a->out_sum[k] * (wide_int)a->out_sum[k];
    }
    for (int j = 0; j < a->ntarget; j++) {
        wide_int weight = a->weight ? a->weight[j] : 1, in = a->in_sum[j], others = a->nterminal - 1;
        int k = net_terminal_index(a->net, a->target[j]);
        wide_int own = a->out_sum[k];
        int64_t low = (int64_t)(a->in_sum[j] + e.least[k == e.at_least]);
        int64_t high = (int64_t)(a->in_sum[j] + e.greatest[k == e.at_greatest]);

        m->n += (uint64_t)(weight * others);
        m->sum += weight * (sum - own + others * in);
        m->squares += weight * (squares - own * own + 2 * in * (sum - own) + others * in * in);
        m->least = low < m->least ? low : m->least;
        m->greatest = high > m->greatest ? high : m->greatest;
    }
}

static int metapath_any_ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Every target against the different values of out_sum; there are far fewer than terminals. */
static int bin_all(const struct any *a, uint64_t *bin, struct err *err)
{
    uint64_t *value = malloc((size_t)a->nterminal * sizeof *value), n = (uint64_t)a->nterminal;
    const uint64_t per = (uint64_t)a->o->bins_per_hop;

    if (!value)
        return err_memory(err);
    memcpy(value, a->out_sum, (size_t)a->nterminal * sizeof *value);
    qsort(value, (size_t)a->nterminal, sizeof *value, metapath_any_ascending);
    for (int j = 0; j < a->ntarget; j++) {
        uint64_t weight = a->weight ? (uint64_t)a->weight[j] : 1, in = a->in_sum[j];

        for (int from = 0, to; from < a->nterminal; from = to) {
            for (to = from + 1; to < a->nterminal && value[to] == value[from];)
                to++;
            bin[(value[from] + in) * per / n] += weight * (uint64_t)(to - from);
        }
        bin[(a->out_sum[net_terminal_index(a->net, a->target[j])] + in) * per / n] -= weight;
    }
    free(value);
    return 0;
}

/* ---- results ---- */

/* Row and column sums of the distances, for `random` and the static mean. Undirected networks have them in
 * in_sum already; directed ones were added up thread by thread. */
static void sum_terminals(struct any *a)
{
    for (int k = 0; k < a->nterminal; k++) {
        a->out_sum[k] = a->net->directed ? a->thread[0].out_sum[k] : a->in_sum[a->target_of[k]];
        a->static_sum += (double)a->out_sum[k];
    }
}

static void finish_links(const struct any *a, size_t i, struct metapath_stats *s)
{
    struct link_sum out = { 0 }, in = { 0 };
    const struct any_links *sum = &a->thread[0].links[i];

    if (!a->nplane)
        return;
    if (!any_listed(&a->sn[i]) || a->sn[i].both) {
        any_plain_links(a, i, s);
        return;
    }
    for (int d = 1; d <= ANY_DEGREES; d++) {
        out.used += (double)sum->out_used[d];
        out.there += (double)sum->out_pairs[d] * d;
        out.share += (double)sum->out_used[d] / d;
        in.used += (double)sum->in_used[d];
        in.there += (double)sum->in_pairs[d] * d;
        in.share += (double)sum->in_used[d] / d;
    }
    link_use_finish(s, out, in);
}

/* Thread sums into thread 0's, then rows. */
static int finish(struct any *a, struct metapath_stats *out, struct err *err)
{
    double static_mean;

    for (int t = 1; t < a->nthread; t++)
        any_merge(a, &a->thread[0], &a->thread[t]);
    sum_terminals(a);
    static_mean = a->static_sum / ((double)a->nterminal * (a->nterminal - 1));
    for (size_t i = 0; i < a->n; i++) {
        struct any_thread *w = &a->thread[0];

        if (w->bin[i]) {
            out[i].bin = w->bin[i];
            out[i].nbin = a->nbin;
            w->bin[i] = NULL;
        }
        if (a->sn[i].shape == SHAPE_ALL) {
            add_all(a, &w->moments[i][0]);
            if (out[i].bin && bin_all(a, out[i].bin, err) < 0)
                return -1;
        }
        if (any_classes(a, i, err) < 0)
            return -1;
        metapath_finish(&out[i], w->moments[i], a->denominator, a->intermediate, a->nmoments[i], static_mean);
        finish_links(a, i, &out[i]);
    }
    return 0;
}

int metapath_any(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                 const struct metapath_options *o, struct err *err)
{
    struct any a = { .net = net, .sn = sn, .n = n, .o = o };
    int ret = -1;

    if (any_open(&a, err) == 0 && all_blocks(&a, err) == 0)
        ret = finish(&a, out, err);
    any_close(&a);
    return ret;
}
