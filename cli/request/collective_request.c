/* What `collective` and `tune` are asked, and the runs that answer it (collective_request.h).
 *   options        the shared array
 *   what is asked  sizes, segments, radices and processes as lists; the settings of every algorithm that serves
 *   runs           each setting executed under each cost and placement, cell by cell, beside its bound */
#include "cli/request/collective_request.h"

#include <unistd.h>

#include "analysis/broadcast/cycles_load.h"
#include "analysis/collective/fitted.h"
#include "cli/request/collective_messages.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "graph/base/jobs.h"
#include "graph/numeric/rng.h"
#include "model/collective/trees.h"
#include "texts/option.h"

#define BYTES_MOST (1ll << 40)
#define PLACEMENTS_MOST 100000
#define SHARED_LEAST 32         /* processes from which on threads are worth it */
#define OF(member) INTO_OF(struct collective_request, member)

/* ---- options ----------------------------------------------------------------------------------------- */

/* The operation, which may be left out, and topologies. */
int collective_take_argument(void *about, const char *arg, struct err *err)
{
    struct collective_request *q = about;

    if (q->operation < 0 && !q->common.spec.n && !strpbrk(arg, ":,/.") && access(arg, F_OK) < 0) {
        q->operation = operation_find(arg, err);
        return q->operation < 0 ? -1 : 0;
    }
    return options_take_network(&q->common, arg, err);
}

const struct option_field collective_options[] = {
    { .help = "Operation:", .group = 0 },
    { .take = collective_take_argument },
    { OPTION_COLLECTIVE_ALGORITHM, 0, OF(algorithm), .of = &kind_collective },
    { OPTION_COLLECTIVE_PROCESSES, 0, OF(processes) },
    { OPTION_COLLECTIVE_BYTES, 0, OF(bytes) },
    { OPTION_COLLECTIVE_ROOT, 0, OF(root), .most = 1 << 30 },
    { OPTION_COLLECTIVE_PLACEMENT, 0, OF(placement) },
    { OPTION_COLLECTIVE_PER_NODE, 0, OF(per_node), .least = 1, .most = 1 << 20 },
    { .help = "Cost:", .group = 1 },
    { OPTION_COLLECTIVE_COST, 1, OF(cost) },
    { OPTION_COLLECTIVE_ROUTING, 1, OF(routing) },
    { OPTION_COLLECTIVE_LINE_RATE, 1, OF(line_rate) },
    { OPTION_COLLECTIVE_CABLE_TIME, 1, OF(cable_time) },
    { OPTION_COLLECTIVE_OVERHEAD, 1, OF(overhead) },
    { OPTION_COLLECTIVE_COMBINE, 1, OF(combine) }, { 0 }
};

void collective_size(char out[PIVOT_HEADING], const struct cell *bytes)
{
    text_size(out, bytes->u.integer);
}

void collective_digits(struct job *j)
{
    static const char *const times[] = { "time_us", "least_us", "greatest_us" };

    for (size_t i = 0; ((const struct collective_request *)j->request)->cost.n == 0 && i < 3; i++) {
        const int at = table_find(j->t, times[i]);

        if (at >= 0)
            j->column[at].decimals = IF_FILLED(i ? YIELDS(DIGITS(3)) : DIGITS(3));
    }
}

enum axis_scale collective_scale(const struct table *t, const char *column)
{
    double least = INFINITY, most = 0;

    for (size_t r = 0; r < table_rows(t); r++) {
        least = fmin(least, look_real(t, r, column));
        most = fmax(most, look_real(t, r, column));
    }
    return least > 0 && most > 20 * least ? SCALE_LOG : SCALE_AUTO;
}

char *collective_placement(const struct collective_request *q)
{
    char *out;

    return asprintf(&out, q->per_node > 1 ? "%s, %d a node" : "%s", q->placement ? q->placement : "row-major",
                    q->per_node) < 0 ? NULL : out;
}

bool collective_steps(const struct collective_request *q)
{
    const struct strings *asked = &q->cost;
    size_t steps = 0;

    for (size_t i = 0; i < asked->n; i++) {
        const struct cost_kind *k = cost_named(asked->item[i]);

        steps += k && k->steps;
    }
    return asked->n && steps == asked->n;
}

