#include "graph/numeric/order.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/num.h"

enum { OUT, IN };

int order_open(struct order *out, size_t n, struct err *err)
{
    struct order o = { 0 };

    if (n > INT_MAX)
        return err_set(err, ERR_MEMORY, "an order of more than 2^31 vertices");
    if (TAKE("a topological order", err, ARRAY(o.place, n), ARRAY(o.vertex, n), ARRAY(o.last[OUT], n),
             ARRAY(o.last[IN], n), ARRAY(o.found, n), ARRAY(o.moved, n), ZEROS(o.seen, n)) < 0)
        return -1;
    o.n = (int)n;
    for (int v = 0; v < o.n; v++) {
        o.place[v] = o.vertex[v] = v;
        o.last[OUT][v] = o.last[IN][v] = -1;
    }
    *out = o;
    return 0;
}

void order_close(struct order *o)
{
    FREE(o->place, o->vertex, o->edge, o->last[OUT], o->last[IN], o->found, o->moved, o->seen);
    *o = (struct order){ 0 };
}

/* Vertices found: those of the forward search (OUT) are in o->found from the front, those of the backward one (IN) from
 * the end. They are also the queues. */
struct search {
    int n[2], next[2];
};

static int *order_found(const struct order *o, int way, int i)
{
    return &o->found[way == OUT ? i : o->n - 1 - i];
}

static void order_find(struct order *o, struct search *s, int way, int v)
{
    *order_found(o, way, s->n[way]++) = v;
    o->seen[v] = (unsigned char)(1 + way);
}

/* Searches forward from `to` and backward from `from` among the vertices between them in the order; whether the
 * searches meet. They alternate vertex by vertex: where they meet, both have then visited few. */
static bool order_meet(struct order *o, struct search *s, int from, int to)
{
    order_find(o, s, OUT, to);
    order_find(o, s, IN, from);
    for (int way = OUT; s->next[OUT] < s->n[OUT] || s->next[IN] < s->n[IN]; way = !way) {
        if (s->next[way] == s->n[way])
            continue;
        for (int e = o->last[way][*order_found(o, way, s->next[way]++)]; e >= 0; e = o->edge[e].next[way]) {
            const int v = o->edge[e].end[!way];

            if (o->seen[v] == 1 + !way)
                return true;
            if (!o->seen[v] && o->place[v] > o->place[to] && o->place[v] < o->place[from])
                order_find(o, s, way, v);
        }
    }
    return false;
}

/* Reorders the vertices found within their own places: those that reach the tail of the new edge (found[ahead..n)) come
 * before those that its head reaches (found[0..ahead)); each set keeps its order. */
static void order_move(struct order *o, int ahead, int n)
{
    int *place = o->found;      /* from here on: places in the place of the vertices */
    int k = 0;

    for (int i = 0; i < n; i++)
        place[i] = o->place[o->found[i]];
    qsort(place, (size_t)ahead, sizeof *place, num_ascending);
    qsort(place + ahead, (size_t)(n - ahead), sizeof *place, num_ascending);
    for (int i = ahead; i < n; i++)
        o->moved[k++] = o->vertex[place[i]];
    for (int i = 0; i < ahead; i++)
        o->moved[k++] = o->vertex[place[i]];
    k = 0;
    for (int i = 0, j = ahead; k < n; k++) {
        const int at = i < ahead && (j == n || place[i] < place[j]) ? place[i++] : place[j++];

        o->vertex[at] = o->moved[k];
        o->place[o->moved[k]] = at;
    }
}

/* Makes room for the edge in the order; false where it would close a cycle. */
static bool order_admit(struct order *o, int from, int to)
{
    struct search s = { 0 };
    bool met;

    if (o->place[from] < o->place[to])
        return true;
    if (from == to)
        return false;
    met = order_meet(o, &s, from, to);
    memmove(o->found + s.n[OUT], o->found + o->n - s.n[IN], (size_t)s.n[IN] * sizeof *o->found);
    for (int i = 0; i < s.n[OUT] + s.n[IN]; i++)
        o->seen[o->found[i]] = 0;
    if (!met)
        order_move(o, s.n[OUT], s.n[OUT] + s.n[IN]);
    return !met;
}

int order_add(bool *cyclic, struct order *o, int from, int to, struct err *err)
{
    struct order_edge *e;

    if (o->nedge == INT_MAX)
        return err_set(err, ERR_MEMORY, "an order with more than 2^31 edges");
    if (GROW(&o->room, o->nedge + 1, "edges of a topological order", err, GROWN(o->edge)) < 0)
        return -1;
    *cyclic = !order_admit(o, from, to);
    if (*cyclic)
        return 0;
    e = &o->edge[o->nedge];
    *e = (struct order_edge){ { from, to }, { o->last[OUT][from], o->last[IN][to] } };
    o->last[OUT][from] = o->last[IN][to] = (int)o->nedge++;
    return 0;
}

void order_undo(struct order *o)
{
    const struct order_edge *e = &o->edge[--o->nedge];

    for (int way = OUT; way <= IN; way++)
        o->last[way][e->end[way]] = e->next[way];
}
