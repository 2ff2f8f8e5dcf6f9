#include "render/unit.h"

#include <string.h>

/* Only what is a unit wherever it ends a name: "nodes" counts in `supernode_nodes`, but "switch" names a thing. */
static const struct {
    const char *suffix, *unit;
} units[] = {
    { "hops", "hops" }, { "cycles", "cycles" }, { "percent", "%" }, { "pct", "%" },
    { "ns", "ns" }, { "us", "µs" }, { "ms", "ms" }, { "s", "s" }, { "sec", "s" }, { "seconds", "s" },
    { "bytes", "bytes" }, { "kb", "KB" }, { "mb", "MB" }, { "gb", "GB" },
    { "mbps", "MB/s" }, { "gbps", "GB/s" }, { "MBps", "MB/s" }, { "GBps", "GB/s" },
    { "flits", "flits" }, { "packets", "packets" }, { "messages", "messages" }, { "phits", "phits" },
    { "nodes", "nodes" }, { "links", "links" }, { "cables", "cables" },
};

const char *unit_of_name(const char *name, size_t *stem)
{
    const char *last = strrchr(name, '_');

    if (!last || last == name)
        return NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(last + 1, units[i].suffix) == 0) {
            *stem = (size_t)(last - name);
            return units[i].unit;
        }
    return NULL;
}
