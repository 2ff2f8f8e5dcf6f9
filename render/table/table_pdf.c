#include "render/table/drawn.h"

const struct table_format table_format_pdf = {
    .name = "pdf", .summary = "drawn, as PDF, on a page as large as the table", .extension = ".pdf", DRAWN };
