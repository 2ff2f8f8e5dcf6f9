#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/broadcast_rate.h"
#include "cli/request/bcast_plan.h"
#include "cli/bound/bound.h"
#include "graph/base/num.h"

struct request {
    struct options common;
    struct strings spec;
    struct plan_request plan;
};

static const struct argp_option option[] = {
    PLAN_OPTIONS("links a process may send on at once"),
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    struct request *q = own;

    return key == OPTION_ARGUMENT ? strings_add_list(&q->spec, arg, err) : plan_option(&q->plan, key, arg, err);
}

/* ---- the table ---- */

static const struct column columns[] = {
    { "topology", NULL, NULL, 0 },
    { "processes", NULL, NULL, 0 },
    { "root", NULL, NULL, 0 },
    { "placement", NULL, NULL, COLUMN_ASIDE },
    { "ports", NULL, NULL, 0 },
    { "blocking", NULL, NULL, 0 },
    { "one_to_all_steps", "One to all", "steps", 0 },
    { "one_to_all_reason", "Because of", NULL, 0 },
    { "distance_steps", NULL, "steps", COLUMN_ASIDE },
    { "growth_steps", NULL, "steps", COLUMN_ASIDE },
    { "work_steps", NULL, "steps", COLUMN_ASIDE },
    { "one_to_all_hops", "One to all", "hops", 0 },
    { "all_to_all_steps", "All to all", "steps", 0 },
    { "all_to_all_combined_steps", "Combined", "steps", 0 },
    { "diameter_hops", NULL, "hops", COLUMN_ASIDE },
    { "broadcast_rate", "Rate", NULL, -1 },
    { "broadcast_cut", "Its cut", NULL, 0 },
    { "broadcast_cut_capacity", NULL, NULL, COLUMN_ASIDE },
    { "broadcast_cut_nodes", NULL, NULL, COLUMN_ASIDE },
    { "broadcast_cut_processes", NULL, NULL, COLUMN_ASIDE },
    { "all_to_all_rate", "All-to-all rate", NULL, -1 },
    { "all_to_all_cut", "Its cut", NULL, 0 },
    { "all_to_all_cut_capacity", NULL, NULL, COLUMN_ASIDE },
    { "all_to_all_cut_nodes", NULL, NULL, COLUMN_ASIDE },
    { "all_to_all_cut_processes", NULL, NULL, COLUMN_ASIDE },
    { "cuts", "Cuts looked at", NULL, COLUMN_ASIDE },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};

/* One network, one number of processes. */
struct scene {
    const struct request *q;
    const struct plan *plan;
    struct net *net;
    struct placement where;
    struct broadcast_reach reach;
    struct table *t;
};

static void add_cut(struct table *t, const struct net *net, const struct broadcast_cut *c)
{
    char label[NET_LABEL], *text = NULL;
    const char *name = c->nodes ? net_label(net, c->node, label) : NULL;

    if (!name) {                    /* a single process: nothing to send */
        for (int i = 0; i < 4; i++)
            table_none(t);
        return;
    }
    if ((c->nodes == 1 ? asprintf(&text, "into %s", name) :
         c->nodes == net->n - 1 ? asprintf(&text, "out of %s", name) :
                                  asprintf(&text, "into %d nodes with %s", c->nodes, name)) < 0)
        text = NULL;
    table_take(t, text);
    table_real(t, c->capacity);
    table_int(t, c->nodes);
    table_int(t, c->processes);
}

static void add_row(const struct scene *s, const char *ports, bool blocking, const struct broadcast_bound *b,
                    const struct broadcast_rate *r)
{
    const bool alone = s->where.n == 1;
    struct table *t = s->t;
    char text[200];

    table_text(t, s->net->spec);
    table_int(t, s->where.n);
    table_int(t, s->q->plan.root);
    table_text(t, plan_placement(text, s->q->plan.placement, s->q->common.seed));
    table_text(t, ports);
    table_text(t, blocking ? "yes" : "no");
    table_int(t, (int64_t)b->steps);
    table_text(t, broadcast_bound_reason(text, b));
    table_int(t, (int64_t)b->distance);
    table_int(t, (int64_t)b->growth);
    table_int(t, (int64_t)b->work);
    table_int(t, (int64_t)b->hops);
    table_real(t, r->all_steps);
    table_real(t, r->all_combined_steps);
    table_real(t, r->diameter);
    table_real(t, alone ? NAN : r->rate);
    add_cut(t, s->net, &r->cut);
    table_real(t, alone ? NAN : r->all_rate);
    add_cut(t, s->net, &r->all_cut);
    table_text(t, r->all_cuts ? "all" : "round one node");
    table_text(t, "bound");
}

static int one_placement(struct scene *s, const struct tick *whole, struct err *err)
{
    const size_t n = s->plan->nports;
    bool told = false;

    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)n, (double)(i + 1) / (double)n);
        const struct broadcast_how how = plan_how(s->plan, i, s->q->plan.blocking);
        struct broadcast_bound b;
        struct broadcast_rate r;
        char ports[24];

        if (broadcast_bound(&b, &s->reach, how, err) < 0 ||
            broadcast_rate(&r, s->net, &s->where, s->q->plan.root, how.ports, s->q->common.jobs, &part, err) < 0)
            return -1;
        add_row(s, plan_ports_text(ports, how.ports), how.blocking, &b, &r);
        if (!r.all_cuts && !told)
            table_note(s->t, "%s: too large for every cut; rates are bounded by the cuts round single nodes.", s->net->spec);
        told = told || !r.all_cuts;
    }
    return 0;
}

