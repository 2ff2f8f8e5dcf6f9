/* injector.c -- what sources send, and when (injector.h).
 * 1. phases    traffic that changes: which source of it a terminal is then
 * 2. births    the next message of a source; what a plan's messages wait for
 * 3. messages  the target by the row of shares, the length */
#include "analysis/simulate/injector.h"
#include "graph/base/bisect.h"

/* ---- phases ---- */

size_t injector_sources(const struct injector *s)
{
    return s->nphase > 1 ? (size_t)s->traffic->net->nterminal : traffic_sources(s->traffic);
}

static int traffic_node(const struct traffic *t, size_t source)
{
    return t->matrix ? net_terminal(t->net, (int)source) : t->stream[traffic_first(t, source)].source;
}

int injector_node(const struct injector *s, size_t source)
{
    return s->nphase > 1 ? net_terminal(s->traffic->net, (int)source) : traffic_node(s->traffic, source);
}

static int injector_phase_open(struct injector_phase *p, const struct traffic *t, double begin, bool several,
                               struct err *err)
{
    const size_t n = traffic_sources(t), rows = !t->matrix || t->kind->even ? 0 : t->invariant ? 1 : n;

    *p = (struct injector_phase){ .traffic = t, .begin = begin };
    if (TAKE("the traffic", err, ZEROS(p->row, rows + 1)) < 0 ||
        (several && TAKE("births of messages", err, ARRAY(p->source, t->net->nterminal)) < 0))
        return -1;
    for (int i = 0; several && i < t->net->nterminal; i++)
        p->source[i] = -1;
    for (size_t i = 0; several && i < n; i++) {
        int *source = &p->source[net_terminal_index(t->net, traffic_node(t, i))];

        if (*source >= 0)
            return err_set(err, ERR_DOMAIN, "%.200s has several sources at a terminal; traffic that changes has one",
                           t->spec);
        *source = (int)i;
    }
    return 0;
}

static void injector_phase_close(struct injector_phase *p)
{
    const struct traffic *t = p->traffic;
    const size_t rows = !p->row || !t->matrix || t->kind->even ? 0 : t->invariant ? 1 : traffic_sources(t);

    for (size_t i = 0; i < rows; i++)
        free(p->row[i]);
    FREE(p->row, p->source);
}

static struct injector_phase *phase_at(const struct injector *s, double time)
{
    size_t k = s->nphase - 1;

    while (k > 0 && s->phase[k].begin > time)
        k--;
    return &s->phase[k];
}

/* The traffic's own number of a source; -1: it sends nothing then. */
static int phase_source(const struct injector_phase *p, size_t source)
{
    return p->source ? p->source[source] : (int)source;
}

/* ---- births ---- */

/* The source's first stream, -1 of a matrix. */
static int injector_stream(const struct traffic *t, size_t source)
{
    return t->matrix ? -1 : (int)traffic_first(t, source);
}

static struct traffic_pace injector_pace(const struct injector *s, const struct traffic *t, size_t source)
{
    return traffic_pace(t, injector_stream(t, source), (struct traffic_pace){ s->load->interval, s->o->flits });
}

/* From one message to the next. */
static double injector_gap(struct injector *s, const struct traffic *t, size_t source)
{
    const double mean = injector_pace(s, t, source).interval / s->load->factor / s->tick, u = 1 - rng_uniform(&s->rng);

    if (isinf(mean))
        return INFINITY;
    switch (s->o->source) {
    case SOURCE_PERIODIC:
        return mean;
    case SOURCE_BERNOULLI:
        return mean <= 1 ? 1 : 1 + floor(log(u) / log1p(-1 / mean));
    default:
        return -log(u) * mean;
    }
}

static int injector_put(struct injector *s, size_t source, double at, struct err *err)
{
    return isinf(at) ? 0 : events_push(&s->births, (struct event){ at, source, source }, err);
}

/* The source's next birth after `time`, of the phase it falls in; where it would come after the next one has begun,
 * that one's first. */
static int injector_follow(struct injector *s, size_t source, double time, bool first, struct err *err)
{
    struct injector_phase *p = phase_at(s, time), *end = s->phase + s->nphase;

    for (; p < end; p++) {
        const int own = phase_source(p, source);
        double gap, at;

        if (own < 0) {
            first = true;
            continue;
        }
        gap = injector_gap(s, p->traffic, (size_t)own);
        at = fmax(time, p->begin) + (first && s->o->source == SOURCE_PERIODIC ? gap * rng_uniform(&s->rng) : gap);
        if (p + 1 == end || round(at) < p[1].begin)     /* births are in whole ticks */
            return injector_put(s, source, at, err);
        first = true;
    }
    return 0;
}

