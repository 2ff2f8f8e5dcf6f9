/* `metapath validate`: how far the models of latency are off, by simulation of the same; and how far the simulator is
 * off BookSim2's runs. The sweep is that of sweep.h, for one switching after the other: a row a point, or rows of how
 * many of them are near (summary). Options; points; their sums; BookSim2; the command. */
#include "analysis/simulate/judge.h"
#include "cli/command/cmd.h"
#include "cli/sweep/sweep.h"
#include "cli/request/published.h"
#include "texts/cmd.h"

#define TOLD 12                 /* rows that are called valid and are not, each with a note */
static const char *const usual_network[] = { "mesh:8x8", "torus:8x8", "fattree:4", "dragonfly,a=4,p=2,h=2" },
    *const usual_traffic[] = { "uniform", "complement", "hotspot:0,share=0.05" },
    *const usual_switching[] = { "virtual-channel", "wormhole", "cut-through", "store-and-forward" };
static const double usual_part[] = { 0.1, 0.3, 0.5, 0.7, 0.8, 0.9 };
enum { NETWORKS = 4, TRAFFICS = 3, SWITCHINGS = 4 };

struct tally {                  /* points of a switching and a part of saturation */
    const char *switching;
    bool open;
    double part;                /* NAN: loads are absolute */
    int n, refused, steady, five, ten, valid, wrong;
    double worst;
    char *where;
};
struct request {
    struct options common;
    struct load_request load;
    struct strings switching;
    int replications;
    double cycles;              /* NAN: as the simulator has it */
    bool check, all;
    struct tally *tally;
    size_t ntally;
    int told;                   /* rows that are wrong */
    struct csv csv;             /* the published runs */
    struct booksim_row *booksim;
};

static const struct option_field validate_options[] = {
    { CMD_VALIDATE_ROUTING, 1, INTO(load.routing) },
    { CMD_VALIDATE_SWITCHING, 2, INTO(switching) },
    { CMD_VALIDATE_HOP_TIME, 2, INTO(load.hop_time), .from = 1, .to = TRAFFIC_MOST, .quantity = QUANTITY_TIME },
    { CMD_VALIDATE_TERMINALS, 2, INTO(load.terminals) },
    { .help = "Simulation:", .group = 4 },
    { CMD_VALIDATE_CYCLES, 4, INTO(cycles), .from = 100, .to = TRAFFIC_MOST, .quantity = QUANTITY_TIME },
    { CMD_VALIDATE_REPLICATIONS, 4, INTO(replications), .least = 2, .most = 1000 },
    { CMD_VALIDATE_ALL, 4, INTO(all) },
    { CMD_VALIDATE_CHECK, 10, INTO(check) }, { 0 }
};

#define P(m) MEMBER(0, struct load_point, m)
#define Y(m) MEMBER(1, struct latency_summary, m)
#define J(m) MEMBER(2, struct judge, m)
#define T(m) MEMBER(0, struct tally, m)
#define B(m) MEMBER(0, struct booksim_row, m)

