/* A run (engine.h).
 *   making   channels of links and sources, and which is next to which
 *   queues   messages in channels: heads, ends, those that follow
 *   events   flits, credits, births
 *   the loop */
#include "analysis/simulate/engine.h"

#define LATER (-2)                      /* no limit: of the wheel of credits, LATER - a channel that joins then */
#define ASK_EVERY 4096                  /* ticks, whether to stop */
#define STUCK_EVERY 2048                /* ticks, whether messages wait for each other for good; where none are said */
#define CACHE 1e6                       /* bytes that are soon at hand */
#define AHEAD 8                         /* of the wheel: fetched before they are looked at */
#define AGAIN_AFTER 64                  /* ticks after one of them was drained */

/* ---- making ---- */

/* Where source `i` sends: of the traffic a terminal's own router, else its node; of the plan, and what
 * acknowledges, there. */
static int source_router(const struct engine *e, size_t i)
{
    const struct fabric *f = e->f;
    const int node = i >= e->nsource + e->injector->nlane ? (int)(i - e->nsource - e->injector->nlane) :
        i >= e->nsource ? e->injector->lane[i - e->nsource] : injector_node(e->injector, i);

    return i < e->nsource && f->from[f->cables + (size_t)f->net->n + (size_t)node] >= 0 ? f->net->n + node : node;
}

static int engine_acknowledge(void *arg, int from, int to, int ack, struct err *err);

static void channel_init(struct engine *e, int channel, int link, int router)
{
    e->channel[channel] = (struct channel){ .first = NONE, .receiving = NONE, .out = NONE, .want = NONE, .next = NONE,
                                            .places = e->f->places, .owner = NONE, .router = router, .at = NONE,
                                            .input = NONE, .link = link };
    e->behind[channel] = (struct behind){ .rest = NONE, .last = NONE };
}

/* The channels that end at each router, links' first, then sources': numbers, and inputs of the crossbar. */
static int engine_inputs(struct engine *e, struct err *err)
{
    const struct fabric *f = e->f;
    const size_t routers = (size_t)f->nrouter;
    int *bits, *inputs;
    size_t words = 0, n, ninput = 0;

    if (TAKE("routers", err, ZEROS(bits, routers), ZEROS(inputs, routers), ARRAY(e->word, routers + 1),
             ARRAY(e->active_next, routers), ARRAY(e->input_first, routers + 1)) < 0)
        return -1;
    for (size_t c = 0; c < e->nchannel; c++) {
        struct channel *p = &e->channel[c];

        if (p->router < 0)
            continue;
        p->input = f->speedup || p->link < 0 || c % (size_t)f->vcs == 0 ? inputs[p->router]++ : inputs[p->router] - 1;
        p->at = bits[p->router]++;
    }
    for (size_t r = 0; r < routers; r++) {
        e->word[r] = words;
        e->input_first[r] = (int)ninput;
        words += ((size_t)bits[r] + 63) / 64;
        ninput += (size_t)inputs[r];
    }
    e->word[routers] = words;
    e->input_first[routers] = (int)ninput;
    n = words * 64;
    if (TAKE("routers", err, ZEROS(e->ready, words), ZEROS(e->heads, words), ARRAY(e->channel_at, n),
             ZEROS_IF(f->acks > 0, e->late, words), ZEROS(e->input, ninput)) < 0) {
        FREE(bits, inputs);
        return -1;
    }
    for (size_t c = 0; c < e->nchannel; c++) {
        struct channel *p = &e->channel[c];

        if (p->router < 0)
            continue;
        p->input += e->input_first[p->router];
        p->at += (int)(e->word[p->router] * 64);
        e->channel_at[p->at] = (int)c;
        if (f->acks > 0 && (c >= e->acks || (p->link >= 0 && (int)c % f->vcs == f->vcs - 1)))
            e->late[(size_t)p->at / 64] |= 1ull << (p->at & 63);
    }
    FREE(bits, inputs);
    return 0;
}

