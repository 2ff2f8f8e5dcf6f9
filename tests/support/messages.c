#include "tests/support/messages.h"

#include <string.h>

#include "tests/support/check.h"

#define BATCHES 30

struct message {
    const struct path *path;
    int at;                     /* links it has been given */
    int batch;                  /* -1: not counted */
    double waited;
};
struct sender {
    double mean, time;          /* cycles between messages, flits */
    double came;                /* when its last message came to be sent */
    const struct path **way;
    double *until;              /* by way: sum of shares up to it */
    int nway;
};
struct event {                  /* a message asks for its next link; below 0: source -1 - message sends one */
    double at;
    uint64_t order;             /* of events at one time */
    int message;
};
struct run {
    const struct paths *p;
    struct rng *rng;
    struct sender *sender;
    struct event *heap;
    int nheap, heap_room;
    uint64_t order;
    struct message *message;
    int *spare, nspare, nmessage, message_room;
    double *free_at;            /* by link */
};

static void *room(void *old, size_t n, size_t size)
{
    void *p = realloc(old, (n ? n : 1) * size);

    assert_non_null(p);
    return p;
}

static bool sooner(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void push(struct run *r, double at, int message)
{
    const struct event e = { at, r->order++, message };
    int i = r->nheap++;

    if (r->nheap > r->heap_room) {
        r->heap_room = 2 * r->nheap;
        r->heap = room(r->heap, (size_t)r->heap_room, sizeof *r->heap);
    }
    for (; i > 0 && sooner(&e, &r->heap[(i - 1) / 2]); i = (i - 1) / 2)
        r->heap[i] = r->heap[(i - 1) / 2];
    r->heap[i] = e;
}

static struct event pop(struct run *r)
{
    const struct event top = r->heap[0], last = r->heap[--r->nheap];
    int i = 0;

    for (int k; (k = 2 * i + 1) < r->nheap; i = k) {
        k += k + 1 < r->nheap && sooner(&r->heap[k + 1], &r->heap[k]);
        if (!sooner(&r->heap[k], &last))
            break;
        r->heap[i] = r->heap[k];
    }
    r->heap[i] = last;
    return top;
}

static double takes(const struct run *r, const struct message *m, int at)
{
    const struct paths *p = r->p;

    return r->sender[m->path->source].time / p->kind[p->port_link[m->path->port[at]]].bandwidth;
}

static const struct path *choose(const struct sender *s, struct rng *rng)
{
    const double at = check_uniform(rng) * s->until[s->nway - 1];
    int a = 0, b = s->nway - 1;

    while (a < b) {
        const int mid = (a + b) / 2;

        if (s->until[mid] > at)
            b = mid;
        else
            a = mid + 1;
    }
    return s->way[a];
}

/* A message enters the network; the next follows when it has come, and when this one has left its source. */
static int enter(struct run *r, int source, double now, int batch)
{
    struct sender *s = &r->sender[source];
    const int m = r->nspare > 0 ? r->spare[--r->nspare] : r->nmessage++;

    if (m >= r->message_room) {
        r->message_room = 2 * m + 64;
        r->message = room(r->message, (size_t)r->message_room, sizeof *r->message);
        r->spare = room(r->spare, (size_t)r->message_room, sizeof *r->spare);
    }
    r->message[m] = (struct message){ choose(s, r->rng), 0, batch, 0 };
    s->came -= s->mean * log1p(-check_uniform(r->rng));
    push(r, fmax(s->came, now + takes(r, &r->message[m], 0)), -1 - source);
    return m;
}

/* From link to link until it waits or has arrived: returns whether it has. */
static bool advance(struct run *r, struct messages *out, int i, double now)
{
    struct message *m = &r->message[i];

    while (m->at < m->path->n) {
        const int g = m->path->port[m->at], l = r->p->port_link[g];
        const double begin = fmax(now, r->free_at[l]), time = takes(r, m, m->at);
        double next = begin;

        if (m->batch >= 0) {
            out->port_wait[g] += begin - now;
            out->port_many[g]++;
            m->waited += begin - now;
        }
        r->free_at[l] = begin + time;
        if (++m->at < m->path->n)
            next += fmax(0, time - takes(r, m, m->at));
        if (next > now) {
            push(r, next, i);
            return false;
        }
    }
    return true;
}

static void setup(struct run *r, double interval, double time)
{
    const struct paths *p = r->p;

    r->sender = room(NULL, (size_t)p->nsource, sizeof *r->sender);
    r->free_at = room(NULL, p->nlink, sizeof *r->free_at);
    for (size_t l = 0; l < p->nlink; l++)
        r->free_at[l] = 0;
    for (int i = 0; i < p->nsource; i++)
        r->sender[i] = (struct sender){ .mean = isnan(p->interval[i]) ? interval : p->interval[i],
                                        .time = isnan(p->time[i]) ? time : p->time[i] };
    for (size_t k = 0; k < p->npath; k++) {
        struct sender *s = &r->sender[p->path[k].source];
        const size_t n = (size_t)++s->nway;

        s->way = room(s->way, n, sizeof *s->way);
        s->until = room(s->until, n, sizeof *s->until);
        s->way[n - 1] = &p->path[k];
        s->until[n - 1] = p->path[k].share + (n > 1 ? s->until[n - 2] : 0);
    }
    for (int i = 0; i < p->nsource; i++) {
        struct sender *s = &r->sender[i];

        if (s->nway > 0) {
            s->came = -s->mean * log1p(-check_uniform(r->rng));
            push(r, s->came, -1 - i);
        }
    }
}

static void finish(struct messages *out, struct run *r, const double *sum, const double *n)
{
    double mean = 0, square = 0;

    for (int b = 0; b < BATCHES; b++) {
        mean += sum[b] / n[b] / BATCHES;
        square += sum[b] / n[b] * (sum[b] / n[b]) / BATCHES;
    }
    out->wait = mean;
    out->error = sqrt(fmax(0, square - mean * mean) / (BATCHES - 1));
    for (size_t g = 0; g < r->p->nport; g++)
        out->port_wait[g] /= out->port_many[g];
    for (int i = 0; i < r->p->nsource; i++) {
        free(r->sender[i].way);
        free(r->sender[i].until);
    }
    free(r->sender);
    free(r->heap);
    free(r->message);
    free(r->spare);
    free(r->free_at);
}

void messages_run(struct messages *out, const struct paths *p, double interval, double time, long many,
                  struct rng *rng)
{
    struct run r = { .p = p, .rng = rng };
    double sum[BATCHES] = { 0 }, n[BATCHES] = { 0 };
    long sent = -many / 5, arrived = 0;

    *out = (struct messages){ 0 };
    out->port_wait = room(NULL, p->nport, sizeof(double));
    out->port_many = room(NULL, p->nport, sizeof(double));
    for (size_t g = 0; g < p->nport; g++)
        out->port_wait[g] = out->port_many[g] = 0;
    setup(&r, interval, time);
    while (arrived < many) {
        const struct event e = pop(&r);
        int i = e.message;

        if (i < 0) {
            i = enter(&r, -1 - i, e.at, sent >= 0 && sent < many ? (int)(sent * BATCHES / many) : -1);
            sent++;
        }
        if (!advance(&r, out, i, e.at))
            continue;
        if (r.message[i].batch >= 0) {
            sum[r.message[i].batch] += r.message[i].waited;
            n[r.message[i].batch]++;
            arrived++;
        }
        r.spare[r.nspare++] = i;
    }
    finish(out, &r, sum, n);
}

void messages_release(struct messages *m)
{
    free(m->port_wait);
    free(m->port_many);
    *m = (struct messages){ 0 };
}
