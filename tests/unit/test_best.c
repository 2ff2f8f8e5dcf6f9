/* Metapaths chosen for a traffic (metapath:best:K), against the definition in its header done slowly: ways from
 * supernodes or igraph's hops, loads of all links added up anew before each choice. And what must be so whatever is
 * chosen: no link as full as the fullest of straight paths, dimension order where there is one path. SEED=n repeats. */
#include <string.h>

#include "analysis/load/flows.h"
#include "analysis/policy/policy.h"
#include "model/routing/route.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

static struct err err;
static uint64_t seed;

#define MOST_WAYS 200
#define CABLES 4                /* side by side, at most */
#define PASSES 20
#define SAME 1e-9

/* ---- the twin ---------------------------------------------------------------------------------------- */

struct offer {                  /* of a pair: nodes and cables of each way */
    size_t n, nstop[MOST_WAYS];
    int stop[MOST_WAYS][3];
    struct route_path path[MOST_WAYS];
};
struct twin {
    struct net *net;
    int k;
    const struct routing_demand *pair;
    size_t npair;
    struct offer *offer;        /* by pair */
    int *pick;                  /* [pair * (k - 1) + i] */
    double *load, *width;       /* [(u * n + v) * CABLES + cable], width 0: there is none */
};

static double *link_at(const struct twin *t, double *of, int u, int v)
{
    return of + ((size_t)u * (size_t)t->net->n + (size_t)v) * CABLES;
}

/* Messages of a way, on the cable it names or on all alike. */
static void cross(struct twin *t, const struct route_path *p, double amount)
{
    for (size_t i = 1; i < p->n; i++) {
        double *load = link_at(t, t->load, p->node[i - 1], p->node[i]);
        const double *width = link_at(t, t->width, p->node[i - 1], p->node[i]);
        int cables = 0;

        while (cables < CABLES && width[cables] > 0)
            cables++;
        assert_true(cables > 0 && p->cable[i] <= cables);
        for (int c = 0; c < cables; c++)
            load[c] += p->cable[i] == 0 ? amount / cables : p->cable[i] == c + 1 ? amount : 0;
    }
}

static double fullest(const struct twin *t, const struct route_path *p)
{
    double most = 0;

    for (size_t i = 1; i < p->n; i++)
        for (int c = 0; c < CABLES; c++) {
            const double width = link_at(t, t->width, p->node[i - 1], p->node[i])[c];

            if (width > 0 && (p->cable[i] == 0 || p->cable[i] == c + 1))
                most = fmax(most, link_at(t, t->load, p->node[i - 1], p->node[i])[c] / width);
        }
    return most;
}

/* All loads, but for the last `without` alternatives of pair `but`; the largest. */
static double load_all(struct twin *t, size_t but, int without)
{
    const size_t n = (size_t)t->net->n * (size_t)t->net->n * CABLES;
    double most = 0;

    memset(t->load, 0, n * sizeof *t->load);
    for (size_t p = 0; p < t->npair; p++) {
        const double share = t->pair[p].amount / t->k;

        cross(t, &t->offer[p].path[0], share);
        for (int i = 0; i < t->k - 1 - (p == but ? without : 0); i++)
            cross(t, &t->offer[p].path[t->pick[p * (size_t)(t->k - 1) + (size_t)i]], share);
    }
    for (size_t i = 0; i < n; i++)
        most = t->width[i] > 0 ? fmax(most, t->load[i] / t->width[i]) : most;
    return most;
}

static int twin_choose(struct twin *t, size_t p)
{
    const struct offer *o = &t->offer[p];
    const double share = t->pair[p].amount / t->k;
    double most[MOST_WAYS], least = INFINITY;
    int best = -1;

    for (size_t w = 0; w < o->n; w++) {
        cross(t, &o->path[w], share);
        most[w] = fullest(t, &o->path[w]);
        cross(t, &o->path[w], -share);
        least = fmin(least, most[w]);
    }
    for (size_t w = 0; w < o->n; w++)
        if (most[w] <= least * (1 + SAME) && (best < 0 || o->path[w].n < o->path[best].n))
            best = (int)w;
    return best;
}

