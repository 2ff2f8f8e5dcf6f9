/* Process trees that follow a network: held to literal twins by all pairs of distances, to igraph, to closed forms. */
#include <igraph.h>
#include <math.h>
#include <string.h>

#include "analysis/broadcast/broadcast_bound.h"
#include "model/process/sight.h"
#include "tests/support/check.h"
#include "tests/support/nets.h"

#define MOST 64

static struct err err;
static uint64_t seed;

/* A scene, and by all pairs of nodes what the quickest cable and the quickest way weigh. */
struct stage {
    struct net *net;
    struct placement where;
    struct tree_scene scene;
    double link[MOST][MOST], way[MOST][MOST];
};

static void stage_distances(struct stage *s)
{
    const int n = s->net->n;
    struct link_kind kind[32];

    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const int cables = a == b ? 0 : nets_between(kind, 32, s->net, a, b);

            s->link[a][b] = INFINITY;
            for (int k = 0; k < cables; k++)
                s->link[a][b] = fmin(s->link[a][b], s->scene.hop + s->scene.length * kind[k].length +
                                     (!s->scene.cut ? s->scene.size / kind[k].bandwidth : kind[k].bandwidth < 1 ?
                                      s->scene.size / kind[k].bandwidth - s->scene.size : 0));
            s->way[a][b] = a == b ? 0 : s->link[a][b];
        }
    for (int m = 0; m < n; m++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                s->way[a][b] = fmin(s->way[a][b], s->way[a][m] + s->way[m][b]);
}

/* `processes` 0: on every terminal. */
static void stage_open(struct stage *s, struct net *net, struct rng *rng, int processes)
{
    *s = (struct stage){ .net = net };
    assert_true(net->n <= MOST);
    assert_int_equal(placement_init(&s->where, net, "random", processes, 1, rng_next(rng), &err), 0);
    s->scene = (struct tree_scene){ .net = net, .where = &s->where, .root = (int)rng_below(rng, (uint64_t)s->where.n),
                                    .hop = (double)rng_below(rng, 3), .length = 1,
                                    .size = 1 + (double)rng_below(rng, 3), .gap = (double)rng_below(rng, 4),
                                    .start = (double)rng_below(rng, 3), .cut = rng_below(rng, 2) };
    s->scene.hop += s->scene.cut;       /* links that weigh nothing are no ways */
    stage_distances(s);
}

static void stage_close(struct stage *s)
{
    placement_release(&s->where);
    net_close(s->net);
}

static int at(const struct stage *s, int rank)
{
    return s->where.node[tree_process(rank, s->scene.root, s->where.n)];
}

static void shape(struct tree_shape *t, const char *tree, const struct stage *s)
{
    if (tree_shape_init(t, tree_find(tree, &err), s->where.n, &s->scene, &err) < 0)
        fail_msg("SEED=%llu, %s: %s", (unsigned long long)seed, s->net->spec, err.msg);
}

static const char *const families[] = { "fattree:4", "torus:3x5", "mesh:2x3x4", "dragonfly,a=2,p=2,h=1", "star:9",
                                        "complete:7", "mesh:4x4,bandwidth=2+0.5,latency=1+3", "ring:9,fail=1-2" };

/* Now a family, now a network at random with cables unlike and parallel, switches in some. */
static struct net *any_net(struct rng *rng, int i, bool even)
{
    struct net *net;

    if (i % 3 == 0) {
        assert_int_equal(net_open(&net, families[rng_below(rng, COUNT(families))], &err), 0);
        return net;
    }
    net = nets_random(rng, 4 + (int)rng_below(rng, 14), (int)rng_below(rng, 20), !even && i % 5 == 0);
    if (!even && i % 3 == 1)
        nets_cables(rng, net);
    if (rng_below(rng, 2))
        nets_switch(rng, net);
    return net;
}

/* ---- breadth-first, shortest-path ---- */

