/* Routings: known paths, and for every routing on every topology it accepts: every pair delivered over real
 * links, shares summing to 1, shortest where it says so, the same from every node where it says so. Then each against
 * what is known of it from elsewhere: shortest paths listed one by one, means over metapaths, legal paths by search. */
#include <string.h>
#include <unistd.h>

#include "analysis/metapath/metapath.h"
#include "graph/topology/topo.h"
#include "model/routing/route.h"
#include "tests/support/check.h"
#include "tests/support/brute.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

static struct err err;

static const struct row {
    const char *name, *spec, *routing;
    int from, to;
    const char *path;
} rows[] = {
    { "mesh: the last dimension first", "mesh:4x4", NULL, 0, 15, "0 1 2 3 7 11 15" },
    { "mesh: down as well as up", "mesh:4x4", "dor", 14, 1, "14 13 9 5 1" },
    { "torus: half-way goes up", "torus:4x4", "dor", 5, 15, "5 6 7 11 15" },
    { "torus: round the corner", "torus:5x4x3", "dor", 0, 59, "0 2 11 59" },
    { "mesh with rows wrapped", "mesh:4x4,wrap=2", "dor", 0, 15, "0 3 7 11 15" },
    { "hypercube: a ring of two is one cable", "hypercube:4", "dor", 0, 15, "0 1 3 7 15" },
    { "ring one way", "ring:6,directed=yes", "dor", 4, 2, "4 5 0 1 2" },
    { "ring one way, minimal", "ring:6,directed=yes", "minimal", 4, 2, "4 5 0 1 2" },
    { "hyperx: a hop a dimension, the last first", "hyperx:5x4x3", "dor", 0, 31, "0 1 7 31" },
    { "circulant: the larger jump first", "circulant:20,jumps=2+7", "dor", 0, 9, "0 7 9" },
    { "circulant: up where both ways are as long", "circulant:12,jumps=1+3", "dor", 0, 6, "0 3 6" },
    { "complete: straight there", "complete:6", NULL, 5, 2, "5 2" },
    { "star: over the hub", "star:6", NULL, 5, 2, "5 0 2" },
    { "star: from the hub", "star:6", NULL, 0, 2, "0 2" },
    { "minimal: the smallest next node", "mesh:4x4", "minimal", 5, 15, "5 6 7 11 15" },
    { "minimal: smallest first even if dor is not", "mesh:4x4", "minimal", 15, 0, "15 11 7 3 2 1 0" },
    { "the first dimension first", "torus:8x8", "dor,order=1+2", 11, 23, "11 19 20 21 22 23" },
    { "half-way goes down", "torus:8x8", "dor,order=1+2,tie=down", 11, 23, "11 19 18 17 16 23" },
    { "the middle dimension first", "torus:5x4x3", "dor,order=2+3+1", 0, 59, "0 9 11 59" },
    { "half-way goes down in a hypercube", "hypercube:3", "dor,tie=down,order=1+2+3", 0, 7, "0 4 6 7" },
    { "updown: over the root", "mesh:3x3", "updown", 0, 8, "0 1 4 5 8" },
    { "updown: not down and up again", "ring:6", "updown,root=0", 2, 4, "2 1 0 5 4" },
    { "updown: of two as near the smaller is up", "ring:5", "updown:root=0", 4, 2, "4 0 1 2" },
    { "updown: and the larger down", "ring:5", "updown:root=0", 1, 3, "1 2 3" },
    { "updown: down along the ring", "ring:5", "updown,root=2", 1, 4, "1 0 4" },
    { "spread: by its hash, on a mesh", "mesh:5x4", "spread", 0, 15, "0 1 5 9 10 14 15" },
    { "spread: another target, another way", "mesh:5x4", "spread", 0, 19, "0 4 5 6 7 11 15 19" },
    { "spread: a network with a group", "hypercube:4", "spread", 15, 0, "15 13 12 8 0" },
    { "spread: a fat tree", "fattree:4", "spread", 0, 15, "0 16 24 33 30 23 15" },
    { "dmodk: up by 15 mod 2, then 7 mod 2", "fattree:4", "dmodk", 0, 15, "0 16 25 35 31 23 15" },
    { "dmodk: up by 12 mod 2, then 6 mod 2", "fattree:4", "dmodk", 3, 12, "3 17 24 32 30 22 12" },
    { "dmodk: no higher than need be", "fattree:4", "dmodk", 0, 3, "0 16 25 17 3" },
    { "lgl: one link between groups", "dragonfly,a=4,p=2,h=2", "lgl", 0, 71, "0 72 75 104 107 71" },
    { "lgl: within a group", "dragonfly,a=4,p=2,h=2", "lgl", 0, 7, "0 72 75 7" },
    { "lgl: two where one has failed", "dragonfly,a=2,p=1,h=1,fail=7-10", "lgl", 0, 5, "0 6 9 8 11 5" },
    { "nowhere to go", "torus:4x4", NULL, 3, 3, "3" },
};

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct net *net;
    struct routing r;
    struct route_path path = { 0 };
    char text[200] = "";
    size_t len = 0;

    assert_int_equal(net_open(&net, row->spec, &err), 0);
    assert_int_equal(routing_open(&r, net, row->routing, &err), 0);
    assert_int_equal(route_path(&path, &r, row->from, row->to, &err), 0);
    for (size_t i = 0; i < path.n; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", i ? " " : "", path.node[i]);
    assert_string_equal(text, row->path);
    route_path_release(&path);
    routing_close(&r);
    net_close(net);
}

/* ---- every entry ------------------------------------------------------------------------------------- */

/* Fails with the routing, the network and what is said of the numbers. */
#define HOLDS(r, yes, ...)                                                                      \
    do {                                                                                        \
        if (!(yes)) {                                                                           \
            char what[1100];                                                                    \
                                                                                                \
            snprintf(what, sizeof what, __VA_ARGS__);                                           \
            fail_msg("routing '%s' on %s: %s", (r)->spec, (r)->net->spec, what);                \
        }                                                                                       \
    } while (0)

struct world {
    struct net *net;
    int *hops;                      /* [u * n + v] */
    char *seen;                     /* [(in + 1) * n + node]: 1 while the paths on from there are followed, 2 after */
};

/* Follows every answer, not only the first: no path comes by a node twice the same way. */
static void check_delivers(const struct world *w, struct routing *r, int node, int in, int target)
{
    const int n = w->net->n;
    struct hop *hop = calloc(2 * r->most, sizeof *hop);
    char *seen = &w->seen[(in + 1) * n + node];
    double shares = 0;
    size_t count = 0, anew;

    assert_non_null(hop);
    *seen = 1;
    HOLDS(r, r->route->next(hop, &count, r, node, in, target, &err) == 0, "from %d to %d: %s", node, target, err.msg);
    HOLDS(r, count >= 1 && count <= r->most, "%zu next hops from %d to %d, of at most %zu", count, node, target,
          r->most);
    if (!r->route->looks_back) {
        assert_int_equal(r->route->next(hop + count, &anew, r, node, -1, target, &err), 0);
        assert_int_equal(anew, count);
        for (size_t i = 0; i < count; i++)
            assert_true(hop[i].node == hop[count + i].node && hop[i].share == hop[count + i].share);
    }
    for (size_t i = 0; i < count; i++) {
        HOLDS(r, hop[i].share > 0, "the share %.17g of the hop from %d to %d is not above 0", hop[i].share, node,
              hop[i].node);
        HOLDS(r, nets_linked(w->net, node, hop[i].node),
              "on the way to %d it goes from %d to %d, where there is no link", target, node,
              hop[i].node);
        for (size_t k = 0; k < i; k++)
            HOLDS(r, hop[i].node != hop[k].node, "from %d to %d it goes on to %d twice", node, target, hop[i].node);
        if (r->route->minimal)
            HOLDS(r, w->hops[hop[i].node * n + target] == w->hops[node * n + target] - 1,
                  "of %d hops from %d to %d there are %d left at %d, the next", w->hops[node * n + target], node,
                      target,
                  w->hops[hop[i].node * n + target], hop[i].node);
        shares += hop[i].share;
        HOLDS(r, w->seen[(node + 1) * n + hop[i].node] != 1, "to %d it goes round in a circle by %d and %d", target,
              node, hop[i].node);
        if (hop[i].node != target && !w->seen[(node + 1) * n + hop[i].node])
            check_delivers(w, r, hop[i].node, node, target);
    }
    HOLDS(r, fabs(shares - 1) < 1e-12, "shares from %d to %d sum to %.17g, not 1", node, target, shares);
    *seen = 2;
    free(hop);
}

