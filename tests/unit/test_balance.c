/* Policies that look at the load message by message: what they promise of a solution (hops in use wait as long, ways
 * in use have the same hops times queue, those that are not have no less) computed anew from the waits of ports, pair
 * by pair and state by state; known answers; and latencies beside simulations of every message, which share nothing
 * with the model but the network: for each case how far off it may be. */
#include <string.h>

#include "analysis/policy/balance.h"
#include "graph/base/grow.h"
#include "graph/base/heap.h"
#include "graph/numeric/rng.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

#define TD 10.0

static struct err err;

struct bench {
    struct net *net;
    struct traffic traffic;
    struct policy policy;
    struct policy_outcome outcome;
    struct load load;
};

/* Of open sources the load in flits per node and cycle, of closed ones the interval. */
static void bench_open(struct bench *b, const char *net, const char *traffic, const char *policy, bool open,
                       double load, bool unfolded)
{
    const struct latency_options o = { .collide = { .switching = switching_find(open ? "virtual-channel" : "wormhole",
                                                                                &err), .time = TD, .hop_time = 1,
                                                    .jobs = 1 }, .open = open, .terminals = open,
                                       .unfolded = unfolded, .orbits = open };

    *b = (struct bench){ .net = measure_open(net), .load = { open ? TD / load : load, 1 } };
    if (traffic_open(&b->traffic, b->net, traffic, &err) < 0 ||
        policy_open(&b->policy, policy, b->net, &b->traffic, &o, &err) < 0 ||
        policy_solve(&b->policy, &b->load, &b->outcome, &err) < 0)
        fail_msg("%s, %s, %s: %s", net, traffic, policy, err.msg);
}

static void bench_close(struct bench *b)
{
    policy_close(&b->policy);
    traffic_release(&b->traffic);
    net_close(b->net);
}

static double mean_latency(struct bench *b)
{
    struct latency_summary y;

    assert_int_equal(latency_summary(&y, &b->policy.study, &b->load, &err), 0);
    return y.mean;
}

/* ---- adaptive ---- */

/* Messages at each link, and what they wait there, counted from the ports. */
static void link_waits(double *rate, double *wait, const struct latency_study *s)
{
    for (size_t l = 0; l < s->flows.nlink; l++) {
        rate[l] = wait[l] = 0;
        for (size_t g = s->flows.port_first[l]; g < s->flows.port_first[l + 1]; g++) {
            rate[l] += s->collide.x[g] * flows_ports(&s->flows, g);
            wait[l] += s->collide.x[g] * flows_ports(&s->flows, g) * s->collide.wait[g];
        }
        wait[l] = rate[l] > 0 ? wait[l] / rate[l] : 0;
    }
}

static const struct {
    const char *net, *traffic;
    bool open;
    double load;
} adaptive_rows[] = {
    { "torus:4x4", "transpose", true, 0.3 }, { "torus:5x4", "uniform", true, 0.4 },
    { "mesh:4x4", "transpose", true, 0.2 }, { "mesh:3x4", "uniform", true, 0.3 },
    { "torus:8x8", "butterfly", false, 40 }, { "hypercube:4", "bit-reversal", false, 20 },
    { "random:16,degree=4,seed=3", "uniform", true, 0.2 }, { "fattree:4", "uniform", true, 0.3 },
    { "hypercube:4", "hotspot:5", true, 0.05 }, { "mesh:4x4,bandwidth=2+1", "transpose", true, 0.2 }
};

