#include "graph/distance/sums.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/clones.h"
#include "graph/base/mem.h"

#define TURNED 64               /* columns: a line of memory */

struct own {
    struct dist_work *work;
    uint8_t *row;               /* n x DIST_BLOCK */
    uint8_t *turned;            /* TURNED columns of it, n entries each */
    bool wide;                  /* some distance exceeds a byte: members are searched from one by one */
    int *hops;                  /* 2 n, of such a search */
    uint32_t *from, *sum;
};

static void own_free(struct own *o, int threads)
{
    for (int t = 0; o && t < threads; t++) {
        dist_work_free(o[t].work);
        free(o[t].row);
        free(o[t].turned);
        free(o[t].hops);
        free(o[t].from);
        free(o[t].sum);
    }
    free(o);
}

static double own_bytes(const struct csr *c)
{
    return dist_work_bytes(c) + (double)c->n * (DIST_BLOCK + TURNED + 2 * sizeof(int) + 2 * sizeof(uint32_t));
}

static struct own *own_new(const struct csr *c, int threads)
{
    const size_t n = (size_t)c->n;
    struct own *o = calloc((size_t)threads, sizeof *o);
    bool ok = o;

    for (int t = 0; ok && t < threads; t++) {
        o[t].work = dist_work_new(c);
        o[t].row = aligned_alloc(64, n * DIST_BLOCK);
        o[t].turned = malloc(n * TURNED);
        o[t].hops = malloc(2 * n * sizeof *o[t].hops);
        o[t].from = malloc(n * sizeof *o[t].from);
        o[t].sum = malloc(n * sizeof *o[t].sum);
        ok = o[t].work && o[t].row && o[t].turned && o[t].hops && o[t].from && o[t].sum;
    }
    if (!ok)
        own_free(o, threads);
    return ok ? o : NULL;
}

/* Columns of the rows as rows: in tiles, for a column alone touches a line of every row. */
static void turn(uint8_t *out, const uint8_t *row, size_t n, size_t columns)
{
    for (size_t tile = 0; tile < n; tile += TURNED)
        for (size_t k = 0; k < columns; k++)
            for (size_t v = tile; v < n && v < tile + TURNED; v++)
                out[k * n + v] = row[v * DIST_BLOCK + k];
}

SIMD_CLONES static void add_hops(uint32_t *sum, const uint8_t *hops, size_t n)
{
    for (size_t v = 0; v < n; v++) {
        const uint32_t none = hops[v] == 0xff || sum[v] == SUMS_NONE ? SUMS_NONE : 0;

        sum[v] = (sum[v] + hops[v]) | none;
    }
}

/* Adds the distances from a member, the k-th of those turned. */
static void add_member(uint32_t *sum, struct own *o, const struct csr *c, int member, size_t k)
{
    if (!o->wide) {
        add_hops(sum, o->turned + k * (size_t)c->n, (size_t)c->n);
        return;
    }
    csr_bfs(c, member, o->hops, o->hops + c->n);
    for (int v = 0; v < c->n; v++)
        sum[v] = o->hops[v] < 0 || sum[v] == SUMS_NONE ? SUMS_NONE : sum[v] + (uint32_t)o->hops[v];
}

/* Sets begin..end-1, in one search, or a single one in as many as it takes. */
static int sums_batch(struct own *o, const struct csr *c, const struct sums *s, int begin, int end)
{
    const size_t n = (size_t)c->n, last = s->first[end], from = s->first[begin];
    int set = begin;

    for (size_t i = from; i < last; i++) {
        const size_t column = (i - from) % DIST_BLOCK, left = last - i, room = DIST_BLOCK - column;

        if (column == 0 && !o->wide)
            o->wide = dist_rows8(o->row, o->work, c, s->member + i, (int)(left < room ? left : room)) < 0;
        if (column % TURNED == 0 && !o->wide)
            turn(o->turned, o->row + column, n, left < TURNED ? left : TURNED);
        if (i == s->first[set]) {
            memset(o->from, 0, n * sizeof *o->from);
            memset(o->sum, 0, n * sizeof *o->sum);
        }
        add_member(i == s->first[set] ? o->from : o->sum, o, c, s->member[i], column % TURNED);
        if (i + 1 == s->first[set + 1] && s->visit(s->about, set++, o->from, o->sum) < 0)
            return -1;
    }
    return 0;
}

/* Where batches begin: as many sets as one search has room for. How many batches. */
static int cut_batches(int *start, const struct sums *s)
{
    int n = 0;

    start[0] = 0;
    for (int i = 0; i < s->n; i++)
        if (i > start[n] && s->first[i + 1] - s->first[start[n]] > DIST_BLOCK)
            start[++n] = i;
    start[++n] = s->n;
    return n;
}

int sums_each(const struct csr *c, const struct sums *s, int threads, const struct tick *progress, struct err *err)
{
    int *start = malloc(((size_t)s->n + 2) * sizeof *start), batches, done = 0, stop = 0, ret = -1;
    struct own *own = NULL;
    bool failed = false;

    if (!start)
        return err_memory(err);
    batches = cut_batches(start, s);
    threads = threads > 0 ? threads : omp_get_max_threads();
    threads = threads < batches ? threads : batches;
    while (threads > 1 && own_bytes(c) * threads > mem_available())
        threads--;
    if (mem_need(own_bytes(c) * threads, "distances from some nodes", err) < 0)
        goto done;
    own = own_new(c, threads);
    if (!own) {
        err_memory(err);
        goto done;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int b = 0; b < batches; b++) {
        int stopping, ok;

#pragma omp atomic read
        stopping = stop;
        if (stopping)
            continue;
        ok = sums_batch(&own[omp_get_thread_num()], c, s, start[b], start[b + 1]) == 0;
#pragma omp critical(sums_tick)
        if (!stop) {
            const int answer = tick(progress, (double)++done / batches) || !ok;

            failed = !ok;
#pragma omp atomic write
            stop = answer != 0;
        }
    }
    ret = failed ? err_memory(err) : stop ? err_stopped(err) : 0;
done:
    own_free(own, threads);
    free(start);
    return ret;
}
