/* schedule_check.h -- whether a schedule of a collective keeps its promise. */
#pragma once

#include "model/collective/collective.h"

/* Runs it without time, and proves that every process ends with what the operation promises: of every piece, the
 * contributions that it has. n to 64. ERR_INTERNAL says where it does not: a piece combined twice, one that was not
 * there to be sent, a message that no process takes, a process that waits for ever. */
int schedule_check(const struct schedule *s, struct err *err);
