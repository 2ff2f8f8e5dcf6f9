/* Plan: what the run keeps (messages, processes, sources, roots); starting and ending broadcasts; a message gets a
 * link; one instant, in its three steps; who is stuck; the loop over instants. */
#include "tests/support/cycles_twin.h"

#include <limits.h>
#include <string.h>

#include "tests/support/check.h"

struct flying {                     /* a message */
    double due;                     /* the next instant at which it does anything */
    double ask, deliver, port;      /* when it asks for its next link, arrives, leaves its port; INFINITY: not known */
    long turn;                      /* among those who wait for links; -1: does not wait */
    long start;                     /* among all that were started */
    int broadcast, rank;            /* which message it is; background: -1 and the source */
    int sender_rank, index;         /* the order of new requests */
    int process;                    /* whose port it has; -1: none */
    int at;                         /* links it has got */
    double flits, asked, waits_since, e;
    const struct twin_way *way;
    struct twin_message told;
    int link[TWIN_HOPS];
    double freed[TWIN_HOPS];        /* when it leaves each; INFINITY: has left, or not known */
};
struct send {
    int broadcast, rank, sender_rank, index;
};
struct process {
    struct send *queue;
    int head, n, room, busy;        /* queue[head..n-1] are to be sent; ports taken */
};
struct source {
    double due;                     /* when it is done with computing, or the next arrival */
    double *arrival;                /* open: those that were not sent yet, arrival[head..n-1] */
    int head, n, room;
    bool out;
};
struct root {
    double due;
    long left;
};
struct run {
    const struct twin_scene *s;
    struct twin_how how;
    struct twin_result *r;
    double now;
    int *holder;                    /* by link; -1: free */
    struct flying *message;
    int nmessage, room, *active, nactive, *unused, nunused;
    struct process *process;
    struct source *source;
    struct root *root;
    int complete;                   /* of the first `enough` broadcasts */
    long turns, starts;
    bool freed, waits;              /* at this instant a link was freed, somebody began to wait */
};

/* ---- small things ---- */

static void *fit(void *old, int n, int *room, size_t size)
{
    if (n < *room)
        return old;
    *room = 2 * n + 16;
    old = realloc(old, (size_t)*room * size);
    assert_non_null(old);
    return old;
}

static void *zeros(int n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);

    assert_non_null(p);
    return p;
}

static double exponential(const struct run *r, double mean)
{
    assert_non_null(r->how.rng);
    return -mean * log1p(-check_uniform(r->how.rng));
}

static double step_time(const struct run *r, const struct flying *m, int link)
{
    return m->flits / r->s->bandwidth[link];
}

static int process_of(const struct run *r, int broadcast, int rank)
{
    return (rank + r->r->broadcast[broadcast].root) % r->s->processes;
}

static void set_due(struct flying *m)
{
    m->due = fmin(m->ask, fmin(m->deliver, m->port));
    for (int k = 0; k < m->at; k++)
        m->due = fmin(m->due, m->freed[k]);
}

static struct flying *add_message(struct run *r, const struct twin_way *way, double flits)
{
    int i;

    assert_true(way->n > 0 && way->n <= TWIN_HOPS);
    if (r->nunused > 0)
        i = r->unused[--r->nunused];
    else {
        if (r->nmessage == r->room) {
            int same = r->room, again = r->room;

            r->message = fit(r->message, r->nmessage, &r->room, sizeof *r->message);
            r->active = fit(r->active, r->nmessage, &same, sizeof *r->active);
            r->unused = fit(r->unused, r->nmessage, &again, sizeof *r->unused);
        }
        i = r->nmessage++;
    }
    r->active[r->nactive++] = i;
    r->message[i] = (struct flying){ .due = r->now, .ask = r->now, .deliver = INFINITY, .port = INFINITY, .turn = -1,
                                     .start = r->starts++, .process = -1, .flits = flits, .way = way, .asked = r->now,
                                     .told = { r->now, NAN, 0, 0, 0, -1, -1 } };
    return &r->message[i];
}

/* ---- broadcasts ---- */

