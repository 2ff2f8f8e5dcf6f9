/* cmd_bcast.c -- `metapath bcast`: broadcasts compared (cli/broadcast/bcast.h says which file does what).
 * 1. options
 * 2. tables    in steps, in cycles, under load, again and again
 * 3. networks  places and ports of one network
 * 4. figures   against processes or loads, or by algorithm
 * 5. checks    of the request, and the command */
#include "analysis/broadcast/cycles_again.h"
#include "analysis/policy/policy.h"
#include "cli/broadcast/bcast.h"
#include "cli/command/cmd.h"
#include "cli/request/look.h"
#include "texts/cmd.h"

/* ---- options ---- */

static const struct option_field bcast_options[] = {
    { .help = "Broadcast:", .group = 0 },
    { CMD_BCAST_PORTS, 0, INTO(asked.ports) },
    { CMD_BCAST_ALGORITHM, 0, INTO(algorithm) },
    { CMD_BCAST_ROOT, 0, INTO(asked.root) },
    { CMD_BCAST_ROUTING, 0, INTO(routing) },
    { .help = "Again and again, in cycles:", .group = 3 },
    { CMD_BCAST_EVERY, 3, INTO(every), .quantity = QUANTITY_TIME },
    { CMD_BCAST_DRAWS, 3, INTO(draws), .least = 2, .most = 100000 },
    { .help = "Held against simulation:", .group = 4 },
    { CMD_BCAST_VALIDATE, 4, INTO(validate) }, { 0 }
};

/* ---- tables ---- */

#define IDLE(m) MEMBER(0, struct bcast_result, m)
#define IDLE_WHOLE(m) WHOLE(0, struct bcast_result, m)
#define UNDER(m) MEMBER(0, struct cycles_load, m)
#define AGAIN(m) MEMBER(0, struct again, m)
#define AT(m) MEMBER(1, struct again_at, m)
#define BEST(m) CHARS(1, struct bcast_best, m)

static const struct column bcast_columns[] = {
    PLAIN("topology"), PLAIN("processes"), { "root", NULL, NULL, YIELDS_LAST(0), LOOSE },
    { "placement", NULL, NULL, YIELDS(0), LOOSE }, { "routing", NULL, NULL, YIELDS_LAST(0), LOOSE }, PLAIN("algorithm"),
    PLAIN("ports"), { "blocking", NULL, NULL, YIELDS_LAST(0), LOOSE },
    { "makespan_steps", "Makespan", "steps", 0, LOOSE },
    { "steps_bound", "Bound", "steps", 0, LOOSE },
    { "steps_over_bound", "Over bound", "times", YIELDS(2), LOOSE },
    ASIDE("steps_bound_reason"),
    { "serial_hops", "Serial", "hops", YIELDS(0), LOOSE },
    { "hops_bound", "Bound", "hops", YIELDS(0), LOOSE },
    { "hops_over_bound", NULL, "times", COLUMN_ASIDE, LOOSE },
    { "winner", "Fewest steps by", NULL, YIELDS_LAST(0), LOOSE },
    { "serial_winner", "Fewest hops by", NULL, YIELDS(0), LOOSE },
    ASIDE("quality")
};
/* What schedules, messages and processes are of (BCAST_OF). */
#define OF_COLUMNS PLAIN("topology"), PLAIN("processes"), PLAIN("algorithm"), PLAIN("ports"), PLAIN("blocking")
static const struct column schedule_columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("algorithm"), { "ports", NULL, NULL, YIELDS_LAST(0), LOOSE },
    { "blocking", NULL, NULL, YIELDS(0), LOOSE }, PLAIN("step"), PLAIN("operation"), PLAIN("from_process"),
    PLAIN("to_process"), { "link_from", "Over the link from", NULL, 0, LOOSE },
    { "link_to", "To", NULL, 0, LOOSE },
    PLAIN("delivered")
};

/* In cycles: what a row is about. */
/* What --validate adds. */
#define SIMULATED_COLUMNS                                                                                           \
    { "simulated_completion_cycles", "Simulated", "cycles", IF_FILLED(1), LOOSE }, \
    { "simulated_confidence_cycles", "+-", "cycles", IF_FILLED(1), LOOSE }, \
    { "error_percent", "Error", "%", IF_FILLED(1), LOOSE }
#define CYCLES_KEYS                                                                                               \
    PLAIN("topology"), PLAIN("processes"), { "root", NULL, NULL, YIELDS(0), LOOSE }, \
    { "placement", NULL, NULL, YIELDS(0), LOOSE }, PLAIN("routing"), PLAIN("algorithm"), PLAIN("ports"), \
    { "blocking", NULL, NULL, YIELDS_LAST(0), LOOSE }
