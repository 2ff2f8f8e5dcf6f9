/* Tables, notes and FILE.cost of `metapath fit`.
 * 1. texts   values with units, sizes
 * 2. rows    models, pieces, residuals, thresholds, the line to set
 * 3. file    a model of cost with its intervals
 * 4. whole   the table at hand */
#include "cli/fit/fit.h"

#include <time.h>

#include "graph/base/file.h"

enum { VALUE = 60 };

/* ---- texts ------------------------------------------------------------------------------------------- */

static double rate_shown(double rate)
{
    return 1e-6 * rate;
}

/* "1.466 us", "12115 MB/s". */
static const char *value_text(char out[VALUE], double value, bool rate)
{
    if (rate)
        snprintf(out, VALUE, isinf(value) ? "inf" : value < 1e9 ? "%.4g MB/s" : "%.0f MB/s", rate_shown(value));
    else
        quantity_text(out, value, QUANTITY_TIME);
    return out;
}

static void bound_text(char out[VALUE], double bound)
{
    snprintf(out, VALUE, isinf(bound) ? "inf" : fabs(bound) < 999.5 ? "%.3g" : "%.0f", bound);
}

/* "1.30 to 1.48", in the unit of the value; NULL: there is none. */
static const char *interval_text(char out[2 * VALUE], const struct number *x, bool rate)
{
    char value[VALUE], lo[VALUE], hi[VALUE];
    const double shown = strtod(value_text(value, x->value, false), NULL);
    const double unit = rate ? 1e6 : x->value > 0 && shown > 0 ? x->value / shown : 1e-9;

    if (isnan(x->lo))
        return NULL;
    bound_text(lo, x->lo / unit);
    bound_text(hi, x->hi / unit);
    snprintf(out, 2 * VALUE, isinf(x->lo) ? "inf" : "%s to %s", lo, hi);
    return out;
}

