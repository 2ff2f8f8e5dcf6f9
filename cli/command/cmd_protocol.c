/* `metapath protocol`: what one message takes by which protocol (model/transfer), and what connections take.
 * 1. options   what is asked
 * 2. tables
 * 3. request   read
 * 4. figure    time and rate against size; memory against processes */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command/cmd.h"
#include "cli/protocol/protocol.h"
#include "cli/request/collective_request.h"
#include "cli/request/look.h"
#include "graph/base/mem.h"

/* ---- options ----------------------------------------------------------------------------------------- */

static int protocol_take_argument(void *about, const char *arg, struct err *err)
{
    return strings_add_list(&((struct request *)about)->name, arg, err);
}

static const struct option_field protocol_options[] = {
    { .take = protocol_take_argument },
    { .help = "Message:", .group = 0 },
    { "bytes", 'b', "LIST", "as in 4K or 1..4M..x4 (default: 8,1K,4K,16K,64K,1M)", 0, INTO(bytes) },
    { "library", 0, "LIST", "protocols by size of mvich, mvich-write, mvich-read, amvia, sovia, lam, deck-via or "
      "deck-gm, or of a file with columns to_bytes and protocol", 0, INTO(library), .of = &kind_transfer },
    { "late", 0, "TIME", "the receiver posts so long after the sender begins (default: 0s)", 0, INTO(late) },
    { "buffer", 0, "SIZE", "of the receiver: longer messages are refused (default: it takes any)", 0, INTO(buffer) },
    { .help = "Machine:", .group = 1 },
    { "cost", 0, "COST", "legs of via,wait=polling, of legs,a=3us,rate=100Gb/s, hockney,a=5us,rate=10Gb/s and the like, "
      "or @FILE.cost of `metapath fit` (default: links)", 1, INTO(cost) },
    { "line-rate", 0, "RATE", "of links (default: 200Gb/s)", 1, INTO(line_rate) },
    { "cable-time", 0, "TIME", "of links, between the two (default: 100ns)", 1, INTO(cable_time) },
    { "overhead", 0, "TIME", "of links: that a process works for each message (default: 1us)", 1, INTO(overhead) },
    { "copies", 0, "ENDS", "where eager messages are copied: none, sender, receiver or both (default: both; of @FILE as "
      "measured)", 1, INTO(copies), .words = "none|sender|receiver|both" },
    { "copy-rate", 0, "RATE", "of one copy (default: 10GB/s, or what via measured)", 1, INTO(copy_rate) },
    { "packet", 0, "SIZE", "that is copied, or has a credit, at a time (default: the whole message; of connections 4K)",
      1, INTO(packet) },
    { "registration", 0, "TIME", "of a buffer, at either end (default: 0s)", 1, INTO(registration) },
    { "reuse", 0, "SHARE", "of buffers that are registered already (default: 0)", 1, INTO(reuse), .from = 0, .to = 1 },
    { "credits", 0, "X", "packets that the receiver has room for (default: any number; of connections 32)", 1,
      INTO(credits), .least = 1, .most = 1 << 30 },
    { "returned", 0, "Y", "credits that come back at a time (default: 1)", 1, INTO(returned), .least = 1,
      .most = 1 << 30 },
    { 0 }
};

/* ---- tables ------------------------------------------------------------------------------------------ */

static const struct column row_columns[] = {
    PLAIN("bytes"), { "library", NULL, NULL, IF_FILLED(0), LOOSE }, PLAIN("protocol"),
    { "time_us", "Time", "us", DIGITS(4), LOOSE }, { "rate_mbs", "Rate", "MB/s", DIGITS(4), LOOSE },
    { "control", NULL, NULL, 0, LOOSE }, { "copied_bytes", "Copied", "B", 0, LOOSE },
    { "sender_us", "Sender", "us", DIGITS(4), LOOSE }, { "waits_us", "Waits", "us", COLUMN_ASIDE, LOOSE },
    { "done_us", "Done", "us", COLUMN_ASIDE, LOOSE }, { "over_least", "Over least", NULL, 2, LOOSE },
    { "state", NULL, NULL, IF_FILLED(0), LOOSE }
};
static const struct column threshold_columns[] = {
    PLAIN("below"), PLAIN("beyond"), { "threshold_bytes", "Threshold", "B", 0, LOOSE },
    { "time_us", "Time there", "us", DIGITS(4), LOOSE },
    { "changes_bytes", "Log changes at", "B", IF_FILLED(0), LOOSE }
};
static const struct frame_table protocol_tables[] = {
    [PROTOCOL_ROWS] = { NULL, "One message by protocol", COLUMNS(row_columns) },
    [PROTOCOL_THRESHOLDS] = { "thresholds", "Where protocols change places", COLUMNS(threshold_columns) },
    { 0 }
};

/* ---- request ----------------------------------------------------------------------------------------- */

/* One size, as those of --bytes. */
static int read_size(double *out, const char *text, const char *what, struct err *err)
{
    int64_t *size;
    size_t n;

    if (!text)
        return 0;
    if (collective_sizes(&size, &n, text, what, err) < 0)
        return -1;
    *out = (double)size[0];
    free(size);
    return n == 1 && *out >= 1 ? 0 :
        err_set(err, ERR_USAGE, "%s is '%.40s'; it must be one size of a byte or more, as in 4K", what, text);
}

