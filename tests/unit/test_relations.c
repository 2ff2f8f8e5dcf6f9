/* What must hold between two results whatever the network: relations of answers, for networks that have no answer of
 * their own to be held to. Each is drawn ROUNDS times. Networks are lists of edges that are written here and read by the
 * program; loads are parts of what the fullest link lets through.
 * 1. networks   drawn, written, and what is asked of them
 * 2. the same   renumbered, reversed, exported, failed: nothing may change
 * 3. scaled     bandwidths, parallel cables, times
 * 4. ordered    more cables, less traffic, more load; bounds
 * 5. simulated  no message faster than alone, what is offered comes, no more than any routing can carry, the model
 *               within 30 % at a tenth of saturation */
#include <igraph.h>
#include <string.h>
#include <unistd.h>

#include "analysis/bound/capacity.h"
#include "analysis/bound/throughput.h"
#include "analysis/latency/latency.h"
#include "analysis/network/topo_report.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/simulated.h"

enum { NODES_MOST = 9, EDGES_MOST = 2 * NODES_MOST, ROUNDS = 100, STREAMS = 6 };
#define FILE_NAME "relations.csv"
#define NETWORK "file:" FILE_NAME

static struct err err;
static struct rng rng;

/* ---- networks ---- */

struct edges {
    int n, m, end[EDGES_MOST][2];
};

static int below(int n)
{
    return (int)rng_below(&rng, (uint64_t)n);
}

static bool edges_have(const struct edges *e, int a, int b)
{
    for (int k = 0; k < e->m; k++)
        if ((e->end[k][0] == a && e->end[k][1] == b) || (e->end[k][0] == b && e->end[k][1] == a))
            return true;
    return false;
}

static void edges_add(struct edges *e, int a, int b)
{
    if (a == b || edges_have(e, a, b))
        return;
    e->end[e->m][0] = a;
    e->end[e->m++][1] = b;
}

/* A random tree and a few more. */
static struct edges edges_draw(void)
{
    struct edges e = { .n = 4 + below(NODES_MOST - 3) };

    for (int v = 1; v < e.n; v++)
        edges_add(&e, v, below(v));
    for (int k = below(e.n); k >= 0; k--)
        edges_add(&e, below(e.n), below(e.n));
    return e;
}

/* Ends by these names, each edge so many times. */
static void edges_write(const struct edges *e, const int *name, int copies)
{
    FILE *f = fopen(FILE_NAME, "w");

    assert_non_null(f);
    fprintf(f, "source,target\n");
    for (int k = 0; k < e->m; k++)
        for (int c = 0; c < copies; c++)
            fprintf(f, "%d,%d\n", name ? name[e->end[k][0]] : e->end[k][0], name ? name[e->end[k][1]] : e->end[k][1]);
    assert_int_equal(fclose(f), 0);
}

struct facts {
    double diameter, mean_hops;         /* of the network */
    double capacity, hops, zero, mean;  /* of messages: the factor at which the fullest link is full; at the load */
    double bound;                       /* flits per cycle and terminal that some routing carries, and none more */
};
struct about {                          /* what is asked: */
    double part, time, hop;             /* of capacity; of a message; of a hop */
};
static const struct about usual = { 0.3, 10, 1 };

static void facts_of_scene(struct facts *f, struct scene *s, struct about a)
{
    const struct latency_options o = { .collide = { .switching = &switching_cut_through, .time = a.time,
                                                    .router = *switching_cut_through.router, .hop_time = a.hop,
                                                    .jobs = 1 }, .open = true };
    const struct topo_report_options how = { .jobs = 1 };
    struct latency_summary y;
    struct latency_study study;
    struct topo_report r;
    struct load load;

    assert_int_equal(topo_report(&r, s->net, &how, &err), 0);
    assert_int_equal(latency_open(&study, &s->traffic, &s->routing, 1, &o, &err), 0);
    load = (struct load){ 1, a.part * study.capacity_factor };
    assert_int_equal(latency_solve(&study, &load, &err), 0);
    assert_int_equal(latency_summary(&y, &study, &load, &err), 0);
    *f = (struct facts){ r.diameter, r.mean_hops, study.capacity_factor, y.hops, y.zero, y.mean, NAN };
    latency_close(&study);
    topo_report_release(&r);
}

