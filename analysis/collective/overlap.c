/* A schedule over links that messages share (overlap.h).
 * 1. actions    of a process, part by part of the program; bytes of a message
 * 2. messages   posted, begun when their receiver waits, there; processes that waited for that go on
 * 3. processes  one action after the other: a send works and posts, a receive is posted, waits and works
 * 4. the whole  ends of flows, then begins and processes, then rates; processes alone where all go apart */
#include "analysis/collective/overlap.h"
#include "analysis/collective/overlap_run.h"

enum { ASK_EVERY = 1 << 10, ASKS_AHEAD = 64 };
#define ACTIONS_MOST 1e10

/* ---- actions ---- */

static int run_asks(struct run *r, int p, double at, struct err *err);

/* The part of a process's program that has action w->at. */
static int run_part(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];

    while (w->at >= w->end && w->part + 1 < r->nparts) {
        w->begin = w->end;
        w->end += r->part[++w->part]->length(r->s, p);
        r->early -= r->apart > 0 && w->part == r->apart;
        w->ask = w->begin;
        if (run_asks(r, p, w->clock, err) < 0)
            return -1;
    }
    return 0;
}

static int run_action(struct run *r, int p, int64_t i, struct err *err)
{
    const struct worker *w = &r->worker[p];

    if (r->made.process == p && r->made.action == i)
        return 0;
    r->made.process = p;
    r->made.action = i;
    r->a.nrun = 0;
    r->a.program = r->part[w->part];
    return r->a.program->action(&r->a, r->s, p, i - w->begin, err);
}

/* How many messages the action has, in *bytes each. */
static int64_t run_messages(const struct run *r, double *bytes)
{
    int64_t pieces = 0;

    for (size_t k = 0; k < r->a.nrun; k++)
        pieces += r->a.run[k].count;
    *bytes = r->piece;
    if (r->c->pieces && pieces > 0)
        return pieces;
    *bytes *= (double)pieces;
    return 1;
}

/* On the wire: of a part of a byte, a byte. */
static double run_wire(const struct run *r, double bytes, struct err *err)
{
    return cost_sent(r->c, bytes > 0 ? later(1, bytes) : 0, err);
}

/* ---- messages ---- */

static int run_message(struct run *r, struct err *err)
{
    const int m = r->spare;

    if (m >= 0) {
        r->spare = r->message[m].next;
        return m;
    }
    return GROW_BY(r->nmessage, 1, "messages", err, GROWN(r->message)) < 0 ? -1 : (int)r->nmessage++;
}

/* A process that waited goes on. */
static int run_wake(struct run *r, int p, double at, struct err *err)
{
    struct worker *w = &r->worker[p];

    w->stall = GOES;
    w->clock = later(w->clock, at);
    if (!r->off)
        return events_push(&r->queue, (struct event){ w->clock, (uint64_t)1 << 40 | (uint64_t)schedule_rank(r->s, p),
                                                      2 * (size_t)p }, err);
    if (!w->queued)
        r->stack[r->nstack++] = p;
    w->queued = true;
    return 0;
}

static int run_arrives(struct run *r, int m, double at, struct err *err)
{
    const struct connection *c = &r->o->connection[r->message[m].connection];
    struct worker *to = &r->worker[c->to], *from = &r->worker[c->from];

    r->message[m].arrival = at;
    r->early -= r->message[m].early;
    r->under_way--;
    to->asking--;
    if (run_asks(r, c->to, at, err) < 0)
        return -1;
    c = &r->o->connection[r->message[m].connection];
    if (to->stall == TAKES && &r->o->connection[to->on] == c && c->come.first == m && run_wake(r, c->to, at, err) < 0)
        return -1;
    if (!r->blocking)
        return 0;
    r->clear[c->from * r->o->ports + r->message[m].clear] = at;
    return from->stall == SENDS ? run_wake(r, c->from, at, err) : 0;
}

