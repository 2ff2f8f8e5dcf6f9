/* 1. options    what is asked, in seconds and bytes
 * 2. cases      a primitive from every origin and in every run: executed, or by its closed form
 * 3. rows       each primitive for each size; or the crossover of circuits by distance; or messages of many sources
 * 4. notes      and the figure */
#include "cli/command/cmd.h"
#include "cli/primitive/primitive.h"
#include "cli/primitive/primitive_show.h"
#include "cli/request/collective_request.h"
#include "cli/request/look.h"
#include "graph/base/jobs.h"
#include "model/protocol/primitive.h"
#include "texts/cmd.h"

/* ---- options ---- */

/* A list that begins with the name of a primitive is one of primitives; the rest are networks. */
static int primitive_take_argument(void *about, const char *arg, struct err *err)
{
    struct request *q = about;
    char first[64];

    snprintf(first, sizeof first, "%.*s", (int)strcspn(arg, ","), arg);
    return primitive_named(first) ? strings_add_list(&q->name, arg, err) : options_take_network(&q->common, arg, err);
}

static const struct option_field primitive_options[] = {
    { .help = "Primitive:", .group = 0 },
    { .take = primitive_take_argument },
    { CMD_PRIMITIVE_ORIGIN, 0, INTO(origin) },
    { CMD_PRIMITIVE_TO, 0, INTO(target) },
    { CMD_PRIMITIVE_TREE, 0, INTO(tree) },
    { CMD_PRIMITIVE_BYTES, 0, INTO(bytes) },
    { CMD_PRIMITIVE_REPEAT, 0, INTO(repeat), .least = 1, .most = 1 << 20 },
    { CMD_PRIMITIVE_EVERY, 0, INTO(every) },
    { "text", 0, "mended|counted|published", "published: as printed, with its mistakes; counted: with counters in "
      "place of numbers (default: mended)", 0, INTO(text),
      .words = "mended|counted|published" },
    { CMD_PRIMITIVE_BACK, 0, INTO(no_back), .words = "yes|no" },
    { .help = "Time:", .group = 1 },
    { CMD_PRIMITIVE_DECIDE, 1, INTO(decide) },
    { CMD_PRIMITIVE_CABLE_TIME, 1,
      INTO(cable_time) },
    { CMD_PRIMITIVE_LINE_RATE, 1, INTO(line_rate) },
    { CMD_PRIMITIVE_CONTROL, 1, INTO(control), .from = 0,
      .to = 1 << 20 },
    { CMD_PRIMITIVE_FLIT, 1, INTO(flit), .from = 1, .to = 1 << 20 },
    { CMD_PRIMITIVE_REQUEST, 1, INTO(ask), .from = 1, .to = 1 << 20 },
    { CMD_PRIMITIVE_DELAYS, 1, INTO(delays), .words = "latencies|unit|random" },
    { CMD_PRIMITIVE_RUNS, 1,
      INTO(runs), .least = 1, .most = 100000 }, { 0 }
};

/* ---- tables ---- */

static const struct column primitive_columns[] = {
    PLAIN("topology"), ASIDE("origin"), ASIDE("target"), PLAIN("primitive"),
    { "hops", NULL, NULL, COLUMN_ASIDE, LOOSE },
    { "bytes", NULL, "B", YIELDS(0), LOOSE }, { "repeat", NULL, NULL, IF_FILLED(0), LOOSE },
    { "messages", NULL, NULL, 0, LOOSE }, { "control", NULL, NULL, 0, LOOSE },
    { "time_us", "Time", "us", IF_FILLED(DIGITS(4)), LOOSE },
    { "known_us", "Known", "us", IF_FILLED(DIGITS(4)), LOOSE },
    { "worst_us", "Worst", "us", IF_FILLED(DIGITS(4)), LOOSE },
    { "time_channels", "Time", "channels", IF_FILLED(-1), LOOSE },
    { "known_channels", "Known", "channels", IF_FILLED(-1), LOOSE },
    { "worst_channels", "Worst", "channels", IF_FILLED(-1), LOOSE },
    { "worst_origin", NULL, NULL, IF_FILLED(0), LOOSE }, { "most_by_one", "Most by one", NULL, IF_FILLED(0), LOOSE },
    { "over_least", "Over least", "times", IF_FILLED(2), LOOSE },
    { "lost", NULL, NULL, IF_FILLED(0), LOOSE }, { "twice", NULL, NULL, IF_FILLED(0), LOOSE },
    { "early", "Told early", NULL, IF_FILLED(0), LOOSE }
};
static const struct column crossover_columns[] = {
    PLAIN("topology"), ASIDE("origin"), PLAIN("hops"), { "repeat", NULL, NULL, YIELDS(0), LOOSE },
    { "nodes", NULL, NULL, 0, LOOSE },
    { "stored_us", "Stored, 0 B", "us", DIGITS(4), LOOSE }, { "circuit_us", "Circuit, 0 B", "us", DIGITS(4), LOOSE },
    { "crossover_bytes", "Crossover", "B", 0, LOOSE }
};
enum { PRIMITIVE_ROWS, PRIMITIVE_CROSSOVER, PRIMITIVE_MESSAGES, PRIMITIVE_TABLES, PRIMITIVE_TRAFFIC };
static const struct frame_table primitive_tables[] = {
    [PRIMITIVE_ROWS] = { NULL, "Primitives of a communication processor", COLUMNS(primitive_columns) },
    [PRIMITIVE_CROSSOVER] = { "crossover", "Where circuits overtake stored messages", COLUMNS(crossover_columns) },
    [PRIMITIVE_MESSAGES] = { "messages", "Messages, as they are handled", COLUMNS(primitive_message_columns),
                             .words = "from_node,to_node" },
    [PRIMITIVE_TABLES] = { "tables", "What a communication processor keeps", COLUMNS(primitive_table_columns) },
    [PRIMITIVE_TRAFFIC] = { NULL, "Messages of many sources", COLUMNS(primitive_traffic_columns) },
    { 0 }
};