static void twin_run(struct twin *t)
{
    const size_t alternatives = (size_t)(t->k - 1), npick = t->npair * alternatives;
    int *kept = calloc(npick + 1, sizeof *kept);
    double least = load_all(t, 0, 0);
    bool changed = true;

    for (int pass = 0; pass < PASSES && changed; pass++) {
        bool *done = calloc(t->npair, sizeof *done);

        changed = false;
        for (size_t i = 0; i < t->npair; i++) {
            size_t p = t->npair;

            for (size_t q = 0; q < t->npair; q++)       /* the largest that is left, of equals the first */
                if (!done[q] && (p == t->npair || t->pair[q].amount > t->pair[p].amount))
                    p = q;
            done[p] = true;
            for (int a = 0; a < t->k - 1; a++) {
                int *pick = &t->pick[p * alternatives + (size_t)a], way;

                load_all(t, p, t->k - 1 - a);
                way = twin_choose(t, p);
                changed = changed || way != *pick;
                *pick = way;
            }
        }
        free(done);
        if (load_all(t, 0, 0) <= least * (1 + 1e-12)) {
            least = fmin(least, load_all(t, 0, 0));
            memcpy(kept, t->pick, npick * sizeof *kept);
        }
    }
    memcpy(t->pick, kept, npick * sizeof *kept);
    free(kept);
}

/* ---- scenes ------------------------------------------------------------------------------------------ */

static void add_way(struct offer *o, const int *stop, size_t n)
{
    for (size_t w = 0; w < o->n; w++)
        if (o->nstop[w] == n && memcmp(o->stop[w], stop, n * sizeof *stop) == 0)
            return;
    assert_true(o->n < MOST_WAYS && n <= 3);
    memcpy(o->stop[o->n], stop, n * sizeof *stop);
    o->nstop[o->n++] = n;
}

/* What pair s, t may choose from: the straight way, then those of `of`, or detours of up to `slack` hops by igraph. */
static void twin_offer(struct offer *o, struct routing *r, const char *of, int slack, const int *hops, int s, int t)
{
    const struct group *g = r->invariant ? r->net->group : NULL;        /* all look as from node 0, in its order */
    const int n = r->net->n, from = s;
    struct ways w = { 0 };

    if (g) {
        t = group_add(g, t, group_negative(g, s));
        s = 0;
    }
    add_way(o, &t, 1);
    for (char *at = strdup(of), *list = at, *item; (item = strsep(&at, "+")) || (free(list), false);) {
        struct routing metapath;
        char text[80];

        if (!*item)
            continue;
        snprintf(text, sizeof text, "metapath:%s", item);
        assert_int_equal(routing_open(&metapath, r->net, text, &err), 0);
        ways_clear(&w);
        assert_int_equal(metapath.route->ways(&w, &metapath, NULL, s, t, &err), 0);
        for (size_t i = 0; i < w.n; i++)
            add_way(o, w.stop + (i ? w.end[i - 1] : 0), w.end[i] - (i ? w.end[i - 1] : 0));
        routing_close(&metapath);
    }
    for (int i = 0; slack >= 0 && i < n; i++)
        if (i != s && i != t && net_terminal_index(r->net, i) >= 0 && hops[s * n + i] >= 0 && hops[i * n + t] >= 0 &&
            hops[s * n + i] + hops[i * n + t] <= hops[s * n + t] + slack)
            add_way(o, (int[]){ i, t }, 2);
    for (size_t i = 0; i < o->n; i++) {
        for (size_t k = 0; g && k < o->nstop[i]; k++)
            o->stop[i][k] = group_add(g, o->stop[i][k], from);
        ways_clear(&w);
        assert_int_equal(ways_add(&w, o->stop[i], o->nstop[i], 1, &err), 0);
        assert_int_equal(route_way(&o->path[i], r, &w, 0, from, &err), 0);
    }
    ways_release(&w);
}

