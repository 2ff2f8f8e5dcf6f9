/* Layouts: on every topology, what every drawing must keep (nodes apart, links clear of other nodes, the same twice);
 * closed forms of grids, circles and cubes, places on the globe; what layers, groups and distances are for; refusals in
 * words that help.
 * SEED=n repeats the random part. */
#include <igraph.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/layout/embed.h"
#include "graph/layout/layout.h"
#include "graph/topology/topo.h"
#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"

#define POLYLINE 64
#define LOOKS 1e7               /* of a node at a piece of a link, in one test; beyond, some links stand for all */

static struct err err;
static uint64_t seed;

static void close_to(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)))))
        fail_msg("%.17g is not %.17g", a, b);
}

static void lay(struct layout *l, struct net *net, const char *name)
{
    if (layout_open(l, net, name, 1, &err) < 0)
        fail_msg("%s: %s", net->spec, err.msg);
}

static double apart(const struct layout *l, int u, int v)
{
    return hypot(l->x[u] - l->x[v], l->y[u] - l->y[v]);
}

/* ---- what every layout keeps ---- */

static void check_positions(const struct layout *l)
{
    double least = INFINITY, x[2] = { INFINITY, -INFINITY }, y[2] = { INFINITY, -INFINITY };

    for (int v = 0; v < l->n; v++) {
        assert_true(isfinite(l->x[v]) && isfinite(l->y[v]));
        x[0] = fmin(x[0], l->x[v]);
        x[1] = fmax(x[1], l->x[v]);
        y[0] = fmin(y[0], l->y[v]);
        y[1] = fmax(y[1], l->y[v]);
        for (int u = 0; u < v; u++)
            least = fmin(least, apart(l, u, v));
    }
    assert_true(x[0] == 0 && y[0] == 0);
    close_to(x[1], l->width);
    close_to(y[1], l->height);
    assert_true(least > 0);
    close_to(l->spacing, l->n > 1 ? least : 1);
}

/* The curve of a link as corners of a polyline; returns how many. */
static int trace(double px[POLYLINE], double py[POLYLINE], const struct layout *l, const igraph_t *graph,
                 igraph_integer_t e)
{
    double x[LAYOUT_CURVE], y[LAYOUT_CURVE];
    int n = 0, points = layout_curve(x, y, l, graph, e);

    if (points == 2) {
        memcpy(px, x, 2 * sizeof *x);
        memcpy(py, y, 2 * sizeof *y);
        return 2;
    }
    assert_true(points % 3 == 1);
    for (int p = 0; p + 3 < points; p += 3)
        for (int i = p ? 1 : 0; i <= 16; i++) {
            const double t = i / 16.0, s = 1 - t, w[4] = { s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t };

            px[n] = w[0] * x[p] + w[1] * x[p + 1] + w[2] * x[p + 2] + w[3] * x[p + 3];
            py[n] = w[0] * y[p] + w[1] * y[p + 1] + w[2] * y[p + 2] + w[3] * y[p + 3];
            n++;
        }
    return n;
}