/* As many sends of a process as it has ports for. */
static void start_sends(struct run *r, int process)
{
    const struct twin_scene *s = r->s;
    struct process *p = &r->process[process];

    while (p->head < p->n && (s->ports == 0 || p->busy < s->ports)) {
        const struct send send = p->queue[p->head++];
        const int to = process_of(r, send.broadcast, send.rank);
        struct flying *m = add_message(r, &s->way[process * s->processes + to], s->flits);

        p->busy++;
        m->process = process;
        m->broadcast = send.broadcast;
        m->rank = send.rank;
        m->index = send.index;
        m->sender_rank = send.sender_rank;
    }
    if (p->head == p->n)
        p->head = p->n = 0;
}

static void queue_sends(struct run *r, int broadcast, int rank)
{
    const struct twin_scene *s = r->s;
    struct process *p = &r->process[process_of(r, broadcast, rank)];

    for (int c = s->first[rank]; c < s->first[rank + 1]; c++) {
        p->queue = fit(p->queue, p->n, &p->room, sizeof *p->queue);
        p->queue[p->n++] = (struct send){ broadcast, s->child[c], rank, c - s->first[rank] };
    }
}

/* A process has the message of a broadcast. */
static void reach(struct run *r, int broadcast, int rank)
{
    struct twin_broadcast *b = &r->r->broadcast[broadcast];

    if (b->arrival)
        b->arrival[process_of(r, broadcast, rank)] = r->now;
    queue_sends(r, broadcast, rank);
    start_sends(r, process_of(r, broadcast, rank));
}

static void start_broadcast(struct run *r, int of)
{
    struct twin_result *out = r->r;
    struct twin_broadcast *b;

    out->broadcast = fit(out->broadcast, out->n, &out->room, sizeof *out->broadcast);
    b = &out->broadcast[out->n++];
    *b = (struct twin_broadcast){ r->s->root[of].root, of, r->now, NAN, NULL, NULL, r->s->processes - 1 };
    if (r->how.details) {
        b->arrival = zeros(r->s->processes, sizeof *b->arrival);
        b->message = zeros(r->s->processes, sizeof *b->message);
        for (int v = 0; v < r->s->processes; v++) {
            b->arrival[v] = NAN;
            b->message[v] = (struct twin_message){ NAN, NAN, 0, 0, 0, -1, -1 };
        }
    }
    reach(r, out->n - 1, 0);
}

/* The root's turn: a broadcast starts, and the next is due by itself or by its completion. */
static void turn_of_root(struct run *r, int of)
{
    const struct twin_root *root = &r->s->root[of];

    r->root[of].left--;                                     /* from 0 down: without end */
    r->root[of].due = root->again == TWIN_POISSON && r->root[of].left != 0 ? r->now + exponential(r, root->interval) :
        INFINITY;
    start_broadcast(r, of);
}

static void complete_broadcast(struct run *r, int broadcast)
{
    struct twin_broadcast *b = &r->r->broadcast[broadcast];
    const struct twin_root *root = &r->s->root[b->of];

    b->complete = r->now;
    r->complete += broadcast < r->how.enough;
    if (root->again == TWIN_POISSON || r->root[b->of].left == 0)
        return;
    r->root[b->of].due = r->now + (root->again == TWIN_AFTER ? root->interval : exponential(r, root->interval));
}

/* ---- background ---- */

static const struct twin_way *draw_way(const struct run *r, const struct twin_source *source)
{
    double left = check_uniform(r->how.rng);
    int k = 0;

    while (k + 1 < source->nway && left >= source->way[k].share)
        left -= source->way[k++].share;
    return &source->way[k];
}

static void send_background(struct run *r, int i, double asked)
{
    const struct twin_source *source = &r->s->source[i];
    struct flying *m = add_message(r, draw_way(r, source), source->flits);

    m->asked = asked;
    m->broadcast = -1;
    m->rank = i;
    m->sender_rank = INT_MAX;
    m->index = i;
    r->source[i].out = true;
}

static void turn_of_source(struct run *r, int i)
{
    struct source *x = &r->source[i];

    if (!r->s->source[i].open) {
        x->due = INFINITY;
        send_background(r, i, r->now);
        return;
    }
    x->arrival = fit(x->arrival, x->n, &x->room, sizeof *x->arrival);
    x->arrival[x->n++] = r->now;
    x->due = r->now + exponential(r, r->s->source[i].interval);
}

