/* OSU Micro-Benchmarks: "# OSU MPI Latency Test v5.4.3", and lines that begin with '#', the last of which names the
 * columns. MB are of 10^6 bytes. */
#include "analysis/fit/log.h"
#include "texts/log.h"

static bool osu_opens(struct log_block *b, const char *line)
{
    static const char suffix[] = " Latency";
    const size_t more = sizeof suffix - 1;
    const char *name, *end;

    if (strncmp(line, "# OSU ", 6) != 0)
        return false;
    name = line + 6 + strcspn(line + 6, " ");           /* MPI, MPI-CUDA; of MPI_Put no test is used */
    end = strstr(name, " Test");
    end = end ? end : strstr(name, " v");
    end = end ? end : name + strlen(name);
    name += end > name;
    b->megabyte = 1e6;
    log_benchmark(b, name, (size_t)(end - name));
    if (strncmp(line + 6, "MPI", 3) != 0 || line[9] == '_')
        b->what = LOG_OTHER;
    else if (b->what == LOG_OTHER && end > name + more && strncmp(end - more, suffix, more) == 0)
        log_benchmark(b, name, (size_t)(end - name) - more);
    return true;
}

const struct log_kind log_osu = {
    LOG_OSU_ENTRY,
    .opens = osu_opens,
    .phrases = true
};
