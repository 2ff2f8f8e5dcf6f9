/* ceil(log2 n) steps for every n, each over twice the distance of the one before. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

/* A process passes on, downwards, what it has: its own block and those above it, as many as are still missing. */
static int bruck_gather(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int by = 1 << i / 2;

    exchange_shift(a, s, p, i, s->n - by);
    return action_run(a, exchange_sender(a, p), by < s->n - by ? by : s->n - by, s->n, err);
}

/* Blocks for the process d further go over the distances of the bits of d, the lowest first: on its way a block is as
 * far from its source as the bits before say. */
static int bruck_exchange(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int n = s->n, by = 1 << i / 2;
    int sender;

    exchange_shift(a, s, p, i, by);
    sender = exchange_sender(a, p);
    for (int d = by; d < n; d = (d + 1) | by) {
        const int source = (sender + n - (d & (by - 1))) % n;

        if (action_run(a, (int64_t)source * n + (source + d) % n, 1, 0, err) < 0)
            return -1;
    }
    return 0;
}

static const struct program bruck_allgather = { .length = exchange_doubling, .action = bruck_gather };
static const struct program bruck_alltoall = { .length = exchange_doubling, .action = bruck_exchange };

const struct collective collective_bruck = {
    COLLECTIVE_BRUCK_ENTRY,
    .serves = { [ALLGATHER] = &bruck_allgather, [ALLTOALL] = &bruck_alltoall }
};