/* next(s, t) = s + next(0, t - s). */
static void check_same_hops(struct routing *r, int source, int target)
{
    const struct group *g = r->net->group;
    struct hop *here = calloc(2 * r->most, sizeof *here), *origin = here + r->most;
    size_t n, m;

    assert_non_null(here);
    assert_int_equal(r->route->next(here, &n, r, source, -1, target, &err), 0);
    assert_int_equal(r->route->next(origin, &m, r, 0, -1, group_add(g, target, group_negative(g, source)), &err), 0);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (k < n && group_add(g, origin[k].node, source) != here[i].node)
            k++;
        assert_true(k < n);
        assert_true(fabs(here[i].share - origin[k].share) < 1e-12);
    }
    free(here);
}

static const int *stops_of(const struct ways *w, size_t i, size_t *n)
{
    const size_t from = i ? w->end[i - 1] : 0;

    *n = w->end[i] - from;
    return w->stop + from;
}

/* The way over those stops, each moved by `by` (NULL: as they are); w->n for none. */
static size_t find_way(const struct ways *w, const int *stop, size_t n, const struct group *g, int by)
{
    for (size_t i = 0; i < w->n; i++) {
        size_t m, k = 0;
        const int *at = stops_of(w, i, &m);

        while (k < n && m == n && stop[k] == (g ? group_add(g, at[k], by) : at[k]))
            k++;
        if (k == n)
            return i;
    }
    return w->n;
}

/* Shares sum to 1; each way differs from the others and runs over links from source to target, by its stops; it has
 * `hops` links where the routing says that its paths are shortest. */
static void check_ways(struct routing *r, const struct ways *w, struct route_path *path, int source, int target,
                       int hops)
{
    double shares = 0;

    HOLDS(r, w->n > 0, "there is no way from %d to %d", source, target);
    for (size_t i = 0; i < w->n; i++) {
        size_t n, met = 0;
        const int *stop = stops_of(w, i, &n);

        HOLDS(r, w->share[i] > 0, "the share %.17g of way %zu from %d to %d is not above 0", w->share[i], i, source,
              target);
        shares += w->share[i];
        HOLDS(r, n > 0 && stop[n - 1] == target, "way %zu from %d to %d does not end there", i, source, target);
        HOLDS(r, find_way(w, stop, n, NULL, 0) == i, "ways %zu and %zu from %d to %d are the same",
              find_way(w, stop, n, NULL, 0), i,
              source, target);
        HOLDS(r, route_way(path, r, w, i, source, &err) == 0, "way %zu from %d to %d: %s", i, source, target, err.msg);
        assert_int_equal(path->node[0], source);
        assert_int_equal(path->node[path->n - 1], target);
        if (r->route->minimal)
            HOLDS(r, (int)path->n - 1 == hops, "way %zu from %d to %d has %zu hops, not the shortest %d", i, source,
                  target, path->n - 1,
                  hops);
        for (size_t k = 1; k < path->n; k++) {
            HOLDS(r, nets_linked(r->net, path->node[k - 1], path->node[k]),
                  "way %zu from %d to %d goes from %d to %d, where there is "
                  "no link", i, source, target, path->node[k - 1], path->node[k]);
            met += met < n && path->node[k] == stop[met];
        }
        HOLDS(r, met == n, "way %zu from %d to %d comes by %zu of its %zu stops", i, source, target, met, n);
    }
    HOLDS(r, fabs(shares - 1) < 1e-12, "shares of the ways from %d to %d sum to %.17g, not 1", source, target, shares);
}

static void check_same_ways(struct routing *r, const struct ways *here, int source, int target)
{
    const struct group *g = r->net->group;
    struct ways origin = { 0 };

    assert_int_equal(r->route->ways(&origin, r, NULL, 0, group_add(g, target, group_negative(g, source)), &err), 0);
    assert_int_equal(here->n, origin.n);
    for (size_t i = 0; i < here->n; i++) {
        size_t n, k;
        const int *stop = stops_of(here, i, &n);

        k = find_way(&origin, stop, n, g, source);
        assert_true(k < origin.n);
        assert_true(fabs(here->share[i] - origin.share[k]) < 1e-12);
    }
    ways_release(&origin);
}

static void check_pair(const struct world *w, struct routing *r, struct ways *ways, struct route_path *path, int s,
                       int t)
{
    const size_t n = (size_t)w->net->n;

    if (r->route->next) {
        memset(w->seen, 0, n * (n + 1));
        check_delivers(w, r, s, -1, t);
        if (r->invariant)
            check_same_hops(r, s, t);
        return;
    }
    ways_clear(ways);
    HOLDS(r, r->route->ways(ways, r, NULL, s, t, &err) == 0, "from %d to %d: %s", s, t, err.msg);
    check_ways(r, ways, path, s, t, w->hops[(size_t)s * n + (size_t)t]);
    if (r->invariant)
        check_same_ways(r, ways, s, t);
}

/* `bare`: must open. The spec that comes back opens again as the same. */
static void check_spec(const struct world *w, const char *spec, bool bare)
{
    struct route_path path = { 0 };
    struct routing r = { 0 }, again = { 0 };
    struct ways ways = { 0 };
    const int n = w->net->n;

    if (routing_open(&r, w->net, spec, &err) < 0) {
        assert_true(err_is_request(&err) && !bare);
        return;
    }
    assert_true(!r.route->next == (r.base != NULL));
    assert_true(!r.invariant || w->net->group);
    assert_int_equal(routing_open(&again, w->net, r.spec, &err), 0);
    assert_string_equal(again.spec, r.spec);
    assert_int_equal(again.invariant, r.invariant);
    assert_int_equal(again.by_bandwidth, r.by_bandwidth);
    for (int t = 0; t < n; t++)
        for (int s = 0; s < n; s++)
            if (s != t && w->hops[s * n + t] >= 0)
                check_pair(w, &r, &ways, &path, s, t);
    route_path_release(&path);
    ways_release(&ways);
    routing_close(&again);
    routing_close(&r);
}

/* What tables need: paths.csv with a shortest path for each pair, ways.csv with one straight there and one over a third
 * node, a share each. */
static void write_tables(struct net *net)
{
    FILE *paths = fopen("paths.csv", "w"), *ways = fopen("ways.csv", "w");
    struct route_path path = { 0 };
    struct routing r;
    char name[3][96];

    assert_true(paths && ways);
    assert_int_equal(routing_open(&r, net, "minimal", &err), 0);
    fputs("source,target,path\n", paths);
    fputs("share,target,source,msp\n", ways);
    for (int s = 0; s < net->n; s++)
        for (int t = 0; t < net->n; t++) {
            const int over = (s + t + 1) % net->n;

            if (s == t)
                continue;
            net_label(net, s, name[0]);
            net_label(net, t, name[1]);
            net_label(net, over, name[2]);
            assert_int_equal(route_path(&path, &r, s, t, &err), 0);
            fprintf(paths, "\"%s\",\"%s\",\"", name[0], name[1]);
            for (size_t i = 0; i < path.n; i++)
                fprintf(paths, "%s%s", i ? ">" : "", net_label(net, path.node[i], name[2]));
            fputs("\"\n", paths);
            fprintf(ways, "3,%s,%s,%s>%s\n", name[1], name[0], name[0], name[1]);
            if (over != s && over != t)
                fprintf(ways, "1.5,%s,%s,%s > %s > %s\n", name[1], name[0], name[0], net_label(net, over, name[2]),
                        name[1]);
        }
    fclose(paths);
    fclose(ways);
    route_path_release(&path);
    routing_close(&r);
}

static const char *const with_keys[] = {
    "dor,tie=down", "dor,tie=split", "dor,order=2+1", "dor,order=1+3+2,tie=split", "updown,root=1",
        "valiant,base=minimal",
    "valiant,tie=down", "valiant,base=updown", "o1turn,tie=down", "romm,tie=down", "romm,order=1+2", "romm,order=2+3+1",
        "metapath:dga:1", "metapath:sga:2,shares=bandwidth,base=minimal",
    "metapath:random,tie=down", "metapath:static", "metapath:row:3,origin=centre,shares=bandwidth",
    "metapath:best:3", "metapath:best:1,tie=down", "metapath:best:2,of=shortest+1,shares=bandwidth",
        "metapath:best:64,of=random+sga:1,base=minimal", "metapath:best:3,of=row:2,base=updown",
    "metapath:plane:2x2", "metapath:subcube:2,order=1+2+3+4", "metapath:sga:1,base=updown:root=1",
    "valiant,by=group", "valiant,by=group,base=minimal", "table:ways.csv,shares=bandwidth",
    "table:ways.csv,base=minimal", "table:paths.csv,base=updown"
};

