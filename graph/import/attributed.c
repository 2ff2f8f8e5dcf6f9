#include "graph/import/attributed.h"
#include "graph/import/imported.h"

int attributed_node(struct attributed *a, const char *text, size_t len, bool copy, struct err *err)
{
    const int before = a->links.names.n;
    const int at = names_add(&a->links.names, text, len, err);

    if (at < before)
        return at;
    if (GROW_BY((size_t)at, 1, "nodes of a file", err, GROWN(a->kind), GROWN_OF(a->at, 2)) < 0 ||
        (copy && GROW_BY(a->ntext, 1, "nodes of a file", err, GROWN(a->text)) < 0))
        return -1;
    a->kind[at] = -1;
    a->at[2 * at] = a->at[2 * at + 1] = NAN;
    if (copy) {
        a->text[a->ntext] = text_copy(text, len);
        a->links.names.name[at].text = a->text[a->ntext];
        if (!a->text[a->ntext++])
            return err_memory(err);
    }
    return at;
}

int attributed_node_says(struct attributed *a, int node, const char *key, const char *value, struct err *)
{
    const int kind = strcmp(key, "kind") == 0 || strcmp(key, "type") == 0 ? imported_kind(value) : -1;
    double at[2] = { NAN, NAN };
    char *end;

    if (kind >= 0) {
        a->kind[node] = kind;
        a->kinds = true;
    }
    if (strcmp(key, "pos") == 0) {
        at[0] = strtod(value, &end);
        at[1] = *end == ',' ? strtod(end + 1, NULL) : (double)NAN;
    } else if ((*key == 'x' || *key == 'y') && !key[1]) {
        at[0] = a->at[2 * node];
        at[1] = a->at[2 * node + 1];
        at[*key == 'y'] = strtod(value, NULL);
    } else {
        return 0;
    }
    for (int i = 0; i < 2; i++)
        a->at[2 * node + i] = fabs(at[i]) <= IMPORT_FARTHEST ? at[i] : (double)NAN;
    a->places = true;
    return 0;
}

int attributed_cable_says(attribute_text *said, const char *key, const char *value, const char *path, size_t line,
                          struct err *err)
{
    for (int i = 0; i < LINK_ATTRIBUTES; i++) {
        if (strcmp(key, link_attribute[i]) != 0)
            continue;
        if (strlen(value) >= ATTRIBUTE_ROOM)
            return err_set(err, ERR_FORMAT, "%s:%zu: %s '%.40s...' is too long", path, line, key, value);
        snprintf(said[i], ATTRIBUTE_ROOM, "%s", value);
    }
    return 0;
}

int attributed_cable(struct attributed *a, int from, int to, attribute_text *said, size_t line, struct err *err)
{
    struct link link = { .line = line };
    double weight;
    const bool weighted = *said[LINK_WEIGHT];

    if (weighted && num_real(&weight, said[LINK_WEIGHT], "weight", err) < 0)
        return err_at(err, "%s:%zu", a->path, line), err->code = ERR_FORMAT, -1;
    if (a->links.n > 0 && weighted != (a->links.weight != NULL))
        return err_set(err, ERR_FORMAT, "%s:%zu has %s weight, unlike the cables before; give every one a weight or none",
                       a->path, line, weighted ? "a" : "no");
    for (int i = LINK_BANDWIDTH; i < LINK_ATTRIBUTES; i++)
        link.said[i] = a->known[i] ? said[i] : NULL;
    return links_add_between(&a->links, from, to, weighted ? &weight : NULL, &link, a->path, err);
}

static int attributed_kinds(const struct attributed *a, const struct import *in, struct err *err)
{
    for (int v = 0; a->kinds && v < in->n; v++)
        if (a->kind[v] < 0)
            return err_set(err, ERR_FORMAT, "%s: node '%.60s' does not say its kind while others do; it may be terminal, "
                           "host, switch or router", a->path, in->name[v]);
    return 0;
}

int attributed_finish(struct attributed *a, struct import *in, int ret, struct err *err)
{
    bool ports = false;

    if (ret == 0 && a->links.names.n == 0)
        ret = err_set(err, ERR_FORMAT, "%s names no node", a->path);
    if (ret == 0)
        ret = links_named(&a->links, in, err);
    if (ret == 0)
        ret = attributed_kinds(a, in, err);
    for (size_t i = 0; ret == 0 && in->port && i < 2 * in->nedge; i++)
        ports = ports || *in->port[i];
    if (ret == 0 && !ports) {
        mem_free_list(in->port, 2 * in->nedge);
        in->port = NULL;
    }
    if (ret == 0 && a->kinds) {
        in->kind = a->kind;
        a->kind = NULL;
    }
    if (ret == 0 && a->places) {
        in->at = a->at;
        a->at = NULL;
    }
    links_release(&a->links);
    mem_free_list(a->text, a->ntext);
    FREE(a->kind, a->at);
    return ret;
}
