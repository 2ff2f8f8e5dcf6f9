/* `metapath simulate`: what the network does when messages are sent through it flit by flit. The sweep is that of
 * sweep.h, of a traffic, of several one after the other, or of a trace. Options; values that are more than a number;
 * what is sent; runs; the command. Rows and figures are those of simulate_tables.c. */
#include "analysis/simulate/trace.h"
#include "cli/command/cmd.h"
#include "cli/sweep/simulate_tables.h"
#include "cli/sweep/sweep.h"
#include "graph/base/spec.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    struct load_request load;
    const char *trace, *mix, *ack;
    struct strings then;
    struct simulate_options how;        /* what options say of it; replications 0, max_cycles NAN: not said */
    struct simulate_mix *mixed;
};

/* ---- options ----------------------------------------------------------------------------------------- */

static int take_allocator(void *about, const char *arg, struct err *err)
{
    struct request *q = about;
    int64_t n = 2;

    if (strncmp(arg, "islip", 5) == 0 && (!arg[5] || arg[5] == ':')) {
        if (arg[5] && num_int(&n, arg + 6, 1, 100, "--allocator islip", err) < 0)
            return -1;
        q->how.allocator = ALLOCATE_ISLIP;
        q->how.iterations = (int)n;
        return 0;
    }
    if (strcmp(arg, "age") != 0 && strcmp(arg, "channel") != 0)
        return err_set(err, ERR_USAGE, "--allocator is '%.40s'; it may be islip:N, age, channel", arg);
    q->how.allocator = *arg == 'a' ? ALLOCATE_AGE : ALLOCATE_CHANNEL;
    return 0;
}

/* "reserved:10%,delay=5,early=20,flits=2,waits=step" */
static int take_ack(void *about, const char *arg, struct err *err)
{
    static const char *const kinds[] = { "ideal", "in-band", "priority", "reserved" };
    static const char *const parts[] = { "total", "step", "dimension", NULL };
    static const struct spec_key keys[] = { { "delay", "CYCLES", NULL }, { "early", "CYCLES", NULL },
                                            { "flits", "N", NULL }, { "waits", "total|step|dimension", NULL },
                                            { NULL, NULL, NULL } };
    struct simulate_balance *b = &((struct request *)about)->how.balance;
    struct spec spec;
    int64_t flits;
    int part, ret;
    size_t kind = 0;

    if (spec_parse(&spec, arg, false, err) < 0)
        return -1;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(spec.name, kinds[kind]) != 0)
        kind++;
    ret = kind == sizeof kinds / sizeof *kinds ?
        err_set(err, ERR_USAGE, "--ack is '%.40s'; it may be ideal, in-band, priority, reserved:10%%", spec.name) :
        spec_check(&spec, keys, NULL, err);
    if (ret == 0 && kind != ACK_RESERVED)
        ret = spec_no_params(&spec, err);
    if (ret == 0 && kind == ACK_RESERVED)
        ret = option_percent(&b->share, *spec.params ? spec.params : "10%", 0.1, 90, "the share of --ack reserved",
                             err);
    if (ret == 0 && spec_get(&spec, "delay"))
        ret = option_real(&b->delay, spec_get(&spec, "delay"), 0, TRAFFIC_MOST, "delay of --ack", err);
    if (ret == 0 && spec_get(&spec, "early"))
        ret = option_real(&b->early, spec_get(&spec, "early"), 1, TRAFFIC_MOST, "early of --ack", err);
    if (ret == 0 && (ret = spec_key_int(&flits, &spec, "flits", 1, 1000000, 1, err)) == 0 &&
        (ret = spec_choice(&part, &spec, "waits", parts, err)) == 0) {
        b->ack = (enum simulate_ack)kind;
        b->flits = (double)flits;
        b->parts = (enum simulate_parts)part;
    }
    spec_release(&spec);
    if (ret == 0)
        ((struct request *)about)->ack = arg;
    return ret;
}

