/* `metapath compare`: networks side by side. Each is opened with all that is asked of it (struct candidate) and
 * examined but for the latency, which waits for the load that suits all (compare_the_load); then it has its row. The
 * figure shows four quantities in parts of the first network's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/capacity.h"
#include "analysis/bound/even_load.h"
#include "analysis/broadcast/cycles.h"
#include "analysis/deadlock/dependencies.h"
#include "analysis/latency/latency_domain.h"
#include "analysis/metapath/metapath.h"
#include "analysis/bound/throughput.h"
#include "analysis/network/topo_report.h"
#include "analysis/policy/policy.h"
#include "cli/command/cmd.h"
#include "cli/sweep/network_cells.h"
#include "cli/request/load.h"
#include "cli/request/notes.h"
#include "cli/request/look.h"
#include "graph/base/mem.h"

struct request {
    struct options common;
    struct load_request load;
    const char *supernode;
    struct candidate *candidate;        /* of each network */
};

static const struct option_field compare_options[] = {
    { "supernode", 's', "SUPERNODE", "supernode of the metapaths (default: sga:1; `metapath list supernode`)", 2,
      INTO(supernode) },
    { "routing", 0, "ROUTING", "what latency and throughput are of, as in ecmp (default: dor where there are "
      "dimensions, else ecmp)", 1, INTO(load.routing) }, { 0 }
};

/* What takes time or memory: computed where one of its columns is shown, and left out where it is too much. */
enum part { PART_METAPATHS, PART_BOUND, PART_REACHED, PART_LATENCY, PART_BROADCAST, PART_CLASSES, PARTS };
static const struct part_of {
    const char *name;
    bool routed;                /* looks at every source of a routing that symmetries do not keep */
    double most;                /* sources that are not alike times links, about a minute */
    const char *column[8];      /* beginnings of their names: units may follow */
} part_of[PARTS] = {
    { "metapaths", false, 4e9, { "metapath_" } }, { "the bound of any routing", false, 2e7, { "bound_", "part_of" } },
    { "the routing's throughput", true, 5e7, { "routing_throughput", "part_of" } },
    { "latency", true, 5e7, { "interval", "load", "mean_latency", "saturation", "deadlock_", "validity", "quality" } },
    { "the best broadcast", false, INFINITY, { "broadcast_" } },
    { "classes against deadlock", false, INFINITY, { "deadlock_" } }
};

/* One network and all that is asked of it. */
struct candidate {
    const char *asked;
    struct net *net;
    struct traffic traffic;
    struct demand demand;
    double *capacity;
    struct routing routing;
    struct supernode supernode;
    struct latency_study study;
    struct topo_report report;
    struct metapath_stats metapath;
    struct throughput bound, reached;
    double even;                /* the busiest link's load by ecmp */
    struct deadlock_advice classes;     /* none: 1 channel; scheme NULL: not known */
    double broadcast;           /* cycles of the tree that completes first; NAN: not asked */
    struct latency_summary latency;
    bool done[PARTS];
    struct err left[PARTS];     /* why a part is left out */
    struct err why;             /* it could not be done; ERR_NONE: it was */
    struct err no_latency;      /* the rest was */
};

static void candidate_close(struct candidate *c)
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
    const struct request *q = j->request;
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

#define BROADCAST_MOST 16384        /* terminals: of more, broadcasts would take longer than all else */

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
    const double sources = alone ? r->terminals : r->symmetry >= SYMMETRY_VERTEX ? 1 :
        r->orbits > 0 ? r->orbits : r->terminals;
    const bool all = part == PART_METAPATHS || c->traffic.kind->even;

    if (!part_shown(j, part))
        return false;
    if (!all || sources * links <= part_of[part].most)
        return true;
    err_set(&c->left[part], ERR_MEMORY, "%.0f sources that are not alike, and %.0f links, are too many beside all else",
            sources, links);
    return false;
}

