#include "model/routing/nested.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/text.h"

static bool is_own(const struct spec_key *keys, const char *key)
{
    while (keys->name && strcmp(keys->name, key) != 0)
        keys++;
    return keys->name;
}

/* The supernode's spec: what is left without the routing's keys. */
static char *inner_spec(const struct spec *spec, const char *own, const struct spec_key *keys)
{
    size_t len = strlen(own);
    char *text = malloc(strlen(spec->text) + 1);

    if (!text)
        return NULL;
    memcpy(text, own, len + 1);
    for (size_t i = 0; i < spec->noption; i++)
        if (!is_own(keys, spec->option[i].key))
            len += (size_t)sprintf(text + len, ",%s=%s", spec->option[i].key, spec->option[i].value);
    return text;
}

/* The routing's keys, of which none may stand twice; the supernode looks after its own. */
static int check_keys(const struct spec *spec, const struct spec_key *keys, struct err *err)
{
    for (size_t i = 0; i < spec->noption; i++)
        for (size_t k = 0; k < i; k++)
            if (is_own(keys, spec->option[i].key) && strcmp(spec->option[i].key, spec->option[k].key) == 0)
                return err_set(err, ERR_USAGE, "'%.80s' gives %s twice", spec->text, spec->option[i].key);
    return 0;
}

/* Says so where a key that the supernode has not was to be one of the routing's. */
int nested_supernode(struct supernode *out, const struct net *net, const struct spec *spec, const char *own,
                     const struct spec_key *keys, struct err *err)
{
    char *text = inner_spec(spec, own, keys), hint[80];
    const char *known[8];
    size_t n = 0;
    int ret = !text ? err_memory(err) : check_keys(spec, keys, err) < 0 ? -1 : supernode_open(out, text, net, err);

    free(text);
    if (ret == 0 || err->code != ERR_USAGE)
        return ret;
    for (; keys[n].name; n++)
        known[n] = keys[n].name;
    for (size_t i = 0; i < spec->noption; i++) {
        const char *key = spec->option[i].key;

        if (!is_own(keys, key) && text_nearest(key, known, n))
            return err_set(err, ERR_USAGE, "'%.80s': %s has no option '%.40s'%s", spec->text, spec->name, key,
                           text_suggest(hint, key, known, n));
    }
    return ret;
}
