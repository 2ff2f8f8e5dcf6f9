#include "model/protocol/primitive.h"
#include "texts/primitive.h"

static void tree_circuit_closed(struct primitive_closed *out, const struct primitive_facts *f)
{
    out->messages = out->control = f->nodes - 1;
    out->time = 3 * f->depth;
}

const struct primitive primitive_tree_circuit = {
    PRIMITIVE_TREE_CIRCUIT_ENTRY,
    .expects = EXPECT_ALL,
    .circuit = true,
    .over_tree = true,
    .spans = true,
    .pends = true,
    .on_message = circuits_on_message,
    .closed = tree_circuit_closed
};
