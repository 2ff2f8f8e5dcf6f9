#include "graph/base/csv.h"
#include "graph/base/file.h"

#define MOST_BYTES ((size_t)4 << 30)
#define MOST_COLUMNS 4096

/* One field at *at into itself; *at is left on what ends it. -1: unclosed quote. */
static int cut_field(char **at, size_t *line, char separator, char **field)
{
    const char ends[] = { separator, '\r', '\n', '\0' };
    char *p = *at, *w = p;

    *field = w;
    if (*p != '"') {
        p += strcspn(p, ends);
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
    while (*p && *p != separator && *p != '\r' && *p != '\n')     /* text after the closing quote is kept */
        *w++ = *p++;
    *at = p;
    if (w < p)
        *w = '\0';
    return 0;
}

/* Skips empty lines and comments. */
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

/* The separator of the record at p. */
static char find_separator(const char *p)
{
    bool begins = true, semicolon = false, tab = false;

    for (; *p && *p != '\n' && *p != '\r'; p += *p != '\0') {
        if (begins && *p == '"')
            for (p++; *p && (*p != '"' || p[1] == '"');)
                p += *p == '"' ? 2 : 1;
        if (*p == ',')
            return ',';
        semicolon |= *p == ';';
        tab |= *p == '\t';
        begins = *p == ';' || *p == '\t';
    }
    return semicolon ? ';' : tab ? '\t' : ',';
}

/* Cuts one record at *at (bytes are changed: quotes undone, zero bytes put in); returns its number of fields,
 * 0 at the end, -1 on an unclosed quote. *at and *line move on. Fields beyond `most` are counted, not kept. */
static int cut_record(char **at, size_t *line, char separator, char **field, int most)
{
    int n = 0;
    char *p, *scrap;

    p = *at = to_record(*at, line);
    if (!*p)
        return 0;
    for (;;) {
        char end;

        if (cut_field(&p, line, separator, n < most ? &field[n] : &scrap) < 0)
            return -1;
        n++;
        end = *p;
        *p = '\0';
        if (end == '\0')
            break;
        p++;
        if (end == separator)
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
    char *field[MOST_COLUMNS], *at, separator;
    int n;

    if (memchr(text, '\0', len))
        return err_set(err, ERR_FORMAT, "%s holds a zero byte; it is not CSV", name);
    c.bytes = text_copy(text, len);
    if (!c.bytes)
        return err_memory(err);
    at = c.bytes + (strncmp(c.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    at = to_record(at, &line);
    separator = c.separator = find_separator(at);
    c.heading_line = line;
    n = cut_record(&at, &line, separator, field, MOST_COLUMNS);
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
    if (TAKE("a CSV file", err, ARRAY(c.heading, c.ncol)) < 0)
        goto fail;
    memcpy(c.heading, field, c.ncol * sizeof *field);
    for (;;) {
        size_t start;

        at = to_record(at, &line);
        start = line;
        n = cut_record(&at, &line, separator, field, MOST_COLUMNS);
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
    FREE(csv->bytes, csv->field, csv->heading, csv->line);
    *csv = (struct csv){ 0 };
}

int csv_column(const struct csv *csv, const char *heading)
{
    for (size_t i = 0; i < csv->ncol; i++)
        if (strcmp(csv->heading[i], heading) == 0)
            return (int)i;
    return -1;
}

int csv_first(const struct csv *csv, const char *const *headings)
{
    int at = -1;

    for (; at < 0 && *headings; headings++)
        at = csv_column(csv, *headings);
    return at;
}

int csv_named(const struct csv *csv, const char *heading)
{
    const size_t len = strlen(heading);
    int found = -1;

    for (size_t i = 0; i < csv->ncol; i++) {
        const char *text = csv->heading[i] + strspn(csv->heading[i], " \t");

        if (strncasecmp(text, heading, len) == 0 && strspn(text + len, " \t") == strlen(text + len))
            found = found == -1 ? (int)i : -2;
    }
    return found;
}

#define PAIRS (sizeof pairs / sizeof *pairs)
static const char *const pairs[][2] = { { "source", "target" }, { "source", "destination" }, { "from", "to" },
                                        { "src", "dst" }, { "link_from", "link_to" } };

bool csv_names_pair(const char *first, size_t first_len, const char *second, size_t second_len)
{
    for (size_t i = 0; i < PAIRS; i++)
        if (strlen(pairs[i][0]) == first_len && strncasecmp(pairs[i][0], first, first_len) == 0 &&
            strlen(pairs[i][1]) == second_len && strncasecmp(pairs[i][1], second, second_len) == 0)
            return true;
    return false;
}

int csv_pair(int pair[2], const struct csv *csv, const char *name, struct err *err)
{
    static const char wanted[] = "a heading source,target (or source,destination; from,to; src,dst) is wanted";
    const char *lacking = NULL;
    char row[61] = "";
    size_t len = 0;

    pair[0] = pair[1] = -1;
    for (size_t i = 0; i < PAIRS; i++) {
        const int first = csv_named(csv, pairs[i][0]), second = csv_named(csv, pairs[i][1]);

        if (first == -2 || second == -2)
            return err_set(err, ERR_FORMAT, "%.200s names the column '%s' twice", name, pairs[i][first != -2]);
        if (first >= 0 && second >= 0) {
            pair[0] = first;
            pair[1] = second;
            return 0;
        }
        if (!lacking && (first >= 0 || second >= 0)) {
            lacking = pairs[i][first >= 0];
            pair[0] = first;
            pair[1] = second;
        }
    }
    if (lacking)
        return err_set(err, ERR_FORMAT, "%.200s has no column '%s'; %s", name, lacking, wanted);
    for (size_t i = 0; i < csv->ncol && len < sizeof row; i++)
        len += (size_t)snprintf(row + len, sizeof row - len, "%s%s", i ? "," : "", csv->heading[i]);
    return err_set(err, ERR_FORMAT, "%.200s begins with '%s'; %s", name, row, wanted);
}
