/* The models of collide.h, from their formulas on lists of paths (paths.h).
 * 1. messages  rates and holds of ports, latencies
 * 2. closed    waits between ports, each for each other one; how holds vary; solved three times
 * 3. held      open sources whose messages hold links: M/G/1 without a port's own messages
 * 4. merging   where messages that wait leave their links: streams that merge; channels that are taken */
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/paths.h"
#include "tests/support/scene.h"

/* ---- messages ---- */

struct model {
    const struct paths *p;
    const struct switching *how;
    double *time, *interval, *rate;     /* by source */
    double *wait, *x, *h;       /* by port */
    double *shape, *scale;      /* by port: of the gamma part of holds; shape 0: none */
};

static void model_open(struct model *m, const struct paths *p, double interval, double time,
                       const struct switching *how)
{
    const size_t n = (size_t)p->nsource;

    *m = (struct model){ p, how, scene_reals(n), scene_reals(n), scene_reals(n), scene_reals(p->nport),
                         scene_reals(p->nport), scene_reals(p->nport), scene_reals(p->nport), scene_reals(p->nport) };
    for (size_t s = 0; s < n; s++) {
        m->time[s] = isnan(p->time[s]) ? time : p->time[s];
        m->interval[s] = isnan(p->interval[s]) ? interval : p->interval[s];
        m->rate[s] = 1 / m->interval[s];
    }
}

static void model_release(struct model *m)
{
    double *const all[] = { m->time, m->interval, m->rate, m->wait, m->x, m->h, m->shape, m->scale };

    EACH_ROW(i, all)
        free(all[i]);
}

static double least_time(const struct model *m)
{
    double least = INFINITY;

    for (int s = 0; s < m->p->nsource; s++)
        least = fmin(least, m->time[s]);
    return least;
}

/* The time of F flits over a link, and over the slowest of a path. */
static double over_link(const struct model *m, size_t path, int k)
{
    const struct path *p = &m->p->path[path];

    return m->time[p->source] / m->p->kind[m->p->port_link[p->port[k]]].bandwidth;
}

static double over_slowest(const struct model *m, size_t path)
{
    double most = 0;

    for (int k = 0; k < m->p->path[path].n; k++)
        most = fmax(most, over_link(m, path, k));
    return most;
}

static void latencies(const struct model *m, double *latency)
{
    const struct paths *p = m->p;

    for (int s = 0; s < p->nsource; s++)
        latency[s] = 0;
    for (size_t i = 0; i < p->npath; i++) {
        const struct path *path = &p->path[i];
        double all = m->how->stores ? 0 : over_slowest(m, i);

        for (int k = 0; k < path->n; k++)
            all += m->wait[path->port[k]] + (m->how->stores ? over_link(m, i, k) : 0) +
                p->kind[p->port_link[path->port[k]]].length * (m->how->sets_up ? 3 : 1);
        latency[path->source] += path->share * all;
    }
}

/* Rates and mean holds of ports: from the end of each path back. */
static void flow(struct model *m)
{
    const struct paths *p = m->p;

    for (size_t g = 0; g < p->nport; g++)
        m->x[g] = m->h[g] = 0;
    for (size_t i = 0; i < p->npath; i++) {
        const struct path *path = &p->path[i];
        const double x = path->share * m->rate[path->source];
        double ahead = 0;

        for (int k = path->n; k-- > 0;) {
            m->x[path->port[k]] += x;
            m->h[path->port[k]] += x * (m->how->hold ? over_slowest(m, i) + ahead : over_link(m, i, k));
            ahead += m->wait[path->port[k]];
        }
    }
    for (size_t g = 0; g < p->nport; g++)
        m->h[g] /= m->x[g];
}

/* ---- closed ---- */

/* 1 - E exp(-H/T) of a port's hold H. */
static double missed(const struct model *m, size_t j, double t)
{
    const double constant = m->h[j] - m->shape[j] * m->scale[j];

    return -expm1(-constant / t - m->shape[j] * log1p(m->scale[j] / t));
}

static double pair_wait(const struct model *m, const double *c, size_t g, size_t j, double least)
{
    const size_t n = m->p->nport;
    const double tg = fmax(1e-9 * least, 1 / m->x[g] - m->h[g] - m->wait[g]);
    const double e = fmax(0, m->wait[j] - c[j * n + g]), p = fmin(1, c[j * n + g] / m->h[g]);
    const double a = e > 0 ? (1 - p) * e / (tg + e) + p * (e / 2) / (tg + e / 2) : 0;
    double common = 0;

    for (int s = 0; s < m->p->nsource; s++)
        common += m->p->mass[(size_t)s * n + g] * m->p->mass[(size_t)s * n + j] * m->rate[s] * m->rate[s];
    return fmin(m->h[j], fmax(0, (m->x[j] - common / m->x[g]) / m->x[g] *
                                 (m->h[j] - (1 - a) * tg * missed(m, j, tg))));
}

