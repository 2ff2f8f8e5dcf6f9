/* heap.h -- binary heaps (Williams 1964) over an array of the caller.
 *   HEAP(NAME, CONTEXT, TYPE, BEFORE, PLACE)
 * defines, for a heap of TYPE ordered strictly by BEFORE(context, a, b):
 *   NAME_push(c, heap, &n, x)  inserts x, for which there is room
 *   NAME_pop(c, heap, &n)      removes the first element
 *   NAME_rise(c, heap, i)      restores the order after element i has moved forward
 *   NAME_sink(c, heap, n, i)   restores it after element i has moved back
 * PLACE(context, x, i) is called when x is stored at index i; HEAP_NOWHERE where no index is needed. */
#pragma once

#include "graph/base/base.h"

#define HEAP_NOWHERE(context, x, i) ((void)(context))

#define HEAP(NAME, CONTEXT, TYPE, BEFORE, PLACE)                                                        \
    __attribute__((unused)) static void NAME##_rise(CONTEXT c, TYPE *heap, size_t i)                    \
    {                                                                                                   \
        const TYPE x = heap[i];                                                                         \
                                                                                                        \
        for (; i && BEFORE(c, x, heap[(i - 1) / 2]); i = (i - 1) / 2) {                                 \
            heap[i] = heap[(i - 1) / 2];                                                                \
            PLACE(c, heap[i], i);                                                                       \
        }                                                                                               \
        heap[i] = x;                                                                                    \
        PLACE(c, x, i);                                                                                 \
    }                                                                                                   \
    __attribute__((unused)) static void NAME##_sink(CONTEXT c, TYPE *heap, size_t n, size_t i)          \
    {                                                                                                   \
        const TYPE x = heap[i];                                                                         \
                                                                                                        \
        for (size_t child; (child = 2 * i + 1) < n; i = child) {                                        \
            if (child + 1 < n && BEFORE(c, heap[child + 1], heap[child]))                               \
                child++;                                                                                \
            if (!BEFORE(c, heap[child], x))                                                             \
                break;                                                                                  \
            heap[i] = heap[child];                                                                      \
            PLACE(c, heap[i], i);                                                                       \
        }                                                                                               \
        heap[i] = x;                                                                                    \
        PLACE(c, x, i);                                                                                 \
    }                                                                                                   \
    __attribute__((unused)) static void NAME##_push(CONTEXT c, TYPE *heap, size_t *n, TYPE x)           \
    {                                                                                                   \
        heap[*n] = x;                                                                                   \
        NAME##_rise(c, heap, (*n)++);                                                                   \
    }                                                                                                   \
    __attribute__((unused)) static TYPE NAME##_pop(CONTEXT c, TYPE *heap, size_t *n)                    \
    {                                                                                                   \
        const TYPE top = heap[0];                                                                       \
                                                                                                        \
        heap[0] = heap[--*n];                                                                           \
        if (*n)                                                                                         \
            NAME##_sink(c, heap, *n, 0);                                                                \
        return top;                                                                                     \
    }
