/* log.c -- blocks and rows of logs (log.h).
 * 1. words   names of operations and units
 * 2. rows    fields that are numbers, held against each other
 * 3. lines   what stands in front of them, and of which program they are */
#include "analysis/fit/log.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/file.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/text.h"
#include "model/collective/collective.h"
#include "registry/log.inc"

#define MOST_BYTES ((size_t)1 << 30)
#define BLOCKS_MOST 1000
#define SIZE_MOST 0x1p50
#define MB_BINARY 1048576.0

KIND(log, log, struct log_kind, .name = "log", .what = "form of a benchmark's log", .where = "`metapath list log`",
     .rank = 21, .apart = true)

/* ---- words ------------------------------------------------------------------------------------------- */

/* The same letters and digits, whatever their case and what stands between. */
static bool words_alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a && !isalnum((unsigned char)*a))
            a++;
        while (*b && !isalnum((unsigned char)*b))
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (!*a)
            return true;
    }
}

int log_operation(const char *name)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (words_alike(name, operation_name[i]))
            return i;
    return words_alike(name, "bcast") ? BROADCAST : -1;
}

double log_unit(const char *text, size_t len)
{
    static const struct {
        const char *name;
        double unit;
    } units[] = { { "us", 1e-6 }, { "usec", 1e-6 }, { "ns", 1e-9 }, { "nsec", 1e-9 }, { "ms", 1e-3 }, { "msec", 1e-3 },
                  { "s", 1 }, { "sec", 1 } };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == len && strncmp(units[i].name, text, len) == 0)
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

static bool row_number(double *out, const char *text)
{
    char *end;

    *out = 0;
    if (!isdigit((unsigned char)*text) && *text != '-' && *text != '.')
        return false;
    *out = strtod(text, &end);
    return !*end && isfinite(*out) && !strpbrk(text, "xXpP");
}

/* Of a row that has a time and a rate: which MB makes them agree, to what both are rounded to. */
static int row_megabyte(struct log_block *b, double bytes, double time, double rate, size_t line, struct err *err)
{
    const double ratio = bytes / time / rate, rounded = 0.006 * b->unit / time + 0.006 / rate;
    double found = 0;

    if (!(bytes > 0 && time > 0 && rate > 0) || rounded > 0.015)
        return 0;
    for (int i = 0; i < 2; i++)
        if (fabs(ratio / (i ? MB_BINARY : 1e6) - 1) <= rounded + 0.003)
            found = i ? MB_BINARY : 1e6;
    if (!found || (b->megabyte && b->megabyte != found))
        return err_set(err, ERR_FORMAT, "%.200s:%zu: %g bytes in %g us are %.4g MB/s of 10^6 bytes, and the row says "
                       "%g%s", b->path, line, bytes, 1e6 * time, bytes / time * 1e-6, rate,
                       found ? "; rows above count another MB" : ": neither that nor MB of 2^20");
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

/* The block of a row, from that of the row before on: under one heading the one that says the same, or a new one. */
static int row_part(struct log *l, size_t *at, char *const *field, size_t number, struct err *err)
{
    struct log_block b = l->block[*at];

    b.nrow = 0;
    b.kind->part(&b, field);
    if (b.processes < 0)
        return err_set(err, ERR_FORMAT, "%.200s:%zu: '%.40s' is no number of processes", b.path, number,
                       field[b.words[0]]);
    for (size_t k = l->nblock; k-- > 0 && l->block[k].line == b.line && l->block[k].path == b.path;) {
        const struct log_block *c = &l->block[k];

        if (!c->nrow || (c->operation == b.operation && c->what == b.what && c->processes == b.processes &&
                         strcmp(c->algorithm, b.algorithm) == 0)) {
            b.nrow = c->nrow;
            l->block[*at = k] = b;
            return 0;
        }
    }
    *at = l->nblock;
    return block_add(l, &b, number, err);
}

/* Sizes are of all processes together, as some call the buffer of operations in which each has a block of its own. */
static bool row_shared(const struct log_block *b)
{
    return b->whole && (b->operation == GATHER || b->operation == SCATTER || b->operation == ALLGATHER ||
                        b->operation == ALLTOALL);
}

/* 1: a row; 0: no row; -1: a wrong one. */
static int row_read(struct log *l, char *line, size_t number, struct err *err)
{
    size_t at = l->nblock - 1;
    struct log_block *b = &l->block[at];
    char *field[LOG_FIELDS];
    const int n = row_cut(line, b->kind->commas, field);
    double v[LOG_FIELDS] = { 0 }, time, rate;

    if (b->what != LOG_OTHER && b->value < 0 && (b->rate < 0 || b->size < 0))
        return 0;                       /* no column is named that says a time */
    if (n > LOG_FIELDS || n <= b->value || n <= b->rate || n <= b->size || (b->kind->commas && n != b->count))
        return 0;
    for (int i = 0; i < n; i++) {
        const bool wanted = i == b->size || i == b->value || i == b->rate;

        if (row_number(&v[i], field[i]) || (b->kind->commas && !wanted))
            continue;
        return !b->kind->commas ? 0 : err_set(err, ERR_FORMAT, "%.200s:%zu: '%.40s' is no number; bytes and times are",
                                              b->path, number, field[i]);
    }
    if (b->size >= 0 && (v[b->size] != floor(v[b->size]) || v[b->size] > SIZE_MOST))
        return 0;
    for (int i = 0; i < n; i++)
        if (v[i] < 0 && (i == b->size || i == b->value || i == b->rate))
            return err_set(err, ERR_FORMAT, "%.200s:%zu: %s is %s; it must not be negative", b->path, number,
                           i == b->size ? "the size" : i == b->value ? "the time" : "the rate", field[i]);
    time = b->value < 0 ? NAN : v[b->value] * b->unit;
    rate = b->rate < 0 ? NAN : v[b->rate];
    if (b->kind->part && row_part(l, &at, field, number, err) < 0)
        return -1;
    b = &l->block[at];
    b->nrow++;
    if (b->what == LOG_OTHER)
        return 1;
    if (b->value >= 0 && b->rate >= 0 && b->size >= 0 && row_megabyte(b, v[b->size], time, rate, number, err) < 0)
        return -1;
    if (b->value < 0)
        time = v[b->size] / (rate * b->megabyte / b->shared);
    if (!(time > 1e-12) || time > 1e6)  /* below what any clock tells, or no time */
        return 1;
    if (GROW_BY(l->nrow, 1, "the rows of a log", err, GROWN(l->row)) < 0)
        return -1;
    l->row[l->nrow++] = (struct log_row){ at, number, b->size < 0 ? 0 : v[b->size] /
                                          (row_shared(b) && b->processes > 0 ? b->processes : 1), time };
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
    for (const struct log_kind *const *k = log_all; *k; k++) {
        struct log_block b = { .kind = *k, .path = path, .line = number, .operation = -1, .shared = 1, .size = -1,
                               .value = -1, .rate = -1, .what = LOG_OTHER, .words = { -1, -1, -1 } };

        if ((*k)->opens(&b, line))
            return block_add(l, &b, number, err) < 0 || block_unit(l, first, number, err) < 0 ? -1 : 1;
    }
    if (*line != '#' || l->nblock == first)
        return *line == '#' || !*line;
    if (l->block[l->nblock - 1].kind->says)
        l->block[l->nblock - 1].kind->says(&l->block[l->nblock - 1], line);
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
