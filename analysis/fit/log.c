/* log.c -- blocks and rows of logs (log.h).
 * 1. names   of benchmarks and columns, and units in these
 * 2. rows    fields that are numbers, held against each other
 * 3. lines   what stands in front of them, and of which program they are */
#include "analysis/fit/log.h"

#include <strings.h>

#include "graph/base/file.h"
#include "model/collective/collective.h"
#include "registry/log.inc"

enum { LOG_FIELDS = 64 };
#define MOST_BYTES ((size_t)1 << 30)
#define BLOCKS_MOST 1000
#define SIZE_MOST 0x1p50
#define MB_BINARY 1048576.0

KIND(log, log, struct log_kind, .name = "log", .what = "form of a benchmark's log", .where = "`metapath list log`",
     .rank = 21, .apart = true)

/* ---- names ------------------------------------------------------------------------------------------- */

void log_benchmark(struct log_block *b, const char *name, size_t len)
{
    static const struct {
        const char *name;
        enum log_what what;
        double shared;
    } tests[] = { { "PingPong", LOG_LATENCY, 1 }, { "ping-pong", LOG_LATENCY, 1 }, { "Latency", LOG_LATENCY, 1 },
                  { "Multi Latency", LOG_LATENCY, 1 }, { "Multi-process Latency", LOG_LATENCY, 1 },
                  { "Multi-threaded Latency", LOG_LATENCY, 1 }, { "Bandwidth", LOG_BANDWIDTH, 1 },
                  { "Bi-Directional Bandwidth", LOG_BANDWIDTH, 2 },
                  { "Multiple Bandwidth / Message Rate", LOG_BANDWIDTH, 1 } };
    struct err none = { 0 };

    snprintf(b->name, sizeof b->name, "%.*s", (int)len, name);
    b->operation = -1;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcasecmp(b->name, tests[i].name) == 0) {
            b->what = tests[i].what;
            b->shared = tests[i].shared;
            return;
        }
    b->operation = strcasecmp(b->name, "All-to-All Personalized Exchange") == 0 ? ALLTOALL :
        operation_find(b->name, &none);
    b->what = b->operation >= 0 ? LOG_COLLECTIVE : LOG_OTHER;
}

