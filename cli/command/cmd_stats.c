#include "analysis/metapath/metapath.h"
#include "cli/command/cmd.h"
#include "cli/sweep/network_cells.h"
#include "cli/request/look.h"
#include "cli/request/notes.h"
#include "texts/cmd.h"

struct request {
    struct options common;
    struct strings supernode;
    bool no_symmetry;
    int bins, sources;
};

static const struct option_field stats_options[] = {
    { .help = "Model:", .group = 0 },
    { CMD_STATS_SUPERNODE, 0, INTO(supernode) },
    { CMD_STATS_SYMMETRY, 0, INTO(no_symmetry) },
    SOURCES_OPTION,
    { CMD_STATS_BINS, 0, INTO(bins), .least = 1, .most = 100000 }, { 0 }
};

/* ---- tables ---- */

#define N(m) MEMBER(0, struct net, m)
#define S(m) MEMBER(2, struct metapath_stats, m)

static const struct column stats_columns[] = {
    { "topology", NULL, NULL, 0, N(spec) }, { "nodes", NULL, NULL, COLUMN_ASIDE, N(n) },
    { "terminals", NULL, NULL, COLUMN_ASIDE, N(nterminal) },
    { "supernode", NULL, NULL, 0, MEMBER(1, struct supernode, spec) },
    { "mean_length_hops", "Mean length", "hops", 3, S(mean_hops) }, ESTIMATED("mean_length", "_hops", "hops", -1),
    { "lengthening_percent", "Longer by", "%", 2, S(lengthening) },
    ESTIMATED("lengthening", "_percent", "%", COLUMN_ASIDE),
    { "sd_hops", "Std. dev.", "hops", YIELDS(3), S(sd_hops) },
    { "minimum_hops", "Min", "hops", YIELDS(2), LOOSE },
    { "minimum_upper_hops", "Min, at most", "hops", IF_FILLED(COLUMN_ASIDE), LOOSE },
    { "maximum_hops", "Max", "hops", YIELDS(2), LOOSE },
    { "maximum_lower_hops", "Max, at least", "hops", IF_FILLED(COLUMN_ASIDE), LOOSE },
    { "width", "Width", NULL, 0, LOOSE }, ESTIMATED("width", "", NULL, COLUMN_ASIDE),
    { "intermediate_nodes", "Nodes", NULL, YIELDS(0), LOOSE }, ESTIMATED("intermediate_nodes", "", NULL, COLUMN_ASIDE),
    { "link_use", "Link use", NULL, 0, LOOSE },
    { "source_links_used", "Out used", NULL, YIELDS(3), S(source_links) },
    { "destination_links_used", "In used", NULL, YIELDS(3), S(destination_links) },
    { "extra_width_per_hop", "Extra width", "per hop", 2, S(extra_width_per_hop) },
    ESTIMATED("extra_width_per_hop", "", "per hop", COLUMN_ASIDE), SOURCES_COLUMN,
    { "pairs", "Ordered pairs", NULL, COLUMN_ASIDE, LOOSE },
    ASIDE("quality")
};
static const struct column distribution_columns[] = {
    PLAIN("topology"), PLAIN("supernode"),
    { "from_hops", "From", "hops", 2, LOOSE },
    { "below_hops", "Length below", "hops", 2, LOOSE },
    { "pairs", "Ordered pairs", NULL, 0, LOOSE },
    { "fraction", "Fraction of pairs", NULL, 5, LOOSE }, ESTIMATED("fraction", "", NULL, 5),
    { "cumulative", "Fraction of pairs, cumulative", NULL, 5, LOOSE }
};

static const struct conclusion stats_conclusion = {
    .score = "extra_width_per_hop", .most = true, .noun = "extra width per hop", .contender = { "supernode" },
    .scope = { "topology" }
};
enum { STATS_MAIN, STATS_DISTRIBUTION };
static const struct frame_table stats_tables[] = {
    [STATS_MAIN] = { NULL, "Metapath statistics", COLUMNS(stats_columns), .conclusion = &stats_conclusion },
    [STATS_DISTRIBUTION] = { "distribution", "Metapath lengths", COLUMNS(distribution_columns) }, { 0 }
};

