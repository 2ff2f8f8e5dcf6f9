#include "analysis/bound/capacity.h"
#include "analysis/bound/worst.h"
#include "analysis/policy/policy.h"
#include "cli/bound/bound.h"
#include "cli/request/link_panels.h"
#include "cli/request/look.h"
#include "texts/bound.h"

#define MOST_UNASKED 3e10        /* links times pairs, where each link is looked at by itself: some seconds */

struct request {
    struct options common;
    struct strings routing;
    const char *capacity;
    bool unfolded;
};

static const struct option_field worst_own_options[] = {
    { .help = "Question:", .group = 0 },
    { BOUND_WORST_ROUTING, 0, INTO(routing) },
    CAPACITY_OPTION,
    { BOUND_WORST_SYMMETRY, 0, INTO(unfolded) }, { 0 }
};

/* ---- tables ------------------------------------------------------------------------------------------ */

#define N(m) MEMBER(0, struct net, m)
#define W(m) MEMBER(2, struct worst, m)

static const struct column worst_columns[] = {
    { "topology", NULL, NULL, 0, N(spec) }, { "routing", NULL, NULL, 0, MEMBER(1, struct routing, spec) },
    { "uniform_per_node", "Uniform", "of a link", -1, W(uniform) },
    { "worst_per_node", "Worst", "of a link", -1, W(theta) },
    { "worst_fraction", "Worst/uniform", NULL, YIELDS(4), LOOSE },
    { "worst_load", "Worst load", NULL, YIELDS(-1), W(load) },
    { "worst_link", "On link", NULL, 0, LOOSE },
    { "senders", "Senders", NULL, YIELDS(0), W(senders) },
    { "worst_mean_hops", "Their mean length", "hops", YIELDS(3), W(hops) },
    { "uniform_mean_hops", NULL, "hops", COLUMN_ASIDE, W(uniform_hops) },
    { "links", NULL, NULL, COLUMN_ASIDE, W(nlink) }, { "assignments", NULL, NULL, COLUMN_ASIDE, W(solved) },
    { "gap", NULL, NULL, COLUMN_ASIDE, W(gap) }, ASIDE("quality")
};
static const struct column permutation_columns[] = {
    ASIDE("topology"), PLAIN("routing"), PLAIN("source"), PLAIN("destination"),
    { "hops", "Mean length", "hops", 3, LOOSE },
    { "worst_link", "Link", NULL, 0, LOOSE },
    { "part", "Part over the link", NULL, 4, LOOSE },
    ASIDE("quality")
};
static const struct column link_columns[] = {
    ASIDE("topology"), PLAIN("routing"), PLAIN("from"), PLAIN("to"),
    { "uniform_load", "Load, uniform", NULL, -1, LOOSE },
    { "worst_load", "Load, worst", NULL, -1, LOOSE },
    ASIDE("quality")
};

static const struct conclusion worst_conclusion = {
    .score = "worst_per_node", .most = true, .noun = "throughput under its worst traffic", .contender = { "routing" },
    .scope = { "topology" }
};
enum { WORST_MAIN, WORST_PERMUTATION, WORST_LINKS };
static const struct frame_table worst_tables[] = {
    [WORST_MAIN] = { NULL, "Worst case of routings", COLUMNS(worst_columns), .conclusion = &worst_conclusion },
    [WORST_PERMUTATION] = { "permutation", "The traffic that is worst", COLUMNS(permutation_columns) },
    [WORST_LINKS] = { "links", "What each link has to bear", COLUMNS(link_columns), .words = "from,to" }, { 0 }
};

static void worst_row(struct table *t, const struct net *net, const struct routing *routing, const struct worst *w)
{
    table_add(t, ROW(
        MEMBERS(net, routing, w), cell_real("worst_fraction", w->theta / w->uniform),
        cell_take("worst_link", net_label_pair(net, w->from, "-", w->to)),
        cell_text("quality", w->gap <= 1e-7 ? "exact" : "bound")));
}

static void worst_permutation_rows(struct table *t, const struct net *net, const struct routing *routing,
                                   const struct worst *w)
{
    char from[NET_LABEL], to[NET_LABEL];

    for (int i = 0; i < w->n; i++)
        if (w->target[i] >= 0)
            table_add(t, ROW(
                cell_text("topology", net->spec), cell_text("routing", routing->spec),
                cell_text("source", net_label(net, net_terminal(net, i), from)),
                cell_text("destination", net_label(net, w->target[i], to)), cell_real("hops", w->distance[i]),
                cell_take("worst_link", net_label_pair(net, w->from, "-", w->to)), cell_real("part", w->part[i]),
                cell_text("quality", "exact")));
}

