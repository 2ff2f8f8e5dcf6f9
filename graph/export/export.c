/* export.c -- networks into files (export.h).
 * 1. formats   by name and extension
 * 2. losses    what the network has and the format cannot say
 * 3. words     templates filled in
 * 4. walk      nodes and cables in the order of the format */
#include "graph/export/export.h"

#include <igraph.h>

#include "registry/export.inc"

KIND(export, export, struct export_format, .name = "export", .rank = 3)

const char *const export_xml[] = { "&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;", NULL };
const char *const export_backslash[] = { "\\", "\\\\", "\"", "\\\"", NULL };

/* ---- formats ---- */

const struct export_format *export_choose(const char **path, const char *text, struct err *err)
{
    const char *colon = strchr(text, ':'), *dot = strrchr(text, '.');
    char name[40];

    if (colon && (size_t)(colon - text) < sizeof name && !memchr(text, '/', (size_t)(colon - text))) {
        snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
        *path = colon + 1;
        return (const struct export_format *)kind_find(&kind_export, name, err);
    }
    *path = text;
    for (size_t i = 0; dot && export_all[i]; i++)
        for (const char *e = export_all[i]->synopsis; *e; e += strcspn(e, " "), e += strspn(e, " "))
            if (strlen(dot) == strcspn(e, " ") && strncasecmp(e, dot, strlen(dot)) == 0)
                return export_all[i];
    err_set(err, ERR_USAGE, "'%.80s' has no extension of a format that is written; say FORMAT:FILE (`metapath list "
            "export` names them)", text);
    return NULL;
}

/* ---- losses ---- */

static const struct {
    const char *one, *several;
    const char *refused;        /* NULL: it is lost; else why the network cannot be written */
} export_things[] = {
    [EXPORT_NAMES] = { "the name of a node", "names of %zu nodes", NULL },
    [EXPORT_KINDS] = { "which node is a terminal", "which %zu nodes are terminals", NULL },
    [EXPORT_PLACES] = { "the place of a node", "places of %zu nodes", NULL },
    [EXPORT_WEIGHTS] = { "the weight of a cable", "weights of %zu cables", NULL },
    [EXPORT_BANDWIDTHS] = { "the bandwidth of a cable", "bandwidths of %zu cables", NULL },
    [EXPORT_LATENCIES] = { "the latency of a cable", "latencies of %zu cables", NULL },
    [EXPORT_PORTS] = { "the ports of a cable", "ports of %zu cables", NULL },
    [EXPORT_ALONE] = { "a node without cables", "%zu nodes without cables", NULL },
    [EXPORT_PARALLEL] = { NULL, NULL, "cables in parallel" },
    [EXPORT_DIRECTED] = { NULL, NULL, "links of one direction" },
};

static void export_count(struct export *x)
{
    const struct net *net = x->net;
    const size_t n = (size_t)net->n, m = (size_t)igraph_ecount(&net->graph);
    const struct link_kind least = cables_least(&net->cables), most = cables_most(&net->cables);
    size_t *count = x->count;

    count[EXPORT_NAMES] = n;
    count[EXPORT_KINDS] = net->terminal ? (size_t)net->nterminal : 0;
    count[EXPORT_PLACES] = net->at ? n : 0;
    count[EXPORT_WEIGHTS] = net->weight ? m : 0;
    count[EXPORT_BANDWIDTHS] = net->cables.rate > 0 || least.bandwidth < 1 || most.bandwidth > 1 ? m : 0;
    count[EXPORT_LATENCIES] = most.length > 0 ? m : 0;
    count[EXPORT_PORTS] = net->cables.port ? m : 0;
    for (size_t v = 0; v < n; v++)
        count[EXPORT_ALONE] += x->first[v] == x->first[v + 1];
    count[EXPORT_PARALLEL] = net->cables.parallel;
    count[EXPORT_DIRECTED] = net->directed;
    x->uneven = !net->directed && cables_uneven(net);
}

/* ibsim's " w=2 s=4" of a rate in Gb/s, by bits as fabric.c reads them; false: it has none. */
static bool export_width(char out[24], double rate)
{
    static const double lane[] = { 2, 4, 8, 13.6, 25, 50, 100 }, lanes[] = { 4, 1, 8, 12 };
    static const int width[] = { 2, 1, 4, 8 };

    *out = '\0';
    for (int i = 0; i < 28; i++) {
        const int s = i % 7;

        if (fabs(lane[s] * lanes[i / 7] - rate) < 1e-9 * rate) {
            snprintf(out, 24, " w=%d %c=%d", width[i / 7], s < 3 ? 's' : 'e', 1 << (s < 3 ? s : s - 3));
            return true;
        }
    }
    return false;
}

