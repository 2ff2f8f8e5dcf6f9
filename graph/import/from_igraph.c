/* from_igraph.c -- GraphML and GML through igraph's readers (from_igraph.h).
 * 1. the graph   igraph's reader, its vertices and edges held to the declared ones; weights
 * 2. cables      attributes of edges
 * 3. nodes       names, and terminals or switches
 * 4. places      coordinates, or longitude and latitude in the plane */
#include "graph/import/from_igraph.h"

#include <igraph.h>

#include "graph/import/imported.h"
#include "graph/import/links.h"

struct reading {
    igraph_t graph;
    int *node;                  /* by vertex of the graph: our number of it */
    const struct declared *d;
    const char *path;
};

/* ---- the graph ---- */

/* "Line 3: reason" and "reason, line 3 (more)" are put as "path:3: reason". */
static void from_igraph_place(const char *path, struct err *err)
{
    char reason[sizeof err->msg];
    const char *at;
    char *rest;
    unsigned long line;

    snprintf(reason, sizeof reason, "%s", err->msg + strlen(path) + 2);
    at = strcasestr(reason, "line ");
    err->code = ERR_FORMAT;
    if (!at || !isdigit((unsigned char)at[5]))
        return;
    line = strtoul(at + 5, &rest, 10);
    if (at == reason && strncmp(rest, ": ", 2) == 0)
        err_set(err, ERR_FORMAT, "%s:%lu: %s", path, line, rest + 2);
    else
        err_set(err, ERR_FORMAT, "%s:%lu: %s", path, line, reason);
}

static int from_igraph_run(igraph_t *graph, igraph_reader *reader, const char *text, size_t len, const char *path,
                           struct err *err)
{
    FILE *file = fmemopen((void *)text, len, "r");
    igraph_error_t status;

    if (!file)
        return err_memory(err);
    status = reader(graph, file);
    fclose(file);               /* read only, from memory: nothing can be lost */
    if (net_status(status, path, err) == 0)
        return 0;
    if (err->code == ERR_INTERNAL)
        from_igraph_place(path, err);
    return -1;
}

/* Which of our nodes each vertex is, and that igraph saw the nodes and edges that the text declares. */
static int match(struct reading *r, enum igraph_order order, struct err *err)
{
    const struct declared *d = r->d;
    bool same = igraph_vcount(&r->graph) == d->nnode && d->ids.n == d->nnode &&
                igraph_ecount(&r->graph) == (igraph_integer_t)d->nedge &&
                (bool)igraph_is_directed(&r->graph) == d->directed;

    if (TAKE("the network", err, ARRAY(r->node, (size_t)d->nnode + 1)) < 0)
        return -1;
    for (int v = 0; v < d->nnode; v++)
        r->node[v] = order == IGRAPH_ORDER_MENTIONED ? d->node[v] : v;
    for (size_t e = 0; same && e < d->nedge; e++) {
        int from = r->node[IGRAPH_FROM(&r->graph, (igraph_integer_t)e)];
        int to = r->node[IGRAPH_TO(&r->graph, (igraph_integer_t)e)], a = d->end[2 * e], b = d->end[2 * e + 1];

        same = (from == a && to == b) || (!d->directed && from == b && to == a);
    }
    return same ? 0 : err_set(err, ERR_FORMAT, "%s is not understood the same way by two readers (%lld nodes and %lld "
                              "edges, or %d and %zu); write it anew in plain form", r->path,
                              (long long)igraph_vcount(&r->graph), (long long)igraph_ecount(&r->graph), d->nnode,
                              d->nedge);
}

static int from_igraph_take_edges(const struct reading *r, struct import *in, struct err *err)
{
    size_t nedge = r->d->nedge;

    if (TAKE("the network", err, ARRAY(in->end, 2 * nedge + 1), ARRAY(in->line, nedge + 1)) < 0)
        return -1;
    if (nedge > 0) {
        memcpy(in->end, r->d->end, 2 * nedge * sizeof *in->end);
        memcpy(in->line, r->d->line, nedge * sizeof *in->line);
    }
    in->n = r->d->nnode;
    in->nedge = nedge;
    in->directed = r->d->directed;
    return 0;
}

/* Type of an attribute of `of` (nodes or edges), IGRAPH_ATTRIBUTE_UNSPECIFIED when there is none. */
static int type_of(igraph_attribute_type_t *type, const struct reading *r, igraph_attribute_elemtype_t of,
                   const char *name, struct err *err)
{
    *type = IGRAPH_ATTRIBUTE_UNSPECIFIED;
    if (!igraph_cattribute_has_attr(&r->graph, of, name))
        return 0;
    return net_status(igraph_cattribute_table.gettype(&r->graph, type, of, name), r->path, err);
}