static struct facts facts_of(const char *net, struct about a)
{
    struct scene s;
    struct facts f;

    scene_open(&s, net, "uniform", "ecmp");
    facts_of_scene(&f, &s, a);
    scene_release(&s);
    return f;
}

static void facts_alike(const char *what, const struct facts *got, const struct facts *want)
{
    scene_near(what, got->diameter, want->diameter, 0);
    scene_near(what, got->mean_hops, want->mean_hops, 1e-12);
    scene_near(what, got->capacity, want->capacity, 1e-9);
    scene_near(what, got->hops, want->hops, 1e-9);
    scene_near(what, got->zero, want->zero, 1e-9);
    scene_near(what, got->mean, want->mean, 1e-5);
}

/* ---- the same ---- */

static void renumbered(void)
{
    const struct edges e = edges_draw();
    int name[NODES_MOST];
    struct facts plain, other;

    for (int v = 0; v < e.n; v++)
        name[v] = v;
    rng_shuffle(&rng, name, (size_t)e.n);
    edges_write(&e, NULL, 1);
    plain = facts_of(NETWORK, usual);
    edges_write(&e, name, 1);
    other = facts_of(NETWORK, usual);
    facts_alike("renumbered", &other, &plain);
}

static void rows_reversed(void)
{
    struct edges e = edges_draw(), back = e;
    struct facts plain, other;

    for (int k = 0; k < e.m; k++) {
        back.end[k][0] = e.end[e.m - 1 - k][1];
        back.end[k][1] = e.end[e.m - 1 - k][0];
    }
    edges_write(&e, NULL, 1);
    plain = facts_of(NETWORK, usual);
    edges_write(&back, NULL, 1);
    other = facts_of(NETWORK, usual);
    facts_alike("rows reversed", &other, &plain);
}

static void exported(void)
{
    static const char *const family[] = { "ring:7", "torus:3x3", "mesh:3x3", "hypercube:3", "complete:5", "star:6",
                                          "circulant:9,jumps=1+3", "mesh:2x4", "torus:4x2" };
    const char *spec = family[below(COUNT(family))];
    struct edges e = { 0 };
    struct facts plain = facts_of(spec, usual), other;
    struct net *net;
    const igraph_t *graph;
    bool fits = true;

    assert_int_equal(net_open(&net, spec, &err), 0);
    assert_int_equal(net_graph(net, &graph, &err), 0);
    fits = net->nterminal == net->n && igraph_ecount(graph) <= EDGES_MOST;
    e.n = net->n;
    for (igraph_integer_t k = 0; fits && k < igraph_ecount(graph); k++) {
        e.end[e.m][0] = (int)IGRAPH_FROM(graph, k);
        e.end[e.m++][1] = (int)IGRAPH_TO(graph, k);
    }
    net_close(net);
    if (!fits)
        return;
    edges_write(&e, NULL, 1);
    other = facts_of(NETWORK, usual);
    facts_alike(spec, &other, &plain);
}

/* Without the edge, or with it failed; where that parts the network there is nothing to ask. */
static void failed(void)
{
    struct edges e = edges_draw();
    struct facts with, without;
    char spec[80];
    struct net *net;
    int k;

    edges_write(&e, NULL, 1);
    k = below(e.m);
    snprintf(spec, sizeof spec, NETWORK ",fail=%d-%d", e.end[k][0], e.end[k][1]);
    if (net_open(&net, spec, &err) < 0)
        return;
    net_close(net);
    with = facts_of(spec, usual);
    memmove(e.end[k], e.end[k + 1], (size_t)(e.m - k - 1) * sizeof *e.end);
    e.m--;
    edges_write(&e, NULL, 1);
    without = facts_of(NETWORK, usual);
    facts_alike(spec, &with, &without);
}

