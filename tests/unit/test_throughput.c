/* Bounds on throughput: closed forms; the same program written path by path over all paths that there are; maximum
 * flows by igraph; one method against another; and what duality says of every answer. */
#include <glpk.h>
#include <igraph.h>
#include <string.h>
#include <unistd.h>

#include "analysis/bound/capacity.h"
#include "analysis/bound/lp.h"
#include "analysis/bound/simple_bounds.h"
#include "analysis/bound/throughput.h"
#include "graph/distance/distances.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

/* ---- an answer, and what must be true of any ---- */

static void holds(const char *what, const struct throughput *t, double total)
{
    double crossed = 0, worth = 0, fullest = 0;

    if (!(t->bound >= t->theta * (1 - 1e-12)))
        fail_msg("%s: %.17g reached, %.17g proved", what, t->theta, t->bound);
    for (size_t l = 0; l < t->nlink; l++) {
        crossed += t->load[l] * t->capacity[l];
        worth += t->price[l] * t->capacity[l];
        fullest = fmax(fullest, t->load[l]);
        assert_true(t->load[l] >= 0 && t->price[l] >= 0);
        /* what is paid for is full, but for gap over price */
        if (t->gap < 1e-9 && t->price[l] * t->capacity[l] > 1e-4 * t->theta)
            scene_near(what, t->load[l], 1, 1e-5);
    }
    scene_near(what, fullest, 1, 1e-9);
    scene_near(what, crossed, t->theta * total * t->hops, 1e-7);
    scene_near(what, worth, t->theta, 1e-9);
    assert_true(t->theta <= t->distance_bound * (1 + 1e-12));
}

static double solve_net(const char *what, struct net *net, const struct traffic *traffic, struct throughput_options o,
                        struct throughput *keep)
{
    struct throughput t;
    struct demand d;
    double theta;

    assert_int_equal(demand_open(&d, traffic, 10, NULL, &err), 0);
    if (throughput_open(&t, net, &d, &o, &err) < 0)
        fail_msg("%s: %s", what, err.msg);
    assert_int_equal(t.lost[0], -1);
    holds(what, &t, demand_total(&d));
    if (o.method == THROUGHPUT_ARCS || o.gap == 0) {
        if (t.gap > 1e-7)
            fail_msg("%s: gap %g", what, t.gap);
    } else {
        assert_true(t.gap <= o.gap * (1 + 1e-12));
    }
    theta = t.theta;
    if (keep)
        *keep = t;
    else
        throughput_close(&t);
    demand_close(&d);
    return theta;
}

/* ---- closed forms ---- */

static struct net *open_net(const char *spec)
{
    struct net *net = NULL;

    if (net_open(&net, spec, &err) < 0)
        fail_msg("%s: %s", spec, err.msg);
    return net;
}

/* Five pentagons and five pentagrams; node j of pentagon h meets node h i + j of pentagram i (Robertson). */
static struct net *hoffman_singleton(void)
{
    int end[350], n = 0;

    for (int k = 0; k < 5; k++)
        for (int j = 0; j < 5; j++) {
            end[n++] = 5 * k + j;
            end[n++] = 5 * k + (j + 1) % 5;
            end[n++] = 25 + 5 * k + j;
            end[n++] = 25 + 5 * k + (j + 2) % 5;
            for (int i = 0; i < 5; i++) {
                end[n++] = 5 * k + j;
                end[n++] = 25 + 5 * i + (k * i + j) % 5;
            }
        }
    return nets_from_edges(50, end, n / 2, false);
}

static struct net *petersen(void)
{
    static const int end[] = { 0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 0, 5, 1, 6, 2, 7, 3, 8, 4, 9, 5, 7, 7, 9, 9, 6, 6, 8, 8,
        5 };

    return nets_from_edges(10, end, 15, false);
}

static struct net *one_way_ring(void)
{
    int end[14];

    for (int i = 0; i < 7; i++) {
        end[2 * i] = i;
        end[2 * i + 1] = (i + 1) % 7;
    }
    return nets_from_edges(7, end, 7, true);
}

static const struct known {
    const char *spec;
    struct net *(*make)(void);
    double per_pair;
    bool large;                 /* folded only */
} known[] = {
    { "complete:2", NULL, 1, false },
    { "complete:9", NULL, 1, false },
    { "complete:300", NULL, 1, true },
    { "petersen", petersen, 1 / 5.0, false },
    { "hoffman-singleton", hoffman_singleton, 1 / 13.0, false },
    { "one way", one_way_ring, 1 / 21.0, false },                       /* 7 * 6/2 links crossed towards all others,
                                                                         * per link */
    { "ring:3", NULL, 1, false },
    { "ring:4", NULL, 1 / 2.0, false },
    { "ring:5", NULL, 1 / 3.0, false },                                 /* 8/(k^2 - 1), 8/k^2 */
    { "ring:8", NULL, 1 / 8.0, false },
    { "ring:11", NULL, 8 / 120.0, false },
    { "ring:500", NULL, 8 / 250000.0, true },
    { "hypercube:1", NULL, 1, false },
    { "hypercube:3", NULL, 1 / 4.0, false },
    { "hypercube:5", NULL, 1 / 16.0, false },
    { "hypercube:10", NULL, 1 / 512.0, true },
    { "torus:4x4", NULL, 1 / 8.0, false },                              /* 8/k^3 */
    { "torus:6x6", NULL, 8 / 216.0, false },
    { "torus:8x8", NULL, 1 / 64.0, true },
    { "torus:32x32", NULL, 8 / 32768.0, true },
    { "mesh:2", NULL, 1, false },
    { "mesh:7", NULL, 1 / 12.0, false },                                /* 3 * 4 pairs cross the fourth cable each
                                                                         * way */
    { "mesh:4x4", NULL, 1 / 16.0, false },                              /* 8 * 8 pairs over 4 links: dimension order
                                                                         * reaches it */
    { "mesh:6x4", NULL, 1 / 36.0, false },                              /* 12 * 12 over 4 */
    { "star:9", NULL, 1 / 8.0, false },                                 /* a leaf's link */
    { "fattree:4", NULL, 1 / 15.0, false },                             /* full bisection: a terminal's link */
};

