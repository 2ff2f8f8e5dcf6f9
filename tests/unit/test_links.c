/* Links as they are: several cables a pair, bandwidths, lengths, each way its own, in what messages wait and take.
 * Against slow twins that write every cable of every way out, closed forms, and what must not change. SEED=n repeats
 * the random part. */
#include <igraph.h>
#include <string.h>
#include <unistd.h>

#include "analysis/policy/narrowest.h"
#include "analysis/policy/split.h"
#include "tests/support/check.h"
#include "tests/support/child.h"
#include "tests/support/nets.h"
#include "tests/support/paths.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

static const struct switching *any_switching(struct rng *rng)
{
    size_t n = 0;

    while (switching_all[n])
        n++;
    return switching_all[rng_below(rng, n)];
}

/* ---- twins ---- */

/* Of open sources where messages hold links: else routers' waits are those of test_router.c. */
static void twins(bool open)
{
    struct rng rng;
    int settled = 0;

    rng_seed(&rng, seed + open);
    for (int trial = 0; trial < 80; trial++) {
        const struct switching *how = any_switching(&rng);
        struct scene s;
        struct solver v;
        struct paths p;
        double *want, interval;
        bool fits;

        while (open && !how->hold)
            how = any_switching(&rng);
        scene_cables(&s, &rng, 8);
        if (trial % 3 == 0)
            scene_own_times(&s, &rng);
        solver_open(&v, &s, how->name, true);
        paths_open(&p, &s.traffic, &s.routing, s.terminals);
        want = scene_reals((size_t)p.nsource);
        interval = scene_interval(&v.flows, scene_between(&rng, 0.02, open ? 1 : 0.5));
        fits = (open ? paths_open_sources : paths_closed)(&p, interval, 25, how, want);
        if (open && (collide_open_solve(&v.collide, &(struct load){ interval, 1 }, &err) == 0) != fits)
            fail_msg("%s, %s: %s", s.name, how->name, fits ? err.msg : "no error");
        if (!open && fits)
            solver_closed(&v, interval);
        for (size_t i = 0; fits && i < v.flows.nsource; i++)
            if (!(fabs(v.collide.latency[i] - want[i]) <= 2e-7 * want[i]))
                fail_msg("%s: %s: source %zu %.12g, wanted %.12g", s.name, how->name, i, v.collide.latency[i], want[i]);
        settled += fits;
        free(want);
        paths_release(&p);
        solver_release(&v);
        scene_release(&s);
    }
    assert_true(settled >= 30);
}

static void closed_twin(void **state)
{
    (void)state;
    twins(false);
}

static void open_twin(void **state)
{
    (void)state;
    twins(true);
}

static double over_link(const struct paths *p, size_t path, int k, double time)
{
    return time / p->kind[p->port_link[p->path[path].port[k]]].bandwidth;
}

static double over_slowest(const struct paths *p, size_t path, double time)
{
    double most = 0;

    for (int k = 0; k < p->path[path].n; k++)
        most = fmax(most, over_link(p, path, k, time));
    return most;
}

/* What one way takes where messages wait as they do in the study. */
static double takes(const struct paths *p, size_t path, const struct latency_study *s, const double *wait)
{
    const struct switching *how = s->o.collide.switching;
    const struct path *way = &p->path[path];
    const double time = 25, hop = s->o.collide.hop_time;
    double sum = how->stores ? 0 : over_slowest(p, path, time);

    for (int k = 0; k < way->n; k++)
        sum += wait[way->port[k]] + (how->stores ? over_link(p, path, k, time) : 0) +
            (how->sets_up ? 3 : 1) * p->kind[p->port_link[way->port[k]]].length +
            ((k > 0) + (how->sets_up ? 2 : 0)) * hop;
    return sum;
}

