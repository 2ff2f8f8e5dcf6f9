#include "graph/import/scan.h"

static bool scan_line_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

static bool scan_among(const char *signs, char c)
{
    return c && signs && strchr(signs, c);
}

/* Past a C comment, which may never end. */
static const char *scan_comment(struct scan *s)
{
    const char *p = s->at + 2;

    for (; *p && !(p[0] == '*' && p[1] == '/'); p++)
        s->next_line += *p == '\n';
    return *p ? p + 2 : p;
}

/* Blanks and comments; ends of lines, too, where they are no tokens. */
static void scan_blanks(struct scan *s)
{
    for (;;) {
        if (scan_among(s->comments, *s->at) || (s->escapes && s->at[0] == '/' && s->at[1] == '/')) {
            s->at += strcspn(s->at, "\r\n");
        } else if (s->escapes && s->at[0] == '/' && s->at[1] == '*') {
            s->at = scan_comment(s);
        } else if (scan_among(" \t\v\f", *s->at) || (!s->lines && scan_among("\r\n", *s->at))) {
            s->next_line += *s->at == '\n';
            s->at++;
        } else {
            return;
        }
    }
}

static enum scan_kind scan_quoted(struct scan *s)
{
    const char *p = s->at + 1;

    while (*p && *p != '"' && !(s->lines && scan_line_end(*p))) {
        s->next_line += *p == '\n';
        p += s->escapes && *p == '\\' && p[1] && p[1] != '\n' ? 2 : 1;
    }
    s->open = *p != '"';
    s->text++;
    s->len = (size_t)(p - s->text);
    s->at = p + !s->open;
    return SCAN_QUOTED;
}

static enum scan_kind scan_token(struct scan *s)
{
    const char *p = s->at;

    if (*p == '\0')
        return SCAN_END;
    if (scan_line_end(*p)) {
        s->at += *p == '\r' && p[1] == '\n' ? 2 : 1;
        s->next_line++;
        return SCAN_LINE;
    }
    if (*p == '"')
        return scan_quoted(s);
    if (scan_among(s->signs, *p)) {
        s->len = 1;
        s->at++;
        return SCAN_SIGN;
    }
    while (!scan_line_end(*p) && !scan_among(" \t\v\f\"", *p) && !scan_among(s->signs, *p))
        p++;
    s->len = (size_t)(p - s->at);
    s->at = p;
    return SCAN_WORD;
}

enum scan_kind scan_next(struct scan *s)
{
    scan_blanks(s);
    s->text = s->at;
    s->line = s->next_line;
    s->len = 0;
    s->open = false;
    s->kind = scan_token(s);
    return s->kind;
}

void scan_skip_line(struct scan *s)
{
    if (s->kind == SCAN_LINE || s->kind == SCAN_END)
        return;
    s->at += strcspn(s->at, "\r\n");
    scan_next(s);
}

bool scan_is(const struct scan *s, const char *word)
{
    return (s->kind == SCAN_WORD || s->kind == SCAN_SIGN) && strlen(word) == s->len &&
           strncasecmp(s->text, word, s->len) == 0;
}

int scan_number(uint64_t *out, const struct scan *s, int base, uint64_t lo, uint64_t hi, const char *what,
                struct err *err)
{
    char *end = NULL;
    const bool digit = s->kind == SCAN_WORD && s->len < 24 && scan_among("0123456789abcdefABCDEF", *s->text);

    errno = 0;
    if (digit)
        *out = strtoull(s->text, &end, base);
    if (!digit || end != s->text + s->len || errno || *out < lo || *out > hi)
        return scan_wrong(s, err, "%s '%.*s' is not a whole number from %llu to %llu", what, SCAN_SHOWN(s),
                          (unsigned long long)lo, (unsigned long long)hi);
    return 0;
}

int scan_wrong(const struct scan *s, struct err *err, const char *fmt, ...)
{
    va_list args;
    char text[700];

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_set(err, ERR_FORMAT, "%s:%zu: %s", s->path, s->line, text);
}