/* By the words of sight.h: parents of nodes, breadth first or by all pairs; then whoever is nearest in that tree. */
static void twin_tree(int *parent, const struct stage *s, bool hops)
{
    const int n = s->net->n, root = at(s, 0);
    int from[MOST], queue[MOST], tail = 0, stands[MOST], own[MOST];
    double far[MOST][MOST];

    for (int v = 0; v < n; v++)
        from[v] = own[v] = -1;
    for (int r = s->where.n - 1; r >= 0; r--)
        own[at(s, r)] = r;
    queue[tail++] = root;
    for (int i = 0; hops && i < tail; i++)
        for (int v = 0; v < n; v++)
            if (v != root && from[v] < 0 && !isinf(s->link[queue[i]][v])) {
                from[v] = queue[i];
                queue[tail++] = v;
            }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            far[a][b] = a == b ? 0 : from[b] == a ? s->link[a][b] : from[a] == b ? s->link[b][a] : INFINITY;
    for (int m = 0; m < n; m++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                far[a][b] = fmin(far[a][b], far[a][m] + far[m][b]);
    for (int v = 0; v < n; v++) {
        stands[v] = own[v];
        for (int r = 0; own[v] < 0 && r < s->where.n; r++)
            if (stands[v] < 0 || far[v][at(s, r)] < far[v][at(s, stands[v])])
                stands[v] = r;
    }
    for (int r = 1; r < s->where.n; r++)
        parent[r] = -1;
    for (int v = 0; v < n; v++)
        if (v != root && stands[v] != stands[from[v]]) {
            assert_int_equal(parent[stands[v]], -1);
            parent[stands[v]] = stands[from[v]];
        }
}

static void breadth_first_equals_its_words(void **state)
{
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 600; i++) {
        struct net *net = any_net(&rng, i, false);
        struct tree_shape t;
        struct stage s;
        int parent[MOST];

        stage_open(&s, net, &rng, 1 + (int)rng_below(&rng, (uint64_t)net->nterminal));
        shape(&t, "breadth-first", &s);
        twin_tree(parent, &s, true);
        for (int r = 1; r < t.n; r++)
            if (t.parent[r] != parent[r])
                fail_msg("SEED=%llu, trial %d, %s: rank %d has parent %d, not %d", (unsigned long long)seed, i,
                         net->spec, r, t.parent[r], parent[r]);
        tree_shape_release(&t);
        stage_close(&s);
    }
}

/* A process on every node: parents are neighbours on a quickest way, so the deepest is as far as the eccentricity. */
static void ways_are_the_shortest(void **state)
{
    static const char *const tree[] = { "breadth-first", "shortest-path" };
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 300; i++) {
        struct net *net = nets_random(&rng, 2 + (int)rng_below(&rng, 30), (int)rng_below(&rng, 30), i % 2);
        struct stage s;

        if (i % 3)
            nets_cables(&rng, net);
        for (int k = 0; k < 2; k++) {
            struct tree_shape t;

            if (k == 0)
                stage_open(&s, net, &rng, 0);
            else
                s.scene.hop = 1, s.scene.size = s.scene.length = 0, stage_distances(&s);
            shape(&t, tree[1 - k], &s);
            for (int r = 1; r < t.n; r++) {
                double way = 0;

                for (int v = r; v; v = t.parent[v])
                    way += s.link[at(&s, t.parent[v])][at(&s, v)];
                if (fabs(way - s.way[at(&s, 0)][at(&s, r)]) > 1e-9)
                    fail_msg("SEED=%llu, trial %d, %s: rank %d is %g away, not %g", (unsigned long long)seed, i,
                             tree[1 - k], r, way, s.way[at(&s, 0)][at(&s, r)]);
            }
            tree_shape_release(&t);
        }
        stage_close(&s);
    }
}

/* Where links weigh alike both are one tree, children in one order. */
static void alike_links_have_one_tree(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 100; i++) {
        struct tree_shape a, b;
        struct stage s;

        stage_open(&s, nets_random(&rng, 30, 20, i % 2), &rng, 0);
        shape(&a, "breadth-first", &s);
        shape(&b, "shortest-path", &s);
        assert_memory_equal(a.parent, b.parent, (size_t)a.n * sizeof *a.parent);
        assert_memory_equal(a.child, b.child, (size_t)(a.n - 1) * sizeof *a.child);
        tree_shape_release(&a);
        tree_shape_release(&b);
        stage_close(&s);
    }
}