static int primitive_pick(const void *request)
{
    const struct request *q = request;

    for (int i = PRIMITIVE_CROSSOVER; q->common.show && i < PRIMITIVE_TRAFFIC; i++)
        if (strcmp(q->common.show, primitive_tables[i].show) == 0)
            return i;
    return q->many.traffic.n ? PRIMITIVE_TRAFFIC : PRIMITIVE_ROWS;
}

static int primitive_read(struct job *j, struct err *err)
{
    struct request *q = j->request;

    const struct {
        const char *key, *value;
    } told[] = { { "bytes", q->bytes }, { "decide", q->decide }, { "cable_time", q->cable_time },
                 { "line_rate", q->line_rate }, { "every", q->every } };

    for (size_t i = 0; i < q->name.n; i++)
        if (!primitive_find(q->name.item[i], err))
            return -1;
    if (primitive_traffic_read(&q->many, err) < 0)
        return -1;
    if (q->many.traffic.n && (q->name.n || q->origin || q->target || q->tree || q->repeat > 1 || q->common.show ||
                              q->delays != DELAYS_LATENCIES))
        return err_set(err, ERR_USAGE, "--traffic has messages of all sources by --mode, over the network's channels: "
                       "primitives, --origin, --to, --tree, --repeat, --show and --delays do not go with it");
    if (q->runs > 1 && q->delays != DELAYS_RANDOM)
        return err_set(err, ERR_USAGE, "--runs are of --delays random: without it all are alike");
    if (q->common.show && ((q->origin && strcmp(q->origin, "all") == 0) || q->runs > 1))
        return err_set(err, ERR_USAGE, "--show %s is of one origin, and of one run", q->common.show);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i].value)
            table_request(j->t, told[i].key, told[i].value);
    return collective_sizes(&q->size, &q->nsize, q->bytes ? q->bytes : "8,1K,64K,1M", "--bytes", err) < 0 ||
        collective_measure(&q->r, q->decide, "1us", QUANTITY_TIME, "--decide", err) < 0 ||
        collective_measure(&q->cable, q->cable_time, "100ns", QUANTITY_TIME, "--cable-time", err) < 0 ||
        collective_measure(&q->rate, q->line_rate, "200Gb/s", QUANTITY_RATE, "--line-rate", err) < 0 ||
        collective_measure(&q->apart, q->every, "0s", QUANTITY_TIME, "--every", err) < 0 ? -1 : 0;
}

/* ---- cases ---- */

/* What no primitive can beat: decisions and channels of the shortest way to the last node that is to have the message,
 * its bytes once. */
static double least_time(const struct primitive *p, const struct place *at, int origin, const struct primitive_how *how)
{
    const struct primitive_facts *f = &at->facts[origin];
    const double far[] = { [EXPECT_ALL] = f->eccentricity, [EXPECT_TARGET] = f->distance,
                           [EXPECT_NEIGHBOURS] = 1, [EXPECT_ORIGIN] = f->eccentricity };
    const double d = far[p->expects];

    return d > 0 ? (d + 1) * how->service.decide + d * at->least + how->message / at->wide : 0;
}

struct cases {                          /* by origin and run */
    struct place *at;
    const struct primitive *p;
    struct primitive_how how;
    int runs;
    bool closed;                        /* by the closed form: a message from each of several, channels that take 1 */
    struct primitive_outcome *of;
};

