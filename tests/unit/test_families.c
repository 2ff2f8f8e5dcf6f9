/* Families with hosts at switches: closed forms as other programs computed them, graphs that are known by name, and
 * what stands for all by construction. */
#include <igraph.h>
#include <string.h>

#include "analysis/bound/throughput.h"
#include "graph/numeric/galois.h"
#include "graph/symmetry.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

static struct err err;

/* Fields: what a field must keep, over all triples of the small ones. */
static void fields_are_fields(void **state)
{
    static const int order[] = { 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 25, 27, 32 };
    static struct galois f;

    (void)state;
    EACH_ROW(i, order) {
        const int q = order[i];

        assert_int_equal(galois_init(&f, q, NULL, &err), 0);
        for (int a = 0; a < q; a++) {
            assert_int_equal(galois_add(&f, a, 0), a);
            assert_int_equal(galois_times(&f, a, 1), a);
            assert_int_equal(galois_add(&f, a, galois_negative(&f, a)), 0);
            if (a)
                assert_int_equal(galois_times(&f, a, galois_over(&f, 1, a)), 1);
            for (int b = 0; b < q; b++)
                for (int c = 0; c < q; c++) {
                    assert_int_equal(galois_add(&f, galois_add(&f, a, b), c), galois_add(&f, a, galois_add(&f, b, c)));
                    assert_int_equal(galois_times(&f, a, galois_add(&f, b, c)),
                                     galois_add(&f, galois_times(&f, a, b), galois_times(&f, a, c)));
                }
        }
    }
    assert_int_equal(galois_init(&f, 6, NULL, &err), -1);
    assert_non_null(strstr(err.msg, "5 and 7"));
}

static const struct row {
    const char *spec;
    double switches, between, least, greatest, diameter, mean;      /* degrees of switches without hosts */
} rows[] = {
#define SLIMFLY(q, k, mean) { "slimfly:" #q, 2 * q * q, q * q * k, k, k, 2, mean }
    SLIMFLY(3, 5, 1.705882), SLIMFLY(4, 6, 1.806452), SLIMFLY(5, 7, 1.857143), SLIMFLY(7, 11, 1.886598),
    SLIMFLY(8, 12, 1.905512), SLIMFLY(9, 13, 1.919255), SLIMFLY(11, 17, 1.929461), SLIMFLY(13, 19, 1.943620),
#define POLARFLY(q, mean) { "polarfly:" #q, q * q + q + 1, q * (q + 1) * (q + 1) / 2, q, q + 1, 2, mean }
    POLARFLY(3, 1.692308), POLARFLY(4, 1.761905), POLARFLY(5, 1.806452), POLARFLY(7, 1.859649),
    POLARFLY(8, 1.876712), POLARFLY(9, 1.890110), POLARFLY(11, 1.909774), POLARFLY(13, 1.923497),
#define MEGAFLY(l, s, h, p, mean)                                                                                   \
    { "megafly,l=" #l ",s=" #s ",h=" #h ",hosts=" #p, (s * h + 1) * (l + s),                                        \
      (s * h + 1) * l * s + (s * h + 1) * s * h / 2, NAN, NAN, 5, mean }
    MEGAFLY(2, 2, 2, 2, 4.736842), MEGAFLY(4, 4, 4, 4, 4.922509), MEGAFLY(4, 4, 2, 4, 4.853147),
    { "xgft:4+4,up=1+2", 4 + 2, 8, NAN, NAN, 4, 3.6 },
    { "xgft:4+4+4,up=1+4+4", 16 + 16 + 16, 128, NAN, NAN, 6, 5.428571 },
    { "xgft:18+18,up=1+18", 18 + 18, 324, NAN, NAN, 4, 3.894737 },
    { "xgft:3+4+2,up=1+2+3", 8 + 4 + 6, 28, NAN, NAN, 6, 4.869565 },
    { "xgft:4+4,up=1+2,cables=1+2", 4 + 2, 16, NAN, NAN, 4, 3.6 },
};

