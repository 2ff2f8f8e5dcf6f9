/* catalogue.h -- finding an entry of a catalogue (a NULL-terminated array of pointers to entries) by name. */
#ifndef GRAPH_BASE_CATALOGUE_H
#define GRAPH_BASE_CATALOGUE_H

#include <stddef.h>
#include <string.h>

#include "graph/base/err.h"

#define CATALOGUE_MOST 256      /* names offered as corrections */

/* ERR_USAGE: "no WHAT is called 'NAME' (did you mean ...?); `WHERE` names them". */
void catalogue_unknown(struct err *err, const char *what, const char *name, const char *const *known, size_t n,
                       const char *where);

/* Defines `const TYPE *FUNCTION(const char *name, struct err *err)`, which finds the entry of LIST whose member KEY is
 * the name, or sets err as above and returns NULL. */
#define CATALOGUE_FIND(function, type, list, key, what, where)          \
    const type *function(const char *name, struct err *err)             \
    {                                                                   \
        const char *known[CATALOGUE_MOST];                              \
        size_t n = 0;                                                   \
                                                                        \
        for (; list[n] && n < CATALOGUE_MOST; n++) {                    \
            if (strcmp(list[n]->key, name) == 0)                        \
                return list[n];                                         \
            known[n] = list[n]->key;                                    \
        }                                                               \
        catalogue_unknown(err, what, name, known, n, where);            \
        return NULL;                                                    \
    }

#endif
