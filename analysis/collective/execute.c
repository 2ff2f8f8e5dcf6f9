#include "analysis/collective/execute.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "model/process/events.h"

enum { ASK_EVERY = 1 << 16, NONE = -1 };

struct letter {                         /* a message that has been sent and not been taken */
    int from, next;                     /* of its receiver; NONE */
    double arrival, bytes;
    int64_t step;
};
struct worker {                         /* a process */
    int64_t at;
    double time, sent;
    int64_t step;                       /* messages on the longest chain that ends here */
    int first, last;                    /* letters, in the order in which they were sent; NONE */
    int waits;                          /* for whom; NONE: it does not */
};
struct run {
    const struct schedule *s;
    struct cost *c;
    double combine;
    struct worker *worker;
    struct letter *letter;
    size_t nletter, room;
    int spare;                          /* letters; NONE */
    struct events queue;
    struct action a;
    double *arrival;                    /* of copies */
    struct execution x;
};

/* A message of process p is at `arrival` with another. */
static int run_letter(struct run *r, int p, int peer, double bytes, double arrival, struct err *err)
{
    struct worker *to = &r->worker[peer];
    int at = r->spare;

    if (at < 0 && GROW_BY(r->nletter, 1, "messages", err, GROWN(r->letter)) < 0)
        return -1;
    if (at < 0)
        at = (int)r->nletter++;
    else
        r->spare = r->letter[at].next;
    r->letter[at] = (struct letter){ .from = p, .next = NONE, .arrival = arrival, .bytes = bytes,
                                     .step = r->worker[p].step + 1 };
    if (to->last < 0)
        to->first = at;
    else
        r->letter[to->last].next = at;
    to->last = at;
    if (to->waits != p)
        return 0;
    to->waits = NONE;
    return events_push(&r->queue, (struct event){ fmax(to->time, arrival), (uint64_t)peer, (size_t)peer }, err);
}

static int run_send(struct run *r, int p, struct err *err)
{
    const double bytes = (double)schedule_bytes(r->s, &r->a);
    struct worker *w = &r->worker[p];
    double arrival;

    r->x.messages++;
    w->sent += bytes;
    if (r->a.peer == EVERYONE) {
        if (r->c->kind->copy(r->c, p, bytes, &w->time, r->arrival, err) < 0)
            return -1;
        for (int q = 0; q < r->s->n; q++)
            if (q != p && run_letter(r, p, q, bytes, r->arrival[q], err) < 0)
                return -1;
        return 0;
    }
    arrival = r->c->kind->send(r->c, p, r->a.peer, bytes, &w->time, err);
    return isnan(arrival) ? -1 : run_letter(r, p, r->a.peer, bytes, arrival, err);
}

/* The first message of the peer that is there; false: none was sent yet. */
static bool run_take(struct run *r, int p)
{
    struct worker *w = &r->worker[p];
    int before = NONE, at = w->first;
    struct letter *l;

    while (at >= 0 && r->letter[at].from != r->a.peer) {
        before = at;
        at = r->letter[at].next;
    }
    if (at < 0)
        return false;
    l = &r->letter[at];
    if (before < 0)
        w->first = l->next;
    else
        r->letter[before].next = l->next;
    if (w->last == at)
        w->last = before;
    w->time = r->c->kind->take ? r->c->kind->take(r->c, p, l->bytes, l->arrival, w->time) : fmax(w->time, l->arrival);
    if (r->a.what == ACTION_COMBINE)
        w->time += r->combine * l->bytes;
    w->step = l->step > w->step ? l->step : w->step;
    l->next = r->spare;
    r->spare = at;
    return true;
}

/* Process p, whose time has come, up to where it waits or, where others hold what it needs, its time is later. */
static int run_process(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];
    const double now = w->time;

    while (r->c->kind->apart || w->time <= now) {
        if (schedule_action(&r->a, r->s, p, w->at, err) < 0)
            return -1;
        if (r->a.what == ACTION_END)
            return 0;
        if (r->a.what == ACTION_SEND) {
            if (run_send(r, p, err) < 0)
                return -1;
        } else if (!run_take(r, p)) {
            w->waits = r->a.peer;
            return 0;
        }
        w->at++;
    }
    return events_push(&r->queue, (struct event){ w->time, (uint64_t)p, (size_t)p }, err);
}

static int run_all(struct run *r, const struct tick *t, struct err *err)
{
    const struct schedule *s = r->s;

    for (int p = 0; p < s->n; p++) {
        r->worker[p].first = r->worker[p].last = r->worker[p].waits = NONE;
        if (events_push(&r->queue, (struct event){ 0, (uint64_t)p, (size_t)p }, err) < 0)
            return -1;
    }
    for (int64_t k = 0; r->queue.n; k++) {
        const struct event e = events_pop(&r->queue);

        r->worker[e.what].time = fmax(r->worker[e.what].time, e.at);
        if (run_process(r, (int)e.what, err) < 0 || (k % ASK_EVERY == 0 && tick_check(t, 0, err) < 0))
            return -1;
    }
    for (int p = 0; p < s->n; p++) {
        const struct worker *w = &r->worker[p];

        if (w->at < schedule_length(s, p))
            return err_set(err, ERR_INTERNAL, "%s by %s: process %d waits for ever", operation_name[s->operation],
                           s->algorithm->name, p);
        r->x.time = fmax(r->x.time, w->time);
        r->x.bytes += w->sent;
        r->x.most = fmax(r->x.most, w->sent);
        r->x.steps = w->step > r->x.steps ? w->step : r->x.steps;
    }
    return 0;
}

int execute(struct execution *out, const struct schedule *s, struct cost *c, double combine, const struct tick *t,
            struct err *err)
{
    struct run r = { .s = s, .c = c, .combine = combine, .spare = NONE };
    int ret;

    if (s->algorithm->copies && !(c->copies && c->kind->copy))
        return err_set(err, ERR_DOMAIN, "%s needs a network that copies messages: a bus, or a cost with multicast=yes, "
                       "not %s", s->algorithm->name, c->spec);
    cost_begin(c);
    ret = TAKE("the processes", err, ZEROS(r.worker, s->n), ARRAY_IF(s->algorithm->copies, r.arrival, s->n)) < 0 ? -1 :
        run_all(&r, t, err);
    r.x.busiest = r.x.hops = r.x.waiting = NAN;         /* nobody counts them yet */
    *out = r.x;
    FREE(r.worker, r.letter, r.arrival, r.a.run);
    events_release(&r.queue);
    return ret;
}
