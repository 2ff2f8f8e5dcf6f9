/* machine.c -- parameters out of logs (machine.h).
 * 1. series      rows sorted by size, repetitions put together
 * 2. intervals   draws
 * 3. models
 * 4. thresholds */
#include "analysis/fit/machine.h"
#include "graph/base/order.h"
#include "graph/numeric/quantile.h"
#include "graph/numeric/rng.h"
#include "graph/numeric/sample.h"

enum { DRAWS = 1000, SMALL = 8 };
#define FLOOR 0.005                     /* relative errors below count as that: what clocks and digits leave */
#define REPEATED 0.15                   /* repetitions that are off by so much may be outliers */
#define CABLE 100e-9
#define SPIKE 1.25                      /* a time that is so many times its neighbours' is hardly believed */
#define HARDLY 1e-4

const char *const machine_model_name[MACHINE_MODELS] = { "hockney", "loggp", "plogp", "links" };

/* ---- series ------------------------------------------------------------------------------------------ */

struct entry_row {
    double bytes, time;
    size_t row;
};

ORDER(rows_order, struct entry_row, UP(bytes) UP(time))

/* Repetitions of one size, in rising order: outliers moved in, and the mean. */
static double series_mean(double *v, size_t n)
{
    struct quantile_box box;
    double sum = 0;

    quantile_box_of(&box, v, n);
    for (size_t i = 0; i < n; i++) {
        const double bound = fmax(REPEATED * box.median, 3 * (box.q3 - box.q1) / 1.349);

        v[i] = n < 3 ? v[i] : fmin(fmax(v[i], box.median - bound), box.median + bound);
        sum += v[i];
    }
    return sum / (double)n;
}

/* Rows of that sort, of latencies those at `hops`; by size, with their repetitions. */
static int series_open(struct times *s, const struct machine *m, const struct machine_how *how, enum log_what what,
                       double hops, struct err *err)
{
    const struct log *l = m->log;
    const size_t most = l->nrow + 1;
    struct entry_row *e;
    size_t n = 0;

    if (TAKE("the sizes of a log", err, ARRAY(e, most), ARRAY(s->first, most), ARRAY(s->row, most),
             ARRAY(s->bytes, most), ARRAY(s->time, most), ARRAY(s->weight, most), ARRAY(s->all, most)) < 0)
        return -1;
    for (size_t i = 0; i < l->nrow; i++) {
        const struct log_block *b = &l->block[l->row[i].block];

        if (b->what == what && !(how->processes && b->processes && b->processes != how->processes) &&
            (what != LOG_LATENCY || b->hops == hops) && (what != LOG_BANDWIDTH || l->row[i].bytes > 0))
            e[n++] = (struct entry_row){ l->row[i].bytes, l->row[i].time, i };
    }
    qsort(e, n, sizeof *e, rows_order);
    s->repeated = n > 0;
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i; next < n && e[next].bytes == e[i].bytes; next++)
            s->all[next] = e[next].time;
        s->first[s->n] = i;
        s->row[s->n] = e[i].row;
        s->bytes[s->n] = e[i].bytes;
        s->repeated &= next - i >= 3;
        s->time[s->n++] = series_mean(s->all + i, next - i);
    }
    s->first[s->n] = n;
    for (size_t i = 0; i < s->n; i++) {     /* above both neighbours, or below both */
        const bool between = i && i + 1 < s->n;
        const double *t = &s->time[i];

        s->weight[i] = between && (t[0] > SPIKE * fmax(t[-1], t[1]) || SPIKE * t[0] < fmin(t[-1], t[1])) ? HARDLY : 1;
    }
    free(e);
    return 0;
}

static void series_release(struct times *s)
{
    FREE(s->first, s->row, s->bytes, s->time, s->weight, s->all);
}

/* A latency that falls by half and more is of another run or block. */
static int series_check(const struct times *s, const struct log *l, struct err *err)
{
    for (size_t i = 1; i < s->n; i++)
        if (s->time[i] <= s->time[i - 1] / 2) {
            const struct log_row *row = &l->row[s->row[i]];

            return err_set(err, ERR_FORMAT, "%.200s:%zu: %.4g us for %.0f bytes, less than half of the %.4g us of "
                           "%.0f bytes (line %zu): one of them is of another run; leave it out",
                           l->block[row->block].path, row->line, 1e6 * s->time[i], s->bytes[i], 1e6 * s->time[i - 1],
                           s->bytes[i - 1], l->row[s->row[i - 1]].line);
        }
    return 0;
}

