/* The worst traffic of a routing: against all permutations of messages followed path by path, folded against
 * unfolded, against known permutations, and where the answer is known by hand. SEED=n repeats the random part. */
#include <string.h>

#include "analysis/bound/throughput.h"
#include "analysis/bound/worst.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/paths.h"
#include "cli/request/load.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

static void open_worst(struct worst *w, struct net *net, struct routing *r, const double *capacity,
                       const struct worst_options *o)
{
    if (worst_open(w, net, r, capacity, o, &err) < 0)
        fail_msg("%s on %s: %s", r->spec, net->spec, err.msg);
}

/* ---- all permutations ---- */

/* Every pair is a stream of its own, whose paths are followed one by one: part[(s * n + t) * nlink + l]. */
struct twin {
    struct paths paths;
    struct traffic list;
    double *part;
    int n;
    size_t nlink;
};

static void twin_open(struct twin *w, struct net *net, struct routing *r)
{
    const int n = net->nterminal;
    size_t k = 0;

    *w = (struct twin){ .list = { .net = net }, .n = n };
    assert_int_equal(traffic_room(&w->list, (size_t)n * (size_t)n, &err), 0);
    for (int s = 0; s < n; s++)
        for (int t = 0; t < n; t++)
            if (s != t)
                traffic_add(&w->list, net_terminal(net, s), net_terminal(net, t));
    paths_open(&w->paths, &w->list, r, false);
    w->nlink = w->paths.nlink;
    w->part = scene_reals((size_t)n * (size_t)n * w->nlink);
    for (int s = 0; s < n; s++)
        for (int t = 0; t < n; t++)
            if (s != t) {
                for (size_t g = 0; g < w->paths.nport; g++)
                    w->part[(size_t)(s * n + t) * w->nlink + (size_t)w->paths.port_link[g]] +=
                        w->paths.mass[k * w->paths.nport + g];
                k++;
            }
}

static void twin_release(struct twin *w)
{
    paths_release(&w->paths);
    traffic_release(&w->list);
    free(w->part);
}

static size_t twin_link(const struct twin *w, int from, int to)
{
    for (size_t l = 0; l < w->nlink; l++)
        if (w->paths.link[l][0] == from && w->paths.link[l][1] == to)
            return l;
    return SIZE_MAX;
}

static double twin_part(const struct twin *w, int s, int t, size_t link)
{
    return link == SIZE_MAX || s == t ? 0 : w->part[(size_t)(s * w->n + t) * w->nlink + link];
}

static double try_all(double part[8][8], int n, int s, unsigned taken)
{
    double best = 0;

    for (int t = 0; s < n && t < n; t++)
        if (!(taken & 1u << t))
            best = fmax(best, part[s][t] + try_all(part, n, s + 1, taken | 1u << t));
    return best;
}

static double all_permutations(const struct twin *w, size_t link)
{
    double part[8][8];

    assert_true(w->n <= 8);
    for (int s = 0; s < w->n; s++)
        for (int t = 0; t < w->n; t++)
            part[s][t] = twin_part(w, s, t, link);
    return link == SIZE_MAX ? 0 : try_all(part, w->n, 0, 0);
}

/* The result names a permutation that does put that load on that link. */
static void check_permutation(const struct worst *w, const struct twin *twin, const struct net *net, const char *name)
{
    const size_t link = twin_link(twin, w->from, w->to);
    unsigned taken = 0;
    double sum = 0;
    int senders = 0;

    for (int s = 0; s < w->n; s++) {
        const int t = w->target[s] < 0 ? -1 : net_terminal_index(net, w->target[s]);

        assert_int_equal(isnan(w->distance[s]), t < 0);
        if (t < 0)
            continue;
        assert_false(taken & 1u << t);
        taken |= 1u << t;
        senders++;
        scene_near(name, w->part[s], twin_part(twin, s, t, link), 1e-12);
        sum += w->part[s];
    }
    assert_int_equal(w->senders, senders);
    scene_near(name, w->load, sum, 1e-12);
    scene_near(name, w->theta, w->capacity / sum, 1e-12);
    assert_true(w->gap <= 1e-9);
    assert_true(w->theta <= w->uniform * (1 + 1e-12));
}

