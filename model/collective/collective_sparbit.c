/* From the largest distance to 1: before the step of distance d a process has the blocks that are a multiple of 2d
 * behind it, and after it those that are a multiple of d. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

static int sparbit_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t n = s->n, d = (int64_t)1 << (exchange_doubling(s, p) / 2 - 1 - i / 2);

    exchange_shift(a, s, p, i, (int)d);
    for (int64_t behind = d; behind < n; behind += 2 * d)       /* of the receiver: d, 3d, 5d, ... */
        if (action_run(a, (exchange_receiver(a, p) - behind + n) % n, 1, 0, err) < 0)
            return -1;
    return 0;
}

static const struct program sparbit_allgather = { .length = exchange_doubling, .action = sparbit_action };

const struct collective collective_sparbit = {
    COLLECTIVE_SPARBIT_ENTRY,
    .serves = { [ALLGATHER] = &sparbit_allgather }
};
