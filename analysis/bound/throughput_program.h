/* throughput_program.h -- what the two methods of throughput.h share: the program, and what flows and prices prove. */
#pragma once

#include "analysis/bound/path_lists.h"
#include "analysis/bound/throughput.h"
#include "analysis/bound/walks.h"

/* Demands are divided by their mean over pairs, capacities by their geometric mean over links, so that the numbers
 * of the linear program are about 1. */
struct program {
    const struct throughput_options *o;
    const struct demand *d;
    double gap;                 /* that columns are content with */
    struct fold fold;
    double mean;                /* demand of a pair, mean over the pairs that have one */
    double wide;                /* geometric mean of capacities; the fold's are divided by it */
    double total;               /* scaled demand of all sources */
    double distance;            /* mean over the traffic, in links */
    struct walks *walks;        /* by source; NULL where paths are listed */
    double **at;                /* by source and place: scaled demand */
    int states;                 /* of the widest graph of states */
    struct shortest search;
    int lost;                   /* a place with demand that the last search did not reach, else -1 */
    double done;                /* last told to the tick */
    const char *write;          /* where the linear program goes, NULL: nowhere */
    struct path_lists lists;    /* where paths are listed */
    bool listed;
};
/* The best known from both sides; loads and prices by class, prices such that the capacities are worth 1 altogether. */
struct found {
    double congestion;          /* of the flow: 1/theta in scaled demand */
    double least;               /* congestion that every flow has */
    double *load;               /* of the flow, scaled demand, over all links of the class together */
    double *price;
    size_t rows, columns, rounds;
};

#define EXACT 1e-9              /* what a gap of 0 is taken for ... */
#define EXACTLY 1e-13           /* ... where less can be hoped for */
#define CORNER_ROWS 300

static inline double found_gap(const struct found *f)
{
    return 1 - f->least / f->congestion;
}
static inline double found_goal(const struct program *p)
{
    return p->gap > EXACT ? p->gap : EXACTLY;
}
static inline bool found_enough(const struct found *f, const struct program *p)
{
    return found_gap(f) <= fmax(p->gap, EXACT);
}
/* A program so small is solved where there is to be no gap, for its corners are round numbers. */
static inline bool program_corner(const struct program *p)
{
    return p->gap <= EXACT && p->fold.nsource + p->fold.nclass <= CORNER_ROWS;
}
int program_open(struct program *p, struct net *net, const struct demand *d, const struct throughput_options *o,
                 struct err *err);
void program_close(struct program *p);          /* a zeroed struct is fine */
/* Tells the tick how near the goal is, and listens whether to stop. */
int program_report(struct program *p, const struct found *f, struct err *err);

/* Shortest walks of source i, in p->search; listed paths need none (path_lists_cheapest). Listens whether to stop. */
int program_search(struct program *p, size_t i, const double *length, struct err *err);
/* Adds what source i's scaled demand puts on classes, all copies together, along its cheapest paths; *cost is what
 * that costs. Listens whether to stop. */
int program_price(struct program *p, double *load, double *cost, size_t i, const double *length, struct err *err);
/* What flow `load` proves: the congestion of its fullest link; keeps it if it is the best so far. */
void found_flow(struct found *f, const struct program *p, const double *load);
/* What prices prove, `cost` having been found with them for all sources together. */
void found_prices(struct found *f, const struct program *p, const double *length, double cost);
/* What prices `length` prove; `load` gets what all sources put on classes, in addition to what is there. */
int program_prove(struct found *f, struct program *p, double *load, const double *length, struct err *err);

/* Room for what t says of each link; t is to be closed either way. */
int throughput_links(struct throughput *t, size_t nlink, struct err *err);
/* theta where the congestion is that. */
static inline double program_theta(const struct program *p, double congestion)
{
    return p->wide / (p->mean * congestion);
}
/* A linear program for others to read is in the units of demand and capacity, unless these are very large or small:
 * then theta and flows are in units of a power of ten, which theta's name tells. */
struct plain {
    double flow, demand;        /* what scaled capacities and scaled demands are multiplied by */
    char theta[24];             /* "theta", or "theta_em9": theta is this times 10^-9 */
};
void program_plain(struct plain *out, const struct program *p, const struct found *f);
/* The size of the program that arcs would solve. */
void arcs_size(double *rows, double *columns, const struct program *p);
int arcs_solve(struct found *f, struct program *p, struct err *err);
int columns_solve(struct found *f, struct program *p, struct err *err);
