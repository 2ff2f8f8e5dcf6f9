#include "graph/base/entry.h"
#include "graph/base/spec.h"

#define MOST 256                /* names offered as corrections */

const struct entry *kind_find(const struct kind *kind, const char *name, struct err *err)
{
    const char *known[MOST], *what = kind->what ? kind->what : kind->name;
    const char *near = name;
    char hint[80];
    size_t n = 0;

    for (; kind->entry[n] && n < MOST; n++) {
        const struct entry *e = kind->entry[n];

        if (strcmp(e->name, name) == 0)
            return e;
        if (e->sought && strcmp(e->sought, name) == 0)
            near = e->name;
        known[n] = e->name;
    }
    if (err)
        err_set(err, ERR_USAGE, "no %s is called '%.60s'%s; `%s%s` names them", what, name, text_suggest(hint, near,
                known, n), kind->where ? kind->where : "metapath list ", kind->where ? "" : kind->name);
    return NULL;
}

size_t kind_count(const struct kind *kind)
{
    size_t n = 0;

    while (kind->entry[n])
        n++;
    return n;
}

const struct entry *kind_named(const struct kind *kind, const char *text)
{
    const size_t len = strcspn(text, ":,");

    for (size_t i = 0; kind->entry[i]; i++)
        if (strlen(kind->entry[i]->name) == len && strncmp(kind->entry[i]->name, text, len) == 0)
            return kind->entry[i];
    return NULL;
}

const struct entry *kind_spec(struct spec *spec, const struct kind *kind, const char *text, struct err *err)
{
    const struct entry *entry = kind_named(kind, text);

    if (spec_parse(spec, text, entry && entry->takes_path, err) < 0)
        return NULL;
    if (!entry)
        kind_find(kind, spec->name, err);           /* says so */
    else if (*spec->params && !entry->nested && entry->keys && entry->synopsis && !strchr(entry->synopsis, ':') &&
             entry->example && !strpbrk(entry->example, " :"))
        err_set(err, ERR_USAGE, "'%.80s': %s takes nothing after a colon; it is written as in %s", text, entry->name,
                entry->example);
    else if (entry->nested || spec_check(spec, entry->keys, kind->keys, err) == 0)
        return entry;
    spec_release(spec);
    return NULL;
}
