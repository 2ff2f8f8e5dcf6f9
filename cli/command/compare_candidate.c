/* What is asked of each network side by side (compare_candidate.h).
 *   parts      which are shown, and fit
 *   examined   one after the other */
#include "cli/command/compare_candidate.h"
#include "analysis/bound/capacity.h"
#include "analysis/bound/even_load.h"
#include "analysis/broadcast/cycles.h"
#include "analysis/policy/policy.h"
#include "analysis/simulate/judge.h"
#include "analysis/simulate/saturation.h"

#define PATHS_WORK 1e8              /* links times targets, of as many sources as that allows: a second or two */

static const struct part_of {
    const char *name;
    bool routed;                /* looks at every source of a routing that symmetries do not keep */
    double most;                /* sources that are not alike times links, about a minute */
    const char *column[8];      /* beginnings of their names: units may follow */
} part_of[PARTS] = {
    { "metapaths", false, 4e9, { "metapath_" } }, { "the bound of any routing", false, 2e7,
      { "bound_", "part_of", "price_per_throughput", "watt_per_throughput" } },
    { "the routing's throughput", true, 5e7, { "routing_throughput", "part_of" } },
    { "latency", true, 5e7, { "interval", "load", "mean_latency", "saturation", "deadlock_", "validity", "quality" } },
    { "the simulated saturation", false, INFINITY, { "simulated_" } },
    { "the best broadcast", false, INFINITY, { "broadcast_" } },
    { "classes against deadlock", false, INFINITY, { "deadlock_" } },
    { "shortest and disjoint paths", false, PATHS_WORK, { "shortest_paths_", "single_path", "disjoint_" } }
};

const char *part_name(enum part part)
{
    return part_of[part].name;
}

void candidate_close(struct candidate *c)
{
    latency_close(&c->study);
    topo_report_release(&c->report);
    metapath_stats_release(&c->metapath);
    throughput_close(&c->bound);
    throughput_close(&c->reached);
    supernode_release(&c->supernode);
    routing_close(&c->routing);
    FREE(c->capacity, c->classes.scheme);
    demand_close(&c->demand);
    traffic_release(&c->traffic);
    net_close(c->net);
}

static int candidate_open(struct candidate *c, struct job *j, size_t i, const struct tick *tick, struct err *err)
{
    const struct compare_request *q = j->request;
    const struct worst_options worst = { .jobs = q->common.jobs, .tick = tick };

    return job_open(&c->net, j, i, err) < 0 || capacity_open(&c->capacity, c->net, NULL, err) < 0 ||
        load_traffic(&c->traffic, c->net, q->load.traffic.n ? q->load.traffic.item[0] : "uniform", c->capacity, &worst,
                     err) < 0 ||
        load_suits(&q->load, &c->traffic, err) < 0 ||
        demand_open(&c->demand, &c->traffic, q->load.packet, tick, err) < 0 ||
        policy_plain_routing(&c->routing, c->net, routing_usual(q->load.routing.n ? q->load.routing.item[0] : NULL,
                                                                c->net, ROUTING_FOR_LOAD), err) < 0 ||
        supernode_open(&c->supernode, q->supernode, c->net, err) < 0 ? -1 : 0;
}

/* From the first terminal to all others, one port, the network to itself. */
static int candidate_broadcast(struct candidate *c, const struct latency_options *o, const struct tick *tick,
                               struct err *err)
{
    const struct cycles_how how = { o->collide.switching, o->collide.time, o->collide.hop_time, 1, true };
    const struct cycles_start start = { 0, 0 };
    struct cycles_links links = { 0 };
    struct placement where = { 0 };
    struct routing routing = { 0 };
    const struct tree_scene scene = { .net = c->net, .where = &where, .hop = how.hop_time, .length = 1,
                                      .size = how.flits, .gap = how.flits, .tick = tick,
                                      .cut = !how.switching->stores };
    const int root = 0;
    int ret = -1;

