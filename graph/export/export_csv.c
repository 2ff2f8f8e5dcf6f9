#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_csv = {
    EXPORT_CSV_ENTRY,
    .says = SAYS(NAMES) | SAYS(WEIGHTS) | SAYS(BANDWIDTHS) | SAYS(LATENCIES) | SAYS(PORTS) | SAYS(PARALLEL) |
            SAYS(DIRECTED),
    .head = { "source,target%K\n" },
    .key = ",%k",
    .cable = { "%v,%b%A\n" },
    .said = { ",", "%s", ",", "" },
    .quote = "" };
