/* In step k each process sends its own block to the process k further on. */
#include "model/collective/collective.h"

static int64_t circular_length(const struct schedule *s, int p)
{
    (void)p;
    return 2 * (int64_t)(s->n - 1);
}

static int circular_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int64_t n = s->n, step = i / 2 + 1, from = (p - step + n) % n;

    a->what = i % 2 ? ACTION_RECEIVE : ACTION_SEND;
    a->peer = (int)(i % 2 ? from : (p + step) % n);
    return action_run(a, i % 2 ? from : p, 1, 0, err);
}

static const struct program circular_allgather = { .length = circular_length, .action = circular_action };

const struct collective collective_circular = {
    .name = "circular",
    .summary = "each process sends its own block to all, nearest first",
    .source = "paper on reconfigurable MPI collectives, section 2",
    .notes = "The paper counts n steps: in the last a process would send to itself. All-to-all in this order is that "
             "of ring.",
    .serves = { [ALLGATHER] = &circular_allgather }
};
