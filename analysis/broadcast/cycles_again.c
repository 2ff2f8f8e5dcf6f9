/* 1. runs         random numbers, runs that must not deadlock
 * 2. light load   T0 and the slope a, from one broadcast and from two
 * 3. heavy load   S from overloaded runs, completions from runs at a load
 * 4. curve        the polynomial through the runs
 * 5. results      completion at an interval, intervals at which two trees are equal */
#include "analysis/broadcast/cycles_again.h"
#include "graph/base/order.h"
#include "graph/numeric/rng.h"

struct study {                      /* of one tree */
    const struct cycles_ways *ways;
    const struct again_how *how;
    const struct tick *tick;
    struct rng rng;
    double *idle;                   /* by root */
};

/* ---- runs ---- */

static double exponential(struct rng *rng, double mean)
{
    return -mean * log1p(-rng_uniform(rng));
}

/* `done`: part of all work. A run asks whether to stop only when it is long. */
static int run_through(struct cycles_run *r, const struct cycles_hooks *hooks, const struct study *s, double done,
                       struct err *err)
{
    const struct tick rest = tick_part(s->tick, done, 1);

    if (tick(&rest, 0))
        return err_stopped(err);
    if (cycles_run(r, hooks, &rest, err) < 0)
        return -1;
    if (r->stuck == 0)
        return 0;
    return err_set(err, ERR_NETWORK, "broadcasts again and again block each other for good: messages hold links that "
                   "others of them wait for, round in a circle; cut-through, or a routing without circles such as "
                   "updown, will do");
}

/* ---- light load ---- */

static int idle(struct again *a, struct study *s, struct err *err)
{
    struct cycles_start start = { 0, 0 };
    struct cycles_run run;
    int ret = 0;

    if (cycles_run_open(&run, s->ways, &s->how->run, &start, 1, err) < 0)
        return -1;
    for (; ret == 0 && start.root < a->nroot; start.root++) {
        ret = run_through(&run, NULL, s, 0.05 * start.root / a->nroot, err);
        s->idle[start.root] = run.completion[0];
        a->idle += run.completion[0] / a->nroot;
    }
    cycles_run_release(&run);
    return ret;
}

/* Offsets at which a broadcast meets that of root i: in so many steps, for each of the roots. */
static double strata(const struct again *a, const struct study *s, int i, double step)
{
    return ceil(s->idle[i] / step * (1 - 1e-12)) * a->nroot;
}

/* a = 1/roots times the sum over ordered pairs of roots, and the integral over the offset, of what both broadcasts take
 * longer than alone. */
static int slope(struct again *a, struct study *s, struct err *err)
{
    const bool even = !s->ways->links->slowness && s->how->run.hop_time == 0;
    const double most = fmax(floor(s->how->work / (s->ways->n - 1)), 200);
    const double step = even ? s->how->run.flits : fmin(s->how->run.flits, a->idle * a->nroot * a->nroot / most);
    struct cycles_start start[2] = { { 0, 0 }, { 0, 0 } };
    double all = 0, draws, before = 0, sum = 0;
    struct cycles_run r;
    int i = 0, ret = 0;

    for (int k = 0; k < a->nroot; k++)
        all += strata(a, s, k, step);
    draws = fmin(all, most);
    a->slope_exact = even && draws == all;
    if (cycles_run_open(&r, s->ways, &s->how->run, start, 2, err) < 0)
        return -1;
    for (double m = 0; ret == 0 && m < draws; m++) {
        const double at = draws == all ? m : floor((m + rng_uniform(&s->rng)) * all / draws);
        int j;

        for (; i < a->nroot - 1 && at >= before + strata(a, s, i, step); i++)
            before += strata(a, s, i, step);
        j = (int)fmod(at - before, a->nroot);
        if (s->how->closed && i == j)           /* a root does not overlap itself */
            continue;
        start[0].root = i;
        start[1].root = j;
        start[1].at = (floor((at - before) / a->nroot) + (even ? 0.5 : rng_uniform(&s->rng))) * step;
        ret = run_through(&r, NULL, s, 0.05 + 0.25 * m / draws, err);
        sum += r.completion[0] - s->idle[i] + r.completion[1] - start[1].at - s->idle[j];
    }
    a->slope = fmax(0, sum * step * all / draws / a->nroot);
    cycles_run_release(&r);
    return ret;
}