/* What births are called that are the plan's: this and those behind it. */
static size_t injector_planned(const struct injector *s)
{
    return s->o->source == SOURCE_TRACE ? s->o->ntrace : injector_sources(s);
}

/* What waits for what. A message that waits for one of its own node takes its source, where none has yet: sends
 * that follow each other have one, those that do not leave side by side. */
static int injector_plan_open(struct injector *s, double begin, struct err *err)
{
    const size_t n = s->o->nplan;

    if (TAKE("the plan", err, ARRAY(s->plan, n), ARRAY(s->lane, n)) < 0)
        return -1;
    s->coming = n;
    for (size_t i = 0; i < n; i++)
        s->plan[i] = (struct injector_plan){ .lane = -1, .first = -1, .ready = begin, .come = NAN };
    for (size_t i = 0; i < n; i++) {
        const struct simulate_planned *m = &s->o->plan[i];
        struct injector_plan *p = &s->plan[i];

        for (int k = 0; k < 2; k++) {
            const int before = m->after[k];
            bool taken = before < 0 || before >= (int)i || s->o->plan[before].source != m->source;

            if (before < 0)
                continue;
            for (int w = s->plan[before].first; w >= 0; w = s->plan[w / 2].next[w % 2])
                taken = taken || s->plan[w / 2].lane == s->plan[before].lane;
            p->lane = taken ? p->lane : s->plan[before].lane;
            p->next[k] = s->plan[before].first;
            s->plan[before].first = 2 * (int)i + k;
            p->missing++;
        }
        if (p->lane < 0) {
            p->lane = (int)s->nlane;
            s->lane[s->nlane++] = m->source;
        }
        if (p->missing == 0 && injector_put(s, injector_planned(s) + i, begin, err) < 0)
            return -1;
    }
    return 0;
}

int injector_happens(struct injector *s, int planned, bool come, double time, struct err *err)
{
    struct injector_plan *p = &s->plan[planned];

    if (come) {
        p->come = time;
        s->coming--;
    }
    for (int w = p->first; w >= 0; w = s->plan[w / 2].next[w % 2]) {
        struct injector_plan *waits = &s->plan[w / 2];

        if (s->o->plan[w / 2].come[w % 2] != come)
            continue;
        waits->ready = fmax(waits->ready, time);
        if (--waits->missing == 0 && injector_put(s, injector_planned(s) + (size_t)w / 2, waits->ready, err) < 0)
            return -1;
    }
    return 0;
}

int injector_open(struct injector *out, const struct traffic *t, const struct load *load,
                  const struct simulate_options *o, double tick, double begin, uint64_t seed, struct err *err)
{
    struct injector s = { .traffic = t, .o = o, .load = load, .tick = tick };

    rng_seed(&s.rng, seed);
    if (TAKE("births of messages", err, ZEROS(s.phase, o->nchange + 1)) < 0)
        return -1;
    while (s.nphase < o->nchange + 1) {
        const struct simulate_change *c = s.nphase ? &o->change[s.nphase - 1] : NULL;
        struct injector_phase *p = &s.phase[s.nphase++];

        if (injector_phase_open(p, c ? c->traffic : t, c ? c->at / tick : 0, o->nchange > 0, err) < 0)
            goto fail;
    }
    if (o->nplan && injector_plan_open(&s, begin, err) < 0)
        goto fail;
    if (o->source == SOURCE_TRACE) {
        if (o->ntrace && events_push(&s.births, (struct event){ o->trace[0].time / tick, 0, 0 }, err) < 0)
            goto fail;
    } else {
        for (size_t i = 0; i < injector_sources(&s); i++)
            if (injector_follow(&s, i, 0, true, err) < 0)
                goto fail;
    }
    *out = s;
    return 0;
fail:
    injector_close(&s);
    return -1;
}

void injector_close(struct injector *s)
{
    for (size_t i = 0; i < s->nphase; i++)
        injector_phase_close(&s->phase[i]);
    FREE(s->phase, s->plan, s->lane);
    events_release(&s->births);
    *s = (struct injector){ 0 };
}

int64_t injector_next(const struct injector *s)
{
    const double at = events_time(&s->births);

    return at < 9e18 ? (int64_t)llround(at) : INT64_MAX;
}

/* ---- messages ---- */