static void check_source(const struct latency_study *s, const struct paths *p, const struct latency_stream *got, int i,
                         const double *wait, const double *none, const char *name)
{
    const struct switching *how = s->o.collide.switching;
    double mean = 0, square = 0, zero = 0, time = 0, least = INFINITY, most = 0, held = 0, waits = 0, service, queue;

    for (size_t k = 0; k < p->npath; k++) {
        const double all = takes(p, k, s, wait), q = p->path[k].share;

        if (p->path[k].source != i)
            continue;
        mean += q * all;
        square += q * all * all;
        zero += q * takes(p, k, s, none);
        time += q * over_slowest(p, k, 25);
        held += q * (how->hold ? over_slowest(p, k, 25) : over_link(p, k, 0, 25));
        least = fmin(least, all);
        most = fmax(most, all);
        for (int at = 0; at < p->path[k].n; at++)
            waits += q * wait[p->path[k].port[at]];
    }
    service = held + (how->hold ? waits : 0);       /* Pollaczek and Khinchine */
    queue = !s->o.open ? 0 : service < got->interval ?
        (service * service + (service - held) * (service - held)) / (2 * (got->interval - service)) : INFINITY;
    scene_near(name, got->latency, mean + queue, 1e-8);
    scene_near(name, got->zero, zero, 1e-9);
    scene_near(name, got->time, time, 1e-9);
    scene_near(name, got->load, 25 / got->interval, 1e-12);
    scene_near(name, got->least, least + queue, 1e-8);
    scene_near(name, got->most, most + queue, 1e-8);
    if (!(fabs(got->spread - sqrt(fmax(0, square - mean * mean))) <= 1e-6 * mean))
        fail_msg("%s: spread %.12g, wanted %.12g", name, got->spread, sqrt(square - mean * mean));
}

/* What a study says of channels, links and capacity, against its ways one by one. */
static void ways_one_by_one(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 2);
    for (int trial = 0; trial < 60; trial++) {
        const struct latency_options o = {
            .collide = { .switching = any_switching(&rng), .time = 25, .hop_time = trial % 3 }, .open = trial % 2,
            .unfolded = true, .terminals = trial % 4 > 1
        };
        struct latency_study s;
        struct latency_stream *c;
        struct latency_link *l;
        struct scene scene;
        struct paths p;
        struct load load;
        double *wait, *none, *busy, most = 0;
        size_t n, nlink;

        scene_cables(&scene, &rng, 7);
        assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
        load = (struct load){ 4 * latency_capacity_interval(&s), 1 };
        if (latency_solve(&s, &load, &err) < 0) {
            latency_close(&s);
            scene_release(&scene);
            continue;
        }
        paths_open(&p, &scene.traffic, &scene.routing, o.terminals);
        wait = scene_reals(p.nport);
        none = scene_reals(p.nport);
        busy = scene_reals(p.nlink);
        for (size_t g = 0; g < s.flows.nport; g++)
            wait[paths_port(&p, &s.flows, g)] = s.collide.wait[g];
        assert_int_equal(latency_streams(&c, &n, &s, &err), 0);
        assert_int_equal(n, p.nsource);
        for (int i = 0; i < p.nsource; i++)
            check_source(&s, &p, &c[i], i, wait, none, scene.name);
        assert_int_equal(latency_links(&l, &nlink, &s, &err), 0);
        for (size_t k = 0; k < p.npath; k++)
            for (int at = 0; at < p.path[k].n; at++)
                busy[p.port_link[p.path[k].port[at]]] += p.path[k].share * s.collide.rate[p.path[k].source] *
                    over_link(&p, k, at, 25);
        for (size_t k = 0; k < nlink; k++)
            for (size_t at = 0; at < p.nlink; at++)
                if (p.link[at][0] == l[k].from && p.link[at][1] == l[k].to &&
                    p.link[at][2] == (l[k].from < 0 || l[k].to < 0 ? 0 : s.flows.link_cable[l[k].link] +
                                      (s.flows.link_cable[l[k].link] == 0)))
                    scene_near(scene.name, l[k].busy, busy[at], 1e-8);
        memset(busy, 0, p.nlink * sizeof *busy);
        for (size_t k = 0; k < p.npath; k++)
            for (int at = 0; at < p.path[k].n; at++)
                busy[p.port_link[p.path[k].port[at]]] += p.path[k].share * over_link(&p, k, at, 25);
        for (size_t at = 0; at < p.nlink; at++)
            most = fmax(most, busy[at]);
        scene_near(scene.name, latency_capacity_interval(&s), most, 1e-9);
        free(c);
        free(l);
        free(wait);
        free(none);
        free(busy);
        paths_release(&p);
        latency_close(&s);
        scene_release(&scene);
    }
}