static void check_all(struct net *net, const char *routing, const double *capacity)
{
    struct routing r = { 0 };
    struct worst every, one;
    struct twin twin;
    char name[300];
    double theta = INFINITY;

    if (routing_open(&r, net, routing, &err) < 0)       /* it does not fit */
        return;
    snprintf(name, sizeof name, "%.100s, %.100s, %d nodes", net->spec, r.spec, net->n);
    twin_open(&twin, net, &r);
    open_worst(&every, net, &r, capacity, &(struct worst_options){ .every_link = true, .unfolded = true, .jobs = 2 });
    open_worst(&one, net, &r, capacity, &(struct worst_options){ .jobs = 1 });
    for (size_t l = 0; l < every.nall; l++) {
        const double load = all_permutations(&twin, twin_link(&twin, every.link_from[l], every.link_to[l]));

        if (!(fabs(every.link_worst[l] - load) <= 1e-12 * (1 + load)))
            fail_msg("%s: link %d-%d bears %.17g, of all permutations %.17g", name, every.link_from[l],
                     every.link_to[l], every.link_worst[l], load);
        theta = fmin(theta, (capacity ? capacity[l] : 1) / load);
    }
    scene_near(name, every.theta, theta, 2e-10);
    scene_near(name, one.theta, theta, 2e-10);
    check_permutation(&every, &twin, net, name);
    check_permutation(&one, &twin, net, name);
    worst_close(&every);
    worst_close(&one);
    twin_release(&twin);
    routing_close(&r);
}

static const char *const routings[] = { "dor", "dor,tie=split", "dor,tie=down", "minimal", "ecmp", "updown", "valiant",
                                        "metapath:sga:1", "metapath:static", "metapath:dga:1", "o1turn", "romm" };

static void small_networks(void **state)
{
    static const char *const net[] = { "mesh:2x3", "mesh:2x4", "ring:7", "torus:3x2", "ring:5,directed=yes",
                                       "complete:5", "star:6", "hypercube:2",
                                       "circulant:7,jumps=2+3" };

    (void)state;
    EACH_ROW(i, net)
        EACH_ROW(k, routings) {
            struct net *n = NULL;

            if (net_open(&n, net[i], &err) < 0)
                fail_msg("%s: %s", net[i], err.msg);
            check_all(n, routings[k], NULL);
            net_close(n);
        }
}

static void random_networks(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 12; i++) {
        const int n = 2 + (int)rng_below(&rng, 6);
        struct net *net = nets_random(&rng, n, (int)rng_below(&rng, 8), i % 3 == 0);
        double capacity[200];

        EACH_ROW(l, capacity)
            capacity[l] = scene_between(&rng, 0.1, 10);
        EACH_ROW(k, routings)
            if (!(i % 3 == 0 && strcmp(routings[k], "updown") == 0))
                check_all(net, routings[k], i % 2 ? capacity : NULL);
        net_close(net);
    }
}

/* ---- folded ---- */