/* A terminal that `source` (by number) sends to: by the row of its shares. */
static int injector_target(int *target, struct injector *s, struct injector_phase *p, int source, struct err *err)
{
    const struct traffic *t = p->traffic;
    const struct net *net = t->net;
    const int n = net->nterminal;
    double **row, u;
    int at;

    if (t->kind->even) {
        at = (int)rng_below(&s->rng, (uint64_t)n - 1);
        *target = net_terminal(net, at + (at >= source));
        return 0;
    }
    row = &p->row[t->invariant ? 0 : source];
    if (!*row) {
        const int from = net_terminal(net, t->invariant ? 0 : source);
        double sum = 0;

        if (TAKE("the traffic", err, ARRAY(*row, n)) < 0)
            return -1;
        for (int i = 0; i < n; i++)
            (*row)[i] = sum += net_terminal(net, i) == from ? 0 : t->kind->share(t, from, net_terminal(net, i));
    }
    u = rng_uniform(&s->rng) * (*row)[n - 1];
    BISECT(at, 0, n - 1, i, (*row)[i] <= u);
    *target = t->invariant ? group_add(net->group, at, source) : net_terminal(net, at);
    return 0;
}

static double injector_flits(struct injector *s, const struct traffic *t, size_t source)
{
    const struct simulate_options *o = s->o;
    double u, sum = 0;

    if (!o->nmix)
        return injector_pace(s, t, source).time;
    u = rng_uniform(&s->rng);
    for (size_t i = 0; i + 1 < o->nmix; i++)
        if ((sum += o->mix[i].share) > u)
            return o->mix[i].flits;
    return o->mix[o->nmix - 1].flits;
}

int injector_take(struct message *m, struct injector *s, struct err *err)
{
    const struct event e = events_pop(&s->births);
    const size_t source = e.what;
    double flits;

    *m = (struct message){ .sender = (int)source, .stream = -1, .planned = -1, .ack = -1, .next = -1, .way = -1,
                           .started = -1, .number = s->number++ };
    if (s->plan && source >= injector_planned(s)) {
        m->planned = (int)(source - injector_planned(s));
        m->source = s->o->plan[m->planned].source;
        m->target = s->o->plan[m->planned].target;
        m->sender = (int)injector_sources(s) + s->plan[m->planned].lane;
        flits = s->o->plan[m->planned].flits;
    } else if (s->o->source == SOURCE_TRACE) {
        const struct simulate_message *at = &s->o->trace[e.what];

        m->source = at->source;
        m->target = at->target;
        m->sender = net_terminal_index(s->traffic->net, at->source);
        flits = at->flits;
        if (e.what + 1 < s->o->ntrace &&
            events_push(&s->births, (struct event){ at[1].time / s->tick, e.what + 1, e.what + 1 }, err) < 0)
            return -1;
    } else {
        struct injector_phase *p = phase_at(s, round(e.at));
        const struct traffic *t = p->traffic;
        const size_t own = (size_t)phase_source(p, source);

        if (t->matrix) {
            m->source = net_terminal(t->net, (int)own);
            if (injector_target(&m->target, s, p, (int)own, err) < 0)
                return -1;
        } else {
            const size_t first = traffic_first(t, own), end = traffic_first(t, own + 1);
            double u = end - first > 1 ? rng_uniform(&s->rng) : 0;
            size_t k = first;

            while (k + 1 < end && (u -= t->stream[k].share) >= 0)
                k++;
            m->stream = p == s->phase ? (int)k : -1;    /* streams are the first traffic's */
            m->source = t->stream[k].source;
            m->target = t->stream[k].target;
        }
        flits = injector_flits(s, t, own);
        if (s->o->source != SOURCE_CLOSED && injector_follow(s, source, e.at, false, err) < 0)
            return -1;
    }
    m->flits = (int)fmax(1, fmin(round(flits), 1e9));
    return 0;
}

double injector_left(const struct injector *s)
{
    const struct event *next = events_next(&s->births);

    return s->o->source == SOURCE_TRACE && next ? (double)(s->o->ntrace - next->what) : 0;
}

int injector_again(struct injector *s, int sender, double time, struct err *err)
{
    return s->o->source != SOURCE_CLOSED || (size_t)sender >= injector_sources(s) ? 0 :
        injector_follow(s, (size_t)sender, time, false, err);
}

double injector_rate(const struct traffic *t, const struct load *load, const struct simulate_options *o)
{
    const struct injector s = { .traffic = t, .o = o, .load = load, .tick = 1 };
    double rate = 0;

    for (size_t i = 0; i < traffic_sources(t); i++)
        rate += 1 / (injector_pace(&s, t, i).interval / load->factor + (o->source == SOURCE_CLOSED ? o->flits : 0));
    return rate;
}
