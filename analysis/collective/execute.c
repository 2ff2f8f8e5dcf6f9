/* A schedule executed under a cost (execute.h).
 * 1. events     a process goes on when it may: woken by time, or by a message that it waits for
 * 2. messages   kept by sender and receiver, found by a hash, until they are taken; then their places are used again
 * 3. processes  one action after the other: a send asks the cost when its message is there, a receive waits for the
 *               first of that peer, a combine adds the time of its bytes
 * 4. the whole  processes begin by rank; the clock moves to the next event until all have ended */
#include "analysis/collective/execute.h"
#include "graph/base/bisect.h"
#include "model/process/events.h"

enum { ASK_EVERY = 1 << 10, NONE = -1 };
#define ACTIONS_MOST 1e9                /* a quarter of an hour */

struct letter {                         /* a message that has been sent and not been taken */
    int from, to, next;                 /* next of these two; NONE */
    int last, beside;                   /* of the first of these two: their last; the first of others in its bucket */
    bool more;                          /* of the same action follow */
    double arrival, bytes, sent;        /* INFINITY: not known yet */
    int64_t step;
};
struct held {                           /* what waited when a process took something, where no later take exceeds it: */
    double until, more;                 /* bytes more than at the next one */
    int before, is;                     /* the one before, NONE; this one, or towards the next if it is exceeded */
};
struct worker {                         /* a process */
    int64_t at, length, part;           /* action, of so many; messages of it that have been sent */
    double time, sent;
    int64_t step;                       /* messages on the longest chain that ends here */
    int waits;                          /* for a message of this process; NONE: it does not */
};
struct pile {                           /* at a process */
    struct held *held;                  /* in the order of time */
    size_t n, exceeded, room;
    double most;                        /* at the first that is not exceeded */
};
struct run {
    const struct schedule *s;
    struct cost *c;
    double combine;
    struct worker *worker;
    struct pile *pile;                  /* by process; apart, for few ever have one */
    struct letter *letter;
    size_t nletter, flying;             /* flying: not delivered */
    int *bucket;                        /* first letters of two processes, by a hash of the two; NONE */
    size_t buckets;                     /* a power of two, not below nletter */
    int begun, ended;                   /* processes: by rank, those below have begun */
    double done, all;                   /* actions */
    int spare;                          /* letters; NONE */
    double now, limit;                  /* given up beyond */
    struct events queue;
    struct action a;
    double *arrival;                    /* of copies */
    struct execution x;
};

static int run_wake(struct run *r, int p, double at, struct err *err)
{
    return events_push(&r->queue, (struct event){ at, (uint64_t)schedule_rank(r->s, p), (size_t)p }, err);
}

/* Letter k will be there at `at`, or is. */
static int run_arrives(struct run *r, int k, double at, struct err *err)
{
    const int p = r->letter[k].to;
    struct worker *to = &r->worker[p];

    r->letter[k].arrival = at;
    if (to->waits != r->letter[k].from)
        return 0;
    to->waits = NONE;
    return run_wake(r, p, fmax(to->time, at), err);
}

/* Bytes of message number `at` of the action: of all pieces, or of one. */
static double run_part(const struct run *r, int64_t at, bool *more)
{
    const struct action *a = &r->a;
    size_t i = 0;

    *more = false;
    if (!r->c->pieces)
        return (double)schedule_bytes(r->s, a);
    while (i < a->nrun && at >= a->run[i].count)
        at -= a->run[i++].count;
    *more = i + 1 < a->nrun || (i < a->nrun && at + 1 < a->run[i].count);
    return i < a->nrun ? (double)schedule_piece(r->s, a->run[i].first + at) : 0;
}

/* The place that names the first letter of the two, NONE. */
static int *run_first(const struct run *r, int from, int to)
{
    /* pairs of one phase of an exchange lie side by side */
    const uint32_t mixed = (uint32_t)to + (uint32_t)(from ^ to) * 0x9e3779b9u;
    int *at = &r->bucket[mixed & (r->buckets - 1)];

    while (*at >= 0 && (r->letter[*at].from != from || r->letter[*at].to != to))
        at = &r->letter[*at].beside;
    return at;
}

