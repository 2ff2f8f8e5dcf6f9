/* balance.h -- policies that look at the load message by message: shares of alternatives such that those in use cost
 * the same, and those that are not cost no less (Wardrop's first principle, with costs of the policy's own).
 *   hops   by state, and by injection where it has several: the next hops; cost: the mean wait for the link. With these
 *          shares a message waits at the shortest queue of the moment: the wait at one is taken to be exponential,
 *          if others hold the link; of several, independent ones, the least counts.
 *   ways   by pair of source and target: those of the first configuration, and of the second; cost: H q, H the mean
 *          links between switches, q a queue in flits, the message's own first one among them: where nothing waits, the
 *          way of fewer links is taken, as by routers that see empty queues. Local: at the first link that leaves the
 *          source's switch, as its credits show it: what waits for the link, and in the buffers at its end, as far as
 *          these hold. Global: the mean of all links of a way, so that H q is their sum. Messages count as long as the
 *          request says, streams that send others too.
 * Queues are those of the collision model, means in a steady state: results are `untested`. Against message-level
 * simulation of six traffics on an 8x8 torus, without limits to buffers, to 0.6 of saturation: ugal within 13 %,
 * adaptive -2 to +17 %, but for tornado, +9 to +32 %; adaptive of closed sources that hold their links, four
 * permutations on 4x4 and 8x8, intervals of 4 and 1 transmission times, where these did not deadlock: -7 to +4 %.
 *
 * Found by steps of a Newton method that takes the wait for each link to depend on its own load alone, damped; the
 * relative gap (what is lost against the cheapest alternatives, in parts of all costs) says how far it got. Open
 * sources come to a load step by step from below, each time with the shares of the one before, so that every step has
 * a solution: where no further one is left, the policy is saturated.
 * Source  J. G. Wardrop 1952; for H q A. Singh 2005 (Load-balanced routing in interconnection networks), J. Kim, W.
 *         Dally, S. Scott and D. Abts 2008 (Technology-driven, highly-scalable dragonfly topology).
 * Errors  ERR_NETWORK beyond saturation. */
#pragma once

#include "analysis/policy/policy.h"

enum balance_rule { BALANCE_HOPS, BALANCE_LOCAL, BALANCE_GLOBAL };

/* For a policy_kind: what its `open` calls, which sets p->state; the others are its solve, saturation and close. */
int balance_open(struct policy *p, enum balance_rule rule, struct err *err);
int balance_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err);
int balance_saturation(double *factor, struct policy *p, struct err *err);
void balance_close(struct policy *p);
