#include "analysis/bound/parts.h"

/* ---- the flows backwards ---- */

struct pair parts_pair(const struct parts *w, size_t injection)
{
    const struct flows *f = w->f;
    const int state = f->injection_state[injection];
    struct pair p = { .from = injection, .to = injection,
                      .source = w->folded ? f->injection_node[injection] : f->injection_source[injection],
                      .target = w->folded ? 0 : w->column[state] };

    for (; p.to < f->ninjection && f->injection_pair[p.to] == f->injection_pair[injection]; p.to++)
        p.all += f->injection_share[p.to];
    return p;
}

/* first[k]..first[k + 1]: where those of key k go; numbers those of `many` things that have the keys. */
static void places(size_t *first, size_t keys, const int *key, size_t many)
{
    memset(first, 0, (keys + 1) * sizeof *first);
    for (size_t i = 0; i < many; i++)
        first[key[i] + 1]++;
    for (size_t k = 0; k < keys; k++)
        first[k + 1] += first[k];
}

/* What `places` gave was used up, one by one. */
static void places_again(size_t *first, size_t keys)
{
    memmove(first + 1, first, keys * sizeof *first);
    first[0] = 0;
}

/* A state is on the link of the ports that lead to it. Folded, all messages end at node 0, which is seen from where the
 * link begins. States are put in the order of columns, then of links. */
static int parts_find_states(struct parts *w, struct err *err)
{
    const struct flows *f = w->f;
    int *link, *order;
    size_t *first;

    if (TAKE("the worst traffic", err, ARRAY(link, f->nstate + 1), ARRAY(order, f->nstate + 1),
             ARRAY(first, (size_t)w->net->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < f->ninjection; i++)
        link[f->injection_state[i]] = f->port_link[f->injection_port[i]];
    for (size_t e = 0; e < f->nedge; e++)
        link[f->edge_child[e]] = f->port_link[f->edge_port[e]];
    for (size_t s = 0; s < f->nstate; s++)
        w->column[s] = w->folded ? group_negative(w->net->group, f->state_node[s]) :
            f->edge_first[s] < f->edge_first[s + 1] ? w->column[f->edge_child[f->edge_first[s]]] :
            net_terminal_index(w->net, f->link_to[link[s]]);
    places(first, (size_t)w->n, w->column, f->nstate);
    for (size_t s = 0; s < f->nstate; s++)
        order[first[w->column[s]]++] = (int)s;
    places(w->first, w->nlink, link, f->nstate);
    for (size_t i = 0; i < f->nstate; i++)
        w->state[w->first[link[order[i]]]++] = order[i];
    places_again(w->first, w->nlink);
    FREE(link, order, first);
    return 0;
}

static void parts_turn(struct parts *w)
{
    const struct flows *f = w->f;
    size_t end = f->nstate;
    int low = (int)end;

    places(w->back_first, f->nstate, f->edge_child, f->nedge);
    for (size_t s = 0; s < f->nstate; s++)
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++) {
            const size_t at = w->back_first[f->edge_child[e]]++;

            w->back[at] = (int)s;
            if (w->back_share)
                w->back_share[at] = f->edge_share[e];
        }
    places_again(w->back_first, f->nstate);
    places(w->enter_first, f->nstate, f->injection_state, f->ninjection);
    for (size_t i = 0; i < f->ninjection;)
        for (const struct pair p = parts_pair(w, i); i < p.to; i++) {
            const size_t at = w->enter_first[f->injection_state[i]]++;

            w->enter_row[at] = p.source;
            w->enter_part[at] = f->injection_share[i] / p.all;
        }
    places_again(w->enter_first, f->nstate);
    for (size_t s = f->nstate; s-- > 0;) {      /* blocks that no edge leaves */
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++)
            low = f->edge_child[e] < low ? f->edge_child[e] : low;
        if ((size_t)low >= s) {
            w->span = end - s > w->span ? end - s : w->span;
            low = (int)(end = s);
        }
    }
}

