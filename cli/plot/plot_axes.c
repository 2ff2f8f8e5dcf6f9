#include "cli/plot/plot.h"

/* "10..100", "..100", "10.." */
static int plot_take_range(struct axis *a, const char *text, const char *what, struct err *err)
{
    const char *dots = strstr(text, "..");
    char from[64];

    if (!dots || (size_t)(dots - text) >= sizeof from)
        return err_set(err, ERR_USAGE, "%s is '%.40s'; it takes FROM..TO, as in 10..100 or ..100", what, text);
    memcpy(from, text, (size_t)(dots - text));
    from[dots - text] = '\0';
    if ((*from && num_real(&a->from, from, what, err) < 0) || (dots[2] && num_real(&a->to, dots + 2, what, err) < 0))
        return -1;
    if (a->from >= a->to)
        return err_set(err, ERR_USAGE, "%s is '%.40s': it ends before it begins", what, text);
    return 0;
}

/* "Load [%]" is a title and a unit. */
static int plot_take_title(struct axis *a, const char *text, struct err *err)
{
    const char *open = strrchr(text, '[');
    size_t len = strlen(text);
    char *title, *unit;
    int ret;

    if (!open || text[len - 1] != ']')
        return chart_axis(a, text, NULL) < 0 ? err_memory(err) : 0;
    title = text_copy(text, (size_t)(open - text) - (open > text && open[-1] == ' '));
    unit = text_copy(open + 1, (size_t)(text + len - 1 - open - 1));
    ret = title && unit && chart_axis(a, title, unit) == 0 ? 0 : err_memory(err);
    FREE(title, unit);
    return ret;
}

int plot_take_axes(struct chart *c, const struct request *q, struct err *err)
{
    static const char *const range[] = { "--x-range", "--y-range", "--z-range" };
    struct axis *axis[] = { &c->x, &c->y, &c->z };

    if (q->title && !(c->title = text_copy(q->title, strlen(q->title))))
        return err_memory(err);
    for (int i = 0; i < 3; i++) {
        const struct axis_request *a = &q->axis[i];

        if (a->scale != SCALE_AUTO)
            axis[i]->scale = (enum axis_scale)a->scale;
        if ((a->range && plot_take_range(axis[i], a->range, range[i], err) < 0) ||
            (a->title && plot_take_title(axis[i], a->title, err) < 0))
            return -1;
        if (axis[i]->scale == SCALE_LOG && (axis[i]->from <= 0 || axis[i]->to <= 0))
            return err_set(err, ERR_USAGE, "%s is '%.40s'; a logarithmic axis has positive ends", range[i], a->range);
    }
    return 0;
}

/* "--fit is for charts of kind scatter, not bar" */
static int plot_not_for_kind(const char *option, const char *const *kinds, const char *kind, struct err *err)
{
    char all[120] = "";
    size_t len = 0;

    for (int k = 0; kinds[k]; k++)
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", k == 0 ? "" : kinds[k + 1] ? ", " : " or ",
                                kinds[k]);
    return err_set(err, ERR_USAGE, "%s is for charts of kind %s, not %s", option, all, kind);
}

int plot_check_kind_options(const struct request *q, const char *kind, struct err *err)
{
    const struct {
        bool set;
        const char *option, *kinds[7];
    } table[] = { { q->stack, "--stack", { "bar" } }, { q->fit != NULL, "--fit", { "scatter" } },
                  { q->residuals, "--residuals", { "scatter" } }, { q->bins > 0, "--bins", { "histogram" } },
                  { q->best[0] != BEST_UNSAID, "--best", { "decision", "pareto" } },
                  { q->best_two, "--best of x and y", { "pareto" } },
                  { q->complement, "--complement", { "cumulative" } }, { q->band.n > 0, "--band", { "line" } },
                  { q->error.n > 0, "--error", { "line", "path", "bar", "scatter" } },
                  { q->valid != NULL, "--valid", { "line", "path" } },
                  { q->rule.n > 0, "--rule", { "line", "path", "scatter", "timeline", "percentiles", "pareto" } },
                  { q->mark != NULL, "--mark", { "line", "scatter", "pareto" } },
                  { q->z != NULL, "--z", { "heat", "decision", "timeline", "matrix" } },
                  { q->over.n > 0, "--over", { "line", "bar", "scatter", "heat", "decision" } } };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bool fits = !table[i].set;

        for (int k = 0; table[i].kinds[k]; k++)
            fits = fits || strcmp(kind, table[i].kinds[k]) == 0;
        if (!fits)
            return plot_not_for_kind(table[i].option, table[i].kinds, kind, err);
    }
    if (q->columns && !q->facet.n)
        return err_set(err, ERR_USAGE, "--panel-columns arranges the panels that --facet makes");
    if (q->residuals && !q->fit)
        return err_set(err, ERR_USAGE, "--residuals needs --fit");
    if (q->error.n && q->band.n)
        return err_set(err, ERR_USAGE, "--error and --band draw the same; choose one");
    if (q->error.n > 2 || q->band.n > 2)
        return err_set(err, ERR_USAGE, "--error and --band take one column, or two: LOWER,UPPER");
    return 0;
}

/* "0.8" or "0.8=saturation" */
static int plot_take_rule(struct chart *chart, const char *arg, struct err *err)
{
    const char *equals = strchr(arg, '=');
    char *number = text_copy(arg, equals ? (size_t)(equals - arg) : strlen(arg));
    double x;
    int ret = -1;

    if (!number)
        return err_memory(err);
    if (num_real(&x, number, "X of --rule X=TEXT", err) == 0)
        ret = chart_rule(chart, x, equals ? equals + 1 : NULL, RULE_GREY, RULE_EVERYWHERE) < 0 ? err_memory(err) : 0;
    free(number);
    return ret;
}

int plot_take_rules(struct chart *chart, const struct strings *rule, const char *x, struct err *err)
{
    for (size_t i = 0; i < rule->n; i++)
        if (plot_take_rule(chart, rule->item[i], err) < 0)
            return -1;
    if (rule->n && chart->x.ncategory)
        return err_set(err, ERR_USAGE, "--rule needs numbers along x, and '%.60s' has words", x);
    return 0;
}
