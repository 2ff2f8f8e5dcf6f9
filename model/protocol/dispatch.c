#include "model/protocol/dispatch.h"

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

static void dispatch_to_end(struct dispatch_queue *q, struct dispatch_item *item, int i)
{
    dispatch_remove(q, item, -1, i);
    dispatch_push(q, item, i);
}

int dispatch_next(struct dispatch_queue *q, struct dispatch_item *item, const int *refused, enum dispatch_text text)
{
    while (q->first >= 0) {             /* from behind the last, and from the first; that is sent at the latest */
        const bool mended = text == DISPATCH_MENDED;
        const int at = !mended ? q->first : q->tried >= 0 ? item[q->tried].next :
            q->before >= 0 ? item[q->before].next : q->first;

        q->before = at < 0 || !mended ? -1 : q->tried >= 0 ? q->tried : q->before;
        q->tried = at;
        if (at >= 0 && (refused[item[at].class] == at || (refused[item[at].class] < 0 && text != DISPATCH_FIGURE)))
            return at;
        if (!mended) {
            dispatch_to_end(q, item, at);
            return -1;
        }
    }
    q->before = -1;
    return q->tried = -1;
}

void dispatch_answered(struct dispatch_queue *q, struct dispatch_item *item, int *refused, bool accepted,
                       enum dispatch_text text)
{
    const int i = q->tried;

    if (accepted) {
        refused[item[i].class] = refused[item[i].class] == i ? -1 : refused[item[i].class];
        dispatch_remove(q, item, q->before, i);
        q->tried = -1;
        return;
    }
    if (text != DISPATCH_MENDED)
        dispatch_to_end(q, item, i);
    refused[item[text == DISPATCH_FIGURE ? q->first : i].class] = i;
}
