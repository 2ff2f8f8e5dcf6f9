/* bcast_plan.h -- what `metapath bcast` was asked to compare, and `metapath bound broadcast` to bound. */
#ifndef CLI_REQUEST_BCAST_PLAN_H
#define CLI_REQUEST_BCAST_PLAN_H

#include "analysis/broadcast/broadcast.h"
#include "analysis/broadcast/pattern.h"
#include "cli/request/options.h"
#include "model/process/tree.h"

/* What both commands understand alike. */
struct plan_request {
    const char *processes, *ports, *placement;
    int blocking;               /* -1: not said */
    int root;
};
enum { KEY_PROCESSES = 'p', KEY_ROOT = 'r', KEY_PORTS = 0x4000, KEY_BLOCKING, KEY_PLACEMENT };

/* Rows of an array of struct argp_option. */
#define PLAN_OPTIONS(ports_are)                                                                                                 \
    { "processes", KEY_PROCESSES, "RANGE", 0, "how many, as in 8..16 (default: one on every terminal)", 0 },                 \
    { "ports", KEY_PORTS, "LIST", 0, ports_are ", as in 1,2,all (default: 1,all)", 0 },                                         \
    { "blocking", KEY_BLOCKING, "yes|no", 0,                                                                                  \
      "whether a process waits for delivery before it sends on (default: yes with one port, no with more)", 0 },              \
    { "root", KEY_ROOT, "N", 0, "process that has the message (default: 0)", 0 },                                             \
    { "placement", KEY_PLACEMENT, "HOW", 0,                                                                                   \
      "row-major, random (by --seed) or file:PATH with a node a line: where processes run (default: row-major)", 0 }
/* 0, -1 with err, 1: not one of these. */
int plan_option(struct plan_request *q, int key, char *arg, struct err *err);

struct algorithm {
    const struct tree *tree;    /* one of them is NULL */
    const struct pattern *pattern;
};
struct plan {
    struct algorithm *algorithm;
    size_t nalgorithm;
    int64_t *processes;         /* NULL: one on every terminal */
    size_t nprocesses;
    int64_t *ports;             /* 0: no limit */
    size_t nports;
};

/* All of them when no name is given; for a schedule, the process trees. */
int plan_algorithms(struct plan *p, const struct strings *names, bool schedule, struct err *err);
/* Numbers of processes and of ports, "1,2,all". */
int plan_ranges(struct plan *p, const struct plan_request *q, struct err *err);
/* The i-th number of ports. blocking: 0, 1, or -1 for the default, yes with one port. */
struct broadcast_how plan_how(const struct plan *p, size_t i, int blocking);
/* "all" for 0. */
const char *plan_ports_text(char out[24], int ports);
/* "row-major" for NULL; the seed is part of what was asked. */
const char *plan_placement(char out[200], const char *given, uint64_t seed);
/* For legends: "1" becomes "1 port", "all" "all ports", in a copy of a row of `t`. */
void plan_say_ports(struct cell *row, const struct table *t);
/* A row of a sweep that could not be computed: what it was about (processes 0: not known). The caller notes why. */
void plan_refused(struct table *t, const char *topology, int processes);
void plan_release(struct plan *p);

#endif
