/* events.h -- the queue of what is to happen, for simulations driven by events: what comes next in O(log n), over the
 * binary heap of graph/base/heap.h. Events of one time come in the order that their maker gave them, so that a run is
 * the same every time. The one that was put there last is often the next: it stays out of the heap until another comes.
 * Events of a lane are put there with times that mostly do not fall, as those that come a constant time after what causes
 * them: they stand in a ring, and those that would come before the lane's last go into the heap.
 * Units   any one unit of time.
 * Errors  ERR_MEMORY. */
#pragma once

#include "graph/base/heap.h"

struct event {
    double at;
    uint64_t order;             /* among those of one time */
    size_t what;                /* its maker's own */
};
struct events_lane {
    struct event *ring;
    size_t first, n, room;      /* room: a power of two, or 0 */
};
enum { EVENTS_LANES = 3 };
struct events {                 /* zeroed: empty */
    struct event *heap;
    size_t nheap, room;
    struct event newest;
    bool apart;                 /* newest is not in the heap */
    struct events_lane lane[EVENTS_LANES];
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
static inline int events_lane_grow(struct events_lane *l, struct err *err)
{
    struct events_lane more = { .n = l->n, .room = l->room ? 2 * l->room : 1024 };
    size_t none = 0;

    if (GROW(&none, more.room, "events", err, GROWN(more.ring)) < 0)
        return -1;
    for (size_t i = 0; i < l->n; i++)
        more.ring[i] = l->ring[(l->first + i) & (l->room - 1)];
    free(l->ring);
    *l = more;
    return 0;
}
static inline int events_push_lane(struct events *q, int lane, struct event e, struct err *err)
{
    struct events_lane *l = &q->lane[lane];

    if (l->n && event_before(&e, &l->ring[(l->first + l->n - 1) & (l->room - 1)]))
        return events_push(q, e, err);
    if (l->n == l->room && events_lane_grow(l, err) < 0)
        return -1;
    l->ring[(l->first + l->n++) & (l->room - 1)] = e;
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
/* With lanes: the next of all events is taken out; false: there is none. */
static inline bool events_take(struct event *out, struct events *q)
{
    const struct event *best = events_next(q);
    struct events_lane *from = NULL;

    for (struct events_lane *l = q->lane; l < q->lane + EVENTS_LANES; l++)
        if (l->n && (!best || event_before(&l->ring[l->first], best))) {
            best = &l->ring[l->first];
            from = l;
        }
    if (!best)
        return false;
    *out = from ? *best : events_pop(q);
    if (from) {
        from->first = (from->first + 1) & (from->room - 1);
        from->n--;
    }
    return true;
}
static inline void events_clear(struct events *q)
{
    q->nheap = 0;
    q->apart = false;
    for (int k = 0; k < EVENTS_LANES; k++)
        q->lane[k].n = 0;
}
static inline void events_release(struct events *q)
{
    for (int k = 0; k < EVENTS_LANES; k++)
        free(q->lane[k].ring);
    free(q->heap);
    *q = (struct events){ 0 };
}