/* Whether bandwidths are all rates that ibsim has words for. */
static bool export_widths(const struct export *x)
{
    char word[24];
    bool all = x->net->cables.rate > 0 && !x->uneven;

    for (int k = 0; all && k < x->net->cables.nkind; k++)
        all = export_width(word, x->net->cables.kind[k].bandwidth * x->net->cables.rate / 1e9);
    return all;
}

static int export_lost(char **lost, const struct export *x, const struct export_format *format, struct err *err)
{
    char text[500] = "";
    size_t at = 0, own = 0;

    for (int i = 0; i < EXPORT_THINGS; i++) {
        char words[80];

        if (x->count[i] == 0 || (format->says >> i & 1 && !(i == EXPORT_BANDWIDTHS && format->widths && !export_widths(x))))
            continue;
        if (export_things[i].refused)
            return err_set(err, ERR_DOMAIN, "%.200s has %s, which %s cannot say; graphml, gml, csv and node-link can",
                           x->net->spec, export_things[i].refused, format->name);
        snprintf(words, sizeof words, x->count[i] > 1 ? export_things[i].several : export_things[i].one, x->count[i]);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? ", " : "", words);
    }
    for (int v = 0; format->own[0] && v < x->net->n; v++)
        own += x->address.adapter[v] > 0;
    if (x->count[EXPORT_LATENCIES] && format->cable[1] && !strstr(format->cable[1], "%l") && format->own[0])
        at += (size_t)snprintf(text + at, sizeof text - at, "%slatencies of cables to nodes", at ? ", " : "");
    if (own)
        snprintf(text + at, sizeof text - at, "%sthat %zu terminals are switches at once (each has an adapter there, "
                 "NAME-host)", at ? ", " : "", own);
    *lost = *text ? text_copy(text, strlen(text)) : NULL;
    return *text && !*lost ? err_memory(err) : 0;
}

/* ---- words ---- */

struct cable {                  /* as it is seen from a node */
    int64_t edge;
    int from, to, end;          /* which end of the edge `from` is */
};

int export_text(const struct export *x, const struct export_format *format, const char *text)
{
    const char *const *escape = format->escape;
    bool quoted = false;

    for (const char *p = text; format->quote && !escape && *p; p++)         /* CSV: in quotes where it must */
        quoted = quoted || strchr(",\"\r\n# ", *p);
    if (quoted)
        fputc('"', x->f);
    for (; *text; text++) {
        size_t i = 0;

        while (escape && escape[i] && *escape[i] != *text)
            i += 2;
        if (escape && escape[i] && !*escape[i + 1])
            return -1;
        fputs(escape && escape[i] ? escape[i + 1] : quoted && *text == '"' ? "\"" : "", x->f);
        if (!(escape && escape[i]))
            fputc(*text, x->f);
    }
    if (quoted)
        fputc('"', x->f);
    return 0;
}

/* What a cable carries the way it is seen, as quantities where the network knows units. */
static struct link_kind export_kind(const struct export *x, const struct cable *c)
{
    const struct cables *of = &x->net->cables;

    if (!of->kind)
        return (struct link_kind){ 1, 0 };
    /* the first of a pair is the link to the higher node */
    return of->kind[of->of ? of->of[2 * c->edge + (x->net->directed ? 0 : c->to < c->from)] : 0];
}

static const char *export_number(char out[48], double value, double one, const char *unit)
{
    char shortest[32];

    if (!(one > 0))
        return num_shortest(out, value);
    snprintf(shortest, sizeof shortest, "%.15g", value * one);      /* what it was before it was divided */
    snprintf(out, 48, "%s%s", shortest, unit);
    return out;
}

struct attribute {
    const char *name, *value;   /* NULL: this one has none */
    bool text;
};
#define ATTRIBUTES 5

/* Those of a node (cable NULL) or of a cable; names alone where node is below 0. */
static int export_attributes(struct attribute a[ATTRIBUTES], char room[ATTRIBUTES][48], const struct export *x, int node,
                             const struct cable *c)
{
    const struct net *net = x->net;
    const bool rates = net->cables.rate > 0;
    int n = 0;

    if (!c) {
        const double *at = net->at && node >= 0 ? net->at + 2 * node : NULL;

        if (net->terminal)
            a[n++] = (struct attribute){ "kind", node < 0 ? NULL : net_terminal_index(net, node) < 0 ? "switch" : "terminal",
                                         true };
        for (int i = 0; net->at && i < 2; i++)
            a[n++] = (struct attribute){ i ? "y" : "x", at && !isnan(at[i]) ? num_shortest(room[i], at[i]) : NULL, false };
        return n;
    }
    const struct link_kind kind = export_kind(x, c);

    if (net->weight)
        a[n++] = (struct attribute){ "weight", num_shortest(room[0], net->weight[c->edge]), false };
    if (x->count[EXPORT_BANDWIDTHS])
        a[n++] = (struct attribute){ "bandwidth", export_number(room[1], kind.bandwidth, net->cables.rate / 1e9, "Gb/s"),
                                     rates };
    if (x->count[EXPORT_LATENCIES])
        a[n++] = (struct attribute){ "latency", export_number(room[2], kind.length, net->cables.times ? 1e9 : 0, "ns"),
                                     net->cables.times };
    if (net->cables.port) {
        a[n++] = (struct attribute){ "source_port", net_port(net, c->edge, c->from), true };
        a[n++] = (struct attribute){ "target_port", net_port(net, c->edge, c->to), true };
    }
    return n;
}

