#include "graph/base/map.h"

static struct map_place *find(const struct map *m, uint64_t key)
{
    /* the halves of a key are often close numbers, such as a node and its links */
    const uint64_t mixed = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(mixed ^ mixed >> 32) & (m->room - 1);

    while (m->place[i].value >= 0 && m->place[i].key != key)
        i = (i + 1) & (m->room - 1);
    return &m->place[i];
}

static int map_grow(struct map *m, struct err *err)
{
    struct map more = { .room = m->room ? 2 * m->room : 64 };

    if (TAKE("a map", err, ARRAY(more.place, more.room)) < 0)
        return -1;
    map_clear(&more);
    more.n = m->n;
    for (size_t i = 0; i < m->room; i++)
        if (m->place[i].value >= 0)
            *find(&more, m->place[i].key) = m->place[i];
    map_release(m);
    *m = more;
    return 0;
}

int map_put(struct map *m, uint64_t key, int next, struct err *err)
{
    struct map_place *p;

    if (2 * m->n >= m->room && map_grow(m, err) < 0)
        return -1;
    p = find(m, key);
    if (p->value < 0) {
        *p = (struct map_place){ key, next };
        m->n++;
    }
    return p->value;
}

void map_clear(struct map *m)
{
    for (size_t i = 0; i < m->room; i++)
        m->place[i].value = -1;
    m->n = 0;
}

void map_release(struct map *m)
{
    free(m->place);
    *m = (struct map){ 0 };
}
