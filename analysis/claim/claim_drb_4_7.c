/* Section 4.7.2.4.6 of Franco's thesis: what random routing costs on regular networks, by the statistics of a
 * supernode of all nodes. A path from s over a random node to t is as long as two mean distances on the whole, wherever
 * t is, where every node sees the same network. */
#include "analysis/claim/drb.h"
#include "texts/claim.h"

static int emit(const char *net, const struct claim_sink *sink, struct err *err)
{
    struct drb_row random, none;
    double mean, least, most;

    if (drb_stats(&random, "5-1", net, "random", err) < 0 || drb_stats(&none, "5-1", net, "static", err) < 0)
        return -1;
    mean = random.stats.mean_hops / none.stats.mean_hops;
    most = random.stats.greatest_hops / none.stats.greatest_hops;
    least = random.stats.least_hops / none.stats.mean_hops;
    return claim_statement(sink, err, mean, claim_ratio(mean, 1.9, 2.1, 1), net, CLAIM_DRB_4_7_MEAN_LENGTH,
                           random.stats.mean_hops, none.stats.mean_hops) < 0 ||
        claim_statement(sink, err, most, claim_if(most < 1 + 1e-9, false), net, CLAIM_DRB_4_7_GREATEST_MEAN,
                        random.stats.greatest_hops, none.stats.greatest_hops) < 0 ||
        claim_statement(sink, err, least, claim_ratio(least, 0.95, 1.05, 1), net, CLAIM_DRB_4_7_LEAST_MEAN,
                        random.stats.least_hops, none.stats.mean_hops) < 0 ? -1 : 0;
}

static int claim_drb_4_7_run(const struct claim_sink *sink, struct err *err)
{
    return emit("torus:8x8", sink, err) < 0 || emit("hypercube:6", sink, err) < 0 ? -1 :
        emit("midimew:64", sink, err);
}

const struct claim claim_drb_4_7 = {
    CLAIM_DRB_4_7_ENTRY,
    .run = claim_drb_4_7_run
};
