#include "analysis/broadcast/turns.h"

#include <stdlib.h>

#include "graph/base/heap.h"

#define NONE (-1)

double turns_bytes(int nmessage, int nnode)
{
    const struct turns *t = NULL;
    size_t a_node = sizeof *t->first + sizeof *t->busy + sizeof *t->listed + sizeof *t->list + sizeof *t->heap;

    return (double)nmessage * sizeof *t->message + (double)nnode * (double)a_node;
}

int turns_init(struct turns *out, int nmessage, int nnode, struct err *err)
{
    const size_t n = (size_t)nnode;
    struct turns t = { 0 };

    t.message = calloc((size_t)nmessage, sizeof *t.message);
    t.first = malloc(n * sizeof *t.first);
    t.busy = calloc(n, sizeof *t.busy);
    t.listed = calloc(n, sizeof *t.listed);
    t.list = malloc(n * sizeof *t.list);
    t.heap = malloc(n * sizeof *t.heap);
    if (!t.message || !t.first || !t.busy || !t.listed || !t.list || !t.heap) {
        turns_release(&t);
        return err_memory(err);
    }
    for (size_t v = 0; v < n; v++)
        t.first[v] = NONE;
    *out = t;
    return 0;
}

void turns_release(struct turns *t)
{
    free(t->message);
    free(t->first);
    free(t->busy);
    free(t->listed);
    free(t->list);
    free(t->heap);
    *t = (struct turns){ 0 };
}

/* ---- a guard's messages: a pairing heap by key ---- */
static int meld(struct turns_message *m, int a, int b)
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

static void turns_push(struct turns *t, int node, int v)
{
    t->message[v].child = t->message[v].sibling = NONE;
    t->first[node] = meld(t->message, t->first[node], v);
    if (!t->listed[node]) {
        t->listed[node] = true;
        t->list[t->nlist++] = node;
    }
}

static void turns_pop(struct turns *t, int node)
{
    struct turns_message *m = t->message;
    int rest = m[t->first[node]].child, pairs = NONE, top = NONE;

    while (rest != NONE) {              /* meld in pairs, then the pairs from the last to the first */
        int a = rest, b = m[a].sibling, pair;

        rest = b == NONE ? NONE : m[b].sibling;
        m[a].sibling = NONE;
        if (b != NONE)
            m[b].sibling = NONE;
        pair = meld(m, a, b);
        m[pair].sibling = pairs;
        pairs = pair;
    }
    while (pairs != NONE) {
        int next = m[pairs].sibling;

        m[pairs].sibling = NONE;
        top = meld(m, top, pairs);
        pairs = next;
    }
    t->first[node] = top;
}

/* ---- this unit's guards: a binary heap ---- */
#define SOONER(context, a, b) ((void)(context), (a).key < (b).key)
HEAP(guards, const void *, struct turns_guard, SOONER, HEAP_NOWHERE)

void turns_wait(struct turns *t, int v, uint64_t key, int a, int b)
{
    t->message[v] = (struct turns_message){ .key = key, .a = a, .b = b };
    turns_push(t, a, v);
}

void turns_next_unit(struct turns *t)
{
    size_t kept = 0;

    t->unit++;
    for (int i = 0; i < t->nlist; i++) {
        int node = t->list[i];

        t->listed[node] = t->first[node] != NONE;
        if (t->listed[node]) {
            t->heap[kept] = (struct turns_guard){ t->message[t->first[node]].key, node };
            t->list[kept++] = node;
        }
    }
    t->nlist = (int)kept;
    t->nheap = kept;
    for (size_t i = kept / 2; i-- > 0;)
        guards_sink(NULL, t->heap, kept, i);
}

int turns_take(struct turns *t)
{
    while (t->nheap > 0) {
        int node = t->heap[0].node, v = t->first[node], other;

        if (!turns_idle(t, node)) {
            guards_pop(NULL, t->heap, &t->nheap);
            continue;
        }
        other = t->message[v].a == node ? t->message[v].b : t->message[v].a;
        turns_pop(t, node);
        if (turns_idle(t, other)) {
            turns_occupy(t, node);
            turns_occupy(t, other);
            return v;
        }
        turns_push(t, other, v);
        if (t->first[node] == NONE) {
            guards_pop(NULL, t->heap, &t->nheap);
        } else {
            t->heap[0].key = t->message[t->first[node]].key;
            guards_sink(NULL, t->heap, t->nheap, 0);
        }
    }
    return NONE;
}
