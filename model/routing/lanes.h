/* lanes.h -- service levels of InfiniBand: which virtual lane the messages of a pair take, from a file of lines
 *     0xSOURCE-GUID 0xTARGET-GUID LEVEL        # and comments
 * Guids are those of ports of terminals, or of their adapters; lines of others are passed over. Levels are lanes, as
 * where a subnet manager maps one to one.
 * Errors  ERR_FORMAT with path and line, and for a pair of terminals without a line. */
#pragma once

#include "graph/net.h"

#define LANES 16

/* of: n squared, by source and target; *lanes: one more than the greatest level. */
int lanes_read(unsigned char *of, int *lanes, struct net *net, const char *path, struct err *err);