/* Every method, folded and not, gives the closed form, and nothing is above the simple bounds. */
static void closed_form(void **state)
{
    const struct known *k = *state;
    struct net *net = k->make ? k->make() : open_net(k->spec);
    struct simple_bounds simple;
    struct traffic traffic;
    double theta = NAN;

    assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
    for (int unfolded = 0; unfolded < (k->large ? 1 : 2); unfolded++)
        for (int method = THROUGHPUT_ARCS; method <= THROUGHPUT_COLUMNS; method++) {
            const struct throughput_options o = { .method = (enum throughput_method)method, .unfolded = unfolded };

            if (method == THROUGHPUT_ARCS && net->n > 50 && strncmp(k->spec, "complete", 8) == 0)
                continue;
            theta = solve_net(k->spec, net, &traffic, o, NULL);
            scene_near(k->spec, theta / (net->nterminal - 1), k->per_pair, 1e-7);
        }
    assert_int_equal(simple_bounds(&simple, net, NULL, NULL, &err), 0);
    assert_true(isnan(simple.bisection) || theta <= simple.bisection * (1 + 1e-9));
    assert_true(isnan(simple.moore) || theta <= simple.moore * (1 + 1e-9));
    traffic_release(&traffic);
    net_close(net);
}

/* What is folded is small: one source, one class of links, where all are alike. */
static void folds(void **state)
{
    static const struct {
        const char *spec, *traffic;
        size_t sources, links;
    } rows[] = {
        { "torus:32x32", "uniform", 1, 1 }, { "hypercube:10", "uniform", 1, 1 }, { "torus:6x4", "uniform", 1, 2 },
        { "mesh:4x4", "uniform", 3, 6 }, { "star:20", "uniform", 2, 2 }, { "torus:8x8", "hotspot:3.4,share=0.5", 15,
          40 },
        { "ring:9", "tornado", 1, 2 }, { "complete:40", "uniform", 1, 1 }, { "fattree:4", "uniform", 1, 6 },
          { "fattree:32", "uniform", 1, 6 },
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = open_net(rows[i].spec);
        const struct throughput_options o = { .method = THROUGHPUT_ARCS };
        struct throughput t;
        struct traffic traffic;

        assert_int_equal(traffic_open(&traffic, net, rows[i].traffic, &err), 0);
        solve_net(rows[i].spec, net, &traffic, o, &t);
        if (t.sources != rows[i].sources || t.links != rows[i].links)
            fail_msg("%s, %s: %zu sources and %zu links", rows[i].spec, rows[i].traffic, t.sources, t.links);
        throughput_close(&t);
        traffic_release(&traffic);
        net_close(net);
    }
}

/* Bounds that need no program are reached: by bisection where the middle is the narrow place, by Moore's tree on
 * Moore graphs. */
static void simple_bounds_reached(void **state)
{
    static const struct {
        const char *spec;
        struct net *(*make)(void);
        double theta;           /* per node */
        bool bisection, moore;
    } rows[] = {
        { "torus:8x8", NULL, 63 / 64.0, true, false }, { "hypercube:5", NULL, 31 / 16.0, true, false },
        { "mesh:6x4", NULL, 23 / 36.0, true, false }, { "ring:8", NULL, 7 / 8.0, true, true },
        { "complete:9", NULL, 8, false, true }, { "petersen", petersen, 9 / 5.0, false, true },
        { "hoffman-singleton", hoffman_singleton, 49 / 13.0, false, true }, { "one way", one_way_ring, 6 / 21.0, false,
          true },
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = rows[i].make ? rows[i].make() : open_net(rows[i].spec);
        struct simple_bounds b;

        assert_int_equal(simple_bounds(&b, net, NULL, NULL, &err), 0);
        if (rows[i].bisection)
            scene_near(rows[i].spec, b.bisection, rows[i].theta, 1e-12);
        if (rows[i].moore)
            scene_near(rows[i].spec, b.moore, rows[i].theta, 1e-12);
        net_close(net);
    }
}

/* ---- all paths, one by one ---- */

struct all_paths {
    struct lp *lp;
    const struct csr *c;
    const int *hops;            /* to the target: n x n, row by target */
    const double *capacity;
    int target, row_of_pair, most;      /* hops that a path may have */
    int node[16], depth;
    bool on[16];
};

