/* route.h -- routing: where a message goes next.
 * A routing answers one question, the next hops towards a target and their shares; paths and all that follows
 * from them are derived in route.c. A routing is opened on a network and may keep state there (distances, the
 * last search), so one opened routing serves one thread.
 * Units   hops count links crossed; shares of one answer sum to 1.
 * Errors  ERR_USAGE for a routing that does not fit the network, ERR_NETWORK where there is no path. */
#ifndef MODEL_ROUTE_H
#define MODEL_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "graph/net.h"

struct hop {
    int node;
    double share;
};
struct route;

struct routing {                    /* a routing opened on a network */
    const struct route *route;
    struct net *net;                /* outlives the routing */
    void *state;
    bool invariant;                 /* looks the same from every node: next(u, v) = u + next(0, v - u) */
    size_t most;                    /* hops an answer may hold */
};

struct route {
    const char *name, *summary, *source;
    bool minimal;                   /* all its paths are shortest */
    bool (*fits)(const struct net *net);
    const char *needs;              /* what a network must have for it to fit */
    /* Sets state, invariant and most. On error nothing is kept. */
    int (*open)(struct routing *r, struct err *err);
    void (*close)(struct routing *r);
    /* Next hops at `node` towards `target`, having come in by `in` (-1: injected). node differs from target. */
    int (*next)(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err);
};

extern const struct route *const route_all[];       /* NULL-terminated, by name */
const struct route *route_find(const char *name, struct err *err);

/* `name` NULL or "auto": dimension order where the network has dimensions, else minimal. */
int routing_open(struct routing *r, struct net *net, const char *name, struct err *err);
void routing_close(struct routing *r);              /* a zeroed struct is fine */

/* Nodes from source to target, both included. Buffers are reused from call to call. */
struct route_path {
    int *node;
    size_t n, cap;
    struct hop *hop;                /* scratch */
    size_t most;
};
/* ERR_USAGE where the routing spreads over several next hops: it has no single path. */
int route_path(struct route_path *path, struct routing *r, int source, int target, struct err *err);
void route_path_release(struct route_path *path);

#endif
