/* collide_mg1.c -- open sources: every port an M/G/1 queue without its own messages, and the load beyond which there is
 * no solution (collide.h).
 * 1. queues       Pollaczek and Khinchine's wait of what arrives over other ports; waits and holds iterated
 * 2. saturation   load as a function of the waits, which unlike the reverse is single-valued: its top */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/latency/collide.h"

struct link_sum {
    double x, h, t;             /* messages per cycle, mean hold, mean time */
    size_t n;                   /* ports in use */
};

/* ---- queues ---- */

static struct link_sum sum_link(const struct collide *c, size_t l)
{
    const struct flows *f = c->f;
    struct link_sum s = { 0 };

    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
        const double many = flows_ports(f, g);

        s.x += many * c->x[g];
        s.h += many * c->x[g] * c->hold[g];
        s.t += many * collide_held(c, g);
        s.n += c->x[g] > 0 ? (size_t)many : 0;
    }
    if (s.x > 0) {
        s.h /= s.x;
        s.t /= s.x;
    }
    return s;
}

/* The wait at a link of a message that finds all of its traffic, when rates are multiplied by `factor`. */
static double mg1_queue(const struct link_sum *s, double factor)
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
    memset(c->rest, 0, f->nstate * sizeof *c->rest);
    collide_flow(c);
    c->warm = false;
    return 0;
}

/* "a load of 0.3"; of sources with intervals of their own "1.5 times their rates". */
static const char *mg1_load_name(char out[60], const struct collide *c, const struct load *load)
{
    if (traffic_own(c->f->traffic) != OWN_NONE)
        return load_name(out, c->f, load);
    snprintf(out, 60, "a load of %.5g", c->o.time * load->factor / load->interval);
    return out;
}

static int mg1_beyond(struct collide *c, const struct load *load, size_t link, struct err *err)
{
    const struct flows *f = c->f;
    char name[2][96], where[60], number[24];
    const char *port = flows_port(f, flows_link_at(f, link), number);

    c->full_link = (int64_t)link;
    if (f->copies > 1 || f->link_to[link] < 0 || f->link_from[link] < 0)
        return err_set(err, ERR_NETWORK, "%s is beyond saturation", mg1_load_name(where, c, load));
    return err_set(err, ERR_NETWORK, "%s is beyond saturation: the link from %s to %s%s%s does not keep up",
                   mg1_load_name(where, c, load), net_label(f->net, f->link_from[link], name[0]),
                   net_label(f->net, f->link_to[link], name[1]), *port ? ":" : "", port);
}

#define OPEN_ROUNDS 20000        /* a hundredth of them do a hundredth below saturation */

int collide_open_solve(struct collide *c, const struct load *load, struct err *err)
{
    char where[60];
    const struct flows *f = c->f;

    if (mg1_begin(c, load, err) < 0)
        return -1;
    for (c->rounds = 1;; c->rounds++) {
        double change = 0;

        for (size_t l = 0; l < f->nlink; l++) {
            const struct link_sum s = sum_link(c, l);
            const size_t g = f->port_first[l];
            double before, wait;

            if (s.n == 0)
                continue;
            if (!(s.x * s.h < 1))
                return mg1_beyond(c, load, l, err);
            if (s.n == 1)
                continue;
            wait = mg1_queue(&s, 1);
            before = c->wait[g];
            set_waits(c, l, wait);
            change = fmax(change, fabs(c->wait[g] - before) / (1 - c->x[g] / s.x));
        }
        c->residual = change / c->least_time;
        collide_rests(c);
        collide_flow(c);
        if (c->residual <= c->o.tolerance)
            break;
        if (tick(c->o.tick, 0))
            return err_stopped(err);
        if (c->rounds >= (size_t)c->o.rounds || c->rounds >= OPEN_ROUNDS)
            return err_set(err, ERR_NETWORK, "%s is beyond saturation, or at it: after %zu rounds the waits still grow "
                           "by %.2g of a transmission time", mg1_load_name(where, c, load), c->rounds, c->residual);
    }
    collide_latencies(c);
    return 0;
}

