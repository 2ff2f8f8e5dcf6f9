/* 1. background
 * 2. scene       what a broadcast meets, hop by hop: the same for all draws
 * 3. one draw    hooks of the run
 * 4. many        in batches, by threads
 * 5. feedback    on closed sources
 * 6. results */
#include "analysis/broadcast/cycles_load.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "graph/base/mem.h"
#include "graph/numeric/bins.h"

/* ---- background ---- */

static int same_links(const struct flows *f, const struct cycles_links *links, struct err *err)
{
    const struct trunks *t = &links->trunks;

    if (t->first)
        return err_set(err, ERR_DOMAIN, "%.200s has cables side by side: broadcasts under load are computed where nodes "
                       "are joined by one cable", f->net->spec);
    if (f->copies > 1 || f->nlink < t->nlink)
        return err_set(err, ERR_INTERNAL, "the background of a broadcast was folded");
    for (size_t k = 0; k < t->nlink; k++)
        if (f->link_from[k] != links->from[k] || f->link_to[k] != t->csr->to[k])
            return err_set(err, ERR_INTERNAL, "link %zu is another for the background", k);
    return 0;
}

int cycles_background_open(struct cycles_background *out, struct latency_study *study, const struct cycles_links *links,
                           const struct load *load, struct err *err)
{
    struct cycles_background b = { .study = study, .load = *load };
    struct latency_summary summary;

    if (study->o.collide.switching->stores)
        return err_set(err, ERR_DOMAIN, "broadcasts by %s are not computed under load: wormhole, circuit and cut-through "
                       "are", study->o.collide.switching->name);
    if (same_links(&study->flows, links, err) < 0 || latency_solve(study, load, err) < 0 ||
        latency_summary(&summary, study, load, err) < 0 ||
        cycles_ports_open(&b.calm, &study->collide, study->o.open, err) < 0)
        return -1;
    b.saturated = summary.validity != VALIDITY_GOOD && summary.validity != VALIDITY_UNKNOWN &&
        summary.validity != VALIDITY_NEAR;
    b.latency = b.calm.latency;
    *out = b;
    return 0;
}

void cycles_background_release(struct cycles_background *b)
{
    cycles_ports_release(&b->calm);
    *b = (struct cycles_background){ 0 };
}

/* ---- scene ---- */

/* How links look from a hop: what is known before anything is drawn. */
struct outlook {
    double held;                /* part of the time, as who comes over the hop's port finds it, */
    double outside;             /* and as somebody from outside does */
};
struct scene {
    const struct cycles_background *b;
    const struct cycles_ways *ways;
    struct cycles_how how;
    struct cycles_start start;
    size_t first;               /* hops first .. first + nhop - 1 of the ways are the broadcast's */
    size_t nhop;
    const struct cycles_ports *field[2];        /* undisturbed, and as the broadcast has left it */
    struct cycles_ports disturbed;
    struct outlook *outlook[2]; /* by hop */
    int64_t *port;              /* by hop: the port of its link that its message comes over: of a first link, from the
                                 * link over which its sender received. -1: none of the background's */
    double memory;              /* of the undisturbed state */
};

/* The port of link l that comes from link `in`; -1: nothing comes that way. */
static int64_t find_port(const struct flows *f, size_t l, int in)
{
    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
        if (f->port_in[g] == in)
            return (int64_t)g;
    return -1;
}

static size_t way_of(const struct scene *s, int rank)
{
    return (size_t)s->start.root * (size_t)s->ways->n + (size_t)rank;
}

/* The link over which a rank receives; -1: the root. */
static int link_into(const struct scene *s, int rank)
{
    return rank ? s->ways->trunk[s->ways->first[way_of(s, rank) + 1] - 1] : -1;
}

static void look_out(struct scene *s, int which)
{
    const struct cycles_ports *p = s->field[which];

    for (size_t k = 0; k < s->nhop; k++) {
        const size_t l = (size_t)s->ways->trunk[s->first + k];

        s->outlook[which][k].held = p->held[l] > 0 ? cycles_ports_held(p, l, s->port[k]) : 0;
        s->outlook[which][k].outside = p->held[l] > 0 ? cycles_ports_held(p, l, -1) : 0;
    }
}

static void scene_release(struct scene *s)
{
    cycles_ports_release(&s->disturbed);
    free(s->outlook[0]);
    free(s->outlook[1]);
    free(s->port);
}

