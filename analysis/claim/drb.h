/* drb.h -- what tables 5-2 to 5-4 of the thesis on Distributed Routing Balancing share: metapath statistics of one
 * network of 1024 nodes. Rows of metapath_statistics.csv; mean, lengthening and deviation are compared. */
#ifndef ANALYSIS_CLAIM_DRB_H
#define ANALYSIS_CLAIM_DRB_H

#include "analysis/claim/claim.h"
#include "analysis/metapath/metapath.h"

struct drb_row {
    const char *supernode;      /* as published */
    const struct supernode *sn;
    const struct metapath_stats *stats;
    double static_mean;         /* hops */
};
struct drb_table {
    const char *table;          /* "5-2" */
    const char *row_options;    /* what the table's rows mean, as options of ours: ",origin=centre" */
    /* Offers what explains a lengthening; NULL where nothing is known. */
    void (*explain)(struct claim_cell *lengthening, const struct drb_row *row);
};
/* `run` of a claim whose `table` is a drb_table. */
int drb_run(const struct claim *claim, const struct csv *published, const struct claim_sink *sink, struct err *err);

#endif
