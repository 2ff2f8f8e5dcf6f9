/* 1. many       draws in batches, by threads
 * 2. feedback   on the background
 * 3. results */
#include "analysis/broadcast/cycles_load.h"

#include <omp.h>

#include "analysis/broadcast/cycles_draw.h"
#include "graph/numeric/bins.h"

/* ---- many ---- */

enum { TALLIES = 16, RUNS = 8, BATCH = TALLIES * RUNS, FEEDBACK_ROUNDS = 3 };
struct many {
    const struct cycles_met *met;
    struct cycles_sampler *sampler;
    int nsampler;
    struct cycles_tally tally[TALLIES];
    double *sums;               /* of the tallies */
    double *completion;         /* by draw */
    uint64_t key;
};

static void many_release(struct many *m)
{
    for (int i = 0; m->sampler && i < m->nsampler; i++)
        cycles_sampler_release(&m->sampler[i]);
    FREE(m->sampler, m->sums, m->completion);
}

static void tallies_clear(struct many *m, bool feedback)
{
    const size_t n = (size_t)m->met->ways->n, nlink = m->met->ports[0]->f->nlink, nhop = m->met->nhop;
    double *at = m->sums;

    memset(m->sums, 0, TALLIES * (2 * n + nlink + 2 * nhop) * sizeof *m->sums);
    for (int i = 0; i < TALLIES; i++, at += 2 * n + nlink + 2 * nhop)
        m->tally[i] = (struct cycles_tally){ at, at + n, at + 2 * n, feedback ? at + 2 * n + nlink : NULL,
                                      feedback ? at + 2 * n + nlink + nhop : NULL, 0, 0, 0 };
}

static int many_open(struct many *m, const struct cycles_met *s, int draws, const struct cycles_load_options *o,
                     struct err *err)
{
    const struct flows *f = s->ports[0]->f;
    const double room = TALLIES * (2 * (double)s->ways->n + (double)f->nlink + 2 * (double)s->nhop);
    const double own = (double)f->nport * (sizeof *m->sampler->idle_since + sizeof *m->sampler->arrival_at) +
        (double)f->nlink * sizeof *m->sampler->drawn + (double)s->nhop * sizeof *m->sampler->got;
    struct rng rng;

    *m = (struct many){ .met = s, .nsampler = o->jobs > 0 ? o->jobs : omp_get_max_threads() };
    m->nsampler = m->nsampler < TALLIES ? m->nsampler : TALLIES;
    rng_seed(&rng, o->seed);
    m->key = rng_next(&rng);
    if (mem_need((room + draws) * sizeof(double) + m->nsampler * own, "broadcasts under load", err) < 0)
        return -1;
    if (TAKE("broadcasts under load", err, ZEROS(m->sampler, m->nsampler), ARRAY(m->sums, (size_t)room + 1),
             ARRAY(m->completion, (size_t)draws + BATCH)) < 0)
        return -1;
    for (int i = 0; i < m->nsampler; i++)
        if (cycles_sampler_open(&m->sampler[i], s, err) < 0)
            return -1;
    return 0;
}

/* Draws from .. from + n - 1, n <= BATCH, of stream `stream` on. */
static int draw_batch(struct many *m, int from, int n, uint64_t stream, const struct tick *t, struct err *err)
{
    struct err error[TALLIES] = { { 0 } };
    int failed = 0, ret = 0;

#pragma omp parallel for schedule(dynamic) num_threads(m->nsampler) if (m->nsampler > 1)
    for (int i = 0; i < TALLIES; i++) {
        const int me = omp_get_thread_num();

        for (int k = i * RUNS; k < (i + 1) * RUNS && k < n; k++) {
            int stop;

#pragma omp atomic read
            stop = failed;
            if (stop)
                break;
            if (cycles_draw(&m->completion[from + k], &m->sampler[me], &m->tally[i],
                            m->key + stream + (uint64_t)(from + k), me == 0 ? t : NULL, &error[i]) < 0) {
#pragma omp atomic write
                failed = 1;
            }
        }
    }
    for (int i = 0; failed && ret == 0 && i < TALLIES; i++)
        if (error[i].code) {
            *err = error[i];
            ret = -1;
        }
    return ret;
}