static void each_path(struct all_paths *p, int at)
{
    if (at == p->target) {
        int row[20], n = 0;
        double value[20];

        row[n] = p->row_of_pair;
        value[n++] = 1;
        for (int i = 0; i + 1 < p->depth; i++) {
            const size_t link = csr_link(p->c, p->node[i], p->node[i + 1]);

            row[n] = (int)link;
            value[n++] = 1 / p->capacity[link];
        }
        assert_true(lp_column(p->lp, &(struct lp_column){ .up = INFINITY, .n = (size_t)n, .row = row,
                              .value = value }, &err) >= 0);
        return;
    }
    for (size_t l = p->c->first[at]; l < p->c->first[at + 1]; l++) {
        const int next = p->c->to[l], left = p->hops[p->target * p->c->n + next];

        if (p->on[next] || left < 0 || p->depth + left > p->most)
            continue;
        p->on[next] = true;
        p->node[p->depth++] = next;
        each_path(p, next);
        p->depth--;
        p->on[next] = false;
    }
}

/* The program with a column for every simple path of at most `slack` hops more than the shortest (-1: every simple
 * path), as it is in textbooks: maximise theta where each pair's paths carry theta times its demand. */
static double by_all_paths(struct net *net, const struct demand *d, const double *capacity, int slack)
{
    const igraph_t *graph;
    struct csr c;
    struct lp *lp;
    enum lp_end end;
    int *hops, *queue, theta_row[512], n = 0;
    double *row, theta_value[512], theta;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    assert_int_equal(csr_init(&c, graph, true, &err), 0);
    hops = malloc((size_t)(net->n * net->n) * sizeof *hops);
    queue = malloc((size_t)net->n * sizeof *queue);
    row = malloc((size_t)net->n * sizeof *row);
    assert_true(hops && queue && row);
    for (int t = 0; t < net->n; t++)
        csr_bfs(&c, t, hops + t * net->n, queue);
    csr_release(&c);
    assert_int_equal(csr_init(&c, graph, false, &err), 0);
    assert_int_equal(lp_open(&lp, "paths", true, &err), 0);
    for (size_t l = 0; l < c.m; l++)
        assert_true(lp_row(lp, -INFINITY, 1, NULL, &err) >= 0);
    for (size_t i = 0; i < d->nsource; i++) {
        const int s = d->source[i];

        demand_row(d, i, row);
        for (int t = 0; t < net->n; t++) {
            struct all_paths p = { .lp = lp, .c = &c, .hops = hops, .capacity = capacity, .target = t, .node = { s },
                .depth = 1 };

            if (!(row[t] > 0))
                continue;
            p.most = slack < 0 ? net->n : hops[t * net->n + s] + slack;
            p.row_of_pair = lp_row(lp, 0, 0, NULL, &err);
            p.on[s] = true;
            assert_true(n < 512);
            theta_row[n] = p.row_of_pair;
            theta_value[n++] = -row[t];
            each_path(&p, s);
        }
    }
    assert_true(lp_column(lp, &(struct lp_column){ .up = INFINITY, .cost = 1, .n = (size_t)n, .row = theta_row,
                          .value = theta_value }, &err) >= 0);
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
    assert_int_equal(end, LP_OPTIMAL);
    theta = lp_objective(lp);
    lp_close(lp);
    csr_release(&c);
    free(hops);
    free(queue);
    free(row);
    return theta;
}

static size_t links_of(struct net *net)
{
    const igraph_t *graph;
    struct csr c;
    size_t m;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    assert_int_equal(csr_init(&c, graph, false, &err), 0);
    m = c.m;
    csr_release(&c);
    return m;
}

static double *random_capacities(struct rng *rng, struct net *net)
{
    const size_t m = links_of(net);
    double *capacity = malloc((m + 1) * sizeof *capacity);

    assert_non_null(capacity);
    for (size_t l = 0; l < m; l++)
        capacity[l] = rng_below(rng, 3) ? 1 : scene_between(rng, 0.2, 5);
    return capacity;
}

/* Small networks of every kind, any traffic: arcs and columns, any path or few, against the path program. */
static void all_paths(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int trial = 0; trial < 60; trial++) {
        struct scene s;
        struct demand d;
        double *capacity;

        scene_random(&s, &rng, 9);
        if (s.net->n > 12) {
            scene_release(&s);
            continue;
        }
        capacity = random_capacities(&rng, s.net);
        if (demand_open(&d, &s.traffic, 10, NULL, &err) < 0)          /* some streams with intervals */
            assert_int_equal(err.code, ERR_USAGE);
        else {
            for (int slack = -1; slack < 3; slack++) {
                struct throughput_options o = { .paths = slack < 0 ? PATHS_ANY : PATHS_SLACK, .extra = slack,
                    .capacity = capacity };
                const double want = by_all_paths(s.net, &d, capacity, slack);

                for (int method = THROUGHPUT_ARCS; method <= THROUGHPUT_COLUMNS; method++) {
                    o.method = (enum throughput_method)method;
                    scene_near(s.name, solve_net(s.name, s.net, &s.traffic, o, NULL), want, 1e-6);
                }
            }
            demand_close(&d);
        }
        free(capacity);
        scene_release(&s);
    }
}

/* One stream alone: a maximum flow, by igraph. All of the 1000 shortest paths: as good as any path on a small
 * network. */
