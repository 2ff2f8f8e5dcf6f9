/* Symmetries of networks with twins, leaves, switches and marks: against every permutation of up to six nodes, and
 * where orbits are known. SEED=n repeats the random part. */
#include <igraph.h>
#include <string.h>

#include "graph/numeric/union_find.h"
#include "graph/symmetry.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

enum { MOST = 6, MOST_MARKS = 4 };

static struct err err;
static uint64_t seed;

struct picture {                /* what a symmetry must keep */
    int n, link[MOST][MOST], mark[MOST][MOST][2];
    bool terminal[MOST];
};

static bool keeps(const struct picture *p, const int *to)
{
    for (int a = 0; a < p->n; a++) {
        if (p->terminal[a] != p->terminal[to[a]])
            return false;
        for (int b = 0; b < p->n; b++)
            if (p->link[a][b] != p->link[to[a]][to[b]] ||
                memcmp(p->mark[a][b], p->mark[to[a]][to[b]], sizeof p->mark[a][b]) != 0)
                return false;
    }
    return true;
}

/* Orbits of ordered pairs, which tell generators of too little from those of all. */
static void join_pairs(int *pair, int n, const int *to)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            union_find_join(pair, a * n + b, to[a] * n + to[b]);
}

static void all_permutations(int *pair, const struct picture *p, int *to, int at)
{
    if (at == p->n && keeps(p, to))
        join_pairs(pair, p->n, to);
    for (int k = at; k < p->n; k++) {
        const int a = to[at], b = to[k];

        to[at] = b;
        to[k] = a;
        all_permutations(pair, p, to, at + 1);
        to[at] = a;
        to[k] = b;
    }
}

/* Nodes hang at few others, so that there are twins and leaves of several depths; now and then a link across. */
static struct net *draw(struct picture *p, struct marks *m, struct rng *rng, bool directed)
{
    const int n = p->n = 2 + (int)rng_below(rng, MOST - 1), hubs = 1 + (int)rng_below(rng, 3),
              more = (int)rng_below(rng, 4);
    int end[2 * (MOST + 4)], nedge = 0;
    struct net *net;

    for (int v = 1; v < n + more; v++) {
        const int a = v < n ? v : (int)rng_below(rng, (uint64_t)n),
                  b = v < n ? (int)rng_below(rng, (uint64_t)(v < hubs ? v : hubs)) : (int)rng_below(rng, (uint64_t)n);
        const bool turned = directed && rng_below(rng, 2);

        if (a == b || p->link[a][b] || p->link[b][a])
            continue;
        end[2 * nedge] = turned ? b : a;
        end[2 * nedge + 1] = turned ? a : b;
        p->link[end[2 * nedge]][end[2 * nedge + 1]] = 1;
        if (!directed)
            p->link[b][a] = 1;
        nedge++;
    }
    net = nets_from_edges(n, end, nedge, directed);
    if (n > 2 && rng_below(rng, 2))
        nets_switch(rng, net);
    for (int k = 0; k < net->nterminal; k++)
        p->terminal[net_terminal(net, k)] = true;
    m->n = rng_below(rng, MOST_MARKS + 1);
    for (size_t i = 0; i < m->n; i++) {
        m->from[i] = (int)rng_below(rng, (uint64_t)n);
        m->to[i] = (m->from[i] + 1 + (int)rng_below(rng, (uint64_t)(n - 1))) % n;
        m->colour[i] = (int)rng_below(rng, 2);
        p->mark[m->from[i]][m->to[i]][m->colour[i]]++;
    }
    return net;
}

static void every_permutation(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 600; i++) {
        int from[MOST_MARKS], to[MOST_MARKS], colour[MOST_MARKS], order[MOST] = { 0, 1, 2, 3, 4, 5 },
            pair[2][MOST * MOST];
        struct marks m = { 0, from, to, colour };
        struct picture p = { 0 };
        struct net *net = draw(&p, &m, &rng, i % 3 == 2);
        struct symmetries s;

        assert_int_equal(symmetries_find(&s, net, m.n || i % 2 ? &m : NULL, NULL, &err), 0);
        assert_true(s.finished);
        for (int k = 0; k < 2; k++)
            union_find_alone(pair[k], (size_t)(p.n * p.n));
        all_permutations(pair[0], &p, order, 0);
        for (size_t k = 0; k < s.count; k++) {
            if (!keeps(&p, s.map + k * (size_t)p.n))
                fail_msg("case %d: symmetry %zu is none", i, k);
            join_pairs(pair[1], p.n, s.map + k * (size_t)p.n);
        }
        for (int k = 0; k < p.n * p.n; k++)
            if (union_find_root(pair[0], k) != union_find_root(pair[1], k))
                fail_msg("case %d: pair %d-%d of %d nodes is in another orbit than by all permutations", i, k / p.n,
                         k % p.n, p.n);
        symmetries_release(&s);
        net_close(net);
    }
}

