/* step.h -- round steps along an axis or between bins. */
#pragma once

/* A nice step: m x 10^k with m 1, 2 or 5. */
struct step {
    int m, k;
};

/* The least nice step that cuts lo..hi into at most `most` pieces. */
struct step step_nice(double lo, double hi, int most);
/* count x 10^k, correctly rounded whatever k. */
double step_value(double count, int k);
/* That many steps, likewise. */
double step_at(struct step s, double count);
