#include "analysis/claim/rmpi.h"
#include "texts/claim.h"

const struct claim claim_rmpi_2 = {
    CLAIM_RMPI_2_ENTRY,
    .run = rmpi_run,
    .table = (const struct rmpi_table[]){ { .network = "star", .spec = "star:16", .routing = "minimal" }, { 0 } }
};
