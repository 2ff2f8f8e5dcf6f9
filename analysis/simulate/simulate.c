/* Runs and what they say together (simulate.h).
 *   opening   a finder for each thread, the fabric that all share
 *   one run   its seeds, its records; from when on it counts
 *   together  means over replications, their interval, how many it takes */
#include "analysis/simulate/simulate.h"

#include <omp.h>

#include "analysis/simulate/engine.h"
#include "graph/numeric/sample.h"

#define RUNS_MOST 1000
#define RUNS_LEAST 5                    /* with a precision */
#define WINDOWS 120                     /* of a run */
#define FLITS_MOST 1e11                 /* that the runs of a load may send: hours */
#define GROWTH 1.1                      /* from the second quarter to the last: latency grows */

const struct simulate_options simulate_usual = {
    .switching = &switching_virtual_channel, .hop_time = 1, .flits = 10, .terminals = true, .iterations = 2,
    .queue = INFINITY,
    .balance = { .flits = 1, .early = NAN }, .warmup = NAN, .cycles = NAN, .max_cycles = 1e7, .replications = 3,
    .seed = 1
};

struct run {
    struct record record;
    struct record_summary own;
    size_t skip;                        /* windows */
    struct engine_sums sum;
    double ticks, end;
    double *arrival, completion;        /* of the plan, cycles; NAN: not all of it came */
    struct lane *lane;
    struct sequence_sums sequence;
    struct agent_sums agent;
    struct err err;
};
struct simulation {
    struct net *net;
    const struct traffic *traffic;
    struct simulate_options o;
    struct fabric fabric;
    int nworker;
    struct finder *finder;
};

/* ---- opening ---- */

static double simulate_longest(const struct simulate_options *o, const struct traffic *first)
{
    const bool trace = o->source == SOURCE_TRACE;
    double most = o->nmix || trace ? 0 : o->flits;

    for (size_t i = 0; i < o->nmix && !trace; i++)
        most = fmax(most, o->mix[i].flits);
    for (size_t c = 0; !o->nmix && !trace && c <= o->nchange; c++) {
        const struct traffic *t = c ? o->change[c - 1].traffic : first;

        for (size_t i = 0; i < t->nstream; i++)
            most = fmax(most, isnan(t->stream[i].time) ? 0 : t->stream[i].time);
    }
    for (size_t i = 0; trace && i < o->ntrace; i++)
        most = fmax(most, o->trace[i].flits);
    for (size_t i = 0; i < o->nplan; i++)
        most = fmax(most, o->plan[i].flits);
    return fmax(1, round(most)) + o->header;
}

/* A trace has a source for every terminal, as a matrix has. */
static int simulate_check_trace(const struct net *net, const struct traffic *t, const struct simulate_options *o,
                                struct err *err)
{
    if (!t->matrix)
        return err_set(err, ERR_DOMAIN, "messages of a trace stand beside traffic of all terminals, not %.80s",
                       t->spec ? t->spec : "a list");
    for (size_t i = 0; i < o->ntrace; i++) {
        const struct simulate_message *m = &o->trace[i];

        if (m->source == m->target || net_terminal_index(net, m->source) < 0 || net_terminal_index(net, m->target) < 0)
            return err_set(err, ERR_DOMAIN, "message %zu goes from node %d to %d: write different terminals", i + 1,
                           m->source, m->target);
    }
    return 0;
}

/* That messages are counted by. */
static size_t simulate_sources(const struct simulation *s)
{
    return s->o.nchange ? (size_t)s->net->nterminal : traffic_sources(s->traffic);
}

int simulate_open(struct simulation **out, struct net *net, const struct traffic *traffic, const char *routing,
                  const struct simulate_options *o, struct err *err)
{
    const int runs = o->precision > 0 ? RUNS_LEAST : o->replications;
    struct simulation *s = calloc(1, sizeof *s);

    if (!s)
        return err_memory(err);
    if (o->source == SOURCE_TRACE && simulate_check_trace(net, traffic, o, err) < 0) {
        free(s);
        return -1;
    }
    *s = (struct simulation){ .net = net, .traffic = traffic, .o = *o };
    s->nworker = o->jobs > 0 ? o->jobs : omp_get_max_threads();
    s->nworker = s->nworker > runs ? runs : s->nworker;
    if (TAKE("the runs", err, ZEROS(s->finder, s->nworker)) < 0)
        goto fail;
    for (int i = 0; i < s->nworker; i++)
        if (finder_open(&s->finder[i], net, traffic, routing, o->flits, o->tick, err) < 0)
            goto fail;
    if (!s->finder[0].balances)         /* nothing is kept where it is not used */
        s->o.balance = simulate_usual.balance;
    if (fabric_open(&s->fabric, net, s->finder[0].options.routing, s->finder[0].options.n,
                    simulate_longest(o, traffic), &s->o, err) < 0 ||
        mem_need(s->nworker * engine_bytes(&s->fabric, simulate_sources(s) + o->nplan),
                 "the channels of the runs", err) < 0)
        goto fail;
    *out = s;
    return 0;
fail:
    simulate_close(s);
    return -1;
}

