/* flows.h -- which messages cross which links: traffic sent by a routing over a network, as the collision models
 * need it.
 *
 *   source   what sends: a terminal of a matrix, a source of a list (of one stream or several). One message of a source
 *            is under way at a time.
 *   port     how messages reach a link: over an upstream link, or from a source of their own. Messages of one port have
 *            been put in a row already; what collides at a link are its ports. A port that is an upstream link is what
 *            the literature calls a turn, or a dependency between channels.
 *   state    a message on a link with a way still to go. All messages with the same way to go share it, whoever sent
 *            them, so 1023 sources that reach a node by dimension order need 1023 states, not the 16,000 links of their
 *            paths. A state's edges lead to the states that may follow, with shares that sum to 1, each over a port; a
 *            state without edges is on the last link. Children have smaller numbers than parents.
 *   injection  where a source's messages enter: a state, the port they wait at, and the share of the source's messages.
 *            Ways over intermediate nodes have one each; hop by hop there is one per target and first hop.
 *
 * Cables side by side are links each. Where links differ in bandwidth, what a flit takes over one is told in parts of
 * what it takes over the fastest.
 *
 * Where network, routing and traffic all look the same from every node, they are folded: links, ports and the one
 * source stand for `copies` each. Where they look the same after some symmetries of the network, they can be folded by
 * these (struct flows_orbits).
 * Errors  ERR_MEMORY before it is taken; ERR_NETWORK where there is no path; ERR_INTERNAL for a routing that loops. */
#pragma once

#include "model/routing/route.h"
#include "model/traffic/traffic.h"

#define FLOWS_CHUNKS 16

struct flow_source {
    int node;                   /* -1: folded, any */
    int stream;                 /* of a list: its first, else -1 */
};
struct flows_block {
    size_t state, injection;
};
/* Of an injection, where links differ: means over its ways. */
struct flow_way {
    double slowest;             /* 1 less than the slowness of the slowest link */
    double slow;                /* the same summed over all links */
    double length;              /* sum of lengths, in cycles */
};
/* Links, turns from link to link and sources that symmetries of the network take to each other are one (an orbit), seen
 * at its first member, `first`. One target of each orbit is followed; what leads there by the same ways to go, over
 * links of the same orbits, is one state. Rates and waits are those of one member: messages are counted for all of them
 * and divided among them. Which sources reach a link over two ports is not known here. */
struct flows_orbits {
    size_t nsource, nlink;      /* unfolded, as they would be */
    int *source_of;             /* by source: its orbit */
    int *link_of;               /* by link: its orbit */
    int *from, *to;             /* by link, as link_from and link_to */
    int *source_first, *link_first;     /* by orbit */
    double *source_many, *link_many;    /* members */
    double *port_many;          /* ports of this kind at one link */
    double *injection_ways;     /* of one source: what the injection stands for */
};
struct flows {
    struct net *net;
    const struct traffic *traffic; /* outlives the flows */
    double copies;              /* 1 where not folded, or by orbits */
    struct flows_orbits *orbits;        /* NULL: not folded by them */

    size_t nsource;
    struct flow_source *source;

    size_t nlink;               /* in the order of csr_init; then those out of the network and into it, by node */
    int *link_from, *link_to;   /* folded: 0 and the step. link_to -1: out of the network at link_from; link_from -1:
                                 * into it at link_to */
    int *link_cable, *link_edge;        /* by link, of orbits unfolded; NULL unless nodes are joined by several cables:
                                         * which of them, from 1 (0: it is the only one), and the edge of the network's
                                         * graph; else 0 */
    double flit_time;           /* cycles that a flit takes over the fastest link: 1 where all are unit links */
    int nslow;                  /* how many times more it takes over others: slow[0] = 1 < slow[1] < ... */
    double *slow;
    int *link_slow;             /* by link, which of these; NULL where all are as fast. A link of the model, into the
                                 * network or out of it, is as fast as the widest cables from its terminal to one other
                                 * node together: several in parallel are like one as wide */
    double *link_length;        /* by link; NULL where none has any */
    size_t *port_first;         /* nlink + 1 */
    size_t nport;
    int *port_in;               /* the upstream link, or -1 - source */
    int *port_link;             /* the link it leads to */
    bool cyclic;                /* ports lead from link to link round in a cycle: messages that hold links may
                                 * deadlock */
    size_t *pair_first;         /* nlink + 1: where the n x n waits between the n ports of a link stand */

    size_t nstate, nedge;
    uint32_t *edge_first;       /* nstate + 1 */
    int *edge_child, *edge_port;
    double *edge_share;
    bool chain;                 /* no state has more than one edge */
    double *state_slow;         /* by state and slowness: the part of messages for which no link after the state's is
                                 * slower; NULL where all links are as fast */

    size_t ninjection;
    int *injection_source, *injection_state, *injection_port;
    double *injection_share;    /* of the source's messages: sums to 1 over a source's injections */
    double *injection_given;    /* as the routing gave it: sums to 1 over the injections of each option of a source */
    double *injection_hops;     /* mean links of the network to the target */
    double *injection_links;    /* the same, and those between the network and its terminals */
    struct flow_way *injection_way;     /* NULL where links differ in nothing but their ends */
    int *injection_pair;        /* counts ordered pairs of source and target: injections of one are consecutive. Each
                                 * further option has the same pairs, in this order, behind those of the one before. By
                                 * orbits, of one routing hop by hop: counts injections */
    int *injection_option;      /* which of the routings given */
    int *state_node, *injection_node;/* folded: where the state's link begins, and the sender; else NULL */
    uint32_t *source_first;     /* nsource + 1, into source_injection: those of a source in the order they were made */
    uint32_t *source_injection;

