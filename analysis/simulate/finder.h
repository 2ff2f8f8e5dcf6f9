/* finder.h -- where a message goes next: the routing asked message by message, its answers remembered. A
 * finder serves one thread.
 *   hop by hop  at each node one of the next hops, by its share; of cables side by side one at random
 *   ways        one of the pair's ways, by its share, when the message leaves its source; then stop by stop by the base
 *   adaptive    all next hops, the escape's first, for the router to choose among
 *   drb         one of the ways of the pair's configuration, which an agent says (agent.h)
 *   ugal        at the source the minimal way or one of Valiant's, by H q: hops between switches, flits that wait
 * Answers are kept by node and target, ways by pair, as far as FINDER_BYTES go; beyond that they are asked for again.
 * Errors  those of the routing; ERR_MEMORY. */
#pragma once

#include "analysis/policy/policy.h"
#include "analysis/simulate/fabric.h"
#include "graph/base/map.h"
#include "graph/numeric/rng.h"

#define FINDER_BYTES 4e8
#define FINDER_HOPS 512                 /* next hops of an answer, at most */

struct message {
    int source, target;                 /* nodes */
    int sender, stream;                 /* source of the traffic, behind these of a plan; of a list, which of its
                                         * streams, else -1 */
    int planned;                        /* message of the plan; -1 */
    int ack;                            /* acknowledgement of an agent; -1 */
    int next;                           /* behind it in its channel, -1: none; of those that are gone the next */
    int flits, here;                    /* how many; where its first flit is behind another message: those that came */
    int mark, leg;
    int way;                            /* of its pair's ways; -1: not chosen yet */
    int stop, cable;                    /* where this leg leads, and the cable that its last hop takes */
    int over;                           /* of ways over any terminal: that; -1: straight */
    short option;                       /* of the routings that a source chooses among */
    int hops;                           /* links of the network so far */
    bool decided;                       /* between its options */
    unsigned number;                    /* of births */
    unsigned serial;                    /* of its pair's, where order is kept */
    int64_t born, started, came;        /* ticks; started -1: not yet; came: its first flit to where it is, of
                                         * those that are stored its last */
    int64_t asked;                      /* when it could have been sent, had nothing else been */
};
struct finder_hop {
    int link, mark;                     /* and the mark it carries there */
};
struct pair_ways {                    /* of a pair */
    struct ways ways;
    double *sum;                        /* shares added up */
};
struct answer_hop {
    int link;
    int n;                              /* of the first: how many there are */
    double sum;                         /* of the shares up to it */
};
struct finder {
    const struct fabric *f;
    const struct traffic *traffic;
    struct configurations options;      /* routings */
    char *spec;                         /* canonical */
    bool ugal, global;
    bool first;                         /* adaptive: of the hops with a free channel the first, not the best */
    bool balances;                      /* drb: an agent chooses, by `rule` */
    struct drb_rule rule;
    struct agent *agent;
    int **answer;                       /* by option and target: by row, a link, or where several begin in `hop` */
    int *row, nrow;                     /* by node: its row; -1: one link leads on, and nothing is kept */
    int *over;                          /* by node: what it hangs on; itself, where several lead there */
    int *latest;                        /* by row: where the last that was kept of several begins; -1 */
    double bytes;                       /* that are kept */
    struct answer_hop *hop;
    size_t nhop, hop_room;
    struct map pair;                    /* option and pair to ways */
    struct pair_ways *ways, own;      /* kept; asked for again each time */
    size_t nways, ways_room;
    struct hop *asked;
    struct rng rng;
    int (*used)(const void *arg, int link);     /* flits sent over a link without a credit back */
    const void *arg;
};
/* `routing`: a spec; NULL: the usual one. */
int finder_open(struct finder *c, struct net *net, const struct traffic *traffic, const char *routing, double flits,
                const struct tick *tick, struct err *err);
/* The network, which is made of the routings, and a run's seed. */
void finder_begin(struct finder *c, const struct fabric *f, int (*used)(const void *arg, int link), const void *arg,
                  uint64_t seed);
void finder_close(struct finder *c);                /* a zeroed struct is fine */
/* What follows on link `in` (-1: none of the network) at `node`: hop[0..n), with room for FINDER_HOPS and one more.
 * Chooses a message's way, and its next stop. Of adaptive routings hop 0 is the escape's, on its channels, and all are
 * behind it; of others, and at a message's end (the link out of the network there), there is one. */
int finder_next(struct finder_hop *hop, size_t *n, struct finder *c, struct message *m, int node, int in,
                struct err *err);
/* The ways of the message's pair under an option (routings with ways). */
int finder_ways(struct pair_ways **out, struct finder *c, size_t option, const struct message *m, struct err *err);
/* Where leg `leg` of the message's way leads. */
int finder_leg(struct finder *c, struct message *m, struct err *err);
/* What is next on the way it has: of routings with several hops one; of adaptive ones the escape's, then all. */
int finder_step(struct finder_hop *hop, size_t *n, struct finder *c, struct message *m, int node, int in,
                struct err *err);
/* Chooses its way, else done when the first hop is asked for; how many legs the way has. */
int finder_choose(struct finder *c, struct message *m, struct err *err);
int finder_legs(int *legs, struct finder *c, const struct message *m, struct err *err);
/* The links of the network on the message's way, with the legs they belong to. */
int finder_walk(struct finder *c, struct message m, void (*link)(void *arg, int link, int leg), void *arg,
                struct err *err);
/* Whether it begins and ends at routers: links of terminals are not its. */
static inline bool finder_routers_alone(const struct message *m)
{
    return m->planned >= 0 || m->ack >= 0;
}
/* Whether a message at this node has come to where it goes. */
static inline bool finder_ends(const struct message *m, int node)
{
    return node == m->target && (m->stop == m->target || m->way < 0);
}