/* ---- routings ---- */

/* Three cables lead from node 0 to node 1, one to node 2, and from there on to each of many: half or three quarters go
 * by node 1, and of the hash's choices, one cable each, about a quarter by each cable. */
static void shares_of_cables(void **state)
{
    enum { TARGETS = 2000 };
    static const struct { const char *routing; double first; } by[] = {
        { "ecmp", 0.75 }, { "ecmp,per=cable", 0.75 }, { "ecmp,per=neighbour", 0.5 }, { "minimal", 1 }
    };
    int *end = calloc(2 * (4 + 2 * TARGETS), sizeof *end), n = 0, chosen[4] = { 0 };
    struct routing r;
    struct net *net;

    (void)state;
    assert_non_null(end);
    for (int e = 0; e < 4; e++, n++)
        end[2 * n + 1] = e < 3 ? 1 : 2;
    for (int t = 0; t < 2 * TARGETS; t++, n++) {
        end[2 * n] = 1 + t % 2;
        end[2 * n + 1] = 3 + t / 2;
    }
    net = nets_from_edges(3 + TARGETS, end, n, false);
    net->cables.parallel = true;
    EACH_ROW(i, by) {
        struct hop hop[4];
        size_t many;

        assert_int_equal(routing_open(&r, net, by[i].routing, &err), 0);
        assert_string_equal(r.spec, strcmp(by[i].routing, "ecmp,per=cable") == 0 ? "ecmp" : by[i].routing);
        assert_int_equal(r.route->next(hop, &many, &r, 0, -1, 9, &err), 0);
        assert_int_equal(many, by[i].first < 1 ? 2 : 1);
        assert_true(hop[0].node == 1 && hop[0].cable == 0 && fabs(hop[0].share - by[i].first) < 1e-15);
        routing_close(&r);
    }
    assert_int_equal(routing_open(&r, net, "spread", &err), 0);
    for (int t = 0; t < TARGETS; t++) {
        struct hop hop;
        size_t many;

        assert_int_equal(r.route->next(&hop, &many, &r, 0, -1, 3 + t, &err), 0);
        assert_true(many == 1 && hop.share == 1 && (hop.node == 1 || hop.node == 2) && hop.cable >= 1);
        assert_true(hop.cable <= (hop.node == 1 ? 3 : 1));
        chosen[hop.node == 1 ? hop.cable - 1 : 3]++;
    }
    for (int c = 0; c < 4; c++)
        assert_true(abs(chosen[c] - TARGETS / 4) < 6 * sqrt(TARGETS * 3 / 16.0));
    routing_close(&r);
    net_close(net);
    free(end);
}

/* ---- closed forms ---- */

static void open_study(struct latency_study *s, struct scene *scene, const struct switching *how, bool open, double hop)
{
    const struct latency_options o = { .collide = { .switching = how, .time = 10, .hop_time = hop }, .open = open };

    assert_int_equal(latency_open(s, &scene->traffic, &scene->routing, 1, &o, &err), 0);
}

/* M/D/1. */
static double queue(double rate, double time)
{
    return rate * time * time / (2 * (1 - rate * time));
}

/* Two nodes send over links of their own, of bandwidth `in`, and then over one of bandwidth `out`. Where messages
 * hold their links, each waits there for the other alone, half of what M/D/1 makes messages of both wait. Where they
 * leave them, work is conserved (L. Shalmon and M. Kaplan 1984): what both wait as M/D/1, less what each has waited
 * for its own messages before, on a link as fast or slower all that they would, on a faster one what they wait there.
 * Flits of two that take turns delay the one that came first as well: at low load by all but 1/F^2 of what the other
 * waits, at no load by more. */
