/* The simulation of broadcasts in cycles that others are judged by, itself judged: by known numbers, closed forms, and
 * another simulation. */
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/paths.h"
#include "tests/support/stage.h"
#include "tests/support/wormhole.h"

#define FLITS 25

/* ---- one broadcast, nothing else ---- */

static double idle(const char *spec, const char *tree, enum twin_switching how, int ports, bool blocking)
{
    const struct twin_root root = { .rounds = 1 };
    struct trial c;
    struct stage g;
    struct twin_result r;
    double complete;

    trial_open(&c, spec, tree, 0, ports, blocking);
    stage_open(&g, &c, how, FLITS, 0);
    stage_run_idle(&r, &g, &root, 1);
    assert_false(r.deadlock);
    assert_int_equal(r.n, 1);
    complete = r.broadcast[0].complete;
    twin_release(&r);
    stage_release(&g);
    trial_release(&c);
    return complete;
}

static const struct idle_row {
    const char *name, *spec;
    enum twin_switching how;
    int ports;
    bool blocking;
    double td[4];               /* sequential, binary, binomial, chain; NAN: not known */
} idle_rows[] = {
    { "wormhole, star", "star:16", TWIN_WORMHOLE, 1, true, { 15, 6, 4, 15 } },
    { "wormhole, mesh", "mesh:4x4", TWIN_WORMHOLE, 1, true, { 15, 7, 4, 15 } },
    { "wormhole, hypercube", "hypercube:4", TWIN_WORMHOLE, 1, true, { 15, 6, 4, 15 } },
    { "wormhole, larger mesh", "mesh:8x8", TWIN_WORMHOLE, 1, true, { 63, 18, 6, 63 } },
    { "cut-through, larger mesh", "mesh:8x8", TWIN_CUT_THROUGH, 1, true, { 63, 15, 6, 63 } },
    { "cut-through, torus", "torus:8x8", TWIN_CUT_THROUGH, 1, true, { 63, 16, 6, 63 } },
    { "store-and-forward, star", "star:16", TWIN_STORE_AND_FORWARD, 1, true, { 15, 10, 7, 29 } },
    { "store-and-forward, mesh", "mesh:4x4", TWIN_STORE_AND_FORWARD, 1, true, { 48, 12, 6, 24 } },
    { "store-and-forward, torus", "torus:4x4", TWIN_STORE_AND_FORWARD, 1, true, { 32, 12, 6, 18 } },
    { "store-and-forward, hypercube", "hypercube:4", TWIN_STORE_AND_FORWARD, 1, true, { 32, 10, 4, 26 } },
    { "all ports, not blocking, star", "star:16", TWIN_WORMHOLE, 0, false, { 1, 5, 4, 15 } },
    { "all ports, not blocking, mesh", "mesh:4x4", TWIN_WORMHOLE, 0, false, { 12, 6, 4, 15 } },
    { "all ports, not blocking, hypercube", "hypercube:4", TWIN_WORMHOLE, 0, false, { 8, 4, 4, 15 } },
};
static const char *const trees[] = { "sequential", "binary", "binomial", "chain" };

static void idle_row_holds(void **state)
{
    const struct idle_row *row = *state;

    EACH_ROW(i, trees) {
        const double got = idle(row->spec, trees[i], row->how, row->ports, row->blocking) / FLITS;

        if (!isnan(row->td[i]) && got != row->td[i])
            fail_msg("%s: %g, wanted %g", trees[i], got, row->td[i]);
    }
}

/* ---- one message, and another behind it, over three unlike links: by hand ---- */

static const struct way_row {
    const char *name;
    enum twin_switching how;
    double first, second, waited;   /* delivered; cycles that the second waited */
} way_rows[] = {
    { "three links, wormhole", TWIN_WORMHOLE, 28, 48, 0 },
    { "three links, circuit", TWIN_CIRCUIT, 48, 88, 20 },
    { "three links, cut-through", TWIN_CUT_THROUGH, 28, 48, 10 },
    { "three links, store-and-forward", TWIN_STORE_AND_FORWARD, 43, 63, 10 },
};