/* ---- what is asked ----------------------------------------------------------------------------------- */

/* K, M and G (and KB, KiB) multiply by powers of 1024, and are written out for num_range. */
int collective_sizes(int64_t **out, size_t *n, const char *text, const char *what, struct err *err)
{
    enum { DIGITS = 24 };
    static const char units[] = "KMG";
    char *plain;
    size_t len = 0;
    int ret;

    if (TAKE("sizes", err, ARRAY(plain, DIGITS * strlen(text) + 1)) < 0)
        return -1;
    for (const char *s = text; *s;) {
        char *end = (char *)s;
        const double value = isdigit((unsigned char)*s) ? strtod(s, &end) : 0;
        const char *unit = end > s && *end ? strchr(units, toupper((unsigned char)*end)) : NULL;

        if (unit && value <= (double)BYTES_MOST) {
            s = end + 1 + (toupper((unsigned char)end[1]) == 'I');
            s += toupper((unsigned char)*s) == 'B';
            len += (size_t)snprintf(plain + len, DIGITS, "%.0f", value * pow(1024, (double)(unit - units) + 1));
        } else
            do                          /* as it is; what is wrong there num_range says */
                plain[len++] = *s++;
            while (end > s && isdigit((unsigned char)*s));
    }
    plain[len] = '\0';
    ret = num_range(out, n, plain, 0, BYTES_MOST, what, err);
    free(plain);
    return ret;
}

int collective_measure(double *out, const char *text, const char *usual, enum quantity kind, const char *what,
                       struct err *err)
{
    bool unit;

    if (quantity_parse(out, &unit, text ? text : usual, kind, what, err) < 0)
        return -1;
    if (!unit || *out < 0 || (kind == QUANTITY_RATE && *out == 0))
        return err_set(err, ERR_USAGE, "%s is %s; write it with a unit, as in %s", what, text, usual);
    if (text && quantity_limit(*out, text, kind, what, err) < 0)
        return -1;
    *out /= kind == QUANTITY_RATE ? 8 : 1;
    return 0;
}

struct scene {
    struct job *j;
    const struct collective_request *q;
    const struct collective_how *how;
    struct cost_network net;
    const char *routing;                /* that it comes to; */
    bool named;                         /* by the user, or there are several networks: it is in rows */
    bool drawn;                         /* parameters of a cost, from their intervals */
    bool *wanted;                       /* settings that were given up and are run again; NULL: all, for the first time */
    const struct outcome *before;       /* of the same settings where parameters are as fitted: now only the best counts */
    double combine;                     /* seconds a byte */
    int64_t *bytes, *processes, *segment, *radix, placements;
    size_t nbytes, nprocesses, nsegment, nradix;
    struct collective_runs r;
};

static int segments_read(struct scene *s, struct err *err)
{
    const char *text = s->q->segment ? s->q->segment : s->how->segment;

    if (collective_sizes(&s->segment, &s->nsegment, text, "--segment", err) < 0)
        return -1;
    if (!s->how->tune && s->q->segment && (s->nsegment != 1 || s->segment[0] < 1))
        return err_set(err, ERR_USAGE, "--segment is '%.40s'; it must be one size of a byte or more", text);
    if (num_range(&s->radix, &s->nradix, s->q->radix ? s->q->radix : s->how->radix, 2, 1024, "--radix", err) < 0)
        return -1;
    return s->how->tune || s->nradix == 1 ? 0 :
        err_set(err, ERR_USAGE, "--radix is '%.40s'; it must be one number", s->q->radix);
}

static int scene_read(struct scene *s, struct err *err)
{
    const struct collective_request *q = s->q;
    double rate = INFINITY;

    if (collective_sizes(&s->bytes, &s->nbytes, q->operation == BARRIER ? "0" : q->bytes ? q->bytes : "8,1K,64K,1M",
                   "--bytes", err) < 0 ||
        (q->processes && num_range(&s->processes, &s->nprocesses, q->processes, 1, 1 << 24, "--processes", err) < 0) ||
        collective_measure(&s->net.rate, q->line_rate, "200Gb/s", QUANTITY_RATE, "--line-rate", err) < 0 ||
        collective_measure(&s->net.cable, q->cable_time, "100ns", QUANTITY_TIME, "--cable-time", err) < 0 ||
        collective_measure(&s->net.overhead, q->overhead, "1us", QUANTITY_TIME, "--overhead", err) < 0 ||
        (q->combine && collective_measure(&rate, q->combine, "10GB/s", QUANTITY_RATE, "--combine", err) < 0) ||
        (q->placement && strncmp(q->placement, "random:", 7) == 0 &&
         num_int(&s->placements, q->placement + 7, 1, PLACEMENTS_MOST, "the count of --placement random", err) < 0))
        return -1;
    s->combine = 1 / rate;
    return segments_read(s, err);
}

