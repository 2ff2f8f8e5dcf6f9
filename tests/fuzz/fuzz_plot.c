/* Any CSV as the table that `plot` draws: its columns chosen for every kind of chart, and taken into it. */
#include "render/chart/from_table.h"
#include "render/table/dates.h"
#include "render/table/from_csv.h"
#include "tests/fuzz/fuzz.h"

static void take(const struct table *t, const struct chart_kind *kind)
{
    struct chart_choice choice;
    struct chart_columns columns = { 0 };
    struct chart chart;
    struct err err = { 0 };

    chart_choose(&choice, t, &columns, kind);
    if (!kind && !choice.kind)
        return;
    kind = kind ? kind : chart_find(choice.kind, NULL);
    if (!choice.x || (!choice.ny && (kind->needs & ROLE_Y)) || (!choice.z && (kind->needs & ROLE_Z)))
        return;
    columns = (struct chart_columns){ .x = choice.x, .y = choice.y, .ny = choice.ny, .means = true, .label = choice.x,
                                      .z = (kind->needs & ROLE_Z) ? choice.z : NULL,
                                      .group = choice.group, .ngroup = choice.ngroup, .lo = choice.lo,
                                      .hi = choice.hi,
                                      .panel = choice.npanel > 1 ? choice.panel : NULL };
    if (kind->intervals)
        columns.x_end = columns.z = choice.ny ? choice.y[0] : NULL;
    chart_init(&chart, kind->name);
    if (chart_from_table(&chart, t, &columns, &err) < 0)
        message_is_fit(&err);
    chart_release(&chart);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    struct csv_table d = { .path = "a.csv" };
    const struct table *t = &d.table;
    struct err err = { 0 };

    if (csv_parse(&d.csv, text, size, "a.csv", &err) < 0 || csv_table_take(&d, &err) < 0) {
        message_is_fit(&err);
    } else {
        must(t->ncolumn == d.csv.ncol && table_rows(t) == d.csv.nrow, "a cell for every field", NULL);
        for (size_t i = 0; chart_all[i]; i++)
            take(t, chart_all[i]);
        for (size_t i = 0; i < t->ncolumn; i++)
            if (table_has_dates(t, i))
                table_take_dates(&d.table, d.columns, i);
        take(t, NULL);
    }
    csv_table_release(&d);
    free(text);
    return 0;
}