static void worst_link_rows(struct table *t, const struct net *net, const struct routing *routing,
                            const struct worst *w)
{
    char from[NET_LABEL], to[NET_LABEL];

    for (size_t l = 0; l < w->nall; l++)
        table_add(t, ROW(
            cell_text("topology", net->spec), cell_text("routing", routing->spec),
            cell_text("from", net_label(net, w->link_from[l], from)),
            cell_text("to", net_label(net, w->link_to[l], to)), cell_real("uniform_load", w->link_uniform[l]),
            cell_real("worst_load", w->link_worst[l]), cell_text("quality", "exact")));
}

/* ---- computing --------------------------------------------------------------------------------------- */

static int worst_routing(struct job *j, const char *text, const double *capacity, const struct tick *tick,
                         struct err *err)
{
    const struct request *q = j->request;
    const struct worst_options o = { .unfolded = q->unfolded, .every_link = j->which == WORST_LINKS,
                                     .jobs = q->common.jobs, .tick = tick };
    struct routing routing = { 0 };
    struct worst worst = { 0 };
    const double links = net_edges(j->net, err) * (j->net->directed ? 1 : 2), n = j->net->nterminal;
    const bool open = policy_plain_routing(&routing, j->net, text, err) == 0;
    int ret = 0;

    if (open && q->routing.n == 0 && !routing.invariant && links * n * n > MOST_UNASKED) {
        table_note(j->t, "%s, %s: left out unless asked for by --routing: each of %.0f links would be looked at by "
                   "itself, with all pairs of %.0f terminals.", j->net->spec, routing.spec, links, n);
    } else if (open && worst_open(&worst, j->net, &routing, capacity, &o, err) == 0) {
        table_request(j->t, "routing", routing.spec);
        (j->which == WORST_MAIN ? worst_row : j->which == WORST_LINKS ? worst_link_rows : worst_permutation_rows)(j->t,
            j->net, &routing, &worst);
    } else {
        const char *name = routing.spec ? routing.spec : text;

        ret = job_refuse(j, j->sweep, ROW(cell_text("topology", j->net->spec), cell_text("routing", name)), err,
                         "%s, %s: %s.", j->net->spec, name, err->msg);
    }
    worst_close(&worst);
    routing_close(&routing);
    return ret;
}

/* Those that a routing's place in a sweep over everything should not stop: they do not fit. */
static int worst_usual_routings(struct strings *out, struct net *net, struct err *err)
{
    static const char *const usual[] = { "dor", "valiant", "minimal", "ecmp" };

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        const struct route *route = route_find(usual[i], err);

        if (!route || (route->fits(net) && strings_add(out, usual[i], err) < 0))
            return -1;
    }
    return 0;
}

static int worst_network(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    struct strings usual = { 0 };
    const struct strings *routing = q->routing.n ? &q->routing : &usual;
    double *capacity = NULL;
    int ret = worst_usual_routings(&usual, j->net, err);

    if (ret == 0)
        ret = capacity_open(&capacity, j->net, q->capacity, err);
    for (size_t i = 0; ret == 0 && i < routing->n; i++) {
        const struct tick part = tick_step(&j->tick, i, routing->n);

        ret = worst_routing(j, routing->item[i], capacity, &part, err);
    }
    free(capacity);
    strings_free(&usual);
    return ret;
}

/* ---- figures ----------------------------------------------------------------------------------------- */

/* Bars by routing, a panel for each network; links on the network. */
static int worst_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const per_node[] = { "uniform_per_node", "worst_per_node" },
        *const by_topology[] = { "topology" };
    static const struct panel_column panel[] = { { "topology", NULL, false }, { "routing", NULL, true } };
    static const char *const load[] = { "worst_load" };
    const struct link_panels links = { panel, 2, load, 1, "Load at worst", NULL, false };
    const struct natural bars = { .kind = "bar", .x = "routing", .y = per_node, .ny = 2, .facet = by_topology,
                                  .nfacet = look_varies(t, "topology"), .y_scale = SCALE_LINEAR };

    if (which == WORST_PERMUTATION)
        return 0;
    if (which == WORST_LINKS)
        return link_panels_figure(f, t, &links, err);
    if (chart_axis(&f->chart.y, "Throughput", "of a link") < 0)
        return err_memory(err);
    return options_figure(f, t, &bars, err);
}

static int worst_check(struct job *j, struct err *err)
{
    j->sweep = j->sweep || ((const struct request *)j->request)->routing.n != 1;
    if (j->which == WORST_PERMUTATION && j->o->plot)
        return err_set(err, ERR_USAGE, "there is no figure of a permutation: leave out --plot or --show permutation");
    return 0;
}

static const struct frame worst_frame = {
    BOUND_WORST_FRAME, .option = worst_own_options, FRAME_REQUEST(struct request, .common = { 0 }),
    .table = worst_tables, .plots = true, .check = worst_check, .network = worst_network, .figure = worst_figure
};

const struct cmd bound_worst = { BOUND_WORST_ENTRY, .frame = &worst_frame };
