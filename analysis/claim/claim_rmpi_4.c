#include <string.h>

#include "analysis/claim/rmpi.h"

static int claim_rmpi_4_explain(struct claim_cell *cell, const struct rmpi_row *row, struct err *err)
{
    (void)err;
    if (strcmp(row->pattern, "sequential") == 0) {
        double last = rmpi_printed(row, row->n - 1, row->pattern), before = rmpi_printed(row, row->n - 2, row->pattern);

        claim_explain(cell, last + (last - before), "the column adds up process by process, and adds the increment of "
                      "the row before a second time");
    }
    return 0;
}

const struct claim claim_rmpi_4 = {
    .name = "rmpi:4",
    .summary = "Hops of MPI_Bcast on a ring of 16 nodes, links one way (serialised)",
    .source = "paper on reconfigurable MPI collectives, table 4",
    .file = "broadcast_hops.csv",
    .documented = { 70, 0, 2, 18 },
    .run = rmpi_run,
    .table = (const struct rmpi_table[]){ { .network = "ring", .spec = "ring:16,directed=yes", .serial = true,
                                            .explain = claim_rmpi_4_explain }, { 0 } }
};