void simulate_close(struct simulation *s)
{
    if (!s)
        return;
    for (int i = 0; s->finder && i < s->nworker; i++)
        finder_close(&s->finder[i]);
    fabric_close(&s->fabric);
    FREE(s->finder);
    free(s);
}

const char *simulate_routing(const struct simulation *s)
{
    return s->finder[0].spec;
}

const char *simulate_note(const struct simulation *s)
{
    return s->fabric.note;
}

/* ---- one run ---- */

static void run_release(struct run *r)
{
    record_release(&r->record);
    FREE(r->sum.cycle, r->sum.source_sum, r->sum.source_many, r->lane, r->arrival);
    *r = (struct run){ 0 };
}

/* What the engine counted becomes the run's. */
static void run_take(struct run *r, struct engine *e)
{
    r->sum = e->sum;
    r->lane = e->lane;
    r->sequence = e->sequence.sum;
    r->agent = e->agent.sum;
    r->end = (double)e->now;
    r->ticks = (double)(e->now > e->counted ? e->now - e->counted : 0);
    e->sum = (struct engine_sums){ 0 };
    e->lane = NULL;
}

static void run_plan(struct run *r, const struct injector *s, size_t n, double begin)
{
    r->completion = 0;
    for (size_t i = 0; i < n; i++) {
        r->arrival[i] = (s->plan[i].come - begin) * s->tick;
        if (!(r->completion >= r->arrival[i]) && !isnan(r->completion))
            r->completion = r->arrival[i];
    }
}

struct span {                           /* of runs: */
    const struct load *load;
    double warmup, cycles;
};

/* Run `number`, on a thread's finder. */
static int run_one(struct run *r, struct simulation *s, struct finder *finder, const struct span *span, int number,
                   const int *stop, const struct tick *tick, struct err *err)
{
    const double ticks = (span->warmup + span->cycles) / s->fabric.tick;
    const int64_t end = (int64_t)ceil(ticks), begin = (int64_t)ceil(span->warmup / s->fabric.tick);
    const int64_t counted = isnan(s->o.warmup) && s->o.source != SOURCE_TRACE ? end / 4 : begin;
    const uint64_t seed = rng_mix(s->o.seed * 0x9e3779b97f4a7c15u + (uint64_t)number);
    struct injector injector = { 0 };
    struct engine e = { 0 };
    int ret = -1;

    if (record_open(&r->record, s->o.source == SOURCE_TRACE ? 1 : (end - begin) / WINDOWS + 1, err) < 0 ||
        TAKE("the plan", err, ARRAY(r->arrival, s->o.nplan)) < 0 ||
        injector_open(&injector, s->traffic, span->load, &s->o, s->fabric.tick, (double)begin, rng_mix(seed + 1),
                      err) < 0 ||
        engine_open(&e, &s->fabric, &(struct engine_setup){ finder, &injector, &r->record, &s->o, end, begin, counted,
                    rng_mix(seed + 2) }, err) < 0)
        goto done;
    finder_begin(finder, &s->fabric, engine_used, &e, rng_mix(seed + 3));
    finder->agent = finder->balances ? &e.agent : NULL;
    ret = engine_run(&e, stop, tick, err);
    if (ret == 0)
        run_take(r, &e);
    if (ret == 0 && s->o.nplan) {
        run_plan(r, &injector, s->o.nplan, (double)begin);
        record_summary(&r->own, &(const struct record *){ &r->record }, &r->skip, 1);
        if (number > 0)                 /* megabytes, of many runs */
            record_release(&r->record);
    } else if (ret == 0) {
        ret = record_pack(&r->record, err);
    }
done:
    finder->agent = NULL;
    engine_close(&e);
    injector_close(&injector);
    return ret;
}

