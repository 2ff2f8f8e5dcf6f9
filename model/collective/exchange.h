/* exchange.h -- what programs share in which each process sends to one, and receives from one, again and again. */
#pragma once

#include "model/collective/collective.h"

/* Lengths of programs: one message to each of the others and one from each; ceil(log2 n) steps of a message out and
 * one in, the fewest after which all can know of all. */
int64_t exchange_with_all(const struct schedule *s, int p);
int64_t exchange_doubling(const struct schedule *s, int p);
/* A round of these: a message out and one in. */
int64_t exchange_round(const struct schedule *s, int p);

/* What and peer of action i: in step i / 2 a process sends to the one `by` further, 0 < by < n, then receives from
 * the one as far before it. */
void exchange_shift(struct action *a, const struct schedule *s, int p, int64_t i, int by);

/* x modulo n, from -n up to 2n - 1. */
static inline int exchange_modulo(int64_t x, int n)
{
    return (int)(x < 0 ? x + n : x < n ? x : x - n);
}
/* Of an action of process p that has its `what` and peer. */
static inline int exchange_sender(const struct action *a, int p)
{
    return a->what == ACTION_SEND ? p : a->peer;
}
static inline int exchange_receiver(const struct action *a, int p)
{
    return a->what == ACTION_SEND ? a->peer : p;
}
/* All-to-all: adds what its sender has for its receiver. */
int exchange_block(struct action *a, const struct schedule *s, int p, struct err *err);