static void sum_completions(struct cycles_mean *mean, double *sd, int *n, const double *completion, int draws)
{
    double sum = 0, squares = 0, off;

    *n = 0;
    for (int i = 0; i < draws; i++)
        if (!isnan(completion[i])) {
            sum += completion[i];
            ++*n;
        }
    mean->mean = *n ? sum / *n : NAN;
    for (int i = 0; i < draws; i++) {
        off = completion[i] - mean->mean;
        squares += isnan(off) ? 0 : off * off;
    }
    *sd = *n > 1 ? sqrt(squares / (*n - 1)) : NAN;
    mean->half = 1.96 * *sd / sqrt(*n);
}

/* ---- feedback ---- */

/* Wait of each port's messages for those of the broadcast, from a batch of draws. */
static void find_others(double *others, const struct many *m, int draws)
{
    const struct cycles_met *s = m->met;
    const struct cycles_ports *p = s->ports[1];
    const struct flows *f = p->f;
    double in_flight = 0, squares = 0, span;

    for (int i = 0; i < TALLIES; i++) {
        in_flight += m->tally[i].in_flight / draws;
        squares += m->tally[i].squares_in_flight / draws;
    }
    span = in_flight * in_flight / squares;
    memset(others, 0, f->nport * sizeof *others);
    for (size_t k = 0; k < s->nhop; k++) {
        const size_t l = (size_t)s->ways->trunk[s->first + k];
        double held = 0, waited = 0;

        for (int i = 0; i < TALLIES; i++) {
            held += m->tally[i].hop_held[k] / draws;
            waited += m->tally[i].hop_waited[k] / draws;
        }
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const double t = p->port[g].idle;

            if ((int64_t)g != s->port[k] && p->port[g].x > 0)
                others[g] += (held + t * expm1(-held / t) - held * expm1(-waited / t)) / (span * p->port[g].x);
        }
    }
}

static int feed_back(struct cycles_met *s, struct many *m, const struct cycles_load_options *o, struct err *err)
{
    double *others = malloc((s->ports[0]->f->nport + 1) * sizeof *others);
    const int rounds = s->b->study->o.open ? 1 : FEEDBACK_ROUNDS;       /* more of open ones only overshoot */
    int ret = others ? 0 : err_memory(err);

    for (int round = 0; ret == 0 && round < rounds; round++) {
        const struct tick t = tick_step(o->tick, (size_t)round, 8 * FEEDBACK_ROUNDS);
        struct cycles_mean mean;
        double sd;
        int n;

        tallies_clear(m, true);
        ret = draw_batch(m, 0, BATCH / 2, (uint64_t)(round + 1) << 32, &t, err);
        if (ret < 0)
            break;
        sum_completions(&mean, &sd, &n, m->completion, BATCH / 2);
        if (n < BATCH / 2)
            break;                              /* runs in deadlock tell nothing more */
        find_others(others, m, n);
        ret = cycles_met_disturb(s, others, err);
    }
    free(others);
    return ret;
}

/* ---- results ---- */

static void fill(struct cycles_load *out, const struct many *m, int n)
{
    const struct cycles_met *s = m->met;
    const struct cycles_ports *calm = s->ports[0];

    for (int v = 0; v < out->n; v++) {
        double sum = 0, squares = 0, mean;

        for (int i = 0; i < TALLIES; i++) {
            sum += m->tally[i].arrival[v];
            squares += m->tally[i].squares[v];
        }
        mean = n ? sum / n : NAN;
        out->arrival[tree_process(v, s->ways->root[s->start.root], out->n)] = (struct cycles_mean){
            mean, n > 1 ? 1.96 * sqrt(fmax(0, squares / n - mean * mean) / (n - 1)) : NAN };
    }
    for (size_t l = 0; l < calm->f->nlink; l++) {
        double wait = 0;

        for (int i = 0; i < TALLIES; i++)
            wait += m->tally[i].wait[l] / out->draws;
        out->waited += wait;
        if (wait > out->worst_wait) {
            out->worst_wait = wait;
            out->worst_link = (int)l;
        }
    }
    for (size_t k = 0; k < s->nhop; k++)
        out->held = fmax(out->held, calm->held[s->ways->trunk[s->first + k]]);
    for (int i = 0; i < TALLIES; i++)
        out->deadlocks += m->tally[i].deadlocks;
    out->slowdown = out->completion.mean / out->idle;
    out->validity = s->blocks ? VALIDITY_DEADLOCK :
        s->how.switching->sets_up && (s->how.hop_time > 0 || s->ways->links->length) ? VALIDITY_OUTSIDE :
        s->b->saturated || out->held > 0.5 ? VALIDITY_SATURATED :
        s->b->near || out->held > (s->how.switching->hold ? 0.3 : 0.2) ? VALIDITY_NEAR : VALIDITY_GOOD;
}