static void same(const char *spec, const char *what, double got, double want, double within)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%s: %s is %.12g, should be %.12g", spec, what, got, want);
}

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct net *net = measure_open(row->spec);
    struct topo_facts f;
    static struct measured m;
    const double hosts = net->terminal ? net->nterminal : 0;

    measure(&m, net);
    topo_facts(&f, net);
    same(row->spec, "switches", m.nodes - hosts, row->switches, 0);
    same(row->spec, "cables between switches", m.edges - hosts, row->between, 0);
    same(row->spec, "the diameter", m.diameter, row->diameter, 0);
    same(row->spec, "the mean distance", m.mean_hops, row->mean, 5e-7);
    same(row->spec, "the mean distance stated", f.mean_hops, m.mean_hops, 1e-12);
    if (!isnan(row->least)) {
        same(row->spec, "the least degree", m.degree_min, row->least, 0);
        same(row->spec, "the greatest degree", m.degree_max, row->greatest, 0);
    }
    net_close(net);
}

/* Nodes that two have in common. */
static int common(const igraph_t *graph, int n, int a, int b)
{
    int count = 0;
    igraph_bool_t with_a, with_b;

    for (int v = 0; v < n; v++) {
        assert_int_equal(igraph_are_connected(graph, a, v, &with_a), 0);
        assert_int_equal(igraph_are_connected(graph, b, v, &with_b), 0);
        count += with_a && with_b;
    }
    return count;
}

/* 50 nodes of degree 7 and girth 5 are Hoffman and Singleton's graph (1960): Moore's bound is attained. */
static void slimfly_5_is_hoffman_and_singletons(void **state)
{
    struct net *net = measure_open("slimfly:5");
    const igraph_t *graph = measure_graph(net);
    igraph_real_t girth;
    igraph_bool_t joined;

    (void)state;
    assert_int_equal(igraph_girth(graph, &girth, NULL), 0);
    assert_true(girth == 5);
    for (int a = 0; a < 50; a++)
        for (int b = 0; b < a; b++) {
            assert_int_equal(igraph_are_connected(graph, a, b, &joined), 0);
            assert_int_equal(common(graph, 50, a, b), !joined);
        }
    assert_int_equal(measure_orbits(net), 1);
    net_close(net);
}

/* Two points lie on one line: any two switches have one neighbour in common, or are joined where it is one of them. */
static void polarfly_has_one_way_of_two_hops(void **state)
{
    static const int order[] = { 2, 3, 4, 5, 7, 8, 9 };

    (void)state;
    EACH_ROW(i, order) {
        const int q = order[i], n = q * q + q + 1;
        char spec[40];
        struct net *net;
        const igraph_t *graph;
        int quadrics = 0;

        snprintf(spec, sizeof spec, "polarfly:%d", q);
        net = measure_open(spec);
        graph = measure_graph(net);
        for (int a = 0; a < n; a++) {
            igraph_integer_t degree;

            assert_int_equal(igraph_degree_1(graph, &degree, a, IGRAPH_ALL, IGRAPH_LOOPS), 0);
            quadrics += degree == q;
            for (int b = 0; b < a; b++) {
                igraph_bool_t joined;
                igraph_integer_t other;

                assert_int_equal(igraph_are_connected(graph, a, b, &joined), 0);
                assert_int_equal(igraph_degree_1(graph, &other, b, IGRAPH_ALL, IGRAPH_LOOPS), 0);
                assert_int_equal(common(graph, n, a, b), !joined || (degree > q && other > q));
            }
        }
        assert_int_equal(quadrics, q + 1);
        net_close(net);
    }
}

static void fat_trees_are_one_kind(void **state)
{
    static const char *const same_as[][2] = {
        { "fattree:16", "xgft:8+8+16,up=1+8+8" }, { "fattree:4", "xgft:2+2+4,up=1+2+2" },
    };

    (void)state;
    EACH_ROW(i, same_as) {
        struct net *a = measure_open(same_as[i][0]), *b = measure_open(same_as[i][1]);
        igraph_bool_t same;

        assert_int_equal(a->nterminal, b->nterminal);
        assert_int_equal(igraph_is_same_graph(measure_graph(a), measure_graph(b), &same), 0);
        assert_true(same);
        net_close(a);
        net_close(b);
    }
}