/* Hops of a state: those that messages take wait within a hundredth of the mean of all waits of the least. */
static void test_hops_wait_alike(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof adaptive_rows / sizeof *adaptive_rows; r++) {
        struct bench b;
        const struct latency_study *s = &b.policy.study;
        const struct flows *f = &s->flows;
        double *rate, *wait, all = 0, moved = 0, worst = 0;
        size_t branches = 0;

        bench_open(&b, adaptive_rows[r].net, adaptive_rows[r].traffic, "adaptive", adaptive_rows[r].open,
                   adaptive_rows[r].load, false);
        assert_int_equal(b.outcome.end, POLICY_SETTLED);
        rate = calloc(2 * f->nlink, sizeof *rate);
        wait = rate + f->nlink;
        link_waits(rate, wait, s);
        for (size_t l = 0; l < f->nlink; l++) {
            all += rate[l] * wait[l];
            moved += rate[l];
        }
        for (size_t t = 0; t < f->nstate; t++) {
            double least = INFINITY, sum = 0, mean = 0;
            const uint32_t from = f->edge_first[t], to = f->edge_first[t + 1];

            branches += to - from > 1;
            for (uint32_t e = from; e < to; e++) {
                assert_true(f->edge_share[e] >= 0);
                sum += f->edge_share[e];
                mean += f->edge_share[e] * wait[f->port_link[f->edge_port[e]]];
                least = fmin(least, wait[f->port_link[f->edge_port[e]]]);
            }
            if (to > from) {
                assert_true(fabs(sum - 1) < 1e-9);
                worst = fmax(worst, mean - least);
            }
        }
        assert_true(branches > 0 || f->orbits);     /* folded, alike hops are one */
        if (!(worst < 0.05 * all / moved))
            fail_msg("%s, %s: a state's hops wait %g longer than the least of them, in the mean %g",
                     adaptive_rows[r].net, adaptive_rows[r].traffic, worst, all / moved);
        free(rate);
        bench_close(&b);
    }
}

/* ---- ugal ---- */

/* Flits that wait for each link, and those with what waits at its end for the next ones, as far as its buffers hold. */
static void link_queues(double *queue, double *credits, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    const double room = s->o.collide.router.vcs * s->o.collide.router.buffer;

    for (size_t l = 0; l < f->nlink; l++) {
        double behind = 0;

        queue[l] = 0;
        for (size_t g = 0; g < f->nport; g++) {
            const double flits = s->collide.x[g] * s->collide.wait[g] * TD;

            queue[l] += (size_t)f->port_link[g] == l ? flits : 0;
            behind += f->port_in[g] == (int)l ? flits : 0;
        }
        credits[l] = queue[l] + fmin(room, behind);
    }
}

static bool joins_host(const struct bench *b, size_t link)
{
    const struct flows *f = &b->policy.study.flows;
    const int from = f->link_from[link], to = f->link_to[link];

    return from < 0 || to < 0 || net_terminal_index(b->net, from) < 0 || net_terminal_index(b->net, to) < 0;
}

/* Hops times queue of an injection, whose way does not branch, link by link; torus: all nodes are terminals. */
static double way_cost(double *hops, const struct bench *b, size_t injection, const double *queue,
                       const double *credits, bool global)
{
    const struct flows *f = &b->policy.study.flows;
    const bool hosts = b->net->n > b->net->nterminal;
    size_t link = (size_t)f->port_link[f->injection_port[injection]], state = (size_t)f->injection_state[injection];
    double sum = 0, first = NAN;

    *hops = 0;
    for (;;) {
        const bool end = f->link_from[link] < 0 || f->link_to[link] < 0 || (hosts && joins_host(b, link));

        *hops += !end;
        sum += queue[link];
        if (!end && isnan(first))
            first = credits[link];
        if (f->edge_first[state] == f->edge_first[state + 1])
            return global ? sum : first;
        assert_int_equal(f->edge_first[state + 1] - f->edge_first[state], 1);
        link = (size_t)f->port_link[f->edge_port[f->edge_first[state]]];
        state = (size_t)f->edge_child[f->edge_first[state]];
    }
}

static const struct {
    const char *net, *traffic, *policy;
    double load;
} ugal_rows[] = {
    { "torus:4x4", "transpose", "ugal", 0.3 }, { "torus:4x4", "transpose", "ugal,queue=global", 0.3 },
    { "mesh:4x4", "uniform", "ugal", 0.3 }, { "torus:5x5", "tornado", "ugal,queue=global", 0.2 },
    { "hypercube:4", "bit-reversal", "ugal", 0.4 }, { "dragonfly,a=3,p=2,h=1", "group-shift", "ugal", 0.2 },
    { "dragonfly,a=3,p=2,h=1", "group-shift", "ugal,queue=global", 0.2 },
    { "dragonfly,a=4,p=2,h=2", "group-shift", "ugal", 0.3 }
};

