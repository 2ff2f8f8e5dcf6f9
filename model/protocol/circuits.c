/* Entries with `circuit` (cvp, III.1 8-9 and III.2): a request reserves the channels of a way, or of a tree; the end of
 * the way, or the leaves, confirm; then flits of messages pass unstored: decision units see heads alone. */
#include "model/protocol/primitive.h"

/* Whether half-link h leads away from the origin in the circuit. */
static bool circuits_has(const struct primitive_run *x, size_t h)
{
    return x->p->over_tree ? primitive_branch(x->s, h) : x->s->way[x->s->w->from[h]] == (int64_t)h;
}

static int circuits_branches(const struct primitive_run *x, int v)
{
    const struct wiring *w = x->s->w;
    int n = 0;

    for (size_t h = w->first[v]; h < w->first[v + 1]; h++)
        n += circuits_has(x, h);
    return n;
}

/* A message over all channels that lead on from v. The last channel of a branch carries all of what passes. */
static int circuits_pass(struct primitive_run *x, int v, int type, uint32_t number, struct err *err)
{
    const struct wiring *w = x->s->w;

    for (size_t h = w->first[v]; h < w->first[v + 1]; h++) {
        const bool ends = type == PRIMITIVE_HEAD && circuits_branches(x, w->to[h]) == 0;

        if (circuits_has(x, h) && primitive_put(x, h, ends ? PRIMITIVE_TAIL : type, number, err) < 0)
            return -1;
    }
    return 0;
}

/* A node that waits for no branch more sends its own confirmation, the origin the first message. */
static int circuits_confirm(struct primitive_run *x, int v, struct err *err)
{
    const struct message first = { .type = PRIMITIVE_HEAD };

    if (x->open[v] > 0)
        return 0;
    if (v != x->s->origin)
        return primitive_put(x, (size_t)x->answer[v], PRIMITIVE_CONFIRM, 0, err);
    return protocol_post(x->r, v, first, x->r->now, err);
}

int circuits_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    const bool host = m->link == PROTOCOL_HOST;

    switch (m->type) {
    case PRIMITIVE_MESSAGE:             /* the host's, that asks */
    case PRIMITIVE_REQUEST:
        x->open[v] = circuits_branches(x, v);
        x->answer[v] = host ? -1 : (int64_t)m->link;
        if (x->p->over_tree && x->open[v] == 0 && x->how->text == TEXT_PUBLISHED)
            return 0;                   /* III.18 stores no way back at a leaf */
        return circuits_pass(x, v, PRIMITIVE_REQUEST, 0, err) < 0 ? -1 : circuits_confirm(x, v, err);
    case PRIMITIVE_CONFIRM:
        x->open[v]--;
        return circuits_confirm(x, v, err);
    default:
        if (x->p->over_tree ? !host : v == x->s->target)
            primitive_deliver(x, v, m->value);
        /* the decision unit is the message's until its last flit has left */
        if (host && (int)m->value + 1 < x->how->repeat &&
            protocol_post(x->r, v, (struct message){ .type = PRIMITIVE_HEAD, .value = m->value + 1 },
                          x->r->now + x->how->message, err) < 0)
            return -1;
        return circuits_pass(x, v, PRIMITIVE_HEAD, m->value, err);
    }
}
