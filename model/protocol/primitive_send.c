#include "model/protocol/primitive.h"
#include "texts/primitive.h"

static int send_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    if (v != x->s->target)
        return primitive_put(x, (size_t)x->s->way[v], PRIMITIVE_MESSAGE, m->value, err);
    primitive_deliver(x, v, m->value);
    return 0;
}

static void send_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = out->time = f->distance;
}

const struct primitive primitive_send = {
    PRIMITIVE_SEND_ENTRY,
    .expects = EXPECT_TARGET,
    .on_message = send_on_message,
    .closed = send_closed
};
