/* Machines and libraries of the source: legs that it measured, sequences of protocols that it describes. */
#include "graph/base/csv.h"
#include "graph/base/spec.h"
#include "model/transfer/transfer.h"

/* ---- machines ---------------------------------------------------------------------------------------- */

/* 6.2.4, send and receive, and RDMA write, by polling and by blocking: us of no bytes, MB/s at 4 MB. */
static const double measured[2][4] = { { 12.33, 226.11, 19.46, 226.30 }, { 39.98, 198.06, 46.21, 226.04 } };

/* What waits in a completion queue blocks (6.6.2); threads add half of the 86.85 us that DECK takes with one (7.1). The
 * work of all is that of a polled message, for the rest is waiting. */
static struct transfer_leg finished_by(int wait, bool write)
{
    const double *m = &measured[wait > 0][write ? 2 : 0];

    return (struct transfer_leg){ 1e-6 * (m[0] + (wait == 3 ? 86.85 / 2 : 0)), 1e-6 / m[1] - 1e-6 * m[0] / (4 << 20),
                                  1e-6 * measured[0][0] / 2 };
}

int transfer_via(struct transfer_how *how, const char *text, struct err *err)
{
    static const char *const name[] = { "polling", "blocking", "completion-queue", "threads", NULL };
    static const struct spec_key keys[] = {
        { "wait", NULL, NULL }, { "request", NULL, NULL }, { "ack", NULL, NULL }, { "data", NULL, NULL },
        { NULL, NULL, NULL }
    };
    struct spec spec;
    int wait[4] = { 0 }, ret;

    if (spec_parse(&spec, text, false, err) < 0)
        return -1;
    ret = spec_check(&spec, keys, NULL, err) < 0 || spec_no_params(&spec, err) < 0 ? -1 : 0;
    for (int i = 0; ret == 0 && i < 4; i++) {
        wait[i] = wait[0];
        ret = spec_get(&spec, keys[i].name) ? spec_choice(&wait[i], &spec, keys[i].name, name, err) : 0;
    }
    spec_release(&spec);
    transfer_plain(how, 0, 0, 0);
    how->notice = finished_by(wait[0], false);
    how->request = finished_by(wait[1], false);
    how->ack = finished_by(wait[2], false);
    how->send = finished_by(wait[3], false);
    how->write = how->read = finished_by(wait[3], true);        /* VI-GM has no reads (6.2) */
    /* where a copy of 2 KB takes what an RDMA write starts later (6.2.4) */
    how->copy = 1e-6 * (measured[0][2] - measured[0][0]) / 2048;
    how->copies = AT_SENDER | AT_RECEIVER;
    return ret;
}

/* ---- libraries --------------------------------------------------------------------------------------- */

static const char *const libraries[][2] = {     /* tables 4.1 and 6.2, sections 4.1 to 4.4, 6.6; 7.2 has no size */
    { "mvich", "5000,eager,r\n,handshake," }, { "mvich-write", "5000,eager,r\n,rdma-write," },
    { "mvich-read", "5000,eager,r\n,rdma-read," }, { "amvia", "31,eager,s\n4095,eager,s\n,write-and-notify," },
    { "sovia", "2047,early-ack,s+r\n,early-ack,r" }, { "lam", ",known-address,s" }, { "deck-via", ",handshake," },
    { "deck-gm", ",eager,r\n,handshake," }
};

static int read_part(struct transfer_part *part, const struct csv *csv, size_t row, const int column[3],
                     struct err *err)
{
    static const char *const ends[] = { "", "s", "r", "s+r" };
    const char *to = csv_at(csv, row, column[0]), *copies = column[2] < 0 ? NULL : csv_at(csv, row, column[2]);
    const struct transfer *p = transfer_find(csv_at(csv, row, column[1]), err);
    unsigned at = 0;

    if (!p)
        return -1;
    *part = (struct transfer_part){ row + 1 < csv->nrow ? NAN : INFINITY, *p };
    if (*to && num_real(&part->to, to, "to_bytes", err) < 0)
        return -1;
    if (row && part->to <= part[-1].to)
        return err_set(err, ERR_FORMAT, "to_bytes is %s after %g; sizes must rise from row to row", to, part[-1].to);
    while (copies && at < 4 && strcmp(copies, ends[at]) != 0)
        at++;
    if (at == 4)
        return err_set(err, ERR_FORMAT, "copies is '%.40s'; it is s, r, s+r or empty", copies);
    part->p.copies = copies ? at : p->asked_copies ? AT_RECEIVER : p->copies;
    part->p.asked_copies = false;
    return 0;
}

static int read_rows(struct transfer_rule *out, const struct csv *csv, const char *name, struct err *err)
{
    const int column[3] = { csv_column(csv, "to_bytes"), csv_column(csv, "protocol"), csv_column(csv, "copies") };

    if (column[0] < 0 || column[1] < 0 || csv->nrow == 0 || csv->nrow > TRANSFER_PARTS)
        return err_set(err, ERR_FORMAT, "%.200s: a library has columns to_bytes and protocol, and 1 to %d rows", name,
                       TRANSFER_PARTS);
    for (; out->n < csv->nrow; out->n++)
        if (read_part(&out->part[out->n], csv, out->n, column, err) < 0)
            return err_at(err, "%.200s, line %zu", name, csv->line[out->n]);
    return 0;
}

int transfer_read(struct transfer_rule *out, const char *name, const struct transfer_how *how, struct err *err)
{
    char text[200] = "";
    struct csv csv = { 0 };
    int ret;

    *out = (struct transfer_rule){ 0 };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strcmp(libraries[i][0], name) == 0)
            snprintf(text, sizeof text, "to_bytes,protocol,copies\n%s\n", libraries[i][1]);
    if (!*text && !strpbrk(name, "./"))
        return err_set(err, ERR_USAGE, "no library is called '%.60s': it is mvich, mvich-write, mvich-read, amvia, "
                       "sovia, lam, deck-via, deck-gm or a file of to_bytes and protocol, as in ./rule.csv", name);
    if ((*text ? csv_parse(&csv, text, strlen(text), name, err) : csv_read(&csv, name, err)) < 0)
        return -1;
    ret = read_rows(out, &csv, name, err);
    csv_release(&csv);
    if (ret < 0)
        err->code = ERR_FORMAT;         /* the file's fault, not the request's */
    for (size_t k = 0; ret == 0 && k < out->n; k++) {
        struct transfer_part *part = &out->part[k];

        ret = transfer_check(&part->p, how, err);
        if (isnan(part->to))
            part->to = transfer_threshold(&part[0].p, &part[1].p, how, 1, 1e12);
    }
    return ret;
}
