/* processors.c -- communication processors with finite buffers, event by event (processors.h).
 * 1. queues      what a channel sends next
 * 2. hosts       what they hand over, and when
 * 3. stored      messages and requests, accepted and refused
 * 4. circuits    confirmed, used, freed
 * 5. circle      what waits for what where nothing changes any more
 * 6. run         events in order of time, and what is measured */
#include "analysis/primitive/processors.h"
#include "graph/numeric/quantile.h"
#include "model/protocol/dispatch.h"

/* Of a channel's message (SENT), or of a message: it arrives at a node, and there is decided; of a channel: its answer
 * is here. An event is of k * HAPPENS + which. */
enum { SENT, OFFERED, CONFIRM, HEAD, FREES, DECIDED, ANSWERED = 2 * DECIDED, HAPPENS };

struct course {                         /* of a message */
    int at;                             /* which node of its way it is at, or its confirmation, or its first flit; -1 */
    int freed;                          /* likewise, what frees its circuit */
    double offered, since;
};
struct channel {
    struct dispatch_queue queue;
    int holder;                         /* circuit; -1 */
    int sent;                           /* message; */
    int taken, part, far;               /* the buffers that it takes, their part at this end and the far one (-1: its
                                         * target's) */
    bool busy, accepted, never;         /* never: it waits for an acknowledgement of its own */
    double length, until;               /* until: when the last flit has left */
};
struct run {
    const struct processors_plan *p;
    struct events queue;
    uint64_t order;
    double now, changed, due;           /* changed: when something else than a refusal happened last; due: when the
                                         * last host offers something */
    struct course *course;
    struct dispatch_item *item;
    struct channel *channel;
    int classes, *refused;              /* of queues; by channel and class: the refused message */
    double *idle;                       /* by node: when its decision unit is */
    int *used;                          /* by node and part */
    size_t *next;                       /* by host: its message after the one at hand */
    int *parked, *beside;               /* by node: a host that waits for room; by host: the next of those; -1 */
    double *latency, *last;             /* of those that came; by host */
    size_t came;
    struct processors_outcome o;
};

static int happens(struct run *r, double at, size_t k, int which, struct err *err)
{
    const struct event e = { at, r->order++, k * HAPPENS + (size_t)which };
    const int lane = which == SENT ? 0 : which == ANSWERED ? 1 : which == DECIDED + SENT ? 2 : -1;

    return lane < 0 ? events_push(&r->queue, e, err) : events_push_lane(&r->queue, lane, e, err);
}

/* ---- queues ---- */

static const struct processors_hop *hop_of(const struct run *r, size_t k, int i)
{
    return &r->p->hop[r->p->message[k].way + (size_t)i];
}
static int node_of(const struct run *r, size_t k, int i)
{
    return i > 0 ? r->p->w->to[hop_of(r, k, i - 1)->half] : r->p->w->from[hop_of(r, k, 0)->half];
}
static int part_of(const struct run *r, size_t k, int i)
{
    return i > 0 ? hop_of(r, k, i - 1)->part : r->p->message[k].part;
}
static int *refused_of(const struct run *r, size_t half)
{
    return &r->refused[half * (size_t)r->classes];
}
static double over(const struct run *r, size_t half, double length)
{
    return r->now + r->p->w->latency[half] + length / r->p->w->bandwidth[half];
}

static int channel_send(struct run *r, size_t half, struct err *err)
{
    struct channel *c = &r->channel[half];
    int k;

    if (c->busy || c->never || c->holder >= 0 || c->queue.first < 0)
        return 0;
    k = dispatch_next(&c->queue, r->item, refused_of(r, half), DISPATCH_MENDED);
    if (k != c->sent) {
        const struct processors_message *m = &r->p->message[k];
        const int i = r->course[k].at;

        c->sent = k;
        c->taken = m->circuit ? 1 : r->p->chain;
        c->length = m->circuit ? r->p->request : r->p->length;
        c->part = part_of(r, (size_t)k, i);
        c->far = i + 1 == m->hops ? -1 : part_of(r, (size_t)k, i + 1);
    }
    c->busy = true;
    return happens(r, over(r, half, c->length), half, SENT, err);
}

/* ---- hosts ---- */

static int host_next(struct run *r, int host, struct err *err)
{
    const struct processors_message *m = r->p->message;
    const size_t k = r->next[host];
    const double at = k < r->p->n ? fmax(m[k].due, r->now) : r->now;

    if (k >= r->p->n || m[k].host != host)
        return 0;
    r->next[host]++;
    r->due = fmax(r->due, at);
    r->course[k].offered = r->course[k].since = at;
    return happens(r, at, k, OFFERED, err);
}

