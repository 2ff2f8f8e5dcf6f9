/* devices.h -- what the file of a fabric says of its devices beside the graph; all zero where the file says nothing.
 * A node is a switch, or a port of an adapter: what one address of the fabric leads to. An adapter with several ports in
 * use is several terminals, of one site. Port numbers of cables are the names of their ports (cables.port), which
 * net_port_number reads. */
#pragma once

#include "graph/base/base.h"

struct devices {
    uint64_t *guid;             /* n: of the switch or adapter; NULL: the file gives none */
    uint64_t *port_guid;        /* n: by which tables name it as a destination; of a switch its own guid */
    int *nport;                 /* n: ports that the device has, used or free; NULL, or 0: not known */
    int *site;                  /* n: the host that a terminal belongs to, from 0; -1 of switches. NULL: not known */
    int nsite;
    struct device_fault *fault; /* what is wrong with cables, in the order of the file */
    size_t nfault;
};
/* A cable that one end alone tells of (it is in the graph), or a loop of a switch to itself (it is not). */
struct device_fault {
    int node, port;             /* the end that is told */
    int to, to_port;            /* where it leads; of a loop the same node */
    size_t line;                /* of the file */
};

void devices_release(struct devices *d);
