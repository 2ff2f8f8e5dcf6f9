#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metapath/metapath.h"
#include "cli/command/cmd.h"
#include "cli/request/options.h"
#include "graph/base/num.h"

struct request {
    struct options common;
    struct strings spec, supernode;
    bool no_symmetry;
    int bins;
};
enum { KEY_SUPERNODE = 's', KEY_SYMMETRY = 0x100, KEY_BINS };

static const struct argp_option option[] = {
    { "supernode", KEY_SUPERNODE, "LIST", 0,
      "supernodes, as in static,row:8,origin=centre,sga:4 (default: static,random,sga:1,sga:2,sga:4,dga:1); may be "
      "given again", 0 },
    { "symmetry", KEY_SYMMETRY, "auto|none", 0,
      "none: compute over all sources, whatever is known of the network (default: auto)", 0 },
    { "bins", KEY_BINS, "N", 0, "bins per hop of --show distribution (default: 1)", 0 },
    { 0 }
};

static int parse(int key, char *arg, void *own, struct err *err)
{
    static const char *const symmetry[] = { "auto", "none", NULL };
    struct request *q = own;
    int64_t v;
    int which;

    switch (key) {
    case OPTION_ARGUMENT: return strings_add_list(&q->spec, arg, err);
    case KEY_SUPERNODE: return strings_add_list(&q->supernode, arg, err);
    case KEY_SYMMETRY:
        which = option_choice("--symmetry", arg, symmetry, err);
        q->no_symmetry = which == 1;
        return which < 0 ? -1 : 0;
    case KEY_BINS:
        if (num_int(&v, arg, 1, 100000, "--bins", err) < 0)
            return -1;
        q->bins = (int)v;
        return 0;
    default: return 1;
    }
}

static const struct column columns[] = {
    { "topology", NULL, NULL, 0 },
    { "nodes", NULL, NULL, COLUMN_ASIDE },
    { "terminals", NULL, NULL, COLUMN_ASIDE },
    { "supernode", NULL, NULL, 0 },
    { "mean_length_hops", "Mean length", "hops", 3 },
    { "lengthening_percent", "Lengthening", "%", 2 },
    { "sd_hops", "Deviation", "hops", 3 },
    { "minimum_hops", "Min", "hops", 2 },
    { "maximum_hops", "Max", "hops", 2 },
    { "width", "Width", NULL, 0 },
    { "intermediate_nodes", "Nodes", NULL, 0 },
    { "link_use", "Link use", NULL, 0 },
    { "source_links_used", "Out used", NULL, 3 },
    { "destination_links_used", "In used", NULL, 3 },
    { "extra_width_per_hop", "Extra width", "per hop", 2 },
    { "pairs", "Ordered pairs", NULL, COLUMN_ASIDE },
    { "quality", NULL, NULL, COLUMN_ASIDE }
};
static const struct column distribution[] = {
    { "topology", NULL, NULL, 0 },
    { "supernode", NULL, NULL, 0 },
    { "from_hops", "From", "hops", 2 },
    { "below_hops", "Length below", "hops", 2 },
    { "pairs", "Ordered pairs", NULL, 0 },
    { "fraction", "Fraction of pairs", NULL, 5 },
    { "cumulative", "Fraction of pairs, cumulative", NULL, 5 }
};

/* A whole number where it is one: widths of regular networks are. */
static void number(struct table *t, double x)
{
    if (x == floor(x) && fabs(x) < 9e15)
        table_int(t, (int64_t)x);
    else
        table_real(t, x);
}

static void add_row(struct table *t, const struct net *net, const struct supernode *sn, const struct metapath_stats *s)
{
    table_text(t, net->spec);
    table_int(t, net->n);
    table_int(t, net->nterminal);
    table_text(t, sn->spec);
    table_real(t, s->mean_hops);
    table_real(t, s->lengthening);
    table_real(t, s->sd_hops);
    table_real(t, s->least_hops);
    table_real(t, s->greatest_hops);
    number(t, s->width);
    number(t, s->intermediate);
    table_text(t, s->use == LINKS_UNKNOWN ? NULL : link_use_name[s->use]);
    table_real(t, s->source_links);
    table_real(t, s->destination_links);
    table_real(t, s->extra_width_per_hop);
    number(t, s->pairs);
    table_text(t, "exact");
    if (s->pairs == 0)
        table_note(t, "%s on %s leaves no destination: every one is within the supernode.", sn->spec, net->spec);
}

