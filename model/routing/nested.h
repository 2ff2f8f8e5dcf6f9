/* nested.h -- a supernode's spec within a routing's, whose keys stand among the routing's own.
 * Errors  ERR_USAGE for a key that neither has, or that is given twice; those of supernode_open. */
#ifndef MODEL_ROUTING_NESTED_H
#define MODEL_ROUTING_NESTED_H

#include "model/supernode/supernode.h"

/* `own` with those keys of `spec` that are not among `keys`, the routing's own. */
int nested_supernode(struct supernode *out, const struct net *net, const struct spec *spec, const char *own,
                     const struct spec_key *keys, struct err *err);

#endif
