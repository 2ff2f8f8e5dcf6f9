#include "model/protocol/circuits.h"
#include "texts/primitive.h"

static int circuit_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err)
{
    return circuits_on_message(x, v, m, false, err);
}

static void circuit_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = out->control = f->distance;
    out->time = 3 * f->distance;
}

const struct primitive primitive_circuit = {
    .name = "circuit",
    PRIMITIVE_CIRCUIT_TEXT,
    .source = "cvp, III.1 8, III.2 1",
    .instruction = "ASK.CIRCUIT, SEND.CIRCUIT",
    .expects = EXPECT_TARGET,
    .one_way = true,
    .pends = true,
    .on_message = circuit_on_message,
    .closed = circuit_closed
};
