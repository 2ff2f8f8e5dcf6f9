/* The flit-level simulator against what is known of it by hand: latencies where nothing waits, in closed form; every
 * message delivered once and its flits over so many links; order; what sources send; the same bytes from the same seed.
 *   zero load   closed forms, for all pairs
 *   flits       random networks, all routings: nothing lost, nothing twice
 *   sources     counts, lengths, queues
 *   runs        seeds and threads, warm-up, precision
 *   refusals    SEED=n repeats what is random */
#include <string.h>

#include "analysis/simulate/simulate.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"
#include "tests/support/simulated.h"

static struct err err;

/* ---- zero load ---- */

static const struct idle {
    const char *net, *routing, *switching;
    struct router router;               /* vcs 0: as the switching means */
    double hop, length;                 /* of every link of the network, as its spec says */
    bool free;                          /* terminals have no links */
} idle[] = {
    { "mesh:5x4x3", "dor", "wormhole", { .vcs = 0 }, 1, 0, false },
    { "mesh:5x4x3", "dor", "wormhole", { .vcs = 0 }, 3, 0, true },
    { "mesh:5x4x3", "dor", "virtual-channel", { .vcs = 0 }, 1, 0, false },
    { "mesh:5x4x3", "dor", "virtual-channel", { .vcs = 2, .buffer = 5, .time = 2 }, 2, 0, false },
    { "mesh:5x4x3", "dor", "virtual-channel", { .vcs = 3, .buffer = 1, .packets = true }, 1, 0, true },
    { "mesh:5x4x3", "dor", "cut-through", { .vcs = 0 }, 1, 0, false },
    { "mesh:5x4x3", "dor", "cut-through", { .vcs = 0 }, 4, 0, true },
    { "mesh:5x4x3", "dor", "cut-through", { .vcs = 2, .buffer = 64, .speedup = true }, 2, 0, false },
    { "mesh:5x4x3", "dor", "store-and-forward", { .vcs = 0 }, 1, 0, false },
    { "mesh:5x4x3", "dor", "store-and-forward", { .vcs = 0 }, 3, 0, true },
    { "mesh:5x4x3", "dor", "store-and-forward", { .vcs = 2, .buffer = 64 }, 2, 0, false },
    { "mesh:5x4", "o1turn", "virtual-channel", { .vcs = 2, .buffer = 8 }, 2, 0, false },
    { "mesh:5x4x3", "adaptive", "virtual-channel", { .vcs = 0 }, 1, 0, false },
    { "torus:5x4", "dor", "virtual-channel", { .vcs = 0 }, 1, 0, false },
    { "torus:5x4", "adaptive", "virtual-channel", { .vcs = 3, .buffer = 4, .time = 1 }, 1, 0, false },
    { "torus:5x4,latency=7", "dor", "virtual-channel", { .vcs = 0 }, 1, 7, false },
    { "torus:5x4,latency=7", "dor", "cut-through", { .vcs = 0 }, 2, 7, true },
    { "torus:5x4,latency=7", "dor", "store-and-forward", { .vcs = 0 }, 1, 7, false },
    { "fattree:4", "dmodk", "wormhole", { .vcs = 0 }, 1, 0, false },
    { "fattree:4", "ecmp", "virtual-channel", { .vcs = 0 }, 2, 0, false },
    { "fattree:4", "adaptive", "cut-through", { .vcs = 0 }, 3, 0, false },
    { "fattree:4", "dmodk", "cut-through", { .vcs = 2, .buffer = 64 }, 1, 0, false },
    { "fattree:4", "dmodk", "store-and-forward", { .vcs = 0 }, 2, 0, false },
    { "dragonfly,a=4,p=2,h=2", "minimal", "wormhole", { .vcs = 0 }, 1, 0, false },
    { "dragonfly,a=4,p=2,h=2", "minimal", "cut-through", { .vcs = 0 }, 2, 0, false },
    { "dragonfly,a=4,p=2,h=2", "ecmp", "store-and-forward", { .vcs = 0 }, 1, 0, false },
    /* Buffers below the loop of their credits: groups of flits, and between them waiting for places. */
    { "mesh:5x4x3", "dor", "virtual-channel", { .vcs = 2, .buffer = 4, .credit_loop = 10 }, 1, 0, false },
    { "mesh:5x4x3", "dor", "wormhole", { .vcs = 1, .buffer = 1, .credit_loop = 6, .classes = 1 }, 2, 0, true },
    { "fattree:4", "dmodk", "virtual-channel", { .vcs = 4, .buffer = 3, .credit_loop = 11, .time = 2 }, 1, 0, false },
    { "torus:5x4,latency=7", "dor", "virtual-channel", { .vcs = 4, .buffer = 5, .credit_loop = 20 }, 1, 7, false },
};

