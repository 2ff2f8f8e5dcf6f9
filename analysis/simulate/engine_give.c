/* What routers give (engine.h): channels to first flits, turns of the crossbar to flits.
 *   ranks     which goes first
 *   channels  heads, link by link
 *   turns     requests, one for each input and output; outputs grant, inputs accept */
#include "analysis/simulate/engine.h"

#define AHEAD 8                         /* routers, between two steps of what is fetched */
enum fetch { FETCH_BITS, FETCH_NUMBERS, FETCH_CHANNELS, FETCH_REST, FETCH_STEPS };

/* ---- ranks ---- */

/* How far `at` stands behind the one that is first, of n in a circle; both count from anywhere, `first` may be the one
 * behind the last. */
static inline int behind(int at, int first, int n)
{
    return at >= first ? at - first : at - first + n;
}

/* Where the time is kept at which a link last served the pair of a message. */
static int engine_pair(int64_t **at, struct engine *e, int link, const struct message *m, struct err *err)
{
    const uint64_t n = (uint64_t)e->f->net->n;
    const int i = map_put(&e->served_at, ((uint64_t)link * n + (uint64_t)m->source) * n + (uint64_t)m->target,
                          (int)e->nserved, err);

    if (i < 0 || GROW(&e->served_room, e->nserved + 1, "channels that are served", err, GROWN(e->served)) < 0)
        return -1;
    if ((size_t)i == e->nserved)
        e->served[e->nserved++] = -1;
    *at = &e->served[i];
    return 0;
}

static inline bool before(const struct request *a, const struct request *b)
{
    return a->urgent != b->urgent ? a->urgent : a->rank < b->rank || (a->rank == b->rank && a->born < b->born);
}

/* An acknowledgement that goes before all others. */
static inline bool engine_urgent(const struct engine *e, int channel)
{
    return e->o->balance.ack == ACK_PRIORITY && e->message[e->channel[channel].first].ack >= 0;
}

static int engine_rank(struct request *r, struct engine *e, int channel, int link, struct err *err)
{
    const struct message *m = &e->message[e->channel[channel].first];
    int64_t *served;

    r->rank = r->born = m->born;
    if (e->o->allocator == ALLOCATE_CHANNEL) {
        if (engine_pair(&served, e, link, m, err) < 0)
            return -1;
        r->rank = *served;
    }
    return 0;
}

/* ---- channels ---- */

/* A channel of the link that may be given, the first from the head's turn on; NONE. */
static int free_channel(const struct engine *e, int channel, int link, int lo, int hi)
{
    const struct fabric *f = e->f;
    const int n = hi - lo + 1, flits = e->message[e->channel[channel].first].flits;
    const int start = n > 1 ? e->channel[channel].turn % n : 0;

    for (int k = 0; k < n; k++) {
        const int at = link * f->vcs + lo + (start + k < n ? start + k : start + k - n);
        const struct channel *r = &e->channel[at];

        if (r->owner < 0 && (!f->empty || r->places == f->places) && (!f->whole || r->places >= flits))
            return at;
    }
    return NONE;
}

static void engine_take(struct engine *e, int channel, int given)
{
    struct channel *c = &e->channel[channel], *next = &e->channel[given];

    e->heads[(size_t)c->at / 64] &= ~(1ull << (c->at & 63));
    c->want = next->link;
    c->output = (uint8_t)(e->lane[c->want].output & 31);
    c->out = given;
    c->turn = (uint16_t)(given - c->want * e->f->vcs - c->lo + 1);
    next->owner = channel;
    if (next->places > 0 && c->here > 0)
        engine_ready(e, channel, true);
}

/* Of an adaptive message: over the link with the fewest flits of those with a channel for it, any the same at random,
 * or over the first of these; else on the escape; else it goes on waiting. */