/* Message m is on its way: its bytes flow from `at` on. */
static int run_flows(struct run *r, int m, double at, struct err *err)
{
    const struct connection *c = &r->o->connection[r->message[m].connection];
    const double bytes = run_wire(r, r->message[m].bytes, err);

    if (isnan(bytes))
        return -1;
    r->message[m].flows = at;
    if (r->off || c->nhop == 0 || !(bytes > 0))
        return run_arrives(r, m, at + bytes * c->slow, err);
    if (at <= r->now)
        return share_begin(&r->o->share, (size_t)m, overlap_links(r, c, bytes), c->nshared, bytes, at, err);
    return events_push(&r->queue, (struct event){ at, (uint64_t)m, 2 * (size_t)m + 1 }, err);
}

/* Messages that are posted begin, as many as are waited for. */
static int run_match(struct run *r, int connection, struct err *err)
{
    struct connection *c = &r->o->connection[connection];

    while (c->waiting > 0 && c->wanted > 0) {
        const int m = queue_take(r, &c->posted);
        const double at = later(r->message[m].posted, c->asked) + c->far;
        struct worker *from = &r->worker[c->from];

        c->waiting--;
        c->wanted--;
        queue_put(r, &c->come, m);
        if (run_flows(r, m, at, err) < 0 ||
            (from->stall == POSTS && from->on == connection && run_wake(r, c->from, at, err) < 0))
            return -1;
        c = &r->o->connection[connection];
    }
    return 0;
}

/* Receives of the part are posted in turn from `at` on, as many as there are ports, of the next actions; where sends
 * block, not those behind one that is not posted. */
static int run_asks(struct run *r, int p, double at, struct err *err)
{
    struct worker *w = &r->worker[p];

    if (r->unasked || w->asks) {
        w->free = later(w->free, at);
        return 0;
    }
    w->free = w->asking < r->o->ports ? later(w->free, at) : w->free;
    w->asks = true;                     /* what arrives meanwhile is seen here */
    while (w->asking < r->o->ports && w->coming < r->o->ports + OVERLAP_WINDOW && w->ask < w->end &&
           w->ask <= w->at + ASKS_AHEAD) {
        double bytes;
        int64_t messages;
        int c;

        if (run_action(r, p, w->ask, err) < 0)
            return -1;
        if (r->a.what == ACTION_SEND) {
            if (r->blocking && w->ask >= w->at)
                break;
            w->ask++;
            continue;
        }
        c = run_connection(r, &w->asked, r->a.peer, p, err);
        if (c < 0)
            return -1;
        messages = run_messages(r, &bytes);
        w->ask++;
        w->asking += messages;
        w->coming += messages;
        r->o->connection[c].wanted += (int)messages;
        r->o->connection[c].asked = w->free;
        if (run_match(r, c, err) < 0)
            return -1;
    }
    w->asks = false;
    return 0;
}

/* ---- processes ---- */

static size_t least_of(const double *x, int n)
{
    size_t best = 0;

    for (int k = 1; k < n; k++)
        best = x[k] < x[best] ? (size_t)k : best;
    return best;
}

/* Seconds for the message of the action; a range of pieces that goes round lies together. */
static double run_work(const struct run *r)
{
    return r->o->work + (r->a.nrun > 2 ? r->o->pack : 0);
}

/* The process works so long, from `at` on or when it can; it may go on when it could work again. */
static double run_works(struct run *r, int p, double at, double seconds)
{
    double *slot = r->slot + (size_t)p * (size_t)r->o->ports, *one = slot + least_of(slot, r->o->ports), done;

    *one = later(*one, at) + seconds;
    done = *one;
    r->worker[p].clock = later(r->worker[p].clock, slot[least_of(slot, r->o->ports)]);
    return done;
}

