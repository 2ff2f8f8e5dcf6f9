#include "tests/support/processors_twin.h"

#include <math.h>
#include <string.h>

#include "tests/support/check.h"

enum { MOST = 4096, NODES = 16, LINKS = 128 };
enum kind { LETTER, OFFER, REQUEST_BACK, FLITS, CLEAR, ANSWER, THINKS };
struct letter {
    double when;
    int seq, kind, message, channel, node;
    bool yes, later;                    /* later: than when it was written */
};
struct box {
    int node, part, message, n;
};
struct twin {
    const struct processors_plan *p;
    struct twin_outcome *o;
    struct letter air[MOST], inbox[NODES][MOST];
    int nair, ninbox[NODES], seq;
    double now, changed, tail[LINKS];
    bool thinking[NODES], sending[LINKS];
    int queue[LINKS][MOST], nqueue[LINKS], taken_by[LINKS], last[LINKS], last_place[LINKS];
    bool blocked[LINKS][32];
    int blocker[LINKS][32];
    struct box box[MOST];
    int nbox;
    int place[MOST], cleared[MOST], next[NODES * 4], sleeping[MOST], nsleeping;
    double begun[MOST];
};

static void fly(struct twin *t, double when, int kind, int message, int channel, int node, bool yes)
{
    assert_true(t->nair < MOST);
    t->air[t->nair++] = (struct letter){ when, t->seq++, kind, message, channel, node, yes, when > t->now };
}

static double crossing(const struct twin *t, int channel, double length)
{
    return t->now + t->p->w->latency[channel] + length / t->p->w->bandwidth[channel];
}

static const struct processors_hop *leg(const struct twin *t, int m, int i)
{
    return &t->p->hop[t->p->message[m].way + (size_t)i];
}

static int stop(const struct twin *t, int m, int i)
{
    return i == 0 ? t->p->w->from[leg(t, m, 0)->half] : t->p->w->to[leg(t, m, i - 1)->half];
}

static int used(const struct twin *t, int node, int part)
{
    int n = 0;

    for (int i = 0; i < t->nbox; i++)
        n += t->box[i].node == node && t->box[i].part == part ? t->box[i].n : 0;
    return n;
}

static int class_of(const struct twin *t, int m)
{
    const int i = t->place[m];

    return !t->p->classes ? 0 : i + 1 == t->p->message[m].hops ? 31 : leg(t, m, i)->part;
}

/* The message that goes next: from behind the last tried on, round, the first that no refused one of its class bars. */
static void try_channel(struct twin *t, int channel)
{
    const int n = t->nqueue[channel];
    int from = 0;

    if (t->sending[channel] || t->taken_by[channel] >= 0 || n == 0)
        return;
    if (t->p->classes) {
        from = t->last_place[channel];
        for (int i = 0; i < n; i++)
            if (t->queue[channel][i] == t->last[channel])
                from = i + 1;
    }
    for (int i = 0; i < n; i++) {
        const int m = t->queue[channel][(from + i) % n], class = class_of(t, m);

        if (t->blocked[channel][class] && t->blocker[channel][class] != m)
            continue;
        t->sending[channel] = true;
        t->last[channel] = m;
        fly(t, crossing(t, channel, t->p->message[m].circuit ? t->p->request : t->p->length), LETTER, m, channel,
            t->p->w->to[channel], false);
        return;
    }
    fail_msg("a channel has messages, and none may go");
}

static void offer_next(struct twin *t, int host)
{
    const int m = t->next[host];

    if (m >= (int)t->p->n || t->p->message[m].host != host)
        return;
    t->next[host]++;
    t->begun[m] = fmax(t->now, t->p->message[m].due);
    fly(t, t->begun[m], OFFER, m, -1, stop(t, m, 0), false);
}

static bool put_in(struct twin *t, int m, int node, int part)
{
    const int need = t->p->message[m].circuit ? 1 : t->p->chain;

    if (used(t, node, part) + need > t->p->room[part])
        return false;
    t->box[t->nbox++] = (struct box){ node, part, m, need };
    t->changed = t->now;
    return true;
}

static void line_up(struct twin *t, int m)
{
    const int channel = (int)leg(t, m, t->place[m])->half;

    t->queue[channel][t->nqueue[channel]++] = m;
    try_channel(t, channel);
}

static void has_come(struct twin *t, int m)
{
    const double took = t->now - t->begun[m];

    t->o->came++;
    t->o->makespan = t->now;
    t->o->sum += took;
    t->o->greatest = fmax(t->o->greatest, took);
}

static void letter_read(struct twin *t, const struct letter *l)
{
    const int m = l->message, c = l->channel, hops = t->p->message[m].hops;
    const bool ends = t->place[m] + 1 == hops, circuit = t->p->message[m].circuit;
    const bool yes = ends || put_in(t, m, l->node, leg(t, m, t->place[m])->part);
    const int class = class_of(t, m);

    fly(t, crossing(t, c, t->p->ack), ANSWER, m, c, -1, yes);
    if (!yes) {
        t->o->refused++;
        t->blocked[c][class] = true;
        t->blocker[c][class] = m;
        return;
    }
    t->changed = t->now;
    for (int i = 0; i < t->nqueue[c]; i++)
        if (t->queue[c][i] == m) {
            memmove(&t->queue[c][i], &t->queue[c][i + 1], (size_t)(t->nqueue[c] - i - 1) * sizeof(int));
            t->last_place[c] = i;
        }
    t->nqueue[c]--;
    t->last[c] = -1;
    if (t->blocked[c][class] && t->blocker[c][class] == m)
        t->blocked[c][class] = false;
    if (circuit) {
        t->o->over = t->o->over || t->taken_by[c] >= 0;
        t->taken_by[c] = m;
    }
    t->place[m]++;
    if (!ends)
        line_up(t, m);
    else if (circuit)
        fly(t, crossing(t, (int)t->p->w->twin[c], t->p->confirm), REQUEST_BACK, m, -1, stop(t, m, hops - 1), false);
    else
        has_come(t, m);
}

