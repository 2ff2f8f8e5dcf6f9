/* The text of a file, before any reader sees it, and how messages name its edges (imported.h). */
#include "graph/import/imported.h"
#include "graph/base/utf8.h"

static size_t line_at(const char *text, const char *at)
{
    size_t line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

int imported_text(const char *text, size_t len, const char *path, struct err *err)
{
    const char *zero = memchr(text, '\0', len), *p = text;
    bool utf16 = len >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);

    if (utf16)
        return err_set(err, ERR_FORMAT, "%s is UTF-16; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)", path);
    if (zero)
        return err_set(err, ERR_FORMAT, "%s:%zu holds a zero byte; it must be text", path, line_at(text, zero));
    while (p < text + len) {
        size_t n = utf8_length(p);

        if (n == 0)
            return err_set(err, ERR_FORMAT, "%s:%zu is not UTF-8 text; convert it (iconv -f LATIN1 -t UTF-8, if that "
                           "is what it is)", path, line_at(text, p));
        p += n;
    }
    p = text + (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    if (p[strspn(p, " \t\r\n")] == '\0')
        return err_set(err, ERR_FORMAT, "%s is empty", path);
    return 0;
}

const char *imported_label(const struct import *in, int node, char out[64])
{
    if (in->name)
        snprintf(out, 64, "'%.40s'", in->name[node]);
    else
        snprintf(out, 64, "%d", node);
    return out;
}

int imported_wrong(const struct import *in, size_t e, const char *path, const char *what, struct err *err)
{
    char from[64], to[64], line[32] = "";

    if (in->line)
        snprintf(line, sizeof line, ":%zu", in->line[e]);
    return err_set(err, ERR_FORMAT, "%s%s: the edge %s%s%s %s", path, line, imported_label(in, in->end[2 * e], from),
                   in->directed ? "->" : "-", imported_label(in, in->end[2 * e + 1], to), what);
}

int imported_kind(const char *text)
{
    if (strcasecmp(text, "terminal") == 0 || strcasecmp(text, "host") == 0)
        return 1;
    return strcasecmp(text, "switch") == 0 || strcasecmp(text, "router") == 0 ? 0 : -1;
}