static void one_stream(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    for (int trial = 0; trial < 60; trial++) {
        struct net *net = nets_random(&rng, 4 + (int)rng_below(&rng, 5), (int)rng_below(&rng, 8), rng_below(&rng, 2));
        int end[2];
        struct throughput_options o = { 0 };
        const igraph_t *graph;
        igraph_real_t flow;
        struct scene s;

        end[0] = (int)rng_below(&rng, (uint64_t)net->n);
        end[1] = (end[0] + 1 + (int)rng_below(&rng, (uint64_t)net->n - 1)) % net->n;
        scene_list(&s, net, "minimal", (const int[1][2]){ { end[0], end[1] } }, 1);
        assert_int_equal(net_graph(net, &graph, &err), 0);
        assert_int_equal(igraph_maxflow_value(graph, &flow, end[0], end[1], NULL, NULL), 0);
        scene_near("one channel", solve_net("one channel", net, &s.traffic, o, NULL), flow, 1e-7);
        o.paths = PATHS_FEWEST;
        o.extra = 1000;
        scene_near("its paths", solve_net("its paths", net, &s.traffic, o, NULL), flow, 1e-7);
        scene_release(&s);
    }
}

/* ---- one against the other ---- */

/* Up to 40 nodes: arcs equal columns, folded equal unfolded, a gap is kept; a unit more of capacity is worth at most
 * its price. */
static void methods_agree(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 2);
    for (int trial = 0; trial < 25; trial++) {
        struct throughput_options o = { .method = THROUGHPUT_ARCS };
        struct throughput t;
        struct demand d;
        struct scene s;
        double theta, *capacity;
        size_t link;

        scene_random(&s, &rng, 40);
        if (demand_open(&d, &s.traffic, 10, NULL, &err) < 0) {
            scene_release(&s);
            continue;
        }
        demand_close(&d);
        theta = solve_net(s.name, s.net, &s.traffic, o, NULL);
        o.unfolded = true;
        scene_near(s.name, solve_net(s.name, s.net, &s.traffic, o, &t), theta, 1e-7);
        capacity = random_capacities(&rng, s.net);
        for (size_t l = 0; l < t.nlink; l++)
            capacity[l] = 1;
        link = rng_below(&rng, t.nlink);
        capacity[link] += 0.3;
        o.method = THROUGHPUT_COLUMNS;
        scene_near(s.name, solve_net(s.name, s.net, &s.traffic, o, NULL), theta, 1e-7);
        o.unfolded = false;
        scene_near(s.name, solve_net(s.name, s.net, &s.traffic, o, NULL), theta, 1e-7);
        o.gap = 0.05;
        assert_true(solve_net(s.name, s.net, &s.traffic, o, NULL) <= theta * (1 + 1e-9));
        o.gap = 0;
        o.capacity = capacity;
        theta = solve_net(s.name, s.net, &s.traffic, o, NULL);
        assert_true(theta >= t.theta * (1 - 1e-7) && theta <= t.theta * (1 + 1e-7) + 0.3 * t.price[link]);
        for (size_t l = 0; l < t.nlink; l++)
            capacity[l] *= 7;
        scene_near("seven times", solve_net(s.name, s.net, &s.traffic, o, NULL), 7 * theta, 1e-7);
        throughput_close(&t);
        free(capacity);
        scene_release(&s);
    }
}

/* Flow and prices close in on the answer of arcs (or the closed form, or the simplex method's) in few rounds of
 * shortest paths, whatever goes together: pairs, or on long ways all of a source's; where the linear program would be
 * large, without it. */
static void without_program(void **state)
{
    static const struct {
        const char *net, *traffic;
        enum throughput_paths paths;
        bool capacities;
        double theta;           /* 0: by arcs */
    } rows[] = {
        { "random:30,degree=4", "farthest", PATHS_ANY, false, 0 },
        { "random:30,degree=4", "uniform", PATHS_ANY, true, 0 },
        { "random:24,degree=3", "uniform", PATHS_SLACK, true, 0 },
        { "mesh:5x4", "hotspot:1.1", PATHS_ANY, true, 0 },
        { "ring:40", "uniform", PATHS_ANY, false, 39 * 8 / 1600.0 }, { "ring:36", "uniform", PATHS_ANY, true, 0 },
        { "mesh:16x16", "uniform", PATHS_ANY, false, 255 / 1024.0 },    /* 128 x 128 pairs over the 16 cables between */
        { "random:200,degree=6", "farthest", PATHS_ANY, false, 1.26467630334 },
    };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 6);
    EACH_ROW(i, rows) {
        struct net *net = open_net(rows[i].net);
        double *capacity = random_capacities(&rng, net), theta = rows[i].theta;
        struct throughput_options o = { .method = THROUGHPUT_ARCS, .paths = rows[i].paths, .extra = 1, .unfolded = true,
                                        .capacity = rows[i].capacities ? capacity : NULL };
        struct traffic traffic;
        struct throughput t;

        assert_int_equal(traffic_open(&traffic, net, rows[i].traffic, &err), 0);
        if (!(theta > 0))
            theta = solve_net(rows[i].net, net, &traffic, o, NULL);
        o.method = THROUGHPUT_COLUMNS;
        for (o.gap = 0.01; o.gap > 5e-4; o.gap /= 10) {
            solve_net(rows[i].net, net, &traffic, o, &t);
            assert_true(t.theta <= theta * (1 + 1e-9) && t.bound >= theta * (1 - 1e-9));
            if ((t.rows && t.links > 900) || t.rounds > 200)
                fail_msg("%s, %s: %zu rows, %zu rounds", rows[i].net, rows[i].traffic, t.rows, t.rounds);
            throughput_close(&t);
        }
        o.gap = 0;
        if (!(rows[i].theta > 0))
            scene_near(rows[i].net, solve_net(rows[i].net, net, &traffic, o, NULL), theta, 1e-7);
        free(capacity);
        traffic_release(&traffic);
        net_close(net);
    }
}