/* ---- heavy load ---- */

ORDER(sooner, struct cycles_start, UP(at))

/* Time to complete `rounds` broadcasts of each root, one every `offered` cycles: faster than the network carries. */
static int overload(double *span, struct study *s, size_t rounds, double offered, struct err *err)
{
    const size_t n = (size_t)s->ways->nroot;
    struct cycles_start *start;
    struct cycles_run r;
    int ret;

    if (TAKE("broadcasts again and again", err, ARRAY(start, rounds * n)) < 0)
        return -1;
    for (size_t b = 0; b < rounds * n; b++)     /* Poisson, given their number; of one root all wait anyway */
        start[b] = (struct cycles_start){ (int)(b % n), n == 1 || b == 0 ? 0 :
                                                        rng_uniform(&s->rng) * offered * (double)(rounds - 1) };
    qsort(start, rounds * n, sizeof *start, sooner);
    ret = cycles_run_open(&r, s->ways, &s->how->run, start, rounds * n, err);
    if (ret == 0) {
        ret = run_through(&r, NULL, s, 0.3, err);
        *span = r.last;
        cycles_run_release(&r);
    }
    free(start);
    return ret;
}

/* S from the difference between runs of few and of many rounds, which has neither start nor end effects. */
static int saturate(struct again *a, struct study *s, struct err *err)
{
    const double all = 0.75 * s->how->work / a->nroot / (s->ways->n - 1);
    const size_t most = (size_t)fmin(fmax(all, 12), 1000), few = most / 4;
    double span[2], offered = 0.7 * a->capacity.interval;

    if (overload(&span[0], s, few, offered, err) < 0)
        return -1;
    offered = fmax(offered, 0.85 * (span[0] - a->idle) / (double)few);
    if (overload(&span[1], s, most, offered, err) < 0)
        return -1;
    a->saturation = fmax(a->capacity.interval, (span[1] - span[0]) / (double)(most - few));
    return 0;
}

/* Broadcasts in a pool of slots; one that completes leaves its slot to the next. */
struct drawn {
    struct study *s;
    struct cycles_start *start;
    double *asked;                  /* by slot: when its broadcast was */
    double mean;                    /* interval between starts over all roots; closed: of a pause */
    double last;                    /* start */
    double serve, wait;             /* of a single queue with the same arrivals (control variate) */
    double *waits;                  /* by slot */
    double left, skip;              /* broadcasts to start; completions that are warm-up */
    double n, from, to;             /* completions that count; when they begin and end */
    double sum, sum_wait, product, square;      /* completions, waits in the single queue */
};

/* Draws the next broadcast of a slot that is free from `now` on. */
static void draw(struct drawn *d, size_t slot, double now)
{
    struct rng *rng = &d->s->rng;
    const double gap = exponential(rng, d->mean);

    if (d->s->how->closed) {
        d->asked[slot] = now + gap;
        return;
    }
    d->asked[slot] = d->last += gap;
    d->waits[slot] = d->wait = fmax(0, d->wait + d->serve - gap);
    d->start[slot].root = (int)rng_below(rng, (uint64_t)d->s->ways->nroot);
}

static double drawn_again(void *arg, const struct cycles_run *r, size_t b)
{
    struct drawn *d = arg;
    const double now = r->completion[b];

    if (d->skip > 0) {
        d->skip--;
        d->from = now;
    } else if (d->left > 0) {
        const double took = now - d->asked[b], wait = d->waits[b];

        d->n++;
        d->sum += took;
        d->sum_wait += wait;
        d->product += took * wait;
        d->square += wait * wait;
        d->to = now;
    }
    if (d->left == 0)
        return INFINITY;
    d->left--;
    draw(d, b, now);
    return d->asked[b];
}

