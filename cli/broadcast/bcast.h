/* bcast.h -- what the files of `metapath bcast` share: the request, what is at hand, and which file writes which rows.
 * cmd_bcast.c has options and tables, bcast_scene.c what is at hand and compares trees, bcast_steps.c broadcasts in
 * steps, bcast_cycles.c those in cycles, bcast_load.c those among a background, bcast_every.c those again and again,
 * bcast_validate.c simulates them. */
#pragma once

#include "analysis/broadcast/cycles_load.h"
#include "analysis/collective/steps.h"
#include "cli/broadcast/bcast_plan.h"
#include "cli/request/scores.h"
#include "cli/request/load.h"

struct request {
    struct options common;
    struct strings algorithm;
    struct plan_request asked;
    const char *routing;
    struct load_request load;           /* packet NAN: not said */
    const char *every;
    int64_t draws;
    bool validate;
    struct plan plan;
    struct routing route;               /* of the network at hand */
    struct cycles_links links;          /* its links, for cycles */
    struct bcast_scene *scene;          /* at hand, for backgrounds; */
    char title[240];
};
/* Which table: the first two are about steps, the others about cycles: on an idle network (its schedule: links), under
 * load, again and again. */
enum { BCAST_STEPS, BCAST_SCHEDULE, BCAST_CYCLES, BCAST_LINKS, BCAST_MESSAGES, BCAST_PROCESSES, BCAST_LOAD,
       BCAST_EVERY };

/* One network, one number of processes, one number of ports. */
struct bcast_scene {
    struct job *j;
    struct request *q;
    struct net *net;
    struct plan_place *place;           /* its reach is there for BCAST_STEPS and BCAST_CYCLES alone */
    struct routing *routing;
    struct broadcast_how how;
    struct broadcast_bound bound;       /* of process trees */
    const char *algorithm;              /* being scheduled */
    char ports[24], placement[200];
    struct tree_shape *shape;           /* of all trees, in the order of tree_all; n 0: it is not asked for, or left */
    bool *refused;                      /* out, and a note says why */
    double gap;                         /* with which they are built; NAN: they are not */
    bool first_ports;                   /* the first number of them */
    bool ahead;                         /* a thread's own, of trees computed ahead: nothing is said */
};

/* Cells of all tables but those of refusals: what a row is of. `ported`: ports concern the algorithm. */
#define BCAST_OF(s, name, ported)                                                                                   \
    cell_text("topology", (s)->net->spec), cell_int("processes", (s)->place->where.n), cell_text("algorithm", name), \
    cell_text("ports", (ported) ? (s)->ports : "all"),                                                              \
    cell_text("blocking", (ported) && (s)->how.blocking ? "yes" : "no")
/* And of those that compare algorithms, the root apart. */
#define BCAST_KEYS(s, name, ported)                                                                                 \
    BCAST_OF(s, name, ported), cell_text("placement", (s)->placement), cell_text("routing", (s)->routing->spec)

/* The broadcasts of all roots asked for, by one tree. */
struct bcast_run {
    const struct tree_shape *tree;      /* the scene's */
    struct cycles_ways ways;
    struct cycles_start *start;
    size_t nstart;
    struct cycles_run run;              /* not run yet */
};
/* how: NULL where `run` is not wanted. */
int bcast_run_open(struct bcast_run *b, const struct bcast_scene *s, const struct tree *tree,
                   const struct cycles_how *how, const struct tick *tick, struct err *err);
void bcast_run_release(struct bcast_run *b);

