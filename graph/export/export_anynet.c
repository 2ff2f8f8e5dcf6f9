#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_anynet = {
    EXPORT_ANYNET_ENTRY,
    .says = SAYS(KINDS) | SAYS(LATENCIES),
    .node = { "router %n", "" },
    .cable = { " router %m%l", " node %m" },
    .own = { " node %n" },
    .closed = "\n" };