/* Runs from..to-1, each with the finder of its thread. */
static int run_several(struct run *run, struct simulation *s, const struct span *span, int from, int to,
                       struct err *err)
{
    int stop = 0;

#pragma omp parallel for schedule(dynamic, 1) num_threads(s->nworker) if (s->nworker > 1)
    for (int i = from; i < to; i++) {
        const int thread = omp_get_thread_num();
        const struct tick part = tick_step(s->o.tick, (size_t)(i - from), (size_t)(to - from));
        int over;

#pragma omp atomic read
        over = stop;
        if (over)
            continue;
        if (run_one(&run[i], s, &s->finder[thread], span, i, &stop, thread ? NULL : &part, &run[i].err) < 0) {
#pragma omp atomic write
            stop = 1;
        }
    }
    for (int i = from; i < to; i++)
        if (run[i].err.code && run[i].err.code != ERR_STOPPED) {
            *err = run[i].err;
            return -1;
        }
    return stop ? err_stopped(err) : 0;
}

/* ---- together ---- */

static double run_mean(const struct run *r)
{
    return r->own.packet.mean;
}
static double run_network(const struct run *r)
{
    return r->own.network.mean;
}
static double run_completion(const struct run *r)
{
    return r->completion;
}
static double run_accepted(const struct run *r)
{
    return r->own.cycles > 0 ? r->own.flits / r->own.cycles : NAN;
}

/* Mean latency over the windows from..to-1. */
static double windows_mean(const struct record *r, size_t from, size_t to)
{
    double sum = 0, messages = 0;

    for (size_t w = from; w < to; w++) {
        sum += r->window[w].latency;
        messages += r->window[w].messages;
    }
    return sum / messages;
}

/* Where all runs come to rest: windows of the same time put together, which are calmer than those of one. There is no
 * steady state where latency goes on to grow, or where sources fall behind by more than chance would have it. */
static void runs_judge(struct run *run, int n, const struct simulation *s, bool *steady)
{
    const bool found = isnan(s->o.warmup) && s->o.source != SOURCE_TRACE;
    struct record all = run[0].record;
    size_t skip = 0;
    double behind = 0, offered = 0, messages = 0;

    for (int i = 1; i < n; i++) {
        all.at = run[i].record.at < all.at ? run[i].record.at : all.at;
        for (size_t w = 0; w < all.at && run[i].record.length == all.length; w++) {
            all.window[w].messages += run[i].record.window[w].messages;
            all.window[w].latency += run[i].record.window[w].latency;
        }
    }
    *steady = true;
    if (found && !record_settle(&skip, &all) && skip > 0)
        *steady = !(windows_mean(&all, 3 * all.at / 4, all.at) > GROWTH * windows_mean(&all, all.at / 4, all.at / 2));
    for (int i = 0; i < n; i++) {
        struct run *r = &run[i];
        const struct record *const record = &r->record;

        if (record->bin || record->packed) {            /* of plans: let go */
            r->skip = skip < record_full(record) ? skip : 0;
            record_summary(&r->own, &record, &r->skip, 1);
        }
        behind += r->own.offered - r->own.flits;
        offered += r->own.offered;
        messages += r->own.messages;
        *steady = *steady && (r->sum.deadlocks == 0 || s->o.drain) && !r->sum.full;
    }
    if (s->o.source != SOURCE_CLOSED && s->o.source != SOURCE_TRACE && isinf(s->o.queue) && messages > 0 &&
        behind > 0.01 * offered + 4 * sqrt(messages) * offered / messages)
        *steady = false;
}

/* Returns of how many: where `some` have none, theirs is NAN. */
static int over_runs(double *mean, double *half, const struct run *run, int n, double (*of)(const struct run *),
                     bool some)
{
    double sum = 0, squares = 0;
    int many = 0;

    for (int i = 0; i < n; i++)
        if (!some || !isnan(of(&run[i]))) {
            sum += of(&run[i]);
            many++;
        }
    *mean = sum / many;
    for (int i = 0; i < n; i++)
        if (!some || !isnan(of(&run[i])))
            squares += (of(&run[i]) - *mean) * (of(&run[i]) - *mean);
    *half = sample_half((size_t)many, many > 1 ? sqrt(squares / (many - 1)) : NAN);
    return many;
}

