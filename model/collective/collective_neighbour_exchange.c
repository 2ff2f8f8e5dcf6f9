/* Processes 2q and 2q + 1 exchange their blocks; then each exchanges with both neighbours in turn the two blocks that
 * it got last, so that those of a pair go round both ways. */
#include "model/collective/collective.h"
#include "texts/collective.h"

static int64_t neighbour_length(const struct schedule *s, int)
{
    return s->n / 2 * 2;
}

/* The pair of blocks that process p gets in step k; in step 0: has after it. */
static int64_t neighbour_pair(const struct schedule *s, int64_t p, int64_t k)
{
    const int64_t pairs = s->n / 2, away = (k + 1) / 2, forth = k % 2 == p % 2;

    return (p / 2 + (forth ? away : pairs - away)) % pairs;
}

static int neighbour_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t k = i / 2, received = i % 2;

    a->what = received ? ACTION_RECEIVE : ACTION_SEND;
    a->peer = (p + (k % 2 == p % 2 ? 1 : s->n - 1)) % s->n;
    return k == 0 ? action_run(a, received ? a->peer : p, 1, 0, err) :
        action_run(a, 2 * neighbour_pair(s, p, received ? k : k - 1), 2, 0, err);
}

static const struct program neighbour_allgather = { .length = neighbour_length, .action = neighbour_action };

const struct collective collective_neighbour_exchange = {
    COLLECTIVE_NEIGHBOUR_EXCHANGE_ENTRY,
    .even = true,
    .serves = { [ALLGATHER] = &neighbour_allgather }
};
