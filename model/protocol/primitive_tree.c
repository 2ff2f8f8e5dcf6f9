#include "model/protocol/primitive.h"
#include "texts/primitive.h"

static int tree_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    const struct wiring *w = x->s->w;

    if (m->link != PROTOCOL_HOST)
        primitive_deliver(x, v, m->value);
    for (size_t h = w->first[v]; h < w->first[v + 1]; h++)
        if (primitive_branch(x->s, h) && primitive_put(x, h, PRIMITIVE_MESSAGE, m->value, err) < 0)
            return -1;
    return 0;
}

static void tree_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = f->nodes - 1;
    out->time = f->depth;
}

const struct primitive primitive_tree = {
    PRIMITIVE_TREE_ENTRY,
    .expects = EXPECT_ALL,
    .spans = true,
    .on_message = tree_on_message,
    .closed = tree_closed
};
