#include "model/protocol/primitive.h"
#include "texts/primitive.h"

static int neighbours_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    if (m->link == PROTOCOL_HOST)
        return primitive_spread(x, v, PROTOCOL_HOST, m->value, err);
    primitive_deliver(x, v, m->value);
    return 0;
}

static void neighbours_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = f->degree;
    out->time = 1;
}

const struct primitive primitive_neighbours = {
    PRIMITIVE_NEIGHBOURS_ENTRY,
    .expects = EXPECT_NEIGHBOURS,
    .on_message = neighbours_on_message,
    .closed = neighbours_closed
};
