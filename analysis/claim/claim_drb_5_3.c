#include "analysis/claim/drb.h"

const struct claim claim_drb_5_3 = {
    .name = "drb:5-3",
    .summary = "Metapath statistics of the midimew of 1024 nodes (the caption's 34 x 34 is wrong)",
    .source = "thesis on Distributed Routing Balancing (D. Franco), table 5-3",
    .file = "metapath_statistics.csv",
    .run = drb_run,
    .table = &(const struct drb_table){ "5-3", NULL }
};
