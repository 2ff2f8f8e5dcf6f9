#include <jansson.h>

#include "graph/import/attributed.h"
#include "texts/import.h"

/* networkx's node-link data (readwrite/json_graph/node_link.py). */

/* A value as text: strings as they are, others (numbers, nested lists) as JSON writes them; free(). */
static char *node_link_text(const json_t *value)
{
    return json_is_string(value) ? strdup(json_string_value(value)) :
        json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
}

static int node_link_node(struct attributed *a, const json_t *id, const char *what, size_t i, struct err *err)
{
    char *text = id ? node_link_text(id) : NULL;
    int node;

    if (!id)
        return err_set(err, ERR_FORMAT, "%s: %s (entry %zu of its list, from 0); give it one", a->path, what, i);
    node = text ? attributed_node(a, text, strlen(text), true, err) : err_memory(err);
    free(text);
    return node;
}

static int node_link_nodes(struct attributed *a, json_t *list, struct err *err)
{
    const char *key;
    json_t *node, *value;
    size_t i;

    json_array_foreach(list, i, node) {
        const int before = a->links.names.n, at = node_link_node(a, json_object_get(node, "id"), "a node has no id", i,
                                                                 err);

        if (at < 0)
            return -1;
        if (at < before)
            return err_set(err, ERR_FORMAT, "%s: node %zu has the id of node %d (counting from 0); ids must be unique",
                           a->path, i, at);
        json_object_foreach(node, key, value) {
            char *text = node_link_text(value);
            const int ret = text ? attributed_node_says(a, at, key, text, err) : err_memory(err);

            free(text);
            if (ret < 0)
                return -1;
        }
    }
    return 0;
}

/* The line of the next "source", which is that of the next edge. */
static void node_link_line(const char **at, size_t *line)
{
    const char *next = strstr(*at + 1, "\"source\"");

    for (; next && *at < next; ++*at)
        *line += **at == '\n';
}

static int node_link_edges(struct attributed *a, json_t *list, const char *text, struct err *err)
{
    const int n = a->links.names.n;
    const char *key, *at = text;
    json_t *edge, *value;
    size_t i, line = 1;

    json_array_foreach(list, i, edge) {
        attribute_text said[LINK_ATTRIBUTES] = { "" };
        const int from = node_link_node(a, json_object_get(edge, "source"), "an edge has no source", i, err);
        const int to = from < 0 ? -1 : node_link_node(a, json_object_get(edge, "target"), "an edge has no target", i, err);

        node_link_line(&at, &line);
        if (to < 0)
            return -1;
        if (from >= n || to >= n)
            return err_set(err, ERR_FORMAT, "%s:%zu: the edge's %s is no node of the file; declare it, or mend the edge",
                           a->path, line, from >= n ? "source" : "target");
        json_object_foreach(edge, key, value) {
            char *said_text = node_link_text(value);
            const int ret = !said_text ? err_memory(err) :
                attributed_cable_says(said, key, said_text, a->path, line, err);

            free(said_text);
            if (ret < 0)
                return -1;
        }
        if (attributed_cable(a, from, to, said, line, err) < 0)
            return -1;
    }
    return 0;
}

static int node_link_read(struct import *in, const char *text, size_t len, const char *path, struct err *err)
{
    struct attributed a = { .path = path };
    json_error_t wrong;
    json_t *root = json_loadb(text, len, 0, &wrong), *edges = json_object_get(root, "edges");
    int ret = 0;

    if (!root)
        return err_set(err, ERR_FORMAT, "%s:%d: %.120s", path, wrong.line > 0 ? wrong.line : 1, wrong.text);
    if (!json_is_array(edges))
        edges = json_object_get(root, "links");
    if (!json_is_array(json_object_get(root, "nodes")) || !json_is_array(edges))
        ret = err_set(err, ERR_FORMAT, "%s has no lists \"nodes\" and \"edges\" (or \"links\"), as node-link data has%s",
                      path, json_object_get(root, "metapath") || json_object_get(root, "rows") ?
                      ": it is a table that metapath wrote" : "");
    for (int i = 0; i < LINK_ATTRIBUTES; i++)
        a.known[i] = strstr(text, link_attribute[i]);
    a.known[LINK_PORT] = a.known[LINK_OTHER_PORT] = a.known[LINK_PORT] || a.known[LINK_OTHER_PORT];
    if (ret == 0)
        ret = node_link_nodes(&a, json_object_get(root, "nodes"), err);
    if (ret == 0)
        ret = node_link_edges(&a, edges, text, err);
    in->directed = json_is_true(json_object_get(root, "directed"));
    json_decref(root);
    return attributed_finish(&a, in, ret, err);
}

static int node_link_sniff(const char *text, size_t, struct err *)
{
    return text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"nodes\"") && strstr(text, "\"source\"");
}

const struct import_format import_node_link = {
    IMPORT_NODE_LINK_ENTRY,
    .states_direction = true, .sniff = node_link_sniff, .read = node_link_read };