/* ---- intervals --------------------------------------------------------------------------------------- */

/* The deviations of a and b over draws. */
static void draws(double sd[2], const struct times *s, const struct piece *p, const double *by[2], double *left,
                  uint64_t seed)
{
    const size_t n = p->to - p->from;
    const double bound = piece_bound(p, s->bytes, s->time, left), grown = sqrt((double)n / fmax(1, (double)n - 2));
    double mean = 0;
    struct rng rng;

    rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        left[i] = fmin(fmax(1 - piece_at(p, s->bytes[p->from + i]) / s->time[p->from + i], -bound), bound);
        mean += left[i] / (double)n;
    }
    sd[0] = sd[1] = 0;
    for (int k = 0; k < DRAWS; k++) {
        double moved[2] = { 0, 0 };

        for (size_t i = 0; i < n; i++) {
            const size_t at = p->from + i, begin = s->first[at], count = s->first[at + 1] - begin;
            double by_time = s->time[at] * grown * (left[rng_below(&rng, n)] - mean), sum = 0;

            for (size_t r = 0; s->repeated && r < count; r++)
                sum += s->all[begin + rng_below(&rng, count)];
            if (s->repeated)
                by_time = (sum / (double)count - s->time[at]) * sqrt((double)count / ((double)count - 1));
            moved[0] += by[0][i] * by_time;
            moved[1] += by[1][i] * by_time;
        }
        sd[0] += moved[0] * moved[0] / DRAWS;
        sd[1] += moved[1] * moved[1] / DRAWS;
    }
    sd[0] = sqrt(sd[0]);
    sd[1] = sqrt(sd[1]);
}

/* The parameters of a line; its piece is there. */
static int line_intervals(struct fitted_line *l, const struct times *s, uint64_t seed, struct err *err)
{
    const size_t n = l->piece.to - l->piece.from;
    const bool flat = !(l->piece.b > 0) && n < PIECES_ROBUST;   /* so few rows say a mean at most */
    struct piece free_line = l->piece;
    const char *by = s->repeated ? "repetitions" : n < PIECES_ROBUST ? "few rows" : "residuals";
    double *by_a, *by_b, *left, sd[2], times;

    if (TAKE("intervals", err, ARRAY(by_a, n), ARRAY(by_b, n), ARRAY(left, n)) < 0)
        return -1;
    piece_follows(by_a, by_b, &l->piece, s->bytes, s->time, s->weight);
    for (size_t i = 0; flat && i < n; i++) {
        by_a[i] = 1 / (double)n;
        by_b[i] = 0;
    }
    draws(sd, s, &l->piece, (const double *[]){ by_a, by_b }, left, seed);
    piece_fit(&free_line, s->bytes, s->time, s->weight, true);
    times = sample_student(s->repeated ? s->first[l->piece.to] - s->first[l->piece.from] - n : n - (flat ? 1 : 2));
    if (flat || l->piece.b > 0)         /* else the line is flat because it must not fall */
        free_line = l->piece;
    l->a = l->rate = (struct number){ .from = s->bytes[l->piece.from], .to = s->bytes[l->piece.to - 1], .by = by };
    l->a.value = l->piece.a;
    l->a.lo = fmin(l->piece.a, free_line.a - times * sd[0]);
    l->a.hi = fmax(l->piece.a, free_line.a + times * sd[0]);
    l->rate.value = 1 / l->piece.b;
    l->rate.lo = 1 / fmax(l->piece.b, free_line.b + times * sd[1]);
    l->rate.hi = free_line.b > times * sd[1] ? 1 / (free_line.b - times * sd[1]) : INFINITY;
    FREE(by_a, by_b, left);
    return 0;
}

/* ---- models ------------------------------------------------------------------------------------------ */

/* Pieces of other logs: of the first or the last the line. */
static int outer_line(struct fitted_line *out, const struct times *s, bool last, uint64_t seed, struct err *err)
{
    struct piece piece[PIECES_MOST];
    size_t n;

    if (pieces_fit(piece, &n, s->bytes, s->time, s->weight, s->n, FLOOR, err) < 0)
        return -1;
    *out = (struct fitted_line){ .piece = piece[last ? n - 1 : 0] };
    return line_intervals(out, s, seed, err);
}