static const struct column cycles_columns[] = {
    CYCLES_KEYS,
    { "completion_cycles", "Completion", "cycles", -1, IDLE(completion.mean) },
    SIMULATED_COLUMNS,
    { "collisions", "Collisions", NULL, 0, IDLE_WHOLE(collisions) },
    { "waited_cycles", "Waited", "cycles", YIELDS(-1), IDLE(waited) },
    { "makespan_steps", "Makespan", "steps", YIELDS_LAST(0), IDLE_WHOLE(steps) },
    { "serial_hops", "Serial", "hops", YIELDS(0), IDLE_WHOLE(hops) },
    { "winner", "Least by", NULL, YIELDS_LAST(0), BEST(winner) },
    PLAIN("quality")
};
static const struct column links_columns[] = {
    OF_COLUMNS, PLAIN("root"), PLAIN("from_process"), PLAIN("to_process"),
    { "link_from", "Over the link from", NULL, 0, LOOSE }, { "link_to", "To", NULL, 0, LOOSE },
    { "asked_cycles", "Asked at", "cycles", 2, LOOSE }, { "got_cycles", "Got at", "cycles", 2, LOOSE },
    { "free_cycles", "Free at", "cycles", 2, LOOSE }
};
static const struct column messages_columns[] = {
    OF_COLUMNS, PLAIN("root"), PLAIN("from_process"), PLAIN("to_process"), PLAIN("hops"),
    { "started_cycles", "Started at", "cycles", 2, LOOSE }, { "delivered_cycles", "Delivered at", "cycles", 2, LOOSE },
    { "waited_cycles", "Waited", "cycles", 2, LOOSE }, PLAIN("collisions"),
    { "link_from", "Longest for the link from", NULL, 0, LOOSE }, { "link_to", "To", NULL, 0, LOOSE },
    { "behind", "Behind", NULL, 0, LOOSE }
};
static const struct column processes_columns[] = {
    OF_COLUMNS, PLAIN("root"), PLAIN("process"), PLAIN("node"),
    { "received_cycles", "Received at", "cycles", 2, LOOSE },
    { "sent_cycles", "Last sent at", "cycles", 2, LOOSE }
};
/* Under load: the background's traffic, its interval or load, and the broadcast among it. */
static const struct column load_columns[] = {
    CYCLES_KEYS,
    PLAIN("traffic"),
    { "interval_cycles", "Interval", "cycles", COLUMN_ASIDE, LOOSE }, { "load", "Load", NULL, COLUMN_ASIDE, LOOSE },
    { "completion_cycles", "Completion", "cycles", 1, UNDER(completion.mean) },
    { "confidence_cycles", "+-", "cycles", YIELDS_LAST(1), UNDER(completion.half) },
    SIMULATED_COLUMNS,
    { "sd_cycles", "Deviation", "cycles", YIELDS(1), UNDER(sd) },
    { "p95_cycles", "95 % within", "cycles", 1, UNDER(p95) },
    { "slowdown", "Slowdown", "times", 2, UNDER(slowdown) },
    { "idle_cycles", "Idle", "cycles", YIELDS_LAST(1), UNDER(idle) },
    { "hurt_link", "Waits most for", NULL, YIELDS(0), LOOSE },
    { "hurt_cycles", "There", "cycles", YIELDS(1), UNDER(worst_wait) },
    { "utilisation", "Held", NULL, YIELDS(3), UNDER(held) },
    { "draws", NULL, NULL, COLUMN_ASIDE, UNDER(draws) },
    { "makespan_steps", "Makespan", "steps", COLUMN_ASIDE, LOOSE },
    { "winner", "Least by", NULL, YIELDS_LAST(0), BEST(winner) },
    PLAIN("validity"), ASIDE("valid"), ASIDE("quality")
};
static const struct column every_columns[] = {
    CYCLES_KEYS,
    { "interval_cycles", "Every", "cycles", 1, LOOSE },
    { "utilisation", "Utilisation", NULL, 3, AT(rho) },
    { "completion_cycles", "Completion", "cycles", 1, AT(completion) },
    { "slowdown", "Slowdown", "times", YIELDS(2), LOOSE },
    { "idle_cycles", "Idle", "cycles", YIELDS(1), AGAIN(idle) },
    { "saturation_interval_cycles", "Saturation", "cycles", 1, AGAIN(saturation) },
    { "capacity_interval_cycles", "Capacity", "cycles", YIELDS(1), AGAIN(capacity.interval) },
    { "capacity_by", "Limited by", NULL, YIELDS(0), LOOSE },
    { "makespan_steps", "Makespan", "steps", COLUMN_ASIDE, LOOSE },
    { "winner", "Least by", NULL, YIELDS_LAST(0), LOOSE },
    PLAIN("validity"), ASIDE("valid"), ASIDE("quality")
};

