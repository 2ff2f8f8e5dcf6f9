#include "cli/broadcast/bcast.h"

static int steps_row(const char *algorithm, const struct bcast_best *best, const struct bcast_result *r, void *arg,
                     struct err *err)
{
    const struct bcast_scene *s = arg;
    const double makespan = r->completion.mean, serial = best->hops;
    struct broadcast_bound bound = s->bound;
    char reason[40];

    if (r->flooded)
        broadcast_bound_flood(&bound, &s->place->reach);
    return job_row(s->j, ROW(
        BCAST_KEYS(s, algorithm, !r->flooded), cell_int("root", plan_root(&s->q->plan)),
        cell_count("makespan_steps", makespan), cell_count("steps_bound", bound.steps),
        cell_real("steps_over_bound", bound.steps > 0 ? makespan / bound.steps : NAN),
        cell_text("steps_bound_reason", broadcast_bound_reason(reason, &bound)), cell_count("serial_hops", serial),
        cell_count("hops_bound", bound.hops), cell_real("hops_over_bound", bound.hops > 0 ? serial / bound.hops : NAN),
        cell_text("winner", best->winner), cell_text("serial_winner", best->hops_winner),
        cell_text("quality", "exact")), err);
}

static int steps_schedule_row(void *arg, const struct step *step, struct err *err)
{
    struct bcast_scene *s = arg;
    char from[NET_LABEL], to[NET_LABEL];

    return job_row(s->j, ROW(
        BCAST_OF(s, s->algorithm, true), cell_int("step", step->unit),
        cell_text("operation", step->kind == STEP_SEND ? "send" : "forward"), cell_int("from_process", step->from),
        cell_int("to_process", step->to), cell_text("link_from", net_label(s->net, step->link_from, from)),
        cell_text("link_to", net_label(s->net, step->link_to, to)),
        cell_text("delivered", step->delivers ? "yes" : "")), err);
}

static int steps_run(struct bcast_result *r, const struct bcast_scene *s, const struct tree *tree,
                     const struct steps_watch *watch, struct err *err)
{
    struct broadcast b;

    if (steps_broadcast(&b, bcast_shape(s, tree), plan_root(&s->q->plan), &(struct steps){ &s->place->where,
                        s->routing, s->how, watch }, &s->place->tick, err) < 0)
        return -1;
    r->completion.mean = b.makespan_steps;
    r->hops = b.serial_hops;
    broadcast_release(&b);
    return 0;
}

static int steps_tree(struct bcast_result *r, const struct tree *tree, void *arg, struct err *err)
{
    return steps_run(r, arg, tree, NULL, err);
}

static int steps_show(const struct tree *tree, void *arg, struct err *err)
{
    const struct steps_watch watch = { steps_schedule_row, arg };
    struct bcast_scene *s = arg;
    struct bcast_result ignored;

    s->algorithm = tree->name;
    return steps_run(&ignored, s, tree, &watch, err);
}

/* Ports do not concern flooding: one row, and no schedule, since every link is used as soon as it can be. */
static int steps_flooding(void *arg, struct err *err)
{
    struct bcast_scene *s = arg;
    struct bcast_result r = { .flooded = true };
    struct broadcast b;

    if (s->j->which == BCAST_SCHEDULE || !s->first_ports)
        return 0;
    if (broadcast_flood(&b, s->net, &s->place->where, plan_root(&s->q->plan), err) < 0)
        return -1;
    r.completion.mean = b.makespan_steps;
    r.hops = b.serial_hops;
    broadcast_release(&b);
    return steps_row("flooding", &(const struct bcast_best){ .hops = r.hops }, &r, s, err);
}

int bcast_steps(struct bcast_scene *s, struct err *err)
{
    const struct bcast_compared compared = { steps_tree, steps_row, s->j->which == BCAST_SCHEDULE ? steps_show : NULL,
                                             steps_flooding, s, true };

    return bcast_compare(s, &compared, err);
}
