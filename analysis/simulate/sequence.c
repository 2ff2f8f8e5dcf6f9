/* Messages of a pair in order (sequence.h). */
#include "analysis/simulate/sequence.h"

static struct sequence_pair *sequence_pair(struct sequence *o, const struct message *m, struct err *err)
{
    const int at = map_put(&o->pair_at, (uint64_t)m->source << 32 | (uint64_t)m->target, (int)o->npair, err);

    if (at < 0 || GROW(&o->pair_room, o->npair + 1, "pairs in order", err, GROWN(o->pair)) < 0)
        return NULL;
    if ((size_t)at == o->npair)
        o->pair[o->npair++] = (struct sequence_pair){ 0, 0, -1 };
    return &o->pair[at];
}

int sequence_sent(struct sequence *o, struct message *m, struct err *err)
{
    struct sequence_pair *p = sequence_pair(o, m, err);

    if (!p)
        return -1;
    m->serial = p->sent++;
    return 0;
}

/* Behind those that wait with smaller numbers. */
static int sequence_hold(struct sequence *o, struct sequence_pair *p, const struct message *m, int64_t now,
                         struct err *err)
{
    int at = o->gone - 1, *from;

    if (at >= 0) {
        o->gone = o->early[at].next;
    } else {
        if (GROW(&o->early_room, o->nearly + 1, "messages out of order", err, GROWN(o->early)) < 0)
            return -1;
        at = (int)o->nearly++;
    }
    for (from = &p->early; *from >= 0 && o->early[*from].serial < m->serial;)
        from = &o->early[*from].next;
    o->early[at] = (struct sequence_early){ m->serial, m->flits, *from, now };
    *from = at;
    return 0;
}

int sequence_came(struct sequence *o, const struct message *m, int64_t now, bool counting, struct err *err)
{
    struct sequence_pair *p = sequence_pair(o, m, err);
    const size_t node = (size_t)m->target, old = o->held_room;

    if (!p || GROW(&o->held_room, node + 1, "what waits to be in order", err, GROWN(o->held)) < 0)
        return -1;
    if (o->held_room > old)
        memset(o->held + old, 0, (o->held_room - old) * sizeof *o->held);
    o->sum.messages += counting;
    if (m->serial != p->next) {
        o->sum.late += counting;
        o->held[node] += m->flits;
        o->sum.most = counting ? fmax(o->sum.most, o->held[node]) : 0;
        return sequence_hold(o, p, m, now, err);
    }
    for (p->next++; p->early >= 0 && o->early[p->early].serial == p->next; p->next++) {
        struct sequence_early *e = &o->early[p->early];
        const int at = p->early;

        o->sum.wait += counting ? (double)(now - e->came) : 0;
        o->held[node] -= e->flits;
        p->early = e->next;
        e->next = o->gone;
        o->gone = at + 1;
    }
    return 0;
}

void sequence_close(struct sequence *o)
{
    map_release(&o->pair_at);
    FREE(o->pair, o->early, o->held);
    *o = (struct sequence){ 0 };
}