static int case_run(void *arg, int, size_t part, const struct tick *tick, struct err *err)
{
    struct cases *c = arg;
    const int at = (int)(part / (size_t)c->runs);
    struct primitive_scene own = { 0 }, *s = at ? &own : &c->at->s;
    struct primitive_how how = c->how;
    struct primitive_closed closed = { .time = NAN, .known = NAN };
    int ret;

    if (c->closed) {
        c->p->closed(&closed, &c->at->facts[at]);
        c->of[part] = (struct primitive_outcome){ .messages = closed.messages, .control = closed.control,
                                                  .time = closed.time, .known = closed.known, .most = NAN };
        return 0;
    }
    how.tick = tick;
    how.seed += how.seed ? 2 * (part % (size_t)c->runs) : 0;
    ret = (at ? place_scene(s, c->at, at, err) : 0) < 0 ? -1 : primitive_execute(&c->of[part], c->p, s, &how, err);
    primitive_scene_release(&own);
    return ret;
}

/* Means, of what goes wrong sums; and the case that takes longest. */
static size_t cases_mean(struct primitive_outcome *mean, const struct cases *c, size_t n)
{
    size_t worst = 0;

    *mean = (struct primitive_outcome){ .most = c->of[0].most };
    for (size_t i = 0; i < n; i++) {
        const struct primitive_outcome *o = &c->of[i];

        mean->messages += o->messages;
        mean->control += o->control;
        mean->time += o->time;
        mean->known += o->known;
        mean->most = fmax(mean->most, o->most);
        mean->lost += o->lost;
        mean->twice += o->twice;
        mean->early += o->early;
        mean->endless = mean->endless || o->endless;
        worst = o->time > c->of[worst].time ? i : worst;
    }
    mean->messages /= (double)n;
    mean->control /= (double)n;
    mean->time /= (double)n;
    mean->known /= (double)n;
    return worst;
}

/* ---- rows ---- */

static void primitive_rank(struct place *at, const struct primitive *p, const struct primitive_outcome *o)
{
    const double messages = o->messages + o->control;

    if (p->expects != EXPECT_ALL || o->lost > 0)
        return;
    if (!at->reach || messages < at->messages) {
        at->fewest = p;
        at->messages = messages;
    }
    if (!at->reach || o->time < at->time * (1 - 1e-9) ||
        (o->time <= at->time * (1 + 1e-9) && messages < at->soonest_messages)) {
        at->soonest = p;
        at->soonest_messages = messages;
        at->time = o->time;
    }
    at->reach++;
}

static void primitive_add(struct cases *c, size_t n, int64_t bytes)
{
    const struct place *at = c->at;
    struct job *j = at->j;
    const struct request *q = j->request;
    const bool counted = q->delays != DELAYS_LATENCIES, watched = q->repeat > 1 || q->text != TEXT_MENDED;
    struct named_cell (*const mean)(const char *, double) = n > 1 ? cell_real : cell_count;
    const bool target = c->p->expects == EXPECT_TARGET && at->norigin == 1;
    struct primitive_outcome o;
    const size_t worst = cases_mean(&o, c, n);
    char origin[NET_LABEL], last[NET_LABEL], far[NET_LABEL];
    double least = 0;

    if (bytes == q->size[0])
        primitive_rank(c->at, c->p, &o);
    for (int i = 0; i < at->norigin; i++)
        least += least_time(c->p, at, i, &c->how) / at->norigin;
    if (o.endless)
        table_note(j->t, "%.150s, %s: messages that pass for others went on without end; the run was cut off.",
                   j->net->spec, c->p->name);
    if (q->text == TEXT_PUBLISHED && q->repeat > 1 && c->p->pends)
        table_note(j->t, "%s as printed is for one instruction at a time: its counter (floodsfb) cannot tell two "
                   "of them apart.",
                   c->p->name);
    table_add(j->t, ROW(
        cell_text("topology", j->net->spec),
        cell_text("origin", at->norigin > 1 ? "all" : net_label(j->net, at->s.origin, origin)),
        cell_text("target", target ? net_label(j->net, at->s.target, last) : NULL),
        cell_text("primitive", c->p->name), cell_count("hops", target ? at->facts->distance : NAN),
        counted ? cell_none("bytes") : cell_int("bytes", bytes),
        watched ? cell_int("repeat", q->repeat) : cell_none("repeat"),
        mean("messages", o.messages), mean("control", o.control),
        cell_real("time_us", counted ? NAN : 1e6 * o.time), cell_real("known_us", counted ? NAN : 1e6 * o.known),
        cell_real("worst_us", counted || n == 1 ? NAN : 1e6 * c->of[worst].time),
        cell_real("time_channels", counted ? o.time : NAN), cell_real("known_channels", counted ? o.known : NAN),
        cell_real("worst_channels", counted && n > 1 ? c->of[worst].time : NAN),
        cell_text("worst_origin", at->norigin == 1 ? NULL :
                  net_label(j->net, at->origin[worst / (size_t)c->runs], far)),
        cell_count("most_by_one", o.most),
        cell_real("over_least", !counted && q->repeat == 1 && least > 0 ? o.time / least : NAN),
        cell_count("lost", watched ? o.lost : NAN), cell_count("twice", watched ? o.twice : NAN),
        cell_count("early", watched ? o.early : NAN)));
}