static double to_segment(double x, double y, double ax, double ay, double bx, double by)
{
    const double dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
    const double t = length > 0 ? fmin(1, fmax(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;

    return hypot(x - ax - t * dx, y - ay - t * dy);
}

/* Links end at their nodes, and their middles stand aside by the bend, to the left. */
static void check_curve(const struct layout *l, const igraph_t *graph, igraph_integer_t e)
{
    const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
    const double dx = l->x[to] - l->x[from], dy = l->y[to] - l->y[from], length = hypot(dx, dy);
    const double bend = l->bend ? l->bend[e] : 0;
    const double x = (l->x[from] + l->x[to]) / 2 + bend * dy / length;     /* left of (dx, dy), y down, is (dy, -dx) */
    const double y = (l->y[from] + l->y[to]) / 2 - bend * dx / length;
    double px[POLYLINE], py[POLYLINE], least = INFINITY;
    int n = trace(px, py, l, graph, e);

    close_to(px[0], l->x[from]);
    close_to(py[0], l->y[from]);
    close_to(px[n - 1], l->x[to]);
    close_to(py[n - 1], l->y[to]);
    for (int i = 0; i < n; i++)
        assert_true(px[i] > -0.5 && px[i] < l->width + 0.5 && py[i] > -0.5 && py[i] < l->height + 0.5);
    for (int i = 0; i + 1 < n; i++)
        least = fmin(least, to_segment(x, y, px[i], py[i], px[i + 1], py[i + 1]));
    assert_true(least < 1e-6);
}

static void check_links(const struct layout *l, struct net *net, bool clear)
{
    const igraph_t *graph = measure_graph(net);
    const igraph_integer_t edges = igraph_ecount(graph);
    const igraph_integer_t step = 1 + (igraph_integer_t)((double)edges * l->n * 20 / LOOKS);
    double px[POLYLINE], py[POLYLINE];

    for (igraph_integer_t e = 0; e < edges; e += step) {
        check_curve(l, graph, e);
        for (int v = 0, n = trace(px, py, l, graph, e); clear && v < l->n; v++)
            for (int i = 0; v != IGRAPH_FROM(graph, e) && v != IGRAPH_TO(graph, e) && i + 1 < n; i++)
                if (to_segment(l->x[v], l->y[v], px[i], py[i], px[i + 1], py[i + 1]) < 0.1 * l->spacing)
                    fail_msg("%s, %s: the link %d-%d runs over node %d", net->spec, l->kind->name,
                             (int)IGRAPH_FROM(graph, e), (int)IGRAPH_TO(graph, e), v);
    }
}

static void check_same(const struct layout *l, struct net *net)
{
    struct net *anew = strcmp(net->spec, "made by hand") ? measure_open(net->spec) : net;
    struct layout again;

    lay(&again, anew, l->kind->name);
    assert_memory_equal(again.x, l->x, (size_t)l->n * sizeof *l->x);
    assert_memory_equal(again.y, l->y, (size_t)l->n * sizeof *l->y);
    assert_int_equal(again.bend != NULL, l->bend != NULL);
    if (l->bend)
        assert_memory_equal(again.bend, l->bend, (size_t)igraph_ecount(measure_graph(net)) * sizeof *l->bend);
    layout_release(&again);
    if (anew != net)
        net_close(anew);
}

static bool leaves_links_straight(const struct layout *l)
{
    return strcmp(l->kind->name, "force") == 0;
}

/* In every layout that takes the network. */
static void check_network(struct net *net)
{
    for (size_t i = 0; layout_all[i]; i++) {
        const bool takes = !layout_all[i]->accepts || layout_all[i]->accepts(net);
        struct layout l = { .n = -1 };

        if (!takes) {
            assert_int_equal(layout_open(&l, net, layout_all[i]->name, 1, &err), -1);
            assert_int_equal(err.code, ERR_USAGE);
            assert_non_null(strstr(err.msg, layout_all[i]->takes));
            assert_int_equal(l.n, -1);
            continue;
        }
        lay(&l, net, layout_all[i]->name);
        assert_int_equal(l.n, net->n);
        check_positions(&l);
        /* Any network can be put in a circle, but its links are clear of nodes in its own layout only. */
        check_links(&l, net, !leaves_links_straight(&l) && l.kind == layout_natural(net, &err));
        check_same(&l, net);
        layout_release(&l);
    }
}

static void network_is_laid_out(void **state)
{
    struct net *net = measure_open(*state);

    check_network(net);
    net_close(net);
}

/* Beside the examples of the catalogue. */
static const char *const networks[] = {
    "torus:5x4x3", "torus:2x3", "torus:9", "torus:3", "torus:8x8", "torus:12x12x12", "torus:4x4x3x2x2",
    "torus:3x4x5x3", "torus:3x2x2x2x3x2", "mesh:1000", "mesh:7", "mesh:2x7", "mesh:20x2x3", "mesh:4x4x4",
    "mesh:3x3x3x3", "mesh:4x5,wrap=2", "torus:2^5", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",
    "hypercube:5", "hypercube:6", "hypercube:7", "hypercube:8", "hypercube:9", "hypercube:10", "hypercube:11",
    "hypercube:12", "ring:2", "ring:3", "ring:8", "ring:9,directed=yes", "ring:600", "circulant:12,jumps=3+4",
    "circulant:40,jumps=1+2+3+20", "circulant:7,jumps=1+2+3", "midimew:64", "midimew:13", "midimew:200",
    "complete:2", "complete:7", "complete:24", "star:2", "star:3", "star:9", "star:100", "fattree:2", "fattree:4",
    "fattree:8", "dragonfly,a=1,p=1,h=1", "dragonfly,a=2,p=3,h=1", "dragonfly,a=3,p=1,h=2",
    "dragonfly,a=4,p=2,h=2,arrangement=absolute", "dragonfly,a=1,p=2,h=5", "random:2", "random:100",
    "random:400,degree=8", "examples/networks/petersen.edges", "examples/networks/campus.graphml",
    "examples/networks/two-islands.csv",
};

/* ---- grids, circles, cubes ---- */

static void meshes_stand_at_their_coordinates(void **state)
{
    static const char *const spec[] = { "mesh:5x4", "torus:3x8", "mesh:9", "torus:6", "mesh:2x31" };
    struct layout l;
    int c[2];

    (void)state;
    EACH_ROW(i, spec) {
        struct net *net = measure_open(spec[i]);

        lay(&l, net, "grid");
        for (int v = 0; v < net->n; v++) {
            net_coordinates(net, v, c);
            assert_true(l.x[v] == c[net->ndim - 1] && l.y[v] == (net->ndim == 2 ? c[0] : 0));
        }
        assert_true(l.spacing == 1);
        layout_release(&l);
        net_close(net);
    }
}

/* A link is bent if and only if it closes a ring, always by as much and to the same side, by less than half a row. */
static void rings_are_closed_between_rows(void **state)
{
    struct net *net = measure_open("torus:5x6");
    const igraph_t *graph = measure_graph(net);
    struct layout l;
    double bend = 0;

    (void)state;
    lay(&l, net, NULL);
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
        const double upwards = from < to ? l.bend[e] : -l.bend[e];

        if (apart(&l, from, to) == 1) {
            assert_true(l.bend[e] == 0);
            continue;
        }
        if (bend == 0)
            bend = upwards;
        assert_true(upwards == bend && bend > 0.2 && bend < 0.5);
    }
    layout_release(&l);
    net_close(net);
}

/* Links of one dimension are parallel and of one length, but for those that close rings. */
static void dimensions_have_directions(void **state)
{
    static const char *const spec[][2] = {
        { "mesh:4x3x5", "grid" }, { "mesh:2x3x2x4", "grid" }, { "torus:2x2x3x3x2", "grid" }, { "hypercube:6", "grid" },
        { "hypercube:4", "cube" }, { "hypercube:6", "cube" }, { "hypercube:9", "cube" },
    };
    struct layout l;
    int a[32], b[32];

    (void)state;
    EACH_ROW(i, spec) {
        struct net *net = measure_open(spec[i][0]);
        const igraph_t *graph = measure_graph(net);
        double dx[32], dy[32];
        bool met[32] = { false };

        lay(&l, net, spec[i][1]);
        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
            int u = (int)IGRAPH_FROM(graph, e), v = (int)IGRAPH_TO(graph, e), d = 0;

            if (u > v) {
                u = v;
                v = (int)IGRAPH_FROM(graph, e);
            }
            net_coordinates(net, u, a);
            net_coordinates(net, v, b);
            while (a[d] == b[d])
                d++;
            if (b[d] - a[d] > 1)
                continue;
            if (!met[d]) {
                dx[d] = l.x[v] - l.x[u];
                dy[d] = l.y[v] - l.y[u];
            }
            met[d] = true;
            close_to(l.x[v] - l.x[u], dx[d]);
            close_to(l.y[v] - l.y[u], dy[d]);
        }
        layout_release(&l);
        net_close(net);
    }
}