/* The algorithms asked for, or all that serve the operation, with everything they may be told. */
static int settings_list(struct scene *s, size_t ncell, struct err *err)
{
    const struct strings *asked = &s->q->algorithm;
    struct collective_runs *r = &s->r;
    const size_t all = kind_count(&kind_collective);

    if (TAKE("the table", err, ARRAY(r->setting, (asked->n + all) * s->nsegment * s->nradix)) < 0)
        return -1;
    for (size_t i = 0; i < (asked->n ? asked->n : all); i++) {
        const struct collective *a = asked->n ? collective_find(asked->item[i], err) : collective_all[i];

        if (!a)
            return -1;
        if (!asked->n && (!collective_program(a, (enum operation)s->q->operation) || collective_asked(a)))
            continue;
        for (size_t k = 0; k < (a->radix ? s->nradix : 1); k++)
            for (size_t m = 0; m < (a->segments ? s->nsegment : 1); m++)
                r->setting[r->n++] = (struct setting){ a, s->segment[m], (int)s->radix[k] };
    }
    return TAKE("the table", err, ZEROS(r->outcome, r->n * ncell + 1), ZEROS(r->cell, ncell), ARRAY(r->order, r->n));
}

size_t collective_order(const struct collective_runs *r, const struct collective_cell *c)
{
    size_t n = 0;

    for (size_t k = 0; k < r->n; k++)
        if (c->outcome[k].runs) {
            size_t at = n++;

            for (; at > 0 && c->outcome[r->order[at - 1]].x.time > c->outcome[k].x.time; at--)
                r->order[at] = r->order[at - 1];
            r->order[at] = k;
        }
    return n;
}

const struct outcome *collective_outcome(const struct collective_runs *r, const struct collective_cell *c, size_t k)
{
    const struct setting *how = &r->setting[k];
    const struct outcome *o = &c->outcome[k];

    for (size_t i = 0; !o->runs && o->beyond <= 0 && how->segment && i < r->n; i++)
        if (r->setting[i].algorithm == how->algorithm && r->setting[i].radix == how->radix && !r->setting[i].segment)
            o = &c->outcome[i];
    return o;
}

const char *collective_setting(char out[COLLECTIVE_NAME], const struct setting *s)
{
    char size[32];
    int n = snprintf(out, COLLECTIVE_NAME, "%.40s", s->algorithm->name);

    if (s->algorithm->radix)
        n += snprintf(out + n, COLLECTIVE_NAME - (size_t)n, ",radix=%d", s->radix);
    if (s->algorithm->segments && s->segment)
        snprintf(out + n, COLLECTIVE_NAME - (size_t)n, ",segment=%s", text_size(size, s->segment));
    return out;
}

/* ---- runs -------------------------------------------------------------------------------------------- */

/* How far the mean of drawn runs is known and believed; what is said again is left out. */
static void run_notes(struct table *t, const struct cost *c, const struct execution *x)
{
    if (c->whole)
        table_note(t, "%s: means of drawn runs (--seed), known to half a per cent, or from %d runs.", c->spec,
                   CYCLES_DRAWS);
    if (x->validity != VALIDITY_GOOD)
        table_note(t, "%s: %s: %s.", c->spec, validity_name[x->validity], cycles_load_caution(x->validity));
}

/* A setting's run, before it is counted. */
struct ran {
    enum { RAN_NOT, RAN_OUT, RAN_STUCK, RAN } how;      /* nothing to it; left out, or a deadlock (`why`); done */
    struct execution x;
    double limit;                       /* given up beyond */
    struct err why;
};

