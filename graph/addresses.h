/* addresses.h -- by which guids and port numbers a fabric names the nodes of a network: those of the file that it was
 * read from, else counted from 1. A terminal that is its own switch (it has several cables, or one to another terminal)
 * has an adapter at a port behind those of its cables.
 * Errors  ERR_DOMAIN for nodes with more cables than a switch has ports. */
#pragma once

#include "graph/net.h"

#define ADDRESS_PORTS 254       /* of a device, at most */

struct addresses {
    uint64_t *guid;             /* n: of the switch or adapter */
    uint64_t *port_guid;        /* n: of a switch its own guid; of a terminal that of its adapter's port */
    int *nport;                 /* n: ports that the device has */
    int *adapter;               /* n: -1: an adapter; 0: a switch; else the port where a switch has its own adapter */
    int *port;                  /* 2 per edge, at the ends as of net_ends: numbers of ports, from 1 */
};

/* Numbers of ports where cables have none: neighbours ascending; along the dimensions of a grid, up before down. */
int addresses_open(struct addresses *a, struct net *net, struct err *err);
void addresses_release(struct addresses *a);
