/* `metapath latency`: latency against load. On each network and for each traffic, every scheme (a routing or a policy)
 * is opened as a study, the loads are read or chosen by their saturation, policies that plan ahead are told them, and
 * each load is solved by each scheme. Rows are those of latency_tables.c, figures those of latency_figures.c; what is
 * refused in a sweep is a row that says why. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command/cmd.h"
#include "cli/sweep/latency_figures.h"
#include "cli/sweep/network_cells.h"
#include "cli/request/load.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "graph/base/mem.h"

struct request {
    struct options common;
    struct load_request load;
    int sources;
    bool compare, validate;
};

static const struct option_field latency_own_options[] = {
    { "routing", 0, "LIST", "as in dor,ecmp,metapath:sga:1 (default: dor where there are dimensions, else ecmp; "
      "`metapath list routing`), and policies, as in drb:static+sga:1 (`metapath list policy`)", 1,
      INTO(load.routing) },
    { "compare", 0, NULL, "add the ratio of each mean latency to that of the first routing", 10, INTO(compare) },
    { "sources", 0, "N", "estimate: of uniform traffic every terminal sends to N others drawn by --seed, and hears "
      "from N (`metapath help sampled`; default: all)", 1, INTO(sources), .least = 2, .most = INT32_MAX },
    { "validate", 0, NULL, "simulate every row as well, flit by flit, and say how far off the model is (`metapath "
      "validate` for many networks at once)", 10, INTO(validate) }, { 0 }
};

/* What sends the messages: a routing, or a policy, which changes its configurations with the load. */
struct scheme {
    const char *asked;
    bool is_policy;
    struct routing routing;
    struct policy policy;
    struct latency_study own;   /* of a routing */
    struct latency_study *study;        /* that, or the policy's; NULL where it could not be opened */
    struct simulation *run;     /* NULL: none is wanted, or can be */
    double saturation;          /* factor; of a policy the largest of its configurations, once a sweep asks for it */
    struct err why;
};
/* One network and traffic, sent by all schemes. */
struct scene {
    struct job *j;
    const struct request *q;
    struct net *net;
    struct traffic traffic;
    struct latency_options o;
    struct simulate_options simulated;
    struct tick tick;           /* of what is simulated */
    struct scheme *scheme;
    size_t n;
    struct load_point *point;
    size_t npoint;
    bool own_points;            /* each scheme has loads of its own: parts of its saturation */
};

static const char *scheme_spec(const struct scheme *c)
{
    return c->policy.spec ? c->policy.spec : c->routing.spec ? c->routing.spec : c->asked;
}

static void scheme_tick(struct scheme *c, const struct tick *tick)
{
    if (c->study)
        c->study->o.collide.tick = c->study->collide.o.tick = tick;
}

static int scheme_open_study(struct scheme *c, struct scene *s, struct err *err)
{
    if (c->is_policy) {
        if (policy_open(&c->policy, c->asked, s->net, &s->traffic, &s->o, err) < 0)
            return -1;
        c->study = &c->policy.study;
        c->saturation = c->study->saturation_factor;
        return 0;
    }
    if (routing_open(&c->routing, s->net, routing_usual(c->asked, s->net, ROUTING_FOR_LOAD), err) < 0 ||
        latency_open(&c->own, &s->traffic, &c->routing, 1, &s->o, err) < 0 || latency_saturation(&c->own, err) < 0)
        return -1;
    c->study = &c->own;
    c->saturation = c->own.saturation_factor;
    return 0;
}

/* Whether the simulator sends messages as it does: by fixed shares, or by the load it sees itself. */
static bool scheme_simulates(const struct scheme *c)
{
    return c->is_policy ? c->policy.kind->seen : !c->routing.by_bandwidth;
}

static int scheme_open(struct scheme *c, struct scene *s, struct err *err)
{
    if (scheme_open_study(c, s, err) < 0)
        return -1;
    return s->q->validate && scheme_simulates(c) ?
        simulate_open(&c->run, s->net, &s->traffic, scheme_spec(c), &s->simulated, err) : 0;
}

