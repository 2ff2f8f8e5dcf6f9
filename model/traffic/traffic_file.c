#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/csv.h"
#include "graph/base/file.h"
#include "graph/base/num.h"
#include "graph/base/text.h"
#include "graph/base/utf8.h"
#include "graph/import/imported.h"
#include "graph/base/names.h"
#include "model/traffic/traffic.h"

#define MOST_NAME 199           /* bytes of a stream's name */
#define MOST_BYTES ((size_t)1 << 30)

struct table {
    struct csv csv;
    const char *path;
    int source, destination, stream, interval, time, demand;    /* columns, -1: not there */
};

/* The first of the headings that is there. */
static int file_column(const struct csv *csv, const char *const *headings)
{
    for (; *headings; headings++) {
        int at = csv_column(csv, *headings);

        if (at >= 0)
            return at;
    }
    return -1;
}

static int file_read_table(struct table *table, struct err *err)
{
    static const char *const interval[] = { "interval_cycles", "interval", NULL };
    static const char *const time[] = { "time_cycles", "transmission_time", "time", "packet_flits", "packet", NULL };
    char *bytes = NULL;
    size_t len;
    int pair[2], ret = -1;

    if (file_read(&bytes, &len, table->path, MOST_BYTES, CSV_BYTES, err) < 0)
        return -1;
    if (imported_text(bytes, len, table->path, err) < 0 || csv_parse(&table->csv, bytes, len, table->path, err) < 0)
        goto done;
    if (csv_pair(pair, &table->csv, table->path, err) < 0)
        goto done;
    table->source = pair[0];
    table->destination = pair[1];
    table->stream = csv_column(&table->csv, "channel");
    table->interval = file_column(&table->csv, interval);
    table->time = file_column(&table->csv, time);
    table->demand = csv_column(&table->csv, "demand");
    if (table->demand >= 0 && table->interval >= 0)
        err_set(err, ERR_FORMAT, "%.200s has a column %s and a column demand, which both say how much is sent; leave "
                "one of them out", table->path, table->csv.heading[table->interval]);
    else if (table->csv.nrow == 0)
        err_set(err, ERR_FORMAT, "%.200s has a heading and no channels", table->path);
    else
        ret = 0;
done:
    free(bytes);
    return ret;
}

static int file_read_node(int *node, const struct table *table, size_t row, int column, const struct net *net,
                          struct err *err)
{
    char label[96];

    if (net_node(net, csv_at(&table->csv, row, column), node, err) < 0) {
        if (err->code == ERR_USAGE)
            err->code = ERR_FORMAT;
        return err_at(err, "%.200s:%zu: %s", table->path, table->csv.line[row], table->csv.heading[column]);
    }
    if (net_terminal_index(net, *node) < 0)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: %s %s is a switch of %.200s; channels join terminals", table->path,
                       table->csv.line[row], table->csv.heading[column], net_label(net, *node, label), net->spec);
    return 0;
}

/* A number within the limits of requests; `or_zero` for the message. */
static int file_read_number(double *number, const struct table *table, size_t row, int column, const char *or_zero,
                            struct err *err)
{
    const char *text = csv_at(&table->csv, row, column);
    struct err ignored;

    if (num_real(number, text, "", &ignored) < 0 || !(*number >= TRAFFIC_LEAST && *number <= TRAFFIC_MOST))
        return err_set(err, ERR_FORMAT, "%.200s:%zu: %.40s is '%.60s'; it must be %sfrom %g to %g", table->path,
                       table->csv.line[row], table->csv.heading[column], text, or_zero, TRAFFIC_LEAST, TRAFFIC_MOST);
    return 0;
}

/* What a stream offers, in units of a link: messages of its time, or of one cycle, as often as that takes. */
static int file_read_demand(struct stream *c, const struct table *table, size_t row, struct err *err)
{
    double demand;

    if (table->demand < 0)
        return 0;
    if (file_read_number(&demand, table, row, table->demand, "0 or ", err) < 0)
        return -1;
    c->time = isnan(c->time) ? 1 : c->time;
    c->interval = c->time / demand;
    return 0;
}

/* Whole matrices have zeros, on their diagonal above all: such rows are no streams. */
static bool file_asks_nothing(const struct table *table, size_t row)
{
    struct err ignored;
    double demand;

    return table->demand >= 0 && num_real(&demand, csv_at(&table->csv, row, table->demand), "", &ignored) == 0 &&
           demand == 0;
}

