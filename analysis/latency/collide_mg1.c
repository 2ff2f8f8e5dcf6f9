/* collide_mg1.c -- open sources of messages that hold all their links (the others: collide_router.c): every port an
 * M/G/1 queue without its own messages, and the load beyond which there is no solution (collide.h).
 * 1. queues       Pollaczek and Khinchine's wait of what arrives over other ports; waits and holds iterated
 * 2. saturation   the top of the curve of solutions, found at given mean waits: unlike at a given load, there is one
 *                 solution there
 *
 * By need, the inverse of the factor: a link without collisions keeps up while need >= x h, and with them need =
 * x (h + (h^2 + (h - t)^2) / (2 w)). Holds are sums of waits, so that both are convex in the waits, and saturation is
 * the least need that suffices everywhere: a convex program. The least need at a given mean wait is convex in that,
 * and wherever all links have the same need along the curve, it is that: its first minimum is the only one. */
#include "analysis/latency/collide.h"

/* ---- queues ---- */

struct queue {                  /* a link: */
    double x, h, t;             /* messages per cycle, mean hold, mean time */
    size_t n;                   /* ports in use */
};

static struct queue link_queue(const struct collide *c, size_t l)
{
    const struct link_sum s = collide_link(c, l);
    const double x = s.x > 0 ? s.x : 1;

    return (struct queue){ s.x, s.hold / x, s.held / x, s.n };
}

/* The wait at a link of a message that finds all of its traffic, when rates are multiplied by `factor`. */
static double mg1_queue(const struct queue *s, double factor)
{
    const double x = factor * s->x, spread = s->h - s->t;

    return x * (s->h * s->h + spread * spread) / (2 * (1 - x * s->h));
}

static void set_waits(struct collide *c, size_t l, double wait)
{
    const struct flows *f = c->f;
    double x = 0;

    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
        x += flows_ports(f, g) * c->x[g];
    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
        c->wait[g] = x > 0 ? (1 - c->x[g] / x) * wait : 0;
}

static int mg1_begin(struct collide *c, const struct load *load, struct err *err)
{
    const struct flows *f = c->f;

    if (collide_begin(c, load, err) < 0)
        return -1;
    for (size_t i = 0; i < f->nsource; i++)
        c->rate[i] = 1 / c->mi[i];
    memset(c->wait, 0, f->nport * sizeof *c->wait);
    collide_flow(c, true);
    c->warm = false;
    return 0;
}

#define OPEN_ROUNDS 20000        /* a hundredth of them do a hundredth below saturation */

int collide_mg1_solve(struct collide *c, const struct load *load, struct err *err)
{
    char where[60];
    const struct flows *f = c->f;

    if (mg1_begin(c, load, err) < 0)
        return -1;
    for (c->rounds = 1;; c->rounds++) {
        double change = 0;

        for (size_t l = 0; l < f->nlink; l++) {
            const struct queue s = link_queue(c, l);
            const size_t g = f->port_first[l];
            double before, wait;

            if (s.n == 0)
                continue;
            if (!(s.x * s.h < 1))
                return collide_beyond(c, load, (int64_t)l, err);
            if (s.n == 1)
                continue;
            wait = mg1_queue(&s, 1);
            before = c->wait[g];
            set_waits(c, l, wait);
            change = fmax(change, fabs(c->wait[g] - before) / (1 - c->x[g] / s.x));
        }
        c->residual = change / c->least_time;
        collide_holds(c);
        if (c->residual <= c->o.tolerance)
            break;
        if (tick_check(c->o.tick, 0, err) < 0)
            return -1;
        if (c->rounds >= (size_t)c->o.rounds || c->rounds >= OPEN_ROUNDS)
            return err_set(err, ERR_NETWORK, "%s is beyond saturation, or at it: after %zu rounds the waits still grow "
                           "by %.2g of a transmission time", collide_load_name(where, c, load), c->rounds, c->residual);
    }
    collide_latencies(c);
    return 0;
}

/* ---- saturation ---- */

struct curve {
    struct collide *c;
    struct queue *link;
    double *share;              /* by link: its part in the mean wait */
    double *queue, *next;       /* by link: the wait of a message that finds all of its traffic; the next round's */
    double *found;              /* of the last point that was found */
    struct mixing mixing;
};
/* What links need so that they keep up: the inverse of the factor. */
struct point {
    double wait;                /* mean of those that may wait, over links */
    double need[2];             /* of links with collisions, which all need the same on the curve; of the fullest of the
                                 * others */
};

