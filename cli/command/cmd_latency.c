/* `metapath latency`: latency against load. The sweep is that of sweep.h; here are what policies are told of the loads,
 * what a row is solved from, and the notes. Rows are those of latency_tables.c, figures those of latency_figures.c.
 * Options; policies; loads and rows; notes; the command. */

#include "analysis/simulate/saturation.h"
#include "cli/command/cmd.h"
#include "cli/sweep/latency_figures.h"
#include "cli/sweep/network_cells.h"
#include "cli/sweep/sweep.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "texts/cmd.h"

enum { LOADS = 12 };            /* where the request says none */
struct request {
    struct options common;
    struct load_request load;
    int sources;
    bool compare, validate;
    int saturation;             /* whether it is simulated, too */
    double usual[LOADS];        /* parts of saturation, of the traffic at hand */
    double reference;           /* mean latency of the first scheme at the load at hand; NAN: none */
    struct load most;           /* the largest so far, of the traffic at hand; factor 0: none */
};

static const struct option_field latency_own_options[] = {
    { CMD_LATENCY_ROUTING, 1,
      INTO(load.routing) },
    { CMD_LATENCY_COMPARE, 10, INTO(compare) },
    { CMD_LATENCY_SOURCES, 1, INTO(sources), .least = 2, .most = INT32_MAX },
    { CMD_LATENCY_VALIDATE, 10, INTO(validate) },
    { CMD_LATENCY_SATURATION, 10, INTO(saturation), .words = "model|simulated" }, { 0 }
};

/* Whether the simulator sends messages as it does: by fixed shares, or by the load it sees itself. */
static bool latency_simulates(const struct sweep *s, const struct scheme *c)
{
    const struct request *q = s->j->request;

    return (q->validate || q->saturation) && (c->is_policy ? c->policy.kind->seen : !c->routing.by_bandwidth);
}

/* The mean of the scheme in the table's last row, or NAN. */
static int latency_fact(struct job *j, const char *text, struct err *err)
{
    struct request *q = j->request;
    double mean;
    int first;

    if (sscanf(text, "mean %d %lf", &first, &mean) != 2)
        return load_fact(j, text, err);
    q->reference = first ? (double)NAN : q->reference;
    if (!isnan(mean))
        latency_ratio(j->t, mean / (isnan(q->reference) ? mean : q->reference));
    q->reference = first ? mean : q->reference;
    return 0;
}

static int latency_mean(struct job *j, bool first, double mean, struct err *err)
{
    return job_fact(j, err, "mean %d %.17g", first, mean);
}

/* Twelve loads, evenly up to saturation (of open sources not quite up to it), where the request says none. */
static int latency_settle(struct sweep *s, struct err *err)
{
    struct request *q = s->j->request;

    if (sweep_options(s, err) < 0)
        return -1;
    s->model.brief = latency_brief(s->j->o);
    s->simulated = judge_options(&s->model);
    s->simulated.seed = q->common.seed;
    if (latency_models(s->j->which) && load_say(s->j, &s->model, err) < 0)
        return -1;
    for (size_t k = 0; k < LOADS; k++)
        q->usual[k] = (double)(k + 1) / LOADS * (s->model.open ? 0.99 : 1);
    s->part = q->usual;
    s->nparts = LOADS;
    q->most = (struct load){ 1, 0 };
    return latency_mean(s->j, true, NAN, err);
}

/* ---- policies ---------------------------------------------------------------------------------------- */

/* The largest of the saturations that a policy's configurations have, each taken by all sources. */
static int policy_saturation(double *factor, const struct scheme *c, const struct sweep *s, struct err *err)
{
    struct latency_options o = s->model;

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

static int latency_policy_saturations(struct sweep *s, struct err *err)
{
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < s->n; i++) {
        struct scheme *c = &s->scheme[i];

        if (!scheme_refused(c) && c->is_policy && isnan(c->saturation))
            ret = policy_saturation(&c->saturation, c, s, err);
    }
    return ret;
}

/* Policies that plan ahead are told all the loads. */
static int latency_tell_loads(struct sweep *s, struct err *err)
{
    struct load *load = malloc((s->npoint + 1) * sizeof *load);
    int ret = load ? 0 : err_memory(err);

    for (size_t i = 0; ret == 0 && i < s->n; i++) {
        struct scheme *c = &s->scheme[i];

        if (scheme_refused(c) || !c->is_policy)
            continue;
        for (size_t k = 0; k < s->npoint; k++)
            load[k] = load_at(&s->point[k], c->saturation);
        if (policy_plan(&c->policy, load, s->npoint, err) < 0)
            ret = scheme_refuse(c, s, err);
    }
    free(load);
    return ret;
}

