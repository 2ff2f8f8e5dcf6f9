#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_opensm = {
    .name = "opensm",
    EXPORT_OPENSM_TEXT,
    .synopsis = ".lfts",
    .says = ~0u,
    .unread = true,
    .routed = true };