static int run_setting(struct ran *ran, const struct scene *s, const struct outcome *o, const struct setting *how,
                       int64_t bytes, struct cost *cost, const struct tick *t, struct err *err)
{
    const struct collective *a = how->algorithm;
    const int n = cost->n;
    const double wire = (double)(a->segments && how->segment ? how->segment : bytes) / s->net.rate;
    const bool steps = cost->kind->steps;       /* as of bcast */
    const struct tree_scene tree = { .net = s->net.net, .where = s->net.placement, .root = s->q->root,
                                     .hop = steps ? 1 : s->net.cable, .length = steps ? 0 : s->net.length,
                                     .size = steps ? 0 : wire, .start = steps ? 0 : 2 * s->net.overhead,
                                     .gap = steps ? 1 : fmax(s->net.overhead, wire), .cut = !steps, .tick = t };
    const bool all = s->q->algorithm.n == 0;
    struct schedule schedule;
    struct tree_shape shape;
    int ret;

    if ((o->runs && !cost->kind->network && !collective_follows(a)) ||     /* a placement is nothing to it */
        (s->how->tune && a->segments && how->segment && how->segment >= bytes) ||
        ((s->how->tune || all) && collective_program(a, (enum operation)s->q->operation) &&
         ((a->two && (n & (n - 1))) || (a->even && n % 2 && n > 1) || (a->copies && !cost->copies))))
        return 0;
    if (schedule_open(&schedule, &(struct schedule){ .algorithm = a, .operation = (enum operation)s->q->operation,
            .n = n, .root = s->q->root, .bytes = bytes, .segment = a->segments ? how->segment : 0,
            .radix = how->radix, .scene = &tree }, err) < 0) {
        if (!all || !collective_follows(a) || err->code != ERR_DOMAIN)
            return -1;
        ran->how = RAN_OUT;                     /* it does not serve the network */
        ran->why = *err;
        return 0;
    }
    ret = (s->how->tune || all) && cost->whole && !trees_alone(&shape, &schedule) ? 1 :
        execute(&ran->x, &schedule, cost, s->combine, t, err);
    schedule_close(&schedule);
    ran->how = ret == 0 ? RAN : RAN_NOT;
    if (ret < 0 && all && err->code == ERR_DOMAIN) {
        ran->how = RAN_STUCK;
        ran->why = *err;
        return 0;
    }
    return ret < 0 ? -1 : 0;
}

/* Counts it, with what is to be said. */
static void run_count(const struct scene *s, struct outcome *o, struct ran *ran, const struct cost *cost)
{
    const struct execution *x = &ran->x;

    if (ran->how == RAN_OUT)
        table_note(s->j->t, "%.150s: %s; it is left out.", s->j->net->spec, ran->why.msg);
    if (ran->how == RAN_STUCK && job_passes(s->j, true, &ran->why))
        table_note(s->j->t, "%.150s: %s.", s->j->net->spec, ran->why.msg);
    if (ran->how == RAN && isinf(x->time))
        o->beyond = ran->limit;
    if (ran->how != RAN || isinf(x->time))
        return;
    run_notes(s->j->t, cost, x);
    if (o->runs++ == 0) {
        *o = (struct outcome){ .x = *x, .least = x->time, .greatest = x->time, .runs = 1 };
        return;
    }
    o->x.time += x->time;
    o->x.busiest += x->busiest;
    o->x.hops += x->hops;
    o->x.waiting = fmax(o->x.waiting, x->waiting);
    o->least = fmin(o->least, x->time);
    o->greatest = fmax(o->greatest, x->time);
}

/* Sizes and settings, each a part of the work, which threads share; of a size those first that have the fewest messages,
 * so that others can be given up soon. Whatever the order, what is given up takes longer than the two that count. */
struct crew {
    const struct scene *s;
    const struct outcome *o;
    struct ran *ran;
    struct cost *cost, *others;     /* of the first thread, and of each other */
    int n;
    size_t *turn;                   /* settings of each size */
    struct least { double time, other; const struct collective *by; } *least;   /* of a size; other: by another than that */
};
#define GIVEN_UP 2                  /* times that of the second algorithm */

static void least_heeds(struct least *l, double time, const struct collective *by)
{
    if (time < l->time) {
        l->other = by == l->by ? l->other : l->time;
        l->time = time;
        l->by = by;
    } else if (by != l->by)
        l->other = fmin(l->other, time);
}

