/* log.h -- sizes and times of messages out of what benchmarks print. One file log_NAME.c a form.
 * A file has blocks, each of one benchmark; a line that begins one says its form. In front of a line, quoting of mail
 * ("> "), ranks of launchers ("3: ", "[1,3]<stdout>:") and blanks are taken off. Lines of nobody (prompts, Markdown
 * fences, messages of other programs) are passed over and counted.
 * Units   bytes, seconds. A time is of one message: of a ping-pong half the round trip; of a bandwidth the bytes over
 *         the rate; of a collective of the process that takes longest, where the file says it.
 * Errors  ERR_FORMAT "PATH:LINE: ..." for what contradicts itself; ERR_IO, ERR_MEMORY. */
#pragma once

#include "graph/base/entry.h"

enum log_what { LOG_LATENCY, LOG_BANDWIDTH, LOG_COLLECTIVE, LOG_OTHER };
enum log_column { LOG_SIZE, LOG_TIME, LOG_RATE, LOG_PROCESSES, LOG_OPERATION, LOG_ALGORITHM, LOG_COLUMNS };
struct log_kind;
struct log_block {
    const struct log_kind *kind;
    const char *path;                   /* the caller's */
    size_t line, nrow;                  /* where it begins; rows, also of those that are not kept (LOG_OTHER) */
    char name[60];                      /* as the benchmark calls it */
    enum log_what what;
    int operation, processes;           /* of model/collective, -1: none; 0: not said */
    char algorithm[40];                 /* "": not said */
    double unit, megabyte;              /* seconds in a unit of time, -1: two of them; bytes in a MB; 0: not known */
    double shared;                      /* a rate is that of so many messages at once */
    double hops;                        /* links between its processes */
    int column[LOG_COLUMNS], count;     /* from 1, 0: it has none; fields of a row */
    bool whole;                         /* sizes are of all processes together, where each has a block of its own */
};
struct log_row {
    size_t block, line;
    double bytes, time;
};
struct log {
    struct log_block *block;
    struct log_row *row;
    size_t nblock, nrow, skipped;       /* skipped: lines of nobody */
    /* Of what is read next, the caller's: the operation of tables that do not say it, NULL: a ping-pong; links between
     * processes, 0: one. */
    const char *operation;
    double hops;
};
struct log_kind {
    ENTRY;
    /* Whether a block begins here, by log_benchmark. NULL: a line that names columns begins one. */
    bool (*opens)(struct log_block *b, const char *line);
    bool commas;                        /* fields stand between commas, not blanks; rows may say operation, count and
                                         * algorithm, of each of which they are a block */
    bool phrases;                       /* names of columns hold single blanks */
};
KIND_HEADER(log, log, struct log_kind);

/* Adds a file ("-": standard input), or text; the log is to be released either way. */
int log_read(struct log *l, const char *path, struct err *err);
int log_parse(struct log *l, const char *text, size_t len, const char *path, struct err *err);
void log_release(struct log *l);

/* For the forms: the name of a benchmark, and by it what it measures. */
void log_benchmark(struct log_block *b, const char *name, size_t len);
