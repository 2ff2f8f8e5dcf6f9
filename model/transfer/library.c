/* Machines and libraries of the source: legs that it measured, sequences of protocols that it describes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/base/csv.h"
#include "graph/base/num.h"
#include "graph/base/spec.h"
#include "model/transfer/transfer.h"

#define MEGABYTES_4 4194304.

/* ---- machines ---------------------------------------------------------------------------------------- */

const char *const transfer_wait_name[] = { "polling", "blocking", "completion-queue", "threads", NULL };

struct transfer_leg transfer_line(double latency_us, double rate_mbs)
{
    const double a = 1e-6 * latency_us;

    return (struct transfer_leg){ a, 1 / (1e6 * rate_mbs) - a / MEGABYTES_4, a / 2 };
}

/* 6.2.4: send and receive, and RDMA write, finished by polling and by blocking. Whoever waits in a completion queue
 * blocks (6.6.2); threads add half of the 86.85 us that DECK takes with one (7.1). */
static const struct {
    double send_us, send_mbs, write_us, write_mbs, more_us;
} measured[] = {
    { 12.33, 226.11, 19.46, 226.30, 0 }, { 39.98, 198.06, 46.21, 226.04, 0 }, { 39.98, 198.06, 46.21, 226.04, 0 },
    { 39.98, 198.06, 46.21, 226.04, 86.85 / 2 }
};

static struct transfer_leg finished_by(int wait, bool write)
{
    struct transfer_leg leg = write ? transfer_line(measured[wait].write_us, measured[wait].write_mbs) :
        transfer_line(measured[wait].send_us, measured[wait].send_mbs);

    leg.a += 1e-6 * measured[wait].more_us;
    leg.work = 1e-6 * measured[0].send_us / 2;          /* the rest is waiting */
    return leg;
}

int transfer_via(struct transfer_how *how, const struct spec *spec, struct err *err)
{
    static const struct spec_key keys[] = {
        { "wait", "WAIT", "what messages are finished by" }, { "request", "WAIT", "what requests are" },
        { "ack", "WAIT", "what acknowledgements are" }, { "data", "WAIT", "what data are" }, { NULL, NULL, NULL }
    };
    static const char *const leg[] = { "request", "ack", "data" };
    int by, wait[3];

    if (spec_check(spec, keys, NULL, err) < 0 || spec_no_params(spec, err) < 0 ||
        spec_choice(&by, spec, "wait", transfer_wait_name, err) < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        wait[i] = by;
        if (spec_get(spec, leg[i]) && spec_choice(&wait[i], spec, leg[i], transfer_wait_name, err) < 0)
            return -1;
    }
    transfer_plain(how, 0, 0, 0);
    how->request = finished_by(wait[0], false);
    how->ack = finished_by(wait[1], false);
    how->send = finished_by(wait[2], false);
    how->notice = finished_by(by, false);
    how->write = how->read = finished_by(wait[2], true);        /* VI-GM has no reads (6.2) */
    /* where a copy of 2 KB takes what an RDMA write starts later (6.2.4) */
    how->copy = 1e-6 * (measured[0].write_us - measured[0].send_us) / 2048;
    how->copies = AT_SENDER | AT_RECEIVER;
    return 0;
}

/* ---- libraries --------------------------------------------------------------------------------------- */

static const struct sequence {
    const char *library;
    double to;
    const char *protocol;
    unsigned copies;
} sequences[] = {                       /* tables 4.1 and 6.2, sections 4.1 to 4.4, 6.6 and 7.2 */
    { "mvich", 5000, "eager", AT_RECEIVER }, { "mvich", INFINITY, "handshake", 0 },
    { "mvich-write", 5000, "eager", AT_RECEIVER }, { "mvich-write", INFINITY, "rdma-write", 0 },
    { "mvich-read", 5000, "eager", AT_RECEIVER }, { "mvich-read", INFINITY, "rdma-read", 0 },
    { "amvia", 31, "eager", AT_SENDER }, { "amvia", 4095, "eager", AT_SENDER },
    { "amvia", INFINITY, "write-and-notify", 0 },
    { "sovia", 2047, "early-ack", AT_SENDER | AT_RECEIVER }, { "sovia", INFINITY, "early-ack", AT_RECEIVER },
    { "lam", INFINITY, "known-address", AT_SENDER },
    { "deck-via", INFINITY, "handshake", 0 },
    { "deck-gm", NAN, "eager", AT_RECEIVER }, { "deck-gm", INFINITY, "handshake", 0 }     /* NAN: it is not printed */
};
const char *const transfer_libraries = "mvich, mvich-write, mvich-read, amvia, sovia, lam, deck-via or deck-gm";

