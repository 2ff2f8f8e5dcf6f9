/* compare_prices.h -- what networks cost, by a file of prices: what,class_or_radix,price,watt. A switch has a radix, and
 * all switches of a network are of the least radix in the file that has ports enough; a cable is of the class host,
 * group or global (as the columns of `compare` count them). Money of any currency, and watts, each. */
#pragma once

#include "analysis/network/topo_report.h"

struct price {
    int radix;                  /* ports of a switch; of cables minus their class, from 1 */
    double price, watt;
};
/* ERR_FORMAT: path and line of what is no price, is negative or there twice. free() */
int prices_read(struct price **out, size_t *n, const char *path, struct err *err);
/* All of the network together. ERR_DOMAIN: the file lacks what the network has. */
int prices_of(struct price *out, const struct price *row, size_t n, const struct topo_report *r, struct err *err);
