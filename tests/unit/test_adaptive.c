/* Fully adaptive routing and Duato's condition for it, against messages walked one by one: every shortest path of every
 * pair, and on it each link of the escape that a message may hold before each that it may wait for. Cycles by
 * transitive closure; published numbers of channels; what waits is shown by routes that do.
 *   routing   hops against ecmp's, and against distances of igraph
 *   paths     recursion over neighbours that are nearer; classes read once more from their definitions
 *   verdicts  closure, causes, channels that are known
 *   latency   which channels are enough there. SEED=n repeats */
#include <stdio.h>
#include <string.h>

#include "analysis/deadlock/dependencies.h"
#include "analysis/latency/latency_domain.h"
#include "analysis/policy/policy.h"
#include "model/routing/adaptive.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

enum { LINKS = 256, LONGEST = 16 };

static struct err err;

struct pair {                       /* an adaptive routing and its escape */
    struct routing r, escape;
};

static void pair_open(struct pair *p, struct net *net, const char *escape)
{
    if (routing_open(&p->escape, net, escape, &err) < 0 || adaptive_open(&p->r, net, &p->escape, &err) < 0)
        fail_msg("%s on %s: %s", escape, net->spec, err.msg);
}

static void pair_close(struct pair *p)
{
    routing_close(&p->r);
    routing_close(&p->escape);
}

/* ---- routing ---- */

static int by_node(const void *a, const void *b)
{
    return ((const struct hop *)a)->node - ((const struct hop *)b)->node;
}

static void check_hops(struct pair *p, struct routing *ecmp, const int *hops, int a, int b)
{
    const size_t n = (size_t)p->r.net->n;
    struct hop *got = calloc(p->r.most, sizeof *got), *want = calloc(ecmp->most, sizeof *want), escape[2];
    size_t ngot, nwant, one;

    assert_true(got && want);
    assert_int_equal(p->r.route->next(got, &ngot, &p->r, a, -1, b, &err), 0);
    assert_int_equal(ecmp->route->next(want, &nwant, ecmp, a, -1, b, &err), 0);
    assert_int_equal(p->escape.route->next(escape, &one, &p->escape, a, -1, b, &err), 0);
    assert_int_equal(one, 1);
    assert_int_equal(ngot, nwant);
    assert_true(ngot <= p->r.most);
    assert_int_equal(got[0].node, escape[0].node);
    for (size_t i = 2; i < ngot; i++)
        assert_true(got[i].node > got[i - 1].node);
    qsort(got, ngot, sizeof *got, by_node);
    qsort(want, nwant, sizeof *want, by_node);
    for (size_t i = 0; i < ngot; i++) {
        assert_true(got[i].node == want[i].node && got[i].cable == want[i].cable && got[i].share == want[i].share);
        assert_int_equal(hops[(size_t)got[i].node * n + (size_t)b] + 1, hops[(size_t)a * n + (size_t)b]);
    }
    free(got);
    free(want);
}

static void routing_is_all_minimal_hops(void **state)
{
    static const struct { const char *net, *escape; } rows[] = {
        { "mesh:5x4x3", "dor" }, { "torus:5x4", "dor,order=1+2,tie=down" }, { "torus:4x4", "minimal" },
        { "hypercube:4", "dor" }, { "fattree:4", "dmodk" }, { "random:20,degree=3", "spread" },
        { "dragonfly,a=4,p=2,h=2", "minimal" }, { "hyperx:4x3", "dor" }, { "circulant:13,jumps=1+5", "dor" },
        { "ring:7,directed=yes", "dor" }, { "examples/networks/leaf-spine.csv", "spread" }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = measure_open(rows[i].net);
        int *hops = measure_hops(net);
        struct routing ecmp;
        struct pair p;

        pair_open(&p, net, rows[i].escape);
        assert_int_equal(routing_open(&ecmp, net, "ecmp", &err), 0);
        for (int a = 0; a < net->n; a++)
            for (int b = 0; b < net->n; b++)
                if (a != b)
                    check_hops(&p, &ecmp, hops, a, b);
        routing_close(&ecmp);
        pair_close(&p);
        net_close(net);
        free(hops);
    }
}