/* By hand: torus:5x4,bandwidth=W+1 by dimension order crosses b links of bandwidth 1, then a of bandwidth W, between
 * links of terminals as fast as the fastest. A flit goes on a hop time after it was sent, and takes 1/W of a cycle, or
 * one. */
static void idle_bandwidth(void **state)
{
    static const char *const switching[] = { "wormhole", "virtual-channel", "cut-through", "store-and-forward" };

    (void)state;
    for (int row = 0; row < 8; row++) {
        const int which = row % 4;
        const double fast = row < 4 ? 0.5 : 0.25;
        struct simulate_options o = simulated_usual(switching[which]);
        struct simulate_message trace[19];
        struct simulated m;

        o.source = SOURCE_TRACE;
        o.trace = trace;
        o.ntrace = COUNT(trace);
        for (int i = 0; i < 19; i++)
            trace[i] = (struct simulate_message){ 10000 * i, 0, i + 1, 1 + 40 * i };
        simulated_open(&m, row < 4 ? "torus:5x4,bandwidth=2+1" : "torus:5x4,bandwidth=4+1", "uniform", "dor", &o);
        simulated_run(&m, 1, 1);
        assert_int_equal(m.n, 19);
        for (int i = 0; i < 19; i++) {
            const int x = (i + 1) / 4, y = (i + 1) % 4, a = x < 3 ? x : 5 - x, b = y < 3 ? y : 4 - y;
            const double flits = trace[i].flits, links = a + b + 2, slow = b > 0 ? 1 : fast;
            const double want[] = {
                /* the last flit comes at the slowest link's pace, and crosses the last */
                links - 1 + (flits - 1) * slow + fast, links - 1 + (flits - 1) * slow + fast,
                links - 1 + flits * slow,               /* ends with the tail behind the slowest */
                links - 1 + flits * (b + fast * (a + 2)) /* on every link for all of its flits */
            };

            if (m.arrival[i].arrived - m.arrival[i].born != want[which])
                fail_msg("%s: %g flits over %d and %d links take %g, not %g", switching[which], flits, b, a,
                         m.arrival[i].arrived - m.arrival[i].born, want[which]);
        }
        simulated_release(&m);
    }
}

