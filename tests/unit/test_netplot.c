/* Networks drawn: what a sketch keeps, what phrases pick out, and where labels stand. */
#include <igraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/network/selection.h"
#include "graph/base/mem.h"
#include "graph/numeric/rng.h"
#include "render/page/canvas.h"
#include "render/drawing/netplot_panel.h"
#include "render/page/palette.h"
#include "tests/support/check.h"
#include "tests/support/boxes.h"
#include "tests/support/nets.h"

static struct net *opened(const char *spec)
{
    struct err err = { 0 };
    struct net *net;

    if (net_open(&net, spec, &err) < 0)
        fail_msg("%s", err.msg);
    return net;
}

/* ---- sketches ---------------------------------------------------------------------------------------- */

static const char *const coarse[] = { "torus:64x64", "mesh:30x40", "random:3000,degree=4", "hypercube:10",
    "fattree:8" };

/* Every node is in one sketch node, every link in one sketch link or within a node, and values are means. */
static void coarsening_keeps_all(void **state)
{
    EACH_ROW(i, coarse) {
        struct net *net = opened(coarse[i]);
        double *value = malloc((size_t)net->n * sizeof *value), nodes = 0, links = 0, within = 0, sum = 0, want = 0;
        struct sketch_request what = { .net = net, .node_value = value };
        struct err err = { 0 };
        struct sketch s;

        for (int v = 0; v < net->n; v++)
            want += value[v] = v % 7 - 2.5;
        assert_int_equal(sketch_make(&s, &what, &err), 0);
        assert_int_equal(sketch_coarsen(&s, &what, 5 * s.spacing, &err), 0);
        for (size_t k = 0; k < s.n; k++) {
            nodes += s.node[k].count;
            sum += s.node[k].count * s.node[k].value;
            assert_true(s.node[k].count <= s.most);
            assert_int_equal(s.of[s.node[k].node], (int)k);
        }
        for (size_t k = 0; k < s.nlink; k++)
            links += s.link[k].count;
        for (igraph_integer_t e = 0; e < igraph_ecount(s.graph); e++)
            within += s.of[IGRAPH_FROM(s.graph, e)] == s.of[IGRAPH_TO(s.graph, e)];
        assert_true(s.n < (size_t)net->n);
        assert_true(nodes == net->n);
        assert_true(fabs(sum - want) < 1e-9 * net->n);
        assert_true(links + within + s.left_out == (double)igraph_ecount(s.graph));
        sketch_release(&s);
        free(value);
        net_close(net);
    }
    (void)state;
}

/* Squares of 4 x 4 nodes of a torus hold 16 each, and have four neighbours with four links to each. */
static void torus_becomes_torus(void **state)
{
    struct net *net = opened("torus:32x32");
    struct sketch_request what = { .net = net };
    struct err err = { 0 };
    struct sketch s;

    (void)state;
    assert_int_equal(sketch_make(&s, &what, &err), 0);
    assert_int_equal(sketch_coarsen(&s, &what, 3.5, &err), 0);
    assert_int_equal(s.n, 64);
    assert_int_equal(s.nlink, 128);
    for (size_t i = 0; i < s.n; i++)
        assert_int_equal(s.node[i].count, 16);
    for (size_t i = 0; i < s.nlink; i++)
        assert_int_equal(s.link[i].count, 4);
    sketch_release(&s);
    net_close(net);
}

/* Every cable, failed or not, is in one line: its own, as far from the next as asked for, where they are up to `most`;
 * else one with the others that are up, or down. None is far from where the layout has it, all within the bounds. */
