#include "analysis/claim/rmpi.h"
#include "texts/claim.h"

static int claim_rmpi_4_explain(struct claim_cell *cell, const struct rmpi_row *row, struct err *err)
{
    if (strcmp(row->pattern, "binary") == 0) {
        double hops;

        if (rmpi_counted_tree(&hops, row, err) < 0)
            return -1;
        claim_explain(cell, hops, RMPI_COUNTED_TREE);
    }
    if (strcmp(row->pattern, "sequential") == 0) {
        double last = rmpi_printed(row, row->n - 1, row->pattern), before = rmpi_printed(row, row->n - 2, row->pattern);

        claim_explain(cell, last + (last - before), "the column adds up process by process, and adds the increment of "
                      "the row before a second time");
    }
    return 0;
}

const struct claim claim_rmpi_4 = {
    CLAIM_RMPI_4_ENTRY,
    .run = rmpi_run,
    .table = (const struct rmpi_table[]){ { .network = "ring", .spec = "ring:16,directed=yes", .serial = true,
                                            .explain = claim_rmpi_4_explain }, { 0 } }
};
