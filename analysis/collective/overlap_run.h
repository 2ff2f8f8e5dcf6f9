/* overlap_run.h -- the state of a schedule under way (overlap.h), which overlap.c, overlap_routes.c and
 * overlap_repeat.c share. */
#pragma once

#include "analysis/collective/overlap.h"
#include "model/process/events.h"

enum { NONE = -1 };
/* The later of two times, none of them NaN; fmax is a call. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}
struct queue {                          /* of messages; NONE */
    int first, last;
};
struct connection {                     /* a process's to another */
    int from, to;
    size_t hop, nhop, nshared;          /* in o->hop; nshared: with what its process sends over */
    double far, slow;                   /* seconds of its length; a byte where it is alone */
    unsigned run;                       /* that what follows is of */
    struct queue posted, come;          /* not begun; begun and not taken */
    int waiting, wanted;                /* posted ones that have not begun; receives without a message that has */
    double asked;                       /* when the last of these was posted */
    double count, bytes;                /* messages; bytes on the wire */
};
struct message {
    int connection, next, clear;        /* clear: place in its sender's */
    double bytes, sent, posted, flows, arrival;        /* sent: its sender turned to it. INFINITY: not known */
    int64_t step;
    bool early;                         /* of a part before those that go apart */
};
enum stall { GOES, TAKES, SENDS, POSTS, ENDED };        /* waits for a message; an arrival; room */
struct worker {                         /* a process */
    int64_t at, length;                 /* action, of so many */
    int part;                           /* of the program, with actions from `begin` up to `end` */
    int64_t begin, end;
    int64_t messages;                   /* of this action that are done, in pieces */
    int64_t held;                       /* messages that are posted and begin with those to come, */
    double together;                    /* not before this */
    int64_t ask, asking, coming;        /* the action that posts its receive next; messages that are waited for, and
                                         * with these those that have come and are not taken */
    double free;                        /* since when no more are, where there are ports */
    bool asks;
    double clock, ready;                /* may go on; what it has taken is worked in */
    double sent, sends;                 /* bytes; messages */
    int64_t step;
    enum stall stall;
    int on;                             /* connection */
    int to, from, asked;                /* connections last used; NONE */
    bool queued;
};
struct run {
    struct overlap *o;
    const struct schedule *s;
    struct cost *c;
    double combine;
    const struct program *const *part;
    const struct program *whole[2];
    int nparts, apart;                  /* parts from `apart` on go apart */
    int64_t early;                      /* processes and messages before that */
    bool off;                           /* they do now */
    bool blocking, unasked;
    struct worker *worker;
    double *slot, *clear;               /* by process, `ports` each: work is done; a send has arrived */
    struct message *message;
    size_t nmessage;
    int spare, under_way;
    struct events queue;
    int *stack, nstack;                 /* processes that go on, when all go apart */
    double now, done, all, limit;       /* limit: given up beyond */
    struct action a;
    struct { int process; int64_t action; } made;       /* what is in a; NONE */
    double piece;                       /* bytes of one */
    struct execution x;
    struct repeat *repeat;
    int counting;                       /* the process that has its rounds counted; NONE */
};

/* ---- overlap_routes.c ---- */

/* Its number, -1 with err. */
int overlap_connection(struct run *r, int from, int to, struct err *err);
/* Sets r->apart. */
int overlap_apart(struct run *r, struct err *err);
/* Its links now: of cables side by side those with the fewest flows, which are counted as carrying the message. */
const uint32_t *overlap_links(struct run *r, const struct connection *c, double bytes);

/* What links have carried, into r->x, added in the order of processes: that of connections is by what ran before. Of
 * cables side by side it is not known. */
int overlap_carried(struct run *r, struct err *err);

/* ---- overlap_repeat.c ---- */

int repeat_open(struct run *r, struct err *err);
void repeat_close(struct run *r);
/* Process p begins action w->at. */
int repeat_look(struct run *r, int p, struct err *err);

/* The same as overlap_connection, which *last may be already. */
static inline int run_connection(struct run *r, int *last, int from, int to, struct err *err)
{
    if (*last < 0 || r->o->connection[*last].from != from || r->o->connection[*last].to != to)
        *last = overlap_connection(r, from, to, err);
    return *last;
}
static inline void queue_put(struct run *r, struct queue *q, int m)
{
    r->message[m].next = NONE;
    *(q->last < 0 ? &q->first : &r->message[q->last].next) = m;
    q->last = m;
}

static inline int queue_take(struct run *r, struct queue *q)
{
    const int m = q->first;

    q->first = r->message[m].next;
    q->last = q->first < 0 ? NONE : q->last;
    return m;
}
