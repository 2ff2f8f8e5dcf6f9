#include "tests/support/wormhole.h"

#include "tests/support/scene.h"
#include "tests/support/check.h"

struct sender {
    const struct path *path;    /* NULL: computing */
    int at;                     /* links it has */
    double asked, due;          /* when it began to send; when it ends what it does */
    int behind;                 /* who waits behind it at a link, -1 none */
    double mean, time, sum;
    long count;
    const struct path **way;    /* its paths */
    int nway;
};
struct queue {
    int holder, first, last;    /* -1: none */
};
struct run {
    const struct paths *p;
    struct sender *sender;
    struct queue *queue;        /* by link */
    int *heap, nheap;           /* senders that are due, the earliest on top */
};

static void *room(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    assert_non_null(p);
    return p;
}

static void push(struct run *r, int s, double due)
{
    int i = r->nheap++;

    r->sender[s].due = due;
    while (i > 0 && r->sender[r->heap[(i - 1) / 2]].due > due) {
        r->heap[i] = r->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    r->heap[i] = s;
}

static int pop(struct run *r)
{
    const int top = r->heap[0], last = r->heap[--r->nheap];
    int i = 0;

    for (int k; (k = 2 * i + 1) < r->nheap; i = k) {
        if (k + 1 < r->nheap && r->sender[r->heap[k + 1]].due < r->sender[r->heap[k]].due)
            k++;
        if (r->sender[r->heap[k]].due >= r->sender[last].due)
            break;
        r->heap[i] = r->heap[k];
    }
    r->heap[i] = last;
    return top;
}

static struct queue *next_queue(const struct run *r, const struct sender *s)
{
    return &r->queue[r->p->port_link[s->path->port[s->at]]];
}

static void advance(struct run *r, int i, double now)
{
    struct sender *s = &r->sender[i];

    for (; s->at < s->path->n; s->at++) {
        struct queue *q = next_queue(r, s);

        if (q->holder >= 0 || q->first >= 0) {
            *(q->first < 0 ? &q->first : &r->sender[q->last].behind) = i;
            q->last = i;
            s->behind = -1;
            return;
        }
        q->holder = i;
    }
    push(r, i, now + s->time);
}

static void arrive(struct run *r, int i, double now)
{
    const struct path *path = r->sender[i].path;

    for (int k = 0; k < path->n; k++)
        r->queue[r->p->port_link[path->port[k]]].holder = -1;
    for (int k = 0; k < path->n; k++) {
        struct queue *q = &r->queue[r->p->port_link[path->port[k]]];
        const int next = q->first;

        if (next < 0)
            continue;
        assert_int_equal(q->holder, -1);
        q->first = r->sender[next].behind;
        q->holder = next;
        r->sender[next].at++;
        advance(r, next, now);
    }
}

static const struct path *choose(const struct sender *s, struct rng *rng)
{
    double left = check_uniform(rng);
    int k = 0;

    while (k + 1 < s->nway && left >= s->way[k]->share)
        left -= s->way[k++]->share;
    return s->way[k];
}

static void setup(struct run *r, double interval, double time, struct rng *rng)
{
    const struct paths *p = r->p;

    for (size_t l = 0; l < p->nlink; l++)
        r->queue[l] = (struct queue){ -1, -1, -1 };
    for (int i = 0; i < p->nsource; i++)
        r->sender[i].way = room(p->npath, sizeof *r->sender[i].way);
    for (size_t k = 0; k < p->npath; k++) {
        struct sender *s = &r->sender[p->path[k].source];

        s->way[s->nway++] = &p->path[k];
    }
    for (int i = 0; i < p->nsource; i++) {
        struct sender *s = &r->sender[i];

        s->mean = isnan(p->interval[i]) ? interval : p->interval[i];
        s->time = isnan(p->time[i]) ? time : p->time[i];
        push(r, i, -s->mean * log1p(-check_uniform(rng)));
    }
}

void wormhole_run(double *latency, const struct paths *p, double interval, double time, long messages, struct rng *rng)
{
    struct run r = { p, room((size_t)p->nsource, sizeof *r.sender), room(p->nlink, sizeof *r.queue),
                     room((size_t)p->nsource, sizeof *r.heap), 0 };
    long arrived = -messages / 10;

    setup(&r, interval, time, rng);
    while (arrived < messages) {
        int i;
        struct sender *s;

        assert_true(r.nheap > 0);               /* else all wait for each other */
        i = pop(&r);
        s = &r.sender[i];
        if (!s->path) {
            s->path = choose(s, rng);
            s->at = 0;
            s->asked = s->due;
            advance(&r, i, s->due);
            continue;
        }
        if (arrived++ >= 0) {
            s->sum += s->due - s->asked;
            s->count++;
        }
        arrive(&r, i, s->due);
        s->path = NULL;
        push(&r, i, s->due - s->mean * log1p(-check_uniform(rng)));
    }
    for (int i = 0; i < p->nsource; i++) {
        assert_true(r.sender[i].count > 0);
        latency[i] = r.sender[i].sum / (double)r.sender[i].count;
        free(r.sender[i].way);
    }
    free(r.sender);
    free(r.queue);
    free(r.heap);
}