static int engine_channels(struct engine *e, struct err *err)
{
    const struct fabric *f = e->f;
    const size_t vcs = (size_t)f->vcs, links = f->nlink * vcs;
    size_t outputs = 1, most = 1;

    e->nsource = injector_sources(e->injector);
    e->acks = links + e->nsource + e->injector->nlane;
    e->nchannel = e->channel_room = e->acks + (e->finder->balances && e->o->balance.ack != ACK_IDEAL ?
                                               (size_t)f->net->n : 0);
    e->spare = e->gone = NONE;
    if (TAKE("channels", err, ARRAY(e->channel, e->nchannel), ARRAY(e->behind, e->nchannel),
             ARRAY(e->lane, f->nlink), ZEROS_IF(f->slow, e->free_at, f->nlink),
             ZEROS(e->sum.source_sum, e->nsource), ZEROS(e->sum.source_many, e->nsource),
             ZEROS(e->active, ((size_t)f->nrouter > f->nlink ? (size_t)f->nrouter : f->nlink) / 64 + 1)) < 0)
        return -1;
    for (size_t c = 0; c < e->nchannel; c++) {
        const int link = c < links ? (int)(c / vcs) : NONE;

        channel_init(e, (int)c, link, link >= 0 ? f->to[link] : source_router(e, c - links));
    }
    e->back = f->nlink > 0 ? f->loop - f->delay[0] : 0;
    for (size_t l = 0; l < f->nlink; l++) {
        e->back = f->delay[l] == f->delay[0] ? e->back : 0;
        e->lane[l] = (struct lane){ .waiting = NONE, .last = NONE, .held = NONE, .delay = f->delay[l],
                                    .back = f->loop - f->delay[l], .output = f->output[l] };
    }
    if (f->unlimited)
        return 0;
    for (int r = 0; r < f->nrouter; r++)
        outputs = (size_t)f->nout[r] > outputs ? (size_t)f->nout[r] : outputs;
    if (engine_inputs(e, err) < 0)
        return -1;
    for (int r = 0; r < f->nrouter; r++)
        most = (e->word[r + 1] - e->word[r]) * 64 > most ? (e->word[r + 1] - e->word[r]) * 64 : most;
    if (TAKE("requests", err, ARRAY(e->request, most), ARRAY(e->asking, most), ARRAY(e->given, outputs),
             ARRAY(e->touched, most), ARRAY(e->taken, most), ARRAY(e->inputs, most), ZEROS(e->input_done, most),
             ZEROS(e->output_done, outputs)) < 0)
        return -1;
    for (size_t i = 0; i < most; i++)
        e->taken[i] = NONE;
    for (size_t p = 0; p < outputs; p++)
        e->given[p] = NONE;
    return 0;
}

double engine_bytes(const struct fabric *f, size_t nsource)
{
    return (double)(f->nlink * (size_t)f->vcs + nsource) * (sizeof(struct channel) + 32) + (double)f->nlink * 100;
}

int engine_open(struct engine *out, const struct fabric *f, const struct engine_setup *s, struct err *err)
{
    struct engine e = { .f = f, .o = s->o, .finder = s->finder, .injector = s->injector, .record = s->record,
                        .end = s->end, .begin = s->begin, .counted = s->counted, .sum.deadlock_at = -1, .wheel = 4,
                        .turns = 1,
                        .plain = s->o->allocator == ALLOCATE_ISLIP && !f->packets && f->acks == 0 &&
                            s->o->balance.ack != ACK_PRIORITY,
                        .looks = f->unlimited || f->empty || f->whole || s->finder->ugal };
    size_t most = (size_t)f->loop;

    for (size_t l = 0; l < f->nlink; l++)
        most = (size_t)f->delay[l] > most ? (size_t)f->delay[l] : most;
    /* Behind a slower link a message begins so late that it ends with its tail. */
    for (size_t l = 0; f->unlimited && f->slow && l < f->nlink; l++) {
        const size_t late = (size_t)(f->longest * (double)f->slow[l] / FABRIC_ONE) + 2;

        most = late > most ? late : most;
    }
    while (e.wheel <= most + 1)
        e.wheel *= 2;
    rng_seed(&e.rng, s->seed);
    if (engine_channels(&e, err) < 0 ||
        TAKE("what is on its way", err, ZEROS(e.flits, e.wheel), ZEROS(e.credits, e.wheel), ZEROS(e.due, e.wheel / 64 + 1),
             ARRAY(e.hop, FINDER_HOPS + 1)) < 0) {
        engine_close(&e);
        return -1;
    }
    e.most = s->o->source == SOURCE_TRACE || s->o->source == SOURCE_CLOSED ? INFINITY : engine_most(e.nsource);
    if (s->finder->balances)
        agent_open(&e.agent, s->finder, f, s->o, engine_acknowledge, out);
    e.wide = (double)(e.nchannel * sizeof *e.channel) > CACHE;
    *out = e;
    return 0;
}

