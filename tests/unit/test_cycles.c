/* Broadcasts in cycles against known answers. */
#include "analysis/collective/steps.h"
#include "analysis/broadcast/cycles.h"
#include "analysis/broadcast/cycles_flood.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/stage.h"

/* Of root 0, over the usual routing, in times of a message; it comes to an end. */
static double complete(struct net *net, const struct placement *where, const struct tree_shape *shape,
                       struct cycles_how how)
{
    const struct cycles_start start = { 0, 0 };
    struct cycles_links links;
    struct cycles_ways ways;
    struct cycles_run run;
    struct routing routing;
    struct err err = { 0 };
    const int root = 0;
    double got;

    if (cycles_links_open(&links, net, &err) < 0 ||
        routing_open(&routing, net, routing_usual(NULL, net, ROUTING_FOR_TREES), &err) < 0 ||
        cycles_ways_open(&ways, &links, &(struct cycles_trees){ shape, where, &root, 1, &routing }, NULL, &err) < 0 ||
        cycles_run_open(&run, &ways, &how, &start, 1, &err) < 0 || cycles_run(&run, NULL, NULL, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    assert_int_equal(run.stuck, 0);
    got = run.completion[0] / how.flits;
    cycles_run_release(&run);
    cycles_ways_release(&ways);
    cycles_links_release(&links);
    routing_close(&routing);
    return got;
}

/* Processes row-major on every terminal. */
static double completion(const char *spec, const struct tree *tree, struct cycles_how how)
{
    struct placement where;
    struct tree_shape shape;
    struct net *net;
    struct err err = { 0 };
    double got;

    if (net_open(&net, spec, &err) < 0 || placement_init(&where, net, NULL, 0, 1, 1, &err) < 0)
        fail_msg("%s: %s", spec, err.msg);
    trial_tree(&shape, tree, net, &where, 0);
    got = complete(net, &where, &shape, how);
    tree_shape_release(&shape);
    placement_release(&where);
    net_close(net);
    return got;
}

/* In times of a message: sequential, binary, binomial, chain. */
static const struct known {
    const char *spec, *switching;
    int ports;
    double in_times[4];
} known[] = {
    { "star:16", "wormhole", 1, { 15, 6, 4, 15 } },
    { "mesh:4x4", "wormhole", 1, { 15, 7, 4, 15 } },
    { "hypercube:4", "wormhole", 1, { 15, 6, 4, 15 } },
    { "mesh:8x8", "wormhole", 1, { 63, 18, 6, 63 } },
    { "mesh:8x8", "cut-through", 1, { 63, 15, 6, 63 } },
    { "torus:8x8", "cut-through", 1, { 63, 16, 6, 63 } },
    { "star:16", "store-and-forward", 1, { 15, 10, 7, 29 } },
    { "mesh:4x4", "store-and-forward", 1, { 48, 12, 6, 24 } },
    { "torus:4x4", "store-and-forward", 1, { 32, 12, 6, 18 } },
    { "hypercube:4", "store-and-forward", 1, { 32, 10, 4, 26 } },
    { "star:16", "wormhole", 0, { 1, 5, 4, 15 } },
    { "mesh:4x4", "wormhole", 0, { 12, 6, 4, 15 } },
    { "hypercube:4", "wormhole", 0, { 8, 4, 4, 15 } },
};

static void known_answers(void **state)
{
    static const char *const tree[] = { "sequential", "binary", "binomial", "chain" };
    const struct known *k = *state;

    for (int t = 0; t < 4; t++) {
        const struct cycles_how how = { switching_find(k->switching, NULL), 25, 0, k->ports, k->ports == 1 };
        const double c = completion(k->spec, tree_find(tree[t], NULL), how);

        if (c != k->in_times[t])
            fail_msg("%s, %s, %s, %d ports: %g, known %g", k->spec, tree[t], k->switching, k->ports, c, k->in_times[t]);
    }
}

/* ---- any scene at all, message by message ---- */

static const struct {
    const char *name;
    enum twin_switching twin;
} switching[] = { { "wormhole", TWIN_WORMHOLE }, { "circuit", TWIN_CIRCUIT }, { "cut-through", TWIN_CUT_THROUGH },
                  { "store-and-forward", TWIN_STORE_AND_FORWARD } };
enum { ROOTS = 4 };

/* Known families, and networks at random with cables unlike and parallel. */
static void random_trial(struct trial *c, struct rng *rng, uint64_t seed)
{
    static const char *const spec[] = { "ring:5", "ring:8", "torus:4x4", "torus:3x5", "mesh:4x4", "mesh:2x3x2",
                                        "star:9", "hypercube:4", "fattree:4", "complete:6", "torus:4x4,bandwidth=2+0.5",
                                        "dragonfly,a=2,p=2,h=1", "hyperx:3x3,bandwidth=4+1" };
    const char *const placement = rng_below(rng, 3) ? "random" : NULL;
    const uint64_t pick = rng_below(rng, 2 * COUNT(spec));
    int parent[64] = { 0 }, n;
    size_t trees = 0;
    struct err err = { 0 };

    *c = (struct trial){ .how = { (int)rng_below(rng, 4), rng_below(rng, 2) } };
    if (pick < COUNT(spec)) {
        if (net_open(&c->net, spec[pick], &err) < 0)
            fail_msg("%s", err.msg);
    } else {
        c->net = nets_random(rng, 2 + (int)rng_below(rng, 12), (int)rng_below(rng, 12), pick % 4 == 0);
        if (pick % 3)
            nets_cables(rng, c->net);
    }
    if (routing_open(&c->routing, c->net, routing_usual(NULL, c->net, ROUTING_FOR_TREES), &err) < 0 ||
        placement_init(&c->where, c->net, placement, 2 + (int)rng_below(rng, (uint64_t)c->net->nterminal - 1), 1, seed,
                       &err) < 0)
        fail_msg("%s", err.msg);
    n = c->where.n;
    for (int v = 1; v < n; v++)                 /* from bushy to long */
        parent[v] = (int)rng_below(rng, v < 4 ? (uint64_t)v : 1 + rng_below(rng, (uint64_t)v));
    if (rng_below(rng, 2)) {
        assert_int_equal(tree_shape_from(&c->tree, parent, n, rng_below(rng, 2), &err), 0);
        return;
    }
    while (tree_all[trees])
        trees++;
    trial_tree(&c->tree, tree_all[rng_below(rng, trees)], c->net, &c->where, 0);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_message(const struct cycles_run *r, size_t m, const struct twin_message *want, const char *scene)
{
    const struct cycles_message *got = &r->message[m];

    if (same(got->started, want->started) && same(got->delivered, want->delivered) && (isnan(got->delivered) ||
            (got->waited == want->waited && got->collisions == want->collisions && got->longest == want->longest)))
        return;
    fail_msg("%s: message %zu: from %g to %g, waits %g at %d links, %g at most; wanted %g to %g, %g, %d, %g", scene, m,
             got->started, got->delivered, got->waited, got->collisions, got->longest, want->started, want->delivered,
             want->waited, want->collisions, want->longest);
}

/* Each of the circle waits for a link that the next one has, as the twin has it. */
static void check_circle(const struct cycles_run *r, const struct twin_result *want)
{
    const size_t first = cycles_deadlocked(r);
    size_t m = first;

    assert_true(first != SIZE_MAX && cycles_waits_for(r, first) != first);
    do {
        const size_t next = cycles_waits_for(r, m);
        bool stuck = false;

        for (int k = 0; k < want->nstuck; k++)
            stuck = stuck || (want->stuck[k].broadcast == (int)cycles_broadcast(r, m) &&
                              want->stuck[k].rank == cycles_rank(r, m) &&
                              want->stuck[k].by_broadcast == (int)cycles_broadcast(r, next) &&
                              want->stuck[k].by_rank == cycles_rank(r, next));
        assert_true(stuck);
        m = next;
    } while (m != first);
}

static void check_scene(struct rng *rng, uint64_t seed, size_t *ndeadlock)
{
    static const double flits[] = { 1, 2, 4, 10, 25.5 }, hop[] = { 0, 0, 1, 2.5 }, at[] = { 0, 0, 8, 30.5 };
    const size_t s = rng_below(rng, COUNT(switching));
    const int nroot = 1 + (int)(rng_below(rng, 3) ? 0 : rng_below(rng, ROOTS));
    struct cycles_start start[ROOTS];
    struct twin_root root[ROOTS];
    struct twin_result want;
    struct trial c;
    struct cycles_how how;
    struct cycles_links links;
    struct cycles_ways ways;
    struct cycles_run run;
    struct stage g;
    struct err err = { 0 };
    int process[ROOTS];
    char scene[200];

    random_trial(&c, rng, seed);
    for (int i = 0; i < nroot; i++) {
        process[i] = (int)rng_below(rng, (uint64_t)c.where.n);
        start[i] = (struct cycles_start){ i, i ? at[rng_below(rng, COUNT(at))] : 0 };
    }
    for (int i = 1; i < nroot; i++)             /* the twin numbers broadcasts as they start */
        start[i].at = fmax(start[i].at, start[i - 1].at);
    for (int i = 0; i < nroot; i++)
        root[i] = (struct twin_root){ .root = process[i], .start = start[i].at, .rounds = 1 };
    how = (struct cycles_how){ switching_find(switching[s].name, NULL), flits[rng_below(rng, COUNT(flits))],
                               hop[rng_below(rng, COUNT(hop))], c.how.ports, c.how.blocking };
    snprintf(scene, sizeof scene, "SEED=%llu, %s, %d processes, %s, %g flits, hop time %g, ports %d, blocking %d, "
             "%d roots", (unsigned long long)seed, c.net->spec, c.where.n, switching[s].name, how.flits, how.hop_time, how.ports,
             how.blocking, nroot);
    stage_open(&g, &c, switching[s].twin, how.flits, how.hop_time);
    stage_run_idle(&want, &g, root, nroot);
    if (cycles_links_open(&links, c.net, &err) < 0 ||
        cycles_ways_open(&ways, &links, &(struct cycles_trees){ &c.tree, &c.where, process, nroot, &c.routing }, NULL,
                         &err) < 0 ||
        cycles_run_open(&run, &ways, &how, start, (size_t)nroot, &err) < 0 || cycles_run(&run, NULL, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(want.n, nroot);
    if ((run.stuck > 0) != want.deadlock)
        fail_msg("%s: %zu stuck, wanted %d", scene, run.stuck, want.nstuck);
    for (int b = 0; b < nroot; b++) {
        if (!want.deadlock)
            check_near(run.completion[b], want.broadcast[b].complete, 0);
        for (int v = 1; v < c.where.n; v++)
            check_message(&run, (size_t)b * (size_t)c.where.n + (size_t)v, &want.broadcast[b].message[v],
                          scene);
    }
    if (want.deadlock) {
        check_circle(&run, &want);
        ++*ndeadlock;
    }
    cycles_run_release(&run);
    cycles_ways_release(&ways);
    cycles_links_release(&links);
    twin_release(&want);
    stage_release(&g);
    trial_release(&c);
}

static void as_the_twin(void **state)
{
    const uint64_t seed = check_seed();
    size_t ndeadlock = 0;

    (void)state;
    for (uint64_t i = 0; i < 4000; i++) {
        struct rng rng;

        rng_seed(&rng, seed + i);
        check_scene(&rng, seed + i, &ndeadlock);
    }
    assert_true(ndeadlock > 0);
}

/* ---- what must hold ---- */

/* From end to end of a row of nodes, whatever the switching. */
static void alone_it_takes_what_latency_says(void **state)
{
    static const double flits[] = { 1, 10, 37.5 }, hop[] = { 0, 1, 2.5 };
    struct err err = { 0 };

    (void)state;
    for (int n = 2; n < 9; n++)
        for (size_t k = 0; k < 9 * COUNT(switching); k++) {
            const struct switching *s = switching_find(switching[k / 9].name, NULL);
            const struct cycles_how how = { s, flits[k % 3], hop[k / 3 % 3], 1, true };
            const int node[] = { 0, n - 1 };
            struct placement where;
            struct tree_shape shape;
            char spec[20];
            struct net *net;

            snprintf(spec, sizeof spec, "mesh:%d", n);
            if (net_open(&net, spec, &err) < 0 || placement_from(&where, net, node, 2, &err) < 0 ||
                tree_shape_init(&shape, tree_all[0], 2, NULL, &err) < 0)
                fail_msg("%s", err.msg);
            check_near(complete(net, &where, &shape, how) * how.flits,
                       switching_time(s, how.flits, n - 1, how.hop_time), 1e-12);
            tree_shape_release(&shape);
            placement_release(&where);
            net_close(net);
        }
}

static const char *const some[] = { "mesh:4x4", "torus:4x4", "ring:9", "hypercube:4", "star:12", "fattree:4",
                                    "mesh:3x7", "dragonfly,a=2,p=2,h=1", "complete:7", "torus:8x8" };

/* Receivers double with each message at most; steps, whose terminals do one thing at a time, are no quicker than
 * messages stored and forwarded. */
static void bounds_hold(void **state)
{
    (void)state;
    EACH_ROW(i, some)
        for (int t = 0; tree_all[t]; t++)
            EACH_ROW(k, switching) {
                const struct cycles_how how = { switching_find(switching[k].name, NULL), 8, 0, 1, true };
                const double got = completion(some[i], tree_all[t], how);
                struct broadcast steps;
                struct trial c;
                struct err err = { 0 };

                trial_open(&c, some[i], tree_all[t]->name, 0, 1, true);
                if (steps_broadcast(&steps, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                    &err) < 0)
                    fail_msg("%s", err.msg);
                if (got < ceil(log2(c.where.n)))
                    fail_msg("%s, %s, %s: %g is too quick", some[i], tree_all[t]->name, switching[k].name, got);
                if (how.switching->stores && got > steps.makespan_steps)
                    fail_msg("%s, %s: %g, but %g steps", some[i], tree_all[t]->name, got, steps.makespan_steps);
                broadcast_release(&steps);
                trial_release(&c);
            }
}

/* Times and lengths twice as long make everything twice as long. */
static void times_scale(void **state)
{
    (void)state;
    EACH_ROW(i, some)
        for (int t = 0; tree_all[t]; t++)
            EACH_ROW(k, switching) {
                const struct switching *s = switching_find(switching[k].name, NULL);

                check_near(completion(some[i], tree_all[t], (struct cycles_how){ s, 12, 2, 1, true }),
                           completion(some[i], tree_all[t], (struct cycles_how){ s, 6, 1, 1, true }), 0);
            }
}

/* A node put into every cable is nothing to messages that cut through, or hold all they have. */
static void cables_may_be_cut_in_two(void **state)
{
    static const char *const four[] = { "binary", "binomial", "chain", "sequential" };
    const uint64_t seed = check_seed();
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 300; i++) {
        const int n = 2 + (int)rng_below(&rng, 10);
        const struct cycles_how how = { switching_find(i % 2 ? "wormhole" : "cut-through", NULL), 8, 0,
                                        (int)rng_below(&rng, 3), rng_below(&rng, 2) };
        int whole[40], halves[80], node[16];
        struct placement where;
        struct tree_shape shape;
        struct net *net;
        struct err err = { 0 };
        double got[2];

        for (int v = 1; v < n; v++) {               /* of a tree: one way, and no circles */
            whole[2 * v - 2] = halves[4 * v - 4] = (int)rng_below(&rng, (uint64_t)v);
            whole[2 * v - 1] = halves[4 * v - 1] = v;
            halves[4 * v - 3] = halves[4 * v - 2] = n + v - 1;
        }
        for (int v = 0; v < n; v++)
            node[v] = v;
        rng_shuffle(&rng, node, (size_t)n);
        for (int k = 0; k < 2; k++) {
            net = k ? nets_from_edges(2 * n - 1, halves, 2 * n - 2, false) : nets_from_edges(n, whole, n - 1, false);
            if (placement_from(&where, net, node, n, &err) < 0 ||
                tree_shape_init(&shape, tree_find(four[i % 4], &err), n, NULL, &err) < 0)
                fail_msg("%s", err.msg);
            got[k] = complete(net, &where, &shape, how);
            tree_shape_release(&shape);
            placement_release(&where);
            net_close(net);
        }
        check_near(got[1], got[0], 0);
    }
}

/* Over every cable again and again until nobody hears sooner. */
static void flooding_takes_the_quickest_ways(void **state)
{
    const uint64_t seed = check_seed();
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 300; i++) {
        const int n = 2 + (int)rng_below(&rng, 12);
        struct net *net = nets_random(&rng, n, (int)rng_below(&rng, 12), i % 2);
        struct cycles_links links;
        struct err err = { 0 };
        double heard[16], most = 0, got = NAN;

        if (i % 3)
            nets_cables(&rng, net);
        for (int v = 0; v < n; v++)
            heard[v] = v ? INFINITY : 0;
        for (int again = 0; again < n; again++)
            for (int from = 0; from < n; from++)
                for (int to = 0; to < n; to++) {
                    struct link_kind kind[8];

                    for (int k = from == to ? 0 : nets_between(kind, 8, net, from, to); k-- > 0;)
                        heard[to] = fmin(heard[to], heard[from] + 10 / kind[k].bandwidth + kind[k].length);
                }
        for (int v = 0; v < n; v++)
            most = fmax(most, heard[v]);
        if (cycles_links_open(&links, net, &err) < 0 || cycles_flood(&got, &links, net, 0, 10, NULL, &err) < 0)
            fail_msg("%s", err.msg);
        check_near(got, most, 1e-12);
        cycles_links_release(&links);
        net_close(net);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(known) + 8];
    size_t n = 0;
    int failed;

    net_setup();
    EACH_ROW(i, known)
        tests[n++] = (struct CMUnitTest){ known[i].spec, known_answers, NULL, NULL, (void *)(uintptr_t)&known[i] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(as_the_twin);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(alone_it_takes_what_latency_says);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(bounds_hold);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(times_scale);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(cables_may_be_cut_in_two);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(flooding_takes_the_quickest_ways);
    failed = _cmocka_run_group_tests("cycles", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
