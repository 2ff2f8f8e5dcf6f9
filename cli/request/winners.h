/* winners.h -- for people: the winner is marked where it stands, and a row that only repeats it (`but` of struct
 * conclusion) is left out. */
#pragma once

#include "cli/request/conclude.h"

/* What of a table is seen: the n columns named; n 0: all, or with `wide` details too. */
struct seen {
    char *const *column;
    size_t n;
    bool wide;
};
/* Marks the best score of every case with two rows and more, and what ties with it; true: some are seen. Rows that are
 * no contenders go where a contender of the case has all of their numbers, unless words of theirs were asked for. */
bool winners_mark(struct table *t, const struct conclusion *c, const struct seen *seen);
