/* traffic.h -- traffic patterns: which terminals send to which. One file traffic_NAME.c per kind; a traffic is bound to
 * one network. A source has one message out at a time. A matrix has one source per terminal, which spreads its messages
 * over the others; a list has streams, each to one destination, each a source of its own or with others of its node a
 * share of one. Permutations are lists. */
#pragma once

#include "graph/base/entry.h"
#include "graph/net.h"

struct traffic_kind;

/* Intervals and times that a request or a file may ask for, in cycles; demands, in links. */
#define TRAFFIC_LEAST 1e-9
#define TRAFFIC_MOST 1e12

struct stream {                 /* from one sender to one destination: what files and tables call a channel */
    char *name;                 /* as the file gives it; NULL: traffic_stream_label makes "0.1-2.3" of its ends */
    char *group;                /* its source's name, the same for all streams of it; NULL: none */
    int source, target;         /* nodes, different */
    double interval, time;      /* of its source, as the file gives them (of demands without a time: the interval of a
                                 * cycle's worth); NAN: as the request says. Ask traffic_pace for numbers */
    double share;               /* of the messages of its source: sums to 1 over these streams */
};
/* How a source sends, in cycles: the mean time between its messages, and how long each takes to transmit. */
struct traffic_pace {
    double interval, time;
};
struct traffic {
    const struct traffic_kind *kind;
    char *spec;                 /* canonical; parses to itself */
    const struct net *net;      /* must outlive the traffic */
    bool matrix;                /* one source per terminal that spreads over destinations by kind->share; else a list */
    bool invariant;             /* looks the same from every node of a network with a group: share(s,t) depends on t-s
                                 * alone, or (lists) every node is one source, by ascending node, and target - source
                                 * and share of its k-th stream are the same for all. Lists from files and drb-hotspot
                                 * do not say so */
    struct stream *stream;      /* lists: nstream, at least 1, permutations by ascending source; NULL for matrices */
    size_t nstream;
    size_t *first;              /* lists: the streams of source i are first[i] .. first[i + 1] - 1, i = 0..nsource-1;
                                 * NULL: every stream is a source of its own. Ask traffic_sources and traffic_first */
    size_t nsource;
    bool offered;               /* lists: intervals come from demands, what sources offer whatever the network does */
    int silent;                 /* permutations: terminals that would send to themselves and therefore do not send */
    void *state;                /* the kind's own */
};
struct traffic_kind {
    ENTRY;
    bool even;                  /* a uniform matrix: all shares are 1/(terminals - 1), and need not be asked for */
    const char *caution;        /* a caution about its latency; NULL: nothing */
    /* Checks the network (ERR_DOMAIN naming kind, what it needs, and the network); sets spec, and matrix, invariant or
     * the streams; state, which is closed where it fails as well. NULL: what it is takes an analysis to find, and its
     * solver makes the traffic (of worst: worst_traffic of analysis/bound). */
    int (*open)(struct traffic *t, const struct spec *spec, struct net *net, struct err *err);
    void (*close)(struct traffic *t);       /* of state; NULL: it is one block, to be freed, or none */
    /* Permutations without parameters, opened by traffic_permute: what they need of the network (NULL: two
     * terminals), and where a terminal sends, both by their indices. */
    int (*needs)(const struct traffic *t, struct err *err);
    int (*to)(const struct net *net, int index);
    /* Part of the source's messages that goes to target, both terminals; rows sum to 1. NULL for lists. */
    double (*share)(const struct traffic *t, int source, int target);
};
KIND_HEADER(traffic, traffic, struct traffic_kind);

/* ERR_USAGE for a wrong spec, ERR_DOMAIN for a network it does not fit, ERR_FORMAT ("path:line") for a wrong file;
 * ERR_INTERNAL for a kind that takes a solver. A bare path that ends in .csv stands for file:PATH. */
int traffic_open(struct traffic *out, struct net *net, const char *text, struct err *err);
void traffic_release(struct traffic *t);        /* safe on a zeroed struct */
/* A stream's name, or one made of its ends, whole; to be freed; NULL: memory. */
char *traffic_stream_label(const struct traffic *t, size_t stream);
/* Of source i: of a matrix its node; of a list its name, or where it has none its only stream's label, or its node. */
char *traffic_source_label(const struct traffic *t, size_t i);

/* How many sources there are, and the first stream of source i of a list (of traffic_sources: the end of all). */
static inline size_t traffic_sources(const struct traffic *t)
{
    return t->matrix ? (size_t)t->net->nterminal : t->first ? t->nsource : t->nstream;
}
static inline size_t traffic_first(const struct traffic *t, size_t i)
{
    return t->first ? t->first[i] : i;
}
/* The one stream of source i of a list; NULL where it has several, and of a matrix. */
static inline const struct stream *traffic_only(const struct traffic *t, size_t i)
{
    return t->matrix || traffic_first(t, i + 1) - traffic_first(t, i) > 1 ? NULL : &t->stream[traffic_first(t, i)];
}

/* Of a stream (below 0: of a terminal of a matrix), in numbers: its own, or what the request says. The one place that
 * asks which. */
struct traffic_pace traffic_pace(const struct traffic *t, int stream, struct traffic_pace request);
/* How many streams have an interval of their own; whether any has a transmission time of its own. */
enum traffic_own { OWN_NONE, OWN_SOME, OWN_ALL };
enum traffic_own traffic_own(const struct traffic *t);
bool traffic_own_times(const struct traffic *t);

/* The terminal that a cell of a file names. ERR_FORMAT, "path:line". */
struct csv;
int traffic_terminal(int *node, const struct net *net, const struct csv *csv, size_t row, int column, const char *path,
                     struct err *err);

/* For the kinds' open. */
/* Room for up to `most` channels. */
int traffic_room(struct traffic *t, size_t most, struct err *err);
/* Appends a stream, without a name or times of its own, to the room made. */
void traffic_add(struct traffic *t, int source, int target);
/* Successive streams of one node are one source, which sends to each its share. */
int traffic_group_nodes(struct traffic *t, struct err *err);
/* Whether a list is invariant, and says so. */
void traffic_see_invariant(struct traffic *t);
int traffic_need_two(const struct traffic *t, struct err *err);         /* terminals */
/* A power of two of terminals; dimensions, and every node a terminal. */
int traffic_need_bits(const struct traffic *t, struct err *err);
int traffic_need_dimensions(const struct traffic *t, struct err *err);
/* `open` of a kind that has `to`. */
int traffic_permute(struct traffic *t, const struct spec *spec, struct net *net, struct err *err);
/* The streams of a permutation, silent and invariant, from a list of indices by terminal; refuses the identity, in
 * which no terminal sends. */
int traffic_permutation(struct traffic *t, const int *to, struct err *err);
/* Binary digits of the terminals' indices, when their number is a power of two. */
static inline int traffic_bits(const struct net *net)
{
    return __builtin_ctz((unsigned)net->nterminal);
}
