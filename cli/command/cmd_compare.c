/* `metapath compare`: networks side by side. Each is examined (compare_candidate.h) but for the latency, which waits
 * for the load that suits all.
 *    about     the networks themselves, where a size is asked for
 * 1. load      for all, where none is asked for
 * 2. table     a row for each network, and notes on what is left out
 * 3. figure    four quantities in parts of the first network's */
#include "cli/command/cmd.h"
#include "cli/command/compare_candidate.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "cli/sweep/network_cells.h"
#include "graph/topology/about.h"
#include "texts/cmd.h"

static const struct option_field compare_options[] = {
    { CMD_COMPARE_SUPERNODE, 2, INTO_OF(struct compare_request, supernode) },
    { CMD_COMPARE_ABOUT, 0, INTO_OF(struct compare_request, about) },
    { CMD_COMPARE_BASELINE, 0, INTO_OF(struct compare_request, no_baseline) },
    { CMD_COMPARE_PRICES, 0, INTO_OF(struct compare_request, prices) },
    { CMD_COMPARE_ROUTING, 1, INTO_OF(struct compare_request, load.routing) },
    { CMD_COMPARE_SATURATION, 1, INTO_OF(struct compare_request, saturation), .words = "model|simulated" }, { 0 }
};

/* ---- networks of about one size ---- */

static int compare_size(struct compare_request *q, struct err *err)
{
    const size_t len = strcspn(q->about, ",");
    int64_t n, radix = 0;

    if (num_int_part(&n, q->about, len, 2, 10000000, "number of terminals", err) < 0 ||
        (q->about[len] && strncmp(q->about + len, ",radix=", 7) != 0 &&
         err_set(err, ERR_USAGE, "write N or N,radix=R")) ||
        (q->about[len] && num_int(&radix, q->about + len + 7, 2, 10000, "radix", err) < 0))
        return err_at(err, "--about %.60s", q->about);
    q->terminals = (double)n;
    q->radix = (int)radix;
    return 0;
}

/* The sizes of the families asked for, or of all; below each a random network like it. Where there is none the name
 * stays, and is refused in its row. */
static int compare_ask(void *request, struct err *err)
{
    struct compare_request *q = request;
    struct strings asked = q->common.spec, *spec = &q->common.spec;
    const char *name;
    int ret = 0;

    if (!q->about)
        return 0;
    if (compare_size(q, err) < 0)
        return -1;
    *spec = (struct strings){ 0 };
    for (size_t i = 0; ret == 0 && i < asked.n + !asked.n; i++) {
        bool known = asked.n == 0;

        for (int row = 0; ret == 0 && (name = about_family(row)); row++) {
            struct about a, random;
            struct err none;

            if (asked.n && strcmp(name, asked.item[i]) != 0)
                continue;
            known = true;
            if (about_find(&a, row, q->terminals, q->radix, &none) < 0) {
                ret = strings_add(spec, name, err);
                continue;
            }
            ret = strings_add(spec, a.spec, err);
            if (ret == 0 && !q->no_baseline && about_random(&random, &a) && strcmp(random.spec, a.spec) != 0)
                ret = strings_add(spec, random.spec, err);
        }
        if (!known)
            ret = err_set(err, ERR_USAGE, "--about: '%.60s' is none of torus, hyperx, fattree, dragonfly, megafly, "
                          "slimfly, polarfly and random", asked.item[i]);
    }
    strings_free(&asked);
    return ret;
}

/* The reason why a family has no such size. */
static int compare_none(const struct compare_request *q, const char *asked, struct err *err)
{
    struct about a;

    for (int row = 0; q->about && about_family(row); row++)
        if (strcmp(about_family(row), asked) == 0 && about_find(&a, row, q->terminals, q->radix, err) < 0)
            return -1;
    return 0;
}

