/* cables.h -- what the cables of a network are like, where they are not all the same.
 * A cable is an edge of the network's graph, and two links, one each way; where the network is directed, an edge is a
 * link. Any two nodes may be joined by several. A link's bandwidth is that of so many unit links; its length is the
 * time, in cycles, that it adds to the hop time.
 * A family may have classes of cables (hosts', local, global), whose keys CLASS-bandwidth and CLASS-latency precede
 * those for all. Failed cables are no cables: a network with failures is another network, without the symmetry and the
 * closed forms of its family.
 * Bandwidths may be rates, as in 200Gb/s: the slowest at a terminal is the unit link's. Lengths may be times, as in
 * 100ns: they are in seconds until cables_measure knows what a cycle is.
 * Errors  ERR_USAGE for values that are none, and for failures of what is not there; ERR_NETWORK for failures that part
 *         the terminals. */
#pragma once

#include "graph/base/spec.h"

struct net;

struct link_kind {
    double bandwidth;           /* of a unit link, from CABLES_LEAST to CABLES_MOST */
    double length;              /* cycles (`times`: seconds) beside the hop time, not negative */
};
#define CABLES_LEAST 1e-6
#define CABLES_MOST 1e6
#define CABLES_LONGEST 1e12     /* cycles */

/* All zero: one cable a pair, each of one unit link each way, of no length. */
struct cables {
    int nkind;
    struct link_kind *kind;     /* NULL: all links are unit links; of one, all are of that kind */
    int *of;                    /* with more kinds: 2 per edge, of the links to the higher node and to the lower one;
                                 * directed: both the same */
    double rate;                /* of a unit link, in bits per second; 0: not known */
    bool times;
    double unit;                /* seconds: what a number without a unit is, where the spec says so (unit=ms); 0 */
    size_t nport;
    char **port;                /* 2 per edge, at the lower node and at the higher (directed: from, to), or NULL */
    bool parallel;              /* some pair of nodes is joined by several */
    bool failed;                /* some cable or node is out */
    int *down;                  /* nodes that failed, ascending: they have no cables and are no terminals */
    int ndown;
    int (*gone)[3];             /* of each failed cable: the nodes that it joined, its edge in the graph without fail */
    size_t ngone;
};

/* The keys of every topology: bandwidth, latency, fail. */
extern const struct spec_key cables_keys[];

/* A bandwidth (b 0), in unit links or bits per second, or a latency (b 1), in cycles or seconds, within its limits;
 * *unit: it is a quantity. */
int cables_value(double *out, bool *unit, const char *text, int b, struct err *err);
/* Applies the keys of `spec` to a network that its family has opened, and appends them to its canonical spec. */
int cables_open(struct net *net, const struct spec *spec, struct err *err);
/* Takes out what the value of the key fail names; the rest of cables_open is done. */
int cables_fail(struct net *net, const char *what, struct err *err);
/* The kinds from values by edge, 2 each (NULL: all 1, all 0). Where bandwidths are rates, `rate` is 1 until cables_open
 * finds the unit link. */
int cables_values(struct cables *c, size_t nedge, const double *bandwidth, const double *length, struct err *err);
/* Says what a unit link carries and how long a cycle is: bandwidths that were rates become numbers of links of `rate`
 * bits per second (NaN: the network's own), lengths that were times become cycles of so many seconds (NaN: stay), and
 * all links are longer by `more` cycles. Once. */
int cables_measure(struct net *net, double rate, double cycle, double more, struct err *err);
/* Which edge is of which kind, where kinds come from keys: asked by net_graph. */
int cables_of(struct net *net, struct err *err);
/* Where kinds come from keys, and there are several: which the cable between two nodes is of. */
int cables_class(const struct net *net, int a, int b);
/* The least, or the greatest, bandwidth and length of all kinds. */
struct link_kind cables_least(const struct cables *c);
struct link_kind cables_most(const struct cables *c);
void cables_release(struct cables *c);
bool cables_down(const struct cables *c, int node);
/* Whether the two directions of some cable are of different kinds, which only files can say. */
bool cables_uneven(const struct net *net);
/* The mean of a cable's two directions (directed: its own); of a graph that net_graph() has made. */
double cables_bandwidth(const struct cables *c, size_t edge);

static inline bool cables_alike(const struct cables *c)
{
    return c->nkind <= 1;
}
