/* path_table.h -- paths that a file gives, put together by channel and looked up by a channel's name or its nodes. */
#pragma once

#include "graph/base/csv.h"
#include "model/routing/route.h"

struct given {                      /* a way of the file */
    const char *name;               /* of its stream; NULL: none */
    int source, target;
    size_t way, line;
    double share;
};
struct path_stream {
    const char *name;
    int source, target;
    size_t first, n;                /* in `given`, which is sorted by channel */
};
struct path_table {
    struct csv csv;
    char *path;
    struct ways all;                /* in the order of the file */
    struct given *given;
    struct path_stream *stream, **by_pair;
    size_t nstream;
    int64_t most;                   /* ways of a stream that are used */
};

/* From `all` and `given`, in the order of the file, to channels: each leads from one node to one other, over ways that
 * differ, and shares then sum to 1. ERR_FORMAT names file and line; ERR_MEMORY. */
int path_table_gather(struct path_table *t, const struct net *net, struct err *err);
/* By name, else the one of the pair: that without a name, or the only one. NULL with ERR_DOMAIN where there is none, or
 * several. */
const struct path_stream *path_table_find(const struct path_table *t, const struct net *net, const char *name,
                                      int source, int target, struct err *err);
/* The n stops of a way. */
const int *path_table_stops(const struct ways *w, size_t way, size_t *n);