static void add_distribution(struct table *t, const struct net *net, const struct supernode *sn,
                             const struct metapath_stats *s, int bins)
{
    double sum = 0;
    size_t from = 0, to = s->nbin;

    while (from < to && s->bin[from] == 0)
        from++;
    while (to > from && s->bin[to - 1] == 0)
        to--;
    for (size_t i = from; i < to; i++) {
        sum += (double)s->bin[i];
        table_text(t, net->spec);
        table_text(t, sn->spec);
        table_real(t, (double)i / bins);
        table_real(t, (double)(i + 1) / bins);
        table_int(t, (int64_t)s->bin[i]);
        table_real(t, (double)s->bin[i] / s->pairs);
        table_real(t, sum / s->pairs);
    }
}

/* A row of a sweep that could not be computed: what it was about, and why. */
static void add_refused(struct table *t, const char *topology, const struct net *net, const char *supernode,
                        const struct err *err, bool show)
{
    table_text(t, topology);
    if (!show) {
        table_real(t, net ? (double)net->n : NAN);
        table_real(t, net ? (double)net->nterminal : NAN);
    }
    table_text(t, supernode);
    for (size_t i = show ? 2 : 4; i + 1 < t->ncolumn; i++)
        table_none(t);
    table_text(t, show ? NULL : "refused");
    table_note(t, "%s", err->msg);
}

/* One network's supernodes, in the order asked for. */
struct asked {
    const char *name;
    struct supernode sn;        /* all zero where it does not fit the network */
    struct err why;
};

static int open_supernodes(struct asked *asked, size_t n, const struct net *net, bool sweep, struct refused *refused,
                           struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (supernode_open(&asked[i].sn, asked[i].name, net, err) < 0) {
            if (!refused_take(refused, sweep, err))
                return -1;
            asked[i].why = *err;
        }
    return 0;
}

static int compute(struct table *t, const struct request *q, struct net *net, struct asked *asked, size_t n,
                   struct tick tick, struct err *err)
{
    struct metapath_options o = { .jobs = q->common.jobs, .no_symmetry = q->no_symmetry, .tick = tick,
                                  .bins_per_hop = q->common.show ? q->bins : 0 };
    struct supernode *sn = calloc(n, sizeof *sn);
    struct metapath_stats *s = calloc(n, sizeof *s);
    size_t fit = 0, next = 0;
    int ret = -1;

    if (!sn || !s) {
        err_memory(err);
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        if (asked[i].sn.spec)
            sn[fit++] = asked[i].sn;
    if (fit && metapath_stats(s, net, sn, fit, &o, err) < 0)
        goto done;
    for (size_t i = 0; i < n; i++) {
        if (!asked[i].sn.spec) {
            add_refused(t, net->spec, net, asked[i].name, &asked[i].why, q->common.show);
            continue;
        }
        table_request(t, "supernode", asked[i].sn.spec);
        if (q->common.show)
            add_distribution(t, net, &asked[i].sn, &s[next], q->bins);
        else
            add_row(t, net, &asked[i].sn, &s[next]);
        metapath_stats_release(&s[next++]);
    }
    ret = 0;
done:
    free(sn);
    free(s);
    return ret;
}

static int one_network(struct table *t, const struct request *q, const char *text, struct refused *refused,
                       struct tick tick, struct err *err)
{
    static const char *const usual[] = { "static", "random", "sga:1", "sga:2", "sga:4", "dga:1" };
    size_t n = q->supernode.n ? q->supernode.n : sizeof usual / sizeof *usual;
    struct asked *asked = calloc(n, sizeof *asked);
    bool sweep = q->spec.n > 1;
    struct net *net = NULL;
    int ret = -1;