static void escapes_are_refused(void **state)
{
    static const char *const escapes[] = { "ecmp", "valiant", "updown", "o1turn", "dor,tie=split", "metapath:sga:1" };
    struct net *net = measure_open("torus:4x4");

    (void)state;
    EACH_ROW(i, escapes) {
        struct routing escape, r = { .most = 77 };

        assert_int_equal(routing_open(&escape, net, escapes[i], &err), 0);
        assert_int_equal(adaptive_open(&r, net, &escape, &err), -1);
        assert_true(err.code == ERR_USAGE && strstr(err.msg, "is no escape") && r.most == 77);
        routing_close(&escape);
    }
    net_close(net);
}

/* ---- paths ---- */

struct twin {
    struct net *net;
    struct routing *escape;
    const struct deadlock *d;
    const char *scheme;
    const int *hops;
    int level[LINKS];               /* of a breadth-first tree, by node */
    int nlink, *tail, *head;        /* as judged */
    size_t n;
    bool *used, *waits;             /* [n], [n * n] */
    int path[LONGEST], length, target;      /* links of the path at hand */
};

/* Whether the escape may take a link at its beginning, on the way to the target. */
static bool twin_escapes(const struct twin *t, int link)
{
    int first = link;
    struct hop hop[2];
    size_t one;

    while (first > 0 && t->tail[first - 1] == t->tail[link] && t->head[first - 1] == t->head[link])
        first--;
    assert_int_equal(t->escape->route->next(hop, &one, t->escape, t->tail[link], -1, t->target, &err), 0);
    return t->head[link] == hop[0].node && (hop[0].cable == 0 || hop[0].cable == link - first + 1);
}

static int dimension(const struct twin *t, int link)
{
    int a[NET_DIMENSIONS], b[NET_DIMENSIONS], d = 0;

    net_coordinates(t->net, t->tail[link], a);
    net_coordinates(t->net, t->head[link], b);
    while (a[d] == b[d])
        d++;
    return d;
}

/* Of `link` after the first n of the path: whether the dateline of its dimension was crossed among them; hops; turns
 * from down to up of a tree. */
static int twin_class(const struct twin *t, int n, int link)
{
    int class = 0;
    bool down = false;

    if (strcmp(t->scheme, "hops") == 0)
        return n;
    for (int i = 0; strcmp(t->scheme, "dateline") == 0 && i < n; i++) {
        const int d = dimension(t, t->path[i]);
        int a[NET_DIMENSIONS], b[NET_DIMENSIONS];

        net_coordinates(t->net, t->tail[t->path[i]], a);
        net_coordinates(t->net, t->head[t->path[i]], b);
        class = class || (d == dimension(t, link) && t->net->size[d] > 2 && abs(a[d] - b[d]) > 1);
    }
    for (int i = 0; strcmp(t->scheme, "updown") == 0 && i <= n; i++) {
        const int on = i < n ? t->path[i] : link, a = t->level[t->tail[on]], b = t->level[t->head[on]];
        const bool up = b < a || (b == a && t->head[on] < t->tail[on]);

        class += down && up;
        down = !up;
    }
    return class;
}

static void twin_walk(struct twin *t, int node)
{
    const size_t n = (size_t)t->net->n, classes = (size_t)t->d->classes.most;

    if (node == t->target)
        return;
    for (int l = 0; l < t->nlink; l++) {
        size_t wants;

        if (t->tail[l] != node || t->hops[(size_t)t->head[l] * n + (size_t)t->target] + 1 !=
            t->hops[(size_t)node * n + (size_t)t->target])
            continue;
        if (twin_escapes(t, l)) {
            const int class = twin_class(t, t->length, l);

            assert_true(class < (int)classes);
            wants = (size_t)l * classes + (size_t)class;
            t->used[wants] = true;
            for (int i = 0; i < t->length; i++)         /* held before, with any hops between */
                if (twin_escapes(t, t->path[i]))
                    t->waits[((size_t)t->path[i] * classes + (size_t)twin_class(t, i, t->path[i])) * t->n + wants] =
                        true;
        }
        assert_true(t->length < LONGEST);
        t->path[t->length++] = l;
        twin_walk(t, t->head[l]);
        t->length--;
    }
}

