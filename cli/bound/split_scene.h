/* split_scene.h -- what `metapath bound split` compares: the ways of one metapath under five kinds of shares.
 * split_schemes.c opens and solves them, split_tables.c tells of them. */
#pragma once

#include "analysis/policy/policy.h"
#include "analysis/policy/split.h"
#include "cli/request/load.h"

enum split_kind { STATIC, UNIFORM, BANDWIDTH, POLICY, OPTIMAL, KINDS };
extern const char *const split_kind_name[];
enum split_table { SPLIT_MAIN, SPLIT_SHARES, SPLIT_LINKS };

struct split_request {
    struct options common;
    struct load_request load;
    struct strings supernode;
    const char *table, *policy, *write;
    bool first;
};
/* A kind of shares for one metapath. */
struct split_scheme {
    struct routing routing;
    struct policy policy;
    struct latency_study own, *study;   /* the policy's or its own; NULL: none, or refused */
    struct err why;                     /* it could not be opened, or solved at the load at hand; ERR_NONE: it was */
    bool asked;
    double *load, largest, hops;        /* by link of the study */
    struct latency_summary summary;
};
/* One metapath and traffic. */
struct split_scene {
    struct job *j;
    const struct split_request *q;
    struct net *net;
    struct traffic traffic;
    struct latency_options o;
    const char *label, *base;           /* base: keys of the routing from stop to stop */
    struct load_point *point;
    size_t npoint;
    struct split_scheme scheme[KINDS];
    struct split split;
};

/* Opens what can be had; schemes that cannot are marked, and in a sweep passed over. */
int split_schemes_open(struct split_scene *s, const struct tick *tick, struct err *err);
void split_schemes_close(struct split_scene *s);
/* At that load, or (NULL) without latencies; what has no solution there is marked. */
int split_schemes_solve(struct split_scene *s, const struct load *load, const struct tick *tick, struct err *err);

extern const struct frame_table split_tables[];
int split_rows(struct split_scene *s, const struct load *load, struct err *err);
void split_notes(struct split_scene *s);
