/* Legs of a machine: as of `collective` where nothing is said, typed, of via, of a model of cost, or of the pieces that
 * `metapath fit` writes beside one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/collective/cost.h"
#include "cli/protocol/protocol.h"
#include "cli/request/collective_request.h"
#include "graph/base/spec.h"

#define LARGE 1048576.
#define COPY 1e-10                      /* of the usual machine: 10 GB/s */

static int measure(double *out, const struct spec *spec, const char *key, const char *usual, enum quantity kind,
                   struct err *err)
{
    char what[120];

    snprintf(what, sizeof what, "%s of %.80s", key, spec->name);
    return collective_measure(out, spec_get(spec, key), usual, kind, what, err);
}

/* links,overhead=,cable-time=,rate=; what options say goes first. */
static int machine_links(struct request *q, const struct spec *spec, struct err *err)
{
    double overhead, cable, rate;

    if ((q->overhead ? collective_measure(&overhead, q->overhead, "1us", QUANTITY_TIME, "--overhead", err) :
         measure(&overhead, spec, "overhead", "1us", QUANTITY_TIME, err)) < 0 ||
        (q->cable_time ? collective_measure(&cable, q->cable_time, "100ns", QUANTITY_TIME, "--cable-time", err) :
         measure(&cable, spec, "cable-time", "100ns", QUANTITY_TIME, err)) < 0 ||
        (q->line_rate ? collective_measure(&rate, q->line_rate, "200Gb/s", QUANTITY_RATE, "--line-rate", err) :
         measure(&rate, spec, "rate", "200Gb/s", QUANTITY_RATE, err)) < 0)
        return -1;
    transfer_plain(&q->how, 2 * overhead + cable, 1 / rate, overhead);
    return 0;
}

/* legs,a=,rate= and what single legs have of their own. */
static int machine_legs(struct request *q, const struct spec *spec, struct err *err)
{
    static const struct spec_key keys[] = {
        { "a", "TIME", "" }, { "rate", "RATE", "" }, { "work", "TIME", "" }, { "request", "TIME", "" },
        { "ack", "TIME", "" }, { "write", "TIME", "" }, { "write-rate", "RATE", "" }, { "read", "TIME", "" },
        { "read-rate", "RATE", "" }, { "notice", "TIME", "" }, { NULL, NULL, NULL }
    };
    struct transfer_how *how = &q->how;
    const struct {
        const char *key, *rate;
        struct transfer_leg *leg;
    } own[] = { { "request", NULL, &how->request }, { "ack", NULL, &how->ack }, { "write", "write-rate", &how->write },
                { "read", "read-rate", &how->read }, { "notice", NULL, &how->notice } };
    double a, rate, work;

    if (spec_check(spec, keys, NULL, err) < 0 || spec_no_params(spec, err) < 0 ||
        measure(&a, spec, "a", "2.1us", QUANTITY_TIME, err) < 0 ||
        measure(&rate, spec, "rate", "200Gb/s", QUANTITY_RATE, err) < 0 ||
        measure(&work, spec, "work", "0s", QUANTITY_TIME, err) < 0)
        return -1;
    transfer_plain(how, a, 1 / rate, spec_get(spec, "work") ? work : a / 2);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (spec_get(spec, own[i].key) && measure(&own[i].leg->a, spec, own[i].key, "2us", QUANTITY_TIME, err) < 0)
            return -1;
        if (own[i].rate && spec_get(spec, own[i].rate)) {
            if (measure(&rate, spec, own[i].rate, "200Gb/s", QUANTITY_RATE, err) < 0)
                return -1;
            own[i].leg->byte = 1 / rate;
        }
        own[i].leg->work = fmin(own[i].leg->work, own[i].leg->a);
    }
    return 0;
}

/* One message of the model, between two processes that do nothing else. */
static double cost_message(struct cost *c, double bytes, struct err *err)
{
    double time = 0, there;

    if (cost_begin(c, 0, err) < 0)
        return NAN;
    there = c->kind->send(c, 0, 1, bytes, &time, err);
    return c->kind->take && !isnan(there) ? c->kind->take(c, 1, bytes, there, 0) : there;
}

