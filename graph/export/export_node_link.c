#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_node_link = {
    EXPORT_NODE_LINK_ENTRY,
    .says = SAYS(NAMES) | SAYS(KINDS) | SAYS(PLACES) | SAYS(WEIGHTS) | SAYS(BANDWIDTHS) | SAYS(LATENCIES) | SAYS(PORTS) |
            SAYS(ALONE) | SAYS(PARALLEL) | SAYS(DIRECTED),
    .head = { "{\"directed\": false, \"multigraph\": true, \"graph\": {}, \"nodes\": [\n",
              "{\"directed\": true, \"multigraph\": true, \"graph\": {}, \"nodes\": [\n" },
    .node = { "{\"id\": \"%v\"%A}" },
    .middle = "\n], \"edges\": [\n",
    .cable = { "{\"source\": \"%v\", \"target\": \"%b\", \"key\": %e%A}" },
    .join = ",\n",
    .said = { ", ", "\"%k\": %s", ", ", "" },
    .quote = "\"",
    .escape = export_backslash,
    .tail = "\n]}\n" };
