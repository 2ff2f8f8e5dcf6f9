/* events.h -- the queue of what is to happen, for simulations driven by events: what comes next in O(log n), over the
 * binary heap of graph/base/heap.h. Events of one time come in the order that their maker gave them, so that a run is
 * the same every time. The one that was put there last is often the next: it stays out of the heap until another comes.
 * Units   any one unit of time.
 * Errors  ERR_MEMORY. */
#ifndef MODEL_PROCESS_EVENTS_H
#define MODEL_PROCESS_EVENTS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "graph/base/grow.h"
#include "graph/base/heap.h"

struct event {
    double at;
    uint64_t order;             /* among those of one time */
    size_t what;                /* its maker's own */
};
struct events {                 /* zeroed: empty */
    struct event *heap;
    size_t nheap, room;
    struct event newest;
    bool apart;                 /* newest is not in the heap */
};

static inline bool event_before(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}
#define EVENTS_BEFORE(c, a, b) ((void)(c), event_before(&(a), &(b)))
HEAP(events_heap, struct events *, struct event, EVENTS_BEFORE, HEAP_NOWHERE)

static inline int events_push(struct events *q, struct event e, struct err *err)
{
    if (q->apart && GROW(&q->room, q->nheap + 1, "events", err, GROWN(q->heap)) < 0)
        return -1;
    if (q->apart)
        events_heap_push(q, q->heap, &q->nheap, q->newest);
    q->newest = e;
    q->apart = true;
    return 0;
}
/* The next one; NULL: there is none. */
static inline const struct event *events_next(const struct events *q)
{
    return q->apart && (q->nheap == 0 || event_before(&q->newest, q->heap)) ? &q->newest : q->nheap ? q->heap : NULL;
}
static inline double events_time(const struct events *q)        /* of that; INFINITY */
{
    return events_next(q) ? events_next(q)->at : INFINITY;
}
/* It is taken out. */
static inline struct event events_pop(struct events *q)
{
    if (events_next(q) != &q->newest)
        return events_heap_pop(q, q->heap, &q->nheap);
    q->apart = false;
    return q->newest;
}
static inline void events_clear(struct events *q)
{
    q->nheap = 0;
    q->apart = false;
}
static inline void events_release(struct events *q)
{
    free(q->heap);
    *q = (struct events){ 0 };
}

#endif
