/* bcast_plan.h -- what `metapath bcast` was asked to compare, and `metapath bound broadcast` to bound. */
#pragma once

#include "analysis/broadcast/broadcast.h"
#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/pattern.h"
#include "cli/request/frame.h"
#include "model/process/tree.h"

/* What both commands understand alike. */
struct plan_request {
    const char *processes, *ports, *placement, *root;
    int blocking;               /* -1: not said */
};
#define PLAN_USUAL { .ports = "1,all", .blocking = -1, .root = "0" }
/* About a struct plan_request; a command says itself what --ports are (INTO(plan.ports)). */
extern const struct option_field plan_options[];

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
    struct plan_root {
        int process;
        double at;              /* cycles: when it starts */
    } *root;                    /* NULL: all of the processes, at 0 */
    size_t nroot;               /* 0: all */
};

/* All of them when no name is given; for a schedule, the process trees. */
int plan_algorithms(struct plan *p, const struct strings *names, bool schedule, struct err *err);
/* Numbers of processes and of ports, "1,2,all", and roots, "0,5@20" or "all". */
int plan_ranges(struct plan *p, const struct plan_request *q, struct err *err);
/* The root of what knows one broadcast alone (`what`, for messages), from the beginning; where `cycles`, there is a way
 * to have several. */
int plan_one_root(const struct plan *p, const char *what, bool cycles, struct err *err);
/* Notes that steps and rates know no lengths of the network at hand. */
void plan_lengths(struct job *j);
/* The first of the roots. */
static inline int plan_root(const struct plan *p)
{
    return p->nroot ? p->root[0].process : 0;
}
/* The i-th number of ports. blocking: 0, 1, or -1 for the default, yes with one port. */
struct broadcast_how plan_how(const struct plan *p, size_t i, int blocking);
/* "all" for 0. */
const char *plan_ports_text(char out[24], int ports);
/* "row-major" for NULL; the seed is part of what was asked. */
const char *plan_placement(char out[200], const char *given, uint64_t seed);
void plan_release(struct plan *p);

/* Processes placed on the network at hand. */
struct plan_place {
    struct placement where;
    struct broadcast_reach reach;       /* of the root; empty where it was not asked for */
    struct tick tick;
};
/* Calls `each` for every number of processes; those that cannot be placed or computed are passed over in a sweep. */
int plan_each(struct job *j, const struct plan *p, const struct plan_request *q, bool reach,
              int (*each)(struct job *j, struct plan_place *place, struct err *err), struct err *err);
/* options_figure of the rows but those of the algorithm `best`, which would hide the one it names; ports are said in
 * full. Rows that were refused are drawn where there is no algorithm, or nothing else. */
int plan_figure(struct picture *f, const struct table *t, const struct natural *natural, struct err *err);
/* Whether rows of one algorithm have several numbers of ports: flooding always has all. */
bool plan_ports_vary(const struct table *t);
