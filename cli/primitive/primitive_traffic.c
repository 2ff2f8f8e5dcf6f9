#include "cli/primitive/primitive_traffic.h"
#include "cli/request/collective_request.h"
#include "cli/request/load.h"
#include "cli/request/look.h"

static const char *const mode_name[] = { [LADING_STORED] = "stored", [LADING_CIRCUIT] = "circuit",
                                         [LADING_MIXED] = "mixed" };
enum { MODE_BOTH = sizeof mode_name / sizeof *mode_name };

static int take_each(void *about, const char *arg, struct err *err)
{
    int64_t *size = NULL;
    size_t n = 0;
    int ret = collective_sizes(&size, &n, arg, "--buffer-bytes", err);

    if (ret == 0 && (n != 1 || *size < 1 || *size > INT_MAX))
        ret = err_set(err, ERR_USAGE, "--buffer-bytes is '%.40s'; it must be one size, of 1 to %d bytes", arg, INT_MAX);
    if (ret == 0)
        ((struct primitive_traffic *)about)->each = (double)*size;
    free(size);
    return ret;
}

const struct option_field primitive_traffic_options[] = {
    { .help = "Messages of many sources:", .group = 2 },
    { "routing", 0, "ROUTING", "of these, of send and of circuit, with a single path (default: minimal; `metapath list "
      "routing`)", 2, INTO_OF(struct primitive_traffic, routing) },
    { "traffic", 0, "LIST", "every source sends messages, to whom this says (`metapath list traffic`), by send or by "
      "circuits of their own", 2, INTO_OF(struct primitive_traffic, traffic) },
    { "messages", 0, "K", "of each source (default: 1)", 2, INTO_OF(struct primitive_traffic, messages), .least = 1,
      .most = 1 << 20 },
    { "mode", 0, "stored|circuit|mixed|both", "mixed: every other message by a circuit; both: a row of stored, one of "
      "circuits (default: stored)", 2, INTO_OF(struct primitive_traffic, mode), .words = "stored|circuit|mixed|both" },
    { "node-buffers", 0, "LIST", "of a node, half of them for its host's messages; 0: any number (default: 0)", 2,
      INTO_OF(struct primitive_traffic, buffers) },
    { "buffer-bytes", 0, "BYTES", "of a buffer, with K, M or G; a message takes several (default: as large as the "
      "message)", 2, .take = take_each },
    { "buffer-classes", 0, "LIST", "buffers by classes instead, which a channel passes over where they are refused: "
      "inversions, remaining, hops, ... (default: none)", 2, INTO_OF(struct primitive_traffic, classes) }, { 0 }
};

const struct column primitive_traffic_columns[19] = {
    PLAIN("topology"), PLAIN("traffic"), ASIDE("routing"), PLAIN("classes"), PLAIN("mode"),
    { "bytes", NULL, "B", YIELDS(0), LOOSE }, { "buffers", NULL, NULL, 0, LOOSE },
    { "messages", NULL, NULL, COLUMN_ASIDE, LOOSE },
    { "makespan_us", "Makespan", "us", DIGITS(4), LOOSE }, { "mean_us", "Mean", "us", DIGITS(4), LOOSE },
    { "late95_us", "95 %", "us", DIGITS(4), LOOSE }, { "greatest_us", "Greatest", "us", COLUMN_ASIDE, LOOSE },
    { "refused", NULL, NULL, 0, LOOSE }, { "refused_hosts", "Refused hosts", NULL, COLUMN_ASIDE, LOOSE },
    { "again_bytes", "Sent again", "B", COLUMN_ASIDE, LOOSE },
    { "wait_us", "Longest wait", "us", COLUMN_ASIDE, LOOSE }, { "fairness", NULL, NULL, 3, LOOSE },
    { "came", "Came", NULL, COLUMN_ASIDE, LOOSE }, { "state", NULL, NULL, IF_FILLED(0), LOOSE }
};

int primitive_traffic_read(struct primitive_traffic *q, struct err *err)
{
    if (q->classes.n && q->mode != LADING_STORED)
        return err_set(err, ERR_USAGE, "--buffer-classes are of processors without circuits (CVP II): leave --mode");
    if (!q->traffic.n && (q->classes.n || q->buffers || q->each > 0 || q->mode || q->messages > 1))
        return err_set(err, ERR_USAGE, "--messages, --mode, --node-buffers, --buffer-bytes and --buffer-classes are of "
                       "many sources: say --traffic, as in --traffic uniform");
    return collective_sizes(&q->buffer, &q->nbuffer, q->buffers ? q->buffers : "0", "--node-buffers", err);
}

/* How it ended, where not all came: what waits for what. */
static int say_end(struct job *j, const struct processors_plan *p, const struct processors_outcome *o, struct err *err)
{
    char *text = NULL, label[2][NET_LABEL];
    int ret = spec_append(&text, err, "%s", "");

    for (size_t i = 0; ret == 0 && i < o->ncircle; i++) {
        const struct processors_wait *c = &o->circle[i];

        if (c->half >= 0)
            ret = spec_append(&text, err, "%s channel %s>%s", i ? "," : ":",
                              net_label(j->net, p->w->from[c->half], label[0]),
                              net_label(j->net, p->w->to[c->half], label[1]));
        else
            ret = spec_append(&text, err, "%s node %s", i ? "," : ":", net_label(j->net, c->node, label[0]));
        if (ret == 0 && c->half < 0 && (p->classes || c->part == 0))
            ret = spec_append(&text, err, p->classes ? " class %d" : " (its host's)", c->part);
    }
    if (ret == 0)
        table_note(j->t, "%.150s: after %.4g us, when %.0f messages have come, %s%s.", j->net->spec, 1e6 * o->when,
               o->came, !o->deadlock ? "nothing moves, though nothing waits in a circle" : "messages block each "
               "other for good; each of these is full, or held, by what waits for the next, in a circle", text);
    j->status = 1;
    free(text);
    return ret;
}

