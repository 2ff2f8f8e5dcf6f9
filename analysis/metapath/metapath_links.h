/* metapath_links.h -- how many of the source's outgoing and the destination's incoming links the multistep paths use,
 * on translation-invariant networks, routed in dimension order: last generator first, the positive way on a tie.
 *
 * Outgoing: the first links towards the members of S, and towards the members of T. Passing through s again later adds
 * nothing, since the next link depends on node and target alone and s itself is a member. Incoming: link e of t is
 * used when some member i of S has e as the last link of its path to t, that is t lies in E + S with
 * E = {v: the path 0 -> v ends with e}; the destination's area adds the links its own members come in by. */
#pragma once

#include "analysis/metapath/metapath.h"

/* For a box: members of S at source 0; value[t] is NaN for targets left out. */
int link_use_box(struct metapath_stats *s, const struct net *net, const uint32_t *D, const struct supernode *sn,
              const int *member, int nmember, const double *value, struct err *err);
/* For the supernodes of every other shape, all at once: fills out[i] where sn[i] is not a box. */
int link_use_areas(struct metapath_stats *out, const struct net *net, const uint32_t *D, const struct supernode *sn,
                size_t n, struct err *err);
/* Over all kept pairs: links used, links there, and the sum of the pairs' shares of them. */
struct link_sum {
    double used, there, share;
};
void link_use_finish(struct metapath_stats *s, struct link_sum out, struct link_sum in);