/* A whole number where it is one: widths of regular networks are. */
static struct named_cell cell_number(const char *column, double x)
{
    return x == floor(x) && fabs(x) < 9e15 ? cell_int(column, (int64_t)x) : cell_real(column, x);
}

static void stats_row(struct table *t, const struct net *net, const struct supernode *sn,
                      const struct metapath_stats *s)
{
    const bool some = s->sources > 0;
    const struct estimate *error = some ? s->error : NULL;

    table_add(t, ROW(
        MEMBERS(net, sn, s), ESTIMATE_CELLS("mean_length", "_hops", error, METAPATH_MEAN),
        ESTIMATE_CELLS("lengthening", "_percent", error, METAPATH_LENGTHENING),
        cell_real("minimum_hops", some ? NAN : s->least_hops),
        cell_real("minimum_upper_hops", some ? s->least_hops : NAN),
        cell_real("maximum_hops", some ? NAN : s->greatest_hops),
        cell_real("maximum_lower_hops", some ? s->greatest_hops : NAN), cell_number("width", s->width),
        ESTIMATE_CELLS("width", "", error, METAPATH_WIDTH), cell_number("intermediate_nodes", s->intermediate),
        ESTIMATE_CELLS("intermediate_nodes", "", error, METAPATH_INTERMEDIATE),
        cell_text("link_use", s->use == LINKS_UNKNOWN ? NULL : link_use_name[s->use]),
        ESTIMATE_CELLS("extra_width_per_hop", "", error, METAPATH_EXTRA),
        cell_count("sources", some ? (double)s->sources : NAN), cell_number("pairs", s->pairs),
        cell_text("quality", some ? "sampled" : "exact")));
    supernode_note(t, net, sn, s);
    if (s->pairs == 0)
        table_note(t, "%s on %s: the supernode is the whole network, so that no destination is left; `random` spreads over "
                   "all nodes.", sn->spec, net->spec);
}

static void stats_distribution_rows(struct table *t, const struct net *net, const struct supernode *sn,
                                    const struct metapath_stats *s, int bins)
{
    double sum = 0, all = 0;
    size_t from = 0, to = s->nbin;

    for (size_t i = 0; i < s->nbin; i++)
        all += (double)s->bin[i];
    while (from < to && s->bin[from] == 0)
        from++;
    while (to > from && s->bin[to - 1] == 0)
        to--;
    for (size_t i = from; i < to; i++) {
        sum += (double)s->bin[i];
        table_add(t, ROW(
            cell_text("topology", net->spec), cell_text("supernode", sn->spec),
            cell_real("from_hops", (double)i / bins), cell_real("below_hops", (double)(i + 1) / bins),
            s->sources ? cell_none("pairs") : cell_int("pairs", (int64_t)s->bin[i]),
            cell_real("fraction", (double)s->bin[i] / all), ESTIMATE_CELLS("fraction", "", s->bin_error, i),
            cell_real("cumulative", sum / all)));
    }
    if (s->sources && s->nbin == 0)
        table_note(t, "%s on %s: the mean alone is known from a sample.", sn->spec, net->spec);
}

static void stats_refused_row(struct job *j, const char *topology, const char *supernode, const struct err *why)
{
    job_refused_row(j, ROW(
        cell_text("topology", topology), cell_real("nodes", j->net ? (double)j->net->n : NAN),
        cell_real("terminals", j->net ? (double)j->net->nterminal : NAN), cell_text("supernode", supernode)));
    notes_refused(j->t, topology, why->msg);
}

static int stats_refuse(struct job *j, const char *topology, struct err *err)
{
    if (!job_passes(j, j->sweep, err))
        return -1;
    stats_refused_row(j, topology, "", err);
    return 0;
}

/* ---- the work ---- */

/* One network's supernodes, in the order asked for. */
struct asked {
    const char *name;
    struct supernode sn;        /* all zero where it does not fit the network */
    struct err why;
};

static int stats_open_supernodes(struct asked *asked, size_t n, struct job *j, struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (supernode_open(&asked[i].sn, asked[i].name, j->net, err) < 0) {
            if (!job_passes(j, j->sweep, err))
                return -1;
            asked[i].why = *err;
        }
    return 0;
}

