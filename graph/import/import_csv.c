#include "graph/base/csv.h"
#include "graph/import/links.h"
#include "texts/import.h"

/* An edge a row, under a heading that names the columns of its ends, and those of what is known of it. */

struct cell {
    const char *text;
    size_t len;
};

/* Without the blanks around it. */
static struct cell trim(const char *text)
{
    struct cell c;

    c.text = text + strspn(text, " \t");
    c.len = strlen(c.text);
    while (c.len > 0 && strchr(" \t", c.text[c.len - 1]))
        c.len--;
    return c;
}

/* The same as text of its own. */
static const char *trimmed(struct csv *csv, size_t row, int at)
{
    const struct cell c = trim(csv_at(csv, row, at));
    char *field = csv->field[row * csv->ncol + (size_t)at] + (c.text - csv_at(csv, row, at));

    field[c.len] = '\0';
    return field;
}

/* Says of the first column that is not read, and by its heading seems to be one of an attribute that no column has. */
static int import_csv_unread(char **out, const struct csv *csv, const int pair[2], const int *at, struct err *err)
{
    static const struct {
        const char *word;
        int means;
    } other[] = { { "bw", LINK_BANDWIDTH }, { "width", LINK_BANDWIDTH }, { "speed", LINK_BANDWIDTH },
                  { "rate", LINK_BANDWIDTH }, { "cap", LINK_BANDWIDTH }, { "capacity", LINK_BANDWIDTH },
                  { "delay", LINK_LATENCY }, { "lat", LINK_LATENCY }, { "length", LINK_LATENCY },
                  { "count", LINK_CABLES }, { "multiplicity", LINK_CABLES } };

    for (int c = 0; c < (int)csv->ncol; c++) {
        const struct cell heading = trim(csv->heading[c]);
        char text[40], hint[80] = "";
        bool read = c == pair[0] || c == pair[1];

        for (int i = 0; i < LINK_ATTRIBUTES; i++)
            read = read || c == at[i];
        snprintf(text, sizeof text, "%.*s", (int)heading.len, heading.text);
        for (size_t i = 0; !read && i < sizeof other / sizeof *other; i++)
            if (at[other[i].means] < 0 && strcasecmp(text, other[i].word) == 0)
                snprintf(hint, sizeof hint, " (did you mean '%s'?)", link_attribute[other[i].means]);
        if (read || !(*hint || *text_suggest(hint, text, link_attribute, LINK_ATTRIBUTES)))
            continue;
        return asprintf(out, "its column '%s' is not read%s", text, hint) < 0 ? err_memory(err) : 0;
    }
    return 0;
}

static int import_csv_add_rows(struct links *links, char **unread, struct csv *csv, const char *path, struct err *err)
{
    int pair[2], at[LINK_ATTRIBUTES];

    if (csv_pair(pair, csv, path, err) < 0)
        return -1;
    for (int i = 0; i < LINK_ATTRIBUTES; i++) {
        at[i] = csv_named(csv, link_attribute[i]);
        if (at[i] == -2)
            return err_set(err, ERR_FORMAT, "%s names the column '%s' twice", path, link_attribute[i]);
    }
    if ((at[LINK_PORT] < 0) != (at[LINK_OTHER_PORT] < 0))
        return err_set(err, ERR_FORMAT, "%s has a column '%s' alone; give the ports of both ends, or of none", path,
                       link_attribute[at[LINK_PORT] < 0 ? LINK_OTHER_PORT : LINK_PORT]);
    if (import_csv_unread(unread, csv, pair, at, err) < 0)
        return -1;
    for (size_t i = 0; i < csv->nrow; i++) {
        struct cell from = trim(csv_at(csv, i, pair[0])), to = trim(csv_at(csv, i, pair[1])), w = { NULL, 0 };
        struct link link;

        if (at[LINK_WEIGHT] >= 0)
            w = trim(csv_at(csv, i, at[LINK_WEIGHT]));
        if (at[LINK_WEIGHT] >= 0 && w.len == 0)
            return err_set(err, ERR_FORMAT, "%s:%zu has an empty weight; give every edge one, or leave out the column",
                           path, csv->line[i]);
        link = (struct link){ from.text, to.text, from.len, to.len, w.text, w.len, csv->line[i], { NULL } };
        for (int k = LINK_BANDWIDTH; k < LINK_ATTRIBUTES; k++)
            if (at[k] >= 0)
                link.said[k] = trimmed(csv, i, at[k]);
        if (links_add(links, &link, path, err) < 0)
            return -1;
    }
    return 0;
}

static int read(struct import *in, const char *text, size_t len, const char *path, struct err *err)
{
    struct csv csv = { 0 };
    struct links links = { 0 };
    char *unread = NULL;
    int ret;

    if (csv_parse(&csv, text, len, path, err) < 0)
        return -1;
    ret = import_csv_add_rows(&links, &unread, &csv, path, err);
    if (ret == 0)
        ret = links_finish(&links, in, path, err);
    if (ret == 0)
        in->unread = unread;
    else
        free(unread);
    links_release(&links);
    csv_release(&csv);
    return ret;
}

int links_heading(const char *text, size_t len, struct err *err)
{
    const char *p = text;
    struct csv csv = { 0 };
    struct err no_pair;
    int pair[2], is;

    while (*p == '#' || *p == '\n' || *p == '\r')
        p += *p == '#' ? strcspn(p, "\r\n") : 1;
    if (p >= text + len)
        return 0;
    if (csv_parse(&csv, p, strcspn(p, "\r\n"), "", err) < 0)
        return err->code == ERR_MEMORY ? -1 : 0;
    is = csv_pair(pair, &csv, "", &no_pair) == 0;
    csv_release(&csv);
    return is;
}

const struct import_format import_csv = {
    IMPORT_CSV_ENTRY,
    .sniff = links_heading, .read = read };
