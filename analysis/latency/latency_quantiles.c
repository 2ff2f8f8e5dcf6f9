#include "analysis/latency/latency_quantiles.h"
#include "analysis/latency/collide_spread.h"
#include "graph/base/map.h"

#define TOGETHER 0.02           /* of ways that take as long where nothing waits, and this part as long where it does */
#define TURNS_FIRST 0.5
#define TURNS_BEYOND 1.3

/* Of what a message waits: what is still to come after a state, or is met at a port. */
struct wait {
    double vary, none;          /* variance; probability that it is 0 */
};
/* Messages that take as long where they wait for nothing and wait about as long: of their rate `rate`. As made, waits
 * have a mean and a square; as mixed, 1 - none of them are gamma distributed. */
struct part {
    double zero, mean, rate, square, none, shape, scale, log_gamma;
};
struct mixture {
    struct wait *port, *state;
    struct part *part;
    size_t n, room;             /* parts */
    struct map place;           /* of a part, by what it takes */
};

/* Of an M/G/1 queue of rate x with holds t and G, waits ahead of mean `more`: by its mean wait and E (t + G)^3. */
static double wait_square(double x, double t, double more, double wait)
{
    const double vary = more * more + 2. / 3 * t * more, third = more > 0 ? more * more * more + 3 * more * vary +
        2 * vary * vary / more : 0;

    return 2 * wait * wait + x * (t * (t * (t + 3 * more) + 3 * (more * more + vary)) + third) /
        (3 * fmax(1e-3, 1 - x * (t + more)));
}

/* ---- waits at ports, and of ways ---- */

static void open_ports(struct mixture *m, const struct latency_study *s, size_t l)
{
    const struct collide *c = &s->collide;
    const struct flows *f = &s->flows;
    const bool turns = !c->o.switching->hold && !c->o.router.packets;
    const struct link_sum sum = collide_link(c, l);
    const double x = sum.x;
    double rho = sum.hold, h, t, wait, square = 0;

    if (!(x > 0))
        return;
    h = rho / x;
    t = c->o.switching->hold ? c->least_time : h;
    rho = fmin(rho, 1 - 1e-3);
    wait = x * (h * h + (h - t) * (h - t)) / (2 * (1 - rho));
    if (turns) {                                /* as collide_router.c has it */
        const double first = rho * h / 2, flits = fmax(1, c->o.time),
            part = (1 - pow(rho, router_channels(&c->o.router) - 1)) * (1 - 1 / (flits * flits));

        wait += part * (first + 0.42 * (wait - first));
        rho = 1 - (1 - rho) * exp(-rho * part);
    } else {
        square = wait_square(x, t, h - t, wait);
    }
    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
        const double w = c->wait[g], each = turns ? TURNS_FIRST * h + TURNS_BEYOND * wait : square / wait - w;

        m->port[g] = (struct wait){ fmax(0, w * each), fmax(0, 1 - rho * w / wait) };
    }
}

static int find_ports(struct mixture *m, const struct latency_study *s, struct err *err)
{
    const struct collide *c = &s->collide;
    struct collide_spread v;

    if (s->o.open) {
        for (size_t l = 0; l < s->flows.nlink; l++)
            open_ports(m, s, l);
        return 0;
    }
    if (collide_spread_open(&v, c, err) < 0)
        return -1;
    collide_spread_find(&v);
    for (size_t g = 0; g < s->flows.nport; g++)
        m->port[g] = (struct wait){ v.port[g], c->hold[g] > 0 ? c->hold[g] / (c->hold[g] + 2 * c->wait[g]) : 1 };
    collide_spread_close(&v);
    return 0;
}

static void find_states(struct mixture *m, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;

    for (size_t i = 0; i < f->nstate; i++) {
        struct wait sum = { 0, f->edge_first[i] == f->edge_first[i + 1] };

        for (uint32_t e = f->edge_first[i]; e < f->edge_first[i + 1]; e++) {
            const size_t child = (size_t)f->edge_child[e], g = (size_t)f->edge_port[e];
            const double rest = c->wait[g] + c->rest[child];

            sum.vary += f->edge_share[e] * (m->port[g].vary + m->state[child].vary + rest * rest);
            sum.none += f->edge_share[e] * m->port[g].none * m->state[child].none;
        }
        m->state[i] = (struct wait){ fmax(0, sum.vary - c->rest[i] * c->rest[i]), sum.none };
    }
}

/* ---- the mixture ---- */

/* An injection, and the wait before it. */
static struct part make_part(const struct mixture *m, const struct latency_study *s, size_t r)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;
    const size_t i = (size_t)f->injection_source[r], g = (size_t)f->injection_port[r],
        state = (size_t)f->injection_state[r];
    const double t = c->time[i], w = c->o.switching->hold ? c->latency[i] - c->idle[i] : 0,
        x = s->o.open ? c->rate[i] : 0, rho = x * (t + w);
    const double wait = x * ((t + w) * (t + w) + w * w) / (2 * (1 - rho));
    const double mean = c->wait[g] + c->rest[state] + wait;

    return (struct part){
        .zero = c->time[i] + collide_way(c, r), .mean = mean,
        .rate = f->injection_share[r] * flows_sources(f, i) * c->rate[i],
        .square = mean * mean + m->port[g].vary + m->state[state].vary +
            (x > 0 ? wait_square(x, t, w, wait) - wait * wait : 0),
        .none = m->port[g].none * m->state[state].none * (1 - rho)
    };
}