/* ---- loads and rows ---------------------------------------------------------------------------------- */

/* Usual loads: where schemes are compared the same for all, up to the least saturation; a row for each scheme where
 * none could be opened. */
static void latency_usual_points(struct sweep *s, bool compare)
{
    double least = INFINITY;

    for (size_t i = 0; i < s->n; i++)
        if (!scheme_refused(&s->scheme[i]))
            least = fmin(least, s->scheme[i].saturation);
    if (isinf(least))
        s->npoint = 1;
    else if (compare)
        for (size_t k = 0; k < s->npoint; k++)
            s->point[k] = (struct load_point){ 1 / (s->point[k].part * least), 1, NAN };
    s->by_scheme = !compare;
}

/* What spreading costs: of the routing, or of every configuration of a policy. */
static int latency_costs(struct sweep *s, struct err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        struct scheme *c = &s->scheme[i];
        const size_t n = scheme_refused(c) ? 0 : c->is_policy ? c->policy.conf.n : 1;

        job_at(s->j, PLACE_SCHEME, i);
        for (size_t k = 0; k < n; k++) {
            struct drb_cost cost;

            if (drb_cost(&cost, c->is_policy ? &c->policy.conf.routing[k] : &c->routing, &s->traffic, 0, &s->tick,
                         err) < 0)
                return -1;
            latency_cost_row(s->j->t, s->net, &s->traffic, scheme_spec(c), c->is_policy ? c->policy.conf.name[k] : NULL,
                             &cost);
        }
    }
    s->npoint = 0;
    return 0;
}

static int latency_planned(struct sweep *s, struct err *err)
{
    const struct request *q = s->j->request;

    if (s->j->which == LATENCY_COSTS)
        return latency_costs(s, err);
    if (s->j->which == LATENCY_TRAFFIC) {
        s->npoint = 0;
        return latency_pair_rows(s->j->t, s->net, &s->traffic, &s->tick, err);
    }
    if (!isnan(s->point[0].part) && latency_policy_saturations(s, err) < 0)
        return -1;
    if (s->by_scheme)
        latency_usual_points(s, q->compare);
    return latency_tell_loads(s, err);
}

/* Of a routing: a row by itself, from the shares and waits that the first would begin with. */
static int solve_routing(struct latency_study *s, const struct load *load, struct err *err)
{
    if (s->routing->by_bandwidth && latency_choose(s, s->option, false, err) < 0)
        return -1;
    s->collide.warm = s->collide.warm && !s->routing->by_bandwidth;
    return latency_solve(s, load, err);
}

/* From the model's own, or the load at hand. */
static int scheme_simulate(struct scheme *c, struct sweep *s, const struct load *load, struct err *err)
{
    const struct load from = { load->interval, isfinite(c->saturation) ? c->saturation : load->factor };
    const double at = s->model.collide.time * from.factor / from.interval;
    struct simulate_saturated x;

    if (simulate_saturation(&x, c->run, &from, 1, 1 / at, err) < 0)
        return -1;
    c->simulated = at * sqrt(x.low * x.high);
    table_note(s->j->t, "%s, %s: simulated, a load of %.4g is sustained and one of %.4g is not (latency beyond four "
               "times the idle one, or 2 %% behind what is offered); the model's saturation is %.1f %% %s.", s->net->spec,
               scheme_spec(c), at * x.low, at * x.high, 100 * fabs(1 / sqrt(x.low * x.high) - 1), x.low * x.high < 1 ?
               "above" : "below");
    return 0;
}

