/* scenario.h -- latencies that change while processes broadcast one message after the other, and what it takes them,
 * over trees that stay or are kept least: wide-area collectives, chapter 4.
 * A scenario is a table, before,a,b,latency: before broadcast n (0: before trees are built) messages between processes
 * a and b, or, by their names, all on two nodes, begin to take x; `down`: the link is gone. Rows come in the order of
 * time. A table with a column `scenario` has several, and one is named behind the file: FILE:NAME.
 * A broadcast begins when the one before it is complete everywhere. Trees by rank or for a network are there at once;
 * minimum spanning trees are built, and where they adapt, checked, by messages that take the latencies of then.
 * The network is watched: each link is measured every `probe` (0: at builds and checks), by all pairs or, `cliques`,
 * by all pairs of a node and by one process of each node for all of its own; processes go by the last value, or the
 * mean, median or forecast (forecast.h) of the last `window`, and leave changes alone that are no greater than
 * `threshold` of what they believed.
 * Units   as latencies are given.
 * Errors  ERR_FORMAT with file and line; ERR_NETWORK; as protocol.h. */
#pragma once

#include "graph/base/csv.h"
#include "model/protocol/adapt.h"
#include "analysis/collective/relay.h"

struct scenario_change {
    int before;
    size_t link;                        /* of the wires */
    double latency;                     /* INFINITY: gone */
};
struct scenario {
    const struct net *net;              /* NULL: rows name processes alone */
    const struct placement *where;
    const struct wire *wire;
    size_t m;
    int broadcasts;
    struct scenario_change *change;
    size_t n;
};
/* The changes, of a scenario that has all else; the wires come by their lesser process. `only`: the scenario of that
 * name, NULL where the table has one; `name` stands for the table in messages. */
int scenario_from(struct scenario *s, const struct csv *csv, const char *only, const char *name, struct err *err);
/* FILE or FILE:NAME; NULL: nothing changes. */
int scenario_read(struct scenario *s, const char *path, struct err *err);
void scenario_release(struct scenario *s);

enum seen_value { VALUE_LAST, VALUE_MEAN, VALUE_MEDIAN, VALUE_BEST };
struct strategy {
    const struct tree_shape *tree;      /* that stays; NULL: the minimum spanning one that processes build */
    int every;                          /* broadcasts between checks of it; 0: it stays */
    double threshold, probe, check;     /* part of what was believed; times: between measurements, of each asking */
    double pause;                       /* after each broadcast; in no total */
    enum seen_value value;
    int window;                         /* of all but the last, up to 64 */
    bool cliques;
    int root;
    struct relay_how how;
    uint64_t seed;                      /* of protocol_open */
    const struct protocol_watch *watch; /* of the protocols; NULL */
    double *began;                      /* when the one at hand did; NULL */
};
struct played {
    double building, adapting, broadcasting;
    double *total;                      /* after so many broadcasts, from 0 */
    double built, adapted, broadcast, probes;   /* messages */
    int checks, changed;                /* of these, those that found something */
    int lost;                           /* processes that some broadcast did not reach */
    struct protocol_cost cost;          /* of all protocols, by type */
};
int scenario_play(struct played *out, const struct scenario *s, const struct strategy *by, const struct tick *t,
                  struct err *err);
void played_release(struct played *p);
/* From which broadcast on `p` has taken less than `other`; beyond those that were played as both went on in the last
 * `over`, in which all their checks come round. INFINITY: never; NaN: too few were played to say so. */
double played_even(const struct played *p, const struct played *other, int broadcasts, int over);

/* A tree of n - 1 joins hung up by a process, the child first whose subtree takes longest. */
int joins_shape(struct tree_shape *shape, const struct sight_join *join, const struct placement *where, int root,
                const struct relay_how *how, struct err *err);
/* The same of the spanning tree; those that it does not reach hang on the root, over links that are not
 * there. */
int spanning_shape(struct tree_shape *shape, const struct spanning *s, const struct placement *where, int root,
                   const struct relay_how *how, struct err *err);