static void way_row_holds(void **state)
{
    static const double bandwidth[] = { 1, 0.5, 2 }, length[] = { 0, 3, 1 };
    static const int first[] = { 0, 2, 2, 2 }, child[] = { 1, 2 };
    static const struct twin_way way[9] = { [1] = { 3, { { 0, 1 }, { 1, 1 }, { 2, 1 } }, 1 },
                                            [2] = { 3, { { 0, 1 }, { 1, 1 }, { 2, 1 } }, 1 } };
    static const struct twin_root root = { .rounds = 1 };
    const struct way_row *row = *state;
    const struct twin_scene scene = { .switching = row->how, .nlink = 3, .bandwidth = bandwidth, .length = length,
                                      .flits = 10, .hop_time = 2, .processes = 3, .ports = 1, .first = first,
                                      .child = child, .way = way, .nroot = 1, .root = &root };
    struct twin_result r;

    twin_run(&r, &scene, (struct twin_how){ .details = true });
    assert_true(r.broadcast[0].arrival[1] == row->first && r.broadcast[0].arrival[2] == row->second);
    assert_true(r.broadcast[0].complete == row->second);
    assert_true(r.broadcast[0].message[2].waited == row->waited);
    assert_int_equal(r.broadcast[0].message[2].collisions, row->waited > 0);
    twin_release(&r);
}

/* Three messages at once over a trunk of two cables, the second twice as fast: the third takes it again. */
static void the_first_free_cable_is_taken(void **state)
{
    static const double bandwidth[] = { 1, 2 }, length[] = { 0, 0 };
    static const int first[] = { 0, 3, 3, 3, 3 }, child[] = { 1, 2, 3 };
    struct twin_way way[16] = { { 0 } };
    const struct twin_root root = { .rounds = 2 };
    const struct twin_scene scene = { .nlink = 2, .bandwidth = bandwidth, .length = length, .flits = 10,
                                      .processes = 4, .first = first, .child = child, .way = way, .nroot = 1,
                                      .root = &root };
    struct twin_result r;

    (void)state;
    for (int v = 1; v < 4; v++)
        way[v] = (struct twin_way){ 1, { { 0, 2 } }, 1 };
    twin_run(&r, &scene, (struct twin_how){ .details = true });
    assert_int_equal(r.n, 2);
    for (int i = 0; i < 2; i++) {
        const double *arrival = r.broadcast[i].arrival, start = 10 * i;

        assert_true(r.broadcast[i].start == start);
        assert_true(arrival[0] == start && arrival[1] == start + 10 && arrival[2] == start + 5 &&
                    arrival[3] == start + 10);
    }
    twin_release(&r);
}

/* ---- several broadcasts, random ---- */

/* Cycles from the first link asked for to the last flit's arrival where nothing else is on the way. */
static double alone(const struct twin_scene *s, const struct twin_way *way)
{
    double stored = 0, slowest = 0, lengths = 0;

    for (int k = 0; k < way->n; k++) {
        const double t = s->flits / s->bandwidth[way->step[k].first];

        stored += t;
        slowest = fmax(slowest, t);
        lengths += s->length[way->step[k].first];
    }
    if (s->switching == TWIN_STORE_AND_FORWARD)
        return stored + lengths + (way->n - 1) * s->hop_time;
    return slowest + lengths + (way->n - 1) * s->hop_time +
        (s->switching == TWIN_CIRCUIT ? 2 * (lengths + way->n * s->hop_time) : 0);
}

/* Each message that arrived took its time alone and its waits (cut-through: no more, since waits for a link behind a
 * slower one may cost nothing), and was sent by who had it. */