static void two_links(void **state)
{
    static const int end[] = { 0, 2, 1, 2, 2, 3 }, stream[2][2] = { { 0, 3 }, { 1, 3 } };
    static const double speed[][2] = { { 1, 4 }, { 4, 1 }, { 2, 0.5 }, { 3, 3 } };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(speed); i++)
        for (size_t w = 0; switching_all[w]; w++) {
            const struct switching *how = switching_all[w];
            const double in = speed[i / 2][0], out = speed[i / 2][1], f = 10, x = 1 / 80.0, length = i % 2 ? 7 : 0;
            const double slow = f / fmin(in, out), h = how->hold ? slow : f / out, own = how->hold ? slow : f / in;
            const double both = x * h * h / 2, turns = how->router->packets || how->hold ? 0 : 1 - 1 / (f * f);
            /* two that come at least twice as long apart as the link takes meet once at most: x h^2 / 2 */
            const double wait = how->hold ? queue(2 * x, h) / 2 : fmax(both, queue(2 * x, h) - queue(x, f / in));
            const double service = own + (how->hold ? wait : 0);
            const double before = x * (service * service + (service - own) * (service - own)) / (2 * (1 - x * service));
            const double zero = (how->stores ? f / in + f / out : slow) + 3 * (1 + (how->sets_up ? 4 : 0)) +
                (how->sets_up ? 3 : 1) * (length + length / 2);
            const double bandwidth[] = { in, in, in, in, out, out },
                lengths[] = { length, length, length, length, length / 2, length / 2 };
            const struct load load = { 1 / x, 1 };
            struct latency_summary y;
            struct latency_study s;
            struct scene scene;
            struct net *net = nets_from_edges(4, end, 3, true);

            assert_int_equal(cables_values(&net->cables, 3, bandwidth, lengths, &err), 0);
            scene_list(&scene, net, "minimal", stream, 2);
            open_study(&s, &scene, how, true, 3);
            assert_int_equal(latency_solve(&s, &load, &err), 0);
            assert_int_equal(latency_summary(&y, &s, &load, &err), 0);
            scene_near(how->name, y.zero, zero, 1e-12);
            if (!(y.wait >= (wait + turns * (1 - pow(2 * x * h, 3)) * both) * (1 - 1e-9) &&
                  y.wait <= (wait + turns * fmax(wait, both)) * (1 + 1e-9)))
                fail_msg("%s: waits %.12g, wanted %.12g, with turns up to twice that", how->name, y.wait, wait);
            scene_near(how->name, y.source_wait, before, 1e-9);
            scene_near(how->name, y.mean, zero + y.wait + before, 1e-9);
            scene_near(how->name, y.busy, fmax(2 * f / out, f / in) * x, 1e-12);
            scene_near(how->name, y.utilisation, fmax(2 * x * h, x * service), 1e-9);
            scene_near(how->name, y.capacity_interval, fmax(2 * f / out, f / in), 1e-12);
            latency_close(&s);
            scene_release(&scene);
        }
}

/* One channel alone, over a slow cable and then a fast one, and one over a fast cable alone meet on a third: what comes
 * over the slow cable holds it for as long as that takes, though both are one state. */
static void merged(void **state)
{
    static const int end[] = { 0, 2, 1, 2, 2, 3, 3, 4 }, stream[2][2] = { { 0, 4 }, { 1, 4 } };
    static const double bandwidth[] = { 1, 1, 4, 4, 8, 8, 4, 4 };
    const struct load load = { 1e9, 1 };
    struct net *net = nets_from_edges(5, end, 4, true);
    struct latency_link *l;
    struct latency_study s;
    struct scene scene;
    size_t n;

    (void)state;
    assert_int_equal(cables_values(&net->cables, 4, bandwidth, NULL, &err), 0);
    scene_list(&scene, net, "minimal", stream, 2);
    open_study(&s, &scene, &switching_wormhole, true, 0);
    assert_int_equal(latency_solve(&s, &load, &err), 0);
    assert_int_equal(s.flows.nstate, 4);
    assert_int_equal(latency_links(&l, &n, &s, &err), 0);
    scene_near("slow", l[0].utilisation, 10 / 1e9, 1e-6);
    scene_near("fast", l[1].utilisation, 2.5 / 1e9, 1e-6);
    for (int k = 2; k < 4; k++)
        scene_near("both", l[k].utilisation, 12.5 / 1e9, 1e-6);
    scene_near("busy", l[2].busy, 2 * 1.25 / 1e9, 1e-9);
    free(l);
    latency_close(&s);
    scene_release(&scene);
}

/* ---- what changes in proportion, or not at all ---- */

