/* drb.h -- what the tables and statements of chapter 5 of the thesis on Distributed Routing Balancing share: metapath
 * statistics, as the command `stats` has them. Rows of metapath_statistics.csv are of networks of 1024 nodes; mean,
 * lengthening and deviation are compared. */
#pragma once

#include "analysis/claim/claim.h"
#include "analysis/metapath/metapath.h"

enum { DRB_TABLES = 3, DRB_MOST_ROWS = 40 };

enum drb_method { DRB_STATIC, DRB_RANDOM, DRB_SUBNETWORK, DRB_SINGLE, DRB_DOUBLE, DRB_METHODS };

struct drb_row {
    const char *supernode;      /* as published */
    enum drb_method method;
    int size;                   /* nodes of a row, dimensions of a subcube, radius of an area */
    struct metapath_stats stats;
    double static_mean;         /* hops */
    size_t line;                /* row of the published data */
};
/* The rows of one table in the file's order: by method, the largest supernode first. */
struct drb_found {
    struct drb_row row[DRB_MOST_ROWS];
    size_t n;
};

/* Statistics of one supernode, written as in the tables. Its options follow their conventions ("5-2": destinations on
 * the row's whole line are left out; "5-3": the source stands in the middle of its row). Without the distribution. */
int drb_stats(struct drb_row *row, const char *table, const char *topology, const char *supernode, struct err *err);
int drb_find(struct drb_found *found, const char *table, const struct csv *published, const struct tick *t,
             struct err *err);

struct drb_table {
    const char *table;          /* "5-2" */
    /* Offers an explanation of a lengthening; NULL: none is known. */
    void (*explain)(struct claim_cell *lengthening, const struct drb_row *row);
};
/* `run` of a claim whose `table` is a drb_table. */
int drb_run(const struct claim_sink *sink, struct err *err);