static void fat_trees_are_served_by_pod_and_leaf(void **state)
{
    static const int want[] = { -1, 0, 0, 2, 0, 4, 4, 6, 0, 8, 8, 10, 0, 12, 12, 14 };
    struct net *net;
    struct stage s;
    struct tree_shape t;
    struct rng rng;

    (void)state;
    rng_seed(&rng, 1);
    assert_int_equal(net_open(&net, "fattree:4", &err), 0);
    stage_open(&s, net, &rng, 0);
    for (int p = 0; p < 16; p++)
        s.where.node[p] = p;
    s.scene.root = 0;
    shape(&t, "breadth-first", &s);
    assert_memory_equal(t.parent, want, sizeof want);
    tree_shape_release(&t);
    stage_close(&s);
}

/* ---- minimum-spanning ---- */

struct pair {
    double way;
    int a, b;
};

static int pair_order(const void *x, const void *y)
{
    const struct pair *p = x, *q = y;

    return p->way != q->way ? (p->way < q->way ? -1 : 1) : p->a != q->a ? p->a - q->a : p->b - q->b;
}

/* Kruskal over all pairs of processes, in the order that makes it one tree; hops: their bound, igraph: where every
 * node has a process. */
static void minimum_spanning_equals_all_pairs(void **state)
{
    static struct pair pair[MOST * MOST];
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 500; i++) {
        struct net *net = any_net(&rng, i, true);
        int set[MOST], pairs = 0;
        bool joined[MOST][MOST] = { { false } };
        double sum = 0, least = 0;
        struct tree_shape t;
        struct stage s;

        stage_open(&s, net, &rng, 1 + (int)rng_below(&rng, (uint64_t)net->nterminal));
        shape(&t, "minimum-spanning", &s);
        for (int a = 0; a < t.n; a++) {
            set[a] = a;
            for (int b = a + 1; b < t.n; b++)
                pair[pairs++] = (struct pair){ s.way[s.where.node[a]][s.where.node[b]], a, b };
        }
        qsort(pair, (size_t)pairs, sizeof *pair, pair_order);
        for (int k = 0; k < pairs; k++) {
            const int from = set[pair[k].a], to = set[pair[k].b];

            if (from == to)
                continue;
            joined[pair[k].a][pair[k].b] = joined[pair[k].b][pair[k].a] = true;
            least += pair[k].way;
            for (int a = 0; a < t.n; a++)
                set[a] = set[a] == from ? to : set[a];
        }
        for (int r = 1; r < t.n; r++) {
            sum += s.way[at(&s, t.parent[r])][at(&s, r)];
            if (!joined[tree_process(r, s.scene.root, t.n)][tree_process(t.parent[r], s.scene.root, t.n)])
                fail_msg("SEED=%llu, trial %d, %s: ranks %d and %d are joined", (unsigned long long)seed, i, net->spec,
                         t.parent[r], r);
        }
        assert_true(sum == least);
        tree_shape_release(&t);
        stage_close(&s);
    }
}

static void hops_are_their_bound(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 200; i++) {
        struct net *net = any_net(&rng, i, true);
        struct broadcast_reach reach;
        struct tree_shape t;
        double hops = 0;
        struct stage s;

        stage_open(&s, net, &rng, 1 + (int)rng_below(&rng, (uint64_t)net->nterminal));
        s.scene.hop = 1;
        s.scene.size = s.scene.length = 0;
        stage_distances(&s);
        shape(&t, "minimum-spanning", &s);
        for (int r = 1; r < t.n; r++)
            hops += s.way[at(&s, t.parent[r])][at(&s, r)];
        assert_int_equal(broadcast_reach(&reach, net, &s.where, s.scene.root, &err), 0);
        assert_true(hops == reach.hops);
        broadcast_reach_release(&reach);
        tree_shape_release(&t);
        stage_close(&s);
    }
}