static void check_net(struct net *net, const struct route *route)
{
    const size_t n = (size_t)net->n, len = strlen(route->name);
    struct world w = { .net = net, .hops = measure_hops(net), .seen = malloc(n * (n + 1)) };

    assert_non_null(w.seen);
    if (strcmp(route->name, "table") == 0)
        write_tables(net);
    if (route->fits(net))
        check_spec(&w, route->example ? route->example : route->name, true);
    for (size_t i = 0; route->fits(net) && i < COUNT(with_keys); i++)
        if (strncmp(with_keys[i], route->name, len) == 0 && strchr(",:", with_keys[i][len]))
            check_spec(&w, with_keys[i], false);
    free(w.seen);
    free(w.hops);
    net_close(net);
}

static void entry_delivers(void **state)
{
    const struct route *route = *state;
    static const char *const more[] = { "torus:4x4", "torus:2x6", "ring:2", "hypercube:1",
                                        "circulant:25,jumps=5+10+11", "midimew:13", "mesh:2x3,wrap=1" };
    struct rng rng;
    struct net *net;

    assert_true(!route->next != !route->ways);
    for (size_t i = 0; topo_all[i]; i++)
        if (topo_all[i]->example && net_open(&net, topo_all[i]->example, &err) == 0)
            check_net(net, route);
    EACH_ROW(i, more) {
        if (net_open(&net, more[i], &err) < 0)
            fail_msg("%s", err.msg);
        check_net(net, route);
    }
    if (route->example_net) {
        assert_int_equal(net_open(&net, route->example_net, &err), 0);
        assert_true(route->fits(net));
        check_net(net, route);
    }
    rng_seed(&rng, 20);
    for (int i = 0; i < 20; i++)
        check_net(nets_random(&rng, 3 + i, i, i % 2), route);
}

/* ---- what each is known for -------------------------------------------------------------------------- */

/* What comes by each link when 1 is sent from `node` to `target`, forks taken alike: every shortest path is walked. */
static void brute_flow(double *flow, struct net *net, const int *hops, int node, int target, double share)
{
    const int n = net->n;
    int forks = 0;

    for (int v = 0; v < n; v++)
        forks += hops[node * n + v] == 1 && hops[v * n + target] == hops[node * n + target] - 1;
    for (int v = 0; v < n; v++)
        if (hops[node * n + v] == 1 && hops[v * n + target] == hops[node * n + target] - 1) {
            flow[node * n + v] += share / forks;
            if (v != target)
                brute_flow(flow, net, hops, v, target, share / forks);
        }
}

static void ecmp_flow(double *flow, struct routing *r, int node, int target, double share)
{
    struct hop hop[64];
    size_t n;

    assert_true(r->most <= COUNT(hop));
    assert_int_equal(r->route->next(hop, &n, r, node, -1, target, &err), 0);
    for (size_t i = 0; i < n; i++) {
        flow[node * r->net->n + hop[i].node] += share * hop[i].share;
        if (hop[i].node != target)
            ecmp_flow(flow, r, hop[i].node, target, share * hop[i].share);
    }
}

static void ecmp_shares_among_all_shortest_paths(void **state)
{
    static const char *const specs[] = { "hypercube:3", "torus:5x4x3", "mesh:3x4", "fattree:4",
                                         "circulant:23,jumps=3+5", "ring:7,directed=yes", "complete:6",
                                         "dragonfly,a=4,p=2,h=2" };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = measure_open(specs[i]);
        const size_t n = (size_t)net->n;
        int *hops = measure_hops(net);
        double *flow = calloc(2 * n * n, sizeof *flow);
        struct routing r;

        assert_non_null(flow);
        assert_int_equal(routing_open(&r, net, "ecmp", &err), 0);
        for (int t = 0; t < net->n; t++)
            for (int s = 0; s < net->n; s++)
                if (s != t) {
                    memset(flow, 0, 2 * n * n * sizeof *flow);
                    brute_flow(flow, net, hops, s, t, 1);
                    ecmp_flow(flow + n * n, &r, s, t, 1);
                    for (size_t k = 0; k < n * n; k++)
                        assert_true(fabs(flow[k] - flow[n * n + k]) < 1e-12);
                }
        routing_close(&r);
        free(flow);
        free(hops);
        net_close(net);
    }
}

/* What each host of a fat tree sends to the one `by` further on, or (by 0) 1/(N-1) to each other one, by link. */
static void fattree_load(double *load, struct routing *r, int by)
{
    const int hosts = r->net->nterminal, n = r->net->n;
    struct route_path path = { 0 };

    memset(load, 0, (size_t)n * (size_t)n * sizeof *load);
    for (int s = 0; s < hosts; s++)
        for (int d = by ? by : 1; d <= (by ? by : hosts - 1); d++) {
            assert_int_equal(route_path(&path, r, s, (s + d) % hosts, &err), 0);
            for (size_t i = 1; i < path.n; i++)
                load[path.node[i - 1] * n + path.node[i]] += by ? 1 : 1.0 / (hosts - 1);
        }
    route_path_release(&path);
}

/* Zahavi 2010: no cyclic shift makes two messages meet; uniform traffic loads links alike. By that the fullest link
 * between switches carries what the K/2 hosts of an edge switch send to the (K/2)-th part of the hosts elsewhere:
 * (K^3/4 - K/2)/(K^3/4 - 1) of a host's rate, 124/127 for K = 8; all core switches carry the same. */
static void dmodk_has_no_conflicts_in_shifts(void **state)
{
    (void)state;
    for (int k = 2; k <= 8; k += 2) {
        const int half = k / 2, hosts = k * half * half, first_core = hosts + 2 * k * half;
        char spec[20];
        struct net *net;
        struct routing r;
        double *load, fullest = 0;

        snprintf(spec, sizeof spec, "fattree:%d", k);
        net = measure_open(spec);
        load = malloc((size_t)net->n * (size_t)net->n * sizeof *load);
        assert_non_null(load);
        assert_int_equal(routing_open(&r, net, "dmodk", &err), 0);
        for (int by = 1; by < hosts; by++) {
            fattree_load(load, &r, by);
            for (int l = 0; l < net->n * net->n; l++)
                HOLDS(&r, load[l] <= 1, "shift by %d: %g messages from %d to %d", by, load[l], l / net->n, l % net->n);
        }
        fattree_load(load, &r, 0);
        for (int u = hosts; u < net->n; u++) {
            double through = 0;

            for (int v = hosts; v < net->n; v++) {
                fullest = fmax(fullest, load[u * net->n + v]);
                through += load[v * net->n + u];
            }
            if (u >= first_core)        /* from all pods: what the others send to a (K/2)^2-th of each pod's hosts */
                HOLDS(&r, fabs(through - k * (double)(hosts - half * half) / (hosts - 1)) < 1e-9,
                      "core switch %d carries %g", u, through);
        }
        HOLDS(&r, fabs(fullest - (double)(hosts - half) / (hosts - 1)) < 1e-9, "fullest link %g", fullest);
        routing_close(&r);
        free(load);
        net_close(net);
    }
}

/* Numbers of nodes say nothing about a network: over many numberings, drawn at random, a hash that treats all next hops
 * alike puts on a link, in the mean, what ecmp does. Five standard errors, all links of six networks; where more than
 * the link's own two ends hardly ever comes over it, the variance is that of rare events, whatever was seen. */
