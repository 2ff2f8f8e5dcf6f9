/* One message, of which the network makes a copy for every other process. */
#include "model/collective/trees.h"
#include "texts/collective.h"

/* The root sends each segment to all. */
static int64_t hardware_length(const struct schedule *s, int)
{
    return s->n > 1 ? s->npieces : 0;
}

static int hardware_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    a->what = p == s->root ? ACTION_SEND : ACTION_RECEIVE;
    a->peer = p == s->root ? EVERYONE : s->root;
    return action_run(a, i, 1, 0, err);
}

/* Each process sends its block to all, and then takes the others', from the next one on. */
static int64_t hardware_all_length(const struct schedule *s, int)
{
    return s->n > 1 ? s->n : 0;
}

static int hardware_all_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int from = (int)((p + i) % s->n);

    a->what = i == 0 ? ACTION_SEND : ACTION_RECEIVE;
    a->peer = i == 0 ? EVERYONE : from;
    return action_run(a, from, 1, 0, err);
}

static const struct program hardware = { .open = schedule_segments, .length = hardware_length,
                                         .action = hardware_action };
static const struct program hardware_after_reduce = {
    .open = trees_open, .parts = (const struct program *const[]){ &trees_up, &hardware, NULL }
};

const struct collective collective_hardware = {
    COLLECTIVE_HARDWARE_ENTRY,
    .serves = {
        [BROADCAST] = &hardware,
        [ALLREDUCE] = &hardware_after_reduce,
        [ALLGATHER] = &(const struct program){ .length = hardware_all_length, .action = hardware_all_action },
        [BARRIER] = &hardware_after_reduce
    },
    .segments = true,
    .copies = true
};
