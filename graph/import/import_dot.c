/* import_dot.c -- Graphviz's language (graphviz.org/doc/info/lang.html), but for HTML's meaning and `strict`.
 * 1. ids          words, quoted texts and HTML, as text of their own
 * 2. attributes   lists in brackets, and what node [..] and edge [..] set for all that follow
 * 3. statements   nodes, chains of cables between nodes and groups in braces, subgraphs */
#include "graph/import/attributed.h"
#include "graph/import/scan.h"
#include "texts/import.h"

#define DOT_DEEP 100
#define DOT_ID 300              /* bytes of an id */

struct defaults {
    attribute_text said[LINK_ATTRIBUTES];
    char kind[ATTRIBUTE_ROOM];  /* of nodes */
};
struct dot {
    struct attributed a;
    struct scan s;
    char id[DOT_ID];            /* the last one read */
    int *seen;                  /* nodes in the order they are mentioned, again and again */
    size_t nseen;
    bool directed;
};
/* What a cable may end at: nodes seen[from..to). */
struct dot_end {
    size_t from, to;
};

/* ---- ids ---- */

static int dot_expected(struct dot *d, const char *what, struct err *err)
{
    if (d->s.kind == SCAN_END)
        return scan_wrong(&d->s, err, "the file ends where %s is expected; is it cut off?", what);
    return scan_wrong(&d->s, err, "'%.*s' stands where %s is expected", SCAN_SHOWN(&d->s), what);
}

/* The id at the token into d->id; goes on to the next token. */
static int dot_id(struct dot *d, struct err *err)
{
    struct scan *s = &d->s;
    const char *p = s->text, *end;
    size_t n = 0;
    int deep = 1;

    if (scan_is(s, "<")) {
        for (p = s->at; *p && deep > 0; p++) {
            deep += (*p == '<') - (*p == '>');
            s->next_line += *p == '\n';
        }
        s->text = s->at;
        s->len = (size_t)(p - s->at) - (deep == 0);
        s->at = p;
    } else if (scan_is(s, "-") && (isdigit((unsigned char)*s->at) || *s->at == '.')) {
        scan_next(s);
        s->text--;
        s->len++;
    } else if ((s->kind != SCAN_WORD && s->kind != SCAN_QUOTED) || s->open) {
        return dot_expected(d, "a name", err);
    }
    end = s->text + s->len;
    for (p = s->text; p < end && n + 1 < DOT_ID; p++) {
        if (s->kind == SCAN_QUOTED && *p == '\\' && p + 1 < end && strchr("\"\\\n", p[1]))
            p++;
        if (*p != '\n')
            d->id[n++] = *p;
    }
    d->id[n] = '\0';
    if (p < end)
        return scan_wrong(s, err, "a name has more than %d bytes", DOT_ID - 1);
    scan_next(s);
    return 0;
}

/* ---- attributes ---- */

/* [a=1, b="x"; c] ...: of `node`, or where that is negative into what is given. */
static int dot_attributes(struct dot *d, int node, struct defaults *into, struct err *err)
{
    struct scan *s = &d->s;

    while (scan_is(s, "[")) {
        scan_next(s);
        while (!scan_is(s, "]")) {
            char key[DOT_ID];
            const size_t line = s->line;

            if (dot_id(d, err) < 0)
                return -1;
            memcpy(key, d->id, sizeof key);
            strcpy(d->id, "true");
            if (scan_is(s, "=")) {
                scan_next(s);
                if (dot_id(d, err) < 0)
                    return -1;
            }
            if (node >= 0 && attributed_node_says(&d->a, node, key, d->id, err) < 0)
                return -1;
            if (into && (strcmp(key, "kind") == 0 || strcmp(key, "type") == 0))
                snprintf(into->kind, sizeof into->kind, "%.*s", ATTRIBUTE_ROOM - 1, d->id);
            if (into && attributed_cable_says(into->said, key, d->id, d->a.path, line, err) < 0)
                return -1;
            if (scan_is(s, ",") || scan_is(s, ";"))
                scan_next(s);
        }
        scan_next(s);
    }
    return 0;
}

/* ---- statements ---- */

static int dot_body(struct dot *d, struct defaults defaults, int depth, struct err *err);

/* A node or a group, as the end of cables. */
static int dot_end(struct dot *d, struct dot_end *end, const struct defaults *defaults, int depth, struct err *err)
{
    struct scan *s = &d->s;
    int before = d->a.links.names.n, node;

    *end = (struct dot_end){ .from = d->nseen };
    if (scan_is(s, "subgraph") || scan_is(s, "{")) {
        if (scan_is(s, "subgraph") && scan_next(s) != SCAN_SIGN && dot_id(d, err) < 0)
            return -1;
        if (!scan_is(s, "{"))
            return dot_expected(d, "'{'", err);
        scan_next(s);
        if (dot_body(d, *defaults, depth + 1, err) < 0)
            return -1;
    } else {
        if (dot_id(d, err) < 0 || (node = attributed_node(&d->a, d->id, strlen(d->id), true, err)) < 0 ||
            GROW_BY(d->nseen, 1, "nodes of a file", err, GROWN(d->seen)) < 0 ||
            (node == before && attributed_node_says(&d->a, node, "kind", defaults->kind, err) < 0))
            return -1;
        d->seen[d->nseen++] = node;
        while (scan_is(s, ":")) {       /* where a drawing's line meets the node: many may, so it is no port of ours */
            scan_next(s);
            if (dot_id(d, err) < 0)
                return -1;
        }
    }
    end->to = d->nseen;
    return 0;
}