static const struct column point_columns[] = {
    PLAIN("topology"), PLAIN("traffic"), PLAIN("routing"), PLAIN("switching"), ASIDE("loop"),
    { "part", "Of saturation", NULL, 2, P(part) }, { "load", "Load", NULL, YIELDS(4), Y(load) },
    { "packet_latency_cycles", "Model", "cycles", 2, Y(mean) },
    { "simulated_latency_cycles", "Simulated", "cycles", 2, J(latency) },
    { "simulated_latency_confidence_cycles", "+-", "cycles", YIELDS(2), J(half) },
    { "error_percent", "Error", "%", 1, LOOSE },
    { "state", NULL, NULL, 0, J(state) },
    PLAIN("validity"), ASIDE("valid"), ASIDE("quality")
};
static const struct column summary_columns[] = {
    { "switching", NULL, NULL, 0, T(switching) }, PLAIN("loop"), { "part", "Of saturation", NULL, 2, T(part) },
    { "points", NULL, NULL, 0, T(n) }, { "refused", NULL, NULL, COLUMN_ASIDE, T(refused) },
    { "steady", NULL, NULL, 0, T(steady) }, { "within_5_percent", "Within 5 %", NULL, 0, T(five) },
    { "within_10_percent", "Within 10 %", NULL, 0, T(ten) },
    { "worst_error_percent", "Worst", "%", 1, LOOSE }, { "worst_at", "At", NULL, 0, T(where) },
    { "called_valid", "Valid", NULL, 0, T(valid) },
    { "valid_beyond_10_percent", "Valid, and off", NULL, 0, T(wrong) }
};
static const struct column booksim_columns[] = {
    { "config", "Run", NULL, 0, B(name) }, { "topology", NULL, NULL, 0, B(network) },
    { "traffic", NULL, NULL, COLUMN_ASIDE, B(traffic) }, { "routing", NULL, NULL, COLUMN_ASIDE, B(routing) },
    { "packet_flits", "Packet", "flits", COLUMN_ASIDE, B(packet) },
    { "virtual_channels", NULL, NULL, COLUMN_ASIDE, WHOLE(0, struct booksim_row, router.vcs) },
    { "buffer_flits", "Buffer", "flits", COLUMN_ASIDE, B(router.buffer) }, ASIDE("crossbar"), ASIDE("interleave"),
    { "part", "Of saturation", NULL, 2, B(part) }, { "load", "Load", NULL, 4, B(rate) },
    { "booksim_network_latency_cycles", "BookSim2", "cycles", 2, B(nlat) },
    { "network_latency_cycles", "Network latency", "cycles", 2, MEMBER(1, struct booksim_run, nlat) },
    { "network_latency_confidence_cycles", "+-", "cycles", 2, MEMBER(1, struct booksim_run, half) },
    { "error_percent", "Off by", "%", 1, LOOSE },
    { "booksim_packet_latency_cycles", "BookSim2, packet", "cycles", COLUMN_ASIDE, B(plat) },
    { "packet_latency_cycles", "Packet latency", "cycles", COLUMN_ASIDE, MEMBER(1, struct booksim_run, plat) },
    PLAIN("agrees"), ASIDE("quality")
};
enum { VALIDATE_POINTS, VALIDATE_SUMMARY, VALIDATE_BOOKSIM };
static const struct frame_table validate_tables[] = {
    [VALIDATE_POINTS] = { "points", "Model beside simulation", COLUMNS(point_columns) },
    [VALIDATE_SUMMARY] = { "summary", "Model beside simulation, by switching and load", COLUMNS(summary_columns) },
    [VALIDATE_BOOKSIM] = { "booksim", "The simulator beside BookSim2", COLUMNS(booksim_columns) }, { 0 }
};

/* Without networks of one's own there are many points. */
static int validate_pick(const void *request)
{
    const struct request *q = request;

    for (int i = 0; q->common.show && validate_tables[i].show; i++)
        if (strcmp(validate_tables[i].show, q->common.show) == 0)
            return i;
    return q->common.spec.n ? VALIDATE_POINTS : VALIDATE_SUMMARY;
}

/* ---- points ------------------------------------------------------------------------------------------ */

struct scene {
    struct sweep sweep;
    struct load_request load;   /* that of the switching at hand */
};

/* What a point adds to the sums. */
struct point {
    double part, error, load;
    int refused, steady, valid, wrong;
};

static struct tally *tally_find(struct request *q, const char *switching, bool open, double part, struct err *err)
{
    const struct switching *how = switching_find(switching, err);
    size_t i = 0;

    while (how && i < q->ntally && (strcmp(q->tally[i].switching, how->name) != 0 || q->tally[i].open != open ||
                                    !(q->tally[i].part == part || (isnan(q->tally[i].part) && isnan(part)))))
        i++;
    if (how && i == q->ntally) {
        if (GROW_BY(q->ntally, 1, "the summary", err, GROWN(q->tally)) < 0)
            return NULL;
        q->tally[q->ntally++] = (struct tally){ .switching = how->name, .open = open, .part = part };
    }
    return how ? &q->tally[i] : NULL;
}