static int primitive_row(struct place *at, const struct primitive *p, int64_t bytes, struct err *err)
{
    struct job *j = at->j;
    const struct request *q = j->request;
    struct primitive_told told = { j, p->name, q->delays == DELAYS_LATENCIES ? bytes : -1 };
    const struct protocol_watch watch = { primitive_told, &told };
    struct cases c = { .at = at, .p = p, .how = place_how(at, j, (double)bytes), .runs = q->runs };
    const size_t n = (size_t)at->norigin * (size_t)q->runs;
    int ret = TAKE("the origins", err, ARRAY(c.of, n));

    c.closed = at->norigin > 1 && q->delays == DELAYS_UNIT && q->repeat == 1 && q->text == TEXT_MENDED;
    if (j->which == PRIMITIVE_MESSAGES)
        c.how.watch = &watch;
    if (ret == 0)
        ret = jobs_run(n, n > 1 ? place_threads(at) : 1, case_run, &c, &j->tick, err);
    if (ret == 0 && j->which == PRIMITIVE_ROWS)
        primitive_add(&c, n, bytes);
    free(c.of);
    return ret;
}

static int crossover_rows(struct job *j, const struct place *at, struct err *err)
{
    const struct request *q = j->request;
    const struct primitive_how how = place_how(at, j, 0);
    struct primitive_how flits = how;
    char origin[NET_LABEL];

    flits.flit = q->flit / at->rate;
    for (int d = 1; d <= (int)at->facts->eccentricity; d++) {
        int nodes = 0;

        for (int v = 0; v < at->w.n; v++)
            nodes += at->s.hops[v] == d;
        if (job_row(j, ROW(
            cell_text("topology", j->net->spec), cell_text("origin", net_label(j->net, at->s.origin, origin)),
            cell_int("hops", d), cell_int("repeat", q->repeat), cell_int("nodes", nodes),
            cell_real("stored_us", 1e6 * primitive_stored_time(&how, d, q->cable)),
            cell_real("circuit_us", 1e6 * primitive_circuit_time(&flits, d, q->cable)),
            cell_count("crossover_bytes", round(at->rate * primitive_crossover(&flits, d, q->cable)))), err) < 0)
            return -1;
    }
    if (!cables_alike(&j->net->cables))
        table_note(j->t, "%.150s: links are unlike; the crossovers are those of its unit link.", j->net->spec);
    return 0;
}

/* What the times are made of, and from where on a circuit to the target is worth its request. */
static void primitive_notes(struct job *j, const struct place *at)
{
    const struct request *q = j->request;
    struct primitive_how how = place_how(at, j, q->flit);
    const double level = at->rate * primitive_crossover(&how, at->facts->distance, q->cable);
    char decide[40], cable[40], rate[40], label[NET_LABEL];

    if (j->which == PRIMITIVE_ROWS && at->reach > 1)
        table_note(j->t, "%.150s: of what reaches all nodes %s sends the fewest messages (%.0f)%s%s.", j->net->spec,
                   at->fewest->name, at->messages, at->soonest == at->fewest ? ", and none is done sooner" :
                   "; done first is ", at->soonest == at->fewest ? "" : at->soonest->name);
    if (q->delays != DELAYS_LATENCIES)
        return;
    if (j->which == PRIMITIVE_ROWS && at->norigin == 1 && !isnan(level) && cables_alike(&j->net->cables))
        table_note(j->t, "%.150s: a circuit to node %s, %.0f channels away, is faster than stored messages beyond %.0f "
                   "bytes.", j->net->spec, net_label(j->net, at->s.target, label), at->facts->distance, level);
    table_note(j->t, "Links of %s, %s a channel, decisions of %s; not fitted to any machine.",
               quantity_text(rate, 8 * at->rate, QUANTITY_RATE), quantity_text(cable, q->cable, QUANTITY_TIME),
               quantity_text(decide, q->r, QUANTITY_TIME));
}

