/* Failed cables and nodes (cables.h), by the key fail: they are removed from the graph, which is built for it, and what
 * relied on the symmetry of the whole network is dropped.
 *   items    cables, nodes and random draws, marked by edge and by node
 *   parts    whether the terminals stay connected, and which are cut off
 *   rebuild  graph, kinds, ports and weights without what failed; terminals that are up */
#include "graph/cables.h"

#include <igraph.h>

#include "graph/numeric/rng.h"
#include "graph/topology/topo.h"

struct failing {
    struct net *net;
    const igraph_t *graph;
    bool *out, *down;           /* by edge, by node */
    struct err *err;
};

/* ---- items ---- */

static int failing_cable(struct failing *f, int a, int b, const char *port, const char *item)
{
    const bool named = f->net->cables.port;
    int64_t number = 0, met = 0;
    size_t found = 0, out = 0;
    struct err no_number;

    if (port && num_int(&number, port, 1, INT32_MAX, "port", &no_number) < 0)
        number = 0;
    for (igraph_integer_t e = 0; e < igraph_ecount(f->graph); e++) {
        const igraph_integer_t from = IGRAPH_FROM(f->graph, e), to = IGRAPH_TO(f->graph, e);
        const char *at;

        if ((from != a || to != b) && (from != b || to != a))
            continue;
        met++;
        at = net_port(f->net, e, a);
        if (!port || (at && *at ? strcmp(at, port) == 0 : met == number)) {
            found++;
            out += !f->out[e];
            f->out[e] = true;
        }
    }
    if (met == 0)
        return err_set(f->err, ERR_USAGE, "fail=%.80s: there is no cable between them", item);
    return out ? 0 : !found ? err_set(f->err, ERR_USAGE, "fail=%.80s: of the %lld cables between them none %s", item,
                                    (long long)met, named ? "is at that port" : "has that number") :
        err_set(f->err, ERR_USAGE, "fail=%.80s is said twice", item);
}

/* Names may contain - and : themselves: every split whose two sides are nodes. */
static int failing_pair(struct failing *f, const char *item)
{
    struct err ignored;

    for (const char *dash = strchr(item, '-'); dash; dash = strchr(dash + 1, '-')) {
        char *from = text_copy(item, (size_t)(dash - item)), *to = text_copy(dash + 1, strlen(dash + 1));
        char *colon = to ? strrchr(to, ':') : NULL;
        const char *port = NULL;
        int a, b, ret = 1;

        if (!from || !to) {
            ret = err_memory(f->err);
        } else if (net_node(f->net, from, &a, &ignored) == 0) {
            bool is = net_node(f->net, to, &b, &ignored) == 0;

            if (!is && colon) {
                *colon = '\0';
                port = colon + 1;
                is = net_node(f->net, to, &b, &ignored) == 0;
            }
            ret = is ? failing_cable(f, a, b, port, item) : 1;
        }
        FREE(from, to);
        if (ret <= 0)
            return ret;
    }
    return err_set(f->err, ERR_USAGE, "fail=%.80s: write A-B with two nodes of %.80s, switch:A or random:K:SEED "
                   "(nodes are known by number, too)", item, f->net->spec);
}

static void failing_node(struct failing *f, int v)
{
    f->down[v] = true;
    for (igraph_integer_t e = 0; e < igraph_ecount(f->graph); e++)
        if (IGRAPH_FROM(f->graph, e) == v || IGRAPH_TO(f->graph, e) == v)
            f->out[e] = true;
}