/* Rails: GPUs of a host stand side by side, further from those of other hosts; switches of a plane, on both levels, are
 * right of all those of the planes before it. Numbers as topo_rails.c has them: GPUs host by host, then leaves and
 * spines, plane by plane. */
static void rails_stand_in_planes(void **state)
{
    enum { HOSTS = 3, GPUS = 4, PLANES = 3, PLANE = GPUS + 3 };
    struct net *net = measure_open("rails,hosts=3,gpus=4,radix=8,planes=3");
    const double *x;
    struct layout l;

    (void)state;
    lay(&l, net, NULL);
    x = l.x;
    assert_int_equal(l.n, HOSTS * GPUS + PLANES * PLANE);
    for (int v = 0; v + 1 < HOSTS * GPUS; v++)
        close_to(x[v + 1] - x[v], v % GPUS == GPUS - 1 ? 2 : 1);
    for (int a = HOSTS * GPUS; a < l.n; a++)
        for (int b = a - (a - HOSTS * GPUS) % PLANE + PLANE; b < l.n; b++)
            assert_true(x[b] > x[a] + 1);
    layout_release(&l);
    net_close(net);
}

static void large_cubes_have_room(void **state)
{
    struct net *net = measure_open("hypercube:16");
    struct layout l;

    (void)state;
    lay(&l, net, NULL);
    assert_string_equal(l.kind->name, "cube");
    assert_true(l.spacing > 0.4);
    layout_release(&l);
    net_close(net);
}

static void circles_are_round(void **state)
{
    static const char *const spec[] = { "ring:3", "ring:12", "midimew:64", "complete:7", "circulant:23,jumps=3+5" };
    struct layout l;

    (void)state;
    EACH_ROW(i, spec) {
        struct net *net = measure_open(spec[i]);
        double x = 0, y = 0;

        lay(&l, net, NULL);
        for (int v = 0; v < l.n; v++) {
            x += l.x[v] / l.n;
            y += l.y[v] / l.n;
        }
        for (int v = 0; v < l.n; v++) {
            close_to(hypot(l.x[v] - x, l.y[v] - y), 0.5 / sin(M_PI / l.n));
            close_to(apart(&l, v, (v + 1) % l.n), 1);
        }
        close_to(l.x[0], x);                    /* at the top, clockwise */
        assert_true(l.y[0] < 1e-12 && l.x[1] > x);
        layout_release(&l);
        net_close(net);
    }
}

static void stars_have_their_hub_inside(void **state)
{
    struct layout l;

    (void)state;
    for (int n = 3; n <= 40; n += n < 10 ? 1 : 7) {
        char spec[20];
        struct net *net;

        snprintf(spec, sizeof spec, "star:%d", n);
        net = measure_open(spec);
        lay(&l, net, NULL);
        for (int v = 2; v < n; v++)
            close_to(apart(&l, 0, v), apart(&l, 0, 1));
        assert_true(l.spacing > 1 - 1e-9);
        layout_release(&l);
        net_close(net);
    }
}

/* ---- layers and groups ---- */

/* Hosts lowest, edge switches in the middle of their hosts, cores highest; the whole as symmetric as the tree. */
static void fat_trees_stand_upright(void **state)
{
    struct layout l;

    (void)state;
    for (int k = 2; k <= 8; k += 2) {
        const int half = k / 2, hosts = k * half * half, switches = k * half;
        char spec[20];
        struct net *net;

        snprintf(spec, sizeof spec, "fattree:%d", k);
        net = measure_open(spec);
        lay(&l, net, NULL);
        for (int v = 0; v < net->n; v++) {
            const int level = v < hosts ? 0 : v < hosts + switches ? 1 : v < hosts + 2 * switches ? 2 : 3;
            const int first[] = { 0, hosts, hosts + switches, hosts + 2 * switches };

            close_to(l.y[v], l.y[first[level]]);
            if (level > 0) {
                assert_true(l.y[v] <= l.y[first[level - 1]] - 1);
                close_to(l.y[first[level - 1]] - l.y[v], l.height / 3);
            }
            if (v > first[level])
                assert_true(l.x[v] >= l.x[v - 1] + 1 - 1e-9);
        }
        assert_true(l.height >= l.width / 2 - 1e-9);
        for (int pod = 1; k > 2 && pod < k; pod++)           /* farther from each other than hosts of one pod */
            assert_true(l.box[pod].x0 - l.box[pod - 1].x1 >= 1.2);
        assert_int_equal(l.nbox, k);                /* pods: all but cores, those of each in its box and no other */
        for (int v = 0; v < net->n - half * half; v++) {
            const int pod = v < hosts ? v / (half * half) : (v - hosts) % switches / half;

            for (int i = 0; i < k; i++)
                assert_int_equal(l.x[v] > l.box[i].x0 - 0.4 && l.x[v] < l.box[i].x1 + 0.4 &&
                                 l.y[v] > l.box[i].y0 - 0.4 && l.y[v] < l.box[i].y1 + 0.4, i == pod);
        }
        for (int c = 0; c < half * half; c++)
            assert_true(l.y[net->n - 1 - c] < l.box[0].y0 - 0.4);
        for (int s = 0; s < switches; s++)
            close_to(l.x[hosts + s], (l.x[s * half] + l.x[s * half + half - 1]) / 2);
        for (int c = 0; c < half * half; c++)
            close_to(l.x[net->n - half * half + c] + l.x[net->n - 1 - c], l.width);
        layout_release(&l);
        net_close(net);
    }
}