void engine_close(struct engine *e)
{
    for (size_t i = 0; e->credits && i < e->wheel; i++) {
        free(e->flits[i].item);
        free(e->credits[i].item);
    }
    map_release(&e->served_at);
    agent_close(&e->agent);
    sequence_close(&e->sequence);
    FREE(e->due, e->channel, e->behind, e->message, e->flits, e->credits, e->word, e->ready, e->heads, e->channel_at,
         e->late, e->active, e->active_next, e->lane, e->free_at, e->input_first, e->input, e->request, e->asking,
         e->given, e->touched, e->taken, e->inputs, e->input_done, e->output_done, e->served, e->hop, e->sum.source_sum,
         e->sum.source_many, e->sum.cycle);
    *e = (struct engine){ 0 };
}

/* ---- queues ---- */

static void set_active(struct engine *e, int at)
{
    e->active[at / 64] |= 1ull << (at & 63);
}

static void engine_ask(struct engine *e, int channel)
{
    const struct channel *p = &e->channel[channel];

    e->heads[(size_t)p->at / 64] |= 1ull << (p->at & 63);
    set_active(e, p->router);
}

void engine_wake(struct engine *e, int link)
{
    for (int c = e->lane[link].waiting; c >= 0; c = e->channel[c].next)
        engine_ask(e, c);
    e->lane[link].waiting = NONE;
}

/* No limit: behind those that wait for the link already. */
static void engine_join(struct engine *e, int channel)
{
    const int link = e->channel[channel].want;

    e->lane[link].used += e->message[e->channel[channel].first].flits;
    e->channel[channel].next = NONE;
    if (e->lane[link].waiting < 0)
        e->lane[link].waiting = channel;
    else
        e->channel[e->lane[link].last].next = channel;
    e->lane[link].last = channel;
    set_active(e, link);
}

int engine_arrived(struct engine *e, int channel, struct err *err)
{
    struct channel *c = &e->channel[channel];
    const int at = c->first;
    struct message *m = &e->message[at];
    const struct fabric *f = e->f;
    const int link = e->channel[channel].link;
    const double tick = f->tick, came = (double)(e->now - f->delay[link] + f->rest[link]);
    const double latency = (came - (double)m->born) * tick;

    if (e->now >= e->begin && engine_counts(m))
        record_message(e->record, e->now - e->begin, latency, (came - (double)m->started) * tick,
                       m->flits - e->o->header);
    if (e->o->order && engine_counts(m) && sequence_came(&e->sequence, m, e->now, e->counting, err) < 0)
        return -1;
    if (e->finder->balances && (m->ack >= 0 ? agent_acknowledged(&e->agent, m->ack, e->now, err) :
                                m->planned < 0 ? agent_came(&e->agent, m, (size_t)at, e->now, err) : 0) < 0)
        return -1;
    m = &e->message[at];                /* what is sent for it may have moved them */
    c = &e->channel[channel];
    if (e->o->arrived && m->ack < 0)
        e->o->arrived(e->o->arg, &(struct simulate_arrival){ m->source, m->target, m->number, (double)m->born * tick,
                                                             (double)m->started * tick, came * tick });
    if (engine_counts(m)) {
        e->sum.hops += m->hops;
        e->sum.source_sum[m->sender] += latency;
        e->sum.source_many[m->sender]++;
    }
    if (m->ack < 0 && injector_again(e->injector, m->sender, came, err) < 0)
        return -1;
    engine_forget(e, at);
    return engine_next(e, channel, err);
}

