/* 1. events     their order at one instant
 * 2. processes  sends that wait for a port
 * 3. links      requested, granted, released
 * 4. the run    steps, messages posted one by one, whole runs
 * 5. deadlock   the cycle of messages that wait for each other */
#include "analysis/broadcast/cycles.h"

#define NONE SIZE_MAX

struct cycles_process {
    size_t first, last;             /* messages to this process that it has to send on; NONE: none */
    int busy;                       /* ports */
    uint64_t sent;                  /* messages that came by themselves */
};
struct cycles_link {
    double free;                    /* from then on; INFINITY: not known yet */
    double released;                /* by the last message; -INFINITY: never used */
    size_t holder;                  /* the last message that got it */
};
struct cycles_queue {
    size_t first, last;             /* messages that wait; NONE: none */
};

int cycles_to(const struct cycles_run *r, size_t m)
{
    return tree_process(cycles_rank(r, m), cycles_root(r, m), r->ways->n);
}

int cycles_from(const struct cycles_run *r, size_t m)
{
    const int v = cycles_rank(r, m);

    if (r->single)
        return r->message[m].served;
    return v ? tree_process(r->ways->tree->parent[v], cycles_root(r, m), r->ways->n) : -1;
}

/* ---- events ---- */

/* Order at one instant: deliveries and free ports, by message; links that go to waiting messages; requests for further
 * links, by message; requests for first links, as they were started. */
enum occasion { PORT_FREE, DELIVERED, LINK_FREE, LINK_GOT, ASKED, STARTED };
enum { OCCASION_BITS = 3 };
#define PHASE(what) ((uint64_t)((what) <= DELIVERED ? 0 : (what) <= LINK_GOT ? 1 : (what) == ASKED ? 2 : 3) << 62)
enum { BROADCAST_BITS = 30, SENT_BITS = 32 };

static int happens(struct cycles_run *r, double at, enum occasion what, uint64_t among, size_t who, struct err *err)
{
    return events_push(&r->events, (struct event){ at, PHASE(what) | among, who << OCCASION_BITS | what }, err);
}

/* Among messages: by rank of the sender, its child, broadcast; then broadcasts that start. A message leaves its port
 * before it is delivered. `sent`: place of the receiver among the tree's children. */
static uint64_t cycles_order(const struct cycles_run *r, size_t m, int sent)
{
    return ((uint64_t)sent << BROADCAST_BITS | (uint64_t)cycles_broadcast(r, m)) << 1;
}

static int message_happens(struct cycles_run *r, double at, enum occasion what, size_t m, struct err *err)
{
    return happens(r, at, what, r->message[m].order | (what == DELIVERED), m, err);
}

/* ---- processes ---- */

static inline void message_made(struct cycles_message *m, double now, double size)
{
    *m = (struct cycles_message){ .started = now, .asked = now, .tail = now, .delivered = NAN, .last = -1,
                                  .longest_hop = -1, .longest_holder = NONE, .next = NONE, .size = size };
}

/* The message that process p sends next, of a broadcast. */
static inline size_t next_child(struct cycles_run *r, struct cycles_process *process, double now)
{
    const struct tree_shape *t = r->ways->tree;
    struct cycles_message *has = &r->message[process->first];
    const int rank = cycles_rank(r, process->first), child = t->child[t->first[rank] + has->served];
    const size_t m = process->first - (size_t)rank + (size_t)child;
    struct cycles_message *sent = &r->message[m];

    message_made(sent, now, 1);
    sent->way = cycles_way(r, m);
    sent->order = cycles_order(r, m, t->first[rank] + has->served++);
    if (has->served == tree_nchild(t, rank))
        process->first = has->next;
    return m;
}

/* Starts what process p may start. */
static int send_more(struct cycles_run *r, int p, double now, struct err *err)
{
    struct cycles_process *process = &r->process[p];

    while (process->first != NONE && (r->how.ports == 0 || process->busy < r->how.ports)) {
        const size_t m = r->single ? process->first : next_child(r, process, now);

        if (r->single) {
            process->first = r->message[m].next;
            r->message[m].started = r->message[m].asked = r->message[m].tail = now;
        }
        process->busy++;
        if (happens(r, now, STARTED, r->nstarted++, m, err) < 0)
            return -1;
    }
    return 0;
}

