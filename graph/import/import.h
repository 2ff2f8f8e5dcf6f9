/* import.h -- networks from files. One file import_NAME.c per format.
 * A reader yields plain arrays; what all formats must keep is checked here once, after it:
 * at least one node, no loops, weights finite and not negative on all edges or none, names that are unique and not
 * empty, text in UTF-8. Edges between the same nodes are cables in parallel; an undirected list that gives every one
 * both ways, with the same weight, is taken as giving each once, of which each entry says the bandwidth and latency its
 * own way. A port of a node has one cable (directed: one each way). Undirected edges come out with the lower end first.
 * Errors  ERR_FORMAT for what is wrong in the file, beginning with path or path:line; ERR_USAGE for a format
 *         that is not there or a direction where the file states its own. */
#pragma once

#include "graph/base/entry.h"
#include "graph/net.h"

#define IMPORT_FARTHEST 1e9     /* coordinates beyond are ignored */

struct import {
    const struct import_wanted *wanted;     /* set before the reader begins; NULL: everything */
    bool directed;
    int n;
    size_t nedge;
    int *end;                   /* 2 per edge: from, to */
    double *weight;             /* nedge, or NULL */
    double *bandwidth, *length; /* 2 per edge, there and back (cables.h), or NULL */
    bool rates, times;          /* bandwidths are in bits per second, lengths in seconds */
    char **port;                /* 2 per edge, at its ends, or NULL; "": not known */
    bool parallel;              /* some pair of nodes is joined by several */
    char **name;                /* n, each its own allocation; NULL when nodes are numbered or names say no more */
    int *kind;                  /* n: 1 a terminal, 0 a switch; or NULL */
    double *at;                 /* 2 per node: where it is, to the right and down; NaN: not known; or NULL */
    size_t *line;               /* nedge: line of the file an edge stands on, or NULL */
    struct devices devices;
    char *unread;               /* what is said of a column that is not read and seems to be one that would; or NULL */
};

/* What the user says of a file that does not say it itself. */
enum import_direction { IMPORT_UNSAID, IMPORT_UNDIRECTED, IMPORT_DIRECTED };

/* Which devices of a fabric are taken; for formats that know these. */
struct import_wanted {
    const char *hca;            /* adapters whose description holds this pattern (as of a shell); NULL: all */
    bool aggregation;           /* nodes of switches that reduce (SHARP), too */
};

struct import_format {
    ENTRY;                      /* synopsis: its extensions, with dots, ".graphml .xml"; example: a few lines of a
                                 * valid file */
    bool states_direction;      /* the file itself says whether its edges are directed */
    bool fabric;                /* it knows adapters and what aggregates: struct import_wanted */
    /* 1 when `text` looks like this format (for files with other extensions), 0 when not; -1: memory. */
    int (*sniff)(const char *text, size_t len, struct err *err);
    /* `text` is UTF-8 without byte order mark or zero bytes, and ends with a zero byte at text[len].
     * Messages begin with `path` and, where lines mean something, ":LINE". `in` is all zero on entry but for `wanted`; what is
     * in it is released by the caller, whatever the answer. */
    int (*read)(struct import *in, const char *text, size_t len, const char *path, struct err *err);
};

KIND_HEADER(import, import, struct import_format);

/* Reads `path` ("-": standard input) in the format named ("" or NULL: by extension, else by looks). */
int import_read(struct import *in, const char *path, const char *format, enum import_direction direction,
                const struct import_wanted *wanted, struct err *err);
/* The same from text; `name` stands for the file in messages, and its extension counts. text[len] must be 0. */
int import_parse(struct import *in, const char *text, size_t len, const char *name, const char *format,
                 enum import_direction direction, struct err *err);
void import_release(struct import *in);