/* HyperX: rows and columns; of the links of a row, each with all others, no two with a part in common run alike. */
static void lines_of_all_are_told_apart(void **state)
{
    static const char *const specs[] = { "hyperx:5x4", "hyperx:3x7", "hyperx:6x6" };
    struct layout l;

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = measure_open(specs[i]);
        const igraph_t *graph;
        struct err err = { 0 };
        int compared = 0;

        lay(&l, net, NULL);
        assert_int_equal(net_graph(net, &graph, &err), 0);
        for (int v = 0; v < net->n; v++) {
            close_to(l.x[v], v % net->size[1]);
            close_to(l.y[v], v / net->size[1]);
        }
        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
            for (igraph_integer_t f = 0; f < e; f++) {
                int a[2], b[2], way = net->size[1];

                net_ends(a, net, e);
                net_ends(b, net, f);
                if (a[0] / way == a[1] / way && b[0] / way == b[1] / way && a[0] / way == b[0] / way &&
                    fmax(fmin(a[0], a[1]), fmin(b[0], b[1])) < fmin(fmax(a[0], a[1]), fmax(b[0], b[1]))) {
                    const double x = l.bend[e] * (a[0] < a[1] ? 1 : -1), y = l.bend[f] * (b[0] < b[1] ? 1 : -1);

                    assert_true(fabs(x - y) > 0.01);
                    compared++;
                }
            }
        assert_true(compared > net->n / 2);
        layout_release(&l);
        net_close(net);
    }
}

/* The hosts of a file come in any order; those of one switch still stand together, and no two links cross. */
static void trees_do_not_cross(void **state)
{
    enum { HOSTS = 12 };
    /* Hosts 0..11 on switches 12..15, two of these on each of 16 and 17, and 18 on top. */
    static const int end[] = {
        0, 12, 1, 13, 2, 14, 3, 15, 4, 14, 5, 12, 6, 15, 7, 13, 8, 12, 9, 15, 10, 13, 11, 14,
        12, 16, 14, 16, 13, 17, 15, 17, 16, 18, 17, 18
    };
    struct net *net = nets_from_edges(19, end, (int)COUNT(end) / 2, false);
    struct layout l;

    (void)state;
    net->nterminal = HOSTS;
    net->terminal = malloc(HOSTS * sizeof *net->terminal);
    assert_non_null(net->terminal);
    for (int i = 0; i < HOSTS; i++)
        net->terminal[i] = i;
    lay(&l, net, "layers");
    for (size_t i = 0; i < COUNT(end); i += 2)
        for (size_t j = 0; j < i; j += 2)
            if (l.y[end[i]] == l.y[end[j]] && end[i + 1] != end[j + 1])
                assert_true((l.x[end[i]] < l.x[end[j]]) == (l.x[end[i + 1]] < l.x[end[j + 1]]));
    layout_release(&l);
    net_close(net);
}

/* Routers of one group stand nearer to each other than to any of another. */
static void groups_stand_together(void **state)
{
    static const int size[][3] = { { 4, 2, 2 }, { 3, 1, 2 }, { 2, 3, 1 }, { 8, 4, 4 }, { 1, 1, 4 } };
    struct layout l;
    char spec[80];

    (void)state;
    EACH_ROW(i, size) {
        const int a = size[i][0], p = size[i][1], routers = (a * size[i][2] + 1) * a;
        double inside = 0, outside = INFINITY;
        struct net *net;

        snprintf(spec, sizeof spec, "dragonfly,a=%d,p=%d,h=%d", a, p, size[i][2]);
        net = measure_open(spec);
        lay(&l, net, NULL);
        for (int r = 0; r < routers; r++) {
            for (int q = 0; q < r; q++) {
                const double d = apart(&l, net->nterminal + r, net->nterminal + q);

                if (r / a == q / a)
                    inside = fmax(inside, d);
                else
                    outside = fmin(outside, d);
            }
            for (int t = r * p; t < (r + 1) * p; t++)       /* terminals by their own router */
                for (int q = 0; q < routers; q++)
                    if (q != r)
                        assert_true(apart(&l, t, net->nterminal + r) < apart(&l, t, net->nterminal + q));
        }
        assert_true(inside < outside);
        layout_release(&l);
        net_close(net);
    }
}

/* A Slim Fly's cables lead from column to column of the other half alone: its halves are two rows. */
static void halves_are_rows(void **state)
{
    static const char *const specs[] = { "slimfly:3", "slimfly:4,hosts=3", "slimfly:5" };

    (void)state;
    EACH_ROW(i, specs) {
        struct net *net = measure_open(specs[i]);
        const int first = net->n - net->nterminal ? net->nterminal : 0, half = first + (net->n - first) / 2;
        struct layout l;
        double lowest = 0, highest = INFINITY;

        lay(&l, net, NULL);
        for (int v = first; v < net->n; v++)
            if (v < half)
                lowest = fmax(lowest, l.y[v]);
            else
                highest = fmin(highest, l.y[v]);
        assert_true(lowest < highest - 1);
        layout_release(&l);
        net_close(net);
    }
}

/* ---- distances ---- */

static struct net *from_edges(int n, int edges, void (*edge)(int i, int *u, int *v))
{
    int *end = malloc(2 * (size_t)edges * sizeof *end);
    struct net *net;

    assert_non_null(end);
    for (int i = 0; i < edges; i++)
        edge(i, &end[2 * i], &end[2 * i + 1]);
    net = nets_from_edges(n, end, edges, false);
    free(end);
    return net;
}

static void path_edge(int i, int *u, int *v)
{
    *u = i;
    *v = i + 1;
}
static void star_edge(int i, int *u, int *v)
{
    *u = 0;
    *v = i + 1;
}
#define SIDE 64
static void torus_edge(int i, int *u, int *v)
{
    const int at = i / 2, row = at / SIDE, column = at % SIDE;

    *u = at;
    *v = i % 2 ? row * SIDE + (column + 1) % SIDE : (row + 1) % SIDE * SIDE + column;
}