static int failing_random(struct failing *f, const char *item)
{
    const igraph_integer_t nedge = igraph_ecount(f->graph);
    const char *k = item + strlen("random:"), *colon = strchr(k, ':');
    int *at, *degree, ret = -1;
    int64_t count, seed;
    struct rng rng;
    size_t n = 0;

    if (!colon)
        return err_set(f->err, ERR_USAGE, "fail=%.80s: write random:K:SEED, K cables and a seed", item);
    if (num_int_part(&count, k, (size_t)(colon - k), 1, INT32_MAX, "the number of cables", f->err) < 0 ||
        num_int(&seed, colon + 1, 0, INT64_MAX, "the seed", f->err) < 0)
        return err_at(f->err, "fail=%.80s", item);
    if (TAKE("the links that fail", f->err, ARRAY(at, (size_t)nedge + 1), ZEROS(degree, f->net->n)) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < nedge; e++) {
        degree[IGRAPH_FROM(f->graph, e)]++;
        degree[IGRAPH_TO(f->graph, e)]++;
    }
    for (igraph_integer_t e = 0; e < nedge; e++) {
        const int from = (int)IGRAPH_FROM(f->graph, e), to = (int)IGRAPH_TO(f->graph, e);
        const bool host = (degree[from] == 1 && net_terminal_index(f->net, from) >= 0) ||
                          (degree[to] == 1 && net_terminal_index(f->net, to) >= 0);

        if (!host && !f->out[e])
            at[n++] = (int)e;
    }
    if ((size_t)count > n) {
        ret = err_set(f->err, ERR_USAGE, "fail=%.80s: %.80s has %zu cables that may fail (those to hosts do not)", item,
                      f->net->spec, n);
        goto done;
    }
    rng_seed(&rng, (uint64_t)seed);
    rng_shuffle(&rng, at, n);
    for (int64_t i = 0; i < count; i++)
        f->out[at[i]] = true;
    ret = 0;
done:
    FREE(at, degree);
    return ret;
}

static int failing_item(struct failing *f, const char *item)
{
    int v;

    if (strncmp(item, "random:", 7) == 0)
        return failing_random(f, item);
    if (strncmp(item, "switch:", 7) != 0)
        return failing_pair(f, item);
    if (net_node(f->net, item + 7, &v, f->err) < 0)
        return err_at(f->err, "fail=%.80s", item);
    if (f->down[v])
        return err_set(f->err, ERR_USAGE, "fail=%.80s is said twice", item);
    failing_node(f, v);
    return 0;
}

/* ---- parts ---- */

/* The component of every node, and how many components have terminals that are up. */
static int failing_parts(igraph_vector_int_t *part, const struct failing *f, const igraph_t *graph, int *parts)
{
    bool *seen;
    int n = 0;

    if (net_status(igraph_connected_components(graph, part, NULL, NULL, IGRAPH_STRONG), "parts of a network",
                   f->err) < 0)
        return -1;
    seen = calloc((size_t)f->net->n, sizeof *seen);
    if (!seen)
        return err_memory(f->err);
    for (int i = 0; i < f->net->nterminal; i++) {
        const int v = net_terminal(f->net, i);
        const size_t p = (size_t)VECTOR(*part)[v];

        n += !f->down[v] && !seen[p];
        seen[p] = seen[p] || !f->down[v];
    }
    free(seen);
    *parts = n;
    return 0;
}

/* The message names a terminal of the smallest part. */
static int failing_parted(const struct failing *f, const igraph_vector_int_t *part, const char *what)
{
    int *size = calloc((size_t)f->net->n, sizeof *size), least = -1, most = 0, total = 0;
    char name[NET_LABEL];

    if (!size)
        return err_memory(f->err);
    for (int i = 0; i < f->net->nterminal; i++)
        if (!f->down[net_terminal(f->net, i)]) {
            const int in = ++size[VECTOR(*part)[net_terminal(f->net, i)]];

            most = in > most ? in : most;
            total++;
        }
    for (int i = 0; i < f->net->nterminal; i++) {
        const int v = net_terminal(f->net, i);

        if (!f->down[v] && (least < 0 || size[VECTOR(*part)[v]] < size[VECTOR(*part)[least]]))
            least = v;
    }
    err_set(f->err, ERR_NETWORK, "fail=%.80s parts %.80s: of its %d terminals that are up, %d %s cut off from the "
            "others (%s%s)", what, f->net->spec, total, total - most, total - most > 1 ? "are" : "is",
            net_label(f->net, least, name), total - most > 1 ? " and more" : "");
    free(size);
    return -1;
}

/* ---- rebuild ---- */

