/* collide_router.c -- open sources where messages that wait leave their links, or some of them: waits by routers
 * (router.h), and the load beyond which there are none.
 * 1. links     rates and times of links and of what leads to them
 * 2. merging   several channels: what streams wait where they merge, and what flits that take turns add
 * 3. holding   one channel: heads of buffers compete; a blocked message blocks those behind it and, where
 *              its buffer is too small, the links it stands on
 * 4. saturation
 *
 * Merging. Where Poisson streams of equal messages of fixed length merge that were serialised each by a link as fast,
 * the mean wait over all is M(x) - sum s_g M(x_g), M(x) = x F^2 / (2 (1 - x F)), s_g = x_g / x (L. Shalmon and M.
 * Kaplan 1984, for tandem links): work is conserved, and what has been waited for before need not be waited for again.
 * A stream that is the part x_g / x_u of what link u sent is smoother than that: while u is busy it is a row of places
 * F apart, taken or not. Were u always so, the mean would be 1 - x_g F times as long (slotted streams, exact). It
 * counts as far as u is busy longer than l remembers: with the relaxation times t(y) = 1 / (1 - y F)^2 of u, of the
 * stream alone and of l, by H = (t_u - t_g) / (t_u - t_g + SMOOTH t_l), 0 for a whole link, 1 behind one that never
 * rests: factor 1 - sum s_g x_g F H_g. Ports differ as they do at light load, by x F^2 / 2 (sum s_h^2 - s_g). Flits of
 * several messages that take turns delay both of two that meet, by (1 - 1/F^2) times the first order of that mean; of
 * what is beyond the first order by TURNS; and only while a channel is free, 1 - (x F)^(V - 1) (as in queues that
 * serve V at a time).
 * Behind links of other speeds each stream has waited for those, and is worth that much less; what remains is the first
 * order of the mean at least, sum of s_g (1 - s_g) x F^2 / 2: a lone stream waits nothing behind a slower link, and
 * M(x) by its own time less that by the one before behind a faster one.
 * Crossbar without speedup: an output finds the inputs that wait for it busy for others, and loses CROSS
 * sqrt(1 - sum s^2) sum s_g^2 (x_u - x_g) F of its time.
 *
 * Holding. Ports are sources that are idle, want the link, wait and hold it, as closed ones are (closure.h), at rates
 * that are given. A message that waits w at its j-th link from here stands on this link for as long as w exceeds what
 * the buffers between take in, j (B - flits under way in a router): w is taken to be exponential for those that wait.
 * Which link follows is known as far as the rates of turns tell. In a buffer, messages queue for the first of them to
 * be gone: M/G/1 less what they have queued for their link already, times min(1, B/F).
 *
 * Fitted: SMOOTH to message-level simulation of thirteen networks and traffics (mean latency within 5 % up to 0.9 of
 * capacity but for tornado, +11 %); TURNS, CROSS to flit-level simulation. */
#include "analysis/latency/collide.h"

#define SMOOTH 0.63
#define TURNS 0.42
#define CROSS 1.6

enum { LINK_ROWS = 11 };       /* arrays by link */

/* All rates are those of the flows times `factor`. */
struct place {
    struct collide *c;
    const struct router *r;
    double channels, factor, flits;     /* flits: of a message, in the mean */
    double longest;             /* links of a way, in the mean where ways branch */
    double *x, *time;           /* by link: rate; cycles that a message takes of it, credits included */
    double *alone;              /* by link: cycles that a message takes over one channel */
    double *same, *lost;        /* by link: sum of s^2; part of its time that the crossbar loses, at factor 1 */
    double *merge, *all;        /* by port: waits by merging; all waits */
    double *stall, *vary;       /* by link: what messages hold it longer, and the variance of that */
    double *ahead[4];           /* by link, scratch: two rows and two more lie one after the other */
    /* One channel: by port the wait for the link, then by link that in its buffer for those before. */
    double *now, *next, *saved;
    struct mixing mixing;
    bool full;                  /* no solution here */
};

/* ---- links ---- */

static double input_rate(const struct place *p, size_t g)
{
    const int in = p->c->f->port_in[g];

    return p->factor * (in >= 0 ? p->x[in] : p->c->rate[-1 - in]);
}