/* "drain:32" */
static int take_deadlock(void *about, const char *arg, struct err *err)
{
    struct simulate_options *how = &((struct request *)about)->how;
    const size_t drain = strlen("drain");

    how->look = 0;
    how->drain = strncmp(arg, "drain", drain) == 0 && (!arg[drain] || arg[drain] == ':');
    if (!how->drain && strcmp(arg, "stop") != 0)
        return err_set(err, ERR_USAGE, "--deadlock is '%.40s'; it may be stop, drain, drain:CYCLES", arg);
    return how->drain && arg[drain] ? option_real(&how->look, arg + drain + 1, 1, TRAFFIC_MOST, "--deadlock drain", err)
        : 0;
}

static int take_precision(void *about, const char *arg, struct err *err)
{
    return option_percent(&((struct request *)about)->how.precision, arg, 0.01, 50, "--until-precision", err);
}

static const struct option_field simulate_own_options[] = {
    { CMD_SIMULATE_ROUTING, 1,
      INTO(load.routing) },
    { CMD_SIMULATE_TRACE, 1,
      INTO(trace) },
    { CMD_SIMULATE_LOOP, 2, INTO(load.loop) },
    { CMD_SIMULATE_THEN, 1, INTO(then),
      .whole = true },
    { CMD_SIMULATE_MIX, 2,
      INTO(mix) },
    { CMD_SIMULATE_HEADER, 2, INTO(how.header) },
    { CMD_SIMULATE_ACK, 2, .take = take_ack },
    { .help = "Simulation:", .group = 4 },
    { CMD_SIMULATE_ALLOCATOR, 4, .take = take_allocator },
    { CMD_SIMULATE_QUEUE, 4, INTO(how.queue),
      .to = 1e9 },
    { CMD_SIMULATE_DEADLOCK, 4, .take = take_deadlock },
    { CMD_SIMULATE_WARMUP, 4, INTO(how.warmup), .to = TRAFFIC_MOST,
      .quantity = QUANTITY_TIME },
    { CMD_SIMULATE_CYCLES, 4, INTO(how.cycles), .from = 1, .to = TRAFFIC_MOST, .quantity = QUANTITY_TIME },
    { CMD_SIMULATE_REPLICATIONS, 4,
      INTO(how.replications), .least = 1, .most = 1000 },
    { CMD_SIMULATE_UNTIL_PRECISION, 4, .take = take_precision },
    { CMD_SIMULATE_MAX_CYCLES, 4, INTO(how.max_cycles), .from = 1,
      .to = TRAFFIC_MOST, .quantity = QUANTITY_TIME }, { 0 }
};

/* "4:0.5,64:0.5"; the mean length is that of --packet. */
static int simulate_read_mix(struct request *q, struct err *err)
{
    double sum = 0, flits = 0;
    char **item;
    size_t n;
    int ret;

    if (spec_list(&item, &n, q->mix, err) < 0)
        return -1;
    ret = TAKE("--mix", err, ARRAY(q->mixed, n));
    for (size_t i = 0; ret == 0 && i < n; i++) {
        char *share = strchr(item[i], ':');
        struct simulate_mix *m = &q->mixed[i];

        if (!share) {
            ret = err_set(err, ERR_USAGE, "--mix has '%.80s'; write FLITS:SHARE, as in 4:0.5,64:0.5", item[i]);
            break;
        }
        *share = '\0';
        if (option_real(&m->flits, item[i], 1, TRAFFIC_MOST, "a length of --mix", err) < 0 ||
            option_real(&m->share, share + 1, TRAFFIC_LEAST, 1, "a share of --mix", err) < 0)
            ret = -1;
        sum += m->share;
        flits += m->share * m->flits;
    }
    mem_free_list(item, n);
    if (ret == 0 && fabs(sum - 1) > 1e-6)
        ret = err_set(err, ERR_USAGE, "--mix '%.80s': its shares sum to %g; they must sum to 1", q->mix, sum);
    q->load.packet = flits;
    q->how.mix = q->mixed;
    q->how.nmix = n;
    return ret;
}

/* ---- what is sent ------------------------------------------------------------------------------------ */