/* Appends message m to a queue. */
static inline void queue_put(struct cycles_run *r, size_t *first, size_t *last, size_t m)
{
    r->message[m].next = NONE;
    *(*first == NONE ? first : &r->message[*last].next) = m;
    *last = m;
}

/* The receiver of m has the message and forwards it. */
static int receive(struct cycles_run *r, size_t m, double now, struct err *err)
{
    const int p = cycles_to(r, m);

    r->message[m].delivered = now;
    if (tree_nchild(r->ways->tree, cycles_rank(r, m)) == 0)
        return 0;
    queue_put(r, &r->process[p].first, &r->process[p].last, m);
    return send_more(r, p, now, err);
}

static int begin_broadcast(struct cycles_run *r, size_t b, double now, struct err *err)
{
    const size_t m = b * (size_t)r->ways->n;

    if (r->held)                                        /* modulo 2^64 */
        r->held_first[b] = b * r->held_most - r->ways->first[(size_t)r->start[b].root * (size_t)r->ways->n];
    r->left[b] = r->ways->n - 1;
    r->message[m] = (struct cycles_message){ .started = now, .delivered = now, .last = -1, .longest_hop = -1,
                                             .longest_holder = NONE, .order = cycles_order(r, m, INT32_MAX) };
    r->completion[b] = now;
    return message_happens(r, now, DELIVERED, m, err);
}

static int port_free(struct cycles_run *r, int p, double now, struct err *err)
{
    r->process[p].busy--;
    return send_more(r, p, now, err);
}

static int begin_next(struct cycles_run *r, struct err *err)
{
    const size_t b = r->begun++;

    return begin_broadcast(r, b, r->start[b].at, err);
}

static int arrived(struct cycles_run *r, size_t m, double now, struct err *err)
{
    const size_t b = cycles_broadcast(r, m);

    if (r->single) {
        r->delivered = m;
        r->in_flight--;
        return r->how.ports && r->how.blocking ? port_free(r, cycles_from(r, m), now, err) : 0;
    }
    if (b + 1 == r->begun && r->begun < r->nstart && begin_next(r, err) < 0)
        return -1;
    r->last = fmax(r->last, now);
    if (cycles_rank(r, m)) {
        r->left[b]--;
        r->completion[b] = now;
        if (r->how.ports && r->how.blocking && port_free(r, cycles_from(r, m), now, err) < 0)
            return -1;
    }
    if (receive(r, m, now, err) < 0)
        return -1;
    if (r->left[b] == 0 && r->hooks->restart) {
        const double at = r->hooks->restart(r->hooks->arg, r, b);

        if (isfinite(at))
            return begin_broadcast(r, b, fmax(at, now), err);
    }
    return 0;
}

/* ---- links ---- */

static double length_of(const struct cycles_run *r, int link)
{
    return r->ways->links->length ? r->ways->links->length[link] : 0;
}

/* The first of the links that a message may take at hop k of the ways. */
static int first_link(const struct cycles_ways *w, size_t k)
{
    return (int)trunks_first(&w->links->trunks, (size_t)w->trunk[k]) + (w->cable && w->cable[k] ? w->cable[k] - 1 : 0);
}

/* The link that message m took at that hop. */
static int link_taken(const struct cycles_run *r, size_t m, size_t hop)
{
    return r->held ? r->held[r->held_first[cycles_broadcast(r, m)] + hop] : r->ways->trunk[hop];
}

static int trunk_free(struct cycles_run *r, int trunk, double at, struct err *err)
{
    return happens(r, at, LINK_FREE, (uint64_t)trunk, (size_t)trunk, err);
}

/* Releases the link at `at`, for the messages that wait for its trunk. */
static int release(struct cycles_run *r, size_t m, size_t hop, double at, struct err *err)
{
    const int link = link_taken(r, m, hop), trunk = r->ways->trunk[hop];

    r->link[link].free = r->link[link].released = at;
    if (r->hooks->released)
        r->hooks->released(r->hooks->arg, r, m, hop, link, at);
    return r->queue[trunk].first == NONE ? 0 : trunk_free(r, trunk, at, err);
}

