/* configuration.h -- configurations of metapaths in the order of growth, as routings that a policy chooses among.
 * A configuration is a supernode (static+sga:1+sga:2), or best:K, paths chosen for the traffic (metapath:best:K), or
 * with table=FILE the first so many of the ways that the file gives a stream (counts=1+2+3; without counts: 1, 2, ...
 * up to the most that any stream has). disjoint=yes keeps of each configuration those multistep paths that share no
 * node but source and destination with one kept before: of a table in the order of the file, of others the straight one
 * first, then by links, stops, and where the stops are. Every routing here spreads by bandwidth; the ways of an answer
 * have the same share, as they would when idle.
 * Source  Franco, Garces and Luque 1999 (Distributed Routing Balancing); Franco's thesis, section 7.2.1.1, for
 *         disjoint.
 * Errors  ERR_USAGE for a wrong spec; ERR_DOMAIN for supernodes that do not fit; those of the file. */
#pragma once

#include "model/routing/route.h"
#include "model/traffic/traffic.h"

#define CONFIGURATIONS 64           /* at most */

struct configurations {
    size_t n;
    struct routing *routing;        /* n: configuration i is routing[i] */
    char **name;                    /* "sga:1"; of a table "3 paths" */
    char *spec;                     /* canonical: what follows the policy's name, ":static+sga:1,order=1+2" */
    struct routing *inner;          /* ninner: what the routings take their ways from */
    size_t ninner;
};
/* Room for lists, and one more configuration, which is the caller's routing: released with the others. */
int configurations_begin(struct configurations *c, struct err *err);
int configurations_add(struct configurations *c, struct routing *routing, const char *name, struct err *err);
/* `spec` may have other keys as well. */
int configurations_open(struct configurations *c, const struct spec *spec, struct net *net,
                        const struct traffic *traffic, struct err *err);
void configurations_release(struct configurations *c);      /* a zeroed struct is fine */

#define CONFIGURATION_KEYS \
    { "table", "FILE",                                                                                              \
      "instead of supernodes: the multistep paths that a CSV file gives each channel (`help table`)" },             \
    { "counts", "N+N+...", "with table: how many of a channel's paths each configuration has (default: 1+2+...)" }, \
    { "of", "SUPERNODE+...|shortest+N", "what configurations best:K choose from (`help metapath`)" }, \
    { "disjoint", "no|yes", "yes: only multistep paths that share no intermediate node (default: no)" }, \
    ROUTING_BASE_KEYS