/* Streams that go the other way take as many links, by any shortest way. */
static void streams_reversed(void)
{
    const struct edges e = edges_draw();
    int stream[2][STREAMS][2];
    struct facts f[2];

    edges_write(&e, NULL, 1);
    for (int i = 0; i < STREAMS; i++) {
        stream[0][i][0] = stream[1][i][1] = below(e.n);
        stream[0][i][1] = stream[1][i][0] = (stream[0][i][0] + 1 + below(e.n - 1)) % e.n;
    }
    for (int k = 0; k < 2; k++) {
        struct scene s;
        struct net *net;

        assert_int_equal(net_open(&net, NETWORK, &err), 0);
        scene_list(&s, net, "ecmp", (const int (*)[2])stream[k], STREAMS);
        facts_of_scene(&f[k], &s, usual);
        scene_release(&s);
    }
    scene_near("streams reversed", f[1].hops, f[0].hops, 1e-9);
    scene_near("streams reversed, alone", f[1].zero, f[0].zero, 1e-9);
}

/* ---- scaled ---- */

static void bandwidths_scaled(void)
{
    const struct edges e = edges_draw();
    const int by = 2 + below(4);
    char spec[60];
    struct facts plain, wide;

    edges_write(&e, NULL, 1);
    plain = facts_of(NETWORK, usual);
    snprintf(spec, sizeof spec, NETWORK ",bandwidth=%d", by);
    wide = facts_of(spec, usual);
    scene_near("bandwidths scaled", wide.capacity, by * plain.capacity, 1e-9);
    assert_true(wide.zero < plain.zero && wide.mean < plain.mean);
}

static void cables_parallel(void)
{
    const struct edges e = edges_draw();
    const int by = 2 + below(2);
    struct facts plain, many;

    edges_write(&e, NULL, 1);
    plain = facts_of(NETWORK, usual);
    edges_write(&e, NULL, by);
    many = facts_of(NETWORK, usual);
    scene_near("cables in parallel", many.capacity, by * plain.capacity, 1e-9);
    scene_near("cables in parallel, alone", many.zero, plain.zero, 1e-9);
    scene_near("cables in parallel, hops", many.mean_hops, plain.mean_hops, 1e-12);
}

/* All times are in one unit. */
static void times_scaled(void)
{
    const struct edges e = edges_draw();
    const double by = 1.5 + below(5);
    struct facts plain, slow;

    edges_write(&e, NULL, 1);
    plain = facts_of(NETWORK, usual);
    slow = facts_of(NETWORK, (struct about){ usual.part, by * usual.time, by * usual.hop });
    scene_near("times scaled, capacity", slow.capacity, plain.capacity / by, 1e-9);
    scene_near("times scaled, alone", slow.zero, by * plain.zero, 1e-9);
    scene_near("times scaled", slow.mean, by * plain.mean, 1e-5);
}

/* ---- ordered ---- */

static void cable_added(void)
{
    struct edges e = edges_draw();
    struct facts plain, more;

    edges_write(&e, NULL, 1);
    plain = facts_of(NETWORK, usual);
    edges_add(&e, below(e.n), below(e.n));
    edges_write(&e, NULL, 1);
    more = facts_of(NETWORK, usual);
    assert_true(more.diameter <= plain.diameter && more.mean_hops <= plain.mean_hops + 1e-12);
    assert_true(more.zero <= plain.zero + 1e-9);
}

static void load_raised(void)
{
    const struct edges e = edges_draw();
    double before = 0;

    edges_write(&e, NULL, 1);
    for (int k = 1; k < 8; k += 2) {
        const struct facts f = facts_of(NETWORK, (struct about){ 0.1 * k, 10, 1 });

        if (!(f.zero < f.mean && before <= f.mean))             /* infinite where a source saturates */
            fail_msg("at %d tenths of capacity: alone %.9g, before %.9g, now %.9g (%d nodes, %d edges)", k, f.zero,
                     before, f.mean, e.n, e.m);
        before = f.mean;
    }
}

/* Some of the streams leave as much room as all of them, or more. */
static void traffic_left_out(void)
{
    const struct edges e = edges_draw();
    int stream[STREAMS][2];
    double capacity[STREAMS];

    edges_write(&e, NULL, 1);
    for (int i = 0; i < STREAMS; i++) {
        stream[i][0] = below(e.n);
        stream[i][1] = (stream[i][0] + 1 + below(e.n - 1)) % e.n;
    }
    for (size_t n = 1; n <= STREAMS; n++) {
        struct facts f;
        struct scene s;
        struct net *net;

        assert_int_equal(net_open(&net, NETWORK, &err), 0);
        scene_list(&s, net, "ecmp", (const int (*)[2])stream, n);
        facts_of_scene(&f, &s, usual);
        capacity[n - 1] = f.capacity;
        scene_release(&s);
        assert_true(n == 1 || capacity[n - 1] <= capacity[n - 2] * (1 + 1e-9));
    }
}