/* Pair by pair: H q alike where both ways are taken; where one is not, no more on the other. Of the mean over pairs a
 * hundredth. */
static void test_hops_times_queue(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof ugal_rows / sizeof *ugal_rows; r++) {
        struct bench b;
        const struct latency_study *s = &b.policy.study;
        const struct flows *f = &s->flows;
        const bool global = strstr(ugal_rows[r].policy, "global");
        double *queue, *credits, *cost, *given, *hops, *share, lost = 0, all = 0;
        size_t pairs = 0;

        bench_open(&b, ugal_rows[r].net, ugal_rows[r].traffic, ugal_rows[r].policy, true, ugal_rows[r].load, true);
        for (size_t i = 0; i < f->ninjection; i++)
            pairs += f->injection_option[i] == 0;           /* a single way each */
        queue = calloc(2 * f->nlink, sizeof *queue);
        credits = queue + f->nlink;
        cost = calloc(8 * pairs, sizeof *cost);
        given = cost + 2 * pairs;
        hops = given + 2 * pairs;
        share = hops + 2 * pairs;
        link_queues(queue, credits, s);
        for (size_t i = 0; i < f->ninjection; i++) {
            const size_t option = (size_t)f->injection_option[i];
            const size_t k = 2 * ((size_t)f->injection_pair[i] - option * pairs) + option;
            double h;

            assert_true(k < 2 * pairs);
            cost[k] += f->injection_given[i] * way_cost(&h, &b, i, queue, credits, global);
            hops[k] += f->injection_given[i] * h;
            given[k] += f->injection_given[i];
            share[k] += f->injection_share[i];
        }
        for (size_t p = 0; p < pairs; p++) {
            const double m = share[2 * p] / given[2 * p], v = share[2 * p + 1] / given[2 * p + 1];
            double c[2];

            assert_true(m >= 0 && v >= 0 && fabs(m + v - 1) < 1e-9);
            for (size_t k = 0; k < 2; k++) {
                const double h = hops[2 * p + k] / given[2 * p + k], q = cost[2 * p + k] / given[2 * p + k];

                c[k] = isnan(q) ? 0 : (global ? q : h * q) + h;       /* the message's own first flit */
            }
            lost += m * c[0] + v * c[1] - fmin(c[0], c[1]);
            all += m * c[0] + v * c[1];
        }
        if (!(lost <= 0.01 * all))
            fail_msg("%s, %s, %s: hops times queue could be %g less, of %g", ugal_rows[r].net, ugal_rows[r].traffic,
                     ugal_rows[r].policy, lost, all);
        free(queue);
        free(cost);
        bench_close(&b);
    }
}

static double saturation(const char *net, const char *traffic, const char *routing)
{
    const struct latency_options o = { .collide = { .switching = switching_find("virtual-channel", &err), .time = TD,
                                                    .hop_time = 1, .jobs = 1 }, .open = true, .terminals = true,
                                       .orbits = true };
    struct bench b = { .net = measure_open(net) };
    struct latency_study s = { 0 };
    struct routing r = { 0 };
    double factor = NAN;

    if (traffic_open(&b.traffic, b.net, traffic, &err) < 0)
        fail_msg("%s: %s", traffic, err.msg);
    if (policy_is(routing) ? policy_open(&b.policy, routing, b.net, &b.traffic, &o, &err) < 0 :
        routing_open(&r, b.net, routing, &err) < 0 || latency_open(&s, &b.traffic, &r, 1, &o, &err) < 0 ||
        latency_saturation(&s, &err) < 0)
        fail_msg("%s: %s", routing, err.msg);
    factor = TD * (policy_is(routing) ? b.policy.study.saturation_factor : s.saturation_factor);
    latency_close(&s);
    routing_close(&r);
    bench_close(&b);
    return factor;
}

