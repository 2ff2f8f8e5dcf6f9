#include "cli/request/latency_lines.h"
#include "cli/request/look.h"
#include "graph/numeric/step.h"

#define CAP 5                   /* latencies shown, in parts of that without load */

/* "dor, transpose": what a row's series is called. */
static const char *series_name(char out[600], const struct table *t, size_t row, const char *const *by, size_t nby)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < nby && len < 600; i++)
        len += (size_t)snprintf(out + len, 600 - len, "%s%s", i ? ", " : "", look_text(t, row, by[i]));
    return out;
}

/* The model of closed sources has no saturation: what rows of them say is that of open ones at the same rates. */
static bool row_is_open(const struct table *t, size_t row)
{
    return strcmp(look_text(t, row, "loop"), "closed") != 0;
}

/* "dor saturates at 0.386", a dashed line of the curve's colour where it goes up without end. */
static int mark_saturation(struct chart *c, const struct table *t, const char *column, const char *const *by,
                           size_t nby, struct err *err)
{
    char name[600], text[700];

    for (size_t i = 0; i < c->nseries; i++)
        for (size_t r = 0; r < table_rows(t); r++) {
            const double at = look_real(t, r, column);
            const size_t before = c->nrule;

            if (!isfinite(at) || !row_is_open(t, r) ||
                strcmp(series_name(name, t, r, by, nby), c->series[i].name) != 0)
                continue;
            if (c->nseries == 1)
                name[0] = '\0';
            snprintf(text, sizeof text, "%s%ssaturates at %.3g%s", name, *name ? " " : "", at,
                     c->x.unit && strcmp(c->x.unit, "cycles") == 0 ? " cycles" : "");
            if (chart_rule(c, at, text, c->series[i].look, RULE_EVERYWHERE) < 0)
                return err_memory(err);
            c->ruled = "saturation, in the colour of its curve";
            for (size_t k = before; k < c->nrule; k++)
                c->rule[k].placed = true;
            break;
        }
    return 0;
}

/* Near saturation latencies grow beyond all bounds, and what is below could not be read beside them: the axis ends at
 * some five times the largest latency without load (where the table does not know it, the largest of the curves' least
 * ones), on a round number, and the note says so. */
static int latency_cap(struct chart *c, const struct table *t, struct err *err)
{
    double idle = 0, least = 0, most = 0;
    struct step step;

    for (size_t r = 0; r < table_rows(t); r++) {
        if (!row_is_open(t, r))
            return 0;
        idle = fmax(idle, look_real(t, r, "zero_load_latency_cycles"));
    }
    for (size_t i = 0; i < c->nseries; i++) {
        double bottom = INFINITY;

        for (size_t p = 0; p < c->series[i].n; p++)
            if (isfinite(c->series[i].at[p].y)) {
                bottom = fmin(bottom, c->series[i].at[p].y);
                most = fmax(most, c->series[i].at[p].y);
            }
        least = isfinite(bottom) ? fmax(least, bottom) : least;
    }
    idle = idle > 0 ? idle : least;
    c->y.scale = c->y.scale == SCALE_AUTO ? SCALE_LINEAR : c->y.scale;
    if (c->y.scale == SCALE_LOG || !isnan(c->y.from) || !isnan(c->y.to))        /* it was asked for */
        return 0;
    if (!(idle > 0) || most <= CAP * idle || !isfinite(CAP * idle))
        return 0;
    step = step_nice(0, CAP * idle, 10);
    c->y.from = 0;
    c->y.to = step_at(step, ceil(CAP * idle / step_at(step, 1)));
    if (most <= c->y.to || c->note)
        return 0;
    if (asprintf(&c->note, "Latencies above %.6g cycles, up to %.3g, are not shown.", c->y.to, most) < 0) {
        c->note = NULL;
        return err_memory(err);
    }
    return 0;
}

int latency_dress(struct chart *c, const struct table *t, const char *axis, const char *const *by, size_t nby,
                  struct err *err)
{
    const bool loads = strcmp(axis, "load") == 0;

    if (mark_saturation(c, t, loads ? "saturation_load" : "saturation_interval_cycles", by, nby, err) < 0)
        return -1;
    if (!loads)
        return 0;
    c->x.scale = c->x.scale == SCALE_AUTO ? SCALE_LINEAR : c->x.scale;
    return latency_cap(c, t, err);
}

int latency_figure_lines(struct picture *f, const struct table *t, const struct natural *lines, struct err *err)
{
    const bool flits = strcmp(lines->x, "load") == 0 && !t->column[table_find(t, lines->x)].unit;

    if (flits && chart_axis(&f->chart.x, "Load", "flits per node and cycle") < 0)
        return err_memory(err);
    if (options_figure(f, t, lines, err) < 0)
        return -1;
    return latency_dress(&f->chart, t, lines->x, lines->group, lines->ngroup, err);
}