static int latency_row(struct sweep *s, struct scheme *c, const struct load_point *point, struct err *err)
{
    const struct load load = load_at(point, c->saturation);
    struct request *q = s->j->request;
    struct policy_outcome outcome;
    struct judge judge;
    struct latency_summary summary;
    struct latency_request r;

    if (load.factor / load.interval > q->most.factor / q->most.interval)
        q->most = load;
    if ((c->is_policy ? policy_solve(&c->policy, &load, &outcome, err) : solve_routing(c->study, &load, err)) < 0 ||
        (q->saturation && c->run && isnan(c->simulated) && scheme_simulate(c, s, &load, err) < 0) ||
        (q->validate && c->run && judge_run(&judge, c->run, &s->simulated, &s->traffic, &load, err) < 0)) {
        if (!s->j->sweep && s->npoint == 1 && err->code == ERR_NETWORK)
            load_note_own(NULL, s->net, &s->traffic, &s->model, &load, err);
        return -1;
    }
    r = (struct latency_request){ s->net, s->traffic.spec, scheme_spec(c), &s->model,
                                  c->is_policy ? &c->policy : NULL, &outcome, q->validate && c->run ? &judge : NULL,
                                  c->simulated };
    return latency_rows(s->j->t, s->j->which, &r, c->study, &load, &summary, err) < 0 ? -1 :
        s->j->which == LATENCY_MAIN ? latency_mean(s->j, c == s->scheme, summary.mean, err) : 0;
}

static int latency_refuse(struct sweep *s, const struct scheme *c, const struct load_point *point, struct err *err)
{
    const struct latency_request r = { .net = s->net, .traffic = s->traffic.spec, .routing = scheme_spec(c),
                                       .o = &s->model, .simulated_saturation = NAN };
    const struct load load = load_at(point, c->saturation);

    latency_refused(s->j, &r, scheme_refused(c) ? NULL : c->study, &load, err);
    return c == s->scheme ? latency_mean(s->j, true, NAN, err) : 0;
}

/* ---- notes ------------------------------------------------------------------------------------------- */

