/* CSV: as many fields as headings; and what is written anew with every field in quotes reads the same. */
#include "graph/base/csv.h"
#include "tests/fuzz/fuzz.h"

static void put(char **at, const char *field, char end)
{
    *(*at)++ = '"';
    for (; *field; field++) {
        if (*field == '"')
            *(*at)++ = '"';
        *(*at)++ = *field;
    }
    *(*at)++ = '"';
    *(*at)++ = end;
}

static char *rewritten(const struct csv *csv, size_t size)
{
    char *text = malloc(2 * size + 4 * (csv->nrow + 1) * csv->ncol + 1), *at = text;

    must(text != NULL, "memory", NULL);
    for (size_t i = 0; i < csv->ncol; i++)
        put(&at, csv->heading[i], i + 1 < csv->ncol ? ',' : '\n');
    for (size_t i = 0; i < csv->nrow * csv->ncol; i++)
        put(&at, csv->field[i], (i + 1) % csv->ncol ? ',' : '\n');
    *at = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct csv csv = { 0 }, again = { 0 };
    struct err err = { 0 };
    char *text = text_of(data, size);

    if (csv_parse(&csv, text, size, "a.csv", &err) < 0) {
        message_is_fit(&err);
    } else {
        char *quoted = rewritten(&csv, size);

        must(csv_parse(&again, quoted, strlen(quoted), "b.csv", &err) == 0, "it reads again", err.msg);
        must(again.ncol == csv.ncol && again.nrow == csv.nrow, "as many rows and columns", NULL);
        for (size_t i = 0; i < csv.ncol; i++)
            must(strcmp(csv.heading[i], again.heading[i]) == 0, "the same heading", csv.heading[i]);
        for (size_t i = 0; i < csv.nrow * csv.ncol; i++)
            must(strcmp(csv.field[i], again.field[i]) == 0, "the same field", csv.field[i]);
        for (size_t i = 1; i < csv.nrow; i++)
            must(csv.line[i] > csv.line[i - 1], "rows on later lines", NULL);
        free(quoted);
    }
    csv_release(&csv);
    csv_release(&again);
    free(text);
    return 0;
}