static void judge(const struct twin_result *r, const struct stage *g, const struct trial *c)
{
    const int n = c->where.n;

    for (int i = 0; i < r->n; i++) {
        const struct twin_broadcast *b = &r->broadcast[i];
        double last = b->start;

        assert_true(b->arrival[b->root] == b->start);
        for (int v = 1; v < n; v++) {
            const struct twin_message *m = &b->message[v];
            const int from = (c->tree.parent[v] + b->root) % n, to = (v + b->root) % n;
            const double least = alone(&g->scene, &g->way[from * n + to]);

            last = fmax(last, isnan(m->delivered) ? INFINITY : m->delivered);
            if (isnan(m->delivered)) {
                assert_true(r->deadlock && isnan(b->arrival[to]));
                continue;
            }
            assert_true(b->arrival[to] == m->delivered && m->started >= b->arrival[from]);
            assert_true(m->collisions > 0 ? m->longest > 0 && m->longest <= m->waited : m->waited == 0);
            assert_true(m->delivered >= m->started + least);
            assert_true(m->delivered <= m->started + least + m->waited);
            if (g->scene.switching != TWIN_CUT_THROUGH)
                assert_true(m->delivered == m->started + least + m->waited);
        }
        assert_true(isnan(b->complete) ? r->deadlock && last == INFINITY : last == b->complete);
    }
}

static void messages_take_their_time_and_their_waits(void **state)
{
    static const char *const spec[] = { "mesh:3x4", "torus:4x4", "ring:9", "hypercube:3", "star:7", "complete:6" };
    struct rng rng;
    int deadlocks = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 1000; i++) {
        struct twin_root root[3];
        struct trial c;
        struct stage g;
        struct twin_result r;

        trial_open(&c, spec[rng_below(&rng, COUNT(spec))], trees[rng_below(&rng, COUNT(trees))], 0,
                   (int)rng_below(&rng, 4), rng_below(&rng, 2));
        rng_shuffle(&rng, c.where.node, (size_t)c.where.n);
        stage_open(&g, &c, (enum twin_switching)rng_below(&rng, 4), 8, (double)rng_below(&rng, 3));
        for (int l = 0; l < g.scene.nlink; l++) {
            g.bandwidth[l] = ldexp(1, (int)rng_below(&rng, 3) - 1);
            g.length[l] = (double)rng_below(&rng, 3);
        }
        EACH_ROW(k, root)
            root[k] = (struct twin_root){ (int)rng_below(&rng, (uint64_t)c.where.n), (double)rng_below(&rng, 20),
                                          1 + (long)rng_below(&rng, 2), TWIN_AFTER, 0 };
        stage_run_idle(&r, &g, root, COUNT(root));
        deadlocks += r.deadlock;
        judge(&r, &g, &c);
        twin_release(&r);
        stage_release(&g);
        trial_release(&c);
    }
    print_message("%d of 1000 are stuck\n", deadlocks);
    assert_true(deadlocks < 300);
}

/* ---- deadlock ---- */

/* Three messages half-way round a ring of eight, from nodes 4, 7 and 2 at 53: each holds three links, and waits for
 * the first of the next. */