/* Cycles that a message takes of what leads to the port. */
static double input_time(const struct place *p, size_t g)
{
    const int in = p->c->f->port_in[g];

    return p->time[in >= 0 ? in : p->c->f->port_link[g]];
}

static void place_links(struct place *p)
{
    const struct flows *f = p->c->f;
    const double all = router_pace(p->r, p->r->vcs), one = router_pace(p->r, 1);
    double flits = 0, rate = 0;

    for (size_t i = 0; i < f->nsource; i++) {
        flits += flows_sources(f, i) * p->c->rate[i] * p->c->time[i] / f->flit_time;
        rate += flows_sources(f, i) * p->c->rate[i];
    }
    p->flits = p->c->time_sum ? flits / rate : p->c->o.time;
    for (size_t i = 0; i < f->ninjection; i++)
        p->longest = fmax(p->longest, ceil(f->injection_links[i]));
    for (size_t l = 0; l < f->nlink; l++) {
        const double flit = flows_slow(f, l) * f->flit_time;
        const struct link_sum s = collide_link(p->c, l);

        p->x[l] = s.x;
        p->time[l] = s.x > 0 ? s.busy / s.x * fmax(1, all / flit) : 0;
        p->alone[l] = s.x > 0 ? s.busy / s.x * fmax(1, one / flit) : 0;
        p->same[l] = s.x > 0 ? fmin(1, s.squares / (s.x * s.x)) : 1;
    }
    for (size_t l = 0; l < f->nlink; l++) {
        double sum = 0;

        for (size_t g = f->port_first[l]; p->x[l] > 0 && !p->r->speedup && g < f->port_first[l + 1]; g++) {
            const double s = p->c->x[g] / p->x[l];

            sum += flows_ports(f, g) * s * s * fmax(0, input_rate(p, g) / p->factor - p->c->x[g]) * p->time[l];
        }
        p->lost[l] = CROSS * sqrt(1 - p->same[l]) * sum;
    }
}

/* Part of a link's time that is taken, what the crossbar loses included; 1 and more: it does not keep up. */
static double place_taken(const struct place *p, size_t l)
{
    return p->factor * (p->x[l] * p->time[l] + p->lost[l]);
}

/* ---- merging ---- */

/* The wait of a Poisson stream at a server that takes `time` for each. */
static double queue(double x, double time)
{
    return x * time * time / (2 * (1 - x * time));
}

static double relaxation(double busy)
{
    const double idle = fmax(1e-4, 1 - busy);

    return 1 / (idle * idle);
}

static double merged(const struct place *p, size_t l)
{
    const struct flows *f = p->c->f;
    const double x = p->factor * p->x[l], time = p->time[l], served = time / (1 - p->factor * p->lost[l]);
    const double own = relaxation(x * served), first = x * time * time / 2 * (1 - p->same[l]);
    const double flits = time / (flows_slow(f, l) * f->flit_time);
    double before = 0, smooth = 0, mean, turns;

    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
        const double xg = p->factor * p->c->x[g], s = flows_ports(f, g) * xg / x, in = input_time(p, g);
        const double u = relaxation(input_rate(p, g) * in), alone = relaxation(xg * in);

        if (!(xg > 0))
            continue;
        before += s * queue(xg, fmin(served * in / time, (1 - 1e-9) / xg));
        if (u > alone)
            smooth += s * xg * in * (u - alone) / (u - alone + SMOOTH * own);
    }
    mean = fmax(first, queue(x, served) - before) * fmax(0, 1 - smooth);
    if (p->r->packets)
        return mean;
    turns = 1 - (isinf(p->channels) ? 0 : pow(fmin(1, x * served), fmax(1, p->channels == 1 ? p->r->classes - 1 :
                                                                         p->channels - 1)));
    return mean + fmax(0, 1 - 1 / (flits * flits)) * turns * (first + TURNS * fmax(0, mean - first));
}

