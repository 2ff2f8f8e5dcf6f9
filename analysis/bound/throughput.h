/* throughput.h -- maximum concurrent flow: the largest theta such that theta times a demand fits into the capacities of
 * the links, whatever the routing. No routing, however clever, delivers more.
 *
 *     maximise theta  where, for every source, what reaches a node less what leaves it is theta times its demand there,
 *     and over every link go at most its capacity's worth of all sources' flow together.
 *
 * Two ways to solve it, both after folding by symmetry (fold.h):
 *   arcs     all of it at once: a column per source and link, a row per source and node (aggregated by source), a row
 *            per link. Primal simplex from the basis of shortest-path trees. What rounding leaves open, where
 *            capacities or demands are very unlike, columns close; the method is then said to be theirs.
 *   columns  flow moves from dear to cheap ways; prices follow the loads of links (equilibrium.h), until the
 *            gap is as small as was asked for. Where it is to be smaller than that soon comes to, a linear program goes
 *            on from there, a few columns at a time: a column sends all of a source's demand along a tree of shortest
 *            paths; the prices of links tell which trees would do better (Dantzig and Wolfe 1960; Ford and Fulkerson
 *            1958; prices smoothed, Wentges 1997). Where paths are given one by one it is the only way.
 * Either way the answer is certified without trusting the solver: below by the flow found, scaled until it fits (what
 * is missing at nodes counted against every link); above by the prices y of links, for theta <= sum c_l y_l / sum
 * demand(s,t) dist_y(s,t) for any y >= 0 (linear programming duality; Shahrokhi and Matula 1990).
 *
 * Units   theta: times the demand (demand.h); loads in parts of a link's capacity; price of a link: what theta gains at
 *         most by a unit more of capacity on that link alone; prices times capacities sum to theta.
 * Errors  ERR_NETWORK where a restriction leaves a pair without a path; ERR_USAGE where the method cannot do what is
 *         asked, or the program is too large for it (with its size, and the method that would do); ERR_MEMORY where the
 *         walks or columns of all sources would not fit; ERR_STOPPED, answered within a search for paths; those of
 *         lp.h. */
#pragma once

#include "analysis/load/demand.h"
#include "model/routing/route.h"

enum throughput_paths {
    PATHS_ANY,
    PATHS_SLACK,                /* at most `extra` hops more than the shortest (of the pair) */
    PATHS_FEWEST,               /* the `extra` shortest without loops, as igraph orders those of equal length */
    PATHS_WAYS                  /* the ways of a routing, in any shares: the MSPs of metapaths, or a table's */
};
enum throughput_method { THROUGHPUT_AUTO, THROUGHPUT_ARCS, THROUGHPUT_COLUMNS, THROUGHPUT_ROUTING };
extern const char *const throughput_method_name[];

struct throughput_options {
    enum throughput_paths paths;
    int extra;
    struct routing *ways;       /* of PATHS_WAYS */
    enum throughput_method method;
    double gap;                 /* relative, that columns are content with; 0: until nothing improves; NAN: 0 for
                                 * small programs, else a hundredth */
    bool unfolded;
    const double *capacity;     /* as in capacity.h; NULL: 1 each */
    const char *write;          /* a file for the linear program (lp_write), NULL: none */
    const struct tick *tick;
};
struct throughput {
    double theta, bound;        /* proved from below and from above */
    double gap;                 /* 1 - theta/bound */
    double distance_bound;      /* capacities over demand times distance: what equal prices prove; of PATHS_FEWEST
                                 * and PATHS_WAYS, the distance is that of the shortest path listed */
    double hops;                /* mean over the traffic of the links it crosses in the flow found */
    bool shortest;              /* which are as few as distances have, or the routing's; else other flows that reach as
                                 * much may cross fewer */
    enum throughput_method method;
    size_t rows, columns;       /* of the linear program; 0 where none was needed */
    size_t rounds;              /* of columns: times that shortest paths were looked for */
    size_t sources, links;      /* that stand for all, after folding */
    int lost[2];                /* a pair that has demand and no path at all: then theta = bound = 0, and there is no
                                 * more; else -1 */
    size_t nlink;               /* in the order of csr_init: all cables between two nodes are one */
    int *from, *to;             /* nodes */
    double *capacity, *load, *price;
};

int throughput_open(struct throughput *out, struct net *net, const struct demand *d, const struct throughput_options *o,
                    struct err *err);
/* gain[link], NaN where not tried: what theta gains by one cable more beside, as wide as those there are in the mean
 * (on directed networks: by a link), for the `most` joined pairs of the highest prices, each by a program of its own,
 * without a gap. A price says only how much it may be at most for a unit of capacity: links of one cut share a price,
 * and one of them alone may gain nothing. */
int throughput_gain(double *gain, const struct throughput *t, struct net *net, const struct demand *d,
                    const struct throughput_options *o, size_t most, struct err *err);
/* What a routing reaches with its own shares: theta at which its fullest link is full; bound, gap, prices stay NaN. Of
 * cables between the same nodes the fullest says how full they are. */
int throughput_of_routing(struct throughput *out, struct net *net, const struct demand *d, struct routing *routing,
                          const struct throughput_options *o, struct err *err);
void throughput_close(struct throughput *t);    /* a zeroed struct is fine */
