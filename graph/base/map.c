#include "graph/base/map.h"

#include <string.h>

#include "graph/base/mem.h"

static size_t place(const struct map *m, uint64_t key)
{
    /* the halves of a key are often close numbers, such as a node and its links */
    const uint64_t mixed = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(mixed ^ mixed >> 32) & (m->room - 1);

    while (m->value[i] >= 0 && m->key[i] != key)
        i = (i + 1) & (m->room - 1);
    return i;
}

static int grow(struct map *m, struct err *err)
{
    struct map more = { .room = m->room ? 2 * m->room : 64, .n = m->n };

    if (TAKE("a map", err, ARRAY(more.key, more.room), ARRAY(more.value, more.room)) < 0) {
        map_release(&more);
        return -1;
    }
    memset(more.value, -1, more.room * sizeof *more.value);
    for (size_t i = 0; i < m->room; i++)
        if (m->value[i] >= 0) {
            size_t to = place(&more, m->key[i]);

            more.key[to] = m->key[i];
            more.value[to] = m->value[i];
        }
    map_release(m);
    *m = more;
    return 0;
}

int map_put(struct map *m, uint64_t key, int next, struct err *err)
{
    size_t i;

    if (2 * m->n >= m->room && grow(m, err) < 0)
        return -1;
    i = place(m, key);
    if (m->value[i] < 0) {
        m->key[i] = key;
        m->value[i] = next;
        m->n++;
    }
    return m->value[i];
}

void map_clear(struct map *m)
{
    if (m->room)
        memset(m->value, -1, m->room * sizeof *m->value);
    m->n = 0;
}

void map_release(struct map *m)
{
    FREE(m->key, m->value);
    *m = (struct map){ 0 };
}