static int many_rows(struct job *j, const struct place *at, int64_t bytes, struct err *err)
{
    const struct request *q = j->request;
    const struct primitive_how how = place_how(at, j, (double)bytes);
    const double chain = q->many.each > 0 ? ceil((double)bytes / q->many.each) : 1;
    const struct processors_plan plan = {
        .w = &at->w, .decide = how.service.decide, .length = how.message, .ack = how.service.ack,
        .confirm = how.confirm, .request = how.request, .flit = how.flit, .tick = how.tick,
        .chain = (int)fmin(fmax(chain, 1), INT_MAX),
        .printed = how.text == TEXT_PUBLISHED ? PRINTED_ACK | PRINTED_ASK : 0
    };

    return primitive_traffic_rows(j, &q->many, &plan, bytes, 1 / at->rate, how.every, err);
}

static int primitive_network(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    const size_t all = kind_count(&kind_primitive), n = q->name.n ? q->name.n : all;
    const size_t rows = j->which == PRIMITIVE_TRAFFIC ? q->nsize : j->which == PRIMITIVE_ROWS ||
        j->which == PRIMITIVE_MESSAGES ? n * (q->delays == DELAYS_LATENCIES ? q->nsize : 1) : 0;
    struct place at = { 0 };
    int ret = place_open(&at, j, err);

    if (ret == 0 && j->which == PRIMITIVE_CROSSOVER)
        ret = crossover_rows(j, &at, err);
    if (ret == 0 && j->which == PRIMITIVE_TABLES)
        ret = primitive_table_rows(j, &at.s, q->repeat, err);
    for (size_t i = 0; ret == 0 && i < rows; i++) {
        const struct primitive *p = q->name.n ? primitive_find(q->name.item[i % n], err) : primitive_all[i % n];

        ret = j->which == PRIMITIVE_TRAFFIC ? many_rows(j, &at, q->size[i], err) :
            primitive_row(&at, p, q->size[i / n], err);
    }
    if (ret == 0 && rows)
        primitive_notes(j, &at);
    place_release(&at);
    return ret;
}

/* ---- figure ---- */

static int primitive_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const time[] = { "time_us" }, *const channels[] = { "time_channels" },
        *const bytes[] = { "crossover_bytes" }, *const group[] = { "primitive" }, *const panel[] = { "topology" },
        *const crossing[] = { "send", "circuit" };
    const bool sizes = which != PRIMITIVE_CROSSOVER && look_varies(t, "bytes");
    const bool counted = which != PRIMITIVE_CROSSOVER && isnan(look_real(t, 0, "time_us"));
    struct natural figure = { .kind = sizes ? "line" : "bar", .x = sizes ? "bytes" : "primitive",
                              .y = counted ? channels : time, .ny = 1, .group = group, .ngroup = sizes,
                              .x_scale = sizes ? SCALE_LOG : SCALE_AUTO, .y_scale = sizes ? SCALE_LOG : SCALE_AUTO,
                              .facet = panel, .nfacet = look_varies(t, "topology") };

    if (which == PRIMITIVE_TRAFFIC)
        return primitive_traffic_figure(f, t, err);
    if (which == PRIMITIVE_MESSAGES)
        return primitive_messages_figure(f, t, err);
    if (which == PRIMITIVE_CROSSOVER)
        figure = (struct natural){ .kind = "line", .x = "hops", .y = bytes, .ny = 1, .group = panel,
                                   .ngroup = look_varies(t, "topology"), .y_scale = SCALE_LINEAR };
    return options_figure(f, t, &figure, err) < 0 ? -1 : sizes && !counted ?
        primitive_mark_crossing(&f->chart, t, "primitive", crossing, "time_us", err) : 0;
}

static void primitive_request_release(void *request)
{
    struct request *q = request;

    strings_free(&q->name);
    FREE(q->size, q->many.buffer);
}

static const struct frame primitive_frame = {
    CMD_PRIMITIVE_FRAME, .option = primitive_options,
    .shared = (const struct option_part[]){ { primitive_traffic_options, offsetof(struct request, many) }, { 0 } },
    FRAME_REQUEST(struct request, .control = 8, .flit = 32, .ask = 32, .repeat = 1,
                  .runs = 1, .many.messages = 1),
    .table = primitive_tables, .plots = true, .pick = primitive_pick, .check = primitive_read,
    .network = primitive_network, .figure = primitive_figure,
    .release = primitive_request_release
};

const struct cmd cmd_primitive = { CMD_PRIMITIVE_ENTRY, .frame = &primitive_frame };
