/* arrows.h -- rows of messages between nodes (columns topology, from_node, to_node) as arrows over their networks: a
 * panel for each value of a column, up to twelve; the sender of a panel's first row is filled. Messages within a node
 * are not drawn. */
#pragma once

#include "cli/request/options.h"

int arrows_draw(struct picture *f, const struct table *t, const char *by, struct err *err);
