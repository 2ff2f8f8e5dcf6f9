/* paths.h -- messages, path by path: what each source sends over which links, found by following every next hop over
 * each of its cables, and the models of collide.h, collide_spread.h and collide_router.c (several channels) straight
 * from their formulas on these lists. Nothing here knows folding or acceleration, and of states only what paths have in
 * common. Failures are cmocka's. */
#pragma once

#include "analysis/load/flows.h"
#include "model/contention/switching.h"

struct path {
    int source;
    double share;               /* of the source's messages */
    int n, way;                 /* paths of one way, which follow each other, differ by the choices of hops alone */
    int *port;                  /* ports[0..n-1]; port_link[port[i]] is the i-th link */
    int *state;                 /* on the i-th link: those of one way that came over the same ports have one state */
};
struct paths {
    int nsource;
    double *interval, *time;    /* by source, NAN: as the request says */
    size_t nlink, nport, npath, nstate;
    int nway;
    int (*link)[3];             /* from (-1: into the network), to (-1: out of it), cable from 1 (0: no cable) */
    struct link_kind *kind;     /* by link */
    int *port_link, *port_in;   /* the upstream link, or -1 - source */
    struct path *path;
    double *mass;               /* [source * nport + port]: part of the source's messages that come over it */
    bool *own;                  /* by node: has links into and out of the network; NULL: none has */
};

void paths_open(struct paths *p, const struct traffic *traffic, struct routing *routing, bool terminals);
void paths_release(struct paths *p);
/* The port of `f`, unfolded, as the paths number it; -1: there is none. */
int paths_port(const struct paths *p, const struct flows *f, size_t port);

/* Messages of `time` flits by what the switching means. Plain damped rounds from no waits: latency[source]. False where
 * they do not settle. */
bool paths_closed(const struct paths *p, double interval, double time, const struct switching *how, double *latency);
/* Likewise; false beyond saturation. */
bool paths_open_sources(const struct paths *p, double interval, double time, const struct switching *how,
                        double *latency);
