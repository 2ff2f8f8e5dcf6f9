/* guide_offer.h -- the metapaths that `metapath guide` chooses from, written as routings: `shares` and `base` are keys
 * behind each, as in ",shares=bandwidth" and ",base=dor". */
#pragma once

#include "cli/request/load.h"

struct guide_offer {
    struct strings spec, label;         /* as routings, and what they are called */
};

/* The first one, two, ... paths of a table, until no stream has more. */
int guide_offer_table(struct guide_offer *offer, const char *table, const char *shares, const char *base,
                      struct net *net, const struct traffic *traffic, struct err *err);
/* One a supernode; the usual ones where the list is empty. */
int guide_offer_supernodes(struct guide_offer *offer, const struct strings *supernode, const char *shares,
                           const char *base, struct err *err);
void guide_offer_release(struct guide_offer *offer);           /* a zeroed struct is fine */