static void minimum_spanning_weighs_what_igraph_says(void **state)
{
    static const char *const spec[] = { "mesh:4x5,latency=1+4", "torus:3x5,latency=2+7", "hyperx:3x4,bandwidth=4+1",
                                        "mesh:5x4,bandwidth=2+0.25,latency=0+3" };

    (void)state;
    EACH_ROW(i, spec) {
        igraph_vector_int_t edge;
        igraph_vector_t weight;
        const igraph_t *graph;
        double want = 0, sum = 0;
        struct tree_shape t;
        struct stage s;
        struct net *net;
        struct rng rng;

        rng_seed(&rng, i);
        assert_int_equal(net_open(&net, spec[i], &err), 0);
        stage_open(&s, net, &rng, 0);
        assert_int_equal(net_graph(net, &graph, &err), 0);
        igraph_vector_init(&weight, igraph_ecount(graph));
        igraph_vector_int_init(&edge, 0);
        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
            VECTOR(weight)[e] = s.link[IGRAPH_FROM(graph, e)][IGRAPH_TO(graph, e)];
        igraph_minimum_spanning_tree(graph, &edge, &weight);
        for (igraph_integer_t k = 0; k < igraph_vector_int_size(&edge); k++)
            want += VECTOR(weight)[VECTOR(edge)[k]];
        shape(&t, "minimum-spanning", &s);
        for (int r = 1; r < t.n; r++)
            sum += s.link[at(&s, t.parent[r])][at(&s, r)];
        assert_true(fabs(sum - want) < 1e-9);
        igraph_vector_destroy(&weight);
        igraph_vector_int_destroy(&edge);
        tree_shape_release(&t);
        stage_close(&s);
    }
}

/* ---- the order of children ---- */

/* What a subtree takes with children as they stand, and at best in any order of them. */
static double takes(const struct tree_shape *t, const struct stage *s, int v, bool best)
{
    const int n = tree_nchild(t, v);
    double child[8], least = INFINITY;

    for (int k = 0; k < n; k++) {
        const int c = t->child[t->first[v] + k];

        child[k] = s->scene.start + (s->scene.cut ? s->scene.size : 0) + s->way[at(s, v)][at(s, c)] +
            takes(t, s, c, best);
    }
    for (int turn = 0; turn < (best ? 120 : 1); turn++) {       /* 5!: every order */
        double last = 0, left[8];
        int code = turn;

        memcpy(left, child, sizeof left);
        for (int k = 0; k < n; k++) {
            const int pick = k + (best ? code % (n - k) : 0);
            const double next = left[pick];

            code /= n - k;
            left[pick] = left[k];
            last = fmax(last, k * s->scene.gap + next);
        }
        least = fmin(least, last);
    }
    return least;
}

static void no_other_order_is_quicker(void **state)
{
    struct rng rng;
    int tried = 0;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 300; i++) {
        struct net *net = nets_random(&rng, 2 + (int)rng_below(&rng, 8), (int)rng_below(&rng, 8), false);
        struct tree_shape t;
        struct stage s;
        int most = 0;

        stage_open(&s, net, &rng, 0);
        shape(&t, i % 2 ? "minimum-spanning" : "shortest-path", &s);
        for (int v = 0; v < t.n; v++)
            most = tree_nchild(&t, v) > most ? tree_nchild(&t, v) : most;
        if (most <= 5) {
            tried++;
            if (takes(&t, &s, 0, false) > takes(&t, &s, 0, true))
                fail_msg("SEED=%llu, trial %d: %g, but %g", (unsigned long long)seed, i, takes(&t, &s, 0, false),
                         takes(&t, &s, 0, true));
        }
        tree_shape_release(&t);
        stage_close(&s);
    }
    assert_true(tried > 100);
}

/* ---- earliest-arrival ---- */