/* Seconds in the unit that a name ends with, as in "Latency (us)", "t_max[usec]" and "time_us"; 0: it has none. */
static double name_unit(const char *name)
{
    static const struct {
        const char *name;
        double unit;
    } units[] = { { "us", 1e-6 }, { "usec", 1e-6 }, { "ns", 1e-9 }, { "nsec", 1e-9 }, { "ms", 1e-3 }, { "msec", 1e-3 },
                  { "s", 1 }, { "sec", 1 } };
    const char *unit = name + strlen(name);

    while (unit > name && !strchr("([_", unit[-1]))
        unit--;
    for (size_t i = 0; unit > name && i < sizeof units / sizeof *units; i++)
        if (strcspn(unit, ")]") == strlen(units[i].name) && strncmp(unit, units[i].name, strlen(units[i].name)) == 0)
            return units[i].unit;
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Cuts a line into its fields; LOG_FIELDS + 1: there are more. Fields between commas lose their quotes. */
static int row_cut(char *line, bool commas, char **field)
{
    const char *const ends = commas ? ",;\t" : " \t";
    int n = 0;

    for (char *p = line; *p && n <= LOG_FIELDS; n++) {
        char *end;

        p += strspn(p, commas ? " " : ends);
        if (!*p && !commas)
            break;
        end = p + strcspn(p, ends);
        if (n < LOG_FIELDS)
            field[n] = p;
        p = *end ? end + 1 : end;
        *end = '\0';
        for (char *last = end; commas && n < LOG_FIELDS && last > field[n] && strchr(" \"", last[-1]); last--)
            last[-1] = '\0';
        if (commas && n < LOG_FIELDS && *field[n] == '"')
            field[n]++;
    }
    return n;
}

/* Of names of times: between commas these alone. */
static bool name_of_time(const char *name, bool commas)
{
    static const char *const times[] = { "time_", "median_", "mean_", "latency_" };
    bool listed = !commas;

    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        listed |= strncmp(name, times[i], strlen(times[i])) == 0;
    return listed && name_unit(name) > 0;
}

/* Whether a line names columns, one of a time or a rate; which these are. Of several times of a latency the mean is
 * taken, of a collective the greatest. */
static bool heading(struct log_block *b, const char *text)
{
    static const struct {
        const char *name;
        enum log_column is;
    } names[] = { { "bytes", LOG_SIZE }, { "buffer_bytes", LOG_SIZE }, { "Size", LOG_SIZE },
                  { "processes", LOG_PROCESSES }, { "operation", LOG_OPERATION }, { "algorithm", LOG_ALGORITHM } };
    const bool commas = b->kind->commas;
    char line[1000], *field[LOG_FIELDS];
    int at[LOG_COLUMNS] = { 0 }, times = 0, n;

    if (isdigit((unsigned char)*text) ||
        snprintf(line, sizeof line, "%s", text + strspn(text, "# \t")) >= (int)sizeof line)
        return false;
    for (char *p = line + (strncmp(line, "Size ", 5) == 0 ? 5 : 1); b->kind->phrases && *line && *p; p++)
        if (*p == ' ' && !strchr(" \t", p[1]) && !strchr(" \t", p[-1]))
            *p = '.';
    n = row_cut(line, commas, field);
    if (n > LOG_FIELDS)
        return false;
    for (int i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(field[i], names[k].name) == 0)
                at[names[k].is] = i + 1;
        if (!at[LOG_RATE] && (strstr(field[i], "MB/s") || strstr(field[i], "Mbytes/sec")))
            at[LOG_RATE] = i + 1;
        if (!name_of_time(field[i], commas))
            continue;
        if (times++ == 0 || strcasestr(field[i], b->what == LOG_COLLECTIVE ? "max" : "avg"))
            at[LOG_TIME] = i + 1;
    }
    if (!(at[LOG_TIME] || at[LOG_RATE]) || (commas && !(at[LOG_TIME] && at[LOG_SIZE])))
        return false;
    b->unit = at[LOG_TIME] ? name_unit(field[at[LOG_TIME] - 1]) : 0;
    b->unit = commas && times > 1 ? -1 : b->unit;
    b->whole = at[LOG_SIZE] && strcmp(field[at[LOG_SIZE] - 1], "buffer_bytes") == 0;
    b->count = n;
    if (b->what != LOG_LATENCY || commas)
        at[b->what == LOG_BANDWIDTH ? LOG_TIME : LOG_RATE] = 0;
    memcpy(b->column, at, sizeof at);
    return true;
}

/* Digits that are a number, not nan or 0x1p3. */
static bool row_number(double *out, const char *text)
{
    struct err none = { 0 };

    *out = 0;
    return strspn(text, "0123456789+-.eE") == strlen(text) && num_real(out, text, "", &none) == 0;
}

/* Of a row that has a time and a rate: which MB makes them agree, to what both are rounded to. */
static int row_megabyte(struct log_block *b, double bytes, double time, double rate, size_t line, struct err *err)
{
    const double megabyte = bytes / time / rate, rounded = 0.006 * b->unit / time + 0.006 / rate;
    const double found = fabs(megabyte / 1e6 - 1) <= rounded + 0.003 ? 1e6 :
        fabs(megabyte / MB_BINARY - 1) <= rounded + 0.003 ? MB_BINARY : 0;

    if (!(bytes > 0 && time > 0 && rate > 0) || rounded > 0.015)
        return 0;
    if (found == 0 || (b->megabyte > 0 && b->megabyte != found))
        return err_set(err, ERR_FORMAT, "%.200s:%zu: %g bytes in %g us are %.4g MB/s of 10^6 bytes, and the row says "
                       "%g%s", b->path, line, bytes, 1e6 * time, bytes / time * 1e-6, rate,
                       found > 0 ? "; rows above count another MB" : ": neither that nor MB of 2^20");
    b->megabyte = found;
    return 0;
}

/* Room for a block more. */
static int block_add(struct log *l, const struct log_block *b, size_t number, struct err *err)
{
    if (l->nblock >= BLOCKS_MOST)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: more than %d blocks", b->path, number, BLOCKS_MOST);
    if (GROW_BY(l->nblock, 1, "the blocks of a log", err, GROWN(l->block)) < 0)
        return -1;
    l->block[l->nblock++] = *b;
    return 0;
}

