/* rmpi.h -- what the four broadcast tables of the paper on reconfigurable MPI collectives share.
 * Rows of broadcast_hops.csv: network, N processes, pattern (a process tree, or rmbcast: the least of the four),
 * degree (first: one port, blocking; optimal: all ports, not blocking), hops. Networks have 16 nodes, process p
 * sits on node p, and process 0 is the root. */
#pragma once

#include "analysis/claim/claim.h"
#include "model/process/placement.h"
#include "model/routing/route.h"

struct rmpi_table;

struct rmpi_row {
    const struct rmpi_table *table;
    const struct csv *published;
    struct routing *routing;        /* on the table's network */
    const char *pattern, *degree;
    int n;
};
struct rmpi_table {
    const char *network;            /* its name in the file */
    const char *spec;               /* and ours */
    const char *routing;            /* NULL: dimension order */
    bool serial;                    /* serialised hops instead of the makespan */
    /* Offers an explanation of a cell; NULL: none is known. */
    int (*explain)(struct claim_cell *cell, const struct rmpi_row *row, struct err *err);
};

/* `run` of a claim whose `table` lists rmpi_tables up to one without a network: their cells, in the file's order. */
int rmpi_run(const struct claim_sink *sink, struct err *err);
/* Our value for one pattern, process p on where->node[p]. */
int rmpi_value(double *value, const char *pattern, const char *degree, bool serial, const struct placement *where,
               struct routing *routing, struct err *err);
/* The printed value of another N or pattern at the same degree in the row's table; NAN: no such cell. */
double rmpi_printed(const struct rmpi_row *row, int n, const char *pattern);
/* Serialised hops of the tree on which the binary columns of tables 3 and 4 were counted. */
int rmpi_counted_tree(double *hops, const struct rmpi_row *row, struct err *err);
/* The beginning of a reason: which tree that is, and the evidence for it. */
#define RMPI_COUNTED_TREE \
    "counted on another tree, found after the fact from the printed increments: the heap with 7 and 8 under 6, "    \
    "11 under 3, 14 under 7 and 13 under 12, and 13 taken in before 12. Several trees give these numbers; it is " \
    "neither the formula of section 2 nor what table 1 is counted on"