/* Uniform traffic goes the minimal way, on a torus of odd sides and a dragonfly (whose minimal ways are even), and
 * takes as long as by it. */
static void test_light_uniform_load_is_minimal(void **state)
{
    static const char *const row[][2] = { { "dragonfly,a=4,p=2,h=2", "lgl" }, { "torus:5x5", "dor" } };

    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (int global = 0; global < 2; global++) {
            struct bench b, only;

            bench_open(&b, row[i][0], "uniform", global ? "ugal,queue=global" : "ugal", true, 0.1, false);
            bench_open(&only, row[i][0], "uniform", "drb:static", true, 0.1, false);
            assert_true(b.outcome.part[0] > 1 - 1e-9);
            bench_close(&b);        /* and any traffic where hardly anything waits */
            bench_open(&b, row[i][0], i ? "tornado" : "group-shift", global ? "ugal,queue=global" : "ugal", true,
                       0.001, false);
            assert_true(b.outcome.part[0] > 1 - 1e-9);
            bench_close(&b);
            bench_open(&b, row[i][0], "uniform", global ? "ugal,queue=global" : "ugal", true, 0.1, false);
            if (i == 1)             /* static there is by dimension order too */
                assert_true(fabs(mean_latency(&b) / mean_latency(&only) - 1) < 1e-9);
            bench_close(&b);
            bench_close(&only);
        }
}

/* Each group to the next (Kim et al. 2008): one global link has the messages of a p terminals; Valiant's ways carry
 * near half, and so does ugal that sees all queues; by what credits show less, but much more than minimal. */
static void test_worst_case_of_dragonflies(void **state)
{
    const char *net = "dragonfly,a=4,p=2,h=2";
    const double minimal = saturation(net, "group-shift", "lgl"), valiant = saturation(net, "group-shift",
                                                                                      "valiant,by=group");
    const double local = saturation(net, "group-shift", "ugal"), global = saturation(net, "group-shift",
                                                                                    "ugal,queue=global");

    (void)state;
    assert_true(minimal <= 1.0 / 8 && minimal > 0.9 / 8);
    assert_true(valiant > 0.35 && valiant <= 0.5);
    assert_true(global > 0.95 * valiant && global <= 0.5 * 9 / 8);
    assert_true(local > 2 * minimal && local <= global);
}

/* ---- simulation, message by message ---- */

/* A torus of K x K without limits to buffers: messages of TD flits queue for links, of which each goes on with its head
 * a cycle after it got the link. Adaptive messages take the minimal hop that is free first, of equals that of dimension
 * order; those of ugal go over a random node where H q is less, by what then waits for the first links. */
enum { K = 8, NODES = K * K, LINKS = 6, INTO = 4, OUT_OF = 5 };
struct head {
    double time, born;
    int node, target, over;         /* over -1: straight; target -1: not sent yet */
};
struct simulation {
    struct rng rng;
    double until[NODES][LINKS];     /* when who has it has passed; links to higher and lower columns and rows */
    struct head *head;
    size_t n, room;
    double sum, count;
};

#define SOONER(context, a, b) ((void)(context), (a).time < (b).time)
HEAP(heads, const void *, struct head, SOONER, HEAP_NOWHERE)

static void later(struct simulation *s, struct head x)
{
    if (GROW(&s->room, s->n + 1, "heads of messages", &err, GROWN(s->head)) < 0)
        fail_msg("%s", err.msg);
    heads_push(NULL, s->head, &s->n, x);
}

static int ahead(int from, int to)
{
    return (to - from + K) % K;
}

static int beside(int v, int link)
{
    const int row = v / K, column = v % K;

    return link < 2 ? row * K + (column + (link ? K - 1 : 1)) % K : (row + (link == 2 ? 1 : K - 1)) % K * K + column;
}

