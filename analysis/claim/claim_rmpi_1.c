#include "analysis/claim/rmpi.h"
#include "texts/claim.h"

static int claim_rmpi_1_explain(struct claim_cell *cell, const struct rmpi_row *row, struct err *)
{
    if (strcmp(row->pattern, "sequential") == 0 && strcmp(row->degree, "first") == 0)
        claim_explain(cell, row->n, "counts the root too; the paper's text and its star table have N-1, the processes "
                      "that receive");
    return 0;
}

const struct claim claim_rmpi_1 = {
    CLAIM_RMPI_1_ENTRY,
    .run = rmpi_run,
    .table = (const struct rmpi_table[]){ { .network = "fully_connected", .spec = "complete:16",
                                            .explain = claim_rmpi_1_explain }, { 0 } }
};