static void twin_open(struct twin *t, struct routing *r, int k, const char *of, int slack,
                      const struct routing_demand *pair, size_t npair)
{
    const size_t n = (size_t)r->net->n;
    int *hops = measure_hops(r->net);

    *t = (struct twin){ .net = r->net, .k = k, .pair = pair, .npair = npair };
    t->offer = calloc(npair, sizeof *t->offer);
    t->pick = calloc(npair * (size_t)k, sizeof *t->pick);
    t->load = calloc(n * n * CABLES, sizeof *t->load);
    t->width = calloc(n * n * CABLES, sizeof *t->width);
    assert_true(t->offer && t->pick && t->load && t->width);
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++) {
            struct link_kind kind[CABLES];
            const int cables = u == v ? 0 : nets_between(kind, CABLES, r->net, (int)u, (int)v);

            assert_true(cables <= CABLES);
            for (int c = 0; c < cables; c++)
                link_at(t, t->width, (int)u, (int)v)[c] = kind[c].bandwidth;
        }
    for (size_t p = 0; p < npair; p++)
        twin_offer(&t->offer[p], r, of, slack, hops, pair[p].source, pair[p].target);
    free(hops);
}

static void twin_close(struct twin *t)
{
    for (size_t p = 0; p < t->npair; p++)
        for (size_t w = 0; w < t->offer[p].n; w++)
            route_path_release(&t->offer[p].path[w]);
    free(t->offer);
    free(t->pick);
    free(t->load);
    free(t->width);
}

/* Pairs of terminals with a path, each with that chance, with one of a few amounts or any; ascending. */
static size_t draw_pairs(struct routing_demand **out, struct rng *rng, struct net *net, double chance, bool any)
{
    const int n = net->nterminal;
    int *hops = measure_hops(net);
    size_t m = 0;

    *out = calloc((size_t)n * (size_t)n, sizeof **out);
    assert_non_null(*out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const int s = net_terminal(net, i), t = net_terminal(net, k);

            if (s != t && hops[s * net->n + t] > 0 && check_uniform(rng) < chance)
                (*out)[m++] = (struct routing_demand){ s, t, any ? 0.01 + check_uniform(rng) :
                                                       1 + (double)rng_below(rng, 3) };
        }
    free(hops);
    return m;
}

#define HOLDS(yes, ...)                                                                          \
    do {                                                                                        \
        if (!(yes)) {                                                                           \
            char what[500];                                                                     \
                                                                                                \
            snprintf(what, sizeof what, __VA_ARGS__);                                           \
            fail_msg("SEED=%llu: %s", (unsigned long long)seed, what);                          \
        }                                                                                       \
    } while (0)

/* The ways that pair p has are the twin's, with their shares. */
static void check_pair(const struct twin *t, struct routing *r, size_t p)
{
    const struct offer *o = &t->offer[p];
    struct ways w = { 0 };
    size_t found = 0;

    assert_int_equal(r->route->ways(&w, r, NULL, t->pair[p].source, t->pair[p].target, &err), 0);
    for (size_t i = 0; i < o->n; i++) {
        int taken = i == 0;

        for (int a = 0; a < t->k - 1; a++)
            taken += t->pick[p * (size_t)(t->k - 1) + (size_t)a] == (int)i;
        if (!taken)
            continue;
        HOLDS(found < w.n && w.end[found] - (found ? w.end[found - 1] : 0) == o->nstop[i] &&
              memcmp(w.stop + (found ? w.end[found - 1] : 0), o->stop[i], o->nstop[i] * sizeof(int)) == 0 &&
              fabs(w.share[found] - (double)taken / t->k) < 1e-12,
              "%s on %s: from %d to %d way %zu, to be taken %d times, is not number %zu of %zu", r->spec, r->net->spec,
              t->pair[p].source, t->pair[p].target, i, taken, found, w.n);
        found++;
    }
    HOLDS(found == w.n, "%s on %s: %zu ways, not %zu", r->spec, r->net->spec, w.n, found);
    ways_release(&w);
}

