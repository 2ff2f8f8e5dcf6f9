#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_gml = {
    EXPORT_GML_ENTRY,
    .says = SAYS(NAMES) | SAYS(KINDS) | SAYS(PLACES) | SAYS(WEIGHTS) | SAYS(BANDWIDTHS) | SAYS(LATENCIES) | SAYS(PORTS) |
            SAYS(ALONE) | SAYS(PARALLEL) | SAYS(DIRECTED),
    .head = { "graph [\n  directed 0\n", "graph [\n  directed 1\n" },
    .node = { "  node [ id %i label \"%v\"%A ]\n" },
    .cable = { "  edge [ source %i target %j%A ]\n" },
    .said = { " ", "%k %s", " ", "" },
    .quote = "\"",
    .escape = export_xml,
    .tail = "]\n" };