/* Traffic that has some of the network's symmetry, and capacities that take some away. */
static void partly_symmetric(void **state)
{
    static const char *const rows[][2] = {
        { "torus:5x4", "tornado" }, { "torus:4x4", "transpose" }, { "torus:4x4", "complement" }, { "hypercube:4",
          "bit-reversal" },
        { "mesh:4x3", "uniform" }, { "mesh:4x4", "hotspot:1.2,share=0.3" }, { "torus:5x3", "hotspot:1.2" },
          { "ring:7", "neighbour" },
        { "star:6", "uniform" }, { "dragonfly,a=2,p=1,h=1", "uniform" }, { "midimew:13", "uniform" }, { "torus:4x4",
          "perfect-shuffle" },
    };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 3);
    EACH_ROW(i, rows) {
        struct net *net = open_net(rows[i][0]);
        double *capacity = random_capacities(&rng, net);
        struct throughput t;
        struct traffic traffic;

        if (traffic_open(&traffic, net, rows[i][1], &err) < 0)
            fail_msg("%s", err.msg);
        for (int k = 0; k < 3; k++) {
            struct throughput_options o = { .method = THROUGHPUT_ARCS, .capacity = k ? capacity : NULL };
            double theta;

            if (k == 1) {               /* two cables of one node are wider: little symmetry is left */
                theta = solve_net(rows[i][0], net, &traffic, (struct throughput_options){ .method = THROUGHPUT_ARCS },
                                  &t);
                for (size_t l = 0; l < t.nlink; l++)
                    capacity[l] = t.from[l] == 1 || t.to[l] == 1 ? 2 : 1;
                throughput_close(&t);
            } else if (k == 2) {
                free(capacity);
                capacity = random_capacities(&rng, net);
                o.capacity = capacity;
            }
            theta = solve_net(rows[i][0], net, &traffic, o, NULL);
            o.unfolded = true;
            scene_near(rows[i][0], solve_net(rows[i][0], net, &traffic, o, NULL), theta, 1e-7);
            o.paths = PATHS_SLACK;
            o.extra = 1;
            theta = solve_net(rows[i][0], net, &traffic, o, NULL);
            o.unfolded = false;
            scene_near(rows[i][0], solve_net(rows[i][0], net, &traffic, o, NULL), theta, 1e-7);
        }
        free(capacity);
        traffic_release(&traffic);
        net_close(net);
    }
}

/* Capacities and demands between 1e-6 and 1e6: what one method reaches is not above what the other proves, and
 * little stays open (the solver's tolerance of 1e-9 counts the more, the more unlike the numbers are). */
static void unlike(void **state)
{
    struct rng rng;
    int wide = 0;

    (void)state;
    rng_seed(&rng, seed + 5);
    for (int trial = 0; trial < 40; trial++) {
        struct net *net = nets_random(&rng, 4 + (int)rng_below(&rng, 12), (int)rng_below(&rng, 20), rng_below(&rng, 2));
        double *capacity = random_capacities(&rng, net);
        int stream[30][2];
        struct throughput t[2];
        struct demand d;
        struct scene s;

        for (int i = 0; i < 30; i++) {
            stream[i][0] = (int)rng_below(&rng, (uint64_t)net->n);
            stream[i][1] = (stream[i][0] + 1 + (int)rng_below(&rng, (uint64_t)net->n - 1)) % net->n;
        }
        scene_list(&s, net, "minimal", (const int (*)[2])stream, 1 + rng_below(&rng, 30));
        for (size_t i = 0; trial % 2 && i < s.traffic.nstream; i++) {
            s.traffic.stream[i].time = 1;
            s.traffic.stream[i].interval = scene_between(&rng, 1e-6, 1e6);
        }
        for (size_t l = links_of(net); l-- > 0;)
            capacity[l] = scene_between(&rng, 1e-6, 1e6);
        assert_int_equal(demand_open(&d, &s.traffic, 10, NULL, &err), 0);
        for (int k = 0; k < 2; k++) {
            const struct throughput_options o = { .method = k ? THROUGHPUT_COLUMNS : THROUGHPUT_ARCS,
                .capacity = capacity };

            if (throughput_open(&t[k], net, &d, &o, &err) < 0)
                fail_msg("%d: %s", trial, err.msg);
            if (t[k].lost[0] < 0)
                holds("unlike", &t[k], demand_total(&d));
            wide += t[k].lost[0] < 0 && t[k].gap > 1e-3;
        }
        assert_true(t[0].theta <= t[1].bound * (1 + 1e-9) && t[1].theta <= t[0].bound * (1 + 1e-9));
        throughput_close(&t[0]);
        throughput_close(&t[1]);
        demand_close(&d);
        free(capacity);
        scene_release(&s);
    }
    assert_true(wide <= 4);             /* of 80; measured over 80 seeds: one in one of them */
}

/* One-way rings with chords whose capacities come again every third node: folded to three sources, and as good as
 * unfolded. */
