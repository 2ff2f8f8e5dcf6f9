#include <float.h>

#include "graph/base/base.h"

#define MOST_VALUES 1000000

/* One integer with suffix at *text; *text moves behind it. -1: none there, -2: does not fit 64 bits. */
static int scan_int(const char **text, int64_t *out)
{
    int shift = 0;
    char *end;
    long long v;

    if (!(**text == '-' || (**text >= '0' && **text <= '9')))
        return -1;
    errno = 0;
    v = strtoll(*text, &end, 10);
    if (end == *text)
        return -1;
    if (errno == ERANGE)
        return -2;
    switch (*end) {
    case 'K': shift = 10; break;
    case 'M': shift = 20; break;
    case 'G': shift = 30; break;
    default: break;
    }
    if (shift) {
        end++;
        if (__builtin_mul_overflow(v, 1LL << shift, &v))
            return -2;
    }
    *out = v;
    *text = end;
    return 0;
}

static int outside(const char *text, int len, int64_t lo, int64_t hi, const char *what, struct err *err)
{
    if (hi == INT64_MAX && *text == '-')
        return err_set(err, ERR_USAGE, "%s is %.*s; it must be at least %lld", what, len, text, (long long)lo);
    return err_set(err, ERR_USAGE, "%s is %.*s; it must be from %lld to %lld", what, len, text, (long long)lo,
                   (long long)hi);
}

int num_int(int64_t *out, const char *text, int64_t lo, int64_t hi, const char *what, struct err *err)
{
    const char *p = text;
    int64_t v = 0;
    int ret = scan_int(&p, &v);

    if (ret == 0 && v < 1000000 && strcasecmp(p, "k") == 0)
        return err_set(err, ERR_USAGE, "%s is '%.60s'; it must be a whole number: write %lld000 or %lld", what, text,
                       (long long)v, 1024 * (long long)v);
    if (ret == -1 || (ret == 0 && *p))
        return err_set(err, ERR_USAGE, "%s is '%.60s'; it must be a whole number%s", what, text,
                       strstr(text, "..") ? ", not a range" : "");
    if (ret == -2 || v < lo || v > hi)
        return outside(text, 40, lo, hi, what, err);
    *out = v;
    return 0;
}

int num_int_part(int64_t *out, const char *text, size_t len, int64_t lo, int64_t hi, const char *what, struct err *err)
{
    char part[64];

    if (len >= sizeof part)
        return err_set(err, ERR_USAGE, "%s is '%.60s'; a whole number is wanted", what, text);
    memcpy(part, text, len);
    part[len] = '\0';
    return num_int(out, part, lo, hi, what, err);
}

int num_real(double *out, const char *text, const char *what, struct err *err)
{
    char *end;
    double v;

    v = strtod(text, &end);
    if (end == text || isspace((unsigned char)*text) || *end || !isfinite(v))
        return err_set(err, ERR_USAGE, "%s is '%.60s'; it must be a finite number", what, text);
    *out = v;
    return 0;
}

int num_range(int64_t **out, size_t *n, const char *text, int64_t lo, int64_t hi, const char *what, struct err *err)
{
    int64_t *v = NULL;
    size_t count = 0;
    const char *p = text;

    for (;;) {
        const char *item = p;
        int64_t first, last, by = 1;
        bool factor = false;
        int ret = scan_int(&p, &first);

        last = first;
        if (ret == 0 && strncmp(p, "..", 2) == 0) {
            p += 2;
            ret = scan_int(&p, &last);
            if (ret == 0 && strncmp(p, "..", 2) == 0) {
                p += 2;
                factor = *p == 'x';
                p += factor;
                ret = scan_int(&p, &by);
            }
        }
        if (ret == -2) {
            outside(item, (int)strcspn(item, ","), lo, hi, what, err);
            goto fail;
        }
        if (ret < 0 || (*p && *p != ',')) {
            err_set(err, ERR_USAGE, "%s is '%.60s'; write numbers or ranges such as 8..16, 10..100..10, 1..16..x2",
                    what, text);
            goto fail;
        }
        if (first < lo || first > hi || last < lo || last > hi) {
            outside(item, (int)(p - item), lo, hi, what, err);
            goto fail;
        }
        if (last < first || by < 1 || (factor && (by < 2 || first < 1))) {
            err_set(err, ERR_USAGE, "%s has the range '%.*s', which does not ascend", what, (int)(p - item), item);
            goto fail;
        }
        for (int64_t x = first; x <= last;) {
            if (count == MOST_VALUES) {
                err_set(err, ERR_USAGE, "%s '%.60s' has more than %d values", what, text, MOST_VALUES);
                goto fail;
            }
            if (GROW_BY(count, 1, what, err, GROWN(v)) < 0)
                goto fail;
            v[count++] = x;
            if (factor ? __builtin_mul_overflow(x, by, &x) : __builtin_add_overflow(x, by, &x))
                break;
        }
        if (!*p)
            break;
        p++;
    }
    *out = v;
    *n = count;
    return 0;
fail:
    free(v);
    return -1;
}

