/* By hops travelled: every hop takes the next class, so that a message waits only for messages of higher classes. */
#include "model/routing/classes.h"
#include "texts/classes.h"

static int hops_open(struct classes *c, const struct spec *, struct follow *f, struct routing *r, size_t nrouting,
                     struct err *err)
{
    int longest;

    if (classes_longest(&longest, f, r, nrouting, err) < 0)
        return -1;
    c->marks = longest + 1;
    c->most = longest + c->buffers;
    c->free = true;
    return 0;
}

static int hops_cross(const struct classes *, int mark, int, int)
{
    return mark + 1;
}

static int hops_class(const struct classes *, int mark, int)
{
    return mark - 1;
}

static void hops_say(const struct classes *, int class, char out[80])
{
    snprintf(out, 80, "after %d hop%s", class, class == 1 ? "" : "s");
}

const struct classes_kind classes_hops = {
    CLASSES_HOPS_ENTRY,
    .channels = true,
    .buffers = true,
    .rank = 5,
    .open = hops_open,
    .begin = classes_carry,
    .cross = hops_cross,
    .class = hops_class,
    .buffer = classes_mark,
    .say = hops_say
};
