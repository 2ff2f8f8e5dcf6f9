/* Broadcasts held against the simulator of flits (--validate): the messages of a tree as its plan, on the network and
 * among the background that the model has. */
#include "cli/broadcast/bcast.h"
#include "analysis/simulate/simulate.h"

#define RUNS 40                         /* under load, at least: then until the mean is known to a per cent */
#define SETTLES 20                      /* intervals, and messages' times a few times over, that the background runs
                                         * before */
#define LATE 50                         /* completions of the model that a broadcast may take */

int bcast_validate_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const bool stores = q->load.switching && q->load.switching->stores;

    if (q->common.show || q->every)
        return err_set(err, ERR_USAGE, "--validate is about when broadcasts are complete: leave out %s",
                       q->every ? "--every" : "--show");
    if (q->load.drb && isnan(q->load.hop_time) && !stores) {
        q->load.hop_time = 1;
        table_note(j->t, "A simulated hop takes a cycle at least: with --validate --model drb has hop time 1.");
    }
    if (q->load.packet != floor(q->load.packet))
        return err_set(err, ERR_USAGE, "--validate moves whole flits: --packet %g is not whole", q->load.packet);
    if (q->load.hop_time < !stores || q->load.hop_time > floor(q->load.hop_time))
        return err_set(err, ERR_USAGE, "--validate moves flits in whole cycles, a hop in one at least: --hop-time %g "
                       "is %s", q->load.hop_time, q->load.hop_time < 1 ? "less" : "not whole");
    return plan_one_root(&q->plan, "--validate is", false, err);
}

/* Messages as the tree lists children: a send waits for the message of its process, and for a port. */
static struct simulate_planned *validate_plan(const struct bcast_scene *s, const struct bcast_run *b, struct err *err)
{
    const struct tree_shape *t = b->tree;
    const int *node = s->place->where.node, ports = s->how.ports;
    struct simulate_planned *plan;

    if (TAKE("the plan", err, ARRAY(plan, t->n)) < 0)
        return NULL;
    for (int i = 0; i < t->n; i++)
        plan[i].after[0] = -1;          /* of those the root sends */
    for (int v = 0; v < t->n; v++)
        for (int i = t->first[v]; i < t->first[v + 1]; i++) {
            const int w = t->child[i];

            plan[i] = (struct simulate_planned){
                .source = node[tree_process(v, b->ways.root[0], t->n)],
                .target = node[tree_process(w, b->ways.root[0], t->n)], .flits = s->q->load.packet,
                .after = { plan[i].after[0], ports && i - t->first[v] >= ports ? i - ports : -1 },
                .come = { true, s->how.blocking }
            };
            for (int k = t->first[w]; k < t->first[w + 1]; k++)
                plan[k].after[0] = i;
        }
    return plan;
}

/* The run of a plan: what the model of latency has, flit by flit. */
static struct simulate_options validate_how(const struct bcast_scene *s, const struct latency_options *l)
{
    struct simulate_options o = simulate_usual;

    o.switching = l->collide.switching;
    o.router = l->collide.router;
    o.hop_time = l->collide.hop_time;
    o.flits = l->collide.time;
    o.source = l->open ? SOURCE_OPEN : SOURCE_CLOSED;
    o.classes = l->classes;
    o.terminals = l->terminals;
    o.max_cycles = INFINITY;
    o.seed = s->q->common.seed;
    o.jobs = s->q->common.jobs;
    o.tick = l->collide.tick;
    return o;
}

int bcast_validate(struct bcast_result *r, const struct bcast_scene *s, const struct tree *tree,
                   const struct bcast_run *b, const struct bcast_among *a, struct err *err)
{
    const struct cycles_how how = bcast_how(s);
    const double model = isnan(r->completion.mean) ? 0 : r->completion.mean;
    struct traffic uniform = { 0 };
    const struct bcast_among silent = {
        &uniform, &(const struct latency_options){ .collide = { .switching = how.switching, .time = how.flits,
                                                                .hop_time = how.hop_time, .tick = &s->place->tick } },
        &(const struct load){ INFINITY, 1 } }, *with = a ? a : &silent;
    const double interval = a ? load_interval(a->load, a->traffic) : NAN;
    struct simulate_options o = validate_how(s, with->o);
    struct simulate_planned *plan = NULL;
    struct simulation *run = NULL;
    struct simulate_result got = { 0 };
    int ret = -1;

    r->simulated.half = NAN;
    if (!s->q->validate || b->tree->n == 1)
        return 0;
    if (!(plan = validate_plan(s, b, err)) || (!a && load_traffic(&uniform, s->net, "uniform", NULL, NULL, err) < 0))
        goto done;
    o.plan = plan;
    o.nplan = (size_t)b->tree->n - 1;
    o.cycles = 1e4 + LATE * model;
    o.warmup = a ? SETTLES * ((isnan(interval) ? model : interval) + 4 * o.flits) : 0;
    o.replications = a ? RUNS : 1;
    o.precision = a ? 0.01 : 0;
    if (simulate_open(&run, s->net, with->traffic, s->routing->spec, &o, err) < 0 ||
        simulate_run(&got, run, with->load, err) < 0)
        goto done;
    r->simulated = (struct cycles_mean){ got.plan_completion, got.plan_half };
    if (got.plan_runs < got.replications)
        table_note(s->j->t, "%.150s, %d processes, %s, ports %s: %d of %d simulated runs %s, and are in no mean.",
                   s->net->spec, b->tree->n, tree->name, s->ports, got.replications - got.plan_runs, got.replications,
                   got.deadlocks > 0 ? "deadlock" : "take too long");
    ret = 0;
done:
    simulate_result_release(&got);
    simulate_close(run);
    traffic_release(&uniform);
    free(plan);
    return ret;
}
