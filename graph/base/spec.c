#include "graph/base/spec.h"

/* Whether a piece begins with "key=": '=' comes before any ':' (and before any '/', for paths). */
static bool is_option(const char *piece, size_t len)
{
    const char *equals = memchr(piece, '=', len);

    return equals && equals > piece && !memchr(piece, ':', (size_t)(equals - piece)) &&
           !memchr(piece, '/', (size_t)(equals - piece));
}

static int add_option(struct spec *spec, const char *piece, size_t len, struct err *err)
{
    const char *equals = memchr(piece, '=', len);
    size_t klen = (size_t)(equals - piece);
    struct spec_option *option;

    if (GROW_BY(spec->noption, 1, "options of a spec", err, GROWN(spec->option)) < 0)
        return -1;
    option = &spec->option[spec->noption++];
    option->key = text_copy(piece, klen);
    option->value = text_copy(equals + 1, len - klen - 1);
    return option->key && option->value ? 0 : err_memory(err);
}

int spec_parse(struct spec *spec, const char *text, bool path, struct err *err)
{
    struct spec s = { 0 };
    const char *p = text;
    size_t len = strcspn(p, ","), nlen;
    const char *colon = memchr(p, ':', len);

    nlen = colon ? (size_t)(colon - p) : len;
    if (nlen == 0)
        return err_set(err, ERR_USAGE, "'%.60s' does not begin with a name", text);
    s.text = text_copy(text, strlen(text));
    s.name = text_copy(p, nlen);
    if (!s.text || !s.name)
        goto memory;
    p += colon ? nlen + 1 : nlen;
    len -= colon ? nlen + 1 : nlen;
    if (len && !path && is_option(p, len)) {
        if (add_option(&s, p, len, err) < 0)
            goto fail;
        len = 0;
        p += strcspn(p, ",");
    }
    s.params = text_copy(p, len);
    if (!s.params)
        goto memory;
    for (p += len; *p == ','; p += len) {
        p++;
        len = strcspn(p, ",");
        if (!is_option(p, len)) {
            err_set(err, ERR_USAGE, "'%.80s': '%.*s' is not of the form key=value", text, (int)(len > 60 ? 60 : len),
                    p);
            goto fail;
        }
        if (add_option(&s, p, len, err) < 0)
            goto fail;
    }
    *spec = s;
    return 0;
memory:
    err_memory(err);
fail:
    spec_release(&s);
    return -1;
}

void spec_release(struct spec *spec)
{
    for (size_t i = 0; i < spec->noption; i++)
        FREE(spec->option[i].key, spec->option[i].value);
    FREE(spec->option, spec->params, spec->name, spec->text);
    *spec = (struct spec){ 0 };
}

const char *spec_get(const struct spec *spec, const char *key)
{
    for (size_t i = 0; i < spec->noption; i++)
        if (strcmp(spec->option[i].key, key) == 0)
            return spec->option[i].value;
    return NULL;
}

int spec_check(const struct spec *spec, const struct spec_key *keys, const struct spec_key *more, struct err *err)
{
    const char *known[32];
    size_t n = 0;

    for (; keys && keys->name && n < 32; keys++)
        known[n++] = keys->name;
    for (; more && more->name && n < 32; more++)
        known[n++] = more->name;
    for (size_t i = 0; i < spec->noption; i++) {
        const char *key = spec->option[i].key;
        size_t k = 0;
        char hint[80];

        while (k < n && strcmp(known[k], key) != 0)
            k++;
        if (k == n)
            return err_set(err, ERR_USAGE, "'%.80s': %s has no option '%.40s'%s", spec->text, spec->name, key,
                           text_suggest(hint, key, known, n));
        for (size_t j = 0; j < i; j++)
            if (strcmp(spec->option[j].key, key) == 0)
                return err_set(err, ERR_USAGE, "'%.80s' gives %.40s twice", spec->text, key);
    }
    return 0;
}

int spec_no_params(const struct spec *spec, struct err *err)
{
    if (*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s': %s takes nothing after a colon; `metapath help %s` has its form",
                       spec->text, spec->name, spec->name);
    return 0;
}

int spec_int(int64_t *out, const struct spec *spec, int64_t lo, int64_t hi, const char *what, struct err *err)
{
    if (!*spec->params)
        return err_set(err, ERR_USAGE, "'%.80s' lacks its %s: write %s:NUMBER", spec->text, what, spec->name);
    if (num_int(out, spec->params, lo, hi, what, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    return 0;
}

int spec_key_int(int64_t *out, const struct spec *spec, const char *key, int64_t lo, int64_t hi, int64_t missing,
                 struct err *err)
{
    const char *value = spec_get(spec, key);

    *out = missing;
    if (value && num_int(out, value, lo, hi, key, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    return 0;
}

int spec_choice(int *out, const struct spec *spec, const char *key, const char *const *choices, struct err *err)
{
    const char *value = spec_get(spec, key);
    char all[160];
    size_t n = 0;

    *out = 0;
    for (; value && choices[n]; n++)
        if (strcmp(choices[n], value) == 0) {
            *out = (int)n;
            return 0;
        }
    return !value ? 0 : err_set(err, ERR_USAGE, "'%.80s': %s is '%.40s'; it may be %s", spec->text, key, value,
                                text_list(all, sizeof all, choices, n, ", "));
}

int spec_list(char ***item, size_t *n, const char *text, struct err *err)
{
    char **list = NULL;
    size_t count = 0;
    const char *p = text;

    for (;;) {
        const char *start = p;

        p += strcspn(p, ",");
        while (*p == ',') {
            size_t len = strcspn(p + 1, ",");

            if (!is_option(p + 1, len))
                break;
            p += 1 + len;
        }
        if (p == start) {
            err_set(err, ERR_USAGE, "'%.80s' has an empty item", text);
            goto fail;
        }
        if (GROW_BY(count, 1, "items of a list", err, GROWN(list)) < 0)
            goto fail;
        list[count] = text_copy(start, (size_t)(p - start));
        if (!list[count++]) {
            err_memory(err);
            goto fail;
        }
        if (!*p)
            break;
        p++;
    }
    *item = list;
    *n = count;
    return 0;
fail:
    mem_free_list(list, count);
    return -1;
}

int spec_append(char **spec, struct err *err, const char *fmt, ...)
{
    char *more = NULL, *all = NULL;
    va_list args;
    int len;

    va_start(args, fmt);
    len = vasprintf(&more, fmt, args);
    va_end(args);
    if (len < 0)
        return err_memory(err);
    len = asprintf(&all, "%s%s", *spec ? *spec : "", more);
    free(more);
    if (len < 0)
        return err_memory(err);
    free(*spec);
    *spec = all;
    return 0;
}