/* One message after the other, between all pairs, 1 to 32 flits. */
static void idle_latency(void **state)
{
    const struct idle *row = *state;
    struct simulate_options o = simulated_usual(row->switching);
    const double hop = row->hop + row->router.time;
    struct simulate_message *trace;
    struct simulated m;
    size_t n = 0, k = 0;
    int *hops;

    o.hop_time = row->hop;
    o.terminals = !row->free;
    o.source = SOURCE_TRACE;
    if (row->router.vcs > 0)
        o.router = row->router;
    simulated_nets(&m, row->net, "uniform");
    hops = measure_hops(m.net);
    trace = calloc((size_t)m.net->nterminal * (size_t)m.net->nterminal, sizeof *trace);
    assert_non_null(trace);
    for (int i = 0; i < m.net->nterminal; i++)
        for (int j = 0; j < m.net->nterminal; j++)
            if (i != j) {
                trace[n] = (struct simulate_message){ 2000.0 * (double)n, net_terminal(m.net, i),
                                                      net_terminal(m.net, j), 1 + (double)(n % 32) };
                n++;
            }
    o.trace = trace;
    o.ntrace = n;
    assert_int_equal(simulated_try(&m, row->routing, &o, &err), 0);
    simulated_run(&m, 1, 1);
    assert_int_equal(m.n, n);
    for (k = 0; k < n; k++) {
        const struct simulate_arrival *a = &m.arrival[k];
        const double flits = trace[k].flits;
        const int h = hops[trace[k].source * m.net->n + trace[k].target],
            links = simulated_links(m.net, hops, trace[k].source, trace[k].target, o.terminals);
        const double want = switching_time(o.switching, flits, links, hop) + row->length * h +
            router_late(&o.router, flits, 1) * (row->router.credit_loop > 0);

        if (a->number != k || a->arrived - a->born != want || a->started != a->born)
            fail_msg("%s, %s: message %zu of %g flits over %d links takes %g, not %g", row->net, row->switching, k,
                     flits, links, a->arrived - a->born, want);
    }
    free(trace);
    free(hops);
    simulated_release(&m);
}

/* ---- flits ---- */

/* Every message of the trace once, to where it went, except those that were drained. */
static void all_came(const struct simulated *m, const struct simulate_options *o)
{
    bool *came = calloc(o->ntrace, 1);

    assert_non_null(came);
    for (size_t i = 0; i < m->n; i++) {
        const struct simulate_arrival *a = &m->arrival[i];
        const struct simulate_message *t = &o->trace[a->number];

        assert_true(a->number < o->ntrace && !came[a->number]);
        came[a->number] = true;
        assert_true(a->source == t->source && a->target == t->target);
        assert_true(a->born >= t->time - 0.5 && a->started >= a->born && a->arrived >= a->started + t->flits / 4);
    }
    free(came);
    assert_true(m->r.born == (double)o->ntrace);
    assert_true(m->r.delivered == (double)m->n && m->r.rejected == 0);
    if (m->r.delivered + m->r.drained != m->r.born)
        fail_msg("%g of %g came, %g drained, %g deadlocks, %g cycles", m->r.delivered, m->r.born, m->r.drained,
                 m->r.deadlocks, m->r.cycles);
}

/* Single shortest paths: every flit over so many links. */
static void all_hops(const struct simulated *m, const int *hops, const struct simulate_options *o)
{
    double want = 0;

    for (size_t i = 0; i < o->ntrace; i++)
        want += o->trace[i].flits * simulated_links(m->net, hops, o->trace[i].source, o->trace[i].target, o->terminals);
    if (m->r.flit_hops != want)
        fail_msg("%g flits over links, not %g", m->r.flit_hops, want);
}

static void random_options(struct simulate_options *o, struct rng *rng)
{
    static const char *const switching[] = { "wormhole", "virtual-channel", "virtual-channel", "virtual-channel",
                                             "cut-through", "store-and-forward" };

    *o = simulated_usual(switching[rng_below(rng, COUNT(switching))]);
    o->hop_time = 1 + (double)rng_below(rng, 3);
    o->terminals = rng_below(rng, 3) > 0;
    o->allocator = (enum simulate_allocator)rng_below(rng, 3);
    o->iterations = 1 + (int)rng_below(rng, 3);
    o->source = SOURCE_TRACE;
    o->drain = true;
    o->seed = rng_next(rng);
    if (rng_below(rng, 4) == 0)
        o->router.vcs = INFINITY;
    else if (!isinf(o->router.vcs) || rng_below(rng, 2))
        o->router = (struct router){ .vcs = 1 + (double)rng_below(rng, 5), .buffer = 1 + (double)rng_below(rng, 12),
                                     .credit_loop = rng_below(rng, 3) ? 0 : 1 + (double)rng_below(rng, 20),
                                     .time = (double)rng_below(rng, 3), .speedup = rng_below(rng, 2),
                                     .packets = rng_below(rng, 2) };
    if (strcmp(o->switching->name, "cut-through") == 0 || o->switching->stores)
        o->router.buffer += 16;
}

