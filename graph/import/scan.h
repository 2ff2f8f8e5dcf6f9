/* scan.h -- words, quoted texts and signs of a text one by one, with the lines they stand on: what readers of line
 * formats and of DOT share. Set at, line, path, signs and what is wanted of the rest, then ask scan_next.
 * Errors  ERR_FORMAT, beginning with path:line. */
#pragma once

#include "graph/base/base.h"

enum scan_kind { SCAN_END, SCAN_LINE, SCAN_WORD, SCAN_QUOTED, SCAN_SIGN };

struct scan {
    const char *at;             /* what comes next; ends with a zero byte */
    const char *path;
    size_t next_line;           /* of `at`, from 1 */
    const char *signs;          /* characters that are tokens of their own */
    const char *comments;       /* characters that begin a comment, to the end of its line; NULL: none does */
    bool lines;                 /* ends of lines are tokens, and end a quoted text; else they are blanks */
    bool escapes;               /* a backslash in a quoted text stands before a character of it; C's comments, too */
    /* the token */
    enum scan_kind kind;
    const char *text;           /* without quotes */
    size_t len, line;
    bool open;                  /* a quoted text that never ends */
};

/* Goes to the next token and says what it is; at the end of lines and text it stays until it is called again. */
enum scan_kind scan_next(struct scan *s);
/* To the end of the line, unread; the token is that end. */
void scan_skip_line(struct scan *s);
bool scan_is(const struct scan *s, const char *word);       /* the token, without case, is that word or sign */
/* The token as a whole number of that base, in lo..hi. */
int scan_number(uint64_t *out, const struct scan *s, int base, uint64_t lo, uint64_t hi, const char *what,
                struct err *err);
/* "path:line: ..."; -1 */
int scan_wrong(const struct scan *s, struct err *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The token for messages, cut where it is long. */
#define SCAN_SHOWN(s) (int)((s)->len > 60 ? 60 : (s)->len), (s)->text
