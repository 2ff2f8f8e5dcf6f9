#include "analysis/bound/walks.h"
#include "graph/base/heap.h"
#include "graph/distance/distances.h"

static int hops_from(int **out, const struct quotient *q, int root, struct err *err)
{
    const struct csr c = { q->n, q->first[q->n], q->first, q->to };
    int *hops = NULL, *queue = NULL;

    if (TAKE("the walks", err, ARRAY(hops, q->n), ARRAY(queue, q->n)) < 0)
        return -1;
    csr_bfs(&c, root, hops, queue);
    free(queue);
    *out = hops;
    return 0;
}

static void walks_fill(size_t *first, int *to, int *class, const struct quotient *q, int root, int slack,
                       const int *hops)
{
    const int per = slack + 1;
    size_t m = 0;

    for (int x = 0; x < q->n; x++)
        for (int j = 0; j < per; j++) {
            first[x * per + j] = m;
            if (hops[x] < 0 || (x == root && j))
                continue;
            for (size_t a = q->first[x]; a < q->first[x + 1]; a++) {
                const int y = q->to[a], then = j + 1 + hops[x] - hops[y];

                if (y != root && then <= slack) {
                    to[m] = y * per + then;
                    class[m++] = q->class[a];
                }
            }
            if (j < slack && x != root) {
                to[m] = x * per + j + 1;
                class[m++] = -1;
            }
        }
    first[q->n * per] = m;
}

double walks_bytes(const struct quotient *q, int slack)
{
    const struct walks *w = NULL;

    return (slack + 1) * ((double)q->n * (sizeof *w->first + sizeof *w->to + sizeof *w->class) +
                          (double)q->first[q->n] * (sizeof *w->to + sizeof *w->class));
}

int walks_open(struct walks *w, const struct quotient *q, int root, int slack, struct err *err)
{
    const int per = slack < 0 ? 1 : slack + 1;
    const size_t states = (size_t)q->n * (size_t)per, most = (q->first[q->n] + (size_t)q->n) * (size_t)per;
    size_t *first;
    int *to, *class, *hops = NULL;

    if (slack < 0) {
        *w = (struct walks){ q->n, root, 1, q->first, q->to, q->class, NULL, NULL, NULL };
        return 0;
    }
    *w = (struct walks){ 0 };
    if (states > INT_MAX)
        return err_set(err, ERR_USAGE, "walks of up to %d hops beyond the shortest over %d nodes have more states than "
                       "can be numbered", slack, q->n);
    if (TAKE("the walks", err, ARRAY(first, states + 1), ARRAY(to, most + 1), ARRAY(class, most + 1)) < 0)
        return -1;
    if (hops_from(&hops, q, root, err) < 0) {
        FREE(first, to, class);
        return -1;
    }
    walks_fill(first, to, class, q, root, slack, hops);
    free(hops);
    *w = (struct walks){ (int)states, root * per, per, first, to, class, first, to, class };
    return 0;
}

void walks_close(struct walks *w)
{
    FREE(w->own_first, w->own_to, w->own_class);
    *w = (struct walks){ 0 };
}

int shortest_open(struct shortest *s, int states, struct err *err)
{
    const size_t n = (size_t)states;

    *s = (struct shortest){ 0 };
    return TAKE("shortest walks", err, ARRAY(s->distance, n), ARRAY(s->via_state, n), ARRAY(s->via, n),
                ARRAY(s->order, n), ARRAY(s->heap, n), ARRAY(s->place, n), ARRAY(s->flow, n));
}

void shortest_close(struct shortest *s)
{
    FREE(s->distance, s->via_state, s->via, s->order, s->heap, s->place, s->flow);
    *s = (struct shortest){ 0 };
}

/* ---- Dijkstra's search, over a binary heap that knows where its states stand ---- */

#define NEARER(s, a, b) ((s)->distance[a] < (s)->distance[b])
#define STANDS(s, x, i) ((s)->place[x] = (int)(i))
HEAP(nearest, struct shortest *, int, NEARER, STANDS)

void shortest_find(struct shortest *s, const struct walks *w, const double *length)
{
    size_t n = 0;

    for (int x = 0; x < w->n; x++)
        s->distance[x] = INFINITY;
    s->reached = 0;
    s->distance[w->root] = 0;
    s->via_state[w->root] = -1;
    nearest_push(s, s->heap, &n, w->root);
    while (n) {
        const int x = nearest_pop(s, s->heap, &n);

        s->order[s->reached++] = x;
        for (size_t a = w->first[x]; a < w->first[x + 1]; a++) {
            const int y = w->to[a];
            const double distance = s->distance[x] + (w->class[a] < 0 ? 0 : length[w->class[a]]);
            bool known;

            if (!(distance < s->distance[y]))
                continue;
            s->via_state[y] = x;
            s->via[y] = a;
            known = !isinf(s->distance[y]);
            s->distance[y] = distance;
            if (known)
                nearest_rise(s, s->heap, (size_t)s->place[y]);
            else
                nearest_push(s, s->heap, &n, y);
        }
    }
}

double shortest_send(double *load, struct shortest *s, const struct walks *w, const double *at, int places,
                     double times, int *lost)
{
    double sum = 0;

    *lost = -1;
    memset(s->flow, 0, (size_t)w->n * sizeof *s->flow);
    for (int p = 0; p < places; p++) {
        const int state = walks_sink(w, p);

        if (!(at[p] > 0))
            continue;
        if (isinf(s->distance[state])) {
            *lost = p;
            continue;
        }
        s->flow[state] += at[p];
        sum += at[p] * s->distance[state];
    }
    for (int i = s->reached - 1; i > 0; i--) {
        const int x = s->order[i];

        if (s->flow[x] <= 0)
            continue;
        s->flow[s->via_state[x]] += s->flow[x];
        if (w->class[s->via[x]] >= 0)
            load[w->class[s->via[x]]] += times * s->flow[x];
    }
    return times * sum;
}
