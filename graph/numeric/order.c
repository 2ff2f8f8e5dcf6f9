#include "graph/numeric/order.h"

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

/* Reorders the vertices found, which stand from place `first` to `last`, within their own places: those that reach the
 * tail of the new edge (seen by the search IN) come before those that its head reaches; each set keeps its order. */
static void order_move(struct order *o, int first, int last)
{
    int *place = o->found;      /* the search is over: places in the place of its vertices */
    int n = 0, k = 0;

    for (int way = IN; way >= OUT; way--)
        for (int at = first; at <= last; at++)
            if (o->seen[o->vertex[at]] == 1 + way)
                o->moved[n++] = o->vertex[at];
    for (int at = first; at <= last; at++)
        if (o->seen[o->vertex[at]])
            place[k++] = at;
    for (k = 0; k < n; k++) {
        o->vertex[place[k]] = o->moved[k];
        o->place[o->moved[k]] = place[k];
        o->seen[o->moved[k]] = 0;
    }
}

/* Makes room for the edge in the order; false where it would close a cycle. */
static bool order_admit(struct order *o, int from, int to)
{
    struct search s = { 0 };

    if (o->place[from] < o->place[to])
        return true;
    if (from == to)
        return false;
    if (!order_meet(o, &s, from, to)) {
        order_move(o, o->place[to], o->place[from]);
        return true;
    }
    for (int way = OUT; way <= IN; way++)
        for (int i = 0; i < s.n[way]; i++)
            o->seen[*order_found(o, way, i)] = 0;
    return false;
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