int cycles_load(struct cycles_load *result, struct cycles_background *b, const struct cycles_ways *ways, int root,
                const struct cycles_how *how, const struct cycles_load_options *o, struct err *err)
{
    struct cycles_met s = { .b = b, .ways = ways, .how = *how, .start = { root, 0 } };
    struct cycles_load out = { .n = ways->n, .worst_link = -1 };
    const int most = o->draws > 0 ? o->draws : CYCLES_DRAWS;
    const double precision = o->precision > 0 ? o->precision : 0.005;
    struct ecdf completions;
    struct many m = { 0 };
    int ret = -1, n = 0;

    if (most > CYCLES_DRAWS_MOST)
        return err_set(err, ERR_DOMAIN, "%d draws: up to %d", most, CYCLES_DRAWS_MOST);
    if (how->switching != b->study->o.collide.switching)
        return err_set(err, ERR_DOMAIN, "a broadcast by %s beside messages by %s", how->switching->name,
                       b->study->o.collide.switching->name);
    if (TAKE("broadcasts under load", err, ARRAY(out.arrival, (size_t)ways->n + 1)) < 0 ||
        cycles_met_open(&s, err) < 0 || many_open(&m, &s, most, o, err) < 0 ||
        cycles_run(&m.sampler[0].run, NULL, NULL, err) < 0)
        goto done;
    out.idle = m.sampler[0].run.stuck ? NAN : m.sampler[0].run.completion[0];
    if (feed_back(&s, &m, o, err) < 0)
        goto done;
    tallies_clear(&m, false);
    while (out.draws < most) {
        const struct tick t = tick_part(o->tick, 0.125 + 0.875 * out.draws / most, 1);
        const int batch = most - out.draws < BATCH ? most - out.draws : BATCH;

        if (tick_check(&t, 0, err) < 0 || draw_batch(&m, out.draws, batch, 0, &t, err) < 0)
            goto done;
        out.draws += batch;
        sum_completions(&out.completion, &out.sd, &n, m.completion, out.draws);
        if (out.draws >= 2 * BATCH && !(out.completion.half > precision * out.completion.mean))
            break;
    }
    if (ecdf_make(&completions, m.completion, NULL, (size_t)out.draws, err) < 0)
        goto done;
    out.p95 = ecdf_quantile(&completions, 0.95);
    ecdf_release(&completions);
    fill(&out, &m, n);
    *result = out;
    out.arrival = NULL;
    ret = 0;
done:
    free(out.arrival);
    many_release(&m);
    cycles_met_release(&s);
    return ret;
}

void cycles_load_release(struct cycles_load *l)
{
    free(l->arrival);
    *l = (struct cycles_load){ 0 };
}

const char *cycles_load_caution(enum validity v)
{
    return v == VALIDITY_NEAR ? "the background holds a link that the broadcast takes more than 0.3 of the time "
        "(cut-through: 0.2), or is near its own saturation: means may be some 5 % off, in large networks 10 % low" :
        v == VALIDITY_SATURATED ? "the background holds such a link more than 0.5 of the time, or is beyond what its "
        "own model is good for: by how much means are off is not known" :
        v == VALIDITY_DEADLOCK ? "routes of the background and the broadcast close cycles of links; without virtual "
        "channels, messages that hold links may block each other for good (deadlock), which the model leaves out" :
        "circuits with hop times or lengths hold links longer than the background's model knows: means are low, by up "
        "to a fifth";
}