static void paths_stay_in_order(void **state)
{
    static const int size[] = { 2, 3, 30, 300, EMBED_STRESS, EMBED_STRESS + 1, 4000 };
    struct layout l;

    (void)state;
    EACH_ROW(i, size) {
        struct net *net = from_edges(size[i], size[i] - 1, path_edge);

        lay(&l, net, NULL);
        assert_string_equal(l.kind->name, "force");
        for (int v = 1; v < l.n; v++)
            assert_true((l.x[v] > l.x[v - 1]) == (l.x[1] > l.x[0]));
        assert_true(l.width > 0.9 * (l.n - 1) && l.width < 1.1 * (l.n - 1) && l.height < 0.1 * l.n);
        layout_release(&l);
        net_close(net);
    }
}

/* A torus that is not known to be one; too large for all pairs to be looked at. */
static void neighbours_are_near(void **state)
{
    struct net *net = from_edges(SIDE * SIDE, 2 * SIDE * SIDE, torus_edge);
    double link = 0, pair = 0;
    struct layout l;
    int u, v;

    (void)state;
    assert_true(SIDE * SIDE > EMBED_STRESS);
    lay(&l, net, NULL);
    check_positions(&l);
    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        torus_edge(i, &u, &v);
        link += apart(&l, u, v) / (2 * SIDE * SIDE);
    }
    for (int i = 0; i < l.n; i++)
        pair += apart(&l, i, (i * 7 + 1000) % l.n) / l.n;
    assert_true(link < pair / 8);
    layout_release(&l);
    net_close(net);
}

/* Leaves of one node cannot be told apart by any distance. */
static void twins_stand_apart(void **state)
{
    struct layout l;

    (void)state;
    for (int leaves = 5; leaves < 4000; leaves *= 5) {
        struct net *net = from_edges(leaves + 1, leaves, star_edge);

        lay(&l, net, NULL);
        check_positions(&l);
        assert_true(l.spacing > 1e-4);
        layout_release(&l);
        net_close(net);
    }
}

/* Leaves with hosts, and spines that differ in nothing: each spine stands clear of the others. */
static void spines_stand_apart(void **state)
{
    (void)state;
    for (int spines = 2; spines <= 6; spines += 2)
        for (int leaves = 4; leaves <= 16; leaves *= 2) {
            const int hosts = 4, first = spines + leaves;
            int end[2 * 16 * (6 + 4)], n = 0;
            struct net *net;
            struct layout l;

            for (int leaf = 0; leaf < leaves; leaf++) {
                for (int s = 0; s < spines; s++) {
                    end[n++] = s;
                    end[n++] = spines + leaf;
                }
                for (int h = 0; h < hosts; h++) {
                    end[n++] = spines + leaf;
                    end[n++] = first + hosts * leaf + h;
                }
            }
            net = nets_from_edges(first + hosts * leaves, end, n / 2, false);
            lay(&l, net, "force");
            check_positions(&l);
            for (int s = 0; s < spines; s++)
                for (int t = 0; t < s; t++)
                    assert_true(apart(&l, s, t) > 0.35);
            layout_release(&l);
            net_close(net);
        }
}

/* Half a unit around each part is free of others. */
static void parts_stand_side_by_side(void **state)
{
    enum { PARTS = 7, LENGTH = 9 };
    int end[2 * PARTS * LENGTH], n = 0;
    double box[PARTS][4];
    struct net *net;
    struct layout l;

    (void)state;
    for (int i = 0; i < PARTS * LENGTH; i++)
        if (i % LENGTH) {
            end[n++] = i;
            end[n++] = i % LENGTH < 4 ? i - 1 : i - i % LENGTH;
        }
    net = nets_from_edges(PARTS * LENGTH + 1, end, n / 2, true);       /* and one node by itself */
    lay(&l, net, NULL);
    check_positions(&l);
    for (int p = 0; p < PARTS; p++) {
        box[p][0] = box[p][1] = INFINITY;
        box[p][2] = box[p][3] = -INFINITY;
        for (int v = p * LENGTH; v < (p + 1) * LENGTH; v++) {
            box[p][0] = fmin(box[p][0], l.x[v]);
            box[p][1] = fmin(box[p][1], l.y[v]);
            box[p][2] = fmax(box[p][2], l.x[v]);
            box[p][3] = fmax(box[p][3], l.y[v]);
        }
        for (int q = 0; q < p; q++)
            assert_true(box[p][0] > box[q][2] + 0.9 || box[q][0] > box[p][2] + 0.9 || box[p][1] > box[q][3] + 0.9 ||
                        box[q][1] > box[p][3] + 0.9);
    }
    layout_release(&l);
    net_close(net);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void check_median_link(const struct layout *l, struct net *net)
{
    const igraph_t *graph = measure_graph(net);
    const size_t n = (size_t)igraph_ecount(graph);
    double *length = malloc((n + 1) * sizeof *length);

    assert_non_null(length);
    for (size_t e = 0; e < n; e++)
        length[e] = apart(l, (int)IGRAPH_FROM(graph, (igraph_integer_t)e), (int)IGRAPH_TO(graph, (igraph_integer_t)e));
    qsort(length, n, sizeof *length, ascending);
    if (n > 0)
        assert_true(length[n / 2] > 0.9 && length[(n - 1) / 2] < 1.1);
    free(length);
}

/* Any graph: nodes apart, half the links longer than the unit, the same again. */
static void random_graphs_are_laid_out(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 40; i++) {
        const int n = 1 + (int)rng_below(&rng, i % 20 ? 120 : 3000), more = (int)rng_below(&rng, (uint64_t)(2 * n));
        struct net *net = nets_random(&rng, n, more, rng_next(&rng) & 1);
        struct layout l;

        lay(&l, net, NULL);
        check_positions(&l);
        check_links(&l, net, false);
        if (n > 1)
            check_median_link(&l, net);
        check_same(&l, net);
        layout_release(&l);
        net_close(net);
    }
}

