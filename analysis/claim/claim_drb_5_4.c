#include "analysis/claim/drb.h"
#include "texts/claim.h"

/* An index that runs one past the subcube's 2^k nodes excludes a destination at distance 1 from it, with a metapath of
 * k + 1 hops (k/2 into the subcube on average, k/2 + 1 out of it). */
static void claim_drb_5_4_explain(struct claim_cell *cell, const struct drb_row *row)
{
    static const char reason[] = "one destination more is left out, next to the subcube (an index one too far)";
    static const char cut_off[] = "one destination more is left out, next to the subcube, and digits are cut off";
    double n = row->stats.pairs / 1024, length = row->size + 1;
    double mean = (row->stats.mean_hops * n - length) / (n - 1), predicted = (mean / row->static_mean - 1) * 100;

    if (row->method != DRB_SUBNETWORK || cell->verdict != CLAIM_UNEXPLAINED)
        return;
    claim_explain(cell, predicted, reason);
    if (cell->verdict == CLAIM_UNEXPLAINED && claim_truncates_to(predicted, cell->printed)) {
        cell->verdict = CLAIM_EXPLAINED;
        cell->reason = cut_off;
    }
}

const struct claim claim_drb_5_4 = {
    CLAIM_DRB_5_4_ENTRY,
    .run = drb_run,
    .table = &(const struct drb_table){ "5-4", claim_drb_5_4_explain }
};
