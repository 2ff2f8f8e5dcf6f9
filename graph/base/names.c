#include "graph/base/names.h"

/* FNV-1a (Fowler, Noll, Vo). */
static uint64_t hash_of(const char *text, size_t len)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h;
}

int names_add(struct names *names, const char *text, size_t len, struct err *err)
{
    if (names->n == INT_MAX)
        return err_set(err, ERR_MEMORY, "more than 2^31 names");
    if (GROW_BY((size_t)names->n, 1, "names", err, GROWN(names->name)) < 0)
        return -1;
    for (uint64_t key = hash_of(text, len);; key++) {       /* another name may have the same hash value */
        const int at = map_put(&names->map, key, names->n, err);

        if (at < 0)
            return -1;
        if (at == names->n) {
            names->name[names->n] = (struct name){ text, len };
            return names->n++;
        }
        if (names->name[at].len == len && memcmp(names->name[at].text, text, len) == 0)
            return at;
    }
}

void names_release(struct names *names)
{
    free(names->name);
    map_release(&names->map);
    *names = (struct names){ 0 };
}