static void spread_is_ecmp_in_the_mean(void **state)
{
    enum { NODES = 16, NUMBERINGS = 250, LINKS = NODES * NODES };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 6; trial++) {
        struct net *net = nets_random(&rng, NODES, 20 + trial, trial % 2);
        double even[LINKS] = { 0 }, sum[LINKS] = { 0 }, squares[LINKS] = { 0 };
        struct routing r;
        int end[2 * LINKS], nend = 0;

        assert_int_equal(routing_open(&r, net, "ecmp", &err), 0);
        for (int s = 0; s < NODES; s++)
            for (int t = 0; t < NODES; t++) {
                if (s != t)
                    ecmp_flow(even, &r, s, t, 1);
                if (nets_linked(net, s, t) && (trial % 2 || s < t)) {
                    end[2 * nend] = s;
                    end[2 * nend++ + 1] = t;
                }
            }
        routing_close(&r);
        net_close(net);
        for (int k = 0; k < NUMBERINGS; k++) {
            double load[LINKS] = { 0 };
            int number[NODES], to[2 * LINKS];

            for (int v = 0; v < NODES; v++)
                number[v] = v;
            rng_shuffle(&rng, number, NODES);
            for (int i = 0; i < 2 * nend; i++)
                to[i] = number[end[i]];
            net = nets_from_edges(NODES, to, nend, trial % 2);
            assert_int_equal(routing_open(&r, net, "spread", &err), 0);
            for (int s = 0; s < NODES; s++)
                for (int t = 0; t < NODES; t++)
                    if (s != t)
                        ecmp_flow(load, &r, s, t, 1);
            for (int l = 0; l < LINKS; l++) {
                const double x = load[number[l / NODES] * NODES + number[l % NODES]];

                sum[l] += x;
                squares[l] += x * x;
            }
            routing_close(&r);
            net_close(net);
        }
        for (int l = 0; l < LINKS; l++) {
            const double mean = sum[l] / NUMBERINGS, rare = fmin(fabs(even[l] - 1), 0.25);
            const double variance = fmax(rare, squares[l] / NUMBERINGS - mean * mean);

            if (fabs(mean - even[l]) > 5 * sqrt(variance / NUMBERINGS) + 1e-9)
                fail_msg("trial %d: from %d to %d goes %g in the mean, by ecmp %g", trial, l / NODES, l % NODES, mean,
                         even[l]);
        }
    }
}

/* The two orders of the dimensions, each for half of the messages: one where they are the same. */
static void o1turn_takes_either_order(void **state)
{
    static const char *const specs[] = { "mesh:5x4", "torus:4x6", "torus:5x4", "mesh:4x3,wrap=2", "hypercube:2" };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = measure_open(specs[i]);
        struct route_path path[3] = { { 0 } };
        struct routing r, order[2];
        struct ways ways = { 0 };

        assert_int_equal(routing_open(&r, net, "o1turn", &err), 0);
        assert_int_equal(routing_open(&order[0], net, "dor,order=1+2", &err), 0);
        assert_int_equal(routing_open(&order[1], net, "dor,order=2+1", &err), 0);
        for (int s = 0; s < net->n; s++)
            for (int t = 0; t < net->n; t++) {
                bool seen[2] = { false, false }, same;

                if (s == t)
                    continue;
                for (int o = 0; o < 2; o++)
                    assert_int_equal(route_path(&path[o], &order[o], s, t, &err), 0);
                same = memcmp(path[0].node, path[1].node, path[0].n * sizeof *path[0].node) == 0;
                ways_clear(&ways);
                assert_int_equal(r.route->ways(&ways, &r, NULL, s, t, &err), 0);
                HOLDS(&r, ways.n == (same ? 1 : 2), "%zu ways from %d to %d, not %d", ways.n, s, t, same ? 1 : 2);
                for (size_t k = 0; k < ways.n; k++) {
                    assert_int_equal(route_way(&path[2], &r, &ways, k, s, &err), 0);
                    HOLDS(&r, ways.share[k] == 1.0 / (double)ways.n, "share %g from %d to %d", ways.share[k], s, t);
                    for (int o = 0; o < 2; o++)
                        seen[o] = seen[o] || (path[2].n == path[o].n &&
                                              memcmp(path[2].node, path[o].node,
                                                     path[o].n * sizeof *path[o].node) == 0);
                }
                HOLDS(&r, seen[0] && seen[1], "from %d to %d one of the two orders is missing", s, t);
            }
        for (int k = 0; k < 3; k++)
            route_path_release(&path[k]);
        ways_release(&ways);
        routing_close(&r);
        routing_close(&order[0]);
        routing_close(&order[1]);
        net_close(net);
    }
    for (size_t i = 0; i < 3; i++) {
        static const char *const misfits[] = { "torus:5x4x3", "fattree:4", "midimew:13" };
        struct net *net = measure_open(misfits[i]);
        struct routing r;

        assert_int_equal(routing_open(&r, net, "o1turn", &err), -1);
        assert_true(err_is_request(&err));
        net_close(net);
    }
}

/* Whether m lies on a shortest path from s to t, half-way round on that side on which dor goes, up. */
static bool in_box(const struct net *net, const int *hops, int s, int m, int t)
{
    const int n = net->n;
    int stride = 1;

    if (hops[s * n + m] + hops[m * n + t] != hops[s * n + t])
        return false;
    for (int d = net->ndim - 1; d >= 0; stride *= net->size[d--]) {
        const int k = net->size[d], a = s / stride % k, b = t / stride % k, c = m / stride % k;

        if (net->wrap[d] && 2 * ((b - a + k) % k) == k && 2 * ((c - a + k) % k) > k)
            return false;
    }
    return true;
}

static void add_path(double *flow, const struct route_path *path, int n, double share)
{
    for (size_t k = 1; k < path->n; k++)
        flow[path->node[k - 1] * n + path->node[k]] += share;
}

static void romm_draws_from_the_minimal_box(void **state)
{
    static const char *const specs[] = { "mesh:5x4", "torus:5x4x3", "mesh:3x3x3", "torus:6x4", "ring:8", "hypercube:4",
                                         "mesh:4x4,wrap=2" };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = measure_open(specs[i]);
        const size_t n = (size_t)net->n;
        int *hops = measure_hops(net);
        double *flow = calloc(2 * n * n, sizeof *flow);
        struct route_path path = { 0 };
        struct ways ways = { 0 };
        struct routing r, dor;

        assert_non_null(flow);
        assert_int_equal(routing_open(&r, net, "romm", &err), 0);
        assert_int_equal(routing_open(&dor, net, "dor", &err), 0);
        for (int s = 0; s < net->n; s++)
            for (int t = 0; t < net->n; t++) {
                int box = 0;

                if (s == t)
                    continue;
                memset(flow, 0, 2 * n * n * sizeof *flow);
                for (int m = 0; m < net->n; m++)
                    box += in_box(net, hops, s, m, t);
                for (int m = 0; m < net->n; m++)
                    if (in_box(net, hops, s, m, t)) {
                        assert_int_equal(route_path(&path, &dor, s, m, &err), 0);
                        add_path(flow, &path, net->n, 1.0 / box);
                        assert_int_equal(route_path(&path, &dor, m, t, &err), 0);
                        add_path(flow, &path, net->n, 1.0 / box);
                    }
                ways_clear(&ways);
                assert_int_equal(r.route->ways(&ways, &r, NULL, s, t, &err), 0);
                for (size_t k = 0; k < ways.n; k++) {
                    assert_int_equal(route_way(&path, &r, &ways, k, s, &err), 0);
                    add_path(flow + n * n, &path, net->n, ways.share[k]);
                }
                for (size_t k = 0; k < n * n; k++)
                    HOLDS(&r, fabs(flow[k] - flow[n * n + k]) < 1e-12,
                          "from %d to %d a part %.17g goes from %zu to %zu, not %.17g", s, t,
                          flow[n * n + k], k / n, k % n, flow[k]);
            }
        routing_close(&r);
        routing_close(&dor);
        route_path_release(&path);
        ways_release(&ways);
        free(flow);
        free(hops);
        net_close(net);
    }
}

/* In a hypercube each dimension in which the two differ; in a torus each, twice half-way round. */
static void ecmp_counts_next_nodes(void **state)
{
    struct net *net = measure_open("hypercube:3");
    struct hop hop[6];
    struct routing r;
    size_t n;

    (void)state;
    assert_int_equal(routing_open(&r, net, "ecmp", &err), 0);
    assert_int_equal(r.most, 3);
    assert_true(r.invariant);
    assert_int_equal(r.route->next(hop, &n, &r, 0, -1, 7, &err), 0);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        assert_true(hop[i].node == 1 || hop[i].node == 2 || hop[i].node == 4);
        assert_true(fabs(hop[i].share - 1.0 / 3) < 1e-15);
    }
    routing_close(&r);
    net_close(net);

    net = measure_open("torus:6x5x4");
    assert_int_equal(routing_open(&r, net, "ecmp", &err), 0);
    for (int v = 1; v < net->n; v++) {
        const int c[3] = { v / 20, v / 4 % 5, v % 4 };
        size_t want = (size_t)(c[0] != 0) + (c[0] == 3) + (c[1] != 0) + (c[2] != 0) + (c[2] == 2);

        assert_int_equal(r.route->next(hop, &n, &r, 0, -1, v, &err), 0);
        assert_int_equal(n, want);
    }
    routing_close(&r);
    net_close(net);
}