static void earliest_arrival_equals_the_greedy_word_for_word(void **state)
{
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 600; i++) {
        struct net *net = any_net(&rng, i, false);
        double ready[MOST] = { 0 };
        int parent[MOST], served[MOST] = { 0 };
        struct tree_shape t;
        struct stage s;
        int n = 1 + (int)rng_below(&rng, (uint64_t)net->nterminal);
        double each;

        n = i % 2 && n > 7 ? 7 : n;
        stage_open(&s, net, &rng, n);
        each = s.scene.start + (s.scene.cut ? s.scene.size : 0);
        shape(&t, "earliest-arrival", &s);
        for (int r = 0; r < n; r++)
            parent[r] = -1;
        for (int k = 1; k < n; k++) {
            double least = INFINITY;
            int from = -1, to = -1;

            for (int u = 0; u < n; u++)
                for (int v = 1; v < n; v++)
                    if ((u == 0 || parent[u] >= 0) && parent[v] < 0 &&
                            ready[u] + each + s.way[at(&s, u)][at(&s, v)] < least) {
                        least = ready[u] + each + s.way[at(&s, u)][at(&s, v)];
                        from = u;
                        to = v;
                    }
            parent[to] = from;
            ready[to] = least;
            ready[from] += s.scene.gap;
            if (t.parent[to] != from || t.child[t.first[from] + served[from]] != to)
                fail_msg("SEED=%llu, trial %d, %s: %d sends to %d", (unsigned long long)seed, i, net->spec, from, to);
            served[from]++;
        }
        tree_shape_release(&t);
        stage_close(&s);
    }
}

static double arrives(const struct tree_shape *t, const struct stage *s, int v, double from)
{
    double last = from;

    for (int k = t->first[v]; k < t->first[v + 1]; k++)
        last = fmax(last, arrives(t, s, t->child[k], from + (k - t->first[v]) * s->scene.gap + s->scene.hop));
    return last;
}

/* N(t) = N(t - 1) + N(t - h): Bar-Noy and Kipnis 1994. */
static void complete_networks_are_served_as_the_postal_model_can(void **state)
{
    (void)state;
    for (int n = 2; n <= 40; n++)
        for (int h = 1; h <= 6; h++) {
            const struct broadcast_how how = { 1, false };
            struct tree_shape t;
            struct stage s;
            struct net *net;
            struct rng rng;
            double steps;
            char spec[20];
            int link[40];

            rng_seed(&rng, (uint64_t)n);
            snprintf(spec, sizeof spec, "complete:%d", n);
            assert_int_equal(net_open(&net, spec, &err), 0);
            stage_open(&s, net, &rng, 0);
            s.scene.hop = h;
            s.scene.size = s.scene.length = s.scene.start = 0;
            s.scene.gap = 1;
            for (int v = 0; v < n; v++)
                link[v] = n - 1;
            assert_int_equal(broadcast_growth(&steps, link, n, n, h, how, &err), 0);
            shape(&t, "earliest-arrival", &s);
            if (arrives(&t, &s, 0, 0) != steps)
                fail_msg("%d processes %d apart: %g, not %g", n, h, arrives(&t, &s, 0, 0), steps);
            tree_shape_release(&t);
            stage_close(&s);
        }
}

/* ---- two-level ---- */

static int leaf(struct net *net, int host)
{
    for (int v = net->nterminal; v < net->n; v++)
        if (nets_linked(net, host, v))
            return v;
    return -1;
}

/* Between leaf switches as few messages as lead to each once, in as many rounds as a binomial tree takes. */
static void groups_are_entered_once(void **state)
{
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 100; i++) {
        int cross = 0, groups = 0, often[MOST] = { 0 }, most = 1, deepest = 0;
        struct tree_shape t;
        struct stage s;
        struct net *net;

        assert_int_equal(net_open(&net, i % 2 ? "fattree:4" : "dragonfly,a=2,p=4,h=1", &err), 0);
        stage_open(&s, net, &rng, 1 + (int)rng_below(&rng, (uint64_t)net->nterminal));
        shape(&t, "two-level", &s);
        for (int r = 0; r < t.n; r++) {
            const int own = leaf(net, at(&s, r));
            int depth = 0;

            groups += often[own]++ == 0;
            most = often[own] > most ? often[own] : most;
            for (int v = r; v; v = t.parent[v])
                depth++;
            deepest = depth > deepest ? depth : deepest;
            cross += r > 0 && own != leaf(net, at(&s, t.parent[r]));
        }
        if (groups > 1 && groups < t.n) {
            assert_int_equal(cross, groups - 1);
            assert_true(deepest <= ceil(log2(groups)) + ceil(log2(most)));
        }
        tree_shape_release(&t);
        stage_close(&s);
    }
}

