/* stage.h -- a scene of the simulation in cycles_twin.h from what the program calls a network, a routing, a placement,
 * a tree and traffic: links are numbered here, pair of nodes by pair, the cables of a pair in the order of edges; ways
 * are found by asking the routing for every path. A tree's message takes the first free cable of several, unless its
 * routing names one; the background's draws one, as ports of flows have them. Failures are cmocka's. */
#pragma once

#include "tests/support/cycles_twin.h"
#include "tests/support/trial.h"

#include "model/traffic/traffic.h"

struct stage {
    struct twin_scene scene;        /* root and nroot are the test's to set */
    int nnode;
    int *first, *cables;            /* by pair of nodes, [from * nnode + to]: its first link, and how many */
    double *bandwidth, *length;
    struct twin_way *way, *background;
    struct twin_source *source;
};

/* Ports and blocking as the trial has them; `c` outlives it. */
void stage_open(struct stage *g, struct trial *c, enum twin_switching how, double flits, double hop_time);
/* Every terminal, or stream, sends by `r`, on average every so many cycles; streams may have intervals and times of
 * their own. */
void stage_background(struct stage *g, const struct traffic *t, struct routing *r, double interval, bool open);
/* The same for traffic and routing by their names. */
void stage_traffic(struct stage *g, struct trial *c, const char *traffic, const char *routing, double interval,
                   bool open);
void stage_release(struct stage *g);

/* One broadcast by each of the roots at 0 and what became of it, with details. */
void stage_run_idle(struct twin_result *r, struct stage *g, const struct twin_root *root, int n);