static double point_need(const struct point *p)
{
    return fmax(p->need[0], p->need[1]);
}

static void sum_links(struct point *p, struct curve *k)
{
    p->need[1] = 0;
    for (size_t l = 0; l < k->c->f->nlink; l++) {
        k->link[l] = link_queue(k->c, l);
        if (k->link[l].n == 1)
            p->need[1] = fmax(p->need[1], k->link[l].x * k->link[l].h);
    }
}

/* The next waits, and what lets them be p->wait on average, holds as they are: Newton's method from below on the
 * inverse of the mean, which is concave. */
static void next_waits(struct point *p, struct curve *k)
{
    const size_t nlink = k->c->f->nlink;
    double need = 0, step = INFINITY;

    for (size_t l = 0; l < nlink; l++)
        if (k->link[l].n > 1) {
            const struct queue *s = &k->link[l];

            k->next[l] = s->x * (s->h * s->h + (s->h - s->t) * (s->h - s->t)) / 2;
            need = fmax(need, s->x * s->h + k->share[l] * k->next[l] / p->wait);
        }
    for (int i = 0; i < 60 && step > 1e-14 * need; i++) {
        double sum = 0, slope = 0;

        for (size_t l = 0; l < nlink; l++)
            if (k->link[l].n > 1) {
                const double gap = need - k->link[l].x * k->link[l].h, wait = k->share[l] * k->next[l] / gap;

                sum += wait;
                slope += wait / gap;
            }
        step = sum * (sum / p->wait - 1) / slope;
        need += step;
    }
    for (size_t l = 0; l < nlink; l++)
        k->next[l] = k->link[l].n > 1 ? k->next[l] / (need - k->link[l].x * k->link[l].h) : 0;
    p->need[0] = need;
}

#define POINT_ROUNDS 120
#define NEAR 1e-7               /* of needs, relative */

/* Damped fixed-point iteration in log space, which keeps waits positive. */
static void mix_waits(struct curve *k)
{
    const size_t nlink = k->c->f->nlink;

    for (size_t l = 0; l < nlink; l++)
        if (k->link[l].n > 1) {
            k->queue[l] = log(k->queue[l]);
            k->next[l] = log(k->next[l]);
        }
    mixing_step(&k->mixing, k->queue, k->next, 0.7);
    for (size_t l = 0; l < nlink; l++)
        if (k->link[l].n > 1)
            k->queue[l] = exp(k->queue[l]);
}

/* The point of the curve at p->wait, from the last one on. Where the iteration does not settle, the need is infinite
 * and the last point stays. */
static int find_point(struct point *p, struct curve *k, struct err *err)
{
    struct collide *c = k->c;
    const size_t nlink = c->f->nlink;
    double mean = 0, moved = INFINITY, last = NAN;

    for (size_t l = 0; l < nlink; l++)
        mean += k->share[l] * k->queue[l];
    for (size_t l = 0; mean > 0 && l < nlink; l++)
        k->queue[l] *= p->wait / mean;
    memcpy(k->found, k->queue, nlink * sizeof *k->found);
    mixing_forget(&k->mixing);
    for (int i = 0; i < POINT_ROUNDS; i++) {
        for (size_t l = 0; l < nlink; l++)
            if (k->link[l].n > 1) {
                k->queue[l] = fmax(0, k->queue[l]);
                set_waits(c, l, k->queue[l]);
            }
        collide_holds(c);
        sum_links(p, k);
        next_waits(p, k);
        moved = 0;
        for (size_t l = 0; l < nlink; l++)
            moved = fmax(moved, fabs(k->next[l] - k->queue[l]) / (k->next[l] + c->least_time));
        if (i > 0 && moved <= 10 * NEAR && fabs(p->need[0] - last) <= NEAR * last)
            return 0;
        last = p->need[0];
        if (!isfinite(last))
            break;
        if (i == 0 && mean == 0)
            memcpy(k->queue, k->next, nlink * sizeof *k->queue);
        else
            mix_waits(k);
        if (tick_check(c->o.tick, 0, err) < 0)
            return -1;
    }
    memcpy(k->queue, k->found, nlink * sizeof *k->queue);
    p->need[0] = INFINITY;
    return 0;
}