static void three_messages_round_a_ring_are_stuck(void **state)
{
    static const int node[] = { 1, 4, 7, 2, 0, 3, 5, 6 }, holder[] = { [4] = 5, [5] = 7, [7] = 4 };
    static const int from[] = { [4] = 7, [5] = 2, [7] = 4 };
    const struct twin_root root = { .rounds = 1 };
    struct trial c;
    struct stage g;
    struct twin_result r;

    (void)state;
    trial_open(&c, "ring:8", "binary", 8, 1, true);
    memcpy(c.where.node, node, sizeof node);
    stage_open(&g, &c, TWIN_WORMHOLE, FLITS, 1);
    stage_run_idle(&r, &g, &root, 1);
    assert_true(r.deadlock && r.now == 56 && isnan(r.broadcast[0].complete));
    assert_int_equal(r.nstuck, 3);
    for (int i = 0; i < 3; i++) {
        const struct twin_stuck *s = &r.stuck[i];

        assert_true(s->rank == 4 || s->rank == 5 || s->rank == 7);
        assert_int_equal(s->by_rank, holder[s->rank]);
        assert_int_equal(s->link, g.first[from[s->rank] * 8 + (from[s->rank] + 1) % 8]);
        assert_true(r.broadcast[0].message[s->rank].started == 53);
        assert_true(isnan(r.broadcast[0].message[s->rank].delivered));
    }
    assert_true(r.broadcast[0].arrival[1] == 27 && r.broadcast[0].arrival[2] == 53);
    twin_release(&r);
    g.scene.switching = TWIN_CUT_THROUGH;
    stage_run_idle(&r, &g, &root, 1);
    assert_false(r.deadlock);
    twin_release(&r);
    stage_release(&g);
    trial_release(&c);
}

/* ---- under load ---- */

struct spread {
    double mean, deviation, error;      /* of the mean */
};

static struct spread completions(const struct twin_result *r, int from, int to)
{
    struct spread s = { 0, 0, 0 };

    for (int i = from; i < to; i++)
        s.mean += (r->broadcast[i].complete - r->broadcast[i].start) / (to - from);
    for (int i = from; i < to; i++)
        s.deviation += pow(r->broadcast[i].complete - r->broadcast[i].start - s.mean, 2) / (to - from);
    s.deviation = sqrt(s.deviation);
    s.error = s.deviation / sqrt(to - from);
    return s;
}

/* Broadcasts one after the other, the background left alone for `recovery` before each. */
static struct spread loaded(struct twin_scene *s, int root, double recovery, int n, uint64_t seed)
{
    const struct twin_root again = { root, recovery, 0, TWIN_AFTER, recovery };
    struct twin_result r;
    struct spread spread;
    struct rng rng;

    rng_seed(&rng, seed);
    s->root = &again;
    s->nroot = 1;
    twin_run(&r, s, (struct twin_how){ .enough = n, .rng = &rng });
    assert_false(r.deadlock);
    spread = completions(&r, 0, n);
    twin_release(&r);
    s->root = NULL;
    s->nroot = 0;
    return spread;
}

static void within(const char *what, double got, double want, double margin)
{
    print_message("%s: %.3f, wanted %.3f\n", what, got, want);
    if (!(fabs(got - want) <= margin))
        fail_msg("%s: %.6g, wanted %.6g within %.3g", what, got, want, margin);
}

/* n messages over a first link that a closed source also uses. By renewal: who comes finds the source sending with
 * probability TD / (MI + TD), half a time to go; each later one finds it again where it came in the time of the
 * last. */
static void a_closed_source_at_one_link(void **state)
{
    enum { N = 40000 };
    static const double ones[3] = { 1, 1, 1 }, none[3] = { 0 };
    static const int first[] = { 0, 3, 3, 3, 3 }, child[] = { 1, 2, 3 }, first1[] = { 0, 1, 1 };
    const struct twin_way one = { 1, { { 0, 1 } }, 1 };
    const struct twin_source source = { false, 100, FLITS, 1, &one };
    struct twin_way way[16] = { { 0 } };
    struct twin_scene s = { .nlink = 3, .bandwidth = ones, .length = none, .flits = FLITS, .processes = 4, .ports = 1,
                            .blocking = true, .first = first, .child = child, .way = way, .nsource = 1,
                            .source = &source };
    struct spread x;

    (void)state;
    for (int v = 1; v < 4; v++)
        way[v] = (struct twin_way){ 2, { { 0, 1 }, { v == 1 ? 1 : 2, 1 } }, 1 };
    x = loaded(&s, 0, 1000, N, 1);
    within("three messages", x.mean, 3 * 25 + 25 * 25 / 250.0 - 2 * 25 * expm1(-0.25), 4 * x.error);
    within("three messages, as published", x.mean, 88.560, 4 * x.error);
    s.processes = 2;
    s.first = first1;
    way[1] = one;                   /* [0 * 2 + 1] */
    x = loaded(&s, 0, 1000, N, 2);
    within("one message", x.mean, 27.5, 4 * x.error);
    within("one message's deviation", x.deviation, 5.951, 0.1);
}

