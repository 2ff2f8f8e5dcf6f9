/* chart_path.c -- the line of chart_line.c through the points in the order of the rows, which may turn back. */
#include "render/chart/chart.h"

static int path_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    return chart_find("line", err)->draw(canvas, chart, err);
}

const struct chart_kind chart_path = {
    .name = "path", .summary = "a line through the points in the order of the rows, which may turn back",
    .needs = ROLE_X | ROLE_Y, .numbers_x = true, .unsorted = true, .rules = true, .draw = path_draw };
