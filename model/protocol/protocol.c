#include "model/protocol/protocol.h"
#include "graph/base/order.h"

#define NONE SIZE_MAX
enum { ASK_EVERY = 1 << 16 };

struct letter {
    struct message m;
    int to;
    double sent;
    size_t next;                        /* of those put aside, of those that wait for a dispatcher, or of spare ones */
};
/* What happens, of letter or half-link k: the event is of k * HAPPENS + which. */
enum { ARRIVES, HANDLED_AT, DISPATCHER_FREE, HAPPENS };
struct dispatcher {
    double free;                        /* from when on it may send; INFINITY: not known yet */
    size_t first, last;                 /* letters that wait; NONE */
};
struct kept {                           /* letters that a process has put aside; NONE */
    size_t first, last;
};

/* ---- wiring ---- */

ORDER(by_rank, struct wire, UP(order) UP(a) UP(b))

/* Ranked, smaller process first. */
static int wires_ranked(struct wire *out, int n, const struct wire *wire, size_t m, struct err *err)
{
    for (size_t k = 0; k < m; k++) {
        const struct wire w = wire[k];

        if (w.a < 0 || w.a >= n || w.b < 0 || w.b >= n || w.a == w.b)
            return err_set(err, ERR_DOMAIN, "a link joins processes %d and %d: they must be two of 0 to %d", w.a, w.b,
                           n - 1);
        if (!(w.latency >= 0) || isinf(w.latency))
            return err_set(err, ERR_DOMAIN, "the latency between processes %d and %d is %g: it must be a number, not "
                           "negative", w.a, w.b, w.latency);
        out[k] = (struct wire){ w.a < w.b ? w.a : w.b, w.a < w.b ? w.b : w.a, w.latency,
                                w.order > 0 ? w.order : w.latency,
                                w.bandwidth > 0 ? w.bandwidth : 1 };
    }
    qsort(out, m, sizeof *out, by_rank);
    return 0;
}

static int wiring_fill(struct wiring *w, const struct wire *wire, struct err *err)
{
    size_t *fill = w->first + 1;
    int *seen;

    for (size_t k = 0; k < w->m; k++) {
        fill[wire[k].a + 1]++;
        fill[wire[k].b + 1]++;
    }
    for (int p = 1; p <= w->n; p++)
        fill[p] += fill[p - 1];
    for (size_t k = 0; k < w->m; k++) {         /* by rank, so those of a process too */
        const size_t a = fill[wire[k].a]++, b = fill[wire[k].b]++;

        w->to[a] = w->from[b] = wire[k].b;
        w->to[b] = w->from[a] = wire[k].a;
        w->twin[a] = (uint32_t)b;
        w->twin[b] = (uint32_t)a;
        w->rank[a] = w->rank[b] = (uint32_t)k;
        w->half[k] = (uint32_t)a;
        w->latency[a] = w->latency[b] = wire[k].latency;
        w->order[a] = w->order[b] = wire[k].order;
        w->bandwidth[a] = w->bandwidth[b] = wire[k].bandwidth;
    }
    if (TAKE("the links", err, ARRAY(seen, w->n)) < 0)
        return -1;
    memset(seen, 0xff, (size_t)w->n * sizeof *seen);
    for (size_t h = 0; h < 2 * w->m; h++) {
        if (seen[w->to[h]] == w->from[h]) {
            err_set(err, ERR_DOMAIN, "processes %d and %d are joined twice", w->from[h], w->to[h]);
            break;
        }
        seen[w->to[h]] = w->from[h];
    }
    free(seen);
    return err && err->code != ERR_NONE ? -1 : 0;
}

double wiring_bytes(double links)
{
    const struct wiring *w = NULL;

    return links * (sizeof(struct wire) + sizeof *w->half + 2 * (sizeof *w->to + sizeof *w->from + sizeof *w->twin +
                    sizeof *w->rank + sizeof *w->latency + sizeof *w->order + sizeof *w->bandwidth));
}

int wiring_open(struct wiring *out, int n, const struct wire *wire, size_t m, struct err *err)
{
    struct wiring w = { .n = n, .m = m };
    struct wire *ranked = NULL;
    int ret = -1;

    if (n < 1 || m > UINT32_MAX / 2)
        return err_set(err, ERR_DOMAIN, "%d processes with %zu links: at least one, and fewer than 2^31 links", n, m);
    *err = (struct err){ ERR_NONE, "" };
    if (TAKE("the links", err, ARRAY(ranked, m + 1), ZEROS(w.first, n + 2), ARRAY(w.to, 2 * m + 1),
             ARRAY(w.from, 2 * m + 1), ARRAY(w.twin, 2 * m + 1), ARRAY(w.rank, 2 * m + 1),
             ARRAY(w.latency, 2 * m + 1), ARRAY(w.order, 2 * m + 1),
             ARRAY(w.bandwidth, 2 * m + 1), ARRAY(w.half, m + 1)) == 0 &&
        wires_ranked(ranked, n, wire, m, err) == 0)
        ret = wiring_fill(&w, ranked, err);
    free(ranked);
    if (ret < 0)
        wiring_release(&w);
    else
        *out = w;
    return ret;
}