static int take_weights(const struct reading *r, struct import *in, struct err *err)
{
    igraph_attribute_type_t type;

    if (type_of(&type, r, IGRAPH_ATTRIBUTE_EDGE, "weight", err) < 0)
        return -1;
    if (type == IGRAPH_ATTRIBUTE_UNSPECIFIED || in->nedge == 0)
        return 0;
    if (type != IGRAPH_ATTRIBUTE_NUMERIC) {
        size_t e = 0;
        double v;
        struct err ignored;

        if (type == IGRAPH_ATTRIBUTE_STRING)        /* the offending value, if it is one among numbers */
            while (e + 1 < in->nedge && num_real(&v, EAS(&r->graph, "weight", (igraph_integer_t)e), "", &ignored) == 0)
                e++;
        return imported_wrong(in, e, r->path, "has a weight that is text or true/false; weights are numbers", err);
    }
    if (TAKE("the network", err, ARRAY(in->weight, in->nedge)) < 0)
        return -1;
    for (size_t e = 0; e < in->nedge; e++)
        in->weight[e] = EAN(&r->graph, "weight", (igraph_integer_t)e);
    return 0;
}

/* ---- cables ---- */

#define SAID 80                 /* bytes of what an attribute says */

/* The attribute of edge e as text; "": none. */
static const char *said(char out[SAID], const struct reading *r, const char *name, igraph_attribute_type_t type,
                        size_t e)
{
    const igraph_integer_t edge = (igraph_integer_t)e;
    char number[32];

    if (type == IGRAPH_ATTRIBUTE_NUMERIC && !isnan(EAN(&r->graph, name, edge)))
        snprintf(out, SAID, "%s", num_shortest(number, EAN(&r->graph, name, edge)));
    else
        snprintf(out, SAID, "%s", type == IGRAPH_ATTRIBUTE_STRING ? EAS(&r->graph, name, edge) :
                 type == IGRAPH_ATTRIBUTE_BOOLEAN ? EAB(&r->graph, name, edge) ? "true" : "false" : "");
    return out;
}

/* Edges anew as cables (links.h), where an attribute speaks of these. */
static int take_cables(const struct reading *r, struct import *in, struct err *err)
{
    igraph_attribute_type_t type[LINK_ATTRIBUTES];
    struct links links = { 0 };
    bool any = false;
    int ret = 0;

    for (int i = LINK_BANDWIDTH; i < LINK_ATTRIBUTES; i++) {
        if (type_of(&type[i], r, IGRAPH_ATTRIBUTE_EDGE, link_attribute[i], err) < 0)
            return -1;
        any = any || type[i] != IGRAPH_ATTRIBUTE_UNSPECIFIED;
    }
    for (size_t e = 0; any && ret == 0 && e < in->nedge; e++) {
        struct link link = { .line = in->line[e] };
        char text[LINK_ATTRIBUTES][SAID];

        for (int i = LINK_BANDWIDTH; i < LINK_ATTRIBUTES; i++)
            if (type[i] != IGRAPH_ATTRIBUTE_UNSPECIFIED ||      /* of ports, the other end's, too */
                (i >= LINK_PORT && type[LINK_PORT + LINK_OTHER_PORT - i] != IGRAPH_ATTRIBUTE_UNSPECIFIED))
                link.said[i] = said(text[i], r, link_attribute[i], type[i], e);
        ret = links_add_between(&links, in->end[2 * e], in->end[2 * e + 1], in->weight ? &in->weight[e] : NULL, &link,
                                r->path, err);
    }
    if (ret == 0 && links.n > 0) {
        FREE(in->end, in->weight, in->line);
        links_take(&links, in);
    }
    links_release(&links);
    return ret;
}

/* ---- nodes ---- */

static int put_name(struct import *in, int node, const char *text, size_t len, struct err *err)
{
    free(in->name[node]);
    in->name[node] = text_copy(text, len);
    return in->name[node] ? 0 : err_memory(err);
}

/* A node attribute as text into names; numbers are written out. */
static int names_from(const struct reading *r, struct import *in, const char *attribute, bool numeric, struct err *err)
{
    for (int v = 0; v < in->n; v++) {
        char number[32];
        const char *text = numeric ? num_shortest(number, VAN(&r->graph, attribute, v)) : VAS(&r->graph, attribute, v);

        if (put_name(in, r->node[v], text, strlen(text), err) < 0)
            return -1;
    }
    return 0;
}

/* Whether the names are unique; -1: memory. */
static int tells_apart(const struct import *in, struct err *err)
{
    struct names seen = { 0 };
    int apart = 1;

    for (int v = 0; v < in->n && apart == 1; v++) {
        const int at = *in->name[v] ? names_add(&seen, in->name[v], strlen(in->name[v]), err) : in->n;

        apart = at < 0 ? -1 : at == v;
    }
    names_release(&seen);
    return apart;
}

static int names_from_ids(const struct reading *r, struct import *in, struct err *err)
{
    for (int i = 0; i < r->d->ids.n; i++) {
        const struct name *id = &r->d->ids.name[i];

        if (put_name(in, r->d->node[i], id->text, id->len, err) < 0)
            return -1;
    }
    return 0;
}

