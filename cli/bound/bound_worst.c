#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/capacity.h"
#include "analysis/bound/worst.h"
#include "cli/bound/bound.h"
#include "cli/request/link_panels.h"
#include "cli/request/options.h"
#include "render/chart/from_table.h"

#define MOST_WAYS 200           /* terminals of networks without a group: n^3 ways by Valiant's routing are not listed unasked */

enum which { WHICH_MAIN, WHICH_PERMUTATION, WHICH_LINKS };
struct request {
    struct options common;
    struct strings spec, routing;
    const char *capacity;
    bool unfolded;
    enum which which;
};
enum { KEY_ROUTING = 0x100, KEY_CAPACITY, KEY_SYMMETRY };

static const struct argp_option option[] = {
    { "routing", KEY_ROUTING, "LIST", 0, "as in dor,valiant,metapath:sga:1 (default: of dor, valiant, minimal and ecmp those that fit, without valiant where that is large; "
      "`metapath list routing`)", 1 },
    { "capacity", KEY_CAPACITY, "WHAT", 0, "of links: unit (1 each), weights (of the network file) or a FILE.csv with from,to,capacity (a row "
      "is about both directions unless the other has its own; links without one have 1) (default: weights where the file says "
      "weight=capacity, else unit)", 1 },
    { "symmetry", KEY_SYMMETRY, "auto|none", 0, "none: look at every link, even where all nodes are alike (default: auto)", 1 },
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    static const char *const symmetry[] = { "auto", "none", NULL };
    struct request *q = own;
    int which;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_ROUTING: return strings_add_list(&q->routing, arg, err);
    case KEY_CAPACITY: q->capacity = arg; return 0;
    case KEY_SYMMETRY:
        which = option_choice("--symmetry", arg, symmetry, err);
        q->unfolded = which == 1;
        return which < 0 ? -1 : 0;
    default: return 1;
    }
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static const struct column columns[] = {
    { "topology", NULL, NULL, 0 },
    { "routing", NULL, NULL, 0 },
    { "uniform_per_node", "Uniform", "of a link", -1 },
    { "worst_per_node", "Worst", "of a link", -1 },
    { "worst_fraction", "Worst/uniform", NULL, 4 },
    { "worst_load", "Worst load", NULL, -1 },
    { "worst_link", "On link", NULL, 0 },
    { "senders", "Senders", NULL, 0 },
    { "worst_mean_hops", "Their mean length", "hops", 3 },
    { "uniform_mean_hops", NULL, "hops", COLUMN_ASIDE },
    { "links", NULL, NULL, COLUMN_ASIDE },
    { "assignments", NULL, NULL, COLUMN_ASIDE },
    { "gap", NULL, NULL, COLUMN_ASIDE },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column permutation_columns[] = {
    { "topology", NULL, NULL, COLUMN_ASIDE },
    { "routing", NULL, NULL, 0 },
    { "source", NULL, NULL, 0 },
    { "destination", NULL, NULL, 0 },
    { "hops", "Mean length", "hops", 3 },
    { "worst_link", "Link", NULL, 0 },
    { "part", "Part over the link", NULL, 4 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column link_columns[] = {
    { "topology", NULL, NULL, COLUMN_ASIDE },
    { "routing", NULL, NULL, 0 },
    { "from", NULL, NULL, 0 },
    { "to", NULL, NULL, 0 },
    { "uniform_load", "Load, uniform", NULL, -1 },
    { "worst_load", "Load, worst", NULL, -1 },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};

static void main_row(struct table *t, const struct net *net, const struct routing *routing, const struct worst *w)
{
    table_text(t, net->spec);
    table_text(t, routing->spec);
    table_real(t, w->uniform);
    table_real(t, w->theta);
    table_real(t, w->theta / w->uniform);
    table_real(t, w->load);
    table_take(t, net_label_pair(net, w->from, "-", w->to));
    table_int(t, w->senders);
    table_real(t, w->hops);
    table_real(t, w->uniform_hops);
    table_int(t, (int64_t)w->nlink);
    table_int(t, (int64_t)w->solved);
    table_real(t, w->gap);
    table_text(t, "exact");
}

static void permutation_rows(struct table *t, const struct net *net, const struct routing *routing, const struct worst *w)
{
    char label[NET_LABEL];

    for (int i = 0; i < w->n; i++) {
        if (w->target[i] < 0)
            continue;
        table_text(t, net->spec);
        table_text(t, routing->spec);
        table_text(t, net_label(net, net_terminal(net, i), label));
        table_text(t, net_label(net, w->target[i], label));
        table_real(t, w->distance[i]);
        table_take(t, net_label_pair(net, w->from, "-", w->to));
        table_real(t, w->part[i]);
        table_text(t, "exact");
    }
}

static void link_rows(struct table *t, const struct net *net, const struct routing *routing, const struct worst *w)
{
    char label[96];

    for (size_t l = 0; l < w->nall; l++) {
        table_text(t, net->spec);
        table_text(t, routing->spec);
        table_text(t, net_label(net, w->link_from[l], label));
        table_text(t, net_label(net, w->link_to[l], label));
        table_real(t, w->link_uniform[l]);
        table_real(t, w->link_worst[l]);
        table_text(t, "exact");
    }
}

static const struct shown {
    const char *title;
    const struct column *column;
    size_t n;
    void (*rows)(struct table *t, const struct net *net, const struct routing *routing, const struct worst *w);
} shown[] = {
    [WHICH_MAIN] = { "Worst case of routings", columns, sizeof columns / sizeof *columns, main_row },
    [WHICH_PERMUTATION] = { "The traffic that is worst", permutation_columns, sizeof permutation_columns / sizeof *permutation_columns,
                            permutation_rows },
    [WHICH_LINKS] = { "What each link has to bear", link_columns, sizeof link_columns / sizeof *link_columns, link_rows }
};

static void refused_row(struct table *t, const char *topology, const char *routing, const struct err *why)
{
    table_text(t, topology);
    table_text(t, routing);
    for (size_t i = 3; i < t->ncolumn; i++)
        table_none(t);
    table_text(t, "refused");
    if (routing)
        table_note(t, "%s, %s: %s.", topology, routing, why->msg);
    else
        table_note(t, "%s.", why->msg);
}

/* ---- computing --------------------------------------------------------------------------------------- */

struct sweep {
    const struct request *q;
    struct table *t;
    struct refused *refused;
    bool several;
};

static int one_routing(struct sweep *s, struct net *net, const char *text, const double *capacity, const struct tick *tick,
                       struct err *err)
{
    const struct worst_options o = { .unfolded = s->q->unfolded, .every_link = s->q->which == WHICH_LINKS, .jobs = s->q->common.jobs,
                                     .tick = tick };
    struct routing routing = { 0 };
    struct worst worst = { 0 };
    int ret = -1;

    if (routing_open(&routing, net, text, err) == 0 && worst_open(&worst, net, &routing, capacity, &o, err) == 0) {
        table_request(s->t, "routing", routing.spec);
        shown[s->q->which].rows(s->t, net, &routing, &worst);
        ret = 0;
    } else if (refused_take(s->refused, s->several, err)) {
        refused_row(s->t, net->spec, routing.spec ? routing.spec : text, err);
        ret = 0;
    }
    worst_close(&worst);
    routing_close(&routing);
    return ret;
}

/* Those that a routing's place in a sweep over everything should not stop: they do not fit. */
static int usual_routings(struct strings *out, struct net *net, struct err *err)
{
    static const char *const usual[] = { "dor", "valiant", "minimal", "ecmp" };

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        const struct route *route = route_find(usual[i], err);

        if (!route || (route->fits(net) && !(route->ways && !net->group && net->nterminal > MOST_WAYS) && strings_add(out, usual[i], err) < 0))
            return -1;
    }
    return 0;
}

static int one_network(struct sweep *s, const char *spec, const struct tick *whole, struct err *err)
{
    struct strings usual = { 0 };
    const struct strings *routing = s->q->routing.n ? &s->q->routing : &usual;
    double *capacity = NULL;
    struct net *net = NULL;
    int ret;

    s->several = s->q->spec.n > 1 || s->q->routing.n != 1;
    if (net_open(&net, spec, err) < 0) {
        if (!refused_take(s->refused, s->several, err))
            return -1;
        refused_row(s->t, spec, NULL, err);
        return 0;
    }
    table_request(s->t, "topology", net->spec);
    ret = usual_routings(&usual, net, err);
    if (ret == 0)
        ret = capacity_open(&capacity, net, s->q->capacity, err);
    for (size_t i = 0; ret == 0 && i < routing->n; i++) {
        const struct tick part = tick_part(whole, (double)i / (double)routing->n, (double)(i + 1) / (double)routing->n);

        ret = one_routing(s, net, routing->item[i], capacity, &part, err);
    }
    free(capacity);
    strings_free(&usual);
    net_close(net);
    return ret;
}

static int compute(const struct request *q, struct table *t, struct refused *refused, struct err *err)
{
    struct sweep s = { .q = q, .t = t, .refused = refused };
    struct progress p;
    int ret = 0;

    progress_begin(&p, q->common.progress);
    for (size_t i = 0; ret == 0 && i < q->spec.n; i++) {
        const struct tick whole = progress_tick(&p),
                          part = tick_part(&whole, (double)i / (double)q->spec.n, (double)(i + 1) / (double)q->spec.n);

        ret = one_network(&s, q->spec.item[i], &part, err);
    }
    progress_end(&p);
    return ret;
}

/* ---- figures ----------------------------------------------------------------------------------------- */

/* Bars by routing, a panel for each network; links on the network. */
static int plot(const struct request *q, const struct table *t, struct err *err)
{
    static const char *const per_node[] = { "uniform_per_node", "worst_per_node" }, *const by_topology[] = { "topology" };
    static const struct panel_column panel[] = { { "topology", NULL, false }, { "routing", NULL, true } };
    static const char *const load[] = { "worst_load" };
    const struct link_panels links = { panel, 2, load, 1, "Load at worst", NULL, false };
    const struct chart_columns bars = { .x = "routing", .y = per_node, .ny = 2, .facet = by_topology, .nfacet = q->spec.n > 1 };
    struct chart c;
    int ret = -1;

    if (!q->common.plot)
        return 0;
    if (q->which == WHICH_LINKS)
        return link_panels_plot(&q->common, t, &links, err);
    chart_init(&c, "bar");
    c.y.scale = SCALE_LINEAR;
    if (chart_axis(&c.y, "Throughput", "of a link") < 0)
        err_memory(err);
    else if (chart_from_table(&c, t, &bars, err) == 0)
        ret = chart_write(&c, &q->common.page, q->common.plot, err);
    chart_release(&c);
    return ret;
}

static int check(const struct request *q, struct err *err)
{
    if (q->spec.n == 0)
        return err_set(err, ERR_USAGE, "bound worst needs a topology, as in `metapath bound worst torus:8x8 --routing dor,valiant`");
    if (q->which == WHICH_PERMUTATION && q->common.plot)
        return err_set(err, ERR_USAGE, "there is no figure of a permutation: leave out --plot or --show permutation");
    return 0;
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "permutation", "links", NULL };
    struct request q = { .common = { .shows = shows, .plots = true } };
    const struct option_run r = { option, parse, "SPEC...",
        "The worst that any traffic can do to a routing.\vA row for each network and routing: what a node may inject before the "
        "fullest link is full, in units of a link, under uniform traffic and under the worst traffic in which no node sends or "
        "receives more than that. That is a permutation, found exactly: of all links, the largest assignment of sources to destinations by the "
        "part of their messages that crosses the link. Nodes whose messages do not reach the worst link do not send. "
        "--show permutation names who sends to whom, and `-f csv -o worst.csv` writes it as a file for `--traffic worst.csv` (for one "
        "network and routing); --show links is what each link has to bear at worst.", &q };
    struct refused refused = { 0 };
    struct table t = { 0 };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    for (int i = 0; q.common.show && shows[i]; i++)
        if (strcmp(shows[i], q.common.show) == 0)
            q.which = (enum which)(i + 1);
    if (check(&q, err) < 0)
        goto done;
    table_init(&t, shown[q.which].title, shown[q.which].column, shown[q.which].n);
    ret = compute(&q, &t, &refused, err);
    if (ret == 0)
        ret = plot(&q, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    strings_free(&q.routing);
    return ret;
}

const struct bound bound_worst = {
    .name = "worst",
    .synopsis = "metapath bound worst SPEC... [--routing LIST] [--show permutation|links]",
    .summary = "the worst that any traffic can do to a routing, and the permutation that does it",
    .source = "Towles and Dally 2002; Jonker and Volgenant 1987",
    .run = run
};
