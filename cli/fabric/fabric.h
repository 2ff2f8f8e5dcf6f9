/* fabric.h -- what stands behind `metapath fabric`: one network, its tables (a routing) and a traffic. */
#pragma once

#include "analysis/fabric/cluster.h"
#include "cli/request/load.h"

struct request {
    struct options common;
    const char *routing, *classes, *traffic, *design, *lfts;    /* lfts: where better tables go */
    int64_t losses, rounds;
    bool improve;
};
struct fabric_scene {
    struct job *j;
    const struct request *q;
    struct cluster c;
    struct cluster_flaw *flaw;
    size_t nflaw, unknown;
    double *capacity;
    struct traffic traffic;
    struct routing r;
    struct err lack;            /* why there is none: hosts are not joined */
    double any, bound, tables;  /* theta of any routing, found and proved, and of the tables */
};
extern const struct column fabric_part_columns[11], fabric_cable_columns[7], fabric_load_columns[5],
    fabric_loss_columns[7], fabric_deadlock_columns[7];
int fabric_cable_rows(struct fabric_scene *s);
int fabric_part_rows(struct fabric_scene *s, struct err *err);
/* What all sources together, each sending a unit link's worth, put on each link. */
int fabric_loads(struct flows *f, double **load, struct fabric_scene *s, const struct tick *tick, struct err *err);
int fabric_load_rows(struct fabric_scene *s, const struct tick *tick, struct err *err);
int fabric_deadlock_rows(struct fabric_scene *s, const struct tick *tick, struct err *err);
/* The costliest single failures; with --losses K ten draws of K cables. */
int fabric_loss_rows(struct fabric_scene *s, const struct tick *tick, struct err *err);
/* theta of new tables (analysis/fabric/balanced.h), or of those given where they are as good, and --improve's file. */
int fabric_improve(double *better, struct fabric_scene *s, const struct tick *tick, struct err *err);
/* What a routing, or any (r NULL; theta[1] the proved bound), reaches on a network with these capacities. */
int fabric_theta(double theta[2], const struct fabric_scene *s, struct net *net, struct routing *r,
                 const double *capacity, const struct tick *tick, struct err *err);
