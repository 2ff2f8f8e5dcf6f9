/* Intel MPI Benchmarks: "# Benchmarking PingPong", "# #processes = 2", and a line that names the columns. The time of a
 * ping-pong is half a round trip. MB are of 2^20 bytes to version 4.x, and of 10^6 since 2018: the rows say it. */
#include "analysis/fit/log.h"
#include "texts/log.h"

static bool imb_opens(struct log_block *b, const char *line)
{
    static const char begins[] = "# Benchmarking ";
    const char *name = line + sizeof begins - 1;

    if (strncmp(line, begins, sizeof begins - 1) != 0)
        return false;
    log_benchmark(b, name, strcspn(name, " \t"));
    return true;
}

const struct log_kind log_imb = {
    LOG_IMB_ENTRY,
    .opens = imb_opens
};