/* A cable of the trunk that is free and that the message may take; -1: none. */
static int free_link(const struct cycles_run *r, size_t hop, double now)
{
    const struct trunks *t = &r->ways->links->trunks;
    const size_t trunk = (size_t)r->ways->trunk[hop], first = trunks_first(t, trunk), n = trunks_cables(t, trunk);
    const int only = r->ways->cable ? r->ways->cable[hop] : 0;

    for (size_t k = only ? (size_t)only - 1 : 0; k < (only ? (size_t)only : n); k++)
        if (r->link[first + k].free <= now)
            return (int)(first + k);
    return -1;
}

/* Message m asks for its next link, at `at`. */
static int ask(struct cycles_run *r, size_t m, double at, struct err *err)
{
    return happens(r, at, ASKED, r->message[m].order, m, err);
}

/* Over the slowest link of its way; where cables are unlike, of those it has and the first it may take further on. */
static double slowest(const struct cycles_run *r, size_t m)
{
    const size_t way = r->message[m].way, first = r->ways->first[way];
    double most = 0;

    if (!r->ways->links->slowness)
        return r->how.flits * r->message[m].size;
    if (r->slow && !r->held)
        return r->slow[way];
    for (size_t k = first; k < r->ways->first[way + 1]; k++)
        most = fmax(most, cycles_time(r, k < first + (size_t)r->message[m].hop ? link_taken(r, m, k) :
                                         first_link(r->ways, k)));
    return most * r->message[m].size;
}

/* Message m, which holds its links, has the last one: it is delivered, and all its links are released. */
static int granted_all(struct cycles_run *r, size_t m, size_t hop, double now, struct err *err)
{
    const size_t way = r->message[m].way, first = r->ways->first[way];
    struct cycles_message *msg = &r->message[m];
    double tail = now + slowest(r, m), later = 0;

    if (r->how.switching->sets_up) {
        for (size_t k = first; k <= hop; k++)
            later += r->how.hop_time + length_of(r, link_taken(r, m, k));
        tail += 2 * later;
    }
    msg->tail = tail;
    if (message_happens(r, tail + length_of(r, link_taken(r, m, hop)), DELIVERED, m, err) < 0)
        return -1;
    for (size_t k = hop + 1; k-- > first;) {
        if (k < hop)
            tail -= r->how.hop_time + length_of(r, link_taken(r, m, k));
        if (release(r, m, k, fmax(tail, now), err) < 0)
            return -1;
    }
    return 0;
}

/* Message m has the link it asked for, and goes on. */
static int granted(struct cycles_run *r, size_t m, double now, struct err *err)
{
    const struct switching *s = r->how.switching;
    const size_t way = r->message[m].way, first = r->ways->first[way], n = r->ways->first[way + 1] - first;
    struct cycles_message *msg = &r->message[m];
    const size_t hop = first + (size_t)msg->hop++;
    const int link = msg->last;
    const double time = cycles_time(r, link) * msg->size, length = length_of(r, link), waited = now - msg->asked;
    const struct cycles_grant grant = { m, hop, link, msg->asked, now, r->link[link].released };
    double at;

    if (r->hooks->granted)
        r->hooks->granted(r->hooks->arg, r, &grant);
    if (waited > 0) {
        msg->waited += waited;
        msg->collisions++;
        if (waited > msg->longest) {
            msg->longest = waited;
            msg->longest_hop = msg->hop - 1;
            msg->longest_holder = msg->holder;
        }
    }
    if (msg->hop == 1 && r->how.ports && !r->how.blocking &&
        message_happens(r, now + (s->hold ? slowest(r, m) : time), PORT_FREE, m, err) < 0)
        return -1;
    if (s->hold) {
        if (msg->hop == (int)n)
            return granted_all(r, m, hop, now, err);
        at = now + r->how.hop_time + length;
    } else {
        const double before = msg->hop == 1 ? now :
            msg->tail + r->how.hop_time + length_of(r, link_taken(r, m, hop - 1));

        msg->tail = s->stores ? now + time : fmax(now + time, before);
        if (release(r, m, hop, msg->tail, err) < 0)
            return -1;
        if (msg->hop == (int)n)
            return message_happens(r, msg->tail + length, DELIVERED, m, err);
        at = (s->stores ? msg->tail : now) + r->how.hop_time + length;
    }
    msg->asked = at;
    return ask(r, m, at, err);
}