/* By the network's own names: two nodes, one link each way, both with a closed source. */
static void two_nodes(void **state)
{
    struct trial c;
    struct stage g;
    struct spread x;

    (void)state;
    trial_open(&c, "ring:2", "chain", 2, 1, true);
    stage_open(&g, &c, TWIN_WORMHOLE, FLITS, 0);
    assert_int_equal(g.scene.nlink, 2);
    stage_traffic(&g, &c, "uniform", NULL, 100, false);
    x = loaded(&g.scene, 1, 1000, 40000, 3);
    within("mean", x.mean, 27.5, 4 * x.error);
    within("deviation", x.deviation, 5.951, 0.1);
    stage_release(&g);
    trial_release(&c);
}

/* Open: M/D/1. */
static void an_open_source_alone(void **state)
{
    static const double one_link[] = { 1 }, none[] = { 0 };
    const struct twin_way one = { 1, { { 0, 1 } }, 1 };
    const struct twin_source source = { true, 50, FLITS, 1, &one };
    const struct twin_root root = { 0, 2e6, 1, TWIN_AFTER, 0 };
    static const int first[] = { 0, 1, 1 }, child[] = { 1 };
    const struct twin_way way[4] = { [1] = one };
    const struct twin_scene s = { .nlink = 1, .bandwidth = one_link, .length = none, .flits = FLITS, .processes = 2,
                                  .first = first, .child = child, .way = way, .nroot = 1, .root = &root, .nsource = 1,
                                  .source = &source };
    struct twin_result r;
    struct rng rng;

    (void)state;
    rng_seed(&rng, 4);
    twin_run(&r, &s, (struct twin_how){ .enough = 1, .from = 1000, .rng = &rng });
    within("latency", r.latency[0] / (double)r.sent[0], 25 + 0.5 * 25 / (2 * 0.5), 0.6);
    within("rate", (double)r.sent[0] / r.now, 1 / 50.0, 4e-4);
    twin_release(&r);
}

/* Another simulation of closed sources, all of wormhole messages without hop time. */
static void background_alone_equals_another_simulation(void **state)
{
    static const char *const traffic[] = { "uniform", "hotspot:5", "transpose" };
    const struct twin_root root = { 0, 1e5, 1, TWIN_AFTER, 0 };

    (void)state;
    EACH_ROW(i, traffic) {
        struct trial c;
        struct stage g;
        struct twin_result r;
        struct rng rng;
        struct traffic t;
        struct paths p;
        struct err err;
        double *other, sum = 0, mean = 0;
        long sent = 0;

        rng_seed(&rng, i);
        trial_open(&c, "mesh:4x4", "chain", 2, 1, true);
        stage_open(&g, &c, TWIN_WORMHOLE, FLITS, 0);
        stage_traffic(&g, &c, traffic[i], NULL, 60, false);
        g.scene.root = &root;
        g.scene.nroot = 1;
        twin_run(&r, &g.scene, (struct twin_how){ .enough = 1, .from = 1000, .rng = &rng });
        assert_int_equal(traffic_open(&t, c.net, traffic[i], &err), 0);
        paths_open(&p, &t, &c.routing, false);
        assert_int_equal(p.nsource, g.scene.nsource);
        other = calloc((size_t)p.nsource, sizeof *other);
        assert_non_null(other);
        wormhole_run(other, &p, 60, FLITS, 30000, &rng);
        for (int k = 0; k < p.nsource; k++) {
            sent += r.sent[k];
            sum += r.latency[k];
            mean += other[k] * (double)r.sent[k];
        }
        within(traffic[i], sum / (double)sent, mean / (double)sent, 0.01 * sum / (double)sent);
        free(other);
        paths_release(&p);
        traffic_release(&t);
        twin_release(&r);
        stage_release(&g);
        trial_release(&c);
    }
}

