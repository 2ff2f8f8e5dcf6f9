/* bcast.h -- what the files of `metapath bcast` share: the request, what is at hand, and who writes which rows.
 * cmd_bcast.c has options and tables, bcast_steps.c broadcasts in steps, bcast_cycles.c those in cycles,
 * bcast_every.c those again and again. */
#ifndef CLI_COMMAND_BCAST_H
#define CLI_COMMAND_BCAST_H

#include "analysis/broadcast/cycles.h"
#include "cli/request/bcast_plan.h"
#include "cli/request/load.h"

struct request {
    struct options common;
    struct strings algorithm;
    struct plan_request asked;
    const char *routing;
    struct load_request load;           /* packet NAN: not said */
    const char *every;
    int64_t draws;
    struct plan plan;
    struct routing route;               /* of the network at hand */
    struct cycles_links links;          /* its links, for cycles */
    char title[240];
};
/* Which table: the first two are about steps, the others about cycles: on an idle network (its schedule: links), under
 * load, again and again. */
enum { BCAST_STEPS, BCAST_SCHEDULE, BCAST_CYCLES, BCAST_LINKS, BCAST_MESSAGES, BCAST_PROCESSES, BCAST_LOAD, BCAST_EVERY };

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
    char ports[24];
};

/* The table that a request is about. */
int bcast_pick(const void *request);
/* Rows of all algorithms for one number of ports, the first of them or a further one. */
int bcast_steps(struct bcast_scene *s, bool first_ports, struct err *err);
int bcast_cycles(struct bcast_scene *s, bool first_ports, struct err *err);
int bcast_every(struct bcast_scene *s, struct err *err);
/* How messages hold links where no background's sources decide it. */
struct cycles_how bcast_how(const struct bcast_scene *s);
/* What the request as a whole must keep, and its title. */
int bcast_cycles_check(struct job *j, struct err *err);

#endif
