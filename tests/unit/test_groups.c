/* Networks of groups: lgl and Valiant's routing by group against slow twins and what is known of dragonflies, whole and
 * damaged. SEED=n repeats. */
#include <math.h>
#include <string.h>

#include "analysis/bound/worst.h"
#include "analysis/deadlock/dependencies.h"
#include "analysis/load/flows.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

static int group_of(const struct net *net, int node)
{
    return net->topo->group(net, node);
}

/* ---- lgl ---- */

/* cost[u * n + v]: links between groups times 1000 and hops, of the best path, as relaxed until nothing is better. */
static int *costs(struct net *net)
{
    const int n = net->n;
    int *cost = malloc((size_t)n * (size_t)n * sizeof *cost);
    bool better = true;

    assert_non_null(cost);
    for (int i = 0; i < n * n; i++)
        cost[i] = i / n == i % n ? 0 : 1000000;
    while (better) {
        better = false;
        for (int u = 0; u < n; u++)
            for (int v = 0; v < n; v++)
                for (int t = 0; nets_linked(net, u, v) && t < n; t++) {
                    const int step = group_of(net, u) == group_of(net, v) ? 1 : 1001;

                    if (step + cost[v * n + t] < cost[u * n + t]) {
                        cost[u * n + t] = step + cost[v * n + t];
                        better = true;
                    }
                }
    }
    return cost;
}

static void check_lgl(const char *spec)
{
    struct net *net = measure_open(spec);
    const int n = net->n;
    int *cost = costs(net);
    struct routing r;

    assert_int_equal(routing_open(&r, net, "lgl", &err), 0);
    assert_true(r.symmetric == !net->cables.failed);
    for (int t = 0; t < n; t++)
        for (int u = 0; u < n; u++) {
            int want = -1, as_good = 0;
            struct hop hop;
            size_t many;

            if (u == t || cables_down(&net->cables, u) || cables_down(&net->cables, t))
                continue;
            for (int v = n; v-- > 0;)
                if (nets_linked(net, u, v) && cost[v * n + t] < cost[u * n + t] &&
                    cost[u * n + t] - cost[v * n + t] == (group_of(net, u) == group_of(net, v) ? 1 : 1001)) {
                    want = v;
                    as_good++;
                }
            assert_int_equal(r.route->next(&hop, &many, &r, u, -1, t, &err), want < 0 ? -1 : 0);
            if (want >= 0 && (many != 1 || hop.node != want || hop.share != 1))
                fail_msg("%s: from %d to %d it goes on to %d, wanted %d", net->spec, u, t, hop.node, want);
            if (r.symmetric && (as_good != 1 || cost[u * n + t] > 2000))
                fail_msg("%s: from %d to %d a path is not the only one", net->spec, u, t);
        }
    routing_close(&r);
    free(cost);
    net_close(net);
}