int engine_left(struct engine *e, int channel, struct err *err)
{
    const struct fabric *f = e->f;
    const struct message *m = &e->message[e->channel[channel].first];
    const int link = e->channel[channel].want;
    const double now = (double)e->now;

    if (m->planned < 0)
        return 0;
    if (e->channel[channel].link < 0 && injector_happens(e->injector, m->planned, false, now + (f->slow ?
                                                     (double)f->slow[link] / FABRIC_ONE : 1), err) < 0)
        return -1;
    return !finder_ends(m, f->to[link]) ? 0 : injector_happens(e->injector, m->planned, true, now + f->rest[link], err);
}

void engine_range(struct engine *e, int channel, int mark, int link)
{
    struct channel *c = &e->channel[channel];
    int lo, hi;

    fabric_channels(&lo, &hi, e->f, mark, link);
    if (e->f->acks > 0 && e->message[c->first].ack >= 0)
        lo = hi = e->f->vcs - 1;
    c->lo = (uint16_t)lo;
    c->hi = (uint16_t)hi;
    e->behind[channel].mark = mark;
}

/* A message has come to the head of its source's queue: its way, where that is the source's to choose, and header. */
static int engine_begins(struct engine *e, int channel, struct err *err)
{
    struct channel *c = &e->channel[channel];
    struct message *m = &e->message[c->first];
    int more;

    m->asked = m->born == e->now ? e->now : e->now + 1;
    if ((!e->finder->balances && !e->o->header) || m->ack >= 0)
        return 0;
    if (finder_choose(e->finder, m, err) < 0)
        return -1;
    if (e->finder->balances && e->now >= e->begin)
        record_choice(e->record, e->now - e->begin, (double)e->agent.among);
    if (!e->o->header)
        return 0;
    if (finder_legs(&more, e->finder, m, err) < 0)
        return -1;
    m->flits += more;
    c->here += more;
    c->left += more;
    return !e->f->whole || m->flits <= e->f->places ? 0 :
        err_set(err, ERR_DOMAIN, "buffers of %d flits do not hold a message of %d, %d of them its header", e->f->places,
                m->flits, more);
}

/* What its first message does here: ends, asks for a link, or waits until it is there as a whole. */
int engine_head(struct engine *e, int channel, struct err *err)
{
    struct channel *c = &e->channel[channel];
    struct message *m = &e->message[c->first];
    const struct fabric *f = e->f;
    const int router = e->channel[channel].router, over = e->channel[channel].link, leg = m->leg;
    const bool begins = m->way < 0;
    size_t n;

    if (router < 0 ||
        (router < f->net->n && finder_ends(m, router) && (finder_routers_alone(m) || !fabric_ends(f, router)))) {
        c->out = GONE;
        c->left -= c->here;
        for (; c->here > 0; c->here--)
            if (engine_credit_back(e, channel, err) < 0)
                return -1;
        return c->left == 0 ? engine_arrived(e, channel, err) : 0;
    }
    if (begins && over < 0 && engine_begins(e, channel, err) < 0)
        return -1;
    if (f->stores && c->here < m->flits)
        return 0;
    if (e->finder->balances && m->ack < 0 && agent_waits(&e->agent, m, (size_t)c->first, router % f->net->n,
                                                         e->now, err) < 0)
        return -1;
    if (router >= f->net->n) {
        c->want = (int)f->cables + router;
        engine_range(e, channel, 0, c->want);
    } else {
        const int in = over >= 0 && (size_t)over < f->cables ? over : NONE;

        if (finder_next(e->hop, &n, e->finder, m, router, in, err) < 0)
            return -1;
        if (n == 1 || f->unlimited) {
            size_t best = n > 1;

            for (size_t i = 2; i < n; i++)
                best = e->lane[e->hop[i].link].used < e->lane[e->hop[best].link].used ? i : best;
            c->want = e->hop[best].link;
            engine_range(e, channel, e->hop[best].mark, c->want);
        }
    }
    if (e->o->header && !begins && m->leg != leg) {     /* an intermediate destination: its flit ends here */
        m->flits--;
        c->left--;
        c->here--;
        if (engine_credit_back(e, channel, err) < 0)
            return -1;
    }
    if (!f->unlimited)
        engine_ask(e, channel);
    else if (f->slow && !f->stores && over >= 0 && f->slow[over] > f->slow[c->want])
        return engine_put(e, e->credits, e->now + (m->flits * (f->slow[over] - f->slow[c->want]) + FABRIC_ONE - 1) /
                          FABRIC_ONE, LATER - channel, err);
    else
        engine_join(e, channel);
    return 0;
}