/* What one tree comes to, in cycles or in steps. */
struct bcast_result {
    bool known, stuck, flooded;
    struct cycles_mean completion;      /* mean NAN: stuck; those with intervals that meet are alike */
    double collisions, waited;
    double steps, hops;                 /* steps NAN: there are none */
    struct cycles_load load;            /* among a background */
    struct cycles_mean simulated;       /* with --validate; mean NAN: it did not complete, or there is none */
};
struct bcast_best {
    /* "" or, of the best, "binary+binomial": those that are alike in completion, in hops */
    char winner[BEST_NAMES], hops_winner[BEST_NAMES];
    double hops;                        /* the row's own, of the best the fewest */
};
struct bcast_compared {
    int (*one)(struct bcast_result *r, const struct tree *tree, void *arg, struct err *err);
    /* r NULL: each tree is stuck */
    int (*row)(const char *algorithm, const struct bcast_best *best, const struct bcast_result *r, void *arg,
               struct err *err);
    /* In place of both, and of the best in place of its row; NULL: rows are wanted */
    int (*show)(const struct tree *tree, void *arg, struct err *err);
    int (*flooding)(void *arg, struct err *err);
    void *arg;
    bool apart;                         /* `arg` is the scene, and of `one` with another scene of the same, on another
                                         * thread, comes the same */
};
/* Every algorithm asked for; each tree is computed once, and where they can be had apart on as many threads as there
 * are. */
int bcast_compare(const struct bcast_scene *s, const struct bcast_compared *c, struct err *err);

/* The i-th number of ports is at hand, and the trees for it. */
int bcast_ports(struct bcast_scene *s, size_t i, struct err *err);
void bcast_trees_release(struct bcast_scene *s);
/* The scene's shape of a tree; its n is 0 where it is left out. */
const struct tree_shape *bcast_shape(const struct bcast_scene *s, const struct tree *tree);
/* Whether the tree is asked for; NULL: the best of all. */
bool bcast_asked(const struct plan *p, const struct tree *tree);
/* The table that a request is about; whether others send besides. */
int bcast_pick(const void *request);
bool bcast_under_load(const struct request *q);
/* How messages hold links where no background's sources decide it. */
struct cycles_how bcast_how(const struct bcast_scene *s);
/* Rows of all algorithms for one number of ports. */
int bcast_steps(struct bcast_scene *s, struct err *err);
/* Among a background, of all numbers of ports; and notes on all of that. */
int bcast_load(struct bcast_scene *s, struct err *err);
void bcast_load_notes(struct table *t);
/* The same broadcast in steps: NAN where there are none, with links too narrow, or of several roots. */
int bcast_idle_steps(double *steps, const struct bcast_scene *s, const struct bcast_run *b, const struct tick *tick,
                     struct err *err);
int bcast_cycles(struct bcast_scene *s, struct err *err);
/* Again and again. */
int bcast_every(struct bcast_scene *s, struct err *err);
/* What the request as a whole must keep, and its title. */
int bcast_cycles_check(struct job *j, struct err *err);

/* --validate: what the request must keep; then, where it is asked for, r->simulated of a tree whose completion is
 * known, on an idle network where `a` is NULL. */
struct bcast_among {                    /* a background */
    const struct traffic *traffic;
    const struct latency_options *o;
    const struct load *load;
};
int bcast_validate_check(struct job *j, struct err *err);
int bcast_validate(struct bcast_result *r, const struct bcast_scene *s, const struct tree *tree,
                   const struct bcast_run *b, const struct bcast_among *a, struct err *err);
#define BCAST_SIMULATED(s, r)                                                                                       \
    cell_real("simulated_completion_cycles", (s)->q->validate ? (r)->simulated.mean : NAN),                         \
    cell_real("simulated_confidence_cycles", (s)->q->validate ? (r)->simulated.half : NAN),                         \
    cell_real("error_percent", (s)->q->validate ? 100 * ((r)->completion.mean / (r)->simulated.mean - 1) : NAN)

/* Runs the broadcasts and writes their messages, processes or links, as the table at hand wants (bcast_show.c). */
int bcast_show(struct bcast_scene *s, struct bcast_run *b, struct err *err);
/* Messages in space and time, of the rows of a schedule, of links or of messages. */
int bcast_arrows_figure(struct picture *f, const struct table *t, int which, struct err *err);