/* No routing puts less on links than the shortest ways, which all links carry together. */
static void links_suffice(void)
{
    const struct edges e = edges_draw();
    struct facts f;

    edges_write(&e, NULL, 1);
    f = facts_of(NETWORK, usual);
    scene_near("hops of ecmp", f.hops, f.mean_hops, 1e-9);
    assert_true(f.capacity * e.n * usual.time * f.mean_hops <= 2 * e.m * (1 + 1e-9));
    scene_near("alone", f.zero, usual.time + (f.hops - 1) * usual.hop, 1e-9);
}

/* Moore's bound, and nothing waits less than it would on links that are full. */
static void bounds_below(void)
{
    const struct edges e = edges_draw();
    const struct topo_report_options how = { .jobs = 1 };
    struct topo_report r;
    struct net *net;

    edges_write(&e, NULL, 1);
    assert_int_equal(net_open(&net, NETWORK, &err), 0);
    assert_int_equal(topo_report(&r, net, &how, &err), 0);
    assert_true(r.mean_hops <= r.diameter && r.mean_hops >= r.moore_mean - 1e-12 && r.diameter >= r.moore_diameter);
    assert_true(r.connectivity_lower <= r.degree_min && r.degree_min * r.nodes <= 2 * r.edges);
    topo_report_release(&r);
    net_close(net);
}

/* The model saturates before the fullest link does, with the terminals' own links too. */
static void saturates_below_capacity(void)
{
    const struct edges e = edges_draw();
    struct latency_options o = { .collide = { .switching = &switching_virtual_channel, .time = 1 + below(20),
                                              .router = router_usual, .hop_time = 1, .jobs = 1 }, .open = true };
    double capacity[2];

    edges_write(&e, NULL, 1);
    for (int k = 0; k < 2; k++) {
        struct latency_study study;
        struct scene s;

        o.terminals = k;
        scene_open(&s, NETWORK, "uniform", "ecmp");
        assert_int_equal(latency_open(&study, &s.traffic, &s.routing, 1, &o, &err), 0);
        assert_int_equal(latency_saturation(&study, &err), 0);
        capacity[k] = study.capacity_factor;
        assert_true(study.saturation_factor > 0 && study.saturation_factor <= capacity[k] * (1 + 1e-9));
        latency_close(&study);
        scene_release(&s);
    }
    assert_true(capacity[1] <= capacity[0] * (1 + 1e-9));
}

/* ---- simulated ---- */

static double bound_of(struct scene *s)
{
    struct throughput_options o = { 0 };
    struct throughput t;
    struct demand d;
    double *capacity, bound;

    assert_int_equal(capacity_open(&capacity, s->net, NULL, &err), 0);
    assert_int_equal(demand_open(&d, &s->traffic, 1, NULL, &err), 0);
    o.capacity = capacity;
    assert_int_equal(throughput_open(&t, s->net, &d, &o, &err), 0);
    bound = t.bound;
    throughput_close(&t);
    demand_close(&d);
    free(capacity);
    return bound;
}