int transfer_library(struct transfer_rule *out, const char *name, struct err *err)
{
    *out = (struct transfer_rule){ 0 };
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        const struct sequence *s = &sequences[i];

        if (strcmp(s->library, name) == 0)
            out->part[out->n++] = (struct transfer_part){ s->to, transfer_find(s->protocol, NULL), s->copies };
    }
    return out->n ? 0 : err_set(err, ERR_USAGE, "no library is called '%.60s': it is %s, or a file of to_bytes and "
                                "protocol", name, transfer_libraries);
}

/* s, r, s+r; nothing: none. */
static int read_copies(unsigned *out, const char *text, const char *path, size_t line, struct err *err)
{
    static const char *const name[] = { "", "s", "r", "s+r" };

    for (unsigned i = 0; i < 4; i++)
        if (strcmp(text, name[i]) == 0) {
            *out = i;
            return 0;
        }
    return err_set(err, ERR_FORMAT, "%.200s, line %zu: copies is '%.40s'; it is s, r, s+r or empty", path, line,
                   text);
}

static int read_part(struct transfer_rule *out, const struct csv *csv, size_t row, const int column[3],
                     const char *path, struct err *err)
{
    struct transfer_part *part = &out->part[out->n];
    const char *to = csv_at(csv, row, column[0]), *protocol = csv_at(csv, row, column[1]);
    char what[300];

    snprintf(what, sizeof what, "%.200s, line %zu: to_bytes", path, csv->line[row]);
    if (out->n == TRANSFER_PARTS)
        return err_set(err, ERR_FORMAT, "%.200s has %zu rows; there are %d at most", path, csv->nrow, TRANSFER_PARTS);
    *part = (struct transfer_part){ .to = INFINITY, .p = transfer_find(protocol, NULL) };
    if (!part->p)
        return err_set(err, ERR_FORMAT, "%.200s, line %zu: no protocol is called '%.40s'; `metapath list transfer` "
                       "names them", path, csv->line[row], protocol);
    part->copies = part->p->asked_copies ? AT_RECEIVER : part->p->copies;
    if ((*to && num_real(&part->to, to, what, err) < 0) ||
        (column[2] >= 0 && read_copies(&part->copies, csv_at(csv, row, column[2]), path, csv->line[row], err) < 0))
        return -1;
    if (out->n && !(part->to > part[-1].to))
        return err_set(err, ERR_FORMAT, "%s is '%s' after %g; sizes must rise from row to row, and only "
                       "the last may be empty", what, to, part[-1].to);
    out->n++;
    return 0;
}

int transfer_read(struct transfer_rule *out, const char *path, struct err *err)
{
    struct csv csv = { 0 };
    int ret = -1;

    *out = (struct transfer_rule){ 0 };
    if (csv_read(&csv, path, err) < 0)
        return -1;
    {
        const int column[3] = { csv_column(&csv, "to_bytes"), csv_column(&csv, "protocol"),
                                csv_column(&csv, "copies") };

        if (column[0] < 0 || column[1] < 0 || csv.nrow == 0)
            err_set(err, ERR_FORMAT, "%.200s has no %s: a library has rows of to_bytes and protocol", path,
                    column[0] < 0 ? "column to_bytes" : column[1] < 0 ? "column protocol" : "rows");
        else
            ret = 0;
        for (size_t row = 0; ret == 0 && row < csv.nrow; row++)
            ret = read_part(out, &csv, row, column, path, err);
    }
    csv_release(&csv);
    if (ret == 0 && isfinite(out->part[out->n - 1].to))
        out->part[out->n - 1].to = INFINITY;            /* beyond the last row as in it */
    return ret;
}
