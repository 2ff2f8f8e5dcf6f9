/* Sources that balance (agent.h).
 *   pairs   what is known of one: ways of its configurations, cut into parts
 *   acks    what they say, and what follows from it
 *   trails  what messages under way gather */
#include "analysis/simulate/agent.h"

/* ---- pairs ---- */

/* The dimension that a link goes along, of networks with coordinates. */
static int agent_dimension(const struct agent *a, int link)
{
    const struct net *net = a->f->net;
    int from = a->f->d.follow.tail[link], to = a->f->d.follow.head[link];

    for (int d = net->ndim - 1; d > 0; d--) {
        if (from % net->size[d] != to % net->size[d])
            return d;
        from /= net->size[d];
        to /= net->size[d];
    }
    return 0;
}

/* Which part of its way a link begins, or goes on with. */
static int agent_part(struct agent_trail *t, const struct agent *a, int link, int leg)
{
    const enum simulate_parts parts = a->o->balance.parts;
    const bool cable = (size_t)link < a->f->cables;
    const int dim = parts == PARTS_DIMENSION && cable ? agent_dimension(a, link) : t->dim;
    const bool turns = (parts != PARTS_TOTAL && leg != t->leg) || (parts == PARTS_DIMENSION && dim != t->dim);

    if (t->n == 0 || (cable && t->leg != NONE && turns && t->n < AGENT_PARTS))
        t->wait[t->n++] = 0;
    if (cable) {
        t->leg = leg;
        t->dim = dim;
    }
    return t->n - 1;
}

struct walk {
    struct agent *a;
    struct agent_trail trail;
    int n, key[AGENT_PARTS][2];         /* where each part begins and ends */
    double flits, delay, flit;          /* of the message; ticks, and of a flit over the slowest link */
};

static void walk_link(void *arg, int link, int leg)
{
    struct walk *w = arg;
    const struct fabric *f = w->a->f;
    const int part = agent_part(&w->trail, w->a, link, leg);
    const double flit = f->slow ? (double)f->slow[link] / FABRIC_ONE : 1;

    if (part == w->n)
        w->key[w->n++][0] = f->from[link];
    w->key[part][1] = f->to[link];
    w->delay += f->delay[link] + (f->stores ? (w->flits - 1) * flit : 0);
    w->flit = fmax(w->flit, flit);
}

static int agent_put_part(struct agent_pair *p, uint64_t key, struct err *err)
{
    for (size_t i = 0; i < p->npart; i++)
        if (p->part[i].key == key)
            return (int)i;
    if (GROW(&p->part_room, p->npart + 1, "parts of ways", err, GROWN(p->part)) < 0)
        return -1;
    p->part[p->npart] = (struct agent_part){ key, 0 };
    return (int)p->npart++;
}

/* What a way takes where nothing waits, and its parts: told apart by where they begin and end, a whole way by all of
 * its stops. */
static int agent_way(struct agent_way *out, struct agent *a, struct agent_pair *p, const struct message *m,
                     const struct pair_ways *ways, size_t way, struct err *err)
{
    const struct fabric *f = a->f;
    const int into = (int)(f->cables + (size_t)f->net->n) + m->source, from = (int)f->cables + m->target;
    const size_t first = way ? ways->ways.end[way - 1] : 0, stops = ways->ways.end[way] - first;
    struct walk w = { .a = a, .trail = { .leg = NONE, .dim = NONE },
                      .flits = (a->o->nmix ? a->o->flits : m->flits) + (a->o->header ? (double)stops : 0) };
    struct message at = *m;
    uint64_t whole = 1;                 /* mixing keeps 0, and node 0 is one */

    at.way = (int)way;
    for (size_t s = first; s < first + stops && a->o->balance.parts == PARTS_TOTAL; s++)
        whole = rng_mix(whole + (uint64_t)ways->ways.stop[s] * 0x9e3779b97f4a7c15u +
                        (ways->ways.cable ? (uint64_t)ways->ways.cable[s] : 0));
    if (f->from[into] >= 0)
        walk_link(&w, into, 0);
    if (finder_walk(a->finder, at, walk_link, &w, err) < 0)
        return -1;
    if (f->from[from] >= 0)
        walk_link(&w, from, w.trail.leg);
    *out = (struct agent_way){ .idle = w.delay + (f->stores ? 0 : (w.flits - 1) * w.flit), .n = w.n };
    for (int k = 0; k < w.n; k++) {
        const uint64_t ends = (uint64_t)(w.key[k][0] + 2) << 32 | (uint64_t)(uint32_t)(w.key[k][1] + 2);

        out->part[k] = agent_put_part(p, a->o->balance.parts == PARTS_TOTAL ? whole : ends, err);
        if (out->part[k] < 0)
            return -1;
    }
    return 0;
}

