/* Topologies: every family keeps what its closed forms say, measured with igraph; particular networks have the
 * published figures; hostile specs are refused in words that help. */
#include <igraph.h>
#include <string.h>

#include "analysis/network/bisection.h"
#include "analysis/network/topo_report.h"
#include "graph/topology/grid.h"
#include "graph/symmetry.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"

static struct err err;

static void same(const char *spec, const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fmax(fabs(got), fabs(want))))
        fail_msg("%s: %s is %.17g, should be %.17g", spec, what, got, want);
}

/* ---- what every network keeps ---- */

static bool same_graph(struct net *a, struct net *b)
{
    igraph_bool_t same;

    return igraph_is_same_graph(measure_graph(a), measure_graph(b), &same) == IGRAPH_SUCCESS && same;
}

static void check_canonical(struct net *net)
{
    struct net *again = measure_open(net->spec);

    if (strcmp(again->spec, net->spec) != 0)
        fail_msg("%s opens as %s: its spec is not canonical", net->spec, again->spec);
    same(net->spec, "nodes when opened again", again->n, net->n);
    same(net->spec, "terminals when opened again", again->nterminal, net->nterminal);
    if (!same_graph(net, again))
        fail_msg("%s is another graph when it is opened again", net->spec);
    net_close(again);
}

static void check_facts(struct net *net, const struct measured *m)
{
    struct topo_facts f;

    if (!net->topo->facts)
        return;
    topo_facts(&f, net);
    same(net->spec, "the stated nodes", f.nodes, m->nodes);
    same(net->spec, "the stated terminals", f.terminals, net->nterminal);
    same(net->spec, "the stated edges", f.edges, m->edges);
    if (!isnan(f.degree_min))
        same(net->spec, "the stated degree_min", f.degree_min, m->degree_min);
    if (!isnan(f.degree_max))
        same(net->spec, "the stated degree_max", f.degree_max, m->degree_max);
    if (!isnan(f.diameter))
        same(net->spec, "the stated diameter", f.diameter, m->diameter);
    if (!isnan(f.mean_hops))
        same(net->spec, "the stated mean_hops", f.mean_hops, m->mean_hops);
    if (isnan(f.bisection) != (f.bisection_source == NULL))
        fail_msg("%s: a bisection of %g whose source is %s", net->spec, f.bisection, f.bisection_source
                 ? f.bisection_source : "(none)");
}

