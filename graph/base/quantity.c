#include "graph/base/quantity.h"
#include "graph/base/spec.h"

/* Units by kind: first those that are written, ascending; then other spellings. */
static const struct {
    const char *name;
    enum quantity kind;
    double value;               /* times: how many make a second, which is exact */
    bool other;
} units[] = {
    { "B", QUANTITY_SIZE, 1, false }, { "KB", QUANTITY_SIZE, 0x1p10, false }, { "MB", QUANTITY_SIZE, 0x1p20, false },
    { "GB", QUANTITY_SIZE, 0x1p30, false }, { "KiB", QUANTITY_SIZE, 0x1p10, true },
    { "MiB", QUANTITY_SIZE, 0x1p20, true }, { "GiB", QUANTITY_SIZE, 0x1p30, true },
    { "b/s", QUANTITY_RATE, 1, false }, { "Kb/s", QUANTITY_RATE, 1e3, false }, { "Mb/s", QUANTITY_RATE, 1e6, false },
    { "Gb/s", QUANTITY_RATE, 1e9, false }, { "Tb/s", QUANTITY_RATE, 1e12, false },
    { "B/s", QUANTITY_RATE, 8, true }, { "KB/s", QUANTITY_RATE, 8e3, true }, { "MB/s", QUANTITY_RATE, 8e6, true },
    { "GB/s", QUANTITY_RATE, 8e9, true }, { "TB/s", QUANTITY_RATE, 8e12, true },
    { "ns", QUANTITY_TIME, 1e9, false }, { "us", QUANTITY_TIME, 1e6, false }, { "ms", QUANTITY_TIME, 1e3, false },
    { "s", QUANTITY_TIME, 1, false }, { "\xc2\xb5s", QUANTITY_TIME, 1e6, true },
};
#define UNITS (sizeof units / sizeof *units)

static const struct {
    const char *noun, *example;
    double least, most;
    const char *limits;
} kinds[] = {
    [QUANTITY_SIZE] = { "size", "32B, 4KB or 1MB", 0, 1e15, "0 to 1e15 B" },
    [QUANTITY_RATE] = { "rate", "100Mb/s, 200Gb/s or 25GB/s", 1, 1e18, "1 to 1e18 b/s" },
    [QUANTITY_TIME] = { "time", "100ns, 2us, 1ms or 1s", 0, 1e6, "0 to 1e6 s" }
};

/* Characters of the number at p; 0: there is none. The dots of a range are none of its. */
static size_t number_length(const char *p)
{
    const char *start = p;
    size_t digits = 0, n;

    p += *p == '-' || *p == '+';
    for (; isdigit((unsigned char)*p); p++)
        digits++;
    if (*p == '.' && p[1] != '.')
        for (p++; isdigit((unsigned char)*p); p++)
            digits++;
    if (digits == 0)
        return 0;
    if (*p == 'e' || *p == 'E') {
        n = 1 + (size_t)(p[1] == '-' || p[1] == '+');
        if (isdigit((unsigned char)p[n]))
            for (p += n; isdigit((unsigned char)*p); p++)
                ;
    }
    return (size_t)(p - start);
}

/* Bytes of the word at p that may be a unit; none begins with the x of a factor. */
static size_t unit_length(const char *p)
{
    size_t n = 0;

    while ((n || *p != 'x') && (isalpha((unsigned char)p[n]) || (n && p[n] == '/') || (unsigned char)p[n] >= 0x80))
        n++;
    return n;
}

struct measured {
    double number;
    const char *unit;           /* where it is written; "" */
    size_t len;                 /* of the unit */
    const char *end;
};

/* Number and unit at p; false: no number. */
static bool measure(struct measured *m, const char *p)
{
    const size_t n = number_length(p);

    if (n == 0)
        return false;
    m->number = strtod(p, NULL);        /* no more than the number: "10..20" is 10, and 1e is 1 */
    m->unit = p + n;
    m->unit += strspn(m->unit, " ");
    m->len = unit_length(m->unit);
    if (m->len == 0)
        m->unit = p + n;
    m->end = m->unit + m->len;
    return true;
}

