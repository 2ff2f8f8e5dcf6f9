/* err.h -- how anything below cli says what went wrong.
 * A function that can fail returns 0 or -1; on -1 `err` holds one sentence without a final stop that names
 * the input, the place in it, the rule it broke and, where there is one, the way to mend it. */
#pragma once

#include <stdbool.h>

enum err_code {
    ERR_NONE,
    ERR_USAGE,      /* the request is wrong: option, spec, combination of them */
    ERR_DOMAIN,     /* a value of the request outside what a model accepts */
    ERR_IO,         /* reading or writing failed */
    ERR_FORMAT,     /* a file's content is malformed */
    ERR_NETWORK,    /* a well-formed network that the computation cannot take (disconnected, ...) */
    ERR_MEMORY,     /* does not fit, or allocation failed */
    ERR_STOPPED,    /* the user asked to stop */
    ERR_INTERNAL    /* a library refused what should have been right */
};

struct err {
    enum err_code code;
    char msg[1000];             /* so long that it may list the columns of any of our tables */
};

/* Sets code and message; returns -1 so that `return err_set(...)` reads well. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Puts "where: " in front of the message that is there; returns -1. */
int err_at(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int err_memory(struct err *err);
int err_stopped(struct err *err);
/* True where the command line is to blame (exit status 2). */
bool err_is_request(const struct err *err);
