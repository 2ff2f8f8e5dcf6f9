#include "model/protocol/primitive.h"
#include "texts/primitive.h"

/* The origin counts up a half-link when it sends and down when the confirmation comes: the instruction is done when no
 * other has more to come. */
static int neighbours_confirmed_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    const struct wiring *w = x->s->w;

    if (m->link == PROTOCOL_HOST) {
        for (size_t h = w->first[v]; h < w->first[v + 1]; h++)
            x->count[h]++;
        return primitive_spread(x, v, PROTOCOL_HOST, m->value, err);
    }
    if (v != x->s->origin) {
        primitive_deliver(x, v, m->value);
        return primitive_put(x, m->link, PRIMITIVE_CONFIRM, m->value, err);
    }
    x->count[m->link]--;
    if (primitive_level(x, v, m->link))
        primitive_tell(x, m->value);
    return 0;
}

static void neighbours_confirmed_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = out->control = f->degree;
    out->time = 1;
    out->known = 2;
}

const struct primitive primitive_neighbours_confirmed = {
    PRIMITIVE_NEIGHBOURS_CONFIRMED_ENTRY,
    .expects = EXPECT_NEIGHBOURS,
    .counts = true,
    .on_message = neighbours_confirmed_on_message,
    .closed = neighbours_confirmed_closed
};
