/* topo_export.h -- a network, or the tables of a routing on it, into a file. */
#pragma once

#include "cli/request/frame.h"

/* `to`: [FORMAT:]FILE. What the file does not say is a note of the table. */
int topo_export(struct job *j, const char *to, const char *routing, struct err *err);