static int result_plan(struct simulate_result *out, const struct simulation *s, const struct run *run, int n,
                       struct err *err)
{
    if (s->o.nplan == 0) {
        out->plan_completion = out->plan_half = out->plan_deviation = NAN;
        return 0;
    }
    out->plan_runs = over_runs(&out->plan_completion, &out->plan_half, run, n, run_completion, true);
    out->plan_deviation = out->plan_runs > 1 ? out->plan_half * sqrt(out->plan_runs) /
        sample_student((size_t)out->plan_runs - 1) : NAN;
    if (TAKE("the plan", err, ZEROS(out->plan_arrival, s->o.nplan)) < 0)
        return -1;
    for (int i = 0; i < n; i++)
        for (size_t m = 0; !isnan(run[i].completion) && m < s->o.nplan; m++)
            out->plan_arrival[m] += run[i].arrival[m] / out->plan_runs;
    return 0;
}

static int result_sources(struct simulate_result *out, const struct simulation *s, const struct run *run, int n,
                          struct err *err)
{
    double sum = 0;
    size_t many = 0;

    out->nsource = s->o.nchange ? 0 : traffic_sources(s->traffic);
    if (TAKE("the sources", err, ZEROS(out->source_mean, out->nsource), ZEROS(out->source_many, out->nsource)) < 0)
        return -1;
    for (size_t k = 0; k < out->nsource; k++) {
        for (int i = 0; i < n; i++) {
            out->source_mean[k] += run[i].sum.source_sum[k];
            out->source_many[k] += run[i].sum.source_many[k];
        }
        out->source_mean[k] = out->source_many[k] > 0 ? out->source_mean[k] / out->source_many[k] : NAN;
        if (out->source_many[k] > 0) {
            sum += out->source_mean[k];
            many++;
        }
    }
    out->by_source = many ? sum / (double)many : NAN;
    return 0;
}

static int result_links(struct simulate_result *out, const struct simulation *s, const struct run *run, int n,
                        struct err *err)
{
    const struct fabric *f = &s->fabric;
    const struct trunks *t = &f->d.follow.trunks;
    double ticks = 0;

    out->nlink = f->nlink;
    if (TAKE("the links", err, ZEROS(out->link, f->nlink)) < 0)
        return -1;
    for (int i = 0; i < n; i++)
        ticks += run[i].ticks;
    for (size_t l = 0; l < f->nlink; l++) {
        struct simulate_link *link = &out->link[l];
        double sent = 0, waited = 0, came = 0;

        for (int i = 0; i < n; i++) {
            sent += (double)run[i].lane[l].sent;
            waited += run[i].lane[l].waited;
            came += run[i].lane[l].came;
        }
        link->from = f->from[l] >= f->net->n ? -1 : f->from[l];
        link->to = f->to[l];
        link->busy = ticks > 0 ? sent * (f->slow ? (double)f->slow[l] / FABRIC_ONE : 1) / ticks : 0;
        link->wait = came > 0 ? waited / came * f->tick : 0;
        link->rate = ticks > 0 ? came / (ticks * f->tick) : 0;
    }
    for (size_t k = 0; t->first && k < t->csr->m; k++)
        for (size_t l = trunks_first(t, k); trunks_cables(t, k) > 1 && l < trunks_first(t, k + 1); l++)
            out->link[l].cable = (int)(l - trunks_first(t, k)) + 1;
    return 0;
}

/* Terminals that send. */
static int simulate_senders(double *n, const struct simulation *s, struct err *err)
{
    bool *sends;

    if (TAKE("the senders", err, ZEROS(sends, s->net->n)) < 0)
        return -1;
    *n = 0;
    for (size_t c = 0; c <= s->o.nchange; c++) {
        const struct traffic *t = c ? s->o.change[c - 1].traffic : s->traffic;

        for (int i = 0; t->matrix && i < t->net->nterminal; i++)
            sends[net_terminal(t->net, i)] = true;
        for (size_t k = 0; !t->matrix && k < t->nstream; k++)
            sends[t->stream[k].source] = true;
    }
    for (int v = 0; v < s->net->n; v++)
        *n += sends[v];
    free(sends);
    return 0;
}