static void one_way_capacities(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 6);
    for (int trial = 0; trial < 20; trial++) {
        const int n = 3 * (2 + (int)rng_below(&rng, 5)), chord = 2 + (int)rng_below(&rng, (uint64_t)n - 3);
        double of[3][2], theta[2][3];
        struct traffic traffic;
        struct net *net;
        double *capacity;
        int end[80];

        for (int u = 0; u < n; u++) {
            end[4 * u] = end[4 * u + 2] = u;
            end[4 * u + 1] = (u + 1) % n;
            end[4 * u + 3] = (u + chord) % n;
        }
        net = nets_from_edges(n, end, 2 * n, true);
        capacity = random_capacities(&rng, net);
        for (int k = 0; k < 6; k++)
            of[k / 2][k % 2] = scene_between(&rng, 0.1, 10);
        for (int l = 0; l < 2 * n; l++) {               /* the links of a node stand by their targets */
            const int u = l / 2, first = (u + 1) % n < (u + chord) % n ? 0 : 1;

            capacity[l] = of[u % 3][l % 2 == 0 ? first : 1 - first];
        }
        assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
        for (int unfolded = 0; unfolded < 2; unfolded++)
            for (int k = 0; k < 3; k++) {
                const struct throughput_options o = { .method = k == 1 ? THROUGHPUT_COLUMNS : THROUGHPUT_ARCS,
                                                      .unfolded = unfolded, .paths = k == 2 ? PATHS_SLACK : PATHS_ANY,
                                                      .extra = 1, .capacity = capacity };
                struct throughput t;

                theta[unfolded][k] = solve_net("one way", net, &traffic, o, &t);
                if (!unfolded && t.sources > 3)
                    fail_msg("%d nodes: %zu sources", n, t.sources);
                throughput_close(&t);
            }
        for (int k = 0; k < 3; k++)
            scene_near("one way", theta[1][k], theta[0][k], 1e-7);
        scene_near("one way", theta[0][1], theta[0][0], 1e-7);
        free(capacity);
        traffic_release(&traffic);
        net_close(net);
    }
}

/* No routing is above the bound of its own traffic; ways in any shares are between their routing and the bound;
 * folded ways are as good as all. */
static void routings(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 4);
    for (int trial = 0; trial < 60; trial++) {
        struct throughput_options o = { 0 };
        struct throughput t;
        struct demand d;
        struct scene s;
        double theta, best;

        scene_random(&s, &rng, 20);
        if (demand_open(&d, &s.traffic, 10, NULL, &err) < 0) {
            scene_release(&s);
            continue;
        }
        best = solve_net(s.name, s.net, &s.traffic, o, NULL);
        if (throughput_of_routing(&t, s.net, &d, &s.routing, &o, &err) < 0)
            fail_msg("%s: %s", s.name, err.msg);
        theta = t.theta;
        throughput_close(&t);
        if (theta > best * (1 + 1e-7))
            fail_msg("%s: %g, above the bound %g", s.name, theta, best);
        if (s.routing.route->ways) {
            double ways;

            o.paths = PATHS_WAYS;
            o.ways = &s.routing;
            ways = solve_net(s.name, s.net, &s.traffic, o, NULL);
            if (ways < theta * (1 - 1e-7) || ways > best * (1 + 1e-7))
                fail_msg("%s: %g with its shares, %g with any, %g over any path", s.name, theta, ways, best);
            o.unfolded = true;
            scene_near(s.name, solve_net(s.name, s.net, &s.traffic, o, NULL), ways, 1e-7);
        }
        demand_close(&d);
        scene_release(&s);
    }
}

/* Uniform traffic by dimension order over an 8x8 torus, ties up: the links up carry 1 + 2 + 3 + 4 hops of 8 * 8 per
 * row. */
static void dimension_order(void **state)
{
    struct throughput_options o = { 0 };
    struct throughput t;
    struct demand d;
    struct scene s;

    (void)state;
    scene_open(&s, "torus:8x8", "uniform", "dor");
    assert_int_equal(demand_open(&d, &s.traffic, 10, NULL, &err), 0);
    assert_int_equal(throughput_of_routing(&t, s.net, &d, &s.routing, &o, &err), 0);
    scene_near("dor", t.theta, 63.0 / 80, 1e-12);
    throughput_close(&t);
    o.unfolded = true;
    assert_int_equal(throughput_of_routing(&t, s.net, &d, &s.routing, &o, &err), 0);
    scene_near("dor, unfolded", t.theta, 63.0 / 80, 1e-12);
    throughput_close(&t);
    demand_close(&d);
    scene_release(&s);
}

/* Loads of links by a routing, where symmetries fold it, are those unfolded: also where kinds of cables differ, and where
 * capacities are drawn, which symmetries do not keep. */