static int validate_fact(struct job *j, const char *text, struct err *err)
{
    struct request *q = j->request;
    char switching[40], topology[400], traffic[400], routing[400];
    struct point p;
    struct tally *t;
    int open;

    if (sscanf(text, "point %d %lf %lf %lf %d %d %d %d\t%39[^\t]\t%399[^\t]\t%399[^\t]\t%399[^\t]", &open, &p.part, &p.error,
               &p.load, &p.refused, &p.steady, &p.valid, &p.wrong, switching, topology, traffic, routing) != 12)
        return load_fact(j, text, err);
    t = tally_find(q, switching, open, p.part, err);
    if (!t)
        return -1;
    t->n++;
    t->refused += p.refused;
    t->steady += p.steady;
    t->five += p.steady && fabs(p.error) <= 0.05;
    t->ten += p.steady && fabs(p.error) <= JUDGE_BELIEVED;
    t->valid += p.valid;
    t->wrong += p.wrong;
    if (p.wrong && q->told++ < TOLD)
        table_note(j->t, "%s, %s, %s, %s at load %.4g: called valid, and the model is off by %.1f %%.", topology, traffic,
                   routing, t->switching, p.load, 100 * p.error);
    if (!p.steady || (t->where && fabs(p.error) <= fabs(t->worst)))
        return 0;
    free(t->where);
    t->worst = p.error;
    return asprintf(&t->where, "%s %s", topology, traffic) < 0 ? t->where = NULL, err_memory(err) : 0;
}

static int tally_point(const struct sweep *s, const struct scheme *c, const struct point *p, struct err *err)
{
    return job_fact(s->j, err, "point %d %.17g %.17g %.17g %d %d %d %d\t%s\t%s\t%s\t%s", s->model.open, p->part, p->error,
                    p->load, p->refused, p->steady, p->valid, p->wrong, s->model.collide.switching->name,
                    s->net->spec, s->traffic.spec, scheme_spec(c));
}

#define POINT_CELLS(s, c)                                                                                  \
    cell_text("topology", (s)->net->spec), cell_text("traffic", (s)->traffic.spec),                        \
        cell_text("routing", scheme_spec(c)), cell_text("switching", (s)->model.collide.switching->name),  \
        cell_text("loop", (s)->model.open ? "open" : "closed")

/* Of a routing that could not be opened, one for all its points. */
static int point_refused(struct sweep *s, const struct scheme *c, const struct load_point *point, struct err *err)
{
    const bool all = scheme_refused(c);
    const double part = all ? (double)NAN : point->part;
    const struct load load = load_at(point, c->saturation);

    if (all && point > s->point)
        return 0;
    table_note(s->j->t, "%s, %s, %s: %s.", s->net->spec, c->asked, s->model.collide.switching->name, err->msg);
    if (s->j->which == VALIDATE_POINTS)
        job_refused_row(s->j, ROW(
            POINT_CELLS(s, c), cell_real("part", part),
            cell_real("load", all ? NAN : s->simulated.flits / load_interval(&load, &s->traffic))));
    return tally_point(s, c, &(struct point){ .part = part, .refused = 1 }, err);
}

static int point_row(struct sweep *s, struct scheme *c, const struct load_point *point, struct err *err)
{
    const struct load load = load_at(point, c->saturation);
    struct point p = { .part = point->part };
    struct latency_summary y;
    struct judge judge;

    if (latency_solve(c->study, &load, err) < 0 || latency_summary(&y, c->study, &load, err) < 0 ||
        judge_run(&judge, c->run, &s->simulated, &s->traffic, &load, err) < 0)
        return -1;
    p.steady = judge.steady;
    p.valid = y.validity == VALIDITY_GOOD;
    p.wrong = p.valid && judge_wrong(y.mean, &judge);
    p.error = judge_error(y.mean, judge.latency);
    p.load = y.load;
    if (tally_point(s, c, &p, err) < 0)
        return -1;
    if (s->j->which == VALIDATE_POINTS)
        table_add(s->j->t, ROW(
            MEMBERS(point, &y, &judge), POINT_CELLS(s, c),
            cell_real("error_percent", 100 * judge_error(y.mean, judge.latency)),
            cell_text("validity", validity_name[y.validity]),
            cell_text("valid", y.validity == VALIDITY_GOOD ? "yes" : "no"), cell_text("quality", "simulation")));
    return 0;
}

/* What is said of routers is of virtual-channel, where others stand beside it. */
static int validate_settle(struct sweep *s, struct err *err)
{
    struct request *q = s->j->request;
    const struct switching *named = switching_find(q->switching.item[s->setting], err);
    struct load_request *load = &((struct scene *)s)->load;

    if (!named)
        return -1;
    *load = q->load;
    load->switching = named;
    if (named != &switching_virtual_channel && q->switching.n != 1) {
        load->router = (struct load_request)LOAD_USUAL.router;
        load->router.time = q->load.router.time;
    }
    if (named->hold && q->load.loop < 0)
        load->loop = 0;
    s->load = load;
    if (sweep_options(s, err) < 0)
        return -1;
    s->simulated = judge_options(&s->model);
    s->simulated.seed = q->common.seed;
    s->simulated.cycles = q->cycles;
    s->simulated.replications = q->replications;
    s->part = usual_part;
    s->nparts = sizeof usual_part / sizeof *usual_part;
    s->by_scheme = true;
    return s->j->which == VALIDATE_POINTS ? load_say(s->j, &s->model, err) : 0;
}

