#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_dot = {
    EXPORT_DOT_ENTRY,
    .says = SAYS(NAMES) | SAYS(KINDS) | SAYS(PLACES) | SAYS(WEIGHTS) | SAYS(BANDWIDTHS) | SAYS(LATENCIES) | SAYS(PORTS) |
            SAYS(ALONE) | SAYS(PARALLEL) | SAYS(DIRECTED),
    .head = { "graph {\n", "digraph {\n" },
    .node = { "  \"%v\"%A;\n" },
    .cable = { "  \"%v\" %d \"%b\"%A;\n" },
    .said = { " [", "%k=%s", ", ", "]" },
    .quote = "\"",
    .escape = export_backslash,
    .tail = "}\n" };
