/* equation.h -- a fitted curve (graph/numeric/regress.h) as text. */
#pragma once

#include "graph/numeric/regress.h"

#define EQUATION_TEXT 640
/* "y = 2.1 + 0.5 x" as pango markup, with that many significant digits (1..17) and a true minus. A term that is
 * nothing beside the largest y (1e-10 of it, wherever there was a point) is not written. */
const char *equation_text(char out[EQUATION_TEXT], const struct regress *r, int digits);