static int engine_adapt(struct engine *e, int channel, struct err *err)
{
    const struct fabric *f = e->f;
    struct channel *c = &e->channel[channel];
    const int over = c->link, in = over >= 0 && (size_t)over < f->cables ? over : NONE;
    int given = NONE, least = 0;
    size_t n, same = 0;

    if (finder_next(e->hop, &n, e->finder, &e->message[e->channel[channel].first], e->channel[channel].router, in,
                    err) < 0)
        return -1;
    for (size_t i = 1; i < n; i++) {
        const int link = e->hop[i].link, at = free_channel(e, channel, link, f->escape, f->data - 1);

        if (at < 0 || (given >= 0 && e->lane[link].used > least))
            continue;
        same = given >= 0 && e->lane[link].used == least ? same + 1 : 1;
        if (same > 1 && rng_below(&e->rng, same) > 0)
            continue;
        least = e->lane[link].used;
        given = at;
        c->lo = (uint16_t)f->escape;
        e->behind[channel].mark = e->hop[i].mark;
        if (e->finder->first)
            break;
    }
    if (given < 0) {
        engine_range(e, channel, e->hop[0].mark, e->hop[0].link);
        given = free_channel(e, channel, e->hop[0].link, c->lo, c->hi);
    }
    if (given >= 0)
        engine_take(e, channel, given);
    return 0;
}

/* Requests for channels of one link, in the order of their ranks; those that get none wait for it. */
static int engine_channels(struct engine *e, int router, struct request *ask, int n, struct err *err)
{
    const int link = ask[0].link, bits = (int)(e->word[router + 1] - e->word[router]) * 64;

    for (int i = 0; i < n && n > 1; i++) {
        ask[i].rank = behind(e->channel[ask[i].channel].at, e->lane[link].head_turn, bits);
        if (e->o->allocator != ALLOCATE_ISLIP && engine_rank(&ask[i], e, ask[i].channel, link, err) < 0)
            return -1;
    }
    for (int done = 0; done < n; done++) {
        int first = done, given, asks, at;

        for (int i = done + 1; i < n; i++)
            first = before(&ask[i], &ask[first]) ? i : first;
        asks = ask[first].channel;
        at = e->channel[asks].at;
        given = free_channel(e, asks, link, e->channel[asks].lo, e->channel[asks].hi);
        if (given >= 0) {
            e->lane[link].head_turn = at + 1;
            engine_take(e, asks, given);
        } else {
            e->heads[(size_t)at / 64] &= ~(1ull << (at & 63));
            e->channel[asks].next = e->lane[link].waiting;
            e->lane[link].waiting = asks;
        }
        ask[first] = ask[done];
    }
    return 0;
}

static int engine_heads(struct engine *e, int router, struct err *err)
{
    struct request *ask = e->request;
    int n = 0, adaptive = 0;

    for (size_t w = e->word[router]; w < e->word[router + 1]; w++)
        for (uint64_t bits = e->heads[w]; bits; bits &= bits - 1) {
            const int channel = e->channel_at[w * 64 + (size_t)__builtin_ctzll(bits)];
            if (e->channel[channel].want >= 0)
                ask[n++] = (struct request){ .link = e->channel[channel].want, .channel = channel,
                                             .urgent = engine_urgent(e, channel) };
            else
                e->asking[adaptive++] = channel;
        }
    for (int i = 0; i < adaptive; i++)          /* each tick another is the first */
        if (engine_adapt(e, e->asking[(size_t)(e->now + i) % (size_t)adaptive], err) < 0)
            return -1;
    while (n > 0) {
        int many = 1;

        for (int i = 1; i < n; i++)             /* those for the same link to the front */
            if (ask[i].link == ask[0].link) {
                const struct request r = ask[i];

                ask[i] = ask[many];
                ask[many++] = r;
            }
        if (engine_channels(e, router, ask, many, err) < 0)
            return -1;
        ask += many;
        n -= many;
    }
    return 0;
}

/* ---- turns ---- */

/* Of two requests of one input for one output, which goes first. */
static bool engine_sooner(const struct engine *e, const struct request *a, const struct request *b)
{
    const int turn = e->input[a->input].channel, n = e->f->vcs;

    return e->o->allocator != ALLOCATE_ISLIP || a->urgent != b->urgent ? before(a, b) :
        behind(a->channel, turn, n) < behind(b->channel, turn, n);
}

/* A turn is given: `moves`, and with it the pointers of output and input. */
static inline void engine_grant(struct engine *e, int channel, struct lane *lane, bool moves)
{
    const struct channel *p = &e->channel[channel];

    if (moves) {
        lane->turn = p->input + 1;
        e->input[p->input].turn = lane->output + 1;
    }
    e->input[p->input].channel = channel + 1;
}