/* At a part of the model's own saturation, with drawn links, channels and lengths of messages. */
static void simulated_by(double part, int cycles, void (*hold)(const struct simulated *m, const struct facts *f,
                                                               double load, double flits))
{
    const struct edges e = edges_draw();
    struct simulate_options o = simulated_usual("virtual-channel");
    struct latency_options how = { .open = true, .terminals = true };
    struct latency_study study;
    struct latency_summary y;
    struct simulated m;
    struct facts f = { 0 };
    struct scene s;
    struct load at;
    char spec[100];

    edges_write(&e, NULL, 1);
    snprintf(spec, sizeof spec, NETWORK ",latency=%d,bandwidth=%d", below(5), 1 + below(2));
    o.flits = 1 + below(16);
    o.router.vcs = 2 + below(4);
    o.router.buffer = 4 + below(12);
    o.hop_time = 1 + below(3);
    o.seed = rng_next(&rng) >> 1;
    o.cycles = cycles;
    o.warmup = cycles / 10.;
    how.collide = (struct collide_options){ .switching = o.switching, .router = o.router, .time = o.flits,
                                            .hop_time = o.hop_time, .jobs = 1 };
    scene_open(&s, spec, "uniform", "ecmp");
    assert_int_equal(latency_open(&study, &s.traffic, &s.routing, 1, &how, &err), 0);
    assert_int_equal(latency_saturation(&study, &err), 0);
    at = (struct load){ 1, part * study.saturation_factor };
    assert_int_equal(latency_solve(&study, &at, &err), 0);
    assert_int_equal(latency_summary(&y, &study, &at, &err), 0);
    f.zero = y.zero;
    f.mean = y.mean;
    f.bound = bound_of(&s);
    simulated_open(&m, spec, "uniform", "ecmp", &o);
    simulated_run(&m, at.factor * o.flits, o.flits);
    if (m.r.deadlocks == 0)             /* ecmp closes cycles of channels; at a tenth of saturation that is rare */
        hold(&m, &f, at.factor * o.flits, o.flits);
    simulated_release(&m);
    latency_close(&study);
    scene_release(&s);
}

static void hold_bounds(const struct simulated *m, const struct facts *f, double load, double flits)
{
    (void)f;
    for (size_t i = 0; i < m->n; i++)
        assert_true(m->arrival[i].arrived - m->arrival[i].born >= flits / 2);   /* over links of two at most */
    scene_near("accepted", m->r.accepted, load, 0.35);
}

/* Whatever the routing: a prefix of a run may accept a little more than its mean. */
static void hold_capacity(const struct simulated *m, const struct facts *f, double load, double flits)
{
    (void)flits;
    assert_true(load <= f->bound * (1 + 1e-9));
    assert_true(m->r.accepted <= f->bound * 1.03);
}

static void hold_model(const struct simulated *m, const struct facts *f, double load, double flits)
{
    (void)load;
    (void)flits;
    assert_true(m->r.mean > 0.95 * f->zero);
    scene_near("the model at a tenth of saturation", f->mean, m->r.mean, 0.3);
}

static void messages_arrive(void)
{
    simulated_by(0.3, 3000, hold_bounds);
}

static void none_carries_more(void)
{
    simulated_by(0.95, 4000, hold_capacity);
}

static void model_holds(void)
{
    simulated_by(0.1, 8000, hold_model);
}

/* ---- all ---- */

static const struct relation {
    const char *name;
    void (*holds)(void);
} relations[] = {
    { "renumbered", renumbered }, { "rows reversed", rows_reversed }, { "exported", exported }, { "failed", failed },
    { "streams reversed", streams_reversed }, { "bandwidths scaled", bandwidths_scaled },
    { "cables in parallel", cables_parallel }, { "times scaled", times_scaled }, { "a cable added", cable_added },
    { "bounds below", bounds_below }, { "saturation below capacity", saturates_below_capacity },
    { "load raised", load_raised }, { "traffic left out", traffic_left_out }, { "links suffice", links_suffice },
    { "messages arrive", messages_arrive }, { "none carries more", none_carries_more },
    { "the model holds", model_holds }
};

static void relation_holds(void **state)
{
    const struct relation *r = *state;
    const char *rounds = getenv("ROUNDS");

    rng_seed(&rng, check_seed());
    for (long k = rounds ? atol(rounds) : ROUNDS; k > 0; k--)
        r->holds();
}

int main(void)
{
    struct CMUnitTest tests[COUNT(relations)];
    char dir[] = "/tmp/metapath-relations-XXXXXX";
    int failures;

    if (!mkdtemp(dir) || chdir(dir) != 0)
        return 1;
    EACH_ROW(i, relations)
        tests[i] = (struct CMUnitTest){ relations[i].name, relation_holds, NULL, NULL,
                                        (void *)(uintptr_t)&relations[i] };
    failures = _cmocka_run_group_tests("relations", tests, COUNT(tests), NULL, NULL);
    remove(FILE_NAME);
    return chdir("/") == 0 && rmdir(dir) == 0 ? failures : 1;
}
