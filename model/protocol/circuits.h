/* circuits.h -- circuits of a communication processor (cvp, III.1 8-9 and III.2): a request reserves the channels of a
 * way, or of a tree, the end of the way or the leaves confirm, and then the flits of any number of messages pass without
 * being stored. A decision unit sees the head of each message alone. */
#ifndef MODEL_PROTOCOL_CIRCUITS_H
#define MODEL_PROTOCOL_CIRCUITS_H

#include "model/protocol/primitive.h"

/* on_message of entries with `circuit`. */
int circuits_on_message(struct primitive_run *x, int v, const struct message *m, struct err *err);

#endif
