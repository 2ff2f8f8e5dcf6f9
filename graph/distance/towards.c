#include "graph/distance/towards.h"
#include "graph/distance/sweep.h"

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
static int core_open(struct hops *h, const struct net *net, const char *what, struct err *err)
{
    int ret;

    csr_release(&h->core);              /* of a call that failed */
    FREE(h->at, h->leaf);
    if (TAKE(what, err, ARRAY(h->at, net->n), ZEROS(h->leaf, net->n)) < 0)
        return -1;
    for (int v = 0; v < net->n; v++)
        h->at[v] = v;
    if (!net->directed)
        csr_leaves(h->leaf, &h->ahead);
    ret = net->directed ? csr_reverse(&h->core, &h->ahead, err) : csr_core(&h->core, h->at, h->leaf, &h->ahead, err);
    if (ret < 0 || TAKE(what, err, ZEROS(h->block, blocks_of(h))) < 0)
        return -1;
    h->far = (double)h->core.n * h->core.n > fmin(TOWARDS_MOST, mem_available() / 4);
    return 0;
}

/* What the network keeps for all that ask, made on the first call. */
static int hops_of(struct hops **out, struct net *net, const char *what, struct err *err)
{
    const struct csr *ahead;
    int ret = csr_kept(&ahead, net, err);

#pragma omp critical(hops)
    if (ret == 0 && !net->hops->block) {
        ret = core_open(net->hops, net, what, err);
        net->hops_close = hops_close;
    }
    *out = net->hops;
    return ret;
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
