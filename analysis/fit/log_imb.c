/* Intel MPI Benchmarks: "# Benchmarking PingPong", "# #processes = 2", and a line that names the columns. The time of a
 * ping-pong is half a round trip. MB are of 2^20 bytes to version 4.x, and of 10^6 since 2018: the rows say it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit/log.h"
#include "texts/log.h"

static bool imb_opens(struct log_block *b, const char *line)
{
    static const char begins[] = "# Benchmarking ";

    if (strncmp(line, begins, sizeof begins - 1) != 0)
        return false;
    snprintf(b->name, sizeof b->name, "%.*s", (int)strcspn(line + sizeof begins - 1, " \t"), line + sizeof begins - 1);
    b->operation = log_operation(b->name);
    b->what = strcmp(b->name, "PingPong") == 0 ? LOG_LATENCY : b->operation >= 0 ? LOG_COLLECTIVE : LOG_OTHER;
    return true;
}

static void imb_says(struct log_block *b, const char *line)
{
    int column = 0;

    if (strncmp(line, "# #processes = ", 15) == 0 && atoi(line + 15) > 0)
        b->processes = atoi(line + 15);
    if (b->nrow || (strncmp(line, "#bytes", 6) != 0 && strncmp(line, "#repetitions", 12) != 0))
        return;
    for (const char *p = line; *p; column++) {
        const size_t n = strcspn(p, " \t");
        const char *unit = memchr(p, '[', n);

        if (strncmp(p, "#bytes", n) == 0)
            b->size = column;
        else if (strncmp(p, "Mbytes/sec", n) == 0)
            b->rate = column;
        else if (unit && (strncmp(p, "t[", 2) == 0 || strncmp(p, "t_max", 5) == 0)) {
            b->value = column;
            b->unit = log_unit(unit + 1, strcspn(unit + 1, "]"));
        }
        p += n + strspn(p + n, " \t");
    }
    if (b->what != LOG_LATENCY)
        b->rate = -1;
    if (b->value < 0 || !(b->unit > 0))
        b->what = LOG_OTHER;
}

const struct log_kind log_imb = {
    .name = "imb", LOG_IMB_TEXT, .source = "Intel MPI Benchmarks, User Guide", .opens = imb_opens, .says = imb_says
};
