/* measured.h -- collectives that others have simulated or measured (tests/fidelity: smpi.csv, fugaku.csv), and what the
 * model of costs `links` says of them.
 * Units   microseconds. */
#ifndef TESTS_SUPPORT_MEASURED_H
#define TESTS_SUPPORT_MEASURED_H

#include "graph/base/csv.h"
#include "model/collective/collective.h"

/* The one set of parameters for the real machine, fitted on its torus of 2x2x2. */
#define MEASURED_COST "links,receives=at-once,injection=48Gb/s,pack=3us"
#define MEASURED_RATE 6e9
#define MEASURED_OVERHEAD 1.2e-6
#define MEASURED_CABLE 1e-7
#define MEASURED_COMBINE 12e9

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
int measured_machine(struct measured *m, struct err *err);
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

#endif