struct scene {
    struct sweep sweep;
    const struct request *q;
    struct simulate_message *trace;
    size_t ntrace;
    struct simulate_change *change;
    struct traffic *then;               /* theirs */
};

/* What routings and sources ask of the traffic of a trace is that of uniform. */
static int simulate_read_trace(struct scene *s, struct err *err)
{
    return trace_read(&s->trace, &s->ntrace, s->sweep.net, s->q->trace, err) < 0 ? -1 :
        asprintf(&s->sweep.name, "trace:%s", s->q->trace) < 0 ? s->sweep.name = NULL, err_memory(err) : 0;
}

/* "20000:hotspot:node=3" of --then; the traffic's name tells of it. */
static int simulate_changes(struct scene *s, const struct worst_options *how, struct err *err)
{
    const struct strings *then = &s->q->then;
    double before = 0;

    if (TAKE("what follows", err, ZEROS(s->change, then->n + 1), ZEROS(s->then, then->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < then->n; i++) {
        const char *text = then->item[i], *colon = strchr(text, ':');
        char at[40], *name = s->sweep.name;

        snprintf(at, sizeof at, "%.*s", colon ? (int)(colon - text) : 0, text);
        if (!colon || (size_t)(colon - text) >= sizeof at)
            return err_set(err, ERR_USAGE, "--then is '%.80s'; write CYCLE:TRAFFIC, as in 20000:tornado", text);
        if (option_real(&s->change[i].at, at, 1, TRAFFIC_MOST, "--then", err) < 0 ||
            load_traffic(&s->then[i], s->sweep.net, colon + 1, NULL, how, err) < 0)
            return -1;
        if (s->change[i].at <= before)
            return err_set(err, ERR_USAGE, "--then %.80s is not after the change before, at %g", text, before);
        before = s->change[i].at;
        s->change[i].traffic = &s->then[i];
        if (asprintf(&s->sweep.name, "%s then %s", name ? name : s->sweep.traffic.spec, s->then[i].spec) < 0) {
            s->sweep.name = name;
            return err_memory(err);
        }
        free(name);
    }
    return 0;
}

/* Whether the load that is said is what all the traffics need, which have intervals of their own or not. */
static int simulate_suits(const struct scene *s, struct err *err)
{
    const struct load_request *q = &s->q->load;
    bool mixed = false;

    for (size_t i = 0; i < s->q->then.n; i++)
        mixed = mixed || traffic_own(&s->then[i]) != traffic_own(&s->sweep.traffic);
    if (!mixed)
        return load_suits(q, &s->sweep.traffic, err);
    if (!(q->interval || q->rate || q->load) || load_of_saturation(q))
        return err_set(err, ERR_USAGE, "some channels of %.300s have no interval: give it by --interval",
                       s->sweep.name);
    return 0;
}

static int simulate_sent(struct sweep *sweep, const char *text, const struct worst_options *how, struct err *err)
{
    struct scene *s = (struct scene *)sweep;

    return s->q->trace && simulate_read_trace(s, err) < 0 ? -1 :
        load_traffic(&sweep->traffic, sweep->net, text, NULL, how, err) < 0 || simulate_changes(s, how, err) < 0 ? -1 :
        simulate_suits(s, err);
}

/* ---- runs -------------------------------------------------------------------------------------------- */

static const char *const loop_name[] = { [SOURCE_CLOSED] = "closed", [SOURCE_OPEN] = "open", [SOURCE_TRACE] = "trace",
                                         [SOURCE_BERNOULLI] = "bernoulli", [SOURCE_PERIODIC] = "periodic" };

static struct simulate_options simulate_how(const struct scene *s)
{
    static const enum simulate_source source[] = { SOURCE_CLOSED, SOURCE_OPEN, SOURCE_BERNOULLI, SOURCE_PERIODIC };
    const struct request *q = s->q;
    const struct latency_options *model = &s->sweep.model;
    const struct collide_options *c = &model->collide;
    struct simulate_options o = q->how;

    o.switching = c->switching;
    o.router = c->router;
    o.hop_time = c->hop_time;
    o.flits = c->time;
    o.source = s->trace ? SOURCE_TRACE : source[q->load.loop >= 0 ? q->load.loop : model->open];
    o.trace = s->trace;
    o.ntrace = s->ntrace;
    o.change = s->change;
    o.nchange = q->then.n;
    if (o.nchange && isnan(o.warmup))           /* what begins anew is what is asked about */
        o.warmup = 0;
    if (o.nchange && isnan(o.cycles))
        o.cycles = fmin(2 * o.change[o.nchange - 1].at, 1e7);
    o.classes = model->classes;
    o.terminals = model->terminals;
    o.max_cycles = isnan(o.max_cycles) ? 1e7 : o.max_cycles;
    o.replications = o.replications ? o.replications : s->trace ? 1 : 3;
    o.links = s->sweep.j->which == SIMULATE_LINKS;
    o.order = s->sweep.j->which == SIMULATE_BALANCE;
    o.seed = q->common.seed;
    o.jobs = q->common.jobs;
    o.tick = &s->sweep.tick;
    return o;
}

static int simulate_reaches(const struct simulate_options *o, struct err *err)
{
    const double last = o->nchange ? o->change[o->nchange - 1].at : 0,
        end = o->precision > 0 ? fmin(o->warmup + o->cycles, o->max_cycles / 5) : o->warmup + o->cycles;

    return o->nchange && !(last < end) ?
        err_set(err, ERR_USAGE, "--then comes at cycle %g, and runs end at %g: write --cycles", last, end) : 0;
}

enum { FIFTHS = 4 };

/* Where no load is said: fifths of the model's own saturation. */
static int simulate_settle(struct sweep *sweep, struct err *err)
{
    static const double fifth[FIFTHS] = { 1 / 5., 2 / 5., 3 / 5., 4 / 5. }, whole = 1;
    struct scene *s = (struct scene *)sweep;

    if (sweep_options(sweep, err) < 0)
        return -1;
    sweep->simulated = simulate_how(s);
    if (simulate_reaches(&sweep->simulated, err) < 0)
        return -1;
    sweep->part = sweep->j->which == SIMULATE_SATURATION ? &whole : fifth;
    sweep->nparts = s->trace ? 0 : sweep->j->which == SIMULATE_SATURATION ? 1 : FIFTHS;
    return load_say(sweep->j, &sweep->model, err);
}

/* Mean over sources of what each offers, where they have intervals of their own. */
static double simulate_load(const struct sweep *s, const struct load *load)
{
    const struct traffic *t = &s->traffic;
    const size_t n = traffic_sources(t);
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        const struct traffic_pace pace = traffic_pace(t, t->matrix ? -1 : (int)traffic_first(t, i),
                                                      (struct traffic_pace){ load->interval, s->simulated.flits });

        sum += load->factor * pace.time / pace.interval;
    }
    return sum / (double)n;
}

static struct simulate_request simulate_about(const struct sweep *s, const struct scheme *c, const struct load *load)
{
    const struct scene *scene = (const struct scene *)s;
    const double interval = scene->trace || scheme_refused(c) ? (double)NAN : load_interval(load, &s->traffic);

    return (struct simulate_request){ s->net, s->name ? s->name : s->traffic.spec, scheme_spec(c),
                                      loop_name[s->simulated.source], &s->traffic, &s->simulated, c->run, interval,
                                      s->simulated.flits / interval };
}

/* From the load at hand, which is the model's saturation where none is said. */
static int simulate_saturates(struct sweep *s, struct scheme *c, const struct load *load,
                              const struct simulate_request *about, struct err *err)
{
    struct simulate_saturated x;

    if (simulate_saturation(&x, c->run, load, 1, 1 / about->load, err) < 0)
        return -1;
    simulate_saturation_row(s->j, about, &x, isnan(s->point[0].part) ? (double)NAN : 1);
    return 0;
}

static int simulate_row(struct sweep *s, struct scheme *c, const struct load_point *point, struct err *err)
{
    const struct load load = load_at(point, c->saturation);
    struct simulate_request about = simulate_about(s, c, &load);
    struct simulate_result r = { 0 };
    int ret;

    if (s->j->which == SIMULATE_SATURATION) {
        about.load = isnan(about.interval) ? simulate_load(s, &load) : about.load;
        return simulate_saturates(s, c, &load, &about, err);
    }
    if (simulate_run(&r, c->run, &load, err) < 0)
        return -1;
    if (isnan(about.interval))
        about.load = s->simulated.source == SOURCE_TRACE ? r.offered : simulate_load(s, &load);
    ret = simulate_rows(s->j, &about, &r, err);
    simulate_result_release(&r);
    return ret;
}

/* Of a routing that could not be opened, a row for all loads. */
static int simulate_refuse(struct sweep *s, const struct scheme *c, const struct load_point *point, struct err *err)
{
    const struct load load = load_at(point, c->saturation);
    const struct simulate_request about = simulate_about(s, c, &load);

    if (!scheme_refused(c) || point == s->point)
        simulate_refused(s->j, &about, err);
    return 0;
}

static int simulate_tell(struct sweep *s, struct err *)
{
    for (size_t i = 0; i < s->n; i++) {
        job_at(s->j, PLACE_SCHEME, i);
        if (s->scheme[i].run && *simulate_note(s->scheme[i].run))
            table_note(s->j->t, "%s, %s: %s.", s->net->spec, simulate_routing(s->scheme[i].run),
                       simulate_note(s->scheme[i].run));
    }
    return 0;
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const struct sweep_way simulate_sweep = {
    .traffic = simulate_sent, .settle = simulate_settle, .row = simulate_row, .refused = simulate_refuse,
    .finish = simulate_tell
};

static int simulate_traffic(struct job *j, const char *text, const struct tick *whole, struct err *err)
{
    struct request *q = j->request;
    struct scene s = { .sweep = { .j = j, .way = &simulate_sweep, .load = &q->load, .settings = 1 }, .q = q };
    const int ret = sweep_run(&s.sweep, text, whole, 0.1, err);

    for (size_t i = 0; s.then && i < q->then.n; i++)
        traffic_release(&s.then[i]);
    FREE(s.trace, s.sweep.name, s.change, s.then);
    return ret;
}

static int simulate_network(struct job *j, struct err *err)
{
    return load_each_traffic(j, &((const struct request *)j->request)->load, simulate_traffic, err);
}

/* What contradicts a trace, or other options. */
static int simulate_contradicts(const struct request *q, int which, struct err *err)
{
    const struct {
        bool said;
        const char *what;
    } traced[] = {
        { q->load.traffic.n, "--traffic" }, { q->load.load, "--load" }, { q->load.rate, "--rate" },
        { q->load.interval, "--interval" }, { q->load.scale, "--scale" }, { q->load.loop >= 0, "--loop" },
        { q->mix, "--mix" }, { !isnan(q->load.packet), "--packet" }, { !isnan(q->how.warmup), "--warmup" }
    };

    bool balances = false;

    for (size_t i = 0; q->trace && i < sizeof traced / sizeof *traced; i++)
        if (traced[i].said)
            return err_set(err, ERR_USAGE, "--trace says who sends how much and when: leave out %s", traced[i].what);
    for (size_t i = 0; i < q->load.routing.n; i++) {
        const struct policy_kind *policy =
            (const void *)kind_named(&kind_policy, q->load.routing.item[i]);

        if (policy && !policy->seen)
            return err_set(err, ERR_USAGE, "'%.80s' is a policy whose shares `metapath latency` finds; of policies "
                           "simulate knows adaptive, drb and ugal", q->load.routing.item[i]);
        balances = balances || (policy && policy->balances);
    }
    if (q->ack && !balances)
        return err_set(err, ERR_USAGE, "--ack %.80s is about sources that balance: name one in --routing, as in "
                       "drb:static+sga:1", q->ack);
    if (which == SIMULATE_SATURATION && (q->trace || q->then.n || q->load.loop == 0))
        return err_set(err, ERR_USAGE, "--show saturation is of sources that send on whatever the network does: leave "
                       "out --trace, --then and --loop closed");
    if (q->then.n && (q->trace || which == SIMULATE_SOURCES))
        return err_set(err, ERR_USAGE, "%s", q->trace ? "a trace says what is sent when: leave out --then" :
                       "sources are not the same after --then: leave it out, or take --show windows");
    if (q->mix && !isnan(q->load.packet))
        return err_set(err, ERR_USAGE, "--packet and --mix both say how long messages are; give one of them");
    if (q->how.replications && q->how.precision > 0)
        return err_set(err, ERR_USAGE, "--until-precision decides how many replications there are: leave out "
                       "--replications");
    if (!isnan(q->how.max_cycles) && q->how.precision == 0)
        return err_set(err, ERR_USAGE, "--max-cycles is for --until-precision; --cycles says how long each run is");
    return 0;
}

static int simulate_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (simulate_contradicts(q, j->which, err) < 0 || (q->mix && simulate_read_mix(q, err) < 0))
        return -1;
    if (isnan(q->load.packet))
        q->load.packet = 10;
    if (q->load.drb && isnan(q->load.hop_time)) {
        q->load.hop_time = 1;
        table_note(j->t, "A simulated hop takes a cycle at least: --model drb has hop time 1 here.");
    }
    if (q->trace || q->load.loop > 1)
        q->load.said.sources = q->trace ? "messages of a trace" : q->load.loop == 2 ? "Bernoulli sources" :
            "periodic sources";
    j->sweep = j->sweep || q->load.traffic.n > 1 || q->load.routing.n > 1;
    sweep_divide(j, &q->load, 1);
    j->walk.turns[LOOP_LOAD] = q->trace || j->which == SIMULATE_SATURATION ? 1 : FIFTHS;
    return load_count(j, LOOP_LOAD, &q->load, err);
}

/* As if every link passed a flit in every cycle, which takes 0.1 us. */
static double simulate_forecast(const struct job *j)
{
    const struct simulate_options *how = &((const struct request *)j->request)->how;
    struct err ignored;
    const int runs = how->replications ? how->replications : simulate_usual.replications;

    return how->precision > 0 || j->which == SIMULATE_SATURATION ? (double)NAN :
        1e-7 * runs * how->cycles * net_edges(j->net, &ignored) * (j->net->directed ? 1 : 2);
}

static int simulate_finish(struct job *j, struct err *)
{
    simulate_notes(j->t);
    return 0;
}

static int simulate_drawn(struct picture *f, const struct table *t, int which, struct err *err)
{
    const struct request *q = f->request;

    return simulate_figure(f, t, (enum simulate_table)which, load_axis(q ? &q->load : NULL, t), err);
}

static void simulate_release(void *request)
{
    free(((struct request *)request)->mixed);
}

static const struct frame simulate_frame = {
    CMD_SIMULATE_FRAME, .option = simulate_own_options,
    .shared = (const struct option_part[]){ LOAD_OPTIONS_PLAIN(struct request, any),
                                            LOAD_ROUTER_OPTIONS(struct request), { 0 } },
    FRAME_REQUEST(struct request, .load = { .packet = NAN, .hop_time = NAN, .loop = -1, .terminals = -1, .finite = true,
                                            .closure = &closure_pairwise, .router = LOAD_ROUTER },
                  .how = { .iterations = 2, .queue = INFINITY, .balance = { .flits = 1, .early = NAN }, .warmup = NAN,
                           .cycles = NAN, .max_cycles = NAN }),
    .table = simulate_table, .plots = true, .check = simulate_check, .network = simulate_network,
    .forecast = simulate_forecast, .fact = load_fact, .finish = simulate_finish, .figure = simulate_drawn, .release = simulate_release
};

const struct cmd cmd_simulate = { CMD_SIMULATE_ENTRY, .frame = &simulate_frame };