static void solve(struct latency_summary *y, const char *net, const char *traffic, const char *routing,
                  const struct switching *how, double hop, bool open, double interval, double factor)
{
    struct latency_study s;
    struct scene scene;
    struct load load;

    scene_open(&scene, net, traffic, routing);
    open_study(&s, &scene, how, open, hop);
    assert_int_equal(latency_saturation(&s, &err), 0);
    load = (struct load){ interval > 0 ? interval : factor * latency_capacity_interval(&s), 1 };
    if (latency_solve(&s, &load, &err) < 0)
        fail_msg("%s, %s, %s: %s", net, traffic, how->name, err.msg);
    assert_int_equal(latency_summary(y, &s, &load, &err), 0);
    latency_close(&s);
    scene_release(&scene);
}

static void twice_as_fast(void **state)
{
    static const char *const net[] = { "torus:4x4", "mesh:3x4", "fattree:4", "dragonfly,a=2,p=2,h=1", "hyperx:3x3" };
    static const char *const traffic[] = { "uniform", "hotspot:1" };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(net); i++)
        for (size_t w = 0; switching_all[w]; w++)
            for (int open = 0; open < 2; open++) {
                struct latency_summary one, two;
                char fast[80];

                snprintf(fast, sizeof fast, "%s,bandwidth=2", net[i / 2]);
                solve(&one, net[i / 2], traffic[i % 2], "auto", switching_all[w], 0, open, 0, 6);
                solve(&two, fast, traffic[i % 2], "auto", switching_all[w], 0, open, one.interval / 2, 0);
                scene_near(fast, 2 * two.mean, one.mean, 1e-9);
                scene_near(fast, 2 * two.zero, one.zero, 1e-9);
                scene_near(fast, 2 * two.most, one.most, 1e-9);
                scene_near(fast, 2 * two.longest, one.longest, 1e-9);
                scene_near(fast, 2 * two.wait + 1, one.wait + 1, 1e-9);
                scene_near(fast, 2 * two.source_wait, one.source_wait, 1e-9);
                scene_near(fast, 2 * two.capacity_interval, one.capacity_interval, 1e-9);
                scene_near(fast, 2 * two.saturation_interval, one.saturation_interval, 1e-9);
                scene_near(fast, two.load, 2 * one.load, 1e-9);
                scene_near(fast, two.saturation_load, 2 * one.saturation_load, 1e-9);
                scene_near(fast, two.busy, one.busy, 1e-9);
                scene_near(fast, two.utilisation, one.utilisation, 1e-9);
                assert_int_equal(two.validity, one.validity);
            }
}

/* Lengths are added to what messages take, and hold nothing: open sources wait as they did. */
static void longer(void **state)
{
    static const struct { const char *net, *with; double more; } by[] = {
        { "torus:4x4", "torus:4x4,latency=5", 5 * 32.0 / 15 },
        { "hypercube:3", "hypercube:3,latency=7+0+0", 7 * 4.0 / 7 },
        { "fattree:4", "fattree:4,host-latency=2,core-latency=10", 2 * 2 + 2 * 10 * 12.0 / 15 },
    };

    (void)state;
    EACH_ROW(i, by)
        for (size_t w = 0; switching_all[w]; w++) {
            const double more = by[i].more * (switching_all[w]->sets_up ? 3 : 1);
            struct latency_summary one, two;

            solve(&one, by[i].net, "uniform", "ecmp", switching_all[w], 1, true, 0, 4);
            solve(&two, by[i].with, "uniform", "ecmp", switching_all[w], 1, true, one.interval, 0);
            scene_near(by[i].with, two.mean, one.mean + more, 1e-12);
            scene_near(by[i].with, two.zero, one.zero + more, 1e-12);
            scene_near(by[i].with, two.wait, one.wait, 1e-12);
            scene_near(by[i].with, two.utilisation, one.utilisation, 1e-12);
        }
}

