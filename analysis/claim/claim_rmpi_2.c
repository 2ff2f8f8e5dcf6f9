#include "analysis/claim/rmpi.h"

static int claim_rmpi_2_run(const struct claim *claim, const struct csv *published, const struct claim_sink *sink,
                            struct err *err)
{
    static const struct rmpi_table table = { .network = "star", .spec = "star:16" };

    (void)claim;
    return rmpi_run(&table, 1, published, sink, err);
}

const struct claim claim_rmpi_2 = {
    .name = "rmpi:2",
    .summary = "Hops of MPI_Bcast on a star of 16 nodes, the root at its hub (makespan)",
    .source = "paper on reconfigurable MPI collectives, table 2",
    .file = "broadcast_hops.csv",
    .documented = { 90, 0, 0, 0 },
    .run = claim_rmpi_2_run
};
