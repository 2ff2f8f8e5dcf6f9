/* fabric.h -- dumps of InfiniBand fabrics: what ibnetdiscover prints (rdma-core, infiniband-diags/ibnetdiscover.c), and
 * what ibsim reads (ibsim/sim_net.c), which is the same without guids, rates and descriptions. */
#pragma once

#include "graph/import/import.h"

/* Every cable is told from both ends, matched by device and port. One told by one end is taken, a loop is not; both are
 * faults. Devices without guids get those that ibsim gives them. Rates are in data bits per second, the lower of both
 * ends; a cable whose rate is not known has the lowest of the file. */
int fabric_read(struct import *in, const char *text, size_t len, const char *path, struct err *err);
/* The bytes of the text where the first device stands, as ibsim or ibnetdiscover begin one; NULL: there is none.
 * *dump: it has a description behind a '#', or a guid before it. */
const char *fabric_first(const char *text, bool *dump);