/* Twice as many buckets. */
static int run_buckets(struct run *r, struct err *err)
{
    const struct run old = *r;

    r->buckets = old.buckets ? 2 * old.buckets : 64;
    if (TAKE("messages", err, ARRAY(r->bucket, r->buckets)) < 0) {
        r->bucket = old.bucket;
        return -1;
    }
    for (size_t i = 0; i < r->buckets; i++)
        r->bucket[i] = NONE;
    for (size_t i = 0; i < old.buckets; i++)
        for (int k = old.bucket[i], beside; k >= 0; k = beside) {
            beside = r->letter[k].beside;
            r->letter[k].beside = NONE;
            *run_first(r, r->letter[k].from, r->letter[k].to) = k;
        }
    free(old.bucket);
    return 0;
}

/* A message that is sent: its letter, -1 with err. */
static int run_letter(struct run *r, const struct letter *l, struct err *err)
{
    int at = r->spare, *first;

    if (at < 0 && (GROW_BY(r->nletter, 1, "messages", err, GROWN(r->letter)) < 0 ||
                   (r->nletter == r->buckets && run_buckets(r, err) < 0)))
        return -1;
    if (at < 0)
        at = (int)r->nletter++;
    else
        r->spare = r->letter[at].next;
    r->letter[at] = *l;
    r->letter[at].last = at;
    first = run_first(r, l->from, l->to);
    if (*first < 0) {
        *first = at;
    } else {
        r->letter[r->letter[*first].last].next = at;
        r->letter[*first].last = at;
    }
    return at;
}

static int run_copy(struct run *r, struct letter *l, double wire, struct err *err)
{
    if (r->c->kind->copy(r->c, l->from, wire, &r->worker[l->from].time, r->arrival, err) < 0)
        return -1;
    for (l->to = 0; l->to < r->s->n; l->to++)
        if (l->to != l->from) {
            const int at = run_letter(r, l, err);

            if (at < 0 || run_arrives(r, at, r->arrival[l->to], err) < 0)
                return -1;
        }
    return 0;
}

static int run_send(struct run *r, int p, struct err *err)
{
    const struct cost_kind *kind = r->c->kind;
    struct worker *w = &r->worker[p];
    struct letter l = { .from = p, .to = r->a.peer, .next = NONE, .beside = NONE, .arrival = INFINITY,
                        .step = w->step + 1, .sent = w->time };
    double wire;
    int at;

    l.bytes = run_part(r, w->part, &l.more);
    wire = cost_sent(r->c, l.bytes, err);
    if (isnan(wire))
        return -1;
    w->sent += l.bytes;
    w->part = l.more ? w->part + 1 : 0;
    w->at += !l.more;
    r->x.messages++;
    if (l.to == EVERYONE)
        return run_copy(r, &l, wire, err);
    at = run_letter(r, &l, err);
    if (at < 0)
        return -1;
    if (!kind->send) {
        r->flying++;
        return kind->start(r->c, (size_t)at, p, l.to, wire, &w->time, err);
    }
    l.arrival = kind->send(r->c, p, l.to, wire, &w->time, err);
    return isnan(l.arrival) ? -1 : run_arrives(r, at, l.arrival, err);
}

static int pile_is(struct held *held, int k)
{
    while (held[k].is != k)
        k = held[k].is = held[held[k].is].is;
    return k;
}

/* Those that are exceeded are let go. */
static void pile_pack(struct pile *pile)
{
    size_t n = 0;

    for (size_t k = 0; k < pile->n; k++)
        if (pile->held[k].is == (int)k) {
            pile->held[n] = (struct held){ pile->held[k].until, pile->held[k].more, (int)n - 1, (int)n };
            n++;
        }
    pile->n = n;
    pile->exceeded = 0;
}