void wiring_release(struct wiring *w)
{
    FREE(w->first, w->to, w->from, w->twin, w->rank, w->latency, w->order, w->bandwidth, w->half);
    *w = (struct wiring){ 0 };
}

int wiring_match(int64_t *out, const struct wiring *w, const struct wiring *other, struct err *err)
{
    int64_t *seen;                      /* by process, of those that one is joined to */

    if (TAKE("the links", err, ARRAY(seen, w->n)) < 0)
        return -1;
    for (int p = 0; p < w->n; p++)
        seen[p] = WIRING_NONE;
    for (int p = 0; p < w->n; p++) {
        for (size_t h = other->first[p]; h < other->first[p + 1]; h++)
            seen[other->to[h]] = (int64_t)h;
        for (size_t h = w->first[p]; h < w->first[p + 1]; h++)
            out[h] = seen[w->to[h]];
        for (size_t h = other->first[p]; h < other->first[p + 1]; h++)
            seen[other->to[h]] = WIRING_NONE;
    }
    free(seen);
    return 0;
}

/* ---- messages ---- */

static int watch(const struct protocol *r, const struct message *m, int what, struct err *err)
{
    return r->watch ? r->watch->message(r->watch->arg, r, m, r->w->to[m->link], r->w->from[m->link], what, err) : 0;
}

static int happens(struct protocol *r, double at, size_t k, int which, struct err *err)
{
    if (events_push_lane(&r->queue, which, (struct event){ at, r->sent++, k * HAPPENS + (size_t)which }, err) < 0)
        return -1;
    r->ahead++;
    r->peak = r->ahead > r->peak ? r->ahead : r->peak;
    return 0;
}

/* A letter of its own; NONE with err. */
static size_t letter_new(struct protocol *r, struct message m, int to, struct err *err)
{
    size_t k = r->spare;

    if (k == NONE) {
        if (GROW(&r->room, r->nletter + 1, "messages", err, GROWN(r->letter)) < 0)
            return NONE;
        k = r->nletter++;
    } else {
        r->spare = r->letter[k].next;
    }
    r->letter[k] = (struct letter){ m, to, r->now, NONE };
    return k;
}

/* Whether messages of the type wait for acknowledgements. */
static bool held(const struct protocol_service *s, int type)
{
    return s && !isnan(s->ack) && !(s->unheld >> type & 1);
}

/* On its way over half-link `sender`, now. */
static int transmit(struct protocol *r, size_t sender, size_t k, struct err *err)
{
    const struct wiring *w = r->w;
    const struct protocol_service *s = r->service;
    double at = r->now + (r->random ? 1 - rng_uniform(&r->rng) : w->latency[sender]);

    if (s)
        at += s->length[r->letter[k].m.type] / w->bandwidth[sender];
    if (r->last)
        at = r->last[sender] = fmax(at, r->last[sender]);
    if (held(s, r->letter[k].m.type))
        r->dispatcher[sender].free = INFINITY;
    return happens(r, at, k, ARRIVES, err);
}

int protocol_send(struct protocol *r, struct message m, struct err *err)
{
    const size_t sender = m.link;
    struct dispatcher *d = held(r->service, m.type) ? &r->dispatcher[sender] : NULL;
    size_t k;

    m.link = r->w->twin[sender];
    k = letter_new(r, m, r->w->to[sender], err);
    if (k == NONE)
        return -1;
    r->count[m.type]++;
    if (watch(r, &m, WATCH_SENT, err) < 0)
        return -1;
    if (!d || (d->first == NONE && d->free <= r->now))
        return transmit(r, sender, k, err);
    if (d->first != NONE) {
        r->letter[d->last].next = k;
        d->last = k;
        return 0;
    }
    d->first = d->last = k;
    return isinf(d->free) ? 0 : happens(r, d->free, sender, DISPATCHER_FREE, err);
}

int protocol_post(struct protocol *r, int p, struct message m, double at, struct err *err)
{
    size_t k;

    m.link = PROTOCOL_HOST;
    k = letter_new(r, m, p, err);
    return k == NONE ? -1 : happens(r, at, k, ARRIVES, err);
}

static void drop(struct protocol *r, size_t k)
{
    r->letter[k].next = r->spare;
    r->spare = k;
}

static size_t *after(struct protocol *r, int p, size_t k)      /* the place that says which follows k */
{
    return k == NONE ? &r->aside[p].first : &r->letter[k].next;
}