static void result_balanced(struct simulate_result *out, const struct run *run, int n, double tick, double delivered)
{
    struct simulate_balanced *b = &out->balanced;
    struct sequence_sums order = { 0 };
    struct agent_sums all = { 0 };

    for (int i = 0; i < n; i++) {
        const struct agent_sums *a = &run[i].agent;

        order.messages += run[i].sequence.messages;
        order.late += run[i].sequence.late;
        order.wait += run[i].sequence.wait;
        order.most = fmax(order.most, run[i].sequence.most);
        all.messages += a->messages;
        all.ways += a->ways;
        all.changes += a->changes;
        all.acks += a->acks;
        all.early += a->early;
        all.back += a->back;
        all.brought += a->brought;
        for (int k = 0; k < SIMULATE_PARTS; k++)
            all.wait[k] += a->wait[k];
    }
    out->order = (struct simulate_order){ order.late / order.messages, order.wait / order.messages * tick, order.most };
    *b = (struct simulate_balanced){ .ways = all.ways / all.messages, .changes = all.changes / all.messages,
                                     .ack = all.back / all.brought * tick, .acks = all.acks / all.messages,
                                     .early = all.early / all.acks };
    for (int k = 0; k < SIMULATE_PARTS; k++)
        b->wait[k] = all.messages > 0 ? all.wait[k] / delivered * tick : NAN;
}

static int result_make(struct simulate_result *out, const struct simulation *s, struct run *run, int n, bool steady,
                       struct err *err)
{
    const double tick = s->fabric.tick;
    const struct record **record = NULL;
    double delivered = 0, senders;
    size_t *from = NULL;

    *out = (struct simulate_result){ .replications = n, .steady = steady, .deadlock_at = NAN };
    if (simulate_senders(&senders, s, err) < 0 || TAKE("the results", err, ARRAY(record, n), ARRAY(from, n)) < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        struct run *r = &run[i];

        record[i] = &r->record;
        from[i] = r->skip;
        out->born += r->sum.born;
        out->rejected += r->sum.rejected;
        out->drained += r->sum.drained;
        out->flit_hops += (double)r->sum.flit_hops;
        out->deadlocks += r->sum.deadlocks;
        out->left += r->sum.left;
        out->ended = fmax(out->ended, r->end * tick);
        out->hops += r->sum.hops;
        for (size_t k = 0; k < simulate_sources(s); k++)
            delivered += r->sum.source_many[k];
        out->warmup = fmax(out->warmup, isnan(s->o.warmup) ? (double)r->skip * (double)r->record.length * tick :
                           s->o.warmup);
        if (r->sum.deadlock_at >= 0 && isnan(out->deadlock_at)) {
            out->deadlock_at = (double)r->sum.deadlock_at * tick;
            out->cycle = r->sum.cycle;
            out->ncycle = r->sum.ncycle;
            r->sum.cycle = NULL;
        }
    }
    record_summary(&out->all, record, from, s->o.nplan ? 1 : (size_t)n);
    FREE(record, from);
    out->hops = delivered > 0 ? out->hops / delivered : NAN;
    out->delivered = out->all.messages;
    out->all.cycles *= tick;
    out->cycles = out->all.cycles;
    out->offered = out->cycles > 0 ? out->all.offered / out->cycles / senders : NAN;
    result_balanced(out, run, n, tick, delivered);
    over_runs(&out->mean, &out->mean_half, run, n, run_mean, false);
    over_runs(&out->network, &out->network_half, run, n, run_network, false);
    over_runs(&out->accepted, &out->accepted_half, run, n, run_accepted, false);
    out->accepted /= tick * senders;
    out->accepted_half /= tick * senders;
    if (result_sources(out, s, run, n, err) < 0 || result_plan(out, s, run, n, err) < 0 ||
        (s->o.links && result_links(out, s, run, n, err) < 0)) {
        simulate_result_release(out);
        return -1;
    }
    out->tick = tick;
    out->record = run[0].record;
    run[0].record = (struct record){ 0 };
    out->windows = 1;
    for (int i = 1; i < n && s->o.nplan == 0 && s->o.source != SOURCE_TRACE && !isnan(s->o.warmup); i++)
        if (run[i].record.length == out->record.length && run[i].record.at == out->record.at) {
            record_join(&out->record, &run[i].record);
            out->windows++;
        }
    return 0;
}

void simulate_result_release(struct simulate_result *r)
{
    record_release(&r->record);
    FREE(r->cycle, r->source_mean, r->source_many, r->link, r->plan_arrival);
    *r = (struct simulate_result){ 0 };
}