/* The less, the sooner: its time, where that is known of other parameters, else as its segments are long. */
static double turn_of(const struct scene *s, size_t size, size_t k)
{
    const struct outcome *o = s->before ? &s->before[size * s->r.n + k] : NULL;
    const int64_t segment = s->r.setting[k].segment;

    if (o)
        return o->runs ? o->x.time : o->beyond > 0 ? o->beyond : INFINITY;
    return segment ? -(double)segment : -INFINITY;
}

static void turns(size_t *turn, const struct scene *s, size_t size)
{
    for (size_t k = 0; k < s->r.n; k++) {
        size_t at = k;

        for (; at > 0 && turn_of(s, size, turn[at - 1]) > turn_of(s, size, k); at--)
            turn[at] = turn[at - 1];
        turn[at] = k;
    }
}

static int crew_part(void *arg, int thread, size_t part, const struct tick *t, struct err *err)
{
    const struct crew *c = arg;
    const struct scene *s = c->s;
    const size_t size = part / s->r.n, k = c->turn[part], at = size * s->r.n + k;
    const bool all = !s->how->wanted || s->wanted || s->placements > 1;
    struct cost *cost = thread ? &c->others[thread - 1] : c->cost;
    int ret;

    if (s->wanted && !(s->wanted[k] && c->o[at].beyond > 0))
        return 0;
#pragma omp critical(least)
    cost->limit = c->ran[at].limit = all ? INFINITY : s->before ? c->least[size].time :
        GIVEN_UP * c->least[size].other;
    ret = run_setting(&c->ran[at], s, &c->o[at], &s->r.setting[k], s->bytes[size], cost, t, err);
    if (ret == 0 && c->ran[at].how == RAN) {
#pragma omp critical(least)
        least_heeds(&c->least[size], c->ran[at].x.time, s->r.setting[k].algorithm);
    }
    cost->limit = INFINITY;
    return ret;
}

static void crew_leave(struct crew *c)
{
    for (int i = 0; c->others && i < c->n - 1; i++)
        cost_close(&c->others[i]);
    FREE(c->others, c->ran, c->turn, c->least);
}

static int crew_run(struct scene *s, struct outcome *o, struct cost *cost, const char *text, const struct tick *t,
                    struct err *err)
{
    const size_t parts = s->nbytes * s->r.n;
    const bool shared = !cost->whole && cost->n >= SHARED_LEAST;
    struct crew c = { .s = s, .o = o, .cost = cost, .n = shared ? jobs_threads(s->q->common.jobs, parts) : 1 };
    const igraph_t *graph;              /* threads find it made */
    int ret = TAKE("runs", err, ZEROS(c.ran, parts), ZEROS(c.others, c.n), ARRAY(c.turn, parts),
                   ARRAY(c.least, s->nbytes)) < 0 || (c.n > 1 && net_graph(s->net.net, &graph, err) < 0) ? -1 : 0;

    for (size_t i = 0; ret == 0 && i < s->nbytes; i++) {
        turns(c.turn + i * s->r.n, s, i);
        c.least[i] = (struct least){ INFINITY, INFINITY, NULL };
    }
    for (int i = 1; ret == 0 && i < c.n; i++)
        ret = cost_open(&c.others[i - 1], text, cost->n, &s->net, err);
    if (ret == 0)
        ret = jobs_run(parts, c.n, crew_part, &c, t, err);
    for (size_t i = 0; ret == 0 && i < parts; i++)
        run_count(s, &o[i], &c.ran[i], cost);
    crew_leave(&c);
    return ret;
}

/* Of those named, else of the fastest, once more and told message by message. */
static int run_messages(struct scene *s, const struct collective_cell *c, struct cost *cost, const struct tick *t,
                        struct err *err)
{
    const size_t n = collective_order(&s->r, c);
    struct collective_told told = { s->j, cost->spec, cost->n, c->bytes, NULL };
    int ret = 0;