static int export_said(const struct export *x, const struct export_format *format, int node, const struct cable *c)
{
    struct attribute a[ATTRIBUTES];
    char room[ATTRIBUTES][48];
    const int n = export_attributes(a, room, x, node, c);
    bool any = false;

    for (int i = 0; i < n; i++) {
        if (!a[i].value)
            continue;
        fputs(any ? format->said[2] : format->said[0], x->f);
        any = true;
        for (const char *p = format->said[1]; *p; p++) {
            if (*p != '%') {
                fputc(*p, x->f);
            } else if (*++p == 'k') {
                fputs(a[i].name, x->f);
            } else {
                fputs(a[i].text && format->quote ? format->quote : "", x->f);
                if (export_text(x, format, a[i].value) < 0)
                    return -1;
                fputs(a[i].text && format->quote ? format->quote : "", x->f);
            }
        }
    }
    if (any)
        fputs(format->said[3], x->f);
    return 0;
}

static void export_keys(const struct export *x, const struct export_format *format)
{
    struct attribute a[ATTRIBUTES];
    char room[ATTRIBUTES][48];
    const int64_t none = x->first[x->net->n];
    const struct cable c = { 0 };

    for (int of = format->node[0] ? 0 : 1; of < 2; of++)
        for (int i = 0, n = of && !none ? 0 : export_attributes(a, room, x, -1, of ? &c : NULL); i < n; i++)
            for (const char *p = format->key; *p; p++)
                if (*p != '%')
                    fputc(*p, x->f);
                else
                    fputs(*++p == 'k' ? a[i].name : *p == 'f' ? of ? "edge" : "node" : a[i].text ? "string" : "double",
                          x->f);
}

/* -1: a text holds what the format cannot say. */
static int export_words(const struct export *x, const struct export_format *format, const char *p, int node,
                        const struct cable *c)
{
    const struct addresses *a = &x->address;
    const struct link_kind kind = c ? export_kind(x, c) : (struct link_kind){ 1, 0 };
    char label[NET_LABEL], number[48];
    int ret = 0;

    for (; p && *p && ret == 0; p++) {
        if (*p != '%') {
            fputc(*p, x->f);
            continue;
        }
        switch (*++p) {
        case 'v': ret = export_text(x, format, net_label(x->net, node, label)); break;
        case 'b': ret = export_text(x, format, net_label(x->net, c->to, label)); break;
        case 'n': fprintf(x->f, "%d", x->number[node]); break;
        case 'm': fprintf(x->f, "%d", x->number[c->to]); break;
        case 'i': fprintf(x->f, "%d", node); break;
        case 'j': fprintf(x->f, "%d", c->to); break;
        case 'p': fprintf(x->f, "%d", a->nport[node]); break;
        case 'g': fprintf(x->f, "0x%llx", (unsigned long long)a->guid[node]); break;
        case 'G': fprintf(x->f, "0x%llx", (unsigned long long)a->port_guid[node] - 1); break;
        case 'P': fprintf(x->f, "%d", a->port[2 * c->edge + c->end]); break;
        case 'Q': fprintf(x->f, "%d", a->port[2 * c->edge + 1 - c->end]); break;
        case 'h': fprintf(x->f, "%d", a->adapter[node]); break;
        case 'w': fputs(export_width(number, kind.bandwidth * x->net->cables.rate / 1e9) ? number : "", x->f); break;
        case 'B': fputs(export_number(number, kind.bandwidth, x->net->cables.rate > 0 ? x->net->cables.rate / 1e9 : 1,
                                      x->net->cables.rate > 0 ? "Gbps" : "GBps"), x->f); break;
        case 'L': fputs(export_number(number, kind.length, x->net->cables.times ? 1e9 : 1, "ns"), x->f); break;
        case 'l': 
            if (kind.length > 0)
                fprintf(x->f, " %.15g", kind.length + 1);
            break;
        case 'd': fputs(x->net->directed ? "->" : "--", x->f); break;
        case 'e': fprintf(x->f, "%lld", (long long)c->edge); break;
        case 'A': ret = export_said(x, format, node, c); break;
        case 'K': export_keys(x, format); break;
        default: fputc(*p, x->f);
        }
    }
    return ret;
}