/* Control variate: the correction of the mean completion by what the single queue, whose mean wait is known (M/D/1),
 * happened to wait more. */
static double control(const struct drawn *d, double rho)
{
    const double wait = d->sum_wait / d->n, spread = d->square / d->n - wait * wait;

    return d->s->how->closed || !(spread > 0) ? 0 :
        (d->product / d->n - d->sum / d->n * wait) / spread * (wait - rho * d->serve / (2 * (1 - rho)));
}

/* Mean completion where each root starts one broadcast every `interval` cycles on average (closed: pauses as long), and
 * `*period`, the interval that was reached. */
static int drawn(double *completion, double *period, const struct again *a, struct study *s, double interval,
                 double work, struct err *err)
{
    struct drawn d = { .s = s, .mean = s->how->closed ? interval : interval / a->nroot };
    const struct cycles_hooks hooks = { .restart = drawn_again, .arg = &d };
    /* many more than are in flight below saturation */
    const double room = s->how->closed ? a->nroot : 64 + floor(4 * a->nroot * (1 + a->idle / interval));
    struct cycles_run r = { 0 };
    size_t slots;
    int ret = -1;

    if (mem_need(room * (sizeof *d.start + 2 * sizeof *d.asked), "broadcasts again and again", err) < 0)
        return -1;
    slots = (size_t)room;
    if (TAKE("broadcasts again and again", err, ARRAY(d.start, slots), ZEROS(d.asked, 2 * slots)) < 0)
        goto done;
    if (cycles_run_open(&r, s->ways, &s->how->run, d.start, slots, err) < 0)   /* forecast before any is touched */
        goto done;
    d.waits = d.asked + slots;
    d.serve = a->saturation / a->nroot;
    d.left = ceil(fmax(work / (s->ways->n - 1), 8. * a->nroot));
    d.skip = floor(d.left / 8);
    for (size_t b = 0; b < slots; b++) {
        d.start[b].root = (int)(b % (size_t)a->nroot);
        draw(&d, b, s->how->closed ? rng_uniform(&s->rng) * a->idle : 0);
        d.start[b].at = d.asked[b];
    }
    ret = run_through(&r, &hooks, s, 0.6, err);
    *completion = d.sum / d.n - control(&d, a->saturation / interval);
    *period = (d.to - d.from) / d.n * a->nroot;
done:
    cycles_run_release(&r);
    FREE(d.start, d.asked);
    return ret;
}

/* ---- curve ---- */

/* Knots: the first, where the slope a gives the completion, then those of drawn runs. By rho; closed, by u. */
static const double knot[2][AGAIN_KNOTS] = { { 0, 0.4, 0.8 }, { 1, 0, 0.06, 0.2, 0.35, 0.5, 0.65, 0.85 } };
static const int nknot[2] = { 3, 8 };
/* Waits at rho 0.8, in S, above which roots cannot keep the rate: ten times those of M/D/1. */
#define JAMMED 20
#define HARDLY 0.01                 /* pause, in T0, of roots that do not pause: keeps them out of lockstep */

/* The polynomial through the knots. */
static double through(const struct again *a, double x)
{
    const int n = nknot[a->closed];
    double sum = 0;

    for (int i = 0; i < n; i++) {
        double w = a->factor[i];

        for (int j = 0; j < n; j++)
            w *= i == j ? 1 : (x - knot[a->closed][j]) / (knot[a->closed][i] - knot[a->closed][j]);
        sum += w;
    }
    return sum;
}

/* Closed: rate (pause + completion) = 1. */
static double completion_at(const struct again *a, double interval)
{
    if (a->closed) {
        const double g = a->slope * through(a, interval / (interval + a->saturation)), sum = interval + a->idle;

        return a->idle + (sqrt(sum * sum + 4 * fmax(0, g)) - sum) / 2;
    }
    return a->idle + a->slope * fmax(0, through(a, a->saturation / interval)) / (interval - a->saturation);
}

