#include "cli/help/prose.h"

#define WIDTH 79

void prose_fill(const char *lead, size_t indent, const char *text)
{
    size_t column = strlen(lead);
    bool fresh = true;                  /* nothing of this line is printed yet but its indent */

    printf("%s%*s", lead, column < indent ? (int)(indent - column) : column > 0, "");
    column = column < indent ? indent : column + (column > 0);
    while (*text) {
        const bool plain = *text == ' ';
        const size_t len = strcspn(text, plain ? "\n" : " \n");

        if (!fresh && (plain || column + 1 + len > WIDTH)) {
            printf("\n%*s", (int)indent, "");
            column = indent;
            fresh = true;
        }
        printf("%s%.*s", fresh ? "" : " ", (int)len, text);
        column += len + !fresh;
        fresh = false;
        text += len;
        if (*text == '\n' && (plain || text[1] == '\n')) {
            const size_t lines = strspn(text, "\n");

            printf("%.*s%*s", (int)lines, text, (int)indent, "");
            text += lines;
            column = indent;
            fresh = true;
        } else if (*text) {
            text++;
        }
    }
    putchar('\n');
}
