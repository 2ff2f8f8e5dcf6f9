/* json.h -- JSON with places, for the formats that are JSON. Strict, as RFC 8259 has it: no commas behind the last, no
 * key twice. jansson keeps no lines: a place goes on to each key in the order of the file, so that it has its line. */
#pragma once

#include <jansson.h>

#include "analysis/rules/rules.h"

struct json_place {
    const char *at, *path;
    size_t line;
};
/* An object; to be left by json_decref. */
json_t *json_opened(struct json_place *p, const char *text, const char *path, struct err *err);
/* On to a key behind the place: its line; where it is written otherwise (as with \u0061), the place stays. */
void json_key(struct json_place *p, const char *key);
/* A whole number, at least 0, or "inf". */
int json_number(int64_t *out, const json_t *value, const struct json_place *p, const char *key, struct err *err);