/* The ways of a configuration of the pair. */
static int agent_ways(struct agent_pair *p, struct agent *a, const struct message *m, int option, struct err *err)
{
    struct message at = *m;
    struct pair_ways *ways;
    double bandwidth = 0;

    if (p->way[option])
        return 0;
    at.option = (short)option;
    if (finder_ways(&ways, a->finder, (size_t)option, &at, err) < 0 ||
        TAKE("ways", err, ARRAY(p->way[option], ways->ways.n)) < 0)
        return -1;
    p->nway[option] = ways->ways.n;
    for (size_t i = 0; i < p->nway[option]; i++) {
        if (finder_ways(&ways, a->finder, (size_t)option, &at, err) < 0 ||      /* a walk may ask for others */
            agent_way(&p->way[option][i], a, p, &at, ways, i, err) < 0)
            return -1;
        bandwidth += 1 / p->way[option][i].idle;
    }
    if (option == 0)
        p->idle = 1 / bandwidth;
    return 0;
}

static int agent_pair(int *at, struct agent *a, const struct message *m, struct err *err)
{
    const uint64_t n = (uint64_t)a->f->net->n, pairs = n * n;
    const uint64_t key = m->stream >= 0 ? pairs + (uint64_t)m->stream : (uint64_t)m->source * n + (uint64_t)m->target;
    const size_t options = a->finder->options.n;
    struct agent_pair *p;

    *at = map_put(&a->pair_at, key, (int)a->npair, err);
    if (*at < 0 || (size_t)*at < a->npair)
        return *at < 0 ? -1 : 0;
    if (GROW(&a->pair_room, a->npair + 1, "pairs that balance", err, GROWN(a->pair)) < 0)
        return -1;
    p = &a->pair[a->npair++];
    *p = (struct agent_pair){ 0 };
    return TAKE("pairs that balance", err, ZEROS(p->way, options), ZEROS(p->nway, options),
                ARRAY_IF(a->finder->rule.history, p->past.served, a->finder->rule.history));
}