static double mean_length(struct routing *r, struct ways *ways, struct route_path *path, int s, int t)
{
    double mean = 0;

    ways_clear(ways);
    assert_int_equal(r->route->ways(ways, r, NULL, s, t, &err), 0);
    for (size_t i = 0; i < ways->n; i++) {
        assert_int_equal(route_way(path, r, ways, i, s, &err), 0);
        mean += ways->share[i] * (double)(path->n - 1);
    }
    return mean;
}

/* Each half is a walk to a node drawn from all: twice the mean distance of a node from all, itself among them. In a
 * ring of even k that is k/4, of odd k (k^2 - 1) / 4k. */
static void valiant_goes_twice_the_mean_distance(void **state)
{
    static const struct {
        const char *spec;
        double hops;
    } rows_of[] = { { "torus:8x8", 2 * (2 + 2) }, { "torus:6x5", 2 * (1.5 + 1.2) }, { "hypercube:5", 2 * 2.5 } };

    (void)state;
    EACH_ROW(i, rows_of) {
        struct net *net = measure_open(rows_of[i].spec);
        struct route_path path = { 0 };
        struct ways ways = { 0 };
        struct routing r;

        assert_int_equal(routing_open(&r, net, "valiant", &err), 0);
        assert_true(r.invariant);
        for (int t = 1; t < net->n; t++) {
            assert_true(fabs(mean_length(&r, &ways, &path, 0, t) - rows_of[i].hops) < 1e-9);
            assert_int_equal(ways.n, net->n - 1);           /* source and target make one */
        }
        route_path_release(&path);
        ways_release(&ways);
        routing_close(&r);
        net_close(net);
    }
}

/* Over the pairs that the statistics keep (those of sga: not within R hops, of dga: not within 2R - 1). */
static void metapaths_are_as_long_as_their_statistics(void **state)
{
    static const struct {
        const char *net, *supernode;
        int beyond;                 /* hops */
        size_t ways;                /* 0: not the same for all pairs */
    } rows_of[] = {
        { "torus:8x8", "sga:1", 1, 5 }, { "torus:8x8", "sga:2", 2, 13 }, { "torus:8x8", "dga:1", 1, 0 },
        { "torus:5x4x3", "sga:1", 1, 0 }, { "hypercube:6", "dga:2", 3, 0 }, { "torus:8x8", "static", 0, 1 },
        { "mesh:5x4", "sga:1", 1, 0 }, { "circulant:23,jumps=3+5", "dga:1", 1, 0 },
        { "random:30,degree=3,seed=7", "dga:1", 1, 0 },
        { "fattree:4", "sga:4", 4, 0 },
    };

    (void)state;
    EACH_ROW(i, rows_of) {
        struct net *net = measure_open(rows_of[i].net);
        int *hops = measure_hops(net);
        struct metapath_options o = { 0 };
        struct metapath_stats stats;
        struct route_path path = { 0 };
        struct ways ways = { 0 };
        struct supernode sn;
        struct routing r;
        char spec[80];
        double sum = 0, pairs = 0;

        snprintf(spec, sizeof spec, "metapath:%s", rows_of[i].supernode);
        assert_int_equal(supernode_open(&sn, rows_of[i].supernode, net, &err), 0);
        assert_int_equal(metapath_stats(&stats, net, &sn, 1, &o, &err), 0);
        assert_int_equal(routing_open(&r, net, spec, &err), 0);
        for (int a = 0; a < net->nterminal; a++)
            for (int b = 0; b < net->nterminal; b++) {
                const int s = net_terminal(net, a), t = net_terminal(net, b);

                if (s == t || hops[s * net->n + t] <= rows_of[i].beyond)
                    continue;
                sum += mean_length(&r, &ways, &path, s, t);
                pairs++;
                if (rows_of[i].ways)
                    assert_int_equal(ways.n, rows_of[i].ways);
            }
        assert_true(pairs == stats.pairs);
        if (pairs > 0)
            assert_true(fabs(sum / pairs - stats.mean_hops) < 1e-9);
        metapath_stats_release(&stats);
        supernode_release(&sn);
        route_path_release(&path);
        ways_release(&ways);
        routing_close(&r);
        free(hops);
        net_close(net);
    }
}

/* source, i, j, target without a node that is there already or is the target. */
static size_t visited(int stop[3], int source, int i, int j, int target)
{
    const int all[4] = { source, i, j, target };
    int kept[4] = { source };
    size_t n = 1;

    for (int k = 1; k < 3; k++)
        if (all[k] != kept[n - 1] && all[k] != target)
            kept[n++] = all[k];
    kept[n++] = target;
    memcpy(stop, kept + 1, (n - 1) * sizeof *stop);
    return n - 1;
}

/* Its multistep paths, from members found by definition, one by one. */
static void check_metapath(struct net *net, const char *supernode)
{
    const int n = net->n;
    int *hops = measure_hops(net), *S = calloc(2 * (size_t)n, sizeof *S), *T = S + n, stop[3];
    double *left = NULL;
    struct ways ways = { 0 };
    struct routing r;
    char spec[80];

    assert_non_null(S);
    snprintf(spec, sizeof spec, "metapath:%s", supernode);
    if (routing_open(&r, net, spec, &err) < 0)
        fail_msg("%s", err.msg);
    for (int a = 0; a < net->nterminal; a++)
        for (int b = 0; b < net->nterminal; b++) {
            const int s = net_terminal(net, a), t = net_terminal(net, b);
            int nS = brute_members(net, hops, supernode, s, S), nT = 0, radius = 0;

            if (s == t)
                continue;
            sscanf(supernode, "dga:%d", &radius);
            for (int k = 0; k < net->nterminal; k++)
                if (hops[net_terminal(net, k) * n + t] <= radius)
                    T[nT++] = net_terminal(net, k);
            ways_clear(&ways);
            assert_int_equal(r.route->ways(&ways, &r, NULL, s, t, &err), 0);
            left = realloc(left, ways.n * sizeof *left);
            assert_non_null(left);
            memcpy(left, ways.share, ways.n * sizeof *left);
            for (int i = 0; i < nS; i++)
                for (int j = 0; j < nT; j++) {
                    size_t at = find_way(&ways, stop, visited(stop, s, S[i], T[j], t), NULL, 0);

                    assert_true(at < ways.n);
                    left[at] -= 1.0 / (nS * nT);
                }
            for (size_t i = 0; i < ways.n; i++)
                assert_true(fabs(left[i]) < 1e-12);
        }
    free(left);
    ways_release(&ways);
    routing_close(&r);
    free(S);
    free(hops);
    net_close(net);
}

static void metapaths_hold_every_multistep_path(void **state)
{
    static const char *const row[][2] = {
        { "torus:5x4", "sga:1" }, { "torus:5x4", "dga:2" }, { "torus:5x4", "random" }, { "torus:5x4", "static" },
        { "torus:5x4", "row:3,dim=1,origin=centre" }, { "torus:5x4", "plane:2x3" }, { "mesh:4x4", "plane:2x2" },
        { "mesh:4x3", "row:2" }, { "hypercube:4", "subcube:2" }, { "circulant:13,jumps=2+3", "row:4,origin=centre" },
        { "circulant:13,jumps=2+3", "dga:1" }, { "fattree:4", "dga:2" }, { "fattree:4", "random" },
          { "star:6", "sga:2" },
        { "ring:7,directed=yes", "dga:2" }, { "random:16,degree=3,seed=7", "dga:2" }
    };
    struct rng rng;

    (void)state;
    EACH_ROW(i, row)
        check_metapath(measure_open(row[i][0]), row[i][1]);
    rng_seed(&rng, 3);
    for (int i = 0; i < 8; i++)
        check_metapath(nets_random(&rng, 5 + i, i, i % 2), i % 4 < 2 ? "dga:1" : "dga:2");
}