static void folded_is_unfolded(void **state)
{
    static const char *const net[] = { "torus:4x4", "torus:5x4x3", "hypercube:4", "ring:8", "ring:6,directed=yes",
                                       "midimew:23", "torus:6x4", "mesh:4x4", "fattree:4", "dragonfly,a=3,p=1,h=1",
                                       "star:6", "mesh:4x3,bandwidth=0.5+1" };

    (void)state;
    EACH_ROW(i, net)
        EACH_ROW(k, routings) {
            struct routing r = { 0 };
            struct net *n = NULL;
            struct worst w[2];
            char name[300];

            assert_int_equal(net_open(&n, net[i], &err), 0);
            if (routing_open(&r, n, routings[k], &err) == 0) {
                snprintf(name, sizeof name, "%s, %s", net[i], routings[k]);
                for (int u = 0; u < 2; u++)
                    open_worst(&w[u], n, &r, NULL, &(struct worst_options){ .unfolded = u, .every_link = true });
                scene_near(name, w[0].theta, w[1].theta, 1e-12);
                scene_near(name, w[0].uniform, w[1].uniform, 1e-12);
                scene_near(name, w[0].uniform_hops, w[1].uniform_hops, 1e-12);
                assert_int_equal(w[0].nall, w[1].nall);
                for (size_t l = 0; l < w[0].nall; l++) {
                    assert_int_equal(w[0].link_from[l], w[1].link_from[l]);
                    assert_int_equal(w[0].link_to[l], w[1].link_to[l]);
                    scene_near(name, w[0].link_worst[l], w[1].link_worst[l], 1e-12);
                    scene_near(name, w[0].link_uniform[l], w[1].link_uniform[l], 1e-12);
                }
                worst_close(&w[0]);
                worst_close(&w[1]);
                routing_close(&r);
            }
            net_close(n);
        }
}

/* ---- named permutations, and the worst one sent as a list ---- */

static double theta_of(struct scene *s, double *link, size_t nlink)
{
    struct flows f;
    double most = 0;

    scene_flows(&f, s, true);
    assert_int_equal(f.nlink, nlink);
    assert_int_equal(flows_load(&f, NULL, link, NULL, &err), 0);
    for (size_t l = 0; l < f.nlink; l++)
        most = fmax(most, link[l]);
    flows_release(&f);
    return 1 / most;
}

static void random_permutation(struct traffic *t, struct net *net, struct rng *rng)
{
    int *to = calloc((size_t)net->nterminal, sizeof *to);

    assert_non_null(to);
    *t = (struct traffic){ .net = net };
    for (int i = 0; i < net->nterminal; i++)
        to[i] = i;
    do
        rng_shuffle(rng, to, (size_t)net->nterminal);
    while (to[0] == 0);
    assert_int_equal(traffic_room(t, (size_t)net->nterminal, &err), 0);
    for (int i = 0; i < net->nterminal; i++)
        if (to[i] != i)
            traffic_add(t, net_terminal(net, i), net_terminal(net, to[i]));
    free(to);
}

static void check_named(const char *net, const char *routing, struct rng *rng)
{
    static const char *const named[] = { "transpose", "tornado", "complement", "bit-reversal", "perfect-shuffle",
                                         "butterfly", "neighbour", "uniform" };
    struct scene s = { .name = "named" };
    struct worst w;
    double *link;

    assert_int_equal(net_open(&s.net, net, &err), 0);
    if (routing_open(&s.routing, s.net, routing, &err) < 0) {
        net_close(s.net);
        return;
    }
    open_worst(&w, s.net, &s.routing, NULL, &(struct worst_options){ .every_link = true });
    link = scene_reals(w.nall);
    for (size_t k = 0; k < COUNT(named) + 6; k++) {
        double theta;

        if (k >= COUNT(named))
            random_permutation(&s.traffic, s.net, rng);
        else if (traffic_open(&s.traffic, s.net, named[k], &err) < 0)
            continue;
        theta = theta_of(&s, link, w.nall);
        if (!(w.theta <= theta * (1 + 1e-9)))
            fail_msg("%s, %s: worst %.17g, but traffic %zu allows %.17g only", net, routing, w.theta, k, theta);
        for (size_t l = 0; l < w.nall; l++)
            assert_true(link[l] <= w.link_worst[l] + 1e-9);
        traffic_release(&s.traffic);
    }
    s.traffic = (struct traffic){ .net = s.net };
    assert_int_equal(traffic_room(&s.traffic, (size_t)w.senders, &err), 0);
    for (int i = 0; i < w.n; i++)
        if (w.target[i] >= 0)
            traffic_add(&s.traffic, net_terminal(s.net, i), w.target[i]);
    scene_near(net, theta_of(&s, link, w.nall), w.theta, 2e-10);
    for (size_t l = 0; l < w.nall; l++)
        if (w.link_from[l] == w.from && w.link_to[l] == w.to)
            scene_near(net, link[l], w.load, 1e-12);
    free(link);
    worst_close(&w);
    scene_release(&s);
}

