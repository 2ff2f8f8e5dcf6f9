#include "graph/base/base.h"

#define FIRST 16                /* elements there is room for at first */

static int resize(const struct grown *list, size_t room, const char *what, struct err *err)
{
    double bytes = 0;

    for (const struct grown *g = list; g->each; g++)
        bytes += g->array ? (double)g->each * (double)room : 0;
    if (bytes >= (double)SIZE_MAX / 2)
        return err_set(err, ERR_MEMORY, "%s: %zu of them are more than memory can hold", what, room);
    if (mem_need(bytes, what, err) < 0)
        return -1;
    for (const struct grown *g = list; g->each; g++) {
        void *at;

        if (!g->array)
            continue;
        memcpy(&at, g->array, sizeof at);       /* a pointer of any type */
        at = realloc(at, room * g->each);
        if (!at)
            return err_memory(err);
        memcpy(g->array, &at, sizeof at);
    }
    return 0;
}

int grow(const struct grown *list, size_t *room, size_t need, const char *what, struct err *err)
{
    size_t more = *room < FIRST ? FIRST : *room <= SIZE_MAX / 2 ? *room + *room / 2 : SIZE_MAX;

    if (need <= *room)
        return 0;
    if (more < need)
        more = need;
    if (resize(list, more, what, err) < 0)
        return -1;
    *room = more;
    return 0;
}

/* The smallest power of two that holds n. */
static size_t room_of(size_t n)
{
    size_t room = FIRST;

    while (room < n && room <= SIZE_MAX / 2)
        room *= 2;
    return n == 0 ? 0 : room < n ? SIZE_MAX : room;
}

int grow_by(const struct grown *list, size_t n, size_t more, const char *what, struct err *err)
{
    const size_t need = more <= SIZE_MAX - n ? n + more : SIZE_MAX;

    return room_of(need) == room_of(n) ? 0 : resize(list, room_of(need), what, err);
}