/* Minimal hops, that of dimension order first. */
static int minimal_hops(int hop[4], int from, int to)
{
    int n = 0;

    for (int dim = 0; dim < 2; dim++) {
        const int way = dim == 0 ? ahead(from % K, to % K) : ahead(from / K, to / K);

        if (way > 0 && 2 * way <= K)
            hop[n++] = 2 * dim;
        if (2 * way >= K)
            hop[n++] = 2 * dim + 1;
    }
    return n;
}

static double waits(const struct simulation *s, int node, int link, double now)
{
    return fmax(0, s->until[node][link] - now);
}

static double take(struct simulation *s, int node, int link, double now)
{
    const double begin = fmax(now, s->until[node][link]);

    s->until[node][link] = begin + TD;
    return begin;
}

static int torus_hops(int a, int b)
{
    const int x = ahead(a % K, b % K), y = ahead(a / K, b / K);

    return (2 * x <= K ? x : K - x) + (2 * y <= K ? y : K - y);
}

static int random_node(struct simulation *s)
{
    return (int)rng_below(&s->rng, NODES);
}

/* Uniform, or a permutation; -1: it sends nothing. */
static int target_of(struct simulation *s, const struct traffic *t, int node)
{
    if (t->matrix)
        return (node + 1 + (int)rng_below(&s->rng, NODES - 1)) % NODES;
    for (size_t i = 0; i < t->nstream; i++)
        if (t->stream[i].source == node)
            return t->stream[i].target;
    return -1;
}

static double simulate(const struct traffic *t, bool ugal, double load, double end, uint64_t seed)
{
    struct simulation s = { .n = 0 };
    double mean;

    rng_seed(&s.rng, seed);
    for (int v = 0; v < NODES; v++)
        later(&s, (struct head){ -log(1 - rng_uniform(&s.rng)) * TD / load, 0, v, -1, -1 });
    while (s.head[0].time < end) {
        struct head x = heads_pop(NULL, s.head, &s.n);
        int hop[4], n, best = 0;

        if (x.target < 0) {
            const int to = target_of(&s, t, x.node);

            later(&s, (struct head){ x.time - log(1 - rng_uniform(&s.rng)) * TD / load, 0, x.node, -1, -1 });
            if (to < 0)
                continue;
            x.born = x.time;
            x.time = take(&s, x.node, INTO, x.time) + 1;
            x.target = to;
            x.over = ugal ? random_node(&s) : -1;
            later(&s, x);
            continue;
        }
        if (x.over >= 0 && x.over < NODES) {                /* at its source: which way */
            int to[4];

            minimal_hops(hop, x.node, x.target);
            n = x.over == x.node || x.over == x.target ? 0 : minimal_hops(to, x.node, x.over);
            if (n == 0 || torus_hops(x.node, x.target) * waits(&s, x.node, hop[0], x.time) <=
                (torus_hops(x.node, x.over) + torus_hops(x.over, x.target)) * waits(&s, x.node, to[0], x.time))
                x.over = -1;
            else
                x.over += NODES;
        }
        x.over = x.over >= NODES && x.over - NODES == x.node ? -1 : x.over;
        if (x.over < 0 && x.node == x.target) {
            const double begin = take(&s, x.node, OUT_OF, x.time);

            s.sum += x.born > end / 5 ? begin + TD - x.born : 0;
            s.count += x.born > end / 5;
            continue;
        }
        n = minimal_hops(hop, x.node, x.over < 0 ? x.target : x.over - NODES);
        for (int i = 1; i < n && !ugal; i++)
            best = waits(&s, x.node, hop[i], x.time) < waits(&s, x.node, hop[best], x.time) ? i : best;
        x.time = take(&s, x.node, hop[best], x.time) + 1;
        x.node = beside(x.node, hop[best]);
        later(&s, x);
    }
    mean = s.sum / s.count;
    free(s.head);
    return mean;
}