/* What p has put aside, in order, again and again while something changes. */
static int take_aside(struct protocol *r, int p, struct err *err)
{
    bool again = true;

    while (again) {
        size_t before = NONE, k;

        again = false;
        while ((k = *after(r, p, before)) != NONE) {
            const struct message m = r->letter[k].m;
            int handled;

            r->since = r->letter[k].sent;
            handled = r->machine->on_message(r, p, &m, err);
            if (handled < 0)
                return -1;
            if (handled == NOT_YET) {
                before = k;
                continue;
            }
            *after(r, p, before) = r->letter[k].next;
            r->aside[p].last = r->aside[p].last == k ? before : r->aside[p].last;
            drop(r, k);
            r->kept--;
            if (watch(r, &m, WATCH_TAKEN, err) < 0)
                return -1;
            again = again || handled == HANDLED_CHANGED;
        }
    }
    return 0;
}

static int handle(struct protocol *r, size_t k, struct err *err)
{
    const struct message m = r->letter[k].m;
    const int p = r->letter[k].to;
    int handled;

    r->since = r->letter[k].sent;
    handled = r->machine->on_message(r, p, &m, err);
    if (handled < 0 ||
        (m.link != PROTOCOL_HOST && watch(r, &m, handled == NOT_YET ? WATCH_KEPT : WATCH_TAKEN, err) < 0))
        return -1;
    if (handled == NOT_YET) {
        *after(r, p, r->aside[p].last) = k;
        r->letter[k].next = NONE;
        r->aside[p].last = k;
        r->kept++;
        return 0;
    }
    drop(r, k);
    return handled == HANDLED_CHANGED ? take_aside(r, p, err) : 0;
}

/* The acknowledgement of what came over half-link `link` is on its way. */
static int acknowledge(struct protocol *r, size_t link, struct err *err)
{
    const size_t sender = r->w->twin[link];
    struct dispatcher *d = &r->dispatcher[sender];

    d->free = r->now + r->w->latency[sender] + r->service->ack / r->w->bandwidth[sender];
    return d->first == NONE ? 0 : happens(r, d->free, sender, DISPATCHER_FREE, err);
}

static int serve(struct protocol *r, size_t k, int which, struct err *err)
{
    const double decide = r->service->decide;

    if (which == DISPATCHER_FREE) {
        struct dispatcher *d = &r->dispatcher[k];
        const size_t first = d->first;

        d->first = r->letter[first].next;
        return transmit(r, k, first, err);
    }
    if (which == ARRIVES && decide > 0) {
        double *idle = &r->idle[r->letter[k].to];

        *idle = fmax(*idle, r->now) + decide;
        return happens(r, *idle, k, HANDLED_AT, err);
    }
    const struct message m = r->letter[k].m;

    return handle(r, k, err) < 0 ? -1 :
        m.link != PROTOCOL_HOST && held(r->service, m.type) ? acknowledge(r, m.link, err) : 0;
}

int protocol_run(struct protocol *r, const struct tick *t, struct err *err)
{
    struct event e;

    for (int p = 0; p < r->w->n; p++)
        if (r->machine->wake(r, p, err) < 0)
            return -1;
    for (size_t k = 1; events_take(&e, &r->queue); k++) {
        r->ahead--;
        r->now = e.at;
        if ((k % ASK_EVERY == 0 && tick_check(t, 0, err) < 0) ||
            (r->service ? serve(r, e.what / HAPPENS, (int)(e.what % HAPPENS), err) :
             handle(r, e.what / HAPPENS, err)) < 0)
            return -1;
    }
    return 0;
}

double protocol_messages(const struct protocol *r)
{
    double sum = 0;

    for (int k = 0; k < r->machine->ntype; k++)
        sum += r->count[k];
    return sum;
}

int protocol_open(struct protocol *out, const struct wiring *w, const struct machine *machine, void *state,
                  uint64_t seed, struct err *err)
{
    struct protocol r = { .w = w, .machine = machine, .state = state, .random = seed != 0, .spare = NONE };

    if (TAKE("the processes", err, ARRAY(r.aside, w->n), ZEROS_IF(r.random, r.last, 2 * w->m + 1)) < 0)
        return -1;
    for (int p = 0; p < w->n; p++)
        r.aside[p] = (struct kept){ NONE, NONE };
    rng_seed(&r.rng, seed);
    *out = r;
    return 0;
}

int protocol_serve(struct protocol *r, const struct protocol_service *service, struct err *err)
{
    const size_t links = 2 * r->w->m;

    if (TAKE("the processes", err, ZEROS(r->idle, r->w->n), ARRAY(r->dispatcher, links + 1)) < 0)
        return -1;
    for (size_t h = 0; h < links; h++)
        r->dispatcher[h] = (struct dispatcher){ 0, NONE, NONE };
    r->service = service;
    return 0;
}

void protocol_release(struct protocol *r)
{
    events_release(&r->queue);
    FREE(r->letter, r->aside, r->last, r->idle, r->dispatcher);
    *r = (struct protocol){ 0 };
}
