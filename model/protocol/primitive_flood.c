#include "model/protocol/primitive.h"
#include "texts/primitive.h"

/* Counters: the first message of a flood counts up the half-links by which it is to come again, and each of these
 * counts its own down. As printed (figure III.11) that by which it came is counted up, too. */
static bool flood_is_new(struct primitive_run *x, int v, const struct message *m)
{
    const struct wiring *w = x->s->w;

    if (x->how->text == TEXT_MENDED && !x->how->back)
        return !primitive_has(x, m->value, v);
    if (x->count[m->link] > 0) {
        x->count[m->link]--;
        return false;
    }
    for (size_t h = w->first[v]; h < w->first[v + 1]; h++)
        x->count[h] += h != m->link || x->how->text == TEXT_PUBLISHED;
    return true;
}

static int flood_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    if (m->link != PROTOCOL_HOST && (v == x->s->origin || !flood_is_new(x, v, m)))
        return 0;
    if (m->link != PROTOCOL_HOST)
        primitive_deliver(x, v, m->value);
    return primitive_spread(x, v, x->how->back ? PROTOCOL_HOST : m->link, m->value, err);
}

static void flood_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = 2 * f->cables - (f->back ? 0 : f->nodes - 1);
    out->time = f->eccentricity;
}

const struct primitive primitive_flood = {
    PRIMITIVE_FLOOD_ENTRY,
    .expects = EXPECT_ALL,
    .spans = true,
    .counts = true,
    .on_message = flood_on_message,
    .closed = flood_closed
};
