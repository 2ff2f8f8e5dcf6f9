#include "analysis/broadcast/matching.h"

#include <stdlib.h>

#include "graph/base/heap.h"

#define NONE (-1)

double matching_bytes(int nmessage, int nnode)
{
    const struct matching *t = NULL;
    size_t a_node = sizeof *t->first + sizeof *t->busy + sizeof *t->listed + sizeof *t->list + sizeof *t->heap;

    return (double)nmessage * sizeof *t->message + (double)nnode * (double)a_node;
}

int matching_init(struct matching *out, int nmessage, int nnode, const int *room, struct err *err)
{
    const size_t n = (size_t)nnode;
    struct matching t = { .room = room };

    t.message = calloc((size_t)nmessage, sizeof *t.message);
    t.first = malloc(n * sizeof *t.first);
    t.busy = calloc(n, sizeof *t.busy);
    t.used = room ? calloc(n, sizeof *t.used) : NULL;
    t.listed = calloc(n, sizeof *t.listed);
    t.list = malloc(n * sizeof *t.list);
    t.heap = malloc(n * sizeof *t.heap);
    if (!t.message || !t.first || !t.busy || (room && !t.used) || !t.listed || !t.list || !t.heap) {
        matching_release(&t);
        return err_memory(err);
    }
    for (size_t v = 0; v < n; v++)
        t.first[v] = NONE;
    *out = t;
    return 0;
}

void matching_release(struct matching *t)
{
    free(t->message);
    free(t->first);
    free(t->busy);
    free(t->used);
    free(t->listed);
    free(t->list);
    free(t->heap);
    *t = (struct matching){ 0 };
}

/* ---- a guard's messages: a pairing heap by key ---- */
static int matching_meld(struct matching_message *m, int a, int b)
{
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    if (m[b].key < m[a].key) {
        int swap = a;

        a = b;
        b = swap;
    }
    m[b].sibling = m[a].child;
    m[a].child = b;
    return a;
}

static void matching_push(struct matching *t, int node, int v)
{
    t->message[v].child = t->message[v].sibling = NONE;
    t->first[node] = matching_meld(t->message, t->first[node], v);
    if (!t->listed[node]) {
        t->listed[node] = true;
        t->list[t->nlist++] = node;
    }
}

static void matching_pop(struct matching *t, int node)
{
    struct matching_message *m = t->message;
    int rest = m[t->first[node]].child, pairs = NONE, top = NONE;

    while (rest != NONE) {              /* meld in pairs, then the pairs from the last to the first */
        int a = rest, b = m[a].sibling, pair;

        rest = b == NONE ? NONE : m[b].sibling;
        m[a].sibling = NONE;
        if (b != NONE)
            m[b].sibling = NONE;
        pair = matching_meld(m, a, b);
        m[pair].sibling = pairs;
        pairs = pair;
    }
    while (pairs != NONE) {
        int next = m[pairs].sibling;

        m[pairs].sibling = NONE;
        top = matching_meld(m, top, pairs);
        pairs = next;
    }
    t->first[node] = top;
}

/* ---- this unit's guards: a binary heap ---- */
#define SOONER(context, a, b) ((void)(context), (a).key < (b).key)
HEAP(guards, const void *, struct matching_guard, SOONER, HEAP_NOWHERE)

void matching_wait(struct matching *t, int v, uint64_t key, int a, int b)
{
    t->message[v] = (struct matching_message){ .key = key, .a = a, .b = b };
    matching_push(t, a, v);
}

void matching_next_unit(struct matching *t)
{
    size_t kept = 0;

    t->unit++;
    for (int i = 0; i < t->nlist; i++) {
        int node = t->list[i];

        t->listed[node] = t->first[node] != NONE;
        if (t->listed[node]) {
            t->heap[kept] = (struct matching_guard){ t->message[t->first[node]].key, node };
            t->list[kept++] = node;
        }
    }
    t->nlist = (int)kept;
    t->nheap = kept;
    for (size_t i = kept / 2; i-- > 0;)
        guards_sink(NULL, t->heap, kept, i);
}

/* The guard that comes first has other messages now. */
static void matching_turn(struct matching *t, int node)
{
    if (t->first[node] == NONE) {
        guards_pop(NULL, t->heap, &t->nheap);
    } else {
        t->heap[0].key = t->message[t->first[node]].key;
        guards_sink(NULL, t->heap, t->nheap, 0);
    }
}

int matching_take(struct matching *t)
{
    while (t->nheap > 0) {
        int node = t->heap[0].node, v = t->first[node], other;

        if (!matching_idle(t, node)) {
            guards_pop(NULL, t->heap, &t->nheap);
            continue;
        }
        other = t->message[v].a == node ? t->message[v].b : t->message[v].a;
        matching_pop(t, node);
        if (matching_idle(t, other)) {
            matching_occupy(t, node);
            if (other != node)
                matching_occupy(t, other);
            if (t->room)                /* it may have room for more */
                matching_turn(t, node);
            return v;
        }
        matching_push(t, other, v);
        matching_turn(t, node);
    }
    return NONE;
}
