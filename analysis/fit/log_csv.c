/* CSV: bytes,time_us[,processes,operation,algorithm,repetition]; the unit stands in the name of the column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit/log.h"
#include "texts/log.h"

enum { PROCESSES, OPERATION, ALGORITHM };

/* Seconds in the unit of "time_us", "median_ns"; 0: it is no time. */
static double csv_unit(const char *name, size_t len)
{
    static const char *const times[] = { "time_", "median_", "mean_", "latency_" };

    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (len > strlen(times[i]) && strncmp(name, times[i], strlen(times[i])) == 0)
            return log_unit(name + strlen(times[i]), len - strlen(times[i]));
    return 0;
}

/* A heading has a size and a time; of two times the units contradict, or one would be left out. */
static bool csv_opens(struct log_block *b, const char *line)
{
    static const char *const words[] = { "processes", "operation", "algorithm" };
    int column = 0, times = 0;

    if (!strpbrk(line, ",;\t"))
        return false;
    for (const char *p = line; *p; column++) {
        const size_t whole = strcspn(p, ",;\t"), before = strspn(p, " \"");
        const char *name = p + (before < whole ? before : whole);
        const size_t n = strcspn(name, " \",;\t");

        if ((n == 5 && strncmp(name, "bytes", n) == 0) || (n == 12 && strncmp(name, "buffer_bytes", n) == 0)) {
            b->size = column;
            b->whole = n == 12;
        }
        if (csv_unit(name, n) > 0) {
            b->value = column;
            b->unit = csv_unit(name, n);
            times++;
        }
        for (int i = PROCESSES; i <= ALGORITHM; i++)
            if (strlen(words[i]) == n && strncmp(name, words[i], n) == 0)
                b->words[i] = column;
        p += whole + (p[whole] != '\0');
    }
    b->count = column;
    snprintf(b->name, sizeof b->name, "CSV");
    b->what = LOG_LATENCY;
    if (times > 1)
        b->unit = -1;
    return b->size >= 0 && times > 0;
}

/* Rows of another operation, count or algorithm are a block of their own; of none, a ping-pong. */
static void csv_part(struct log_block *b, char *const *field)
{
    const char *const operation = b->words[OPERATION] < 0 ? "" : field[b->words[OPERATION]];
    const char *const processes = b->words[PROCESSES] < 0 ? "" : field[b->words[PROCESSES]];
    char *end = (char *)processes;

    if (*operation) {
        snprintf(b->name, sizeof b->name, "%s", operation);
        b->operation = log_operation(operation);
        b->what = b->operation >= 0 ? LOG_COLLECTIVE : strcmp(operation, "ping-pong") == 0 ? LOG_LATENCY : LOG_OTHER;
    }
    if (*processes) {
        const long n = strtol(processes, &end, 10);

        b->processes = *end || n < 1 || n > 1 << 24 ? -1 : (int)n;
    }
    snprintf(b->algorithm, sizeof b->algorithm, "%s", b->words[ALGORITHM] < 0 ? "" : field[b->words[ALGORITHM]]);
}

const struct log_kind log_csv = {
    .name = "csv", LOG_CSV_TEXT, .commas = true, .opens = csv_opens, .part = csv_part
};