static const struct {
    const char *traffic, *policy;
    double load, below, above;              /* how far the model may be off */
} simulated[] = {
    { "uniform", "ugal", 0.1, 0.05, 0.05 }, { "uniform", "ugal", 0.3, 0.1, 0.05 },
    { "transpose", "ugal", 0.1, 0.05, 0.05 }, { "transpose", "ugal", 0.2, 0.15, 0.05 },
    { "bit-reversal", "ugal", 0.1, 0.05, 0.05 }, { "perfect-shuffle", "ugal", 0.15, 0.05, 0.1 },
    { "tornado", "ugal", 0.1, 0.05, 0.1 }, { "tornado", "ugal", 0.2, 0.05, 0.15 },
    { "uniform", "adaptive", 0.2, 0.02, 0.1 }, { "uniform", "adaptive", 0.4, 0.02, 0.15 },
    { "transpose", "adaptive", 0.2, 0.02, 0.1 }, { "bit-reversal", "adaptive", 0.2, 0.05, 0.05 },
    { "perfect-shuffle", "adaptive", 0.2, 0.02, 0.1 }, { "butterfly", "adaptive", 0.2, 0.02, 0.15 },
    { "tornado", "adaptive", 0.1, 0.02, 0.15 }
};

static void test_against_simulation(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof simulated / sizeof *simulated; r++) {
        const struct latency_options o = { .collide = { .switching = switching_find("cut-through", &err), .time = TD,
                                                        .hop_time = 1, .jobs = 1 }, .open = true, .terminals = true };
        struct bench b = { .net = measure_open("torus:8x8"), .load = { TD / simulated[r].load, 1 } };
        double got, want;

        if (traffic_open(&b.traffic, b.net, simulated[r].traffic, &err) < 0 ||
            policy_open(&b.policy, simulated[r].policy, b.net, &b.traffic, &o, &err) < 0 ||
            policy_solve(&b.policy, &b.load, &b.outcome, &err) < 0)
            fail_msg("%s, %s: %s", simulated[r].traffic, simulated[r].policy, err.msg);
        got = mean_latency(&b);
        want = simulate(&b.traffic, simulated[r].policy[0] == 'u', simulated[r].load, 40000, 1);
        if (!(got > want * (1 - simulated[r].below) && got < want * (1 + simulated[r].above)))
            fail_msg("%s, %s at %g: %.2f cycles, simulated %.2f", simulated[r].traffic, simulated[r].policy,
                     simulated[r].load, got, want);
        bench_close(&b);
    }
}

/* Closed sources whose messages hold their links: one takes a link after the other, no time between, waits where all
 * its minimal hops are taken, for as long as it has come after others, and lets go of all TD after it has the last. */
struct worm {
    int at, target, held[2 * K], n;
    bool waits;
    double born, came;
};
struct worms {
    struct simulation s;            /* until: infinite where a link is taken */
    struct worm worm[NODES];
};

static bool worm_moves(struct worms *w, struct worm *x, double now)
{
    for (int hop[4], n; x->at != x->target; x->at = beside(x->at, hop[n])) {
        const int most = minimal_hops(hop, x->at, x->target);

        for (n = 0; n < most && isinf(w->s.until[x->at][hop[n]]); n++)
            ;
        if (n == most)
            return false;
        w->s.until[x->at][hop[n]] = INFINITY;
        x->held[x->n++] = x->at * LINKS + hop[n];
    }
    x->waits = false;
    later(&w->s, (struct head){ now + TD, 0, (int)(x - w->worm), x->target, -1 });
    return true;
}

