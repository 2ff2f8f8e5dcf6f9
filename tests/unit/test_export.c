/* Networks written and read back: 500 drawn ones in every format that is both, what is refused and what is told, and
 * forwarding tables of routings. SEED=n repeats a run. */
#include <igraph.h>
#include <string.h>
#include <unistd.h>

#include "graph/base/num.h"
#include "graph/export/export.h"
#include "graph/import/import.h"
#include "model/routing/lfts.h"
#include "tests/support/check.h"

static struct rng rng;

static size_t below(size_t n)
{
    return (size_t)rng_below(&rng, n);
}

/* ---- what a network is, as text that does not depend on the order of nodes and cables ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static double carried(const struct net *net, int64_t e, bool back, bool length)
{
    const struct cables *c = &net->cables;
    const struct link_kind k = c->kind ? c->kind[c->of ? c->of[2 * e + back] : 0] : (struct link_kind){ 1, 0 };

    return length ? k.length : k.bandwidth * (c->rate > 0 ? c->rate : 1);
}

static char *describe(struct net *net, bool ports)
{
    const igraph_t *graph;
    struct err err;
    char label[2][NET_LABEL], **line, *text = NULL;
    size_t n = 0, len;
    FILE *f;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    line = calloc((size_t)net->n + (size_t)igraph_ecount(graph), sizeof *line);
    assert_non_null(line);
    for (int v = 0; v < net->n; v++)
        assert_true(asprintf(&line[n++], "%s %d %g %g", net_label(net, v, label[0]), net_terminal_index(net, v) >= 0,
                             net->at ? net->at[2 * v] : 0, net->at ? net->at[2 * v + 1] : 0) > 0);
    for (int64_t e = 0; e < igraph_ecount(graph); e++) {
        int end[2];

        net_ends(end, net, e);
        for (int i = 0; i < 2; i++)
            net_label(net, end[i], label[i]);
        const bool turned = !net->directed && strcmp(net_label(net, end[1], label[1]), net_label(net, end[0], label[0])) < 0;
        const char *port[2] = { ports ? net_port(net, e, end[turned]) : NULL,
                                ports ? net_port(net, e, end[!turned]) : NULL };
        const bool up = net->directed || end[turned] < end[!turned];

        assert_true(asprintf(&line[n++], "%s>%s %.12g %.12g %.12g %.12g %.12g %s %s", net_label(net, end[turned],
                             label[0]), net_label(net, end[!turned], label[1]), carried(net, e, !up, false),
                             carried(net, e, up && !net->directed, false), carried(net, e, !up, true),
                             carried(net, e, up && !net->directed, true), net->weight ? net->weight[e] : 0,
                             port[0] ? port[0] : "", port[1] ? port[1] : "") > 0);
    }
    qsort(line, n, sizeof *line, by_text);
    f = open_memstream(&text, &len);
    assert_non_null(f);
    fprintf(f, "%s %d%s\n", net->directed ? "directed" : "undirected", net->n, net->cables.times ? " times" : "");
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%s\n", line[i]);
        free(line[i]);
    }
    fclose(f);
    free(line);
    return text;
}

/* ---- drawn networks, written as CSV or GraphML by hand ---- */

struct drawn {
    bool directed, parallel, kinds, places, weights, bandwidths, rates, latencies, times, ports, uneven, alone;
};

