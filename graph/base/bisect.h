/* bisect.h -- the first of things in order.
 *   BISECT(at, from, to, i, before)
 *       `before` says of i whether it lies before what is looked for: of all from..to-1 below some place, and of none
 *       from there on. `at`: that place, `to` where it is said of all */
#ifndef GRAPH_BASE_BISECT_H
#define GRAPH_BASE_BISECT_H

#define BISECT(at, from, to, i, before)                                                                              \
    do {                                                                                                             \
        __typeof__(at) bisect_end = (to);                                                                            \
        for ((at) = (from); (at) < bisect_end;) {                                                                    \
            const __typeof__(at) i = (at) + (bisect_end - (at)) / 2;                                                 \
            if (before)                                                                                              \
                (at) = i + 1;                                                                                        \
            else                                                                                                     \
                bisect_end = i;                                                                                      \
        }                                                                                                            \
    } while (0)

#endif