/* Message m takes the link after the wait for messages that are not of the run. */
static int take(struct cycles_run *r, size_t m, int k, double now, struct err *err)
{
    struct cycles_message *msg = &r->message[m];
    struct cycles_link *link = &r->link[k];
    const size_t hop = r->ways->first[msg->way] + (size_t)msg->hop;
    const struct cycles_grant grant = { m, hop, k, msg->asked, now, link->released };
    const double wait = r->hooks->background_wait ? r->hooks->background_wait(r->hooks->arg, r, &grant) : 0;

    link->free = INFINITY;
    link->holder = m;
    msg->last = k;
    if (r->held)
        r->held[r->held_first[cycles_broadcast(r, m)] + hop] = k;
    if (!(wait > 0))
        return granted(r, m, now, err);
    return message_happens(r, now + wait, LINK_GOT, m, err);
}

static int asked(struct cycles_run *r, size_t m, double now, struct err *err)
{
    struct cycles_message *msg = &r->message[m];
    const size_t hop = r->ways->first[msg->way] + (size_t)msg->hop;
    const int link = free_link(r, hop, now), trunk = r->ways->trunk[hop];
    struct cycles_queue *q = &r->queue[trunk];
    const size_t was = q->first;
    const size_t first = trunks_first(&r->ways->links->trunks, (size_t)trunk);

    msg->holder = link < 0 ? r->link[first_link(r->ways, hop)].holder : NONE;
    if (link >= 0)
        return take(r, m, link, now, err);
    queue_put(r, &q->first, &q->last, m);
    /* when its holder released it no message waited */
    for (size_t k = first; was == NONE && k < first + trunks_cables(&r->ways->links->trunks, (size_t)trunk); k++)
        if (isfinite(r->link[k].free) && trunk_free(r, trunk, r->link[k].free, err) < 0)
            return -1;
    return 0;
}

/* Message m starts; between processes of one node, which no link joins, it is there. */
static int started(struct cycles_run *r, size_t m, double now, struct err *err)
{
    const size_t way = r->message[m].way;

    if (r->ways->first[way] < r->ways->first[way + 1])
        return asked(r, m, now, err);
    if (r->how.ports && !r->how.blocking && message_happens(r, now, PORT_FREE, m, err) < 0)
        return -1;
    return message_happens(r, now, DELIVERED, m, err);
}

