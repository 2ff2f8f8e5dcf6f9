#include "graph/import/declared.h"

#define SHOWN(len) ((int)((len) > 60 ? 60 : (len)))

int declared_begin(struct declared *d, const char *text, size_t len, struct err *err)
{
    *d = (struct declared){ .copy = text_copy(text, len) };
    return d->copy ? 0 : err_memory(err);
}

static int mention(struct declared *d, const struct identifier *id, struct err *err)
{
    int before = d->ids.n, at = names_add(&d->ids, id->text, id->len, err);

    if (at < 0)
        return -1;
    if (at < before)
        return at;
    if (GROW_BY((size_t)at, 1, "nodes of a file", err, GROWN(d->node_line), GROWN(d->node)) < 0)
        return -1;
    d->node_line[at] = 0;
    d->node[at] = -1;
    return at;
}

int declared_node(struct declared *d, const struct identifier *id, size_t line, const char *path, struct err *err)
{
    int at;

    if (!id->text || id->len == 0)
        return err_set(err, ERR_FORMAT, "%s:%zu: a node has no id; give every node its own", path, line);
    at = mention(d, id, err);
    if (at < 0)
        return -1;
    if (d->node_line[at] > 0)
        return err_set(err, ERR_FORMAT, "%s:%zu: node '%.*s' is already declared in line %zu; ids must be unique", path,
                       line, SHOWN(id->len), id->text, d->node_line[at]);
    d->node_line[at] = line;
    d->node[at] = d->nnode++;
    return 0;
}

int declared_edge(struct declared *d, const struct identifier *from, const struct identifier *to, size_t line,
                  const char *path, struct err *err)
{
    int a, b;

    if (!from->text || !to->text || from->len == 0 || to->len == 0)
        return err_set(err, ERR_FORMAT, "%s:%zu: an edge has no %s; give every edge a source and a target", path, line,
                       !from->text || from->len == 0 ? "source" : "target");
    if (GROW_BY(d->nedge, 1, "edges of a file", err, GROWN_OF(d->end, 2), GROWN(d->line)) < 0)
        return -1;
    if (to->text < from->text && mention(d, to, err) < 0)    /* first mention is by place in the text */
        return -1;
    a = mention(d, from, err);
    b = a < 0 ? -1 : mention(d, to, err);
    if (b < 0)
        return -1;
    d->end[2 * d->nedge] = a;
    d->end[2 * d->nedge + 1] = b;
    d->line[d->nedge++] = line;
    return 0;
}

int declared_end(struct declared *d, const char *path, struct err *err)
{
    for (size_t i = 0; i < 2 * d->nedge; i++) {
        const struct name *id = &d->ids.name[d->end[i]];

        if (d->node[d->end[i]] < 0)
            return err_set(err, ERR_FORMAT, "%s:%zu: the edge's %s '%.*s' is no node of the file; declare it, or mend "
                           "the edge", path, d->line[i / 2], i % 2 ? "target" : "source", SHOWN(id->len), id->text);
        d->end[i] = d->node[d->end[i]];
    }
    return 0;
}

void declared_release(struct declared *d)
{
    names_release(&d->ids);
    FREE(d->copy, d->node_line, d->node, d->end, d->line);
    *d = (struct declared){ 0 };
}
