#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_anynet = {
    .name = "anynet",
    EXPORT_ANYNET_TEXT,
    .synopsis = ".anynet",
    .says = SAYS(KINDS) | SAYS(LATENCIES),
    .node = { "router %n", "" },
    .cable = { " router %m%l", " node %m" },
    .own = { " node %n" },
    .closed = "\n" };
