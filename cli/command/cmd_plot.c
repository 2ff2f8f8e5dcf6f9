/* `metapath plot`: columns of a CSV file as a chart. The options say which column is what (plot_options; plot_axes.c
 * reads those of axes, and refuses what would do nothing). If nothing is said of columns and they are those of a
 * command, its figure is drawn (plot_known); else what was left open is chosen by the data (plot_fill.c). Files laid
 * over and rules are added to either, and plot_compute has it drawn. There is no table. */
#include "cli/command/cmd.h"
#include "cli/plot/known.h"
#include "cli/plot/plot.h"
#include "graph/base/base.h"
#include "texts/cmd.h"

/* ---- the command line -------------------------------------------------------------------------------- */

static int take_data(void *about, const char *arg, struct err *err)
{
    struct request *q = about;

    if (q->data)
        return err_set(err, ERR_USAGE, "plot takes one data file; '%.60s' is a second one", arg);
    q->data = arg;
    return 0;
}

static int take_best(void *about, const char *arg, struct err *err)
{
    struct request *q = about;

    for (size_t i = 0; i < 2; i++) {
        const char *comma = strchr(arg, ','), *word = i && comma ? comma + 1 : arg;
        const size_t len = word == arg && comma ? (size_t)(comma - arg) : strlen(word);

        q->best[i] = len == 5 && strncmp(word, "least", len) == 0 ? BEST_LEAST :
                     len == 4 && strncmp(word, "most", len) == 0 ? BEST_MOST : BEST_UNSAID;
        if (!q->best[i])
            return err_set(err, ERR_USAGE, "--best is '%.40s'; it may be least, most, or for a chart of kind pareto "
                           "two of them, of x and y, as in most,least", arg);
    }
    q->best_two = strchr(arg, ',') != NULL;
    return 0;
}

#define SCALES "auto|linear|log"        /* as in enum axis_scale */
static const struct option_field plot_options[] = {
    { .take = take_data },
    { .help = "What is drawn:", .group = 1 },
    { CMD_PLOT_X, 1, INTO(x) },
    { CMD_PLOT_Y, 1, INTO(y) },
    { CMD_PLOT_Z, 1, INTO(z) },
    { CMD_PLOT_GROUP, 1, INTO(group) },
    { CMD_PLOT_FACET, 1, INTO(facet) },
    { CMD_PLOT_ERROR, 1, INTO(error) },
    { CMD_PLOT_BAND, 1, INTO(band) },
    { CMD_PLOT_MARK, 1, INTO(mark) },
    { CMD_PLOT_VALID, 1, INTO(valid) },
    { CMD_PLOT_RULE, 1, INTO(rule), .whole = true },
    { .help = "Which rows:", .group = 2 },
    { CMD_PLOT_WHERE, 2, INTO(where), .whole = true },
    { CMD_PLOT_OVER, 2, INTO(over), .whole = true },
    { .help = "How it is drawn:", .group = 3 },
    { CMD_PLOT_KIND, 3, INTO(kind), .kind = &kind_chart },
    { CMD_PLOT_STACK, 3, INTO(stack) },
    { CMD_PLOT_FIT, 3, INTO(fit), .kind = &kind_regress },
    { CMD_PLOT_RESIDUALS, 3, INTO(residuals) },
    { CMD_PLOT_BINS, 3, INTO(bins), .least = 1, .most = 1000 },
    { CMD_PLOT_COMPLEMENT, 3, INTO(complement) },
    { CMD_PLOT_BEST, 3, .take = take_best },
    { CMD_PLOT_PANEL_COLUMNS, 3, INTO(columns), .least = 1, .most = 100 },
    { .help = "Titles and axes:", .group = 4 },
    { CMD_PLOT_TITLE, 4, INTO(title) },
    { CMD_PLOT_X_TITLE, 4, INTO(axis[0].title) },
    { "y-title", 0, "TEXT", NULL, 4, INTO(axis[1].title), .hidden = true },
    { "z-title", 0, "TEXT", NULL, 4, INTO(axis[2].title), .hidden = true },
    { CMD_PLOT_X_RANGE, 4, INTO(axis[0].range) },
    { "y-range", 0, "FROM..TO", NULL, 4, INTO(axis[1].range), .hidden = true },
    { "z-range", 0, "FROM..TO", NULL, 4, INTO(axis[2].range), .hidden = true },
    { CMD_PLOT_X_SCALE, 4, INTO(axis[0].scale), .words = SCALES },
    { "y-scale", 0, "linear|log", NULL, 4, INTO(axis[1].scale), .words = SCALES, .hidden = true },
    { "z-scale", 0, "linear|log", NULL, 4, INTO(axis[2].scale), .words = SCALES, .hidden = true }, { 0 }
};