static const struct sweep_way validate_sweep = {
    .models = true, .settle = validate_settle, .row = point_row, .refused = point_refused
};

static int validate_traffic(struct job *j, const char *text, const struct tick *whole, struct err *err)
{
    struct request *q = j->request;
    struct scene s = { .sweep = { .j = j, .way = &validate_sweep, .load = &q->load, .settings = q->switching.n } };

    return sweep_run(&s.sweep, text, whole, 0.05, err);
}

static int validate_network(struct job *j, struct err *err)
{
    return load_each_traffic(j, &((const struct request *)j->request)->load, validate_traffic, err);
}

/* ---- their sums --------------------------------------------------------------------------------------- */

static void validate_sums(struct job *j, const struct request *q)
{
    int n = 0, steady = 0, valid = 0, wrong = 0;

    for (size_t i = 0; i < q->ntally; i++) {
        const struct tally *t = &q->tally[i];

        n += t->n;
        steady += t->steady;
        valid += t->valid;
        wrong += t->wrong;
        if (j->which == VALIDATE_SUMMARY)
            table_add(j->t, ROW(
                MEMBERS(t), cell_text("loop", t->open ? "open" : "closed"),
                cell_real("worst_error_percent", t->where ? 100 * t->worst : NAN)));
    }
    table_note(j->t, "%d of %d point%s %s steady%s. Of %d valid rows %d %s certainly off by more than 10 %%.", steady, n,
               n == 1 ? "" : "s", steady == 1 ? "is" : "are", steady < n ? "; ignore the errors of the others" : "", valid,
               wrong, wrong == 1 ? "is" : "are");
    table_note(j->t, "%d replications, seed %llu; +- is half of the interval in which the mean lies with 95 %%.",
               q->replications, (unsigned long long)q->common.seed);
    if (q->check && wrong)
        j->status = 3;
}

static int validate_finish(struct job *j, struct err *)
{
    if (j->which != VALIDATE_BOOKSIM)
        validate_sums(j, j->request);
    return 0;
}

/* ---- BookSim2 ---------------------------------------------------------------------------------------- */

static const char *booksim_agrees(const struct booksim_row *row, const struct booksim_run *run)
{
    const double may = row->part <= 0.7 ? 0.03 : row->part <= 0.8 ? 0.05 : (double)NAN;

    return isnan(may) ? NULL : fabs(run->nlat / row->nlat - 1) <= may ? "yes" : "no";
}

static int booksim_one(struct job *j, const struct booksim_row *row, const struct tick *tick, struct err *err)
{
    const struct request *q = j->request;
    struct simulate_options o = simulate_usual;
    struct booksim_run run;
    const char *agrees;

    o.cycles = isnan(q->cycles) ? 4e4 : q->cycles;
    o.warmup = fmin(5000, o.cycles / 4);
    o.replications = q->replications;
    o.seed = q->common.seed;
    o.jobs = q->common.jobs;
    o.tick = tick;
    if (booksim_run(&run, row, row->rate, &o, err) < 0)
        return -1;
    agrees = booksim_agrees(row, &run);
    if (q->check && agrees && strcmp(agrees, "no") == 0)
        j->status = 3;
    table_add(j->t, ROW(
        MEMBERS(row, &run), cell_text("crossbar", row->router.speedup ? "speedup" : "none"),
        cell_text("interleave", row->router.packets ? "packets" : "flits"),
        cell_real("error_percent", 100 * judge_error(run.nlat, row->nlat)), cell_text("agrees", agrees),
        cell_text("quality", run.steady ? "simulation" : "no steady state")));
    return 0;
}

