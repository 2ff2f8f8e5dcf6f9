/* Datelines: a message begins in class 0 and takes the next class after it has crossed the dateline of the ring it is
 * on; on the next ring, and at a stop, it begins again. Between groups each cable is a dateline. Adaptive messages come
 * back to dimensions that they left, whose ring goes on where they are then: they carry a bit for each. */
#include "model/routing/classes.h"
#include "texts/classes.h"

static void dateline_close(void *state)
{
    datelines_close(state);
}

static int dateline_open(struct classes *c, const struct spec *, struct follow *f, struct routing *r, size_t nrouting,
                         struct err *err)
{
    struct datelines *d = c->state;

    if (datelines_open(d, f, r, nrouting, err) < 0)
        return -1;
    c->marks = c->most = d->most + 1;
    if (d->rings && r->escape)
        c->marks = 1 << f->net->ndim;
    c->invariant = false;
    c->free = d->rings && classes_by_dor(r, nrouting);
    for (size_t i = 0; i < nrouting; i++)
        c->free = c->free && !r[i].base;
    return 0;
}

static int dateline_cross(const struct classes *c, int mark, int in, int link)
{
    const struct datelines *d = c->state;

    if (c->marks > c->most)
        return in < 0 || !d->across[in] ? mark : mark | 1 << (d->ring[in] - 1);
    return datelines_cross(d, mark, in, link);
}

static int dateline_class(const struct classes *c, int mark, int link)
{
    const struct datelines *d = c->state;

    return c->marks > c->most ? mark >> (d->ring[link] - 1) & 1 : mark;
}

static void dateline_say(const struct classes *c, int class, char out[80])
{
    datelines_say(c->state, class, out, 80);
}

const struct classes_kind classes_dateline = {
    CLASSES_DATELINE_ENTRY,
    .channels = true,
    .rank = 1,
    .rings = true,
    .by_rule = true,
    .state = sizeof(struct datelines),
    .open = dateline_open,
    .close = dateline_close,
    .begin = classes_begin_0,
    .cross = dateline_cross,
    .class = dateline_class,
    .say = dateline_say
};
