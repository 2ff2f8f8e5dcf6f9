/* processors.c -- communication processors with finite buffers, event by event (processors.h).
 * 1. queues      what a channel sends next
 * 2. hosts       what they hand over, and when
 * 3. stored      messages and requests, accepted and refused
 * 4. circuits    confirmed, used, freed
 * 5. run         events in order of time, until nothing can move
 * 6. circle      what waits for what then
 * 7. measures */
#include "analysis/primitive/processors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"
#include "graph/numeric/quantile.h"
#include "model/protocol/dispatch.h"

enum { ASK_EVERY = 1 << 16 };
/* Of a channel's message (SENT), or of a message: it arrives at a node, and there is decided; of a channel: its answer
 * is here; of a message: it is due. An event is of k * HAPPENS + which. */
enum { SENT, OFFERED, CONFIRM, HEAD, FREES, DECIDED, ANSWERED = 2 * DECIDED, DUE, HAPPENS };

struct course {                         /* of a message */
    int at;                             /* which node of its way it is at, or its confirmation, or its first flit; -1 */
    int freed;                          /* likewise, what frees its circuit */
    double offered, since;
};
struct channel {
    struct dispatch_queue queue;
    int holder;                         /* circuit; -1 */
    int sent, class;                    /* the message, and its class in the queue; */
    int taken, part, far;               /* the buffers that it takes, their part at this end and the far one (-1: its
                                         * target's) */
    bool busy, accepted, never;         /* never: it waits for an acknowledgement of its own */
    double length;
    double until;                       /* when the last flit has left */
};
struct run {
    const struct processors_plan *p;
    struct events queue;
    uint64_t order;
    double now;
    struct course *course;
    struct dispatch_item *item;
    struct channel *channel;
    int classes, *refused, *queued;     /* of queues; by channel and class: the refused message, how many wait */
    double *idle;                       /* by node: when its decision unit is */
    int *used;                          /* by node and part */
    size_t *next;                       /* by host: its message after the one at hand */
    int *parked, *beside;               /* by node: a host that waits for room; by host: the next of those; -1 */
    /* whether anything can still move: */
    uint64_t epoch, *stamp;             /* of changes; by channel and class: when refused last */
    size_t waiting, stuck, moving;      /* messages that are tried; refused since the last change; events that change */
    double *latency, *last;             /* of those that came; by host */
    size_t came;
    struct processors_outcome o;
};

static bool moves(const struct run *r, size_t k, int which)
{
    return which == ANSWERED ? r->channel[k].accepted : which % DECIDED > OFFERED || which == DUE;
}

static int happens(struct run *r, double at, size_t k, int which, struct err *err)
{
    r->moving += moves(r, k, which);
    return events_push(&r->queue, (struct event){ at, r->order++, k * HAPPENS + (size_t)which }, err);
}

/* ---- queues ---- */

static const struct processors_hop *hop_of(const struct run *r, size_t k, int i)
{
    return &r->p->hop[r->p->message[k].way + (size_t)i];
}
static int node_of(const struct run *r, size_t k, int i)
{
    const struct wiring *w = r->p->w;

    return i > 0 ? w->to[hop_of(r, k, i - 1)->half] : w->from[hop_of(r, k, 0)->half];
}
static int part_of(const struct run *r, size_t k, int i)
{
    return i > 0 ? hop_of(r, k, i - 1)->part : r->p->message[k].part;
}
static int takes(const struct run *r, size_t k)
{
    return r->p->message[k].circuit ? 1 : r->p->chain;
}

static double over(const struct run *r, size_t half, double length)
{
    return r->now + r->p->w->latency[half] + length / r->p->w->bandwidth[half];
}

/* Whether what is in the channel's queue is tried. */
static bool tried(const struct channel *c)
{
    return c->holder < 0 && !c->never;
}

static size_t tried_classes(const struct run *r, size_t half)
{
    size_t n = 0;

    for (int c = 0; c < r->classes; c++)
        n += r->queued[half * (size_t)r->classes + (size_t)c] > 0;
    return n;
}

