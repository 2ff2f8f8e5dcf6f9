/* names.h -- a set of names, numbered in the order they were first seen. Names are not copied: the text they
 * point into must outlive the set. */
#ifndef GRAPH_BASE_NAMES_H
#define GRAPH_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct name {
    const char *text;           /* not ended by a zero byte */
    size_t len;
    uint64_t hash;
};
struct names {
    struct name *name;          /* n */
    int *slot;                  /* open addressing, a power of two of them, at most half full; -1 where free */
    size_t nslot;
    int n;
};

/* Number of a name, added when it is new (it is new when the answer is the n of before); -1: memory. */
int names_add(struct names *names, const char *text, size_t len);
void names_release(struct names *names);

#endif
