/* dmodk and spread on fat trees with failures: held to a twin that knows the whole tree and the failed one by searches in
 * both; what crossed nothing that failed goes as before; loads counted by hand; and what is cut off is told. */
#include <string.h>

#include "graph/distance/distances.h"
#include "graph/numeric/rng.h"
#include "model/routing/route.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

#define HOLDS(r, holds, ...)                                                                        \
    do                                                                                              \
        if (!(holds)) {                                                                             \
            print_error("%s on %s: ", (r)->spec, (r)->net->spec);                                   \
            fail_msg(__VA_ARGS__);                                                                  \
        }                                                                                           \
    while (0)

static struct err err;

struct side {                   /* a tree, whole or not */
    struct net *net;
    struct routing r;
    struct csr links;           /* of net */
    int *hops, *queue;          /* to the target at hand */
    struct route_path path;
};

static void side_open(struct side *s, const char *spec, const char *routing)
{
    const struct csr *links;

    *s = (struct side){ .net = measure_open(spec) };
    assert_int_equal(routing_open(&s->r, s->net, routing, &err), 0);
    assert_int_equal(csr_kept(&links, s->net, &err), 0);
    s->links = *links;
    s->hops = calloc((size_t)s->net->n, sizeof *s->hops);
    s->queue = calloc((size_t)s->net->n, sizeof *s->queue);
    assert_non_null(s->hops);
    assert_non_null(s->queue);
}

static void side_close(struct side *s)
{
    route_path_release(&s->path);
    routing_close(&s->r);
    free(s->hops);
    free(s->queue);
    net_close(s->net);
}

/* On a shortest path there is a link from u to v. */
static bool leads(const struct side *s, int u, int v)
{
    return csr_link(&s->links, u, v) < s->links.m && s->hops[v] >= 0 && s->hops[v] == s->hops[u] - 1;
}

/* Where the whole tree's next hop from u is failed, or no shortest path is left through it: round the ports that lead
 * there in the whole tree, from that one on; -1 where none is left. */
static int twin_next(struct side *whole, const struct side *failed, int u, int target)
{
    int port[64] = { 0 }, n = 0, at = 0, next;

    assert_int_equal(route_path(&whole->path, &whole->r, u, target, &err), 0);
    next = whole->path.node[1];
    for (size_t e = whole->links.first[u]; e < whole->links.first[u + 1]; e++)
        if (leads(whole, u, whole->links.to[e]))
            port[n++] = whole->links.to[e];
    while (at < n && port[at] != next)
        at++;
    assert_true(at < n);
    for (int k = 0; k < n; k++)
        if (leads(failed, u, port[(at + k) % n]))
            return port[(at + k) % n];
    return -1;
}

static bool crosses(const struct side *whole, const struct side *failed)
{
    for (size_t i = 1; i < whole->path.n; i++)
        if (csr_link(&failed->links, whole->path.node[i - 1], whole->path.node[i]) == failed->links.m)
            return true;
    return false;
}

/* All pairs: counts what was sent another way, and what had to go further. */
static void compare(struct side *whole, struct side *failed, int *moved, int *longer)
{
    *moved = *longer = 0;
    for (int i = 0; i < failed->net->nterminal; i++) {
        const int target = net_terminal(failed->net, i);

        csr_bfs(&whole->links, target, whole->hops, whole->queue);
        csr_bfs(&failed->links, target, failed->hops, failed->queue);
        for (int j = 0; j < failed->net->nterminal; j++) {
            const int source = net_terminal(failed->net, j);
            const struct route_path *p = &failed->path;
            bool whole_way;

            if (source == target)
                continue;
            assert_int_equal(route_path(&failed->path, &failed->r, source, target, &err), 0);
            HOLDS(&failed->r, (int)p->n == failed->hops[source] + 1, "%d to %d takes %zu hops, not %d", source, target,
                  p->n - 1, failed->hops[source]);
            *longer += failed->hops[source] > whole->hops[source];
            for (size_t k = 1; k < p->n; k++) {
                const int next = twin_next(whole, failed, p->node[k - 1], target);

                HOLDS(&failed->r, leads(failed, p->node[k - 1], p->node[k]), "%d to %d: no link from %d to %d", source,
                      target, p->node[k - 1], p->node[k]);
                HOLDS(&failed->r, next < 0 || next == p->node[k], "%d to %d: at %d the next port is %d, not %d", source,
                      target, p->node[k - 1], next, p->node[k]);
            }
            assert_int_equal(route_path(&whole->path, &whole->r, source, target, &err), 0);
            whole_way = !crosses(whole, failed);
            *moved += !whole_way;
            HOLDS(&failed->r, !whole_way || (whole->path.n == p->n && memcmp(whole->path.node, p->node,
                                                                            p->n * sizeof *p->node) == 0),
                  "%d to %d went over nothing that failed, and goes another way", source, target);
        }
    }
}

/* Whether links wait for each other in a circle, by the turns of all routes: those that nobody waits for are taken away
 * until none is left. */
static bool circular(struct side *s)
{
    const size_t m = s->links.m;
    bool *turn = calloc(m * m, sizeof *turn), *gone = calloc(m, sizeof *gone), found = true;
    size_t left = m;

    assert_non_null(turn);
    assert_non_null(gone);
    for (int i = 0; i < s->net->nterminal; i++)
        for (int j = 0; j < s->net->nterminal; j++) {
            const int *node;

            if (i == j)
                continue;
            assert_int_equal(route_path(&s->path, &s->r, net_terminal(s->net, i), net_terminal(s->net, j), &err), 0);
            node = s->path.node;
            for (size_t k = 2; k < s->path.n; k++)
                turn[csr_link(&s->links, node[k - 2], node[k - 1]) * m + csr_link(&s->links, node[k - 1], node[k])] =
                    true;
        }
    while (found) {
        found = false;
        for (size_t a = 0; a < m; a++) {
            bool waits = false;

            for (size_t b = 0; b < m && !gone[a] && !waits; b++)
                waits = !gone[b] && turn[a * m + b];
            if (gone[a] || waits)
                continue;
            gone[a] = found = true;
            left--;
        }
    }
    free(turn);
    free(gone);
    return left > 0;
}

