/* Broadcasts in cycles against known answers. */
#include "analysis/broadcast/broadcast.h"
#include "analysis/broadcast/cycles.h"
#include "tests/support/check.h"

static double completion(const char *spec, const struct tree *tree, const char *switching, int ports, bool blocking,
                         double flits)
{
    const struct switching *s = switching_find(switching, NULL);
    struct cycles_how how = { s, flits, 0, ports, blocking };
    const struct cycles_start start = { 0, 0 };
    struct cycles_links links;
    struct cycles_ways ways;
    struct cycles_run run;
    struct placement where;
    struct tree_shape shape;
    struct routing routing;
    struct net *net;
    struct err err = { 0 };
    const int root = 0;
    double got;

    if (net_open(&net, spec, &err) < 0 || cycles_links_open(&links, net, &err) < 0 ||
        placement_init(&where, net, NULL, 0, 1, &err) < 0 || tree_shape_init(&shape, tree, where.n, &err) < 0 ||
        routing_open(&routing, net, routing_usual(NULL, net, ROUTING_FOR_TREES), &err) < 0 ||
        cycles_ways_open(&ways, &links, &shape, &where, &root, 1, &routing, NULL, &err) < 0 ||
        cycles_run_open(&run, &ways, &how, &start, 1, &err) < 0 || cycles_run(&run, NULL, NULL, &err) < 0)
        fail_msg("%s: %s", spec, err.msg);
    assert_int_equal(run.stuck, 0);
    got = run.completion[0] / flits;
    cycles_run_release(&run);
    cycles_ways_release(&ways);
    cycles_links_release(&links);
    routing_close(&routing);
    tree_shape_release(&shape);
    placement_release(&where);
    net_close(net);
    return got;
}

/* In times of a message: sequential, binary, binomial, chain. */
static const struct known {
    const char *spec, *switching;
    int ports;
    double in_times[4];
} known[] = {
    { "star:16", "wormhole", 1, { 15, 6, 4, 15 } },
    { "mesh:4x4", "wormhole", 1, { 15, 7, 4, 15 } },
    { "hypercube:4", "wormhole", 1, { 15, 6, 4, 15 } },
    { "mesh:8x8", "wormhole", 1, { 63, 18, 6, 63 } },
    { "mesh:8x8", "cut-through", 1, { 63, 15, 6, 63 } },
    { "torus:8x8", "cut-through", 1, { 63, 16, 6, 63 } },
    { "star:16", "store-and-forward", 1, { 15, 10, 7, 29 } },
    { "mesh:4x4", "store-and-forward", 1, { 48, 12, 6, 24 } },
    { "torus:4x4", "store-and-forward", 1, { 32, 12, 6, 18 } },
    { "hypercube:4", "store-and-forward", 1, { 32, 10, 4, 26 } },
    { "star:16", "wormhole", 0, { 1, 5, 4, 15 } },
    { "mesh:4x4", "wormhole", 0, { 12, 6, 4, 15 } },
    { "hypercube:4", "wormhole", 0, { 8, 4, 4, 15 } },
};

static void known_answers(void **state)
{
    static const char *const tree[] = { "sequential", "binary", "binomial", "chain" };
    const struct known *k = *state;

    for (int t = 0; t < 4; t++) {
        const double c = completion(k->spec, tree_find(tree[t], NULL), k->switching, k->ports, k->ports == 1, 25);

        if (c != k->in_times[t])
            fail_msg("%s, %s, %s, %d ports: %g, known %g", k->spec, tree[t], k->switching, k->ports, c, k->in_times[t]);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(known)];

    net_setup();
    for (size_t i = 0; i < COUNT(known); i++)
        tests[i] = (struct CMUnitTest){ known[i].spec, known_answers, NULL, NULL, (void *)(uintptr_t)&known[i] };
    return _cmocka_run_group_tests("cycles", tests, COUNT(tests), NULL, NULL);
}
