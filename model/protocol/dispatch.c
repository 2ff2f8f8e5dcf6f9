#include "model/protocol/dispatch.h"

#include <stdbool.h>

void dispatch_push(struct dispatch_queue *q, struct dispatch_item *item, int i)
{
    item[i].next = -1;
    if (q->last >= 0)
        item[q->last].next = i;
    else
        q->first = i;
    q->last = i;
}

static void dispatch_remove(struct dispatch_queue *q, struct dispatch_item *item, int before, int i)
{
    if (before >= 0)
        item[before].next = item[i].next;
    else
        q->first = item[i].next;
    if (q->last == i)
        q->last = before;
}

static void dispatch_to_end(struct dispatch_queue *q, struct dispatch_item *item)
{
    const int i = q->first;

    dispatch_remove(q, item, -1, i);
    dispatch_push(q, item, i);
}

/* One request for a message: the first, or that it is passed over. */
static int dispatch_moving(struct dispatch_queue *q, struct dispatch_item *item, const int *refused,
                           enum dispatch_text text)
{
    const int i = q->first, waits = i >= 0 ? refused[item[i].class] : -1;

    q->before = -1;
    q->tried = i >= 0 && (waits == i || (waits < 0 && text == DISPATCH_PROSE)) ? i : -1;
    if (i >= 0 && q->tried < 0)
        dispatch_to_end(q, item);
    return q->tried;
}

int dispatch_next(struct dispatch_queue *q, struct dispatch_item *item, const int *refused, int classes,
                  enum dispatch_text text)
{
    if (text != DISPATCH_MENDED)
        return dispatch_moving(q, item, refused, text);
    if (classes == 1 || q->first < 0) {
        q->before = -1;
        return q->tried = q->first;
    }
    for (;;) {                          /* from behind the last, and from the first; that is sent at the latest */
        const int at = q->tried >= 0 ? item[q->tried].next : q->before >= 0 ? item[q->before].next : q->first;

        q->before = at < 0 ? -1 : q->tried >= 0 ? q->tried : q->before;
        q->tried = at;
        if (at >= 0 && (refused[item[at].class] < 0 || refused[item[at].class] == at))
            return at;
    }
}

void dispatch_accepted(struct dispatch_queue *q, struct dispatch_item *item, int *refused)
{
    const int i = q->tried;

    if (refused[item[i].class] == i)
        refused[item[i].class] = -1;
    dispatch_remove(q, item, q->before, i);
    q->tried = -1;
}

void dispatch_refused(struct dispatch_queue *q, struct dispatch_item *item, int *refused, enum dispatch_text text)
{
    const int i = q->tried;

    if (text != DISPATCH_MENDED)
        dispatch_to_end(q, item);
    refused[item[text == DISPATCH_FIGURE ? q->first : i].class] = i;
}
