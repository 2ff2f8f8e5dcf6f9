#include "graph/base/bisect.h"
#include "graph/base/order.h"
#include "graph/import/attributed.h"
#include "graph/import/scan.h"
#include "texts/import.h"

/* BookSim's anynet (src/networks/anynet.cpp, readFile): a line a router, "router 0 node 0 router 1 15". A cable is there
 * both ways; a latency holds the way it is written, 1 is that of the others. Of a pair's latencies the last holds. */

#define ANYNET_MOST 10000000

struct anynet_link {
    int from, to;
    double latency;             /* cycles */
    size_t line;
};

ORDER(anynet_order, struct anynet_link, UP(from) UP(to) UP(line))

/* The node of "router 3" or "node 3", from its word on. */
static int anynet_node(struct attributed *a, struct scan *s, uint64_t most[2], bool *host, struct err *err)
{
    char name[40];
    uint64_t number;
    int at;

    *host = scan_is(s, "node");
    if (!*host && !scan_is(s, "router"))
        return scan_wrong(s, err, "'%.*s' stands where router or node is expected", SCAN_SHOWN(s));
    scan_next(s);
    if (scan_number(&number, s, 10, 0, ANYNET_MOST, "number of a node", err) < 0)
        return -1;
    most[*host] = number >= most[*host] ? number + 1 : most[*host];
    snprintf(name, sizeof name, "%s%llu", *host ? "node" : "router", (unsigned long long)number);
    at = attributed_node(a, name, strlen(name), true, err);
    if (at >= 0) {
        a->kind[at] = *host;
        a->kinds = true;
    }
    return at;
}

/* Cables of routers from what is listed one way and the other; of a node one. */
static int anynet_cables(struct attributed *a, struct anynet_link *link, size_t n, struct err *err)
{
    int *at = NULL, ret = TAKE("the network", err, ZEROS(at, a->links.names.n + 1));

    if (n > 0)
        qsort(link, n, sizeof *link, anynet_order);
    for (size_t i = 0; i < n && ret == 0; i++) {
        const struct anynet_link key = { link[i].to, link[i].from, 1, 0 }, *l = &link[i];
        const bool host = a->kind[l->to] == 1;
        size_t back;            /* behind the last the other way */
        attribute_text said[LINK_ATTRIBUTES] = { "" };

        if (i + 1 < n && link[i + 1].from == l->from && link[i + 1].to == l->to)
            continue;
        if (host && at[l->to]++ > 0)
            ret = err_set(err, ERR_FORMAT, "%s:%zu: %.*s is at another router already; a node has one", a->path, l->line,
                          (int)a->links.names.name[l->to].len, a->links.names.name[l->to].text);
        BISECT(back, 0, n, k, link[k].from < key.from || (link[k].from == key.from && link[k].to <= key.to));

        const bool both = back > 0 && link[back - 1].from == key.from && link[back - 1].to == key.to;

        if (ret < 0 || (both && l->from > l->to))
            continue;
        snprintf(said[LINK_LATENCY], ATTRIBUTE_ROOM, "%.17g", l->latency - 1);
        ret = attributed_cable(a, l->from, l->to, said, l->line, err);
        if (ret == 0 && a->links.length)
            a->links.length[2 * a->links.n - 1] = both ? link[back - 1].latency - 1 : 0;
    }
    free(at);
    return ret;
}

static int anynet_line(struct attributed *a, struct scan *s, struct anynet_link **link, size_t *n, uint64_t most[2],
                       struct err *err)
{
    bool host;
    const int from = scan_is(s, "router") ? anynet_node(a, s, most, &host, err) :
        scan_wrong(s, err, "'%.*s' begins a line; every line begins with router and its number", SCAN_SHOWN(s));
    int to;

    if (from < 0)
        return -1;
    scan_next(s);
    while (s->kind == SCAN_WORD) {
        struct anynet_link one = { from, -1, 1, s->line };
        uint64_t latency;

        if ((to = anynet_node(a, s, most, &host, err)) < 0)
            return -1;
        scan_next(s);
        if (s->kind == SCAN_WORD && *s->text >= '0' && *s->text <= '9') {
            if (host)
                return scan_wrong(s, err, "a latency stands behind a node; BookSim reads it as a router, leave it out");
            if (scan_number(&latency, s, 10, 1, 1000000000, "latency", err) < 0)
                return -1;
            one.latency = (double)latency;
            a->known[LINK_LATENCY] = a->known[LINK_LATENCY] || latency > 1;
            scan_next(s);
        }
        one.to = to;
        if (GROW_BY(*n, 1, "links of a file", err, GROWN(*link)) < 0)
            return -1;
        (*link)[(*n)++] = one;
    }
    return 0;
}

static int anynet_read(struct import *in, const char *text, size_t, const char *path, struct err *err)
{
    struct attributed a = { .path = path };
    struct scan s = { .at = text, .path = path, .next_line = 1, .signs = "", .lines = true };
    struct anynet_link *link = NULL;
    uint64_t most[2] = { 0, 0 };
    size_t n = 0;
    int ret = 0;

    while (ret == 0 && scan_next(&s) != SCAN_END)
        if (s.kind != SCAN_LINE)
            ret = anynet_line(&a, &s, &link, &n, most, err);
    if (ret == 0 && most[0] + most[1] != (uint64_t)(unsigned)a.links.names.n)
        ret = err_set(err, ERR_FORMAT, "%s: routers and nodes are numbered from 0 without gaps; of %llu routers and %llu "
                      "nodes %d are named", path, (unsigned long long)most[0], (unsigned long long)most[1],
                      a.links.names.n);
    if (ret == 0)
        ret = anynet_cables(&a, link, n, err);
    free(link);
    return attributed_finish(&a, in, ret, err);
}

static int anynet_sniff(const char *text, size_t, struct err *)
{
    text += strspn(text, " \t\r\n");
    return strncmp(text, "router ", 7) == 0 && text[7] >= '0' && text[7] <= '9';
}

const struct import_format import_anynet = {
    IMPORT_ANYNET_ENTRY,
    .states_direction = true, .sniff = anynet_sniff, .read = anynet_read };
