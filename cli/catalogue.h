/* catalogue.h -- every entry of every catalogue, alike: for `list` and `help`. */
#ifndef CLI_CATALOGUE_H
#define CLI_CATALOGUE_H

#include <stddef.h>

#include "graph/base/spec.h"

struct entry {
    const char *kind;           /* "topology" */
    const char *name, *synopsis, *summary;
    const char *source, *notes, *example;       /* NULL: none */
    const struct spec_key *keys;                /* NULL: none */
};
/* Calls `each` for all entries, kind by kind; stops at a non-zero answer and returns it. */
int catalogue_walk(int (*each)(void *arg, const struct entry *entry), void *arg);
extern const char *const catalogue_kind[];      /* NULL-terminated */

#endif