struct real_range {
    double first, last, by;
    bool factor;
};

/* An item of a list: 5, 1..5, 1..5..0.5, 1..5..x1.2. Whether it is one; values are not compared yet. */
static bool scan_reals(struct real_range *r, const char *item)
{
    struct err ignored;
    char part[3][64];
    int n = 0;

    for (const char *p = item;;) {
        const char *end = strstr(p, "..");
        size_t len = end ? (size_t)(end - p) : strlen(p);

        if (n == 3 || len >= sizeof part[0])
            return false;
        memcpy(part[n], p, len);
        part[n++][len] = '\0';
        if (!end)
            break;
        p = end + 2;
    }
    r->factor = n == 3 && part[2][0] == 'x';
    r->by = 1;
    if (num_real(&r->first, part[0], "", &ignored) < 0)
        return false;
    r->last = r->first;
    return (n < 2 || num_real(&r->last, part[1], "", &ignored) == 0) &&
           (n < 3 || num_real(&r->by, part[2] + r->factor, "", &ignored) == 0);
}

static int add_reals(double **v, size_t *n, const struct real_range *r, const char *text, const char *what,
                     struct err *err)
{
    double steps = r->factor ? (log(r->last) - log(r->first)) / log(r->by) : (r->last - r->first) / r->by;
    size_t count;

    if (r->first == r->last)
        steps = 0;
    steps = floor(steps + 1e-9);
    if (!(steps + 1 + (double)*n <= MOST_VALUES))
        return err_set(err, ERR_USAGE, "%s '%.60s' has more than %d values", what, text, MOST_VALUES);
    count = (size_t)steps + 1;
    if (GROW_BY(*n, count, what, err, GROWN(*v)) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        char digits[32];
        double x;

        snprintf(digits, sizeof digits, "%.15g", r->factor ? r->first * pow(r->by, (double)i) :
                 r->first + (double)i * r->by);
        x = i ? strtod(digits, NULL) : r->first;
        (*v)[(*n)++] = x > r->last ? r->last : x;
    }
    return 0;
}

int num_reals(double **out, size_t *n, const char *text, double lo, double hi, const char *what, struct err *err)
{
    double *v = NULL;
    size_t count = 0;

    for (const char *p = text;;) {
        int len = (int)strcspn(p, ",");
        char *item = text_copy(p, (size_t)len);
        struct real_range r;
        bool read = item && scan_reals(&r, item);

        free(item);
        if (!item) {
            err_memory(err);
            goto fail;
        }
        if (!read) {
            err_set(err, ERR_USAGE, "%s is '%.60s'; write finite numbers or ranges such as 0.1..0.9..0.1, "
                "10..1000..x1.5", what, text);
            goto fail;
        }
        if (!(r.first >= lo && r.first <= hi && r.last >= lo && r.last <= hi)) {
            err_set(err, ERR_USAGE, "%s is %.*s; it must be from %g to %g", what, len > 60 ? 60 : len, p, lo, hi);
            goto fail;
        }
        if (r.last < r.first || (r.factor ? r.by <= 1 || r.first <= 0 : r.by <= 0)) {
            err_set(err, ERR_USAGE, "%s has the range '%.*s', which does not ascend", what, len > 60 ? 60 : len, p);
            goto fail;
        }
        if (!r.factor && r.last > r.first && r.by > (r.last - r.first) * (1 + 1e-9)) {
            err_set(err, ERR_USAGE, "%s has the range '%.*s', shorter than its step of %g; write the step too, as in "
                    "%g..%g..%g", what, len > 60 ? 60 : len, p, r.by, r.first, r.last, (r.last - r.first) / 4);
            goto fail;
        }
        if (add_reals(&v, &count, &r, text, what, err) < 0)
            goto fail;
        if (!p[len])
            break;
        p += len + 1;
    }
    *out = v;
    *n = count;
    return 0;
fail:
    free(v);
    return -1;
}

const char *num_shortest(char out[32], double value)
{
    if (isnan(value))
        return strcpy(out, "nan");
    if (isinf(value))
        return strcpy(out, value > 0 ? "inf" : "-inf");
    /* 15 digits find every shorter decimal too, but below DBL_MIN, where doubles hold fewer */
    for (int digits = 1; digits <= 17; digits += digits < 15 && fabs(value) >= DBL_MIN ? 14 : 1) {
        snprintf(out, 32, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    if (strchr(out, 'e') && value >= 1 - 1e15 && value <= 1e15 - 1 && value == trunc(value))
        snprintf(out, 32, "%.0f", value);           /* 100, where %.1g says 1e+02 */
    return out;
}

int num_ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

int num_ascending_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}
