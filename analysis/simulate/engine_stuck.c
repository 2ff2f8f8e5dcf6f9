/* Messages that wait for each other for good (engine.h). A channel moves if its first message can go on now, or waits
 * for a channel that moves: for room there, its end, flits that are still there; of several that would do for any
 * (so no free escape is overlooked). Those that are left when nothing more can be said to move never will.
 * Source  A. Agarwal and others look for cycles; knots as here: S. Warnakulasuriya and T. Pinkston, "A formal model of
 *         message blocking and deadlock resolution in interconnection networks", IEEE Transactions on Parallel and
 *         Distributed Systems 11(3), 2000. */
#include "analysis/simulate/engine.h"

struct stuck {
    struct engine *e;
    bool *moves;                        /* by channel */
    int *waits, *wants;                 /* by channel that does not: one that it waits for; on which it wants to be */
    unsigned char *awaited;             /* by channel: flits or credits are on their way to it, or to its sender */
};

/* Of the channels of a link that a head may take, whether one moves or is free; else it waits for one of them. */
static bool stuck_any(const struct stuck *s, int from, int link, int lo, int hi)
{
    const struct engine *e = s->e;
    const struct fabric *f = e->f;
    const int flits = e->message[e->channel[from].first].flits;

    for (int v = lo; v <= hi; v++) {
        const int at = link * f->vcs + v;
        const struct channel *r = &e->channel[at];

        s->wants[from] = at;
        s->waits[from] = r->owner >= 0 ? r->owner : at;
        if (r->owner >= 0 ? s->moves[r->owner] :
            (!f->empty || r->places == f->places) && (!f->whole || r->places >= flits) ? true :
            s->awaited[at] || e->channel[at].first < 0 || s->moves[at])
            return true;
    }
    return false;
}

static int stuck_moves(bool *moves, struct stuck *s, int at, struct err *err)
{
    struct engine *e = s->e;
    const struct channel *c = &e->channel[at];
    const struct fabric *f = e->f;
    const int owner = e->channel[at].owner, over = e->channel[at].link;
    size_t n;

    s->waits[at] = s->wants[at] = NONE;
    *moves = true;
    if (c->out == GONE || s->awaited[at])
        return 0;
    if (c->out >= 0 && c->here > 0) {
        s->waits[at] = s->wants[at] = c->out;
        *moves = e->channel[c->out].places > 0 || s->awaited[c->out] || e->channel[c->out].first < 0 || s->moves[c->out];
    } else if (c->here == 0 || (f->stores && c->here < e->message[c->first].flits)) {
        s->waits[at] = owner;                   /* what is to come is with the sender */
        *moves = owner < 0 || s->moves[owner];
    } else if (c->want >= 0) {
        *moves = stuck_any(s, at, c->want, e->channel[at].lo, e->channel[at].hi);
    } else {
        int lo, hi;

        if (finder_next(e->hop, &n, e->finder, &e->message[c->first], e->channel[at].router,
                        over >= 0 && (size_t)over < f->cables ? over : NONE, err) < 0)
            return -1;
        *moves = false;
        for (size_t i = 1; i < n && !*moves; i++)
            *moves = stuck_any(s, at, e->hop[i].link, f->escape, f->data - 1);
        fabric_channels(&lo, &hi, f, e->hop[0].mark, e->hop[0].link);
        *moves = *moves || stuck_any(s, at, e->hop[0].link, lo, hi);
    }
    return 0;
}

/* What never moves: *any of the channels, NONE where all do. */
static int stuck_find(int *any, struct stuck *s, struct err *err)
{
    struct engine *e = s->e;
    bool more = true;

    for (size_t w = 0; w < e->wheel; w++) {
        if (!e->due[w / 64]) {
            w |= 63;                    /* nothing in any of these slots */
            continue;
        }
        for (size_t i = 0; i < e->flits[w].n; i++)
            s->awaited[e->flits[w].item[i] >> 1] = 1;
        for (size_t i = 0; i < e->credits[w].n; i++)
            s->awaited[e->credits[w].item[i]] = 1;
    }
    while (more) {
        more = false;
        *any = NONE;
        for (size_t k = e->nchannel; k-- > 0;) {
            if (e->channel[k].first < 0 || s->moves[k])
                continue;
            if (stuck_moves(&s->moves[k], s, (int)k, err) < 0)
                return -1;
            more = more || s->moves[k];
            *any = s->moves[k] ? *any : (int)k;
        }
    }
    return 0;
}

/* The cycle that waiting from a channel on leads into: cycle[0..n) of channels. */
static size_t stuck_cycle(int *cycle, unsigned char *seen, const struct stuck *s, int at)
{
    size_t n = 0;
    int begin;

    while (!seen[at]) {
        seen[at] = 1;
        at = s->waits[at];
    }
    begin = at;
    do {
        cycle[n++] = at;
        at = s->waits[at];
    } while (at != begin);
    return n;
}