static void end_background(struct run *r, const struct flying *m)
{
    if (m->asked >= r->how.from) {
        r->r->sent[m->rank]++;
        r->r->latency[m->rank] += r->now - m->asked;
    }
    r->source[m->rank].out = false;
    if (!r->s->source[m->rank].open)
        r->source[m->rank].due = r->now + exponential(r, r->s->source[m->rank].interval);
}

static void send_arrivals(struct run *r)
{
    for (int i = 0; i < r->s->nsource; i++) {
        struct source *x = &r->source[i];

        if (!x->out && x->head < x->n)
            send_background(r, i, x->arrival[x->head++]);
        if (x->head == x->n)
            x->head = x->n = 0;
    }
}

/* ---- a message gets a link ---- */

/* The slowest of its way; of links that serve alike, the first. */
static double slowest(const struct run *r, const struct flying *m)
{
    double most = 0;

    for (int k = 0; k < m->way->n; k++)
        most = fmax(most, step_time(r, m, k < m->at ? m->link[k] : m->way->step[k].first));
    return most;
}

/* Wormhole, circuit: the last link is got. */
static void leave_all(const struct run *r, struct flying *m)
{
    double e = r->now + slowest(r, m);

    if (r->s->switching == TWIN_CIRCUIT)
        for (int k = 0; k < m->at; k++)
            e += 2 * (r->s->hop_time + r->s->length[m->link[k]]);
    m->deliver = e + r->s->length[m->link[m->at - 1]];
    for (int k = m->at - 1; k >= 0; k--) {
        m->freed[k] = fmax(e, r->now);
        if (k > 0)
            e -= r->s->hop_time + r->s->length[m->link[k - 1]];
    }
}

static void get_link(struct run *r, struct flying *m, int link)
{
    const struct twin_scene *s = r->s;
    const bool holds = s->switching == TWIN_WORMHOLE || s->switching == TWIN_CIRCUIT;
    const double t = step_time(r, m, link), on = s->hop_time + s->length[link];
    const int k = m->at++;

    assert_int_equal(r->holder[link], -1);
    r->holder[link] = (int)(m - r->message);
    m->link[k] = link;
    m->freed[k] = INFINITY;
    if (!holds) {
        double e = r->now + t;

        if (k > 0 && s->switching == TWIN_CUT_THROUGH)
            e = fmax(e, m->e + s->hop_time + s->length[m->link[k - 1]]);
        m->e = m->freed[k] = e;
    }
    m->ask = (s->switching == TWIN_STORE_AND_FORWARD ? m->e : r->now) + on;
    if (k == 0 && m->process >= 0 && !s->blocking)
        m->port = r->now + (holds ? slowest(r, m) : t);
    if (m->at == m->way->n) {
        m->ask = INFINITY;
        if (holds)
            leave_all(r, m);
        else
            m->deliver = m->e + s->length[link];
    }
    set_due(m);
}

/* The first free link of those it asks for next, -1: none. */
static int free_link(const struct run *r, const struct flying *m)
{
    const struct twin_step step = m->way->step[m->at];

    for (int l = step.first; l < step.first + step.n; l++)
        if (r->holder[l] < 0)
            return l;
    return -1;
}

/* ---- an instant ---- */

static bool by_sender(const struct flying *a, const struct flying *b)
{
    if (a->sender_rank != b->sender_rank)
        return a->sender_rank < b->sender_rank;
    return a->index != b->index ? a->index < b->index : a->broadcast < b->broadcast;
}

static void free_links(struct run *r, struct flying *m)
{
    for (int k = 0; k < m->at; k++)
        if (m->freed[k] == r->now) {
            r->holder[m->link[k]] = -1;
            m->freed[k] = INFINITY;
            r->freed = true;
        }
    set_due(m);
}

static void leave_port(struct run *r, struct flying *m)
{
    const int process = m->process;

    m->port = INFINITY;
    set_due(m);
    r->process[process].busy--;
    start_sends(r, process);                    /* m may have moved */
}

static void deliver(struct run *r, struct flying *m)
{
    const int broadcast = m->broadcast, rank = m->rank;

    m->deliver = INFINITY;
    m->told.delivered = r->now;
    set_due(m);
    if (broadcast < 0) {
        end_background(r, m);
        return;
    }
    if (r->r->broadcast[broadcast].message)
        r->r->broadcast[broadcast].message[rank] = m->told;
    if (r->s->blocking)
        leave_port(r, m);
    reach(r, broadcast, rank);
    if (--r->r->broadcast[broadcast].left == 0)
        complete_broadcast(r, broadcast);
}