static void lgl_is_the_best(void **state)
{
    static const char *const nets[] = { "dragonfly,a=1,p=1,h=2", "dragonfly,a=2,p=1,h=1", "dragonfly,a=3,p=2,h=1",
                                        "dragonfly,a=2,p=1,h=2,arrangement=absolute" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    EACH_ROW(i, nets) {
        check_lgl(nets[i]);
        for (int k = 1; k < 6; k++) {
            char spec[100];
            struct net *net = NULL;

            snprintf(spec, sizeof spec, "%s,fail=random:%d:%d", nets[i], k, 1 + (int)rng_below(&rng, 1000));
            if (net_open(&net, spec, &err) == 0)        /* else terminals are parted */
                check_lgl(spec);
            net_close(net);
        }
    }
}

/* ---- valiant ---- */

static struct way {
    int stop;                       /* before the target; -1: straight there */
    double share;
} want[200];

/* One block drawn: the way over `stop`. */
static size_t add_way(size_t n, int stop, double share)
{
    size_t k = 0;

    while (k < n && want[k].stop != stop)
        k++;
    want[k] = (struct way){ stop, (k < n ? want[k].share : 0) + share };
    return k < n ? n : n + 1;
}

/* Where the base's path from a node to another is in that one's group. */
static int entry_of(struct routing *base, int from, int to)
{
    struct route_path path = { 0 };
    int entry = -1;

    assert_int_equal(route_path(&path, base, from, to, &err), 0);
    for (size_t i = path.n; i-- > 0;)
        if (group_of(base->net, path.node[i]) == group_of(base->net, to))
            entry = path.node[i];
    route_path_release(&path);
    return entry;
}

static void check_ways(struct routing *r, const struct ways *w, size_t n, int s, int t)
{
    assert_int_equal(w->n, n);
    for (size_t k = 0; k < w->n; k++) {
        const size_t first = k ? w->end[k - 1] : 0;
        const int stop = w->end[k] - first == 1 ? -1 : w->stop[first];
        size_t i = 0;

        assert_int_equal(w->stop[w->end[k] - 1], t);
        assert_true(w->end[k] - first <= 2);
        while (i < n && want[i].stop != stop)
            i++;
        if (i == n || fabs(want[i].share - w->share[k]) > 1e-12)
            fail_msg("%s on %s: from %d to %d over %d goes %.17g", r->spec, r->net->spec, s, t, stop, w->share[k]);
    }
}

/* All terminals of a group are behind one entry, of an intact dragonfly. */
static void valiant_by_group(void **state)
{
    static const char *const nets[] = { "dragonfly,a=3,p=2,h=1", "dragonfly,a=2,p=1,h=2,arrangement=absolute" };

    (void)state;
    EACH_ROW(i, nets) {
        struct net *net = measure_open(nets[i]);
        const int groups = group_of(net, net->n - 1) + 1, each = net->nterminal / groups;
        struct ways w = { 0 };
        struct routing r;

        assert_int_equal(routing_open(&r, net, "valiant,by=group", &err), 0);
        assert_string_equal(r.base->spec, "lgl");
        for (int s = 0; s < net->n; s++)
            for (int t = 0; t < net->n; t++) {
                size_t n = 0;

                if (s == t)
                    continue;
                for (int g = 0; g < groups; g++) {
                    const int entry = entry_of(r.base, s, g * each), straight = g == group_of(net, s) ||
                        g == group_of(net, t);

                    for (int k = 0; !straight && k < each; k++)
                        assert_int_equal(entry_of(r.base, s, g * each + k), entry);
                    n = add_way(n, straight ? -1 : entry, 1.0 / groups);
                }
                ways_clear(&w);
                assert_int_equal(r.route->ways(&w, &r, NULL, s, t, &err), 0);
                check_ways(&r, &w, n, s, t);
            }
        ways_release(&w);
        routing_close(&r);
        net_close(net);
    }
}

static void refused(void **state)
{
    static const char *const rows[][3] = {
        { "torus:4x4", "lgl", "needs groups" }, { "fattree:4", "lgl", "needs groups" },
        { "torus:4x4", "valiant,by=group", "needs groups" }, { "torus:4x4", "valiant,by=sga:1", "terminal, group" },
        { "mesh:4x4", "valiant,by=", "''" }, { "mesh:4x4", "valiant,dim=2", "no option 'dim'" },
        { "mesh:4x4", "valiant,tie=up,tie=up", "tie" }, { "mesh:4x4", "valiant:2", "valiant" },
        { "dragonfly,a=2,p=1,h=1", "valiant,by=group,dim=1", "no option 'dim'" },
        { "dragonfly,a=2,p=1,h=1", "valiant,by=group,base=ecmp", "spreads messages" },
        { "dragonfly,a=2,p=1,h=1", "lgl:2", "lgl" },
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = measure_open(rows[i][0]);
        struct routing r;

        assert_int_equal(routing_open(&r, net, rows[i][1], &err), -1);
        assert_true(err_is_request(&err));
        if (!strstr(err.msg, rows[i][2]) || strchr(err.msg, '\n'))
            fail_msg("%s: %s", rows[i][1], err.msg);
        net_close(net);
    }
}

/* ---- folded ---- */

/* {lgl, valiant,by=group} by orbits: pairs of the second option are those of the first, and each has what it has of the
 * routings themselves. */
static void pairs(void **state)
{
    static const char *const name[] = { "lgl", "valiant,by=group" };

    (void)state;
    for (int big = 0; big < 2; big++) {
        struct net *net = measure_open(big ? "dragonfly,a=6,p=3,h=3" : "dragonfly,a=3,p=1,h=1");
        const int groups = group_of(net, net->n - 1) + 1;
        struct traffic traffic;
        struct routing r[2];
        struct flows f;
        double began, total[2] = { 0, 0 };
        size_t npair, second = 0;
        double *part;
        int *source;

        for (int i = 0; i < 2; i++)
            assert_int_equal(routing_open(&r[i], net, name[i], &err), 0);
        assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
        began = scene_seconds();
        assert_int_equal(flows_open(&f, &traffic, r, 2, &(struct flows_options){ .orbits = true, .apart = true },
                                    &err), 0);
        if (scene_seconds() - began > 5)                /* 0.3 s where nobody else works */
            fail_msg("it took %g s", scene_seconds() - began);
        assert_non_null(f.orbits);
        npair = (size_t)(f.injection_pair[f.ninjection - 1] + 1) / 2;
        assert_int_equal(npair, f.nsource * (size_t)(net->nterminal - 1));      /* one target of each orbit */
        part = scene_reals(npair);
        source = calloc(npair, sizeof *source);
        assert_non_null(source);
        for (size_t i = 0, end; i < f.ninjection; i = end) {
            const size_t pair = (size_t)f.injection_pair[i];
            const int option = f.injection_option[i];
            double sum = 0;

            assert_int_equal(option, pair >= npair);
            assert_true(i == 0 || f.injection_pair[i] == f.injection_pair[i - 1] + 1);
            if (option == 0)
                source[pair] = f.injection_source[i];
            assert_int_equal(f.injection_source[i], source[pair % npair]);
            second += option > 0;
            for (end = i; end < f.ninjection && (size_t)f.injection_pair[end] == pair; end++) {
                assert_int_equal(f.injection_option[end], option);
                sum += f.injection_given[end];
                assert_true(f.injection_share[end] == (option ? 0 : f.injection_given[end]));
            }
            assert_true(end - i <= (size_t)(option ? groups : 1));
            scene_near("a pair's share", sum, pair < npair ? part[pair] = sum : part[pair - npair], 1e-12);
            total[option] += sum;
        }
        assert_int_equal(second, npair);
        scene_near("all shares", total[0], (double)f.nsource, 1e-12);
        scene_near("all shares", total[1], (double)f.nsource, 1e-12);
        free(source);
        free(part);
        flows_release(&f);
        traffic_release(&traffic);
        for (int i = 0; i < 2; i++)
            routing_close(&r[i]);
        net_close(net);
    }
}

/* ---- known ---- */

/* What a terminal may send at most, in parts of a link: of a permutation, by the busiest link. */
static double per_node(const char *net, const char *traffic, const char *routing)
{
    struct scene s;
    struct flows f;
    double *load, most = 0;

    scene_open(&s, net, traffic, routing);
    scene_flows(&f, &s, true);
    load = scene_reals(f.nlink);
    assert_int_equal(flows_load(&f, NULL, load, NULL, &err), 0);
    for (size_t l = 0; l < f.nlink; l++)
        most = fmax(most, load[l]);
    free(load);
    flows_release(&f);
    scene_release(&s);
    return 1 / most;
}

/* Each group to the next: under lgl all its a p terminals share one global link (Kim et al. 2008). Over a random group
 * every global link has the same: 2 (G - 2) / G + 2 / G of a p messages are spread over a h = G - 1 of them. Shifted by
 * N = h groups in the relative arrangement, all that comes to a router of the intermediate group over its h global
 * links goes on to the next router over one local link, so that hardly more than 1/h is left (Garcia et al. 2012). */
static void a_group_to_the_next(void **state)
{
    static const int rows[][3] = { { 4, 2, 2 }, { 3, 1, 1 }, { 2, 3, 2 }, { 8, 4, 4 } };

    (void)state;
    EACH_ROW(i, rows) {
        const int a = rows[i][0], p = rows[i][1], h = rows[i][2], groups = a * h + 1;
        char net[60], shift[40];

        snprintf(net, sizeof net, "dragonfly,a=%d,p=%d,h=%d", a, p, h);
        for (int by = 1; by < groups && by < 6; by++) {
            snprintf(shift, sizeof shift, "group-shift:%d", by);
            scene_near(net, per_node(net, shift, "lgl"), 1.0 / (a * p), 1e-12);
        }
        if (p == h)
            scene_near(net, per_node(net, "group-shift", "valiant,by=group"), groups / (2.0 * a * p), 1e-12);
        if (a > 2) {
            snprintf(shift, sizeof shift, "group-shift:%d", h);
            assert_true(per_node(net, shift, "valiant,by=group") <= 1.2 / h);
        }
    }
}

static double worst_of(const char *net, const char *routing)
{
    struct scene s;
    struct worst w;
    double theta;

    scene_open(&s, net, "uniform", routing);
    if (worst_open(&w, s.net, &s.routing, NULL, &(struct worst_options){ 0 }, &err) < 0)
        fail_msg("%s, %s: %s", net, routing, err.msg);
    theta = w.theta;
    worst_close(&w);
    scene_release(&s);
    return theta;
}

/* Half of the capacity, 4/k of a square mesh of even side, is O1TURN's worst (Seo et al. 2005). Valiant's is half of
 * what uniform traffic has, times n / (n - 1) since that leaves out messages of a node to itself. */
static void worst_cases(void **state)
{
    static const char *const alike[] = { "hypercube:3", "hypercube:5", "torus:3x3", "torus:5x5", "torus:7x7",
                                         "ring:9" };

    (void)state;
    for (int k = 2; k <= 8; k += 2) {
        char net[40];

        snprintf(net, sizeof net, "mesh:%dx%d", k, k);
        scene_near(net, worst_of(net, "o1turn"), 2.0 / k, 1e-9);
    }
    EACH_ROW(i, alike) {
        struct net *net = measure_open(alike[i]);
        const double n = net->n;

        net_close(net);
        scene_near(alike[i], worst_of(alike[i], "valiant"), per_node(alike[i], "uniform", "dor") / 2 * n / (n - 1),
                   1e-9);
    }
    scene_near("lgl", worst_of("dragonfly,a=4,p=2,h=2", "lgl"), 1 / 8.0, 1e-12);
    scene_near("lgl", worst_of("dragonfly,a=3,p=1,h=1", "lgl"), 1 / 3.0, 1e-12);
}

/* Kim et al. 2008: minimal routing takes 2 channels on local links and 1 on global ones, Valiant's over a group 3 and
 * 2; over any terminal, where messages stay in the network, there is one more step within a group. */
static void channels(void **state)
{
    static const struct {
        const char *routing, *scheme;
        int local, global;
    } rows[] = { { "lgl", "dateline", 2, 1 }, { "valiant,by=group", "phases", 3, 2 },
                 { "valiant,base=lgl", "phases", 4, 2 } };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = measure_open("dragonfly,a=4,p=2,h=2");
        const struct deadlock_options o = { .classes = rows[i].scheme };
        struct deadlock_advice advice;
        struct deadlock_need need;
        struct deadlock d;
        struct routing r;

        assert_int_equal(routing_open(&r, net, rows[i].routing, &err), 0);
        assert_int_equal(deadlock_open(&d, net, &r, 1, &o, &err), 0);
        assert_false(d.cyclic);
        assert_int_equal(deadlock_need(&need, &d, &err), 0);
        for (size_t k = 0; k < need.nkind; k++)
            assert_int_equal(need.kind[k].channels, strcmp(need.kind[k].name, "local") == 0 ? rows[i].local :
                             strcmp(need.kind[k].name, "global") == 0 ? rows[i].global : need.kind[k].channels);
        assert_int_equal(deadlock_advise(&advice, net, &r, 1, &(struct deadlock_options){ 0 }, &err), 0);
        assert_string_equal(advice.scheme, rows[i].scheme);
        assert_int_equal(advice.channels, rows[i].local);
        free(advice.scheme);
        deadlock_need_release(&need);
        deadlock_close(&d);
        routing_close(&r);
        net_close(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lgl_is_the_best),     cmocka_unit_test(valiant_by_group),
        cmocka_unit_test(refused),
        cmocka_unit_test(pairs),               cmocka_unit_test(a_group_to_the_next),
        cmocka_unit_test(worst_cases),         cmocka_unit_test(channels),
    };

    seed = check_seed();
    net_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