/* What a row says of its block: under one heading the rows that say the same are one. */
static int row_part(struct log *l, size_t *at, char *const *field, size_t number, struct err *err)
{
    const char *said[LOG_COLUMNS] = { NULL };
    struct log_block b = l->block[*at];
    int64_t processes = 0;

    for (int i = LOG_PROCESSES; i <= LOG_ALGORITHM; i++)
        said[i] = b.column[i] ? field[b.column[i] - 1] : "";
    said[LOG_OPERATION] = *said[LOG_OPERATION] ? said[LOG_OPERATION] : l->operation ? l->operation : "ping-pong";
    log_benchmark(&b, said[LOG_OPERATION], strlen(said[LOG_OPERATION]));
    b.what = b.what == LOG_BANDWIDTH ? LOG_OTHER : b.what;
    snprintf(b.algorithm, sizeof b.algorithm, "%s", said[LOG_ALGORITHM]);
    if (*said[LOG_PROCESSES] && num_int(&processes, said[LOG_PROCESSES], 1, 1 << 24, "", err) < 0)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: '%.40s' is no number of processes", b.path, number,
                       said[LOG_PROCESSES]);
    b.processes = (int)processes;
    for (size_t k = l->nblock; k-- > 0 && l->block[k].line == b.line && l->block[k].path == b.path;) {
        const struct log_block *c = &l->block[k];

        b.nrow = c->nrow;
        if (!c->nrow || (c->operation == b.operation && c->what == b.what && c->processes == b.processes &&
                         strcmp(c->algorithm, b.algorithm) == 0)) {
            l->block[*at = k] = b;
            return 0;
        }
    }
    b.nrow = 0;
    *at = l->nblock;
    return block_add(l, &b, number, err);
}

/* Sizes are of all processes together, as some call the buffer of operations in which each has a block of its own. */
static bool row_shared(const struct log_block *b)
{
    return b->whole && b->processes > 0 && (b->operation == GATHER || b->operation == SCATTER ||
                                            b->operation == ALLGATHER || b->operation == ALLTOALL);
}

/* 1: a row; 0: no row; -1: a wrong one. */
static int row_read(struct log *l, char *line, size_t number, struct err *err)
{
    static const char *const what[] = { "the size", "the time", "the rate" };
    size_t at = l->nblock - 1;
    struct log_block *b = &l->block[at];
    const int *column = b->column;
    char *field[LOG_FIELDS];
    const int n = row_cut(line, b->kind->commas, field);
    double v[LOG_RATE + 1] = { 0 }, other;

    if (b->what != LOG_OTHER && !column[LOG_TIME] && !(column[LOG_RATE] && column[LOG_SIZE]))
        return 0;                       /* no column is named that says a time */
    if (n > LOG_FIELDS || (b->kind->commas && n != b->count))
        return 0;
    for (int i = 0; !b->kind->commas && i < n; i++)
        if (!row_number(&other, field[i]))
            return 0;
    for (int i = 0; i <= LOG_RATE; i++) {
        if (column[i] > n)
            return 0;
        if (column[i] && !row_number(&v[i], field[column[i] - 1]))
            return err_set(err, ERR_FORMAT, "%.200s:%zu: '%.40s' is no number; bytes and times are", b->path, number,
                           field[column[i] - 1]);
    }
    if (v[LOG_SIZE] != floor(v[LOG_SIZE]) || v[LOG_SIZE] > SIZE_MOST)
        return 0;
    for (int i = 0; i <= LOG_RATE; i++)
        if (v[i] < 0)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: %s is %s; it must not be negative", b->path, number, what[i],
                           field[column[i] - 1]);
    if (b->kind->commas && row_part(l, &at, field, number, err) < 0)
        return -1;
    b = &l->block[at];                  /* which a new block may have moved */
    column = b->column;
    b->nrow++;
    if (b->what == LOG_OTHER)
        return 1;
    v[LOG_TIME] *= b->unit;
    if (column[LOG_TIME] && column[LOG_RATE] && row_megabyte(b, v[LOG_SIZE], v[LOG_TIME], v[LOG_RATE], number, err) < 0)
        return -1;
    if (!column[LOG_TIME])
        v[LOG_TIME] = v[LOG_SIZE] / (v[LOG_RATE] * b->megabyte / b->shared);
    if (!(v[LOG_TIME] > 1e-12) || v[LOG_TIME] > 1e6)        /* below what any clock tells, or no time */
        return 1;
    if (GROW_BY(l->nrow, 1, "the rows of a log", err, GROWN(l->row)) < 0)
        return -1;
    l->row[l->nrow++] = (struct log_row){ at, number, v[LOG_SIZE] / (row_shared(b) ? b->processes : 1), v[LOG_TIME] };
    return 1;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

