#include "render/table/drawn.h"

const struct table_format table_format_svg = {
    .name = "svg", .summary = "drawn, as SVG, on a page as large as the table", .extension = ".svg", DRAWN };
