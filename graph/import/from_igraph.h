/* from_igraph.h -- GraphML and GML through igraph's readers, held to what the text declares. */
#pragma once

#include "graph/import/declared.h"

/* igraph numbers the nodes of GraphML as they are first mentioned, those of GML as they are declared. */
enum igraph_order { IGRAPH_ORDER_MENTIONED, IGRAPH_ORDER_DECLARED };

typedef igraph_error_t igraph_reader(igraph_t *graph, FILE *file);

/* `d` has been through declared_end. Nodes come in the order of declaration; they are called by the attribute
 * `name`, else by `label` when that tells all of them apart, else by their ids. Edges have the attribute `weight`
 * for weight, which must be a number, and bandwidth, latency, cables, source_port and target_port as links.h has them.
 * An attribute `kind` or `type` of which any value is terminal, host, switch
 * or router says what the nodes are. */
int from_igraph(struct import *in, const struct declared *d, igraph_reader *reader, enum igraph_order order,
                const char *text, size_t len, const char *path, struct err *err);
