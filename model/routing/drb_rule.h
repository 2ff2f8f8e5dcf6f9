/* drb_rule.h -- the rule of Distributed Routing Balancing, as pure functions: what the fixed point of the model and the
 * sources of the simulator both decide by.
 *
 *   latency of a metapath  Lat = (sum over its ways of 1/L)^-1: the inverse of its bandwidth, TD/s over s idle ways
 *   share of a way         its bandwidth 1/L, as part of that
 *   configuration          above threshold + tolerance a source grows by the least D >= 1 configurations with
 *                          B + Bc s D(D+1)/2 > Bc, below threshold - tolerance it shrinks by the greatest D with
 *                          B - Bc s D(D+1)/2 > Bc, if there is one; B = 1/Lat, Bc that of the first configuration where
 *                          nothing waits, s = tol/k
 *   history       above the band a source begins with the configuration that served it when it last rose to a like
 *                 latency, one within the tolerance: which it left when it fell below the band, or if that was at once
 *                 the one that it fell to
 * Units   cycles.
 * Source  Franco, thesis on Distributed Routing Balancing, 4.7.2.4.2 and 4.7.2.4.3: equations 4-10 to 4-15, tables 4-3
 *         and 4-4; of history 7.2.1.2 b, which names it. The upper end of their window, Bc (1 + 1/k), is left out: their tables word it as `until` and as
 *         `while`, and a step may jump over it, so that some readings never end. */
#pragma once

#include "graph/base/base.h"

struct drb_rule {
    double threshold, tolerance;    /* NAN: latency of the idle first configuration, half of the threshold */
    double step;                    /* tol/k: part of an idle static path's bandwidth that a step stands for */
    bool one;                       /* a step at a time */
    int history;                    /* times that are remembered; 0: none */
};
/* What one source remembers; zeroed: nothing. */
struct drb_past {
    bool away, held;                /* it rose, to `rose`, and has not fallen since; it has been inside the band since */
    double rose;
    size_t n;                       /* times it fell, of which the last `history` are kept, in a ring */
    struct {
        double rose;
        int at;
    } *served;                      /* room for rule->history */
};
/* What a source compares its latency with, whose first configuration has latency `idle` where nothing waits. */
void drb_rule_band(double *threshold, double *tolerance, const struct drb_rule *r, double idle);
/* 1 above the band, -1 below it, 0 inside. */
int drb_rule_side(const struct drb_rule *r, double latency, double idle);
/* The configuration of `n` that a source with `at` goes to. */
int drb_rule_next(const struct drb_rule *r, int at, int n, double latency, double idle);
/* The same of a source with a past, which learns of it; `next` is what drb_rule_next says. */
int drb_rule_recall(struct drb_past *p, const struct drb_rule *r, int at, int next, double latency, double idle);
/* What each of n ways with these latencies (INFINITY: closed) has of `all`; `share` may be the same place. Returns the
 * latency of them together. */
double drb_rule_shares(double *share, const double *latency, size_t n, double all);