/* 1: it is posted, 0: it waits, or the clock has moved. */
static int run_send(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];
    const int c = run_connection(r, &w->to, p, r->a.peer, err);
    double bytes, *clear = r->clear + (size_t)p * (size_t)r->o->ports;
    const size_t one = least_of(clear, r->o->ports);
    const int64_t messages = run_messages(r, &bytes);
    struct connection *to;
    int m;

    if (c < 0)
        return -1;
    to = &r->o->connection[c];
    if (to->waiting >= OVERLAP_WINDOW || isinf(clear[one])) {
        w->stall = isinf(clear[one]) ? SENDS : POSTS;
        w->on = c;
        return 0;
    }
    if (later(w->ready, clear[one]) > w->clock) {
        w->clock = later(w->ready, clear[one]);
        return 0;
    }
    m = run_message(r, err);
    if (m < 0)
        return -1;
    r->message[m] = (struct message){ .connection = c, .bytes = bytes, .clear = (int)one, .arrival = INFINITY,
                                      .step = w->step + 1, .early = w->part < r->apart, .sent = w->clock };
    r->message[m].posted = run_works(r, p, w->clock, run_work(r));
    r->early += r->message[m].early;
    r->under_way++;
    if (r->blocking)
        clear[one] = INFINITY;
    to->count++;
    to->bytes += run_wire(r, bytes, err);
    w->sent += bytes;
    w->sends++;
    r->x.messages++;
    w->messages++;
    if (w->messages == messages) {
        w->messages = 0;
        w->at++;
    }
    queue_put(r, &to->posted, m);
    if (r->s->program->posted) {        /* with the others */
        w->held++;
        w->together = later(w->together, r->message[m].posted);
        return 1;
    }
    to->waiting++;
    return run_match(r, c, err) < 0 || run_asks(r, p, w->clock, err) < 0 ? -1 : 1;
}

/* What a program that sends to all at once has posted begins when all of it is. */
static int run_release(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];
    const double begin = later(w->clock, w->together);
    int64_t i = w->at - 1;

    w->together = 0;
    for (; w->held > 0; i--) {
        double bytes;
        int c;

        if (run_action(r, p, i, err) < 0)
            return -1;
        c = run_connection(r, &w->to, p, r->a.peer, err);
        if (c < 0)
            return -1;
        w->held -= run_messages(r, &bytes);
        r->o->connection[c].waiting += (int)run_messages(r, &bytes);
        for (int m = r->o->connection[c].posted.first; m >= 0; m = r->message[m].next)
            r->message[m].posted = begin;
        if (run_match(r, c, err) < 0)
            return -1;
    }
    return 0;
}

/* Whether the process waits for what it takes. */
static int run_stalls(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];
    const int c = run_connection(r, &w->from, r->a.peer, p, err), m = c < 0 ? NONE : r->o->connection[c].come.first;

    if (c < 0 || (m >= 0 && !isinf(r->message[m].arrival)))
        return c < 0 ? -1 : 0;
    w->stall = TAKES;
    w->on = c;
    return 1;
}

/* 1: it is taken, 0: it is not there. */
static int run_take(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];
    const int stalls = run_stalls(r, p, err);
    struct connection *from;
    double bytes;
    int m;

    if (stalls)
        return stalls < 0 ? -1 : 0;
    from = &r->o->connection[w->from];
    m = from->come.first;
    if (r->message[m].arrival > w->clock) {
        w->clock = r->message[m].arrival;
        return 0;
    }
    queue_take(r, &from->come);
    if (r->c->seen)
        r->c->seen(r->c->seen_arg, &(struct cost_message){ r->a.peer, p, r->message[m].bytes, r->message[m].sent,
                                                           r->message[m].arrival });
    w->ready = later(w->ready, run_works(r, p, r->message[m].arrival, run_work(r) + (r->a.what == ACTION_COMBINE ?
                                        r->combine * r->message[m].bytes : 0)));
    w->step = r->message[m].step > w->step ? r->message[m].step : w->step;
    r->message[m].next = r->spare;
    r->spare = m;
    w->messages++;
    if (w->messages == run_messages(r, &bytes)) {
        w->messages = 0;
        w->at++;
    }
    w->coming--;
    return run_asks(r, p, w->clock, err) < 0 ? -1 : 1;
}

