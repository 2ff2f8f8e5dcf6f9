/* pivot.h -- a table turned: the values of one column become columns, so that what is compared stands side by side. */
#pragma once

#include "render/table/table.h"

#define PIVOT_KEYS 10
#define PIVOT_HEADING 40
struct pivot {
    const char *title, *by;             /* its values become columns, in the order in which they come */
    const char *key[PIVOT_KEYS];        /* a row for each combination of their values; ended by NULL. The last names
                                         * what is compared where the others are the same */
    const char *order;                  /* rows that are compared stand together, by their means of these numbers */
    void (*heading)(char out[PIVOT_HEADING], const struct cell *by);
};
struct pivoted {
    struct table t;                     /* with the notes and the request of the other */
    struct column *column;
    char **name;                        /* of its columns, and their headings */
    size_t nname;
};
/* `value`: the column of the cells that stand in them. */
int pivot_make(struct pivoted *out, const struct table *t, const struct pivot *p, const char *value, struct err *err);
void pivot_release(struct pivoted *p);          /* a zeroed struct is fine */
