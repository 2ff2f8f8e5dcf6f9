/* `metapath protocol`: what one message takes by which protocol (model/transfer), and what connections take: options,
 * tables, the request read, figures. */
#include "cli/command/cmd.h"
#include "cli/protocol/protocol.h"
#include "cli/request/collective_request.h"
#include "cli/request/look.h"
#include "texts/cmd.h"

enum { MANY = 1 << 30 };

/* ---- options ----------------------------------------------------------------------------------------- */

static const struct option_field protocol_options[] = {
    { INTO(name) },
    { .help = "Message:", .group = 0 },
    { CMD_PROTOCOL_BYTES, 0, INTO(bytes) },
    { CMD_PROTOCOL_LIBRARY, 0, INTO(library), .of = &kind_transfer },
    { CMD_PROTOCOL_LATE, 0, INTO(late) },
    { CMD_PROTOCOL_BUFFER, 0, INTO(buffer) },
    { .help = "Machine:", .group = 1 },
    { CMD_PROTOCOL_COST, 1, INTO(cost) },
    { CMD_PROTOCOL_LINE_RATE, 1, INTO(line_rate) },
    { CMD_PROTOCOL_CABLE_TIME, 1, INTO(cable_time) },
    { CMD_PROTOCOL_OVERHEAD, 1, INTO(overhead) },
    { CMD_PROTOCOL_COPIES, 1, INTO(copies), .words = "none|sender|receiver|both" },
    { CMD_PROTOCOL_COPY_RATE, 1, INTO(copy_rate) },
    { CMD_PROTOCOL_PACKET, 1, INTO(packet) },
    { CMD_PROTOCOL_REGISTRATION, 1, INTO(registration) },
    { CMD_PROTOCOL_REUSE, 1, INTO(reuse), .from = 0, .to = 1 },
    { CMD_PROTOCOL_CREDITS, 1, INTO(credits), .least = 1, .most = MANY },
    { CMD_PROTOCOL_RETURNED, 1, INTO(returned), .least = 1, .most = MANY },
    { .help = "Other tables:", .group = 2 },
    { CMD_PROTOCOL_PROCESSES, 2, INTO(processes) },
    { CMD_PROTOCOL_PATTERN, 2, INTO(pattern), .of = &kind_traffic },
    { CMD_PROTOCOL_CONNECTION, 2, INTO(connection) },
    { CMD_PROTOCOL_SHARED_QUEUE, 2, INTO(queue), .from = 1, .to = MANY },
    { CMD_PROTOCOL_MEMORY, 2, INTO(memory) },
    { CMD_PROTOCOL_TIMES, 2, INTO(times) },
    { CMD_PROTOCOL_SERIAL, 2, INTO(serial) },
    { CMD_PROTOCOL_MESSAGES, 2, INTO(messages) }, { 0 }
};

/* ---- tables ------------------------------------------------------------------------------------------ */

static const struct column row_columns[] = {
    PLAIN("bytes"), { "library", NULL, NULL, IF_FILLED(0), LOOSE }, PLAIN("protocol"),
    { "time_us", "Time", "us", DIGITS(4), LOOSE }, { "speed_mbs", "Rate", "MB/s", DIGITS(4), LOOSE },
    { "control", NULL, NULL, 0, LOOSE }, { "copied_bytes", "Copied", "B", 0, LOOSE },
    { "sender_us", "Sender", "us", DIGITS(4), LOOSE }, { "waits_us", "Waits", "us", COLUMN_ASIDE, LOOSE },
    { "done_us", "Done", "us", COLUMN_ASIDE, LOOSE }, { "over_least", "Over least", NULL, 2, LOOSE },
    { "state", NULL, NULL, IF_FILLED(0), LOOSE }
};
static const struct column connection_columns[] = {
    PLAIN("processes"), PLAIN("pattern"), { "partners", NULL, NULL, 0, LOOSE }, { "connections", NULL, NULL, 0, LOOSE },
    { "memory_bytes", "Memory", "B", 0, LOOSE }, { "shared_bytes", "Shared queue", "B", 0, LOOSE },
    ASIDE("amvia_bytes"), ASIDE("unasked_bytes"), { "quality", NULL, NULL, YIELDS(0), LOOSE }
};
static const struct column speedup_columns[] = {
    PLAIN("program"), PLAIN("processes"), { "time_s", "Time", "s", DIGITS(4), LOOSE },
    { "model_s", "Model", "s", DIGITS(4), LOOSE }, { "error_percent", "Error", "%", 1, LOOSE },
    { "amdahl_percent", "Amdahl's", "%", 1, LOOSE }, ASIDE("exchange_s"), ASIDE("serial_s"), ASIDE("message_s")
};
static const struct frame_table protocol_tables[] = {
    [PROTOCOL_ROWS] = { NULL, "One message by protocol", COLUMNS(row_columns), .apart = true },
    [PROTOCOL_CONNECTIONS] = { "connections", "Connections and what they pin", COLUMNS(connection_columns) },
    [PROTOCOL_SPEEDUP] = { "speedup", "Programs that exchange all of their data", COLUMNS(speedup_columns) },
    { 0 }
};

