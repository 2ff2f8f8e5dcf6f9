/* Blocks go round: in each of n - 1 steps a process sends to the next what it got last from the one before. What is for
 * one process alone goes to it directly, in step k over k places of the ring. */
#include "model/collective/blocks.h"
#include "model/collective/exchange.h"
#include "texts/collective.h"

/* A block begins one place behind its owner's, and is summed up when it has come round to it. */
static int ring_scatter_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    exchange_shift(a, s, p, i, 1);
    a->what = a->what == ACTION_SEND ? ACTION_SEND : ACTION_COMBINE;
    return action_run(a, exchange_modulo(exchange_sender(a, p) - i / 2 - 1, s->n), 1, 0, err);
}

static int ring_alltoall_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    exchange_shift(a, s, p, i, (int)(i / 2) + 1);
    return exchange_block(a, s, p, err);
}

static const struct program ring_scatter = {
    .length = exchange_with_all, .action = ring_scatter_action, .round = exchange_round
};
static const struct program ring_alltoall = { .length = exchange_with_all, .action = ring_alltoall_action };
static const struct program ring_allreduce = {
    .parts = (const struct program *const[]){ &ring_scatter, &blocks_ring, NULL }
};

const struct collective collective_ring = {
    COLLECTIVE_RING_ENTRY,
    .serves = { [ALLGATHER] = &blocks_ring, [REDUCE_SCATTER] = &ring_scatter, [ALLREDUCE] = &ring_allreduce,
                [ALLTOALL] = &ring_alltoall }
};