/* From no waits, with holds that vary as the model says. */
static bool settle_pairs(struct model *m, double *latency)
{
    const struct paths *p = m->p;
    const size_t n = p->nport;
    const double least = least_time(m);
    double *c = scene_reals(n * n), change = INFINITY;

    for (int round = 0; round < 20000 && !(change < 1e-11 * least); round++) {
        double *after = scene_reals(n * n);

        for (size_t g = 0; g < n; g++) {
            m->wait[g] = 0;
            for (size_t j = 0; j < n; j++)
                m->wait[g] += c[g * n + j];
        }
        latencies(m, latency);
        for (int s = 0; s < p->nsource; s++)
            m->rate[s] = 1 / (m->interval[s] + latency[s]);
        flow(m);
        change = 0;
        for (size_t g = 0; g < n; g++)
            for (size_t j = 0; j < n; j++)
                if (g != j && p->port_link[g] == p->port_link[j]) {
                    after[g * n + j] = pair_wait(m, c, g, j, least);
                    change = fmax(change, fabs(after[g * n + j] - c[g * n + j]));
                }
        for (size_t i = 0; i < n * n; i++)
            c[i] += 0.4 * (after[i] - c[i]);
        free(after);
    }
    free(c);
    for (int s = 0; s < p->nsource; s++)            /* waits that grow without end end as no numbers, which do not
                                                     * change */
        if (!isfinite(latency[s]))
            return false;
    return change < 1e-11 * least;
}

struct moments {
    double one, two, three;
};

/* By port, the moments of its hold, and by `beyond` the mean of what is still to be waited for beyond its link. Of a
 * state that is gamma distributed, with a mean and a variance that follow from what waits of paths are on average and
 * how they vary. */
static void find_holds(struct moments *hold, double *beyond, const struct model *m, const double *variance)
{
    const struct paths *p = m->p;
    double *share = scene_reals(p->nstate), *mean = scene_reals(p->nstate), *square = scene_reals(p->nstate),
        *base = scene_reals(p->nport);
    int *port = calloc(p->nstate + 1, sizeof *port);

    assert_non_null(port);
    memset(hold, 0, p->nport * sizeof *hold);
    for (size_t i = 0; i < p->npath; i++) {
        const struct path *path = &p->path[i];
        const double x = path->share * m->rate[path->source];
        double waits = 0, vary = 0;

        for (int k = path->n; k-- > 0;) {
            const int s = path->state[k];

            share[s] += x;
            mean[s] += x * waits;
            square[s] += x * (waits * waits + vary);
            port[s] = path->port[k];
            base[port[s]] += x * over_slowest(m, i) / m->x[port[s]];
            waits += m->wait[port[s]];
            vary += variance[port[s]];
        }
    }
    for (size_t s = 0; s < p->nstate; s++) {
        const double part = share[s] / m->x[port[s]], r = mean[s] / share[s], v = square[s] / share[s] - r * r;
        struct moments *at = &hold[port[s]];

        at->one += part * r;
        at->two += part * (r * r + v);
        at->three += part * (r * r * r + 3 * r * v + (r > 0 ? 2 * v * v / r : 0));
    }
    for (size_t g = 0; g < p->nport; g++) {
        const struct moments w = hold[g];
        const double b = base[g];

        beyond[g] = w.one;
        hold[g] = (struct moments){ b + w.one, b * b + 2 * b * w.one + w.two,
                                    b * b * b + 3 * b * b * w.one + 3 * b * w.two + w.three };
    }
    free(share);
    free(mean);
    free(square);
    free(base);
    free(port);
}

/* V_g of collide_spread.h. */
static double wait_variance(const struct model *m, const struct moments *hold, size_t g)
{
    const struct paths *p = m->p;
    double mean = 0, s = 0, rest = 0, held = 0;

    for (size_t j = 0; j < p->nport; j++)
        if (j != g && p->port_link[j] == p->port_link[g]) {
            rest += m->x[j] * hold[j].two / 2;
            held += m->x[j] * hold[j].one;
        }
    for (size_t j = 0; j < p->nport; j++)
        if (j != g && p->port_link[j] == p->port_link[g]) {
            mean += m->x[j] * (hold[j].two / 2 + m->wait[j] * hold[j].one);
            s += m->x[j] * (hold[j].three / 3 + m->wait[j] * (hold[j].two + 2 * hold[j].one * rest / held));
        }
    return mean > 0 ? fmax(0, s * (m->wait[g] / mean) * (m->wait[g] / mean) - m->wait[g] * m->wait[g]) : 0;
}