static int scene_open(struct scene *s, struct err *err)
{
    const struct cycles_ways *w = s->ways;
    const struct flows *f = &s->b->study->flows;

    s->first = w->first[way_of(s, 0)];
    s->nhop = w->first[way_of(s, w->n - 1) + 1] - s->first;
    if (mem_need((double)s->nhop * (2 * sizeof *s->outlook[0] + sizeof *s->port), "broadcasts under load", err) < 0)
        return -1;
    s->outlook[0] = calloc(s->nhop + 1, sizeof *s->outlook[0]);
    s->outlook[1] = calloc(s->nhop + 1, sizeof *s->outlook[1]);
    s->port = malloc((s->nhop + 1) * sizeof *s->port);
    if (!s->outlook[0] || !s->outlook[1] || !s->port)
        return err_memory(err);
    for (int v = 1; v < w->n; v++) {
        const size_t way = way_of(s, v);

        for (size_t k = w->first[way]; k < w->first[way + 1]; k++) {
            const int before = k > w->first[way] ? w->trunk[k - 1] : link_into(s, w->tree->parent[v]);

            s->port[k - s->first] = before < 0 ? -1 : find_port(f, (size_t)w->trunk[k], before);
        }
    }
    s->field[0] = s->field[1] = &s->b->calm;
    look_out(s, 0);
    look_out(s, 1);
    s->memory = INFINITY;
    return 0;
}

/* ---- one draw ---- */

struct tally {                  /* of a few runs, one after the other */
    double *arrival, *squares;  /* by rank: sums */
    double *wait;               /* by link: for the background */
    double *keeps, *comes;      /* by hop, where feedback is asked about: how long a link is held, and waited for */
    int deadlocks;
};
struct place {                  /* a thread's own */
    const struct scene *scene;
    struct cycles_run run;
    struct rng rng;
    double *clock, *ring;       /* by port: when it is known to have been away; of one link */
    uint32_t *drawn, draw;      /* by link: the draw that its clocks are of */
    bool *late;                 /* by rank: its message finds what the broadcast has left */
    double *got;                /* by hop */
    struct tally *tally;
};

static double *clocks(struct place *d, size_t l)
{
    const struct flows *f = d->scene->field[0]->f;

    if (d->drawn[l] != d->draw) {
        d->drawn[l] = d->draw;
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++)
            d->clock[g] = -INFINITY;
    }
    return d->clock;
}

/* What waited for link `in` when a process received over it goes on before what the process sends. */
static bool overtaken(struct place *d, const struct cycles_ports *p, size_t in, int64_t port, double t)
{
    const struct flows *f = p->f;
    const double *clock = clocks(d, in);
    double sum = 0, x = 0;

    for (size_t g = f->port_first[in]; g < f->port_first[in + 1]; g++) {
        sum += t > clock[g] ? (t - clock[g]) / p->port[g].away : 0;
        x += p->port[g].x;
    }
    return sum > 0 && cycles_uniform(&d->rng) * x <= -expm1(-sum) * p->port[port].x;
}

static double front(void *arg, const struct cycles_run *r, const struct cycles_grant *g)
{
    struct place *d = arg;
    const struct scene *s = d->scene;
    const size_t k = g->hop - s->first, l = (size_t)g->link;
    const int rank = cycles_rank(r, g->message), parent = r->ways->tree->parent[rank];
    const bool first = g->hop == r->ways->first[way_of(s, rank)];
    const bool handed = first && parent > 0 && r->message[parent].delivered == g->asked;
    const double t = g->asked;
    const struct cycles_ports *p;
    int64_t port = s->port[k];
    double at;

    if (first)
        d->late[rank] = t > 0 && cycles_uniform(&d->rng) > exp(-t / s->memory);
    p = s->field[d->late[rank]];
    if (!(p->held[l] > 0))
        return 0;
    clocks(d, l);
    if (first && !handed)
        port = -1;
    if (!isfinite(g->released) || t - g->released > 8 * p->hold[l]) {
        const struct outlook *o = &s->outlook[d->late[rank]][k];

        at = cycles_ports_find(p, l, port, port < 0 ? o->outside : o->held, t, d->clock, &d->rng);
    } else {
        at = cycles_ports_since(p, l, port, g->released, t, d->clock, d->ring, &d->rng);
    }
    at = fmax(at, g->now);
    if (handed && port >= 0 && s->how.hop_time == 0 && !r->ways->links->length &&
        overtaken(d, p, (size_t)link_into(s, parent), port, t))
        d->clock[port] = at += cycles_port_hold(&p->port[port], false, &d->rng);
    d->tally->wait[l] += at - g->now;
    return at - g->now;
}