/* What has no room is left out. */
static int part_ends(struct candidate *c, enum part part, int ret, struct err *err)
{
    c->done[part] = ret == 0;
    if (ret < 0 && err->code == ERR_MEMORY)
        c->left[part] = *err;
    return ret < 0 && err->code != ERR_MEMORY ? -1 : 0;
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

/* All but the latency, which waits for the load. */
static int candidate_examine(struct candidate *c, struct job *j, size_t i, const struct tick *tick, struct err *err)
{
    const struct request *q = j->request;
    const struct tick part[] = { tick_part(tick, 0, 0.2), tick_part(tick, 0.2, 0.5), tick_part(tick, 0.5, 0.9),
                                 tick_part(tick, 0.9, 0.95), tick_part(tick, 0.95, 1) };
    const struct topo_report_options report = { .jobs = q->common.jobs, .tick = part[0] };
    const struct metapath_options metapath = { .jobs = q->common.jobs, .tick = part[1] };
    struct throughput_options bound = { .gap = NAN, .unfolded = q->load.unfolded, .tick = &part[2] };
    struct latency_options latency;

    if (candidate_open(c, j, i, tick, err) < 0)
        return -1;
    if (load_options(&latency, &q->load, &c->traffic, &q->common, &part[3], err) < 0)
        return -1;
    latency.orbits = true;
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
        case PART_BROADCAST: ret = candidate_broadcast(c, &latency, &part[4], err); break;
        default: ret = candidate_classes(c, q->common.jobs, &part[4], err);
        }
        if (part_ends(c, (enum part)i, ret, err) < 0)
            return -1;
    }
    return 0;
}

/* The load at which all are compared; where none is asked for, half of that at which the first of them saturates. */
static int compare_the_load(struct load_point *out, const struct request *q, const struct candidate *c, size_t n,
                            struct err *err)
{
    struct load_point *point;
    double least = INFINITY;
    size_t npoint;

    if (load_points(&point, &npoint, &q->load, NULL, NULL, NULL, err) < 0)
        return -1;
    if (npoint > 1) {
        free(point);
        return err_set(err, ERR_USAGE, "compare compares at one load; %zu were given", npoint);
    }
    *out = npoint ? *point : load_as_it_is;
    free(point);
    if (npoint)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (c[i].why.code == ERR_NONE && c[i].done[PART_LATENCY]) {
            if (traffic_own(&c[i].traffic) == OWN_ALL)
                return 0;
            least = fmin(least, c[i].study.saturation_factor);
        }
    out->interval = isfinite(least) ? 2 / least : 1;
    return 0;
}

/* ---- the table ---- */

#define N(m) MEMBER(0, struct net, m)
#define C(m) MEMBER(2, struct candidate, m)
#define Y(m) MEMBER(3, struct latency_summary, m)

static const struct column compare_columns[] = {
    { "topology", NULL, NULL, 0, N(spec) }, { "traffic", NULL, NULL, COLUMN_ASIDE, C(traffic.spec) },
    { "terminals", NULL, NULL, 0, N(nterminal) },
    { "switches", NULL, NULL, 0, HARDWARE_WHOLE(1, switches) },
    { "switch_ports", "Ports of a switch, at most", NULL, 0, HARDWARE_WHOLE(1, switch_ports) },
    { "switch_cables", "Cables between switches", NULL, COLUMN_ASIDE, LOOSE },
    { "host_cables", "Cables to hosts", NULL, COLUMN_ASIDE, LOOSE },
    { "cables_per_host", "Cables per host", NULL, 2, LOOSE }, HARDWARE_SOME(1), ASIDE("links"),
    { "diameter_hops", "Diameter", "hops", 0, HARDWARE_WHOLE(1, diameter) },
    { "mean_distance_hops", "Mean distance", "hops", 3, C(report.mean_hops) },
    { "supernode", NULL, NULL, 0, C(supernode.spec) },
    { "metapath_width", "Metapath width", NULL, 2, LOOSE },
    { "metapath_length_hops", "Metapath length", "hops", 3, LOOSE },
    { "routing", NULL, NULL, 0, C(routing.spec) },
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, Y(interval) },
    { "load", "Load", NULL, COLUMN_ASIDE, Y(load) },
    { "mean_latency_cycles", "Mean latency", "cycles", 2, Y(mean) },
    { "saturation_interval_cycles", "Saturation", "cycles", COLUMN_ASIDE, LOOSE },
    { "saturation_load", "Saturation", NULL, COLUMN_ASIDE, LOOSE },
    { "routing_throughput", "Throughput by it", "of a link", -1, LOOSE },
    { "bound_throughput", "Bound, any routing", "of a link", -1, LOOSE },
    { "bound_reached", NULL, NULL, COLUMN_ASIDE, LOOSE },
    { "part_of_bound", "Part of the most", NULL, 3, LOOSE },
    { "broadcast_completion_cycles", "Best broadcast", "cycles", YIELDS(-1), LOOSE },
    { "deadlock_classes", "Classes against deadlock", NULL, 0, LOOSE },
    { "deadlock_scheme", NULL, NULL, COLUMN_ASIDE, C(classes.scheme) },
    PLAIN("validity"), ASIDE("quality")
};

