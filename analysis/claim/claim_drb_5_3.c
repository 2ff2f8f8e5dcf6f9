#include "analysis/claim/drb.h"
#include "texts/claim.h"

const struct claim claim_drb_5_3 = {
    CLAIM_DRB_5_3_ENTRY,
    .run = drb_run,
    .table = &(const struct drb_table){ "5-3", NULL }
};
