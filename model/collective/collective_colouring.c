/* A tournament: rounds in which all meet in pairs, which are the colours of the edges of a complete graph. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

/* In round r processes meet whose numbers sum to r, modulo an odd number of rounds; one that would meet itself meets
 * the last process where n is even, and rests where it is odd. */
static int colouring_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t rounds = s->n % 2 ? s->n : s->n - 1, rest = 2 * (int64_t)p % rounds;
    const int64_t r = i / 2 + (s->n % 2 && i / 2 >= rest), met = (r + rounds - p) % rounds;

    a->peer = (int)(p == rounds ? (r % 2 ? r + rounds : r) / 2 : met == p ? rounds : met);
    a->what = (p < a->peer) != (i % 2) ? ACTION_SEND : ACTION_RECEIVE;
    return exchange_block(a, s, p, err);
}

static const struct program colouring = { .length = exchange_with_all, .action = colouring_action };

const struct collective collective_colouring = {
    COLLECTIVE_COLOURING_ENTRY,
    .serves = { [ALLTOALL] = &colouring }
};
