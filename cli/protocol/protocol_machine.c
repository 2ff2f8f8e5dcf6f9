/* Legs of a machine: of links as `collective` has them, of via, or of the pieces that `metapath fit` wrote. */
#include "analysis/collective/cost.h"
#include "cli/protocol/protocol.h"
#include "cli/request/collective_request.h"
#include "graph/base/spec.h"

static int machine_links(struct request *q, const struct spec *spec, struct err *err)
{
    const struct cost_kind *kind = cost_find(spec->name, err);
    double overhead, cable, rate;

    if (kind && !kind->says)
        return err_set(err, ERR_USAGE, "--cost '%.80s' is no line a + m/B, as a leg is: it may be links,overhead=1us,"
                       "cable-time=100ns,rate=200Gb/s, via,wait=polling or @FILE of `metapath fit`", spec->text);
    if (!kind || spec_check(spec, kind->keys, NULL, err) < 0 ||
        collective_measure(&overhead, q->overhead ? q->overhead : spec_get(spec, "overhead"), "1us", QUANTITY_TIME,
                           "overhead", err) < 0 ||
        collective_measure(&cable, q->cable_time ? q->cable_time : spec_get(spec, "cable-time"), "100ns", QUANTITY_TIME,
                           "cable-time", err) < 0 ||
        collective_measure(&rate, q->line_rate ? q->line_rate : spec_get(spec, "rate"), "200Gb/s", QUANTITY_RATE,
                           "rate", err) < 0)
        return -1;
    transfer_plain(&q->how, 2 * overhead + cable, 1 / rate, overhead);
    return 0;
}

/* Control messages take what the smallest do, bytes the rate of the last piece; before the greatest jump of the start
 * messages are eager, as measured. */
static int machine_pieces(struct request *q, struct err *err)
{
    const struct fitted_piece *piece = q->log.piece;
    const double a = piece[0].a + piece[0].byte * piece[0].from, byte = piece[q->log.npiece - 1].byte;

    if (!(byte > 0))
        return err_set(err, ERR_FORMAT, "%.200s: its last piece has no rate: measure larger messages", q->cost + 1);
    transfer_plain(&q->how, a, byte, a / 2);
    for (size_t k = 1; k < q->log.npiece; k++)
        q->jump = !q->jump || piece[k].a / piece[k - 1].a > piece[q->jump].a / piece[q->jump - 1].a ? k : q->jump;
    q->how.npiece = q->jump;
    for (size_t k = 0; k < q->jump; k++) {
        q->how.from[k] = piece[k].from;
        q->how.piece[k] = (struct transfer_leg){ piece[k].a, piece[k].byte, a / 2 };
    }
    return 0;
}

int protocol_machine(struct request *q, struct err *err)
{
    const bool log = q->cost && *q->cost == '@';
    const char *text = q->cost ? q->cost : "links";
    struct spec spec;
    int ret;

    if (log && fitted_read(&q->log, text + 1, err) < 0)
        return -1;
    text = log ? q->log.spec : text;
    if (q->log.npiece)
        return machine_pieces(q, err);
    if (spec_parse(&spec, text, false, err) < 0)
        return -1;
    ret = strcmp(spec.name, "via") == 0 ? transfer_via(&q->how, text, err) : machine_links(q, &spec, err);
    spec_release(&spec);
    if (ret == 0 && !log && !q->how.copies) {
        q->how.copies = AT_SENDER | AT_RECEIVER;
        q->how.copy = 1e-10;             /* 10 GB/s */
    }
    return ret;
}