static void compare(struct net *net, int k, const char *of, int slack, const char *keys, struct rng *rng, bool all)
{
    struct routing_demand *pair;
    const size_t npair = draw_pairs(&pair, rng, net, all ? 1 : 0.4, !all);
    struct routing r;
    struct twin t;
    char spec[200];

    snprintf(spec, sizeof spec, "metapath:best:%d%s%s%s", k, *of ? ",of=" : "", of, keys);
    if (slack >= 0)
        snprintf(spec, sizeof spec, "metapath:best:%d,of=shortest+%d%s", k, slack, keys);
    for (size_t p = 0; all && p < npair; p++)
        pair[p].amount = 1.0 / (double)(net->nterminal - 1);
    if (routing_open(&r, net, spec, &err) < 0)
        fail_msg("%s: %s", spec, err.msg);
    twin_open(&t, &r, k, *of || slack >= 0 ? of : "sga:1+dga:1", slack, pair, npair);
    twin_run(&t);
    assert_int_equal(!r.tell, k == 1);
    if (r.tell && r.tell(&r, pair, npair, NULL, &err) < 0)
        fail_msg("%s on %s: %s", spec, net->spec, err.msg);
    for (size_t p = 0; p < npair; p++)
        check_pair(&t, &r, p);
    twin_close(&t);
    routing_close(&r);
    free(pair);
}

static void ways_are_those_of_the_definition(void **state)
{
    static const struct { const char *net; int k; const char *of; int slack; const char *keys; bool all; } row[] = {
        { "mesh:3x3", 1, "", -1, "", true }, { "mesh:3x3", 2, "", -1, "", true }, { "mesh:3x3", 3, "", -1, "", false },
        { "mesh:4x3", 4, "", 2, "", false }, { "mesh:3x3", 3, "sga:1", -1, ",order=1+2", true },
        { "torus:4x3", 3, "", -1, "", true }, { "torus:4x3", 3, "", -1, "", false },
        { "torus:5x4", 2, "row:3", -1, ",tie=down", false }, { "torus:4x4", 3, "random", -1, "", true },
        { "torus:4x4,bandwidth=2+1", 3, "", -1, "", false }, { "torus:4x3", 2, "", 1, "", true },
        { "torus:4x4", 2, "", 0, ",base=minimal", false }, { "hypercube:3", 5, "dga:1", -1, "", true },
        { "circulant:11,jumps=2+3", 3, "sga:2+sga:1", -1, "", false }, { "complete:6", 3, "random", -1, "", true },
        { "ring:7,directed=yes", 3, "random", -1, "", false }, { "fattree:4", 3, "", 2, "", true },
        { "fattree:4", 3, "sga:2", -1, "", false }, { "fattree:4", 2, "", 4, ",base=dmodk", false },
        { "dragonfly,a=3,p=1,h=1", 3, "group+sga:2", -1, "", true },
    };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < COUNT(row); i++) {
        struct net *net = measure_open(row[i].net);

        compare(net, row[i].k, row[i].of, row[i].slack, row[i].keys, &rng, row[i].all);
        net_close(net);
    }
}

/* Irregular ones, with hosts and switches, cables side by side and bandwidths. */
static void and_on_random_networks(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    for (int i = 0; i < 60; i++) {
        struct net *net = nets_random(&rng, 4 + i % 9, 2 + i % 7, i % 5 == 4);

        if (i % 3 == 1)
            nets_switch(&rng, net);
        if (i % 4 >= 2)
            nets_cables(&rng, net);
        compare(net, 1 + i % 4, i % 2 ? "" : "sga:1+random", i % 2 ? i % 3 : -1, i % 6 == 5 ? ",base=minimal" : "",
                &rng, i % 4 == 0);
        net_close(net);
    }
}

/* ---- whatever is chosen ------------------------------------------------------------------------------ */

/* The largest load while every pair spreads over its ways, or (`straight`) goes the first that is offered. */
static double largest(struct twin *t, struct routing *r, bool straight)
{
    const size_t n = (size_t)t->net->n * (size_t)t->net->n * CABLES;
    struct route_path path = { 0 };
    struct ways w = { 0 };
    double most = 0;

    memset(t->load, 0, n * sizeof *t->load);
    for (size_t p = 0; p < t->npair; p++) {
        ways_clear(&w);
        if (straight)
            assert_int_equal(ways_add(&w, &t->pair[p].target, 1, 1, &err), 0);
        else
            assert_int_equal(r->route->ways(&w, r, NULL, t->pair[p].source, t->pair[p].target, &err), 0);
        for (size_t i = 0; i < w.n; i++) {
            assert_int_equal(route_way(&path, r, &w, i, t->pair[p].source, &err), 0);
            cross(t, &path, t->pair[p].amount * w.share[i]);
        }
    }
    for (size_t i = 0; i < n; i++)
        most = t->width[i] > 0 ? fmax(most, t->load[i] / t->width[i]) : most;
    route_path_release(&path);
    ways_release(&w);
    return most;
}

