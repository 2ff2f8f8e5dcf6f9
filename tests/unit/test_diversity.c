/* Numbers of shortest and of link-disjoint paths: closed forms, igraph's maximum flows, a greedy search that may find
 * fewer, and all sets of disjoint paths of small networks. SEED=n repeats. */
#include <igraph.h>
#include <string.h>

#include "analysis/network/diversity.h"
#include "graph/distance/distances.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

static struct err err;

static struct diversity of_net(struct net *net, const struct diversity_options *o)
{
    struct diversity d;

    if (diversity(&d, net, o, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    return d;
}

/* By the number of pairs of each kind, seen from one switch with hosts, and their shortest paths; and the disjoint ones
 * among these. NAN: not said. */
static const struct row {
    const char *spec;
    int kinds;
    double pairs[4], paths[4], disjoint[4];
} rows[] = {
    /* h! at Hamming distance h: C(3, h) 3^h nodes */
    { "hyperx:4x4x4", 3, { 9, 27, 27 }, { 1, 2, 6 }, { 1, 2, 3 } },
    { "hyperx:3x5,hosts=2", 2, { 6, 8 }, { 1, 2 }, { 1, 2 } },
    { "hypercube:6", 4, { 6, 15, 20, 15 + 6 + 1 }, { 1, 2, 6, (15 * 24 + 6 * 120 + 720) / 22.0 },
      { 1, 2, 3, (15 * 4 + 6 * 5 + 6) / 22.0 } },
    /* K/2 in a pod, (K/2)^2 to another */
    { "fattree:4", 2, { 1, 6 }, { 2, 4 }, { 2, 2 } }, { "fattree:16", 2, { 7, 120 }, { 8, 64 }, { 8, 8 } },
    /* the product of the w up to the level of the nearest common ancestor */
    { "xgft:2+3+2,up=1+2+3", 2, { 2, 3 }, { 2, 6 }, { 2, 2 } },
    { "xgft:3+4+2,up=1+2+2", 2, { 3, 4 }, { 2, 4 }, { 2, 2 } },
    /* ... and of the cables, up and down: 2 parents over 2 cables, both ways */
    { "xgft:4+4,up=1+2,cables=1+2", 1, { 3 }, { 2 * 2 * 2 }, { 4 } },
    /* s between leaves of a group, 1 to other groups of a full megafly */
    { "megafly,l=2,s=2,h=2,hosts=2", 2, { 1, 8 }, { 2, 1 }, { 2, 1 } },
    { "megafly,l=4,s=4,h=2,hosts=3", 2, { 3, 32 }, { 4, 1 }, { 4, 1 } },
    /* girth 5: one */
    { "slimfly:5,hosts=3", 1, { 49 }, { 1 }, { 1 } }, { "polarfly:7", 1, { 56 }, { 1 }, { 1 } },
};

static void row_holds(void **state)
{
    (void)state;
    EACH_ROW(i, rows) {
        const struct row *r = &rows[i];
        struct net *net = measure_open(r->spec);
        double pairs = 0, paths = 0, disjoint = 0, least = INFINITY, one = 0;
        struct diversity d[2];

        for (int k = 0; k < r->kinds; k++) {
            pairs += r->pairs[k];
            paths += r->pairs[k] * r->paths[k];
            disjoint += r->pairs[k] * r->disjoint[k];
            least = fmin(least, r->paths[k]);
            one += r->paths[k] == 1 ? r->pairs[k] : 0;
        }
        for (int all = 0; all < 2; all++) {
            d[all] = of_net(net, &(struct diversity_options){ .no_symmetry = all == 1, .jobs = 2 });
            check_near(d[all].of[DIVERSITY_PATHS][DIVERSITY_MEAN], paths / pairs, 1e-12 * paths);
            check_near(d[all].of[DIVERSITY_PATHS][DIVERSITY_ONE], one / pairs, 1e-12);
            check_near(d[all].of[DIVERSITY_SHORTEST][DIVERSITY_MEAN], disjoint / pairs, 1e-12 * disjoint);
            check_near(d[all].least[DIVERSITY_PATHS], least, 0);
        }
        for (int w = 0; w < DIVERSITY_WHATS; w++)               /* one source of each orbit, and all */
            for (int x = 0; x < DIVERSITY_NUMBERS; x++)
                check_near(d[0].of[w][x], d[1].of[w][x], 1e-12 * fabs(d[1].of[w][x]));
        net_close(net);
    }
}

/* Slim Fly and PolarFly: between two switches that are joined there is no way of two hops in Hoffman and Singleton's
 * graph, and none of three, as its girth is 5; all others have the direct way by the one neighbour in common, and one
 * over each other neighbour of three. */
static void hoffman_and_singletons_ways(void **state)
{
    struct net *net = measure_open("slimfly:5");
    const struct diversity d = of_net(net, &(struct diversity_options){ .jobs = 1 });

    (void)state;
    check_near(d.of[DIVERSITY_ONE_MORE][DIVERSITY_MEAN], (7 * 1 + 42 * 7) / 49.0, 1e-12);
    check_near(d.of[DIVERSITY_ONE_MORE][DIVERSITY_ONE], 7 / 49.0, 1e-12);
    check_near(d.of[DIVERSITY_ANY][DIVERSITY_MEAN], 7, 0);
    net_close(net);
}

/* ---- drawn networks ---- */

#define MOST 6                  /* nodes */

struct small {                  /* links of a small directed network, `cables` each */
    int n, link[MOST][MOST];
};

/* The most disjoint paths of at most `left` hops each from s to t, of all sets; `at` is where the present one is. */
static int best_of(struct small *g, int s, int t, int at, int left, int whole, unsigned seen)
{
    int best = 0;

    for (int v = 0; left > 0 && v < g->n; v++) {
        int found;

        if (!g->link[at][v] || (seen >> v & 1))
            continue;
        g->link[at][v]--;
        found = v == t ? 1 + best_of(g, s, t, s, whole, whole, 1U << s) :
            best_of(g, s, t, v, left - 1, whole, seen | 1U << v);
        g->link[at][v]++;
        best = found > best ? found : best;
    }
    return best;
}

/* Shortest paths one after the other, while there are some of at most `most` hops. */
static int greedy(struct small *g, int s, int t, int most)
{
    int hops[MOST], from[MOST], queue[MOST], head = 0, tail = 0;

    for (int v = 0; v < g->n; v++)
        hops[v] = -1;
    hops[queue[tail++] = s] = 0;
    while (head < tail) {
        const int u = queue[head++];

        for (int v = 0; v < g->n; v++)
            if (g->link[u][v] && hops[v] < 0) {
                hops[v] = hops[u] + 1;
                from[v] = u;
                queue[tail++] = v;
            }
    }
    if (hops[t] < 0 || hops[t] > most)
        return 0;
    for (int v = t; v != s; v = from[v])
        g->link[from[v]][v]--;
    return 1 + greedy(g, s, t, most);
}

static int far(const struct small *g, int s, int t)
{
    struct small copy = *g;
    int hops = 1;

    while (hops < g->n && greedy(&copy, s, t, hops) == 0)
        hops++;
    return hops < g->n ? hops : -1;
}

static int64_t walks(const struct small *g, int at, int t, int hops)
{
    int64_t sum = 0;

    if (hops == 0)
        return at == t;
    for (int v = 0; v < g->n; v++)
        sum += g->link[at][v] * walks(g, v, t, hops - 1);
    return sum;
}

/* A file of a drawn network, a line for a cable. */
static void draw(const char *path, bool directed, struct rng *rng)
{
    const int n = 3 + (int)(check_uniform(rng) * (MOST - 2));
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    for (int a = 0; a < n; a++)
        for (int b = directed ? 0 : a + 1; b < n; b++)
            for (int k = check_uniform(rng) < (directed ? 0.4 : 0.5) && a != b ? 1 + (check_uniform(rng) < 0.2) : 0;
                 k > 0; k--)
                fprintf(f, "%d %d\n", a, b);
    fclose(f);
}

static struct small links_of(struct net *net)
{
    const igraph_t *graph = measure_graph(net);
    struct small g = { .n = net->n };

    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        g.link[IGRAPH_FROM(graph, e)][IGRAPH_TO(graph, e)]++;
        g.link[IGRAPH_TO(graph, e)][IGRAPH_FROM(graph, e)] += !net->directed;
    }
    return g;
}

static void drawn_networks_agree(void **state)
{
    struct rng rng;
    int exact = 0, tried = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int round = 0; round < 200; round++) {
        const bool directed = round % 3 == 0;
        char spec[80];
        struct small g;
        struct net *net;
        double mean[DIVERSITY_WHATS] = { 0 }, least[DIVERSITY_WHATS] = { 0 }, pairs = 0;
        struct diversity d;
        const igraph_t *graph;

        draw("diversity.edges", directed, &rng);
        snprintf(spec, sizeof spec, "diversity.edges%s", directed ? ",directed=yes" : "");
        if (net_open(&net, spec, &err) < 0)             /* not connected */
            continue;
        d = of_net(net, &(struct diversity_options){ .no_symmetry = round % 2 == 0, .jobs = 1 });
        graph = measure_graph(net);
        g = links_of(net);
        for (int s = 0; s < net->n; s++)
            for (int t = 0; t < net->n; t++) {
                const int hops = s == t ? -1 : far(&g, s, t);
                igraph_integer_t flow;

                pairs += s != t;
                if (hops < 0)
                    continue;
                assert_int_equal(igraph_st_edge_connectivity(graph, &flow, s, t), 0);
                mean[DIVERSITY_ANY] += (double)flow;
                mean[DIVERSITY_PATHS] += (double)walks(&g, s, t, hops);
                for (int late = 0; late < 3; late++) {
                    struct small copy = g;

                    mean[DIVERSITY_SHORTEST + late] += best_of(&g, s, t, s, hops + late, hops + late, 1U << s);
                    least[DIVERSITY_SHORTEST + late] += greedy(&copy, s, t, hops + late);
                }
            }
        for (int w = 0; w < DIVERSITY_WHATS; w++) {
            const double found = d.of[w][DIVERSITY_MEAN] * pairs, bound = d.of[w][DIVERSITY_BOUND] * pairs;

            if (w <= DIVERSITY_SHORTEST || w == DIVERSITY_ANY) {
                check_near(found, mean[w], 1e-9);
                check_near(bound, mean[w], 1e-9);
                continue;
            }
            if (found > mean[w] + 1e-9 || bound < mean[w] - 1e-9 || bound < least[w] - 1e-9)
                fail_msg("%s, %d: found %g, at most %g; there are %g, greedy finds %g", spec, w, found, bound, mean[w],
                         least[w]);
            tried++;
            exact += found > mean[w] - 1e-9 && bound < mean[w] + 1e-9;
        }
        net_close(net);
    }
    print_message("%d of %d exact\n", exact, tried);
    assert_true(exact > 0.8 * tried);
    remove("diversity.edges");
}

/* Whatever the threads; and drawn sources estimate, with an interval. */
static void threads_and_samples(void **state)
{
    struct net *net = measure_open("random:120,degree=5");
    const struct diversity one = of_net(net, &(struct diversity_options){ .jobs = 1 }),
        two = of_net(net, &(struct diversity_options){ .jobs = 2 }),
        some = of_net(net, &(struct diversity_options){ .sources = 30, .seed = 1 });

    (void)state;
    assert_memory_equal(&one, &two, sizeof one);
    assert_int_equal(some.sources, 30);
    for (int w = 0; w < DIVERSITY_WHATS; w++) {
        const struct estimate *e = &some.error[w][DIVERSITY_MEAN];

        assert_true(e->half >= 2 * e->error * 0.99);
        if (w < DIVERSITY_ANY)
            assert_true(e->error > 0);
        check_near(some.of[w][DIVERSITY_MEAN], one.of[w][DIVERSITY_MEAN], 4 * e->error + 1e-12);
    }
    net_close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_holds), cmocka_unit_test(hoffman_and_singletons_ways),
        cmocka_unit_test(drawn_networks_agree), cmocka_unit_test(threads_and_samples),
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
