/* mem.h -- forecasts of memory: what would not fit is refused before it is tried.
 *   TAKE(what, err, ARRAY(a, n), ZEROS(b, n), ARRAY_IF(wanted, c, n), ...)
 *       arrays a, b, ... get n elements of their own each, 0 in those of ZEROS; one that is not wanted is NULL. All of
 *       them are forecast at once, under the name `what`. -1 with ERR_MEMORY, and then all of them are NULL
 *   FREE(a, b, ...)
 *       the way back; mem_free_list: of an array of pointers */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "graph/base/err.h"

struct taken {
    void *array;                /* address of the pointer */
    size_t n, each;             /* elements; bytes of one, 0: not wanted */
    bool zero;
};
#define ARRAY(array, n) ARRAY_IF(true, array, n)
#define ARRAY_IF(wanted, array, n) { &(array), (size_t)(n), (wanted) ? sizeof *(array) : 0, false }
#define ZEROS(array, n) ZEROS_IF(true, array, n)
#define ZEROS_IF(wanted, array, n) { &(array), (size_t)(n), (wanted) ? sizeof *(array) : 0, true }
#define TAKE(what, err, ...) mem_take((const struct taken[]){ __VA_ARGS__, { NULL, 0, 0, false } }, what, err)
#define FREE(...) mem_free((void *const[]){ __VA_ARGS__ }, sizeof((void *const[]){ __VA_ARGS__ }) / sizeof(void *))

/* Bytes this process may still take: the least of what the machine has available, the control group's
 * limit and the address space limit. Infinity when nothing says. */
double mem_available(void);
/* -1 with ERR_MEMORY and both figures when `bytes` exceeds what is available. */
int mem_need(double bytes, const char *what, struct err *err);
int mem_take(const struct taken *list, const char *what, struct err *err);
void mem_free(void *const *array, size_t n);
/* What n pointers point to, and then the array of them, or NULL, itself. */
void mem_free_list(void *list, size_t n);
