#include "graph/base/utf8.h"

/* The second byte's range decides about overlong forms, surrogates and what lies beyond U+10FFFF (Unicode
 * Standard, table 3-7). */
size_t utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    unsigned char lo = 0x80, hi = 0xbf;
    size_t n;

    if (s[0] == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (s[0] == 0xe0)
        lo = 0xa0;
    else if (s[0] == 0xed)
        hi = 0x9f;
    else if (s[0] == 0xf0)
        lo = 0x90;
    else if (s[0] == 0xf4)
        hi = 0x8f;
    if (s[1] < lo || s[1] > hi)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* U+2028 to U+202E, and U+2066 to U+2069 (Unicode Standard Annex 9, section 2). */
bool utf8_control(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    if (c[0] < 0x80)
        return (c[0] < 0x20 && c[0]) || c[0] == 0x7f;
    if (c[0] == 0xc2)
        return c[1] >= 0x80 && c[1] < 0xa0;
    return c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) ||
                            (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

static char *repair(const char *text, bool line)
{
    char *copy = malloc(3 * strlen(text) + 1), *w = copy;

    while (copy && *text) {
        size_t n = utf8_length(text);

        if (n && line && utf8_control(text))
            *w++ = ' ';
        else if (n)
            w = mempcpy(w, text, n);
        else
            w = mempcpy(w, "\xef\xbf\xbd", 3);
        text += n ? n : 1;
    }
    if (copy)
        *w = '\0';
    return copy;
}

char *utf8_repair(const char *text)
{
    return repair(text, false);
}

char *utf8_line(const char *text)
{
    return repair(text, true);
}
