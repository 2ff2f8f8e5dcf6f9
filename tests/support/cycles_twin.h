/* cycles_twin.h -- broadcasts in cycles, message by message: a slow and literal simulation for whoever computes them
 * otherwise. At every instant at which anything can happen it looks at everything; it shares nothing with the program.
 * A scene is plain numbers: links with bandwidths and lengths, ways as lists of links, a tree, roots that start a
 * broadcast once or again and again, and background sources that send beside them. All times are cycles.
 *
 * A message asks for its links one after the other, held ones first come first served. At g_k it gets l_k, and with
 * t_k = flits / bandwidth of l_k, s = max t_k, tau the hop time, L_k lengths,
 *   cut-through          asks for the next at g_k + tau + L_k; e_k = max(g_k + t_k, e_{k-1} + tau + L_{k-1}) frees l_k;
 *   store-and-forward    asks for the next at e_k + tau + L_k; e_k = g_k + t_k frees l_k;
 *   wormhole, circuit    asks for the next at g_k + tau + L_k and keeps what it has; having got the last, l_n,
 *                        e_n = g_n + s (circuit: + 2 sum of tau + L_k over all n), and l_k is freed at
 *                        e_n - sum of tau + L_j for j = k..n-1, not before g_n;
 * delivered at e_n + L_n. A process that has the broadcast's message queues its sends to its children, in the order of
 * the tree; a send has one of the process's ports until delivered or, where sends do not block, until it has left:
 * g_1 + t_1 (wormhole, circuit: g_1 + s).
 * What a message lets go at the instant at which it gets a link is free at once.
 * At one instant: first links and ports are freed, messages delivered, broadcasts started; then those who wait take
 * links; then requests are made one by one: who has a link asks for the next first, by rank of the sender, child,
 * broadcast; then first links, as sends are started: deliveries are worked off in the same order, each starts its
 * sender's next, then its receiver's; then broadcasts that start; background's last, by source.
 * A link that several wait for goes to who came first, whether or not another would have done.
 * Failures are cmocka's; a deadlock is a result. */
#pragma once

#include <stdbool.h>

#include "graph/numeric/rng.h"

#define TWIN_HOPS 64                /* links of a way, at most */

enum twin_switching { TWIN_WORMHOLE, TWIN_CIRCUIT, TWIN_CUT_THROUGH, TWIN_STORE_AND_FORWARD };

struct twin_step {                  /* the first free of the links first .. first + n - 1 */
    int first, n;
};
struct twin_way {
    int n;
    struct twin_step step[TWIN_HOPS];
    double share;                   /* of a background source's messages */
};

/* When a root starts its next broadcast: so long after its last was complete, or so on average, exponentially; or
 * whether that is complete or not, at Poisson instants so far apart on average. */
enum twin_again { TWIN_AFTER, TWIN_THINKING, TWIN_POISSON };
struct twin_root {
    int root;
    double start;                   /* of the first (TWIN_POISSON: none before) */
    long rounds;                    /* 0: without end */
    enum twin_again again;
    double interval;
};

/* Closed: an exponential time, a message, and when it is delivered over again. Open: Poisson arrivals, first come
 * first served, one message out at a time. */
struct twin_source {
    bool open;
    double interval, flits;
    int nway;
    const struct twin_way *way;     /* shares sum to 1 */
};

struct twin_scene {
    enum twin_switching switching;
    int nlink;
    const double *bandwidth, *length;
    double flits, hop_time;
    int processes, ports;           /* ports 0: no limit */
    bool blocking;
    const int *first, *child;       /* by rank, as in a tree_shape */
    const struct twin_way *way;     /* [from * processes + to] */
    int nroot;
    const struct twin_root *root;
    int nsource;
    const struct twin_source *source;
};

/* The message to a rank. NAN: not yet. */
struct twin_message {
    double started, delivered, waited, longest;
    int collisions, longest_at;     /* links waited at; the one waited at longest, -1 none */
    int waits_for;                  /* the first of the links it waits for; -1 none */
};
/* One broadcast of those that were started, in the order of their starts. */
struct twin_broadcast {
    int root;                       /* the process */
    int of;                         /* scene->root[of] */
    double start, complete;
    double *arrival;                /* by process; both NULL unless asked for */
    struct twin_message *message;   /* by rank, [0] unused */
    int left;                       /* messages not delivered */
};
struct twin_stuck {                 /* background: broadcast -1 and the source in place of the rank */
    int broadcast, rank, link;      /* the link it waits for */
    int by_broadcast, by_rank;      /* who holds it */
};
struct twin_result {
    int n, room;
    struct twin_broadcast *broadcast;
    bool deadlock;
    int nstuck;                     /* those who wait for each other, or behind such */
    struct twin_stuck *stuck;
    double now;                     /* when it ended */
    long *sent;                     /* by source, delivered since `from`, and the sum of their times */
    double *latency;
};

/* Runs until the first `enough` broadcasts are complete (0: until nothing more is to come), or deadlock. rng: NULL
 * where nothing is random. `details`: arrivals and messages. Background is counted from the instant `from`. */
struct twin_how {
    int enough;
    bool details;
    double from;
    struct rng *rng;
};
void twin_run(struct twin_result *r, const struct twin_scene *s, struct twin_how how);
void twin_release(struct twin_result *r);