/* The messages that leave a port or arrive, by their senders' ranks. */
static void end_all(struct run *r)
{
    for (int next = -1;; next = -1) {
        for (int i = 0; i < r->nactive; i++) {
            const struct flying *m = &r->message[r->active[i]];

            if ((m->deliver == r->now || m->port == r->now) && (next < 0 || by_sender(m, &r->message[next])))
                next = r->active[i];
        }
        if (next < 0)
            return;
        if (r->message[next].port == r->now)
            leave_port(r, &r->message[next]);
        if (r->message[next].deliver == r->now)
            deliver(r, &r->message[next]);
    }
}

static void first_step(struct run *r)
{
    for (int i = 0; i < r->nactive; i++)
        if (r->message[r->active[i]].due == r->now)
            free_links(r, &r->message[r->active[i]]);
    end_all(r);
    for (int i = 0; i < r->s->nroot; i++)
        if (r->root[i].due == r->now)
            turn_of_root(r, i);
    for (int i = 0; i < r->s->nsource; i++)
        if (r->source[i].due == r->now)
            turn_of_source(r, i);
    send_arrivals(r);
}

/* Those who wait, who came first first. */
static void second_step(struct run *r)
{
    for (struct flying *next = NULL; r->freed; next = NULL) {
        double waited;

        for (int i = 0; i < r->nactive; i++) {
            struct flying *m = &r->message[r->active[i]];

            if (m->turn >= 0 && (!next || m->turn < next->turn) && free_link(r, m) >= 0)
                next = m;
        }
        if (!next)
            return;
        waited = r->now - next->waits_since;
        next->turn = -1;
        next->told.waits_for = -1;
        get_link(r, next, free_link(r, next));
        free_links(r, next);
        if (waited > 0) {
            next->told.waited += waited;
            next->told.collisions++;
            if (waited > next->told.longest) {
                next->told.longest = waited;
                next->told.longest_at = next->link[next->at - 1];
            }
        }
    }
}

static bool asks_before(const struct flying *a, const struct flying *b)
{
    if (a->at == 0 || b->at == 0)
        return a->at == b->at ? a->start < b->start : a->at > 0;
    return by_sender(a, b);
}

static void third_step(struct run *r)
{
    for (struct flying *next = NULL;; next = NULL) {
        for (int i = 0; i < r->nactive; i++) {
            struct flying *m = &r->message[r->active[i]];

            if (m->ask == r->now && (!next || asks_before(m, next)))
                next = m;
        }
        if (!next)
            return;
        if (free_link(r, next) >= 0) {
            get_link(r, next, free_link(r, next));
            r->freed = false;
            free_links(r, next);            /* a short message may have passed some */
            second_step(r);
            continue;
        }
        next->ask = INFINITY;
        next->turn = r->turns++;
        next->waits_since = r->now;
        next->told.waits_for = next->way->step[next->at].first;
        set_due(next);
        r->waits = true;
    }
}

static void forget_ended(struct run *r)
{
    for (int i = r->nactive; i-- > 0;) {
        const struct flying *m = &r->message[r->active[i]];

        if (m->due == INFINITY && m->turn < 0 && m->at == m->way->n) {
            r->unused[r->nunused++] = r->active[i];
            r->active[i] = r->active[--r->nactive];
        }
    }
}

/* ---- deadlock ---- */

/* Whether a waiting message can get a link without the help of those who are stuck. */
static bool has_hope(const struct run *r, const struct flying *m, const bool *stuck)
{
    const struct twin_step step = m->way->step[m->at];

    for (int l = step.first; l < step.first + step.n; l++)
        if (r->holder[l] < 0 || !stuck[r->holder[l]])
            return true;
    return false;
}