/* What options say beside the legs. */
static int read_limits(struct request *q, struct err *err)
{
    struct transfer_how *how = &q->how;
    double rate;

    if (q->copies >= 0 || q->copy_rate) {       /* then eager messages are the model's */
        how->copies = q->copies >= 0 ? (unsigned)q->copies : AT_SENDER | AT_RECEIVER;
        how->npiece = 0;
    }
    if (q->copy_rate) {
        if (collective_measure(&rate, q->copy_rate, "10GB/s", QUANTITY_RATE, "--copy-rate", err) < 0)
            return -1;
        how->copy = 1 / rate;
    }
    how->reuse = q->reuse;
    how->credits = q->credits ? (double)q->credits : INFINITY;
    how->returned = (double)q->returned;
    return read_size(&how->packet, q->packet, "--packet", err) < 0 ||
        read_size(&how->buffer, q->buffer, "--buffer", err) < 0 ||
        collective_measure(&how->registration, q->registration, "0s", QUANTITY_TIME, "--registration", err) < 0 ||
        collective_measure(&how->late, q->late, "0s", QUANTITY_TIME, "--late", err) < 0 ? -1 : 0;
}

/* Sizes that no source prints are those where the next protocol overtakes. */
static int read_library(struct transfer_rule *rule, const char *name, const struct transfer_how *how, struct err *err)
{
    const bool file = strpbrk(name, "./") || access(name, F_OK) == 0;

    if ((file ? transfer_read(rule, name, err) : transfer_library(rule, name, err)) < 0)
        return -1;
    for (size_t k = 0; k < rule->n; k++) {
        const struct transfer p = transfer_as(&rule->part[k]);

        if (transfer_check(&p, how, err) < 0)
            return -1;
        if (isnan(rule->part[k].to)) {
            const struct transfer next = transfer_as(&rule->part[k + 1]);

            rule->part[k].to = transfer_threshold(&p, &next, how, 1, 1e12);
        }
    }
    return 0;
}

static int read_protocols(struct request *q, struct err *err)
{
    static const char *const usual[] = { "eager", "handshake", "rdma-write", "rdma-read" };
    const size_t n = q->name.n ? q->name.n : sizeof usual / sizeof *usual;

    if (TAKE("the protocols", err, ARRAY(q->p, n), ARRAY(q->rule, q->library.n)) < 0)
        return -1;
    for (; q->np < n; q->np++) {
        q->p[q->np] = transfer_find(q->name.n ? q->name.item[q->np] : usual[q->np], err);
        if (!q->p[q->np] || transfer_check(q->p[q->np], &q->how, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < q->library.n; i++)
        if (read_library(&q->rule[i], q->library.item[i], &q->how, err) < 0)
            return -1;
    return 0;
}

static int protocol_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (collective_sizes(&q->size, &q->nsize, q->bytes ? q->bytes : "8,1K,4K,16K,64K,1M", "--bytes", err) < 0 ||
        protocol_machine(q, err) < 0 || read_limits(q, err) < 0 || read_protocols(q, err) < 0)
        return -1;
    q->lo = INFINITY;
    for (size_t i = 0; i < q->nsize; i++) {
        q->lo = fmin(q->lo, fmax(1, (double)q->size[i]));
        q->hi = fmax(q->hi, (double)q->size[i]);
    }
    q->hi = fmin(fmax(q->hi, q->lo), q->how.buffer);
    q->lo = fmin(q->lo, q->hi);
    table_request(j->t, "cost", q->cost ? q->cost : "links");
    for (size_t i = 0; i < q->np; i++)
        table_request(j->t, "protocol", q->p[i]->name);
    if (q->late && table_find(j->t, "waits_us") >= 0)
        j->column[table_find(j->t, "waits_us")].decimals = DIGITS(4);
    return 0;
}

static int protocol_compute(struct job *j, struct err *err)
{
    static int (*const table[])(struct job *j, struct err *err) = {
        [PROTOCOL_ROWS] = protocol_rows, [PROTOCOL_THRESHOLDS] = protocol_thresholds
    };

    return table[j->which](j, err);
}

static void protocol_release(void *request)
{
    struct request *q = request;

    strings_free(&q->name);
    fitted_release(&q->log);
    FREE(q->p, q->rule, q->size);
}

static const struct frame protocol_frame = {
    .arguments = "[PROTOCOL,...]", .option = protocol_options, FRAME_REQUEST(struct request, .copies = -1, .returned = 1),
    .table = protocol_tables, .plots = false, .check = protocol_check, .compute = protocol_compute,
    .release = protocol_release,
    .example = {
        { "Up to which size is a message better copied than asked for?", "metapath protocol" },
        { "What does a receiver cost that posts 50 us late?", "metapath protocol --late 50us --bytes 1K,64K" },
        { "Is a library's eager limit where it should be?", "metapath protocol --cost via,wait=polling --library mvich" }
    },
    .doc = "One message by protocol: eager copies, handshakes, remote writes and reads.\vA protocol is a sequence of "
        "legs: control messages before the data, the data, and copies at either end (`metapath list transfer` has the "
        "formulas). Time: until the receiver has the message. Control: messages besides the data. Sender: what its "
        "processor works; with --late also what it waits. Over least: in parts of the least time of the protocols that "
        "are compared. --show thresholds says where one overtakes another. Legs are of an idle machine: other messages, "
        "and processes that are scheduled away, are not in them."
};

const struct cmd cmd_protocol = {
    .name = "protocol", .group = "Collectives", .frame = &protocol_frame,
    .synopsis = "metapath protocol [PROTOCOL,...] [--bytes LIST] [--cost COST] [--late TIME] [--library LIST]",
    .summary = "what one message takes by which protocol: eager copies, handshakes, remote writes and reads"
};
