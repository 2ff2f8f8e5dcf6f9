/* published.h -- where the data stand that others published. */
#ifndef CLI_REQUEST_PUBLISHED_H
#define CLI_REQUEST_PUBLISHED_H

#include "graph/base/err.h"

/* Where METAPATH_DATA says, beside a build tree, or where they were installed; ERR_IO where they are nowhere. */
int published_path(char out[4096], const char *file, struct err *err);

#endif