/* One node stands for all where bandwidths and lengths are those of dimensions. */
static void folded(void **state)
{
    static const char *const net[][2] = {
        { "torus:4x4,bandwidth=4+1,latency=0+3", "dor,tie=split" }, { "hyperx:3x4,bandwidth=1+2", "valiant" },
        { "hypercube:3,bandwidth=1+2+4", "ecmp" }, { "circulant:13,jumps=1+5,bandwidth=1+3", "ecmp" }
    };

    (void)state;
    EACH_ROW(i, net)
        for (size_t w = 0; switching_all[w]; w++) {
            struct scene s;

            scene_open(&s, net[i][0], "uniform", net[i][1]);
            s.terminals = w % 2;
            scene_folds(&s, switching_all[w]->name, 0.2);
            scene_release(&s);
        }
}

/* Every cable k times: each of the k has a k-th of what the one had. */
static void parts(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 3);
    for (int trial = 0; trial < 20; trial++) {
        const int n = 4 + (int)rng_below(&rng, 8), times = 2 + trial % 3;
        struct net *one = nets_random(&rng, n, n, trial % 4 == 3), *many;
        struct traffic t[2];
        struct routing r[2];
        struct flows f[2];
        const igraph_t *graph;
        double *load[2];
        int *end, m;

        assert_int_equal(net_graph(one, &graph, &err), 0);
        m = (int)igraph_ecount(graph);
        end = calloc(2 * (size_t)(m * times), sizeof *end);
        assert_non_null(end);
        for (int e = 0; e < m * times; e++) {
            end[2 * e] = (int)IGRAPH_FROM(graph, e % m);
            end[2 * e + 1] = (int)IGRAPH_TO(graph, e % m);
        }
        many = nets_from_edges(n, end, m * times, one->directed);
        many->cables.parallel = true;
        for (int k = 0; k < 2; k++) {
            assert_int_equal(traffic_open(&t[k], k ? many : one, "uniform", &err), 0);
            assert_int_equal(routing_open(&r[k], k ? many : one, trial % 2 ? "ecmp" : "minimal", &err), 0);
            assert_int_equal(flows_open(&f[k], &t[k], &r[k], 1, &(struct flows_options){ 0 }, &err), 0);
            load[k] = scene_reals(f[k].nlink);
            assert_int_equal(flows_load(&f[k], NULL, load[k], NULL, &err), 0);
        }
        assert_int_equal(f[1].nlink, f[0].nlink * (size_t)times);
        for (size_t l = 0; l < f[1].nlink; l++) {
            assert_int_equal(f[1].link_from[l], f[0].link_from[l / (size_t)times]);
            assert_int_equal(f[1].link_to[l], f[0].link_to[l / (size_t)times]);
            assert_int_equal(f[1].link_cable[l], l % (size_t)times + 1);
            if (!(fabs(load[1][l] * times - load[0][l / (size_t)times]) <= 1e-12 * n))
                fail_msg("link %zu: %.17g, wanted a part of %.17g", l, load[1][l], load[0][l / (size_t)times]);
        }
        for (int k = 0; k < 2; k++) {
            flows_release(&f[k]);
            routing_close(&r[k]);
            traffic_release(&t[k]);
            free(load[k]);
        }
        free(end);
        net_close(one);
        net_close(many);
    }
}

/* ---- files ---- */

#define FILE_NAME "links-test.csv"

/* The network as a list of edges, with what its links are like, but for those between `a` and `b`. */
static void write_edges(const char *path, const char *spec, int a, int b)
{
    struct net *net;
    const igraph_t *graph;
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    if (net_open(&net, spec, &err) < 0)
        fail_msg("%s: %s", spec, err.msg);
    assert_int_equal(net_graph(net, &graph, &err), 0);
    fprintf(out, "source,target,bandwidth,latency\n");
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
        struct link_kind kind;

        assert_int_equal(nets_between(&kind, 1, net, from, to), 1);
        if (!(from == a && to == b) && !(from == b && to == a))
            fprintf(out, "n%04d,n%04d,%.17g,%.17g\n", from, to, kind.bandwidth, kind.length);
    }
    fclose(out);
    net_close(net);
}

