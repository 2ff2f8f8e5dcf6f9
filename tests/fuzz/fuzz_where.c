/* A condition of --where in the first line, a table in CSV below it: rows that are left fulfil it, so that asked again
 * it leaves all of them. */
#include "render/table/filter.h"
#include "render/table/from_csv.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), *rest = strchr(text, '\n');
    struct csv csv = { 0 };
    struct table table = { 0 };
    struct column *columns = NULL;
    struct err err = { 0 };

    if (rest) {
        *rest++ = '\0';
        if (csv_parse(&csv, rest, size - (size_t)(rest - text), "a.csv", &err) < 0 ||
            table_from_csv(&table, &columns, &csv, &err) < 0 || table_filter(&table, text, &err) < 0) {
            message_is_fit(&err);
        } else {
            const size_t left = table_rows(&table);

            must(left <= csv.nrow, "no more rows than there were", text);
            must(table_filter(&table, text, &err) == 0 && table_rows(&table) == left, "the same rows again", text);
        }
    }
    table_release(&table);
    free(columns);
    csv_release(&csv);
    free(text);
    return 0;
}