static void place_merge(struct place *p)
{
    const struct flows *f = p->c->f;
    const double part = p->channels > 1 ? 1 : 1 - 1.0 / p->r->classes;  /* one channel: of other classes */

    for (size_t l = 0; l < f->nlink; l++) {
        const double more = p->factor * p->x[l] * p->time[l] * p->time[l] / 2;
        const double mean = part > 0 && p->x[l] > 0 ? merged(p, l) : 0;

        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
            p->merge[g] = part > 0 && p->x[l] > 0 ?
                part * fmax(0, mean + more * (p->same[l] - p->c->x[g] / p->x[l])) : 0;
    }
}

/* ---- holding ---- */

/* The part of messages that wait at a port: as much as of the link's time others hold it. Messages that took r times
 * as long before, r < 1, come sooner than the link is free again, and wait for each other: 1 - r^2 of what they take of
 * it, so that those that wait do so for half a message in the mean, as for others. */
static double part_waits(const struct place *p, size_t g)
{
    const size_t l = (size_t)p->c->f->port_link[g];
    const double x = p->c->x[g], ratio = input_time(p, g) / p->time[l],
        own = ratio < 1 - 1e-9 ? x * p->time[l] * (1 - ratio * ratio) : 0;

    return fmin(1, fmax(1e-9, p->factor * (p->x[l] - x) * (p->alone[l] + p->stall[l]) + p->factor * own));
}

/* What a message that waits at a port, `behind` others and `wait` for its link, makes a link wait that lies `j` links
 * before; and its variance. A buffer takes in flits as fast as the link before it brings them. */
static double held_back(double *vary, const struct place *p, size_t g, double wait, double behind, int j)
{
    const struct flows *f = p->c->f;
    const double mean = wait / part_waits(p, g);
    const double fill = p->r->buffer * flows_slow(f, (size_t)f->port_in[g]) * f->flit_time,
        takes = fmax(0, fill - p->r->time) * j, held = wait > 0 ? (wait + behind) * exp(-takes / mean) : 0;

    *vary = fmax(0, 2 * mean * held - held * held);
    return held;
}

/* stall and vary, from waits of ports for their links and in the buffers (by link; NULL: none): of all links that a
 * message reaches from its head back, from the last one on. */
static void place_stalls(struct place *p, const double *wait, const double *behind)
{
    const struct flows *f = p->c->f;
    const int hops = (int)fmin(ceil(p->flits / p->r->buffer - 1e-9), p->longest) - 1;
    double *stall = p->ahead[0], *vary = p->ahead[1];

    memset(stall, 0, 2 * f->nlink * sizeof *stall);
    for (int j = hops; j >= 1; j--) {
        double *to = p->ahead[2], *to_vary = p->ahead[3];

        memset(to, 0, 2 * f->nlink * sizeof *to);
        for (size_t g = 0; g < f->nport; g++)
            if (f->port_in[g] >= 0 && p->c->x[g] > 0) {
                const size_t in = (size_t)f->port_in[g], l = (size_t)f->port_link[g];
                const double part = flows_ports(f, g) * flows_links(f, l) / flows_links(f, in) * p->c->x[g] / p->x[in];
                double more, held = held_back(&more, p, g, wait[g], behind ? behind[in] : 0, j);

                to[in] += part * (held + stall[l]);
                to_vary[in] += part * (more + vary[l]);
            }
        memcpy(stall, to, 2 * f->nlink * sizeof *to);
    }
    memcpy(p->stall, stall, f->nlink * sizeof *stall);
    memcpy(p->vary, vary, f->nlink * sizeof *vary);
}

/* The wait in the buffer at the end of a link, of which the first message is gone after its wait and its link's time,
 * for one channel a class (next NULL: not asked for); p->full where all channels are taken. */
