#include "analysis/claim/claim.h"

#include "registry/claim.inc"

KIND(claim, claim, struct claim, .name = "claim", .what = "published table", .rank = 14, .apart = true)

const char *claim_verdict_name(enum claim_verdict verdict)
{
    static const char *const name[] = { "reproduced", "truncated", "explained", "shifted", "unexplained",
                                        "holds", "holds if", "order only", "other opponent", "does not hold" };

    return name[verdict];
}

int claim_digits(const char *printed)
{
    struct err ignored;
    double value;
    const char *point;

    if (strpbrk(printed, "eE") || num_real(&value, printed, "number", &ignored) < 0)
        return -1;
    point = strchr(printed, '.');
    return point ? (int)strlen(point + 1) : 0;
}

/* How many units of the last printed digit `value` lies above what is printed. */
static bool difference(double *units, double value, const char *printed)
{
    const int digits = claim_digits(printed);
    struct err ignored;
    double published;

    if (digits < 0 || !isfinite(value) || num_real(&published, printed, "number", &ignored) < 0)
        return false;
    *units = (value - published) * pow(10, digits);
    return true;
}

#define SLACK 1e-6                  /* of a digit, for what doubles lose */

bool claim_rounds_to(double value, const char *printed)
{
    double units;

    return difference(&units, value, printed) && fabs(units) <= 0.5 + SLACK;
}

bool claim_truncates_to(double value, const char *printed)
{
    double units;

    if (!difference(&units, value, printed))
        return false;
    units = value < 0 ? -units : units;         /* towards zero */
    return units >= -SLACK && units < 1 - SLACK;
}

int claim_run(const struct claim *claim, const struct csv *published, const struct claim_sink *sink, struct err *err)
{
    struct claim_sink s = *sink;

    s.claim = claim;
    s.published = published;
    return claim->run(&s, err);
}

int claim_emit(const struct claim_sink *sink, const struct claim_cell *cell, struct err *err)
{
    return sink->cell(sink->arg, cell, err) ? -1 : 0;
}

int claim_cell_init(struct claim_cell *cell, const char *quantity, const char *printed, double computed,
                    struct err *err)
{
    *cell = (struct claim_cell){ .quantity = quantity, .computed = computed, .verdict = CLAIM_UNEXPLAINED };
    if (claim_digits(printed) < 0 || strlen(printed) >= sizeof cell->printed)
        return err_set(err, ERR_FORMAT, "published %s '%.60s' is not a decimal number", quantity, printed);
    if (num_real(&cell->published, printed, quantity, err) < 0)
        return -1;
    snprintf(cell->printed, sizeof cell->printed, "%s", printed);
    if (claim_rounds_to(computed, printed))
        cell->verdict = CLAIM_REPRODUCED;
    else if (claim_truncates_to(computed, printed))
        cell->verdict = CLAIM_TRUNCATED;
    return 0;
}

int claim_number(const struct claim_sink *sink, struct err *err, const char *where, const char *quantity,
                 const char *printed, double computed)
{
    struct claim_cell cell;

    if (claim_cell_init(&cell, quantity, printed, computed, err) < 0)
        return -1;
    snprintf(cell.where, sizeof cell.where, "%s", where);
    return claim_emit(sink, &cell, err);
}

int claim_statement(const struct claim_sink *sink, struct err *err, double computed, enum claim_verdict verdict,
                    const char *where, const char *quantity, const char *printed, const char *fmt, ...)
{
    struct claim_cell cell = { .quantity = quantity, .published = NAN, .computed = computed, .verdict = verdict };
    va_list arg;

    snprintf(cell.where, sizeof cell.where, "%s", where);
    snprintf(cell.printed, sizeof cell.printed, "%s", printed);
    va_start(arg, fmt);
    vsnprintf(cell.why, sizeof cell.why, fmt, arg);
    va_end(arg);
    return claim_emit(sink, &cell, err);
}

enum claim_verdict claim_if(bool without, bool with)
{
    return without ? CLAIM_HOLDS : with ? CLAIM_HOLDS_IF : CLAIM_FAILS;
}

enum claim_verdict claim_ratio(double ratio, double least, double most, double sign)
{
    return ratio >= least && ratio <= most ? CLAIM_HOLDS :
        (sign < 0 ? ratio < -sign : ratio > sign) ? CLAIM_ORDER : CLAIM_FAILS;
}

enum claim_verdict claim_lower(int *which, double *ratio, const double *ours, int n, double rival, double weaker)
{
    const double than[] = { rival, weaker };

    for (int k = 0; k < 2; k++)
        for (*which = 0; *which < n; ++*which)
            if (ours[*which] < than[k] * (1 - 1e-6)) {
                *ratio = ours[*which] / than[k];
                return k ? CLAIM_OTHER : *which ? CLAIM_HOLDS_IF : CLAIM_HOLDS;
            }
    *which = 0;
    *ratio = isfinite(ours[0]) ? ours[0] / rival : NAN;
    return CLAIM_FAILS;
}

static void claim_offer(struct claim_cell *cell, double predicted, enum claim_verdict verdict, const char *reason)
{
    if (cell->verdict == CLAIM_UNEXPLAINED && claim_rounds_to(predicted, cell->printed)) {
        cell->verdict = verdict;
        cell->reason = reason;
    }
}

void claim_explain(struct claim_cell *cell, double predicted, const char *reason)
{
    claim_offer(cell, predicted, CLAIM_EXPLAINED, reason);
}

void claim_shift(struct claim_cell *cell, double predicted, const char *reason)
{
    claim_offer(cell, predicted, CLAIM_SHIFTED, reason);
}

int claim_columns(int *const *column, const struct csv *published, const char *headings, struct err *err)
{
    for (; *headings; column++) {
        const int len = (int)strcspn(headings, ",");
        char name[40];

        snprintf(name, sizeof name, "%.*s", len, headings);
        if ((**column = csv_column(published, name)) < 0)
            return err_set(err, ERR_FORMAT, "the published data has no column '%s'", name);
        headings += len + (headings[len] == ',');
    }
    return 0;
}