static void one_random(struct rng *rng, struct net *net, const int *hops, const char *routing)
{
    struct simulated m = { .net = net };
    struct simulate_options o;
    struct simulate_message *trace = simulated_trace(rng, net, hops, 150, 300, 1, 16);
    struct routing r = { 0 };
    bool single = routing_open(&r, net, routing, &err) == 0 && r.route->minimal && r.most == 1 && !r.base;

    random_options(&o, rng);
    o.trace = trace;
    o.ntrace = 150;
    assert_int_equal(traffic_open(&m.traffic, net, "uniform", &err), 0);
    if (simulated_try(&m, routing, &o, &err) < 0 && err.code == ERR_DOMAIN) {   /* channels */
        o.router.vcs = 16;
        o.router.classes = 0;
        if (simulated_try(&m, routing, &o, &err) < 0)
            m.s = NULL;
    }
    if (m.s) {
        simulated_run(&m, 1, 1);
        if (m.n < 150)
            print_message("%s on %d nodes, %s: %zu came, %g drained\n", routing, net->n, o.switching->name, m.n,
                          m.r.drained);
        all_came(&m, &o);
        if (single && m.r.drained == 0)
            all_hops(&m, hops, &o);
    } else if (strcmp(routing, "adaptive") != 0 && strcmp(routing, "ugal") != 0) {
        fail_msg("%s on %s: %s", routing, net->spec, err.msg);
    }
    routing_close(&r);
    m.net = NULL;
    simulated_release(&m);
    free(trace);
}

static void flits_are_conserved(void **state)
{
    static const char *const more[] = { "metapath:sga:1", "metapath:sga:1,shares=bandwidth", "adaptive", "ugal",
                                        "ugal,queue=global", "ecmp,per=neighbour" };
    static const char *const named[] = { "mesh:5x4x3", "torus:4x4", "fattree:4", "dragonfly,a=4,p=2,h=2", "ring:9",
                                         "hypercube:4", "torus:5x4,bandwidth=3+1,latency=2", "circulant:12,jumps=1+5",
                                         "hyperx:4x3" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (size_t round = 0; round < COUNT(named) + 12; round++) {
        const int nodes = 4 + (int)rng_below(&rng, 20);
        struct net *net = round < COUNT(named) ? measure_open(named[round]) :
            nets_random(&rng, nodes, (int)rng_below(&rng, 2 * (uint64_t)nodes), round % 4 == 0);
        int *hops;

        if (round >= COUNT(named) && round % 2)
            nets_cables(&rng, net);
        if (round >= COUNT(named) && round % 3)
            nets_switch(&rng, net);
        hops = measure_hops(net);
        for (size_t i = 0; route_all[i]; i++) {
            struct routing r;

            if (routing_open(&r, net, route_all[i]->name, &err) < 0)
                continue;
            routing_close(&r);
            one_random(&rng, net, hops, route_all[i]->name);
        }
        EACH_ROW(i, more) {
            struct routing r;

            if (i < 2 || i == 5) {
                if (routing_open(&r, net, more[i], &err) < 0)
                    continue;
                routing_close(&r);
            }
            one_random(&rng, net, hops, more[i]);
        }
        free(hops);
        net_close(net);
    }
}

int main(void)
{
    struct CMUnitTest tests[80] = {
        cmocka_unit_test(idle_bandwidth), cmocka_unit_test(flits_are_conserved)
    };
    size_t n = 2;
    int failed;

    net_setup();
    EACH_ROW(i, idle)
        tests[n++] = (struct CMUnitTest){ idle[i].net, idle_latency, NULL, NULL, (void *)(uintptr_t)&idle[i] };
    failed = _cmocka_run_group_tests("simulator", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