static void place_behind(double *next, struct place *p, const double *wait)
{
    const struct flows *f = p->c->f;
    const double part = fmin(1, p->r->buffer / p->flits);
    double *mean = p->ahead[0], *square = p->ahead[1];

    memset(mean, 0, 2 * f->nlink * sizeof *mean);
    for (size_t g = 0; g < f->nport; g++)
        if (f->port_in[g] >= 0 && p->c->x[g] > 0) {
            const size_t in = (size_t)f->port_in[g], l = (size_t)f->port_link[g];
            const double ways = flows_ports(f, g) * flows_links(f, l) / flows_links(f, in) * p->c->x[g] / p->x[in];
            const double w = wait[g], hold = p->alone[l] + p->stall[l],
                more = fmax(0, 2 * w * w / part_waits(p, g) - w * w);

            mean[in] += ways * (w + hold);
            square[in] += ways * ((w + hold) * (w + hold) + more);
        }
    for (size_t l = 0; l < f->nlink; l++) {
        const double x = p->factor * p->x[l] / p->r->classes;
        double busy = x * mean[l], alone = x * p->alone[l];

        if (busy >= p->channels || alone >= p->channels)
            p->full = true;
        if (!next)
            continue;
        busy = fmin(busy, 0.999);
        alone = fmin(alone, 0.999);
        next[l] = part * fmax(0, x * square[l] / (2 * (1 - busy)) - alone * p->alone[l] / (2 * (1 - alone)));
    }
}

/* What ports wait for their link next: each for each other one as for a closed source of that rate (closure.h); of
 * what one waits, each other one has a part by its rate. */
static void next_waits(double *next, struct place *p, const double *wait)
{
    const struct flows *f = p->c->f;

    for (size_t l = 0; l < f->nlink; l++) {
        const size_t from = f->port_first[l], to = f->port_first[l + 1];
        const double stall = p->stall[l], hold = p->alone[l] + stall, all = p->factor * p->x[l] / p->r->classes;
        const struct closure_spread spread = stall > 0 && p->vary[l] > 0 ?
            (struct closure_spread){ stall * stall / p->vary[l], p->vary[l] / stall } : (struct closure_spread){ 0, 0 };

        for (size_t g = from; g < to; g++) {
            const double x = p->factor * p->c->x[g] / p->r->classes, idle = x > 0 ? 1 / x - hold - wait[g] : 1;
            const struct closure_side side = { x, hold, wait[g], fmax(1e-6 * hold, idle), spread };
            const struct closure_rest rest = closure_rest(&side, &side);

            next[g] = 0;
            if (!(x > 0))
                continue;
            if (idle <= 0)
                p->full = true;
            for (size_t j = from; j < to; j++) {
                const double xj = p->factor * p->c->x[j] / p->r->classes, many = flows_ports(f, j) - (j == g);
                const struct closure_side other = { xj, hold, wait[j], 0, spread };

                if (many > 0 && xj > 0)
                    next[g] += many * closure_wait_rest(&side, &other, wait[j] * x / fmax(x, all - xj), 0, &rest);
            }
        }
    }
}

enum { ROUNDS = 1000, FAST = 60 };
#define SETTLED 1e-5            /* of the shortest message: enough near saturation, where rounds draw together slowly */

/* The fixed point of waits where each class has one channel, from that of `now`; p->full where there is none. */
static int place_hold(struct place *p, double tolerance, size_t rounds, struct err *err)
{
    struct collide *c = p->c;
    const size_t nport = c->f->nport, n = nport + c->f->nlink;
    double *behind = p->now + nport;
    int stuck = 0;

    mixing_forget(&p->mixing);
    for (c->rounds = 1; c->rounds <= rounds; c->rounds++) {
        double change = 0;

        p->full = false;
        for (size_t g = 0; g < nport; g++)
            p->all[g] = p->now[g] + p->merge[g];
        place_stalls(p, p->all, behind);
        next_waits(p->next, p, p->now);
        for (size_t g = 0; g < nport; g++)
            p->all[g] = p->next[g] + p->merge[g];
        place_behind(p->next + nport, p, p->all);
        for (size_t i = 0; i < n; i++) {
            const double by = fabs(p->next[i] - p->now[i]);

            if (!(by <= change))
                change = by;
        }
        c->residual = change / c->least_time;
        stuck = p->full ? stuck + 1 : 0;
        if (c->residual <= tolerance || !isfinite(c->residual) || stuck > (int)rounds / 5)
            break;
        if (tick_check(c->o.tick, 0, err) < 0)
            return -1;
        if (c->rounds < FAST)
            mixing_step(&p->mixing, p->now, p->next, 0.5);
        for (size_t i = 0; i < n; i++) {
            if (c->rounds >= FAST)
                p->now[i] = c->rounds == FAST ? 0 : p->now[i] + 0.3 * (p->next[i] - p->now[i]);
            p->now[i] = fmax(0, p->now[i]);
        }
    }
    p->full = p->full || !(c->residual <= fmax(tolerance, SETTLED));
    for (size_t g = 0; g < nport; g++)
        p->all[g] = p->now[g] + p->merge[g] + (c->f->port_in[g] >= 0 ? behind[c->f->port_in[g]] : 0);
    return 0;
}

