/* In step k each process sends all it has to the process 2^k further on: the blocks of 2^k processes up to itself. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

static int shuffle_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t n = s->n, d = (int64_t)1 << i / 2, count = d < n - d ? d : n - d;    /* in the end: what is missing */

    exchange_shift(a, s, p, i, (int)d);
    return action_run(a, (exchange_sender(a, p) - count + 1 + n) % n, count, n, err);
}

static const struct program shuffle_allgather = { .length = exchange_doubling, .action = shuffle_action };

const struct collective collective_shuffle = {
    COLLECTIVE_SHUFFLE_ENTRY,
    .serves = { [ALLGATHER] = &shuffle_allgather }
};