/* Cables more between nodes that are joined move no node, and are bent alike. (What is long in the mean over all
 * cables, as kamada-kawai has it, changes with them.) */
static void parallel_cables_move_nothing(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int i = 0; i < 30; i++) {
        const int n = 2 + (int)rng_below(&rng, 40), more = (int)rng_below(&rng, (uint64_t)n);
        const bool star = i % 5 == 0;       /* which has a hub */
        struct net *net = nets_random(&rng, n, star ? 0 : more, i % 3 == 2 && !star), *twice;
        const igraph_t *graph;
        igraph_integer_t m;
        int *end;

        if (star) {
            int ends[100];

            net_close(net);
            for (int v = 1; v < n; v++) {
                ends[2 * v - 2] = 0;
                ends[2 * v - 1] = v;
            }
            net = nets_from_edges(n, ends, n - 1, false);
        }
        graph = measure_graph(net);
        m = igraph_ecount(graph);
        end = malloc((size_t)m * 10 * sizeof *end);
        assert_non_null(end);
        for (int e = 0, k = 0; e < m; e++)
            for (int copy = 0; copy < 5; copy++, k++) {
                const bool turn = !net->directed && copy % 2 && copy <= e % 5;
                /* the first m as they were; of each, up to four more */
                const igraph_integer_t of = copy && copy > e % 5 ? 0 : e;

                end[2 * k] = (int)(turn ? IGRAPH_TO(graph, of) : IGRAPH_FROM(graph, of));
                end[2 * k + 1] = (int)(turn ? IGRAPH_FROM(graph, of) : IGRAPH_TO(graph, of));
            }
        twice = nets_from_edges(n, end, (int)(5 * m), net->directed);
        twice->cables.parallel = true;
        for (size_t k = 0; layout_all[k]; k++) {
            struct layout a, b;

            if ((layout_all[k]->accepts && !layout_all[k]->accepts(net)) || strcmp(layout_all[k]->name,
                                                                                   "kamada-kawai") == 0)
                continue;
            lay(&a, net, layout_all[k]->name);
            lay(&b, twice, layout_all[k]->name);
            for (int v = 0; v < n; v++)
                if (a.x[v] != b.x[v] || a.y[v] != b.y[v])
                    fail_msg("%s: node %d of %d stands elsewhere with parallel cables", layout_all[k]->name, v, n);
            check_links(&b, twice, false);
            for (igraph_integer_t e = 0; b.bend && e < 5 * m; e++) {
                const igraph_integer_t of = e % 5 && e % 5 > e / 5 % 5 ? 0 : e / 5;
                const igraph_t *g = measure_graph(twice);
                const double same = IGRAPH_FROM(g, e) == IGRAPH_FROM(graph, of) ? 1 : -1;

                assert_true(b.bend[e] == same * a.bend[of]);
            }
            layout_release(&a);
            layout_release(&b);
        }
        free(end);
        net_close(net);
        net_close(twice);
    }
}

static const char *const failing[] = {
    "torus:5x4,fail=0-1+switch:3.2", "hypercube:4,fail=random:5:3", "ring:9,fail=8-0",
    "fattree:4,fail=switch:32+16-24", "dragonfly,a=4,p=2,h=2,fail=random:9:4+switch:0", "star:9,fail=switch:3",
    "hyperx:3x4,bandwidth=2+1,fail=switch:0.0", "random:30,degree=4,fail=random:7:1"
};

/* What is left stands where it stood, and every cable, failed or not, is bent as it was. */
static void failures_move_nothing(void **state)
{
    (void)state;
    EACH_ROW(i, failing) {
        struct net *net = measure_open(failing[i]), *whole;
        char *spec = strdup(failing[i]);
        const igraph_t *g[2];
        struct layout l[2];

        *strstr(spec, ",fail") = '\0';
        whole = measure_open(spec);
        lay(&l[0], net, NULL);
        lay(&l[1], whole, NULL);
        assert_ptr_equal(l[0].kind, l[1].kind);
        assert_memory_equal(l[0].x, l[1].x, (size_t)net->n * sizeof *l->x);
        assert_memory_equal(l[0].y, l[1].y, (size_t)net->n * sizeof *l->y);
        g[0] = measure_graph(net);
        g[1] = measure_graph(whole);
        assert_true(net->cables.ngone > 0 && (size_t)igraph_ecount(g[1]) == (size_t)igraph_ecount(g[0]) +
                    net->cables.ngone);
        for (igraph_integer_t e = 0; l[1].bend && e < igraph_ecount(g[1]); e++) {
            const int a = (int)IGRAPH_FROM(g[1], e), b = (int)IGRAPH_TO(g[1], e);
            igraph_integer_t kept;
            double bend = NAN;

            assert_int_equal(igraph_get_eid(g[0], &kept, a, b, false, false), 0);
            if (kept >= 0)
                bend = (IGRAPH_FROM(g[0], kept) == a ? 1 : -1) * l[0].bend[kept];
            for (size_t k = 0; kept < 0 && k < net->cables.ngone; k++)
                if (net->cables.gone[k][0] == a && net->cables.gone[k][1] == b)
                    bend = l[0].gone_bend[k];
            assert_true(bend == l[1].bend[e]);
        }
        layout_release(&l[0]);
        layout_release(&l[1]);
        net_close(net);
        net_close(whole);
        free(spec);
    }
}

