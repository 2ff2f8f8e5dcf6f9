/* export.h -- networks into files that others read, and network-file reads back. One file export_NAME.c per format,
 * which says in templates how a node, a cable and its ends are written; all share one walk over these.
 * What a format cannot say is refused where another network would come back (cables in parallel, one-way links), else
 * counted in `lost`.
 * Errors  ERR_DOMAIN for networks that the format cannot say; ERR_USAGE for a format that is not there. */
#pragma once

#include "graph/addresses.h"
#include "graph/base/entry.h"

/* What a network may have, and a format can say or not. */
enum export_thing { EXPORT_NAMES, EXPORT_KINDS, EXPORT_PLACES, EXPORT_WEIGHTS, EXPORT_BANDWIDTHS, EXPORT_LATENCIES,
                    EXPORT_PORTS, EXPORT_ALONE, EXPORT_PARALLEL, EXPORT_DIRECTED, EXPORT_THINGS };
#define SAYS(thing) (1u << EXPORT_##thing)

struct export {
    FILE *f;
    struct net *net;
    struct addresses address;
    int *number;                /* n: by which `numbered` formats call a node: among switches, or among adapters */
    int64_t *first, *edge;      /* by node: its cables, edge[first[v]] to edge[first[v + 1] - 1] */
    size_t count[EXPORT_THINGS];
    bool uneven;                /* cables are written from both ends, each with what it carries its own way */
};

/* Templates are text in which these stand for
 *   %v %b   a node, the other end of a cable (escaped)     %n %m  their numbers     %i %j  their indices
 *   %p      ports of a device      %g  its guid      %P %Q  numbers of ports at both ends      %h  port of its adapter
 *   %w      ibsim's width and speed      %B %L  bandwidth and latency with units      %l  BookSim's latency, if it is not 1
 *   %d      DOT's sign of a cable      %e  the edge's index      %A  attributes by `said`      %K  those that there are, each by `key`      %%  a '%' */
struct export_format {
    ENTRY;                      /* synopsis: its extensions, as of network-file */
    unsigned says;
    const char *head[2];        /* undirected, directed; NULL: as the first */
    const char *key;            /* %k name, %t double or string, %f node or edge */
    const char *node[2];        /* a switch, an adapter; a node of either kind where the second is NULL */
    const char *cable[2];       /* that leads to a switch, to an adapter; likewise */
    const char *again;          /* of every cable once more, after all of them */
    const char *join;           /* between cables, and between nodes */
    const char *middle, *tail;  /* between nodes and cables; behind all */
    const char *own[2];         /* a switch's own adapter among its cables, and as a node at the end; NULL: a node may be
                                 * terminal and switch at once */
    const char *closed;         /* behind the cables of a node. NULL: cables follow all nodes, once each */
    const char *said[4];        /* attributes: before the first, each (%k name, %s value), between, behind the last */
    const char *quote;          /* around values that are texts */
    const char *const *escape;  /* pairs: what may not stand in a text, and what stands for it; NULL for what cannot */
    /* Instead of all that. */
    int (*write)(struct export *x, struct err *err);
    bool widths;                /* it says bandwidths by %w alone */
    bool unread;                /* no network-file reads it back */
    bool routed;                /* it is the tables of a routing that are written, by the caller */
};
KIND_HEADER(export, export, struct export_format);

/* The format of "FORMAT:FILE" or by the extension of "FILE"; *path is where the file's name begins. */
const struct export_format *export_choose(const char **path, const char *text, struct err *err);
/* lost: what the file does not say, as in "names of 3 nodes", to be freed; NULL: nothing. */
int export_write(FILE *f, const struct export_format *format, struct net *net, char **lost, struct err *err);
/* For formats that write themselves: a text with what may not stand in it replaced; -1: it cannot be said. */
int export_text(const struct export *x, const struct export_format *format, const char *text);

extern const char *const export_xml[], *const export_backslash[];     /* escapes that several have */
