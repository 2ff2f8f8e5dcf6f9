#include "graph/base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/file.h"
#include "graph/base/grow.h"
#include "graph/base/text.h"

#define MOST_BYTES ((size_t)4 << 30)
#define MOST_COLUMNS 4096

/* One field at *at into itself; *at is left on what ends it. -1: unclosed quote. */
static int cut_field(char **at, size_t *line, char **field)
{
    char *p = *at, *w = p;

    *field = w;
    if (*p != '"') {
        p += strcspn(p, ",\r\n");
        *at = p;
        return 0;
    }
    for (p++; *p; p++) {
        if (*p == '"' && p[1] != '"')
            break;
        if (*p == '"')
            p++;
        *line += *p == '\n';
        *w++ = *p;
    }
    if (*p != '"')
        return -1;
    p++;
    while (*p && *p != ',' && *p != '\r' && *p != '\n')     /* text after the closing quote is kept */
        *w++ = *p++;
    *at = p;
    if (w < p)
        *w = '\0';
    return 0;
}

/* Over lines that are empty or comments. */
static char *to_record(char *p, size_t *line)
{
    while (*p == '\n' || *p == '\r' || *p == '#') {
        if (*p == '#')
            p += strcspn(p, "\n");
        *line += *p == '\n';
        p += *p != '\0';
    }
    return p;
}

int csv_record(char **at, size_t *line, char **field, int most)
{
    int n = 0;
    char *p, *scrap;

    p = *at = to_record(*at, line);
    if (!*p)
        return 0;
    for (;;) {
        char end;

        if (cut_field(&p, line, n < most ? &field[n] : &scrap) < 0)
            return -1;
        n++;
        end = *p;
        *p = '\0';
        if (end == '\0')
            break;
        p++;
        if (end == ',')
            continue;
        if (end == '\r' && *p == '\n')
            p++;
        ++*line;
        break;
    }
    *at = p;
    return n;
}

int csv_parse(struct csv *csv, const char *text, size_t len, const char *name, struct err *err)
{
    struct csv c = { 0 };
    size_t line = 1;
    char *field[MOST_COLUMNS], *at;
    int n;

    if (memchr(text, '\0', len))
        return err_set(err, ERR_FORMAT, "%s holds a zero byte; it is not CSV", name);
    c.bytes = text_copy(text, len);
    if (!c.bytes)
        return err_memory(err);
    at = c.bytes + (strncmp(c.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    n = csv_record(&at, &line, field, MOST_COLUMNS);
    if (n == 0) {
        err_set(err, ERR_FORMAT, "%s is empty", name);
        goto fail;
    }
    if (n > MOST_COLUMNS) {
        err_set(err, ERR_FORMAT, "%s has %d columns; at most %d are read", name, n, MOST_COLUMNS);
        goto fail;
    }
    if (n < 0)
        goto unclosed;
    c.ncol = (size_t)n;
    c.heading = malloc(c.ncol * sizeof *c.heading);
    if (!c.heading) {
        err_memory(err);
        goto fail;
    }
    memcpy(c.heading, field, c.ncol * sizeof *field);
    for (;;) {
        size_t start;

        at = to_record(at, &line);
        start = line;
        n = csv_record(&at, &line, field, MOST_COLUMNS);
        if (n == 0)
            break;
        if (n < 0)
            goto unclosed;
        if ((size_t)n != c.ncol) {
            err_set(err, ERR_FORMAT, "%s:%zu has %d fields; its heading has %zu", name, start, n, c.ncol);
            goto fail;
        }
        if (GROW_BY(c.nrow, 1, "the rows of a file", err, GROWN_OF(c.field, c.ncol), GROWN(c.line)) < 0)
            goto fail;
        memcpy(c.field + c.nrow * c.ncol, field, c.ncol * sizeof *field);
        c.line[c.nrow++] = start;
    }
    *csv = c;
    return 0;
unclosed:
    err_set(err, ERR_FORMAT, "%s: a quote that opens before line %zu is never closed", name, line);
fail:
    csv_release(&c);
    return -1;
}

int csv_read(struct csv *csv, const char *path, struct err *err)
{
    char *bytes;
    size_t len;
    int ret;

    if (file_read(&bytes, &len, path, MOST_BYTES, CSV_BYTES, err) < 0)
        return -1;
    ret = csv_parse(csv, bytes, len, path, err);
    free(bytes);
    return ret;
}

void csv_release(struct csv *csv)
{
    free(csv->bytes);
    free(csv->field);
    free(csv->heading);
    free(csv->line);
    *csv = (struct csv){ 0 };
}

int csv_column(const struct csv *csv, const char *heading)
{
    for (size_t i = 0; i < csv->ncol; i++)
        if (strcmp(csv->heading[i], heading) == 0)
            return (int)i;
    return -1;
}