static void folded_loads(void **state)
{
    static const struct {
        const char *spec, *traffic, *routing;
        bool folds;
    } rows[] = {
        { "fattree:4", "uniform", "ecmp", true }, { "fattree:4,host-bandwidth=2", "uniform", "ecmp", true },
        { "fattree:4,fail=switch:35", "uniform", "ecmp", true }, { "fattree:4", "uniform", "dmodk", false },
        { "dragonfly,a=4,p=2,h=2", "uniform", "ecmp", true },
        { "dragonfly,a=4,p=2,h=2,global-bandwidth=0.5", "uniform", "ecmp", true },
        { "mesh:4x4", "uniform", "ecmp", true }, { "torus:4x4,fail=0-1", "uniform", "ecmp", true },
        { "star:7", "uniform", "ecmp", true }, { "torus:4x4", "uniform", "ecmp", true },
        { "random:24,degree=3", "uniform", "ecmp", false }
    };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 7);
    EACH_ROW(i, rows)
        for (int drawn = 0; drawn < 2; drawn++) {
            struct throughput_options o = { 0 };
            struct throughput t[2];
            struct demand d;
            struct scene s;
            double *capacity;

            scene_open(&s, rows[i].spec, rows[i].traffic, rows[i].routing);
            if (drawn)
                capacity = random_capacities(&rng, s.net);
            else
                assert_int_equal(capacity_open(&capacity, s.net, NULL, &err), 0);
            assert_int_equal(demand_open(&d, &s.traffic, 10, NULL, &err), 0);
            o.capacity = capacity;
            for (int unfolded = 0; unfolded < 2; unfolded++) {
                o.unfolded = unfolded;
                assert_int_equal(throughput_of_routing(&t[unfolded], s.net, &d, &s.routing, &o, &err), 0);
            }
            if (rows[i].folds != (t[0].sources < t[1].sources) && !drawn)
                fail_msg("%s: %zu sources of %zu", rows[i].spec, t[0].sources, t[1].sources);
            scene_near(rows[i].spec, t[0].theta, t[1].theta, 1e-12);
            scene_near(rows[i].spec, t[0].hops, t[1].hops, 1e-12);
            assert_int_equal(t[0].nlink, t[1].nlink);
            for (size_t l = 0; l < t[0].nlink; l++)
                scene_near(rows[i].spec, t[0].load[l], t[1].load[l], 1e-12);
            for (int k = 0; k < 2; k++)
                throughput_close(&t[k]);
            free(capacity);
            demand_close(&d);
            scene_release(&s);
        }
}

/* Pairs that cross the cables of a path of n nodes: 1 (n - 1), 2 (n - 2), ... each way. A second cable in the middle
 * of 4 leaves the 3 pairs over its neighbours; of two cables as full it does nothing, nor in the middle of a mesh.
 * It is never more than the prices say. */
static void second_cables(void **state)
{
    static const struct {
        const char *spec;
        double gain;            /* of the dearest, per node */
    } rows[] = { { "mesh:2", 1 }, { "mesh:4", 3 / 3.0 - 3 / 4.0 }, { "mesh:7", 0 }, { "mesh:4x4", 0 }, { "complete:5",
        0 } };

    (void)state;
    EACH_ROW(i, rows) {
        const struct throughput_options o = { 0 };
        struct net *net = open_net(rows[i].spec);
        struct throughput t;
        struct traffic traffic;
        struct demand d;
        double *gain, most = 0;
        size_t tried = 0;

        assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
        assert_int_equal(demand_open(&d, &traffic, 10, NULL, &err), 0);
        assert_int_equal(throughput_open(&t, net, &d, &o, &err), 0);
        gain = malloc(t.nlink * sizeof *gain);
        assert_non_null(gain);
        assert_int_equal(throughput_gain(gain, &t, net, &d, &o, 3, &err), 0);
        for (size_t l = 0; l < t.nlink; l++)
            if (!isnan(gain[l])) {
                tried++;
                most = fmax(most, gain[l]);
                assert_true(gain[l] <= 2 * fmax(t.price[l], 1e-9) + 1e-9 || t.price[l] == 0);
            }
        assert_int_equal(tried, t.nlink < 6 ? t.nlink : 6);
        assert_true(fabs(most - rows[i].gain) < 1e-7);
        free(gain);
        throughput_close(&t);
        demand_close(&d);
        traffic_release(&traffic);
        net_close(net);
    }
}

/* What is written for others, GLPK's reader takes for a program with the same optimum. */
static void written(void **state)
{
    static const char *const paths[] = { ".lp", ".mps" };

    (void)state;
    for (int k = 0; k < 8; k++) {
        struct throughput_options o = { .method = k > 3 ? THROUGHPUT_COLUMNS : THROUGHPUT_ARCS, .unfolded = k % 4 > 1 };
        char path[100];
        double theta;
        struct scene s;
        glp_prob *p;

        snprintf(path, sizeof path, "/tmp/metapath_test_throughput.%ld%s", (long)getpid(), paths[k % 2]);
        o.write = path;
        scene_open(&s, "mesh:3x2", "uniform", "dor");
        theta = solve_net("written", s.net, &s.traffic, o, NULL);
        p = glp_create_prob();
        glp_term_out(GLP_OFF);
        assert_int_equal(k % 2 ? glp_read_mps(p, GLP_MPS_FILE, NULL, path) : glp_read_lp(p, NULL, path), 0);
        assert_int_equal(glp_simplex(p, NULL), 0);
        scene_near("written", fabs(glp_get_obj_val(p)), theta, 1e-7);
        glp_term_out(GLP_ON);
        glp_delete_prob(p);
        assert_int_equal(remove(path), 0);
        scene_release(&s);
    }
}

/* ---- what cannot be ---- */