static void scheme_close(struct scheme *c)
{
    simulate_close(c->run);
    policy_close(&c->policy);
    latency_close(&c->own);
    routing_close(&c->routing);
}

static int latency_open_schemes(struct scene *s, const struct tick *whole, struct err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        struct tick part = tick_step(whole, i, s->n);
        struct scheme *c = &s->scheme[i];

        c->asked = s->q->load.routing.n ? s->q->load.routing.item[i] : "auto";
        c->is_policy = policy_is(c->asked);
        s->o.collide.tick = &part;
        if (scheme_open(c, s, err) < 0) {
            if (!job_passes(s->j, s->j->sweep, err))
                return -1;
            c->why = *err;
        }
        scheme_tick(c, NULL);
    }
    return 0;
}

/* The largest of the saturations that a policy's configurations have, each taken by all sources. */
static int policy_saturation(double *factor, const struct scheme *c, const struct scene *s, struct err *err)
{
    struct latency_options o = s->o;

    if (o.classes) {                    /* those of all configurations together */
        o.classes = NULL;
        o.collide.router = c->study->o.collide.router;
    }
    *factor = 0;
    for (size_t k = 0; k < c->policy.conf.n; k++) {
        struct latency_study one;
        int ret;

        if (latency_open(&one, &s->traffic, &c->policy.conf.routing[k], 1, &o, err) < 0)
            return -1;
        ret = latency_saturation(&one, err);
        *factor = fmax(*factor, one.saturation_factor);
        latency_close(&one);
        if (ret < 0)
            return -1;
    }
    return 0;
}

static int latency_policy_saturations(struct scene *s, const struct tick *tick, struct err *err)
{
    int ret = 0;

    s->o.collide.tick = tick;
    for (size_t i = 0; ret == 0 && i < s->n; i++) {
        struct scheme *c = &s->scheme[i];

        if (c->study && c->is_policy && isnan(c->saturation))
            ret = policy_saturation(&c->saturation, c, s, err);
    }
    s->o.collide.tick = NULL;
    return ret;
}

/* Twelve loads, evenly up to the saturation of each scheme (of open sources not quite up to it); where schemes are
 * compared, for all up to the least. */
static int latency_usual_points(struct scene *s, const struct tick *tick, struct err *err)
{
    enum { LOADS = 12 };
    double least = INFINITY;

    s->npoint = LOADS;
    if (TAKE("the table", err, ZEROS(s->point, LOADS)) < 0)
        return -1;
    if (latency_policy_saturations(s, tick, err) < 0)
        return -1;
    for (size_t i = 0; i < s->n; i++)
        if (s->scheme[i].study)
            least = fmin(least, s->scheme[i].saturation);
    s->own_points = !s->q->compare;
    for (size_t k = 0; k < LOADS; k++) {
        const double part = (double)(k + 1) / LOADS * (s->o.open ? 0.99 : 1);

        s->point[k] = s->own_points ? (struct load_point){ 1, 1, part } :
            (struct load_point){ 1 / (part * least), 1, NAN };
    }
    if (isinf(least)) {                 /* none could be opened: a row for each says why */
        s->npoint = 1;
        s->point[0] = load_as_it_is;
    }
    return 0;
}

static int latency_read_points(struct scene *s, const struct tick *tick, struct err *err)
{
    if (load_points(&s->point, &s->npoint, &s->q->load, s->net, &s->traffic, tick, err) < 0)
        return -1;
    if (s->npoint == 0)
        return latency_usual_points(s, tick, err);
    return isnan(s->point[0].part) ? 0 : latency_policy_saturations(s, tick, err);
}

/* Policies that plan ahead are told all the loads. */
static int latency_tell_loads(struct scene *s, const struct tick *tick, struct err *err)
{
    struct load *load = malloc((s->npoint + 1) * sizeof *load);
    int ret = load ? 0 : err_memory(err);

    for (size_t i = 0; ret == 0 && i < s->n; i++) {
        struct scheme *c = &s->scheme[i];

        if (!c->study || !c->is_policy)
            continue;
        for (size_t k = 0; k < s->npoint; k++)
            load[k] = load_at(&s->point[k], c->saturation);
        scheme_tick(c, tick);
        if (policy_plan(&c->policy, load, s->npoint, err) < 0) {
            ret = job_passes(s->j, s->j->sweep, err) ? 0 : -1;
            c->study = NULL;
            c->why = *err;
        }
    }
    free(load);
    return ret;
}