/* The class by construction lies in one orbit, which the search finds; all nodes of a class have one representative. */
static void what_is_said_alike_is(void **state)
{
    static const char *const specs[] = {
        "slimfly:3", "slimfly:4", "slimfly:5", "slimfly:7", "slimfly:8", "slimfly:9,hosts=2", "polarfly:2",
        "polarfly:3",
        "polarfly:4", "polarfly:5,hosts=2", "polarfly:7", "polarfly:8", "polarfly:9", "megafly,l=2,s=2,h=2,hosts=2",
        "megafly,l=3,s=2,h=2,hosts=2,arrangement=circulant", "megafly,l=2,s=3,h=1,hosts=1,arrangement=palmtree",
        "megafly,l=2,s=2,h=3,hosts=1,groups=3", "xgft:3+4+2,up=1+2+3", "xgft:2+3,up=2+2,cables=1+2",
        "torus:4x3,hosts=2",
        "rails,hosts=3,gpus=2,radix=5", "rails,hosts=4,gpus=3,radix=12,planes=2", "ring:5,directed=yes,hosts=2",
    };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = measure_open(specs[i]);
        struct orbits o;

        assert_int_equal(orbits_find(&o, net, NULL, &err), 0);
        assert_true(o.finished);
        for (int v = 0; v < net->n; v++) {
            const int as = topo_alike(net, v);

            if (as < 0 || o.of[as] != o.of[v] || topo_alike(net, as) != as)
                fail_msg("%s: node %d is said to be like %d", specs[i], v, as);
        }
        orbits_release(&o);
        net_close(net);
    }
}

/* As many cables as asked for between any two groups, no router with more than h; circulant, h even: both ends of a
 * cable at routers of one number. */
static void groups_are_joined(void **state)
{
    static const char *const arrangement[] = { "relative", "absolute", "palmtree", "circulant" };
    static const int size[][4] = { { 4, 2, 9, 1 }, { 4, 2, 5, 2 }, { 4, 2, 4, 2 }, { 3, 4, 7, 2 }, { 2, 3, 2, 6 },
                                   { 3, 2, 3, 1 }, { 3, 3, 10, 1 } };

    (void)state;
    EACH_ROW(i, size)
        for (size_t k = 0; k < 8; k++) {
            const int a = size[i][0], h = size[i][1], g = size[i][2], links = size[i][3];
            char spec[120];
            struct net *net;
            const igraph_t *graph;
            int between[10][10] = { { 0 } }, *has;

            snprintf(spec, sizeof spec, k < 4 ? "dragonfly,a=%d,h=%d,groups=%d,links=%d,p=1,arrangement=%s" :
                     "megafly,l=3,s=%d,h=%d,groups=%d,links=%d,hosts=1,arrangement=%s", a, h, g, links,
                     arrangement[k % 4]);
            net = measure_open(spec);
            graph = measure_graph(net);
            has = calloc((size_t)net->n, sizeof *has);
            assert_non_null(has);
            for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
                const int u = (int)IGRAPH_FROM(graph, e), v = (int)IGRAPH_TO(graph, e), x = net_group(net, u),
                    y = net_group(net, v);

                if (x == y)
                    continue;
                between[x][y]++;
                between[y][x]++;
                has[u]++;
                has[v]++;
                if (k == 3 && h % 2 == 0 && g % 2 && (u - net->nterminal) % a != (v - net->nterminal) % a)
                    fail_msg("%s: the ends of a cable are at routers %d and %d of their groups", spec,
                             (u - net->nterminal) % a, (v - net->nterminal) % a);
            }
            for (int x = 0; x < g; x++)
                for (int y = 0; y < g; y++)
                    if (between[x][y] != (x == y ? 0 : links))
                        fail_msg("%s: %d cables between groups %d and %d", spec, between[x][y], x, y);
            for (int v = 0; v < net->n; v++)
                if (has[v] > h)
                    fail_msg("%s: router %d has %d global cables", spec, v, has[v]);
            free(has);
            net_close(net);
        }
}