static const struct conclusion compare_conclusion = {
    .score = "mean_latency_cycles", .noun = "mean latency", .contender = { "topology" }, .scope = { "traffic" },
    .saturation = "saturation_load"
};
static const struct frame_table compare_tables[] = {
    { NULL, "Networks side by side", COLUMNS(compare_columns), .conclusion = &compare_conclusion, .upright = true },
    { 0 }
};

/* Of a part that was computed. */
#define PART_CELL(name, part, m) cell_real((name), c->done[PART_##part] ? c->m : (double)NAN)

static void compare_refused(struct job *j, const struct candidate *c)
{
    const char *name = c->net ? c->net->spec : c->asked;

    job_refused_row(j, ROW(cell_text("topology", name)));
    notes_refused(j->t, name, c->why.msg);
}

/* A note for each reason. */
static void left_out_notes(struct table *t, const struct candidate *c)
{
    for (int i = 0; i < PARTS; i++) {
        char names[200] = "";
        size_t len = 0;
        bool said = c->left[i].code == ERR_NONE;

        for (int k = 0; k < PARTS; k++)
            if (c->left[k].code != ERR_NONE && strcmp(c->left[k].msg, c->left[i].msg) == 0) {
                said = said || k < i;
                len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len ? ", " : "", part_of[k].name);
            }
        if (!said)
            table_note(t, "%s: left out: %s: %s.", c->net->spec, names, c->left[i].msg);
    }
}