static void bundles_keep_all(void **state)
{
    const double gap = 0.1;
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 60; i++) {
        const int n = 2 + (int)rng_below(&rng, 12), nedge = 1 + (int)rng_below(&rng, 60), most = 1 + i % 4;
        int end[120], up[14][14] = { { 0 } }, down[14][14] = { { 0 } };
        int (*gone)[3] = malloc((size_t)nedge * sizeof *gone);
        double value[120];
        size_t ngone = 0, kept = 0;
        struct err err = { 0 };
        struct sketch s;
        struct net *net;

        assert_non_null(gone);
        for (int e = 0; e < nedge; e++) {
            const int a = (int)rng_below(&rng, (uint64_t)n), b = (a + 1 + (int)rng_below(&rng, (uint64_t)(n - 1))) % n;

            if (rng_below(&rng, 4) == 0) {
                gone[ngone][0] = a;
                gone[ngone][1] = b;
                gone[ngone++][2] = e;
                down[a < b ? a : b][a < b ? b : a]++;
                continue;
            }
            end[2 * kept] = a;
            end[2 * kept + 1] = b;
            value[2 * kept] = value[2 * kept + 1] = (double)e;
            kept++;
            up[a < b ? a : b][a < b ? b : a]++;
        }
        net = nets_from_edges(n, end, (int)kept, false);
        net->cables.parallel = true;
        net->cables.gone = gone;
        net->cables.ngone = ngone;
        assert_int_equal(sketch_make(&s, &(struct sketch_request){ .net = net, .layout = "circle", .link_value = value,
                                                                   .link_width = value }, &err), 0);
        assert_int_equal(sketch_bundle(&s, net, gap, most, &err), 0);
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) {
                const int all = up[a][b] + down[a][b];
                double aside[8], sum = 0, width = 0;
                int lines = 0, count[2] = { 0, 0 };

                for (size_t k = 0; k < s.nlink + s.ngone; k++) {
                    const struct sketch_link *l = k < s.nlink ? &s.link[k] : &s.gone[k - s.nlink];

                    if ((l->a != a || l->b != b) && (l->a != b || l->b != a))
                        continue;
                    assert_true(lines < 8 && l->count >= 1);
                    count[k >= s.nlink] += l->count;
                    aside[lines++] = l->a == a ? l->bend : -l->bend;
                    if (k < s.nlink)
                        width += l->width[0];
                    assert_true(k >= s.nlink || (l->value[0] == l->value[1] && l->value[0] <= l->width[0]));
                }
                for (size_t e = 0; e < kept; e++)
                    if ((end[2 * e] == a && end[2 * e + 1] == b) || (end[2 * e] == b && end[2 * e + 1] == a))
                        sum += value[2 * e];
                assert_int_equal(count[0], up[a][b]);
                assert_int_equal(count[1], down[a][b]);
                assert_true(width == sum);
                assert_int_equal(lines, all <= most ? all : (up[a][b] > 0) + (down[a][b] > 0));
                for (int x = 0; x < lines; x++)
                    for (int y = 0; y < x && down[a][b] == 0; y++) {    /* the circle knows nothing of failures */
                        const double between = fabs(aside[x] - aside[y]);

                        assert_true(between > 0.99 * gap && between < 3.01 * gap);
                    }
            }
        sketch_release(&s);
        net_close(net);
    }
}

/* ---- phrases ----------------------------------------------------------------------------------------- */

static const struct phrase {
    const char *name, *net;
    size_t nodes, links;        /* by hand */
} phrases[] = {
    { "nodes:0.0,1.2", "mesh:4x4", 2, 0 },
    { "path:0-1-2", "ring:5", 3, 2 },
    { "path:h0-leaf0-spine0:2-leaf3", "examples/networks/leaf-spine.csv,terminals=leaves", 4, 3 },
    { "cycle:0-1-2-3-4", "ring:5", 5, 5 },
    { "route:0.0-3.2", "torus:8x8", 6, 5 },
    { "route:0-4", "ring:8", 5, 4 },
    { "supernode:sga:1:2.2", "torus:8x8", 5, 0 },       /* a node and its four neighbours */
    { "supernode:sga:1:0.0", "mesh:4x4", 3, 0 },
    { "supernode:row:4:2.2", "torus:8x8", 4, 0 },
    { "supernode:random:0", "ring:6", 6, 0 },
    { "metapath:static:0.0-0.2", "torus:8x8", 4, 2 },    /* both ends, S and T */
    { "metapath:sga:1:0-2", "ring:6", 6, 6 },           /* 0, 5 and 1, the latter also over 5-4-3-2 and 5-0-1-2 */
    { "tree:binomial", "hypercube:3", 1, 7 },
    { "tree:sequential:2.1", "mesh:3x3", 1, 8 },
};