/* Puts what takes as long together. */
static int add_part(struct mixture *m, const struct part *p, double least_time, struct err *err)
{
    const uint64_t zero = (uint64_t)llround(1e6 * p->zero / least_time),
        longer = (uint64_t)(log1p(p->mean / p->zero) / TOGETHER);
    const int at = map_put(&m->place, zero << 12 ^ longer, (int)m->n, err);
    struct part *to;
    double part;

    if (at < 0 || GROW(&m->room, (size_t)at + 1, "percentiles of latency", err, GROWN(m->part)) < 0)
        return -1;
    to = &m->part[at];
    if ((size_t)at == m->n) {
        *to = *p;
        m->n++;
        return 0;
    }
    to->rate += p->rate;
    part = p->rate / to->rate;
    to->mean += part * (p->mean - to->mean);
    to->square += part * (p->square - to->square);
    to->none += part * (p->none - to->none);
    return 0;
}

/* Gamma distributions, and rates that sum to 1. */
static void mix(struct mixture *m)
{
    double all = 0;

    for (size_t i = 0; i < m->n; i++)
        all += m->part[i].rate;
    for (size_t i = 0; i < m->n; i++) {
        struct part *p = &m->part[i];
        const double mean = p->mean / (1 - p->none), vary = p->square / (1 - p->none) - mean * mean;

        p->rate /= all;
        if (!(p->mean > 1e-9 * p->zero && p->none < 1 - 1e-9)) {
            p->none = 1;
            continue;
        }
        p->scale = fmax(vary / mean, 1e-3 * mean);
        p->shape = mean / p->scale;
        p->log_gamma = lgamma(p->shape);
    }
}

/* The regularised lower incomplete gamma function, by its series. */
static double gamma_below(double a, double log_gamma, double x)
{
    double sum = 1 / a;

    if (!(x > 0))
        return 0;
    if (x > a + 10 * sqrt(a) + 50)              /* 1 to ten digits and more */
        return 1;
    for (double i = 1, term = sum; term > 1e-12 * sum; i++)
        sum += term *= x / (a + i);
    return sum * exp(a * log(x) - x - log_gamma);
}

static double below(const struct mixture *m, double t)
{
    double sum = 0;

    for (size_t i = 0; i < m->n; i++) {
        const struct part *p = &m->part[i];

        sum += p->zero > t * (1 + 1e-12) ? 0 : p->rate * (p->none < 1 ? p->none + (1 - p->none) *
                          gamma_below(p->shape, p->log_gamma, (t - p->zero) / p->scale) : 1);
    }
    return sum;
}

/* By halving; exact where messages that wait for nothing decide. */
static double quantile(const struct mixture *m, double part)
{
    double lo = 0, hi = 2 * m->part[0].zero;

    for (; below(m, hi) < part * (1 - 1e-9); hi *= 2)
        lo = hi;
    while (hi - lo > 1e-7 * hi) {
        const double at = (lo + hi) / 2;

        *(below(m, at) < part * (1 - 1e-9) ? &lo : &hi) = at;
    }
    for (size_t i = 0; i < m->n; i++)
        if (m->part[i].zero >= lo && m->part[i].zero <= hi)
            return m->part[i].zero;
    return hi;
}

/* Whether the fit was held against simulation, and found to be right. */
static bool is_known(const struct latency_study *s)
{
    const struct collide *c = &s->collide;
    const struct router *r = &c->o.router;

    if (c->part || c->time_sum || s->flows.link_slow || c->o.switching->sets_up)
        return false;
    return c->o.switching->hold || isinf(r->vcs) || (router_channels(r) > 1 && !r->speedup && !r->packets);
}

int latency_quantiles(struct latency_quantiles *out, const struct latency_study *s, enum validity validity,
                      struct err *err)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;
    struct mixture m = { 0 };
    int ret = -1;

    *out = (struct latency_quantiles){ NAN, NAN, NAN };
    if (validity != VALIDITY_GOOD || !is_known(s))
        return 0;
    if (TAKE("percentiles of latency", err, ZEROS(m.port, f->nport + 1), ZEROS(m.state, f->nstate + 1)) < 0)
        return -1;
    if (find_ports(&m, s, err) < 0)
        goto done;
    find_states(&m, s);
    for (size_t r = 0; r < f->ninjection; r++) {
        const struct part p = make_part(&m, s, r);

        if (f->injection_share[r] > 0 && add_part(&m, &p, c->least_time, err) < 0)
            goto done;
    }
    mix(&m);
    *out = (struct latency_quantiles){ quantile(&m, 0.5), quantile(&m, 0.95), quantile(&m, 0.99) };
    ret = 0;
done:
    FREE(m.port, m.state, m.part);
    map_release(&m.place);
    return ret;
}
