#include "render/table/drawn.h"

const struct table_format table_format_png = {
    .name = "png", .summary = "drawn, as PNG, on a page as large as the table", .extension = ".png", DRAWN };