/* Of those who wait, all of whose links are held by others of them. */
static void find_stuck(struct run *r)
{
    bool *stuck = zeros(r->nmessage, sizeof *stuck), again = true;
    struct twin_result *out = r->r;

    for (int i = 0; i < r->nactive; i++)
        stuck[r->active[i]] = r->message[r->active[i]].turn >= 0;
    while (again) {
        again = false;
        for (int i = 0; i < r->nactive; i++)
            if (stuck[r->active[i]] && has_hope(r, &r->message[r->active[i]], stuck)) {
                stuck[r->active[i]] = false;
                again = true;
            }
    }
    free(out->stuck);
    out->stuck = zeros(r->nactive, sizeof *out->stuck);
    out->nstuck = 0;
    for (int i = 0; i < r->nactive; i++)
        if (stuck[r->active[i]]) {
            const struct flying *m = &r->message[r->active[i]];
            const struct flying *by = &r->message[r->holder[m->told.waits_for]];

            out->stuck[out->nstuck++] = (struct twin_stuck){ m->broadcast, m->rank, m->told.waits_for, by->broadcast,
                                                             by->rank };
        }
    out->deadlock = out->nstuck > 0;
    free(stuck);
}

/* ---- the run ---- */

static void setup(struct run *r)
{
    const struct twin_scene *s = r->s;

    assert_true(s->nroot == 0 || s->processes > 1);
    r->holder = zeros(s->nlink, sizeof *r->holder);
    for (int l = 0; l < s->nlink; l++)
        r->holder[l] = -1;
    r->process = zeros(s->processes, sizeof *r->process);
    r->source = zeros(s->nsource, sizeof *r->source);
    r->root = zeros(s->nroot, sizeof *r->root);
    r->r->sent = zeros(s->nsource, sizeof *r->r->sent);
    r->r->latency = zeros(s->nsource, sizeof *r->r->latency);
    for (int i = 0; i < s->nsource; i++)
        r->source[i].due = exponential(r, s->source[i].interval);
    for (int i = 0; i < s->nroot; i++)
        r->root[i] = (struct root){ s->root[i].start + (s->root[i].again == TWIN_POISSON ?
                                                        exponential(r, s->root[i].interval) : 0), s->root[i].rounds };
}

static double next_instant(const struct run *r)
{
    double next = INFINITY;

    for (int i = 0; i < r->nactive; i++)
        next = fmin(next, r->message[r->active[i]].due);
    for (int i = 0; i < r->s->nsource; i++)
        next = fmin(next, r->source[i].due);
    for (int i = 0; i < r->s->nroot; i++)
        next = fmin(next, r->root[i].due);
    return next;
}

static void tell_waiting(struct run *r)
{
    for (int i = 0; i < r->nactive; i++) {
        const struct flying *m = &r->message[r->active[i]];

        if (m->broadcast >= 0 && r->r->broadcast[m->broadcast].message && isnan(m->told.delivered))
            r->r->broadcast[m->broadcast].message[m->rank] = m->told;
    }
}

static void release(struct run *r)
{
    for (int i = 0; i < r->s->processes; i++)
        free(r->process[i].queue);
    for (int i = 0; i < r->s->nsource; i++)
        free(r->source[i].arrival);
    free(r->process);
    free(r->source);
    free(r->root);
    free(r->holder);
    free(r->message);
    free(r->active);
    free(r->unused);
}

void twin_run(struct twin_result *out, const struct twin_scene *s, struct twin_how how)
{
    struct run r = { .s = s, .how = how, .r = out };
    const bool endless = how.enough > 0 || s->nsource > 0;

    *out = (struct twin_result){ 0 };
    setup(&r);
    while ((how.enough == 0 || r.complete < how.enough) && (r.now = next_instant(&r)) < INFINITY) {
        out->now = r.now;
        r.freed = r.waits = false;
        first_step(&r);
        second_step(&r);
        third_step(&r);
        forget_ended(&r);
        if (r.waits && endless && (s->switching == TWIN_WORMHOLE || s->switching == TWIN_CIRCUIT)) {
            find_stuck(&r);
            if (out->deadlock)
                break;
        }
    }
    if (!endless)
        find_stuck(&r);
    tell_waiting(&r);
    release(&r);
}

void twin_release(struct twin_result *r)
{
    for (int i = 0; i < r->n; i++) {
        free(r->broadcast[i].arrival);
        free(r->broadcast[i].message);
    }
    free(r->broadcast);
    free(r->stuck);
    free(r->sent);
    free(r->latency);
    *r = (struct twin_result){ 0 };
}