    /* Blocks of states and injections that do not touch each other: those of one target, few enough to stay in a
     * processor's cache. Chunks of blocks are for threads. */
    size_t nblock, block_most;      /* the most states of a block */
    struct flows_block *block;      /* nblock + 1: where each begins */
    size_t nchunk, chunk[FLOWS_CHUNKS + 1];     /* first block of each */

    /* Sources that reach a link over two of its ports never compete there: for the pair of waits overlap_pair[i] (first
     * port before second) the sources are overlap_source[j], each with the product of its messages' shares at the
     * two. */
    bool apart;                 /* left out: flows_overlap finds none */
    size_t noverlap;
    size_t *overlap_pair, *overlap_first;
    int *overlap_source;
    double *overlap_product;
};

struct flows_options {
    bool unfolded;              /* even where it could be folded */
    bool terminals;             /* a terminal that is its own switch (follow.h) has a link into the network and one out
                                 * of it */
    const struct tick *tick;
    double time;                /* of demand.h, for routings that are told the traffic; 0: 1 */
    bool apart;                 /* overlaps are left out: open sources need none, nor do loads alone */
    bool orbits;                /* folded by symmetries as well, where all routings are symmetric (route.h) and the
                                 * traffic a matrix; overlaps are left out then */
    bool legs;                  /* with `orbits`: even traffic over any host in two legs (flows_over_any.c), however few
                                 * the ways are */
};
/* Several routings: the options a source may choose among. All but the first have shares 0 to begin with. */
int flows_open(struct flows *out, const struct traffic *traffic, struct routing *routing, size_t nrouting,
               const struct flows_options *options, struct err *err);
/* Bytes of one injection in all arrays, for forecasts. */
double flows_injection_bytes(void);
void flows_release(struct flows *f);

/* Finds the overlaps again after injection_share was changed. */
int flows_overlap(struct flows *f, const struct tick *tick, struct err *err);
/* And what bandwidths and lengths make of ways, after edge_share was. Hops stay: ways of a state must be as long. */
int flows_measure_ways(struct flows *f, struct err *err);

/* The nodes of an injection's way, from sender to target, in `path` (room is made; route_path_release). Folded: those
 * of the way to node 0. ERR_USAGE where the way branches. */
int flows_way(struct route_path *path, const struct flows *f, size_t injection, struct err *err);

/* "1.2>1.3", "1.2>1.3:PORT" for one of several cables, "into 1.2", "out of 1.2"; folded: at node 0. To be freed;
 * NULL: memory. */
char *flows_link_label(const struct flows *f, size_t link);
/* Of one of several cables: its port's name at the node where the link (of orbits: unfolded) begins, else its number;
 * of others "". Whole, in `out` or where the network keeps it. */
const char *flows_cable_name(const struct flows *f, size_t link, char out[24]);

/* The number of a link in the order of those unfolded by orbits. */
static inline size_t flows_link_at(const struct flows *f, size_t link)
{
    return f->orbits ? (size_t)f->orbits->link_first[link] : link;
}
/* What a source, a link, a port stands for: sources, links, ports of one link. */
static inline double flows_sources(const struct flows *f, size_t source)
{
    return f->orbits ? f->orbits->source_many[source] : 1;
}
static inline double flows_links(const struct flows *f, size_t link)
{
    return f->orbits ? f->orbits->link_many[link] : 1;
}
static inline double flows_ports(const struct flows *f, size_t port)
{
    return f->orbits ? f->orbits->port_many[port] : 1;
}
/* Among how many ports the messages that are counted at one are divided. */
static inline double flows_divided(const struct flows *f, size_t port)
{
    return f->orbits ? f->orbits->port_many[port] * f->orbits->link_many[f->port_link[port]] : 1;
}

/* Slowness of a link, and its bandwidth in unit links. */
static inline double flows_slow(const struct flows *f, size_t link)
{
    return f->link_slow ? f->slow[f->link_slow[link]] : 1;
}
static inline double flows_length(const struct flows *f, size_t link)
{
    return f->link_length ? f->link_length[link] : 0;
}
static inline double flows_bandwidth(const struct flows *f, size_t link)
{
    return 1 / (f->flit_time * flows_slow(f, link));
}

/* How source i sends where those without an interval or time of their own do as the request says. */
static inline struct traffic_pace flows_pace(const struct flows *f, size_t i, struct traffic_pace request)
{
    return traffic_pace(f->traffic, f->source[i].stream, request);
}
/* out[i] = time / interval of source i: the part of the time that it keeps a link busy which all its messages cross. */
void flows_offered(double *out, const struct flows *f, struct traffic_pace request);
/* load[l]: messages over link l while each source sends rate[source] (NULL: one each); port[g] likewise (either
 * NULL). */
int flows_load(const struct flows *f, const double *rate, double *link, double *port, struct err *err);