static void seeds_tell_drawings_apart(void **state)
{
    struct net *net = measure_open("random:200,degree=3");
    struct layout a, b;

    (void)state;
    assert_int_equal(layout_open(&a, net, NULL, 1, &err), 0);
    assert_int_equal(layout_open(&b, net, NULL, 2, &err), 0);
    assert_memory_not_equal(a.x, b.x, 200 * sizeof *a.x);
    layout_release(&a);
    layout_release(&b);
    net_close(net);
}

/* ---- refusals ---- */

static const struct refusal {
    const char *spec, *name, *part;
} refusals[] = {
    { "random:8", "grid", "networks with coordinates" },
    { "midimew:8", "grid", "take 'circle'" },
    { "torus:4x4", "cube", "take 'grid'" },
    { "mesh:4x4", "layers", "networks with switches" },
    { "ring:8", "groups", "families with groups" },
    { "examples/networks/petersen.edges", "cube", "take 'force'" },
    { "mesh:4x4", "gird", "did you mean 'grid'" },
    { "mesh:4x4", "xyzzy", "no layout is called 'xyzzy'; `metapath list layout`" },
};

static void layout_is_refused(void **state)
{
    const struct refusal *row = *state;
    struct net *net = measure_open(row->spec);
    struct layout l;

    assert_int_equal(layout_open(&l, net, row->name, 1, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    if (!strstr(err.msg, row->part))
        fail_msg("'%s' is not in: %s", row->part, err.msg);
    net_close(net);
}

/* Hosts and switches without links among their like make layers; others do not. */
static void hierarchies_are_seen(void **state)
{
    static const int tree[] = { 0, 3, 1, 3, 2, 4, 3, 5, 4, 5 }, more[] = { 0, 3, 1, 3, 2, 4, 3, 5, 4, 5, 3, 4 };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct net *net = nets_from_edges(6, i ? more : tree, i ? 6 : 5, false);

        assert_string_equal(layout_natural(net, &err)->name, "force");        /* no switches */
        net->nterminal = 3;
        net->terminal = malloc(3 * sizeof *net->terminal);
        assert_non_null(net->terminal);
        for (int t = 0; t < 3; t++)
            net->terminal[t] = t;
        assert_string_equal(layout_natural(net, &err)->name, i ? "force" : "layers");
        net_close(net);
    }
}

/* The family's own layout takes it. */
static void families_name_layouts(void **state)
{
    (void)state;
    for (size_t i = 0; topo_all[i]; i++) {
        const char *example = topo_all[i]->example;
        struct net *net = measure_open(example ? example : "examples/networks/petersen.edges");
        const struct layout_kind *kind = layout_natural(net, &err);

        assert_non_null(kind);
        assert_string_equal(kind->name, topo_all[i]->layout ? topo_all[i]->layout : "force");
        assert_true(!kind->accepts || kind->accepts(net));
        net_close(net);
    }
}

/* The least distance of a node to the links of others, of the radius that drawings give nodes at most. */
static double least_clearance(struct net *net, const char *name)
{
    const igraph_t *graph = measure_graph(net);
    double px[POLYLINE], py[POLYLINE], least = INFINITY;
    struct layout l;

    lay(&l, net, name);
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
        for (int v = 0, n = trace(px, py, &l, graph, e); v < l.n; v++)
            for (int i = 0; v != IGRAPH_FROM(graph, e) && v != IGRAPH_TO(graph, e) && i + 1 < n; i++)
                least = fmin(least, to_segment(l.x[v], l.y[v], px[i], py[i], px[i + 1], py[i + 1]));
    least /= 0.3 * l.near;
    layout_release(&l);
    return least;
}

/* Files, and random networks as sparse as those that people draw. */
static void links_keep_off_nodes(void **state)
{
    static const char *const file[] = { "campus.graphml", "leaf-spine.csv", "petersen.edges", "two-islands.csv" };
    struct rng rng;

    (void)state;
    EACH_ROW(i, file) {
        char path[80];
        struct net *net;

        snprintf(path, sizeof path, "examples/networks/%s", file[i]);
        net = measure_open(path);
        if (least_clearance(net, NULL) < 1)
            fail_msg("%s: a link runs over a node", path);
        net_close(net);
    }
    rng_seed(&rng, seed);
    for (int i = 0; i < 60; i++) {
        const int n = 3 + (int)rng_below(&rng, 40), more = (int)rng_below(&rng, (uint64_t)n / 2 + 1);
        struct net *net = nets_random(&rng, n, more, rng_next(&rng) & 1);
        const double least = least_clearance(net, "force");

        if (least < 1)
            fail_msg("%d nodes, %d links more: a link at %g of the radius of a node", n, more, least);
        net_close(net);
    }
}

/* ---- coordinates ---- */

/* Distances are to each other as on the globe, near enough for a few degrees: haversines. */
static double globe(const double a[2], const double b[2])
{
    const double d = M_PI / 180, u = sin(d * (b[1] - a[1]) / 2), v = sin(d * (b[0] - a[0]) / 2);

    return 2 * asin(sqrt(u * u + cos(d * a[1]) * cos(d * b[1]) * v * v));
}

static void open_text(struct net **net, const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    *net = measure_open(path);
    assert_int_equal(remove(path), 0);
}

static void coordinates_of_files(void **state)
{
    static const double city[4][2] = { { 4.9, 52.37 }, { 5.12, 52.09 }, { 4.48, 51.92 }, { 5.47, 51.44 } };
    char path[] = "/tmp/metapath-layout-XXXXXX", name[60], text[2000] = "graph [\n";
    const int fd = mkstemp(path);
    struct layout l;
    struct net *net;
    double unit;

    (void)state;
    assert_true(fd >= 0);
    fclose(fdopen(fd, "w"));
    remove(path);
    snprintf(name, sizeof name, "%s.gml", path);
    for (int v = 0; v < 4; v++)
        snprintf(text + strlen(text), 200, "node [ id %d Longitude %g Latitude %g ]\n", v, city[v][0], city[v][1]);
    strcat(text, "edge [ source 0 target 1 ]\nedge [ source 1 target 2 ]\nedge [ source 1 target 3 ]\n]\n");
    open_text(&net, name, text);
    lay(&l, net, NULL);
    assert_string_equal(l.kind->name, "coordinates");
    check_positions(&l);
    unit = apart(&l, 0, 1) / globe(city[0], city[1]);
    for (int u = 0; u < 4; u++)
        for (int v = 0; v < u; v++)
            assert_true(fabs(apart(&l, u, v) / globe(city[u], city[v]) / unit - 1) < 0.01);
    assert_true(l.y[0] < l.y[3] && l.x[2] < l.x[0]);    /* north is up, west is left */
    layout_release(&l);
    net_close(net);

    /* x and y; one that is not known beside its only neighbour, two in one place, one that nobody knows. */
    open_text(&net, name, "graph [\nnode [ id 0 x 0 y 0 ]\nnode [ id 1 x 10 y 0 ]\nnode [ id 2 x 10 y 20 ]\n"
              "node [ id 3 ]\nnode [ id 4 x 0 y 0 ]\nnode [ id 5 ]\nedge [ source 0 target 1 ]\n"
              "edge [ source 1 target 2 ]\nedge [ source 2 target 3 ]\nedge [ source 4 target 1 ]\n]\n");
    assert_string_equal(layout_natural(net, &err)->name, "force");        /* two are not known */
    lay(&l, net, "coordinates");
    check_positions(&l);
    assert_true(l.spacing > 0.2);
    assert_true(fabs(l.x[2] - l.x[1]) < 1e-9 && fabs(l.y[2] - l.y[1] - 2) < 1e-9);      /* the unit is 10 */
    assert_true(apart(&l, 0, 4) < 0.3);
    for (int v = 0; v < 6; v++)
        assert_true(v == 3 || apart(&l, 2, 3) < apart(&l, v, 3) + 1e-9 || v == 2);
    assert_true(l.y[5] > l.y[2]);
    layout_release(&l);
    net_close(net);
    open_text(&net, name, "graph [\nnode [ id 7 graphics [ x 4 w 1 y 2 ] ]\nnode [ id 3 graphics [ x 1 y 6 ] ]\n"
              "edge [ source 3 target 7 ]\n]\n");
    lay(&l, net, NULL);
    assert_true(fabs(l.x[0] - 0.6) < 1e-9 && l.x[1] == 0 && l.y[0] == 0 && fabs(l.y[1] - 0.8) < 1e-9);
    layout_release(&l);
    net_close(net);
    net = measure_open("examples/networks/petersen.edges");
    assert_int_equal(layout_open(&l, net, "coordinates", 1, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    net_close(net);
}

static size_t add(struct CMUnitTest *tests, size_t n, const char *name, CMUnitTestFunction f, const void *row)
{
    tests[n] = (struct CMUnitTest){ .name = name, .test_func = f, .initial_state = (void *)(uintptr_t)row };
    return n + 1;
}

int main(void)
{
    static struct CMUnitTest tests[256];
    size_t n = 0;
    int failed;

    seed = check_seed();
    net_setup();
    n = add(tests, n, "meshes stand at their coordinates", meshes_stand_at_their_coordinates, NULL);
    n = add(tests, n, "rings are closed between rows", rings_are_closed_between_rows, NULL);
    n = add(tests, n, "dimensions have directions", dimensions_have_directions, NULL);
    n = add(tests, n, "rails stand in planes", rails_stand_in_planes, NULL);
    n = add(tests, n, "large cubes have room", large_cubes_have_room, NULL);
    n = add(tests, n, "circles are round", circles_are_round, NULL);
    n = add(tests, n, "stars have their hub inside", stars_have_their_hub_inside, NULL);
    n = add(tests, n, "lines of all are told apart", lines_of_all_are_told_apart, NULL);
    n = add(tests, n, "fat trees stand upright", fat_trees_stand_upright, NULL);
    n = add(tests, n, "trees do not cross", trees_do_not_cross, NULL);
    n = add(tests, n, "groups stand together", groups_stand_together, NULL);
    n = add(tests, n, "halves are rows", halves_are_rows, NULL);
    n = add(tests, n, "paths stay in order", paths_stay_in_order, NULL);
    n = add(tests, n, "neighbours are near", neighbours_are_near, NULL);
    n = add(tests, n, "twins stand apart", twins_stand_apart, NULL);
    n = add(tests, n, "spines stand apart", spines_stand_apart, NULL);
    n = add(tests, n, "parts stand side by side", parts_stand_side_by_side, NULL);
    n = add(tests, n, "random graphs are laid out", random_graphs_are_laid_out, NULL);
    n = add(tests, n, "parallel cables move nothing", parallel_cables_move_nothing, NULL);
    n = add(tests, n, "failures move nothing", failures_move_nothing, NULL);
    n = add(tests, n, "seeds tell drawings apart", seeds_tell_drawings_apart, NULL);
    n = add(tests, n, "coordinates of files", coordinates_of_files, NULL);
    n = add(tests, n, "links keep off nodes", links_keep_off_nodes, NULL);
    n = add(tests, n, "hierarchies are seen", hierarchies_are_seen, NULL);
    n = add(tests, n, "families name layouts", families_name_layouts, NULL);
    for (size_t i = 0; topo_all[i]; i++)
        if (topo_all[i]->example && strcmp(topo_all[i]->name, "file") != 0)
            n = add(tests, n, topo_all[i]->example, network_is_laid_out, topo_all[i]->example);
    EACH_ROW(i, networks)
        n = add(tests, n, networks[i], network_is_laid_out, networks[i]);
    EACH_ROW(i, refusals)
        n = add(tests, n, refusals[i].part, layout_is_refused, &refusals[i]);
    failed = _cmocka_run_group_tests("layouts", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
