#include "cli/command/primitive_traffic.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/primitive/lading.h"
#include "cli/request/collective_request.h"
#include "cli/request/load.h"
#include "cli/request/look.h"

enum { MODE_STORED, MODE_CIRCUIT, MODE_BOTH, MODE_MIXED };

const struct option_field primitive_traffic_options[] = {
    { .help = "Messages of many sources:", .group = 2 },
    { "traffic", 0, "LIST", "every source sends messages, to whom this says (`metapath list traffic`), by send or by "
      "circuits of their own", 2, INTO_OF(struct primitive_traffic, traffic) },
    { "messages", 0, "K", "of each source (default: 1)", 2, INTO_OF(struct primitive_traffic, messages), .least = 1,
      .most = 1 << 20 },
    { "mode", 0, "stored|circuit|both|mixed", "both: a row each; mixed: every other message by a circuit (default: "
      "stored)", 2, INTO_OF(struct primitive_traffic, mode), .words = "stored|circuit|both|mixed" },
    { "node-buffers", 0, "LIST", "buffers of a node, half of them for its host's messages; 0: any number (default: 0)", 2,
      INTO_OF(struct primitive_traffic, buffers) },
    { "buffer-bytes", 0, "BYTES", "of a buffer; a message takes several (default: as large as the message)", 2,
      INTO_OF(struct primitive_traffic, buffer_bytes) },
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
    int64_t *each = NULL;
    size_t n = 0;

    if (collective_sizes(&q->buffer, &q->nbuffer, q->buffers ? q->buffers : "0", "--node-buffers", err) < 0 ||
        collective_sizes(&each, &n, q->buffer_bytes ? q->buffer_bytes : "0", "--buffer-bytes", err) < 0)
        return -1;
    q->each = (double)each[0];
    free(each);
    if (n > 1 || (q->buffer_bytes && q->each < 1))
        return err_set(err, ERR_USAGE, "--buffer-bytes is '%.40s'; it must be one size, above 0", q->buffer_bytes);
    for (size_t i = 0; i < q->nbuffer; i++)
        if (q->buffer[i] > INT_MAX)
            return err_set(err, ERR_USAGE, "--node-buffers is %lld; it must be from 0 to %d", (long long)q->buffer[i],
                           INT_MAX);
    if (q->classes.n && q->mode != MODE_STORED)
        return err_set(err, ERR_USAGE, "--buffer-classes are of processors without circuits (CVP II): leave --mode");
    if (!q->traffic.n && (q->classes.n || q->buffers || q->buffer_bytes || q->mode || q->messages > 1))
        return err_set(err, ERR_USAGE, "--messages, --mode, --node-buffers, --buffer-bytes and --buffer-classes are of "
                       "many sources: say --traffic, as in --traffic uniform");
    return 0;
}

