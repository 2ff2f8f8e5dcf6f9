/* `metapath fit`: what messages cost on a machine, from logs of benchmarks (analysis/fit).
 * 1. request     arguments are logs; what is asked of them
 * 2. figure      points, curve and breaks; residuals below
 * 3. the whole   logs read, the machine fitted, rows (fit.h) */
#include "cli/command/cmd.h"
#include "cli/fit/fit.h"
#include "cli/request/collective_request.h"
#include "cli/request/look.h"
#include "graph/topology/topo.h"
#include "model/collective/collective.h"
#include "texts/cmd.h"

/* ---- request ----------------------------------------------------------------------------------------- */

static int take_log(void *about, const char *arg, struct err *err)
{
    return strings_add(&((struct request *)about)->argument, arg, err);
}

static const struct option_field fit_options[] = {
    { .take = take_log },
    { .help = "What the logs do not say:", .group = 0 },
    { CMD_FIT_HOPS, 0, INTO(hops_list) },
    { CMD_FIT_SAME_NODE, 0, INTO(same_node) },
    { CMD_FIT_OVERHEAD, 0, INTO(overhead) },
    { CMD_FIT_CABLE_TIME, 0, INTO(cable) },
    { CMD_FIT_OPERATION, 0, INTO(read.operation) },
    { CMD_FIT_PROCESSES, 0, INTO(processes), .least = 2, .most = 1 << 24 },
    { .help = "What is made of them:", .group = 1 },
    { CMD_FIT_MODEL, 1, INTO(model), .words = "auto|hockney|loggp|plogp|links" },
    { "export", 0, EXPORTS, "the line that sets the threshold of that library", 1, INTO(export) },
    { .help = "Collectives:", .group = 2 },
    { CMD_FIT_COLLECTIVE, 2, INTO(collective) },
    { CMD_FIT_COST, 2, INTO(cost) },
    { CMD_FIT_CALIBRATE, 2, INTO(calibrate) },
    { CMD_FIT_ON, 2, INTO(on) }, { 0 }
};

static int fit_pick(const void *request)
{
    const struct request *q = request;
    int which = q->collective ? FIT_COLLECTIVE : q->export ? FIT_EXPORT : FIT_MODELS;

    for (int i = FIT_PIECES; q->common.show && i <= FIT_THRESHOLDS; i++)
        which = strcmp(q->common.show, fit_tables[i].show) == 0 ? i : which;
    return which;
}

static int fit_check(struct job *j, struct err *err)
{
    struct request *q = j->request;
    const char *dot = q->common.output ? strrchr(q->common.output, '.') : NULL;

    while (q->nlog < q->argument.n && !(q->collective && topo_named(q->argument.item[q->nlog])))
        q->nlog++;
    if (q->collective && q->nlog == q->argument.n && q->nlog > 1)      /* a file at the very end */
        q->nlog--;
    if (!q->nlog)
        return err_set(err, ERR_USAGE, "fit needs a log, as in `metapath fit osu_latency.txt`");
    q->spec = q->argument.item + q->nlog;
    q->nspec = q->argument.n - q->nlog;
    if (q->collective && (!q->nspec || q->common.plot))
        return err_set(err, ERR_USAGE, q->nspec ? "--collective has no figure" : "--collective needs a topology "
                       "behind the logs, as in `metapath fit --collective times.csv torus:4x4`");
    if (q->calibrate != (q->on != NULL) || (!q->collective && (q->on || q->cost)))
        return err_set(err, ERR_USAGE, "--calibrate and --on go together, as in --calibrate --on 2x2x2, and with "
                       "--collective, as --cost does");
    if (q->read.operation && operation_find(q->read.operation, err) < 0)
        return -1;
    if (q->hops_list && num_reals(&q->hops, &q->nhops, q->hops_list, 1, 1e6, "--hops", err) < 0)
        return -1;
    if (q->hops_list && q->nhops != 1 && q->nhops != q->nlog)
        return err_set(err, ERR_USAGE, "--hops lists %zu numbers for %zu logs; give one for each, or one for all",
                       q->nhops, q->nlog);
    if (dot && strcmp(dot, ".cost") == 0) {     /* the table is shown beside */
        if (q->collective)
            return err_set(err, ERR_USAGE, "-o FILE.cost holds what is fitted, and --collective fits no parameters");
        q->cost_path = q->common.output;
        q->common.output = NULL;
    }
    return 0;
}

/* ---- figure ------------------------------------------------------------------------------------------ */

/* Of a table of residuals: times above, with the curve between its points and a rule where a piece begins; what is
 * left of them below. */