static void twin_open(struct twin *t, struct net *net, struct pair *p, const struct deadlock *d, const int *hops,
                      bool all)
{
    int root = 0, most = 0;

    *t = (struct twin){ .net = net, .escape = &p->escape, .d = d, .scheme = d->classes.kind->name, .hops = hops,
                        .nlink = (int)d->follow.cables, .tail = d->follow.tail, .head = d->follow.head };
    t->n = (size_t)t->nlink * (size_t)d->classes.most;
    t->used = calloc(t->n, sizeof *t->used);
    t->waits = calloc(t->n * t->n, sizeof *t->waits);
    assert_true(t->used && t->waits && net->n < LINKS);
    for (int v = 0; v < net->n; v++) {
        int next = 0;

        for (int w = 0; w < net->n; w++)
            next += hops[v * net->n + w] == 1;
        root = next > most ? v : root;
        most = next > most ? next : most;
    }
    for (int v = 0; v < net->n; v++)
        t->level[v] = hops[root * net->n + v];
    for (int a = 0; a < net->n; a++)
        for (t->target = 0; t->target < net->n; t->target++)
            if (a != t->target && (all || (net_terminal_index(net, a) >= 0 &&
                                           net_terminal_index(net, t->target) >= 0)))
                twin_walk(t, a);
}

static void twin_close(struct twin *t)
{
    free(t->used);
    free(t->waits);
}

/* ---- verdicts ---- */

static bool closes_cycle(const bool *waits, size_t n)
{
    bool *reach = malloc(n * n + 1), cyclic = false;

    assert_non_null(reach);
    memcpy(reach, waits, n * n);
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; reach[a * n + k] && b < n; b++)
                reach[a * n + b] = reach[a * n + b] || reach[k * n + b];
    for (size_t a = 0; a < n; a++)
        cyclic = cyclic || reach[a * n + a];
    free(reach);
    return cyclic;
}

/* Each route of the cycle is a shortest path whose links of the escape, towards its end, are those of the dependency,
 * one behind the other. */
static void check_causes(struct twin *t, struct deadlock *d, const char *what)
{
    struct route_path path = { 0 };

    for (size_t i = 0; i < d->ncycle; i++) {
        const int from = deadlock_place(d, d->cycle[i]), to = deadlock_place(d, d->cycle[(i + 1) % d->ncycle]);
        int first = -1, second = -1;
        size_t which;

        if (deadlock_cause(&path, &which, d, i, &err) < 0)
            fail_msg("%s: %s", what, err.msg);
        t->target = path.node[path.n - 1];
        assert_int_equal(t->hops[path.node[0] * t->net->n + t->target], path.n - 1);
        for (int k = 0; k + 1 < (int)path.n; k++) {
            if (first < 0 && path.node[k] == t->tail[from] && path.node[k + 1] == t->head[from])
                first = k;
            if (path.node[k] == t->tail[to] && path.node[k + 1] == t->head[to])
                second = k;
        }
        if (first < 0 || second <= first || !twin_escapes(t, from) || !twin_escapes(t, to))
            fail_msg("%s: a route does not wait where the cycle says", what);
    }
    route_path_release(&path);
}

static size_t compared, cycles;

static void check(struct net *net, const char *escape, const char *scheme, bool all)
{
    int *hops = measure_hops(net);
    struct pair p;

    pair_open(&p, net, escape);
    for (int unfolded = 0; unfolded < 2; unfolded++) {
        const struct deadlock_options o = { .classes = scheme, .unfolded = unfolded, .all = all };
        struct deadlock d;
        struct twin t;
        size_t used = 0, waits = 0;
        char what[300];

        snprintf(what, sizeof what, "%.99s, %s, %s%s", net->spec, escape, scheme, unfolded ? "" : ", folded");
        if (deadlock_open(&d, net, &p.r, 1, &o, &err) < 0) {
            assert_int_equal(err.code, ERR_DOMAIN);
            break;
        }
        twin_open(&t, net, &p, &d, hops, all);
        for (size_t v = 0; v < t.n; v++) {
            used += t.used[v];
            for (size_t w = 0; w < t.n; w++)
                waits += t.waits[v * t.n + w];
        }
        if (d.copies < 2)
            for (size_t v = 0; v < t.n; v++) {
                assert_int_equal(t.used[v], d.used[v]);
                for (size_t e = d.first[v]; e < d.first[v + 1]; e++)
                    if (!t.waits[v * t.n + (size_t)d.to[e]])
                        fail_msg("%s: no message holds %s (class %d) and waits for %s (class %d)", what,
                                 deadlock_label(&d, (int)v), deadlock_class(&d, (int)v),
                                 deadlock_label(&d, d.to[e]), deadlock_class(&d, d.to[e]));
            }
        if ((double)d.nused * d.copies != (double)used || d.dependencies != (double)waits)
            fail_msg("%s: %zu in use, %zu dependencies; not %.0f, %.0f", what, used, waits,
                     (double)d.nused * d.copies, d.dependencies);
        if (d.cyclic != closes_cycle(t.waits, t.n) || (d.cyclic && d.classes.free))
            fail_msg("%s: it is said to be%s cyclic", what, d.cyclic ? "" : " not");
        check_causes(&t, &d, what);
        cycles += d.cyclic;
        compared++;
        twin_close(&t);
        deadlock_close(&d);
    }
    pair_close(&p);
    free(hops);
}