/* Few generators, each of all nodes: a fold keeps them several times. */
static void check_orbits(struct net *net, int orbits)
{
    int *orbit = calloc((size_t)net->n, sizeof *orbit);
    struct symmetries s;

    assert_non_null(orbit);
    assert_int_equal(symmetries_find(&s, net, NULL, NULL, &err), 0);
    assert_true(s.finished && s.count < 100);
    union_find_alone(orbit, (size_t)net->n);
    for (size_t k = 0; k < s.count; k++)
        for (int v = 0; v < net->n; v++)
            union_find_join(orbit, v, s.map[k * (size_t)net->n + (size_t)v]);
    if ((int)union_find_number(orbit, (size_t)net->n) != orbits)
        fail_msg("%s has not %d orbits", net->spec, orbits);
    free(orbit);
    symmetries_release(&s);
    net_close(net);
}

/* Hosts, two levels of switches and cores; the hub and its leaves; both ends of a line; the levels of a binary tree,
 * all alike but for one leaf that is gone: its sister, and what the way to the root parts at each level. */
static void known_orbits(void **state)
{
    static const struct {
        const char *net;
        int orbits;
    } rows[] = {
        { "fattree:32", 4 }, { "fattree:6", 4 }, { "star:900", 2 }, { "mesh:801", 401 }, { "complete:40", 1 },
    };
    int end[2 * 1022];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net *net = NULL;

        if (net_open(&net, rows[i].net, &err) < 0)
            fail_msg("%s: %s", rows[i].net, err.msg);
        check_orbits(net, rows[i].orbits);
    }
    for (int v = 1; v < 1023; v++) {
        end[2 * v - 2] = v;
        end[2 * v - 1] = (v - 1) / 2;
    }
    check_orbits(nets_from_edges(1023, end, 1022, false), 10);
    /* on the way from the root to the leaf's sister, a node at each of 10 levels; off it, at level k, what hangs at
     * each of k nodes above: 0 + 1 + ... + 9, less the leaf */
    check_orbits(nets_from_edges(1022, end, 1021, false), 10 + 45 - 1);
}

/* Frucht's graph, of 12 nodes with 3 neighbours each, has but the identity (Frucht 1949). Of networks drawn at random,
 * of the same degree throughout or not, igraph counts the symmetries. */
static void identity_alone(void **state)
{
    static const int jump[12] = { 7, 10, 8, 2, 5, 10, 2, 5, 10, 7, 4, 2 };
    int end[2 * 24], nedge = 0, alone = 0;
    struct rng rng;

    (void)state;
    for (int v = 0; v < 12; v++) {
        const int to[2] = { (v + 1) % 12, (v + jump[v]) % 12 };

        for (int k = 0; k < 2; k++)
            if (k == 0 || v < to[k]) {
                end[2 * nedge] = v;
                end[2 * nedge++ + 1] = to[k];
            }
    }
    assert_int_equal(nedge, 18);
    check_orbits(nets_from_edges(12, end, nedge, false), 12);
    rng_seed(&rng, seed);
    for (int i = 0; i < 300; i++) {
        struct net *net = NULL;
        igraph_bliss_info_t info;
        bool identity;
        const igraph_t *graph;
        struct symmetries s;
        char spec[80];

        snprintf(spec, sizeof spec, "random:%d,degree=%d,seed=%d", 8 + 2 * (int)rng_below(&rng, 40),
                 3 + (int)rng_below(&rng, 3), (int)rng_below(&rng, 1000000));
        if (i % 3 == 0)
            net = nets_random(&rng, 5 + (int)rng_below(&rng, 20), (int)rng_below(&rng, 40), false);
        else if (net_open(&net, spec, &err) < 0)
            fail_msg("%s: %s", spec, err.msg);
        assert_int_equal(symmetries_find(&s, net, NULL, NULL, &err), 0);
        assert_int_equal(net_graph(net, &graph, &err), 0);
        assert_int_equal(igraph_automorphisms(graph, NULL, IGRAPH_BLISS_FL, &info), 0);
        identity = strcmp(info.group_size, "1") == 0;
        assert_true(s.finished);
        if ((s.count == 0) != identity)
            fail_msg("%s: %zu generators of %s symmetries", net->spec, s.count, info.group_size);
        alone += identity;
        igraph_free(info.group_size);
        symmetries_release(&s);
        net_close(net);
    }
    assert_in_range(alone, 50, 299);            /* of either kind enough */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_permutation), cmocka_unit_test(known_orbits),
                                        cmocka_unit_test(identity_alone) };
    int failed;

    net_setup();
    seed = check_seed();
    failed = cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
    net_teardown();
    return failed;
}