/* Latencies of the ways of the pair's configuration, as the source knows them, become shares; returns that of all. */
static int agent_shares(double *latency, struct agent *a, const struct agent_pair *p, struct err *err)
{
    const struct agent_way *way = p->way[p->at];
    const size_t n = p->nway[p->at];

    if (GROW(&a->share_room, n, "ways", err, GROWN(a->share)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        a->share[i] = way[i].idle;
        for (int k = 0; k < way[i].n; k++)
            a->share[i] += p->part[way[i].part[k]].wait;
    }
    *latency = drb_rule_shares(a->share, a->share, n, 1);
    return 0;
}

int agent_choose(struct agent *a, struct message *m, struct err *err)
{
    struct agent_pair *p;
    double latency, u;
    size_t way = 0;
    int at;

    if (agent_pair(&at, a, m, err) < 0)
        return -1;
    p = &a->pair[at];
    if (agent_ways(p, a, m, p->at, err) < 0 || agent_shares(&latency, a, p, err) < 0)
        return -1;
    m->option = (short)p->at;
    u = rng_uniform(&a->finder->rng);
    while (way + 1 < p->nway[p->at] && (u -= a->share[way]) >= 0)
        way++;
    m->way = (int)way;
    a->among = p->nway[p->at];
    if (a->counting) {
        a->sum.messages++;
        a->sum.ways += (double)p->nway[p->at];
    }
    return 0;
}

/* ---- acks ---- */

/* The source decides. What an early ack tells holds for this decision alone, and since the message waits on, it closes
 * nothing. */
static int agent_decide(struct agent *a, const struct agent_ack *k, struct err *err)
{
    struct agent_pair *p = &a->pair[k->trail.pair];
    const struct agent_way *way = &p->way[k->option][k->way];
    double latency = NAN, kept[AGENT_PARTS];
    int next;

    for (int i = 0; i < way->n; i++)
        kept[i] = p->part[way->part[i]].wait;
    for (int i = 0; i < way->n && i < k->trail.n; i++) {
        double *wait = &p->part[way->part[i]].wait;

        *wait = k->early ? fmax(*wait, k->trail.wait[i]) : k->trail.wait[i];
    }
    if (p->way[p->at] && agent_shares(&latency, a, p, err) < 0)
        return -1;
    for (int i = 0; k->early && i < way->n; i++)
        p->part[way->part[i]].wait = kept[i];
    if (!p->way[p->at])                 /* just opened, and given to no message yet: nothing is known of it */
        return 0;
    next = drb_rule_next(&a->finder->rule, p->at, (int)a->finder->options.n, latency * a->f->tick,
                         p->idle * a->f->tick);
    if (a->finder->rule.history)
        next = drb_rule_recall(&p->past, &a->finder->rule, p->at, next, latency * a->f->tick, p->idle * a->f->tick);
    if (next == p->at || (k->early && next < p->at))
        return 0;
    if (a->counting)
        a->sum.changes++;
    p->at = next;
    return 0;
}

void agent_drop(struct agent *a, int ack)
{
    a->ack[ack].next = a->free_ack;
    a->free_ack = ack;
}

/* It has reached its source; the source has it. */
static int agent_take(struct agent *a, int ack, int64_t now, struct err *err)
{
    const struct agent_ack *k = &a->ack[ack];

    if (a->counting) {
        a->sum.brought++;
        a->sum.back += (double)now - k->sent;
    }
    if (agent_decide(a, k, err) < 0)
        return -1;
    agent_drop(a, ack);
    return 0;
}

int agent_acknowledged(struct agent *a, int ack, int64_t now, struct err *err)
{
    const double delay = round(a->o->balance.delay / a->f->tick);

    return delay > 0 ? events_push(&a->due, (struct event){ (double)now + delay, 2 * (uint64_t)ack, 2 * (size_t)ack },
                                   err) : agent_take(a, ack, now, err);
}

static int agent_send(struct agent *a, const struct message *m, size_t index, int from, bool early, int64_t now,
                      struct err *err)
{
    int ack = a->free_ack;

    if (ack >= 0) {
        a->free_ack = a->ack[ack].next;
    } else {
        if (GROW(&a->ack_room, a->nack + 1, "acknowledgements", err, GROWN(a->ack)) < 0)
            return -1;
        ack = (int)a->nack++;
    }
    a->ack[ack] = (struct agent_ack){ m->option, m->way, early, (double)now, a->trail[index], NONE };
    if (a->counting) {
        a->sum.acks++;
        a->sum.early += early;
    }
    return a->o->balance.ack == ACK_IDEAL || from == m->source ? agent_acknowledged(a, ack, now, err) :
        a->send(a->arg, from, m->source, ack, err);
}

/* ---- trails ---- */

static int agent_trail(struct agent_trail **out, struct agent *a, const struct message *m, size_t index,
                       struct err *err)
{
    struct agent_trail *t;

    if (index >= a->ntrail) {
        const size_t old = a->ntrail;

        if (GROW(&a->ntrail, index + 1, "messages under way", err, GROWN(a->trail)) < 0)
            return -1;
        memset(a->trail + old, 0, (a->ntrail - old) * sizeof *a->trail);
    }
    t = &a->trail[index];
    if (t->n == 0 || t->number != m->number) {
        *t = (struct agent_trail){ .leg = NONE, .dim = NONE, .number = m->number };
        if (agent_pair(&t->pair, a, m, err) < 0)
            return -1;
    }
    *out = t;
    return 0;
}

int agent_waits(struct agent *a, const struct message *m, size_t index, int node, int64_t now, struct err *err)
{
    const double early = ceil(a->o->balance.early / a->f->tick);
    struct agent_trail *t;
    double waited = 0;

    if (isnan(early))
        return 0;
    if (agent_trail(&t, a, m, index, err) < 0)
        return -1;
    for (int i = 0; i < t->n; i++)
        waited += t->wait[i];
    t->node = node;
    t->since = now;
    return t->told || waited > early ? 0 :
        events_push(&a->due, (struct event){ (double)now + early - waited, 2 * (uint64_t)index + 1, 2 * index + 1 },
                    err);
}

int agent_goes(struct agent *a, const struct message *m, size_t index, int link, int64_t from, int64_t now,
               struct err *err)
{
    struct agent_trail *t;
    int part;

    if (agent_trail(&t, a, m, index, err) < 0)
        return -1;
    part = agent_part(t, a, link, m->leg);
    t->wait[part] += (double)(now - from);
    t->since = INT64_MAX;
    return 0;
}

int agent_came(struct agent *a, const struct message *m, size_t index, int64_t now, struct err *err)
{
    const struct agent_trail *t = &a->trail[index];

    for (int i = 0; a->counting && i < t->n; i++)
        a->sum.wait[i < SIMULATE_PARTS ? i : SIMULATE_PARTS - 1] += t->wait[i];
    if (agent_send(a, m, index, m->target, false, now, err) < 0)
        return -1;
    a->trail[index].n = 0;
    return 0;
}

/* A message that has waited so long as early acks ask for, if it waits still. */
static int agent_early(struct agent *a, const struct message *m, size_t index, int64_t now, struct err *err)
{
    struct agent_trail *t = &a->trail[index];
    const struct agent_trail was = *t;
    const double early = ceil(a->o->balance.early / a->f->tick);
    double waited = 0;
    int ret;

    for (int i = 0; i < t->n; i++)
        waited += t->wait[i];
    if (t->number != m->number || t->told || t->since > now || waited + (double)(now - t->since) < early)
        return 0;
    if (t->n == 0)
        agent_part(t, a, (int)a->f->cables, 0);
    t->wait[t->n - 1] += (double)(now - t->since);
    ret = agent_send(a, m, index, t->node, true, now, err);
    *t = was;
    t->told = true;
    return ret;
}

int agent_due(struct agent *a, const struct message *message, int64_t now, struct err *err)
{
    while (events_time(&a->due) <= (double)now) {
        const struct event e = events_pop(&a->due);
        const size_t what = e.what / 2;

        if ((e.what % 2 ? agent_early(a, &message[what], what, now, err) :
             agent_take(a, (int)what, (int64_t)e.at, err)) < 0)
            return -1;
    }
    return 0;
}

void agent_open(struct agent *a, struct finder *finder, const struct fabric *f, const struct simulate_options *o,
                int (*send)(void *arg, int from, int to, int ack, struct err *err), void *arg)
{
    *a = (struct agent){ .finder = finder, .o = o, .f = f, .send = send, .arg = arg, .free_ack = NONE };
}

void agent_close(struct agent *a)
{
    for (size_t i = 0; i < a->npair; i++) {
        for (size_t k = 0; a->pair[i].way && k < a->finder->options.n; k++)
            free(a->pair[i].way[k]);
        FREE(a->pair[i].part, a->pair[i].way, a->pair[i].nway, a->pair[i].past.served);
    }
    FREE(a->pair, a->trail, a->ack, a->share);
    map_release(&a->pair_at);
    events_release(&a->due);
    *a = (struct agent){ 0 };
}