/* Of a routing: a row by itself, from the shares and waits that the first would begin with. */
static int solve_routing(struct latency_study *s, const struct load *load, struct err *err)
{
    if (s->routing->by_bandwidth && latency_choose(s, s->option, false, err) < 0)
        return -1;
    s->collide.warm = s->collide.warm && !s->routing->by_bandwidth;
    return latency_solve(s, load, err);
}

static int latency_one_row(struct scene *s, size_t i, const struct load_point *point, double *reference,
                           struct err *err)
{
    struct scheme *c = &s->scheme[i];
    struct policy_outcome outcome;
    struct judge judge;
    const struct latency_request r = { s->net, s->traffic.spec, scheme_spec(c), &s->o, *reference,
                                       c->is_policy ? &c->policy : NULL, &outcome, c->run ? &judge : NULL };
    struct latency_summary summary;
    struct load load;

    if (!c->study) {
        latency_refused(s->j, &r, NULL, NULL, &c->why);
        return 0;
    }
    load = load_at(point, c->saturation);
    if ((c->is_policy ? policy_solve(&c->policy, &load, &outcome, err) : solve_routing(c->study, &load, err)) < 0 ||
        (c->run && judge_run(&judge, c->run, &s->simulated, &s->traffic, &load, err) < 0)) {
        if (!job_passes(s->j, s->j->sweep || s->npoint > 1, err))
            return -1;
        latency_refused(s->j, &r, c->study, &load, err);
        *err = (struct err){ 0 };
        return 0;
    }
    if (latency_rows(s->j->t, s->j->which, &r, c->study, &load, &summary, err) < 0)
        return -1;
    if (i == 0)
        *reference = summary.mean;
    return 0;
}

static int latency_all_points(struct scene *s, const struct tick *whole, struct err *err)
{
    const size_t all = s->npoint * s->n;
    double reference = NAN;

    for (size_t at = 0; at < all; at++) {       /* scheme by scheme, or load by load */
        const size_t i = s->own_points ? at / s->npoint : at % s->n, k = s->own_points ? at % s->npoint : at / s->n;
        struct tick part = tick_part(whole, (double)at / (double)all, (double)at / (double)all);

        if (tick(&part, 0))
            return err_stopped(err);
        scheme_tick(&s->scheme[i], &part);
        s->tick = tick_step(whole, at, all);
        reference = i == 0 ? NAN : reference;
        if (latency_one_row(s, i, &s->point[k], &reference, err) < 0)
            return -1;
    }
    return 0;
}

/* What spreading costs: of the routing, or of every configuration of a policy. */
static int latency_all_costs(struct scene *s, const struct tick *whole, struct err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        struct scheme *c = &s->scheme[i];
        const size_t n = c->is_policy ? c->policy.conf.n : 1;

        for (size_t k = 0; c->study && k < n; k++) {
            struct drb_cost cost;

            if (drb_cost(&cost, c->is_policy ? &c->policy.conf.routing[k] : &c->routing, &s->traffic, 0, whole,
                         err) < 0)
                return -1;
            latency_cost_row(s->j->t, s->net, &s->traffic, scheme_spec(c), c->is_policy ? c->policy.conf.name[k] : NULL,
                             &cost);
        }
    }
    return 0;
}