/* Of the program that the numbers are from nothing else is known: closed uniform background at every node, root in a
 * corner. */
static const struct load_row {
    const char *name;
    double interval, mean[4];
} load_rows[] = {
    { "mesh, a message every 150 cycles", 150, { 453, 201, 128, 420 } },
    { "mesh, a message every 40 cycles", 40, { 656, 266, 179, 527 } },
};

static void load_row_holds(void **state)
{
    const struct load_row *row = *state;

    EACH_ROW(i, trees) {
        struct trial c;
        struct stage g;
        struct spread x;

        trial_open(&c, "mesh:4x4", trees[i], 16, 1, true);
        stage_open(&g, &c, TWIN_WORMHOLE, FLITS, 0);
        stage_traffic(&g, &c, "uniform", "dor", row->interval, false);
        x = loaded(&g.scene, 0, 1000, 2500, 5 + i);
        within(trees[i], x.mean, row->mean[i], 0.02 * row->mean[i]);
        stage_release(&g);
        trial_release(&c);
    }
}

/* Twice the flits, twice the intervals: every instant doubles. */
static void time_scales(void **state)
{
    double mean[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct trial c;
        struct stage g;

        trial_open(&c, "torus:4x4", "binomial", 16, 2, false);
        stage_open(&g, &c, TWIN_CUT_THROUGH, FLITS * (1 + i), 0);
        stage_traffic(&g, &c, "uniform", "minimal", 50 * (1 + i), false);
        mean[i] = loaded(&g.scene, 3, 1000 * (1 + i), 100, 6).mean;
        stage_release(&g);
        trial_release(&c);
    }
    check_near(mean[1], 2 * mean[0], 1e-9 * mean[1]);
}

/* ---- again and again ---- */

/* All roots of a mesh, each again as soon as its last was complete: how far apart. */
static void back_to_back(void **state)
{
    static const double interval[] = { 573, 689, 506, 375 };
    enum { N = 3000 };

    (void)state;
    EACH_ROW(i, trees) {
        struct twin_root root[16];
        struct trial c;
        struct stage g;
        struct twin_result r;

        trial_open(&c, "mesh:4x4", trees[i], 16, 1, true);
        stage_open(&g, &c, TWIN_WORMHOLE, FLITS, 0);
        for (int k = 0; k < 16; k++)
            root[k] = (struct twin_root){ k, 0, 0, TWIN_AFTER, 0 };
        g.scene.root = root;
        g.scene.nroot = 16;
        twin_run(&r, &g.scene, (struct twin_how){ .enough = N });
        within(trees[i], completions(&r, 0, N).mean, interval[i], 0.02 * interval[i]);
        twin_release(&r);
        stage_release(&g);
        trial_release(&c);
    }
}

/* What two chains round a one-way ring, at a random offset, cost the first: summed over the other's root and its
 * offset, (2P - 3) TD^2 / 2. Cycles lost are linear in the offset between multiples of TD, so that the middles of halves will
 * do. */