/* NAN where the cell is empty or not there. */
static int file_read_cycles(double *cycles, const struct table *table, size_t row, int column, struct err *err)
{
    *cycles = NAN;
    return column < 0 || !*csv_at(&table->csv, row, column) ? 0 :
        file_read_number(cycles, table, row, column, "", err);
}

/* NULL where the cell is empty or not there. `known` holds the names so far, in the order of rows first[]. */
static int file_read_name(char **name, const struct table *table, size_t row, struct names *known, size_t *first,
                          struct err *err)
{
    const char *text = table->stream < 0 ? "" : csv_at(&table->csv, row, table->stream);
    size_t len = strlen(text);
    int before = known->n, at;

    if (len == 0)
        return 0;
    for (size_t i = 0; i < len; i++)
        if (utf8_control(text + i))
            return err_set(err, ERR_FORMAT, "%.200s:%zu: the channel '%.60s' has a control character in its name",
                           table->path, table->csv.line[row], text);
    if (len > MOST_NAME)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the channel's name has %zu bytes; at most %d are taken",
                       table->path, table->csv.line[row], len, MOST_NAME);
    at = names_add(known, text, len, err);
    if (at < 0)
        return -1;
    if (at < before)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the channel '%.60s' is on line %zu already; each channel needs a "
            "name of its own", table->path, table->csv.line[row], text, table->csv.line[first[at]]);
    first[at] = row;
    *name = text_copy(text, len);
    return *name ? 0 : err_memory(err);
}

static int file_read_row(struct traffic *t, const struct table *table, size_t row, struct names *known, size_t *first,
                         struct err *err)
{
    int source, target;
    struct stream *c;

    if (file_read_node(&source, table, row, table->source, t->net, err) < 0 ||
        file_read_node(&target, table, row, table->destination, t->net, err) < 0)
        return -1;
    if (source == target)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the channel from '%.60s' leads to itself; source and destination "
                       "differ", table->path, table->csv.line[row], csv_at(&table->csv, row, table->source));
    traffic_add(t, source, target);
    c = &t->stream[t->nstream - 1];
    if (file_read_cycles(&c->interval, table, row, table->interval, err) < 0 ||
        file_read_cycles(&c->time, table, row, table->time, err) < 0 || file_read_demand(c, table, row, err) < 0)
        return -1;
    return file_read_name(&c->name, table, row, known, first, err);
}

static int file_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    struct table table = { .path = spec->params };
    struct names known = { 0 };
    size_t *first = NULL;
    int ret = -1;

    (void)net;
    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its path: write file:PATH", spec->text);
    if (file_read_table(&table, err) < 0 || traffic_room(t, table.csv.nrow, err) < 0)
        goto done;
    first = malloc(table.csv.nrow * sizeof *first);
    if (!first) {
        err_memory(err);
        goto done;
    }
    for (size_t row = 0; row < table.csv.nrow; row++)
        if (!file_asks_nothing(&table, row) && file_read_row(t, &table, row, &known, first, err) < 0)
            goto done;
    if (t->nstream == 0) {
        err_set(err, ERR_FORMAT, "%.200s: no channel has any demand", table.path);
        goto done;
    }
    t->offered = table.demand >= 0;
    ret = spec_append(&t->spec, err, "file:%s", spec->params);
done:
    free(first);
    names_release(&known);
    csv_release(&table.csv);
    return ret;
}

const struct traffic_kind traffic_file = {
    .name = "file",
    .takes_path = true,
    .synopsis = "file:PATH",
    .summary = "channels from a CSV file",
    .notes = "Columns are source and destination (or source, target; from, to; src, dst), nodes "
        "given by name, coordinates or number. Optional "
        "columns are channel (a unique name), the time between messages (interval_cycles or interval) and the "
        "transmission time (time_cycles, transmission_time, time, packet_flits or packet); of several that mean the "
        "same, the first in this order is used. Instead of an interval there may be a column demand: what the channel "
        "offers, in units of a link (messages take one cycle if there is no time; rows of 0 are left out). Empty "
        "cells mean what the options say; other columns are ignored. The path of a file that ends in .csv may stand "
        "alone, without file:.",
    .example = "file:examples/traffic/six_channels.csv",
    .example_net = "torus:8x8",
    .open = file_open
};