static int one_network(const struct request *q, const struct plan *plan, struct net *net, struct table *t, struct refused *refused,
                       const struct tick *whole, struct err *err)
{
    struct scene s = { .q = q, .plan = plan, .net = net, .t = t };
    const size_t n = plan->processes ? plan->nprocesses : 1;

    for (size_t i = 0; i < n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)n, (double)(i + 1) / (double)n);
        const int processes = plan->processes ? (int)plan->processes[i] : 0;
        int ret = placement_init(&s.where, net, q->plan.placement, processes, q->common.seed, err);

        if (ret == 0) {
            ret = broadcast_reach(&s.reach, net, &s.where, q->plan.root, err);
            if (ret == 0)
                ret = one_placement(&s, &part, err);
            broadcast_reach_release(&s.reach);
            placement_release(&s.where);
        }
        if (ret < 0) {
            if (!refused_take(refused, q->spec.n > 1 || n > 1, err))
                return -1;
            plan_refused(t, net->spec, processes);
            table_note(t, "%s.", err->msg);
        }
    }
    return 0;
}

static int compute(const struct request *q, const struct plan *plan, struct table *t, struct refused *refused, struct err *err)
{
    struct progress p;
    int ret = 0;

    progress_begin(&p, q->common.progress);
    for (size_t i = 0; ret == 0 && i < q->spec.n; i++) {
        const struct tick whole = progress_tick(&p),
                          part = tick_part(&whole, (double)i / (double)q->spec.n, (double)(i + 1) / (double)q->spec.n);
        struct net *net = NULL;

        ret = net_open(&net, q->spec.item[i], err);
        if (ret == 0) {
            table_request(t, "topology", net->spec);
            ret = one_network(q, plan, net, t, refused, &part, err);
        } else if (refused_take(refused, q->spec.n > 1, err)) {
            plan_refused(t, q->spec.item[i], 0);
            table_note(t, "%s.", err->msg);
            ret = 0;
        }
        net_close(net);
    }
    progress_end(&p);
    return ret;
}

/* Bars by network, or lines over numbers of processes; a series a number of ports. */
static int plot(const struct request *q, const struct plan *plan, const struct table *t, struct err *err)
{
    static const char *const y[] = { "one_to_all_steps" };
    const bool several = plan->nprocesses > 1;
    const char *by[2];
    struct natural figure = { .kind = several ? "line" : "bar", .x = several ? "processes" : "topology", .y = y, .ny = 1, .group = by };
    struct table shown = *t;
    int ret;

    if (!q->common.plot)
        return 0;
    if (several && q->spec.n > 1)
        by[figure.ngroup++] = "topology";
    if (plan->nports > 1)
        by[figure.ngroup++] = "ports";
    shown.cell = malloc((t->ncell + 1) * sizeof *shown.cell);
    if (!shown.cell)
        return err_memory(err);
    memcpy(shown.cell, t->cell, t->ncell * sizeof *t->cell);
    for (size_t r = 0; r < table_rows(t); r++)
        plan_say_ports(shown.cell + r * t->ncolumn, t);
    ret = options_plot(&q->common, &shown, &figure, err);
    free(shown.cell);
    return ret;
}

static int run(int argc, char **argv, struct err *err)
{
    struct request q = { .common = { .plots = true }, .plan = { .ports = "1,all", .blocking = -1 } };
    const struct option_run r = { option, parse, "SPEC...",
        "What no broadcast can do better.\vOne to all, by the rules of `metapath bcast`: steps, because of the distance to the farthest "
        "process, of growth (who has the message multiplies by the ports and one) or of work (hops of all messages over the most "
        "that a step holds); hops of all messages. All to all: steps when messages go one by one, and combined. Rates of long "
        "messages, cut up and copied on the way at will: time = length / rate, from the root or from every process to all; "
        "a cut says what they have to cross.", &q };
    struct refused refused = { 0 };
    struct plan plan = { 0 };
    struct table t = { 0 };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    if (q.spec.n == 0) {
        err_set(err, ERR_USAGE, "bound broadcast needs a topology, as in `metapath bound broadcast mesh:4x4`");
        goto done;
    }
    if (plan_ranges(&plan, &q.plan, err) < 0)
        goto done;
    table_init(&t, "Bounds of broadcasts", columns, sizeof columns / sizeof *columns);
    ret = compute(&q, &plan, &t, &refused, err);
    if (ret == 0)
        ret = plot(&q, &plan, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    plan_release(&plan);
    table_release(&t);
    strings_free(&q.spec);
    return ret;
}

const struct bound bound_broadcast = {
    .name = "broadcast",
    .synopsis = "metapath bound broadcast SPEC... [--processes RANGE] [--ports LIST] [--root N]",
    .summary = "steps and hops of broadcasts, one to all and all to all, and rates of long ones",
    .source = "Hedetniemi, Hedetniemi and Liestman 1988; Johnsson and Ho 1989; Bar-Noy and Kipnis 1994; Edmonds 1973",
    .run = run
};