static int take_names(const struct reading *r, struct import *in, struct err *err)
{
    static const char *const attribute[] = { "name", "label" };
    igraph_attribute_type_t type;
    int apart;

    if (TAKE("the network", err, ZEROS(in->name, (size_t)in->n + 1)) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        if (type_of(&type, r, IGRAPH_ATTRIBUTE_VERTEX, attribute[i], err) < 0)
            return -1;
        if (type != IGRAPH_ATTRIBUTE_STRING && type != IGRAPH_ATTRIBUTE_NUMERIC)
            continue;
        if (names_from(r, in, attribute[i], type == IGRAPH_ATTRIBUTE_NUMERIC, err) < 0)
            return -1;
        apart = i == 0 ? 1 : tells_apart(in, err);  /* a name that is given twice is a mistake; a label may be */
        if (apart != 0)
            return apart < 0 ? -1 : 0;
    }
    return names_from_ids(r, in, err);
}

static int take_kinds(const struct reading *r, struct import *in, const char *attribute, struct err *err)
{
    igraph_attribute_type_t type;
    int first_wrong = -1, right = 0, *kind;

    if (type_of(&type, r, IGRAPH_ATTRIBUTE_VERTEX, attribute, err) < 0)
        return -1;
    if (type != IGRAPH_ATTRIBUTE_STRING || in->kind)
        return 0;
    if (TAKE("the network", err, ARRAY(kind, (size_t)in->n + 1)) < 0)
        return -1;
    for (int v = 0; v < in->n; v++) {
        int k = imported_kind(VAS(&r->graph, attribute, v));

        kind[r->node[v]] = k;
        right += k >= 0;
        if (k < 0 && first_wrong < 0)
            first_wrong = v;
    }
    if (right == in->n) {
        in->kind = kind;
        return 0;
    }
    free(kind);
    if (right == 0)             /* an attribute of that name that is about something else */
        return 0;
    return err_set(err, ERR_FORMAT, "%s: node '%.60s' has %s '%.40s' while others are of a known kind; it may be "
                   "terminal, host, switch or router", r->path, in->name[r->node[first_wrong]], attribute,
                   VAS(&r->graph, attribute, first_wrong));
}

/* ---- places ---- */

static int has_numbers(bool *is, const struct reading *r, const char *name, struct err *err)
{
    igraph_attribute_type_t type;

    if (type_of(&type, r, IGRAPH_ATTRIBUTE_VERTEX, name, err) < 0)
        return -1;
    *is = type == IGRAPH_ATTRIBUTE_NUMERIC;
    return 0;
}

/* Degrees of longitude are as wide as at the mean latitude; latitude rises, y falls. */
static void flatten(struct import *in)
{
    double sum = 0, known = 0;

    for (int v = 0; v < in->n; v++)
        if (!isnan(in->at[2 * v + 1])) {
            sum += in->at[2 * v + 1];
            known++;
        }
    for (int v = 0; v < in->n; v++) {
        in->at[2 * v] *= fmax(cos(M_PI / 180 * sum / fmax(known, 1)), 0.05);
        in->at[2 * v + 1] *= -1;
    }
}

/* Longitude and latitude, or x and y, where both are numbers. */
static int take_places(const struct reading *r, struct import *in, struct err *err)
{
    static const char *const name[][2] = { { "Longitude", "Latitude" }, { "longitude", "latitude" }, { "lon", "lat" },
                                           { "lng", "lat" }, { "x", "y" } };
    bool has[2] = { false, false };
    size_t k = 0, any = 0;

    for (; k < sizeof name / sizeof *name; k++) {
        if (has_numbers(&has[0], r, name[k][0], err) < 0 || has_numbers(&has[1], r, name[k][1], err) < 0)
            return -1;
        if (has[0] && has[1])
            break;
    }
    if (!has[0] || !has[1])
        return 0;
    if (TAKE("the network", err, ARRAY(in->at, 2 * (size_t)in->n + 1)) < 0)
        return -1;
    for (int v = 0; v < in->n; v++) {
        const double x = VAN(&r->graph, name[k][0], v), y = VAN(&r->graph, name[k][1], v);
        const bool known = fabs(x) <= IMPORT_FARTHEST && fabs(y) <= IMPORT_FARTHEST;

        in->at[2 * r->node[v]] = known ? x : (double)NAN;
        in->at[2 * r->node[v] + 1] = known ? y : (double)NAN;
        any += known;
    }
    if (any == 0) {
        free(in->at);
        in->at = NULL;
    } else if (*name[k][1] != 'y')
        flatten(in);
    return 0;
}

int from_igraph(struct import *in, const struct declared *d, igraph_reader *reader, enum igraph_order order,
                const char *text, size_t len, const char *path, struct err *err)
{
    struct reading r = { .d = d, .path = path };
    int ret = -1;

    if (from_igraph_run(&r.graph, reader, text, len, path, err) < 0)
        return -1;
    if (match(&r, order, err) == 0 && from_igraph_take_edges(&r, in, err) == 0 && take_names(&r, in, err) == 0 &&
        take_weights(&r, in, err) == 0 && take_cables(&r, in, err) == 0 && take_kinds(&r, in, "kind", err) == 0)
        ret = take_kinds(&r, in, "type", err) < 0 ? -1 : take_places(&r, in, err);
    free(r.node);
    igraph_destroy(&r.graph);
    return ret;
}
