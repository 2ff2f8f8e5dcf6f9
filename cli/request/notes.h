/* notes.h -- what notes below a table say is said once. A note is "SUBJECT: TEXT", or a sentence of its own. */
#pragma once

#include "model/process/placement.h"
#include "render/table/table.h"

#define NOTES_NAMED 8           /* subjects of one note; of more, the first and how many others */
#define NOTES_MOST 5000         /* more are left as they are: each is compared with all */

/* Notes with the same text become one, where the first of them stood: "A, B and C: TEXT", or with semicolons where
 * subjects have commas of their own. A sentence that comes again is left out. */
void notes_join(struct table *t);
/* What words in a column mean: a note "WORD: TEXT." of each of the n that some row has. */
struct note_word {
    const char *column, *word, *text;
};
void notes_words(struct table *t, const struct note_word *all, size_t n);
/* Whether a note gives this reason, with or without the spec in quotes that it may begin with. */
bool notes_tell(const struct table *t, const char *reason);
/* Where a list of places names hosts that are no nodes of the network: what they stand for. */
void notes_hosts(struct table *t, const struct net *net, const struct placement *where);
/* Adds why a network was refused: "SPEC: REASON.", or the reason alone where it has the spec in it. */
void notes_refused(struct table *t, const char *spec, const char *reason);