static void got(void *arg, const struct cycles_run *r, const struct cycles_grant *g)
{
    struct place *d = arg;
    const size_t k = g->hop - d->scene->first;

    (void)r;
    d->got[k] = g->now;
    if (d->tally->comes)
        d->tally->comes[k] += g->now - g->asked;
}

/* As long as a message has its link nothing comes over that to the next one. */
static void away(void *arg, const struct cycles_run *r, size_t message, size_t hop, int link, double at)
{
    struct place *d = arg;
    const struct scene *s = d->scene;
    const size_t k = hop - s->first, way = way_of(s, cycles_rank(r, message));

    (void)link;
    if (d->tally->keeps)
        d->tally->keeps[k] += at - d->got[k];
    if (hop + 1 < r->ways->first[way + 1] && s->port[k + 1] >= 0) {
        double *clock = clocks(d, (size_t)r->ways->trunk[hop + 1]);

        clock[s->port[k + 1]] = fmax(clock[s->port[k + 1]], at);
    }
}

/* Run number `stream` of all that the seed makes. */
static int draw(double *completion, struct place *d, struct tally *tally, uint64_t key, uint64_t stream,
                const struct tick *tick, struct err *err)
{
    const struct cycles_hooks hooks = { front, got, away, NULL, d };
    const int n = d->run.ways->n;

    rng_seed(&d->rng, key + stream);
    d->tally = tally;
    d->draw++;
    if (cycles_run(&d->run, &hooks, tick, err) < 0)
        return -1;
    *completion = d->run.stuck ? NAN : d->run.completion[0];
    tally->deadlocks += d->run.stuck > 0;
    for (int v = 0; v < n && !d->run.stuck; v++) {
        tally->arrival[v] += d->run.message[v].delivered;
        tally->squares[v] += d->run.message[v].delivered * d->run.message[v].delivered;
    }
    return 0;
}

/* ---- many ---- */

enum { TALLIES = 16, RUNS = 8, BATCH = TALLIES * RUNS, FEEDBACK_ROUNDS = 3 };
struct many {
    const struct scene *scene;
    struct place *place;
    int nplace;
    struct tally tally[TALLIES];
    double *sums;               /* of the tallies */
    double *completion;         /* by draw */
    uint64_t key;
};

static void place_release(struct place *d)
{
    cycles_run_release(&d->run);
    free(d->clock);
    free(d->ring);
    free(d->drawn);
    free(d->late);
    free(d->got);
}

static int place_open(struct place *d, const struct scene *s, struct err *err)
{
    const struct flows *f = s->field[0]->f;

    d->scene = s;
    if (cycles_run_open(&d->run, s->ways, &s->how, &s->start, 1, err) < 0)
        return -1;
    d->clock = malloc((f->nport + 1) * sizeof *d->clock);
    d->ring = malloc((f->nport + 1) * sizeof *d->ring);
    d->drawn = calloc(f->nlink + 1, sizeof *d->drawn);
    d->late = calloc((size_t)s->ways->n, sizeof *d->late);
    d->got = calloc(s->nhop + 1, sizeof *d->got);
    return d->clock && d->ring && d->drawn && d->late && d->got ? 0 : err_memory(err);
}

static void many_release(struct many *m)
{
    for (int i = 0; m->place && i < m->nplace; i++)
        place_release(&m->place[i]);
    free(m->place);
    free(m->sums);
    free(m->completion);
}

static void tallies_clear(struct many *m, bool feedback)
{
    const size_t n = (size_t)m->scene->ways->n, nlink = m->scene->field[0]->f->nlink, nhop = m->scene->nhop;
    double *at = m->sums;

    memset(m->sums, 0, TALLIES * (2 * n + nlink + 2 * nhop) * sizeof *m->sums);
    for (int i = 0; i < TALLIES; i++, at += 2 * n + nlink + 2 * nhop)
        m->tally[i] = (struct tally){ at, at + n, at + 2 * n, feedback ? at + 2 * n + nlink : NULL,
                                      feedback ? at + 2 * n + nlink + nhop : NULL, 0 };
}