static void as_a_file(void **state)
{
    static const struct { const char *net, *as, *whole; int a, b; } same[] = {
        { "fattree:4", "file:" FILE_NAME ",terminals=leaves", "fattree:4", -1, -1 },
        { "fattree:4,bandwidth=4,host-bandwidth=1,core-latency=6", "file:" FILE_NAME ",terminals=leaves",
          "fattree:4,bandwidth=4,host-bandwidth=1,core-latency=6", -1, -1 },
        { "dragonfly,a=2,p=2,h=1,global-latency=20,global-bandwidth=2", "file:" FILE_NAME ",terminals=leaves",
          "dragonfly,a=2,p=2,h=1,global-latency=20,global-bandwidth=2", -1, -1 },
        { "hyperx:3x3,bandwidth=3+1", "file:" FILE_NAME, "hyperx:3x3,bandwidth=3+1", -1, -1 },
        { "torus:4x3,fail=0.0-0.1", "file:" FILE_NAME, "torus:4x3", 0, 1 },
        { "torus:4x3,bandwidth=2+1,fail=0.0-1.0", "file:" FILE_NAME, "torus:4x3,bandwidth=2+1", 0, 3 },
        { "hypercube:3,fail=0-4", "file:" FILE_NAME, "hypercube:3", 0, 4 },
    };

    (void)state;
    EACH_ROW(i, same) {
        write_edges(FILE_NAME, same[i].whole, same[i].a, same[i].b);
        for (size_t w = 0; switching_all[w]; w++)
            for (int open = 0; open < 2; open++) {
                struct latency_summary one, two;

                solve(&one, same[i].net, "uniform", "ecmp", switching_all[w], 1, open, 0, 6);
                solve(&two, same[i].as, "uniform", "ecmp", switching_all[w], 1, open, one.interval, 0);
                scene_near(same[i].net, two.mean, one.mean, 1e-8);
                scene_near(same[i].net, two.most, one.most, 1e-8);
                scene_near(same[i].net, two.zero, one.zero, 1e-9);
                scene_near(same[i].net, two.utilisation, one.utilisation, 1e-8);
                scene_near(same[i].net, two.capacity_interval, one.capacity_interval, 1e-9);
                scene_near(same[i].net, two.saturation_interval, one.saturation_interval, 1e-6);
            }
    }
    unlink(FILE_NAME);
}

/* Two hosts at two switches that three cables join, the middle one fast. */
static void named_ports(void **state)
{
    static const struct { const char *path, *wrong; double load[3]; } by[] = {
        { "a>s>t>b", NULL, { 1 / 3.0, 1 / 3.0, 1 / 3.0 } },
        { "a>s>t:p2>b", NULL, { 0, 1, 0 } },
        { "a>s>t:p3>b", NULL, { 0, 0, 1 } },
        { "a-s-t:p1-b", NULL, { 1, 0, 0 } },
        { "a s t:p2 b", NULL, { 0, 1, 0 } },
        { "a>s>t:p4>b", "of the cables from s to t (3) none is at port 'p4'", { 0 } },
        { "a>s>t:2>b", "of the cables from s to t (3) none is at port '2'", { 0 } },
        { "a>s>b:1>t", "no link from s to b", { 0 } },
        { "a:1>s>t>b", "'a:1' is no node", { 0 } },
    };

    (void)state;
    child_write(FILE_NAME, "source,target,bandwidth,source_port,target_port\n"
                           "a,s,1,e0,p9\ns,t,1,p1,q1\ns,t,4,p2,q2\ns,t,1,p3,q3\nt,b,1,q9,e0\n");
    child_write("links-test-channels.csv", "source,target\na,b\n");
    EACH_ROW(i, by) {
        static const char spec[] = "table:links-test-paths.csv";
        char text[200];
        struct traffic t;
        struct routing r;
        struct flows f;
        struct net *net;
        double *load;

        snprintf(text, sizeof text, "source,target,path\na,b,%s\n", by[i].path);
        child_write("links-test-paths.csv", text);
        if (net_open(&net, "file:" FILE_NAME ",terminals=leaves", &err) < 0 ||
            traffic_open(&t, net, "file:links-test-channels.csv", &err) < 0)
            fail_msg("%s", err.msg);
        if (routing_open(&r, net, spec, &err) < 0) {
            if (!by[i].wrong || !strstr(err.msg, by[i].wrong))
                fail_msg("%s: %s", by[i].path, err.msg);
        } else {
            char *label;
            int middle = 0;

            assert_null(by[i].wrong);
            assert_int_equal(flows_open(&f, &t, &r, 1, &(struct flows_options){ .terminals = true }, &err), 0);
            load = scene_reals(f.nlink);
            assert_int_equal(flows_load(&f, NULL, load, NULL, &err), 0);
            for (size_t l = 0; l < f.nlink; l++) {
                label = flows_link_label(&f, l);
                for (int k = 0; k < 3; k++) {
                    char want[20];

                    snprintf(want, sizeof want, "s>t:p%d", k + 1);
                    if (strcmp(label, want) == 0) {
                        check_near(load[l], by[i].load[k], 1e-15);
                        check_near(flows_bandwidth(&f, l), k == 1 ? 4 : 1, 1e-15);
                        middle++;
                    }
                }
                free(label);
            }
            assert_int_equal(middle, 3);
            free(load);
            flows_release(&f);
            routing_close(&r);
        }
        traffic_release(&t);
        net_close(net);
    }
    unlink(FILE_NAME);
    unlink("links-test-channels.csv");
    unlink("links-test-paths.csv");
}