/* Of the sizes of the first piece. */
static struct number plain(const struct machine *m, double value, const char *by)
{
    return (struct number){ value, NAN, NAN, m->piece[0].a.from, m->piece[0].a.to, by };
}

/* f x + c, f > 0. */
static struct number scaled(struct number x, double f, double c)
{
    return (struct number){ f * x.value + c, f * x.lo + c, f * x.hi + c, x.from, x.to, x.by };
}

/* x - y of what is measured apart: deviations add up in squares. */
static struct number difference(struct number x, struct number y)
{
    const double value = x.value - y.value;

    return (struct number){ value, value - hypot(x.value - x.lo, y.hi - y.value),
                            value + hypot(x.hi - x.value, y.value - y.lo), x.from, x.to, x.by };
}

static int models_logp(struct machine *m, const struct machine_how *how, struct err *err)
{
    struct fitted_line last = m->piece[m->npiece - 1];
    double least = INFINITY;
    size_t small = 0;

    if (m->flow.n && outer_line(&last, &m->flow, true, how->seed, err) < 0)
        return -1;
    m->rate = last.rate;
    m->start = scaled(m->piece[0].a, 1, m->piece[0].piece.b);
    while (small + 1 < m->flow.n && m->flow.bytes[small] < SMALL)
        small++;
    m->g = m->flow.n ? plain(m, m->flow.time[small], "measured") : plain(m, NAN, "assumed");
    m->o = how->overhead >= 0 ? plain(m, fmin(how->overhead, m->start.value / 2), "given") :
        plain(m, fmin(m->flow.n ? m->g.value : INFINITY, m->start.value / 2), "assumed");
    if (!m->flow.n)
        m->g.value = m->o.value;
    m->l = scaled(m->start, 1, -2 * m->o.value);
    m->l.lo = fmax(0, m->l.lo);
    for (size_t i = 0; i < m->near.n; i++)
        least = fmin(least, m->near.time[i]);
    m->least = scaled(m->piece[0].a, 1, fmax(0, least - m->g.value) - m->piece[0].a.value);
    m->least.lo = fmax(0, m->least.lo);
    if (m->flow.n)
        m->g.from = m->g.to = m->flow.bytes[small];
    return 0;
}

/* Of a time without bytes, near = 2 overhead + near_hops cable, and of one that is farther. */
static int models_links(struct machine *m, const struct machine_how *how, struct err *err)
{
    const struct number near = m->piece[0].a;
    struct fitted_line far;

    m->cable = plain(m, how->same_node ? 0 : how->cable >= 0 ? how->cable : CABLE,
                     how->cable >= 0 ? "given" : "assumed");
    m->overhead = scaled(near, 0.5, -0.5 * m->near_hops * fmin(m->cable.value, near.value / m->near_hops));
    if (m->far.n) {
        const double apart = m->far_hops - m->near_hops, h = m->near_hops / apart;

        if (outer_line(&far, &m->far, false, how->seed + 1, err) < 0)
            return -1;
        m->cable = scaled(difference(far.a, near), 1 / apart, 0);
        m->overhead = scaled(difference(scaled(near, 1 + h, 0), scaled(far.a, h, 0)), 0.5, 0);
    }
    m->cable.value = fmax(0, fmin(m->cable.value, near.value / m->near_hops));
    m->cable.lo = m->cable.lo < 0 ? 0 : m->cable.lo;        /* NaN stays: of what was given there is no interval */
    m->overhead.lo = fmax(0, m->overhead.lo);
    return 0;
}

double machine_gap(const struct machine *m, size_t size)
{
    return fmax(m->g.value, m->near.time[size] - m->least.value);
}

double machine_worst(const struct machine *m)
{
    double worst = 0;

    for (size_t i = 0; i < m->npiece; i++)
        worst = fmax(worst, m->piece[i].piece.worst);
    return worst;
}

/* What a model says of a message of a measured size. */
static double model_time(const struct machine *m, enum machine_model model, size_t size)
{
    const double bytes = m->near.bytes[size];

    switch (model) {
    case MACHINE_HOCKNEY: return piece_at(&m->one.piece, bytes);
    case MACHINE_LOGGP: return m->start.value + fmax(0, bytes - 1) / m->rate.value;
    case MACHINE_PLOGP: return machine_gap(m, size) + m->least.value;
    default: return 2 * m->overhead.value + m->near_hops * m->cable.value + bytes / m->rate.value;
    }
}

