#include "render/table/unit.h"

#include <strings.h>

struct unit_suffix {
    const char *suffix, *unit;
};
/* Only what is a unit wherever it ends a name: "nodes" counts in `supernode_nodes`, but "switch" names a thing. */
static const struct unit_suffix units[] = {
    { "hops", "hops" }, { "cycles", "cycles" }, { "percent", "%" }, { "pct", "%" }, { "ns", "ns" }, { "ms", "ms" },
    { "sec", "s" }, { "seconds", "s" }, { "bytes", "bytes" }, { "KiB", "KiB" }, { "MiB", "MiB" }, { "GiB", "GiB" },
    { "TiB", "TiB" }, { "flits", "flits" }, { "packets", "packets" }, { "messages", "messages" },
    { "phits", "phits" }, { "nodes", "nodes" }, { "links", "links" }, { "cables", "cables" }, { "kJ", "kJ" },
    { "nJ", "nJ" }, { "pJ", "pJ" }, { "kW", "kW" }, { "kWh", "kWh" }, { "Hz", "Hz" }, { "kHz", "kHz" },
    { "MHz", "MHz" }, { "GHz", "GHz" },
    { "EUR", "EUR" }, { "kEUR", "kEUR" }, { "MEUR", "MEUR" }, { "USD", "USD" }, { "kUSD", "kUSD" },
};
/* Those that other letter case would make another unit or a word: `_mw` may be mW or MW, `_Mb` is no byte, `_US` is a
 * country. */
static const struct unit_suffix exact_units[] = {
    { "us", "µs" }, { "s", "s" }, { "kb", "KB" }, { "mb", "MB" }, { "gb", "GB" }, { "B", "B" }, { "kB", "kB" },
    { "KB", "KB" }, { "MB", "MB" }, { "GB", "GB" }, { "TB", "TB" }, { "mbps", "MB/s" }, { "gbps", "GB/s" },
    { "MBps", "MB/s" }, { "GBps", "GB/s" }, { "Mbps", "Mb/s" }, { "Gbps", "Gb/s" }, { "mJ", "mJ" }, { "MJ", "MJ" },
    { "J", "J" }, { "W", "W" }, { "mW", "mW" }, { "MW", "MW" }, { "Mb/s", "Mb/s" }, { "Gb/s", "Gb/s" },
    { "Tb/s", "Tb/s" }, { "MB/s", "MB/s" }, { "GB/s", "GB/s" }, { "C", "°C" }, { "GPUs", "GPUs" },
};

/* The unit of a suffix; NULL: none. */
static const char *find(const char *suffix)
{
    for (size_t i = 0; i < sizeof exact_units / sizeof *exact_units; i++)
        if (strcmp(exact_units[i].suffix, suffix) == 0)
            return exact_units[i].unit;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcasecmp(units[i].suffix, suffix) == 0)
            return units[i].unit;
    return NULL;
}

/* What a heading has in brackets: "us" is written as the unit it stands for, all else as it is. */
const char *unit_of_word(const char *word)
{
    const char *unit = find(word);

    return unit ? unit : word;
}

/* "gbit_per_s" -> "Gb/s"; NULL: none. */
static const char *find_rate(const char *suffix)
{
    static const struct {
        const char *suffix, *unit;
    } rates[] = { { "gb_per_s", "GB/s" }, { "mb_per_s", "MB/s" }, { "kb_per_s", "KB/s" }, { "bytes_per_s", "bytes/s" },
                  { "MB_per_s", "MB/s" }, { "GB_per_s", "GB/s" }, { "Mb_per_s", "Mb/s" }, { "Gb_per_s", "Gb/s" },
                  { "Tb_per_s", "Tb/s" }, { "m_per_s", "m/s" }, { "samples_per_s", "samples/s" },
                  { "J_per_flit", "J/flit" },
                  { "gbit_per_s", "Gb/s" }, { "mbit_per_s", "Mb/s" }, { "kbit_per_s", "Kb/s" }, { "bit_per_s", "b/s" },
                  { "messages_per_s", "messages/s" }, { "packets_per_s", "packets/s" },
                  { "flits_per_s", "flits/s" }, { "flits_per_cycle", "flits/cycle" },
                  { "packets_per_cycle", "packets/cycle" }, { "messages_per_cycle", "messages/cycle" },
                  { "bytes_per_cycle", "bytes/cycle" }, { "cycles_per_hop", "cycles/hop" }, { "ns_per_hop", "ns/hop" },
                  { "flits_per_node_cycle", "flits per node and cycle" },
                  { "flits_per_node_per_cycle", "flits per node and cycle" },
                  { "packets_per_node_cycle", "packets per node and cycle" } };

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (strcmp(suffix, rates[i].suffix) == 0)
            return rates[i].unit;
    return NULL;
}

const char *unit_of_name(const char *name, size_t *stem)
{
    const char *last = strrchr(name, '_'), *unit;

    for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_'))
        if (at > name && (unit = find_rate(at + 1))) {
            *stem = (size_t)(at - name);
            return unit;
        }
    unit = last && last > name ? find(last + 1) : NULL;
    if (!unit || (last - name >= 4 && strncmp(last - 4, "_per", 4) == 0))       /* a rate that is not in the list */
        return NULL;
    *stem = (size_t)(last - name);
    return unit;
}