/* What there is to say about a scheme, whatever the load. */
static void scheme_notes(const struct scene *s, const struct scheme *c)
{
    const char *spec = scheme_spec(c);

    if (!c->study || s->j->which == LATENCY_COSTS)
        return;
    if (c->policy.note[0])
        table_note(s->j->t, "%s: %s.", spec, c->policy.note);
    if (c->is_policy && isnan(c->study->saturation_factor) && load_of_saturation(&s->q->load))
        table_note(s->j->t, "%s: percentages are of %.4g%s, the largest saturation of its configurations.", spec,
                   c->saturation * (traffic_own(&s->traffic) == OWN_NONE ? s->o.collide.time : 1),
                   traffic_own(&s->traffic) == OWN_NONE ? "" : " times the rates");
    if (traffic_own(&s->traffic) == OWN_ALL && isfinite(c->study->saturation_factor))
        table_note(s->j->t, "%s, %s: rates may grow %.4g times until the fullest link transmits all the time, %.4g "
                   "times until the model for open sources saturates.", s->traffic.spec, spec,
                       c->study->capacity_factor, c->study->saturation_factor);
    else if (traffic_own(&s->traffic) == OWN_ALL)
        table_note(s->j->t, "%s, %s: rates may grow %.4g times until the fullest link transmits all the time.",
                   s->traffic.spec, spec, c->study->capacity_factor);
    if (!c->is_policy && c->routing.tell && c->study->flows.injection_pair[c->study->flows.ninjection - 1] + 1 ==
        (int)c->study->flows.ninjection)
        table_note(s->j->t, "%s: every pair has one path: none of those offered carries less, or there are no others "
                   "(of=shortest+2 offers more).", spec);
    load_note_deadlock(s->j->t, s->net, spec, c->study);
}

/* Routings that burden a link with much more than ecmp would. */
static int latency_uneven(struct scene *s, const struct tick *tick, struct err *err)
{
    double even = NAN;
    bool asked = false;

    for (size_t i = 0; i < s->n && !asked; i++)
        asked = s->scheme[i].study && (s->scheme[i].is_policy ? s->scheme[i].policy.kind->among != NULL :
                                       strcmp(s->scheme[i].routing.spec, "ecmp") != 0);
    if (asked && load_even(&even, s->net, &s->traffic, s->o.collide.time, tick, err) < 0)
        return -1;
    for (size_t i = 0; asked && i < s->n; i++) {
        const struct scheme *c = &s->scheme[i];
        const struct latency_study *y = c->study;

        if (y && (!c->is_policy || c->policy.kind->among) && y->flows.link_from[y->capacity_link] >= 0 &&
            y->flows.link_to[y->capacity_link] >= 0)            /* a link between nodes */
            load_note_uneven(s->j->t, s->net, &s->traffic, scheme_spec(c), 1 / y->capacity_factor, even);
    }
    return 0;
}

static void latency_note_simulated(const struct scene *s)
{
    bool some = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct scheme *c = &s->scheme[i];

        some = some || c->run;
        if (s->q->validate && c->study && !c->run)
            table_note(s->j->t, "%s: %s: its rows are not simulated.",
                       scheme_spec(c), c->is_policy && c->policy.kind->among ? "the simulator refuses it" :
                       c->is_policy ? "a policy whose shares the model finds" :
                       "shares by bandwidth are the model's");
    }
    if (some)
        table_note(s->j->t, "Simulated flit by flit: %d replications of as many cycles as %g messages take (seed "
                   "%llu); +- is half of the interval in which the mean lies with 95 %%, the error that of the model.",
                   s->simulated.replications, SIMULATE_MESSAGES, (unsigned long long)s->simulated.seed);
}