int engine_next(struct engine *e, int channel, struct err *err)
{
    struct channel *c = &e->channel[channel];
    struct behind *q = &e->behind[channel];

    c->first = q->rest;
    c->out = c->want = NONE;
    c->here = 0;
    if (c->first < 0) {
        if (e->f->unlimited && e->channel[channel].link >= 0) {
            c->next = e->spare;
            e->spare = channel;
        }
        return 0;
    }
    q->rest = e->message[c->first].next;
    c->here = e->message[c->first].here;
    c->left = e->message[c->first].flits;
    c->fresh = true;
    return c->here > 0 ? engine_head(e, channel, err) : 0;
}

/* A message behind all others of a channel; none of its flits is there. */
static void engine_append(struct engine *e, int channel, int at)
{
    struct channel *c = &e->channel[channel];
    struct behind *q = &e->behind[channel];
    struct message *m = &e->message[at];

    m->next = NONE;
    m->here = 0;
    if (c->first < 0) {
        c->first = at;
        q->rest = NONE;
        c->here = 0;
        c->left = m->flits;
        c->fresh = true;
        c->out = c->want = NONE;
    } else if (q->rest < 0) {
        q->rest = at;
    } else {
        e->message[q->last].next = at;
    }
    q->last = at;
    if (c->receiving < 0) {
        c->receiving = at;
        c->due = m->flits;
    }
}

/* No limit: a channel for one message over a link. */
static int engine_channel(int *out, struct engine *e, int link, struct err *err)
{
    if (e->spare >= 0) {
        *out = e->spare;
        e->spare = e->channel[*out].next;
    } else {
        if (GROW(&e->channel_room, e->nchannel + 1, "channels", err, GROWN(e->channel), GROWN(e->behind)) < 0)
            return -1;
        *out = (int)e->nchannel++;
    }
    channel_init(e, *out, link, e->f->to[link]);
    return 0;
}

/* ---- events ---- */

int engine_used(const void *engine, int link)
{
    return ((const struct engine *)engine)->lane[link].used;
}

/* A message's first flit goes on. */
int engine_first(struct engine *e, int channel, struct err *err)
{
    struct channel *c = &e->channel[channel];
    struct message *m = &e->message[c->first];
    const int link = c->want;

    if (e->f->unlimited) {
        int made;

        if (engine_channel(&made, e, link, err) < 0)
            return -1;
        c = &e->channel[channel];
        c->out = made;
    }
    if (e->finder->balances && engine_counts(m) &&
        agent_goes(&e->agent, m, (size_t)c->first, link, e->channel[channel].link < 0 ? m->asked : m->came, e->now,
                   err) < 0)
        return -1;
    e->lane[link].waited += (double)(e->now - m->came);
    e->lane[link].came++;
    m->hops += (size_t)link < e->f->cables;
    m->mark = e->behind[channel].mark;
    if (e->channel[channel].link < 0)
        m->started = e->now;
    c->fresh = false;
    engine_append(e, c->out, c->first);
    return 0;
}

