/* sequence.h -- messages of a pair in the order in which their source took them: at the destination each waits until
 * all before it have come, or were lost.
 * Source  Franco, thesis on Distributed Routing Balancing, 4.7.2.4.5: messages numbered where they are sent.
 * Errors  ERR_MEMORY. */
#pragma once

#include "analysis/simulate/finder.h"

struct sequence_pair {
    unsigned sent, next;                /* numbers: the next to be sent; that everything waits for */
    int early;                          /* the first of those that wait, by number; -1 */
};
struct sequence_early {
    unsigned serial;
    int flits, next;
    int64_t came;
};
struct sequence {                          /* zeroed: empty */
    struct map pair_at;
    struct sequence_pair *pair;
    size_t npair, pair_room;
    struct sequence_early *early;
    size_t nearly, early_room;
    int gone;                           /* 1 + the first of those that are free; 0: none */
    double *held;                       /* flits, by node */
    size_t held_room;
    struct sequence_sums {
        double messages, late, wait, most;      /* messages; that had to wait; ticks; flits at a node */
    } sum;
};
int sequence_sent(struct sequence *o, struct message *m, struct err *err);        /* its number */
int sequence_came(struct sequence *o, const struct message *m, int64_t now, bool counting, struct err *err);
void sequence_close(struct sequence *o);
