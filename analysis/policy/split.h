/* split.h -- how messages would best be spread over the ways they are given: shares that make the largest link load the
 * smallest there is, then the next largest among those, and so on down to the smallest; of what is then still free, the
 * shares with the least mean length. The first of these alone says how far rates can grow; it leaves most shares open.
 *     minimise L  where  sum over ways of a pair of share = the pair's part of its source's messages,
 *                        load of a link = sum over ways of demand x share x crossings <= L x its capacity
 * A linear program per round: links with a positive price of their row are as full as that in every optimum
 * (complementary slackness); they keep that bound while the others' largest load is made smallest, until none is left.
 * Loads are then the only ones of their kind; shares need not be.
 *
 * Every program is checked here, not believed: for weights w >= 0 of links (the solver's prices), whatever the shares,
 *     L sum_open w c >= sum over pairs of part x demand x (its shortest way by w) - sum_fixed w x bound,
 * and likewise for the mean length; the two must meet within 1e-7 of the first L, or of the mean length.
 *
 * Units   a source's demand is time/interval where sources have intervals of their own: loads are then parts of the
 *         time. Else loads are in transmission times of the request per interval: links are full at an interval of L
 *         times that. Folded flows stay so: loads of that kind are the same whichever node one starts from, and
 *         shares that are the same at every node reach them, being the mean of any that do.
 * Errors  ERR_DOMAIN for more than a solver takes, or where only some sources have intervals of their own; those of
 *         lp.h; ERR_INTERNAL where a solution fails the check. */
#pragma once

#include "analysis/latency/latency.h"

#define SPLIT_ROWS 20000        /* of a program, at most */
#define SPLIT_COLUMNS 200000
#define SPLIT_ENTRIES 4e6

struct split_options {
    const double *capacity;     /* by link of the flows, positive; NULL: their bandwidths */
    bool first;                 /* one round: the largest load alone, by some shares or other */
    const char *write;          /* where the program of the first round goes, as lp_write; NULL: nowhere */
    const struct tick *tick;
};
struct split {
    double *share;              /* by injection, as flows.injection_share */
    double *load;               /* by link */
    double *price;              /* by link, one of those that prove it: the largest load lost per unit more of
                                 * capacity; of folded links, where all copies have it */
    double largest;             /* load over capacity */
    double hops;                /* mean over sources */
    size_t rounds;
    double gap;                 /* between solution and bound, the worst of all programs */
};
/* Over the ways of the routing that each source has chosen (latency_choose). The study stays as it is. */
int split_open(struct split *out, const struct latency_study *s, const struct split_options *o, struct err *err);
void split_release(struct split *p);            /* a zeroed struct is fine */
/* Gives the study these shares, and its capacity. For routings that are not by bandwidth. */
int split_apply(struct latency_study *s, const struct split *p, struct err *err);
/* load[link], over the link's bandwidth, under the shares that the study has, in the same units. */
int split_loads(double *load, const struct latency_study *s, struct err *err);