static void two_chains_meet(void **state)
{
    enum { P = 5 };
    const double step = FLITS / 2.0;
    double sum = 0;
    struct trial c;
    struct stage g;

    (void)state;
    trial_open(&c, "ring:5,directed=yes", "chain", P, 1, true);
    stage_open(&g, &c, TWIN_WORMHOLE, FLITS, 0);
    for (int other = 0; other < P; other++)
        for (double at = step / 2; at < 4 * P * FLITS; at += step) {
            const struct twin_root root[] = { { 0, 2 * P * FLITS, 1, TWIN_AFTER, 0 }, { other, at, 1, TWIN_AFTER, 0 } };
            struct twin_result r;

            stage_run_idle(&r, &g, root, 2);
            for (int i = 0; i < 2; i++)
                if (r.broadcast[i].of == 0)
                    sum += (r.broadcast[i].complete - r.broadcast[i].start - (P - 1) * FLITS) * step;
            twin_release(&r);
        }
    check_near(sum, (2 * P - 3) * FLITS * FLITS / 2.0, 1e-9);
    stage_release(&g);
    trial_release(&c);
}

/* One root, open: the sends of one broadcast are a batch served in one time B, so that it waits as in M/D/1. */
static const struct queue_row {
    const char *name, *spec, *tree;
    double batch, idle, interval;
} queue_rows[] = {
    { "one root, chain on a line", "mesh:6", "chain", 25, 5 * 25, 40 },
    { "one root, all sent by itself", "star:6", "sequential", 5 * 25, 5 * 25, 200 },
    { "one root, binomial on a hypercube", "hypercube:3", "binomial", 3 * 25, 3 * 25, 150 },
};

static void queue_row_holds(void **state)
{
    enum { N = 60000 };
    const struct queue_row *row = *state;
    const double rho = row->batch / row->interval;
    const struct twin_root root = { .again = TWIN_POISSON, .interval = row->interval };
    struct trial c;
    struct stage g;
    struct twin_result r;
    struct rng rng;

    rng_seed(&rng, 8);
    trial_open(&c, row->spec, row->tree, 0, 1, true);
    stage_open(&g, &c, TWIN_WORMHOLE, FLITS, 0);
    g.scene.root = &root;
    g.scene.nroot = 1;
    twin_run(&r, &g.scene, (struct twin_how){ .enough = N, .rng = &rng });
    within(row->name, completions(&r, N / 20, N).mean, row->idle + rho * row->batch / (2 * (1 - rho)),
           0.02 * row->idle);
    twin_release(&r);
    stage_release(&g);
    trial_release(&c);
}

int main(void)
{
    struct CMUnitTest tests[64] = {
        cmocka_unit_test(the_first_free_cable_is_taken),
        cmocka_unit_test(messages_take_their_time_and_their_waits),
        cmocka_unit_test(three_messages_round_a_ring_are_stuck),
        cmocka_unit_test(a_closed_source_at_one_link),
        cmocka_unit_test(two_nodes),
        cmocka_unit_test(an_open_source_alone),
        cmocka_unit_test(background_alone_equals_another_simulation),
        cmocka_unit_test(time_scales),
        cmocka_unit_test(back_to_back),
        cmocka_unit_test(two_chains_meet),
    };
    size_t n = 0;
    int failed;

    while (tests[n].test_func)          /* those listed above */
        n++;

    net_setup();
    EACH_ROW(i, idle_rows)
        tests[n++] = (struct CMUnitTest){ .name = idle_rows[i].name, .test_func = idle_row_holds,
                                          .initial_state = (void *)(uintptr_t)&idle_rows[i] };
    EACH_ROW(i, way_rows)
        tests[n++] = (struct CMUnitTest){ .name = way_rows[i].name, .test_func = way_row_holds,
                                          .initial_state = (void *)(uintptr_t)&way_rows[i] };
    EACH_ROW(i, load_rows)
        tests[n++] = (struct CMUnitTest){ .name = load_rows[i].name, .test_func = load_row_holds,
                                          .initial_state = (void *)(uintptr_t)&load_rows[i] };
    EACH_ROW(i, queue_rows)
        tests[n++] = (struct CMUnitTest){ .name = queue_rows[i].name, .test_func = queue_row_holds,
                                          .initial_state = (void *)(uintptr_t)&queue_rows[i] };
    failed = _cmocka_run_group_tests("the twin of broadcasts in cycles", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
