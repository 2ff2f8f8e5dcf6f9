/* order.h -- orders for qsort and bsearch, by one member after the other:
 *   ORDER(by_merit, struct candidate, UP(x) UP(y) DOWN(place))
 *       int by_merit(const void *, const void *): by x, the least first, of the same x by y, of these the greatest place
 *       first; 0 where all are the same. NaN is the same as anything, and what follows it is not looked at. */
#pragma once

#define UP(member)                                                                              \
    if (order_p->member != order_q->member)                                                     \
        return (order_p->member > order_q->member) - (order_p->member < order_q->member);
#define DOWN(member)                                                                            \
    if (order_p->member != order_q->member)                                                     \
        return (order_p->member < order_q->member) - (order_p->member > order_q->member);
#define ORDER(name, type, ...)                                                                  \
    static int name(const void *order_a, const void *order_b)                                   \
    {                                                                                           \
        const type *order_p = order_a, *order_q = order_b;                                      \
        __VA_ARGS__                                                                             \
        return 0;                                                                               \
    }
