/* names.h -- a set of names, numbered in the order they were first seen. Names are not copied: the text they point into
 * must outlive the set, or stand elsewhere by the next call (name[i].text may be set). A zeroed struct is empty. */
#pragma once

#include "graph/base/map.h"

struct name {
    const char *text;           /* not ended by a zero byte */
    size_t len;
};
struct names {
    struct name *name;          /* n */
    int n;
    struct map map;             /* from a hash, or the next free after it, to the number */
};

/* Number of a name, added when it is new (it is new when the answer is the n of before); -1: memory. */
int names_add(struct names *names, const char *text, size_t len, struct err *err);
void names_release(struct names *names);