static int curve(struct again *a, struct study *s, struct err *err)
{
    const double work = s->how->work;
    double completion, period;
    int jams = 0;

    a->factor[0] = 1;
    if (!a->closed && saturate(a, s, err) < 0)
        return -1;
    for (int k = 1; k < nknot[a->closed]; k++) {
        const double x = knot[a->closed][k];
        const double interval = !a->closed ? a->saturation / x : x > 0 ? a->saturation * x / (1 - x) : HARDLY * a->idle;

        if (drawn(&completion, &period, a, s, interval, a->closed ? work / 2 : work, err) < 0)
            return -1;
        if (!a->closed && completion - a->idle > JAMMED * a->saturation && period > a->saturation && jams++ < 3) {
            a->saturation = period;     /* overloaded roots were in lockstep, and quicker */
            k = 0;
            continue;
        }
        a->factor[k] = a->slope > 0 ? (completion - a->idle) / a->slope : 0;
        a->factor[k] *= a->closed ? interval + completion : interval * (1 - x);
        if (a->closed && k == 1)
            a->saturation = fmax(a->capacity.interval, completion);     /* without the pause */
    }
    return 0;
}

int again_open(struct again *out, const struct cycles_ways *ways, const struct again_how *request, const struct tick *t,
               struct err *err)
{
    struct again_how how = *request;
    struct again a = { .closed = how.closed, .nroot = ways->nroot };
    struct study s = { .ways = ways, .how = &how, .tick = t };
    int ret = -1;

    if (ways->n < 2)
        return err_set(err, ERR_DOMAIN, "one process has no other to broadcast to again and again: at least two");
    how.work = how.work > 0 ? how.work : AGAIN_WORK;
    if (TAKE("broadcasts again and again", err, ARRAY(s.idle, (size_t)ways->nroot + 1)) < 0)
        return -1;
    rng_seed(&s.rng, how.seed);
    if (cycles_capacity(&a.capacity, ways, &how.run, err) == 0 && idle(&a, &s, err) == 0 && slope(&a, &s, err) == 0 &&
        curve(&a, &s, err) == 0) {
        *out = a;
        ret = 0;
    }
    free(s.idle);
    return ret;
}

/* ---- results ---- */

struct again_at again_at(const struct again *a, double interval)
{
    struct again_at at = { .completion = completion_at(a, interval) };

    at.rate = 1 / (a->closed ? interval + at.completion : interval);
    at.rho = at.rate * a->saturation;
    if (a->closed)
        return at;
    at.validity = at.rho <= AGAIN_GOOD * (1 + 1e-12) ? AGAIN_VALID :
        at.rho <= AGAIN_MOST * (1 + 1e-12) ? AGAIN_NEAR : AGAIN_SATURATED;
    if (at.validity == AGAIN_SATURATED)
        at.completion = NAN;
    return at;
}

double again_interval(const struct again *a, double rho)
{
    double lo = 0, hi = a->saturation / rho;

    if (!a->closed)
        return hi;
    if (rho >= 1)
        return NAN;
    for (int i = 0; i < 100; i++) {
        const double mid = (lo + hi) / 2;

        if (again_at(a, mid).rho > rho)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

/* Completion of a minus that of b; NAN: one is saturated. */
static double again_longer(const struct again *a, const struct again *b, double interval)
{
    return again_at(a, interval).completion - again_at(b, interval).completion;
}

double again_crossing(const struct again *a, const struct again *b, double from, double to)
{
    const double sign = again_longer(a, b, from);
    double lo = from, hi = to;

    if (!(again_longer(a, b, to) * sign < 0))
        return NAN;
    for (int i = 0; i < 60; i++) {
        const double mid = (lo + hi) / 2;

        if (again_longer(a, b, mid) * sign < 0)
            hi = mid;
        else
            lo = mid;
    }
    return hi;
}
