/* orders.h -- whether processes that call blocking sends and receives, each in an order of its own, all come to their
 * end, or wait for each other in a circle.
 * Input  CSV with the columns process, op, peer and, if there is one, tag; others are passed over. The rows of one
 *        process stand in the order in which it makes its calls, whatever rows of others stand between. op is `send` or
 *        `recv`; processes and tags have any names, blanks around them aside; no tag is a tag too.
 * Model  synchronous sends (MPI_Ssend): nothing is buffered. A send of p to q with tag t and a receive of q from p with
 *        tag t end together, once p and q have both come to them; until then the first to come waits. A program that
 *        ends under these does so with buffers of any size, too.
 *        The outcome does not depend on which goes first: the call that a process stands at names its partner, so that
 *        it fits one call of one process at most, and both stay where they are until they end together. What can end
 *        now can therefore still end after anything else has, and in whatever order that happens, the same calls end.
 *        Receives from any process, or with any tag, are refused: which send they take depends on which is faster.
 * Rounds all calls that can end do so at once, again and again; a process makes one call a round.
 * Circle a process that waits does so for one that waits: if it had ended, it would have made all calls that answer
 *        ours, for there are as many of them (what is not so is refused). Each waits for one: there is a circle.
 * Time   linear in the rows, but for the sorting of processes.
 * Errors ERR_FORMAT names file and line; ERR_IO, ERR_MEMORY. */
#pragma once

#include "graph/base/csv.h"

struct orders_call {
    int process, peer;          /* 0..n-1 */
    const char *tag;            /* "": none */
    size_t line;                /* of the file */
    int kind;                   /* messages of one sender, receiver and tag are of one kind */
    int round;                  /* in which it ends, from 1; 0: it never does */
    bool send;
};
struct orders {
    int n;
    const char **name;          /* of the processes: whole numbers, ascending, then words as they come in the file */
    struct orders_call *call;   /* process by process, each in its order */
    size_t ncall;
    size_t *first;              /* n + 1: the calls of process p are first[p] .. first[p + 1] - 1 */

    size_t *next;               /* by process: the call it waits in; first[p + 1]: it has ended */
    size_t done;                /* calls that end */
    int rounds;
    int waiting;                /* processes that never end */
    int circles;                /* of processes that wait for each other */
    int *circle, ncircle;       /* that of them with the smallest process, which comes first; each waits for the next,
                                 * the last for the first. None: 0 */
    struct csv csv;             /* what names point into */
};

int orders_open(struct orders *out, const char *path, struct err *err);
/* Of a file that is read already, `path` in messages. It is the answer's where there is one, and `csv` then empty. */
int orders_from(struct orders *out, struct csv *csv, const char *path, struct err *err);
void orders_close(struct orders *o);
/* The call that process p waits in, NULL when it has ended. */
static inline const struct orders_call *orders_waits(const struct orders *o, int p)
{
    return o->next[p] < o->first[p + 1] ? &o->call[o->next[p]] : NULL;
}