static void no_link_is_fuller_than_by_straight_paths(void **state)
{
    static const char *const nets[] = { "torus:6x6", "torus:8x4,bandwidth=1+3", "mesh:5x4", "hypercube:5", "fattree:4",
                                        "dragonfly,a=3,p=2,h=1", "circulant:30,jumps=4+7", "random:20,degree=3" };
    struct rng rng;
    int better = 0;

    (void)state;
    rng_seed(&rng, seed + 2);
    for (int i = 0; i < 64; i++) {
        struct net *net = measure_open(nets[(size_t)i % COUNT(nets)]);
        struct routing_demand *pair;
        const size_t npair = draw_pairs(&pair, &rng, net, i < 32 ? 0.05 : 0.5, i % 3 > 0);
        struct routing r;
        struct twin t;
        double straight, spread;
        char spec[80];

        snprintf(spec, sizeof spec, "metapath:best:%d%s", 1 + i / 8 % 4, i % 16 < 8 ? "" : ",of=shortest+2");
        assert_int_equal(routing_open(&r, net, spec, &err), 0);
        twin_open(&t, &r, 1, "", -1, pair, npair);
        assert_true(!r.tell || r.tell(&r, pair, npair, NULL, &err) == 0);
        straight = largest(&t, &r, true);
        spread = largest(&t, &r, false);
        HOLDS(spread <= straight * (1 + 1e-9), "%s on %s: %.17g, not %.17g", spec, net->spec, spread, straight);
        better += spread < straight * 0.99;
        twin_close(&t);
        routing_close(&r);
        free(pair);
        net_close(net);
    }
    HOLDS(better > 32, "it was less %d times of 64", better);
}

/* One path is dimension order's, folded as it is; a pair that was not named has that one too. */
static void one_path_is_dimension_order(void **state)
{
    struct net *net = measure_open("torus:5x4");
    const struct routing_demand pair[] = { { 0, 13, 2 }, { 3, 7, 1 } };
    struct route_path path[2] = { { 0 } };
    struct routing one, three, dor;
    struct ways w = { 0 };

    (void)state;
    assert_int_equal(routing_open(&one, net, "metapath:best:1", &err), 0);
    assert_int_equal(routing_open(&three, net, "metapath:best:3", &err), 0);
    assert_int_equal(routing_open(&dor, net, "dor", &err), 0);
    assert_true(one.invariant && three.invariant);
    assert_null(one.tell);
    assert_int_equal(three.tell(&three, pair, 2, NULL, &err), 0);
    assert_true(one.invariant && !three.invariant);
    for (int s = 0; s < net->n; s++)
        for (int t = 0; t < net->n; t++)
            for (int k = 0; k < 2 && s != t; k++) {
                struct routing *r = k ? &three : &one;

                if (k && ((s == 0 && t == 13) || (s == 3 && t == 7)))
                    continue;
                ways_clear(&w);
                assert_int_equal(r->route->ways(&w, r, NULL, s, t, &err), 0);
                assert_int_equal(w.n, 1);
                assert_true(w.share[0] == 1);
                assert_int_equal(route_way(&path[0], r, &w, 0, s, &err), 0);
                assert_int_equal(route_path(&path[1], &dor, s, t, &err), 0);
                assert_int_equal(path[0].n, path[1].n);
                assert_memory_equal(path[0].node, path[1].node, path[0].n * sizeof(int));
            }
    route_path_release(&path[0]);
    route_path_release(&path[1]);
    ways_release(&w);
    routing_close(&one);
    routing_close(&three);
    routing_close(&dor);
    net_close(net);
}

/* ---- who tells it ------------------------------------------------------------------------------------ */

static size_t count_ways(struct routing *r, int source, int target)
{
    struct ways w = { 0 };
    size_t n;

    assert_int_equal(r->route->ways(&w, r, NULL, source, target, &err), 0);
    n = w.n;
    ways_release(&w);
    return n;
}