/* Shortest legal paths from s, by search over nodes and whether a link down was taken. */
static void legal_hops(int *best, const int *hops, int n, int root, int s)
{
    int *queue = calloc(2 * (size_t)n, sizeof *queue), *at = malloc(2 * (size_t)n * sizeof *at), head = 0, tail = 0;

    assert_true(queue && at);
    for (int i = 0; i < 2 * n; i++)
        at[i] = -1;
    at[2 * s] = 0;
    queue[tail++] = 2 * s;
    while (head < tail) {
        const int x = queue[head++], u = x / 2;

        for (int v = 0; v < n; v++) {
            const int mine = hops[root * n + u], its = hops[root * n + v];
            const bool up = its < mine || (its == mine && v < u);
            const int y = 2 * v + !up;

            if (hops[u * n + v] != 1 || (x % 2 && up) || at[y] >= 0)
                continue;
            at[y] = at[x] + 1;
            queue[tail++] = y;
        }
    }
    for (int v = 0; v < n; v++)
        best[v] = at[2 * v] < 0 || (at[2 * v + 1] >= 0 && at[2 * v + 1] < at[2 * v]) ? at[2 * v + 1] : at[2 * v];
    free(queue);
    free(at);
}

static int most_links(const int *hops, int n)
{
    int best = 0, most = -1;

    for (int v = 0; v < n; v++) {
        int links = 0;

        for (int u = 0; u < n; u++)
            links += hops[v * n + u] == 1;
        if (links > most) {
            most = links;
            best = v;
        }
    }
    return best;
}

static void updown_goes_up_then_down(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 40; k++) {
        struct net *net = nets_random(&rng, 2 + (int)rng_below(&rng, 30), (int)rng_below(&rng, 40), false);
        const int n = net->n;
        int *hops = measure_hops(net), *best = calloc((size_t)n, sizeof *best);
        int root = k % 2 ? (int)rng_below(&rng, (uint64_t)n) : most_links(hops, n);
        struct route_path path = { 0 };
        struct routing r;
        char spec[40];

        assert_non_null(best);
        snprintf(spec, sizeof spec, k % 2 ? "updown,root=%d" : "updown", root);
        assert_int_equal(routing_open(&r, net, spec, &err), 0);
        for (int s = 0; s < n; s++) {
            legal_hops(best, hops, n, root, s);
            for (int t = 0; t < n; t++) {
                bool down = false;

                assert_int_equal(route_path(&path, &r, s, t, &err), 0);
                assert_int_equal(path.n - 1, best[t]);
                for (size_t i = 1; i < path.n; i++) {
                    const int u = path.node[i - 1], v = path.node[i], mine = hops[root * n + u],
                        its = hops[root * n + v];
                    const bool up = its < mine || (its == mine && v < u);

                    assert_int_equal(hops[u * n + v], 1);
                    assert_false(down && up);
                    down = !up;
                }
            }
        }
        route_path_release(&path);
        routing_close(&r);
        free(best);
        free(hops);
        net_close(net);
    }
}

static void half_way_both_ways(void **state)
{
    struct net *net = measure_open("torus:8x8");
    struct hop hop[2];
    struct routing r;
    size_t n;

    (void)state;
    assert_int_equal(routing_open(&r, net, "dor,tie=split", &err), 0);
    assert_int_equal(r.most, 2);
    assert_int_equal(r.route->next(hop, &n, &r, 0, -1, 4, &err), 0);
    assert_int_equal(n, 2);
    assert_true(hop[0].node == 1 && hop[1].node == 7 && hop[0].share == 0.5 && hop[1].share == 0.5);
    assert_int_equal(r.route->next(hop, &n, &r, 1, 0, 4, &err), 0);
    assert_int_equal(n, 1);
    assert_int_equal(hop[0].node, 2);
    routing_close(&r);
    net_close(net);
}