    c->broadcast = NAN;
    if (c->net->nterminal > BROADCAST_MOST)
        return 0;
    if (cycles_links_open(&links, c->net, err) < 0 || placement_init(&where, c->net, NULL, 0, 1, 1, err) < 0 ||
        routing_open(&routing, c->net, routing_usual(NULL, c->net, ROUTING_FOR_TREES), err) < 0)
        goto done;
    for (size_t i = 0; tree_all[i]; i++) {
        struct tree_shape tree = { 0 };
        struct cycles_ways ways = { 0 };
        struct cycles_run run = { 0 };

        if (tree_all[i]->asked)
            continue;
        ret = tree_shape_init(&tree, tree_all[i], where.n, &scene, err);
        if (ret < 0 && err->code == ERR_DOMAIN)         /* it does not serve this network */
            continue;
        ret = ret < 0 ||
            cycles_ways_open(&ways, &links, &(struct cycles_trees){ &tree, &where, &root, 1, &routing }, tick,
                             err) < 0 ||
            cycles_run_open(&run, &ways, &how, &start, 1, err) < 0 || cycles_run(&run, NULL, tick, err) < 0 ? -1 : 0;
        if (ret == 0 && run.stuck == 0)
            c->broadcast = fmin(c->broadcast, run.last);        /* of a number and NaN, the number */
        cycles_run_release(&run);
        cycles_ways_release(&ways);
        tree_shape_release(&tree);
        if (ret < 0)
            goto done;
    }
    ret = 0;
done:
    cycles_links_release(&links);
    placement_release(&where);
    routing_close(&routing);
    return ret;
}

#define CLASSES_WORK 1e5            /* links looked at for all targets: of more, schemes would be tried for seconds */

/* How few channels of a link prevent deadlock, and by which scheme. What the flows say of cycles is true of all routes
 * where they close one, and where all nodes send to all. */
static int candidate_classes(struct candidate *c, int jobs, const struct tick *tick, struct err *err)
{
    const struct deadlock_options o = { .verdict = true, .jobs = jobs, .tick = tick };
    const double links = (double)c->report.edges * (c->report.directed ? 1 : 2), work = links * c->net->nterminal;
    const bool small = work <= CLASSES_WORK, all = c->traffic.kind->even && c->done[PART_LATENCY];
    bool cyclic = c->study.flows.cyclic;
    struct deadlock d = { 0 };
    const char *known = NULL;
    int ret = 0;

    if (!cyclic && !all && small) {
        ret = deadlock_open(&d, c->net, &c->routing, 1, &o, err);
        cyclic = d.cyclic;
        deadlock_close(&d);
    }
    if (ret == 0 && !cyclic && (all || small))
        known = "none";
    else if (ret == 0 && cyclic && latency_classes(c->net, &c->routing, 1) == 2)
        known = classes_dateline.name;
    else if (ret == 0 && cyclic && small)
        ret = deadlock_advise(&c->classes, c->net, &c->routing, 1, &o, err);
    if (known && !(c->classes.scheme = strdup(known)))
        ret = err_memory(err);
    if (known)
        c->classes.channels = cyclic ? 2 : 1;
    return ret < 0 && (err->code == ERR_DOMAIN || err->code == ERR_NETWORK || err->code == ERR_USAGE) ? 0 : ret;
}

static bool part_shown(const struct job *j, enum part part)
{
    const struct options *o = j->o;
    bool shown = o->columns.n == 0 || o->sort.n || o->plot;

    for (size_t i = 0; i < o->columns.n; i++)
        for (size_t k = 0; part_of[part].column[k]; k++)
            shown = shown || strncmp(o->columns.item[i], part_of[part].column[k], strlen(part_of[part].column[k])) == 0;
    return shown;
}

/* Whether a part is to be computed. */
static bool part_begins(struct candidate *c, const struct job *j, enum part part)
{
    const struct topo_report *r = &c->report;
    const bool alone = part_of[part].routed && !c->routing.symmetric && !c->routing.invariant;
    const double links = r->edges * (r->directed ? 1 : 2);
    const double sources = part == PART_PATHS ? r->switches : alone ? r->terminals : r->symmetry >= SYMMETRY_VERTEX ? 1 :
        r->orbits > 0 ? r->orbits : r->terminals;
    const bool all = part == PART_METAPATHS || part == PART_PATHS || c->traffic.kind->even;

    if (!part_shown(j, part) || (c->loaded && part != PART_LATENCY) || (part == PART_SIMULATED && (!c->done[PART_LATENCY] ||
                                                            !((const struct compare_request *)j->request)->saturation)))
        return false;
    if (!all || sources * links <= part_of[part].most)
        return true;
    err_set(&c->left[part], ERR_MEMORY, "%.0f %s, and %.0f links, are too many beside all else", sources,
            part == PART_PATHS ? "switches" : "sources that are not alike", links);
    return false;
}