/* The line through a byte and a megabyte of a model that has no network. */
static int machine_cost(struct request *q, const char *text, struct err *err)
{
    struct cost_network none = { .seed = q->common.seed };
    const struct cost_kind *kind = cost_named(text);
    double one, large, middle, byte;
    struct cost c = { 0 };
    int ret = -1;

    if (kind && (kind->network || kind->steps || !kind->send))
        return err_set(err, ERR_USAGE, "--cost '%.80s' is of whole networks; legs are of one message: links, loggp, "
                       "hockney, legs,a=TIME,rate=RATE, via,wait=polling or @FILE of `metapath fit`", text);
    if (cost_open(&c, text, 2, &none, err) < 0)
        return -1;
    one = cost_message(&c, 1, err);
    middle = cost_message(&c, LARGE / 2, err);
    large = cost_message(&c, LARGE, err);
    if (isnan(one) || isnan(middle) || isnan(large))
        goto done;
    byte = (large - one) / (LARGE - 1);
    transfer_plain(&q->how, one - byte, byte, c.o > 0 ? c.o : one / 2);
    if (!(byte > 0) || fabs(one + byte * (LARGE / 2 - 1) - middle) > 1e-6 * middle)
        err_set(err, ERR_DOMAIN, "--cost '%.80s' is no line a + m/B with a rate, as a leg is: write its file anew by "
                "`metapath fit -o FILE.cost`, with pieces, or say hockney,a=TIME,rate=RATE", text);
    else
        ret = 0;
done:
    cost_close(&c);
    return ret;
}

/* Pieces of a log: control messages take what the smallest do, bytes the rate of the last; before the greatest jump of
 * the start messages are eager, as measured. */
static void machine_pieces(struct request *q)
{
    const struct fitted_piece *piece = q->log.piece;
    const double a = piece[0].a + piece[0].byte * piece[0].from;

    transfer_plain(&q->how, a, piece[q->log.npiece - 1].byte, a / 2);
    for (size_t k = 1; k < q->log.npiece; k++)
        q->jump = !q->jump || piece[k].a / piece[k - 1].a > piece[q->jump].a / piece[q->jump - 1].a ? k : q->jump;
    q->how.npiece = q->jump;
    for (size_t k = 0; k < q->jump; k++)
        q->how.piece[k] = (struct transfer_piece){ piece[k].from, { piece[k].a, piece[k].byte, a / 2 } };
}

static int machine_text(struct request *q, const char *text, struct err *err)
{
    const struct cost_kind *kind = cost_named(text);
    struct spec spec;
    int ret;

    if (spec_parse(&spec, text, false, err) < 0)
        return -1;
    ret = strcmp(spec.name, "via") == 0 ? transfer_via(&q->how, &spec, err) :
        strcmp(spec.name, "legs") == 0 ? machine_legs(q, &spec, err) :
        kind && kind->says ? machine_links(q, &spec, err) : machine_cost(q, text, err);
    spec_release(&spec);
    return ret;
}

int protocol_machine(struct request *q, struct err *err)
{
    const bool log = q->cost && *q->cost == '@';
    char a[40];

    if (log && fitted_read(&q->log, q->cost + 1, err) < 0)
        return -1;
    if (q->log.npiece && !(q->log.piece[q->log.npiece - 1].byte > 0))
        return err_set(err, ERR_FORMAT, "%.200s: its last piece has no rate: measure larger messages", q->cost + 1);
    if (q->log.npiece)
        machine_pieces(q);
    else if (machine_text(q, log ? q->log.spec : q->cost ? q->cost : "links", err) < 0)
        return -1;
    if (!log && !q->how.copies) {
        q->how.copies = AT_SENDER | AT_RECEIVER;
        q->how.copy = COPY;
    }
    snprintf(q->machine, sizeof q->machine, "Legs of %s at %.6g MB/s, %.150s", quantity_text(a, q->how.send.a,
             QUANTITY_TIME), 1e-6 / q->how.send.byte, q->cost ? q->cost : "not fitted to any machine");
    return 0;
}