/* ---- request ----------------------------------------------------------------------------------------- */

/* One size, as those of --bytes; a time or a rate, with its unit. */
static int read_one(double *out, const char *text, enum quantity kind, const char *what, struct err *err)
{
    int64_t *size;
    size_t n;

    if (kind != QUANTITY_SIZE)
        return collective_measure(out, text, kind == QUANTITY_RATE ? "10GB/s" : "5us", kind, what, err);
    if (collective_sizes(&size, &n, text, what, err) < 0)
        return -1;
    *out = (double)size[0];
    free(size);
    return n == 1 && *out >= 1 ? 0 :
        err_set(err, ERR_USAGE, "%s is '%.40s'; it must be one size of a byte or more, as in 4K", what, text);
}

/* What options say beside the legs. */
static int read_limits(struct request *q, bool memory, struct err *err)
{
    struct transfer_how *how = &q->how;
    double rate = 0;
    const struct {
        const char *text;
        double *out;
        enum quantity kind;
        const char *what;
    } said[] = { { q->packet ? q->packet : memory ? "4K" : NULL, &how->packet, QUANTITY_SIZE, "--packet" },
                 { q->buffer, &how->buffer, QUANTITY_SIZE, "--buffer" },
                 { q->registration, &how->registration, QUANTITY_TIME, "--registration" },
                 { q->late, &how->late, QUANTITY_TIME, "--late" },
                 { q->copy_rate, &rate, QUANTITY_RATE, "--copy-rate" },
                 { q->connection ? q->connection : "4K", &q->state, QUANTITY_SIZE, "--connection" },
                 { q->memory ? q->memory : "1G", &q->limit, QUANTITY_SIZE, "--memory" } };

    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (said[i].text && read_one(said[i].out, said[i].text, said[i].kind, said[i].what, err) < 0)
            return -1;
    if (q->copies >= 0 || q->copy_rate) {       /* then eager messages are the model's */
        how->copies = q->copies >= 0 ? (unsigned)q->copies : AT_SENDER | AT_RECEIVER;
        how->copy = rate > 0 ? 1 / rate : how->copy;
        how->npiece = 0;
    }
    how->reuse = q->reuse;
    how->credits = q->credits ? (double)q->credits : memory ? 32 : INFINITY;
    how->returned = (double)q->returned;
    return 0;
}