static const char *const schemes[] = { "none", "dateline", "hops", "updown" };

static void of_families(void **state)
{
    static const struct { const char *net, *escape; bool all; } rows[] = {
        { "mesh:3x3", "dor", false }, { "mesh:3x3", "spread", false }, { "mesh:2x3x2", "dor,order=2+3+1", false },
        { "torus:4x4", "dor", false }, { "torus:4x4", "dor,tie=down", false }, { "torus:5x3", "dor", false },
        { "torus:5x3", "minimal", false }, { "mesh:4x3,wrap=1", "dor", false }, { "ring:8", "dor", false },
        { "ring:6,directed=yes", "dor", false }, { "hypercube:3", "dor", false }, { "hyperx:3x3", "dor", false },
        { "circulant:9,jumps=1+3", "dor", false }, { "fattree:4", "dmodk", false }, { "fattree:4", "spread", true },
        { "random:12,degree=3,seed=4", "spread", false }, { "torus:4x3,fail=0.0-0.1", "minimal", false },
        { "dragonfly,a=2,p=1,h=1", "minimal", true }
    };

    (void)state;
    EACH_ROW(i, rows)
        EACH_ROW(k, schemes) {
            struct net *net = measure_open(rows[i].net);

            /* between groups the twin reads no datelines */
            if (strcmp(schemes[k], "dateline") != 0 || net->lines == LINES_GRID)
                check(net, rows[i].escape, schemes[k], rows[i].all);
            net_close(net);
        }
    print_message("%zu compared, %zu cyclic\n", compared, cycles);
    assert_true(compared > 80 && cycles > 15);
}

static void at_random(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int draw = 0; draw < 30; draw++) {
        const bool directed = rng_below(&rng, 4) == 0, all = rng_below(&rng, 3) == 0;
        struct net *net = nets_random(&rng, 4 + (int)rng_below(&rng, 6), (int)rng_below(&rng, 8), directed);

        if (rng_below(&rng, 2))
            nets_cables(&rng, net);
        if (rng_below(&rng, 3) == 0)
            nets_switch(&rng, net);
        EACH_ROW(k, schemes)
            if (strcmp(schemes[k], "dateline") != 0)
                check(net, rng_below(&rng, 2) ? "spread" : "minimal", schemes[k], all);
        net_close(net);
    }
}

/* Duato 1993: the first of two channels dimension order's on meshes and hypercubes, two of three on rings with
 * datelines; up and down alone in a fat tree. Without an escape shortest paths of a mesh close cycles. */
static void published(void **state)
{
    static const struct {
        const char *net, *policy, *classes;
        int channels;                               /* of the escape, as few as do; 0: cycles */
    } rows[] = {
        { "mesh:3x3", "adaptive", "none", 1 }, { "mesh:5x4x3", "adaptive", "none", 1 },
        { "hypercube:4", "adaptive", "none", 1 }, { "fattree:4", "adaptive", "none", 1 },
        { "fattree:6", "adaptive,escape=spread", "none", 1 }, { "torus:3x3", "adaptive", "dateline", 1 },
        { "torus:4x4", "adaptive", "none", 0 }, { "torus:4x4", "adaptive", "dateline", 2 },
        { "torus:5x4x3", "adaptive", "dateline", 2 }, { "torus:8x8", "adaptive", "none", 0 },
        { "torus:8x8", "adaptive", "dateline", 2 }, { "torus:8x8", "adaptive,tie=down", "dateline", 2 },
        { "ring:8", "adaptive", "none", 0 }, { "ring:8", "adaptive", "dateline", 2 },
        { "mesh:3x3", "ecmp", "none", 0 }
    };

    (void)state;
    EACH_ROW(i, rows) {
        const struct deadlock_options o = { .classes = rows[i].classes };
        struct net *net = measure_open(rows[i].net);
        struct configurations conf = { 0 };
        struct deadlock_need need = { 0 };
        struct deadlock_advice advice = { 0 };
        struct routing ecmp = { 0 };
        struct traffic traffic;
        struct deadlock d;

        assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
        if (!policy_is(rows[i].policy))
            assert_int_equal(routing_open(&ecmp, net, rows[i].policy, &err), 0);
        else if (policy_routings(&conf, rows[i].policy, net, &traffic, &err) < 0)
            fail_msg("%s on %s: %s", rows[i].policy, rows[i].net, err.msg);
        assert_true(ecmp.route || conf.routing[0].escape);
        assert_int_equal(deadlock_open(&d, net, ecmp.route ? &ecmp : conf.routing, 1, &o, &err), 0);
        if (d.cyclic != !rows[i].channels)
            fail_msg("%s, %s, %s: %d", rows[i].net, rows[i].policy, rows[i].classes, d.cyclic);
        if (!d.cyclic) {
            assert_int_equal(deadlock_need(&need, &d, &err), 0);
            assert_int_equal(need.channels, rows[i].channels);
        } else if (conf.n) {
            assert_int_equal(deadlock_advise(&advice, net, conf.routing, 1, &o, &err), 0);
            assert_string_equal(advice.scheme, "dateline");
            assert_int_equal(advice.channels, 2);
        }
        free(advice.scheme);
        deadlock_need_release(&need);
        deadlock_close(&d);
        configurations_release(&conf);
        routing_close(&ecmp);
        traffic_release(&traffic);
        net_close(net);
    }
}

