#include <igraph.h>

#include "graph/net.h"

/* igraph calls its error handler once for every function the error passes through, and only the first call gives
 * the reason. The handler's signature has no room for a context, so the reason waits here until net_status()
 * fetches it: the one piece of global state below cli, a thread's own. */
static _Thread_local char reason[400];

static void on_error(const char *why, const char *, int, igraph_error_t)
{
    if (!*reason && why)
        snprintf(reason, sizeof reason, "%s", why);
    IGRAPH_FINALLY_FREE();
}

void net_setup(void)
{
    igraph_set_error_handler(on_error);
    igraph_set_warning_handler(igraph_warning_handler_ignore);
    igraph_set_attribute_table(&igraph_cattribute_table);   /* without it, weights and names are read and lost */
}

void net_teardown(void)
{
    igraph_set_error_handler(NULL);         /* NULL: igraph's own */
    igraph_set_warning_handler(NULL);
    igraph_set_attribute_table(NULL);
    *reason = '\0';
}

static enum err_code code_of(igraph_error_t status)
{
    switch (status) {
    case IGRAPH_ENOMEM: return ERR_MEMORY;
    case IGRAPH_INTERRUPTED: return ERR_STOPPED;
    default: return ERR_INTERNAL;
    }
}

int net_status(igraph_error_t status, const char *what, struct err *err)
{
    size_t len = strlen(reason);

    if (status != IGRAPH_SUCCESS) {
        while (len > 0 && strchr(". \n", reason[len - 1]))      /* our sentences end without a stop */
            reason[--len] = '\0';
        if (code_of(status) == ERR_INTERNAL)
            err_set(err, ERR_INTERNAL, "%s: %s", what, len ? reason : igraph_strerror(status));
        else if (code_of(status) == ERR_MEMORY)         /* igraph says what it was doing: "Cannot initialize vector" */
            err_set(err, ERR_MEMORY, "%s: out of memory", what);
        else
            err_stopped(err);
    }
    *reason = '\0';             /* on success too: igraph may have recovered from an error of its own */
    return status == IGRAPH_SUCCESS ? 0 : -1;
}