static void draw(FILE *f, const struct drawn *d)
{
    static const char *const word[] = { "leaf", "spine 2", "a,b", "x<y>&z", "it's", "\xc3\xa9t\xc3\xa9", "no-1", "0.1" };
    static const char *const key[][2] = { { "weight", "double" }, { "bandwidth", "string" }, { "latency", "string" },
                                          { "source_port", "string" }, { "target_port", "string" } };
    const int n = 2 + (int)below(9), m = 1 + (int)below(20), names = (int)below(3);
    int number = 0;

    fprintf(f, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><key id=\"kind\" for=\"node\" attr.name=\"kind\" "
            "attr.type=\"string\"/><key id=\"x\" for=\"node\" attr.name=\"x\" attr.type=\"double\"/><key id=\"y\" for=\"node\" "
            "attr.name=\"y\" attr.type=\"double\"/>");
    if (names > 0)
        fprintf(f, "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>");
    for (int i = 0; i < 5; i++)
        if (i == 0 ? d->weights : i == 1 ? d->bandwidths : i == 2 ? d->latencies : d->ports)
            fprintf(f, "<key id=\"%s\" for=\"edge\" attr.name=\"%s\" attr.type=\"%s\"/>", key[i][0], key[i][0], key[i][1]);
    fprintf(f, "<graph edgedefault=\"%sdirected\">", d->directed ? "" : "un");
    for (int v = 0; v < n; v++) {
        fprintf(f, "<node id=\"%d\">", v);
        if (names > 0)
            fprintf(f, "<data key=\"name\">%s%d</data>", names > 1 ? "n" : v % 8 == 3 ? "x&lt;y&gt;&amp;" : word[v % 8], v);
        if (d->kinds)
            fprintf(f, "<data key=\"kind\">%s</data>", v && below(2) ? "switch" : "terminal");
        if (d->places)
            fprintf(f, "<data key=\"x\">%g</data><data key=\"y\">%g</data>", (double)below(100) / 4, (double)below(100) / 8);
        fputs("</node>", f);
    }
    for (int e = 0, v = 0; e < m; e++) {
        int w = v;

        if (!d->parallel || below(3)) {
            v = d->parallel || d->alone ? (int)below((size_t)n) : e;
            w = d->parallel ? (int)below((size_t)n) : v + 1;
        } else {
            w = v ? v - 1 : 1;
        }
        if (v == w || v >= n || w >= n || (!d->directed && v > w && d->parallel))
            continue;
        for (int back = 0; back < 1 + (d->uneven && !d->directed); back++) {
            fprintf(f, "<edge source=\"%d\" target=\"%d\">", back ? w : v, back ? v : w);
            if (d->weights)
                fprintf(f, "<data key=\"weight\">%g</data>", (double)e / 8);
            if (d->bandwidths)
                fprintf(f, "<data key=\"bandwidth\">%g%s</data>", (double)(1 + below(9)), d->rates ? "Gb/s" : "");
            if (d->latencies)
                fprintf(f, "<data key=\"latency\">%g%s</data>", (double)(1 + below(9)) / 4, d->times ? "us" : "");
            if (d->ports)
                fprintf(f, "<data key=\"source_port\">%d</data><data key=\"target_port\">%d</data>",
                        back ? number + 2 : number + 1, back ? number + 1 : number + 2);
            fputs("</edge>", f);
        }
        number += 2;
        v = d->parallel ? (int)below((size_t)n) : v;
    }
    fputs("</graph></graphml>\n", f);
}

static struct net *open_text(void (*write)(FILE *f, const void *what), const void *what, const char *end,
                             struct err *err)
{
    char path[] = "/tmp/exportXXXXXX", spec[80];
    const int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    struct net *net = NULL;

    assert_non_null(f);
    write(f, what);
    assert_int_equal(fclose(f), 0);
    snprintf(spec, sizeof spec, "file:%s,%s", path, end);
    if (net_open(&net, spec, err) < 0)
        net = NULL;
    unlink(path);
    return net;
}

static void write_drawn(FILE *f, const void *what)
{
    draw(f, what);
}

static void write_text(FILE *f, const void *what)
{
    fputs(what, f);
}