/* The quantity, which has a unit. */
static int measured_value(double *out, const struct measured *m, const char *text, enum quantity kind, const char *what,
                          struct err *err)
{
    for (size_t i = 0; i < UNITS; i++)
        if (units[i].kind == kind && strlen(units[i].name) == m->len && strncmp(units[i].name, m->unit, m->len) == 0) {
            *out = kind == QUANTITY_TIME ? m->number / units[i].value : m->number * units[i].value;
            return isfinite(*out) ? 0 : err_set(err, ERR_USAGE, "%s is '%.60s'; it must be finite", what, text);
        }
    return err_set(err, ERR_USAGE, "%s is '%.60s'; '%.*s' is no unit of a %s: write it as in %s", what, text,
                   (int)(m->len > 20 ? 20 : m->len), m->unit, kinds[kind].noun, kinds[kind].example);
}

int quantity_parse(double *out, bool *unit, const char *text, enum quantity kind, const char *what, struct err *err)
{
    struct measured m;

    *unit = measure(&m, text) && !*m.end && m.len > 0;
    return *unit ? measured_value(out, &m, text, kind, what, err) : num_real(out, text, what, err);
}

int quantity_limit(double value, const char *text, enum quantity kind, const char *what, struct err *err)
{
    return value >= kinds[kind].least && value <= kinds[kind].most ? 0 :
        err_set(err, ERR_USAGE, "%s is %.40s; it must be from %s", what, text, kinds[kind].limits);
}

/* Moves past the number at p, or past one other character (as the dots of a range); whether it was a number, and no
 * factor. */
static bool quantity_next(struct measured *m, const char **p, const char *text)
{
    const bool factor = *p > text && (*p)[-1] == 'x';

    if (measure(m, *p)) {
        *p = m->end;
        return !factor;
    }
    *p += **p == '.' && (*p)[1] == '.' ? 2 : 1;
    return false;
}

bool quantity_in(const char *text)
{
    struct measured m;

    for (const char *p = text; *p;)
        if (quantity_next(&m, &p, text) && m.len > 0)
            return true;
    return false;
}

int quantity_rewrite(char **out, const char *text, enum quantity kind, double one, const char *what, struct err *err)
{
    char *made = NULL;
    int ret = spec_append(&made, err, "%s", "");

    for (const char *p = text; ret == 0 && *p;) {
        const char *start = p;
        struct measured m;
        double v;

        if (!quantity_next(&m, &p, text)) {
            ret = spec_append(&made, err, "%.*s", (int)(p - start), start);
        } else if (m.len == 0) {
            ret = err_set(err, ERR_USAGE, "%s is '%.60s'; write a unit behind every number of it, or behind none", what,
                          text);
        } else if (*p && *p != ',' && strncmp(p, "..", 2) != 0) {
            ret = err_set(err, ERR_USAGE, "%s is '%.60s'; a unit ends its number, but '%.20s' stands behind it", what,
                          text, p);
        } else {
            ret = measured_value(&v, &m, text, kind, what, err);
            if (ret == 0)
                ret = spec_append(&made, err, "%.15g", v / one);
        }
    }
    if (ret < 0) {
        free(made);
        return -1;
    }
    *out = made;
    return 0;
}

const char *quantity_text(char out[40], double value, enum quantity kind)
{
    double number = value;
    size_t best = UNITS;

    for (size_t i = 0; i < UNITS; i++) {
        const double in = kind == QUANTITY_TIME ? value * units[i].value : value / units[i].value;

        if (units[i].kind == kind && !units[i].other && (best == UNITS || fabs(in) >= 1 - 1e-12)) {
            best = i;
            number = in;
        }
    }
    snprintf(out, 40, "%.4g %s", number, units[best].name);
    return out;
}
