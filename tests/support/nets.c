#include "tests/support/nets.h"

#include "tests/support/check.h"

#include <igraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/topology/topo.h"

struct edges {
    size_t n;
    igraph_integer_t end[];
};

static void *must(void *p)
{
    if (!p) {
        perror("tests");
        exit(1);
    }
    return p;
}

static int build(igraph_t *graph, const struct net *net, struct err *err)
{
    const struct edges *e = net->param;
    igraph_integer_t *end = topo_ends((double)e->n, net, err);

    return end ? topo_from_edges(graph, memcpy(end, e->end, 2 * e->n * sizeof *end), 2 * e->n, net, err) : -1;
}

static const struct topo made = { .name = "made", .build = build };

struct net *nets_from_edges(int n, const int *end, int nedge, bool directed)
{
    struct net *net = must(calloc(1, sizeof *net));
    struct edges *e = must(malloc(sizeof *e + 2 * (size_t)nedge * sizeof *e->end));

    e->n = (size_t)nedge;
    for (int i = 0; i < 2 * nedge; i++)
        e->end[i] = end[i];
    net->param = e;
    net->spec = must(strdup("made by hand"));
    net->topo = &made;
    net->n = net->nterminal = n;
    net->directed = directed;
    return net;
}

struct net *nets_random(struct rng *rng, int n, int more, bool directed)
{
    char *there = must(calloc((size_t)n * (size_t)n, 1));
    int *end = must(malloc(2 * (size_t)(n + more) * sizeof *end));
    int nedge = 0;
    struct net *net;

    for (int i = 0; i < n + more; i++) {
        int from = (int)rng_below(rng, (uint64_t)n), to = (int)rng_below(rng, (uint64_t)n);

        if (i < n) {
            from = i;
            to = directed ? (i + 1) % n : i ? (int)rng_below(rng, (uint64_t)i) : 0;
        }
        if (from == to || there[from * n + to] || (!directed && there[to * n + from]))
            continue;
        there[from * n + to] = 1;
        end[2 * nedge] = from;
        end[2 * nedge++ + 1] = to;
    }
    net = nets_from_edges(n, end, nedge, directed);
    free(end);
    free(there);
    return net;
}

void nets_cables(struct rng *rng, struct net *net)
{
    static const double bandwidth[] = { 1, 1, 2, 4, 0.5 }, length[] = { 0, 0, 3, 7.5 };
    struct edges *old = net->param, *e = must(malloc(sizeof *e + 6 * old->n * sizeof *e->end));
    double *value = must(malloc(12 * (old->n + 1) * sizeof *value));
    struct err err;

    e->n = 0;
    for (size_t i = 0; i < old->n; i++)
        for (uint64_t k = 0, cables = rng_below(rng, 2) ? 1 : 1 + rng_below(rng, 3); k < cables; k++) {
            e->end[2 * e->n] = old->end[2 * i];
            e->end[2 * e->n++ + 1] = old->end[2 * i + 1];
        }
    free(old);
    net->param = e;
    net->cables.parallel = true;
    for (size_t i = 0; i < 2 * e->n; i++) {
        const bool same = net->directed && i % 2;       /* a link has one kind */

        value[i] = same ? value[i - 1] : bandwidth[rng_below(rng, sizeof bandwidth / sizeof *bandwidth)];
        value[2 * e->n + i] = same ? value[2 * e->n + i - 1] : length[rng_below(rng, sizeof length / sizeof *length)];
    }
    if (cables_values(&net->cables, e->n, value, value + 2 * e->n, &err) < 0)
        fail_msg("%s", err.msg);
    free(value);
}

int nets_between(struct link_kind *kind, int most, struct net *net, int from, int to)
{
    const igraph_t *graph;
    struct err err;
    int n = 0;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int a = (int)IGRAPH_FROM(graph, e), b = (int)IGRAPH_TO(graph, e);

        if (!(a == from && b == to) && !(!net->directed && a == to && b == from))
            continue;
        assert_true(n < most);
        kind[n++] = !net->cables.kind ? (struct link_kind){ 1, 0 } :
            net->cables.kind[net->cables.of ? net->cables.of[2 * e + (from > to && !net->directed)] : 0];
    }
    return n;
}

void nets_switch(struct rng *rng, struct net *net)
{
    const int left = 2 + (int)rng_below(rng, (uint64_t)net->n - 1);

    net->terminal = must(malloc((size_t)net->n * sizeof *net->terminal));
    net->nterminal = 0;
    for (int v = 0; v < net->n; v++)            /* each with the same chance: Knuth's algorithm S */
        if ((int)rng_below(rng, (uint64_t)(net->n - v)) < left - net->nterminal)
            net->terminal[net->nterminal++] = v;
}

bool nets_linked(struct net *net, int from, int to)
{
    struct err err;
    const igraph_t *graph;
    igraph_integer_t edge = -1;

    return net_graph(net, &graph, &err) == 0 &&
        igraph_get_eid(graph, &edge, from, to, IGRAPH_DIRECTED, false) == IGRAPH_SUCCESS && edge >= 0;
}

bool nets_own_switch(struct net *net, int node)
{
    struct err err;
    const igraph_t *graph;
    igraph_vector_int_t next;
    bool own;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    assert_int_equal(igraph_vector_int_init(&next, 0), 0);
    assert_int_equal(igraph_neighbors(graph, &next, node, IGRAPH_OUT), 0);
    own = false;
    for (igraph_integer_t i = 1; i < igraph_vector_int_size(&next); i++)
        own = own || VECTOR(next)[i] != VECTOR(next)[0];
    own = own || igraph_vector_int_size(&next) == 0 || net_terminal_index(net, (int)VECTOR(next)[0]) >= 0;
    igraph_vector_int_destroy(&next);
    return own;
}

char *nets_spec(const char *text, const char *path)
{
    char *out = NULL;
    size_t len;
    FILE *f = open_memstream(&out, &len);

    assert_non_null(f);
    for (; *text; text++)
        if (*text == '%')
            fputs(path, f);
        else
            fputc(*text, f);
    assert_int_equal(fclose(f), 0);
    return out;
}