static void compare_row(struct job *j, const struct candidate *c)
{
    const bool tried = c->done[PART_LATENCY], solved = tried && c->no_latency.code == ERR_NONE;
    const struct latency_summary *s = &c->latency;
    struct err why = c->no_latency;
    struct table *t = j->t;

    hardware_show(j, &c->report);
    table_add(t, ROW(
        MEMBERS(c->net, &c->report, c, solved ? s : NULL), HARDWARE_CELLS(&c->report),
        PART_CELL("metapath_width", METAPATHS, metapath.width),
        PART_CELL("metapath_length_hops", METAPATHS, metapath.mean_hops),
        PART_CELL("routing_throughput", REACHED, reached.theta), PART_CELL("bound_throughput", BOUND, bound.bound),
        PART_CELL("bound_reached", BOUND, bound.theta), PART_CELL("broadcast_completion_cycles", BROADCAST, broadcast),
        cell_count("links", c->report.directed ? c->report.edges : 2 * c->report.edges),
        cell_real("saturation_interval_cycles", tried ? 1 / c->study.saturation_factor : (double)NAN),
        cell_real("saturation_load", solved ? s->saturation_load : tried && traffic_own(&c->traffic) == OWN_NONE ?
                  c->study.o.collide.time * c->study.saturation_factor : (double)NAN),
        cell_real("part_of_bound", c->done[PART_REACHED] && c->done[PART_BOUND] ? c->reached.theta / c->bound.bound :
                  (double)NAN),
        cell_count("deadlock_classes", c->classes.scheme ? c->classes.channels : (double)NAN),
        cell_text("validity", !tried ? NULL : solved ? validity_name[s->validity] : "refused"),
        cell_text("quality", !tried ? NULL : !solved ? "refused" : s->validity == VALIDITY_GOOD ? "model" : "outside the model's "
                  "validity")));
    left_out_notes(t, c);
    if (c->done[PART_METAPATHS])
        supernode_note(t, c->net, &c->supernode, &c->metapath);
    if (c->report.host_cables > 0 && c->report.host_cables == c->report.terminals)
        table_note(t, "%s: hops between hosts include the two links to the hosts.", c->net->spec);
    if (c->report.bandwidth != c->report.edges)
        table_note(t, "%s: its links have bandwidths of their own; loads and throughputs are in parts of a unit link.",
                   c->net->spec);
    else if (c->capacity)
        table_note(t, "%s: throughputs use the capacities of its links; the latency model gives all links the same "
            "capacity.", c->net->spec);
    if (c->bound.bound > 1 && c->study.o.terminals && c->report.host_cables == 0 && c->demand.unit != DEMAND_GIVEN)
        table_note(t, "%s: throughputs count links between nodes alone; saturation also counts those of a node to and "
                   "from its own switch.", c->net->spec);
    load_note_caution(t, &c->traffic);
    if (c->done[PART_REACHED])
        load_note_uneven(t, c->net, &c->traffic, c->routing.spec, 1 / c->reached.theta, c->even);
    if (c->demand.unit == DEMAND_GIVEN)
        table_note(t, "%s: throughputs are times the demands of %s.", c->net->spec, c->traffic.spec);
    if (c->done[PART_BROADCAST] && c->net->nterminal > BROADCAST_MOST)
        table_note(t, "%s: the best broadcast is left out beyond %d terminals.", c->net->spec, BROADCAST_MOST);
    if (c->done[PART_CLASSES] && !c->classes.scheme)
        table_note(t, "%s: classes against deadlock are left out; `metapath deadlock` looks for them.", c->net->spec);
    if (tried && !solved) {
        table_note(t, "%s: %s.", c->net->spec, c->no_latency.msg);
        job_passes(j, true, &why);
    }
    if (solved)
        load_note_deadlock(t, c->net, c->routing.spec, &c->study);
}

static int compare_compute(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const size_t n = q->common.spec.n;
    struct candidate *c = q->candidate = calloc(n, sizeof *c);
    struct load_point point;

    if (!c)
        return err_memory(err);
    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_step(&j->tick, i, n);

        c[i].asked = q->common.spec.item[i];
        if (candidate_examine(&c[i], j, i, &part, err) == 0)
            continue;
        if (!job_passes(j, n > 1, err))
            return -1;
        c[i].why = *err;
    }
    if (compare_the_load(&point, q, c, n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct load load;

        if (c[i].why.code != ERR_NONE) {
            compare_refused(j, &c[i]);
            continue;
        }
        table_request(j->t, "topology", c[i].net->spec);
        if (c[i].done[PART_LATENCY]) {
            load = load_at(&point, c[i].study.saturation_factor);
            load_say(j, &q->load, &c[i].study.o);
            if (latency_solve(&c[i].study, &load, err) < 0 ||
                latency_summary(&c[i].latency, &c[i].study, &load, err) < 0) {
                if (err->code == ERR_STOPPED)
                    return -1;
                c[i].no_latency = *err;
            }
        }
        compare_row(j, &c[i]);
    }
    return 0;
}

/* ---- the figure: every quantity in parts of the first network's ---- */

