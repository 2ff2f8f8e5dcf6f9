/* prose.h -- text for people on standard output, at most 79 columns wide. */
#pragma once

#include "graph/base/base.h"

/* Prints `lead`, then `text` from column `indent` on, in as many lines as it takes. Paragraphs have an empty line
 * between them; a line that begins with a space is printed as it stands. */
void prose_fill(const char *lead, size_t indent, const char *text);