/* What has no room is left out, and the command says at its end that not all could be had. */
static int part_ends(struct candidate *c, struct job *j, enum part part, int ret, struct err *err)
{
    c->done[part] = ret == 0;
    if (ret == 0)
        return 0;
    if (err->code != ERR_MEMORY || !job_passes(j, true, err))
        return -1;
    c->left[part] = *err;
    return 0;
}

static int candidate_latency(struct candidate *c, const struct latency_options *o, struct err *err)
{
    if (latency_open(&c->study, &c->traffic, &c->routing, 1, o, err) < 0)
        return -1;
    if (latency_saturation(&c->study, err) == 0) {
        c->study.o.collide.tick = c->study.collide.o.tick = NULL;
        return 0;
    }
    latency_close(&c->study);
    return -1;
}

/* From the model's own. */
static int candidate_simulated(struct candidate *c, const struct latency_options *o, struct err *err)
{
    const struct simulate_options how = judge_options(o);
    const struct load from = { o->collide.time, c->study.saturation_factor * o->collide.time };
    struct simulation *run = NULL;
    struct simulate_saturated x;
    int ret = simulate_open(&run, c->net, &c->traffic, c->routing.spec, &how, err) < 0 ? -1 :
        simulate_saturation(&x, run, &from, 1, 1 / from.factor, err);

    simulate_close(run);
    c->simulated = ret == 0 ? from.factor * sqrt(x.low * x.high) : NAN;
    return ret;
}

/* All but the latency, which waits for the load. */
int candidate_examine(struct candidate *c, struct job *j, size_t i, const struct tick *tick, struct err *err)
{
    const struct compare_request *q = j->request;
    const struct tick part[] = { tick_part(tick, 0, 0.2), tick_part(tick, 0.2, 0.5), tick_part(tick, 0.5, 0.9),
                                 tick_part(tick, 0.9, 0.95), tick_part(tick, 0.95, 1) };
    const struct topo_report_options report = { .jobs = q->common.jobs, .tick = part[0] };
    const struct metapath_options metapath = { .jobs = q->common.jobs, .tick = part[1] };
    const struct diversity_options paths = { .work = PATHS_WORK, .seed = q->common.seed, .jobs = q->common.jobs,
                                             .tick = part[4] };
    struct throughput_options bound = { .gap = NAN, .unfolded = q->load.unfolded, .tick = &part[2] };
    struct latency_options latency;

    if (candidate_open(c, j, i, tick, err) < 0)
        return -1;
    if (load_options(&latency, &q->load, &c->traffic, &q->common, &part[3], err) < 0)
        return -1;
    latency.orbits = latency.brief = true;
    bound.capacity = c->capacity;
    if (topo_report(&c->report, c->net, &report, err) < 0)
        return -1;
    for (int i = 0; i < PARTS; i++) {
        int ret = 0;

        if (!part_begins(c, j, (enum part)i))
            continue;
        switch ((enum part)i) {
        case PART_METAPATHS: ret = metapath_stats(&c->metapath, c->net, &c->supernode, 1, &metapath, err); break;
        case PART_BOUND: ret = throughput_open(&c->bound, c->net, &c->demand, &bound, err); break;
        case PART_REACHED:
            ret = throughput_of_routing(&c->reached, c->net, &c->demand, &c->routing, &bound, err);
            if (ret == 0)
                ret = even_load_busiest(&c->even, c->net, &c->demand, c->capacity, &part[2], err);
            break;
        case PART_LATENCY: ret = candidate_latency(c, &latency, err); break;
        case PART_SIMULATED: ret = candidate_simulated(c, &latency, err); break;
        case PART_BROADCAST: ret = candidate_broadcast(c, &latency, &part[4], err); break;
        case PART_PATHS: ret = diversity(&c->paths, c->net, &paths, err); break;
        default: ret = candidate_classes(c, q->common.jobs, &part[4], err);
        }
        if (part_ends(c, j, (enum part)i, ret, err) < 0)
            return -1;
    }
    return 0;
}
