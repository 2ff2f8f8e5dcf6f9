/* `metapath plot`: columns of a CSV file as a chart. The options say which column is what (plot_options; plot_axes.c
 * reads those of axes, and refuses what would do nothing). If nothing is said of columns and they are those of a
 * command, its figure is drawn (plot_known); else what was left open is chosen by the data (plot_fill.c). Files laid
 * over and rules are added to either, and plot_compute has it drawn. There is no table. */
#include <stdlib.h>
#include <string.h>

#include "cli/command/cmd.h"
#include "cli/plot/known.h"
#include "cli/plot/plot.h"

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
    { "x", 'x', "COLUMN", "column of the horizontal axis (timeline: START,END)", 1, INTO(x) },
    { "y", 'y', "COLUMN,...", "columns of the vertical axis, one series each (timeline: the lanes FROM,TO)", 1,
      INTO(y) },
    { "z", 'z', "COLUMN", "column shown by colour (heat, decision), or how much of the time was "
      "waiting (timeline)", 1, INTO(z) },
    { "group", 'g', "COLUMN,...", "one series for each combination of values", 1, INTO(group) },
    { "facet", 0, "COLUMN,...", "one panel for each combination of values, all with the same axes", 1, INTO(facet) },
    { "error", 0, "COLUMN", "error bars: column of half their length, or two columns LOWER,UPPER", 1, INTO(error) },
    { "band", 0, "COLUMN", "like --error, drawn as a band", 1, INTO(band) },
    { "mark", 0, "COLUMN", "write the text of this column beside its point", 1, INTO(mark) },
    { "valid", 0, "COLUMN", "column of validity: where it is 0, no or false a line is dashed (of one alone, the "
      "background is hatched)", 1, INTO(valid) },
    { "rule", 0, "X[=TEXT]", "line, scatter, timeline: a dashed line at that x, with a label; may be repeated", 1,
      INTO(rule), .whole = true },
    { .help = "Which rows:", .group = 2 },
    { "where", 0, "COLUMN=VALUE", "use only rows with that value; also != < <= > >=, and several values after =; may "
      "be repeated", 2, INTO(where), .whole = true },
    { "over", 0, "FILE.csv", "add the points of another file with the same columns; may be repeated", 2,
      INTO(over), .whole = true },
    { .help = "How it is drawn:", .group = 3 },
    { "kind", 'k', "KIND", "kind of chart (default: by the data; heat with -z; `metapath list chart`)", 3,
      INTO(kind), .kind = &kind_chart },
    { "stack", 0, NULL, "bar: stack the bars of a group", 3, INTO(stack) },
    { "fit", 0, "NAME", "scatter: fit a curve by least squares: linear, power, exponential, logarithmic or quadratic",
      3, INTO(fit), .kind = &kind_regress },
    { "residuals", 0, NULL, "scatter: draw the residuals of the fit below", 3, INTO(residuals) },
    { "bins", 0, "N", "histogram: number of bins (default: by the rule of Freedman and Diaconis)", 3, INTO(bins),
      .least = 1, .most = 1000 },
    { "complement", 0, NULL, "cumulative: the share of greater values, on a logarithmic axis", 3, INTO(complement) },
    { "best", 0, "least|most", "decision: which value of -z wins (default: least); pareto: which x and y, or "
      "one word for each (most,least)", 3, .take = take_best },
    { "panel-columns", 0, "N", "of panels (default: as fits)", 3, INTO(columns), .least = 1, .most = 100 },
    { .help = "Titles and axes:", .group = 4 },
    { "title", 't', "TEXT", "title above the chart (default: none)", 4, INTO(title) },
    { "x-title", 0, "TEXT", "title of the axis, as in \"Load [%]\" (also --y-title, --z-title)", 4,
      INTO(axis[0].title) },
    { "y-title", 0, "TEXT", NULL, 4, INTO(axis[1].title), .hidden = true },
    { "z-title", 0, "TEXT", NULL, 4, INTO(axis[2].title), .hidden = true },
    { "x-range", 0, "FROM..TO", "ends of the axis; either may be left out (also --y-range, --z-range)", 4,
      INTO(axis[0].range) },
    { "y-range", 0, "FROM..TO", NULL, 4, INTO(axis[1].range), .hidden = true },
    { "z-range", 0, "FROM..TO", NULL, 4, INTO(axis[2].range), .hidden = true },
    { "x-scale", 0, "linear|log", "scale of the axis (default: chosen by the data; also --y-scale, --z-scale)", 4,
      INTO(axis[0].scale), .words = SCALES },
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
    if (ret == 0 && k.frame)
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
    .arguments = "DATA.csv", .option = plot_options, FRAME_REQUEST(struct request, .common = { 0 }), .draws = true,
    .check = plot_check, .compute = plot_compute, .release = plot_release,
    .example = {
        { "What figure suits this table?",
          "metapath topo ring:9 --show distribution -f csv | metapath plot - -o d.svg" },
        { "How does one column grow with another?",
          "metapath bcast ring:8 -p 2..8 -f csv | metapath plot - -x processes -o b.svg" },
        { "How do the rows compare?",
          "metapath stats ring:9 -f csv | metapath plot - -k bar -x supernode -o w.pdf" }
    },
    .doc = "Draws columns of any CSV file (- is standard input) into the file that -o names: .svg, .pdf or .png. "
        "The table of a command of metapath is drawn as that command's --plot draws it. Of others columns and kind are "
        "chosen by the data where you do not name them; a note on standard error says which. Several values at one x "
        "of a line or bar are drawn as their mean and one standard deviation (-k scatter: all)."
};

const struct cmd cmd_plot = {
    .name = "plot", .group = "Output", .frame = &plot_frame,
    .synopsis = "metapath plot DATA.csv [-x COLUMN] [-y COLUMN,...] [-k KIND] -o FILE",
    .summary = "draws columns of any CSV file as charts and maps"
};