/* The graph without what failed; whatever is known by edge goes along. */
static int failing_rebuild(struct failing *f, igraph_t *graph)
{
    struct cables *c = &f->net->cables;
    const size_t nedge = (size_t)igraph_ecount(f->graph);
    igraph_integer_t *end = topo_ends((double)nedge, f->net, f->err);
    size_t kept = 0, ngone = 0;

    if (!end)
        return -1;
    for (size_t e = 0; e < nedge; e++)
        ngone += f->out[e];
    if (TAKE("the links that fail", f->err, ARRAY(c->gone, ngone + 1)) < 0) {
        free(end);
        return -1;
    }
    for (size_t e = 0; e < nedge; e++)
        if (f->out[e]) {
            c->gone[c->ngone][0] = (int)IGRAPH_FROM(f->graph, (igraph_integer_t)e);
            c->gone[c->ngone][1] = (int)IGRAPH_TO(f->graph, (igraph_integer_t)e);
            c->gone[c->ngone++][2] = (int)e;
        } else {
            end[kept++] = IGRAPH_FROM(f->graph, (igraph_integer_t)e);
            end[kept++] = IGRAPH_TO(f->graph, (igraph_integer_t)e);
        }
    if (topo_from_edges(graph, end, kept, f->net, f->err) < 0)
        return -1;
    kept = 0;
    for (size_t e = 0; e < nedge; e++) {
        if (f->out[e]) {
            for (int i = 0; c->port && i < 2; i++)
                free(c->port[2 * e + (size_t)i]);
            continue;
        }
        for (size_t i = 0; i < 2; i++) {
            if (c->of)
                c->of[2 * kept + i] = c->of[2 * e + i];
            if (c->port)
                c->port[2 * kept + i] = c->port[2 * e + i];
        }
        if (f->net->weight)
            f->net->weight[kept] = f->net->weight[e];
        kept++;
    }
    c->nport = c->port ? 2 * kept : 0;
    return 0;
}

/* Drops what holds for the intact network only. */
static int failing_let_go(struct failing *f)
{
    struct net *net = f->net;
    int n = 0, *terminal;

    net->cables.failed = true;
    if (net->group)
        group_release(net->group);
    free(net->group);
    net->group = NULL;
    net->lines = net->lines == LINES_GRID ? LINES_SETS : net->lines == LINES_JUMPS ? LINES_NONE : net->lines;
    for (int v = 0; v < net->n; v++)
        net->cables.ndown += f->down[v];
    if (net->cables.ndown == 0)
        return 0;
    if (TAKE("the nodes that fail", f->err, ARRAY(net->cables.down, net->cables.ndown),
             ARRAY(terminal, (size_t)net->nterminal + 1)) < 0)
        return -1;
    for (int v = 0, k = 0; v < net->n; v++)
        if (f->down[v])
            net->cables.down[k++] = v;
    for (int i = 0; i < net->nterminal; i++)
        if (!f->down[net_terminal(net, i)])
            terminal[n++] = net_terminal(net, i);
    free(net->terminal);
    net->terminal = terminal;
    net->nterminal = n;
    return n ? 0 : err_set(f->err, ERR_NETWORK, "%.80s: no terminal is left", net->spec);
}

static int failing_apply(struct failing *f, const char *what)
{
    igraph_vector_int_t part;
    igraph_t graph;
    int before, after, ret = -1;

    if (net_status(igraph_vector_int_init(&part, 0), "parts of a network", f->err) < 0)
        return -1;
    if (failing_parts(&part, f, f->graph, &before) < 0 || failing_rebuild(f, &graph) < 0)
        goto done;
    igraph_destroy(&f->net->graph);
    f->net->graph = graph;
    if (failing_parts(&part, f, &graph, &after) < 0)
        goto done;
    ret = before == 1 && after > 1 ? failing_parted(f, &part, what) : failing_let_go(f);
done:
    igraph_vector_int_destroy(&part);
    return ret;
}

int cables_fail(struct net *net, const char *what, struct err *err)
{
    struct failing f = { .net = net, .err = err };
    char *list = text_copy(what, strlen(what)), *rest = list, *item;
    int ret = list ? 0 : err_memory(err);

    if (ret == 0 && net_graph(net, &f.graph, err) < 0)
        ret = -1;
    if (ret == 0)
        ret = TAKE("the links that fail", err, ZEROS(f.out, igraph_ecount(f.graph) + 1), ZEROS(f.down, net->n));
    while (ret == 0 && (item = strsep(&rest, "+")) != NULL)
        ret = failing_item(&f, item);
    if (ret == 0)
        ret = failing_apply(&f, what);
    FREE(f.out, f.down, list);
    return ret;
}
