/* In each of n - 1 steps a process exchanges with another one what is meant for it, without a stop on the way. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

/* Partners of a step are each other's where n is a power of two; reduce-scatter shifts always, as published. */
static int pairwise_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int step = (int)(i / 2) + 1;

    exchange_shift(a, s, p, i, step);
    if (s->operation == REDUCE_SCATTER) {
        a->what = a->what == ACTION_SEND ? ACTION_SEND : ACTION_COMBINE;
        return action_run(a, exchange_receiver(a, p), 1, 0, err);
    }
    if ((s->n & (s->n - 1)) == 0)
        a->peer = p ^ step;
    return s->operation == ALLTOALL ? exchange_block(a, s, p, err) : action_run(a, exchange_sender(a, p), 1, 0, err);
}

static const struct program pairwise = { .length = exchange_with_all, .action = pairwise_action };

const struct collective collective_pairwise = {
    COLLECTIVE_PAIRWISE_ENTRY,
    .serves = { [ALLGATHER] = &pairwise, [REDUCE_SCATTER] = &pairwise, [ALLTOALL] = &pairwise }
};