/* What was there at `arrival` waited until now, at each of the takes meanwhile too: all of them have `bytes` more. */
static int run_waited(struct run *r, int p, const struct letter *l, struct err *err)
{
    const double now = r->worker[p].time;
    struct pile *pile = &r->pile[p];
    struct held *held;
    int k, before;

    if (!(l->arrival < now && l->bytes > 0))
        return 0;
    if (GROW(&pile->room, pile->n + 1, "what waits", err, GROWN(pile->held)) < 0)
        return -1;
    held = pile->held;
    held[pile->n] = (struct held){ now, l->bytes, (int)pile->n - 1, (int)pile->n };
    pile->n++;
    BISECT(k, 0, (int)pile->n, i, held[i].until <= l->arrival);
    k = pile_is(held, k);
    before = held[k].before;
    *(before < 0 ? &pile->most : &held[before].more) += before < 0 ? l->bytes : -l->bytes;
    for (; before >= 0 && held[before].more <= 0; before = held[k].before, pile->exceeded++) {
        held[before].is = k;
        held[k].before = held[before].before;
        *(held[k].before < 0 ? &pile->most : &held[held[k].before].more) += held[k].before < 0 ? -held[before].more :
            held[before].more;
    }
    r->x.waiting = fmax(r->x.waiting, pile->most);
    if (2 * pile->exceeded > pile->n)
        pile_pack(pile);
    return 0;
}

/* Takes the first message of the peer, and what follows of the same action; waits where it is not there. */
static int run_take(struct run *r, int p, struct err *err)
{
    const struct cost_kind *kind = r->c->kind;
    struct worker *w = &r->worker[p];
    int *const first = run_first(r, r->a.peer, p);
    const int at = *first;
    struct letter *l;

    if (at < 0 || isinf(r->letter[at].arrival)) {
        w->waits = r->a.peer;
        return 0;
    }
    l = &r->letter[at];
    *first = l->next < 0 ? l->beside : l->next;
    if (l->next >= 0) {
        r->letter[l->next].last = l->last;
        r->letter[l->next].beside = l->beside;
    }
    if (run_waited(r, p, l, err) < 0)
        return -1;
    if (r->c->seen)
        r->c->seen(r->c->seen_arg, &(struct cost_message){ l->from, p, l->bytes, l->sent, l->arrival });
    w->time = kind->take ? kind->take(r->c, p, l->bytes, l->arrival, w->time) : fmax(w->time, l->arrival);
    if (r->a.what == ACTION_COMBINE && !kind->steps)
        w->time += r->combine * l->bytes;
    w->step = l->step > w->step ? l->step : w->step;
    w->at += !l->more;
    l->next = r->spare;
    r->spare = at;
    return 0;
}

/* Process p, whose time has come, up to where it waits or, where others hold what it needs, its time is later. */
static int run_process(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];
    const double now = w->time;

    while (r->c->kind->apart || w->time <= now) {
        if (w->time > r->limit) {
            r->x.time = INFINITY;
            return 0;
        }
        if (w->at == w->length) {
            r->ended++;
            return 0;
        }
        if (schedule_action(&r->a, r->s, p, w->at, err) < 0 ||
            (r->a.what == ACTION_SEND ? run_send(r, p, err) : run_take(r, p, err)) < 0)
            return -1;
        if (w->waits != NONE)
            return 0;
        r->done++;
    }
    return run_wake(r, p, w->time, err);
}

/* What comes next: a process, or what the model has at an earlier time; false: nothing. -1 with err. */
static int run_next(struct run *r, struct err *err)
{
    const struct cost_kind *kind = r->c->kind;
    const struct event *first = events_next(&r->queue);
    const bool fresh = r->begun < r->s->n && (!first || first->at > 0 || first->order > (uint64_t)r->begun);
    const bool due = first && first->at <= r->now;
    const double next = kind->next && !due ? kind->next(r->c) : INFINITY;
    size_t letter = SIZE_MAX;

    if (fresh)
        return run_process(r, schedule_process(r->s, r->begun++), err) < 0 ? -1 : 1;
    if (first && first->at <= next) {
        const struct event e = events_pop(&r->queue);

        r->now = fmax(r->now, e.at);
        r->worker[e.what].time = fmax(r->worker[e.what].time, e.at);
        return run_process(r, (int)e.what, err) < 0 ? -1 : 1;
    }
    if (isinf(next))
        return 0;
    r->now = next;
    if (kind->pass(r->c, &letter, err) < 0)
        return -1;
    if (letter == SIZE_MAX)
        return 1;
    r->flying--;
    return run_arrives(r, (int)letter, next, err) < 0 ? -1 : 1;
}