static const char *sizes_text(char out[2 * VALUE], double from, double to)
{
    char a[32], b[32];

    snprintf(out, 2 * VALUE, "%s..%s", text_size(a, (int64_t)from), text_size(b, (int64_t)to));
    return out;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

#define NUMBER(as_, member_) as_(0, struct number, member_)
static const struct column model_columns[] = {
    PLAIN("model"), PLAIN("parameter"), { "shown", "Value", NULL, 0, LOOSE }, { "interval", "95 %", NULL, 0, LOOSE },
    { "by", "By", NULL, 0, NUMBER(MEMBER, by) }, { "error_percent", "Error", "%", 1, LOOSE },
    { "sizes", "Sizes", NULL, 0, LOOSE }, { "value", NULL, NULL, COLUMN_ASIDE, NUMBER(MEMBER, value) }, ASIDE("unit"),
    { "low", NULL, NULL, COLUMN_ASIDE, NUMBER(FINITE, lo) }, { "high", NULL, NULL, COLUMN_ASIDE, NUMBER(FINITE, hi) },
    ASIDE("error_bytes")
};
static const struct column piece_columns[] = {
    PLAIN("piece"), PLAIN("sizes"), ASIDE("rows"), { "start", "a", NULL, 0, LOOSE },
    { "start_interval", "95 %", NULL, 0, LOOSE }, { "rate", "B", NULL, 0, LOOSE },
    { "rate_interval", "95 %", NULL, 0, LOOSE }, { "by", "By", NULL, 0, NUMBER(MEMBER, by) },
    { "error_percent", "Error", "%", 1, LOOSE }, { "from_bytes", NULL, NULL, COLUMN_ASIDE, NUMBER(MEMBER, from) },
    { "to_bytes", NULL, NULL, COLUMN_ASIDE, NUMBER(MEMBER, to) }, ASIDE("start_us"),
    ASIDE("start_low_us"), ASIDE("start_high_us"), ASIDE("rate_mbs"), ASIDE("rate_low_mbs"), ASIDE("rate_high_mbs")
};
static const struct column residual_columns[] = {
    PLAIN("bytes"), { "time_us", "Time", "us", -1, LOOSE }, { "fit_us", "Fit", "us", -1, LOOSE },
    { "residual_percent", "Residual", "%", 2, LOOSE }, PLAIN("piece"), PLAIN("repetitions"),
    { "half_us", "Half of 95 %", "us", -1, LOOSE }, { "one_line_percent", "One line", "%", 1, LOOSE },
    ASIDE("log"), ASIDE("line")
};
static const struct column threshold_columns[] = {
    { "changes_bytes", "Changes at", "B", 0, LOOSE }, { "cross_bytes", "Lines cross at", "B", 0, LOOSE },
    { "at_bytes", "Size", "B", 0, LOOSE }, { "measured_us", "Measured", "us", 2, LOOSE },
    { "other_us", "Other line", "us", 2, LOOSE }, { "gain_percent", "Gain", "%", 0, LOOSE }, PLAIN("advice")
};
static const struct column export_columns[] = { PLAIN("setting"), ASIDE("library") };

const struct frame_table fit_tables[] = {
    [FIT_MODELS] = { NULL, "Parameters", COLUMNS(model_columns), .apart = true },
    [FIT_PIECES] = { "pieces", "Pieces: T(m) = a + m/B", COLUMNS(piece_columns) },
    [FIT_RESIDUALS] = { "residuals", "Residuals", COLUMNS(residual_columns) },
    [FIT_THRESHOLDS] = { "thresholds", "Thresholds", COLUMNS(threshold_columns) },
    [FIT_EXPORT] = { NULL, "To set", COLUMNS(export_columns) },
    [FIT_COLLECTIVE] = { NULL, "Measured collectives and the model", COLUMNS(fit_collective_columns) }, { 0 }
};

static const char *const export_line[][2] = {
    { "ucx", "UCX_RNDV_THRESH=%.0f" }, { "openmpi-tcp", "OMPI_MCA_btl_tcp_eager_limit=%.0f" },
    { "mpich", "MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE=%.0f" }, { "mpich", "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD=%.0f" },
    { "mvapich2", "MV2_IBA_EAGER_THRESHOLD=%.0f" }, { "mvapich2", "MV2_VBUF_TOTAL_SIZE=%.0f" },
    { "cxi", "FI_CXI_RDZV_THRESHOLD=%.0f" }
};

/* Parameters of the models, by their keys in a spec of cost. */
static const struct parameter {
    enum machine_model model;
    const char *key;
    size_t at;                          /* of its struct number in struct machine */
    bool rate;
} parameters[] = {
    { MACHINE_HOCKNEY, "a", offsetof(struct machine, one.a), false },
    { MACHINE_HOCKNEY, "rate", offsetof(struct machine, one.rate), true },
    { MACHINE_LOGGP, "l", offsetof(struct machine, l), false },
    { MACHINE_LOGGP, "o", offsetof(struct machine, o), false },
    { MACHINE_LOGGP, "g", offsetof(struct machine, g), false },
    { MACHINE_LOGGP, "rate", offsetof(struct machine, rate), true },
    { MACHINE_PLOGP, "l", offsetof(struct machine, least), false },
    { MACHINE_LINKS, "overhead", offsetof(struct machine, overhead), false },
    { MACHINE_LINKS, "cable-time", offsetof(struct machine, cable), false },
    { MACHINE_LINKS, "rate", offsetof(struct machine, rate), true }
};
#define PARAMETERS (sizeof parameters / sizeof *parameters)

static const struct number *number_of(const struct machine *m, const struct parameter *p)
{
    return (const struct number *)(const void *)((const char *)m + p->at);
}

static void rows_models(struct table *t, const struct machine *m)
{
    char shown[VALUE], interval[2 * VALUE], sizes[2 * VALUE];

    for (const struct parameter *p = parameters; p < parameters + PARAMETERS; p++) {
        const struct number *x = number_of(m, p);

        table_add(t, ROW(MEMBERS(x), cell_text("model", machine_model_name[p->model]), cell_text("parameter", p->key),
            cell_text("shown", value_text(shown, x->value, p->rate)),
            cell_text("interval", interval_text(interval, x, p->rate)),
            cell_real("error_percent", 100 * m->worst[p->model]),
            cell_text("sizes", sizes_text(sizes, x->from, x->to)), cell_text("unit", p->rate ? "B/s" : "s"),
            cell_real("error_bytes", m->near.bytes[m->worst_at[p->model]])));
    }
}

static void rows_pieces(struct table *t, const struct machine *m)
{
    char a[VALUE], b[VALUE], in_a[2 * VALUE], in_b[2 * VALUE], sizes[2 * VALUE];

    for (size_t k = 0; k < m->npiece; k++) {
        const struct fitted_line *l = &m->piece[k];

        table_add(t, ROW(MEMBERS(&l->a), cell_int("piece", (int64_t)k + 1),
            cell_text("sizes", sizes_text(sizes, l->a.from, l->a.to)),
            cell_int("rows", (int64_t)(l->piece.to - l->piece.from)),
            cell_text("start", value_text(a, l->a.value, false)),
            cell_text("start_interval", interval_text(in_a, &l->a, false)),
            cell_text("rate", value_text(b, l->rate.value, true)),
            cell_text("rate_interval", interval_text(in_b, &l->rate, true)),
            cell_real("error_percent", 100 * l->piece.worst),
            cell_real("start_us", 1e6 * l->a.value), cell_real("start_low_us", 1e6 * l->a.lo),
            cell_real("start_high_us", 1e6 * l->a.hi), cell_real("rate_mbs", rate_shown(l->rate.value)),
            cell_real("rate_low_mbs", rate_shown(l->rate.lo)), cell_real("rate_high_mbs", rate_shown(l->rate.hi))));
    }
}

static void rows_residuals(struct table *t, const struct machine *m)
{
    const struct times *s = &m->near;

    for (size_t k = 0; k < m->npiece; k++)
        for (size_t i = m->piece[k].piece.from; i < m->piece[k].piece.to; i++) {
            const struct fitted_line *l = &m->piece[k];
            const struct log_row *row = &m->log->row[s->row[i]];
            const double fit = piece_at(&l->piece, s->bytes[i]);
            /* of a, and of 1/B times the size, as if these did not depend on each other */
            const double half = hypot((l->a.hi - l->a.lo) / 2,
                                      s->bytes[i] * (1 / l->rate.lo - 1 / l->rate.hi) / 2);

            table_add(t, ROW(cell_real("bytes", s->bytes[i]), cell_real("time_us", 1e6 * s->time[i]),
                cell_real("fit_us", 1e6 * fit), cell_real("residual_percent", 100 * (s->time[i] / fit - 1)),
                cell_int("piece", (int64_t)k + 1), cell_int("repetitions", (int64_t)(s->first[i + 1] - s->first[i])),
                cell_real("half_us", 1e6 * half),
                cell_real("one_line_percent", 100 * (piece_at(&m->one.piece, s->bytes[i]) / s->time[i] - 1)),
                cell_text("log", m->log->block[row->block].path), cell_int("line", (int64_t)row->line)));
        }
}

static double gain(const struct threshold *t)
{
    return 100 * (1 - t->other / t->measured);
}

static void rows_thresholds(struct table *t, const struct machine *m)
{
    for (size_t k = 0; k + 1 < m->npiece; k++) {
        struct threshold h;
        char advice[VALUE], size[32];

        machine_threshold(&h, m, k);
        snprintf(advice, sizeof advice, "%s", isnan(h.cross) ? "none: the lines do not cross" : !h.advised ?
                 "none: within the fit's error" : "");
        if (h.advised)
            snprintf(advice, sizeof advice, "%s to %s", h.cross > h.changes ? "raise" : "lower",
                     text_size(size, (int64_t)round(h.cross)));
        table_add(t, ROW(cell_real("changes_bytes", h.changes), cell_real("cross_bytes", h.cross),
            cell_real("at_bytes", h.at), cell_real("measured_us", 1e6 * h.measured),
            cell_real("other_us", 1e6 * h.other), cell_real("gain_percent", gain(&h)), cell_text("advice", advice)));
    }
    table_note(t, "Other line: that of the neighbouring piece, extrapolated beyond its sizes; a gain counts where it "
               "is more than both pieces are off.");
}

/* The threshold where most is lost; false: none is worth it. */
static bool best_threshold(struct threshold *best, const struct machine *m)
{
    struct threshold h;

    *best = (struct threshold){ .advised = false };
    for (size_t k = 0; k + 1 < m->npiece; k++) {
        machine_threshold(&h, m, k);
        if (h.advised && (!best->advised || gain(&h) > gain(best)))
            *best = h;
    }
    return best->advised;
}

static int rows_export(struct table *t, const struct request *q, struct err *err)
{
    struct threshold h;
    char line[100];

    if (!best_threshold(&h, &q->machine))
        return err_set(err, ERR_DOMAIN, "no threshold of these logs is worth setting; --show thresholds has them");
    for (size_t i = 0; i < sizeof export_line / sizeof *export_line; i++)
        if (strcmp(export_line[i][0], q->export) == 0) {
            snprintf(line, sizeof line, export_line[i][1], round(h.cross));
            table_add(t, ROW(cell_text("setting", line), cell_text("library", q->export)));
        }
    if (!table_rows(t))
        return err_set(err, ERR_USAGE, "--export is '%.40s'; it may be " EXPORTS, q->export);
    table_note(t, "%.2f us at %.0f B become %.2f by the other line, which is extrapolated.%s", 1e6 * h.measured, h.at,
               1e6 * h.other, strcmp(q->export, "mpich") == 0 ? " The first line to MPICH 4.3, the second after." : "");
    return 0;
}

/* What the logs have that is not in the table, and what to take. */
static void fit_notes(struct table *t, const struct request *q)
{
    const struct machine *m = &q->machine;
    const struct times *s = &m->near;
    size_t repeated = 0, off = 0;
    char size[32];

    if (table_find(t, "model") >= 0)
        table_note(t, "plogp takes every size as measured; one line is off by %.0f %% at %s bytes, in %zu %s it is off "
               "by %.1f %%.", 100 * m->worst[MACHINE_HOCKNEY], text_size(size, (int64_t)s->bytes[m->worst_at[0]]),
               m->npiece, m->npiece == 1 ? "piece" : "pieces", 100 * machine_worst(m));
    if (table_find(t, "model") >= 0 && strcmp(m->o.by, "assumed") == 0)
        table_note(t, "o is in no log: it is assumed to be %s (--overhead says it).", m->flow.n ?
                   "the gap of small messages" : "half the latency");
    for (size_t i = 0; i < s->n; i++)
        repeated += s->first[i + 1] - s->first[i] > 1;
    if (repeated && !s->repeated)
        table_note(t, "%zu %s more than once; the mean is taken.", repeated, repeated == 1 ? "size comes" :
                   "sizes come");
    for (size_t k = 0; k < m->npiece; k++)
        for (size_t i = m->piece[k].piece.from; i < m->piece[k].piece.to; i++) {
            const double rest = s->time[i] / piece_at(&m->piece[k].piece, s->bytes[i]) - 1;
            const struct log_row *row = &m->log->row[s->row[i]];

            if (fabs(rest) > PIECES_OFF && off++ < 5)
                table_note(t, "%.80s:%zu: %.4g us for %.0f bytes, %.0f %% off what its piece says.",
                           m->log->block[row->block].path, row->line, 1e6 * s->time[i], s->bytes[i], 100 * rest);
        }
    if (m->flow.n && (m->rate.value > 2 * m->piece[m->npiece - 1].rate.value ||
                      2 * m->rate.value < m->piece[m->npiece - 1].rate.value))
        table_note(t, "The bandwidth log has %.0f MB/s, the latencies %.0f: are they of one machine?",
                   rate_shown(m->rate.value), rate_shown(m->piece[m->npiece - 1].rate.value));
    for (size_t i = 0; i < m->log->nblock; i++) {
        const struct log_block *b = &m->log->block[i];

        if (b->what == LOG_OTHER || b->what == LOG_COLLECTIVE)
            table_note(t, "%.80s:%zu: '%s' is left out: %s.", b->path, b->line, b->name, b->what == LOG_OTHER ?
                       "it is no latency or bandwidth of two" : "a collective");
        else if (b->column[LOG_TIME] && b->megabyte == 1048576)
            table_note(t, "%.80s:%zu: MB are of 2^20 bytes.", b->path, b->line);
    }
    if (m->log->skipped)
        table_note(t, "%zu %s of other programs passed over.", m->log->skipped, m->log->skipped == 1 ? "line" :
                   "lines");
}

/* ---- file -------------------------------------------------------------------------------------------- */

/* A parameter as a spec has it: six digits, in us or MB/s. */
static const char *spec_text(char out[VALUE], double value, bool rate)
{
    snprintf(out, VALUE, rate ? "%.6gMB/s" : "%.6gus", rate ? rate_shown(value) : 1e6 * value);
    return out;
}

/* Comments with the source, the day and the intervals, the spec, and what is the model's table. */
static void cost_write(FILE *f, const struct request *q, enum machine_model model, const char *day)
{
    const struct machine *m = &q->machine;
    const struct times *s = &m->near;
    char value[VALUE], hi[VALUE];

    fprintf(f, "# `metapath fit`, %s; to be read by --cost @FILE\n", day);
    for (size_t i = 0; i < q->nlog; i++)
        fprintf(f, "# from %s\n", q->sorted[i].path);
    fprintf(f, "# off by %.1f %% at most, at %.0f bytes\n", 100 * m->worst[model], s->bytes[m->worst_at[model]]);
    for (const struct parameter *p = parameters; p < parameters + PARAMETERS; p++) {
        const struct number *x = number_of(m, p);

        if (p->model == model && isfinite(x->lo) && isfinite(x->hi))
            fprintf(f, "# 95 %%: %s %s to %s (%s)\n", p->key, spec_text(value, x->lo, p->rate),
                    spec_text(hi, x->hi, p->rate), x->by);
    }
    for (size_t k = 0; k < m->npiece; k++) {
        const struct fitted_line *l = &m->piece[k];

        fprintf(f, "# piece: %.0f to %.0f bytes, %s, %s\n", l->a.from, l->a.to, spec_text(value, l->a.value, false),
                isfinite(l->rate.value) ? spec_text(hi, l->rate.value, true) : "no rate");
    }
    fputs(machine_model_name[model], f);
    for (const struct parameter *p = parameters; p < parameters + PARAMETERS; p++)
        if (p->model == model && isfinite(number_of(m, p)->value))
            fprintf(f, ",%s=%s", p->key, spec_text(value, number_of(m, p)->value, p->rate));
    fputs(model == MACHINE_PLOGP ? "\nbytes,g_us,os_us,or_us\n" : "\n", f);
    for (size_t i = 0; model == MACHINE_PLOGP && i < s->n; i++) {
        const double gap = machine_gap(m, i), work = fmin(gap, m->o.value);

        fprintf(f, "%.0f,%.6g,%.6g,%.6g\n", s->bytes[i], 1e6 * gap, 1e6 * work, 1e6 * work);
    }
}

/* Links need a rate; where none binds, the model with the pieces' own times serves. */
int fit_save(const struct request *q, struct err *err)
{
    const enum machine_model model = q->model ? (enum machine_model)(q->model - 1) :
        q->same_node ? MACHINE_LOGGP : MACHINE_LINKS;
    const char *given = getenv("SOURCE_DATE_EPOCH");
    const time_t now = given ? (time_t)strtoll(given, NULL, 10) : time(NULL);
    struct tm utc;
    struct output out;
    char day[40] = "";

    if (!isfinite(q->machine.rate.value) || !isfinite(q->machine.one.rate.value))
        return err_set(err, ERR_DOMAIN, "the last piece has no rate: its times do not grow with the size; measure "
                       "larger messages");
    if (gmtime_r(&now, &utc))
        strftime(day, sizeof day, "%Y-%m-%d", &utc);
    if (output_open(&out, q->cost_path, err) < 0)
        return -1;
    cost_write(out.stream, q, model, day);
    return output_commit(&out, err);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

int fit_rows(struct job *j, const struct request *q, struct err *err)
{
    switch (j->which) {
    case FIT_PIECES: rows_pieces(j->t, &q->machine); break;
    case FIT_RESIDUALS: rows_residuals(j->t, &q->machine); break;
    case FIT_THRESHOLDS: rows_thresholds(j->t, &q->machine); break;
    case FIT_EXPORT: return rows_export(j->t, q, err);
    default: rows_models(j->t, &q->machine); break;
    }
    fit_notes(j->t, q);
    return 0;
}

void fit_residuals(struct table *t, const struct machine *m)
{
    table_init(t, "Residuals", residual_columns, sizeof residual_columns / sizeof *residual_columns);
    rows_residuals(t, m);
}
