/* drb_trial.c -- simulations of chapter 6 and the statements on them (drb_trial.h).
 * 1. settings and runs    options of the simulator; one group by one method under one setting
 * 2. the transient        many short runs, their latencies by time of arrival
 * 3. all runs of a table  every group, method and setting, unless it cannot differ from the first
 * 4. statements           the worst ratio over the loads, and the settings under which it holds */
#include "analysis/claim/drb_trial.h"
#include "graph/base/jobs.h"
#include "graph/numeric/sample.h"

const double trial_intervals[TRIAL_LOADS] = { 10, 20, 30, 40, 60, 100 };
const char *const trial_method_name[TRIAL_METHODS] = { "dor", "adaptive", "DRB" };

#define MESSAGES 1e4                    /* a run */
#define PRECISION 0.02

static const struct {
    const char *name;
    const char *by[TRIAL_METHODS];      /* NULL: as in the first */
    double look;                        /* cycles between searches for deadlocks */
} setting[TRIAL_SETTINGS] = {
    { "as set", { "dor", "adaptive,select=first", "drb:static+best:3,threshold=12,tolerance=8" }, 4 },
    { "threshold 20", { [TRIAL_DRB] = "drb:static+best:3,threshold=20,tolerance=8" }, 4 },
    { "tolerance 4", { [TRIAL_DRB] = "drb:static+best:3,threshold=12,tolerance=4" }, 4 },
    { "k 4", { [TRIAL_DRB] = "drb:static+best:3,threshold=12,tolerance=8,k=4" }, 4 },
    { "all open", { [TRIAL_DRB] = "drb:static+best:3,threshold=1e-6,tolerance=0" }, 4 },
    { "by credits", { [TRIAL_ADAPTIVE] = "adaptive" }, 4 },
    { "late search", { NULL }, 2048 }
};

/* ---- settings and runs ---- */

static struct simulate_options trial_options(const struct trial_group *g, int which)
{
    struct simulate_options o = simulate_usual;

    o.switching = &switching_wormhole;
    o.router = router_single;
    o.flits = g->flits > 0 ? g->flits : o.flits;
    o.terminals = false;
    o.allocator = ALLOCATE_CHANNEL;
    o.queue = 1;
    o.drain = true;
    o.look = setting[which].look;
    o.max_cycles = 1e8;
    if (g->balance)
        o.balance = *g->balance;
    return o;
}

static const char *trial_routing(enum trial_method method, int which)
{
    return setting[which].by[method] ? setting[which].by[method] : setting[0].by[method];
}

int trial_measure(struct trial_point *out, const struct trial_run *of, int which, const struct tick *t, struct err *err)
{
    const struct trial_group *g = of->group;
    struct simulate_options o = trial_options(g, which);
    struct traffic traffic = { 0 };
    struct net *net = NULL;
    int ret = net_open(&net, g->net, err) < 0 ? -1 : traffic_open(&traffic, net, g->traffic, err);

    o.precision = PRECISION;
    o.links = true;
    o.jobs = 1;                         /* threads share the runs of a table */
    o.tick = t;
    for (size_t i = 0; ret == 0 && i < of->n; i++) {
        const struct load load = { of->interval[i] * (g->scale > 0 ? g->scale : 1), 1 };
        struct simulation *run = NULL;
        struct simulate_result r = { 0 };

        o.cycles = fmax(5000, of->messages * load.interval / (double)traffic_sources(&traffic));
        ret = simulate_open(&run, net, &traffic, trial_routing(of->method, which), &o, err) < 0 ||
            simulate_run(&r, run, &load, err) < 0 ? -1 : 0;
        if (ret == 0)
            out[i] = (struct trial_point){ r.mean + TRIAL_ENDS, r.mean_half, r.all.packet.deviation,
                                           r.all.packet.most + TRIAL_ENDS, 100 * r.accepted / r.offered,
                                           r.accepted / o.flits, 0, r.drained };
        for (size_t l = 0; l < r.nlink; l++)
            out[i].wait = fmax(out[i].wait, r.link[l].wait);
        simulate_result_release(&r);
        simulate_close(run);
    }
    traffic_release(&traffic);
    net_close(net);
    return ret;
}

/* ---- the transient ---- */

enum { STARTS = 160, PIECES = 60 };
#define FIRST 2000.                     /* cycles */
#define WHOLE 6000.

struct arrivals {
    double sum[2], many[2];
    double piece[PIECES], number[PIECES];       /* of all runs */
};

