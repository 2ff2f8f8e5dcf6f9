/* machine.h -- what messages cost on a machine, out of logs of it: pieces of T(m) (graph/numeric/pieces.h), and the
 * parameters of models of cost (analysis/collective/cost.h) from these.
 *   hockney  a + m/rate, one line through all sizes
 *   loggp    l + 2 o: the first piece at a byte; rate: of the last piece, or of the last of a bandwidth log; g: the
 *            time of a message of 8 bytes (or the next size) there. No log has o: given, else the lesser of g and
 *            (l + 2 o)/2
 *   plogp    l + g(m) the time at every measured size; g(m) no less than g
 *   links    2 overhead + hops cable-time: T(0) of pairs at two and more distances, else the cable's time is assumed
 * A size's time is the mean of its repetitions; of three and more those that are off by three deviations (of the
 * quartiles) and by 15 % count as if they were there.
 * Intervals of 95 %: Student's quantile times the deviation of 1,000 draws, of repetitions where each size has three
 * and more, else of what the line leaves (so the line is taken to be true, and errors to be independent and in
 * proportion to the time).
 * Source  Hockney 1994; Alexandrov and others 1995; Kielmann, Bal and Verstoep 2000; Efron 1979 (bootstrap).
 * Units   bytes, seconds, bytes/s. */
#pragma once

#include "analysis/fit/log.h"
#include "graph/numeric/pieces.h"

/* Sizes with their times. */
struct times {
    size_t n, *first, *row;             /* repetitions of size i: all[first[i]] .. all[first[i + 1] - 1]; a row of it */
    double *bytes, *time, *weight, *all;
    bool repeated;                      /* three and more of every size */
};
struct number {
    double value, lo, hi;               /* NaN: no interval */
    double from, to;                    /* of these sizes */
    const char *by;                     /* "residuals", "few rows", "repetitions", "assumed", "given", "measured" */
};
/* A line with its parameters. */
struct fitted_line {
    struct piece piece;
    struct number a, rate;
};
struct machine {
    const struct log *log;
    struct times near, far, flow;      /* of pairs next to each other; farther; of bandwidths. Without sizes: none */
    struct fitted_line one, piece[PIECES_MOST];
    size_t npiece;
    double near_hops, far_hops;
    struct number start, l, o, g, rate; /* start: l + 2 o */
    struct number least;                /* l of plogp */
    struct number overhead, cable;
    double worst[4];                    /* greatest error of each model, relative, */
    size_t worst_at[4];                 /* at that size of near */
};
enum machine_model { MACHINE_HOCKNEY, MACHINE_LOGGP, MACHINE_PLOGP, MACHINE_LINKS, MACHINE_MODELS };
extern const char *const machine_model_name[MACHINE_MODELS];

struct machine_how {
    int processes;                      /* only of so many; 0: any */
    bool same_node;
    double overhead, cable;             /* NaN: not said */
    uint64_t seed;
};
/* Errors ERR_DOMAIN: fewer than three sizes; ERR_FORMAT: times that fall by half and more; ERR_MEMORY. */
int machine_fit(struct machine *m, const struct log *l, const struct machine_how *how, struct err *err);
void machine_release(struct machine *m);
/* g(m) of plogp, of a size of `near`. */
double machine_gap(const struct machine *m, size_t size);
/* The greatest error of the pieces. */
double machine_worst(const struct machine *m);

/* Where the library changes from piece k to the next, and where it should. */
struct threshold {
    double changes, cross;              /* bytes; cross NaN: the lines do not cross between neighbours */
    double at, measured, other;         /* the size where most is lost, its time, and that of the other line: it is
                                         * drawn beyond its rows */
    bool advised;                       /* the gain is above the errors of both pieces */
};
void machine_threshold(struct threshold *t, const struct machine *m, size_t k);
