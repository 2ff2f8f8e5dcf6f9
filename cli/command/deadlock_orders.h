/* deadlock_orders.h -- `metapath deadlock --order`: which process waits for which in an order of blocking calls. */
#pragma once

#include "cli/request/frame.h"

#define DEADLOCK_ORDERS_TITLE "Blocking calls: processes left waiting"
#define DEADLOCK_ORDERS_COLUMNS 6
extern const struct column deadlock_orders_columns[DEADLOCK_ORDERS_COLUMNS];
/* Rows of the processes that cannot go on; `stuck` where there is any. */
int deadlock_orders_rows(bool *stuck, struct job *j, const char *path, struct err *err);
