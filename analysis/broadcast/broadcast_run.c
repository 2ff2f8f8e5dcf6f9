/* The makespan, unit by unit; steps.c has the rules. */
#include <stdlib.h>

#include "analysis/broadcast/steps.h"
#include "graph/base/mem.h"

struct run {
    const struct tree_shape *tree;
    struct steps steps;
    double *received;               /* by process */
    int nreceived;
};

/* Rank v has the message, and its own may go. */
static int broadcast_run_receive(struct run *r, int v, struct err *err)
{
    const struct tree_shape *t = r->tree;

    r->received[tree_process(v, r->steps.root, t->n)] = (double)r->steps.matching.unit;
    r->nreceived++;
    for (int k = t->first[v]; k < t->first[v + 1]; k++)
        if (steps_post(&r->steps, v, t->child[k], err) < 0)
            return -1;
    return 0;
}

static int broadcast_run_run(struct run *r, const struct tick *t, struct err *err)
{
    struct steps *s = &r->steps;

    if (broadcast_run_receive(r, 0, err) < 0)
        return -1;
    while (r->nreceived < r->tree->n) {
        if (s->matching.unit % 1024 == 0 && tick(t, (double)r->nreceived / r->tree->n))
            return err_stopped(err);
        if (steps_unit(s, err) < 0)
            return -1;
        for (int i = 0; i < s->nreached; i++)
            if (broadcast_run_receive(r, s->reached[i].rank, err) < 0)
                return -1;
    }
    return 0;
}

static int broadcast_run_open(struct run *r, struct err *err)
{
    const struct steps *s = &r->steps;
    const size_t n = (size_t)r->tree->n;
    const size_t a_process = sizeof *s->message + sizeof *s->process + sizeof *s->crossed + sizeof *s->reached +
        sizeof *r->received;
    const double a_path = 64;           /* few are longer */
    int leaves = 0;

    /* Below a message on its way nobody has received: those with a path at a time have no descendant in common, and
     * as many leaves. */
    for (int v = 0; v < r->tree->n; v++)
        leaves += tree_nchild(r->tree, v) == 0;
    if (mem_need((double)n * (double)a_process + leaves * a_path + matching_bytes(r->tree->n, s->routing->net->n),
                 s->routing->net->spec, err) < 0)
        return -1;
    return steps_open(&r->steps, r->tree->n, err) < 0 ? -1 : TAKE("a broadcast", err, ARRAY(r->received, n));
}

int broadcast_run(struct broadcast *out, const struct tree_shape *tree, const struct placement *where, int root,
                  struct routing *routing, struct broadcast_how how, const struct broadcast_watch *watch,
                  const struct tick *t, struct err *err)
{
    struct run r = { tree, { .where = where, .root = root, .routing = routing, .how = how, .watch = watch }, NULL, 0 };
    int ret = -1;

    if (broadcast_root(root, tree->n, where, err) < 0)
        return -1;
    if (broadcast_run_open(&r, err) == 0 && broadcast_run_run(&r, t, err) == 0) {
        *out = (struct broadcast){ .serial_hops = r.steps.hops, .makespan_steps = (double)r.steps.matching.unit,
                                   .messages = tree->n - 1.0, .n = tree->n, .received = r.received };
        r.received = NULL;
        ret = 0;
    }
    free(r.received);
    steps_release(&r.steps);
    return ret;
}