/* ---- walk ---- */

static int export_cables(const struct export *x, const struct export_format *format, int node, bool again, bool *any)
{
    const bool by_node = format->closed != NULL;
    int ret = 0;

    for (int64_t i = x->first[node]; i < x->first[node + 1] && ret == 0; i++) {
        int end[2];

        net_ends(end, x->net, x->edge[i]);
        for (int k = 0; k < 2 && ret == 0; k++) {
            const struct cable c = { x->edge[i], end[k], end[1 - k], k };
            const bool lower = x->net->directed ? k == 0 : end[k] < end[1 - k];

            if (by_node ? end[k] != node : !(lower || x->uneven) || end[x->net->directed ? 0 : end[1] < end[0]] != node)
                continue;
            if (*any && format->join)
                fputs(format->join, x->f);
            *any = true;
            ret = export_words(x, format, again ? format->again :
                               format->cable[format->cable[1] && x->address.adapter[c.to] < 0], c.from, &c);
        }
    }
    return ret;
}

/* The node of which a text could not be written, or -1; nodes, then cables. */
static int export_walk(struct export *x, const struct export_format *format)
{
    const struct net *net = x->net;
    bool any = false, cables = false;

    export_words(x, format, format->head[net->directed && format->head[1]], 0, NULL);
    for (int v = 0; v < net->n; v++) {
        const int adapter = x->address.adapter[v];
        const char *node = format->node[format->node[1] && (adapter < 0 || (adapter > 0 && !format->own[0]))];

        if (any && format->join && !format->closed && node)
            fputs(format->join, x->f);
        any = true;
        if (export_words(x, format, node, v, NULL) < 0)
            return v;
        if (!format->closed || !node || !*node)
            continue;
        cables = false;
        if (export_cables(x, format, v, false, &cables) < 0 ||
            (x->address.adapter[v] > 0 && export_words(x, format, format->own[0], v, NULL) < 0))
            return v;
        fputs(format->closed, x->f);
    }
    for (int v = 0; format->own[1] && v < net->n; v++)
        if (x->address.adapter[v] > 0 && export_words(x, format, format->own[1], v, NULL) < 0)
            return v;
    fputs(format->middle ? format->middle : "", x->f);
    for (int v = 0; !format->closed && v < net->n; v++)
        if (export_cables(x, format, v, false, &cables) < 0)
            return v;
    for (int v = 0; format->again && v < net->n; v++)
        if (export_cables(x, format, v, true, &cables) < 0)
            return v;
    fputs(format->tail ? format->tail : "", x->f);
    return -1;
}

static int export_open(struct export *x, struct err *err)
{
    const igraph_t *graph;
    const struct net *net = x->net;
    int of[2] = { 0, 0 };

    if (net_graph(x->net, &graph, err) < 0 || addresses_open(&x->address, x->net, err) < 0 ||
        TAKE("the network", err, ARRAY(x->number, net->n), ZEROS(x->first, (size_t)net->n + 2),
             ARRAY(x->edge, 2 * (size_t)igraph_ecount(graph) + 1)) < 0)
        return -1;
    for (int v = 0; v < net->n; v++)
        x->number[v] = of[x->address.adapter[v] < 0]++;
    for (int pass = 0; pass < 2; pass++) {
        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
            int end[2];

            net_ends(end, net, e);
            for (int k = 0; k < 2; k++)
                if (pass == 0)
                    x->first[end[k] + 2]++;
                else
                    x->edge[x->first[end[k] + 1]++] = e;
        }
        for (int v = 0; pass == 0 && v < net->n; v++)
            x->first[v + 2] += x->first[v + 1];
    }
    export_count(x);
    return 0;
}

int export_write(FILE *f, const struct export_format *format, struct net *net, char **lost, struct err *err)
{
    struct export x = { .f = f, .net = net };
    char label[NET_LABEL];
    int ret = -1, bad;

    *lost = NULL;
    if (export_open(&x, err) == 0 && export_lost(lost, &x, format, err) == 0) {
        ret = 0;
        if (format->write)
            ret = format->write(&x, err);
        else if ((bad = export_walk(&x, format)) >= 0)
            ret = err_set(err, ERR_DOMAIN, "%.200s: the name of '%.60s' or of a neighbour holds what %s cannot say; csv and "
                          "node-link can",
                          net->spec, net_label(net, bad, label), format->name);
    }
    addresses_release(&x.address);
    FREE(x.number, x.first, x.edge);
    return ret;
}
