/* Parametrised LogP: a message of m bytes has its sender's processor for os(m) and, from the same moment, its interface
 * for g(m); it is there, taken by a receiver that does nothing else, L + g(m) after it began. The receiver's processor
 * works for or(m) of that, its interface for g(m). Between the sizes of the file all are linear, beyond the last they
 * go on as before it, below the first they are the first's. */
#include "analysis/collective/cost.h"
#include "graph/base/csv.h"
#include "graph/base/file.h"
#include "graph/base/quantity.h"
#include "graph/base/spec.h"
#include "texts/cost.h"

enum { BYTES, GAP, SEND, RECEIVE, COLUMNS };
static const char *const column_name[COLUMNS] = { "bytes", "g_us", "os_us", "or_us" };

struct plogp {
    double (*row)[COLUMNS];             /* bytes ascending; seconds */
    size_t n;
    double least, byte;                 /* seconds of a message at least; of a byte, whatever the message's size */
};

static void plogp_close(struct cost *c)
{
    free(((struct plogp *)c->state)->row);
}

static int plogp_row(struct plogp *p, const struct csv *csv, size_t k, const char *path, struct err *err)
{
    char what[200];

    for (int i = 0; i < COLUMNS; i++) {
        const int column = csv_column(csv, column_name[i]);

        if (column < 0)
            return err_set(err, ERR_FORMAT, "%.150s has no column %s: plogp needs bytes, g_us, os_us and or_us", path,
                           column_name[i]);
        snprintf(what, sizeof what, "%.150s, line %zu: %s", path, csv->line[k], column_name[i]);
        if (num_real(&p->row[k][i], csv_at(csv, k, column), what, err) < 0)
            return -1;
        if (p->row[k][i] < 0)
            return err_set(err, ERR_FORMAT, "%s is %g; it must not be negative", what, p->row[k][i]);
        p->row[k][i] *= i == BYTES ? 1 : 1e-6;
        if (quantity_limit(p->row[k][i], csv_at(csv, k, column), i == BYTES ? QUANTITY_SIZE : QUANTITY_TIME, what,
                           err) < 0)
            return -1;
    }
    return k == 0 || p->row[k][BYTES] > p->row[k - 1][BYTES] ? 0 :
        err_set(err, ERR_FORMAT, "%.150s, line %zu: sizes must rise from line to line", path, csv->line[k]);
}

static double plogp_slope(const struct plogp *p, size_t k, int column)
{
    return p->n < 2 ? 0 : (p->row[k + 1][column] - p->row[k][column]) / (p->row[k + 1][BYTES] - p->row[k][BYTES]);
}

/* A file that begins with a spec (fitted.h) has the table below it. */
static int plogp_csv(struct csv *csv, const char *path, struct err *err)
{
    char *bytes, *line;
    size_t len;
    int ret;

    if (file_read(&bytes, &len, path, (size_t)1 << 30, CSV_BYTES, err) < 0)
        return -1;
    for (line = bytes; *line == '#' || *line == '\n'; line += *line == '\n')
        line += strcspn(line, "\n");
    if (memchr(line, '=', strcspn(line, "\n")))
        *line = '#';
    ret = csv_parse(csv, bytes, len, path, err);
    free(bytes);
    return ret;
}

static int plogp_read(struct plogp *p, const char *path, struct err *err)
{
    struct csv csv = { 0 };
    int ret = -1;

    if (plogp_csv(&csv, path, err) < 0)
        return -1;
    p->n = csv.nrow;
    if (p->n == 0)
        err_set(err, ERR_FORMAT, "%.150s has no rows: plogp needs a size at least", path);
    else
        ret = TAKE(path, err, ARRAY(p->row, p->n));
    for (size_t k = 0; ret == 0 && k < p->n; k++)
        ret = plogp_row(p, &csv, k, path, err);
    csv_release(&csv);
    if (ret < 0)
        return -1;
    p->byte = p->n < 2 ? 0 : fmax(0, plogp_slope(p, p->n - 2, GAP));
    p->least = p->n > 1 && plogp_slope(p, p->n - 2, GAP) < 0 ? 0 : INFINITY;
    for (size_t k = 0; k < p->n; k++) {
        p->least = fmin(p->least, p->row[k][GAP]);
        if (p->row[k][BYTES] > 0)
            p->byte = fmin(p->byte, p->row[k][GAP] / p->row[k][BYTES]);
    }
    return 0;
}

static int plogp_open(struct cost *c, const struct spec *spec, const struct cost_network *, struct err *err)
{
    const char *path = spec_get(spec, "file");

    if (!path)
        return err_set(err, ERR_USAGE, "'%.80s' says no file: write it, as in %s", spec->text, c->kind->example);
    return cost_time(&c->a, c, spec, "l", NAN, err) < 0 || plogp_read(c->state, path, err) < 0 ? -1 :
        cost_room(c, 2 * (size_t)c->n, 0, err);
}

static double plogp_at(const struct cost *c, double bytes, int column)
{
    const struct plogp *p = c->state;
    size_t k = 0;

    if (p->n < 2 || bytes <= p->row[0][BYTES])
        return p->row[0][column];
    while (k + 2 < p->n && p->row[k + 1][BYTES] <= bytes)
        k++;
    return fmax(0, p->row[k][column] + plogp_slope(p, k, column) * (bytes - p->row[k][BYTES]));
}

static double plogp_send(struct cost *c, int from, int, double bytes, double *time, struct err *)
{
    double *nic = &c->free[from];
    const double start = fmax(*time, *nic);

    *nic = start + plogp_at(c, bytes, GAP);
    *time = start + plogp_at(c, bytes, SEND);
    return *nic + c->a - plogp_at(c, bytes, RECEIVE);
}

static double plogp_take(struct cost *c, int to, double bytes, double arrival, double time)
{
    double *last = &c->free[c->n + to];         /* when the interface was through with the one before */
    const double work = plogp_at(c, bytes, RECEIVE);

    return *last = fmax(fmax(time, arrival) + work, *last + plogp_at(c, bytes, GAP));
}

static double plogp_alone(const struct cost *c, double bytes)
{
    const struct plogp *p = c->state;

    return c->a + fmax(p->least, p->byte * bytes);
}

static double plogp_gap(const struct cost *c, double bytes)
{
    return fmax(plogp_at(c, bytes, GAP), plogp_at(c, bytes, SEND));
}

const struct cost_kind cost_plogp = {
    COST_PLOGP_ENTRY,
    .apart = true,
    .room = sizeof(struct plogp),
    .open = plogp_open,
    .close = plogp_close,
    .send = plogp_send,
    .take = plogp_take,
    .alone = plogp_alone,
    .gap = plogp_gap
};
