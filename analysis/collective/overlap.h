/* overlap.h -- a schedule executed over a network where messages share links (share.h), as MPI's point-to-point calls
 * would be.
 * Begin   A message begins when both ends have asked for it: its sender has posted it, and its receiver waits for it.
 *         A process waits for one at a time, of `ports` for as many, in the order of its program, whatever it sends
 *         meanwhile, and no more than OVERLAP_WINDOW ahead of what it has taken. Programs that send to all at once
 *         (`posted` of struct schedule) wait for all from the beginning; what a process sends there begins when the last
 *         of it is posted. `unasked`: all programs wait for all.
 * Sends   Ordered: a process posts a message and goes on, up to OVERLAP_WINDOW of a pair that have not begun; those to
 *         different processes share its links. Blocking: its next send is posted when the last has arrived.
 * Work    A process works `work` for a message that it sends, before it is posted, and for one that it takes; for
 *         `ports` messages at once.
 * Time    Where messages of the rest of the schedule share no link, what each takes is known when it begins: processes
 *         then go as far as they can, in any order. What the rest repeats (`round` of struct program) is played until
 *         all is again as it was, and the rounds that are left but the last are that once more; of more than SHARE_MANY
 *         processes until its pace stays within 0.3 %: so good are such times.
 * Pieces  of a vector are all of one length here, also where whole bytes do not divide.
 * Units   bytes, seconds.
 * Source  the semantics of SimGrid's SMPI: A. Degomme and others, "Simulating MPI applications: the SMPI approach",
 *         IEEE Transactions on Parallel and Distributed Systems 28(8), 2017.
 * Errors  ERR_DOMAIN where processes wait for each other for good; those of the schedule, routing and memory. */
#pragma once

#include "analysis/broadcast/cycles_ways.h"
#include "analysis/collective/cost.h"
#include "analysis/collective/execute.h"
#include "analysis/collective/share.h"
#include "graph/base/map.h"

enum { OVERLAP_WINDOW = 8 };
struct connection;
/* What schedules have in common: routes are found once. */
struct overlap {
    const struct cycles_links *links;
    struct routing *routing;
    const struct placement *placement;
    double byte, cable, work;           /* seconds of a unit link; of every cable; of a process a message */
    int ports;
    double pack;                        /* seconds, besides, for a message of pieces that do not lie together */
    bool blocking, unasked;             /* unasked: messages begin without their receivers */
    struct share share;                 /* with the capacities of links, and behind these of processes */
    bool injects;                       /* they have some */
    struct map of;                      /* connections, by pair of processes */
    struct connection *connection;
    size_t nconnection;
    uint32_t *hop;                      /* links of all of them; of trunks with cables side by side, any */
    size_t nhop;
    uint32_t *taken;                    /* by the message at hand, where cables stand side by side */
    size_t room_taken;
    unsigned runs;
    struct route_path path;
};
void overlap_close(struct overlap *o);
/* Adds to c->carried and c->hops. */
int overlap(struct execution *out, struct overlap *o, const struct schedule *s, struct cost *c, double combine,
            const struct tick *t, struct err *err);