    if (cost->kind->steps || cost->whole || s->placements > 1)
        return err_set(err, ERR_USAGE, "--show messages is of one placement, and of costs in seconds that are no means "
                       "over drawn runs; `metapath bcast` has messages in steps, in cycles and under load");
    cost->seen = collective_messages_see;
    cost->seen_arg = &told;
    for (size_t k = 0; ret == 0 && k < n && (k == 0 || s->q->algorithm.n); k++) {
        const struct outcome none = { .runs = 0 };
        struct ran again = { .how = RAN_NOT };

        told.how = &s->r.setting[s->r.order[k]];
        ret = run_setting(&again, s, &none, told.how, c->bytes, cost, t, err);
    }
    cost->seen = NULL;
    return ret;
}

/* All sizes and settings on one placement; cells from `at` on. */
static int run_placement(struct scene *s, struct collective_cell *at, struct outcome *o, struct cost *cost,
                         const char *text, const struct tick *t, struct err *err)
{
    const enum operation operation = (enum operation)s->q->operation;
    struct collective_cuts cuts;
    struct collective_bound bound;

    if (s->wanted)                      /* the rest is there */
        return crew_run(s, o, cost, text, t, err);
    if (cost->kind->network && collective_cuts(&cuts, operation, s->q->root, cost, &s->net, t, err) < 0)
        return -1;
    for (size_t i = 0; i < s->nbytes; i++) {
        if (collective_bound(&bound, operation, s->bytes[i], cost, cost->kind->network ? &cuts : NULL, err) < 0)
            return -1;
        bound.time = at[i].bound.time + bound.time / (double)s->placements;
        at[i] = (struct collective_cell){ cost->n, (int)s->placements, NULL, NULL, cost->kind->steps, s->bytes[i],
                                          o + i * s->r.n, s->r.n, bound };
    }
    if (crew_run(s, o, cost, text, t, err) < 0)
        return -1;
    for (size_t i = 0; s->how->messages && i < s->nbytes; i++)
        if (run_messages(s, &at[i], cost, t, err) < 0)
            return -1;
    return 0;
}

/* Sums become means. */
static int run_cell(const struct scene *s, struct collective_cell *c, struct outcome *o, bool whole, struct err *err)
{
    for (size_t k = 0; k < s->r.n; k++) {
        o[k].x.time /= fmax(o[k].runs, 1);
        o[k].x.busiest /= fmax(o[k].runs, 1);
        o[k].x.hops /= fmax(o[k].runs, 1);
        c->best = o[k].runs && (c->best == s->r.n || o[k].x.time < o[c->best].x.time) ? k : c->best;
    }
    if (c->best < s->r.n)
        return 0;
    if (s->j->nrefused) {
        *err = s->j->first_refused;
        return -1;
    }
    return err_set(err, ERR_DOMAIN, "no algorithm that was asked for takes %s of %lld bytes among %d processes%s",
                   operation_name[s->q->operation], (long long)c->bytes, c->processes, whole ?
                   ": under load there are broadcasts over process trees, one message to each process" : "");
}

static int run_cost(struct scene *s, const char *text, int processes, const struct tick *t, struct err *err)
{
    const struct collective_request *q = s->q;
    struct collective_cell *at = s->r.cell + s->r.ncell;
    struct outcome *o = s->r.outcome + s->r.ncell * s->r.n;
    struct placement place = { 0 };
    struct cost cost = { 0 };
    bool whole = false, routed = false;
    int ret = 0;

    s->net.placement = &place;
    for (int64_t k = 0; ret == 0 && k < s->placements; k++) {
        const struct tick part = tick_step(t, (size_t)k, (size_t)s->placements);

        ret = placement_init(&place, s->j->net, q->placement && strncmp(q->placement, "random:", 7) == 0 ? "random" :
                             q->placement, processes, q->per_node, q->common.seed + (uint64_t)k, err);
        if (ret == 0 && !s->wanted)
            notes_hosts(s->j->t, s->j->net, &place);
        if (ret == 0 && q->root >= place.n)
            ret = err_set(err, ERR_DOMAIN, "--root %d is no process of %d: they are 0 to %d", q->root, place.n,
                          place.n - 1);
        ret = ret < 0 || cost_open(&cost, text, place.n, &s->net, err) < 0 ||
            run_placement(s, at, o, &cost, text, &part, err) < 0 ? -1 : 0;
        whole = cost.whole;
        routed = ret == 0 && cost.kind->network;
        cost_close(&cost);
        placement_release(&place);
    }
    if (s->wanted) {
        s->r.ncell += s->nbytes;
        s->net.placement = NULL;
        return ret;
    }
    if (routed && q->cost.n && !s->named)
        table_note(s->j->t, "Routing %s.", s->routing);
    for (size_t i = 0; ret == 0 && i < s->nbytes; i++) {
        at[i].cost = text;
        at[i].routing = routed && s->named ? s->routing : NULL;
        ret = run_cell(s, &at[i], o + i * s->r.n, whole, err);
        s->r.ncell += ret == 0;
    }
    s->net.placement = NULL;
    return ret;
}

