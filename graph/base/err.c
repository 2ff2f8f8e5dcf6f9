#include "graph/base/base.h"
#include "graph/base/utf8.h"

/* One line of whole characters none of which steers a terminal: a message may quote hostile input, and cuts what is
 * long. */
static void flatten(char *text)
{
    char *to = text;

    for (const char *c = text; *c;) {
        const size_t len = utf8_length(c);

        if (len == 0 || utf8_control(c))
            *to++ = '?';
        else
            for (size_t i = 0; i < len; i++)
                *to++ = c[i];
        c += len ? len : 1;
    }
    *to = '\0';
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    err->code = code;
    vsnprintf(err->msg, sizeof err->msg, fmt, args);
    va_end(args);
    flatten(err->msg);
    return -1;
}

int err_at(struct err *err, const char *fmt, ...)
{
    char old[sizeof err->msg];
    va_list args;
    size_t len;

    memcpy(old, err->msg, sizeof old);
    va_start(args, fmt);
    vsnprintf(err->msg, sizeof err->msg, fmt, args);
    va_end(args);
    len = strlen(err->msg);
    snprintf(err->msg + len, sizeof err->msg - len, ": %s", old);
    flatten(err->msg);
    return -1;
}

int err_memory(struct err *err)
{
    return err_set(err, ERR_MEMORY, "out of memory");
}

int err_stopped(struct err *err)
{
    return err_set(err, ERR_STOPPED, "interrupted");
}

bool err_is_request(const struct err *err)
{
    return err->code == ERR_USAGE || err->code == ERR_DOMAIN;
}
