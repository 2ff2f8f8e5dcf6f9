/* policy.h -- routing policies of Distributed Routing Balancing: which source spreads over how many paths, as fixed
 * points of the collision model (latency.h). One file policy_NAME.c per policy.
 *
 * A policy gives every source one of the configurations (configuration.h), the same for all its destinations; the
 * source spreads its messages over the ways in proportion to their bandwidths 1/latency. What a source measures is
 * the latency of its metapath, Lat = (sum over ways of 1/L)^-1, an inverse bandwidth: TD/s over s idle ways. Over
 * several destinations it is the mean by their parts of the source's messages. Folded flows have one source, which
 * stands for all: all take the same.
 *
 * Units   cycles.
 * Source  Franco, Garces and Luque 1999 (Distributed Routing Balancing); Franco's thesis, sections 4.7.2, 4.7.4, 7.2.1,
 *         equations 4-10, 4-14, 4-15.
 * Errors  those of configuration.h and latency.h: ERR_NETWORK where the waits of a state that the policy comes to do
 *         not settle; of open sources, beyond saturation, only where no configuration that all take has a solution.
 *         Not defined for policies of configurations: the load at which the model saturates, study.saturation_factor.
 *         It stays NAN. */
#pragma once

#include "graph/base/entry.h"
#include "analysis/policy/configuration.h"
#include "analysis/latency/latency.h"
#include "model/routing/drb_rule.h"

enum policy_end {
    POLICY_SETTLED,             /* no source moves */
    POLICY_CYCLES,              /* a state returned: the solution is the last state before it would */
    POLICY_LIMIT                /* the most rounds that were allowed */
};
extern const char *const policy_end_name[];
enum policy_verdict {
    VERDICT_ASSIGNED,           /* by a policy that tests nothing */
    VERDICT_INSIDE,             /* the band from threshold - tolerance to threshold + tolerance */
    VERDICT_STUCK,              /* outside of it, and every step refused */
    VERDICT_MOVING              /* a member of the cycle; at the limit of rounds, about to move */
};
extern const char *const policy_verdict_name[];

struct policy_outcome {
    enum policy_end end;
    int rounds;                 /* times that all sources decided; of assignments, passes over the sources */
    int period;                 /* of the cycle, in rounds; 0: none */
    size_t ninside, nstuck, nmoving;
    size_t count[CONFIGURATIONS];   /* sources by configuration */
    bool shared;                /* each message chooses: part of all messages by configuration */
    double part[CONFIGURATIONS];
};

struct policy_kind;
struct policy {
    const struct policy_kind *kind;
    char *spec;                 /* canonical; parses to itself */
    struct configurations conf;
    struct latency_study study; /* holds the solution after policy_solve: its summary, streams and links are the
                                 * policy's */
    char note[200];             /* what there is to say about how the solution was found, or "" */

    /* By source of study.flows: */
    int *at;                    /* the configuration it has: what the solution is of */
    int *plan;                  /* what policy_plan found */
    bool planned;
    int passes;                 /* that it took */
    double *idle;               /* latency of the first configuration where nothing waits: the transmission time where
                                 * hops take none */
    double *before;             /* latency where all have the first configuration; NAN where that has no solution */
    double *tested;             /* Lat */
    enum policy_verdict *verdict;
    void *state;                /* the kind's own */
};
struct policy_kind {
    ENTRY;
    /* What it chooses among, where that is not configurations_open's; closed by the caller where it fails as well. The
     * spec that follows its name goes into c->spec. */
    int (*among)(struct configurations *c, const struct spec *spec, struct net *net, const struct traffic *traffic,
                 struct err *err);
    /* Reads keys of its own, which it adds to p->spec by spec_append; sets state, which is closed where it fails as
     * well. NULL: none. */
    int (*open)(struct policy *p, const struct spec *spec, struct err *err);
    void (*close)(struct policy *p);        /* of state; NULL: it is one block, to be freed, or none */
    /* What a source compares its Lat with: cycles, threshold +- tolerance. NULL: nothing is tested. */
    void (*band)(double *threshold, double *tolerance, const struct policy *p, size_t source);
    int (*plan)(struct policy *p, const struct load *load, size_t nload, struct err *err);  /* NULL: nothing to plan */
    /* The load at which it saturates, as a factor of the traffic's rates, for open sources: what becomes
     * study.saturation_factor. NULL: not known. */
    int (*saturation)(double *factor, struct policy *p, struct err *err);
    bool seen;                  /* messages or sources choose by the load that they see: the simulator plays it */
    bool balances;              /* sources are told by acknowledgements (simulate --ack) */
    bool begins;                /* with a solution: of the first configuration, or where that has none and sources are
                                 * open, of the first configuration that has one */
    /* Sets at, verdict and the outcome but for its counts, and leaves the solution in p->study. When it is called
     * all have the first configuration (but see `begins`), and p->study holds the solution if there is one. */
    int (*solve)(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err);
};
KIND_HEADER(policy, policy, struct policy_kind);
/* Whether a spec names a policy, not a routing. */
bool policy_is(const char *text);
/* routing_open where a policy cannot be: its name is refused by saying where it can. */
int policy_plain_routing(struct routing *out, struct net *net, const char *text, struct err *err);

/* What its messages choose among, without a study of latency: to be released by configurations_release. */
int policy_routings(struct configurations *c, const char *text, struct net *net, const struct traffic *traffic,
                    struct err *err);
/* The same of a spec of drb, with the rule that its sources decide by. */
int policy_drb_open(struct drb_rule *rule, struct configurations *c, const char *text, struct net *net,
                    const struct traffic *traffic, struct err *err);
int policy_open(struct policy *p, const char *text, struct net *net, const struct traffic *traffic,
                const struct latency_options *o, struct err *err);
void policy_close(struct policy *p);            /* a zeroed struct is fine */
/* Tells the policy all the loads that will be solved: before the first policy_solve, which it must not be left out
 * of for policies with `plan`. */
int policy_plan(struct policy *p, const struct load *load, size_t nload, struct err *err);
/* The same whatever was solved before. */
int policy_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err);

struct policy_stream {
    int node;                   /* as in latency_stream */
    size_t source;
    int configuration;
    const char *name;           /* of the configuration; belongs to the policy. NULL: each message chooses */
    int ways;                   /* of the configuration, as in latency_stream */
    double before, after;       /* latency: all at the first configuration, and now */
    double tested;              /* Lat, now */
    double threshold, tolerance;    /* NAN where nothing is tested */
    enum policy_verdict verdict;
};
/* One per source, folded ones unfolded, in the order of latency_streams; to be freed. */
int policy_streams(struct policy_stream **out, size_t *n, const struct policy *p, struct err *err);

/* ---- for the policies ---- */

/* Gives sources their configurations and solves. */
int policy_apply(struct policy *p, const int *at, const struct load *load, struct err *err);
/* The assignment with the least mean over loads of the mean latency over sources, as far as this finds it: the best
 * configuration for all, then source by source the best for each while the others stay (of equals the first), until
 * a pass changes nothing or ten are done. Assignments without a solution at some load are none. Beyond
 * POLICY_DESCENT sources, or folded, only the first of the two steps, and p->note says so. */
#define POLICY_DESCENT 256
int policy_assign(struct policy *p, int *at, int *passes, const struct load *load, size_t nload, struct err *err);