/* Hosts hang at the switches of the same network. */
static void hosts_hang_at_switches(void **state)
{
    static const char *const direct[] = { "torus:4x3", "mesh:3x2", "hyperx:3x4", "hypercube:3", "circulant:9,jumps=2+3",
                                          "midimew:7", "random:10,degree=3", "complete:4", "ring:5,directed=yes",
                                          "slimfly:4", "hyperx:3x3,cables=2+1", "star:4" };

    (void)state;
    EACH_ROW(i, direct) {
        char spec[80];
        struct net *plain = measure_open(direct[i]), *net;
        const igraph_t *a = measure_graph(plain), *b;
        const int hosts = 3 * plain->n;

        snprintf(spec, sizeof spec, "%s,hosts=3", direct[i]);
        net = measure_open(spec);
        b = measure_graph(net);
        assert_int_equal(net->nterminal, hosts);
        assert_int_equal(igraph_ecount(b), igraph_ecount(a) + hosts * (plain->directed ? 2 : 1));
        for (igraph_integer_t e = 0; e < igraph_ecount(b); e++) {
            const igraph_integer_t u = IGRAPH_FROM(b, e), v = IGRAPH_TO(b, e);
            igraph_bool_t joined = true;

            if (u < hosts || v < hosts)
                assert_int_equal((u < hosts ? u : v) / 3, (u < hosts ? v : u) - hosts);
            else
                assert_int_equal(igraph_are_connected(a, u - hosts, v - hosts, &joined), 0);
            assert_true(joined);
        }
        net_close(plain);
        net_close(net);
    }
}

/* What is proved of throughput is the same with every source of its own. */
static void bounds_are_those_without_symmetries(void **state)
{
    static const char *const specs[] = {
        "slimfly:3,hosts=2", "polarfly:3,hosts=2", "megafly,l=2,s=2,h=2,hosts=2", "xgft:4+4,up=1+2,cables=1+2",
        "xgft:3+4+2,up=1+2+1", "rails,hosts=3,gpus=4,radix=5", "hyperx:3x3,cables=2+1", "torus:4x3,hosts=2",
        "dragonfly,a=2,p=1,h=2,groups=3",
    };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = measure_open(specs[i]);
        double got[2];

        for (int unfolded = 0; unfolded < 2; unfolded++) {
            const struct throughput_options o = { .gap = NAN, .unfolded = unfolded };
            struct traffic traffic = { 0 };
            struct demand demand = { 0 };
            struct throughput t = { 0 };

            if (traffic_open(&traffic, net, "uniform", &err) < 0 || demand_open(&demand, &traffic, 1, NULL, &err) < 0 ||
                throughput_open(&t, net, &demand, &o, &err) < 0)
                fail_msg("%s: %s", specs[i], err.msg);
            got[unfolded] = t.bound;
            throughput_close(&t);
            demand_close(&demand);
            traffic_release(&traffic);
        }
        same(specs[i], "the bound", got[0], got[1], 1e-9 * got[1]);
        net_close(net);
    }
}

int main(void)
{
    static struct CMUnitTest tests[64];
    size_t n = 0;
    int failed;

    net_setup();
#define PLAIN_TEST(f) tests[n++] = (struct CMUnitTest)cmocka_unit_test(f)
    PLAIN_TEST(fields_are_fields);
    PLAIN_TEST(slimfly_5_is_hoffman_and_singletons);
    PLAIN_TEST(polarfly_has_one_way_of_two_hops);
    PLAIN_TEST(fat_trees_are_one_kind);
    PLAIN_TEST(what_is_said_alike_is);
    PLAIN_TEST(groups_are_joined);
    PLAIN_TEST(hosts_hang_at_switches);
    PLAIN_TEST(bounds_are_those_without_symmetries);
    EACH_ROW(i, rows)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].spec, .test_func = row_holds,
                                          .initial_state = (void *)(uintptr_t)&rows[i] };
    failed = _cmocka_run_group_tests("families", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
