/* OSU Micro-Benchmarks: "# OSU MPI Latency Test v5.4.3", and lines that begin with '#', the last of which names the
 * columns. MB are of 10^6 bytes. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit/log.h"
#include "texts/log.h"

static bool osu_opens(struct log_block *b, const char *line)
{
    static const struct {
        const char *name;
        enum log_what what;
        double shared;
    } tests[] = { { "Latency", LOG_LATENCY, 1 }, { "Multi Latency", LOG_LATENCY, 1 },
                  { "Multi-process Latency", LOG_LATENCY, 1 }, { "Multi-threaded Latency", LOG_LATENCY, 1 },
                  { "Bandwidth", LOG_BANDWIDTH, 1 }, { "Bi-Directional Bandwidth", LOG_BANDWIDTH, 2 },
                  { "Multiple Bandwidth / Message Rate", LOG_BANDWIDTH, 1 },
                  { "All-to-All Personalized Exchange", LOG_COLLECTIVE, 1 } };
    const char *name, *end;

    if (strncmp(line, "# OSU ", 6) != 0)
        return false;
    name = line + 6 + strcspn(line + 6, " ");           /* MPI, MPI-CUDA; of MPI_Put no test is used */
    end = strstr(name, " Test");
    end = end ? end : strstr(name, " v");
    end = end ? end : name + strlen(name);
    snprintf(b->name, sizeof b->name, "%.*s", (int)(end - name - (end > name)), name + (end > name));
    b->unit = 0;
    b->megabyte = 1e6;
    if (strncmp(line + 6, "MPI", 3) != 0 || line[9] == '_')
        return true;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strncasecmp(b->name, tests[i].name, strlen(tests[i].name)) == 0 &&
            (!b->name[strlen(tests[i].name)] || strcmp(b->name + strlen(tests[i].name), " Latency") == 0)) {
            b->what = tests[i].what;
            b->shared = tests[i].shared;
        }
    if (b->what == LOG_OTHER) {
        char *latency = strstr(b->name, " Latency");

        if (latency)
            *latency = '\0';
        b->operation = log_operation(b->name);
        b->what = b->operation >= 0 ? LOG_COLLECTIVE : LOG_OTHER;
    } else if (b->what == LOG_COLLECTIVE)
        b->operation = log_operation("alltoall");
    return true;
}

/* Columns are two blanks or a tab apart; a unit stands in parentheses. */
static void osu_says(struct log_block *b, const char *line)
{
    const char *pairs = strstr(line, "[ pairs:"), *p = line + 1;
    const bool collective = b->what == LOG_COLLECTIVE;
    int column = 0, latency = -1;

    if (pairs && b->what == LOG_BANDWIDTH && atoi(pairs + 8) > 0)
        b->shared *= atoi(pairs + 8);
    if (b->nrow || (!strstr(line, "Size") && !strstr(line, "Latency")))
        return;
    b->size = b->value = b->rate = -1;
    for (p += strspn(p, " \t"); *p; column++) {
        size_t n = 0;
        const char *unit;

        while (p[n] && p[n] != '\t' && !(p[n] == ' ' && (p[n + 1] == ' ' || p[n + 1] == '\t')))
            n++;
        unit = memchr(p, '(', n);
        if (strncmp(p, "Size", 4) == 0)
            b->size = column;
        else if (memchr(p, 'M', n) && strstr(p, "MB/s") && strstr(p, "MB/s") < p + n)
            b->rate = b->rate < 0 ? column : b->rate;
        else if (unit && log_unit(unit + 1, strcspn(unit + 1, ")")) > 0) {
            b->unit = log_unit(unit + 1, strcspn(unit + 1, ")"));
            latency = latency < 0 ? column : latency;
            if (collective ? strncmp(p, "Max", 3) == 0 : strncmp(p, "Avg", 3) == 0)
                latency = column;
        }
        p += n + strspn(p + n, " \t");
    }
    *(b->what == LOG_BANDWIDTH ? &latency : &b->rate) = -1;
    b->value = latency;
    if (b->value < 0 && b->rate < 0)
        b->what = LOG_OTHER;
}

const struct log_kind log_osu = {
    .name = "osu", LOG_OSU_TEXT, .source = "Panda and others, OSU Micro-Benchmarks (Ohio State University)",
    .opens = osu_opens, .says = osu_says
};