#define SCOPE "topology", "processes", "root", "placement", "ports", "blocking"
static const struct conclusion bcast_conclusion = {
    .score = "makespan_steps", .noun = "makespan", .marks = true, .contender = { "algorithm" }, .but = "best",
    .scope = { SCOPE }
};
static const struct conclusion cycles_conclusion = {
    .score = "completion_cycles", .noun = "completion", .marks = true, .contender = { "algorithm" }, .but = "best",
    .scope = { SCOPE }
};
static const struct conclusion load_conclusion = {
    .score = "completion_cycles", .noun = "mean completion", .marks = true, .contender = { "algorithm" }, .but = "best",
    .scope = { "topology", "processes", "ports", "blocking", "traffic", "interval_cycles", "load" }
};
static const struct conclusion every_conclusion = {
    .score = "completion_cycles", .noun = "completion", .marks = true, .contender = { "algorithm" }, .but = "best",
    .scope = { SCOPE, "interval_cycles" }
};
#define PORTS .words = "ports"
static const struct frame_table bcast_tables[] = {
    [BCAST_STEPS] = { NULL, "Broadcasts", COLUMNS(bcast_columns), PORTS, .conclusion = &bcast_conclusion },
    [BCAST_SCHEDULE] = { "schedule", "Schedule", COLUMNS(schedule_columns), PORTS, .streamed = true },
    [BCAST_CYCLES] = { NULL, "Broadcasts", COLUMNS(cycles_columns), PORTS, .conclusion = &cycles_conclusion },
    [BCAST_LINKS] = { NULL, "Schedule", COLUMNS(links_columns), PORTS, .streamed = true },
    [BCAST_MESSAGES] = { "messages", "Messages", COLUMNS(messages_columns), PORTS },
    [BCAST_PROCESSES] = { "processes", "Processes", COLUMNS(processes_columns), PORTS },
    [BCAST_LOAD] = { NULL, "Broadcasts under load", COLUMNS(load_columns), PORTS, .conclusion = &load_conclusion },
    [BCAST_EVERY] = { NULL, "Broadcasts again and again", COLUMNS(every_columns), PORTS,
                     .conclusion = &every_conclusion },
    { 0 }
};

/* ---- networks ---- */

static int bcast_place(struct job *j, struct plan_place *place, struct err *err)
{
    struct request *q = j->request;
    struct bcast_scene s = { .j = j, .q = q, .net = j->net, .place = place, .routing = &q->route, .gap = NAN };
    const size_t ntree = kind_count(&kind_tree);
    const struct tick whole = place->tick;
    int ret = TAKE("process trees", err, ZEROS(s.shape, ntree), ZEROS(s.refused, ntree));

    plan_placement(s.placement, q->asked.placement, q->common.seed);
    if (ret == 0 && j->which == BCAST_LOAD)
        ret = bcast_load(&s, err);
    for (size_t i = 0; ret == 0 && j->which != BCAST_LOAD && i < q->plan.nports; i++) {
        place->tick = tick_step(&whole, i, q->plan.nports);
        ret = bcast_ports(&s, i, err);
        if (ret == 0 && j->which == BCAST_STEPS)
            ret = broadcast_bound(&s.bound, &place->reach, s.how, err);
        if (ret == 0)
            ret = j->which <= BCAST_SCHEDULE ? bcast_steps(&s, err) : bcast_cycles(&s, err);
    }
    bcast_trees_release(&s);
    FREE(s.shape, s.refused);
    return ret;
}

static int bcast_network(struct job *j, struct err *err)
{
    struct request *q = j->request;
    int ret = policy_plain_routing(&q->route, j->net, routing_usual(q->routing, j->net, ROUTING_FOR_TREES), err);

    if (j->which <= BCAST_SCHEDULE)
        plan_lengths(j);
    if (ret == 0 && j->which >= BCAST_CYCLES)
        ret = cycles_links_open(&q->links, j->net, err);
    if (ret == 0)
        ret = plan_each(j, &q->plan, &q->asked, j->which == BCAST_STEPS, bcast_place, err);
    cycles_links_release(&q->links);
    routing_close(&q->route);
    return ret;
}

static int bcast_finish(struct job *j, struct err *)
{
    if (j->which == BCAST_LOAD)
        bcast_load_notes(j->t);
    return 0;
}

/* ---- figures ---- */

