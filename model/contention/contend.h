/* contend.h -- mean waits of any number of channels that share one link (the model is contention.h's).
 * Source  channels alike: the machine repairman with constant repair times (Ashcroft 1950), his formula written as a
 *         quotient of sums of positive terms. Different channels: the Markov renewal chain over the channel in service
 *         and the waiting line, at the start of a service. */
#pragma once

#include "model/contention/contention.h"

#define CONTEND_ALIKE 1000000000    /* most channels that are alike */
#define CONTEND_DIFFERENT 6         /* most that are not: the states of the chain grow as n! */

/* Mean wait of each of n channels alike, 1..CONTEND_ALIKE. Exact, to some 12 digits however light or heavy the load;
 * about sqrt(n) steps. */
int contend_identical(double *wait, int64_t n, const struct contender *channel, struct err *err);
/* wait[0..n-1] of any 2..CONTEND_DIFFERENT channels. Exact; some 1300 states for 6. */
int contend_chain(double *wait, const struct contender *channel, size_t n, struct err *err);
/* wait[0..n-1] by whichever of the above applies, else by closure.h. */
int contend_waits(double *wait, const struct contender *channel, size_t n, const struct tick *tick, struct err *err);
/* Whether that is exact: two to six channels, or all alike. */
bool contend_exact(const struct contender *channel, size_t n);
/* Fraction of time in which the link is held. */
double contend_utilisation(const double *wait, const struct contender *channel, size_t n);