/* Room in a part of a node, where n buffers can be had. */
static bool part_takes(struct run *r, int v, int part, int n)
{
    int *used = &r->used[(size_t)v * (size_t)r->p->parts + (size_t)part];

    if (r->p->room[part] - *used < n)
        return false;
    *used += n;
    return true;
}

/* Hosts that waited for room there try again. */
static int part_free(struct run *r, int v, int part, int n, struct err *err)
{
    r->used[(size_t)v * (size_t)r->p->parts + (size_t)part] -= n;
    for (int *at = &r->parked[v]; *at >= 0; ) {
        const int host = *at;
        const size_t k = r->next[host] - 1;

        if (r->p->message[k].part != part) {
            at = &r->beside[host];
            continue;
        }
        *at = r->beside[host];
        if (happens(r, r->now, k, OFFERED, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- stored ---- */

static int arrived(struct run *r, size_t k)
{
    r->latency[r->came++] = r->now - r->course[k].offered;
    r->last[r->p->message[k].host] = r->o.makespan = r->now;
    if (r->p->when)
        r->p->when[k] = r->now;
    return 0;
}

static int confirm(struct run *r, size_t k, struct err *err)
{
    return happens(r, over(r, r->p->w->twin[hop_of(r, k, r->course[k].at - 1)->half], r->p->confirm), k, CONFIRM, err);
}

/* Accepted by the next node of its way, where it waits for its next channel. */
static int stored(struct run *r, size_t k, struct err *err)
{
    const struct processors_message *m = &r->p->message[k];
    struct course *c = &r->course[k];
    const int i = ++c->at;
    size_t half;

    r->o.wait = fmax(r->o.wait, r->now - c->since);
    c->since = r->now;
    if (i == m->hops)
        return m->circuit ? confirm(r, k, err) : arrived(r, k);
    half = hop_of(r, k, i)->half;
    if (m->circuit && (r->p->printed & PRINTED_ASK)) {
        r->channel[half].holder = (int)k;
        return 0;
    }
    r->item[k].class = !r->p->classes ? 0 : i + 1 == m->hops ? r->p->parts : hop_of(r, k, i)->part;
    dispatch_push(&r->channel[half].queue, r->item, (int)k);
    return channel_send(r, half, err);
}

static int decided_offered(struct run *r, size_t k, struct err *err)
{
    const struct processors_message *m = &r->p->message[k];
    const int v = node_of(r, k, 0);

    if (!part_takes(r, v, m->part, m->circuit ? 1 : r->p->chain)) {
        r->o.refused_hosts++;
        r->beside[m->host] = r->parked[v];
        r->parked[v] = m->host;
        return 0;
    }
    r->changed = r->now;
    return stored(r, k, err) < 0 ? -1 : m->circuit ? 0 : host_next(r, m->host, err);
}

static int decided_sent(struct run *r, size_t half, struct err *err)
{
    struct channel *c = &r->channel[half];

    c->accepted = c->far < 0 || part_takes(r, r->p->w->to[half], c->far, c->taken);
    if (c->accepted) {
        r->changed = r->now;
        dispatch_answered(&c->queue, r->item, refused_of(r, half), true, DISPATCH_MENDED);
        if (r->p->message[c->sent].circuit)
            c->holder = c->sent;
    } else {
        r->o.refused++;
        r->o.again += c->length;
    }
    r->channel[r->p->w->twin[half]].never |= (r->p->printed & PRINTED_ACK) != 0;
    return happens(r, over(r, half, r->p->ack), half, ANSWERED, err) < 0 ? -1 :
        c->accepted ? stored(r, (size_t)c->sent, err) : 0;
}

static int answered(struct run *r, size_t half, struct err *err)
{
    struct channel *c = &r->channel[half];

    c->busy = false;
    if (!c->accepted) {
        dispatch_answered(&c->queue, r->item, refused_of(r, half), false, DISPATCH_MENDED);
    } else {
        r->changed = r->now;
        c->sent = -1;
    }
    return c->accepted && part_free(r, r->p->w->from[half], c->part, c->taken, err) < 0 ? -1 :
        channel_send(r, half, err);
}

/* ---- circuits ---- */

static int decided_confirm(struct run *r, size_t k, struct err *err)
{
    r->changed = r->now;
    if (--r->course[k].at > 0)
        return confirm(r, k, err);
    r->course[k].at = -1;
    return happens(r, r->now, k, HEAD, err);
}

static int decided_head(struct run *r, size_t k, struct err *err)
{
    const struct processors_plan *p = r->p;
    const int i = ++r->course[k].at, hops = p->message[k].hops;
    size_t half;

    r->changed = r->now;
    if (i == hops)
        return arrived(r, k);
    half = hop_of(r, k, i)->half;
    r->channel[half].until = r->now + p->length / p->w->bandwidth[half];
    if (i == 0 && happens(r, r->channel[half].until, k, FREES, err) < 0)
        return -1;
    return happens(r, over(r, half, i + 1 == hops ? p->length : p->flit), k, HEAD, err);
}

static int decided_free(struct run *r, size_t k, struct err *err)
{
    const struct processors_message *m = &r->p->message[k];
    const int i = r->course[k].freed + 1;
    const bool beyond = i == m->hops;
    const size_t half = beyond ? r->p->w->first[node_of(r, k, i)] : hop_of(r, k, i)->half;
    struct channel *c = &r->channel[half];

    r->changed = r->now;
    if (beyond && !(r->p->printed & PRINTED_FREE))
        return 0;
    if (!beyond && r->now < c->until)
        return happens(r, c->until, k, DECIDED + FREES, err);
    r->o.beyond += c->holder != (int)k;
    c->holder = -1;
    if (channel_send(r, half, err) < 0 || beyond)
        return beyond - 1;
    r->course[k].freed = i;
    return happens(r, over(r, half, r->p->flit), k, FREES, err) < 0 ? -1 : i == 0 ? host_next(r, m->host, err) : 0;
}

/* ---- circle ---- */

/* Which message this one waits for, and as what (node -1: behind it in the queue); -1: none. */
static int waits_for(struct processors_wait *as, const struct run *r, int k)
{
    const int i = r->course[k].at;
    const size_t half = i < 0 ? 0 : hop_of(r, (size_t)k, i)->half;
    const struct channel *c = &r->channel[half];
    int first = k;

    *as = (struct processors_wait){ -1, -1, -1 };
    if (i >= 0 && c->holder >= 0) {
        *as = (struct processors_wait){ r->p->w->from[half], -1, (int64_t)half };
        return c->holder;
    }
    if (i >= 0)                         /* below 0: refused, and its channel does not know yet */
        first = refused_of(r, half)[r->item[k].class];
    first = first < 0 ? c->sent : first;
    if (c->never || first != k)
        return c->never ? -1 : first;
    *as = (struct processors_wait){ node_of(r, (size_t)k, i + 1), part_of(r, (size_t)k, i + 1), -1 };
    for (size_t m = 0; m < r->p->n; m++) {      /* one that is in these buffers */
        const int at = r->course[m].at;

        if (at >= 0 && at < r->p->message[m].hops && node_of(r, m, at) == as->node && part_of(r, m, at) == as->part)
            return (int)m;
    }
    return -1;
}

static int circle(struct run *r, struct err *err)
{
    const size_t places = (size_t)r->p->w->n * (size_t)r->p->parts + 2 * r->p->w->m;
    struct processors_wait as;
    bool *seen;
    int k = 0;

    if (TAKE("what waits for what", err, ZEROS(seen, r->p->n), ARRAY(r->o.circle, places)) < 0)
        return -1;
    while (r->course[k].at == r->p->message[k].hops)
        k++;
    while (k >= 0 && !seen[k]) {
        seen[k] = true;
        k = waits_for(&as, r, k);
    }
    r->o.deadlock = k >= 0;
    for (int at = k; at >= 0; at = at == k ? -1 : at) {
        at = waits_for(&as, r, at);
        if (as.node >= 0)
            r->o.circle[r->o.ncircle++] = as;
    }
    free(seen);
    return 0;
}

/* ---- run ---- */

/* To the decision unit of the node where it arrives. */
static int arrives(struct run *r, size_t k, int which, struct err *err)
{
    const int v = which == SENT ? r->p->w->to[k] : which == FREES ? node_of(r, k, r->course[k].freed + 1) :
        node_of(r, k, which == CONFIRM ? r->course[k].at - 1 : r->course[k].at + 1);

    r->idle[v] = fmax(r->idle[v], r->now) + r->p->decide;
    return happens(r, r->idle[v], k, DECIDED + which, err);
}

static int happened(struct run *r, size_t k, int which, struct err *err)
{
    switch (which) {
    case DECIDED + SENT: return decided_sent(r, k, err);
    case DECIDED + OFFERED: return decided_offered(r, k, err);
    case DECIDED + CONFIRM: return decided_confirm(r, k, err);
    case DECIDED + HEAD: return decided_head(r, k, err);
    case DECIDED + FREES: return decided_free(r, k, err);
    case ANSWERED: return answered(r, k, err);
    default: return arrives(r, k, which, err);
    }
}

/* Longer than all that waits takes to be refused: other classes first, what its decision unit has to do, and back. */
static double patience(const struct run *r)
{
    const struct wiring *w = r->p->w;
    double most = 0;

    for (size_t h = 0; h < 2 * w->m; h++)
        most = fmax(most, 2 * w->latency[h] + (r->p->length + r->p->request + r->p->ack) / w->bandwidth[h] +
                    r->p->decide * (double)(w->first[w->to[h] + 1] - w->first[w->to[h]] + 2));
    return 2 * r->classes * most;
}

static int run_events(struct run *r, struct err *err)
{
    const double most = patience(r);
    struct event e;

    for (int host = 0; host < r->p->hosts; host++)
        if (host_next(r, host, err) < 0)
            return -1;
    for (size_t i = 1; events_take(&e, &r->queue); i++) {
        r->now = e.at;
        if (r->now > fmax(r->changed, r->due) + most)
            return 0;
        if ((i % 65536 == 0 && tick_check(r->p->tick, 0, err) < 0) ||
            happened(r, e.what / HAPPENS, (int)(e.what % HAPPENS), err) < 0)
            return -1;
    }
    return 0;
}

static void measure(struct run *r)
{
    struct processors_outcome *o = &r->o;
    const bool all = r->came == r->p->n;
    double sum = 0, rates = 0, squares = 0;

    qsort(r->latency, r->came, sizeof *r->latency, num_ascending_reals);
    for (size_t i = 0; i < r->came; i++)
        sum += r->latency[i];
    for (int host = 0; host < r->p->hosts; host++) {
        rates += 1 / r->last[host];
        squares += 1 / (r->last[host] * r->last[host]);
    }
    o->came = (double)r->came;
    o->mean = r->came ? sum / (double)r->came : NAN;
    o->late95 = quantile_of(r->latency, r->came, 0.95);
    o->latest = quantile_of(r->latency, r->came, 1);
    o->makespan = all ? o->makespan : NAN;
    o->fairness = all ? rates * rates / (r->p->hosts * squares) : NAN;
    o->when = r->changed;
}

int processors_run(struct processors_outcome *out, const struct processors_plan *p, struct err *err)
{
    struct run r = { .p = p, .classes = p->classes ? p->parts + 1 : 1 };
    const size_t links = 2 * p->w->m, nodes = (size_t)p->w->n, groups = links * (size_t)r.classes;
    int ret = -1;

    if (TAKE("messages", err, ARRAY(r.course, p->n + 1), ZEROS(r.item, p->n + 1), ARRAY(r.latency, p->n + 1),
             ZEROS(r.channel, links + 1), ARRAY(r.refused, groups + 1), ZEROS(r.idle, nodes),
             ZEROS(r.used, nodes * (size_t)p->parts), ARRAY(r.parked, nodes), ARRAY(r.beside, p->hosts + 1),
             ZEROS(r.next, p->hosts + 1), ZEROS(r.last, p->hosts + 1)) < 0)
        return -1;
    for (size_t half = 0; half < links; half++)
        r.channel[half] = (struct channel){ .queue = DISPATCH_EMPTY, .holder = -1, .sent = -1 };
    memset(r.refused, 0xff, groups * sizeof *r.refused);
    memset(r.parked, 0xff, nodes * sizeof *r.parked);
    for (size_t k = p->n; k-- > 0; ) {
        r.next[p->message[k].host] = k;
        r.course[k] = (struct course){ .at = -1, .freed = -1 };
    }
    if (run_events(&r, err) == 0 && (r.came == p->n || circle(&r, err) == 0)) {
        measure(&r);
        *out = r.o;
        r.o.circle = NULL;
        ret = 0;
    }
    events_release(&r.queue);
    FREE(r.course, r.item, r.latency, r.channel, r.refused, r.idle, r.used, r.parked, r.beside, r.next, r.last,
         r.o.circle);
    return ret;
}

void processors_release(struct processors_outcome *o)
{
    free(o->circle);
    *o = (struct processors_outcome){ 0 };
}
