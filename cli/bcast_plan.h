/* bcast_plan.h -- what `metapath bcast` was asked to compare. */
#ifndef CLI_BCAST_PLAN_H
#define CLI_BCAST_PLAN_H

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
void plan_release(struct plan *p);

#endif
