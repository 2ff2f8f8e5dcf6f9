/* brute.h -- metapath statistics by their definition: every multistep path of every pair, hop by hop. Nothing here
 * knows how the program computes them; distances are igraph's. Failures are cmocka's. */
#pragma once

#include "analysis/metapath/metapath.h"

struct brute {
    double pairs, mean, sd, least, greatest, lengthening, width, intermediate;
    double source_links, destination_links;     /* NAN: not walked, or no dimension order */
    enum link_use use;
    uint64_t *bin;              /* as metapath_stats's, free() */
    size_t nbin;
};
/* walk: also look at the links, on networks with a dimension order. */
void brute_stats(struct brute *b, struct net *net, const int *hops, const char *supernode, int bins_per_hop, bool walk);
/* Members of S(s) by definition, into `member`; how many. */
int brute_members(const struct net *net, const int *hops, const char *supernode, int s, int *member);
