/* import_graphml.c -- GraphML (Brandes and others 2002). igraph reads it, on libxml2; the scan here finds nodes and
 * edges and the line of what is wrong with them. What it does not know it passes over: that the XML is well-formed is
 * libxml2's to say.
 * 1. text       markup passed over, references decoded
 * 2. tags       names and values, not yet decoded
 * 3. elements   graph, node and edge, with what they must have
 * 4. reading    the scan, then igraph, held to each other */
#include <igraph.h>

#include "graph/import/from_igraph.h"
#include "texts/import.h"

struct scan {
    struct declared d;
    char *p;
    size_t line;
    const char *path;
    const char *prefix;         /* of <graphml> itself; elements of other namespaces are not ours */
    size_t prefix_len;
    bool root, graph;           /* seen */
    long open;                  /* elements that are not closed yet */
};
enum attribute { ID, SOURCE, TARGET, EDGEDEFAULT, DIRECTED, NATTRIBUTE };

struct tag {
    char *name;
    size_t len, line;
    struct identifier value[NATTRIBUTE];
};

/* ---- text ---- */

static int graphml_wrong(const struct scan *s, size_t line, const char *what, struct err *err)
{
    return err_set(err, ERR_FORMAT, "%s:%zu: %s", s->path, line, what);
}

static void move_to(struct scan *s, char *to)
{
    for (; s->p < to; s->p++)
        s->line += *s->p == '\n';
}

/* End of a document type, or of the first declaration in it; a '>' or '[' in quotes is neither. NULL: there is none. */
static char *doctype_end(char *p)
{
    while (p && (p = strpbrk(p, ">[\"'")) && (*p == '"' || *p == '\'')) {
        p = strchr(p + 1, *p);
        if (p)
            p++;
    }
    return p;
}

/* Skips a comment, CDATA, processing instruction or document type that begins at p. */
static int skip_markup(struct scan *s, struct err *err)
{
    static const struct { const char *open, *close, *what; } kind[] = {
        { "<!--", "-->", "the comment that begins here is never closed" },
        { "<![CDATA[", "]]>", "the CDATA that begins here is never closed" },
        { "<?", "?>", "the <? that begins here is never closed" },
        { "<!", ">", "the <! that begins here is never closed" },
    };
    size_t k = 0;
    char *end;

    while (strncmp(s->p, kind[k].open, strlen(kind[k].open)) != 0)
        k++;
    end = s->p + strlen(kind[k].open);
    end = k == 3 ? doctype_end(end) : strstr(end, kind[k].close);
    if (!end)
        return graphml_wrong(s, s->line, kind[k].what, err);
    if (*end == '[')
        return graphml_wrong(s, s->line, "the document type declares something of its own; that is not read, remove it",
                             err);
    move_to(s, end + strlen(kind[k].close));
    return 0;
}