static double simulate_worms(const struct traffic *t, double interval, double end, uint64_t seed)
{
    struct worms *w = calloc(1, sizeof *w);
    double sum[NODES] = { 0 }, count[NODES] = { 0 }, mean = 0, sources = 0;

    rng_seed(&w->s.rng, seed);
    for (int v = 0; v < NODES; v++)
        if (target_of(&w->s, t, v) >= 0)
            later(&w->s, (struct head){ -log(1 - rng_uniform(&w->s.rng)) * interval, 0, v, -1, -1 });
    while (w->s.n > 0 && w->s.head[0].time < end) {
        const struct head e = heads_pop(NULL, w->s.head, &w->s.n);
        struct worm *x = &w->worm[e.node], *next;

        if (e.target < 0) {
            *x = (struct worm){ .at = e.node, .target = target_of(&w->s, t, e.node), .waits = true, .born = e.time };
            worm_moves(w, x, e.time);
            continue;
        }
        sum[e.node] += x->born > end / 5 ? e.time - x->born : 0;
        count[e.node] += x->born > end / 5;
        for (int i = 0; i < x->n; i++)
            w->s.until[x->held[i] / LINKS][x->held[i] % LINKS] = 0;
        x->waits = false;
        later(&w->s, (struct head){ e.time - log(1 - rng_uniform(&w->s.rng)) * interval, 0, e.node, -1, -1 });
        do {                                    /* the oldest that can go on, as far as it can */
            next = NULL;
            for (struct worm *y = w->worm; y < w->worm + NODES; y++) {
                int hop[4], n = y->waits ? minimal_hops(hop, y->at, y->target) : 0;
                bool free_one = false;

                while (n-- > 0)
                    free_one = free_one || !isinf(w->s.until[y->at][hop[n]]);
                next = free_one && (!next || y->born < next->born) ? y : next;
            }
            if (next)
                worm_moves(w, next, e.time);
        } while (next);
    }
    for (int v = 0; v < NODES; v++)
        if (count[v] > 0) {
            mean += sum[v] / count[v];
            sources++;
        }
    free(w->s.head);
    free(w);
    return mean / sources;
}

static void test_worms_against_simulation(void **state)
{
    static const struct {
        const char *traffic;
        double interval;
    } row[] = { { "butterfly", 60 }, { "butterfly", 40 }, { "bit-reversal", 60 }, { "perfect-shuffle", 60 },
                { "perfect-shuffle", 40 }, { "transpose", 100 } };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct latency_options o = { .collide = { .switching = switching_find("wormhole", &err), .time = TD,
                                                        .jobs = 1 } };
        struct bench b = { .net = measure_open("torus:8x8"), .load = { row[i].interval, 1 } };
        double got, want;

        if (traffic_open(&b.traffic, b.net, row[i].traffic, &err) < 0 ||
            policy_open(&b.policy, "adaptive", b.net, &b.traffic, &o, &err) < 0 ||
            policy_solve(&b.policy, &b.load, &b.outcome, &err) < 0)
            fail_msg("%s: %s", row[i].traffic, err.msg);
        got = mean_latency(&b);
        want = simulate_worms(&b.traffic, row[i].interval, 40000, 1);
        if (!(got > 0.92 * want && got < 1.05 * want))
            fail_msg("%s, interval %g: %.2f cycles, simulated %.2f", row[i].traffic, row[i].interval, got, want);
        bench_close(&b);
    }
}

/* ---- saturation ---- */

/* What is said to be the saturation can be reached but for a hundredth, and not passed. */
static void test_saturation_is_reached(void **state)
{
    static const char *const row[][3] = {
        { "mesh:5x3", "complement", "adaptive" }, { "mesh:4x4,bandwidth=2+1", "transpose", "adaptive" },
        { "mesh:8x8", "uniform", "adaptive" }, { "torus:4x4", "transpose", "ugal" },
        { "dragonfly,a=3,p=2,h=1", "group-shift", "ugal" }, { "random:16,degree=3,seed=2", "uniform", "ugal" }
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double full = saturation(row[i][0], row[i][1], row[i][2]);
        struct bench b;

        bench_open(&b, row[i][0], row[i][1], row[i][2], true, 0.99 * full * (1 - 1e-9), false);
        b.load.interval = TD / (1.001 * full);
        assert_int_equal(policy_solve(&b.policy, &b.load, &b.outcome, &err), -1);
        assert_int_equal(err.code, ERR_NETWORK);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hops_wait_alike),
        cmocka_unit_test(test_hops_times_queue),
        cmocka_unit_test(test_light_uniform_load_is_minimal),
        cmocka_unit_test(test_worst_case_of_dragonflies),
        cmocka_unit_test(test_against_simulation),
        cmocka_unit_test(test_worms_against_simulation),
        cmocka_unit_test(test_saturation_is_reached),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