static int latency_traffic(struct job *j, const char *text, const struct tick *whole, struct err *err)
{
    const struct request *q = j->request;
    struct scene scene = { .j = j, .q = q, .net = j->net }, *s = &scene;
    char sampled[80];
    const double opened = q->validate ? 0.1 : 0.4;
    const struct tick open = tick_part(whole, 0, opened), planning = tick_part(whole, opened, opened),
        solve = tick_part(whole, opened, 1);
    const struct worst_options worst = { .jobs = q->common.jobs, .tick = &open };
    int ret = -1;

    if (q->sources && strcmp(text, "uniform") != 0)
        return err_set(err, ERR_USAGE, "--sources %d is for uniform traffic, not %.80s", q->sources, text);
    /* A few sources that send for all would crowd the links beside them: a sample is one of pairs. */
    if (q->sources && j->net->group) {
        sources_note(j, q->sources, 0, j->net->spec, NULL);
    } else if (q->sources && q->sources < j->net->nterminal - 1) {
        snprintf(sampled, sizeof sampled, "sampled:%d,seed=%llu", q->sources, (unsigned long long)q->common.seed);
        text = sampled;
    }
    s->n = q->load.routing.n ? q->load.routing.n : 1;
    if (TAKE("the table", err, ZEROS(s->scheme, s->n)) < 0)
        goto done;
    if (load_traffic(&s->traffic, s->net, text, NULL, &worst, err) < 0 ||
        load_suits(&q->load, &s->traffic, err) < 0)
        goto done;
    if (load_options(&s->o, &q->load, &s->traffic, &q->common, NULL, err) < 0)
        goto done;
    s->o.orbits = true;
    s->simulated = judge_options(&s->o);
    s->simulated.seed = q->common.seed;
    s->simulated.tick = &s->tick;
    if (s->j->which != LATENCY_COSTS)
        load_say(j, &((struct request *)j->request)->load, &s->o);
    table_request(s->j->t, "traffic", s->traffic.spec);
    if (latency_open_schemes(s, &open, err) < 0)
        goto done;
    for (size_t i = 0; i < s->n; i++)
        table_request(s->j->t, "routing", scheme_spec(&s->scheme[i]));
    if (s->j->which == LATENCY_COSTS)
        ret = latency_all_costs(s, &solve, err);
    else if (latency_read_points(s, &planning, err) == 0 && latency_tell_loads(s, &planning, err) == 0)
        ret = latency_all_points(s, &solve, err);
    for (size_t i = 0; ret == 0 && i < s->n; i++)
        scheme_notes(s, &s->scheme[i]);
    if (ret == 0 && s->j->which != LATENCY_COSTS) {
        load_note_caution(s->j->t, &s->traffic);
        latency_note_simulated(s);
        ret = latency_uneven(s, &solve, err);
    }
done:
    for (size_t i = 0; s->scheme && i < s->n; i++)
        scheme_close(&s->scheme[i]);
    traffic_release(&s->traffic);
    FREE(s->scheme, s->point);
    return ret;
}

static int latency_network(struct job *j, struct err *err)
{
    return load_each_traffic(j, &((const struct request *)j->request)->load, latency_traffic, err);
}

/* What the reader must know of rows that are not to be believed as they stand. */
static void latency_notes(struct table *t)
{
    static const struct note_word all[] = {
        { "validity", "near saturation", "within 20 % of the model's own saturation: true waits are shorter there" },
        { "validity", "untested", "beyond the loads, or with routers, for which the model was held against simulation "
          "and found right within 10 % (`metapath help validity`)" },
        { "validity", "may deadlock", "routes close cycles of links that have one channel: messages may block each "
          "other for good, which the model leaves out; `metapath deadlock` tells which --classes, of how many channels "
          "(--vcs), prevent it" },
        { "validity", "saturated", "a link is held more than 0.8 of the time: latencies of single channels may be off "
          "by tens of percent" },
        { "validity", "outside", "closed sources with a link in use more than 0.7 of the time, beyond where the model "
          "was held against simulation" },
        { "validity", "sources saturated", "a source cannot send as fast as its messages come; what waits before "
          "it grows without end" },
        { "validity", "unknown", "how near saturation open sources are is not known for policies, nor where only some "
          "channels have intervals of their own" },
        { "policy", "cycles", "the policy comes back to states that it had, and never settles; the row is the last "
          "before it would" },
        { "policy", "limit", "the policy was stopped after its most rounds, not settled" }
    };

    notes_words(t, all, sizeof all / sizeof *all);
    for (size_t r = 0; r < table_rows(t); r++) {
        const struct judge judge = { look_real(t, r, "simulated_latency_cycles"),
                                     look_real(t, r, "simulated_latency_confidence_cycles"),
                                     .steady = strcmp(look_text(t, r, "simulation"), "steady") == 0 };

        if (strcmp(look_text(t, r, "valid"), "yes") == 0 &&
            judge_wrong(look_real(t, r, "packet_latency_cycles"), &judge))
            table_note(t, "%s, %s, %s at load %.4g: called valid, and the model is off by %.1f %%.",
                       look_text(t, r, "topology"), look_text(t, r, "traffic"), look_text(t, r, "routing"),
                       look_real(t, r, "load"), look_real(t, r, "error_percent"));
    }
}