/* Dimension order goes the same way whoever was asked about in between. */
static void dor_in_any_order(void **state)
{
    static const char *const rows[][2] = {
        { "torus:5x4x3", "dor" }, { "torus:6x4", "dor,tie=down" }, { "torus:7x2x2", "dor,order=3+1+2" },
        { "mesh:5x4", "dor" }, { "ring:9,directed=yes", "dor" }
    };
    struct rng rng;

    (void)state;
    rng_seed(&rng, 1);
    EACH_ROW(i, rows) {
        struct net *net = measure_open(rows[i][0]);
        struct route_path path = { 0 };
        struct routing r, other;

        assert_int_equal(routing_open(&r, net, rows[i][1], &err), 0);
        assert_int_equal(routing_open(&other, net, rows[i][1], &err), 0);
        for (int s = 0; s < net->n; s++)
            for (int t = 0; t < net->n; t++) {
                assert_int_equal(route_path(&path, &r, s, t, &err), 0);
                for (size_t k = 0; k + 1 < path.n; k++) {
                    const int a = (int)rng_below(&rng, (uint64_t)net->n), b = (int)rng_below(&rng, (uint64_t)net->n);
                    struct hop hop[2];
                    size_t n;

                    if (a != b)
                        assert_int_equal(other.route->next(hop, &n, &other, a, -1, b, &err), 0);
                    assert_int_equal(other.route->next(hop, &n, &other, path.node[k], -1, t, &err), 0);
                    assert_int_equal(hop[0].node, path.node[k + 1]);
                }
            }
        route_path_release(&path);
        routing_close(&other);
        routing_close(&r);
        net_close(net);
    }
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* "0.1>1.1 0.25; ..." of the ways in their order. */
static void print_ways(char *out, size_t size, const struct net *net, const struct ways *w)
{
    size_t len = 0;
    char name[96];

    *out = '\0';
    for (size_t i = 0; i < w->n; i++) {
        size_t n;
        const int *stop = stops_of(w, i, &n);

        for (size_t k = 0; k < n; k++)
            len += (size_t)snprintf(out + len, size - len, "%s%s", k ? ">" : i ? "; " : "", net_label(net, stop[k],
                                    name));
        len += (size_t)snprintf(out + len, size - len, " %.4g", w->share[i]);
    }
}

/* On torus:4x4; `ways` NULL: `message` is part of the refusal, on opening or asking. */
static const struct table_row {
    const char *name, *text, *stream;
    int source, target;
    const char *ways, *message;
} tables[] = {
    { "table: explicit paths with shares", "channel,path,share\nC1,0.0-0.1-1.1,3\nC2,0.0-0.1,1\nC1,0.0-1.0-1.1,1\n",
      "C1", 0, 5, "0.1>1.1 0.75; 1.0>1.1 0.25", NULL },
    { "table: by nodes", "source,target,path\n0.0,1.1,0.0 0.1  1.1\n", NULL, 0, 5, "0.1>1.1 1", NULL },
    { "table: by nodes where the name is not there", "channel,source,destination,path\n,0.0,1.1,0.0 > 0.1 > 1.1\n"
      "C1,0.0,1.1,0.0 > 1.0 > 1.1\n", "C9", 0, 5, "0.1>1.1 1", NULL },
    { "table: by name rather than nodes", "channel,source,destination,path\n,0.0,1.1,0.0 > 0.1 > 1.1\n"
      "C1,0.0,1.1,0.0 > 1.0 > 1.1\n", "C1", 0, 5, "1.0>1.1 1", NULL },
    { "table: by number", "channel,msp\nC1,0>10>5\n", "C1", 0, 5, "2.2>1.1 1", NULL },
    { "table: several multistep paths in a cell", "channel,multistep_paths\nC1,0.0>1.1 0.0 > 2.2 > 1.1  "
      "0.0>0.1>3.3>1.1 \n", "C1", 0, 5, "1.1 0.3333; 2.2>1.1 0.3333; 0.1>3.3>1.1 0.3333", NULL },
    { "table: a row's share is that of all its paths", "channel,msp,share\nC1,0.0-1.1 "
      "0.0-2.2-1.1,1\nC1,0.0-3.3-1.1,3\n", "C1", 0, 5, "1.1 0.125; 2.2>1.1 0.125; 3.3>1.1 0.75", NULL },
    { "table: no such link", "channel,path\nC1,0.0-0.1-0.3-1.3\n", "C1", 0, 7, NULL,
      "bad.csv:2: no link leads from 0.1 to 0.3, step 2 of the path 0.0-0.1-0.3-1.3" },
    { "table: no such node", "channel,path\n\nC1,0.0-0.9\n", "C1", 0, 5, NULL, "bad.csv:3: in the path 0.0-0.9" },
    { "table: no such node is named", "channel,path\nC1,0.0>x>0.1\n", "C1", 0, 5, NULL, "'x' is no node of torus:4x4" },
    { "table: a node missing", "channel,path\nC1,0.0>>0.1\n", "C1", 0, 5, NULL, "a node is missing" },
    { "table: one node", "channel,path\nC1,0.0\n", "C1", 0, 5, NULL, "fewer than two nodes" },
    { "table: past its target", "channel,path\nC1,0.0>0.1>1.1>0.1>1.1\n", "C1", 0, 5, NULL, "comes to 1.1 again" },
    { "table: past its source", "channel,path\nC1,0.0>0.1>0.0>1.0>1.1\n", "C1", 0, 5, NULL, "comes to 0.0 again" },
    { "table: its target as a stop", "channel,msp\nC1,0.0>1.1>0.1>1.1\n", "C1", 0, 5, NULL, "comes to 1.1 again" },
    { "table: one node that ends in a sign", "channel,msp\nC1,0.0\n", "C1", 0, 5, NULL, "fewer than two nodes" },
    { "table: the same node twice", "channel,msp\nC1,0.0>0.1>0.1>1.1\n", "C1", 0, 5, NULL, "names '0.1' twice "
      "running" },
    { "table: no path in a row", "channel,path\nC1, \n", "C1", 0, 5, NULL, "bad.csv:2: the path is missing" },
    { "table: begins elsewhere", "source,target,path\n0.1,1.1,0.0-0.1-1.1\n", NULL, 0, 5, NULL,
      "bad.csv:2: the path 0.0-0.1-1.1 begins at 0.0, not at 0.1 as its row says" },
    { "table: ends elsewhere", "source,target,msp\n0.0,1.2,0.0-1.1\n", NULL, 0, 5, NULL, "ends at 1.1, not at 1.2" },
    { "table: a channel with two ends", "channel,msp\nC1,0.0-1.1\nC1,0.0-1.2\n", "C1", 0, 5, NULL,
      "bad.csv:3: channel C1 leads from 0.0 to 1.2 here, from 0.0 to 1.1 on line 2" },
    { "table: a path twice", "channel,msp\nC1,0.0>1.1\nC2,0.0>1.1\nC1,0.0>1.1\n", "C1", 0, 5, NULL,
      "bad.csv:4: this path from 0.0 to 1.1 stands on line 2 already" },
    { "table: a share of nothing", "channel,msp,share\nC1,0.0>1.1,0\n", "C1", 0, 5, NULL, "bad.csv:2: share is 0; it "
      "must be positive" },
    { "table: a share that is no number", "channel,msp,share\nC1,0.0>1.1,much\n", "C1", 0, 5, NULL, "bad.csv:2: " },
    { "table: no column of paths", "channel,paths\nC1,0.0>1.1\n", "C1", 0, 5, NULL, "no column 'path' or 'msp'" },
    { "table: two columns of paths", "channel,path,msp\nC1,0.0>0.1,0.0>0.1\n", "C1", 0, 5, NULL, "the columns 'path' "
      "and 'msp'" },
    { "table: no channel", "path\n0.0>0.1\n", NULL, 0, 1, NULL, "lacks these columns" },
    { "table: no target", "channel,source,path\nC1,0.0,0.0>0.1\n", NULL, 0, 1, NULL, "has no column 'target'" },
    { "table: nothing in it", "channel,path\n", NULL, 0, 1, NULL, "holds no path" },
    { "table: not that channel", "channel,msp\nC1,0.0>1.1\n", "C7", 1, 11, NULL, "bad.csv has no path for channel C7 "
      "(0.1 to 2.3)" },
    { "table: not that pair", "source,target,msp\n0.0,1.1,0.0>1.1\n", NULL, 1, 11, NULL, "bad.csv has no path from 0.1 "
      "to 2.3" },
    { "table: the channel is another's", "channel,msp\nC1,0.0>1.1\n", "C1", 1, 11, NULL,
      "leads channel C1 from 0.0 to 1.1; it is asked for from 0.1 to 2.3" },
    { "table: several of the pair", "channel,msp\nC1,0.0>1.1\nC2,0.0>1.1\n", "C3", 0, 5, NULL,
      "has 2 channels from 0.0 to 1.1, among them C1 and C2, and none is C3" },
};

static void table_holds(void **state)
{
    const struct table_row *row = *state;
    struct net *net = measure_open("torus:4x4");
    struct ways ways = { 0 };
    struct routing r = { 0 };
    char text[200];
    int ret;

    write_file("bad.csv", row->text);
    ret = routing_open(&r, net, "table:bad.csv", &err);
    if (ret == 0)
        ret = r.route->ways(&ways, &r, row->stream, row->source, row->target, &err);
    if (!row->ways) {
        assert_int_equal(ret, -1);
        assert_true(err.code == (r.route ? ERR_DOMAIN : ERR_FORMAT));
        if (!strstr(err.msg, row->message))
            fail_msg("%s", err.msg);
    } else {
        if (ret < 0)
            fail_msg("%s", err.msg);
        print_ways(text, sizeof text, net, &ways);
        assert_string_equal(text, row->ways);
    }
    ways_release(&ways);
    routing_close(&r);
    net_close(net);
}

/* Nodes whose names hold the sign between them. */
static void names_with_hyphens(void **state)
{
    struct ways ways = { 0 };
    struct routing r = { 0 };
    struct net *net;
    char text[200];

    (void)state;
    write_file("net.csv", "source,target\na-1,b-2\nb-2,c-3\n");
    net = measure_open("file:net.csv");
    write_file("bad.csv", "source,target,path\na-1,c-3,a-1-b-2-c-3\n");
    assert_int_equal(routing_open(&r, net, "table:bad.csv", &err), -1);
    assert_non_null(strstr(err.msg, "'a' is no node of"));
    assert_non_null(strstr(err.msg, "write '>'"));
    write_file("bad.csv", "source,target,path\na-1,c-3,a-1>b-2 > c-3\n");
    assert_int_equal(routing_open(&r, net, "table:bad.csv", &err), 0);
    assert_int_equal(r.route->ways(&ways, &r, NULL, 0, 2, &err), 0);
    print_ways(text, sizeof text, net, &ways);
    assert_string_equal(text, "b-2>c-3 1");
    ways_release(&ways);
    routing_close(&r);
    net_close(net);
}

/* Anything may stand in a file: it is read or refused. */
static void damaged_tables(void **state)
{
    static const char piece[][12] = { "0.0", "0.1", "1.1", ">", "-", " ", ",", "\n", "\"", "C1", "3", "\t", "x",
        "0.0>1.1", "," };
    const uint64_t seed = check_seed();
    static const char *const heading[] = { "channel,path\n", "source,target,msp\n",
                                           "channel,source,target,path,share\n", "msp,channel,share\n" };
    struct net *net = measure_open("torus:4x4");
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 2000; i++) {
        char text[400];
        size_t len = (size_t)sprintf(text, "%s", heading[rng_below(&rng, COUNT(heading))]);
        struct routing r = { 0 };

        for (uint64_t k = 1 + rng_below(&rng, 24); k > 0; k--)
            len += (size_t)sprintf(text + len, "%s", piece[rng_below(&rng, COUNT(piece))]);
        write_file("bad.csv", text);
        if (routing_open(&r, net, "table:bad.csv", &err) == 0)
            routing_close(&r);
        else
            assert_true(err.code == ERR_FORMAT);
    }
    net_close(net);
}

/* ---- refusals ---------------------------------------------------------------------------------------- */