/* The load at which all are compared; where none is asked for, half of that at which the first of them saturates. */
static int compare_the_load(struct load_point *out, const struct compare_request *q, const struct candidate *c,
                            size_t n, struct err *err)
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
    { "group_cables", "Cables within groups", NULL, COLUMN_ASIDE, HARDWARE_WHOLE(1, within) },
    { "global_cables", "Cables between groups", NULL, COLUMN_ASIDE, LOOSE },
    { "diameter_hops", "Diameter", "hops", 0, HARDWARE_WHOLE(1, diameter) },
    { "mean_distance_hops", "Mean distance", "hops", 3, C(report.mean_hops) },
    { "shortest_paths_mean", "Shortest paths of a pair", NULL, 2, LOOSE },
    { "shortest_paths_least", NULL, NULL, COLUMN_ASIDE, LOOSE },
    { "single_path_fraction", NULL, NULL, COLUMN_ASIDE, LOOSE }, ASIDE("disjoint_shortest"),
    { "disjoint_one_more", "Disjoint paths, +1 hop", NULL, 2, LOOSE }, ASIDE("disjoint_two_more"),
    { "disjoint_any", "Disjoint paths, any length", NULL, COLUMN_ASIDE, LOOSE },
    { "supernode", NULL, NULL, 0, C(supernode.spec) },
    { "metapath_width", "Metapath width", NULL, 2, LOOSE },
    { "metapath_length_hops", "Metapath length", "hops", 3, LOOSE },
    { "routing", NULL, NULL, 0, C(routing.spec) },
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, Y(interval) },
    { "load", "Load", NULL, COLUMN_ASIDE, Y(load) },
    { "mean_latency_cycles", "Mean latency", "cycles", 2, Y(mean) },
    { "saturation_interval_cycles", "Saturation", "cycles", COLUMN_ASIDE, LOOSE },
    { "saturation_load", "Saturation", NULL, COLUMN_ASIDE, LOOSE },
    { "simulated_saturation_load", "Saturation, simulated", NULL, IF_FILLED(4), LOOSE },
    { "routing_throughput", "Throughput by it", "of a link", -1, LOOSE },
    { "bound_throughput", "Bound, any routing", "of a link", -1, LOOSE },
    { "bound_reached", NULL, NULL, COLUMN_ASIDE, LOOSE },
    { "part_of_bound", "Part of the most", NULL, 3, LOOSE },
    { "price_per_host", "Price per host", NULL, IF_FILLED(2), LOOSE },
    { "watt_per_host", "Power per host", "W", IF_FILLED(2), LOOSE },
    { "price_per_throughput", "Price per host and throughput", NULL, IF_FILLED(2), LOOSE },
    { "watt_per_throughput", "Power per host and throughput", "W", IF_FILLED(2), LOOSE },
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
    { NULL, "Networks side by side", COLUMNS(compare_columns), .conclusion = &compare_conclusion, .upright = true,
      .always = true },
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
                len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len ? ", " : "",
                                        part_name((enum part)k));
            }
        if (!said)
            table_note(t, "%s: left out: %s: %s.", c->net->spec, names, c->left[i].msg);
    }
}