/* shape and scale, from a solution. */
static void vary_holds(struct model *m)
{
    const size_t n = m->p->nport;
    double *variance = scene_reals(n), *beyond = scene_reals(n), change = INFINITY;
    struct moments *hold = calloc(n + 1, sizeof *hold);

    assert_non_null(hold);
    for (int round = 0; round < 200 && change > 1e-11; round++) {
        change = 0;
        find_holds(hold, beyond, m, variance);
        for (size_t g = 0; g < n; g++) {
            const double next = wait_variance(m, hold, g);

            if (next > 0)
                change = fmax(change, fabs(next - variance[g]) / next);
            variance[g] = next;
        }
    }
    for (size_t g = 0; g < n; g++) {
        const double v = hold[g].two - hold[g].one * hold[g].one, least = 1e-9 * hold[g].one;
        const bool varies = beyond[g] > least && v > least * hold[g].one;

        m->shape[g] = varies ? beyond[g] * beyond[g] / v : 0;
        m->scale[g] = varies ? v / beyond[g] : 0;
    }
    free(variance);
    free(beyond);
    free(hold);
}

/* ---- held ---- */

static bool hold_links(struct model *m, double *latency)
{
    const struct paths *p = m->p;
    double *x = scene_reals(p->nlink), *h = scene_reals(p->nlink), *t = scene_reals(p->nlink), change = INFINITY;
    const double least = least_time(m);
    bool fits = true;

    for (int round = 0; round < 100000 && fits && !(change < 1e-11 * least); round++) {
        flow(m);
        memset(x, 0, p->nlink * sizeof *x);
        memset(h, 0, p->nlink * sizeof *h);
        memset(t, 0, p->nlink * sizeof *t);
        for (size_t i = 0; i < p->npath; i++)
            for (int k = 0; k < p->path[i].n; k++)
                t[p->port_link[p->path[i].port[k]]] += p->path[i].share * m->rate[p->path[i].source] *
                    over_slowest(m, i);
        for (size_t g = 0; g < p->nport; g++) {
            x[p->port_link[g]] += m->x[g];
            h[p->port_link[g]] += m->x[g] * m->h[g];
        }
        change = 0;
        for (size_t g = 0; g < p->nport; g++) {
            const int l = p->port_link[g];
            const double mean = h[l] / x[l], spread = mean - t[l] / x[l];
            const double wait = (1 - m->x[g] / x[l]) * x[l] * (mean * mean + spread * spread) / (2 * (1 - x[l] * mean));

            fits = fits && h[l] < 1;
            change = fmax(change, fabs(wait - m->wait[g]));
            m->wait[g] = wait;
        }
    }
    latencies(m, latency);
    free(x);
    free(h);
    free(t);
    return fits && change < 1e-11 * least;
}

/* ---- merging ---- */

/* What was fitted: how soon a busy link's row of places counts, what taking turns costs beyond the first order, what a
 * crossbar loses. */
static const double smooth = 0.63, turn = 0.42, cross = 1.6;

struct merge {
    const struct model *m;
    double *x, *time;           /* by link */
};

/* M/D/1. */
static double queue(double x, double time)
{
    return x * time * time / (2 * (1 - x * time));
}

static double relaxation(double busy)
{
    return pow(fmax(1e-4, 1 - busy), -2);
}

static double port_rate(const struct merge *e, size_t g)
{
    const int in = e->m->p->port_in[g];

    return in < 0 ? e->m->rate[-1 - in] : e->x[in];
}

/* Waits of the ports of a link; false where it does not keep up. */
static bool merge_link(const struct merge *e, int l, double *wait)
{
    const struct paths *p = e->m->p;
    const struct router *r = e->m->how->router;
    const double x = e->x[l], f = e->time[l], flits = f * p->kind[l].bandwidth;
    double same = 0, lost = 0, before = 0, even = 0, first, served, mean;

    for (size_t g = 0; g < p->nport; g++)
        same += p->port_link[g] == l ? e->m->x[g] / x * (e->m->x[g] / x) : 0;
    for (size_t g = 0; g < p->nport && !r->speedup; g++)
        if (p->port_link[g] == l)
            lost += cross * sqrt(fmax(0, 1 - same)) * e->m->x[g] / x * (e->m->x[g] / x) *
                (port_rate(e, g) - e->m->x[g]) * f;
    if (!(x * f + lost < 1))
        return false;
    served = f / (1 - lost);
    for (size_t g = 0; g < p->nport; g++)
        if (p->port_link[g] == l) {
            const double own = e->m->x[g], in = p->port_in[g] < 0 ? f : e->time[p->port_in[g]];
            const double upstream = relaxation(port_rate(e, g) * in), alone = relaxation(own * in);

            /* What they waited for before a link of another speed is worth as much less here. */
            before += own / x * queue(own, fmin(served * in / f, (1 - 1e-9) / own));
            even += own / x * own * in * fmax(0, upstream - alone) /
                (fmax(0, upstream - alone) + smooth * relaxation(x * served));
        }
    first = x * f * f / 2 * (1 - same);
    mean = fmax(first, queue(x, served) - before) * fmax(0, 1 - even);
    if (!r->packets)
        mean += (1 - 1 / (flits * flits)) * (1 - pow(x * served, r->vcs - 1)) *
            (first + turn * fmax(0, mean - first));
    for (size_t g = 0; g < p->nport; g++)
        if (p->port_link[g] == l)
            wait[g] = fmax(0, mean + x * f * f / 2 * (same - e->m->x[g] / x));
    return true;
}

