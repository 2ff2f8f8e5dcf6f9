/* Hops towards a target, against a search from the target link by link: of drawn networks with leaves, failures and
 * links one way, of one too long for a byte, and from several threads; and what every routing makes of distances that
 * are kept, against those that are searched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/distance/towards.h"
#include "graph/numeric/rng.h"
#include "model/routing/route.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

static struct err err;
static uint64_t seed;

/* Closes the network. */
static void agree(struct net *net)
{
    struct towards t;
    struct csr against;
    const igraph_t *graph;
    int *hops = malloc((size_t)net->n * sizeof *hops), *queue = malloc((size_t)net->n * sizeof *queue);

    assert_true(hops && queue);
    assert_int_equal(net_graph(net, &graph, &err), 0);
    assert_int_equal(csr_init(&against, graph, true, &err), 0);
    assert_int_equal(towards_open(&t, net, "a test", &err), 0);
    for (int target = 0; target < net->n; target++) {
        csr_bfs(&against, target, hops, queue);
        assert_int_equal(towards_begin(&t, target, &err), 0);
        for (int v = net->n - 1; v >= 0; v--) {
            if (towards_hops(&t, v) != hops[v])
                fail_msg("%s: from %d to %d %d hops, searched %d", net->spec, v, target, towards_hops(&t, v), hops[v]);
            for (size_t i = t.ahead->first[v], next = i; hops[v] > 0 && i < t.ahead->first[v + 1]; i++) {
                const bool nearer = hops[t.ahead->to[i]] == hops[v] - 1;

                if (next <= i)
                    next = towards_nearer(&t, v, hops[v], i);
                if ((next == i) != nearer)
                    fail_msg("%s: whether %d is nearer to %d than %d", net->spec, t.ahead->to[i], target, v);
                next += next == i;
            }
        }
    }
    free(hops);
    free(queue);
    towards_close(&t);
    csr_release(&against);
    net_close(net);
}

static void of_families(void **state)
{
    static const char *const named[] = { "ring:2", "mesh:2", "mesh:300", "mesh:3x600", "star:6", "fattree:4",
                                         "fattree:4,fail=random:5:3", "dragonfly,a=4,p=2,h=2", "torus:5x4",
                                         "ring:9,directed=yes", "ring:400,directed=yes", "random:600,degree=3,seed=2" };
    struct net *net;

    (void)state;
    EACH_ROW(i, named) {
        if (net_open(&net, named[i], &err) < 0)
            fail_msg("%s: %s", named[i], err.msg);
        agree(net);
    }
}

/* Leaves, parts and isolated nodes come by themselves. */
static void drawn(void **state)
{
    struct rng rng;
    int end[2 * 60];

    (void)state;
    rng_seed(&rng, seed);
    for (int k = 0; k < 500; k++) {
        const int n = 2 + (int)(check_uniform(&rng) * 30), m = (int)(check_uniform(&rng) * 2 * n);
        int nedge = 0;

        for (int i = 0; i < m && nedge < 60; i++) {
            end[2 * nedge] = (int)(check_uniform(&rng) * n);
            end[2 * nedge + 1] = (int)(check_uniform(&rng) * n);
            nedge += end[2 * nedge] != end[2 * nedge + 1];
        }
        agree(nets_from_edges(n, end, nedge, k % 2));
        agree(nets_random(&rng, 3 + n, m / 2, k % 3 == 0));
    }
}

/* What a routing says of all pairs: its next hops, from wherever a message comes in, or its ways. */
static char *said(struct routing *r)
{
    struct net *net = r->net;
    struct hop *hop = calloc(r->most, sizeof *hop);
    struct ways ways = { 0 };
    char *text = NULL;
    size_t size, n;
    FILE *f = open_memstream(&text, &size);

    assert_true(f && hop);
    for (int i = 0; i < net->nterminal * net->nterminal; i++) {
        const int from = net_terminal(net, i / net->nterminal), to = net_terminal(net, i % net->nterminal);

        for (int in = -1; r->route->next && from != to && in < (r->route->looks_back ? net->n : 0); in++) {
            if (in >= 0 && !nets_linked(net, in, from))
                continue;
            n = 0;
            fprintf(f, "\n%d %d %d:", in, from, to);
            if (r->route->next(hop, &n, r, from, in, to, &err) < 0)
                fprintf(f, " %s", err.msg);
            for (size_t k = 0; k < n; k++)
                fprintf(f, " %d/%g", hop[k].node, hop[k].share);
        }
        ways_clear(&ways);
        if (r->route->ways && from != to && r->route->ways(&ways, r, NULL, from, to, &err) < 0)
            fprintf(f, " %s", err.msg);
        for (size_t k = 0; k < ways.nstop; k++)
            fprintf(f, " %d", ways.stop[k]);
    }
    fclose(f);
    free(hop);
    ways_release(&ways);
    return text;
}

static void searched(void **state)
{
    static const char *const of[] = { "random:%d,degree=3,seed=%d,fail=random:%d:%d",
                                      "random:%d,degree=4,seed=%d,fail=random:%d:%d" };
    struct rng rng;
    int compared = 0, networks = 0;

    (void)state;
    rng_seed(&rng, seed);
    for (int k = 0; networks < 500; k++) {
        const int n = 8 + 2 * (int)(check_uniform(&rng) * 8), draw = (int)(check_uniform(&rng) * 1e6);
        char spec[100];

        struct net *whole;

        snprintf(spec, sizeof spec, of[k % 2], n, draw, 1 + k % 5, draw);
        if (net_open(&whole, spec, &err) < 0)          /* it fell apart */
            continue;
        net_close(whole);
        networks++;
        for (size_t i = 0; route_all[i]; i++) {
            struct routing r = { 0 };
            char *text[2] = { NULL, NULL };

            for (int way = 0; way < 2; way++) {
                struct towards t = { 0 };
                struct net *net;

                assert_int_equal(net_open(&net, spec, &err), 0);
                assert_int_equal(towards_open(&t, net, "a test", &err), 0);
                net->hops->far = way == 1;
                if (!route_all[i]->takes_path && routing_open(&r, net, route_all[i]->name, &err) == 0) {
                    text[way] = said(&r);
                    routing_close(&r);
                }
                towards_close(&t);
                net_close(net);
            }
            if (!text[0] != !text[1] || (text[0] && strcmp(text[0], text[1]) != 0))
                fail_msg("%s, %s: kept and searched\n%s\n%s", spec, route_all[i]->name, text[0], text[1]);
            compared += text[0] != NULL;
            free(text[0]);
            free(text[1]);
        }
    }
    assert_true(compared > 2000);
}

static void together(void **state)
{
    struct net *net;
    struct towards t[4];
    int wrong = 0;

    (void)state;
    assert_int_equal(net_open(&net, "random:1500,degree=4,seed=3", &err), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(towards_open(&t[i], net, "a test", &err), 0);
#pragma omp parallel for num_threads(4) schedule(static, 1) reduction(+ : wrong)
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 1500; k++) {
            const int target = (k * 577 + i * 311) % 1500;
            struct err own = { 0 };

            wrong += towards_begin(&t[i], target, &own) < 0 || towards_hops(&t[i], target) != 0 ||
                towards_hops(&t[i], t[i].ahead->to[t[i].ahead->first[target]]) != 1;
        }
    assert_int_equal(wrong, 0);
    for (int i = 0; i < 4; i++)
        towards_close(&t[i]);
    net_close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(of_families), cmocka_unit_test(drawn),
                                        cmocka_unit_test(searched), cmocka_unit_test(together) };
    int ret;

    seed = check_seed();
    net_setup();
    ret = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return ret;
}