    if (!asked)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        asked[i].name = q->supernode.n ? q->supernode.item[i] : usual[i];
    if (net_open(&net, text, err) == 0 && open_supernodes(asked, n, net, sweep, refused, err) == 0) {
        table_request(t, "topology", net->spec);
        ret = compute(t, q, net, asked, n, tick, err);
    }
    if (ret < 0 && refused_take(refused, sweep, err)) {
        add_refused(t, net ? net->spec : text, net, "", err, q->common.show);
        ret = 0;
    }
    for (size_t i = 0; i < n; i++)
        supernode_release(&asked[i].sn);
    net_close(net);
    free(asked);
    return ret;
}

static bool several_sizes(const struct table *t)
{
    int column = table_find(t, "nodes");

    for (size_t i = 1; column >= 0 && i < table_rows(t); i++)
        if (t->cell[i * t->ncolumn + (size_t)column].u.integer != t->cell[(size_t)column].u.integer)
            return true;
    return false;
}

/* Networks of several sizes: length against size. One size: length of every supernode, a group of bars a network. */
static int plot(const struct request *q, const struct table *t, struct err *err)
{
    static const char *const mean[] = { "mean_length_hops" }, *const cumulative[] = { "cumulative" };
    static const char *const by_supernode[] = { "supernode", "topology" }, *const by_topology[] = { "topology" };
    const struct natural lengths = { .kind = "line", .x = "below_hops", .y = cumulative, .ny = 1, .group = by_supernode,
                                     .ngroup = q->spec.n > 1 ? 2 : 1, .y_scale = SCALE_LINEAR };
    const struct natural sizes = { .kind = "line", .x = "nodes", .y = mean, .ny = 1, .group = by_supernode, .ngroup = 1 };
    const struct natural bars = { .kind = "bar", .x = "supernode", .y = mean, .ny = 1, .group = by_topology, .ngroup = 1,
                                  .y_scale = SCALE_LINEAR };

    return options_plot(&q->common, t, q->common.show ? &lengths : several_sizes(t) ? &sizes : &bars, err);
}

static int run(int argc, char **argv, struct err *err)
{
    static const char *const shows[] = { "distribution", NULL };
    struct request q = { .common = { .shows = shows, .plots = true }, };
    const struct option_run r = { option, parse, "SPEC...",
        "Metapath statistics: what spreading messages over a supernode costs in hops and buys in width.\vA row for each "
        "network and supernode (`metapath list supernode`). Lengths are means over the multistep paths of a metapath; "
        "the statistics are over ordered pairs of terminals. Exact on every connected network.", &q };
    struct refused refused = { 0 };
    struct progress p;
    struct table t = { 0 };
    int ret = -1;

    if (options_parse(&q.common, &r, argc, argv, err) < 0)
        goto done;
    if (q.spec.n == 0) {
        err_set(err, ERR_USAGE, "stats needs a topology, as in `metapath stats torus:32x32 --supernode static,sga:2`");
        goto done;
    }
    if (q.bins && !q.common.show) {
        err_set(err, ERR_USAGE, "--bins is for --show distribution");
        goto done;
    }
    q.bins = q.bins ? q.bins : 1;
    progress_begin(&p, q.common.progress);
    if (q.common.show)
        table_init(&t, "Metapath lengths", distribution, sizeof distribution / sizeof *distribution);
    else
        table_init(&t, "Metapath statistics", columns, sizeof columns / sizeof *columns);
    ret = 0;
    for (size_t i = 0; ret == 0 && i < q.spec.n; i++) {
        struct tick tick = progress_tick(&p);

        ret = one_network(&t, &q, q.spec.item[i], &refused,
                          tick_part(&tick, (double)i / (double)q.spec.n, (double)(i + 1) / (double)q.spec.n), err);
    }
    progress_end(&p);
    if (ret == 0)
        ret = plot(&q, &t, err);
    if (ret == 0)
        ret = options_sweep(&q.common, &t, &refused, err);
done:
    table_release(&t);
    strings_free(&q.spec);
    strings_free(&q.supernode);
    return ret;
}

const struct cmd cmd_stats = {
    .name = "stats",
    .group = "Network",
    .synopsis = "metapath stats SPEC... [--supernode LIST]",
    .summary = "length, width and link use of metapaths",
    .run = run
};
