/* trace.h -- messages of a trace from a CSV file: columns time (or time_cycles), source and destination (as csv_pair
 * has them) and flits, a row a message. Nodes by name, coordinates or number; terminals, and different. Rows may stand
 * in any order; those of one time keep theirs.
 * Units   cycles from the beginning, 0 to TRAFFIC_MOST; whole flits.
 * Errors  ERR_FORMAT ("path:line: ..."), those of csv_read. */
#pragma once

#include "analysis/simulate/simulate.h"

#define TRACE_FLITS 1000000000          /* of a message, at most */

/* At least one, ascending by time; to be freed. */
int trace_read(struct simulate_message **out, size_t *n, const struct net *net, const char *path, struct err *err);
