#include <sys/resource.h>

#include "graph/base/base.h"

/* The number after `key` in a file of "key number" lines (key "": the first number); NaN when there is none. */
static double number_in(const char *path, const char *key)
{
    FILE *f = fopen(path, "re");
    char line[256];
    double found = NAN;

    if (!f)
        return NAN;
    while (isnan(found) && fgets(line, sizeof line, f))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%lf", &found) != 1)
            break;
    fclose(f);
    return found;
}

double mem_available(void)
{
    double least = number_in("/proc/meminfo", "MemAvailable:") * 1024;
    double limit = number_in("/sys/fs/cgroup/memory.max", ""), used = number_in("/sys/fs/cgroup/memory.current", "");
    double cache = number_in("/sys/fs/cgroup/memory.stat", "inactive_file");   /* files' pages, given up when asked */
    double pages = number_in("/proc/self/statm", "");
    struct rlimit space;

    if (isnan(least))
        least = INFINITY;
    if (isfinite(cache))
        used -= cache;
    if (isfinite(limit) && isfinite(used) && limit - used < least)
        least = limit - used;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY && isfinite(pages) &&
        (double)space.rlim_cur - pages * 4096 < least)
        least = (double)space.rlim_cur - pages * 4096;
    return least > 0 ? least : 0;
}

int mem_need(double bytes, const char *what, struct err *err)
{
    double have;
    char need_text[32], have_text[32];

    if (bytes < 64e6)                   /* not worth asking the system */
        return 0;
    have = mem_available();
    if (bytes <= have)
        return 0;
    return err_set(err, ERR_MEMORY, "%s: %s of memory needed, %s available", what, text_bytes(need_text, bytes),
                   text_bytes(have_text, have));
}
