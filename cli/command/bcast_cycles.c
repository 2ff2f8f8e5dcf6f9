/* Rows of broadcasts in cycles: on an idle network what an event run gives, exactly. */
#include "cli/command/bcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"

static bool in_cycles(const struct load_request *q)
{
    return !isnan(q->packet) || q->switching || !isnan(q->hop_time) || q->drb;
}

static bool under_load(const struct load_request *q)
{
    return q->traffic.n || q->interval || q->rate || q->load || q->scale;
}

int bcast_pick(const void *request)
{
    const struct request *q = request;
    const char *show = q->common.show ? q->common.show : "";

    if (q->every)
        return BCAST_EVERY;
    if (under_load(&q->load))
        return BCAST_LOAD;
    if (strcmp(show, "messages") == 0)
        return BCAST_MESSAGES;
    if (strcmp(show, "processes") == 0)
        return BCAST_PROCESSES;
    if (strcmp(show, "schedule") == 0)
        return in_cycles(&q->load) ? BCAST_LINKS : BCAST_SCHEDULE;
    return in_cycles(&q->load) ? BCAST_CYCLES : BCAST_STEPS;
}

/* How messages hold links where no background's sources decide it. */
struct cycles_how bcast_how(const struct bcast_scene *s)
{
    const struct load_request *l = &s->q->load;

    return (struct cycles_how){
        .switching = l->switching ? l->switching : &switching_wormhole, .flits = l->packet,
        .hop_time = !isnan(l->hop_time) ? l->hop_time : l->drb ? 0 : 1, .ports = s->how.ports, .blocking = s->how.blocking
    };
}

int bcast_cycles_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    char hop[60] = "", time[40];
    struct bcast_scene s = { .q = q };
    struct cycles_how how;

    if (isnan(q->load.packet))
        q->load.packet = 10;
    how = bcast_how(&s);
    if (how.hop_time != 1)
        snprintf(hop, sizeof hop, ", hop time %s", units_time(time, &j->o->units, how.hop_time));
    if (j->which != BCAST_LOAD) {
        snprintf(q->title, sizeof q->title, "%s (%s%s, messages of %.6g flits, %s)", j->t->title, how.switching->name,
                 hop, how.flits, !q->every ? "idle network" : q->load.loop == 0 ? "each root pauses after its last" :
                 "started at random");
        j->t->title = q->title;
    }
    if ((j->which == BCAST_LOAD || j->which == BCAST_EVERY) && q->common.show)
        return err_set(err, ERR_USAGE, "--show %s is of an idle network", q->common.show);
    if (q->every && under_load(&q->load))
        return err_set(err, ERR_USAGE, "--every with a background is not modelled: leave out %s",
                       q->load.traffic.n ? "--traffic" : "the load");
    for (size_t i = 0; q->every && i < q->plan.nalgorithm; i++)
        if (!q->plan.algorithm[i].tree)
            return err_set(err, ERR_USAGE, "--every is about process trees: leave out %s",
                           q->plan.algorithm[i].pattern->name);
    for (size_t i = 0; q->every && i < q->plan.nroot; i++)
        if (q->plan.root[i].at > 0)
            return err_set(err, ERR_USAGE, "--every says when roots start: --root %s is without @", q->asked.root);
    return 0;
}

/* ---- one tree ---- */

/* The broadcasts of all roots asked for, by one tree. */
struct broadcasts {
    struct tree_shape tree;
    struct cycles_ways ways;
    struct cycles_start *start;
    size_t nstart;
    struct cycles_run run;
};

static void broadcasts_release(struct broadcasts *b)
{
    cycles_run_release(&b->run);
    cycles_ways_release(&b->ways);
    tree_shape_release(&b->tree);
    free(b->start);
    *b = (struct broadcasts){ 0 };
}

static int broadcasts_open(struct broadcasts *b, const struct bcast_scene *s, const struct tree *tree, struct err *err)
{
    const struct plan *p = &s->q->plan;
    const struct placement *where = &s->place->where;
    const struct cycles_how how = bcast_how(s);
    const size_t n = p->nroot ? p->nroot : (size_t)where->n;
    int *root = malloc(n * sizeof *root), ret = -1;

    *b = (struct broadcasts){ .start = malloc(n * sizeof *b->start), .nstart = n };
    if ((!root || !b->start) && err_memory(err) < 0)
        goto done;
    for (size_t i = 0; i < n; i++) {
        root[i] = p->nroot ? p->root[i].process : (int)i;
        b->start[i] = (struct cycles_start){ (int)i, p->nroot ? p->root[i].at : 0 };
    }
    if (tree_shape_init(&b->tree, tree, where->n, err) < 0 ||
        cycles_ways_open(&b->ways, &s->q->links, &b->tree, where, root, (int)n, s->routing, &s->place->tick, err) < 0 ||
        cycles_run_open(&b->run, &b->ways, &how, b->start, n, err) < 0)
        goto done;
    ret = 0;
done:
    if (ret < 0)
        broadcasts_release(b);
    free(root);
    return ret;
}

static int broadcasts_run(struct broadcasts *b, const struct bcast_scene *s, const struct tree *tree, struct err *err)
{
    if (broadcasts_open(b, s, tree, err) < 0)
        return -1;
    if (cycles_run(&b->run, NULL, &s->place->tick, err) == 0)
        return 0;
    broadcasts_release(b);
    return -1;
}

/* ---- rows ---- */

static int idle_row(const struct bcast_scene *s, const char *algorithm, const struct broadcasts *b, const char *winner,
                    struct err *err)
{
    const struct cycles_run *r = &b->run;
    double waited = 0, collisions = 0;
    char placement[200];

    for (size_t m = 0; m < r->nstart * (size_t)r->ways->n; m++) {
        waited += r->message[m].waited;
        collisions += r->message[m].collisions;
    }
    return job_row(s->j, ROW(
        cell_text("topology", s->net->spec), cell_int("processes", s->place->where.n),
        cell_text("root", s->q->asked.root),
        cell_text("placement", plan_placement(placement, s->q->asked.placement, s->q->common.seed)),
        cell_text("routing", s->routing->spec), cell_text("algorithm", algorithm), cell_text("ports", s->ports),
        cell_text("blocking", s->how.blocking ? "yes" : "no"),
        cell_real("completion_cycles", r->stuck ? NAN : r->last), cell_count("collisions", collisions),
        cell_real("waited_cycles", waited), cell_none("makespan_steps"), cell_none("serial_hops"),
        cell_text("winner", winner), cell_text("quality", r->stuck ? "deadlock" : "exact")), err);
}

static int cycles_tree(struct bcast_scene *s, const struct tree *tree, struct err *err)
{
    struct broadcasts b;
    int ret = -1;

    if (broadcasts_run(&b, s, tree, err) < 0)
        return -1;
    ret = idle_row(s, tree->name, &b, "", err);
    broadcasts_release(&b);
    return ret;
}

int bcast_cycles(struct bcast_scene *s, bool first_ports, struct err *err)
{
    int ret = 0;

    (void)first_ports;
    if (s->j->which == BCAST_EVERY)
        return bcast_every(s, err);
    if (s->j->which == BCAST_LOAD)
        return err_set(err, ERR_USAGE, "not yet");
    for (size_t a = 0; ret == 0 && a < s->q->plan.nalgorithm; a++)
        if (s->q->plan.algorithm[a].tree)
            ret = cycles_tree(s, s->q->plan.algorithm[a].tree, err);
    return ret;
}
