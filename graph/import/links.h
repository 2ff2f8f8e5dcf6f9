/* links.h -- a list of pairs of nodes as a text file gives it, one link at a time, made into a network.
 * When every node is a whole number without leading zeros, the nodes are the numbers 0..largest; otherwise they
 * are names, numbered in the order they were first seen. A weight is on every link or on none.
 * Errors  ERR_FORMAT, beginning with path:line. */
#pragma once

#include "graph/import/import.h"
#include "graph/base/names.h"

struct links {
    struct names names;         /* nodes as written */
    int *end;                   /* 2 per link, numbers of `names` */
    double *weight;             /* NULL as long as the links have none */
    double *bandwidth, *length; /* 2 per link, there and back; likewise */
    struct links_said {
        size_t line;            /* a line that gives one; 0: none yet */
        bool unit;              /* in bits per second, in seconds */
    } said[2];                  /* of bandwidth, length */
    char **port;                /* 2 per link; likewise */
    size_t *line;
    size_t n;
};
/* What lists may say of a link: columns of CSV, keys of dictionaries, attributes of edges. */
enum { LINK_WEIGHT, LINK_BANDWIDTH, LINK_LATENCY, LINK_CABLES, LINK_PORT, LINK_OTHER_PORT, LINK_ATTRIBUTES };
extern const char *const link_attribute[LINK_ATTRIBUTES];

/* What a list says of a link: one cable, or several that are alike; texts must outlive links_finish, ports are copied.
 * A bandwidth is a number of unit links or a rate as in 200Gb/s, a latency a number of cycles or a time as in 100ns,
 * for all links alike; a row that says nothing of it has 1 and 0 where they are plain numbers. */
struct link {
    const char *from, *to;      /* must outlive links_finish */
    size_t from_len, to_len;
    const char *weight;         /* NULL: none; must be followed by a byte that ends a number */
    size_t weight_len;
    size_t line;
    const char *said[LINK_ATTRIBUTES];  /* but for the weight. NULL: the list has no such column; else texts of their
                                         * own, "" where the row says nothing */
};

int links_add(struct links *links, const struct link *link, const char *path, struct err *err);
/* The same between nodes that are numbered already, of that weight (NULL: none); no names are read. */
int links_add_between(struct links *links, int from, int to, const double *weight, const struct link *link,
                      const char *path, struct err *err);
/* Hands over the cables and what is known of them; `links` is to be released either way. */
void links_take(struct links *links, struct import *in);
/* The same, and the nodes by their names, in that order. */
int links_named(struct links *links, struct import *in, struct err *err);
/* The same, numbered where names are numbers; `links` is to be released either way. */
int links_finish(struct links *links, struct import *in, const char *path, struct err *err);
void links_release(struct links *links);

/* Whether CSV text begins with a heading that names a pair (csv_pair); other CSV is a matrix. -1: memory ran out. */
int links_heading(const char *text, size_t len, struct err *err);
