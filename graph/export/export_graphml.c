#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_graphml = {
    EXPORT_GRAPHML_ENTRY,
    .says = SAYS(NAMES) | SAYS(KINDS) | SAYS(PLACES) | SAYS(WEIGHTS) | SAYS(BANDWIDTHS) | SAYS(LATENCIES) | SAYS(PORTS) |
            SAYS(ALONE) | SAYS(PARALLEL) | SAYS(DIRECTED),
    .head = { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n%K"
              "<graph edgedefault=\"undirected\">\n",
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n%K"
              "<graph edgedefault=\"directed\">\n" },
    .key = "<key id=\"%k\" for=\"%f\" attr.name=\"%k\" attr.type=\"%t\"/>\n",
    .node = { "<node id=\"%v\">%A</node>\n" },
    .cable = { "<edge source=\"%v\" target=\"%b\">%A</edge>\n" },
    .said = { "", "<data key=\"%k\">%s</data>", "", "" },
    .escape = export_xml,
    .tail = "</graph>\n</graphml>\n" };
