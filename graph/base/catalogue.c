#include "graph/base/catalogue.h"

#include "graph/base/text.h"

void catalogue_unknown(struct err *err, const char *what, const char *name, const char *const *known, size_t n,
                       const char *where)
{
    char hint[80];

    err_set(err, ERR_USAGE, "no %s is called '%.60s'%s; `%s` names them", what, name,
            text_suggest(hint, name, known, n), where);
}
