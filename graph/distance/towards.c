#include "graph/distance/towards.h"

#include <stdlib.h>

#include "graph/base/mem.h"

static size_t blocks_of(const struct hops *h)
{
    return ((size_t)h->core.n + DIST_BLOCK - 1) / DIST_BLOCK;
}

static void hops_close(struct hops *h)
{
    for (size_t b = 0; h->block && b < blocks_of(h); b++)
        free(h->block[b]);
    csr_release(&h->ahead);
    csr_release(&h->core);
    FREE(h->at, h->leaf, h->block, h);
}

/* Links turned round. */
static int core_open(struct hops *h, const struct net *net, const igraph_t *graph, struct err *err)
{
    if (!net->directed) {
        csr_leaves(h->leaf, &h->ahead);
        return csr_core(&h->core, h->at, h->leaf, &h->ahead, err);
    }
    for (int v = 0; v < net->n; v++)
        h->at[v] = v;
    return csr_init(&h->core, graph, true, err);
}

static int hops_init(struct hops *h, struct net *net, const igraph_t *graph, struct err *err)
{
    return csr_init(&h->ahead, graph, false, err) < 0 ||
        TAKE("distances between nodes", err, ARRAY(h->at, net->n), ZEROS(h->leaf, net->n)) < 0 ||
        core_open(h, net, graph, err) < 0 ||
        TAKE("distances between nodes", err, ZEROS(h->block, blocks_of(h))) < 0 ? -1 : 0;
}

static double hops_bytes(const struct hops *h)
{
    return (double)h->core.n * h->core.n;
}

/* What the network keeps, made on the first call. */
static int hops_of(struct hops **out, struct net *net, const char *what, struct err *err)
{
    const igraph_t *graph;
    struct hops *h;

    *out = net->hops;
    if (net->hops)
        return 0;
    if (net_graph(net, &graph, err) < 0 || mem_need((net->directed ? 1.5 : 1) * csr_init_bytes(graph), what, err) < 0)
        return -1;
    if (!(h = calloc(1, sizeof *h)))
        return err_memory(err);
    if (hops_init(h, net, graph, err) < 0) {
        hops_close(h);
        return -1;
    }
    h->far = hops_bytes(h) > TOWARDS_MOST || hops_bytes(h) > mem_available() / 4;
    *out = net->hops = h;
    net->hops_close = hops_close;
    return 0;
}

/* Rows of the targets of block b, from columns of the sweep. */
static void block_turn(uint8_t *block, const uint8_t *plane, size_t n, size_t targets)
{
    enum { TILE = 64 };

    for (size_t v = 0; v < n; v += TILE)
        for (size_t i = 0; i < targets; i++)
            for (size_t w = v; w < n && w < v + TILE; w++)
                block[i * n + w] = plane[w * DIST_BLOCK + i];
}

/* Where there is no room for it either, nothing more is kept. */
static void block_fill(struct hops *h, size_t b)
{
    const size_t n = (size_t)h->core.n, left = n - b * DIST_BLOCK, targets = left < DIST_BLOCK ? left : DIST_BLOCK;
    struct dist_work *work = dist_work_new(&h->core);
    uint8_t *plane = NULL, *block = NULL;
    int target[DIST_BLOCK];
    struct err short_of;

    for (size_t i = 0; i < targets; i++)
        target[i] = (int)(b * DIST_BLOCK + i);
    h->far = !work || TAKE("distances between nodes", &short_of, ARRAY(plane, n * DIST_BLOCK),
                           ARRAY(block, n * targets)) < 0 ||
        dist_rows8(plane, work, &h->core, target, (int)targets) < 0;
    if (!h->far) {
        block_turn(block, plane, n, targets);
        __atomic_store_n(&h->block[b], block, __ATOMIC_RELEASE);
        block = NULL;
    }
    dist_work_free(work);
    FREE(plane, block);
}

/* The row of a target; NULL: it is not kept. */
static const uint8_t *hops_row(struct hops *h, int target)
{
    const size_t at = (size_t)h->at[target], b = at / DIST_BLOCK;
    const uint8_t *block = __atomic_load_n(&h->block[b], __ATOMIC_ACQUIRE);

    if (!block) {
#pragma omp critical(hops)
        if (!h->far && !h->block[b])
            block_fill(h, b);
        block = __atomic_load_n(&h->block[b], __ATOMIC_ACQUIRE);
    }
    return block ? block + at % DIST_BLOCK * (size_t)h->core.n : NULL;
}

int towards_open(struct towards *t, struct net *net, const char *what, struct err *err)
{
    struct hops *h;

    *t = (struct towards){ .target = -1 };
    if (hops_of(&h, net, what, err) < 0)
        return -1;
    t->kept = h;
    t->ahead = &h->ahead;
    t->net = net;
    t->what = what;
    return 0;
}

void towards_close(struct towards *t)
{
    search_close(&t->search);
    *t = (struct towards){ 0 };
}

int towards_begin(struct towards *t, int target, struct err *err)
{
    if (t->target == target)
        return 0;
    t->target = -1;
    t->row = hops_row(t->kept, target);
    if (!t->row && !t->search.hops && search_open(&t->search, t->net, t->what, err) < 0)
        return -1;
    if (!t->row)
        search_begin(&t->search, target, true);
    t->target = target;
    return 0;
}

int towards_hops(struct towards *t, int node)
{
    const struct hops *h = t->kept;
    struct search *s = &t->search;

    if (t->row) {
        const int hops = t->row[h->at[node]];

        return hops == UINT8_MAX ? -1 : node == t->target ? 0 : hops + h->leaf[node] + h->leaf[t->target];
    }
    while (s->hops[node] < 0 && search_level(s))
        ;
    return s->hops[node];
}

size_t towards_nearer(const struct towards *t, int node, int hops, size_t i)
{
    const struct csr *c = t->ahead;
    const size_t end = c->first[node + 1];
    const struct hops *h = t->kept;

    if (hops == 1) {
        while (i < end && c->to[i] != t->target)
            i++;
    } else if (t->row) {                /* beyond the target's neighbours a leaf is never nearer */
        const int wanted = hops - 1 - h->leaf[t->target];

        while (i < end && (h->leaf[c->to[i]] || t->row[h->at[c->to[i]]] != wanted))
            i++;
    } else {
        while (i < end && t->search.hops[c->to[i]] != hops - 1)
            i++;
    }
    return i;
}
