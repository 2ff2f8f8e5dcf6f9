/* winners.h -- for people: who wins is marked where it stands, and a row that only repeats it (`but` of struct
 * conclusion) is left out. */
#ifndef CLI_REQUEST_WINNERS_H
#define CLI_REQUEST_WINNERS_H

#include "cli/request/conclude.h"

/* Marks the best score of every case with two rows and more, and what ties with it. Of rows that are no contenders those
 * go whose numbers some contender of the case has as well; not so where `column`, the n columns asked for by name, has
 * words that only they have. A note says what is marked. */
void winners_mark(struct table *t, const struct conclusion *c, char *const *column, size_t n);

#endif
