/* tick.h -- progress and stopping, handed down to anything that may take long.
 * tick(t, done) with done in 0..1; a non-zero answer means stop: return ERR_STOPPED. A NULL tick never stops.
 * Called from one thread at a time. */
#ifndef BASE_TICK_H
#define BASE_TICK_H

#include <stddef.h>

struct tick {
    int (*fn)(void *arg, double done);
    void *arg;
    double from, to;            /* the part of the whole that done 0..1 stands for */
};

static inline int tick(const struct tick *t, double done)
{
    return t && t->fn ? t->fn(t->arg, t->from + done * (t->to - t->from)) : 0;
}

/* The part from..to (0..1) of `t`, for a step of a longer work. */
static inline struct tick tick_part(const struct tick *t, double from, double to)
{
    if (!t)
        return (struct tick){ NULL, NULL, 0, 1 };
    return (struct tick){ t->fn, t->arg, t->from + from * (t->to - t->from), t->from + to * (t->to - t->from) };
}

#endif