/* Requests that are granted come to the front; *granted of them are there, their inputs and outputs marked. */
static void engine_match(int *granted, struct engine *e, int router, int n)
{
    struct request *all = e->request;
    const int outputs = e->f->nout[router], base = e->input_first[router], inputs = e->input_first[router + 1] - base;
    const bool ranks = e->o->allocator != ALLOCATE_ISLIP;
    int many = *granted;

    for (int turn = 0; turn < e->o->iterations && many < n; turn++) {
        int ntouched = 0, ninput = 0;

        for (int i = many; i < n; i++) {
            const struct request *r = &all[i];
            int *given = &e->given[r->output];

            if (e->input_done[r->input - base] == e->turns || e->output_done[r->output] == e->turns)
                continue;
            if (*given < 0)
                e->touched[ntouched++] = r->output;
            if (*given < 0 || (ranks || r->urgent != all[*given].urgent ? before(r, &all[*given]) :
                               behind(r->input, e->lane[r->link].turn, inputs) <
                               behind(all[*given].input, e->lane[r->link].turn, inputs)))
                *given = i;
        }
        for (int i = 0; i < ntouched; i++) {
            const int offer = e->given[e->touched[i]], input = all[offer].input;
            int *taken = &e->taken[input - base];

            e->given[e->touched[i]] = NONE;
            if (*taken < 0)
                e->inputs[ninput++] = input - base;
            if (*taken < 0 || (ranks || all[offer].urgent != all[*taken].urgent ? before(&all[offer], &all[*taken]) :
                               behind(all[offer].output, e->input[input].turn, outputs) <
                               behind(all[*taken].output, e->input[input].turn, outputs)))
                *taken = offer;
        }
        if (ninput == 0)
            break;
        for (int i = 0; i < ninput; i++) {
            const int at = e->taken[e->inputs[i]];
            const struct request r = all[at];

            engine_grant(e, r.channel, &e->lane[r.link], turn == 0);
            e->input_done[r.input - base] = e->output_done[r.output] = e->turns;
            all[at] = all[many];
            all[many] = r;
            for (int k = i + 1; k < ninput; k++)        /* one of those still to be granted has moved */
                if (e->taken[e->inputs[k]] == many)
                    e->taken[e->inputs[k]] = at;
            many++;
            e->taken[e->inputs[i]] = NONE;
        }
    }
    *granted = many;
}

/* Those of one input for one output become one. Links that stay with a message until its end, while it has flits and
 * places, are granted before. */
static int engine_contend(int *granted, struct engine *e, int router, int asking, struct err *err)
{
    struct request *all = e->request;
    const int base = e->input_first[router];
    int n = 0;

    e->turns++;
    for (int i = 0; i < asking; i++) {
        const int channel = e->asking[i], link = e->channel[channel].want;
        const int held = e->f->packets ? e->lane[link].held : NONE;
        struct request r = { e->channel[channel].input, e->lane[link].output, link, channel, 0, 0,
                             engine_urgent(e, channel) };
        int same = n - 1;

        if (e->o->allocator != ALLOCATE_ISLIP && engine_rank(&r, e, channel, link, err) < 0)
            return -1;
        while (same >= 0 && all[same].input == r.input && all[same].output != r.output)
            same--;
        if (same < 0 || all[same].input != r.input)
            all[n++] = r;
        else if (held == channel || (held != all[same].channel && engine_sooner(e, &r, &all[same])))
            all[same] = r;
    }
    for (int i = 0; e->f->packets && i < n; i++)
        if (e->lane[all[i].link].held == all[i].channel && e->input_done[all[i].input - base] != e->turns) {
            const struct request r = all[i];

            all[i] = all[*granted];
            all[(*granted)++] = r;
            e->input_done[r.input - base] = e->output_done[r.output] = e->turns;
            engine_grant(e, r.channel, &e->lane[r.link], false);
        }
    engine_match(granted, e, router, n);
    return 0;
}

/* The next flit of a channel goes on. */
__attribute__((always_inline)) static inline int engine_send(struct engine *e, int channel, const bool unlimited,
                                                             struct err *err)
{
    const bool first = e->channel[channel].fresh;
    struct channel *c;
    struct channel *out;
    struct lane *lane;
    bool dry;

