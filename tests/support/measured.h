/* measured.h -- collectives that others have simulated or measured (tests/fidelity: smpi.csv, fugaku.csv), and what the
 * model of costs `links` says of them.
 * Units   microseconds. */
#pragma once

#include "graph/base/csv.h"
#include "model/collective/collective.h"

/* What is fitted of the real machine: a link's Gb/s, what a process sends over all of its links and reduces, as many
 * times that; microseconds of work a message, and for one of pieces that do not lie together. */
struct measured_set {
    double rate, injection, combine, overhead, pack;
};
#define MEASURED_FITTED { 48, 1, 1, 1.4, 3 }    /* by `fidelity fit`, which sees 2x2x2 alone */

enum { MEASURED_SENDS = 2 };            /* ordered, blocking */
struct measured_row {
    const char *where, *operation, *algorithm, *other;  /* other: SMPI's name, or the library's */
    int64_t bytes;                      /* as the file has them */
    double measured[MEASURED_SENDS], model[MEASURED_SENDS];     /* of the machine: the first alone */
    bool left[MEASURED_SENDS];          /* by our order it misses the limit: `model` is by SMPI's order */
};
struct measured {
    struct csv csv;
    struct measured_row *row;
    size_t n;
};
int measured_smpi(struct measured *m, struct err *err);
/* where: rows of one torus alone, NULL: all; the others are not even run. */
int measured_machine(struct measured *m, const struct measured_set *set, const char *where, struct err *err);
void measured_close(struct measured *m);
/* What is allowed of a row of SMPI, as a part. */
double measured_limit(const struct measured_row *r);

/* Which algorithm the model chooses, over cases of a network (NULL: all), an operation and a size. */
struct measured_choice {
    size_t cases, good;                 /* good: the best, or within 10 % of it */
    double loss;                        /* mean, as a part */
    double ratio;                       /* median of model over measured, of all rows */
};
struct measured_choice measured_choices(const struct measured *m, int sends, const char *where);
