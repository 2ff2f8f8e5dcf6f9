/* Each process sends to all others at once, and then takes what they sent. */
#include "model/collective/exchange.h"
#include "texts/collective.h"

static int full_fan_out_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int others = s->n - 1, by = (int)(i % others) + 1;

    a->what = i < others ? ACTION_SEND : s->operation == BARRIER ? ACTION_COMBINE : ACTION_RECEIVE;
    a->peer = (int)((p + (int64_t)(i < others ? by : s->n - by)) % s->n);
    return s->operation == ALLTOALL ? exchange_block(a, s, p, err) :
        action_run(a, s->operation == BARRIER ? 0 : exchange_sender(a, p), 1, 0, err);
}

static const struct program full_fan_out = {
    .length = exchange_with_all, .action = full_fan_out_action, .posted = true
};

const struct collective collective_full_fan_out = {
    COLLECTIVE_FULL_FAN_OUT_ENTRY,
    .serves = { [ALLGATHER] = &full_fan_out, [ALLTOALL] = &full_fan_out, [BARRIER] = &full_fan_out }
};