/* What the network says of its links counts: its rates, and lengths that are times. */
static void network_rates(struct scene *s)
{
    const struct cables *c = &s->net.net->cables;

    if (c->rate > 0)
        s->net.rate = c->rate / 8;
    s->net.rate_given = c->rate > 0 || s->q->line_rate;
    s->net.cable_given = s->q->cable_time;
    s->net.overhead_given = s->q->overhead;
    s->net.length = c->times;
    if (!c->times && cables_most(c).length > 0)
        table_note(s->j->t, "%.150s: lengths in cycles are nothing to seconds; write them as times, as in "
                   "latency=50ns.", s->net.net->spec);
}

/* ---- costs of files ---------------------------------------------------------------------------------- */

enum { DRAWS = 200 };

/* Two shares of the draws, in %, are level where their difference is within 95 %. */
static bool shares_level(double most, double less)
{
    const double apart = most - less;

    return apart <= 1.96 * sqrt((100 * (most + less) - apart * apart) / DRAWS);
}

/* Of the settings that win about as often as any the one that is told least. */
static void simpler(const struct scene *s, struct collective_cell *c)
{
    size_t top = c->best;

    for (size_t k = 0; k < s->r.n; k++)
        top = c->outcome[k].share > c->outcome[top].share ? k : top;
    c->best = top;
    for (size_t k = 0; k < s->r.n; k++) {
        const struct setting *a = &s->r.setting[k], *b = &s->r.setting[c->best];
        const int told = (a->algorithm->segments && a->segment) + a->algorithm->radix,
                  best = (b->algorithm->segments && b->segment) + b->algorithm->radix;

        if (c->outcome[k].runs && told < best && shares_level(c->outcome[top].share, c->outcome[k].share))
            c->best = k;
    }
}

/* How often each setting is the best of the last cells, where the cost's parameters lie anywhere in their intervals. */
static int run_draws(struct scene *s, const struct fitted *f, const struct cost_network *plain, int processes,
                     const struct tick *t, struct err *err)
{
    struct collective_cell *const at = s->r.cell + s->r.ncell - s->nbytes;
    struct outcome *const o = s->r.outcome + (s->r.ncell - s->nbytes) * s->r.n;
    const struct collective_runs kept = s->r;
    struct rng rng;
    int ret = TAKE("draws", err, ARRAY(s->r.cell, s->nbytes), ARRAY(s->r.outcome, s->nbytes * s->r.n + 1));

    rng_seed(&rng, s->q->common.seed);
    s->before = o;
    for (int d = 0; ret == 0 && d < DRAWS; d++) {
        const struct tick part = tick_step(t, (size_t)d, DRAWS);
        char *spec = NULL;

        memset(s->r.cell, 0, s->nbytes * sizeof *s->r.cell);
        memset(s->r.outcome, 0, s->nbytes * s->r.n * sizeof *s->r.outcome);
        s->r.ncell = 0;
        s->net = *plain;
        ret = fitted_draw(&spec, f, &rng, err) < 0 ||
            run_cost(s, spec, processes, &part, err) < 0 ? -1 : 0;
        for (size_t i = 0; ret == 0 && i < s->nbytes; i++)
            o[i * s->r.n + s->r.cell[i].best].share += 100.0 / DRAWS;
        free(spec);
    }
    FREE(s->r.cell, s->r.outcome);
    s->before = NULL;
    s->r = kept;
    s->drawn = true;
    for (size_t i = 0; ret == 0 && i < s->nbytes; i++)
        simpler(s, &at[i]);
    return ret;
}

