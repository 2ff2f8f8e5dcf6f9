#include <math.h>
#include <stdlib.h>

#include "cli/command/bcast.h"
#include "graph/base/mem.h"

static int bcast_row(const struct bcast_scene *s, const char *algorithm, bool ported, double makespan, double serial,
                     const char *winner, const char *serial_winner, struct err *err)
{
    struct broadcast_bound bound = s->bound;
    char reason[200];

    if (!ported)
        broadcast_bound_flood(&bound, &s->place->reach);
    return job_row(s->j, ROW(
        BCAST_KEYS(s, algorithm, ported), cell_int("root", plan_root(&s->q->plan)),
        cell_count("makespan_steps", makespan), cell_count("steps_bound", bound.steps),
        cell_real("steps_over_bound", bound.steps > 0 ? makespan / bound.steps : NAN),
        cell_text("steps_bound_reason", broadcast_bound_reason(reason, &bound)), cell_count("serial_hops", serial),
        cell_count("hops_bound", bound.hops), cell_real("hops_over_bound", bound.hops > 0 ? serial / bound.hops : NAN),
        cell_text("winner", winner), cell_text("serial_winner", serial_winner), cell_text("quality", "exact")), err);
}

/* "binomial" or "binary+binomial", those that tie. */
static void bcast_winners(char *out, size_t size, const struct broadcast_table *b, bool serial)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < b->n && len < size; i++)
        if (serial ? b->row[i].fewest_serial : b->row[i].fewest_makespan)
            len += (size_t)snprintf(out + len, size - len, "%s%s", len ? "+" : "", b->row[i].name);
}

static int bcast_best(struct broadcast_table *b, const struct bcast_scene *s, struct err *err)
{
    return broadcast_compare(b, tree_all, s->shape, &s->place->where, plan_root(&s->q->plan), s->routing, s->how,
                             FLOODING_NONE, &s->place->tick, err);
}

static int bcast_best_row(struct bcast_scene *s, struct err *err)
{
    struct broadcast_table b;
    char fewest[200], fewest_serial[200];
    int ret;

    if (bcast_best(&b, s, err) < 0)
        return -1;
    bcast_winners(fewest, sizeof fewest, &b, false);
    bcast_winners(fewest_serial, sizeof fewest_serial, &b, true);
    ret = bcast_row(s, "best", true, b.makespan_steps, b.serial_hops, fewest, fewest_serial, err);
    broadcast_table_release(&b);
    return ret;
}

static int bcast_flooding_row(struct bcast_scene *s, struct err *err)
{
    struct broadcast b;
    int ret;

    if (broadcast_flood(&b, s->net, &s->place->where, plan_root(&s->q->plan), err) < 0)
        return -1;
    ret = bcast_row(s, "flooding", false, b.makespan_steps, b.serial_hops, "", "", err);
    broadcast_release(&b);
    return ret;
}

static int bcast_schedule_row(void *arg, const struct broadcast_step *step, struct err *err)
{
    struct bcast_scene *s = arg;
    char from[NET_LABEL], to[NET_LABEL];

    return job_row(s->j, ROW(
        BCAST_OF(s, s->algorithm, true), cell_int("step", step->unit),
        cell_text("operation", step->kind == BROADCAST_SEND ? "send" : "forward"), cell_int("from_process", step->from),
        cell_int("to_process", step->to), cell_text("link_from", net_label(s->net, step->link_from, from)),
        cell_text("link_to", net_label(s->net, step->link_to, to)),
        cell_text("delivered", step->delivers ? "yes" : "")), err);
}

static int bcast_tree(struct bcast_scene *s, const struct tree *tree, struct err *err)
{
    const struct broadcast_watch watch = { bcast_schedule_row, s };
    const bool scheduled = s->j->which == BCAST_SCHEDULE;
    const struct tree_shape *shape = bcast_shape(s, tree);
    struct broadcast b;
    int ret;

    if (shape->n == 0)
        return 0;
    s->algorithm = tree->name;
    ret = broadcast_run(&b, shape, &s->place->where, plan_root(&s->q->plan), s->routing, s->how,
                        scheduled ? &watch : NULL, &s->place->tick, err);
    if (ret < 0)
        return -1;
    if (!scheduled)
        ret = bcast_row(s, tree->name, true, b.makespan_steps, b.serial_hops, "", "", err);
    broadcast_release(&b);
    return ret;
}

/* The schedule of the best tree (the first of those that tie). */
static int bcast_best_schedule(struct bcast_scene *s, struct err *err)
{
    struct broadcast_table b;
    const struct tree *tree = NULL;

    if (bcast_best(&b, s, err) < 0)
        return -1;
    for (size_t i = 0; i < b.n && !tree; i++)
        if (b.row[i].fewest_makespan)
            tree = tree_find(b.row[i].name, err);
    broadcast_table_release(&b);
    return tree ? bcast_tree(s, tree, err) : -1;
}

static int bcast_algorithm(struct bcast_scene *s, const struct algorithm *a, struct err *err)
{
    const bool scheduled = s->j->which == BCAST_SCHEDULE;

    if (a->tree)
        return bcast_tree(s, a->tree, err);
    if (a->pattern->of_trees)
        return scheduled ? bcast_best_schedule(s, err) : bcast_best_row(s, err);
    /* ports do not concern flooding: one row, and no schedule, since every link is used as soon as it can be */
    return scheduled || !s->first_ports ? 0 : bcast_flooding_row(s, err);
}

int bcast_steps(struct bcast_scene *s, struct err *err)
{
    int ret = 0;

    for (size_t a = 0; ret == 0 && a < s->q->plan.nalgorithm; a++)
        ret = bcast_algorithm(s, &s->q->plan.algorithm[a], err);
    return ret;
}
