/* 1. variation   how holds and waits vary, backwards along ways
 * 2. a copy of a solution
 * 3. drawn       holds, who is at a link, who came to it since */
#include "analysis/broadcast/cycles_ports.h"

#include <math.h>
#include <string.h>

#include "graph/base/mem.h"

/* ---- variation ---- */

struct port_moments {
    double mean, square, cube;  /* of what is still to be waited for beyond the port's link */
};
struct variation {
    const struct collide *c;
    double *state;              /* variance of what is still to be waited for */
    double *port;               /* variance of a wait */
    struct port_moments *sum;   /* by port */
};

static void add_rest(struct port_moments *m, double x, double mean, double variance)
{
    m->mean += x * mean;
    m->square += x * (mean * mean + variance);
    m->cube += x * (mean * mean * mean + 3 * mean * variance + (mean > 0 ? 2 * variance * variance / mean : 0));
}

/* state, and what it makes of holds, from the waits' variances. */
static void vary_holds(struct variation *v)
{
    const struct collide *c = v->c;
    const struct flows *f = c->f;

    memset(v->sum, 0, f->nport * sizeof *v->sum);
    if (!c->o.switching->hold)
        return;
    for (size_t s = 0; s < f->nstate; s++) {
        double sum = 0;

        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++) {
            const size_t child = (size_t)f->edge_child[e], g = (size_t)f->edge_port[e];
            const double rest = c->wait[g] + c->rest[child];

            sum += f->edge_share[e] * (v->port[g] + v->state[child] + rest * rest);
        }
        v->state[s] = fmax(0, sum - c->rest[s] * c->rest[s]);
    }
    for (size_t i = 0; i < f->ninjection; i++) {
        const size_t s = (size_t)f->injection_state[i];

        add_rest(&v->sum[f->injection_port[i]], f->injection_share[i] * c->rate[f->injection_source[i]], c->rest[s],
                 v->state[s]);
    }
    for (size_t s = 0; s < f->nstate; s++)
        for (uint32_t e = f->edge_first[s]; e < f->edge_first[s + 1]; e++) {
            const size_t child = (size_t)f->edge_child[e];

            add_rest(&v->sum[f->edge_port[e]], f->edge_share[e] * c->mass[s], c->rest[child], v->state[child]);
        }
}

/* Of a port's hold: the first three moments, each times the port's rate. */
static struct port_moments hold_moments(const struct variation *v, size_t g)
{
    const struct collide *c = v->c;
    const double x = c->x[g], base = x > 0 ? collide_held(c, g) / x : 0;
    const struct port_moments *m = &v->sum[g];

    return (struct port_moments){ x * base + m->mean, base * (x * base + 2 * m->mean) + m->square,
                                  base * (base * (x * base + 3 * m->mean) + 3 * m->square) + m->cube };
}

/* What a port's messages wait for each other, apart from what others cost them. */
static double own_wait(const struct collide *c, size_t g)
{
    return c->wait[g] - (c->others ? c->others[g] : 0);
}

/* Variances of waits from holds; returns the largest change, in parts of itself. */
static double vary_waits(struct variation *v)
{
    const struct collide *c = v->c;
    const struct flows *f = c->f;
    double change = 0;

    for (size_t l = 0; l < f->nlink; l++) {
        double work = 0, rest = 0, outside = 0, square = 0, crossed = 0;

        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const struct port_moments m = hold_moments(v, g);
            const double wait = own_wait(c, g);

            work += m.mean;
            rest += m.square / 2;
            outside += m.square / 2 + wait * m.mean;
            square += m.cube / 3 + wait * m.square;
            crossed += 2 * wait * m.mean;
        }
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const struct port_moments m = hold_moments(v, g);
            const double wait = own_wait(c, g), more = c->wait[g] - wait;
            const double mean = outside - m.square / 2 - wait * m.mean, others = work - m.mean;
            const double s = square - m.cube / 3 - wait * m.square +
                (crossed - 2 * wait * m.mean) * (others > 0 ? (rest - m.square / 2) / others : 0);
            const double ratio = mean > 1e-12 * outside ? wait / mean : 0;
            const double is = c->x[g] > 0 ? fmax(0, s * ratio * ratio - wait * wait) +
                fmax(0, more * (2. / 3 * m.mean / c->x[g] - more)) : 0;

            if (is > 0)
                change = fmax(change, fabs(is - v->port[g]) / is);
            v->port[g] = is;
        }
    }
    return change;
}

