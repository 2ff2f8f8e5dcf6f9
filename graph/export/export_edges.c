#include "graph/export/export.h"
#include "texts/export.h"

/* What ends a name, and begins a comment or a dictionary. */
static const char *const edges_escape[] = { " ", "", "\t", "", "#", "", "%", "", "{", "", "'", "", "\"", "", ",", "", NULL };

const struct export_format export_edges = {
    EXPORT_EDGES_ENTRY,
    .says = SAYS(NAMES) | SAYS(WEIGHTS) | SAYS(BANDWIDTHS) | SAYS(LATENCIES) | SAYS(PORTS) | SAYS(PARALLEL) |
            SAYS(DIRECTED),
    .head = { "", "# one-way links: read it with directed=yes\n" },
    .cable = { "%v %b%A\n" },
    .said = { " {", "'%k': %s", ", ", "}" },
    .quote = "'",
    .escape = edges_escape };
