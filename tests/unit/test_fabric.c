/* Fabrics of two and three levels, drawn, with cables pulled: a leaf's limit in closed form against the linear program;
 * what was pulled, slowed or never plugged is found, and nothing else; tables that deliver every pair, up and then down,
 * carry what their links say, and reach 0.97 of what any routing does. SEED=n repeats them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bound/throughput.h"
#include "analysis/deadlock/dependencies.h"
#include "analysis/fabric/cluster.h"
#include "analysis/fabric/balanced.h"
#include "model/traffic/traffic.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

static struct err err;
static uint64_t seed;

/* ---- fabrics by hand ---- */

struct made {
    int end[4000], n, nedge, terminals;
};

static void cable(struct made *m, int a, int b)
{
    assert_true(m->nedge < 2000);
    m->end[2 * m->nedge] = a;
    m->end[2 * m->nedge++ + 1] = b;
}

/* Hosts are the first nodes; then come leaves, then spines. */
static void two_levels(struct made *m, int hosts, int leaves, int spines, int cables)
{
    *m = (struct made){ .n = hosts + leaves + spines, .terminals = hosts };
    for (int h = 0; h < hosts; h++)
        cable(m, h, hosts + h % leaves);
    for (int l = 0; l < leaves; l++)
        for (int s = 0; s < spines; s++)
            for (int k = 0; k < cables; k++)
                cable(m, hosts + l, hosts + leaves + s);
}

/* Pods of so many leaves and as many switches above, each of which has so many cores of its own. */
static void three_levels(struct made *m, int pods, int leaves, int cores, int hosts, int cables)
{
    const int nhost = pods * leaves * hosts, low = nhost, middle = low + pods * leaves, top = middle + pods * leaves;

    *m = (struct made){ .n = top + leaves * cores, .terminals = nhost };
    for (int h = 0; h < nhost; h++)
        cable(m, h, low + h / hosts);
    for (int p = 0; p < pods; p++)
        for (int a = 0; a < leaves; a++) {
            for (int l = 0; l < leaves * cables; l++)
                cable(m, low + p * leaves + l % leaves, middle + p * leaves + a);
            for (int c = 0; c < cores; c++)
                cable(m, middle + p * leaves + a, top + a * cores + c);
        }
}

static struct net *made_net(const struct made *m)
{
    struct net *net = nets_from_edges(m->n, m->end, m->nedge, false);

    net->terminal = malloc((size_t)m->terminals * sizeof *net->terminal);
    assert_non_null(net->terminal);
    for (int i = 0; i < m->terminals; i++)
        net->terminal[i] = i;
    net->nterminal = m->terminals;
    net->cables.parallel = true;
    return net;
}

/* Takes out cables between switches at random. */
static void pull(struct made *m, struct rng *rng, int cables)
{
    for (int i = 0; i < cables; i++) {
        const int e = m->terminals + (int)rng_below(rng, (uint64_t)(m->nedge - m->terminals));

        memmove(m->end + 2 * e, m->end + 2 * e + 2, (size_t)(2 * (m->nedge - e - 1)) * sizeof *m->end);
        m->nedge--;
    }
}

/* What any routing reaches, or one. */
static double reached(struct net *net, struct routing *r, double gap)
{
    const struct throughput_options o = { .gap = gap };
    struct throughput t = { 0 };
    struct traffic uniform;
    struct demand d;
    double theta;

    assert_int_equal(traffic_open(&uniform, net, "uniform", &err), 0);
    assert_int_equal(demand_open(&d, &uniform, 1, NULL, &err), 0);
    if ((r ? throughput_of_routing(&t, net, &d, r, &o, &err) : throughput_open(&t, net, &d, &o, &err)) < 0)
        fail_msg("%s", err.msg);
    theta = t.theta;
    throughput_close(&t);
    demand_close(&d);
    traffic_release(&uniform);
    return theta;
}

/* ---- limits ---- */

/* Leaves with as many cables to each spine, and hosts as they come: the least limit, and a full port. */
static void limits(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 60; i++) {
        const int leaves = 2 + (int)rng_below(&rng, 6), spines = 1 + (int)rng_below(&rng, 4),
            hosts = leaves * 2 + (int)rng_below(&rng, 24), cables = 1 + (int)rng_below(&rng, 2);
        struct cluster c;
        struct made m;
        struct net *net;
        double least = 1, theta;

        two_levels(&m, hosts, leaves, spines, cables);
        net = made_net(&m);
        assert_int_equal(cluster_open(&c, net, &err), 0);
        assert_int_equal(c.levels, 2);
        for (int v = hosts; v < hosts + leaves; v++) {
            assert_int_equal(c.at[v].level, 1);
            assert_int_equal(c.at[v].up, spines * cables);
            least = fmin(least, c.at[v].limit);
        }
        assert_true(isnan(c.at[hosts + leaves].limit));
        theta = reached(net, NULL, 0);
        if (fabs(theta - least) > 1e-6 * least)
            fail_msg("%d hosts, %d leaves, %d spines, %d cables: limit %.9g, any routing %.9g", hosts, leaves, spines,
                     cables, least, theta);
        cluster_close(&c);
        net_close(net);
    }
}