static void trial_arrived(void *arg, const struct simulate_arrival *at)
{
    struct arrivals *a = arg;
    const int part = at->arrived >= FIRST;

    const int piece = (int)fmin(at->arrived / WHOLE * PIECES, PIECES - 1);
    const double latency = at->arrived - at->born + TRIAL_ENDS;

    a->sum[part] += latency;
    a->many[part]++;
    a->piece[piece] += latency;
    a->number[piece]++;
}

int trial_begin(struct trial_start *out, const struct trial_group *g, const struct tick *t, struct err *err)
{
    const struct load load = { trial_intervals[0], 1 };
    struct simulate_options o = trial_options(g, 0);
    double sum[2] = { 0, 0 }, squares[2] = { 0, 0 };
    struct traffic traffic = { 0 };
    struct arrivals a = { 0 };
    struct net *net = NULL;
    int ret = net_open(&net, g->net, err) < 0 ? -1 : traffic_open(&traffic, net, g->traffic, err);

    o.arg = &a;
    o.tick = t;
    o.warmup = 0;
    o.cycles = WHOLE;
    o.replications = 1;
    o.arrived = trial_arrived;
    for (int i = 0; ret == 0 && i < STARTS; i++) {
        struct simulation *run = NULL;
        struct simulate_result r = { 0 };

        o.seed = (uint64_t)i + 1;
        for (int k = 0; k < 2; k++)
            a.sum[k] = a.many[k] = 0;
        ret = simulate_open(&run, net, &traffic, trial_routing(TRIAL_DRB, 0), &o, err) < 0 ||
            simulate_run(&r, run, &load, err) < 0 ? -1 : 0;
        simulate_result_release(&r);
        simulate_close(run);
        for (int k = 0; k < 2; k++) {
            sum[k] += a.sum[k] / a.many[k];
            squares[k] += a.sum[k] / a.many[k] * (a.sum[k] / a.many[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        out->mean[k] = sum[k] / STARTS;
        out->half[k] = sample_half(STARTS, sqrt(fmax(0, squares[k] - sum[k] * out->mean[k]) / (STARTS - 1)));
    }
    out->peak = 0;
    for (int i = 0; i < PIECES; i++)
        out->peak = fmax(out->peak, a.piece[i] / a.number[i]);
    traffic_release(&traffic);
    net_close(net);
    return ret;
}

int trial_compare(const struct trial_start *a, const struct trial_start *b, const char *what, const char *printed,
                  bool peaks, const struct claim_sink *sink, struct err *err)
{
    const double first = a->mean[0] / b->mean[0], then = a->mean[1] / b->mean[1];
    const bool told = fabs(a->mean[0] - b->mean[0]) > hypot(a->half[0], b->half[0]);

    return (peaks &&
            claim_statement(sink, err, a->peak / b->peak, a->peak < 0.95 * b->peak ? CLAIM_HOLDS : CLAIM_FAILS, what,
                            "greatest mean latency of 100 cycles, in parts of the other's", printed, "%.1f against "
                            "%.1f cycles", a->peak, b->peak) < 0) ||
        claim_statement(sink, err, first, first < 1 && told ? CLAIM_HOLDS : CLAIM_FAILS, what,
                        "mean latency to cycle 2,000, in parts of the other's", printed,
                        "%.2f +- %.2f against %.2f +- %.2f cycles, " "mean of %d runs%s", a->mean[0], a->half[0],
                        b->mean[0], b->half[0], STARTS, told ? "" : ": they cannot be told apart") < 0 ||
        claim_statement(sink, err, then, fabs(then - 1) <= 0.03 ? CLAIM_HOLDS : CLAIM_FAILS, what,
                        "mean latency from there to cycle 6,000, in parts of the other's", "the same",
                        "%.2f +- %.2f against %.2f +- %.2f " "cycles", a->mean[1], a->half[1], b->mean[1],
                        b->half[1]) < 0 ? -1 : 0;
}

/* ---- all runs of a table ---- */

struct trial {
    const struct trial_table *table;
    struct trial_point *at;             /* by group, method, setting and load */
};

static struct trial_point *point(const struct trial *s, size_t group, int method, int which)
{
    return &s->at[((group * TRIAL_METHODS + (size_t)method) * TRIAL_SETTINGS + (size_t)which) * TRIAL_LOADS];
}

bool trial_differs(const struct trial_point *first, size_t loads, enum trial_method method, int which)
{
    double drained = 0;

    for (size_t i = 0; i < loads; i++)
        drained += first[i].drained;
    return setting[which].by[method] || (setting[which].look > setting[0].look && drained > 0);
}

const char *trial_setting_name(int which)
{
    return setting[which].name;
}

struct trial_work {
    const struct trial_run *run;
    size_t n;
    struct trial_point *at;
};

static int trial_first(void *arg, int, size_t part, const struct tick *tick, struct err *err)
{
    const struct trial_work *w = arg;

    return trial_measure(&w->at[part * TRIAL_SETTINGS * TRIAL_LOADS], &w->run[part], 0, tick, err);
}

static int trial_other(void *arg, int, size_t part, const struct tick *tick, struct err *err)
{
    const struct trial_work *w = arg;
    const struct trial_run *run = &w->run[part % w->n];
    const int which = 1 + (int)(part / w->n);
    struct trial_point *first = &w->at[part % w->n * TRIAL_SETTINGS * TRIAL_LOADS], *p = first + which * TRIAL_LOADS;

    if (trial_differs(first, run->n, run->method, which))
        return trial_measure(p, run, which, tick, err);
    memcpy(p, first, run->n * sizeof *p);
    return 0;
}

int trial_all(struct trial_point *at, const struct trial_run *run, size_t n, const struct tick *t, struct err *err)
{
    const size_t others = n * (TRIAL_SETTINGS - 1);
    const struct tick half[] = { tick_step(t, 0, 2), tick_step(t, 1, 2) };
    struct trial_work w = { run, n, at };

    return jobs_run(n, jobs_threads(0, n), trial_first, &w, &half[0], err) < 0 ? -1 :
        jobs_run(others, jobs_threads(0, others), trial_other, &w, &half[1], err);
}

/* ---- statements ---- */

static const char *const value_name[] = { "mean latency", "deviation of latency", "accepted load", "accepted load",
                                          "wait at the busiest link", "mean latency" };

static double value(const struct trial_point *p, enum trial_value of)
{
    return of == TRIAL_DEVIATION ? p->deviation : of == TRIAL_PERCENT ? p->percent : of == TRIAL_RATE ? p->rate :
        of == TRIAL_WAIT ? p->wait : p->mean;
}

/* The point that the group's own is compared with at the load. */
static const struct trial_point *other(const struct trial *s, const struct trial_claim *c, size_t group, int which,
                                       int load, enum trial_method method)
{
    return point(s, (size_t)((int)group + c->offset), (int)method, which) + load + c->shift;
}

static double ratio(const struct trial *s, const struct trial_claim *c, size_t group, int which, int load)
{
    const struct trial_point *a = point(s, group, (int)c->method, which) + load;

    return c->value != TRIAL_GAIN ? value(a, c->value) / value(other(s, c, group, which, load, c->than), c->value) :
        a->mean / point(s, group, (int)c->than, which)[load].mean /
        (other(s, c, group, which, load, c->method)->mean / other(s, c, group, which, load, c->than)->mean);
}

/* The ratio that is farthest off over the loads, and the load. */
static double worst(int *load, const struct trial *s, const struct trial_claim *c, size_t group, int which)
{
    double most = -INFINITY, at = NAN;

    for (int i = c->first; i <= c->last; i++) {
        const double r = ratio(s, c, group, which, i), off = fmax(r / c->most, c->least / r);

        if (!(off > most))
            continue;
        most = off;
        at = r;
        *load = i;
    }
    return at;
}

/* "torus:8x8 transpose, 20 flits, intervals 10 to 40"; 0: none. */
static void name_run(char *to, size_t room, const struct trial_group *g, double from, double end)
{
    const struct simulate_balance *b = g->balance;
    const double scale = g->scale > 0 ? g->scale : 1;
    char flits[24] = "", delay[24] = "", at[48] = "";

    if (g->flits > 0)
        snprintf(flits, sizeof flits, ", %g flits", g->flits);
    if (b && b->delay > 0)
        snprintf(delay, sizeof delay, ", delay %g", b->delay);
    if (from > 0 && from == end)
        snprintf(at, sizeof at, ", interval %g", from * scale);
    else if (from > 0)
        snprintf(at, sizeof at, ", intervals %g to %g", from * scale, end * scale);
    snprintf(to, room, "%s %s%s%s%s%s", g->net, g->traffic, b && b->ack == ACK_BAND ? ", acknowledged" :
             b && !isnan(b->early) ? ", early" : "", flits, delay, at);
}

static void name_value(char *to, size_t room, const struct trial_claim *c, const struct trial_group *than)
{
    const char *what = value_name[c->value], *by = trial_method_name[c->method];
    char run[80];

    name_run(run, sizeof run, than, 0, 0);
    if (c->value == TRIAL_GAIN)
        snprintf(to, room, "latency of %s in parts of %s, in parts of that %s%s", by, trial_method_name[c->than],
                 c->offset ? "on " : "at the next interval", c->offset ? run : "");
    else if (c->shift && !c->offset)
        snprintf(to, room, "%s of %s, in parts of that at the next interval", what, by);
    else
        snprintf(to, room, "%s of %s, in parts of %s%s%s", what, by, trial_method_name[c->than],
                 c->offset ? " on " : "", c->offset ? run : "");
}

/* Whether any run that it compares differs under the setting from the first. */
static bool anew(const struct trial *s, const struct trial_claim *c, size_t group, int which)
{
    const size_t of[] = { group, (size_t)((int)group + c->offset) };
    const enum trial_method by[] = { c->method, c->than };

    for (int k = 0; k < 4; k++)
        if (memcmp(point(s, of[k / 2], (int)by[k % 2], which), point(s, of[k / 2], (int)by[k % 2], 0),
                   s->table->loads * sizeof(struct trial_point)) != 0 &&
            (c->value == TRIAL_GAIN || k == 0 || k == 3))
            return true;
    return false;
}

static int trial_state(const struct trial *s, const struct trial_claim *c, size_t group, const struct claim_sink *sink,
                       struct err *err)
{
    const struct trial_group *g = &s->table->group[group];
    const struct trial_point *a, *b;
    char where[120], what[160], list[2][160] = { "", "" }, numbers[80];
    int load = 0, at = 0, held = 0, all = 0;
    double first = NAN;

    for (int k = 0; k < TRIAL_SETTINGS; k++) {
        if (k > 0 && !anew(s, c, group, k))
            continue;

        const double r = worst(&at, s, c, group, k);
        const bool holds = r >= c->least && r <= c->most;
        const size_t len = strlen(list[holds]);

        held += holds;
        all++;
        if (k == 0) {
            first = r;
            load = at;
        }
        snprintf(list[holds] + len, sizeof *list - len, "%s%s %.2f", len ? ", " : "", setting[k].name, r);
    }
    a = point(s, group, (int)c->method, 0) + load;
    b = c->value == TRIAL_GAIN ? point(s, group, (int)c->than, 0) + load : other(s, c, group, 0, load, c->than);
    name_run(where, sizeof where, g, trial_intervals[c->first], trial_intervals[c->last]);
    name_value(what, sizeof what, c, g + c->offset);
    if (c->value == TRIAL_MEAN || c->value == TRIAL_GAIN)
        snprintf(numbers, sizeof numbers, "%.2f +- %.2f against %.2f +- %.2f", a->mean, a->half, b->mean, b->half);
    else
        snprintf(numbers, sizeof numbers, "%.4g against %.4g", value(a, c->value), value(b, c->value));
    if (c->first < c->last)
        snprintf(numbers + strlen(numbers), sizeof numbers - strlen(numbers), " at %g",
                 trial_intervals[load] * (g->scale > 0 ? g->scale : 1));
    return claim_statement(sink, err, first, claim_if(held == all, held > 0), where, what, c->printed, "%s%s%s%s%s",
                           numbers, held ? "; holds: " : "", list[1], held == all ? "" : "; not: ", list[0]);
}

int trial_state_all(const struct claim_sink *sink, struct err *err)
{
    const struct trial_table *t = sink->claim->table;
    const size_t n = t->ngroup * TRIAL_METHODS;
    struct trial s = { t, NULL };
    struct trial_run *run = NULL;
    int ret = TAKE("the runs", err, ZEROS(s.at, n * TRIAL_SETTINGS * TRIAL_LOADS), ZEROS(run, n));

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const enum trial_method by = (enum trial_method)(i % TRIAL_METHODS);

        run[i] = (struct trial_run){ &t->group[i / TRIAL_METHODS], by, trial_intervals,
                                     t->methods >> by & 1 ? t->loads : 0, MESSAGES };
    }
    ret = ret < 0 ? -1 : trial_all(s.at, run, n, sink->tick, err);
    for (size_t k = 0; k < t->nclaim; k++)
        for (size_t g = 0; ret == 0 && g < t->ngroup; g++)
            if (t->claim[k].groups >> g & 1)
                ret = trial_state(&s, &t->claim[k], g, sink, err);
    free(run);
    free(s.at);
    return ret;
}