static int dot_cables(struct dot *d, const struct dot_end *end, size_t n, struct defaults *with, size_t line,
                      struct err *err)
{
    for (size_t k = 0; k + 1 < n; k++)
        for (size_t i = end[k].from; i < end[k].to; i++)
            for (size_t j = end[k + 1].from; j < end[k + 1].to; j++)
                if (attributed_cable(&d->a, d->seen[i], d->seen[j], with->said, line, err) < 0)
                    return -1;
    return 0;
}

/* A node or a chain, with its attributes. */
static int dot_statement(struct dot *d, const struct defaults *defaults, int depth, struct err *err)
{
    struct scan *s = &d->s;
    struct dot_end *end = NULL;
    struct defaults with = *defaults;
    const size_t line = s->line;
    size_t n = 0;
    int ret = GROW_BY(n, 1, "cables of a file", err, GROWN(end));

    if (ret == 0)
        ret = dot_end(d, &end[n++], defaults, depth, err);
    while (ret == 0 && scan_is(s, "-")) {
        const char sign = *s->at;

        scan_next(s);
        if (s->kind != SCAN_SIGN || sign != (d->directed ? '>' : '-'))
            ret = scan_wrong(s, err, "cables are written %s, for the file is a %s", d->directed ? "->" : "--",
                             d->directed ? "digraph" : "graph");
        else
            ret = GROW_BY(n, 1, "cables of a file", err, GROWN(end));
        if (ret == 0) {
            scan_next(s);
            ret = dot_end(d, &end[n++], defaults, depth, err);
        }
    }
    if (ret == 0)
        ret = dot_attributes(d, n == 1 && end[0].to == end[0].from + 1 ? d->seen[end[0].from] : -1, n > 1 ? &with : NULL,
                             err);
    if (ret == 0)
        ret = dot_cables(d, end, n, &with, line, err);
    free(end);
    return ret;
}

/* Up to the brace that closes it. */
static int dot_body(struct dot *d, struct defaults defaults, int depth, struct err *err)
{
    struct scan *s = &d->s;

    if (depth > DOT_DEEP)
        return scan_wrong(s, err, "groups are nested more than %d deep", DOT_DEEP);
    while (!scan_is(s, "}")) {
        const struct scan here = *s;
        const bool all = s->kind == SCAN_WORD && (scan_is(s, "node") || scan_is(s, "edge") || scan_is(s, "graph"));
        int ret;

        if (scan_is(s, ";") || scan_is(s, ",")) {
            scan_next(s);
            continue;
        }
        if (all && scan_next(s) == SCAN_SIGN && scan_is(s, "[")) {
            struct defaults passed = defaults;

            ret = dot_attributes(d, -1, scan_is(&here, "graph") ? &passed : &defaults, err);
        } else {
            *s = here;
            ret = s->kind == SCAN_WORD || s->kind == SCAN_QUOTED ? dot_id(d, err) : 0;
            if (ret == 0 && scan_is(s, "=") && here.kind != SCAN_SIGN) {    /* an attribute of the graph */
                scan_next(s);
                ret = dot_id(d, err);
            } else if (ret == 0) {
                *s = here;
                ret = dot_statement(d, &defaults, depth, err);
            }
        }
        if (ret < 0)
            return -1;
    }
    scan_next(s);
    return 0;
}

static int dot_read(struct import *in, const char *text, size_t, const char *path, struct err *err)
{
    struct dot d = { .a = { .path = path }, .s = { .at = text, .path = path, .next_line = 1, .signs = "{}[]();,=:-<>",
                                                   .comments = "#", .escapes = true } };
    struct scan *s = &d.s;
    int ret = 0;

    for (int i = 0; i < LINK_ATTRIBUTES; i++)
        d.a.known[i] = strstr(text, link_attribute[i]);
    d.a.known[LINK_PORT] = d.a.known[LINK_OTHER_PORT] = d.a.known[LINK_PORT] || d.a.known[LINK_OTHER_PORT];
    scan_next(s);
    if (scan_is(s, "strict"))
        scan_next(s);
    d.directed = scan_is(s, "digraph");
    if (!d.directed && !scan_is(s, "graph"))
        ret = dot_expected(&d, "graph or digraph", err);
    if (ret == 0 && scan_next(s) != SCAN_SIGN)
        ret = dot_id(&d, err);
    if (ret == 0 && !scan_is(s, "{"))
        ret = dot_expected(&d, "'{'", err);
    if (ret == 0) {
        scan_next(s);
        ret = dot_body(&d, (struct defaults){ .kind = "" }, 0, err);
    }
    if (ret == 0 && s->kind != SCAN_END)
        ret = dot_expected(&d, "the end of the file", err);
    in->directed = d.directed;
    free(d.seen);
    return attributed_finish(&d.a, in, ret, err);
}

/* graph g {..., digraph, strict */
static int dot_sniff(const char *text, size_t, struct err *)
{
    struct scan s = { .at = text, .signs = "{}[]();,=:-<>", .comments = "#", .escapes = true, .next_line = 1 };

    scan_next(&s);
    if (scan_is(&s, "strict"))
        scan_next(&s);
    if (!scan_is(&s, "graph") && !scan_is(&s, "digraph"))
        return false;
    if (!(scan_next(&s) == SCAN_SIGN && scan_is(&s, "{")))
        scan_next(&s);
    return scan_is(&s, "{");
}

const struct import_format import_dot = {
    IMPORT_DOT_ENTRY,
    .states_direction = true, .sniff = dot_sniff, .read = dot_read };