/* A torus is one level of switches with a host each: no more than its 4 cables, and no pattern is broken. */
static void levels(void **state)
{
    static const struct {
        const char *spec;
        int levels, parts, flaws;
    } row[] = { { "torus:4x4", 1, 1, 0 }, { "fattree:8", 3, 1, 0 }, { "star:5", 1, 1, 0 }, { "hypercube:4", 1, 1, 0 },
                { "dragonfly,a=4,p=2,h=2", 1, 1, 0 }, { "fattree:8,fail=16-144", 3, 1, 0 },
                { "random:40,degree=5", 1, 1, 0 } };

    (void)state;
    EACH_ROW(i, row) {
        struct cluster_flaw *flaw;
        struct cluster c;
        struct net *net;
        size_t n;

        if (net_open(&net, row[i].spec, &err) < 0 || cluster_open(&c, net, &err) < 0 ||
            cluster_flaws(&flaw, &n, &c, &err) < 0) {
            if (strstr(row[i].spec, "fail"))
                continue;
            fail_msg("%s: %s", row[i].spec, err.msg);
        }
        assert_int_equal(c.levels, row[i].levels);
        assert_int_equal(c.parts, row[i].parts);
        assert_int_equal(n, row[i].flaws);
        free(flaw);
        cluster_close(&c);
        net_close(net);
    }
}

/* ---- flaws ---- */

/* Pairs of two cables, one of a few pulled, a few pulled both: all are found, by node, and no other. */
static void flaws(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 100; i++) {
        const int leaves = 6 + (int)rng_below(&rng, 5), spines = 4 + (int)rng_below(&rng, 4), hosts = 2 * leaves;
        int gone[20][20] = { { 0 } }, parted = 0;
        struct cluster_flaw *flaw;
        struct cluster c, meant;
        struct made m, whole;
        struct net *net, *design;
        size_t n, unknown, want = 0;

        two_levels(&whole, hosts, leaves, spines, 2);
        m = whole;
        m.nedge = hosts;
        for (int l = 0; l < leaves; l++)            /* a leaf misses one spine at most, and a spine one leaf */
            gone[l][(l + 1) % spines] = l < spines ? (int)rng_below(&rng, 3) : 0;
        for (int l = 0; l < leaves; l++)
            for (int s = 0; s < spines; s++) {
                for (int k = gone[l][s]; k < 2; k++)
                    cable(&m, hosts + l, hosts + leaves + s);
                want += gone[l][s] > 0;
                parted += gone[l][s] == 2;
            }
        net = made_net(&m);
        design = made_net(&whole);
        assert_int_equal(cluster_open(&c, net, &err), 0);
        assert_int_equal(cluster_open(&meant, design, &err), 0);
        for (int by_design = 0; by_design < 2; by_design++) {
            assert_int_equal(by_design ? cluster_design(&flaw, &n, &unknown, &c, &meant, &err) :
                             cluster_flaws(&flaw, &n, &c, &err), 0);
            for (size_t k = 0; k < n; k++) {
                const int missing = gone[flaw[k].a - hosts][flaw[k].b - hosts - leaves];

                assert_int_equal(flaw[k].fault, missing == 2 ? FAULT_MISSING : FAULT_FEWER);
                assert_int_equal((int)flaw[k].have, 2 - missing);
                if (missing == 0)
                    fail_msg("leaf %d, spine %d are as the others", flaw[k].a, flaw[k].b);
            }
            if (n != want)
                fail_msg("%d leaves, %d spines: %zu flaws of %zu", leaves, spines, n, want);
            free(flaw);
        }
        assert_int_equal(cluster_design(&flaw, &n, &unknown, &meant, &c, &err), 0);     /* the other way round */
        assert_int_equal(n, want - (size_t)parted);
        assert_int_equal(unknown, 0);
        for (size_t k = 0; k < n; k++)
            assert_int_equal(flaw[k].fault, FAULT_MORE);
        free(flaw);
        cluster_close(&c);
        cluster_close(&meant);
        net_close(net);
        net_close(design);
    }
}

/* ---- tables ---- */