/* A model of cost as it was asked for, or as the file behind its @ has it. */
static int run_asked(struct scene *s, struct fitted *f, const char *asked, int processes, const struct tick *t,
                     struct err *err)
{
    const struct cost_network plain = s->net;
    const struct tick first = tick_step(t, 0, s->how->tune && *asked == '@' ? DRAWS + 1 : 1);
    int ret;

    if (*asked == '@' && !f->spec && fitted_read(f, asked + 1, err) < 0)
        return -1;
    ret = run_cost(s, f->spec ? f->spec : asked, processes, &first, err);
    if (ret == 0 && s->how->tune && f->n && !s->wanted)
        ret = run_draws(s, f, &plain, processes, t, err);
    s->net = plain;
    return ret;
}

/* All counts and models of cost. */
static int each_cost(struct scene *s, struct fitted *fitted, size_t n, size_t ncost, struct err *err)
{
    const struct collective_request *q = s->q;
    int ret = 0;

    s->r.ncell = 0;
    for (size_t i = 0; ret == 0 && i < n * ncost; i++) {
        const struct tick part = tick_step(&s->j->tick, i, n * ncost);

        ret = run_asked(s, &fitted[i % ncost], q->cost.n ? q->cost.item[i % ncost] : "links",
                        q->processes ? (int)s->processes[i / ncost] : 0, &part, err);
    }
    return ret;
}

static int each_size(struct job *j, const struct collective_how *how, struct err *err)
{
    const struct collective_request *q = j->request;
    const size_t ncost = q->cost.n ? q->cost.n : 1;
    struct scene s = { .j = j, .q = q, .how = how, .placements = 1, .named = q->routing || q->common.spec.n > 1,
                       .routing = routing_usual(q->routing, j->net, ROUTING_FOR_TREES),
                       .net = { .net = j->net, .routing = q->routing,
                       .seed = q->common.seed, .jobs = q->common.jobs } };
    char rate[40], cable[40], overhead[40];
    struct fitted *fitted = NULL;
    int ret = scene_read(&s, err) < 0 || TAKE("models of cost", err, ZEROS(fitted, ncost)) < 0 ? -1 : 0;
    const size_t n = q->processes ? s.nprocesses : 1;

    network_rates(&s);
    ret = ret < 0 ? -1 : settings_list(&s, n * ncost * s.nbytes, err);
    if (ret == 0)
        ret = each_cost(&s, fitted, n, ncost, err);
    if (ret == 0 && how->wanted && (ret = TAKE("settings", err, ZEROS(s.wanted, s.r.n))) == 0 &&
        how->wanted(j, s.wanted, &s.r) > 0)
        ret = each_cost(&s, fitted, n, ncost, err);
    how->rows(j, &s.r);
    if (ret == 0 && s.drawn)
        table_note(j->t, "Wins: of %d models of cost with parameters drawn from their intervals, each by itself; where two "
                   "configurations are level the simpler is taken.", DRAWS);
    if (ret == 0 && q->cost.n == 0)
        table_note(j->t, "Links of %s, %s a cable, %s of work a message at either end%s%s; not fitted to any machine.",
                   quantity_text(rate, 8 * s.net.rate, QUANTITY_RATE), quantity_text(cable, s.net.cable, QUANTITY_TIME),
                   quantity_text(overhead, s.net.overhead, QUANTITY_TIME),
                   s.named ? "" : ", routing ", s.named ? "" : s.routing);
    for (size_t i = 0; fitted && i < ncost; i++)
        fitted_release(&fitted[i]);
    FREE(s.wanted, fitted, s.bytes, s.processes, s.segment, s.radix, s.r.setting, s.r.outcome, s.r.cell, s.r.order);
    return ret;
}

int collective_each(struct job *j, const struct collective_how *how, struct err *err)
{
    static const enum operation usual[] = { BROADCAST, ALLREDUCE, ALLTOALL };
    struct collective_request *q = j->request;
    const struct tick whole = j->tick;
    int ret = 0;

    if (q->operation >= 0)
        return each_size(j, how, err);
    q->several = true;
    for (size_t i = 0; ret == 0 && i < 3; i++) {
        q->operation = (int)usual[i];
        j->tick = tick_step(&whole, i, 3);
        ret = each_size(j, how, err);
    }
    q->operation = -1;
    j->tick = whole;
    return ret;
}