/* Whether the same algorithm on the same network is there at several of them. */
static bool bcast_swept(const struct table *t, const char *column)
{
    static const char *const key[] = { "topology", "traffic", "processes", "algorithm", "ports" };
    enum { BACK = 200 };                /* rows of one load, at most: else a sweep would take long */

    for (size_t r = 1; r < table_rows(t); r++)
        for (size_t s = r > BACK ? r - BACK : 0; s < r; s++) {
            size_t k = 0;

            while (k < 5 && look_same(t, r, s, key[k]))
                k++;
            if (k == 5 && !look_same(t, r, s, column))
                return true;
        }
    return false;
}

/* Steps against processes, or bars by algorithm; a series a number of ports. */
static int bcast_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const steps[] = { "makespan_steps" }, *const cycles[] = { "completion_cycles" },
                      *const received[] = { "received_cycles" };
    const struct request *q = f->request;
    const bool several = look_varies(t, "processes"), networks = look_varies(t, "topology"),
        processes = which == BCAST_PROCESSES,
        loads = which == BCAST_LOAD && !several && bcast_swept(t, "interval_cycles"),
        every = which == BCAST_EVERY && bcast_swept(t, "interval_cycles");
    const char *by[5];
    struct natural figure = { .kind = several ? "line" : "bar", .x = several ? "processes" : "algorithm",
                              .y = which >= BCAST_CYCLES ? cycles : steps, .ny = 1, .group = by };

    if (which == BCAST_SCHEDULE || which == BCAST_LINKS || which == BCAST_MESSAGES)
        return bcast_arrows_figure(f, t, which, err);
    if (processes) {
        figure.kind = "scatter";
        figure.x = "process";
        figure.y = received;
    }
    if (loads || every) {
        figure.kind = "line";
        figure.x = loads ? load_axis(q ? &q->load : NULL, t) : "interval_cycles";
        figure.valid = "valid";
    }
    if (several || processes || loads || every)
        by[figure.ngroup++] = "algorithm";
    if (loads && look_varies(t, "traffic"))
        by[figure.ngroup++] = "traffic";
    if (!several && networks)
        by[figure.ngroup++] = "topology";
    if (plan_ports_vary(t))
        by[figure.ngroup++] = "ports";
    if (several && processes)
        by[figure.ngroup++] = "processes";
    if (several && networks)
        by[figure.ngroup++] = "topology";
    return plan_figure(f, t, &figure, err);
}

/* ---- checks ---- */

/* Trees that are built are so for one root. */
static int bcast_check_roots(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    if (q->plan.nroot == 1)
        return 0;
    for (size_t i = 0; i < q->algorithm.n; i++)
        if (q->plan.algorithm[i].tree && q->plan.algorithm[i].tree->build)
            return err_set(err, ERR_USAGE, "%s is built for one root: give --root one process",
                           q->plan.algorithm[i].tree->name);
    if (q->algorithm.n == 0)
        table_note(j->t, "Trees that follow the network are built for one root: they are left out.");
    return 0;
}

static int bcast_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    const bool shown = j->which != BCAST_STEPS && j->which != BCAST_CYCLES && j->which != BCAST_LOAD &&
        j->which != BCAST_EVERY;

    if (plan_algorithms(&q->plan, &q->algorithm, shown, err) < 0 ||
        plan_ranges(&q->plan, &q->asked, err) < 0 || bcast_check_roots(j, err) < 0)
        return -1;
    if (j->which >= BCAST_CYCLES)
        return bcast_cycles_check(j, err);
    j->timed = false;                   /* lengths of links are nothing to steps */
    return plan_one_root(&q->plan, "steps are", true, err);
}

static void bcast_release(void *request)
{
    struct request *q = request;

    plan_release(&q->plan);
}

static const struct frame bcast_frame = {
    CMD_BCAST_FRAME, .option = bcast_options,
    .shared = (const struct option_part[]){ { plan_options, offsetof(struct request, asked) },
        LOAD_OPTIONS(struct request, any), { 0 } },
    FRAME_REQUEST(struct request, .asked = PLAN_USUAL, .draws = 10000, .load = { .packet = NAN, .hop_time = NAN,
        .loop = -1, .terminals = -1, .closure = &closure_pairwise, .router = LOAD_ROUTER,
        .usual = &switching_cut_through }),
    .table = bcast_tables, .plots = true, .ahead = true, .pick = bcast_pick, .check = bcast_check,
    .network = bcast_network, .fact = load_fact, .finish = bcast_finish, .figure = bcast_figure, .release = bcast_release
};

const struct cmd cmd_bcast = { CMD_BCAST_ENTRY, .frame = &bcast_frame };