/* The load of every link, path by path, against what flows say; levels rise and then fall; no cycle. */
static void tables_hold(struct net *net, struct routing *r)
{
    const struct deadlock_options o = { .verdict = true };
    struct route_path path = { 0 };
    struct deadlock d;
    struct cluster c;
    double *load, most = 0, theta;

    assert_int_equal(cluster_open(&c, net, &err), 0);
    load = calloc(c.trunks.nlink + 1, sizeof *load);
    assert_non_null(load);
    for (int i = 0; i < net->nterminal; i++)
        for (int k = 0; k < net->nterminal; k++) {
            if (i == k)
                continue;
            if (route_path(&path, r, net_terminal(net, i), net_terminal(net, k), &err) < 0)
                fail_msg("%s", err.msg);
            for (size_t h = 1; h < path.n; h++) {
                const size_t trunk = csr_link(c.trunks.csr, path.node[h - 1], path.node[h]);
                const size_t link = trunks_first(&c.trunks, trunk) + (size_t)(path.cable[h] ? path.cable[h] - 1 : 0);

                assert_true(trunk < c.trunks.csr->m && link < trunks_first(&c.trunks, trunk + 1));
                load[link] += 1 / (net->nterminal - 1.0) / trunks_kind(&c.trunks, link).bandwidth;
                most = fmax(most, load[link]);
            }
        }
    theta = reached(net, r, 0);
    if (fabs(theta * most - 1) > 1e-9)
        fail_msg("%s: tables reach %.9g, path by path %.9g", net->spec, theta, 1 / most);
    assert_int_equal(deadlock_open(&d, net, r, 1, &o, &err), 0);
    assert_false(d.cyclic);
    deadlock_close(&d);
    free(load);
    route_path_release(&path);
    cluster_close(&c);
}

/* What no tables by destination pass: a leaf sends all of its hosts' messages to one host over one cable. */
static double whole_trees(struct net *net, double any)
{
    struct cluster c;

    assert_int_equal(cluster_open(&c, net, &err), 0);
    for (int v = 0; v < net->n; v++)
        if (c.at[v].level == 1)
            any = fmin(any, (net->nterminal - 1) / (c.at[v].hosts * ceil((net->nterminal - c.at[v].hosts) /
                                                                         c.at[v].up)));
    cluster_close(&c);
    return any;
}

/* Closes the network. */
static void tables_reach(struct net *net, double part, bool whole)
{
    struct routing r;
    double any, theta;

    if (balanced_open(&r, net, 12, seed, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    tables_hold(net, &r);
    any = reached(net, NULL, 0.001);
    any = whole ? whole_trees(net, any) : any;
    theta = reached(net, &r, 0);
    if (theta < part * any)
        fail_msg("%d hosts, %d nodes: tables reach %.4g of %.4g", net->nterminal, net->n, theta, any);
    routing_close(&r);
    net_close(net);
}

static void tables(void **state)
{
    struct rng rng;
    struct made m;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 24; i++) {
        if (i % 2)
            three_levels(&m, 3 + (int)rng_below(&rng, 3), 3, 2, 4 + (int)rng_below(&rng, 3), 1 + i % 4 / 2);
        else
            two_levels(&m, 60 + (int)rng_below(&rng, 120), 12 + (int)rng_below(&rng, 8), 4 + (int)rng_below(&rng, 4), 2);
        pull(&m, &rng, (int)rng_below(&rng, i % 2 ? 3 : 12));
        tables_reach(made_net(&m), 0.9, true);
    }
}

/* Forty switches, cables missing: 0.97 of what any routing reaches. */
static void forty(void **state)
{
    struct rng rng;
    struct made m;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 4; i++) {
        if (i % 2)
            three_levels(&m, 4, 4, 2, 8, 2);
        else
            two_levels(&m, 540, 31, 9, 2);
        pull(&m, &rng, 1 + (int)rng_below(&rng, i % 2 ? 8 : 40));
        tables_reach(made_net(&m), 0.97, false);
    }
}

/* Networks of other shapes: every pair is delivered on one lane, whatever is reached. */
static void shapes(void **state)
{
    static const char *const spec[] = { "torus:4x3", "hypercube:4", "dragonfly,a=4,p=2,h=2", "random:30,degree=3",
                                        "fattree:4", "ring:7", "star:4", "complete:5", "hyperx:3x3" };

    (void)state;
    EACH_ROW(i, spec) {
        struct net *net;
        struct routing r;

        assert_int_equal(net_open(&net, spec[i], &err), 0);
        if (balanced_open(&r, net, 2, seed, NULL, &err) < 0)
            fail_msg("%s: %s", spec[i], err.msg);
        tables_hold(net, &r);
        routing_close(&r);
        net_close(net);
    }
}

/* Leaves in a row, each with a spine in common with the next alone: levels do not do, hops from one node do. */
static void staircase(void **state)
{
    struct made m = { .n = 12, .terminals = 4 };
    struct routing r;
    struct net *net;

    (void)state;
    for (int i = 0; i < 4; i++) {
        cable(&m, i, 4 + i);
        cable(&m, 4 + i, 8 + i);
        if (i)
            cable(&m, 4 + i, 8 + i - 1);
    }
    net = made_net(&m);
    assert_int_equal(balanced_open(&r, net, 3, seed, NULL, &err), 0);
    tables_hold(net, &r);
    routing_close(&r);
    net_close(net);
    m.nedge = 4;
    net = made_net(&m);
    assert_int_equal(balanced_open(&r, net, 3, seed, NULL, &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    net_close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits), cmocka_unit_test(levels), cmocka_unit_test(flaws), cmocka_unit_test(tables),
        cmocka_unit_test(forty), cmocka_unit_test(shapes), cmocka_unit_test(staircase)
    };
    int ret;

    seed = check_seed();
    net_setup();
    ret = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return ret;
}