static int run_all(struct run *r, const struct tick *t, struct err *err)
{
    const struct schedule *s = r->s;
    const char *operation = operation_name[s->operation], *by = s->algorithm->name;
    int ret = 1;

    for (int p = 0; p < s->n; p++) {
        r->worker[p].waits = NONE;
        r->worker[p].length = schedule_length(s, p);
        r->all += (double)r->worker[p].length;
    }
    if (r->all > ACTIONS_MOST)
        return err_set(err, ERR_DOMAIN, "%s by %s has %.3g sends and receives, and %g can be executed: take longer segments, "
                       "or fewer processes", operation, by, r->all, ACTIONS_MOST);
    for (int64_t k = 0; ret > 0 && r->x.time == 0; k++)
        ret = k % ASK_EVERY == 0 && tick_check(t, fmin(1, r->done / r->all), err) < 0 ? -1 :
            run_next(r, err);
    if (ret < 0 || r->x.time > 0)
        return ret < 0 ? -1 : 0;
    if (r->flying)
        return err_set(err, ERR_DOMAIN, "%s by %s, %s: %zu messages block each other for good (deadlock): the routes "
                       "close circles; another routing or switching may not", operation, by, r->c->spec, r->flying);
    for (int p = 0; p < s->n; p++) {
        const struct worker *w = &r->worker[p];

        if (w->at < w->length)
            return err_set(err, ERR_INTERNAL, "%s by %s: process %d waits for ever", operation, by, p);
        r->x.time = fmax(r->x.time, w->time);
        r->x.bytes += w->sent;
        r->x.most = fmax(r->x.most, w->sent);
        r->x.steps = w->step > r->x.steps ? w->step : r->x.steps;
    }
    r->x.hops = r->c->hops;
    r->x.busiest = r->c->carried ? 0 : NAN;
    for (size_t k = 0; k < r->c->ncarried; k++)
        r->x.busiest = fmax(r->x.busiest, r->c->carried[k]);
    return 0;
}

int execute(struct execution *out, const struct schedule *s, struct cost *c, double combine, const struct tick *t,
            struct err *err)
{
    struct run r = { .s = s, .c = c, .combine = combine, .spare = NONE,
                     .limit = c->kind->apart ? c->limit : INFINITY };
    int ret;

    if (s->algorithm->copies && !(c->copies && c->kind->copy))
        return err_set(err, ERR_DOMAIN, "%s needs a network that copies messages: a cost with multicast=yes, "
                       "not %s", s->algorithm->name, c->spec);
    if (c->kind->execute)
        return cost_begin(c, s->root, err) < 0 ? -1 : c->kind->execute(out, c, s, combine, t, err);
    ret = cost_begin(c, s->root, err) < 0 || TAKE("the processes", err, ZEROS(r.worker, s->n), ZEROS(r.pile, s->n),
                                                     ARRAY_IF(s->algorithm->copies, r.arrival, s->n)) < 0 ||
        run_buckets(&r, err) < 0 ? -1 : run_all(&r, t, err);
    if (ret == 0 && c->whole)
        ret = c->kind->whole(&r.x, c, s, t, err);
    *out = r.x;
    for (int p = 0; r.pile && p < s->n; p++)
        free(r.pile[p].held);
    FREE(r.worker, r.pile, r.letter, r.bucket, r.arrival, r.a.run);
    events_release(&r.queue);
    return ret;
}