/* ---- saturation ---- */

struct curve {
    struct collide *c;
    double rate;                /* of all sources */
    struct link_sum *link;
    double *share;              /* by link: sum over ports of x_g (1 - x_g/x_l), of all links that it stands for */
    double *queue;              /* by link: the wait of a message that finds all of its traffic */
    double *next, *found;       /* the same of the next round, and of the last point that was found */
    struct mixing mixing;
    bool lost;                  /* some point was not found */
    double best;                /* the greatest factor of those that were */
    double full;                /* the greatest factor at which a link without collisions was full, 0 if none was */
};

/* Mean wait of a message when rates are multiplied by `factor`, holds as they are now. */
static double mean_wait(const struct curve *k, double factor)
{
    double sum = 0;

    for (size_t l = 0; l < k->c->f->nlink; l++)
        if (k->link[l].n > 1)
            sum += k->share[l] * mg1_queue(&k->link[l], factor);
    return sum / k->rate;
}

static double mg1_capacity(const struct curve *k)
{
    double least = INFINITY;

    for (size_t l = 0; l < k->c->f->nlink; l++)
        if (k->link[l].n > 0)
            least = fmin(least, 1 / (k->link[l].x * k->link[l].h));
    return least;
}

/* The factor at which messages wait `wait` in all, holds as they are: between none and where a link is full. */
static double factor_at(const struct curve *k, double wait)
{
    double lo = 0, hi = mg1_capacity(k);

    for (int i = 0; i < 60 && hi - lo > 1e-13 * hi; i++) {
        const double mid = (lo + hi) / 2;

        if (mean_wait(k, mid) < wait)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The waits of k->queue, and the holds that follow from them. */
static void show_waits(struct curve *k)
{
    struct collide *c = k->c;

    for (size_t l = 0; l < c->f->nlink; l++)
        if (k->link[l].n > 1) {
            k->queue[l] = fmax(0, k->queue[l]);
            set_waits(c, l, k->queue[l]);
        }
    collide_rests(c);
    collide_flow(c);
}

#define POINT_ROUNDS 300

/* A point of the curve of solutions: the load factor at which messages wait `wait` on average, waits and holds
 * agreeing. Along the curve nothing is singular, though the load turns back on it. The curve ends where a link
 * without collisions is full, held by messages that wait further on: beyond, the factor is BEYOND, and k->full the
 * one at the end. Where the iteration does not settle the factor is LOST, and the next point begins from the last
 * that was found. */
enum { LOST = -2, BEYOND = -1 };
static int mg1_point(double *factor, struct curve *k, double wait, struct err *err)
{
    struct collide *c = k->c;
    const struct flows *f = c->f;
    double last = 0, moved = INFINITY;

    mixing_forget(&k->mixing);
    for (int i = 0; i < POINT_ROUNDS; i++) {
        for (size_t l = 0; l < f->nlink; l++)
            k->link[l] = sum_link(c, l);
        *factor = factor_at(k, wait);
        if (fabs(*factor - last) <= 1e-9 * *factor && moved < 1e-8) {
            if (mean_wait(k, mg1_capacity(k) * (1 - 1e-12)) < wait) {
                k->full = fmax(k->full, *factor);
                *factor = BEYOND;
            }
            k->best = fmax(k->best, *factor);
            memcpy(k->found, k->queue, f->nlink * sizeof *k->found);
            return 0;
        }
        last = *factor;
        moved = 0;
        for (size_t l = 0; l < f->nlink; l++) {
            k->next[l] = k->link[l].n > 1 ? mg1_queue(&k->link[l], *factor) : 0;
            moved = fmax(moved, fabs(k->next[l] - k->queue[l]) / (k->next[l] + c->least_time));
        }
        mixing_step(&k->mixing, k->queue, k->next, 0.5);
        show_waits(k);
        if (tick(c->o.tick, 0))
            return err_stopped(err);
    }
    k->lost = true;
    *factor = LOST;
    memcpy(k->queue, k->found, f->nlink * sizeof *k->queue);
    show_waits(k);
    return 0;
}

/* Where the parabola through three points has its top; x[1] where that is outside. */
static double mg1_top(const double x[3], const double y[3])
{
    const double u = (x[1] - x[0]) * (y[1] - y[2]), v = (x[1] - x[2]) * (y[1] - y[0]), d = u - v;
    const double p = x[1] - ((x[1] - x[0]) * u - (x[1] - x[2]) * v) / (2 * d);

    return d != 0 && p > x[0] && p < x[2] ? p : x[1];
}

/* The factor y[1] at the logarithm of waits x[1] is higher than at both ends: closer, until the curve is flat there
 * or the interval is a point (it may have a corner, or end), then at the top of the parabola through the three. */
static int mg1_narrow(double *factor, struct curve *k, double x[3], double y[3], struct err *err)
{
    double value;

    while (x[2] - x[0] > 1e-3 && (y[0] < 0 || y[2] < 0 || x[2] - x[0] > 0.05 ||
                                  y[1] - fmin(y[0], y[2]) > 2e-5 * y[1])) {
        const bool right = x[2] - x[1] > x[1] - x[0];
        const double at = right ? x[1] + 0.382 * (x[2] - x[1]) : x[1] - 0.382 * (x[1] - x[0]);

        if (mg1_point(&value, k, exp(at), err) < 0)
            return -1;
        if (value > y[1]) {
            x[right ? 0 : 2] = x[1];
            y[right ? 0 : 2] = y[1];
            x[1] = at;
            y[1] = value;
        } else {
            x[right ? 2 : 0] = at;
            y[right ? 2 : 0] = value;
        }
    }
    *factor = fmax(k->full, y[1]);
    if (y[0] >= 0 && y[2] >= 0 && mg1_point(&value, k, exp(mg1_top(x, y)), err) < 0)
        return -1;
    if (y[0] >= 0 && y[2] >= 0)
        *factor = fmax(*factor, value);
    return 0;
}

#define WAITS_MOST 1e30         /* of the least transmission time: no curve is followed further */

/* The greatest factor over waits: down by halves until it falls, up by doubling until it falls, then between the last
 * three. */
static int greatest(double *factor, struct curve *k, double unit, struct err *err)
{
    double s = unit / 8, x[3] = { log(s / 2), log(s), log(2 * s) }, y[3];

    for (int i = 0; i < 3; i++)
        if (mg1_point(&y[i], k, exp(x[i]), err) < 0)
            return -1;
    while (y[0] >= y[1] && s > 1e-9 * unit) {
        s /= 2;
        memmove(x + 1, x, 2 * sizeof *x);
        memmove(y + 1, y, 2 * sizeof *y);
        x[0] = log(s / 2);
        if (mg1_point(&y[0], k, s / 2, err) < 0)
            return -1;
    }
    if (y[1] == BEYOND) {               /* a link is full before messages wait at all */
        *factor = fmax(k->full, y[0]);
        return 0;
    }
    if (y[1] == LOST) {                 /* collide_saturation looks on from there */
        *factor = k->best;
        return 0;
    }
    while (y[2] >= y[1]) {
        if ((!(y[2] - y[1] >= 1e-6 * y[2]) && s > 64 * unit) || !(s < WAITS_MOST * unit)) {
            *factor = fmax(k->full, 2 * y[2] - y[1]);       /* no turning back: a link fills up, as 1/s does */
            return 0;
        }
        s *= 2;
        memmove(x, x + 1, 2 * sizeof *x);
        memmove(y, y + 1, 2 * sizeof *y);
        x[2] = log(2 * s);
        if (mg1_point(&y[2], k, 2 * s, err) < 0)
            return -1;
    }
    return mg1_narrow(factor, k, x, y, err);
}

/* Where points were lost, or the curve turns back and rises again, the fold may lie above the best that was found:
 * the obvious way from there on, upwards and then by halving. A load that does not settle in some thousand rounds
 * counts as beyond. */
static int search_on(double *factor, struct curve *k, const struct load *load, double most, struct err *err)
{
    const int rounds = k->c->o.rounds;
    /* rounds grow as its root falls */
    const double near = k->c->f->nstate + k->c->f->ninjection < 20000 ? 5e-6 : 2e-4;
    double lo = k->best, step = 1e-3, hi = NAN;

    k->c->o.rounds = 3000;
    while (isnan(hi) || hi - lo > near * hi) {
        const double at = fmin(isnan(hi) ? lo * (1 + step) + most * 1e-6 : (lo + hi) / 2, most);
        const struct load there = { load->interval, load->factor * at };

        if (collide_open_solve(k->c, &there, err) == 0) {
            lo = at;
            step *= 4;
            if (at == most)
                break;
        } else if (err->code == ERR_NETWORK) {
            hi = at;
        } else {
            k->c->o.rounds = rounds;
            return -1;
        }
    }
    k->c->o.rounds = rounds;
    *err = (struct err){ 0 };
    *factor = lo;
    return 0;
}

/* Whether there is a solution a thousandth further on: then the curve has risen again. Not asked of large ones. */
static int rises_again(bool *yes, struct curve *k, const struct load *load, double factor, struct err *err)
{
    const struct load there = { load->interval, load->factor * factor * (1 + 1e-3) };
    const int rounds = k->c->o.rounds;

    *yes = false;
    if (k->c->f->nstate + k->c->f->ninjection > 100000)
        return 0;
    k->c->o.rounds = 3000;
    *yes = collide_open_solve(k->c, &there, err) == 0;
    k->c->o.rounds = rounds;
    if (!*yes && err->code != ERR_NETWORK)
        return -1;
    *err = (struct err){ 0 };
    return 0;
}

int collide_saturation(double *factor, struct collide *c, const struct load *load, struct err *err)
{
    const struct flows *f = c->f;
    struct curve k = { .c = c };
    bool collisions = false, again = false;
    double most;
    int ret = -1;

    if (mg1_begin(c, load, err) < 0)
        return -1;
    k.link = malloc((f->nlink + 1) * sizeof *k.link);
    k.share = calloc(f->nlink + 1, sizeof *k.share);
    k.queue = calloc(f->nlink + 1, sizeof *k.queue);
    k.next = calloc(f->nlink + 1, sizeof *k.next);
    k.found = calloc(f->nlink + 1, sizeof *k.found);
    if (mixing_open(&k.mixing, f->nlink, 6, err) < 0 ||
        ((!k.link || !k.share || !k.queue || !k.next || !k.found) && err_memory(err) < 0))
        goto done;
    for (size_t i = 0; i < f->nsource; i++)
        k.rate += flows_sources(f, i) * c->rate[i];
    for (size_t l = 0; l < f->nlink; l++) {
        k.link[l] = sum_link(c, l);
        collisions = collisions || k.link[l].n > 1;
        for (size_t g = f->port_first[l]; k.link[l].x > 0 && g < f->port_first[l + 1]; g++)
            k.share[l] += flows_links(f, l) * flows_ports(f, g) * c->x[g] * (1 - c->x[g] / k.link[l].x);
    }
    if (collisions) {
        most = mg1_capacity(&k);
        ret = greatest(factor, &k, c->least_time, err);
        if (ret == 0 && !k.lost && *factor <= most)
            ret = rises_again(&again, &k, load, *factor, err);
        k.best = fmax(k.best, again ? *factor * (1 + 1e-3) : 0);
        if (ret == 0 && (k.lost || again || !(*factor <= most)))
            ret = search_on(factor, &k, load, most, err);
    } else {
        *factor = mg1_capacity(&k);
        ret = 0;
    }
done:
    free(k.link);
    free(k.share);
    free(k.queue);
    free(k.next);
    free(k.found);
    mixing_release(&k.mixing);
    return ret;
}
