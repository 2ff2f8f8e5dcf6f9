/* csr_order: recursive bisection. The graph is cut in two, again and again, midway between two nodes far apart, until
 * the parts are no larger than a block. A node's word changes at as many levels as its distances to the block's sources
 * differ by, so blocks should be round; on a torus of 256 x 256 a node changes at 40 levels, with perfect balls at
 * 33. */
#include "graph/distance/sweep.h"

/* Below this many levels the graph has no places to speak of: cutting on costs time and gains nothing. */
#define SHALLOW 6

struct range {
    int lo, hi;
};
/* All arrays have one entry per node (first: one more). */
struct cutter {
    const struct csr *c;
    int *order;                 /* the answer; a part is a range of it */
    int *part;                  /* which part a node is in: the first position of its range */
    int *hops, *far;            /* from one end of the part, and from the other */
    int *queue;
    int *first;                 /* counting sort */
    struct range *todo;
    int ntodo;
};

/* Breadth-first within the part of `source`, behind what the queue holds already; returns its new length.
 * hops must be negative in the part beforehand. */
static int explore(const struct cutter *k, int source, int *hops, int *queue, int tail)
{
    const struct csr *c = k->c;
    const int part = k->part[source];
    int head = tail;

    hops[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const int v = queue[head++];

        for (size_t e = c->first[v]; e < c->first[v + 1]; e++) {
            const int u = c->to[e];

            if (hops[u] < 0 && k->part[u] == part) {
                hops[u] = hops[v] + 1;
                queue[tail++] = u;
            }
        }
    }
    return tail;
}

/* Of the nodes furthest away, all at the end of the queue, one in their midst: from a corner the levels would
 * cut the part askew. */
static int far_end(const int *hops, const int *queue, int size)
{
    int first = size - 1;

    while (first > 0 && hops[queue[first - 1]] == hops[queue[size - 1]])
        first--;
    return queue[first + (size - first) / 2];
}

static void forget(const struct cutter *k, int *hops, int lo, int hi)
{
    for (int i = lo; i < hi; i++)
        hops[k->order[i]] = -1;
}

static void order_push(struct cutter *k, int lo, int hi)
{
    for (int i = lo; i < hi; i++)
        k->part[k->order[i]] = lo;
    if (hi - lo > DIST_BLOCK)
        k->todo[k->ntodo++] = (struct range){ lo, hi };
}

/* Puts the part in breadth-first order, one component after the other; true when there are several, which
 * are then parts of their own. */
static bool part_components(struct cutter *k, int lo, int hi)
{
    int tail = 0, begin = 0;
    bool several = false;

    forget(k, k->hops, lo, hi);
    for (int i = lo; i < hi; i++)
        if (k->hops[k->order[i]] < 0)
            tail = explore(k, k->order[i], k->hops, k->queue, tail);
    memcpy(k->order + lo, k->queue, (size_t)(hi - lo) * sizeof *k->order);
    for (int i = 1; i <= tail; i++)         /* a component begins where hops are 0 */
        if (i == tail || k->hops[k->queue[i]] == 0) {
            if (i < tail || several) {
                order_push(k, lo + begin, lo + i);
                several = true;
            }
            begin = i;
        }
    return several;
}

/* Orders a part that part_components has left in one piece from one far end to the other, and cuts it at a
 * multiple of the block size. */
static void halve(struct cutter *k, int lo, int hi)
{
    const int size = hi - lo;
    const int end = far_end(k->hops, k->order + lo, size);
    int middle = lo + size / 2, ecc;

    forget(k, k->hops, lo, hi);
    if (explore(k, end, k->hops, k->queue, 0) < size)
        return;                             /* directed, and not everything can be reached from there */
    memcpy(k->order + lo, k->queue, (size_t)size * sizeof *k->order);
    ecc = k->hops[k->order[hi - 1]];
    if (ecc <= SHALLOW)
        return;
    forget(k, k->far, lo, hi);
    if (explore(k, far_end(k->hops, k->order + lo, size), k->far, k->queue, 0) < size)
        return;
    if (k->far[k->queue[size - 1]] > ecc)   /* directed too */
        ecc = k->far[k->queue[size - 1]];
    /* By distance from one end less distance from the other, which lies in -ecc..ecc. */
    memset(k->first, 0, ((size_t)2 * (size_t)ecc + 2) * sizeof *k->first);
    for (int i = lo; i < hi; i++)
        k->first[k->hops[k->order[i]] - k->far[k->order[i]] + ecc + 1]++;
    for (int d = 0; d <= 2 * ecc; d++)
        k->first[d + 1] += k->first[d];
    for (int i = lo; i < hi; i++) {
        const int v = k->order[i];

        k->queue[k->first[k->hops[v] - k->far[v] + ecc]++] = v;
    }
    memcpy(k->order + lo, k->queue, (size_t)size * sizeof *k->order);
    middle = (middle + DIST_BLOCK / 2) / DIST_BLOCK * DIST_BLOCK;
    if (middle <= lo || middle >= hi)
        middle = lo + size / 2;
    order_push(k, middle, hi);
    order_push(k, lo, middle);
}

double csr_order_bytes(const struct csr *c)
{
    return 7.0 * sizeof(int) * ((double)c->n + DIST_BLOCK);
}

int csr_order(const struct csr *c, int *order, struct err *err)
{
    const size_t n = (size_t)c->n, room = n + 1;
    struct cutter k = { .c = c, .order = order };
    int *all;

    /* Parts waiting are disjoint and larger than a block. */
    if (TAKE("ordering the nodes", err, ARRAY(all, 6 * room + n), ARRAY(k.todo, n / DIST_BLOCK + 1)) < 0)
        return -1;
    k.part = all;
    k.hops = k.part + room;
    k.far = k.hops + room;
    k.queue = k.far + room;
    k.first = k.queue + room;               /* 2 ecc + 2 entries, ecc < n */
    for (int v = 0; v < c->n; v++)
        order[v] = v;
    memset(k.part, 0, n * sizeof *k.part);
    /* Small graphs too are left in breadth-first order, for locality. */
    if (n > 0 && !part_components(&k, 0, c->n))
        order_push(&k, 0, c->n);
    while (k.ntodo > 0) {
        const struct range r = k.todo[--k.ntodo];

        if (!part_components(&k, r.lo, r.hi))
            halve(&k, r.lo, r.hi);
    }
    FREE(all, k.todo);
    return 0;
}
