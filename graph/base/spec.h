/* spec.h -- one line of text that names an object: NAME[:PARAMS][,key=value]...
 * In a list, items are separated by commas, and a piece with '=' before any ':' belongs to the item before it.
 * NAME:key=value,... is read as NAME,key=value,... (but for names that take a path). */
#pragma once

#include "graph/base/base.h"

struct spec_option {
    char *key, *value;
};
struct spec {
    char *text;                     /* as given */
    char *name, *params;            /* params: "" when there are none */
    struct spec_option *option;
    size_t noption;
};
/* One key an entry of a catalogue understands; a NULL name ends the array. */
struct spec_key {
    const char *name, *values, *summary;
};

/* path: the parameter is one, whatever stands in it. */
int spec_parse(struct spec *spec, const char *text, bool path, struct err *err);
void spec_release(struct spec *spec);
/* Value of a key, NULL when not given. */
const char *spec_get(const struct spec *spec, const char *key);
/* Refuses a key that is neither among `keys` nor among `more` (NULL: none are), or given twice. */
int spec_check(const struct spec *spec, const struct spec_key *keys, const struct spec_key *more, struct err *err);
/* Refuses parameters where there must be none. */
int spec_no_params(const struct spec *spec, struct err *err);
/* The parameters as one integer, and a key's value as one (`missing` when it is not given). */
int spec_int(int64_t *out, const struct spec *spec, int64_t lo, int64_t hi, const char *what, struct err *err);
int spec_key_int(int64_t *out, const struct spec *spec, const char *key, int64_t lo, int64_t hi, int64_t missing,
                 struct err *err);
/* Index in `choices` (NULL-terminated) of a key's value; 0 when it is not given. */
int spec_choice(int *out, const struct spec *spec, const char *key, const char *const *choices, struct err *err);

/* A list cut into items, fresh strings; free with mem_free_list. */
int spec_list(char ***item, size_t *n, const char *text, struct err *err);
/* Appends to a canonical spec, which is to be freed; NULL counts as empty. */
int spec_append(char **spec, struct err *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
