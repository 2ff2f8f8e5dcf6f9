/* map.h -- a hash map from 64-bit keys to numbers, by open addressing. A zeroed struct is an empty map. */
#pragma once

#include "graph/base/base.h"

struct map_place {
    uint64_t key;
    int value;                  /* -1: free */
};
struct map {
    struct map_place *place;
    size_t n, room;             /* room is a power of two, or 0 */
};

/* The value of `key`; a new key gets the value `next`. -1: memory. */
int map_put(struct map *m, uint64_t key, int next, struct err *err);
void map_clear(struct map *m);  /* keeps the memory */
void map_release(struct map *m);
