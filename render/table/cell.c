/* One cell: read from a field of CSV (from_csv.h), compared (table.h), and written for people, as headings are
 * (cells.h). */
#include <inttypes.h>
#include <strings.h>

#include "render/table/cells.h"
#include "render/table/from_csv.h"
#include "render/table/unit.h"

/* ---- read ---- */

#define NUMBER_LONGEST 400      /* 1e308 in full */

/* The field without blanks around it, when that is short enough for a number. */
static bool trimmed(char out[NUMBER_LONGEST], const char *field)
{
    size_t len;

    field += strspn(field, " \t\r\n");
    len = strlen(field);
    while (len && strchr(" \t\r\n", field[len - 1]))
        len--;
    if (len >= NUMBER_LONGEST)
        return false;
    memcpy(out, field, len);
    out[len] = '\0';
    return true;
}

static bool is_one_of(const char *word, const char *const *list)
{
    word += *word == '-' || *word == '+';
    if (!isalpha((unsigned char)*word))         /* most are numbers */
        return false;
    for (; *list; list++)
        if (strcasecmp(word, *list) == 0)
            return true;
    return false;
}

struct cell csv_cell(char *field)
{
    static const char *const nan_words[] = { "nan", "na", "n/a", "null", NULL }, *const inf_words[] = { "inf",
        "infinity", NULL };
    struct cell text = { .type = CELL_TEXT, .u.text = field };
    char word[NUMBER_LONGEST], *end;
    double real;

    if (!trimmed(word, field))
        return text;
    if (!*word || strcmp(word, "-") == 0 || is_one_of(word, nan_words))
        return (struct cell){ .type = CELL_NONE };
    if (is_one_of(word, inf_words))
        return (struct cell){ .type = CELL_REAL, .u.real = *word == '-' ? -INFINITY : INFINITY };
    if (word[strspn(word, "+-.0123456789eE")])          /* strtod would also read 0x10 */
        return text;
    if (!strpbrk(word, ".eE")) {
        long long whole;

        errno = 0;
        whole = strtoll(word, &end, 10);
        if (!*end && end > word && errno == 0)
            return (struct cell){ .type = CELL_INT, .u.integer = whole };
    }
    real = strtod(word, &end);
    if (*end || end == word || !isfinite(real))
        return text;
    return (struct cell){ .type = CELL_REAL, .u.real = real };
}

/* ---- compared ---- */

double cell_value(const struct cell *c)
{
    return c->type == CELL_INT ? (double)c->u.integer : c->type == CELL_REAL ? c->u.real : (double)NAN;
}

bool cell_same(const struct cell *a, const struct cell *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case CELL_TEXT: return strcmp(a->u.text, b->u.text) == 0;
    case CELL_INT: return a->u.integer == b->u.integer;
    case CELL_REAL: return a->u.real == b->u.real || (isnan(a->u.real) && isnan(b->u.real));
    default: return true;
    }
}

/* ---- written ---- */

/* Four significant digits, without an exponent where digits in full are easier to read. */
static void four_digits(char out[CELL_DIGITS], double v)
{
    if (fabs(v) >= 9999.5 && fabs(v) < 1e7)
        snprintf(out, CELL_DIGITS, "%.0f", v);
    else
        snprintf(out, CELL_DIGITS, "%.4g", v);
}

/* Rounded to n significant digits, and in full where that is easier to read: 12300. */
static void few_digits(char out[CELL_DIGITS], double v, int n)
{
    int decimals;

    snprintf(out, CELL_DIGITS, "%.*e", n - 1, v);
    v = strtod(out, NULL);
    decimals = v == 0 ? 0 : n - 1 - atoi(strchr(out, 'e') + 1);
    if (v != 0 && (fabs(v) >= 1e7 || fabs(v) < 1e-4))
        snprintf(out, CELL_DIGITS, "%.*g", n, v);
    else
        snprintf(out, CELL_DIGITS, "%.*f", decimals > 0 ? decimals : 0, v);
}

const char *cell_number(char out[CELL_DIGITS], const struct cell *cell, int decimals)
{
    double v;

    if (cell->type == CELL_INT) {
        snprintf(out, CELL_DIGITS, "%" PRId64, cell->u.integer);
        return out;
    }
    if (cell->type != CELL_REAL || isnan(cell->u.real))
        return strcpy(out, "-");
    v = cell->u.real;
    if (isinf(v))
        return strcpy(out, v > 0 ? "inf" : "-inf");
    if (decimals > DIGITS(0) && decimals < DIGITS(10))
        few_digits(out, v, decimals - DIGITS(0));
    else if (decimals < 0 || decimals > 17 || fabs(v) >= 1e15)
        four_digits(out, v);
    else
        snprintf(out, CELL_DIGITS, "%.*f", decimals, v);
    if (out[0] == '-' && !strpbrk(out, "123456789"))        /* -0.00 says nothing that 0.00 does not */
        memmove(out, out + 1, strlen(out));
    return out;
}

/* The name in words, without the suffix that repeats the unit. */
static char *heading_of_name(const struct column *c)
{
    size_t len = strlen(c->name), stem;
    const char *unit = unit_of_name(c->name, &stem);
    char *text = text_copy(c->name, c->unit && unit && strcmp(c->unit, unit) == 0 ? stem : len);

    for (char *p = text; p && *p; p++)
        if (*p == '_')
            *p = ' ';
    if (text)
        text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

char *column_heading(const struct column *c)
{
    return c->heading ? text_copy(c->heading, strlen(c->heading)) : heading_of_name(c);
}

char *column_title(const struct column *c)
{
    char *heading = column_heading(c), *title = NULL;

    if (!heading || !c->unit || !*c->unit)
        return heading;
    if (asprintf(&title, "%s%s[%s]", heading, *heading ? " " : "", c->unit) < 0)
        title = NULL;
    free(heading);
    return title;
}