static void comes_back(void **state)
{
    int tried[16] = { 0 };

    (void)state;
    for (int i = 0; i < 500; i++) {
        const struct export_format *format = export_all[(size_t)i % kind_count(&kind_export)];
        struct drawn d = { .directed = below(4) == 0, .parallel = below(2), .kinds = below(2), .places = below(3) == 0,
                           .weights = below(4) == 0, .bandwidths = below(2), .rates = below(2), .latencies = below(3) == 0,
                           .times = below(2), .ports = below(3) == 0, .uneven = below(4) == 0, .alone = below(2) };
        struct err err = { ERR_NONE, "" };
        struct net *net, *again;
        char *text = NULL, *lost = NULL, *was, *is, end[60];
        size_t len;
        FILE *f;

        assert_int_equal(format->unread, !import_named(format->name));
        if (format->unread)
            continue;
        d.directed = d.directed && format->says & SAYS(DIRECTED);
        d.weights = d.weights && format->says & SAYS(WEIGHTS);      /* of what it cannot say `lost` tells */
        d.latencies = d.latencies && format->says & SAYS(LATENCIES);
        d.places = d.places && format->says & SAYS(PLACES);
        d.bandwidths = d.bandwidths && !format->widths;
        d.kinds = (d.kinds || format->widths) && format->says & SAYS(KINDS);
        net = open_text(write_drawn, &d, "format=graphml", &err);
        if (!net) {
            assert_true(strstr(err.msg, "at a terminal") || strstr(err.msg, "both ways"));   /* rates need one */
            continue;
        }
        f = open_memstream(&text, &len);
        assert_non_null(f);
        const int ret = export_write(f, format, net, &lost, &err);

        fclose(f);
        if (ret == 0 && !lost) {
            snprintf(end, sizeof end, "format=%s%s", format->name, d.directed && !(format->says & SAYS(ALONE)) ?
                     ",directed=yes" : "");
            again = open_text(write_text, text, end, &err);
            if (!again)
                fail_msg("%s: %s\n%s", format->name, err.msg, text);
            was = describe(net, true);
            is = describe(again, net->cables.port);     /* ibsim has numbers for all */
            if (strcmp(was, is) != 0)
                fail_msg("%s: it was\n%sand is\n%sby\n%s", format->name, was, is, text);
            free(was);
            free(is);
            net_close(again);
            tried[i % (int)kind_count(&kind_export)]++;
        } else if (ret < 0) {
            assert_int_equal(err.code, ERR_DOMAIN);
        }
        free(lost);
        free(text);
        net_close(net);
    }
    for (size_t k = 0; k < kind_count(&kind_export); k++)
        if (!export_all[k]->unread && strcmp(export_all[k]->name, "anynet") != 0 &&
            strcmp(export_all[k]->name, "slurm-conf") != 0 && tried[k] < 3)
            fail_msg("%s was tried %d times", export_all[k]->name, tried[k]);
}

/* ---- tables ---- */

/* Written and read, the tables lead every pair as the routing does. */
static void tables_come_back(void **state)
{
    static const char *const row[][2] = {
        { "fattree:4", "dmodk" }, { "fattree:4", "updown" }, { "torus:5x4", "dor" }, { "mesh:3x2", "dor" },
        { "torus:4x4", "minimal" }, { "star:6", "updown" }, { "hypercube:3", "dor" }, { "hyperx:3x4", "dor" } };

    (void)state;
    EACH_ROW(i, row) {
        char path[] = "/tmp/lftsXXXXXX", spec[80];
        const int fd = mkstemp(path);
        FILE *f = fdopen(fd, "w");
        struct net *net;
        struct routing r, again;
        struct route_path a = { 0 }, b = { 0 };
        struct err err;

        assert_non_null(f);
        assert_int_equal(net_open(&net, row[i][0], &err), 0);
        assert_int_equal(routing_open(&r, net, row[i][1], &err), 0);
        if (lfts_write(f, &r, &err) < 0)
            fail_msg("%s", err.msg);
        assert_int_equal(fclose(f), 0);
        snprintf(spec, sizeof spec, "table:%s", path);
        if (routing_open(&again, net, spec, &err) < 0)
            fail_msg("%s", err.msg);
        unlink(path);
        assert_null(net->told);
        for (int s = 0; s < net->nterminal; s++)
            for (int t = 0; t < net->nterminal; t++) {
                if (s == t)
                    continue;
                assert_int_equal(route_path(&a, &r, net_terminal(net, s), net_terminal(net, t), &err), 0);
                assert_int_equal(route_path(&b, &again, net_terminal(net, s), net_terminal(net, t), &err), 0);
                assert_int_equal(a.n, b.n);
                assert_memory_equal(a.node, b.node, a.n * sizeof *a.node);
            }
        route_path_release(&a);
        route_path_release(&b);
        routing_close(&r);
        routing_close(&again);
        net_close(net);
    }
}