static void held_is_refused(void **state)
{
    struct net *net = measure_open("mesh:3x3");
    struct pair p;

    (void)state;
    pair_open(&p, net, "dor");
    for (int holds = HOLDS_CABLES; holds <= HOLDS_BUFFERS; holds++) {
        const struct deadlock_options o = { .holds = (enum deadlock_holds)holds };
        struct deadlock d;

        assert_int_equal(deadlock_open(&d, net, &p.r, 1, &o, &err), -1);
        assert_true(err.code == ERR_DOMAIN && strstr(err.msg, "an escape is of channels of links"));
    }
    pair_close(&p);
    net_close(net);
}

/* ---- latency ---- */

/* A channel more than the escape needs, whatever scheme; all serve all messages. */
static void channels_that_are_enough(void **state)
{
    static const struct {
        const char *net, *policy, *classes;
        int vcs;
        bool lacks;
    } rows[] = {
        { "mesh:4x4", "adaptive", NULL, 2, false }, { "mesh:4x4", "adaptive", NULL, 1, true },
        { "torus:8x8", "adaptive", NULL, 3, false }, { "torus:8x8", "adaptive", NULL, 2, true },
        { "torus:8x8", "adaptive", "none", 4, true }, { "torus:8x8", "adaptive", "dateline", 3, false },
        { "torus:3x3", "adaptive", NULL, 2, false }, { "torus:8x8", "adaptive,escape=spread", NULL, 8, true },
        { "torus:4x4", "adaptive,escape=spread", "hops", 8, false }, { "fattree:4", "adaptive", NULL, 2, false }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct latency_options o = { .collide = { .switching = switching_find("virtual-channel", &err), .time = 10,
                                                  .hop_time = 1, .jobs = 1 },
                                     .open = true, .terminals = true, .classes = rows[i].classes };
        struct net *net = measure_open(rows[i].net);
        struct traffic traffic;
        struct policy p;

        o.collide.router = *o.collide.switching->router;
        o.collide.router.vcs = rows[i].vcs;
        assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
        if (policy_open(&p, rows[i].policy, net, &traffic, &o, &err) < 0)
            fail_msg("%s on %s: %s", rows[i].policy, rows[i].net, err.msg);
        if (latency_lacks_classes(&p.study) != rows[i].lacks || p.study.o.collide.router.classes != 1 ||
            latency_may_deadlock(&p.study) != (rows[i].vcs == 1))
            fail_msg("%s on %s with %d channels", rows[i].policy, rows[i].net, rows[i].vcs);
        policy_close(&p);
        if (rows[i].classes) {                      /* a channel less than enough is refused where a scheme is said */
            o.collide.router.vcs = rows[i].lacks ? 1 : 2;
            assert_int_equal(policy_open(&p, rows[i].policy, net, &traffic, &o, &err), -1);
            assert_true(err.code == ERR_DOMAIN && strstr(err.msg, "virtual channels of each link"));
        }
        traffic_release(&traffic);
        net_close(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routing_is_all_minimal_hops), cmocka_unit_test(escapes_are_refused),
        cmocka_unit_test(of_families), cmocka_unit_test(at_random), cmocka_unit_test(published),
        cmocka_unit_test(held_is_refused), cmocka_unit_test(channels_that_are_enough)
    };

    net_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
