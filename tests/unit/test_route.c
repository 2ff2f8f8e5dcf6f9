/* Routings: known paths, and for every routing on every topology it accepts: every pair delivered over real
 * links, shares summing to 1, shortest where it says so, the same from every node where it says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graph/distances.h"
#include "graph/topo.h"
#include "model/route.h"
#include "tests/support/nets.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct err err;

static const struct row {
    const char *name, *spec, *routing;
    int from, to;
    const char *path;
} rows[] = {
    { "mesh: the last dimension first", "mesh:4x4", NULL, 0, 15, "0 1 2 3 7 11 15" },
    { "mesh: down as well as up", "mesh:4x4", "dor", 14, 1, "14 13 9 5 1" },
    { "torus: half-way goes up", "torus:4x4", "dor", 5, 15, "5 6 7 11 15" },
    { "torus: round the corner", "torus:5x4x3", "dor", 0, 59, "0 2 11 59" },
    { "mesh with rows wrapped", "mesh:4x4,wrap=2", "dor", 0, 15, "0 3 7 11 15" },
    { "hypercube: a ring of two is one cable", "hypercube:4", "dor", 0, 15, "0 1 3 7 15" },
    { "ring one way", "ring:6,directed=yes", "dor", 4, 2, "4 5 0 1 2" },
    { "ring one way, minimal", "ring:6,directed=yes", "minimal", 4, 2, "4 5 0 1 2" },
    { "circulant: the larger jump first", "circulant:20,jumps=2+7", "dor", 0, 9, "0 7 9" },
    { "circulant: up where both ways are as long", "circulant:12,jumps=1+3", "dor", 0, 6, "0 3 6" },
    { "complete: straight there", "complete:6", NULL, 5, 2, "5 2" },
    { "star: over the hub", "star:6", NULL, 5, 2, "5 0 2" },
    { "star: from the hub", "star:6", NULL, 0, 2, "0 2" },
    { "minimal: the smallest next node", "mesh:4x4", "minimal", 5, 15, "5 6 7 11 15" },
    { "minimal: smallest first even if dor is not", "mesh:4x4", "minimal", 15, 0, "15 11 7 3 2 1 0" },
    { "nowhere to go", "torus:4x4", NULL, 3, 3, "3" },
};

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct net *net;
    struct routing r;
    struct route_path path = { 0 };
    char text[200] = "";
    size_t len = 0;

    assert_int_equal(net_open(&net, row->spec, &err), 0);
    assert_int_equal(routing_open(&r, net, row->routing, &err), 0);
    assert_int_equal(route_path(&path, &r, row->from, row->to, &err), 0);
    for (size_t i = 0; i < path.n; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", i ? " " : "", path.node[i]);
    assert_string_equal(text, row->path);
    route_path_release(&path);
    routing_close(&r);
    net_close(net);
}

/* Follows every answer, not only the first: from `node` all hops lead to the target within `most` steps. */
static void check_delivers(struct routing *r, int node, int in, int target, int most)
{
    struct hop *hop = calloc(r->most, sizeof *hop);
    double shares = 0;
    size_t n = 0;

    assert_non_null(hop);
    assert_true(most > 0);
    assert_int_equal(r->route->next(hop, &n, r, node, in, target, &err), 0);
    assert_in_range(n, 1, r->most);
    for (size_t i = 0; i < n; i++) {
        assert_true(hop[i].share > 0);
        assert_true(nets_linked(r->net, node, hop[i].node));
        shares += hop[i].share;
        if (hop[i].node != target)
            check_delivers(r, hop[i].node, node, target, most - 1);
    }
    assert_true(fabs(shares - 1) < 1e-12);
    free(hop);
}

static void check_invariant(struct routing *r, int source, int target)
{
    const struct group *g = r->net->group;
    struct route_path here = { 0 }, origin = { 0 };
    int away = group_add(g, target, group_negative(g, source));

    assert_int_equal(route_path(&here, r, source, target, &err), 0);
    assert_int_equal(route_path(&origin, r, 0, away, &err), 0);
    assert_int_equal(here.n, origin.n);
    for (size_t i = 0; i < here.n; i++)
        assert_int_equal(here.node[i], group_add(g, origin.node[i], source));
    route_path_release(&here);
    route_path_release(&origin);
}

static void check_every_pair(struct net *net, const struct route *route)
{
    const igraph_t *graph;
    struct csr csr = { 0 };
    int *hops = calloc((size_t)net->n, sizeof *hops), *queue = calloc((size_t)net->n, sizeof *queue);
    struct routing r;

    assert_true(hops && queue);
    assert_int_equal(net_graph(net, &graph, &err), 0);
    assert_int_equal(csr_init(&csr, graph, false, &err), 0);
    assert_int_equal(routing_open(&r, net, route->name, &err), 0);
    for (int s = 0; s < net->n; s++) {
        csr_bfs(&csr, s, hops, queue);
        for (int t = 0; t < net->n; t++) {
            if (s == t || hops[t] < 0)
                continue;
            check_delivers(&r, s, -1, t, route->minimal ? hops[t] : 4 * net->n);
            if (r.invariant)
                check_invariant(&r, s, t);
        }
    }
    routing_close(&r);
    csr_release(&csr);
    free(hops);
    free(queue);
}

static void entry_delivers(void **state)
{
    const struct route *route = *state;
    static const char *const more[] = { "torus:4x4", "ring:2", "hypercube:1", "circulant:25,jumps=5+10+11",
                                        "midimew:13", "mesh:2x3,wrap=1" };
    struct rng rng;
    struct net *net;

    for (size_t i = 0; topo_all[i]; i++)
        if (topo_all[i]->example && net_open(&net, topo_all[i]->example, &err) == 0) {
            if (route->fits(net))
                check_every_pair(net, route);
            net_close(net);
        }
    for (size_t i = 0; i < COUNT(more); i++) {
        assert_int_equal(net_open(&net, more[i], &err), 0);
        if (route->fits(net))
            check_every_pair(net, route);
        net_close(net);
    }
    rng_seed(&rng, 20);
    for (int i = 0; i < 20; i++) {
        net = nets_random(&rng, 3 + i, i, i % 2);
        if (route->fits(net))
            check_every_pair(net, route);
        net_close(net);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    static const int parts[] = { 0, 1, 2, 3 };
    struct route_path path = { 0 };
    struct routing r;
    struct net *net;

    (void)state;
    assert_int_equal(net_open(&net, "star:5", &err), 0);
    assert_int_equal(routing_open(&r, net, "dor", &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.msg, "needs dimensions"));
    assert_int_equal(routing_open(&r, net, "minmal", &err), -1);
    assert_non_null(strstr(err.msg, "minimal"));
    net_close(net);

    net = nets_from_edges(4, parts, 2, false);
    assert_int_equal(routing_open(&r, net, "auto", &err), 0);
    assert_int_equal(route_path(&path, &r, 0, 1, &err), 0);
    assert_int_equal(route_path(&path, &r, 0, 3, &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    route_path_release(&path);
    routing_close(&r);
    net_close(net);
}

int main(void)
{
    struct CMUnitTest tests[64] = { { .name = "what does not fit is refused",
                                      .test_func = what_does_not_fit_is_refused } };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;
    int failed;

    net_setup();
    for (size_t i = 0; route_all[i] && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = route_all[i]->name, .test_func = entry_delivers,
                                          .initial_state = (void *)(uintptr_t)route_all[i] };
    for (size_t i = 0; i < COUNT(rows) && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = row_holds,
                                          .initial_state = (void *)(uintptr_t)&rows[i] };
    failed = _cmocka_run_group_tests("routings", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