/* What is stated lies between what every network obeys and what a split of this one attains. */
static void check_bisection(struct net *net)
{
    struct bisection_bounds b;
    struct topo_facts f;

    topo_facts(&f, net);
    if (isnan(f.bisection))
        return;
    if (bisection_bounds(&b, net, NULL, false, NULL, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    if (f.bisection < b.lower || f.bisection > b.upper)
        fail_msg("%s: topology %s states a bisection of %g; it is from %g to %g", net->spec, net->topo->name,
                 f.bisection, b.lower,
                 b.upper);
}

/* A step along dimension d leads to a neighbour, and nothing but such steps does. */
static void check_lines(struct net *net)
{
    int *hops = measure_hops(net), n = net->n;

    for (int v = 0; v < n; v++)
        for (int w = 0; w < n; w++) {
            int a[NET_DIMENSIONS], b[NET_DIMENSIONS], sum = 0;

            net_coordinates(net, v, a);
            net_coordinates(net, w, b);
            for (int d = 0; d < net->ndim; d++) {
                const int k = net->size[d], up = b[d] - a[d], way = net->directed && up < 0 ? up + k : abs(up);

                sum += !net->directed && net->wrap[d] && k - way < way ? k - way : way;
            }
            if (sum != hops[v * n + w])
                fail_msg("%s: topology %s says it is a grid; from %d to %d are %d hops, not %d", net->spec,
                         net->topo->name, v, w,
                         hops[v * n + w], sum);
        }
    free(hops);
}

/* Distances and steps of the group are those of the graph it stands for. */
static void check_group(struct net *net)
{
    const struct group *g = net->group;
    int degree, *step, *hops = measure_hops(net);
    uint32_t *D = malloc((size_t)net->n * sizeof *D);

    same(net->spec, "the order of the group", g->n, net->n);
    assert_non_null(D);
    assert_int_equal(group_distances(g, D, &err), 0);
    for (int u = 0; u < net->n; u++)
        for (int v = 0; v < net->n; v++)
            if (hops[u * net->n + v] != (int)D[group_add(g, v, group_negative(g, u))])
                fail_msg("%s: from %d to %d are %d hops, by the group %d", net->spec, u, v, hops[u * net->n + v],
                         (int)D[group_add(g, v, group_negative(g, u))]);
    degree = group_degree(g);
    step = malloc((size_t)degree * sizeof *step);
    assert_non_null(step);
    group_steps(g, step, NULL);
    for (int i = 0; i < degree; i++) {
        same(net->spec, "hops of a step of the group", hops[step[i]], 1);
        for (int j = 0; j < i; j++)
            if (step[i] == step[j])
                fail_msg("%s: steps %d and %d of the group are both %d", net->spec, i, j, step[i]);
    }
    free(step);
    free(D);
    free(hops);
}

static void check_grid_count(struct net *net, const struct measured *m)
{
    struct dist_count c;

    assert_int_equal(grid_count(&c, net, &err), 0);
    same(net->spec, "the longest distance counted", c.longest, m->diameter);
    for (int d = 0; d <= c.longest; d++)
        same(net->spec, "pairs counted at a distance", (double)c.pairs[d], m->pairs[d]);
    same(net->spec, "pairs out of reach", (double)c.unreachable, 0);
    dist_count_release(&c);
}

static void check_report(struct net *net, const struct measured *m, bool no_symmetry)
{
    struct topo_report r;
    const struct topo_report_options o = { .no_symmetry = no_symmetry, .jobs = 2 };

    if (topo_report(&r, net, &o, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
    same(net->spec, "the number of parts", r.parts, 1);
    same(net->spec, "the size of the only part", r.part_size[0], net->n);
    same(net->spec, "the first node of the only part", r.part_node[0], 0);
    same(net->spec, "the reported edges", r.edges, m->edges);
    same(net->spec, "the reported degree_min", r.degree_min, m->degree_min);
    same(net->spec, "the reported degree_max", r.degree_max, m->degree_max);
    same(net->spec, "the reported diameter", r.diameter, m->diameter);
    same(net->spec, "the reported mean_hops", r.mean_hops, m->mean_hops);
    for (int d = 0; d <= r.pairs.longest; d++)
        same(net->spec, "pairs reported at a distance", (double)r.pairs.pairs[d], m->pairs[d]);
    if (r.moore_diameter > m->diameter || r.moore_mean > m->mean_hops * (1 + 1e-12))
        fail_msg("%s: Moore's bounds are %g and %g hops; it has %g and %g", net->spec, r.moore_diameter, r.moore_mean,
                 m->diameter,
                 m->mean_hops);
    topo_report_release(&r);
}

static void check_symmetry(struct net *net)
{
    struct orbits o;
    int orbits = measure_orbits(net), switches = 0;

    if (net->topo->vertex_transitive || net->group)
        same(net->spec, "the number of orbits of a symmetric network", orbits, 1);
    assert_int_equal(orbits_find(&o, net, NULL, &err), 0);
    if (o.finished) {
        for (int v = 0; v < net->n; v++)
            switches += o.of[v] == v && net_terminal_index(net, v) < 0;
        same(net->spec, "orbits", o.count + switches, orbits);
    }
    assert_int_equal(o.all_nodes, o.finished && orbits == 1);
    orbits_release(&o);
}

/* Nodes by label and by number. */
static void check_names(struct net *net)
{
    char label[96], number[24];
    int node, met = 0;

    for (int v = 0; v < net->n; v++) {
        if (net_node(net, net_label(net, v, label), &node, &err) < 0 || node != v)
            fail_msg("%s: node %d is called %s, which is node %d", net->spec, v, net_label(net, v, label), node);
        snprintf(number, sizeof number, "%d", v);
        assert_int_equal(net_node(net, number, &node, &err), 0);
        assert_int_equal(node, v);
        if (met < net->nterminal && net_terminal(net, met) == v)
            same(net->spec, "the place of a terminal", net_terminal_index(net, v), met++);
        else
            same(net->spec, "the place of a switch", net_terminal_index(net, v), -1);
    }
    same(net->spec, "the number of terminals", met, net->nterminal);
    snprintf(number, sizeof number, "%d", net->n);
    assert_int_equal(net_node(net, number, &node, &err), -1);
    assert_int_equal(net_node(net, "-1", &node, &err), -1);
}

static void network_keeps_its_word(void **state)
{
    struct net *net = measure_open(*state);
    static struct measured m;
    igraph_bool_t simple;

    measure(&m, net);
    same(net->spec, "the number of nodes", net->n, m.nodes);
    assert_int_equal(igraph_is_simple(measure_graph(net), &simple), 0);
    if (!simple)
        fail_msg("%s has loops or multiple edges", net->spec);
    same(net->spec, "directed", igraph_is_directed(measure_graph(net)), net->directed);
    same(net->spec, "net_edges", net_edges(net, &err), m.edges);
    check_canonical(net);
    check_facts(net, &m);
    if (net->group)
        check_group(net);
    if (net->lines == LINES_GRID)
        check_grid_count(net, &m);
    check_report(net, &m, false);
    check_report(net, &m, true);
    if (net->n <= 130) {
        check_symmetry(net);
        check_bisection(net);
    }
    if (net->lines == LINES_GRID && net->n <= 700)
        check_lines(net);
    check_names(net);
    net_close(net);
}

/* What a file holds is not known before it is read: it alone has no closed forms, and the whole example is the user's.
 * */
static void family_says_what_it_is(void **state)
{
    const struct topo *topo = *state;

    if (strcmp(topo->name, "file") == 0)
        return;
    if (!topo->example || !topo->source || !topo->facts)
        fail_msg("topology %s has no %s", topo->name, !topo->example ? "example" : !topo->source ? "source" : "facts");
}

/* Beside the examples of the catalogue. */
static const char *const networks[] = {
    "torus:2", "torus:3", "torus:2x2", "torus:5x2", "torus:2x5", "torus:4x2x3", "torus:3^3", "torus:2^5", "torus:7x9",
    "torus:6x6", "torus:3x4x5x2", "mesh:2", "mesh:9", "mesh:2x2", "mesh:2x2x2", "mesh:4x5", "mesh:3x2x4",
    "mesh:2x7,wrap=1", "mesh:4x5,wrap=1", "mesh:4x5,wrap=2", "mesh:4x5,wrap=1+2", "mesh:3x4x5,wrap=1+3",
    "mesh:5x2,wrap=2", "hypercube:1", "hypercube:2", "hypercube:6", "ring:2", "ring:3", "ring:8", "ring:9",
    "ring:2,directed=yes", "ring:3,directed=yes", "ring:600", "ring:600,directed=yes", "star:2", "star:3", "star:17",
    "complete:2", "complete:3", "complete:9", "midimew:5", "midimew:6", "midimew:8", "midimew:13", "midimew:50",
    "midimew:51", "circulant:3,jumps=1", "circulant:4,jumps=1+2", "circulant:12,jumps=3+4", "circulant:12,jumps=4+6+9",
    "circulant:30,jumps=6+10+15", "circulant:7,jumps=1+2+3", "circulant:40,jumps=1+20", "fattree:2", "fattree:6",
    "dragonfly,a=1,p=1,h=1", "hyperx:2", "hyperx:3", "hyperx:6", "hyperx:2x2", "hyperx:4x4", "hyperx:3x4",
        "hyperx:4x3x2", "hyperx:2x5x2", "hyperx:4x6",
    "dragonfly,a=2,p=1,h=1", "dragonfly,a=3,p=2,h=1,arrangement=absolute", "dragonfly,a=2,p=3,h=2",
    "dragonfly,a=4,p=2,h=2,arrangement=absolute", "dragonfly,a=1,p=2,h=3", "random:2,degree=1", "random:4,degree=2",
    "random:3,degree=2", "random:9,degree=2,seed=5", "random:12,degree=11", "random:12,degree=9", "random:40,degree=19",
    "random:40,degree=20", "random:41,degree=20", "random:100,degree=4,seed=99",
    "torus:4x3,hosts=2", "mesh:3x2,hosts=1", "ring:5,directed=yes,hosts=2", "ring:2,hosts=1", "hyperx:3x4,hosts=3",
    "random:10,degree=3,hosts=2", "slimfly:3", "slimfly:4,hosts=3", "slimfly:7", "slimfly:8", "polarfly:2", "polarfly:3",
    "polarfly:4,hosts=2", "polarfly:8", "megafly,l=1,s=1,h=1,hosts=1", "megafly,l=3,s=2,h=3,hosts=2,groups=4,links=2",
    "megafly,l=2,s=3,h=2,hosts=1,arrangement=absolute", "xgft:5,up=1", "xgft:2+3,up=2+2", "xgft:1+4,up=1+3",
    "xgft:3+1,up=1+2", "xgft:4+4+4,up=1+2+1", "rails,hosts=4,gpus=3,radix=4", "rails,hosts=2,gpus=2,radix=3,planes=2",
    "dragonfly,a=4,p=1,h=2,groups=4,links=2,arrangement=palmtree", "dragonfly,a=2,p=1,h=2,arrangement=circulant",
};

/* ---- networks whose figures are known ---- */

static const struct row {
    const char *spec;
    double nodes, terminals, edges, least, greatest, diameter, mean;
} rows[] = {
    { "torus:4x4", 16, 16, 32, 4, 4, 4, 32.0 / 15 },
    { "torus:2x2x2", 8, 8, 12, 3, 3, 3, 12.0 / 7 },
    { "torus:8x8", 64, 64, 128, 4, 4, 8, 256.0 / 63 },              /* k/4 a dimension, over N-1 others */
    { "torus:5x4x3", 60, 60, 180, 6, 6, 5, 60 * (6.0 / 5 + 1 + 2.0 / 3) / 59 },
    { "torus:4x2", 8, 8, 12, 3, 3, 3, 8 * (1 + 0.5) / 7 },
    { "mesh:4x4", 16, 16, 24, 2, 4, 6, 40.0 / 15 },                 /* 2 (k^2-1)/(3k) a dimension */
    { "mesh:4x4,wrap=2", 16, 16, 28, 3, 4, 5, 16 * (1.25 + 1) / 15 },
    { "mesh:4x4,wrap=1+2", 16, 16, 32, 4, 4, 4, 32.0 / 15 },
    { "mesh:5", 5, 5, 4, 1, 2, 4, 2 },                              /* (n+1)/3 */
    { "hypercube:4", 16, 16, 32, 4, 4, 4, 32.0 / 15 },              /* d/2 * N/(N-1) */
    { "hypercube:7", 128, 128, 448, 7, 7, 7, 3.5 * 128 / 127 },
    { "ring:8", 8, 8, 8, 2, 2, 4, 16.0 / 7 },
    { "ring:9", 9, 9, 9, 2, 2, 4, 2.5 },
    { "ring:8,directed=yes", 8, 8, 8, 1, 1, 7, 4 },
    { "ring:2,directed=yes", 2, 2, 2, 1, 1, 1, 1 },
    { "star:16", 16, 16, 15, 1, 15, 2, 2.0 * 15 / 16 },
    { "complete:7", 7, 7, 21, 6, 6, 1, 1 },
    { "midimew:13", 13, 13, 26, 4, 4, 2, 20.0 / 12 },               /* 4 at 1, 8 at 2: 13 = 1 + 4 + 8 */
    { "midimew:25", 25, 25, 50, 4, 4, 3, 56.0 / 24 },               /* 4 at 1, 8 at 2, 12 at 3 */
    { "circulant:16,jumps=1+6", 16, 16, 32, 4, 4, 3, 29.0 / 15 },   /* 4 at 1, 8 at 2, 3 at 3 */
    { "circulant:8,jumps=1+4", 8, 8, 12, 3, 3, 2, 11.0 / 7 },       /* the Wagner graph */
    { "circulant:13,jumps=1+5", 13, 13, 26, 4, 4, 2, 20.0 / 12 },
    { "fattree:4", 36, 16, 48, 1, 4, 6, (1 * 2 + 2 * 4 + 12 * 6) / 15.0 },
    { "fattree:6", 99, 54, 162, 1, 6, 6, (2 * 2 + 6 * 4 + 45 * 6) / 53.0 },
    { "dragonfly,a=4,p=2,h=2", 36 * 3, 72, 72 + 36 * 3 / 2 + 9 * 8 / 2, 1, 7, 5, NAN },
    { "hyperx:4x4", 16, 16, 48, 6, 6, 2, (6 + 9 * 2) / 15.0 },      /* 3 + 3 at 1, 9 at 2: the rook's graph */
    { "hyperx:5x4x3", 60, 60, 60 * 9 / 2, 9, 9, 3, (9 + 2 * 26 + 3 * 24) / 59.0 },
    { "random:6,degree=5", 6, 6, 15, 5, 5, 1, 1 },
    { "random:5,degree=2", 5, 5, 5, 2, 2, 2, 1.5 },
};

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct net *net = measure_open(row->spec);
    static struct measured m;

    measure(&m, net);
    same(row->spec, "nodes", m.nodes, row->nodes);
    same(row->spec, "terminals", net->nterminal, row->terminals);
    same(row->spec, "edges", m.edges, row->edges);
    same(row->spec, "degree_min", m.degree_min, row->least);
    same(row->spec, "degree_max", m.degree_max, row->greatest);
    same(row->spec, "diameter", m.diameter, row->diameter);
    if (!isnan(row->mean))
        same(row->spec, "mean_hops", m.mean_hops, row->mean);
    net_close(net);
}

/* ---- spellings of one network ---- */

static const char *const spellings[][2] = {
    { "torus:4^3", "torus:4x4x4" },
    { "torus:04x4", "torus:4x4" },
    { "torus:1Kx2", "torus:1024x2" },
    { "torus:8^1", "torus:8" },
    { "mesh:3^2,wrap=2", "mesh:3x3,wrap=2" },
    { "mesh:3x4,wrap=2+1", "mesh:3x4,wrap=1+2" },
    { "mesh:wrap=2", NULL },
    { "ring:directed=yes", NULL },
    { "ring:7,directed=no", "ring:7" },
    { "ring:0000000000000000000000000000007", "ring:7" },
    { "circulant:23,jumps=5+3", "circulant:23,jumps=3+5" },
    { "circulant:23,jumps=20+18", "circulant:23,jumps=3+5" },
    { "circulant:jumps=3+5", NULL },
    { "circulant:23,jumps=0000000000000000000000000000012", "circulant:23,jumps=11" },
    { "torus:0000000000000000000000000000012x3", "torus:12x3" },
    { "mesh:4x4,wrap=00000000000000000000000000001", "mesh:4x4,wrap=1" },
    { "dragonfly:a=4,p=2,h=1", "dragonfly,a=4,p=2,h=1" },
    { "dragonfly,h=1,p=2,a=4,arrangement=relative", "dragonfly,a=4,p=2,h=1" },
    { "hyperx:4^3", "hyperx:4x4x4" },
    { "random:10", "random:10,degree=3,seed=1" },
    { "random:10,seed=7,degree=4", "random:10,degree=4,seed=7" },
    { "random:2", "random:2,degree=1,seed=1" },
    { "random:3", "random:3,degree=2,seed=1" },
};

static void spelling_is_understood(void **state)
{
    const char *const *row = *state;
    struct net *net = NULL;

    if (!row[1]) {
        assert_int_equal(net_open(&net, row[0], &err), -1);
        return;
    }
    net = measure_open(row[0]);
    assert_string_equal(net->spec, row[1]);
    check_canonical(net);
    net_close(net);
}

/* ---- two names of one network, node for node ---- */

static const char *const twins[][2] = {
    { "midimew:32", "circulant:32,jumps=3+4" },         /* b = 4: 2 b^2 is 32 */
    { "midimew:33", "circulant:33,jumps=4+5" },
    { "midimew:1024", "circulant:1024,jumps=22+23" },   /* Franco's */
    { "hypercube:5", "torus:2^5" },
    { "hypercube:4", "mesh:2x2x2x2" },
    { "ring:9", "torus:9" },
    { "ring:8", "circulant:8,jumps=1" },
    { "ring:2", "mesh:2" },
    { "mesh:4x5,wrap=1+2", "torus:4x5" },
    { "mesh:2x5,wrap=2", "torus:2x5" },
    { "complete:8", "circulant:8,jumps=1+2+3+4" },
    { "complete:9", "random:9,degree=8" },
    { "star:2", "ring:2" },
    { "hyperx:7", "complete:7" },
    { "hyperx:3x3", "torus:3x3" },
    { "hyperx:2^4", "hypercube:4" },
};

static bool same_edges(struct net *a, struct net *b)
{
    bool same = a->n == b->n && igraph_ecount(measure_graph(a)) == igraph_ecount(measure_graph(b));
    const igraph_t *graph = measure_graph(a);

    for (igraph_integer_t e = 0; same && e < igraph_ecount(graph); e++) {
        igraph_integer_t there = -1;

        same = igraph_get_eid(measure_graph(b), &there, IGRAPH_FROM(graph, e), IGRAPH_TO(graph, e), true, false) ==
                   IGRAPH_SUCCESS && there >= 0;
    }
    return same;
}

static void twins_are_one(void **state)
{
    const char *const *row = *state;
    struct net *a = measure_open(row[0]), *b = measure_open(row[1]);

    assert_true(same_edges(a, b));
    net_close(a);
    net_close(b);
}

/* ---- refusals ---- */

static const char *const hostile[][2] = {       /* spec, part of the message */
    { "", "name" },
    { ":8", "name" },
    { "torus", "sizes are missing" },
    { "torus:", "sizes are missing" },
    { "torus:0", "from 2" },
    { "torus:1x4", "size is 1" },
    { "torus:-3x4", "size is -3" },
    { "torus:4x", "whole number" },
    { "torus:4xx4", "whole number" },
    { "torus:4 x4", "whole number" },
    { "torus:4.5", "whole number" },
    { "torus:nan", "whole number" },
    { "torus:8^3x2", "whole number" },
    { "torus:4x8^2", "mixes" },
    { "torus:4^0", "number of dimensions is 0" },
    { "torus:2^31", "number of dimensions is 31" },
    { "torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", "more than 30 dimensions" },
    { "torus:99999999999999999999", "from 2" },
    { "torus:9000000G", "from 2" },
    { "torus:65536x65536", "more than 2147483647 nodes" },
    { "torus:2147483647x2147483647x2147483647", "more than 2147483647 nodes" },
    { "torus:2147483647^30", "more than 2147483647 nodes" },
    { "mesh:2147483647^30,wrap=1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16+17+18+19+20+21+22+23+24+25+26+27+28+29+30",
      "more than 2147483647 nodes" },
    { "torus:4x4,wrap=1", "no option 'wrap'" },
    { "hyperx", "sizes are missing" },
    { "hyperx:4x1", "size is 1" },
    { "hyperx:65536x65536", "more than 2147483647 nodes" },
    { "hyperx:2000000", "from 2 to 1048576" },
    { "hyperx:4x4,wrap=1", "no option 'wrap'" },
    { "torsu:4x4", "did you mean 'torus'" },
    { "Torus:4x4", "did you mean 'torus'" },
    { "hypercub:4", "did you mean 'hypercube'" },
    { "fatree:4", "did you mean 'fattree'" },
    { "xyzzy:4", "no topology is called 'xyzzy'; " },
    { "mesh:4x4,wrap=0", "wrap is 0" },
    { "mesh:4x4,wrap=3", "from 1 to 2" },
    { "mesh:4x4,wrap=1+1", "twice" },
    { "mesh:4x4,wrap=", "whole number" },
    { "mesh:4x4,wrap=1+", "whole number" },
    { "mesh:4x4,wrp=1", "did you mean 'wrap'" },
    { "mesh:4x4,wrap=1,wrap=2", "twice" },
    { "mesh:4x4,yes", "key=value" },
    { "mesh:4x4,=1", "key=value" },
    { "hypercube:0", "from 1 to 30" },
    { "hypercube:31", "from 1 to 30" },
    { "ring:1", "from 2" },
    { "ring:-8", "from 2" },
    { "ring:4k", "whole number" },
    { "ring:8,directed=maybe", "no, yes" },
    { "ring:8,directed", "key=value" },
    { "star:1", "from 2" },
    { "complete:1", "from 2" },
    { "complete:2147483648", "1048576" },
    { "midimew:4", "from 5" },
    { "circulant:8", "lacks its jumps" },
    { "circulant:2,jumps=1", "from 3" },
    { "circulant:8,jumps=2+4", "2 parts" },
    { "circulant:30,jumps=6+10", "2 parts" },
    { "circulant:9,jumps=3", "3 parts" },
    { "circulant:8,jumps=3+5", "twice" },
    { "circulant:8,jumps=0", "from 1 to 7" },
    { "circulant:8,jumps=8", "from 1 to 7" },
    { "circulant:8,jumps=-1", "from 1 to 7" },
    { "circulant:8,jumps=1+", "whole number" },
    { "circulant:8,jumps=1,2", "key=value" },
    { "fattree:0", "from 2" },
    { "fattree:3", "even" },
    { "fattree:-4", "from 2" },
    { "fattree:2002", "2000" },
    { "dragonfly", "needs a=, p= and h=" },
    { "dragonfly,a=4,p=2", "needs a=, p= and h=" },
    { "dragonfly:4,a=4,p=2,h=2", "nothing after a colon" },
    { "dragonfly,a=0,p=2,h=2", "a is 0" },
    { "dragonfly,a=4,p=2,h=2,arrangement=abs", "relative, absolute" },
    { "dragonfly,a=10000,p=10000,h=10000", "more than 2147483647 nodes" },
    { "random:1", "from 2" },
    { "random:5", "even" },
    { "random:7,degree=3", "even" },
    { "random:8,degree=8", "from 1 to 7" },
    { "random:8,degree=0", "from 1 to 7" },
    { "random:8,degree=1", "degree 1" },
    { "random:8,seed=-1", "at least 0" },
    { "random:8,sed=1", "did you mean 'seed'" },
    { "random:65536,degree=65535", "more than 2147483647" },
    { "file:", "lacks its path" },
    { "/nonexistent/net.graphml", "/nonexistent/net.graphml" },
};

static void spec_is_refused(void **state)
{
    const char *const *row = *state;
    struct net *net = NULL;

    err = (struct err){ 0 };
    if (net_open(&net, row[0], &err) == 0) {
        net_close(net);
        fail_msg("'%s' was taken", row[0]);
    }
    assert_null(net);
    assert_true(err.code != ERR_NONE && err.code != ERR_INTERNAL);
    if (!strstr(err.msg, row[1]))
        fail_msg("'%s' is not in: %s", row[1], err.msg);
}

/* ---- families that leave nonsense ---- */

static const char *const faults[] = {
    "dimensions without wrap", "product of the sizes", "product of the sizes", "not one of its elements", "twice",
    "one way", "not its unit vectors", "what they run along", "family's name", "not ascending", "without the terminals",
    "without a name", "does not wrap",
};

static void spoil(struct net *net, size_t fault)
{
    switch (fault) {
    case 0: free(net->wrap); net->wrap = NULL; break;
    case 1: net->size[0]++; break;
    case 2: net->n++; break;
    case 3: net->group->gen[0] = 0; break;
    case 4: net->group->gen[1] = group_negative(net->group, net->group->gen[0]); break;
    case 5: net->group->directed = true; break;
    case 6: net->lines = LINES_GRID; break;
    case 7: net->lines = LINES_JUMPS; break;
    case 8: net->spec[0] = 'x'; break;
    case 9: net->terminal = calloc((size_t)net->nterminal, sizeof *net->terminal); break;
    case 10: net->nterminal--; break;
    case 12: net->wrap[1] = false; break;
    default: net->name = calloc((size_t)net->n, sizeof *net->name);
    }
}

static void nonsense_is_named(void **state)
{
    (void)state;
    EACH_ROW(i, faults) {
        struct net *net = measure_open("hyperx:5x4x3");

        spoil(net, i);
        if (net_check(net, &err) == 0)
            fail_msg("'%s' is not seen", faults[i]);
        if (err.code != ERR_INTERNAL || !strstr(err.msg, "topology hyperx") || !strstr(err.msg, faults[i]))
            fail_msg("'%s' and the family are not in: %s", faults[i], err.msg);
        if (i == 2)
            net->n--;
        net_close(net);
    }
}

/* ---- families ---- */

static int group_of(const struct net *net, int a, int router)
{
    return (router - net->nterminal) / a;
}

/* Exactly one global cable between any two groups; a router has p terminals, a-1 local and h global cables. */
static void check_dragonfly(const char *spec, int a, int p, int h)
{
    struct net *net = measure_open(spec);
    const igraph_t *graph = measure_graph(net);
    int g = a * h + 1, *cables = calloc((size_t)(g * g), sizeof *cables);
    int (*has)[3] = calloc((size_t)net->n, sizeof *has);

    assert_non_null(cables);
    assert_non_null(has);
    assert_int_equal(net->n, g * a * (p + 1));
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        int u = (int)IGRAPH_FROM(graph, e), v = (int)IGRAPH_TO(graph, e), kind;

        if (net_terminal_index(net, u) >= 0 || net_terminal_index(net, v) >= 0) {
            kind = 0;
        } else if (group_of(net, a, u) == group_of(net, a, v)) {
            kind = 1;
        } else {
            kind = 2;
            cables[group_of(net, a, u) * g + group_of(net, a, v)]++;
            cables[group_of(net, a, v) * g + group_of(net, a, u)]++;
        }
        has[u][kind]++;
        has[v][kind]++;
    }
    for (int i = 0; i < g; i++)
        for (int j = 0; j < g; j++)
            assert_int_equal(cables[i * g + j], i != j);
    for (int v = 0; v < net->n; v++) {
        bool host = net_terminal_index(net, v) >= 0;

        assert_int_equal(has[v][0], host ? 1 : p);
        assert_int_equal(has[v][1], host ? 0 : a - 1);
        assert_int_equal(has[v][2], host ? 0 : h);
    }
    free(has);
    free(cables);
    net_close(net);
}

static void dragonflies_join_all_groups(void **state)
{
    static const int size[][3] = { { 4, 2, 2 }, { 3, 1, 2 }, { 2, 3, 1 }, { 1, 1, 4 }, { 5, 2, 3 } };
    char spec[80];

    (void)state;
    EACH_ROW(i, size)
        for (int absolute = 0; absolute < 2; absolute++) {
            snprintf(spec, sizeof spec, "dragonfly,a=%d,p=%d,h=%d,arrangement=%s", size[i][0], size[i][1], size[i][2],
                     absolute ? "absolute" : "relative");
            check_dragonfly(spec, size[i][0], size[i][1], size[i][2]);
        }
}

/* Beivide et al. 1991: no two commuting jumps reach more than 4i nodes at distance i. */
static void midimews_attain_the_bound(void **state)
{
    uint32_t D[400];

    (void)state;
    for (int n = 5; n <= 400; n++) {
        int count[400] = { 0 }, left = n - 1;
        char spec[40];
        struct net *net;

        snprintf(spec, sizeof spec, "midimew:%d", n);
        net = measure_open(spec);
        assert_int_equal(group_distances(net->group, D, &err), 0);
        for (int v = 0; v < n; v++)
            count[D[v]]++;
        assert_int_equal(count[0], 1);
        for (int i = 1; left > 0; left -= 4 * i, i++)
            assert_int_equal(count[i], left < 4 * i ? left : 4 * i);
        if (n % 29 == 0) {
            static struct measured m;

            measure(&m, net);
            check_facts(net, &m);
        }
        net_close(net);
    }
}

static void random_networks_are_regular(void **state)
{
    static const int seeds[] = { 0, 1, 2, 77 };
    char spec[80];

    (void)state;
    for (int n = 2; n <= 24; n++)
        for (int d = n == 2 ? 1 : 2; d < n; d++)
            for (size_t i = 0; i < COUNT(seeds) && n * d % 2 == 0; i++) {
                struct net *net;
                static struct measured m;
                igraph_bool_t simple;

                snprintf(spec, sizeof spec, "random:%d,degree=%d,seed=%d", n, d, seeds[i]);
                net = measure_open(spec);
                measure(&m, net);
                assert_int_equal(igraph_is_simple(measure_graph(net), &simple), 0);
                assert_true(simple);
                assert_true(m.degree_min == d && m.degree_max == d);
                if (isnan(m.diameter))
                    fail_msg("%s is not connected", spec);
                net_close(net);
            }
}

static void seeds_tell_random_networks_apart(void **state)
{
    static const char *const family[] = { "random:40,degree=3", "random:41,degree=2", "random:40,degree=30" };
    char spec[80];

    (void)state;
    EACH_ROW(i, family) {
        struct net *net[4];

        for (int seed = 0; seed < 4; seed++) {
            snprintf(spec, sizeof spec, "%s,seed=%d", family[i], seed / 2);
            net[seed] = measure_open(spec);
        }
        assert_true(same_graph(net[0], net[1]));
        assert_true(same_graph(net[2], net[3]));
        assert_false(same_graph(net[0], net[2]));
        for (int seed = 0; seed < 4; seed++)
            net_close(net[seed]);
    }
}

/* Moore graphs attain the bound: Petersen's (10 nodes of degree 3, diameter 2), Hoffman and Singleton's; the directed
 * ring, complete networks. */
static void moore_bounds_are_moores(void **state)
{
    static const struct { double n, degree; bool directed; double diameter, mean; } row[] = {
        { 10, 3, false, 2, 15.0 / 9 }, { 11, 3, false, 3, 18.0 / 10 }, { 50, 7, false, 2, 91.0 / 49 },
        { 5, 4, false, 1, 1 },  { 7, 2, false, 3, 2 }, { 8, 2, false, 4, 16.0 / 7 }, { 2, 1, false, 1, 1 },
        { 9, 1, true, 8, 4.5 }, { 7, 2, true, 2, 10.0 / 6 }, { 8, 2, true, 3, 13.0 / 7 }, { 1e9, 2, false, 5e8,
        250000000.25 },
    };

    (void)state;
    EACH_ROW(i, row) {
        double diameter, mean;

        moore_bounds(row[i].n, row[i].degree, row[i].directed, &diameter, &mean);
        if (diameter != row[i].diameter)
            fail_msg("diameter %.12g for %g nodes of degree %g, not %g", diameter, row[i].n, row[i].degree,
                     row[i].diameter);
        if (fabs(mean - row[i].mean) > 1e-9 * mean)
            fail_msg("mean %.12g for %g nodes of degree %g, not %g", mean, row[i].n, row[i].degree, row[i].mean);
    }
}

/* No network of three or more nodes may be reported with a symmetry it lacks. */
static void lopsided_networks_are_not_symmetric(void **state)
{
    static const char *const none[] = { "mesh:4x5", "star:6", "fattree:4", "mesh:3x3,wrap=1", "dragonfly,a=2,p=1,h=1" };

    (void)state;
    EACH_ROW(i, none) {
        struct net *net = measure_open(none[i]);
        struct topo_report r;

        assert_int_equal(topo_report(&r, net, &(struct topo_report_options){ .jobs = 1 }, &err), 0);
        assert_int_equal(r.symmetry, SYMMETRY_NONE);
        topo_report_release(&r);
        net_close(net);
    }
}

static size_t add(struct CMUnitTest *tests, size_t n, const char *name, CMUnitTestFunction f, const void *row)
{
    tests[n] = (struct CMUnitTest){ .name = name, .test_func = f, .initial_state = (void *)(uintptr_t)row };
    return n + 1;
}

/* Leiserson's fat tree of k-port switches as Al-Fares, Loukissas and Vahdat (2008) count it; the dragonfly of Kim,
 * Dally, Scott and Abts (2008); direct networks, where the host takes a port of its node and no cable. */
static void hardware_is_counted(void **state)
{
    static const struct {
        const char *spec;
        double switches, ports, hosts, between;
    } known[] = {
        { "fattree:4", 20, 4, 16, 32 },                 /* 5k^2/4, k, k^3/4, k^3/2 */
        { "fattree:8", 80, 8, 128, 256 },
        { "dragonfly,a=4,p=2,h=2", 36, 7, 72, 90 },     /* ag, a-1+p+h, apg, g a(a-1)/2 + gah/2, g = ah+1 */
        { "dragonfly,a=6,p=3,h=3", 114, 11, 342, 456 },
        { "torus:4x4", 16, 5, 0, 32 },
        { "mesh:2x3", 6, 4, 0, 7 },
        { "star:5", 5, 5, 0, 4 },                       /* leaves are terminals, and so is the hub */
    };

    (void)state;
    EACH_ROW(i, known)
        for (int searched = 0; searched < 2; searched++) {
            const struct topo_report_options o = { .jobs = 1, .no_symmetry = searched };
            struct net *net = NULL;
            struct topo_report r;

            assert_int_equal(net_open(&net, known[i].spec, &err), 0);
            assert_int_equal(topo_report(&r, net, &o, &err), 0);
            if (r.switches != known[i].switches || r.switch_ports != known[i].ports ||
                r.host_cables != known[i].hosts || r.edges - r.host_cables != known[i].between)
                fail_msg("%s: %g switches of up to %g ports, %g cables to hosts, %g between switches", known[i].spec,
                         r.switches, r.switch_ports, r.host_cables, r.edges - r.host_cables);
            topo_report_release(&r);
            net_close(net);
        }
}

int main(void)
{
    static struct CMUnitTest tests[512];
    size_t n = 0;
    int failed;

    net_setup();
    n = add(tests, n, "nonsense is named", nonsense_is_named, NULL);
    n = add(tests, n, "dragonflies join all groups", dragonflies_join_all_groups, NULL);
    n = add(tests, n, "hardware is counted", hardware_is_counted, NULL);
    n = add(tests, n, "midimews attain the bound", midimews_attain_the_bound, NULL);
    n = add(tests, n, "random networks are regular", random_networks_are_regular, NULL);
    n = add(tests, n, "seeds tell random networks apart", seeds_tell_random_networks_apart, NULL);
    n = add(tests, n, "Moore bounds are Moore's", moore_bounds_are_moores, NULL);
    n = add(tests, n, "lopsided networks are not symmetric", lopsided_networks_are_not_symmetric, NULL);
    for (size_t i = 0; topo_all[i]; i++)
        n = add(tests, n, topo_all[i]->name, family_says_what_it_is, topo_all[i]);
    for (size_t i = 0; topo_all[i]; i++)
        if (topo_all[i]->example && strcmp(topo_all[i]->name, "file") != 0)
            n = add(tests, n, topo_all[i]->example, network_keeps_its_word, topo_all[i]->example);
    EACH_ROW(i, networks)
        n = add(tests, n, networks[i], network_keeps_its_word, networks[i]);
    EACH_ROW(i, rows)
        n = add(tests, n, rows[i].spec, row_holds, &rows[i]);
    EACH_ROW(i, spellings)
        n = add(tests, n, spellings[i][0], spelling_is_understood, spellings[i]);
    EACH_ROW(i, twins)
        n = add(tests, n, twins[i][0], twins_are_one, twins[i]);
    EACH_ROW(i, hostile)
        n = add(tests, n, *hostile[i][0] ? hostile[i][0] : "(nothing)", spec_is_refused, hostile[i]);
    failed = _cmocka_run_group_tests("topologies", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
