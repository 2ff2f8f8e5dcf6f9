#include "graph/export/export.h"
#include "texts/export.h"

const struct export_format export_simgrid = {
    EXPORT_SIMGRID_ENTRY,
    .says = SAYS(NAMES) | SAYS(KINDS) | SAYS(BANDWIDTHS) | SAYS(LATENCIES) | SAYS(ALONE) | SAYS(DIRECTED),
    .head = { "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
              "<platform version=\"4.1\">\n<zone id=\"network\" routing=\"Floyd\">\n" },
    .node = { "<router id=\"%v\"/>\n", "<host id=\"%v\" speed=\"1Gf\"/>\n" },
    .cable = { "<link id=\"link%e\" bandwidth=\"%B\" latency=\"%L\" sharing_policy=\"SPLITDUPLEX\"/>\n" },
    .again = "<route src=\"%v\" dst=\"%b\" symmetrical=\"NO\"><link_ctn id=\"link%e\" direction=\"UP\"/></route>\n"
             "<route src=\"%b\" dst=\"%v\" symmetrical=\"NO\"><link_ctn id=\"link%e\" direction=\"DOWN\"/></route>\n",
    .escape = export_xml,
    .unread = true,
    .tail = "</zone>\n</platform>\n" };
