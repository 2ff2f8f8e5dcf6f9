/* sweep.h -- what `metapath latency`, `simulate` and `validate` have in common: on the network at hand and for one
 * traffic, each scheme (a routing or a policy) is opened, as a study of the model, as a simulation or as both; the
 * loads are read, or are parts of the model's saturation; and each load is answered by each scheme, with a row or with
 * a refusal that says why. A command fills in struct sweep_way, and keeps what is its own behind a struct sweep that is
 * its first member. */
#pragma once

#include "analysis/policy/policy.h"
#include "analysis/simulate/simulate.h"
#include "cli/request/load.h"

/* What sends the messages: a routing, or a policy, which changes its configurations with the load. */
struct scheme {
    const char *asked;
    bool is_policy;
    struct routing routing;
    struct policy policy;
    struct latency_study own;   /* of a routing */
    struct latency_study *study;        /* that, or the policy's; NULL: not kept, or not opened */
    struct simulation *run;     /* NULL: none is wanted, or can be */
    double saturation;          /* factor; NAN: not known */
    double simulated;           /* load at which the simulation saturates; NAN: not known */
    struct err why;             /* it is refused, or ERR_NONE */
    bool skipped;               /* of another task: as if it were refused, but for its rows */
};

struct sweep {
    struct job *j;
    const struct sweep_way *way;
    struct load_request *load;
    struct net *net;
    struct traffic traffic;
    char *name;                 /* of the traffic, where it is not its spec; the caller's to free */
    struct latency_options model;
    struct simulate_options simulated;
    size_t setting, settings;   /* of the times that schemes are opened, each with other options */
    struct tick tick;           /* of what is opened or answered */
    struct scheme *scheme;
    size_t n;
    struct load_point *point;
    size_t npoint;
    const double *part;         /* of saturation, where the request says no loads; none: one load, as it is */
    size_t nparts;
    bool by_scheme;             /* rows of a scheme stand together, not those of a load */
};

struct sweep_way {
    bool models;                /* rows need the study; else it is asked for saturation alone, and not kept */
    /* The traffic, and whether it suits the loads; NULL: by its spec. */
    int (*traffic)(struct sweep *s, const char *text, const struct worst_options *how, struct err *err);
    /* Options of the model (sweep_options) and of the simulation, and usual loads, of the setting at hand. */
    int (*settle)(struct sweep *s, struct err *err);
    /* Whether a scheme is simulated; NULL: all are. */
    bool (*simulates)(const struct sweep *s, const struct scheme *c);
    /* Once schemes are opened and loads are read, which it may change (npoint 0: no rows); NULL: nothing to do. */
    int (*planned)(struct sweep *s, struct err *err);
    int (*row)(struct sweep *s, struct scheme *c, const struct load_point *point, struct err *err);
    /* A load that failed for the reason in `err`; where the scheme is refused, each of them. */
    int (*refused)(struct sweep *s, const struct scheme *c, const struct load_point *point, struct err *err);
    int (*finish)(struct sweep *s, struct err *err);    /* once all rows are there; NULL: nothing to do */
};

/* The loops of a sweep as job_wants numbers them, below that of networks; studies begin a load from the one before, so
 * that a scheme has all its loads in one task. The places: a traffic; a setting; what is done there, of which schemes
 * are opened and finished one by one. */
enum { LOOP_TRAFFIC = 1, LOOP_SETTING, LOOP_SCHEME, LOOP_LOAD };
enum { PLACE_STAGE = LOOP_SETTING + 1, PLACE_SCHEME };
enum { STAGE_OPEN = 1, STAGE_NAMED, STAGE_PLANNED, STAGE_ROWS, STAGE_FINISH };

/* One traffic on the network of the job; `opened` is the part of the work that opening takes. `s` has j, way, load and
 * settings set; what the sweep itself opened is closed. */
int sweep_run(struct sweep *s, const char *text, const struct tick *whole, double opened, struct err *err);
/* The model's options: what the request says, for this traffic. */
int sweep_options(struct sweep *s, struct err *err);
/* The work may be divided by traffics, settings and schemes. */
void sweep_divide(struct job *j, const struct load_request *q, size_t settings);
/* As it is called in rows: canonical, where that is known. */
const char *scheme_spec(const struct scheme *c);
static inline bool scheme_refused(const struct scheme *c)
{
    return c->skipped || c->why.code != ERR_NONE;
}
/* What failed is passed over where rows may be refused: the scheme then is. */
int scheme_refuse(struct scheme *c, struct sweep *s, struct err *err);
