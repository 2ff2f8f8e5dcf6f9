/* Chapter II of Drummond's dissertation: stored messages against circuits, and queues whose messages are refused, as
 * printed and mended; with what chapter III says of circuits that wait. */
#include "analysis/claim/claim.h"
#include "analysis/primitive/processors.h"
#include "model/protocol/dispatch.h"
#include "texts/claim.h"

/* Two messages, from 0 over 0-1-2 and from 1 to 0, the second due then (below 0: none): stored, or by circuits. */
static int cvp_run(struct processors_outcome *o, double length, double due, bool circuit, unsigned printed,
                   struct err *err)
{
    static const struct wire wire[] = { { .a = 0, .b = 1, .latency = 1 }, { .a = 1, .b = 2, .latency = 1 } };
    struct processors_hop hop[3] = { { .part = 1 }, { .part = 1 }, { .part = 1 } };
    struct processors_message message[] = { { .hops = 2, .circuit = circuit },
                                            { .way = 2, .hops = 1, .host = 1, .due = due, .circuit = circuit } };
    int room[] = { PROCESSORS_ENDLESS, PROCESSORS_ENDLESS }, ret;
    struct wiring w;
    const struct processors_plan p = { .w = &w, .hop = hop, .message = message, .n = due < 0 ? 1 : 2, .chain = 1,
                                       .hosts = due < 0 ? 1 : 2, .room = room, .parts = 2, .decide = 0.3,
                                       .length = length, .ack = 0.2, .confirm = 0.2, .request = 0.5, .flit = 0.5,
                                       .printed = printed };

    if (wiring_open(&w, 3, wire, 2, err) < 0)
        return -1;
    for (uint32_t h = 0; h < 4; h++)
        if (w.from[h] < 2)
            hop[w.from[h] == 0 ? 0 : w.to[h] == 2 ? 1 : 2].half = h;
    ret = processors_run(o, &p, err);
    wiring_release(&w);
    free(o->circle);
    return ret;
}

/* Messages of these classes leave a queue; the first is refused once (`first`), `late` comes when one was passed over.
 * How many are accepted in the order that is due. */
static int cvp_queue(const int *class, int n, const int *due, bool first, int late, enum dispatch_text text)
{
    struct dispatch_queue q = DISPATCH_EMPTY;
    struct dispatch_item item[8];
    int refused[] = { -1, -1, -1 }, accepted = 0, right = 0;

    for (int i = 0; i < n; i++) {
        item[i].class = class[i];
        if (i != late)
            dispatch_push(&q, item, i);
    }
    for (int tries = 0; tries < 40; tries++) {
        const int i = dispatch_next(&q, item, refused, text);
        const bool yes = i > 0 || !first;

        if (tries == 1 && late >= 0)
            dispatch_push(&q, item, late);
        if (i < 0)
            continue;
        dispatch_answered(&q, item, refused, yes, text);
        right += yes && due[accepted] == i;
        accepted += yes;
        first = first && i != 0;
    }
    return right;
}

static int claim_cvp_2_run(const struct claim_sink *sink, struct err *err)
{
    static const int figure[] = { 0, 1, 1, 0, 2 }, figure_due[] = { 1, 2, 4, 0, 3 }, one[] = { 0, 0, 0, 0 },
        due[] = { 0, 1, 2, 3 };
    const int queue[] = { cvp_queue(figure, 5, figure_due, true, -1, DISPATCH_PROSE),
                          cvp_queue(figure, 5, figure_due, true, -1, DISPATCH_MENDED),
                          cvp_queue(one, 4, due, true, 3, DISPATCH_PROSE),
                          cvp_queue(figure + 1, 2, due, false, -1, DISPATCH_FIGURE) };
    static const double length[] = { 1, 20 };
    struct processors_outcome o[5] = { { 0 } };
    double times[2];

    for (int k = 0; k < 2; k++) {
        if (cvp_run(&o[0], length[k], -1, false, 0, err) < 0 || cvp_run(&o[1], length[k], -1, true, 0, err) < 0)
            return -1;
        times[k] = o[0].makespan / o[1].makespan;
    }
    if (cvp_run(&o[2], 20, 100, false, PRINTED_ACK, err) < 0 || cvp_run(&o[3], 20, 100, true, PRINTED_ASK, err) < 0 ||
        cvp_run(&o[4], 20, 0.4, true, PRINTED_FREE, err) < 0)
        return -1;
    const struct {
        const char *where, *quantity, *printed, *why;
        double ours;
        enum claim_verdict verdict;
    } row[] = {
        { CLAIM_CVP_2_STORED, times[1], claim_if(times[0] > 1 && times[1] > 1, times[1] > 1) },
        { CLAIM_CVP_2_ORDER_OF_5, queue[0], claim_if(queue[0] == 5 && queue[1] == 5, false) },
        { CLAIM_CVP_2_ORDER_OF_4, queue[2], claim_if(queue[2] == 4, false) },
        { CLAIM_CVP_2_SENT, queue[3], claim_if(queue[3] == 2, false) },
        { CLAIM_CVP_2_ACKNOWLEDGED, o[2].came, claim_if(o[2].came == 2, false) },
        { CLAIM_CVP_2_CIRCUIT, o[3].came, claim_if(o[3].came == 2, false) },
        { CLAIM_CVP_2_FREED, o[4].beyond, claim_if(o[4].beyond == 0, false) }
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (claim_statement(sink, err, row[i].ours, row[i].verdict, row[i].where, row[i].quantity, row[i].printed, "%s",
                            row[i].why) < 0)
            return -1;
    return 0;
}

const struct claim claim_cvp_2 = {
    CLAIM_CVP_2_ENTRY,
    .run = claim_cvp_2_run
};