static int read_protocols(struct request *q, struct err *err)
{
    static const char *const usual[] = { "eager", "handshake", "rdma-write", "rdma-read" };

    q->nshown = q->name.n ? q->name.n : q->library.n ? 0 : sizeof usual / sizeof *usual;
    if (TAKE("the protocols", err, ARRAY(q->r.p, q->nshown + q->library.n * TRANSFER_PARTS),
             ARRAY(q->rule, q->library.n)) < 0)
        return -1;
    for (; q->r.n < q->nshown; q->r.n++) {
        q->r.p[q->r.n] = transfer_find(q->name.n ? q->name.item[q->r.n] : usual[q->r.n], err);
        if (!q->r.p[q->r.n] || transfer_check(q->r.p[q->r.n], &q->how, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < q->library.n; i++) {
        if (transfer_read(&q->rule[i], q->library.item[i], &q->how, err) < 0)
            return -1;
        for (size_t k = 0; k < q->rule[i].n; k++)
            q->r.p[q->r.n++] = &q->rule[i].part[k].p;
    }
    return 0;
}

static int protocol_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (collective_sizes(&q->size, &q->nsize, q->bytes, "--bytes", err) < 0 ||
        protocol_machine(q, err) < 0 || read_limits(q, j->which == PROTOCOL_CONNECTIONS, err) < 0 ||
        read_protocols(q, err) < 0)
        return -1;
    q->r.how = &q->how;
    q->r.lo = INFINITY;
    for (size_t i = 0; i < q->nsize; i++) {
        q->r.lo = fmin(q->r.lo, fmax(1, (double)q->size[i]));
        q->r.hi = fmax(q->r.hi, (double)q->size[i]);
    }
    q->r.hi = fmin(fmax(q->r.hi, q->r.lo), q->how.buffer);
    q->r.lo = fmin(q->r.lo, q->r.hi);
    table_request(j->t, "cost", q->cost ? q->cost : "links");
    table_request(j->t, "bytes", q->bytes);
    if (q->late && table_find(j->t, "waits_us") >= 0)
        j->column[table_find(j->t, "waits_us")].decimals = DIGITS(4);
    j->walk.turns[0] = j->which == PROTOCOL_ROWS ? q->nsize : 1 + q->pattern.n;
    return j->which == PROTOCOL_SPEEDUP ? protocol_speedup_read(j, err) : 0;
}

static int protocol_compute(struct job *j, struct err *err)
{
    return j->which == PROTOCOL_ROWS ? protocol_rows(j, err) : j->which == PROTOCOL_CONNECTIONS ?
        protocol_connections(j, err) : protocol_speedup(j, err);
}

/* ---- figure ------------------------------------------------------------------------------------------ */

/* Times above, rates below, and a rule where another protocol becomes the least. */
static int message_chart(struct chart *c, const struct table *t, const struct request *q)
{
    static const char *const column[] = { "time_us", "speed_mbs" }, *const title[] = { "Time", "Rate" };
    struct transfer_rule best = { 0 };
    char at[32];

    c->kind = "line";
    c->x.scale = SCALE_LOG;
    c->panel_y = calloc(2, sizeof *c->panel_y);
    if (!c->panel_y || chart_axis(&c->x, "Size", "B") < 0 || chart_panel(c, "Time") < 0 || chart_panel(c, "Rate") < 0)
        return -1;
    for (size_t i = 0; i < 2 * table_rows(t); i++) {
        const size_t k = i % 2, r = i / 2;
        const char *library = look_text(t, r, "library");
        const int series = chart_series(c, *library ? library : look_text(t, r, "protocol"), k);

        c->panel_y[k].scale = SCALE_LOG;
        c->panel_y[k].from = c->panel_y[k].to = NAN;
        if (series < 0 || (r == 0 && chart_axis(&c->panel_y[k], title[k], k ? "MB/s" : "us") < 0) ||
            chart_point(c, series, look_real(t, r, "bytes"), look_real(t, r, column[k])) < 0)
            return -1;
    }
    if (q)
        transfer_best(&best, &q->r);
    for (size_t k = 0; k + 1 < best.n; k++) {
        snprintf(at, sizeof at, "%.0f B", best.part[k].to);
        if (chart_rule(c, best.part[k].to, at, RULE_GREY, RULE_EVERYWHERE) < 0)
            return -1;
    }
    return 0;
}

static int protocol_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const bytes[] = { "memory_bytes", "shared_bytes" }, *const times[] = { "time_s", "model_s" },
        *const pattern[] = { "pattern" }, *const program[] = { "program" };
    const bool memory = which == PROTOCOL_CONNECTIONS;
    const struct natural figure = { .kind = "line", .x = "processes", .y = memory ? bytes : times, .ny = 2, .ngroup = 1,
                                    .group = memory ? pattern : program, .x_scale = SCALE_LOG, .y_scale = SCALE_LOG };

    if (which == PROTOCOL_ROWS)
        return message_chart(&f->chart, t, f->request) < 0 ? err_memory(err) : 0;
    if (options_figure(f, t, &figure, err) < 0)
        return -1;
    f->chart.y.title = strdup(memory ? "Memory of a process" : "Time");         /* of two columns there is none */
    return f->chart.y.title ? 0 : err_memory(err);
}

static void protocol_release(void *request)
{
    struct request *q = request;

    fitted_release(&q->log);
    csv_release(&q->measured);
    FREE(q->r.p, q->rule, q->size);
}

static const struct frame protocol_frame = {
    CMD_PROTOCOL_FRAME, .option = protocol_options, .table = protocol_tables, .plots = true,
    FRAME_REQUEST(struct request, .bytes = "8,1K,4K,16K,64K,1M", .copies = -1, .returned = 1, .queue = 1024),
    .check = protocol_check, .compute = protocol_compute, .figure = protocol_figure, .release = protocol_release
};

const struct cmd cmd_protocol = { CMD_PROTOCOL_ENTRY, .frame = &protocol_frame };