/* Two streams of a pair ask for what one with both amounts does; both have its ways. */
static void streams_of_a_pair_add_up(void **state)
{
    static struct stream apart[] = { { .source = 0, .target = 10, .interval = 40, .time = 10, .share = 1 },
                                     { .source = 1, .target = 11, .interval = 30, .time = 10, .share = 1 },
                                     { .source = 0, .target = 10, .interval = 40, .time = 10, .share = 1 } };
    static struct stream together[] = { { .source = 0, .target = 10, .interval = 20, .time = 10, .share = 1 },
                                        { .source = 1, .target = 11, .interval = 30, .time = 10, .share = 1 } };
    struct net *net = measure_open("torus:4x4");
    const struct traffic t[] = { { .spec = "apart", .net = net, .stream = apart, .nstream = 3 },
                                 { .spec = "together", .net = net, .stream = together, .nstream = 2 } };
    struct flows f[2];
    struct ways w[2] = { { 0 } };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct routing r;

        assert_int_equal(routing_open(&r, net, "metapath:best:3", &err), 0);
        assert_true(count_ways(&r, 0, 10) > 3);
        assert_int_equal(flows_open(&f[i], &t[i], &r, 1, &(struct flows_options){ .time = 10 }, &err), 0);
        assert_int_equal(r.route->ways(&w[i], &r, NULL, 0, 10, &err), 0);
        flows_release(&f[i]);
        routing_close(&r);
    }
    assert_int_equal(w[0].n, 3);
    assert_int_equal(w[1].n, w[0].n);
    assert_int_equal(w[1].nstop, w[0].nstop);
    assert_memory_equal(w[1].stop, w[0].stop, w[0].nstop * sizeof *w[0].stop);
    ways_release(&w[0]);
    ways_release(&w[1]);
    net_close(net);
}

/* A policy's configurations are those ways, chosen for its traffic; its spec opens again. */
static void configurations_are_chosen_too(void **state)
{
    static const char spec[] = "drb:static+best:2+best:3,of=sga:1+dga:1";
    const struct latency_options o = { .collide = { .switching = &switching_wormhole, .time = 10 } };
    struct net *net = measure_open("torus:8x8");
    struct policy_outcome y;
    struct policy p, again;
    struct traffic t;
    struct routing r;
    struct flows f;

    (void)state;
    assert_int_equal(traffic_open(&t, net, "butterfly", &err), 0);
    if (policy_open(&p, spec, net, &t, &o, &err) < 0)
        fail_msg("%s", err.msg);
    assert_string_equal(p.spec, spec);
    assert_int_equal(policy_open(&again, p.spec, net, &t, &o, &err), 0);
    assert_string_equal(again.spec, p.spec);
    policy_close(&again);
    assert_int_equal(routing_open(&r, net, "metapath:best:3", &err), 0);
    assert_int_equal(flows_open(&f, &t, &r, 1, &(struct flows_options){ .time = 10 }, &err), 0);
    for (size_t i = 0; i < t.nstream; i++) {
        const int source = t.stream[i].source, target = t.stream[i].target;

        assert_int_equal(count_ways(&p.conf.routing[0], source, target), 1);
        assert_true(count_ways(&p.conf.routing[1], source, target) <= 2);
        assert_int_equal(count_ways(&p.conf.routing[2], source, target), count_ways(&r, source, target));
    }
    assert_int_equal(policy_solve(&p, &(struct load){ 10, 1 }, &y, &err), 0);
    assert_true(y.count[1] + y.count[2] > 0);
    flows_release(&f);
    routing_close(&r);
    policy_close(&p);
    traffic_release(&t);
    net_close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_are_those_of_the_definition),
        cmocka_unit_test(and_on_random_networks),
        cmocka_unit_test(no_link_is_fuller_than_by_straight_paths),
        cmocka_unit_test(one_path_is_dimension_order),
        cmocka_unit_test(streams_of_a_pair_add_up),
        cmocka_unit_test(configurations_are_chosen_too),
    };
    int failed;

    net_setup();
    seed = check_seed();
    failed = cmocka_run_group_tests_name("metapaths chosen for a traffic", tests, NULL, NULL);
    net_teardown();
    return failed;
}
