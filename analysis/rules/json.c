#include "analysis/rules/json.h"

json_t *json_opened(struct json_place *p, const char *text, const char *path, struct err *err)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

    *p = (struct json_place){ text, path, 1 };
    if (root && json_is_object(root))
        return root;
    err_set(err, ERR_FORMAT, "%s:%d: %s", path, root ? 1 : error.line, root ? "the file is no object" : error.text);
    json_decref(root);
    return NULL;
}

void json_key(struct json_place *p, const char *key)
{
    const size_t len = strlen(key);
    const char *next = p->at;

    while ((next = strstr(next, key)) && (next == p->at || next[-1] != '"' || next[len] != '"'))
        next++;
    for (; next && p->at < next; p->at++)
        p->line += *p->at == '\n';
}

int json_number(int64_t *out, const json_t *value, const struct json_place *p, const char *key, struct err *err)
{
    *out = json_is_integer(value) ? json_integer_value(value) : RULES_ALL;
    return *out >= 0 && (json_is_integer(value) || (json_is_string(value) && strcmp(json_string_value(value), "inf") == 0)) ?
        0 : err_set(err, ERR_FORMAT, "%s:%zu: %s is a whole number from 0 on, or \"inf\"", p->path, p->line, key);
}