static bool latency_has_policies(const struct request *q)
{
    for (size_t i = 0; i < q->load.routing.n; i++)
        if (policy_is(q->load.routing.item[i]))
            return true;
    return false;
}

static int latency_check(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    if (q->compare && load_of_saturation(&q->load))
        return err_set(err, ERR_USAGE, "--compare is for equal loads; percentages are of each routing's own "
                       "saturation");
    if (q->compare && j->which != LATENCY_MAIN)
        return err_set(err, ERR_USAGE, "--compare is for the table of loads, not for --show %s", q->common.show);
    if (q->validate && j->which != LATENCY_MAIN)
        return err_set(err, ERR_USAGE, "--validate is for the table of loads, not for --show %s; `metapath simulate` "
                       "has tables of its own", q->common.show);
    if (q->validate && q->load.switching && q->load.switching->sets_up)
        return err_set(err, ERR_USAGE, "--validate: circuits are not simulated: leave it out, or --switching circuit");
    if (q->validate && (isnan(q->load.hop_time) ? q->load.drb : q->load.hop_time < 1))
        return err_set(err, ERR_USAGE, "--validate: a simulated hop takes a cycle at least: write --hop-time 1");
    latency_columns(j, q->compare, latency_has_policies(q));
    j->sweep = j->sweep || q->load.traffic.n > 1 || q->load.routing.n > 1;
    return 0;
}

static int latency_finish(struct job *j, struct err *err)
{
    (void)err;
    latency_notes(j->t);
    return 0;
}

static int latency_drawn(struct picture *f, const struct table *t, int which, struct err *err)
{
    const struct request *q = f->request;

    return latency_figure(f, t, (enum latency_table)which, load_axis(q ? &q->load : NULL, t), err);
}

static const struct frame latency_frame = {
    .arguments = "SPEC...", .option = latency_own_options,
    .shared = (const struct option_part[]){ LOAD_OPTIONS(struct request, any),
                                            LOAD_ROUTER_OPTIONS(struct request), { 0 } },
    FRAME_REQUEST(struct request, .load = LOAD_USUAL), .table = latency_table, .plots = true, .check = latency_check,
    .network = latency_network, .finish = latency_finish, .figure = latency_drawn,
    .lacking = "latency needs a topology, as in `metapath latency torus:8x8 --routing dor,ecmp`",
    .example = {
        { "How does latency grow with load, and where does the network saturate?",
          "metapath latency torus:8x8" },
        { "Which routing is the best for this traffic?",
          "metapath latency torus:8x8 --traffic transpose --routing dor,ecmp,valiant" },
        { "Which links are the busiest?",
          "metapath latency mesh:4x4 --load 50% --show links" }
    },
    .doc = "Latency against load: waits where messages collide.\vA row for each load and routing. Sources are "
        "open, and send at random what --load or --rate says whatever the network does; with --interval, or "
        "intervals in a file of channels, they are closed: one message is under way at a time, and the next follows "
        "an interval after it arrived. Packet latency is what a message takes where nothing waits (zero load: its "
        "flits, a cycle each, or as the slowest link lets them, the hop time of every link after the first, and "
        "the lengths of links), its waits for links, and of open sources its wait at the source; mean and maximum are "
        "over channels (sources, where these send to several), percentiles, in CSV, over messages (`metapath help "
        "percentile`). The bottleneck is the link that "
        "transmits the most (busy); utilisation is the largest part of the time that a "
        "link is held. Capacity is where the bottleneck transmits all the time, saturation where the model for open "
        "sources has no solution any more: loads, or intervals of closed sources. Without a load: twelve for each "
        "routing, up to its saturation. A policy of configurations is taken to saturate where the best "
        "of them does, taken by all sources."
};

const struct cmd cmd_latency = {
    .name = "latency", .group = "Load", .frame = &latency_frame,
    .synopsis = "metapath latency SPEC... [--traffic LIST] [--routing LIST] [--load LIST]",
    .summary = "latency against load: where messages collide and how long they wait"
};