/* What there is to say about a scheme, whatever the load. */
static void scheme_notes(const struct sweep *s, const struct scheme *c)
{
    const struct request *q = s->j->request;
    const char *spec = scheme_spec(c);

    if (scheme_refused(c) || !latency_models(s->j->which))
        return;
    if (c->policy.note[0])
        table_note(s->j->t, "%s: %s.", spec, c->policy.note);
    if (c->is_policy && isnan(c->study->saturation_factor) && load_of_saturation(&q->load))
        table_note(s->j->t, "%s: percentages are of %.4g%s, the largest saturation of its configurations.", spec,
                   c->saturation * (traffic_own(&s->traffic) == OWN_NONE ? s->model.collide.time : 1),
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

/* Whether it is the routing that others are held against: without keys. */
static bool scheme_evens(const struct scheme *c)
{
    const struct routing *r = &c->routing;

    return !c->is_policy && r->route->evens && strcmp(r->spec, r->route->name) == 0;
}

/* Routings that burden a link between nodes with much more than ecmp would. */
static int latency_uneven(struct sweep *s, struct err *err)
{
    double even = -1;                   /* not asked for yet */

    for (size_t i = 0; i < s->n; i++) {
        const struct scheme *c = &s->scheme[i];
        const struct latency_study *y = c->study;

        if (scheme_refused(c) || scheme_evens(c) || (c->is_policy && !c->policy.kind->among) ||
            y->flows.link_from[y->capacity_link] < 0 || y->flows.link_to[y->capacity_link] < 0)
            continue;
        job_at(s->j, PLACE_SCHEME, i);
        if (even == -1 && load_even(&even, s->net, &s->traffic, s->model.collide.time, &s->tick, err) < 0)
            return -1;
        load_note_uneven(s->j->t, s->net, &s->traffic, scheme_spec(c), 1 / y->capacity_factor, even);
    }
    return 0;
}

static void latency_note_simulated(const struct sweep *s)
{
    const struct request *q = s->j->request;
    bool some = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct scheme *c = &s->scheme[i];

        some = some || (c->run && q->validate);
        job_at(s->j, PLACE_SCHEME, i);
        if ((q->validate || q->saturation) && !scheme_refused(c) && !c->run)
            table_note(s->j->t, "%s: %s: its rows are not simulated.",
                       scheme_spec(c), c->is_policy && c->policy.kind->among ? "the simulator refuses it" :
                       c->is_policy ? "a policy whose shares the model finds" :
                       "shares by bandwidth are the model's");
    }
    job_at(s->j, PLACE_SCHEME, s->n);
    if (some)
        table_note(s->j->t, "Simulated flit by flit: %d replications of as many cycles as %g messages take (seed "
                   "%llu); +- is half of the interval in which the mean lies with 95 %%, the error that of the model.",
                   s->simulated.replications, SIMULATE_MESSAGES, (unsigned long long)s->simulated.seed);
}

static int latency_tell(struct sweep *s, struct err *err)
{
    const struct request *q = s->j->request;

    for (size_t i = 0; i < s->n; i++) {
        job_at(s->j, PLACE_SCHEME, i);
        scheme_notes(s, &s->scheme[i]);
    }
    if (!latency_models(s->j->which))
        return 0;
    job_at(s->j, PLACE_STAGE, STAGE_FINISH + 1);
    load_note_caution(s->j->t, &s->traffic);
    job_at(s->j, PLACE_STAGE, STAGE_FINISH + 2);
    latency_note_simulated(s);
    job_at(s->j, PLACE_STAGE, STAGE_FINISH + 3);
    job_weighs(s->j, q->most.factor / q->most.interval);
    if (q->most.factor > 0 && load_note_own(s->j->t, s->net, &s->traffic, &s->model, &q->most, err) < 0)
        return -1;
    job_at(s->j, PLACE_STAGE, STAGE_FINISH + 4);
    return latency_uneven(s, err);
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const struct sweep_way latency_sweep = {
    .models = true, .settle = latency_settle, .simulates = latency_simulates,
    .planned = latency_planned, .row = latency_row, .refused = latency_refuse, .finish = latency_tell
};

static int latency_traffic(struct job *j, const char *text, const struct tick *whole, struct err *err)
{
    struct request *q = j->request;
    struct sweep s = { .j = j, .way = &latency_sweep, .load = &q->load, .settings = 1 };
    const struct traffic_kind *kind = traffic_named(text);
    char sampled[80];

    if (q->sources && !(kind && kind->even))
        return err_set(err, ERR_USAGE, "--sources %d is for uniform traffic, not %.80s", q->sources, text);
    /* A few sources that send for all would crowd the links beside them: a sample is one of pairs. */
    if (q->sources && j->net->group) {
        sources_note(j, q->sources, 0, j->net->spec, NULL);
    } else if (q->sources && q->sources < j->net->nterminal - 1) {
        snprintf(sampled, sizeof sampled, "sampled:%d,seed=%llu", q->sources, (unsigned long long)q->common.seed);
        text = sampled;
    }
    return sweep_run(&s, text, whole, q->validate ? 0.1 : 0.4, err);
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
        { "validity", "implausible", "waits above ten times those of single queues as fully used, or saturation below a "
          "tenth of capacity: do not use it" },
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
    if (q->saturation && (q->load.loop == 0 || j->which != LATENCY_MAIN))
        return err_set(err, ERR_USAGE, "--saturation simulated is of sources that send on whatever the network does, "
                       "in the table of loads: leave out --loop closed, --show");
    if ((q->validate || q->saturation) && q->load.switching && q->load.switching->sets_up)
        return err_set(err, ERR_USAGE, "--validate: circuits are not simulated: leave it out, or --switching circuit");
    if (q->validate && (isnan(q->load.hop_time) ? q->load.drb : q->load.hop_time < 1))
        return err_set(err, ERR_USAGE, "--validate: a simulated hop takes a cycle at least: write --hop-time 1");
    latency_columns(j, q->compare, latency_has_policies(q));
    j->sweep = j->sweep || q->load.traffic.n > 1 || q->load.routing.n > 1;
    sweep_divide(j, &q->load, 1);
    if (q->compare || j->which == LATENCY_TRAFFIC)      /* loads up to the least saturation of all; no routing */
        j->walk.turns[LOOP_SCHEME] = 1;
    return 0;
}

static int latency_finish(struct job *j, struct err *)
{
    latency_notes(j->t);
    return 0;
}

static int latency_drawn(struct picture *f, const struct table *t, int which, struct err *err)
{
    const struct request *q = f->request;

    return latency_figure(f, t, (enum latency_table)which, load_axis(q ? &q->load : NULL, t), err);
}

static const struct frame latency_frame = {
    CMD_LATENCY_FRAME, .option = latency_own_options,
    .shared = (const struct option_part[]){ LOAD_OPTIONS(struct request, any),
                                            LOAD_ROUTER_OPTIONS(struct request), { 0 } },
    FRAME_REQUEST(struct request, .load = LOAD_USUAL), .table = latency_table, .plots = true, .check = latency_check,
    .network = latency_network, .fact = latency_fact, .finish = latency_finish, .figure = latency_drawn
};

const struct cmd cmd_latency = { CMD_LATENCY_ENTRY, .frame = &latency_frame };
