#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_opensm = {
    EXPORT_OPENSM_ENTRY,
    .says = ~0u,
    .unread = true,
    .routed = true };
