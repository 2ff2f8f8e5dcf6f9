/* grow.h -- arrays that grow as things are put in, by half and more at a time, so that n things cost O(n) moves.
 *   GROW(&room, need, what, err, GROWN(a), GROWN(b))
 *       arrays a, b, ... of `room` elements each get room for `need`
 *   GROW_BY(n, more, what, err, GROWN(a), ...)
 *       the same without a count of the room: it follows from the n elements that are there. Such arrays grow by
 *       GROW_BY alone and never lose elements
 * `what` is there for messages: memory is forecast under that name where it is much. -1 with ERR_MEMORY; what was in
 * the arrays is there either way, and they are to be freed as ever. */
#pragma once

#include <stddef.h>

#include "graph/base/err.h"

struct grown {
    void *array;                /* address of the pointer */
    size_t each;                /* bytes of an element */
};
#define GROWN(array) GROWN_OF(array, 1)
#define GROWN_OF(array, of) { &(array), (of) * sizeof *(array) }     /* elements of so many things each */
#define GROWN_IF(wanted, array) GROWN_OF_IF(wanted, array, 1)
#define GROWN_OF_IF(wanted, array, of) { (wanted) ? (void *)&(array) : NULL, (of) * sizeof *(array) }
#define GROW_LIST(...) (const struct grown[]){ __VA_ARGS__, { NULL, 0 } }
#define GROW(room, need, what, err, ...) ((need) <= *(room) ? 0 : grow(GROW_LIST(__VA_ARGS__), room, need, what, err))
#define GROW_BY(n, more, what, err, ...) grow_by(GROW_LIST(__VA_ARGS__), n, more, what, err)

int grow(const struct grown *list, size_t *room, size_t need, const char *what, struct err *err);
int grow_by(const struct grown *list, size_t n, size_t more, const char *what, struct err *err);