static void compare_row(struct job *j, const struct candidate *c)
{
    const bool tried = c->done[PART_LATENCY], solved = tried && c->no_latency.code == ERR_NONE;
    const struct compare_request *q = j->request;
    const struct latency_summary *s = &c->latency;
    const double theta = c->done[PART_BOUND] ? c->bound.theta : (double)NAN;
    struct err why = c->no_latency, no_price;
    struct price cost = { 0, NAN, NAN };
    struct table *t = j->t;

    if (q->prices && prices_of(&cost, q->price, q->nprice, &c->report, &no_price) < 0) {
        cost = (struct price){ 0, NAN, NAN };
        table_note(t, "%s: no price: %s.", c->net->spec, no_price.msg);
        job_passes(j, true, &no_price);
    }
    cost.price /= c->report.terminals;
    cost.watt /= c->report.terminals;

    hardware_show(j, &c->report);
    table_add(t, ROW(
        MEMBERS(c->net, &c->report, c, solved ? s : NULL), HARDWARE_CELLS(&c->report),
        cell_real("price_per_host", cost.price), cell_real("watt_per_host", cost.watt),
        cell_real("price_per_throughput", cost.price / theta), cell_real("watt_per_throughput", cost.watt / theta),
        PART_CELL("metapath_width", METAPATHS, metapath.width),
        PART_CELL("metapath_length_hops", METAPATHS, metapath.mean_hops),
        PART_CELL("shortest_paths_mean", PATHS, paths.of[DIVERSITY_PATHS][DIVERSITY_MEAN]),
        PART_CELL("shortest_paths_least", PATHS, paths.least[DIVERSITY_PATHS]),
        PART_CELL("single_path_fraction", PATHS, paths.of[DIVERSITY_PATHS][DIVERSITY_ONE]),
        PART_CELL("disjoint_shortest", PATHS, paths.of[DIVERSITY_SHORTEST][DIVERSITY_MEAN]),
        PART_CELL("disjoint_one_more", PATHS, paths.of[DIVERSITY_ONE_MORE][DIVERSITY_MEAN]),
        PART_CELL("disjoint_two_more", PATHS, paths.of[DIVERSITY_TWO_MORE][DIVERSITY_MEAN]),
        PART_CELL("disjoint_any", PATHS, paths.of[DIVERSITY_ANY][DIVERSITY_MEAN]),
        PART_CELL("routing_throughput", REACHED, reached.theta), PART_CELL("bound_throughput", BOUND, bound.bound),
        PART_CELL("bound_reached", BOUND, bound.theta), PART_CELL("broadcast_completion_cycles", BROADCAST, broadcast),
        cell_count("global_cables", c->report.directed ? (double)NAN : c->report.edges - c->report.host_cables -
                   c->report.within),
        cell_count("links", c->report.directed ? c->report.edges : 2 * c->report.edges),
        cell_real("saturation_interval_cycles", tried ? 1 / c->study.saturation_factor : (double)NAN),
        cell_real("saturation_load", solved ? s->saturation_load : tried && traffic_own(&c->traffic) == OWN_NONE ?
                  c->study.o.collide.time * c->study.saturation_factor : (double)NAN),
        PART_CELL("simulated_saturation_load", SIMULATED, simulated),
        cell_real("part_of_bound", c->done[PART_REACHED] && c->done[PART_BOUND] ? c->reached.theta / c->bound.bound :
                  (double)NAN),
        cell_count("deadlock_classes", c->classes.scheme ? c->classes.channels : (double)NAN),
        cell_text("validity", !tried ? NULL : solved ? validity_name[s->validity] : "refused"),
        cell_text("quality", !tried ? NULL : !solved ? "refused" : s->validity == VALIDITY_GOOD ? "model" :
                  "outside the model's validity")));
    left_out_notes(t, c);
    if (c->done[PART_METAPATHS])
        supernode_note(t, c->net, &c->supernode, &c->metapath);
    if (c->report.host_cables > 0 && c->report.host_cables == c->report.terminals)
        table_note(t, "%s: hops are between hosts and count the links to both.", c->net->spec);
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
    if (c->done[PART_PATHS] && c->paths.sources)
        table_note(t, "%s: shortest and disjoint paths are estimates from %d sources.", c->net->spec, c->paths.sources);
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
    struct compare_request *q = j->request;
    const size_t n = q->common.spec.n;
    struct candidate *c = q->candidate = calloc(n, sizeof *c);
    struct load_point point;

    if (!c)
        return err_memory(err);
    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_step(&j->tick, i, n);

        c[i].asked = q->common.spec.item[i];
        c[i].loaded = !job_wants(j, 0, i);
        if (c[i].loaded && (q->load.load || q->load.rate || q->load.interval || q->load.scale))
            continue;
        job_at(j, 0, i);
        job_weighs(j, !c[i].loaded);
        if (compare_none(q, c[i].asked, err) == 0 && candidate_examine(&c[i], j, i, &part, err) == 0)
            continue;
        if (!job_passes(j, n > 1, err))
            return -1;
        c[i].why = *err;
    }
    if (compare_the_load(&point, q, c, n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct load load;

        if (!job_wants(j, 0, i))
            continue;
        job_at(j, 0, n + i);
        if (c[i].why.code != ERR_NONE) {
            compare_refused(j, &c[i]);
            continue;
        }
        table_request(j->t, "topology", c[i].net->spec);
        if (c[i].done[PART_LATENCY]) {
            load = load_at(&point, c[i].study.saturation_factor);
            if (load_say(j, &c[i].study.o, err) < 0)
                return -1;
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

/* ---- the figure: cost against throughput, or every quantity in parts of the first network's ---- */

static int compare_costs(struct picture *f, const struct table *t, struct err *err)
{
    static const char *const y[] = { "bound_throughput" }, *const group[] = { "topology" };
    static const struct natural front = { .kind = "pareto", .x = "price_per_host", .y = y, .ny = 1, .group = group,
                                          .ngroup = 1, .y_scale = SCALE_LINEAR };
    const int ret = options_figure(f, t, &front, err);

    f->chart.front_most[1] = true;
    return ret;
}

static int compare_figure(struct picture *f, const struct table *t, int, struct err *err)
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

    for (size_t r = 0; r < table_rows(t); r++)
        if (!isnan(look_real(t, r, "price_per_host")))
            return compare_costs(f, t, err);
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
    struct compare_request *q = j->request;

    if (q->load.traffic.n > 1 || q->load.routing.n > 1)
        return err_set(err, ERR_USAGE, "compare takes one --traffic and one --routing for all networks");
    j->walk.turns[0] = j->o->spec.n;
    return q->prices ? prices_read(&q->price, &q->nprice, q->prices, err) : 0;
}

static void compare_release(void *request)
{
    struct compare_request *q = request;

    for (size_t i = 0; q->candidate && i < q->common.spec.n; i++)
        candidate_close(&q->candidate[i]);
    FREE(q->candidate, q->price);
}

static const struct frame compare_frame = {
    CMD_COMPARE_FRAME, .option = compare_options,
    .shared = (const struct option_part[]){ LOAD_OPTIONS(struct compare_request, one),
        LOAD_ROUTER_OPTIONS(struct compare_request), { 0 } },
    FRAME_REQUEST(struct compare_request, .load = LOAD_USUAL, .supernode = "sga:1"), .table = compare_tables,
    .plots = true, .ask = compare_ask, .check = compare_check, .compute = compare_compute,
    .fact = load_fact, .figure = compare_figure,
    .release = compare_release
};

const struct cmd cmd_compare = { CMD_COMPARE_ENTRY, .frame = &compare_frame };
