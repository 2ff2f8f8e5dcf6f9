#include "analysis/claim/rmpi.h"

const struct claim claim_rmpi_2 = {
    .name = "rmpi:2",
    .summary = "Hops of MPI_Bcast on a star of 16 nodes, the root at its hub (makespan)",
    .source = "paper on reconfigurable MPI collectives, table 2",
    .file = "broadcast_hops.csv",
    .run = rmpi_run,
    .table = (const struct rmpi_table[]){ { .network = "star", .spec = "star:16", .routing = "minimal" }, { 0 } }
};