int parts_open(struct parts *out, struct net *net, const struct flows *f, struct err *err)
{
    const size_t states = f->nstate + 1, edges = f->nedge + 1, entered = f->ninjection + 1;
    struct parts w = { .net = net, .f = f, .folded = f->state_node != NULL, .n = net->nterminal, .nlink = f->nlink };

    if (TAKE("the steps of messages, backwards", err, ARRAY(w.first, w.nlink + 1), ARRAY(w.state, states),
             ARRAY(w.column, states), ARRAY(w.back_first, states), ARRAY(w.enter_first, states), ARRAY(w.back, edges),
             ARRAY_IF(!f->chain, w.back_share, edges), ARRAY(w.enter_row, entered), ARRAY(w.enter_part, entered)) < 0)
        return -1;
    if (parts_find_states(&w, err) < 0) {
        parts_close(&w);
        return -1;
    }
    parts_turn(&w);
    *out = w;
    return 0;
}

void parts_close(struct parts *w)
{
    FREE(w->first, w->state, w->column, w->back_first, w->back, w->back_share, w->enter_first, w->enter_row,
         w->enter_part);
    *w = (struct parts){ 0 };
}

/* ---- one link ---- */

int parts_of_open(struct parts_of *out, const struct parts *p, struct err *err)
{
    struct parts_of w = { .p = p };

    if (TAKE("messages on their way", err, ZEROS(w.bit, p->span / 64 + 1),
             ZEROS(w.mass, p->back_share ? p->span + 1 : 1), ZEROS(w.on, (size_t)p->n + 1),
             ARRAY(w.row, (size_t)p->n + 1)) < 0)
        return -1;
    *out = w;
    return 0;
}

void parts_of_close(struct parts_of *w)
{
    FREE(w->part, w->bit, w->mass, w->on, w->row);
    *w = (struct parts_of){ 0 };
}

/* All sources that send over a state, each state once: those behind have larger numbers. */
static void parts_back(struct parts_of *w, int state)
{
    const struct parts *p = w->p;
    size_t last = 0;

    w->bit[0] = 1;
    w->mass[0] = 1;
    for (size_t word = 0; word <= last; word++)
        while (w->bit[word]) {
            const size_t i = word * 64 + (size_t)__builtin_ctzll(w->bit[word]), s = (size_t)state + i;
            const double mass = p->back_share ? w->mass[i] : 1;

            w->bit[word] &= w->bit[word] - 1;
            if (p->back_share)
                w->mass[i] = 0;
            for (size_t k = p->enter_first[s]; k < p->enter_first[s + 1]; k++) {
                const double part = mass * p->enter_part[k];
                const int row = p->enter_row[k];

                if (part > 0 && w->on[row] == 0)
                    w->row[w->nrow++] = row;
                w->on[row] += part;
            }
            for (size_t k = p->back_first[s]; k < p->back_first[s + 1]; k++) {
                const size_t to = (size_t)(p->back[k] - state);

                w->bit[to / 64] |= (uint64_t)1 << to % 64;
                last = to / 64 > last ? to / 64 : last;
                if (p->back_share)
                    w->mass[to] += mass * p->back_share[k];
            }
        }
}

int parts_of_link(struct parts_of *w, size_t link, struct err *err)
{
    const struct parts *p = w->p;

    w->n = 0;
    for (size_t k = p->first[link]; k < p->first[link + 1]; k++) {
        const int column = p->column[p->state[k]];

        parts_back(w, p->state[k]);
        if (k + 1 < p->first[link + 1] && p->column[p->state[k + 1]] == column)
            continue;
        if (GROW(&w->room, w->n + (size_t)w->nrow, "the parts of all pairs' messages on a link", err,
                 GROWN(w->part)) < 0)
            return -1;
        for (int i = 0; i < w->nrow; i++) {
            const int row = w->row[i];

            w->part[w->n++] = (struct part){ p->folded ? group_add(p->net->group, row, column) : row, column,
                                             w->on[row] };
            w->on[row] = 0;
        }
        w->nrow = 0;
    }
    return 0;
}
