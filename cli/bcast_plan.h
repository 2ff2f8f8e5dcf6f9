/* bcast_plan.h -- what `metapath bcast` was asked to compare, and `metapath bound broadcast` to bound. */
#ifndef CLI_BCAST_PLAN_H
#define CLI_BCAST_PLAN_H

#include "analysis/broadcast.h"
#include "cli/options.h"
#include "model/tree.h"

struct algorithm {
    const char *name;
    const struct tree *tree;    /* NULL: flooding or best */
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
/* "1,2,all" */
int plan_ports(struct plan *p, const char *text, struct err *err);
/* The i-th number of ports. blocking: 0, 1, or -1 for the default, yes with one port. */
struct broadcast_how plan_how(const struct plan *p, size_t i, int blocking);
/* "all" for 0. */
const char *plan_ports_text(char out[24], int ports);
/* "row-major" for NULL; the seed is part of what was asked. */
const char *plan_placement(char out[200], const char *given, uint64_t seed);
/* For legends: "1" becomes "1 port", "all" "all ports", in a copy of a row of `t`. */
void plan_say_ports(struct cell *row, const struct table *t);
void plan_release(struct plan *p);

#endif
