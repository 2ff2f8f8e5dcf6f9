/* circuits.h -- circuits of a communication processor (cvp, III.1 8-9 and III.2): a request reserves the channels of a way,
 * or of a tree, its end or its leaves confirm, and then the flits of any number of messages pass without being stored. A
 * decision unit sees each message's head alone. */
#ifndef MODEL_PROTOCOL_CIRCUITS_H
#define MODEL_PROTOCOL_CIRCUITS_H

#include "model/protocol/primitive.h"

/* on_message of an entry; `tree`: over the tree of the scene, else over its way. */
int circuits_on_message(struct primitive_run *x, int v, const struct message *m, bool tree, struct err *err);

#endif