/* The flits of `receiving` that were to come have: the next message's are. */
static void engine_received(struct engine *e, int channel, bool first)
{
    struct channel *c = &e->channel[channel];

    c->receiving = first ? e->behind[channel].rest : e->message[c->receiving].next;
    c->due = c->receiving >= 0 ? e->message[c->receiving].flits : 0;
}

/* A flit is there, `head`: a message's first. */
static int engine_flit(struct engine *e, int channel, bool head, struct err *err)
{
    struct channel *c = &e->channel[channel];
    const bool first = c->receiving == c->first && c->here < c->left;   /* else it comes again, behind its own end */
    bool all;

    if (head || (e->f->stores && c->due == 1))
        e->message[c->receiving].came = e->now;
    if (first)
        c->here++;
    else
        e->message[c->receiving].here++;
    all = --c->due == 0;
    if (all)
        engine_received(e, channel, first);
    if (!first)
        return 0;
    if (c->out >= 0) {
        if (c->here == 1 && !e->f->unlimited && e->channel[c->out].places > 0)
            engine_ready(e, channel, true);
        return 0;
    }
    if (c->out == GONE) {
        c->here--;
        c->left--;
        if (engine_credit_back(e, channel, err) < 0)
            return -1;
        return c->left == 0 ? engine_arrived(e, channel, err) : 0;
    }
    return head || (e->f->stores && all && c->want == NONE) ? engine_head(e, channel, err) : 0;
}

static inline void engine_credit(struct engine *e, int channel)
{
    struct channel *r = &e->channel[channel];

    if (r->places++ == 0 && r->owner >= 0 && e->channel[r->owner].here > 0)
        engine_ready(e, r->owner, true);
    if (e->looks) {
        const int link = e->channel[channel].link;

        e->lane[link].used--;
        if ((e->f->empty || e->f->whole) && r->owner < 0 && e->lane[link].waiting >= 0)
            engine_wake(e, link);
    }
}

/* A message at the end of its source's queue. */
static int engine_born(struct engine *e, const struct message *m, int channel, struct err *err)
{
    int at = e->gone;

    if (at >= 0) {
        e->gone = e->message[at].next;
    } else {
        if (GROW(&e->message_room, e->nmessage + 1, "messages under way", err, GROWN(e->message)) < 0)
            return -1;
        at = (int)e->nmessage++;
    }
    e->message[at] = *m;
    e->alive++;
    engine_append(e, channel, at);
    e->channel[channel].receiving = NONE;
    e->message[at].here = m->flits;
    if (e->channel[channel].first != at)
        return 0;
    e->channel[channel].here = m->flits;
    return engine_head(e, channel, err);
}

/* Messages that are born now. */
static int engine_births(struct engine *e, struct err *err)
{
    while (injector_next(e->injector) <= e->now) {
        struct message m;
        int channel;
        const struct channel *c;

        if (injector_take(&m, e->injector, err) < 0)
            return -1;
        channel = (int)(e->f->nlink * (size_t)e->f->vcs) + m.sender;
        c = &e->channel[channel];
        m.born = m.came = e->now;
        if (e->now >= e->begin && engine_counts(&m))
            record_offer(e->record, e->now - e->begin, m.flits);
        e->sum.born += engine_counts(&m);
        if (isfinite(e->o->queue) && c->first >= 0 && m.planned < 0) {
            int n = 0;

            for (int i = e->behind[channel].rest; i >= 0 && n < (int)e->o->queue; i = e->message[i].next)
                n++;
            n += e->message[c->first].started < 0;
            if (n >= (int)e->o->queue) {
                e->sum.rejected++;
                if (injector_again(e->injector, m.sender, (double)e->now, err) < 0)
                    return -1;
                continue;
            }
        }
        if ((e->o->order && m.planned < 0 && sequence_sent(&e->sequence, &m, err) < 0) ||
            engine_born(e, &m, channel, err) < 0)
            return -1;
    }
    return 0;
}