    if (first && engine_first(e, channel, err) < 0)
        return -1;
    c = &e->channel[channel];
    out = &e->channel[c->out];
    lane = &e->lane[c->want];
    if (unlimited || e->looks)
        lane->used += unlimited ? -1 : 1;
    lane->sent++;
    dry = --out->places == 0;
    dry = --c->here == 0 || dry;
    c->left--;
    if (e->free_at) {
        const int64_t late = (e->now - 1) * FABRIC_ONE + 1;
        int64_t *free_at = &e->free_at[c->want];

        *free_at = (*free_at > late ? *free_at : late) + e->f->slow[c->want];
    }
    if (engine_put(e, e->flits, e->now + lane->delay, c->out * 2 + first, err) < 0 ||
        (!unlimited && engine_credit_back(e, channel, err) < 0))
        return -1;
    if (c->left == 0) {
        if (e->o->nplan && engine_left(e, channel, err) < 0)
            return -1;
        out->owner = NONE;
        if (!unlimited) {
            if (lane->waiting >= 0)
                engine_wake(e, c->want);
            engine_ready(e, channel, false);
        }
        return engine_next(e, channel, err);
    }
    if (!unlimited && dry)
        engine_ready(e, channel, false);
    return 0;
}

/* Whether the tick is one of acknowledgements' own. */
static bool engine_late(const struct engine *e)
{
    return floor((double)(e->now + 1) * e->f->acks) > floor((double)e->now * e->f->acks);
}

/* Channels that have flits and places, in e->asking; *clear: no two, for sure, for one input or output. */
static inline int engine_ask_turns(bool *clear, struct engine *e, size_t from, size_t to)
{
    const int64_t *const free_at = e->free_at;
    const int64_t now = e->now * FABRIC_ONE;
    int *const asking = e->asking;
    uint64_t seen = 0, twice = 0;
    int n = 0;

    for (size_t w = from; w < to; w++)
        for (uint64_t bits = e->late ? e->ready[w] & (engine_late(e) ? e->late[w] : ~e->late[w]) : e->ready[w]; bits;
             bits &= bits - 1) {
            const size_t at = w * 64 + (size_t)__builtin_ctzll(bits);
            const int channel = e->channel_at[at];
            const struct channel *c = &e->channel[channel];
            const uint64_t uses = 1ull << (c->input & 31) | 1ull << (32 + c->output);

            if (free_at && free_at[c->want] > now)
                continue;
            twice |= seen & uses;
            seen |= uses;
            asking[n++] = channel;
        }
    *clear = !twice;
    return n;
}

/* What engine_contend does, of round robin and two that ask: how many are granted. */
static int engine_two(struct engine *e, int router)
{
    const int a = e->asking[0], b = e->asking[1], input = e->channel[a].input, link = e->channel[a].want;
    const bool same_input = e->channel[b].input == input, same_link = e->channel[b].want == link;
    int n;

    if (!same_input && !same_link)
        return 2;
    n = same_input && same_link ? e->f->vcs : same_link ? e->input_first[router + 1] - e->input_first[router] :
        e->f->nout[router];
    if (same_input && same_link ? behind(b, e->input[input].channel, n) < behind(a, e->input[input].channel, n) :
        same_link ? behind(e->channel[b].input, e->lane[link].turn, n) < behind(input, e->lane[link].turn, n) :
        behind(e->lane[e->channel[b].want].output, e->input[input].turn, n) <
            behind(e->lane[link].output, e->input[input].turn, n))
        e->asking[0] = b;
    return 1;
}

/* A channel that was given a turn uses it. */
static int engine_pass(struct engine *e, int channel, struct err *err)
{
    const int link = e->channel[channel].want;
    int64_t *served;

    if (e->o->allocator == ALLOCATE_CHANNEL) {
        if (engine_pair(&served, e, link, &e->message[e->channel[channel].first], err) < 0)
            return -1;
        *served = e->now;
    }
    if (engine_send(e, channel, false, err) < 0)
        return -1;
    if (e->f->packets)
        e->lane[link].held = e->channel[channel].out >= 0 && e->channel[channel].here > 0 ? channel : NONE;
    return 0;
}

/* Where more than round robin decides, or many ask. */
static int engine_decide(struct engine *e, int router, bool clear, int n, struct err *err)
{
    int granted = 0;

    if (clear)
        for (int i = 0; i < n; i++)
            engine_grant(e, e->asking[i], &e->lane[e->channel[e->asking[i]].want], true);
    else if (engine_contend(&granted, e, router, n, err) < 0)
        return -1;
    for (int i = 0; !clear && i < granted; i++)
        e->asking[i] = e->request[i].channel;
    for (int i = 0; i < (clear ? n : granted); i++)
        if (engine_pass(e, e->asking[i], err) < 0)
            return -1;
    return 0;
}