/* Without what launchers and mail put in front. */
static char *line_bare(char *p)
{
    for (;;) {
        const size_t digits = strspn(p, "0123456789");
        char *tag = *p == '[' ? strstr(p, "]<std") : NULL;

        if (isspace((unsigned char)*p) || *p == '>' || *p == '|')
            p++;
        else if (digits && p[digits] == ':' && (p[digits + 1] == ' ' || p[digits + 1] == '#'))
            p += digits + 1;
        else if (tag && strchr(tag, ':'))
            p = strchr(tag, ':') + 1;
        else
            return p;
    }
}

/* A block's times are in one unit, and so are those of the file, from block `first` on. */
static int block_unit(const struct log *l, size_t first, size_t number, struct err *err)
{
    const struct log_block *b = &l->block[l->nblock - 1];

    if (b->unit < 0)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: two columns have times; leave one of them out", b->path, number);
    for (size_t i = first; b->unit > 0 && i < l->nblock; i++)
        if (l->block[i].unit > 0 && l->block[i].unit != b->unit)
            return err_set(err, ERR_FORMAT, "%.200s:%zu: times in units of %g s, and from line %zu in units of %g s; "
                           "one log has one unit", b->path, number, b->unit, l->block[i].line, l->block[i].unit);
    return 0;
}

/* 1: a line that begins a block, or says something of it; 0: it does not. */
static int line_says(struct log *l, size_t first, const char *line, const char *path, size_t number, struct err *err)
{
    const char *const pairs = strstr(line, "[ pairs:"), *const processes = strstr(line, "#processes = ");
    struct log_block *b;

    for (const struct log_kind *const *k = log_all; *k; k++) {
        struct log_block new = { .kind = *k, .path = path, .line = number, .shared = 1, .name = "CSV",
                                 .hops = l->hops > 0 ? l->hops : 1 };

        if ((*k)->opens ? (*k)->opens(&new, line) : heading(&new, line))
            return block_add(l, &new, number, err) < 0 || block_unit(l, first, number, err) < 0 ? -1 : 1;
    }
    if (*line != '#' || l->nblock == first)
        return *line == '#' || !*line;
    b = &l->block[l->nblock - 1];
    if (pairs && b->what == LOG_BANDWIDTH && atoi(pairs + 8) > 0)
        b->shared *= atoi(pairs + 8);
    if (processes && atoi(processes + 13) > 0)
        b->processes = atoi(processes + 13);
    if (!b->nrow)
        heading(b, line);
    return block_unit(l, first, number, err) < 0 ? -1 : 1;
}

int log_parse(struct log *l, const char *text, size_t len, const char *path, struct err *err)
{
    const size_t first = l->nblock, rows = l->nrow;
    char *copy = text_copy(text, len);
    size_t number = 1;
    int ret = 0;

    if (!copy)
        return err_memory(err);
    if (strlen(copy) < len)
        ret = err_set(err, ERR_FORMAT, "%.200s holds a zero byte; it is no log", path);
    for (char *p = copy, *next; ret == 0 && *p; p = next, number++) {
        const size_t length = strcspn(p, "\n");
        char *line;

        next = p + length + (p[length] == '\n');
        p[length] = '\0';
        line = line_bare(p);
        for (char *end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
            *--end = '\0';
        ret = line_says(l, first, line, path, number, err);
        if (ret == 0 && l->nblock > first)
            ret = row_read(l, line, number, err);
        l->skipped += ret == 0;
        ret = ret < 0 ? -1 : 0;
    }
    free(copy);
    if (ret == 0 && l->nblock == first)
        return err_set(err, ERR_FORMAT, "%.200s has no block that is known: `# OSU MPI ... Test`, `# Benchmarking ...` "
                       "of the Intel MPI Benchmarks, or CSV headed bytes,time_us", path);
    if (ret == 0 && l->nrow == rows)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: the block '%s' has no row of a size and a time%s", path,
                       l->block[first].line, l->block[first].name, l->block[first].what == LOG_OTHER ?
                       " that is used here: latency, bandwidth or a collective is" : "");
    return ret;
}

int log_read(struct log *l, const char *path, struct err *err)
{
    char *bytes;
    size_t len;
    int ret;

    if (file_read(&bytes, &len, path, MOST_BYTES, 1, err) < 0)
        return -1;
    ret = log_parse(l, bytes, len, path, err);
    free(bytes);
    return ret;
}

void log_release(struct log *l)
{
    FREE(l->block, l->row);
    *l = (struct log){ 0 };
}