/* An agent's acknowledgement becomes a message. */
static int engine_acknowledge(void *arg, int from, int to, int ack, struct err *err)
{
    struct engine *e = arg;
    const struct message m = { .source = from, .target = to, .sender = (int)(e->nsource + e->injector->nlane) + from,
                               .stream = -1, .planned = -1, .ack = ack, .next = -1, .way = -1, .started = -1,
                               .flits = (int)e->o->balance.flits, .born = e->now, .came = e->now };

    return engine_born(e, &m, (int)e->acks + from, err);
}

/* ---- the loop ---- */

static int engine_tick(struct engine *e, struct err *err)
{
    const size_t at = (size_t)e->now & (e->wheel - 1);
    struct slot *flits = &e->flits[at], *credits = &e->credits[at];
    const int *item = credits->item;

    if ((e->finder->balances && agent_due(&e->agent, e->message, e->now, err) < 0) || engine_births(e, err) < 0)
        return -1;
    for (size_t i = 0, n = credits->n; i < n; i++) {
        if (e->wide && i + AHEAD < n && item[i + AHEAD] >= 0)
            __builtin_prefetch(&e->channel[item[i + AHEAD]], 1);
        if (item[i] > LATER)
            engine_credit(e, item[i]);
        else
            engine_join(e, LATER - item[i]);
    }
    credits->n = 0;
    item = flits->item;
    for (size_t i = 0, n = flits->n; i < n; i++) {
        if (e->wide && i + AHEAD < n)
            __builtin_prefetch(&e->channel[item[i + AHEAD] >> 1], 1);
        if (engine_flit(e, item[i] >> 1, item[i] & 1, err) < 0)
            return -1;
    }
    flits->n = 0;
    e->due[at / 64] &= ~(1ull << (at & 63));
    if (!e->f->unlimited)
        return engine_give(e, err);
    for (size_t w = 0; w < (e->f->nlink + 63) / 64; w++)
        for (uint64_t bits = e->active[w]; bits; bits &= bits - 1)
            if (engine_serve(e, (int)(w * 64) + __builtin_ctzll(bits), err) < 0)
                return -1;
    return 0;
}

/* What was counted so far belongs to the warm-up. */
static void engine_count(struct engine *e)
{
    e->counting = true;
    e->agent.counting = true;
    for (size_t l = 0; l < e->f->nlink; l++) {
        e->sum.flit_hops += (uint64_t)e->lane[l].sent;
        e->lane[l].sent = 0;
        e->lane[l].waited = e->lane[l].came = 0;
    }
    for (size_t i = 0; i < e->nsource; i++)
        e->sum.source_sum[i] = e->sum.source_many[i] = 0;
    e->sum.hops = e->sum.born = e->sum.rejected = e->sum.drained = 0;
}

/* Ticks from now on until a slot of the wheel has something; INT64_MAX. */
static int64_t engine_due(const struct engine *e)
{
    const size_t at = (size_t)e->now & (e->wheel - 1), words = (e->wheel + 63) / 64;

    for (size_t k = 0; k <= words; k++) {
        const size_t w = (at / 64 + k) % words;
        const uint64_t after = ~0ull << (at & 63), bits = e->due[w] & (k == 0 ? after : k == words ? ~after : ~0ull);

        if (bits)
            return (int64_t)((w * 64 + (size_t)__builtin_ctzll(bits) - at) & (e->wheel - 1));
    }
    return INT64_MAX;
}

/* Of a router where links differ, the first tick in which a link that a flit waits for is free; now, where channels are
 * asked for. */
static int64_t engine_free(const struct engine *e, int router)
{
    int64_t next = INT64_MAX;

    for (size_t w = e->word[router]; w < e->word[router + 1]; w++) {
        if (e->heads[w])
            return e->now;
        for (uint64_t bits = e->ready[w]; bits; bits &= bits - 1) {
            const int channel = e->channel_at[w * 64 + (size_t)__builtin_ctzll(bits)];
            const int64_t at = (e->free_at[e->channel[channel].want] + FABRIC_ONE - 1) / FABRIC_ONE;

            next = at < next ? at : next;
        }
    }
    return next;
}