/* Several processes a node: each node is entered once, whatever switches there are, and by each tree that goes by
 * distances. */
static void nodes_are_entered_once(void **state)
{
    static const char *const tree[] = { "two-level", "breadth-first", "shortest-path", "minimum-spanning", "magpie",
                                        "multilevel", "max-bandwidth" };
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 120; i++) {
        struct net *net = any_net(&rng, i, true);
        const int per_node = 2 + (int)rng_below(&rng, 4);
        struct tree_shape t;
        struct stage s;
        int cross = 0;

        stage_open(&s, net, &rng, 0);
        placement_release(&s.where);
        assert_int_equal(placement_init(&s.where, net, "random", 0, per_node, seed, &err), 0);
        s.scene.root = (int)rng_below(&rng, (uint64_t)s.where.n);
        shape(&t, tree[(size_t)i % COUNT(tree)], &s);
        for (int r = 1; r < t.n; r++)
            cross += at(&s, r) != at(&s, t.parent[r]);
        assert_int_equal(cross, net->nterminal - 1);
        tree_shape_release(&t);
        stage_close(&s);
    }
}

/* The root sends to each other group itself, by magpie; within groups the tree is binomial, as deep as log2. */
static void magpie_goes_to_each_group_at_once(void **state)
{
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 60; i++) {
        const int per_node = 2 + (int)rng_below(&rng, 9);
        struct net *net = any_net(&rng, i, true);
        struct tree_shape t;
        struct stage s;
        int from_root = 0, deepest = 0;

        stage_open(&s, net, &rng, 0);
        placement_release(&s.where);
        assert_int_equal(placement_init(&s.where, net, "random", 0, per_node, seed, &err), 0);
        s.scene.root = (int)rng_below(&rng, (uint64_t)s.where.n);
        shape(&t, "magpie", &s);
        for (int r = 1; r < t.n; r++) {
            int depth = 0;

            for (int v = r; at(&s, v) == at(&s, t.parent[v] < 0 ? 0 : t.parent[v]) && v; v = t.parent[v])
                depth++;
            deepest = depth > deepest ? depth : deepest;
            if (at(&s, r) != at(&s, t.parent[r])) {
                assert_int_equal(t.parent[r], 0);
                from_root++;
            }
        }
        assert_int_equal(from_root, net->nterminal - 1);
        assert_int_equal(deepest, (int)floor(log2(per_node)));
        tree_shape_release(&t);
        stage_close(&s);
    }
}

