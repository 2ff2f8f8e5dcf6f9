/* drb_rule.h -- the rule of Distributed Routing Balancing, as pure functions: what the fixed point of the model and the
 * sources of the simulator both decide by.
 *
 *   latency of a metapath  Lat = (sum over its ways of 1/L)^-1: the inverse of its bandwidth, TD/s over s idle ways
 *   share of a way         its bandwidth 1/L, as part of that
 *   configuration          above threshold + tolerance a source grows by the least D >= 1 configurations with
 *                          B + Bc s D(D+1)/2 > Bc, below threshold - tolerance it shrinks by the greatest D with
 *                          B - Bc s D(D+1)/2 > Bc, if there is one; B = 1/Lat, Bc that of the first configuration where
 *                          nothing waits, s = tol/k
 * Units   cycles.
 * Source  Franco, thesis on Distributed Routing Balancing, 4.7.2.4.2 and 4.7.2.4.3: equations 4-10 to 4-15, tables 4-3
 *         and 4-4. The upper end of their window, Bc (1 + 1/k), is left out: their tables word it as `until` and as
 *         `while`, and a step may jump over it, so that some readings never end. */
#ifndef MODEL_ROUTING_DRB_RULE_H
#define MODEL_ROUTING_DRB_RULE_H

#include <stdbool.h>
#include <stddef.h>

struct drb_rule {
    double threshold, tolerance;    /* NAN: latency of the idle first configuration, half of the threshold */
    double step;                    /* tol/k: part of an idle static path's bandwidth that a step stands for */
    bool one;                       /* a step at a time */
};
/* What a source compares its latency with, whose first configuration has latency `idle` where nothing waits. */
void drb_rule_band(double *threshold, double *tolerance, const struct drb_rule *r, double idle);
/* 1 above the band, -1 below it, 0 inside. */
int drb_rule_side(const struct drb_rule *r, double latency, double idle);
/* The configuration of `n` that a source with `at` goes to. */
int drb_rule_next(const struct drb_rule *r, int at, int n, double latency, double idle);
/* What each of n ways with these latencies (INFINITY: closed) has of `all`; `share` may be the same place. Returns the
 * latency of them together. */
double drb_rule_shares(double *share, const double *latency, size_t n, double all);

#endif
