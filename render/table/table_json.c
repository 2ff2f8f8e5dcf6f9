#include <jansson.h>

#include "render/table/table.h"
#include "graph/base/utf8.h"

static json_t *text_value(const char *text)
{
    char *good = text ? utf8_repair(text) : NULL;
    json_t *value = good ? json_string_nocheck(good) : text ? NULL : json_null();

    free(good);
    return value;
}

static json_t *json_cell(const struct cell *cell)
{
    switch (cell->type) {
    case CELL_TEXT: return text_value(cell->u.text);
    case CELL_INT: return json_integer((json_int_t)cell->u.integer);
    case CELL_REAL: return isfinite(cell->u.real) ? json_real(cell->u.real) : json_null();  /* JSON has no infinities */
    default: return json_null();
    }
}

/* Keys are ours or a file's: also those may be no UTF-8. */
static int set(json_t *object, const char *key, json_t *value)
{
    char *good = utf8_repair(key);
    int ret = good ? json_object_set_new_nocheck(object, good, value) : -1;

    if (!good)
        json_decref(value);
    free(good);
    return ret;
}

/* Writes and gives back, behind that text; a NULL value is memory that ran out on the way. */
static int put(struct table_writer *w, const char *before, json_t *value, struct err *err)
{
    int ret;

    fputs(before, w->stream);
    if (!value)
        return err_memory(err);
    ret = json_dumpf(value, w->stream, JSON_ENCODE_ANY);
    json_decref(value);
    if (ret < 0 && !ferror(w->stream))
        return err_memory(err);
    return 0;                                   /* table.c looks at the stream */
}

/* A key given again makes a list of its values, in order. */
static json_t *request_value(const struct table *t)
{
    json_t *object = json_object();

    for (size_t i = 0; object && i < t->nrequest; i++) {
        const char *key = t->request[2 * i];
        json_t *value = text_value(t->request[2 * i + 1]), *old = json_object_get(object, key), *list;
        int ret;

        if (json_is_array(old)) {
            ret = json_array_append_new(old, value);
        } else if (old) {
            list = json_array();
            ret = json_array_append(list, old) | json_array_append_new(list, value);
            ret |= set(object, key, list);
        } else {
            ret = set(object, key, value);
        }
        if (ret != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

static json_t *column_value(const struct column *c)
{
    json_t *object = json_object();

    if (object && (json_object_set_new(object, "name", text_value(c->name)) < 0 ||
                   json_object_set_new(object, "unit", text_value(c->unit)) < 0)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int table_json_begin(struct table_writer *w, struct err *err)
{
    const struct table *t = w->table;

    if (put(w, "{\n\"version\": ", json_string(VERSION), err) < 0 ||
        put(w, ",\n\"title\": ", text_value(t->title), err) < 0 ||
        put(w, ",\n\"request\": ", request_value(t), err) < 0)
        return -1;
    fputs(",\n\"columns\": [", w->stream);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (put(w, i ? ",\n  " : "\n  ", column_value(&t->column[i]), err) < 0)
            return -1;
    fputs("\n],\n\"rows\": [", w->stream);
    return 0;
}

static int table_json_row(struct table_writer *w, const struct cell *cell, struct err *err)
{
    json_t *object = json_object();

    for (size_t i = 0; object && i < w->table->ncolumn; i++)
        if (set(object, w->table->column[i].name, json_cell(&cell[i])) < 0) {
            json_decref(object);
            object = NULL;
        }
    return put(w, w->nrow ? ",\n  " : "\n  ", object, err);
}

static int table_json_end(struct table_writer *w, struct err *err)
{
    fputs("\n],\n\"notes\": [", w->stream);
    for (size_t i = 0; i < w->table->nnote; i++)
        if (put(w, i ? ",\n  " : "\n  ", text_value(w->table->note[i]), err) < 0)
            return -1;
    fputs(w->table->nnote ? "\n]" : "]", w->stream);
    if (w->given->task && put(w, ",\n\"task\": ", text_value(w->given->task), err) < 0)
        return -1;
    fputs("\n}\n", w->stream);
    return 0;
}

const struct table_format table_format_json = {
    .name = "json", .summary = "one object with the request, the columns and the rows", .extension = ".json",
    .begin = table_json_begin, .row = table_json_row, .end = table_json_end };
