/* utf8.h -- text that a library which insists on UTF-8 can take. */
#pragma once

#include "graph/base/base.h"

/* Bytes of the well-formed character that text begins with; 0 when there is none. */
size_t utf8_length(const char *text);
/* Whether text begins with a character that steers what shows it: C0, DEL, C1, a line or paragraph separator, or one
 * that turns the direction of what follows. */
bool utf8_control(const char *text);
/* A fresh copy in which every byte outside a well-formed character is U+FFFD; NULL: memory. */
char *utf8_repair(const char *text);
/* The same, and every such control character (line ends too) a blank: one line that cannot steer a terminal. */
char *utf8_line(const char *text);