/* Two ways, of which the second is three times as fast: it takes three quarters of the messages. Where messages are
 * sent as often as that lets through and no way alone does, the narrowest metapath is both ways. */
static void best_shares(void **state)
{
    static const int end[] = { 0, 1, 1, 3, 0, 2, 2, 3 }, stream[1][2] = { { 0, 3 } };
    static const double bandwidth[] = { 1, 1, 1, 1, 3, 3, 3, 3 };
    static const char *const offer[] = { "table:links-test-paths.csv,first=1", "table:links-test-paths.csv" };
    const struct latency_options o = { .collide = { .switching = &switching_cut_through, .time = 10 } };
    struct net *net = nets_from_edges(4, end, 4, true);
    struct latency_study s;
    struct split split;
    struct scene scene;
    double load[4];

    (void)state;
    child_write("links-test-paths.csv", "source,target,path\n0,3,0>1>3\n0,3,0>2>3\n");
    assert_int_equal(cables_values(&net->cables, 4, bandwidth, NULL, &err), 0);
    scene_list(&scene, net, offer[1], stream, 1);
    assert_int_equal(latency_open(&s, &scene.traffic, &scene.routing, 1, &o, &err), 0);
    scene_near("even", latency_capacity_interval(&s), 5, 1e-12);
    assert_int_equal(split_open(&split, &s, &(struct split_options){ 0 }, &err), 0);
    scene_near("largest", split.largest, 0.25, 1e-9);
    scene_near("slow", split.share[0], 0.25, 1e-9);
    scene_near("fast", split.share[1], 0.75, 1e-9);
    assert_int_equal(split_apply(&s, &split, &err), 0);
    scene_near("split", latency_capacity_interval(&s), 2.5, 1e-9);
    assert_int_equal(split_loads(load, &s, &err), 0);
    for (int l = 0; l < 4; l++)
        scene_near("load", load[l], 0.25, 1e-9);
    split_release(&split);
    latency_close(&s);
    for (int k = 0; k < 3; k++) {
        static const double interval[] = { 2.6, 2.4, 11 };
        const struct load at = { interval[k], 1 };
        struct narrowest y;

        assert_int_equal(narrowest_open(&y, &(struct guide_request){ offer, 2, &scene.traffic, net, &at, NAN,
                         false, &o }, &err), 0);
        assert_true(y.found == (k != 1));
        if (y.found)
            scene_near("ways", y.ways, k == 0 ? 2 : 1, 1e-12);
        narrowest_close(&y);
    }
    scene_release(&scene);
    unlink("links-test-paths.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_twin), cmocka_unit_test(open_twin), cmocka_unit_test(ways_one_by_one),
        cmocka_unit_test(shares_of_cables),
        cmocka_unit_test(two_links), cmocka_unit_test(merged), cmocka_unit_test(twice_as_fast),
        cmocka_unit_test(longer),
        cmocka_unit_test(folded), cmocka_unit_test(parts), cmocka_unit_test(as_a_file), cmocka_unit_test(named_ports),
        cmocka_unit_test(best_shares),
    };
    int failed;

    net_setup();
    seed = check_seed();
    failed = cmocka_run_group_tests_name("links as they are", tests, NULL, NULL);
    net_teardown();
    return failed;
}