static inline bool engine_any(const uint64_t *word, size_t from, size_t to)
{
    uint64_t any = word[from];

    for (size_t w = from + 1; w < to; w++)
        any |= word[w];
    return any;
}

/* Of round robin alone: a channel's turn. */
__attribute__((always_inline)) static inline int engine_turn(struct engine *e, int channel, struct err *err)
{
    e->moved = e->now;
    engine_grant(e, channel, &e->lane[e->channel[channel].want], true);
    return engine_send(e, channel, false, err);
}

__attribute__((always_inline)) static inline int engine_router(struct engine *e, int router, struct err *err)
{
    const size_t from = e->word[router], to = e->word[router + 1];

    if (engine_any(e->heads, from, to) && engine_heads(e, router, err) < 0)
        return -1;
    if (to - from == 1 && e->plain && !e->free_at && !(e->ready[from] & (e->ready[from] - 1))) {       /* mostly */
        const uint64_t only = e->ready[from];

        if (only && engine_turn(e, e->channel_at[from * 64 + (size_t)__builtin_ctzll(only)], err) < 0)
            return -1;
    } else {
        bool clear;
        int n = engine_ask_turns(&clear, e, from, to);

        if (!e->plain || (!clear && n > 2)) {
            e->moved = n > 0 ? e->now : e->moved;
            if (engine_decide(e, router, clear, n, err) < 0)
                return -1;
        } else {
            n = clear ? n : engine_two(e, router);
            for (int i = 0; i < n; i++)
                if (engine_turn(e, e->asking[i], err) < 0)
                    return -1;
        }
    }
    if (!engine_any(e->ready, from, to) && !engine_any(e->heads, from, to))
        e->active[router / 64] &= ~(1ull << (router & 63));
    return 0;
}

/* Of a network that is too large for a cache, what a router touches is fetched step by step, while others are served:
 * each step needs what the one before it fetched. Inlined by force: gcc leaves out calls of what only fetches. */
__attribute__((always_inline)) static inline void engine_fetch(const struct engine *e, int router, enum fetch step)
{
    const size_t from = e->word[router], to = e->word[router + 1];

    if (step == FETCH_BITS) {
        __builtin_prefetch(&e->ready[from]);
        __builtin_prefetch(&e->heads[from]);
        return;
    }
    for (size_t w = from; w < to; w++)
        for (uint64_t ask = e->ready[w] | e->heads[w]; ask; ask &= ask - 1) {
            const int *at = &e->channel_at[w * 64 + (size_t)__builtin_ctzll(ask)];
            const struct channel *c;

            if (step == FETCH_NUMBERS) {
                __builtin_prefetch(at);
                continue;
            }
            c = &e->channel[*at];
            if (step == FETCH_CHANNELS) {
                __builtin_prefetch(c, 1);
                continue;
            }
            __builtin_prefetch(&e->input[c->input], 1);
            if (c->want >= 0)
                __builtin_prefetch(&e->lane[c->want], 1);
            if (c->out >= 0)
                __builtin_prefetch(&e->channel[c->out], 1);
        }
}

int engine_give(struct engine *e, struct err *err)
{
    const size_t words = ((size_t)e->f->nrouter + 63) / 64;
    int *const next = e->active_next, n = 0, ahead = e->wide ? FETCH_STEPS * AHEAD : 0;

    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = e->active[w]; bits; bits &= bits - 1)
            next[n++] = (int)(w * 64) + __builtin_ctzll(bits);
    for (int i = -ahead; i < n; i++) {
        for (int step = 0; e->wide && step < FETCH_STEPS; step++) {
            const int at = i + (FETCH_STEPS - step) * AHEAD;

            if (at >= 0 && at < n)
                engine_fetch(e, next[at], (enum fetch)step);
        }
        if (i >= 0 && engine_router(e, next[i], err) < 0)
            return -1;
    }
    return 0;
}

int engine_serve(struct engine *e, int link, struct err *err)
{
    const int channel = e->lane[link].waiting;
    const struct channel *c = channel < 0 ? NULL : &e->channel[channel];

    if (!c) {
        e->active[link / 64] &= ~(1ull << (link & 63));
        return 0;
    }
    if (c->here == 0 || (e->free_at && e->free_at[link] > e->now * FABRIC_ONE))
        return 0;
    if (c->left == 1)
        e->lane[link].waiting = e->channel[channel].next;
    return engine_send(e, channel, true, err);
}