static void changed(struct run *r)
{
    r->epoch++;
    r->stuck = 0;
}

static int channel_send(struct run *r, size_t half, struct err *err)
{
    const struct processors_plan *p = r->p;
    struct channel *c = &r->channel[half];
    int k;

    if (c->busy || !tried(c) || c->queue.first < 0)
        return 0;
    k = dispatch_next(&c->queue, r->item, &r->refused[half * (size_t)r->classes], r->classes, DISPATCH_MENDED);
    if (k != c->sent) {
        const int i = r->course[k].at;

        c->sent = k;
        c->class = r->item[k].class;
        c->taken = takes(r, (size_t)k);
        c->part = part_of(r, (size_t)k, i);
        c->far = i + 1 == p->message[k].hops ? -1 : part_of(r, (size_t)k, i + 1);
        c->length = p->message[k].circuit ? p->request : p->length;
    }
    c->busy = true;
    return happens(r, over(r, half, c->length), half, SENT, err);
}

static int channel_add(struct run *r, size_t half, size_t k, int part, bool arrives, struct err *err)
{
    struct channel *c = &r->channel[half];
    const int class = r->p->classes ? arrives ? r->p->parts : part : 0;
    int *queued = &r->queued[half * (size_t)r->classes + (size_t)class];

    if (r->p->message[k].circuit && (r->p->printed & PRINTED_ASK)) {
        c->holder = c->holder < 0 ? (int)k : c->holder;
        return 0;
    }
    r->item[k].class = class;
    dispatch_push(&c->queue, r->item, (int)k);
    r->waiting += ++*queued == 1 && tried(c);
    return channel_send(r, half, err);
}

static int channel_free(struct run *r, size_t half, struct err *err)
{
    struct channel *c = &r->channel[half];

    c->holder = -1;
    r->waiting += tried(c) ? tried_classes(r, half) : 0;
    changed(r);
    return channel_send(r, half, err);
}

/* ---- hosts ---- */

static int host_offer(struct run *r, size_t k, struct err *err)
{
    r->waiting++;
    return happens(r, r->now, k, OFFERED, err);
}

static int host_due(struct run *r, size_t k, struct err *err)
{
    r->course[k] = (struct course){ .at = -1, .freed = -1, .offered = r->now, .since = r->now };
    return host_offer(r, k, err);
}

static int host_next(struct run *r, int host, struct err *err)
{
    const struct processors_message *m = r->p->message;
    const size_t k = r->next[host];

    if (k >= r->p->n || m[k].host != host)
        return 0;
    r->next[host]++;
    return m[k].due > r->now ? happens(r, m[k].due, k, DUE, err) : host_due(r, k, err);
}

static int arrived(struct run *r, size_t k)
{
    r->latency[r->came++] = r->now - r->course[k].offered;
    if (r->p->when)
        r->p->when[k] = r->now;
    r->last[r->p->message[k].host] = r->o.makespan = r->now;
    return 0;
}

