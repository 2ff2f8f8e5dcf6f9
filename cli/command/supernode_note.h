/* supernode_note.h -- what tables say of a supernode that is too small for its network. */
#ifndef CLI_COMMAND_SUPERNODE_NOTE_H
#define CLI_COMMAND_SUPERNODE_NOTE_H

#include <string.h>

#include "analysis/metapath/metapath.h"
#include "render/table/table.h"

/* A ball round a host of a fat tree holds no other host below the distance of the nearest two, which is then the least
 * length of its metapaths. */
static inline void supernode_note(struct table *t, const struct net *net, const struct supernode *sn,
                                  const struct metapath_stats *s)
{
    if (sn->shape == SHAPE_BALL && sn->radius > 0 && s->width == 1 && s->pairs > 0)
        table_note(t, "%s on %s: no terminal has another within %d hop%s, so that every metapath is a single path; %.*s:%g "
                   "is the least area that has some.", sn->spec, net->spec, sn->radius, sn->radius == 1 ? "" : "s",
                   (int)strcspn(sn->spec, ":"), sn->spec, s->least_hops);
}

#endif