/* Waiting messages take the free cables of the trunk. */
static int hand_on(struct cycles_run *r, size_t trunk, double now, struct err *err)
{
    struct cycles_queue *q = &r->queue[trunk];
    size_t before = NONE;

    for (size_t m = q->first, next; m != NONE; m = next) {
        const size_t hop = r->ways->first[r->message[m].way] + (size_t)r->message[m].hop;
        const int link = free_link(r, hop, now);

        next = r->message[m].next;
        if (link < 0) {
            if (!r->ways->cable)
                break;
            before = m;                         /* the next in line may want another cable */
            continue;
        }
        if (before == NONE)
            q->first = next;
        else
            r->message[before].next = next;
        if (q->last == m)
            q->last = before;
        if (take(r, m, link, now, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- the run ---- */

static int happened(struct cycles_run *r, const struct event *e, struct err *err)
{
    const size_t who = e->what >> OCCASION_BITS;

    switch ((enum occasion)(e->what & ((1 << OCCASION_BITS) - 1))) {
    case DELIVERED:
        return arrived(r, who, e->at, err);
    case PORT_FREE:
        return port_free(r, cycles_from(r, who), e->at, err);
    case LINK_FREE:
        return hand_on(r, who, e->at, err);
    case LINK_GOT:
        return granted(r, who, e->at, err);
    case STARTED:
        return started(r, who, e->at, err);
    case ASKED:
        return asked(r, who, e->at, err);
    }
    return 0;
}

void cycles_begin(struct cycles_run *r, const struct cycles_hooks *hooks)
{
    static const struct cycles_hooks none = { 0 };
    const struct cycles_links *links = r->ways->links;

    r->hooks = hooks ? hooks : &none;
    events_clear(&r->events);
    r->in_flight = r->nheld = 0;
    r->last = 0;
    r->nstarted = 0;
    for (int p = 0; p < r->nprocess; p++)
        r->process[p] = (struct cycles_process){ NONE, NONE, 0, 0 };
    for (size_t k = 0; k < links->trunks.nlink; k++)
        r->link[k] = (struct cycles_link){ 0, -INFINITY, NONE };
    for (size_t k = 0; k < links->trunks.csr->m; k++)
        r->queue[k] = (struct cycles_queue){ NONE, NONE };
}

static inline int step(struct cycles_run *r, struct err *err)
{
    const struct event e = events_pop(&r->events);

    return happened(r, &e, err);
}

int cycles_step(struct cycles_run *r, struct err *err)
{
    r->delivered = NONE;
    return step(r, err);
}

double cycles_next(const struct cycles_run *r)
{
    return events_time(&r->events);
}

int cycles_send(struct cycles_run *r, size_t m, size_t way, double size, int from, double now, struct err *err)
{
    const size_t first = r->ways->first[way], n = r->ways->first[way + 1] - first;
    const bool parallel = r->ways->links->trunks.first;

    if (GROW(&r->room, m + 1, "messages in cycles", err, GROWN(r->message), GROWN_IF(parallel, r->held_first)) < 0)
        return -1;
    if (parallel) {                             /* the links of a message have their own places until all are through */
        r->nheld = r->in_flight ? r->nheld : 0;
        if (GROW(&r->held_room, r->nheld + n, "links of messages", err, GROWN(r->held)) < 0)
            return -1;
        r->held_first[m] = r->nheld - first;            /* modulo 2^64 */
        r->nheld += n;
    }
    message_made(&r->message[m], now, size);
    r->message[m].way = way;
    r->message[m].served = from;
    r->message[m].order = ((uint64_t)from << SENT_BITS | r->process[from].sent++) << 1;
    queue_put(r, &r->process[from].first, &r->process[from].last, m);
    r->in_flight++;
    return send_more(r, from, now, err);
}

int cycles_run(struct cycles_run *r, const struct cycles_hooks *hooks, const struct tick *t, struct err *err)
{
    bool in_order = true;
    size_t count = 0;

    cycles_begin(r, hooks);
    for (size_t m = 0; m < r->nstart * (size_t)r->ways->n; m++)
        message_made(&r->message[m], NAN, 1);
    for (size_t b = 1; b < r->nstart; b++)
        in_order = in_order && r->start[b].at >= r->start[b - 1].at;
    for (r->begun = 0; r->begun < (in_order ? 1 : r->nstart);)      /* in order, each as the one before begins */
        if (begin_next(r, err) < 0)
            return -1;
    while (events_next(&r->events)) {
        if (++count % 4096 == 0 && tick(t, 0))
            return err_stopped(err);
        if (step(r, err) < 0)
            return -1;
    }
    r->stuck = 0;
    for (size_t b = 0; b < r->nstart; b++)
        r->stuck += (size_t)r->left[b];
    return 0;
}

static int cycles_run_slow(struct cycles_run *r, struct err *err)
{
    const struct cycles_ways *w = r->ways;
    const size_t nway = (size_t)w->n * (size_t)w->nroot;

    if (!w->links->slowness)
        return 0;
    if (TAKE("ways of broadcasts", err, ARRAY(r->slow, nway + 1)) < 0)
        return -1;
    for (size_t i = 0; i < nway; i++) {
        r->slow[i] = 0;
        for (size_t k = w->first[i]; k < w->first[i + 1]; k++)
            r->slow[i] = fmax(r->slow[i], cycles_time(r, first_link(w, k)));
    }
    return 0;
}

static int cycles_run_room(struct cycles_run *r, struct err *err)
{
    const struct cycles_ways *w = r->ways;
    const size_t n = (size_t)w->n, nlink = w->links->trunks.nlink, ntrunk = w->links->trunks.csr->m;
    const size_t all = r->nstart * n;
    size_t nheld = 0;

    if (w->links->trunks.first) {
        if (TAKE("broadcasts in cycles", err, ARRAY(r->held_first, r->nstart + 1)) < 0)
            return -1;
        for (int i = 0; i < w->nroot; i++)      /* whichever roots the starts will have */
            if (w->first[((size_t)i + 1) * n] - w->first[(size_t)i * n] > r->held_most)
                r->held_most = w->first[((size_t)i + 1) * n] - w->first[(size_t)i * n];
        nheld = r->held_most * r->nstart;
    }
    if (mem_need((double)all * (sizeof *r->message + 2 * sizeof(struct event)) + (double)nheld * sizeof *r->held +
                 (double)r->nstart * (sizeof *r->completion + sizeof *r->left) + (double)n * sizeof *r->process +
                 (double)nlink * sizeof *r->link + (double)ntrunk * sizeof *r->queue, "broadcasts in cycles", err) < 0)
        return -1;
    return TAKE("broadcasts in cycles", err, ARRAY(r->message, all + 1), ARRAY(r->completion, r->nstart + 1),
                ARRAY(r->left, r->nstart + 1), ARRAY(r->process, n + 1), ARRAY(r->link, nlink + 1),
                ARRAY(r->queue, ntrunk + 1), ARRAY_IF(r->held_first, r->held, nheld + 1));
}

int cycles_run_open(struct cycles_run *out, const struct cycles_ways *ways, const struct cycles_how *how,
                    const struct cycles_start *start, size_t nstart, struct err *err)
{
    struct cycles_run r = { .ways = ways, .how = *how, .start = start, .nstart = nstart, .nprocess = ways->n };

    if (!(how->flits > 0) || !(how->hop_time >= 0))
        return err_set(err, ERR_DOMAIN, "messages of %g flits and hops of %g cycles: flits must be positive, hops not "
                       "negative", how->flits, how->hop_time);
    if (how->ports < 0)
        return err_set(err, ERR_DOMAIN, "%d ports: at least one, or all", how->ports);
    if (nstart >= (size_t)1 << BROADCAST_BITS || nstart > SIZE_MAX / sizeof *r.message / (size_t)ways->n)
        return err_set(err, ERR_DOMAIN, "%zu broadcasts are more than a run can tell apart", nstart);
    if (cycles_run_room(&r, err) < 0 || cycles_run_slow(&r, err) < 0) {
        cycles_run_release(&r);
        return -1;
    }
    *out = r;
    return 0;
}

int cycles_run_open_single(struct cycles_run *out, const struct cycles_ways *ways, const struct cycles_how *how,
                           int nprocess, struct err *err)
{
    struct cycles_run r = { .ways = ways, .how = *how, .single = true, .nprocess = nprocess };
    const struct trunks *t = &ways->links->trunks;

    if (TAKE("messages in cycles", err, ARRAY(r.process, nprocess), ARRAY(r.link, t->nlink + 1),
             ARRAY(r.queue, t->csr->m + 1)) < 0)
        return -1;
    *out = r;
    return 0;
}

void cycles_run_release(struct cycles_run *r)
{
    FREE(r->message, r->completion, r->left, r->process, r->link, r->queue, r->slow, r->held, r->held_first);
    events_release(&r->events);
    *r = (struct cycles_run){ 0 };
}

/* ---- deadlock ---- */

size_t cycles_waits_for(const struct cycles_run *r, size_t m)
{
    const struct cycles_message *msg = &r->message[m];

    if (isnan(msg->started) || !isnan(msg->delivered) || cycles_rank(r, m) == 0)
        return NONE;
    return r->link[first_link(r->ways, r->ways->first[cycles_way(r, m)] + (size_t)msg->hop)].holder;
}

size_t cycles_deadlocked(const struct cycles_run *r)
{
    const size_t all = r->nstart * (size_t)r->ways->n;
    size_t at = NONE;

    for (size_t m = 0; m < all && at == NONE; m++)
        at = cycles_waits_for(r, m) == NONE ? NONE : m;
    for (size_t k = 0; at != NONE && k < all; k++)      /* onto the cycle */
        at = cycles_waits_for(r, at);
    return at;
}