/* What the runs of a load will send, and what may wait at sources at a time, before any of it is. */
static int simulate_forecast(const struct simulation *s, const struct load *load, double span, int n, struct err *err)
{
    const struct simulate_options *o = &s->o;
    const double births = o->source == SOURCE_TRACE ? (double)o->ntrace : injector_rate(s->traffic, load, o) * span,
        waiting = o->source == SOURCE_CLOSED ? 0 : o->source == SOURCE_TRACE ? births :
            fmin(births, engine_most(simulate_sources(s)));

    if (births * o->flits * n > FLITS_MOST && o->source != SOURCE_TRACE)
        return err_set(err, ERR_DOMAIN, "%d run%s of %.4g cycles would send %.3g flits, and %g can be simulated: let them "
                       "be shorter", n, n == 1 ? "" : "s", span, births * o->flits * n, FLITS_MOST);
    return mem_need(s->nworker * waiting * sizeof(struct message), "what waits at sources", err);
}

/* Said where a run ended before its time. */
static void simulate_note_full(struct simulation *s, const struct run *run, int n)
{
    const size_t at = strlen(s->fabric.note);

    for (int i = 0; i < n; i++)
        if (run[i].sum.full && !strstr(s->fabric.note, "ended early")) {
            snprintf(s->fabric.note + at, sizeof s->fabric.note - at, "%sbeyond saturation: a run ended early, at cycle "
                     "%.4g, when %.3g messages waited at sources", at ? "; " : "", run[i].end * s->fabric.tick,
                     run[i].sum.left);
        }
}

int simulate_run(struct simulate_result *out, struct simulation *s, const struct load *load, struct err *err)
{
    const struct simulate_options *o = &s->o;
    const bool trace = o->source == SOURCE_TRACE;
    const double warmup = isnan(o->warmup) || trace ? 0 : o->warmup;
    double cycles = !isnan(o->cycles) ? o->cycles : trace ? 2 * TRAFFIC_MOST :
        fmin(fmax(SIMULATE_MESSAGES / injector_rate(s->traffic, load, o), 1e4), 1e6);
    int n = o->precision > 0 && o->replications < RUNS_LEAST ? RUNS_LEAST : o->replications, done = 0, ret = -1;
    struct simulate_result result = { 0 };
    struct run *run = NULL;
    double mean = NAN, half = NAN;
    bool steady = true;

    if (o->precision > 0 && !o->nplan)          /* not more than may be, in the fewest runs */
        cycles = fmax(1, fmin(cycles, o->max_cycles / n - warmup));
    if (simulate_forecast(s, load, warmup + cycles, n, err) < 0)
        return -1;
    if (mem_need((o->nplan ? 1.0 : n) * RECORD_WINDOWS * 2 * RECORD_BINS * sizeof *run->record.bin,
                 "the latencies of the runs", err) < 0 ||
        TAKE("the runs", err, ZEROS(run, n > RUNS_MOST ? n : RUNS_MOST)) < 0)
        return -1;
    while (done < n) {
        if (run_several(run, s, &(struct span){ load, warmup, cycles }, done, n, err) < 0)
            goto done;
        done = n;
        runs_judge(run, n, s, &steady);
        over_runs(&mean, &half, run, n, o->nplan ? run_completion : run_mean, o->nplan > 0);
        if (o->precision > 0 && !(half <= o->precision * mean) && (run[0].sum.deadlocks == 0 || o->drain) &&
            n + (n + 1) / 2 <= RUNS_MOST &&
            (n + (n + 1) / 2) * (warmup + cycles) <= o->max_cycles)
            n += (n + 1) / 2;
    }
    simulate_note_full(s, run, n);
    if (result_make(&result, s, run, n, steady, err) < 0)
        goto done;
    result.precise = o->precision > 0 ? half <= o->precision * mean : !(half > SIMULATE_WIDE * mean);
    result.brief = !trace && !(result.all.messages >= SIMULATE_LEAST && (!steady || SIMULATE_LATENCIES * result.mean <
                                                                         result.cycles / n));
    *out = result;
    ret = 0;
done:
    for (int i = 0; i < n; i++)
        run_release(&run[i]);
    free(run);
    return ret;
}

char *simulate_link_label(const struct simulation *s, size_t link)
{
    const struct fabric *f = &s->fabric;
    char a[NET_LABEL], b[NET_LABEL], *text;
    const int from = f->from[link], to = f->to[link];

    if (from >= 0 && from < f->net->n && to >= 0)
        return net_label_pair(f->net, from, ">", to);
    return asprintf(&text, "%s %s", to < 0 ? "out of" : "into", to < 0 ? net_label(f->net, from, a) :
                    net_label(f->net, to, b)) < 0 ? NULL : text;
}
