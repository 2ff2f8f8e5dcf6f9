#include "render/table/unit.h"

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

/* The unit of a suffix; NULL: none. */
static const char *find(const char *suffix, size_t len)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].suffix) == len && strncmp(units[i].suffix, suffix, len) == 0)
            return units[i].unit;
    return NULL;
}

/* What a heading has in brackets: "us" is written as the unit it stands for, all else as it is. */
const char *unit_of_word(const char *word)
{
    const char *unit = find(word, strlen(word));

    return unit ? unit : word;
}

const char *unit_of_name(const char *name, size_t *stem)
{
    static const struct {
        const char *suffix, *unit;
    } rates[] = { { "gb_per_s", "GB/s" }, { "mb_per_s", "MB/s" }, { "kb_per_s", "KB/s" }, { "bytes_per_s", "bytes/s" },
                  { "gbit_per_s", "Gb/s" }, { "mbit_per_s", "Mb/s" }, { "kbit_per_s", "Kb/s" }, { "bit_per_s", "b/s" },
                  { "messages_per_s", "messages/s" }, { "packets_per_s", "packets/s" }, { "flits_per_cycle",
                    "flits/cycle" },
                  { "packets_per_cycle", "packets/cycle" } };
    const char *last = strrchr(name, '_'), *unit;
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        size_t n = strlen(rates[i].suffix);

        if (len > n + 1 && name[len - n - 1] == '_' && strcmp(name + len - n, rates[i].suffix) == 0) {
            *stem = len - n - 1;
            return rates[i].unit;
        }
    }
    unit = last && last > name ? find(last + 1, strlen(last + 1)) : NULL;
    if (!unit || (last - name >= 4 && strncmp(last - 4, "_per", 4) == 0))       /* a rate that is not in the list */
        return NULL;
    *stem = (size_t)(last - name);
    return unit;
}
