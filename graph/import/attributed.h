/* attributed.h -- nodes and cables with attributes by name, as node-link JSON, DOT and Slurm's files give them, made into
 * a network: nodes are numbered in the order they were first seen. Attributes of nodes: kind or type (terminal, host,
 * switch, router), x and y, pos ("x,y"); of cables those of links.h. Others are passed over.
 * Errors  ERR_FORMAT, beginning with path:line. */
#pragma once

#include "graph/import/links.h"

struct attributed {
    struct links links;
    int *kind;                  /* by node: -1: not said */
    double *at;                 /* 2 by node */
    bool kinds, places;         /* some node says */
    bool known[LINK_ATTRIBUTES];    /* some cable may say: to be set before the first */
    char **text;                /* what names point to that stands in no text */
    size_t ntext;
    const char *path;
};
#define ATTRIBUTE_ROOM 80
typedef char attribute_text[ATTRIBUTE_ROOM];        /* "": not said */

/* The node of that name, new or not. `copy`: the text does not outlive the call. -1: memory. */
int attributed_node(struct attributed *a, const char *text, size_t len, bool copy, struct err *err);
int attributed_node_says(struct attributed *a, int node, const char *key, const char *value, struct err *err);
/* Keeps a value of `said`, of LINK_ATTRIBUTES, if the key is one of them. */
int attributed_cable_says(attribute_text *said, const char *key, const char *value, const char *path, size_t line,
                          struct err *err);
int attributed_cable(struct attributed *a, int from, int to, attribute_text *said, size_t line, struct err *err);
/* Hands over the network where ret is 0; releases all either way. Returns ret, or -1. */
int attributed_finish(struct attributed *a, struct import *in, int ret, struct err *err);