static const struct refusal {
    const char *name, *net, *routing, *message;
} refusals[] = {
    { "refused: no dimensions", "star:5", "dor", "needs dimensions" },
    { "refused: misspelt", "star:5", "minmal", "minimal" },
    { "refused: a dimension twice", "torus:4x4", "dor,order=1+1", "names dimension 1 twice" },
    { "refused: no such dimension", "torus:4x4", "dor,order=3", "order=3 of torus:4x4" },
    { "refused: not all dimensions", "torus:4x4", "dor,order=1", "must name all 2 dimensions" },
    { "refused: too many dimensions", "torus:4x4", "dor,order=1+2+1", "must name all 2 dimensions" },
    { "refused: order on a circulant", "circulant:13,jumps=2+3", "dor,order=1+2", "on grids only" },
    { "refused: no such tie", "torus:4x4", "dor,tie=left", "tie is 'left'" },
    { "refused: no such key", "torus:4x4", "ecmp,order=1+2", "ecmp has no option 'order'" },
    { "refused: parameters", "torus:4x4", "ecmp:2", "takes nothing after a colon" },
    { "refused: updown one way", "ring:6,directed=yes", "updown", "needs links that go both ways" },
    { "refused: updown from nowhere", "ring:6", "updown,root=6", "root=6" },
    { "refused: no supernode", "torus:4x4", "metapath", "lacks its supernode" },
    { "refused: keys but no supernode", "torus:4x4", "metapath,shares=bandwidth", "lacks its supernode" },
    { "refused: no such supernode", "torus:4x4", "metapath:sgb:1", "sga" },
    { "refused: a supernode without its radius", "torus:4x4", "metapath:sga", "lacks its radius" },
    { "refused: a key of neither", "torus:4x4", "metapath:sga:1,dim=2", "sga has no option 'dim'" },
    { "refused: nearly a key of ours", "torus:4x4", "metapath:sga:1,share=bandwidth", "did you mean 'shares'?" },
    { "refused: our key twice", "torus:4x4", "metapath:sga:1,tie=up,tie=down", "gives tie twice" },
    { "refused: the supernode's key twice", "torus:4x4", "metapath:row:1,dim=1,dim=2", "gives dim twice" },
    { "refused: a supernode without coordinates", "star:6", "metapath:row:2", "star:6" },
    { "refused: several paths from stop to stop", "torus:4x4", "valiant,base=ecmp",
      "spreads messages over several paths" },
    { "refused: both ways from stop to stop", "torus:4x4", "metapath:sga:1,tie=split",
      "spreads messages over several paths" },
    { "refused: ways from stop to stop", "torus:4x4", "valiant,base=valiant", "spreads messages over several paths" },
    { "refused: order of what has none", "torus:4x4", "valiant,base=minimal,order=1+2", "no option 'order'" },
    { "refused: best of how many", "torus:4x4", "metapath:best", "lacks its number of paths" },
    { "refused: best of none", "torus:4x4", "metapath:best:0", "must be from 1 to 64" },
    { "refused: best of too many", "star:5", "metapath:best:65", "must be from 1 to 64" },
    { "refused: best of what there is not", "torus:4x4", "metapath:best:3,of=sga:1+foo", "called 'foo'" },
    { "refused: best of what does not fit", "torus:4x4", "metapath:best:3,of=group", "group needs a network" },
    { "refused: best of nothing", "torus:4x4", "metapath:best:3,of=sga:1+", "supernodes with '+' between them" },
    { "refused: best of best", "torus:4x4", "metapath:best:3,of=best:2", "supernodes with '+' between them" },
    { "refused: best of nearly shortest", "torus:4x4", "metapath:best:3,of=shortest+few", "whole number" },
    { "refused: best with a key of none", "torus:4x4", "metapath:best:3,radius=1", "no option 'radius'" },
    { "refused: of without best", "torus:4x4", "metapath:sga:1,of=dga:1", "what metapath:best:K chooses from" },
    { "refused: best of several paths", "star:5", "metapath:best:3,base=ecmp", "over several paths" },
    { "refused: no file", "torus:4x4", "table", "lacks its file" },
    { "refused: not that file", "torus:4x4", "table:none.csv", "none.csv" },
};

static void is_refused(void **state)
{
    const struct refusal *row = *state;
    struct net *net = measure_open(row->net);
    struct routing r;

    assert_int_equal(routing_open(&r, net, row->routing, &err), -1);
    if (!strstr(err.msg, row->message))
        fail_msg("%s", err.msg);
    assert_true(err_is_request(&err) || err.code == ERR_IO);
    net_close(net);
}

static void no_path_no_route(void **state)
{
    static const int parts[] = { 0, 1, 2, 3 };
    static const char *const to_try[] = { "auto", "minimal", "ecmp" };
    struct net *net = nets_from_edges(4, parts, 2, false);
    struct hop hop[4];
    struct routing r;
    size_t n;

    (void)state;
    EACH_ROW(i, to_try) {
        struct route_path path = { 0 };

        assert_int_equal(routing_open(&r, net, to_try[i], &err), 0);
        assert_int_equal(route_path(&path, &r, 0, 1, &err), 0);
        assert_int_equal(r.route->next(hop, &n, &r, 0, -1, 3, &err), -1);
        assert_int_equal(err.code, ERR_NETWORK);
        assert_int_equal(route_path(&path, &r, 0, 3, &err), -1);
        assert_int_equal(err.code, ERR_NETWORK);
        route_path_release(&path);
        routing_close(&r);
    }
    assert_int_equal(routing_open(&r, net, "updown", &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    net_close(net);
}

/* Routings that spread have no single path. */
static void one_path_only_where_there_is_one(void **state)
{
    static const char *const spread[] = { "ecmp", "dor,tie=split", "valiant", "metapath:sga:1" };
    struct net *net = measure_open("torus:4x4");

    (void)state;
    EACH_ROW(i, spread) {
        struct route_path path = { 0 };
        struct routing r;

        assert_int_equal(routing_open(&r, net, spread[i], &err), 0);
        assert_int_equal(route_path(&path, &r, 0, 10, &err), -1);
        assert_int_equal(err.code, ERR_USAGE);
        assert_non_null(strstr(err.msg, "spreads messages over several paths"));
        route_path_release(&path);
        routing_close(&r);
    }
    net_close(net);
}

int main(void)
{
    struct CMUnitTest tests[160] = {
        { .name = "no path, no route", .test_func = no_path_no_route },
        { .name = "one path only where there is one", .test_func = one_path_only_where_there_is_one },
        { .name = "half-way both ways", .test_func = half_way_both_ways },
        { .name = "dor in any order", .test_func = dor_in_any_order },
        { .name = "ecmp shares among all shortest paths", .test_func = ecmp_shares_among_all_shortest_paths },
        { .name = "dmodk has no conflicts in shifts", .test_func = dmodk_has_no_conflicts_in_shifts },
        { .name = "spread is ecmp in the mean", .test_func = spread_is_ecmp_in_the_mean },
        { .name = "o1turn takes either order", .test_func = o1turn_takes_either_order },
        { .name = "romm draws from the minimal box", .test_func = romm_draws_from_the_minimal_box },
        { .name = "ecmp counts next nodes", .test_func = ecmp_counts_next_nodes },
        { .name = "valiant goes twice the mean distance", .test_func = valiant_goes_twice_the_mean_distance },
        { .name = "metapaths are as long as their statistics", .test_func = metapaths_are_as_long_as_their_statistics },
        { .name = "metapaths hold every multistep path", .test_func = metapaths_hold_every_multistep_path },
        { .name = "updown goes up, then down", .test_func = updown_goes_up_then_down },
        { .name = "table: names with hyphens", .test_func = names_with_hyphens },
        { .name = "table: damaged", .test_func = damaged_tables },
    };
    static const char *const files[] = { "paths.csv", "ways.csv", "bad.csv", "net.csv" };
    char folder[] = "/tmp/test_route.XXXXXX";
    size_t n = 0;
    int failed;

    while (tests[n].test_func)          /* those listed above */
        n++;
    if (!mkdtemp(folder) || chdir(folder) < 0) {
        perror(folder);
        return 1;
    }
    net_setup();
    for (size_t i = 0; route_all[i] && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = route_all[i]->name, .test_func = entry_delivers,
                                          .initial_state = (void *)(uintptr_t)route_all[i] };
    for (size_t i = 0; i < COUNT(rows) && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = row_holds,
                                          .initial_state = (void *)(uintptr_t)&rows[i] };
    for (size_t i = 0; i < COUNT(tables) && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = tables[i].name, .test_func = table_holds,
                                          .initial_state = (void *)(uintptr_t)&tables[i] };
    for (size_t i = 0; i < COUNT(refusals) && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = refusals[i].name, .test_func = is_refused,
                                          .initial_state = (void *)(uintptr_t)&refusals[i] };
    failed = _cmocka_run_group_tests("routings", tests, n, NULL, NULL);
    net_teardown();
    EACH_ROW(i, files)
        remove(files[i]);
    if (chdir("/") == 0)
        rmdir(folder);
    return failed;
}