static int many_open(struct many *m, const struct scene *s, int draws, const struct cycles_load_options *o,
                     struct err *err)
{
    const struct flows *f = s->field[0]->f;
    const double room = TALLIES * (2 * (double)s->ways->n + (double)f->nlink + 2 * (double)s->nhop);
    const double own = (double)f->nport * (sizeof *m->place->clock + sizeof *m->place->ring) +
        (double)f->nlink * sizeof *m->place->drawn + (double)s->nhop * sizeof *m->place->got;
    struct rng rng;

    *m = (struct many){ .scene = s, .nplace = o->jobs > 0 ? o->jobs : omp_get_max_threads() };
    m->nplace = m->nplace < TALLIES ? m->nplace : TALLIES;
    rng_seed(&rng, o->seed);
    m->key = rng_next(&rng);
    if (mem_need((room + draws) * sizeof(double) + m->nplace * own, "broadcasts under load", err) < 0)
        return -1;
    m->place = calloc((size_t)m->nplace, sizeof *m->place);
    m->sums = malloc(((size_t)room + 1) * sizeof *m->sums);
    m->completion = malloc(((size_t)draws + BATCH) * sizeof *m->completion);
    if (!m->place || !m->sums || !m->completion)
        return err_memory(err);
    for (int i = 0; i < m->nplace; i++)
        if (place_open(&m->place[i], s, err) < 0)
            return -1;
    return 0;
}