/* Needs at a mean wait w by A/w + B + C w through three points: exact where all waits grow alike. */
static double model_need(const struct point p[3], double wait)
{
    double most = 0;

    for (int j = 0; j < 2; j++) {
        double y[3], d01, d12, d;

        for (int i = 0; i < 3; i++)
            y[i] = p[i].need[j] * p[i].wait;
        d01 = (y[1] - y[0]) / (p[1].wait - p[0].wait);
        d12 = (y[2] - y[1]) / (p[2].wait - p[1].wait);
        d = (d12 - d01) / (p[2].wait - p[0].wait);
        most = fmax(most, (y[0] + (wait - p[0].wait) * (d01 + d * (wait - p[1].wait))) / wait);
    }
    return most;
}

/* The mean wait where the model needs least, by golden section: between the outer points, or not far beyond. */
static double model_least(bool *end, const struct point p[3], double ceiling)
{
    const double from = point_need(&p[0]) > point_need(&p[1]) ? p[0].wait : p[0].wait / 8;
    const double to = point_need(&p[2]) > point_need(&p[1]) ? p[2].wait :
        fmin(p[2].wait * 3, sqrt(p[2].wait * ceiling));
    double lo = from, hi = to;

    while (hi > lo * (1 + 1e-10)) {
        const double a = lo * pow(hi / lo, 0.381966), b = lo * pow(hi / lo, 0.618034);

        if (model_need(p, a) <= model_need(p, b))
            hi = b;
        else
            lo = a;
    }
    *end = lo < 1.001 * from || lo > to / 1.001;
    return lo;
}

/* p[3] takes its place among the others, and one at an end goes: the least of them stays between two if it can. */
static void put_point(struct point p[4])
{
    const struct point new = p[3];
    int at = 3, least = 0;

    for (; at > 0 && p[at - 1].wait > new.wait; at--)
        p[at] = p[at - 1];
    p[at] = new;
    for (int i = 1; i < 4; i++)
        if (point_need(&p[i]) < point_need(&p[least]))
            least = i;
    if (least >= 2)
        memmove(p, p + 1, 3 * sizeof *p);
}

/* Which of three points is the nearest to a mean wait, and how far off it is. */
static int nearest_point(double *apart, const struct point p[3], double wait)
{
    int at = 0;

    for (int i = 1; i < 3; i++)
        if (fabs(log(wait / p[i].wait)) < fabs(log(wait / p[at].wait)))
            at = i;
    *apart = fabs(log(wait / p[at].wait));
    return at;
}

/* Three points of small waits; p[0].wait 0 where none were found. */
static int first_points(struct point p[3], struct curve *k, double *ceiling, struct err *err)
{
    const double unit = k->c->least_time;

    for (int i = 0; i < 3; i++) {
        p[i].wait = i ? 1.4 * p[i - 1].wait : fmin(unit / 4, *ceiling / 16);
        if (find_point(&p[i], k, err) < 0)
            return -1;
        if (!isinf(p[i].need[0]))
            continue;
        *ceiling = p[i].wait;
        i = -1;
        if (*ceiling < 1e-18 * unit) {
            p[0].wait = 0;
            return 0;
        }
    }
    return 0;
}

#define POINTS 100

/* The least need along the curve: where the model's least gains nothing, once it has told a need beforehand. INFINITY
 * where points were lost on the way there, or do not join. `idle`: what links need while nothing waits. */