static void phrase_picks(void **state)
{
    const struct phrase *p = *state;
    struct net *net = opened(p->net);
    struct selection s;
    struct err err = { 0 };

    if (selection_open(&s, net, p->name, &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(s.nnode, p->nodes);
    if (strncmp(p->name, "metapath:sga", 12) != 0)
        assert_int_equal(s.nlink, p->links);
    for (size_t i = 0; strncmp(p->name, "tree", 4) != 0 && i < s.nlink; i++) {
        int64_t e;

        assert_int_equal(net_link(&e, net, s.link[i][0], s.link[i][1], &err), 0);
    }
    selection_release(&s);
    net_close(net);
}

static const struct refusal {
    const char *name, *says;
} refusals[] = {
    { "rout:0-1", "did you mean 'route'?" }, { "route", "lacks what follows" }, { "route:0.0", "names no two nodes" },
    { "route:0.0-9.9", "9.9" }, { "path:0.0-0.1:2", "(1) none is at port '2'" },
    { "path:0.0-2.2", "there is no link from 0.0 to 2.2" }, { "nodes:0.0,x", "x" },
    { "supernode:sga:1", "sga" }, { "supernode:sgb:1:0.0", "sga" }, { "tree:binomal", "binomial" }, { "", "nothing "
      "called" },
    { "metapath:0.0-1.1", "lacks a pair" },
};

static void phrase_refused(void **state)
{
    const struct refusal *r = *state;
    struct net *net = opened("mesh:4x4");
    struct selection s;
    struct err err = { 0 };

    assert_int_equal(selection_open(&s, net, r->name, &err), -1);
    if (!strstr(err.msg, r->says))
        fail_msg("'%s' does not say '%s'", err.msg, r->says);
    selection_release(&s);
    net_close(net);
}

/* ---- figures ----------------------------------------------------------------------------------------- */

static const char *const drawn_specs[] = {
    "torus:8x8", "mesh:5x7", "hypercube:5", "midimew:32", "fattree:4", "dragonfly,a=4,p=2,h=2", "torus:3x4x5",
        "star:12",
    "complete:9", "ring:9", "random:60,degree=3", "torus:2x2", "mesh:2x30", "torus:40x40", "random:900,degree=6",
    "hypercube:9", "examples/networks/campus.graphml", "examples/networks/petersen.edges",
    "examples/networks/leaf-spine.csv,terminals=leaves,fail=leaf0-spine1:2+switch:h3", "torus:6x6,fail=random:9:2",
    "hyperx:4x4,bandwidth=4+1",
};

/* Any networks with any values on any page: labels, legends and scales keep off each other and on the page. */
static void any_drawing(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 60; trial++) {
        struct page page = { .width_mm = 60 + 200 * check_uniform(&rng), .height_mm = 60 + 150 * check_uniform(&rng),
                             .font_size = rng_below(&rng, 2) ? 0 : 5 + 6 * check_uniform(&rng) };
        const size_t n = 1 + rng_below(&rng, 3);
        struct net_drawing drawing[3] = { { .what = { .seed = 1 } } };
        double *value[3] = { NULL };
        struct netplot p = { .drawing = drawing, .n = n };
        struct err err = { 0 };
        struct canvas c;

        p.node = p.link = p.width = (struct axis){ .title = (char[]){ "Load" }, .unit = (char[]){ "%" }, .from = NAN,
            .to = NAN };
        p.title = rng_below(&rng, 2) ? "Three networks of about as many nodes, and their loads" : NULL;
        for (size_t i = 0; i < n; i++) {
            struct net *net = opened(drawn_specs[rng_below(&rng, COUNT(drawn_specs))]);
            size_t room = 2 * (size_t)net_edges(net, &err) + (size_t)net->n;

            value[i] = malloc(room * sizeof *value[i]);
            for (size_t k = 0; k < room; k++)
                value[i][k] = rng_below(&rng, 9) ? check_uniform(&rng) * pow(10, (double)rng_below(&rng, 4)) :
                    (double)NAN;
            drawing[i] = (struct net_drawing){ .what = { .net = net }, .title = net->spec };
            drawing[i].what.node_value = rng_below(&rng, 2) ? value[i] : NULL;
            drawing[i].what.link_value = rng_below(&rng, 2) ? value[i] : NULL;
            drawing[i].what.link_width = rng_below(&rng, 2) ? value[i] : NULL;
        }
        assert_int_equal(canvas_open(&c, &page, &err), 0);
        assert_int_equal(netplot_on(&c, &p, &err), 0);
        boxes_check("networks", &c);
        canvas_close(&c);
        for (size_t i = 0; i < n; i++) {
            net_close(drawing[i].what.net);
            free(value[i]);
        }
    }
}

/* Texts on the page of one network's drawing, without a legend or bars, on a page of that width and height. */
static size_t texts(struct net *net, double width, double height)
{
    const struct page page = { .width_mm = width, .height_mm = height };
    const struct net_drawing d = { .what = { .net = net } };
    const struct netplot p = { .drawing = &d, .n = 1 };
    struct err err = { 0 };
    struct canvas c;
    size_t n = 0;

    assert_int_equal(canvas_open(&c, &page, &err), 0);
    assert_int_equal(netplot_on(&c, &p, &err), 0);
    boxes_check(net->spec, &c);
    for (size_t i = 0; i < c.nbox; i++)
        n += c.box[i].text;
    canvas_close(&c);
    return n;
}

/* All nodes have their names, or numbers and a key at the foot; or the foot says that they have none; grids have those
 * of the first row and column. */
static void all_names_or_none(void **state)
{
    static const struct {
        const char *spec;
        double width, height;
        size_t texts;
    } row[] = { { "mesh:4x4", 84, 84, 16 }, { "hypercube:4", 84, 84, 16 }, { "mesh:12x12", 84, 84, 6 + 11 },
                { "random:400,degree=3", 84, 84, 1 }, { "examples/networks/campus.graphml", 160, 100, 14 },
                { "examples/networks/campus.graphml", 84, 50, 14 },
                { "examples/networks/campus.graphml", 32, 40, 14 + 1 } };

    (void)state;
    EACH_ROW(i, row) {
        struct net *net = opened(row[i].spec);
        const size_t n = texts(net, row[i].width, row[i].height);

        if (n != row[i].texts)
            fail_msg("%s on %g x %g mm: %zu texts, not %zu", row[i].spec, row[i].width, row[i].height, n, row[i].texts);
        net_close(net);
    }
}

/* Hosts are as many as before, a switch has one circle; a host with another value on its link stays by itself. */
static void equal_hosts_are_one(void **state)
{
    struct net *net = opened("fattree:8");

    (void)state;
    for (int odd = 0; odd < 2; odd++) {
        double *value = calloc(2 * 384, sizeof *value);
        const struct sketch_request what = { .net = net, .link_value = value };
        struct err err = { 0 };
        struct sketch s;
        int hosts = 0, links = 0;

        assert_non_null(value);
        value[0] = odd;                                 /* the first cable is that of host 0 */
        assert_int_equal(sketch_make(&s, &what, &err), 0);
        assert_true((s.link[0].a < 128) != (s.link[0].b < 128));
        assert_int_equal(sketch_gather(&s, net, &err), 0);
        assert_int_equal(s.n, 208 - 128 + 32 + odd);
        assert_int_equal(s.nlink, 384 - 128 + 32 + odd);
        for (size_t i = 0; i < s.n; i++)
            hosts += s.node[i].terminal ? s.node[i].count : 0;
        for (size_t i = 0; i < s.nlink; i++)
            links += s.link[i].count;
        assert_int_equal(hosts, 128);
        assert_int_equal(links, 384);
        for (int v = 0; v < net->n; v++)                /* both hang at the same switch */
            assert_true(v >= 128 ? s.node[s.of[v]].node == v : s.node[s.of[v]].node / 4 == v / 4);
        assert_true(s.spacing > 1.5);
        sketch_release(&s);
        free(value);
    }
    net_close(net);
}

/* Colours of links begin at light grey and only grow darker, whatever the palette. */
static void colours_of_links_darken(void **state)
{
    (void)state;
    for (size_t k = 0; palette_all[k]; k++) {
        const struct page page = { .palette = palette_all[k] };
        struct err err = { 0 };
        struct canvas c;

        assert_int_equal(canvas_open(&c, &page, &err), 0);
        assert_true(netplot_ramp(&c, 0).r == netplot_ramp(&c, 0).b && netplot_ramp(&c, 0).r > 0.8);
        for (int i = 0; i < 100; i++)
            if (rgb_luminance(netplot_ramp(&c, i / 100.0)) < rgb_luminance(netplot_ramp(&c, (i + 1) / 100.0)))
                fail_msg("%s grows lighter at %d of 100", palette_all[k]->name, i);
        canvas_close(&c);
    }
}

/* A file's bytes, and a zero byte behind them. */
static char *whole(size_t *n, const char *path)
{
    enum { ROOM = 1 << 22 };
    char *text = malloc(ROOM);
    FILE *f = fopen(path, "rb");

    assert_non_null(text);
    assert_non_null(f);
    *n = fread(text, 1, ROOM - 1, f);
    text[*n] = '\0';
    assert_true(feof(f));
    assert_int_equal(fclose(f), 0);
    return text;
}

/* On every format, the same bytes twice; in the SVG the names are text. */
static void formats(void **state)
{
    struct net *net = opened("mesh:3x3");
    int link[][3] = { { 0, 1, -1 }, { 1, 2, -1 } }, node[] = { 0, 1, 2 };
    const struct highlight way = { (char[]){ "route:0.0-0.2" }, node, 3, link, 2, true, 0, 2 };
    const struct net_drawing d = { .what = { .net = net }, .highlight = &way, .nhighlight = 1 };
    const struct netplot p = { .drawing = &d, .n = 1 };
    struct err err = { 0 };
    char dir[] = "/tmp/metapath-netplot-XXXXXX", path[60];

    (void)state;
    assert_non_null(mkdtemp(dir));
    for (size_t f = 0; plot_all[f]; f++) {
        char *text[2];
        size_t n[2];

        snprintf(path, sizeof path, "%s/net%s", dir, plot_all[f]->extension);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(netplot_write(&p, NULL, path, &err), 0);
            text[i] = whole(&n[i], path);
            assert_int_equal(unlink(path), 0);
        }
        assert_int_equal(n[0], n[1]);
        assert_memory_equal(text[0], text[1], n[0]);
        if (strcmp(plot_all[f]->name, "svg") == 0) {
            assert_non_null(strstr(text[0], ">2.1<"));
            assert_non_null(strstr(text[0], ">route:0.0-0.2<"));
            assert_non_null(strstr(text[0], "<title>mesh:3x3</title>"));
            assert_non_null(strstr(text[0], "9 nodes, highlighted: route:0.0-0.2"));
        }
        free(text[0]);
        free(text[1]);
    }
    assert_int_equal(rmdir(dir), 0);
    net_close(net);
}

static int setup(void **state)
{
    (void)state;
    net_setup();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    figure_teardown();
    net_teardown();
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[7 + COUNT(phrases) + COUNT(refusals)] = {
        cmocka_unit_test(coarsening_keeps_all), cmocka_unit_test(torus_becomes_torus), cmocka_unit_test(any_drawing),
        cmocka_unit_test(bundles_keep_all), cmocka_unit_test(equal_hosts_are_one),
        cmocka_unit_test(all_names_or_none),
        cmocka_unit_test(colours_of_links_darken),
        cmocka_unit_test(formats) };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    EACH_ROW(i, phrases)
        tests[n++] = (struct CMUnitTest){ .name = phrases[i].name, .test_func = phrase_picks,
                                          .initial_state = (void *)(uintptr_t)&phrases[i] };
    EACH_ROW(i, refusals)
        tests[n++] = (struct CMUnitTest){ .name = refusals[i].name, .test_func = phrase_refused,
                                          .initial_state = (void *)(uintptr_t)&refusals[i] };
    return cmocka_run_group_tests(tests, setup, teardown);
}
