/* route.h -- routing: where a message goes next.
 * A routing answers one of two questions; paths and all that follows from them are derived from the answer.
 *   next  the next hops at a node towards a target, and their shares;
 *   ways  the nodes a message visits on its way from a source to a target, the last of them the target, with the
 *         share of each such way; between two of them it goes by the routing's base, which has a single path.
 * A routing is opened on a network and may keep state there (distances, the last search), so one opened routing
 * serves one thread.
 * Units   hops count links crossed; shares of one answer sum to 1.
 * Errors  ERR_USAGE for a wrong spec, ERR_DOMAIN for a routing that does not fit the network, ERR_NETWORK where there
 *         is no path. */
#pragma once

#include "graph/base/entry.h"
#include "graph/base/spec.h"
#include "graph/net.h"

struct hop {
    int node;
    double share;
    int cable;                      /* of those that lead there, from 1; 0: all of them, in equal shares */
};
/* Multistep paths from a source to a target (Franco et al., Distributed Routing Balancing): each from stop to stop. */
struct ways {
    int *stop, *cable;              /* of all ways, one after the other; the cable that the last hop to a stop takes,
                                     * as of a hop */
    size_t nstop, stop_room;
    size_t *end;                    /* way i: stop[i ? end[i - 1] : 0] .. stop[end[i] - 1] */
    double *share;
    size_t n, room;
};
struct route;
struct routing;
struct routing_demand {             /* the demand of a pair of different nodes, in any unit */
    int source, target;
    double amount;                  /* above 0 */
};
typedef int routing_tell(struct routing *r, const struct routing_demand *pair, size_t n, const struct tick *tick,
                         struct err *err);

struct routing {                    /* a routing opened on a network */
    const struct route *route;
    char *spec;                     /* canonical */
    struct net *net;                /* outlives the routing */
    void *state;
    struct routing *base;           /* of routings with ways: what leads from stop to stop; else NULL */
    struct routing *escape;         /* of adaptive ones (adaptive.h); it outlives them */
    bool invariant;                 /* translation-invariant: next(u, v) = u + next(0, v - u), ways likewise */
    bool walks;                     /* its ways name every node: none of them is a stop */
    bool symmetric;                 /* depends on what the network looks like alone, not on how nodes or cables are
                                     * numbered, nor on what cables are like: its symmetries take ways to ways */
    bool by_group;                  /* and on the groups of its nodes: symmetries that keep these do so */
    bool over_any;                  /* its ways are by the base over every terminal, all with the same share */
    int legs;                       /* the most that a way has, 0: not known */
    bool by_bandwidth;              /* ways are chosen in proportion to 1/latency: the shares are only to begin with */
    size_t most;                    /* hops an answer of `next` may hold */
    /* Of routings whose ways depend on the traffic, else NULL: hands over the demands, pairs ascending by source, then
     * by target. Before, the ways of a pair are all that may be chosen; after, a pair that was not named has one. May
     * change `invariant`; on failure nothing was handed over. */
    routing_tell *tell;
};

struct route {
    ENTRY;                          /* keys of a spec within the spec are not among `keys` */
    bool minimal;                   /* all its paths are shortest */
    bool nearer;                    /* its next hops are all nodes that are a hop nearer */
    bool ordered;                   /* crosses one dimension after the other */
    bool metapaths;                 /* its ways are all, or the best, multistep paths of metapaths */
    bool looks_back;                /* `next` depends on where a message came in: flows that meet may not be added up */
    bool evens;                     /* without keys, what the busiest links of others are held against */
    bool symmetric;                 /* as of all its routings; of others `open` says so */
    bool (*fits)(const struct net *net);
    const char *needs;              /* what a network must have for it to fit */
    size_t state;                           /* bytes of a routing's state, zeroed before `open`; 0: it has none */
    /* Sets spec, invariant, most, base and what the state holds; all is released where it fails as well. */
    int (*open)(struct routing *r, const struct spec *spec, struct err *err);
    void (*close)(void *state);             /* what the state holds; the rest is routing_close's */
    /* Next hops at `node` towards `target`, having come in by `in` (-1: injected). node differs from target.
     * NULL: the routing has ways. */
    int (*next)(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err);
    /* Adds the ways from source to target, which differ. `stream` is the sender's name, NULL where it has none. */
    int (*ways)(struct ways *w, struct routing *r, const char *stream, int source, int target, struct err *err);
};

KIND_HEADER(route, route, struct route);

/* What a request that names no routing means: dimension order where the network has dimensions, else, by what it is
 * for, minimal, ecmp, or a single path that differs from target to target: dmodk on fat trees, spread elsewhere. */
enum routing_use { ROUTING_FOR_STOPS, ROUTING_FOR_LOAD, ROUTING_FOR_TREES };
/* `text`; for NULL or "auto" the usual routing's name. */
const char *routing_usual(const char *text, const struct net *net, enum routing_use use);
bool routing_orders(const struct net *net);         /* whether that is dimension order */

/* `text` is a spec, as in dor,order=1+2; NULL or "auto": the usual one from stop to stop. */
int routing_open(struct routing *r, struct net *net, const char *text, struct err *err);
void routing_close(struct routing *r);              /* a zeroed struct is fine */

/* For routings with ways. Opens the base that the keys base, order and tie of `spec` name (else `usual`; NULL: as
 * "auto"): it must have a single path. routing_base_spec writes those keys as given, ",order=1+2", for a canonical
 * spec. */
int routing_base(struct routing *r, const struct spec *spec, const char *usual, struct err *err);
const char *routing_base_spec(const struct spec *spec, char out[160]);
/* The keys that routing_base understands, for a route's own list of keys. */
#define ROUTING_BASE_KEYS                                                                                           \
    { "base", "dor|minimal|updown|lgl",                                                                              \
      "routing from stop to stop (default: dor where there are dimensions, else minimal)" },                         \
    { "order", "D+D+...", "of dor: the dimensions in the order they are crossed" },                                  \
    { "tie", "up|down", "of dor: direction of paths half-way round a ring" }
/* For a route's `next`: ERR_NETWORK, there is no path from node to target. */
int routing_no_path(const struct routing *r, int node, int target, struct err *err);
bool route_fits_any(const struct net *net);         /* `fits` of a routing for every network */
int ways_add(struct ways *w, const int *stop, size_t nstop, double share, struct err *err);
/* The same with cables named (NULL: none). */
int ways_add_cables(struct ways *w, const int *stop, const int *cable, size_t nstop, double share, struct err *err);
void ways_release(struct ways *w);
static inline void ways_clear(struct ways *w)
{
    w->n = w->nstop = 0;
}

/* Nodes from source to target, both included. Buffers are reused from call to call. */
struct route_path {
    int *node, *cable;              /* cable[i], as of a hop: how node[i] is reached; of the source, 0 */
    size_t n, cap;
    struct hop *hop;                /* scratch */
    size_t most;
};
/* ERR_USAGE where the routing has several ways, or spreads over several next hops: it has no single path. */
int route_path(struct route_path *path, struct routing *r, int source, int target, struct err *err);
/* The nodes of way i of `w`, leg by leg by r->base. */
int route_way(struct route_path *path, struct routing *r, const struct ways *w, size_t i, int source, struct err *err);
/* One node more. */
int route_path_add(struct route_path *path, int node, int cable, struct err *err);
/* Its nodes, with `between` them; NULL: memory. */
char *route_path_text(const struct route_path *path, const struct net *net, const char *between);
void route_path_release(struct route_path *path);
