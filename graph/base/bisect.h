/* bisect.h -- binary search for the first element that is not before some place.
 *   BISECT(at, from, to, i, before)
 *       `before` says of element i whether it lies before that place; it holds for a prefix of from..to-1.
 *       `at`: the first element for which it does not hold, `to` where there is none */
#pragma once

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
