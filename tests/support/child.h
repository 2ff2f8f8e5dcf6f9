/* child.h -- a command line run in a forked child, as main runs it: what it wrote, how it ended, what it took and what
 * it left. The command runs in the test's own program, so that a function which the linker put in another's place
 * (--wrap, see the Makefile) is in place there too, and may be told in `prepare` when to act. The parent must not
 * have computed in threads before: OpenMP's do not survive a fork. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether this program runs under the address sanitizer. */
#if defined(__SANITIZE_ADDRESS__)
#define CHILD_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHILD_ASAN 1
#endif
#endif
#ifndef CHILD_ASAN
#define CHILD_ASAN 0
#endif

struct child {
    char *text;                 /* standard output and error as they came, with a zero byte behind */
    size_t len;
    int status;                 /* it exited with; -1: a signal ended it */
    int signal;                 /* that ended it, or 0 */
    bool late;                  /* it ran out of time */
    bool faulty;                /* a signal ended it, or a sanitizer spoke up (leaks too) */
    double peak;                /* most bytes that were resident */
};

/* Runs "stats torus:4x4 -o x.csv" (words between single blanks, at most 40) for at most so many seconds. `prepare`
 * (or NULL) is called in the child with `arg` before the command begins. Fails the test where it cannot be run. */
void child_run(struct child *child, const char *command, double seconds, void (*prepare)(void *arg), void *arg);
void child_release(struct child *child);

/* A whole file with a zero byte behind; to be freed; NULL: there is none. `len` may be NULL. */
char *child_file(const char *path, size_t *len);
void child_write(const char *path, const char *text);
/* The name of a temporary file that stands in the working folder, NULL where there is none; to be freed. */
char *child_litter(void);
