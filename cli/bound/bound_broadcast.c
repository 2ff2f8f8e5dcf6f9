#include "analysis/broadcast/broadcast_rate.h"
#include "cli/broadcast/bcast_plan.h"
#include "cli/bound/bound.h"
#include "cli/request/look.h"
#include "texts/bound.h"

struct request {
    struct options common;
    struct plan_request asked;
    struct plan plan;
};

static const struct option_field bound_broadcast_options[] = {
    { .help = "Broadcast:", .group = 0 },
    { BOUND_BROADCAST_PORTS, 0, INTO(asked.ports) },
    { BOUND_BROADCAST_ROOT, 0, INTO(asked.root) }, { 0 }
};

/* ---- the table ---- */

#define B_WHOLE(m) WHOLE(0, struct broadcast_bound, m)
#define R(m) MEMBER(1, struct broadcast_rate, m)

static const struct column columns[] = {
    PLAIN("topology"), PLAIN("processes"), PLAIN("root"), ASIDE("placement"), PLAIN("ports"), PLAIN("blocking"),
    { "one_to_all_steps", "One to all", "steps", 0, B_WHOLE(steps) },
    { "one_to_all_reason", "Because of", NULL, YIELDS(0), LOOSE },
    { "distance_steps", NULL, "steps", COLUMN_ASIDE, B_WHOLE(distance) },
    { "growth_steps", NULL, "steps", COLUMN_ASIDE, B_WHOLE(growth) },
    { "work_steps", NULL, "steps", COLUMN_ASIDE, B_WHOLE(work) },
    { "one_to_all_hops", "One to all", "hops", YIELDS(0), B_WHOLE(hops) },
    { "all_to_all_steps", "All to all", "steps", 0, R(all_steps) },
    { "all_to_all_combined_steps", "Combined", "steps", YIELDS_LAST(0), R(all_combined_steps) },
    { "diameter_hops", NULL, "hops", COLUMN_ASIDE, R(diameter) },
    { "broadcast_rate", "Rate", NULL, -1, LOOSE },
    { "broadcast_cut", "Broadcast cut", NULL, YIELDS(0), LOOSE },
    ASIDE("broadcast_cut_capacity"), ASIDE("broadcast_cut_nodes"), ASIDE("broadcast_cut_processes"),
    { "all_to_all_rate", "All-to-all rate", NULL, YIELDS_LAST(-1), LOOSE },
    { "all_to_all_cut", "All-to-all cut", NULL, YIELDS(0), LOOSE },
    ASIDE("all_to_all_cut_capacity"), ASIDE("all_to_all_cut_nodes"), ASIDE("all_to_all_cut_processes"),
    { "cuts", "Cuts looked at", NULL, COLUMN_ASIDE, LOOSE },
    ASIDE("quality")
};

static const struct frame_table bound_broadcast_tables[] = {
    { NULL, "Bounds of broadcasts", COLUMNS(columns), .words = "ports" }, { 0 }
};

/* "into 0.1"; none for a single process, which has nothing to send. */
static struct named_cell cut_cell(const char *column, const struct net *net, const struct broadcast_cut *c)
{
    char label[NET_LABEL], *text = NULL;
    const char *name = c->nodes ? net_label(net, c->node, label) : NULL;

    if (!name)
        return cell_none(column);
    if ((c->nodes == 1 ? asprintf(&text, "into %s", name) :
         c->nodes == net->n - 1 ? asprintf(&text, "out of %s", name) :
                                  asprintf(&text, "into %d nodes with %s", c->nodes, name)) < 0)
        text = NULL;
    return cell_take(column, text);
}