/* What a message stands on link `l` because it waits further on, at its j-th link from here or after that. */
static double stands(const struct merge *e, const double *wait, int l, int j, double flits)
{
    const struct paths *p = e->m->p;
    const struct router *r = e->m->how->router;
    double sum = 0;

    if (j > ceil(flits / r->buffer) - 1)
        return 0;
    for (size_t g = 0; g < p->nport; g++)
        if (p->port_in[g] == l) {
            const int next = p->port_link[g];
            const double others = (e->x[next] - e->m->x[g]) * e->time[next];
            const double takes = j * r->buffer / p->kind[l].bandwidth;
            const double own = wait[g] > 0 ? wait[g] * exp(-takes * fmin(1, fmax(1e-9, others)) / wait[g]) : 0;

            sum += e->m->x[g] / e->x[l] * (own + stands(e, wait, next, j + 1, flits));
        }
    return sum;
}

/* A message has a channel of its link until it is over the next one. */
static bool channels_do(const struct merge *e, const double *wait, double flits)
{
    const struct paths *p = e->m->p;

    for (size_t l = 0; l < p->nlink; l++) {
        double taken = 0;

        for (size_t g = 0; g < p->nport; g++)
            if (p->port_in[g] == (int)l)
                taken += e->m->x[g] * (wait[g] + e->time[p->port_link[g]] +
                                       stands(e, wait, p->port_link[g], 1, flits));
        if (!(taken < e->m->how->router->vcs))
            return false;
    }
    return true;
}

/* Waits and latencies at the rates of the model; false where there are none. `flits` of a message. */
static bool merge_streams(struct model *m, double flits, double *latency)
{
    const struct paths *p = m->p;
    struct merge e = { m, scene_reals(p->nlink), scene_reals(p->nlink) };
    bool fits = true;

    flow(m);
    for (size_t g = 0; g < p->nport; g++) {
        e.x[p->port_link[g]] += m->x[g];
        e.time[p->port_link[g]] += m->x[g] * m->h[g];
    }
    for (size_t l = 0; l < p->nlink; l++)
        e.time[l] /= e.x[l];
    for (size_t l = 0; l < p->nlink && fits; l++)
        fits = merge_link(&e, (int)l, m->wait);
    fits = fits && (isinf(m->how->router->vcs) || channels_do(&e, m->wait, flits));
    if (fits)
        latencies(m, latency);
    free(e.x);
    free(e.time);
    return fits;
}

/* Closed sources send at the rates that their latencies leave them. */
static bool settle_merging(struct model *m, double flits, double *latency)
{
    const int n = m->p->nsource;
    const double least = least_time(m);
    double *next = scene_reals((size_t)n), change = INFINITY;

    memcpy(latency, m->time, (size_t)n * sizeof *latency);
    for (int round = 0; round < 20000 && !(change < 1e-11 * least); round++) {
        bool fits;

        for (int s = 0; s < n; s++)
            m->rate[s] = 1 / (m->interval[s] + latency[s]);
        fits = merge_streams(m, flits, next);
        change = fits ? 0 : INFINITY;
        for (int s = 0; s < n; s++) {
            if (fits)
                change = fmax(change, fabs(next[s] - latency[s]));
            latency[s] += fits ? 0.3 * (next[s] - latency[s]) : 0.2 * latency[s];
        }
    }
    free(next);
    return change < 1e-11 * least;
}

/* ---- the two models ---- */

bool paths_closed(const struct paths *p, double interval, double time, const struct switching *how, double *latency)
{
    struct model m;
    bool settled;

    model_open(&m, p, interval, time, how);
    if (!how->hold && isfinite(how->router->vcs)) {
        settled = settle_merging(&m, time, latency);
    } else {
        settled = settle_pairs(&m, latency);
        for (int again = 0; how->hold && settled && again < 2; again++) {
            vary_holds(&m);
            settled = settle_pairs(&m, latency);
        }
    }
    model_release(&m);
    return settled;
}

bool paths_open_sources(const struct paths *p, double interval, double time, const struct switching *how,
                        double *latency)
{
    struct model m;
    bool fits;

    model_open(&m, p, interval, time, how);
    fits = how->hold ? hold_links(&m, latency) : merge_streams(&m, time, latency);
    model_release(&m);
    return fits;
}
