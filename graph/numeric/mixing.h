/* mixing.h -- Anderson acceleration of a fixed-point iteration x <- f(x): the next x is the combination of the last few
 * that would have the least residual f(x) - x if f were linear.
 * Source  D. G. Anderson 1965; H. F. Walker and P. Ni 2011. */
#pragma once

#include "graph/base/base.h"

#define MIXING_MOST 8

struct mixing {
    size_t n, depth, kept;
    double *dx[MIXING_MOST], *df[MIXING_MOST];      /* differences of x and of the residual */
    double *x, *r;              /* the last ones */
    double last;                /* the last residual's norm; 0: none */
    int newest;
};

int mixing_open(struct mixing *m, size_t n, size_t depth, struct err *err);
void mixing_release(struct mixing *m);
void mixing_forget(struct mixing *m);       /* begins anew */
/* x becomes the next x, given f(x). Plain damped steps (x + beta r) while there is no history, and where the residual
 * has grown: then the history is forgotten. */
void mixing_step(struct mixing *m, double *x, const double *fx, double beta);