static int fit_chart(struct chart *c, const struct table *t, struct err *err)
{
    int measured, curve, rest;
    char at[32];

    c->kind = "line";
    c->spread = SPREAD_BAND;
    c->x.scale = SCALE_LOG;
    c->panel_y = calloc(2, sizeof *c->panel_y);
    if (!c->panel_y || chart_axis(&c->x, "Size", "B") < 0 || chart_panel(c, "Time") < 0 ||
        chart_panel(c, "Residual") < 0)
        return err_memory(err);
    c->panel_y[0] = (struct axis){ .scale = SCALE_LOG, .from = NAN, .to = NAN };
    c->panel_y[1] = (struct axis){ .scale = SCALE_LINEAR, .from = NAN, .to = NAN };
    curve = chart_series(c, "pieces, with 95 %", 0);
    measured = chart_series(c, "measured", 0);
    rest = chart_series(c, "residual", 1);
    if (chart_axis(&c->panel_y[0], "Time", "us") < 0 || chart_axis(&c->panel_y[1], "Residual", "%") < 0 ||
        curve < 0 || measured < 0 || rest < 0)
        return err_memory(err);
    c->series[measured].over = c->series[rest].over = true;
    for (size_t r = 0; r < table_rows(t); r++) {
        const double x = look_real(t, r, "bytes"), fit = look_real(t, r, "fit_us"), half = look_real(t, r, "half_us");
        const bool begins = r && !look_same(t, r, r - 1, "piece");

        if (begins && chart_rule(c, x, text_size(at, (int64_t)x), RULE_GREY, RULE_EVERYWHERE) < 0)
            return err_memory(err);
        if (begins && chart_point(c, curve, x, NAN) < 0)        /* a line is not drawn across */
            return err_memory(err);
        if (chart_datum(c, curve, (struct datum){ .x = x, .y = fit, .z = NAN, .lo = fmax(fit - half, fit / 2),
                                                  .hi = fit + half }) < 0 ||
            chart_point(c, measured, x, look_real(t, r, "time_us")) < 0 ||
            chart_point(c, rest, x, look_real(t, r, "residual_percent")) < 0)
            return err_memory(err);
    }
    return 0;
}

static int fit_figure(struct picture *f, const struct table *t, int which, struct err *err)
{
    const struct request *q = f->request;
    struct table rows;
    int ret;

    if (which == FIT_RESIDUALS)
        return fit_chart(&f->chart, t, err);
    if (!q)
        return 0;
    fit_residuals(&rows, &q->machine);
    ret = fit_chart(&f->chart, &rows, err);
    table_release(&rows);
    return ret;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static int names_order(const void *a, const void *b)
{
    return strcmp(((const struct fit_log *)a)->path, ((const struct fit_log *)b)->path);
}

static int fit_compute(struct job *j, struct err *err)
{
    struct request *q = j->request;
    struct machine_how how = { .processes = q->processes, .same_node = q->same_node, .overhead = NAN, .cable = NAN,
                               .seed = q->common.seed };

    if ((q->overhead &&
         collective_measure(&how.overhead, q->overhead, "400ns", QUANTITY_TIME, "--overhead", err) < 0) ||
        (q->cable && collective_measure(&how.cable, q->cable, "400ns", QUANTITY_TIME, "--cable-time", err) < 0))
        return -1;
    if (TAKE("the logs", err, ARRAY(q->sorted, q->nlog)) < 0)
        return -1;
    for (size_t i = 0; i < q->nlog; i++)
        q->sorted[i] = (struct fit_log){ q->argument.item[i], q->nhops ? q->hops[i % q->nhops] : 1 };
    qsort(q->sorted, q->nlog, sizeof *q->sorted, names_order);        /* their order is nothing, but to --hops */
    for (size_t i = 0; i < q->nlog; i++) {
        q->read.hops = q->sorted[i].hops;
        if (log_read(&q->read, q->sorted[i].path, err) < 0)
            return -1;
    }
    if (j->which == FIT_COLLECTIVE)
        return fit_collective(j, q, err);
    if (machine_fit(&q->machine, &q->read, &how, err) < 0)
        return -1;
    return fit_rows(j, q, err) < 0 || (q->cost_path && fit_save(q, err) < 0) ? -1 : 0;
}

static void fit_release(void *request)
{
    struct request *q = request;

    machine_release(&q->machine);
    log_release(&q->read);
    FREE(q->hops, q->sorted);
    strings_free(&q->argument);
}

static const struct frame fit_frame = {
    CMD_FIT_FRAME, .option = fit_options, FRAME_REQUEST(struct request, .model = 0), .table = fit_tables,
    .plots = true, .own = ".cost", .pick = fit_pick, .check = fit_check, .compute = fit_compute, .figure = fit_figure, .whole = true,
    .release = fit_release
};

const struct cmd cmd_fit = { CMD_FIT_ENTRY, .frame = &fit_frame };
