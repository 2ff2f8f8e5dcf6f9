/* import.h -- networks from files. One file import_NAME.c per format.
 * A reader yields plain arrays; what all formats must keep is checked here once, after it:
 * no loops, no repeated edges, weights finite and not negative, at least one node. */
#ifndef GRAPH_IMPORT_H
#define GRAPH_IMPORT_H

#include "graph/net.h"

struct import {
    bool directed;
    int n;
    size_t nedge;
    int *end;                   /* 2 per edge: from, to */
    double *weight;             /* nedge, or NULL */
    char **name;                /* n, or NULL when nodes are numbered */
    int *kind;                  /* n: 1 a terminal, 0 a switch; or NULL */
    size_t *line;               /* nedge: line of the file an edge stands on, or NULL */
};

struct import_format {
    const char *name, *summary;
    const char *extensions;     /* space-separated, with dots: ".graphml .xml" */
    const char *example;        /* a few lines of a valid file, for help and tests */
    /* True when `text` looks like this format (for files with other extensions). */
    bool (*sniff)(const char *text, size_t len);
    /* Messages begin with `path` and, where lines mean something, ":LINE". */
    int (*read)(struct import *in, const char *text, size_t len, const char *path, struct err *err);
};

extern const struct import_format *const import_all[];  /* NULL-terminated */

/* Reads `path` in the format named ("" or NULL: by extension, else by looks). */
int import_read(struct import *in, const char *path, const char *format, struct err *err);
void import_release(struct import *in);

#endif