/* The shortest cycle of messages that wait for each other, each named once: where it goes on to another's channel. */
static int stuck_report(struct engine *e, const struct stuck *s, const int *cycle, size_t n, struct err *err)
{
    if (TAKE("the cycle of messages", err, ARRAY(e->sum.cycle, n)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const int first = e->channel[cycle[i]].first, wants = s->wants[cycle[i]];
        const struct message *m = &e->message[first];

        if (wants < 0 || (first == e->channel[cycle[(i + 1) % n]].first && (i < n - 1 || e->sum.ncycle > 0)))
            continue;
        e->sum.cycle[e->sum.ncycle++] = (struct simulate_wait){ m->source, m->target, 0, (size_t)e->channel[wants].link,
                                                        wants % e->f->vcs };
    }
    for (size_t i = 0; i < e->sum.ncycle; i++)
        e->sum.cycle[i].holds = e->sum.cycle[(i + e->sum.ncycle - 1) % e->sum.ncycle].wants;
    return 0;
}

/* Whether some of a message's flits are on their way: what is behind its first still comes closer. */
static bool stuck_settled(const struct stuck *s, int at)
{
    for (size_t k = 0; k < s->e->nchannel; k++)
        if (s->e->channel[k].first == at &&
            (s->awaited[k] || (s->e->channel[k].out >= 0 && s->awaited[s->e->channel[k].out])))
            return false;
    return true;
}

/* Flits of a message leave a channel's buffer: `here`, and its place among those that are received. */
static void stuck_leave(struct engine *e, int channel, int at, int here, int next)
{
    struct channel *c = &e->channel[channel];
    struct channel *r = &e->channel[channel];

    if (c->receiving == at) {
        c->receiving = next;
        c->due = next >= 0 ? e->message[next].flits - e->message[next].here : 0;
    }
    if (e->channel[channel].link < 0)
        return;
    r->places += here;
    if (e->looks)
        e->lane[e->channel[channel].link].used -= here;
    if (r->owner >= 0 && e->channel[r->owner].here > 0 && e->channel[r->owner].first != at)
        engine_ready(e, r->owner, true);
    engine_wake(e, e->channel[channel].link);
}

/* Where its first flits are behind another message, or its own end, if they are. */
static void stuck_unlink(struct engine *e, int channel, int at)
{
    struct behind *q = &e->behind[channel];
    int *from = &q->rest, before = NONE;

    while (*from >= 0 && *from != at) {
        before = *from;
        from = &e->message[*from].next;
    }
    if (*from != at)
        return;
    *from = e->message[at].next;
    if (q->last == at)
        q->last = before >= 0 ? before : e->channel[channel].first;
    stuck_leave(e, channel, at, e->message[at].here, e->message[at].next);
}

/* Takes a message out of the network: its flits, and what it has. */
static int stuck_drain(struct engine *e, int at, struct err *err)
{
    struct message *m = &e->message[at];

    for (size_t k = 0; k < e->nchannel; k++) {          /* first where it is behind others, or its own end */
        const struct channel *c = &e->channel[k];

        if (c->first == at && c->out >= 0) {
            e->channel[c->out].owner = NONE;
            engine_wake(e, c->want);
            stuck_unlink(e, c->out, at);
        }
    }
    for (size_t k = 0; k < e->nchannel; k++)
        if (e->channel[k].first == at)
            stuck_leave(e, (int)k, at, e->channel[k].here, e->behind[k].rest);
    for (size_t k = 0; k < e->nchannel; k++) {
        const struct channel *p = &e->channel[k];

        if (e->channel[k].first != at)
            continue;
        e->heads[(size_t)p->at / 64] &= ~(1ull << (p->at & 63));
        engine_ready(e, (int)k, false);
    }
    for (size_t l = 0; l < e->f->nlink; l++) {          /* nor does it wait any more */
        int *from = &e->lane[l].waiting;

        while (*from >= 0)
            if (e->channel[*from].first == at)
                *from = e->channel[*from].next;
            else
                from = &e->channel[*from].next;
    }
    for (size_t k = 0; k < e->nchannel; k++)
        if (e->channel[k].first == at && engine_next(e, (int)k, err) < 0)
            return -1;
    e->sum.drained += engine_counts(m);
    if (m->ack >= 0)
        agent_drop(&e->agent, m->ack);
    else if (injector_again(e->injector, m->sender, (double)e->now, err) < 0 ||
             (e->o->order && m->planned < 0 && sequence_came(&e->sequence, m, e->now, e->counting, err) < 0))
        return -1;
    engine_forget(e, at);
    return 0;
}

int engine_stuck(struct engine *e, bool *stuck, struct err *err)
{
    struct stuck s = { .e = e };
    int *cycle, any, ret = -1;
    unsigned char *seen;

    if (TAKE("what waits for what", err, ZEROS(s.moves, e->nchannel), ARRAY(s.waits, e->nchannel),
             ARRAY(s.wants, e->nchannel),
             ZEROS(s.awaited, e->nchannel), ARRAY(cycle, e->nchannel), ZEROS(seen, e->nchannel)) < 0)
        return -1;
    if (stuck_find(&any, &s, err) < 0)
        goto done;
    if (any >= 0) {
        const size_t n = stuck_cycle(cycle, seen, &s, any);
        int oldest = e->channel[cycle[0]].first;

        for (size_t i = 1; i < n; i++)
            if (e->message[e->channel[cycle[i]].first].born < e->message[oldest].born)
                oldest = e->channel[cycle[i]].first;
        if (e->o->drain && !stuck_settled(&s, oldest)) {
            ret = 0;
            goto done;
        }
        e->sum.deadlocks++;
        if (e->sum.deadlock_at < 0) {
            e->sum.deadlock_at = engine_still(e) ? e->moved : e->now;
            if (stuck_report(e, &s, cycle, n, err) < 0)
                goto done;
        }
        *stuck = !e->o->drain;
        if (e->o->drain && stuck_drain(e, oldest, err) < 0)
            goto done;
    }
    ret = 0;
done:
    FREE(s.moves, s.waits, s.wants, s.awaited, cycle, seen);
    return ret;
}