static void bound_broadcast_row(const struct job *j, const struct plan_place *at, const char *ports, bool blocking,
                                const struct broadcast_bound *b, const struct broadcast_rate *r)
{
    const struct request *q = j->request;
    const bool alone = at->where.n == 1;
    char placement[200], reason[200];

    table_add(j->t, ROW(
        MEMBERS(b, r), cell_text("topology", j->net->spec), cell_int("processes", at->where.n),
        cell_int("root", plan_root(&q->plan)),
        cell_text("placement", plan_placement(placement, q->asked.placement, q->common.seed)),
        cell_text("ports", ports), cell_text("blocking", blocking ? "yes" : "no"),
        cell_text("one_to_all_reason", broadcast_bound_reason(reason, b)),
        cell_real("broadcast_rate", alone ? NAN : r->rate), cut_cell("broadcast_cut", j->net, &r->cut),
        cell_real("broadcast_cut_capacity", r->cut.nodes ? r->cut.capacity : NAN),
        cell_count("broadcast_cut_nodes", r->cut.nodes ? r->cut.nodes : (double)NAN),
        cell_count("broadcast_cut_processes", r->cut.nodes ? r->cut.processes : (double)NAN),
        cell_real("all_to_all_rate", alone ? NAN : r->all_rate), cut_cell("all_to_all_cut", j->net, &r->all_cut),
        cell_real("all_to_all_cut_capacity", r->all_cut.nodes ? r->all_cut.capacity : NAN),
        cell_count("all_to_all_cut_nodes", r->all_cut.nodes ? r->all_cut.nodes : (double)NAN),
        cell_count("all_to_all_cut_processes", r->all_cut.nodes ? r->all_cut.processes : (double)NAN),
        cell_text("cuts", r->all_cuts ? "all" : "round one node"), cell_text("quality", "bound")));
}

static int bound_broadcast_place(struct job *j, struct plan_place *at, struct err *err)
{
    const struct request *q = j->request;
    bool told = false;

    if (at->reach.narrow)
        table_note(j->t, "%s: some links are of a bandwidth below 1, and steps are of whole messages: rates alone.",
                   j->net->spec);
    for (size_t i = 0; i < q->plan.nports; i++) {
        const struct tick part = tick_step(&at->tick, i, q->plan.nports);
        const struct broadcast_how how = plan_how(&q->plan, i, q->asked.blocking);
        struct broadcast_bound b;
        struct broadcast_rate r;
        char ports[24];

        if (broadcast_bound(&b, &at->reach, how, err) < 0 ||
            broadcast_rate(&r, j->net, &at->where, plan_root(&q->plan), how.ports, q->common.jobs, &part, err) < 0)
            return -1;
        bound_broadcast_row(j, at, plan_ports_text(ports, how.ports), how.blocking, &b, &r);
        if (!r.all_cuts && !told)
            table_note(j->t, "%s: the network is too large to examine every cut; rates are bounded by the cuts round "
                "single nodes.", j->net->spec);
        told = told || !r.all_cuts;
        if (r.all_combined_steps < b.steps)
            table_note(j->t, "%s: one to all is by process trees, where processes alone pass on; for all to all any "
                       "node may copy and combine what it has, switches too, so that its bound may be the smaller one.",
                       j->net->spec);
    }
    return 0;
}

static int bound_broadcast_network(struct job *j, struct err *err)
{
    const struct request *q = j->request;

    plan_lengths(j);
    return plan_each(j, &q->plan, &q->asked, true, bound_broadcast_place, err);
}

/* Bars by network, or lines over numbers of processes; a series a number of ports. */
static int bound_broadcast_figure(struct picture *f, const struct table *t, int, struct err *err)
{
    static const char *const y[] = { "one_to_all_steps" };
    const bool several = look_varies(t, "processes");
    const char *by[2];
    struct natural figure = { .kind = several ? "line" : "bar", .x = several ? "processes" : "topology", .y = y,
                              .ny = 1, .group = by };

    if (several && look_varies(t, "topology"))
        by[figure.ngroup++] = "topology";
    if (plan_ports_vary(t))
        by[figure.ngroup++] = "ports";
    return plan_figure(f, t, &figure, err);
}

static int bound_broadcast_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    return plan_ranges(&q->plan, &q->asked, err) < 0 ? -1 : plan_one_root(&q->plan, "bounds are", false, err);
}

static void bound_broadcast_release(void *request)
{
    plan_release(&((struct request *)request)->plan);
}

static const struct frame bound_broadcast_frame = {
    BOUND_BROADCAST_FRAME, .option = bound_broadcast_options,
    .shared = (const struct option_part[]){ { plan_options, offsetof(struct request, asked) }, { 0 } },
    FRAME_REQUEST(struct request, .asked = PLAN_USUAL), .table = bound_broadcast_tables, .plots = true,
    .check = bound_broadcast_check, .network = bound_broadcast_network, .figure = bound_broadcast_figure,
    .release = bound_broadcast_release
};

const struct cmd bound_broadcast = { BOUND_BROADCAST_ENTRY, .frame = &bound_broadcast_frame };
