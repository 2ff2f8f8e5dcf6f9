/* events.h -- the queue of what is to happen, for simulations driven by events: what comes next in O(log n), over the
 * binary heap of graph/base/heap.h. Events of one time come in the order that their maker gave them, so that a run is
 * the same every time.
 * Units   any one unit of time.
 * Errors  ERR_MEMORY. */
#ifndef MODEL_PROCESS_EVENTS_H
#define MODEL_PROCESS_EVENTS_H

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
    size_t n, room;
};

static inline bool event_before(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}
#define EVENTS_BEFORE(c, a, b) ((void)(c), event_before(&(a), &(b)))
HEAP(events_heap, struct events *, struct event, EVENTS_BEFORE, HEAP_NOWHERE)

/* Room for n events at a time; beyond it events_push makes more. */
static inline int events_room(struct events *q, size_t n, struct err *err)
{
    return GROW(&q->room, n, "events", err, GROWN(q->heap));
}
static inline int events_push(struct events *q, struct event e, struct err *err)
{
    if (events_room(q, q->n + 1, err) < 0)
        return -1;
    events_heap_push(q, q->heap, &q->n, e);
    return 0;
}
/* The next one is taken out; there is one. */
static inline struct event events_pop(struct events *q)
{
    return events_heap_pop(q, q->heap, &q->n);
}
/* Whether e would be the next. */
static inline bool events_first(const struct events *q, const struct event *e)
{
    return q->n == 0 || event_before(e, &q->heap[0]);
}
static inline void events_release(struct events *q)
{
    free(q->heap);
    *q = (struct events){ 0 };
}

#endif
