#include "analysis/collective/steps.h"
#include "analysis/collective/execute.h"
#include "model/collective/trees.h"

int steps_broadcast(struct broadcast *out, const struct tree_shape *tree, int root, const struct steps *s,
                    const struct tick *t, struct err *err)
{
    struct broadcast b = { .n = tree->n, .messages = tree->n - 1.0 };
    struct schedule schedule = { 0 };
    struct cost cost = { 0 };
    struct execution x;
    int ret = -1;

    if (broadcast_root(root, tree->n, s->where, err) < 0 || TAKE("a broadcast", err, ZEROS(b.received, tree->n)) < 0)
        return -1;
    if (schedule_open(&schedule, &(struct schedule){ .algorithm = &trees_given, .operation = BROADCAST, .n = tree->n,
                                                     .root = root, .shape = tree }, err) == 0 &&
        steps_cost(&cost, s, b.received, err) == 0 && execute(&x, &schedule, &cost, 0, t, err) == 0) {
        b.serial_hops = x.hops;
        b.makespan_steps = x.time;
        *out = b;
        ret = 0;
    }
    cost_close(&cost);
    schedule_close(&schedule);
    if (ret < 0)
        broadcast_release(&b);
    return ret;
}
