#include <math.h>

#include "cli/request/bcast_plan.h"
#include "cli/command/cmd.h"
#include "graph/base/text.h"

struct request {
    struct options common;
    struct strings algorithm;
    struct plan_request asked;
    const char *routing;
    struct plan plan;
    struct routing route;               /* of the network at hand */
};

static const struct option_field bcast_options[] = {
    { .help = "Broadcast:", .group = 0 },
    { "ports", 0, "LIST", "messages a process may send at once, as in 1,2,all (default: 1,all)", 0, INTO(asked.ports) },
    { "algorithm", 'a', "LIST", "sequential, binary, binomial, chain, flooding, best (default: all); best has "
      "the fewest steps and the fewest hops of the first four", 0, INTO(algorithm) },
    { "routing", 0, "ROUTING", "one with a single path: dor, dmodk, spread, minimal or updown (default: dor "
      "where there are dimensions, dmodk on fat trees, else spread)", 0, INTO(routing) }, { 0 }
};

/* ---- tables ---- */

static const struct column bcast_columns[] = {
    PLAIN("topology"), PLAIN("processes"), { "root", NULL, NULL, YIELDS_LAST(0) },
    { "placement", NULL, NULL, YIELDS(0) }, PLAIN("routing"), PLAIN("algorithm"),
    PLAIN("ports"), { "blocking", NULL, NULL, YIELDS_LAST(0) },
    { "makespan_steps", "Makespan", "steps", 0 },
    { "steps_bound", "Bound", "steps", 0 },
    { "steps_over_bound", "Over bound", "times", YIELDS(2) },
    ASIDE("steps_bound_reason"),
    { "serial_hops", "Serial", "hops", YIELDS(0) },
    { "hops_bound", "Bound", "hops", YIELDS(0) },
    { "hops_over_bound", NULL, "times", COLUMN_ASIDE },
    { "winner", "Fewest steps by", NULL, YIELDS_LAST(0) },
    { "serial_winner", "Fewest hops by", NULL, YIELDS(0) },
    ASIDE("quality")
};
static const struct column schedule_columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("algorithm"), PLAIN("ports"), PLAIN("blocking"), PLAIN("step"),
    PLAIN("operation"), PLAIN("from_process"), PLAIN("to_process"),
    { "link_from", "Over the link from", NULL, 0 },
    { "link_to", "To", NULL, 0 },
    PLAIN("delivered")
};

static const struct conclusion bcast_conclusion = {
    .score = "makespan_steps", .noun = "makespan", .who = { "algorithm" }, .but = "best",
    .scope = { "topology", "processes", "root", "placement", "ports", "blocking" }
};
enum { BCAST_MAIN, BCAST_SCHEDULE };
static const struct frame_table bcast_tables[] = {
    [BCAST_MAIN] = { NULL, "Broadcasts", COLUMNS(bcast_columns), .conclusion = &bcast_conclusion },
    [BCAST_SCHEDULE] = { "schedule", "Schedule", COLUMNS(schedule_columns), .streamed = true }, { 0 }
};

/* One network, one number of processes, one number of ports. */
struct scene {
    struct job *j;
    const struct request *q;
    struct net *net;
    struct plan_place *place;           /* its reach is not for schedules */
    struct routing *routing;
    struct broadcast_how how;
    struct broadcast_bound bound;       /* of process trees */
    const char *algorithm;              /* being scheduled */
    char ports[24];
};

