#include "graph/base/csv.h"
#include "graph/import/links.h"
#include "texts/import.h"

/* Edge lists: FROM TO [WEIGHT] a line, and networkx's FROM TO {'weight': 2.5, 'cables': 2}. A '#' or '%' that begins a
 * word makes the rest of the line a comment. */

struct word {
    const char *text;
    size_t len;
};

static bool ends_line(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static const char *skip_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

static const char *skip_word(const char *p)
{
    while (!is_blank(*p) && !ends_line(*p))
        p++;
    return p;
}

/* LF, CRLF or CR. */
static const char *next_line(const char *p)
{
    while (!ends_line(*p))
        p++;
    if (*p == '\r' && p[1] == '\n')
        p++;
    return *p ? p + 1 : p;
}

/* Words of the line at p, at most 4 counted; one that begins with '{' reaches to the end of the line. */
static int words(const char *p, struct word *word)
{
    int n = 0;

    for (p = skip_blanks(p); !ends_line(*p) && *p != '#' && *p != '%' && n < 4; p = skip_blanks(p)) {
        const char *start = p;

        p = skip_word(p);
        if (*start == '{')
            for (p = start; !ends_line(*p);)
                p++;
        word[n++] = (struct word){ start, (size_t)(p - start) };
    }
    return n;
}

/* The end of the quoted text at p. */
static const char *skip_quoted(const char *p)
{
    char quote = *p++;

    while (*p != quote && !ends_line(*p))
        p += *p == '\\' && !ends_line(p[1]) ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/* Parses the value at p of a dictionary's key, text without its quotes, and moves past it. */
static struct word dictionary_value(const char **p, bool text)
{
    const char *at = *p, *end;

    if (!text || (*at != '\'' && *at != '"')) {
        *p += strcspn(at, " \t,}\r\n");
        return (struct word){ at, (size_t)(*p - at) };
    }
    *p = end = skip_quoted(at);
    return (struct word){ at + 1, (size_t)(end - at) - 1 - (end > at + 1 && end[-1] == *at) };
}

/* Python's dictionary of edge attributes: those of ours that it has; -1 where it is malformed. */
static int dictionary(struct word value[LINK_ATTRIBUTES], const char *p)
{
    int depth = 0;

    do {
        if (*p == '\'' || *p == '"') {
            const char *key = p + 1;
            size_t len, a = 0;

            p = skip_quoted(p);
            len = (size_t)(p - key) - 1;
            while (a < LINK_ATTRIBUTES && (strlen(link_attribute[a]) != len || memcmp(key, link_attribute[a], len)))
                a++;
            p = skip_blanks(p);
            if (depth == 1 && a < LINK_ATTRIBUTES && *p == ':') {
                p = skip_blanks(p + 1);
                value[a] = dictionary_value(&p, a != LINK_WEIGHT);
            }
            continue;
        }
        depth += (*p == '{') - (*p == '}');
        p++;
    } while (depth > 0 && !ends_line(*p));
    p = skip_blanks(p);
    return depth == 0 && (ends_line(*p) || *p == '#' || *p == '%') ? 0 : -1;
}

static int edges_shape(const struct word *word, int n, size_t line, const char *path, struct err *err)
{
    size_t len = word[0].len > 40 ? 40 : word[0].len;

    if (n == 1)
        return err_set(err, ERR_FORMAT, "%s:%zu has only '%.*s'; a line of an edge list is FROM TO or FROM TO WEIGHT%s",
                       path, line, (int)len, word[0].text,
                       memchr(word[0].text, ',', word[0].len) ? " (with commas it is csv)" : "");
    if (n > 3 || *word[0].text == '{' || *word[1].text == '{')
        return err_set(err, ERR_FORMAT, "%s:%zu is not FROM TO, FROM TO WEIGHT or FROM TO {'weight': 2.5}", path, line);
    return 0;
}

/* `known`: attributes that some line of the list has. */
static int add_line(struct links *links, const char *p, size_t line, const bool known[LINK_ATTRIBUTES],
                    const char *path, struct err *err)
{
    struct word word[4], value[LINK_ATTRIBUTES] = { { NULL, 0 } };
    char text[LINK_ATTRIBUTES][64];
    struct link link;
    int n = words(p, word);

    if (n == 0)
        return 0;
    if (edges_shape(word, n, line, path, err) < 0)
        return -1;
    if (links->n == 0 && csv_names_pair(word[0].text, word[0].len, word[1].text, word[1].len))
        return err_set(err, ERR_FORMAT, "%s:%zu is a heading, not an edge; put '#' before it", path, line);
    if (n == 3 && *word[2].text == '{') {
        if (dictionary(value, word[2].text) < 0)
            return err_set(err, ERR_FORMAT, "%s:%zu: '%.*s' is not a dictionary of edge attributes such as "
                           "{'weight': 2.5}", path, line, (int)(word[2].len > 60 ? 60 : word[2].len), word[2].text);
    } else if (n == 3) {
        value[LINK_WEIGHT] = word[2];
    }
    link = (struct link){ word[0].text, word[1].text, word[0].len, word[1].len, value[LINK_WEIGHT].text,
                          value[LINK_WEIGHT].len, line, { NULL } };
    for (int a = LINK_BANDWIDTH; a < LINK_ATTRIBUTES; a++) {
        if (value[a].len >= sizeof text[a])
            return err_set(err, ERR_FORMAT, "%s:%zu: %s '%.40s...' is too long", path, line, link_attribute[a],
                           value[a].text);
        if (value[a].len > 0)
            memcpy(text[a], value[a].text, value[a].len);
        text[a][value[a].len] = '\0';
        link.said[a] = known[a] ? text[a] : NULL;
    }
    return links_add(links, &link, path, err);
}

static int edges_read(struct import *in, const char *text, size_t len, const char *path, struct err *err)
{
    struct links links = { 0 };
    bool known[LINK_ATTRIBUTES];
    size_t line = 1;
    int ret = 0;

    for (int a = 0; a < LINK_ATTRIBUTES; a++)
        known[a] = strstr(text, link_attribute[a]);
    known[LINK_PORT] = known[LINK_OTHER_PORT] = known[LINK_PORT] || known[LINK_OTHER_PORT];
    for (const char *p = text; ret == 0 && p < text + len; p = next_line(p))
        ret = add_line(&links, p, line++, known, path, err);
    if (ret == 0)
        ret = links_finish(&links, in, path, err);
    links_release(&links);
    return ret;
}

/* The first lines with anything on them are all two or three words, without what other formats are made of. */
static int edges_sniff(const char *text, size_t len, struct err *)
{
    int seen = 0;

    for (const char *p = text; p < text + len && seen < 20; p = next_line(p)) {
        struct word word[4];
        int n = words(p, word);

        if (n == 0)
            continue;
        seen++;
        if (n < 2 || n > 3)
            return false;
        for (int i = 0; i < n && *word[i].text != '{'; i++)
            for (size_t c = 0; c < word[i].len; c++)
                if (strchr("[]<>,\"", word[i].text[c]))
                    return false;
    }
    return seen > 0;
}

const struct import_format import_edges = {
    IMPORT_EDGES_ENTRY,
    .sniff = edges_sniff, .read = edges_read };
