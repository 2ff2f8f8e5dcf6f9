/* catalogue.h -- every entry of every catalogue (graph/base/entry.h), alike: for `list`, `help` and the tests. */
#pragma once

#include "graph/base/entry.h"

extern const struct kind kind_term;     /* the glossary */

/* The i-th kind by rank; NULL beyond the last. Two kinds may share a name: `list` shows them as one. */
const struct kind *catalogue_kind(size_t i);
/* Calls `each` for all entries, kind by kind; stops at a non-zero answer and returns it. */
int catalogue_walk(int (*each)(void *arg, const struct kind *kind, const struct entry *entry), void *arg);