/* Room at a node: hosts that waited for some try again. */
static int part_free(struct run *r, int v, int part, int taken, struct err *err)
{
    r->used[(size_t)v * (size_t)r->p->parts + (size_t)part] -= taken;
    changed(r);
    for (int *at = &r->parked[v]; *at >= 0; ) {
        const int host = *at;
        const size_t k = r->next[host] - 1;

        if (r->p->message[k].part != part) {
            at = &r->beside[host];
            continue;
        }
        *at = r->beside[host];
        if (host_offer(r, k, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- stored ---- */

static int answer(struct run *r, size_t half, bool accepted, struct err *err)
{
    const size_t back = r->p->w->twin[half];
    struct channel *c = &r->channel[back];

    r->channel[half].accepted = accepted;
    if ((r->p->printed & PRINTED_ACK) && !c->never) {
        r->waiting -= tried(c) ? tried_classes(r, back) : 0;
        c->never = true;
    }
    return happens(r, over(r, half, r->p->ack), half, ANSWERED, err);
}

/* A host's message that is refused waits until its part has room. */
static void park(struct run *r, size_t k, int v)
{
    const int host = r->p->message[k].host;

    r->o.refused_hosts++;
    r->waiting--;
    r->beside[host] = r->parked[v];
    r->parked[v] = host;
}

static int refuse(struct run *r, size_t half, struct err *err)
{
    const struct channel *c = &r->channel[half];
    uint64_t *stamp = &r->stamp[half * (size_t)r->classes + (size_t)c->class];

    r->o.refused++;
    r->o.again += c->length;
    r->stuck += *stamp != r->epoch;
    *stamp = r->epoch;
    return answer(r, half, false, err);
}

/* Out of the queue of the channel by which it came, which a circuit then holds. */
static int accept(struct run *r, size_t half, struct err *err)
{
    struct channel *c = &r->channel[half];
    const size_t first = half * (size_t)r->classes;

    r->waiting -= --r->queued[first + (size_t)c->class] == 0 && tried(c);
    dispatch_accepted(&c->queue, r->item, &r->refused[first]);
    if (r->p->message[c->sent].circuit) {
        r->waiting -= tried(c) ? tried_classes(r, half) : 0;
        c->holder = c->sent;
    }
    return answer(r, half, true, err);
}

static int confirm(struct run *r, size_t k, struct err *err)
{
    return happens(r, over(r, r->p->w->twin[hop_of(r, k, r->course[k].at - 1)->half], r->p->confirm), k, CONFIRM, err);
}

/* Whether a part of a node has room, which then is taken. */
static bool takes_room(struct run *r, int v, int part, int n)
{
    int *used = &r->used[(size_t)v * (size_t)r->p->parts + (size_t)part];

    if (r->p->room[part] - *used < n)
        return false;
    *used += n;
    return true;
}

/* Message k is at the next node of its way. */
static int stored(struct run *r, size_t k, struct err *err)
{
    const struct processors_message *m = &r->p->message[k];
    struct course *c = &r->course[k];
    const int i = ++c->at;

    r->o.wait = fmax(r->o.wait, r->now - c->since);
    c->since = r->now;
    if (i == m->hops)
        return m->circuit ? confirm(r, k, err) : arrived(r, k);
    return channel_add(r, hop_of(r, k, i)->half, k, hop_of(r, k, i)->part, i + 1 == m->hops, err);
}

static int decided_offered(struct run *r, size_t k, struct err *err)
{
    const struct processors_message *m = &r->p->message[k];
    const int v = node_of(r, k, 0);

    if (!takes_room(r, v, m->part, takes(r, k))) {
        park(r, k, v);
        return 0;
    }
    changed(r);
    r->waiting--;
    return stored(r, k, err) < 0 ? -1 : m->circuit ? 0 : host_next(r, m->host, err);
}

static int decided_sent(struct run *r, size_t half, struct err *err)
{
    const struct channel *c = &r->channel[half];

    if (c->far >= 0 && !takes_room(r, r->p->w->to[half], c->far, c->taken))
        return refuse(r, half, err);
    changed(r);
    return accept(r, half, err) < 0 ? -1 : stored(r, (size_t)c->sent, err);
}

static int answered(struct run *r, size_t half, struct err *err)
{
    struct channel *c = &r->channel[half];

    c->busy = false;
    if (c->accepted)
        c->sent = -1;
    if (!c->accepted)
        dispatch_refused(&c->queue, r->item, &r->refused[half * (size_t)r->classes], DISPATCH_MENDED);
    else if (part_free(r, r->p->w->from[half], c->part, c->taken, err) < 0)
        return -1;
    return channel_send(r, half, err);
}

/* ---- circuits ---- */

static int decided_confirm(struct run *r, size_t k, struct err *err)
{
    struct course *c = &r->course[k];

    if (--c->at > 0)
        return confirm(r, k, err);
    c->at = -1;
    return happens(r, r->now, k, HEAD, err);
}

static int decided_head(struct run *r, size_t k, struct err *err)
{
    const struct processors_plan *p = r->p;
    const int i = ++r->course[k].at, hops = p->message[k].hops;
    size_t half;

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
    const int i = r->course[k].freed + 1, v = node_of(r, k, i);
    const bool beyond = i == m->hops;
    const size_t half = beyond ? r->p->w->first[v] : hop_of(r, k, i)->half;

    if (beyond && !(r->p->printed & PRINTED_FREE))
        return 0;
    if (!beyond && r->now < r->channel[half].until)
        return happens(r, r->channel[half].until, k, DECIDED + FREES, err);
    r->o.beyond += r->channel[half].holder != (int)k;
    if (r->channel[half].holder >= 0 && channel_free(r, half, err) < 0)
        return -1;
    if (beyond)
        return 0;
    r->course[k].freed = i;
    return happens(r, over(r, half, r->p->flit), k, FREES, err) < 0 ? -1 : i == 0 ? host_next(r, m->host, err) : 0;
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
    case DUE: return host_due(r, k, err);
    default: return arrives(r, k, which, err);
    }
}

static int run_events(struct run *r, struct err *err)
{
    for (int host = 0; host < r->p->hosts; host++)
        if (host_next(r, host, err) < 0)
            return -1;
    for (size_t i = 1; events_next(&r->queue) && !(r->moving == 0 && r->stuck == r->waiting && r->waiting > 0); i++) {
        const struct event e = events_pop(&r->queue);
        const size_t k = e.what / HAPPENS;
        const int which = (int)(e.what % HAPPENS);

        r->now = e.at;
        r->moving -= moves(r, k, which);
        if ((i % ASK_EVERY == 0 && tick_check(r->p->tick, 0, err) < 0) || happened(r, k, which, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- circle ---- */

/* Which message this one waits for, and as what; -1: none. member: by node and part, one that is there; -1. */
static int waits_for(struct processors_wait *as, const struct run *r, int k, const int *member)
{
    const int i = r->course[k].at;
    const size_t half = i < 0 ? 0 : hop_of(r, (size_t)k, i)->half;
    const struct channel *c = &r->channel[half];
    int first, v, part;

    *as = (struct processors_wait){ -1, -1, -1 };
    if (i >= 0 && c->holder >= 0) {
        *as = (struct processors_wait){ r->p->w->from[half], -1, (int64_t)half };
        return c->holder;
    }
    if (i >= 0 && c->never)
        return -1;
    first = i < 0 ? k : r->refused[half * (size_t)r->classes + (size_t)r->item[k].class];
    if (first < 0)                      /* refused, and its channel does not know yet */
        first = c->sent;
    if (first != k)
        return first;
    v = node_of(r, (size_t)k, i + 1);
    part = part_of(r, (size_t)k, i + 1);
    *as = (struct processors_wait){ v, part, -1 };
    return member[(size_t)v * (size_t)r->p->parts + (size_t)part];
}

static int circle(struct run *r, struct err *err)
{
    const size_t places = (size_t)r->p->w->n * (size_t)r->p->parts;
    struct processors_wait as;
    int *member, *seen, k = -1, ret = -1;
    size_t n = 0;

    if (TAKE("what waits for what", err, ARRAY(member, places), ZEROS(seen, r->p->n)) < 0)
        return -1;
    memset(member, 0xff, places * sizeof *member);
    for (int host = 0; host < r->p->hosts; host++)
        for (size_t m = r->next[host]; m-- > 0 && r->p->message[m].host == host; ) {
            const struct course *c = &r->course[m];

            if (c->at < 0 || c->at == r->p->message[m].hops || c->freed >= 0)
                continue;
            member[(size_t)node_of(r, m, c->at) * (size_t)r->p->parts + (size_t)part_of(r, m, c->at)] = k = (int)m;
        }
    while (k >= 0 && !seen[k]++)
        k = waits_for(&as, r, k, member);
    if (k >= 0) {                       /* twice round: how many, and which */
        const int first = k;

        do {
            k = waits_for(&as, r, k, member);
            n += as.node >= 0;
        } while (k != first);
        if (TAKE("what waits for what", err, ARRAY(r->o.circle, n)) < 0)
            goto done;
        do {
            k = waits_for(&as, r, k, member);
            if (as.node >= 0)
                r->o.circle[r->o.ncircle++] = as;
        } while (k != first);
    }
    r->o.deadlock = k >= 0;
    r->o.stuck = k < 0;
    ret = 0;
done:
    FREE(member, seen);
    return ret;
}

/* ---- measures ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(struct run *r)
{
    struct processors_outcome *o = &r->o;
    double sum = 0, rates = 0, squares = 0;
    size_t n = 0;

    qsort(r->latency, r->came, sizeof *r->latency, by_size);
    for (size_t i = 0; i < r->came; i++)
        sum += r->latency[i];
    for (size_t k = 0; k < r->p->n; k += n) {
        const int host = r->p->message[k].host;
        double rate;

        for (n = 0; k + n < r->p->n && r->p->message[k + n].host == host; n++)
            continue;
        rate = r->last[host] > 0 ? (double)n / r->last[host] : 0;
        rates += rate;
        squares += rate * rate;
    }
    o->came = (double)r->came;
    o->mean = r->came ? sum / (double)r->came : NAN;
    o->late95 = quantile_of(r->latency, r->came, 0.95);
    o->latest = r->came ? r->latency[r->came - 1] : NAN;
    o->makespan = r->came == r->p->n ? o->makespan : NAN;
    o->fairness = r->came == r->p->n && squares > 0 ? rates * rates / (r->p->hosts * squares) : NAN;
    o->when = r->now;
}

static int run_open(struct run *r, struct err *err)
{
    const struct processors_plan *p = r->p;
    const size_t links = 2 * p->w->m, nodes = (size_t)p->w->n;
    const size_t groups = links * (size_t)r->classes, parts = nodes * (size_t)p->parts;

    for (int part = 0; part < p->parts; part++)
        if (p->chain > p->room[part])
            return err_set(err, ERR_DOMAIN, "a message takes %d buffers, and part %d of a node's buffers has %d: give "
                           "more, or larger, buffers", p->chain, part, p->room[part]);
    if (TAKE("messages", err, ZEROS(r->course, p->n + 1), ZEROS(r->item, p->n + 1), ARRAY(r->latency, p->n + 1),
             ZEROS(r->channel, links + 1), ARRAY(r->refused, groups + 1), ZEROS(r->queued, groups + 1),
             ZEROS(r->stamp, groups + 1), ZEROS(r->idle, nodes), ZEROS(r->used, parts), ARRAY(r->parked, nodes),
             ARRAY(r->beside, p->hosts + 1), ZEROS(r->next, p->hosts + 1), ZEROS(r->last, p->hosts + 1)) < 0)
        return -1;
    for (size_t half = 0; half < links; half++)
        r->channel[half] = (struct channel){ .queue = DISPATCH_EMPTY, .holder = -1, .sent = -1 };
    memset(r->refused, 0xff, groups * sizeof *r->refused);
    memset(r->parked, 0xff, nodes * sizeof *r->parked);
    for (size_t k = p->n; k-- > 0; )
        r->next[p->message[k].host] = k;
    r->epoch = 1;
    return 0;
}

int processors_run(struct processors_outcome *out, const struct processors_plan *p, struct err *err)
{
    struct run r = { .p = p, .classes = p->classes ? p->parts + 1 : 1 };
    int ret = -1;

    if (run_open(&r, err) == 0 && run_events(&r, err) == 0 && (r.came == p->n || circle(&r, err) == 0)) {
        measure(&r);
        *out = r.o;
        r.o.circle = NULL;
        ret = 0;
    }
    events_release(&r.queue);
    FREE(r.course, r.item, r.latency, r.channel, r.refused, r.queued, r.stamp, r.idle, r.used, r.parked, r.beside,
         r.next, r.last, r.o.circle);
    return ret;
}

void processors_release(struct processors_outcome *o)
{
    free(o->circle);
    *o = (struct processors_outcome){ 0 };
}