/* Those of its runs that have no counterpart here are left out. */
static int booksim_read(struct job *j, struct err *err)
{
    struct request *q = j->request;
    size_t n = 0;
    char path[4096];

    if (published_path(path, "booksim.csv", err) < 0 || csv_read(&q->csv, path, err) < 0 ||
        booksim_rows(&q->booksim, &q->csv, path, err) < 0)
        return -1;
    for (size_t i = 0; i < q->csv.nrow; i++)
        if (q->booksim[i].plain)
            q->booksim[n++] = q->booksim[i];
    j->walk.turns[0] = n;
    return 0;
}

static int validate_booksim(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const size_t n = j->walk.turns[0];
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct tick part = tick_step(&j->tick, i, n);

        if (job_turn(j, 0, i))
            ret = booksim_one(j, &q->booksim[i], &part, err);
    }
    job_at(j, 0, 1 + n);
    table_note(j->t, "Runs of BookSim2, one seed each, which differ from other seeds by 1 to 2 %%; here islip:1, "
               "Bernoulli sources, router time 2, credit loop 5, %d replications from seed %llu.",
               q->replications, (unsigned long long)j->o->seed);
    return ret;
}

/* ---- the command ------------------------------------------------------------------------------------- */

static int usual(struct strings *s, const char *const *name, size_t n, struct err *err)
{
    int ret = 0;

    for (size_t i = 0; ret == 0 && s->n < n && i < n; i++)
        ret = strings_add(s, name[i], err);
    return ret;
}

static int validate_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const bool alone = j->o->spec.n == 0, all = q->all || alone;

    if (j->which == VALIDATE_BOOKSIM)
        return alone ? booksim_read(j, err) : err_set(err, ERR_USAGE, "--show booksim has networks of its own: leave out %.200s",
                                   j->o->spec.item[0]);
    for (size_t i = 0; i < q->switching.n; i++) {
        const struct switching *s = switching_find(q->switching.item[i], err);

        if (!s)
            return -1;
        if (s->sets_up)
            return err_set(err, ERR_USAGE, "circuits are not simulated: leave out --switching circuit");
    }
    for (size_t i = 0; i < q->load.routing.n; i++)
        if (policy_is(q->load.routing.item[i]))
            return err_set(err, ERR_USAGE, "'%.80s' is a policy: `metapath latency --validate` takes them",
                           q->load.routing.item[i]);
    if ((alone && usual(&j->o->spec, usual_network, NETWORKS, err) < 0) ||
        (!q->load.traffic.n && usual(&q->load.traffic, usual_traffic, all ? TRAFFICS : 1, err) < 0) ||
        (!q->switching.n && usual(&q->switching, usual_switching, all ? SWITCHINGS : 1, err) < 0))
        return -1;
    j->sweep = true;
    sweep_divide(j, &q->load, q->switching.n);
    return 0;
}

static int validate_drawn(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const y[] = { "error_percent" }, *const half[] = { NULL },
        *const by[] = { "switching" }, *const config[] = { "config" };
    const struct natural points = { .kind = "scatter", .x = "part", .y = y, .ny = 1,
                                    .group = which == VALIDATE_POINTS ? by : config, .ngroup = 1, .half = half };

    if (which == VALIDATE_SUMMARY)
        return err_set(err, ERR_USAGE, "the summary has no figure: draw --show points");
    return options_figure(f, t, &points, err);
}

static void validate_release(void *request)
{
    struct request *q = request;

    for (size_t i = 0; i < q->ntally; i++)
        free(q->tally[i].where);
    csv_release(&q->csv);
    FREE(q->tally, q->booksim);
}

static const struct frame validate_frame = {
    CMD_VALIDATE_FRAME, .option = validate_options,
    .shared = (const struct option_part[]){ { load_options_any, offsetof(struct request, load) },
        { load_options_model, offsetof(struct request, load) }, { load_options_loop, offsetof(struct request, load) },
        { load_options_closure, offsetof(struct request, load) }, { units_options, 0 }, { units_cable_options, 0 },
        LOAD_ROUTER_OPTIONS(struct request), { 0 } },
    FRAME_REQUEST(struct request, .load = LOAD_USUAL, .replications = 3, .cycles = NAN), .table = validate_tables,
    .plots = true, .pick = validate_pick, .check = validate_check, .network = validate_network,
    .compute = validate_booksim, .fact = validate_fact, .finish = validate_finish, .figure = validate_drawn, .release = validate_release
};

const struct cmd cmd_validate = { CMD_VALIDATE_ENTRY, .frame = &validate_frame };