static int compare_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const y[] = { "relative" }, *const group[] = { "topology" },
        *const name[] = { "mean distance", "metapath width", "mean latency", "best throughput" },
        *const of[] = { "mean_distance_hops", "metapath_width", "mean_latency_cycles", "bound_throughput" };
    const struct natural bars = { .kind = "bar", .x = "quantity", .y = y, .ny = 1, .group = group, .ngroup = 1,
                                  .y_scale = SCALE_LINEAR };
    char heading[300];
    const struct column column[] = { { "quantity", NULL, NULL, 0, LOOSE }, { "topology", NULL, NULL, 0, LOOSE },
                                     { "relative", heading, NULL, 3, LOOSE } };
    struct table parts;
    size_t first = 0;
    int ret;

    (void)which;
    while (first < table_rows(t) && isnan(look_real(t, first, of[0])))         /* refused */
        first++;
    snprintf(heading, sizeof heading, "In parts of %.250s", first < table_rows(t) ? look_text(t, first, "topology") :
             "the first");
    table_init(&parts, NULL, column, 3);
    for (size_t k = 0; k < 4; k++)
        for (size_t r = first; r < table_rows(t); r++)
            if (!isnan(look_real(t, r, of[0])))
                table_add(&parts, ROW(cell_text("quantity", name[k]),
                                      cell_text("topology", look_text(t, r, "topology")),
                                      cell_real("relative", look_real(t, r, of[k]) / look_real(t, first, of[k]))));
    ret = options_figure(f, &parts, &bars, err);
    table_release(&parts);
    return ret;
}

/* ---- the command ---- */

static int compare_check(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    if (q->load.traffic.n > 1 || q->load.routing.n > 1)
        return err_set(err, ERR_USAGE, "compare takes one --traffic and one --routing for all networks");
    return 0;
}

static void compare_release(void *request)
{
    struct request *q = request;

    for (size_t i = 0; q->candidate && i < q->common.spec.n; i++)
        candidate_close(&q->candidate[i]);
    free(q->candidate);
}

static const struct frame compare_frame = {
    .arguments = "SPEC...", .option = compare_options,
    .shared = (const struct option_part[]){ LOAD_OPTIONS(struct request, one),
                                            LOAD_ROUTER_OPTIONS(struct request), { 0 } },
    FRAME_REQUEST(struct request, .load = LOAD_USUAL, .supernode = "sga:1"), .table = compare_tables, .plots = true,
    .check = compare_check, .compute = compare_compute, .figure = compare_figure, .release = compare_release,
    .lacking = "compare needs topologies, as in `metapath compare torus:8x8 hypercube:6 --load 0.1`",
    .example = {
        { "Which of three networks of 64 nodes carries the most traffic?",
          "metapath compare torus:8x8 hypercube:6 random:64,degree=4" },
        { "Is that also so when every node sends to one other node?",
          "metapath compare torus:8x8 hypercube:6 --traffic transpose" },
        { "How do they compare in one figure?",
          "metapath compare torus:4x4 mesh:4x4 hypercube:4 --plot compare.svg" }
    },
    .doc = "Networks side by side: distances, metapaths, latency under load, the best throughput and broadcast.\v"
        "A row per network. Mean distance is over pairs of terminals; width and length are those of the supernode's "
        "metapaths (as `metapath stats`); latency is the collision model's at one load for all (as `metapath latency`; "
        "default: half of the load at which the first of them saturates); throughput is what each terminal may inject, "
        "in parts of a link, by this routing and, as proved, by any (as `metapath bound throughput`); the best "
        "broadcast is that of the process tree which completes first, of all (as `metapath bcast`, root 0, --ports 1, "
        "messages and switching as of latency); classes against deadlock are how few channels of a link keep messages "
        "of the routing from blocking each other for good (as `metapath deadlock`). One traffic, one routing and one "
        "load serve all networks. The figure shows each quantity in parts of the first network's."
};

const struct cmd cmd_compare = {
    .name = "compare", .group = "Network", .frame = &compare_frame,
    .synopsis = "metapath compare SPEC... [--supernode SUPERNODE] [--routing ROUTING] [--load LOAD]",
    .summary = "networks side by side: distances, metapaths, latency, throughput"
};