/* The next tick in which something may happen: links are asked for, something comes or is born. */
static int64_t engine_event(const struct engine *e)
{
    const size_t words = ((size_t)(e->f->unlimited ? (int)e->f->nlink : e->f->nrouter) + 63) / 64;
    const int64_t birth = injector_next(e->injector);
    int64_t due, free = INT64_MAX;

    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = e->active[w]; bits; bits &= bits - 1) {
            const int64_t at = !e->free_at || e->f->unlimited || e->moved >= e->now - 1 ? e->now :
                engine_free(e, (int)(w * 64) + __builtin_ctzll(bits));

            if (at <= e->now)
                return e->now;
            free = at < free ? at : free;
        }
    due = birth <= e->now ? 0 : engine_due(e);
    due = birth <= e->now || due < birth - e->now ? e->now + due : birth;
    return due < free ? due : free;
}

/* The last tick before everything has stood still for too long, or deadlocks are looked for. */
static int64_t engine_look(const struct engine *e, int64_t every)
{
    const int64_t look = e->checked + every - 1, still = e->moved + 16 + (int64_t)e->wheel;
    const int64_t next = e->checked <= e->moved && still < look ? still : look;

    return next > e->now ? next : e->now;
}

int engine_run(struct engine *e, const int *stop, const struct tick *progress, struct err *err)
{
    int64_t asked = 0;
    const int64_t every = e->o->look > 0 ? (int64_t)fmax(1, round(e->o->look / e->f->tick)) : STUCK_EVERY;
    int64_t stirred = 0;                /* the last tick in which something may have happened */
    double found = 0;
    bool stuck = false;

    while (e->now < e->end && !stuck) {
        if (e->alive == 0 && e->now >= e->quiet) {
            const int64_t next = injector_next(e->injector);

            e->now = next < e->now ? e->now : next < e->end ? next : e->end;
            stirred = e->now;
        } else if (e->finder->balances) {       /* agents have times of their own */
            stirred = e->now;
        } else {
            const int64_t event = engine_event(e), look = engine_look(e, every);
            const bool calm = e->checked > stirred;     /* it would find what it found last */
            const int64_t next = calm || event < look ? event : look;

            stirred = next == event ? event : stirred;
            e->now = next < e->end ? next : e->end;
            e->checked += calm ? (e->now - e->checked) / every * every : 0;
        }
        if (e->now == e->end)
            break;
        if (e->now >= e->counted && !e->counting)
            engine_count(e);
        if (engine_tick(e, err) < 0)
            return -1;
        e->now++;
        if (e->now - asked >= ASK_EVERY) {
            int over;

            asked = e->now;
#pragma omp atomic read
            over = *stop;
            if (over || tick(progress, (double)e->now / (double)e->end))
                return err_stopped(err);
        }
        if (e->now - e->checked >= every || (e->checked <= e->moved && engine_still(e))) {
            e->checked = e->now;
            if (!e->f->unlimited && engine_stuck(e, &stuck, err) < 0)
                return -1;
            if (e->sum.deadlocks > found && every > AGAIN_AFTER)    /* where there was one, others may be */
                e->checked -= every - AGAIN_AFTER;
            stirred = e->sum.deadlocks > found ? e->now : stirred;
            found = e->sum.deadlocks;
        }
        if (e->o->nplan && e->injector->coming == 0)
            break;
        e->sum.full = (double)e->alive > e->most;
        if (e->sum.full)
            break;
        if (e->o->source == SOURCE_TRACE && e->alive == 0 && injector_next(e->injector) == INT64_MAX)
            break;
    }
    if (!e->counting)
        engine_count(e);
    for (size_t l = 0; l < e->f->nlink; l++)
        e->sum.flit_hops += (uint64_t)e->lane[l].sent;
    e->sum.left = (double)e->alive + injector_left(e->injector);
    record_pass(e->record, e->now > e->begin ? e->now - e->begin : 0);
    return 0;
}
