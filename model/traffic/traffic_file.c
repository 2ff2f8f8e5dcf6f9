/* Channels from a CSV file.
 * 1. table     columns by their headings, nodes and numbers
 * 2. channels  each row's ends, pace, name and group
 * 3. sources   rows of one group agree in all but their shares, which come to sum to 1 */
#include "graph/base/csv.h"
#include "graph/base/file.h"
#include "graph/base/utf8.h"
#include "graph/import/imported.h"
#include "graph/base/names.h"
#include "model/traffic/traffic.h"
#include "texts/traffic.h"

#define MOST_NAME 199           /* bytes of a name */
#define MOST_BYTES ((size_t)1 << 30)

struct table {
    struct csv csv;
    const char *path;
    int source, destination, stream, interval, time, demand, group, share;      /* columns, -1: not there */
};

/* ---- table ---- */

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
    table->interval = csv_first(&table->csv, interval);
    table->time = csv_first(&table->csv, time);
    table->demand = csv_column(&table->csv, "demand");
    table->group = csv_column(&table->csv, "source_group");
    table->share = table->group < 0 ? -1 : csv_column(&table->csv, "share");
    if (table->demand >= 0 && table->interval >= 0)
        err_set(err, ERR_FORMAT, "%.200s has a column %s and a column demand, which both say how much is sent; leave "
                "one of them out", table->path, table->csv.heading[table->interval]);
    else if (table->demand >= 0 && table->share >= 0)
        err_set(err, ERR_FORMAT, "%.200s has columns demand and share, which both say how the messages of a "
                "source_group divide; leave one of them out", table->path);
    else if (table->csv.nrow == 0)
        err_set(err, ERR_FORMAT, "%.200s has a heading and no channels", table->path);
    else
        ret = 0;
done:
    free(bytes);
    return ret;
}

int traffic_terminal(int *node, const struct net *net, const struct csv *csv, size_t row, int column, const char *path,
                     struct err *err)
{
    char label[NET_LABEL];

    if (net_node(net, csv_at(csv, row, column), node, err) < 0) {
        if (err->code == ERR_USAGE)
            err->code = ERR_FORMAT;
        return err_at(err, "%.200s:%zu: %s", path, csv->line[row], csv->heading[column]);
    }
    if (net_terminal_index(net, *node) < 0)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: %s %s is a switch of %.200s; channels join terminals", path,
                       csv->line[row], csv->heading[column], net_label(net, *node, label), net->spec);
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

/* What a stream offers, in units of a link. It stands for its share until all of its source is known. */
static int file_read_demand(struct stream *c, const struct table *table, size_t row, struct err *err)
{
    return table->demand < 0 ? 0 : file_read_number(&c->share, table, row, table->demand, "0 or ", err);
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

/* ---- channels ---- */

/* Names so far, and the first stream of each. */
struct known {
    const char *what;           /* they are names of */
    int column;
    struct names names;
    size_t *first;
};
struct rows {
    struct known channel, group;
    size_t *of, *source;        /* by stream: its row and its source */
    size_t nsource;
};

/* A copy of the cell that names the channel or the group of a stream, and the first stream of that name; NULL and the
 * stream itself where the cell is empty or not there. */
static int file_read_name(char **name, size_t *first, const struct table *table, size_t row, struct known *known,
                          size_t stream, struct err *err)
{
    const char *text = known->column < 0 ? "" : csv_at(&table->csv, row, known->column);
    const size_t len = strlen(text);
    const int before = known->names.n;
    int number;

    *first = stream;
    if (len == 0)
        return 0;
    for (size_t i = 0; i < len; i++)
        if (utf8_control(text + i))
            return err_set(err, ERR_FORMAT, "%.200s:%zu: the %s '%.60s' has a control character in its name",
                           table->path, table->csv.line[row], known->what, text);
    if (len > MOST_NAME)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the %s's name has %zu bytes; at most %d are taken", table->path,
                       table->csv.line[row], known->what, len, MOST_NAME);
    number = names_add(&known->names, text, len, err);
    if (number < 0)
        return -1;
    if (number == before)
        known->first[number] = stream;
    *first = known->first[number];
    *name = text_copy(text, len);
    return *name ? 0 : err_memory(err);
}

static bool file_same_number(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b;
}

/* Compares a row of a source with its first row: all must agree. */
static int file_check_group(const struct traffic *t, const struct table *table, const struct rows *rows, size_t first,
                            struct err *err)
{
    const size_t row = rows->of[t->nstream - 1];
    const struct stream *c = &t->stream[t->nstream - 1], *a = &t->stream[first];
    const int differs = c->source != a->source ? table->source :
        !file_same_number(c->interval, a->interval) ? table->interval :
        !file_same_number(c->time, a->time) ? table->time :
        table->share >= 0 && isnan(c->share) != isnan(a->share) ? table->share : -1;

    if (differs < 0)
        return 0;
    if (differs == table->share)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: share is '%.60s', and on line %zu '%.60s'; give all rows of "
                       "source_group '%.60s' a share, or none", table->path, table->csv.line[row],
                       csv_at(&table->csv, row, differs), table->csv.line[rows->of[first]],
                       csv_at(&table->csv, rows->of[first], differs), c->group);
    return err_set(err, ERR_FORMAT, "%.200s:%zu: %.40s is '%.60s', and on line %zu '%.60s'; rows of source_group "
                   "'%.60s' are one source, and it must be the same in all", table->path, table->csv.line[row],
                   table->csv.heading[differs], csv_at(&table->csv, row, differs), table->csv.line[rows->of[first]],
                   csv_at(&table->csv, rows->of[first], differs), c->group);
}