static void no_path(void **state)
{
    static const int end[] = { 0, 1, 2, 3 };
    struct net *net = nets_from_edges(4, end, 2, false);
    struct throughput_options o = { 0 };
    struct throughput t;
    struct traffic traffic;
    struct demand d;

    (void)state;
    assert_int_equal(traffic_open(&traffic, net, "uniform", &err), 0);
    assert_int_equal(demand_open(&d, &traffic, 10, NULL, &err), 0);
    for (int k = 0; k < 3; k++) {
        o.method = (enum throughput_method)k;
        assert_int_equal(throughput_open(&t, net, &d, &o, &err), 0);
        assert_true(t.theta == 0 && t.bound == 0);
        assert_int_equal(t.lost[0] / 2 == t.lost[1] / 2, 0);        /* in different parts */
        throughput_close(&t);
    }
    o = (struct throughput_options){ .paths = PATHS_FEWEST, .extra = 2 };
    assert_int_equal(throughput_open(&t, net, &d, &o, &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    demand_close(&d);
    traffic_release(&traffic);
    net_close(net);
}

static int stop(void *arg, double done)
{
    (void)arg;
    (void)done;
    return 1;
}

static void refused(void **state)
{
    const struct tick t = { stop, NULL, 0, 1, NULL };
    struct throughput_options o = { .method = THROUGHPUT_ARCS, .unfolded = true };
    struct throughput out;
    struct demand d;
    struct scene s;

    (void)state;
    scene_open(&s, "torus:16x16", "uniform", "dor");
    assert_int_equal(demand_open(&d, &s.traffic, 10, NULL, &err), 0);
    assert_int_equal(throughput_open(&out, s.net, &d, &o, &err), -1);       /* 65,000 rows */
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.msg, "--method columns"));
    o = (struct throughput_options){ .paths = PATHS_WAYS, .ways = &s.routing };
    assert_int_equal(throughput_open(&out, s.net, &d, &o, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    o = (struct throughput_options){ .paths = PATHS_FEWEST, .extra = 2, .method = THROUGHPUT_ARCS };
    assert_int_equal(throughput_open(&out, s.net, &d, &o, &err), -1);
    for (int method = THROUGHPUT_ARCS; method <= THROUGHPUT_COLUMNS; method++) {
        o = (struct throughput_options){ .method = (enum throughput_method)method, .tick = &t };
        assert_int_equal(throughput_open(&out, s.net, &d, &o, &err), -1);
        assert_int_equal(err.code, ERR_STOPPED);
    }
    demand_close(&d);
    scene_release(&s);
}

static int stop_later(void *arg, double done)
{
    (void)done;
    return --*(int *)arg <= 0;
}

/* Stopped at the first, the second, ... of all times that it asks: ERR_STOPPED every time, until it runs through. */
static void stops_anywhere(void **state)
{
    static const struct {
        const char *net, *traffic;
        enum throughput_method method;
        enum throughput_paths paths;
        bool unfolded;
    } rows[] = {
        { "mesh:3x2", "hotspot:1.1", THROUGHPUT_ARCS, PATHS_ANY, false }, { "mesh:3x2", "uniform", THROUGHPUT_COLUMNS,
          PATHS_ANY, true },
        { "torus:4x3", "uniform", THROUGHPUT_COLUMNS, PATHS_SLACK, false }, { "mesh:3x2", "uniform", THROUGHPUT_COLUMNS,
          PATHS_FEWEST, true },
    };

    (void)state;
    EACH_ROW(i, rows) {
        int most = 1, ret = -1;
        struct scene s;

        scene_open(&s, rows[i].net, rows[i].traffic, "dor");
        for (; ret < 0; most += 1 + most / 8) {
            int left = most;
            const struct tick t = { stop_later, &left, 0, 1, NULL };
            const struct throughput_options o = { .method = rows[i].method, .paths = rows[i].paths, .extra = 2,
                                                  .unfolded = rows[i].unfolded, .tick = &t };
            struct throughput out;
            struct demand d;

            ret = demand_open(&d, &s.traffic, 10, &t, &err);
            if (ret == 0) {
                ret = throughput_open(&out, s.net, &d, &o, &err);
                demand_close(&d);
            }
            if (ret == 0)
                throughput_close(&out);
            else
                assert_int_equal(err.code, ERR_STOPPED);
            assert_true(left > 0 || ret < 0);
        }
        assert_true(most > 10);
        scene_release(&s);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(known) + 16] = {
        cmocka_unit_test(folds), cmocka_unit_test(simple_bounds_reached), cmocka_unit_test(all_paths),
            cmocka_unit_test(one_stream), cmocka_unit_test(methods_agree),
        cmocka_unit_test(partly_symmetric), cmocka_unit_test(routings), cmocka_unit_test(dimension_order),
        cmocka_unit_test(folded_loads),
        cmocka_unit_test(no_path), cmocka_unit_test(refused), cmocka_unit_test(second_cables),
        cmocka_unit_test(written), cmocka_unit_test(unlike), cmocka_unit_test(one_way_capacities),
        cmocka_unit_test(stops_anywhere), cmocka_unit_test(without_program),
    };
    int failed;

    net_setup();
    seed = check_seed();
    EACH_ROW(i, known)
        tests[16 + i] = (struct CMUnitTest){ known[i].spec, closed_form, NULL, NULL, (void *)(uintptr_t)&known[i] };
    failed = _cmocka_run_group_tests("throughput", tests, COUNT(tests), NULL, NULL);
    net_teardown();
    return failed;
}
