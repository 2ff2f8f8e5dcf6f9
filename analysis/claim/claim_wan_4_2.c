#include "analysis/claim/wan.h"
#include "texts/claim.h"

static double number(const struct csv *t, size_t row, int column)
{
    return strtod(csv_at(t, row, column), NULL);
}

static double arrival(const struct relay *r, int process)
{
    return r->at[tree_rank(process, r->root, r->tree->n)];
}

/* Printed are whole runs, with the start of MPI and overlapping broadcasts: only the time that another broadcast adds
 * can be compared with the trees. */
static int emit_times(const struct claim_sink *sink, const struct relay *binomial, const struct relay *magpie,
                      struct err *err)
{
    const struct csv *t = sink->published;
    const size_t last = t->nrow - 1;
    int count, times[2], gain;
    char where[80];

    if (claim_columns((int *const[]){ &count, &times[0], &times[1], &gain }, t,
                      "broadcasts,binomial_s,magpie_s,gain_percent", err) < 0)
        return -1;
    for (size_t r = 0; r < t->nrow; r++) {
        const double printed = strtod(csv_at(t, r, gain), NULL), ours = 100 * (1 - magpie->broadcast /
                                                                              binomial->broadcast);

        snprintf(where, sizeof where, "table 4.2, broadcasts: %s", csv_at(t, r, count));
        if (claim_statement(sink, err, ours, claim_ratio(ours, printed - 0.5, printed + 0.5, 0), where,
                            "per cent gained by magpie", csv_at(t, r, gain), "magpie gains; its "
                            "broadcasts alone take %.4g against %.4g ms, printed are whole runs with their start",
                            magpie->broadcast, binomial->broadcast) < 0)
            return -1;
    }
    for (int k = 0; k < 2; k++) {
        const double each = (number(t, last, times[k]) - number(t, last - 1, times[k])) /
            (number(t, last, count) - number(t, last - 1, count)), ours = (k ? magpie : binomial)->broadcast / 1e3;
        char printed[24];

        snprintf(printed, sizeof printed, "%.3f", each);
        if (claim_statement(sink, err, ours, claim_ratio(ours / each, 0.99, 1.01, 1), k ? "table 4.2, magpie" :
                            "table 4.2, binomial", "seconds that another broadcast adds, from 4 to 16", printed,
                            "printed is less than a broadcast takes alone: "
                            "one begins before the last is over, by %.0f per cent of it", 100 * (1 - each / ours)) < 0)
            return -1;
    }
    return 0;
}

static int claim_wan_4_2_run(const struct claim_sink *sink, struct err *err)
{
    static const char wait[] = "ms until process 0 has the message";
    struct wan w;
    struct relay binomial = { 0 }, magpie = { 0 };
    struct tree_shape shape[2] = { { 0 }, { 0 } };
    int ret;

    if (wan_open(&w, err) < 0)
        return -1;
    ret = wan_relay(&binomial, &shape[0], &w, "binomial", err) < 0 ||
        wan_relay(&magpie, &shape[1], &w, "magpie", err) < 0 ||
        claim_number(sink, err, "section 4.1, binomial", wait, "96.5", arrival(&binomial, 0)) < 0 ||
        claim_number(sink, err, "section 4.1, magpie", wait, "14.9", arrival(&magpie, 0)) < 0 ||
        claim_statement(sink, err, 100 * arrival(&magpie, 0) / arrival(&binomial, 0), CLAIM_FAILS,
                        CLAIM_WAN_4_2_CENT_MAGPIE, 100 - 100 * arrival(&magpie, 0) / arrival(&binomial, 0)) < 0 ||
        emit_times(sink, &binomial, &magpie, err) < 0 ? -1 : 0;
    relay_close(&binomial);
    relay_close(&magpie);
    tree_shape_release(&shape[0]);
    tree_shape_release(&shape[1]);
    wan_close(&w);
    return ret;
}

const struct claim claim_wan_4_2 = {
    CLAIM_WAN_4_2_ENTRY,
    .run = claim_wan_4_2_run
};
