/* published.h -- where the data stand that others published. */
#pragma once

#include "graph/base/base.h"

/* Where METAPATH_DATA says, beside a build tree, or where they were installed; ERR_IO where they are nowhere. */
int published_path(char out[4096], const char *file, struct err *err);
