/* pivot.h -- a table turned: the values of one column become columns, so that what is compared stands side by side. */
#ifndef RENDER_TABLE_PIVOT_H
#define RENDER_TABLE_PIVOT_H

#include "render/table/table.h"

#define PIVOT_KEYS 10
#define PIVOT_HEADING 40
struct pivot {
    const char *title, *by;             /* whose values become columns, in the order in which they come */
    const char *value[3];               /* what stands in them: the first of these (ended by NULL) that the first row
                                         * fills */
    const char *key[PIVOT_KEYS];        /* a row for each combination of their values; ended by NULL. The last names
                                         * what is compared where the others are the same */
    void (*heading)(char out[PIVOT_HEADING], const struct cell *by);
};
struct pivoted {
    struct table t;                     /* with the notes and the request of the other */
    struct column *column;
    char **name;                        /* of its columns, and their headings */
    size_t nname;
};
/* Rows that are compared stand together, those first that are the least on the whole: by the mean of their values in
 * parts of the least of each column. The least, and all within 0.05 % of it, is marked. */
int pivot_make(struct pivoted *out, const struct table *t, const struct pivot *p, struct err *err);
void pivot_release(struct pivoted *p);          /* a zeroed struct is fine */

#endif