/* ---- a load ---- */

void collide_router_release(struct collide *c)
{
    if (!c->place)
        return;
    free(c->place->x);
    mixing_release(&c->place->mixing);
    free(c->place);
    c->place = NULL;
}

/* Once for all loads. */
static int place_new(struct collide *c, struct err *err)
{
    const struct flows *f = c->f;
    struct place *p = calloc(1, sizeof *p);
    const size_t n = f->nport + f->nlink, all = LINK_ROWS * f->nlink + 2 * f->nport + 3 * n;

    if (!p)
        return err_memory(err);
    if (TAKE("waits at routers", err, ZEROS(p->x, all + 1)) < 0) {
        free(p);
        return -1;
    }
    p->channels = router_channels(&c->o.router);
    if (p->channels == 1 && mixing_open(&p->mixing, n, 6, err) < 0) {
        free(p->x);
        free(p);
        return -1;
    }
    p->time = p->x + f->nlink;
    p->alone = p->time + f->nlink;
    p->same = p->alone + f->nlink;
    p->lost = p->same + f->nlink;
    p->stall = p->lost + f->nlink;
    p->vary = p->stall + f->nlink;
    for (size_t i = 0; i < 4; i++)
        p->ahead[i] = p->vary + (i + 1) * f->nlink;
    p->merge = p->x + LINK_ROWS * f->nlink;
    p->all = p->merge + f->nport;
    p->now = p->all + f->nport;
    p->next = p->now + n;
    p->saved = p->next + n;
    c->place = p;
    return 0;
}

/* Rates, and what follows from them, as the sources send. */
static void place_rates(struct place *p)
{
    struct collide *c = p->c;

    memset(c->wait, 0, c->f->nport * sizeof *c->wait);
    memset(c->rest, 0, c->f->nstate * sizeof *c->rest);
    collide_flow(c, true);
    place_links(p);
}

/* Sources send as the load says; from no waits. */
static struct place *place_open(struct collide *c, const struct load *load, struct err *err)
{
    const size_t n = c->f->nport + c->f->nlink;

    if (collide_begin(c, load, err) < 0 || (!c->place && place_new(c, err) < 0))
        return NULL;
    for (size_t i = 0; i < c->f->nsource; i++)
        c->rate[i] = 1 / c->mi[i];
    c->place->c = c;
    c->place->r = &c->o.router;
    c->place->factor = 1;
    memset(c->place->stall, 0, 2 * c->f->nlink * sizeof *c->place->stall);
    memset(c->place->now, 0, n * sizeof *c->place->now);
    place_rates(c->place);
    return c->place;
}

/* p->all: waits at p->factor; p->full where there are none. */
static int place_solve(struct place *p, double tolerance, size_t rounds, struct err *err)
{
    const struct flows *f = p->c->f;

    p->full = false;
    for (size_t l = 0; l < f->nlink && !p->full; l++)
        if (!(place_taken(p, l) < 1)) {
            p->full = true;
            p->c->full_link = (int64_t)l;
        }
    if (p->full)
        return 0;
    place_merge(p);
    if (p->channels == 1)
        return place_hold(p, tolerance, rounds, err);
    memcpy(p->all, p->merge, f->nport * sizeof *p->all);
    memset(p->stall, 0, f->nlink * sizeof *p->stall);
    if (isfinite(p->channels)) {
        place_stalls(p, p->all, NULL);
        place_behind(NULL, p, p->all);
    }
    return 0;
}