/* What waits for what, each for the next. NULL: memory. */
static char *circle_text(const struct net *net, const struct wiring *w, const struct processors_outcome *o,
                         const char *classes)
{
    char *text = NULL, label[2][NET_LABEL];
    size_t size;
    FILE *f = open_memstream(&text, &size);

    for (size_t i = 0; f && i < o->ncircle; i++) {
        const struct processors_wait *c = &o->circle[i];

        fprintf(f, "%s", i ? ", " : "");
        if (c->half >= 0)
            fprintf(f, "channel %s>%s", net_label(net, w->from[c->half], label[0]),
                    net_label(net, w->to[c->half], label[1]));
        else if (classes)
            fprintf(f, "node %s class %d", net_label(net, c->node, label[0]), c->part);
        else
            fprintf(f, "node %s%s", net_label(net, c->node, label[0]), c->part ? "" : " (its host's)");
    }
    if (f && fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

static int say_end(struct job *j, const struct primitive_place *at, const struct processors_outcome *o,
                   const char *classes, struct err *err)
{
    char *circle;

    if (!o->deadlock && !o->stuck)
        return 0;
    j->status = 1;
    if (o->stuck) {
        table_note(j->t, "%.150s: after %.4g us nothing moves, though nothing waits in a circle: %.0f messages came.",
                   j->net->spec, 1e6 * o->when, o->came);
        return 0;
    }
    circle = circle_text(j->net, at->w, o, classes);
    if (!circle)
        return err_memory(err);
    table_note(j->t, "%.150s: deadlock after %.4g us, %.0f messages came; each of these is full, or held, by what waits "
               "for the next, and the last by what waits for the first: %s.", j->net->spec, 1e6 * o->when, o->came,
               circle);
    free(circle);
    return 0;
}

static const char *const mode_name[] = { [LADING_STORED] = "stored", [LADING_CIRCUIT] = "circuit",
                                         [LADING_MIXED] = "mixed" };

static int traffic_row(struct job *j, const struct primitive_traffic *q, const struct primitive_place *at,
                       const struct traffic *t, struct routing *r, const char *classes, int64_t buffers, int mode,
                       struct err *err)
{
    const struct primitive_how *how = &at->how;
    const struct lading_how load = {
        .routing = r, .classes = classes, .messages = q->messages, .every = how->every, .buffers = buffers,
        .mode = (enum lading_mode)mode, .seed = j->o->seed
    };
    const double chain = q->each > 0 ? ceil((double)at->bytes / q->each) : 1;
    struct processors_plan p = {
        .w = at->w, .classes = classes, .decide = how->service.decide, .length = how->message, .ack = how->service.ack,
        .confirm = how->confirm, .request = how->request, .flit = how->flit, .tick = how->tick,
        .chain = (int)fmin(fmax(chain, 1), INT_MAX),
        .printed = how->text == TEXT_PUBLISHED ? PRINTED_ACK | PRINTED_ASK : 0
    };
    struct processors_outcome o = { 0 };
    struct lading l = { 0 };
    int ret = -1;

    if (lading_open(&l, at->w, t, &load, err) < 0)
        return -1;
    p.hop = l.hop;
    p.message = l.message;
    p.n = l.n;
    p.hosts = l.hosts;
    p.room = l.room;
    p.parts = l.parts;
    if (processors_run(&o, &p, err) == 0 && say_end(j, at, &o, classes, err) == 0)
        ret = job_row(j, ROW(
            cell_text("topology", j->net->spec), cell_text("traffic", t->spec), cell_text("routing", r->spec),
            cell_text("classes", classes ? classes : "none"), cell_text("mode", mode_name[mode]),
            cell_int("bytes", at->bytes), buffers ? cell_int("buffers", buffers) : cell_none("buffers"),
            cell_int("messages", (int64_t)l.n), cell_real("makespan_us", 1e6 * o.makespan),
            cell_real("mean_us", 1e6 * o.mean), cell_real("late95_us", 1e6 * o.late95),
            cell_real("greatest_us", 1e6 * o.latest), cell_count("refused", o.refused),
            cell_count("refused_hosts", o.refused_hosts), cell_count("again_bytes", round(o.again / at->byte)),
            cell_real("wait_us", 1e6 * o.wait), cell_real("fairness", o.fairness), cell_count("came", o.came),
            cell_text("state", o.deadlock ? "deadlock" : o.stuck ? "stuck" : NULL)), err);
    processors_release(&o);
    lading_release(&l);
    return ret;
}

/* All schemes, buffers and modes. */
static int traffic_cases(struct job *j, const struct primitive_traffic *q, const struct primitive_place *at,
                         const struct traffic *t, struct routing *r, struct err *err)
{
    const size_t schemes = q->classes.n ? q->classes.n : 1, modes = q->mode == MODE_BOTH ? 2 : 1;
    const size_t all = schemes * q->nbuffer * modes;

    for (size_t i = 0; i < all; i++) {
        const char *classes = q->classes.n ? q->classes.item[i / modes / q->nbuffer] : NULL;
        const int64_t buffers = q->buffer[i / modes % q->nbuffer];
        const int mode = q->mode == MODE_BOTH ? (int)(i % modes) : q->mode == MODE_MIXED ? LADING_MIXED : q->mode;

        if (traffic_row(j, q, at, t, r, classes, buffers, mode, err) < 0 &&
            job_refuse(j, all > 1, ROW(cell_text("topology", j->net->spec), cell_text("traffic", t->spec),
                                       cell_text("routing", r->spec), cell_text("classes", classes ? classes : "none"),
                                       cell_text("mode", mode_name[mode]), cell_int("bytes", at->bytes), cell_int("buffers", buffers)), err, "%.150s: %s.",
                       j->net->spec, err->msg) < 0)
            return -1;
    }
    return 0;
}

int primitive_traffic_rows(struct job *j, const struct primitive_traffic *q, const struct primitive_place *at,
                           struct err *err)
{
    struct routing r = { 0 };
    int ret = routing_open(&r, j->net, at->routing ? at->routing : "minimal", err);

    for (size_t i = 0; ret == 0 && i < q->traffic.n; i++) {
        struct traffic t = { 0 };

        ret = load_traffic(&t, j->net, q->traffic.item[i], NULL, NULL, err);
        if (ret == 0)
            ret = traffic_cases(j, q, at, &t, &r, err);
        traffic_release(&t);
    }
    routing_close(&r);
    return ret;
}

/* ---- figure ---- */

/* The row of another name in `column` that is alike in bytes, and in network. */
static double other_time(const struct table *t, size_t row, const char *column, const char *name, const char *time)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (strcmp(look_text(t, r, column), name) == 0 && look_same(t, r, row, "bytes"))
            return look_real(t, r, time);
    return NAN;
}

int primitive_mark_crossing(struct chart *c, const struct table *t, const char *column, const char *stored,
                            const char *time, struct err *err)
{
    double size = NAN, over = NAN;      /* of the last row: how much longer stored messages take */
    char text[80];

    if (look_varies(t, "topology"))
        return 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        const double bytes = look_real(t, r, "bytes"),
            now = look_real(t, r, time) - other_time(t, r, column, "circuit", time);

        if (strcmp(look_text(t, r, column), stored) != 0 || isnan(now))
            continue;
        if (over < 0 && now >= 0) {     /* times are linear in bytes */
            const double at = size + (bytes - size) * over / (over - now);

            snprintf(text, sizeof text, "circuits are faster beyond %.0f B", at);
            return chart_rule(c, at, text, RULE_GREY, RULE_EVERYWHERE) < 0 ? err_memory(err) : 0;
        }
        size = bytes;
        over = now;
    }
    return 0;
}

int primitive_traffic_figure(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const time[] = { "makespan_us" }, *const may[] = { "mode", "classes", "traffic", "topology" },
        *const sizes_may[] = { "mode", "classes", "buffers", "traffic", "topology" };
    const bool buffers = look_varies(t, "buffers"), sizes = !buffers && look_varies(t, "bytes");
    const char *by[5];
    struct natural figure = { .kind = buffers || sizes ? "line" : "bar",
                              .x = buffers ? "buffers" : sizes ? "bytes" : "mode", .y = time, .ny = 1, .group = by,
                              .x_scale = buffers || sizes ? SCALE_LOG : SCALE_AUTO };
    int ret;

    figure.ngroup = sizes ? look_varying(by, t, sizes_may, 5) : look_varying(by, t, may + !buffers, 4 - !buffers);
    ret = options_figure(f, t, &figure, err);
    return ret == 0 && sizes && !look_varies(t, "traffic") && !look_varies(t, "buffers") ?
        primitive_mark_crossing(&f->chart, t, "mode", "stored", "makespan_us", err) : ret;
}