/* ---- a copy of a solution ---- */

static void copy_link(struct cycles_ports *p, const struct variation *v, size_t l, bool open)
{
    const struct collide *c = v->c;
    const struct flows *f = p->f;
    const size_t first = f->port_first[l], n = f->port_first[l + 1] - first;
    double x = 0, squares = 0;

    for (size_t g = first; g < first + n; g++) {
        const struct port_moments m = hold_moments(v, g);
        const double mean = c->x[g] > 0 ? m.mean / c->x[g] : 0, square = c->x[g] > 0 ? m.square / c->x[g] : 0;
        const double base = c->x[g] > 0 ? collide_held(c, g) / c->x[g] : 0, more = mean - base;
        const double variance = square - mean * mean;
        const bool varies = more > 1e-9 * mean && variance > 1e-9 * mean * mean;     /* else rounding */

        p->port[g] = (struct cycles_port){ c->x[g], mean, own_wait(c, g),
                                           fmax(1e-9 * c->least_time, 1 / c->x[g] - mean - c->wait[g]) };
        p->spread[g] = varies ? (struct closure_spread){ more * more / variance, variance / more } :
            (struct closure_spread){ 0, 0 };
        x += c->x[g];
        p->held[l] += m.mean;
        squares += m.square;
    }
    p->rate[l] = x;
    p->hold[l] = x > 0 ? p->held[l] / x : 0;
    for (size_t g = 0; n > 1 && g < n; g++)
        for (size_t j = 0; j < n; j++) {
            const size_t at = f->pair_first[l] + g * n + j;
            const double own = hold_moments(v, first + g).square, other = hold_moments(v, first + j).square;

            p->pair[at] = !open ? c->pair[at] :
                g != j && squares > own ? own_wait(c, first + g) * other / (squares - own) : 0;
        }
}

int cycles_ports_open(struct cycles_ports *out, const struct collide *c, bool open, struct err *err)
{
    const struct flows *f = c->f;
    const size_t npair = f->pair_first[f->nlink];
    struct cycles_ports p = { .f = f };
    struct variation v = { .c = c };
    double sum = 0;

    if (TAKE("what broadcasts meet", err, ZEROS(p.port, f->nport + 1), ZEROS(p.spread, f->nport + 1),
             ZEROS(p.pair, npair + 1), ZEROS(p.held, f->nlink + 1), ZEROS(p.hold, f->nlink + 1),
             ZEROS(p.rate, f->nlink + 1), ZEROS(v.state, f->nstate + 1), ZEROS(v.port, f->nport + 1),
             ZEROS(v.sum, f->nport + 1)) < 0)
        return -1;
    vary_holds(&v);                                     /* as often as a way has links, where these close no circles */
    for (int round = 1; vary_waits(&v) > 1e-9 && round < 200; round++)
        vary_holds(&v);
    for (size_t l = 0; l < f->nlink; l++)
        copy_link(&p, &v, l, open);
    for (size_t i = 0; i < f->nsource; i++) {
        p.latency += c->rate[i] * c->latency[i];
        sum += c->rate[i];
    }
    p.latency /= sum;
    *out = p;
    FREE(v.state, v.port, v.sum);
    return 0;
}

void cycles_ports_release(struct cycles_ports *p)
{
    FREE(p->port, p->spread, p->pair, p->held, p->hold, p->rate);
    *p = (struct cycles_ports){ 0 };
}

/* ---- drawn ---- */

static double normal(struct rng *rng)           /* Marsaglia and Bray 1964 */
{
    for (;;) {
        const double u = 2 * cycles_uniform(rng) - 1, v = 2 * cycles_uniform(rng) - 1, s = u * u + v * v;

        if (s > 0 && s < 1)
            return u * sqrt(-2 * log(s) / s);
    }
}

static double gamma_drawn(double shape, struct rng *rng)        /* Marsaglia and Tsang 2000 */
{
    const double boost = shape < 1 ? pow(cycles_uniform(rng), 1 / shape) : 1;
    const double d = (shape < 1 ? shape + 1 : shape) - 1. / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        const double z = normal(rng), v = (1 + c * z) * (1 + c * z) * (1 + c * z);

        if (v > 0 && log(cycles_uniform(rng)) < z * z / 2 + d - d * v + d * log(v))
            return boost * d * v;
    }
}