static const struct {
    const char *whole, *fail;
} failures[] = {
    { "fattree:4", "16-24" }, { "fattree:4", "24-32" }, { "fattree:4", "switch:24" }, { "fattree:4", "switch:35" },
    { "fattree:4", "16-24+17-25" }, { "fattree:4", "switch:3" }, { "fattree:4", "switch:0+switch:1+switch:16" },
    { "fattree:6", "random:5:1" }, { "fattree:6", "switch:72+random:8:2" }, { "fattree:8", "random:1:1" },
    { "fattree:8", "switch:192+random:3:7" }
};

static void kept_where_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(failures); i++) {
        const char *const routing = i % 2 ? "spread" : "dmodk";
        struct side whole, failed;
        int moved, longer;
        char spec[120];

        snprintf(spec, sizeof spec, "%s,fail=%s", failures[i / 2].whole, failures[i / 2].fail);
        side_open(&whole, failures[i / 2].whole, routing);
        side_open(&failed, spec, routing);
        compare(&whole, &failed, &moved, &longer);
        if (strstr(spec, "24-32") || strstr(spec, "random"))
            assert_true(moved > 0);
        if (strstr(spec, "16-24+17-25"))        /* the edge switches of a pod of two share no aggregation switch: hosts
                                                 * of the one reach those of the other over another pod */
            assert_int_equal(longer, 8);
        if (longer == 0 && whole.net->n < 100)  /* up and then down: no circle. Those eight turn up again */
            assert_false(circular(&failed));
        if (longer == 8)
            assert_true(circular(&failed));
        side_close(&whole);
        side_close(&failed);
    }
}

static void at_random(void **state)
{
    struct rng rng;
    int parted = 0, compared = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 60; trial++) {
        const int k = 4 + 2 * (int)rng_below(&rng, 2);
        struct side whole, failed;
        struct net *net;
        int moved, longer;
        char spec[80], tree[20];

        snprintf(tree, sizeof tree, "fattree:%d", k);
        snprintf(spec, sizeof spec, "%s,fail=random:%d:%d", tree, 1 + (int)rng_below(&rng, (uint64_t)(2 * k)), trial);
        if (net_open(&net, spec, &err) < 0) {
            parted++;
            assert_int_equal(err.code, ERR_NETWORK);
            assert_non_null(strstr(err.msg, "cut off"));
            continue;
        }
        net_close(net);
        side_open(&whole, tree, trial % 2 ? "spread" : "dmodk");
        side_open(&failed, spec, trial % 2 ? "spread" : "dmodk");
        compare(&whole, &failed, &moved, &longer);
        compared++;
        side_close(&whole);
        side_close(&failed);
    }
    assert_true(compared > 20);
    (void)parted;
}

/* By hand, on fattree:4 without the cable from edge switch 16 (hosts 0 and 1) to aggregation switch 24, one message for
 * each pair of hosts. In the whole tree 16 sends the 7 even ones of its 14 other targets over 24 and the 7 odd ones over
 * 25, each twice; all sources send to host 0 over the first aggregation and core switch of each pod, to host 1 over the
 * second. Now both go over 25: up 28 messages, down the 14 to host 0 beside those to host 1, of which the 12 from other
 * pods come over core switch 34, as those to host 1 do: floor(0/2) = floor(1/2). */
static void loads_by_hand(void **state)
{
    static const struct {
        int from, to, whole, failed;
    } link[] = {
        { 16, 24, 14, 0 }, { 16, 25, 14, 28 }, { 24, 16, 14, 0 }, { 25, 16, 14, 28 },
        { 17, 24, 14, 12 }, { 17, 25, 14, 16 },                         /* two to host 0, by both hosts of 17 less */
        { 32, 24, 12, 0 }, { 34, 25, 12, 24 }, { 33, 24, 12, 12 }, { 35, 25, 12, 12 },
        { 24, 32, 12, 6 }, { 24, 33, 12, 6 }, { 25, 34, 12, 18 }, { 25, 35, 12, 18 },
        { 18, 26, 14, 12 }, { 18, 27, 14, 16 }, { 26, 32, 12, 8 }, { 27, 34, 12, 16 }, { 27, 35, 12, 12 }
    };

    (void)state;
    for (int which = 0; which < 2; which++) {
        int load[36][36] = { { 0 } };
        struct side s;

        side_open(&s, which ? "fattree:4,fail=16-24" : "fattree:4", "dmodk");
        for (int a = 0; a < 16; a++)
            for (int b = 0; b < 16; b++) {
                if (a == b)
                    continue;
                assert_int_equal(route_path(&s.path, &s.r, a, b, &err), 0);
                for (size_t i = 1; i < s.path.n; i++)
                    load[s.path.node[i - 1]][s.path.node[i]]++;
            }
        EACH_ROW(i, link)
            HOLDS(&s.r, load[link[i].from][link[i].to] == (which ? link[i].failed : link[i].whole), "%d to %d: %d",
                  link[i].from, link[i].to, load[link[i].from][link[i].to]);
        side_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_where_whole), cmocka_unit_test(at_random), cmocka_unit_test(loads_by_hand)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
