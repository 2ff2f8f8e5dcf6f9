/* dispatch.h -- the queue of a channel whose messages may be refused: which is sent next (cvp, II.2.3 and II.3.3). A
 * refused message waits for its turn, and those of its class behind it do not overtake it; other classes do. Texts:
 *   mended   what is refused stays where it is; behind the last the queue is gone through again from the first
 *   prose    II.3.3: what is refused or passed over goes to the end, so that of one class d may overtake c that was
 *            passed over before d came
 *   figure   II.10 as printed: that happens to all but the refused message of a class, where none was refused too, so
 *            that nothing is sent while nobody waits; and its class is taken to be that of the queue's new first */
#pragma once

#include "graph/base/base.h"

enum dispatch_text { DISPATCH_MENDED, DISPATCH_PROSE, DISPATCH_FIGURE };
struct dispatch_item {
    int next, class;                /* behind it in its queue */
};
struct dispatch_queue {
    int first, last;                /* items; -1: empty */
    int tried, before;              /* what was sent last and is still here, and what stands before it; -1 */
};
#define DISPATCH_EMPTY { -1, -1, -1, -1 }

/* Arrays are the caller's: items by number, and of each queue the refused item of each class (-1: none). */
void dispatch_push(struct dispatch_queue *q, struct dispatch_item *item, int i);
/* What is to be sent now, -1: nothing, or by the other texts nothing yet: each call passes one message over. */
int dispatch_next(struct dispatch_queue *q, struct dispatch_item *item, const int *refused, enum dispatch_text text);
/* It was accepted, and leaves the queue; or refused. */
void dispatch_answered(struct dispatch_queue *q, struct dispatch_item *item, int *refused, bool accepted,
                       enum dispatch_text text);
