#include "model/protocol/primitive.h"
#include "texts/primitive.h"

/* The first message of an instruction counts up the half-links by which others are to come, and each of these counts
 * its own down: the instruction goes on when no other has more to come. As printed (figure III.9) the first counts up
 * its own, too, so that the next message by it passes for one of the same instruction. */
static int converge_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    const struct primitive_scene *s = x->s;
    const struct wiring *w = s->w;
    const bool first = m->link != PROTOCOL_HOST && x->count[m->link] == 0;
    bool others = false;

    if (m->link != PROTOCOL_HOST && !first)
        x->count[m->link]--;
    for (size_t h = w->first[v]; first && h < w->first[v + 1]; h++)
        others = others || (h != m->link && primitive_branch(s, h));
    for (size_t h = w->first[v]; others && h < w->first[v + 1]; h++)
        if (primitive_branch(s, h) && (h != m->link || x->how->text == TEXT_PUBLISHED))
            x->count[h]++;
    if (others || (m->link != PROTOCOL_HOST && !first && !primitive_level(x, v, m->link)))
        return 0;
    if (v != s->origin)
        return primitive_put(x, (size_t)s->up[v], PRIMITIVE_MESSAGE, m->value, err);
    primitive_deliver(x, v, m->value);
    primitive_tell(x, m->value);
    return 0;
}

static void converge_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = f->nodes - 1;
    out->time = out->known = f->depth;
}

const struct primitive primitive_converge = {
    PRIMITIVE_CONVERGE_ENTRY,
    .expects = EXPECT_ORIGIN,
    .from_leaves = true,
    .spans = true,
    .counts = true,
    .on_message = converge_on_message,
    .closed = converge_closed
};