static void read_it(struct twin *t, const struct letter *l)
{
    const int m = l->message, hops = t->p->message[m].hops;
    int i, c;

    switch (l->kind) {
    case LETTER:
        letter_read(t, l);
        break;
    case OFFER:
        if (!put_in(t, m, l->node, t->p->message[m].part)) {
            t->o->parked++;
            t->sleeping[t->nsleeping++] = m;
            break;
        }
        line_up(t, m);
        if (!t->p->message[m].circuit)
            offer_next(t, t->p->message[m].host);
        break;
    case REQUEST_BACK:
        t->changed = t->now;
        i = --t->place[m];
        if (i > 0)
            fly(t, crossing(t, (int)t->p->w->twin[leg(t, m, i - 1)->half], t->p->confirm), REQUEST_BACK, m, -1,
                stop(t, m, i - 1), false);
        else
            fly(t, t->now, FLITS, m, 0, l->node, false);
        break;
    case FLITS:                         /* its `channel`: which leg comes */
        t->changed = t->now;
        i = l->channel;
        if (i == hops) {
            has_come(t, m);
            break;
        }
        c = (int)leg(t, m, i)->half;
        t->tail[c] = t->now + t->p->length / t->p->w->bandwidth[c];
        fly(t, crossing(t, c, i + 1 == hops ? t->p->length : t->p->flit), FLITS, m, i + 1, stop(t, m, i + 1), false);
        if (i == 0)
            fly(t, t->tail[c], CLEAR, m, 0, l->node, false);
        break;
    case CLEAR:
        t->changed = t->now;
        i = l->channel;
        if (i == hops)
            break;
        c = (int)leg(t, m, i)->half;
        assert_int_equal(t->taken_by[c], m);
        if (t->now < t->tail[c]) {      /* read once, done when the tail has left */
            fly(t, t->tail[c], THINKS, m, i, l->node, true);
            break;
        }
        t->taken_by[c] = -1;
        try_channel(t, c);
        fly(t, crossing(t, c, t->p->flit), CLEAR, m, i + 1, stop(t, m, i + 1), false);
        if (i == 0)
            offer_next(t, t->p->message[m].host);
        break;
    default:
        break;
    }
}

static void answered(struct twin *t, const struct letter *l)
{
    const int c = l->channel, node = t->p->w->from[c];
    int woken[MOST], n = 0, left = 0, part = -1;

    t->sending[c] = false;
    if (l->yes) {
        t->changed = t->now;
        for (int i = 0; i < t->nbox; i++)
            if (t->box[i].node == node && t->box[i].message == l->message) {
                part = t->box[i].part;
                t->box[i] = t->box[--t->nbox];
                break;
            }
        for (int i = 0; i < t->nsleeping; i++)
            if (stop(t, t->sleeping[i], 0) == node && t->p->message[t->sleeping[i]].part == part)
                woken[n++] = t->sleeping[i];
            else
                t->sleeping[left++] = t->sleeping[i];
        t->nsleeping = left;
        while (n-- > 0)                 /* the message refused last first */
            fly(t, t->now, OFFER, woken[n], -1, node, false);
    }
    try_channel(t, c);
}

/* The decision unit of a node takes the next letter where it has none. */
static void think(struct twin *t, int node)
{
    if (t->thinking[node] || t->ninbox[node] == 0)
        return;
    t->thinking[node] = true;
    fly(t, t->now + t->p->decide, THINKS, -1, -1, node, false);
}

void processors_twin(struct twin_outcome *out, const struct processors_plan *p)
{
    static struct twin t;
    double patience = 0;

    memset(&t, 0, sizeof t);
    *out = (struct twin_outcome){ 0 };
    t.p = p;
    t.o = out;
    for (size_t c = 0; c < 2 * p->w->m; c++) {
        t.taken_by[c] = t.last[c] = -1;
        patience = fmax(patience, p->w->latency[c] + (p->length + p->request + p->ack) / p->w->bandwidth[c]);
    }
    patience = 100 * (patience + 100 * p->decide);
    for (int m = (int)p->n; m-- > 0; )
        t.next[p->message[m].host] = m;
    for (int host = 0; host < p->hosts; host++)
        offer_next(&t, host);
    while (t.nair > 0) {
        struct letter l;
        int first = 0;

        for (int i = 1; i < t.nair; i++)
            if (t.air[i].when < t.air[first].when ||
                (t.air[i].when == t.air[first].when && t.air[i].seq < t.air[first].seq))
                first = i;
        for (int i = 0; i < t.nair; i++)
            out->tied = out->tied || (i != first && t.air[i].later && t.air[first].later &&
                                      t.air[i].when - t.air[first].when < 1e-9);
        l = t.air[first];
        t.air[first] = t.air[--t.nair];
        t.now = l.when;
        if (t.now > t.changed + patience)
            return;
        if (l.kind == ANSWER) {
            answered(&t, &l);
        } else if (l.kind == THINKS && l.yes) {
            l.kind = CLEAR;
            read_it(&t, &l);
        } else if (l.kind == THINKS) {
            const struct letter read = t.inbox[l.node][0];

            memmove(t.inbox[l.node], t.inbox[l.node] + 1, (size_t)--t.ninbox[l.node] * sizeof read);
            t.thinking[l.node] = false;
            read_it(&t, &read);
            think(&t, l.node);
        } else {
            t.inbox[l.node][t.ninbox[l.node]++] = l;
            think(&t, l.node);
        }
    }
}
