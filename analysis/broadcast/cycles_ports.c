/* 1. a copy of a solution
 * 2. drawn       holds, the steady state of a link, and what arrived since it was released */
#include "analysis/broadcast/cycles_ports.h"
#include "analysis/latency/collide_spread.h"

/* ---- a copy of a solution ---- */

static void copy_link(struct cycles_ports *p, const struct collide_spread *v, size_t l, bool open)
{
    const struct collide *c = v->c;
    const struct flows *f = p->f;
    const size_t first = f->port_first[l], n = f->port_first[l + 1] - first;
    double x = 0, squares = 0;

    for (size_t g = first; g < first + n; g++) {
        const struct collide_moments m = collide_spread_hold(v, g);
        const double mean = c->x[g] > 0 ? m.mean / c->x[g] : 0;

        p->port[g] = (struct cycles_port){ c->x[g], mean, collide_spread_own(c, g),
                                           fmax(1e-9 * c->least_time, 1 / c->x[g] - mean - c->wait[g]) };
        p->spread[g] = v->hold[g];
        x += c->x[g];
        p->held[l] += m.mean;
        squares += m.square;
    }
    p->rate[l] = x;
    p->hold[l] = x > 0 ? p->held[l] / x : 0;
    for (size_t g = 0; n > 1 && g < n; g++)
        for (size_t j = 0; j < n; j++) {
            const size_t at = f->pair_first[l] + g * n + j;
            const double own = collide_spread_hold(v, first + g).square,
                other = collide_spread_hold(v, first + j).square;

            p->pair[at] = !open ? c->pair[at] :
                g != j && squares > own ? collide_spread_own(c, first + g) * other / (squares - own) : 0;
        }
}

int cycles_ports_open(struct cycles_ports *out, const struct collide *c, bool open, struct err *err)
{
    const struct flows *f = c->f;
    const size_t npair = f->pair_first[f->nlink];
    struct cycles_ports p = { .f = f };
    struct collide_spread v = { 0 };
    double sum = 0;

    if (TAKE("what broadcasts meet", err, ZEROS(p.port, f->nport + 1), ZEROS(p.spread, f->nport + 1),
             ZEROS(p.pair, npair + 1), ZEROS(p.held, f->nlink + 1), ZEROS(p.hold, f->nlink + 1),
             ZEROS(p.rate, f->nlink + 1)) < 0)
        return -1;
    if (collide_spread_open(&v, c, err) < 0) {
        cycles_ports_release(&p);
        return -1;
    }
    collide_spread_find(&v);
    for (size_t l = 0; l < f->nlink; l++)
        copy_link(&p, &v, l, open);
    for (size_t i = 0; i < f->nsource; i++) {
        p.latency += c->rate[i] * c->latency[i];
        sum += c->rate[i];
    }
    p.latency /= sum;
    *out = p;
    collide_spread_close(&v);
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

/* Part of the time that no message of port g is at the link. */
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

double cycles_ports_steady(const struct cycles_ports *p, size_t l, int64_t g, double held, double t, double *idle_since,
                           struct rng *rng)
{
    const size_t first = p->f->port_first[l], end = p->f->port_first[l + 1];
    const double u = cycles_uniform(rng);
    double sum = 0, all = 0, at = t;
    size_t holder = end;

    for (size_t j = first; j < end; j++)
        idle_since[j] = fmax(idle_since[j], t);
    if (u >= held)
        return t;
    for (size_t j = first; j < end; j++)
        all += holds(p, l, g, j);
    for (size_t j = first; j < end && (holder == end || sum < u / held * all); j++) {
        const double it = holds(p, l, g, j);

        sum += it;
        holder = it > 0 ? j : holder;
    }
    idle_since[holder] = at += cycles_uniform(rng) * cycles_port_hold(p, holder, true, rng);
    for (size_t j = first; j < end; j++) {
        if (j == holder || (int64_t)j == g)
            continue;
        if (cycles_uniform(rng) * (all - holds(p, l, g, j)) <= waits(p, l, g, j))
            idle_since[j] = at += cycles_port_hold(p, j, false, rng);
    }
    return at;
}

/* The next request of a port that was idle at `since`; INFINITY: none until t. */
static double next_arrival(const struct cycles_port *p, double since, double t, struct rng *rng)
{
    const double u = t > since ? cycles_uniform(rng) : 1;

    return u * p->idle >= t - since ? INFINITY : since - p->idle * log1p(-u);       /* log1p(-u) <= -u */
}

double cycles_ports_since(const struct cycles_ports *p, size_t l, int64_t g, double from, double t, double *idle_since,
                          double *arrival_at, struct rng *rng)
{
    const size_t first = p->f->port_first[l], end = p->f->port_first[l + 1];
    size_t waiting = 0;
    double at = from;

    for (size_t j = first; j < end; j++) {
        arrival_at[j - first] = (int64_t)j == g ? INFINITY : next_arrival(&p->port[j], idle_since[j], t, rng);
        waiting += arrival_at[j - first] <= t;
    }
    while (waiting) {
        size_t j = first;

        for (size_t k = first + 1; k < end; k++)
            j = arrival_at[k - first] < arrival_at[j - first] ? k : j;
        at = fmax(at, arrival_at[j - first]) + cycles_port_hold(p, j, false, rng);
        idle_since[j] = at;
        arrival_at[j - first] = next_arrival(&p->port[j], at, t, rng);
        waiting -= !(arrival_at[j - first] <= t);
    }
    for (size_t j = first; j < end; j++)
        idle_since[j] = fmax(idle_since[j], t);
    return at;
}
