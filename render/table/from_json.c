#include "render/table/from_json.h"

#include <jansson.h>

static struct cell cell_of(const json_t *v)
{
    return json_is_string(v) ? (struct cell){ CELL_TEXT, false, { .text = (char *)(uintptr_t)json_string_value(v) } } :
        json_is_integer(v) ? (struct cell){ CELL_INT, false, { .integer = json_integer_value(v) } } :
        json_is_real(v) ? (struct cell){ CELL_REAL, false, { .real = json_real_value(v) } } :
        (struct cell){ CELL_NONE, false, { 0 } };
}

int table_from_json(struct table *t, char **task, const char *path, struct err *err)
{
    json_error_t why;
    json_t *root = json_load_file(path, 0, &why), *row;
    const char *version = json_string_value(json_object_get(root, "version")),
               *text = json_string_value(json_object_get(root, "task"));
    size_t i;
    int ret = -1;

    json_array_foreach(json_object_get(root, "rows"), i, row)
        for (size_t k = 0; k < t->ncolumn; k++) {
            const struct cell cell = cell_of(json_object_get(row, t->column[k].name));

            table_cell(t, &cell);
        }
    json_array_foreach(json_object_get(root, "notes"), i, row)
        table_note(t, "%s", json_is_string(row) ? json_string_value(row) : "");
    *task = text ? strdup(text) : NULL;
    if (!root)
        err_set(err, ERR_FORMAT, "it is cut off, or no JSON (line %d: %s)", why.line, why.text);
    else if (!version || strcmp(version, VERSION) != 0)
        err_set(err, ERR_FORMAT, "it is of version %.40s, and this is version " VERSION, version ? version : "unknown");
    else if (!text)
        err_set(err, ERR_FORMAT, "it is a whole table, and no part of one");
    else
        ret = t->why.code != ERR_NONE || !*task ? err_memory(err) : 0;
    json_decref(root);
    return ret;
}
