/* conclude.h -- the sentence under a table: what wins by how much, what saturates first, what a metapath buys. It is
 * computed from the rows alone, so that it cannot say other than they do. */
#pragma once

#include "render/table/table.h"

#define CONCLUDE_KEYS 8
/* What of a table is compared; all members are names of columns unless said otherwise. */
struct conclusion {
    const char *score;          /* numbers; NULL: nothing is concluded */
    bool most;                  /* the largest wins; else the least */
    const char *noun;           /* words: "mean latency" */
    const char *contender[CONCLUDE_KEYS];     /* name a contender, where they differ between rows; ended by NULL */
    const char *scope[CONCLUDE_KEYS];   /* rows compete where these are the same; ended by NULL */
    bool marks;                 /* for people the winner is marked in the table (winners.h) */
    const char *but;            /* words: a value of contender[0] that is no contender ("best") */
    const char *valid;          /* NULL, or: rows with "no" there do not compete */
    const char *half;           /* NULL, or of the score the half-width of its interval: where two overlap they tie */
    /* A load, the same in all rows of a contender, at which it saturates, and the link where; NULL: not asked. */
    const char *saturation, *where;
    const char *family;         /* words: contenders that begin so are compared with the others ("metapath:") */
    const char *family_noun;    /* words: "metapath" */
};

#define CONCLUDE_ROWS 5000      /* of longer tables nothing is said: rows are compared in pairs */
#define CONCLUDE_TIE 5e-4       /* relative difference below which scores are said to be alike */

/* Adds the sentences as the table's first note. For the score, rows whose validity or quality is "refused", or
 * without a score, do not compete; refused ones are counted. No note where nothing is compared. */
void conclude(struct table *t, const struct conclusion *c);