static int stats_rows(struct job *j, struct asked *asked, size_t n, struct err *err)
{
    const struct request *q = j->request;
    struct metapath_options o = { .jobs = q->common.jobs, .no_symmetry = q->no_symmetry, .tick = j->tick,
                                  .sources = q->sources, .seed = q->common.seed,
                                  .bins_per_hop = j->which == STATS_DISTRIBUTION ? q->bins : 0 };
    struct supernode *sn = NULL;
    struct metapath_stats *s = NULL;
    size_t fit = 0, next = 0;
    int ret = -1;

    if (TAKE("the table", err, ZEROS(sn, n), ZEROS(s, n)) < 0)
        goto done;
    for (size_t i = 0; i < n; i++)
        if (asked[i].sn.spec)
            sn[fit++] = asked[i].sn;
    if (fit && metapath_stats(s, j->net, sn, fit, &o, err) < 0)
        goto done;
    for (size_t i = 0; i < n; i++) {
        if (!asked[i].sn.spec) {
            stats_refused_row(j, j->net->spec, asked[i].name, &asked[i].why);
            continue;
        }
        table_request(j->t, "supernode", asked[i].sn.spec);
        if (j->which == STATS_DISTRIBUTION)
            stats_distribution_rows(j->t, j->net, &asked[i].sn, &s[next], q->bins);
        else
            stats_row(j->t, j->net, &asked[i].sn, &s[next]);
        sources_note(j, q->sources, s[next].sources, j->net->spec, "lengths are estimates");
        metapath_stats_release(&s[next++]);
    }
    ret = 0;
done:
    FREE(sn, s);
    return ret;
}

static int stats_network(struct job *j, struct err *err)
{
    static const char *const usual[] = { "static", "random", "sga:1", "sga:2", "sga:4", "dga:1" };
    const struct strings *given = &((const struct request *)j->request)->supernode;
    const size_t n = given->n ? given->n : sizeof usual / sizeof *usual;
    struct asked *asked = calloc(n, sizeof *asked);
    int ret = -1;

    if (!asked)
        return err_memory(err);
    for (size_t i = 0; i < n; i++)
        asked[i].name = given->n ? given->item[i] : usual[i];
    if ((stats_open_supernodes(asked, n, j, err) == 0 && stats_rows(j, asked, n, err) == 0) ||
        stats_refuse(j, j->net->spec, err) == 0)
        ret = 0;
    for (size_t i = 0; i < n; i++)
        supernode_release(&asked[i].sn);
    free(asked);
    return ret;
}

/* Networks of several sizes: length against size. One size: length of every supernode, a group of bars a network. */
static int stats_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    static const char *const mean[] = { "mean_length_hops" }, *const cumulative[] = { "cumulative" };
    static const char *const by_supernode[] = { "supernode", "topology" }, *const by_topology[] = { "topology" };
    const struct natural lengths = { .kind = "line", .x = "below_hops", .y = cumulative, .ny = 1, .group = by_supernode,
                                     .ngroup = look_varies(t, "topology") ? 2 : 1, .y_scale = SCALE_LINEAR };
    const struct natural sizes = { .kind = "line", .x = "nodes", .y = mean, .ny = 1, .group = by_supernode,
                                   .ngroup = 1 };
    const struct natural bars = { .kind = "bar", .x = "supernode", .y = mean, .ny = 1, .group = by_topology,
                                  .ngroup = 1, .y_scale = SCALE_LINEAR };

    return options_figure(f, t, which == STATS_DISTRIBUTION ? &lengths : look_varies(t, "nodes") ? &sizes : &bars,
                          err);
}

static int stats_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (q->bins && j->which != STATS_DISTRIBUTION)
        return err_set(err, ERR_USAGE, "--bins is for --show distribution");
    q->bins = q->bins ? q->bins : 1;
    return 0;
}

static const struct frame stats_frame = {
    CMD_STATS_FRAME, .option = stats_options, FRAME_REQUEST(struct request, .common = { 0 }), .table = stats_tables,
    .plots = true, .check = stats_check, .network = stats_network, .unopened = stats_refuse, .figure = stats_figure
};

const struct cmd cmd_stats = { CMD_STATS_ENTRY, .frame = &stats_frame };