/* Whether the process, whose time is later, will wait for what it takes next: then it need not be looked at until that
 * is there. Not where rounds are counted, which begin at the time of their first action. */
static int run_waits(struct run *r, int p, struct err *err)
{
    const struct worker *w = &r->worker[p];

    if (w->at == w->end || w->held > 0 || p == r->counting)
        return 0;
    if (run_action(r, p, w->at, err) < 0)
        return -1;
    return r->a.what == ACTION_SEND ? 0 : run_stalls(r, p, err);
}

/* Process p goes on, up to where it waits or its time is later. */
static int run_process(struct run *r, int p, struct err *err)
{
    struct worker *w = &r->worker[p];

    for (;;) {
        int done;

        if (w->clock > r->limit) {
            r->x.time = INFINITY;
            return 0;
        }
        if (!r->off && w->clock > r->now) {
            const int waits = run_waits(r, p, err);

            return waits ? (waits < 0 ? -1 : 0) : run_wake(r, p, w->clock, err);
        }
        if (run_part(r, p, err) < 0)
            return -1;
        if (w->at == w->length) {
            if (run_release(r, p, err) < 0)
                return -1;
            w->stall = ENDED;
            w->clock = later(w->clock, w->ready);
            r->early -= w->part < r->apart;
            return 0;
        }
        if (w->messages == 0 && r->repeat && repeat_look(r, p, err) < 0)
            return -1;
        if (run_action(r, p, w->at, err) < 0 ||
            (w->held > 0 && r->a.what != ACTION_SEND &&
             (run_release(r, p, err) < 0 || run_action(r, p, w->at, err) < 0)))
            return -1;
        done = r->a.what == ACTION_SEND ? run_send(r, p, err) : run_take(r, p, err);
        if (done < 0)
            return -1;
        r->done += done;
        if (done == 0 && w->stall != GOES)
            return 0;
    }
}

/* ---- the whole ---- */

/* A message flows, or a process goes on. */
static int run_happens(struct run *r, const struct event *e, struct err *err)
{
    return e->what % 2 ? run_flows(r, (int)(e->what / 2), e->at, err) :
        r->off ? run_wake(r, (int)(e->what / 2), e->at, err) : run_process(r, (int)(e->what / 2), err);
}

/* 1, 0: nothing happens any more; -1 with err. */
static int run_next(struct run *r, struct err *err)
{
    struct share *share = &r->o->share;
    const size_t flow = share_first(share);
    const double ends = flow == SIZE_MAX ? INFINITY : share->flow[flow].end;
    const double next = events_time(&r->queue);

    if (ends <= next && ends <= share->due && isfinite(ends)) {
        r->now = later(r->now, ends);
        share_end(share, flow);
        return run_arrives(r, (int)flow, ends, err) < 0 ? -1 : 1;
    }
    if (next <= share->due && isfinite(next)) {
        const struct event e = events_pop(&r->queue);

        r->now = later(r->now, e.at);
        return run_happens(r, &e, err) < 0 ? -1 : 1;
    }
    if (isinf(share->due))
        return 0;
    r->now = later(r->now, share->due);
    return share_find(share, r->now, err) < 0 ? -1 : 1;
}

/* From now on messages share nothing: what each takes is known. */
static int run_parts(struct run *r, struct err *err)
{
    struct share *share = &r->o->share;

    if (isfinite(share->due) && share_find(share, r->now, err) < 0)
        return -1;
    r->off = true;
    for (size_t flow = share_first(share); flow != SIZE_MAX; flow = share_first(share)) {
        const double end = share->flow[flow].end;

        share_end(share, flow);
        if (run_arrives(r, (int)flow, end, err) < 0)
            return -1;
    }
    while (events_next(&r->queue)) {
        const struct event e = events_pop(&r->queue);

        if (run_happens(r, &e, err) < 0)
            return -1;
    }
    return 0;
}