static int file_read_names(struct traffic *t, const struct table *table, size_t row, struct rows *rows, struct err *err)
{
    const size_t at = t->nstream - 1;
    struct stream *c = &t->stream[at];
    size_t first;

    rows->of[at] = row;
    if (file_read_name(&c->name, &first, table, row, &rows->channel, at, err) < 0)
        return -1;
    if (first < at)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the channel '%.60s' is on line %zu already; each channel needs a "
                       "name of its own", table->path, table->csv.line[row], c->name,
                       table->csv.line[rows->of[first]]);
    if (file_read_name(&c->group, &first, table, row, &rows->group, at, err) < 0)
        return -1;
    rows->source[at] = first < at ? rows->source[first] : rows->nsource++;
    return first < at ? file_check_group(t, table, rows, first, err) : 0;
}

static int file_read_row(struct traffic *t, const struct table *table, size_t row, struct rows *rows, struct err *err)
{
    int source, target;
    struct stream *c;

    if (traffic_terminal(&source, t->net, &table->csv, row, table->source, table->path, err) < 0 ||
        traffic_terminal(&target, t->net, &table->csv, row, table->destination, table->path, err) < 0)
        return -1;
    if (source == target)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the channel from '%.60s' leads to itself; source and destination "
                       "differ", table->path, table->csv.line[row], csv_at(&table->csv, row, table->source));
    traffic_add(t, source, target);
    c = &t->stream[t->nstream - 1];
    if (file_read_cycles(&c->interval, table, row, table->interval, err) < 0 ||
        file_read_cycles(&c->time, table, row, table->time, err) < 0 ||
        file_read_cycles(&c->share, table, row, table->share, err) < 0 || file_read_demand(c, table, row, err) < 0)
        return -1;
    return file_read_names(t, table, row, rows, err);
}

/* ---- sources ---- */

/* Puts the streams of each source together. */
static int file_sort_sources(struct traffic *t, const size_t *source, size_t n, struct err *err)
{
    struct stream *sorted;
    size_t *at;

    t->nsource = n;
    if (TAKE("the traffic's sources", err, ZEROS(t->first, n + 2), ARRAY(sorted, t->nstream)) < 0)
        return -1;
    at = t->first + 1;              /* at[i] becomes the end of source i's, that is first[i + 1] */
    for (size_t k = 0; k < t->nstream; k++)
        at[source[k] + 1]++;
    for (size_t i = 1; i <= n; i++)
        at[i] += at[i - 1];
    for (size_t k = 0; k < t->nstream; k++)
        sorted[at[source[k]]++] = t->stream[k];
    free(t->stream);
    t->stream = sorted;
    return 0;
}

/* Normalises shares: parts become shares that sum to 1, NAN equal shares; demands add up to the source's. */
static int file_make_sources(struct traffic *t, const struct table *table, const struct rows *rows, struct err *err)
{
    double *sum = calloc(rows->nsource, sizeof *sum);

    if (!sum)
        return err_memory(err);
    for (size_t k = 0; k < t->nstream; k++) {
        t->stream[k].share = isnan(t->stream[k].share) ? 1 : t->stream[k].share;
        sum[rows->source[k]] += t->stream[k].share;
    }
    for (size_t k = 0; k < t->nstream; k++) {
        struct stream *c = &t->stream[k];

        if (table->demand >= 0)
            c->interval = (isnan(c->time) ? 1 : c->time) / sum[rows->source[k]];
        c->share /= sum[rows->source[k]];
    }
    free(sum);
    return rows->nsource == t->nstream ? 0 : file_sort_sources(t, rows->source, rows->nsource, err);
}

static int file_open(struct traffic *t, const struct spec *spec, struct net *, struct err *err)
{
    struct table table = { .path = spec->params };
    struct rows rows = { 0 };
    size_t *number = NULL, n;
    int ret = -1;

    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its path: write file:PATH", spec->text);
    if (file_read_table(&table, err) < 0 || traffic_room(t, table.csv.nrow, err) < 0)
        goto done;
    n = table.csv.nrow;
    if (TAKE("the traffic", err, ARRAY(number, 4 * n)) < 0)
        goto done;
    rows = (struct rows){ .channel = { .what = "channel", .column = table.stream, .first = number },
                          .group = { .what = "source_group", .column = table.group, .first = number + n },
                          .of = number + 2 * n, .source = number + 3 * n };
    for (size_t row = 0; row < n; row++)
        if (!file_asks_nothing(&table, row) && file_read_row(t, &table, row, &rows, err) < 0)
            goto done;
    if (t->nstream == 0) {
        err_set(err, ERR_FORMAT, "%.200s: no channel has any demand", table.path);
        goto done;
    }
    t->offered = table.demand >= 0;
    if (file_make_sources(t, &table, &rows, err) == 0)
        ret = spec_append(&t->spec, err, "file:%s", spec->params);
done:
    free(number);
    names_release(&rows.channel.names);
    names_release(&rows.group.names);
    csv_release(&table.csv);
    return ret;
}

const struct traffic_kind traffic_file = {
    TRAFFIC_FILE_ENTRY,
    .takes_path = true,
    .open = file_open
};