static int traffic_row(struct job *j, struct processors_plan p, const struct traffic *t, const struct lading_how *how,
                       int64_t bytes, double byte, struct err *err)
{
    struct processors_outcome o = { 0 };
    int ret = -1;

    if (lading_open(&p, t, how, err) < 0)
        return -1;
    if (processors_run(&o, &p, err) == 0 && (o.came == (double)p.n || say_end(j, &p, &o, err) == 0))
        ret = job_row(j, ROW(
            cell_text("topology", j->net->spec), cell_text("traffic", t->spec),
            cell_text("routing", how->routing->spec), cell_text("classes", how->classes ? how->classes : "none"),
            cell_text("mode", mode_name[how->mode]),
            cell_int("bytes", bytes), how->buffers ? cell_int("buffers", how->buffers) : cell_none("buffers"),
            cell_int("messages", (int64_t)p.n), cell_real("makespan_us", 1e6 * o.makespan),
            cell_real("mean_us", 1e6 * o.mean), cell_real("late95_us", 1e6 * o.late95),
            cell_real("greatest_us", 1e6 * o.latest), cell_count("refused", o.refused),
            cell_count("refused_hosts", o.refused_hosts), cell_count("again_bytes", round(o.again / byte)),
            cell_real("wait_us", 1e6 * o.wait), cell_real("fairness", o.fairness), cell_count("came", o.came),
            cell_text("state", o.deadlock ? "deadlock" : o.came < (double)p.n ? "stuck" : NULL)), err);
    processors_release(&o);
    lading_release(&p);
    return ret;
}

int primitive_traffic_rows(struct job *j, const struct primitive_traffic *q, const struct processors_plan *plan,
                           int64_t bytes, double byte, double every, struct err *err)
{
    const size_t schemes = q->classes.n ? q->classes.n : 1, modes = q->mode == MODE_BOTH ? 2 : 1;
    const size_t cases = schemes * q->nbuffer * modes, all = q->traffic.n * cases;
    struct traffic t = { 0 };
    struct routing r = { 0 };
    int ret = routing_open(&r, j->net, q->routing ? q->routing : "minimal", err);

    for (size_t i = 0; ret == 0 && i < all; i++) {
        const struct lading_how how = {
            .routing = &r, .classes = q->classes.n ? q->classes.item[i / modes / q->nbuffer % schemes] : NULL,
            .messages = q->messages, .every = every, .buffers = q->buffer[i / modes % q->nbuffer], .seed = j->o->seed,
            .mode = (enum lading_mode)(q->mode == MODE_BOTH ? (int)(i % 2) : q->mode)
        };

        if (i % cases == 0) {
            traffic_release(&t);
            ret = load_traffic(&t, j->net, q->traffic.item[i / cases], NULL, NULL, err);
        }
        if (ret == 0 && traffic_row(j, *plan, &t, &how, bytes, byte, err) < 0)
            ret = job_refuse(j, all > 1, ROW(
                cell_text("topology", j->net->spec), cell_text("traffic", t.spec), cell_text("routing", r.spec),
                cell_text("classes", how.classes ? how.classes : "none"), cell_text("mode", mode_name[how.mode]),
                cell_int("bytes", bytes), cell_int("buffers", how.buffers)), err, "%s: %s.", j->net->spec, err->msg);
    }
    traffic_release(&t);
    routing_close(&r);
    return ret;
}

/* ---- figure ---- */

int primitive_mark_crossing(struct chart *c, const struct table *t, const char *column,
                            const char *const names[2], const char *time, struct err *err)
{
    double size = NAN, over = NAN;      /* of the last pair of rows: how much longer stored messages take */
    char text[80];

    for (size_t r = 1; r < table_rows(t) && !look_varies(t, "topology"); r++) {
        const double bytes = look_real(t, r, "bytes"), now = look_real(t, r - 1, time) - look_real(t, r, time),
            at = size + (bytes - size) * over / (over - now);           /* times are linear in bytes */

        if (strcmp(look_text(t, r - 1, column), names[0]) != 0 || strcmp(look_text(t, r, column), names[1]) != 0)
            continue;
        snprintf(text, sizeof text, "circuits are faster beyond %.0f B", at);
        if (over < 0 && now >= 0 && chart_rule(c, at, text, RULE_GREY, RULE_EVERYWHERE) < 0)
            return err_memory(err);
        size = bytes;
        over = now;
    }
    return 0;
}

int primitive_traffic_figure(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const time[] = { "makespan_us" }, *const may[] = { "mode", "classes", "traffic", "topology" };
    const bool buffers = look_varies(t, "buffers"), sizes = !buffers && look_varies(t, "bytes");
    const char *by[4];
    struct natural figure = { .kind = buffers || sizes ? "line" : "bar",
                              .x = buffers ? "buffers" : sizes ? "bytes" : "mode", .y = time, .ny = 1, .group = by,
                              .x_scale = buffers || sizes ? SCALE_LOG : SCALE_AUTO };

    figure.ngroup = buffers || sizes ? look_varying(by, t, may, 4) : look_varying(by, t, may + 1, 3);
    return options_figure(f, t, &figure, err) < 0 ? -1 : sizes && !look_varies(t, "traffic") ?
        primitive_mark_crossing(&f->chart, t, "mode", mode_name, "makespan_us", err) : 0;
}
