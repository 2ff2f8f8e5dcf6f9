#include "analysis/latency/collide_spread.h"

int collide_spread_open(struct collide_spread *out, const struct collide *c, struct err *err)
{
    const struct flows *f = c->f;
    struct collide_spread v = { .c = c };

    if (TAKE("how holds vary", err, ZEROS(v.state, f->nstate + 1), ZEROS(v.port, f->nport + 1),
             ZEROS(v.sum, f->nport + 1), ZEROS(v.hold, f->nport + 1)) < 0)
        return -1;
    *out = v;
    return 0;
}

void collide_spread_close(struct collide_spread *v)
{
    FREE(v->state, v->port, v->sum, v->hold);
    *v = (struct collide_spread){ 0 };
}

static void add_rest(struct collide_moments *m, double x, double mean, double variance)
{
    m->mean += x * mean;
    m->square += x * (mean * mean + variance);
    m->cube += x * (mean * mean * mean + 3 * mean * variance + (mean > 0 ? 2 * variance * variance / mean : 0));
}

/* state, and what it makes of holds, from the waits' variances. */
static void vary_holds(struct collide_spread *v)
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

struct collide_moments collide_spread_hold(const struct collide_spread *v, size_t g)
{
    const struct collide *c = v->c;
    const double x = c->x[g], base = x > 0 ? collide_held(c, g) / x : 0;
    const struct collide_moments *m = &v->sum[g];

    return (struct collide_moments){ x * base + m->mean, base * (x * base + 2 * m->mean) + m->square,
                                  base * (base * (x * base + 3 * m->mean) + 3 * m->square) + m->cube };
}

double collide_spread_own(const struct collide *c, size_t g)
{
    return c->wait[g] - (c->others ? c->others[g] : 0);
}

/* Variances of waits from holds; returns the largest change, in parts of itself. */
static double vary_waits(struct collide_spread *v)
{
    const struct collide *c = v->c;
    const struct flows *f = c->f;
    double change = 0;

    for (size_t l = 0; l < f->nlink; l++) {
        double work = 0, rest = 0, outside = 0, square = 0, crossed = 0;

        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const struct collide_moments m = collide_spread_hold(v, g);
            const double wait = collide_spread_own(c, g);

            work += m.mean;
            rest += m.square / 2;
            outside += m.square / 2 + wait * m.mean;
            square += m.cube / 3 + wait * m.square;
            crossed += 2 * wait * m.mean;
        }
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const struct collide_moments m = collide_spread_hold(v, g);
            const double wait = collide_spread_own(c, g), more = c->wait[g] - wait;
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

void collide_spread_find(struct collide_spread *v)
{
    const struct collide *c = v->c;

    memset(v->port, 0, c->f->nport * sizeof *v->port);
    vary_holds(v);                                      /* as often as a way has links, where these close no circles */
    for (int round = 1; vary_waits(v) > 1e-9 && round < 200; round++)
        vary_holds(v);
    for (size_t g = 0; g < c->f->nport; g++) {
        const double x = c->x[g];
        const struct collide_moments m = collide_spread_hold(v, g);
        const double mean = x > 0 ? m.mean / x : 0, square = x > 0 ? m.square / x : 0;
        const double more = mean - (x > 0 ? collide_held(c, g) / x : 0), variance = square - mean * mean;
        const bool varies = more > 1e-9 * mean && variance > 1e-9 * mean * mean;     /* else rounding */

        v->hold[g] = varies ? (struct closure_spread){ more * more / variance, variance / more } :
            (struct closure_spread){ 0, 0 };
    }
}
