/* In step k each process sends its own block to the process k further on. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

static int circular_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    exchange_shift(a, s, p, i, (int)(i / 2) + 1);
    return action_run(a, exchange_sender(a, p), 1, 0, err);
}

static const struct program circular_allgather = { .length = exchange_with_all, .action = circular_action };

const struct collective collective_circular = {
    COLLECTIVE_CIRCULAR_ENTRY,
    .serves = { [ALLGATHER] = &circular_allgather }
};
