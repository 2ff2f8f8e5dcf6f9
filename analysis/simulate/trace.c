#include "analysis/simulate/trace.h"
#include "graph/base/csv.h"

struct columns {
    struct csv csv;
    const char *path;
    int time, pair[2], flits;
};
struct timed {
    double time;
    size_t row;
};

static int trace_earlier(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    const int by = num_ascending_reals(&x->time, &y->time);

    return by ? by : (x->row > y->row) - (x->row < y->row);
}

static int trace_columns(struct columns *c, struct err *err)
{
    c->time = csv_column(&c->csv, "time");
    if (c->time < 0)
        c->time = csv_column(&c->csv, "time_cycles");
    c->flits = csv_column(&c->csv, "flits");
    if (csv_pair(c->pair, &c->csv, c->path, err) < 0)
        return -1;
    if (c->time < 0 || c->flits < 0)
        return err_set(err, ERR_FORMAT, "%.200s has no column %s; a trace has time, source, destination and flits",
                       c->path, c->time < 0 ? "time" : "flits");
    return c->csv.nrow ? 0 : err_set(err, ERR_FORMAT, "%.200s has a heading and no messages", c->path);
}

static int trace_number(double *out, const struct columns *c, size_t row, int column, double from, double to,
                        struct err *err)
{
    const char *text = csv_at(&c->csv, row, column);
    struct err ignored;

    if (num_real(out, text, "", &ignored) < 0 || !(*out >= from && *out <= to) || (from > 0 && *out != floor(*out)))
        return err_set(err, ERR_FORMAT, "%.200s:%zu: %.40s is '%.60s'; it must be %sfrom %.0f to %.0f", c->path,
                       c->csv.line[row], c->csv.heading[column], text, from > 0 ? "a whole number " : "", from, to);
    return 0;
}

static int trace_message(struct simulate_message *m, const struct columns *c, size_t row, const struct net *net,
                         struct err *err)
{
    if (trace_number(&m->time, c, row, c->time, 0, TRAFFIC_MOST, err) < 0 ||
        traffic_terminal(&m->source, net, &c->csv, row, c->pair[0], c->path, err) < 0 ||
        traffic_terminal(&m->target, net, &c->csv, row, c->pair[1], c->path, err) < 0 ||
        trace_number(&m->flits, c, row, c->flits, 1, TRACE_FLITS, err) < 0)
        return -1;
    if (m->source == m->target)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the message from '%.60s' goes to itself; source and destination "
                       "differ", c->path, c->csv.line[row], csv_at(&c->csv, row, c->pair[0]));
    return 0;
}

int trace_read(struct simulate_message **out, size_t *n, const struct net *net, const char *path, struct err *err)
{
    struct simulate_message *read = NULL, *sorted = NULL;
    struct columns c = { .path = path };
    struct timed *order = NULL;
    int ret = -1;

    if (csv_read(&c.csv, path, err) < 0)
        return -1;
    if (trace_columns(&c, err) < 0 || TAKE("the trace", err, ARRAY(read, c.csv.nrow), ARRAY(sorted, c.csv.nrow),
                                           ARRAY(order, c.csv.nrow)) < 0)
        goto done;
    for (size_t i = 0; i < c.csv.nrow; i++) {
        if (trace_message(&read[i], &c, i, net, err) < 0)
            goto done;
        order[i] = (struct timed){ read[i].time, i };
    }
    qsort(order, c.csv.nrow, sizeof *order, trace_earlier);
    for (size_t i = 0; i < c.csv.nrow; i++)
        sorted[i] = read[order[i].row];
    *out = sorted;
    *n = c.csv.nrow;
    sorted = NULL;
    ret = 0;
done:
    FREE(read, sorted, order);
    csv_release(&c.csv);
    return ret;
}