double cycles_port_hold(const struct cycles_ports *p, size_t g, bool biased, struct rng *rng)
{
    const struct closure_spread v = p->spread[g];
    const double hold = p->port[g].hold, base = hold - v.shape * v.scale;

    if (!(v.shape > 0))
        return hold;
    /* of h f(h) the part of the base keeps G's distribution, the rest has that of g f(g): one more in shape */
    return base + v.scale * gamma_drawn(v.shape + (biased && cycles_uniform(rng) * hold > base), rng);
}

/* What is not of port g. */
static double present(const struct cycles_ports *p, int64_t g)
{
    return g < 0 ? 1 : fmax(0.05, 1 - p->port[g].x * (p->port[g].hold + p->port[g].wait));
}

static double pair_of(const struct cycles_ports *p, size_t l, size_t g, size_t j)
{
    const size_t first = p->f->port_first[l], n = p->f->port_first[l + 1] - first;

    return p->pair[p->f->pair_first[l] + (g - first) * n + j - first];
}

static double holds(const struct cycles_ports *p, size_t l, int64_t g, size_t j)
{
    const struct cycles_port *o = &p->port[j];

    return (int64_t)j == g ? 0 : fmax(0, o->x * o->hold - (g < 0 ? 0 : p->port[g].x * pair_of(p, l, (size_t)g, j))) /
        present(p, g);
}

static double waits(const struct cycles_ports *p, size_t l, int64_t g, size_t j)
{
    const struct cycles_port *o = &p->port[j];

    return fmin(0.95, fmax(0, o->x * (o->wait - (g < 0 ? 0 : pair_of(p, l, j, (size_t)g)))) / present(p, g));
}

double cycles_ports_held(const struct cycles_ports *p, size_t l, int64_t g)
{
    double sum = 0;

    for (size_t j = p->f->port_first[l]; j < p->f->port_first[l + 1]; j++)
        sum += holds(p, l, g, j);
    return fmin(0.98, sum);
}

double cycles_ports_find(const struct cycles_ports *p, size_t l, int64_t g, double held, double t, double *clock,
                         struct rng *rng)
{
    const size_t first = p->f->port_first[l], end = p->f->port_first[l + 1];
    const double u = cycles_uniform(rng);
    double sum = 0, all = 0, at = t;
    size_t holder = end;

    for (size_t j = first; j < end; j++)
        clock[j] = fmax(clock[j], t);
    if (u >= held)
        return t;
    for (size_t j = first; j < end; j++)
        all += holds(p, l, g, j);
    for (size_t j = first; j < end && (holder == end || sum < u / held * all); j++) {
        const double it = holds(p, l, g, j);

        sum += it;
        holder = it > 0 ? j : holder;
    }
    clock[holder] = at += cycles_uniform(rng) * cycles_port_hold(p, holder, true, rng);
    for (size_t j = first; j < end; j++) {
        if (j == holder || (int64_t)j == g)
            continue;
        if (cycles_uniform(rng) * (all - holds(p, l, g, j)) <= waits(p, l, g, j))
            clock[j] = at += cycles_port_hold(p, j, false, rng);
    }
    return at;
}

/* When a port that was away at `since` next comes; INFINITY: not until t. */
static double next_ring(const struct cycles_port *p, double since, double t, struct rng *rng)
{
    const double u = t > since ? cycles_uniform(rng) : 1;

    return u * p->away >= t - since ? INFINITY : since - p->away * log1p(-u);       /* log1p(-u) <= -u */
}

double cycles_ports_since(const struct cycles_ports *p, size_t l, int64_t g, double from, double t, double *clock,
                          double *ring, struct rng *rng)
{
    const size_t first = p->f->port_first[l], end = p->f->port_first[l + 1];
    size_t waiting = 0;
    double at = from;

    for (size_t j = first; j < end; j++) {
        ring[j - first] = (int64_t)j == g ? INFINITY : next_ring(&p->port[j], clock[j], t, rng);
        waiting += ring[j - first] <= t;
    }
    while (waiting) {
        size_t j = first;

        for (size_t k = first + 1; k < end; k++)
            j = ring[k - first] < ring[j - first] ? k : j;
        at = fmax(at, ring[j - first]) + cycles_port_hold(p, j, false, rng);
        clock[j] = at;
        ring[j - first] = next_ring(&p->port[j], at, t, rng);
        waiting -= !(ring[j - first] <= t);
    }
    for (size_t j = first; j < end; j++)
        clock[j] = fmax(clock[j], t);
    return at;
}
