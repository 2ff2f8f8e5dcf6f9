/* A process that has come tells the process 1, 2, 4, ... further, with all arrivals that it knows of. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

static int dissemination_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    exchange_shift(a, s, p, i, 1 << i / 2);
    a->what = a->what == ACTION_SEND ? ACTION_SEND : ACTION_COMBINE;
    return action_run(a, 0, 1, 0, err);
}

static const struct program dissemination = { .length = exchange_doubling, .action = dissemination_action };

const struct collective collective_dissemination = {
    COLLECTIVE_DISSEMINATION_ENTRY,
    .serves = { [BARRIER] = &dissemination }
};