static int bcast_row(const struct scene *s, const char *algorithm, bool ported, double makespan, double serial,
                     const char *winner, const char *serial_winner, struct err *err)
{
    struct broadcast_bound bound = s->bound;
    char placement[200], reason[200];

    if (!ported)
        broadcast_bound_flood(&bound, &s->place->reach);
    return job_row(s->j, ROW(
        cell_text("topology", s->net->spec), cell_int("processes", s->place->where.n),
        cell_int("root", s->q->asked.root),
        cell_text("placement", plan_placement(placement, s->q->asked.placement, s->q->common.seed)),
        cell_text("routing", s->routing->spec), cell_text("algorithm", algorithm),
        cell_text("ports", ported ? s->ports : "all"),
        cell_text("blocking", !ported ? "no" : s->how.blocking ? "yes" : "no"), cell_count("makespan_steps", makespan),
        cell_count("steps_bound", bound.steps),
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

static int bcast_best(struct broadcast_table *b, const struct scene *s, struct err *err)
{
    return broadcast_compare(b, tree_all, &s->place->where, s->q->asked.root, s->routing, s->how, FLOODING_NONE,
                             &s->place->tick, err);
}

static int bcast_best_row(struct scene *s, struct err *err)
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

static int bcast_flooding_row(struct scene *s, struct err *err)
{
    struct broadcast b;
    int ret;

    if (broadcast_flood(&b, s->net, &s->place->where, s->q->asked.root, err) < 0)
        return -1;
    ret = bcast_row(s, "flooding", false, b.makespan_steps, b.serial_hops, "", "", err);
    broadcast_release(&b);
    return ret;
}

static int bcast_schedule_row(void *arg, const struct broadcast_step *step, struct err *err)
{
    struct scene *s = arg;
    char from[NET_LABEL], to[NET_LABEL];

    return job_row(s->j, ROW(
        cell_text("topology", s->net->spec), cell_int("processes", s->place->where.n),
        cell_text("algorithm", s->algorithm), cell_text("ports", s->ports),
        cell_text("blocking", s->how.blocking ? "yes" : "no"), cell_int("step", step->unit),
        cell_text("operation", step->kind == BROADCAST_SEND ? "send" : "forward"), cell_int("from_process", step->from),
        cell_int("to_process", step->to), cell_text("link_from", net_label(s->net, step->link_from, from)),
        cell_text("link_to", net_label(s->net, step->link_to, to)),
        cell_text("delivered", step->delivers ? "yes" : "")), err);
}

/* ---- the work ---- */

static int bcast_tree(struct scene *s, const struct tree *tree, struct err *err)
{
    const struct broadcast_watch watch = { bcast_schedule_row, s };
    const bool scheduled = s->j->which == BCAST_SCHEDULE;
    struct tree_shape shape;
    struct broadcast b;
    int ret;

    if (tree_shape_init(&shape, tree, s->place->where.n, err) < 0)
        return -1;
    s->algorithm = tree->name;
    ret = broadcast_run(&b, &shape, &s->place->where, s->q->asked.root, s->routing, s->how, scheduled ? &watch : NULL,
                        &s->place->tick, err);
    tree_shape_release(&shape);
    if (ret < 0)
        return -1;
    if (!scheduled)
        ret = bcast_row(s, tree->name, true, b.makespan_steps, b.serial_hops, "", "", err);
    broadcast_release(&b);
    return ret;
}

/* The schedule of the best tree (the first of those that tie). */
static int bcast_best_schedule(struct scene *s, struct err *err)
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

static int bcast_algorithm(struct scene *s, const struct algorithm *a, bool first_ports, struct err *err)
{
    const bool scheduled = s->j->which == BCAST_SCHEDULE;

    if (a->tree)
        return bcast_tree(s, a->tree, err);
    if (a->pattern->of_trees)
        return scheduled ? bcast_best_schedule(s, err) : bcast_best_row(s, err);
    /* ports do not concern flooding: one row, and no schedule, since every link is used as soon as it can be */
    return scheduled || !first_ports ? 0 : bcast_flooding_row(s, err);
}

static int bcast_place(struct job *j, struct plan_place *place, struct err *err)
{
    struct request *q = j->request;
    struct scene s = { .j = j, .q = q, .net = j->net, .place = place, .routing = &q->route };
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < q->plan.nports; i++) {
        s.how = plan_how(&q->plan, i, q->asked.blocking);
        plan_ports_text(s.ports, s.how.ports);
        if (j->which == BCAST_MAIN)
            ret = broadcast_bound(&s.bound, &place->reach, s.how, err);
        for (size_t a = 0; ret == 0 && a < q->plan.nalgorithm; a++)
            ret = bcast_algorithm(&s, &q->plan.algorithm[a], i == 0, err);
    }
    return ret;
}

static int bcast_network(struct job *j, struct err *err)
{
    struct request *q = j->request;
    int ret = routing_open(&q->route, j->net, routing_usual(q->routing, j->net, ROUTING_FOR_TREES), err);

    if (ret == 0)
        ret = plan_each(j, &q->plan, &q->asked, j->which == BCAST_MAIN, bcast_place, err);
    routing_close(&q->route);
    return ret;
}

/* Steps against processes, or bars by algorithm; a series a number of ports. */
static int bcast_finish(struct job *j, struct err *err)
{
    static const char *const y[] = { "makespan_steps" };
    const struct plan *plan = &((const struct request *)j->request)->plan;
    const bool ports = plan->nports > 1, several = plan->nprocesses > 1, networks = j->o->spec.n > 1;
    const char *by[3];
    struct natural figure = { .kind = several ? "line" : "bar", .x = several ? "processes" : "algorithm", .y = y,
                              .ny = 1, .group = by };

    if (several)
        by[figure.ngroup++] = "algorithm";
    if (!several && networks)
        by[figure.ngroup++] = "topology";
    if (ports)
        by[figure.ngroup++] = "ports";
    if (several && networks)
        by[figure.ngroup++] = "topology";
    return plan_plot(j->o, j->t, &figure, err);
}

static int bcast_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (plan_algorithms(&q->plan, &q->algorithm, j->which == BCAST_SCHEDULE, err) < 0 ||
        plan_ranges(&q->plan, &q->asked, err) < 0)
        return -1;
    if (q->common.plot && j->which == BCAST_SCHEDULE)
        return err_set(err, ERR_USAGE, "a schedule has no figure; leave out --plot or --show");
    return 0;
}

static void bcast_release(void *request)
{
    plan_release(&((struct request *)request)->plan);
}

static const struct frame bcast_frame = {
    .arguments = "SPEC...", .option = bcast_options,
    .shared = (const struct option_part[]){ { plan_options, offsetof(struct request, asked) }, { 0 } },
    FRAME_REQUEST(struct request, .asked = PLAN_USUAL), .table = bcast_tables, .plots = true, .ahead = true,
    .check = bcast_check, .network = bcast_network, .finish = bcast_finish, .release = bcast_release,
    .lacking = "bcast needs a topology, as in `metapath bcast mesh:4x4 --processes 8..16`",
    .example = {
        { "Which broadcast algorithm takes the fewest steps on a mesh?",
          "metapath bcast mesh:4x4 --ports 1" },
        { "Does the answer depend on the number of processes?",
          "metapath bcast torus:4x4 --processes 8..16 --ports 1 --algorithm best" },
        { "Which process sends what to whom, and when?",
          "metapath bcast mesh:2x2 --algorithm binomial --ports 1 --show schedule" }
    },
    .doc = "Compares broadcast algorithms by their steps and hops.\vMakespan is the number of steps until the last "
        "process has the message. A message takes one step to cross a link (store and forward); in one step a "
        "terminal receives one message, forwards one, or sends its own, and a switch passes on one message per link in "
        "and out. Serial hops are the hops of all messages together. "
        "Flooding counts the steps to the farthest terminal, and the messages that it sends. The row `best` has the "
        "fewest steps and the fewest hops of the trees sequential, binary, binomial and chain, and names which; "
        "others may need fewer. `Bound` is a lower "
        "bound for all process trees (`metapath bound broadcast`)."
};

const struct cmd cmd_bcast = {
    .name = "bcast", .group = "Collectives", .frame = &bcast_frame,
    .synopsis = "metapath bcast SPEC... [--processes RANGE] [--algorithm LIST] [--ports LIST]",
    .summary = "compares broadcast algorithms: steps, hops, schedules, the best one"
};
