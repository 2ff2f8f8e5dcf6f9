#include "model/protocol/primitive.h"
#include "texts/primitive.h"

static void circuit_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = out->control = f->distance;
    out->time = 3 * f->distance;
}

const struct primitive primitive_circuit = {
    PRIMITIVE_CIRCUIT_ENTRY,
    .expects = EXPECT_TARGET,
    .circuit = true,
    .pends = true,
    .on_message = circuits_on_message,
    .closed = circuit_closed
};
