#include <igraph.h>

#include "graph/import/from_igraph.h"
#include "texts/import.h"

/* GML (Himsolt 1997): keys, each with a number, a quoted text or a list in brackets. igraph reads it; the scan here
 * finds nodes and edges and the line of what is wrong with them. */

#define MOST_DEPTH 100          /* igraph's parser recurses, too */
#define MOST_ID ((int64_t)1 << 53)

enum token { END, KEY, NUMBER, STRING, OPEN, CLOSE, UNKNOWN };

struct scan {
    struct declared d;
    char *p;                    /* what comes after the token */
    char *text;                 /* the token */
    size_t len, line;
    const char *path;
    int graphs;
    double *at;                 /* 2 a node, as struct import has it: what `graphics` says */
    int placed;                 /* nodes of which it says so */
};

enum list { TOP, GRAPH, NODE, EDGE, GRAPHICS, OTHER };

struct fields {
    struct identifier id, source, target;
    double at[2];
};

static bool is_key(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_number(char c)
{
    return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* Blanks, and comments: lines that begin with '#'. */
static void skip(struct scan *s)
{
    while (*s->p && strchr(" \t\r\n\v\f#", *s->p)) {
        if (*s->p == '#' && s->p > s->d.copy && s->p[-1] != '\n' && s->p[-1] != '\r')
            return;
        if (*s->p == '#')
            s->p += strcspn(s->p, "\r\n");
        s->line += *s->p == '\n';
        s->p += *s->p != '\0';
    }
}

static enum token import_gml_next(struct scan *s)
{
    enum token token;
    char *p;

    skip(s);
    p = s->text = s->p;
    if (*p == '\0')
        return END;
    if (*p == '[' || *p == ']') {
        token = *p++ == '[' ? OPEN : CLOSE;
    } else if (*p == '"') {
        for (p++; *p && *p != '"'; p++)
            s->line += *p == '\n';
        token = *p ? STRING : UNKNOWN;
        p += *p != '\0';
    } else if (is_key(*p)) {
        while (is_key(*p) || (*p >= '0' && *p <= '9'))
            p++;
        token = KEY;
    } else if (is_number(*p)) {
        while (is_number(*p) || *p == 'e' || *p == 'E')
            p++;
        token = NUMBER;
    } else {
        token = UNKNOWN;
    }
    s->len = (size_t)(p - s->text);
    s->p = p;
    return token;
}

static bool is(const struct scan *s, const char *word)
{
    return s->len == strlen(word) && memcmp(s->text, word, s->len) == 0;
}

static int syntax(const struct scan *s, size_t line, const char *what, struct err *err)
{
    return err_set(err, ERR_FORMAT, "%s:%zu: %s", s->path, line, what);
}

/* The identifier just read, written over itself in the one way that compares equal: "+07" is 7. */
static int identifier(struct identifier *id, const struct scan *s, const char *key, struct err *err)
{
    char text[24], *end;
    long long v = strtoll(s->text, &end, 10);

    if (id->text)
        return err_set(err, ERR_FORMAT, "%s:%zu: '%s' is given twice", s->path, s->line, key);
    if (end != s->text + s->len || v > MOST_ID || v < -MOST_ID)
        return err_set(err, ERR_FORMAT, "%s:%zu: %s '%.*s' is not a whole number up to 2^53", s->path, s->line, key,
                       (int)(s->len > 40 ? 40 : s->len), s->text);
    id->text = s->text;
    id->len = (size_t)snprintf(text, sizeof text, "%lld", v);
    memcpy(id->text, text, id->len);        /* never longer than what was there */
    return 0;
}

/* What a key with a number or a text says, in the lists that matter here. */
static int value(struct scan *s, enum list list, const char *key, size_t len, struct fields *f, struct err *err)
{
    static const char *const word[] = { "id", "source", "target", "directed" };
    struct identifier *id[] = { &f->id, &f->source, &f->target };
    size_t k = 0;

    if (list == GRAPHICS && len == 1 && (*key == 'x' || *key == 'y')) {
        const double at = strtod(s->text, NULL);        /* of a text in quotes 0 */

        f->at[*key == 'y'] = fabs(at) <= IMPORT_FARTHEST ? at : (double)NAN;
    }
    while (k < 4 && !(strlen(word[k]) == len && memcmp(key, word[k], len) == 0))
        k++;
    if ((list == NODE && k == 0) || (list == EDGE && (k == 1 || k == 2)))
        return identifier(id[k], s, word[k], err);
    if (list == GRAPH && k == 3) {
        if (!is(s, "0") && !is(s, "1"))
            return syntax(s, s->line, "directed must be 0 or 1", err);
        s->d.directed = is(s, "1");
    }
    return 0;
}

static enum list list_of(const struct scan *s, enum list outer)
{
    if (outer == TOP)
        return is(s, "graph") ? GRAPH : OTHER;
    if (outer == GRAPH)
        return is(s, "node") ? NODE : is(s, "edge") ? EDGE : OTHER;
    if (outer == NODE && is(s, "graphics"))
        return GRAPHICS;
    return OTHER;
}

static int add_node(struct scan *s, const struct fields *f, size_t line, struct err *err)
{
    const size_t n = (size_t)s->d.nnode;
    const bool placed = !isnan(f->at[0] + f->at[1]);

    if (GROW_BY(n, 1, "nodes of a file", err, GROWN_OF(s->at, 2)) < 0)
        return -1;
    for (size_t i = 0; i < 2; i++)
        s->at[2 * n + i] = placed ? f->at[i] : (double)NAN;
    s->placed += placed;
    return declared_node(&s->d, &f->id, line, s->path, err);
}

static int close_list(struct scan *s, enum list list, const struct fields *f, size_t line, struct err *err)
{
    if (list == NODE)
        return add_node(s, f, line, err);
    if (list == EDGE)
        return declared_edge(&s->d, &f->source, &f->target, line, s->path, err);
    return 0;
}

/* Keys up to the bracket that closes the list (TOP: up to the end of the text). */
static int read_list(struct scan *s, enum list list, size_t line, int depth, struct fields *outer, struct err *err)
{
    struct fields f = { .at = { NAN, NAN } };
    enum token token;

    if (depth > MOST_DEPTH)
        return syntax(s, line, "lists are nested more than 100 deep", err);
    if (list == GRAPH && ++s->graphs > 1)
        return syntax(s, line, "a second graph begins here; a file holds one network", err);
    while ((token = import_gml_next(s)) == KEY) {
        const char *key = s->text;
        size_t len = s->len, key_line = s->line;
        enum list inner = list_of(s, list);

        token = import_gml_next(s);
        if (token == OPEN) {
            if (read_list(s, inner, key_line, depth + 1, &f, err) < 0)
                return -1;
        } else if (token != NUMBER && token != STRING) {
            return err_set(err, ERR_FORMAT, "%s:%zu: '%.*s' needs a number, a text in quotes, or a list in brackets",
                           s->path, key_line, (int)(len > 40 ? 40 : len), key);
        } else if (value(s, list, key, len, list == GRAPHICS ? outer : &f, err) < 0) {
            return -1;
        }
    }
    if (token == END && list != TOP)
        return syntax(s, line, "the list that begins here is never closed; is the file cut off?", err);
    if (token == CLOSE && list != TOP)
        return close_list(s, list, &f, line, err);
    if (token == END)
        return 0;
    return err_set(err, ERR_FORMAT, "%s:%zu: '%.20s' stands where a key is expected", s->path, s->line, s->text);
}

static int gml_read(struct import *in, const char *text, size_t len, const char *path, struct err *err)
{
    struct scan s = { .line = 1, .path = path };
    int ret = -1;

    if (declared_begin(&s.d, text, len, err) < 0)
        return -1;
    s.p = s.d.copy;
    if (read_list(&s, TOP, 1, 0, NULL, err) < 0)
        goto done;
    if (s.graphs == 0) {
        err_set(err, ERR_FORMAT, "%s has no graph; GML is written graph [ node [ id 0 ] ... ]", path);
        goto done;
    }
    if (declared_end(&s.d, path, err) == 0)
        ret = from_igraph(in, &s.d, igraph_read_graph_gml, IGRAPH_ORDER_DECLARED, text, len, path, err);
    if (ret == 0 && !in->at && s.placed > 0) {
        in->at = s.at;
        s.at = NULL;
    }
done:
    free(s.at);
    declared_release(&s.d);
    return ret;
}

/* It begins with a key, and has graph [ somewhere. */
static int gml_sniff(const char *text, size_t, struct err *)
{
    const char *p = text;

    while (*p && strchr(" \t\r\n#", *p))
        p += *p == '#' ? strcspn(p, "\r\n") : 1;
    if (!is_key(*p))
        return false;
    for (p = strstr(p, "graph"); p; p = strstr(p + 1, "graph"))
        if (p[5 + strspn(p + 5, " \t\r\n")] == '[')
            return true;
    return false;
}

const struct import_format import_gml = {
    IMPORT_GML_ENTRY,
    .states_direction = true, .sniff = gml_sniff, .read = gml_read };
