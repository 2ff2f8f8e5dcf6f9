#include "analysis/collective/fitted.h"
#include "graph/base/file.h"
#include "graph/base/quantity.h"
#include "graph/base/spec.h"
#include "graph/numeric/rng.h"

#define MOST_BYTES ((size_t)1 << 24)

/* A time or a rate, in the unit that it has. */
static int fitted_value(double *out, const char *text, const char *what, struct err *err)
{
    const bool rate = strstr(text, "b/s") || strstr(text, "B/s");
    bool unit;

    return quantity_parse(out, &unit, text, rate ? QUANTITY_RATE : QUANTITY_TIME, what, err);
}

static int fitted_interval(struct fitted *f, const char *line, const char *path, size_t number, struct err *err)
{
    struct fitted_interval *i = &f->interval[f->n];
    char lo[40], hi[40], what[300];

    snprintf(what, sizeof what, "%.200s:%zu: an interval", path, number);
    if (f->n >= FITTED_MOST || sscanf(line, "# 95 %%: %23s %39s to %39s", i->key, lo, hi) != 3)
        return err_set(err, ERR_FORMAT, "%s reads `# 95 %%: KEY LOW to HIGH`, and there are %d at most", what,
                       FITTED_MOST);
    if (fitted_value(&i->lo, lo, what, err) < 0 || fitted_value(&i->hi, hi, what, err) < 0)
        return -1;
    f->n++;
    return 0;
}

static int fitted_piece(struct fitted *f, const char *line, const char *path, size_t number, struct err *err)
{
    struct fitted_piece *p = &f->piece[f->npiece];
    double from = 0, us = 0, mbs = INFINITY;
    const int n = sscanf(line, "# piece: %lf to %*f bytes, %lfus, %lfMB/s", &from, &us, &mbs);

    if (f->npiece >= FITTED_PIECES || n < 2 || (n == 2 && !strstr(line, "us, no rate")) ||
        !(us > 0 && us < 1e12 && from < 1e15 && mbs > 1e-9) || !(f->npiece ? from > p[-1].from : from >= 0))
        return err_set(err, ERR_FORMAT, "%.200s:%zu: a piece reads `# piece: FROM to TO bytes, 3us, 100MB/s`, or no "
                       "rate, from size to size, and there are %d at most", path, number, FITTED_PIECES);
    *p = (struct fitted_piece){ from, 1e-6 * us, 1e-6 / mbs };
    f->npiece++;
    return 0;
}

int fitted_read(struct fitted *f, const char *path, struct err *err)
{
    char *bytes, *save = NULL;
    size_t len, number = 1;
    bool table = false;
    int ret = 0;

    if (file_read(&bytes, &len, path, MOST_BYTES, 2, err) < 0)
        return -1;
    for (char *p = bytes; ret == 0 && p && *p; number++) {
        char *line = p, *end = line + strcspn(line, "\r\n");

        p = strchr(line, '\n');
        p = p ? p + 1 : NULL;
        *end = '\0';
        if (strncmp(line, "# 95 %:", 7) == 0)
            ret = fitted_interval(f, line, path, number, err);
        if (strncmp(line, "# piece:", 8) == 0)
            ret = fitted_piece(f, line, path, number, err);
        if (!*line || *line == '#')
            continue;
        table |= save != NULL;
        save = save ? save : line;
    }
    if (ret == 0 && (!save || strlen(bytes) > len))
        ret = err_set(err, ERR_FORMAT, "%.200s has no line with a model of cost, as in links,overhead=400ns", path);
    if (ret == 0 && asprintf(&f->spec, table ? "%s,file=%s" : "%s", save, path) < 0) {
        f->spec = NULL;
        ret = err_memory(err);
    }
    free(bytes);
    return ret;
}

void fitted_release(struct fitted *f)
{
    free(f->spec);
    *f = (struct fitted){ 0 };
}

static double normal(struct rng *rng)
{
    return sqrt(-2 * log1p(-rng_uniform(rng))) * cos(2 * M_PI * rng_uniform(rng));
}

int fitted_draw(char **out, const struct fitted *f, struct rng *rng, struct err *err)
{
    struct spec spec;
    char *text = NULL;
    int ret;

    if (spec_parse(&spec, f->spec, false, err) < 0)
        return -1;
    ret = spec_append(&text, err, "%s", spec.name);
    for (size_t k = 0; ret == 0 && k < spec.noption; k++) {
        const struct fitted_interval *i = f->interval;
        const char *value = spec.option[k].value;
        double x, z;

        while (i < f->interval + f->n && strcmp(i->key, spec.option[k].key) != 0)
            i++;
        if (i == f->interval + f->n) {
            ret = spec_append(&text, err, ",%s=%s", spec.option[k].key, value);
            continue;
        }
        if (fitted_value(&x, value, i->key, err) < 0) {
            ret = -1;
            break;
        }
        z = normal(rng) / 1.96;
        x = fmax(x + z * (z > 0 ? fmax(0, i->hi - x) : fmax(0, x - i->lo)), x / 100);
        ret = spec_append(&text, err, x > 1e3 ? ",%s=%.9gb/s" : ",%s=%.9gs", spec.option[k].key, x);
    }
    spec_release(&spec);
    if (ret < 0)
        free(text);
    else
        *out = text;
    return ret;
}