static void models_errors(struct machine *m)
{
    for (int k = 0; k < MACHINE_MODELS; k++)
        for (size_t i = 0; i < m->near.n; i++) {
            const double off = fabs(model_time(m, (enum machine_model)k, i) / m->near.time[i] - 1);

            if (off > m->worst[k]) {
                m->worst[k] = off;
                m->worst_at[k] = i;
            }
        }
}

int machine_fit(struct machine *out, const struct log *l, const struct machine_how *how, struct err *err)
{
    struct machine m = { .log = l, .near_hops = INFINITY };
    struct piece piece[PIECES_MOST];
    size_t first = 0;                   /* of the blocks of latencies, if there is one */
    int ret;

    for (size_t i = l->nblock; i-- > 0;)
        if (l->block[i].what == LOG_LATENCY && l->block[i].nrow) {
            m.near_hops = fmin(m.near_hops, l->block[i].hops);
            m.far_hops = fmax(m.far_hops, l->block[i].hops);
            first = i;
        }
    ret = series_open(&m.near, &m, how, LOG_LATENCY, m.near_hops, err) < 0 ||
        series_open(&m.flow, &m, how, LOG_BANDWIDTH, 0, err) < 0 ||
        (m.far_hops > m.near_hops && series_open(&m.far, &m, how, LOG_LATENCY, m.far_hops, err) < 0) ? -1 : 0;
    if (ret == 0 && !m.near.n && m.flow.n)
        ret = err_set(err, ERR_DOMAIN, "%s: a bandwidth log alone says no latency; give a latency log of the same "
                      "machine beside it", l->block[0].path);
    if (ret == 0 && m.near.n < PIECES_LEAST)
        ret = err_set(err, ERR_DOMAIN, "%s:%zu: latencies of %zu different sizes; a fit needs three: run osu_latency "
                      "or IMB's PingPong over sizes", l->block[first].path, l->block[first].line, m.near.n);
    ret = ret < 0 || series_check(&m.near, l, err) < 0 || series_check(&m.far, l, err) < 0 ||
        pieces_fit(piece, &m.npiece, m.near.bytes, m.near.time, m.near.weight, m.near.n, FLOOR, err) < 0 ? -1 : 0;
    for (size_t i = 0; ret == 0 && i < m.npiece; i++) {
        m.piece[i].piece = piece[i];
        ret = line_intervals(&m.piece[i], &m.near, how->seed + i, err);
    }
    m.one.piece = (struct piece){ .to = m.near.n };
    if (ret == 0)
        piece_fit(&m.one.piece, m.near.bytes, m.near.time, m.near.weight, false);
    if (ret < 0 || line_intervals(&m.one, &m.near, how->seed, err) < 0 || models_logp(&m, how, err) < 0 ||
        models_links(&m, how, err) < 0) {
        machine_release(&m);
        return -1;
    }
    models_errors(&m);
    *out = m;
    return 0;
}

void machine_release(struct machine *m)
{
    series_release(&m->near);
    series_release(&m->far);
    series_release(&m->flow);
}

/* ---- thresholds -------------------------------------------------------------------------------------- */

void machine_threshold(struct threshold *t, const struct machine *m, size_t k)
{
    const struct piece *p = &m->piece[k].piece, *q = &m->piece[k + 1].piece;
    const double *x = m->near.bytes, *y = m->near.time;
    const double begin = p->from ? x[p->from - 1] : 0, end = x[q->to < m->near.n ? q->to : q->to - 1];
    const double cross = (q->a - p->a) / (p->b - q->b);
    double most = 0;

    *t = (struct threshold){ .changes = x[q->from], .cross = NAN, .at = NAN, .measured = NAN, .other = NAN };
    if (!(q->a > p->a && p->b > q->b && cross > begin && cross < end))
        return;
    t->cross = cross;
    for (size_t i = p->from; i < q->to; i++) {
        const bool first = i < q->from;
        const double other = piece_at(first ? q : p, x[i]);

        if ((first ? x[i] > cross : x[i] < cross) && y[i] / other - 1 > most) {
            most = y[i] / other - 1;
            t->at = x[i];
            t->measured = y[i];
            t->other = other;
        }
    }
    t->advised = most > fmax(p->worst, q->worst);
}