static int run_all(struct run *r, const struct tick *t, struct err *err)
{
    const struct schedule *s = r->s;
    const char *operation = operation_name[s->operation], *by = s->algorithm->name;
    int ret = 1;

    for (int p = 0; p < s->n; p++) {
        struct worker *w = &r->worker[p];

        *w = (struct worker){ .length = schedule_length(s, p), .part = -1, .to = NONE, .from = NONE, .asked = NONE };
        r->all += (double)w->length;
        r->early += r->apart > 0;
    }
    if (r->all > ACTIONS_MOST)
        return err_set(err, ERR_DOMAIN, "%s by %s has %.3g sends and receives, and %g can be executed: take longer "
                       "segments, or fewer processes", operation, by, r->all, ACTIONS_MOST);
    for (int p = 0; p < s->n; p++)
        if (run_wake(r, schedule_process(s, p), 0, err) < 0)
            return -1;
    for (int64_t k = 0; ret > 0 && r->x.time == 0; k++) {
        if (k % ASK_EVERY == 0 && tick_check(t, fmin(1, r->done / r->all), err) < 0)
            return -1;
        if (r->early == 0 && !r->off && run_parts(r, err) < 0)
            return -1;
        if (!r->off)
            ret = run_next(r, err);
        else if (r->nstack == 0)
            ret = 0;
        else {
            const int p = r->stack[--r->nstack];

            r->worker[p].queued = false;
            ret = run_process(r, p, err) < 0 ? -1 : 1;
        }
    }
    if (ret < 0 || r->x.time > 0)       /* given up */
        return ret < 0 ? -1 : 0;
    for (int p = 0; ret == 0 && p < s->n; p++) {
        const struct worker *w = &r->worker[p];

        if (w->stall != ENDED)
            return err_set(err, ERR_DOMAIN, "%s by %s, %s: process %d waits for good, with a send or a receive that "
                           "its peer does not come to (deadlock); sends=ordered lets it go on", operation, by,
                           r->c->spec, p);
        r->x.time = later(r->x.time, w->clock);
        r->x.bytes += w->sent;
        r->x.most = later(r->x.most, w->sent);
        r->x.steps = w->step > r->x.steps ? w->step : r->x.steps;
    }
    return ret;
}

int overlap(struct execution *out, struct overlap *o, const struct schedule *s, struct cost *c, double combine,
            const struct tick *t, struct err *err)
{
    struct run r = { .o = o, .s = s, .c = c, .combine = combine, .spare = NONE, .counting = NONE, .made = { NONE, 0 }, .whole = { s->program, NULL },
                     .limit = o->blocking ? INFINITY : c->limit,
                     .blocking = o->blocking && (o->unasked || !s->posted), .unasked = o->unasked || s->posted };
    const size_t slots = (size_t)s->n * (size_t)o->ports;
    const bool blocks = s->operation == GATHER || s->operation == SCATTER || s->operation == ALLGATHER ||
        s->operation == ALLTOALL;
    int ret;

    o->runs++;
    share_clear(&o->share);
    r.piece = blocks ? (double)s->bytes : (double)s->bytes / (double)s->npieces;
    r.part = s->program->parts ? s->program->parts : r.whole;
    while (r.part[r.nparts])
        r.nparts++;
    ret = TAKE("the processes", err, ZEROS(r.worker, s->n), ZEROS(r.slot, slots), ZEROS(r.clear, slots),
               ARRAY(r.stack, s->n)) < 0 || overlap_apart(&r, err) < 0 ||
        (!c->seen && repeat_open(&r, err) < 0) ? -1 : run_all(&r, t, err);         /* every message is told */
    if (ret == 0)
        ret = overlap_carried(&r, err);
    *out = r.x;
    repeat_close(&r);
    FREE(r.worker, r.slot, r.clear, r.stack, r.message, r.a.run);
    events_release(&r.queue);
    return ret;
}
