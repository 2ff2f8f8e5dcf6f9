#include "analysis/claim/drb.h"
#include "texts/claim.h"

/* The printed lengthenings of the double areas come from the printed means, not from the exact ones. */
static void claim_drb_5_2_explain(struct claim_cell *cell, const struct drb_row *row)
{
    double mean = row->stats.mean_hops, base = round(row->static_mean * 10) / 10;

    if (row->method != DRB_DOUBLE)
        return;
    claim_explain(cell, (round(mean * 10) / 10 / base - 1) * 100, "computed from the mean rounded to one decimal, over "
                  "16.0");
    claim_explain(cell, (floor(mean * 100) / 100 / base - 1) * 100,
                  "computed from the mean cut off after two decimals, over 16.0");
}

const struct claim claim_drb_5_2 = {
    CLAIM_DRB_5_2_ENTRY,
    .run = drb_run,
    .table = &(const struct drb_table){ "5-2", claim_drb_5_2_explain }
};