static void named_permutations(void **state)
{
    static const char *const net[] = { "torus:4x4", "mesh:4x4", "hypercube:4", "fattree:4", "random:16,degree=3,seed=3",
                                       "ring:9", "dragonfly,a=2,p=2,h=1" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    EACH_ROW(i, net)
        EACH_ROW(k, routings)
            check_named(net[i], routings[k], &rng);
}

/* ---- known answers ---- */

static double worst_of(const char *net, const char *routing, double *uniform)
{
    struct routing r = { 0 };
    struct net *n = NULL;
    struct worst w;
    double theta;

    if (net_open(&n, net, &err) < 0 || routing_open(&r, n, routing, &err) < 0)
        fail_msg("%s, %s: %s", net, routing, err.msg);
    open_worst(&w, n, &r, NULL, &(struct worst_options){ 0 });
    assert_true(w.gap <= 1e-9);
    theta = w.theta;
    if (uniform)
        *uniform = w.uniform;
    worst_close(&w);
    routing_close(&r);
    net_close(n);
    return theta;
}

/* Rings and square tori by dimension order. With ties one way, h = floor(k / 2) nodes before a link all send over it
 * to the h behind. With ties split, pairs half-way round count half: on an even ring h - 1 others are the most; in
 * two dimensions a whole row may send to the h nodes behind the link, all but the last of which get whole messages,
 * and that one halves. A mesh's last link of a column carries all that goes to the k - 1 nodes behind it. */
/* Seo et al. 2005: nobody does better than k/2 where k is even, which is half of the nodes sending over the k links of
 * the cut through the middle; where k is odd, than (k^2 - 1) / 2k, of which o1turn falls short by a part 1/k^2. */
static void check_o1turn(const char *mesh, int k)
{
    const double load = 1 / worst_of(mesh, "o1turn", NULL), best = k % 2 ? (k * k - 1) / (2.0 * k) : k / 2.0;

    if (load < best * (1 - 1e-9) || load > k / 2.0 * (1 + 1e-9))
        fail_msg("%s, o1turn: %.17g on the busiest link, not between %.17g and %.17g", mesh, load, best, k / 2.0);
}

static void dimension_order(void **state)
{
    (void)state;
    for (int k = 3; k <= 11; k++) {
        const double h = k / 2;
        const bool odd = k % 2;
        char net[40];

        snprintf(net, sizeof net, "ring:%d", k);
        scene_near(net, 1 / worst_of(net, "dor", NULL), h, 1e-9);
        if (k > 4)
            scene_near(net, 1 / worst_of(net, "dor,tie=split", NULL), odd ? h : h - 1, 1e-9);
        snprintf(net, sizeof net, "torus:%dx%d", k, k);
        scene_near(net, 1 / worst_of(net, "dor", NULL), h, 1e-9);
        if (k > 4)
            scene_near(net, 1 / worst_of(net, "dor,tie=split", NULL), odd ? h : h - 0.5, 1e-9);
        snprintf(net, sizeof net, "mesh:%dx%d", k, k);
        scene_near(net, 1 / worst_of(net, "dor", NULL), k - 1, 1e-9);
        check_o1turn(net, k);
        snprintf(net, sizeof net, "ring:%d,directed=yes", k);
        scene_near(net, 1 / worst_of(net, "dor", NULL), k - 1, 1e-9);
        snprintf(net, sizeof net, "complete:%d", k);
        scene_near(net, worst_of(net, "minimal", NULL), 1, 1e-9);
    }
}

/* A link of dimension i of a hypercube fixes what the dimensions before it are of the target, those after it of the
 * source: 2^i sources or targets are left on one side, 2^(d - 1 - i) on the other. */
static void hypercubes(void **state)
{
    (void)state;
    for (int d = 1; d <= 8; d++) {
        char net[40];

        snprintf(net, sizeof net, "hypercube:%d", d);
        scene_near(net, 1 / worst_of(net, "dor", NULL), 1 << (d - 1) / 2, 1e-9);
    }
}

/* The eight symmetries of a square mesh make six of its 48 links; a narrow link takes most of them away. */
static void alike(void **state)
{
    struct scene s;
    struct worst w[2];
    double capacity[48];

    (void)state;
    scene_open(&s, "mesh:4x4", "uniform", "ecmp");
    for (int narrow = 0; narrow < 2; narrow++) {
        EACH_ROW(l, capacity)
            capacity[l] = narrow && l == 17 ? 0.125 : 2;
        for (int i = 0; i < 2; i++)
            open_worst(&w[i], s.net, &s.routing, capacity,
                       &(struct worst_options){ .unfolded = i, .every_link = true });
        scene_near("alike", w[0].theta, w[1].theta, 1e-12);
        assert_int_equal(w[0].from, w[1].from);
        assert_int_equal(w[0].to, w[1].to);
        assert_int_equal(w[1].solved, 48);
        assert_true(narrow ? w[0].solved > 6 : w[0].solved == 6);
        for (size_t l = 0; l < w[0].nall; l++)
            scene_near("alike", w[0].link_worst[l], w[1].link_worst[l], 1e-12);
        worst_close(&w[0]);
        worst_close(&w[1]);
    }
    scene_release(&s);
}

/* Over a random node, every traffic is as good as uniform. On square tori with ties upward that is twice h (h + 1) /
 * 2 k. */
static void valiant(void **state)
{
    static const char *const any[] = { "mesh:4x3", "hypercube:4", "random:12,degree=3,seed=2", "star:7", "fattree:4",
                                       "complete:9", "ring:6,directed=yes" };
    double uniform, theta;

    (void)state;
    EACH_ROW(i, any) {
        theta = worst_of(any[i], "valiant", &uniform);
        scene_near(any[i], theta, uniform, 1e-9);
    }
    for (int k = 3; k <= 72; k += k < 12 ? 1 : 60) {
        const int h = k / 2;
        char net[40];

        snprintf(net, sizeof net, "torus:%dx%d", k, k);
        scene_near(net, 1 / worst_of(net, "valiant", &uniform), (double)h * (h + 1) / k, 1e-9);
    }
}

/* Doubled capacities double what a node may inject, and do not unfold. */
static void capacities(void **state)
{
    struct scene s;
    struct worst w[2];
    double two[64];

    (void)state;
    scene_open(&s, "torus:4x4", "uniform", "ecmp");
    EACH_ROW(l, two)
        two[l] = 2;
    open_worst(&w[0], s.net, &s.routing, NULL, &(struct worst_options){ 0 });
    open_worst(&w[1], s.net, &s.routing, two, &(struct worst_options){ 0 });
    scene_near("twice the capacity", w[1].theta, 2 * w[0].theta, 1e-12);
    scene_near("twice the capacity, uniform", w[1].uniform, 2 * w[0].uniform, 1e-12);
    assert_int_equal(w[1].nlink, 4);
    worst_close(&w[1]);
    two[7] = 0.25;
    open_worst(&w[1], s.net, &s.routing, two, &(struct worst_options){ 0 });
    scene_near("a narrow link", w[1].theta, w[0].theta / 4, 1e-10);
    scene_near("a narrow link, uniform", w[1].uniform, w[0].uniform / 4, 1e-12);
    assert_int_equal(w[1].nlink, 64);
    worst_close(&w[0]);
    worst_close(&w[1]);
    two[7] = 0;
    assert_int_equal(worst_open(&w[0], s.net, &s.routing, two, &(struct worst_options){ 0 }, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    scene_release(&s);
}

/* The same for any number of threads, to the last bit. */
/* The worst permutation as a traffic: the routing's own throughput of it is the worst there is. */
static void as_traffic(void **state)
{
    static const char *const rows[][2] = {
        { "torus:5x4", "dor" }, { "mesh:4x3", "ecmp" }, { "random:14,degree=3", "minimal" }, { "fattree:4", "ecmp" },
          { "torus:4x3", "valiant" },
        { "random:12,degree=3", "updown" }, { "torus:5x5", "metapath:sga:1" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct throughput_options o = { 0 };
        struct worst_options wanted = { 0 };
        struct throughput t;
        struct traffic traffic;
        struct demand d;
        struct worst w;
        struct routing r;
        struct net *net = NULL;
        char text[60];

        assert_int_equal(net_open(&net, rows[i][0], &err), 0);
        assert_int_equal(routing_open(&r, net, rows[i][1], &err), 0);
        open_worst(&w, net, &r, NULL, &wanted);
        snprintf(text, sizeof text, "worst:%s", rows[i][1]);
        assert_int_equal(load_traffic(&traffic, net, text, NULL, &wanted, &err), 0);
        assert_string_equal(traffic.spec, text);
        assert_string_equal(traffic.kind->name, "worst");
        assert_int_equal(traffic.nstream, w.senders);
        assert_int_equal(demand_open(&d, &traffic, 10, NULL, &err), 0);
        assert_int_equal(throughput_of_routing(&t, net, &d, &r, &o, &err), 0);
        scene_near(rows[i][0], t.theta, w.theta, 1e-9);
        throughput_close(&t);
        demand_close(&d);
        traffic_release(&traffic);
        worst_close(&w);
        routing_close(&r);
        net_close(net);
    }
}

static void threads(void **state)
{
    struct scene s;
    struct worst w[3];

    (void)state;
    scene_open(&s, "random:30,degree=3,seed=5", "uniform", "ecmp");
    for (int i = 0; i < 3; i++)
        open_worst(&w[i], s.net, &s.routing, NULL, &(struct worst_options){ .jobs = 1 + 2 * i });
    for (int i = 1; i < 3; i++) {
        assert_true(w[i].load == w[0].load && w[i].bound == w[0].bound && w[i].hops == w[0].hops);
        assert_int_equal(w[i].from, w[0].from);
        assert_int_equal(w[i].solved, w[0].solved);
        assert_memory_equal(w[i].target, w[0].target, (size_t)w[0].n * sizeof *w[0].target);
    }
    assert_true(w[0].solved < w[0].nlink);
    for (int i = 0; i < 3; i++)
        worst_close(&w[i]);
    scene_release(&s);
}

static int stop(void *arg, double done)
{
    return done >= *(double *)arg;
}

static void refusals(void **state)
{
    struct worst w = { 0 };
    struct scene s;

    (void)state;
    scene_open(&s, "torus:4x4", "uniform", "metapath:sga:1,shares=bandwidth");
    assert_int_equal(worst_open(&w, s.net, &s.routing, NULL, &(struct worst_options){ 0 }, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.msg, "shares=bandwidth"));
    scene_release(&s);
    scene_open(&s, "torus:4x4", "uniform", "ecmp");
    for (double at = 0; at < 1; at += 0.1) {
        const struct tick t = { stop, &at, 0, 1, NULL };

        if (worst_open(&w, s.net, &s.routing, NULL, &(struct worst_options){ .unfolded = true, .tick = &t }, &err) == 0)
            worst_close(&w);
        else
            assert_int_equal(err.code, ERR_STOPPED);
    }
    scene_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_networks), cmocka_unit_test(random_networks), cmocka_unit_test(folded_is_unfolded),
        cmocka_unit_test(named_permutations), cmocka_unit_test(dimension_order), cmocka_unit_test(hypercubes),
        cmocka_unit_test(valiant), cmocka_unit_test(alike), cmocka_unit_test(capacities), cmocka_unit_test(as_traffic),
        cmocka_unit_test(threads), cmocka_unit_test(refusals),
    };
    int failed;

    net_setup();
    seed = check_seed();
    failed = cmocka_run_group_tests_name("worst", tests, NULL, NULL);
    net_teardown();
    return failed;
}