/* ---- tables of our own commands ---------------------------------------------------------------------- */

static int plot_known_over(struct picture *f, const struct chart_columns *columns, struct err *err)
{
    return plot_lay_over(&f->chart, f->arg, columns, err);
}

/* Draws the figure of the command that wrote this table; `done`: there is one, and it is drawn. */
static int plot_known(bool *done, const struct request *q, const struct csv_table *d, char note[NOTE],
                      struct err *err)
{
    struct options o = q->common;
    struct picture f = { .o = &o, .then = plot_known_over, .arg = (void *)q };
    struct known k;
    int ret = known_open(&k, cmd_all, d, err);

    *done = false;
    o.plot = o.output;
    chart_init(&f.chart, NULL);
    if (ret == 0 && (k.turned || (k.frame && k.frame->table[k.which].apart)))
        ret = err_set(err, ERR_USAGE, "%.200s is the table of `%s`, the figure of which says more than its rows: --plot "
                      "FILE of that command draws it; -x and -y name columns for a chart", q->data, k.name);
    else if (ret == 0 && k.frame)
        ret = k.frame->figure(&f, &k.table, k.which, err);
    *done = ret < 0 || f.drawn || f.chart.kind;
    if (ret == 0 && f.chart.kind && !f.drawn) {
        ret = plot_check_kind_options(q, f.chart.kind, err);
        if (ret == 0 && plot_take_axes(&f.chart, q, err) == 0 &&
            plot_take_rules(&f.chart, &q->rule, f.chart.x.title, err) == 0)
            ret = chart_write(&f.chart, &o.page, o.output, err);
        else
            ret = -1;
    }
    if (ret == 0 && *done)
        snprintf(note, NOTE, "the figure of `%s`", k.name);
    chart_release(&f.chart);
    known_release(&k);
    return ret;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* Tells what was chosen, and what the figure does not show. */
static void plot_tell(const struct request *q, const char *note)
{
    struct err told;

    if (!*note || q->common.quiet)
        return;
    err_set(&told, ERR_NONE, "%s", note);       /* names of columns are the file's: made printable */
    fprintf(stderr, "metapath plot: %s\n", told.msg);
}

static int plot_compute(struct job *j, struct err *err)
{
    const struct request *q = j->request;
    struct csv_table d = { 0 };
    bool done = false;
    char note[NOTE] = "";
    struct chart chart;
    int ret;

    chart_init(&chart, NULL);
    chart.stacked = q->stack;
    chart.fit = q->fit;
    chart.residuals = q->residuals;
    chart.bins = (size_t)q->bins;
    chart.columns = (size_t)q->columns;
    chart.best_most = q->best[0] == BEST_MOST;
    chart.front_most[0] = q->best[0] == BEST_MOST;
    chart.front_most[1] = q->best[1] == BEST_MOST;
    chart.complement = q->complement;
    ret = plot_data_read(&d, q->data, &q->where, false, err);
    if (ret == 0)
        ret = options_rows(&q->common, &d.table, err);
    if (ret == 0 && !plot_said(q) && table_rows(&d.table))
        ret = plot_known(&done, q, &d, note, err);
    if (ret == 0 && !done && plot_fill(&chart, q, &d, note, err) == 0)
        ret = chart_write(&chart, &q->common.page, q->common.output, err);
    else if (!done)
        ret = -1;
    if (ret == 0)
        plot_tell(q, note);
    chart_release(&chart);
    csv_table_release(&d);
    return ret;
}

static int plot_check(struct job *j, struct err *err)
{
    struct request *q = j->request;

    if (!q->data || !q->common.output)
        return err_set(err, ERR_USAGE, "plot needs a data file and -o, as in `metapath plot data.csv -x nodes -y "
                       "mean_length_hops -o figure.svg`");
    if (!q->kind || !q->kind->intervals || !q->x)
        return 0;
    if (strings_add_list(&q->span, q->x, err) < 0)
        return -1;
    if (q->span.n > 2)
        return err_set(err, ERR_USAGE, "a chart of kind '%s' has --x START,END; there are %zu columns", q->kind->name,
                       q->span.n);
    return 0;
}

static void plot_release(void *request)
{
    strings_free(&((struct request *)request)->span);
}

static const struct frame plot_frame = {
    CMD_PLOT_FRAME, .option = plot_options, FRAME_REQUEST(struct request, .common = { 0 }), .draws = true,
    .check = plot_check, .compute = plot_compute, .release = plot_release
};

const struct cmd cmd_plot = { CMD_PLOT_ENTRY, .frame = &plot_frame };
