/* Process p goes along row p of the matrix of pairs, then down column p: above the diagonal it sends, below it
 * receives. So no two processes send to each other at once, and none is stuck even where sends wait for receivers. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

static int matrix_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const bool column = i >= s->n - 1;
    const int other = (int)(i % (s->n - 1));

    a->peer = other + (other >= p);
    a->what = (a->peer > p) != column ? ACTION_SEND : ACTION_RECEIVE;
    return exchange_block(a, s, p, err);
}

static const struct program matrix = { .length = exchange_with_all, .action = matrix_action };

const struct collective collective_matrix = {
    COLLECTIVE_MATRIX_ENTRY,
    .serves = { [ALLTOALL] = &matrix }
};
