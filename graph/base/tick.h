/* tick.h -- progress and cancellation of anything that may take long, as a callback. tick(t, done) with done in 0..1;
 * non-zero means stop: return ERR_STOPPED. A NULL tick never stops. Called from one thread at a time. A step that knows
 * its own progress better than the part of the whole may report it in a few words. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "graph/base/err.h"

struct tick {
    int (*fn)(void *arg, double done);
    void *arg;
    double from, to;            /* the part of the whole that done 0..1 stands for */
    void (*say)(void *arg, const char *text);           /* NULL: not wanted. Up to 40 characters */
};

static inline int tick(const struct tick *t, double done)
{
    return t && t->fn ? t->fn(t->arg, t->from + done * (t->to - t->from)) : 0;
}

/* The same for callers that fail on a stop: -1 and ERR_STOPPED. */
static inline int tick_check(const struct tick *t, double done, struct err *err)
{
    return tick(t, done) ? err_stopped(err) : 0;
}

/* The part from..to (0..1) of `t`, for a step of a longer work. */
static inline struct tick tick_part(const struct tick *t, double from, double to)
{
    if (!t)
        return (struct tick){ NULL, NULL, 0, 1, NULL };
    return (struct tick){ t->fn, t->arg, t->from + from * (t->to - t->from), t->from + to * (t->to - t->from), t->say };
}

/* Step i of n alike. */
static inline struct tick tick_step(const struct tick *t, size_t i, size_t n)
{
    return tick_part(t, (double)i / (double)n, (double)(i + 1) / (double)n);
}

static inline void tick_say(const struct tick *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static inline void tick_say(const struct tick *t, const char *fmt, ...)
{
    char text[48];
    va_list ap;

    if (!t || !t->say)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    t->say(t->arg, text);
}
