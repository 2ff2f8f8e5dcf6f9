/* fuzz.h -- what the harnesses share. A harness fuzz_NAME.c defines LLVMFuzzerTestOneInput: it gives any bytes to one
 * parser, holds what comes back to what the parser promises, and releases it. libFuzzer runs it on bytes of its own
 * (`make fuzz`), replay.c on those of corpus/NAME (`make check`). A property that does not hold is an abort. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph/base/err.h"
#include "graph/base/utf8.h"
#include "graph/net.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static inline void must(bool holds, const char *what, const char *shown)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s: %s\n", what, shown ? shown : "");
    abort();
}

/* What a message is: one line, not empty, of whole characters none of which steers a terminal; and its kind is set,
 * to something that a bad input can be guilty of. */
static inline void message_is_fit(const struct err *err)
{
    must(err->code != ERR_NONE && err->code != ERR_INTERNAL && err->code != ERR_STOPPED, "a kind of error", err->msg);
    must(*err->msg != '\0', "a message", NULL);
    for (const char *c = err->msg; *c; c += utf8_length(c))
        must(utf8_length(c) > 0 && !utf8_control(c), "a message of one line, in UTF-8", err->msg);
}

/* The input as text that ends with a zero byte, in a block of its own, so that reading past it is seen. */
static inline char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    must(text != NULL, "memory", NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* A path under which the input can be opened, always the same; for parsers that read files themselves. */
static inline const char *path_of(const uint8_t *data, size_t size)
{
    static char path[40];
    static int fd = -1;

    if (fd < 0) {
        fd = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    must(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size, "a file of the input", path);
    return path;
}

/* Opened once, and left to the end of the program. */
static inline struct net *net_of(const char *spec)
{
    struct net *net = NULL;
    struct err err = { 0 };

    must(net_open(&net, spec, &err) == 0, spec, err.msg);
    return net;
}