/* Twelve processes on six nodes, in two regions of two campuses and one of one; root 5, of east. */
static void levels_are_what_the_placement_says(void **state)
{
    static const char *const table = "process,node,region,campus\n0,0,west,a\n1,0,west,a\n2,1,west,a\n3,1,west,b\n"
        "4,2,east,a\n5,2,east,a\n6,3,east,b\n7,3,east,b\n8,4,north,a\n9,4,north,a\n10,5,east,a\n11,5,east,a\n";
    static const int want[12] = { 5, 0, 0, 0, 5, -1, 5, 6, 5, 8, 5, 10 };
    struct placement where;
    struct tree_shape t;
    struct net *net;
    FILE *file = fopen("levels.csv", "w");

    (void)state;
    assert_non_null(file);
    assert_true(fputs(table, file) >= 0 && fclose(file) == 0);
    assert_int_equal(net_open(&net, "complete:6", &err), 0);
    if (placement_init(&where, net, "file:levels.csv", 0, 2, 1, &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(where.nlevel, 2);
    assert_int_equal(tree_shape_init(&t, tree_find("multilevel", &err), 12, &(struct tree_scene){ .net = net,
                                     .where = &where, .root = 5, .hop = 1, .gap = 1 }, &err), 0);
    for (int p = 0; p < 12; p++) {
        const int parent = t.parent[tree_rank(p, 5, 12)];

        if ((parent < 0 ? -1 : tree_process(parent, 5, 12)) != want[p])
            fail_msg("process %d has the message from %d, not %d", p, parent < 0 ? -1 : tree_process(parent, 5, 12),
                     want[p]);
    }
    tree_shape_release(&t);
    placement_release(&where);
    net_close(net);
    remove("levels.csv");
}

/* Every way over the tree is as wide as any. */
static void no_way_is_wider_than_that_of_max_bandwidth(void **state)
{
    struct rng rng;

    (void)state;
    seed = check_seed();
    rng_seed(&rng, seed);
    for (int i = 0; i < 200; i++) {
        struct net *net = nets_random(&rng, 4 + (int)rng_below(&rng, 14), (int)rng_below(&rng, 20), false);
        double wide[MOST][MOST] = { { 0 } }, over[MOST][MOST] = { { 0 } };
        struct link_kind kind[32];
        const igraph_t *graph;
        struct tree_shape t;
        struct stage s;

        nets_cables(&rng, net);
        assert_int_equal(net_graph(net, &graph, &err), 0);
        for (igraph_integer_t e = 0; net->cables.of && e < igraph_ecount(graph); e++)
            net->cables.of[2 * e + 1] = net->cables.of[2 * e];          /* the same both ways */
        if (rng_below(&rng, 2))
            nets_switch(&rng, net);
        stage_open(&s, net, &rng, 1 + (int)rng_below(&rng, (uint64_t)net->nterminal));
        shape(&t, "max-bandwidth", &s);
        for (int a = 0; a < net->n; a++)
            for (int b = 0; b < net->n; b++)
                for (int k = a == b ? 0 : nets_between(kind, 32, net, a, b); k-- > 0;)
                    wide[a][b] = fmax(wide[a][b], kind[k].bandwidth);
        for (int m = 0; m < net->n; m++)
            for (int a = 0; a < net->n; a++)
                for (int b = 0; b < net->n; b++)
                    wide[a][b] = fmax(wide[a][b], fmin(wide[a][m], wide[m][b]));
        for (int r = 1; r < t.n; r++)
            over[r][t.parent[r]] = over[t.parent[r]][r] = wide[at(&s, r)][at(&s, t.parent[r])];
        for (int m = 0; m < t.n; m++)
            for (int a = 0; a < t.n; a++)
                for (int b = 0; b < t.n; b++)
                    over[a][b] = fmax(over[a][b], fmin(over[a][m], over[m][b]));
        for (int a = 0; a < t.n; a++)
            for (int b = 0; b < a; b++)
                check_near(over[a][b], wide[at(&s, a)][at(&s, b)], 0);
        tree_shape_release(&t);
        stage_close(&s);
    }
}

/* Without switches: groups of ceil(sqrt n) ranks. 4 ranks a group of 14: the root, 4, 8, 12 lead. */
static void ranks_are_groups_where_nothing_else_is(void **state)
{
    static const int want[] = { -1, 0, 0, 2, 0, 4, 4, 6, 0, 8, 8, 10, 8, 12 }, first[] = { 8, 4, 2, 1 };
    struct tree_shape t;
    struct stage s;
    struct net *net;
    struct rng rng;

    (void)state;
    rng_seed(&rng, 1);
    assert_int_equal(net_open(&net, "torus:4x4", &err), 0);
    stage_open(&s, net, &rng, 14);
    shape(&t, "two-level", &s);
    assert_memory_equal(t.parent, want, sizeof want);
    assert_int_equal(tree_nchild(&t, 0), 4);
    assert_memory_equal(t.child, first, sizeof first);
    tree_shape_release(&t);
    stage_close(&s);
}

static void where_links_weigh_nothing_hops_decide(void **state)
{
    static const char *const tree[] = { "breadth-first", "shortest-path", "minimum-spanning" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 90; i++) {
        struct tree_shape nothing, hops;
        struct stage s;

        stage_open(&s, any_net(&rng, 3 * i, true), &rng, 0);
        s.scene.hop = s.scene.size = s.scene.length = s.scene.start = s.scene.gap = 0;
        shape(&nothing, tree[i % 3], &s);
        s.scene.hop = 1;
        shape(&hops, tree[i % 3], &s);
        assert_memory_equal(nothing.parent, hops.parent, (size_t)hops.n * sizeof *hops.parent);
        tree_shape_release(&nothing);
        tree_shape_release(&hops);
        stage_close(&s);
    }
}

/* ---- refusals ---- */

static void what_is_not_served_is_said(void **state)
{
    static const int apart[] = { 0, 1, 2, 3 }, circle[] = { 0, 1, 1, 2, 2, 3, 3, 0 };
    static const struct {
        const char *spec, *tree, *says;
        enum err_code code;
    } rows[] = {
        { "mesh:50x41", "earliest-arrival", "2048 processes at most, not 2050", ERR_DOMAIN },
        { "complete:600", "earliest-arrival", NULL, ERR_DOMAIN },
        { "complete:700", "earliest-arrival", "are more than 2^28", ERR_DOMAIN },
        { NULL, "breadth-first", "no path from 0 to 2", ERR_NETWORK },
        { NULL, "shortest-path", "no path from 0 to 2", ERR_NETWORK },
        { NULL, "minimum-spanning", "no path from 0 to 2", ERR_NETWORK },
        { NULL, "earliest-arrival", "no path from 0 to 2", ERR_NETWORK },
        { NULL, "max-bandwidth", "no path from 0 to 2", ERR_NETWORK },
        { "circle", "minimum-spanning", "not the same both ways", ERR_DOMAIN },
        { "circle", "max-bandwidth", "not the same both ways", ERR_DOMAIN },
        { "circle", "breadth-first", NULL, ERR_DOMAIN }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = NULL;
        struct placement where;
        struct tree_shape t = { .n = -7 };
        int ret;

        if (!rows[i].spec)
            net = nets_from_edges(4, apart, 2, false);
        else if (strcmp(rows[i].spec, "circle") == 0)
            net = nets_from_edges(4, circle, 4, true);
        else if (net_open(&net, rows[i].spec, &err) < 0)
            fail_msg("%s", err.msg);
        assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
        ret = tree_shape_init(&t, tree_find(rows[i].tree, &err), where.n,
                              &(struct tree_scene){ .net = net, .where = &where, .hop = 1, .gap = 1 }, &err);
        if (rows[i].says ? ret != -1 || err.code != rows[i].code || !strstr(err.msg, rows[i].says) || t.n != -7 : ret)
            fail_msg("row %zu: %s", i, ret ? err.msg : "it is served");
        if (ret == 0)
            tree_shape_release(&t);
        placement_release(&where);
        net_close(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breadth_first_equals_its_words),
        cmocka_unit_test(ways_are_the_shortest),
        cmocka_unit_test(alike_links_have_one_tree),
        cmocka_unit_test(fat_trees_are_served_by_pod_and_leaf),
        cmocka_unit_test(minimum_spanning_equals_all_pairs),
        cmocka_unit_test(hops_are_their_bound),
        cmocka_unit_test(minimum_spanning_weighs_what_igraph_says),
        cmocka_unit_test(no_other_order_is_quicker),
        cmocka_unit_test(earliest_arrival_equals_the_greedy_word_for_word),
        cmocka_unit_test(complete_networks_are_served_as_the_postal_model_can),
        cmocka_unit_test(groups_are_entered_once),
        cmocka_unit_test(nodes_are_entered_once),
        cmocka_unit_test(magpie_goes_to_each_group_at_once),
        cmocka_unit_test(levels_are_what_the_placement_says),
        cmocka_unit_test(no_way_is_wider_than_that_of_max_bandwidth),
        cmocka_unit_test(ranks_are_groups_where_nothing_else_is),
        cmocka_unit_test(where_links_weigh_nothing_hops_decide),
        cmocka_unit_test(what_is_not_served_is_said)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