/* The solution, as the flows have it. */
static void place_tell(const struct place *p)
{
    struct collide *c = p->c;

    for (size_t g = 0; g < c->f->nport; g++) {
        const size_t l = (size_t)c->f->port_link[g];
        const double pace = router_pace(p->r, p->channels == 1 ? 1 : p->r->vcs) /
            (flows_slow(c->f, l) * c->f->flit_time);

        c->wait[g] = p->all[g];
        c->hold[g] = c->x[g] > 0 ? collide_busy(c, g) / c->x[g] * fmax(1, pace) : 0;    /* of its own messages */
        c->hold[g] += p->channels == 1 ? p->stall[l] : 0;
        c->vary[g] = p->channels == 1 ? p->vary[l] : 0;
    }
    collide_rests(c);
    collide_latencies(c);
}

int collide_router_solve(struct collide *c, const struct load *load, struct err *err)
{
    struct place *p = place_open(c, load, err);

    c->rounds = 1;
    c->residual = 0;
    if (!p || place_solve(p, c->o.tolerance, ROUNDS, err) < 0)
        return -1;
    if (p->full && p->channels == 1) {          /* from above: the solution nearest to saturation, if that is known */
        memcpy(p->now, p->saved, (c->f->nport + c->f->nlink) * sizeof *p->now);
        if (place_solve(p, SETTLED, ROUNDS, err) < 0)
            return -1;
    }
    if (p->full)
        return collide_beyond(c, load, c->full_link, err);
    place_tell(p);
    return 0;
}

enum { CLOSED_ROUNDS = 2000 };

int collide_router_closed(struct collide *c, const struct load *load, struct err *err)
{
    const size_t n = c->f->nsource;
    struct place *p = place_open(c, load, err);
    double part = 0.5, before = INFINITY, *now = NULL;
    char where[60];
    int ret = -1;

    if (!p || TAKE("latencies of sources", err, ARRAY(now, n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        now[i] = c->time[i];
        c->rate[i] = 1 / (c->mi[i] + now[i]);
    }
    for (size_t round = 1;; round++) {
        double change = 0;

        place_rates(p);
        if (place_solve(p, fmin(1e-7, 10 * c->o.tolerance), ROUNDS, err) < 0)
            goto done;
        if (!p->full)
            place_tell(p);
        for (size_t i = 0; i < n; i++) {
            const double next = p->full ? 1.2 * now[i] : c->latency[i];

            change = fmax(change, fabs(next - now[i]) / c->time[i]);
            now[i] += (p->full ? 1 : part) * (next - now[i]);
            c->rate[i] = 1 / (c->mi[i] + now[i]);
        }
        c->rounds = round;
        c->residual = change;
        if (!p->full && change <= fmax(1e-8, c->o.tolerance))
            break;
        if (tick_check(c->o.tick, 0, err) < 0)
            goto done;
        if (round == CLOSED_ROUNDS) {
            err_set(err, ERR_NETWORK, "the waits do not settle at %s: after %zu rounds they still change by %.2g of a "
                    "transmission time", load_name(where, c->f, load), round, change);
            goto done;
        }
        part = change > before ? fmax(0.02, 0.7 * part) : fmin(1, 1.05 * part);
        before = change;
    }
    ret = 0;
done:
    free(now);
    return ret;
}

/* ---- saturation ---- */

/* Near it waits settle slowly: what has not settled after so many rounds, nearly, counts as beyond. */
#define NEAR 1e-3
enum { TRIED = 150 };

int collide_router_saturation(double *factor, struct collide *c, const struct load *load, struct err *err)
{
    const size_t n = c->f->nport + c->f->nlink;
    struct place *p = place_open(c, load, err);
    double need = 0, lo = 0, hi;
    bool full = false;

    if (!p)
        return -1;
    memset(p->saved, 0, n * sizeof *p->saved);
    for (size_t l = 0; l < c->f->nlink; l++)
        need = fmax(need, place_taken(p, l));
    hi = 1 / need;
    while (isfinite(p->channels) && hi - lo > NEAR * hi) {
        p->factor = (lo + hi) / 2;
        memcpy(p->now, p->saved, n * sizeof *p->now);   /* from the last solution */
        if (place_solve(p, 1e-4, TRIED, err) < 0)
            return -1;
        if (!p->full)
            memcpy(p->saved, p->now, n * sizeof *p->saved);
        full = full || p->full;
        *(p->full ? &hi : &lo) = p->factor;
    }
    *factor = full ? lo : hi;
    c->full_link = -1;
    return 0;
}
