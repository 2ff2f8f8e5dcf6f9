#include "graph/base/names.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, its high bits folded down because the table looks at the low ones. */
static uint64_t hash_of(const char *text, size_t len)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h ^ h >> 32;
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t slot_of(const struct names *names, const char *text, size_t len, uint64_t hash)
{
    size_t i = (size_t)hash & (names->nslot - 1);

    while (names->slot[i] >= 0) {
        const struct name *name = &names->name[names->slot[i]];

        if (name->hash == hash && name->len == len && memcmp(name->text, text, len) == 0)
            break;
        i = (i + 1) & (names->nslot - 1);
    }
    return i;
}

static int grow(struct names *names)
{
    size_t nslot = names->nslot ? 2 * names->nslot : 64;
    struct name *name = realloc(names->name, nslot / 2 * sizeof *name);
    int *slot = name ? malloc(nslot * sizeof *slot) : NULL;

    names->name = name ? name : names->name;
    if (!slot)
        return -1;
    memset(slot, 0xff, nslot * sizeof *slot);
    for (int n = 0; n < names->n; n++) {
        size_t i = (size_t)name[n].hash & (nslot - 1);

        while (slot[i] >= 0)
            i = (i + 1) & (nslot - 1);
        slot[i] = n;
    }
    free(names->slot);
    names->slot = slot;
    names->nslot = nslot;
    return 0;
}

int names_add(struct names *names, const char *text, size_t len)
{
    uint64_t hash = hash_of(text, len);
    size_t i;

    if (2 * (size_t)names->n >= names->nslot && (names->n == INT_MAX || grow(names) < 0))
        return -1;
    i = slot_of(names, text, len, hash);
    if (names->slot[i] < 0) {
        names->name[names->n] = (struct name){ text, len, hash };
        names->slot[i] = names->n++;
    }
    return names->slot[i];
}

void names_release(struct names *names)
{
    free(names->name);
    free(names->slot);
    *names = (struct names){ 0 };
}