static int least_need(double *need, struct curve *k, double idle, struct err *err)
{
    double ceiling = INFINITY, off = 1;
    struct point p[4];

    *need = INFINITY;
    if (first_points(p, k, &ceiling, err) < 0)
        return -1;
    for (int i = 0; i < POINTS && p[0].wait > 0; i++) {
        const double best = fmin(fmin(point_need(&p[0]), point_need(&p[1])), point_need(&p[2]));
        double expect, apart;
        bool end;
        int at;

        if (point_need(&p[0]) <= idle * (1 + 1e-12)) {
            *need = idle;
            return 0;
        }
        p[3].wait = model_least(&end, p, ceiling);
        expect = model_need(p, p[3].wait);
        if (off < 1e-5 && expect > best * (1 - (end ? 10 * NEAR : NEAR))) {
            if (!end || isinf(ceiling))
                *need = fmin(expect, best);
            return 0;
        }
        at = nearest_point(&apart, p, p[3].wait);
        if (apart < (off < 1e-3 ? 1e-6 : 0.01) || i % 8 == 7) {         /* beside it, to learn something */
            const int other = at != 1 ? 1 : p[2].wait / p[1].wait > p[1].wait / p[0].wait ? 2 : 0;

            p[3].wait = sqrt(p[at].wait * p[other].wait);
            expect = model_need(p, p[3].wait);
        }
        if (find_point(&p[3], k, err) < 0)
            return -1;
        if (isinf(p[3].need[0])) {
            ceiling = p[3].wait;
            if (ceiling < 1.01 * p[2].wait)
                return 0;
            continue;
        }
        off = fmin(off, fabs(point_need(&p[3]) / expect - 1));
        put_point(p);
        if (p[2].wait < p[0].wait * (1 + 1e-7))
            return 0;
    }
    return 0;
}

/* Whether a load has a solution; one that does not settle in some thousand rounds counts as beyond. */
static int has_solution(bool *yes, struct curve *k, const struct load *load, double factor, struct err *err)
{
    const int rounds = k->c->o.rounds;

    k->c->o.rounds = 3000;
    *yes = collide_mg1_solve(k->c, &(struct load){ load->interval, load->factor * factor }, err) == 0;
    k->c->o.rounds = rounds;
    if (!*yes && err->code != ERR_NETWORK)
        return -1;
    *err = (struct err){ 0 };
    return 0;
}

/* Where the curve was lost: halving, by what is solved. */
static int halve(double *factor, struct curve *k, const struct load *load, double most, struct err *err)
{
    double lo = 0, hi = most;

    while (hi - lo > 5e-6 * hi) {
        const double at = (lo + hi) / 2;
        bool yes;

        if (has_solution(&yes, k, load, at, err) < 0)
            return -1;
        *(yes ? &lo : &hi) = at;
    }
    *factor = lo;
    return 0;
}

/* From the curve's least need. Small flows are cheap to solve: there a thousandth more is tried as well. */
static int find_saturation(double *factor, struct curve *k, const struct load *load, double idle, struct err *err)
{
    const bool small = k->c->f->nstate + k->c->f->ninjection <= 100000;
    double need;
    bool more;

    if (least_need(&need, k, idle, err) < 0)
        return -1;
    *factor = 1 / need;
    more = isinf(need);
    if (!more && small && need > idle * (1 + 1e-3) &&
        has_solution(&more, k, load, *factor * (1 + 1e-3), err) < 0)
        return -1;
    return more ? halve(factor, k, load, 1 / idle, err) : 0;
}

int collide_mg1_saturation(double *factor, struct collide *c, const struct load *load, struct err *err)
{
    const struct flows *f = c->f;
    struct curve k = { .c = c };
    struct point idle;
    double need, sum = 0;
    int ret = -1;

    if (mg1_begin(c, load, err) < 0)
        return -1;
    if (mixing_open(&k.mixing, f->nlink, 6, err) < 0 ||
        TAKE("saturation", err, ARRAY(k.link, f->nlink), ZEROS(k.share, f->nlink), ZEROS(k.queue, f->nlink),
             ZEROS(k.next, f->nlink), ZEROS(k.found, f->nlink)) < 0)
        goto done;
    sum_links(&idle, &k);
    need = idle.need[1];
    for (size_t l = 0; l < f->nlink; l++) {
        need = fmax(need, k.link[l].x * k.link[l].h);
        for (size_t g = f->port_first[l]; k.link[l].n > 1 && g < f->port_first[l + 1]; g++)
            k.share[l] += flows_links(f, l) * flows_ports(f, g) * c->x[g] * (1 - c->x[g] / k.link[l].x);
        sum += k.share[l];
    }
    for (size_t l = 0; l < f->nlink; l++)
        k.share[l] /= sum;
    *factor = 1 / need;
    ret = sum > 0 ? find_saturation(factor, &k, load, need, err) : 0;
done:
    FREE(k.link, k.share, k.queue, k.next, k.found);
    mixing_release(&k.mixing);
    return ret;
}