/* What is said of tables that are wrong, on a line of two switches with an adapter each. */
static void tables_refused(void **state)
{
#define NET "switchguid=0x10\nSwitch 2 \"s\"\n[1] \"a\"[1]\n[2] \"t\"[2]\n\nswitchguid=0x20\nSwitch 2 \"t\"\n[1] \"b\"[1]\n[2] " \
    "\"s\"[2]\n\ncaguid=0x30\nHca 1 \"a\"\n[1] \"s\"[1]\n\ncaguid=0x40\nHca 1 \"b\"\n[1] \"t\"[1]\n"
#define S "Unicast lids [0-4] of switch Lid 1 guid 0x0000000000000010 ('s'):\n"
#define T "Unicast lids [0-4] of switch Lid 2 guid 0x0000000000000020 ('t'):\n"
#define ROW(lid, port, guid) "0x000" lid " 00" port " # Channel Adapter portguid 0x00000000000000" guid ": 'x'\n"
    static const char *const row[][2] = {
        { S ROW("3", "1", "31") ROW("4", "2", "41") T ROW("3", "2", "31") ROW("4", "1", "41"), NULL },
        { S ROW("7", "1", "31") ROW("9", "2", "41") T ROW("9", "2", "31") ROW("7", "1", "41"), NULL },  /* other lids */
        { S ROW("3", "1", "31") ROW("4", "2", "41") ROW("5", "2", "51") T ROW("3", "2", "31") ROW("4", "1", "41"),
          "1 nodes of the tables" },
        { S ROW("3", "1", "31") ROW("4", "2", "41") T ROW("3", "2", "31"), "1 pairs lack a way: a>b" },
        { S ROW("3", "1", "31") ROW("4", "2", "41") T ROW("3", "2", "31") ROW("4", "2", "41"), "1 pairs lack a way: a>b" },
        { S ROW("3", "1", "31") ROW("3", "2", "31"), ":3: this switch has a line for lid 0x0003 already" },
        { S S, ":2: the table of this switch is there already" },
        { S "0x0003 600 #\n", ":2 is no line of a table" },
        { S "0x0003\n0x0004 001 #\n", ":2 is no line of a table" },
        { S ROW("3", "1", "91"), "none of its destinations is a terminal" },
    };
    struct err err;
    struct net *net;

    (void)state;
    EACH_ROW(i, row) {
        char path[] = "/tmp/lftsXXXXXX", spec[80];
        const int fd = mkstemp(path);
        struct routing r;
        int ret;

        net = open_text(write_text, NET, "format=ibsim", &err);
        assert_non_null(net);
        assert_int_equal(write(fd, row[i][0], strlen(row[i][0])), (ssize_t)strlen(row[i][0]));
        close(fd);
        snprintf(spec, sizeof spec, "table:%s", path);
        ret = routing_open(&r, net, spec, &err);
        unlink(path);
        if (ret == 0)
            assert_true(!row[i][1] == !net->told && (!net->told || strstr(net->told, row[i][1])));
        else if (!row[i][1] || !strstr(err.msg, row[i][1]))
            fail_msg("%s", err.msg);
        if (ret == 0)
            routing_close(&r);
        net_close(net);
    }
}

static void refused(void **state)
{
    static const char *const row[][3] = {
        { "fattree:4", "slurm-conf", "is no tree" },
        { "torus:4x4,fail=0.0-0.1", "slurm-conf", "is no tree" },
        { "circulant:7:1+2,directed=yes", "anynet", NULL },
    };
    struct net *net;
    struct err err;
    char *lost, *text;
    size_t len;

    (void)state;
    EACH_ROW(i, row) {
        FILE *f = open_memstream(&text, &len);

        if (net_open(&net, row[i][0], &err) == 0) {
            assert_int_equal(export_write(f, (const struct export_format *)kind_find(&kind_export, row[i][1], &err), net,
                                          &lost, &err), -1);
            assert_true(!row[i][2] || strstr(err.msg, row[i][2]));
            free(lost);
            net_close(net);
        }
        fclose(f);
        free(text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(comes_back), cmocka_unit_test(tables_come_back),
                                               cmocka_unit_test(tables_refused), cmocka_unit_test(refused) };
    int failed;

    rng_seed(&rng, check_seed());
    net_setup();
    failed = cmocka_run_group_tests_name("export", tests, NULL, NULL);
    net_teardown();
    return failed;
}