static size_t put_character(char *w, unsigned long c)
{
    if (c < 0x80) {
        w[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        w[0] = (char)(0xc0 | c >> 6);
        w[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        w[0] = (char)(0xe0 | c >> 12);
        w[1] = (char)(0x80 | (c >> 6 & 0x3f));
        w[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    w[0] = (char)(0xf0 | c >> 18);
    w[1] = (char)(0x80 | (c >> 12 & 0x3f));
    w[2] = (char)(0x80 | (c >> 6 & 0x3f));
    w[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

/* The character that "&...;" at p stands for, 0 when it is none; *len is its length in the text. */
static unsigned long reference(const char *p, size_t *len)
{
    static const struct { const char *text; char c; } known[] = {
        { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' } };
    unsigned long c;
    char *end;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *len = strlen(known[i].text);
        if (strncmp(p, known[i].text, *len) == 0)
            return (unsigned char)known[i].c;
    }
    if (p[1] != '#')
        return 0;
    c = p[2] == 'x' ? strtoul(p + 3, &end, 16) : strtoul(p + 2, &end, 10);
    *len = (size_t)(end - p) + 1;
    return *end == ';' && c <= 0x10ffff ? c : 0;
}

/* References and line ends as XML reads them, in place: the text never grows. */
static size_t graphml_decode(char *text, size_t len)
{
    char *w = text;

    for (const char *p = text, *end = text + len; p < end;) {
        size_t n = 1;
        unsigned long c = *p == '&' ? reference(p, &n) : 0;

        if (c > 0 && p + n <= end) {
            w += put_character(w, c);
            p += n;
        } else {
            *w++ = strchr("\t\r\n", *p) ? ' ' : *p;
            p++;
        }
    }
    return (size_t)(w - text);
}

/* ---- tags ---- */

static void graphml_keep(struct tag *tag, const char *name, size_t len, char *value, size_t value_len)
{
    static const char *const wanted[NATTRIBUTE] = { "id", "source", "target", "edgedefault", "directed" };

    for (int a = 0; a < NATTRIBUTE; a++)
        if (strlen(wanted[a]) == len && memcmp(wanted[a], name, len) == 0)
            tag->value[a] = (struct identifier){ value, value_len };
}

/* Parses the tag at p and moves past it. The caller decodes the values: they may hold line ends to count. */
static int read_tag(struct scan *s, struct tag *tag, struct err *err)
{
    static const char unclosed[] = "the tag that begins here is never closed; is the file cut off?";
    char *p = s->p + 1;

    *tag = (struct tag){ .name = p, .line = s->line };
    tag->len = strcspn(p, " \t\r\n/><");
    p += tag->len;
    for (;;) {
        char *name, *value;
        size_t len;

        p += strspn(p, " \t\r\n/");
        if (*p == '>')
            break;
        name = p;
        len = strcspn(p, " \t\r\n=></");
        p += len;
        p += strspn(p, " \t\r\n");
        if (*p != '=')
            return graphml_wrong(s, tag->line, *p ? "a tag has an attribute without =\"value\"" : unclosed, err);
        p++;
        p += strspn(p, " \t\r\n");
        if (*p != '"' && *p != '\'')
            return graphml_wrong(s, tag->line, *p ? "a tag has an attribute whose value is not quoted" : unclosed, err);
        value = p + 1;
        p = strchr(value, *p);
        if (!p)
            return graphml_wrong(s, tag->line, unclosed, err);
        graphml_keep(tag, name, len, value, (size_t)(p - value));
        p++;
    }
    s->open += p[-1] != '/';
    move_to(s, p + 1);
    for (int a = 0; a < NATTRIBUTE; a++)
        if (tag->value[a].text)
            tag->value[a].len = graphml_decode(tag->value[a].text, tag->value[a].len);
    return 0;
}

/* ---- elements ---- */

static bool equal(const struct identifier *value, const char *text)
{
    return value->text && value->len == strlen(text) && memcmp(value->text, text, value->len) == 0;
}

static int graphml_open_graph(struct scan *s, const struct tag *tag, struct err *err)
{
    const struct identifier *edges = &tag->value[EDGEDEFAULT];

    if (s->graph)
        return graphml_wrong(s, tag->line, "a second <graph> begins here; a file holds one network, with no graph "
                             "inside", err);
    s->graph = true;
    s->d.directed = equal(edges, "directed");
    if (!s->d.directed && !equal(edges, "undirected"))
        return graphml_wrong(s, tag->line, "<graph> does not say edgedefault=\"directed\" or "
                             "edgedefault=\"undirected\"", err);
    return 0;
}

static int graphml_edge(struct scan *s, const struct tag *tag, struct err *err)
{
    const struct identifier *directed = &tag->value[DIRECTED];

    if (directed->text && !equal(directed, s->d.directed ? "true" : "false"))
        return graphml_wrong(s, tag->line, "the edge's directed= differs from the graph's edgedefault; edges must be "
                             "all directed or all undirected", err);
    return declared_edge(&s->d, &tag->value[SOURCE], &tag->value[TARGET], tag->line, s->path, err);
}

/* The name without the prefix of <graphml> itself; length 0 for elements with another. */
static struct identifier local_name(const struct scan *s, const struct tag *tag)
{
    if (tag->len > s->prefix_len && memcmp(tag->name, s->prefix, s->prefix_len) == 0 &&
        !memchr(tag->name + s->prefix_len, ':', tag->len - s->prefix_len))
        return (struct identifier){ tag->name + s->prefix_len, tag->len - s->prefix_len };
    return (struct identifier){ tag->name, 0 };
}

static int graphml_root(struct scan *s, const struct tag *tag, struct err *err)
{
    const char *colon = memchr(tag->name, ':', tag->len);
    struct identifier name;

    s->root = true;
    s->prefix = tag->name;
    s->prefix_len = colon ? (size_t)(colon - tag->name) + 1 : 0;
    name = local_name(s, tag);
    if (!equal(&name, "graphml"))
        return err_set(err, ERR_FORMAT, "%s:%zu: the first element is <%.*s>; GraphML begins with <graphml>", s->path,
                       tag->line, (int)(tag->len > 40 ? 40 : tag->len), tag->name);
    return 0;
}

static int graphml_element(struct scan *s, const struct tag *tag, struct err *err)
{
    struct identifier name;

    if (!s->root)
        return graphml_root(s, tag, err);
    name = local_name(s, tag);
    if (equal(&name, "graph"))
        return graphml_open_graph(s, tag, err);
    if (equal(&name, "node"))
        return declared_node(&s->d, &tag->value[ID], tag->line, s->path, err);
    if (equal(&name, "edge"))
        return graphml_edge(s, tag, err);
    if (equal(&name, "hyperedge"))
        return graphml_wrong(s, tag->line, "hyperedges are not read; write them as edges", err);
    return 0;
}

static int scan_text(struct scan *s, struct err *err)
{
    struct tag tag;
    char *p;

    while ((p = strchr(s->p, '<'))) {
        move_to(s, p);
        if (p[1] == '!' || p[1] == '?') {
            if (skip_markup(s, err) < 0)
                return -1;
        } else if (p[1] == '/') {
            move_to(s, p + 2);
            s->open--;
        } else if (read_tag(s, &tag, err) < 0 || graphml_element(s, &tag, err) < 0) {
            return -1;
        }
    }
    move_to(s, s->p + strlen(s->p));
    if (s->open > 0)
        return graphml_wrong(s, s->line, "the file ends before its elements are closed; is it cut off?", err);
    if (!s->graph)
        return err_set(err, ERR_FORMAT, "%s has no <graph>; is it GraphML, and whole?", s->path);
    return declared_end(&s->d, s->path, err);
}

/* ---- reading ---- */

static igraph_error_t first_graph(igraph_t *graph, FILE *file)
{
    return igraph_read_graph_graphml(graph, file, 0);
}

static int graphml_read(struct import *in, const char *text, size_t len, const char *path, struct err *err)
{
    struct scan s = { .line = 1, .path = path };
    int ret = -1;

    if (declared_begin(&s.d, text, len, err) < 0)
        return -1;
    s.p = s.d.copy;
    if (scan_text(&s, err) == 0)
        ret = from_igraph(in, &s.d, first_graph, IGRAPH_ORDER_MENTIONED, text, len, path, err);
    if (ret < 0 && strstr(err->msg, "Graph index was too large"))   /* there is one, but igraph does not see it */
        err_set(err, ERR_FORMAT, "%s: its <graph> is not GraphML's; <graphml> must say "
                "xmlns=\"http://graphml.graphdrawing.org/xmlns\" and hold the graph directly", path);
    declared_release(&s.d);
    return ret;
}

static int graphml_sniff(const char *text, size_t, struct err *)
{
    const char *p = text + strspn(text, " \t\r\n");

    return *p == '<' && (strncmp(p, "<?xml", 5) == 0 || strstr(p, "graphml"));
}

const struct import_format import_graphml = {
    IMPORT_GRAPHML_ENTRY,
    .states_direction = true, .sniff = graphml_sniff, .read = graphml_read };
