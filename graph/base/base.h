/* base.h -- what nearly every file leans on, and what no file includes by itself: C's own library without what is special,
 * errors, memory and lists that grow, numbers and names as text, progress. */
#pragma once

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/err.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/num.h"
#include "graph/base/text.h"
#include "graph/base/tick.h"
