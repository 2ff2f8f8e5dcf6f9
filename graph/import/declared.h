/* declared.h -- the nodes and edges that a GraphML or GML file writes down, found by a light scan of its text.
 * igraph's readers make a node of every identifier an edge mentions, take the second of two equal nodes for the
 * first, and give no lines; what they return is held to this. */
#pragma once

#include "graph/import/import.h"
#include "graph/base/names.h"

struct declared {
    char *copy;                 /* of the text: identifiers are decoded in it, and `ids` points into it */
    struct names ids;           /* by first mention, in a node or an edge */
    size_t *node_line;          /* per identifier: where its node stands, 0 while only edges mention it */
    int *node;                  /* per identifier: number of its node, in the order nodes are declared */
    int nnode;
    int *end;                   /* 2 per edge: identifiers; nodes after declared_end */
    size_t *line;
    size_t nedge;
    bool directed;
};
struct identifier {
    char *text;                 /* NULL: not given */
    size_t len;
};

int declared_begin(struct declared *d, const char *text, size_t len, struct err *err);
int declared_node(struct declared *d, const struct identifier *id, size_t line, const char *path, struct err *err);
int declared_edge(struct declared *d, const struct identifier *from, const struct identifier *to, size_t line,
                  const char *path, struct err *err);
/* Refuses edges to nodes that are not there. */
int declared_end(struct declared *d, const char *path, struct err *err);
void declared_release(struct declared *d);