/* Draws from .. from + n - 1, n <= BATCH, of stream `stream` on. */
static int draw_batch(struct many *m, int from, int n, uint64_t stream, const struct tick *t, struct err *err)
{
    struct err error[TALLIES] = { { 0 } };
    int failed = 0, ret = 0;

#pragma omp parallel for schedule(dynamic) num_threads(m->nplace) if (m->nplace > 1)
    for (int i = 0; i < TALLIES; i++) {
        const int me = omp_get_thread_num();

        for (int k = i * RUNS; k < (i + 1) * RUNS && k < n; k++) {
            int stop;

#pragma omp atomic read
            stop = failed;
            if (stop)
                break;
            if (draw(&m->completion[from + k], &m->place[me], &m->tally[i], m->key, stream + (uint64_t)(from + k),
                     me == 0 ? t : NULL, &error[i]) < 0) {
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

/* What each port's messages wait for the broadcast's, of which `many` has a batch. */
static void find_others(double *others, const struct many *m, double completion, int draws)
{
    const struct scene *s = m->scene;
    const struct cycles_ports *p = s->field[1];
    const struct flows *f = p->f;

    memset(others, 0, f->nport * sizeof *others);
    for (size_t k = 0; k < s->nhop; k++) {
        const size_t l = (size_t)s->ways->trunk[s->first + k];
        double keeps = 0, comes = 0;

        for (int i = 0; i < TALLIES; i++) {
            keeps += m->tally[i].keeps[k] / draws;
            comes += m->tally[i].comes[k] / draws;
        }
        for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
            const double t = p->port[g].away;

            if ((int64_t)g != s->port[k] && p->port[g].x > 0)
                others[g] += (keeps + t * expm1(-keeps / t) - keeps * expm1(-comes / t)) / (completion * p->port[g].x);
        }
    }
}

static int feed_back(struct scene *s, struct many *m, struct cycles_load *out, const struct cycles_load_options *o,
                     struct err *err)
{
    struct collide *c = &s->b->study->collide;
    double *others = malloc((c->f->nport + 1) * sizeof *others);
    int ret = others ? 0 : err_memory(err);

    for (int round = 0; ret == 0 && round < FEEDBACK_ROUNDS; round++) {
        const struct tick t = tick_step(o->tick, (size_t)round, 8 * FEEDBACK_ROUNDS);
        struct cycles_ports next;
        struct cycles_mean mean;
        double sd;
        int n;

        tallies_clear(m, true);
        ret = draw_batch(m, 0, BATCH / 2, (uint64_t)(round + 1) << 32, &t, err);
        if (ret < 0)
            break;
        sum_completions(&mean, &sd, &n, m->completion, BATCH / 2);
        if (n < BATCH / 2)
            break;                              /* of deadlocks more is not to be learnt */
        find_others(others, m, mean.mean, n);
        c->others = others;
        ret = collide_closed_solve(c, &s->b->load, err);
        if (ret == 0)
            ret = cycles_ports_open(&next, c, false, err);
        c->others = NULL;
        if (ret < 0)
            break;
        cycles_ports_release(&s->disturbed);
        s->disturbed = next;
        s->field[1] = &s->disturbed;
        s->memory = 3 * s->b->latency;
        look_out(s, 1);
    }
    if (s->field[1] != s->field[0]) {
        double was = 0, is = 0;

        for (size_t g = 0; g < c->f->nport; g++) {
            was += s->field[0]->port[g].x;
            is += s->field[1]->port[g].x;
        }
        out->feedback = is / was;
    }
    free(others);
    return ret;
}

/* ---- results ---- */

static int run_idle(struct cycles_load *out, struct many *m, struct err *err)
{
    if (cycles_run(&m->place[0].run, NULL, NULL, err) < 0)
        return -1;
    out->idle = m->place[0].run.stuck ? NAN : m->place[0].run.completion[0];
    return 0;
}

static int fill_quantiles(struct cycles_load *out, const struct many *m, struct err *err)
{
    struct ecdf e;

    if (ecdf_make(&e, m->completion, NULL, (size_t)out->draws, err) < 0)
        return -1;
    out->median = ecdf_quantile(&e, 0.5);
    out->p95 = ecdf_quantile(&e, 0.95);
    out->least = ecdf_quantile(&e, 0);
    out->most = ecdf_quantile(&e, 1);
    ecdf_release(&e);
    return 0;
}

static void fill(struct cycles_load *out, const struct many *m, int n)
{
    const struct scene *s = m->scene;
    const struct cycles_ports *calm = s->field[0];

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
    out->validity = s->b->saturated || out->held > 0.5 ? VALIDITY_SATURATED :
        out->held > (s->how.switching->hold ? 0.3 : 0.2) ? VALIDITY_NEAR : VALIDITY_GOOD;
}

int cycles_load(struct cycles_load *result, struct cycles_background *b, const struct cycles_ways *ways, int root,
                const struct cycles_how *how, const struct cycles_load_options *o, struct err *err)
{
    struct scene s = { .b = b, .ways = ways, .how = *how, .start = { root, 0 } };
    struct cycles_load out = { .n = ways->n, .worst_link = -1, .feedback = 1 };
    const int most = o->draws > 0 ? o->draws : CYCLES_DRAWS;
    const double precision = o->precision > 0 ? o->precision : 0.005;
    struct many m = { 0 };
    int ret = -1, n = 0;

    if (most > CYCLES_DRAWS_MOST)
        return err_set(err, ERR_DOMAIN, "%d draws: up to %d", most, CYCLES_DRAWS_MOST);
    if (how->switching != b->study->o.collide.switching)
        return err_set(err, ERR_DOMAIN, "a broadcast by %s beside messages by %s", how->switching->name,
                       b->study->o.collide.switching->name);
    out.arrival = malloc(((size_t)ways->n + 1) * sizeof *out.arrival);
    if ((!out.arrival && err_memory(err) < 0) || scene_open(&s, err) < 0 || many_open(&m, &s, most, o, err) < 0 ||
        run_idle(&out, &m, err) < 0 || (!b->study->o.open && feed_back(&s, &m, &out, o, err) < 0))
        goto done;
    tallies_clear(&m, false);
    while (out.draws < most) {
        const struct tick t = tick_part(o->tick, 0.125 + 0.875 * out.draws / most, 1);
        const int batch = most - out.draws < BATCH ? most - out.draws : BATCH;

        if (tick(&t, 0)) {
            err_stopped(err);
            goto done;
        }
        if (draw_batch(&m, out.draws, batch, 0, &t, err) < 0)
            goto done;
        out.draws += batch;
        sum_completions(&out.completion, &out.sd, &n, m.completion, out.draws);
        if (out.draws >= 2 * BATCH && !(out.completion.half > precision * out.completion.mean))
            break;
    }
    if (fill_quantiles(&out, &m, err) < 0)
        goto done;
    fill(&out, &m, n);
    *result = out;
    out.arrival = NULL;
    ret = 0;
done:
    free(out.arrival);
    many_release(&m);
    scene_release(&s);
    return ret;
}

void cycles_load_release(struct cycles_load *l)
{
    free(l->arrival);
    *l = (struct cycles_load){ 0 };
}
